-- danger.lua -- a field that units avoid: a patrol, scent that fades, a crowd that spreads out.

local astar = require "astar"

local grid = astar.grid [[
........................
........................
.........######.........
........................
........................
........................
.........######.........
........................
........................
]]

-- 1. Danger: a patrol walks up and down; what it last saw is avoided less and less.
local danger = astar.field(grid)
local thief = grid:finder { avoid = danger }

for turn, y in ipairs { 8, 6, 4 } do
  danger:decay(0.5)           -- what was stamped last turn counts half
  danger:stamp(12, y, 4, 12)  -- the patrol, and what it can see
  local path = thief:find_path(2, 5, 23, 5)
  print(("turn %d, the patrol at row %d: %d cells, cost %.2f"):format(turn, y, #path, path.cost))
  print(grid:draw(path))
end

-- 2. The same field, two tempers: how much a unit minds is its finder's avoid_weight.
for _, temper in ipairs { { "bold", 0.1 }, { "anxious", 3 } } do
  local path = grid:find_path(2, 5, 23, 5, { avoid = danger, avoid_weight = temper[2] })
  print(("%s: %d cells, cost %.2f"):format(temper[1], #path, path.cost))
end
print()

-- 3. Crowding: each unit leaves a trace on its route, so that the next ones spread out.
local crowd = astar.field(grid)
local units = grid:finder { avoid = crowd }
local used = {}
for i = 1, 12 do
  local path = units:find_path(2, 5, 23, 5)
  for x, y in path:cells() do crowd:add(x, y, 0.2) end
  local _, y = path:cell(math.ceil(#path / 2))
  used[y] = (used[y] or 0) + 1
  if i == 12 then print(grid:draw(path)) end
end
for y = 1, 9 do
  if used[y] then print(("%2d of 12 cross the middle on row %d"):format(used[y], y)) end
end
