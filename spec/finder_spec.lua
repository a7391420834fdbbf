local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of

local SQRT2 = math.sqrt(2)
local ALGORITHMS, HEURISTICS, RULES = check.ALGORITHMS, check.HEURISTICS, check.RULES

-- From S to G on a drawn map: path | nil, reason. 'options' are a finder's, 'map' astar.grid's.
local function find(drawing, options, map)
  local grid, at = maps.read(drawing, map)
  return grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, options)
end

local function cost_of(drawing, options, map)
  local path, reason = find(drawing, options, map)
  return path and path.cost or reason
end

local function reason_of(drawing, options, map)
  local path, reason = find(drawing, options, map)
  assert.is_nil(path)
  return reason
end

describe("find_path", function()
  it("walks around a corner instead of cutting the corner", function()
    assert.equal(2, cost_of [[
      S.
      #G
    ]])
  end)

  it("returns a straight path over open ground", function()
    local path = find [[
      S....
      ....G
    ]]
    check.equal_cost(3 + SQRT2, path.cost, "path.cost")
    assert.equal(5, #path)
  end)

  it("returns one cell and cost 0 if the start is the goal", function()
    local path = astar.grid(3, 3):find_path(2, 2, 2, 2)
    assert.equal(1, #path)
    assert.same({ 2, 2 }, { path:cell(1) })
    assert.equal(0, path.cost)
    assert.equal(0, path.length)
    assert.is_false(path.partial)
  end)

  it("returns a path on a grid of one cell", function()
    assert.equal(0, astar.grid(1, 1):find_path(1, 1, 1, 1).cost)
  end)

  it("returns the same path from grid:find_path as from a finder with the same options", function()
    local grid, at = maps.read [[
      S..#...
      .#.#.#.
      .#...#G
    ]]
    local options = { diagonals = "always", diagonal_cost = 1.5 }
    local one = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, options)
    local two = grid:finder(options):find_path(at.S.x, at.S.y, at.G.x, at.G.y)
    assert.same(one:cells_flat(), two:cells_flat())
    assert.equal(one.cost, two.cost)
  end)

  it("finds the path along a corridor of a million cells", function()
    local path = astar.grid(1000000, 1):find_path(1000000, 1, 1, 1)
    assert.equal(1000000, #path)
    assert.equal(999999, path.cost)
    assert.same({ 1, 1 }, { path:cell(1000000) })
  end)

  it("finds the path out of a spiral", function()
    local drawing = [[
      S........
      ########.
      .......#.
      .#####.#.
      .#G#...#.
      .#.#####.
      .#.......
      .########
      .........
    ]]
    local _, at, world = maps.read(drawing)
    local distances = oracle.distances(world, {}, at.S.x, at.S.y)
    local best = distances[oracle.cell(world, at.G.x, at.G.y)]
    for _, algorithm in ipairs(ALGORITHMS) do
      check.equal_cost(best, cost_of(drawing, { algorithm = algorithm }), algorithm)
    end
  end)
end)

describe("no route", function()
  it('is nil and "unreachable" if the goal is walled off', function()
    local path, reason = find [[
      S#.
      .#G
    ]]
    assert.is_nil(path)
    assert.equal("unreachable", reason)
  end)

  it('is "goal blocked" if the goal is a wall', function()
    local grid = astar.grid "..#"
    assert.equal("goal blocked", select(2, grid:find_path(1, 1, 3, 1)))
  end)

  it('is "goal blocked" if a block is on the goal', function()
    local grid = astar.grid(3, 1)
    grid:block(3, 1)
    assert.equal("goal blocked", select(2, grid:find_path(1, 1, 3, 1)))
  end)

  it('is "start blocked" if the unit cannot enter the terrain of its start', function()
    local grid = astar.grid "#.."
    assert.equal("start blocked", select(2, grid:find_path(1, 1, 3, 1)))
  end)

  it("reports a blocked start rather than a blocked goal", function()
    local grid = astar.grid "#.#"
    assert.equal("start blocked", select(2, grid:find_path(1, 1, 3, 1)))
    assert.equal("start blocked", select(2, grid:find_path(1, 1, 1, 1)))
  end)

  it("is not reported if the only block on the start is the unit itself", function()
    local grid = astar.grid(3, 1)
    grid:block(1, 1)
    assert.equal(2, grid:find_path(1, 1, 3, 1).cost)
    assert.equal(0, grid:find_path(1, 1, 1, 1).cost)
  end)

  it("is reported by the costs of the finder's unit", function()
    local grid = astar.grid("g.w", { terrain = { g = 1, ["."] = 1, w = false } })
    assert.equal(2, grid:find_path(1, 1, 3, 1, { costs = { w = 1 } }).cost)
    assert.equal("start blocked", select(2, grid:find_path(1, 1, 2, 1, { costs = { g = false } })))
    assert.equal("goal blocked",
      select(2, grid:find_path(2, 1, 1, 1, { costs = { g = math.huge } })))
  end)

  for _, algorithm in ipairs(ALGORITHMS) do
    it("is reported with the same reason from " .. algorithm, function()
      assert.equal("unreachable", reason_of("S#G", { algorithm = algorithm }))
      local grid = astar.grid "#.#."
      local finder = grid:finder { algorithm = algorithm }
      assert.equal("start blocked", select(2, finder:find_path(1, 1, 2, 1)))
      assert.equal("goal blocked", select(2, finder:find_path(2, 1, 3, 1)))
      assert.equal("unreachable", select(2, finder:find_path(2, 1, 4, 1)))
    end)
  end
end)

describe("a cell outside the grid", function()
  local grid = astar.grid(20, 10)
  local finder = grid:finder()

  it("causes an error that names the argument and the bounds", function()
    assert.equal("sx must be an integer from 1 to 20, got 0: cells count from 1, unless the grid is made "
      .. "with origin = { 0, 0 }",
      error_of(function() finder:find_path(0, 1, 1, 1) end))
    assert.equal("sy must be an integer from 1 to 10, got 11",
      error_of(function() finder:find_path(1, 11, 1, 1) end))
    assert.equal("gx must be an integer from 1 to 20, got 1.5: a cell has whole numbers, math.floor(...)",
      error_of(function() finder:find_path(1, 1, 1.5, 1) end))
    assert.equal("gy must be an integer from 1 to 10, got nan",
      error_of(function() finder:find_path(1, 1, 1, 0 / 0) end))
  end)

  it("causes an error in grid:find_path and reachable", function()
    assert.equal("gx must be an integer from 1 to 20, got 21",
      error_of(function() grid:find_path(1, 1, 21, 1) end))
    assert.equal("sx must be an integer from 1 to 20, got nil: pass two numbers, such as cell.x, cell.y",
      error_of(function() finder:reachable() end))
  end)
end)

describe("the option diagonals", function()
  local BOTH_FREE, ONE_FREE, NONE_FREE = [[
      S.
      .G
    ]], [[
      S#
      .G
    ]], [[
      S#
      #G
    ]]

  it("is by default the rule only_when_no_obstacles", function()
    check.equal_cost(SQRT2, cost_of(BOTH_FREE), "both free")
    assert.equal(2, cost_of(ONE_FREE))
    assert.equal("unreachable", cost_of(NONE_FREE))
  end)

  local EXPECTED = {
    always = { SQRT2, SQRT2, SQRT2 },
    if_at_most_one_obstacle = { SQRT2, SQRT2, "unreachable" },
    only_when_no_obstacles = { SQRT2, 2, "unreachable" },
    never = { 2, 2, "unreachable" },
  }
  for rule, costs in pairs(EXPECTED) do
    for _, algorithm in ipairs(check.algorithms { diagonals = rule }) do
      it("decides about corners as the value " .. rule .. " says, by " .. algorithm, function()
        local options = { diagonals = rule, algorithm = algorithm }
        assert.equal(costs[1], cost_of(BOTH_FREE, options))
        assert.equal(costs[2], cost_of(ONE_FREE, options))
        assert.equal(costs[3], cost_of(NONE_FREE, options))
      end)
    end
  end

  it("treats a block as an obstacle", function()
    local grid = astar.grid(2, 2)
    grid:block(2, 1)
    assert.equal(2, grid:find_path(1, 1, 2, 2).cost)
  end)

  it("treats terrain that this unit cannot enter as an obstacle", function()
    local grid = astar.grid("..\nw.", { terrain = { ["."] = 1, w = 1 } })
    assert.equal(SQRT2, grid:find_path(1, 1, 2, 2).cost)
    assert.equal(2, grid:find_path(1, 1, 2, 2, { costs = { w = false } }).cost)
  end)

  it("must be the name of one of four corner rules", function()
    assert.equal('diagonals must be "always", "if_at_most_one_obstacle", "only_when_no_obstacles" '
      .. 'or "never", got "sometimes"', error_of(function()
        astar.grid(2, 2):finder { diagonals = "sometimes" }
      end))
  end)
end)

describe("the option diagonal_cost", function()
  it("sets the length of a diagonal step", function()
    for _, length in ipairs { 1, 1.4, 1.5, 2 } do
      local cost = cost_of([[
        S..
        ...
        ..G
      ]], { diagonal_cost = length })
      check.equal_cost(2 * length, cost, "cost")
    end
  end)

  it("is by default the square root of 2", function()
    check.equal_cost(2 * SQRT2, cost_of [[
      S..
      ...
      ..G
    ]], "cost")
  end)

  it("multiplies the cost of the cell that a diagonal step enters", function()
    local grid = astar.grid(".#\n#s", { terrain = { ["."] = 1, s = 5, ["#"] = false } })
    local path = grid:find_path(1, 1, 2, 2, { diagonals = "always", diagonal_cost = 1.4 })
    check.equal_cost(7, path.cost, "cost")
  end)

  it("may be 2, a diagonal step of twice the length, over terrain of any cost", function()
    for seed = 1, 30 do
      local r = random.new(seed)
      local terrain = { ["."] = r:pick { 1.3, 0.7, 1.1, 0.001 + r:number() }, ["#"] = false }
      terrain.s = terrain["."] * r:pick { 1, 1.5, 3.3 }
      local world = oracle.world(r:sow(r:scatter(12, 9, 0.2), { "s" }), { terrain = terrain })
      local grid = maps.grid(world)
      for _, diagonals in ipairs(check.RULES) do
        local rules = { diagonals = diagonals, diagonal_cost = 2 }
        local sx, sy, gx, gy = r:int(1, 12), r:int(1, 9), r:int(1, 12), r:int(1, 9)
        local best = oracle.distances(world, rules, sx, sy)[oracle.cell(world, gx, gy)]
        for _, algorithm in ipairs(check.algorithms(rules, world)) do
          for _, heuristic in ipairs(check.HEURISTICS) do
            rules.algorithm, rules.heuristic = algorithm, heuristic
            if check.honours(algorithm, rules, world) then
              local path = grid:find_path(sx, sy, gx, gy, rules)
              if path then
                check.equal_cost(best, path.cost, ("seed %d, %s, %s, %s"):format(seed, diagonals, algorithm, heuristic))
                assert.is_true(path:is_valid())
              else
                assert.is_false(best and oracle.can_stand(world, rules, sx, sy) or false)
              end
            end
          end
        end
      end
    end
  end)

  it("must be a number from 1 to 2", function()
    for _, row in ipairs { { 3, "3" }, { 0.5, "0.5" }, { 0 / 0, "nan" }, { "1.4", '"1.4"' } } do
      assert.equal("diagonal_cost must be a number from 1 to 2, got " .. row[2],
        error_of(function() astar.grid(2, 2):finder { diagonal_cost = row[1] } end))
    end
  end)
end)

describe("terrain", function()
  local TERRAIN = { terrain = { ["."] = 1, s = 5, r = 0.5, ["#"] = false } }

  it("adds its cost to a path for each entered cell, and the start costs nothing", function()
    local grid = astar.grid("s.s", TERRAIN)
    assert.equal(6, grid:find_path(1, 1, 3, 1).cost)
    assert.equal(1, grid:find_path(1, 1, 2, 1).cost)
  end)

  it("is avoided by a path if a detour is cheaper", function()
    check.equal_cost(2 + 2 * SQRT2, cost_of([[
      .....
      SsssG
      .....
    ]], nil, TERRAIN), "around the swamp")
  end)

  it("is crossed by a path if crossing the terrain is cheaper than a detour", function()
    assert.equal(6, cost_of([[
      SsG
      .#.
      .#.
      ...
    ]], { diagonals = "never" }, TERRAIN))
  end)

  it("may cost less than 1, and routes stay optimal", function()
    for _, heuristic in ipairs(HEURISTICS) do
      local options = { diagonals = "never", heuristic = heuristic }
      for _, algorithm in ipairs(check.algorithms(options, oracle.world({ ".r" }, TERRAIN))) do
        options.algorithm = algorithm
        assert.equal(9 * 0.5 + 1, cost_of([[
          S.....G
          r.....r
          rrrrrrr
        ]], options, TERRAIN))
      end
    end
  end)
end)

describe("the option costs", function()
  local TERRAIN = { terrain = { ["."] = 1, s = 5, w = false, ["#"] = false } }

  it("overrides the grid's terrain costs for this unit", function()
    assert.equal(6, cost_of("SsG", nil, TERRAIN))
    assert.equal(3, cost_of("SsG", { costs = { s = 2 } }, TERRAIN))
    assert.equal("unreachable", cost_of("SsG", { costs = { s = false } }, TERRAIN))
    assert.equal("unreachable", cost_of("SsG", { costs = { s = math.huge } }, TERRAIN))
    assert.equal(8, cost_of("SwG", { costs = { w = 7 } }, TERRAIN))
  end)

  it("does not change the costs of the grid and of other finders", function()
    local grid = astar.grid("..s.", TERRAIN)
    grid:finder { costs = { s = 1 } }
    assert.equal(5, grid:terrain "s")
    assert.equal(7, grid:finder():find_path(1, 1, 4, 1).cost)
  end)

  it("is copied from the table costs, so that later changes of the table have no effect", function()
    local grid, costs = astar.grid("..s.", TERRAIN), { s = 2 }
    local finder = grid:finder { costs = costs }
    costs.s = 9
    assert.equal(4, finder:find_path(1, 1, 4, 1).cost)
  end)

  it("uses the grid's cost for keys that it does not contain", function()
    local grid = astar.grid("..s.", TERRAIN)
    local finder = grid:finder { costs = { w = 1 } }
    grid:terrain("s", 3)
    assert.equal(5, finder:find_path(1, 1, 4, 1).cost)
  end)

  it("keeps the unit's cost after a later change of the grid's cost", function()
    local grid = astar.grid("..s.", TERRAIN)
    local finder = grid:finder { costs = { s = 2 } }
    grid:terrain("s", 100)
    assert.equal(4, finder:find_path(1, 1, 4, 1).cost)
  end)

  it("does not open blocked cells", function()
    local grid = astar.grid("..s.", TERRAIN)
    grid:block(3, 1)
    assert.equal("unreachable",
      select(2, grid:find_path(1, 1, 4, 1, { costs = { s = 1, w = 1 } })))
  end)

  it("must be a table of known terrain keys and costs", function()
    local grid = astar.grid("..s.", TERRAIN)
    assert.equal("costs must be a table, got 3",
      error_of(function() grid:finder { costs = 3 } end))
    assert.matches('unknown terrain "swamp"',
      error_of(function() grid:finder { costs = { swamp = 1 } } end))
    for _, cost in ipairs { 0, -1, 0 / 0, 2000000, "1", true } do
      assert.matches("from 0.001 to 1000000",
        error_of(function() grid:finder { costs = { s = cost } } end), 1, true)
    end
  end)
end)

describe("the option heuristic", function()
  local DRAWING = [[
    S....#......
    ....##.####.
    ..#.....#...
    .##..##.#.#.
    ......#...#G
  ]]

  for _, heuristic in ipairs(HEURISTICS) do
    it("keeps routes optimal with the value " .. heuristic, function()
      for _, rule in ipairs(RULES) do
        for _, length in ipairs { 1, 1.4, SQRT2, 2 } do
          local options = { diagonals = rule, diagonal_cost = length, algorithm = "dijkstra" }
          local best = cost_of(DRAWING, options)
          options.algorithm, options.heuristic = "astar", heuristic
          check.equal_cost(best, cost_of(DRAWING, options), rule .. " " .. length)
        end
      end
    end)
  end

  it("expands fewer cells than the heuristic none", function()
    local function expanded(heuristic)
      local finder = astar.grid(20, 20):finder { heuristic = heuristic, algorithm = "astar" }
      return finder:find_path(5, 5, 15, 12).expanded
    end
    assert.is_true(expanded "octile" < expanded "zero")
    assert.is_true(expanded "octile" <= expanded "chebyshev")
  end)

  it("must be the name of a heuristic or a function", function()
    local grid = astar.grid(2, 2)
    assert.equal('heuristic must be "octile", "manhattan", "euclidean", "chebyshev" or "zero", '
      .. 'got "octil"', error_of(function() grid:finder { heuristic = "octil" } end))
    assert.equal("heuristic must be a name or a function, got 3",
      error_of(function() grid:finder { heuristic = 3 } end))
  end)
end)

describe("the option weight", function()
  local DRAWING = [[
    S.......#...
    .######.#.#.
    ......#.#.#.
    .####.#...#.
    ....#.#####.
    ###.#......G
  ]]

  it("limits by which factor a route may cost more than the cheapest route", function()
    local best = cost_of(DRAWING)
    for _, weight in ipairs { 1, 1.01, 1.5, 2, 5, 100 } do
      local path = find(DRAWING, { weight = weight, algorithm = "astar" })
      assert.is_true(path.cost >= best - 1e-9 and path.cost <= best * weight + 1e-9)
    end
  end)

  it("must be a weight of at least 1", function()
    for _, weight in ipairs { 0.99, 0, -1, 0 / 0, math.huge, "2" } do
      assert.matches("^weight must be a number ",
        error_of(function() astar.grid(2, 2):finder { weight = weight } end))
    end
  end)
end)

describe("the option max_cost", function()
  it("allows a route that costs exactly max_cost", function()
    assert.equal(4, cost_of("S...G", { max_cost = 4 }))
    assert.equal("max_cost", reason_of("S...G", { max_cost = 3.999 }))
  end)

  for _, algorithm in ipairs(ALGORITHMS) do
    it("is honoured as a limit of cost by " .. algorithm, function()
      local drawing = [[
        S.#..
        ..#..
        ....G
      ]]
      local best = cost_of(drawing)
      assert.equal(best, cost_of(drawing, { max_cost = best, algorithm = algorithm }))
      assert.equal("max_cost", cost_of(drawing, { max_cost = best - 0.01, algorithm = algorithm }))
    end)
  end

  it("may be a limit of 0, which allows no step", function()
    assert.equal("max_cost", reason_of("SG", { max_cost = 0 }))
    assert.equal(0, astar.grid(1, 1):find_path(1, 1, 1, 1, { max_cost = 0 }).cost)
  end)

  it("may be math.huge, which means no limit", function()
    assert.equal(1, cost_of("SG", { max_cost = math.huge }))
  end)

  it("must be a number of at least 0", function()
    for _, cost in ipairs { -1, 0 / 0, "3", false } do
      assert.matches("^max_cost must be a number ",
        error_of(function() astar.grid(2, 2):finder { max_cost = cost } end))
    end
  end)
end)

describe("the option max_expansions", function()
  for _, algorithm in ipairs(ALGORITHMS) do
    it("succeeds with path.expanded of the same query and fails with one expansion less, for " .. algorithm, function()
      local drawing = [[
        S.#..
        ..#..
        ....G
      ]]
      local expanded = find(drawing, { algorithm = algorithm }).expanded
      assert.is_true(expanded > 1)
      local path = find(drawing, { algorithm = algorithm, max_expansions = expanded })
      assert.equal(expanded, path.expanded)
      assert.equal("max_expansions",
        reason_of(drawing, { algorithm = algorithm, max_expansions = expanded - 1 }))
    end)
  end

  it("must be an integer of at least 1", function()
    for _, count in ipairs { 0, -1, 1.5, 0 / 0, "3" } do
      assert.matches("^max_expansions must be an integer ",
        error_of(function() astar.grid(2, 2):finder { max_expansions = count } end))
    end
  end)
end)

describe("the option partial", function()
  it("leads to the reachable cell that is nearest to the goal", function()
    local path = find([[
      S..#..
      ...#.G
      ...#..
    ]], { partial = true })
    assert.is_true(path.partial)
    assert.same({ 3, 2 }, { path:cell(#path) })
    check.equal_cost(1 + SQRT2, path.cost, "path.cost")
  end)

  it("chooses the cheapest of equally near cells", function()
    local path = find([[
      S.#G#.
      ..###.
      ......
    ]], { partial = true, diagonals = "never" })
    assert.same({ 2, 1 }, { path:cell(#path) })
    local tie = find([[
      S#G#.
      .###.
      .....
    ]], { partial = true, diagonals = "never" })
    assert.same({ 1, 1 }, { tie:cell(#tie) })
    assert.equal(0, tie.cost)
  end)

  it("chooses the cheapest of equally near cells over terrain of any costs", function()
    for _, cost in ipairs { 1, 0.3, 0.001 } do
      local path = find([[
        S#G
        ..#
      ]], { partial = true, diagonals = "if_at_most_one_obstacle", diagonal_cost = 2 },
        { terrain = { ["."] = cost, ["#"] = false } })
      assert.equal(0, path.cost) -- (2, 2) is as near: a diagonal step is two cells long here
    end
  end)

  it("has no effect if the goal can be reached", function()
    local path = find("S..G", { partial = true })
    assert.is_false(path.partial)
    assert.equal(3, path.cost)
  end)

  it("leads beside a blocked goal", function()
    local grid = astar.grid(5, 1)
    grid:block(5, 1)
    local path = grid:find_path(1, 1, 5, 1, { partial = true })
    assert.is_true(path.partial)
    assert.same({ 4, 1 }, { path:cell(#path) })
  end)

  it("searches only for the nearest cell if the goal is known to be unreachable", function()
    local grid = astar.grid(200, 200)
    for _, side in ipairs { { 150, 80, 41, 1 }, { 150, 120, 41, 1 }, { 150, 80, 1, 41 }, { 190, 80, 1, 41 } } do
      grid:block(side[1], side[2], side[3], side[4])
    end
    local path = grid:find_path(1, 100, 170, 100, { partial = true, algorithm = "astar" })
    assert.same({ 149, 100 }, { path:cell(#path) })
    assert.is_true(path.expanded < 2 * #path) -- of 40,000 cells
  end)

  it("returns the start if the start is the nearest cell", function()
    local path = find("S#..G", { partial = true })
    assert.equal(1, #path)
    assert.equal(0, path.cost)
    assert.is_true(path.partial)
  end)

  it("has no effect if the start is blocked", function()
    local grid = astar.grid "#.."
    assert.equal("start blocked", select(2, grid:find_path(1, 1, 3, 1, { partial = true })))
  end)

  it("leads as near to the goal as max_cost and max_expansions allow", function()
    local path = find("S.....G", { partial = true, max_cost = 3 })
    assert.is_true(path.partial)
    assert.same({ 4, 1 }, { path:cell(#path) })
    local short = find("S.....G", { partial = true, max_expansions = 3, algorithm = "astar" })
    assert.is_true(short.partial)
    assert.is_true(#short > 1 and #short < 7)
  end)

  it("must be a boolean", function()
    assert.equal("partial must be a boolean, got 1",
      error_of(function() astar.grid(2, 2):finder { partial = 1 } end))
  end)
end)

describe("the option range", function()
  it("accepts a path that ends near the goal", function()
    local path = find("S......G", { range = 2 })
    assert.equal(5, path.cost)
    assert.same({ 6, 1 }, { path:cell(#path) })
    assert.is_false(path.partial)
  end)

  it("is a square around the goal", function()
    local path = find([[
      S...
      ....
      ....
      ...G
    ]], { range = 1, diagonals = "never" })
    assert.equal(4, path.cost)
  end)

  it("accepts a goal that is blocked", function()
    local grid = astar.grid "...#"
    assert.equal("goal blocked", select(2, grid:find_path(1, 1, 4, 1, { range = 0 })))
    assert.equal(2, grid:find_path(1, 1, 4, 1, { range = 1 }).cost)
  end)

  it("needs no step if the unit stands within range of the goal", function()
    local path = find("S..G", { range = 3 })
    assert.equal(1, #path)
    assert.equal(0, path.cost)
  end)

  it("ignores walls between the end of the path and the goal", function()
    assert.equal(1, cost_of("S.#G", { range = 2 }))
    assert.equal("unreachable", cost_of("S.#.G", { range = 1 }))
  end)

  it("must be an integer of at least 0", function()
    for _, range in ipairs { -1, 0.5, 0 / 0, "1" } do
      assert.matches("^range must be an integer ",
        error_of(function() astar.grid(2, 2):finder { range = range } end))
    end
  end)
end)

describe("the option algorithm", function()
  it("is returned in the field path.algorithm of a path", function()
    for _, algorithm in ipairs(ALGORITHMS) do
      if algorithm ~= "auto" then
        assert.equal(algorithm, find("S..G", { algorithm = algorithm }).algorithm)
      end
    end
  end)

  it('is never "auto" in the field path.algorithm', function()
    local algorithm = find("S..G").algorithm
    assert.is_string(algorithm)
    assert.not_equal("auto", algorithm)
  end)

  it("must be the name of an algorithm", function()
    assert.matches('^algorithm must be "auto", .*, got "a%*"$',
      error_of(function() astar.grid(2, 2):finder { algorithm = "a*" } end))
  end)

  it("raises an error if the algorithm cannot honour the other options", function()
    local function zero() return 0 end
    for _, options in ipairs {
      { range = 1 }, { weight = 2 }, { heuristic = zero }, { cost = zero }, { step_cost = zero },
      { heuristic = "zero" }, { diagonals = "always" }, { diagonals = "never" }, {}, { partial = true },
      { diagonals = "always", diagonal_cost = 2 }, { diagonals = "if_at_most_one_obstacle", diagonal_cost = 2 },
      { diagonals = "only_when_no_obstacles", diagonal_cost = 2 },
    } do
      for _, algorithm in ipairs(ALGORITHMS) do
        options.algorithm = algorithm
        if check.honours(algorithm, options) then
          assert.is_userdata(astar.grid(2, 2):finder(options))
        else
          assert.matches(('algorithm "%s" cannot honour '):format(algorithm),
            error_of(function() astar.grid(2, 2):finder(options) end), 1, true)
        end
      end
    end
  end)

  it("raises an error if the terrain is unsuitable, such as several costs with jps", function()
    local grid = astar.grid("...s#", { terrain = { ["."] = 1, s = 5, ["#"] = false } })
    local finder = grid:finder { algorithm = "jps" }
    assert.equal('algorithm "jps" cannot honour ground of several costs', error_of(function()
      finder:find_path(1, 1, 4, 1)
    end))
    grid:set(4, 1, ".") -- one cost again
    assert.equal("jps", finder:find_path(1, 1, 4, 1).algorithm)
    grid:set(4, 1, "s")
    local own = grid:finder { algorithm = "jps", costs = { s = 1 } }
    assert.equal(3, own:find_path(1, 1, 4, 1).cost)
  end)

  it("raises an error if the algorithm cannot honour the options of a query", function()
    for _, algorithm in ipairs { "jps", "jpsw" } do
      local grid = astar.grid("..#.")
      local finder = grid:finder { algorithm = algorithm }
      for _, f in ipairs {
        function() finder:find_path(1, 1, 4, 1, { partial = true }) end,
        function() finder:search(1, 1, 4, 1, { partial = true }) end,
        function() finder:find_nearest(1, 1, { { 4, 1 } }, { partial = true }) end,
        function() astar.queue():request(finder, 1, 1, 4, 1, { partial = true }) end,
        function() grid:find_path(1, 1, 2, 1, { algorithm = algorithm, partial = true }) end,
      } do
        assert.equal(('algorithm "%s" cannot honour partial'):format(algorithm), error_of(f))
      end
    end
    assert.is_true(astar.grid("..#."):finder({ partial = true }):find_path(1, 1, 4, 1).partial)
  end)

  it("raises an error if the map is too long for the algorithm", function()
    for _, algorithm in ipairs { "jps", "jpsw" } do
      assert.matches(('^algorithm "%s" cannot honour a map of 4000000 x 1 cells'):format(algorithm),
        error_of(function() astar.grid(4000000, 1):finder { algorithm = algorithm } end))
    end
  end)

  -- Each of these changes a finder's options, or a question's, by which a route is asked for.
  local function random_options(r)
    local options = {
      algorithm = r:pick(ALGORITHMS), diagonals = r:pick { "always", "if_at_most_one_obstacle",
        "only_when_no_obstacles", "never" }, diagonal_cost = r:pick { 1, SQRT2, 2 },
    }
    if r:chance(0.2) then options.size = 2 end
    if r:chance(0.2) then options.ignore = { "units" } end
    if r:chance(0.1) then options.breach = { units = 1 } end
    if r:chance(0.1) then options.any_angle = true end
    if r:chance(0.1) then options.bends = r:pick { "fewer", "fewest" } end
    if r:chance(0.1) then options.bend_cost = 1 end
    if r:chance(0.1) then options.heuristic = r:pick { "zero", "octile", "manhattan" } end
    if r:chance(0.1) then options.cost = function(_, _, _, cost) return cost end end
    local question = r:chance(0.5) and {} or options
    if r:chance(0.3) then question.partial = true end
    if r:chance(0.1) then question.weight = 2 end
    if r:chance(0.1) then question.range = 1 end
    if r:chance(0.2) then question.max_cost = 9 end
    if r:chance(0.2) then question.max_expansions = 5 end
    return options, question ~= options and question or nil
  end

  it("is the algorithm that runs, or raises an error that names the option it cannot honour", function()
    local answered, refused = 0, 0
    for seed = 1, 1500 do
      local r = random.new(seed)
      local rows = r:scatter(9, 7, 0.2)
      if r:chance(0.3) then r:sow(rows, { "s" }) end
      local grid = astar.grid(rows, { terrain = { ["."] = 1, s = 3, ["#"] = false } })
      if r:chance(0.2) then grid:link(1, 1, 9, 7) end
      if r:chance(0.2) then grid:wall(3, 3, "east") end
      grid:block(r:int(1, 9), r:int(1, 7), 1, 1, "units")
      local options, question = random_options(r)
      local function ask(f)
        local ok, path = pcall(f)
        if not ok then
          assert(path:find " cannot honour " or path:find "^any_angle ", path)
          refused = refused + 1
        elseif path and options.algorithm ~= "auto" then
          assert(path.algorithm == options.algorithm,
            ("seed %d: %s was asked for, %s answered"):format(seed, options.algorithm, path.algorithm))
          answered = answered + 1
        end
      end
      for _ = 1, 4 do
        local x, y, gx, gy = r:int(1, 9), r:int(1, 7), r:int(1, 9), r:int(1, 7)
        ask(function() return (grid:finder(options):find_path(x, y, gx, gy, question)) end)
        ask(function()
          local search = grid:finder(options):search(x, y, gx, gy, question)
          while search:step(3) == "running" do end
          return (search:path())
        end)
      end
    end
    assert(answered > 500 and refused > 500, answered .. " answered, " .. refused .. " refused")
  end)

  it("honours every other option as the algorithm auto does", function()
    local grid = astar.grid("...s.", { terrain = { ["."] = 1, s = 5 } })
    local function ask(options) return grid:find_path(1, 1, 5, 1, options).cost end
    assert.equal(8, ask {})
    assert.equal(4, ask { costs = { s = 1 } })
    assert.equal(7, ask { range = 1 })
    assert.equal(40, ask { cost = function() return 10 end })
    assert.equal(12, ask { step_cost = function() return 3 end })
    grid:terrain("s", 1)
    assert.equal(4, ask {})
    assert.equal(4, ask { heuristic = "zero" })
    assert.equal(4, ask { weight = 3 })
  end)
end)

describe("the options", function()
  local grid = astar.grid(20, 10)

  it("may all be left out", function()
    assert.is_userdata(grid:finder())
    assert.is_userdata(grid:finder {})
    assert.is_userdata(grid:finder(nil))
    assert.is_userdata(grid:find_path(1, 1, 2, 2, nil))
  end)

  it("must be passed in a table", function()
    assert.matches("table", error_of(function() grid:finder(3) end))
    assert.matches("table", error_of(function() grid:find_path(1, 1, 2, 2, "always") end))
  end)

  it("cause an error that suggests the nearest name for a misspelt option", function()
    for wrong, right in pairs {
      diagonal = "diagonals", diagonalcost = "diagonal_cost", cots = "costs", heuristics = "heuristic",
      max_costs = "max_cost", max_expansion = "max_expansions", algoritm = "algorithm",
      stepcost = "step_cost", Range = "range", wieght = "weight", mincost = "min_cost",
    } do
      assert.equal(('unknown option "%s" (did you mean "%s"?)'):format(wrong, right),
        error_of(function() grid:finder { [wrong] = 1 } end))
    end
  end)

  it("cause an error that lists the valid names if no name is near", function()
    local list = '; there are "diagonals", "diagonal_cost", .* and "[%w_]+"$'
    for _, wrong in ipairs { "colour", "x", "", "speed_limit", "costs_of_every_terrain" } do
      local message = error_of(function() grid:finder { [wrong] = 1 } end)
      assert.matches('^unknown option "' .. wrong .. '"' .. list, message)
    end
    assert.equal('unknown option "colour"; there are "terrain", "fill", "origin", "shape", "offset", "wrap" '
      .. 'and "layers". The cost of a terrain stands in the option terrain, { ["colour"] = 1 }',
      error_of(function() astar.grid(2, 2, { colour = 1 }) end))
  end)

  it("cause an error that names any key that is not an option", function()
    for wrong, text in pairs { ["colour of the hat"] = '"colour of the hat"', [1] = "1" } do
      assert.matches("unknown option " .. text,
        error_of(function() grid:finder { [wrong] = 1 } end), 1, true)
    end
  end)

  it("are read through __index, and listed without __pairs", function()
    local options = setmetatable({}, {
      __index = { algorithm = "dijkstra" },
      __pairs = function() error "asked" end,
    })
    assert.equal("dijkstra", grid:find_path(1, 1, 3, 3, options).algorithm)
  end)

  it("are checked in astar.grid in the same way", function()
    assert.equal('unknown option "terain" (did you mean "terrain"?)',
      error_of(function() astar.grid(2, 2, { terain = {} }) end))
    assert.equal('unknown option "orgin" (did you mean "origin"?)',
      error_of(function() astar.grid(2, 2, { orgin = { 0, 0 } }) end))
  end)
end)

describe("a finder", function()
  it("takes every edit of its grid into account", function()
    local grid = astar.grid(3, 3)
    local finder = grid:finder { diagonals = "never" }
    assert.equal(2, finder:find_path(1, 2, 3, 2).cost)
    grid:block(2, 2)
    assert.equal(4, finder:find_path(1, 2, 3, 2).cost)
    grid:block(2, 1)
    assert.equal(4, finder:find_path(1, 2, 3, 2).cost)
    grid:fill(2, 1, 1, 3, "#")
    assert.equal("unreachable", select(2, finder:find_path(1, 2, 3, 2)))
    grid:set(2, 3, ".")
    assert.equal(4, finder:find_path(1, 2, 3, 2).cost)
  end)

  it("keeps its grid in memory", function()
    local finder = astar.grid(3, 3):finder()
    collectgarbage()
    collectgarbage()
    assert.equal(2 * SQRT2, finder:find_path(1, 1, 3, 3).cost)
  end)

  it("works independently of other finders on the same grid", function()
    local grid = astar.grid(".s.\n...", { terrain = { ["."] = 1, s = 5 } })
    local walker = grid:finder { diagonals = "never" }
    local frog = grid:finder { diagonals = "never", costs = { s = 1 } }
    for _ = 1, 3 do
      assert.equal(4, walker:find_path(1, 1, 3, 1).cost)
      assert.equal(2, frog:find_path(1, 1, 3, 1).cost)
    end
  end)

  it("returns the same path for the same query each time", function()
    local finder = astar.grid(15, 15):finder()
    local first = finder:find_path(2, 3, 14, 9)
    finder:find_path(9, 9, 1, 1)
    local second = finder:find_path(2, 3, 14, 9)
    assert.same(first:cells_flat(), second:cells_flat())
    assert.equal(first.expanded, second.expanded)
  end)

  it("does not let getmetatable return its metatable", function()
    assert.is_not_table(getmetatable(astar.grid(1, 1):finder()))
  end)

  it("is described by tostring", function()
    assert.matches("^astar finder", tostring(astar.grid(1, 1):finder()))
  end)
end)
