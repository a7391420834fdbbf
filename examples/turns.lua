-- turns.lua -- a game in turns: two bands pass each other in a gap, and no two units collide.
--
-- crowd:beat() runs one turn and returns the moves of all units. This example prints a line of text and a drawing for
-- each turn.

local astar = require "astar"

local grid = astar.grid [[
.......#.......
.......#.......
...............
.......#.......
.......#.......
]]
local crowd = astar.crowd(grid:finder { diagonals = "never" })

local letters = {} -- by unit
local function band(letter, x, goal_x)
  for y = 1, 5 do
    local unit = crowd:add(x, y)
    letters[unit] = letter
    unit:go(goal_x, y)
  end
end
band("a", 2, 14)
band("b", 14, 2)

local chief = crowd:units()[3]
chief:set_priority(1) -- goes first

local function draw()
  local rows = {}
  for y = 1, 5 do
    local row = {}
    for x = 1, 15 do
      local unit = crowd:unit_at(x, y)
      row[x] = not grid:is_walkable(x, y) and "#" or unit and (unit == chief and "A" or letters[unit]) or "."
    end
    rows[y] = table.concat(row)
  end
  return table.concat(rows, "\n")
end

print "the beginning"
print(draw())
while crowd.under_way > 0 do
  local moves = crowd:beat()
  if crowd.beats == 1 then
    local first = moves[1]
    print(("\nturn 1: %d go, %s from (%d, %d) to (%d, %d), heading %s"):format(#moves, letters[first.unit],
      first.from_x, first.from_y, first.x, first.y, first.heading))
  elseif crowd.beats % 7 == 0 then
    print(("\nturn %d: %d go, %d are under way"):format(crowd.beats, #moves, crowd.under_way))
    print(draw())
  end
end

print(("\nturn %d: all are there"):format(crowd.beats))
print(draw())
