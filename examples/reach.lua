-- reach.lua -- movement ranges for a game in turns: where a unit can be at the end of its turn.
--
--     lua examples/reach.lua

local astar = require "astar"

local grid = astar.grid([[
..............................
....,,,,............~~~.......
...,,,,,,,..........~~~.......
...,,^^^,,,.........~~~.......
....,^^^^,,.........~~~.......
.....,^^,,..........===.......
....................~~~.......
..............................
]], { terrain = { ["."] = 1, [","] = 2, ["^"] = 4, ["~"] = false, ["="] = 0.5 } })

local units = {
  { name = "knight", x = 14, y = 5, points = 6 },
  { name = "goat", x = 8, y = 6, points = 5, options = { costs = { [","] = 1, ["^"] = 1 } } },
  { name = "cart", x = 17, y = 6, points = 8, options = { diagonals = "never", costs = { ["^"] = false } } },
}
for _, unit in ipairs(units) do grid:block(unit.x, unit.y) end -- units stand in each other's way

-- The map, cells within reach as the points the unit has left there.
local function draw(unit, reach)
  local width, height = grid:size()
  for y = 1, height do
    local line = {}
    for x = 1, width do
      local cost = reach:distance(x, y)
      if x == unit.x and y == unit.y then
        line[x] = "@"
      elseif cost then
        line[x] = ("%d"):format(math.floor(unit.points - cost + 1e-9))
      else
        line[x] = grid:is_blocked(x, y) and "X" or grid:get(x, y)
      end
    end
    print(table.concat(line))
  end
end

for _, unit in ipairs(units) do
  local finder = grid:finder(unit.options)
  local reach = finder:reach(unit.x, unit.y, unit.points)
  local count, dearest = 0, 0
  for _, _, cost in reach:cells() do
    count, dearest = count + 1, math.max(dearest, cost)
  end
  print(("%s with %d points: %d cells, the farthest costs %.2f"):format(unit.name, unit.points, count, dearest))
  draw(unit, reach)
  print()
end

-- The player has clicked on a cell: can the knight go there, and how?
local knight = units[1]
local reach = grid:finder():reach(knight.x, knight.y, knight.points)
for _, click in ipairs { { 19, 6 }, { 22, 6 }, { 30, 1 }, { 17, 6 }, { 21, 2 } } do
  local path, reason = reach:path(click[1], click[2])
  if path then
    print(("to (%d, %d): %d steps for %.2f points"):format(click[1], click[2], #path - 1, path.cost))
  else
    print(("to (%d, %d): no, %s"):format(click[1], click[2], reason))
  end
end
