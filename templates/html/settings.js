// Settings: a field for each letter, a box for each part; beside a part what it adds.
function drawSettings() {
  const { data } = sheetNow(), { language } = state;
  const cost = costNow(), row = ([name, , meanings]) => `<div class="row" data-tab="${state.tab}" data-dimension="${escape(name)}"><label for="i-${escape(name)}"><span class="sy">${math(printers.mathml.print(letter(name)))}</span> <span>${escape(meanings[language])}</span></label><input id="i-${escape(name)}" name="${escape(name)}" autocomplete="off" spellcheck="false" autocapitalize="off" aria-describedby="e-${escape(name)}"><p id="e-${escape(name)}"></p></div>`;
  $("#sizes").innerHTML = data.dimensions.map(row).join("");
  $("#inputs").innerHTML = cost ? data.others.filter(([name]) => cost.own.has(name)).map(row).join("") : "";
  $("#h-inputs").hidden = !cost;
  $("#parts").innerHTML = data.features.map(([name, , said]) => `<label class="chk"><input type="checkbox" name="${escape(name)}"${tabNow().on.has(name) ? " checked" : ""}><span>${escape(said[language])}</span><small data-adds="${escape(name)}"></small></label>`).join("");
  for (const [id, on] of [["#h-parts", data.features.length], ["#adds", data.features.length]]) $(id).hidden = !on;
  $("#tabs").innerHTML = sheets.length > 1 ? sheets.map((sheet, i) => `<button type="button" role="tab" id="tab-${i}" aria-selected="${i === state.tab}" aria-controls="sheet" tabindex="${i === state.tab ? 0 : -1}" data-tab="${i}">${escape(sheet.data.target)}<small></small></button>`).join("") : "";
}
function drawFields() {
  const sheet = sheetNow(), { given } = tabNow(), about = found.fault ? found.fault.about : [];
  const at = about.includes(state.last) ? state.last : about.find((name) => given.has(name)) || about[0];
  for (const row of $$(".row[data-dimension]")) {
    const name = row.dataset.dimension, field = $("input", row), note = $("p", row), value = found.values.get(name);
    const followed = !given.has(name) && value ? String(value[0]) : "";
    if (sheet.inputs.has(name)) row.hidden = !found.taken?.has(name);
    field.placeholder = followed; // a field that was emptied stays empty: whoever did that is about to write
    if (document.activeElement !== field) field.value = given.get(name) ?? (tabNow().emptied.has(name) ? "" : followed);
    field.setAttribute("aria-invalid", name === at ? "true" : "false");
    note.className = name === at ? "bad" : "";
    const follows = !given.has(name) && sheet.known.has(name), typed = given.get(name);
    note.innerHTML = name === at ? escape(fault(found.fault)) : follows ? `= ${math(printers.mathml.print(sheet.known.get(name)))}` : typed && !/^\d+$/.test(typed) && value ? `= ${grouped(value[0])}` : "";
  }
  for (const box of $$("#parts input")) box.checked = tabNow().on.has(box.name);
}
function drawAdds() {
  const sheet = sheetNow(), { on } = tabNow();
  for (const [name] of sheet.data.features) {
    const other = new Set(on);
    if (!other.delete(name)) other.add(name);
    const changed = found.count === null ? null : sheet.countWith(found, other);
    const difference = changed === null ? null : on.has(name) ? found.count - changed : changed - found.count;
    $(`[data-adds="${name}"]`).innerHTML = difference === null ? "" : difference === 0n ? "0" : (difference > 0n ? "+" : "−") + digits(difference < 0n ? -difference : difference);
  }
  if (sheets.length > 1) sheets.forEach((other, i) => { const { count } = i === state.tab ? found : other.work(tabs[i].given, tabs[i].on, undefined, state.quantity); $(`#tab-${i} small`).textContent = count === null ? "—" : grouped(count); });
}
function drawDimensions() {
  const sheet = sheetNow(), { data } = sheet, said = (key) => escape(data.sentences[key][state.language].join(""));
  const printed = new Set([found.total, ...found.sections.flatMap(({ blocks }) => blocks).filter(([kind]) => kind === "chain").map(([, place]) => sheet.step(place).written)].flatMap(letters));
  $("#dims").innerHTML = `<table><caption class="vh">${said("headings.dimensions")}</caption><thead><tr><th scope="col">${said("columns.symbol")}</th><th scope="col">${said("columns.meaning")}</th><th scope="col">${said("columns.key")}</th><th scope="col" class="n">${said("columns.value")}</th></tr></thead><tbody>${[...data.dimensions, ...data.others].filter(([name]) => printed.has(name)).map(([name, key, meanings]) => {
    const relation = found.relations.has(name) ? math(printers.mathml.print(found.relations.get(name))) : "";
    return `<tr><td>${math(printers.mathml.print(letter(name)))}</td><td>${escape(meanings[state.language])}</td><td>${key ? `<code>${escape(key)}</code>` : ""}${key && relation ? " = " : ""}${relation}</td><td class="n">${found.values.has(name) ? grouped(found.values.get(name)[0]) : ""}</td></tr>`;
  }).join("")}</tbody></table>`;
}
