-- Searches made step by step: the same answers as in one go, whatever happens in between.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of
local unpack = table.unpack or unpack -- luacheck: ignore 143

local WALL = [[
  .....#....
  .###.#.##.
  ...#.#.G#.
  .S.#....#.
  ...######.
]]

-- Steps a search to its end, n expansions at a time; how it ended.
local function run(search, n)
  local status
  repeat status = search:step(n) until status ~= "running"
  return status
end

local function same_path(expected, got)
  assert.same(expected:cells_flat(), got:cells_flat())
  assert.equal(expected.cost, got.cost)
  assert.equal(expected.expanded, got.expanded)
  assert.equal(expected.algorithm, got.algorithm)
  assert.equal(expected.partial, got.partial)
end

-- The answer of a search must be that of find_path.
local function same_answer(finder, search, question)
  local path, reason = finder:find_path(unpack(question))
  if path then
    assert.equal("found", search.status)
    same_path(path, search:path())
  else
    assert.equal(reason, search.status)
    assert.same({ nil, reason }, { search:path() })
  end
end

local function in_case(what, body, ...)
  local ok, problem = pcall(body, ...)
  if not ok then error(what .. ": " .. tostring(problem), 0) end
end

describe("a search in steps", function()
  -- Many nodes move, and are found anew, a little at a time.
  it("finds the result of find_path on a map of 700 x 700 cells, with its cells read between steps", function()
    local r = random.new(11)
    local grid = astar.grid(r:scatter(700, 700, 0.25), { terrain = { ["."] = 1, ["#"] = false, m = 3 } })
    for _ = 1, 3000 do grid:fill(r:int(1, 690), r:int(1, 690), 3, 3, "m") end
    for _, corner in ipairs { 1, 699 } do grid:fill(corner, corner, 2, 2, ".") end
    for _, options in ipairs { { algorithm = "jpsw" }, { bends = "fewest" } } do
      local finder = grid:finder(options)
      local search, steps = finder:search(1, 1, 700, 700), 0
      while search:step(300) == "running" do
        steps = steps + 1
        if steps % 40 == 0 then
          local next_cell = search:cells()
          assert.equal(1, (next_cell()))
        end
      end
      same_answer(finder, search, { 1, 1, 700, 700 })
      assert.is_true(search.expanded > 30000)
    end
  end)

  local function random_query(r, grid)
    local width, height = grid:size()
    return { r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height) }
  end

  local function random_world(r)
    local width, height = r:int(1, 24), r:int(1, 18)
    local rows = r:map(width, height)
    local terrain = { ["."] = 1, ["#"] = false, s = 3 }
    if r:chance(0.5) then r:sow(rows, { "s" }) end
    return maps.grid(oracle.world(rows, { terrain = terrain })), rows
  end

  local function random_options(r)
    local options = { diagonals = r:pick(check.RULES) }
    if r:chance(0.3) then options.partial = true end
    if r:chance(0.2) then options.range = r:int(1, 3) end
    if r:chance(0.2) then options.weight = 1.5 end
    if r:chance(0.2) then options.max_cost = r:int(0, 30) end
    if r:chance(0.2) then options.max_expansions = r:int(1, 30) end
    if r:chance(0.3) then
      options.cost = function(x, y, _, cost) return (x * 7 + y) % 11 > 0 and cost + y % 3 end
    end
    if r:chance(0.2) then
      options.step_cost = function(x, _, nx, _, cost) return nx >= x and cost or cost + 1 end
    end
    if r:chance(0.2) then
      options.heuristic = function(dx, dy) return math.max(dx, dy) end
    end
    return options
  end

  it("returns the result of find_path for every step size, by every algorithm", function()
    local algorithms = {}
    for seed = 1, 400 do
      local r = random.new(seed)
      local grid = random_world(r)
      local options = random_options(r)
      for _, algorithm in ipairs(check.ALGORITHMS) do
        options.algorithm = algorithm
        local ok, finder = pcall(grid.finder, grid, options)
        local question = random_query(r, grid)
        if ok and pcall(finder.find_path, finder, unpack(question)) then
          in_case("seed " .. seed .. ", " .. algorithm, function()
            for _, n in ipairs { 1, 2, 7, 100 } do
              local search = finder:search(unpack(question))
              assert.equal(run(search, n), search.status)
              same_answer(finder, search, question)
              algorithms[search.algorithm or "none"] = true
            end
            local search = finder:search(unpack(question))
            while search:step { ms = 0 } == "running" do end
            same_answer(finder, search, question)
          end)
        end
      end
    end
    assert.same({ astar = true, dijkstra = true, jps = true, jpsw = true, none = true },
      algorithms)
  end)

  it("makes at most n expansions per step, and one expansion by default", function()
    for _, algorithm in ipairs { "astar", "dijkstra", "jps", "jpsw" } do
      local search = astar.grid(30, 30):finder { algorithm = algorithm }:search(1, 1, 30, 29)
      assert.equal(0, search.expanded)
      search:step()
      assert.equal(1, search.expanded)
      if search.status == "running" then
        search:step(3)
        assert.is_true(search.expanded <= 4)
      end
    end
  end)

  it("makes at most as many expansions as the option expansions allows", function()
    local search = astar.grid(90, 90):finder { algorithm = "dijkstra" }:search(1, 1, 90, 90)
    search:step { expansions = 10 }
    assert.equal(10, search.expanded)
    search:step { expansions = 5, ms = 1e9 }
    assert.equal(15, search.expanded)
  end)

  it("runs until the given time is over", function()
    local search = astar.grid(300, 300):finder { algorithm = "dijkstra" }:search(1, 1, 300, 300)
    for _ = 1, 3 do assert.equal("running", search:step { ms = 0 }) end
    assert.is_true(search.expanded < 300 * 300)
    assert.equal("found", search:step { ms = 1e9 })
  end)

  it("builds what it needs of a large map within its steps, and counts that work as expansions", function()
    local grid = astar.grid(1000, 1000)
    grid:fill(500, 1, 1, 999, "#")
    grid:fill(1, 700, 400, 1, "#")
    for _, rule in ipairs(check.RULES) do
      local finder = grid:finder { diagonals = rule }
      local search = finder:search(1, 1, 1000, 1)
      assert.equal("running", search.status)
      assert.is_nil(search.algorithm)
      assert.is_nil(search:cells()())
      local steps = 0
      while search.expanded == 0 do
        search:step(100)
        steps = steps + 1
        if steps == 2 then grid:block(900, 900) end
      end
      assert.is_true(steps > 3)
      assert.equal("found", run(search, 100))
      same_answer(finder, search, { 1, 1, 1000, 1 })
      grid:unblock(900, 900)
    end
  end)

  it("reports a blocked start or goal before its first step, on any map", function()
    local grid = astar.grid(2000, 2000)
    grid:set(7, 7, "#")
    local finder = grid:finder()
    assert.equal("start blocked", finder:search(7, 7, 1, 1).status)
    assert.equal("goal blocked", finder:search(1, 1, 7, 7).status)
  end)

  it("returns the same result for each step after its end", function()
    local grid, at = maps.read(WALL)
    local search = grid:finder():search(at.S.x, at.S.y, at.G.x, at.G.y)
    assert.equal("found", run(search, 1))
    local path = search:path()
    assert.equal("found", search:step(5))
    assert.equal("found", search:step { ms = 60000 })
    assert.equal(path, search:path())
  end)

  it("returns no path while the search runs", function()
    local search = astar.grid(9, 9):finder():search(1, 1, 9, 8)
    assert.same({ nil, "running" }, { search:path() })
    assert.equal("running", search.status)
  end)

  it("ends at the first step if the result needs no search", function()
    local grid = astar.grid ".#.#."
    grid:set(5, 1, "#")
    local finder = grid:finder()
    for _, row in ipairs { { 2, 1, "start blocked" }, { 5, 1, "goal blocked" }, { 3, 1, "unreachable" } } do
      local search = finder:search(row[1] == 2 and 2 or 1, 1, row[1] == 2 and 1 or row[1], 1)
      assert.equal(row[3], search.status)
      assert.equal(row[3], search:step(1))
      assert.same({ nil, row[3] }, { search:path() })
      assert.is_nil(search.algorithm)
      assert.is_nil(search:cells()())
    end
  end)

  it("finds a path of one cell if the start is the goal", function()
    for _, algorithm in ipairs(check.ALGORITHMS) do
      local search = astar.grid(4, 4):finder { algorithm = algorithm }:search(2, 3, 2, 3)
      assert.equal("found", search:step(1))
      assert.same({ 2, 3 }, search:path():cells_flat())
    end
  end)

  it("uses the coordinates of the searched grid", function()
    local grid = astar.grid(5, 5, { origin = { -10, 100 } })
    local search = grid:finder():search(-10, 100, -6, 103)
    assert.equal("found", search:step(1000))
    assert.same({ -10, 100 }, { search:path():cell(1) })
    local x, y = search:cells()()
    assert.same({ -10, 100 }, { x, y })
  end)

  it("can run beside any number of other searches", function()
    local r = random.new(3)
    local grid = maps.grid(oracle.world(r:caves(60, 40)))
    local open = {}
    local finder = grid:finder { algorithm = "astar" }
    local questions, searches = {}, {}
    while #open < 2 do
      local x, y = r:int(1, 60), r:int(1, 40)
      if grid:is_walkable(x, y) then open[#open + 1] = { x, y } end
    end
    for i = 1, 12 do
      questions[i] = i % 2 == 0 and { open[1][1], open[1][2], r:int(1, 60), r:int(1, 40) }
        or { r:int(1, 60), r:int(1, 40), open[2][1], open[2][2] }
      searches[i] = finder:search(unpack(questions[i]))
    end
    local running
    repeat
      running = false
      for _, search in ipairs(searches) do
        running = search:step(3) == "running" or running
        finder:find_path(1, 1, 60, 40)
      end
    until not running
    for i, search in ipairs(searches) do same_answer(finder, search, questions[i]) end
  end)
end)

