// The page: settings in, the sheet drawn anew, the state in the address.
const $ = (selector, root = document) => root.querySelector(selector), $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const DATA = JSON.parse($("#data").textContent), { words } = DATA;
const sheets = DATA.models.map((data) => new Sheet(data, words));
const OPENED = DATA.opened; // which model, language, notation and parts the file was written for
const state = { tab: 0, language: OPENED.language, notation: OPENED.notation, view: OPENED.view, theme: "auto", practice: false, last: "", solved: new Set() };
const opened = sheets.map(({ data }) => ({ given: new Map(Object.entries(data.held)), on: new Set(data.features.filter(([, isOn]) => isOn).map(([name]) => name)) }));
const fresh = (tab) => ({ given: new Map(opened[tab].given), on: new Set(opened[tab].on), emptied: new Set() });
const tabs = opened.map((_, tab) => fresh(tab));
const W = (key) => words.page[key][state.language];
const sheetNow = () => sheets[state.tab], tabNow = () => tabs[state.tab];
let found, speech, printers;

function reprint() {
  const { data } = sheetNow(), letterOf = (name) => data.letters[state.notation][name] || [name, "", name, name];
  const called = [1, 0].map((form) => (place) => data.names[place][state.language][form]); // as an index, and in full under a brace
  const tex = new Printer(LATEX, letterOf, ...called);
  printers = { tex, mathml: Object.assign(new Printer(MATHML, letterOf, ...called), { tex }) };
  measured.clear();
}
const math = (markup) => `<math>${markup}</math>`;
const html = (runs) => runs.map((run) => typeof run === "string" ? escape(run) : math(printers.mathml.print(run))).join("");
const fault = (impossible) => words.page[`errors.${impossible.key}`][state.language].replace(/\{(\w+)\}/g, (_, name) => String(impossible.terms[name] ?? ""));

// Formulas in lines: a table aligned at the signs of equality; lines part at + where the measured widths say so.
const measured = new Map(), MOST_MEASURED = 20000, GAP = 30, SIGN = 26;
function measure(markups) {
  if (measured.size > MOST_MEASURED) measured.clear();
  const ruler = $("#ruler"), unknown = [...new Set(markups)].filter((markup) => !measured.has(markup));
  ruler.innerHTML = unknown.map(math).join("");
  unknown.forEach((markup, i) => measured.set(markup, ruler.children[i].getBoundingClientRect().width));
  ruler.textContent = "";
}
// A formula as atoms that a line may part between: {sign, markup, pieces}, pieces where an atom is wider than a line.
function atoms(formula) {
  const { mathml } = printers;
  const terms = formula.op === "+" ? formula.of : [formula];
  return terms.map((term, i) => {
    const isNegative = term.op === "-", inner = isNegative ? term.of[0] : term;
    const markup = (i || !isNegative ? "" : '<mo form="prefix">−</mo>') + mathml.print(inner, terms.length > 1 ? SUM : ANY);
    return { sign: i ? (isNegative ? "−" : "+") : "", markup, pieces: pieces(inner) };
  });
}
function pieces(formula, isFactor = false) {
  const { mathml } = printers, inner = formula.op === "size" || formula.op === "_" ? formula.of[0] : formula;
  if (inner.op !== "*" && inner.op !== "+") return [{ sign: "", markup: mathml.print(formula, isFactor ? PRODUCT : ANY) }];
  const sign = inner.op === "+" ? "+" : formula.op === "size" ? "·" : "×";
  const list = inner.of.flatMap((each, i) => pieces(each.op === "-" ? each.of[0] : each, inner.op === "*").map((piece, j) => i && !j ? { sign: each.op === "-" ? "−" : sign, markup: piece.markup } : piece));
  if (isFactor) {
    list[0] = { sign: list[0].sign, markup: `<mo stretchy="false">(</mo>${list[0].markup}` };
    const last = list.length - 1;
    list[last] = { sign: list[last].sign, markup: `${list[last].markup}<mo stretchy="false">)</mo>` };
  }
  return list;
}
function chainOf(step, instead, isClosed) {
  return { left: printers.mathml.print(step.named), links: sheetNow().chain(step, found, instead, isClosed).map(({ formula }) => atoms(formula)) };
}
function display({ left, links }, width) {
  const w = (markup) => measured.get(markup), cell = (kind, markup) => `<mtd class="${kind}">${markup}</mtd>`;
  const isShort = links.every((link) => link.length === 1 && !link[0].markup.includes("munder"));
  const sum = (link) => link.reduce((so, atom) => so + w(atom.markup) + SIGN, 0);
  const rows = [];
  if (isShort && links.reduce((so, link) => so + sum(link) + GAP, w(left)) <= width) {
    rows.push(cell("l", left) + cell("e", "<mo>=</mo>") + cell("r", links.map(([atom]) => atom.markup).join("<mo>=</mo>")));
  } else {
    const isStacked = width < 430 && w(left) > 60, room = width - GAP - (isStacked ? 4 : w(left)) - 8;
    if (isStacked) rows.push(`<mtd class="l" columnspan="3">${left}</mtd>`);
    links.forEach((link, i) => {
      let line = "", used = 0, isFirst = true;
      const flush = () => { rows.push((isStacked ? "" : cell("l", i || !isFirst ? "" : left)) + cell("e", isFirst ? "<mo>=</mo>" : "") + cell("r", line)); isFirst = false; line = ""; };
      for (const atom of link) for (const [j, piece] of (w(atom.markup) > room && atom.pieces.length > 1 ? atom.pieces : [{ sign: "", markup: atom.markup }]).entries()) {
        const sign = j ? piece.sign : atom.sign, markup = piece.markup;
        if (line && used + SIGN + w(markup) > room) { flush(); used = 18; line = `<mspace width="1em"></mspace><mo form="infix">${sign}</mo>`; }
        else if (sign && (line || !isFirst)) { line += `<mo form="infix">${sign}</mo>`; used += SIGN; }
        line += markup;
        used += w(markup);
      }
      flush();
    });
  }
  return `<math displaystyle="true"><mtable>${rows.map((row) => `<mtr>${row}</mtr>`).join("")}</mtable></math>`;
}

