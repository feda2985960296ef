// Exact formulas: {op, of: [formulas], …}; their numbers are rational.
const floor = ([n, d]) => (n >= 0n ? n / d : -((-n + d - 1n) / d));
const ceiling = (x) => -floor([-x[0], x[1]]);

// What cannot be: a key of the page's sentences, and what stands for their placeholders.
class Impossible extends Error {
  constructor(key, terms = {}, about = []) {
    super(key);
    Object.assign(this, { key, terms, about });
  }
}

const make = (op, ...of) => ({ op, of });
const number = (value) => ({ op: "#", of: [], value: BigInt(value) });
const result = ([n, d]) => ({ ...number(n), decimal: d === 1n ? undefined : amount([n, d]) });
const letter = (name) => ({ op: "d", of: [], name });
const ZERO = number(0),
  ONE = number(1);
const total = (terms) => (terms.length > 1 ? make("+", ...terms) : terms[0] || ZERO);

// The formulas of the data block, each once: an entry is ["+", place, place].
function unpack(entries) {
  const found = [],
    at = (place) => found[place],
    marked = (op, [label, place]) => ({ op, of: [at(place)], label });
  const kinds = {
    "#": (_, [value]) => number(value),
    d: (_, [name]) => letter(name),
    "^": (op, [place, power]) => ({ op, of: [at(place)], power: BigInt(power) }),
    _: marked,
    N: marked,
  };
  for (const [op, ...rest] of entries) found.push(kinds[op] ? kinds[op](op, rest) : { op, of: rest.map(at) });
  return found;
}

const letters = (formula) => {
  if (formula.letters) return formula.letters;
  const found = new Set(formula.op === "d" ? [formula.name] : []);
  for (const each of formula.of) for (const name of letters(each)) found.add(name);
  return (formula.letters = [...found]);
};

// What a formula comes to; what has been worked out is kept. What only marks, as a side, a brace, a name, changes nothing.
const OPERATIONS = {
  "+": (of) => of.reduce(plus),
  "*": (of) => of.reduce(times),
  "-": ([[n, d]]) => [-n, d],
  "/": ([a, b]) => {
    if (!b[0]) throw new Impossible("zero");
    return ratio(a[0] * b[1], a[1] * b[0]);
  },
  "^": ([a], { power }) => a.map((side) => side ** power),
  "#": (_, { value }) => [value, 1n],
  d: (_, { name }, values) => values.get(name),
  floor: ([a]) => [floor(a), 1n],
  ceil: ([a]) => [ceiling(a), 1n],
  min: (of) => of.reduce((least, each) => (less(each, least) ? each : least)),
};
function exact(formula, values, known = new Map()) {
  let found = known.get(formula);
  if (found !== undefined) return found;
  const of = formula.of.map((each) => exact(each, values, known)),
    operation = OPERATIONS[formula.op];
  found = operation ? operation(of, formula, values) : of[0];
  known.set(formula, found);
  return found;
}
const quotient = ([n, d]) => (d === 1n ? number(n) : make("/", number(n), number(d)));
const isBound = (formula, values) => letters(formula).every((name) => values.has(name));
const isRounded = ({ op }) => op === "floor" || op === "ceil" || op === "min";
const hasRounded = (formula) => isRounded(formula) || formula.of.some(hasRounded);

// Sizes by chance that keep the relations: 61 bits, 20 of what something is divided by, so that rounding leaves most of them.
const below = ({ op, of }) => [...(op === "/" ? letters(of[1]) : []), ...of.flatMap(below)];
function pointOf(formulas, relations) {
  const point = new Map(),
    small = new Set([...formulas, ...relations.values()].flatMap(below));
  const set = (name) => {
    if (point.has(name)) return;
    const relation = relations.get(name);
    if (relation) letters(relation).forEach(set);
    const drawn = crypto.getRandomValues(new BigUint64Array(1))[0] >> (small.has(name) ? 44n : 3n);
    point.set(name, relation ? exact(relation, point) : [drawn + 2n, 1n]);
  };
  formulas.flatMap(letters).forEach(set);
  return point;
}
// Whether formulas come to the same under relations: they do at three points, exactly.
const POINTS = 3;
function agree(left, right, relations) {
  for (let i = 0; i < POINTS; i++) {
    const point = pointOf([left, right], relations),
      [[a, b], [c, d]] = [exact(left, point), exact(right, point)];
    if (a * d !== b * c) return false;
  }
  return true;
}

