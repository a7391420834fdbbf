-- closing.lua -- every call of every class, with an object that is closed in the middle of the call.
--
-- A finalizer runs where Lua's collector happens to work, and a callback where the library calls it. Either may close
-- by hand whatever the call is about. Here the collector makes a full cycle at each place where it may work at all, and
-- each cycle runs a finalizer that counts: the n-th run closes the object. So all such places of a call are tried, one
-- after another, until the call ends before its n-th cycle. closing_spec.lua runs this in a process of its own, whose
-- heap is small enough for that many cycles.
local astar = require "astar"
local worlds = require "spec.support.worlds"

local closing = {}

-- ---- the collector ----

-- Sets the collector's 'pause' or 'stepmul'; returns what it was.
local function tune(name, value)
  if _VERSION >= "Lua 5.5" then return collectgarbage("param", name, value) end
  return collectgarbage("set" .. name, value)
end

-- Garbage whose finalizer calls a function.
local function drop(call)
  if newproxy then
    getmetatable(newproxy(true)).__gc = call
  else
    setmetatable({}, { __gc = call })
  end
end

-- Calls 'tick' with each cycle of the collector until it returns true.
local function tick_with_each_cycle(tick)
  local function again()
    if not tick() then drop(again) end
  end
  drop(again)
end

-- How the collector worked before it was hurried: its mode, pause and step.
local usual

-- A collector that works by generations makes no cycles.
local function set_mode(mode)
  if _VERSION >= "Lua 5.4" then return collectgarbage(mode) end
end

local function stop_hurrying()
  if not usual then return end
  tune("pause", usual.pause)
  tune("stepmul", usual.stepmul)
  if usual.mode then set_mode(usual.mode) end
  usual = nil
end

-- Has the collector make a cycle wherever it may work.
local function hurry()
  local mode = set_mode "incremental"
  usual = { mode = mode, pause = tune("pause", 0), stepmul = tune("stepmul", _VERSION == "Lua 5.1" and 0 or 1000) }
  collectgarbage()
end

-- ---- closing ----

-- Closes a userdata as the collector would, or by its method.
local function close(object, by_method)
  if by_method then object:close() else debug.getmetatable(object).__gc(object) end
end

local function is_closable(object)
  local metatable = type(object) == "userdata" and debug.getmetatable(object)
  return metatable and metatable.__gc ~= nil
end

local BY_METHOD = { search = true, where = true, repairing = true, graph_search = true, space_search = true,
  route_search = true, resolving = true, completing = true, baking = true, preparing = true, settling = true,
  graph_baking = true, workers = true }

-- ---- what calls are about ----

-- Makes each object by its name, when a call first asks for it.
local makers = {}
-- What 'w' has: objects by name, made on first use and noted in 'names'; 'flavour' tells which kind they are; 'tick'
-- is called by each callback.
local function new_world(flavour)
  local w = { flavour = flavour, names = {}, tick = function() end }
  return setmetatable(w, { __index = function(_, name)
    local object = assert(makers[name], name)(w)
    rawset(w, name, object)
    table.insert(w.names, name)
    return object
  end })
end

-- A name for a map that no map was shared as yet.
local shared = 0
local function new_name()
  shared = shared + 1
  return "closing " .. shared
end

-- A grid with all that a grid can have, which is edited again: so its finders have something to do.
local function new_grid()
  local grid = astar.grid(8, 8, { terrain = { ["."] = 1, [","] = 2 }, fill = "." })
  grid:link(1, 1, 8, 8, { label = "stairs" })
  grid:link(2, 1, 8, 7, { label = 7, cost = 3 })
  grid:wall(2, 2, "east")
  grid:block(4, 4)
  grid:block(4, 1, 1, 3, "door")
  grid:set(6, 6, ",")
  return grid
end

makers.own_grid = new_grid

function makers.grid(w)
  if w.flavour ~= "shared" then return new_grid() end
  local name = new_name()
  w.own_grid:share(name)
  return assert(astar.shared(name))
end

local function functions(w)
  if w.flavour ~= "asking" then return {} end
  return {
    cost = function(_, _, _, cost) w.tick() return cost end,
    step_cost = function(_, _, _, _, cost) w.tick() return cost end,
    heuristic = function() w.tick() return 0 end,
  }
end

local function with(options, more)
  for key, value in pairs(more) do options[key] = value end
  return options
end

-- Answers true of one cell or node, when 'w' has not been told otherwise.
local function is_goal(w)
  return function(x, y)
    w.tick()
    return x == 7 and (y == nil or y == 7)
  end
end

function makers.finder(w) return w.grid:finder(functions(w)) end
function makers.breaker(w) return w.grid:finder(with(functions(w), { breach = { door = 1 } })) end
function makers.ignoring(w) return w.grid:finder(with(functions(w), { ignore = { "door" } })) end
function makers.large(w) return w.grid:finder(with(functions(w), { size = 2 })) end
function makers.avoiding(w) return w.grid:finder(with(functions(w), { avoid = w.field })) end
function makers.plain_finder(w) return w.own_grid:finder() end
function makers.field(w) return astar.field(w.grid) end
function makers.other_field(w)
  local field = astar.field(w.grid)
  field:set(3, 3, 2)
  return field
end
function makers.goals(w) return astar.goals(w.grid, { { 3, 3 }, { 6, 2 } }) end
function makers.flow(w) return w.finder:flow { { 5, 5 }, { 7, 2, 1 } } end
function makers.complete_flow(w)
  local flow = w.finder:flow(5, 5)
  flow:complete()
  return flow
end
function makers.reach(w) return w.finder:reach(2, 2, 9) end
function makers.path(w) return assert(w.finder:find_path(1, 2, 8, 6)) end
function makers.link_path(w) return assert(w.finder:find_path(1, 1, 8, 8)) end
function makers.stale_path(w)
  local path = assert(w.finder:find_path(1, 2, 8, 6))
  if w.flavour ~= "shared" then w.grid:block(5, 5, 1, 2) end
  return path
