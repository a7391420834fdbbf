// main.js -- the page: a script in an editor, the map and what astar answers beside it, and all that edits the one
// by way of the other.

import { brushes, showBrushes, showOptions, showTasks, taskOf } from "./controls.js";
import { onColorsChanged } from "./colors.js";
import { decode } from "./decode.js";
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { listen } from "./pointer.js";
import { parseMap, preset, PRESETS } from "./presets.js";
import { Runner } from "./runner.js";
import * as script from "./script.js";
import * as share from "./share.js";
import { TASKS } from "./tasks.js";
import { tell, tellCell, tellSearch } from "./telling.js";
import { View } from "./view.js";

const find = (id) => document.getElementById(id);
const figures = [find("first"), find("second")];
const panes = figures.map((figure) => ({ figure, caption: figure.firstElementChild, canvas: figure.lastElementChild }));
for (const pane of panes) pane.view = new View(pane.canvas);

let scene = null; // what was answered last
let brush = null, brushBefore = null, isClickable = false;
let shownTask = null;
let wasWorld = false; // nothing is painted on one, so its only brush is no choice of anybody's
let cursor = null, isFocused = false, drag = null, linking = null;
let seed = 7, mine = null, isTyped = false;

const engine = new Engine();
const runner = new Runner(engine, take);
const editor = new Editor(find("editor"), { onTyped: typed, onRun: run });

// ---- showing ----

function ends() {
  const found = script.findEnds(editor.text);
  if (!found || !scene) return {};
  const { x0, y0, width, height } = scene.grid;
  const inside = ([x, y]) => (x >= x0 && y >= y0 && x < x0 + width && y < y0 + height ? [x - x0, y - y0] : null);
  return { start: inside(found.start), goal: inside(found.goal) };
}

function show() {
  if (!scene) return;
  const isTwo = scene.searches.length > 1, { width, height } = scene.grid;
  if (cursor && (cursor[0] >= width || cursor[1] >= height)) cursor = null; // the map before was larger
  find("maps").classList.toggle("two", isTwo);
  panes[1].figure.hidden = !isTwo;
  const { start, goal } = ends(), last = scene.routes.at(-1)?.cells;
  const common = {
    grid: scene.grid, crowd: scene.crowd, flow: scene.crowd ? null : scene.flow,
    start: start ?? last?.[0], goal: goal ?? last?.at(-1), cursor, isFocused, linking,
  };
  panes.forEach(({ view, caption }, i) => {
    const search = scene.searches[i];
    const routes = isTwo ? [] : [...scene.routes];
    if (search?.route) routes.push(search.route);
    caption.textContent = isTwo && search ? `${["Left", "Right"][i]}: ${tellSearch(search)}` : "";
    if (i === 0 || isTwo) view.show({ ...common, search, routes, size: search?.size ?? routes.at(-1)?.size ?? 1 });
  });
  find("steps").hidden = scene.searches.length === 0;
  tellHere();
}

function tellHere() {
  if (!scene) return;
  find("status").textContent = tell(scene);
  find("hint").textContent = cursor ? tellCell(scene, cursor) : TASKS[shownTask]?.hint ?? "";
}

function currentTask() {
  return taskOf(script.split(editor.text)?.task) ?? taskOf(editor.text);
}

function showControls() {
  const text = editor.text, task = currentTask();
  const isHex = scene?.grid.shape === "hex";
  showTasks(find("tasks"), task, isHex, chooseTask);
  showOptions(find("options"), scene?.grid.is_world ? "" : text, isHex, chooseOption);
  const isWorld = Boolean(scene?.grid.is_world), list = brushes(text, { isClickable, isWorld });
  if (wasWorld && !isWorld) brush = null;
  wasWorld = isWorld;
  if (!list.some(({ name }) => name === brush)) brush = list.find(({ cost }) => cost === false)?.name ?? list[0].name;
  showBrushes(find("tools"), list, brush, chooseBrush);
  shownTask = task;
  find("back").hidden = mine === null || mine === text;
}

function note(text) {
  find("note").textContent = text;
}

