-- planet.lua -- a map that wraps around: routes across its edges, what a tower sees there, a flow to a harbour.
--
--     lua examples/planet.lua

local astar = require "astar"

local planet = astar.grid([[
....~~~~....^^......~~~.
.....~~....^^^^....~~~..
..........^^.^^...~~~...
...~~.....^...^....~~...
..~~~.....^^.^^.....~...
...~.......^^^..........
]], { wrap = "x", terrain = { ["."] = 1, ["^"] = false, ["~"] = 3 } })

-- East of the last column lies the first one.
local path = planet:find_path(22, 5, 3, 2)
print(("%d steps, cost %.2f"):format(#path - 1, path.cost))
print(planet:draw(path))
for i = 1, #path - 1 do
  local x, y = path:cell(i)
  if path:link(i) then print(("over the seam from (%d, %d) to (%d, %d)"):format(x, y, path:cell(i + 1))) end
end

-- As far as a route that has edges: what it would cost to walk back.
local flat = astar.grid(24, 6)
print(("%d steps apart, %d on a map with edges"):format(planet:distance(22, 5, 3, 2), flat:distance(22, 5, 3, 2)))

-- What a tower at the western edge sees.
local seen = planet:finder():fov(1, 4, 4)
for y = 1, 6 do
  local row = {}
  for x = 1, 24 do row[x] = x == 1 and y == 4 and "T" or seen:get(x, y) > 0 and "o" or "." end
  print(table.concat(row))
end

local harbour = planet:finder():flow(24, 1)
print(("from (2, 1) to the harbour: %g, first to (%d, %d)"):format(harbour:distance(2, 1), harbour:next(2, 1)))
