-- flight.lua -- Goals for a unit that flees in a world: together they contain the nearest cells out of danger.
--
-- Each danger reaches a square of cells, as the range of a goal does. A unit is in danger if any cell that it covers
-- lies in a square. A unit leaves the squares over a cell beside one of their edges, or over a link. The cheapest
-- route out of danger is therefore the cheapest route to any of these cells. The goals are squares beside the edges.
-- A goal is as large as its edge if no danger reaches into it; otherwise it is halved, again and again. The ranges of
-- the goals are measured from the unit's position, its north-west cell.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")

local max, floor = math.max, math.floor

-- Returns true if any danger reaches a cell within `range` columns and rows of (x, y).
local function reaches(squares, x, y, range)
  for _, square in ipairs(squares) do
    local dx = max(square.left - x, x - square.left - square.side + 1)
    local dy = max(square.top - y, y - square.top - square.side + 1)
    if max(dx, dy) <= range then return true end
  end
  return false
end

-- Adds goals that contain the safe cells of an edge: `count` cells from (x, y) on in direction (ax, ay). The outside
-- of the edge lies in direction (ox, oy). A goal is added only if the cell in its middle is loaded, because a search
-- ignores other goals.
local function add_edge(goals, world, squares, x, y, count, ax, ay, ox, oy)
  local range = floor((count - 1) / 2)
  local middle_x, middle_y = x + range * (ax + ox), y + range * (ay + oy)
  local is_safe = not reaches(squares, middle_x, middle_y, range)
  if is_safe and (range == 0 or world:get(middle_x, middle_y) ~= nil) then
    goals[#goals + 1] = { x = middle_x, y = middle_y, range = range }
    count = count - 2 * range - 1
    x, y = x + (2 * range + 1) * ax, y + (2 * range + 1) * ay
    if count == 0 then return end
  elseif count == 1 then
    return
  end
  local half = floor((count + 1) / 2)
  add_edge(goals, world, squares, x, y, half, ax, ay, ox, oy)
  if half < count then
    add_edge(goals, world, squares, x + half * ax, y + half * ay, count - half, ax, ay, ox, oy)
  end
end

--- Returns the goals for a unit that flees from (x, y). The cheapest route to them is the cheapest route out of danger.
-- `fears` is a list of dangers in the form of goals.
return function(world, x, y, fears, size)
  local squares = {}
  for i, fear in ipairs(fears) do
    local before = fear.range > 0 and fear.range + size - 1 or 0
    squares[i] = { left = fear.x - before, top = fear.y - before, side = before + fear.range + 1 }
  end
  if not reaches(squares, x, y, 0) then
    return { { x = x, y = y, range = 0 } }
  end
  local goals = {}
  for _, square in ipairs(squares) do
    local left, top, side = square.left - 1, square.top - 1, square.side + 2
    add_edge(goals, world, squares, left, top, side, 1, 0, 0, -1)
    add_edge(goals, world, squares, left, top + side - 1, side, 1, 0, 0, 1)
    add_edge(goals, world, squares, left, top + 1, side - 2, 0, 1, -1, 0)
    add_edge(goals, world, squares, left + side - 1, top + 1, side - 2, 0, 1, 1, 0)
    local _, links = core.links_of(world, left + 1, top + 1, side - 2)
    for i = 1, #links, 6 do
      if not reaches(squares, links[i + 2], links[i + 3], 0) then
        goals[#goals + 1] = { x = links[i + 2], y = links[i + 3], range = 0 }
      end
    end
  end
  return goals
end
