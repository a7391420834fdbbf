-- walked_line.lua -- the line that a walker follows along a path, as a list of points, for drawing.
--
-- The line has straight legs, and curves at the turning points. These are the legs and curves of the walker, see
-- walker.lua and corner.lua.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local corner = require(FOLDER .. ".corner")
local place_of = require(FOLDER .. ".load_core").place

-- Number of straight lines by which a curve is drawn. These lines are less than a hundredth of a cell away from the
-- curve.
local PARTS = 8

-- Returns a list of the start, the turning points and the goal of a path: { x =, y =, is_link = }. is_link is true if
-- the path takes a link from this point.
local function turns_of(path)
  local path_link = path.link
  local turns, index, count = {}, 1, #path
  repeat
    local at = index
    local x, y, last = place_of(path, at)
    local is_link = path_link(path, at) ~= nil
    turns[#turns + 1] = { x = x, y = y, is_link = is_link }
    index = is_link and at + 1 or math.max(last, at + 1) -- the twin in plain Lua makes a leg of each step
  until at >= count
  return turns
end

-- Adds the points of a curve to a list. `round` is a corner, see corner.lua.
local function add_curve(points, round)
  local reach = round.reach
  for part = -PARTS, PARTS, 2 do
    local x, y = corner.place(round, reach * part / PARTS)
    points[#points + 1], points[#points + 2] = x, y
  end
end

-- Returns the offset from `turn` to the edge of the grid, if the step from `turn` to `after` wraps around the grid:
-- half a step in x and y. Returns nil otherwise.
local function edge_behind(grid, turn, after)
  local dx, dy = after.x - turn.x, after.y - turn.y
  if not turn.is_link or math.max(math.abs(dx), math.abs(dy)) <= 1
    or grid:distance(turn.x, turn.y, after.x, after.y) ~= 1 then
    return nil
  end
  dx = math.abs(dx) > 1 and (dx > 0 and -1 or 1) or dx
  dy = math.abs(dy) > 1 and (dy > 0 and -1 or 1) or dy
  return dx / 2, dy / 2
end

--- Returns the line as a list of parts, each a flat list of the coordinates x and y of its points. There is one part,
-- unless the path wraps around the grid: then the line is split at each edge. A curve begins at most `reach` cells
-- before its turning point and ends at most `reach` cells after it.
return function(path, reach, grid)
  local turns, points, round = turns_of(path), {}, corner.new()
  local parts, shape, wrap = { points }, grid:shape()
  for i, turn in ipairs(turns) do
    local before, after = turns[i - 1], turns[i + 1]
    round.reach = 0
    if before and after and not before.is_link and not turn.is_link then
      corner.set(round, reach, turn.x, turn.y, before.x, before.y, after.x, after.y)
    end
    if round.reach > 0 then
      add_curve(points, round)
    else
      points[#points + 1], points[#points + 2] = turn.x, turn.y
    end
    local dx, dy
    if shape == "square" and wrap and after then dx, dy = edge_behind(grid, turn, after) end
    if dx then
      points[#points + 1], points[#points + 2] = turn.x + dx, turn.y + dy
      points = { after.x - dx, after.y - dy }
      parts[#parts + 1] = points
    end
  end
  return parts
end
