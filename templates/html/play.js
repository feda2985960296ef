// Play: a number is dragged, typed or stepped by keys; what it moved is told; a letter that is pointed at lights up everywhere.
const isFree = (name) => !sheetNow().fixed.has(name) && found.values.has(name) && Boolean($(`#i-${CSS.escape(name)}`));
// A formula whose letters are their numbers, each in a hand's reach.
const DRAGGED = {
  ...PLAIN,
  number: (value, isNegative) => `${isNegative ? "−" : ""}${grouped(value)}`,
  sign: (sign, isFirst) => (isFirst ? "−" : ` ${sign === "-" ? "−" : sign} `),
  power: (base, power) => `${base}<sup>${power}</sup>`,
  rounded: (open, text, close) => `${open}${text}${close}`,
  minimum: (parts) => `min(${parts.join(", ")})`,
  letter: (markup) => markup,
};
class NumberPrinter extends Printer {
  constructor(letterOf) {
    super(DRAGGED, letterOf, String, String);
  }
  tight(factors, within) {
    const text = factors.map((each) => this.print(each, PRODUCT)).join(" × ");
    return within >= POWER ? `(${text})` : text;
  }
}
const meaningOf = (name) => {
  const { dimensions, others } = sheetNow().data,
    [, , meanings] = [...dimensions, ...others].find(([other]) => other === name) ?? [];
  return meanings ? meanings[state.language] : name;
};
// A number of a letter, which is a slider; of several of one letter the first is reached by the keyboard: that of the first line,
// which is drawn before the others.
const placed = new Set();
function draggable(name) {
  const value = found.values.get(name)?.[0];
  if (value === undefined) return escape(name);
  if (!isFree(name)) return grouped(amount(found.values.get(name)));
  const isFirst = !placed.has(name),
    isMoved = base && base.values.has(name) && base.values.get(name)[0] !== value;
  placed.add(name);
  return `<button type="button" role="slider" class="live${isMoved ? " moved" : ""}" tabindex="${isFirst ? 0 : -1}" data-number="${escape(name)}" aria-label="${escape(`${name}, ${meaningOf(name)}`)}" aria-valuenow="${value}" aria-valuetext="${grouped(value)}">${grouped(value)}</button>`;
}

// The values that a number takes while it is dragged or stepped: those that fit, in steps that people choose.
const MOST_STEPS = 160,
  SMALL = 512n,
  ROUND = 64n;
const valueNow = (name) => (current.shown.get(name) ?? found.values.get(name))?.[0];
// So many numbers at least that what must divide a size still does.
function unitOfSteps(name) {
  const sheet = sheetNow(),
    own = base?.values.get(name)?.[0] ?? valueNow(name),
    divisors =
      own > SMALL && !sheet.inputs.has(name)
        ? [gcd(own, ROUND), ...sheet.divisors(name).map((each) => current.shown.get(each)?.[0] ?? 1n)]
        : [];
  return divisors.reduce((so, each) => (so * each) / gcd(so, each), 1n);
}
function gridOf(name) {
  const sheet = sheetNow(),
    now = valueNow(name);
  const own = base?.values.get(name)?.[0] ?? now,
    isRight = (value) => fits(sheet, tabNow(), name, value);
  if (sheet.inputs.has(name)) {
    const doublings = Array.from({ length: 21 }, (_, i) => 1n << BigInt(i));
    return ordered([...doublings.filter((value) => own < 64n || value >= 64n), own, now].filter((value) => value > 0n)); // doubled, none is reached
  }
  const known = publishedOf(name).map(([, value]) => value),
    most = [now * 2n, own * 2n, ...known.map((value) => (value * 9n) / 8n)].reduce((a, b) => (a > b ? a : b)),
    unit = unitOfSteps(name),
    by = own <= SMALL ? unit : unit * ceiling([most / unit, BigInt(MOST_STEPS)]),
    others = [...tabNow().given].filter(([other]) => other !== name),
    key = [state.tab, sheet.data.target, name, most, by, others, [...tabNow().on]].join(" ");
  if (rightKept.key !== key) {
    rightKept = { key, right: known.filter(isRight) };
    for (let value = by; value <= most && rightKept.right.length < 4 * MOST_STEPS; value += by)
      if (isRight(value)) rightKept.right.push(value);
  }
  return ordered([...rightKept.right, own, now]);
}
let rightKept = {}; // those that fit, as long as nothing else is changed
// A size some steps further.
function moveBy(name, steps) {
  if (valueNow(name) === undefined) return;
  const values = gridOf(name),
    to = indexIn(values, valueNow(name)) + steps;
  set(name, String(values[Math.max(0, Math.min(values.length - 1, to))]));
}
const ordered = (values) => [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
// The index of a value, or of the last that is smaller.
const indexIn = (grid, value) =>
  Math.max(
    0,
    grid.findLastIndex((each) => each <= value),
  );

// A number is drawn along its grid, the chart where it is pointed at.
let drag = null;
const numberAt = (target) => target.closest?.("[data-number]");
document.addEventListener("pointerdown", (event) => {
  const number = numberAt(event.target),
    chart = event.target.closest?.("#chart"),
    name = chart ? hot : number?.dataset.number;
  if (!name || event.button || drag || !found.values.has(name) || !isFree(name)) return;
  const steps = gridOf(name),
    { clientX: x, pointerId: id } = event,
    from = indexIn(steps, found.values.get(name)[0]),
    wide = Math.max(3, Math.min(14, 420 / steps.length)),
    along = (to) => steps[Math.max(0, Math.min(steps.length - 1, from + Math.round((to - x) / wide)))];
  drag = { name, grid: steps, x, id, number, isMoved: false, valueAt: chart ? pointedAt : along };
  if (number?.matches("button")) {
    number.focus({ preventScroll: true });
    event.preventDefault();
  }
  touched(name);
});
document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  if (Math.abs(event.clientX - drag.x) > 4) {
    drag.isMoved = true;
    document.body.classList.add("drags");
  }
  if (drag.isMoved) dragTo(event);
});
function dragTo({ clientX }) {
  const to = drag.valueAt(clientX);
  if (to !== found.values.get(drag.name)?.[0]) set(drag.name, String(to));
}
for (const kind of ["pointerup", "pointercancel"])
  document.addEventListener(kind, (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { number, isMoved } = drag,
      isTapped = kind === "pointerup" && !isMoved;
    if (isTapped && !number) dragTo(event);
    drag = null;
    document.body.classList.remove("drags");
    light("");
    if (isTapped && number?.matches("button") && numberAt(event.target) === number) write(number);
  });
