local astar = require "astar"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local error_of = check.error_of

local function drawn(path)
  local cells = {}
  for x, y in path:cells() do cells[#cells + 1] = x .. "," .. y end
  return table.concat(cells, " ")
end

-- A map on which no route is seen at once, and a path from its west to its east.
local function hunt()
  local dice, rows = random.new(5), {}
  for y = 1, 60 do
    local row = {}
    for x = 1, 60 do row[x] = dice:int(1, 10) <= 3 and "#" or "." end
    rows[y] = table.concat(row)
  end
  local grid = astar.grid(table.concat(rows, "\n"))
  local finder = grid:finder()
  for y = 30, 60 do
    local path = finder:find_path(3, 32, 50, y)
    if path then return path, finder, 50, y, grid end
  end
end

-- A cell that can be stepped on from the goal.
local function step_from(finder, x, y)
  for _, direction in ipairs(astar.directions) do
    local path = finder:find_path(x, y, x + direction.dx, y + direction.dy)
    if path and #path == 2 then return x + direction.dx, y + direction.dy end
  end
end

describe("path:retarget", function()
  it("leads from the unit's cell to the goal's new cell", function()
    local path, finder, gx, gy = hunt()
    local x, y = step_from(finder, gx, gy)
    local moved = path:retarget(x, y, { from = 2 })
    assert.same({ path:cell(2) }, { moved:cell(1) })
    assert.same({ x, y }, { moved:cell(#moved) })
    assert.is_true(moved:is_valid())
    local again = moved:retarget(gx, gy)
    assert.same({ gx, gy }, { again:cell(#again) })
    local sx, sy = again:cell(1)
    check.equal_cost(finder:find_path(sx, sy, gx, gy).cost, again.cost, "its cost")
  end)

  it("expands few cells if the goal moved a little", function()
    local path, finder, gx, gy = hunt()
    local x, y = step_from(finder, gx, gy)
    local sx, sy = path:cell(1)
    assert.is_true(path:retarget(x, y).expanded * 10 <= finder:find_path(sx, sy, x, y).expanded)
  end)

  it("returns the cheapest path on request", function()
    local path, finder, gx, gy = hunt()
    for _ = 1, 20 do
      gx, gy = step_from(finder, gx, gy)
      path = path:retarget(gx, gy, { from = 2, bound = 1 })
      local sx, sy = path:cell(1)
      check.equal_cost(finder:find_path(sx, sy, gx, gy).cost, path.cost, "its cost")
    end
  end)

  it("leads straight to a goal in plain view", function()
    local finder = astar.grid(60, 60):finder()
    local path, dice = finder:find_path(3, 3, 50, 30), random.new(2)
    for _ = 1, 30 do
      local gx, gy, x, y = dice:int(20, 60), dice:int(1, 60), path:cell(2)
      path = path:retarget(gx, gy, { from = 2 })
      local best = finder:find_path(x, y, gx, gy)
      assert.equal(drawn(best), drawn(path))
      assert.equal(best.expanded, path.expanded)
      assert.equal(best.cost, path.cost)
    end
  end)

  it("leads back from the middle of a leg if no part of the path is kept", function()
    local finder = astar.grid("....................\n.###################\n...................."):finder()
    local path = finder:find_path(2, 3, 20, 1)
    local moved = path:retarget(6, 3, { from = 8, bound = 100 })
    local x, y = path:cell(8)
    assert.equal(drawn(finder:find_path(x, y, 6, 3)), drawn(moved))
  end)

  it("takes edits of the grid into account", function()
    local path, finder, gx, gy, grid = hunt()
    local x, y = step_from(finder, gx, gy)
    grid:block(path:cell(10))
    local moved = path:retarget(x, y)
    assert.is_true(moved:is_valid())
    local sx, sy = path:cell(1)
    assert.equal(drawn(finder:find_path(sx, sy, x, y)), drawn(moved))
    grid:block(x, y)
    assert.same({ nil, "goal blocked" }, { moved:retarget(x, y) })
  end)

  it("keeps the options that the path was queried with", function()
    local path, finder, gx, gy = hunt()
    local sx, sy = path:cell(1)
    local near = finder:find_path(sx, sy, gx, gy, { max_cost = path.cost })
    local refused = 0
    for _, direction in ipairs(astar.directions) do
      local x, y = gx + direction.dx, gy + direction.dy
      local best = finder:find_path(sx, sy, x, y)
      local moved, reason = near:retarget(x, y)
      if best and best.cost > path.cost + 1e-9 then
        refused = refused + 1
        assert.equal("max_cost", reason)
      elseif best then
        assert.is_true(moved.cost <= path.cost + 1e-9)
      end
    end
    assert.is_true(refused > 0)
  end)

  it("raises errors that name wrong arguments", function()
    local path = astar.grid(5, 5):find_path(1, 1, 5, 5)
    assert.equal("gx must be an integer from 1 to 5, got 6", error_of(function() path:retarget(6, 1) end))
    assert.equal("bound must be a number from 1 to inf, got 0.5",
      error_of(function() path:retarget(5, 1, { bound = 0.5 }) end))
    assert.equal("from must be an integer from 1 to 5, got 6",
      error_of(function() path:retarget(5, 1, { from = 6 }) end))
    assert.equal('unknown option "optimal"; there are "from" and "bound"',
      error_of(function() path:retarget(5, 1, { optimal = true }) end))
  end)
end)

describe("a retargeted path", function()
  local TERRAIN = { ["."] = 1, [","] = 2.5, ["#"] = false }

  local function random_world(dice)
    local width, height, rows = dice:int(14, 36), dice:int(14, 36), {}
    local walls = dice:int(0, 3)
    for y = 1, height do
      local row = {}
      for x = 1, width do
        local throw = dice:int(1, 10)
        row[x] = throw <= walls and "#" or throw >= 10 and "," or "."
      end
      rows[y] = table.concat(row)
    end
    return rows, width, height
  end

  local function random_rules(dice)
    local rules = { diagonals = check.RULES[dice:int(1, 4)] }
    if dice:int(1, 3) == 1 then rules.costs = { [","] = 1 } end
    if dice:int(1, 4) == 1 then rules.size = dice:body(1, 2) end
    if dice:int(1, 8) == 1 then
      rules.step_cost = function(x, _, nx, _, cost) return nx >= x and cost or cost * 2 end
    end
    return rules
  end

  local function edit(dice, world, grid)
    local x, y = dice:int(1, world.width), dice:int(1, world.height)
    world.blocks[oracle.cell(world, x, y)] = not grid:is_blocked(x, y) or nil
    if grid:is_blocked(x, y) then grid:unblock(x, y) else grid:block(x, y) end
  end

  it("obeys the rules and stays within its cost bound after any edits", function()
    local kept, seeds = 0, times("ASTAR_MAPS", 60)
    for seed = 1, seeds do
      local dice, what = random.new(seed), "seed " .. seed
      local rows, width, height = random_world(dice)
      local world, rules = oracle.world(rows, { terrain = TERRAIN }), random_rules(dice)
      if seed % 3 == 1 then layers.add_links(dice, world) end
      if seed % 4 == 1 then layers.add_walls(dice, world) end
      local grid = maps.grid(world)
      local finder = grid:finder(rules)
      local gx, gy = dice:int(1, width), dice:int(1, height)
      local path = finder:find_path(dice:int(1, width), dice:int(1, height), gx, gy)
      local bound = dice:int(1, 4) == 1 and 1 or 1 + dice:int(1, 4) / 10
      for _ = 1, path and 12 or 0 do
        if dice:int(1, 8) == 1 then edit(dice, world, grid) end
        local from = dice:int(1, math.min(3, #path))
        local px = math.min(math.max(gx + dice:int(-1, 1), 1), width)
        local py = math.min(math.max(gy + dice:int(-1, 1), 1), height)
        if dice:int(1, 10) == 1 or finder:reachable(gx, gy, px, py) then gx, gy = px, py end
        local x, y = path:cell(from)
        local best, best_reason = finder:find_path(x, y, gx, gy)
        local moved, reason = path:retarget(gx, gy, { from = from, bound = bound })
        assert.equal(best_reason, reason, what)
        if moved then
          local distances, entry = oracle.distances(world, rules, x, y)
          local least = distances[oracle.cell(world, gx, gy)]
          check.equal_cost(least, best.cost, what)
          assert.is_true(moved.cost <= bound * least + 1e-9, what .. " is too dear")
          local ok, message = pcall(check.path, moved, {
            world = world, rules = rules, entry = entry, sx = x, sy = y, gx = gx, gy = gy })
          assert.is_true(ok, what .. ": " .. tostring(message))
          kept = kept + (moved.expanded < best.expanded and 1 or 0)
          path = moved
        end
      end
    end
    assert.is_true(kept > seeds / 3, kept .. " were kept")
  end)

  it("obeys the rules and stays within its cost bound after any edits on hexagons", function()
    for seed = 1, 40 do
      local dice, what = random.new(seed), "seed " .. seed
      local grid = astar.grid(30, 30, { shape = "hex" })
      for _ = 1, 200 do grid:block(dice:int(1, 30), dice:int(1, 30)) end
      local finder, gx, gy = grid:finder(), dice:int(1, 30), dice:int(1, 30)
      local path = finder:find_path(dice:int(1, 30), dice:int(1, 30), gx, gy)
      for _ = 1, path and 20 or 0 do
        local step = finder:reach(gx, gy, 1)
        local nx, ny = math.min(math.max(gx + dice:int(-1, 1), 1), 30), math.min(math.max(gy + dice:int(-1, 1), 1), 30)
        if step:distance(nx, ny) then gx, gy = nx, ny end
        local moved = path:retarget(gx, gy, { from = math.min(2, #path) })
        if not moved then break end
        local x, y = moved:cell(1)
        assert.is_true(moved.cost <= 1.1 * finder:find_path(x, y, gx, gy).cost + 1e-9, what)
        assert.is_true(moved:is_valid(), what)
        path = moved
      end
    end
  end)
end)

describe("walker:retarget", function()
  it("follows a moving target, and never jumps to another position", function()
    local path, finder, gx, gy = hunt()
    local walker = astar.walker(path, { speed = 3 })
    local prey = astar.walker(finder:find_path(gx, gy, path:cell(5)), { speed = 1 })
    local frames = 0
    repeat
      prey:update(1 / 30)
      local x, y = walker.x, walker.y
      local followed = walker:retarget(prey:cell())
      assert.equal(walker.path, followed)
      assert.same({ x, y }, { walker.x, walker.y })
      walker:update(1 / 30)
      assert.is_true((walker.x - x) ^ 2 + (walker.y - y) ^ 2 <= 0.1001 ^ 2)
      frames = frames + 1
    until walker.arrived or frames > 3000
    assert.is_true(walker.arrived)
    assert.same({ prey:cell() }, { walker.x, walker.y })
  end)

  it("lets the walker continue along its path if there is no route to the new goal", function()
    local grid = astar.grid ".....\n####.\n.#..."
    local walker = astar.walker(grid:find_path(1, 1, 5, 1))
    walker:update(0.5)
    assert.same({ nil, "unreachable" }, { walker:retarget(1, 3) })
    walker:update(60)
    assert.same({ 5, 1 }, { walker.x, walker.y })
    assert.equal("gx must be an integer from 1 to 5, got 9", error_of(function() walker:retarget(9, 1) end))
    assert.equal("bound must be a number from 1 to inf, got 0",
      error_of(function() walker:retarget(1, 1, { bound = 0 }) end))
    assert.equal('unknown option "from"; there is "bound"',
      error_of(function() walker:retarget(1, 1, { from = 1 }) end))
  end)
end)
