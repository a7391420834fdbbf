// test.mjs SITE PARTS -- the playground in a browser without a screen: by mouse, touch and keyboard, from the disk. The
// answers of Lua here are in PARTS/answers. Pictures of it, to be looked at, go to PARTS/pictures.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { firstSight } from "./first_sight.mjs";

const [site, parts] = process.argv.slice(2);
const puppeteer = createRequire(resolve(parts, "package.json"))("puppeteer-core");
const address = pathToFileURL(resolve(site, "index.html")).href;
const pictures = join(parts, "pictures");
mkdirSync(pictures, { recursive: true });

let passed = 0, failed = 0;

function check(what, is, ...told) {
  if (is) passed++;
  else {
    failed++;
    console.log(`FAILED: ${what}`, ...told);
  }
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// The time limit of a single call is for machines that are busy with other tests.
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"], protocolTimeout: 900000,
});
const problems = [];

const ready = async (page) => {
  await page.waitForFunction(() => globalThis.playground);
  await page.evaluate(() => playground.began);
};

// A page of its own, after its script has run.
async function open(url = address, viewport = { width: 1280, height: 800 }) {
  const page = await (await browser.createBrowserContext()).newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || problems.push(`it asks ${request.url()}`));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(url);
  await ready(page);
  return page;
}

const text = (page) => page.evaluate(() => playground.editor.text);
const content = (page, selector) => page.$eval(selector, (element) => element.textContent);
const waitUntilIdle = (page) => page.evaluate(async () => {
  await playground.runner.finished;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
});

// Where a cell is in the window, as the script counts it.
const placeOf = (page, x, y, pane = 0) => page.evaluate((x, y, pane) => {
  const view = playground.views[pane], { grid } = playground.scene(), box = view.canvas.getBoundingClientRect();
  const [px, py] = view.pixel(x - grid.x0, y - grid.y0);
  return { x: box.left + px, y: box.top + py };
}, x, y, pane);

const keyAt = (page, x, y) => page.evaluate((x, y) => {
  const { grid } = playground.scene();
  return grid.kinds[grid.cells[(y - grid.y0) * grid.width + x - grid.x0]].key;
}, x, y);

const run = async (page, script) => {
  await page.evaluate((script) => playground.load(script), script);
  await waitUntilIdle(page);
  return content(page, "#output");
};

async function press(page, selector, word) {
  await page.evaluate((selector, word) => [...document.querySelectorAll(selector)].find((one) => one.textContent.startsWith(word)).click(),
    selector, word);
  await waitUntilIdle(page);
}

async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
  await waitUntilIdle(page);
}

const MAP = `local astar = require "astar"

local grid = astar.grid([[
........
........
...##...
........
........
]], { terrain = { ["."] = 1, ["~"] = 4, ["#"] = false } })
local sx, sy, gx, gy = 1, 3, 8, 3

local finder = grid:finder {}
local path, reason = finder:find_path(sx, sy, gx, gy)
print(path and path.cost or reason)
`;

// ---- it opens, and is drawn on ----

if (process.env.ONLY_FIRST_SIGHT) {
  await firstSight({ address, open, check, wait, text, content, waitUntilIdle, ready, placeOf, keyAt, run, press, drag, pictures, site });
  check("nothing went wrong unseen", problems.length === 0, problems);
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  process.exit(failed > 0 ? 1 : 0);
}

const page = await open();
const measuring = await page.createCDPSession();
await measuring.send("Performance.enable", { timeDomain: "threadTicks" });
await page.reload();
await ready(page);
const { metrics } = await measuring.send("Performance.getMetrics");
const spent = (name) => (metrics.find((one) => one.name === name).value * 1000).toFixed(0);
console.log(`until it has answered: ${spent("TaskDuration")} ms of processor time, ${spent("ScriptDuration")} of them for scripts`);
check("it opens from the disk and answers", (await content(page, "#status")).startsWith("cost "), await content(page, "#output"));
const paintedAfter = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
check("it is painted", paintedAfter > 0);
await page.screenshot({ path: join(pictures, "1280.png") });
await page.select("#preset", "country");
await press(page, "#tasks button", "Flow");
await page.screenshot({ path: join(pictures, "playground.png") }); // the manual's, copied to pictures/

