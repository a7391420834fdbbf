-- directions.lua -- astar.directions: the eight compass directions, each with its step (dx, dy) to the next cell.
--
-- A direction is found by its name, directions.north, or by its number: clockwise from directions[1] (north) to
-- directions[8] (north_west). y grows to the south, so the step to the north has dy = -1. path:directions() returns
-- the names.

local no_field = require((...):match "^(.+)[./][^./]+$" .. ".no_field")

local directions = {
  { name = "north", dx = 0, dy = -1 },
  { name = "north_east", dx = 1, dy = -1 },
  { name = "east", dx = 1, dy = 0 },
  { name = "south_east", dx = 1, dy = 1 },
  { name = "south", dx = 0, dy = 1 },
  { name = "south_west", dx = -1, dy = 1 },
  { name = "west", dx = -1, dy = 0 },
  { name = "north_west", dx = -1, dy = -1 },
}

for _, direction in ipairs(directions) do
  directions[direction.name] = direction
end

return no_field.of_module(directions, "astar.directions")
