// colors.js -- the map's colours, by day and by night.

const LIGHT = {
  floor: [250, 248, 242], dear: [176, 140, 96], wall: [58, 66, 82], ",": [203, 226, 176], "^": [219, 196, 158],
  "~": [160, 200, 232], line: "rgba(40, 40, 60, 0.10)", back: "#e8e5dc", path: "#c2185b", other: "#6a1b9a",
  open: [255, 190, 50], closed: [136, 180, 248], ink: "#20242c", start: "#1b7f3b", goal: "#c62828", unit: "#3949ab",
  link: "#8e24aa", fence: "#3b2a1a", arrow: "rgba(30, 36, 60, 0.72)", near: [255, 221, 110], far: [92, 128, 226], mark: "#ffffff",
  quiet: [247, 247, 247], quietDear: [190, 190, 190], reached: [176, 222, 168], trail: "#20242c",
};

const DARK = {
  floor: [46, 51, 60], dear: [112, 88, 58], wall: [146, 153, 168], ",": [50, 72, 42], "^": [84, 70, 48],
  "~": [34, 72, 104], line: "rgba(255, 255, 255, 0.06)", back: "#16181c", path: "#ff6fa5", other: "#c792ea",
  open: [214, 142, 20], closed: [44, 92, 168], ink: "#f2f2f2", start: "#2ea043", goal: "#e5534b", unit: "#8ea2ff",
  link: "#d783ee", fence: "#8fe3ff", arrow: "rgba(255, 255, 255, 0.7)", near: [190, 146, 30], far: [46, 64, 160], mark: "#ffffff",
  quiet: [46, 48, 52], quietDear: [76, 78, 82], reached: [44, 98, 62], trail: "#f2f2f2",
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

// The ground in greys, so that the colours of a search, a flow or a field over it are pure.
export function quiet({ cost }) {
  const all = colors();
  if (cost === false) return all.wall;
  return mix(all.quiet, all.quietDear, Math.min(1, Math.log2(Math.max(1, cost)) / 3));
}

export function between(near, far, part) {
  return mix(near, far, Math.min(1, Math.max(0, part)));
}

export const css = ([r, g, b], alpha = 1) => `rgba(${r}, ${g}, ${b}, ${alpha})`;
