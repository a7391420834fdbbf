-- flows.lua -- target 9: working a flow out over open ground, and questions that reach a few cells of a large
-- map beside the same on a small one. What a flow takes in memory is in memory.lua.

local astar = require "astar"
local support = require "bench.support"

local SMALL, LARGE = 64, 2048

-- Questions about what lies near the middle of a map.
local function small_questions(side)
  local finder, near = astar.grid(side, side):finder(), astar.grid(side, side):finder { range = 1 }
  local x, y, around = side / 2, side / 2, {}
  for i = 0, 8 do around[i + 1] = { x + 9 + i % 3, y + 4 + math.floor(i / 3) } end
  near:find_path(x, y, x + 10, y + 5) -- what is built of a map is built before
  return {
    { "a reach of 6", function() finder:reach(x, y, 6):next(x + 2, y + 1) end },
    { "the cells of a reach of 6", function() for _ in finder:reach(x, y, 6):cells() do end end },
    { "fleeing within 10", function() finder:flow(x, y, { max_cost = 10 }):flee():next(x + 2, y + 1) end },
    { "a path to within 1", function() near:find_path(x, y, x + 10, y + 5) end },
    { "the nearest of 9 around a cell", function() finder:find_nearest(x, y, around) end },
  }
end

local function add_small_questions(aims, plan)
  local small, large = small_questions(SMALL), small_questions(LARGE)
  for i, question in ipairs(small) do
    local items = {}
    for j, ask in ipairs { question[2], large[i][2] } do
      items[j] = support.item(function(count)
        for _ = 1, count do ask() end
      end, plan.batch)
    end
    local times = support.compare(items, plan.rounds)
    aims:most(("9 %s, %d wide: times %d"):format(question[1], LARGE, SMALL), 1.5, times[2] / times[1])
  end
end

return function(aims, plan)
  support.progress "targets: flows"
  local side = plan.side
  local finder = astar.grid(side, side):finder()
  for _, way in ipairs { { "", {} }, { ", steps only", { steps_only = true } } } do
    local item = { count = 1, per = side * side, run = function() finder:flow(3, 3, way[2]):complete() end }
    aims:time(("9 a flow over open ground of %d%s, a cell"):format(side, way[1]), "ns", 8,
      function() return support.time_of(item) end)
  end
  add_small_questions(aims, plan)
end
