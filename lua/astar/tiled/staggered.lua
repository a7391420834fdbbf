-- staggered.lua -- Converts positions on a staggered Tiled map to cells of a grid of squares.
--
-- A staggered map shows diamonds, like an isometric map, but counts them by rows of the screen. Every other row (or
-- column, depending on the axis) is shifted by half a tile. The four diamonds that share a side with a diamond become
-- its neighbours on the grid. The grid is therefore the map turned by 45 degrees: x leads to the lower right of the
-- screen and y to the lower left. The corners of the grid lie outside the map. Tiled's cell (0, 0) stays at the same
-- position.

local staggered = {}

local function is_pushed(map, number)
  return (number % 2 == 1) == (map.staggerindex == "odd")
end

-- Returns the middle of a tile on the screen, in widths and heights of tiles.
local function middle(map, x, y)
  if map.staggeraxis == "y" then
    return x + 0.5 + (is_pushed(map, y) and 0.5 or 0), (y + 1) / 2
  end
  return (x + 1) / 2, y + 0.5 + (is_pushed(map, x) and 0.5 or 0)
end

--- Converts a position on the screen, in widths and heights of tiles, to a position on the grid, where Tiled's cell
-- (0, 0) extends from 0 to 1.
function staggered.turned(x, y, map)
  local x0, y0 = middle(map, 0, 0)
  x, y = x - x0, y - y0
  return y + x + 0.5, y - x + 0.5
end

--- Returns the grid's cell for Tiled's cell (x, y), counted from 0.
function staggered.cell(map, x, y)
  local px, py = middle(map, x, y)
  local column, row = staggered.turned(px, py, map)
  return math.floor(column), math.floor(row)
end

return staggered
