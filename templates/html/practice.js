// Practice: an answer is any formula that comes to the same under the relations that hold.
function mark(form) {
  const sheet = sheetNow(),
    step = sheet.step(Number(form.dataset.step)),
    note = $("p", form),
    { expansion } = found;
  try {
    const typed = expansion.of(parse($("input", form).value, found.cost ? found.cost.letters : sheet.readable)),
      right = expansion.of(step.written),
      off = expansion.minus(typed, right),
      // Where a term is missing, the difference would be that term, or the answer itself.
      isTold = [...right.keys()].every((term) => typed.has(term));
    note.className = off.size ? "bad" : "good";
    if (off.size) {
      if (!isTold) note.textContent = W("not_yet");
      else note.innerHTML = filledIn(escape(W("off")), { difference: math(printers.mathml.print(expansion.written(off))) });
      return;
    }
    solve(step.place, W("right"));
  } catch (impossible) {
    if (!(impossible instanceof Impossible)) throw impossible;
    note.className = "bad";
    note.textContent = W("unread");
  }
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
