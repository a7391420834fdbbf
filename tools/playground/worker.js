// worker.js -- Lua with astar, in a worker so that the page stays alive whatever a script does. Each message is a call of
// recorder.lua: { id, name, argument }; the answer { id, state, bytes } is what that describes.

import createLua from "lua.js"; // by emcc, of host.c
import modules from "modules.json"; // Lua's sources by module

function serve(lua) {
  const open = lua.cwrap("host_open", null, []);
  const add = lua.cwrap("host_add", "number", ["string", "string", "number"]);
  const lengthOf = lua.cwrap("host_length", "number", []);

  function reset() {
    open();
    for (const [name, source] of Object.entries(modules)) {
      add(name, source, lua.lengthBytesUTF8(source));
    }
  }

  // Long scripts are handed over in the heap: the stack is small.
  function call(name, argument) {
    const size = lua.lengthBytesUTF8(argument);
    const pointer = lua._malloc(size + 1);
    lua.stringToUTF8(argument, pointer, size + 1);
    const answer = lua.ccall("host_call", "number", ["string", "number", "number"], [name, pointer, size]);
    lua._free(pointer);
    return lua.HEAPU8.slice(answer, answer + lengthOf());
  }

  function read(answer) {
    const end = answer.indexOf(0);
    if (end < 0) { // no memory for an answer
      const message = new TextDecoder().decode(answer);
      return { state: { output: "", problem: { message } }, bytes: new Uint8Array(0) };
    }
    return { state: JSON.parse(new TextDecoder().decode(answer.subarray(0, end))), bytes: answer.slice(end + 1) };
  }

  reset();
  onmessage = ({ data: { id, name, argument } }) => {
    if (name === "run") reset();
    const { state, bytes } = read(call(name, String(argument)));
    postMessage({ id, state, bytes }, [bytes.buffer]);
  };
  postMessage({ id: "ready" });
}

// The first message is Lua in wasm.
onmessage = ({ data }) => createLua({ wasmBinary: data }).then(serve);
