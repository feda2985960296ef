// From the settings to the sheet: values and what cannot be, the parts that are there, the chain of each step.
const asTyped = (name, text) => `${name} = '${clipped(text)}'`;
class Sheet {
  constructor(packed, words) {
    const data = unpacked(packed);
    this.data = data;
    this.words = words;
    this.expansions = new Map();
    this.formulas = unpack(data.formulas);
    this.names = data.order;
    this.known = new Map(data.known.map(([name, place]) => [name, this.formulas[place]]));
    this.fixed = new Set(data.known.filter(([, , always]) => always).map(([name]) => name));
    this.laws = data.laws.map(([binding, part, whole]) => [binding, this.formulas[part], this.formulas[whole]]);
    this.readable = new Map(data.order.map((name) => [name, name]));
    for (const [key, name] of data.keys) if (!this.readable.has(key)) this.readable.set(key, name);
    this.order = { ranks: new Map(data.ranks.map((name, i) => [name, i])), slices: new Set(data.slices) };
    this.sentences = Object.keys(data.sentences);
    this.costs = new Map(data.quantities.map((each) => [each.name, new Cost(this, each)]));
    this.inputs = new Set(data.quantities.flatMap(({ inputs, options }) => [...inputs, ...options].map(([name]) => name)));
  }

  // The longest sequence that the model takes, and its name; of models beside each other the ``shortest`` of all. Null where nobody says.
  context(sizes) {
    const formula = this.formulas[this.data.context],
      own = formula && isBound(formula, sizes) ? { value: exact(formula, sizes)[0], model: this.data.target } : null;
    return this.shortest && !(own && own.value <= this.shortest.value) ? this.shortest : own;
  }
  // The formula that was typed for a letter, in letters that are ``readable``.
  read(name, text, readable = this.readable) {
    try {
      return parse(text, readable, false);
    } catch (fault) {
      if (!(fault instanceof Impossible)) throw fault;
      const isLong = fault.key === "digits";
      throw new Impossible(
        fault.key,
        isLong ? { what: asTyped(name, text), most: MOST_DIGITS } : { name, value: clipped(text) },
        [name],
      );
    }
  }
  // Every letter exactly, or the one thing that cannot be. ``given`` is a Map from a letter to what was typed.
  values(given) {
    const values = new Map(),
      typed = this.typed(given);
    for (const [name, text] of given) {
      if (typed.has(name)) continue;
      values.set(name, [this.positive(name, this.whole(this.read(name, text), values, [name], name), asTyped(name, text)), 1n]);
    }
    this.refuseCircle(typed);
    this.checkFixed(values);
    for (const [name, formula] of this.related(typed)) {
      if (values.has(name) || !isBound(formula, values)) continue;
      const value = this.whole(formula, values, [name, ...letters(formula)], name);
      values.set(name, [this.positive(name, value, `${name} = ${plainly(formula)} = ${value}`), 1n]);
    }
    this.checkFixed(values);
    this.checkLaws(values);
    return values;
  }
  // The formulas that were typed, by the letters that they are for.
  typed(given) {
    const read = [...given].map(([name, text]) => [name, this.read(name, text)]);
    return new Map(read.filter(([, formula]) => letters(formula).length));
  }
  refuseCircle(typed) {
    let circle = [...typed];
    for (let before = -1; before !== circle.length;) {
      const names = circle.map(([name]) => name);
      before = circle.length;
      circle = circle.filter(([, formula]) => letters(formula).some((other) => names.includes(other)));
    }
    if (!circle.length) return;
    const names = circle.map(([name]) => name),
      needs = circle.map(([name, formula]) => {
        const others = letters(formula).filter((other) => names.includes(other));
        return { key: "needs", terms: { name, others } };
      });
    throw new Impossible("circle", { names, needs }, names);
  }
  // The family's relations and in their place what was typed, each after what it needs; in a circle what was typed holds.
  related(typed) {
    if (!typed.size) return this.known;
    const behind = (name, relations, found = new Set()) => {
      for (const other of relations.has(name) ? letters(relations.get(name)) : [])
        if (!found.has(other)) behind(other, relations, found.add(other));
      return found;
    };
    const both = new Map([...this.known, ...typed]),
      kept = new Map([...both].filter(([name]) => typed.has(name) || !behind(name, both).has(name)));
    return new Map([...kept].sort(([a], [b]) => behind(a, kept).size - behind(b, kept).size));
  }
  // The relations of these that may be used: nothing contradicts them.
  holding(related, values) {
    return new Map([...related].filter(([name, formula]) => this.holds(name, values, formula)));
  }
  // What tells relations from others.
  keyOf(relations) {
    const told = ([name, formula]) => (formula === this.known.get(name) ? name : `${name}=${plainly(formula)}`);
    return [...relations].map(told).join(" ");
  }
  checkFixed(values) {
    for (const name of this.fixed) {
      const formula = this.known.get(name);
      if (!values.has(name) || !isBound(formula, values)) continue;
      const expected = this.whole(formula, values, [name, ...letters(formula)], name),
        value = values.get(name)[0];
      if (value !== expected)
        throw new Impossible("contradiction", { name, value, formula: plainly(formula), expected }, [name]);
    }
  }
  checkLaws(values) {
    for (const [binding, part, whole] of this.laws) {
      if (!isBound(part, values) || !isBound(whole, values)) continue;
      const about = [...letters(part), ...letters(whole)];
      if (binding === "divides") {
        if (exact(part, values)[0]) this.whole(make("/", whole, part), values, about);
        continue;
      }
      if (less(exact(whole, values), exact(part, values)))
        throw new Impossible("more", { part: this.said(part, values), whole: this.said(whole, values) }, about);
    }
  }
  whole(formula, values, about, name = "") {
    const [n, d] = exact(formula, values);
    if (d === 1n) return n;
    const written = name ? `${name} = ${plainly(formula)}` : plainly(formula),
      of = letters(formula);
    throw new Impossible(of.length ? "fraction" : "number", { formula: written, given: this.given(of, values) }, about);
  }
  given(names, values) {
    return names.map((name) => `${name} = ${values.get(name)[0]}`);
  }
  said(formula, values) {
    const value = this.whole(formula, values, letters(formula));
    return letters(formula).length ? `${plainly(formula)} = ${value}` : String(value);
  }
  positive(name, value, what) {
    if (value <= 0n) throw new Impossible("positive", { what, name }, [name]);
    if (value >= 10n ** BigInt(MOST_DIGITS)) throw new Impossible("digits", { what, most: MOST_DIGITS }, [name]);
    return value;
  }

