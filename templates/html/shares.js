// The terms of the count, a row a component in its colour: its formula, the numbers that are dragged, what they come to and
// their share.
const digits = (value) => grouped(value).replace(/,/g, ",<wbr>"); // where one that is longer than most may part
const lengthOfNumbers = () => (String(found.count ?? 0).length > 16 ? "long" : "");
const rowsShown = (sheet, found) => sheet.rows(found.cost ? `share ${found.cost.name}` : "share", found.setting, found);
// What is of no kind of parts, as gradients are, has a shade by its place.
const SHADES = 6,
  kindOf = (name, i, { kinds } = sheetNow().data) => kinds.rows[name] || `shade-${i % SHADES}`;
// Shares as a bar, which is full where they come to ``most``.
function barOf(shares, most) {
  let from = 0;
  const rects = shares.map(({ kind, worth: [n, d], title }) => {
    const width = most ? Number((1000000n * n) / (d * most)) / 1000 : 0,
      rect = `<rect data-kind="${kind}" x="${from}" width="${width}" height="20"><title>${title}</title></rect>`;
    from += width;
    return rect;
  });
  return `<svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">${rects.join("")}</svg>`;
}
function drawShares() {
  const sheet = sheetNow(),
    isBound = found.count !== null,
    whole = found.count || 0n,
    { percent: pattern } = words.heads[state.language];
  const active = new Map(found.cost ? [] : sheet.rows("active", found.setting)),
    uses = active.size && isBound,
    before = base && base.count !== null ? new Map(rowsShown(sheet, base)) : null;
  const numbersIn = Object.assign(new NumberPrinter(draggable), { count: "" }),
    shares = [];
  const rows = rowsShown(sheet, found).map(([name, formula, closed], i) => {
    const worth = isBound ? exact(formula, found.values, found.known) : [0n, 1n],
      value = ceiling(worth);
    const used = uses && active.has(name) ? exact(active.get(name), found.values, found.known)[0] : uses ? 0n : null,
      from = before?.get(name),
      moved = isBound && before ? apart(worth, from ? exact(from, base.values) : [0n, 1n]) : "0",
      said = html(capital([speech.name(name)]));
    shares.push({ kind: kindOf(name, i), worth, title: `${said}: ${grouped(amount(worth))}` });
    return `<div class="term" data-kind="${kindOf(name, i)}"><dt>${said}</dt><dd class="form">${terms(closed)}</dd>${isBound ? `<dd class="calc">${numbersIn.print(closed)}</dd><dd class="n"><b>${digits(amount(worth))}</b></dd><dd class="share">${moved === "0" ? "" : `<span class="moved">${moved}</span> · `}${percent(value, whole, pattern)}${used === null || used === value ? "" : ` · ${escape(filledIn(W("active_of"), { number: grouped(used) }))}`}</dd>` : ""}</div>`;
  });
  put($("#shares"), `${isBound ? barOf(shares, whole) : ""}<dl class="${lengthOfNumbers()}">${rows.join("")}</dl>`);
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
