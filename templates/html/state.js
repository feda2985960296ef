// What is open: the models of the file, what was typed and ticked for each, the language and the letters.
const $ = (selector, root = document) => root.querySelector(selector),
  $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const BEGUN = performance.now();
const DATA = JSON.parse($("#data").textContent),
  { words } = DATA;
const sheets = DATA.models.map((data) => new Sheet(data, words));
const OPENED = DATA.opened; // which model, language, notation and parts the file was written for
const state = {
  tab: 0,
  language: OPENED.language,
  notation: OPENED.notation,
  view: OPENED.view,
  quantity: OPENED.quantity,
  theme: "auto",
  practice: false,
  last: "",
  refused: [], // of an address that was just read
  solved: new Set(),
};
const openedAs = ({ held, on, assumed }, inputs) => ({
  given: new Map(Object.entries({ ...held, ...inputs })),
  on: new Set(on),
  assumed,
});
const opened = sheets.map(({ data }) => openedAs(data, data.inputs));
const fresh = (tab) => ({ given: new Map(opened[tab].given), on: new Set(opened[tab].on), emptied: new Set() });
const tabs = opened.map((_, tab) => fresh(tab));
function shareContext() {
  const found = sheets.map((sheet, i) => sheet.context(sheet.values(sheet.sizes(opened[i].given)))).filter(Boolean);
  const shortest = found.reduce((so, each) => (so && so.value <= each.value ? so : each), null);
  for (const sheet of sheets) if (sheets.length > 1) sheet.shortest = shortest;
}
shareContext();
// A tab as a model of its family has it.
function open(tab, preset) {
  const { data } = sheets[tab];
  Object.assign(data, { typed: undefined, alone: undefined }, preset);
  opened[tab] = openedAs(preset, data.inputs);
  tabs[tab] = fresh(tab);
  for (const sheet of sheets) sheet.shortest = null;
  shareContext();
  for (const each of tabs) each.found = undefined;
}
const W = (key) => words.page[key][state.language];
const sheetNow = () => sheets[state.tab],
  tabNow = () => tabs[state.tab],
  costNow = () => sheetNow().costs.get(state.quantity);
const unitOf = (cost) =>
  cost && words.units[cost.unit]
    ? words.units[cost.unit][state.language]
    : { name: W("parameters"), rounding: words.heads[state.language].rounding };
// What is typed, worked out; what is shown of it, which is older where a value cannot be; the model as it was opened.
let current, found, base, speech, printers;

// Markup is set where it is another than the one that was set before: what stays is not laid out again.
const lastPut = new WeakMap();
function put(place, markup) {
  if (lastPut.get(place) === markup) return;
  lastPut.set(place, markup);
  place.innerHTML = markup;
}
function reprint() {
  document.documentElement.lang = words.heads[state.language].tag; // before anything is measured
  printers = printersNow();
  measured.clear();
  kept = new WeakMap();
}
function printersNow() {
  const { data } = sheetNow(),
    letterOf = (name) => data.letters[state.notation][name] || [name, "", name, name];
  const called = [1, 0].map((form) => (place) => data.names[place][state.language][form]); // as an index, and in full under a brace
  const cost = costNow(),
    counted = { count: cost ? cost.letter : "N", unit: unitOf(cost).name };
  const tex = Object.assign(new Printer(LATEX, letterOf, ...called), counted);
  return { tex, mathml: Object.assign(new Printer(MATHML, letterOf, ...called), { tex, ...counted }) };
}
const math = (markup) => `<math>${markup}</math>`;
// A formula in running text: one that is long may part.
const LONG = 40; // characters
function inline(formula) {
  const markup = printers.mathml.print(formula);
  return markup.replace(/<[^>]*>/g, "").length > LONG ? terms(formula) : math(markup);
}
const html = (runs) =>
  runs
    .map((run) => (typeof run === "string" ? escape(run) : inline(run)))
    .join("")
    .replace(/(<math>(?:(?!<math>).)*<\/math>)([，。；：、）])/g, '<span class="kept">$1$2</span>'); // a browser would begin a line with it
const fault = (impossible) => told(impossible, W);
