// view.js -- draws a scene on a canvas: the map, what was found over it, and where the pointer is.

import { Board } from "./board.js";
import { between, colors, css, ground } from "./colors.js";

const NUMBERS_FROM = 34, LINES_FROM = 7, ARROWS_FROM = 9; // pixels a cell

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
    const isOther = !this.scene || ["width", "height", "shape", "offset"].some((key) => this.scene.grid[key] !== scene.grid[key]);
    if (this.scene && !isOther && scene.grid.is_world) { // the window has moved on; what is seen stays where it is
      this.left += (scene.grid.x0 - this.scene.grid.x0) * this.scale;
      this.top += (scene.grid.y0 - this.scene.grid.y0) * this.scale;
    }
    this.scene = scene;
    if (isOther) {
      this.board = new Board(scene.grid);
      this.fit();
    }
    this.draw();
  }

  fit() {
    if (!this.board) return;
    const [width, height] = this.size, [columns, rows] = this.board.size;
    this.scale = Math.max(0.1, Math.min((width - 20) / columns, (height - 20) / rows));
    if (this.scale > 4) this.scale = Math.floor(this.scale * 4) / 4;
    this.fitted = this.scale;
    [this.left, this.top] = this.middleOf(columns, rows);
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

  // How many cells a world is away from the middle of its window.
  away() {
    const [left, top] = this.middleOf(...this.board.size);
    return [Math.round((left - this.left) / this.scale), Math.round((top - this.top) / this.scale)];
  }

  // Makes all so many times as large; what is at the pixel stays there.
  zoom(factor, px, py) {
    const scale = Math.min(96, Math.max(this.fitted, this.scale * factor));
    this.left = px - ((px - this.left) * scale) / this.scale;
    this.top = py - ((py - this.top) * scale) / this.scale;
    this.scale = scale;
    if (scale === this.fitted) this.fit();
    this.draw();
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
    if (this.scale > this.fitted && (dx || dy)) this.scroll(dx, dy);
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
    else this.paintSquares();
    this.paintBlocks();
    if (scene.flow) this.paintArrows(scene.flow);
    if (scene.search && this.scale >= LINES_FROM) this.paintJumps(scene.search);
    this.paintWalls();
    this.paintLinks();
    for (const route of scene.routes) this.paintRoute(route, this.colors.path);
    if (scene.search && this.scale >= NUMBERS_FROM) this.paintNumbers(scene.search);
    this.paintEnd(scene.start, "S", this.colors.start, scene.size);
    this.paintEnd(scene.goal, "G", this.colors.goal, scene.size);
    if (scene.crowd) this.paintCrowd(scene.crowd);
    if (scene.walkers) this.paintWalkers(scene.walkers);
    this.paintPointer();
  }

  // Keeps what the cells look like for as long as it is so: the pointer moves more often.
  look() {
    const { grid, search, flow } = this.scene, looks = [grid, grid.edits, search, flow, this.colors];
    if (this.looks?.every((part, i) => part === looks[i])) return;
    this.looks = looks;
    this.shades = grid.kinds.map(ground);
    this.tints = this.findTints(this.scene);
    this.image = this.board.isHex ? null : this.paintImage();
  }

  // What is laid over the ground of cells: [r, g, b, part] by cell.
  findTints({ grid, search, flow }) {
    const tints = new Map(), { open, closed, near, far } = this.colors;
    if (flow) {
      let most = 1;
      for (const cell of flow.cells) most = Math.max(most, cell.distance);
      for (const cell of flow.cells) tints.set(cell.y * grid.width + cell.x, [...between(near, far, cell.distance / most), 0.55]);
    }
    for (const cell of search?.cells ?? []) {
      for (const [x, y] of this.jumpedOver(cell)) tints.set(y * grid.width + x, [...closed, 0.18]);
    }
    for (const cell of search?.cells ?? []) tints.set(cell.y * grid.width + cell.x, [...(cell.isOpen ? open : closed), 0.5]);
    return tints;
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

  // g and h above, f below.
  paintNumbers(search) {
    const { context, scale } = this, short = (value) => String(Math.round(value * 10) / 10);
    const [width, height] = this.size;
    context.fillStyle = this.colors.ink;
    context.textBaseline = "middle";
    for (const { x, y, g, h, f } of search.cells) {
      const [px, py] = this.pixel(x, y);
      if (px < -scale || py < -scale || px > width + scale || py > height + scale) continue;
      context.font = `${Math.min(13, scale * 0.24)}px system-ui, sans-serif`;
      context.textAlign = "left";
      context.fillText(short(g), px - scale * 0.44, py - scale * 0.3);
      context.textAlign = "right";
      context.fillText(short(h), px + scale * 0.44, py - scale * 0.3);
      context.textAlign = "center";
      context.font = `bold ${Math.min(15, scale * 0.28)}px system-ui, sans-serif`;
      context.fillText(short(f), px, py + scale * 0.26);
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

  paintRoute({ cells, size = 1 }, color) {
    const { context, scale } = this;
    context.lineJoin = context.lineCap = "round";
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
      cells.forEach(([x, y], i) => this.goTo(cells[i - 1], [x, y], size));
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
