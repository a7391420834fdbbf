-- Jobs: flow:completing() in slices of any size, with edits and questions in between, against a flow
-- worked out at once; finder:preparing; queue:add among requests.

local astar = require "astar"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 120)

local RULES = { "always", "never", "only_when_no_obstacles", "if_at_most_one_obstacle" }

local function new_grid(r)
  local width, height = r:pick { 3, 20, 70, 130 }, r:pick { 3, 17, 70 }
  local grid = astar.grid(width, height, { terrain = { ["."] = 1, s = r:pick { 1, 2.5 }, ["#"] = false }, fill = "." })
  for _ = 1, r:pick { 0, 5, width * height / 3 } do
    grid:set(r:int(1, width), r:int(1, height), r:pick { "#", "#", "s" })
  end
  return grid, width, height
end

local function new_finder(r, grid)
  local options = { diagonals = r:pick(RULES), diagonal_cost = r:pick { 1, 1.5, 2 } }
  if r:chance(0.2) then options.cost = function(_, _, _, cost) return cost end end
  return grid:finder(options)
end

local function edit(r, grid, width, height)
  local kind, x, y = r:int(1, 4), r:int(1, width), r:int(1, height)
  if kind == 1 then
    grid:block(x, y)
  elseif kind == 2 then
    grid:unblock(x, y)
  elseif kind == 3 then
    grid:fill(x, y, r:int(1, width - x + 1), r:int(1, height - y + 1), r:pick { ".", "s" })
  else
    grid:set(x, y, r:pick { "#", ".", "s" })
  end
end

local function expect_same(flow, other, width, height, seed)
  local next_cell, state, last = other:cells()
  for x, y, distance in flow:cells() do
    local ox, oy, same = next_cell(state, last)
    if ox ~= x or oy ~= y or same ~= distance then error("other distances, seed " .. seed) end
    last = ox
  end
  assert(not next_cell(state, last), "other distances, seed " .. seed)
  for y = 1, height do
    for x = 1, width, 7 do
      local nx, ny = flow:next(x, y)
      local ox, oy = other:next(x, y)
      assert(nx == ox and ny == oy, ("next of (%d, %d)"):format(x, y))
    end
  end
end

