// calls.mjs ANNOTATIONS -- prints the calls and fields that core.d.lua annotates as JSON, for the editor to offer:
// { of: "grid", name, arguments, told: its first sentence, gives: "path" }.

import { readFileSync } from "node:fs";

// What the objects of a class are called in scripts, where that is not the class's own name.
const OBJECTS = { graphfinder: "finder", graphpath: "path", graphsearch: "search", graphreach: "reach", joinedgraph: "joined",
  worldfinder: "finder", routesearch: "search", resolving: "job" };
const objectOf = (name) => OBJECTS[name.toLowerCase()] ?? name.toLowerCase();
const sentence = (text) => text.replace(/`/g, "").replace(/\s+/g, " ").trim().replace(/^(.*?[.:])( .*|$)/, "$1").replace(/[.:]$/, "");

const calls = [];
let said = [], fields = [], gives;
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  const field = /^---@field ([a-z_]\w*)\?? ((?:"[^"]*"|\S)+) ?(.*)/.exec(line);
  const table = /^local (\w+) = \{\}/.exec(line), call = /^function (\w+(?:\.\w+)*)([.:])(\w+)(\(.*?\))/.exec(line);
  if (field) fields.push({ name: field[1], arguments: "", told: sentence(field[3] || said.join(" ")) });
  else if (line.startsWith("---@")) gives ??= objectOf(/^---@return astar\.(\w+)\b(?!\[)/.exec(line)?.[1] ?? "") || undefined;
  else if (line.startsWith("---")) said.push(line.slice(3));
  else {
    if (table) for (const one of fields) calls.push({ of: objectOf(table[1]), ...one, isField: true });
    if (call) calls.push({ of: objectOf(call[1]), name: call[3], arguments: call[4], told: sentence(said.join(" ")), isField: call[2] === ".", gives });
    [said, fields, gives] = [[], [], undefined];
  }
  if (field) said = [];
}
process.stdout.write(JSON.stringify(calls));
