// modules.mjs FOLDER FILE... -- prints the Lua modules of a folder and those below, and files beside them, as JSON: sources by name.
// Comments and indentation go, and line numbers stay.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const modules = {};

// Keeps what stands in long strings: a file that has one keeps its lines as they are.
function slim(source) {
  if (/\[=*\[/.test(source.replace(/^\s*--.*$/gm, ""))) return source;
  return source.split("\n").map((line) => (/^\s*--/.test(line) ? "" : line.replace(/^\s+/, ""))).join("\n");
}

function take(folder, prefix) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = entry.name, path = join(folder, name);
    if (entry.isDirectory()) take(path, `${prefix}.${name}`);
    if (!name.endsWith(".lua") || name.endsWith(".d.lua")) continue;
    const source = slim(readFileSync(path, "utf8"));
    modules[`${prefix}.${basename(name, ".lua")}`] = source;
    if (name === "init.lua") modules[prefix] = source; // as Lua finds it by either name
  }
}
take(folder, basename(folder));
for (const file of files) modules[basename(file, ".lua")] = slim(readFileSync(file, "utf8"));
process.stdout.write(JSON.stringify(modules));
