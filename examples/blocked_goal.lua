-- blocked_goal.lua -- queries without a route: the reason, and what a game can do instead.

local astar = require "astar"

local grid = astar.grid [[
..............
.....######...
.....#....#...
.....#....#...
.....######...
..............
]]

local function try(title, gx, gy, options)
  local path, reason = grid:find_path(2, 3, gx, gy, options)
  print(title)
  if path then
    print(("  cost %.3f, partial: %s"):format(path.cost, tostring(path.partial)))
    print(grid:draw(path))
  else
    print("  no path: " .. reason .. "\n")
  end
end

try("Into a wall:", 6, 3)
try("Into the closed house:", 8, 3)
try("As near to it as possible (partial = true):", 8, 3, { partial = true })
try("A table at (13, 3); the one who wants a drink stands beside it (range = 1):", 13, 3, { range = 1 })
try("No farther than it costs 6 (max_cost = 6):", 13, 3, { max_cost = 6 })
try("The same, going as far as that leads (partial = true):", 13, 3, { max_cost = 6, partial = true })
try("Thinking no longer than 5 expansions:", 13, 3, { max_expansions = 5, algorithm = "astar" })

-- reachable answers from connected components, without a search; an edit counts at once.
local finder = grid:finder()
print("The house can be reached:", finder:reachable(2, 3, 8, 3))
grid:set(8, 5, ".")
print("With a hole in the wall: ", finder:reachable(2, 3, 8, 3))
