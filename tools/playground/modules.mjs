// modules.mjs FOLDER FILE... -- prints the Lua modules of a folder and those below, and files beside them, as JSON: sources by name.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const modules = {};
function take(folder, prefix) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = entry.name, path = join(folder, name);
    if (entry.isDirectory()) take(path, `${prefix}.${name}`);
    if (!name.endsWith(".lua") || name.endsWith(".d.lua")) continue;
    const source = readFileSync(path, "utf8");
    modules[`${prefix}.${basename(name, ".lua")}`] = source;
    if (name === "init.lua") modules[prefix] = source; // as Lua finds it by either name
  }
}
take(folder, basename(folder));
for (const file of files) modules[basename(file, ".lua")] = readFileSync(file, "utf8");
process.stdout.write(JSON.stringify(modules));
