// The picture: the parts in the order of the derivation, laid out from above, each a link to its step. Lengths are in pixels.
const WIDE = 238,
  LEFT = 1,
  INSET = 12,
  RAIL = 11,
  LINE_HIGH = 15,
  NOTE_HIGH = 13,
  APART = 6,
  JOIN = 6;
const START = 1,
  READS = 2, // of the flow: it does not read the part before it; it reads the encoder
  LAYERS = 4, // it reads the layers, whatever stands above them
  EVERY = 8, // it reads the end of every column
  JOINED = 16, // what the column before it gives comes into its sequence
  PASSED = 32, // it leads nowhere: what reads the layers reads what comes into it
  RIM = 10; // what leads past the parts goes beside them
const BOX = 0,
  PILL = 2; // as in the data: with a bar of its share, with nothing to learn; 1 is a box without a bar
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map(); // of texts in the fonts of a language
function textWidth(text, size) {
  const key = `${size} ${text}`;
  if (!widths.has(key)) {
    pen.font = `${size}px ${pen.family}`;
    widths.set(key, pen.measureText(text).width * 1.04);
  }
  return widths.get(key);
}
// Lines that are no wider than their room: parted at spaces, between ideographs, and within a word that has none.
function textLines(text, room, size) {
  const lines = [""];
  for (const piece of text.match(/\p{Script=Han}|\s+|[^\s\p{Script=Han}]+/gu) || [""])
    for (const part of textWidth(piece, size) > room ? piece : [piece]) {
      if (lines[lines.length - 1] && textWidth(lines[lines.length - 1] + part.trimEnd(), size) > room) lines.push("");
      lines[lines.length - 1] += lines[lines.length - 1] ? part : part.trimStart();
    }
  return lines.map((line) => line.trimEnd()).filter(Boolean);
}
// A count in the room of a box: three digits and the language's word for the power of ten.
const MOST_SAID = 15,
  RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
function briefly(value) {
  const digits = String(value).length,
    powers = [digits, digits - 1].filter((power) => power >= MOST_SAID);
  const raised = powers.map((power) => ({ power, word: `·10${String(power).replace(/\d/g, (each) => RAISED[each])}` }));
  return rounded(value, [...raised, ...words.heads[state.language].short_rounding]).replace(/^\S+ /, "") || grouped(value);
}
const sized = (formula) =>
  pictured.count !== null && isBound(formula, pictured.values) ? exact(formula, pictured.values, pictured.known)[0] : null;
const saidOf = (formula) => {
  const value = sized(formula);
  return value === null ? lettersOf(formula) : briefly(value);
};
// A size as SVG text: its number, or its letter with the index below.
function sizeMark(formula) {
  if (formula.op !== "d" || sized(formula) !== null) return escape(saidOf(formula));
  const [base, index] = sheetNow().data.letters[state.notation][formula.name] || [formula.name, ""];
  return `<tspan class="i">${escape(base)}</tspan>${index ? `<tspan class="x" dy="3">${escape(index)}</tspan>` : ""}`;
}
const plainText = (value) =>
  speech
    .runs(value)
    .map((run) => (typeof run === "string" ? run : saidOf(run)))
    .join("");
const nameText = (place) => capital([speech.name(place)])[0];

