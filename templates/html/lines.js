// Formulas in lines: a table aligned at the signs of equality; lines part at + where the measured widths say so.
const measured = new Map(), MOST_MEASURED = 20000, GAP = 30, SIGN = 26;
function measure(markups) {
  if (measured.size > MOST_MEASURED) measured.clear();
  const ruler = $("#ruler"), unknown = [...new Set(markups)].filter((markup) => !measured.has(markup));
  ruler.innerHTML = unknown.map(math).join("");
  unknown.forEach((markup, i) => measured.set(markup, ruler.children[i].getBoundingClientRect().width));
  ruler.textContent = "";
}
// A formula as atoms that a line may part between: {sign, markup, pieces}, pieces where an atom is wider than a line.
function atoms(formula) {
  const { mathml } = printers;
  const terms = formula.op === "+" ? formula.of : [formula];
  return terms.map((term, i) => {
    const isNegative = term.op === "-", inner = isNegative ? term.of[0] : term;
    const markup = (i || !isNegative ? "" : '<mo form="prefix">−</mo>') + mathml.print(inner, terms.length > 1 ? SUM : ANY);
    return { sign: i ? (isNegative ? "−" : "+") : "", markup, pieces: pieces(inner) };
  });
}
function pieces(formula, isFactor = false) {
  const { mathml } = printers, inner = formula.op === "size" || formula.op === "_" ? formula.of[0] : formula;
  if (inner.op !== "*" && inner.op !== "+") return [{ sign: "", markup: mathml.print(formula, isFactor ? PRODUCT : ANY) }];
  const sign = inner.op === "+" ? "+" : formula.op === "size" ? "·" : "×";
  const list = inner.of.flatMap((each, i) => pieces(each.op === "-" ? each.of[0] : each, inner.op === "*").map((piece, j) => i && !j ? { sign: each.op === "-" ? "−" : sign, markup: piece.markup } : piece));
  if (isFactor) {
    list[0] = { sign: list[0].sign, markup: `<mo stretchy="false">(</mo>${list[0].markup}` };
    const last = list.length - 1;
    list[last] = { sign: list[last].sign, markup: `${list[last].markup}<mo stretchy="false">)</mo>` };
  }
  return list;
}
function chainOf(step, instead, isClosed) {
  return { left: printers.mathml.print(step.named), links: sheetNow().chain(step, found, instead, isClosed).map(({ formula }) => atoms(formula)) };
}
function display({ left, links }, width) {
  const w = (markup) => measured.get(markup), cell = (kind, markup) => `<mtd class="${kind}">${markup}</mtd>`;
  const isShort = links.every((link) => link.length === 1 && !link[0].markup.includes("munder"));
  const sum = (link) => link.reduce((so, atom) => so + w(atom.markup) + SIGN, 0);
  const rows = [];
  if (isShort && links.reduce((so, link) => so + sum(link) + GAP, w(left)) <= width) {
    rows.push(cell("l", left) + cell("e", "<mo>=</mo>") + cell("r", links.map(([atom]) => atom.markup).join("<mo>=</mo>")));
  } else {
    const isStacked = width < 430 && w(left) > 60, room = width - GAP - (isStacked ? 4 : w(left)) - 8;
    if (isStacked) rows.push(`<mtd class="l" columnspan="3">${left}</mtd>`);
    links.forEach((link, i) => {
      let line = "", used = 0, isFirst = true;
      const flush = () => { rows.push((isStacked ? "" : cell("l", i || !isFirst ? "" : left)) + cell("e", isFirst ? "<mo>=</mo>" : "") + cell("r", line)); isFirst = false; line = ""; };
      for (const atom of link) for (const [j, piece] of (w(atom.markup) > room && atom.pieces.length > 1 ? atom.pieces : [{ sign: "", markup: atom.markup }]).entries()) {
        const sign = j ? piece.sign : atom.sign, markup = piece.markup;
        if (line && used + SIGN + w(markup) > room) { flush(); used = 18; line = `<mspace width="1em"></mspace><mo form="infix">${sign}</mo>`; }
        else if (sign && (line || !isFirst)) { line += `<mo form="infix">${sign}</mo>`; used += SIGN; }
        line += markup;
        used += w(markup);
      }
      flush();
    });
  }
  return `<math displaystyle="true"><mtable>${rows.map((row) => `<mtr>${row}</mtr>`).join("")}</mtable></math>`;
}
