-- Plans for units in each other's way: crowd:resolving, against breadth-first search over all configurations.

local astar = require "astar"
local configurations = require "spec.support.configurations"
local crowd_checker = require "spec.support.crowd_checker"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 150)
local unpack = table.unpack or _G.unpack
local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

local function shuffled(r, list)
  for i = #list, 2, -1 do
    local j = r:int(1, i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

local function open_cells(grid)
  local cells, width, height = {}, grid:size()
  for y = 1, height do
    for x = 1, width do
      if grid:is_walkable(x, y) then cells[#cells + 1] = { x, y } end
    end
  end
  return cells
end

-- Makes a job to its end; each slice by another size where there is a random generator.
local function finish(job, r)
  local status
  repeat status = job:step(r and r:pick { 1, 7, 100, 5000 } or 1e7) until status ~= "running"
  return status
end

-- Has a crowd go by its plan, each beat checked from outside.
local function follow(job, crowd, checker)
  for _ = 1, job.beats do
    checker:begin()
    crowd:beat()
    checker:finish()
  end
end

-- A crowd of units with starts and goals, watched.
local function new_crowd(grid, rule, starts, goals, options, unit_options)
  local crowd = astar.crowd(grid:finder { diagonals = rule }, options)
  local checker, units = crowd_checker.new(grid, options), {}
  for i, cell in ipairs(starts) do
    units[i] = assert(crowd:add(cell[1], cell[2], unit_options))
    checker:watch(units[i], { diagonals = rule })
    if goals[i] then assert(units[i]:go(goals[i][1], goals[i][2])) end
  end
  return crowd, units, checker
end

local function expect_at_goals(units, goals, message)
  for i, goal in ipairs(goals) do
    if goal then assert.same(goal, { units[i]:cell() }, message) end
  end
end

-- A crowd on a drawing: who is on a small letter goes to the large one of its kind.
local function draw(drawing, rule)
  local rows, starts, goals = {}, {}, {}
  for line in drawing:gmatch "%S+" do rows[#rows + 1] = line end
  local letters = {}
  for y, line in ipairs(rows) do
    for x = 1, #line do
      local letter = line:sub(x, x)
      if letter:find "%a" then letters[letter] = { x, y } end
    end
  end
  for letter, cell in pairs(letters) do
    if letter:find "%l" then
      starts[#starts + 1] = cell
      goals[#goals + 1] = letters[letter:upper()] or false
    end
  end
  local grid = astar.grid((table.concat(rows, "\n"):gsub("%a", ".")))
  local crowd, units, checker = new_crowd(grid, rule or "never", starts, goals)
  return crowd, units, goals, checker, grid
end

describe("crowd:resolving", function()
  it("finds a plan or proves that there is none, as a search of all configurations does", function()
    local solved, unsolvable = 0, 0
    for seed = 1, CASES do
      local r = random.new(seed)
      local rule = r:pick(RULES)
      local most = rule == "never" and 12 or 9
      local width = r:int(1, 6)
      local grid = astar.grid(r:scatter(width, math.max(1, math.floor(most / width)), r:pick { 0, 0.15, 0.3 }))
      local starts, goals = shuffled(r, open_cells(grid)), shuffled(r, open_cells(grid))
      local count = math.min(r:int(1, rule == "never" and 4 or 3), #starts)
      for i = #starts, count + 1, -1 do starts[i], goals[i] = nil, nil end
      if r:chance(0.2) then goals[1] = false end
      local exclusive = r:chance(0.2)
      local message = ("seed %d, %s, %d units\n%s"):format(seed, rule, count, grid:draw())
      local fewest = configurations.solve(grid, rule, starts, goals, exclusive)
      local crowd, units, checker = new_crowd(grid, rule, starts, goals, { exclusive = exclusive })
      local job = crowd:resolving(nil, { improve = r:pick { 0, 1000, 100000 } })
      assert.equal(fewest and "done" or "unsolvable", finish(job, r), message)
      if fewest then
        assert.is_true(job.beats >= fewest, message)
        follow(job, crowd, checker)
        expect_at_goals(units, goals, message)
        solved = solved + 1
      else
        assert.is_nil(job.beats)
        unsolvable = unsolvable + 1
      end
    end
    assert.is_true(solved > CASES / 4 and unsolvable > CASES / 10, solved .. " " .. unsolvable)
  end)

  it("lets two units exchange places if a corridor has a pocket, and reports failure in a plain corridor", function()
    local crowd, units, goals, checker = draw [[
      ####.####
      aB.....bA
      #########
    ]]
    local job = crowd:resolving()
    assert.equal("done", finish(job))
    follow(job, crowd, checker)
    expect_at_goals(units, goals)
    assert.equal("arrived", units[1].state)
    crowd = draw "aB.....bA"
    job = crowd:resolving()
    assert.equal("unsolvable", finish(job))
    assert.equal("unsolvable", job.status)
    crowd = draw "aB.....bA.c.C"
    assert.equal("unsolvable", finish(crowd:resolving()))
  end)

  it("reports without a search that no route leads to a goal", function()
    local crowd = draw "a.#.A"
    assert.equal("unsolvable", finish(crowd:resolving()))
  end)

  it("brings all units to goals of their own on maps nine tenths full, by every rule, also in steps", function()
    for seed = 1, 16 do
      local r = random.new(seed)
      local rule = RULES[seed % 4 + 1]
      local grid = astar.grid(r:scatter(r:int(6, 16), r:int(6, 16), r:pick { 0, 0.1 }))
      local cells = {}
      -- of those that can all be reached from one
      local flow, all = grid:finder({ diagonals = "never" }):reach(1, 1, 1000), open_cells(grid)
      if not grid:is_walkable(1, 1) then flow = nil end
      for _, cell in ipairs(all) do
        if flow and flow:distance(cell[1], cell[2]) then cells[#cells + 1] = cell end
      end
      local count = math.floor(#cells * r:pick { 0.3, 0.6, 0.9 })
      if count > 0 then
        local starts = { unpack(shuffled(r, cells), 1, count) }
        local goals = { unpack(shuffled(r, cells), 1, count) }
        local crowd, units, checker = new_crowd(grid, rule, starts, goals)
        local other, others = new_crowd(astar.load(grid:dump()), rule, starts, goals)
        local options = { improve = 200000 }
        local job, sliced = crowd:resolving(nil, options), other:resolving(nil, options)
        assert.equal("done", finish(job), "seed " .. seed)
        assert.equal("done", finish(sliced, r))
        assert.same({ job.beats, job.cost, job.expanded }, { sliced.beats, sliced.cost, sliced.expanded })
        local cost, came = 0, {}
        for beat = 1, job.beats do
          checker:begin()
          crowd:beat()
          checker:finish()
          other:beat()
          for i, unit in ipairs(units) do
            local x, y = unit:cell()
            local other_x, other_y = others[i]:cell()
            assert(x == other_x and y == other_y, "sliced it goes another way")
            if x ~= goals[i][1] or y ~= goals[i][2] then came[i] = beat + 1 end
          end
        end
        for i, start in ipairs(starts) do
          local stays = start[1] == goals[i][1] and start[2] == goals[i][2]
          cost = cost + (came[i] or stays and 0 or 1)
        end
        expect_at_goals(units, goals)
        assert.equal(cost, job.cost)
        assert.equal(0, crowd.under_way)
      end
    end
  end)

  it("frees exclusive and even units from deadlocks automatically on maps where plain units arrive", function()
    local function finishes(grid, rule, starts, goals, options)
      local crowd, units, checker = new_crowd(grid, rule, starts, goals, options)
      for _ = 1, 3000 do
        if crowd.under_way == 0 then break end
        if not options.even then checker:begin() end -- the checker takes all steps to last a beat
        crowd:beat()
        if not options.even then checker:finish() end
      end
      return crowd.under_way == 0, units
    end
    local finished = 0
    for seed = 21, 40 do
      local r = random.new(seed)
      local rule = r:pick(RULES)
      local grid = astar.grid(r:scatter(r:int(6, 12), r:int(6, 12), r:pick { 0, 0.1, 0.2, 0.3 }))
      local largest = {}
      for _, cell in ipairs(open_cells(grid)) do
        local around = {}
        for x, y in grid:finder({ diagonals = rule }):reach(cell[1], cell[2], math.huge):cells() do
          around[#around + 1] = { x, y }
        end
        if #around > #largest then largest = around end
      end
      local starts, goals = {}, {}
      for i, cell in ipairs(shuffled(r, largest)) do starts[i] = cell end
      for i, cell in ipairs(shuffled(r, largest)) do goals[i] = cell end
      for i = #starts, math.ceil(#starts * r:pick { 0.3, 0.4, 0.5 }) + 1, -1 do starts[i], goals[i] = nil, nil end
      if finishes(grid, rule, starts, goals, {}) then
        finished = finished + 1
        for _, options in ipairs { { exclusive = true }, { even = true }, { exclusive = true, even = true } } do
          local message = ("seed %d, %s, %d units, %s %s\n%s"):format(seed, rule, #starts, tostring(options.exclusive),
            tostring(options.even), grid:draw())
          local does, units = finishes(grid, rule, starts, goals, options)
          assert.is_true(does, message)
          expect_at_goals(units, goals, message)
        end
      end
    end
    assert.is_true(finished > 10, tostring(finished))
  end)

  it("shortens plans, and never lengthens plans", function()
    local r = random.new(5)
    local grid = astar.grid(12, 12)
    local starts, goals = shuffled(r, open_cells(grid)), shuffled(r, open_cells(grid))
    for i = 144, 61, -1 do starts[i], goals[i] = nil, nil end
    local costs = {}
    for i, improve in ipairs { 0, 20000, 400000 } do
      local crowd, units, checker = new_crowd(grid, "never", starts, goals)
      local job = crowd:resolving(nil, { improve = improve })
      assert.equal("done", finish(job))
      costs[i] = job.cost
      follow(job, crowd, checker)
      expect_at_goals(units, goals)
    end
    assert.is_true(costs[1] > costs[2] and costs[2] > costs[3])
  end)

  -- The cells that can be reached from the middle, and how far they are from one.
  local function reachable(finder, x, y)
    local cells, steps = {}, {}
    for cell_x, cell_y, cost in finder:reach(x, y, 1e6):cells() do
      cells[#cells + 1] = { cell_x, cell_y }
      steps[cell_y * 100 + cell_x] = cost
    end
    return cells, steps
  end

  it("brings units to their goals in 2.1 times the beats of a lone unit, with two of five cells occupied", function()
    for seed = 1, 2 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(32, 32, 0.1))
      grid:unblock(16, 16)
      local finder = grid:finder { diagonals = "never" }
      local starts, goals = shuffled(r, (reachable(finder, 16, 16))), shuffled(r, (reachable(finder, 16, 16)))
      local alone = 0
      for i = #starts, 401, -1 do starts[i], goals[i] = nil, nil end
      for i = 1, 400 do
        local _, steps = reachable(finder, starts[i][1], starts[i][2])
        alone = alone + steps[goals[i][2] * 100 + goals[i][1]]
      end
      local crowd, units, checker = new_crowd(grid, "never", starts, goals)
      local job = crowd:resolving()
      assert.equal("done", finish(job))
      assert.is_true(job.cost <= 2.1 * alone, ("seed %d: %d of %d"):format(seed, job.cost, alone))
      follow(job, crowd, checker)
      expect_at_goals(units, goals)
    end
  end)

  -- A plan by four moves is one by the default rule, too: that has no reason to be much dearer.
  it("finds plans with diagonal steps that cost at most 1.25 times the plans with straight steps", function()
    for seed = 6, 9 do
      local cost = {}
      for _, rule in ipairs { "only_when_no_obstacles", "never" } do
        local r = random.new(seed)
        local grid = astar.grid(r:scatter(24, 24, 0.1))
        grid:unblock(12, 12)
        local finder = grid:finder { diagonals = "never" }
        local starts, goals = shuffled(r, (reachable(finder, 12, 12))), shuffled(r, (reachable(finder, 12, 12)))
        local count = math.floor(#starts * 0.87)
        for i = #starts, count + 1, -1 do starts[i], goals[i] = nil, nil end
        local job = new_crowd(grid, rule, starts, goals):resolving()
        if #starts > 100 then -- else the middle is walled in
          assert.equal("done", finish(job))
          cost[rule] = job.cost
        end
      end
      local straight, any = cost.never or 0, cost.only_when_no_obstacles or 0
      assert.is_true(any <= 1.25 * straight, ("seed %d: %d, straight %d"):format(seed, any, straight))
    end
  end)

  it("starts the present plan on request, before the plan has been shortened", function()
    local crowd, units, goals, checker = draw [[
      a.d.B
      b.c.A
      D...C
    ]]
    local job = crowd:resolving(nil, { improve = 1e9 })
    assert.is_false(job:follow())
    assert.is_nil(job.cost)
    repeat job:step(1) until job.cost
    assert.equal("running", job.status)
    assert.equal("planning", units[1].state)
    assert.is_true(job:follow())
    assert.equal("done", job:step())
    assert.equal(job.beats, job.left)
    follow(job, crowd, checker)
    assert.equal(0, job.left)
    expect_at_goals(units, goals)
  end)

  it("keeps its units in place while the plan is computed, and lets other units move", function()
    local crowd, units = draw [[
      a...A....
      b...B....
    ]]
    local one, other = units[1], units[2]
    local job = crowd:resolving { one }
    local x = one:cell()
    for _ = 1, 3 do crowd:beat() end
    assert.equal(x, (one:cell()))
    assert.equal("planning", one.state)
    assert.equal(4, (other:cell()))
    assert.equal(1, job.units)
    assert.equal("done", finish(job))
    for _ = 1, job.beats do crowd:beat() end
    assert.equal("arrived", one.state)
  end)

  it("brings units of one goal to the cells around it, and to the window's edge if the goal is outside", function()
    local grid = astar.grid(12, 12)
    local crowd, group = astar.crowd(grid:finder { diagonals = "never" }), {}
    for i = 1, 5 do group[i] = crowd:add(i, 3) end
    crowd:go(group, 6, 6)
    local job = crowd:resolving()
    assert.equal("done", finish(job))
    for _ = 1, job.beats do crowd:beat() end
    for _, unit in ipairs(group) do
      local x, y = unit:cell()
      assert.is_true(math.abs(x - 6) + math.abs(y - 6) <= 1)
    end
    crowd = astar.crowd(grid:finder { diagonals = "never" })
    local first, second = crowd:add(2, 5), crowd:add(1, 5)
    first:go(12, 5)
    second:go(12, 5)
    job = crowd:resolving(nil, { window = { 1, 4, 6, 3 } })
    assert.equal("done", finish(job))
    for _ = 1, job.beats do crowd:beat() end
    assert.same({ 6, 5 }, { first:cell() })
    local x, y = second:cell()
    assert.is_true(x + math.abs(y - 5) >= 5)
    for _ = 1, 20 do crowd:beat() end
    assert.equal("arrived", first.state)
  end)

  it("leads its units around units that do not take part", function()
    local crowd, units, goals, checker = draw [[
      .....
      a.h.A
      .....
    ]]
    local guard
    for i, goal in ipairs(goals) do guard = goal and guard or units[i] end
    guard:hold(true)
    local job = crowd:resolving()
    assert.equal(1, job.units)
    assert.equal("done", finish(job))
    assert.equal(6, job.beats)
    follow(job, crowd, checker)
    assert.equal("held", guard.state)
    expect_at_goals(units, goals)
  end)

  it("ends if its units get orders or their paths are edited, and the units continue by themselves", function()
    local function try(change, status)
      for _, begun in ipairs { false, true } do
        local crowd, units, _, _, grid = draw [[
          ..........
          a........A
          b........B
          ..........
        ]]
        local job = crowd:resolving()
        if begun then
          finish(job)
          crowd:beat()
          crowd:step(5)
        else
          job:step(3)
        end
        change(grid, units, crowd)
        local now = begun and job.status or finish(job)
        assert.equal(status, now)
        for _ = 1, 40 do crowd:beat() end
        for _, unit in ipairs(units) do
          assert.is_true(unit.state == "arrived" or unit.state == "removed" or unit.state == "held", unit.state)
        end
      end
    end
    try(function(_, units) units[1]:stop() end, "cancelled")
    try(function(_, units) units[1]:go(3, 1) end, "cancelled")
    try(function(_, units) units[2]:hold(true) units[2]:hold(false) end, "cancelled")
    try(function(_, units, crowd) crowd:resolving({ units[1] }):close() end, "cancelled")
  end)

  it("survives orders and edits that interfere with it", function()
    for seed = 1, 40 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(14, 10, 0.1))
      local rule = r:pick(RULES)
      local starts, goals = shuffled(r, open_cells(grid)), shuffled(r, open_cells(grid))
      for i = #starts, 26, -1 do starts[i], goals[i] = nil, nil end
      local crowd, units, checker = new_crowd(grid, rule, starts, goals, { exclusive = r:chance(0.2) },
        { period = r:pick { 1, 1, 2 } })
      local jobs = {}
      for _ = 1, 120 do
        local x, y, unit = r:int(1, 14), r:int(1, 10), r:pick(units)
        local action = r:int(1, 14)
        if action == 1 then
          grid:block(x, y)
        elseif action == 2 then
          grid:unblock(x, y)
        elseif action == 3 and unit.state ~= "removed" then
          unit:go(x, y)
        elseif action == 4 and unit.state ~= "removed" then
          unit:hold(r:chance(0.5))
        elseif action == 5 and unit.state ~= "removed" and #units > 5 then
          unit:remove()
        elseif action == 6 then
          local new = crowd:add(x, y, { period = r:pick { 1, 1, 3 } })
          if new then
            checker:watch(new, { diagonals = rule })
            units[#units + 1] = new
            new:go(r:int(1, 14), r:int(1, 10))
          end
        elseif action <= 9 then
          local window = r:chance(0.5) and { 1 + r:int(0, 6), 1 + r:int(0, 4), 8, 6 } or nil
          local ok, job = pcall(crowd.resolving, crowd, nil, { window = window, improve = r:pick { 0, 3000 } })
          if ok and job then jobs[#jobs + 1] = job end
          if not ok then
            assert.is_truthy(tostring(job):find "units of several periods", job)
            ok, job = pcall(crowd.resolving, crowd, { unit.state ~= "removed" and unit or nil })
            if ok and job then jobs[#jobs + 1] = job end
          end
        end
        for _, job in ipairs(jobs) do job:step(r:pick { 1, 100, 3000 }) end
        if #jobs > 4 then table.remove(jobs, 1):close() end
        if r:chance(0.3) then crowd:step(r:int(1, 60)) end
        checker:begin()
        crowd:beat()
        checker:finish()
      end
    end
  end)

  it("waits for a unit that is in the way of its plan, and gives up if the unit stays", function()
    local crowd, units, goals, _, grid = draw [[
      a........A
      ##########
    ]]
    local job = crowd:resolving()
    finish(job)
    crowd:beat()
    local guard = crowd:add(5, 1, { period = 1 })
    guard:hold(true)
    for _ = 1, 8 do crowd:beat() end
    assert.same({ 4, 1 }, { units[1]:cell() })
    assert.equal("waiting", units[1].state)
    guard:remove()
    for _ = 1, 6 do crowd:beat() end
    expect_at_goals(units, goals)
    assert.equal("done", job.status)
    units[1]:go(1, 1)
    job = crowd:resolving()
    finish(job)
    grid:block(5, 1)
    for _ = 1, 40 do crowd:beat() end
    assert.equal("cancelled", job.status)
    assert.same({ 6, 1 }, { units[1]:cell() })
  end)

  it("notices edits of cells in its plan, and ignores all other edits", function()
    local crowd, _, _, _, grid = draw [[
      aB.....bA
      ####.####
      #########
    ]]
    local job = crowd:resolving()
    job:step(20)
    grid:block(1, 3)
    assert.equal("running", job:step(1))
    grid:block(5, 2)
    assert.equal("grid changed", job:step(1))
    assert.equal("grid changed", job.status)
    crowd, _, _, _, grid = draw "aB...bA\n###.###"
    grid:block(4, 2)
    job = crowd:resolving()
    job:step(1)
    grid:unblock(4, 2)
    assert.equal("grid changed", finish(job)) -- it would have been unsolvable
  end)

  it("stays within its limit of bytes", function()
    local crowd = draw "aB.....bA"
    local job = crowd:resolving(nil, { bytes = 60000 })
    assert.is_true(({ bytes = true, unsolvable = true })[finish(job)])
    local reason = select(2, crowd:resolving(nil, { bytes = 100 }))
    assert.equal("bytes", reason)
    job = draw("a.b.c.d.e.f.g.h.i.j.....D.C.B.A"):resolving(nil, { bytes = 3000000 })
    assert.is_true(job.bytes <= 3000000)
    assert.equal("bytes", finish(job))
  end)

  it("refuses options that it cannot honour", function()
    local grid = astar.grid(9, 9)
    local crowd = astar.crowd(grid:finder())
    local big, slow, plain = crowd:add(1, 1, { finder = grid:finder { size = 2 } }), crowd:add(5, 5, { period = 3 }),
      crowd:add(7, 7)
    assert.has_error(function() crowd:resolving() end, "resolving cannot honour units larger than a cell")
    big:remove()
    assert.has_error(function() crowd:resolving() end, "resolving cannot honour units of several periods")
    slow:go(9, 5)
    local job = crowd:resolving { slow }
    assert.equal("done", finish(job))
    for _ = 1, 12 do crowd:beat() end
    assert.equal("arrived", slow.state)
    plain:go(1, 1)
    grid:link(1, 1, 9, 9)
    assert.has_error(function() crowd:resolving { plain } end, "resolving cannot honour links")
  end)

  it("is a job that a queue can run", function()
    local crowd, units, goals = draw [[
      aB.....bA
      ####.####
    ]]
    local queue, status = astar.queue(), nil
    queue:add(crowd:resolving(), { done = function(job) status = job.status end })
    while queue:update { expansions = 50 } > 0 do end
    assert.equal("done", status)
    for _ = 1, 40 do crowd:beat() end
    expect_at_goals(units, goals)
  end)

  it("continues in the crowd after its object was collected, and ends with the crowd", function()
    local crowd, units, goals = draw [[
      aB.....bA
      ####.####
    ]]
    local job = crowd:resolving()
    finish(job)
    local beats = job.beats
    job:close()
    assert.has_error(function() return job.status end, "job is closed")
    assert.equal("astar resolving job (closed)", tostring(job))
    for _ = 1, beats do crowd:beat() end
    expect_at_goals(units, goals)
    local begun = crowd:resolving()
    assert.equal("astar resolving job, running, 0 expanded", tostring(begun))
    debug.getmetatable(crowd).__gc(crowd)
    assert.is_truthy(begun.status)
    begun:close()
  end)

  it("accepts an empty crowd, and units without orders", function()
    local crowd = astar.crowd(astar.grid(4, 4):finder())
    assert.equal("done", finish(crowd:resolving()))
    crowd:add(1, 1)
    local job = crowd:resolving()
    assert.equal("done", finish(job))
    assert.equal(0, job.beats)
    assert.equal(0, job.cost)
  end)
end)
