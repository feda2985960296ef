// Exact numbers and formulas. A formula is {op, of: [formulas], …}; a number is [numerator, denominator], both BigInt.
const gcd = (a, b) => {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
};
const ratio = (n, d) => {
  if (d === 1n) return [n, 1n];
  if (!d) throw new Impossible("zero");
  const g = gcd(n, d) * (d < 0n ? -1n : 1n);
  return [n / g, d / g];
};
const plus = (a, b) => (a[1] === 1n && b[1] === 1n ? [a[0] + b[0], 1n] : ratio(a[0] * b[1] + b[0] * a[1], a[1] * b[1]));
const times = (a, b) => (a[1] === 1n && b[1] === 1n ? [a[0] * b[0], 1n] : ratio(a[0] * b[0], a[1] * b[1]));
const floor = ([n, d]) => (n >= 0n ? n / d : -((-n + d - 1n) / d));
const ceiling = (x) => -floor([-x[0], x[1]]);
const less = (a, b) => a[0] * b[1] < b[0] * a[1];

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
  const found = [];
  for (const [op, ...rest] of entries) {
    const at = (place) => found[place];
    switch (op) {
      case "#":
        found.push(number(rest[0]));
        break;
      case "d":
        found.push(letter(rest[0]));
        break;
      case "^":
        found.push({ op, of: [at(rest[0])], power: BigInt(rest[1]) });
        break;
      case "_":
      case "N":
        found.push({ op, of: [at(rest[1])], label: rest[0] });
        break;
      default:
        found.push({ op, of: rest.map(at) });
    }
  }
  return found;
}

const letters = (formula) => {
  if (formula.letters) return formula.letters;
  const found = new Set(formula.op === "d" ? [formula.name] : []);
  for (const each of formula.of) for (const name of letters(each)) found.add(name);
  return (formula.letters = [...found]);
};

// A formula in an algebra, from its letters up; what has been worked out is kept.
function fold(formula, algebra, known) {
  let found = known.get(formula);
  if (found !== undefined) return found;
  const of = formula.of.map((each) => fold(each, algebra, known));
  switch (formula.op) {
    case "#":
      found = algebra.number([formula.value, 1n]);
      break;
    case "d":
      found = algebra.letter(formula.name);
      break;
    case "+":
      found = of.reduce(algebra.plus);
      break;
    case "*":
      found = of.reduce(algebra.times);
      break;
    case "-":
      found = algebra.times(algebra.number([-1n, 1n]), of[0]);
      break;
    case "/":
      found = algebra.over(of[0], of[1]);
      break;
    case "^":
      found = algebra.number([1n, 1n]);
      for (let i = 0n; i < formula.power; i++) found = algebra.times(found, of[0]);
      break;
    case "floor":
    case "ceil":
    case "min":
      found = algebra.rounded(formula.op, of);
      break;
    default:
      [found] = of; // what only marks: a side, a brace, a name
  }
  known.set(formula, found);
  return found;
}

const numbers = (values) => ({
  number: (value) => value,
  letter: (name) => values.get(name),
  plus,
  times,
  over: (a, b) => ratio(a[0] * b[1], a[1] * b[0]),
  rounded: (op, of) =>
    op === "min" ? of.reduce((a, b) => (less(b, a) ? b : a)) : [op === "floor" ? floor(of[0]) : ceiling(of[0]), 1n],
});
const quotient = ([n, d]) => (d === 1n ? number(n) : make("/", number(n), number(d)));
const isBound = (formula, values) => letters(formula).every((name) => values.has(name));
const exact = (formula, values, known = new Map()) => fold(formula, numbers(values), known);

