-- world.lua -- a caravan crosses an endless world: hills and lakes are made on its way, and kept in one megabyte.

local astar = require "astar"

-- How high the land is at a cell, between 0 and 1: noise on lattices of two widths.
local function noise(x, y, width)
  local function at(i, j)
    local n = (i * 73856 + j * 193496 + width * 8349) % 2147483647
    n = (n * 48271 + 11) % 2147483647
    n = (n * 48271 % 2147483647 + n % 65536 * 30011) % 2147483647
    return n * 48271 % 2147483647 / 2147483647
  end
  local i, j = math.floor(x / width), math.floor(y / width)
  local fx, fy = x / width - i, y / width - j
  local top = at(i, j) * (1 - fx) + at(i + 1, j) * fx
  local bottom = at(i, j + 1) * (1 - fx) + at(i + 1, j + 1) * fx
  return top * (1 - fy) + bottom * fy
end

local function ground(x, y)
  local height = 0.65 * noise(x, y, 70) + 0.35 * noise(x, y, 17)
  return height < 0.37 and "~" or height > 0.66 and "^" or height > 0.56 and "f" or "."
end

local world = astar.world {
  terrain = { ["."] = 1, f = 2, ["~"] = false, ["^"] = false },
  bytes = 2 ^ 20,
  load = function(cx, cy)
    local keys = {}
    for y = 64 * cy + 1, 64 * cy + 64 do
      for x = 64 * cx + 1, 64 * cx + 64 do keys[#keys + 1] = ground(x, y) end
    end
    return keys
  end,
}

-- The nearest dry place to the east.
local function dry(x, y)
  while ground(x, y) ~= "." do x = x + 1 end
  return x, y
end

local caravan = world:finder { size = 1 }
local sx, sy = dry(1, 1)
local gx, gy = dry(800, -400)
local route = assert(caravan:find_route(sx, sy, gx, gy))
print(("from (%d, %d) to (%d, %d): cost %.0f, at least %.0f"):format(sx, sy, gx, gy, route.cost,
  route.cost - route.bound))

-- What lies around a cell, and the way over it.
local function draw(path, x0, y0, width, height)
  local way = {}
  for x, y in path:cells() do way[x .. "," .. y] = true end
  for y = y0, y0 + height - 1 do
    local row = {}
    for x = x0, x0 + width - 1 do row[#row + 1] = way[x .. "," .. y] and "*" or world:get(x, y) end
    print("  " .. table.concat(row))
  end
end

local cells, cost, stretch = 1, 0, 0
local first
for path in function() return route:stretch() end do
  first = first or path
  stretch, cells, cost = stretch + 1, cells + #path - 1, cost + path.cost
  if stretch % 2 == 0 then print(("after %d stretches at (%d, %d)"):format(stretch, route.x, route.y)) end
end
print(("there: %d cells, cost %.0f in %d stretches"):format(cells, cost, stretch))
draw(first, sx - 4, sy - 18, 72, 24)

-- A flood: the caravan's road is cut, and another one found.
local back = assert(caravan:find_route(gx, gy, sx, sy))
local middle = back:path()
local x, y = middle:cell(math.floor(#middle / 2))
world:block(x - 40, y - 2, 81, 5)
print(("flooded at (%d, %d), the way is open: %s"):format(x, y, tostring(back:is_valid())))
print(("another way: cost %.0f instead of %.0f"):format(caravan:find_route(gx, gy, sx, sy).cost, back.cost))
local stats = world:stats()
print(("%d chunks loaded, %d let go, %d KiB kept"):format(stats.loaded, stats.unloaded, math.floor(stats.bytes / 1024)))
