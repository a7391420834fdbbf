// scripting.js -- the script: it runs, is edited by the page, gives way to another.

import { find, page } from "./page.js";
import { preset } from "./presets.js";
import * as script from "./script.js";
import * as share from "./share.js";
import { currentTask, note, refuse, show, showControls } from "./showing.js";
import { TASKS } from "./tasks.js";

const MOST_MINE = 8;

export const keep = () => share.keep({ text: page.editor.text, own: page.own, mine: page.mine });

export function run() {
  const text = page.editor.text;
  keep() || note("This browser keeps nothing: copy the link.");
  if (location.hash && !share.isEmbedded) history.replaceState(null, "", location.href.replace(/#.*/s, ""));
  find("stop").hidden = false;
  return page.runner.run(text);
}

export function typed(update) {
  page.own = "text";
  if (!script.findDrawing(page.editor.text)) find("preset").value = "";
  keep();
  if (update.transactions.some((transaction) => transaction.isUserEvent("undo") || transaction.isUserEvent("redo"))) run();
  else note("Changed: Run, or Ctrl+Enter");
}

// An edit that the page makes of the script, which then runs; null where the script has no place for it.
export function edit(edits, why, goesOn = false) {
  if (edits === null) return refuse(why);
  if (edits.length === 0) return undefined;
  page.editor.edit(edits, goesOn);
  page.own ??= "map";
  return run();
}

// Puts aside a script to come back to.
export function putAside(text) {
  page.mine = [...page.mine.filter((one) => one !== text), text].slice(-MOST_MINE);
}

export function comeBack() {
  const text = page.mine.pop();
  if (page.own) page.mine.unshift(page.editor.text);
  page.own = "text";
  return put(text);
}

// Another script, to come back from where one had typed or painted; a map that stays has nothing to come back to.
export function load(text, keepsMap = false) {
  const isKept = keepsMap && page.own === "map";
  if (page.own && !isKept) putAside(page.editor.text);
  if (!isKept) page.own = null;
  return put(text);
}

// Has the page at a script.
export function put(text) {
  page.editor.replace(text);
  const drawing = script.findDrawing(text), grid = script.draft(text);
  if (drawing && drawing.rows.length > 6) page.editor.fold(drawing.from - 1, drawing.to);
  if (grid) page.scene = { grid, routes: [], searches: [], flow: null, crowd: null, walkers: [] };
  showControls();
  show();
  return run();
}

export function chooseTask(name) {
  if (TASKS[name].isWhole) return load(TASKS[name].script);
  const parts = script.findDrawing(page.editor.text) && script.split(page.editor.text);
  return load((parts?.head ?? script.head(preset("country", page.seed))) + TASKS[name].script, Boolean(parts));
}

export function chooseMap(map) {
  let task = currentTask() ?? "path";
  if (TASKS[task].isWhole || (map.shape === "hex" && TASKS[task].isOfSquares)) task = "path";
  return load(script.head(map) + TASKS[task].script);
}

export function chooseOption(finders, name, value) {
  finders.forEach((n, i) => page.editor.edit(script.setOption(page.editor.text, n, name, value) ?? [], i > 0));
  run();
}

export function chooseBrush(name) {
  page.brush = name;
  page.linking = null;
  showControls();
}
