-- choice.lua -- whether "auto" takes the faster algorithm among random obstacles, and on patches of several costs.
--
-- On ground of one cost with random obstacles, A* and jump point search are each the faster one at some share of
-- blocked cells and some distance. The core predicts which one (distance_for_steps in src/search/run.c). Each row
-- compares "auto" with both algorithms on the same queries, which run alternately. The last column should stay near 1.
--
-- On patches of several costs, the core chooses by the share of cells beside another cost, and by the walls (see
-- astar_jpsw_pays in src/search/jpsw.c).

local astar = require "astar"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local UNITS = {
  { "eight moves", {} }, { "diagonals of 1.4", { diagonal_cost = 1.4 } },
  { "diagonals of 1", { diagonal_cost = 1 } }, { "four moves", { diagonals = "never" } },
}
local STRAIGHT = UNITS[4]
local KINDS = { "open", "caves", "rooms", "maze-8", "city" } -- with patches
local GROUNDS = { ".", ",", ":", "~" }

-- Returns queries between random free cells. On a map of maps.field, a route connects any two free cells.
local function queries_on(grid, side, count, dice)
  local list = {}
  while #list < count do
    local sx, sy, gx, gy = dice:int(1, side), dice:int(1, side), dice:int(1, side), dice:int(1, side)
    if grid:is_walkable(sx, sy) and grid:is_walkable(gx, gy) then list[#list + 1] = { sx, sy, gx, gy } end
  end
  return list
end

-- Returns the least seconds of all queries with "auto", with A*, and with the jump point search named 'jumps'.
local function time_all(grid, options, list, plan, jumps)
  local items, least = {}, {}
  for i, algorithm in ipairs { "auto", "astar", jumps } do
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
    for i = 1, #items do least[i] = math.min(least[i], support.time_of(items[i])) end
  end
  return least
end

local function add_row(report, name, least, count)
  local micros = 1e6 / count
  report:row { name, least[1] * micros, least[2] * micros, least[3] * micros, least[1] / math.min(least[2], least[3]) }
end

local function measure_patches(report, plan)
  report:title "choice: microseconds per query on patches of four costs, with auto, A* and jump point search"
  report:section("patches", { { "map, side of a patch, moves, goals", "%-36s" }, { "auto", "%9.1f" },
    { "astar", "%9.1f" }, { "jpsw", "%9.1f" }, { "auto / fastest", "%15.2f" } })
  local side = math.min(256, plan.largest)
  for _, kind in ipairs(KINDS) do
    local ground = maps.kind(kind).make(support.SEED, side, side)
    for _, width in ipairs { 12, 18, 28, 48, 80 } do
      local rows = maps.patches(random.new(support.SEED), ground, width, GROUNDS)
      local grid = astar.grid(rows, { terrain = maps.terrain })
      for _, unit in ipairs { UNITS[1], STRAIGHT } do
        for _, goals in ipairs { "far", "near" } do
          local name = ("%s, %d, %s, %s"):format(kind, width, unit[1], goals)
          support.progress(name)
          local list = {}
          for i, q in ipairs(support.queries(grid, support.SEED, 24, goals == "near" and 24 or nil)) do
            list[i] = { q.sx, q.sy, q.gx, q.gy }
          end
          add_row(report, name, time_all(grid, unit[2], list, plan, "jpsw"), #list)
        end
      end
    end
  end
end

return function(report, plan)
  report:title "choice: microseconds per query among random obstacles, with auto, A* and jump point search"
  report:section("choice", { { "side, blocked, moves", "%-32s" }, { "auto", "%9.1f" }, { "astar", "%9.1f" },
    { "jps", "%9.1f" }, { "auto / fastest", "%15.2f" } })
  local side = math.min(64, plan.smallest)
  while side <= math.min(2048, plan.largest) do
    for _, percent in ipairs { 10, 20, 30, 40 } do
      local grid = astar.grid(maps.field(side, side, side, percent))
      for _, unit in ipairs(UNITS) do
        local name = ("%d, %d %%, %s"):format(side, percent, unit[1])
        support.progress(name)
        local list = queries_on(grid, side, math.max(8, math.min(60, math.floor(8192 / side))), random.new(percent))
        add_row(report, name, time_all(grid, unit[2], list, plan, "jps"), #list)
      end
    end
    side = side * 2
  end
  measure_patches(report, plan)
  return 0
end