describe("finder:preparing", function()
  local function steps_of(job, budget)
    local count = 0
    repeat count = count + 1 until job:step(budget) ~= "running"
    return count
  end

  it("builds the data that a search needs, so that the search starts without delay", function()
    for _, rule in ipairs(RULES) do
      local grid = astar.grid(1500, 900)
      grid:fill(700, 1, 1, 899, "#")
      local finder = grid:finder { diagonals = rule }
      assert.is_nil(finder:search(1, 1, 1500, 1).algorithm)
      local job = finder:preparing()
      assert.equal("running", job.status)
      assert.is_true(steps_of(job, { expansions = 1000 }) > 10)
      assert.equal("done", job.status)
      assert.equal("done", job:step { ms = 60000 })
      assert.equal("jps", finder:search(1, 1, 1500, 1).algorithm)
      assert.equal("jps", grid:finder({ diagonals = rule }):search(1, 1, 1500, 1).algorithm)
    end
  end)

  it("takes edits of the grid between its steps into account", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local grid, width, height = new_grid(r)
      local finder = new_finder(r, grid)
      local job, edits = finder:preparing(), 0
      repeat
        if edits < 1000 then -- more than it can keep up with: on some large maps it comes to its end by chance alone
          edit(r, grid, width, height)
          edits = edits + 1
        end
      until job:step(r:int(1, 60)) == "done"
      local x, y = r:int(1, width), r:int(1, height)
      local path, reason = finder:find_path(x, y, width, height)
      local fresh, why = astar.load(grid:dump()):finder(finder:options()):find_path(x, y, width, height)
      assert.equal(why, reason)
      assert.same(fresh and fresh:cells_flat(), path and path:cells_flat())
    end
  end)

  -- A hall with niches in its southern wall.
  local function hall(options)
    local grid = astar.grid(200, 60)
    grid:fill(1, 41, 200, 20, "#")
    for x = 4, 190, 7 do
      grid:fill(x, 41, 3, 4, ".")
      if options.diagonals == "never" then
        grid:fill(x, 41, 1, 1, "#")
        grid:fill(x + 2, 41, 1, 1, "#")
      end
    end
    grid:fill(155, 6, 1, 35, "#")
    return grid, grid:finder(options)
  end

  it("finds dead ends only with the option settled, and keeps this data until an edit", function()
    for _, rule in ipairs(RULES) do
      local grid, finder = hall { diagonals = rule }
      local function ask() return finder:find_path(2, 39, 199, 39) end
      local all = ask()
      finder:preparing():step(1000000)
      for _ = 1, 50 do ask() end
      assert.equal(all.expanded, ask().expanded)
      local job = finder:preparing { settled = true }
      assert.is_true(steps_of(job, { expansions = 100 }) > 3)
      local settled = ask()
      assert.is_true(settled.expanded < all.expanded)
      assert.same(all:cells_flat(), settled:cells_flat())
      local fresh = astar.load(grid:dump()):finder(finder:options())
      assert.equal(all.expanded, fresh:find_path(2, 39, 199, 39).expanded)
      grid:block(100, 20)
      assert.is_true(ask().expanded >= all.expanded)
      assert.is_true(steps_of(finder:preparing { settled = true }, { expansions = 1 })
        < steps_of(select(2, hall { diagonals = rule }):preparing { settled = true }, { expansions = 1 }) / 4)
      assert.is_true(ask().expanded < all.expanded)
      assert.equal("done", job.status)
    end
    local _, finder = hall {}
    local all = finder:find_path(2, 39, 199, 39).expanded
    finder:bake { pivots = 0 }
    assert.is_true(finder:find_path(2, 39, 199, 39).expanded < all)
  end)

  it("does not search for dead ends if the finder does not use jump point search", function()
    local _, finder = hall { algorithm = "astar" }
    assert.equal("done", finder:preparing({ settled = true }):step(1000000))
  end)

  it("finds dead ends between edits, and routes cost as much as without this data", function()
    for seed = 1, 2 * CASES do
      local r = random.new(seed)
      local grid, width, height = new_grid(r)
      local finder = new_finder(r, grid)
      for _ = 1, 4 do
        local job = finder:preparing { settled = true }
        for _ = 1, r:int(1, 8) do job:step(r:int(1, 40)) end
        if r:chance(0.7) then steps_of(job, 1000) end
        local fresh = grid:clone():finder(finder:options())
        for _ = 1, 10 do
          local sx, sy, gx, gy = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
          local path, reason = finder:find_path(sx, sy, gx, gy)
          local other, why = fresh:find_path(sx, sy, gx, gy)
          assert.equal(why, reason, "seed " .. seed)
          assert.same(other and other:cells_flat(), path and path:cells_flat(), "seed " .. seed)
        end
        edit(r, grid, width, height)
      end
    end
  end)

  it("can be run by a queue", function()
    local finder, queue, done = astar.grid(600, 600):finder(), astar.queue(), nil
    queue:add(finder:preparing(), { done = function(job) done = job.status end })
    local updates = 0
    repeat updates = updates + 1 until queue:update { expansions = 1000 } == 0
    assert.equal("done", done)
    assert.is_true(updates > 3)
    assert.equal("jps", finder:search(1, 1, 600, 500).algorithm)
  end)

  it("raises an error if a search would raise an error", function()
    local grid = astar.grid(9, 9, { terrain = { ["."] = 1, s = 3 }, fill = "." })
    local job = grid:finder({ algorithm = "jps" }):preparing()
    grid:set(5, 5, "s")
    local ok, message = pcall(job.step, job)
    assert.is_false(ok)
    assert.truthy(tostring(message):find('algorithm "jps" cannot honour ground of several costs', 1, true))
    grid:set(5, 5, ".")
    assert.equal("done", job:step(1000))
  end)

  it("keeps its finder in memory, and can be closed", function()
    local job = astar.grid(400, 400):finder():preparing()
    job:step(1)
    collectgarbage()
    assert.equal("done", job:step(100000))
    job:close()
    assert.equal("astar job (closed)", tostring(job))
  end)
end)

