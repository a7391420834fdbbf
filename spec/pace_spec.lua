-- The pace of the ground: walkers with pace = "cost" and finder:intercept with its_pace = "cost", held against the
-- plain sum of the costs of the steps.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_PACES", 600)
local SQRT2 = math.sqrt(2)
local TERRAIN = { ["."] = 1, ["#"] = false, r = 0.5, s = 3, g = 1.7 }
local SHAPES = {
  {}, {}, { size = 2 }, { diagonals = "never" }, { diagonal_cost = 1.4 }, { shape = "hex" },
  { shape = "hex", offset = "odd_q" }, { wrap = "x" }, { wrap = true },
}
local is_twin = astar.implementation == "lua"

-- The cost of entering a cell: the highest cost of the cells that the unit covers.
local function entry_cost(rows, size, x, y)
  local most = 0
  for row = y, y + size - 1 do
    for column = x, x + size - 1 do most = math.max(most, TERRAIN[rows[row][column]]) end
  end
  return most
end

-- The times at which a unit is on the cells of a path: the sum of the costs so far, by the speed.
local function times_of(path, rows, shape, speed)
  local list = { 0 }
  local cells = path:totable()
  for i = 2, #cells do
    local from, to = cells[i - 1], cells[i]
    local is_diagonal = not shape.shape and from.x ~= to.x and from.y ~= to.y
    local length = is_diagonal and (shape.diagonal_cost or SQRT2) or 1
    list[i] = list[i - 1] + entry_cost(rows, shape.size or 1, to.x, to.y) * length / speed
  end
  return list
end

-- Where a unit is at a time; on the way over a link or over the seam of a map that wraps it stays at the entrance.
local function place_at(path, list, time)
  local i = 1
  while list[i + 1] and list[i + 1] <= time do i = i + 1 end
  local x, y = path:center(i)
  if not list[i + 1] or path:link(i) then return x, y end
  local to_x, to_y = path:center(i + 1)
  local share = (time - list[i]) / (list[i + 1] - list[i])
  return x + (to_x - x) * share, y + (to_y - y) * share
end

local function random_case(seed)
  local r = random.new(seed)
  local shape = r:pick(SHAPES)
  local width, height = 2 * r:int(2, 7), 2 * r:int(2, 6)
  local rows = r:scatter(width, height, shape.size and 0.03 or 0.15)
  r:sow(rows, { "r", "s", "g" })
  local made, grid = pcall(astar.grid, rows, {
    terrain = TERRAIN, shape = shape.shape, offset = shape.offset, wrap = shape.wrap })
  if not made then return nil end -- the twin has squares that do not wrap
  local finder = grid:finder { size = shape.size, diagonals = shape.diagonals, diagonal_cost = shape.diagonal_cost }
  local function cell() return r:int(1, width), r:int(1, height) end
  local sx, sy = cell()
  local path = finder:find_path(sx, sy, cell())
  return path and #path > 1 and path, r, rows, shape, finder
end

