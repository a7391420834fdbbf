-- What is asked in steps of a map that is edited between them. Searches that edits have begun anew three times are made
-- on a copy of the map as it is at one moment: whatever is edited, they end with the route of one of the versions there
-- were.

local astar = require "astar"
local check = require "spec.support.check"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = math.max(60, times("ASTAR_CASES", 250)) -- enough for what is rare among them

local TERRAIN = { ["."] = 1, ["#"] = false, s = 2.5, r = 0.5 }
local SIDES = { "north", "east", "south", "west" }

local function random_map(r)
  local width, height = r:int(3, 40), r:int(3, 40)
  local rows = r:map(width, height)
  if r:chance(0.5) then r:sow(rows, { "s", "r" }) end
  local grid = astar.grid(rows, { terrain = TERRAIN })
  return { grid = grid, field = astar.field(width, height), width = width, height = height }
end

local function random_options(r, field)
  local options = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { 1, 1.25, 1.5, 2 } }
  if r:chance(0.2) then options.range = r:int(1, 3) end
  if r:chance(0.2) then options.max_cost = r:int(5, 60) end
  if r:chance(0.2) then options.max_expansions = r:int(1, 200) end
  if r:chance(0.2) then options.partial = true end
  if r:chance(0.2) then options.bends = "fewest" end
  if r:chance(0.2) then options.costs = { s = r:pick { 1, 7, false } } end
  if r:chance(0.2) then options.ignore = { "units" } end
  if r:chance(0.2) then options.size = r:body(2, 2) end
  if r:chance(0.3) then options.avoid = field end
  if r:chance(0.15) then
    options.cost, options.min_cost = function(x, y, _, cost) return (x * 7 + y) % 11 > 0 and cost + y % 3 end, 0.5
  end
  return options
end

local EDITS = {
  function(r, map, x, y) map.grid:set(x, y, r:pick { ".", "#", "s", "r" }) end,
  function(r, map, x, y) map.grid:block(x, y, 1, 1, r:pick { "units", "doors" }) end,
  function(_, map, x, y) map.grid:block(x, y) end,
  function(r, map, x, y)
    map.grid:unblock(x, y, r:int(1, math.min(4, map.width - x + 1)), r:int(1, math.min(4, map.height - y + 1)))
  end,
  function(r, map, x, y) map.field:stamp(x, y, r:int(0, 3), r:int(-3, 9)) end,
  function(r, map) map.field:decay(r:pick { 0, 0.5, 0.9 }) end,
  function(r, map, x, y) map.grid:fill(x, y, r:int(1, map.width - x + 1), 1, r:pick { ".", "#", "r" }) end,
  function(r, map, x, y) map.grid:wall(x, y, r:pick(SIDES), r:chance(0.3)) end,
  function(r, map, x, y) map.grid:unwall(x, y, r:pick(SIDES)) end,
  function(r, map, x, y)
    pcall(map.grid.link, map.grid, x, y, r:int(1, map.width), r:int(1, map.height), { cost = r:pick { 0.25, 1, 9 } })
  end,
  function(r, map) map.grid:terrain(r:pick { "s", "r" }, r:pick { 0.5, 3, false }) end,
  function(r, map, x, y)
    map.kinds = (map.kinds or 0) + 1 -- a terrain that there was none of when the copy was begun
    if map.kinds > 200 then return end
    map.grid:terrain(map.kinds, r:pick { 1, 4, false })
    map.grid:set(x, y, map.kinds)
  end,
}

local function edit(r, map)
  for _ = 1, r:pick { 1, 1, 3, 300 } do r:pick(EDITS)(r, map, r:int(1, map.width), r:int(1, map.height)) end
end

local function copy_of_field(map)
  local copy = astar.field(map.width, map.height)
  for y = 1, map.height do
    for x = 1, map.width do copy:set(x, y, map.field:get(x, y)) end
  end
  return copy
end

local function tell(path, reason)
  if not path then return reason end
  return ("%.9g %s %s"):format(path.cost, tostring(path.partial), table.concat(path:cells_flat(), ","))
end