end
function makers.breaching_path(w) return assert(w.breaker:find_path(3, 2, 6, 2)) end
function makers.search(w) return w.finder:search(1, 2, 8, 6) end
function makers.found_search(w)
  local search = w.finder:search(1, 2, 8, 6)
  search:step(1000)
  return search
end
function makers.where(w) return w.finder:finding_nearest(1, 2, is_goal(w)) end
function makers.finding(w) return w.finder:finding_nearest(1, 2, { { 7, 7 }, { 3, 4 } }) end
function makers.repairing(w) return w.stale_path:repairing { optimal = true } end
function makers.completing(w) return w.flow:completing() end
function makers.preparing(w) return w.finder:preparing() end
function makers.settling(w) return w.finder:preparing { settled = true } end
-- What is baked is of a map without links and walls, which labels need.
function makers.plain_map()
  local grid = astar.grid(8, 8)
  grid:block(4, 2, 1, 5)
  return grid
end
function makers.baking_finder(w) return w.plain_map:finder() end
function makers.baking(w) return w.baking_finder:baking { method = "labels" } end
function makers.baked(w) return w.baking_finder:bake { method = "labels" } end
function makers.baked_bytes(w) return w.baked:save() end
function makers.desire_map(w)
  return w.finder:desire_map { { w.flow, -1 }, { w.complete_flow, 1, missing = 3 }, { w.other_field, 2 } }
end

-- Nodes with keys that need memory to be pushed: strings, and tables.
function makers.graph(w)
  local asks = w.flavour == "asking"
  local graph = astar.graph { heuristic = asks and function() w.tick() return 0 end or nil }
  local before = nil
  w.keys = {}
  for i = 1, 7 do
    local key = i % 3 == 0 and { i } or i % 3 == 1 and i or "node number " .. i
    w.keys[i] = key
    graph:node(key, i, i % 2)
    if before then graph:edge(before, key, { label = i % 2 == 0 and "label number " .. i or nil }) end
    before = key
  end
  return graph
end
function makers.graph_finder(w)
  local asks = w.flavour == "asking"
  return w.graph:finder { cost = asks and function(_, _, _, cost) w.tick() return cost end or nil }
end
function makers.graph_path(w) return assert(w.graph_finder:find_path(w.keys[1], w.keys[7])) end
function makers.graph_search(w)
  local finder = w.graph_finder
  return finder:search(w.keys[1], w.keys[7])
end
function makers.found_graph_search(w)
  local search = w.graph_finder:search(w.keys[1], w.keys[7])
  search:step(1000)
  return search
end
function makers.graph_reach(w) return w.graph_finder:reach(w.keys[1], 9) end
function makers.stale_reach(w)
  local reach = w.graph_finder:reach(w.keys[1], 9)
  w.graph:edge(w.keys[1], w.keys[4])
  return reach
end
function makers.graph_baking(w) return w.graph:baking { landmarks = 2 } end
function makers.graph_dump(w)
  w.graph:node(w.keys[1])
  local graph = astar.graph()
  graph:node("first node", 1, 1)
  graph:node(2)
  graph:edge("first node", 2, { label = "a label" })
  return graph:dump()
end
function makers.dumpable_graph(w) return astar.graph.load(w.graph_dump) end
function makers.joint_graph()
  local graph = astar.graph()
  graph:node("first node", 2, 3)
  graph:node("second node", 7, 7)
  graph:edge("first node", "second node")
  return graph
end
function makers.joined(w)
  return w.joint_graph:join(w.finder)
end
function makers.space(w)
  local asks = w.flavour == "asking"
  return astar.states {
    neighbours = function(state, add)
      w.tick()
      for i = 1, 2 do add({ state[1] + i }, i, i == 1 and "step number " .. state[1] or nil) end
    end,
    key = function(state) w.tick() return "state number " .. state[1] end,
    heuristic = asks and function() w.tick() return 0 end or nil,
  }
end
function makers.space_finder(w) return w.space:finder() end
function makers.space_search(w) return w.space_finder:search({ 1 }, { 9 }) end
function makers.found_space_search(w)
  local search = w.space_finder:search({ 1 }, { 9 })
  search:step(1000)
  return search
end

function makers.crowd(w) return astar.crowd(w.plain_finder) end
function makers.crowd_finder(w) return w.own_grid:finder { size = 2 } end
function makers.unit(w) return w.crowd:add(1, 2, { side = "red" }) end
function makers.other(w) return w.crowd:add(3, 2, { side = "blue", period = 2 }) end
function makers.sent(w)
  local unit = w.crowd:add(8, 3)
  unit:go(1, 5)
  return unit
end
-- Of a map without links, on which units can chase and be resolved.
function makers.plain_crowd(w) return astar.crowd(w.baking_finder) end
function makers.chaser(w)
  local unit = w.plain_crowd:add(1, 2)
  unit:go(7, 2)
  return unit
end
function makers.chased(w)
  local unit = w.plain_crowd:add(5, 2)
  unit:go(1, 2)
  return unit
end
function makers.resolving(w) return w.plain_crowd:resolving { w.chaser, w.chased } end
function makers.crowd_dump(w)
  w.unit:go(6, 3)
  return w.crowd:dump()
end
function makers.walker(w) return astar.walker(w.path, { speed = 3, turn = 2, corner = 0.2 }) end
function makers.stale_walker(w)
  local walker = astar.walker(w.path)
  walker:update(0.5)
  if w.flavour ~= "shared" then w.grid:block(6, 6) end
  return walker
end

local function load_of(w)
  return function(cx, cy)
    w.tick()
    return cx * cx + cy * cy < 9 and worlds.open_chunk() or nil
  end
end
function makers.world(w)
  local world = astar.world { load = load_of(w), save = function() w.tick() end }
  world:link(3, 3, 9, 9, { label = "lift" })
  world:block(5, 1, 1, 4)
  world:wall(2, 2, "east")
  world:restrict(2, 3, 2, 1, "east")
  return world
end
function makers.world_finder(w) return w.world:finder() end
function makers.avoiding_world_finder(w) return w.world:finder { avoid = w.other_field } end
function makers.route(w) return assert(w.world_finder:find_route(2, 2, 90, 70)) end
function makers.route_search(w) return w.world_finder:search(2, 2, 90, 70) end
function makers.found_route_search(w)
  local search = w.world_finder:search(2, 2, 90, 70)
  search:step(100000)
  return search
