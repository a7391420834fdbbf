-- finder:measuring and finder:touring: matrices and tours in steps, against finder:matrix and finder:tour.

local astar = require "astar"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 600)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

-- A random finder and a function that draws a cell.
local function draw_finder(r)
  local width, height = r:int(4, 40), r:int(4, 30)
  local kind = r:int(1, 4)
  local rows = r:map(width, height)
  for y = 1, height do rows[y] = table.concat(rows[y]) end
  local options = { terrain = { ["."] = 1, ["#"] = false, ["~"] = 3 } }
  if kind == 1 then options.shape = "hex" end
  if kind == 2 then options.wrap = "x" end
  local grid = astar.grid(rows, options)
  local function draw() return { r:int(1, width), r:int(1, height) } end
  for _ = 1, r:int(0, 30) do
    local cell, other = draw(), draw()
    if r:chance(0.5) then grid:set(cell[1], cell[2], "~")
    elseif kind > 2 and r:chance(0.5) then grid:wall(cell[1], cell[2], "east", true)
    elseif cell[1] ~= other[1] then grid:link(cell[1], cell[2], other[1], other[2], { one_way = true, cost = 2 })
    end
  end
  local more = r:int(1, 8)
  local finder = grid:finder {
    size = kind > 2 and r:chance(0.2) and 2 or nil, max_cost = r:chance(0.2) and 15 or nil,
    range = more == 1 and 1 or nil, weight = more == 2 and 2 or nil, partial = more == 3 or nil,
    cost = more == 4 and kind ~= 2 and function(x, _, _, cost) return cost + x % 2 end or nil,
  }
  return finder, draw, grid
end

local function draw_places(draw, count)
  local places = {}
  for i = 1, count do places[i] = draw() end
  return places
end

local function run(r, job)
  local steps = 0
  while job:step { expansions = r:int(1, 60) } == "running" do
    steps = steps + 1
    assert.is_true(steps < 1e6)
  end
  return steps
end

