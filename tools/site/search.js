// search.js -- how the site's search weighs what it finds: a call by its name comes first, or an option, of several of one name
// that of the class that stands first here.

const CLASSES = ["grid", "finder", "flow", "path", "walker", "search", "queue", "field", "crowd", "unit", "job"];

const asked = () => (new URLSearchParams(window.location.search).get("q") || "").trim().toLowerCase().replace(/\(.*$/, "");

var Scorer = { // eslint-disable-line
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  score: ([page, title, anchor, , score]) => {
    const call = title.toLowerCase();
    if (!anchor || !page.startsWith("docs/reference/") || call.includes(" ")) return score;
    const name = asked();
    if (call !== name && call.split(/[:.]/).pop() !== name) return score;
    const rank = CLASSES.indexOf(page.slice("docs/reference/".length));
    return (call === name ? 900 : 1000) - (rank < 0 ? CLASSES.length : rank);
  },
};