const before = await run(page, MAP);
check("a script's route has its cost", Math.abs(Number(before) - (7 + 2 * (Math.SQRT2 - 1))) < 1e-6, before);
const at = (x, y) => placeOf(page, x, y);
await drag(page, await at(4, 2), await at(5, 2));
check("walls are painted by mouse", (await text(page)).includes("\n...##...\n...##...\n"), await text(page));
const around = await page.evaluate(() => playground.scene().routes[0].cells);
check("and the route goes around them", around.length > 6 && !around.some(([x, y]) => y === 1 && (x === 3 || x === 4)), around);
check("the map is what the script drew", (await keyAt(page, 4, 2)) === "#");
await drag(page, await at(4, 2), await at(4, 2));
check("a wall is taken away by a click", (await keyAt(page, 4, 2)) === "." && (await keyAt(page, 5, 2)) === "#");
await drag(page, await at(8, 3), await at(6, 5));
check("the goal is dragged", (await text(page)).includes("local sx, sy, gx, gy = 1, 3, 6, 5"), await text(page));
await drag(page, await at(1, 3), await at(2, 1));
check("the start is dragged", (await text(page)).includes("local sx, sy, gx, gy = 2, 1, 6, 5"), await text(page));
await press(page, "#tools button", '"~" 4').catch(() => press(page, "#tools button", "Water"));
await drag(page, await at(2, 5), await at(2, 5));
check("ground is painted", (await keyAt(page, 2, 5)) === "~");
await press(page, "#tools button", "Link");
await drag(page, await at(1, 1), await at(8, 5));
check("links are dragged", (await text(page)).includes("\ngrid:link(1, 1, 8, 5)\n"), await text(page));
await drag(page, await at(8, 5), await at(1, 1));
check("and taken away", !(await text(page)).includes("grid:link"));
await press(page, "#tools button", "Fence");
const side = await page.evaluate(() => playground.views[0].scale * 0.4), cell = await at(3, 1);
await page.mouse.click(cell.x + side, cell.y);
await waitUntilIdle(page);
check("a fence is put on a side", (await text(page)).includes('grid:wall(3, 1, "east")'), await text(page));
const other = await at(4, 1);
await page.mouse.click(other.x - side, other.y);
await waitUntilIdle(page);
check("and taken away from its other cell", !(await text(page)).includes("grid:wall"));