// The derivation: sections, steps under their names, a box for each chain.
const anchor = (path) => `s-${path}`;
let boxes = [];
function box(step, label, instead = null, isClosed = false) {
  const id = `f-${boxes.length}`;
  boxes.push({ id, step, label, instead, isClosed });
  return state.practice && step.named.label >= 0 && !state.solved.has(step.place) ? asked(step, id) : `<div class="f" id="${id}"></div>`;
}
function asked(step, id) {
  const name = math(`${printers.mathml.print(step.named)}<mo>=</mo>`);
  return `<form class="try" data-step="${step.place}"><label for="a-${id}">${name}<span class="vh"> ${escape(W("ask"))}</span></label><input id="a-${id}" autocomplete="off" spellcheck="false" autocapitalize="off" aria-describedby="m-${id}"><button>${escape(W("check"))}</button><button type="button" class="quiet" data-show="${step.place}">${escape(W("show"))}</button><p id="m-${id}" role="status"></p></form>`;
}
function drawDerivation() {
  const sheet = sheetNow(), used = new Set();
  boxes = [];
  const once = (path) => { const id = anchor(path); if (!path || used.has(id)) return ""; used.add(id); return ` id="${escape(id)}" tabindex="-1"`; };
  const sections = found.sections.map(({ key, heading, blocks }) => {
    const title = html(speech.runs(heading));
    let text = `<section${once(key.split("#")[0])} data-section="${escape(key)}"><h3>${title}</h3>`, isOpen = false;
    const close = () => { if (isOpen) text += "</div>"; isOpen = false; };
    blocks.forEach((block, i) => {
      const [kind, first, second, third] = block;
      if (kind === "item") {
        close();
        const chain = blocks.slice(i + 1, i + 2).find(([next]) => next === "chain");
        text += `<div class="step"${once(chain ? sheet.step(chain[1]).path : "")}><h4>${html(capital(speech.runs(first)))}</h4><p>${html(speech.paragraph(second))}</p>`;
        isOpen = true;
      } else if (kind === "text") { close(); text += `<p>${html(speech.paragraph(first))}</p>`; }
      else { const step = sheet.step(first); text += box(step, title, second >= 0 ? sheet.formulas[second] : null, third === 1); }
    });
    close();
    return `${text}</section>`;
  });
  const whole = sheet.wholeStep(found);
  $("#derivation").innerHTML = `${sections.join("")}<section id="s-total" tabindex="-1" data-section="total"><h3>${escape(W("total"))}</h3>${box(whole, W("total"))}</section>`;
}
function setFormulas() {
  const width = $("#derivation").clientWidth, chains = boxes.map(({ step, instead, isClosed }) => chainOf(step, instead, isClosed));
  measure(chains.flatMap(({ left, links }) => [left, ...links.flat().flatMap(({ markup, pieces: parts }) => [markup, ...parts.map((piece) => piece.markup)])]));
  boxes.forEach((each, i) => {
    const place = document.getElementById(each.id), markup = display(chains[i], width);
    if (!place || (place.firstChild && each.markup === markup)) return; // what stays is not set anew
    place.innerHTML = each.markup = markup;
  });
  for (const each of $$(".f, .wide")) {
    const isWide = each.scrollWidth > each.clientWidth + 1;
    if (isWide) { each.tabIndex = 0; each.setAttribute("role", "group"); each.setAttribute("aria-label", $("h2, h3", each.closest("section")).textContent); }
    else for (const name of ["tabindex", "role", "aria-label"]) each.removeAttribute(name);
  }
}

