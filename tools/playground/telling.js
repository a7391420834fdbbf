// telling.js -- what was found, in words: counts, costs and the time that the query took.

const number = (value) => (Math.round(value * 1000) / 1000).toLocaleString("en", { maximumFractionDigits: 3 });
const many = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

// Browsers round the clock to a tenth of a millisecond.
export const time = (ms) => (ms < 0.1 ? "under 0.1 ms" : ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString("en")} ms`);

export function tellRoute(route) {
  const words = [`cost ${number(route.cost)}`];
  if (route.ms !== undefined) words.push(`found in ${time(route.ms)}`);
  words.push(many(route.count, "cell"), many(route.bends, "turn"));
  if (route.partial) words.unshift("only near the goal");
  if (route.expanded > 0) words.push(`${route.expanded.toLocaleString("en")} expanded by ${route.algorithm}`);
  return words.join(" · ");
}

export function tellSearch(search, total) {
  const words = [...(search.route ? [] : [search.status]), `${search.expanded.toLocaleString("en")} expanded`, `${search.open.toLocaleString("en")} open`,
    `${search.closed.toLocaleString("en")} closed`];
  if (search.route) words.push(`cost ${number(search.route.cost)}`);
  if (total) words.push(search.status === "running" ? `the whole search takes ${time(total.ms)}` : time(total.ms));
  return words.join(" · ");
}

const REASONS = {
  unreachable: "G cannot be reached from S. Green: what can be reached.",
  "goal blocked": "G stands in a wall. Green: what can be reached from S.",
  "start blocked": "S stands in a wall.",
};

// What stands over the map if there is no route.
export function tellStuck(scene) {
  return scene.reason && scene.stuck ? REASONS[scene.reason] ?? null : scene.reason === "start blocked" ? REASONS[scene.reason] : null;
}

export function tell(scene, totals) {
  if (scene.crowd) {
    return `${many(scene.crowd.units.length, "unit")} · ${scene.crowd.under_way} under way · beat ${scene.crowd.beats}`;
  }
  if (scene.searches.length === 1) return (scene.searches[0].route ? "found · " : "") + tellSearch(scene.searches[0], totals?.[0]);
  if (scene.searches.length > 1) return "";
  const words = scene.flow ? [many(scene.flow.cells.length, "cell") + (scene.flow.ms === undefined ? "" : ` in ${time(scene.flow.ms)}`)] : [];
  if (scene.routeMs !== undefined && scene.routeMs !== null) words.push(`route found in ${time(scene.routeMs)}, with the chunks made for it`);
  if (scene.routes.length > 0) words.push(tellRoute(scene.routes.at(-1)));
  if (scene.graph) words.push(many(scene.graph.nodes.length, "node"));
  if (words.length > 0) return words.join(" · ");
  return scene.reason ? `no way: ${scene.reason}` : "";
}

const nodeAt = (scene, [x, y], pane) => scene.searches[pane]?.cells.find((cell) => cell.x === x && cell.y === y);

// What is at a cell, counted from 0.
export function tellCell(scene, [x, y], pane = 0) {
  const { grid } = scene, kind = grid.kinds[grid.cells[y * grid.width + x]];
  const at = ([cx, cy]) => cx === x && cy === y;
  const cost = kind.cost === false ? "cannot be entered" : `costs ${number(kind.cost)}`;
  const words = grid.isBlank ? [] : [`(${x + grid.x0}, ${y + grid.y0})`, `"${kind.key}" ${cost}`];
  const node = nodeAt(scene, [x, y], pane);
  if (node) words.push(`${node.isOpen ? "open" : "closed"}: g ${number(node.g)}, h ${number(node.h)}, f ${number(node.f)}`);
  const step = scene.flow?.cells.find((cell) => at([cell.x, cell.y]));
  if (step) words.push(`${number(step.distance)} from there`);
  const value = scene.field?.cells.find((cell) => at([cell.x, cell.y]));
  if (value) words.push(`field ${number(value.value)}`);
  return words.join(" · ");
}

// The card beside a cell of a search.
export function tellNode(scene, cell, pane) {
  const node = nodeAt(scene, cell, pane);
  return node ? `${node.isOpen ? "open" : "closed"}\ng ${number(node.g)} cost so far\nh ${number(node.h)} estimate of the rest\nf ${number(node.f)} of both` : null;
}

// The way back from a cell of a search to where the search began.
export function trailOf(scene, cell, pane) {
  const search = scene.searches[pane];
  if (!search || !nodeAt(scene, cell, pane)) return null;
  const width = scene.grid.width;
  search.byCell ??= new Map(search.cells.map((one) => [one.y * width + one.x, one]));
  const trail = [];
  for (let at = search.byCell.get(cell[1] * width + cell[0]); at && trail.length <= search.cells.length;) {
    trail.push([at.x, at.y]);
    if (at.fromX === at.x && at.fromY === at.y) break;
    at = search.byCell.get(at.fromY * width + at.fromX);
  }
  return trail;
}
