// The answer at the head: the count, what is missing or cannot be, the closed form.
function drawAnswer() {
  const sheet = sheetNow(), { data } = sheet, { count } = found, about = count === null ? "" : rounded(count, words.heads[state.language].rounding);
  const title = speech.plain("title.model", { model: data.family ? data.title : data.target });
  if (document.title !== title || $("h1").textContent !== title) $("h1").textContent = document.title = title;
  put($("#source"), [escape(data.title), /^https:\/\/[\w./-]+$/.test(data.source) ? `<a href="${data.source}" rel="noreferrer">${escape(data.source.replace(/^https:\/\//, ""))}</a>` : escape(data.source)].filter(Boolean).join(", "));
  const total = $("#count");
  total.dataset.count = count === null ? "" : String(count);
  total.textContent = count === null ? "—" : grouped(count);
  total.classList.toggle("long", count !== null && String(count).length > 16);
  const asked = found.missing.filter((name) => !sheet.known.has(name)), lacking = asked.length ? asked : found.missing;
  const why = found.fault ? fault(found.fault) : found.missing.length ? `${W("missing")} ${lacking.join(", ")}` : "";
  $("#about").textContent = why || about;
  $("#about").classList.toggle("bad", Boolean(found.fault));
  put($("#closed"), math("<mi>N</mi><mo>=</mo>") + terms(sheet.closed(sheet.wholeStep(found), found)));
  $("#chosen").textContent = data.features.filter(([name]) => tabNow().on.has(name) !== opened[state.tab].on.has(name)).map(([name, , , part]) => speech.plain(tabNow().on.has(name) ? "choice.with" : "choice.without", { part: part[state.language] })).join(words.heads[state.language].joint);
  $("#bar").innerHTML = `<span>${escape(data.target)}</span><b>${count === null ? "—" : grouped(count)}</b><span>${escape(why || about)}</span>`;
  clearTimeout(drawAnswer.late);
  if (drawAnswer.isSeen) drawAnswer.late = setTimeout(() => { $("#say").textContent = count === null ? why : `${grouped(count)} ${W("parameters")}${about ? `, ${about}` : ""}`; }, 700);
  drawAnswer.isSeen = true;
}