end
function makers.saved_chunk(w) return w.world:save(0, 0) end

function makers.workers() return astar.workers(1) end
function makers.queue() return astar.queue() end
function makers.worker_queue(w) return astar.queue { workers = w.workers } end
function makers.ticket(w) return w.queue:request(w.finder, 1, 2, 8, 6) end
function makers.schedule(w) return astar.schedule(w.grid) end
function makers.timed_path(w) return assert(w.schedule:find_path(w.finder, 1, 2, 7, 6)) end
function makers.tower() return astar.floors { "....\n....", "....\n...." } end

-- ---- the calls ----

-- Goes through an iterator.
local function all(...)
  for a in ... do assert(a ~= nil) end
end

-- By class and method what is called: a function, or a list of them. 'w' has what it is about.
local calls = {}
closing.calls = calls

calls.grid = {
  bake = nil,
  block = { function(w) w.grid:block(2, 5) end, function(w) w.grid:block(2, 5, 2, 1, "crate") end,
    function(w) w.grid:block(2, 5, "another crate") end },
  block_layers = { function(w) return w.grid:block_layers() end, function(w) return w.grid:block_layers(4, 1) end },
  bounds = function(w) return w.grid:bounds() end,
  bytes = function(w) return w.grid:bytes() end,
  cell_at = function(w) return w.grid:cell_at(2.2, 3.1) end,
  center = function(w) return w.grid:center(2, 3) end,
  changes = function(w) return w.grid:changes(w.grid:version() - 1) end,
  clone = { function(w) return w.grid:clone() end, function(w) w.grid:clone():set(1, 2, ",") end },
  distance = function(w) return w.grid:distance(1, 1, 4, 5) end,
  draw = { function(w) return w.grid:draw() end, function(w) return w.grid:draw(w.path) end,
    function(w) return w.grid:draw(w.search, { [","] = "~" }) end },
  dump = function(w) return w.grid:dump() end,
  fill = function(w) w.grid:fill(1, 1, 3, 3, ",") end,
  find_path = { function(w) return w.grid:find_path(1, 2, 8, 6) end,
    function(w) return w.grid:find_path(1, 2, 8, 6, { weight = 2, costs = { [","] = 3 } }) end },
  finder = { function(w) return w.grid:finder() end,
    function(w) return w.grid:finder { avoid = w.field, cost = function() return 1 end, costs = { [","] = 3 } } end,
    function(w) return w.grid:finder { avoid = { { w.field, 1 }, { w.other_field, 2 } } } end,
    function(w) return w.grid:finder { ignore = { "door", "crate" }, breach = { door = 2, gate = 3 } } end },
  get = function(w) return w.grid:get(2, 2) end,
  get_cells = function(w) return w.grid:get_cells(1, 1, 3, 3) end,
  has_wall = function(w) return w.grid:has_wall(2, 2, "east") end,
  restrict = function(w) w.grid:restrict(2, 2, 2, 1, { "east", "south" }) end,
  restrictions = function(w) return w.grid:restrictions() end,
  unrestrict = function(w) w.grid:unrestrict(2, 2, 2, 1) end,
  is_blocked = function(w) return w.grid:is_blocked(4, 1, "door") end,
  find_cells = function(w) return w.grid:find_cells(w.grid:get(4, 1)) end,
  contains = function(w) return w.grid:contains(4, 1) end,
  is_walkable = function(w) return w.grid:is_walkable(4, 1) end,
  link = function(w) w.grid:link(3, 3, 7, 7, { cost = 2, label = "a new label", one_way = true }) end,
  links = function(w) return w.grid:links() end,
  neighbour = function(w) return w.grid:neighbour(2, 2, "north_west") end,
  publish = function(w)
    w.grid:share(new_name())
    w.grid:terrain("a new terrain", 3)
    w.grid:publish()
  end,
  set = function(w) w.grid:set(2, 2, ",") end,
  set_cells = { function(w) w.grid:set_cells(1, 1, 2, 1, ".,") end,
    function(w) w.grid:set_cells(1, 1, 2, 1, { ".", "," }) end },
  shape = function(w) return w.grid:shape() end,
  share = function(w) w.grid:share(new_name()) end,
  size = function(w) return w.grid:size() end,
  terrain = { function(w) return w.grid:terrain(",") end, function(w) w.grid:terrain("mud", 3) end,
    function(w) w.grid:terrain(",", 4) end },
  unblock = function(w) w.grid:unblock(4, 1, 1, 3, "door") end,
  unlink = function(w) w.grid:unlink(1, 1, 8, 8, true) end,
  unshare = function(w) w.grid:unshare() end,
  unwall = function(w) w.grid:unwall(2, 2, "east", true) end,
  version = function(w) return w.grid:version() end,
  wall = function(w) w.grid:wall(3, 3, "south", true) end,
  walls = function(w) return w.grid:walls() end,
}

local QUERY = { weight = 1.5, partial = true, max_cost = 90, suppose_blocked = { { 3, 3, 2, 1 } } }

