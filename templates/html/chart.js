// One size at a time: a slider over the values that fit, with ticks at the published models, and the chart of the quantity over it.
let hot = "";
const SVG = (tag, given, inner = "") =>
  `<${tag}${Object.entries(given)
    .map(([name, value]) => ` ${name}="${typeof value === "number" ? Math.round(value * 10) / 10 : escape(value)}"`)
    .join("")}>${inner}</${tag}>`;
// The published models of the family as they are, each worked out once for what is typed of the inputs.
const publishedKept = new Map();
function published() {
  const sheet = sheetNow(),
    { data } = sheet,
    inputs = [...tabNow().given].filter(([name]) => sheet.inputs.has(name)),
    key = [state.tab, state.quantity, inputs].join(" ");
  if (!publishedKept.has(key)) {
    const own = { ...data };
    publishedKept.set(
      key,
      data.presets
        .filter(({ family }) => !family)
        .map((preset) => {
          Object.assign(data, preset);
          const worked = sheet.work(
            new Map([...Object.entries(preset.held), ...inputs]),
            new Set(preset.on),
            undefined,
            state.quantity,
          );
          return { target: preset.target, values: worked.values, count: worked.count };
        }),
    );
    Object.assign(data, own);
  }
  return publishedKept.get(key);
}
const publishedOf = (name) =>
  published()
    .filter(({ values }) => values.has(name) && !sheetNow().inputs.has(name))
    .map(({ target, values, count }) => [target, values.get(name)[0], count]);
// Those of other families, whose number of parameters alone is known.
const othersOf = (name) =>
  found.cost
    ? []
    : sheetNow()
        .data.dots.filter(([, , sizes]) => name in sizes)
        .map(([target, count, sizes]) => [target, BigInt(sizes[name]), BigInt(count), true]);
// The open model before the others, whose labels give way to its own.
const ownFirst = (dots) => {
  const { target } = sheetNow().data;
  return [...dots].sort(([a], [b]) => (b === target) - (a === target));
};
// The size that was touched last.
function touched(name) {
  if (hot === name) return;
  hot = name;
  drawTouch();
}
// The counts at a value of the size, one above another; null where there is none.
function stackAt(name, value) {
  const sheet = sheetNow(),
    { given, on } = tabNow(),
    worked = sheet.work(new Map(given).set(name, String(value)), on, state.view, state.quantity);
  if (worked.count === null) return null;
  let sum = 0n;
  return rowsShown(sheet, worked).map(([, formula]) => (sum += ceiling(exact(formula, worked.values, worked.known))));
}
const short = (value) =>
  rounded(value, found.cost ? unitOf(found.cost).rounding : words.heads[state.language].short_rounding).replace(/^[=≈] /, "") ||
  grouped(value);
let grid = [];
function drawTouch() {
  const sheet = sheetNow(),
    isShown = (name) => name && found.values.has(name) && isFree(name);
  if (!isShown(hot)) hot = [sheet.data.first, ...sheet.data.order].find(isShown) ?? "";
  drawWanted();
  $("#touch").hidden = !hot || found.count === null || asks();
  if ($("#touch").hidden) return;
  $("#reset").hidden = !changes(state.tab).length;
  const now = found.values.get(hot)[0];
  grid = drag?.name === hot ? drag.grid : gridOf(hot);
  const at = indexIn(grid, now);
  $("#h-touch").innerHTML =
    `${math(`${printers.mathml.print(letter(hot))}<mo>=</mo><mn>${grouped(now)}</mn>`)} ${escape(meaningOf(hot))}`;
  Object.assign($("#range"), { max: grid.length - 1, value: at });
  $("#range").setAttribute("aria-valuetext", grouped(now));
  if (!touchWide) return; // it is told at once
  const dots = publishedOf(hot);
  drawTicks(dots);
  const chart = $("#chart"),
    high = touchWide < 480 ? 220 : 250;
  chart.setAttribute("viewBox", `0 0 ${touchWide} ${high}`);
  chart.setAttribute("role", "img");
  chart.setAttribute(
    "aria-label",
    filledIn(W("chart"), { name: meaningOf(hot), value: grouped(now), number: grouped(found.count) }),
  );
  const twice = stackAt(hot, 2n * now),
    times = twice && found.count ? fixed(twice[twice.length - 1], found.count, 2) : "";
  $("#dots").textContent = joined(
    [
      times ? [filledIn(W("twice"), { name: lettersOf(letter(hot)), times })] : [],
      dots.length || othersOf(hot).length ? [W("dots")] : [],
    ],
    words.heads[state.language].joint,
  ).join("");
  if (isChartNear) drawChart(chart, high, now, dots);
}
// Where a value stands on the slider, from 0 to 1: between the values on either side.
function placeOnSlider(value) {
  const i = indexIn(grid, value),
    next = grid[i + 1];
  const within = next && value > grid[i] ? Number(value - grid[i]) / Number(next - grid[i]) : 0;
  return Math.max(0, Math.min(1, (i + within) / Math.max(1, grid.length - 1)));
}
const CHARACTER = 6.6, // pixels
  BELOW = [18, 31].map((y) => [0, y]), // where a label stands beside its point: of these the first with room
  BESIDE = [9, -9].map((x) => [x, 4]);
