-- choice.lua -- whether "auto" takes the faster algorithm among random obstacles.
--
-- On ground of one cost with random obstacles, A* and jump point search are each the faster one at some share of
-- blocked cells and some distance. The core predicts which one (distance_for_steps in src/search/run.c). Each row has
-- both by name beside "auto", on the same queries by turns; the last column should stay near 1.

local astar = require "astar"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local UNITS = {
  { "eight moves", {} }, { "diagonals of 1.4", { diagonal_cost = 1.4 } },
  { "diagonals of 1", { diagonal_cost = 1 } }, { "four moves", { diagonals = "never" } },
}
local BY = { "auto", "astar", "jps" }

-- Pairs of free cells anywhere on a map. On maps.field, routes lead from each free cell to all others.
local function queries_on(grid, side, count, dice)
  local list = {}
  while #list < count do
    local sx, sy, gx, gy = dice:int(1, side), dice:int(1, side), dice:int(1, side), dice:int(1, side)
    if grid:is_walkable(sx, sy) and grid:is_walkable(gx, gy) then list[#list + 1] = { sx, sy, gx, gy } end
  end
  return list
end

-- The least seconds of all queries by each of BY.
local function time_all(grid, options, list, plan)
  local items, least = {}, {}
  for i, algorithm in ipairs(BY) do
    local own = { algorithm = algorithm }
    for name, value in pairs(options) do own[name] = value end
    local finder = grid:finder(own)
    items[i] = support.item(function(n)
      for _ = 1, n do
        for _, q in ipairs(list) do finder:find_path(q[1], q[2], q[3], q[4]) end
      end
    end, plan.batch / 2)
    least[i] = math.huge
  end
  for _ = 1, plan.rounds do
    for i = 1, #BY do least[i] = math.min(least[i], support.time_of(items[i])) end
  end
  return least
end

return function(report, plan)
  report:title "choice: microseconds per query among random obstacles, by auto, A* and jump point search"
  report:section("choice", { { "side, blocked, moves", "%-32s" }, { "auto", "%9.1f" }, { "astar", "%9.1f" },
    { "jps", "%9.1f" }, { "auto / faster", "%15.2f" } })
  local side = math.min(64, plan.smallest)
  while side <= math.min(2048, plan.largest) do
    for _, percent in ipairs { 10, 20, 30, 40 } do
      local grid = astar.grid(maps.field(side, side, side, percent))
      for _, unit in ipairs(UNITS) do
        local name = ("%d, %d %%, %s"):format(side, percent, unit[1])
        support.progress(name)
        local list = queries_on(grid, side, math.max(8, math.min(60, math.floor(8192 / side))), random.new(percent))
        local least = time_all(grid, unit[2], list, plan)
        local micros = 1e6 / #list
        report:row { name, least[1] * micros, least[2] * micros, least[3] * micros,
          least[1] / math.min(least[2], least[3]) }
      end
    end
    side = side * 2
  end
  return 0
end