calls.finder = {
  bake = { function(w) return w.baking_finder:bake { method = "labels" } end,
    function(w) return w.finder:bake { method = "landmarks", pivots = 2 } end },
  baking = function(w)
    local job = w.baking_finder:baking { method = "labels" }
    job:step(1000)
    return job.result
  end,
  blockers = function(w) return w.breaker:blockers(3, 2, 6, 2) end,
  chokepoints = function(w) return w.finder:chokepoints(1, 2, 8, 6) end,
  clearance = function(w) return w.finder:clearance(2, 5) end,
  desire_map = function(w) return w.finder:desire_map { { w.flow, -1 }, { w.other_field, 2 } } end,
  find_nearest = { function(w) return w.finder:find_nearest(1, 2, { { 7, 7 }, { x = 3, y = 4 } }) end,
    function(w) return w.finder:find_nearest(1, 2, w.goals) end,
    function(w) return w.finder:find_nearest(1, 2, is_goal(w)) end,
    function(w) return w.finder:find_nearest(1, 2, { { 7, 7 } }, QUERY) end },
  find_path = { function(w) return w.finder:find_path(1, 2, 8, 6) end,
    function(w) return w.breaker:find_path(3, 2, 6, 2) end, function(w) return w.large:find_path(1, 4, 6, 6) end,
    function(w) return w.ignoring:find_path(3, 2, 6, 2) end, function(w) return w.avoiding:find_path(1, 2, 8, 6) end,
    function(w) return w.finder:find_path(1, 2, 8, 6, QUERY) end,
    function(w) return w.finder:find_path(1, 2, 8, 6, { schedule = w.schedule }) end },
  finding_nearest = { function(w) return w.finder:finding_nearest(1, 2, { { 7, 7 }, { 3, 4 } }) end,
    function(w) return w.finder:finding_nearest(1, 2, is_goal(w)) end },
  flow = { function(w) return w.finder:flow(5, 5) end, function(w) return w.finder:flow { 5, 5, 2 } end,
    function(w) return w.finder:flow({ { 5, 5 }, { x = 3, y = 3, value = 2 } }, { max_cost = 9,
      steps_only = true }) end,
    function(w) return w.finder:flow(w.other_field) end, function(w) return w.finder:flow(w.goals) end },
  fov = { function(w) return w.finder:fov(3, 3, 4) end,
    function(w) return w.finder:fov(3, 3, 4, { facing = "east", angle = 90, into = w.field }) end,
    function(w) return w.finder:fov(3, 3, 4, { opaque = { terrain = { "," } } }) end },
  intercept = function(w) return w.finder:intercept(8, 2, w.path, { speed = 2 }) end,
  load_baked = function(w) return w.baking_finder:load_baked(w.baked_bytes) end,
  matrix = function(w) return w.finder:matrix({ { 1, 2 }, { 3, 3 } }, { { 7, 7 } }) end,
  measuring = function(w) return w.finder:measuring({ { 1, 2 }, { 3, 3 } }, { { 7, 7 } }):step(1) end,
  min_cut = function(w) return w.finder:min_cut(1, 2, 8, 6, { most = 3 }) end,
  options = function(w) return w.avoiding:options() end,
  preparing = function(w) return w.finder:preparing { settled = true } end,
  sweep = { function(w) return w.finder:sweep(1, 2, 8, 6) end,
    function(w) return w.finder:sweep(1, 2, 8, 6, { suppose_blocked = { { 3, 3 } } }) end },
  sees = { function(w) return w.finder:sees(1, 2, 8, 6) end,
    function(w) return w.finder:sees(1, 2, 8, 6, { opaque = { terrain = { "," } } }) end },
  raycast = { function(w) return w.finder:raycast(1, 2, 8, 6) end,
    function(w) return w.finder:raycast(1, 2, 8, 6, { suppose_blocked = { { 3, 3 } } }) end },
  cost_of = { function(w) return w.finder:cost_of(w.path) end, function(w) return w.finder:cost_of(w.stale_path) end },
  reach = { function(w) return w.finder:reach(2, 2, 5) end,
    function(w) return w.finder:reach(2, 2, 5, { count = "ground" }) end },
  reachable = { function(w) return w.finder:reachable(1, 2, 8, 6) end,
    function(w) return w.finder:reachable(1, 2, 8, 6, { suppose_blocked = { { 3, 3 } } }) end },
  search = function(w) return w.finder:search(1, 2, 8, 6, { weight = 2 }) end,
  spread = function(w)
    return w.finder:spread({ { 3, 3 }, { 6, 6 } }, 3, { value = 2, falloff = 0.5, into = w.field })
  end,
  tour = function(w) return w.finder:tour({ { 1, 2 }, { 3, 3 }, { 7, 7 } }, { back = true }) end,
  touring = function(w) return w.finder:touring({ { 1, 2 }, { 3, 3 }, { 7, 7 } }, { back = true }):step(1) end,
  with_grid = function(w) return w.avoiding:with_grid(w.own_grid) end,
}

calls.flow = {
  cells = function(w) all(w.flow:cells()) end,
  complete = function(w) return w.flow:complete() end,
  completing = function(w) return w.flow:completing() end,
  count_cut_off = function(w)
    w.complete_flow:distance(1, 2)
    return w.complete_flow:count_cut_off(3, 3, 2, 2, "door")
  end,
  distance = { function(w) return w.flow:distance(1, 2) end, function(w) return w.reach:distance(3, 2) end },
  flee = function(w) return w.flow:flee(-1.5) end,
  next = function(w)
    w.flow:next(1, 2)
    return w.flow:next(1, 2)
  end,
  path = { function(w) return w.flow:path(1, 2) end, function(w) return w.reach:path(3, 2) end },
  update = function(w) return w.complete_flow:update() end,
}

-- What Lua's files of a desire map ask.
calls.desireMap = {
  next = function(w) return w.desire_map:next(2, 2) end,
  value = function(w) return w.desire_map:value(2, 2) end,
}

calls.path = {
  breaches = function(w) return w.breaching_path:breaches() end,
  cell = function(w) return w.path:cell(2) end,
  cells = function(w) all(w.path:cells()) end,
  cells_flat = function(w) return w.path:cells_flat() end,
  center = function(w) return w.path:center(2) end,
  copy_into = function(w) return w.path:copy_into({}, {}) end,
  dump = function(w) return w.path:dump() end,
  directions = { function(w) return w.path:directions() end, function(w) return w.link_path:directions() end },
  cost_at = { function(w) return w.path:cost_at(3) end, function(w) return w.stale_path:cost_at(3) end },
  index_within = function(w) return w.path:index_within(5, 2) end,
  is_valid = { function(w) return w.path:is_valid(2) end, function(w) return w.stale_path:is_valid() end },
  link = function(w) return w.link_path:link(1) end,
  repair = { function(w) return w.stale_path:repair() end,
    function(w) return w.stale_path:repair { from = 2, optimal = true } end },
  repairing = function(w) return w.stale_path:repairing { from = 2, optimal = true } end,
  retarget = function(w) return w.path:retarget(7, 3, { from = 2, bound = 1.5 }) end,
  reverse = function(w) return w.path:reverse() end,
  smooth = function(w) return w.path:smooth() end,
  totable = function(w) return w.path:totable() end,
  waypoints = function(w) return w.path:waypoints() end,
}

