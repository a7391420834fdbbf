-- directions.lua -- the eight compass directions and the step each one takes.
--
-- directions.north and so on by name, directions[1] (north) to directions[8] (north_west)
-- clockwise. y grows downwards, so north is dy = -1. path:directions() returns these names.

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
