// Unpacks the data and the runtime, which the policy knows by its hash as it stands here, and runs it.
(async () => {
  const packed = Uint8Array.from(atob(document.querySelector("#packed").textContent), (c) => c.charCodeAt(0)),
    text = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text(),
    end = text.indexOf("\n"); // the data are the first line
  const data = Object.assign(document.createElement("script"), { type: "application/json", id: "data" }),
    runtime = document.createElement("script");
  data.textContent = text.slice(0, end);
  runtime.textContent = text.slice(end + 1);
  document.body.append(data, runtime);
})();
