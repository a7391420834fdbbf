// showing.js -- what the page shows: maps, controls, what a script printed, what came of it.

import { colors, css } from "./colors.js";
import { brushes, showBrushes, showOptions, showTasks, taskOf } from "./controls.js";
import { decode } from "./decode.js";
import { find, page, panes } from "./page.js";
import * as script from "./script.js";
import { TASKS } from "./tasks.js";
import { tell, tellCell, tellNode, tellSearch, tellStuck, trailOf } from "./telling.js";

export function ends() {
  const found = script.findEnds(page.editor.text);
  if (!found || !page.scene) return {};
  const { x0, y0, width, height } = page.scene.grid;
  const inside = ([x, y]) => (x >= x0 && y >= y0 && x < x0 + width && y < y0 + height ? [x - x0, y - y0] : null);
  return { start: inside(found.start), goal: inside(found.goal) };
}

export function show() {
  if (!page.scene) return;
  const isTwo = page.scene.searches.length > 1, { width, height } = page.scene.grid;
  if (page.cursor && (page.cursor[0] >= width || page.cursor[1] >= height)) page.cursor = null; // the map before was larger
  find("maps").classList.toggle("two", isTwo);
  document.querySelector("main").classList.toggle("has-two", isTwo);
  panes[1].figure.hidden = !isTwo;
  const { start, goal } = ends(), last = page.scene.routes.at(-1)?.cells;
  const common = {
    grid: page.scene.grid, crowd: page.scene.crowd, walkers: page.scene.walkers, flow: page.scene.crowd ? null : page.scene.flow,
    start: start ?? last?.[0], goal: goal ?? last?.at(-1), cursor: page.cursor, isFocused: page.isFocused, linking: page.linking,
    graph: page.scene.graph, field: page.scene.crowd ? null : page.scene.field, stuck: page.scene.stuck,
    trace: page.trace, part: page.trace?.part,
  };
  panes.forEach(({ view, caption, canvas, card, banner }, i) => {
    const search = page.scene.searches[i];
    const routes = isTwo || page.trace ? [] : [...page.scene.routes];
    if (search?.route) routes.push(search.route);
    caption.textContent = isTwo && search ? tellSearch(search, page.totals?.[i]) : "";
    const trail = page.cursor && !page.drag ? trailOf(page.scene, page.cursor, i) : null;
    if (i === 0 || isTwo) view.show({ ...common, search, routes, trail, size: search?.size ?? routes.at(-1)?.size ?? 1 });
    // Two maps are as high as they need to be, so that no half of a box is empty.
    canvas.style.aspectRatio = isTwo && view.board ? `${view.board.size[0]} / ${view.board.size[1]}` : "";
    showCard(card, view, trail && i === (page.pane ?? 0) ? tellNode(page.scene, page.cursor, i) : null);
    const words = i > 0 ? null : bannerOf();
    banner.hidden = !words;
    banner.textContent = words ?? "";
  });
  showSteps();
  showLegend();
  tellHere();
}

// What stands over the map.
function bannerOf() {
  if (page.scene.isEmpty) return "This script draws no map. What it printed stands below it.";
  if (page.trace) return `A* looks for the way: ${page.trace.cells.filter(({ closed }) => closed <= page.trace.part).length} cells so far`;
  return tellStuck(page.scene) ?? (page.isLanding ? "Paint walls, drag S and G" : null);
}

// The card stands beside its cell, on the side that has room.
function showCard(card, view, words) {
  card.hidden = !words;
  if (!words) return;
  const [px, py] = view.pixel(...page.cursor), [width, height] = view.size, away = view.scale / 2 + 8;
  card.textContent = words;
  card.style.left = px > width / 2 ? "" : `${px + away}px`;
  card.style.right = px > width / 2 ? `${width - px + away}px` : "";
  card.style.top = py > height / 2 ? "" : `${py}px`;
  card.style.bottom = py > height / 2 ? `${height - py}px` : "";
}

// The buttons and the slider of a search.
function showSteps() {
  const { searches } = page.scene, most = Math.max(1, ...(page.totals ?? []).map(({ expanded }) => expanded));
  find("steps").hidden = searches.length === 0;
  if (searches.length === 0) return;
  const at = Math.max(...searches.map(({ expanded }) => expanded));
  find("slider").max = Math.max(most, at);
  if (!page.runner.isAsking) find("slider").value = at;
  find("at").textContent = page.totals ? `${at.toLocaleString("en")} of ${most.toLocaleString("en")}` : at.toLocaleString("en");
}

// Only the keys that do something now.
function keysNow() {
  const { brush, scene } = page, words = ["arrows walk"];
  if (brush === "link") words.push(page.linking ? "space ends the link" : "space begins a link");
  else if (brush === "fence") words.push("space puts a fence on the east side");
  else if (brush === "order") words.push("space sends the units");
  else if (brush?.startsWith("ground")) words.push("space paints, arrows with shift as well");
  if (script.findEnds(page.editor.text)) words.push("S and G put start and goal");
  if (find("tools").children.length > 1) words.push(`1 to ${Math.min(9, find("tools").children.length)} choose a brush`);
  if (scene.searches.length > 0) words.push("N makes a step, P plays");
  return ` · ${words.join(", ")}, + - 0 zoom`;
}

function tellHere() {
  if (!page.scene) return;
  find("status").textContent = tell(page.scene, page.totals);
  find("status").hidden = page.scene.searches.length > 1;
  find("clear").disabled = Boolean(page.scene.grid.is_world || page.scene.grid.isBlank);
  find("hint").classList.toggle("refusal", page.refusal !== null);
  const isByKeys = document.activeElement?.matches("canvas:focus-visible");
  find("hint").textContent = page.refusal ?? (page.cursor ? tellCell(page.scene, page.cursor) + (isByKeys ? keysNow() : "")
    : TASKS[page.shownTask]?.hint ?? "");
}

