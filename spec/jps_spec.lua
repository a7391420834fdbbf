local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

describe("jump point search", function()
  -- A corridor that winds through the whole map, row by row.
  local function winding(width, rows)
    local grid = astar.grid(width, 2 * rows - 1)
    for i = 1, rows - 1 do
      grid:fill(1, 2 * i, width, 1, "#")
      grid:set(i % 2 == 1 and width or 1, 2 * i, ".")
    end
    return grid
  end

  it("is chosen by the algorithm auto over terrain of one cost", function()
    local path = astar.grid(9, 9):find_path(1, 1, 9, 5)
    assert.equal("jps", path.algorithm)
    local rough = astar.grid("..,..", { terrain = { ["."] = 1, [","] = 2 } })
    assert.equal("astar", rough:find_path(1, 1, 5, 1).algorithm)
  end)

  it("expands only the start for a goal that lies diagonally, then straight ahead", function()
    for _, rule in ipairs { "always", "if_at_most_one_obstacle", "only_when_no_obstacles" } do
      local grid = astar.grid(41, 39)
      for x = 2, 40, 3 do grid:fill(x, 1, 1, 2, "#") end -- turns enough, but not on the way
      local finder = grid:finder { diagonals = rule, algorithm = "jps" }
      for y = 4, 39 do
        for x = 1, 41 do
          local dx, dy = math.abs(x - 19), math.abs(y - 21)
          local path = finder:find_path(19, 21, x, y)
          local lesser, greater = math.min(dx, dy), math.max(dx, dy)
          assert.is_true(check.near(path.cost, greater - lesser + lesser * 2 ^ 0.5))
          assert.equal(greater == 0 and 0 or 1, path.expanded)
        end
      end
    end
  end)

  it("expands more cells if a block is on the diagonal and straight way to the goal", function()
    local _, at = maps.read [[
      S......
      .......
      ..#....
      ......G
    ]]
    for x = 2, 6 do
      local grid = astar.grid(7, 4)
      grid:set(x, 4, "#")
      grid:set(5, 3, "#")
      local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, { algorithm = "jps" })
      local expected = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, { algorithm = "astar" })
      assert.is_true(path:is_valid())
      assert.is_true(check.near(path.cost, expected.cost))
    end
  end)

  -- Random rooms and scatters, sides around the words of the bitmaps, against A* and, smaller, the
  -- oracle in differential_spec.lua.
  local SIDES = { 1, 2, 7, 33, 62, 63, 64, 65, 66, 126, 128, 130 }
  local function random_grid(source)
    local width, height = source:pick(SIDES), source:pick(SIDES)
    return astar.grid(source:scatter(width, height, source:pick { 0, 0.05, 0.2, 0.35, 0.5, 1 }))
  end

  local function differs(grid, source, options)
    local width, height = grid:size()
    local sx, sy = source:int(1, width), source:int(1, height)
    local gx, gy = source:int(1, width), source:int(1, height)
    options.algorithm = check.honours("jps", options) and "jps" or "auto"
    local path, reason = grid:find_path(sx, sy, gx, gy, options)
    options.algorithm = "astar"
    local expected, why = grid:find_path(sx, sy, gx, gy, options)
    if path and path:is_valid() and expected and check.near(path.cost, expected.cost)
      or not path and reason == why then return nil end
    return ("(%d, %d) to (%d, %d): %s instead of %s"):format(sx, sy, gx, gy,
      path and path.cost or reason, expected and expected.cost or why)
  end

  for _, rule in ipairs { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" } do
    it("finds routes of the costs that A* finds if diagonals are allowed " .. rule, function()
      for seed = 1, 150 do
        local source = random.new(seed)
        local grid = random_grid(source)
        local options = { diagonals = rule, diagonal_cost = source:pick { 1, 1.4, 2 ^ 0.5, 1.9, 2 } }
        for _ = 1, 10 do
          local mistake = differs(grid, source, options)
          assert.is_nil(mistake, ("seed %d: %s"):format(seed, tostring(mistake)))
          local width, height = grid:size()
          grid:set(source:int(1, width), source:int(1, height), source:pick { ".", "#" })
        end
      end
    end)

    it("is chosen by the algorithm auto if diagonals are allowed " .. rule, function()
      assert.equal("jps", astar.grid(9, 9):find_path(1, 1, 9, 5, { diagonals = rule }).algorithm)
    end)
  end

  it("finds the routes of the edited grid after large and small edits, with other algorithms in between", function()
    for seed = 1, 40 do
      local source = random.new(seed)
      local rows = source:scatter(130, 70, 0.3)
      local grid, fresh = astar.grid(rows), nil
      local function same(algorithm)
        local options = { algorithm = algorithm, diagonals = check.RULES[seed % 4 + 1] }
        local sx, sy, gx, gy = source:int(1, 130), source:int(1, 70), source:int(1, 130), source:int(1, 70)
        fresh = astar.load(grid:dump())
        local path, reason = grid:find_path(sx, sy, gx, gy, options)
        local expected, why = fresh:find_path(sx, sy, gx, gy, options)
        local where = ("seed %d, %s, (%d, %d) to (%d, %d)"):format(seed, algorithm, sx, sy, gx, gy)
        assert.equal(why, reason, where)
        if expected then assert.same(expected:cells_flat(), path:cells_flat(), where) end
      end
      for _ = 1, 6 do
        same "jps"
        grid:fill(source:int(1, 30), source:int(1, 10), 100, 60, source:pick { ".", "#", "." })
        for _ = 1, 400 do grid:set(source:int(1, 130), source:int(1, 70), "#") end
        same "astar"
        for _ = 1, 30 do grid:set(source:int(1, 130), source:int(1, 70), source:pick { "#", "." }) end
        for _ = 1, 4 do same "jps" end
      end
    end
  end)

  -- Near a ratio of small numbers but not it, where whole numbers would tell a route's cost wrong soonest.
  local ODD_COSTS = {
    1.0001, 1.50006, 1.9999, 1.00012207, 1.9998779, 1.33334, 1.41421, 1.414214, 1 + 1e-9, 2 - 1e-9, 1.5 - 1e-10,
  }

  it("finds routes of exact cost at any diagonal_cost, and respects max_cost", function()
    for seed = 1, 400 do
      local r = random.new(seed)
      local world = oracle.world(r:map(r:sides()))
      local rules = {
        diagonals = r:pick(check.RULES), diagonal_cost = r:chance(0.2) and 1 + r:number() or r:pick(ODD_COSTS),
      }
      local sx, sy = r:int(1, world.width), r:int(1, world.height)
      local gx, gy = r:int(1, world.width), r:int(1, world.height)
      local best = oracle.distances(world, rules, sx, sy)[oracle.cell(world, gx, gy)]
      local grid = maps.grid(world)
      local function find(max_cost)
        return grid:find_path(sx, sy, gx, gy, {
          algorithm = "jps", diagonals = rules.diagonals, diagonal_cost = rules.diagonal_cost, max_cost = max_cost,
        })
      end
      local what = ("seed %d, %s, %.17g"):format(seed, rules.diagonals, rules.diagonal_cost)
      if best and grid:is_walkable(sx, sy) then
        check.equal_cost(best, find().cost, what)
        check.equal_cost(best, assert(find(best), what .. ": refused its own cost").cost, what)
        assert.is_true(best == 0 or not find(best * (1 - 1e-6)), what .. ": beyond its budget")
      end
    end
  end)

  -- Two ways from S to G: 'lanes' rows of straight steps up, and 'strips' of diagonal ones down.
  local function two_ways(width, lanes, strips)
    local middle, bottom = 2 * lanes, 2 * lanes + 3 * strips
    local grid = astar.grid(width, bottom)
    grid:fill(1, 1, width, bottom, "#")
    for lane = 1, lanes do
      grid:fill(3, 2 * lane - 1, width - 2, 1, ".")
      if lane < lanes then grid:set(lane % 2 == 1 and width or 3, 2 * lane, ".") end
    end
    for strip = 1, strips do
      local top = middle + 3 * strip - 2
      for x = 3, width do grid:set(x, top + x % 2, ".") end
      if strip < strips then
        local x = strip % 2 == 1 and width or 3
        grid:fill(x, top, 1, 4, ".")
      end
    end
    grid:fill(1, 1, 1, bottom, ".")
    grid:set(2, 1, ".")
    grid:set(2, bottom - 1, ".")
    grid:set(3, middle, ".")
    return grid, {
      sx = 3, sy = middle, gx = 1, gy = bottom - 1, straight = { 5, middle - 1 }, slanted = { 4, middle + 1 },
    }
  end

  -- How many steps of either kind the way has that is left when (x, y) is shut.
  local function count_steps(grid, at, x, y)
    local straight, diagonal = 0, 0
    local was = grid:get(x, y)
    grid:set(x, y, "#")
    local path = grid:find_path(at.sx, at.sy, at.gx, at.gy, { diagonals = "always", algorithm = "astar" })
    grid:set(x, y, was)
    for _, direction in ipairs(path:directions()) do
      if direction:find "_" then diagonal = diagonal + 1 else straight = straight + 1 end
    end
    return straight, diagonal
  end

  it("finds the cheaper of two routes that differ a little after thousands of diagonal steps", function()
    local grid, at = two_ways(505, 24, 18)
    local straight, few = count_steps(grid, at, at.slanted[1], at.slanted[2])
    local less, diagonal = count_steps(grid, at, at.straight[1], at.straight[2])
    local even = (straight - less) / (diagonal - few) -- the diagonal_cost at which both cost the same
    assert.is_true(diagonal - few > 8000 and even > 1.2 and even < 1.8)
    for _, difference in ipairs { 2e-9, -2e-9, 1e-8, -1e-8, 1e-6, -1e-6 } do
      local options = { diagonals = "always", diagonal_cost = even + difference }
      local path = grid:find_path(at.sx, at.sy, at.gx, at.gy, options)
      local slanted = 0
      for _, direction in ipairs(path:directions()) do slanted = slanted + (direction:find "_" and 1 or 0) end
      assert.equal(difference > 0 and few or diagonal, slanted, ("%g more than even"):format(difference))
    end
  end)

  it("raises an error if it is requested by name and terrain costs differ", function()
    local rough = astar.grid("..,..", { terrain = { ["."] = 1, [","] = 2 } })
    local ok, message = pcall(rough.find_path, rough, 1, 1, 5, 1, { algorithm = "jps" })
    assert.is_false(ok)
    assert.matches('algorithm "jps" cannot honour ground of several costs', message, 1, true)
  end)

  it("finds the longest routes whose costs fit in its integers", function()
    local path = winding(500, 100):find_path(1, 1, 1, 199)
    assert.equal("jps", path.algorithm)
    assert.equal(100 * 499 + 99 * 2, path.cost)
  end)

  it("is not chosen for maps that are far longer than wide, because its bitmaps would be too large", function()
    for _, sides in ipairs { { 100000, 4 }, { 4, 100000 }, { 140000, 1 } } do
      local width, height = sides[1], sides[2]
      local grid = astar.grid(width, height)
      local path = grid:find_path(1, 1, width, height)
      assert.not_equal("jps", path.algorithm)
      check.equal_cost(math.max(width, height) - 1 + (math.min(width, height) - 1) * (math.sqrt(2) - 1),
        path.cost, "the way across")
      assert.is_true(grid:bytes() < 60 * width * height)
    end
  end)

  it("leaves longer maps to A*, which finds the routes without delay", function()
    local path = winding(1000, 400):find_path(1, 1, 1, 799)
    assert.equal("astar", path.algorithm)
    assert.equal(400 * 999 + 399 * 2, path.cost)
  end)
end)

