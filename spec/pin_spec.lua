-- That the module's code stays in memory: a library is loaded once more, never to be unloaded; a module that is linked
-- into the program beside Lua asks for no library, for where there is no loader, as in wasm, that ends the process.

local process = require "spec.support.process"

-- Stands for Lua and for the system's loader, and tells how often that was asked.
local PROGRAM = [[
#include "binding/lua_pin.h"
#include <lua.h>
#include <stdio.h>
static int loads;
void *dlopen(const char *file, int mode) { (void)file, (void)mode; loads++; return NULL; }
int lua_gettop(lua_State *L) { return L != NULL; }
int main(void) { astarL_pin(); printf("%d\n", loads); return 0; }
]]

describe("the module's code", function()
  if process.is_sanitized then
    it("stays loaded after its Lua state is closed", function() pending "a sanitizer's runtime is in every program" end)
    return
  end

  local folder, headers

  setup(function()
    folder = process.shell "mktemp -d":match "%S+"
    local file = assert(io.open(folder .. "/program.c", "w"))
    file:write(PROGRAM)
    file:close()
    local lua = rawget(_G, "jit") and "luajit" or _VERSION:match "%d.%d"
    headers = process.shell(("LUA=%s sh tools/need.sh headers"):format(lua)):gsub("%s+$", "")
  end)
  teardown(function() process.shell("rm -r " .. folder) end)

  -- How often the loader is asked, of a program made by these commands in the folder of the sources.
  local function loads(commands)
    if process.shell "command -v ${CC:-cc}" == "" then return pending "no C compiler: set CC" end
    local values = { cc = "${CC:-cc} -std=c11 -Isrc " .. headers, folder = folder }
    return (process.shell((commands:gsub("{(%w+)}", values):gsub("%s+$", ""))))
  end

  it("is loaded a second time if the module is a library of its own", function()
    assert.equal("1\n", loads [[
      {cc} -shared -fPIC -o {folder}/pin.so src/binding/lua_pin.c &&
      {cc} -rdynamic -o {folder}/program {folder}/program.c {folder}/pin.so -ldl && {folder}/program
    ]])
  end)

  it("is not loaded again if it is linked into one program with Lua", function()
    assert.equal("0\n", loads [[
      {cc} -o {folder}/program {folder}/program.c src/binding/lua_pin.c -ldl && {folder}/program
    ]])
  end)
end)
