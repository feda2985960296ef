// The answer at the head: the count, what is missing or cannot be, the closed form.
function drawAnswer() {
  const sheet = sheetNow(),
    { data } = sheet,
    isStale = found !== current,
    count = asks() ? null : found.count,
    about = count === null ? "" : said(count, found.cost);
  const title = speech
    .plain(`costs.${found.cost ? found.cost.name : "parameters"}.title`, {
      model: called(),
    })
    .replace("） ", "）"); // which brings its own
  if (document.title !== title || $("h1").textContent !== title) $("h1").textContent = document.title = title;
  put(
    $("#source"),
    [
      escape(data.title),
      /^https:\/\/[\w./-]+$/.test(data.source)
        ? `<a href="${data.source}" rel="noreferrer">${escape(data.source.replace(/^https:\/\//, ""))}</a>`
        : escape(data.source),
    ]
      .filter(Boolean)
      .join(", "),
  );
  $("#refused").innerHTML = state.refused.map((each) => `<p class="bad">${escape(fault(each))}</p>`).join("");
  state.refused = []; // the next that is drawn is something else that was chosen
  const total = $("#count");
  total.dataset.count = current.exact ? quotientText(current.exact) : "";
  total.innerHTML = count === null ? "—" : digits(amount(found.exact));
  total.classList.toggle("long", count !== null && String(count).length > 16);
  const asked = current.missing.filter((name) => !current.related.has(name)),
    lacking = asked.length ? asked : current.missing;
  const why = current.fault
    ? fault(current.fault)
    : current.missing.length
      ? filledIn(W("missing"), {
          names: inOrder(lacking)
            .map((name) =>
              found.cost?.givenBy.has(name) ? filledIn(W("explained"), { name, meaning: meaningOf(name) }) : name,
            )
            .join(W("comma")),
        })
      : "";
  $("#why").textContent = isStale || current.fault ? why : "";
  $("#about").textContent = (!isStale && !current.fault && why) || (found.cost ? `${unitOf(found.cost).name} ${about}` : about);
  drawAgainst(count);
  $("#what").textContent = found.cost
    ? joined(
        [exampleOf(found), speech.plain(`costs.${found.cost.name}.what`), ...chosen(found.cost)],
        words.heads[state.language].joint,
      ).join("")
    : "";
  const whole = sheet.wholeStep(found);
  put($("#closed"), math(`${printers.mathml.print(whole.named)}<mo>=</mo>`) + terms(sheet.closed(whole, found)));
  const { on, assumed = [] } = opened[state.tab];
  const changed = data.features
    .filter(([name]) => tabNow().on.has(name) !== on.has(name))
    .map(([name, , part]) =>
      speech.plain(tabNow().on.has(name) ? "choice.with" : "choice.without", { part: part[state.language] }),
    );
  $("#chosen").textContent = [assumed[state.language], ...changed].filter(Boolean).join(words.heads[state.language].joint);
  $("#bar").innerHTML = `<span>${escape(data.target)}</span><b>${total.textContent}</b><span>${escape(why || about)}</span>`;
  clearTimeout(drawAnswer.late);
  if (drawAnswer.isSeen)
    drawAnswer.late = setTimeout(() => {
      $("#say").textContent =
        count === null || isStale ? why : `${total.textContent} ${unitOf(found.cost).name}${about ? ` ${about}` : ""}`;
    }, 700);
  drawAnswer.isSeen = true;
}
// How the count differs from that of the model as it was opened.
function drawAgainst(count) {
  const from = base?.count ?? null,
    { percent: pattern } = words.heads[state.language];
  if (count === null || from === null || count === from || found !== current) return put($("#against"), "");
  const by = count - from,
    share = percent(by > 0n ? by : -by, from, pattern),
    terms = {
      model: sheetNow().data.target,
      percent: share.startsWith("<") ? share : (by > 0n ? "+" : "−") + share,
    };
  const [before, after] = W("against_published")
    .split("{difference}")
    .map((text) => escape(filledIn(text, terms)));
  put($("#against"), `${before}<b class="moved">${apart(found.exact, base.exact)}</b>${after}`);
}
// What is asked about: the family, or a model with the sizes that are others than its own.
function called() {
  const { data } = sheetNow(),
    sizes = held(data.alone ?? opened[state.tab]);
  if (data.family || !data.order.some((name) => sizes.has(name))) return data.family ? data.title : data.target;
  const names = moved(sizes)
    .flat()
    .map(([name]) => name)
    .filter((name) => found.values.has(name) && String(found.values.get(name)[0]) !== sizes.get(name));
  const said = inOrder(names).map((name) => `${lettersOf(letter(name))} = ${grouped(found.values.get(name)[0])}`);
  return said.length ? filledIn(W("changed"), { model: data.target, sizes: said.join(W("comma")) }) : data.target;
}
const inOrder = (names) => {
  const { dimensions, others } = sheetNow().data,
    order = [...dimensions, ...others].map(([name]) => name),
    placeOf = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((a, b) => placeOf(a) - placeOf(b));
};
// A number as people say it: bytes by powers of ten and of two.
const BINARY = ["T", "G", "M", "K"].map((prefix, i) => ({ power: 10 * (4 - i), word: ` ${prefix}iB` }));
const said = (count, cost) =>
  [rounded(count, unitOf(cost).rounding), cost && cost.unit === "bytes" ? rounded(count, BINARY, 2n) : ""]
    .filter(Boolean)
    .join(" ");
// How FLOPs are counted, as the file was written: which pairs of tokens, and where logits are computed.
function chosen({ unit, choices: { causal = "full", logits = "all" } }) {
  if (unit !== "flops") return [];
  const where = /^\d+$/.test(logits) ? W("choices.logits_number").replace("{number}", logits) : W(`choices.logits_${logits}`);
  return [W(`choices.causal_${causal}`), where];
}