local HAS_RESULT = { completing = true, baking = true, preparing = true, settling = true, graph_baking = true }

-- Steps a job to its end in each of the ways there are.
local function steps_of(name)
  local function finish(job, budget)
    for _ = 1, 200 do
      local status = job:step(budget)
      if status ~= "running" then return status end
    end
  end
  return {
    function(w) return w[name]:step() end,
    function(w) return finish(w[name], 3) end,
    function(w) return finish(w[name], { expansions = 1000 }) end,
    function(w) return finish(w[name], { ms = 1000 }) end,
    function(w)
      local job = w[name]
      finish(job, 1000)
      return HAS_RESULT[name] and job.result
    end,
  }
end

local function join(...)
  local joined = {}
  for _, list in ipairs { ... } do
    for _, call in ipairs(list) do table.insert(joined, call) end
  end
  return joined
end

-- The kinds of jobs, by the name that their table has in src/binding, and what makes one.
closing.jobs = {
  searching = { "search", "where", "finding", "repairing" }, completing = { "completing" }, baking = { "baking" },
  preparing = { "preparing" }, settling = { "settling" }, graph_baking_kind = { "graph_baking" },
  astarL_graphsearching = { "graph_search", "space_search" }, resolving = { "resolving" }, routing = { "route_search" },
}

local function steps_of_kinds(...)
  local steps = {}
  for _, kind in ipairs { ... } do
    for _, name in ipairs(closing.jobs[kind]) do steps = join(steps, steps_of(name)) end
  end
  return steps
end

calls.search = {
  cells = function(w) all(w.found_search:cells()) end,
  close = function(w) w.search:close() end,
  path = function(w) return w.found_search:path() end,
  step = steps_of_kinds "searching",
}
calls.job = {
  close = function(w) w.completing:close() end,
  step = steps_of_kinds("completing", "baking", "preparing", "settling", "graph_baking_kind"),
}
calls.graphSearch = {
  close = function(w) w.graph_search:close() end,
  path = { function(w) return w.found_graph_search:path() end, function(w) return w.found_space_search:path() end },
  step = steps_of_kinds "astarL_graphsearching",
}
calls.resolving = {
  close = function(w) w.resolving:close() end,
  follow = function(w)
    w.resolving:step(1000)
    return w.resolving:follow()
  end,
  step = steps_of_kinds "resolving",
}
calls.routeSearch = {
  close = function(w) w.route_search:close() end,
  path = function(w) return w.found_route_search:path() end,
  route = function(w) return w.found_route_search:route() end,
  step = steps_of_kinds "routing",
}

calls.field = {
  add = function(w) w.field:add(2, 2, 1) end,
  add_field = function(w) w.field:add_field(w.other_field, 2) end,
  bounds = function(w) return w.field:bounds() end,
  bytes = function(w) return w.field:bytes() end,
  cells = function(w) all(w.other_field:cells()) end,
  dump = function(w) return w.other_field:dump() end,
  decay = function(w) w.field:decay(0.5) end,
  fill = { function(w) w.field:fill(2) end, function(w) w.field:fill(1, 1, 2, 2, 3) end },
  get = function(w) return w.field:get(1, 1) end,
  max = function(w) w.field:max(w.other_field) end,
  scale = function(w) w.field:scale(2) end,
  set = function(w) w.field:set(2, 2, 3) end,
  size = function(w) return w.field:size() end,
  stamp = function(w) w.field:stamp(3, 3, 2, 4) end,
  threshold = function(w) w.field:threshold(1) end,
  version = function(w) return w.field:version() end,
}

calls.baked = {
  is_current = function(w) return w.baked:is_current() end,
  save = function(w) return w.baked:save() end,
}

calls.graph = {
  bake = function(w) return w.graph:bake { landmarks = 2 } end,
  baking = function(w) return w.graph:baking { landmarks = 2 } end,
  block = { function(w) w.graph:block(w.keys[2]) end, function(w) w.graph:block(w.keys[1], w.keys[2]) end },
  bytes = function(w) return w.graph:bytes() end,
  dump = function(w) return w.dumpable_graph:dump() end,
  edge = function(w)
    w.graph:edge(w.keys[1], w.keys[5], { cost = 3, label = "a label that is new", one_way = true })
  end,
  edges = function(w) all(w.graph:edges(w.keys[2])) end,
  finder = function(w) return w.graph:finder { weight = 2, max_cost = 90, partial = true } end,
  has = function(w) return w.graph:has(w.keys[2]) end,
  is_blocked = { function(w) return w.graph:is_blocked(w.keys[2]) end,
    function(w) return w.graph:is_blocked(w.keys[1], w.keys[2]) end },
  join = function(w) return w.graph:join(w.finder, { radius = 3 }) end,
  nearest = function(w) return w.graph:nearest(3, 3) end,
  node = { function(w) w.graph:node("another node", 1, 2) end, function(w) w.graph:node({}, 1, 2) end,
    function(w) w.graph:node(w.keys[2], 4, 4) end },
  nodes = function(w) all(w.graph:nodes()) end,
  position = function(w) return w.graph:position(w.keys[2]) end,
  remove = { function(w) return w.graph:remove(w.keys[2]) end, function(w) return w.graph:remove(w.keys[3]) end },
  remove_edge = function(w) return w.graph:remove_edge(w.keys[1], w.keys[2], true) end,
  unblock = function(w) w.graph:unblock(w.keys[2]) end,
  version = function(w) return w.graph:version() end,
}

local function is_seventh(w)
  return function(node)
    w.tick()
    return node == w.keys[7] or type(node) == "table" and node[1] == 7
  end
end

