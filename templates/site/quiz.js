// The quiz on a page of questions: a number is marked as Python marks it, by exact fractions and the same tables.
const data = JSON.parse(document.getElementById("data").textContent),
  said = data.said,
  articles = [...document.querySelectorAll("article")];
const read = (text) => {
  const [n, d = "1"] = text.split("/");
  return ratio(BigInt(n), BigInt(d));
};
const over = ([a, b], [c, d]) => ratio(a * d, b * c),
  minus = (one, [n, d]) => plus(one, [-n, d]),
  size = ([n, d]) => [n < 0n ? -n : n, d],
  equal = (one, other) => !minus(one, other)[0],
  isAtMost = (one, other) => !less(other, one),
  isWhole = ([, d]) => d === 1n;
const ZERO = [0n, 1n],
  ONE = [1n, 1n];
// Its word in the unit that is asked: its scale, and whether it is of bytes or in per cent.
function scaleOf(word, unit) {
  const isOfBytes = unit in data.bytes;
  if (!word) return [ONE, ""];
  if (word === "%") return [ONE, "%"];
  if (word in data.times && unit in data.times) return [over(read(data.times[word]), read(data.times[unit])), ""];
  const bytes = spelled(word, isOfBytes ? data.capacity : data.bytes);
  if (bytes !== null && (isOfBytes || bytes !== 1)) return [[BigInt(bytes), 1n], "B"];
  const flops = unit === "FLOPs" ? spelled(word, data.flops) : null;
  if (flops !== null) return [[BigInt(flops), 1n], ""];
  if (word === unit || (data.words[unit] ?? []).includes(word) || (unit === "×" && ["x", "倍", "times", "*"].includes(word)))
    return [ONE, ""];
  const count = spelled(word, data.counts);
  return count === null ? null : [[BigInt(count), 1n], ""];
}
const digits = (value, last) => (last[0] ? String(size(over(value, last)).reduce((a, b) => a / b)).length : 0);
// What is said to a reply, and whether it is right; the rules are those of symparams.practice.marking.
function mark(article, text) {
  const { unit, tolerance } = article.dataset,
    answer = read(article.dataset.value),
    reply = amountIn(text, (word) => scaleOf(word, unit));
  if (!reply || (reply.kind === "B" && !(unit in data.bytes))) return { text: said.unreadable };
  let { value } = reply,
    last = precision(reply, data.rounded, isWhole(answer));
  const isInFull = !reply.last[0];
  const by = reply.kind === "B" ? [BigInt(data.bytes[unit]), 1n] : reply.kind === "%" && unit !== "%" ? [100n, 1n] : ONE;
  [value, last] = [over(value, by), over(last, by)];
  const mistakes = [...article.querySelectorAll(".mistakes li")].map((li) => ({
      value: read(li.dataset.value),
      node: li.querySelector("span"),
    })),
    off = minus(value, answer),
    room = tolerance ? times(read(tolerance), size(answer)) : null,
    rivals = mistakes.filter((mistake) => roundsTo(value, last, mistake.value));
  const miss = () => {
    const exact = mistakes.filter((mistake) => equal(mistake.value, value));
    let told = exact.length ? exact : rivals;
    if (!told.length && room)
      told = mistakes.filter((mistake) =>
        isAtMost(size(minus(value, mistake.value)), times(read(tolerance), size(mistake.value))),
      );
    return {
      text: said.not_yet,
      node: told[0]?.node,
      more: told.length ? "" : off[0] > 0n ? said.too_large : said.too_small,
    };
  };
  const missOrNear = () =>
    isAtMost(size(off), last) && digits(value, last) === data.few && !rivals.length ? { text: said.near } : miss();
  if (equal(value, answer)) return { right: true };
  if (isInFull && mistakes.some((mistake) => equal(mistake.value, value))) return miss();
  if (
    unit === "%" &&
    isAtMost(size(minus(times([100n, 1n], value), answer)), times(tolerance ? read(tolerance) : ZERO, size(answer)))
  )
    return { text: said.fraction };
  if (room) {
    const isNear = isAtMost(size(off), room) || (roundsTo(value, last, answer) && digits(value, last) >= data.few);
    return isNear ? { right: true } : missOrNear();
  }
  if (!roundsTo(value, last, answer)) return missOrNear();
  const known = digits(value, last);
  if (known >= data.enough && !rivals.length) return { right: true };
  return { text: (rivals.length ? said.coarse_as : said.coarse).replace("{digits}", known) };
}
function show(article, { right, text, node, more }) {
  const told = article.querySelector(".told"),
    [before, after] = said.right.split("{answer}");
  told.className = `told ${right ? "good" : "bad"}`;
  if (right) told.replaceChildren(before, ...(article.querySelector(".said")?.cloneNode(true).childNodes ?? []), after);
  else told.replaceChildren(`${text} `, ...(node?.cloneNode(true).childNodes ?? []), more ?? "");
  if (right) article.querySelector("details").open = true;
}
for (const article of articles) {
  const box = article.querySelector(".try");
  if (box) {
    const input = box.querySelector("input"),
      check = () => input.value.trim() && show(article, mark(article, input.value));
    box.hidden = false;
    box.querySelector("button").addEventListener("click", check);
    input.addEventListener("keydown", (event) => event.key === "Enter" && check());
  }
  for (const option of article.querySelectorAll(".options li")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...option.querySelector("span").childNodes);
    option.replaceChild(button, option.querySelector("span"));
    button.addEventListener("click", () => {
      const right = option.dataset.right === "1",
        why = option.querySelector(".why");
      article.querySelector(".said")?.replaceChildren(...button.cloneNode(true).childNodes);
      show(article, right ? { right } : { text: said.not_yet, node: why });
    });
  }
}
// One question at a time, or all.
const bar = document.getElementById("practise"),
  toggle = bar.querySelector("button"),
  place = document.getElementById("place");
let at = -1;
const go = (to) => {
  at = to;
  articles.forEach((article, i) => {
    article.hidden = at >= 0 && i !== at;
    article.querySelector(".next").hidden = at < 0 || i === articles.length - 1;
  });
  toggle.textContent = at < 0 ? toggle.dataset.one : toggle.dataset.all;
  place.textContent = at < 0 ? "" : said.of.replace("{number}", at + 1).replace("{all}", articles.length);
};
bar.hidden = false;
toggle.addEventListener("click", () => go(at < 0 ? 0 : -1));
articles.forEach((article, i) =>
  article.querySelector(".next button").addEventListener("click", () => {
    go(i + 1);
    articles[i + 1].querySelector("input, .options button, summary").focus();
  }),
);
