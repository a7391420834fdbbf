-- flows.lua -- target 9: complete flows over open ground, and queries that reach a few cells of a large map beside the
-- same queries on a small map. The memory of flows is measured in memory.lua.

local astar = require "astar"
local support = require "bench.support"

local SMALL, LARGE = 64, 2048

-- Returns queries about cells near the middle of a map.
local function small_queries(side)
  local finder, near = astar.grid(side, side):finder(), astar.grid(side, side):finder { range = 1 }
  local x, y, around = side / 2, side / 2, {}
  for i = 0, 8 do around[i + 1] = { x + 9 + i % 3, y + 4 + math.floor(i / 3) } end
  near:find_path(x, y, x + 10, y + 5) -- prepares the map
  return {
    { "a reach of 6", function() finder:reach(x, y, 6):next(x + 2, y + 1) end },
    { "the cells of a reach of 6", function() for _ in finder:reach(x, y, 6):cells() do end end },
    { "fleeing within 10", function() finder:flow(x, y, { max_cost = 10 }):flee():next(x + 2, y + 1) end },
    { "a path to within 1", function() near:find_path(x, y, x + 10, y + 5) end },
    { "the nearest of 9 around a cell", function() finder:find_nearest(x, y, around) end },
  }
end

local function add_small_queries(aims, plan)
  local small, large = small_queries(SMALL), small_queries(LARGE)
  for i, query in ipairs(small) do
    local items = {}
    for j, ask in ipairs { query[2], large[i][2] } do
      items[j] = support.item(function(count)
        for _ = 1, count do ask() end
      end, plan.batch)
    end
    local times = support.compare(items, plan.rounds)
    aims:most(("9 %s: %d wide / %d wide"):format(query[1], LARGE, SMALL), 1.5, times[2] / times[1])
  end
end

return function(aims, plan)
  support.progress "targets: flows"
  local side = plan.side
  local finder = astar.grid(side, side):finder()
  for _, way in ipairs { { "", {} }, { ", steps only", { steps_only = true } } } do
    local item = { count = 1, per = side * side, run = function() finder:flow(3, 3, way[2]):complete() end }
    aims:time(("9 a flow over open ground of %d%s, per cell"):format(side, way[1]), "ns", 8,
      function() return support.time_of(item) end)
  end
  add_small_queries(aims, plan)
end