describe("jump point search where a diagonal step costs two straight ones", function()
  local MAPS = {
    { "if_at_most_one_obstacle", 4, 5, 14, 12, 17, {
      "...#..........", ".#.........#..", "...#..#.......", "..............", "..............", "........#.#...",
      "...........#.#", "............#.", "..............", "#.#...........", ".#..#.....#...", "............#.",
      "..............", ".........#.#..", "..............",
    } },
    { "if_at_most_one_obstacle", 11, 19, 3, 8, 19, {
      ".......#...", "...#.......", "...........", ".....#.....", "...........", ".......#...", "...........",
      "........#..", "..........#", "...........", "..#......#.", "...........", "..#.#......", ".....#.....",
      ".#.........", "...........", "......#.#..", "...........", "......#....", "..#........",
    } },
    { "always", 9, 18, 15, 6, 18, {
      "........#....#....", "..#..#...#...#..#.", "#......#.#...#....", ".....##...........", ".............##...",
      "#.........#.......", "............#.#...", "....#.............", ".#...#........#...", "...........#...#..",
      "....#....##...#...", "........#.........", "....#....#...#....", "....#............#", "..................",
      "................#.", ".....##.....#.....", ".#.#...#......#...",
    } },
  }

  it("leaves the query to A* by rules that cut corners, because its pruning would use forbidden steps", function()
    for _, map in ipairs(MAPS) do
      local rule, sx, sy, gx, gy, cost, rows = (table.unpack or unpack)(map) -- luacheck: ignore 143
      local grid = astar.grid(rows)
      local function find_path(algorithm)
        local path = grid:find_path(sx, sy, gx, gy, { diagonals = rule, diagonal_cost = 2, algorithm = algorithm })
        return path -- a tail call has no line that an error could name in LuaJIT
      end
      for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
        local path = find_path(algorithm)
        assert.equal(cost, path and path.cost, rule .. " " .. algorithm)
      end
      for _, algorithm in ipairs { "jps", "jpsw" } do
        local message = check.error_of(find_path, algorithm)
        assert.matches(('algorithm "%s" cannot honour diagonal_cost 2'):format(algorithm), message)
      end
    end
  end)
end)
