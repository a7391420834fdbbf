-- A host may have floating-point traps on: an operation on "not a number" or a division by zero then ends the process.
--
-- Where Lua has neither of its own, every example has to run to its end. LuaJIT and Lua 5.1 turn numbers into integers
-- in a way that raises such traps: they cannot run under them, whatever they run.

local process = require "spec.support.process"

local TRAPS = [[
#define _GNU_SOURCE
#include <fenv.h>

__attribute__((constructor)) static void set_traps(void)
{
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
}
]]

describe("under floating-point traps", function()
  local folder = os.tmpname()
  os.remove(folder)
  local library, why = folder .. "/traps.so", nil

  setup(function()
    local compiler = process.quick_compiler()
    if process.is_sanitized then
      why = "a sanitizer's runtime has to be loaded first"
    elseif not compiler then
      why = "needs a C compiler"
    else
      process.shell("mkdir " .. folder)
      local file = assert(io.open(folder .. "/traps.c", "w"))
      file:write(TRAPS)
      file:close()
      local output, status = process.shell(("%s -shared -fPIC -o %s %s/traps.c -lm"):format(compiler, library, folder))
      if status ~= 0 then
        why = "this system has no feenableexcept: " .. output
      elseif select(2, process.run_alone("local t = { [2 ^ 60] = 1, [0.5] = 2 } load('return 1e300, 2 ^ 53')",
        "export LD_PRELOAD=" .. library)) ~= 0 then
        why = "this Lua cannot run under floating-point traps, whatever it runs"
      end
    end
  end)
  teardown(function() process.shell("rm -rf " .. folder) end)

  local function run(code)
    return process.run(code, "export LD_PRELOAD=" .. library)
  end

  it("a division by zero ends the process, and no example divides by zero", function()
    if why then
      pending(why)
      return
    end
    local output, status = run "local zero = #arg return 1 / zero"
    assert.equal(128 + 8, status, output)
    local count = 0
    for name in process.shell "ls examples/*.lua":gmatch "%S+" do
      count = count + 1
      output, status = run(("dofile(%q)"):format(name))
      assert.equal(0, status, name .. ": " .. output)
    end
    assert.is_true(count > 30)
  end)

  it("walkers are saved, graphs without positions searched, and units turned", function()
    if why then
      pending(why)
      return
    end
    local output, status = run [[
      local grid = astar.grid(9, 9)
      local walker = astar.walker(grid:find_path(1, 1, 9, 9), { speed = 0.3 })
      walker:update(1.7)
      astar.load_walker(walker:dump(), grid:finder())
      local graph = astar.graph()
      for name in ("abcd"):gmatch "." do graph:node(name) end
      graph:edge("a", "b", { cost = 2 })
      graph:edge("b", "c", { cost = 0.5 })
      local finder = graph:finder()
      assert(finder:find_path("a", "c").cost == 2.5 and finder:find_path("a", "d") == nil)
      local crowd = astar.crowd(grid:finder(), { seed = 1 })
      local unit = crowd:add(1, 1, { turn = 0.25 })
      unit:go(9, 5)
      for _ = 1, 30 do crowd:update(0.2) end
    ]]
    assert.equal(0, status, output)
  end)
end)
