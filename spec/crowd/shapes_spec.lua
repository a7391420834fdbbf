-- crowd:go with a shape: slots that can be reached, each one's own, and who gets which.

local astar = require "astar"
local crowd_checker = require "spec.support.crowd_checker"
local random = require "spec.support.random"

local SHAPES = { "keep", "line", "box", "wedge", "disc" }

local function new_crowd(grid, count, options)
  local crowd, units = astar.crowd(grid:finder(options)), {}
  for i = 0, count - 1 do units[i + 1] = crowd:add(2 + i % 4, 2 + math.floor(i / 4)) end
  return crowd, units
end

local function goals_of(units)
  local goals = {}
  for i, unit in ipairs(units) do goals[i] = { unit:goal() } end
  return goals
end

describe("shapes of crowd:go", function()
  it("give cells that match the drawing of the shape, rotated to the facing, with its gaps", function()
    local DRAWINGS = {
      { { shape = "line", facing = "north", gap = 1 }, 4, { "o.o.o.o" } },
      { { shape = "line", facing = "east" }, 3, { "o", "o", "o" } },
      { { shape = "box", facing = "north" }, 8, { "oooo", "oooo" } },
      { { shape = "wedge", facing = "north" }, 9, { "..o..", ".ooo.", "ooooo" } },
      { { shape = "wedge", facing = "west" }, 4, { ".o", "oo", ".o" } },
      { { shape = "wedge", facing = math.pi / 2 }, 4, { "ooo", ".o." } },
      { { shape = "disc", facing = "west" }, 5, { ".o.", "ooo", ".o." } },
    }
    for i, case in ipairs(DRAWINGS) do
      local crowd, units = new_crowd(astar.grid(40, 40), case[2])
      assert.equal(case[2], crowd:go(units, 20, 20, case[1]))
      local cells, x0, y0, x1, y1 = {}, 40, 40, 1, 1
      for _, goal in ipairs(goals_of(units)) do
        cells[goal[1] .. " " .. goal[2]] = true
        x0, y0, x1, y1 = math.min(x0, goal[1]), math.min(y0, goal[2]), math.max(x1, goal[1]), math.max(y1, goal[2])
      end
      local lines = {}
      for y = y0, y1 do
        local line = {}
        for x = x0, x1 do line[#line + 1] = cells[x .. " " .. y] and "o" or "." end
        lines[#lines + 1] = table.concat(line)
      end
      assert.same(case[3], lines, "drawing " .. i)
      assert.is_true(math.abs((x0 + x1) / 2 - 20) <= 1 and math.abs((y0 + y1) / 2 - 20) <= 1, "drawing " .. i)
    end
  end)

  it("keep the order in which the units stand", function()
    local crowd, units = new_crowd(astar.grid(40, 40), 11)
    crowd:go(units, 30, 30, { shape = "keep" })
    local first_x, first_y = units[1]:goal()
    for i, goal in ipairs(goals_of(units)) do
      assert.same({ (i - 1) % 4, math.floor((i - 1) / 4) }, { goal[1] - first_x, goal[2] - first_y })
    end
  end)

  it("give each unit a slot that it can reach, whatever is in the way, and all units arrive", function()
    for seed = 1, 16 do
      local r = random.new(seed)
      local grid = astar.grid(r:caves(60, 40))
      local finders = { grid:finder(), grid:finder { size = 2 } }
      local crowd, checker, units = astar.crowd(finders[1]), crowd_checker.new(grid), {}
      local has_sizes = seed % 4 == 0
      local start
      repeat start = crowd:add(r:int(1, 60), r:int(1, 40)) until start
      local x0, y0 = start:cell()
      start:remove()
      for x, y in finders[1]:reach(x0, y0, 8):cells() do
        if #units < 16 then
          local size = has_sizes and #units % 3 == 0 and 2 or 1
          local unit = crowd:add(x, y, { finder = finders[size] })
          if unit then
            units[#units + 1] = unit
            checker:watch(unit, { size = size })
          end
        end
      end
      local shape = r:pick(SHAPES)
      crowd:go(units, r:int(1, 60), r:int(1, 40), { shape = shape, together = r:chance(0.5) })
      local taken = {}
      for _, unit in ipairs(units) do
        local x, y = unit:goal()
        assert.is_truthy(x, "seed " .. seed)
        local own_x, own_y = unit:cell()
        assert.is_true(unit.size > 1 or finders[1]:reachable(own_x, own_y, x, y), "seed " .. seed)
        for row = y, y + unit.size - 1 do
          for column = x, x + unit.size - 1 do
            assert.is_nil(taken[column .. " " .. row], "seed " .. seed .. " " .. shape)
            if finders[1]:reachable(x0, y0, column, row) and not has_sizes then taken[column .. " " .. row] = true end
          end
        end
      end
      for _ = 1, 300 do
        if crowd.under_way == 0 then break end
        checker:begin()
        crowd:beat()
        checker:finish()
      end
      if not has_sizes then assert.equal(0, crowd.under_way, "seed " .. seed .. " " .. shape) end
    end
  end)

  -- All ways of giving out the slots, of few units.
  local function least_sum(cells, slots, i, taken)
    if i > #cells then return 0 end
    local least = math.huge
    for j, slot in ipairs(slots) do
      if not taken[j] then
        taken[j] = true
        local cost = (cells[i][1] - slot[1]) ^ 2 + (cells[i][2] - slot[2]) ^ 2
        least = math.min(least, cost + least_sum(cells, slots, i + 1, taken))
        taken[j] = nil
      end
    end
    return least
  end

  it("assign slots so that the sum of squared distances is smallest", function()
    for seed = 1, 60 do
      local r = random.new(seed)
      local crowd, units, cells = astar.crowd(astar.grid(40, 40):finder()), {}, {}
      while #units < 6 do
        local unit = crowd:add(r:int(1, 40), r:int(1, 40))
        if unit then
          units[#units + 1] = unit
          cells[#cells + 1] = { unit:cell() }
        end
      end
      crowd:go(units, r:int(8, 32), r:int(8, 32),
        { shape = SHAPES[2 + seed % 4], facing = r:int(0, 628) / 100, gap = r:int(0, 2) })
      local goals, sum = goals_of(units), 0
      for i, goal in ipairs(goals) do sum = sum + (cells[i][1] - goal[1]) ^ 2 + (cells[i][2] - goal[2]) ^ 2 end
      assert.equal(least_sum(cells, goals, 1, {}), sum, "seed " .. seed)
    end
  end)

  it("assign each slot once for more than 200 units", function()
    local crowd, units, slots = astar.crowd(astar.grid(80, 80):finder()), {}, {}
    for i = 0, 299 do units[i + 1] = crowd:add(1 + i % 20, 1 + math.floor(i / 20)) end
    assert.equal(300, crowd:go(units, 50, 50, { shape = "box" }))
    for _, goal in ipairs(goals_of(units)) do
      assert.is_nil(slots[goal[1] .. " " .. goal[2]])
      slots[goal[1] .. " " .. goal[2]] = true
    end
  end)

  it("make units move together at the speed of the slowest unit, until the next order", function()
    local crowd = astar.crowd(astar.grid(40, 10):finder())
    local fast, slow = crowd:add(1, 1), crowd:add(1, 3, { period = 3 })
    crowd:go({ fast, slow }, 30, 5, { shape = "keep", together = true })
    assert.same({ 3, 3 }, { fast.period, slow.period })
    for _ = 1, 30 do crowd:beat() end
    assert.is_true(math.abs(fast:cell() - slow:cell()) <= 1)
    crowd:go({ fast }, 1, 1)
    assert.equal(1, fast.period)
    crowd:go({ fast, slow }, 30, 5, { together = true })
    assert.same({ 3, 3 }, { fast.period, slow.period })
    assert.same({ 30, 5 }, { fast:goal() })
    fast:stop()
    assert.equal(1, fast.period)
  end)

  it("raise errors that name invalid options", function()
    local crowd, units = new_crowd(astar.grid(20, 20), 3)
    for _, case in ipairs {
      { { shape = "ring" }, 'shape must be "keep", "line", "box", "wedge" or "disc", got "ring"' },
      { { shape = "keep", gap = 1 }, 'shape "keep" has no facing, nor gap' },
      { { facing = "north" }, "facing and gap are of a shape: tell which" },
      { { shape = "box", facing = "up" }, 'facing must be a heading\'s name or an angle in radians, got "up"' },
      { { shape = "box", gap = 0.5 }, "gap must be a whole number from 0 to 16, got 0.5" },
      { { shape = "box", together = 1 }, "together must be a boolean, got 1" },
      { { shape = "box", range = 2 }, 'shape "box" has no range' },
    } do
      assert.has_error(function() crowd:go(units, 9, 9, case[1]) end, case[2])
    end
    assert.has_error(function() units[1]:go(9, 9, { shape = "box" }) end)
    assert.equal(0, crowd:go({}, 9, 9, { shape = "box" }))
    local walled = astar.crowd(astar.grid("..#"):finder())
    assert.same({ nil, "goal blocked" }, { walled:go({ walled:add(1, 1) }, 3, 1, { together = true }) })
  end)
end)
