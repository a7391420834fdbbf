-- hexagons.lua -- The geometry of a hexagonal Tiled map: where its tiles lie, and which of them an object covers.
--
-- A hexagon is as wide and high as the map's tiles. Two of its sides, along the staggered axis, are `hexsidelength`
-- long. Every other row or column of tiles is shifted by half a tile. An object covers a hexagon if its area contains
-- the hexagon's middle, or if one of its edges passes through the inside of the hexagon.

local hexagons = {}

local EDGE = 1e-4 -- minimum tolerance, in pixels

local function is_pushed(map, number)
  return (number % 2 == 1) == (map.staggerindex == "odd")
end

-- Returns the name of the grid's offset, such as "odd_r", if the grid's first cell is Tiled's (x, y).
function hexagons.offset(map, x, y)
  local by_row = map.staggeraxis == "y"
  local first_is_odd = (by_row and y or x) % 2 == 1
  local index = (map.staggerindex == "odd") == first_is_odd and "even" or "odd"
  return index .. (by_row and "_r" or "_q")
end

-- Returns the distances between two columns and between two rows of tiles, in pixels.
local function pitch(map)
  local side, by_row = map.hexsidelength, map.staggeraxis == "y"
  return by_row and map.tilewidth or (map.tilewidth + side) / 2,
    by_row and (map.tileheight + side) / 2 or map.tileheight
end

--- Returns the middle of a tile if all hexagons were regular, with neighbours 1 apart, as on the grid.
function hexagons.regular_middle(map, x, y)
  if map.staggeraxis == "y" then
    return x + (is_pushed(map, y) and 0.5 or 0), y * math.sqrt(3) / 2
  end
  return x * math.sqrt(3) / 2, y + (is_pushed(map, x) and 0.5 or 0)
end

-- Returns the pixel in the middle of a tile.
function hexagons.middle(map, x, y)
  local across, down = pitch(map)
  local px, py = x * across + map.tilewidth / 2, y * down + map.tileheight / 2
  if map.staggeraxis == "y" then
    return px + (is_pushed(map, y) and across / 2 or 0), py
  end
  return px, py + (is_pushed(map, x) and down / 2 or 0)
end

-- Returns half the width, height and `hexsidelength` of a tile.
local function halves(map)
  return map.tilewidth / 2, map.tileheight / 2, map.hexsidelength / 2
end

-- Returns the bounds of a hexagon: three directions perpendicular to its sides, and how far it reaches in each from its
-- middle.
local function bounds_of_hexagon(map)
  local w, h, side = halves(map)
  if map.staggeraxis == "y" then
    local dx, dy = h - side, w -- perpendicular to the slanted side from (0, h) to (w, side)
    return { { x = 1, y = 0, reach = w }, { x = dx, y = dy, reach = dy * h }, { x = dx, y = -dy, reach = dy * h } }
  end
  local dx, dy = h, w - side
  return { { x = 0, y = 1, reach = h }, { x = dx, y = dy, reach = dx * w }, { x = dx, y = -dy, reach = dx * w } }
end

-- Returns true if the line from a to b passes through the inside of a hexagon around (x, y). If a and b are the same
-- point, returns true if the point lies inside or on the border.
local function crosses(bounds, x, y, a, b, edge)
  local is_point = a.x == b.x and a.y == b.y
  local from, to = 0, 1
  for _, bound in ipairs(bounds) do
    local start = (a.x - x) * bound.x + (a.y - y) * bound.y
    local step = (b.x - a.x) * bound.x + (b.y - a.y) * bound.y
    local slack = edge * math.max(math.abs(bound.x), math.abs(bound.y))
    local reach = bound.reach + (is_point and slack or -slack)
    if math.abs(step) < 1e-12 then
      if math.abs(start) > reach then return false end
    else
      local low, high = (-reach - start) / step, (reach - start) / step
      from, to = math.max(from, math.min(low, high)), math.min(to, math.max(low, high))
    end
  end
  return from <= to
end

-- Returns true if (x, y) lies inside a polygon: a ray from there to the west crosses an odd number of edges.
local function is_inside(points, x, y)
  local inside = false
  for i, b in ipairs(points) do
    local a = points[i > 1 and i - 1 or #points]
    if (a.y > y) ~= (b.y > y) and (a.x - b.x) * (y - b.y) / (a.y - b.y) + b.x < x then
      inside = not inside
    end
  end
  return inside
end

local function is_covered(bounds, points, is_area, edge, x, y)
  for i = is_area and 1 or 2, #points do
    if crosses(bounds, x, y, points[i > 1 and i - 1 or #points], points[i], edge) then
      return true
    end
  end
  return #points == 1 and crosses(bounds, x, y, points[1], points[1], edge) or is_area and is_inside(points, x, y)
end

-- Returns the rectangle of the tiles that a shape may cover: the first column and row, the last column and row.
local function tiles_around(map, points)
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  for _, point in ipairs(points) do
    x0, y0 = math.min(x0, point.x), math.min(y0, point.y)
    x1, y1 = math.max(x1, point.x), math.max(y1, point.y)
  end
  local across, down = pitch(map)
  return math.floor(x0 / across) - 2, math.floor(y0 / down) - 2, math.ceil(x1 / across) + 1, math.ceil(y1 / down) + 1
end

-- Returns true if all corners are the same point.
local function is_one_point(points)
  for _, point in ipairs(points) do
    if point.x ~= points[1].x or point.y ~= points[1].y then
      return false
    end
  end
  return true
end

--- Calls f(x, y) for each tile that a shape covers within the rectangle `within`, { x0, y0, x1, y1 }. The corners are
-- in pixels, and tiles are counted from 0. A point covers one tile. A shape that reaches into a tile by at most `edge`,
-- a fraction of a tile, does not cover it.
function hexagons.each_covered(map, points, is_area, edge, within, f)
  local bounds = bounds_of_hexagon(map)
  edge = math.max(EDGE, edge * math.min(map.tilewidth, map.tileheight))
  local is_point = is_one_point(points)
  local x0, y0, x1, y1 = tiles_around(map, points)
  for y = math.max(y0, within[2]), math.min(y1, within[4]) do
    for x = math.max(x0, within[1]), math.min(x1, within[3]) do
      local px, py = hexagons.middle(map, x, y)
      if is_covered(bounds, points, is_area, edge, px, py) then
        f(x, y)
        if is_point then
          return
        end
      end
    end
  end
end

return hexagons
