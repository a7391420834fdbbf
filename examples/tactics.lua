-- tactics.lua -- what games ask beside a route: where it is worth to go.

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
