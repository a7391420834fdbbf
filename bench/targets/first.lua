-- first.lua -- target 6: the first question on a map, with all that is built for it, takes as long for each cell
-- of a large one as of a small one.
--
-- The maps are one map of caves side by side with itself, so that they are alike but for their size.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, SMALLEST, LARGEST = support.SEED, 512, 16384

local function first_answer(rows)
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
    support.progress(("targets: first answer, %d"):format(side))
    local measure, least = first_answer(maps.tiled(tile, side / #tile)), math.huge
    aims:time(("6 first answer, %d wide, a cell"):format(side), "ns", 10, function()
      local seconds = measure()
      least = math.min(least, seconds)
      collectgarbage()
      return seconds
    end, side > 4096 and 1 or nil)
    smallest = smallest or least
    if side * 2 > most and side > #tile then
      aims:most(("6 the same from %d to %d wide: times"):format(#tile, side), 1.3, least / math.max(smallest, 1e-12))
    end
    side = side * 2
  end
end
