// Works the sheets of a page out as its browser does: each line of standard input asks, each line of standard output answers.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import vm from "node:vm";

const [folder, ...files] = process.argv.slice(2);
const code = files.map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n");
const names =
  "Sheet, Printer, MATHML, LATEX, plainly, unpack, exact, Besides, marked, faultsOf, nearest, told, unpacked, rounded, quotientText";
const runtime = new vm.Script(`(() => { "use strict"; ${code}; return { ${names} }; })()`);

// Answers with a runtime of its own, as a page that is opened anew has it.
function answer({ data, others = [], replies = [], words, cases, formulas, packed, numbers }) {
  const page = runtime.runInThisContext();
  const answers = [],
    formOf = (formula) => formula && page.plainly(formula),
    digitsOf = (value) => value && (value[1] === 1n ? String(value[0]) : value.join("/"));
  function ruleOf(rule) {
    if (!rule) return null;
    return [
      rule.what,
      formOf(rule.estimate),
      formOf(rule.squares),
      digitsOf(rule.value),
      rule.sources.map(({ name, cell, value }) => [name, formOf(cell), digitsOf(value)]),
    ];
  }
  // The closed form of the whole, multiplied out however long it is.
  function expanded(sheet, found) {
    const addends = sheet.sections(found.setting, found.cost?.name).flatMap((section) => section.addends);
    return sheet.sum(sheet.merged(addends.map((place) => sheet.closing(place, found))));
  }
  if (data) {
    const sheet = new page.Sheet(data, words),
      besides = new page.Besides(sheet);
    for (const other of others) new page.Sheet(other, words).work(new Map(), new Set()); // the other tabs
    const say = (fault) => page.told(fault, (key) => words.page[key][0]);
    // What is marked of replies: the step of the first name that is met, and the names of the mistakes.
    for (const [name, reply] of replies) {
      const found = sheet.work(new Map(Object.entries(data.presets[0].held)), new Set(data.presets[0].on)),
        steps = found.sections.flatMap(({ blocks }) =>
          blocks.filter(([kind]) => kind === "chain").map(([, place]) => sheet.step(place)),
        ),
        step = steps.find(({ named }) => named.op === "N" && sheet.data.names[named.label][0][0] === name),
        { key, mistakes = [] } = page.marked(sheet, found, step, reply, "hidden");
      answers.push([key, mistakes]);
    }
    for (const { given, on, quantity, own = {} } of cases) {
      Object.assign(sheet.data, own); // as of another model of the family
      const tab = { given: new Map(Object.entries(given)), on: new Set(on) };
      const found = sheet.work(new Map(Object.entries(given)), new Set(on), undefined, quantity);
      const blocks = found.sections.flatMap((section) => section.blocks),
        anchorOf = (i) => (blocks[i - 1]?.[0] === "item" ? blocks[i - 1][3] : "");
      const steps = blocks.flatMap(([kind, place], i) => (kind === "chain" ? [[anchorOf(i), sheet.step(place)]] : []));
      answers.push({
        count: found.exact && page.quotientText(found.exact),
        fault: found.fault && say(found.fault),
        about: found.fault && found.fault.about,
        missing: found.missing,
        taken: [...(found.taken ?? [])],
        closed: page.plainly(expanded(sheet, found)),
        parts: sheet.rows("share", found.setting, found).map(([, , closed]) => page.plainly(closed)),
        blocks: page.plainly(sheet.closed(sheet.wholeStep(found), found)),
        views: data.views
          .map((view) => sheet.work(new Map(Object.entries(given)), new Set(on), view).count)
          .map((count) => (count === null ? null : String(count))),
        conventions: besides
          .conventions(found)
          .map(({ said, difference, value }) => [said, formOf(difference), digitsOf(value)]),
        faults: [...page.faultsOf(sheet, found, tab, "")].map(([name, fault], _, all) => [
          name,
          say(fault),
          page.nearest(sheet, tab, new Map(all), name).map(String),
        ]),
        rule: ruleOf(besides.rule(found)),
        steps: steps.map(([at, step]) => [at, sheet.chain(step, found).map(({ formula }) => page.plainly(formula))]),
      });
    }
  }
  if (formulas) {
    const found = page.unpack(formulas.entries),
      letterOf = (name) => formulas.letters[name],
      nameOf = (place) => formulas.names[place];
    const tex = new page.Printer(page.LATEX, letterOf, nameOf, nameOf),
      mathml = Object.assign(new page.Printer(page.MATHML, letterOf, nameOf, nameOf), { tex });
    for (const place of formulas.places) answers.push({ mathml: mathml.print(found[place]), latex: tex.print(found[place]) });
  }
  if (numbers)
    for (const value of numbers.values) answers.push(page.rounded(BigInt(value), numbers.words, BigInt(numbers.base)));
  if (packed) answers.push(page.unpacked(packed));
  return answers;
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(answer(JSON.parse(line))));
