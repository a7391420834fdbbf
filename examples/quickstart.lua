-- quickstart.lua -- a map, a query, a route. Change the map and run it again.

local astar = require "astar"

local grid = astar.grid [[
....................
.......########.....
...#...#......#.....
...#...#......#.....
...#...####.###.....
...#................
...#######..........
....................
]]

local path, reason = grid:find_path(2, 6, 11, 3)
if not path then
  print("no way: " .. reason)
  return
end

print(grid:draw(path))
print(("cost %.3f, %d cells, found by %s"):format(path.cost, #path, path.algorithm))
print("turning at")
for _, point in ipairs(path:waypoints()) do
  print(("  (%d, %d)"):format(point.x, point.y))
end

print "\nNow somebody stands in the doorway:"
grid:block(12, 5)
print(grid:find_path(2, 6, 11, 3))
