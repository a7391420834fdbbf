-- The cells that objects of a Tiled map cover, against the rule asked of each cell by itself: its centre lies
-- inside, or an edge goes through it (clipped as by Liang and Barsky, 1984).

local random = require "spec.support.random"
local shapes = require "astar.tiled.shapes"

local SIDE = 16

-- Half a unit of the last of six digits, which is what Tiled writes of a number.
local function rounding(number)
  return number ~= 0 and 0.5 * 10 ^ (tonumber(("%.5e"):format(number):match "e(.*)$") - 5) or 0
end

-- As much of a cell counts as its border: what the computation rounds, and what Tiled has rounded.
local function edge_of(pixels)
  local most = 0
  for _, point in ipairs(pixels) do most = math.max(most, rounding(point.x), rounding(point.y)) end
  return 1e-6 + most / SIDE
end

local function goes_through(a, b, x, y, edge)
  local from, to = 0, 1
  local function clip(delta, distance)
    if delta == 0 then return distance > 0 end
    if delta < 0 then from = math.max(from, distance / delta) else to = math.min(to, distance / delta) end
    return from < to
  end
  local dx, dy = b.x - a.x, b.y - a.y
  return clip(-dx, a.x - x - edge) and clip(dx, x + 1 - edge - a.x)
    and clip(-dy, a.y - y - edge) and clip(dy, y + 1 - edge - a.y)
end

local function contains(points, x, y)
  local inside, before = false, points[#points]
  for _, point in ipairs(points) do
    if (point.y > y) ~= (before.y > y)
      and x < (before.x - point.x) * (y - point.y) / (before.y - point.y) + point.x then
      inside = not inside
    end
    before = point
  end
  return inside
end

local function is_covered(points, is_area, x, y, edge)
  if is_area and contains(points, x + 0.5, y + 0.5) then return true end
  for i = is_area and 1 or 2, #points do
    if goes_through(points[i > 1 and i - 1 or #points], points[i], x, y, edge) then return true end
  end
  return false
end

-- Whole cells, halves, pixels, anything.
local function coordinate(r)
  local kind = r:int(1, 4)
  return kind == 1 and r:int(-2, 12) or kind == 2 and r:int(-4, 24) / 2 or kind == 3 and r:int(-32, 192) / SIDE
    or r:number() * 14 - 2
end

describe("an object of a Tiled map", function()
  it("covers the right cells for each of its shapes", function()
    local source = { map = { tilewidth = SIDE, tileheight = SIDE, width = 10, height = 8 } }
    for seed = 1, 3000 do
      local r = random.new(seed)
      local points, pixels, is_area = {}, {}, r:chance(0.6)
      for i = 1, r:int(2, 8) do
        points[i] = { x = coordinate(r), y = coordinate(r) }
        pixels[i] = { x = points[i].x * SIDE, y = points[i].y * SIDE }
      end
      local edge = edge_of(pixels)
      local within = { r:int(-2, 2), r:int(-2, 2), r:int(3, 9), r:int(3, 7) }
      local found = {}
      shapes.each_run({ x = 0, y = 0, [is_area and "polygon" or "polyline"] = pixels }, {}, source, within,
        function(x, y, width)
          for column = x, x + width - 1 do found[y * 100 + column] = true end
        end)
      for y = within[2], within[4] do
        for x = within[1], within[3] do
          if is_covered(points, is_area, x, y, edge) ~= (found[y * 100 + x] == true) then
            error(("seed %d: cell (%d, %d) is %s"):format(seed, x, y, found[y * 100 + x] and "covered" or "free"), 0)
          end
          found[y * 100 + x] = nil
        end
      end
      assert.is_nil(next(found), "seed " .. seed .. ": a cell outside")
    end
  end)

  -- A rectangle whose corners are corners of cells: (p, q) long on one side and (-q, p) times m on the other. It
  -- overlaps a cell where their projections on the four directions of their sides overlap, all in whole numbers.
  local function overlaps(p, q, m, x, y)
    local function is_apart(dx, dy)
      local low, high = math.huge, -math.huge
      for _, corner in ipairs { { 0, 0 }, { p, q }, { -q * m, p * m }, { p - q * m, q + p * m } } do
        local at = corner[1] * dx + corner[2] * dy
        low, high = math.min(low, at), math.max(high, at)
      end
      local own_low, own_high = math.huge, -math.huge
      for _, corner in ipairs { { x, y }, { x + 1, y }, { x, y + 1 }, { x + 1, y + 1 } } do
        local at = corner[1] * dx + corner[2] * dy
        own_low, own_high = math.min(own_low, at), math.max(own_high, at)
      end
      return high <= own_low or own_high <= low
    end
    return not (is_apart(1, 0) or is_apart(0, 1) or is_apart(p, q) or is_apart(-q, p))
  end

  it("covers no additional cell because Tiled rounds its position, size and rotation to six digits", function()
    local function six(number) return tonumber((("%.6g"):format(number):gsub(",", "."))) end
    for seed = 1, 200 do
      local r = random.new(seed)
      local tile = r:pick { 8, 16, 24, 32, 48, 64 }
      local p, q, m = r:int(1, 6), r:int(0, 6), r:int(1, 3)
      if seed % 2 == 0 then q = p end -- turned by 45 degrees
      local left, top = r:int(20, 200), r:int(20, 200)
      if seed % 5 == 0 then left = r:int(2000, 9000) end -- far from the origin, where fewer digits are left
      local length = math.sqrt(p * p + q * q) * tile
      local object = { x = six(left * tile), y = six(top * tile), width = six(length), height = six(length * m),
        rotation = six(math.deg(math.atan2 and math.atan2(q, p) or math.atan(q, p))), shape = "rectangle" }
      local found = {}
      local source = { map = { tilewidth = tile, tileheight = tile, width = 9999, height = 300 } }
      local within = { left - 20, top - 1, left + 7, top + 25 }
      shapes.each_run(object, {}, source, within, function(x, y, width)
        for column = x, x + width - 1 do found[y * 10000 + column] = true end
      end)
      for y = within[2], within[4] do
        for x = within[1], within[3] do
          if overlaps(p, q, m, x - left, y - top) ~= (found[y * 10000 + x] == true) then
            error(("seed %d: cell (%d, %d) is %s"):format(seed, x - left, y - top,
              found[y * 10000 + x] and "covered" or "free"), 0)
          end
        end
      end
    end
  end)
end)
