// scripting.js -- the script: it runs, is edited by the page, gives way to another.

import { find, page } from "./page.js";
import { preset } from "./presets.js";
import * as script from "./script.js";
import * as share from "./share.js";
import { currentTask, note, refuse, show, showControls } from "./showing.js";
import { TASKS } from "./tasks.js";

export function run() {
  const text = page.editor.text;
  share.keep(text) || note("This browser keeps nothing: copy the link.");
  if (location.hash && !share.isEmbedded) history.replaceState(null, "", location.href.replace(/#.*/s, ""));
  find("stop").hidden = false;
  return page.runner.run(text);
}

export function typed(update) {
  page.isTyped = true;
  share.keep(page.editor.text);
  if (update.transactions.some((transaction) => transaction.isUserEvent("undo") || transaction.isUserEvent("redo"))) run();
  else note("Changed: Run, or Ctrl+Enter");
}

// An edit that the page makes of the script, which then runs; null where the script has no place for it.
export function edit(edits, why) {
  if (edits === null) return refuse(why);
  if (edits.length === 0) return undefined;
  page.editor.edit(edits);
  return run();
}

// Another script, to come back from where one had typed.
export function load(text) {
  if (page.isTyped) page.mine = page.editor.text;
  page.isTyped = false;
  page.editor.replace(text);
  const drawing = script.findDrawing(text), grid = script.draft(text);
  if (drawing && drawing.rows.length > 6) page.editor.fold(drawing.from - 1, drawing.to);
  if (grid) page.scene = { grid, routes: [], searches: [], flow: null, crowd: null, walkers: [] };
  showControls();
  show();
  return run();
}

export function chooseTask(name) {
  const parts = script.findDrawing(page.editor.text) && script.split(page.editor.text);
  return load(TASKS[name].isWhole ? TASKS[name].script : (parts?.head ?? script.head(preset("country", page.seed))) + TASKS[name].script);
}

export function chooseMap(map) {
  let task = currentTask() ?? "path";
  if (TASKS[task].isWhole || (map.shape === "hex" && TASKS[task].isOfSquares)) task = "path";
  return load(script.head(map) + TASKS[task].script);
}

export function chooseOption(finders, name, value) {
  for (const n of finders) page.editor.edit(script.setOption(page.editor.text, n, name, value) ?? []);
  run();
}

export function chooseBrush(name) {
  page.brush = name;
  page.linking = null;
  showControls();
}
