// The derivation: sections, steps under their names, a box for each chain.
const anchor = (path) => `s-${path}`;
let boxes = [],
  linesWidth = 0,
  isOnPaper = false;
const PAPER = 46; // rem: the width of the printed sheet at its own size of letters, whatever the window's
const lineWidth = () =>
  isOnPaper ? PAPER * parseFloat(getComputedStyle(document.documentElement).fontSize) : $("#derivation").clientWidth;
function box(step, label, instead = null, isClosed = false) {
  const id = `f-${boxes.length}`;
  boxes.push({ id, step, label, instead, isClosed });
  return state.practice && isAsked(step) ? asked(step, id) : `<div class="f" id="${id}"></div>`;
}
const isAsked = (step) => step.named.label >= 0 && !hasRounded(step.written) && !state.solved.has(step.place);
// Whether something is still asked: of it nothing else on the page gives an answer.
const asks = () => state.practice && boxes.some(({ step }) => isAsked(step));
function asked(step, id) {
  const name = math(`${printers.mathml.print(step.named)}<mo>=</mo>`);
  return `<form class="try" data-step="${step.place}"><label for="a-${id}">${name}<span class="vh"> ${escape(W("ask"))}</span></label><input id="a-${id}" autocomplete="off" spellcheck="false" autocapitalize="off" aria-describedby="m-${id}"><button>${escape(W("check"))}</button><button type="button" class="quiet" data-show="${step.place}">${escape(W("show"))}</button><p id="m-${id}" role="status"></p></form>`;
}
function derivation() {
  const sheet = sheetNow(),
    used = new Set();
  boxes = [];
  const once = (path) => {
    const id = anchor(path);
    if (!path || used.has(id)) return "";
    used.add(id);
    return ` id="${escape(id)}" tabindex="-1"`;
  };
  const back = `<a class="back" hidden>↑</a>`; // the picture says where to
  const sections = found.sections.map(({ key, heading, blocks }) => {
    const title = html(speech.runs(heading));
    let text = `<section${once(key.split("#")[0])} data-section="${escape(key)}"><div class="head"><h3>${title}</h3>${back}</div>`,
      isOpen = false;
    const close = () => {
      if (isOpen) text += "</div>";
      isOpen = false;
    };
    blocks.forEach(([kind, first, second, third]) => {
      if (kind === "item") {
        close();
        text += `<div class="step"${once(third)}><div class="head"><h4>${html(capital(speech.runs(first)))}</h4>${back}</div><p>${html(speech.paragraph(second))}</p>`;
        isOpen = true;
      } else if (kind === "text") {
        close();
        text += `<p>${html(speech.paragraph(first))}</p>`;
      } else {
        const step = sheet.step(first);
        text += box(step, title, second >= 0 ? sheet.formulas[second] : null, third === 1);
      }
    });
    close();
    return `${text}</section>`;
  });
  const whole = sheet.wholeStep(found);
  return `${sections.join("")}<section id="s-total" tabindex="-1" data-section="total"><div class="head"><h3>${escape(W("total"))}</h3>${back}</div>${box(whole, W("total"))}</section>`;
}
function measuredLines() {
  if (measured.size > MOST_MEASURED) measured.clear();
  linesWidth = lineWidth();
  const chains = boxes.map(({ step, instead, isClosed }) => chainOf(step, instead, isClosed));
  measure(chains.flatMap(({ left, links }) => [left, ...links.flat()]));
  measure(
    chains.flatMap((chain) =>
      chain.links
        .flat()
        .filter((atom) => isLong(atom, roomOf(chain, linesWidth)))
        .flatMap(({ pieces: parts }) => parts),
    ),
  );
  return chains.map((chain) => display(chain, linesWidth));
}
// By how much a step differs from that of the model as it was opened.
function movedBy({ written }) {
  if (!base || base.setting !== found.setting || found.count === null || !isBound(written, base.values)) return "";
  const by = apart(exact(written, found.values, found.known), exact(written, base.values));
  return by === "0" ? "" : `<p class="moved">${by}</p>`;
}
function setLines(lines) {
  boxes.forEach((each, i) => {
    const place = document.getElementById(each.id),
      { markup, isWide } = lines[i];
    if (!place) return;
    put(place, markup + movedBy(each.step));
    reach(place, isWide);
  });
  requestAnimationFrame(() => {
    for (const each of $$(".wide, #more .f, .compared .f")) reach(each, each.scrollWidth > each.clientWidth + 1);
  });
}
const setFormulas = () => setLines(measuredLines());
// Lines anew for a new width. Lines may themselves change the width, as by a scroll bar that comes with the longer page and goes
// with the shorter: of widths that lead to each other the narrowest stays, so that this ends in any window.
const tried = new Set();
let windowWidth = 0;
function fitFormulas() {
  const width = lineWidth();
  if (innerWidth !== windowWidth) tried.clear();
  windowWidth = innerWidth;
  if (width === linesWidth || (tried.has(width) && width > linesWidth)) return;
  tried.add(linesWidth).add(width);
  setFormulas();
}
// What is wider than its place is scrolled, by the keyboard too.
function reach(place, isWide) {
  if (isWide === place.hasAttribute("tabindex")) return;
  if (isWide) {
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", $("h2, h3", place.closest("section")).textContent);
  } else for (const name of ["tabindex", "role", "aria-label"]) place.removeAttribute(name);
}