function showOutput({ output, problem }) {
  const element = find("output");
  element.replaceChildren(output ?? "");
  editor.showError(problem);
  if (!problem) return;
  const told = document.createElement("span");
  told.className = "problem";
  told.append(problem.message);
  if (problem.line) {
    const link = document.createElement("a");
    link.href = "#";
    link.textContent = `line ${problem.line}: `;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      editor.goTo(problem.line);
    });
    told.prepend(link);
  }
  element.append(told);
}

function take(answer, isNew) {
  const { state } = answer;
  showOutput(state);
  const next = decode(answer, isNew ? null : scene);
  if (next) scene = next;
  else if (isNew && scene) scene = { ...scene, routes: [], searches: [], flow: null, crowd: null };
  find("stop").hidden = !runner.isLive && runner.playing === 0;
  if (scene?.searches.every(({ status }) => status !== "running")) runner.playing = 0;
  find("play").textContent = runner.playing > 0 ? "Pause" : "Play";
  if (isNew) {
    if (Boolean(state.clickable) !== isClickable) {
      isClickable = Boolean(state.clickable);
      if (isClickable) [brushBefore, brush] = [brush, "order"];
      else if (brush === "order") brush = brushBefore;
    }
    showControls();
    note("");
  }
  show();
}

// ---- running ----

function run() {
  const text = editor.text;
  share.keep(text) || note("This browser keeps nothing: copy the link.");
  if (location.hash) history.replaceState(null, "", location.href.replace(/#.*/s, ""));
  find("stop").hidden = false;
  return runner.run(text);
}

function typed(update) {
  isTyped = true;
  share.keep(editor.text);
  if (update.transactions.some((transaction) => transaction.isUserEvent("undo") || transaction.isUserEvent("redo"))) run();
  else note("Changed: Run, or Ctrl+Enter");
}

// An edit that the page makes of the script, which then runs; null where the script has no place for it.
function edit(edits, why) {
  if (edits === null) return note(why);
  if (edits.length === 0) return undefined;
  editor.edit(edits);
  return run();
}

// Another script, to come back from where one had typed.
function load(text) {
  if (isTyped) mine = editor.text;
  isTyped = false;
  editor.replace(text);
  const drawing = script.findDrawing(text), grid = script.draft(text);
  if (drawing && drawing.rows.length > 6) editor.fold(drawing.from - 1, drawing.to);
  if (grid) scene = { grid, routes: [], searches: [], flow: null, crowd: null };
  showControls();
  show();
  return run();
}

function chooseTask(name) {
  const parts = script.findDrawing(editor.text) && script.split(editor.text);
  return load(TASKS[name].isWhole ? TASKS[name].script : (parts?.head ?? script.head(preset("country", seed))) + TASKS[name].script);
}

function chooseMap(map) {
  let task = currentTask() ?? "path";
  if (TASKS[task].isWhole || (map.shape === "hex" && TASKS[task].isOfSquares)) task = "path";
  return load(script.head(map) + TASKS[task].script);
}

function chooseOption(finders, name, value) {
  for (const n of finders) editor.edit(script.setOption(editor.text, n, name, value) ?? []);
  run();
}

function chooseBrush(name) {
  brush = name;
  linking = null;
  showControls();
}

// ---- painting ----

const floor = () => script.grounds(editor.text).find(({ cost }) => cost !== false)?.key ?? ".";

function keyAt([x, y]) {
  const { grid } = scene;
  return grid.kinds[grid.cells[y * grid.width + x]].key;
}

// All cells from one to another, both included.
function line([x0, y0], [x1, y1]) {
  const count = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)), cells = [];
  for (let i = 0; i <= count; i++) {
    const part = count === 0 ? 0 : i / count;
    cells.push([Math.round(x0 + (x1 - x0) * part), Math.round(y0 + (y1 - y0) * part)]);
  }
  return cells;
}

// Shown at once, whatever the script is at; one that goes on is told, not begun anew.
function paint(cells, key) {
  const { grid } = scene;
  const edits = script.paint(editor.text, cells.map(([x, y]) => ({ x, y, key })));
  if (edits === null) return note("This script draws no map that one could paint on");
  if (edits.length === 0) return undefined;
  let kind = grid.kinds.findIndex((one) => one.key === key);
  if (kind < 0) kind = grid.kinds.push(script.grounds(editor.text).find((one) => one.key === key)) - 1;
  for (const [x, y] of cells) grid.cells[y * grid.width + x] = kind;
  grid.edits = (grid.edits ?? 0) + 1;
  show();
  editor.edit(edits);
  share.keep(editor.text);
  if (!runner.isLive) return run();
  return runner.ask("paint", cells.map(([x, y]) => `${x + grid.x0} ${y + grid.y0} ${key}`).join("\n"));
}