const digits = (value) => grouped(value).replace(/,/g, ",<wbr>");
function drawShares() {
  const sheet = sheetNow(), { data } = sheet, said = (key) => escape(data.sentences[key][state.language].join("")), isBound = found.count !== null;
  const active = new Map(sheet.rows("active", found.setting)), whole = found.count || 0n;
  const rows = sheet.rows("share", found.setting).map(([name, formula]) => {
    const value = isBound ? exact(formula, found.values, found.known)[0] : 0n, polynomial = found.expansion.of(formula);
    const closed = polynomial.size > MOST_EXPANDED ? factored(found.expansion, polynomial) : found.expansion.written(polynomial);
    const used = active.size && isBound ? `<td class="n">${active.has(name) ? digits(exact(active.get(name), found.values, found.known)[0]) : "0"}</td>` : "";
    const bar = `<svg class="bar" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${whole ? 1000n * value / whole : 0}" height="6"></rect></svg>`;
    return `<tr><th scope="row">${html(capital([speech.name(name)]))}</th><td class="form">${terms(closed)}</td>${isBound ? `<td class="n">${digits(value)}</td><td class="n">${percent(value, whole, words.heads[state.language].percent)}${bar}</td>` : ""}${used}</tr>`;
  });
  $("#shares").className = isBound && String(whole).length > 16 ? "wide long" : "wide";
  const numbersOf = (markup) => isBound ? markup : "", uses = active.size && isBound;
  const sum = uses ? [...active.values()].reduce((so, formula) => so + exact(formula, found.values, found.known)[0], 0n) : 0n;
  $("#shares").innerHTML = `<table><caption class="vh">${said("headings.shares")}</caption><thead><tr><th scope="col">${said("columns.component")}</th><th scope="col" class="form">${said("columns.closed_form")}</th>${numbersOf(`<th scope="col" class="n">${said("columns.parameters")}</th><th scope="col" class="n">${said("columns.share")}</th>`)}${uses ? `<th scope="col" class="n">${said("columns.active")}</th>` : ""}</tr></thead><tbody>${rows.join("")}</tbody>` +
    (isBound ? `<tfoot><tr><th scope="row">${said("headings.sum")}</th><td class="form"></td><td class="n">${digits(whole)}</td><td class="n">${percent(whole, whole, words.heads[state.language].percent)}</td>${uses ? `<td class="n">${digits(sum)}</td>` : ""}</tr></tfoot>` : "") + "</table>";
  $("#active").textContent = uses ? `${W("active")} ${grouped(sum)} ${rounded(sum, words.heads[state.language].rounding)}` : "";
}
// A long formula in running text, which a browser breaks only between formulas.
const terms = (formula) => atoms(formula).flatMap(({ sign, markup, pieces: parts }) => (parts.length > 3 ? parts.map((piece, i) => i ? piece : { ...piece, sign }) : [{ sign, markup }])
  .map((piece) => math((piece.sign ? `<mo form="infix">${piece.sign}</mo>` : "") + piece.markup))).join("<wbr>");

