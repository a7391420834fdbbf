// controls.js -- the rows of buttons around the map: what to do, how the finder goes about it, what to paint with.

import { css, ground } from "./colors.js";
import { chosen, findOptions, grounds, readOption } from "./script.js";
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

// `words` are what is shown, by value; `reasonOf` returns why a value cannot be chosen now. Such a value is disabled, and says why.
function select(label, words, value, onChange, reasonOf) {
  const field = document.createElement("label"), element = document.createElement("select");
  field.className = "field";
  field.append(label + " ", element);
  for (const one of Object.keys({ ...words, [value]: 0 })) {
    const reason = one === value ? null : reasonOf(one), option = new Option((words[one] ?? one) + (reason ? ` (${reason})` : ""), one);
    option.disabled = Boolean(reason);
    if (reason) option.title = reason;
    element.append(option);
  }
  element.value = value;
  element.addEventListener("change", () => onChange(element.value));
  const refused = [...element.options].filter((option) => option.disabled);
  if (refused.length > 0) field.title = refused.map((option) => option.text).join("\n");
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
  const pressed = bar.querySelector('[aria-pressed="true"]');
  if (pressed && bar.scrollWidth > bar.clientWidth) { // a row too long for the window is scrolled to what is chosen
    const middle = pressed.offsetLeft - bar.offsetLeft + pressed.offsetWidth / 2;
    if (middle < bar.scrollLeft + 40 || middle > bar.scrollLeft + bar.clientWidth - 40) bar.scrollLeft = middle - bar.clientWidth / 2;
  }
}

const same = (list) => Object.fromEntries(list.map((one) => [one, one]));
const DIAGONALS = {
  only_when_no_obstacles: "not past corners", if_at_most_one_obstacle: "past one corner", always: "always", never: "never",
};
const quoted = (value) => `"${value}"`;

// Of each option: its label, its values and their words with the default first, how the script has a value. `of` is what has it: each
// finder by itself, or all of them.
const OPTIONS = [
  { name: "algorithm", label: "Algorithm", words: same(["auto", "astar", "dijkstra", "jps", "jpsw"]), write: quoted, isEach: true },
  { name: "diagonals", label: "Diagonals", words: DIAGONALS, write: quoted, isOfSquares: true },
  { name: "size", label: "Unit size", words: { 1: "1 × 1", 2: "2 × 2", 3: "3 × 3" }, write: String, isOfSquares: true },
  { name: "weight", label: "Weight", words: same(["1", "1.5", "3", "10", "1000"]), write: String, isEach: true },
  { name: "heuristic", label: "Heuristic", words: same(["default", "octile", "manhattan", "euclidean", "chebyshev", "zero"]), write: quoted,
    isEach: true, isOfSquares: true, isOfRoutes: true },
  { name: "bends", label: "Turns", words: same(["any", "fewer", "fewest"]), write: quoted, isOfRoutes: true },
  { name: "any_angle", label: "Any angle", words: { false: "no", true: "yes" }, write: String, isOfSquares: true, isOfRoutes: true },
  { name: "range", label: "Stop short of G by", words: { 0: "0 cells", 1: "1 cell", 3: "3 cells" }, write: String, isOfRoutes: true },
  { name: "partial", label: "If there is no way", words: { false: "say why", true: "go near" }, write: String, isOfRoutes: true },
];
let isMore = false; // whether the options of routes are shown
const NAMES = { ",": "Grass", "^": "Hills", "~": "Water" };
const unquoted = (value) => value.replaceAll('"', "");