function putEnd(which, [x, y]) {
  const { x0, y0 } = scene.grid;
  return edit(script.moveEnd(editor.text, which, x + x0, y + y0), "This script names no start and goal that one could move");
}

function putLink([x0, y0], [x1, y1]) {
  const { grid } = scene;
  linking = null;
  if (x0 === x1 && y0 === y1) return show();
  const edits = script.toggleLink(editor.text, x0 + grid.x0, y0 + grid.y0, x1 + grid.x0, y1 + grid.y0);
  return edit(edits, "This script draws no map to link");
}

function putFence(cell, place, view) {
  const { grid } = scene, { name, across, opposite } = view.board.sideAt(cell, ...place);
  const others = across ? [[across[0] + grid.x0, across[1] + grid.y0, opposite]] : [];
  const edits = script.toggleWall(editor.text, cell[0] + grid.x0, cell[1] + grid.y0, name, others);
  return edit(edits, "This script draws no map to fence");
}

const same = (a, b) => a && b && a[0] === b[0] && a[1] === b[1];

function events(view) {
  return {
    isScrolling: (cell) => brush === "scroll" && !(same(cell, ends().start) || same(cell, ends().goal)),
    press(cell, place) {
      const { start, goal } = ends();
      cursor = cell;
      if (brush === "order") return runner.ask("click", `${cell[0] + scene.grid.x0} ${cell[1] + scene.grid.y0}`);
      if (brush === "link") return void ((drag = { link: cell }), (linking = null));
      if (brush === "fence") return putFence(cell, place, view);
      if (same(cell, goal)) return void (drag = { end: "goal", last: cell });
      if (same(cell, start)) return void (drag = { end: "start", last: cell });
      const key = brush.slice("ground ".length);
      const old = keyAt(cell);
      drag = { key: old === key ? floor() : key, last: cell, takeBack: () => paint([cell], old) };
      return paint([cell], drag.key);
    },
    move(cell) {
      if (!drag || same(cell, drag.last)) return;
      cursor = cell;
      if (drag.link) linking = [...drag.link, ...cell], show();
      else if (drag.end) putEnd(drag.end, cell);
      else paint(line(drag.last, cell), drag.key);
      drag.last = cell;
    },
    release(cell) {
      if (drag?.link && cell) putLink(drag.link, cell);
      drag = null;
    },
    lift() {
      cursor = null;
      show();
    },
    cancel() { // what seemed to paint was the first of two fingers
      drag?.takeBack?.();
      drag = linking = null;
    },
    hover(cell) {
      if (drag || same(cell, cursor) || (isFocused && !cell)) return;
      cursor = cell;
      show();
    },
    focus(focused) {
      isFocused = focused;
      if (focused && !cursor && scene) cursor = ends().start ?? [0, 0];
      if (!focused) cursor = null;
      show();
    },
    walk(dx, dy, isPainting) {
      const { width, height } = scene.grid;
      cursor ??= ends().start ?? [0, 0];
      const isOut = ([x, y]) => x < 0 || y < 0 || x >= width || y >= height;
      if (scene.grid.is_world && isOut([cursor[0] + dx, cursor[1] + dy])) {
        cursor = [cursor[0] - dx * 8, cursor[1] - dy * 8];
        runner.ask("camera", `${dx * 8} ${dy * 8}`);
      }
      cursor = [Math.min(width - 1, Math.max(0, cursor[0] + dx)), Math.min(height - 1, Math.max(0, cursor[1] + dy))];
      if (isPainting && brush.startsWith("ground")) paint([cursor], brush.slice("ground ".length));
      if (linking) linking = [...linking.slice(0, 2), ...cursor];
      view.reveal(cursor);
      show();
    },
    key(key) {
      return pressKey(key, this, view);
    },
  };
}

