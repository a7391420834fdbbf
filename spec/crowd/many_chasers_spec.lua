-- Many units that chase one: they share the distances around it, so that all of them set out within two ticks.

local astar = require "astar"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 200)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local function add_units(r, crowd, width, height, count)
  local units = {}
  for _ = 1, 20 * count do
    local unit = #units < count and crowd:add(r:int(1, width), r:int(1, height))
    if unit then units[#units + 1] = unit end
  end
  return units
end

-- Counts the units by their state.
local function count_states(units)
  local counts = {}
  for _, unit in ipairs(units) do counts[unit.state] = (counts[unit.state] or 0) + 1 end
  return counts
end

-- Steps to the nearest cell beside the goal by breadth-first search; nil for cells without a route. Four directions.
local function steps_from(grid, width, height, x, y)
  local steps, list = { [(y - 1) * width + x] = 0 }, { { x, y } }
  for _, at in ipairs(list) do
    for _, way in ipairs { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } } do
      local nx, ny = at[1] + way[1], at[2] + way[2]
      if nx >= 1 and ny >= 1 and nx <= width and ny <= height and grid:is_walkable(nx, ny) then
        local cell = (ny - 1) * width + nx
        if not steps[cell] then
          steps[cell] = steps[(at[2] - 1) * width + at[1]] + 1
          list[#list + 1] = { nx, ny }
        end
      end
    end
  end
  return steps
end

describe("units that chase one unit by hundreds", function()
  it("all start within two ticks, 3,000 units on open ground of 200 x 200 cells", function()
    local r = random.new(1)
    local crowd = astar.crowd(astar.grid(200, 200):finder())
    local target = crowd:add(150, 160)
    local units = add_units(r, crowd, 200, 200, 3000)
    assert.equal(3000, #units)
    for _, unit in ipairs(units) do unit:chase(target) end
    target:go(20, 20)
    crowd:beat()
    crowd:beat()
    assert.is_true((count_states(units).planning or 0) <= 30)
    for _ = 3, 12 do crowd:beat() end
    assert.is_true((count_states(units).planning or 0) <= 30)
  end)

  it("move in the same way however the work is divided between calls of crowd:step", function()
    for seed = FIRST_SEED, FIRST_SEED + 3 do
      local r = random.new(seed)
      local crowds = {}
      for i = 1, 2 do
        local same = random.new(seed)
        local grid = astar.grid(120, 120)
        for _ = 1, 2000 do grid:block(same:int(1, 120), same:int(1, 120)) end
        local crowd = astar.crowd(grid:finder())
        local target = assert(add_units(same, crowd, 120, 120, 1)[1])
        local units = add_units(same, crowd, 120, 120, 400)
        for _, unit in ipairs(units) do unit:chase(target) end
        crowds[i] = { grid = grid, crowd = crowd, target = target, units = units }
      end
      for beat = 1, 25 do
        local x, y, blocks = r:int(1, 120), r:int(1, 120), r:chance(0.2)
        for i, each in ipairs(crowds) do
          if i == 2 then
            for _ = 1, r:int(0, 40) do each.crowd:step { expansions = r:int(1, 4000) } end
          end
          if beat % 5 == 1 then each.target:go(x, y) end
          if blocks then each.grid:block(y, x) end
          if i == 2 then
            for _ = 1, r:int(0, 40) do each.crowd:step { expansions = r:int(1, 4000) } end
          end
          each.crowd:beat()
        end
        for i, unit in ipairs(crowds[1].units) do
          local x1, y1 = unit:cell()
          local x2, y2 = crowds[2].units[i]:cell()
          local message = ("seed %d, tick %d"):format(seed, beat)
          assert.same({ x1, y1, unit.state }, { x2, y2, crowds[2].units[i].state }, message)
        end
      end
    end
  end)

  it("follow shortest routes, and report that they are stuck if no route exists", function()
    local set_out, hopeless = 0, 0
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local width, height = r:int(12, 40), r:int(12, 40)
      local rows = r:map(width, height)
      for y = 1, height do rows[y] = table.concat(rows[y]) end
      local grid = astar.grid(rows)
      local crowd = astar.crowd(grid:finder { diagonals = "never" })
      local target = add_units(r, crowd, width, height, 1)[1]
      local units = target and add_units(r, crowd, width, height, r:int(16, 40)) or {}
      for _, unit in ipairs(units) do unit:chase(target) end
      if target then target:hold(true) end
      for _ = 1, #units > 0 and 6 or 0 do
        if r:chance(0.3) then
          local x, y = r:int(1, width), r:int(1, height)
          if grid:is_walkable(x, y) and not crowd:unit_at(x, y) then grid:block(x, y) end
        end
        local tx, ty = target:cell()
        local steps = steps_from(grid, width, height, tx, ty)
        for _, move in ipairs(crowd:beat()) do
          -- A unit steps nearer, unless another one makes it go aside or pushes it.
          local before = steps[(move.from_y - 1) * width + move.from_x]
          local after = steps[(move.y - 1) * width + move.x]
          assert.is_true(not before or after ~= nil, "seed " .. seed)
          if before and after < before then set_out = set_out + 1 end
        end
        for _, unit in ipairs(units) do
          local x, y = unit:cell()
          local is_hopeless = not steps[(y - 1) * width + x]
          if is_hopeless then hopeless = hopeless + 1 end
          if unit.state == "stuck" and crowd.beats <= 2 then assert.is_true(is_hopeless, "seed " .. seed) end
        end
      end
    end
    assert.is_true(set_out > 20 * MAPS and hopeless > MAPS, ("%d, %d"):format(set_out, hopeless))
  end)

  it("reach the side of a lone target in as many ticks as the shortest route has steps", function()
    -- Seventeen chasers share one wide window; sixteen of them are held and stand where they bar no way.
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local width, height = r:int(20, 60), r:int(20, 60)
      local rows = r:map(width, height)
      for y = 1, height do rows[y] = table.concat(rows[y]) end
      rows[#rows + 1] = ("#"):rep(width)
      rows[#rows + 1] = (("."):rep(16) .. ("#"):rep(width)):sub(1, width)
      local grid = astar.grid(rows)
      local crowd = astar.crowd(grid:finder { diagonals = "never" })
      local target, chaser = crowd:add(r:int(1, width), r:int(1, height)), crowd:add(r:int(1, width), r:int(1, height))
      for x = 1, target and chaser and 16 or 0 do
        local idle = assert(crowd:add(x, height + 2))
        idle:chase(target)
        idle:hold(true)
      end
      if target and chaser then
        target:hold(true)
        chaser:chase(target)
        local tx, ty = target:cell()
        local cx, cy = chaser:cell()
        local steps = steps_from(grid, width, height + 2, tx, ty)[(cy - 1) * width + cx]
        if steps and steps > 1 then
          for _ = 1, steps - 1 do crowd:beat() end
          assert.equal("arrived", chaser.state, "seed " .. seed)
        end
      end
    end
  end)
end)
