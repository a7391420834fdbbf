-- Crowds: astar.crowd, its units, beats; looked at from outside by spec/support/crowd_checker.lua.

local astar = require "astar"
local configurations = require "spec.support.configurations"
local crowd_checker = require "spec.support.crowd_checker"
local crowd_soak = require "spec.support.crowd_soak"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

-- The lines of a drawing without their margin.
local function trimmed(drawing)
  local lines = {}
  for line in drawing:gmatch "[^%s]+" do lines[#lines + 1] = line end
  return table.concat(lines, "\n"), lines
end

-- Beats until nobody is under way, each of them checked; how many there were, nil after 'most'.
local function run(crowd, checker, most)
  for beat = 0, most do
    if crowd.under_way == 0 then return beat end
    checker:begin()
    crowd:beat()
    checker:finish()
  end
end

-- A crowd on a drawing: who is on a small letter goes to the large one of its kind.
local function play(drawing, options, most)
  local text, lines = trimmed(drawing)
  local grid = astar.grid((text:gsub("%a", ".")))
  local crowd = astar.crowd(grid:finder(options))
  local checker = crowd_checker.new(grid)
  local goals, units = {}, {}
  for y, line in ipairs(lines) do
    for x = 1, #line do
      local letter = line:sub(x, x)
      if letter:find "%u" then goals[letter:lower()] = { x, y } end
      if letter:find "%l" then
        units[letter] = crowd:add(x, y)
        checker:watch(units[letter], options)
      end
    end
  end
  for letter, unit in pairs(units) do
    if goals[letter] then assert.is_true(unit:go(goals[letter][1], goals[letter][2])) end
  end
  return run(crowd, checker, most), units, crowd, grid
end

describe("a crowd", function()
  it("moves a unit that meets no other unit along a cheapest path", function()
    for _, rule in ipairs(RULES) do
      local r = random.new(7)
      local grid = astar.grid(r:caves(30, 20))
      local finder = grid:finder { diagonals = rule, diagonal_cost = 1.4 }
      local crowd = astar.crowd(finder)
      for _ = 1, 40 do
        local x, y, gx, gy = r:int(1, 30), r:int(1, 20), r:int(1, 30), r:int(1, 20)
        local path = grid:is_walkable(x, y) and finder:find_path(x, y, gx, gy)
        if path then
          local unit, cost = crowd:add(x, y), 0
          unit:go(gx, gy)
          while unit.state ~= "arrived" do
            local move = crowd:beat()[1]
            cost = cost + (move.x ~= move.from_x and move.y ~= move.from_y and 1.4 or 1)
          end
          assert.is_true(math.abs(cost - path.cost) < 1e-6, rule)
          unit:remove()
        end
      end
    end
  end)

  it("moves a unit from the first beat along a cheapest path, even if its distances take many beats", function()
    for seed, rule in ipairs(RULES) do
      local r = random.new(seed)
      local grid = astar.grid(r:caves(150, 100))
      local single = grid:finder { diagonals = rule, diagonal_cost = 1.4, algorithm = "dijkstra" }
      local crowd = astar.crowd(grid:finder { diagonals = rule }, { expansions = 400 })
      for _ = 1, 12 do
        local x, y, gx, gy = r:int(1, 150), r:int(1, 100), r:int(1, 150), r:int(1, 100)
        local path = grid:is_walkable(x, y) and single:find_path(x, y, gx, gy)
        if path then
          local unit, cost = crowd:add(x, y), 0
          unit:go(gx, gy)
          while unit.state ~= "arrived" do
            assert.not_equal("planning", cost > 0 and unit.state)
            local move = crowd:beat()[1]
            cost = cost + (move.x ~= move.from_x and move.y ~= move.from_y and 1.4 or 1)
          end
          assert.is_true(math.abs(cost - path.cost) < 1e-6, rule)
          unit:remove()
        end
      end
    end
  end)

  it("finds routes for units that wait for distances, around each other and around new walls", function()
    local r = random.new(11)
    local grid = astar.grid(60, 40)
    local finder, wide = grid:finder(), grid:finder { size = 2 }
    local crowd, checker, units = astar.crowd(finder, { expansions = 50 }), crowd_checker.new(grid), {}
    for i = 1, 24 do
      local size = i % 4 == 0 and 2 or 1
      units[i] = crowd:add(1 + i % 3 * 4, 1 + math.floor(i / 3) * 4, { finder = size == 2 and wide or finder })
      checker:watch(units[i], { size = size })
      units[i]:go(50 + i % 3 * 4, 37 - math.floor(i / 3) * 4)
    end
    for beat = 1, 200 do
      if beat % 5 == 0 and beat < 60 then grid:block(15 + beat % 30, r:int(1, 30), 1, 8) end
      checker:begin()
      crowd:beat()
      checker:finish()
    end
    for i, unit in ipairs(units) do assert.equal("arrived", unit.state, "unit " .. i) end
  end)

  it("turns a unit that meets no other unit as often as its path bends", function()
    for seed = 1, 40 do
      local r = random.new(seed)
      local grid = astar.grid(40, 40)
      local crowd = astar.crowd(grid:finder { diagonals = r:pick(RULES) }, { seed = seed })
      local unit, headings = crowd:add(r:int(1, 40), r:int(1, 40)), {}
      unit:go(r:int(1, 40), r:int(1, 40))
      while crowd.under_way > 0 do
        crowd:beat()
        if headings[#headings] ~= unit.heading then headings[#headings + 1] = unit.heading end
      end
      assert.is_true(#headings <= 2, "seed " .. seed .. ": " .. table.concat(headings, " "))
    end
  end)

  it("takes the costs of the terrain into account", function()
    local grid = astar.grid("S~~~G\n.....", { terrain = { S = 1, G = 1, ["."] = 1, ["~"] = 5 } })
    local crowd = astar.crowd(grid:finder { diagonals = "never" })
    local unit = crowd:add(1, 1)
    unit:go(5, 1)
    for _ = 1, 6 do crowd:beat() end
    assert.equal("arrived", unit.state)
    assert.equal(6, crowd.beats)
  end)

  it("lets two units pass each other if a corridor has a pocket", function()
    local beats = play([[
      ####.####
      aB.....bA
      #########
    ]], { diagonals = "never" }, 40)
    assert.is_truthy(beats)
  end)

  it("lets two rows of units pass through each other on open ground, under every corner rule", function()
    for _, rule in ipairs(RULES) do
      assert.is_truthy(play([[
        aD.......A
        bE.......B
        cF.......C
        ..........
        ..........
      ]], { diagonals = rule }, 60), rule)
    end
  end)

  -- Units at random on a small map, each with a goal of its own; run for as long as may be needed.
  local function play_at_random(seed, side, count)
    local r = random.new(seed)
    local rule = r:pick(RULES)
    local grid = astar.grid(r:scatter(side, side, r:pick { 0, 0.15, 0.3 }))
    local starts, goals = {}, {}
    for y = 1, side do
      for x = 1, side do
        if grid:is_walkable(x, y) then
          table.insert(starts, r:int(1, #starts + 1), { x, y })
          table.insert(goals, r:int(1, #goals + 1), { x, y })
        end
      end
    end
    if #starts <= count then return end
    for i = #starts, count + 1, -1 do starts[i], goals[i] = nil, nil end
    local crowd, checker, units = astar.crowd(grid:finder { diagonals = rule }), crowd_checker.new(grid), {}
    for i, cell in ipairs(starts) do
      units[i] = crowd:add(cell[1], cell[2])
      units[i]:go(goals[i][1], goals[i][2])
      checker:watch(units[i], { diagonals = rule })
    end
    local fewest = configurations.solve(grid, rule, starts, goals)
    return fewest, run(crowd, checker, 200), units, ("seed %d, %s\n%s"):format(seed, rule, grid:draw())
  end

  it("resolves deadlocks: all units arrive if a search of all configurations finds a way, else some stay", function()
    local solved, unsolvable = 0, 0
    for seed = 1, 260 do
      local fewest, beats, units, message = play_at_random(seed, seed <= 200 and 3 or 4, seed <= 200 and 2 or 3)
      if fewest then
        assert.is_true(beats ~= nil and beats >= fewest, message)
        solved = solved + 1
      elseif units then
        local is_any_stuck = false
        for _, unit in ipairs(units) do is_any_stuck = is_any_stuck or unit.state == "stuck" end
        assert.is_true(beats == nil and is_any_stuck, message)
        unsolvable = unsolvable + 1
      end
    end
    assert.is_true(solved > 180 and unsolvable > 15, solved .. " " .. unsolvable)
  end)

  it('lets two units pass each other around a rock, but not if deadlocks = "leave"', function()
    for _, knots in ipairs { true, false } do
      local crowd = astar.crowd(astar.grid("...\n.#.\n..."):finder(), { knots = knots })
      local a, b = crowd:add(1, 2), crowd:add(3, 1)
      a:go(3, 3)
      b:go(2, 3)
      for _ = 1, 100 do crowd:beat() end
      assert.equal(knots and 0 or 1, math.min(1, crowd.under_way))
      assert.equal(knots, a.state == "arrived" and b.state == "arrived")
    end
  end)

  -- Each goes where one of the others began: so there is room for all in the end.
  it("brings large units past each other in a street of two lanes, each unit to a goal of its own", function()
    for seed = 1, 24 do
      local r = random.new(seed)
      local size = r:int(2, 4)
      local grid = astar.grid(15 * size, 2 * size)
      local crowd, checker = astar.crowd(grid:finder { size = size }, { seed = seed }), crowd_checker.new(grid)
      local starts = { {}, {} }
      for side, found in ipairs(starts) do
        for i = 0, 3 do -- each in a part of the street of its own
          local x, y = i * size + i + r:int(1, 2), r:int(1, size + 1)
          if side == 2 then x = 14 * size + 2 - x end
          local unit = crowd:add(x, y)
          checker:watch(unit, { size = size })
          table.insert(found, r:int(1, #found + 1), { unit = unit, x = x, y = y })
        end
      end
      for i, one in ipairs(starts[1]) do
        local other = starts[2][i]
        one.unit:go(other.x, other.y)
        other.unit:go(one.x, one.y)
      end
      assert.is_truthy(run(crowd, checker, 2000), "seed " .. seed)
      for i, one in ipairs(starts[1]) do
        assert.same({ starts[2][i].x, starts[2][i].y }, { one.unit:cell() }, "seed " .. seed)
      end
    end
  end)

  it("comes to rest for any starts and goals, although units occupy six of ten cells", function()
    for seed = 1, 2 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(20, 20, 0.1))
      grid:unblock(10, 10)
      local finder, starts, goals = grid:finder(), {}, {}
      for x, y in finder:reach(10, 10, 1e6):cells() do
        table.insert(starts, r:int(1, #starts + 1), { x, y })
        table.insert(goals, r:int(1, #goals + 1), { x, y })
      end
      local crowd, checker = astar.crowd(finder), crowd_checker.new(grid)
      for i = 1, math.floor(#starts * 0.6) do
        local unit = crowd:add(starts[i][1], starts[i][2])
        checker:watch(unit)
        unit:go(goals[i][1], goals[i][2])
      end
      assert.is_truthy(run(crowd, checker, 400), "seed " .. seed)
    end
  end)

  it("resolves deadlocks within the usual work per beat even if its distances have no limit of work", function()
    local crowds = {}
    for i, expansions in ipairs { 2 ^ 22, 2 ^ 50 } do
      local r = random.new(5)
      local grid = astar.grid(r:scatter(20, 20, 0.1))
      crowds[i] = astar.crowd(grid:finder(), { expansions = expansions })
      for _ = 1, 200 do
        local unit = crowds[i]:add(r:int(1, 20), r:int(1, 20))
        if unit then unit:go(r:int(1, 20), r:int(1, 20)) end
      end
    end
    local has_planned = false
    for beat = 1, 200 do
      for _, crowd in ipairs(crowds) do crowd:beat() end
      for i, unit in ipairs(crowds[1]:units()) do
        local x, y = unit:cell()
        has_planned = has_planned or (beat > 1 and unit.state == "planning")
        assert.same({ x, y }, { crowds[2]:units()[i]:cell() }, ("beat %d, unit %d"):format(beat, i))
      end
    end
    assert.is_true(has_planned)
  end)

  it("leads units around held units, in a row, in a dead end and around a large one", function()
    for case = 1, 3 do
      local grid = astar.grid(24, 20)
      local crowd, checker = astar.crowd(grid:finder()), crowd_checker.new(grid)
      local large = case == 3 and grid:finder { size = 3 } or nil
      for y = case == 2 and 4 or 9, case == 1 and 11 or case == 2 and 16 or 9 do
        crowd:add(12, y, { finder = large }):hold(true)
        if case == 2 and (y == 4 or y == 16) then
          for x = 6, 11 do crowd:add(x, y):hold(true) end
        end
      end
      local unit = crowd:add(2, 10)
      checker:watch(unit)
      unit:go(22, 10)
      assert.is_truthy(run(crowd, checker, 160), "case " .. case)
    end
  end)

  it("sends units as near to the goal as possible if partial is set", function()
    for seed = 1, 40 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(r:int(1, 12), r:int(1, 12), 0.4))
      local width, height = grid:size()
      local size = r:int(1, 2)
      local finder = grid:finder { size = size, diagonals = r:pick(RULES) }
      local crowd = astar.crowd(grid:finder())
      local x, y, to_x, to_y = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
      local unit = crowd:add(x, y, { finder = finder })
      if unit then
        local least = math.huge
        for cell_x, cell_y in finder:reach(x, y, 1e6):cells() do
          least = math.min(least, (cell_x - to_x) ^ 2 + (cell_y - to_y) ^ 2)
        end
        assert.is_true(unit:go(to_x, to_y, { partial = true }))
        local goal_x, goal_y = unit:goal()
        assert.equal(least, (goal_x - to_x) ^ 2 + (goal_y - to_y) ^ 2, "seed " .. seed)
        for _ = 1, 150 do crowd:beat() end
        assert.same({ goal_x, goal_y, "arrived" }, { select(1, unit:cell()), select(2, unit:cell()), unit.state })
        assert.equal(1, crowd:go({ unit }, to_x, to_y, { partial = true }))
      end
    end
    local unit = astar.crowd(astar.grid("..#"):finder()):add(1, 1)
    assert.same({ nil, "goal blocked" }, { unit:go(3, 1, { partial = false }) })
    assert.has_error(function() unit:go(3, 1, { partial = 1 }) end)
  end)

  it("moves a single unit along a cheapest path to a cell within range of its goal, blocked or not", function()
    local inside = 0
    for seed = 1, 120 do
      local r = random.new(seed)
      local rule, range, size = r:pick(RULES), r:int(0, 5), r:pick { 1, 1, 2, 3, 4 }
      local grid = astar.grid(r:caves(r:int(8, 40), r:int(8, 30)))
      local width, height = grid:size()
      local crowd = astar.crowd(grid:finder { diagonals = rule, size = size }, { expansions = r:pick { 40, 100000 } })
      local single = grid:finder { diagonals = rule, size = size, diagonal_cost = 1.4, algorithm = "dijkstra" }
      for _ = 1, 8 do
        local x, y, to_x, to_y = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
        local path = single:find_path(x, y, to_x, to_y, { range = range })
        local unit = crowd:add(x, y)
        if path and unit then
          assert.is_true(unit:go(to_x, to_y, { range = range }), "seed " .. seed)
          local cost = 0
          for _ = 1, 200 do
            if unit.state == "arrived" then break end
            local move = crowd:beat()[1]
            cost = cost + (move and (move.x ~= move.from_x and move.y ~= move.from_y and 1.4 or 1) or 0)
          end
          local at_x, at_y = unit:cell()
          assert.is_true(oracle.away({ size = size }, range, at_x, at_y, to_x, to_y) <= range, "seed " .. seed)
          assert.is_true(math.abs(cost - path.cost) < 1e-6, "seed " .. seed)
          assert.same({ to_x, to_y }, { unit:goal() })
          inside = inside + (grid:is_walkable(to_x, to_y) and 0 or 1)
        end
        if unit then unit:remove() end
      end
    end
    assert.is_true(inside > 50, inside)
  end)

  it("stops units within their range of a goal, lets others pass to the goal, and follows edits", function()
    local grid = astar.grid(30, 15)
    local crowd, checker, units = astar.crowd(grid:finder()), crowd_checker.new(grid), {}
    for i = 1, 12 do
      units[i] = crowd:add(1, i)
      checker:watch(units[i])
      assert.is_true(units[i]:go(24, 8, i > 4 and { range = 4 } or nil))
    end
    assert.is_truthy(run(crowd, checker, 60))
    for i = 1, 12 do
      local x, y = units[i]:cell()
      local apart = math.max(math.abs(x - 24), math.abs(y - 8))
      assert.is_true(i > 4 and apart >= 3 and apart <= 5 or apart <= 1, "unit " .. i)
    end
    grid:block(20, 4, 9, 9) -- all within range: those outside of it have nowhere to go
    assert.same({ nil, "goal blocked" }, { units[12]:go(24, 8, { range = 3 }) })
    assert.equal(1, crowd:go({ units[12] }, 24, 8, { range = 5 }))
    for _ = 1, 20 do crowd:beat() end
    assert.equal("arrived", units[12].state)
    for _, range in ipairs { -1, 65, 1.5, "far" } do
      assert.has_error(function() units[12]:go(24, 8, { range = range }) end)
    end
  end)

  it("with range and partial moves units within range if a route exists, else as near as possible", function()
    local grid = astar.grid "..#...\n..#..."
    local crowd = astar.crowd(grid:finder())
    local unit = crowd:add(1, 1)
    assert.is_true(unit:go(4, 1, { partial = true, range = 2 }))
    assert.same({ 4, 1 }, { unit:goal() })
    assert.is_true(unit:go(6, 1, { partial = true, range = 2 }))
    assert.same({ 2, 1 }, { unit:goal() })
    grid:unblock(3, 1)
    grid:set(3, 1, ".")
    assert.is_true(unit:go(6, 1, { partial = true, range = 2 }))
    assert.same({ 6, 1 }, { unit:goal() })
    for _ = 1, 6 do crowd:beat() end
    assert.same({ 4, 1, "arrived" }, { select(1, unit:cell()), select(2, unit:cell()), unit.state })
  end)

  it("measures nearness with range and partial as with range alone, for units of any size", function()
    local within, beyond, cases = 0, 0, times("CROWD_PARTIAL", 150)
    for seed = 1, cases do
      local r = random.new(seed)
      local rules, range = { diagonals = r:pick(RULES), size = r:int(1, 4) }, r:int(0, 4)
      local grid = astar.grid(r:scatter(r:int(6, 90), r:int(6, 40), 0.03))
      local width, height = grid:size()
      grid:block(r:int(1, width), 1, 1, height)
      local finder = grid:finder(rules)
      local crowd = astar.crowd(finder)
      local unit = crowd:add(r:int(1, width), r:int(1, height))
      if unit then
        local to_x, to_y, least, best, can = r:int(1, width), r:int(1, height), math.huge, {}, false
        for x, y in finder:reach(unit.x, unit.y, math.huge):cells() do
          local near_x, near_y = oracle.counts_from(rules, range, x, y, to_x, to_y)
          local far = (near_x - to_x) ^ 2 + (near_y - to_y) ^ 2
          if far < least then least, best = far, {} end
          if far == least then best[x .. " " .. y] = true end
          can = can or oracle.away(rules, range, x, y, to_x, to_y) <= range
        end
        assert.is_true(unit:go(to_x, to_y, { partial = true, range = range }))
        local x, y = unit:goal()
        local what = ("seed %d, size %d within %d: %d, %d"):format(seed, rules.size, range, x, y)
        if can and range > 0 then
          assert.same({ to_x, to_y }, { x, y }, what)
          within = within + 1
        else
          assert.is_true(best[x .. " " .. y], what)
          beyond = beyond + 1
        end
        for _ = 1, 300 do
          if unit.state == "arrived" then break end
          crowd:beat()
        end
        assert.equal("arrived", unit.state, what)
      end
    end
    assert.is_true(within > cases / 8 and beyond > cases / 8, within .. " " .. beyond)
  end)

  it("reports which unit blocks another unit", function()
    local crowd = astar.crowd(astar.grid(7, 1):finder())
    local unit, other = crowd:add(1, 1), crowd:add(4, 1)
    other:hold(true)
    assert.is_nil(unit.blocker)
    unit:go(7, 1)
    assert.is_nil(unit.blocker)
    for _ = 1, 60 do crowd:beat() end
    assert.equal("stuck", unit.state)
    assert.equal(other, unit.blocker)
    assert.is_nil(other.blocker)
    other:remove()
    assert.is_nil(unit.blocker)
    assert.is_nil(other.blocker)
  end)

  it("makes idle units step aside, but not units that hold their cell", function()
    local _, units = play([[
      ##.##
      a.x.A
      #####
    ]], { diagonals = "never" }, 30)
    assert.equal("arrived", units.a.state)
    local grid = astar.grid "....."
    local crowd = astar.crowd(grid:finder())
    local walker, guard = crowd:add(1, 1), crowd:add(3, 1)
    guard:hold(true)
    walker:go(5, 1)
    for _ = 1, 30 do crowd:beat() end
    assert.equal("held", guard.state)
    assert.equal("stuck", walker.state)
    assert.same({ 2, 1 }, { walker:cell() })
    guard:hold(false)
    walker:stop()
    guard:go(4, 1)
    for _ = 1, 5 do crowd:beat() end
    assert.same({ 4, 1 }, { guard:cell() })
  end)

  it("fills the cells around a goal and comes to rest, for units of all sizes", function()
    for seed = 1, 6 do
      local r = random.new(seed)
      local grid = astar.grid(24, 24)
      local crowd = astar.crowd(grid:finder { diagonals = r:pick(RULES) })
      local checker, units = crowd_checker.new(grid), {}
      local finders = {}
      for size = 1, 3 do finders[size] = grid:finder { size = size, diagonals = "never" } end
      for _ = 1, 60 do
        local size = seed > 3 and r:pick { 1, 1, 2, 3 } or 1
        local unit = crowd:add(r:int(1, 24), r:int(1, 24), { finder = finders[size] })
        if unit then
          units[#units + 1] = unit
          checker:watch(unit, { size = size, diagonals = "never" })
        end
      end
      assert.equal(#units, crowd:go(units, 12, 12))
      assert.is_truthy(run(crowd, checker, 400), "seed " .. seed)
      for _ = 1, 5 do assert.same({}, crowd:beat()) end
    end
  end)

  it("lets groups pass through each other, whether they move or have stopped", function()
    for seed, size in ipairs { 1, 1, 2, 3 } do
      local grid = astar.grid(110, 24)
      local finder, large = grid:finder(), grid:finder { size = size }
      local crowd, checker = astar.crowd(finder, { seed = seed }), crowd_checker.new(grid)
      for group, x in ipairs { 10, 30, 67, 87 } do
        local units, is_large = {}, group % 2 == 0 and size > 1
        for i = 0, is_large and 7 or 47 do
          local step = is_large and size or 1
          local unit = crowd:add(x + i % 8 * step - 4, 9 + math.floor(i / 8) * step,
            { finder = is_large and large or finder })
          units[i + 1] = unit
          checker:watch(unit, { size = is_large and size or 1 })
        end
        crowd:go(units, 97 - x, 12)
      end
      assert.is_truthy(run(crowd, checker, 400), "size " .. size)
    end
  end)

  it("brings groups to rest if their goals are a cell or two apart, so that their cells overlap", function()
    for seed, apart in ipairs { 1, 2, 1 } do
      local grid, r = astar.grid(30, 24), random.new(seed)
      local crowd = astar.crowd(grid:finder(), { seed = seed })
      for i = 1, 40 do
        local unit
        repeat unit = crowd:add(r:int(1, 30), r:int(1, 24)) until unit
        unit:go(15 + i % 2 * apart, 12)
      end
      for _ = 1, 400 do crowd:beat() end
      assert.equal(0, crowd.under_way)
      for _ = 1, 20 do assert.same({}, crowd:beat()) end
    end
  end)

  it("brings to rest two groups of large units whose goals are a cell apart", function()
    for seed = 1, 4 do
      local grid, r, units = astar.grid(60, 60), random.new(seed), {}
      local size = seed % 2 + 2
      local crowd, checker = astar.crowd(grid:finder { size = size }, { seed = seed }), crowd_checker.new(grid)
      while #units < (size == 2 and 40 or 16) do
        local unit = crowd:add(r:int(1, 61 - size), r:int(1, 61 - size))
        if unit then
          units[#units + 1] = unit
          checker:watch(unit, { size = size })
          unit:go(30 + #units % 2, 30)
        end
      end
      assert.is_truthy(run(crowd, checker, 1000), "seed " .. seed)
    end
  end)

  it("lets large units pass each other if two rows of them fit", function()
    for _, case in ipairs { { 20, 4, 2, 1 }, { 30, 6, 2, 6 }, { 40, 8, 2, 16 }, { 30, 6, 3, 1 }, { 60, 12, 3, 8 } } do
      local width, height, size, count = case[1], case[2], case[3], case[4]
      local grid = astar.grid(width, height)
      local crowd, checker = astar.crowd(grid:finder { size = size }), crowd_checker.new(grid)
      local west, east, rows = {}, {}, math.floor(height / size)
      for i = 0, count - 1 do
        local x, y = 1 + math.floor(i / rows) * size, 1 + i % rows * size
        west[i + 1], east[i + 1] = crowd:add(x, y), crowd:add(width - size + 2 - x, y)
        checker:watch(west[i + 1], { size = size })
        checker:watch(east[i + 1], { size = size })
      end
      crowd:go(west, width - size, math.floor(height / 2))
      crowd:go(east, 2, math.floor(height / 2))
      assert.is_truthy(run(crowd, checker, 300), table.concat(case, " "))
    end
  end)

  it("lets large units exchange places in a street of two lanes, side by side as they arrive", function()
    for _, case in ipairs { { 30, 6, 3, 2 }, { 60, 6, 3, 2 }, { 60, 8, 4, 4 }, { 60, 10, 4, 4 }, { 60, 12, 4, 4 } } do
      local width, height, size, count = case[1], case[2], case[3], case[4]
      for seed = 1, 5 do
        local grid = astar.grid(width, height)
        local crowd, checker = astar.crowd(grid:finder { size = size }, { seed = seed }), crowd_checker.new(grid)
        local west, east = {}, {}
        for i = 0, count - 1 do
          local x, y = 1 + math.floor(i / 2) * size, 1 + i % 2 * size
          west[i + 1], east[i + 1] = crowd:add(x, y), crowd:add(width - size + 2 - x, y)
          checker:watch(west[i + 1], { size = size })
          checker:watch(east[i + 1], { size = size })
        end
        crowd:go(west, width - size, math.floor(height / 2))
        crowd:go(east, 2, math.floor(height / 2))
        assert.is_truthy(run(crowd, checker, 600), table.concat(case, " ") .. " seed " .. seed)
      end
    end
  end)

  it("brings to rest groups of large units that wait for each other in a ring", function()
    for seed = 1, 100 do
      local r = random.new(seed)
      local width, height, size = r:int(40, 70), r:int(14, 24), r:int(2, 3)
      local grid = astar.grid(width, height)
      for _ = 1, r:int(0, 3) do
        grid:block(r:int(8, width - 26), r:int(1, height - 5), r:int(2, 5), r:int(2, 5))
      end
      local finder, x, y = grid:finder { size = size }, 1, r:int(1, height - 2)
      local crowd, units = astar.crowd(finder, { seed = seed }), {}
      for _ = 1, 120 do
        local from_x, from_y = r:int(width - 19, width), r:int(1, height)
        if finder:find_path(from_x, from_y, x, y) then
          units[#units + 1] = crowd:add(from_x, from_y)
        end
      end
      crowd:go(units, x, y)
      for _ = 1, 800 do
        if crowd.under_way == 0 then break end
        crowd:beat()
      end
      assert.equal(0, crowd.under_way, "seed " .. seed)
    end
  end)

  it("brings all units to goals of their own if half of the cells are occupied", function()
    for _, rule in ipairs(RULES) do
      local r = random.new(3)
      local grid = astar.grid(16, 16)
      local crowd, checker, cells = astar.crowd(grid:finder { diagonals = rule }), crowd_checker.new(grid), {}
      for i = 1, 256 do cells[i] = i - 1 end
      local function shuffle() for i = 256, 2, -1 do
        local j = r:int(1, i)
        cells[i], cells[j] = cells[j], cells[i]
      end end
      shuffle()
      local units = {}
      for i = 1, 128 do
        units[i] = crowd:add(cells[i] % 16 + 1, math.floor(cells[i] / 16) + 1)
        checker:watch(units[i], { diagonals = rule })
      end
      shuffle()
      for i, unit in ipairs(units) do unit:go(cells[i] % 16 + 1, math.floor(cells[i] / 16) + 1) end
      assert.is_truthy(run(crowd, checker, 300), rule)
    end
  end)

  it("moves the unit of higher priority first, and a unit of period 3 one cell every three beats", function()
    local grid = astar.grid "........."
    local crowd = astar.crowd(grid:finder())
    local slow = crowd:add(1, 1, { period = 3 })
    slow:go(9, 1)
    for _ = 1, 7 do crowd:beat() end
    assert.same({ 4, 1 }, { slow:cell() })
    local first, second = crowd:add(6, 1), crowd:add(8, 1)
    second:set_priority(5)
    assert.equal(5, second.priority)
    first:go(7, 1)
    second:go(7, 1)
    crowd:beat()
    assert.same({ 7, 1 }, { second:cell() })
  end)

  it("takes edits of the grid into account from the next beat on", function()
    local grid = astar.grid(3, 3)
    local crowd = astar.crowd(grid:finder { diagonals = "never" })
    local unit = crowd:add(1, 2)
    unit:go(3, 2)
    crowd:step(1000000)
    grid:block(2, 2)
    crowd:beat()
    assert.equal(1, (unit:cell()))
    for _ = 1, 4 do crowd:beat() end
    assert.equal("arrived", unit.state)
    grid:block(3, 2) -- under it: it stands, and may leave
    crowd:beat()
    assert.same({ 3, 2 }, { unit:cell() })
    assert.is_true(unit:go(1, 1))
    for _ = 1, 7 do crowd:beat() end
    assert.equal("arrived", unit.state)
    assert.same({ nil, "goal blocked" }, { unit:go(3, 2) })
    grid:block(2, 1, 1, 3)
    assert.is_true(unit:go(3, 1))
    crowd:beat()
    assert.equal("stuck", unit.state)
    assert.same({ nil, "start blocked" }, { crowd:add(2, 1) })
    assert.same({ nil, "occupied" }, { crowd:add(unit:cell()) })
  end)

  it("turns units around when a pocket in front of them is walled up, before all distances are recomputed", function()
    local grid = astar.grid(300, 300)
    local finder = grid:finder { diagonals = "never" }
    local crowd = astar.crowd(finder, { expansions = 5000 }) -- 20 beats
    local unit = crowd:add(10, 150)
    unit:go(290, 150)
    for _ = 1, 60 do crowd:beat() end
    for _, wall in ipairs { { 90, 145, 1, 11 }, { 80, 145, 10, 1 }, { 80, 155, 10, 1 } } do
      grid:block(wall[1], wall[2], wall[3], wall[4])
    end
    local beats, x, y = 0, unit:cell()
    local path = finder:find_path(x, y, 290, 150)
    while unit.state ~= "arrived" do
      crowd:beat()
      beats = beats + 1
    end
    assert.equal(path.cost, beats)
  end)

  it("moves units over links and past walls", function()
    local grid = astar.grid "..#..\n..#.."
    grid:link(2, 1, 4, 1, { one_way = true })
    grid:wall(1, 1, "east")
    local crowd = astar.crowd(grid:finder { diagonals = "never" })
    local unit = crowd:add(1, 1)
    unit:go(5, 1)
    for _ = 1, 5 do crowd:beat() end
    assert.same({ 5, 1 }, { unit:cell() })
    unit:go(1, 1)
    crowd:beat()
    assert.equal("stuck", unit.state)
  end)

  it("makes units wait if their distances exceed the limit of bytes", function()
    local grid = astar.grid(20, 20)
    local crowd = astar.crowd(grid:finder(), { bytes = 210 }) -- one field: half a byte a cell
    local first, second = crowd:add(1, 1), crowd:add(20, 20)
    first:go(10, 1)
    second:go(10, 20)
    crowd:beat()
    assert.equal("moving", first.state)
    assert.equal("planning", second.state)
    for _ = 1, 10 do crowd:beat() end
    first:stop()
    for _ = 1, 12 do crowd:beat() end
    assert.equal("arrived", second.state)
  end)

  it("returns the drawn positions of many units in one call", function()
    local r = random.new(5)
    local grid = astar.grid(20, 20, { origin = { -3, 7 } })
    local crowd, list = astar.crowd(grid:finder(), { speed = 3 }), { 1, 2, 3, 4, 5, 6, 7 }
    assert.same({ {}, 0 }, { crowd:positions(list) })
    for _ = 1, 60 do
      local unit = crowd:add(r:int(-3, 16), r:int(7, 26))
      if unit and r:chance(0.7) then unit:go(r:int(-3, 16), r:int(7, 26)) end
    end
    for round = 1, 40 do
      if round % 8 == 0 then crowd:units()[r:int(1, #crowd)]:remove() end
      crowd:update(0.1)
      local read, count = crowd:positions(list)
      local told = {}
      for _, unit in ipairs(crowd:units()) do
        table.insert(told, unit.x)
        table.insert(told, unit.y)
        table.insert(told, unit.heading or false)
      end
      assert.is_true(rawequal(list, read))
      assert.same({ told, #crowd }, { read, count })
      assert.same(told, (crowd:positions()))
    end
  end)

  it("returns drawn positions between beats, and reports which unit moved to which cell", function()
    local grid = astar.grid(9, 9, { origin = { 0, 0 } })
    local crowd = astar.crowd(grid:finder(), { speed = 2 })
    local unit = crowd:add(0, 0)
    assert.is_nil(unit.heading)
    unit:go(4, 4)
    assert.same({ 4, 4 }, { unit:goal() })
    assert.equal(1, crowd:update(0.125))
    assert.same({ 0.25, 0.25, "south_east" }, { unit.x, unit.y, unit.heading })
    crowd:update(0.375)
    assert.same({ 1, 1 }, { unit.x, unit.y })
    local moves = crowd:beat()
    assert.equal(1, #moves)
    assert.is_true(rawequal(unit, moves[1].unit))
    moves[1].unit = nil
    assert.equal("south_east", moves[1].heading)
    assert.is_true(rawequal(unit, crowd:unit_at(unit:cell())))
    assert.is_true(unit:remove())
    assert.equal("removed", unit.state)
    assert.is_nil(unit.x)
    assert.equal(0, #crowd)
    assert.has_error(function() unit:go(1, 1) end, "unit has been removed")
    assert.equal("astar unit, removed", tostring(unit))
    assert.equal("astar crowd, 0 units, 0 under way", tostring(crowd))
  end)

  it("refuses finders with options that it cannot honour, and finders of other grids", function()
    local grid = astar.grid(5, 5)
    local function refused(options, what, hex)
      local finder = (hex and astar.grid(5, 5, { shape = "hex", offset = "odd_r" }) or grid):finder(options)
      local _, message = pcall(astar.crowd, finder)
      assert.equal("a crowd cannot honour " .. what, message:match "^[^:]+:%d+: ([^:]+)" or message:match "^[^:]+")
    end
    refused({ cost = function() return 1 end }, "a cost function")
    refused({ step_cost = function() return 1 end }, "a step_cost function")
    refused({ bend_cost = 1 }, "bend_cost")
    refused({ any_angle = true }, "any_angle")
    refused(nil, "hexagons", true)
    local crowd = astar.crowd(grid:finder())
    local other = astar.grid(5, 5):finder()
    assert.has_error(function() crowd:add(1, 1, { finder = other }) end, "finder belongs to another grid")
  end)

  it("is the only crowd of its grid: a second crowd is an error, and an invalid dump keeps the first", function()
    local grid = astar.grid(11, 3)
    local first = astar.crowd(grid:finder())
    local unit = first:add(1, 1)
    unit:go(11, 1)
    assert.is_false((pcall(astar.load_crowd, first:dump():sub(1, -2), grid:finder())))
    first:beat()
    local second = astar.crowd(grid:finder())
    assert.is_not_nil(second:add(2, 1)) -- where the other's stands
    local message = "another crowd was made of this crowd's grid since: use one crowd with several finders and " ..
      "sides, or a grid per crowd"
    for _, method in ipairs { "beat", "dump", "positions", "resolving", "step", "units" } do
      assert.has_error(function() first[method](first) end, message)
    end
    assert.has_error(function() first:add(5, 2) end, message)
    assert.has_error(function() first:update(1) end, message)
    assert.same({ 2, 1 }, { unit:cell() })
    second:beat()
    astar.load_crowd(second:dump(), grid:finder()):beat()
    assert.has_error(function() second:beat() end, message)
    astar.crowd(astar.grid(11, 3):finder()):beat()
  end)

  it("brings a group through a door even if its goal is straight behind the door's wall", function()
    for _, diagonals in ipairs { "never", "only_when_no_obstacles" } do
      local grid = astar.grid(60, 30)
      grid:block(20, 1, 1, 30)
      grid:unblock(20, 15)
      local crowd = astar.crowd(grid:finder { diagonals = diagonals })
      local checker, units = crowd_checker.new(grid), {}
      for x = 6, 15 do
        for y = 10, 19 do units[#units + 1] = crowd:add(x, y) end
      end
      for _, unit in ipairs(units) do unit:go(40, 15) end
      assert.is_truthy(run(crowd, checker, 600))
      for _, unit in ipairs(units) do
        local x, y = unit:cell()
        assert.is_true(x > 20 and math.max(math.abs(x - 40), math.abs(y - 15)) <= 14)
      end
    end
  end)

  it("fills the far side of a goal first, so that all units come through the door before it", function()
    local grid, r = astar.grid(80, 40), random.new(3)
    grid:block(40, 1, 1, 40)
    grid:unblock(40, 20)
    local crowd, checker, units = astar.crowd(grid:finder { diagonals = "never" }), crowd_checker.new(grid), {}
    while #units < 300 do
      local unit = crowd:add(r:int(20, 39), r:int(1, 40))
      if unit then
        units[#units + 1] = unit
        unit:go(60, 20)
      end
    end
    assert.is_truthy(run(crowd, checker, 1000))
    local beyond = 0
    for _, unit in ipairs(units) do
      local x = unit:cell()
      assert.is_true(x > 40)
      beyond = beyond + (x > 60 and 1 or 0)
    end
    assert.is_true(beyond > #units / 4)
  end)

  it("does not let a pressing group push away units that have another goal", function()
    for _, diagonals in ipairs { "never", "only_when_no_obstacles" } do
      local crowd = astar.crowd(astar.grid(9, 1):finder { diagonals = diagonals })
      for x = 4, 5 do crowd:add(x, 1):go(5, 1) end
      for _ = 1, 3 do crowd:beat() end
      local late, other = crowd:add(3, 1), crowd:add(6, 1)
      late:go(5, 1)
      other:go(1, 1)
      for _ = 1, 4 do
        crowd:beat()
        assert.is_true((other:cell()) <= 6)
      end
    end
  end)

  it("makes units wait in line before a door that they cannot pass yet", function()
    for _, diagonals in ipairs { "never", "only_when_no_obstacles" } do
      local grid, r = astar.grid(80, 40), random.new(7)
      grid:block(40, 1, 1, 40)
      grid:unblock(40, 20)
      local crowd, checker = astar.crowd(grid:finder { diagonals = diagonals }), crowd_checker.new(grid)
      local units, from, last, steps, back = {}, {}, {}, 0, 0
      while #units < 200 do
        local unit = crowd:add(r:int(20, 39), r:int(1, 40))
        if unit then
          units[#units + 1] = unit
          checker:watch(unit, { diagonals = diagonals })
          unit:go(r:int(41, 79), r:int(1, 40))
        end
      end
      for _ = 1, 200 do
        for i, unit in ipairs(units) do from[i] = { unit:cell() } end
        checker:begin()
        crowd:beat()
        checker:finish()
        for i, unit in ipairs(units) do
          local x, y = unit:cell()
          local came = from[i][1] + 100 * from[i][2]
          if x < 40 and x + 100 * y ~= came then
            steps = steps + 1
            back = back + (last[i] == x + 100 * y and 1 or 0)
            last[i] = came
          end
        end
      end
      assert.is_true(steps > 1000 and back <= 0.02 * steps, ("%s: %d of %d"):format(diagonals, back, steps))
    end
  end)

  it("never lets units overlap, whatever the map, orders and edits, in beats made in steps or in one call", function()
    local steps = 0
    for seed = 1, 25 do
      local _, _, taken = crowd_soak.run(astar, seed, 60)
      steps = steps + taken
    end
    assert.is_true(steps > 1000)
  end)
end)

describe("a crowd over links, drawn between its beats", function()
  -- Every unit's discs stay apart, and no unit is drawn on its way over a link, which joins any two cells, neighbours
  -- at a corner among them.
  local function check_links(seed)
    local r = random.new(seed)
    local grid, units, crossed = astar.grid(7, 7), {}, 0
    for _ = 1, 12 do
      local x, y = r:int(1, 6), r:int(2, 6)
      local to_x, to_y = x + 1, y + r:pick { -1, 1 }
      if r:chance(0.3) then to_x, to_y = r:int(1, 7), r:int(1, 7) end
      if to_x ~= x or to_y ~= y then
        grid:link(x, y, to_x, to_y, { one_way = r:chance(0.5), cost = 0.5 + 2 * r:number() })
      end
    end
    local crowd = astar.crowd(grid:finder { diagonals = r:pick(RULES) }, { speed = 4, seed = seed })
    for _ = 1, 16 do
      local unit = crowd:add(r:int(1, 7), r:int(1, 7), { period = r:int(1, 2) })
      units[#units + 1] = unit
    end
    for frame = 0, 399 do
      for _, unit in ipairs(frame % 60 == 0 and units or {}) do unit:go(r:int(1, 7), r:int(1, 7)) end
      local before = {}
      for i, unit in ipairs(units) do before[i] = { unit.x, unit.y } end
      crowd:update(0.25 / 8)
      for i, unit in ipairs(units) do
        local x, y = unit:cell()
        local dx, dy = math.abs(unit.x - before[i][1]), math.abs(unit.y - before[i][2])
        if math.max(dx, dy) > 0.5 then -- over a link, all at once
          crossed = crossed + 1
          assert(unit.x % 1 == 0 and unit.y % 1 == 0, "drawn on its way over a link")
        end
        local is_between = unit.x % 1 > 0 or unit.y % 1 > 0
        assert(not is_between or math.abs(unit.x - x) < 1 and math.abs(unit.y - y) < 1, "drawn far from its cell")
        for j = 1, i - 1 do
          local other = units[j]
          local apart = math.sqrt((unit.x - other.x) ^ 2 + (unit.y - other.y) ^ 2)
          assert(apart > 0.7, ("discs come to %g"):format(apart))
        end
      end
    end
    return crossed
  end

  it("keeps discs apart and draws every unit on the line between its two cells", function()
    local crossed = 0
    for seed = 1, 10 do
      local ok, result = pcall(check_links, seed)
      assert(ok, ("seed %d: %s"):format(seed, tostring(result)))
      crossed = crossed + result
    end
    assert(crossed > 50, crossed)
  end)
end)
