// pictures.mjs SITE PARTS FOLDER -- makes the playground's pictures for the manual in FOLDER: playground.png, and playground.gif, in which
// a wall is painted across the route and the goal is dragged, while the script changes beside the map. It needs ffmpeg and gifsicle.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, parts, folder] = process.argv.slice(2);
const puppeteer = createRequire(resolve(parts, "package.json"))("puppeteer-core");
const frames = join(parts, "frames");
rmSync(frames, { recursive: true, force: true });
mkdirSync(frames, { recursive: true });

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function open(width, height) {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }, { name: "prefers-color-scheme", value: "light" }]);
  await page.goto(pathToFileURL(resolve(site, "index.html")).href);
  await page.waitForFunction(() => globalThis.playground);
  await page.evaluate(() => playground.began);
  await wait(300);
  return page;
}

const still = await open(1280, 800);
await still.evaluate(() => [...document.querySelectorAll("#tasks button")].find((one) => one.textContent === "Flow").click());
await still.waitForFunction(() => playground.scene().flow, { timeout: 20000 });
await wait(1000);
await still.screenshot({ path: join(frames, "playground.png") });

const page = await open(1280, 760);
// The hand, which no screenshot has by itself.
await page.evaluate(() => {
  const hand = document.createElement("div");
  hand.style.cssText = "position:fixed;width:18px;height:18px;border-radius:50%;border:2px solid #20242c;background:rgba(255,255,255,.55);" +
    "margin:-9px 0 0 -9px;z-index:9;pointer-events:none;left:-40px";
  document.body.append(hand);
  addEventListener("pointermove", (event) => (hand.style.left = `${event.clientX}px`, hand.style.top = `${event.clientY}px`), true);
});
const placeOf = (x, y) => page.evaluate((x, y) => {
  const view = playground.views[0], box = view.canvas.getBoundingClientRect(), [px, py] = view.pixel(x - 1, y - 1);
  return [box.left + px, box.top + py];
}, x, y);
let count = 0;
const frame = async (times = 1) => {
  await page.evaluate(() => playground.runner.finished);
  for (let i = 0; i < times; i++) await page.screenshot({ path: join(frames, `frame${String(count++).padStart(3, "0")}.png`) });
};
const to = async (x, y) => page.mouse.move(...await placeOf(x, y));

await to(14, 12);
await frame(4);
await page.mouse.down();
for (const [x, y] of [[13, 13], [13, 14], [13, 15], [13, 16], [14, 17], [15, 18], [16, 18], [17, 18], [18, 18]]) {
  await to(x, y);
  await frame(2);
}
await page.mouse.up();
await frame(5);
for (const [x, y] of [[22, 19], [26, 20], [30, 20]]) {
  await to(x, y);
  await frame();
}
await page.mouse.down();
for (const [x, y] of [[30, 18], [30, 15], [29, 12], [29, 9], [28, 6], [27, 4], [27, 3]]) {
  await to(x, y);
  await frame(2);
}
await page.mouse.up();
await frame(8);
await browser.close();

const paletteOf = (colors) => `split[a][b];[a]palettegen=max_colors=${colors}:stats_mode=full[p];[b][p]paletteuse=dither=none`;
execFileSync("ffmpeg", ["-loglevel", "error", "-y", "-i", join(frames, "playground.png"), "-vf", paletteOf(200), join(folder, "playground.png")]);
execFileSync("ffmpeg", ["-loglevel", "error", "-y", "-framerate", "8", "-i", join(frames, "frame%03d.png"), "-vf",
  `scale=800:-1:flags=lanczos,${paletteOf(48)}`, join(frames, "playground.gif")]);
execFileSync("gifsicle", ["-O3", join(frames, "playground.gif"), "-o", join(folder, "playground.gif")]);
console.log(`${count} frames; ${readdirSync(folder).filter((name) => name.startsWith("playground")).join(", ")}`);
