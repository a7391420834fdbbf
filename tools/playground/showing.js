// showing.js -- what the page shows: maps, controls, what a script printed, what came of it.

import { between, colors, css, ground } from "./colors.js";
import { brushes, showBrushes, showOptions, showTasks, taskOf } from "./controls.js";
import { decode } from "./decode.js";
import { find, page, panes } from "./page.js";
import * as script from "./script.js";
import { TASKS } from "./tasks.js";
import { tell, tellCell, tellSearch } from "./telling.js";

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
  panes[1].figure.hidden = !isTwo;
  const { start, goal } = ends(), last = page.scene.routes.at(-1)?.cells;
  const common = {
    grid: page.scene.grid, crowd: page.scene.crowd, walkers: page.scene.walkers, flow: page.scene.crowd ? null : page.scene.flow,
    start: start ?? last?.[0], goal: goal ?? last?.at(-1), cursor: page.cursor, isFocused: page.isFocused, linking: page.linking,
  };
  panes.forEach(({ view, caption }, i) => {
    const search = page.scene.searches[i];
    const routes = isTwo ? [] : [...page.scene.routes];
    if (search?.route) routes.push(search.route);
    caption.textContent = isTwo && search ? `${["Left", "Right"][i]}: ${tellSearch(search)}` : "";
    if (i === 0 || isTwo) view.show({ ...common, search, routes, size: search?.size ?? routes.at(-1)?.size ?? 1 });
  });
  find("steps").hidden = page.scene.searches.length === 0;
  tellHere();
}

const KEYS = " · arrows walk, space paints, S and G put the ends, 1 to 9 choose a brush, N steps, P plays, + - 0 zoom";

function tellHere() {
  if (!page.scene) return;
  find("status").textContent = tell(page.scene);
  find("hint").classList.toggle("refusal", page.refusal !== null);
  const isByKeys = document.activeElement?.matches("canvas:focus-visible");
  find("hint").textContent = page.refusal ?? (page.cursor ? tellCell(page.scene, page.cursor) + (isByKeys ? KEYS : "")
    : TASKS[page.shownTask]?.hint ?? "");
}

// As view.js tints them.
function showLegend() {
  const { open, closed } = colors(), floor = ground({ key: ".", cost: 1 });
  find("is-open").style.background = css(between(floor, open, 0.5));
  find("is-closed").style.background = css(between(floor, closed, 0.5));
}

export function currentTask() {
  return taskOf(script.split(page.editor.text)?.task) ?? taskOf(page.editor.text);
}

export function showControls() {
  const text = page.editor.text, task = currentTask();
  const isHex = page.scene?.grid.shape === "hex";
  showTasks(find("tasks"), task, isHex, page.choose.task);
  showOptions(find("options"), page.scene?.grid.is_world ? "" : text, isHex, page.choose.option);
  const isWorld = Boolean(page.scene?.grid.is_world), list = brushes(text, { isClickable: page.isClickable, isWorld });
  if (page.wasWorld && !isWorld) page.brush = null;
  page.wasWorld = isWorld;
  if (!list.some(({ name }) => name === page.brush)) page.brush = list.find(({ cost }) => cost === false)?.name ?? list[0].name;
  showBrushes(find("tools"), list, page.brush, page.choose.brush);
  showLegend();
  page.shownTask = task;
  find("back").hidden = !page.mine.some((one) => one !== text);
}

export function note(text) {
  find("note").textContent = text;
}

// Why the map is not edited, told below it until the next attempt.
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

export function take(answer, isNew) {
  const { state } = answer;
  showOutput(state);
  const next = decode(answer, isNew ? null : page.scene);
  if (next) page.scene = next;
  else if (isNew && page.scene) page.scene = { ...page.scene, routes: [], searches: [], flow: null, crowd: null, walkers: [] };
  find("stop").hidden = !page.runner.isLive && page.runner.playing === 0;
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
    note("");
  }
  show();
}
