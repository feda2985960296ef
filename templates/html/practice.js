// Practice: what is said of an answer, which is never the answer itself.
function mark(form) {
  const sheet = sheetNow(),
    step = sheet.step(Number(form.dataset.step)),
    note = $("p", form),
    { key, mistakes = [] } = marked(sheet, found, step, $("input", form).value, state.notation);
  if (key === "right") return solve(step.place, W("right"));
  note.className = "bad";
  // In a language that the bank of questions has not, a mistake is a wrong answer like others.
  const told = mistakes.map((name) => html(speech.mistake(name))).filter(Boolean);
  note.innerHTML = told.length ? told.join(" ") : escape(W(mistakes.length ? "not_yet" : key));
}
const remark = (said) => (said ? `<p class="good" role="status">${escape(said)}</p>` : "");
function solve(place, said) {
  const box = () => boxes.find(({ step }) => step.place === place);
  state.solved.add(place);
  for (const form of $$(`.try[data-step="${place}"]`)) form.outerHTML = `${remark(said)}<div class="f" id="${box().id}"></div>`;
  if (asks()) setFormulas();
  else {
    update(); // the derivation is written anew, without what was said of it
    document.getElementById(box().id).insertAdjacentHTML("beforebegin", remark(said));
  }
  ($(".try input") ?? $("#practise")).focus({ preventScroll: true });
}
