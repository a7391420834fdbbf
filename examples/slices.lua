-- slices.lua -- a search in steps, and a queue of many requests, for games whose frames must stay short.
--
--     lua examples/slices.lua

local astar = require "astar"

local grid = astar.grid [[
................................................
.################################...#########...
.#.................#............#...#.......#...
.#.................#............#...#...........
.#........#........#............#...#.......#...
.#........#.....................#...#########...
.#........#........#............#...............
.########################.#######...............
................................................
]]

-- One search, so many expansions a frame. '-' is closed: expanded; '+' is open: to be expanded yet.
local search = grid:finder { algorithm = "astar" }:search(3, 4, 40, 4)
local frame = 0
repeat
  frame = frame + 1
  local status = search:step(60)
  print(("frame %d: %s, %d expanded"):format(frame, status, search.expanded))
  print(grid:draw(search))
until status ~= "running"
print(("cost %.3f, as if asked at once: %.3f\n"):format(search:path().cost,
  grid:find_path(3, 4, 40, 4).cost))
search:close()

-- Many units ask in one frame. A budget of expansions makes this the same on every machine; a game
-- would say { ms = 2 }.
local finder = grid:finder { algorithm = "astar" }
local queue = astar.queue()

local function tell(name)
  return function(path, reason)
    print(("  %-8s %s"):format(name, path and ("%d cells"):format(#path) or reason))
  end
end

for i = 1, 4 do
  queue:request(finder, 1, 1 + i, 48, 9 - i, tell("guard " .. i))
end
local idler = queue:request(finder, 48, 1, 1, 9, tell "idler", -1) -- lower than 0
queue:request(finder, 3, 4, 40, 4, tell "hero", 10)                -- the player's comes first
queue:request(finder, 1, 1, 2, 2, tell "ghost")

-- A script that waits for its path in the middle of its work.
local patrol = coroutine.wrap(function()
  for _, post in ipairs { { 48, 1 }, { 48, 9 } } do
    local path = queue:await(finder, 1, 9, post[1], post[2])
    print(("  patrol   has %d cells to go"):format(#path))
  end
end)
patrol()

frame = 0
repeat
  frame = frame + 1
  print(("frame %d"):format(frame))
  local waiting = queue:update { expansions = 250 }
  if frame == 1 then
    idler:cancel()
  elseif frame == 2 then
    grid:block(26, 8) -- the gate falls: what is half done begins again
  end
until waiting == 0
print("the idler: " .. idler.status)