export const isOfRoutes = (text) => /:(find_path|search)\(/.test(text);

// The options that the finders of the script can have, each with the indices of those finders.
function optionsOf(text, isHex) {
  const all = [0, 1].filter((n) => findOptions(text, n));
  const list = all.length === 0 ? [] : OPTIONS.filter((one) => (!isHex || !one.isOfSquares) && (!one.isOfRoutes || isOfRoutes(text)));
  return list.flatMap((one) => {
    const words = isHex && one.name === "algorithm" ? same(["auto", "astar", "dijkstra"]) : one.words;
    return (one.isEach ? all.map((n) => [n]) : [all]).map((finders) => ({ ...one, words, finders, otherwise: Object.keys(words)[0] }));
  });
}

const valueOf = (text, { name, finders, otherwise }) => unquoted(readOption(text, finders[0], name) ?? otherwise);
const written = ({ otherwise, write }, value) => (value === otherwise ? null : write(value));

// What each value of each option would make of the finders' tables: { key, table }. The page has them tried on the map.
export function candidates(text, isHex) {
  return optionsOf(text, isHex).flatMap((option) => Object.keys(option.words).filter((value) => value !== valueOf(text, option))
    .flatMap((value) => option.finders.map((n) => {
      const edited = chosen(text, n, option.name, written(option, value)), table = findOptions(edited, n);
      const inside = table && !table.isEmpty ? edited.slice(table.from, table.to) : "{}";
      return { key: `${n} ${option.name} ${value}`, name: option.name, table: inside.replace(/--.*$/gm, "").replace(/\s+/g, " ") };
    })));
}

// In a player's words, which choice an error of astar is about.
const WHATS = {
  weight: "a weight above 1", range: "a distance from G", "this heuristic": "this heuristic", "this rule of diagonals": "this rule of diagonals",
  "ground of several costs": "ground of several costs", "links and walls": "links or fences", bends: "this choice of turns", partial: "going near",
};

export function wordReason(name, problem) {
  const [, subject, what] = /^(?:[^\s:]*:\d+: )?(.*?) cannot honour (.*)$/.exec(problem) ?? [];
  if (!subject) return problem.replace(/^[^\s:]*:\d+: /, "");
  const isMine = subject.startsWith(name);
  return `not with ${isMine ? WHATS[what] ?? what : subject.replace("any_angle", "any angle").replaceAll('"', "")}`;
}

// The row of options, and with two finders a panel of its own below the map of each.
export function showOptions(bar, panels, text, isHex, reasons, onChosen) {
  const list = optionsOf(text, isHex), count = [0, 1].filter((n) => findOptions(text, n)).length;
  const field = (option) => select(option.label, option.words, valueOf(text, option),
    (value) => {
      isMore ||= Boolean(option.isOfRoutes) && !isOwn(option); // so that a field that is set back stays
      onChosen(option.finders, option.name, written(option, value));
    },
    (value) => option.finders.map((n) => reasons.get(`${n} ${option.name} ${value}`)).find(Boolean) ?? null);
  const isOwn = (option) => count > 1 && option.isEach;
  const isOfUse = ({ name, finders }) => !["weight", "heuristic"].includes(name) || // Dijkstra's algorithm estimates nothing
    unquoted(readOption(text, finders[0], "algorithm") ?? "auto") !== "dijkstra";
  const isChosen = ({ name, finders }) => readOption(text, finders[0], name) !== null;
  const common = list.filter((option) => !isOwn(option) && isOfUse(option));
  bar.replaceChildren(...common.filter((option) => !option.isOfRoutes || isMore || isChosen(option)).map(field));
  panels.forEach((panel, n) => panel.replaceChildren(...list.filter((option) => isOwn(option) && isOfUse(option) && option.finders[0] === n).map(field)));
  if (common.some((option) => option.isOfRoutes)) {
    bar.append(button(isMore ? "Fewer options" : "More options", isMore, () => {
      isMore = !isMore;
      showOptions(bar, panels, text, isHex, reasons, onChosen);
    }, "Heuristic, turns, any angle and so on"));
  }
}

// The brushes: each kind of ground, then what is no ground.
export function brushes(text, { isClickable, isWorld }) {
  if (isWorld) return [{ name: "scroll", title: "Move map", help: "Drag the map; on a world S and G as well" }];
  const list = grounds(text).map((kind) => ({ ...kind, name: `ground ${kind.key}`,
    title: kind.cost === false ? "Wall" : kind.cost === 1 ? "Floor" : `${NAMES[kind.key] ?? `"${kind.key}"`} ${kind.cost}` }));
  list.push({ name: "link", title: "Link", help: "From one cell to another: stairs, a portal" });
  list.push({ name: "fence", title: "Fence", help: "A thin wall on the side of a cell" });
  list.push({ name: "scroll", title: "Move map", help: "Drag the map; wheel or two fingers make it larger" });
  if (isClickable) list.unshift({ name: "order", title: "Order", help: "Click where the units are to go" });
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
