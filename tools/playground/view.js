// view.js -- draws a scene on a canvas: the map, what was found over it, and where the pointer is.

import { Board } from "./board.js";
import { between, colors, css, ground, quiet } from "./colors.js";

const NUMBERS_FROM = 44, LINES_FROM = 7, ARROWS_FROM = 9, MARKS_FROM = 12; // pixels a cell
const MOST_SEEN = 60000; // cells of a world that are shown at once

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.scale = 0; // fitted when it is drawn first
    this.left = this.top = 0;
  }

  get size() {
    return [this.canvas.clientWidth, this.canvas.clientHeight];
  }

  show(scene) {
    const before = this.scene?.grid, isSameWorld = before?.is_world && scene.grid.is_world && scene.grid.name === before.name;
    const isOther = !isSameWorld && (!before || Boolean(before.is_world) !== Boolean(scene.grid.is_world) ||
      ["width", "height", "shape", "offset"].some((key) => before[key] !== scene.grid[key]));
    if (isSameWorld && before !== scene.grid) { // the window has moved on; what is seen stays where it is
      this.left += (scene.grid.x0 - before.x0) * this.scale;
      this.top += (scene.grid.y0 - before.y0) * this.scale;
      this.board = new Board(scene.grid);
    }
    this.scene = scene;
    if (isOther) {
      this.board = new Board(scene.grid);
      this.fit();
    }
    this.draw();
    if (scene.grid.is_world) this.onScrolled?.();
  }

  // The whole map; of a world start and goal with some ground around them.
  fit() {
    if (!this.board) return;
    if (this.scene.grid.is_world) return this.fitWorld();
    const [width, height] = this.size, [columns, rows] = this.board.size;
    this.scale = Math.max(0.1, Math.min((width - 20) / columns, (height - 20) / rows));
    if (this.scale > 4) this.scale = Math.floor(this.scale * 4) / 4;
    this.fitted = this.scale;
    [this.left, this.top] = this.middleOf(columns, rows);
  }

  fitWorld() {
    const [width, height] = this.size, { grid, start, goal } = this.scene;
    const [sx, sy] = start ?? [grid.width / 2, grid.height / 2], [gx, gy] = goal ?? [sx, sy];
    this.fitted = Math.sqrt((width * height) / MOST_SEEN);
    const across = Math.abs(gx - sx) + 1, down = Math.abs(gy - sy) + 1;
    this.scale = Math.min(16, Math.max(this.fitted, Math.min((width - 60) / across, (height - 60) / down)));
    this.left = width / 2 - ((sx + gx + 1) / 2) * this.scale;
    this.top = height / 2 - ((sy + gy + 1) / 2) * this.scale;
    this.onScrolled?.();
  }

  // The cells of a world that are in sight, counted from the first cell of its window: west, north, east, south.
  inSight() {
    const [width, height] = this.size, { left, top, scale } = this;
    return [Math.floor(-left / scale), Math.floor(-top / scale), Math.ceil((width - left) / scale), Math.ceil((height - top) / scale)];
  }

  // Where there is other room, what was made larger stays so.
  refit() {
    const { scale, fitted, left, top } = this;
    this.fit();
    if (scale > Math.max(fitted, this.fitted)) Object.assign(this, { scale, left, top });
    this.draw();
  }

  middleOf(columns, rows) {
    const [width, height] = this.size;
    return [(width - columns * this.scale) / 2, (height - rows * this.scale) / 2];
  }

  // Makes all so many times as large; what is at the pixel stays there.
  zoom(factor, px, py) {
    const scale = Math.min(96, Math.max(this.fitted, this.scale * factor));
    this.left = px - ((px - this.left) * scale) / this.scale;
    this.top = py - ((py - this.top) * scale) / this.scale;
    this.scale = scale;
    if (scale === this.fitted && !this.scene.grid.is_world) this.fit();
    this.draw();
    this.onScrolled?.();
  }

  scroll(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.draw();
    this.onScrolled?.();
  }

  place(px, py) {
    return [(px - this.left) / this.scale, (py - this.top) / this.scale];
  }

  pixel(x, y) {
    const [cx, cy] = this.board.center(x, y);
    return [this.left + cx * this.scale, this.top + cy * this.scale];
  }

  // Has a cell that is out of sight come into it.
  reveal([x, y]) {
    const [px, py] = this.pixel(x, y), [width, height] = this.size, edge = Math.min(this.scale, 40);
    const into = (at, most) => (at < edge ? edge - at : at > most - edge ? most - edge - at : 0);
    const dx = into(px, width), dy = into(py, height);
    if ((this.scale > this.fitted || this.scene.grid.is_world) && (dx || dy)) this.scroll(dx, dy);
  }

  draw() {
    if (!this.scene || this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paint();
    });
  }

  paint() {
    const { canvas, context, scene } = this, [width, height] = this.size, ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.colors = colors();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.colors.back;
    context.fillRect(0, 0, width, height);
    this.look();
    if (this.board.isHex) this.paintHexagons();
    else if (!scene.grid.isBlank) this.paintSquares();
    if (this.isQuiet && this.scale >= MARKS_FROM) this.paintMarks();
    this.paintBlocks();
    if (scene.flow) this.paintArrows(scene.flow);
    if (scene.search && this.scale >= LINES_FROM) this.paintJumps(scene.search);
    this.paintWalls();
    this.paintLinks();
    if (scene.graph) this.paintGraph(scene.graph);
    for (const route of scene.routes) this.paintRoute(route, this.colors.path);
    if (scene.trail) this.paintTrail(scene.trail);
    this.texts = []; // what the numbers cover, for tests
    if (scene.search && this.scale >= NUMBERS_FROM) this.paintNumbers(scene.search);
    this.paintEnd(scene.start, "S", this.colors.start, scene.size);
    this.paintEnd(scene.goal, "G", this.colors.goal, scene.size);
    if (scene.crowd) this.paintCrowd(scene.crowd);
    if (scene.walkers) this.paintWalkers(scene.walkers);
    this.paintPointer();
  }

  // Keeps what the cells look like for as long as it is so: the pointer moves more often.
  look() {
    const { grid, search, flow, field, stuck, trace, part } = this.scene;
    const looks = [grid, grid.edits, search, flow, field, stuck, trace, part, this.colors];
    if (this.looks?.every((one, i) => one === looks[i])) return;
    this.looks = looks;
    this.isQuiet = Boolean(search || flow || field || stuck || trace);
    this.shades = grid.kinds.map(this.isQuiet ? quiet : ground);
    this.tints = this.findTints(this.scene);
    this.image = this.board.isHex ? null : this.paintImage();
  }

  // What is laid over the ground of cells: [r, g, b, part] by cell. The ground beneath is grey, so that open and closed cells have
  // one colour each, whatever lies beneath them.
  findTints({ grid, search, flow, field, stuck, trace, part }) {
    const tints = new Map(), { open, closed, near, far, reached } = this.colors;
    const put = (x, y, tint) => x >= 0 && y >= 0 && x < grid.width && y < grid.height && tints.set(y * grid.width + x, tint);
    for (const { x, y, value } of field?.cells ?? []) {
      put(x, y, value < 0 ? [...far, 0.2 + 0.8 * (value / field.least)] : [...near, 0.2 + 0.8 * (value / field.most)]);
    }
    for (const [x, y] of stuck ?? []) put(x, y, [...reached, 1]);
    if (flow) {
      let most = 1;
      for (const cell of flow.cells) most = Math.max(most, cell.distance);
      for (const cell of flow.cells) put(cell.x, cell.y, [...between(near, far, cell.distance / most), 1]);
    }
    for (const cell of search?.cells ?? []) for (const [x, y] of this.jumpedOver(cell)) put(x, y, [...closed, 0.35]);
    for (const cell of search?.cells ?? []) put(cell.x, cell.y, [...(cell.isOpen ? open : closed), 1]);
    for (const cell of trace?.cells ?? []) {
      if (cell.opened <= part) put(cell.x, cell.y, [...(cell.closed <= part ? closed : open), 1]);
    }
    return tints;
  }

  // The key of costly ground, small, where its colour is covered.
  paintMarks() {
    const { grid } = this.scene, { context, scale } = this, [width, height] = this.size;
    context.fillStyle = this.colors.ink;
    context.globalAlpha = 0.4;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `${Math.min(14, scale * 0.5)}px ui-monospace, monospace`;
    const isAside = scale >= NUMBERS_FROM ? scale * 0.36 : 0;
    for (let y = 0, cell = 0; y < grid.height; y++) {
      for (let x = 0; x < grid.width; x++, cell++) {
        const kind = grid.kinds[grid.cells[cell]];
        if (!(kind.cost > 1) || kind.key.length > 1) continue;
        const [px, py] = this.pixel(x, y);
        if (px > -scale && py > -scale && px < width + scale && py < height + scale) context.fillText(kind.key, px + isAside, py + isAside);
      }
    }
    context.globalAlpha = 1;
  }

  paintGraph({ nodes, edges, route }) {
    const { context, scale } = this, radius = Math.max(4, Math.min(12, scale * 0.35));
    const line = (from, to) => {
      context.beginPath();
      context.moveTo(...this.pixel(from.x, from.y));
      context.lineTo(...this.pixel(to.x, to.y));
      context.stroke();
    };
    context.lineCap = "round";
    for (const { from, to, is_blocked: isBlocked } of edges) {
      context.strokeStyle = this.colors.arrow;
      context.lineWidth = 1.5;
      context.setLineDash(isBlocked ? [3, 5] : []);
      line(nodes[from], nodes[to]);
    }
    context.setLineDash([]);
    context.strokeStyle = this.colors.path;
    context.lineWidth = 4;
    route.forEach((node, i) => i > 0 && line(nodes[route[i - 1]], nodes[node]));
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.font = "13px system-ui, sans-serif";
    nodes.forEach(({ key, x, y }, i) => {
      const [px, py] = this.pixel(x, y);
      context.fillStyle = i === route[0] ? this.colors.start : i === route.at(-1) ? this.colors.goal : this.colors.unit;
      context.beginPath();
      context.arc(px, py, radius, 0, 7);
      context.fill();
      context.fillStyle = this.colors.ink;
      if (nodes.length <= 150) context.fillText(key, px + radius + 4, py - radius);
    });
  }

  // From the cell under the pointer back to where its search began.
  paintTrail(cells) {
    const { context } = this;
    context.lineJoin = context.lineCap = "round";
    for (const [style, width] of [[this.colors.back, 5], [this.colors.trail, 2.5]]) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.beginPath();
      cells.forEach((cell, i) => this.goTo(cells[i - 1], cell, 1));
      context.stroke();
    }
  }

  // What a jump point search has stepped over on its way to a cell: diagonally as far as need be, then straight; without
  // diagonals first along the row.
  jumpedOver({ x, y, fromX, fromY }) {
    const cells = [], isStraight = this.scene.search.diagonals === "never";
    if (Math.max(Math.abs(x - fromX), Math.abs(y - fromY)) < 2 || this.isLink([fromX, fromY], [x, y])) return cells;
    for (;;) {
      if (fromY !== y && !(isStraight && fromX !== x)) fromY += Math.sign(y - fromY), fromX += Math.sign(x - fromX);
      else fromX += Math.sign(x - fromX);
      if (fromX === x && fromY === y) return cells;
      cells.push([fromX, fromY]);
    }
  }

  colorOf(cell) {
    const shade = this.shades[this.scene.grid.cells[cell]], tint = this.tints.get(cell);
    return tint ? between(shade, tint, tint[3]) : shade;
  }

  // A pixel a cell, to be made larger: that is soon done on maps of any size.
  paintImage() {
    const { width, height, cells } = this.scene.grid;
    const canvas = new OffscreenCanvas(width, height), image = new ImageData(width, height);
    for (let cell = 0; cell < cells.length; cell++) {
      const color = this.colorOf(cell);
      for (let i = 0; i < 3; i++) image.data[cell * 4 + i] = color[i];
      image.data[cell * 4 + 3] = 255;
    }
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  }

  paintSquares() {
    const { grid } = this.scene, { context, scale, left, top } = this;
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(this.image, left, top, grid.width * scale, grid.height * scale);
    if (scale < LINES_FROM) return;
    context.strokeStyle = this.colors.line;
    context.lineWidth = 1;
    context.beginPath();
    for (let x = 0; x <= grid.width; x++) {
      context.moveTo(Math.round(left + x * scale) + 0.5, top);
      context.lineTo(Math.round(left + x * scale) + 0.5, top + grid.height * scale);
    }
    for (let y = 0; y <= grid.height; y++) {
      context.moveTo(left, Math.round(top + y * scale) + 0.5);
      context.lineTo(left + grid.width * scale, Math.round(top + y * scale) + 0.5);
    }
    context.stroke();
  }

  paintHexagons() {
    const { grid } = this.scene, { context, scale } = this, corners = this.board.corners();
    context.strokeStyle = this.colors.line;
    context.lineWidth = 1;
    for (let y = 0, cell = 0; y < grid.height; y++) {
      for (let x = 0; x < grid.width; x++, cell++) {
        const [px, py] = this.pixel(x, y);
        context.beginPath();
        for (const [dx, dy] of corners) context.lineTo(px + dx * scale, py + dy * scale);
        context.closePath();
        context.fillStyle = css(this.colorOf(cell));
        context.fill();
        if (scale >= LINES_FROM) context.stroke();
      }
    }
  }

  paintBlocks() {
    const { grid } = this.scene, { context, scale } = this;
    context.strokeStyle = this.colors.ink;
    context.lineWidth = Math.max(1, scale / 10);
    context.beginPath();
    for (const cell of grid.blocks) {
      const [px, py] = this.pixel(cell % grid.width, Math.floor(cell / grid.width)), half = scale * 0.3;
      context.rect(px - half, py - half, half * 2, half * 2);
      context.moveTo(px - half, py - half);
      context.lineTo(px + half, py + half);
    }
    context.stroke();
  }

  paintArrows(flow) {
    const { context, scale } = this;
    if (scale < ARROWS_FROM || !flow.hasArrows) return;
    context.strokeStyle = this.colors.arrow;
    context.lineWidth = Math.max(1, scale / 16);
    context.beginPath();
    for (const { x, y, toX, toY } of flow.cells) {
      const [px, py] = this.pixel(x, y), [tx, ty] = this.pixel(toX, toY), far = Math.hypot(tx - px, ty - py);
      if (far === 0) continue;
      const dx = ((tx - px) / far) * scale * 0.3, dy = ((ty - py) / far) * scale * 0.3;
      context.moveTo(px - dx, py - dy);
      context.lineTo(px + dx, py + dy);
      context.lineTo(px + dx * 0.2 - dy * 0.6, py + dy * 0.2 + dx * 0.6);
      context.moveTo(px + dx, py + dy);
      context.lineTo(px + dx * 0.2 + dy * 0.6, py + dy * 0.2 - dx * 0.6);
    }
    context.stroke();
  }

  // Where a search has come from to a cell that is no neighbour.
  paintJumps(search) {
    const { context, scale } = this;
    context.strokeStyle = this.colors.arrow;
    context.lineWidth = Math.max(1, scale / 14);
    context.beginPath();
    for (const cell of search.cells) {
      const over = this.jumpedOver(cell);
      if (over.length === 0) continue;
      const [px, py] = this.pixel(cell.x, cell.y);
      context.moveTo(...this.pixel(cell.fromX, cell.fromY));
      for (const [x, y] of over) context.lineTo(...this.pixel(x, y));
      context.lineTo(px, py);
      context.moveTo(px + scale * 0.12, py);
      context.arc(px, py, scale * 0.12, 0, 7);
    }
    context.stroke();
  }

  // g, h and f, each with its letter in a line of its own, so that none reaches into another.
  paintNumbers(search) {
    const { context, scale } = this, short = (value) => String(Math.round(value * 10) / 10);
    const [width, height] = this.size, most = scale * 0.9;
    context.fillStyle = this.colors.ink;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const { x, y, g, h, f } of search.cells) {
      const [px, py] = this.pixel(x, y);
      if (px < -scale || py < -scale || px > width + scale || py > height + scale) continue;
      [["g", g], ["h", h], ["f", f]].forEach(([letter, value], i) => {
        const text = `${letter} ${short(value)}`;
        let size = Math.min(15, scale * 0.23);
        const font = () => (context.font = `${letter === "f" ? "bold " : ""}${size}px system-ui, sans-serif`);
        font();
        const wide = context.measureText(text).width;
        if (wide > most) (size *= most / wide), font();
        const left = px - scale * 0.45, middle = py + (i - 1) * scale * 0.29;
        context.fillText(text, left, middle);
        this.texts.push({ text, left, top: middle - size / 2, right: left + Math.min(wide, most), bottom: middle + size / 2 });
      });
    }
  }

  paintWalls() {
    const { grid } = this.scene, { context, scale } = this;
    context.strokeStyle = this.colors.fence;
    context.lineWidth = Math.max(2, scale / 6);
    context.beginPath();
    for (const { x, y, direction } of grid.walls) {
      const [px, py] = this.pixel(x - grid.x0, y - grid.y0), [a, b] = this.board.side(direction);
      context.moveTo(px + a[0] * scale, py + a[1] * scale);
      context.lineTo(px + b[0] * scale, py + b[1] * scale);
    }
    context.stroke();
  }

  // The point that a link's line bends towards, so that it is seen beside straight ones.
  bow(ax, ay, bx, by) {
    return [(ax + bx) / 2 + (by - ay) * 0.14, (ay + by) / 2 - (bx - ax) * 0.14];
  }

  paintLink(x0, y0, x1, y1) {
    const { context, scale } = this, [ax, ay] = this.pixel(x0, y0), [bx, by] = this.pixel(x1, y1);
    context.strokeStyle = context.fillStyle = this.colors.link;
    context.lineWidth = Math.max(1.5, scale / 9);
    context.setLineDash([scale * 0.35, scale * 0.25]);
    context.beginPath();
    context.moveTo(ax, ay);
    context.quadraticCurveTo(...this.bow(ax, ay, bx, by), bx, by);
    context.stroke();
    context.setLineDash([]);
    for (const [px, py] of [[ax, ay], [bx, by]]) {
      context.beginPath();
      context.arc(px, py, Math.max(2, scale * 0.26), 0, 7);
      context.fill();
    }
  }

  paintLinks() {
    const { grid, linking } = this.scene;
    for (const { x0, y0, x1, y1 } of grid.links) this.paintLink(x0 - grid.x0, y0 - grid.y0, x1 - grid.x0, y1 - grid.y0);
    if (linking) this.paintLink(...linking);
  }

  // Through the middle of what a unit of this size covers.
  middle(x, y, size = 1) {
    const [px, py] = this.pixel(x, y), more = ((size - 1) / 2) * this.scale;
    return [px + more, py + more];
  }

  // A route's line from a cell to the next: over a link as that is bowed.
  goTo(before, [x, y], size) {
    const [px, py] = this.middle(x, y, size);
    if (!before || Math.max(Math.abs(x - before[0]), Math.abs(y - before[1])) < 2) return this.context.lineTo(px, py);
    const [bx, by] = this.middle(...before, size), isBack = !this.isLink(before, [x, y]);
    return this.context.quadraticCurveTo(...(isBack ? this.bow(px, py, bx, by) : this.bow(bx, by, px, py)), px, py);
  }

  isLink([x0, y0], [x1, y1]) {
    const { links, x0: west, y0: north } = this.scene.grid;
    return links.some((link) => link.x0 - west === x0 && link.y0 - north === y0 && link.x1 - west === x1 && link.y1 - north === y1);
  }

  // Straight legs lead from waypoint to waypoint; links, and steps over the edge of a map that wraps around, from cell to cell.
  legsOf({ cells, waypoints }) {
    const isNear = ([ax, ay], [bx, by]) => Math.max(Math.abs(ax - bx), Math.abs(ay - by)) < 2;
    const points = [cells[0]];
    for (let i = 1; i < (waypoints?.length ?? 0); i++) {
      const from = waypoints[i - 1], to = waypoints[i];
      let isLeg = true;
      for (let at = from + 1; at <= to && isLeg; at++) isLeg = isNear(cells[at - 1], cells[at]);
      if (isLeg) points.push({ to: cells[to] });
      else points.push(...cells.slice(from + 1, to + 1));
    }
    const last = points.at(-1)?.to ?? points.at(-1);
    return last && last.join() === cells.at(-1).join() ? points : cells;
  }

  paintRoute(route, color) {
    const { cells, size = 1 } = route, { context, scale } = this, legs = this.legsOf(route);
    context.lineJoin = context.lineCap = "round";
    context.globalAlpha = 1;
    if (route.is_before) { // what a smoothed path was before
      context.strokeStyle = color;
      context.globalAlpha = 0.55;
      context.lineWidth = 1.5;
      context.setLineDash([3, 5]);
      context.beginPath();
      cells.forEach((cell, i) => this.goTo(cells[i - 1], cell, size));
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
      return;
    }
    if (size > 1) {
      context.fillStyle = color;
      context.globalAlpha = 0.18;
      for (const [x, y] of cells) {
        const [px, py] = this.pixel(x, y);
        context.fillRect(px - scale / 2, py - scale / 2, size * scale, size * scale);
      }
      context.globalAlpha = 1;
    }
    const width = Math.max(2, Math.min(6, scale / 5)); // numbers stay to be read beside it
    for (const [style, wide] of [[this.colors.back, width * 1.6], [color, width]]) {
      context.strokeStyle = style;
      context.lineWidth = wide;
      context.beginPath();
      legs.forEach((leg, i) => {
        const before = legs[i - 1]?.to ?? legs[i - 1];
        if (leg.to) context.lineTo(...this.middle(...leg.to, size));
        else this.goTo(before, leg, size);
      });
      context.stroke();
    }
  }

  paintEnd(cell, letter, color, size = 1) {
    if (!cell) return;
    const { context, scale } = this, [px, py] = this.pixel(...cell), radius = Math.max(7, scale * 0.46);
    if (size > 1) {
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.strokeRect(px - scale / 2, py - scale / 2, size * scale, size * scale);
    }
    context.fillStyle = color;
    context.beginPath();
    context.arc(px, py, radius, 0, 7);
    context.fill();
    context.fillStyle = this.colors.mark;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `bold ${Math.max(9, radius * 1.1)}px system-ui, sans-serif`;
    context.fillText(letter, px, py + radius * 0.06);
  }

  paintCrowd(crowd) {
    for (const { x, y, size } of crowd.units) this.paintUnit(...this.middle(x, y, size), size);
  }

  // They go from middle to middle, of hexagons too.
  paintWalkers(walkers) {
    const [west, north] = this.board.center(0, 0), { left, top, scale } = this;
    for (const [x, y] of walkers) this.paintUnit(left + (west + x) * scale, top + (north + y) * scale, 1);
  }

  paintUnit(px, py, size) {
    const { context, scale } = this;
    context.strokeStyle = this.colors.mark;
    context.lineWidth = 1;
    context.fillStyle = this.colors.unit;
    context.beginPath();
    context.arc(px, py, Math.max(2, scale * 0.38 * size), 0, 7);
    context.fill();
    if (scale > 8) context.stroke();
  }

  paintPointer() {
    const { context, scale } = this, { cursor, isFocused } = this.scene;
    if (!cursor) return;
    const [px, py] = this.pixel(...cursor);
    context.strokeStyle = this.colors.ink;
    context.lineWidth = isFocused ? 2.5 : 1.5;
    context.beginPath();
    for (const [dx, dy] of this.board.corners()) context.lineTo(px + dx * scale, py + dy * scale);
    context.closePath();
    context.stroke();
  }
}