describe("flow:completing", function()
  for _, flees in ipairs { false, true } do
    local and_flees = flees and ", and flees" or ""
    it("gives the result of flow:complete, whatever the budget of each step" .. and_flees, function()
      for seed = 1, CASES do
        local r = random.new(seed)
        local grid, width, height = new_grid(r)
        local finder = new_finder(r, grid)
        local goals = {}
        for i = 1, r:pick { 1, 1, 3 } do
          goals[i] = { r:int(1, width), r:int(1, height), r:pick { 0, 0, 4.5 } }
        end
        local flow = finder:flow(goals)
        if flees then flow = flow:flee() end
        local job, slices, edits = flow:completing(), 0, r:pick { 0, 0, 3 }
        repeat
          if r:chance(0.1) then flow:distance(r:int(1, width), r:int(1, height)) end
          if edits > 0 and r:chance(0.3) then
            edit(r, grid, width, height)
            edits = edits - 1
          end
          local status = job:step(r:pick { 1, 3, 50, 1000 })
          slices = slices + 1
          assert(status == job.status)
          assert(slices < 20 * width * height + 100, "seed " .. seed .. ": does not end")
        until status ~= "running"
        assert.equal("done", job.status)
        assert.equal(0, flow:complete())
        local other = finder:flow(goals)
        expect_same(flow, flees and other:flee() or other, width, height, seed)
      end
    end)
  end

  it("does no more work in a step than the budget allows", function()
    local flow = astar.grid(200, 200):finder():flow(100, 100)
    local job = flow:completing()
    for i = 1, 10 do
      assert.equal("running", job:step(100))
      assert.is_true(tonumber(tostring(flow):match "(%d+) expanded") <= i * 150)
    end
    assert.equal("running", job:step { ms = 0 })
    assert.equal("done", job:step { expansions = 1e6 })
  end)

  it("ends immediately if no work of the flow is left, and stays done", function()
    local grid = astar.grid(9, 9)
    local flow = grid:finder():flow(1, 1)
    flow:complete()
    local job = flow:completing()
    assert.equal("running", job.status)
    assert.equal("done", job:step())
    grid:block(5, 5)
    assert.equal("done", job:step())
    assert.equal("done", flow:completing():step(1000))
    assert.equal(0, flow:complete())
  end)

  it("continues after a callback raised an error", function()
    local fails = true
    local finder = astar.grid(9, 9):finder { cost = function(x, _, _, cost)
      if fails and x == 4 then error "no" end
      return cost
    end }
    local job = finder:flow(1, 1):completing()
    assert.has_error(function() while job:step(5) == "running" do end end)
    assert.equal("running", job.status)
    fails = false
    assert.equal("done", job:step(1000))
  end)

  it("raises an error for invalid budgets, and for any call after close", function()
    local job = astar.grid(9, 9):finder():flow(1, 1):completing()
    assert.has_error(function() job:step(0) end, "n must be an integer from 1 to 9007199254740992, got 0")
    assert.has_error(function() job:step {} end, "step needs a budget: ms or expansions")
    assert.equal("astar job, running", tostring(job))
    assert.has_error(function() return job.nothing end, 'astar job has no field "nothing"')
    job:close()
    job:close()
    assert.equal("astar job (closed)", tostring(job))
    assert.has_error(function() job:step() end, "job is closed")
    assert.has_error(function() return job.status end, "job is closed")
  end)
end)

