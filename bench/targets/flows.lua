-- flows.lua -- target 9: working a flow out over open ground. What one takes in memory is in memory.lua.

local astar = require "astar"
local support = require "bench.support"

return function(aims, plan)
  support.progress "targets: flows"
  local side = plan.side
  local finder = astar.grid(side, side):finder()
  for _, way in ipairs { { "", {} }, { ", steps only", { steps_only = true } } } do
    local item = { count = 1, per = side * side, run = function() finder:flow(3, 3, way[2]):complete() end }
    aims:time(("9 a flow over open ground of %d%s, a cell"):format(side, way[1]), "ns", 8,
      function() return support.time_of(item) end)
  end
end
