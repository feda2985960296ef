// Several models side by side: the count of each, how it differs from the first, where it is; sizes and parts, changed in place.
const FEWEST = 2;
const comparing = () => sheets.length >= FEWEST && DATA.compared;
// The sheets as they are, worked out: null for a model that has no such quantity.
function foundOf(i) {
  const tab = tabs[i],
    has = state.quantity === "parameters" || sheets[i].costs.has(state.quantity);
  if (tab.quantity !== state.quantity || tab.found === undefined)
    Object.assign(tab, {
      quantity: state.quantity,
      found: has ? sheets[i].work(tab.given, tab.on, undefined, state.quantity) : null,
    });
  tab.count = tab.found?.count ?? null;
  return tab.found;
}
// What is drawn of another sheet is in its letters.
function inLettersOf(i, draw) {
  const [own, before] = [state.tab, printers];
  state.tab = i;
  printers = printersNow();
  try {
    return draw(sheets[i]);
  } finally {
    state.tab = own;
    printers = before;
  }
}
// The components of a sheet: their keys, which correspond in all of them, their names, and what they come to.
function componentsOf(i) {
  const own = foundOf(i),
    { data, formulas } = sheets[i];
  if (!own || own.count === null) return [];
  const together = new Map();
  for (const [[, name], place] of sheets[i].parts(own.cost ? `share ${own.cost.name}` : "share", own.setting)) {
    const [label, formula] = data.pool[place],
      known = own.cost ? undefined : DATA.compared.parts[i][name],
      said = known === undefined ? data.names[label][state.language][0] : DATA.compared.names[known][state.language],
      key = known ?? `${name} ${said}`,
      value = exact(formulas[formula], own.values);
    together.set(key, {
      key,
      said: capital([said])[0],
      kind: kindOf(label, together.size, data),
      value: plus(value, together.get(key)?.value ?? [0n, 1n]),
    });
  }
  return [...together.values()];
}
const NONE = [0n, 1n],
  textOf = (value) => (value ? grouped(amount(value)) : "—"),
  isEqual = ([first, ...others]) => others.every((other) => String(other) === String(first));
