-- shapes.lua -- Finds the cells that an object of a Tiled map covers.
--
-- Every shape is converted to a list of corners, in cells. A shape covers a cell if the cell's centre lies inside the
-- shape or one of its edges passes through the cell. A shape that only touches the border of a cell does not cover
-- it. An object that is snapped to the grid therefore covers exactly the cells on which it is visible.
--
-- The cells are found as runs, row by row. An edge passes through one run of a row. The inside of a shape lies between
-- the first and second crossing of edges with the row's middle, the third and fourth, and so on. Hexagons are tested
-- one by one, see hexagons.lua; in this file a hexagonal map counts as a map of squares.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local hexagons = require(FOLDER .. ".hexagons")
local staggered = require(FOLDER .. ".staggered")
local tiles = require(FOLDER .. ".tiles")

local shapes = {}

local EDGE = 1e-6 -- tolerance for rounding errors, in cells
local MOST = 0.25 -- greatest tolerance, in cells: a larger overlap counts, however inexact the numbers of the map are
local ROUND = 32  -- number of corners of the polygon that replaces an ellipse

local function box(x, y, w, h)
  return { { x = x, y = y }, { x = x + w, y = y }, { x = x + w, y = y + h }, { x = x, y = y + h } }
end

local function ellipse(x, y, w, h)
  local points = {}
  for i = 1, ROUND do
    local angle = 2 * math.pi * i / ROUND
    points[i] = { x = x + w / 2 * (1 + math.cos(angle)), y = y + h / 2 * (1 + math.sin(angle)) }
  end
  return points
end

local function moved(points, x, y)
  local result = {}
  for i, point in ipairs(points) do
    result[i] = { x = x + point.x, y = y + point.y }
  end
  return result
end

-- Returns points rotated clockwise around (x, y) by an angle in degrees.
local function rotated(points, x, y, degrees)
  local cos, sin = math.cos(math.rad(degrees)), math.sin(math.rad(degrees))
  local result = {}
  for i, point in ipairs(points) do
    local dx, dy = point.x - x, point.y - y
    result[i] = { x = x + dx * cos - dy * sin, y = y + dx * sin + dy * cos }
  end
  return result
end

local function each_point(points, f, ...)
  local result = {}
  for i, point in ipairs(points) do
    local x, y = f(point.x, point.y, ...)
    result[i] = { x = x, y = y }
  end
  return result
end

-- Converts cells to pixels of the screen, on which an isometric map is turned. (0, 0) remains (0, 0). from_screen
-- converts pixels back to cells.
local function to_screen(x, y, source)
  local map = source.map
  if source.is_isometric then
    x, y = (x - y) / 2, (x + y) / 2
  end
  return x * map.tilewidth, y * map.tileheight
end

local function from_screen(x, y, source)
  local map = source.map
  x, y = x / map.tilewidth, y / map.tileheight
  if source.is_isometric then
    return y + x, y - x
  end
  return x, y
end

-- Converts the coordinates of an object to cells. On isometric maps they run along the map's axes, and a cell is as
-- long as a tile is high, along both axes.
local function to_cells(x, y, source)
  local side = source.is_isometric and source.map.tileheight or source.map.tilewidth
  return x / side, y / source.map.tileheight
end

-- Converts the points of a polygon of STI to cells. STI has moved the points by the layer's position, rotated them, and
-- stores them as pixels of the screen. The screen of an isometric map starts half the map's width farther left.
local function cells_of_sti(points, layer, source)
  local left, top = to_cells(layer.x or 0, layer.y or 0, source)
  local middle = source.is_isometric and source.map.width * source.map.tilewidth / 2 or 0
  return each_point(points, function(x, y)
    x, y = from_screen(x - middle, y, source)
    return x - left, y - top
  end)
end

-- Returns the box of cells that a tile object covers. On an isometric map an upright tile is drawn on the cells above
-- its lowest corner, which is the object's position. If an object is as large as its tile, Tiled leaves out its size
-- or writes 0.
local function tile_box(x, y, object, source)
  local w, h = object.width or 0, object.height or 0
  if w == 0 or h == 0 then
    local tile_width, tile_height = tiles.size_of_object(source, object)
    w, h = w > 0 and w or tile_width, h > 0 and h or tile_height
  end
  if source.is_isometric then
    w = w / source.map.tilewidth
    return box(x - w, y - w, w, w)
  end
  w, h = to_cells(w, h, source)
  return box(x, y - h, w, h)
