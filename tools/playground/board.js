// board.js -- where cells lie, in units of how far neighbours are apart: squares, or hexagons as grid:center has them.

const ROW = Math.sqrt(3) / 2, POINT = 1 / Math.sqrt(3); // rows apart; a hexagon's middle to its corner

export class Board {
  constructor({ width, height, shape, offset }) {
    this.width = width;
    this.height = height;
    this.isHex = shape === "hex";
    this.isColumns = this.isHex && offset.endsWith("_q");
    this.pushed = this.isHex && offset.startsWith("even") ? 0 : 1;
    const [along, across] = this.isColumns ? [height, width] : [width, height];
    const long = along + (across > 1 ? 0.5 : 0), wide = (across - 1) * ROW + 2 * POINT;
    this.size = !this.isHex ? [width, height] : this.isColumns ? [wide, long] : [long, wide];
  }

  // The middle of a cell, counted from 0; between cells, too, where squares are.
  center(x, y) {
    if (!this.isHex) return [x + 0.5, y + 0.5];
    const push = (i) => (Math.round(i) % 2 === this.pushed ? 0.5 : 0);
    return this.isColumns ? [x * ROW + POINT, y + 0.5 + push(x)] : [x + 0.5 + push(y), y * ROW + POINT];
  }

  // The cell at a place, null outside.
  cellAt(px, py) {
    let best = null, least = 0.5;
    const guess = this.isColumns ? [px / ROW, py] : this.isHex ? [px, py / ROW] : [px, py];
    for (let y = Math.floor(guess[1]) - 1; y <= guess[1] + 1; y++) {
      for (let x = Math.floor(guess[0]) - 1; x <= guess[0] + 1; x++) {
        if (x < 0 || y < 0 || x >= this.width || y >= this.height) continue;
        const [cx, cy] = this.center(x, y);
        const away = this.isHex ? Math.hypot(px - cx, py - cy) * 0.86 : Math.max(Math.abs(px - cx), Math.abs(py - cy));
        if (away <= least) [best, least] = [[x, y], away];
      }
    }
    return best;
  }

  // The corners of a cell around its middle, from the one right of its northern side on, clockwise.
  corners() {
    if (!this.isHex) return [[0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5]];
    const turn = this.isColumns ? -60 : -90;
    return [0, 1, 2, 3, 4, 5].map((i) => {
      const angle = ((turn + i * 60) * Math.PI) / 180;
      return [Math.cos(angle) * POINT, Math.sin(angle) * POINT];
    });
  }

  // The names of a cell's sides; side i lies before corner i + 1, clockwise.
  sides() {
    if (!this.isHex) return ["east", "south", "west", "north"];
    if (this.isColumns) return ["north_east", "south_east", "south", "south_west", "north_west", "north"];
    return ["north_east", "east", "south_east", "south_west", "west", "north_west"];
  }

  // The two ends of a side, around the middle.
  side(name) {
    const corners = this.corners(), i = this.sides().indexOf(name);
    return [corners[i], corners[(i + 1) % corners.length]];
  }

  // The side of a cell that is nearest to a place, and what its neighbour across calls it.
  sideAt([x, y], px, py) {
    const [cx, cy] = this.center(x, y);
    const away = (name) => {
      const [[ax, ay], [bx, by]] = this.side(name);
      return Math.hypot(px - cx - (ax + bx) / 2, py - cy - (ay + by) / 2);
    };
    const name = this.sides().reduce((a, b) => (away(b) < away(a) ? b : a));
    const [[ax, ay], [bx, by]] = this.side(name);
    const across = this.cellAt(cx + (ax + bx) * 1.01, cy + (ay + by) * 1.01);
    const sides = this.sides();
    return { name, across, opposite: sides[(sides.indexOf(name) + sides.length / 2) % sides.length] };
  }

  neighbours([x, y]) {
    const [cx, cy] = this.center(x, y);
    return this.sides().map((name) => {
      const [[ax, ay], [bx, by]] = this.side(name);
      return this.cellAt(cx + ax + bx, cy + ay + by);
    });
  }
}