calls.graphFinder = {
  find_nearest = { function(w)
    local finder = w.graph_finder
    return finder:find_nearest(w.keys[1], { w.keys[6], w.keys[5] })
  end, function(w)
    local finder = w.graph_finder
    return finder:find_nearest(w.keys[1], is_seventh(w))
  end, function(w) return w.space_finder:find_nearest({ 1 }, { { 9 }, { 8 } }) end,
    function(w) return w.space_finder:find_nearest({ 1 }, function(state) w.tick() return state[1] == 7 end) end },
  find_path = { function(w)
    local finder = w.graph_finder
    return finder:find_path(w.keys[1], w.keys[7], { weight = 2 })
  end, function(w) return w.space_finder:find_path({ 1 }, { 9 }) end },
  matrix = function(w)
    local finder = w.graph_finder
    return finder:matrix({ w.keys[1], w.keys[2] }, { w.keys[7] })
  end,
  measuring = function(w) return w.graph_finder:measuring({ w.keys[1], w.keys[2] }, { w.keys[7] }):step(1) end,
  options = function(w) return w.graph_finder:options() end,
  reach = { function(w)
    local finder = w.graph_finder
    return finder:reach(w.keys[1], 5)
  end, function(w) return w.space_finder:reach({ 1 }, 4) end },
  search = { function(w)
    local finder = w.graph_finder
    return finder:search(w.keys[1], w.keys[7])
  end, function(w) return w.space_finder:search({ 1 }, { 9 }) end },
  tour = function(w)
    local finder = w.graph_finder
    return finder:tour({ w.keys[1], w.keys[2], w.keys[3] }, { back = true })
  end,
  touring = function(w)
    return w.graph_finder:touring({ w.keys[1], w.keys[2], w.keys[3] }, { back = true }):step(1)
  end,
}

calls.graphPath = {
  link = function(w) return w.graph_path:link(1) end,
  totable = function(w) return w.graph_path:totable() end,
}

calls.graphReach = {
  distance = { function(w) return w.graph_reach:distance(w.keys[3]) end,
    function(w) return w.stale_reach:distance(w.keys[3]) end },
  nodes = { function(w) all(w.graph_reach:nodes()) end, function(w) all(w.stale_reach:nodes()) end },
  path = { function(w) return w.graph_reach:path(w.keys[3]) end,
    function(w) return w.stale_reach:path(w.keys[3]) end },
}

calls.joinedGraph = {
  find_path = function(w) return w.joined:find_path(1, 2, 8, 7) end,
  leg = function(w) return w.joined:leg(w.joined:find_path(1, 2, 8, 7), 1) end,
  search = function(w)
    local search = w.joined:search(1, 2, 8, 7)
    while search:step { expansions = 10 } == "running" do end
    return search:path()
  end,
}

calls.crowd = {
  add = { function(w) return w.crowd:add(5, 5) end, function(w)
    return w.crowd:add(5, 5, { finder = w.crowd_finder, period = 2, speed = 1, turn = 1, side = "green" })
  end },
  beat = function(w)
    w.unit:go(6, 3)
    w.crowd:beat()
    return w.crowd:beat()
  end,
  dump = function(w) return w.unit and w.sent and w.crowd:dump() end,
  go = { function(w) return w.crowd:go({ w.unit, w.other }, 6, 3, { partial = true, range = 1 }) end,
    function(w) return w.crowd:go({ w.unit, w.other }, 6, 3, { shape = "line", together = true }) end },
  positions = { function(w) return w.unit and w.crowd:positions() end,
    function(w) return w.sent and w.crowd:positions { 1, 2, 3, 4, 5, 6, 7, 8, 9 } end },
  resolving = { function(w) return w.chaser and w.chased and w.plain_crowd:resolving() end,
    function(w) return w.plain_crowd:resolving({ w.chaser, w.chased }, { bytes = 1e6, improve = 10 }) end },
  step = function(w)
    w.unit:go(6, 3)
    return w.crowd:step { expansions = 50 }
  end,
  unit_at = function(w) return w.unit and w.crowd:unit_at(1, 2) end,
  units = function(w) return w.unit and w.other and w.crowd:units() end,
  update = function(w) return w.sent and w.crowd:update(0.7) end,
}

calls.unit = {
  cell = function(w) return w.unit:cell() end,
  chase = function(w) return w.chaser:chase(w.chased, { range = 2 }) end,
  go = function(w) return w.unit:go(6, 3, { partial = true, range = 1 }) end,
  goal = function(w) return w.sent:goal() end,
  hold = function(w) w.unit:hold(true) end,
  remove = function(w) return w.unit:remove() end,
  set_priority = function(w) w.unit:set_priority(3) end,
  stop = function(w) w.sent:stop() end,
}

calls.world = {
  block = function(w) return w.world:block(70, 2, 3, 2) end,
  fill = function(w) return w.world:fill(70, 2, 3, 2, "#") end,
  finder = { function(w) return w.world:finder() end,
    function(w) return w.world:finder { avoid = w.other_field, avoid_weight = 2, exact = true, size = 1 } end },
  forget_chunk = function(w) w.world:forget_chunk(0, 0) end,
  get = function(w) return w.world:get(70, 2) end,
  has_wall = function(w) return w.world:has_wall(2, 2, "east") end,
  is_blocked = function(w) return w.world:is_blocked(70, 2) end,
  is_walkable = function(w) return w.world:is_walkable(70, 2) end,
  link = function(w) return w.world:link(70, 2, 3, 80, { label = "a new label", cost = 2 }) end,
  put_chunk = { function(w) w.world:put_chunk(4, 4, worlds.open_chunk()) end,
    function(w) w.world:put_chunk(0, 0, w.saved_chunk) end, function(w) w.world:put_chunk(4, 4, false) end },
  restrict = { function(w) return w.world:restrict(60, 2, 10, 1, { "east", "south" }) end,
    function(w) return w.world:restrict(70, 2, "west") end },
  restrictions = function(w) return w.world:restrictions(1, 1, 70, 2) end,
  save = { function(w) return w.world:save(0, 0) end, function(w)
    w.world:set(3, 3, "#")
    w.world:save()
  end },
  set = function(w) return w.world:set(70, 2, "#") end,
  stats = function(w) return w.world:stats() end,
  unblock = function(w) return w.world:unblock(5, 1) end,
  unlink = function(w) return w.world:unlink(3, 3, 9, 9) end,
  unrestrict = function(w) return w.world:unrestrict(60, 2, 10, 1) end,
  unwall = function(w) return w.world:unwall(2, 2, "east") end,
  version = function(w) return w.world:version() end,
  wall = function(w) return w.world:wall(64, 2, "east") end,
  wanted = function(w)
    w.world:get(300, 2)
    return w.world:wanted(3)
  end,
  window = function(w) return w.world:window(60, 1, 10, 6) end,
}

