// The page: settings in, the sheet drawn anew.
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
  const cost = costNow();
  $("#quantity").innerHTML = [["parameters"], ...sheetNow().costs].map(([name]) => `<option value="${escape(name)}"${name === (cost ? cost.name : "parameters") ? " selected" : ""}>${escape(W(`quantities.${name}`))}</option>`).join("");
  $("#h-quantity").hidden = !sheetNow().costs.size;
  $("#h-view").hidden = Boolean(cost);
  $("#h-shares").textContent = cost ? W("shares_of_cost") : sheetNow().data.sentences["headings.shares"][state.language].join("");
}
let drawn = "";
function update(isWhole = false) {
  const start = performance.now(), sheet = sheetNow(), { given, on } = tabNow();
  if (isWhole) reprint();
  if (!sheet.data.views.includes(state.view)) [state.view] = sheet.data.views;
  found = sheet.work(given, on, state.view, state.quantity);
  speech = new Speech(sheet, found, state.language);
  if (isWhole) { drawWords(); drawSettings(); }
  drawFields();
  drawAnswer();
  drawAdds();
  const shape = [state.tab, state.language, state.notation, state.view, state.quantity, state.practice, [...state.solved].join(), found.setting, found.count !== null, [...found.relations.keys()].join(), heads()].join(" ");
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
  const isOpened = state.tab === 0 && words.languages.indexOf(OPENED.name) === state.language && state.notation === OPENED.notation && state.view === OPENED.view && state.quantity === OPENED.quantity && !changes(0).length;
  $("#more").hidden = !isOpened;
}

// Hands.
let late;
function nudge(name, up, isBig) {
  const value = found.values.get(name);
  if (!value) return;
  const heads = found.values.get("n_heads"), unit = name === "h" && heads ? heads[0] * 64n / gcd(heads[0], 64n) : 1n, by = unit * (isBig ? 10n : 1n);
  const least = sheetNow().inputs.has(name) ? 0n : 1n, next = up ? (value[0] / by + 1n) * by : ((value[0] - 1n) / by) * by;
  if (next < least) return;
  give(name, String(next));
  $(`#i-${CSS.escape(name)}`).value = String(next);
  update();
}
// A field that is taken away, as by another tab, says so while it goes: it is no longer heard.
const nameOf = (field) => { const row = field.closest && field.closest(".row[data-dimension]"); return row && Number(row.dataset.tab) === state.tab ? field.name : ""; };
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
  else if (target.id === "notation" || target.id === "view" || target.id === "quantity") { state[target.id] = target.value; update(true); }
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