// Without what the open model's name begins with, too: 3.2-1b on the page of llama-3-8b.
const shortened = (name) => {
  const [first] = sheetNow().data.target.split("-");
  return name.startsWith(`${first}-`) ? name.slice(first.length + 1) : name;
};
// Labels without an overlap, those that matter most first: what was asked for where there is room.
function labelled(wanted, taken) {
  const said = [];
  for (const [x, y, name, anchors] of wanted) {
    const text = shortened(name),
      wide = [...text].length * CHARACTER,
      place = anchors
        .map(([dx, dy]) => [dx < 0 ? x + dx - wide : dx > 0 ? x + dx : x - wide / 2, y + dy])
        .find(([left, base]) =>
          taken.every(([a, b, other]) => left > b + 3 || left + wide < a - 3 || Math.abs(base - other) > 11),
        );
    if (!place) continue;
    taken.push([place[0], place[0] + wide, place[1]]);
    said.push(SVG("text", { x: place[0], y: place[1] }, escape(text)));
  }
  return said;
}
function drawTicks(dots) {
  const wide = touchWide,
    inside = ownFirst(dots);
  const taken = BELOW.flatMap(([, y]) => [
      [-99, 0, y],
      [wide, wide + 99, y],
    ]),
    ticks = [],
    wanted = [],
    seen = new Set();
  for (const [target, value] of inside) {
    const x = 8 + (wide - 16) * placeOnSlider(value);
    ticks.push(SVG("path", { d: `M${x.toFixed(1)} 0v6` }, `<title>${escape(target)}: ${grouped(value)}</title>`));
    if (!seen.has(value)) wanted.push([x, 0, target, BELOW]);
    seen.add(value);
  }
  $("#ticks").setAttribute("viewBox", `0 0 ${wide} 34`);
  put($("#ticks"), ticks.join("") + labelled(wanted, taken).join(""));
}
const MOST_SAMPLES = 49;
let across = () => 0; // where on the chart a value stands
// The value of the grid that stands nearest to a place on the window.
function pointedAt(x) {
  const place = x - $("#chart").getBoundingClientRect().left,
    off = (value) => Math.abs(across(value) - place);
  return grid.reduce((nearest, value) => (off(value) < off(nearest) ? value : nearest));
}
function drawChart(place, high, now, dots) {
  const wide = touchWide,
    [left, right, top, bottom] = [8, wide - 66, 14, high - 26];
  const isDoubling = sheetNow().inputs.has(hot),
    every = Math.max(1, Math.ceil(grid.length / MOST_SAMPLES)),
    sampled = grid.filter((value, i) => i % every === 0 || i === grid.length - 1 || value === now);
  const rows = sampled.map((value) => [value, stackAt(hot, value)]).filter(([, stack]) => stack?.length),
    last = grid[grid.length - 1];
  if (!rows.length) return put(place, "");
  const most = rows.reduce((so, [, stack]) => (stack[stack.length - 1] > so ? stack[stack.length - 1] : so), 1n);
  across = (value) => {
    const [low, most] = [Number(grid[0]), Number(last)];
    return (
      left +
      (right - left) *
        (isDoubling ? Math.log(Math.max(Number(value), low) / low) / Math.log(most / low || 2) : Number(value) / most)
    );
  };
  const up = (value) => bottom - ((bottom - top) * Number((value * 100000n) / most)) / 100000,
    point = (value, count) => `${across(value).toFixed(1)} ${up(count).toFixed(1)}`;
  const names = rowsShown(sheetNow(), found).map(([name]) => name);
  const kinds = rows[0][1].map((_, i) => {
    const above = rows.map(([value, stack]) => point(value, stack[i] ?? 0n)),
      below = rows.map(([value, stack]) => point(value, i ? (stack[i - 1] ?? 0n) : 0n)).reverse();
    return SVG("path", { "data-kind": kindOf(names[i], i), d: `M${[...above, ...below].join("L")}Z` });
  });
  const axis = [];
  const rough = Number(most) / 4,
    power = 10 ** Math.floor(Math.log10(rough)),
    mark = BigInt(Math.max(1, Math.round([1, 2, 5, 10].find((each) => each * power >= rough) * power)));
  for (let y = mark; y <= most; y += mark)
    axis.push(
      SVG("path", { class: "grid", d: `M${left} ${up(y).toFixed(1)}H${right}` }),
      SVG("text", { x: right + 8, y: up(y) + 4 }, escape(short(y))),
    );
  const taken = [
      [across(now) - 6, across(now) + 6, up(found.count) + 4],
      ...Array.from({ length: 30 }, (_, i) => [right, wide + 99, 10 * i]),
    ],
    marks = [],
    wanted = [];
  for (const [target, value, count, isOther] of ownFirst([...dots, ...othersOf(hot)])) {
    if (count === null || value > last || (isDoubling && value < grid[0]) || (isOther && count > most)) continue;
    const x = across(value),
      isFar = count > most,
      y = isFar ? top : up(count),
      title = `<title>${escape(target)}: ${grouped(count)}</title>`;
    marks.push(
      isFar
        ? SVG("path", { class: "dot", d: `M${x - 4} ${y}l4 -7l4 7z` }, title)
        : SVG("circle", { class: isOther ? "dot other" : "dot", cx: x, cy: y, r: isOther ? 2.5 : 4 }, title),
    );
    taken.push([x - 5, x + 5, y + 4]);
    wanted.push([x, y, target, BESIDE]);
  }
  const line = `M${across(now)} ${bottom}V${up(found.count)}H${right}`;
  put(
    place,
    axis.join("") +
      kinds.join("") +
      SVG("path", { class: "axis", d: `M${left} ${bottom}H${right}V${top}` }) +
      marks.join("") +
      SVG("path", { class: "now", d: line }) +
      SVG("circle", { class: "now", cx: across(now), cy: up(found.count), r: 5 }) +
      labelled(wanted, taken).join("") +
      SVG("text", { x: left, y: high - 8 }, escape(`${lettersOf(letter(hot))} = ${grouped(isDoubling ? grid[0] : 0n)}`)) +
      SVG("text", { x: right, y: high - 8, "text-anchor": "end" }, grouped(last)),
  );
}
$("#range").addEventListener("input", ({ target }) => set(hot, String(grid[target.value])));
// Its width, which is told after a layout: reading it while an update writes would lay the page out once more.
let touchWide = 0;
new ResizeObserver(([{ contentRect }]) => {
  if (contentRect.width === touchWide) return;
  touchWide = contentRect.width;
  if (found) drawTouch();
}).observe($("#range"));
// Nobody sees one that is scrolled away.
let isChartNear = false;
new IntersectionObserver(
  ([{ isIntersecting }]) => {
    isChartNear = isIntersecting;
    if (isChartNear && found) drawTouch();
  },
  { rootMargin: "300px" },
).observe($("#chart"));
