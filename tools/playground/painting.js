// painting.js -- edits of the map, as edits of the script that draws it.

import { page } from "./page.js";
import * as script from "./script.js";
import { edit, endLanding, keep, runEdited } from "./scripting.js";
import { refuse, show } from "./showing.js";

const CURE = "give astar.grid a drawing, or choose a map above";

export const floor = () => script.grounds(page.editor.text).find(({ cost }) => cost !== false)?.key ?? ".";

export function keyAt([x, y]) {
  const { grid } = page.scene;
  return grid.kinds[grid.cells[y * grid.width + x]].key;
}

// All cells from one to another, both included.
export function line([x0, y0], [x1, y1]) {
  const count = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)), cells = [];
  for (let i = 0; i <= count; i++) {
    const part = count === 0 ? 0 : i / count;
    cells.push([Math.round(x0 + (x1 - x0) * part), Math.round(y0 + (y1 - y0) * part)]);
  }
  return cells;
}

// Shown at once, whatever the script is at; one that goes on is told, not begun anew.
export function paint(cells, key, goesOn = false) {
  const { grid } = page.scene;
  const edits = script.paint(page.editor.text, cells.map(([x, y]) => ({ x, y, key })), floor(), grid.x0, grid.y0);
  if (edits === null) return refuse("This script draws no map to paint on: " + CURE);
  if (edits.length === 0) return undefined;
  endLanding();
  let kind = grid.kinds.findIndex((one) => one.key === key);
  if (kind < 0) kind = grid.kinds.push(script.grounds(page.editor.text).find((one) => one.key === key)) - 1;
  for (const [x, y] of cells) grid.cells[y * grid.width + x] = kind;
  grid.edits = (grid.edits ?? 0) + 1;
  show();
  page.editor.edit(edits, goesOn);
  page.own ??= "map";
  keep();
  if (!page.runner.isLive) return runEdited();
  return page.runner.ask("paint", cells.map(([x, y]) => `${x + grid.x0} ${y + grid.y0} ${key}`).join("\n"));
}

// Ground everywhere that is as the first one.
export function clear() {
  const { width, height } = page.scene.grid, cells = [];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) cells.push([x, y]);
  return paint(cells, floor());
}

export function putEnd(which, [x, y], goesOn = false) {
  const { x0, y0 } = page.scene.grid;
  return edit(script.moveEnd(page.editor.text, which, x + x0, y + y0),
    "This script names no start and goal to move: write them as local sx, sy, gx, gy = 1, 1, 9, 9", goesOn);
}

export function putLink([x0, y0], [x1, y1]) {
  const { grid } = page.scene;
  page.linking = null;
  if (x0 === x1 && y0 === y1) return show();
  const edits = script.toggleLink(page.editor.text, x0 + grid.x0, y0 + grid.y0, x1 + grid.x0, y1 + grid.y0);
  return edit(edits, "This script draws no map to link: " + CURE);
}

export function putFence(cell, place, view) {
  const { grid } = page.scene, { name, across, opposite } = view.board.sideAt(cell, ...place);
  const others = across ? [[across[0] + grid.x0, across[1] + grid.y0, opposite]] : [];
  const edits = script.toggleWall(page.editor.text, cell[0] + grid.x0, cell[1] + grid.y0, name, others);
  return edit(edits, "This script draws no map to fence: " + CURE);
}