describe("an edit of the grid between two steps", function()
  -- Begins a search and steps it, then edits; what the next step makes of it.
  local function edited(options, edit, steps, question, before)
    local grid = astar.grid(60, 40, { terrain = { ["."] = 1, ["#"] = false, s = 3 }, fill = "." })
    options.avoid = options.avoid and astar.field(60, 40)
    if before then before(options.avoid) end
    local finder = grid:finder(options)
    question = question or { 20, 20, 40, 20 }
    local search = finder:search(unpack(question))
    assert.equal("running", search:step(steps or 1))
    edit(grid, options.avoid)
    local ok, status = pcall(search.step, search, 1)
    if ok then assert.equal(status, search.status) end
    return search, finder, question
  end

  -- Algorithms by name may not honour what was edited: the search then fails as the question does.
  local function begins_anew(...)
    local search, finder, asked = edited(...)
    assert.equal(1, search.restarts)
    assert.is_true(search.expanded <= 1)
    for _, _, state, g, h, f in search:cells() do -- no more than the start and those next to it
      assert.is_true(state == "open" or g == 0)
      assert.equal(f, g + h)
    end
    local ok, problem = pcall(run, search, 1)
    if ok then return same_answer(finder, search, asked) end
    local _, directly = pcall(finder.find_path, finder, unpack(asked))
    local _, again = pcall(search.step, search)
    for _, each in ipairs { problem, directly, again } do
      assert.is_truthy(each:find(search.status:match " cannot honour .*", 1, true))
    end
  end

  local function goes_on(...)
    local search, finder, asked = edited(...)
    assert.equal(0, search.restarts)
    run(search, 1)
    same_answer(finder, search, asked)
  end

  it("restarts a search that has read the edited cell", function()
    for _, algorithm in ipairs(check.ALGORITHMS) do
      for _, edit in ipairs {
        function(grid) grid:set(21, 20, "#") end, function(grid) grid:block(20, 21) end,
        function(grid) grid:fill(1, 1, 60, 40, "s") end,
      } do
        begins_anew({ algorithm = algorithm }, edit)
      end
    end
  end)

  -- On open ground A* runs without the weight, because that takes less time.
  it("restarts a search with the weight of the query, if the goal is blocked", function()
    for _, options in ipairs { { heuristic = "euclidean" }, { diagonals = "never" } } do
      for _, weight in ipairs { 1.2, 1.5, 3 } do
        local grid = astar.grid(24, 24, { fill = ".", terrain = { ["."] = 1, ["~"] = 3 } })
        local finder = grid:finder { weight = weight, partial = true, heuristic = options.heuristic,
          diagonals = options.diagonals }
        local search = finder:search(20, 20, 3, 3)
        assert.equal("running", search:step(1))
        grid:set(10, 10, "~")
        grid:block(3, 3)
        assert.equal("found", run(search, 7))
        assert.equal(1, search.restarts)
        local path, fresh = search:path(), finder:find_path(20, 20, 3, 3)
        assert.same({ fresh.cost, fresh.expanded, fresh:cells_flat() }, { path.cost, path.expanded, path:cells_flat() })
      end
    end
  end)

  it("restarts a search if something changes for the whole map", function()
    for _, algorithm in ipairs(check.ALGORITHMS) do
      for _, edit in ipairs {
        function(grid) grid:terrain(".", 2) end, -- the scale of the estimate
        function(grid) grid:link(1, 1, 60, 40) end,
        function(grid) grid:wall(60, 40, "north") end,
        function(grid) grid:block(39, 19, 3, 3) end, -- no way there any more
        function(grid) grid:block(40, 20) end,
      } do
        begins_anew({ algorithm = algorithm }, edit)
      end
    end
  end)

  it("does not affect a search that has not come near the edited cell", function()
    local function edit(grid)
      grid:block(59, 39)
      grid:set(1, 39, "#")
      grid:fill(55, 1, 3, 2, "#")
    end
    for _, algorithm in ipairs(check.ALGORITHMS) do
      for _, rule in ipairs(check.RULES) do
        goes_on({ algorithm = algorithm, diagonals = rule }, edit)
        goes_on({ algorithm = algorithm, diagonals = rule, size = 3 }, edit)
      end
    end
    goes_on({ partial = true }, edit)
    goes_on({ range = 2, weight = 2 }, edit)
  end)

  it("affects a search by jumps only if its bounds say that it may have seen the cell", function()
    -- A wall across most of the map: the best route leads round its southern end.
    local function detour(edit)
      local grid = astar.grid(60, 40)
      grid:block(30, 1, 1, 30)
      local finder = grid:finder { algorithm = "jps" }
      local search = finder:search(25, 5, 35, 5)
      search:step(1)
      edit(grid)
      assert.equal("found", run(search, 1))
      same_answer(finder, search, { 25, 5, 35, 5 })
      return search.restarts
    end
    assert.equal(0, detour(function(grid) grid:block(60, 40) end))
    assert.equal(1, detour(function(grid) grid:unblock(30, 20) end))
    assert.equal(1, detour(function(grid) grid:block(31, 32) end))
  end)

  it("affects a search if a large unit could have covered the cell", function()
    for _, algorithm in ipairs { "astar", "dijkstra" } do
      local options = { algorithm = algorithm, size = 4 }
      -- It reads the cells next to its own, and covers three more to the east and south of those.
      begins_anew(options, function(grid) grid:block(24, 24) end)
      goes_on(options, function(grid) grid:block(26, 26) end)
      begins_anew(options, function(grid) grid:block(18, 20) end, 3)
    end
  end)

  it("restarts a search if it is an edit of the field to avoid", function()
    goes_on({ avoid = true }, function(_, field) field:stamp(55, 5, 3, 9) end)
    goes_on({ avoid = true }, function(_, field)
      field:stamp(55, 5, 3, 9)
      field:add(2, 2, 1)
      field:set(1, 40, 4)
      field:fill(59, 39, 2, 2, 1)
      for _ = 1, 40 do field:decay(0.5) end
    end)
    begins_anew({ avoid = true }, function(_, field) field:stamp(24, 20, 3, 9) end)
    for _, factor in ipairs { 0, 0.5 } do -- it has faded there, too, where nothing is left
      local stamped
      begins_anew({ avoid = true }, function(_, field)
        field:decay(factor)
        stamped = field
      end, 1, nil, function(field) field:stamp(22, 21, 1, 9) end)
      assert.equal(factor * 9, stamped:get(22, 21))
    end
  end)

  it("restarts a search after hundreds of small edits", function()
    local function toggle(times)
      return function(grid)
        for i = 1, times do grid[i % 2 == 1 and "block" or "unblock"](grid, 60, 40) end
      end
    end
    goes_on({ algorithm = "astar" }, toggle(256))
    begins_anew({ algorithm = "astar" }, toggle(257))
  end)

  it("restarts a search that calls functions, which may read any cell", function()
    for _, name in ipairs { "cost", "step_cost", "heuristic" } do
      begins_anew({ [name] = function(...)
        return name == "heuristic" and 0 or select(name == "cost" and 4 or 5, ...)
      end }, function(grid) grid:block(60, 40) end)
    end
  end)

  it("affects only searches near the ends of a link, if it is an edit of the link", function()
    local function linked(x, y)
      local grid = astar.grid(60, 40)
      grid:link(50, 30, 10, 30)
      local finder = grid:finder()
      local search = finder:search(20, 20, 40, 20)
      search:step(1)
      grid:block(x, y)
      assert.equal("found", run(search, 1))
      same_answer(finder, search, { 20, 20, 40, 20 })
      return search.restarts
    end
    assert.equal(0, linked(60, 40))
    assert.equal(1, linked(50, 30))
    assert.equal(1, linked(10, 30))
  end)

  it("makes the search drop landmarks that are no longer valid", function()
    for seed = 1, 20 do
      local grid = astar.grid(random.new(seed):scatter(60, 40, 0.3))
      grid:block(1, 40)
      local finder = grid:finder { algorithm = "jps" }
      finder:bake { pivots = 4 }
      local question = { 40, 5, 60, 8 }
      local search = finder:search(unpack(question))
      search:step(1)
      grid:unblock(1, 40)
      grid:set(1, 40, ".")
      run(search, 1)
      same_answer(finder, search, question)
    end
  end)

  it("restarts a search that has found no route within max_cost", function()
    local grid = astar.grid(60, 40)
    grid:block(30, 1, 1, 39)
    local finder = grid:finder { algorithm = "jps", max_cost = 50 }
    local search = finder:search(25, 5, 35, 5)
    search:step(1)
    grid:unblock(30, 20) -- a way of 34
    assert.equal("found", search:step(1e6))
    assert.equal(1, search.restarts)
    same_answer(finder, search, { 25, 5, 35, 5 })
  end)

  it("restarts the search of a unit among its own blocks", function()
    local grid = astar.grid(60, 40)
    grid:block(20, 20, 2, 2)
    local finder = grid:finder { algorithm = "astar", size = 2 }
    local search = finder:search(20, 20, 40, 20)
    search:step(1)
    grid:block(60, 40)
    run(search, 1)
    assert.equal(1, search.restarts)
    same_answer(finder, search, { 20, 20, 40, 20 })
  end)

  it("restarts a search that has its path by grid steps and looks for an any-angle path", function()
    local grid = astar.grid(random.new(12):scatter(30, 20, 0.2))
    grid:set(2, 2, ".")
    grid:set(25, 15, ".")
    local by_steps = grid:finder { algorithm = "astar" }:find_path(2, 2, 25, 15).expanded
    local finder = grid:finder { any_angle = true, algorithm = "astar" }
    local function after(steps)
      local search = finder:search(2, 2, 25, 15)
      for _ = 1, steps do assert.equal("running", search:step(1)) end
      grid[steps % 2 == 0 and "block" or "unblock"](grid, 1, 20)
      run(search, 1)
      same_answer(finder, search, { 2, 2, 25, 15 })
      return search.restarts
    end
    assert.equal(0, after(2))
    assert.equal(1, after(by_steps - by_steps % 2 + 9))
  end)

  it("does not affect a path that was already found", function()
    local grid = astar.grid(20, 20)
    local search = grid:finder():search(1, 1, 20, 20)
    assert.equal("found", run(search, 1))
    local cost = grid:find_path(1, 1, 20, 20).cost
    grid:terrain(".", 7)
    assert.equal("found", search:step(1))
    assert.equal(cost, search:path().cost)
  end)
end)

