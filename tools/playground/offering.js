// offering.js -- what the editor offers behind a dot or a colon: the calls and fields of the object that is called so, or
// of all where it is called otherwise.

import { syntaxTree } from "@codemirror/language";
import calls from "calls.json";

const OF_LUA = ["string", "table", "math", "io", "os", "utf8", "coroutine", "debug"];

function option({ of, name, arguments: list, told }, isKnown) {
  return { label: name, type: list ? "function" : "property", detail: list, info: told && (isKnown ? told : `of ${of}: ${told}`) };
}

export function offer(context) {
  const before = context.matchBefore(/[A-Za-z_]\w*[.:]\w*/);
  if (!before || /string|comment/.test(syntaxTree(context.state).resolveInner(context.pos, -1).name)) return null;
  const [, object, mark] = /^(\w+)([.:])/.exec(before.text);
  if (OF_LUA.includes(object)) return null;
  const fitting = calls.filter((one) => one.isField === (mark === "."));
  const known = fitting.filter(({ of }) => of === object), shown = new Map();
  for (const one of known.length > 0 ? known : fitting.filter(({ of }) => of !== "astar")) {
    if (!shown.has(one.name)) shown.set(one.name, option(one, known.length > 0));
  }
  return { from: before.from + object.length + 1, options: [...shown.values()], validFor: /^\w*$/ };
}
