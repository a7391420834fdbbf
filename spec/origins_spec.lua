-- The cases of the articles the project comes from, in their own coordinates: 0-based, y down.

local astar = require "astar"
local check = require "spec.support.check"
local oracle = require "spec.support.oracle"

local ORIGIN = { origin = { 0, 0 } }

local RULES = check.RULES

local function empty_rows(width, height)
  local rows = {}
  for y = 1, height do rows[y] = ("."):rep(width) end
  return rows
end

-- A grid of width x height with the cells of 'obstacles', { { x, y }, ... }, blocked.
local function grid_with(width, height, obstacles)
  local grid = astar.grid(width, height, ORIGIN)
  for _, cell in ipairs(obstacles) do grid:block(cell[1], cell[2]) end
  return grid
end

-- The same as the oracle's world.
local function world_with(width, height, obstacles)
  local world = oracle.world(empty_rows(width, height), ORIGIN)
  for _, cell in ipairs(obstacles) do world.blocks[oracle.cell(world, cell[1], cell[2])] = true end
  return world
end

describe("the compass and its cost interface", function()
  local OBSTACLES = { { 2, 4 }, { 3, 4 }, { 4, 4 }, { 5, 4 }, { 6, 4 } }
  local BEST = {
    always = 62, if_at_most_one_obstacle = 62, only_when_no_obstacles = 74, never = 80,
  }

  -- What the game answers when asked for leaving a cell in a direction.
  local function simple_cost(x, y, nx, ny)
    return x ~= nx and y ~= ny and 14 or 10
  end

  local function find(rule, options)
    options.diagonals = rule
    return grid_with(10, 10, OBSTACLES):find_path(3, 3, 4, 6, options)
  end

  for _, rule in ipairs(RULES) do
    it("finds a route of the expected cost " .. BEST[rule] .. " where diagonals are " .. rule, function()
      local path = find(rule, { step_cost = simple_cost, min_cost = 10, diagonal_cost = 1.4 })
      check.path(path, {
        world = world_with(10, 10, OBSTACLES),
        rules = { diagonals = rule, step_cost = simple_cost },
        sx = 3, sy = 3, gx = 4, gy = 6,
      })
      assert.equal(BEST[rule], path.cost)
    end)

    it("finds a route of the same cost by terrain costs if diagonals are " .. rule, function()
      local path = find(rule, { costs = { ["."] = 10 }, diagonal_cost = 1.4 })
      check.equal_cost(BEST[rule], path.cost, "path.cost")
    end)

    it("costs what a plain Dijkstra search finds if diagonals are " .. rule, function()
      local world = world_with(10, 10, OBSTACLES)
      local rules = { diagonals = rule, costs = { ["."] = 10 }, diagonal_cost = 1.4 }
      local distances = oracle.distances(world, rules, 3, 3)
      check.equal_cost(BEST[rule], distances[oracle.cell(world, 4, 6)], "the oracle's cost")
    end)
  end

  it("finds a route of nine cells without diagonals", function()
    assert.equal(9, #find("never", { costs = { ["."] = 10 } }))
  end)

  it("has eight directions, north towards smaller y", function()
    local d = astar.directions
    local compass = {
      { "north", 0, -1 }, { "north_east", 1, -1 }, { "east", 1, 0 }, { "south_east", 1, 1 },
      { "south", 0, 1 }, { "south_west", -1, 1 }, { "west", -1, 0 }, { "north_west", -1, -1 },
    }
    for _, row in ipairs(compass) do
      assert.same({ row[2], row[3] }, { d[row[1]].dx, d[row[1]].dy }, row[1])
    end
  end)

  it("refuses a start or a goal outside the map", function()
    local grid = grid_with(10, 10, OBSTACLES)
    assert.error_matches(function() grid:find_path(-1, 3, 4, 6) end,
      "sx must be an integer from 0 to 9, got %-1$")
    assert.error_matches(function() grid:find_path(3, 3, 4, 10) end,
      "gy must be an integer from 0 to 9, got 10$")
  end)

  it("returns nil if there is no route", function()
    local wall = {}
    for x = 0, 9 do wall[#wall + 1] = { x, 4 } end
    local path, reason = grid_with(10, 10, wall):find_path(3, 3, 4, 6)
    assert.is_nil(path)
    assert.equal("unreachable", reason)
  end)
end)

describe("the clicked walk", function()
  local WALL = { { 4, 2 }, { 4, 3 }, { 4, 4 }, { 4, 5 }, { 4, 6 } }

  it("costs 10.65685 from (0, 0) to (9, 4)", function()
    local path = grid_with(20, 10, WALL):find_path(0, 0, 9, 4)
    check.path(path, {
      world = world_with(20, 10, WALL), rules = {}, sx = 0, sy = 0, gx = 9, gy = 4,
    })
    assert.equal("10.65685", ("%.5f"):format(path.cost))
  end)

  it("takes a diagonal step only if both neighbours are free", function()
    local grid = grid_with(20, 10, WALL)
    assert.equal(2, grid:find_path(3, 2, 4, 1).cost)
    local cut = grid:find_path(3, 2, 4, 1, { diagonals = "if_at_most_one_obstacle" })
    check.equal_cost(math.sqrt(2), cut.cost, "path.cost")
  end)

  it("refuses a blocked goal", function()
    local path, reason = grid_with(20, 10, WALL):find_path(0, 0, 4, 4)
    assert.is_nil(path)
    assert.equal("goal blocked", reason)
  end)

  it("does not start if the goal is the cell of the player", function()
    local path = grid_with(20, 10, WALL):find_path(7, 7, 7, 7)
    assert.equal(1, #path)
    assert.equal(0, path.cost)
  end)

  it("moves one cell every 0.7 seconds", function()
    local path = grid_with(20, 10, WALL):find_path(5, 4, 9, 4)
    local walker = astar.walker(path, { speed = 1 / 0.7 })
    for step = 1, 4 do
      local x, y = walker:update(0.7)
      check.equal_cost(5 + step, x, "x after " .. step .. " steps")
      check.equal_cost(4, y, "y")
    end
  end)

  it("searches again from the player's cell after a new click", function()
    local grid = grid_with(20, 10, WALL)
    local first = grid:find_path(0, 0, 9, 4)
    local x, y = first:cell(5)
    local path = grid:find_path(x, y, 0, 9)
    check.path(path, {
      world = world_with(20, 10, WALL), rules = {}, sx = x, sy = y, gx = 0, gy = 9,
    })
  end)

  it("draws the player, the goal, the route and the walls", function()
    local grid = grid_with(20, 10, WALL)
    local picture = grid:draw(grid:find_path(0, 0, 9, 4))
    local count = {}
    for mark in picture:gmatch "[^\n]" do count[mark] = (count[mark] or 0) + 1 end
    assert.same({ 1, 1, 8, 5 }, { count.S, count.G, count["*"], count.X })
  end)
end)

describe("the pictured search", function()
  it("costs 38 for two diagonal steps and one straight step", function()
    local grid = astar.grid(7, 5, ORIGIN)
    local path = grid:find_path(1, 1, 4, 3, { costs = { ["."] = 10 }, diagonal_cost = 1.4 })
    check.equal_cost(38, path.cost, "path.cost")
    assert.equal(4, #path)
  end)

  it("may use a heuristic function of the distances in columns and rows", function()
    local seen = {}
    local function heuristic(dx, dy)
      seen[dx .. "," .. dy] = true
      return 10 * math.abs(dx - dy) + 14 * math.min(dx, dy)
    end
    local grid = astar.grid(7, 5, ORIGIN)
    local options = { costs = { ["."] = 10 }, diagonal_cost = 1.4, heuristic = heuristic }
    check.equal_cost(38, grid:find_path(1, 1, 4, 3, options).cost, "path.cost")
    assert.is_true(seen["2,1"]) -- one diagonal step along
  end)

  it("can be replaced by lines of sight if no wall is in the way", function()
    local finder = grid_with(7, 5, { { 3, 1 }, { 3, 2 }, { 3, 3 } }):finder()
    assert.is_false((finder:raycast(1, 2, 5, 2)))
    assert.is_true(finder:raycast(1, 0, 5, 0))
    assert.is_userdata(finder:find_path(1, 2, 5, 2))
  end)
end)

describe("the guide's route", function()
  local BLOCKED = { { 3, 3 } }
  local WORLD = world_with(10, 10, BLOCKED)

  local function find(options)
    return grid_with(10, 10, BLOCKED):find_path(0, 0, 9, 9, options)
  end

  it("needs 18 steps in four directions", function()
    local path = find { diagonals = "never", heuristic = "manhattan" }
    check.path(path, {
      world = WORLD, rules = { diagonals = "never" }, sx = 0, sy = 0, gx = 9, gy = 9,
    })
    assert.equal(19, #path)
    assert.equal(18, path.cost)
  end)

  it("is found in eight directions with the euclidean heuristic", function()
    local path = find { heuristic = "euclidean" }
    check.path(path, { world = WORLD, rules = {}, sx = 0, sy = 0, gx = 9, gy = 9 })
    local distances = oracle.distances(WORLD, {}, 0, 0)
    check.equal_cost(distances[oracle.cell(WORLD, 9, 9)], path.cost, "path.cost")
  end)

  it("is smoothed into the fewest legs", function()
    local grid = astar.grid(10, 10, ORIGIN)
    local path = grid:find_path(0, 0, 9, 4)
    assert.equal(2, #path:smooth():waypoints())
    local around = find()
    local legs = #around:smooth():waypoints() - 1
    assert.is_true(legs > 1 and legs < #around:waypoints())
  end)

  it("is nil with a reason if no route exists or the route exceeds a limit", function()
    local function reason(options) return select(2, find(options)) end
    assert.equal("max_cost", reason { diagonals = "never", max_cost = 17 })
    assert.equal("max_expansions", reason { algorithm = "astar", max_expansions = 5 })
    local walled = grid_with(10, 10, { { 8, 9 }, { 8, 8 }, { 9, 8 } })
    assert.equal("unreachable", select(2, walled:find_path(0, 0, 9, 9)))
  end)
end)

describe("the hero in the village", function()
  local VILLAGE = {
    "..ggggggg.",
    ".hh.gggg..",
    ".hh.....hh",
    "....ww..hh",
    "gg..ww....",
    "gggg......",
  }
  local TERRAIN = { ["."] = 1, g = 1, h = false, w = false }

  it("walks over grass and around houses and water", function()
    local options = { terrain = TERRAIN, origin = { 0, 0 } }
    local rules = { diagonal_cost = 1.4 }
    local world = oracle.world(VILLAGE, options)
    local path = astar.grid(VILLAGE, options):find_path(0, 0, 9, 4, rules)
    check.path(path, { world = world, rules = rules, sx = 0, sy = 0, gx = 9, gy = 4 })
    local distances = oracle.distances(world, rules, 0, 0)
    check.equal_cost(distances[oracle.cell(world, 9, 4)], path.cost, "path.cost")
  end)

  it("prefers the road where grass costs more", function()
    local options = { terrain = TERRAIN, origin = { 0, 0 } }
    local rules = { diagonal_cost = 1.4, costs = { g = 3 } }
    local world = oracle.world(VILLAGE, options)
    local path = astar.grid(VILLAGE, options):find_path(0, 5, 9, 0, rules)
    check.path(path, { world = world, rules = rules, sx = 0, sy = 5, gx = 9, gy = 0 })
    local distances = oracle.distances(world, rules, 0, 5)
    check.equal_cost(distances[oracle.cell(world, 9, 0)], path.cost, "path.cost")
  end)
end)
