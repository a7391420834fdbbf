-- callbacks.lua -- functions of a script that misbehave, each at every one of their calls.
--
--     lua spec/faults/callbacks.lua [seeds [scenario [fault]]]
--
-- A scenario asks one question through functions that answer honestly. It is asked once to count
-- their calls, and then again for every call and every fault, on a random map for each seed. What
-- must come of that is a property of the fault; after it the same question, on the same objects,
-- must be answered as at first.

local astar = require "astar"
local random = require "spec.support.random"

local SEEDS, ONLY, ONLY_FAULT = tonumber(arg[1]) or 1, arg[2], arg[3]
local W, H = 7, 6

-- ---- functions that can be made to misbehave ----

local hook = { calls = 0, at = 0 }

-- Counts a call and gives the answer, but at the call that was chosen the fault's.
local function answer(o, honest)
  hook.calls = hook.calls + 1
  if hook.calls ~= hook.at then return honest end
  hook.at = 0
  return hook.deed(o, honest)
end

local FUNCTIONS = {
  cost = function(o)
    return function(x, y, _, cost) return answer(o, (x + y) % 3 == 0 and cost * 2 or cost) end
  end,
  step_cost = function(o)
    return function(x, _, nx, _, cost) return answer(o, nx > x and cost + 1 or cost) end
  end,
  heuristic = function(o) return function(dx, dy) return answer(o, math.max(dx, dy)) end end,
}

-- ---- maps ----

-- 'offset': of hexagons, nil for squares.
local function new_grid(seed, offset)
  local r = random.new(seed)
  local rows = r:scatter(W, H, 0.15)
  r:sow(rows, { "s" })
  for i = 0, 1 do -- room for start and goal
    rows[1 + i][1], rows[1 + i][2], rows[H - i][W], rows[H - i][W - 1] = ".", ".", ".", "."
  end
  local shape = offset and "hex" or nil
  return astar.grid(rows, { terrain = { ["."] = 1, s = 2, ["#"] = false }, shape = shape, offset = offset })
end

-- A chunk with a wall across it, and a gap in that.
local CHUNK = {}
for y = 1, 64 do CHUNK[y] = ("."):rep(64) end
CHUNK[20] = ("#"):rep(40) .. "..." .. ("#"):rep(21)

-- A world without end whose functions may misbehave.
local function add_world(o)
  o.world = astar.world { load = function() return answer(o, CHUNK) end, save = function() return answer(o) end }
  o.unit = o.world:finder()
end

-- The objects of a scenario: a grid, its field where one is avoided, a finder with the functions.
local function new_objects(seed, scenario)
  local o = { grid = new_grid(seed, scenario.offset) }
  local options = {}
  for name, value in pairs(scenario.options or {}) do options[name] = value end
  for _, name in ipairs(scenario.functions) do
    if FUNCTIONS[name] then options[name] = FUNCTIONS[name](o) end
  end
  if scenario.avoids then
    o.field = astar.field(o.grid)
    o.field:stamp(4, 3, 2, 3)
    options.avoid = o.field
  end
  if scenario.layers then
    o.grid:link(1, 2, W, 2, { cost = 3, label = "lift" })
    o.grid:wall(2, 1, scenario.offset and "south_east" or "south")
  end
  o.finder = o.grid:finder(options)
  if scenario.of_world then add_world(o) end
  if scenario.prepare then scenario.prepare(o) end
  return o
end

-- ---- scenarios ----

local scenarios = {}

