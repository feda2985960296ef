// The picture: a drawing that ``draw`` made, of the settings that it is true of, with the numbers of today in its slots. A part is a
// link to its step. Lengths are in points of print. A run of a text is of a face, by the first of its characters.
const FREE_WIDTH = 3, // of the width of a box
  LEAST_SCALE = 0.8, // of the size of letters
  MOST_EXACT = 50, // a width that holds the digits of a usual count
  INDEX_DROP = 1.6, // of an index
  SCREEN_SCALE = 1.6; // pixels of a point, where there is room
const MOST_SAID = 15,
  RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
let pictured; // the sheet of the parameters, whatever else is worked out
const runsNow = () => sheetNow().data.pictures.runs;
const isHeld = () => pictured.count !== null && !asks();
const sized = (formula) => (isBound(formula, pictured.values) ? exact(formula, pictured.values, pictured.known)[0] : null);
const numberOf = (place) => (place < 0 ? null : sized(sheetNow().formulas[place]));
// Three digits and the language's word for the power of ten, with = or ≈.
function briefly(value) {
  const digits = String(value).length,
    powers = [digits, digits - 1].filter((power) => power >= MOST_SAID);
  const raised = powers.map((power) => ({ power, word: `·10${String(power).replace(/\d/g, (each) => RAISED[each])}` }));
  return rounded(value, [...raised, ...words.heads[state.language].short_rounding]);
}

// Which drawing: that of the language and the features of which each fact is as it was.
const isOfSetting = ([language, present, free], setting) => language === state.language && !((setting ^ present) & ~free);
const isFact = ([one, other, held]) => {
  const [left, right] = [numberOf(one), numberOf(other)];
  return left === null || right === null || (left === right) === Boolean(held);
};
function trueOne({ drawings, own }) {
  const { data, switches } = sheetNow(),
    setting = pictured.setting & ((1 << switches) - 1);
  if (pictured.fault || (own && data.target !== data.presets[0].target)) return -1;
  return drawings.findIndex((drawing) => isOfSetting(drawing, setting) && drawing[5].every(isFact));
}

