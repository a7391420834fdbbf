-- finder:finding_nearest: in steps of any size, with edits in between, against find_nearest of the map
-- as it is at the end, or, where edits come too often for that, as it was once since asking.

local astar = require "astar"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 500)
local TERRAIN = { terrain = { ["."] = 1, s = 2.5, ["#"] = false } }

local error_of = check.error_of

local function new_case(r)
  local width, height = r:int(1, 40), r:int(1, 30)
  local rows = r:map(width, height)
  if r:chance(0.5) then r:sow(rows, { "s" }) end
  local case = { world = oracle.world(rows, TERRAIN), goals = {}, width = width, height = height }
  if r:chance(0.2) then layers.add_links(r, case.world) end
  if r:chance(0.2) then layers.add_walls(r, case.world) end
  case.grid = maps.grid(case.world)
  case.sx, case.sy = r:int(1, width), r:int(1, height)
  for i = 1, r:pick { 0, 1, 2, 3, 7, 15, 16, 40, 120, 200 } do
    case.goals[i] = { r:int(1, width), r:int(1, height) }
  end
  case.options = { diagonals = r:pick(check.RULES), algorithm = r:pick { "auto", "astar", "dijkstra" } }
  case.question = { range = r:pick { 0, 0, 1, 4 }, partial = r:chance(0.3) or nil }
  if r:chance(0.1) then case.options.size = 2 end
  if r:chance(0.1) then case.question.max_cost = r:int(1, 40) end
  if r:chance(0.2) then
    case.options.cost = function(x, y, _, cost) return (x * 5 + y) % 9 > 0 and cost + y % 2 end
  end
  return case
end

-- Runs the body for random cases; what went wrong is told with the map.
local function for_cases(body)
  for seed = 1, CASES do
    local r = random.new(seed)
    local case = new_case(r)
    local ok, problem = pcall(body, case, r)
    if not ok then
      error(("seed %d, from (%d, %d): %s\n%s"):format(seed, case.sx, case.sy, tostring(problem),
        maps.describe(case.world)), 0)
    end
  end
end

local function cells_of(path) return path and table.concat(path:cells_flat(), " ") end

local function expect_as_asked_now(case, search, goals)
  local path, index = search:path()
  local finder = case.grid:finder(case.options)
  local expected, its_index = finder:find_nearest(case.sx, case.sy, goals, case.question)
  assert.equal(cells_of(expected), cells_of(path))
  assert.equal(its_index, index)
  if path then assert.equal(expected.cost, path.cost) end
  if path then assert.equal(expected.partial, path.partial) end
end

local function near(r, at, most) return math.max(1, math.min(most, at + r:int(-1, 1))) end

local function edit(r, case, is_beside)
  local grid, x, y = case.grid, r:int(1, case.width), r:int(1, case.height)
  if is_beside then x, y = near(r, case.sx, case.width), near(r, case.sy, case.height) end
  if r:chance(0.4) then
    grid:block(x, y)
  elseif r:chance(0.5) then
    grid:unblock(x, y)
  else
    grid:set(x, y, r:pick { ".", "s", "#" })
  end
end

local function step_to_end(search, r, between)
  local steps = 0
  local function budget()
    return r:chance(0.2) and { ms = 0 } or r:pick { 1, 1, 2, 9, 100 }
  end
  while search:step(budget()) == "running" do
    assert.is_nil((search:path()))
    if between then between(steps) end
    steps = steps + 1
    assert(steps < 50000, "does not end")
  end
end

