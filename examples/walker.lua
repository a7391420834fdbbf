-- walker.lua -- a sprite walks along a path, frame by frame, and takes another route when a door closes.

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

local walker = astar.walker(grid:find_path(3, 3, GOAL_X, GOAL_Y), { speed = 6 })

local time, arrived = 0, false
while not arrived do
  local x, y
  x, y, arrived = walker:update(FRAME)
  time = time + FRAME
  print(("%5.2f s  at (%.2f, %.2f), heading %s"):format(time, x, y, walker.heading))

  if time == 0.5 then
    grid:block(11, 4)
    print "         the door closes"
    print(grid:draw(walker.path))
    walker:repair { optimal = true } -- it never jumps: it goes on from where it is
    print "         another way:"
    print(grid:draw(walker.path))
  end
end