describe("a search over a map that is edited after every step", function()
  local function random_options(r, field)
    local options = { diagonals = r:pick(check.RULES), algorithm = r:pick(check.ALGORITHMS) }
    if r:chance(0.3) then options.diagonal_cost = r:pick { 1, 1.25, 1.4, 1.9, 2 } end
    if r:chance(0.2) then options.weight = r:pick { 1.5, 3 } end
    if r:chance(0.2) then options.range = r:int(1, 4) end
    if r:chance(0.2) then options.partial = true end
    if r:chance(0.2) then options.max_cost = r:int(5, 60) end
    if r:chance(0.2) then options.max_expansions = r:int(5, 200) end
    if r:chance(0.2) then options.heuristic = r:pick(check.HEURISTICS) end
    if r:chance(0.1) then options.any_angle = true end
    if r:chance(0.2) then
      options.size = r:body(2, 3)
    end
    if r:chance(0.3) then
      options.avoid = field
    end
    return options
  end

  local function random_grid(r)
    local width, height = r:int(8, 60), r:int(8, 60)
    local rows = r:map(width, height)
    if r:chance(0.5) then r:sow(rows, { "s", "." }) end
    local grid = astar.grid(rows, { terrain = { ["."] = 1, ["#"] = false, s = 2.5 } })
    if r:chance(0.3) then
      pcall(grid.link, grid, r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height), { cost = 1 })
    end
    return grid
  end

  local EDITS = {
    function(r, grid, _, x, y) grid:set(x, y, r:pick { ".", "#", "s" }) end,
    function(_, grid, _, x, y) grid:block(x, y) end,
    function(_, grid, _, x, y) grid:unblock(x, y) end,
    function(r, grid, _, x, y) grid:fill(math.min(x, 3), y, r:int(1, 5), 1, r:pick { ".", "#" }) end,
    function(r, _, field, x, y) field:stamp(x, y, r:int(0, 3), r:int(-3, 9)) end,
    function(r, _, field) if r:chance(0.2) then field:decay(0.5) end end,
  }

  -- A cell, mostly one far from the start.
  local function random_cell(r, grid, question)
    local width, height = grid:size()
    local x, y
    for _ = 1, r:pick { 1, 20 } do
      x, y = r:int(1, width), r:int(1, height)
      if math.abs(x - question[1]) + math.abs(y - question[2]) > (width + height) / 2 then break end
    end
    return x, y
  end

  -- Steps a search between edits to its end; how many of those there were.
  local function run_between_edits(r, grid, field, search, question)
    local ok, status, edits = true, search.status, 0
    while status == "running" do
      ok, status = pcall(search.step, search, r:int(1, 4))
      if not ok then assert.is_truthy(status:find 'algorithm "jps" cannot honour ') end
      if status == "running" and r:chance(0.5) then
        local x, y = random_cell(r, grid, question)
        r:pick(EDITS)(r, grid, field, x, y)
        edits = edits + 1
      end
    end
    return ok and edits or 0
  end

  local function ask(r, grid, field, counts)
    local width, height = grid:size()
    local ok, finder = pcall(grid.finder, grid, random_options(r, field))
    if not ok then return end
    local question = { r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height) }
    local begun, search = pcall(finder.search, finder, unpack(question))
    if not begun then return end
    if run_between_edits(r, grid, field, search, question) > 0 and search.restarts <= 3 then -- else of a copy
      same_answer(finder, search, question)
      local name = search.algorithm or "none"
      counts[name] = (counts[name] or 0) + 1
    end
  end

  it("returns the same path as a search started after the last edit, unless it continued on a copy", function()
    local counts = {}
    for seed = 1, 1500 do
      local r = random.new(seed)
      local grid = random_grid(r)
      local field = astar.field(grid:size())
      in_case("seed " .. seed, function()
        for _ = 1, 3 do ask(r, grid, field, counts) end
      end)
    end
    for name, least in pairs { astar = 100, dijkstra = 10, jps = 5, jpsw = 2 } do
      assert.is_true((counts[name] or 0) >= least, name .. " " .. tostring(counts[name]))
    end
  end)