end

local function unrotated(object, x, y, source)
  local points = object.polygon or object.polyline
  if points then
    return moved(each_point(points, to_cells, source), x, y)
  elseif object.gid then
    return tile_box(x, y, object, source)
  end
  local w, h = to_cells(object.width or 0, object.height or 0, source)
  return (object.shape == "ellipse" and ellipse or box)(x, y, w, h)
end

-- Returns the rounding error of a number that Tiled has written with six digits: half a unit of the last digit.
local function rounding(number)
  number = math.abs(number)
  return number > 0 and 0.5 * 10 ^ (math.floor(math.log(number) / math.log(10) + 1e-9) - 5) or 0
end

-- Returns the error of an object's corners, in pixels, that is due to the rounding of its numbers.
local function rounding_of(object)
  local w, h, own = object.width or 0, object.height or 0, 0
  for _, point in ipairs(object.polygon or object.polyline or {}) do
    w, h = math.max(w, math.abs(point.x)), math.max(h, math.abs(point.y))
    own = math.max(own, rounding(point.x), rounding(point.y))
  end
  if own == 0 then own = rounding(w) + rounding(h) end
  local by_rotation = math.rad(rounding(object.rotation or 0)) * (w + h)
  return math.max(rounding(object.x), rounding(object.y)) + own + by_rotation
end

-- Returns an object's corners in cells of the screen, or of an isometric map, and whether they enclose an area.
local function shown_outline(object, layer, source)
  local is_area = object.polyline == nil
  if source.is_sti and (object.polygon or object.polyline) then
    return cells_of_sti(object.polygon or object.polyline, layer, source), is_area
  end
  local x, y = to_cells(object.x, object.y, source)
  local points, rotation = unrotated(object, x, y, source), object.rotation or 0
  if rotation ~= 0 then
    local cx, cy = to_screen(x, y, source)
    points = each_point(rotated(each_point(points, to_screen, source), cx, cy, rotation), from_screen, source)
  end
  return points, is_area
end

-- Returns an object's corners in cells, whether they enclose an area, and the tolerance: how far an object may reach
-- into a cell without covering it. The first corner of a point is its position.
local function outline(object, layer, source)
  local points, is_area = shown_outline(object, layer, source)
  local off = rounding_of(object) / math.min(source.map.tilewidth, source.map.tileheight)
  if source.is_staggered then
    points = each_point(points, staggered.turned, source.map)
  end
  if source.is_staggered or source.is_isometric then
    off = 2 * off -- a column of the grid is the sum of both coordinates on the screen
  end
  return points, is_area, math.min(EDGE + off, MOST)
end

-- Returns the first and last column that the interval from `left` to `right` overlaps.
local function columns_between(left, right, edge)
  return math.floor(left + edge), math.ceil(right - edge) - 1
end

-- Returns the first and last column of the cells of row y through whose inside the line from a to b passes. If there
-- are none, the last column is less than the first.
local function columns_of_edge(a, b, y, edge)
  local top, bottom = y + edge, y + 1 - edge
  if math.max(a.y, b.y) <= top or math.min(a.y, b.y) >= bottom then
    return 0, -1
  elseif a.y == b.y then
    return columns_between(math.min(a.x, b.x), math.max(a.x, b.x), edge)
  end
  local slope = (b.x - a.x) / (b.y - a.y)
  local function x_at(at)
    return at == a.y and a.x or at == b.y and b.x or a.x + slope * (at - a.y)
  end
  local x0 = x_at(math.max(top, math.min(a.y, b.y)))
  local x1 = x_at(math.min(bottom, math.max(a.y, b.y)))
  return columns_between(math.min(x0, x1), math.max(x0, x1), edge)
end

-- Returns the x at which the line from a to b crosses the middle of row y, nil if it does not. An end exactly on the
-- middle of the row counts as lying above it.
local function passing(a, b, y)
  local middle = y + 0.5
  if (a.y > middle) ~= (b.y > middle) then
    return (a.x - b.x) * (middle - b.y) / (a.y - b.y) + b.x
  end
  return nil