// Numbers for the letters that have values, each with the ``name`` of its letter, but for ``fixed`` ones; structure and order are kept.
function substitute(formula, values, known, fixed) {
  const inner = (each) => substitute(each, values, known, fixed);
  switch (formula.op) {
    case "#":
      return formula;
    case "d":
      if (!values.has(formula.name)) return formula;
      return { ...quotient(values.get(formula.name)), name: fixed.has(formula.name) ? "" : formula.name };
    case "_":
      return inner(formula.of[0]);
    case "size":
    case "N":
      if (isBound(formula, values)) {
        return formula.op === "N" ? result(exact(formula, values, known)) : quotient(exact(formula, values, known));
      }
      if (formula.op === "N") return formula;
  }
  return {
    op: formula.op,
    of: formula.of.map(inner),
    power: formula.power,
    label: formula.label,
  };
}

// Text from outside: integers, known letters, + - * / ^ and parentheses, of sizes their rounding, and nothing else. Letters are looked up in a Map.
// It is read as the command line reads it, and refused where that refuses it: what is long, deep, or multiplies out to much.
const MOST_CHARACTERS = 4000,
  MOST_DIGITS = 40,
  MOST_ADDENDS = 4000,
  MOST_RESULT_DIGITS = 4000,
  LARGEST_POWER = 16,
  DEEPEST = 50;
const SPACES = "[\\s\\x1c-\\x1f\\x85]", // those of Python: a byte order mark is none
  ENDS = new RegExp(`^(?:(?!\ufeff)${SPACES})+|(?:(?!\ufeff)${SPACES})+$`, "g"),
  stripped = (text) => text.replace(ENDS, "");
const WHOLE = "[0-9]+(?:_[0-9]+)*(?:(?:\\.[0-9]+)?[eE]\\+?[0-9]+(?![\\p{L}\\p{N}_]))?",
  NAME = "[\\p{L}\\p{Nl}_][\\p{L}\\p{N}\\p{M}_]*",
  TOKENS = [WHOLE, `[0-9]{1,3}(?:[,，][0-9]{3})+(?![0-9])|${WHOLE}`].map(
    (whole) => new RegExp(`(${whole})|(${NAME})|(\\*\\*|[-+*/(),])|(?:(?!\ufeff)${SPACES})+|([^])`, "gu"),
  );
// A text as an error quotes it, and as the command line does: of one line, short, without what turns or hides what follows.
const MOST_QUOTED = 30;
function clipped(text) {
  const shown = [...text.slice(0, 4 * MOST_QUOTED)].map((c) =>
    c === " " || !/[\p{C}\p{Z}]/u.test(c) ? c : /[\s\x85]/.test(c) && c > "\x7f" && c !== "\ufeff" ? " " : "\ufffd",
  );
  return shown.length > MOST_QUOTED ? `${shown.slice(0, MOST_QUOTED).join("")}…` : shown.join("");
}
// 1.5e3 is 1500, exactly; what is not an integer fails.
function integer(text, fail) {
  const [, whole, decimals = "", exponent = "0"] = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]\+?([0-9]+))?$/.exec(
    text.replace(/[,，_]/g, ""),
  );
  const power = Number(exponent),
    digits = whole + decimals,
    length = whole.length + power;
  if (Math.max(digits.length, length) > MOST_DIGITS) throw new Impossible("digits");
  if (decimals.replace(/0+$/, "").length > power) fail();
  return BigInt((digits + "0".repeat(power)).slice(0, length));
}
// How large a formula gets when it is multiplied out: its terms, the digits of its largest number, whether it is a fraction.
const extents = {
  number: (digits) => ({ terms: 1, digits, isFraction: false }),
  plus(a, b) {
    const isFraction = a.isFraction || b.isFraction,
      digits = isFraction ? a.digits + b.digits : Math.max(a.digits, b.digits);
    return { terms: a.terms + b.terms, digits: digits + 1, isFraction };
  },
  times: (a, b, isDivided = false) => ({
    terms: a.terms * b.terms,
    digits: a.digits + b.digits,
    isFraction: isDivided || a.isFraction || b.isFraction,
  }),
  power: (a, power) => ({
    terms: a.terms ** Math.min(power, 12),
    digits: a.digits * Math.max(power, 1),
    isFraction: a.isFraction,
  }),
};
// Whether a divisor, which is a single term, has 0 as a factor.
const isZero = ({ op, of, value, power }) =>
  op === "#" ? value === 0n : op === "*" ? of.some(isZero) : op !== "d" && (op !== "^" || power > 0n) && isZero(of[0]);
const isNoDivisor = (by, extent) => extent.terms > 1 || isZero(by) || hasRounded(by);
const ROUNDINGS = ["floor", "ceil", "roundup"]; // of sizes
const superscripts = (text) =>
  text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (found) => `**${found.replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c))}`);
