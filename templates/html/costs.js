// Other quantities than the number of parameters: their inputs, which formula holds, what they come to.
class Cost {
  constructor(sheet, data) {
    const { inputs, ...rest } = data;
    Object.assign(this, { sheet, ...rest });
    this.own = new Map(inputs.map(([name, place, ...example]) => [name, [place, example]]));
    this.givenBy = new Map(this.options.filter((option) => option[4]).map(([name, , , , letter]) => [letter, name]));
    this.readable = new Map(sheet.data.order.map((name) => [name, name]));
    this.letters = new Map([...sheet.readable, ...sheet.data.others.map(([name]) => [name, name])]); // in which steps are answered
  }

  // Inputs as they were typed: whole numbers, 0 too, or formulas in the sizes of the model; what was emptied has no value, and what
  // nobody typed is an example.
  inputs(given, sizes) {
    const values = new Map();
    for (const [name, [place, example]] of this.own) {
      const text = given.get(name),
        formula = place < 0 ? null : this.sheet.formulas[place];
      if (text === "") continue;
      if (text !== undefined) values.set(name, [stripped(text) === "0" ? 0n : this.read(name, text, sizes), 1n]);
      else if (this.givenBy.has(name))
        values.set(name, ratio(BigInt(this.sheet.words.bits[this.chosen(this.givenBy.get(name), given)]), 8n));
      else if (formula && isBound(formula, sizes)) values.set(name, exact(formula, sizes));
      else if (!formula && this.example(example, sizes)) values.set(name, [this.example(example, sizes), 1n]);
    }
    return values;
  }
  // So many, or as many as the context of the model, or of the one beside it that has a shorter one; null for nothing.
  example([usual, isLength], sizes) {
    const context = isLength ? this.sheet.context(sizes)?.value : undefined;
    if (!usual) return isLength ? (context ?? BigInt(this.sheet.words.length)) : null;
    return context !== undefined && context < usual ? context : BigInt(usual);
  }
  // The value of a choice: what was chosen, or what is usual of the model.
  chosen(name, given) {
    const [, , values, usual] = this.options.find(([option]) => option === name),
      own = given.get(name) || usual || this.sheet.data.type;
    return values.includes(own) ? own : this.sheet.words.type;
  }
  // What nobody gave of what is counted with: the letters, and the choices that give one a value.
  examples({ given, taken, values }) {
    return [...this.own.keys()].filter(
      (name) =>
        taken?.has(name) &&
        values.has(name) &&
        !given.has(name) &&
        !given.has(this.givenBy.get(name)) &&
        this.own.get(name)[0] < 0,
    );
  }
  // What the sizes of the model fix, as Whisper's source, cannot be typed as something else.
  checkFixed(inputs, sizes) {
    for (const [name, [place]] of this.own) {
      const formula = place < 0 ? null : this.sheet.formulas[place];
      if (!inputs.has(name) || !formula || !isBound(formula, sizes)) continue;
      const [value] = inputs.get(name),
        [expected] = exact(formula, sizes);
      if (value !== expected)
        throw new Impossible("contradiction", { name, value, formula: plainly(formula), expected }, [name]);
    }
  }
  read(name, text, sizes) {
    const { sheet } = this,
      formula = sheet.read(name, text, this.readable);
    const needs = letters(formula).filter((other) => !sizes.has(other));
    if (needs.length) throw new Impossible("follows", { name, needs }, [name]);
    const value = sheet.whole(formula, sizes, [name, ...letters(formula)], letters(formula).length ? name : "");
    return sheet.positive(name, value, letters(formula).length ? `${name} = ${value}` : asTyped(name, text));
  }

  // The window and the layers that have it, as the config says for so many layers; false where none has one.
  window(sizes) {
    const { data, formulas } = this.sheet,
      { windows } = data,
      found = new Map();
    if (!windows || !sizes.size) return [true, found];
    const window = sizes.has("W") ? sizes.get("W")[0] : BigInt(windows.W);
    if (!window) return [false, found];
    found.set("W", [window, 1n]);
    const isCut = window !== 1n || this.choices.window === "paper";
    if (windows.rule === undefined) return [isCut, found];
    const known = new Map(sizes),
      layers = formulas[windows.layers];
    for (const name of letters(layers)) if (!known.has(name)) known.set(name, [0n, 1n]);
    const [number] = exact(layers, known),
      listed = windows.listed && BigInt(windows.listed[0]) === number;
    const [ruled] = exact(formulas[windows.rule], known),
      windowed = listed ? BigInt(windows.listed[1]) : ruled < 0n ? 0n : ruled;
    found.set("L_window", [windowed, 1n]);
    return [isCut && windowed > 0n, found];
  }

