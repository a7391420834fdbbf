// modules.mjs FOLDER FILE... -- prints the Lua modules of a folder, and files beside them, as JSON: sources by name.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const modules = {};
for (const name of readdirSync(folder).filter((file) => file.endsWith(".lua") && !file.endsWith(".d.lua"))) {
  const module = name === "init.lua" ? basename(folder) : `${basename(folder)}.${basename(name, ".lua")}`;
  modules[module] = readFileSync(join(folder, name), "utf8");
}
for (const file of files) modules[basename(file, ".lua")] = readFileSync(file, "utf8");
process.stdout.write(JSON.stringify(modules));