// Polynomials: a Map from a monomial, "L 1 h 2", to {powers: Map(letter → power), by: its coefficient}. A power may be
// negative; what is rounded is a letter of its own, written out, of which ``rounded`` keeps the formula.
function polynomials(meanings, rounded) {
  const keyed = (powers) =>
    [...powers]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, power]) => `${name} ${power}`)
      .join(" ");
  const of = (powers, by) => new Map(by[0] ? [[keyed(powers), { powers, by }]] : []);
  const add = (sum, key, powers, more) => {
    const by = sum.has(key) ? plus(sum.get(key).by, more) : more;
    if (by[0]) sum.set(key, { powers, by });
    else sum.delete(key);
  };
  const gathered = (terms) => {
    const sum = new Map();
    for (const [powers, by] of terms) add(sum, keyed(powers), powers, by);
    return sum;
  };
  const product = (a, b) => {
    const powers = new Map(a);
    for (const [name, power] of b) {
      const sum = (powers.get(name) || 0) + power;
      if (sum) powers.set(name, sum);
      else powers.delete(name);
    }
    return powers;
  };
  const algebra = {
    number: (value) => of(new Map(), value),
    letter: (name) => meanings.get(name) || of(new Map([[name, 1]]), [1n, 1n]),
    plus: (a, b) => {
      const sum = new Map(a);
      for (const [key, { powers, by }] of b) add(sum, key, powers, by);
      return sum;
    },
    times: (a, b) => {
      const terms = [];
      for (const left of a.values())
        for (const right of b.values()) terms.push([product(left.powers, right.powers), times(left.by, right.by)]);
      return gathered(terms);
    },
    over: (a, b) => {
      if (b.size !== 1) throw new Impossible("zero");
      const [{ powers, by }] = b.values();
      return algebra.times(a, of(new Map([...powers].map(([name, power]) => [name, -power])), ratio(by[1], by[0])));
    },
    rounded: (op, operands) => {
      const plain = operands.map((each) =>
        each.size === 0 ? [0n, 1n] : each.size === 1 && each.has("") ? each.get("").by : null,
      );
      if (plain.every(Boolean)) return algebra.number(numbers(new Map()).rounded(op, plain));
      if (
        op !== "min" &&
        [...operands[0].values()].every(
          ({ powers, by }) => by[1] === 1n && [...powers].every(([name, power]) => power > 0 && !rounded.has(name)),
        )
      )
        return operands[0];
      const formula = make(op, ...operands.map((each) => asWritten(each, rounded))),
        name = `~${plainly(formula)}`;
      rounded.set(name, formula);
      return of(new Map([[name, 1]]), [1n, 1n]);
    },
    of,
    product,
    gathered,
  };
  return algebra;
}

// Multiplying out under relations: d_ff = 4·h is put in, d_head = h / n_heads turns n_heads·d_head into h.
class Expansion {
  constructor(relations) {
    this.relations = relations;
    this.rounded = new Map();
    this.meanings = new Map();
    this.algebra = polynomials(this.meanings, this.rounded);
    this.known = new WeakMap();
    this.rules = [];
    const isPolynomial = (formula) =>
      !(formula.op === "/" && letters(formula.of[1]).length) && !isRounded(formula) && formula.of.every(isPolynomial);
    for (const [name, value] of relations)
      if (isPolynomial(value)) this.meanings.set(name, fold(value, this.algebra, new Map()));
    for (const [name, value] of relations) {
      if (this.meanings.has(name) || value.op !== "/" || hasRounded(value)) continue;
      const [above, below] = value.of.map((side) => fold(side, this.algebra, new Map()));
      if (below.size !== 1) continue;
      const [{ powers, by }] = below.values();
      this.rules.push([
        this.algebra.product(new Map([[name, 1]]), powers),
        this.algebra.times(above, this.algebra.number(ratio(by[1], by[0]))),
      ]);
    }
    this.found = new WeakMap();
    this.forms = new WeakMap(); // with common factors drawn out
    this.texts = new WeakMap(); // multiplied out, as people write it
  }
  of(formula) {
    let found = this.found.get(formula);
    if (!found) {
      found = fold(formula, this.algebra, this.known);
      for (const [pattern, dividend] of this.rules) found = this.applied(found, pattern, dividend);
      this.found.set(formula, found);
    }
    return found;
  }
  applied(polynomial, pattern, dividend) {
    let sum = new Map();
    for (const { powers, by } of polynomial.values()) {
      const often = Math.max(0, Math.min(...[...pattern].map(([name, power]) => Math.floor((powers.get(name) || 0) / power))));
      const rest = new Map([...pattern].map(([name, power]) => [name, -power * often]));
      let term = this.algebra.of(often ? this.algebra.product(powers, rest) : powers, by);
      for (let i = 0; i < often; i++) term = this.algebra.times(term, dividend);
      sum = this.algebra.plus(sum, term);
    }
    return sum;
  }
  minus(a, b) {
    return this.algebra.plus(a, this.algebra.times(this.algebra.number([-1n, 1n]), b));
  }
  written(polynomial) {
    if (!this.texts.has(polynomial)) this.texts.set(polynomial, asWritten(polynomial, this.rounded));
    return this.texts.get(polynomial);
  }
}
const isRounded = ({ op }) => op === "floor" || op === "ceil" || op === "min";
const hasRounded = (formula) => isRounded(formula) || formula.of.some(hasRounded);

