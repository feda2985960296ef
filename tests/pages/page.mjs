// Works the sheets of a page out as its browser does: cases on standard input, answers on standard output.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [folder, ...files] = process.argv.slice(2);
const code = files.map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n");
const { Sheet, Printer, MATHML, LATEX, Expansion, plainly, unpack, exact } = vm.runInThisContext(`(() => { "use strict"; ${code}; return { Sheet, Printer, MATHML, LATEX, Expansion, plainly, unpack, exact }; })()`);
const { data, words, cases, formulas } = JSON.parse(readFileSync(0, "utf8"));
const answers = [];
// What the picture's parts come to: each as often as what stands around it says.
function pictured(sheet, found) {
  const at = (kind) => sheet.parts(kind, found.setting).map(([[, path], place]) => [path, data.pool[place]]);
  const number = (place) => exact(sheet.formulas[place], found.values)[0], frames = new Map(at("frame"));
  const copies = (around) => around.filter((each) => each[0] === "#").map((each) => frames.get(each.slice(1))[1]).filter((place) => place >= 0);
  return at("picture").filter(([, entry]) => entry[3] >= 0).reduce((so, [, [, around, , count]]) => so + copies(around).reduce((product, place) => product * number(place), number(count)), 0n);
}
if (data) {
  const sheet = new Sheet(data, {});
  for (const { given, on } of cases) {
    const found = sheet.work(new Map(Object.entries(given)), new Set(on));
    const steps = found.sections.flatMap(({ blocks }) => blocks).filter(([kind]) => kind === "chain").map(([, place]) => sheet.step(place));
    answers.push({
      count: found.count === null ? null : String(found.count), fault: found.fault && words.page[`errors.${found.fault.key}`][0].replace(/\{(\w+)\}/g, (_, name) => String(found.fault.terms[name])), about: found.fault && found.fault.about, missing: found.missing,
      closed: plainly(found.expansion.written(found.expansion.of(found.total))),
      blocks: plainly(sheet.closed(sheet.wholeStep(found), found)),
      views: data.views.map((view) => sheet.work(new Map(Object.entries(given)), new Set(on), view).count).map((count) => count === null ? null : String(count)),
      picture: found.count === null ? null : String(pictured(sheet, found)),
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
