// Printers: one walk over a formula, three ways to write its signs. MathML is what the file's first rendering has, byte for byte.
const ANY = 0,
  SUM = 1,
  PRODUCT = 2,
  POWER = 3,
  ATOM = 4;
const PRECEDENCE = { "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER };
const escape = (text) =>
  String(text).replace(/[&<>"]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : c === ">" ? "&gt;" : "&quot;"));
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
const quotientText = ([n, d]) => (d === 1n ? String(n) : `${n}/${d}`); // as a terminal prints it
// A number in digits, 28.5 too: halves, quarters and eighths of a byte.
const amount = ([n, d]) =>
  d === 1n
    ? String(n)
    : `${n / d}.${String(1000n + ((n % d) * 1000n) / d)
        .slice(1)
        .replace(/0+$/, "")}`;

class Printer {
  constructor(marks, letterOf, nameOf, labelOf) {
    Object.assign(this, { marks, letterOf, nameOf, labelOf, known: new WeakMap(), count: "N", unit: "" });
  } // what results are called, and count
  print(formula, within = ANY) {
    const kept = this.known.get(formula);
    if (kept && kept[within] !== undefined) return kept[within];
    const { op, of } = formula,
      { marks } = this;
    let text;
    if (op === "size") text = of[0].op === "*" ? this.tight(of[0].of, within) : this.print(of[0], within);
    else if (op === "_") text = marks.brace(this.print(of[0], marks.opens ? ANY : within), this.labelOf(formula.label));
    else {
      text = this.node(formula);
      if ((PRECEDENCE[op] ?? ATOM) <= within) text = marks.parenthesis(text);
    }
    if (kept) kept[within] = text;
    else {
      const slot = [];
      slot[within] = text;
      this.known.set(formula, slot);
    }
    return text;
  }
  tight(factors, within) {
    const parts = factors.map((each) => this.print(each, PRODUCT));
    const text = marksBetween(this, factors, parts);
    return within >= POWER ? this.marks.parenthesis(text) : text;
  }
  node({ op, of, value, name, label, power, decimal }) {
    const { marks } = this;
    switch (op) {
      case "#":
        return marks.number(decimal ?? (value < 0n ? -value : value), value < 0n, name);
      case "d":
        return marks.letter(this.letterOf(name));
      case "+":
        return of.map((term, i) => this.signed(term, i === 0)).join("");
      case "-":
        return this.signed({ op, of }, true);
      case "*":
        return of.map((each) => this.print(each, PRODUCT)).join(marks.sign("×"));
      case "/":
        return this.print(of[0], SUM) + marks.sign("/") + this.print(of[1], of[1].op === "size" ? POWER : PRODUCT);
      case "^":
        return marks.power(this.print(of[0], POWER), power);
      case "floor":
        return marks.rounded("⌊", this.print(of[0]), "⌋");
      case "ceil":
        return marks.rounded("⌈", this.print(of[0]), "⌉");
      case "min":
        return marks.minimum(of.map((each) => this.print(each)));
      case "=":
        return this.print(of[0]) + marks.sign("=") + this.print(of[1]);
      case "N":
        return label < 0 ? marks.name("", "N") : marks.name(this.nameOf(label), this.count);
      case "unit":
        return marks.unit(this.print(of[0]), this.unit);
      case "strong":
        return marks.strong(this.print(of[0]));
    }
    throw new TypeError(op);
  }
  signed(term, isFirst) {
    if (term.op === "-") return this.marks.sign("-", isFirst) + this.print(term.of[0], SUM);
    return (isFirst ? "" : this.marks.sign("+")) + this.print(term, SUM);
  }
}
const marksBetween = (printer, factors, parts) => {
  if (!printer.marks.spaces) return parts.join("·");
  const shapes = printer.tex ? factors.map((each) => printer.tex.print(each, PRODUCT)) : parts;
  return parts.map((part, i) => (i ? printer.marks.spaces.get(between(shapes[i - 1], shapes[i])) + part : part)).join("");
};
// What stands between two factors side by side: nothing, a thin space, or a dot where words would run together.
function between(left, right) {
  if (left.includes("\\mathrm") || right.includes("\\mathrm")) return "·";
  const isPower = /^[A-Za-z]\^\{\d+\}$/.test(right) && !left.includes("_");
  return /^\d/.test(left) || (left.length === 1 && right.length === 1) || isPower ? "" : ",";
}

const INVISIBLE = "<mo>\u2062</mo>";
const MATHML = {
  opens: true,
  spaces: new Map([
    ["", INVISIBLE],
    [",", `${INVISIBLE}<mspace width="0.16em"></mspace>`],
    ["·", "<mo>·</mo>"],
  ]),
  number: (value, isNegative, name = "") =>
    `${isNegative ? "<mo>−</mo>" : ""}<mn${name && ` data-number="${escape(name)}"`}>${grouped(value)}</mn>`,
  letter: ([base, index]) =>
    index ? `<msub><mi>${escape(base)}</mi><mtext>${escape(index)}</mtext></msub>` : `<mi>${escape(base)}</mi>`,
  sign: (sign, isFirst) => `<mo${isFirst ? ' form="prefix"' : ""}>${sign === "-" ? "−" : sign}</mo>`,
  parenthesis: (text) => `<mrow><mo stretchy="false">(</mo>${text}<mo stretchy="false">)</mo></mrow>`,
  power: (base, power) => `<msup>${base}<mn>${power}</mn></msup>`,
  rounded: (open, text, close) => `<mrow><mo stretchy="false">${open}</mo>${text}<mo stretchy="false">${close}</mo></mrow>`,
  minimum: (parts) => `<mi>min</mi>${MATHML.parenthesis(parts.join('<mo separator="true">,</mo>'))}`,
  brace: (text, label) => `<munder><mrow class="ub">${text}</mrow><mtext>${escape(label)}</mtext></munder>`,
  name: (label, count) => (label ? `<msub><mi>${count}</mi><mtext>${escape(label)}</mtext></msub>` : `<mi>${count}</mi>`),
  unit: (text, unit) => `<mrow>${text}<mtext>\u00a0${escape(unit)}</mtext></mrow>`,
  strong: (text) => `<mrow class="res">${text}</mrow>`,
};
// The signs of TeX that no backslash alone makes plain.
const SPECIAL = {
  "\\": "\\textbackslash{}",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  "×": "$\\times$",
};
const texText = (text) => String(text).replace(/[\\{}$&#%_^~<>|×]/g, (c) => SPECIAL[c] ?? `\\${c}`);
const LATEX = {
  opens: true,
  spaces: new Map([
    ["", ""],
    [",", "\\,"],
    ["·", " \\cdot "],
  ]),
  number: (value, isNegative) => `${isNegative ? "-" : ""}${grouped(value).replace(/,/g, "{,}")}`,
  letter: ([, , latex]) => latex,
  sign: (sign, isFirst) => (sign === "×" ? " \\times " : isFirst ? sign : ` ${sign} `),
  parenthesis: (text) => `(${text})`,
  power: (base, power) => `${base}^{${power}}`,
  rounded: (open, text) => (open === "⌊" ? `\\lfloor ${text} \\rfloor` : `\\lceil ${text} \\rceil`),
  minimum: (parts) => `\\min(${parts.join(", ")})`,
  brace: (text, label) => `{\\underbrace{${text}}_ {\\text{${texText(label)}}}}`,
  name: (label, count) => (label ? `${count}_{\\text{${texText(label)}}}` : count),
  unit: (text, unit) => `${text}\\text{ ${texText(unit)}}`,
  strong: (text) => `\\mathbf{${text}}`,
};
// The grammar of the command line, in which what is typed is read and errors speak.
const PLAIN = {
  opens: false,
  spaces: null,
  number: (value, isNegative) => `${isNegative ? "-" : ""}${value}`,
  letter: (name) => name,
  sign: (sign, isFirst) => (sign === "×" ? "*" : sign === "/" ? "/" : isFirst ? sign : ` ${sign} `),
  parenthesis: (text) => `(${text})`,
  power: (base, power) => `${base}**${power}`,
  rounded: (open, text) => `${open === "⌊" ? "floor" : "ceil"}(${text})`,
  minimum: (parts) => `min(${parts.join(", ")})`,
  brace: (text) => text,
  name: (label) => label,
  unit: (text) => text,
  strong: (text) => text,
};
class PlainPrinter extends Printer {
  constructor() {
    super(PLAIN, (name) => name, String, String);
  }
  node(formula) {
    return formula.op === "N"
      ? `(${this.print(formula.of[0])})`
      : formula.op === "/"
        ? `${this.print(formula.of[0], PRODUCT)}/${this.print(formula.of[1], PRODUCT)}`
        : super.node(formula);
  }
  tight(factors, within) {
    const text = factors.map((each) => this.print(each, PRODUCT)).join("*");
    return within >= PRODUCT ? `(${text})` : text;
  }
}
const PLAINLY = new PlainPrinter(),
  plainly = (formula) => PLAINLY.print(formula);
