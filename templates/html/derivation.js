// The derivation: sections, steps under their names, a box for each chain.
const anchor = (path) => `s-${path}`;
let boxes = [];
function box(step, label, instead = null, isClosed = false) {
  const id = `f-${boxes.length}`;
  boxes.push({ id, step, label, instead, isClosed });
  return state.practice && step.named.label >= 0 && !hasRounded(step.written) && !state.solved.has(step.place) ? asked(step, id) : `<div class="f" id="${id}"></div>`;
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