  // The setting of the switches: the features, then the relations on which the text depends.
  setting(on, values) {
    const { features, deciding } = this.data;
    let bits = 0;
    features.forEach(([name], i) => {
      if (on.has(name)) bits |= 1 << i;
    });
    deciding.forEach((name, i) => {
      if (this.holds(name, values)) bits |= 1 << (features.length + i);
    });
    return bits;
  }
  // Whether a relation may be used: nothing contradicts it.
  holds(name, values, formula = this.known.get(name)) {
    if (!values.has(name)) return true;
    if (!isBound(formula, values)) return false;
    const [n, d] = exact(formula, values);
    return d === 1n && n === values.get(name)[0];
  }
  variant([, on, of], setting) {
    return of[on.reduce((place, bit, i) => place | (((setting >> bit) & 1) << i), 0)];
  }
  parts(kind, setting) {
    return this.data.parts[kind].map((part) => [part[0], this.variant(part, setting)]).filter(([, variant]) => variant >= 0);
  }
  sections(setting, view = this.data.views[0]) {
    // of a view, or of a quantity
    return this.parts(`section ${view}`, setting)
      .map(([key, place]) => {
        const [heading, blocks, rank, added] = this.data.pool[place];
        return {
          key: key[1],
          heading,
          rank,
          blocks: blocks.map((each) => this.data.blocks[each]),
          added: added.map((each) => this.formulas[each]),
        };
      })
      .sort((a, b) => a.rank - b.rank);
  }
  total(setting) {
    return total(this.sections(setting).flatMap(({ added }) => added));
  }
  rows(kind, setting) {
    return this.parts(kind, setting)
      .map(([, place]) => this.data.pool[place])
      .sort((a, b) => a[2] - b[2])
      .map(([name, formula]) => [name, this.formulas[formula]]);
  }

