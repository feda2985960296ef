// Factoring: a closed form with common factors drawn out, where that makes it shorter: r_q·(h + n_heads·(d_nope + d_rope) + 1).
// Every letter is tried at every depth, so a term is a list of powers here, one for each letter; of an attempt only its length is
// found, and what turns out the shortest is written.
const MOST_TERMS = 24,
  MOST_EXPANDED = 7,
  LEAST_NAMED = 4;
function factored(expansion, polynomial) {
  if (polynomial.size > MOST_TERMS || [...polynomial.values()].some(({ by }) => by[1] !== 1n))
    return expansion.written(polynomial);
  if (!expansion.forms.has(polynomial)) expansion.forms.set(polynomial, new Factoring(polynomial, expansion.rounded).form);
  return expansion.forms.get(polynomial);
}
class Factoring {
  constructor(polynomial, rounded) {
    const terms = [...polynomial.values()];
    this.rounded = rounded;
    this.names = [...new Set(terms.flatMap(({ powers }) => [...powers.keys()]))].sort();
    this.ranked = this.names
      .map((name, i) => [name, i])
      .sort(byRank)
      .map(([, i]) => i);
    this.counts = this.names.map((name) => (order.slices.has(name) ? 0 : 1));
    this.h = this.names.indexOf("h");
    this.kept = new Map(); // the same brackets are met on many ways
    this.terms = this.sorted(
      terms.map(({ powers, by: [n] }) =>
        this.term(
          n,
          this.names.map((name) => powers.get(name) || 0),
        ),
      ),
    );
  }
  get form() {
    return total(
      this.shortest(this.terms)
        .write()
        .map(({ formula }) => formula),
    );
  }
  term(by, powers) {
    let degree = 0;
    powers.forEach((power, i) => {
      degree += power * this.counts[i];
    });
    return { by, powers, degree, h: powers[this.h] || 0, key: `${by}:${powers}` };
  }
  sorted(terms) {
    return terms.sort((a, b) => this.place(a, b));
  }
  // As byPlace has it.
  place(a, b) {
    if (a.degree !== b.degree) return b.degree - a.degree;
    if (a.h !== b.h) return b.h - a.h;
    const at = this.ranked.findIndex((i) => a.powers[i] !== b.powers[i]),
      left = a.powers[this.ranked[at]],
      right = b.powers[this.ranked[at]];
    if (at < 0) return 0;
    if (left && right) return right - left;
    const ends = ({ powers }) => this.ranked.every((i, next) => next <= at || !powers[i]);
    return left ? (ends(b) ? 1 : -1) : ends(a) ? -1 : 1;
  }
  // The shortest form of terms in their order: its length, and how it is written.
  shortest(terms) {
    const key = terms.map((term) => term.key).join(";");
    let best = this.kept.get(key);
    if (best) return best;
    best = {
      length: terms.reduce((sum, { powers }) => sum + long(powers), 0),
      write: () => terms.map((term) => ({ term, formula: this.written(term.by, term.powers) })),
    };
    const met = new Map();
    for (const { powers } of terms)
      powers.forEach((power, i) => {
        if (power > 0) met.set(i, (met.get(i) || 0) + 1);
      });
    for (const [i, often] of met)
      if (often > 1) {
        const form = this.drawn(terms, i);
        if (form.length < best.length) best = form;
      }
    this.kept.set(key, best);
    return best;
  }
  // The form with a letter drawn out of all terms that have it, with whatever else they share.
  drawn(terms, letter) {
    const inside = [],
      rest = [];
    for (const term of terms) (term.powers[letter] > 0 ? inside : rest).push(term);
    const common = inside[0].powers.map((_, i) =>
      inside.reduce((least, { powers }) => Math.max(0, Math.min(least, powers[i])), Infinity),
    );
    let by = inside.reduce((divisor, term) => gcd(divisor, term.by), 0n);
    if (inside.every((term) => term.by < 0n)) by = -by;
    const within = this.shortest(
      this.sorted(
        inside.map((term) =>
          this.term(
            term.by / by,
            term.powers.map((power, i) => power - common[i]),
          ),
        ),
      ),
    );
    const beside = rest.length ? this.shortest(rest) : { length: 0, write: () => [] };
    return {
      length: within.length + long(common) + 1 + beside.length,
      write: () => {
        const formula = around(this.written(by, common), total(within.write().map((each) => each.formula)));
        return [{ term: inside[0], formula }, ...beside.write()].sort((a, b) => this.place(a.term, b.term));
      },
    };
  }
  written(by, powers) {
    return writtenTerm(
      [by, 1n],
      new Map(this.names.map((name, i) => [name, powers[i]]).filter(([, power]) => power)),
      this.rounded,
    );
  }
}
const long = (powers) => powers.reduce((sum, power) => sum + (power ? (power === 1 ? 2 : 4) : 0), 0);
function around(factor, bracket) {
  if (factor.op === "-") return make("-", around(factor.of[0], bracket));
  if (factor.op === "#" && factor.value === 1n) return bracket;
  const inner = factor.op === "size" ? factor.of[0] : factor;
  return make("size", make("*", ...(inner.op === "*" ? inner.of : [inner]), bracket));
}
