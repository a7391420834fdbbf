// pack.mjs NAME FILE... -- prints a script that sets globalThis.NAME to a list of files, each deflated and in base64, and tells the
// page so by the event NAME. unpack.js opens them.

import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";

const [name, ...files] = process.argv.slice(2);
const packed = files.map((file) => deflateRawSync(readFileSync(file), { level: 9 }).toString("base64"));
process.stdout.write(`globalThis.${name} = ${JSON.stringify(packed)};\ndispatchEvent(new Event("${name}"));\n`);
