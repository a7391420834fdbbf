// main.js -- the page: a script in an editor, the map and what astar answers beside it, and all that edits the one
// by way of the other. Here it is put together and begins.

import { listenToButtons } from "./buttons.js";
import { colors } from "./colors.js";
import { decodeTrace } from "./decode.js";
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { listenToMaps } from "./gestures.js";
import { find, page, panes } from "./page.js";
import { preset } from "./presets.js";
import { Runner } from "./runner.js";
import * as script from "./script.js";
import { chooseBrush, chooseOption, chooseTask, load, probe, put, putAside, run, typed } from "./scripting.js";
import * as share from "./share.js";
import { note, show, take } from "./showing.js";
import { TASKS } from "./tasks.js";

document.body.classList.toggle("embedded", share.isEmbedded);
const engine = new Engine();
page.runner = new Runner(engine, take);
page.editor = new Editor(find("editor"), { onTyped: typed, onRun: run });
page.choose = { task: chooseTask, option: chooseOption, brush: chooseBrush, probe };
listenToMaps();
listenToButtons();

function tellOfCut(hash) {
  if (share.isLink(hash)) note("The link is cut off: its script cannot be read");
}

async function begin() {
  const linked = await share.scriptOf(location.hash), kept = share.kept(), hash = location.hash;
  page.mine = kept?.mine ?? [];
  if (linked === null) page.own = kept?.own ?? null;
  else if (kept?.own && kept.text !== linked) putAside(kept.text); // a link takes nobody's own script away
  const text = linked ?? kept?.text ?? null, first = script.head(preset("country", page.seed)) + TASKS.path.script;
  if (text !== null) find("preset").value = "";
  if (globalThis.astarWorker) engine.start(globalThis.astarWorker);
  else addEventListener("astarWorker", () => engine.start(globalThis.astarWorker), { once: true });
  page.isLanding = (text === null || text === first) && !share.isEmbedded;
  await put(text ?? first);
  if (linked === null) tellOfCut(hash);
  if (page.isLanding) playOpening();
}

// Shows once how the route was searched for, unless the visitor prefers less motion or has begun to do something.
async function playOpening() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const trace = decodeTrace(await page.runner.reply("trace", 48));
  if (!trace || !page.isLanding) return;
  const began = performance.now();
  const frame = (now) => {
    if (!page.isLanding) return;
    const part = Math.max(0, Math.floor((now - began) / 32));
    page.trace = part <= trace.parts ? { ...trace, part } : null;
    if (page.trace && page.played !== part) show();
    page.played = part;
    if (page.trace) requestAnimationFrame(frame);
    else show();
  };
  requestAnimationFrame(frame);
}
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => page.trace && (page.trace = null, show()), true);
}

addEventListener("hashchange", async () => {
  const text = await share.scriptOf(location.hash);
  if (text === null) tellOfCut(location.hash);
  else if (text !== page.editor.text) {
    find("preset").value = "";
    load(text);
  }
});

// For tests, and for the curious.
const views = panes.map((pane) => pane.view);
globalThis.playground = { editor: page.editor, engine, runner: page.runner, run, load, views, page, script, colors, scene: () => page.scene, began: begin() };