local function add(scenario) scenarios[#scenarios + 1] = scenario end

local function find(o) return o.finder:find_path(1, 1, W, H) end

for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
  for _, name in ipairs { "cost", "step_cost", "heuristic" } do
    if name ~= "heuristic" or algorithm == "auto" or algorithm == "astar" then
      add { "find_path by " .. algorithm .. ", " .. name, functions = { name },
        options = { algorithm = algorithm }, run = find }
    end
  end
  add { "find_path by " .. algorithm .. ", all three", functions = { "cost", "step_cost", "heuristic" },
    options = { algorithm = algorithm }, run = find }
end
for name, options in pairs { -- in any order
  ["no corners"] = { diagonals = "always" }, straight = { diagonals = "never" }, weight = { weight = 2 },
  partial = { partial = true, max_expansions = 9 }, range = { range = 2 }, dear = { max_cost = 4, partial = true },
} do
  add { "find_path, cost, " .. name, functions = { "cost" }, options = options, run = find }
  add { "find_path, step_cost, " .. name, functions = { "step_cost" }, options = options, run = find }
end
for _, name in ipairs { "cost", "step_cost" } do
  add { "find_path, " .. name .. ", size 2", functions = { name }, options = { size = 2 },
    run = function(o) return o.finder:find_path(1, 1, W - 1, H - 1) end }
end
add { "find_path, cost, a field", functions = { "cost" }, avoids = true, run = find }
add { "find_path, heuristic, a field", functions = { "heuristic" }, avoids = true, run = find }
add { "find_path, step_cost, links and walls", functions = { "step_cost" }, layers = true, run = find }
add { "find_path, cost, links and walls", functions = { "cost" }, layers = true, run = find }

for _, name in ipairs { "cost", "step_cost" } do
  local functions = { name }
  add { "reachable, " .. name, functions = functions, run = function(o) return o.finder:reachable(1, 1, W, H) end }
  add { "raycast, " .. name, functions = functions, run = function(o) return o.finder:raycast(1, 1, W, H) end }
  add { "find_nearest, " .. name, functions = functions,
    run = function(o) return o.finder:find_nearest(1, 1, { { W, H }, { 4, 4 }, { x = 1, y = H } }) end }
  for _, rework in ipairs { "smooth", "reverse", "is_valid", "repair" } do
    add { "path:" .. rework .. ", " .. name, functions = functions, prepare = function(o) o.path = find(o) end,
      run = function(o) return o.path and o.path[rework](o.path) end }
  end
  add { "path:repair anew, " .. name, functions = functions, prepare = function(o) o.path = find(o) end,
    run = function(o) return o.path and o.path:repair { from = 2, optimal = true } end }
end

-- Hexagons; other questions there are asked the same way.
for _, offset in ipairs { "odd_r", "even_q" } do
  for _, name in ipairs { "cost", "step_cost", "heuristic" } do
    add { "find_path on " .. offset .. ", " .. name, functions = { name }, offset = offset, run = find }
    add { "find_path on " .. offset .. ", " .. name .. ", links and walls", functions = { name }, offset = offset,
      layers = true, run = find }
  end
  add { "raycast on " .. offset, functions = { "cost", "step_cost" }, offset = offset,
    run = function(o) return o.finder:raycast(1, 1, W, H) end }
  add { "find_nearest on " .. offset, functions = { "cost" }, offset = offset, options = { range = 1 },
    run = function(o) return o.finder:find_nearest(1, 1, { { W, H }, { 4, 4 }, { x = 1, y = H } }) end }
  add { "path:smooth on " .. offset, functions = { "cost", "step_cost" }, offset = offset,
    prepare = function(o) o.path = find(o) end, run = function(o) return o.path and o.path:smooth() end }
end

local function is_goal(o)
  return function(x, y) return answer(o, x == W and y >= H - 1) end
end
add { "find_nearest by a function", functions = { "goal" },
  run = function(o) return o.finder:find_nearest(1, 1, is_goal(o)) end }
add { "find_nearest by a function, cost", functions = { "goal", "cost" },
  run = function(o) return o.finder:find_nearest(1, 1, is_goal(o)) end }

local function finish(search)
  while search:step(3) == "running" do end
  return search:path()
end
add { "finding_nearest, cost", functions = { "cost" },
  run = function(o) return finish(o.finder:finding_nearest(1, 1, { { W, H }, { 4, 4 }, { x = 1, y = H } })) end }
add { "finding_nearest by a function, cost", functions = { "goal", "cost" },
  run = function(o) return finish(o.finder:finding_nearest(1, 1, is_goal(o))) end }
for _, name in ipairs { "cost", "step_cost", "heuristic" } do
  add { "path:repairing, " .. name, functions = { name }, prepare = function(o) o.path = find(o) end,
    run = function(o) return o.path and finish(o.path:repairing { optimal = name == "heuristic" }) end }
end

-- A search goes on after an error, so running it again is going on with it.
local function search_by(budget)
  return function(o)
    local search = o.search
    if not search or search.status ~= "running" then
      search = o.finder:search(1, 1, W, H)
      o.search = search
    end
    repeat local status = search:step(budget) until status ~= "running"
    return search:path()
  end
end
for _, name in ipairs { "cost", "step_cost", "heuristic" } do
  add { "search:step(2), " .. name, functions = { name }, steps = true, run = search_by(2) }
  add { "search:step { expansions = 5 }, " .. name, functions = { name }, steps = true,
    run = search_by { expansions = 5 } }
  add { "search:step { ms = 1000 }, " .. name, functions = { name }, steps = true,
    run = search_by { ms = 1000 } }
end
add { "search:cells, heuristic", functions = { "heuristic" }, steps = true, looks = true,
  prepare = function(o)
    o.search = o.finder:search(1, 1, W, H)
    o.search:step(9)
  end,
  run = function(o)
    local sum = 0
    for x, y, _, g in o.search:cells() do sum = sum + x * y + g end
    return sum
  end }
-- Flows are worked out as far as they are asked, so each question may ask the functions.
for _, name in ipairs { "cost", "step_cost" } do
  local questions = {
    distance = function(flow) return flow:distance(1, 1) end,
    next = function(flow) return flow:next(1, 1) end,
    path = function(flow) return flow:path(1, 1) end,
    complete = function(flow) return flow:complete() > 0 and flow:distance(1, 1) end,
    cells = function(flow)
      local sum = 0
      for x, y, distance in flow:cells() do sum = sum + x * y + distance end
      return sum
    end,
    flee = function(flow) return flow:flee():distance(2, 2) end,
  }
  for _, question in ipairs { "distance", "next", "path", "complete", "cells", "flee" } do
    add { "flow:" .. question .. ", " .. name, functions = { name }, flows = true,
      run = function(o)
        o.flow = o.finder:flow { { W, H }, { 1, H, 2 } }
        return questions[question](o.flow)
      end }
  end
  add { "finder:reach, " .. name, functions = { name }, flows = true,
    run = function(o)
      o.flow = o.finder:reach(1, 1, 5)
      return questions.cells(o.flow)
    end }
  add { "reach:path, " .. name, functions = { name }, flows = true,
    run = function(o)
      o.flow = o.finder:reach(W, H, 30)
      return questions.path(o.flow)
    end }
  add { "flow:update after an edit, " .. name, functions = { name }, flows = true,
    run = function(o)
      local grid, flow = o.grid, o.finder:flow { { W, H }, { 1, H, 2 } }
      o.flow = flow
      grid:unblock(3, 4)
      flow:complete()
      grid:block(3, 4)
      flow:update()
      return flow:distance(1, 1)
    end }
  add { "find_path, any_angle, " .. name, functions = { name }, options = { any_angle = true }, run = find }
  add { "find_path, bends, " .. name, functions = { name }, options = { bend_cost = 2 }, run = find }
  add { "path:smooth, any angle, " .. name, functions = { name }, options = { any_angle = true },
    prepare = function(o) o.path = find(o) end, run = function(o) return o.path and o.path:smooth() end }
  add { "path:index_within, " .. name, functions = { name }, prepare = function(o) o.path = find(o) end,
    run = function(o)
      local path = o.path
      if path then return path:cost_at(#path), path:index_within(3) end
    end }
  add { "finder:cost_of, " .. name, functions = { name }, prepare = function(o) o.path = find(o) end,
    run = function(o)
      local path = o.path
      if path then return o.finder:cost_of(path) end
    end }
  add { "finder:sweep, " .. name, functions = { name }, options = { margin = 0.25 },
    run = function(o)
      local finder = o.finder
      return finder:sweep(1, 1, W, H), finder:sweep(1, 1, 2, 1), finder:sweep(1, 1, 1, 2)
    end }
end

-- Queues: what functions of a finder raise reaches the caller of update, and that request is over.
local function request(o, callback)
  local queue = astar.queue()
  local first = queue:request(o.finder, 1, 1, W, H, callback)
  local second = queue:request(o.finder, W, H, 1, 1)
  while queue:update { expansions = 4 } > 0 do end
  return first:path(), second:path()
end
add { "queue:update, cost", functions = { "cost" }, restarts = true, run = function(o) return request(o) end }
add { "queue:update, step_cost", functions = { "step_cost" }, restarts = true,
  run = function(o) return request(o) end }
add { "a queue's callback", functions = { "callback" }, in_lua = true,
  run = function(o) return request(o, function() answer(o) end) end }
add { "queue:await, cost", functions = { "cost" }, restarts = true,
  run = function(o)
    local queue, ok, path = astar.queue(), nil, nil
    local script = coroutine.create(function() ok, path = pcall(queue.await, queue, o.finder, 1, 1, W, H) end)
    if not jit and _VERSION == "Lua 5.1" then -- which cannot yield across a pcall
      script = coroutine.create(function() ok, path = true, queue:await(o.finder, 1, 1, W, H) end)
    end
    coroutine.resume(script)
    while queue:update { expansions = 4 } > 0 do end
    if not ok then error(path, 0) end
    return path
  end }

-- Worlds: a question that failed is asked again, a search goes on.
local function told_of(route) return route.cost, route:path() end
add { "find_route, load", functions = { "load" }, of_world = true,
  run = function(o) return told_of(o.unit:find_route(3, 3, 100, 70)) end }
add { "world:search in steps, load", functions = { "load" }, of_world = true,
  prepare = function(o) o.journey = o.unit:search(3, 3, 100, 70) end,
  run = function(o)
    local journey = o.journey
    while journey:step(2) == "running" do end
    return told_of(journey:route())
  end }
add { "world:set and save", functions = { "load", "save" }, of_world = true,
  run = function(o)
    local world = o.world
    world:set(70, 3, "#")
    world:set(70, 3, ".")
    world:save()
    return world:get(70, 3)
  end }

-- ---- faults ----

local STOP = { "a table raised by a callback" }

local function is_text(pattern)
  return function(outcome)
    return not outcome.ok and type(outcome.problem) == "string" and outcome.problem:find(pattern) ~= nil
  end
end

local is_edited = is_text "grid was edited during the search"

local function goes_on(outcome, right) return outcome.ok and outcome.told == right end

local function toggle(grid, x, y)
  if grid:is_blocked(x, y) then grid:unblock(x, y) else grid:block(x, y) end
end

-- Each with its deed, and whether an outcome is right. `needs` names what the objects must have;
-- after one that `spoils` them they cannot be asked again.
local faults = {
  { "error", deed = function() error(STOP, 0) end,
    is_right = function(outcome) return not outcome.ok and outcome.problem == STOP end },
  { "yield", deed = function(_, honest)
      coroutine.yield()
      return honest
    end, is_right = is_text "attempt to yield across" },
  { "NaN", deed = function() return 0 / 0 end, is_right = is_text "callback returned nan", judges = true },
  { "string", deed = function() return "7" end, is_right = is_text 'callback returned "7"', judges = true },
  { "table", deed = function() return {} end, is_right = is_text "callback returned a table", judges = true },
  { "edit", deed = function(o, honest)
      toggle(o.grid, 4, 3)
      return honest
    end, undo = function(o) toggle(o.grid, 4, 3) end, edits = true, is_right = is_edited },
  { "edit and back", deed = function(o, honest)
      toggle(o.grid, 4, 3)
      toggle(o.grid, 4, 3)
      return honest
    end, edits = true, is_right = is_edited },
  { "terrain", deed = function(o, honest)
      o.grid:terrain("s", 3)
      return honest
    end, undo = function(o) o.grid:terrain("s", 2) end, edits = true, is_right = is_edited },
  { "edit of the field", needs = "field", deed = function(o, honest)
      o.field:add(4, 3, 1)
      return honest
    end, undo = function(o) o.field:add(4, 3, -1) end, edits = true, is_right = is_edited },
  { "nested search", deed = function(o, honest)
      o.finder:find_path(W, H, 1, 1)
      o.finder:search(1, 1, W, 1):step(3)
      o.grid:find_path(1, 1, W, H)
      return honest
    end, is_right = goes_on },
  { "nested search that fails", deed = function(o, honest)
      local finder = o.grid:finder { cost = function() error(STOP, 0) end }
      assert(not pcall(finder.find_path, finder, 1, 1, 2, 2))
      local thread = coroutine.create(function() return finder:find_path(1, 1, 2, 2) end)
      assert(not coroutine.resume(thread))
      return honest
    end, is_right = goes_on },
  { "step of its own search", needs = "search", deed = function(o, honest)
      o.search:step()
      return honest
    end, is_right = is_text "stepped or closed by its own callback", spoils = true },
  { "close of its own search", needs = "search", deed = function(o, honest)
      o.search:close()
      return honest
    end, is_right = is_text "stepped or closed by its own callback", spoils = true },
  { "question to its own flow", needs = "flow", deed = function(o, honest)
      local cells = o.flow:cells()
      o.flow:next(1, 1)
      cells()
      o.flow:distance(3, 1)
      return honest
    end, is_right = function(outcome, right) return not outcome.ok or outcome.told == right end },
  { "question to its own flow that fails", needs = "flow", deed = function(o, honest)
      local deed, flow = hook.deed, o.flow
      hook.at, hook.deed = hook.calls + hook.calls % 5 + 1, function() error(STOP, 0) end
      pcall(flow.distance, flow, 1, H)
      hook.at, hook.deed = 0, deed
      return honest
    end, is_right = goes_on },
  { "edit of the world", needs = "world", deed = function(o, honest)
      o.world:block(70, 70)
      return honest
    end, is_right = is_text "must not edit or query the world" },
  { "question to the world", needs = "world", deed = function(o, honest)
      o.unit:find_route(1, 1, 2, 2)
      return honest
    end, is_right = is_text "must not edit or query the world" },
  { "full collection", deed = function(_, honest)
      collectgarbage()
      return honest
    end, is_right = goes_on },
  { "drop of the last reference", deed = function(o, honest)
      for name in pairs(o) do o[name] = nil end
      collectgarbage()
      collectgarbage()
      return honest
    end, is_right = goes_on, spoils = true },
  { "finalizers by hand", deed = function(o, honest)
      for _, object in pairs(o) do
        local gc = debug.getmetatable(object).__gc
        if gc then gc(object) end
      end
      return honest
    end, is_right = function() return true end, spoils = true },
}

-- ---- running them ----

local function tell(value)
  if type(value) ~= "userdata" then return type(value) == "number" and ("%.12g"):format(value) or tostring(value) end
  local parts = { tostring(value) }
  for x, y in value:cells() do parts[#parts + 1] = x .. "," .. y end
  return table.concat(parts, " ")
end

-- Runs a scenario in a coroutine, which a function that may yield is resumed in.
local function run(scenario, o)
  local outcome = {}
  local thread = coroutine.create(function() return scenario.run(o) end)
  local results = { coroutine.resume(thread) }
  while results[1] and coroutine.status(thread) ~= "dead" do results = { coroutine.resume(thread) } end
  outcome.ok, outcome.problem = results[1], results[2]
  local told = {}
  for i = 2, 5 do told[#told + 1] = tell(outcome.ok and results[i] or nil) end
  outcome.told = table.concat(told, "; ")
  return outcome
end

-- What a fault must come to in a scenario, where that is special.
local function expectation(fault, scenario)
  local asks_goal = scenario.functions[1] == "goal"
  if scenario.of_world and fault.judges then -- no chunk is one, and what save returns is of no interest
    return function(outcome, right) return not outcome.ok or outcome.told == right end
  elseif scenario.of_world and fault.edits then -- of the grid, which is none of the world's
    return goes_on
  elseif fault.judges and (asks_goal or scenario.in_lua) then -- any value is a yes, or of no interest
    return function(outcome) return outcome.ok or outcome.problem:find "callback returned" end
  elseif scenario.in_lua and fault[1] == "yield" then
    return goes_on
  elseif fault.edits and scenario.looks then -- at what was found before
    return goes_on
  elseif fault.edits and (scenario.in_lua or scenario.restarts) then -- the queue asks again, or raises
    return function(outcome) return outcome.ok or tostring(outcome.problem):find "grid was edited" end
  end
  return fault.is_right
end

local function control(grid_seed, right)
  local got = tell(new_grid(grid_seed):find_path(1, 1, W, H))
  return got == right or "a new grid is answered by " .. got .. " instead of " .. right
end

-- One injection; nothing where the scenario made fewer calls, else true or what is wrong.
local function inject(scenario, fault, seed, at, right, plain)
  local o = new_objects(seed, scenario)
  local has = { search = scenario.steps, flow = scenario.flows, field = scenario.avoids,
    world = scenario.of_world }
  if fault.needs and not has[fault.needs] then return nil end
  hook.calls, hook.at, hook.deed = 0, at, fault.deed
  local outcome = run(scenario, o)
  local has_fired = hook.at == 0
  hook.at = 0
  if not has_fired then return nil end
  if not expectation(fault, scenario)(outcome, right) then
    if outcome.ok then return "came to the answer " .. outcome.told end
    return "came to the error " .. tostring(outcome.problem)
  end
  if not fault.spoils then
    if fault.undo then fault.undo(o) end
    if fault.edits then o.search = nil end
    if not (fault.edits and scenario.steps) then
      local again = run(scenario, o)
      if not (again.ok and again.told == right) then
        return "asked again, " .. (again.ok and again.told or tostring(again.problem)) .. " instead of " .. right
      end
    end
  end
  return control(seed, plain)
end

local injections, passed, failed = 0, 0, 0
local by_fault = {}

local function try(scenario, seed)
  hook.calls, hook.at = 0, -1
  local o = new_objects(seed, scenario)
  hook.calls = 0
  local outcome = run(scenario, o)
  assert(outcome.ok, scenario[1] .. ": " .. tostring(outcome.problem))
  local right, plain, calls = outcome.told, tell(new_grid(seed):find_path(1, 1, W, H)), hook.calls
  local problems = 0
  for _, fault in ipairs(faults) do
    for at = 1, (ONLY_FAULT or fault[1]) == fault[1] and calls or 0 do
      local result = inject(scenario, fault, seed, at, right, plain)
      if result ~= nil then
        injections = injections + 1
        by_fault[fault[1]] = (by_fault[fault[1]] or 0) + 1
        if result ~= true then
          problems = problems + 1
          if problems <= 3 then
            print(("%s, seed %d: %s at call %d of %d: %s"):format(scenario[1], seed, fault[1], at, calls, result))
          end
        end
      end
    end
  end
  return problems, calls
end

for _, scenario in ipairs(scenarios) do
  if (ONLY or scenario[1]) == scenario[1] then
    local problems, calls = 0, 0
    for seed = 1, SEEDS do
      local p, c = try(scenario, seed)
      problems, calls = problems + p, calls + c
    end
    if calls == 0 then print(scenario[1] .. ": no function was asked") end
    if problems > 0 or calls == 0 then failed = failed + 1 else passed = passed + 1 end
  end
end
for _, fault in ipairs(faults) do print(("%-28s %6d"):format(fault[1], by_fault[fault[1]] or 0)) end
print(injections .. " injections")
print(("%d passed, %d failed, 0 skipped"):format(passed, failed))
os.exit(failed == 0 and passed > 0 and 0 or 1)
