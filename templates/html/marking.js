// Marking: what an answer in practice is worth, by its values. What people leave out or write otherwise is read, too: 2Lh², V×h.
const SIGNS = {
    "·": "*",
    "⋅": "*",
    "∗": "*",
    "•": "*",
    "∙": "*",
    "÷": "/",
    "⁄": "/",
    "∕": "/",
    "–": "-",
    "—": "-",
    "[": "(",
    "]": ")",
    "【": "(",
    "】": ")",
    "、": ",",
  },
  AROUND = /^\s*(?:[=≈~]|约|about\b)\s*|\s*(?:parameters|params|个?参数|个|[。.;；])\s*$/giu;
// Superscripts are powers before letters and digits of other widths become the usual ones.
const asAnswered = (text) =>
  superscripts(text)
    .normalize("NFKC")
    .replace(/[·⋅∗•∙÷⁄∕–—[\]【】、]/g, (sign) => SIGNS[sign])
    .replace(/\$|\\[()]/g, "")
    .replace(/([_^])\{(\w+)\}/g, "$1$2")
    .replace(AROUND, "");
// What people call a letter: by its name, with and without its index apart, as the notation writes it, by a config's key.
const OTHERS = {
  h: ["d_model"],
  L: ["n_layers", "n_layer"],
  V: ["n_vocab", "vocab_size"],
  d_head: ["d_k"],
  d_ff: ["d_ffn"],
  n_heads: ["n_head"],
  n_kv_heads: ["n_kv"],
};
function lettersOfAnswers(sheet, { cost }, notation) {
  const known = [...new Set((cost ? cost.letters : sheet.readable).values())],
    written = Object.entries(sheet.data.letters[notation] ?? {});
  return new Map([
    ...known.flatMap((name) => (OTHERS[name] ?? []).map((other) => [other, name])),
    ...known.map((name) => [name.replace(/_/g, ""), name]),
    ...known.map((name) => [name, name]),
    ...written.filter(([name]) => known.includes(name)).map(([name, [, , , text]]) => [text, name]),
  ]);
}
// The verdict on an answer: "right", "here" where it comes to the right number at these sizes alone, "not_yet" with the usual
// mistakes that lead to it, "unread".
function marked(sheet, found, step, text, notation) {
  try {
    const { values, relations } = found,
      formula = parse(asAnswered(text), lettersOfAnswers(sheet, found, notation)),
      numberOf = (each) => (isBound(each, values) ? exact(each, values) : null),
      isSame = (other) =>
        letters(formula).length ? agree(formula, other, relations) : same(numberOf(formula), numberOf(other));
    if (isSame(step.written)) return { key: "right" };
    const mistakes = sheet.mistakes(step).filter(([wrong]) => isSame(wrong));
    if (mistakes.length) return { key: "not_yet", mistakes: mistakes.flatMap(([, names]) => names) };
    return { key: same(numberOf(formula), numberOf(step.written)) ? "here" : "not_yet", mistakes: [] };
  } catch (impossible) {
    if (!(impossible instanceof Impossible)) throw impossible;
    return { key: "unread" };
  }
}
const same = (a, b) => a !== null && b !== null && a[0] * b[1] === b[0] * a[1];
