// The inputs of the quantity that is worked out.
const inputsOf = (tab) => {
  const cost = sheets[tab].costs.get(state.quantity);
  return cost ? [...cost.own.keys(), ...cost.options.map(([name]) => name)] : [];
};
// The state, in the words of the command line; only what differs from the model as it was opened.
function changes(tab) {
  const found = [];
  for (const name of [...sheets[tab].data.order, ...inputsOf(tab)]) {
    const text = tabs[tab].given.get(name);
    if (text !== opened[tab].given.get(name)) found.push([name, text ?? ""]);
  }
  for (const name of sheets[tab].ticked)
    if (tabs[tab].on.has(name) !== opened[tab].on.has(name)) found.push([tabs[tab].on.has(name) ? "with" : "without", name]);
  return found;
}
// A browser refuses an address that changes more often than some twenty times a second.
let saving = 0;
const SOON = 100; // milliseconds
function save() {
  clearTimeout(saving);
  saving = setTimeout(saveNow, SOON);
}
function saveNow() {
  const query = new URLSearchParams([
    ["m", sheetNow().data.target],
    ...(state.quantity === OPENED.quantity ? [] : [["quantity", hyphened(state.quantity)]]),
    ...changes(state.tab),
  ]);
  sheets.forEach(({ data, inputs }, i) => {
    const own = i === state.tab ? [] : changes(i).filter(([name]) => !inputs.has(name)); // the same inputs are of all
    if (own.length) for (const [name, value] of [["m", data.target], ...own]) query.append(name, value);
  });
  if (state.language !== OPENED.language) query.append("lang", words.languages[state.language]);
  if (state.notation !== OPENED.notation) query.append("notation", state.notation);
  if (state.view !== OPENED.view) query.append("view", state.view);
  if (state.theme !== "auto") query.append("theme", state.theme);
  const hash = `#${query}`;
  if (hash !== location.hash)
    try {
      history.replaceState(null, "", hash);
    } catch {
      /* a viewer without addresses */
    }
}
function read() {
  const text = location.hash.slice(1);
  if (text && !text.includes("=")) return void setTimeout(() => go(unescaped(text)), 0);
  // What follows another m is of another model.
  const [query, ...others] = [...new URLSearchParams(text)]
    .reduce((so, pair) => {
      if (pair[0] === "m" || !so.length) so.push([]);
      so[so.length - 1].push(pair);
      return so;
    }, [])
    .map((pairs) => new URLSearchParams(pairs));
  readModel(query ?? new URLSearchParams(), others);
  for (const other of others) {
    const tab = sheets.findIndex(({ data }, i) => i !== state.tab && data.target === other.get("m"));
    if (tab >= 0) readSettings(other, tab);
  }
  showTheme();
}
// The model that is open, and how it is read.
function readModel(query, others) {
  const all = [query, ...others],
    wanted = query.get("m")?.toLowerCase(),
    called = ({ target }) => target.toLowerCase() === wanted,
    own = sheets.findIndex(({ data }) => called(data.presets[0])); // before another model of a family that has its own tab
  state.tab = own < 0 ? sheets.findIndex(({ data }) => data.presets.some(called)) : own;
  if (wanted && state.tab < 0) {
    const targets = sheets.flatMap(({ data }) => data.presets).map(({ target }) => target);
    refuse("address", { name: "m", value: query.get("m"), known: targets });
  }
  state.tab = Math.max(0, state.tab);
  const { data, costs } = sheetNow();
  open(state.tab, data.presets.find(called) ?? data.presets[0]);
  const chosen = (name, known, usual) => {
    const value = all.map((each) => each.get(name)).find(Boolean) || usual; // which may stand at the end
    if (known.includes(value)) return value;
    refuse("address", { name, value, known });
    return usual;
  };
  const quantities = ["parameters", ...costs.keys()].map(hyphened);
  state.quantity = chosen("quantity", quantities, hyphened(OPENED.quantity)).replace(/-/g, "_");
  state.language = words.languages.indexOf(chosen("lang", words.languages, words.languages[OPENED.language]));
  state.notation = chosen("notation", Object.keys(data.letters), OPENED.notation);
  state.view = chosen("view", data.views, OPENED.view);
  state.theme = chosen("theme", ["auto", "light", "dark"], "auto");
  readSettings(query, state.tab);
}
// The sizes, inputs and parts of a model.
function readSettings(query, tab) {
  const { data, ticked, readable, inputs, costs } = sheets[tab],
    { on } = tabs[tab],
    options = [...costs.values()].flatMap((cost) => cost.options);
  for (const key of ["with", "without"])
    for (const value of query.getAll(key))
      if (!ticked.includes(value)) refuse("address", { name: key, value, known: ticked });
      else if (key === "with") on.add(value);
      else on.delete(value);
  for (const [key, value] of query) {
    const name = readable.get(key) ?? key,
      known = options.find(([option]) => option === key)?.[2] ?? [value];
    if (!known.includes(value)) refuse("address", { name, value, known });
    else if (readable.has(key) || inputs.has(key)) give(name, value, tab);
    else if (!KEYS.has(key)) refuse("dimension", { model: data.title, value: key, known: data.order });
  }
}
// What the address says besides sizes and inputs.
const KEYS = new Set(["m", "quantity", "with", "without", "lang", "notation", "view", "theme"]);
const hyphened = (name) => name.replace(/_/g, "-");
// What the address asks for and the page has not; a few of the names that it has.
const MOST_NAMED = 8;
const refuse = (key, { value, known, ...terms }) =>
  state.refused.push({
    key,
    terms: { ...terms, value: clipped(value), known: known.length > MOST_NAMED ? [...known.slice(0, MOST_NAMED), "…"] : known },
  });
const ungrouped = (text) =>
  /^\s*(\d{1,3}([,，]\d{3})+|\d+(_\d+)*)\s*$/.test(text) ? text.replace(/[,，_\s]/g, "").replace(/^0+(?=\d)/, "") : text.trim();
// An input is of all the models that have it, a size of one; an input that is emptied is no example any more.
function give(name, text, tab = state.tab) {
  const plain = ungrouped(text),
    isInput = sheets[tab].inputs.has(name);
  for (const [i, each] of tabs.entries()) {
    if (isInput ? !sheets[i].inputs.has(name) : i !== tab) continue;
    each.found = undefined;
    if (plain || isInput) each.given.set(name, plain);
    else {
      each.given.delete(name);
      each.emptied.add(name);
    }
  }
  state.last = name;
}
const showTheme = () => {
  if (state.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = state.theme;
};
const unescaped = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
function go(id) {
  const place = document.getElementById(id);
  if (!place) return;
  place.scrollIntoView({ block: "start" });
  place.focus({ preventScroll: true });
}
