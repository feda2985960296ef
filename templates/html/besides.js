// Besides the derivation: the other ways to count, and the rule of thumb. What of them is said depends on relations and values.
const MOST_IN_A_CELL = 7,
  SOURCES = ["attention_matrices", "embedding_tables", "other_matrices", "biases_and_norms"],
  SHORT = 1, // a rule that people remember
  PLAIN_LAYERS = 2; // one that is 12·L·h²
const square = (name) => ({ op: "^", of: [letter(name)], power: 2n });

class Besides {
  constructor(sheet) {
    this.sheet = sheet;
  }
  entries(kind, found) {
    return this.sheet.parts(kind, found.setting).map(([, place]) => this.sheet.data.pool[place]);
  }
  value(formula, found) {
    return found.count !== null && isBound(formula, found.values) ? exact(formula, found.values) : null;
  }

  // The conventions that give another count than the model's own, each difference once: {said, difference, value}.
  conventions(found) {
    const { sheet } = this,
      seen = new Set([""]),
      shown = [];
    for (const [said, place, , isShown, closing] of this.entries("convention", found).sort((a, b) => a[2] - b[2])) {
      const [form, ...terms] = sheet.closing(closing, found),
        difference = sheet.formulas[form],
        key = sheet.merged([[form, ...terms]]).join(" "),
        value = this.value(sheet.formulas[place], found) ?? this.value(difference, found);
      if ((value === null && found.count !== null) || seen.has(key)) continue; // a part with a size that this model has no value for
      seen.add(key);
      if (isShown) shown.push({ said, difference, value });
    }
    return shown;
  }

  // The rule of thumb: {what, estimate, squares, value, sources: [{name, cell, value}]}; null where no layer has a matrix.
  rule(found) {
    const { sheet } = this,
      rules = this.entries("rule", found)
        .sort((a, b) => a[1] - b[1])
        .map(([name, rank, place, closing]) => {
          const [form, flags, copies] = sheet.closing(closing, found),
            rule = { name, rank, flags, whole: sheet.formulas[place], estimate: sheet.formulas[form] };
          return { ...rule, squares: copies < 0 ? null : this.squares(rule, sheet.formulas[copies], found) };
        }),
      rule = rules.find(({ squares, flags }) => squares || flags & SHORT) ?? rules.at(-1);
    if (!rule) return null;
    const sources = this.sources(1 << rule.rank, found);
    if (!sources.length) return null;
    const what = rule.flags & PLAIN_LAYERS ? "plain" : rule.name;
    return { what, estimate: rule.estimate, squares: rule.squares, value: this.value(rule.whole, found), sources };
  }
  // The rule as so many times L·h², where the values make it so and the formula does not say it yet.
  squares({ whole, estimate }, copies, found) {
    const { h, coarsest } = this.sheet.data.rule;
    if (!isBound(whole, found.values) || !isBound(copies, found.values) || !found.values.has(h)) return null;
    const value = exact(whole, found.values),
      unit = exact(make("*", copies, square(h)), found.values);
    if (!value[0] || !unit[0]) return null; // some sizes leave no layer
    const [n, d] = ratio(value[0] * unit[1], value[1] * unit[0]),
      factor = d === 1n ? number(n) : make("/", number(n), number(d)),
      written = make("size", make("*", factor, ...(copies.op === "size" ? [copies.of[0]] : [copies]), square(h)));
    return d <= BigInt(coarsest) && plainly(written) !== plainly(estimate) ? written : null;
  }
  // What a rule leaves out, source by source; no formula where it has more terms than a person reads.
  sources(counted, found) {
    const { sheet } = this,
      missed = this.entries("missed", found).filter(([, flags]) => !(flags & counted) || (counted > 1 && !(flags & 1)));
    return SOURCES.map((name) => [name, missed.filter(([source]) => source === name)])
      .map(([name, leaves]) => {
        const terms = sheet.merged(leaves.map(([, , , closing]) => [-1, ...sheet.closing(closing, found)])),
          written = total(leaves.map(([, , place]) => sheet.formulas[place]));
        return {
          name,
          terms,
          value: this.value(written, found),
          cell: terms.length > MOST_IN_A_CELL ? null : sheet.sum(terms),
        };
      })
      .filter(({ terms }) => terms.length);
  }
}
