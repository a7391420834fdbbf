-- What a path costs up to each of its cells, held against walking it cell by cell by the rules of
-- spec/support/oracle.lua.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local TERRAIN = { ["."] = 1, ["#"] = false, g = 2, s = 5, r = 0.5 }

-- What each cell of the path costs, from the one at `from`, as far as it can be walked: the list of sums by index.
local function sums_of(world, rules, cells, from)
  local entry = oracle.entry_costs(world, rules, cells[from].x, cells[from].y)
  local sums = { [from] = 0 }
  if not oracle.can_stand(world, rules, cells[from].x, cells[from].y) then return sums end
  for i = from + 1, #cells do
    local step = oracle.walk(world, rules, entry, cells, i - 1, i)
    if not step then break end
    sums[i] = sums[i - 1] + step
  end
  return sums
end

local function check_costs(path, world, rules, r)
  local cells = path:totable()
  local sums = sums_of(world, rules, cells, 1)
  local bad -- the first cell that cannot be stepped on
  for i = 1, #cells do
    bad = bad or not sums[i] and i
    local cost, index = path:cost_at(i)
    if bad then
      assert.is_nil(cost)
      assert.equal(bad, index)
    else
      check.equal_cost(sums[i], cost, "up to cell " .. i)
    end
  end
  for _ = 1, 6 do
    local from = r:int(1, #cells)
    local ahead = sums_of(world, rules, cells, from)
    local most = r:pick { 0, r:int(0, 40) / 4, ahead[r:int(from, #cells)] or 3, math.huge }
    local expected = from
    while ahead[expected + 1] and ahead[expected + 1] <= most + 1e-9 do expected = expected + 1 end
    assert.equal(expected, path:index_within(most, from))
    if from == 1 then assert.equal(expected, path:index_within(most)) end
  end
end

local function random_case(seed, is_large)
  local r = random.new(seed)
  local rows = is_large and r:scatter(r:int(5, 16), r:int(5, 16), 0.04) or r:map(r:int(2, 14), r:int(2, 14))
  r:sow(rows, { "g", "s", "r" })
  local world = oracle.world(rows, { terrain = TERRAIN })
  local rules = { diagonals = r:pick(RULES), diagonal_cost = r:pick { math.sqrt(2), 1.4, 1, 2 } }
  if is_large then rules.size = r:body(2, 3) end
  return r, world, rules
end

local function find(r, grid, world, rules)
  return grid:finder(rules):find_path(r:int(1, world.width), r:int(1, world.height), r:int(1, world.width),
    r:int(1, world.height))
end

describe("path:cost_at and path:index_within", function()
  it("return how far a unit can walk with its movement points", function()
    local grid = astar.grid(".g..s.", { terrain = TERRAIN })
    local path = grid:find_path(1, 1, 6, 1)
    assert.same({ 0, 2, 3, 4, 9, 10 }, {
      path:cost_at(1), path:cost_at(2), path:cost_at(3), path:cost_at(4), path:cost_at(5), path:cost_at(6),
    })
    assert.equal(path.cost, path:cost_at(#path))
    assert.same({ 1, 1, 2, 4, 4, 5, 6, 6 }, {
      path:index_within(0), path:index_within(1.9), path:index_within(2), path:index_within(4), path:index_within(8.9),
      path:index_within(9), path:index_within(10), path:index_within(math.huge),
    })
    assert.same({ 4, 5, 6 }, { path:index_within(4, 4), path:index_within(5, 4), path:index_within(6, 4) })
    assert.equal(6, path:index_within(0, 6))
  end)

  it("ignore a block on the unit's own cell, and stop before any other block", function()
    local grid = astar.grid(8, 1)
    local path = grid:find_path(1, 1, 8, 1)
    grid:block(3, 1)
    grid:block(6, 1)
    assert.same({ 5, 2 }, { path:index_within(20, 3), path:index_within(20) })
    assert.equal(1, path:cost_at(2))
    assert.same({ nil, 3 }, { path:cost_at(8) })
  end)

  it("work for a path of one cell", function()
    local path = astar.grid(3, 3):find_path(2, 2, 2, 2)
    assert.same({ 0, 1, 1 }, { path:cost_at(1), path:index_within(0), path:index_within(9) })
  end)

  for _, unit in ipairs { "a unit of one cell", "a large unit" } do
    local is_large = unit == "a large unit"

    it("equal the cost of walking the path on random maps, for " .. unit, function()
      local count = 0
      for seed = 1, 4 * times("ASTAR_PATH_COSTS", 400) do
        local r, world, rules = random_case(seed, is_large)
        local path = find(r, maps.grid(world), world, rules)
        if path then
          count = count + 1
          local ok, problem = pcall(check_costs, path, world, rules, r)
          assert(ok, ("seed %d: %s"):format(seed, tostring(problem)))
        end
      end
      assert.is_true(count > 8)
    end)

    it("use the present map, edited since the path was found, for " .. unit, function()
      local stopped = 0
      for seed = 1, 4 * times("ASTAR_PATH_COSTS", 400) do
        local r, world, rules = random_case(seed, is_large)
        local grid = maps.grid(world)
        local path = find(r, grid, world, rules)
        for _ = 1, path and r:int(1, 6) or 0 do
          local x, y, key = r:int(1, world.width), r:int(1, world.height), r:pick { ".", "#", "g", "s" }
          grid:set(x, y, key)
          world.keys[oracle.cell(world, x, y)] = key
        end
        local x, y = 1, 1
        if path then x, y = path:cell(1) end
        if path and oracle.can_stand(world, rules, x, y) then
          local ok, problem = pcall(check_costs, path, world, rules, r)
          assert(ok, ("seed %d: %s"):format(seed, tostring(problem)))
          if not path:is_valid() then stopped = stopped + 1 end
        end
      end
      assert.is_true(stopped > 0)
    end)
  end

  it("follow the lines of a smoothed path", function()
    for seed = 1, times("ASTAR_PATH_COSTS", 600) do
      local r, world, rules = random_case(seed, seed % 2 == 0)
      local path = find(r, maps.grid(world), world, rules)
      local ok, problem = pcall(check_costs, path and path:smooth(), world, rules, r)
      assert(ok or not path, ("seed %d: %s"):format(seed, tostring(problem)))
    end
  end)

  it("count the cost of bends as path.cost does", function()
    local grid = astar.grid(6, 6)
    local path = grid:finder({ diagonals = "never", bend_cost = 3 }):find_path(1, 1, 4, 3)
    assert.equal(8, path.cost)
    assert.equal(path.cost, path:cost_at(#path))
    local turn = path:waypoints()[2]
    for i = 1, #path do
      local x, y = path:cell(i)
      if x == turn.x and y == turn.y then
        assert.same({ i - 1, i + 3 }, { path:cost_at(i), path:cost_at(i + 1) })
        assert.same({ i, i + 1 }, { path:index_within(i + 2.5), path:index_within(i + 3) })
      end
    end
  end)

  it("include the costs of links", function()
    local grid = astar.grid "...#...."
    grid:link(3, 1, 5, 1, { cost = 7 })
    local path = grid:find_path(1, 1, 8, 1)
    assert.same({ 2, 9, 12 }, { path:cost_at(3), path:cost_at(4), path:cost_at(#path) })
    assert.same({ 3, 4 }, { path:index_within(8.9), path:index_within(9) })
  end)

  it("call callbacks, pass on their errors, and leave the path unchanged", function()
    local price = 1
    local grid = astar.grid(5, 1)
    local path = grid:finder({ cost = function() return price end, min_cost = 1 }):find_path(1, 1, 5, 1)
    price = 3
    assert.equal(6, path:cost_at(3))
    assert.equal(2, path:index_within(5))
    price = "a stone"
    assert.is_false((pcall(path.cost_at, path, 3)))
    price = 2
    assert.equal(4, path:cost_at(3))
  end)
end)
