-- Fields: layers of numbers over a map, alone and as what a finder avoids.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of

local function values(field)
  local x0, y0, x1, y1 = field:bounds()
  local rows = {}
  for y = y0, y1 do
    local row = {}
    for x = x0, x1 do row[#row + 1] = field:get(x, y) end
    rows[#rows + 1] = row
  end
  return rows
end

describe("astar.field", function()
  it("makes a field that is 0 everywhere at first", function()
    assert.same({ { 0, 0, 0 }, { 0, 0, 0 } }, values(astar.field(3, 2)))
  end)

  it("makes a field that returns its size, origin, tostring name and bytes", function()
    local field = astar.field(30, 20, { origin = { -4, 7 } })
    assert.same({ 30, 20 }, { field:size() })
    assert.same({ -4, 7, 25, 26 }, { field:bounds() })
    assert.equal("astar field 30 x 20", tostring(field))
    assert.is_true(field:bytes() >= 30 * 20 * 4)
    field:set(-4, 26, 2)
    assert.equal(2, field:get(-4, 26))
    assert.equal("x must be an integer from -4 to 25, got 26", error_of(function() field:get(26, 7) end))
  end)

  it("makes a field of the size and origin of a grid", function()
    local field = astar.field(astar.grid("...\n...", { origin = { 0, 5 } }))
    assert.same({ 0, 5, 2, 6 }, { field:bounds() })
  end)
end)

describe("a field", function()
  it("has values that can be set, added to and filled", function()
    local field = astar.field(3, 2)
    field:set(1, 1, 2.5)
    field:add(1, 1, 0.25)
    field:add(2, 1, 1)
    field:fill(2, 2, 2, 1, 7)
    assert.same({ { 2.75, 1, 0 }, { 0, 7, 7 } }, values(field))
    field:fill(0.5)
    assert.same({ { 0.5, 0.5, 0.5 }, { 0.5, 0.5, 0.5 } }, values(field))
  end)

  it("limits values to the range from -1000000 to 1000000", function()
    local field = astar.field(2, 1)
    field:add(1, 1, -3)
    assert.equal(-3, field:get(1, 1))
    field:set(2, 1, 999999)
    field:add(2, 1, 5)
    assert.equal(1000000, field:get(2, 1))
    for _ = 1, 3 do field:stamp(2, 1, 1, -1000000) end
    assert.same({ { -1000000, -1000000 } }, values(field))
    field:scale(-3)
    assert.same({ { 1000000, 1000000 } }, values(field))
  end)

  it("stores values in single precision", function()
    local field = astar.field(1, 1)
    field:set(1, 1, 0.1)
    assert.is_true(math.abs(field:get(1, 1) - 0.1) < 1e-8)
    assert.are_not.equal(0.1, field:get(1, 1))
  end)

  it("fades by decay, and sets values that have almost faded to 0", function()
    local field = astar.field(2, 1)
    field:set(1, 1, 8)
    field:set(2, 1, 0.000002)
    field:decay(0.25)
    assert.same({ { 2, 0 } }, values(field))
    field:decay(1)
    assert.same({ { 2, 0 } }, values(field))
    field:decay(0)
    assert.same({ { 0, 0 } }, values(field))
  end)

  it("counts how often it was changed", function()
    local field = astar.field(3, 3)
    local version = field:version()
    local function changes(change)
      change()
      local changed = field:version() ~= version
      version = field:version()
      return changed
    end
    assert.is_true(changes(function() field:set(1, 1, 2) end))
    assert.is_false(changes(function() field:set(1, 1, 2) end))
    assert.is_true(changes(function() field:add(1, 1, 2) end))
    assert.is_false(changes(function() field:add(1, 1, 0) end))
    assert.is_true(changes(function() field:fill(3) end))
    assert.is_false(changes(function() field:fill(3) end))
    assert.is_true(changes(function() field:stamp(1, 1, 1, 1) end))
    assert.is_true(changes(function() field:decay(0.5) end))
    assert.is_false(changes(function() field:decay(1) end))
  end)

  it("stamps a value that decreases with the distance, down to 0 beyond the radius", function()
    for seed = 1, 200 do
      local r = random.new(seed)
      local width, height = r:int(1, 12), r:int(1, 12)
      local field, before = astar.field(width, height), {}
      for y = 1, height do
        before[y] = {}
        for x = 1, width do
          before[y][x] = r:int(0, 40) / 4
          field:set(x, y, before[y][x])
        end
      end
      local cx, cy, radius, value = r:int(1, width), r:int(1, height), r:int(0, 9), r:int(-40, 80) / 4
      field:stamp(cx, cy, radius, value)
      for y = 1, height do
        for x = 1, width do
          local distance, expected = math.sqrt((x - cx) ^ 2 + (y - cy) ^ 2), before[y][x]
          if distance <= radius then
            expected = expected + value * (1 - distance / (radius + 1))
          end
          assert(math.abs(field:get(x, y) - expected) < 1e-4,
            ("seed %d: (%d, %d) is %s, expected %s"):format(seed, x, y, field:get(x, y), expected))
        end
      end
    end
  end)

  it("accepts stamps far larger than the field", function()
    local field = astar.field(2, 2)
    field:stamp(1, 1, 16777216, 4)
    assert.is_true(math.abs(field:get(2, 2) - 4) < 1e-3)
  end)
end)

-- ---- numbers for each cell ----

-- What a field holds, in a plain table by y * 100 + x.
local function numbers(field)
  local found, x0, y0, x1, y1 = {}, field:bounds()
  for y = y0, y1 do
    for x = x0, x1 do found[y * 100 + x] = field:get(x, y) end
  end
  return found
end

describe("a field that is read and combined", function()
  it("iterates over the cells that are not 0, in order", function()
    local field = astar.field(9, 4, { origin = { -2, 5 } })
    assert.is_nil(field:cells()())
    field:set(6, 8, 2)
    field:set(-2, 6, -1.5)
    field:set(3, 6, 1)
    field:set(0, 5, 7)
    field:set(0, 5, 0)
    local found = {}
    for x, y, value in field:cells() do found[#found + 1] = { x, y, value } end
    assert.same({ { -2, 6, -1.5 }, { 3, 6, 1 }, { 6, 8, 2 } }, found)
  end)

  it("has the same values as a plain table of numbers after any calls", function()
    local function clamp(value) return math.max(-1e6, math.min(value, 1e6)) end
    for seed = 1, 60 do
      local r = random.new(seed)
      local width, height = r:int(1, 34), r:int(1, 20)
      local fields = { astar.field(width, height), astar.field(width, height) }
      local plain = { numbers(fields[1]), numbers(fields[2]) }
      for step = 1, 30 do
        local i, j = r:int(1, 2), r:int(1, 2)
        local field, mine, theirs = fields[i], plain[i], plain[j]
        local x, y = r:int(1, width), r:int(1, height)
        local value, what = r:int(-8, 8) / 4, r:int(1, 9)
        local function each(change)
          for cell, before in pairs(mine) do mine[cell] = clamp(change(before, theirs[cell])) end
        end
        if what == 1 then
          field:set(x, y, value)
          mine[y * 100 + x] = value
        elseif what == 2 then
          local w, h = r:int(1, width - x + 1), r:int(1, height - y + 1)
          field:fill(x, y, w, h, value)
          for row = y, y + h - 1 do
            for column = x, x + w - 1 do mine[row * 100 + column] = value end
          end
        elseif what == 3 then
          field:add_field(fields[j])
          each(function(a, b) return a + b end)
        elseif what == 4 then
          field:add_field(fields[j], value)
          each(function(a, b) return a + value * b end)
        elseif what == 5 then
          field:max(fields[j])
          each(math.max)
        elseif what == 6 then
          field:scale(value)
          each(function(a) return a * value end)
        elseif what == 7 then
          field:threshold(value)
          each(function(a) return a >= value and a or 0 end)
        elseif what == 8 and r:int(1, 4) == 1 then
          field:fill(0)
          each(function() return 0 end)
        elseif what == 9 then
          field:decay(0.5)
          each(function(a) return math.abs(a / 2) < 1e-6 and 0 or a / 2 end)
        end
        for cell, expected in pairs(mine) do
          local got = field:get(cell % 100, math.floor(cell / 100))
          assert(math.abs(got - expected) <= 1e-5 * math.max(1, math.abs(expected)),
            ("seed %d, step %d: %d is %s, expected %s"):format(seed, step, cell, got, expected))
          mine[cell] = got
        end
        local count = 0
        for cx, cy, is in field:cells() do
          count = count + 1
          assert.equal(mine[cy * 100 + cx], is)
        end
        for _, is in pairs(mine) do count = count - (is ~= 0 and 1 or 0) end
        assert.equal(0, count, "seed " .. seed)
      end
    end
  end)

  it("raises an error for a field of another size", function()
    local field, other = astar.field(3, 3), astar.field(3, 3, { origin = { 0, 1 } })
    assert.equal("both fields must have the same cells, 3 x 3 from {1, 1} on, got one of 3 x 3 from {0, 1} on",
      error_of(function() field:add_field(other) end))
    assert.is_truthy(error_of(function() field:max(astar.field(3, 3, { shape = "hex" })) end))
    assert.is_truthy(error_of(function() field:add_field(astar.field(4, 3)) end))
    assert.equal("factor must be a number from -1000000 to 1000000, got nan",
      error_of(function() field:scale(0 / 0) end))
  end)

  it("counts values below 0 as 0 if a finder avoids them", function()
    local grid = astar.grid(7, 3)
    local field = astar.field(grid)
    field:fill(-4)
    field:fill(4, 1, 1, 3, 3)
    for _, algorithm in ipairs { "astar", "dijkstra", "jpsw" } do
      assert.equal(6 + 3, grid:find_path(1, 2, 7, 2, { avoid = field, algorithm = algorithm }).cost)
    end
  end)
end)

describe("the option avoid", function()
  it("makes routes avoid stamped cells, and restores the old route when the stamps have faded", function()
    local grid = astar.grid(9, 5)
    local danger = astar.field(grid)
    local finder = grid:finder { avoid = danger }
    assert.equal(8, finder:find_path(1, 3, 9, 3).cost)
    danger:stamp(5, 3, 1, 50)
    local path = finder:find_path(1, 3, 9, 3)
    for x, y in path:cells() do assert.is_false(x == 5 and y == 3) end
    assert.is_true(path.cost > 8)
    assert.equal(8, grid:find_path(1, 3, 9, 3).cost)
    danger:decay(0)
    assert.equal(8, finder:find_path(1, 3, 9, 3).cost)
  end)

  it("adds the field's value times avoid_weight to the cost of the terrain", function()
    local grid = astar.grid("..", { terrain = { ["."] = 3 } })
    local field = astar.field(2, 1)
    field:set(2, 1, 4)
    assert.equal(7, grid:find_path(1, 1, 2, 1, { avoid = field }).cost)
    assert.equal(5, grid:find_path(1, 1, 2, 1, { avoid = field, avoid_weight = 0.5 }).cost)
    assert.equal(3, grid:find_path(1, 1, 2, 1, { avoid = field, avoid_weight = 0 }).cost)
  end)

  it("adds the field's value to the cost that a callback receives, and the callback's result is final", function()
    local grid = astar.grid(2, 1)
    local field = astar.field(2, 1)
    field:set(2, 1, 4)
    local heard
    local path = grid:find_path(1, 1, 2, 1, {
      avoid = field, cost = function(_, _, _, cost) heard = cost return 2 end,
    })
    assert.equal(5, heard)
    assert.equal(2, path.cost)
  end)

  it("may make a cell more expensive than any terrain, and a callback may accept that cost", function()
    local grid = astar.grid(3, 1)
    local field = astar.field(3, 1)
    field:fill(1e6)
    local function as_given(_, _, _, cost) return cost end
    local function as_given_step(_, _, _, _, cost) return cost end
    for _, callbacks in ipairs { {}, { cost = as_given }, { step_cost = as_given_step } } do
      callbacks.avoid, callbacks.avoid_weight = field, 5
      assert.equal(10000002, grid:find_path(1, 1, 3, 1, callbacks).cost)
    end
  end)

  it("affects smoothing, path:reverse and path costs", function()
    local grid = astar.grid(9, 5)
    local danger = astar.field(grid)
    danger:stamp(5, 3, 2, 50)
    local path = grid:find_path(1, 3, 9, 3, { avoid = danger })
    local smooth = path:smooth()
    assert.is_true(smooth.cost <= path.cost + 1e-9)
    danger:fill(1)
    assert.equal(2 * path.length, path:reverse().cost)
  end)

  it("keeps the field in memory as long as the finder", function()
    local grid = astar.grid(3, 1)
    local finder
    do
      local field = astar.field(3, 1)
      field:fill(5)
      finder = grid:finder { avoid = field }
    end
    collectgarbage()
    collectgarbage()
    assert.equal(12, finder:find_path(1, 1, 3, 1).cost)
  end)

  it("allows jump point search if the field is 0 everywhere, but not the algorithm jps", function()
    local grid = astar.grid(20, 10)
    local path = grid:find_path(1, 1, 20, 10, { avoid = astar.field(grid) })
    assert.equal("jpsw", path.algorithm)
    assert.equal('algorithm "jps" cannot honour avoid', error_of(function()
      grid:finder { avoid = astar.field(grid), algorithm = "jps" }
    end))
  end)

  it("raises an error if the field does not cover the grid's cells", function()
    local grid = astar.grid(20, 10)
    assert.equal("avoid must be a field of the grid's size, origin and shape: astar.field(grid) has them",
      error_of(function() grid:finder { avoid = astar.field(10, 20) } end))
    assert.equal("avoid must be a field of the grid's size, origin and shape: astar.field(grid) has them",
      error_of(function() grid:finder { avoid = astar.field(20, 10, { origin = { 0, 0 } }) } end))
  end)

  it("causes an error if a callback edits the field during a query", function()
    local grid = astar.grid(5, 1)
    local field = astar.field(grid)
    assert.matches("^grid was edited during the search: ", error_of(function()
      grid:find_path(1, 1, 5, 1, {
        avoid = field, cost = function() field:add(1, 1, 1) return 1 end,
      })
    end))
    assert.equal(4, grid:find_path(1, 1, 5, 1, { cost = function()
      field:add(1, 1, 1)
      return 1
    end }).cost) -- nobody avoids it there
  end)
end)

describe("random fields", function()
  local TERRAIN = { ["."] = 1, ["#"] = false, r = 0.5, g = 3 }

  local function random_field(r, world)
    local field = astar.field(world.width, world.height, { origin = { world.x0, world.y0 } })
    for _ = 1, r:int(0, 4) do
      field:stamp(world.x0 + r:int(0, world.width - 1), world.y0 + r:int(0, world.height - 1),
        r:int(0, 5), r:pick { 0.25, 1, 8, 100 })
    end
    if r:chance(0.3) then field:add(world.x0, world.y0, 0.1) end
    return field
  end

  it("are honoured by every algorithm that accepts avoid", function()
    for seed = 1, 600 do
      local r = random.new(seed)
      local width, height = r:sides()
      local rows = r:map(width, height)
      if r:chance(0.5) then r:sow(rows, { "r", "g" }) end
      local world = oracle.world(rows, { terrain = TERRAIN, origin = r:pick { { 1, 1 }, { -3, 8 } } })
      local grid = maps.grid(world)
      local rules = {
        diagonals = r:pick(check.RULES), diagonal_cost = r:pick { math.sqrt(2), 1.4, 1, 2 },
        avoid = random_field(r, world), avoid_weight = r:pick { 1, 0.5, 10, 0 },
      }
      local sx, sy = world.x0 + r:int(0, width - 1), world.y0 + r:int(0, height - 1)
      local gx, gy = world.x0 + r:int(0, width - 1), world.y0 + r:int(0, height - 1)
      local distances, entry = oracle.distances(world, rules, sx, sy)
      local refusal = oracle.refusal(world, rules, entry, sx, sy, gx, gy)
      local best = distances[oracle.cell(world, gx, gy)]
      for _, algorithm in ipairs(check.algorithms(rules, world)) do
        rules.algorithm = algorithm
        local ok, problem = pcall(function()
          local path, reason = grid:find_path(sx, sy, gx, gy, rules)
          if refusal or not best then
            assert.equal(refusal or "unreachable", reason)
          else
            check.equal_cost(best, assert(path, reason).cost, algorithm)
            check.path(path, {
              world = world, rules = rules, entry = entry, sx = sx, sy = sy, gx = gx, gy = gy,
            })
            local smooth = path:smooth()
            assert.is_true(smooth.cost <= path.cost * (1 + 1e-9), "smooth is dearer")
          end
        end)
        assert(ok, ("seed %d, %s: %s\n%s"):format(seed, algorithm, tostring(problem),
          maps.describe(world)))
      end
    end
  end)

  -- Blocks all cells but those of a way through the map, which it returns as a list of cells.
  local function only_way(grid, diagonals)
    local way, x, y = {}, 1, 2
    for i = 0, 12 do
      x = i == 0 and 1 or x + 1
      if diagonals then y = 2 + i % 2 end
      way[#way + 1] = { x, y }
    end
    local x0, y0, x1, y1 = grid:bounds()
    for row = y0, y1 do
      for column = x0, x1 do grid:block(column, row) end
    end
    for _, cell in ipairs(way) do grid:unblock(cell[1], cell[2]) end
    return way
  end

  for _, kind in ipairs { "four moves", "eight moves", "hexagons" } do
    it("are added exactly to the smallest and the greatest costs, by " .. kind, function()
      for seed = 1, 60 do
        local r = random.new(seed)
        local base = r:pick { 0.001, 0.37, 1, 1000, 1000000 }
        local eight = kind == "eight moves"
        local shape = kind == "hexagons" and "hex" or "square"
        local grid = astar.grid(13, 4, { shape = shape, terrain = { ["."] = base }, fill = "." })
        local field, weight = astar.field(grid), r:pick { 0, 0.1, 1, 1000 }
        local way = only_way(grid, eight)
        local length, sum = eight and r:pick { 1, 1.4, 2 } or 1, 0
        for i, cell in ipairs(way) do
          field:set(cell[1], cell[2], r:pick { -3, 0, 1, 0.25, 7, 1000, 1000000 })
          if i > 1 then sum = sum + (base + weight * math.max(0, field:get(cell[1], cell[2]))) * length end
        end
        local path = grid:finder {
          algorithm = "astar", avoid = field, avoid_weight = weight, diagonal_cost = eight and length or nil,
          diagonals = eight and "always" or kind == "four moves" and "never" or nil,
        }:find_path(1, 2, way[#way][1], way[#way][2])
        assert.is_true(math.abs(path.cost - sum) <= 1e-11 * sum,
          ("seed %d: %.17g, not %.17g"):format(seed, path.cost, sum))
      end
    end)
  end

  it("cause no more expansions than the same costs as terrain", function()
    for seed = 1, 20 do
      local r = random.new(seed)
      for _, shape in ipairs { "square", "hex" } do
        local terrain = { ["1"] = 1, ["2"] = 2, ["3"] = 3, ["4"] = 4 }
        local ground = astar.grid(32, 32, { shape = shape, terrain = terrain, fill = "1" })
        local open = astar.grid(32, 32, { shape = shape })
        local field = astar.field(open)
        for y = 1, 32 do
          for x = 1, 32 do
            local cost = r:int(1, 4)
            ground:set(x, y, tostring(cost))
            field:set(x, y, cost - 1)
          end
        end
        local by_ground = ground:finder({ algorithm = "astar" }):find_path(2, 3, 30, 27)
        local by_field = open:finder({ algorithm = "astar", avoid = field }):find_path(2, 3, 30, 27)
        check.equal_cost(by_ground.cost, by_field.cost, "seed " .. seed)
        assert.is_true(by_field.expanded <= 1.1 * by_ground.expanded,
          ("seed %d: %d expanded, %d by the ground"):format(seed, by_field.expanded, by_ground.expanded))
      end
    end
  end)

  it("may change between two queries of a finder", function()
    for seed = 1, 100 do
      local r = random.new(seed)
      local width, height = r:int(2, 12), r:int(2, 12)
      local world = oracle.world(r:scatter(width, height, 0.1))
      local grid, field = maps.grid(world), astar.field(width, height)
      local rules = { avoid = field }
      local finder = grid:finder(rules)
      for _ = 1, 5 do
        field:stamp(r:int(1, width), r:int(1, height), r:int(0, 3), r:pick { 1, 20, -5 })
        field:decay(0.75)
        local best = oracle.distances(world, rules, 1, 1)[oracle.cell(world, width, height)]
        local path = finder:find_path(1, 1, width, height)
        assert.equal(best == nil or world.keys[1] == "#", path == nil, "seed " .. seed)
        if path then check.equal_cost(best, path.cost, "seed " .. seed) end
      end
    end
  end)
end)
