local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of

local RULES = check.RULES

-- From S to G: true | false, x, y.
local function raycast(drawing, options, map)
  local grid, at = maps.read(drawing, map)
  return grid:finder(options):raycast(at.S.x, at.S.y, at.G.x, at.G.y)
end

describe("finder:raycast", function()
  it("returns true if no obstacle is between the two cells", function()
    assert.same({ true }, { raycast [[
      S....
      .....
      ....G
    ]] })
  end)

  it("returns the first cell that stops the ray", function()
    assert.same({ false, 3, 1 }, { raycast "S.#.#.G" })
    assert.same({ false, 5, 1 }, { raycast "G.#.#.S" })
  end)

  it("is stopped by a blocked last cell", function()
    local grid = astar.grid "...#"
    assert.same({ false, 4, 1 }, { grid:finder():raycast(1, 1, 4, 1) })
  end)

  it("returns true from a cell to itself", function()
    assert.is_true((astar.grid(3, 3):finder():raycast(2, 2, 2, 2)))
  end)

  it("ignores the unit's own block on the first cell", function()
    local grid = astar.grid(4, 1)
    grid:block(1, 1)
    assert.is_true((grid:finder():raycast(1, 1, 4, 1)))
    grid:block(3, 1)
    assert.same({ false, 3, 1 }, { grid:finder():raycast(1, 1, 4, 1) })
  end)

  it("is stopped on its first cell if the terrain there is blocked for the unit", function()
    local grid = astar.grid("#..\n...\n...")
    assert.same({ false, 1, 1 }, { grid:finder():raycast(1, 1, 3, 1) })
    assert.same({ false, 1, 1 }, { grid:finder():raycast(1, 1, 1, 1) })
    assert.same({ false, 3, 1 }, { grid:finder { size = 2 }:raycast(3, 1, 2, 2) }) -- juts out there
  end)

  it("takes into account blocks that are set and removed", function()
    local grid = astar.grid(5, 1)
    local finder = grid:finder()
    grid:block(3, 1)
    assert.same({ false, 3, 1 }, { finder:raycast(1, 1, 5, 1) })
    grid:unblock(3, 1)
    assert.is_true((finder:raycast(1, 1, 5, 1)))
  end)

  it("uses the grid's own coordinates", function()
    local grid = astar.grid("..#.", { origin = { 10, -4 } })
    assert.same({ false, 12, -4 }, { grid:finder():raycast(10, -4, 13, -4) })
    assert.equal("x1 must be an integer from 10 to 13, got 14",
      error_of(function() grid:finder():raycast(10, -4, 14, -4) end))
  end)

  it("applies the finder's rule for corners", function()
    local one, both = [[
      S#
      .G
    ]], [[
      S#
      #G
    ]]
    assert.is_true((raycast(one, { diagonals = "always" })))
    assert.is_true((raycast(both, { diagonals = "always" })))
    assert.is_true((raycast(one, { diagonals = "if_at_most_one_obstacle" })))
    assert.same({ false, 2, 1 }, { raycast(both, { diagonals = "if_at_most_one_obstacle" }) })
    assert.same({ false, 2, 1 }, { raycast(one) })
    assert.same({ false, 1, 2 }, { raycast [[
      S.
      #G
    ]] })
  end)

  it("uses only steps in four directions if diagonals are never allowed", function()
    local free = raycast([[
      S..
      ..G
    ]], { diagonals = "never" })
    assert.is_true(free)
  end)

  it("is stopped by terrain that this unit cannot enter", function()
    local map = { terrain = { ["."] = 1, w = 1 } }
    assert.is_true((raycast("S.w.G", nil, map)))
    assert.same({ false, 3, 1 }, { raycast("S.w.G", { costs = { w = false } }, map) })
  end)

  it("is stopped by cells that the cost callback forbids", function()
    local function cost(x, _, _, ground) return x ~= 4 and ground end
    assert.same({ false, 4, 1 }, { raycast("S....G", { cost = cost }) })
  end)

  it("is stopped by steps that the step_cost callback forbids", function()
    local function eastward(x, _, nx, _, cost) return nx > x and cost end
    assert.is_true((raycast("S..G", { step_cost = eastward })))
    assert.is_false((raycast("G..S", { step_cost = eastward })))
  end)

  it("passes on the error of a callback", function()
    local finder = astar.grid(3, 1):finder { cost = function() error("stop", 0) end }
    local ok, message = pcall(finder.raycast, finder, 1, 1, 3, 1)
    assert.is_false(ok)
    assert.equal("stop", message)
  end)

  it("raises an error that names an argument that is not a cell", function()
    local finder = astar.grid(20, 10):finder()
    assert.equal("x0 must be an integer from 1 to 20, got 0: cells count from 1, unless the grid is made with "
      .. "origin = { 0, 0 }",
      error_of(function() finder:raycast(0, 1, 1, 1) end))
    assert.equal("y0 must be an integer from 1 to 10, got 1.5: a cell has whole numbers, math.floor(...)",
      error_of(function() finder:raycast(1, 1.5, 1, 1) end))
    assert.equal("x1 must be an integer from 1 to 20, got nil: pass two numbers, such as cell.x, cell.y",
      error_of(function() finder:raycast(1, 1) end))
    assert.equal("y1 must be an integer from 1 to 10, got 11",
      error_of(function() finder:raycast(1, 1, 1, 11) end))
  end)

  for _, rule in ipairs(RULES) do
    it("gives the results of a plain implementation on random maps if diagonals are " .. rule, function()
      for seed = 1, 60 do
        local r = random.new(seed)
        local world = oracle.world(r:scatter(r:int(1, 12), r:int(1, 12), 0.15))
        local finder = maps.grid(world):finder { diagonals = rule }
        for _ = 1, 20 do
          local x0, y0 = r:int(1, world.width), r:int(1, world.height)
          local x1, y1 = r:int(1, world.width), r:int(1, world.height)
          local rules = { diagonals = rule }
          local what = ("seed %d, (%d, %d) to (%d, %d)"):format(seed, x0, y0, x1, y1)
          local expected = { oracle.raycast(world, rules, x0, y0, x1, y1) }
          assert.same(expected, { finder:raycast(x0, y0, x1, y1) }, what)
        end
      end
    end)

    it("returns the same from both ends, except from a blocked cell, if diagonals are " .. rule, function()
      for seed = 1, 120 do
        local r = random.new(seed)
        local world = oracle.world(r:scatter(r:int(1, 12), r:int(1, 12), 0.2))
        for cell = 1, world.width * world.height do world.blocks[cell] = r:chance(0.06) or nil end
        local rules = { diagonals = rule, size = r:pick { 1, 1, 2, 3, { 2, 1 }, { 1, 3 } } }
        local grid = maps.grid(world)
        for _ = 1, r:pick { 0, 3, 20 } do
          grid:wall(r:int(1, world.width), r:int(1, world.height), r:pick { "north", "east", "south", "west" })
        end
        local finder, entry = grid:finder(rules), oracle.entry_costs(world, rules)
        local function is_blocked(x, y)
          return oracle.can_stand(world, rules, x, y) and not entry[oracle.cell(world, x, y)]
        end
        for _ = 1, 20 do
          local x0, y0 = r:int(1, world.width), r:int(1, world.height)
          local x1, y1 = r:int(1, world.width), r:int(1, world.height)
          if not is_blocked(x0, y0) and not is_blocked(x1, y1) then
            assert.equal((finder:raycast(x0, y0, x1, y1)), (finder:raycast(x1, y1, x0, y0)),
              ("seed %d, (%d, %d) to (%d, %d)"):format(seed, x0, y0, x1, y1))
          end
        end
      end
    end)
  end
end)