  // What values must not make of the tree that the features leave.
  checkTree(setting, values, relations) {
    for (const [[, path, place, least]] of this.parts("size", setting)) {
      const size = this.formulas[place];
      if (isBound(size, values) && this.whole(size, values, letters(size)) < BigInt(least))
        throw new Impossible(
          "less",
          { path, size: plainly(size), least, given: this.given(letters(size), values) },
          letters(size),
        );
    }
    for (const [[, one, other]] of this.parts("sum", setting)) {
      const [left, right] = [this.formulas[one], this.formulas[other]],
        about = [...letters(left), ...letters(right)];
      if (about.some((name) => !values.has(name))) continue;
      if (this.whole(left, values, about) !== this.whole(right, values, about))
        throw new Impossible("sum", { one: this.said(left, values), other: this.said(right, values) }, about);
    }
    for (const [[, path, count, owner, other]] of this.parts("tie", setting)) {
      const [mine, its] = [this.formulas[count], this.formulas[other]];
      if (relations.minus(relations.of(mine), relations.of(its)).size)
        throw new Impossible("tie", { path, count: plainly(mine), owner, other: plainly(its) }, [
          ...letters(mine),
          ...letters(its),
        ]);
    }
  }

  // What was multiplied out under some relations is kept: most changes are of numbers alone.
  expansion(relations) {
    const key = this.keyOf(relations);
    if (!this.expansions.has(key)) this.expansions.set(key, new Expansion(relations));
    return this.expansions.get(key);
  }
  // The whole sheet of some settings: numbers where all has a value, and what cannot be where something cannot.
  // What was typed of the sizes of the model, without the inputs of other quantities.
  sizes(given) {
    return new Map([...given].filter(([name]) => !this.inputs.has(name)));
  }
  work(given, on, view, quantity) {
    Object.assign(order, this.order); // of several models each has its own
    const cost = this.costs.get(quantity),
      sheet = { values: new Map(), fault: null, missing: [], exact: null, cost, given, related: this.known };
    try {
      sheet.values = this.values(this.sizes(given));
      sheet.related = this.related(this.typed(this.sizes(given)));
    } catch (fault) {
      if (!(fault instanceof Impossible)) throw fault;
      sheet.fault = fault;
      sheet.values = new Map(
        [...given].filter(([, text]) => /^[1-9]\d{0,39}$/.test(text)).map(([name, text]) => [name, [BigInt(text), 1n]]),
      ); // what they tell of relations
    }
    sheet.setting = this.setting(on, sheet.values);
    sheet.relations = this.holding(sheet.related, sheet.values);
    sheet.expansion = this.expansion(sheet.relations);
    sheet.sections = this.sections(sheet.setting, view);
    sheet.total = total(sheet.sections.flatMap(({ added }) => added));
    if (!sheet.fault)
      try {
        if (sheet.total === ZERO)
          throw new Impossible("empty", {
            model: this.data.target,
            parts: this.data.features.map(([name]) => name).filter((name) => !on.has(name)),
          });
        this.checkTree(sheet.setting, sheet.values, sheet.expansion);
        if (cost) cost.work(sheet, given, on);
        else sheet.missing = letters(sheet.total).filter((name) => !sheet.values.has(name));
        sheet.known = new Map();
        if (!cost && !sheet.missing.length) sheet.exact = [this.whole(sheet.total, sheet.values, letters(sheet.total)), 1n];
      } catch (fault) {
        if (!(fault instanceof Impossible)) throw fault;
        sheet.fault = fault;
        sheet.missing = [];
      }
    if (sheet.fault && cost && !sheet.taken) cost.work(sheet, given, on); // whose steps are drawn all the same
    if (sheet.fault) {
      sheet.values = new Map();
      sheet.exact = null;
    }
    sheet.count = sheet.exact && ceiling(sheet.exact); // of bytes a part counts as a whole one
    sheet.known = new Map();
    return sheet;
  }
  // The exact count with the same sizes and other features, for what each of them adds; null where there is none.
  countWith(sheet, on) {
    if (sheet.cost) return this.work(sheet.given, on, this.data.views[0], sheet.cost.name).exact;
    const setting = this.setting(on, sheet.values),
      whole = this.total(setting);
    if (whole === ZERO || !isBound(whole, sheet.values)) return null;
    try {
      this.checkTree(setting, sheet.values, sheet.expansion);
      return [this.whole(whole, sheet.values, []), 1n];
    } catch (fault) {
      if (!(fault instanceof Impossible)) throw fault;
      return null;
    }
  }

