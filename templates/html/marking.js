// Marking: what an answer in practice is worth, by its values. It is read by the tables of Python's quiz: 2Lh², V×h, d_model.
// Superscripts are powers before letters and digits of other widths become the usual ones.
function asAnswered(text, { signs, before, after }) {
  const plain = [...superscripts(text).normalize("NFKC")].map((sign) => signs[sign] ?? sign).join(""),
    [first, last] = [before, after].map((pattern) => new RegExp(pattern, "iu"));
  const bare = plain
    .replace(/\$|\\[()]/g, "")
    .replace(/([_^])\{(\w+)\}/g, "$1$2")
    .trim();
  return bare.replace(first, "").replace(last, "").replace(last, "").trim();
}
// What people call a letter: by its name, with and without its index apart, as the notation writes it, by a config's key.
function lettersOfAnswers(sheet, { cost }, notation) {
  const known = [...new Set((cost ? cost.letters : sheet.readable).values())],
    written = Object.entries(sheet.data.letters[notation] ?? {});
  return new Map([
    ...known.flatMap((name) => (sheet.words.replies.names[name] ?? []).map((other) => [other, name])),
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
      { replies, amounts } = sheet.words,
      names = lettersOfAnswers(sheet, found, notation),
      answer = asAnswered(text, replies),
      numberOf = (each) => (isBound(each, values) ? exact(each, values) : null),
      typed = amountIn(answer, (word) => (spelling(word, names) ? null : scaleIn(amounts.parameters)(word))),
      formula = typed ? ZERO : parse(answer, names);
    const { value, last } = typed ?? { value: numberOf(formula), last: [0n, 1n] },
      isInLetters = letters(formula).length > 0,
      isSame = (other) => (isInLetters ? agree(formula, other, relations) : same(value, numberOf(other))),
      isRounded = (other) =>
        !isInLetters && numberOf(other) && roundsTo(value, precision({ value, last }, replies.rounded), numberOf(other)),
      wrong = sheet.mistakes(step),
      named = (is) => wrong.filter(([other]) => is(other)).flatMap(([, mistakes]) => mistakes),
      mistakes = named(isSame);
    if (isSame(step.written) || (isRounded(step.written) && (last[0] || !mistakes.length))) return { key: "right" };
    if (mistakes.length) return { key: "not_yet", mistakes };
    return { key: same(value, numberOf(step.written)) ? "here" : "not_yet", mistakes: named(isRounded) };
  } catch (impossible) {
    if (!(impossible instanceof Impossible)) throw impossible;
    return { key: "unread" };
  }
}
const same = (a, b) => a !== null && b !== null && a[0] * b[1] === b[0] * a[1];
// What a word behind a number counts, by a table of such words.
const scaleIn = (table) => (word) => {
  const scale = word ? spelled(word, table) : 1;
  return scale === null ? null : [[BigInt(scale), 1n]];
};
