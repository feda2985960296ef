// Besides the derivation: the other ways to count, and the rule of thumb. What of them is said depends on relations and values.
const MOST_IN_A_CELL = 4,
  MOST_AT_THE_TOP = 8,
  SOURCES = ["attention_matrices", "embedding_tables", "other_matrices", "biases_and_norms"];
const negative = (formula) => make("-", formula);
const square = (name) => ({ op: "^", of: [letter(name)], power: 2n });
const addendsOf = (formula) => (formula.op === "+" ? formula.of : formula === ZERO ? [] : [formula]);

class Besides {
  constructor(sheet) {
    this.sheet = sheet;
    this.kept = new Map();
  }
  // What has been worked out for the same features under the same relations is kept.
  once(key, work) {
    if (!this.kept.has(key)) this.kept.set(key, work());
    return this.kept.get(key);
  }
  key(found) {
    return `${found.setting} ${this.sheet.keyOf(found.relations)}`;
  }
  value(formula, found) {
    return found.count !== null && isBound(formula, found.values) ? exact(formula, found.values) : null;
  }

  // The conventions that give another count than the model's own, each difference once: {said, difference, value}.
  conventions(found) {
    const { sheet } = this,
      { expansion } = found,
      seen = new Set([polynomialKey(new Map())]),
      shown = [];
    const rows = sheet
      .parts("convention", found.setting)
      .map(([, place]) => sheet.data.pool[place])
      .sort((a, b) => a[2] - b[2]);
    for (const [said, place, , isShown] of rows) {
      const written = sheet.formulas[place],
        polynomial = expansion.of(written),
        key = polynomialKey(polynomial);
      const closed = expansion.written(polynomial),
        value = this.value(written, found) ?? this.value(closed, found);
      if ((value === null && found.count !== null) || seen.has(key)) continue; // a part with a size that this model has no value for
      seen.add(key);
      if (isShown)
        shown.push({
          said,
          difference:
            this.byName(polynomial, found) ?? (polynomial.size > MOST_EXPANDED ? factored(expansion, polynomial) : closed),
          value,
        });
    }
    return shown;
  }
  // A long difference as the one addend, or the two, that it takes away.
  byName(difference, found) {
    if (difference.size < LEAST_NAMED) return null;
    const { expansion } = found,
      named = [...found.total.of, found.total].filter(({ op }) => op === "N");
    const pairs = named.flatMap((one, i) => named.slice(i + 1).map((other) => [one, other]));
    const chosen = [...named.map((each) => [each]), ...pairs].find(
      (each) => !expansion.algebra.plus(expansion.of(total(each)), difference).size,
    );
    return chosen ? total(chosen.map(negative)) : null;
  }

