local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

-- A field of walls, dense enough that the plain estimate goes astray often.
local function tangled(side)
  local grid = astar.grid(random.new(3):scatter(side, side, 0.3))
  grid:fill(1, 1, side, 1, ".") -- a way round
  grid:fill(side, 1, 1, side, ".")
  grid:fill(1, side, side, 1, ".")
  return grid
end

describe("bake", function()
  it("spares expansions and keeps the route as cheap", function()
    local grid = tangled(60)
    local finder = grid:finder()
    local before = finder:find_path(1, 60, 60, 1)
    local baked = finder:bake { pivots = 4 }
    local after = finder:find_path(1, 60, 60, 1)
    check.equal_cost(before.cost, after.cost, "the route")
    assert.is_true(after.expanded < before.expanded)
    assert.equal(4, baked.pivots)
    assert.equal(60 * 60 * 4 * 4, baked.bytes)
    assert.is_true(baked.gain >= 1.5 and baked.milliseconds >= 0)
  end)

  it("says how much memory it holds, in fours of pivots", function()
    local finder = tangled(60):finder()
    assert.equal(60 * 60 * 4 * 8, finder:bake { pivots = 5 }.bytes)
    assert.equal(60 * 60 * 4 * 4, finder:bake { pivots = 2 }.bytes)
    local left = finder:bake { pivots = 0 }
    assert.same({ pivots = 0, bytes = 0, gain = 1 },
      { pivots = left.pivots, bytes = left.bytes, gain = left.gain })
  end)

  it("weighs the search by steps alone where routes go at any angle", function()
    local grid = tangled(60)
    assert.equal(grid:finder():bake { pivots = 4 }.gain, grid:finder({ any_angle = true }):bake { pivots = 4 }.gain)
  end)

  it("leaves out what does not pay", function()
    local baked = astar.grid(40, 40):finder():bake { pivots = 4 }
    assert.equal(0, baked.pivots)
    assert.equal(0, baked.bytes)
    assert.is_true(baked.gain < 1.5)
  end)

  it("has nothing to bake where jump point search does not run", function()
    local rough = astar.grid("..,..", { terrain = { ["."] = 1, [","] = 2 } })
    assert.equal(0, rough:finder():bake { pivots = 4 }.pivots)
    local grid = tangled(30)
    assert.equal(0, grid:finder({ cost = function(_, _, _, cost) return cost end }):bake { pivots = 4 }.pivots)
    assert.equal(0, grid:finder({ weight = 2 }):bake { pivots = 4 }.pivots)
    assert.equal(0, astar.grid(3, 3, { fill = "#", terrain = { ["#"] = false } }):finder():bake { pivots = 4 }.pivots)
    assert.equal(0, astar.grid(1, 1):finder():bake { pivots = 4 }.pivots)
  end)

  it("goes on without once a wall falls, and serves again when baked again", function()
    local grid = tangled(60)
    local finder, plain = grid:finder(), grid:finder()
    finder:bake { pivots = 4 }
    grid:fill(20, 1, 1, 60, ".") -- opened: what was measured is void
    local path = finder:find_path(20, 1, 20, 60)
    assert.equal(59, path.cost)
    check.equal_cost(plain:find_path(1, 60, 60, 1).cost, finder:find_path(1, 60, 60, 1).cost,
      "across the gap")
    assert.equal(plain:find_path(1, 60, 60, 1).expanded, finder:find_path(1, 60, 60, 1).expanded)
    finder:bake { pivots = 4 }
    assert.is_true(finder:find_path(1, 60, 60, 1).expanded
      < plain:find_path(1, 60, 60, 1).expanded)
  end)

  it("lets searches under way go on, from their start, to as cheap a route", function()
    for steps = 1, 400, 13 do
      local finder = tangled(60):finder()
      local expected = finder:find_path(1, 60, 60, 1)
      local search, queue = finder:search(1, 60, 60, 1), astar.queue()
      local ticket = queue:request(finder, 1, 60, 60, 1)
      search:step(steps)
      queue:update { expansions = steps }
      assert.equal("running", search.status)
      assert.equal(4, finder:bake { pivots = 4 }.pivots)
      assert.equal("running", search:step(1))
      assert.equal(1, search.expanded)
      if steps % 2 == 0 then finder:bake { pivots = 0 } end
      while search:step(steps) == "running" do end
      while queue:update { expansions = steps } > 0 do end
      assert.equal("found", search.status)
      check.equal_cost(expected.cost, search:path().cost, "the search's route")
      check.equal_cost(expected.cost, ticket:path().cost, "the queue's route")
      assert.equal(finder:find_path(1, 60, 60, 1).expanded, search.expanded)
      assert.equal(0, ticket.restarts)
    end
  end)

  it("leaves out distances beyond its whole numbers", function()
    local width, rows = 1000, 546
    local grid = astar.grid(width, 2 * rows - 1)
    for i = 1, rows - 1 do -- a corridor of 546,000 cells that winds through the map
      grid:fill(1, 2 * i, width, 1, "#")
      grid:set(i % 2 == 1 and width or 1, 2 * i, ".")
    end
    local finder = grid:finder { diagonal_cost = 8192 / 8191 } -- steps of about 8000
    local baked = finder:bake { pivots = 4 }
    assert.same({ 0, 0, 1 }, { baked.pivots, baked.bytes, baked.gain })
    assert.equal(rows * (width - 1) + 2 * (rows - 1), finder:find_path(1, 1, 1, 2 * rows - 1).cost)
  end)

  it("stays good while walls are built, one by one or many", function()
    local grid = tangled(60)
    local finder, plain = grid:finder(), grid:finder()
    finder:bake { pivots = 4 }
    grid:block(20, 20, 1, 5)
    for x = 1, 60, 7 do grid:fill(x, 31, 3, 1, "#") end
    grid:fill(30, 30, 1, 1, "#")
    local with, without = finder:find_path(1, 60, 60, 1), plain:find_path(1, 60, 60, 1)
    check.equal_cost(without.cost, with.cost, "the route")
    assert.is_true(with.expanded < without.expanded)
  end)

  for _, rule in ipairs(RULES) do
    it("never makes a route dearer, whatever is edited, with diagonals " .. rule, function()
      for seed = 1, 60 do
        local source = random.new(seed)
        local width, height = source:int(1, 40), source:int(1, 40)
        local grid = astar.grid(source:scatter(width, height, source:pick { 0, 0.1, 0.3, 0.45 }))
        local options = { diagonals = rule, diagonal_cost = source:pick { 1, 1.4, 2 ^ 0.5, 2 } }
        local finder = grid:finder(options)
        options.algorithm = "astar"
        local plain = grid:finder(options)
        local baked = finder:bake { pivots = source:int(1, 8) }
        for _ = 1, 15 do
          local sx, sy = source:int(1, width), source:int(1, height)
          local gx, gy = source:int(1, width), source:int(1, height)
          local path, reason = finder:find_path(sx, sy, gx, gy)
          local expected, why = plain:find_path(sx, sy, gx, gy)
          assert.equal(why, reason)
          if path then
            assert.is_true(path:is_valid())
            check.equal_cost(expected.cost, path.cost,
              ("seed %d, %d pivots, (%d, %d) to (%d, %d)"):format(seed, baked.pivots, sx, sy, gx, gy))
          end
          if source:chance(0.5) then
            grid:set(source:int(1, width), source:int(1, height), source:pick { "#", "#", "." })
          end
        end
      end
    end)
  end
end)
