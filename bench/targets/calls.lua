-- calls.lua -- target 8: the time of calls from Lua to the core and back.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED = support.SEED

local function smallest_query(plan)
  local finder = astar.grid(64, 64):finder()
  local item = support.item(function(n) for _ = 1, n do finder:find_path(30, 30, 31, 30) end end, plan.batch)
  return function() return support.time_of(item) end
end

-- A route around one blocked cell: the shortest route that needs a search.
local function smallest_search(plan)
  local grid = astar.grid(64, 64)
  local finder = grid:finder()
  grid:block(31, 31)
  local item = support.item(function(n) for _ = 1, n do finder:find_path(30, 30, 31, 32) end end, plan.batch)
  return function() return support.time_of(item) end
end

-- The seconds per call of a cost function, less the time of a search with the same costs as data and of Lua's own call.
local function asking_callback(plan)
  local side = math.floor(plan.side / 2)
  local grid, asked = astar.grid(maps.kind("caves").make(SEED, side, side)), 0
  local function cost(_, _, _, given) return given end
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 10))
  support.ask(grid:finder { cost = function(_, _, _, given) asked = asked + 1 return given end }, queries)
  local items = { support.asking(grid:finder { cost = cost }, queries),
    support.asking(grid:finder { algorithm = "astar" }, queries),
    support.item(function(n)
      local sum = 0
      for i = 1, n do sum = sum + cost(i, 7, ".", 2) end
      return sum
    end, plan.batch) }
  local least = { math.huge, math.huge, math.huge }
  return function()
    for i, item in ipairs(items) do least[i] = math.min(least[i], support.time_of(item)) end
    return (least[1] - least[2]) * #queries / asked - least[3]
  end
end

-- Returns the time of path:cells() compiled by LuaJIT, divided by its time interpreted.
local function compiled_cells(plan)
  local path = astar.grid(1000, 2):find_path(1, 1, 1000, 2)
  local function walk(n)
    local sum = 0
    for _ = 1, n do
      for x, y in path:cells() do sum = sum + x + y end
    end
    return sum
  end
  local compiler = rawget(_G, "jit")
  local item = support.item(walk, plan.batch, #path)
  local s = { math.huge, math.huge }
  for _ = 1, math.max(plan.rounds, 5) do
    compiler.on()
    s[1] = math.min(s[1], support.time_of(item))
    compiler.off()
    compiler.flush()
    s[2] = math.min(s[2], support.time_of(item))
  end
  compiler.on()
  return s[1] / s[2]
end

return function(aims, plan)
  support.progress "targets: calls"
  aims:time("8 the shortest query", "us", 0.5, smallest_query(plan), math.max(plan.rounds, 10))
  aims:time("8 the shortest search", "us", 0.5, smallest_search(plan), math.max(plan.rounds, 10))
  aims:time("8 a call of a cost function, beyond Lua's own call", "ns", 30,
    asking_callback(plan), math.max(plan.rounds, 10))
  if rawget(_G, "jit") then aims:most("8 path:cells(): compiled / interpreted", 2, compiled_cells(plan)) end
end
