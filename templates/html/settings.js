// Settings: a field for each letter, a box for each part; beside a part what it adds.
function drawSettings() {
  drawNotations();
  drawModels();
  const { data } = sheetNow(),
    { language } = state;
  const cost = costNow(),
    row = ([name, , meanings]) =>
      `<div class="row" data-tab="${state.tab}" data-dimension="${escape(name)}"><label for="i-${escape(name)}"><span class="sy"${sheetNow().fixed.has(name) ? "" : ` data-number="${escape(name)}"`}>${math(printers.mathml.print(letter(name)))}</span> <span>${escape(meanings[language])}</span></label><span class="num">${stepper(name, -1)}<input id="i-${escape(name)}" name="${escape(name)}" autocomplete="off" spellcheck="false" autocapitalize="off" aria-describedby="e-${escape(name)}">${stepper(name, 1)}</span><p id="e-${escape(name)}"></p><div class="near"></div></div>`;
  $("#sizes").innerHTML = data.dimensions.map(row).join("");
  $("#inputs").innerHTML = cost
    ? cost.options.map(([name, , values]) => choiceRow(name, values)).join("") +
      data.others
        .filter(([name]) => cost.own.has(name) && (!cost.givenBy.has(name) || tabNow().given.has(name)))
        .map(row)
        .join("")
    : "";
  $("#h-inputs").hidden = !cost;
  $("#parts").innerHTML = data.features
    .filter(([name]) => sheetNow().ticked.includes(name))
    .map(
      ([name, said, , label]) =>
        `<label class="chk" title="${escape(said[language])}"><input type="checkbox" name="${escape(name)}"${tabNow().on.has(name) ? " checked" : ""}><span>${escape(label[language])}</span><small data-adds="${escape(name)}"></small></label>`,
    )
    .join("");
  $("#h-parts").hidden = !sheetNow().ticked.length;
  $("#tabs").innerHTML =
    sheets.length > 1
      ? sheets
          .map(
            (sheet, i) =>
              `<button type="button" role="tab" id="tab-${i}" aria-selected="${i === state.tab}" aria-controls="sheet" tabindex="${i === state.tab ? 0 : -1}" data-tab="${i}">${escape(sheet.data.target)}<small></small><small></small></button>`,
          )
          .join("")
      : "";
}
const choiceRow = (name, values) =>
  `<div class="row" data-option="${name}"><label for="i-${name}">${escape(W(`options.${name}`))}</label><select id="i-${name}" name="${name}">${values.map((value) => `<option value="${value}">${escape(labelOf(name, value))}</option>`).join("")}</select></div>`;
const stepper = (name, by) =>
  `<button type="button" tabindex="-1" data-by="${by}" data-of="${escape(name)}" aria-label="${escape(filledIn(W(by > 0 ? "up" : "down"), { name }))}">${by > 0 ? "+" : "−"}</button>`;
