-- staggered.lua -- where the tiles of a staggered Tiled map lie on a grid of squares.
--
-- A staggered map shows diamonds, as an isometric one does, but counts them by rows of the screen, every other row
-- pushed on by half a tile (or columns, by its axis). Four diamonds meet at the sides of each: on the grid they are
-- its neighbours, so the grid is the map turned by an eighth, x going to the lower right of the screen and y to the
-- lower left, and has corners where the map has nothing. Tiled's (0, 0) stays.

local staggered = {}

local function is_pushed(map, number)
  return (number % 2 == 1) == (map.staggerindex == "odd")
end

-- The middle of a tile on the screen, in widths and heights of tiles.
local function middle(map, x, y)
  if map.staggeraxis == "y" then
    return x + 0.5 + (is_pushed(map, y) and 0.5 or 0), (y + 1) / 2
  end
  return (x + 1) / 2, y + 0.5 + (is_pushed(map, x) and 0.5 or 0)
end

--- A place on the screen, in widths and heights of tiles, as one on the grid, Tiled's (0, 0) reaching from 0 to 1.
function staggered.turned(x, y, map)
  local x0, y0 = middle(map, 0, 0)
  x, y = x - x0, y - y0
  return y + x + 0.5, y - x + 0.5
end

--- The cell of Tiled's (x, y), counted from 0.
function staggered.cell(map, x, y)
  local px, py = middle(map, x, y)
  local column, row = staggered.turned(px, py, map)
  return math.floor(column), math.floor(row)
end

return staggered
