// What cannot be, field by field, and the nearest values that can.
const MOST_FAULTS = 12,
  FARTHEST = 512,
  NEARBY = new Set(["fraction", "sum", "more", "less"]);
// What cannot be, in a language: its terms are texts, lists of them, or such sentences again.
function told({ key, terms }, wordOf) {
  const termOf = (term) =>
    Array.isArray(term) ? term.map(termOf).join(wordOf("comma")) : term?.terms ? told(term, wordOf) : String(term ?? "");
  return wordOf(`errors.${key}`).replace(/\{(\w+)\}/g, (_, name) => termOf(terms[name]));
}
function faultAmong(sheet, given, on, cost) {
  try {
    const values = sheet.values(sheet.sizes(given)),
      setting = sheet.setting(on, values, given);
    if (["size", "sum", "tie"].some((kind) => sheet.parts(kind, setting).length))
      sheet.checkTree(setting, values, sheet.holding(values, given));
    if (cost) cost.inputs(given, values);
    return null;
  } catch (fault) {
    if (!(fault instanceof Impossible)) throw fault;
    return fault;
  }
}
// Of each field that is wrong what is said of it: the first fault, then what is left without that field.
function faultsOf(sheet, { fault, cost }, { given, on }, last) {
  const found = new Map(),
    rest = new Map(given);
  while (fault && found.size < MOST_FAULTS && !fault.about.some((name) => found.has(name))) {
    const at = fault.about.includes(last) ? last : (fault.about.find((name) => rest.has(name)) ?? fault.about[0]);
    if (at === undefined) break;
    found.set(at, fault);
    if (!rest.delete(at)) break;
    fault = faultAmong(sheet, rest, on, cost);
  }
  return found;
}
// What the rest comes to without the fields that are wrong.
function withoutFaults(sheet, given, faults) {
  try {
    return sheet.values(sheet.sizes(new Map([...given].filter(([name]) => !faults.has(name)))));
  } catch (fault) {
    if (!(fault instanceof Impossible)) throw fault;
    return new Map();
  }
}
const fits = (sheet, { given, on }, name, value) => {
  const fault = faultAmong(sheet, new Map(given).set(name, String(value)), on);
  return !fault || !fault.about.includes(name);
};
// The next value in a direction with which nothing is wrong: one by one, then by the sizes that must divide it.
function nextThatFits(sheet, tab, name, value, direction, units) {
  for (let i = 1n; i <= FARTHEST; i++) {
    const next = value + direction * i;
    if (next < 1n) return null;
    if (fits(sheet, tab, name, next)) return next;
  }
  const multiples = units
    .map((unit) => (direction < 0n ? (value - 1n) / unit : value / unit + 1n) * unit)
    .filter((next) => next > 0n && fits(sheet, tab, name, next));
  return multiples.sort((a, b) => (a < b ? -1 : 1) * Number(direction))[0] ?? null;
}
// The values on either side of a wrong one that nothing is wrong with, whatever else is wrong; what a contradiction expects.
function nearest(sheet, { given, on }, faults, name) {
  const tab = { given: new Map([...given].filter(([other]) => other === name || !faults.has(other))), on },
    typed = given.get(name),
    fault = faults.get(name);
  if (fault.key === "contradiction") return [fault.terms.expected];
  if (!NEARBY.has(fault.key) || !/^\d+$/.test(typed ?? "")) return [];
  const units = fault.about
    .map((other) => tab.given.get(other))
    .filter((text) => /^[1-9]\d*$/.test(text ?? ""))
    .map(BigInt);
  return [-1n, 1n]
    .map((direction) => nextThatFits(sheet, tab, name, BigInt(typed), direction, units))
    .filter((value) => value !== null);
}