end)

describe("a callback that fails", function()
  -- Fails at every k-th call of the named function, is stepped on, and ends as if nothing had been.
  local function fails_at_every(k, name, algorithm, n)
    local grid, at = maps.read(WALL)
    local calls, fault = 0, {}
    local function answer(...)
      calls = calls + 1
      if calls % k == 0 then error(fault) end
      if name == "cost" then return 1 + select(1, ...) % 2 end
      if name == "step_cost" then return select(5, ...) end
      return math.max(...)
    end
    local finder = grid:finder { [name] = answer, algorithm = algorithm }
    local search = finder:search(at.S.x, at.S.y, at.G.x, at.G.y)
    local faults, status = 0, "running"
    while status == "running" do
      local ok, result = pcall(search.step, search, n)
      if ok then
        status = result
      else
        assert.equal(fault, result)
        faults = faults + 1
        assert(faults < 5000, "no end")
      end
    end
    k = math.huge
    local path = finder:find_path(at.S.x, at.S.y, at.G.x, at.G.y)
    same_path(path, search:path())
    return faults
  end

  for _, name in ipairs { "cost", "step_cost", "heuristic" } do
    it("leaves the search in its state before the step: " .. name, function()
      for _, algorithm in ipairs { "astar", "dijkstra" } do
        if check.honours(algorithm, { [name] = print }) then
          for _, k in ipairs { 9, 10, 17, 50 } do
            for _, n in ipairs { 1, 7, 1000 } do
              local faults = fails_at_every(k, name, algorithm, n)
              assert.is_true(faults > 0 or k > 17 or algorithm == "dijkstra")
            end
          end
        end
      end
    end)
  end

  it("may raise an error in the very first call, which passes the goal", function()
    local grid = astar.grid(5, 1)
    local fail = true
    local search = grid:finder { cost = function()
      if fail then error "not yet" end
      return 1
    end }:search(1, 1, 5, 1)
    assert.matches("not yet", select(2, pcall(search.step, search, 9)))
    assert.equal("running", search.status)
    fail = false
    assert.equal("found", search:step(9))
  end)

  it("may yield, which raises an error, and then the search can continue", function()
    local grid = astar.grid(6, 6)
    local waits = true
    local search = grid:finder { cost = function()
      if waits then coroutine.yield() end
      return 1
    end }:search(1, 1, 6, 6)
    local ok, message = coroutine.resume(coroutine.create(function() return search:step(5) end))
    assert.is_false(ok)
    assert.matches("attempt to yield", message)
    waits = false
    assert.equal("found", run(search, 2))
  end)

  it("may return an invalid value, after which the search can continue", function()
    local answer = -1
    local search = astar.grid(6, 6):finder { cost = function() return answer end }:search(1, 1, 6, 6)
    assert.equal("cost callback returned -1 for (6, 6); expected a number > 0, or false for no entry",
      error_of(function() search:step(5) end))
    answer = 1
    assert.equal("found", run(search, 2))
  end)
end)

