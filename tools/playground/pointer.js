// pointer.js -- mouse, touch and keyboard on a map, told as the same few events: press, move, release of a cell. Two
// fingers, or the wheel, scroll and make larger.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function listen(canvas, view, events) {
  const fingers = new Map();
  let held = null;

  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const cellOf = (event) => {
    const place = view.place(...at(event));
    return { cell: view.board?.cellAt(...place) ?? null, place };
  };

  // Where two fingers are: their middle, and how far they are apart.
  const pinch = () => {
    const [[ax, ay], [bx, by]] = [...fingers.values()];
    return { x: (ax + bx) / 2, y: (ay + by) / 2, apart: Math.hypot(ax - bx, ay - by) };
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return; // asks for the browser's menu
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
    if (fingers.size > 1) {
      if (held) events.cancel();
      held = null;
      return;
    }
    const { cell, place } = cellOf(event);
    if (event.button === 1 || events.isScrolling(cell)) {
      held = "scroll";
    } else if (cell) {
      held = "cell";
      events.press(cell, place, event.pointerType);
    }
  });

  canvas.addEventListener("pointermove", (event) => {
    const { cell, place } = cellOf(event);
    if (!fingers.has(event.pointerId)) return events.hover(cell);
    const before = fingers.size > 1 ? pinch() : null, [oldX, oldY] = fingers.get(event.pointerId);
    const [x, y] = at(event);
    fingers.set(event.pointerId, [x, y]);
    if (before) {
      const now = pinch();
      view.scroll(now.x - before.x, now.y - before.y);
      if (before.apart > 0) view.zoom(now.apart / before.apart, now.x, now.y);
    } else if (held === "scroll") {
      view.scroll(x - oldX, y - oldY);
    } else if (held && cell) {
      events.move(cell, place);
    }
  });

  const end = (event) => {
    fingers.delete(event.pointerId);
    if (held === "cell") events.release(cellOf(event).cell);
    held = null;
    if (event.pointerType === "touch") events.lift(); // a finger that is gone points at nothing
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => events.hover(null));

  // A browser takes a quick stroke for a fling of the page, and the next tap, wherever, for what ends the fling.
  canvas.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, ...at(event));
  }, { passive: false });

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) events.walk(...step, event.shiftKey);
    else if (event.key === "+" || event.key === "=") view.zoom(1.2, ...view.size.map((side) => side / 2));
    else if (event.key === "-") view.zoom(1 / 1.2, ...view.size.map((side) => side / 2));
    else if (!events.key(event.key)) return;
    event.preventDefault();
  });
  canvas.addEventListener("focus", () => events.focus(true));
  canvas.addEventListener("blur", () => events.focus(false));
}
