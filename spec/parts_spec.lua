-- make WITHOUT="crowd world": parts of the library left out. Four builds, in which of any two parts each is there once
-- without the other: one that needs another could not be loaded.

local full = require "spec.support.full"
local process = require "spec.support.process"

local JAM = [[
  local grid = astar.grid("....~~....\n....~~....\n..........", { terrain = { ["."] = 1, ["~"] = 4 } })
  grid:set(1, 3, "~")
  grid:block(5, 3)
  local duck = grid:finder { costs = { ["~"] = 1 } }
  print(duck:find_path(1, 1, 10, 1).cost == 9, grid:find_path(1, 1, 10, 1).cost == 15)
  grid:unblock(5, 3)
  for x, y in grid:find_path(1, 1, 10, 1):cells() do assert(grid:is_walkable(x, y)) end
  print(duck:flow(10, 1):next(3, 2))
  print(astar.walker(duck:find_path(1, 1, 10, 1), { speed = 4 }):update(0.25))
  local queue = astar.queue()
  queue:request(duck, 1, 1, 10, 3, function(path) print(#path) end)
  queue:update { ms = 1000 }
  astar.load(grid:dump())
  print(astar.love.view(grid) ~= nil, astar.floors ~= nil, astar.tiled ~= nil, astar.movingai ~= nil)
]]
local JAM_SAYS = "true\ttrue\n4\t1\n2\t1\tfalse\n10\ntrue\ttrue\ttrue\ttrue\n"

-- What asks each part, and how an error names what is missing.
local PARTS = {
  baking = { things = "baking", "finder:bake()", "finder:baking()", "finder:load_baked('')" },
  crowd = { things = "crowds", "astar.crowd(finder):add(1, 1)" },
  graph = { things = "graphs", "astar.graph():node('a')", "astar.graph.load('')",
    "astar.love.view(grid):draw_graph({})", "astar.tiled.graph { width = 1, height = 1, tilewidth = 1, tileheight = 1, "
      .. "orientation = 'orthogonal', tilesets = {}, layers = {} }" },
  tactics = { things = "tactics", "finder:fov(1, 1, 2)", "finder:min_cut(1, 1, 3, 3)", "finder:chokepoints(1, 1, 3, 3)",
    "finder:spread({ 1, 1 }, 3)", "finder:desire_map { { finder:flow(1, 1), 1 } }" },
  workers = { things = "workers", "astar.workers(1)", "astar.queue { workers = 1 }" },
  world = { things = "worlds", "astar.world { load = function() end }" },
}

local function ask(build, code)
  local prelude = ("package.path = %q package.cpath = %q local astar = require 'astar'\n"):format(package.path,
    build .. "/?.so")
  return process.run_alone(prelude .. code)
end

describe("a build without", function()
  local reason = process.is_sanitized and "a sanitizer's runtime is in every program"
    or not process.shell "command -v cc":find "%S" and "needs a compiler"
  local lua = rawget(_G, "jit") and "luajit" or _VERSION:match "%d.%d"

  local BUILDS = { "baking crowd graph", "baking workers world", "crowd tactics workers", "graph tactics world" }
  for _, without in ipairs(BUILDS) do
    local build = ("build/whole/%s-without-%s"):format(lua, without:gsub(" ", "-"))

    local function make()
      local COMMAND = "make -s all WHOLE=1 CFLAGS=-O0 WERROR=1 SANITIZE= CC=%s LUA=%s WITHOUT='%s'"
      local output, status = process.shell(COMMAND:format(process.quick_compiler(), lua, without))
      assert.equal(0, status, output)
    end

    local define = without == "graph tactics world" and it or full.only(it)
    define(without .. " does all that a jam needs, and says what it was built without", function()
      if reason then
        pending(reason)
      end
      make()
      assert.equal(JAM_SAYS, (ask(build, JAM)))
      for part, questions in pairs(PARTS) do
        for _, question in ipairs(questions) do
          local answer = ask(build, ("local grid = astar.grid(3, 3) local finder = grid:finder() local ok, why = "
            .. "pcall(function() %s end) print(ok or why)"):format(question))
          local refusal = ("astar was built without %s: WITHOUT=%s\n"):format(questions.things, part)
          local is_refused = answer:sub(-#refusal) == refusal
          local is_out = without:find(part, 1, true) ~= nil
          assert.equal(is_out, is_refused, question .. ": " .. answer)
        end
      end
    end)
  end

  it("refuses the name of an unknown part, and lists the valid parts", function()
    local output, status = process.shell "make -n all WITHOUT='crowds world'"
    assert.is_true(status ~= 0)
    assert.matches("WITHOUT may hold baking crowd graph tactics workers world, got 'crowds'", output)
  end)
end)