  step(place) {
    const [quantity, flags, form, parts] = this.data.steps[place];
    const named = this.formulas[quantity];
    return {
      place,
      named,
      written: named.of[0],
      closes: (flags & 1) > 0,
      isSum: (flags & 2) > 0,
      inNames: (flags & 4) > 0,
      hasForms: (flags & 8) > 0,
      isDrawnOut: (flags & 16) > 0,
      isCopied: (flags & 32) > 0,
      form: form < 0 ? null : this.formulas[form],
      parts: parts.map((part) => this.formulas[part]),
    };
  }
  wholeStep(sheet) {
    if (sheet.cost) return sheet.cost.whole(sheet);
    return {
      named: { op: "N", of: [sheet.total], label: -1 },
      written: sheet.total,
      closes: true,
      isSum: true,
      isTotal: true,
      inNames: false,
      hasForms: false,
      form: this.blocks(sheet),
      parts: [],
    };
  }

  // The closed form of the whole where it has many terms: what stands once, then so many copies of each layer, whose long
  // parts are called by their names.
  blocks(sheet) {
    const { expansion } = sheet,
      { algebra } = expansion;
    if (expansion.of(sheet.total).size <= MOST_EXPANDED) return null;
    const opened = (formula) =>
      formula.op === "N" || formula.op === "_"
        ? opened(formula.of[0])
        : formula.op === "+"
          ? formula.of.flatMap(opened)
          : [formula];
    let once = new Map();
    const stacks = [];
    for (const formula of opened(this.total(sheet.setting))) {
      const layer = formula.op === "*" && formula.of.find((factor) => factor.op === "N");
      if (!layer) {
        once = algebra.plus(once, expansion.of(formula));
        continue;
      }
      const copies = expansion.of(
        total([
          formula.of.length > 2
            ? make("*", ...formula.of.filter((factor) => factor !== layer))
            : formula.of.find((factor) => factor !== layer),
        ]),
      );
      stacks.push([copies, layer.of[0]]);
    }
    const terms = sorted(once).map(({ by, powers }) => writtenTerm(by, powers, expansion.rounded));
    for (const [copies, layer] of stacks) {
      const whole = expansion.of(layer);
      if (copies.size === 1 && whole.size === 1) {
        terms.push(expansion.written(algebra.times(copies, whole)));
        continue;
      }
      const named = [];
      let short = new Map();
      for (const part of whole.size > MOST_EXPANDED && layer.op === "+" ? layer.of : [layer]) {
        if (part !== layer && part.op === "N" && expansion.of(part).size >= LEAST_NAMED) named.push(part);
        else short = algebra.plus(short, expansion.of(part));
      }
      const rest = short.size > MOST_EXPANDED ? factored(expansion, short) : expansion.written(short);
      terms.push(
        make(
          "size",
          make("*", expansion.written(copies), total([...named, ...(short.size ? (rest.op === "+" ? rest.of : [rest]) : [])])),
        ),
      );
    }
    return total(terms);
  }

  // The form that a step has of its own: of a cost its common factors are drawn out.
  form(step, { expansion }) {
    if (step.form || !step.isDrawnOut) return step.form;
    if (step.isCopied) return copied(expansion, step.written);
    const polynomial = expansion.of(step.written);
    return polynomial.size > 1 ? factored(expansion, polynomial) : null;
  }
  closed(step, sheet) {
    const form = this.form(step, sheet);
    if (form) return form;
    const polynomial = sheet.expansion.of(step.written);
    return polynomial.size > MOST_EXPANDED && step.parts.length
      ? factored(sheet.expansion, polynomial)
      : sheet.expansion.written(polynomial);
  }
  isLong(step, sheet) {
    if (step.inNames) return true;
    if (!step.isSum || step.isTotal) return false;
    return sheet.expansion.of(step.written).size > MOST_EXPANDED || (!step.form && step.hasForms);
  }
  // Whether the closed form says more than the written one: V·h says no more than V × h.
  isNew(step, closed) {
    if (plainlyBare(step.written) === plainlyBare(closed)) return false;
    const { written } = step,
      factors = written.op === "*" ? written.of : [written];
    const isPlain =
      (written.op === "*" || written.op === "d") &&
      factors.every(({ op }) => op === "d" || op === "#") &&
      factors.filter(({ op }) => op === "#").length < 2;
    return !isPlain || factorsOf(written) !== factorsOf(closed);
  }
  // The relations without which the formula would not come to its closed form.
  used(step, sheet) {
    const { relations, expansion } = sheet,
      form = this.form(step, sheet);
    if (form) {
      const none = this.expansion(new Map());
      if (!none.minus(none.of(form), none.of(step.written)).size) return [];
    }
    return writtenOut(step.written)
      .filter((name) => relations.has(name))
      .filter((name) => {
        const without = this.expansion(new Map([...relations].filter(([other]) => other !== name)));
        const found = without.of(step.written),
          whole = expansion.of(step.written);
        return (
          found.size !== whole.size ||
          [...found].some(
            ([key, { by }]) => !whole.has(key) || whole.get(key).by[0] !== by[0] || whole.get(key).by[1] !== by[1],
          )
        );
      })
      .map((name) => {
        const value = relations.get(name);
        return value.op === "/"
          ? make("=", make("size", make("*", value.of[1], letter(name))), value.of[0])
          : make("=", letter(name), value.op === "#" ? value : make("size", value));
      });
  }

