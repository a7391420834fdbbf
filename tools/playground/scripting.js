// scripting.js -- the script: it runs, is edited by the page, gives way to another.

import { find, page } from "./page.js";
import { preset } from "./presets.js";
import * as script from "./script.js";
import * as share from "./share.js";
import { candidates, isOfRoutes, wordReason } from "./controls.js";
import { currentTask, note, refuse, show, showControls, showStop } from "./showing.js";
import { TASKS } from "./tasks.js";

const MOST_MINE = 8;
const MOST_PROBED = 100000; // cells; on larger maps it would take too long to try the options

export const keep = () => share.keep({ text: page.editor.text, own: page.own, mine: page.mine });

export function run() {
  const text = page.editor.text;
  keep() || note("This browser keeps nothing: copy the link.");
  if (location.hash && !share.isEmbedded) history.replaceState(null, "", location.href.replace(/#.*/s, ""));
  page.totals = null;
  const started = page.runner.run(text);
  clearTimeout(page.stopDue);
  page.stopDue = setTimeout(showStop, 700); // most scripts have ended before
  return started;
}

export function typed(update) {
  endLanding();
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
  endLanding();
  page.editor.edit(edits, goesOn);
  page.own ??= "map";
  return runEdited();
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
  if (drawing && (drawing.rows.length > 40 || drawing.rows[0].length > 80)) page.editor.fold(drawing.from - 1, drawing.to);
  if (grid) page.scene = { grid, routes: [], searches: [], flow: null, crowd: null, walkers: [] };
  showControls();
  show();
  return run();
}

export async function chooseTask(name) {
  endLanding();
  const done = loadTask(name);
  if (!TASKS[name].isWhole) page.editor.showEnd();
  return done;
}

function loadTask(name) {
  if (TASKS[name].isWhole) {
    find("preset").value = ""; // its map is its own
    return load(TASKS[name].script);
  }
  const parts = script.findDrawing(page.editor.text) && script.split(page.editor.text);
  if (!parts) find("preset").value = "country";
  return load((parts?.head ?? script.head(preset("country", page.seed))) + TASKS[name].script, Boolean(parts));
}

export function chooseMap(map) {
  endLanding();
  let task = currentTask() ?? "path";
  if (TASKS[task].isWhole || (map.shape === "hex" && TASKS[task].isOfSquares)) task = "path";
  return load(script.head(map) + TASKS[task].script);
}

export function chooseOption(finders, name, value) {
  endLanding();
  let isNext = false;
  const set = (n, option, to) => {
    page.editor.edit(script.setOption(page.editor.text, n, option, to) ?? [], isNext);
    isNext = true;
  };
  for (const n of finders) {
    if (name === "any_angle" && value === "true") set(n, "bends", null); // as script.chosen has it
    set(n, name, value);
  }
  return runEdited();
}

// Tries what could be chosen next, so that the menus offer nothing that leads into an error.
export async function probe() {
  const { scene } = page, text = page.editor.text;
  const list = scene && !scene.grid.is_world && !scene.grid.isBlank && scene.grid.cells.length <= MOST_PROBED
    ? candidates(text, scene.grid.shape === "hex") : [];
  const reasons = new Map();
  if (list.length > 0) {
    const lines = [isOfRoutes(text) ? "query" : "finder", ...list.map(({ table }) => table)].join("\n");
    const { state } = await page.runner.reply("probe", lines);
    list.forEach(({ key, name }, i) => state.reasons?.[i] && reasons.set(key, wordReason(name, state.reasons[i])));
  }
  if (page.editor.text !== text) return; // a newer run tries for itself
  page.reasons = reasons;
  showControls();
}

// An algorithm that cannot honour what was painted gives way, unless the script is somebody's own.
function giveWay(problem) {
  const refused = /algorithm "(\w+)" cannot honour (.*)/.exec(problem.message);
  if (!refused || currentTask() === null) return false;
  for (const n of [0, 1]) {
    if (script.readOption(page.editor.text, n, "algorithm") === `"${refused[1]}"`) {
      page.editor.edit(script.setOption(page.editor.text, n, "algorithm", null) ?? [], true);
    }
  }
  page.afterRun = `${refused[1]} does not work ${wordReason("algorithm", problem.message).replace(/^not /, "")}: the algorithm is auto again`;
  return true;
}

// Runs a script that the page edited.
export async function runEdited() {
  const text = page.editor.text;
  await run();
  const { problem } = page.runner.state ?? {};
  if (problem && page.editor.text === text && giveWay(problem)) await run();
}

export function endLanding() {
  page.isLanding = false;
  page.trace = null;
}

export function chooseBrush(name) {
  page.brush = name;
  page.linking = null;
  showControls();
}