describe("queue:add", function()
  local grid, finder, queue
  before_each(function()
    grid = astar.grid(40, 40)
    finder = grid:finder()
    queue = astar.queue()
  end)

  it("makes the queue run jobs among its requests, by priority, then in order", function()
    local order = {}
    local flow = finder:flow(20, 20)
    local ticket = queue:add(flow:completing(), { done = function(job) order[#order + 1] = job.status end })
    queue:request(finder, 1, 1, 40, 40, function() order[#order + 1] = "path" end)
    local search = finder:search(1, 1, 9, 30)
    local function note(job) order[#order + 1] = tostring(job == search) end
    local second = queue:add(search, { priority = 1, done = note })
    assert.equal("waiting", ticket.status)
    assert.equal(3, queue:count())
    while queue:update { expansions = 200 } > 0 do end
    assert.same({ "true", "done", "path" }, order)
    assert.equal("done", ticket.status)
    assert.same({ nil, "done" }, { ticket:path() })
    assert.equal(search:path(), second:path())
    assert.equal(0, flow:complete())
  end)

  it("leaves the status of a cancelled job unchanged", function()
    local job = finder:flow(20, 20):completing()
    local ticket = queue:add(job)
    queue:update { expansions = 10 }
    assert.equal("running", ticket.status)
    assert.is_true(ticket:cancel())
    assert.equal("cancelled", ticket.status)
    assert.equal(0, queue:count())
    assert.equal("done", job:step(10000))
  end)

  it("runs a search to its end although the grid is edited between its steps", function()
    local astar_finder = grid:finder { algorithm = "astar" }
    local ended
    local ticket = queue:add(astar_finder:search(1, 1, 40, 40), { done = function(job) ended = job.status end })
    queue:update { expansions = 20 }
    grid:block(2, 2)
    while queue:update { expansions = 50 } > 0 do end
    assert.equal("found", ended)
    assert.equal("found", ticket.status)
    assert.is_true(ticket:path():is_valid())
  end)

  it("continues with the other jobs when a job raises an error", function()
    local bad = queue:add(grid:finder { cost = function() error "no" end }:flow(3, 3):completing())
    local good = queue:add(finder:flow(3, 3):completing())
    assert.has_error(function() queue:update { ms = 60000 } end)
    assert.equal("failed", bad.status)
    while queue:update { ms = 5 } > 0 do end
    assert.equal("done", good.status)
  end)

  it("accepts any object that has step and status", function()
    local left, given = 3, {}
    local job = { status = "running" }
    function job:step(budget)
      given[#given + 1] = budget.expansions
      left = left - 1
      self.status = left > 0 and "running" or "done"
      return self.status
    end
    queue:add(job)
    assert.equal(1, queue:update { expansions = 7 })
    assert.equal(1, queue:update { expansions = 7 })
    assert.equal(0, queue:update { expansions = 7 })
    assert.same({ 7, 7, 7 }, given)
  end)

  it("refuses values that are not jobs, and unknown options", function()
    local job = finder:flow(3, 3):completing()
    local told = "job must be a search or a job such as flow:completing() returns, got "
    assert.has_error(function() queue:add(5) end, told .. "5")
    assert.has_error(function() queue:add(grid) end, told .. "astar grid")
    assert.has_error(function() queue:add() end, told .. "nil")
    assert.has_error(function() queue:add(job, 5) end, "options must be a table, got 5")
    assert.has_error(function() queue:add(job, { prio = 5 }) end, 'unknown option "prio" (did you mean "priority"?)')
    assert.has_error(function() queue:add(job, { priority = 0 / 0 }) end, "priority must be a finite number, got nan")
    assert.has_error(function() queue:add(job, { done = 1 }) end, "done must be a function, got 1")
    assert.has_error(function() queue:add(job, {}, 3) end, "add takes 2 arguments, got 3 as argument 3")
    assert.equal(0, queue:count())
  end)
end)