// How a count differs from the first: by how much, and by how many percent.
function apartFrom([own, by], [first, over], model) {
  const [difference, d] = plus([own, by], [-first, over]);
  if (!difference) return filledIn(W("compare.same"), { model });
  const size = difference < 0n ? -difference : difference,
    share = first ? words.heads[state.language].percent.replace("{number}", fixed(100n * size * over, first * d, 1)) : "";
  return filledIn(W(difference < 0n ? "compare.fewer" : "compare.more"), {
    difference: (difference < 0n ? "−" : "+") + grouped(amount([size, d])),
    percent: share,
    model,
  });
}
function drawCompared() {
  const place = $("#compare");
  if (!comparing()) return;
  const all = sheets.map((_, i) => foundOf(i)),
    parts = sheets.map((_, i) => componentsOf(i)),
    keys = new Map(parts.flat().map(({ key, said }) => [key, said])),
    colourOf = new Map(parts.flat().map(({ key, kind }) => [key, kind])),
    most = all.reduce((so, own) => (own?.count > so ? own.count : so), 1n);
  put($("#columns"), sheets.map((sheet, i) => inLettersOf(i, () => columnOf(i, all, parts[i], colourOf, most))).join(""));
  put($("#apart"), componentsTable(all, parts, keys, colourOf));
  const open = $("#compare details")?.open;
  if (place.dataset.shape !== shapeOf()) {
    place.dataset.shape = shapeOf();
    $("#compare-sizes").innerHTML = sizesTable(all);
    $("#compare-inputs").innerHTML = inputsRow();
    if (open) $("#compare details").open = true;
  }
  drawComparedFields(all);
}
function columnOf(i, all, parts, colourOf, most) {
  const sheet = sheets[i],
    { target } = sheet.data,
    own = all[i],
    first = all[0];
  const head = `<h3><button type="button" role="link" data-open="${i}">${escape(target)}</button></h3>`;
  if (!own) return `<article>${head}<p>${escape(filledIn(W("compare.lacking"), { model: target }))}</p></article>`;
  const why = own.fault
    ? fault(own.fault)
    : own.missing.length
      ? filledIn(W("missing"), { names: inOrder(own.missing).join(W("comma")) })
      : "";
  const isBound = own.count !== null,
    about = isBound ? `${unitOf(own.cost).name} ${said(own.count, own.cost)}` : "",
    against = i && isBound && first?.exact ? apartFrom(own.exact, first.exact, sheets[0].data.target) : "";
  const shares = parts.map(({ key, said: name, value }) => ({
    kind: colourOf.get(key),
    worth: value,
    title: `${escape(name)}: ${textOf(value)}`,
  }));
  const whole = sheet.wholeStep(own);
  return `<article>${head}<p class="sum"><b data-total="${own.exact ? quotientText(own.exact) : ""}">${textOf(own.exact)}</b> <span>${escape(about)}</span></p><p class="against">${escape(against)}</p>${barOf(shares, most)}<p class="bad" id="why-${i}">${escape(why)}</p><p class="form">${math(`${printers.mathml.print(whole.named)}<mo>=</mo>`)}${terms(sheet.closed(whole, own))}</p></article>`;
}
// What is counted with, the same for all models.
function inputsRow() {
  const costs = sheets.map(({ costs }) => costs.get(state.quantity)).filter(Boolean),
    named = new Map(sheets.flatMap(({ data }) => data.others.map(([name, , meanings]) => [name, meanings[state.language]]))),
    options = new Map(costs.flatMap((cost) => cost.options.map(([name, , values]) => [name, values]))),
    names = [...named.keys()].filter((name) => costs.some(({ own, givenBy }) => own.has(name) && !givenBy.has(name)));
  const selects = [...options].map(
    ([name, values]) =>
      `<label data-option="${name}">${escape(W(`options.${name}`))} <select data-in data-name="${name}">${values.map((value) => `<option value="${value}">${escape(labelOf(name, value))}</option>`).join("")}</select></label>`,
  );
  const fields = names.map(
    (name) =>
      `<label data-input="${name}" title="${escape(named.get(name))}">${math(printers.mathml.print(letter(name)))} <input data-in data-name="${name}" aria-label="${escape(`${name}, ${named.get(name)}`)}" autocomplete="off" spellcheck="false"></label>`,
  );
  return [...selects, ...fields].join("");
}
// The tab by which a field speaks: of a column its own, of what all count with the first that counts with it.
function tabOf({ dataset: { in: column, name } }) {
  if (column) return Number(column);
  const taking = tabs.findIndex(({ found: own }) => own?.taken?.has(name));
  return taking < 0 ? sheets.findIndex(({ inputs }) => inputs.has(name)) : taking;
}
// The components, those that differ most first; what is alike in all is grey.
function componentsTable(all, parts, keys, colourOf) {
  const values = (key) => parts.map((own) => own.find((each) => each.key === key)?.value ?? null),
    isPair = all.length === FEWEST && all.every((own) => own?.exact),
    by = (cells) => plus(cells[0] ?? NONE, [-(cells[1] ?? NONE)[0], (cells[1] ?? NONE)[1]]),
    size = (cells) => {
      const [n, d] = by(cells);
      return (n < 0n ? -n : n) / d;
    };
  let rows = [...keys].map(([key, name]) => ({ key, name, cells: values(key) }));
  if (isPair) rows = rows.sort((a, b) => (size(b.cells) > size(a.cells) ? 1 : size(b.cells) < size(a.cells) ? -1 : 0));
  const signed = (cells) => apart(cells[0] ?? NONE, cells[1] ?? NONE),
    line = (name, cells, kind) =>
      `<tr${isEqual(cells) ? ' class="same"' : ""}><th scope="row">${kind === undefined ? "" : `<svg class="key" viewBox="0 0 1 1" aria-hidden="true"><rect data-kind="${kind}" width="1" height="1"></rect></svg> `}${escape(name)}</th>${cells.map((cell) => `<td class="n">${textOf(cell)}</td>`).join("")}${isPair ? `<td class="n">${signed(cells)}</td>` : ""}</tr>`;
  const said = (key) => escape(capital([sheetNow().data.sentences[key][state.language].join("")]).join(""));
  return `<table><caption class="vh">${escape(W("compare.components"))}</caption><thead><tr><th scope="col">${said("columns.component")}</th>${sheets.map(({ data }) => `<th scope="col" class="n">${escape(data.target)}</th>`).join("")}${isPair ? `<th scope="col" class="n">${said("columns.difference")}</th>` : ""}</tr></thead><tbody>${rows.map(({ key, name, cells }) => line(name, cells, colourOf.get(key))).join("")}</tbody><tfoot>${line(
    said("headings.sum"),
    all.map((own) => own?.exact ?? null),
  )}</tfoot></table>`;
}
// Sizes and parts of which the fields are; what differs as the table is drawn stands first, the rest is folded.
const shapeOf = () => [state.language, state.notation, state.quantity, ...sheets.map(({ data }) => data.target)].join(" ");
function sizesTable(all) {
  const { language } = state,
    dimensions = new Map(sheets.flatMap(({ data }) => data.dimensions.map(([name, , meanings]) => [name, meanings[language]]))),
    features = new Map(sheets.flatMap(({ data }) => data.features.map(([name, , , label]) => [name, label[language]])));
  const valueIn = (name) => all.map((own) => own?.shown?.get(name)?.[0] ?? own?.values.get(name)?.[0] ?? null),
    onIn = (name) => tabs.map(({ on }) => on.has(name));
  const letterIn = (name) =>
    inLettersOf(
      sheets.findIndex(({ data }) => data.order.includes(name)),
      () => math(printers.mathml.print(letter(name))),
    );
  const cellOf = (name, i, attributes) =>
    `<td><input data-in="${i}" data-name="${escape(name)}" aria-label="${escape(`${name}, ${sheets[i].data.target}`)}" ${attributes}></td>`;
  const sizeRow = (name) =>
    `<tr data-row="${escape(name)}"><th scope="row"><span class="sy">${letterIn(name)}</span> ${escape(dimensions.get(name))}</th>${sheets.map(({ data }, i) => (data.order.includes(name) ? cellOf(name, i, `autocomplete="off" spellcheck="false" inputmode="numeric" aria-describedby="why-${i}"`) : "<td>—</td>")).join("")}</tr>`;
  const partRow = (name) =>
    `<tr data-row="${escape(name)}"><th scope="row">${escape(capital([features.get(name)])[0])}</th>${sheets.map(({ data, kinds }, i) => (data.features.some(([own]) => own === name) ? cellOf(name, i, `type="checkbox"${kinds.includes(name) ? " disabled" : ""}`) : "<td>—</td>")).join("")}</tr>`;
  const rows = [
    ...[...dimensions.keys()].map((name) => [isEqual(valueIn(name)), sizeRow(name)]),
    ...[...features.keys()].map((name) => [isEqual(onIn(name)), partRow(name)]),
  ];
  const table = (caption, those) =>
    `<div class="wide"><table><caption class="vh">${escape(caption)}</caption><thead><tr><td></td>${sheets.map(({ data }) => `<th scope="col">${escape(data.target)}</th>`).join("")}</tr></thead><tbody>${those.map(([, row]) => row).join("")}</tbody></table></div>`;
  const [differ, same] = [false, true].map((is) => rows.filter(([alike]) => alike === is));
  return `${differ.length ? table(W("compare.differ"), differ) : ""}${same.length ? `<details${differ.length ? "" : " open"}><summary>${escape(filledIn(W("compare.alike"), { number: same.length }))}</summary>${table(W("compare.alike_in_all"), same)}</details>` : ""}`;
}
function drawComparedFields(all) {
  const faults = all.map((own, i) => (own?.fault ? faultsOf(sheets[i], own, tabs[i], state.last) : new Map())),
    shown = all.map((own, i) => (own?.fault ? withoutFaults(sheets[i], tabs[i].given, faults[i]) : (own?.values ?? new Map())));
  for (const field of $$("#compare [data-in]")) {
    const i = tabOf(field),
      { name } = field.dataset;
    if (field.tagName === "SELECT") field.value = all[i]?.cost?.chosen(name, tabs[i].given) ?? "";
    else if (field.type === "checkbox") field.checked = tabs[i].on.has(name);
    else {
      const text = tabs[i].given.get(name) ?? (tabs[i].emptied.has(name) ? "" : String(shown[i].get(name)?.[0] ?? ""));
      if (document.activeElement !== field) field.value = /^\d+$/.test(text) ? grouped(text) : text;
      field.setAttribute("aria-invalid", String(faults[i].has(name)));
    }
  }
  for (const label of $$("#compare-inputs [data-input]"))
    label.hidden = !all.some((own) => own?.taken?.has(label.dataset.input));
  $("#compare-example").textContent = exampleOf(...all);
  for (const row of $$("#compare-sizes tr[data-row]")) {
    const cells = $$("td", row).map((cell) =>
      cell.firstElementChild
        ? cell.firstElementChild.type === "checkbox"
          ? cell.firstElementChild.checked
          : cell.firstElementChild.value
        : null,
    );
    row.classList.toggle("same", isEqual(cells.map((cell) => cell || "")));
  }
}
// The frame: the question, the quantities that all of the models have, and places for what follows.
function drawCompareWords() {
  if (!comparing()) return;
  const { titles, joint } = DATA.compared,
    names = spaced(sheets.map(({ data }, i) => (i ? [joint[state.language], data.target] : [data.target]))),
    both = ["parameters", ...sheets[0].costs.keys()].filter((name) =>
      sheets.every(({ costs }) => name === "parameters" || costs.has(name)),
    );
  const options = both.map(
    (name) =>
      `<option value="${name}"${name === state.quantity ? " selected" : ""}>${escape(W(`quantities.${name}`))}</option>`,
  );
  if (!$("#columns"))
    $("#compare").innerHTML =
      '<div class="top"><h2 id="h-compare"></h2><select id="compare-quantity"></select></div><div id="compare-inputs"></div><p id="compare-example" class="note"></p><div id="columns"></div><div id="apart" class="wide"></div><div id="compare-sizes"></div>';
  $("#h-compare").textContent = spaced(
    titles[state.quantity][state.language].split("{models}").map((part, i) => (i ? [...names, part] : [part])),
  ).join("");
  put($("#compare-quantity"), options.join(""));
  $("#compare-quantity").value = state.quantity;
  $("#compare-quantity").setAttribute("aria-label", W("quantity"));
  for (const each of $$(".compared > h2, .compared > :not([data-section=traits]):not(.note)")) each.hidden = true;
}
// Hands: a field of a column changes its model alone.
function changeIn(field) {
  const i = tabOf(field);
  if (field.type === "checkbox") tabs[i].on[field.checked ? "add" : "delete"](field.dataset.name);
  else give(field.dataset.name, field.value, i);
  tabs[i].found = undefined;
}
$("#compare")?.addEventListener("input", (event) => {
  const { target } = event;
  if (target.dataset.in === undefined || target.type === "checkbox") return;
  changeIn(target);
  clearTimeout(late);
  if (!foundOf(tabOf(target))?.fault) settle();
  else late = setTimeout(settle, PATIENCE);
});
$("#compare")?.addEventListener("change", (event) => {
  const { target } = event;
  event.stopPropagation();
  if (target.id === "compare-quantity") {
    state.quantity = target.value;
    update(true);
  } else if (target.type === "checkbox" || target.tagName === "SELECT") {
    changeIn(target);
    update(target.tagName === "SELECT");
  } else if (late) settle();
});
$("#compare")?.addEventListener("focusout", ({ target }) => {
  if (target.dataset.in !== undefined && target.type !== "checkbox" && /^\d+$/.test(target.value))
    target.value = grouped(target.value);
});
$("#compare")?.addEventListener("click", ({ target }) => {
  if (target.dataset.open !== undefined) {
    choose(Number(target.dataset.open));
    $("#tabs").scrollIntoView({ block: "start" });
  }
});