  // The rule of thumb: {what, estimate, squares, value, sources: [{name, cell, value}]}; null where no layer has a matrix.
  rule(found) {
    const { sheet } = this,
      { expansion } = found,
      key = this.key(found),
      leaves = this.leaves(found);
    if (!this.hasWidth(leaves, found)) return null;
    let what = "layers",
      layers = leaves.filter(({ isRepeated }) => isRepeated);
    const estimateOf = (chosen, name) =>
      this.once(`${key} ${name}`, () => ({
        whole: total(chosen.flatMap(({ whole }) => addendsOf(whole))),
        form: byBlocks(chosen, sheet.expansion(this.withInner(found))),
      }));
    let estimate = estimateOf(layers, what);
    if (estimate.whole === ZERO) return null;
    const squares = this.squares(estimate, layers, found);
    if (!squares && expansion.of(estimate.whole).size > MOST_EXPANDED && sheet.parts("active", found.setting).length) {
      const networks = layers.filter(({ isNetwork }) => isNetwork),
        of = estimateOf(networks, "feed_forward");
      [what, layers] = ["feed_forward", networks];
      if (of.whole !== ZERO) estimate = of;
    }
    const sources = this.once(`${key} ${what} sources`, () => this.sources(leaves, new Set(layers), found)).map(
      ({ name, written, cell }) => ({ name, cell, value: this.value(written, found) }),
    );
    if (shape(estimate.form) === this.plain(layers, found)) what = "plain";
    return { what, estimate: estimate.form, squares, value: this.value(estimate.whole, found), sources };
  }
  leaves(found) {
    const { sheet } = this;
    return this.once(`${found.setting} leaves`, () =>
      sheet.parts("layer", found.setting).map(([, place]) => {
        const [stack, called, flags, copies, layers, one, whole, vectors, source] = sheet.data.pool[place];
        return {
          stack,
          called,
          isRepeated: (flags & 1) > 0,
          isNetwork: (flags & 2) > 0,
          source,
          copies: sheet.formulas[copies],
          layers: sheet.formulas[layers],
          one: sheet.formulas[one],
          whole: sheet.formulas[whole],
          vectors: sheet.formulas[vectors],
        };
      }),
    );
  }
  // Whether the model speaks of the width that the rule is about.
  hasWidth(leaves, found) {
    const { h } = this.sheet.data.rule,
      used = new Set(leaves.flatMap(({ copies, layers, whole, vectors }) => [copies, layers, whole, vectors]).flatMap(letters));
    return used.has(h) || [...found.relations].some(([name, formula]) => used.has(name) && letters(formula).includes(h));
  }
  withInner(found) {
    return new Map([...found.relations].filter(([name]) => name !== this.sheet.data.rule.inner));
  }
  // How many layers there are, where all stand in as many.
  copies(layers, found) {
    const written = layers.map((leaf) => found.expansion.written(found.expansion.of(leaf.copies))),
      [copies, ...others] = new Map(written.map((each) => [shape(each), each])).values();
    if (!copies || others.length) return null;
    return copies.op === "size" ? copies.of[0] : copies;
  }
  // The shape of what plain layers come to: 12·L·h².
  plain(layers, found) {
    const { h, squares } = this.sheet.data.rule,
      copies = this.copies(layers, found);
    return squares && copies ? shape(make("size", make("*", number(BigInt(squares)), copies, square(h)))) : null;
  }
  // The rule as so many times L·h², where the values make it so and the formula does not say it yet.
  squares(estimate, layers, found) {
    const { h, coarsest } = this.sheet.data.rule,
      value =
        this.value(estimate.whole, found) ??
        (isBound(estimate.whole, found.values) ? exact(estimate.whole, found.values) : null);
    const copies = this.copies(layers, found);
    if (!copies || !found.values.has(h) || !value?.[0]) return null;
    const unit = exact(make("*", copies, square(h)), found.values);
    if (!unit[0]) return null; // some sizes leave no layer
    const share = ratio(value[0] * unit[1], value[1] * unit[0]);
    const factor = share[1] === 1n ? number(share[0]) : make("/", number(share[0]), number(share[1]));
    const written = make("size", make("*", factor, copies, square(h)));
    return share[1] <= BigInt(coarsest) && shape(written) !== shape(estimate.form) ? written : null;
  }
  // What the rule leaves out, source by source; no formula where it has more terms than a person reads.
  sources(leaves, counted, found) {
    const gathered = new Map(SOURCES.map((name) => [name, []]));
    for (const leaf of leaves) {
      if (!counted.has(leaf) && leaf.source) gathered.get(leaf.source).push(...addendsOf(leaf.whole));
      gathered.get("biases_and_norms").push(...addendsOf(leaf.vectors));
    }
    const inner = this.sheet.expansion(this.withInner(found)),
      plain = this.sheet.expansion(new Map());
    return [...gathered]
      .map(([name, terms]) => ({ name, written: total(terms) }))
      .filter(({ written }) => found.expansion.of(written).size)
      .map(({ name, written }) => {
        const { size } = found.expansion.of(written),
          closed = inner.written(inner.of(written));
        return {
          name,
          written,
          cell: size > MOST_EXPANDED ? null : size <= MOST_IN_A_CELL ? closed : factored(plain, plain.of(closed)),
        };
      });
  }
}

