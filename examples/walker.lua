-- walker.lua -- a sprite walks along a path, frame by frame, and changes its way when a door closes.

local astar = require "astar"

local grid = astar.grid [[
#####################
#.........#.........#
#.........#.........#
#...................#
#.........#.........#
#.........#.........#
#####.#########.#####
#...................#
#####################
]]

local FRAME = 0.25 -- seconds; a game gets them from its loop
local GOAL_X, GOAL_Y = 19, 4

local finder = grid:finder()
local path = finder:find_path(3, 3, GOAL_X, GOAL_Y)
local walker = astar.walker(path, { speed = 6 })

local time, arrived = 0, false
while not arrived do
  local x, y
  x, y, arrived = walker:update(FRAME)
  time = time + FRAME
  print(("%5.2f s  at (%.2f, %.2f)"):format(time, x, y))

  if time == 0.5 then
    grid:block(11, 4)
    print "         the door closes"
  end
  if not path:is_valid(walker.index) then
    print(grid:draw(path))
    path = path:repair { from = walker.index, optimal = true }
    walker = astar.walker(path, { speed = 6 })
    print "         another way:"
    print(grid:draw(path))
  end
end
