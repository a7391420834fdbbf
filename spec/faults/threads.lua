-- threads.lua -- the script that threads.c runs in many states at once: a bit of everything.

local astar = require "astar"

local function build(seed)
  local grid, state = astar.grid(40, 30), seed + 1
  for _ = 1, 300 do
    state = state * 48271 % 2147483647
    local x, y = state % 38 + 2, math.floor(state / 64) % 28 + 2
    grid:block(x, y)
  end
  grid:link(1, 15, 40, 3, { cost = 5, label = "lift" })
  return grid
end

local kept -- from one round to the next

return function(seed)
  local sum = 0
  local function add(path) sum = sum + (path and path.cost or 1) end
  local grid = build(seed)
  for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
    add(grid:find_path(1, 1, 40, 30, { algorithm = algorithm }))
  end
  local unlinked = grid:clone()
  unlinked:unlink(1, 15, 40, 3)
  for _, algorithm in ipairs { "jps", "jpsw" } do
    add(unlinked:find_path(1, 1, 40, 30, { algorithm = algorithm }))
  end
  for _, options in ipairs { { size = 2 }, { any_angle = true }, { weight = 2 }, { range = 2 } } do
    add(grid:find_path(1, 1, 40, 30, options))
  end
  local baked = grid:finder()
  sum = sum + baked:bake().pivots + (baked:reachable(1, 1, 40, 30) and 1 or 0)
  add(baked:find_path(1, 1, 40, 30))
  local field = astar.field(grid)
  field:stamp(20, 15, 6, 4)
  add(grid:finder { avoid = field }:find_path(1, 1, 40, 30))

  -- functions that search themselves, and one that fails in the middle
  local inner = grid:finder { diagonals = "never" }
  local finder = grid:finder { cost = function(x, y, _, cost)
    if x == 30 and y % 10 == 1 then add(inner:find_path(1, 1, 1, 9)) end
    return cost
  end }
  add(finder:find_path(1, 1, 40, 30))
  local failing = grid:finder { cost = function() error "stop" end }
  for depth = 1, 20 do
    coroutine.wrap(function() pcall(failing.find_path, failing, 1, 1, 40, 30 - depth % 2) end)()
  end

  local search = finder:search(1, 1, 40, 1)
  while search:step(50) == "running" do collectgarbage "step" end
  add(search:path())
  local queue = astar.queue()
  for i = 1, 5 do queue:request(finder, 1, i, 40, 30 - i, add) end
  while queue:update { expansions = 200 } > 0 do end
  local pool = astar.workers(2)
  local handed = astar.queue { workers = pool, delay = 2 }
  local handed_flow = inner:flow(40, 1)
  handed:add(handed_flow:completing())
  for i = 1, 9 do
    handed:request(i % 2 == 0 and inner or baked, 1, i, 40, 30 - i, add)
    grid:block(20, i)
    if i % 3 == 0 then handed:update() end
  end
  while handed:update { ms = 1000 } > 0 do handed_flow:next(1, 1) end
  handed:request(inner, 1, 1, 40, 30, add)
  handed:update()
  if seed % 2 == 0 then pool:close() end -- else the collector does, or the end of the state
  for i = 1, 9 do grid:unblock(20, i) end
  add(finder:find_nearest(1, 1, { { 40, 1 }, { 1, 30 } }))
  sum = sum + finder:clearance(20, 15)

  -- flows that take in edits
  local flow = baked:flow { { 40, 1 }, { 1, 30, 5 } }
  add(flow:path(1, 1))
  local route = grid:find_path(1, 1, 40, 30)
  grid:fill(5, 5, 20, 3, "#")
  grid:wall(30, 20, "east")
  add(flow:path(1, 1))
  add(flow:flee():path(20, 20))
  add(route and route:repair())
  for _, _, distance in baked:reach(20, 20, 6):cells() do sum = sum + distance end
  local copy = astar.load(grid:clone():dump())
  copy:fill(1, 1, 40, 1, ".")
  add(copy:find_path(1, 1, 40, 30))
  if kept then assert(kept:is_valid() and kept:smooth()) end
  kept = grid:find_path(1, 1, 1, 30)
  return ("%.9g"):format(sum)
end
