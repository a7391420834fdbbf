// first_sight.mjs -- what a visitor sees first: the landing, menus without errors, straight legs, steps, worlds, a telephone, the dark.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const MAP = `local astar = require "astar"

local grid = astar.grid([[
..............
....#..~~~....
....#..##.....
......#####...
......#...#...
..#...#####...
..............
]], { terrain = { ["."] = 1, ["~"] = 4, ["#"] = false } })
local sx, sy, gx, gy = 1, 1, 14, 6

local finder = grid:finder { algorithm = "astar" }
local path, reason = finder:find_path(sx, sy, gx, gy)
print(path and path.cost or reason)
`;

export async function firstSight({ address, open, check, wait, text, content, waitUntilIdle, ready, placeOf, keyAt, run, press, drag, pictures, site }) {
  const shoot = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  const fieldOf = (label, among) => `[...document.querySelectorAll("${among} .field")].find((one) => one.textContent.startsWith("${label}")).querySelector("select")`;
  const choose = async (page, label, value, among = "#options") => {
    const field = await page.evaluateHandle(fieldOf(label, among));
    await field.asElement().select(value);
    await waitUntilIdle(page);
    await wait(150); // until what can be chosen next was tried
  };
  // The colour of the canvas at a cell, counted from 1, or between two of them.
  const colorAt = (page, x, y, pane = 0) => page.evaluate((x, y, pane) => {
    const view = playground.views[pane], { grid } = playground.scene(), ratio = devicePixelRatio || 1;
    view.paint();
    const px = view.left + (x - grid.x0 + 0.5) * view.scale, py = view.top + (y - grid.y0 + 0.5) * view.scale;
    return [...view.context.getImageData(Math.round(px * ratio), Math.round(py * ratio), 1, 1).data].slice(0, 3);
  }, x, y, pane);
  const luminance = ([r, g, b]) => [r, g, b].map((one) => (one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
  const parse = (color) => (Array.isArray(color) ? color : [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)));

  // ---- the landing ----

  const page = await open();
  const shown = await page.evaluate(() => ({
    what: document.querySelector("#what").getBoundingClientRect().height, banner: document.querySelector("#first .banner").textContent,
    folded: document.querySelectorAll(".cm-foldPlaceholder").length, hasTrace: Boolean(playground.page.trace),
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  }));
  check("the landing says in a line what this is, and what one can do", shown.what > 0 && shown.banner === "Paint walls, drag S and G", shown);
  check("the map is unfolded in the script", shown.folded === 0, shown);
  check("nothing moves for who prefers less motion", !shown.hasTrace, shown);
  check("the status has the time of the query", /found in (under 0\.1|[\d.,]+) ms/.test(await content(page, "#status")), await content(page, "#status"));
  await shoot(page, "landing");
  const size = readdirSync(site).reduce((sum, name) => sum + statSync(join(site, name)).size, 0);
  check("the page weighs less than half of 2.4 MB", size < 1200000, size);
  console.log(`first paint after ${Math.round(shown.paint)} ms, ${size} bytes`);
  const moves = await page.evaluate(() => { // how often Stop changes, and where it stands
    globalThis.flips = 0;
    new MutationObserver((list) => (globalThis.flips += list.length)).observe(document.querySelector("#stop"), { attributes: true, attributeFilter: ["disabled", "hidden"] });
    globalThis.lit = 0;
    new MutationObserver(() => (globalThis.lit += document.querySelectorAll(".flash").length)).observe(document.querySelector(".cm-content"), { childList: true, subtree: true });
    return document.querySelector("#stop").getBoundingClientRect().left;
  });
  await drag(page, await placeOf(page, 8, 6), await placeOf(page, 8, 10));
  const after = await page.evaluate(() => ({ left: document.querySelector("#stop").getBoundingClientRect().left, lit: globalThis.lit,
    banner: document.querySelector("#first .banner").hidden }));
  check("Stop neither flashes nor moves as one paints", after.left === moves && (await page.evaluate(() => globalThis.flips)) <= 2, moves, after,
    await page.evaluate(() => globalThis.flips));
  check("the script lights up where it was painted", after.lit > 0, after);
  check("the words over the map go with the first stroke", after.banner === true, after);
  const cursorAt = async (x, y) => {
    const place = await placeOf(page, x, y);
    await page.mouse.move(place.x, place.y);
    return page.$eval("#first canvas", (canvas) => getComputedStyle(canvas).cursor);
  };
  check("a hand is over S and G, a cross over the ground", [await cursorAt(1, 1), await cursorAt(30, 20), await cursorAt(5, 3)].join() === "grab,grab,crosshair");
  await cursorAt(1, 1);
  await page.mouse.down();
  const there = await placeOf(page, 2, 2);
  await page.mouse.move(there.x, there.y, { steps: 3 });
  check("it closes as one drags", (await page.$eval("#first canvas", (canvas) => canvas.style.cursor)) === "grabbing");
  await page.mouse.up();
  await waitUntilIdle(page);

  const moving = await open();
  await moving.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "no-preference" }]);
  await moving.reload();
  await ready(moving);
  const opening = await moving.waitForFunction(() => playground.page.trace?.part > 4 && document.querySelector("#first .banner").textContent,
    { timeout: 10000 }).then((words) => words.jsonValue()).catch(() => "no search");
  await shoot(moving, "opening");
  check("the page opens with a search, which is counted", opening.startsWith("A* looks for the way"), opening);
  await moving.waitForFunction(() => !playground.page.trace, { timeout: 20000 }).catch(() => check("it ends in the route", false));
  check("then the route is there", (await moving.evaluate(() => playground.scene().routes.length)) === 1);
  await moving.reload();
  await ready(moving);
  await moving.waitForFunction(() => playground.page.trace, { timeout: 10000 }).catch(() => {});
  const onMap = await placeOf(moving, 20, 10);
  await moving.mouse.click(onMap.x, onMap.y);
  await waitUntilIdle(moving);
  check("a stroke ends it", await moving.evaluate(() => !playground.page.trace && !playground.page.isLanding));

  // ---- straight legs ----

  await run(page, MAP.replace('algorithm = "astar"', "any_angle = true"));
  const legs = () => page.evaluate(() => playground.scene().routes.map((route) => playground.views[0].legsOf(route).map((leg) => leg.to ?? leg)));
  // Along the first leg that is neither straight nor diagonal, the line has the route's colour where no step by cells would pass.
  const onLeg = async (points) => {
    const i = points.findIndex(([x, y], n) => n > 0 && x !== points[n - 1][0] && y !== points[n - 1][1] &&
      Math.abs(x - points[n - 1][0]) !== Math.abs(y - points[n - 1][1]));
    if (i < 0) return null;
    const [[ax, ay], [bx, by]] = [points[i - 1], points[i]];
    return colorAt(page, (ax + bx) / 2 + 1, (ay + by) / 2 + 1);
  };
  const pathColor = parse(await page.evaluate(() => playground.colors().path));
  const anyLegs = (await legs()).at(-1), anyColor = await onLeg(anyLegs);
  check("a route at any angle is drawn by its waypoints", anyLegs.length < 6 && anyColor?.join() === pathColor.join(), anyLegs, anyColor);
  await shoot(page, "any-angle");
  await run(page, MAP.replace("print(", "path:smooth()\nprint("));
  const [stairs, smooth] = await legs(), smoothColor = await onLeg(smooth);
  check("so is a smoothed one, over the one before", stairs.length >= smooth.length && smoothColor?.join() === pathColor.join() &&
    (await page.evaluate(() => playground.scene().routes[0].is_before)) === true, stairs, smooth, smoothColor);
  await shoot(page, "smooth");

  // ---- menus ----

  await page.evaluate(() => (document.querySelector("#preset").value = "country"));
  let pairs = 0, disabled = 0;
  const wrong = [], needless = [];
  // Maps of several costs, of one, with links, and of hexagons: all that an algorithm can refuse in a map.
  for (const preset of process.env.ALL_MAPS ? await page.$$eval("#preset option", (options) => options.map((one) => one.value).filter((name) => name))
    : ["country", "rooms", "islands", "hexagons"].slice(0, Number(process.env.MAPS ?? 4))) {
    await page.select("#preset", preset);
    await waitUntilIdle(page);
    await press(page, "#tasks button", "Route");
    if (await page.evaluate(() => [...document.querySelectorAll("#options button")].some((one) => one.textContent.startsWith("More")))) {
      await press(page, "#options button", "More");
    }
    const told = await page.evaluate(async () => {
      const { script, editor, engine, page } = playground, isHex = page.scene.grid.shape === "hex";
      const plain = script.apply(editor.text, script.setOption(editor.text, 0, "bends", null));
      const result = { pairs: 0, disabled: 0, wrong: [], needless: [] };
      const menusOf = async (text) => { // the menus as they are for a script: what can be chosen, and what not
        editor.replace(text);
        await playground.run();
        await page.choose.probe();
        return [...document.querySelectorAll("#options select")].flatMap((select) => [...select.options].filter((one) => one.value !== select.value)
          .map((one) => ({ label: select.parentElement.firstChild.textContent.trim(), value: one.value, disabled: one.disabled, title: one.title })));
      };
      const NAMES = { Algorithm: "algorithm", Diagonals: "diagonals", "Unit size": "size", Weight: "weight", Heuristic: "heuristic", Turns: "bends",
        "Any angle": "any_angle", "Stop short of G by": "range", "If there is no way": "partial" };
      const isNumber = (value) => /^[\d.]+$|^(true|false)$/.test(value);
      const set = (text, { label, value }) => script.chosen(text, 0, NAMES[label], isNumber(value) ? value : `"${value}"`);
      const list = await menusOf(plain), seen = new Set();
      for (const a of list.filter((one) => !one.disabled)) {
        const first = set(plain, a);
        for (const b of await menusOf(first)) {
          const key = [a, b].map(({ label, value }) => label + value).sort().join();
          if (a.label === b.label || seen.has(key)) continue;
          seen.add(key);
          result.pairs++;
          const { state } = await engine.call("run", set(first, b));
          if (b.disabled) {
            result.disabled++;
            if (!b.title.startsWith("not with ")) result.wrong.push(`${key}: ${b.title}`);
            if (!state.problem) result.needless.push(`${key}: ${b.title}`);
          } else if (state.problem) result.wrong.push(`${key}: ${state.problem.message}`);
        }
      }
      editor.replace(plain);
      await playground.run();
      return result;
    });
    pairs += told.pairs;
    disabled += told.disabled;
    wrong.push(...told.wrong.map((one) => `${preset}: ${one}`));
    needless.push(...told.needless.map((one) => `${preset}: ${one}`));
  }
  check("no pair of options that can be chosen leads into an error", wrong.length === 0, wrong.slice(0, 10));
  check("and none is disabled that would work", needless.length === 0, needless.slice(0, 10));
  console.log(`${pairs} pairs of options, ${disabled} of them disabled, ${wrong.length} errors`);
  await page.select("#preset", "rooms");
  await press(page, "#tasks button", "Route");
  await choose(page, "Turns", "any");
  await choose(page, "Algorithm", "jps");
  await press(page, "#tools button", "Water");
  const wet = await placeOf(page, 3, 3);
  await page.mouse.click(wet.x, wet.y);
  await waitUntilIdle(page);
  await page.waitForFunction(() => document.querySelector("#note").textContent.includes("does not work"), { timeout: 20000 }).catch(() => {});
  check("an algorithm gives way to ground that it cannot honour", !(await text(page)).includes("jps") && (await content(page, "#note")).includes("jps does not work with") &&
    (await content(page, "#status")).includes("cost "), await content(page, "#note"), await content(page, "#output"));
  await choose(page, "Any angle", "true");
  await shoot(page, "menus");
  check("no menu speaks in words of the API", !/nil|only_when|no_obstacles/.test(await page.$$eval("#options", ([bar]) => bar.textContent)));

  // ---- step by step ----

  await page.select("#preset", "country");
  await waitUntilIdle(page);
  await press(page, "#tasks button", "Step");
  await page.waitForFunction(() => playground.page.totals, { timeout: 5000 }).catch(() => {});
  const slide = async (value) => {
    await page.$eval("#slider", (slider, value) => {
      slider.value = value;
      slider.dispatchEvent(new Event("input"));
    }, value);
    await page.waitForFunction((value) => playground.scene().searches[0].expanded === value, { timeout: 5000 }, value).catch(() => {});
    return page.evaluate(() => playground.scene().searches[0].expanded);
  };
  const most = await page.$eval("#slider", (slider) => Number(slider.max));
  check("the slider goes to any step, forwards and back", [await slide(200), await slide(30), await slide(most)].join() === `200,30,${most}` && most > 200, most);
  check("and the end is the route", (await content(page, "#status")).startsWith("found"), await content(page, "#status"));
  await slide(200);
  const pure = await page.evaluate(() => {
    const { grid, searches: [search] } = playground.scene();
    const of = (isOpen, cost) => search.cells.findLast((cell) => // the first one is S
       cell.isOpen === isOpen && grid.kinds[grid.cells[cell.y * grid.width + cell.x]].cost === cost);
    return { floor: of(false, 1), dear: of(false, 3) ?? of(false, 2), wet: of(true, 5) ?? of(true, 3), dry: of(true, 1) };
  });
  const corner = async ({ x, y }) => (await colorAt(page, x + 1 - 0.35, y + 1 - 0.35)).join();
  check("closed cells have one colour, open ones another, whatever ground they are", await corner(pure.floor) === await corner(pure.dear) &&
    await corner(pure.wet) === await corner(pure.dry) && await corner(pure.floor) !== await corner(pure.dry), pure);
  check("the legend names them", /open.*closed.*g cost so far/.test(await content(page, "#legend")), await content(page, "#legend"));
  const over = await placeOf(page, pure.dear.x + 1, pure.dear.y + 1);
  await page.mouse.move(over.x, over.y);
  await wait(100);
  const hovered = await page.evaluate(() => ({ card: document.querySelector("#first .card").hidden ? "" : document.querySelector("#first .card").textContent,
    trail: playground.views[0].scene.trail }));
  check("a cell shows its g, h, f and its way back to S", /g [\d.]+ cost so far\nh [\d.]+ .*\nf [\d.]+/.test(hovered.card) && hovered.trail.at(-1).join() === "0,0", hovered);
  await shoot(page, "steps");
  await page.evaluate(() => playground.views[0].zoom(62 / playground.views[0].scale, 60, 60));
  await waitUntilIdle(page);
  const crossing = await page.evaluate(() => {
    const { texts, scale } = playground.views[0];
    const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return { count: texts.length, scale, letters: [...new Set(texts.map((one) => one.text[0]))].join(""),
      crossing: texts.filter((a, i) => texts.slice(i + 1).some((b) => meets(a, b))).map((one) => one.text) };
  });
  check("at 62 px a cell no number reaches into another, and each has its letter", crossing.count > 100 && crossing.letters === "ghf" && crossing.crossing.length === 0, crossing);
  await shoot(page, "numbers");
  await page.evaluate(() => (playground.views[0].fit(), playground.views[0].draw()));
  await page.click("#restart");
  await page.click("#play");
  await page.waitForFunction(() => playground.scene().searches[0].status === "found", { timeout: 60000 }).catch(() => {});
  check("after Play nothing says that it is running", !/running/.test((await content(page, "#output")) + (await content(page, "#status"))), await content(page, "#output"));

  // ---- two side by side ----

  await press(page, "#tasks button", "Two");
  await wait(200);
  const full = await page.evaluate(() => playground.views.map((view) => {
    const [width, height] = view.size, [columns, rows] = view.board.size;
    return (columns * rows * view.scale ** 2) / (width * height);
  }));
  check("two maps fill their boxes", Math.min(...full) > 0.8, full);
  await choose(page, "Weight", "3", "#first .panel");
  check("each panel is its own finder's", (await text(page)).includes('left = grid:finder { algorithm = "astar", weight = 3 }') &&
    (await text(page)).includes('right = grid:finder { algorithm = "dijkstra" }'), await text(page));
  await shoot(page, "two-panels");

  // ---- no way, fields, graphs ----

  await run(page, MAP.replace("1, 1, 14, 6", "1, 1, 9, 5"));
  const stuck = await page.evaluate(() => ({ banner: document.querySelector("#first .banner").textContent, cells: playground.scene().stuck.length }));
  check("what can be reached is shown if there is no way", stuck.banner.startsWith("G cannot be reached") && stuck.cells > 60, stuck);
  await shoot(page, "no-way");
  await run(page, `local astar = require "astar"\nlocal graph = astar.graph()\ngraph:node("inn", 0, 0)\ngraph:node("mill", 30, 10)\ngraph:node("port", 60, 0)
