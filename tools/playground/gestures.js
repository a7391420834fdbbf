// gestures.js -- what is done on a map by mouse, touch and keys: see pointer.js for which of them it was.

import { onColorsChanged } from "./colors.js";
import { brushes } from "./controls.js";
import { find, page, panes } from "./page.js";
import { floor, keyAt, line, paint, putEnd, putFence, putLink } from "./painting.js";
import { listen } from "./pointer.js";
import { chooseBrush, endLanding } from "./scripting.js";
import { ends, show, showControls } from "./showing.js";

const same = (a, b) => a && b && a[0] === b[0] && a[1] === b[1];

function events(view) {
  // A hand over what can be dragged.
  const point = (cell) => {
    const { start, goal } = ends(), isEnd = same(cell, start) || same(cell, goal);
    view.canvas.style.cursor = page.drag?.end ? "grabbing" : isEnd && !["link", "fence", "order"].includes(page.brush) ? "grab"
      : page.brush === "scroll" ? "move" : page.brush === "order" ? "pointer" : "";
  };
  return {
    isScrolling: (cell) => page.brush === "scroll" && !(same(cell, ends().start) || same(cell, ends().goal)),
    press(cell, place) {
      const { start, goal } = ends();
      page.cursor = cell;
      page.refusal = null;
      if (page.isLanding) endLanding(), show();
      if (page.brush === "order") return page.runner.ask("click", `${cell[0] + page.scene.grid.x0} ${cell[1] + page.scene.grid.y0}`);
      if (page.brush === "link") return void ((page.drag = { link: cell }), (page.linking = null));
      if (page.brush === "fence") return putFence(cell, place, view);
      if (same(cell, goal)) page.drag = { end: "goal", last: cell };
      else if (same(cell, start)) page.drag = { end: "start", last: cell };
      if (page.drag) return point(cell);
      if (page.brush === "scroll") return undefined;
      const key = page.brush.slice("ground ".length);
      const old = keyAt(cell);
      page.drag = { key: old === key ? floor() : key, last: cell, takeBack: () => paint([cell], old, true) };
      return paint([cell], page.drag.key);
    },
    move(cell) {
      if (!page.drag || same(cell, page.drag.last)) return;
      page.cursor = cell;
      if (page.drag.link) page.linking = [...page.drag.link, ...cell], show();
      else if (page.drag.end) putEnd(page.drag.end, cell, page.drag.goesOn), page.drag.goesOn = true;
      else paint(line(page.drag.last, cell), page.drag.key, true);
      page.drag.last = cell;
    },
    release(cell) {
      if (page.drag?.link && cell) putLink(page.drag.link, cell);
      page.drag = null;
      point(cell);
    },
    lift() {
      page.cursor = null;
      show();
    },
    cancel() { // what seemed to paint was the first of two fingers
      page.drag?.takeBack?.();
      page.drag = page.linking = null;
    },
    hover(cell) {
      point(cell);
      page.pane = panes.findIndex((pane) => pane.view === view);
      if (page.drag || same(cell, page.cursor) || (page.isFocused && !cell)) return;
      page.cursor = cell;
      show();
    },
    focus(focused) {
      page.isFocused = focused;
      page.pane = panes.findIndex((pane) => pane.view === view);
      if (focused && !page.cursor && page.scene && view.canvas.matches(":focus-visible")) page.cursor = ends().start ?? [0, 0];
      if (!focused) page.cursor = null;
      show();
    },
    walk(dx, dy, isPainting) {
      const { width, height } = page.scene.grid;
      page.cursor ??= ends().start ?? [0, 0];
      page.cursor = [Math.min(width - 1, Math.max(0, page.cursor[0] + dx)), Math.min(height - 1, Math.max(0, page.cursor[1] + dy))];
      if (isPainting && page.brush.startsWith("ground")) paint([page.cursor], page.brush.slice("ground ".length));
      if (page.linking) page.linking = [...page.linking.slice(0, 2), ...page.cursor];
      view.reveal(page.cursor);
      show();
    },
    key(key) {
      return pressKey(key, this, view);
    },
  };
}

function pressKey(key, { press, release }, view) {
  page.cursor ??= ends().start ?? [0, 0];
  const list = brushes(page.editor.text, { isClickable: page.isClickable, isWorld: page.scene.grid.is_world || page.scene.grid.isBlank });
  if (key === " " || key === "Enter") {
    if (page.brush === "link" && page.linking) putLink(page.linking.slice(0, 2), page.cursor);
    else if (page.brush === "link") page.linking = [...page.cursor, ...page.cursor];
    else if (press(page.cursor, view.board.center(...page.cursor).map((at, i) => at + (i ? 0 : 0.4))), page.drag) release(page.cursor);
  } else if (key === "s" || key === "g") putEnd(key === "s" ? "start" : "goal", page.cursor);
  else if (key === "n") find("step").click();
  else if (key === "p") find("play").click();
  else if (key === "0") panes.forEach((pane) => (pane.view.fit(), pane.view.draw()));
  else if (list[key - 1]) chooseBrush(list[key - 1].name);
  else return false;
  return true;
}

// Asks for the part of a world that is in sight, with a margin, as soon as it reaches beyond the part that is there. One query at a time.
async function lookOn(view) {
  const { grid } = page.scene ?? {};
  if (!grid?.is_world || view.isLooking || view.scene?.grid !== grid) return;
  const [west, north, east, south] = view.inSight();
  if (west >= 0 && north >= 0 && east <= grid.width && south <= grid.height) return;
  const across = Math.ceil((east - west) * 0.3), down = Math.ceil((south - north) * 0.3);
  view.isLooking = true;
  await page.runner.ask("camera", [grid.x0 + west - across, grid.y0 + north - down, east - west + 2 * across, south - north + 2 * down].join(" "));
  view.isLooking = false;
  if (page.scene.grid !== grid) lookOn(view);
}

export function listenToMaps() {
  for (const { canvas, view } of panes) {
    view.onScrolled = () => lookOn(view);
    listen(canvas, view, events(view));
    new ResizeObserver(() => view.refit()).observe(canvas);
  }
  onColorsChanged(() => (showControls(), show()));
}