  // The setting of the switches, and the inputs on which something depends in it.
  setting(on, sizes, inputs, isWindowed, given) {
    const { switches } = this.sheet;
    const values = new Map([...sizes, ...inputs]),
      placeOf = (name) => this.options.find(([option]) => option === name)[2].indexOf(this.chosen(name, given));
    const isOne = (formula) => isBound(formula, values) && String(exact(formula, values)) === "1,1";
    const holds = ([condition, name, digits]) =>
      condition === "one"
        ? isOne(this.sheet.formulas[name])
        : condition === "choice"
          ? Boolean((placeOf(name) >> digits) & 1)
          : condition === "class"
            ? digits[name.split(",").reduce((so, each, i) => (on.has(each) ? so | (1 << i) : so), 0)] === "1"
            : condition === "window"
              ? isWindowed
              : condition === "several"
                ? sizes.has(name) && sizes.get(name)[0] > 1n
                : inputs.has(name) && inputs.get(name)[0] !== 0n;
    let setting = this.sheet.featuresOf(on) | (bitsOf(this.conditions.map(holds)) << switches);
    let taken = this.taken(setting);
    this.conditions.forEach(([condition, name], i) => {
      // one after another: of tokens in a cache that there is not, nothing is known
      if (condition === "given" && !taken.has(name)) taken = this.taken((setting &= ~(1 << (switches + i))));
    });
    return [setting, taken];
  }
  // Whether an input is typed as what it is where nobody types it: of nothing in a cache, nothing is said.
  isNothing(name, values) {
    return (
      this.conditions.some(([condition, of]) => condition === "given" && of === name) &&
      values.has(name) &&
      values.get(name)[0] === 0n
    );
  }
  taken(setting) {
    return new Set(this.sheet.parts(`input ${this.name}`, setting).map(([[, name]]) => name));
  }

  // Works the quantity out on a sheet whose sizes are known.
  work(found, given, on) {
    const { sheet } = this,
      sizes = found.values;
    let inputs = new Map();
    try {
      inputs = this.inputs(given, sizes);
    } catch (fault) {
      if (!(fault instanceof Impossible)) throw fault;
      if (!found.fault) found.fault = fault;
    }
    const [isWindowed, windows] = this.window(sizes);
    [found.setting, found.taken] = this.setting(on, sizes, inputs, isWindowed, given);
    const parameters = found.total;
    found.values = new Map([
      ...Object.entries(sheet.data.fixed).map(([name, value]) => [name, [BigInt(value), 1n]]),
      ...sizes,
      ...windows,
      ...[...inputs].filter(([name]) => found.taken.has(name)),
    ]);
    if (this.counts && isBound(parameters, sizes)) found.values.set(this.counts, exact(parameters, sizes));
    found.sections = sheet.sections(found.setting, this.name);
    found.total = total(found.sections.flatMap(({ added }) => added));
    if (found.fault) return;
    for (const [[, why, path]] of sheet.parts(`lacking ${this.name}`, found.setting))
      throw new Impossible(why, { model: sheet.data.target, quantity: this.name, path });
    this.checkFixed(new Map([...inputs].filter(([name]) => found.taken.has(name))), sizes);
    const needed = letters(found.total).flatMap((name) => (name === this.counts ? letters(parameters) : [name]));
    found.missing = needed.filter((name) => !found.values.has(name));
    if (found.missing.length) return;
    for (const { blocks } of found.sections)
      for (const [kind, place] of blocks) if (kind === "chain") this.inBits(sheet.step(place).written, found.values);
    found.exact = this.inBits(found.total, found.values);
  }

  // A number, which of bytes is one of bits at least: of types of four bits a half is one.
  inBits(formula, values) {
    const found = exact(formula, values);
    if (this.unit !== "bytes" || 8n % found[1]) this.sheet.whole(formula, values, letters(formula));
    return found;
  }
}
// What a quantity takes where nobody gives it, and why.
function exampleOf(...founds) {
  const told = new Set(founds.flatMap((found) => (found?.cost ? examplesOf(found) : [])));
  return told.size ? filledIn(W("example"), { values: [...told].join(W("comma")) }) : "";
}
function examplesOf({ cost, given, taken, values }) {
  const { sheet, givenBy } = cost,
    context = sheet.context(values);
  return cost.examples({ given, taken, values }).map((name) => {
    const option = givenBy.get(name),
      [, isLength] = cost.own.get(name)[1];
    if (option) {
      const type = labelOf(option, cost.chosen(option, given));
      return filledIn(W(sheet.data.type ? "example_type" : "example_unknown_type"), { type, model: sheet.data.target });
    }
    const said = `${lettersOf(letter(name))} = ${grouped(values.get(name)[0])}`;
    if (!isLength || (context && values.get(name)[0] !== context.value)) return said;
    return filledIn(W(context ? "example_context" : "example_length"), { said, ...context });
  });
}
// What a choice is called.
const labelOf = (option, value) => words.options[option][value][state.language];