graph:edge("inn", "mill")\ngraph:edge("mill", "port")\nprint(#graph:finder():find_path("inn", "port"))\n`);
  const graph = await page.evaluate(() => playground.scene().graph);
  check("a graph is drawn", graph?.nodes.length === 3 && graph.edges.length === 4 && graph.route.join() === "0,1,2", graph);
  await run(page, `local astar = require "astar"\nlocal field = astar.field(20, 10)\nfield:stamp(6, 4, 4, 10)\nfield:stamp(15, 6, 3, -5)\n`);
  const field = await page.evaluate(() => [playground.scene().grid.width, playground.scene().field.cells.length, playground.scene().field.least, playground.scene().field.most]);
  check("so is a field", field[0] === 20 && field[1] > 40 && field[2] < 0 && field[3] > 0, field);
  await run(page, "print(1)");
  check("a script without a map says so", (await content(page, "#first .banner")).startsWith("This script draws no map"));

  // ---- within another page ----

  const embedded = await open(`${address}?map#lua=${encodeURIComponent(MAP)}`, { width: 600, height: 360 });
  const used = await embedded.evaluate(() => document.querySelector("#first canvas").clientHeight / innerHeight);
  check("a map within another page leaves nothing unused but a line", used > 0.9, used);
  await shoot(embedded, "embedded");

  // ---- a telephone ----

  const phone = await open(address, { width: 390, height: 800, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
  const top = await phone.evaluate(() => ({ top: document.querySelector("#first canvas").getBoundingClientRect().top, scroll: scrollY,
    bottom: document.querySelector("#first canvas").getBoundingClientRect().bottom }));
  check("on a telephone the map comes after little else", top.top < 150 && top.scroll === 0 && top.bottom < 600, top);
  await shoot(phone, "phone-landing");
  const onPhone = await placeOf(phone, 10, 10);
  await phone.touchscreen.tap(onPhone.x, onPhone.y);
  await waitUntilIdle(phone);
  check("a tap does not scroll the page", (await phone.evaluate(() => scrollY)) === 0 && (await keyAt(phone, 10, 10)) === "#");
  await press(phone, "#tasks button", "Crowd");
  await phone.reload();
  await ready(phone);
  const chosen = await phone.evaluate(() => {
    const button = document.querySelector("#tasks [aria-pressed=true]").getBoundingClientRect(), bar = document.querySelector("#tasks");
    return { left: button.left, right: button.right, fades: getComputedStyle(bar).maskImage !== "none" };
  });
  check("the chosen task is in sight after a reload, and the bar fades at its ends", chosen.left >= 0 && chosen.right <= 390 && chosen.fades, chosen);
  await press(phone, "#tasks button", "Step");
  await phone.waitForFunction(() => playground.page.totals, { timeout: 5000 }).catch(() => {});
  const slider = await phone.$("#slider"), box = await slider.boundingBox();
  await phone.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await phone.waitForFunction(() => playground.scene().searches[0].expanded > 20, { timeout: 5000 }).catch(() => check("a finger moves the slider", false));
  await phone.tap("#more");
  check("the rest of the header unfolds", await phone.evaluate(() => document.querySelector("#share").offsetParent !== null));
  await press(phone, "#tasks button", "World");
  await phone.waitForFunction(() => {
    const view = playground.views[0], { width, height, is_world: isWorld } = playground.scene().grid, [west, north, east, south] = view.inSight();
    return isWorld && west >= 0 && north >= 0 && east <= width && south <= height;
  }, { timeout: 8000 }).catch(() => check("a world fills a telephone", false));
  await shoot(phone, "phone-world");

  // ---- the dark ----

  const dark = await open();
  await dark.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }, { name: "prefers-reduced-motion", value: "reduce" }]);
  await dark.reload();
  await ready(dark);
  const paint = await dark.evaluate(() => playground.colors());
  check("walls stand out from the page and the floor in the dark", contrast(paint.wall, parse(paint.back)) > 3 && contrast(paint.wall, paint.floor) > 3,
    contrast(paint.wall, parse(paint.back)), contrast(paint.wall, paint.floor));
  check("and in the light", await page.evaluate(() => playground.colors()).then((light) =>
    contrast(light.wall, parse(light.back)) > 3 && contrast(light.wall, light.floor) > 3));
  for (const [name, which] of [["light", page], ["dark", dark]]) {
    const { fence, path } = await which.evaluate(() => playground.colors());
    const apart = Math.hypot(...parse(fence).map((part, i) => part - parse(path)[i]));
    check(`a fence is not like a route: ${name}`, apart > 120, apart);
  }
  await shoot(dark, "dark-landing");
  await press(dark, "#tasks button", "Step");
  await dark.click("#finish");
  await wait(200);
  await shoot(dark, "dark-steps");
}
