-- `range`: how near a unit comes to a goal, counted from the nearest cell that it covers, by every call that takes one.
--
-- ASTAR_MAPS=10000 runs more maps, ASTAR_SEED=7 others, as for differential_spec.lua.

local astar = require "astar"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 250)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local TERRAIN = { terrain = { ["."] = 1, ["#"] = false, s = 3, r = 0.5 } }

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

local function copy(options, more)
  local made = {}
  for name, value in pairs(options) do made[name] = value end
  for name, value in pairs(more or {}) do made[name] = value end
  return made
end

describe("a unit of size 3", function()
  -- A corridor three cells high: the unit's north-west cell can only be in its first row.
  local corridor = astar.grid((("#"):rep(21) .. "\n") .. (("."):rep(21) .. "\n"):rep(3) .. ("#"):rep(21))

  it("stops as near to the goal from the west as from the east", function()
    local finder = corridor:finder { size = 3 }
    for _, call in ipairs {
      function(x) return finder:find_path(x, 2, 11, 3, { range = 1 }) end,
      function(x) return (finder:find_nearest(x, 2, { { 11, 3 } }, { range = 1 })) end,
      function(x) return finder:flow(11, 3, { range = 1 }):path(x, 2) end,
      function(x) return corridor:finder({ size = 3, range = 1 }):flow({ { 11, 3 } }):path(x, 2) end,
      function(x)
        local search = finder:search(x, 2, 11, 3, { range = 1 })
        while search:step() == "running" do end
        return search:path()
      end,
    } do
      local from_west, from_east = call(1), call(19)
      assert.same({ 8, 2 }, { from_west:cell(#from_west) }) -- covers 8 to 10
      assert.same({ 12, 2 }, { from_east:cell(#from_east) }) -- covers 12 to 14
      assert.equal(7, from_west.cost)
      assert.equal(7, from_east.cost)
    end
    local ranged = corridor:finder { size = 3, range = 1 }
    assert.is_true(ranged:reachable(1, 2, 11, 3))
    assert.is_true(ranged:reachable(19, 2, 11, 3))
  end)

  it("ends with its north-west cell on the goal if it has no range, with partial too", function()
    local finder = corridor:finder { size = 3 }
    local path, reason = finder:find_path(1, 2, 11, 3)
    assert.is_nil(path)
    assert.equal("goal blocked", reason)
    path = finder:find_path(1, 2, 11, 3, { partial = true })
    assert.same({ 11, 2 }, { path:cell(#path) })
    path = finder:find_path(1, 2, 11, 2)
    assert.same({ 11, 2 }, { path:cell(#path) })
  end)

  it("stops as near to the goal as possible from all sides if an obstacle is in the way", function()
    local grid = astar.grid(31, 31)
    grid:block(13, 13, 7, 7)
    grid:unblock(16, 16)
    local finder = grid:finder { size = 3 }
    for side = 0, 8 do
      local x0, y0 = 1 + 14 * (side % 3), 1 + 14 * math.floor(side / 3)
      if side == 4 then x0 = 2 end -- not on the blocks
      local path = finder:find_path(x0, y0, 16, 16, { range = 1, partial = true })
      local x, y = path:cell(#path)
      assert.equal(4, oracle.away({ size = 3 }, 1, x, y, 16, 16))
      assert.is_true(path.partial)
    end
  end)

  it("has a walker that keeps its path for a goal within range, and gets a new path for another goal", function()
    local path = corridor:finder({ size = 3 }):find_path(1, 2, 11, 3, { range = 1 })
    local walker = astar.walker(path)
    assert.is_true(rawequal(path, walker:retarget(11, 3)))
    local led = walker:retarget(8, 2) -- where that path ends
    assert.same({ 5, 2 }, { led:cell(#led) })
  end)

  it("passes the distance beyond the range to a heuristic function", function()
    local grid, least = astar.grid(21, 21), {}
    local finder = grid:finder { size = 3, heuristic = function(dx, dy)
      least[dx] = true
      return math.max(dx, dy)
    end }
    local path = finder:find_path(1, 10, 15, 11, { range = 2 })
    assert.same({ 11, 10 }, { path:cell(#path) }) -- covers 11 to 13
    assert.is_true(least[0] and least[9] and not least[14])
  end)
end)

-- ---- every call against the oracle ----

local function random_world(r)
  local world = oracle.world(r:map(r:int(1, 20), r:int(1, 16)), TERRAIN)
  if r:chance(0.4) then
    local rows = {}
    for y = 1, world.height do
      rows[y] = {}
      for x = 1, world.width do rows[y][x] = world.keys[(y - 1) * world.width + x] end
    end
    r:sow(rows, { "s", "r" })
    world = oracle.world(rows, TERRAIN)
  end
  if r:chance(0.2) then layers.add_links(r, world) end
  if r:chance(0.2) then layers.add_walls(r, world) end
  return world
end

local function random_case(r)
  local case = { world = random_world(r), goals = {} }
  case.rules = { diagonals = r:pick(check.RULES), size = r:body(1, 4) }
  if r:chance(0.3) then case.rules.diagonal_cost = r:pick { 1, 1.25, 2 } end
  case.range = r:int(0, 4)
  case.grid = maps.grid(case.world)
  local world = case.world
  for _ = 1, 30 do
    case.sx, case.sy = r:int(1, world.width), r:int(1, world.height)
    if oracle.can_stand(world, case.rules, case.sx, case.sy) then break end
  end
  for i = 1, r:pick { 1, 2, 3, 8, 16, 40 } do case.goals[i] = { r:int(1, world.width), r:int(1, world.height) } end
  return case
end

-- The least cost to come near enough to a goal, of the goals that cost the least the first by row and column, and its
-- number; nil where no way leads to any.
local function best_of(case, goals)
  local best, index
  for i, goal in ipairs(goals) do
    local cost = oracle.within(case.world, case.rules, case.distances, goal[1], goal[2], case.range)
    local other = goals[index]
    local is_lower = other and (goal[2] < other[2] or goal[2] == other[2] and goal[1] < other[1])
    if cost and (not best or cost < best - 1e-9 or cost < best + 1e-9 and is_lower) then best, index = cost, i end
  end
  return best, index
end

local function expect_end(case, path, goal, what)
  local x, y = path:cell(#path)
  expect(oracle.away(case.rules, case.range, x, y, goal[1], goal[2]) <= case.range, "%s ends too far away", what)
end

local function expect_path(path, reason, best, what)
  if not best then
    return expect(not path and reason ~= nil, "%s: a path, though no way leads there", what)
  end
  expect(path, "%s: %s, expected a cost of %g", what, tostring(reason), best or 0)
  check.equal_cost(best, path.cost, what)
end

local function stepped(r, search)
  while search:step(r:pick { 1, 3, 20, 1000 }) == "running" do end
  return search:path()
end

local function check_to_one(r, case)
  local goal, rules, question = case.goals[1], case.rules, { range = case.range }
  local best = best_of(case, { goal })
  for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
    local finder = case.grid:finder(copy(rules, { algorithm = algorithm }))
    local path, reason = finder:find_path(case.sx, case.sy, goal[1], goal[2], question)
    expect_path(path, reason, best, algorithm)
    if path then expect_end(case, path, goal, algorithm) end
    path, reason = stepped(r, finder:search(case.sx, case.sy, goal[1], goal[2], question))
    expect_path(path, reason, best, "search by " .. algorithm)
    if path then expect_end(case, path, goal, "search by " .. algorithm) end
  end
  local ranged = case.grid:finder(copy(rules, question))
  expect(ranged:reachable(case.sx, case.sy, goal[1], goal[2]) == (best ~= nil), "reachable")
  local finder = case.grid:finder(rules)
  local near = finder:find_path(case.sx, case.sy, goal[1], goal[2], { range = case.range, partial = true })
  local distance, cost = oracle.nearest(case.world, rules, case.distances, goal[1], goal[2], case.range)
  check.equal_cost(best or cost, near.cost, "partial")
  expect(near.partial == not best, "partial is %s", tostring(near.partial))
  if not best then
    local x, y = near:cell(#near)
    x, y = oracle.counts_from(rules, case.range, x, y, goal[1], goal[2])
    check.equal_cost(distance, oracle.ground_distance(rules, x, y, goal[1], goal[2]), "how near a partial path leads")
  end
end

local function check_to_any(r, case)
  local best, index = best_of(case, case.goals)
  local finder, question = case.grid:finder(case.rules), { range = case.range }
  for _, what in ipairs { "find_nearest", "finding_nearest" } do
    local path, its
    if what == "find_nearest" then
      path, its = finder:find_nearest(case.sx, case.sy, case.goals, question)
    else
      path, its = stepped(r, finder:finding_nearest(case.sx, case.sy, case.goals, question))
    end
    expect_path(path, its, best, what)
    expect(not path or its == index, "%s: goal %s, expected %s", what, tostring(its), tostring(index))
    if path then expect_end(case, path, case.goals[index], what) end
  end
  local flow = finder:flow(case.goals, question)
  local by_finder = case.grid:finder(copy(case.rules, question)):flow(case.goals)
  local distance, reason = flow:distance(case.sx, case.sy)
  local same, its_reason = by_finder:distance(case.sx, case.sy)
  expect(distance == same and reason == its_reason, "a flow's range is not as its finder's")
  -- Where the unit stands on blocks of its own a flow takes them for others'.
  if not case.entry[oracle.cell(case.world, case.sx, case.sy)] then return end
  expect((distance ~= nil) == (best ~= nil), "a flow: %s", tostring(reason))
  if distance then check.equal_cost(best, distance, "a flow") end
end

-- An edit in the middle of a search: what it finds is what a search begun after it finds.
local function check_edited(r, case)
  local goal, finder = case.goals[1], case.grid:finder(case.rules)
  local function ask(kind)
    if kind == 1 then
      return finder:search(case.sx, case.sy, goal[1], goal[2], { range = case.range, partial = case.is_partial })
    end
    return finder:finding_nearest(case.sx, case.sy, case.goals, { range = case.range, partial = case.is_partial })
  end
  case.is_partial = r:chance(0.3)
  for kind = 1, 2 do
    local search, edits = ask(kind), r:int(1, 2)
    while search:step(r:pick { 1, 2, 5, 30 }) == "running" do
      if edits > 0 and r:chance(0.4) then
        edits = edits - 1
        local x, y = r:int(1, case.world.width), r:int(1, case.world.height)
        if r:chance(0.5) then case.grid:block(x, y) else case.grid:unblock(x, y) end
      end
    end
    local path, reason = search:path()
    local expected, its = stepped(r, ask(kind))
    expect((path and path.cost) == (expected and expected.cost) and reason == its, "edited: %s %s, then %s %s",
      tostring(path and path.cost), tostring(reason), tostring(expected and expected.cost), tostring(its))
  end
end

-- Queues, with workers and without, paths led to another goal or made good again, walkers, and blocks that are
-- supposed: each finds what find_path does.
local has_threads, pool = pcall(astar.workers, 2)

local function check_others(r, case)
  local goal, other, question = case.goals[1], case.goals[2] or case.goals[1], { range = case.range }
  local finder = case.grid:finder(case.rules)
  local function expect_same(path, reason, to, what)
    local right, why = finder:find_path(case.sx, case.sy, to[1], to[2], question)
    local is_same = path and right and check.near(path.cost, right.cost) or not path and not right and reason == why
    expect(is_same, "%s: %s %s, expected %s %s", what, tostring(path and path.cost), tostring(reason),
      tostring(right and right.cost), tostring(why))
    if path then expect_end(case, path, to, what) end
  end
  for _, options in ipairs { {}, has_threads and { workers = pool, delay = 1 } or {} } do
    local queue, path, reason, is_done = astar.queue(options), nil, nil, false
    queue:request(finder, case.sx, case.sy, goal[1], goal[2], question, function(found, why)
      path, reason, is_done = found, why, true
    end)
    repeat queue:update { expansions = 1000 } until is_done
    expect_same(path, reason, goal, options.workers and "a queue with workers" or "a queue")
  end
  local x, y = r:int(1, case.world.width), r:int(1, case.world.height)
  local w, h = r:int(1, math.min(4, case.world.width - x + 1)), r:int(1, math.min(4, case.world.height - y + 1))
  local supposed, why = finder:find_path(case.sx, case.sy, goal[1], goal[2],
    { range = case.range, suppose_blocked = { { x, y, w, h } } })
  local path = finder:find_path(case.sx, case.sy, goal[1], goal[2], question)
  if path then
    local led, reason = path:retarget(other[1], other[2], { bound = 1 })
    expect_same(led, reason, other, "retarget")
    local walker = astar.walker(path)
    led, reason = walker:retarget(other[1], other[2], { bound = 1 })
    expect_same(led, reason, other, "walker:retarget")
  end
  case.grid:block(x, y, w, h, "supposed")
  expect_same(supposed, why, goal, "suppose_blocked")
  if path then
    local mended, reason = path:repair { optimal = true }
    expect_same(mended, reason, goal, "repair")
  end
end

local function on_maps(body)
  for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
    local r = random.new(seed)
    local case = random_case(r)
    if oracle.can_stand(case.world, case.rules, case.sx, case.sy) then
      case.distances, case.entry = oracle.distances(case.world, case.rules, case.sx, case.sy)
      local ok, problem = pcall(body, r, case)
      if not ok then
        local goals = {}
        for i, goal in ipairs(case.goals) do goals[i] = ("(%d, %d)"):format(goal[1], goal[2]) end
        error(("seed %d, size %d, %s, from (%d, %d) within %d of %s: %s\n%s"):format(seed, case.rules.size,
          case.rules.diagonals, case.sx, case.sy, case.range, table.concat(goals, " "), tostring(problem),
          maps.describe(case.world)), 0)
      end
    end
  end
end

describe("on random maps a range", function()
  it("gives in find_path, search, reachable and partial the results of a plain implementation", function()
    on_maps(check_to_one)
  end)
  it("gives in find_nearest, finding_nearest and flows the results of a plain implementation", function()
    on_maps(check_to_any)
  end)
  it("is respected by searches in steps on a map that is edited", function() on_maps(check_edited) end)
  it("is respected by queues, workers, walkers, repairs and suppose_blocked", function()
    on_maps(check_others)
    if has_threads then pool:close() end
  end)
end)
