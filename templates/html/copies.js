// Copies: the same chains through the other printer; the command that prints in a terminal what the page shows.
const single = (text) => `'${text.replace(/'/g, "'\\''")}'`, // in which a shell reads nothing
  quoted = (text) => (/^[\w./:@=-]+$/.test(text) ? text : /["$`\\!]/.test(text) ? single(text) : `"${text}"`);
function command() {
  const { data, known } = sheetNow(),
    { given, on } = tabNow(),
    { cost } = found,
    isGiven = (name) => found.values.has(name) && (given.has(name) || !cost.givenBy.has(name)) && cost.own.get(name)[0] < 0,
    inputs = cost ? [...found.taken].filter((name) => isGiven(name) && !cost.isNothing(name, found.values)) : [];
  // A size that the target gives by itself is left out of symbols only: of all, or of those of its family.
  const own = data.alone ?? opened[state.tab],
    names = data.order.filter((name) => given.has(name)),
    isLost = data.order.some((name) => held(own).has(name) && !given.has(name) && !known.has(name)),
    isSymbolic = isLost && !names.length && !inputs.length;
  if (isLost && !isSymbolic && !data.base) return "";
  const { typed: [target, family] = [data.target], alone = own } = isLost && !isSymbolic ? data.base : data;
  const has = new Set(alone.on);
  const chosen = [...new Set([...data.features.map(([name]) => name), ...has, ...on])]
    .filter((name) => has.has(name) !== on.has(name))
    .map((name) => `--${on.has(name) ? "with" : "without"} ${name}`);
  const [typed, follow] = moved(held(alone)).map((sizes) => sizes.map(([name, text]) => `--set ${name}=${quoted(text)}`));
  return [
    "symparams derive",
    quoted(target),
    family && `--architecture ${quoted(family)}`,
    cost && `--quantity ${cost.name.replace(/_/g, "-")}`,
    ...Object.entries(cost?.choices ?? {}).map(([name, value]) => `--${name.replace(/_/g, "-")} ${quoted(value)}`),
    ...(cost?.options ?? []).filter(([name]) => given.has(name)).map(chosenIn(given)),
    ...inputs.map((name) => `--set ${name}=${quoted(given.get(name) ?? String(found.values.get(name)[0]))}`),
    ...typed,
    ...chosen,
    ...follow,
    isSymbolic && "--symbolic",
    ...reading(),
  ]
    .filter(Boolean)
    .join(" ");
}
// A choice: its option with its value, or the switch of one that is not as it is without.
const chosenIn =
  (given) =>
  ([name, flag, [off]]) =>
    flag.endsWith(" ") ? flag + quoted(given.get(name)) : given.get(name) !== off && flag;
// The sizes that are others than these: those that were typed, as they were, and what follows from them. What has numbers has
// nothing but numbers: what follows from a size that was changed is said where it is another than its own.
function moved(sizes) {
  const { data, known, fixed } = sheetNow(),
    { given } = tabNow();
  const own = current.fault ? new Map() : data.alone ? sizes : numbersOf(sheetNow().values(sheetNow().sizes(sizes)));
  const follow = [...known.keys()]
    .filter((name) => (!fixed.has(name) || sizes.has(name)) && !given.has(name) && own.has(name) && found.values.has(name))
    .map((name) => [name, String(found.values.get(name)[0])])
    .filter(([name, text]) => own.get(name) !== text);
  return [
    data.order.filter((name) => given.has(name) && given.get(name) !== sizes.get(name)).map((name) => [name, given.get(name)]),
    follow,
  ];
}
const held = (own) => (own.given ? own.given : new Map(Object.entries(own.held))),
  numbersOf = (values) => new Map([...values].map(([name, [value]]) => [name, String(value)]));
// The view, the letters and the language, where they are others than a terminal's.
const PER_HEAD = "per-head";
const reading = () => [
  !found.cost && state.view !== sheetNow().data.views[0] && `--${state.view === PER_HEAD ? "attention" : "view"} ${state.view}`,
  state.notation !== "hidden" && `--notation ${state.notation}`,
  ...Object.entries(state.notation === OPENED.notation ? OPENED.symbols : {}).map(
    (pair) => `--symbol ${quoted(pair.join("="))}`,
  ),
  state.language !== words.usual && `--lang ${words.languages[state.language]}`,
];
// Lines of an article: its column and what stands in it in ems, as wide as the letters of TeX are on the average.
const COLUMN = 32.5,
  INDENT_TEX = 2;
const breadth = (tex) =>
  tex
    .replace(/\\underbrace\{(.*?)\}_ \{\\text\{(.*?)\}\}/g, (_, inner, label) =>
      0.35 * wide(label) > breadth(inner) ? "M".repeat(Math.ceil((0.35 * wide(label)) / 0.65)) : inner,
    )
    .replace(/_\{\\text\{(.*?)\}\}|\\mathrm\{(.*?)\}/g, (_, index, word) => "s".repeat(wide(index ?? word)))
    .replace(/\\(times|cdot|,|min|[a-zA-Z]+)/g, (_, name) => ({ times: "=", cdot: "=", ",": "" })[name] ?? "M")
    .replace(/\{,\}/g, ",")
    .replace(/[{}_ ]/g, "")
    .split("")
    .reduce(
      (so, c) => so + (/[=+-]/.test(c) ? 1.25 : /\d/.test(c) ? 0.5 : /[(),]/.test(c) ? 0.38 : c === "s" ? 0.42 : 0.65),
      0,
    );
const wide = (text) => [...text].reduce((so, c) => so + (isIdeograph(c) ? 2 : 1), 0);
// Where a line may part: [the sign before it, what stands there]; a term that is wider than a line parts within.
function parted(formula, room, within = ANY) {
  const { tex } = printers,
    whole = tex.print(formula, within),
    inner = formula.op === "size" || formula.op === "_" ? formula.of[0] : formula;
  if (breadth(whole) <= room || (inner.op !== "+" && inner.op !== "*")) return [["", whole]];
  const sign = inner.op === "+" ? "+" : formula.op === "size" ? "\\cdot" : "\\times";
  const found = inner.of.flatMap((each, i) => {
    const isNegative = each.op === "-",
      term = isNegative ? each.of[0] : each;
    return parted(term, room, inner.op === "+" ? SUM : PRODUCT).map(([before, text], j) =>
      j ? [before, text] : [i ? (isNegative ? "-" : sign) : "", !i && isNegative ? `-${text}` : text],
    );
  });
  if (inner.op === "+" && within >= SUM) {
    found[0][1] = `(${found[0][1]}`;
    found[found.length - 1][1] += ")";
  }
  return found;
}
function inLines(formula, room) {
  const whole = printers.tex.print(formula),
    lines = [""];
  if (breadth(whole) <= room) return whole;
  for (const [sign, text] of parted(formula, room - INDENT_TEX)) {
    const last = lines.length - 1,
      longer = [lines[last], sign, text].filter(Boolean).join(" ");
    if (lines[last] && breadth(longer) > room - (last ? INDENT_TEX : 0)) lines.push(`{}${sign} ${text}`);
    else lines[last] = longer;
  }
  return lines.join(" \\\\\n&\\quad ");
}
// A character that the language's fonts lack in TeX is its number.
const reached = (text) =>
  text.replace(
    new RegExp(`[^\\x00-\\x7f${words.heads[state.language]["latex.characters"]}]`, "gu"),
    (c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
function paper(isMarkdown) {
  const { tex } = printers,
    sheet = sheetNow();
  const text = (runs) =>
    runs
      .map((run) =>
        typeof run === "string"
          ? isMarkdown
            ? run
                .replace(/[\\`*_{}[\]<>#|~$^]/g, "\\$&")
                .replace(/&/g, "&amp;")
                .replace(/@/g, "&#64;")
            : texText(reached(run))
          : `$${tex.print(run)}$`,
      )
      .join("");
  const heading = (level, said) =>
    isMarkdown ? `${"#".repeat(level)} ${said}\n\n` : `\\${level === 1 ? "section" : "subsection"}*{\\raggedright ${said}}\n`;
  const chain = (step, instead, isClosed) => {
    const links = sheet.chain(step, found, instead, isClosed).map(({ formula }) => formula),
      left = tex.print(step.named),
      room = COLUMN - breadth(left) - 1.5;
    const printed = links.map((formula) => tex.print(formula)),
      isShort = printed.every((link) => !/underbrace/.test(link)) && breadth(printed.join(" = ")) <= room;
    const rows = isShort ? [printed.join(" = ")] : links.map((formula) => inLines(formula, room));
    const aligned = `${left} &= ${rows.join(" \\\\\n&= ")}`;
    return isMarkdown
      ? `$$\n\\begin{aligned}\n${aligned}\n\\end{aligned}\n$$\n\n`
      : `\\begin{align*}\n${aligned}\n\\end{align*}\n`;
  };
  const blocks = found.sections.map(
    ({ heading: title, blocks: inner }) =>
      heading(2, text(speech.runs(title))) +
      inner
        .map(([kind, first, second, third]) => {
          if (kind === "chain") return chain(sheet.step(first), second >= 0 ? sheet.formulas[second] : null, third === 1);
          const bold = (said) => (isMarkdown ? `**${said}** ` : `\\textbf{${said}} `);
          return (
            (kind === "item"
              ? bold(text(spaced(speech.sentence("steps.item", [["name", ["C", first]]])))) + text(speech.paragraph(second))
              : text(speech.paragraph(first))) + (isMarkdown ? "\n\n" : "\n")
          );
        })
        .join(""),
  );
  return (
    heading(1, text([$("h1").textContent])) +
    blocks.join("\n") +
    heading(2, text([W("total")])) +
    chain(sheet.wholeStep(found), null, false)
  );
}
async function copy(button) {
  if (late) settle(); // what was typed a moment ago counts
  const text = {
    latex: () => paper(false),
    markdown: () => paper(true),
    number: () => (current.exact ? quotientText(current.exact) : ""),
    command,
    link: () => {
      saveNow();
      return location.href;
    },
  }[button.dataset.copy]();
  let isDone = text !== "";
  if (isDone)
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      isDone = document.execCommand("copy");
      field.remove();
      button.focus();
    }
  window.symparamsCopied = text;
  const why = button.dataset.copy === "number" ? $("#why").textContent || $("#about").textContent : W("no_command");
  $("#done").textContent = text ? W(isDone ? "copied" : "not_copied") : why;
  $("#done").classList.toggle("bad", !isDone);
  clearTimeout(copy.late);
  copy.late = setTimeout(
    () => {
      $("#done").textContent = "";
    },
    text ? 1800 : 6000,
  );
}