describe("finder:measuring", function()
  it("returns the costs that finder:matrix returns", function()
    local most_steps = 0
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local finder, draw = draw_finder(r)
      local places = draw_places(draw, r:int(0, 6))
      local others = r:chance(0.5) and draw_places(draw, r:int(0, 4)) or nil
      local expected, job = finder:matrix(places, others), finder:measuring(places, others)
      assert.equal("running", job.status)
      assert.is_nil(job.result)
      most_steps = math.max(most_steps, run(r, job))
      assert.equal("done", job.status)
      assert.equal(#expected, #job.result, "seed " .. seed)
      for i, row in ipairs(expected) do
        assert.equal(#row, #job.result[i])
        for j, cost in ipairs(row) do
          local got = job.result[i][j]
          assert.is_true(got == cost or math.abs(got - cost) < 1e-9 * cost, ("seed %d: %s, %s"):format(seed, got, cost))
        end
      end
    end
    assert.is_true(most_steps > 20)
  end)

  it("ends on a map that is edited meanwhile, and returns the costs of the last map if edits stop", function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local finder, draw, grid = draw_finder(r)
      local job, edits = finder:measuring(draw_places(draw, 4)), 0
      while job:step { expansions = 10 } == "running" do
        local cell = draw()
        if edits < 30 then grid:block(cell[1], cell[2]) end
        edits = edits + 1
      end
      assert.equal(4, #job.result)
    end
  end)

  it("can be run by a queue, with a budget in milliseconds too", function()
    local finder = astar.grid(60, 60):finder()
    local places = { { 1, 1 }, { 60, 60 }, { 1, 60 }, { 30, 2 } }
    local queue, done = astar.queue(), nil
    local ticket = queue:add(finder:measuring(places), { done = function(job) done = job.result end })
    while queue:update { ms = 0.01 } > 0 do end -- luacheck: ignore 542
    assert.equal("done", ticket.status)
    assert.same(finder:matrix(places), done)
  end)

  it("measures distances between nodes of graphs", function()
    local graph = astar.graph()
    for _, name in ipairs { "a", "b", "c" } do graph:node(name) end
    graph:edge("a", "b", { cost = 2 })
    graph:edge("b", "c", { cost = 3 })
    local finder = graph:finder()
    local job = finder:measuring { "a", "c" }
    while job:step() == "running" do end -- luacheck: ignore 542
    assert.same(finder:matrix { "a", "c" }, job.result)
    job = finder:touring({ "c", "b" }, { from = "a" })
    while job:step() == "running" do end -- luacheck: ignore 542
    assert.same({ order = { 2, 1 }, cost = 5, exact = true, bound = 5 }, job.result)
  end)
end)

describe("finder:touring", function()
  it("returns the order of places that finder:tour returns", function()
    local unreachable = 0
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local finder, draw = draw_finder(r)
      local places = draw_places(draw, seed % 40 == 0 and 14 or r:int(0, 5))
      local options = { from = r:chance(0.5) and draw() or nil, back = r:pick { true, false } }
      if r:chance(0.2) then options.back = draw() end
      local order, cost, exact, bound = finder:tour(places, options)
      local job = finder:touring(places, options)
      run(r, job)
      if order then
        assert.equal("done", job.status)
        assert.same({ order, exact }, { job.result.order, job.result.exact }, "seed " .. seed)
        assert.is_true(math.abs(job.result.cost - cost) <= 1e-9 * cost)
        assert.is_true(math.abs(job.result.bound - bound) <= 1e-6 * bound)
      else
        unreachable = unreachable + 1
        assert.equal("unreachable", job.status)
        assert.is_nil(job.result)
      end
    end
    assert.is_true(unreachable > MAPS / 20 and unreachable < MAPS * 0.95, unreachable)
  end)

  it("divides the search for a good order of many places into steps", function()
    local r = random.new(3)
    local finder = astar.grid(60, 60):finder()
    local places = {}
    for i = 1, 30 do places[i] = { r:int(1, 60), r:int(1, 60) } end
    local job = finder:touring(places)
    local steps = 0
    while job:step { expansions = 500 } == "running" do steps = steps + 1 end
    assert.is_true(steps > 100, steps)
    assert.same({ finder:tour(places) }, { job.result.order, job.result.cost, job.result.exact, job.result.bound })
  end)
end)

describe("a job of places", function()
  local finder = astar.grid(9, 9):finder()

  it("rejects wrong arguments and budgets", function()
    local function error_of(f, ...) return (select(2, pcall(f, ...)):gsub("^[^:]*:%d+: ", "")) end
    assert.equal("places must be a list of places, got nil", error_of(finder.measuring, finder))
    assert.equal("places[1]: sx must be an integer from 1 to 9, got 10",
      error_of(finder.measuring, finder, { { 10, 1 } }))
    assert.equal("options must be a table, got 3", error_of(finder.touring, finder, {}, 3))
    assert.matches("^unknown option \"form\"", error_of(finder.touring, finder, {}, { form = { 1, 1 } }))
    local job = finder:measuring { { 1, 1 }, { 9, 9 } }
    assert.equal("n must be an integer from 1 to 9007199254740992, got 0", error_of(job.step, job, 0))
    assert.equal("step needs a budget: ms or expansions", error_of(job.step, job, {}))
    assert.equal("ms must be a number from 0 to 1000000000, got -1", error_of(job.step, job, { ms = -1 }))
    job:step()
    job:close()
    job:close()
    assert.equal("job is closed", error_of(job.step, job))
    assert.matches("has no field", error_of(function() return job.rows end))
  end)

  it("passes on the error of a cost function, and continues with the next step", function()
    local failing, calls = true, 0
    local finder_of = astar.grid(9, 9):finder { cost = function()
      calls = calls + 1
      if failing and calls % 7 == 0 then error "no cost" end
      return 1
    end }
    local job, errors = finder_of:measuring { { 1, 1 }, { 9, 9 }, { 5, 1 } }, 0
    repeat
      local ok, status = pcall(job.step, job, 10)
      if not ok then
        assert.matches("no cost", status)
        errors = errors + 1
        if errors == 20 then failing = false end
      end
    until ok and status == "done"
    assert.equal(20, errors)
    assert.same(finder_of:matrix { { 1, 1 }, { 9, 9 }, { 5, 1 } }, job.result)
  end)

  it("must not be stepped by a cost function that it calls", function()
    local job
    local careless = astar.grid(9, 9):finder { cost = function() return job:step() end }
    job = careless:measuring { { 1, 1 }, { 9, 9 } }
    local ok, problem = pcall(function() while job:step(10) == "running" do end end) -- luacheck: ignore 542
    assert.is_false(ok)
    assert.matches("job was stepped by its own callback", problem)
  end)
end)