// What some leaves contribute, by blocks: what stands once, then so many copies of each layer.
function byBlocks(leaves, expansion) {
  const { algebra } = expansion,
    sum = (polynomials) => polynomials.reduce(algebra.plus, new Map());
  const found = new Map([["", { layers: ONE, parts: new Map() }]]);
  for (const { stack, called, layers, one } of leaves) {
    if (one === ZERO || (one.op === "#" && !one.value)) continue;
    if (!found.has(stack)) found.set(stack, { layers, parts: new Map() });
    const { parts } = found.get(stack);
    parts.set(called, [...(parts.get(called) ?? []), one]);
  }
  const merged = new Map();
  for (const [place, { layers, parts }] of found) {
    const copies = expansion.of(layers),
      key = `${Boolean(place)} ${polynomialKey(copies)}`,
      before = merged.get(key);
    const each = [...parts].map(([name, counts]) => ({ name, count: expansion.of(total(counts)) }));
    merged.set(key, {
      copies,
      within: place.includes(".") ? place.slice(0, place.lastIndexOf(".")) : "",
      parts: [...(before ? before.parts : []), ...each],
    });
  }
  const [once, ...stacks] = sharedApart([...merged.values()], sum),
    rest = sum(once.parts.map(({ count }) => count));
  let terms = addendsOf(expansion.written(rest));
  if (terms.length + stacks.length > MOST_AT_THE_TOP) terms = addendsOf(factored(expansion, rest));
  return total([
    ...terms,
    ...stacks.map(({ copies, parts }) => {
      const layer = sum(parts.map(({ count }) => count));
      if (layer.size === 1 && copies.size === 1) return expansion.written(algebra.times(copies, layer));
      return make(
        "size",
        make(
          "*",
          expansion.written(copies),
          layer.size > MOST_EXPANDED ? factored(expansion, layer) : gatheredTerms(expansion, layer),
        ),
      );
    }),
  ]);
}
// What all the stacks of one part of the tree share, as a stack of all of their layers before what each has alone.
function sharedApart([once, ...others], sum) {
  const apart = [once],
    keyOf = ({ name, count }) => `${name} ${polynomialKey(count)}`;
  for (const within of new Set(others.map((stack) => stack.within))) {
    const together = others.filter((stack) => stack.within === within);
    const shared = new Set(
      together[0].parts.map(keyOf).filter((key) => together.every(({ parts }) => parts.some((part) => keyOf(part) === key))),
    );
    if (!within || together.length === 1 || !shared.size) {
      apart.push(...together);
      continue;
    }
    const isShared = (part) => shared.has(keyOf(part));
    apart.push({ copies: sum(together.map(({ copies }) => copies)), within, parts: together[0].parts.filter(isShared) });
    apart.push(
      ...together
        .map((stack) => ({ ...stack, parts: stack.parts.filter((part) => !isShared(part)) }))
        .filter(({ parts }) => parts.length),
    );
  }
  return apart;
}
// The terms that differ in one letter alone as one: 3·h·d_expert·(n_experts + n_shared); the others as they are.
function gatheredTerms(expansion, polynomial) {
  let waiting = sorted(polynomial);
  const found = [],
    { algebra, rounded } = expansion;
  while (waiting.length) {
    const first = waiting.shift(),
      alike = waiting.map((other) => [other, allButOne(first, other)]).filter(([, common]) => common);
    const common = alike.length ? alike[0][1] : first.powers,
      same = (shared) => keyOfPowers(shared) === keyOfPowers(common);
    const together = [first, ...alike.filter(([, shared]) => same(shared)).map(([other]) => other)];
    waiting = waiting.filter((other) => !together.includes(other));
    const term = writtenTerm(first.by, common, rounded),
      without = new Map([...common].map(([name, power]) => [name, -power]));
    found.push(
      alike.length
        ? around(term, total(together.map(({ powers }) => writtenTerm([1n, 1n], algebra.product(powers, without), rounded))))
        : term,
    );
  }
  return total(found);
}
// What two terms with one coefficient share, if that is all but one letter of each and more than one letter.
function allButOne(first, other) {
  const common = new Map([...first.powers].filter(([name, power]) => other.powers.get(name) === power));
  const isOne =
    common.size === first.powers.size - 1 &&
    common.size === other.powers.size - 1 &&
    [first, other].every(({ powers }) => [...powers].every(([name, power]) => common.has(name) || power === 1));
  return isOne && common.size > 1 && first.by[0] === other.by[0] && first.by[1] === other.by[1] ? common : null;
}
const keyOfPowers = (powers) =>
  [...powers]
    .map(([name, power]) => `${name} ${power}`)
    .sort()
    .join(" ");
const polynomialKey = (polynomial) =>
  [...polynomial]
    .map(([key, { by }]) => `${key}:${by[0]}/${by[1]}`)
    .sort()
    .join(";");