// What is there: entries in the order of the tree, gathered into what stands around them.
function structure() {
  const sheet = sheetNow(),
    { data } = sheet,
    view = data.views.indexOf(state.view),
    root = { sign: "", of: [] };
  const at = (targets) => targets[view] || targets[0];
  const frames = new Map(
    sheet.parts("frame", pictured.setting).map(([[, path], place]) => {
      const [name, copies, notes, targets] = data.pool[place];
      return [
        path,
        {
          name: nameText(name),
          copies: copies < 0 ? null : sheet.formulas[copies],
          notes: notes.map(plainText),
          target: at(targets),
        },
      ];
    }),
  );
  const entries = sheet
    .parts("picture", pictured.setting)
    .map(([[, path], place]) => [path, ...data.pool[place]])
    .sort((a, b) => a[1] - b[1]);
  let open = [root];
  for (const [path, , around, name, count, kind, notes, targets, flow] of entries) {
    let depth = 0;
    while (depth < around.length && open[depth + 1] && open[depth + 1].key === around[depth]) depth++;
    open = open.slice(0, depth + 1);
    for (const key of around.slice(depth)) {
      const node = {
        key,
        sign: key[0],
        of: [],
        flow,
        ...(key[0] === "#" ? { path: key.slice(1), ...frames.get(key.slice(1)) } : {}),
      };
      open[open.length - 1].of.push(node);
      open.push(node);
    }
    const formula = count < 0 ? null : sheet.formulas[count],
      value = formula ? sized(formula) : null;
    open[open.length - 1].of.push({
      sign: "box",
      path,
      name: capital([plainText(name)])[0],
      value,
      kind,
      notes: notes.map(plainText),
      target: at(targets),
      flow,
    });
  }
  return root;
}
const boxesOf = (node) => (node.sign === "box" ? [node] : node.of.flatMap(boxesOf));
const stacksOf = (node) => (node.copies ? [node] : (node.of || []).flatMap(stacksOf));
const railsOf = (node) =>
  node.sign === "box" ? 0 : Math.max(0, ...node.of.map(railsOf)) + ("+|&".includes(node.sign) && !node.isBeside ? 1 : 0);
let pictured; // the sheet of the parameters, whatever else is worked out
const isHeld = () => pictured.count !== null && !asks();
function countAll(node, copies = 1n) {
  node.times = copies;
  const within = node.copies ? copies * (sized(node.copies) ?? 0n) : copies;
  return (node.all =
    node.sign === "box" ? (node.value ?? 0n) * copies : node.of.reduce((so, each) => so + countAll(each, within), 0n));
}

