// unpack.js -- opens what pack.mjs has packed, and starts the page's own script as soon as that has arrived.

globalThis.astarUnpack = async (text) => {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

addEventListener("astarPage", async () => {
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob([await astarUnpack(astarPage[0])], { type: "text/javascript" }));
  document.body.append(script);
}, { once: true });
