// Packing: the data as a page holds it, where what repeats is written once, as the rest of the page reads it.
function unpacked(data) {
  const { texts, fields, variants } = data,
    keys = Object.keys(data.sentences);
  const cut = (text) => text.split(/\{(\w+)\}/).flatMap((part, i) => (i % 2 ? [[part]] : part ? [part] : []));
  const sentences = Object.fromEntries(keys.map((key) => [key, data.sentences[key].map(cut)]));
  const placeholders = Object.values(sentences).map((cuts) => [...new Set(cuts.flat().filter(Array.isArray).flat())].sort());
  // What stands in a field of an entry, by its kind.
  const fieldOf = {
    h: (said) => (typeof said === "number" ? ["C", ["n", said]] : value(said)),
    n: (said) => (typeof said === "number" ? ["n", said] : value(said)),
    v: value,
    V: (said) => said.map(value),
    t: (place) => texts[place],
    T: (places) => places.map((place) => texts[place]),
  };
  const entryOf = (entry, kinds) => entry.map((said, i) => (fieldOf[kinds[i]] ? fieldOf[kinds[i]](said) : said));
  function value(said) {
    if (typeof said === "number") return ["x", said];
    const [kind, first, ...rest] = said;
    switch (kind) {
      case "s":
        return [kind, first, rest.flatMap((each, i) => (each === null ? [] : [[placeholders[first][i], value(each)]]))];
      case "C":
        return [kind, value(first)];
      case "l":
        return [kind, first, rest[0].map(value)];
      case "p":
        return [kind, first.map(value)];
      case "heads":
        return [kind, first.map((place) => keys[place]), rest[0].map(([name, term]) => [name, value(term)])];
      case "since":
        return [kind, first, rest[0] ?? []];
      case "copies":
        return [kind, first, keys[rest[0]], ...rest.slice(1)];
    }
    return said;
  }
  // Places that are written as their differences from the one before; null is none.
  const summed = () => {
    let last = 0;
    return (more) => (more === null ? -1 : (last += more));
  };
  const [result, closing, form, first] = [summed(), summed(), summed(), summed()];
  const parts = {},
    kindOf = new Map(); // of an entry of the pool
  for (const [kind, written] of Object.entries(data.parts)) {
    parts[kind] = written.map(([place, ...key]) => [[kind, ...fieldOf.T(key)], ...variants[place]]);
    const [name] = kind.split(" ");
    if (fields[name]) for (const [, , of] of parts[kind]) for (const place of of) kindOf.set(place, name);
  }
  const [usual] = Object.values(data.letters);
  return {
    ...data,
    ...data.presets[0], // the model for which the file was written
    sentences,
    letters: Object.fromEntries(Object.entries(data.letters).map(([name, others]) => [name, { ...usual, ...others }])),
    features: data.features.map(([name, said, part, label = part]) => [name, said, part, label]),
    names: data.names.map((name) => name.map(([full, short = full]) => [full, short])),
    parts,
    pool: data.pool.map((entry, place) => entryOf(entry, fields[kindOf.get(place)] ?? "")),
    blocks: data.blocks.map((block) =>
      typeof block === "number" ? ["chain", block, -1, 0] : [block[0], ...entryOf(block.slice(1), fields[block[0]] ?? "")],
    ),
    formulas: data.formulas.map((entry, place) =>
      typeof entry === "number"
        ? ["size", place - entry]
        : typeof entry[0] === "number"
          ? ["N", entry[0], place - entry[1]]
          : entry,
    ),
    steps: data.steps.map(([step, of, closes = 0, parts = []]) => [result(step), closing(of), closes, parts]),
    closings: data.closings.map((entry) => (typeof entry === "number" ? [[], [form(entry)]] : [entry[0], entry[1].map(form)])),
    closed: data.closed.map(([place, ...rest]) => (place === undefined ? [] : [first(place), ...rest])),
  };
}
