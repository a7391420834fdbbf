-- walked_line.lua -- the line that a walker walks along a path, as points: straight legs, and curves about their turns.
--
-- Its turns and curves are the walker's own, see walker.lua and corner.lua.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local corner = require(FOLDER .. ".corner")
local place_of = require(FOLDER .. ".load_core").place

-- Straight parts of a curve: from the true one they are less than a hundredth of a cell away.
local PARTS = 8

-- The turns of a path, x and y of each, the index of its cell where the leg after it is a link, else false.
local function turns_of(path)
  local path_link = path.link
  local turns, index, count = {}, 1, #path
  repeat
    local at = index
    local x, y, last = place_of(path, at)
    local is_link = path_link(path, at) ~= nil
    turns[#turns + 1] = { x = x, y = y, is_link = is_link }
    index = is_link and at + 1 or math.max(last, at + 1) -- the twin's legs are from cell to cell
  until at >= count
  return turns
end

local function add_curve(points, round)
  local reach = round.reach
  for part = -PARTS, PARTS, 2 do
    local x, y = corner.place(round, reach * part / PARTS)
    points[#points + 1], points[#points + 2] = x, y
  end
end

-- Whether two turns are neighbours over the seam of a grid that goes round; and there, half a step off, an edge is.
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

--- The points of the line, x and y by turns, rounded `reach` before and behind each turn at most: a list of them for
-- each part between two edges of the grid that it goes round.
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
