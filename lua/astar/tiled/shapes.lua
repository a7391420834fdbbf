-- shapes.lua -- the cells that an object of a Tiled map covers.
--
-- Every shape becomes a list of corners, in cells. It covers a cell when it overlaps it: the cell's
-- centre lies inside, or one of the edges goes through the cell. What only touches a cell's border
-- does not cover it, so an object snapped to the grid covers just the cells one sees it on.
--
-- Both are told by runs of cells, row by row: an edge goes through one run of a row, and what is inside
-- lies between every other pair of the places where edges pass the row's middle. Of hexagons both are
-- told one by one, see hexagons.lua: here a map of them is one of upright cells.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local hexagons = require(FOLDER .. ".hexagons")
local staggered = require(FOLDER .. ".staggered")
local tiles = require(FOLDER .. ".tiles")

local shapes = {}

local EDGE = 1e-6 -- of a cell; what the computation may have rounded
local MOST = 0.25 -- of a cell; an overlap of this much counts, however roughly the map tells places
local ROUND = 32  -- corners that stand for an ellipse

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

-- Clockwise, around (x, y), by degrees.
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

-- Cells to pixels of the screen, where an isometric map is turned, and back. (0, 0) stays.
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

-- Objects of isometric maps have coordinates along the map's axes, a tile's height a cell on both.
local function to_cells(x, y, source)
  local side = source.is_isometric and source.map.tileheight or source.map.tilewidth
  return x / side, y / source.map.tileheight
end

-- STI has moved the points of a polygon by its layer's position, rotated them, and keeps them as pixels of
-- the screen; that of an isometric map starts half the map's width farther left.
local function cells_of_sti(points, layer, source)
  local left, top = to_cells(layer.x or 0, layer.y or 0, source)
  local middle = source.is_isometric and source.map.width * source.map.tilewidth / 2 or 0
  return each_point(points, function(x, y)
    x, y = from_screen(x - middle, y, source)
    return x - left, y - top
  end)
end

-- An upright tile on an isometric map stands on the cells above its lowest corner, the object's place.
-- Tiled leaves out the size of an object that is as large as its tile, or writes 0.
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

-- Tiled writes numbers by six digits. Returns by how much such a number may be off: half a unit of its last digit.
local function rounding(number)
  number = math.abs(number)
  return number > 0 and 0.5 * 10 ^ (math.floor(math.log(number) / math.log(10) + 1e-9) - 5) or 0
end

-- Returns by how many pixels an object's corners may be off, because of the numbers that tell them.
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

-- An object's corners in cells of the screen, or of an isometric map, and whether they enclose an area.
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

-- An object's corners in cells, whether they enclose an area, and the edge: how much of a cell an object may reach into
-- it without covering it. Of a point the first corner is where it is.
local function outline(object, layer, source)
  local points, is_area = shown_outline(object, layer, source)
  local off = rounding_of(object) / math.min(source.map.tilewidth, source.map.tileheight)
  if source.is_staggered then
    points = each_point(points, staggered.turned, source.map)
  end
  if source.is_staggered or source.is_isometric then
    off = 2 * off -- a column of the grid is the sum of both places on the screen
  end
  return points, is_area, math.min(EDGE + off, MOST)
end

-- The columns that what reaches from left to right goes through.
local function columns_between(left, right, edge)
  return math.floor(left + edge), math.ceil(right - edge) - 1
end

-- The columns of row y through whose insides the line from a to b goes; none: the last before the first.
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

-- Where the line from a to b passes the middle of row y; nil where it does not. An end on the middle counts as above.
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

-- Where edges pass the middles of rows: a list by row.
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

-- The 0-based cells that points lie within: the first column and row, the last column and row.
local function bounds(points, edge)
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  for _, point in ipairs(points) do
    x0, y0 = math.min(x0, point.x), math.min(y0, point.y)
    x1, y1 = math.max(x1, point.x), math.max(y1, point.y)
  end
  x0, y0 = math.floor(x0 + edge), math.floor(y0 + edge)
  return x0, y0, math.max(x0, math.ceil(x1 - edge) - 1), math.max(y0, math.ceil(y1 - edge) - 1)
end

-- Calls f(x, y) for the hexagons that corners, in cells, cover.
local function each_hexagon(points, is_area, edge, source, within, f)
  hexagons.each_covered(source.map, each_point(points, to_screen, source), is_area, edge, within, f)
end

-- The rectangle of the hexagons that the corners lie on.
local function bounds_of_hexagons(points, is_area, edge, source)
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  for _, point in ipairs(points) do -- so the work does not grow with what an object claims to cover
    each_hexagon({ point }, is_area, edge, source, { -math.huge, -math.huge, math.huge, math.huge }, function(x, y)
      x0, y0, x1, y1 = math.min(x0, x), math.min(y0, y), math.max(x1, x), math.max(y1, y)
    end)
  end
  return x0, y0, x1, y1
end

shapes.corners = outline

-- The hexagon that a place in cells, as those of corners, lies on.
function shapes.hexagon_at(x, y, source)
  local column, row = bounds_of_hexagons({ { x = x, y = y } }, false, EDGE, source)
  return column, row
end

-- The 0-based cells that an object lies within; a point within one.
function shapes.bounds(object, layer, source)
  local points, is_area, edge = outline(object, layer, source)
  if source.is_hexagonal then
    return bounds_of_hexagons(points, is_area, edge, source)
  end
  return bounds(points, edge)
end

-- Calls f(x, y, width) for runs of 0-based cells within a rectangle, { x0, y0, x1, y1 }, that the object covers; some
-- lie over others. A point covers its cell.
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
