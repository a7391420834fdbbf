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

-- Returns the cells where a route of a unit can turn, as { x, y } each: the unit fits there, and does not fit at
-- some neighbouring cell. '#' is blocked.
local function turning_cells(rows, size)
  local width, height = #rows[1], #rows
  local function fits(x, y)
    if x < 1 or y < 1 or x + size - 1 > width or y + size - 1 > height then return false end
    for row = y, y + size - 1 do
      if rows[row]:sub(x, x + size - 1):find("#", 1, true) then return false end
    end
    return true
  end
  local cells = {}
  for y = 1, height do
    for x = 1, width do
      local is_near = false
      for dy = -1, 1 do
        for dx = -1, 1 do is_near = is_near or not fits(x + dx, y + dy) end
      end
      if is_near and fits(x, y) then cells[#cells + 1] = { x, y } end
    end
  end
  return cells
end

-- Returns the length of the shortest route between two cells, nil if there is none: Dijkstra's algorithm over the
-- visibility graph of the cells where a route can turn. finder:sweep decides which cells see each other. Use this
-- function on maps that are too large for any_angle.shortest.
function any_angle.over_sweeps(finder, rows, size, sx, sy, gx, gy)
  local cells = turning_cells(rows, size)
  cells[#cells + 1] = { gx, gy }
  local goal, least, is_open = #cells, {}, {}
  for i = 1, goal do least[i], is_open[i] = math.huge, true end
  local x, y, length = sx, sy, 0
  while true do
    for i = 1, goal do
      local cell = cells[i]
      local over = length + any_angle.distance(x, y, cell[1], cell[2])
      if is_open[i] and over < least[i] and over < least[goal] and finder:sweep(x, y, cell[1], cell[2]) then
        least[i] = over
      end
    end
    local nearest
    for i = 1, goal do
      if is_open[i] and least[i] < math.huge and (not nearest or least[i] < least[nearest]) then nearest = i end
    end
    if not nearest then return nil end
    if nearest == goal then return least[goal] end
    is_open[nearest] = false
    x, y, length = cells[nearest][1], cells[nearest][2], least[nearest]
  end
end

return any_angle
