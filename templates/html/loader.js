// Unpacks the data, the styles and the runtime, which the policy knows by their hashes, and runs it.
(async () => {
  const packed = Uint8Array.from(atob(document.querySelector("#packed").textContent), (c) => c.charCodeAt(0)),
    text = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text(),
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
