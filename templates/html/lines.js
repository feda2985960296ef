// Formulas in lines: a table aligned at the signs of equality; lines part at + where the measured widths say so.
const measured = new Map(),
  MOST_MEASURED = 20000,
  SPARE = 4, // pixels, of which an engine rounds some
  INDENT = '<mspace width="1em"></mspace>';
let kept = new WeakMap(); // the atoms of a formula, which are the same as long as language and letters are
// The digits of a font for mathematics are all of one width: of numbers of one length one is measured.
const gauge = (markup) => markup.replace(/<mn[^>]*>([^<]+)/g, (_, digits) => `<mn>${digits.replace(/\d/g, "0")}`);
const piece = (markup, sign = "", beside = null) => ({ sign, markup, beside, gauge: gauge(markup) }); // beside: what stands for · within a line
const widthOf = (part) => measured.get(part.gauge);
const cell = (kind, markup) => `<mtd class="${kind}">${markup}</mtd>`;
const infix = (sign) => (sign ? `<mo form="infix">${sign}</mo>` : "");
// What stands between two pieces is as wide as two letters are wider with it: engines and fonts have spaces of their own.
const LETTER = piece("<mi>x</mi>"),
  EQUALS = piece(
    `<mtable><mtr>${cell("l", LETTER.markup)}${cell("e", "<mo>=</mo>")}${cell("r", LETTER.markup)}</mtr></mtable>`,
  ),
  betweens = new Map();
const withLetters = (markup) => {
  if (!betweens.has(markup)) betweens.set(markup, piece(LETTER.markup + markup + LETTER.markup));
  return betweens.get(markup);
};
const widthBetween = (markup) => (markup ? widthOf(withLetters(markup)) - 2 * widthOf(LETTER) : 0);
const widthOfEquals = () => widthOf(EQUALS) - 2 * widthOf(LETTER);
const lead = (sign) => (sign ? INDENT + infix(sign) : "");
const STANDING = [
  LETTER,
  EQUALS,
  ...["+", "−", "×", "·"].flatMap((sign) => [withLetters(infix(sign)), withLetters(lead(sign))]),
  ...[...MATHML.spaces.values()].map(withLetters),
];
function measure(parts) {
  const ruler = $("#ruler"),
    unknown = [...new Set([...STANDING, ...parts].map((part) => part.gauge))].filter((each) => !measured.has(each));
  if (!unknown.length) return;
  ruler.innerHTML = unknown.map(math).join("");
  unknown.forEach((each, i) => measured.set(each, ruler.children[i].getBoundingClientRect().width));
  ruler.textContent = "";
}
// A formula as atoms that a line may part between, each with the pieces that it parts into where it is wider than a line.
function atoms(formula) {
  if (!kept.has(formula)) kept.set(formula, atomsOf(formula));
  return kept.get(formula);
}
function atomsOf(formula) {
  const { mathml } = printers,
    terms = formula.op === "+" ? formula.of : [formula];
  return terms.map((term, i) => {
    const isNegative = term.op === "-",
      inner = isNegative ? term.of[0] : term;
    const markup = (i || !isNegative ? "" : '<mo form="prefix">−</mo>') + mathml.print(inner, terms.length > 1 ? SUM : ANY);
    let parts;
    return {
      ...piece(markup, i ? (isNegative ? "−" : "+") : ""),
      get pieces() {
        return (parts ??= pieces(inner).map(({ markup: each, sign, beside }) => piece(each, sign, beside)));
      },
    };
  });
}
function pieces(formula, isFactor = false) {
  const { mathml } = printers,
    inner = formula.op === "size" || formula.op === "_" ? formula.of[0] : formula;
  if (inner.op !== "*" && inner.op !== "+") return [{ sign: "", markup: mathml.print(formula, isFactor ? PRODUCT : ANY) }];
  const sign = inner.op === "+" ? "+" : formula.op === "size" ? "·" : "×";
  const tex = sign === "·" && mathml.tex ? inner.of.map((each) => mathml.tex.print(each, PRODUCT)) : null;
  const list = inner.of.flatMap((each, i) =>
    pieces(each.op === "-" ? each.of[0] : each, inner.op === "*").map((piece, j) =>
      i && !j
        ? {
            sign: each.op === "-" ? "−" : sign,
            markup: piece.markup,
            beside: tex && mathml.marks.spaces.get(between(tex[i - 1], tex[i])),
          }
        : piece,
    ),
  );
  if (isFactor) {
    list[0] = { ...list[0], markup: `<mo stretchy="false">(</mo>${list[0].markup}` };
    const last = list.length - 1;
    list[last] = { ...list[last], markup: `${list[last].markup}<mo stretchy="false">)</mo>` };
  }
  return list;
}
function chainOf(step, instead, isClosed) {
  return {
    left: piece(printers.mathml.print(step.named)),
    links: sheetNow()
      .chain(step, found, instead, isClosed)
      .map(({ formula }) => atoms(formula)),
  };
}
const isStacked = ({ left }, width) => width < 430 && widthOf(left) > 60;
const roomOf = (chain, width) => width - widthOfEquals() - (isStacked(chain, width) ? 0 : widthOf(chain.left)) - SPARE;
// Whether an atom is wider than a line of its own.
const isLong = (atom, room) => widthBetween(lead(atom.sign)) + widthOf(atom) > room;
function display(chain, width) {
  const { left, links } = chain,
    rows = [];
  const isShort = links.every((link) => link.length === 1 && !link[0].markup.includes("munder"));
  let isWide = false;
  if (isShort && links.reduce((so, [atom]) => so + widthOf(atom) + widthOfEquals(), widthOf(left)) + SPARE <= width) {
    rows.push(
      cell("l", left.markup) + cell("e", "<mo>=</mo>") + cell("r", links.map(([atom]) => atom.markup).join("<mo>=</mo>")),
    );
  } else {
    const isUnder = isStacked(chain, width),
      room = roomOf(chain, width);
    if (isUnder) rows.push(`<mtd class="l" columnspan="3">${left.markup}</mtd>`);
    links.forEach((link, i) =>
      filled(link, room).forEach(({ line, used }, j) => {
        isWide ||= used > room;
        rows.push((isUnder ? "" : cell("l", i || j ? "" : left.markup)) + cell("e", j ? "" : "<mo>=</mo>") + cell("r", line));
      }),
    );
  }
  return {
    markup: `<math displaystyle="true"><mtable>${rows.map((row) => `<mtr>${row}</mtr>`).join("")}</mtable></math>`,
    isWide,
  };
}
// The lines of a link: atoms as long as there is room, and what is wider than a line in its pieces.
function filled(link, room) {
  const lines = [];
  let line = "",
    used = 0;
  const flush = () => {
    lines.push({ line, used });
    line = "";
  };
  for (const atom of link)
    for (const [j, part] of (isLong(atom, room) && atom.pieces.length > 1 ? atom.pieces : [atom]).entries()) {
      const sign = j ? part.sign : atom.sign,
        beside = (j ? part.beside : null) ?? infix(sign);
      let next = used + widthBetween(beside) + widthOf(part);
      if (line && next > room) {
        flush();
        line = lead(sign);
        next = widthBetween(line) + widthOf(part);
      } else line += beside;
      line += part.markup;
      used = next;
    }
  flush();
  return lines;
}