// Texts: runs, each with its face before it. A letter is {h}, a size {#12}, a count {=12}.
const lettersIn = (text) =>
  [...text.matchAll(/\{([#=]?)([^{}]+)\}/g)].flatMap(([, sign, name]) => (sign ? letters(sheetNow().formulas[name]) : [name]));
function lineMarkup(runs, { isShort = false, formulas = true, counts = true, share = "" }) {
  const { faces } = sheetNow().data.pictures,
    of = runsNow(),
    known = sheetNow().data.letters[state.notation];
  let lowered = 0,
    markup = "";
  const put = (kind, text, drop = 0) => {
    if (text) markup += `<tspan class="${kind}"${drop === lowered ? "" : ` dy="${drop - lowered}"`}>${escape(text)}</tspan>`;
    if (text) lowered = drop;
  };
  const numbered = (_, sign, kind, place) => {
    if (kind === "{") return sign + kind;
    const value = numberOf(place);
    if (value === null) return sign ? "" : lettersOf(sheetNow().formulas[place]);
    const short = isShort && kind === "=" ? briefly(value) : "";
    return short ? (sign || runs.length === 1 ? short : short.replace(/^\S+ /, "")) : sign.replace("≈ ", "") + grouped(value);
  };
  for (const run of runs) {
    const [face] = run,
      text = run.slice(1);
    if (face === of.formula) {
      if (!formulas) continue;
      for (const part of dotted(text).split(/(?=\{)|(?<=\})/)) {
        const name = part.match(/^\{(.+)\}$/)?.[1];
        if (!name) put("m", part);
        else {
          const [base, index, latex] = known[name] || [name, "", ""];
          put([...base].length > 1 || latex.startsWith("\\mathrm") || /[Α-Ω]/.test(base) ? "m" : "i", base);
          put("s", index, INDEX_DROP);
        }
      }
    } else if (face === of.sign) put("m", formulas ? text : "");
    else if (face !== of.count || counts || !text.trim())
      put(faces[face], text.replace(/([=≈] |)\{(\{|[#=])(\d*)\}/g, numbered));
  }
  put(faces[of.count], share && markup ? `  ${share}` : share);
  return markup;
}
// Between factors side by side a dot, but not within 2h.
function dotted(text) {
  const known = sheetNow().data.letters[state.notation],
    tex = (part) => part.replace(/\{([^{}]+)\}/g, (_, name) => (known[name] || [0, 0, name])[2]);
  return text.split("\u2062").reduce((left, right) => {
    const [before, after] = [tex(left).match(/[^\s(×+·]*$/)[0], tex(right).match(/^[^\s)×+]*/)[0]];
    const isTight =
      /^\d+$/.test(before) ||
      (before.length === 1 && after.length === 1) ||
      (/^[A-Za-z][²³]$/.test(after) && !before.includes("_"));
    return left + (isTight && !/\\mathrm/.test(before + after) ? "" : "·") + right;
  });
}

// A drawing as SVG. ``slotLines`` are its texts that change, ``drawnParts`` its links.
let slotLines = [],
  drawnParts = [];
function drawingMarkup(drawing) {
  const { pictures } = sheetNow().data,
    [, , , width, height, , placed] = drawing,
    used = new Set();
  slotLines = [];
  drawnParts = [];
  const after = (place, more) => Array.from({ length: more }, (_, i) => pictures.marks[place + i + 1]); // those of a range
  const marks = placed.flatMap((place, i) => (place < 0 ? after(placed[i - 1], -place) : [pictures.marks[place]]));
  const drawn = marks.map(([element, x, y, about = -1]) => {
    const [shapes, texts] = pictures.elements[element],
      part = about < 0 ? null : partOf(pictures, about);
    const room = shapes.length ? Number(pictures.shapes[shapes[0]].split("|")[4]) - FREE_WIDTH : 0;
    const held = texts.map((text) => lineOf(text, room, part)),
      of = held.flatMap(({ runs }) => runs.flatMap(lettersIn));
    const inner =
      shapes.map((shape) => shapeMarkup(pictures.shapes[shape])).join("") + held.map(({ markup }) => markup).join("");
    const at = ` transform="translate(${x} ${y})"${of.length ? ` data-letters="${escape([...new Set(of)].join(" "))}"` : ""}`;
    if (!part || used.has(part.path)) return `<g${at}>${inner}</g>`;
    used.add(part.path);
    drawnParts.push(part);
    return `<a id="${escape(part.id)}" href="#${escape(encodeURIComponent(anchor(part.target)))}" data-to="${escape(anchor(part.target))}" data-part="${escape(part.path)}"${at}><title>${escape(part.name)}</title>${inner}</a>`;
  });
  return `<svg class="symparams" viewBox="0 ${-height} ${width} ${height}" width="${Math.round(width * SCREEN_SCALE)}" role="group" aria-labelledby="h-picture" xml:space="preserve">${drawn.join("")}</svg>`;
}
function shapeMarkup(shape) {
  const [name, ...values] = shape.split("|"),
    given = sheetNow().data.pictures.attributes[name].map((attribute, i) => (values[i] ? ` ${attribute}="${values[i]}"` : ""));
  return `<${name}${given.join("")}></${name}>`;
}
function partOf(pictures, about) {
  const [place, name, one, every, shown] = pictures.parts[about],
    [path, first, ...others] = pictures.steps[place],
    view = sheetNow().data.views.indexOf(state.view);
  return {
    path,
    id: `d-${path}`,
    name: capital([name])[0],
    target: thereOf(others[view - 1] || first, path),
    one,
    every,
    shown,
    lines: [],
  };
}
// What there is of a step, or of what stands around it: of another quantity, or without a relation, there may be no such step.
function thereOf(target, path) {
  const names = path.split("."),
    around = names.map((_, i) => names.slice(0, names.length - i).join("."));
  return [target, ...around].find((each) => document.getElementById(anchor(each))) ?? "total";
}
function lineOf([x, y, text, scale = 1, side = "middle"], room, part) {
  const line = { runs: text.split("\n"), x, y, room, scale, part };
  const isSoft = line.runs.every((run) => run[0] === runsNow().note),
    isLive = line.runs.some((run) => run[0] === runsNow().formula || /\{[#=]/.test(run)),
    markup = lineMarkup(line.runs, { counts: !isLive });
  if (isLive) slotLines.push(line);
  if (part && isLive) part.lines.push(line);
  const at = `transform="${atScale(line, scale)}" text-anchor="${side}"`;
  return {
    runs: line.runs,
    markup: `<text ${at}${isLive ? " data-line" : ""}${isSoft ? ' class="soft"' : ""}>${markup}</text>`,
  };
}
const atScale = ({ x, y }, scale) => `translate(${x} ${y})${scale === 1 ? "" : ` scale(${scale})`}`;

// What its texts say now. Of another quantity than the parameters a part tells its share of that, as far as that is told by parts.
function fillSlots() {
  const shareOf = found.cost && !asks() ? sharesNow() : () => null;
  for (const part of drawnParts) {
    const value = numberOf(part.one),
      share = shareOf(part),
      isOut = share === 0n;
    const isFalse = part.shown >= 0 && value !== null && numberOf(part.shown) !== value; // a relation does not hold
    part.isFalse = isFalse;
    part.share = share ? percent(...share, words.heads[state.language].percent) : "";
    part.link.classList.toggle("out", isOut);
    $("title", part.link).textContent = titleOf(part, isOut);
  }
  const counts = !found.cost && isHeld();
  for (const line of slotLines) {
    const { part, runs } = line,
      isShared = part?.share && line === part.lines.findLast((each) => each.runs.some((run) => run.includes("{=")));
    const isOfCount = runs.every((run) => runsNow().counted.includes(run[0])),
      formulas = !isOfCount || !(found.cost || asks() || part?.isFalse);
    line.how = { formulas, counts, share: isShared ? part.share : "" };
    const markup = lineMarkup(runs, line.how);
    if (markup === line.said) continue;
    const gauge = markup.replace(/\d/g, "0"); // digits are all as wide
    if (line.gauge !== gauge) Object.assign(line, { gauge, way: 0, by: 1 });
    if (line.gauge !== line.fitted) fitting.add(line);
    line.said = markup;
    WAYS[line.way](line);
  }
  if (fitting.size) requestAnimationFrame(fitLines);
}
function setLine(line, markup, scale) {
  if (line.shown !== markup) line.text.innerHTML = line.shown = markup;
  line.text.setAttribute("transform", atScale(line, scale));
}
// What is too wide is set smaller, then said in short, then without the formula, of which there are no pieces.
const WAYS = [
  (line) => setLine(line, line.said, line.scale),
  (line) => setLine(line, line.said, Math.max(LEAST_SCALE, line.by)),
  (line) => setLine(line, lineMarkup(line.runs, { ...line.how, isShort: true }), line.scale),
  (line) => setLine(line, lineMarkup(line.runs, { ...line.how, isShort: line.room < MOST_EXACT, formulas: false }), 1),
];
const fitting = new Set(); // lines that are still to be measured, once what is drawn is laid out
function fitLines() {
  let wide = [...fitting].filter(({ room, text }) => room > 0 && text.isConnected);
  for (const line of fitting) line.fitted = line.gauge;
  fitting.clear();
  for (let way = 0; way < WAYS.length - 1; way++) {
    const widths = wide.map(({ text }) => text.getComputedTextLength()); // all are measured before any is written
    const isWide = (line, i) => widths[i] * (way === 1 ? LEAST_SCALE : line.scale) > line.room + 0.5;
    wide.forEach((line, i) => (line.by = line.room / (widths[i] || 1)));
    wide = wide.filter(isWide);
    if (way === 2) wide = wide.flatMap((line) => line.part?.lines.filter(hasFormula) ?? [line]);
    for (const line of wide) WAYS[(line.way = way + 1)](line);
  }
}
const hasFormula = ({ runs }) => runs.some((run) => run[0] === runsNow().formula);
// The share of a part, as what it has and the whole; 0 where it has none, null where that is not told of it alone.
function sharesNow() {
  const sheet = sheetNow(),
    isWithin = (path, other) => path === other || path.startsWith(`${other}.`);
  const rows = sheet
    .parts(`part ${found.cost.name}`, found.setting)
    .map(([[, path], place]) => [path, sheet.formulas[sheet.data.pool[place][0]]]);
  return ({ path, every }) => {
    if (every < 0) return null;
    if (!rows.length) return pictured.count ? [numberOf(every), pictured.count] : null; // of weights
    const own = rows.filter((row) => isWithin(row[0], path));
    if (!own.length) return rows.some((row) => isWithin(path, row[0])) ? null : 0n;
    return found.count
      ? [own.reduce((so, [, formula]) => so + exact(formula, found.values, found.known)[0], 0n), found.count]
      : null;
  };
}
function titleOf({ name, one, every, share }, isOut) {
  if (found.cost)
    return share ? filledIn(W("picture.of_quantity"), { name, share }) : isOut ? filledIn(W("picture.out"), { name }) : name;
  if (!isHeld()) return name;
  const count = numberOf(every);
  if (!count) return filledIn(W("picture.none"), { name });
  const value = numberOf(one) || count,
    isOften = value < count && count % value === 0n;
  const terms = { name, number: grouped(isOften ? value : count), times: grouped(isOften ? count / value : 1n) };
  const of = pictured.count ? percent(count, pictured.count, words.heads[state.language].percent) : "";
  return (
    filledIn(W(isOften ? "picture.copies" : "picture.parameters"), terms) + (of && filledIn(W("picture.share"), { share: of }))
  );
}

let picture = "",
  linked = "",
  drawnOne = -1;
function drawPicture() {
  const place = $("#picture"),
    { pictures } = sheetNow().data;
  if (!pictures) {
    if (picture) place.textContent = picture = "";
    return void linkBack([]);
  }
  const one = trueOne(pictures),
    [tab] = picture.split(" "),
    last = tab === String(state.tab) ? drawnOne : -1;
  const kept = pictures.drawings[last] || pictures.drawings[0],
    alike = pictures.drawings.findIndex(
      (each) => each[0] === state.language && each[1] === kept[1] && String(each[5]) === String(kept[5]),
    );
  drawnOne = one < 0 ? Math.max(alike, 0) : one;
  const key = [state.tab, drawnOne, state.language, state.notation, state.view, state.quantity, found.setting].join(" ");
  if (key !== picture || !place.firstChild) {
    const held = document.activeElement?.closest("#picture a")?.id;
    picture = key;
    place.innerHTML = `<div class="top"><h2 id="h-picture">${escape(W("picture.title"))}</h2></div><p id="untrue" role="status"></p>${drawingMarkup(pictures.drawings[drawnOne])}`;
    $$("[data-line]", place).forEach((text, i) => Object.assign(slotLines[i], { text, said: null, fitted: "", way: 0 }));
    $$("a", place).forEach((link, i) => (drawnParts[i].link = link));
    if (held) document.getElementById(held)?.focus({ preventScroll: true });
    linked = "";
  }
  const isUntrue = one < 0;
  place.classList.toggle("untrue", isUntrue);
  $("#untrue").textContent = isUntrue && !pictured.fault ? W("picture.untrue") : "";
  if (!isUntrue) fillSlots();
  const links = drawnParts.map(({ target, id }) => [target, id]);
  if (String(links) !== linked || !$("#derivation .back[href]")) linkBack(links); // a derivation that was drawn anew has lost them
  linked = String(links);
}
// From a step back to its part: the first that leads to it, or to something within its section.
function linkBack(links) {
  const first = new Map();
  for (const [target, id] of links)
    for (const name of [anchor(target), document.getElementById(anchor(target))?.closest("section")?.id])
      if (name && !first.has(name)) first.set(name, id);
  for (const each of $$("#derivation .back")) {
    const step = each.closest(".step, section"),
      id = first.get(step.id) ?? first.get(each.closest("section").id);
    each.hidden = !id;
    if (!id) continue;
    each.href = `#${encodeURIComponent(id)}`;
    each.setAttribute("aria-label", filledIn(W("picture.back"), { name: $("h3, h4", step).textContent }));
  }
}
// What the pointer or the focus is on is marked on the other side too.
function markHere({ target, type }) {
  for (const each of $$(".here")) each.classList.remove("here");
  const part = target.closest?.("#picture a"),
    step = target.closest?.("#derivation .step, #derivation section");
  if (part) document.getElementById(part.dataset.to)?.classList.add("here");
  else if (step) {
    document.getElementById(unescaped($(".back", step)?.hash.slice(1) ?? ""))?.classList.add("here");
    if (type === "focusin") step.classList.add("here");
  }
}
document.addEventListener("pointerover", markHere);
document.addEventListener("focusin", markHere);