function drawAnswer() {
  const sheet = sheetNow(), { data } = sheet, { count } = found, about = count === null ? "" : rounded(count, words.heads[state.language].rounding);
  const title = speech.plain("title.model", { model: data.family ? data.title : data.target });
  $("h1").textContent = document.title = title;
  $("#source").innerHTML = [escape(data.title), /^https:\/\/[\w./-]+$/.test(data.source) ? `<a href="${data.source}" rel="noreferrer">${escape(data.source.replace(/^https:\/\//, ""))}</a>` : escape(data.source)].filter(Boolean).join(", ");
  const total = $("#count");
  total.dataset.count = count === null ? "" : String(count);
  total.textContent = count === null ? "—" : grouped(count);
  total.classList.toggle("long", count !== null && String(count).length > 16);
  const asked = found.missing.filter((name) => !sheet.known.has(name)), lacking = asked.length ? asked : found.missing;
  const why = found.fault ? fault(found.fault) : found.missing.length ? `${W("missing")} ${lacking.join(", ")}` : "";
  $("#about").textContent = why || about;
  $("#about").classList.toggle("bad", Boolean(found.fault));
  $("#closed").innerHTML = math("<mi>N</mi><mo>=</mo>") + terms(sheet.closed(sheet.wholeStep(found), found));
  $("#chosen").textContent = data.features.filter(([name]) => tabNow().on.has(name) !== opened[state.tab].on.has(name)).map(([name, , , part], i) => speech.plain(tabNow().on.has(name) ? "choice.with" : "choice.without", { part: part[state.language] })).join(words.heads[state.language].joint);
  $("#bar").innerHTML = `<span>${escape(data.target)}</span><b>${count === null ? "—" : grouped(count)}</b><span>${escape(why || about)}</span>`;
  clearTimeout(drawAnswer.late);
  if (drawAnswer.isSeen) drawAnswer.late = setTimeout(() => { $("#say").textContent = count === null ? why : `${grouped(count)} ${W("parameters")}${about ? `, ${about}` : ""}`; }, 700);
  drawAnswer.isSeen = true;
}

