// telling.js -- what was found, in words: counts and costs, never the time it took.

const number = (value) => (Math.round(value * 1000) / 1000).toLocaleString("en", { maximumFractionDigits: 3 });
const many = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

export function tellRoute(route) {
  const words = [`cost ${number(route.cost)}`, many(route.count, "cell"), many(route.bends, "turn")];
  if (route.partial) words.unshift("only near the goal");
  if (route.expanded > 0) words.push(`${route.expanded.toLocaleString("en")} expanded by ${route.algorithm}`);
  return words.join(" · ");
}

export function tellSearch(search) {
  const words = [search.status, `${search.expanded.toLocaleString("en")} expanded`, `${search.open.toLocaleString("en")} open`,
    `${search.closed.toLocaleString("en")} closed`];
  if (search.route) words.push(`cost ${number(search.route.cost)}`);
  return words.join(" · ");
}

export function tell(scene) {
  if (scene.crowd) {
    return `${many(scene.crowd.units.length, "unit")} · ${scene.crowd.under_way} under way · beat ${scene.crowd.beats}`;
  }
  if (scene.searches.length === 1) return tellSearch(scene.searches[0]);
  if (scene.searches.length > 1) return "";
  const words = scene.flow ? [`${many(scene.flow.cells.length, "cell")} with a way`] : [];
  if (scene.routes.length > 0) words.push(tellRoute(scene.routes.at(-1)));
  if (words.length > 0) return words.join(" · ");
  return scene.reason ? `no way: ${scene.reason}` : "";
}

// What is at a cell, counted from 0.
export function tellCell(scene, [x, y], pane = 0) {
  const { grid } = scene, kind = grid.kinds[grid.cells[y * grid.width + x]];
  const at = ([cx, cy]) => cx === x && cy === y;
  const cost = kind.cost === false ? "cannot be entered" : `costs ${number(kind.cost)}`;
  const words = [`(${x + grid.x0}, ${y + grid.y0})`, `"${kind.key}" ${cost}`];
  const node = scene.searches[pane]?.cells.find((cell) => at([cell.x, cell.y]));
  if (node) words.push(`${node.isOpen ? "open" : "closed"}: g ${number(node.g)}, h ${number(node.h)}, f ${number(node.f)}`);
  const step = scene.flow?.cells.find((cell) => at([cell.x, cell.y]));
  if (step) words.push(`${number(step.distance)} from there`);
  return words.join(" · ");
}