calls.worldFinder = {
  find_nearest = function(w) return w.world_finder:find_nearest(2, 2, { { 90, 70 }, { 9, 9 } }) end,
  find_route = { function(w) return w.world_finder:find_route(2, 2, 90, 70) end,
    function(w) return w.world_finder:find_route(2, 2, 90, 70, { exact = true, weight = 1.5 }) end,
    function(w) return w.avoiding_world_finder:find_route(2, 2, 9, 9) end },
  raycast = function(w) return w.world_finder:raycast(2, 2, 80, 3) end,
  reachable = function(w) return w.world_finder:reachable(2, 2, 80, 3) end,
  search = { function(w) return w.world_finder:search(2, 2, 90, 70, { exact = true }) end,
    function(w) return w.world_finder:search(2, 2, { { 90, 70 }, { 9, 9 } }, { range = 1 }) end },
}

calls.route = {
  is_valid = function(w) return w.route:is_valid() end,
  path = function(w) return w.route:path { legs = 2 } end,
  step = function(w) return w.route:step(1000) end,
  stretch = function(w) return w.route:stretch() end,
}

calls.workers = {
  bytes = function(w) return w.workers:bytes() end,
  close = function(w) w.workers:close() end,
  count = function(w) return w.workers:count() end,
}

calls.queue = {
  add = { function(w) return w.queue:add(w.search) end, function(w) return w.queue:add(w.completing) end,
    function(w) return w.queue:add(w.route) end },
  await = function(w)
    local script = coroutine.create(function() return w.queue:await(w.finder, 1, 2, 8, 6) end)
    assert(coroutine.resume(script))
    w.queue:update { expansions = 1000 }
  end,
  count = function(w) return w.ticket and w.queue:count() end,
  ["repair"] = function(w)
    w.queue:repair(w.stale_walker)
    w.queue:update { expansions = 1000 }
  end,
  request = { function(w) return w.queue:request(w.finder, 1, 2, 8, 6) end, function(w)
    local finder = w.graph_finder
    return w.queue:request(finder, w.keys[1], w.keys[7])
  end },
  update = { function(w)
    w.queue:request(w.finder, 1, 2, 8, 6)
    w.queue:add(w.repairing)
    while w.queue:update { expansions = 20 } > 0 do end
  end, function(w)
    w.worker_queue:request(w.finder, 1, 2, 8, 6)
    w.worker_queue:add(w.completing)
    w.worker_queue:add(w.search)
    for _ = 1, 20 do
      if w.worker_queue:update { expansions = 100 } == 0 then break end
    end
  end },
}

calls.ticket = {
  cancel = function(w) return w.ticket:cancel() end,
  path = function(w)
    w.ticket:set_priority(1)
    w.queue:update { expansions = 1000 }
    return w.ticket:path()
  end,
  set_priority = function(w) w.ticket:set_priority(2) end,
}

calls.walker = {
  cell = function(w) return w.walker:cell() end,
  dump = function(w) return w.walker:dump() end,
  follow = function(w) w.walker:follow(w.link_path) end,
  ["repair"] = function(w) return w.stale_walker:repair { optimal = true } end,
  repairing = function(w)
    local job = w.stale_walker:repairing { optimal = true }
    job:step(1000)
    return job
  end,
  retarget = function(w) return w.walker:retarget(7, 3) end,
  update = function(w)
    for _ = 1, 9 do w.walker:update(0.4) end
  end,
}

calls.schedule = {
  dump = function(w) return w.schedule:dump() end,
  find_path = function(w) return w.schedule:find_path(w.finder, 1, 2, 7, 6) end,
  load_path = function(w) return w.schedule:load_path(w.timed_path:dump(), w.finder) end,
  forget = function(w) w.schedule:forget(1) end,
  release = function(w) w.schedule:release(w.schedule:reserve(w.timed_path)) end,
  reserve = function(w) return w.schedule:reserve(w.timed_path) end,
  reserve_cell = function(w) return w.schedule:reserve_cell(3, 3, { from = 1, to = 2 }) end,
  taken_by = function(w)
    w.schedule:reserve(w.timed_path)
    return w.schedule:taken_by(1, 2, 0)
  end,
}

calls.timedPath = {
  cell = function(w) return w.timed_path:cell(1) end,
  cells = function(w) all(w.timed_path:cells()) end,
  dump = function(w) return w.timed_path:dump() end,
  place = function(w) return w.timed_path:place(0.5) end,
  time = function(w) return w.timed_path:time(1) end,
  totable = function(w) return w.timed_path:totable() end,
}

calls.tower = {
  at = function(w) return w.tower:at(1, 1, 1) end,
  dump = function(w) return w.tower:dump() end,
  link = function(w) w.tower:link(1, 1, 1, 2, 2, 2) end,
  of = function(w) return w.tower:of(1, 1) end,
  size = function(w) return w.tower:size(1) end,
}

calls.view = { -- draws by LÖVE alone; of the core it asks what others do
  draw = true, draw_cell = true, draw_flow = true, draw_graph = true, draw_lines = true, draw_path = true,
  draw_search = true, fit = true, scroll = true, to_cell = true, to_pixel = true, touch = true, zoom = true,
}

