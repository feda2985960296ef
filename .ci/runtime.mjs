// The scripts of a page: as one, in the order in which a page holds them, without a name that is unknown or never used.
import { readFileSync } from "node:fs";
import js from "@eslint/js";
import { ESLint } from "eslint";
import globals from "globals";

const order = readFileSync("symparams/pages/page.py", "utf8").match(/RUNTIME = \(([^)]*)\)/)[1];
const names = [...order.matchAll(/"(\w+)"/g)].map(([, name]) => name);
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    js.configs.recommended,
    {
      languageOptions: { sourceType: "script", globals: globals.browser },
      rules: {
        eqeqeq: "error",
        "no-eval": "error",
        "no-implied-eval": "error",
        "no-new-func": "error",
        "no-var": "error",
        "prefer-const": "error",
      },
    },
  ],
});
// The scripts of pages, each one of several files; those of the site are named in symparams/site.
const scripts = {
  "page.js": names.map((name) => `html/${name}`),
  "loader.js": ["html/loader"],
  "quiz.js": ["html/rational", "html/amounts", "site/quiz"],
  "site.js": ["site/site"],
};
const { format } = await eslint.loadFormatter("stylish");
let said = "";
for (const [filePath, files] of Object.entries(scripts)) {
  const whole = files.map((name) => readFileSync(`templates/${name}.js`, "utf8")).join("\n"),
    results = await eslint.lintText(`"use strict";\n(() => {\n${whole}\n})();\n`, { filePath });
  said += await format(results);
}
if (said) {
  console.error(said);
  process.exit(1);
}
