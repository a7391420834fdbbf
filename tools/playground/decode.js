// decode.js -- what recorder.lua describes, as a scene for view.js. What an answer leaves out is as it was.

import { view } from "./engine.js";

function list(answer, range, size, read) {
  const bytes = view(answer, range), items = [];
  for (let at = 0; at < bytes.byteLength; at += size) items.push(read(bytes, at));
  return items;
}

const short = (bytes, at, i) => bytes.getUint16(at + i * 2, true);
const float = (bytes, at) => bytes.getFloat32(at, true);

function decodeGrid(answer, grid) {
  const bytes = view(answer, grid.cells);
  return {
    ...grid,
    cells: new Uint8Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
    blocks: grid.blocks ? list(answer, grid.blocks, 4, (b, at) => b.getUint32(at, true)) : [],
  };
}

function decodeRoute(answer, route) {
  const waypoints = []; // indices of cells
  const cells = list(answer, route.cells, 12, (b, at) => {
    if (b.getInt32(at + 8, true) === 1) waypoints.push(at / 12);
    return [b.getInt32(at, true), b.getInt32(at + 4, true)];
  });
  return { ...route, cells, waypoints };
}

function decodeSearch(answer, search) {
  const cells = list(answer, search.cells, 22, (b, at) => ({
    x: short(b, at, 0), y: short(b, at, 1), fromX: short(b, at, 2), fromY: short(b, at, 3), isOpen: short(b, at, 4) === 1,
    g: float(b, at + 10), h: float(b, at + 14), f: float(b, at + 18),
  }));
  return { ...search, cells, route: search.route && decodeRoute(answer, search.route) };
}

function decodeFlow(answer, flow) {
  const cells = list(answer, flow.cells, 12, (b, at) => ({
    x: short(b, at, 0), y: short(b, at, 1), toX: short(b, at, 2), toY: short(b, at, 3), distance: float(b, at + 8),
  }));
  return { cells, hasArrows: flow.arrows };
}

function decodeField(answer, field) {
  const cells = list(answer, field.cells, 12, (b, at) => ({ x: b.getInt32(at, true), y: b.getInt32(at + 4, true), value: float(b, at + 8) }));
  let least = 0, most = 0;
  for (const { value } of cells) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return { cells, least, most };
}

// The search that the page plays when it opens: in which part each cell was opened, and closed.
export function decodeTrace(answer) {
  const { trace, parts, expanded } = answer.state;
  if (!trace) return null;
  const cells = list(answer, trace, 8, (b, at) => ({ x: short(b, at, 0), y: short(b, at, 1), opened: short(b, at, 2), closed: short(b, at, 3) }));
  return { cells, parts, expanded };
}

// A graph is shown on an empty board: its positions scaled to fit, or a circle of nodes that have none.
function layOut(graph) {
  const width = 24, height = 16, { nodes } = graph;
  const isPlaced = nodes.every(({ x, y }) => x !== undefined && y !== undefined);
  const places = isPlaced ? nodes.map(({ x, y }) => [x, y]) : nodes.map((_, i) => {
    const angle = (i / nodes.length) * 2 * Math.PI - Math.PI / 2;
    return [Math.cos(angle), Math.sin(angle)];
  });
  const [west, north] = [0, 1].map((axis) => Math.min(...places.map((place) => place[axis])));
  const [east, south] = [0, 1].map((axis) => Math.max(...places.map((place) => place[axis])));
  const scale = Math.min((width - 5) / (east - west || 1), (height - 5) / (south - north || 1));
  const placed = nodes.map((node, i) => ({ ...node,
    x: width / 2 - 0.5 + (places[i][0] - (west + east) / 2) * scale, y: height / 2 - 0.5 + (places[i][1] - (north + south) / 2) * scale }));
  const grid = { x0: 1, y0: 1, width, height, shape: "square", kinds: [{ key: " ", cost: 1 }], cells: new Uint8Array(width * height),
    blocks: [], links: [], walls: [], isBlank: true };
  return { grid, graph: { ...graph, edges: graph.edges.length ? graph.edges : [], nodes: placed } };
}

function decodeCrowd(answer, crowd) {
  const units = list(answer, crowd.units, 20, (b, at) => ({ x: float(b, at), y: float(b, at + 4), size: float(b, at + 8) }));
  return { ...crowd, units };
}

export function decode(answer, before) {
  const { state } = answer;
  const drawn = state.graph?.nodes?.length > 0 && !state.grid && !(before?.grid && !before.grid.isBlank) ? layOut(state.graph) : null;
  const grid = state.grid ? decodeGrid(answer, state.grid) : drawn?.grid ?? before?.grid;
  if (!grid) return null;
  const flow = state.flow ? decodeFlow(answer, state.flow) : before?.flow;
  if (flow) flow.ms = state.flow_ms ?? flow.ms;
  return {
    grid,
    graph: drawn?.graph ?? null,
    field: state.field ? decodeField(answer, state.field) : null,
    stuck: state.stuck ? list(answer, state.stuck, 4, (b, at) => [short(b, at, 0), short(b, at, 1)]) : null,
    routeMs: state.route_ms,
    reason: state.reason,
    routes: (state.routes ?? []).map((route) => decodeRoute(answer, route)),
    searches: (state.searches ?? []).map((search) => decodeSearch(answer, search)),
    flow,
    crowd: state.crowd && decodeCrowd(answer, state.crowd),
    walkers: state.walkers ? list(answer, state.walkers, 8, (b, at) => [float(b, at), float(b, at + 4)]) : [],
  };
}