// A run of letters as names: Vh is V·h, the longest first; null for one that is none.
function spelling(run, names, isImplied = true) {
  if (names.has(run)) return [run];
  for (let end = isImplied ? run.length - 1 : 0; end > 0; end--) {
    const rest = names.has(run.slice(0, end)) && spelling(run.slice(end), names);
    if (rest) return [run.slice(0, end), ...rest];
  }
  return null;
}
// ``isImplied``: as people answer in practice, 4h for 4·h and 1,000 for 1000.
function parse(text, names, isImplied = true) {
  const fail = () => {
    throw new Impossible("unread");
  };
  if ([...text].length > MOST_CHARACTERS) fail();
  const plain = superscripts(text).replace(/[·×]/g, "*").replace(/−/g, "-").replace(/\^/g, "**");
  const tokens = [];
  for (const [, whole, name, sign, other] of plain.matchAll(TOKENS[isImplied ? 1 : 0])) {
    if (other) fail();
    else if (whole) tokens.push({ ...number(integer(whole, fail)), text: whole });
    else if (name && !isImplied && ROUNDINGS.includes(name)) tokens.push(name);
    else if (name) tokens.push(...(spelling(name, names, isImplied) ?? fail()).map((each) => letter(names.get(each))));
    else if (sign) tokens.push(sign);
  }
  let next = 0,
    depth = 0;
  const bounded = (extent) => (extent.terms > MOST_ADDENDS || extent.digits > MOST_RESULT_DIGITS ? fail() : extent);
  const deeper = () => ++depth > DEEPEST && fail();
  const atom = () => {
    const token = tokens[next++];
    if (token === "(") {
      deeper();
      const inner = sum();
      if (tokens[next++] !== ")") fail();
      depth--;
      return inner;
    }
    if (token === "floor" || token === "ceil") {
      deeper();
      const [inner, extent] = atom();
      depth--;
      return [make(token, inner), extent];
    }
    if (token === "roundup") return roundedUp();
    if (!token || !token.op) fail();
    return [token, extents.number(token.op === "#" ? String(token.value).length : MOST_DIGITS)];
  };
  // roundup(8h/3, 256), the next multiple: 256 × ⌈8h / 768⌉.
  const roundedUp = () => {
    deeper();
    if (tokens[next++] !== "(") fail();
    const [size, extent] = sum();
    if (tokens[next++] !== ",") fail();
    const [multiple, other] = product();
    if (isNoDivisor(multiple, other) || tokens[next++] !== ")") fail();
    depth--;
    const isOne = size.op === "/" && size.of[1].op === "#" && multiple.op === "#",
      by = isOne ? make("/", size.of[0], number(size.of[1].value * multiple.value)) : make("/", size, multiple);
    return [make("*", multiple, make("ceil", by)), bounded(extents.times(extents.times(extent, other, true), other))];
  };
  const power = () => {
    const [base, extent] = atom();
    if (tokens[next] !== "**") return [base, extent];
    const by = tokens[++next];
    next++;
    if (!by || by.op !== "#" || !/^[0-9]{1,3}$/.test(by.text) || by.value > LARGEST_POWER || tokens[next] === "**") fail();
    return [{ op: "^", of: [base], power: by.value }, bounded(extents.power(extent, Number(by.value)))];
  };
  const unary = () => {
    if (tokens[next] !== "-") return power();
    next++;
    deeper();
    const [inner, extent] = unary();
    depth--;
    return [make("-", inner), extent];
  };
  const product = () => {
    const [first, start] = unary(),
      one = () => (factors.length > 1 ? make("*", ...factors) : factors[0]);
    let factors = [first],
      extent = start,
      divisions = 0;
    for (;;) {
      const sign = tokens[next],
        isApart = sign?.op === "#" && tokens[next - 1].op !== "#"; // h 2, where 1 2 is no number
      if (sign === "/") {
        if (isImplied && tokens[next + 1]?.op && (tokens[next + 2]?.op || tokens[next + 2] === "(")) fail(); // V/2h
        next++;
        const [by, other] = unary();
        if (isNoDivisor(by, other) || ++divisions > DEEPEST) fail();
        factors = [make("/", one(), by)];
        extent = bounded(extents.times(extent, other, true));
      } else if (sign === "*" || (isImplied && (sign === "(" || sign?.op === "d" || isApart))) {
        if (sign === "*") next++;
        const [factor, other] = sign === "*" ? unary() : power(); // 4h(h + 1)
        factors.push(factor);
        extent = bounded(extents.times(extent, other));
      } else return [one(), extent];
    }
  };
  const sum = () => {
    const [first, start] = product(),
      terms = [first];
    let extent = start;
    while (tokens[next] === "+" || tokens[next] === "-") {
      const isNegative = tokens[next++] === "-",
        [term, other] = product();
      terms.push(isNegative ? make("-", term) : term);
      extent = bounded(extents.plus(extent, other));
    }
    return [total(terms), extent];
  };
  const [formula] = tokens.length ? sum() : fail();
  return next < tokens.length ? fail() : formula;
}
