-- any_angle.lua -- one query with three routes: by steps, by steps and smoothed, and at any angle.

local astar = require "astar"

local grid = astar.grid [[
....................................
....................................
....................................
....................###.............
....................###.............
....................###.............
.......######.......###.............
.......######.......................
.......######......####.............
.......######......####.............
...................####.............
...................####.............
]]

local start, goal = { 1, 2 }, { 36, 11 }
local path = assert(grid:find_path(start[1], start[2], goal[1], goal[2]))
local straight = grid:finder { any_angle = true }
local route = straight:find_path(start[1], start[2], goal[1], goal[2])

local function show(title, some)
  local points = some:waypoints()
  print(("%s: %.2f long, %d legs"):format(title, some.length, #points - 1))
  for i, point in ipairs(points) do points[i] = ("(%d, %d)"):format(point.x, point.y) end
  print("  " .. table.concat(points, " "))
end

-- The path by steps counts its steps: around which side of the blocks it goes, and whether it is
-- first straight and then slanted, makes no difference to it. Smoothing keeps to its cells. At any
-- angle the shortest line counts, here one between the two blocks to the east.
show("by steps, +", path)
show("smoothed, o", path:smooth())
show("at any angle, *", route)

-- All of them in one drawing.
local rows = {}
for row in grid:draw():gmatch "[^\n]+" do
  local cells = {}
  for cell in row:gmatch "." do cells[#cells + 1] = cell end
  rows[#rows + 1] = cells
end
for _, drawn in ipairs { { path, "+" }, { path:smooth(), "o" }, { route, "*" } } do
  for x, y in drawn[1]:cells() do rows[y][x] = drawn[2] end
end
rows[start[2]][start[1]] = "S"
rows[goal[2]][goal[1]] = "G"
for y, cells in ipairs(rows) do rows[y] = table.concat(cells) end
print(table.concat(rows, "\n"))

-- The unit's whole body fits along each leg.
local points, clear = route:waypoints(), 0
for i = 1, #points - 1 do
  local a, b = points[i], points[i + 1]
  if straight:sweep(a.x, a.y, b.x, b.y) then clear = clear + 1 end
end
print(("%d of %d legs are clear"):format(clear, #points - 1))