// What the colours mean, as view.js has them.
function showLegend() {
  const { open, closed, near, far } = colors(), { searches, flow, field, crowd } = page.scene;
  const swatch = (color, words) => {
    const sample = document.createElement("span"), one = document.createElement("span");
    sample.className = "swatch";
    sample.style.background = Array.isArray(color[0]) ? `linear-gradient(90deg, ${color.map((part) => css(part)).join(", ")})` : css(color);
    sample.classList.toggle("wide", Array.isArray(color[0]));
    one.append(sample, ` ${words}`);
    return one;
  };
  const list = [];
  if (searches.length > 0) {
    list.push(swatch(open, "open: found, not looked at yet"), swatch(closed, "closed: looked at"));
    list.push("g cost so far, h estimate of the rest, f = g + h");
  } else if (flow && !crowd) list.push(swatch([near, far], "near to far"));
  else if (field && !crowd) list.push(swatch(near, "values above 0"), ...(field.least < 0 ? [swatch(far, "values below 0")] : []));
  const words = list.map((one) => one.textContent ?? one).join();
  const isDark = colors().back;
  if (find("legend").dataset.words !== words + isDark) find("legend").replaceChildren(...list);
  find("legend").dataset.words = words + isDark;
  find("legend").hidden = list.length === 0;
}

export function currentTask() {
  return taskOf(script.split(page.editor.text)?.task) ?? taskOf(page.editor.text);
}

export function showControls() {
  const text = page.editor.text, task = currentTask();
  const isHex = page.scene?.grid.shape === "hex";
  showTasks(find("tasks"), task, isHex, page.choose.task);
  showOptions(find("options"), panes.map(({ panel }) => panel), page.scene?.grid.is_world || page.scene?.grid.isBlank ? "" : text, isHex,
    page.reasons, page.choose.option);
  const isWorld = Boolean(page.scene?.grid.is_world), isBlank = Boolean(page.scene?.grid.isBlank);
  const list = brushes(text, { isClickable: page.isClickable, isWorld: isWorld || isBlank });
  if (page.wasWorld && !isWorld && !isBlank) page.brush = null;
  page.wasWorld = isWorld || isBlank;
  if (!list.some(({ name }) => name === page.brush)) page.brush = list.find(({ cost }) => cost === false)?.name ?? list[0].name;
  showBrushes(find("tools"), list, page.brush, page.choose.brush);
  page.shownTask = task;
  find("back").hidden = !page.mine.some((one) => one !== text);
}

// Stop is there at all times, so that nothing moves as it can be pressed.
function enableStop(isEnabled) {
  clearTimeout(page.stopDue);
  if (find("stop").disabled === isEnabled) find("stop").disabled = !isEnabled;
}

export function showStop() {
  enableStop(Boolean(page.runner.isLive || page.runner.isRunning || page.runner.playing > 0));
}

export function note(text) {
  find("note").textContent = text;
}

// Why the map is not edited, reported below it until the next attempt.
export function refuse(text) {
  page.refusal = text;
  tellHere();
}

function showOutput({ output, problem }) {
  const element = find("output");
  element.replaceChildren(output ?? "");
  page.editor.showError(problem);
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
      page.editor.goTo(problem.line);
    });
    told.prepend(link);
  }
  element.append(told);
  element.scrollTop = element.scrollHeight;
}

// How many expansions the searches make to their end, for the slider, and how long that takes.
async function countSearches() {
  const text = page.editor.text, { state } = await page.runner.reply("totals");
  if (page.editor.text !== text || !state.totals) return;
  page.totals = state.totals;
  show();
}

const emptyGrid = () => ({ x0: 1, y0: 1, width: 24, height: 16, shape: "square", kinds: [{ key: " ", cost: 1 }], cells: new Uint8Array(24 * 16),
  blocks: [], links: [], walls: [], isBlank: true });

export function take(answer, isNew) {
  const { state } = answer;
  showOutput(state);
  const next = decode(answer, isNew ? null : page.scene);
  const none = { routes: [], searches: [], flow: null, crowd: null, walkers: [], field: null, graph: null, stuck: null };
  if (next) {
    const before = page.scene?.grid;
    if (page.cursor && before?.is_world && next.grid.is_world) { // the cursor stays on its cell as the window moves
      page.cursor = [page.cursor[0] + before.x0 - next.grid.x0, page.cursor[1] + before.y0 - next.grid.y0];
    }
    page.scene = next;
  } else if (isNew && page.scene && state.problem) page.scene = { ...page.scene, ...none };
  else if (isNew) page.scene = { ...none, grid: emptyGrid(), isEmpty: true };
  enableStop(page.runner.playing > 0 || page.runner.isLive);
  if (page.scene?.searches.every(({ status }) => status !== "running")) page.runner.playing = 0;
  find("play").textContent = page.runner.playing > 0 ? "Pause" : "Play";
  if (isNew) {
    if (Boolean(state.clickable) !== page.isClickable) {
      page.isClickable = Boolean(state.clickable);
      if (page.isClickable) [page.brushBefore, page.brush] = [page.brush, "order"];
      else if (page.brush === "order") page.brush = page.brushBefore;
    }
    showControls();
    page.refusal = null;
    note(page.afterRun ?? "");
    page.afterRun = null;
    page.choose.probe();
    if (page.scene?.searches.length > 0) countSearches();
  }
  show();
}
