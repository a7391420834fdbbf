-- baking.lua -- a level that rarely changes: baked in slices while it is shown, saved, and doors that close.
--
--     lua examples/baking.lua

local astar = require "astar"

local grid = astar.grid [[
.......#................#.......
.......#................#.......
.......#................#.......
................................
.......#................#.......
###.############.#########.#####
.......#................#.......
.......#................#.......
................................
.......#................#.......
]]
local finder = grid:finder()

local function show(what)
  local path = finder:find_path(1, 1, 32, 10)
  print(("%s: by %s, cost %.2f, %d expanded"):format(what, path.algorithm, path.cost, path.expanded))
end

show "before"

-- So many expansions a frame; a game would say { ms = 1 }, and leave the method to "auto", by which goals as near as
-- here are searched for all the same.
local job, frames = finder:baking { method = "labels" }, 0
repeat
  frames = frames + 1
  local status = job:step { expansions = 20 }
until status ~= "running"
local baked = job.result
print(("baked in %s frames: %s, %d bytes"):format(frames > 1 and "some" or "no", baked.method, baked.bytes))
show "baked"

-- A door is closed: routes that are still whole stay, others are searched for.
grid:block(25, 4)
show "a door closed"
print("current: " .. tostring(baked:is_current()))
grid:unblock(25, 4)

-- A wall falls: nothing baked is known to be the best.
grid:set(8, 1, ".")
show "a wall fallen"
print("current: " .. tostring(baked:is_current()))
grid:set(8, 1, "#")

-- What was saved with the level serves the next time.
local saved = baked:save()
finder:bake { pivots = 0 }
show "let go"
finder:load_baked(saved)
show "loaded"
