// search.js -- the order of the search results. A call or an option comes first by its name, then a word of topics.txt. If several
// classes have a call of that name, CLASSES is their order. Pages for those who work on astar come last.

const CLASSES = ["grid", "finder", "flow", "path", "walker", "search", "queue", "field", "crowd", "unit", "job"];
const LAST = ["CHANGELOG", "CONTRIBUTING", "ARCHITECTURE", "docs/development", "docs/targets", "docs/extending"];

const searched = () => (new URLSearchParams(window.location.search).get("q") || "").trim().toLowerCase().replace(/\s+/g, " ");

var Scorer = { // eslint-disable-line
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  score: ([page, title, anchor, description, score]) => {
    if (LAST.includes(page)) return score - 1000;
    const name = title.toLowerCase(), words = searched(), callName = words.replace(/\(.*$/, "");
    if (description?.startsWith("topic")) return name === words ? 800 : score;
    if (!anchor || !page.startsWith("docs/reference/") || name.includes(" ")) return score;
    if (name !== callName && name.split(/[:.]/).pop() !== callName) return score;
    const rank = CLASSES.indexOf(page.slice("docs/reference/".length));
    return (name === callName ? 900 : 1000) - (rank < 0 ? CLASSES.length : rank);
  },
};
