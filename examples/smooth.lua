-- smooth.lua -- fewer, straighter legs; lines of sight; names for the steps.

local astar = require "astar"

local grid = astar.grid [[
..............................
.....####.....................
.....####............###......
.....................###......
...........###................
...........###................
..............................
..............................
]]

local finder = grid:finder()
local path = finder:find_path(2, 8, 30, 1)
local smooth = path:smooth()

local function show(title, route)
  local points = route:waypoints()
  print(("%s: %d legs, %.3f long"):format(title, #points - 1, route.length))
  for i, point in ipairs(points) do
    points[i] = ("(%d, %d)"):format(point.x, point.y)
  end
  print(table.concat(points, " "))
  print(grid:draw(route))
end

-- A path goes by eight directions. Smoothed, it goes straight from point to point, at any angle,
-- wherever the unit can; its cells are still neighbours.
show("as found", path)
show("smoothed", smooth)

print("first steps: " .. table.concat(path:directions(), " ", 1, 4))

-- The same line of sight can be asked for by itself.
for _, target in ipairs { { 30, 8 }, { 30, 1 } } do
  local clear, x, y = finder:raycast(2, 8, target[1], target[2])
  local answer = clear and "clear" or ("stopped at (%d, %d)"):format(x, y)
  print(("from (2, 8) to (%d, %d): %s"):format(target[1], target[2], answer))
end