function pressKey(key, { press, release }, view) {
  cursor ??= ends().start ?? [0, 0];
  const list = brushes(editor.text, { isClickable, isWorld: scene.grid.is_world });
  if (key === " " || key === "Enter") {
    if (brush === "link" && linking) putLink(linking.slice(0, 2), cursor);
    else if (brush === "link") linking = [...cursor, ...cursor];
    else if (press(cursor, view.board.center(...cursor).map((at, i) => at + (i ? 0 : 0.4))), drag) release(cursor);
  } else if (key === "s" || key === "g") putEnd(key === "s" ? "start" : "goal", cursor);
  else if (key === "n") find("step").click();
  else if (key === "p") find("play").click();
  else if (key === "0") panes.forEach((pane) => (pane.view.fit(), pane.view.draw()));
  else if (list[key - 1]) chooseBrush(list[key - 1].name);
  else return false;
  return true;
}

// What has come into sight of a world is made; one question at a time.
async function lookOn(view) {
  if (!scene?.grid.is_world || view.isLooking) return;
  const [dx, dy] = view.away();
  if (Math.max(Math.abs(dx), Math.abs(dy)) < 3) return;
  view.isLooking = true;
  await runner.ask("camera", `${dx} ${dy}`);
  view.isLooking = false;
  lookOn(view);
}

for (const { canvas, view } of panes) {
  view.onScrolled = () => lookOn(view);
  listen(canvas, view, events(view));
  new ResizeObserver(() => (view.fit(), view.draw())).observe(canvas);
}
onColorsChanged(() => (showControls(), show()));

// ---- buttons ----

for (const [name, { title }] of Object.entries(PRESETS)) find("preset").append(new Option(title, name));
find("preset").value = "country";
find("preset").addEventListener("change", () => chooseMap(preset(find("preset").value, seed)));
find("again").addEventListener("click", () => chooseMap(preset(find("preset").value || "country", ++seed)));
find("run").addEventListener("click", run);
find("stop").addEventListener("click", () => {
  runner.stop();
  find("stop").hidden = true;
});
find("back").addEventListener("click", () => {
  const text = mine;
  mine = null;
  load(text);
  isTyped = true;
});
find("restart").addEventListener("click", run);
find("step").addEventListener("click", () => runner.ask("step", 1));
find("step10").addEventListener("click", () => runner.ask("step", 10));
find("finish").addEventListener("click", () => runner.ask("step", 100000000));
find("play").addEventListener("click", () => {
  if (runner.playing > 0) runner.playing = 0;
  else runner.play(Math.max(1, Math.round(scene.grid.cells.length / 2000)));
  find("play").textContent = runner.playing > 0 ? "Pause" : "Play";
});
find("share").addEventListener("click", async () => {
  const link = await share.link(editor.text);
  const length = link.length.toLocaleString("en");
  if (link.length > share.MOST_LINK) return note(`The link would have ${length} characters, more than addresses bear`);
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    note("The link is copied; the address bar has it, too");
  } catch {
    note("The address bar has the link");
  }
});
find("open").addEventListener("click", () => find("file").click());
find("file").addEventListener("change", async () => {
  const [file] = find("file").files;
  find("file").value = "";
  if (!file) return;
  try {
    if (file.size > 4e6) throw new Error(`${file.name} is larger than any map that this page takes`);
    const opened = chooseMap(parseMap(await file.text()));
    find("preset").value = "";
    await opened;
  } catch (problem) {
    note(problem.message);
  }
});

// ---- beginning ----

async function begin() {
  const text = (await share.scriptOf(location.hash)) ?? share.kept();
  const first = script.head(preset("country", seed)) + TASKS.path.script;
  isTyped = false;
  if (text !== null) find("preset").value = "";
  if (globalThis.astarWorker) engine.start(globalThis.astarWorker);
  else addEventListener("astar-worker", () => engine.start(globalThis.astarWorker), { once: true });
  await load(text ?? first);
}

addEventListener("hashchange", async () => {
  const text = await share.scriptOf(location.hash);
  if (text !== null && text !== editor.text) load(text);
});

// For tests, and for the curious.
const views = panes.map((pane) => pane.view);
globalThis.playground = { editor, engine, runner, run, load, views, scene: () => scene, began: begin() };
