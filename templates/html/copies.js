// Copies: the same chains through the other printer.
function command() {
  const tab = tabNow(), { data, known } = sheetNow(), quoted = (text) => /^[\w.-]+$/.test(text) ? text : `"${text.replace(/["$`\\]/g, "")}"`;
  const inputs = new Set(inputsOf(state.tab)), { cost } = found;
  const said = changes(state.tab).filter(([key]) => !inputs.has(key)).map(([key, text]) => key === "with" || key === "without" ? `--${key} ${text}` : text ? `--set ${key}=${quoted(text)}` : "");
  // A published model has numbers only: what follows a size that was changed is said.
  const follow = [...known].filter(([name]) => !sheetNow().fixed.has(name) && !tab.given.has(name) && said.length && found.values.has(name)).map(([name]) => `--set ${name}=${found.values.get(name)[0]}`);
  const given = cost ? [`--quantity ${cost.name.replace(/_/g, "-")}`, ...Object.entries(cost.choices).map(([name, value]) => `--${name.replace(/_/g, "-")} ${quoted(value)}`), ...[...found.taken].filter((name) => tab.given.has(name)).map((name) => `--set ${name}=${quoted(tab.given.get(name))}`)] : [];
  return ["symparams derive", quoted(data.target), ...given, ...said, ...follow].filter(Boolean).join(" ");
}
function paper(isMarkdown) {
  const { tex } = printers, sheet = sheetNow();
  const text = (runs) => runs.map((run) => typeof run === "string" ? (isMarkdown ? run.replace(/[\\`*_{}[\]<>#|~$^]/g, "\\$&") : texText(run)) : `$${tex.print(run)}$`).join("");
  const heading = (level, said) => isMarkdown ? `${"#".repeat(level)} ${said}\n\n` : `\\${level === 1 ? "section" : "subsection"}*{${said}}\n`;
  const chain = (step, instead, isClosed) => {
    const links = sheet.chain(step, found, instead, isClosed).map(({ formula }) => tex.print(formula));
    const rows = links.join("").length < 70 ? [links.join(" = ")] : links;
    const aligned = `${tex.print(step.named)} &= ${rows.join(" \\\\\n&= ")}`;
    return isMarkdown ? `$$\n\\begin{aligned}\n${aligned}\n\\end{aligned}\n$$\n\n` : `\\begin{align*}\n${aligned}\n\\end{align*}\n`;
  };
  const blocks = found.sections.map(({ heading: title, blocks: inner }) => heading(2, text(speech.runs(title))) + inner.map(([kind, first, second, third]) => {
    if (kind === "chain") return chain(sheet.step(first), second >= 0 ? sheet.formulas[second] : null, third === 1);
    const bold = (said) => isMarkdown ? `**${said}** ` : `\\textbf{${said}} `;
    return (kind === "item" ? bold(text(spaced(speech.sentence("steps.item", [["name", ["C", first]]])))) + text(speech.paragraph(second)) : text(speech.paragraph(first))) + (isMarkdown ? "\n\n" : "\n");
  }).join(""));
  return heading(1, text([$("h1").textContent])) + blocks.join("\n") + heading(2, text([W("total")])) + chain(sheet.wholeStep(found), null, false);
}
async function copy(button) {
  const text = { latex: () => paper(false), markdown: () => paper(true), number: () => found.count === null ? "" : String(found.count), command }[button.dataset.copy]();
  let isDone = true;
  try { await navigator.clipboard.writeText(text); } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    isDone = document.execCommand("copy");
    field.remove();
    button.focus();
  }
  window.symparamsCopied = text;
  $("#done").textContent = W(isDone ? "copied" : "not_copied");
  clearTimeout(copy.late);
  copy.late = setTimeout(() => { $("#done").textContent = ""; }, 1800);
}
