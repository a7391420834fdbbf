-- finder:cost_of and finder:reach with count = "ground", held against the plain sum of the steps of a path and against
-- Dijkstra's algorithm (spec/support/oracle.lua).

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_COSTS_OF", 800)
local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local TERRAIN = { ["."] = 1, ["#"] = false, g = 2, s = 5, r = 0.5 }
local is_twin = astar.implementation == "lua"

local function random_rules(r)
  return {
    diagonals = r:pick(RULES), diagonal_cost = r:pick { math.sqrt(2), 1.4, 1, 2 },
    costs = r:pick { {}, {}, { s = 1 }, { g = false }, { ["."] = 3, r = 7 } },
    avoid_weight = r:pick { 1, 3 },
    cost = r:pick { false, false, function(x, y, _, cost) return cost + (x + y) % 3 end },
  }
end

local function options_of(rules, field)
  return {
    diagonals = rules.diagonals, diagonal_cost = rules.diagonal_cost, costs = rules.costs, avoid = field,
    avoid_weight = field and rules.avoid_weight, cost = rules.cost or nil, min_cost = rules.cost and 0.5 or nil,
  }
end

-- The rules with which the oracle counts.
local function counting(rules, field)
  local own = {}
  for name, value in pairs(rules) do own[name] = value or nil end
  own.avoid = field
  return own
end

local function random_case(seed)
  local r = random.new(seed)
  local width, height = r:int(2, 14), r:int(2, 12)
  local rows = r:sow(r:map(width, height), { "g", "s", "r" })
  local world = oracle.world(rows, { terrain = TERRAIN })
  local grid = maps.grid(world)
  local field = astar.field(grid)
  for _ = 1, r:int(0, 4) do
    field:stamp(r:int(1, width), r:int(1, height), r:int(0, 3), r:pick { -2, 1, 4, 10 })
  end
  return r, world, grid, field
end

local function assert_equal_cost(expected, got, seed, what)
  local ok, problem = pcall(check.equal_cost, expected, got, what)
  assert(ok, ("seed %d: %s"):format(seed, tostring(problem)))
end

