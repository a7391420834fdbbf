// script.js -- the script is what is kept: painting, dragging and choosing are edits of its text. Here is where they
// stand in it. Each edit is a list of { from, to, insert }, in order, for an editor that keeps what it can undo.

// ---- finding ----

// Where a bracket that opens at 'at' closes, strings and comments passed over; -1 where it does not.
export function closing(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const char = text[i];
    if (char === '"' || char === "'") {
      for (i++; i < text.length && text[i] !== char; i++) if (text[i] === "\\") i++;
    } else if (char === "[" && /^\[=*\[/.test(text.slice(i, i + 9))) {
      const level = text.slice(i + 1).match(/^=*/)[0];
      i = text.indexOf("]" + level + "]", i);
      if (i < 0) return -1;
      i += level.length + 1;
    } else if (text.startsWith("--", i)) {
      i = (text.indexOf("\n", i) + 1 || text.length + 1) - 1;
    } else if ("([{".includes(char)) {
      depth++;
    } else if (")]}".includes(char) && --depth === 0) {
      return i;
    }
  }
  return -1;
}

// The first map that is drawn in the text: its rows, where they begin, its name, where its call and its line end.
export function findDrawing(text) {
  const call = /astar\.grid\s*(\(?)\s*\[(=*)\[(\r?\n)?/.exec(text);
  if (!call) return null;
  const from = call.index + call[0].length;
  const to = text.indexOf("]" + call[2] + "]", from);
  if (to < 0) return null;
  const lines = text.slice(from, to).split("\n");
  let margin = 0;
  if (lines.length > 1 && /^ *$/.test(lines.at(-1))) margin = lines.pop().length;
  const starts = [];
  let start = from;
  for (const line of lines) {
    starts.push(start + margin);
    start += line.length + 1;
  }
  const bracket = call.index + call[0].indexOf("(");
  const end = call[1] ? closing(text, bracket) + 1 : to + call[2].length + 2;
  const lineEnd = text.indexOf("\n", end);
  return {
    rows: lines.map((line) => line.slice(margin)), starts, from, to, end, margin,
    name: /local\s+([\w]+)\s*=\s*$/.exec(text.slice(0, call.index))?.[1] ?? null,
    next: lineEnd < 0 ? text.length : lineEnd + 1,
    hasOptions: call[1] === "(",
  };
}

const NUMBER = "[ \\t]*(-?\\d+)[ \\t]*";
const FOUR = [NUMBER, NUMBER, NUMBER, NUMBER].join(",");
const ENDS = [
  new RegExp(`local\\s+sx\\s*,\\s*sy\\s*,\\s*gx\\s*,\\s*gy\\s*=${FOUR}`, "d"),
  new RegExp(`:(?:find_path|search|await|raycast|reachable)\\(${FOUR}`, "d"),
];

// The first map that is made by its size alone: its name, and where the next line begins.
function findMade(text) {
  const call = /local[ \t]+(\w+)[ \t]*=[ \t]*astar\.grid[ \t]*\(\s*[\w.]+\s*,/.exec(text);
  const end = call ? closing(text, text.indexOf("(", call.index)) : -1;
  return end < 0 ? null : { name: call[1], next: text.indexOf("\n", end) + 1 || text.length };
}

// The start and the goal that the script names first: their numbers, and where those stand.
export function findEnds(text) {
  for (const pattern of ENDS) {
    const match = pattern.exec(text);
    if (match) {
      const numbers = [1, 2, 3, 4].map((i) => Number(match[i]));
      return { start: numbers.slice(0, 2), goal: numbers.slice(2), ranges: match.indices.slice(1, 5),
        isHead: pattern === ENDS[0], end: match.index + match[0].length };
    }
  }
  return null;
}

// The links or walls that stand in lines of their own.
function findCalls(text, name, method, count) {
  const numbers = Array(count).fill("(-?\\d+)").join(",\\s*");
  const pattern = new RegExp(`^[ \\t]*${name}:${method}\\(${numbers}(.*)\\)[ \\t]*(--.*)?(\\n|$)`, "gm");
  return [...text.matchAll(pattern)].map((match) => ({
    from: match.index, to: match.index + match[0].length, numbers: match.slice(1, count + 1).map(Number), rest: match[count + 1],
  }));
}

// The options of a grid's find_path: its fifth argument, or where that would stand.
function findArgument(text) {
  const call = /:find_path\s*\(/.exec(text);
  const from = call ? call.index + call[0].length : -1, end = call ? closing(text, from - 1) : -1;
  if (end < 0) return null;
  const table = text.slice(from, end).indexOf("{");
  if (table >= 0) return { from: from + table, to: closing(text, from + table) + 1 };
  return text.slice(from, end).split(",").length === 4 ? { from: end, to: end, isEmpty: true, lead: "," } : null;
}

// The table of options of the n-th finder, counted from 0; of a script that makes none, those of its first find_path.
export function findOptions(text, n) {
  const calls = [...text.matchAll(/:finder\s*(\(\s*\)|\(?\s*\{)/g)];
  const call = calls[n];
  if (!call) return n === 0 && !/:finder\b/.test(text) ? findArgument(text) : null;
  const at = call.index + call[0].length;
  if (call[1].endsWith(")")) return { from: call.index + ":finder".length, to: at, isEmpty: true };
  return { from: at - 1, to: closing(text, at - 1) + 1 };
}

function findOption(text, table, name) {
  const pattern = new RegExp(`[{,;\\s]${name}\\s*=\\s*("[^"]*"|[\\w.]+)`, "d");
  const match = pattern.exec(text.slice(table.from, table.to));
  if (!match) return null;
  const [from, to] = match.indices[1];
  return { from: table.from + from, to: table.from + to, whole: table.from + match.index + 1, value: match[1] };
}

export function readOption(text, n, name) {
  const table = findOptions(text, n);
  return (table && !table.isEmpty && findOption(text, table, name)?.value) || null;
}

// ---- editing ----

export function apply(text, edits) {
  let result = "", at = 0;
  for (const { from, to, insert } of edits) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

// Where there is no drawing, cells are set by lines below the one that makes the map.
function paintLines(text, cells, floor, x0, y0) {
  const made = findMade(text);
  if (!made) return null;
  const there = findCalls(text, made.name, "set", 2).filter(({ rest }) => /^,\s*"."$/.test(rest)), edits = [];
  for (const { x, y, key } of cells) {
    const line = key === floor ? "" : `${made.name}:set(${x + x0}, ${y + y0}, "${key}")\n`;
    const old = there.find(({ numbers }) => numbers[0] === x + x0 && numbers[1] === y + y0);
    if (old) edits.push({ from: old.from, to: old.to, insert: line });
    else if (line) edits.push({ from: made.next, to: made.next, insert: text[made.next - 1] === "\n" ? line : "\n" + line });
  }
  return edits.sort((a, b) => a.from - b.from);
}

// Cells: a list of { x, y, key }, counted from 0; (x0, y0) is the map's first one as scripts count them.
export function paint(text, cells, floor, x0, y0) {
  const drawing = findDrawing(text);
  if (!drawing) return paintLines(text, cells, floor, x0, y0);
  const places = new Map();
  for (const { x, y, key } of cells) {
    if (drawing.rows[y]?.[x] !== undefined && drawing.rows[y][x] !== key) places.set(drawing.starts[y] + x, key);
  }
  return [...places].sort((a, b) => a[0] - b[0]).map(([from, insert]) => ({ from, to: from + 1, insert }));
}

export function moveEnd(text, which, x, y) {
  const ends = findEnds(text);
  if (!ends) return null;
  const ranges = which === "start" ? ends.ranges.slice(0, 2) : ends.ranges.slice(2);
  return ranges.map(([from, to], i) => ({ from, to, insert: String([x, y][i]) }));
}

// Sets an option of the n-th finder, or takes it away.
export function setOption(text, n, name, value) {
  const table = findOptions(text, n);
  if (!table) return null;
  if (table.isEmpty) {
    return value === null ? [] : [{ from: table.from, to: table.to, insert: `${table.lead ?? ""} { ${name} = ${value} }` }];
  }
  const option = findOption(text, table, name);
  if (option && value !== null) return [{ from: option.from, to: option.to, insert: value }];
  if (option) {
    const rest = text.slice(option.to, table.to);
    const comma = /^\s*,\s*/.exec(rest);
    if (comma) return [{ from: option.whole, to: option.to + comma[0].length, insert: "" }];
    const before = /,?\s*$/.exec(text.slice(table.from + 1, option.whole))[0].length;
    return [{ from: option.whole - before, to: option.to, insert: "" }];
  }
  if (value === null) return [];
  const inside = text.slice(table.from + 1, table.to - 1);
  const comma = inside.trim() === "" || /,\s*$/.test(inside) ? " " : ", ";
  const end = table.to - 1 - /\s*$/.exec(inside)[0].length;
  return [{ from: end, to: table.to - 1, insert: `${comma}${name} = ${value} ` }];
}

// The text with an option of the n-th finder set, or taken away. A route at any angle has no turns to spare, so `bends` goes.
export function chosen(text, n, name, value) {
  const start = name === "any_angle" && value === "true" ? apply(text, setOption(text, n, "bends", null) ?? []) : text;
  return apply(start, setOption(start, n, name, value) ?? []);
}

// Puts a link there, or takes it away; ends are of the grid, as the script has them.
export function toggleLink(text, x0, y0, x1, y1) {
  const drawing = findDrawing(text);
  if (!drawing?.name) return null;
  const same = (a, b) => a.every((number, i) => number === b[i]);
  const there = findCalls(text, drawing.name, "link", 4).find(({ numbers }) =>
    same(numbers, [x0, y0, x1, y1]) || same(numbers, [x1, y1, x0, y0]));
  if (there) return [{ from: there.from, to: there.to, insert: "" }];
  return [{ from: drawing.next, to: drawing.next, insert: `${drawing.name}:link(${x0}, ${y0}, ${x1}, ${y1})\n` }];
}

export function toggleWall(text, x, y, side, others) {
  const drawing = findDrawing(text);
  if (!drawing?.name) return null;
  const there = findCalls(text, drawing.name, "wall", 2).find(({ numbers, rest }) =>
    [[x, y, side], ...others].some(([ax, ay, aside]) =>
      numbers[0] === ax && numbers[1] === ay && rest.includes(`"${aside}"`)));
  if (there) return [{ from: there.from, to: there.to, insert: "" }];
  return [{ from: drawing.next, to: drawing.next, insert: `${drawing.name}:wall(${x}, ${y}, "${side}")\n` }];
}

// ---- whole scripts ----

const GROUND = '{ ["."] = 1, [","] = 2, ["^"] = 3, ["~"] = 5, ["#"] = false }';

// A map's part of a script: { rows, start, goal, terrain, shape, offset, links }.
export function head(map) {
  const options = [`terrain = ${map.terrain ?? GROUND}`];
  if (map.shape === "hex") options.push(`shape = "hex"`, `offset = "${map.offset ?? "odd_r"}"`);
  const links = (map.links ?? []).map((link) => `grid:link(${link.join(", ")})\n`).join("");
  return `local astar = require "astar"\n\nlocal grid = astar.grid([[\n${map.rows.join("\n")}\n]], { ${options.join(", ")} })\n` +
    `${links}local sx, sy, gx, gy = ${[...map.start, ...map.goal].join(", ")}\n`;
}

// The part of the script that is the map's, where it is written as above, and the rest.
export function split(text) {
  const drawing = findDrawing(text), ends = findEnds(text);
  if (!drawing || !ends?.isHead || ends.end < drawing.end) return null;
  const lineEnd = text.indexOf("\n", ends.end);
  const at = lineEnd < 0 ? text.length : lineEnd + 1;
  return { head: text.slice(0, at), task: text.slice(at) };
}

// The kinds of ground that the script's map may have: those in its table of terrain, or what a grid knows by itself.
export function grounds(text) {
  const drawing = findDrawing(text);
  const kinds = [];
  if (drawing) {
    for (const [, key, cost] of text.slice(drawing.to, drawing.end).matchAll(/\["(.)"\]\s*=\s*([\w.]+)/g)) {
      kinds.push({ key, cost: cost === "false" || cost === "math.huge" ? false : Number(cost) });
    }
  }
  return kinds.length > 0 ? kinds : [{ key: ".", cost: 1 }, { key: "#", cost: false }];
}

// The map as the text has it, before any script has run: what view.js takes for a grid. Null where there is none.
export function draft(text) {
  const drawing = findDrawing(text);
  const width = drawing?.rows[0]?.length ?? 0;
  if (width === 0 || drawing.rows.some((row) => row.length !== width)) return null;
  const kinds = grounds(text), cells = new Uint8Array(width * drawing.rows.length);
  [...drawing.rows.join("")].forEach((key, cell) => {
    let kind = kinds.findIndex((one) => one.key === key);
    if (kind < 0) kind = kinds.push({ key, cost: "#@OTW".includes(key) ? false : 1 }) - 1;
    cells[cell] = kind;
  });
  const options = text.slice(drawing.to, drawing.end);
  const shape = /shape\s*=\s*"hex"/.test(options) ? "hex" : "square";
  const offset = shape === "hex" ? /offset\s*=\s*"(\w+)"/.exec(options)?.[1] ?? "odd_r" : undefined;
  return { x0: 1, y0: 1, width, height: drawing.rows.length, shape, offset, kinds, cells, blocks: [], links: [], walls: [] };
}
