-- algorithms.lua -- one question, every algorithm and heuristic: the same cost, more or less work.
--
--     lua examples/algorithms.lua [size]

local astar = require "astar"

local size = math.max(tonumber(arg and arg[1]) or 64, 8)
local grid = astar.grid(size, size, { terrain = { ["."] = 1, [","] = 2, ["#"] = false }, fill = "." })

-- Walls with gaps, and rough ground between them.
for x = 5, size - 4, 6 do
  grid:fill(x, 1, 1, size, "#")
  grid:fill(x, (x * 7) % (size - 2) + 1, 1, 2, ".")
  grid:fill(x + 1, size / 4 - size / 4 % 1, 3, size / 2 - size / 2 % 1, ",")
end

local function ask(options)
  local path = assert(grid:find_path(1, 1, size, size, options))
  return path
end

local function row(name, options)
  local path = ask(options)
  print(("%-34s%10.3f%8d%10d"):format(name, path.cost, #path, path.expanded))
end

if size <= 70 then
  print(grid:draw(ask()))
end
print(("%-34s%10s%8s%10s"):format("", "cost", "cells", "expanded"))
for _, algorithm in ipairs { "astar", "bidirectional", "dijkstra" } do
  row(('algorithm = "%s"'):format(algorithm), { algorithm = algorithm })
end
for _, heuristic in ipairs { "octile", "euclidean", "chebyshev", "manhattan", "zero" } do
  row(('heuristic = "%s"'):format(heuristic), { algorithm = "astar", heuristic = heuristic })
end
-- Found sooner, but up to 'weight' times as dear as the best.
for _, weight in ipairs { 1.5, 3 } do
  row(("weight = %g"):format(weight), { weight = weight })
end
