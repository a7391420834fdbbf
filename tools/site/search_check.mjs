// search_check.mjs SITE -- runs the site's own search scripts. It searches for every call of the reference, by its whole name and by the
// part after the class, with and without a parenthesis: an entry of the reference must come first. It searches for every word of
// topics.txt: the section named there must come first, unless an entry of the reference has that name. Pages for those who work on astar
// must come after all others. Prints each search that fails, then how many searches there were.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const site = process.argv[2];
const read = (name) => readFileSync(join(site, name), "utf8");
const element = { remove() {}, set textContent(_) {} };
const context = vm.createContext({
  URLSearchParams, console, SPHINX_HIGHLIGHT_ENABLED: false, _ready() {}, _: (text) => text,
  window: { location: { search: "" } },
  document: { getElementById: () => element, addEventListener() {} },
});
for (const name of ["_static/language_data.js", "_static/searchtools.js", "searchindex.js"]) {
  vm.runInContext(read(name).replace("const _displayNextItem =", "let _displayNextItem ="), context, name);
}
vm.runInContext("_displayNextItem = (results) => { found = results; };", context);

let searches = 0;
const last = vm.runInContext("LAST", context);

// Returns the results, the best one first.
function search(words) {
  context.window.location.search = "?q=" + encodeURIComponent(words);
  vm.runInContext(`Search.query(${JSON.stringify(words)})`, context);
  searches++;
  const results = [...context.found].reverse(); // Sphinx shows them from the last one on
  const pages = results.map(([page]) => last.includes(page));
  if (pages.indexOf(true) >= 0 && pages.lastIndexOf(false) > pages.indexOf(true)) console.log(`${words}: a page of developers is not last`);
  return results;
}

const titles = vm.runInContext("Object.keys(Search._index.alltitles)", context);
const calls = titles.filter((title) => /^(astar(\.[a-z_]+)+|[a-z_]+:[a-z_]+)$/.test(title));
const isCall = new Set();
for (const call of calls) {
  const short = call.split(/[:.]/).pop();
  isCall.add(short);
  for (const words of [call, short, call + "(", short + "()"]) {
    const [page, title] = search(words)[0] ?? ["nothing", ""];
    const name = title.split(" > ").pop(), isWhole = words.startsWith(call);
    const isRight = isWhole ? name === call : name.split(/[:.]/).pop() === short;
    if (!page.startsWith("docs/reference/") || !isRight) console.log(`${words}: first comes ${title} of ${page}`);
  }
}

let topics = 0;
const lines = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "topics.txt"), "utf8").split("\n");
for (const [, page, section, words] of lines.map((line) => line.match(/^([\w/]+)#([\w-]*): (.*)$/)).filter(Boolean)) {
  for (const word of words.split(", ")) {
    const [first, title, anchor] = search(word).find(([, title]) => !isCall.has(word.toLowerCase()) || title === word.toLowerCase()) ?? ["nothing", "", ""];
    if (first !== page || section && anchor !== "#" + section) console.log(`${word}: first comes ${title} of ${first}${anchor}`);
    topics++;
  }
}
console.log(`${calls.length} calls, ${topics} topics, ${searches} searches`);
