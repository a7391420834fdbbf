// offering.js -- what the editor offers behind a dot or a colon: the calls and fields of the object that is called so or
// was made by a call that gives such, or of all where neither is known.

import { syntaxTree } from "@codemirror/language";
import calls from "calls.json";

const OF_LUA = ["string", "table", "math", "io", "os", "utf8", "coroutine", "debug"];

function option({ of, name, arguments: list, told }, isKnown) {
  return { label: name, type: list ? "function" : "property", detail: list, info: told && (isKnown ? told : `of ${of}: ${told}`) };
}

// What a variable holds: by what it was set to, or by what it is called.
function classOf(name, text) {
  const maker = new RegExp(`\\b${name}\\b(?:\\s*,\\s*\\w+)*\\s*=\\s*(?:\\w+[.:])*(\\w+)\\s*[({"[]`).exec(text)?.[1];
  return calls.find((one) => one.name === maker && one.gives)?.gives ?? name;
}

export function offer(context) {
  const before = context.matchBefore(/[A-Za-z_]\w*[.:]\w*/);
  if (!before || /string|comment/.test(syntaxTree(context.state).resolveInner(context.pos, -1).name)) return null;
  const [, object, mark] = /^(\w+)([.:])/.exec(before.text);
  if (OF_LUA.includes(object)) return null;
  const fitting = calls.filter((one) => one.isField === (mark === "."));
  const its = classOf(object, context.state.doc.toString());
  const known = fitting.filter(({ of }) => of === its), shown = new Map();
  for (const one of known.length > 0 ? known : fitting.filter(({ of }) => of !== "astar")) {
    if (!shown.has(one.name)) shown.set(one.name, option(one, known.length > 0));
  }
  return { from: before.from + object.length + 1, options: [...shown.values()], validFor: /^\w*$/ };
}