await page.click("#clear");
await waitUntilIdle(page);
check("all is taken away at once", !/[#~]/.test((await text(page)).split("]]")[0]), await text(page));

await page.click("#undo");
await waitUntilIdle(page);
check("and comes back by Undo", /[#~]/.test((await text(page)).split("]]")[0]), await text(page));

await page.evaluate(() => document.activeElement.blur());
await page.keyboard.down("Control");
await page.keyboard.press("y");
await page.keyboard.up("Control");
await waitUntilIdle(page);
check("what is undone is done again by keys, wherever one is", !/[#~]/.test((await text(page)).split("]]")[0]), await text(page));
const undone = await page.evaluate(() => {
  const { editor } = playground, before = editor.text, lengths = [];
  for (const insert of ["\n-- one", "\n-- two"]) editor.edit({ from: editor.text.length, insert });
  for (let i = 0; i < 2; i++) editor.undo(), lengths.push(editor.text.length - before.length);
  return lengths.join();
});
await waitUntilIdle(page);
check("two edits at once are undone one by one", undone === "7,0", undone);
const asked = await at(3, 3), unasked = await text(page);
await page.mouse.click(asked.x, asked.y, { button: "right" });
await waitUntilIdle(page);
check("the other button paints nothing", (await text(page)) === unasked, await text(page));

// ---- by keyboard ----

await run(page, MAP);
await press(page, "#tools button", "Wall");
await page.evaluate(() => document.activeElement.blur());
await page.focus("#first canvas");
for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "Space"]) await page.keyboard.press(key);
await waitUntilIdle(page);
check("keys walk and paint", (await keyAt(page, 3, 2)) === "#", await text(page));
check("and are listed", (await content(page, "#hint")).includes("space paints") && !(await content(page, "#hint")).includes("N makes a step"),
  await content(page, "#hint"));
await page.keyboard.press("ArrowDown");
await page.keyboard.press("g");
await waitUntilIdle(page);
check("keys put the goal", (await text(page)).includes("= 1, 3, 3, 3"), await text(page));
await page.focus(".cm-content");
await page.keyboard.down("Control");
await page.keyboard.press("z");
await page.keyboard.up("Control");
await waitUntilIdle(page);
check("what the page edits is undone as what is typed", !(await text(page)).includes("= 1, 3, 3, 3"), await text(page));


// Walks from the cell where the keys are, counted from 1.
const walk = async (from, to) => {
  for (const [i, keys] of [["ArrowLeft", "ArrowRight"], ["ArrowUp", "ArrowDown"]].entries()) {
    for (let n = from[i]; n !== to[i]; n += Math.sign(to[i] - n)) await page.keyboard.press(keys[Number(to[i] > n)]);
  }
};
const brush = (word) => page.evaluate((word) => [...document.querySelectorAll("#tools button")]
  .findIndex((one) => one.textContent.startsWith(word)) + 1, word);
const keysOnMap = async (script) => {
  await run(page, script);
  await page.mouse.move(1, 1);
  await page.evaluate(() => document.activeElement.blur());
  await page.focus("#first canvas");
};
await keysOnMap(MAP);
await page.keyboard.press(String(await brush("Link")));
await page.keyboard.press("Space");
await walk([1, 3], [3, 5]);
await page.keyboard.press("Space");
await waitUntilIdle(page);
check("keys lay links", (await text(page)).includes("\ngrid:link(1, 3, 3, 5)\n"), await text(page));
await page.keyboard.press(String(await brush("Fence")));
await page.keyboard.press("Space");
await waitUntilIdle(page);
check("and fences", (await text(page)).includes('grid:wall(3, 5, "east")'), await text(page));
const before0 = await page.evaluate(() => playground.views[0].scale);
await page.keyboard.press("+");
check("and make it larger", (await page.evaluate(() => playground.views[0].scale)) > before0);
await page.keyboard.press("0");
await press(page, "#tasks button", "Step");
await page.focus("#first canvas");
await page.keyboard.press("n");
await wait(100);
check("and step searches", (await page.evaluate(() => playground.scene().searches[0].expanded)) === 2);
await press(page, "#tasks button", "Walk");
await page.focus("#first canvas");
await walk([3, 5], [8, 5]);
await page.keyboard.press("Enter");
await page.waitForFunction(() => playground.scene().routes[0]?.cells.at(-1).join() === "7,4", { timeout: 5000 })
  .catch(() => check("and send units", false));
await page.click("#stop");
await press(page, "#tasks button", "World");
await page.focus("#first canvas");
const worldAt = await page.evaluate(() => playground.scene().grid.y0);
for (let n = 0; n < 120; n++) await page.keyboard.press("ArrowUp");
await page.waitForFunction((at) => playground.scene().grid.y0 < at, { timeout: 5000 }, worldAt).catch(() => check("and go on over a world", false));
await run(page, MAP);
await page.focus(".cm-content");

// ---- scripts ----

await page.keyboard.down("Control");
await page.keyboard.press("a");
await page.keyboard.up("Control");
await page.keyboard.type("print(1 + 1)");
await page.keyboard.down("Control");
await page.keyboard.press("Enter");
await page.keyboard.up("Control");
await waitUntilIdle(page);
check("what is typed is run", (await content(page, "#output")) === "2\n", await content(page, "#output"));

await page.evaluate(() => playground.load(""));
await page.focus(".cm-content");
await page.keyboard.type('local grid = astar.grid(6, 4)\nfor y = 1, 2 do\nif y == 1 then\ngrid:block(3, y)\nend\nend\nprint(#grid:find_path(1, 1, 6, 4))');
check("lines are indented as they are typed", (await text(page)).includes("\n    grid:block(3, y)\n  end\nend\n"), await text(page));
await page.keyboard.type("\ngrid:find_p");
await page.waitForSelector(".cm-tooltip-autocomplete [aria-selected]");
const offered = await content(page, ".cm-tooltip-autocomplete [aria-selected]");
check("behind a colon are the calls of what is called so", offered.startsWith("find_path(sx, sy, gx, gy"), offered);
await page.screenshot({ path: join(pictures, "offered.png") });
await wait(100); // an Enter just as it appears would be for the line
await page.keyboard.press("Enter");
await page.keyboard.type("(1, 1, 2, 2)");
await page.keyboard.type("\nlocal w = astar.walker(grid:find_path(1, 1, 2, 2))\nw:upd");
await page.waitForSelector(".cm-tooltip-autocomplete [aria-selected]");
check("or of what it was made", (await content(page, ".cm-tooltip-autocomplete [aria-selected]")) === "update(dt)");
await page.keyboard.type("ate(1)");
check("and are taken by Enter", (await text(page)).includes("\ngrid:find_path(1, 1, 2, 2)\n"), await text(page));
await page.click("#run");
await waitUntilIdle(page);
const onSize = await placeOf(page, 2, 2);
await page.mouse.click(onSize.x, onSize.y);
await waitUntilIdle(page);
check("a map that is made by its size is painted on by lines", (await text(page)).includes('(6, 4)\ngrid:set(2, 2, "#")\n') &&
  (await keyAt(page, 2, 2)) === "#", await text(page));
await page.mouse.click(onSize.x, onSize.y);
await waitUntilIdle(page);
check("which go again", !(await text(page)).includes("grid:set") && (await keyAt(page, 2, 2)) === ".", await text(page));
await run(page, 'local size = { 6, 4 }\nlocal grid = astar.grid(table.unpack(size))\nprint(#grid:find_path(1, 1, 6, 4))\n');
await page.mouse.click(onSize.x, onSize.y);
await waitUntilIdle(page);
check("one that is made otherwise says how it can be", (await content(page, "#hint")).includes("give astar.grid a drawing"), await content(page, "#hint"));
await page.focus(".cm-content");
await page.keyboard.press("Escape");
await page.keyboard.press("Tab");
check("keys leave the editor", await page.evaluate(() => document.activeElement.id) === "output");

async function lineOfError() {
  return page.evaluate(() => {
    const lines = [...document.querySelectorAll(".cm-content > *")].filter((line) => !line.classList.contains("line-error"));
    return [lines.findIndex((line) => line.classList.contains("line-with-error")) + 1, document.querySelector(".line-error")?.textContent ?? ""];
  });
}

await run(page, "local a = 1\nlocal b = nil\nprint(b.c)\n");
let [line, message] = await lineOfError();
check("an error is told beside its line", line === 3 && message.startsWith("attempt to index a nil value"), line, message);
const rights = await page.evaluate(() => [".line-error", ".line-with-error", ".cm-scroller"].map((one) =>
  Math.round(document.querySelector(one).getBoundingClientRect().right)));
check("its band ends where the line and the editor do", new Set(rights).size === 1, rights);
await run(page, "local a = 1\nlocal = 2\n");
[line, message] = await lineOfError();
check("so is a mistake in writing", line === 2 && message.includes("expected near"), line, message);
await run(page, 'local grid = astar.grid(4, 4)\n\ngrid:find_path(1, 1, 9, 9)\n');
[line, message] = await lineOfError();
check("so is a mistake in a call of astar, in its words", line === 3 && message.includes("gx must be"), line, message);
await page.evaluate(() => (playground.engine.mostMs = 60000)); // steps are what is to stop them, on busy cores too
const chatty = await run(page, "print('said')\nwhile true do\n  print(1)\nend\n");
[line, message] = await lineOfError();
check("an endless script is stopped, and told where", [2, 3].includes(line) && message.startsWith("stopped after"), line, message);
check("and what it printed is shown", chatty.startsWith("said\n1\n"), chatty.slice(0, 80));
const hoarding = await run(page, "local all = {}\nwhile true do all[#all + 1] = ('x'):rep(4e7) .. #all end\n");
check("one that wants too much memory is told so", hoarding === "not enough memory", hoarding);
await run(page, "error(setmetatable({}, { __tostring = function() return 'mine' end }))\n");
[line, message] = await lineOfError();
check("an object's own words are told", line === 1 && message === "mine", line, message);
await page.evaluate(() => (playground.engine.mostMs = 1500));
const stubborn = await run(page, "while true do pcall(function() while true do end end) end\n");
check("so is one that catches that", stubborn.includes("stopped"), stubborn);
await page.evaluate(() => (playground.engine.mostMs = 60000));
const blocked = await run(page, MAP.replace("...##...", "...##..#"));
check("where there is no way one is told why", (await content(page, "#status")) === "no way: goal blocked", blocked);
check("then others run", (await run(page, "print('there')")) === "there\n");
const large = await run(page, "local grid = astar.grid(16000, 16000)\nprint(#grid:find_path(1, 1, 16000, 16000))");
check("a map too large for the page is an error", large.includes("not enough memory"), large);
check("and the page goes on", (await run(page, "print('there')")) === "there\n");

// ---- each task on each map ----

for (const preset of await page.$$eval("#preset option", (options) => options.map((option) => option.value).filter((name) => name))) {
  await page.select("#preset", preset);
  await waitUntilIdle(page);
  for (const task of ["Route", "Step", "Two", "Flow", "Range", "Walk", "Crowd"]) {
    if (preset === "hexagons" && task === "Crowd") continue; // it cannot honour them
    await press(page, "#tasks button", task);
    const state = await page.evaluate(() => ({
      problem: document.querySelector("#output .problem")?.textContent, cells: playground.scene().grid.cells.length,
      chosen: document.querySelector("#tasks [aria-pressed=true]")?.textContent ?? "",
    }));
    check(`${task} on ${preset}`, !state.problem && state.cells > 100 && state.chosen.startsWith(task), state);
  }
}

await page.select("#preset", "trap");
await press(page, "#tasks button", "Step");
const expanded = () => page.evaluate(() => playground.scene().searches[0].expanded);
check("a search begins with what the script makes of it", (await expanded()) === 1);
await page.click("#step");
await wait(100);
check("a step is one expansion", (await expanded()) === 2, await expanded());
await page.click("#finish");
await wait(300);
check("it goes to its end", (await content(page, "#status")).startsWith("found"), await content(page, "#status"));
await press(page, "#tasks button", "Two");
await page.screenshot({ path: join(pictures, "two.png") });
const rows = await page.$$eval(".panel", (panels) => panels.map((panel) => [...panel.children].map((one) => one.firstChild.textContent.trim()).join()));
check("each search has a panel of its own", rows.join(" | ") === "Algorithm,Weight,Heuristic | Algorithm", rows);
const [left, right] = await page.evaluate(() => playground.scene().searches.map((search) => [search.expanded, search.route.cost]));
check("two searches find routes of one cost, one by fewer expansions", left[0] < right[0] && left[1] === right[1], left, right);
await page.click("#restart");
await wait(100);
const begun = await page.evaluate(() => playground.scene().searches.map(({ expanded, status }) => `${expanded} ${status}`).join());
check("both begin again, though the script has ended them", begun === "1 running,1 running", begun);
await page.click("#play");
await page.waitForFunction(() => playground.scene().searches.every(({ expanded }) => expanded > 1));
await page.select("#first .panel select", "jps");
await waitUntilIdle(page);
check("an option is written into the script", (await text(page)).includes('left = grid:finder { algorithm = "jps" }'), await text(page));

// By its label, the option of a script's finders.
const choose = async (label, value) => {
  const field = await page.evaluateHandle((label) =>
    [...document.querySelectorAll("#options .field")].find((one) => one.textContent.startsWith(label)).querySelector("select"), label);
  await field.asElement().select(value);
  await waitUntilIdle(page);
};
await press(page, "#tasks button", "Route");
await press(page, "#options button", "More");
check("the landing's route has no zigzags", (await text(page)).includes('grid:finder { bends = "fewer" }'), await text(page));
for (const [label, name, value, written] of [
  ["Diagonals", "diagonals", "always", '"always"'], ["Unit size", "size", "3", "3"], ["Weight", "weight", "1.5", "1.5"],
  ["Heuristic", "heuristic", "chebyshev", '"chebyshev"'], ["Turns", "bends", "fewest", '"fewest"'], ["Any angle", "any_angle", "true", "true"],
  ["Stop short", "range", "3", "3"], ["If there is no way", "partial", "true", "true"],
]) {
  await press(page, "#tasks button", "Route");
  await choose("Turns", "any");
  const otherwise = await text(page);
  await choose(label, value);
  check(`${name} is chosen`, (await text(page)).includes(`:finder { ${name} = ${written} }`) && (await content(page, "#status")).startsWith("cost "),
    await text(page), await content(page, "#output"));
  await choose(label, await page.evaluate((label) =>
    [...document.querySelectorAll("#options .field")].find((one) => one.textContent.startsWith(label)).querySelector("option").value, label));
  check(`${name} is as it was`, (await text(page)).replace(/\{\s*\}/, "{}") === otherwise.replace(/\{\s*\}/, "{}"), await text(page));
}

await press(page, "#tasks button", "Walk");
const walkers = () => page.evaluate(() => ({ at: playground.scene().walkers, routes: playground.scene().routes.length }));
const first = await walkers();
await wait(500);
const second = await walkers();
check("a walker goes", first.at.length === 1 && second.at[0].join() !== first.at[0].join(), first, second);
const elsewhere = await at(3, 18);
await page.mouse.click(elsewhere.x, elsewhere.y);
await wait(200);
check("and elsewhere, where one clicks, by one route", (await walkers()).routes === 1, await walkers());
await page.screenshot({ path: join(pictures, "walk.png") });
await page.click("#stop");

await press(page, "#tasks button", "Crowd");
const crowd = () => page.evaluate(() => ({ ...playground.scene().crowd, live: playground.runner.isLive }));
const began = await crowd();
await wait(700);
const later = await crowd();
check("a crowd walks", later.live && later.beats > began.beats, began.beats, later.beats);
await press(page, "#tools button", "Wall");
await drag(page, await at(3, 3), await at(3, 5));
const painted = await crowd();
check("walls are painted while it walks", painted.beats >= later.beats && (await keyAt(page, 3, 4)) === "#", painted.beats);
await press(page, "#tools button", "Order");
const target = await at(28, 18);
await page.mouse.click(target.x, target.y);
await wait(300);
const goals = await page.evaluate(() => playground.scene().crowd.under_way);
check("and goes where one clicks", goals > 0, goals);
await page.screenshot({ path: join(pictures, "crowd.png") });
await page.click("#stop");

await press(page, "#tasks button", "World");
const camera = () => page.evaluate(() => [playground.scene().grid.x0, playground.scene().grid.y0]);
check("a route leads through a world", (await content(page, "#output")).startsWith("cost 195.3"), await content(page, "#output"));
// Whether all of the canvas shows cells that are there.
const isFilled = (page) => page.evaluate(() => {
  const view = playground.views[0], { width, height } = playground.scene().grid, [west, north, east, south] = view.inSight();
  return view.scene.grid === playground.scene().grid && west >= 0 && north >= 0 && east <= width && south <= height;
});
const filled = (page) => page.waitForFunction(() => {
  const view = playground.views[0], { width, height } = playground.scene().grid, [west, north, east, south] = view.inSight();
  return west >= 0 && north >= 0 && east <= width && south <= height;
}, { timeout: 5000 }).catch(() => {});
await filled(page);
check("it fills the canvas", await isFilled(page), await camera());
const inSight = await page.evaluate(() => ["6 26", "160 90"].map((cell) => {
  const [x, y] = cell.split(" ").map(Number), view = playground.views[0], { x0, y0 } = playground.scene().grid;
  const [px, py] = view.pixel(x - x0, y - y0), [width, height] = view.size;
  return px > 10 && py > 10 && px < width - 10 && py < height - 10;
}).join());
check("S and G of it are both in sight", inSight === "true,true", inSight);
await page.screenshot({ path: join(pictures, "world.png") });
const from = await at(40, 20), windowAt = await camera();
for (let n = 0; n < 3; n++) await drag(page, from, { x: from.x - 300, y: from.y - 90 });
await page.waitForFunction((at) => playground.scene().grid.x0 > at, { timeout: 5000 }, windowAt[0]).catch(() => {});
await filled(page);
check("the map is moved over it", (await camera())[0] > windowAt[0] && (await camera())[1] > windowAt[1] && await isFilled(page), await camera());
for (let n = 0; n < 12; n++) {
  await page.evaluate(() => playground.views[0].zoom(1 / 1.2, 300, 200));
  await waitUntilIdle(page);
}
await filled(page);
check("what comes into sight as it is made smaller is ground", await isFilled(page) && !(await page.evaluate(() =>
  playground.scene().grid.kinds.some(({ key }) => key === "?"))), await camera());
await press(page, "#tasks button", "Route");
check("then one paints again", (await content(page, "#tools [aria-pressed=true]")) === "Wall", await content(page, "#tools"));

await run(page, MAP.replace("grid:finder {}", "grid").replace("finder:find_path", "grid:find_path").replace("local finder = grid\n", ""));
await choose("Diagonals", "never");
check("without a finder an option is of the question", (await text(page)).includes('grid:find_path(sx, sy, gx, gy, { diagonals = "never" })') &&
  (await content(page, "#status")).startsWith("cost 9"), await text(page), await content(page, "#output"));
await choose("Diagonals", "only_when_no_obstacles");
check("and taken away again", (await text(page)).includes("grid:find_path(sx, sy, gx, gy, {"), await text(page));

await run(page, MAP.replace("local path, reason = finder:find_path(sx, sy, gx, gy)", "local search = finder:search(sx, sy, gx, gy)\nsearch:step(9)")
  .replace("grid:finder {}", 'grid:finder { algorithm = "jps" }').replace(/print.*/, ""));
const jumps = await page.evaluate(() => playground.scene().searches[0].cells.map((cell) => playground.views[0].jumpedOver(cell).length));
check("jumps are drawn from where they began", Math.max(...jumps) > 1, jumps);

// ---- maps from the disk ----

const file = async (name, bytes) => {
  writeFileSync(join(parts, name), bytes);
  await (await page.$("#file")).uploadFile(join(parts, name));
  await wait(400);
  await waitUntilIdle(page);
};
await file("small.map", `type octile\nheight 3\nwidth 12\nmap\n${"@".repeat(12)}\n@..........@\n${"@".repeat(12)}\n`);
check("a Moving AI map opens", (await content(page, "#output")).startsWith("cost 9.000"), await content(page, "#output"));
const wide = Array.from({ length: 512 }, (_, y) => "T".repeat(y % 7 === 6 ? 256 : 0).padEnd(512, ".")).join("\n");
await file("wide.map", `type octile\nheight 512\nwidth 512\nmap\n${wide}\n`);
check("one of 512 x 512 cells, too", (await content(page, "#output")).startsWith("cost "), await content(page, "#output"));
await page.screenshot({ path: join(pictures, "wide.png") });
await file("large.map", "type octile\nheight 4000\nwidth 4000\nmap\n");
check("one too large says so", (await content(page, "#note")).includes("4000 x 4000 cells are too many"), await content(page, "#note"));

// ---- nothing is lost ----

await run(page, `${MAP}print("kept")\n`);
await page.reload();
await ready(page);
check("a reload has all as it was", (await content(page, "#output")).includes("kept"), await content(page, "#output"));

// By what the button says.
const back = async (which = page) => {
  await which.click("#back");
  await waitUntilIdle(which);
  return text(which);
};
const typeAtEnd = async (words) => {
  await page.focus(".cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
  await page.keyboard.type(words);
};
const arrive = async (url) => { // from elsewhere
  await page.goto("about:blank");
  await page.goto(url);
  await ready(page);
};
await typeAtEnd('print("mine")');
await page.reload();
await ready(page);
await page.select("#preset", "trap");
await waitUntilIdle(page);
await drag(page, await placeOf(page, 2, 2), await placeOf(page, 2, 2));
const painted0 = await text(page);
await page.select("#preset", "maze");
await waitUntilIdle(page);
await page.reload();
await ready(page);
check("what was painted is come back to from another map", (await back()) === painted0, await text(page));
check("and what was typed before", (await back()).includes('print("mine")'), await text(page));
await arrive(`${address}#lua=${encodeURIComponent("print('from a page')")}`);
check("a link takes no script away that one has", (await content(page, "#output")) === "from a page\n" && (await back()).includes('print("mine")'),
  await text(page));
await page.evaluate(() => (location.hash = "#lua=print(7)"));
await page.waitForFunction(() => document.querySelector("#output").textContent === "7\n");
check("nor one that comes while the page is open", (await back()).includes('print("mine")'), await text(page));
await arrive(`${address}#s=broken`);
check("a link that is cut off says so, and takes none either", (await content(page, "#note")).includes("cut off") &&
  (await text(page)).includes('print("mine")'), await content(page, "#note"), await text(page));
await run(page, `${MAP}print("kept")\n`);
await page.click("#share");
await page.waitForFunction(() => location.hash.length > 9);
const shared = await open(page.url());
check("a link has the script and the map", (await text(shared)).includes('print("kept")') && (await content(shared, "#output")).includes("kept"));
const plain = await open(`${address}#lua=${encodeURIComponent("print('from a page')")}`);
check("so has a link that a page makes", (await content(plain, "#output")) === "from a page\n", await content(plain, "#output"));

const embedded = await open(`${address}?map#lua=${encodeURIComponent(MAP)}`, { width: 600, height: 300 });
check("within another page there is the map alone", (await content(embedded, "#status")).startsWith("cost 7.8") && await embedded.evaluate(() =>
  document.querySelector("#right").offsetParent === null && document.documentElement.scrollHeight <= innerHeight && location.hash !== ""));
check("and nothing of it is kept", await embedded.evaluate(() => localStorage.getItem("astar-playground")) === null);

// ---- on a telephone, by night ----

const phone = await open(address, { width: 390, height: 800, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
await run(phone, MAP);
const touch = await placeOf(phone, 2, 2);
await phone.touchscreen.tap(touch.x, touch.y);
await waitUntilIdle(phone);
check("a finger paints", (await keyAt(phone, 2, 2)) === "#", await text(phone));
const goal = await placeOf(phone, 8, 3), there = await placeOf(phone, 7, 5);
await phone.touchscreen.touchStart(goal.x, goal.y);
await phone.touchscreen.touchMove(there.x, there.y);
await phone.touchscreen.touchEnd();
await waitUntilIdle(phone);
check("and drags the goal", (await text(phone)).includes("= 1, 3, 7, 5"), await text(phone));
const pinch = await phone.createCDPSession(), middle = await placeOf(phone, 5, 1), painting = await text(phone);
const fingers = (type, apart) => pinch.send("Input.dispatchTouchEvent", { type, touchPoints: apart === null ? []
  : [-apart, apart].map((dx, id) => ({ x: middle.x + dx, y: middle.y, id })) });
const scale = () => phone.evaluate(() => playground.views[0].scale);
const small = await scale();
await fingers("touchStart", 15);
for (const apart of [20, 25, 30]) await fingers("touchMove", apart);
await fingers("touchEnd", null);
await waitUntilIdle(phone);
check("two fingers make it larger, and paint nothing", (await scale()) > small && (await text(phone)) === painting, await text(phone));
await phone.evaluate(() => (playground.views[0].fit(), playground.views[0].draw()));

const stroke = async (from, to) => {
  await phone.touchscreen.touchStart(from.x, from.y);
  await phone.touchscreen.touchMove((from.x + to.x) / 2, (from.y + to.y) / 2);
  await phone.touchscreen.touchMove(to.x, to.y);
  await phone.touchscreen.touchEnd();
  await waitUntilIdle(phone);
};
await run(phone, MAP);
const onPhone = (x, y) => placeOf(phone, x, y);
// Taps on the button that begins with a word. The page may replace its buttons after each run of the script, also between
// the look for a button and the touch: the button is looked for again until a click has reached it.
const tapOn = async (selector, word) => {
  for (let tries = 0; tries < 4; tries++) {
    const place = await phone.evaluate((selector, word) => {
      const button = [...document.querySelectorAll(selector)].find((one) => one.textContent.startsWith(word));
      button.scrollIntoView({ block: "center", behavior: "instant" });
      globalThis.isTapped = false;
      document.addEventListener("click", ({ target }) => {
        globalThis.isTapped ||= Boolean(target.closest(selector)?.textContent.startsWith(word));
      }, { once: true, capture: true });
      const { left, top, width, height } = button.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }, selector, word);
    await phone.touchscreen.tap(place.x, place.y);
    if (await phone.waitForFunction(() => globalThis.isTapped, { timeout: 3000 }).catch(() => false)) break; // a click follows later
  }
  await waitUntilIdle(phone);
  await phone.evaluate(() => document.querySelector("#maps").scrollIntoView({ block: "center" }));
  await waitUntilIdle(phone); // until all is where it stays
};
await tapOn("#tools button", "Link");
await stroke(await onPhone(1, 1), await onPhone(8, 5));
check("a finger lays links", (await text(phone)).includes("\ngrid:link(1, 1, 8, 5)\n"), await text(phone));
await tapOn("#undo", "Undo");
check("and takes them back", !(await text(phone)).includes("grid:link"), await text(phone));
await tapOn("#tools button", "Fence");
const fenced = await onPhone(3, 1), aside = await phone.evaluate(() => playground.views[0].scale * 0.4);
await phone.touchscreen.tap(fenced.x + aside, fenced.y);
await waitUntilIdle(phone);
check("and fences", (await text(phone)).includes('grid:wall(3, 1, "east")'), await text(phone));
await tapOn("#tasks button", "Step");
await tapOn("#step", "Step");
await wait(100);
check("and steps", (await phone.evaluate(() => playground.scene().searches[0].expanded)) === 2);
await tapOn("#tasks button", "Walk");
const sentTo = await onPhone(8, 5);
await phone.touchscreen.tap(sentTo.x, sentTo.y);
await phone.waitForFunction(() => playground.scene().routes[0]?.cells.at(-1).join() === "7,4", { timeout: 5000 })
  .catch(() => check("and sends units", false));
await tapOn("#stop", "Stop");
await tapOn("#tasks button", "World");
const world0 = await phone.evaluate(() => playground.scene().grid.x0), held = await onPhone(40, 50);
for (let n = 0; n < 4; n++) await stroke({ x: 300, y: held.y }, { x: 60, y: held.y });
await phone.waitForFunction((at) => playground.scene().grid.x0 > at, { timeout: 5000 }, world0)
  .catch(() => check("and goes on over a world", false));
await run(phone, MAP);
for (const [name, which] of [["phone", phone], ["desk", page]]) {
  for (const task of ["Route", "Step", "Two", "Flow", "Walk", "Crowd"]) {
    await press(which, "#tasks button", task);
    const over = await which.evaluate(() => [document.documentElement.scrollWidth - innerWidth,
      ...[...document.querySelectorAll("main canvas, main button, #editor")].filter((one) => one.offsetParent && !one.closest("#tasks, #options"))
        .map((one) => one.getBoundingClientRect().right - innerWidth)]);
    check(`nothing overflows: ${task}, ${name}`, Math.max(...over) <= 0, over);
    await which.screenshot({ path: join(pictures, `${name}-${task}.png`), fullPage: which === phone });
  }
}
await phone.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await wait(200);
await phone.screenshot({ path: join(pictures, "390-dark.png"), fullPage: true });
await page.screenshot({ path: join(pictures, "1280-dark.png") });
const night = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
check("it is dark by night", Number(/\d+/.exec(night)[0]) < 60, night);

// ---- at first sight ----

await firstSight({ address, open, check, wait, text, content, waitUntilIdle, ready, placeOf, keyAt, run, press, drag, pictures, site });

// ---- the same answers ----

const here = readFileSync(join(parts, "answers"), "utf8");
const questions = readFileSync(new URL("questions.lua", import.meta.url), "utf8");
const answers = await run(page, questions);
const lines = [here.split("\n"), answers.split("\n")];
for (let i = 0; i < lines[0].length; i++) check(`map ${i + 1} has the answers it has here`, lines[0][i] === lines[1][i], lines[1][i]?.slice(0, 200));
console.log(`${lines[0].at(-2)} compared`);

// ---- the manual's snippets, the examples ----

// What needs threads or files, asks the clock, or counts bytes, which are fewer here.
const ELSEWHERE = /^(docs\/((workers\/workers|cores|ldtk|tiled)\.md|world\/worlds\.md: (Finders|Walking|What it cannot))|examples\/(workers|crowd|world|baking))/;

const snippets = readFileSync(join(parts, "snippets"));
let place = 0, ran = 0;
function next() {
  const end = snippets.indexOf("\n", place), size = Number(snippets.toString("utf8", place, end));
  place = end + 1 + size;
  return snippets.toString("utf8", end + 1, place);
}
while (place < snippets.length) {
  const [name, script, printed] = [next(), next(), next()];
  if (ELSEWHERE.test(name)) continue;
  const answer = () => page.evaluate(async (script) => (await playground.engine.call("run", script)).state, script);
  let output = await answer();
  for (let again = 0; again < 3 && /\bms =/.test(script) && output.output !== printed; again++) output = await answer(); // busy cores
  check(name, output.output === printed && !output.problem, output.problem ?? output.output.slice(0, 300));
  ran++;
}
console.log(`${ran} snippets and examples print what they print here`);

check("nothing went wrong unseen", problems.filter((one) => !one.includes("ERR_FILE")).length === 0, problems);
await browser.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed > 0 ? 1 : 0;
