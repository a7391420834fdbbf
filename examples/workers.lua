-- workers.lua -- sixty guards request routes: in one frame, in a queue with 2 ms per frame, and by worker threads.
--
--     lua examples/workers.lua

local astar = require "astar"
local clock = require("astar.core").clock -- seconds of real time: os.clock counts those of all threads

local SIDE, GUARDS, FRAMES, DRAWING = 400, 60, 10, 0.010

-- Halls with a gap in each wall, by turns in the north and in the south: every route winds through them.
local grid = astar.grid(SIDE, SIDE)
for wall = 1, SIDE / 12 - 1 do
  grid:block(12 * wall, 1, 1, SIDE)
  grid:unblock(12 * wall, wall % 2 == 0 and 2 or SIDE - 1)
end
local finder = grid:finder { algorithm = "astar" }
finder:find_path(1, 1, SIDE, SIDE)

local function ask_all(ask)
  for i = 1, GUARDS do
    local hall = i % 28
    ask(12 * hall + 5, i, 12 * hall + 41, SIDE - i)
  end
end

local total
local function add(path) total = total + path.cost end

-- Plays some frames, each of which draws, and tells how long the longest was at work for the routes.
local function play(name, first, update)
  local times, longest = {}, 0
  total = 0
  for frame = 1, FRAMES do
    local begin = clock()
    if frame == 1 then first() end
    update()
    local now = clock()
    times[frame], longest = ("%.1f"):format((now - begin) * 1000), math.max(longest, now - begin)
    repeat until clock() > now + DRAWING
  end
  print(("%s: at most %.1f ms a frame"):format(name, longest * 1000))
  print("  " .. table.concat(times, " "))
end

local function tell() print(("  the same routes: cost %.3f in all"):format(total)) end

play("in one frame", function()
  ask_all(function(...) add(finder:find_path(...)) end)
end, function() end)
tell()

local sliced = astar.queue()
play("in slices of 2 ms", function()
  ask_all(function(sx, sy, gx, gy) sliced:request(finder, sx, sy, gx, gy, add) end)
end, function() sliced:update { ms = 2 } end)
print(("  %d still wait"):format(sliced:count()))
while sliced:update { ms = 100 } > 0 do end -- luacheck: ignore
tell()

-- Routes come in the 9th frame, however many cores there are: with one alone, that frame has most of the work.
local pool = astar.workers(3)
local handed = astar.queue { workers = pool, delay = FRAMES - 1 }
play("by workers", function()
  ask_all(function(sx, sy, gx, gy) handed:request(finder, sx, sy, gx, gy, add) end)
end, function() handed:update() end)
tell()
pool:close()
