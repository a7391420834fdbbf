-- algorithms.lua -- one query with every algorithm and heuristic: the same cost, more or less work.
--
--     lua examples/algorithms.lua [seed]

local astar = require "astar"

local WIDTH, HEIGHT = 70, 20
local seed = tonumber(arg and arg[1]) or 1

-- A number from 1 to n; the same ones on every machine, unlike math.random's.
local function random(n)
  seed = (seed * 16807) % 2147483647
  return seed % n + 1
end

local grid = astar.grid(WIDTH, HEIGHT, { terrain = { ["."] = 1, [","] = 2, ["#"] = false }, fill = "." })
for _ = 1, 12 do
  grid:fill(random(WIDTH - 9), random(HEIGHT - 4), 8, 3, ",")
end
for _ = 1, WIDTH * HEIGHT / 5 do
  grid:set(random(WIDTH), random(HEIGHT), "#")
end
grid:set(1, 10, ".")
grid:set(WIDTH, 10, ".")

local function row(name, options)
  local path = assert(grid:find_path(1, 10, WIDTH, 10, options))
  print(("%-30s%10.3f%8d%10d"):format(name, path.cost, #path, path.expanded))
end

print(grid:draw(grid:find_path(1, 10, WIDTH, 10)))
print(("%-30s%10s%8s%10s"):format("", "cost", "cells", "expanded"))
for _, algorithm in ipairs { "astar", "dijkstra" } do
  row(('algorithm = "%s"'):format(algorithm), { algorithm = algorithm })
end
for _, heuristic in ipairs { "octile", "euclidean", "chebyshev", "manhattan", "zero" } do
  row(('heuristic = "%s"'):format(heuristic), { algorithm = "astar", heuristic = heuristic })
end
-- Found sooner, at up to 'weight' times the best cost.
for _, weight in ipairs { 1.5, 3 } do
  row(("weight = %g"):format(weight), { algorithm = "astar", weight = weight })
end
