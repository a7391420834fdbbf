// film.mjs SITE PARTS FOLDER -- paints in the playground, in a browser without a screen, and keeps each moment in FOLDER, as
// frame001.png and so on: walls are drawn, the goal is dragged, and the script is rewritten meanwhile. For make pictures.

import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, parts, folder] = process.argv.slice(2);
const puppeteer = createRequire(resolve(parts, "package.json"))("puppeteer-core");
mkdirSync(folder, { recursive: true });

const SCRIPT = `local astar = require "astar"

local grid = astar.grid([[
....................
....................
....................
......~~~...........
.....~~~~~..........
.....~~~~~..........
......~~~...........
....................
....................
....................
....................
....................
]], { terrain = { ["."] = 1, ["~"] = 4, ["#"] = false } })
local sx, sy, gx, gy = 2, 6, 19, 6

local finder = grid:finder {}
local path = finder:find_path(sx, sy, gx, gy)
print("cost " .. path.cost)
`;

const WIDTH = 1000, HEIGHT = 460;
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await page.setViewport({ width: WIDTH, height: HEIGHT, deviceScaleFactor: 0.8 });
await page.goto(pathToFileURL(resolve(site, "index.html")).href);
await page.evaluate(() => playground.began);

const waitUntilIdle = () => page.evaluate(async () => {
  await playground.runner.finished;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
});

// A hand, since a browser without a screen shows none. Only the map and the script are shown.
await page.evaluate(() => {
  const style = document.createElement("style");
  style.textContent = `header, #tasks, #options, #hint, #tools, #mending, #output, .panel, #right > .bar { display: none !important }
    #hand { position: fixed; z-index: 9; left: 480px; top: 400px; width: 22px; height: 30px; pointer-events: none;
      filter: drop-shadow(0 0 1px #fff) drop-shadow(0 0 1px #fff) }
    #hand::before { content: ""; display: block; width: 100%; height: 100%; background: #111;
      clip-path: polygon(0 0, 0 80%, 27% 64%, 45% 100%, 62% 92%, 45% 57%, 78% 57%) }`;
  const hand = document.createElement("div");
  hand.id = "hand";
  document.head.append(style);
  document.body.append(hand);
  addEventListener("mousemove", (event) => Object.assign(hand.style, { left: `${event.clientX}px`, top: `${event.clientY}px` }), true);
  addEventListener("pointermove", (event) => Object.assign(hand.style, { left: `${event.clientX}px`, top: `${event.clientY}px` }), true);
});
await page.evaluate((script) => playground.load(script), SCRIPT);
await page.evaluate(() => dispatchEvent(new Event("resize")));
await waitUntilIdle();
await unfold();

// The map is shown in the script, so that one sees its rows change.
function unfold() {
  return page.evaluate(() => document.querySelector(".cm-foldPlaceholder")?.click());
}

let count = 0;
async function keep(times = 1) {
  for (let i = 0; i < times; i++) {
    count++;
    await page.screenshot({ path: join(folder, `frame${String(count).padStart(3, "0")}.png`) });
  }
}

const placeOf = (x, y) => page.evaluate((x, y) => {
  const view = playground.views[0], { grid } = playground.scene(), box = view.canvas.getBoundingClientRect();
  const [px, py] = view.pixel(x - grid.x0, y - grid.y0);
  return { x: box.left + px, y: box.top + py };
}, x, y);

let hand = { x: 480, y: 400 };
async function move(x, y, steps) {
  const to = await placeOf(x, y), from = hand;
  for (let i = 1; i <= steps; i++) {
    hand = { x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps };
    await page.mouse.move(hand.x, hand.y);
    await waitUntilIdle();
    await unfold();
    await keep();
  }
}

async function drag(cells, pace) {
  await page.mouse.down();
  for (let i = 1; i < cells.length; i++) {
    const length = Math.max(Math.abs(cells[i][0] - cells[i - 1][0]), Math.abs(cells[i][1] - cells[i - 1][1]));
    await move(cells[i][0], cells[i][1], Math.round(length * pace));
  }
  await page.mouse.up();
  await waitUntilIdle();
  await keep(4);
}

await keep(8);
await move(12, 2, 8);
await drag([[12, 2], [12, 9]], 1.5);
await move(15, 12, 7);
await drag([[15, 12], [15, 4]], 1.5);
await move(19, 6, 6);
await drag([[19, 6], [19, 11], [17, 11]], 1.2);
await keep(14);
await browser.close();
console.log(`${count} frames`);
