// Works the sheets of a page out as its browser does: cases on standard input, answers on standard output.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [folder, ...files] = process.argv.slice(2);
const code = files.map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n");
const { Sheet, Printer, MATHML, LATEX, Expansion, plainly, unpack } = vm.runInThisContext(`(() => { "use strict"; ${code}; return { Sheet, Printer, MATHML, LATEX, Expansion, plainly, unpack }; })()`);
const { data, words, cases, formulas } = JSON.parse(readFileSync(0, "utf8"));
const answers = [];
if (data) {
  const sheet = new Sheet(data, {});
  for (const { given, on, quantity } of cases) {
    const found = sheet.work(new Map(Object.entries(given)), new Set(on), undefined, quantity);
    const steps = found.sections.flatMap(({ blocks }) => blocks).filter(([kind]) => kind === "chain").map(([, place]) => sheet.step(place));
    answers.push({
      count: found.count === null ? null : String(found.count), fault: found.fault && words.page[`errors.${found.fault.key}`][0].replace(/\{(\w+)\}/g, (_, name) => String(found.fault.terms[name])), about: found.fault && found.fault.about, missing: found.missing, taken: [...found.taken ?? []],
      closed: plainly(found.expansion.written(found.expansion.of(found.total))),
      blocks: plainly(sheet.closed(sheet.wholeStep(found), found)),
      views: data.views.map((view) => sheet.work(new Map(Object.entries(given)), new Set(on), view).count).map((count) => count === null ? null : String(count)),
      steps: steps.map((step) => [step.path, sheet.chain(step, found).map(({ formula }) => plainly(formula))]),
    });
  }
}
if (formulas) {
  const found = unpack(formulas.entries), letterOf = (name) => formulas.letters[name], nameOf = (place) => formulas.names[place];
  const tex = new Printer(LATEX, letterOf, nameOf, nameOf), mathml = Object.assign(new Printer(MATHML, letterOf, nameOf, nameOf), { tex });
  for (const place of formulas.places) answers.push({ mathml: mathml.print(found[place]), latex: tex.print(found[place]) });
}
process.stdout.write(JSON.stringify(answers));