describe("finder:cost_of", function()
  it("returns the sum of the path's steps by the finder's rules, with and without field, on random maps", function()
    local walked, stopped = 0, 0
    for seed = 1, CASES do
      local r, world, grid, field = random_case(seed)
      local path = grid:finder({ diagonals = r:pick(RULES) }):find_path(r:int(1, world.width), r:int(1, world.height),
        r:int(1, world.width), r:int(1, world.height))
      if path then
        local rules, cells = random_rules(r), path:totable()
        local avoid = r:chance(0.7) and field or nil
        local finder = grid:finder(options_of(rules, avoid))
        local from = r:int(1, #cells)
        local to = r:int(from, #cells)
        local sums = {}
        for i, danger in ipairs { avoid or false, false } do
          local own = counting(rules, danger or nil)
          local entry = oracle.entry_costs(world, own, cells[from].x, cells[from].y)
          sums[i] = oracle.can_stand(world, own, cells[from].x, cells[from].y)
            and oracle.walk(world, own, entry, cells, from, to)
        end
        local cost, ground = finder:cost_of(path, from, to)
        if sums[1] then
          walked = walked + 1
          assert_equal_cost(sums[1], cost, seed, "cost")
          assert_equal_cost(sums[2], ground, seed, "ground")
        else
          stopped = stopped + 1
          assert.is_nil(cost)
          assert.is_true(ground >= from and ground <= to)
        end
      end
    end
    assert.is_true(walked > CASES / 6, walked)
    assert.is_true(stopped > 0, stopped)
  end)

  it("returns path.cost for the finder of the path, on the map as it is at the time of the call", function()
    for seed = 1, CASES / 4 do
      local r, world, grid, field = random_case(seed)
      local finder = grid:finder { avoid = field }
      local path = finder:find_path(r:int(1, world.width), r:int(1, world.height), r:int(1, world.width),
        r:int(1, world.height))
      if path then
        assert_equal_cost(path.cost, (finder:cost_of(path)), seed, "path.cost")
      end
    end
    local grid = astar.grid("....", { terrain = TERRAIN })
    local finder = grid:finder()
    local path = finder:find_path(1, 1, 4, 1)
    grid:set(2, 1, "s")
    assert.same({ 7, 7 }, { finder:cost_of(path) })
    grid:block(3, 1)
    assert.same({ nil, 3 }, { finder:cost_of(path) })
    assert.same({ 1, 1 }, { finder:cost_of(path, 3) })
    assert.same({ 0, 0 }, { finder:cost_of(path, 2, 2) })
  end)

  it("accepts paths of other grids with the same cells, and refuses paths with other cells", function()
    local grid, other = astar.grid("...", { terrain = TERRAIN }), astar.grid(".s.", { terrain = TERRAIN })
    assert.same({ 6, 6 }, { other:finder():cost_of(grid:find_path(1, 1, 3, 1)) })
    for _, wrong in ipairs { astar.grid(4, 1), astar.grid(3, 2), astar.grid(3, 1, { origin = { 0, 1 } }) } do
      assert.equal("path must be a path on a grid of the finder's size, origin and shape", check.error_of(function()
        wrong:finder():cost_of(grid:find_path(1, 1, 3, 1))
      end))
    end
  end)

  if is_twin then return end

  it("includes links, bends, blocks to break, and steps over the edge of a map that wraps around", function()
    local grid = astar.grid("..#..", { terrain = TERRAIN })
    grid:link(2, 1, 4, 1, { cost = 7 })
    assert.same({ 9, 9 }, { grid:finder():cost_of(grid:find_path(1, 1, 5, 1)) })
    local open = astar.grid(5, 5)
    local corner = open:finder({ diagonals = "never", bends = "fewest" }):find_path(1, 1, 3, 3)
    assert.same({ 6, 6 }, { open:finder({ bend_cost = 2 }):cost_of(corner) })
    local walls = astar.grid(5, 1)
    walls:block(3, 1, "walls")
    local danger = astar.field(walls)
    danger:set(2, 1, 5)
    local over = walls:finder({ ignore = { "walls" } }):find_path(1, 1, 5, 1)
    assert.same({ 4 + 6 + 5, 4 + 6 }, { walls:finder({ breach = { walls = 6 }, avoid = danger }):cost_of(over) })
    local ring = astar.grid(6, 2, { wrap = "x" })
    assert.same({ 2, 2 }, { ring:finder():cost_of(ring:find_path(1, 1, 5, 1)) })
  end)

  it("works for hexagons and for large units", function()
    local hex = astar.grid({ "..s.", "...." }, { shape = "hex", terrain = TERRAIN })
    local danger = astar.field(hex)
    danger:fill(1)
    local path = hex:finder({ costs = { s = 1 } }):find_path(1, 1, 4, 1)
    assert.same({ 3 + 4 + 3, 3 + 4 }, { hex:finder({ avoid = danger }):cost_of(path) })
    local wide = astar.grid({ "....", "..s." }, { terrain = TERRAIN })
    assert.same({ 10, 10 }, { wide:finder({ size = 2 }):cost_of(wide:find_path(1, 1, 3, 1)) })
    assert.same({ nil, 4 }, { wide:finder({ size = 2 }):cost_of(wide:find_path(1, 1, 4, 1)) })
  end)

  it("raises an error for a path of a world", function()
    local world = astar.world { load = function() return require("spec.support.worlds").open_chunk() end }
    local way = world:finder():find_route(1, 1, 9, 1):stretch()
    assert.equal("a path of a world does not support this method: use its route", check.error_of(function()
      astar.grid(3, 3):finder():cost_of(way)
    end))
  end)
end)

describe('finder:reach with count = "ground"', function()
  it("returns the distances of Dijkstra's algorithm without the field, on random maps", function()
    local count = 0
    for seed = 1, CASES / 2 do
      local r, world, grid, field = random_case(seed)
      local rules = random_rules(r)
      local x, y, points = r:int(1, world.width), r:int(1, world.height), r:int(0, 20) / 2
      local finder = grid:finder(options_of(rules, field))
      local own = counting(rules, nil)
      local distances = oracle.can_stand(world, own, x, y) and oracle.distances(world, own, x, y) or {}
      local reach = finder:reach(x, y, points, { count = "ground" })
      for cell = 1, world.width * world.height do
        local expected = distances[cell]
        local at_x, at_y = oracle.position(world, cell)
        local got = reach:distance(at_x, at_y)
        if expected and expected <= points * (1 + 1e-9) then
          count = count + 1
          assert_equal_cost(expected, got or -1, seed, ("at %d, %d"):format(at_x, at_y))
          local _, ground = finder:cost_of(assert(reach:path(at_x, at_y)))
          assert_equal_cost(expected, ground or -1, seed, "the ground of the path")
        else
          assert.is_nil(got)
        end
      end
    end
    assert.is_true(count > CASES, count)
  end)

  it("ignores its option for a finder that avoids no field, and raises an error for other values", function()
    local finder = astar.grid(5, 1):finder()
    assert.equal(3, finder:reach(1, 1, 3):distance(4, 1))
    assert.equal(3, finder:reach(1, 1, 3, { count = "ground" }):distance(4, 1))
    assert.equal(3, finder:reach(1, 1, 3, { count = "cost" }):distance(4, 1))
    assert.equal('count must be "cost" or "ground", got "danger"', check.error_of(function()
      finder:reach(1, 1, 3, { count = "danger" })
    end))
  end)
end)