// Settings: a field for each letter, a box for each part; beside a part what it adds.
function drawSettings() {
  const { data } = sheetNow(), { language } = state;
  $("#sizes").innerHTML = data.dimensions.map(([name, , meanings]) => `<div class="row" data-tab="${state.tab}" data-dimension="${escape(name)}"><label for="i-${escape(name)}"><span class="sy">${math(printers.mathml.print(letter(name)))}</span> <span>${escape(meanings[language])}</span></label><input id="i-${escape(name)}" name="${escape(name)}" autocomplete="off" spellcheck="false" autocapitalize="off" aria-describedby="e-${escape(name)}"><p id="e-${escape(name)}"></p></div>`).join("");
  $("#parts").innerHTML = data.features.map(([name, , said]) => `<label class="chk"><input type="checkbox" name="${escape(name)}"${tabNow().on.has(name) ? " checked" : ""}><span>${escape(said[language])}</span><small data-adds="${escape(name)}"></small></label>`).join("");
  for (const [id, on] of [["#h-parts", data.features.length], ["#adds", data.features.length]]) $(id).hidden = !on;
  $("#tabs").innerHTML = sheets.length > 1 ? sheets.map((sheet, i) => `<button type="button" role="tab" id="tab-${i}" aria-selected="${i === state.tab}" aria-controls="sheet" tabindex="${i === state.tab ? 0 : -1}" data-tab="${i}">${escape(sheet.data.target)}<small></small></button>`).join("") : "";
}
function drawFields() {
  const sheet = sheetNow(), { given } = tabNow(), about = found.fault ? found.fault.about : [];
  const at = about.includes(state.last) ? state.last : about.find((name) => given.has(name)) || about[0];
  for (const row of $$("#sizes .row")) {
    const name = row.dataset.dimension, field = $("input", row), note = $("p", row), value = found.values.get(name);
    const followed = !given.has(name) && value ? String(value[0]) : "";
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
  if (sheets.length > 1) sheets.forEach((other, i) => { const { count } = i === state.tab ? found : other.work(tabs[i].given, tabs[i].on); $(`#tab-${i} small`).textContent = count === null ? "—" : grouped(count); });
}
function drawDimensions() {
  const sheet = sheetNow(), { data } = sheet, said = (key) => escape(data.sentences[key][state.language].join(""));
  const printed = new Set([found.total, ...found.sections.flatMap(({ blocks }) => blocks).filter(([kind]) => kind === "chain").map(([, place]) => sheet.step(place).written)].flatMap(letters));
  $("#dims").innerHTML = `<table><caption class="vh">${said("headings.dimensions")}</caption><thead><tr><th scope="col">${said("columns.symbol")}</th><th scope="col">${said("columns.meaning")}</th><th scope="col">${said("columns.key")}</th><th scope="col" class="n">${said("columns.value")}</th></tr></thead><tbody>${data.dimensions.filter(([name]) => printed.has(name)).map(([name, key, meanings]) => {
    const relation = found.relations.has(name) ? math(printers.mathml.print(found.relations.get(name))) : "";
    return `<tr><td>${math(printers.mathml.print(letter(name)))}</td><td>${escape(meanings[state.language])}</td><td>${key ? `<code>${escape(key)}</code>` : ""}${key && relation ? " = " : ""}${relation}</td><td class="n">${found.values.has(name) ? grouped(found.values.get(name)[0]) : ""}</td></tr>`;
  }).join("")}</tbody></table>`;
}
function drawWords() {
  document.documentElement.lang = words.languages[state.language] === "zh" ? "zh-CN" : words.languages[state.language];
  for (const each of $$("[data-t]")) each.textContent = W(each.dataset.t);
  for (const each of $$("[data-aria]")) each.setAttribute("aria-label", W(each.dataset.aria));
  for (const each of $$("[data-lang]")) each.setAttribute("aria-pressed", String(each.dataset.lang === words.languages[state.language]));
  for (const each of $$("[data-theme-to]")) each.setAttribute("aria-pressed", String(each.dataset.themeTo === state.theme));
  $("#notation").value = state.notation;
  $("#view").innerHTML = sheetNow().data.views.map((view) => `<option value="${escape(view)}"${view === state.view ? " selected" : ""}>${escape(W(`views.${view.replace("-", "_")}`))}</option>`).join("");
  $("#practise").textContent = W(state.practice ? "practising" : "practise");
  $("#hint").hidden = !state.practice;
  $("#h-shares").textContent = sheetNow().data.sentences["headings.shares"][state.language].join("");
}
let drawn = "";
function update(isWhole = false) {
  const start = performance.now(), sheet = sheetNow(), { given, on } = tabNow();
  if (isWhole) reprint();
  if (!sheet.data.views.includes(state.view)) [state.view] = sheet.data.views;
  found = sheet.work(given, on, state.view);
  speech = new Speech(sheet, found, state.language);
  if (isWhole) { drawWords(); drawSettings(); }
  drawFields();
  drawAnswer();
  drawAdds();
  const shape = [state.tab, state.language, state.notation, state.view, state.practice, [...state.solved].join(), found.setting, found.count !== null, [...found.relations.keys()].join(), heads()].join(" ");
  if (isWhole || shape !== drawn) { drawn = shape; drawDerivation(); }
  drawShares();
  drawDimensions();
  setFormulas();
  drawMore();
  save();
  performance.measure("symparams", { start, end: performance.now() });
}
// Whether one head of keys is for all, or one for each, which a sentence tells.
const heads = () => sheetNow().data.order.filter((name) => name.startsWith("n_kv_heads")).map((name) => { const value = found.values.get(name), queries = found.values.get(name.replace("kv_", "")); return value && value[0] === 1n ? 0 : value && queries && value[0] === queries[0] ? 1 : 2; }).join();
// What the file says beside the derivation of the model as it was opened: other ways to count, the rule of thumb.
function drawMore() {
  const isOpened = state.tab === 0 && words.languages.indexOf(OPENED.name) === state.language && state.notation === OPENED.notation && state.view === OPENED.view && !changes(0).length;
  $("#more").hidden = !isOpened;
}

// The state, in the words of the command line; only what differs from the model as it was opened.
function changes(tab) {
  const found = [];
  for (const name of sheets[tab].data.order) { const text = tabs[tab].given.get(name); if (text !== opened[tab].given.get(name)) found.push([name, text ?? ""]); }
  for (const [name] of sheets[tab].data.features) if (tabs[tab].on.has(name) !== opened[tab].on.has(name)) found.push([tabs[tab].on.has(name) ? "with" : "without", name]);
  return found;
}
function save() {
  const query = new URLSearchParams([["m", sheetNow().data.target], ...changes(state.tab)]);
  if (state.language !== OPENED.language) query.append("lang", words.languages[state.language]);
  if (state.notation !== OPENED.notation) query.append("notation", state.notation);
  if (state.view !== OPENED.view) query.append("view", state.view);
  if (state.theme !== "auto") query.append("theme", state.theme);
  const hash = `#${query}`;
  if (hash !== location.hash) try { history.replaceState(null, "", hash); } catch { /* a viewer without addresses */ }
}
function read() {
  const text = location.hash.slice(1);
  if (text && !text.includes("=")) return void setTimeout(() => go(unescaped(text)), 0);
  const query = new URLSearchParams(text), tab = sheets.findIndex(({ data }) => data.target === query.get("m"));
  state.tab = Math.max(0, tab);
  const { data } = sheetNow();
  tabs[state.tab] = fresh(state.tab);
  for (const name of data.order) if (query.has(name)) give(name, query.get(name).slice(0, MOST_CHARACTERS));
  const features = new Set(data.features.map(([name]) => name));
  for (const name of query.getAll("with")) if (features.has(name)) tabNow().on.add(name);
  for (const name of query.getAll("without")) tabNow().on.delete(name);
  const language = words.languages.indexOf(query.get("lang"));
  state.language = language >= 0 ? language : OPENED.language;
  state.notation = Object.hasOwn(data.letters, query.get("notation") ?? "") ? query.get("notation") : OPENED.notation;
  state.view = data.views.includes(query.get("view")) ? query.get("view") : OPENED.view;
  state.theme = ["light", "dark"].includes(query.get("theme")) ? query.get("theme") : "auto";
  showTheme();
}
function give(name, text) {
  const plain = /^\s*(\d{1,3}([,，]\d{3})+|\d+(_\d+)*)\s*$/.test(text) ? text.replace(/[,，_\s]/g, "").replace(/^0+(?=\d)/, "") : text.trim();
  if (plain) tabNow().given.set(name, plain); else { tabNow().given.delete(name); tabNow().emptied.add(name); }
  state.last = name;
}
const showTheme = () => { if (state.theme === "auto") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = state.theme; };
const unescaped = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
function go(id) {
  const place = document.getElementById(id);
  if (!place) return;
  place.scrollIntoView({ block: "start" });
  place.focus({ preventScroll: true });
}

// Copies: the same chains through the other printer.
function command() {
  const tab = tabNow(), { data, known } = sheetNow(), quoted = (text) => /^[\w.-]+$/.test(text) ? text : `"${text.replace(/["$`\\]/g, "")}"`;
  const said = changes(state.tab).map(([key, text]) => key === "with" || key === "without" ? `--${key} ${text}` : text ? `--set ${key}=${quoted(text)}` : "");
  // A published model has numbers only: what follows a size that was changed is said.
  const follow = [...known].filter(([name]) => !sheetNow().fixed.has(name) && !tab.given.has(name) && said.length && found.values.has(name)).map(([name]) => `--set ${name}=${found.values.get(name)[0]}`);
  return ["symparams derive", quoted(data.target), ...said, ...follow].filter(Boolean).join(" ");
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

