-- first.lua -- target 6: the first query on a map, with all data that it builds, takes as long per cell of a large map
-- as per cell of a small map.
--
-- The large maps repeat one map of caves, so that the maps differ in their size only.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, SMALLEST, LARGEST = support.SEED, 512, 16384

local function first_query(rows)
  local side = #rows
  return function()
    local grid = astar.grid(rows)
    local query = support.queries(grid, SEED, 1)[1]
    return support.first_milliseconds(grid:finder(), query) / 1e3 / (side * side)
  end
end

return function(aims, plan)
  local side = math.min(plan.side, SMALLEST)
  local tile, smallest = maps.kind("caves").make(SEED, side, side), nil
  local most = plan.largest > side and math.min(plan.largest, LARGEST) or side
  while side <= most do
    support.progress(("targets: first query, %d"):format(side))
    local measure, least = first_query(maps.tiled(tile, side / #tile)), math.huge
    aims:time(("6 first query, %d wide, per cell"):format(side), "ns", 10, function()
      local seconds = measure()
      least = math.min(least, seconds)
      collectgarbage()
      return seconds
    end, side > 4096 and 1 or nil)
    smallest = smallest or least
    if side * 2 > most and side > #tile then
      aims:most(("6 first query, per cell: %d wide / %d wide"):format(#tile, side), 1.3,
        least / math.max(smallest, 1e-12))
    end
    side = side * 2
  end
end
