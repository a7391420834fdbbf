// colors.js -- the map's colours, by day and by night.

const LIGHT = {
  floor: [250, 248, 242], dear: [176, 140, 96], wall: [58, 66, 82], ",": [203, 226, 176], "^": [219, 196, 158],
  "~": [160, 200, 232], line: "rgba(40, 40, 60, 0.10)", back: "#e8e5dc", path: "#c2185b", other: "#6a1b9a",
  open: [46, 160, 67], closed: [240, 150, 40], ink: "#20242c", start: "#1b7f3b", goal: "#c62828", unit: "#3949ab",
  link: "#8e24aa", fence: "#b71c1c", arrow: "rgba(30, 36, 60, 0.62)", near: [255, 214, 96], far: [70, 90, 200], mark: "#ffffff",
};

const DARK = {
  floor: [44, 49, 58], dear: [112, 88, 58], wall: [13, 15, 18], ",": [50, 72, 42], "^": [84, 70, 48],
  "~": [34, 72, 104], line: "rgba(255, 255, 255, 0.06)", back: "#16181c", path: "#ff6fa5", other: "#c792ea",
  open: [64, 196, 99], closed: [214, 126, 32], ink: "#f2f2f2", start: "#2ea043", goal: "#e5534b", unit: "#8ea2ff",
  link: "#d783ee", fence: "#ff6b60", arrow: "rgba(255, 255, 255, 0.55)", near: [230, 190, 70], far: [58, 74, 170], mark: "#ffffff",
};

const night = matchMedia("(prefers-color-scheme: dark)");

export function colors() {
  return night.matches ? DARK : LIGHT;
}

export function onColorsChanged(call) {
  night.addEventListener("change", call);
}

const mix = (a, b, part) => a.map((value, i) => Math.round(value + (b[i] - value) * part));

// Red, green, blue of a kind of ground: those that are known by their key, others the darker the dearer.
export function ground({ key, cost }) {
  const all = colors();
  if (cost === false) return all.wall;
  if (all[key] && key.length === 1) return all[key];
  return mix(all.floor, all.dear, Math.min(1, Math.log2(Math.max(1, cost)) / 5));
}

export function between(near, far, part) {
  return mix(near, far, Math.min(1, Math.max(0, part)));
}

export const css = ([r, g, b], alpha = 1) => `rgba(${r}, ${g}, ${b}, ${alpha})`;
