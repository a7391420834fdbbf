-- allocations.lua -- the scripts that allocations.c runs: together they use all of the API.
--
-- { name, prepare = function(astar) -> objects, act = function(objects, astar) -> results }: acting
-- twice must give the same results, for it is done again after it failed. `look`, where a script
-- has one, tells what a failure must leave as it is; by default that is nothing.

local scripts = {}

local function add(script) scripts[#scripts + 1] = script end

local DRAWING = [[
..........
.####..~~.
....#..~~.
.##.#.....
.##...##..
......##..
]]
local KEYS = { ["."] = 1, ["~"] = 3, ["#"] = false }

local function new_grid(astar) return astar.grid(DRAWING, { terrain = KEYS }) end

-- What an object shows without memory for more: that it does not raise then is meant.
local function kind_of(object) return tostring(object):match "^astar %a+" end

-- Tells of a grid all that queries go by.
local function look_at(o)
  return o.grid:dump() .. o.grid:draw() .. tostring(o.grid:terrain "~")
end

local function with_grid(astar) return { grid = new_grid(astar) } end

-- Objects with a finder of these options.
local function with_finder(options)
  return function(astar)
    local o = with_grid(astar)
    o.finder = o.grid:finder(options)
    return o
  end
end

local function find(o) return o.finder:find_path(1, 1, 10, 6) end

-- ---- grids ----

add { "grid by size",
  prepare = function() return {} end,
  act = function(_, astar)
    return astar.grid(30, 20, { terrain = { a = 1, b = 2 }, fill = "b", origin = { 0, 0 } })
  end }
add { "grid of a drawing", prepare = function() return {} end, act = function(_, astar) return new_grid(astar) end }
add { "grid of rows", prepare = function() return {} end,
  act = function(_, astar)
    return astar.grid({ { "grass", "grass", "rock" }, { "rock", "grass", "mud" } },
      { terrain = { grass = 1, rock = false, mud = 2 } }), astar.grid { { 0, 1 }, { 0, 0 } }, astar.grid { "..", ".#" }
  end }
add { "grid:set", prepare = with_grid, look = look_at,
  act = function(o) o.grid:set(1, 1, "~") return o.grid:get(1, 1) end }
add { "grid:fill", prepare = with_grid, look = look_at,
  act = function(o) o.grid:fill(2, 1, 6, 5, "~") return o.grid:get(3, 3) end }
add { "grid:set_cells", prepare = with_grid, look = look_at,
  act = function(o) o.grid:set_cells(2, 1, 3, 2, "~.~~~.") return o.grid:get_cells(1, 1, 5, 3) end }
add { "grid:terrain, a new key", prepare = with_grid,
  act = function(o) o.grid:terrain("mud", 2.5) return o.grid:terrain "mud" end }
add { "grid:block", prepare = with_grid, look = look_at,
  act = function(o) o.grid:block(3, 1, 4, 2) return o.grid:is_blocked(4, 1), o.grid:is_walkable(4, 1) end }
add { "grid:unblock", look = look_at,
  prepare = function(astar)
    local o = with_grid(astar)
    o.grid:block(1, 1, 10, 1)
    return o
  end,
  act = function(o) o.grid:unblock(2, 1, 3, 1) return o.grid:is_blocked(2, 1), o.grid:is_blocked(1, 1) end }
add { "blocks in layers", prepare = with_grid,
  act = function(o)
    o.grid:block(3, 1, 4, 2, "red")
    local path = o.grid:finder({ ignore = { "red", "doors", "" } }):find_path(1, 1, 10, 6)
    return o.grid:is_blocked(4, 1, "red"), o.grid:block_layers(4, 1), path
  end }
add { "a dump with layers",
  prepare = function(astar)
    local o = with_grid(astar)
    o.grid:block(1, 1, 10, 1, "red")
    o.grid:block(1, 2, "doors")
    return o
  end,
  act = function(o, astar)
    local copy = astar.load(o.grid:dump())
    return copy:is_blocked(2, 1, "red"), copy:clone():is_blocked(1, 2, "doors")
  end }
add { "edits after questions", prepare = with_finder(),
  act = function(o)
    find(o)
    o.grid:set(5, 1, "#")
    o.grid:set(6, 2, "#")
    local path, reason = find(o)
    o.grid:set(5, 1, ".")
    o.grid:set(6, 2, ".")
    return path, reason, find(o)
  end }
add { "grid:clone", look = look_at,
  prepare = function(astar)
    local o = with_grid(astar)
    o.grid:block(1, 1)
    o.grid:link(1, 1, 10, 6, { cost = 2, label = "lift" })
    o.grid:wall(2, 1, "east")
    o.grid:finder():reachable(1, 1, 10, 6)
    return o
  end,
  act = function(o)
    local copy = o.grid:clone()
    return copy, copy:find_path(1, 1, 10, 6)
  end }
add { "dumps of fields, goals, towers, paths and schedules",
  prepare = function(astar)
    local o = { grid = astar.grid(9, 6) }
    o.finder, o.field, o.goals = o.grid:finder(), astar.field(o.grid), astar.goals(o.grid, { { 3, 3 }, { 9, 6 } })
    o.field:stamp(4, 4, 2, 3)
    o.tower, o.schedule = astar.floors { "...\n...", o.grid }, astar.schedule(o.grid)
    o.path = o.finder:find_path(1, 1, 9, 6)
    o.timed = o.schedule:find_path(o.finder, 1, 1, 9, 6)
    o.schedule:reserve(o.timed)
    return o
  end,
  act = function(o, astar)
    return astar.load_field(o.field:dump()):dump(), astar.load_goals(o.goals:dump(), o.grid):dump(),
      astar.load_floors(o.tower:dump()):dump(), astar.load_path(o.path:dump(), o.finder):dump(),
      astar.load_schedule(o.schedule:dump(), o.grid):load_path(o.timed:dump(), o.finder):dump()
  end }
add { "grid:dump and astar.load", look = look_at,
  prepare = function(astar)
    local o = with_grid(astar)
    o.grid:block(4, 6)
    o.grid:link(1, 1, 10, 6, { cost = 2, label = "lift" })
    o.grid:wall(2, 1, "east")
    return o
  end,
  act = function(o, astar)
    local copy = astar.load(o.grid:dump())
    return copy, copy:find_path(1, 1, 10, 6)
  end }
add { "grid:draw", prepare = with_finder { algorithm = "astar" },
  act = function(o)
    local search = o.finder:search(1, 1, 10, 6)
    search:step(5)
    return o.grid:draw(), o.grid:draw(find(o)), o.grid:draw(search), o.grid:draw { ["~"] = "w" }
  end }
add { "the small ones of a grid", prepare = with_grid,
  act = function(o)
    local grid = o.grid
    return grid:size(), grid:bounds(), grid:bytes() > 0, grid:version(), kind_of(grid), grid:get(7, 2)
  end }

-- ---- links and walls ----

add { "grid:link", prepare = with_grid, look = look_at,
  act = function(o) o.grid:link(1, 1, 10, 6, { cost = 2, label = "lift" }) end }
add { "grid:links and grid:unlink", look = look_at,
  prepare = function(astar)
    local o = with_grid(astar)
    o.grid:link(1, 1, 10, 6, { cost = 2, label = "lift" })
    return o
  end,
  act = function(o)
    local links = o.grid:links()
    return links[1] and links[1].label, o.grid:unlink(2, 2, 3, 3)
  end }
add { "many links", prepare = with_grid,
  act = function(o)
    for i = 1, 10 do o.grid:link(i, 1, 11 - i, 6, { cost = i, label = "to " .. i, one_way = i % 2 == 0 }) end
    local path = o.grid:find_path(1, 1, 10, 6)
    for i = 1, 10 do o.grid:unlink(i, 1, 11 - i, 6) end
    return path, path:directions(), path:link(1), #o.grid:links()
  end }
add { "many links out of one cell", prepare = function(astar)
  local grid = astar.grid(20, 20)
  for y = 2, 20 do
    for x = 1, 20 do grid:link(1, 1, x, y, { cost = 50 }) end
  end
  return { grid = grid }
end, act = function(o) return o.grid:find_path(1, 1, 20, 20) end }
add { "grid:wall and grid:unwall", prepare = with_finder(),
  act = function(o)
    for x = 1, 9 do o.grid:wall(x, 1, "south", x % 2 == 0) end
    local path, has, count = find(o), o.grid:has_wall(1, 1, "south"), #o.grid:walls()
    for x = 1, 9 do o.grid:unwall(x, 1, "south") o.grid:unwall(x, 2, "north") end
    return path, has, count, find(o)
  end }

-- ---- finders and their questions ----

add { "grid:finder", prepare = with_grid,
  act = function(o)
    return o.grid:finder { costs = { ["~"] = 1 }, diagonals = "never", cost = function() return 1 end, weight = 1.5 }
      :find_path(1, 1, 10, 6)
  end }
add { "grid:find_path", prepare = with_grid,
  act = function(o)
    return o.grid:find_path(1, 1, 10, 6), o.grid:find_path(1, 1, 10, 6, { diagonals = "always" })
  end }
for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
  add { "find_path by " .. algorithm, prepare = with_finder { algorithm = algorithm },
    act = function(o) return find(o), o.finder:find_path(1, 1, 2, 2) end }
end
add { "find_path by jps", prepare = function(astar)
  local grid = astar.grid(40, 40)
  for i = 3, 36, 3 do grid:block(i, i % 2 == 0 and 1 or 4, 1, 36) end
  return { grid = grid, finder = grid:finder { algorithm = "jps" } }
end, act = function(o) return o.finder:find_path(1, 1, 40, 40), o.grid:finder():find_path(2, 2, 39, 40) end }
add { "a large open list, dijkstra", prepare = function(astar)
  local grid = astar.grid(100, 100)
  local function cost(x, y) return 1 + x * y % 7 end
  return { grid = grid, finder = grid:finder { algorithm = "dijkstra", cost = cost } }
end, act = function(o) return o.finder:find_path(1, 1, 100, 100) end }
-- The route at any angle passes some block on the other side than the way by steps.
for _, options in ipairs { { algorithm = "jps" }, { any_angle = true } } do
  add { "a large open list, " .. (options.algorithm or "any angle"), prepare = function(astar)
    local grid = astar.grid(80, 80)
    for y = 1, 80 do
      for x = 1, 80 do
        if (x + 2 * y + x * y) % 11 < 2 then grid:block(x, y) end
      end
    end
    return { grid = grid, finder = grid:finder(options) }
  end, act = function(o) return o.finder:find_path(1, 1, 80, 80) end }
end
add { "functions of costs",
  prepare = with_finder { step_cost = function(_, _, _, _, cost) return cost + 0.5 end,
    cost = function(x, _, _, cost) return x == 4 and cost * 2 or cost end,
    heuristic = function(dx, dy) return math.max(dx, dy) end },
  act = function(o) return find(o), o.finder:reachable(1, 1, 10, 6) end }
add { "partial, range and budgets", prepare = with_grid,
  act = function(o)
    local grid = o.grid
    return grid:find_path(1, 1, 7, 5, { partial = true }), grid:find_path(1, 1, 7, 5, { range = 1 }),
      grid:find_path(1, 1, 10, 6, { max_cost = 3 }), grid:find_path(1, 1, 10, 6, { max_expansions = 2, partial = true })
  end }
add { "units of two cells", prepare = with_finder { size = 2 },
  act = function(o)
    local path, reason = o.finder:find_path(6, 3, 9, 4)
    o.grid:block(6, 3, 2, 2)
    local second = o.finder:find_path(6, 3, 9, 4)
    o.grid:unblock(6, 3, 2, 2)
    return path, reason, second, o.finder:clearance(9, 4), o.finder:clearance(1, 1)
  end }
add { "large units and a function", prepare = with_finder { size = 2, cost = function(x) return 1 + x % 2 end },
  act = function(o) return o.finder:find_path(6, 3, 9, 4) end }
add { "reachable, raycast, clearance", prepare = with_finder(),
  act = function(o)
    return o.finder:reachable(1, 1, 10, 6), o.finder:reachable(1, 1, 7, 5), o.finder:raycast(1, 1, 10, 6),
      o.finder:clearance(6, 3)
  end }
-- As the first questions of their grids.
add { "reachable by a search", prepare = with_finder { cost = function(_, _, _, cost) return cost end },
  act = function(o) return o.finder:reachable(1, 1, 10, 6) end }
add { "finder:clearance", prepare = with_finder(), act = function(o) return o.finder:clearance(6, 3) end }
add { "find_nearest of a list", prepare = with_finder(),
  act = function(o) return o.finder:find_nearest(1, 1, { { 10, 6 }, { x = 1, y = 6 }, { 7, 5 } }) end }
add { "find_nearest, partial", prepare = function(astar)
  local o = with_finder { partial = true }(astar)
  o.grid:block(9, 5, 1, 2)
  o.grid:block(10, 5)
  return o
end, act = function(o) return o.finder:find_nearest(1, 1, { { 10, 6 }, { 3, 2 } }) end }
add { "find_nearest by a function", prepare = with_finder(),
  act = function(o) return o.finder:find_nearest(1, 1, function(x, y) return x == 10 and y > 3 end) end }
-- Hexagons, and what of them takes memory of its own: goals within range, tables of flows.
-- ---- maps of other states ----

local function with_shared(astar)
  local o = with_finder {} (astar)
  o.grid:link(1, 1, 10, 6, { cost = 20, label = "lift" })
  o.grid:share(tostring(o))
  o.map = assert(astar.shared(tostring(o)))
  o.finder = o.map:finder { cost = function(_, _, _, cost) return cost end }
  return o
end

add { "grid:share, astar.shared", prepare = with_grid, look = look_at,
  act = function(o, astar)
    o.grid:unshare()
    o.grid:share(tostring(o))
    return assert(astar.shared(tostring(o))):dump()
  end }

add { "grid:publish", prepare = with_shared, act = function(o)
  o.grid:terrain("mud", 2)
  o.grid:set(3, 6, "mud")
  o.grid:set(3, 6, ".")
  o.grid:link(1, 1, 10, 6, { cost = 21, label = "stairs" })
  o.grid:publish()
  return o.map:dump(), o.map:terrain "mud", o.map:links()[1].label, find(o)
end }

add { "searches and flows of a shared map", prepare = with_shared, act = function(o)
  local search, flow = o.map:finder():search(1, 1, 10, 6), o.finder:flow(10, 6)
  o.grid:block(2, 6)
  o.grid:publish()
  o.grid:unblock(2, 6)
  o.grid:publish()
  while search:step(3) == "running" do end
  return search:path() ~= nil or search.status, flow:distance(1, 6), o.map:clone():dump(), o.map:draw()
end }

local function with_hexagons(options)
  return function(astar)
    local grid = astar.grid(DRAWING, { terrain = KEYS, shape = "hex", offset = "odd_q" })
    grid:wall(2, 3, "south_east")
    grid:link(1, 6, 10, 1, { cost = 9, label = "stairs" })
    return { grid = grid, finder = grid:finder(options) }
  end
end
add { "hexagons", prepare = with_hexagons(), look = look_at,
  act = function(o)
    local path = find(o)
    return path, path:smooth(), o.finder:raycast(1, 1, 10, 6), o.grid:draw(path), path:center(2)
  end }
add { "hexagons within range", prepare = with_hexagons { range = 2 },
  act = function(o)
    local flow = o.finder:flow { { 10, 6 }, { x = 1, y = 6, value = 2 } }
    local sum = 0
    for x, y, distance in flow:cells() do sum = sum + x * y * distance end
    return sum, flow:path(1, 1), o.finder:find_nearest(1, 1, { { 10, 6 }, { 7, 5 }, { 9, 6 } })
  end }
add { "hexagons loaded", prepare = function() return {} end,
  act = function(_, astar)
    local grid = astar.grid(30, 20, { shape = "hex", offset = "even_r" })
    return astar.load(grid:dump()), grid:clone(), astar.field(grid), astar.field(3, 3, { shape = "hex" })
  end }
add { "finder:bake", prepare = function(astar)
  local grid = astar.grid(40, 40)
  for i = 3, 36, 3 do grid:block(i, i % 2 == 0 and 1 or 4, 1, 36) end
  return { grid = grid, finder = grid:finder() }
end, act = function(o)
  local baked = o.finder:bake { pivots = 3 }
  return baked.pivots, o.finder:find_path(1, 1, 40, 40)
end }

add { "finder:bake over rough ground", prepare = function(astar)
  local grid = astar.grid(40, 40, { terrain = { ["."] = 1, ["~"] = 5 }, fill = "." })
  for i = 3, 36, 3 do grid:fill(i, i % 2 == 0 and 1 or 4, 1, 36, "~") end
  grid:link(1, 1, 20, 20, { cost = 30 })
  return { grid = grid, finder = grid:finder() }
end, act = function(o)
  local baked = o.finder:bake { pivots = 3 }
  o.grid:set(20, 20, "~")
  o.grid:unlink(1, 1, 20, 20)
  return baked.pivots, o.finder:find_path(1, 1, 40, 40)
end }
for _, method in ipairs { "labels", "hierarchy" } do
  add { "finder:bake by " .. method, prepare = function(astar)
    local grid = astar.grid(24, 24)
    for i = 3, 21, 3 do grid:block(i, i % 2 == 0 and 1 or 3, 1, 21) end
    return { grid = grid, finder = grid:finder() }
  end, act = function(o)
    local baked = o.finder:bake { method = method, bytes = 1e7 }
    local path = o.finder:find_path(1, 1, 24, 24)
    return baked.method, path, o.grid:finder():load_baked(baked:save()).bytes
  end }
end

-- ---- paths ----

local function with_path(options)
  return function(astar)
    local o = with_finder(options)(astar)
    o.path = find(o)
    return o
  end
end

add { "the cells of a path", prepare = with_path(),
  act = function(o)
    local path, sum = o.path, 0
    for x, y in path:cells() do sum = sum + x * y end
    return sum, path:cells_flat(), path:totable(), path:waypoints(), path:directions(), path[3], kind_of(path)
  end }
add { "a path over a link that is gone, and one that leads back",
  prepare = function(astar)
    local o = with_grid(astar)
    o.grid:link(1, 1, 2, 1, { cost = 0.5 })
    o.grid:link(10, 6, 10, 5, { cost = 0.25, one_way = true, label = "ladder" })
    o.path = o.grid:find_path(1, 1, 10, 6)
    o.grid:unlink(1, 1, 2, 1)
    return o
  end,
  act = function(o) return o.path:smooth(), o.path:reverse(), o.path:repair(), o.path:is_valid() end }
add { "path:smooth and path:reverse", prepare = with_path(),
  act = function(o) return o.path:smooth(), o.path:reverse() end }
add { "smooth with a function", prepare = with_path { cost = function(_, _, _, cost) return cost end },
  act = function(o) return o.path:smooth(), o.path:reverse(), o.path:is_valid() end }
add { "path:repair", prepare = function(astar)
  local o = with_path()(astar)
  o.grid:block(o.path:cell(4))
  return o
end, act = function(o)
  return o.path:is_valid(), o.path:repair { from = 2 }, o.path:repair { optimal = true }
end }
add { "a walker", prepare = with_path(),
  act = function(o, astar)
    local walker = astar.walker(o.path, { speed = 3 })
    return walker:update(0.5), walker:update(100)
  end }
add { "a walker on another path", prepare = function(astar)
  local o = with_path()(astar)
  o.grid:block(o.path:cell(4))
  return o
end, act = function(o, astar)
  local walker = astar.walker(o.path, { speed = 3 })
  walker:update(0.5)
  walker:follow(walker:repair())
  return walker:cell(), walker:update(100)
end }

-- ---- fields ----

add { "astar.field", prepare = with_grid,
  act = function(o, astar)
    local field = astar.field(o.grid)
    field:stamp(5, 3, 3, 10)
    field:add(1, 1, 2)
    field:fill(2, 2, 3, 1, 4)
    field:decay(0.5)
    return field:get(5, 3), field:get(2, 2), kind_of(field), field:size(), field:bounds(), field:bytes() > 0
  end }
add { "a field to avoid", prepare = with_grid,
  act = function(o, astar)
    local field = astar.field(o.grid)
    local finder = o.grid:finder { avoid = field, avoid_weight = 2 }
    field:stamp(6, 4, 2, 20)
    return finder:find_path(1, 1, 10, 6), finder:find_path(1, 1, 10, 6):smooth()
  end }

add { "finder:flow", prepare = with_finder(),
  act = function(o)
    o.grid:unblock(5, 1) -- where it was left
    local flow = o.finder:flow({ { 10, 6 }, { x = 1, y = 6, value = 2 } }, { max_cost = 50 })
    local near, sum = flow:distance(9, 6), 0
    for x, y, distance in flow:cells() do sum = sum + x * y * distance end
    o.grid:block(5, 1)
    local after = flow:distance(1, 1)
    o.grid:unblock(5, 1)
    return near, sum, after, flow:path(1, 1), flow:flee():distance(1, 1),
      flow:flee():flee(-2):flee():distance(1, 1), kind_of(flow)
  end }
add { "finder:reach and a function", prepare = with_finder { cost = function(x, _, _, cost) return cost + x % 2 end },
  act = function(o)
    local reach, count = o.finder:reach(1, 1, 6), 0
    for _ in reach:cells() do count = count + 1 end
    return count, reach:path(1, 3)
  end }
add { "finder:cost_of and finder:reach apart from a field", prepare = with_grid,
  act = function(o, astar)
    local field = astar.field(o.grid)
    field:fill(2)
    o.finder = o.grid:finder { avoid = field }
    local path = o.finder:find_path(1, 1, 10, 6)
    return o.finder:cost_of(path), o.finder:reach(1, 1, 3, { count = "ground" }):distance(2, 2)
  end }
add { "routes at any angle", prepare = with_finder { any_angle = true },
  act = function(o) return find(o), find(o):index_within(3) end }
add { "routes of the fewest bends", prepare = with_finder { bends = "fewest", heading = "west" },
  act = function(o) return find(o), o.finder:find_nearest(1, 1, { { 10, 6 }, { 1, 6 } }) end }
add { "bends that cost something", prepare = with_finder { bend_cost = 0.25 },
  act = function(o) return find(o), find(o).bends end }
add { "bends that cost something, over a link", prepare = with_finder { bend_cost = 2 },
  act = function(o)
    o.grid:link(1, 1, 9, 6, { cost = 1 })
    local path = find(o)
    o.grid:unlink(1, 1, 9, 6)
    return path, path.bends
  end }

add { "a tower of floors", prepare = function() return {} end, act = function(_, astar)
  local tower = astar.floors { "...\n...", { 4, 2 } }
  tower:link(3, 2, 1, 1, 1, 2, { label = "stairs" })
  local x, y = tower:at(4, 2, 2)
  return tower.grid:find_path(1, 1, x, y), tower:of(x, y)
end }

-- ---- crowds ----

local function places_of(units)
  local list = {}
  for i, unit in ipairs(units) do
    local x, y = unit:cell()
    list[i] = ("%d %d %s"):format(x, y, unit.state)
  end
  return table.concat(list, ", ")
end

local function with_crowd(options)
  return function(astar)
    local o = with_finder { diagonals = "never" }(astar)
    o.crowd, o.units = astar.crowd(o.finder, options), {}
    for y = 1, 3 do o.units[y] = o.crowd:add(1, y) end
    return o
  end
end

add { "astar.crowd", prepare = with_finder(),
  act = function(o, astar)
    local crowd = astar.crowd(o.finder)
    local units = { crowd:add(1, 1), crowd:add(10, 6), crowd:add(1, 3, { finder = o.grid:finder(), period = 2 }) }
    units[1]:go(10, 1)
    crowd:go({ units[2], units[3] }, 9, 1)
    local moves = 0
    for _ = 1, 8 do moves = moves + #crowd:beat() end
    return places_of(units), moves, kind_of(crowd)
  end }
add { "crowd:beat", prepare = with_crowd(), look = function(o) return places_of(o.units) end,
  act = function(o) o.crowd:beat() return places_of(o.units), kind_of(o.crowd) end }
add { "unit:go", prepare = with_crowd(), look = function(o) return places_of(o.units) end,
  act = function(o) o.units[1]:go(10, 1) end } -- no result: keeping one may fail once all is done
add { "crowd:update with a field at a time", prepare = with_crowd { expansions = 30, bytes = 900 },
  act = function(o, astar)
    local o2 = with_crowd { expansions = 30, bytes = 900 }(astar)
    for y, unit in ipairs(o2.units) do unit:go(10, y) end
    o2.crowd:update(3)
    o2.grid:block(10, 6)
    o2.crowd:update(1)
    return places_of(o2.units), o.crowd.beats
  end }

add { "crowd:resolving", prepare = with_finder(),
  act = function(o, astar)
    local crowd, units = astar.crowd(o.finder), {}
    for y = 1, 3 do
      units[y] = crowd:add(1, y)
      units[y + 3] = crowd:add(10, 7 - y)
      units[y]:go(10, 4 - y)
      units[y + 3]:go(9, 1)
    end
    local job = crowd:resolving(nil, { improve = 3000 })
    while job:step(100) == "running" do end
    for _ = 1, 30 do crowd:beat() end
    return places_of(units), job.status, job.beats, job.cost
  end }
add { "a step of a job that resolves", prepare = function(astar)
    local o = with_crowd()(astar)
    for y, unit in ipairs(o.units) do unit:go(10, y) end
    o.job = o.crowd:resolving(nil, { improve = 3000 })
    return o
  end,
  act = function(o)
    while o.job:step(50) == "running" do end
    return o.job.status, o.job.beats, o.job.cost
  end }

-- ---- worlds ----

local CHUNK = {}
for y = 1, 64 do CHUNK[y] = y == 20 and ("#"):rep(40) .. "...~~" .. ("#"):rep(19) or ("."):rep(64) end

-- A world of two chunks, solid rock around them; in 'options' what is special of it.
local function new_world(astar, options)
  local given = { terrain = KEYS, load = function(cx, cy) return cy == 0 and (cx == 0 or cx == 1) and CHUNK end }
  for name, value in pairs(options or {}) do given[name] = value end
  return astar.world(given)
end

local function with_world(options)
  return function(astar)
    local o = { world = new_world(astar, options) }
    o.unit = o.world:finder()
    return o
  end
end

add { "astar.world", prepare = function() return {} end,
  act = function(_, astar) return new_world(astar):get(42, 20) end }
add { "world:set, put_chunk, changed", prepare = with_world(),
  look = function(o) return tostring(o.world:is_blocked(7, 7)) end,
  act = function(o)
    o.world:set(3, 3, "~")
    o.world:put_chunk(5, 5, CHUNK)
    o.world:put_chunk(5, 6, false)
    o.world:forget_chunk(1, 0)
    return o.world:get(3, 3), o.world:get(325, 340), o.world:get(325, 390)
  end }
add { "world:block, wall, link", prepare = with_world(),
  act = function(o)
    o.world:block(60, 60, 10, 2)
    o.world:wall(64, 3, "east")
    o.world:link(3, 3, 90, 60, { cost = 2, label = "portal" })
    return o.world:is_blocked(65, 61), o.world:has_wall(65, 3, "west")
  end }
add { "world:save", prepare = with_world { save = function() end },
  act = function(o)
    o.world:set(3, 3, "~")
    o.world:set(3, 3, ".")
    o.world:save()
    return o.world:get(3, 3)
  end }
add { "a route of a world, walked", prepare = with_world { spacing = 60 },
  act = function(o)
    local route = o.unit:find_route(50, 5, 80, 9)
    return route.cost, route.bound, route:path(), tostring(route:is_valid())
  end }
add { "a route of a world with a weight", prepare = function(astar)
  local o = { world = new_world(astar, { spacing = 60 }) }
  o.unit = o.world:finder { weight = 2 }
  return o
end, act = function(o) return o.unit:find_route(50, 5, 80, 9).cost end }
add { "a search of a world in steps", prepare = with_world { spacing = 60 },
  act = function(o)
    local search = o.unit:search(5, 5, 9, 60)
    while search:step(1) == "running" do end
    return search:route().cost
  end }

-- ---- searches and queues ----

add { "a search in steps", prepare = with_finder { algorithm = "astar" },
  act = function(o)
    local search, seen = o.finder:search(1, 1, 10, 6), 0
    while search:step(4) == "running" do
      for _, _, state in search:cells() do seen = seen + (state == "open" and 1 or 0) end
    end
    local path = search:path()
    search:close()
    return path, seen, kind_of(search)
  end }
add { "a path that step had no memory for", prepare = with_finder(),
  act = function(o)
    local search = o.finder:search(1, 1, 10, 6)
    local ok, problem = pcall(search.step, search, 1000)
    local path, reason = search:path()
    if not ok then error(problem, 0) end
    return path, reason
  end }
add { "one search, step by step", prepare = function(astar)
  local o = with_finder { cost = function(_, _, _, cost) return cost end }(astar)
  o.search = o.finder:search(1, 1, 10, 6)
  return o
end, act = function(o)
  while o.search:step { expansions = 3 } == "running" do end
  return o.search:path(), o.search.status, o.search.algorithm
end }
add { "one route at any angle, step by step", prepare = function(astar)
  local o = with_finder { any_angle = true }(astar)
  o.grid:terrain("~", 1)
  o.search = o.finder:search(1, 1, 10, 6)
  return o
end, act = function(o)
  while o.search:step(1) == "running" do end
  return o.search:path().length, o.search.status, o.search:path().expanded
end }
add { "finding_nearest", prepare = with_finder(),
  act = function(o)
    local search = o.finder:finding_nearest(1, 1, { { 10, 6 }, { x = 1, y = 6 }, { 7, 5 } }, { range = 1 })
    while search:step(2) == "running" do end
    return search:path()
  end }
add { "one finding_nearest, step by step", prepare = function(astar)
  local o = with_finder { cost = function(_, _, _, cost) return cost end }(astar)
  local goals = {}
  for i = 1, 20 do goals[i] = { 2, 3 } end
  o.search = o.finder:finding_nearest(1, 1, goals, { partial = true })
  return o
end, act = function(o)
  while o.search:step(1) == "running" do end
  return o.search:path()
end }
add { "finding_nearest by a function", prepare = with_finder(),
  act = function(o)
    local search = o.finder:finding_nearest(1, 1, function(x, y) return x == 10 and y > 3 end)
    while search:step(2) == "running" do end
    return search:path()
  end }
add { "path:repairing", prepare = function(astar)
  local o = with_finder()(astar)
  o.path = find(o)
  o.grid:block(o.path:cell(#o.path - 3))
  return o
end, act = function(o)
  local search = o.path:repairing()
  while search:step(2) == "running" do end
  return search:path(), search.status
end }
add { "a search of the map as it is at one moment", prepare = with_finder(),
  act = function(o, astar)
    local field = astar.field(o.grid:size())
    local search = o.grid:finder({ avoid = field }):search(1, 1, 10, 6)
    while search:step(1) == "running" do
      for _, layer in ipairs { "doors", "units" } do
        o.grid:block(5, 2, 3, 3, layer)
        o.grid:unblock(5, 2, 3, 3, layer)
      end
      field:stamp(4, 4, 3, 2)
      field:stamp(4, 4, 3, -2)
    end
    return search.status, search:path()
  end }
add { "a queue", prepare = with_finder(),
  act = function(o, astar)
    local queue, answers = astar.queue(), {}
    local tickets = {}
    for i = 1, 4 do
      tickets[i] = queue:request(o.finder, 1, 1, 10, i + 2, function(path) answers[i] = path and path.cost end, i % 2)
    end
    tickets[4]:cancel()
    tickets[1]:set_priority(7)
    while queue:update { expansions = 5 } > 0 do end
    return answers[1], answers[2], answers[3], answers[4], tickets[2]:path(), tickets[4].status, tostring(tickets[1])
  end }
add { "queue:await", prepare = with_finder(),
  act = function(o, astar)
    local queue, answer = astar.queue(), nil
    local failure
    local thread = coroutine.create(function()
      answer = queue:await(o.finder, 1, 1, 10, 6)
    end)
    local ok, problem = coroutine.resume(thread)
    failure = not ok and problem
    while not failure and queue:update { ms = 1000 } > 0 do end
    if failure then error(failure, 0) end
    return answer, queue:count()
  end }

-- Of a pool that was closed the script's own thread does the work, one allocation after the other.
add { "workers", prepare = with_finder(),
  act = function(o, astar)
    local pool, answers = astar.workers(1), {}
    local queue = astar.queue { workers = pool, delay = 2 }
    for i = 1, 3 do
      queue:request(o.finder, 1, 1, 10, i + 2, function(path) answers[i] = path and path.cost end)
    end
    local flow = o.finder:flow(10, 6)
    local ticket = queue:add(flow:completing())
    local nearest = queue:add(o.finder:finding_nearest(1, 1, { { 10, 6 }, { 3, 4 } }))
    local baking = queue:add(o.finder:baking())
    pool:close()
    queue:update()
    while queue:update { ms = 1000 } > 0 do end
    return answers[1], answers[2], answers[3], ticket.status, (flow:next(1, 1)), nearest.status, baking.status
  end }

-- ---- graphs ----

local function with_graph(options)
  return function(astar)
    local graph = astar.graph()
    for i = 1, 40 do graph:node("room " .. i, i % 7, i % 5) end
    for i = 1, 39 do graph:edge("room " .. i, "room " .. i + 1, { label = i % 3, cost = 9 + i % 4 }) end
    for i = 1, 30, 3 do graph:edge("room " .. i, "room " .. i + 10, { cost = 50, one_way = i % 2 == 0 }) end
    return { graph = graph, finder = graph:finder(options) }
  end
end

local function look_at_graph(o) return o.graph:dump() end

local function across(o) return o.finder:find_path("room 1", "room 40") end

add { "astar.graph", prepare = function() return {} end,
  act = function(_, astar)
    local graph, keys = astar.graph(), {}
    for i = 1, 20 do
      keys[i] = i % 4 == 0 and {} or i % 4 == 1 and i or "key " .. i
      graph:node(keys[i])
    end
    for i = 2, 20 do graph:edge(keys[i - 1], keys[i], { label = "to " .. i }) end
    return graph, #graph:finder():find_path(keys[1], keys[20])
  end }
add { "edits of a graph", prepare = with_graph(),
  act = function(o)
    local graph = o.graph
    for i = 2, 30, 4 do
      graph:remove("room " .. i)
      graph:node("room " .. i, i % 7, i % 5)
      graph:edge("room " .. i - 1, "room " .. i, { cost = 9 })
      graph:edge("room " .. i, "room " .. i + 1, { cost = 9 })
    end
    for i = 1, 50 do graph:node("more " .. i, i, i) end
    for i = 1, 50 do graph:remove("more " .. i) end
    return across(o), graph:nearest(3, 3), graph
  end }
for name, options in pairs { plain = {}, weight = { weight = 2 },
  ["a cost function"] = { cost = function(_, _, label, cost) return label ~= 2 and cost * 2 end } } do
  add { "find_path over a graph, " .. name, prepare = with_graph(options), look = look_at_graph,
    act = function(o) return across(o), o.finder:find_path("room 7", "room 3") end }
end
add { "find_nearest and reach over a graph", prepare = with_graph(), look = look_at_graph,
  act = function(o)
    local reach, sum = o.finder:reach("room 5", 60), 0
    for _, cost in reach:nodes() do sum = sum + cost end
    local path, index = o.finder:find_nearest("room 20", { "room 1", "room 33" })
    return sum, path, index, o.finder:find_nearest("room 9", function(key) return key == "room 14" end),
      reach:path "room 8"
  end }
add { "a search over a graph in steps", prepare = with_graph(), look = look_at_graph,
  act = function(o)
    local search = o.finder:search("room 1", "room 40")
    while search:step(3) == "running" do end
    return search:path(), kind_of(search)
  end }
add { "one search over a graph, step by step", prepare = function(astar)
  local o = with_graph { cost = function(_, _, _, cost) return cost end }(astar)
  o.search = o.finder:search("room 1", "room 40")
  return o
end, act = function(o)
  while o.search:step { expansions = 3 } == "running" do end
  return o.search:path(), o.search.status
end }
add { "graph:bake and graph:nearest", prepare = with_graph(), look = look_at_graph,
  act = function(o)
    local baked, nearest = o.graph:bake { landmarks = 3 }, nil
    for i = 1, 9 do nearest = o.graph:nearest(i, i) end
    return baked.landmarks, across(o), nearest
  end }
add { "graph:baking", prepare = with_graph(), look = look_at_graph,
  act = function(o)
    local job = o.graph:baking()
    while job:step(5) == "running" do end
    return across(o)
  end }
add { "graph:dump and astar.graph.load", prepare = with_graph(), look = look_at_graph,
  act = function(o, astar)
    local copy = astar.graph.load(o.graph:dump())
    return copy, copy:finder():find_path("room 1", "room 40")
  end }
add { "graph:join", prepare = function(astar)
  local o = with_grid(astar)
  o.ways = astar.graph()
  o.ways:node("north", 5, 1)
  o.ways:node("south", 7, 6)
  o.ways:edge("north", "south", { label = "lane" })
  return o
end, act = function(o)
  local joined = o.ways:join(o.grid:finder())
  local route = joined:find_path(1, 1, 10, 6)
  return route, route and joined:leg(route, 1), joined:find_path(1, 1, 3, 1)
end }
add { "a space of states", prepare = function(astar)
  return { space = astar.states {
    neighbours = function(state, add_state)
      add_state({ n = state.n + 1 }, 1, "on")
      if state.n < 40 then add_state({ n = state.n * 2 }, 1, "twice") end
    end,
    key = function(state) return "n" .. state.n end,
    heuristic = function() return 0 end,
  } }
end, act = function(o)
  local path = o.space:finder():find_path({ n = 1 }, { n = 53 })
  local function is_large(state) return state.n > 20 end
  return path, path:link(3), path[4].n, o.space:finder():find_nearest({ n = 1 }, is_large)
end }

-- ---- files, and the module itself ----

local MAP = "type octile\nheight 2\nwidth 3\nmap\n..@\n@..\n"
local SCENARIOS = "version 1\n0\tm.map\t3\t2\t0\t0\t2\t1\t2.41421356\n"

-- The module is loaded beforehand: that is what the last of the scripts is for.
local function with(name)
  return function(astar) return { astar[name], grid = new_grid(astar) } end
end

add { "astar.movingai", prepare = with "movingai",
  act = function(_, astar)
    local grid = astar.movingai.parse_map(MAP)
    return grid, astar.movingai.format_map(grid), #astar.movingai.parse_scenarios(SCENARIOS)
  end }
add { "astar.tiled", prepare = with "tiled",
  act = function(_, astar)
    return astar.tiled.grid("spec/tiled/ground.lua", { "ground", "over", blocks = { "doors" } }),
      #astar.tiled.objects("spec/tiled/ground.lua", "doors"), #astar.tiled.graph("spec/tiled/ways.lua", { "ways" })
  end }
add { "a view of astar.love", prepare = with "love",
  act = function(o, astar)
    local view = astar.love.view(o.grid, { scale = 8 })
    view:zoom(2, 0, 0)
    return view:to_cell(20, 20)
  end }
add { "require", bare = true, prepare = function() return {} end,
  act = function()
    for name in pairs(package.loaded) do
      if type(name) == "string" and name:find "^astar" then package.loaded[name] = nil end
    end
    local astar = require "astar"
    return astar.grid(3, 3):find_path(1, 1, 3, 3)
  end }

-- ---- what is called by allocations.c ----

local objects, astar, results

-- Lua 5.4 makes the metatable of large buffers with the first of them, and never completes it when
-- its memory runs out in the middle.
assert(#("x"):rep(100000) > 0)

local function cells_of(path)
  local list = {}
  for x, y in path:cells() do list[#list + 1] = x .. "," .. y end
  return table.concat(list, " ")
end

-- A value's meaning as text; nothing in it may depend on addresses or the order of tables.
local function tell(value)
  if type(value) == "table" then
    local parts = {}
    for _, name in ipairs { "x", "y" } do parts[#parts + 1] = tostring(value[name]) end
    for _, item in ipairs(value) do parts[#parts + 1] = tell(item) end
    return "{" .. table.concat(parts, " ") .. "}"
  elseif type(value) == "number" then
    return ("%.14g"):format(value)
  elseif type(value) == "userdata" then
    local text = tostring(value)
    if text:find "^astar graph path" then
      for i = 1, #value do text = text .. " " .. (type(value[i]) == "table" and "-" or tostring(value[i])) end
      return text
    end
    if text:find "^astar path" then return text .. " " .. cells_of(value) end
    if text:find "^astar grid" then return text .. value:draw() end
    return text
  end
  return tostring(value)
end

local function control()
  astar = astar or require "astar"
  local path = astar.grid(DRAWING, { terrain = KEYS }):find_path(1, 1, 10, 6)
  local cost = 8 + 3 * math.sqrt(2)
  return path and math.abs(path.cost - cost) < 1e-9 and "right" or "wrong: " .. tell(path)
end

return {
  name = function(number) return scripts[number] and scripts[number][1] end,
  prepare = function(number)
    if not scripts[number].bare then astar = require "astar" end
    objects = scripts[number].prepare(astar)
    -- A finalizer that Lua has no memory to call is lost, and what it would have freed.
    collectgarbage()
    collectgarbage()
  end,
  act = function(number)
    results = nil
    results = { n = 0, scripts[number].act(objects, astar) }
  end,
  describe = function()
    local parts = {}
    for i = 1, 12 do parts[i] = tell(results[i]) end
    return table.concat(parts, "; ")
  end,
  look = function(number) return scripts[number].look and scripts[number].look(objects) or "" end,
  control = control,
}
