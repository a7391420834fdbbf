-- hex.lua -- a map of hexagons for a game in turns: routes, movement ranges, lines of sight.
--
--     lua examples/hex.lua

local astar = require "astar"

local MAP = [[
..........ff......
..ff.....fff..~~..
.ffff....ff..~~...
..fff.......~~....
.....mm....~~.....
....mmm...........
...mmm....~~...f..
....m....~~...fff.
]]
local TERRAIN = { ["."] = 1, f = 2, m = 4, ["~"] = false }

local grid = astar.grid(MAP, { shape = "hex", offset = "odd_r", terrain = TERRAIN })
local knight = grid:finder()
local goat = grid:finder { costs = { m = 1, f = 1 } }

local function show(name, path)
  print(("%s: %d steps, cost %g"):format(name, #path - 1, path.cost))
  print(grid:draw(path))
end

show("the knight", knight:find_path(2, 6, 17, 2))
show("the goat", goat:find_path(2, 6, 17, 2))

grid:wall(8, 6, "east") -- a gate between two hexagons, shut
grid:wall(8, 6, "north_east")
grid:wall(8, 6, "south_east")
show("the goat, past the gate", goat:find_path(2, 6, 17, 2))

-- Where the knight may be at the end of its turn, as the points it has left there.
local POINTS = 4
local reach = knight:reach(6, 3, POINTS)
local w, h = grid:size()
print(("within %d points of (6, 3):"):format(POINTS))
for y = 1, h do
  local line = {}
  for x = 1, w do
    local cost = reach:distance(x, y)
    line[x] = cost and ("%d"):format(POINTS - cost) or grid:get(x, y)
  end
  print((y % 2 == 0 and " " or "") .. table.concat(line, " "))
end
print()

print(("(2, 6) and (17, 2) are %d steps apart"):format(grid:distance(2, 6, 17, 2)))
local archer = grid:finder { costs = { m = false, ["~"] = 1 } } -- mountains stop an arrow, water does not
for _, target in ipairs { { 9, 1 }, { 9, 6 }, { 12, 5 } } do
  local clear, x, y = archer:raycast(3, 6, target[1], target[2])
  print(("from (3, 6) to (%d, %d): %s"):format(target[1], target[2],
    clear and "in sight" or ("something stands at (%d, %d)"):format(x, y)))
end
