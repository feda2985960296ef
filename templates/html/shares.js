// Where the parameters are: a row a component, with its formula, number and share. A long formula that is still to be factored comes
// after the numbers, in a task of its own.
const digits = (value) => grouped(value).replace(/,/g, ",<wbr>");
// Numbers longer than most part at their commas.
const lengthOfNumbers = () => (String(found.count ?? 0).length > 16 ? "long" : "");
let hasLate = false;
function drawLate() {
  if (!hasLate) return;
  const start = performance.now();
  drawShares(true);
  performance.measure("symparams late", { start, end: performance.now() });
}
function drawShares(isLate = false) {
  hasLate = false;
  const sheet = sheetNow(),
    { data } = sheet,
    said = (key) =>
      escape(
        key === "columns.parameters" && found.cost ? unitOf(found.cost).name : data.sentences[key][state.language].join(""),
      ),
    isBound = found.count !== null;
  const active = new Map(found.cost ? [] : sheet.rows("active", found.setting)),
    whole = found.count || 0n;
  const rows = sheet.rows(found.cost ? `share ${found.cost.name}` : "share", found.setting).map(([name, formula]) => {
    const value = isBound ? exact(formula, found.values, found.known)[0] : 0n,
      polynomial = found.expansion.of(formula);
    const isLong = polynomial.size > MOST_EXPANDED,
      waits = isLong && !isLate && !found.expansion.forms.has(polynomial);
    const closed = waits ? ZERO : isLong ? factored(found.expansion, polynomial) : found.expansion.written(polynomial);
    hasLate ||= waits;
    const used =
      active.size && isBound
        ? `<td class="n">${active.has(name) ? digits(exact(active.get(name), found.values, found.known)[0]) : "0"}</td>`
        : "";
    const bar = `<svg class="bar" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${whole ? (1000n * value) / whole : 0}" height="6"></rect></svg>`;
    return `<tr><th scope="row">${html(capital([speech.name(name)]))}</th><td class="form">${waits ? "" : terms(closed)}</td>${isBound ? `<td class="n">${digits(value)}</td><td class="n">${percent(value, whole, words.heads[state.language].percent)}${bar}</td>` : ""}${used}</tr>`;
  });
  $("#shares").className = `wide ${lengthOfNumbers()}`;
  const numbersOf = (markup) => (isBound ? markup : ""),
    uses = active.size && isBound;
  const sum = uses ? [...active.values()].reduce((so, formula) => so + exact(formula, found.values, found.known)[0], 0n) : 0n;
  put(
    $("#shares"),
    `<table><caption class="vh">${said(`costs.${found.cost ? "own" : "parameters"}.shares`)}</caption><thead><tr><th scope="col">${said("columns.component")}</th><th scope="col" class="form">${said("columns.formula")}</th>${numbersOf(`<th scope="col" class="n">${capital([said("columns.parameters")]).join("")}</th><th scope="col" class="n">${said("columns.share")}</th>`)}${uses ? `<th scope="col" class="n">${said("columns.active")}</th>` : ""}</tr></thead><tbody>${rows.join("")}</tbody>` +
      (isBound
        ? `<tfoot><tr><th scope="row">${said("headings.sum")}</th><td class="form"></td><td class="n">${digits(whole)}</td><td class="n">${percent(whole, whole, words.heads[state.language].percent)}</td>${uses ? `<td class="n">${digits(sum)}</td>` : ""}</tr></tfoot>`
        : "") +
      "</table>",
  );
  if (hasLate) setTimeout(drawLate, 0);
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
