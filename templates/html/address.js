// The inputs of the quantity that is worked out.
const inputsOf = (tab) => {
  const cost = sheets[tab].costs.get(state.quantity);
  return cost ? [...cost.own.keys()] : [];
};
// The state, in the words of the command line; only what differs from the model as it was opened.
function changes(tab) {
  const found = [];
  for (const name of sheets[tab].data.order) {
    const text = tabs[tab].given.get(name);
    if (text !== opened[tab].given.get(name)) found.push([name, text ?? ""]);
  }
  for (const name of inputsOf(tab)) {
    const text = tabs[tab].given.get(name);
    if (text !== opened[tab].given.get(name)) found.push([name, text ?? ""]);
  }
  for (const [name] of sheets[tab].data.features)
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
    ...(state.quantity === OPENED.quantity ? [] : [["quantity", state.quantity.replace(/_/g, "-")]]),
    ...changes(state.tab),
  ]);
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
  const query = new URLSearchParams(text),
    called = ({ target }) => target === query.get("m"),
    own = sheets.findIndex(({ data }) => called(data.presets[0])); // before another model of a family that has its own tab
  state.tab = Math.max(0, own < 0 ? sheets.findIndex(({ data }) => data.presets.some(called)) : own);
  const { data } = sheetNow();
  open(state.tab, data.presets.find(called) ?? data.presets[0]);
  const quantity = (query.get("quantity") ?? OPENED.quantity).replace(/-/g, "_");
  state.quantity = sheetNow().costs.has(quantity) || quantity === "parameters" ? quantity : OPENED.quantity;
  for (const name of [...data.order, ...inputsOf(state.tab)]) if (query.has(name)) give(name, query.get(name));
  const features = new Set(data.features.map(([name]) => name));
  for (const name of query.getAll("with")) if (features.has(name)) tabNow().on.add(name);
  for (const name of query.getAll("without")) tabNow().on.delete(name);
  const language = words.languages.indexOf(query.get("lang"));
  state.language = language >= 0 ? language : OPENED.language;
  state.notation = Object.hasOwn(data.letters, query.get("notation") ?? "") ? query.get("notation") : OPENED.notation;
  state.view = data.views.includes(query.get("view")) ? query.get("view") : OPENED.view;
  state.theme = ["light", "dark"].includes(query.get("theme")) ? query.get("theme") : "auto";
  showTheme();
}
const ungrouped = (text) =>
  /^\s*(\d{1,3}([,，]\d{3})+|\d+(_\d+)*)\s*$/.test(text) ? text.replace(/[,，_\s]/g, "").replace(/^0+(?=\d)/, "") : text.trim();
function give(name, text) {
  const plain = ungrouped(text);
  if (plain) tabNow().given.set(name, plain);
  else {
    tabNow().given.delete(name);
    tabNow().emptied.add(name);
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
