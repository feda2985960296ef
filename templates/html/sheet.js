// From the settings to the sheet: values and what cannot be, the parts that are there, the chain of each step.
const MOST_EXPANDED = 7, // terms of a sum that a person still reads
  TOO_LONG = 1, // a closed form that is not shown
  SAYS_MORE = 2, // one that says more than the written one
  IN_NUMBERS = 4; // one that takes the numbers
const bitsOf = (switches) => switches.reduce((so, isOn, i) => (isOn ? so | (1 << i) : so), 0);
const asTyped = (name, text) => `${name} = '${clipped(text)}'`;
class Sheet {
  constructor(packed, words) {
    const data = unpacked(packed);
    this.data = data;
    this.words = words;
    this.formulas = unpack(data.formulas);
    this.names = data.order;
    [this.kinds, ...this.layers] = data.layers; // of layers: all, and each set of them that a model of the page has
    this.ticked = data.features.map(([name]) => name).filter((name) => !this.kinds.includes(name));
    this.switches = this.ticked.length + Math.ceil(Math.log2(this.layers.length));
    this.known = new Map(data.known.map(([name, place]) => [name, this.formulas[place]]));
    this.fixed = new Set(data.known.filter(([, , always]) => always).map(([name]) => name));
    this.laws = data.laws.map(([binding, part, whole]) => [binding, this.formulas[part], this.formulas[whole]]);
    this.readable = new Map(data.order.map((name) => [name, name]));
    for (const [key, name] of data.keys) if (!this.readable.has(key)) this.readable.set(key, name);
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
  // Every letter exactly, or the one thing that cannot be. ``given`` is a Map from a letter to what was typed: a number, or a
  // formula, which is the number that it comes to, and none as long as it speaks of letters without numbers.
  values(given) {
    const values = new Map(),
      typed = new Map(),
      set = (name, formula, said = null) => {
        const value = this.whole(formula, values, [name, ...letters(formula)], name);
        values.set(name, [this.positive(name, value, said ?? `${name} = ${plainly(formula)} = ${value}`), 1n]);
      };
    for (const [name, text] of given) {
      const formula = this.read(name, text);
      if (letters(formula).length) typed.set(name, formula);
      else set(name, formula, asTyped(name, text));
    }
    this.refuseCircle(typed);
    this.checkFixed(values);
    for (let before = -1; before !== values.size;) {
      before = values.size;
      for (const [name, formula] of [...typed, ...this.known]) {
        if (values.has(name) || !isBound(formula, values) || (typed.has(name) && typed.get(name) !== formula)) continue;
        set(name, formula);
      }
    }
    this.checkFixed(values);
    this.checkLaws(values);
    return values;
  }
  // What was typed as a formula as the number that it came to.
  settle(given, { fault, values }) {
    if (fault) return;
    for (const [name, text] of given)
      if (values.has(name) && !/^\d+$/.test(ungrouped(text))) given.set(name, String(values.get(name)[0]));
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
  // The relations that may be used: nothing contradicts them.
  holding(values, given) {
    return new Map([...this.known].filter(([name]) => this.holds(name, values, given)));
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

  // The setting of the features: a bit for each that is ticked, then the place of the kinds of layers.
  featuresOf(on) {
    const kinds = this.kinds.filter((name) => on.has(name)).join(),
      place = this.layers.findIndex((each) => each.join() === kinds);
    return bitsOf(this.ticked.map((name) => on.has(name))) | (Math.max(place, 0) << this.ticked.length);
  }
  // The setting of the switches: the features, then the relations on which the text depends.
  setting(on, values, given) {
    const { deciding } = this.data;
    return this.featuresOf(on) | (bitsOf(deciding.map((name) => this.holds(name, values, given))) << this.switches);
  }
  // The sizes that must divide another.
  divisors(name) {
    const under = ({ op, of }) => [
      ...(op === "/" && letters(of[0]).includes(name) ? letters(of[1]) : []),
      ...of.flatMap(under),
    ];
    const ruled = this.laws.filter(([binding, , whole]) => binding === "divides" && letters(whole).includes(name));
    return [...[...this.known.values()].flatMap(under), ...ruled.flatMap(([, part]) => letters(part))];
  }
  holds(name, values, given) {
    if (!values.has(name)) return !given.has(name);
    const formula = this.known.get(name);
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
          added: added.map(([each]) => this.formulas[each]),
          addends: added.flatMap(([, ...closings]) => closings),
        };
      })
      .sort((a, b) => a.rank - b.rank);
  }
  total(setting) {
    return total(this.sections(setting).flatMap(({ added }) => added));
  }
  // Rows of shares: [name, formula, its closed form on a sheet].
  rows(kind, setting, sheet = null) {
    return this.parts(kind, setting)
      .map(([, place]) => this.data.pool[place])
      .sort((a, b) => a[2] - b[2])
      .map(([name, formula, , closing]) => [
        name,
        this.formulas[formula],
        sheet && this.formulas[this.closing(closing, sheet)[0]],
      ]);
  }
  // What Python made of a formula under the relations that hold.
  closing(place, { held }) {
    const [on, of] = this.data.closings[place];
    return this.data.closed[of[on.reduce((so, bit, i) => so | (((held >> bit) & 1) << i), 0)]];
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
      if (!agree(mine, its, relations))
        throw new Impossible("tie", { path, count: plainly(mine), owner, other: plainly(its) }, [
          ...letters(mine),
          ...letters(its),
        ]);
    }
  }

  // The whole sheet of some settings: numbers where all has a value, and what cannot be where something cannot.
  // What was typed of the sizes of the model, without the inputs of other quantities.
  sizes(given) {
    return new Map([...given].filter(([name]) => !this.inputs.has(name)));
  }
  work(given, on, view, quantity) {
    const cost = this.costs.get(quantity),
      sheet = {
        values: new Map(),
        fault: null,
        missing: [],
        exact: null,
        cost,
        given,
        related: new Set([...this.known.keys(), ...given.keys()]),
      };
    try {
      sheet.values = this.values(this.sizes(given));
    } catch (fault) {
      if (!(fault instanceof Impossible)) throw fault;
      sheet.fault = fault;
      sheet.values = new Map(
        [...given].filter(([, text]) => /^[1-9]\d{0,39}$/.test(text)).map(([name, text]) => [name, [BigInt(text), 1n]]),
      ); // what they tell of relations
    }
    sheet.setting = this.setting(on, sheet.values, given);
    sheet.relations = this.holding(sheet.values, given);
    sheet.held = bitsOf([...this.known.keys()].map((name) => sheet.relations.has(name)));
    sheet.sections = this.sections(sheet.setting, view);
    sheet.total = total(sheet.sections.flatMap(({ added }) => added));
    if (!sheet.fault)
      try {
        if (sheet.total === ZERO)
          throw new Impossible("empty", {
            model: this.data.target,
            parts: this.ticked.filter((name) => !on.has(name)),
          });
        this.checkTree(sheet.setting, sheet.values, sheet.relations);
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
    const setting = this.setting(on, sheet.values, sheet.given),
      whole = this.total(setting);
    if (whole === ZERO || !isBound(whole, sheet.values)) return null;
    try {
      this.checkTree(setting, sheet.values, sheet.relations);
      return [this.whole(whole, sheet.values, []), 1n];
    } catch (fault) {
      if (!(fault instanceof Impossible)) throw fault;
      return null;
    }
  }

  step(place) {
    const [quantity, closing, closes, parts] = this.data.steps[place],
      named = this.formulas[quantity];
    return { place, named, written: named.of[0], closing, closes: closes > 0, parts: parts.map((part) => this.formulas[part]) };
  }
  wholeStep(sheet) {
    const label = sheet.cost ? sheet.cost.label : -1;
    return {
      named: { op: "N", of: [sheet.total], label },
      written: sheet.total,
      closes: true,
      form: this.wholeForm(sheet),
      parts: [],
    };
  }
  // The closed form of the whole: its terms, or where these are many so many copies of each layer.
  wholeForm(sheet) {
    const addends = this.sections(sheet.setting, sheet.cost?.name)
      .flatMap(({ addends: places }) => places)
      .map((place) => this.closing(place, sheet));
    const once = addends.filter(([form]) => form < 0),
      isShort = !sheet.cost && this.merged(addends).length <= MOST_EXPANDED;
    if (isShort || once.length === addends.length) return this.sum(this.merged(addends));
    const layers = addends.filter(([form]) => form >= 0).map(([form]) => this.formulas[form]);
    return total([this.sum(this.merged(once)), ...layers].flatMap(addendsOf));
  }
  // Sums of monomials as one, in the order in which people write it: [monomial, coefficient].
  merged(sums) {
    const found = new Map();
    for (const [, ...terms] of sums)
      for (let i = 0; i < terms.length; i += 2) {
        const [n, d = 1n] = String(terms[i + 1])
          .split("/")
          .map(BigInt);
        found.set(terms[i], plus(found.get(terms[i]) ?? [0n, 1n], [n, d]));
      }
    const rank = ([monomial]) => this.data.monomials[monomial][1];
    return [...found].filter(([, [n]]) => n).sort((a, b) => rank(a) - rank(b));
  }
  sum(terms) {
    return total(terms.map(([monomial, by]) => termOf(by, this.formulas[this.data.monomials[monomial][0]])));
  }

  closed(step, sheet) {
    return step.form ?? this.formulas[this.closing(step.closing, sheet)[0]];
  }
  flags(step, sheet) {
    return step.form ? SAYS_MORE | IN_NUMBERS : this.closing(step.closing, sheet)[1];
  }
  // The usual wrong answers to a step: [formula, what is said of each mistake].
  mistakes({ named }) {
    const [, wrong = []] = this.data.mistakes.find(([place]) => this.formulas[place] === named) ?? [];
    return wrong.map(([place, told]) => [this.formulas[place], told]);
  }
  // The relations without which the formula would not come to its closed form.
  used(step, sheet) {
    return this.closing(step.closing, sheet)
      .slice(2)
      .map((place) => this.formulas[place]);
  }

  // A chain: symbols as written, simplified, numbers, the result. A link that repeats its neighbour is left out.
  chain(step, sheet, instead = null, isClosed = false) {
    const { values, known } = sheet,
      closed = this.closed(step, sheet),
      flags = this.flags(step, sheet);
    const isNumbered = letters(step.written).some((name) => values.has(name));
    const value = isBound(step.written, values) && !sheet.fault ? exact(step.written, values, known) : null;
    const last = value ? result(value) : null;
    const replaced = (form) => substitute(form, values, known, this.fixed);
    const inNumbers = (form) =>
      total((form.op === "+" ? form.of : [form]).map((term) => replaced(term.op === "size" ? term.of[0] : term)));
    const links = [];
    const add = (formula, kind) => links.push({ formula, kind });
    if (instead) {
      add(instead, "name");
      if (flags & SAYS_MORE) add(closed, "closed");
    } else if (isClosed) {
      add(closed, "closed");
      if (isNumbered) add(inNumbers(closed), "numbers");
    } else {
      add(step.written, "written");
      const simplified = step.parts.length > 1 && isNumbered && flags & IN_NUMBERS ? inNumbers(closed) : null;
      if (flags & SAYS_MORE && !(flags & TOO_LONG)) add(closed, "closed");
      if (simplified) add(simplified, "numbers");
      else {
        if (isNumbered) add(replaced(step.written), "numbers");
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

const addendsOf = (formula) => (formula.op === "+" ? formula.of : formula === ZERO ? [] : [formula]);
const factorsOf = (formula) => (formula.op === "size" ? factorsOf(formula.of[0]) : formula.op === "*" ? formula.of : [formula]);
// A term of a sum as people write it: a monomial by its coefficient.
function termOf([n, d], monomial) {
  const by = (size, formula) =>
    size === 1n
      ? formula
      : formula.op === "#"
        ? number(size * formula.value)
        : make("size", make("*", number(size), ...factorsOf(formula)));
  const inner = monomial.op === "size" ? monomial.of[0] : monomial,
    [above, under] = inner.op === "/" ? inner.of : [monomial, ONE],
    divisor = by(d, under),
    dividend = by(n < 0n ? -n : n, above);
  const term = divisor === ONE ? dividend : make("size", make("/", dividend, divisor));
  return n < 0n ? make("-", term) : term;
}