// Practice: an answer is any formula that comes to the same under the relations that hold.
function mark(form) {
  const sheet = sheetNow(), step = sheet.step(Number(form.dataset.step)), note = $("p", form), { expansion } = found;
  try {
    const off = expansion.minus(expansion.of(parse($("input", form).value, sheet.readable)), expansion.of(step.written));
    note.className = off.size ? "bad" : "good";
    if (off.size) { note.innerHTML = `${escape(W("off"))} ${math(printers.mathml.print(expansion.written(off)))}`; return; }
    solve(step.place, W("right"));
  } catch (impossible) {
    if (!(impossible instanceof Impossible)) throw impossible;
    note.className = "bad";
    note.textContent = W("unread");
  }
}
function solve(place, said) {
  state.solved.add(place);
  for (const form of $$(`.try[data-step="${place}"]`)) {
    const shown = boxes.find(({ step }) => step.place === place && !document.getElementById(boxes.find((each) => each.step.place === place).id)) || boxes.find(({ step }) => step.place === place);
    form.outerHTML = `${said ? `<p class="good" role="status">${escape(said)}</p>` : ""}<div class="f" id="${shown.id}"></div>`;
  }
  setFormulas();
  const next = $(".try input");
  if (next) next.focus({ preventScroll: true });
}