describe("finder:finding_nearest", function()
  it("returns the result of find_nearest, whatever the budget of each step", function()
    local found, steps = 0, 0
    for_cases(function(case, r)
      local search = case.grid:finder(case.options):finding_nearest(case.sx, case.sy, case.goals, case.question)
      assert.equal("running", search.status)
      step_to_end(search, r, function() steps = steps + 1 end)
      expect_as_asked_now(case, search, case.goals)
      found = found + (search.status == "found" and 1 or 0)
    end)
    assert.is_true(found > CASES / 4 and steps > CASES)
  end)

  it("accepts a function that decides which cells are goals", function()
    for_cases(function(case, r)
      local modulus = r:int(1, 60)
      local function is_goal(x, y) return (x * 7 + y * 3) % modulus == 2 end
      local search = case.grid:finder(case.options):finding_nearest(case.sx, case.sy, is_goal, case.question)
      step_to_end(search, r)
      expect_as_asked_now(case, search, is_goal)
    end)
  end)

  -- Whether it ended with what the map answers, as it is or as one of some copies is.
  local function is_answer_of_one(case, search, goals, copies)
    local now = case.grid
    local is_one = false
    for i = #copies + 1, 1, -1 do
      case.grid = copies[i] or now
      is_one = is_one or pcall(expect_as_asked_now, case, search, goals)
    end
    case.grid = now
    return is_one
  end

  it("returns a result for the present map or for an earlier version of it if edits come between steps", function()
    local counts = {}
    for_cases(function(case, r)
      local finder, copies = case.grid:finder(case.options), {}
      local goals, modulus = case.goals, r:int(1, 60)
      if r:chance(0.2) then goals = function(x, y) return (x * 7 + y * 3) % modulus == 2 end end
      local search = finder:finding_nearest(case.sx, case.sy, goals, case.question)
      local often, is_beside = r:pick { 0.05, 0.3, 1 }, r:chance(0.5)
      step_to_end(search, r, function()
        if not r:chance(often) then return end
        copies[#copies + 1] = astar.load(case.grid:dump())
        edit(r, case, is_beside)
      end)
      counts[search.status] = (counts[search.status] or 0) + 1
      assert.is_true(is_answer_of_one(case, search, goals, copies), search.status)
    end)
    assert.is_nil(counts["grid changed"])
    assert.is_true(counts.found > CASES / 3, counts.found)
  end)

  -- Full of pillars, where searches by jumps are long, too.
  local function pillars()
    local grid = astar.grid(60, 60)
    for y = 1, 60, 3 do
      for x = 1, 60, 3 do grid:block(x, y) end
    end
    return grid
  end

  it("ends even if every step is followed by an edit that matters", function()
    local goals = { { 60, 60 }, { 2, 60 }, { 60, 1 } }
    local function is_goal(x, y) return x + y == 110 end
    for _, case in ipairs { { goals, "jps", 4 }, { goals, "astar", 20 }, { is_goal, "auto", 20 } } do
      local asked, grid, options = case[1], pillars(), { algorithm = case[2] }
      local search, costs, steps = grid:finder(options):finding_nearest(20, 20, asked), {}, 0
      repeat
        steps = steps + 1
        if steps % 2 == 0 then grid:block(21, 19, 1, 3) else grid:unblock(21, 19, 1, 3) end
        costs[grid:finder(options):find_nearest(20, 20, asked).cost] = true
      until search:step(case[3]) ~= "running"
      local path, index = search:path()
      assert.equal("found", search.status)
      assert.is_true(costs[path.cost])
      assert.is_true(steps > 10 and steps < 500, steps)
      if asked == goals then assert.same(goals[index], { path:cell(#path) }) else assert.is_nil(index) end
    end
  end)

  it("continues after edits that do not matter, and reports goals that open", function()
    for _, algorithm in ipairs { "astar", "jps" } do
      local grid = pillars()
      grid:block(30, 30)
      local goals = { { 50, 50 }, { 30, 30 }, { 5, 58 } }
      local search = grid:finder { algorithm = algorithm }:finding_nearest(20, 20, goals)
      search:step(3)
      for i = 1, 20 do
        grid:block(60, i)
        assert.equal("running", search:step(1))
      end
      assert.is_true(search.expanded > 15)
      grid:unblock(30, 30)
      while search:step(5) == "running" do end
      assert.same({ "found", 2 }, { search.status, select(2, search:path()) })
      assert.equal(algorithm, search:path().algorithm)
    end
  end)

  it("shows the cells of the jumps from the goals back to the start", function()
    local goals = { { 50, 50 }, { 30, 48 }, { 5, 57 } }
    local search = pillars():finder():finding_nearest(20, 20, goals)
    while search:step(5) == "running" do end
    local path, closed, from = search:path(), 0, {}
    for x, y, state, g, h, f, px in search:cells() do
      if state == "closed" then
        closed = closed + 1
        assert.is_true(f <= path.cost + 1e-3 and math.abs(g + h - f) < 1e-9)
      end
      if x == 20 and y == 20 then assert.is_true(math.abs(g - path.cost) < 1e-3 and h == 0) end
      if not px then from[#from + 1] = { x, y } end
    end
    assert.is_true(closed > 10)
    assert.same({ { 30, 48 }, { 50, 50 }, { 5, 57 } }, from)
  end)

  it("builds the data that it needs within its steps", function()
    local finder = astar.grid(3000, 2000):finder()
    local search = finder:finding_nearest(1, 1, { { 3000, 2000 }, { 3000, 1 }, { 2, 2000 } }, { range = 2 })
    local steps = 0
    while search:step(500) == "running" do steps = steps + 1 end
    assert.is_true(steps > 50, steps)
    assert.equal(3, select(2, search:path()))
  end)

  it("keeps a copy of the list of goals", function()
    local goals = { { 9, 9 }, { 9, 1 } }
    local search = astar.grid(9, 9):finder():finding_nearest(1, 1, goals)
    goals[1], goals[2] = nil, { 1, 2 }
    collectgarbage()
    while search:step() == "running" do end
    assert.same({ 9, 1 }, { search:path():cell(9) })
  end)

  it("can be run by a queue", function()
    local finder, queue, told = astar.grid(50, 50):finder(), astar.queue(), nil
    local ticket = queue:add(finder:finding_nearest(1, 1, { { 40, 40 }, { 1, 9 } }),
      { done = function(job) told = select(2, job:path()) end })
    while queue:update { ms = 1 } > 0 do end
    assert.equal(2, told)
    assert.equal("found", ticket.status)
    assert.equal(9, #ticket:path())
  end)

  it("passes on errors of functions, and can continue from the step that failed", function()
    local fault, fails = {}, true
    local search = astar.grid(9, 9):finder():finding_nearest(5, 5, function(x)
      if fails and x == 7 then error(fault) end
      return x == 9
    end)
    assert.same({ false, fault }, { pcall(search.step, search, 1000) })
    assert.equal("running", search.status)
    fails = false
    assert.equal("found", search:step(1000))
    assert.equal(5, #search:path())
  end)

  it("may not be stepped or closed by its own function", function()
    local search
    search = astar.grid(9, 9):finder():finding_nearest(5, 5, function() search:step(1) end)
    assert.matches("search was stepped or closed by its own callback", error_of(function() search:step(100) end))
    search = astar.grid(9, 9):finder():finding_nearest(5, 5, function() search:close() end)
    assert.matches("search was stepped or closed by its own callback", error_of(function() search:step(100) end))
  end)

  it('returns "goal blocked" if a callback blocks all goals', function()
    local grid = astar.grid(5, 5)
    local finder = grid:finder { cost = function(x, _, _, cost) return x < 4 and cost end }
    local search = finder:finding_nearest(1, 1, { { 4, 1 }, { 5, 5 } })
    while search:step(1) == "running" do end
    assert.equal("goal blocked", search.status)
  end)
end)