class Drawn {
  constructor() {
    Object.assign(this, { marks: [], links: [], readers: [], y: 4, left: null, isFresh: true, isCrossed: false });
    Object.assign(this, { ends: [], layers: null, joining: null, isRimmed: false });
  }
  line(path) {
    this.marks.push(`<path class="ln" d="${path}"></path>`);
  }
  text(text, x, y, kind = "", markup = escape(text)) {
    this.marks.push(`<text x="${x}" y="${y}"${kind ? ` class="${kind}"` : ""}>${markup}</text>`);
  }
  link(node, title, draw) {
    const id = `d-${node.path}`;
    this.links.push([node.target, id]);
    this.marks.push(
      `<a id="${escape(id)}" href="#${escape(encodeURIComponent(anchor(node.target)))}" data-to="${escape(anchor(node.target))}"><title>${escape(title)}</title>`,
    );
    draw();
    this.marks.push("</a>");
  }
  // A box at a place: its name, its count beside it, its notes; how high it is follows from them.
  box(node, x, width) {
    const { kind } = node,
      top = this.y,
      room = width - 18,
      count = isHeld() && kind !== PILL ? briefly(node.value) : "";
    const lines = textLines(node.name, room, 12),
      notes = node.notes.flatMap((note) => textLines(note, room, 11));
    const isBelow = count && textWidth(lines[lines.length - 1], 12) + textWidth(count, 12) + 8 > room,
      hasBar = kind === BOX;
    const high =
      (hasBar ? 19 : 7) + LINE_HIGH * (lines.length + (isBelow ? 1 : 0)) + NOTE_HIGH * notes.length + (notes.length ? 2 : 0);
    this.link(node, titleOf(node), () => {
      this.marks.push(
        `<rect class="${kind === PILL ? "blk none" : "blk"}" x="${x}" y="${top}" width="${width}" height="${high}" rx="${kind === PILL ? high / 2 : 3}"></rect>`,
      );
      let y = top + (!hasBar ? 15.5 : isHeld() ? 19 : 21.5);
      lines.forEach((line, i) => {
        if (i) y += LINE_HIGH;
        this.text(line, x + 9, y);
      });
      if (count) {
        if (isBelow) y += LINE_HIGH;
        this.text(count, x + width - 9, y, "c");
      }
      for (const [i, note] of notes.entries()) {
        y += i ? NOTE_HIGH : NOTE_HIGH + 2;
        this.text(note, x + 9, y, "s");
      }
      const share = hasBar && isHeld() && pictured.count ? Number((node.all * 1000n) / pictured.count) : 0;
      if (share)
        this.marks.push(
          `<rect class="part" x="${x + 9}" y="${top + high - 7}" width="${Math.round(room * share) / 1000}" height="3"></rect>`,
        );
    });
    if (node.flow & READS && this.left !== null && !this.isCrossed) this.readers.push([x, top + high / 2]);
    this.y += high;
  }
  title(node, x, width, end, endMark = escape(end)) {
    const top = this.y,
      room = width - 18,
      lines = textLines(node.name, room, 12.6),
      notes = node.notes.flatMap((note) => textLines(note, room, 11));
    const isBelow = end && textWidth(lines[lines.length - 1], 12.6) + textWidth(end, 12) + 8 > room;
    const high = 9 + LINE_HIGH * (lines.length + (isBelow ? 1 : 0)) + NOTE_HIGH * notes.length + (notes.length ? 2 : 0);
    this.link(node, titleOf(node), () => {
      this.marks.push(`<rect class="hit" x="${x + 3}" y="${top + 3}" width="${width - 6}" height="${high - 2}" rx="3"></rect>`);
      let y = top + 18;
      lines.forEach((line, i) => {
        if (i) y += LINE_HIGH;
        this.text(line, x + 9, y, "t");
      });
      if (end) {
        if (isBelow) y += LINE_HIGH;
        this.text(end, x + width - 9, y, "c", endMark);
      }
      for (const [i, note] of notes.entries()) {
        y += i ? NOTE_HIGH : NOTE_HIGH + 2;
        this.text(note, x + 9, y, "s");
      }
    });
    this.y += high + 2;
  }
  sum(cx, isSequence) {
    this.line(`M${cx} ${this.y}v${JOIN}`);
    const y = this.y + JOIN + 6;
    this.marks.push(`<circle class="ln" cx="${cx}" cy="${y}" r="6"></circle>`);
    this.line(isSequence ? `M${cx - 2} ${y - 3}v6m4-6v6` : `M${cx - 6} ${y}h12M${cx} ${y - 6}v12`);
    this.y = y + 6;
    return y;
  }
  into(cx, y) {
    return `V${y}H${cx + 6}m4-3-4 3 4 3`;
  }
  // Parts one after the other, a line from each to the next.
  chain(nodes, x, width) {
    nodes.forEach((node, i) => {
      const gap = node.sign === "+" ? 2 * APART : APART;
      if (i && !(node.flow & START)) this.line(`M${x + width / 2} ${this.y}v${gap}`);
      if (i) this.y += gap;
      this.part(node, x, width);
    });
  }
  part(node, x, width) {
    const cx = x + width / 2,
      rail = x + width + 9 + RAIL * (railsOf(node) - 1);
    if (node.sign === "box") this.box(node, x, width);
    else if (node.sign === "+") {
      const start = this.y - APART;
      this.chain(node.of, x, width);
      const y = this.sum(cx, false);
      this.line(`M${cx} ${start + APART}v${-APART}H${rail}${this.into(cx, y)}`);
    } else if (node.isBeside) this.beside(node, x, width);
    else if (node.sign === "|" || node.sign === "&") {
      const from = [];
      node.of.forEach((branch, i) => {
        if (i) this.y += branch.of.length && node.of[i - 1].of.every(({ sign }) => sign === "box") ? APART : 2 * APART;
        const top = this.y;
        this.chain(branch.of, x, width);
        if (i < node.of.length - 1)
          from.push(
            branch.of.length === 1 && branch.of[0].sign === "box"
              ? `M${x + width} ${(top + this.y) / 2}H${rail}`
              : `M${cx} ${this.y}v${APART}H${rail}`,
          );
      });
      const y = this.sum(cx, node.sign === "&");
      from.forEach((line, i) => this.line(i ? line : line + this.into(cx, y)));
    } else if (node.sign === "~" || (node.sign === "#" && !node.copies)) this.chain(node.of, x, width);
    else this.frame(node, x, width);
  }
  // Two branches beside each other: lines part above them and come together below.
  beside(node, x, width) {
    const top = this.y + APART,
      half = (width - APART) / 2,
      cx = x + width / 2,
      ends = [];
    node.of.forEach((branch, i) => {
      const left = x + i * (half + APART);
      this.y = top;
      this.chain(branch.of, left, half);
      ends.push([left + half / 2, this.y]);
    });
    this.y = Math.max(...ends.map(([, y]) => y)) + APART;
    for (const [middle, end] of ends) {
      this.line(`M${cx} ${top - APART}H${middle}V${top}`);
      this.line(`M${middle} ${end}V${this.y}H${cx}`);
    }
    if (!node.isOpen) this.sum(cx, false);
  }
  frame(node, x, width) {
    const top = this.y,
      place = this.marks.length,
      rails = Math.max(0, ...node.of.map(railsOf));
    if (node.copies) this.title(node, x, width, `× ${saidOf(node.copies)}`, `× ${sizeMark(node.copies)}`);
    else this.title(node, x, width, isHeld() ? briefly(node.all) : "");
    if (node.of[0].sign === "+") this.y += APART;
    this.chain(node.of, x + INSET, width - 2 * INSET - (rails ? RAIL * (rails - 1) + 6 : 0));
    this.y += 8;
    this.marks.splice(
      place,
      0,
      `<rect class="grp" x="${x}" y="${top}" width="${width}" height="${this.y - top}" rx="5"></rect>`,
    );
  }
  // What stands outermost: groups and boxes, an arrow to each that reads the one before it.
  whole(nodes, isInTurn = false) {
    nodes.forEach((node, i) => {
      const isGroup = node.sign === "#" && !node.copies,
        hasStacks = isGroup && stacksOf(node).length > 0;
      if (node.sign === "~") return void this.whole(node.of, true);
      if (!this.isFresh) this.arrow(node, isInTurn && i > 0);
      this.isFresh = false;
      if (hasStacks && (node.of[0].sign === "~" || boxesOf(node).length > stacksOf(node).flatMap(boxesOf).length))
        this.title(node, LEFT, WIDE, isHeld() ? briefly(node.all) : "");
      if (hasStacks) {
        this.isFresh = true;
        this.whole(node.of);
      } else if (isGroup && node.of.length === 1 && node.of[0].sign === "box") this.alone(node.of[0]);
      else if (node.sign === "box") this.alone(node);
      else if (node.sign === "#") {
        this.frame(node, LEFT, WIDE);
        if (node.copies) this.layers = this.y;
      } else this.part(node, LEFT, WIDE - RAIL * railsOf(node));
    });
  }
  alone(node) {
    if (this.left !== null) this.isCrossed = true;
    this.box(node, LEFT, WIDE);
  }
  // Beside the parts, from the end of one down to another that does not stand below it.
  around(from, to) {
    this.isRimmed = true;
    this.line(`M${LEFT + WIDE / 2} ${from}v5H${LEFT - RIM + 3}${to}`);
  }
  // What another column gives comes into the sequence.
  join() {
    const cx = LEFT + WIDE / 2,
      y = this.sum(cx, true);
    this.around(this.joining, `V${y}H${cx - 6}m-4-3 4 3-4 3`);
    this.joining = null;
  }
  arrow(node, isInTurn) {
    if (node.copies && this.joining !== null) this.join();
    if (node.flow & JOINED) this.joining = this.y;
    if (node.flow & START) this.ends.push(this.y);
    if (node.flow & PASSED) this.layers = this.y;
    if (node.flow & EVERY) for (const end of this.ends) this.around(end, `V${this.y + 24}H${LEFT}m-4-3 4 3-4 3`);
    if (node.flow & LAYERS && this.layers !== null) {
      this.y += 20;
      this.around(this.layers, `V${this.y - 9}H${LEFT + WIDE / 2}v9m-3-4 3 4 3-4`);
      return;
    }
    if (isInTurn) {
      this.text(W("picture.in_turn"), LEFT + WIDE / 2, this.y + 14, "s m");
      this.y += 20;
      return;
    }
    if (node.flow & START && !this.readers.length) [this.left, this.isCrossed] = [this.y, false];
    if (node.flow & START) {
      this.y += 14;
      return;
    }
    this.line(`M${LEFT + WIDE / 2} ${this.y}v12m-3-4 3 4 3-4`);
    this.y += 14;
  }
  // From the end of the encoder, down the edge, to what reads it.
  crossing() {
    const edge = LEFT + INSET / 2 - 1;
    this.readers.forEach(([x, y], i) => this.line(`M${edge} ${i ? this.readers[i - 1][1] : this.left}V${y}H${x}m-4-3 4 3-4 3`));
  }
}
function titleOf(node) {
  const { name } = node;
  if (!isHeld()) return name;
  if (node.value === null) return filledIn(W("picture.none"), { name });
  const times = node.times * (node.copies ? (sized(node.copies) ?? 1n) : 1n), // of a stack, one layer is named
    count = times ? node.all / times : 0n;
  const share = pictured.count
    ? filledIn(W("picture.share"), { share: percent(node.all, pictured.count, words.heads[state.language].percent) })
    : "";
  return times > 1n
    ? filledIn(W("picture.copies"), { name, number: grouped(count), times: grouped(times) }) + share
    : filledIn(W("picture.parameters"), { name, number: grouped(count) }) + share;
}
// Branches of a layer stand beside each other where there are two.
function arrange(node, isLayer = false) {
  if (node.sign === "box") return;
  node.isBeside = isLayer && node.sign === "|" && node.of.length === 2 && boxesOf(node).length < 7;
  const last = node.of[node.of.length - 1];
  if (node.sign === "+" && last.sign === "|") last.isOpen = true; // one sum takes them all
  for (const each of node.of) arrange(each, isLayer || Boolean(node.copies));
}
let picture = "",
  linked = "";
