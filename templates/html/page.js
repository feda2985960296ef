// The page: settings in, the sheet drawn anew, whole: when an update returns, nothing of it is of another state,
// and every number is there. An update reads the
// page first, its width and those of formulas not met before, and then writes it, so that a browser lays it out once.
function drawWords() {
  for (const each of $$("[data-t]")) each.textContent = W(each.dataset.t);
  for (const each of $$("[data-aria]")) each.setAttribute("aria-label", W(each.dataset.aria));
  for (const each of $$(".compared, .plot")) each.hidden = each.lang !== document.documentElement.lang;
  for (const each of $$("[data-lang]"))
    each.setAttribute("aria-pressed", String(each.dataset.lang === words.languages[state.language]));
  for (const each of $$("[data-theme-to]")) each.setAttribute("aria-pressed", String(each.dataset.themeTo === state.theme));
  $("#notation").value = state.notation;
  $("#view").innerHTML = sheetNow()
    .data.views.map(
      (view) =>
        `<option value="${escape(view)}"${view === state.view ? " selected" : ""}>${escape(W(`views.${view.replace("-", "_")}`))}</option>`,
    )
    .join("");
  $("#practise").textContent = W(state.practice ? "practising" : "practise");
  $("#hint").hidden = !state.practice;
  $("#hint").textContent = joined([[W("ask")], [W("unshown")]], words.heads[state.language].joint).join("");
  const cost = costNow();
  $("#quantity").innerHTML = [["parameters"], ...sheetNow().costs]
    .map(
      ([name]) =>
        `<label><input type="radio" name="quantity" value="${escape(name)}"${name === (cost ? cost.name : "parameters") ? " checked" : ""}><span>${escape(W(`quantities.${name}`))}</span></label>`,
    )
    .join("");
  $("#quantity").hidden = !sheetNow().costs.size;
  $("#h-view").hidden = Boolean(cost);
  $("#h-shares").textContent =
    sheetNow().data.sentences[`costs.${cost ? "own" : "parameters"}.shares`][state.language].join("");
}
function update(isWhole = false) {
  const start = performance.now(),
    sheet = sheetNow(),
    { given, on } = tabNow();
  if (isWhole) reprint();
  if (!sheet.data.views.includes(state.view)) [state.view] = sheet.data.views;
  sheets.forEach((_, i) => i !== state.tab && foundOf(i)); // of which each changes with its own settings alone
  current = found = sheet.work(given, on, state.view, state.quantity);
  sheet.settle(given, current);
  current.view = state.view;
  base = openedNow();
  // Where a value cannot be, or a part asks for one, the numbers of before stay, in grey: those of the model where there are none.
  const { good = base } = tabNow(),
    focus = focusedNumber();
  if (found.count !== null) tabNow().good = found;
  else if (
    (found.fault || found.missing.some((name) => !tabNow().emptied.has(name))) &&
    good.count !== null &&
    good.cost === found.cost &&
    good.view === state.view
  )
    found = good;
  document.body.classList.toggle("stale", found !== current);
  current.shown = current.values; // a field that goes asks for it
  pictured = found.cost ? sheet.work(found.given, on, state.view) : found;
  Object.assign(tabNow(), { quantity: state.quantity, count: current.count, found: current });
  speech = new Speech(sheet, found, state.language);
  tried.clear();
  if (!lastPut.has($("#derivation"))) $("#derivation").textContent = ""; // as the file has it, it need not be laid out
  const text = derivation(),
    lines = measuredLines(); // all that is read of the page, before any of it is written
  document.body.classList.toggle("asks", asks());
  if (isWhole) {
    drawWords();
    drawCompareWords();
    drawSettings();
  }
  drawFields();
  drawAnswer();
  drawFirst();
  drawAdds();
  put($("#derivation"), text);
  setLines(lines);
  drawPicture();
  drawShares();
  drawTouch();
  drawDimensions();
  drawMore();
  drawCompared();
  focusAgain(focus);
  save();
  performance.measure("symparams", { start, end: performance.now() });
}
// Hands.
const PATIENCE = 500; // milliseconds, or 7 on the way to 768 would be told that it is wrong
let late = 0;
function set(name, text) {
  give(name, text);
  $(`#i-${CSS.escape(name)}`).value = text;
  settle();
}
// The model as it was opened, at what is typed of the inputs: what a change is told against.
const basesKept = new Map();
function openedNow() {
  const sheet = sheetNow(),
    { given, on } = opened[state.tab],
    inputs = [...tabNow().given].filter(([name]) => sheet.inputs.has(name)),
    key = [state.tab, sheet.data.target, state.view, state.quantity, inputs].join(" ");
  if (!basesKept.has(key)) {
    if (basesKept.size > 200) basesKept.clear();
    const sizes = [...given].filter(([name]) => !sheet.inputs.has(name));
    const worked = sheet.work(new Map([...sizes, ...inputs]), on, state.view, state.quantity);
    basesKept.set(key, Object.assign(worked, { view: state.view }));
  }
  return basesKept.get(key);
}
const settle = () => {
  clearTimeout(late);
  late = 0;
  update();
};
// A field that is taken away, as by another tab, says so while it goes: it is no longer heard.
const nameOf = (field) => {
  const row = field.closest && field.closest(".row[data-dimension]");
  return row && Number(row.dataset.tab) === state.tab ? field.name : "";
};
document.addEventListener("input", ({ target }) => {
  const name = nameOf(target);
  if (!name) return;
  give(name, target.value);
  clearTimeout(late);
  if (!sheetNow().work(tabNow().given, tabNow().on, state.view).fault) return void settle();
  $("#count").dataset.count = "";
  late = setTimeout(settle, PATIENCE);
});
document.addEventListener("focusin", ({ target }) => {
  const name = nameOf(target);
  if (name) target.value = textIn(name);
});
document.addEventListener("focusout", ({ target }) => {
  const name = nameOf(target);
  if (name && target.isConnected) target.value = shownIn(name);
});
document.addEventListener("change", ({ target }) => {
  const name = nameOf(target);
  if (name) {
    const text = ungrouped(target.value);
    const isNew = text
      ? text !== tabNow().given.get(name) && text !== target.placeholder
      : tabNow().given.has(name) || !tabNow().emptied.has(name);
    if (isNew) {
      give(name, text);
      settle();
    } else if (late) settle();
  } else if (target.id === "model") {
    const { data, inputs } = sheetNow(),
      typed = [...tabNow().given].filter(([name]) => inputs.has(name));
    open(
      state.tab,
      data.presets.find((each) => each.target === target.value),
    );
    for (const [name, text] of typed) tabNow().given.set(name, text);
    state.solved.clear();
    update(true);
  } else if (target.id === "notation" || target.id === "view" || target.name === "quantity") {
    state[target.id || target.name] = target.value;
    update(true);
    if (target.name === "quantity") $("#quantity :checked").focus();
  } else if (target.closest("[data-option]")) {
    give(target.name, target.value);
    for (const [letter, option] of found.cost.givenBy) if (option === target.name) tabNow().given.delete(letter);
    update(true);
  } else if (target.type === "checkbox") {
    if (target.checked) tabNow().on.add(target.name);
    else tabNow().on.delete(target.name);
    update();
  }
});
document.addEventListener("keydown", (event) => {
  const name = nameOf(event.target),
    isUp = event.key === "ArrowUp";
  if (name && (isUp || event.key === "ArrowDown")) {
    event.preventDefault();
    moveBy(name, (isUp ? 1 : -1) * (event.shiftKey ? 10 : 1));
  } else if (event.target.role === "tab" && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    choose((state.tab + (event.key === "ArrowRight" ? 1 : sheets.length - 1)) % sheets.length);
    $(`#tab-${state.tab}`).focus();
  }
});
function choose(tab) {
  state.tab = tab;
  state.solved.clear();
  update(true);
}
document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.dataset.step) mark(event.target);
});
document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button, a");
  if (!pressed) return;
  const { dataset } = pressed;
  if (dataset.to) {
    event.preventDefault();
    go(dataset.to);
  } // a block of the picture
  else if (pressed.hash && pressed.origin === location.origin) {
    event.preventDefault();
    go(unescaped(pressed.hash.slice(1)));
  } else if (dataset.by) moveBy(dataset.of, dataset.by * (event.shiftKey ? 10 : 1));
  else if (dataset.nearest) {
    set(dataset.of, dataset.nearest);
    $("input", pressed.closest(".row") ?? $("#h-wanted")).focus();
  } else if (dataset.copy) copy(pressed);
  else if (dataset.lang) {
    state.language = words.languages.indexOf(dataset.lang);
    update(true);
  } else if (dataset.themeTo) {
    state.theme = dataset.themeTo;
    showTheme();
    drawWords();
    update();
  } else if (pressed.role === "tab") choose(Number(dataset.tab));
  else if (dataset.show !== undefined) solve(Number(dataset.show), "");
  else if (pressed.id === "reset") {
    tabs[state.tab] = fresh(state.tab);
    state.solved.clear();
    update(true);
  } else if (pressed.id === "practise") {
    state.practice = !state.practice;
    state.solved.clear();
    drawWords();
    update();
  }
});
new IntersectionObserver(([each]) =>
  $("#bar").classList.toggle("on", !each.isIntersecting && each.boundingClientRect.top < 0),
).observe($("#count"));
new ResizeObserver(fitFormulas).observe($("#derivation"));
addEventListener("hashchange", () => {
  if (location.hash.includes("=")) {
    read();
    update(true);
  }
});
for (const when of ["beforeprint", "afterprint"])
  addEventListener(when, () => {
    isOnPaper = when === "beforeprint";
    measured.clear();
    setFormulas();
  });
read();
update(true);
performance.measure("symparams opening", { start: BEGUN, end: performance.now() });
document.documentElement.dataset.opened = "yes"; // it is as it should be
