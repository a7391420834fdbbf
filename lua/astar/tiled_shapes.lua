-- tiled_shapes.lua -- the cells that an object of a Tiled map covers.
--
-- Every shape becomes a list of corners, in cells. It covers a cell when it overlaps it: the cell's
-- centre lies inside, or one of the edges goes through the cell. What only touches a cell's border
-- does not cover it, so an object snapped to the grid covers just the cells one sees it on.

local shapes = {}

local EDGE = 1e-6 -- of a cell; what rotation may have rounded
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

-- Clockwise on the screen, around (x, y), by degrees.
local function rotated(points, x, y, degrees)
  local cos, sin = math.cos(math.rad(degrees)), math.sin(math.rad(degrees))
  local result = {}
  for i, point in ipairs(points) do
    local dx, dy = point.x - x, point.y - y
    result[i] = { x = x + dx * cos - dy * sin, y = y + dx * sin + dy * cos }
  end
  return result
end

-- An object's corners in pixels, and whether they enclose an area. STI has already moved and rotated
-- the points of polygons and polylines, and keeps those of an ellipse as a polygon.
local function outline(object, is_sti)
  local x, y, w, h = object.x, object.y, object.width or 0, object.height or 0
  local points = object.polygon or object.polyline
  if points and is_sti then
    return points, object.polyline == nil
  end
  if points then
    points = moved(points, x, y)
  elseif object.shape == "ellipse" then
    points = ellipse(x, y, w, h)
  elseif object.gid then -- a tile stands on its lower left corner
    points = box(x, y - h, w, h)
  else
    points = box(x, y, w, h)
  end
  return rotated(points, x, y, object.rotation or 0), object.polyline == nil
end

-- Whether the line from a to b goes through the inside of the cell whose corner is (x, y): Liang and
-- Barsky's clipping (1984).
local function crosses(a, b, x, y)
  local from, to = 0, 1
  local function clip(delta, distance)
    if delta == 0 then
      return distance > 0
    end
    local t = distance / delta
    if delta < 0 then
      from = math.max(from, t)
    else
      to = math.min(to, t)
    end
    return from < to
  end
  local dx, dy = b.x - a.x, b.y - a.y
  return clip(-dx, a.x - x - EDGE) and clip(dx, x + 1 - EDGE - a.x)
    and clip(-dy, a.y - y - EDGE) and clip(dy, y + 1 - EDGE - a.y)
end

local function contains(points, x, y)
  local inside, previous = false, points[#points]
  for _, point in ipairs(points) do
    if (point.y > y) ~= (previous.y > y)
      and x < (previous.x - point.x) * (y - point.y) / (previous.y - point.y) + point.x then
      inside = not inside
    end
    previous = point
  end
  return inside
end

local function covers(points, is_area, x, y)
  if is_area and contains(points, x + 0.5, y + 0.5) then
    return true
  end
  for i = is_area and 1 or 2, #points do
    if crosses(points[i > 1 and i - 1 or #points], points[i], x, y) then
      return true
    end
  end
  return false
end

local function bounds(points)
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  for _, point in ipairs(points) do
    x0, y0 = math.min(x0, point.x), math.min(y0, point.y)
    x1, y1 = math.max(x1, point.x), math.max(y1, point.y)
  end
  return math.floor(x0 + EDGE), math.floor(y0 + EDGE), math.ceil(x1 - EDGE) - 1, math.ceil(y1 - EDGE) - 1
end

-- The object's corners in cells, whether they enclose an area, and the 0-based cells they lie within:
-- the first column and row, the last column and row. A point lies within one cell.
function shapes.outline(object, tile_width, tile_height, is_sti)
  local pixels, is_area = outline(object, is_sti)
  local points = {}
  for i, point in ipairs(pixels) do
    points[i] = { x = point.x / tile_width, y = point.y / tile_height }
  end
  local x0, y0, x1, y1 = bounds(points)
  return points, is_area, x0, y0, math.max(x0, x1), math.max(y0, y1)
end

-- Calls f(x, y) for each 0-based cell that the object covers, row by row; a point covers its cell.
function shapes.each_cell(object, tile_width, tile_height, is_sti, f)
  local points, is_area, x0, y0, x1, y1 = shapes.outline(object, tile_width, tile_height, is_sti)
  local is_point = x0 == x1 and y0 == y1
  for y = y0, y1 do
    for x = x0, x1 do
      if is_point or covers(points, is_area, x, y) then
        f(x, y)
      end
    end
  end
end

return shapes
