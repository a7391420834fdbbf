// search_check.mjs SITE -- asks the site's search for every call of the reference, by the site's own scripts: by its whole
// name, by what follows the class, as it is written before its arguments. Prints each that does not come first, then how
// many questions there were.

import { readFileSync } from "node:fs";
import { join } from "node:path";
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

function firstOf(question) {
  context.window.location.search = "?q=" + encodeURIComponent(question);
  vm.runInContext(`Search.query(${JSON.stringify(question)})`, context);
  return context.found.at(-1); // shown from the last one on
}

const titles = vm.runInContext("Object.keys(Search._index.alltitles)", context);
const calls = titles.filter((title) => /^(astar(\.[a-z_]+)+|[a-z_]+:[a-z_]+)$/.test(title));
let asked = 0;
for (const call of calls) {
  const short = call.split(/[:.]/).pop();
  for (const question of [call, short, call + "(", short + "()"]) {
    const [page, title] = firstOf(question) ?? ["nothing", ""];
    const name = title.split(" > ").pop(), isWhole = question.startsWith(call);
    if (!page.startsWith("docs/reference/") || (isWhole ? name : name.split(/[:.]/).pop()) !== (isWhole ? call : short)) console.log(`${question}: first comes ${title} of ${page}`);
    asked++;
  }
}
console.log(`${calls.length} calls, ${asked} questions`);
