-- The cells that objects of a Tiled map cover, against the rule asked of each cell by itself: its centre lies
-- inside, or an edge goes through it (clipped as by Liang and Barsky, 1984).

local random = require "spec.support.random"
local shapes = require "astar.tiled_shapes"

local SIDE = 16
local EDGE = 1e-6 -- as much of a cell counts as its border

local function goes_through(a, b, x, y)
  local from, to = 0, 1
  local function clip(delta, distance)
    if delta == 0 then return distance > 0 end
    if delta < 0 then from = math.max(from, distance / delta) else to = math.min(to, distance / delta) end
    return from < to
  end
  local dx, dy = b.x - a.x, b.y - a.y
  return clip(-dx, a.x - x - EDGE) and clip(dx, x + 1 - EDGE - a.x)
    and clip(-dy, a.y - y - EDGE) and clip(dy, y + 1 - EDGE - a.y)
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

local function is_covered(points, is_area, x, y)
  if is_area and contains(points, x + 0.5, y + 0.5) then return true end
  for i = is_area and 1 or 2, #points do
    if goes_through(points[i > 1 and i - 1 or #points], points[i], x, y) then return true end
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
  it("covers the cells it should, whatever its shape", function()
    local source = { map = { tilewidth = SIDE, tileheight = SIDE, width = 10, height = 8 } }
    for seed = 1, 3000 do
      local r = random.new(seed)
      local points, pixels, is_area = {}, {}, r:chance(0.6)
      for i = 1, r:int(2, 8) do
        points[i] = { x = coordinate(r), y = coordinate(r) }
        pixels[i] = { x = points[i].x * SIDE, y = points[i].y * SIDE }
      end
      local within = { r:int(-2, 2), r:int(-2, 2), r:int(3, 9), r:int(3, 7) }
      local found = {}
      shapes.each_run({ x = 0, y = 0, [is_area and "polygon" or "polyline"] = pixels }, {}, source, within,
        function(x, y, width)
          for column = x, x + width - 1 do found[y * 100 + column] = true end
        end)
      for y = within[2], within[4] do
        for x = within[1], within[3] do
          if is_covered(points, is_area, x, y) ~= (found[y * 100 + x] == true) then
            error(("seed %d: cell (%d, %d) is %s"):format(seed, x, y, found[y * 100 + x] and "covered" or "free"), 0)
          end
          found[y * 100 + x] = nil
        end
      end
      assert.is_nil(next(found), "seed " .. seed .. ": a cell outside")
    end
  end)
end)
