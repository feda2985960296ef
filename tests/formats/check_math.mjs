// Reads lines of [{tex, display}, …] on stdin with KaTeX (strict) and MathJax; for each it writes a line of
// [[tex, display, reader, error], …], the refusals.

import katex from "katex";
import { createInterface } from "node:readline";
import { mathjax } from "mathjax-full/js/mathjax.js";
import { TeX } from "mathjax-full/js/input/tex.js";
import { SerializedMmlVisitor } from "mathjax-full/js/core/MmlTree/SerializedMmlVisitor.js";
import { STATE } from "mathjax-full/js/core/MathItem.js";
import { liteAdaptor } from "mathjax-full/js/adaptors/liteAdaptor.js";
import { RegisterHTMLHandler } from "mathjax-full/js/handlers/html.js";
import "mathjax-full/js/input/tex/base/BaseConfiguration.js";
import "mathjax-full/js/input/tex/ams/AmsConfiguration.js";

RegisterHTMLHandler(liteAdaptor());
const page = mathjax.document("", { InputJax: new TeX({ packages: ["base", "ams"] }) });
const visitor = new SerializedMmlVisitor();

function readWithKatex({ tex, display }) {
  katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: "error" });
}

function readWithMathjax({ tex, display }) {
  const tree = visitor.visitTree(page.convert(tex, { display, end: STATE.CONVERT }));
  const refusal = /<merror[^>]*>|<mtext[^>]*>[^<]*\\[^<]*/.exec(tree); // a backslash in a text is a macro shown as it is spelt
  if (refusal) throw new Error(refusal[0]);
}

for await (const line of createInterface({ input: process.stdin })) {
  const refusals = [];
  for (const formula of JSON.parse(line)) {
    for (const [reader, read] of Object.entries({ KaTeX: readWithKatex, MathJax: readWithMathjax })) {
      try {
        read(formula);
      } catch (error) {
        refusals.push([formula.tex, formula.display, reader, error.message]);
      }
    }
  }
  console.log(JSON.stringify(refusals));
}
