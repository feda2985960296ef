// A wanted count: the values of the size touched last between which it is reached. They are found by halves, as a count that
// grows with a size allows; none where it does not.
const FARTHEST_WANTED = 10n ** 15n;
function sidesOf(name, wanted) {
  const sheet = sheetNow(),
    { given, on } = tabNow(),
    unit = unitOfSteps(name),
    countAt = (step) => sheet.work(new Map(given).set(name, String(step * unit)), on, state.view, state.quantity).count ?? 0n;
  let low = 0n,
    high = 1n;
  while (countAt(high) < wanted) {
    if (high > FARTHEST_WANTED) return [];
    [low, high] = [high, 2n * high];
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (countAt(middle) < wanted) low = middle;
    else high = middle;
  }
  return [high, low].map((step) => ({ value: step * unit, count: countAt(step) })).filter(({ count }) => count);
}
function drawWanted() {
  const { value: text } = $("#wanted"),
    { amounts } = words,
    typed = text && amountIn(text, scaleIn(amounts[found.cost?.unit] ?? amounts.parameters));
  $("#h-wanted").hidden = !hot || found.count === null || asks();
  $("#wanted").placeholder = short(found.count ?? 0n);
  if (!typed) return put($("#reached"), escape(text && W("no_amount")));
  const wanted = floor(typed.value),
    sides = wanted > 0n ? sidesOf(hot, wanted) : [];
  const nearest = sides.reduce((so, each) => (so && off(so, wanted) <= off(each, wanted) ? so : each), null);
  put(
    $("#reached"),
    sides
      .map((each) => {
        const size = `${lettersOf(letter(hot))} = ${grouped(each.value)}`,
          said = filledIn(W("reached"), { size, number: grouped(each.count) });
        return `<button type="button" class="plain" data-nearest="${each.value}" data-of="${escape(hot)}"${each === nearest ? " data-first" : ""}>${escape(said)}</button>`;
      })
      .join(" ") || escape(filledIn(W("unreached"), { name: lettersOf(letter(hot)) })),
  );
}
const off = ({ count }, wanted) => (count > wanted ? count - wanted : wanted - count);
$("#wanted").addEventListener("input", drawWanted);
$("#wanted").addEventListener("keydown", ({ key }) => key === "Enter" && $("#reached [data-first]")?.click());
