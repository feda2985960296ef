// Sentences: what the catalogues say, as runs: texts, and formulas that each format prints in its own way.
const isIdeograph = (c) => c !== "" && /\p{Script=Han}/u.test(c);
const isLatin = (c) => /^[A-Za-z0-9]$/.test(c);
const needsSpace = (before, after) => (isIdeograph(before) && isLatin(after)) || (isIdeograph(after) && isLatin(before));
const edge = (run, last) => (typeof run === "string" ? (last ? [...run].pop() : [...run][0]) || "" : "x"); // a formula begins and ends as a letter does
function spaced(parts) {
  const said = [];
  for (const run of parts.flat()) {
    if (run === "") continue;
    const before = said.length ? said[said.length - 1] : "",
      gap = said.length && needsSpace(edge(before, true), edge(run, false)) ? " " : "";
    if (typeof run === "string" && typeof before === "string" && said.length) said[said.length - 1] = before + gap + run;
    else if (typeof run === "string") said.push(gap + run);
    else if (gap && typeof before === "string") {
      said[said.length - 1] = before + gap;
      said.push(run);
    } else {
      if (gap) said.push(gap);
      said.push(run);
    }
  }
  return said;
}
const joined = (parts, joint) =>
  spaced(parts.filter((part) => part.length).flatMap((part, i) => (i && joint ? [joint, part] : [part])));
const capital = (runs) =>
  typeof runs[0] === "string" ? [runs[0].slice(0, 1).toUpperCase() + runs[0].slice(1), ...runs.slice(1)] : runs;

class Speech {
  constructor(sheet, found, language) {
    Object.assign(this, { sheet, found, language });
  }
  // A sentence, by its key or its place.
  said(key) {
    return this.sheet.data.sentences[this.sheet.sentences[key] ?? key][this.language];
  }
  name(place, isShort = false) {
    return this.sheet.data.names[place][this.language][isShort ? 1 : 0];
  }
  sentence(key, terms) {
    const fill = new Map(terms);
    return spaced(this.said(key).map((part) => (typeof part === "string" ? [part] : this.runs(fill.get(part[0])))));
  }
  // What is said of a usual mistake: by its name: texts, and formulas by their places.
  mistake(name) {
    return spaced(
      this.sheet.data.mistaken[name][this.language].map((part) => [
        typeof part === "string" ? part : this.sheet.formulas[part],
      ]),
    );
  }
  plain(key, terms = {}) {
    return spaced(this.said(key).map((part) => (typeof part === "string" ? part : terms[part[0]]))).join("");
  }
  paragraph(values) {
    return joined(
      values.map((value) => this.runs(value)),
      this.sheet.words.heads[this.language].joint,
    );
  }
  list(key, values) {
    return joined(
      values.map((value) => this.runs(value)),
      this.said(key).join(""),
    );
  }
  runs(value) {
    if (value === undefined) return [];
    const [kind, first, second, third] = value;
    switch (kind) {
      case "s":
        return this.sentence(first, second);
      case "n":
        return [this.name(first)];
      case "C":
        return capital(this.runs(first));
      case "l":
        return this.list(first, second);
      case "p":
        return spaced(first.map((part) => this.runs(part)));
      case "t":
      case "c":
        return [first];
      case "x":
        return [this.sheet.formulas[first]];
      case "f":
        return [first];
      case "since":
        return this.since(first, new Set(second));
      case "copies": {
        const used = this.sheet.used(this.sheet.step(first), this.found).map((formula) => ["f", formula]);
        return this.sentence(used.length ? `${second}_since` : second, [
          ["times", ["x", third]],
          ["relations", ["l", "signs.and", used]],
        ]);
      }
      case "heads":
        return this.sentence(first[this.heads(new Map(second))], second);
    }
    throw new TypeError(kind);
  }
  since(place, said) {
    const { sheet, found } = this,
      step = sheet.step(place),
      flags = sheet.flags(step, found);
    if (flags & TOO_LONG || !(flags & SAYS_MORE)) return [];
    const used = sheet.used(step, found).filter((relation) => !letters(relation).every((name) => said.has(name)));
    return used.length
      ? this.sentence("steps.since", [["relations", ["l", "signs.and", used.map((formula) => ["f", formula])]]])
      : [];
  }
  // Which of three sentences is true of heads that are shared: one for all, one for each, or some.
  heads(terms) {
    const { values, relations } = this.found,
      [queries, shared] = ["n_heads", "n_kv_heads"].map((name) => this.sheet.formulas[terms.get(name)[1]]);
    if (isBound(queries, values) && isBound(shared, values)) {
      const [n] = exact(shared, values);
      return n === 1n ? 0 : n === exact(queries, values)[0] ? 1 : 2;
    }
    return shared.op === "#" && shared.value === 1n ? 0 : agree(queries, shared, relations) ? 1 : 2;
  }
}

// A formula in the letters of the notation, as plain text.
const lettersOf = (formula) =>
  Object.assign(new PlainPrinter(), {
    letterOf: (name) => (sheetNow().data.letters[state.notation][name] || [0, 0, 0, name])[3],
  }).print(formula);
const filledIn = (text, terms) => text.replace(/\{(\w+)\}/g, (_, name) => terms[name]);

// A number as people say it: rounded to three digits, and then with its unit: 999,885,952 is 1.00 billion; "" for a small one.
function rounded(value, words, base = 10n) {
  const units = words.map(({ power }) => base ** BigInt(power));
  let place = units.findIndex((unit) => value >= unit);
  if (place < 0) return "";
  const whole = (at) => scaled(value, units[at], decimals(value, units[at])) / 10n ** BigInt(decimals(value, units[at]));
  if (place && whole(place) * units[place] >= units[place - 1]) place--;
  const unit = units[place],
    { word } = words[place],
    places = base === 2n && value % unit === 0n ? 0 : decimals(value, unit),
    digits = fixed(value, unit, places);
  const sign = (value * 10n ** BigInt(places)) % unit ? "≈" : "=";
  return `${sign} ${/^[\x20-\x7e]*$/.test(word) ? digits : digits.replace(/,/g, "")}${word}`; // 1,234 billion, but 1234 亿
}
const scaled = (value, unit, places) => (2n * value * 10n ** BigInt(places) + unit) / (2n * unit);
function decimals(value, unit) {
  const places = Math.max(0, 3 - String(value / unit).length);
  return places && scaled(value, unit, places) >= 1000n ? places - 1 : places;
}
function fixed(value, unit, places) {
  const all = scaled(value, unit, places),
    scale = 10n ** BigInt(places);
  return grouped(all / scale) + (places ? `.${String(all % scale).padStart(places, "0")}` : "");
}
const percent = (part, whole, pattern) =>
  part && 20000n * part < whole
    ? `< ${pattern.replace("{number}", "0.01")}`
    : pattern.replace("{number}", whole ? fixed(100n * part, whole, 2) : "0");
