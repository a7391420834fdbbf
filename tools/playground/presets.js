// presets.js -- maps to begin with, and those of Moving AI's benchmarks. A map is what head() in script.js takes.

export const MOST_CELLS = 1024 * 1024;

// A small generator of random numbers, so that a seed stands for a map.
function dice(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const filled = (width, height, key) => Array.from({ length: height }, () => Array(width).fill(key));

// Start and goal far apart on the largest piece of open ground that holds the cell nearest to the north-west corner.
function withEnds(cells, more = {}) {
  const height = cells.length, width = cells[0].length;
  const isOpen = (at) => !"#@OTW".includes(cells[Math.floor(at / width)][at % width]);
  const flood = (from) => {
    const seen = new Uint8Array(width * height), queue = [from];
    seen[from] = 1;
    for (let i = 0; i < queue.length; i++) {
      const at = queue[i], x = at % width;
      for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (next >= 0 && next < seen.length && !seen[next] && isOpen(next)) {
          seen[next] = 1;
          queue.push(next);
        }
      }
    }
    return queue;
  };
  let best = [0];
  const visited = new Uint8Array(width * height);
  for (let at = 0; at < visited.length; at++) {
    if (visited[at] || !isOpen(at)) continue;
    const piece = flood(at);
    for (const cell of piece) visited[cell] = 1;
    if (piece.length > best.length) best = piece;
  }
  // Where units of three cells can stand, if anywhere.
  const hasRoom = (at) => at % width < width - 2 && at < (height - 2) * width &&
    [0, 1, 2].every((y) => [0, 1, 2].every((x) => isOpen(at + y * width + x)));
  const roomy = best.filter(hasRoom);
  if (roomy.length > 1) best = roomy;
  const far = (corner) => best.reduce((a, b) => (corner(b) < corner(a) ? b : a));
  const start = far((at) => (at % width) + Math.floor(at / width));
  const goal = far((at) => width - (at % width) + height - Math.floor(at / width));
  const cell = (at) => [(at % width) + 1, Math.floor(at / width) + 1];
  return { rows: cells.map((row) => row.join("")), start: cell(start), goal: cell(goal), ...more };
}

function rooms(random) {
  const cells = filled(37, 25, ".");
  for (let y = 0; y < 25; y++) for (let x = 0; x < 37; x++) if (x % 9 === 0 || y % 8 === 0) cells[y][x] = "#";
  for (let y = 0; y < 25; y += 8) {
    for (let x = 0; x < 37; x += 9) {
      if (x < 36 && y > 0 && y < 24) cells[y][x + 1 + random(8)] = ".";
      if (y < 24 && x > 0 && x < 36) cells[y + 1 + random(7)][x] = ".";
    }
  }
  return withEnds(cells);
}

function maze(random) {
  const width = 37, height = 25, cells = filled(width, height, "#");
  const stack = [[1, 1]];
  cells[1][1] = ".";
  while (stack.length > 0) {
    const [x, y] = stack.at(-1);
    const ways = [[2, 0], [-2, 0], [0, 2], [0, -2]].filter(([dx, dy]) => cells[y + dy]?.[x + dx] === "#");
    if (ways.length === 0) {
      stack.pop();
      continue;
    }
    const [dx, dy] = ways[random(ways.length)];
    cells[y + dy / 2][x + dx / 2] = cells[y + dy][x + dx] = ".";
    stack.push([x + dx, y + dy]);
  }
  for (let i = 0; i < 14; i++) cells[1 + random(height - 2)][1 + random(width - 2)] = ".";
  return withEnds(cells);
}

function caves(random) {
  let cells = filled(44, 30, ".").map((row) => row.map(() => (random(100) < 43 ? "#" : ".")));
  for (let round = 0; round < 4; round++) {
    cells = cells.map((row, y) => row.map((_, x) => {
      let walls = 0;
      for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) if ((cells[y + dy]?.[x + dx] ?? "#") === "#") walls++;
      return walls >= 5 ? "#" : ".";
    }));
  }
  return withEnds(cells);
}

// Patches of ground grown from seeds.
function patches(cells, random, key, seeds, size) {
  for (let i = 0; i < seeds; i++) {
    let x = random(cells[0].length), y = random(cells.length);
    for (let j = 0; j < size; j++) {
      if (cells[y]?.[x] !== undefined) cells[y][x] = key;
      if (random(2)) x += random(3) - 1;
      else y += random(3) - 1;
      x = Math.max(0, Math.min(cells[0].length - 1, x));
      y = Math.max(0, Math.min(cells.length - 1, y));
    }
  }
  return cells;
}

