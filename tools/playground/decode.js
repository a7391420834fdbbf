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
  return { ...route, cells: list(answer, route.cells, 8, (b, at) => [b.getInt32(at, true), b.getInt32(at + 4, true)]) };
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

function decodeCrowd(answer, crowd) {
  const units = list(answer, crowd.units, 20, (b, at) => ({ x: float(b, at), y: float(b, at + 4), size: float(b, at + 8) }));
  return { ...crowd, units };
}

export function decode(answer, before) {
  const { state } = answer;
  const grid = state.grid ? decodeGrid(answer, state.grid) : before?.grid;
  if (!grid) return null;
  return {
    grid,
    reason: state.reason,
    routes: (state.routes ?? []).map((route) => decodeRoute(answer, route)),
    searches: (state.searches ?? []).map((search) => decodeSearch(answer, search)),
    flow: state.flow ? decodeFlow(answer, state.flow) : before?.flow,
    crowd: state.crowd && decodeCrowd(answer, state.crowd),
    walkers: state.walkers ? list(answer, state.walkers, 8, (b, at) => [float(b, at), float(b, at + 4)]) : [],
  };
}
