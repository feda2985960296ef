// The terms of the count, a row a component in its colour: its formula, the numbers that are dragged, what they come to and their
// share. A long formula that is still to be factored comes after the numbers, in a task of its own.
const digits = (value) => grouped(value).replace(/,/g, ",<wbr>"); // where one that is longer than most may part
const lengthOfNumbers = () => (String(found.count ?? 0).length > 16 ? "long" : "");
const rowsShown = (sheet, { cost, setting }) => sheet.rows(cost ? `share ${cost.name}` : "share", setting);
const kindOf = (name) => sheetNow().data.kinds.rows[name] ?? "";
let hasLate = false;
function drawLate() {
  if (!hasLate) return;
  const start = performance.now();
  drawShares(true);
  performance.measure("symparams late", { start, end: performance.now() });
}
const change = (by) => (by > 0n ? "+" : "−") + grouped(by < 0n ? -by : by);
function drawShares(isLate = false) {
  hasLate = false;
  const sheet = sheetNow(),
    isBound = found.count !== null,
    whole = found.count || 0n,
    { percent: pattern } = words.heads[state.language];
  const active = new Map(found.cost ? [] : sheet.rows("active", found.setting)),
    uses = active.size && isBound,
    before = base && base.count !== null ? new Map(rowsShown(sheet, base)) : null;
  const numbersIn = Object.assign(new NumberPrinter(draggable), { count: "" }),
    shares = [];
  const rows = rowsShown(sheet, found).map(([name, formula]) => {
    const value = isBound ? exact(formula, found.values, found.known)[0] : 0n,
      polynomial = found.expansion.of(formula);
    const isLong = polynomial.size > MOST_EXPANDED,
      waits = isLong && !isLate && !found.expansion.forms.has(polynomial);
    const closed = waits ? ZERO : isLong ? factored(found.expansion, polynomial) : found.expansion.written(polynomial);
    hasLate ||= waits;
    const used = uses && active.has(name) ? exact(active.get(name), found.values, found.known)[0] : uses ? 0n : null,
      from = before?.get(name),
      moved = isBound && before ? value - (from ? exact(from, base.values)[0] : 0n) : 0n,
      said = html(capital([speech.name(name)]));
    shares.push([name, value, said]);
    return `<div class="term" data-kind="${kindOf(name)}"><dt>${said}</dt><dd class="form">${waits ? "" : terms(closed)}</dd>${isBound ? `<dd class="calc">${waits ? "" : numbersIn.print(closed)}</dd><dd class="n"><b>${digits(value)}</b></dd><dd class="share">${moved ? `<span class="moved">${change(moved)}</span> · ` : ""}${percent(value, whole, pattern)}${used === null || used === value ? "" : ` · ${escape(filledIn(W("active_of"), { number: grouped(used) }))}`}</dd>` : ""}</div>`;
  });
  let from = 0;
  const bar = shares.map(([name, value, said]) => {
    const width = whole ? Number((1000000n * value) / whole) / 1000 : 0,
      rect = `<rect data-kind="${kindOf(name)}" x="${from}" width="${width}" height="20"><title>${said}: ${grouped(value)}</title></rect>`;
    from += width;
    return rect;
  });
  const focus = isLate ? focusedNumber() : null;
  put(
    $("#shares"),
    `${isBound ? `<svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">${bar.join("")}</svg>` : ""}<dl class="${lengthOfNumbers()}">${rows.join("")}</dl>`,
  );
  focusAgain(focus);
  if (hasLate) setTimeout(drawLate, 0);
  const sum = uses ? [...active.values()].reduce((so, formula) => so + exact(formula, found.values, found.known)[0], 0n) : 0n;
  $("#active").textContent = uses
    ? filledIn(W("active"), { number: grouped(sum), about: rounded(sum, words.heads[state.language].rounding) })
    : "";
}
// A long formula in running text, which a browser breaks only between formulas: at its signs, never within 2bth.
const terms = (formula) =>
  atoms(formula)
    .flatMap(({ sign, markup, pieces: parts }) =>
      parts.length > 3 || parts.some(({ beside }) => beside?.includes("·"))
        ? parts.map((each, i) => (i ? each : { ...each, sign }))
        : [{ sign, markup }],
    )
    .reduce((groups, { sign, markup, beside = null }) => {
      const isTight = beside !== null && !beside.includes("·");
      if (isTight && groups.length) groups[groups.length - 1] += beside + markup;
      else groups.push((beside ?? (sign ? `<mo form="infix">${sign}</mo>` : "")) + markup);
      return groups;
    }, [])
    .map(math)
    .join("<wbr>");