-- Functions of the module, which make objects of others.
calls.astar = {
  crowd = function(w) return astar.crowd(w.plain_finder, { exclusive = true, speed = 2 }) end,
  field = function(w) return astar.field(w.grid) end,
  floors = function() return astar.floors({ "....\n....", "....\n...." }) end,
  goals = function(w) return astar.goals(w.grid, { { 1, 1 }, { 2, 2 } }) end,
  grid = function() return astar.grid("..#\n...") end,
  load = function(w) return astar.load(w.grid:dump()) end,
  load_field = function(w) return astar.load_field(w.other_field:dump()) end,
  load_floors = function(w) return astar.load_floors(w.tower:dump()) end,
  load_goals = function(w) return astar.load_goals(w.goals:dump(), w.grid) end,
  load_path = function(w) return astar.load_path(w.path:dump(), w.finder) end,
  load_schedule = function(w) return astar.load_schedule(w.schedule:dump(), w.grid) end,
  load_crowd = function(w) return astar.load_crowd(w.crowd_dump, w.plain_finder) end,
  load_walker = function(w) return astar.load_walker(w.walker:dump(), w.finder) end,
  queue = function(w) return astar.queue { workers = w.workers } end,
  schedule = function(w) return astar.schedule(w.grid) end,
  shared = function(w)
    local name = new_name()
    w.own_grid:share(name)
    return astar.shared(name)
  end,
  states = function() return astar.states { neighbours = function() end } end,
  walker = function(w) return astar.walker(w.path, { speed = 2 }) end,
  workers = function() return astar.workers(1) end,
  world = function() return astar.world { load = function() return false end } end,
}

-- ---- trying them ----

local FLAVOURS = { "plain", "asking", "shared" }
-- Of other classes the objects are the same in each.
local OF_GRIDS = { grid = true, finder = true, flow = true, path = true, search = true, job = true, walker = true,
  desireMap = true, queue = true, schedule = true }
local OF_GRAPHS = { graphFinder = true, graphSearch = true, graphReach = true, graph = true, routeSearch = true,
  worldFinder = true, world = true, route = true, joinedGraph = true }

local function flavours_of(class)
  if OF_GRIDS[class] then return FLAVOURS end
  if OF_GRAPHS[class] then return { "plain", "asking" } end
  return { "plain" }
end

-- The names of what a call is about that can be closed, in the order in which it is made; nil where that call cannot be
-- made of this flavour, such as an edit of a map that another state shares.
local function victims_of(call, flavour)
  local w = new_world(flavour)
  local ok, problem = pcall(call, w)
  if not ok then return nil, problem end
  local names = {}
  for _, name in ipairs(w.names) do
    if is_closable(rawget(w, name)) then table.insert(names, name) end
  end
  return names, w.names
end

-- A world in which everything is made already.
local function prepared(flavour, made)
  local w = new_world(flavour)
  for _, name in ipairs(made) do local _ = w[name] end
  return w
end

-- Makes the call, and closes the objects 'victims' at the n-th place, of the collector or of a callback; whether it
-- came so far.
local function try_at(call, flavour, made, victims, n, way)
  local w = prepared(flavour, made)
  local count, is_over = 0, false
  local function tick()
    count = count + 1
    if is_over or count < n then return is_over end
    is_over = true
    for _, name in ipairs(victims) do close(rawget(w, name), way == "method") end
    return true
  end
  if way == "callback" then
    w.tick = tick
  else
    tick_with_each_cycle(tick)
    hurry()
    count = 0 -- cycles before the call do not count
  end
  if is_over then return true end -- while it was prepared
  local ok, problem = pcall(call, w)
  local came_so_far = is_over
  is_over = true
  stop_hurrying()
  if not ok and not tostring(problem):find("closed", 1, true) then
    error(("%s is no answer where an object was closed"):format(problem), 0)
  end
  return came_so_far
end

local function is_right()
  local path = astar.grid("..#..\n..#..\n....."):finder():find_path(1, 1, 5, 1)
  return path and #path == 7
end

-- Closes the victims at each place of a call; how many there were.
local function try_all(call, flavour, made, victims, way, most)
  local n = 1
  while n <= most and try_at(call, flavour, made, victims, n, way) do
    assert(is_right(), "another query is answered wrongly after it")
    n = n + 1
  end
  return n - 1
end

-- Tries a method of a class: all objects that it is about, one by one and all together; how often an object was closed.
-- If `stride` is above 1, only every `stride`-th of these cases is tried, beginning with the first. Each call is then
-- tried in a single flavour, which depends on the number of the call and on `turn`.
function closing.try(class, method, most, stride, turn)
  local list, count, cases = calls[class][method], 0, 0
  local flavours = flavours_of(class)
  if type(list) == "function" then list = { list } end
  for i, call in ipairs(list) do
    for k = 1, #flavours do
      local flavour = flavours[(turn + i + k) % #flavours + 1]
      local names, made = victims_of(call, flavour)
      if flavour == "plain" and not names then error(("call %d fails by itself: %s"):format(i, made), 0) end
      local groups = {}
      for _, name in ipairs(names or {}) do table.insert(groups, { name }) end
      if names and #names > 1 then table.insert(groups, names) end
      for _, victims in ipairs(groups) do
        for _, way in ipairs { "finalizer", "callback", "method" } do
          local is_by_method = #victims == 1 and BY_METHOD[victims[1]]
          local is_case = way ~= "method" or is_by_method
          if is_case then cases = cases + 1 end
          if is_case and cases % stride == 1 % stride then
            closing.at = ("%s:%s, call %d, %s, closes %s by %s"):format(class, method, i, flavour,
              table.concat(victims, ", "), way)
            if closing.log then closing.log(closing.at) end
            count = count + try_all(call, flavour, made, victims, way, most)
          end
        end
      end
      if stride > 1 and names then break end
    end
  end
  return count
end

-- Tries all methods of a class in this process, of each every `stride`-th case; prints how often objects were closed.
function closing.try_class(class, most, stride)
  local count, methods = 0, {}
  for method, list in pairs(calls[class]) do
    if list ~= true then table.insert(methods, method) end
  end
  table.sort(methods)
  for turn, method in ipairs(methods) do
    local ok, result = pcall(closing.try, class, method, most, stride, turn)
    if not ok then error(("%s: %s"):format(closing.at, result), 0) end
    count = count + result
  end
  print(("%s: closed %d times, as it may"):format(class, count))
end

return closing
