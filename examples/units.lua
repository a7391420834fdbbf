-- units.lua -- kinds of units on one map, each with its own costs for each kind of ground.

local astar = require "astar"

local grid = astar.grid([[
..............~~~..........
..^^^^........~~~.....^^^..
..^^^^^^.......~~~...^^^^..
....^^^^^......~~~....^^...
=======================....
....^^^^.......~~~....==...
....^^........~~~......=...
..............~~~......====
.............~~~...........
]], {
  terrain = { ["="] = 1, ["."] = 2, ["^"] = 5, ["~"] = false },
})

-- What a unit does not name costs it what the grid says; false: not for this unit.
local kinds = {
  { name = "traveller" },
  { name = "cart", costs = { ["."] = 20, ["^"] = false } },
  { name = "goat", costs = { ["^"] = 1, ["."] = 1, ["="] = 1 } },
  { name = "duck", costs = { ["~"] = 0.5 } },
  { name = "ghost", costs = { ["~"] = 1, ["^"] = 1, ["."] = 1 } },
}

for _, kind in ipairs(kinds) do
  local finder = grid:finder { costs = kind.costs } -- made once a kind, asked for every unit
  local path = finder:find_path(2, 1, 26, 9)
  print(("%s: cost %g, %d cells"):format(kind.name, path.cost, #path))
  print(grid:draw(path))
end