-- What the map of now answers, asked of a copy of it that nothing was asked of before.
local function answer_now(map, options, question)
  local own = {}
  for key, value in pairs(options) do own[key] = value end
  if own.avoid then own.avoid = copy_of_field(map) end
  return tell(astar.load(map.grid:dump()):find_path(question[1], question[2], question[3], question[4], own))
end

-- Makes a search to its end with edits between its steps, 'often' of them; what all maps there were in between answer.
-- An algorithm asked for by name may no longer be able to.
local function run(r, map, options, question, search, often)
  local answers = {}
  while search.status == "running" do
    answers[answer_now(map, options, question)] = true
    if search:step(r:int(1, 6)) == "running" and r:chance(often) then edit(r, map) end
  end
  return answers
end

-- Has edits that concern a search begin it anew until it is made on a copy.
local function put_on_copy(search, edit_anything)
  for i = 1, 4 do
    while not search.algorithm do assert.equal("running", search:step(1)) end
    edit_anything(i)
    assert.equal("running", search:step(1))
    assert.equal(i, search.restarts)
  end
end

local function fill_with(grid, ...)
  local keys = { ... }
  return function(i) grid:fill(1, 1, 20, 20, keys[i]) end
end

describe("a search over a map that is edited between its steps", function()
  it("ends with the route of one version of the map", function()
    local found, others, many, copied = 0, 0, 0, 0
    for seed = 1, CASES do
      local r = random.new(seed)
      local map = random_map(r)
      local options = random_options(r, map.field)
      local finder = map.grid:finder(options)
      local question = { r:int(1, map.width), r:int(1, map.height), r:int(1, map.width), r:int(1, map.height) }
      local search = finder:search(question[1], question[2], question[3], question[4])
      if search.status == "running" then
        local answers = run(r, map, options, question, search, r:pick { 0.3, 0.7, 1 })
        local told = tell(search:path())
        assert.is_true(answers[told], ("seed %d: %s"):format(seed, told))
        if search.status == "found" then found = found + 1 else others = others + 1 end
        many = many + (next(answers, next(answers)) and 1 or 0)
        copied = copied + (search.restarts > 3 and 1 or 0)
      end
    end
    assert.is_true(found > CASES / 5 and others >= CASES / 20 and many > CASES / 4 and copied > CASES / 20,
      table.concat({ found, others, many, copied }, " "))
  end)

  it("uses one published version of a map that another Lua state edits, and the field as it was then", function()
    local copied, many = 0, 0
    for seed = 1, math.max(200, CASES) do
      local r = random.new(seed)
      local map = random_map(r)
      map.grid:share("snapshot " .. seed)
      local view = astar.shared("snapshot " .. seed)
      local question = { r:int(1, map.width), r:int(1, map.height), r:int(1, map.width), r:int(1, map.height) }
      local options = { avoid = map.field, cost = function(_, _, _, cost) return cost end, min_cost = 0.5 }
      local search, answers = view:finder(options):search(question[1], question[2], question[3], question[4]), {}
      while search.status == "running" do
        edit(r, map)
        map.grid:publish()
        answers[answer_now(map, options, question)] = true
        search:step(2)
      end
      copied = copied + (search.restarts > 3 and 1 or 0)
      many = many + (next(answers, next(answers)) and 1 or 0)
      if next(answers) then
        local told = tell(search:path())
        assert.is_true(answers[told], ("seed %d: %s"):format(seed, told))
      end
      map.grid:unshare()
    end
    assert.is_true(copied > 3 and many > 10, copied .. " " .. many)
  end)

  it("frees its unfinished copy of the map when it is closed, and later edits work as before", function()
    local grid, field = astar.grid(50, 50), astar.field(50, 50)
    local search = grid:finder({ avoid = field }):search(1, 1, 50, 50)
    put_on_copy(search, function() field:stamp(1, 1, 3, 4) end)
    search:close()
    grid:block(1, 1)
    field:stamp(1, 1, 3, 4)
    assert.is_true(grid:is_blocked(1, 1))
  end)

  it("shows no cell that a restart has discarded, and then shows the cells of its route", function()
    local grid = astar.grid(20, 20)
    local search = grid:finder({ algorithm = "astar" }):search(1, 1, 20, 1)
    put_on_copy(search, function(i) grid[i % 2 == 1 and "block" or "unblock"](grid, 2, 2) end)
    assert.same({ nil, 0 }, { search.algorithm, search.expanded })
    assert.is_nil((search:cells()()))
    while not search.algorithm do search:step(1) end
    search:step(2)
    grid:fill(1, 1, 20, 20, "#")
    local x, y, state, g, h = search:cells()()
    assert.same({ 1, 1, "closed", 0, 19 }, { x, y, state, g, h })
    assert.equal("astar", search.algorithm)
    while search:step(1) == "running" do end -- luacheck: ignore
    assert.equal(19, search:path().cost)
    assert.equal("astar", search:path().algorithm)
  end)

  it("checks returned costs by the terrain costs of its own map version", function()
    for _, name in ipairs { "cost", "step_cost" } do
      local grid = astar.grid(20, 20, { terrain = { ["."] = 1, r = 0.5 }, fill = "r" })
      local finder = grid:finder { [name] = function(...) return (select(-1, ...)) end }
      local search = finder:search(1, 1, 20, 1)
      put_on_copy(search, fill_with(grid, ".", "r", ".", "r"))
      for _ = 1, 9 do search:step(1) end -- all is copied
      grid:fill(1, 1, 20, 20, ".")
      assert.equal(19, finder:find_path(1, 1, 20, 1).cost)
      while search:step(1) == "running" do end -- luacheck: ignore
      assert.equal(9.5, search:path().cost, name)
    end
  end)

  it("refuses callbacks that edit the map of the query", function()
    local edits = false
    local grid = astar.grid(20, 20)
    local search = grid:finder({ cost = function(x, y)
      if edits then grid:block(y, x) end
      return 1
    end }):search(1, 1, 20, 20)
    put_on_copy(search, function(i) grid[i % 2 == 1 and "block" or "unblock"](grid, 9, 9) end)
    edits = true
    assert.has_error(function() while search:step(1000) == "running" do end end)
    assert.equal("grid changed", search.status)
  end)
end)

