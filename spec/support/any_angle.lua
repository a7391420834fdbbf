-- any_angle.lua -- the shortest routes at any angle, found plainly.

local body = require "spec.support.body"
local oracle = require "spec.support.oracle"

local any_angle = {}

function any_angle.distance(ax, ay, bx, by)
  return math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2)
end

local function nearest_open(least, closed)
  local nearest
  for cell, length in pairs(least) do
    if not closed[cell] and (not nearest or length < least[nearest]) then nearest = cell end
  end
  return nearest
end

-- The lengths of the shortest routes from (sx, sy) to all cells, { [cell] = length }: Dijkstra's
-- algorithm over the visibility graph, in which each cell is joined to all that the unit can go to along a straight
-- line.
function any_angle.shortest(world, rules, sx, sy)
  local entry = oracle.entry_costs(world, rules, sx, sy)
  local is_free = body.free_cells(world, rules, sx, sy)
  local start = oracle.cell(world, sx, sy)
  local least, closed = { [start] = 0 }, {}
  entry[start] = entry[start] or oracle.ground_cost(world, rules, start) -- of one cell: its own block
  local cell = nearest_open(least, closed)
  while cell do
    closed[cell] = true
    local x, y = oracle.position(world, cell)
    for other = 1, world.width * world.height do
      local ox, oy = oracle.position(world, other)
      local length = least[cell] + any_angle.distance(x, y, ox, oy)
      if entry[other] and not closed[other] and length < (least[other] or math.huge) - 1e-12
        and body.walk(world, rules, entry, is_free, x, y, ox, oy) then
        least[other] = length
      end
    end
    cell = nearest_open(least, closed)
  end
  return least
end

return any_angle