function country(random, width = 32, height = 22) {
  const cells = filled(width, height, ".");
  patches(cells, random, ",", 5, 60);
  patches(cells, random, "^", 3, 40);
  patches(cells, random, "~", 5, 60);
  patches(cells, random, "#", 7, 14);
  return cells;
}

function islands(random) {
  const cells = filled(30, 20, "~").map((row) => row.map(() => "#"));
  const centres = [[5, 5], [23, 5], [6, 15], [23, 14]];
  for (const [cx, cy] of centres) {
    for (let y = 0; y < 20; y++) {
      for (let x = 0; x < 30; x++) if (Math.hypot(x - cx, y - cy) < 4 + random(15) / 10) cells[y][x] = ".";
    }
  }
  const links = [[9, 6, 21, 6], [6, 9, 7, 13], [22, 8, 21, 14], [9, 17, 21, 16]];
  for (const [x0, y0, x1, y1] of links) cells[y0 - 1][x0 - 1] = cells[y1 - 1][x1 - 1] = ".";
  return { rows: cells.map((row) => row.join("")), start: [4, 4], goal: [24, 15], links };
}

function trap() {
  const cells = filled(30, 20, ".");
  for (let y = 4; y < 16; y++) cells[y][20] = "#";
  for (let x = 8; x < 21; x++) cells[4][x] = cells[15][x] = "#";
  return { rows: cells.map((row) => row.join("")), start: [14, 10], goal: [27, 10] };
}

export const PRESETS = {
  country: { title: "Country", make: (random) => withEnds(country(random)) },
  rooms: { title: "Rooms", make: rooms },
  maze: { title: "Maze", make: maze },
  caves: { title: "Caves", make: caves },
  trap: { title: "A trap for A*", make: trap },
  islands: { title: "Islands and links", make: islands },
  hexagons: { title: "Hexagons", make: (random) => withEnds(country(random, 26, 20), { shape: "hex" }) },
  open: { title: "Empty", make: () => ({ rows: filled(32, 22, ".").map((row) => row.join("")), start: [4, 11], goal: [29, 11] }) },
};

export function preset(name, seed) {
  return PRESETS[name].make(dice(seed));
}

export function tooLarge(width, height) {
  return width * height > MOST_CELLS
    ? `${width} x ${height} cells are too many for this page: it takes up to ${MOST_CELLS.toLocaleString("en")}` : null;
}

// A map of Moving AI's, or rows of characters. Throws what is wrong with it.
export function parseMap(text) {
  const lines = text.replace(/\r/g, "").split("\n");
  const header = /^type .*\nheight (\d+)\nwidth (\d+)\nmap\n/.exec(lines.join("\n"));
  let rows = lines.filter((line) => line !== "");
  if (header) {
    const [, height, width] = header.map(Number);
    const problem = tooLarge(width, height);
    if (problem) throw new Error(problem);
    rows = lines.slice(4, 4 + height);
    if (rows.length < height) throw new Error(`the map ends after ${rows.length} of ${height} rows`);
  }
  const width = rows[0]?.length ?? 0;
  const odd = rows.findIndex((row) => row.length !== width);
  if (width === 0) throw new Error("there is no map in it");
  if (odd >= 0) throw new Error(`row ${odd + 1} has ${rows[odd].length} cells, the first one has ${width}`);
  const problem = tooLarge(width, rows.length);
  if (problem) throw new Error(problem);
  const known = header ? { ".": 1, G: 1, S: 1, "@": false, O: false, T: false, W: false }
    : { ".": 1, " ": 1, ",": 2, "^": 3, "~": 5, "#": false, "@": false };
  const keys = [...new Set(rows.join(""))];
  const unknown = keys.find((key) => !(key in known));
  if (unknown !== undefined) throw new Error(`it has the character ${JSON.stringify(unknown)}, which is no ground here`);
  const terrain = Object.keys(known).filter((key) => keys.includes(key) || key === ".");
  if (!terrain.some((key) => known[key] === false)) terrain.push("#"), (known["#"] = false);
  return withEnds(rows.map((row) => [...row]), {
    terrain: `{ ${terrain.map((key) => `["${key}"] = ${known[key]}`).join(", ")} }`,
  });
}