end

-- Calls f(a, b, first, last) for each edge and the rows among `within` that it reaches.
local function each_edge(points, is_area, within, f)
  for i = is_area and 1 or 2, #points do
    local a, b = points[i > 1 and i - 1 or #points], points[i]
    local first, last = math.floor(math.min(a.y, b.y)), math.floor(math.max(a.y, b.y))
    f(a, b, math.max(first, within[2]), math.min(last, within[4]))
  end
end

-- Returns, for each row, the list of the positions at which edges cross the row's middle.
local function find_passings(points, within)
  local rows = {}
  each_edge(points, true, within, function(a, b, first, last)
    for y = first, last do
      local x = passing(a, b, y)
      if x then
        rows[y] = rows[y] or {}
        rows[y][#rows[y] + 1] = x
      end
    end
  end)
  return rows
end

-- Returns the bounds of points in 0-based cells: the first column and row, the last column and row.
local function bounds(points, edge)
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  for _, point in ipairs(points) do
    x0, y0 = math.min(x0, point.x), math.min(y0, point.y)
    x1, y1 = math.max(x1, point.x), math.max(y1, point.y)
  end
  x0, y0 = math.floor(x0 + edge), math.floor(y0 + edge)
  return x0, y0, math.max(x0, math.ceil(x1 - edge) - 1), math.max(y0, math.ceil(y1 - edge) - 1)
end

-- Calls f(x, y) for each hexagon that a shape covers. Its corners are given in cells.
local function each_hexagon(points, is_area, edge, source, within, f)
  hexagons.each_covered(source.map, each_point(points, to_screen, source), is_area, edge, within, f)
end

-- Returns the bounds of the hexagons on which the corners lie.
local function bounds_of_hexagons(points, is_area, edge, source)
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  for _, point in ipairs(points) do -- only the corners, so that a huge object takes no more work than a small one
    each_hexagon({ point }, is_area, edge, source, { -math.huge, -math.huge, math.huge, math.huge }, function(x, y)
      x0, y0, x1, y1 = math.min(x0, x), math.min(y0, y), math.max(x1, x), math.max(y1, y)
    end)
  end
  return x0, y0, x1, y1
end

shapes.corners = outline

-- Returns the column and row of the hexagon on which a point lies. The point is given in cells, like corners.
function shapes.hexagon_at(x, y, source)
  local column, row = bounds_of_hexagons({ { x = x, y = y } }, false, EDGE, source)
  return column, row
end

-- Returns the bounds of an object in 0-based cells. A point lies within one cell.
function shapes.bounds(object, layer, source)
  local points, is_area, edge = outline(object, layer, source)
  if source.is_hexagonal then
    return bounds_of_hexagons(points, is_area, edge, source)
  end
  return bounds(points, edge)
end

-- Calls f(x, y, width) for runs of 0-based cells that an object covers within the rectangle { x0, y0, x1, y1 }. Runs
-- may overlap. A point covers its cell.
function shapes.each_run(object, layer, source, within, f)
  local points, is_area, edge = outline(object, layer, source)
  local function run(first, last, y)
    first, last = math.max(first, within[1]), math.min(last, within[3])
    if first <= last and y >= within[2] and y <= within[4] then
      f(first, y, last - first + 1)
    end
  end
  if source.is_hexagonal then
    each_hexagon(points, is_area, edge, source, within, function(x, y) f(x, y, 1) end)
    return
  end
  local x0, y0, x1, y1 = bounds(points, edge)
  if x0 == x1 and y0 == y1 then
    run(x0, x0, y0)
    return
  end
  each_edge(points, is_area, within, function(a, b, first, last)
    for y = first, last do
      local left, right = columns_of_edge(a, b, y, edge)
      run(left, right, y)
    end
  end)
  for y, passings in entries, is_area and find_passings(points, within) or {} do
    table.sort(passings)
    for i = 1, #passings - 1, 2 do -- columns whose centres lie between
      run(math.ceil(passings[i] - 0.5), math.ceil(passings[i + 1] - 0.5) - 1, y)
    end
  end
end

return shapes
