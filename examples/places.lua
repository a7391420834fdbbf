-- places.lua -- a courier's errands: the costs between all places, and the best order of the places.

local astar = require "astar"

local grid = astar.grid [[
############################
#......#.........#.........#
#......#.........#.........#
#..........................#
####.#####.#########.#######
#..........................#
#......#.........#.........#
#......#.........#.........#
############################
]]
local finder = grid:finder()
local doors = { { 25, 2 }, { 3, 8 }, { 12, 2 }, { 20, 8 }, { 10, 7 }, { 24, 7 } }

local rows = finder:matrix(doors)
print(("from the first door to the second: %.1f"):format(rows[1][2]))

local order, cost, exact = finder:tour(doors, { from = { 2, 2 }, back = true })
print(("round trip by %s: %.1f%s"):format(table.concat(order, ", "), cost, exact and ", the best there is" or ""))

local x, y = 2, 2
for _, door in ipairs(order) do
  local path = finder:find_path(x, y, doors[door][1], doors[door][2])
  print(("to door %d in %d steps"):format(door, #path - 1))
  x, y = path:cell(#path)
end

-- Someone leaves by the long corridor; a guard in the lower hall cuts the way off.
local fled = finder:find_path(2, 4, 27, 4)
local cut, seconds, index = finder:intercept(14, 8, fled, { speed = 1.5, its_speed = 1 })
print(("met after %.1f s on cell %d of %d, %d steps away"):format(seconds, index, #fled, #cut - 1))
