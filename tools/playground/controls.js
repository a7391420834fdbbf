// controls.js -- the rows of buttons around the map: what to do, how the finder goes about it, what to paint with.

import { css, ground } from "./colors.js";
import { findOptions, grounds, readOption } from "./script.js";
import { TASKS } from "./tasks.js";

function button(text, isPressed, onClick, title) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.setAttribute("aria-pressed", String(isPressed));
  if (title) element.title = title;
  element.addEventListener("click", onClick);
  return element;
}

// Values: as the script has them, or with the words that are shown.
function select(label, values, value, onChange) {
  const field = document.createElement("label"), element = document.createElement("select");
  field.className = "field";
  field.append(label + " ", element);
  const words = Array.isArray(values) ? Object.fromEntries(values.map((one) => [one, one])) : values;
  for (const one of Object.keys({ ...words, [value]: 0 })) element.append(new Option(words[one] ?? one, one));
  element.value = value;
  element.addEventListener("change", () => onChange(element.value));
  return field;
}

// Which task the script is, its finders' options aside; null where it is one's own.
export function taskOf(task) {
  const plain = (text) => text.replace(/:finder\s*\{[^}]*\}/g, ":finder {}").trim();
  return Object.keys(TASKS).find((name) => plain(TASKS[name].script) === plain(task ?? "")) ?? null;
}

export function showTasks(bar, chosen, isHex, onChosen) {
  bar.replaceChildren(...Object.entries(TASKS).map(([name, task]) => {
    const isOut = isHex && task.isOfSquares;
    const element = button(task.title, name === chosen, () => onChosen(name), isOut ? "Not on hexagons" : task.hint);
    element.disabled = isOut;
    return element;
  }));
}

const DIAGONALS = {
  only_when_no_obstacles: "past no corner", if_at_most_one_obstacle: "past one corner", always: "always", never: "never",
};
// What is asked of routes alone: label, option, the words of its values, how the script has one.
const OF_ROUTES = [
  ["Heuristic", "heuristic", Object.fromEntries(["default", "octile", "manhattan", "euclidean", "chebyshev", "zero"].map((one) => [one, one])),
    (value) => `"${value}"`],
  ["Turns", "bends", { any: "any", fewer: "fewer", fewest: "fewest" }, (value) => `"${value}"`],
  ["Any angle", "any_angle", { false: "no", true: "yes" }, String],
  ["Arrive within", "range", { 0: "0", 1: "1", 3: "3" }, String],
  ["No way", "partial", { false: "nil and why", true: "come near" }, String],
];
let isMore = false; // whether those are shown
const NAMES = { ",": "Grass", "^": "Hills", "~": "Water" };
const QUOTED = (value) => value.replaceAll('"', "");

// The first two finders' algorithms, and what else is the same for both.
export function showOptions(bar, text, isHex, onChosen) {
  const count = [0, 1].filter((n) => findOptions(text, n)).length;
  const of = (n, name, otherwise) => QUOTED(readOption(text, n, name) ?? otherwise);
  const algorithms = isHex ? ["auto", "astar", "dijkstra"] : ["auto", "astar", "dijkstra", "jps", "jpsw"];
  const fields = [];
  for (let n = 0; n < count; n++) {
    fields.push(select(count > 1 ? ["Left", "Right"][n] : "Algorithm", algorithms, of(n, "algorithm", "auto"),
      (value) => onChosen([n], "algorithm", value === "auto" ? null : `"${value}"`)));
  }
  const all = [...Array(count).keys()];
  const add = (label, name, values, otherwise, write) => fields.push(select(label, values, of(0, name, otherwise),
    (value) => onChosen(all, name, value === otherwise ? null : write(value))));
  if (count > 0 && !isHex) {
    add("Diagonals", "diagonals", DIAGONALS, "only_when_no_obstacles", (value) => `"${value}"`);
    add("Size", "size", ["1", "2", "3"], "1", String);
  }
  if (count > 0) add("Weight", "weight", ["1", "1.5", "3", "10", "1000"], "1", String);
  const more = count > 0 && /:(find_path|search)\(/.test(text)
    ? OF_ROUTES.filter(([, name]) => !isHex || !["heuristic", "any_angle"].includes(name)) : [];
  const isChosen = more.some(([, name]) => readOption(text, 0, name) !== null);
  if (isMore || isChosen) for (const [label, name, values, write] of more) add(label, name, values, Object.keys(values)[0], write);
  bar.replaceChildren(...fields);
  if (more.length > 0 && !isChosen) bar.append(button("More", isMore, () => {
    isMore = !isMore;
    showOptions(bar, text, isHex, onChosen);
  }, "Heuristic, turns, any angle and so on"));
}

// The brushes: each kind of ground, then what is no ground.
export function brushes(text, { isClickable, isWorld }) {
  if (isWorld) return [{ name: "scroll", title: "Move map", help: "Drag the map, or S and G" }];
  const list = grounds(text).map((kind) => ({ ...kind, name: `ground ${kind.key}`,
    title: kind.cost === false ? "Wall" : kind.cost === 1 ? "Floor" : `${NAMES[kind.key] ?? `"${kind.key}"`} ${kind.cost}` }));
  list.push({ name: "link", title: "Link", help: "From one cell to another: stairs, a portal" });
  list.push({ name: "fence", title: "Fence", help: "A thin wall on the side of a cell" });
  list.push({ name: "scroll", title: "Move map", help: "Drag the map; wheel or two fingers make it larger" });
  if (isClickable) list.unshift({ name: "order", title: "Order", help: "Click where they are to go" });
  return list;
}

export function showBrushes(bar, list, chosen, onChosen) {
  bar.replaceChildren(...list.map((brush, i) => {
    const help = `${brush.help ?? `Paint "${brush.key}"`} (${i + 1})`;
    const element = button(brush.title, brush.name === chosen, () => onChosen(brush.name), help);
    if (brush.key !== undefined) {
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = css(ground(brush));
      element.prepend(swatch);
    }
    return element;
  }));
}
