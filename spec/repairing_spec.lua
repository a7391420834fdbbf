-- path:repairing: in steps of any size, against path:repair where nothing is edited in between, else
-- against the rules and the map as it is at the end, or, where edits come too often for that, as it was
-- once since asking.

local astar = require "astar"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 400)

local TERRAIN = { ["."] = 1, [","] = 2.5, ["#"] = false }

local function new_world(r)
  local width, height, rows = r:int(1, 30), r:int(1, 20), {}
  for y = 1, height do
    local row = {}
    for x = 1, width do
      local throw = r:int(1, 10)
      row[x] = throw <= 2 and "#" or throw <= 4 and "," or "."
    end
    rows[y] = table.concat(row)
  end
  local world = oracle.world(rows, { terrain = TERRAIN })
  if r:chance(0.3) then layers.add_links(r, world) end
  if r:chance(0.2) then layers.add_walls(r, world) end
  return world, width, height
end

local function new_rules(r)
  local rules = { diagonals = r:pick(check.RULES), partial = r:chance(0.2) }
  if r:chance(0.3) then rules.costs = { [","] = 1 } end
  if r:chance(0.2) then
    rules.step_cost = function(x, _, nx, _, cost) return nx >= x and cost or cost * 2 end
  end
  return rules
end

local function edit(r, world, grid, x, y)
  local cell, key = oracle.cell(world, x, y), r:pick { ".", ",", "#" }
  world.blocks[cell] = r:chance(0.3) or nil
  world.keys[cell] = key
  grid:set(x, y, key)
  if world.blocks[cell] then grid:block(x, y) else grid:unblock(x, y) end
end