describe('a walker with pace = "cost"', function()
  it("is always at the point of its path that the costs of its steps give, on random maps", function()
    local count = 0
    for seed = 1, CASES do
      local path, r, rows, shape = random_case(seed)
      if path then
        count = count + 1
        local speed = r:pick { 0.5, 1, 3 }
        local walker = astar.walker(path, { speed = speed, corner = 0, pace = "cost" })
        local list, time = times_of(path, rows, shape, speed), 0
        while not walker.arrived do
          local dt = r:pick { 0.01, 0.1, 1 / 3, 1.7 }
          local x, y = walker:update(dt)
          time = time + dt
          local at_x, at_y = place_at(path, list, time)
          local is_at_seam = math.abs(x - at_x) + math.abs(y - at_y) > 1e-6
          for i = 1, #list do is_at_seam = is_at_seam and math.abs(list[i] - time) > 1e-6 end
          assert(not is_at_seam, ("seed %d: at %g s the walker is at %g, %g, not at %g, %g"):format(
            seed, time, x, y, at_x, at_y))
          assert.is_true(walker.arrived or time < list[#list] + 1e-6)
        end
      end
    end
    assert.is_true(count > CASES / 5, count)
  end)

  it("arrives after path.cost / speed seconds, however long the frames are", function()
    local grid = astar.grid("..rrss..", { terrain = TERRAIN })
    local path = grid:find_path(1, 1, 8, 1)
    for _, dt in ipairs { 0.01, 0.25, 2 } do
      local walker, time = astar.walker(path, { speed = 2, pace = "cost" }), 0
      while not walker.arrived do
        walker:update(dt)
        time = time + dt
      end
      assert.is_true(time >= path.cost / 2 - 1e-9 and time < path.cost / 2 + dt + 1e-9)
    end
  end)

  it("accelerates by cost, so that mixed ground takes as long as open ground of the same cost", function()
    local mixed = astar.grid("..rrss..", { terrain = TERRAIN }):find_path(1, 1, 8, 1)
    local plain = astar.grid(11, 1):find_path(1, 1, 11, 1)
    assert.equal(plain.cost, mixed.cost)
    local options = { speed = 2, acceleration = 1.5, pace = "cost" }
    local one, other = astar.walker(mixed, options), astar.walker(plain, options)
    local ticks = 0
    repeat
      one:update(1 / 60)
      other:update(1 / 60)
      ticks = ticks + 1
      assert.equal(other.arrived, one.arrived)
    until one.arrived or ticks > 6000
    assert.is_true(one.arrived)
  end)

  it("computes the cost of a step when the step begins", function()
    local grid = astar.grid("......", { terrain = TERRAIN })
    local walker = astar.walker(grid:find_path(1, 1, 6, 1), { pace = "cost" })
    walker:update(1.5)
    grid:set(3, 1, "s")
    grid:set(4, 1, "s")
    walker:update(0.5)
    assert.near(3, walker.x, 1e-9)
    walker:update(1.5)
    assert.near(3.5, walker.x, 1e-9)
  end)

  it("waits before a blocked cell, and then continues at the speed for the ground", function()
    local grid = astar.grid("...s..", { terrain = TERRAIN })
    local walker = astar.walker(grid:find_path(1, 1, 6, 1), { pace = "cost" })
    grid:block(4, 1)
    walker:update(20)
    assert.same({ 3, true }, { walker.x, walker.blocked })
    grid:unblock(4, 1)
    walker:update(1.5)
    assert.near(3.5, walker.x, 1e-9)
  end)

  it("follows a new path in mid-step at the speed for the ground below it", function()
    local grid = astar.grid("..s...\ngggggg", { terrain = TERRAIN })
    local finder = grid:finder { diagonals = "never" }
    local walker = astar.walker(finder:find_path(1, 1, 6, 1), { pace = "cost", corner = 0 })
    walker:update(1 + 1.5)
    assert.near(2.5, walker.x, 1e-9)
    walker:follow(finder:find_path(3, 1, 3, 2))
    walker:update(1.5)
    assert.near(3, walker.x, 1e-9)
    walker:update(0.17)
    assert.near(1.1, walker.y, 1e-9)
    walker:update(1.53)
    assert.is_true(walker.arrived)
  end)

  it("calls cost functions for the cost of each step", function()
    local grid = astar.grid(5, 1)
    local path = grid:finder({ cost = function(x) return x == 3 and 4 or 1 end, min_cost = 1 }):find_path(1, 1, 5, 1)
    local walker = astar.walker(path, { pace = "cost" })
    walker:update(1 + 2)
    assert.near(2.5, walker.x, 1e-9)
  end)

  it('causes an error if the pace is neither "length" nor "cost"', function()
    local path = astar.grid(3, 1):find_path(1, 1, 3, 1)
    assert.equal('pace must be "length" or "cost", got "fast"', check.error_of(function()
      astar.walker(path, { pace = "fast" })
    end))
    local walker = astar.walker(path, { pace = "length" })
    walker:update(0.5)
    assert.near(1.5, walker.x, 1e-9)
  end)
end)

describe("the pace of a walker", function()
  if is_twin then return end

  it("spends on a link the time that the link costs, and no time on a link of cost 0", function()
    local grid = astar.grid("..#..#..", { terrain = TERRAIN })
    grid:link(2, 1, 4, 1, { cost = 5 })
    grid:link(5, 1, 7, 1, { cost = 0 })
    local walker = astar.walker(grid:find_path(1, 1, 8, 1), { pace = "cost" })
    walker:update(1 + 4.9)
    assert.equal(2, walker.x)
    walker:update(0.1 + 0.5)
    assert.near(4.5, walker.x, 1e-6)
    walker:update(0.5 + 0.5)
    assert.near(7.5, walker.x, 1e-6)
  end)

  it("includes the cost of bends, so that the walker arrives after path.cost / speed seconds", function()
    local grid = astar.grid(4, 4)
    local path = grid:finder({ diagonals = "never", bend_cost = 3 }):find_path(1, 1, 4, 4)
    assert.equal(9, path.cost)
    local walker = astar.walker(path, { pace = "cost", corner = 0 })
    walker:update(8.9)
    assert.is_false(walker.arrived)
    walker:update(0.1)
    assert.is_true(walker.arrived)
  end)

  it("is set by the cost of the ground along legs at any angle", function()
    local grid = astar.grid(9, 9, { terrain = { [1] = 2 }, fill = 1 })
    local path = grid:finder({ any_angle = true, diagonal_cost = 1.4 }):find_path(1, 1, 9, 4)
    local walker = astar.walker(path, { pace = "cost", corner = 0 })
    walker:update(2 * path.length - 0.01)
    assert.is_false(walker.arrived)
    walker:update(0.02)
    assert.is_true(walker.arrived)
  end)

  it("is stored in the walker's dump", function()
    for seed = 1, 60 do
      local path, r, _, shape, finder = random_case(seed)
      if path and not shape.wrap then
        local walker = astar.walker(path, { speed = 2, pace = "cost", acceleration = r:pick { 1, 3 } })
        walker:update(r:number() * 3)
        local copy = astar.load_walker(walker:dump(), finder)
        for _ = 1, 20 do
          walker:update(0.3)
          copy:update(0.3)
          assert.same({ walker.x, walker.y, walker.arrived }, { copy.x, copy.y, copy.arrived })
        end
        assert.equal(walker:dump(), copy:dump())
      end
    end
  end)

  it('must not be "cost" on a path of a world', function()
    local world = astar.world { load = function() return require("spec.support.worlds").open_chunk() end }
    local way = world:finder():find_route(1, 1, 9, 1):stretch()
    assert.is_truthy(check.error_of(function() astar.walker(way, { pace = "cost" }) end):find(
      'pace "cost" needs a path of a grid', 1, true))
  end)
end)

describe('finder:intercept with its_pace = "cost"', function()
  if is_twin then return end

  it("returns the earliest meeting of the two units, on random maps", function()
    local count = 0
    for seed = 1, CASES do
      local path, r, rows, shape, finder = random_case(seed)
      if path and not shape.wrap then
        local speed, its_speed = r:pick { 0.5, 1, 2 }, r:pick { 0.5, 1, 2 }
        local x, y = r:int(1, #rows[1]), r:int(1, #rows)
        local list = times_of(path, rows, shape, its_speed)
        local expected, seconds
        for i = 1, #path do
          local way = finder:find_path(x, y, path:cell(i))
          local time = way and way.cost / speed
          if way and (i == #path or time <= list[i] + 1e-9) then
            expected, seconds = i, math.max(time, list[i])
            break
          end
        end
        local options = { speed = speed, its_speed = its_speed, its_pace = "cost" }
        local way, took, index = finder:intercept(x, y, path, options)
        if expected then
          count = count + 1
          assert.equal(expected, index, seed)
          check.equal_cost(seconds, took, "seed " .. seed)
        else
          assert.is_nil(way)
        end
      end
    end
    assert.is_true(count > CASES / 8, count)
  end)

  it('raises an error if its_pace is neither "length" nor "cost"', function()
    local grid = astar.grid(3, 1)
    local path, finder = grid:find_path(1, 1, 3, 1), grid:finder()
    assert.equal('its_pace must be "length" or "cost", got 3', check.error_of(function()
      finder:intercept(1, 1, path, { its_pace = 3 })
    end))
  end)
end)