// A number is typed in its place.
function write(number) {
  const { number: name } = number.dataset,
    place = sameAs(name).indexOf(number),
    field = document.createElement("input");
  Object.assign(field, { className: "edit", value: textIn(name), autocomplete: "off", spellcheck: false });
  field.setAttribute("aria-label", number.getAttribute("aria-label"));
  field.size = Math.max(4, field.value.length + 1);
  number.replaceWith(field);
  field.select();
  let isDone = false;
  const end = (isKept) => {
    if (isDone) return;
    isDone = true;
    for (const id of ["#shares", "#first"]) lastPut.delete($(id));
    if (isKept && ungrouped(field.value) !== textIn(name)) set(name, field.value);
    else {
      drawFirst();
      drawShares();
    }
    focusAgain([name, place]);
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "Escape") end(event.key === "Enter");
  });
  field.addEventListener("blur", () => end(true));
}
// Keys on a number: arrows step, with Shift ten at once; Home goes back to the published one; Enter writes.
function step(number, key, isBig) {
  const { number: name } = number.dataset,
    by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[key];
  if (key === "Enter" || key === " ") {
    write(number);
    return true;
  }
  if (key === "Home" && base?.values.has(name)) set(name, String(base.values.get(name)[0]));
  else if (by) moveBy(name, by * (isBig ? 10 : 1));
  else return false;
  return true;
}
document.addEventListener("keydown", (event) => {
  const number = numberAt(event.target);
  if (number && step(number, event.key, event.shiftKey)) event.preventDefault();
});
document.addEventListener("focusin", ({ target }) => {
  const number = numberAt(target),
    field = nameOf(target);
  if (number && !drag) touched(number.dataset.number);
  else if (field && found.values.has(field)) touched(field);
});
// What has the focus is written anew: the number of the same letter at the same place has it again.
const LIVE = ".live[data-number]",
  sameAs = (name) => $$(LIVE).filter(({ dataset }) => dataset.number === name);
function focusedNumber() {
  const number = document.activeElement?.closest?.(LIVE);
  return number ? [number.dataset.number, sameAs(number.dataset.number).indexOf(number)] : null;
}
function focusAgain(focus) {
  if (!focus || document.activeElement?.closest?.(LIVE)) return;
  const numbers = sameAs(focus[0]);
  (numbers[focus[1]] ?? numbers[0])?.focus({ preventScroll: true });
}
// The first line: what to do, with a number that does it.
function drawFirst() {
  const name = sheetNow().data.first ?? sheetNow().data.order[0],
    [before, after] = W("drag").split("{number}");
  placed.clear();
  put(
    $("#first"),
    found.values.has(name)
      ? `${escape(before)}${math(`${printers.mathml.print(letter(name))}<mo>=</mo>`)} ${draggable(name)}${escape(after)}`
      : "",
  );
}

// A letter that is pointed at, wherever it stands: as a letter, as its number, in the picture, as a field.
const LETTERS = "msub, mi",
  shownAs = (name) => (sheetNow().data.letters[state.notation][name] ?? [name, ""]).slice(0, 2).join("");
let lit = "";
function light(name) {
  if (name === lit) return;
  lit = name;
  for (const each of $$(".lit")) each.classList.remove("lit");
  if (!name) return;
  const text = shownAs(name),
    same = $$(LETTERS).filter((each) => each.textContent === text && !each.parentElement.closest("msub"));
  const marked = `[data-number="${CSS.escape(name)}"], [data-letters~="${CSS.escape(name)}"], .row[data-dimension="${CSS.escape(name)}"]`;
  for (const each of [...same, ...$$(marked)]) each.classList.add("lit");
}
function letterAt(target) {
  const place = target.closest?.("[data-number], .row[data-dimension]");
  if (place) return place.dataset.number ?? place.dataset.dimension;
  const shown = target.closest?.("msub") ?? target.closest?.("mi");
  if (!shown) return "";
  const { dimensions, others } = sheetNow().data;
  return [...dimensions, ...others].map(([name]) => name).find((name) => shownAs(name) === shown.textContent) ?? "";
}
document.addEventListener("pointerover", ({ target }) => !drag && light(letterAt(target)));