-- Runs the body with a path on a map that was edited since; what went wrong is told with the seed.
local function for_cases(body)
  for seed = 1, CASES do
    local r = random.new(seed)
    local world, width, height = new_world(r)
    local case = { world = world, width = width, height = height, grid = maps.grid(world), rules = new_rules(r) }
    case.finder = case.grid:finder(case.rules)
    case.gx, case.gy = r:int(1, width), r:int(1, height)
    case.path = case.finder:find_path(r:int(1, width), r:int(1, height), case.gx, case.gy)
    if case.path then
      for _ = 1, r:int(0, 4) do
        local x, y = r:int(1, width), r:int(1, height)
        if r:chance(0.6) then x, y = case.path:cell(r:int(1, #case.path)) end
        edit(r, world, case.grid, x, y)
      end
      case.options = { from = r:int(1, #case.path), optimal = r:chance(0.2) }
      local ok, problem = pcall(body, case, r)
      if not ok then error(("seed %d: %s\n%s"):format(seed, tostring(problem), maps.describe(world)), 0) end
    end
  end
end

local function step_to_end(search, r, between)
  local steps = 0
  while search:step(r:chance(0.2) and { ms = 0 } or r:pick { 1, 1, 3, 20 }) == "running" do
    assert.is_nil((search:path()))
    if between then between() end
    steps = steps + 1
    assert(steps < 50000, "does not end")
  end
  return steps
end

local function drawn(path) return path and table.concat(path:cells_flat(), " ") end

describe("path:repairing", function()
  it("returns the result of path:repair, whatever the budget of each step", function()
    local steps = 0
    for_cases(function(case, r)
      local repaired, reason = case.path:repair(case.options)
      local job = case.path:repairing(case.options)
      assert.equal("running", job.status)
      steps = steps + step_to_end(job, r)
      local path, status = job:path()
      assert.equal(drawn(repaired), drawn(path))
      assert.equal(repaired and "found" or reason, job.status)
      assert.equal(reason, status)
      assert.equal(repaired and repaired.cost, path and path.cost)
      assert.equal(repaired and repaired.partial, path and path.partial)
    end)
    assert.is_true(steps > CASES / 5, steps)
  end)

  local function expect_repaired(case, job)
    local x, y = case.path:cell(case.options.from)
    local distances, entry = oracle.distances(case.world, case.rules, x, y)
    local best, reason = case.grid:finder(case.rules):find_path(x, y, case.gx, case.gy)
    local path, why = job:path()
    assert.equal(reason, why)
    if not best then return end
    local of = case.is_kept and check.route or check.path -- the latter asks the map as it is, too
    of(path, { world = case.world, rules = case.rules, entry = entry, sx = x, sy = y,
      gx = not path.partial and case.gx or nil, gy = case.gy })
    assert.is_true(path.cost >= distances[oracle.cell(case.world, path:cell(#path))] - 1e-9)
    assert.equal(best.partial, path.partial)
    if case.options.optimal then assert.is_true(check.near(best.cost, path.cost)) end
  end

  local function copy_of(list)
    local copy = {}
    for key, value in pairs(list) do copy[key] = value end
    return copy
  end

  -- The case on the map as it is, which is edited no more.
  local function kept(case)
    local world = copy_of(case.world)
    world.blocks, world.keys = copy_of(world.blocks), copy_of(world.keys)
    local copy = copy_of(case)
    copy.world, copy.grid, copy.is_kept = world, case.grid:clone(), true
    return copy
  end

  it("returns a result for the present map or for an earlier version of it if edits come between steps", function()
    local counts = {}
    for_cases(function(case, r)
      local often, job, before = r:pick { 0.1, 0.5, 1 }, case.path:repairing(case.options), {}
      local is_beside = r:chance(0.5)
      step_to_end(job, r, function()
        if not r:chance(often) then return end
        before[#before + 1] = kept(case)
        local x, y = r:int(1, case.width), r:int(1, case.height)
        if is_beside then x, y = case.path:cell(math.min(#case.path, case.options.from + r:int(0, 2))) end
        edit(r, case.world, case.grid, x, y)
      end)
      counts[job.status] = (counts[job.status] or 0) + 1
      local is_right, problem = pcall(expect_repaired, case, job)
      for i = #before, 1, -1 do
        if is_right then break end
        is_right = pcall(expect_repaired, before[i], job)
      end
      assert.is_true(is_right, problem)
    end)
    assert.is_nil(counts["grid changed"])
    assert.is_true(counts.found > CASES / 3, counts.found)
  end)

  it("ends although every step is followed by an edit", function()
    local grid = astar.grid(300, 300)
    local path = grid:find_path(1, 1, 300, 300)
    grid:block(150, 1, 1, 299)
    local r, job = random.new(1), path:repairing()
    while job:step(40) == "running" do
      grid:block(r:int(1, 300), r:int(1, 299))
    end
    assert.equal("found", job.status)
    assert.is_true(job:path():is_valid())
  end)

  it("ends although an edit that matters follows every step", function()
    local grid = astar.grid(90, 90)
    local path = grid:find_path(1, 1, 90, 90, { algorithm = "astar" })
    grid:block(30, 1, 1, 88)
    local job, steps, costs = path:repairing { optimal = true }, 0, {}
    repeat
      steps = steps + 1
      if steps % 2 == 0 then grid:block(2, 1, 1, 30) else grid:unblock(2, 1, 1, 30) end
      costs[grid:find_path(1, 1, 90, 90).cost] = true
    until job:step(20) ~= "running"
    assert.equal("found", job.status)
    assert.is_true(costs[job:path().cost])
    assert.is_true(steps > 20 and steps < 1000, steps)
  end)

  it("builds the data that it needs about the map within its steps", function()
    local grid = astar.grid(2500, 2500)
    local path = grid:find_path(1, 1, 2500, 2500)
    grid:block(2000, 1, 100, 2499)
    local steps, job = 0, path:repairing()
    while job:step(500) == "running" do steps = steps + 1 end
    assert.is_true(steps > 5, steps)
    local reference = path:repair()
    assert.equal(drawn(reference), drawn(job:path()))
  end)

  it("can be run by a queue, whose ticket returns the path", function()
    local grid, queue = astar.grid(40, 40), astar.queue()
    local path = grid:find_path(1, 1, 40, 40)
    grid:block(20, 1, 1, 39)
    local ticket = queue:add(path:repairing())
    while queue:update { ms = 1 } > 0 do end
    assert.equal(drawn(path:repair()), drawn(ticket:path()))
  end)

  it("works after the old path was collected, and its result stays usable after it was closed", function()
    local grid = astar.grid(40, 40)
    local job
    do
      local path = grid:find_path(1, 1, 40, 40)
      grid:block(20, 1, 1, 39)
      job = path:repairing()
    end
    collectgarbage()
    collectgarbage()
    while job:step(7) == "running" do end
    local path = job:path()
    job:close()
    collectgarbage()
    assert.same({ 40, 40 }, { path:cell(#path) })
    assert.is_true(path:is_valid())
  end)

  it("continues after a callback raised an error", function()
    local fails = false
    local grid = astar.grid(20, 20)
    local finder = grid:finder { cost = function(x, _, _, cost)
      if fails and x == 15 then error "no" end
      return cost
    end }
    local path = finder:find_path(1, 1, 20, 20)
    grid:block(10, 10)
    fails = true
    local job = path:repairing()
    assert.has_error(function() while job:step(3) == "running" do end end)
    assert.equal("running", job.status)
    fails = false
    while job:step(3) == "running" do end
    assert.is_true(job:path():is_valid())
  end)

  it("respects max_cost of the path", function()
    local grid = astar.grid(10, 3)
    local finder = grid:finder { max_cost = 12 }
    local path = finder:find_path(1, 2, 10, 2)
    grid:fill(4, 1, 1, 3, "#")
    grid:set(4, 3, ".")
    local job = path:repairing()
    while job:step() == "running" do end
    assert.is_true(job:path().cost <= 12)
  end)

  it("refuses unknown options", function()
    local path = astar.grid(9, 9):find_path(1, 1, 9, 9)
    assert.has_error(function() path:repairing { form = 2 } end, 'unknown option "form" (did you mean "from"?)')
    assert.has_error(function() path:repairing { from = 99 } end, "from must be an integer from 1 to 9, got 99")
    assert.has_error(function() path:repairing({}, 2) end, "repairing takes 1 argument, got 2 as argument 2")
  end)
end)