describe("a callback of a search", function()
  local function with_callback(deed)
    local grid = astar.grid(12, 12)
    local search, finder
    local armed = true
    finder = grid:finder { cost = function(x)
      if x == 6 and armed then
        armed = false
        deed(search, grid, finder)
      end
      return 1
    end }
    search = finder:search(1, 1, 12, 12)
    return search, finder, grid
  end

  local BUSY = "search was stepped or closed by its own callback"

  it("cannot step the search", function()
    local search, finder = with_callback(function(search) search:step(1000) end)
    assert.equal(BUSY, error_of(function() run(search, 5) end))
    assert.equal("found", run(search, 5)) -- by the callback
    assert.equal(finder:find_path(1, 1, 12, 12).cost, search:path().cost)
  end)

  it("cannot step the search from another coroutine either", function()
    local search = with_callback(function(search)
      coroutine.wrap(function() search:step(1) end)()
    end)
    assert.equal(BUSY, error_of(function() run(search, 5) end))
    assert.equal("found", run(search, 5))
  end)

  it("cannot return to the search after closing it", function()
    for _, close in ipairs {
      function(search) search:close() end,
      function(search) debug.getmetatable(search).__gc(search) end,
    } do
      local search, finder = with_callback(function(search, grid)
        close(search)
        assert(grid:find_path(1, 1, 12, 12)) -- in the memory it gave back
        collectgarbage()
      end)
      assert.equal(BUSY, error_of(function() run(search, 5) end))
      assert.equal("search is closed", error_of(function() search:step(1) end))
      assert.is_truthy(finder:find_path(1, 1, 12, 12))
    end
  end)

  it("may read the search, make other queries and collect garbage", function()
    local seen = 0
    local search, finder = with_callback(function(search, grid, finder)
      for _ in search:cells() do seen = seen + 1 end
      collectgarbage()
      assert.equal("running", search.status)
      assert.same({ nil, "running" }, { search:path() })
      assert.is_truthy(grid:find_path(1, 1, 12, 12))
      assert.is_truthy(finder:find_path(12, 1, 1, 12))
      assert.equal("found", run(finder:search(1, 12, 12, 1), 3))
      collectgarbage()
    end)
    assert.equal("found", run(search, 5))
    assert.is_true(seen > 0)
    same_path(finder:find_path(1, 1, 12, 12), search:path())
  end)

  it("cannot edit the grid", function()
    local search, finder = with_callback(function(_, grid) grid:block(12, 1) end)
    assert.equal("grid was edited during the search: a callback may not edit the grid or the field to avoid; "
      .. "edit after the call", error_of(function() run(search, 5) end))
    assert.equal("grid changed", search:step(5))
    assert.is_truthy(finder:find_path(1, 1, 12, 12))
  end)

  it("may nest queries only to a limited depth", function()
    local finder
    finder = astar.grid(4, 4):finder { cost = function()
      finder:search(1, 1, 4, 4):step(1)
      return 1
    end }
    assert.matches("searches nested too deeply", error_of(function() finder:search(1, 1, 4, 4):step(1) end))
  end)
end)