describe("a search over cells and headings that continues after edits", function()
  it("leaves the nodes of an earlier search on a smaller grid alone", function()
    local small, large = astar.grid(3, 3), astar.grid(600, 600)
    local field = astar.field(600, 600)
    field:set(2, 2, 1)
    for _ = 1, 4 do
      local first = small:finder({ algorithm = "astar", diagonals = "never" }):search(1, 1, 3, 3)
      while first:step(1) == "running" do end -- luacheck: ignore
      first:close()
    end
    local search = large:finder({ bends = "fewest", avoid = field, diagonals = "never" }):search(1, 1, 40, 3)
    for i = 1, 400 do
      search:step(1)
      large:block(600 - i, 1 + 3 * (i % 199), 2, 1)
    end
    while search:step(1000) == "running" do end -- luacheck: ignore
    assert.equal(41, search:path().cost)
  end)
end)

describe("every job on a map that is edited between all its steps", function()
  -- A map, the same as the oracle sees it, and a unit and a question about it.
  local function random_case(r)
    local width, height = r:int(6, 24), r:int(6, 24)
    local rows = r:scatter(width, height, r:pick { 0.1, 0.25 })
    if r:chance(0.5) then r:sow(rows, { "s" }) end
    local rules = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { 1, 1.5, 2 } }
    local case = {
      r = r, width = width, height = height, rules = rules, start = { r:int(1, width), r:int(1, height) },
      goals = { { r:int(1, width), r:int(1, height) }, { r:int(1, width), r:int(1, height) } },
      grid = astar.grid(rows, { terrain = TERRAIN }), world = oracle.world(rows, { terrain = TERRAIN }),
    }
    for _, cell in ipairs { case.start, case.goals[1], case.goals[2] } do
      case.grid:set(cell[1], cell[2], ".")
      case.world.keys[oracle.cell(case.world, cell[1], cell[2])] = "."
    end
    local callback = r:chance(0.2) and function(_, _, _, cost) return cost end or nil
    case.finder = case.grid:finder {
      diagonals = rules.diagonals, diagonal_cost = rules.diagonal_cost, cost = callback, min_cost = callback and 0.5,
      algorithm = r:pick { "auto", "astar", "dijkstra" },
    }
    return case
  end

  local function edit_both(case)
    local r, world = case.r, case.world
    for _ = 1, r:pick { 1, 1, 4 } do
      local x, y = r:int(1, case.width), r:int(1, case.height)
      if r:chance(0.5) then x, y = case.start[1] + r:int(-2, 2), case.start[2] + r:int(-2, 2) end
      local is_start = x == case.start[1] and y == case.start[2]
      if x >= 1 and y >= 1 and x <= case.width and y <= case.height and not is_start then
        local cell, key = oracle.cell(world, x, y), r:pick { ".", "#", "s" }
        world.blocks[cell] = r:chance(0.4) or nil
        case.grid[world.blocks[cell] and "block" or "unblock"](case.grid, x, y)
        world.keys[cell] = key
        case.grid:set(x, y, key)
      end
    end
  end

  -- The least cost to each goal as the map is: of one, or of the nearest of several; false for none.
  local function best_now(case, goals)
    local distances, best = oracle.distances(case.world, case.rules, case.start[1], case.start[2]), nil
    for _, goal in ipairs(goals) do
      local cost = distances[oracle.cell(case.world, goal[1], goal[2])]
      if cost and (not best or cost < best) then best = cost end
    end
    return best or false
  end

  -- Steps a job, or a queue's request, to its end, and edits in between; what was best of all versions there were.
  local function finish(case, goals, job, queue)
    local versions, spent, steps = {}, 0, case.r:pick { 1, 5, 40 }
    local most = 8 * case.width * case.height + 400
    while true do
      versions[#versions + 1] = best_now(case, goals)
      local n = case.r:int(1, steps)
      if queue then queue:update { expansions = n } else job:step(n) end
      if job.status ~= "running" and job.status ~= "waiting" then return versions end
      spent = spent + n
      assert.is_true(spent < most, spent .. " expansions")
      edit_both(case)
    end
  end

  local function expect_one_of(versions, job)
    local path, is_one = job:path(), false
    for _, cost in ipairs(versions) do
      is_one = is_one or (path and cost and check.near(cost, path.cost)) or (not path and not cost)
    end
    assert.is_true(is_one, ("%s, of %d versions"):format(path and path.cost or job.status, #versions))
    return path and 1 or 0
  end

  local KINDS = {
    function(case)
      local sx, sy, goal = case.start[1], case.start[2], case.goals[1]
      local search = case.finder:search(sx, sy, goal[1], goal[2])
      return expect_one_of(finish(case, { goal }, search), search)
    end,
    function(case)
      local search = case.finder:finding_nearest(case.start[1], case.start[2], case.goals)
      return expect_one_of(finish(case, case.goals, search), search)
    end,
    function(case)
      local path = case.finder:find_path(case.start[1], case.start[2], case.goals[1][1], case.goals[1][2])
      if not path then return 0 end
      edit_both(case)
      local job = path:repairing { optimal = true }
      return expect_one_of(finish(case, { case.goals[1] }, job), job)
    end,
    function(case)
      local queue, sx, sy = astar.queue(), case.start[1], case.start[2]
      local other = case.goals[2]
      queue:request(case.finder, sx, sy, other[1], other[2])
      local ticket = queue:request(case.finder, sx, sy, case.goals[1][1], case.goals[1][2], nil, nil, 1)
      return expect_one_of(finish(case, { case.goals[1] }, ticket, queue), ticket)
    end,
    function(case) -- once done it is asked of the map as it is
      local flow = case.finder:flow(case.goals[1][1], case.goals[1][2])
      finish(case, {}, flow:completing())
      local best, distance = best_now(case, { case.goals[1] }), flow:distance(case.start[1], case.start[2])
      assert.is_true(best and check.near(best, distance) or not best and not distance)
      return distance and 1 or 0
    end,
  }

  it("ends within a limited number of steps, with a best result for one version", function()
    local found, seeds = 0, math.ceil(CASES / 12)
    for seed = 1, seeds do
      for kind, ask in ipairs(KINDS) do
        local ok, problem = pcall(ask, random_case(random.new(5 * seed + kind)))
        assert.is_true(ok, ("seed %d, kind %d: %s"):format(seed, kind, tostring(problem)))
        found = found + problem
      end
    end
    assert.is_true(found > seeds, found)
  end)
end)
