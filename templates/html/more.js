// Other ways to count, and the rule of thumb, of the settings as they are.
const besides = sheets.map((sheet) => new Besides(sheet));
// A formula with its sign, a plus too: it says what is added.
function signed(formula) {
  const [first, ...others] = atoms(formula);
  const plus = formula.op === "-" || (formula.op === "+" && formula.of[0].op === "-") ? "" : '<mo form="prefix">+</mo>';
  return [math(plus + first.markup), ...others.map(({ sign, markup }) => math(`<mo form="infix">${sign}</mo>${markup}`))].join(
    "<wbr>",
  );
}
const difference = ([value]) => (value < 0n ? "−" : "+") + digits(value < 0n ? -value : value);
function rowsOf(key, headings, rows) {
  const said = (name) => escape(sheetNow().data.sentences[`columns.${name}`][state.language].join("")),
    isBound = found.count !== null;
  const cells = rows.map(
    ([name, formula, number]) =>
      `<tr><th scope="row">${html(name)}</th><td>${formula}</td>${isBound ? `<td class="n">${number}</td>` : ""}</tr>`,
  );
  return `<div class="wide ${lengthOfNumbers()}"><table><caption class="vh">${said(key)}</caption><thead><tr>${headings.map((heading, i) => (i < 2 || isBound ? `<th scope="col"${i > 1 ? ' class="n"' : ""}>${said(heading)}</th>` : "")).join("")}</tr></thead><tbody>${cells.join("")}</tbody></table></div>`;
}
function drawMore() {
  $("#more").hidden = Boolean(found.cost);
  if (found.cost) return;
  const said = (key) => sheetNow().data.sentences[key][state.language].join(""),
    sections = [];
  const conventions = besides[state.tab].conventions(found),
    rule = besides[state.tab].rule(found);
  if (conventions.length) {
    const own = [capital([said("notes.convention.own")]), "", digits(found.count ?? 0n)];
    const rows = conventions.map(({ said: name, difference: formula, value }) => [
      speech.runs(name),
      signed(formula),
      value === null ? "" : digits(found.count + value[0]),
    ]);
    sections.push(["conventions", rowsOf("convention", ["convention", "difference", "parameters"], [own, ...rows])]);
  }
  if (rule) {
    const { data, formulas } = sheetNow(),
      ends = [rule.squares, rule.value && number(rule.value[0])].filter(Boolean);
    const opening = html(
      speech.sentence(
        `rule.${rule.what}`,
        data.rule.parts.map(([name, place]) => [name, ["f", formulas[place]]]),
      ),
    );
    const formula = [terms(rule.estimate), ...ends.map((each) => math(`<mo>=</mo>${printers.mathml.print(each)}`))].join(
      "<wbr>",
    );
    const tables = sheetNow()
      .parts("tables", found.setting)
      .map(([, place]) => data.pool[place][0]);
    const rows = rule.sources.map(({ name, cell, value }) => [
      name === "embedding_tables" && tables.length ? speech.runs(tables[0]) : capital([said(`rule.${name}`)]),
      cell ? signed(cell) : "",
      value ? difference(value) : "",
    ]);
    sections.push([
      "rule",
      `<p>${opening}</p><p class="formula">${formula}</p><p>${html(speech.paragraph([...errorOf(rule), ["s", "rule.missing", []]]))}</p>${rowsOf("source", ["source", "difference", "parameters"], rows)}`,
    ]);
  }
  put(
    $("#more"),
    sections
      .map(([key, inner]) => `<section data-section="${key}"><h3>${escape(said(`headings.${key}`))}</h3>${inner}</section>`)
      .join(""),
  );
}
// By how much of the count the rule misses it; nothing where there is no count.
function errorOf({ value }) {
  if (!value) return [];
  const off = found.count - value[0],
    part = percent(off < 0n ? -off : off, found.count, words.heads[state.language].percent);
  return [["s", off > 0n ? "rule.below" : "rule.above", [["error", ["t", part]]]]];
}
