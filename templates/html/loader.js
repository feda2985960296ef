// Unpacks the data, the styles and the runtime, which the policy knows by their hashes, and runs it.
(async () => {
  // The digits of base 85 that Python writes: five of them are four bytes, and the last may be fewer.
  const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~",
    valueOf = new Map([...DIGITS].map((digit, i) => [digit, i])),
    { textContent: written } = document.querySelector("#packed"),
    packed = new DataView(new ArrayBuffer(Math.ceil(written.length / 5) * 4));
  for (let i = 0; i < written.length; i += 5) {
    const number = [...written.slice(i, i + 5).padEnd(5, "~")].reduce((so, digit) => so * 85 + valueOf.get(digit), 0);
    packed.setUint32((i / 5) * 4, number);
  }
  const deflated = packed.buffer.slice(0, Math.floor((written.length * 4) / 5));
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate")),
    text = await new Response(stream).text(),
    [json, rules, ...code] = text.split("\n"); // the data are the first line, the styles the second
  const data = Object.assign(document.createElement("script"), { type: "application/json", id: "data" }),
    style = document.createElement("style"),
    runtime = document.createElement("script");
  data.textContent = json;
  style.textContent = rules;
  runtime.textContent = code.join("\n");
  document.head.append(style);
  document.body.append(data, runtime);
})();