// What a field shows: grouped where nobody writes in it; one that was emptied stays empty: whoever did that is about to write.
function textIn(name) {
  const { given, emptied } = tabNow(),
    value = current.shown.get(name);
  return given.get(name) ?? (emptied.has(name) || !value ? "" : String(value[0]));
}
const shownIn = (name) => {
  const text = textIn(name);
  return /^\d+$/.test(text) ? grouped(text) : text;
};
// The models of the family.
function drawModels() {
  const { presets, target: chosen } = sheetNow().data;
  $("#h-model").hidden = presets.length < 2;
  $("#model").innerHTML = presets
    .map(({ target }) => `<option${target === chosen ? " selected" : ""}>${escape(target)}</option>`)
    .join("");
}
// The letters of a notation, by some of those that the model has.
const SHOWN = ["V", "h", "L", "n_heads", "d_ff"];
function drawNotations() {
  const { letters: known } = sheetNow().data;
  for (const option of $$("#notation option"))
    option.textContent = `${option.value} (${SHOWN.filter((name) => known[option.value][name])
      .slice(0, 4)
      .map((name) => known[option.value][name][3])
      .join(", ")})`;
}
function drawFields() {
  const sheet = sheetNow(),
    tab = tabNow(),
    { given } = tab,
    faults = faultsOf(sheet, current, tab, state.last);
  current.shown = current.fault ? withoutFaults(sheet, given, faults) : current.values;
  for (const row of $$(".row[data-dimension]")) {
    const name = row.dataset.dimension,
      field = $("input", row),
      note = $("p", row),
      value = current.shown.get(name),
      wrong = faults.get(name);
    if (sheet.inputs.has(name)) row.hidden = !current.taken?.has(name);
    field.placeholder = !given.has(name) && value ? String(value[0]) : "";
    field.value = document.activeElement === field ? field.value : shownIn(name);
    field.setAttribute("aria-invalid", String(Boolean(wrong)));
    note.className = wrong ? "bad" : "";
    const follows = !given.has(name) && sheet.known.has(name),
      text = given.get(name);
    note.innerHTML = wrong
      ? escape(fault(wrong))
      : follows
        ? `= ${math(printers.mathml.print(sheet.known.get(name)))}`
        : text && !/^\d+$/.test(text) && value
          ? `= ${grouped(value[0])}`
          : "";
    const near = wrong ? nearest(sheet, tab, faults, name) : [];
    $(".near", row).innerHTML = near.length
      ? `<span>${escape(W("nearest"))}</span> ${near.map((each) => `<button type="button" data-nearest="${each}" data-of="${escape(name)}" aria-label="${escape(`${name} = ${grouped(each)}`)}">${grouped(each)}</button>`).join(" ")}`
      : "";
  }
  for (const { dataset, lastChild } of $$(".row[data-option]")) lastChild.value = found.cost.chosen(dataset.option, given);
  for (const box of $$("#parts input")) box.checked = tabNow().on.has(box.name);
}
// A difference with its sign.
const apart = (own, [n, d]) => {
  const [over, by] = plus(own, [-n, d]);
  return over ? (over > 0n ? "+" : "−") + digits(amount([over < 0n ? -over : over, by])) : "0";
};
function drawAdds() {
  const sheet = sheetNow(),
    { on } = tabNow();
  for (const name of sheet.ticked) {
    const without = new Set(on);
    if (!without.delete(name)) without.add(name);
    const changed = found.exact && sheet.countWith(found, without);
    const [own, other] = on.has(name) ? [found.exact, changed] : [changed, found.exact];
    $(`[data-adds="${name}"]`).innerHTML = changed ? apart(own, other) : "";
  }
  $("#adds").hidden = found.count === null || !sheet.ticked.length;
  if (sheets.length > 1)
    tabs.forEach(({ count }, i) => {
      const [total, other] = $$(`#tab-${i} small`);
      total.textContent = count === null ? "—" : grouped(count);
      other.textContent = i !== state.tab && count && current.count ? against(count, current.count) : "";
    });
}
// How a count differs from that of the tab that is open: by how much, and how many times it is.
const against = (count, own) =>
  filledIn(W(count < own ? "less" : "against"), {
    model: sheetNow().data.target,
    difference: (count < own ? "−" : "+") + grouped(count < own ? own - count : count - own),
    ratio: count < own ? `1/${fixed(own, count, 2)}` : fixed(count, own, 2),
  });
function drawDimensions() {
  const sheet = sheetNow(),
    { data } = sheet,
    said = (key) => escape(data.sentences[key][state.language].join(""));
  const printed = new Set(
    [
      found.total,
      ...found.sections
        .flatMap(({ blocks }) => blocks)
        .filter(([kind]) => kind === "chain")
        .map(([, place]) => sheet.step(place).written),
    ].flatMap(letters),
  );
  $("#dims").className = lengthOfNumbers();
  put(
    $("#dims"),
    `<table><caption class="vh">${said("headings.dimensions")}</caption><thead><tr><th scope="col">${said("columns.symbol")}</th><th scope="col">${said("columns.meaning")}</th><th scope="col">${said("columns.key")}</th><th scope="col" class="n">${said("columns.value")}</th></tr></thead><tbody>${[
      ...data.dimensions,
      ...data.others,
    ]
      .filter(([name]) => printed.has(name))
      .map(([name, key, meanings]) => {
        const relation = found.relations.has(name) ? math(printers.mathml.print(found.relations.get(name))) : "";
        return `<tr><td>${math(printers.mathml.print(letter(name)))}</td><td>${escape(meanings[state.language])}</td><td>${key ? `<code>${escape(key)}</code>` : ""}${key && relation ? " = " : ""}${relation}</td><td class="n">${found.values.has(name) ? digits(found.values.get(name)[0]) : ""}</td></tr>`;
      })
      .join("")}</tbody></table>`,
  );
}
