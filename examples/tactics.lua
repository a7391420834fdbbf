-- tactics.lua -- queries beside routes: which cells are worth a visit, which are seen, and where a sound is heard.

local astar = require "astar"

local grid = astar.grid [[
........................
..........#.............
..........#.............
..........###...........
........................
........................
]]

-- 1. Threat and loot as numbers for each cell, weighed against each other.
local threat, worth = astar.field(grid), astar.field(grid)
threat:stamp(5, 3, 4, 10)
worth:stamp(4, 3, 2, 6)
worth:stamp(19, 3, 2, 5)
local gain = astar.field(grid)
gain:add_field(worth)
gain:add_field(threat, -1)
gain:threshold(1)

local best_x, best_y, best = nil, nil, 0
for x, y, value in gain:cells() do
  if value > best then best_x, best_y, best = x, y, value end
end
print(("worth most where it is safe: (%d, %d), %.1f"):format(best_x, best_y, best))
print(grid:draw(grid:find_path(1, 6, best_x, best_y, { avoid = threat })))

-- 2. What a guard sees, and what is left to walk in its back.
local guard, seen = { x = 11, y = 5 }, astar.field(grid)
local walker = grid:finder()
walker:fov(guard.x, guard.y, 9, { facing = "west", angle = 50, into = seen })
local shown = {}
for x, y in seen:cells() do shown[y * 100 + x] = true end
for y = 1, 6 do
  local row = {}
  for x = 1, 24 do
    row[x] = x == guard.x and y == guard.y and "g" or shown[y * 100 + x] and "+" or grid:get(x, y)
  end
  print(table.concat(row))
end
seen:scale(100)
local sneak = grid:finder { avoid = seen }
print(grid:draw(sneak:find_path(2, 2, 14, 6)))

-- 3. A shout is heard round the corner, not through the wall.
local shout = walker:spread({ { 9, 2 } }, 8)
print(("heard at (9, 6): %.2f, beyond the wall at (12, 2): %.2f"):format(shout:get(9, 6), shout:get(12, 2)))

-- 4. A wolf: hungry, shy of the guard, fond of the wood. All of it at once, a step at a time.
local hunger, wood = walker:flow(22, 2), astar.field(grid)
wood:stamp(13, 6, 4, -3)
local wants = walker:desire_map { { hunger, 1 }, { seen, 1 }, { wood, 1 } }
local wolf_x, wolf_y = 14, 2
local track = {}
for i = 1, 7 do
  track[i] = ("(%d, %d)"):format(wolf_x, wolf_y)
  wolf_x, wolf_y = wants:next(wolf_x, wolf_y)
end
print("the wolf's track: " .. table.concat(track, " "))