describe("a search", function()
  it("may be stepped from other coroutines, after the coroutine that made the search has ended", function()
    local grid, at = maps.read(WALL)
    local search, finder
    coroutine.wrap(function()
      finder = grid:finder { cost = function() return 2 end }
      search = finder:search(at.S.x, at.S.y, at.G.x, at.G.y)
      search:step(1)
    end)()
    collectgarbage()
    local status
    repeat
      status = coroutine.wrap(function() return search:step(2) end)()
      collectgarbage()
    until status ~= "running"
    same_path(finder:find_path(at.S.x, at.S.y, at.G.x, at.G.y), search:path())
  end)

  it("keeps its grid and finder in memory", function()
    local search
    do
      search = astar.grid(20, 20):finder { cost = function() return 1 end }:search(1, 1, 20, 20)
    end
    collectgarbage()
    collectgarbage()
    assert.equal("found", run(search, 10))
    assert.equal(20, #search:path())
  end)

  it("frees its memory when closed, may be closed twice, and leaves its path usable", function()
    local grid = astar.grid(20, 20)
    local search = grid:finder():search(1, 1, 20, 20)
    run(search, 3)
    local path = search:path()
    search:close()
    search:close()
    assert.equal(20, #path)
    assert.equal("astar search (closed)", tostring(search))
    for _, use in ipairs {
      function() search:step(1) end, function() search:path() end,
      function() search:cells() end, function() local _ = search.status end,
      function() grid:draw(search) end,
    } do
      assert.equal("search is closed", error_of(use))
    end
  end)

  it("has a tostring text that shows its state", function()
    local search = astar.grid(20, 20):finder { algorithm = "astar" }:search(1, 1, 20, 20)
    assert.equal("astar search, running, 0 expanded", tostring(search))
    search:step(4)
    assert.equal(4, search.expanded)
    assert.equal("astar", search.algorithm)
    assert.has_error(function() return search.nonsense end, 'astar search has no field "nonsense"')
    assert.has_error(function() return search[1] end, "astar search has no field 1")
  end)
end)

describe("search:cells", function()
  -- Every cell told, by its place.
  local function read(search)
    local seen = {}
    for x, y, state, g, h, f, px, py in search:cells() do
      local key = x .. "," .. y
      assert.is_nil(seen[key])
      seen[key] = { x = x, y = y, state = state, g = g, h = h, f = f, px = px, py = py }
    end
    return seen
  end

  -- What is told must be so: parents lead back to the start, and g is what the way costs.
  local function check_cell(case, seen, cell, jumps)
    assert.is_true(math.abs(cell.g + cell.h - cell.f) < 1e-6)
    assert.is_true(cell.state == "open" or cell.state == "closed")
    if not cell.px then
      assert.same({ case.from.x, case.from.y, 0 }, { cell.x, cell.y, cell.g })
      return
    end
    local parent = seen[cell.px .. "," .. cell.py]
    assert.is_truthy(parent)
    assert.equal("closed", parent.state)
    local dx, dy = math.abs(cell.x - cell.px), math.abs(cell.y - cell.py)
    local slanted = math.min(dx, dy)
    local length = math.max(dx, dy) - slanted + slanted * math.sqrt(2)
    assert.is_true(jumps or math.max(dx, dy) == 1)
    assert.is_true(math.abs(parent.g + length - cell.g) < 1e-6)
    assert.is_true(cell.g >= case.distances[oracle.cell(case.world, cell.x, cell.y)] - 1e-6)
  end

  for _, algorithm in ipairs { "astar", "dijkstra", "jps", "jpsw" } do
    it("returns states, costs and parents of " .. algorithm, function()
      for seed = 1, 60 do
        local r = random.new(seed)
        local world = oracle.world(r:map(r:int(2, 16), r:int(2, 12)))
        local grid = maps.grid(world)
        local from = { x = r:int(1, world.width), y = r:int(1, world.height) }
        local to = { x = r:int(1, world.width), y = r:int(1, world.height) }
        local case = { world = world, from = from, distances = oracle.distances(world, {}, from.x, from.y) }
        local search = grid:finder { algorithm = algorithm }:search(from.x, from.y, to.x, to.y)
        in_case("seed " .. seed, function()
          repeat
            local status = search:step(2)
            local seen = read(search)
            local closed = 0
            for _, cell in pairs(seen) do
              check_cell(case, seen, cell, algorithm:find "^jps" ~= nil)
              if cell.state == "closed" then closed = closed + 1 end
            end
            assert.is_true(search.algorithm == nil or closed >= search.expanded)
            if status == "found" then
              local goal = seen[to.x .. "," .. to.y]
              assert.is_true(math.abs(goal.g - search:path().cost) < 1e-6)
            end
          until status ~= "running"
        end)
      end
    end)
  end

  -- The least cost of a way from the start that ends in one of the cells that the query accepts.
  local function least_cost(case, accepts)
    local least = math.huge
    for y = 1, case.world.height do
      for x = 1, case.world.width do
        local distance = case.distances[oracle.cell(case.world, x, y)]
        if distance and accepts(x, y) then least = math.min(least, distance) end
      end
    end
    return least
  end

  local function start_search(r, kind, grid, from, to, world)
    if kind == "range" then
      local range = r:int(1, 3)
      return grid:finder({ range = range }):search(from.x, from.y, to.x, to.y),
        function(x, y) return math.max(math.abs(x - to.x), math.abs(y - to.y)) <= range end
    end
    local goals, is_goal = {}, {}
    for i = 1, r:int(2, 6) do
      goals[i] = { r:int(1, world.width), r:int(1, world.height) }
      is_goal[goals[i][1] .. "," .. goals[i][2]] = true
    end
    return grid:finder():finding_nearest(from.x, from.y, goals),
      function(x, y) return is_goal[x .. "," .. y] end
  end

  for _, kind in ipairs { "range", "nearest" } do
    it("counts g from the end of the path in a jump point search that begins at the goals: " .. kind, function()
      local back = 0
      for seed = 1, 120 do
        local r = random.new(seed)
        local world = oracle.world(r:map(r:int(4, 16), r:int(4, 12)))
        local grid = maps.grid(world)
        local from = { x = r:int(1, world.width), y = r:int(1, world.height) }
        local to = { x = r:int(1, world.width), y = r:int(1, world.height) }
        local case = { world = world, distances = oracle.distances(world, {}, from.x, from.y) }
        local search, accepts = start_search(r, kind, grid, from, to, world)
        local least = least_cost(case, accepts)
        in_case("seed " .. seed, function()
          repeat
            local status = search:step(1)
            local seen = search.algorithm == "jps" and status == "running" and read(search) or {}
            local start = seen[from.x .. "," .. from.y]
            local begins_at_start = start and not start.px and not accepts(from.x, from.y)
            for _, cell in pairs(begins_at_start and {} or seen) do
              back = back + 1
              assert.is_true(cell.px ~= nil or accepts(cell.x, cell.y) and cell.g == 0)
              local distance = case.distances[oracle.cell(world, cell.x, cell.y)] or math.huge
              assert.is_true(distance + cell.g >= least * (1 - 1e-6))
            end
          until status ~= "running"
          local path, why = search:path()
          if path then
            assert.is_true(math.abs(path.cost - least) <= 1e-9 * least)
          elseif why ~= "start blocked" then
            assert.equal(math.huge, least)
          end
        end)
      end
      assert.is_true(back > 100)
    end)
  end

  it("calls a heuristic function, and applies the weight", function()
    local finder = astar.grid(9, 9):finder { weight = 2, heuristic = function(dx, dy) return dx + dy end }
    local search = finder:search(1, 1, 9, 9)
    search:step(3)
    local count = 0
    for x, y, _, g, h, f in search:cells() do
      assert.equal(18 - x - y, h)
      assert.equal(g + 2 * h, f)
      count = count + 1
    end
    assert.is_true(count > 3)
  end)

  it("passes on the error that the heuristic function raises", function()
    local fault
    local search = astar.grid(9, 9):finder { heuristic = function()
      if fault then error(fault) end
      return 0
    end }:search(1, 1, 9, 9)
    search:step(3)
    fault = {}
    local ok, problem = pcall(search:cells())
    assert.same({ false, fault }, { ok, problem })
    fault = nil
    assert.equal("found", run(search, 10))
  end)

  it("ends if the search is closed during the loop, and may be called after the end", function()
    local search = astar.grid(9, 9):finder { algorithm = "astar" }:search(1, 1, 9, 8)
    search:step(3)
    local iterate = search:cells()
    assert.is_truthy(iterate())
    search:close()
    assert.is_nil(iterate())
    assert.is_nil(iterate())
  end)
end)

describe("grid:draw of a search", function()
  it("shows the open and the closed cells during the search, then the route", function()
    local grid = astar.grid "..........\n..........\n.........."
    local search = grid:finder { algorithm = "astar" }:search(2, 2, 9, 2)
    search:step(1)
    assert.equal("+++.......\n+S+.....G.\n+++.......\n", grid:draw(search))
    search:step(1)
    -- A way to the cells north and south of the new one that ends straight is kept instead.
    assert.equal("+++.......\n+S-+....G.\n+++.......\n", grid:draw(search))
    run(search, 1)
    assert.matches("S%*%*%*%*%*%*G", grid:draw(search))
  end)

  it("accepts a legend of characters", function()
    local grid = astar.grid({ { "grass", "grass", "grass", "rock" } }, { terrain = { grass = 1, rock = false } })
    local search = grid:finder():search(1, 1, 3, 1)
    assert.equal("S,GR\n", grid:draw(search, { grass = ",", rock = "R" }))
  end)

  it("can draw a search on another grid", function()
    local search = astar.grid(9, 9):finder { algorithm = "astar" }:search(5, 5, 1, 1)
    search:step(30)
    assert.matches("G", astar.grid(3, 3):draw(search))
    assert.matches("S", astar.grid(30, 30):draw(search))
  end)
end)
