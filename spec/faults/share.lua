-- share.lua -- the script that threads.c runs in many states at once that share a map.
--
-- Called with a number below 0 it is the owner's: it moves the one gap of a wall, and the ground that marks its
-- row, bakes, hands questions to workers of its own, and publishes. Else it asks: whatever one question sees must
-- be of one publish.

local astar = require "astar"

local NAME, WIDTH, HEIGHT, WALL = "faults/share", 40, 30, 20

local grid, map, search, flow, queue, guided -- kept from one round to the next

-- Asks workers for the ways by what is baked, and for the nearest of three cells.
local function ask_own_workers(i)
  queue = queue or astar.queue { workers = astar.workers(2), delay = 2 }
  guided = guided or grid:finder { algorithm = "astar", diagonals = "never" }
  if i % 20 == 1 then guided:bake { pivots = 2 } end
  if i % 15 == 3 then queue:add(grid:finder { diagonals = "always" }:baking()) end
  if i % 7 == 1 then grid:finder():bake { method = i % 2 == 0 and "labels" or "hierarchy" } end
  queue:request(guided, 2, 2, WIDTH, HEIGHT)
  queue:request(grid:finder(), 2, 2, WIDTH, HEIGHT)
  queue:add(guided:finding_nearest(2, 2, { { WIDTH, 2 }, { WIDTH, HEIGHT }, { 2, HEIGHT } }))
  queue:update { ms = 1000 }
end

local function own(seed)
  if not grid then
    grid = astar.grid(WIDTH, HEIGHT, { terrain = { ["."] = 1, m = 2 }, fill = "." })
    grid:block(WALL, 1, 1, HEIGHT)
    grid:unblock(WALL, 1)
    grid:set(1, 1, "m")
    grid:share(NAME)
  end
  for i = 1, 60 do
    local row = (i * 7 + seed) % HEIGHT + 1
    grid:fill(1, 1, 1, HEIGHT, ".")
    grid:set(1, row, "m")
    grid:block(WALL, 1, 1, HEIGHT)
    grid:unblock(WALL, row)
    if i % 9 == 0 then grid:terrain("t" .. (i + seed) % 90, 3) end
    if i % 3 == 0 then ask_own_workers(i) end
    grid:publish()
    local path, version = grid:find_path(2, 2, WIDTH, HEIGHT), grid:publish()
    assert(path and (not version or version == grid:version())) -- readers may hold all copies
  end
  return "owned"
end

-- The row of the gap, and whether it is the only one and marked.
local function look()
  local gap, gaps, marked = nil, 0, nil
  for y = 1, HEIGHT do
    if not map:is_blocked(WALL, y) then gap, gaps = y, gaps + 1 end
    if map:get(1, y) == "m" then marked = y end
  end
  return gap, gaps == 1 and gap == marked
end

local function row_at_wall(path)
  for x, y in path:cells() do
    if x == WALL then return y end
  end
end

local function ask_with_callback(seed)
  local gap, is_whole
  local finder = map:finder { cost = function(_, _, _, cost)
    if not gap then gap, is_whole = look() end
    return cost
  end }
  local path = assert(finder:find_path(2, seed % HEIGHT + 1, WIDTH, 3))
  assert(is_whole and row_at_wall(path) == gap, "a publish was seen in part")
end

-- Hands a question to workers, with two more out, and has the one before those answered.
local function ask_workers(seed)
  queue = queue or astar.queue { workers = astar.workers(1), delay = 3 }
  queue:request(map:finder { diagonals = "never" }, 2, seed % HEIGHT + 1, WIDTH, 4, function(path)
    assert(row_at_wall(path))
  end)
  -- so many kinds of units that a copy lets go of what it has built for some of them
  local large = map:finder { size = seed % 24 + 1 }
  large:find_path(2, 2, WIDTH - 20, 4)
  queue:add(large:finding_nearest(2, 2, { { 5, 5 }, { 2, seed % HEIGHT + 1 } }))
  queue:update { ms = 1000 }
end

-- Lets go of what is kept, in some order, by hand or to the collector; some of it is left to the end of the state.
local function release(seed)
  local kept = { map, search or false, flow or false }
  for i = 1, 3 do
    local each = kept[(i + seed) % 3 + 1]
    if each and (seed + i) % 2 == 0 then debug.getmetatable(each).__gc(each) end
  end
  if seed % 6 == 3 then queue.workers:close() end
  map, search, flow, queue = nil, nil, nil, nil
end

local function ask(seed)
  map = map or assert(astar.shared(NAME))
  for i = 1, 25 do
    ask_with_callback(seed + i)
    assert(row_at_wall(assert(map:find_path(2, 2, WIDTH, HEIGHT))))
    search = search or map:finder { algorithm = i % 2 == 0 and "jpsw" or "astar" }:search(2, i, WIDTH, 4)
    local status = search:step(40)
    if status ~= "running" then
      assert(status == "found" and row_at_wall(search:path()))
      search = nil
    end
    flow = flow or map:finder():flow(WIDTH, 9)
    assert(flow:distance(2, i) >= WIDTH - 2)
    local failing = map:finder { cost = function() error "no" end }
    assert(not pcall(failing.find_path, failing, 2, 2, WIDTH, HEIGHT))
    ask_workers(seed + i)
  end
  if seed % 3 == 0 then release(seed) end
  collectgarbage(seed % 4 == 0 and "collect" or "step")
  return "asked"
end

return function(seed)
  if seed < 0 then return own(-seed) end
  return ask(seed)
end
