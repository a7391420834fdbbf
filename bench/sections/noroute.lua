-- noroute.lua -- times queries for which there is no route.

local maps = require "bench.maps"
local support = require "bench.support"

local NS = support.NS

-- Encloses a free cell in the middle of the map with a ring of blocks. Returns the cell.
local function enclose(grid)
  local width, height = grid:size()
  local x, y = math.floor(width / 2), math.floor(height / 2)
  while not grid:is_walkable(x, y) do x = x + 1 end
  grid:block(x - 4, y - 4, 9, 1)
  grid:block(x - 4, y + 4, 9, 1)
  grid:block(x - 4, y - 4, 1, 9)
  grid:block(x + 4, y - 4, 1, 9)
  return x, y
end

local function corner_cell(grid)
  local x = 1
  while not grid:is_walkable(x, 1) do x = x + 1 end
  return x, 1
end

local function print_no_route(report, name, grid, plan)
  local x, y = enclose(grid)
  local far_x, far_y = corner_cell(grid)
  local finder = grid:finder()
  local wrong = 0
  local path, reason = finder:find_path(far_x, far_y, x, y)
  if path or reason ~= "unreachable" then
    support.message(("noroute, %s: expected unreachable, got %s"):format(name, tostring(reason)))
    wrong = 1
  end
  local function item(run) return support.item(run, plan.batch) end
  local s = support.compare({
    item(function(n) for _ = 1, n do finder:find_path(far_x, far_y, x, y) end end),
    item(function(n) for _ = 1, n do finder:find_path(x, y, far_x, far_y) end end),
    item(function(n) for _ = 1, n do finder:reachable(far_x, far_y, x, y) end end),
    item(function(n) for _ = 1, n do finder:find_path(x, y, x, y) end end),
  }, plan.rounds)
  report:row { name, s[1] * NS, s[2] * NS, s[3] * NS, s[4] * NS }
  return wrong
end

return function(report, plan)
  local wrong = 0
  report:title(([[
noroute, %d x %d: nanoseconds of a query without a route, from outside into an enclosed yard ("into") and out of the
yard ("out"), and of reachable() into the yard; for comparison, nanoseconds of a query whose start is its goal]])
    :format(plan.side, plan.side))
  report:section("noroute", { { "map", "%-12s" }, { "into ns", "%10.0f" }, { "out ns", "%10.0f" },
    { "reachable ns", "%14.0f" }, { "start=goal ns", "%15.0f" } })
  for _, kind in ipairs(maps.kinds) do
    wrong = wrong + print_no_route(report, kind.name, support.grid_of(kind, plan.side), plan)
  end
  return wrong
end