// Terms in the order in which people write them: by degree, by the power of h, then by the order of the letters.
const order = { ranks: new Map(), slices: new Set() };
const rank = (name) => (order.ranks.has(name) ? order.ranks.get(name) : order.ranks.size + (name.startsWith("~") ? 2 : 1));
const byRank = ([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
// Where a product of powers stands, which is asked at each comparison and worked out once.
const places = new WeakMap();
function placeOf(powers) {
  let place = places.get(powers);
  if (!place) {
    const factors = [...powers].sort(byRank);
    place = {
      factors,
      degree: factors.reduce((sum, [name, power]) => sum + (order.slices.has(name) ? 0 : power), 0),
      h: powers.get("h") || 0,
    };
    places.set(powers, place);
  }
  return place;
}
function byPlace({ powers: a }, { powers: b }) {
  const above = placeOf(a),
    below = placeOf(b),
    left = above.factors,
    right = below.factors;
  const first = below.degree - above.degree || below.h - above.h;
  if (first) return first;
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const differ = byRank(left[i], right[i]) || right[i][1] - left[i][1];
    if (differ) return differ;
  }
  return left.length - right.length;
}
function writtenTerm([n, d], powers, rounded) {
  const { factors } = placeOf(powers);
  const power = ([name, often]) => {
    const base = rounded.get(name) || letter(name);
    return often === 1 ? base : { op: "^", of: [base], power: BigInt(often) };
  };
  const tight = (parts) => (parts.length > 1 ? make("size", make("*", ...parts)) : parts[0]);
  const above = factors.filter(([, often]) => often > 0).map(power),
    below = factors.filter(([, often]) => often < 0).map(([name, often]) => power([name, -often]));
  const size = n < 0n ? -n : n;
  if (size !== 1n || !above.length) above.unshift(number(size));
  if (d !== 1n) below.unshift(number(d));
  const term = below.length ? make("size", make("/", tight(above), tight(below))) : tight(above);
  return n < 0n ? make("-", term) : term;
}
const sorted = (polynomial) => [...polynomial.values()].sort(byPlace);
const asWritten = (polynomial, rounded) => total(sorted(polynomial).map(({ by, powers }) => writtenTerm(by, powers, rounded)));

// Numbers for the letters that have values; structure and order are kept.
function substitute(formula, values, known) {
  switch (formula.op) {
    case "#":
      return formula;
    case "d":
      return values.has(formula.name) ? quotient(values.get(formula.name)) : formula;
    case "_":
      return substitute(formula.of[0], values, known);
    case "size":
    case "N":
      if (isBound(formula, values)) {
        return formula.op === "N" ? result(exact(formula, values, known)) : quotient(exact(formula, values, known));
      }
      if (formula.op === "N") return formula;
  }
  return {
    op: formula.op,
    of: formula.of.map((each) => substitute(each, values, known)),
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
const hasRounding = ({ op, of }) => ROUNDINGS.includes(op) || of.some(hasRounding);
const isNoDivisor = (by, extent) => extent.terms > 1 || isZero(by) || hasRounding(by);
const ROUNDINGS = ["floor", "ceil", "roundup"]; // of sizes
// ``isImplied``: as people answer in practice, 4h for 4·h and 1,000 for 1000.
function parse(text, names, isImplied = true) {
  const fail = () => {
    throw new Impossible("unread");
  };
  if ([...text].length > MOST_CHARACTERS) fail();
  let plain = text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (found) => `**${found.replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c))}`);
  plain = plain.replace(/[·×]/g, "*").replace(/−/g, "-").replace(/\^/g, "**");
  if (isImplied) plain = plain.replace(/∙/g, "*").replace(/–/g, "-").replace(/（/g, "(").replace(/）/g, ")");
  // Vh is V·h, the longest letters first.
  const spelled = (run) => {
    if (names.has(run)) return [run];
    for (let end = isImplied ? run.length - 1 : 0; end > 0; end--) {
      const rest = names.has(run.slice(0, end)) && spelled(run.slice(end));
      if (rest) return [run.slice(0, end), ...rest];
    }
    return null;
  };
  const tokens = [];
  for (const [, whole, name, sign, other] of plain.matchAll(TOKENS[isImplied ? 1 : 0])) {
    if (other) fail();
    else if (whole) tokens.push({ ...number(integer(whole, fail)), text: whole });
    else if (name && !isImplied && ROUNDINGS.includes(name)) tokens.push(name);
    else if (name) tokens.push(...(spelled(name) ?? fail()).map((each) => letter(names.get(each))));
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
      const sign = tokens[next];
      if (sign === "/") {
        next++;
        const [by, other] = unary();
        if (isNoDivisor(by, other) || ++divisions > DEEPEST) fail();
        factors = [make("/", one(), by)];
        extent = bounded(extents.times(extent, other, true));
      } else if (sign === "*" || (isImplied && (sign === "(" || (sign && sign.op === "d")))) {
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
