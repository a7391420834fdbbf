-- questions.lua -- random maps and questions, and what astar answers: 2,000 routes and as many distances of flows. It
-- prints a line for every map, with a sum over the cells of all routes, so that two builds can be compared.

local astar = require "astar"

local state = 1
local function dice(most)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % most + 1
end

local KEYS = { ".", ".", ".", ".", ",", "~", "#" }
local OPTIONS = {
  {}, { diagonals = "never" }, { diagonals = "always" }, { diagonals = "if_at_most_one_obstacle" },
  { algorithm = "astar" }, { algorithm = "dijkstra" }, { algorithm = "jpsw" }, { size = 2 }, { weight = 1.5 },
  { bends = "fewest" }, { bend_cost = 0.5 }, { any_angle = true },
}
local HEX_OPTIONS = { {}, { algorithm = "astar" }, { algorithm = "dijkstra" }, { weight = 2 } }

local function map(number)
  local width, height, rows = 8 + dice(40), 8 + dice(30), {}
  for y = 1, height do
    local keys = {}
    for x = 1, width do keys[x] = KEYS[dice(#KEYS)] end
    rows[y] = table.concat(keys)
  end
  local grid = astar.grid(rows, {
    terrain = { ["."] = 1, [","] = 1.5, ["~"] = 4, ["#"] = false }, shape = number % 4 == 0 and "hex" or nil,
  })
  if number % 3 == 0 then grid:link(1, 1, width, height, { cost = 7 }) end
  return grid, width, height
end

local answered = 0
for number = 1, 50 do
  local grid, width, height = map(number)
  local list = number % 4 == 0 and HEX_OPTIONS or OPTIONS
  local finder = grid:finder(list[number % #list + 1])
  local flow = grid:finder():flow(dice(width), dice(height))
  local costs, sum, expanded = {}, 0, 0
  for _ = 1, 40 do
    local sx, sy, gx, gy = dice(width), dice(height), dice(width), dice(height)
    local path, reason = finder:find_path(sx, sy, gx, gy)
    costs[#costs + 1] = path and ("%.17g"):format(path.cost) or reason
    for x, y in (path and path.cells or function() return function() end end)(path) do
      sum = (sum * 31 + x * 64 + y) % 1000000007
    end
    expanded = expanded + (path and path.expanded or 0)
    local distance, why = flow:distance(sx, sy)
    costs[#costs + 1] = distance and ("%.17g"):format(distance) or why
    answered = answered + 1
  end
  print(number, sum, expanded, table.concat(costs, " "))
end
print(answered .. " questions")
