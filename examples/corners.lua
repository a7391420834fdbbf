-- corners.lua -- the four rules for diagonal steps: may a unit squeeze past a corner?

local astar = require "astar"

local grid = astar.grid [[
......#...
....##....
...#......
..#...#...
.....#....
......#...
]]

-- A diagonal step touches two more cells, those beside it. How many of them may be blocked?
local RULES = {
  { "always", "any" },
  { "if_at_most_one_obstacle", "one" },
  { "only_when_no_obstacles", "none; the default" },
  { "never", "no diagonal steps" },
}

for _, rule in ipairs(RULES) do
  local path = grid:find_path(2, 2, 8, 4, { diagonals = rule[1] })
  print(("diagonals = %q (%s): cost %.3f"):format(rule[1], rule[2], path.cost))
  print(grid:draw(path))
end

-- Other games count a diagonal as 1.4 (10 and 14), or as much as a straight step.
for _, diagonal_cost in ipairs { 1, 1.4, math.sqrt(2), 2 } do
  local path = grid:find_path(2, 2, 8, 4, { diagonal_cost = diagonal_cost })
  print(("diagonal_cost = %.3f: cost %.3f, %d cells"):format(diagonal_cost, path.cost, #path))
end