function drawPicture() {
  const place = $("#picture"),
    root = structure(),
    drawn = new Drawn();
  if (pen.language !== state.language || widths.size > MOST_MEASURED) {
    widths.clear();
    pen.language = state.language;
    pen.family = getComputedStyle(place).fontFamily;
  }
  arrange(root);
  countAll(root);
  drawn.whole(root.of);
  drawn.crossing();
  const y = drawn.y + 12,
    rim = drawn.isRimmed ? RIM : 0,
    count = isHeld() ? briefly(pictured.count) : "—",
    total = { path: "total", target: "total", name: W("total"), notes: [] };
  drawn.link(
    total,
    isHeld() ? filledIn(W("picture.parameters"), { name: total.name, number: grouped(pictured.count) }) : total.name,
    () => {
      drawn.marks.push(
        `<path class="rule" d="M${LEFT} ${y}h${WIDE}"></path><rect class="hit" x="${LEFT}" y="${y + 3}" width="${WIDE}" height="24" rx="3"></rect>`,
      );
      drawn.text(total.name, LEFT + 9, y + 20, "t");
      drawn.text(count, LEFT + WIDE - 9, y + 20, "c t");
    },
  );
  const markup = `<div class="top"><h2 id="h-picture">${escape(W("picture.title"))}</h2></div><svg viewBox="${-rim} 0 ${240 + rim} ${y + 30}" width="${240 + rim}" height="${y + 30}" role="group" aria-labelledby="h-picture">${drawn.marks.join("")}</svg>`;
  if (markup !== picture || !place.firstChild) {
    const held = document.activeElement?.closest("#picture a")?.id;
    place.innerHTML = picture = markup;
    if (held) document.getElementById(held)?.focus({ preventScroll: true });
  }
  const links = drawn.links.join();
  if (links !== linked || !$("#derivation .back[href]")) linkBack(drawn.links); // a derivation that was drawn anew has lost them
  linked = links;
}
// From a step back to its block: the first that leads to it, or to something within its section.
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
  const block = target.closest?.("#picture a"),
    step = target.closest?.("#derivation .step, #derivation section");
  if (block) document.getElementById(block.dataset.to)?.classList.add("here");
  else if (step) {
    document.getElementById(unescaped($(".back", step)?.hash.slice(1) ?? ""))?.classList.add("here");
    if (type === "focusin") step.classList.add("here");
  }
}
document.addEventListener("pointerover", markHere);
document.addEventListener("focusin", markHere);
