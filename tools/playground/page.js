// page.js -- what the page has and is at: its places, the two maps, and what was answered, chosen and pressed last. Who
// changes it shows it.

import { View } from "./view.js";

export const find = (id) => document.getElementById(id);

const figures = [find("first"), find("second")];

export const panes = figures.map((figure) => {
  const canvas = figure.querySelector("canvas");
  return { figure, caption: figure.firstElementChild, canvas, view: new View(canvas), banner: figure.querySelector(".banner"),
    card: figure.querySelector(".card"), panel: figure.querySelector(".panel") };
});

export const page = {
  editor: null, runner: null, choose: null, // main.js puts them together
  scene: null, // what was answered last
  brush: null, brushBefore: null, isClickable: false,
  shownTask: null,
  wasWorld: false, // nothing is painted on one, so its only brush is no choice of anybody's
  refusal: null, // why the map was not edited
  cursor: null, isFocused: false, drag: null, linking: null,
  totals: null, // of the searches shown: how many expansions each makes to its end, and how long that takes
  reasons: new Map(), // why a value of an option cannot be chosen now, by "finder option value"
  isLanding: false, // until the first stroke: the page says what one can do
  trace: null, // the search that is played as the page opens: { cells, parts, part }
  seed: 7,
  own: null, // what of the script is one's own: its "map" that was painted, or its "text"
  mine: [], // scripts with something of one's own that gave way to others, the last one last
};