// Hands.
let late;
function nudge(name, up, isBig) {
  const value = found.values.get(name);
  if (!value) return;
  const heads = found.values.get("n_heads"), unit = name === "h" && heads ? heads[0] * 64n / gcd(heads[0], 64n) : 1n, by = unit * (isBig ? 10n : 1n);
  const next = up ? (value[0] / by + 1n) * by : ((value[0] - 1n) / by) * by;
  if (next < 1n) return;
  give(name, String(next));
  $(`#i-${CSS.escape(name)}`).value = String(next);
  update();
}
// A field that is taken away, as by another tab, says so while it goes: it is no longer heard.
const nameOf = (field) => { const row = field.closest && field.closest("#sizes .row"); return row && Number(row.dataset.tab) === state.tab ? field.name : ""; };
document.addEventListener("input", ({ target }) => {
  const name = nameOf(target);
  if (!name) return;
  give(name, target.value);
  clearTimeout(late);
  update(); // a wrong value is told at once, beside its field; nothing else moves
});
document.addEventListener("change", ({ target }) => {
  const name = nameOf(target);
  if (name) { if (target.value.trim() !== (tabNow().given.get(name) ?? "") && target.value !== target.placeholder) { give(name, target.value); update(); } }
  else if (target.id === "notation" || target.id === "view") { state[target.id] = target.value; update(true); }
  else if (target.type === "checkbox") { if (target.checked) tabNow().on.add(target.name); else tabNow().on.delete(target.name); update(); }
});
document.addEventListener("keydown", (event) => {
  const name = nameOf(event.target), isUp = event.key === "ArrowUp";
  if (name && (isUp || event.key === "ArrowDown")) { event.preventDefault(); nudge(name, isUp, event.shiftKey); }
  else if (event.target.role === "tab" && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    choose((state.tab + (event.key === "ArrowRight" ? 1 : sheets.length - 1)) % sheets.length);
    $(`#tab-${state.tab}`).focus();
  }
});
function choose(tab) { state.tab = tab; state.solved.clear(); update(true); }
document.addEventListener("submit", (event) => { event.preventDefault(); if (event.target.dataset.step) mark(event.target); });
document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button, a");
  if (!pressed) return;
  const { dataset } = pressed;
  if (pressed.hash && pressed.origin === location.origin) { event.preventDefault(); go(unescaped(pressed.hash.slice(1))); }
  else if (dataset.copy) copy(pressed);
  else if (dataset.lang) { state.language = words.languages.indexOf(dataset.lang); update(true); }
  else if (dataset.themeTo) { state.theme = dataset.themeTo; showTheme(); drawWords(); save(); }
  else if (pressed.role === "tab") choose(Number(dataset.tab));
  else if (dataset.show !== undefined) solve(Number(dataset.show), "");
  else if (pressed.id === "reset") { tabs[state.tab] = fresh(state.tab); state.solved.clear(); update(true); }
  else if (pressed.id === "practise") { state.practice = !state.practice; state.solved.clear(); drawWords(); update(); }
});
new IntersectionObserver(([each]) => $("#bar").classList.toggle("on", !each.isIntersecting)).observe($("#count"));
let lastWidth = 0;
new ResizeObserver(([each]) => { const width = Math.round(each.contentRect.width); if (width !== lastWidth) { lastWidth = width; if (found) setFormulas(); } }).observe($("#derivation"));
addEventListener("hashchange", () => { if (location.hash.includes("=")) { read(); update(true); } });
addEventListener("beforeprint", () => { measured.clear(); setFormulas(); });
if (document.fonts) document.fonts.ready.then(() => { measured.clear(); if (found) setFormulas(); });
read();
update(true);