  // A chain: symbols as written, simplified, numbers, the result. A link that repeats its neighbour is left out.
  chain(step, sheet, instead = null, isClosed = false) {
    const { values, known } = sheet,
      closed = this.closed(step, sheet);
    const isNumbered = letters(step.written).some((name) => values.has(name));
    const value = isBound(step.written, values) && !sheet.fault ? exact(step.written, values, known) : null;
    const last = value ? result(value) : null;
    const inNumbers = (form) =>
      total(
        (form.op === "+" ? form.of : [form]).map((term) => substitute(term.op === "size" ? term.of[0] : term, values, known)),
      );
    const links = [];
    const add = (formula, kind) => links.push({ formula, kind });
    if (instead) {
      add(instead, "name");
      if (this.isNew(step, closed)) add(closed, "closed");
    } else if (isClosed) {
      add(closed, "closed");
      if (isNumbered) add(inNumbers(closed), "numbers");
    } else {
      add(step.written, "written");
      const isSingle = Boolean(this.form(step, sheet)) || closed.op !== "+";
      const simplified = step.parts.length > 1 && isNumbered && isSingle ? inNumbers(closed) : null;
      if (!this.isLong(step, sheet) && this.isNew(step, closed)) add(closed, "closed");
      if (simplified) add(simplified, "numbers");
      else {
        if (isNumbered) add(substitute(step.written, values, known), "numbers");
        const parts = step.parts.map((part) => (isBound(part, values) ? exact(part, values, known) : null));
        if (parts.length > 1 && parts.every(Boolean) && value) add(total(parts.map(result)), "parts");
      }
    }
    if (last) add(step.closes ? make("strong", last) : last, "result");
    const said = last && plainly(last);
    return links
      .filter(
        ({ formula, kind }, i) =>
          !(i && kind === "result" && plainly(links[0].formula) === said) &&
          !(i && kind !== "result" && plainly(formula) === said),
      )
      .filter(({ formula, kind }, i, kept) => {
        const before = kind === "numbers" ? kept.slice(0, i) : kept.slice(Math.max(0, i - 1), i); // numbers for names alone
        return formula.op === "strong" || before.every((each) => plainly(each.formula) !== plainly(formula));
      })
      .map((link) => (sheet.cost && link.kind === "result" ? { ...link, formula: make("unit", link.formula) } : link));
  }
}

const bare = (formula) =>
  formula.op === "size" && formula.of[0].op !== "*"
    ? bare(formula.of[0])
    : formula.op === "+"
      ? make("+", ...formula.of.map(bare))
      : formula;
const shape = (formula) =>
  (formula.shape ??=
    formula.op === "#"
      ? String(formula.value)
      : formula.op === "d"
        ? formula.name
        : formula.op === "N"
          ? `N${formula.label}`
          : `(${formula.op}${formula.power ?? ""} ${formula.of.map(shape).join(" ")})`);
const plainlyBare = (formula) => (formula.plain ??= shape(bare(formula)));
const factorsOf = (product) => {
  const inner = product.op === "size" ? product.of[0] : product;
  return (inner.op === "*" ? inner.of : [inner])
    .flatMap((factor) => (factor.op === "^" ? Array(Number(factor.power)).fill(shape(factor.of[0])) : [shape(factor)]))
    .sort()
    .join(" ");
};
const writtenOut = (formula) => {
  const found = new Set(),
    walk = (part) => {
      if (part.op === "d") found.add(part.name);
      else if (part.op !== "N") part.of.forEach(walk);
    };
  walk(formula);
  return [...found];
};
