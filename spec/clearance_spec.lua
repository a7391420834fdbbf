-- Units wider than a cell: where they fit, how they move, what they pay.

local astar = require "astar"
local check = require "spec.support.check"
local fewest_legs = require("spec.support.body").fewest_legs
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local SQRT2 = math.sqrt(2)
local SWAMP = { terrain = { ["."] = 1, ["#"] = false, s = 5, m = 2 } }

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

describe("finder:clearance", function()
  it("returns the side of the largest free square whose north-west cell is the given cell", function()
    local grid = astar.grid "....\n....\n..#.\n...."
    local finder = grid:finder()
    local expected = { { 2, 2, 2, 1 }, { 2, 1, 1, 1 }, { 2, 1, 0, 1 }, { 1, 1, 1, 1 } }
    for y = 1, 4 do
      for x = 1, 4 do assert.equal(expected[y][x], finder:clearance(x, y), x .. ", " .. y) end
    end
  end)

  it("depends on the finder's terrain costs and on blocks", function()
    local grid = astar.grid("sss\nsss\nsss", SWAMP)
    local swimmer, walker = grid:finder(), grid:finder { costs = { s = false } }
    assert.equal(3, swimmer:clearance(1, 1))
    assert.equal(0, walker:clearance(1, 1))
    grid:block(3, 2)
    assert.equal(2, swimmer:clearance(1, 1))
    grid:set(1, 1, ".")
    assert.equal(1, walker:clearance(1, 1))
    grid:terrain("s", false)
    assert.equal(1, swimmer:clearance(1, 1))
  end)

  it("does not depend on the finder's size, and calls no callback", function()
    local finder = astar.grid(5, 4):finder { size = 3, cost = function() error "asked" end }
    assert.equal(4, finder:clearance(1, 1))
    assert.equal(1, finder:clearance(5, 4))
  end)

  it("uses the grid's origin, and can exceed the largest size of a finder", function()
    local finder = astar.grid(300, 300, { origin = { -10, 0 } }):finder()
    assert.equal(300, finder:clearance(-10, 0))
    assert.equal(290, finder:clearance(0, 10))
  end)

  it("is the size of the largest unit that fits, on random maps after every edit", function()
    for seed = 1, times("ASTAR_MAPS", 40) do
      local r = random.new(seed)
      local width, height = r:pick { 1, 5, 62, 63, 64, 65, 66 }, r:int(1, 12)
      local world = oracle.world(r:scatter(width, height, r:pick { 0, 0.02, 0.1, 0.3 }))
      local grid = maps.grid(world)
      local finder = grid:finder()
      local sized = {}
      for size = 1, 5 do sized[size] = grid:finder { size = size, algorithm = "astar" } end
      for _ = 1, 12 do
        local x, y = r:int(1, width), r:int(1, height)
        local key = r:pick { ".", "#" }
        world.keys[oracle.cell(world, x, y)] = key
        grid:set(x, y, key)
        for _ = 1, 20 do
          x, y = r:int(1, width), r:int(1, height)
          local clearance = oracle.clearance(world, {}, x, y)
          local message = ("seed %d, (%d, %d) of\n%s"):format(seed, x, y, maps.describe(world))
          assert.equal(clearance, finder:clearance(x, y), message)
          for size = 1, 5 do
            assert.equal(clearance >= size, sized[size]:reachable(x, y, x, y), message)
          end
        end
      end
    end
  end)
end)

describe("a unit of size 2", function()
  local function find(drawing, options)
    local grid, at = maps.read(drawing, SWAMP)
    options = options or {}
    options.size = 2
    return grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, options)
  end

  it("passes a gap of two cells, but not a gap of one cell", function()
    assert.equal("unreachable", select(2, find [[
      S.#..
      ..#..
      ...G.
      ..#..
    ]]))
    assert.equal(5, find([[
      S.#..
      ..#..
      ...G.
      .....
    ]], { diagonals = "never" }).cost)
  end)

  it("must fit at the goal, and must be able to enter the terrain of the start", function()
    local grid = astar.grid "...\n...\n..#"
    assert.equal("goal blocked", select(2, grid:find_path(1, 1, 2, 2, { size = 2 })))
    assert.equal("goal blocked", select(2, grid:find_path(1, 1, 3, 1, { size = 2 })))
    assert.equal("start blocked", select(2, grid:find_path(2, 2, 1, 1, { size = 2 })))
    assert.equal("start blocked", select(2, grid:find_path(1, 3, 1, 1, { size = 2 })))
    assert.equal("start blocked", select(2, grid:find_path(3, 1, 3, 1, { size = 2 })))
    assert.equal(0, grid:find_path(2, 1, 2, 1, { size = 2 }).cost)
    assert.is_false(grid:finder { size = 2 }:reachable(1, 1, 2, 2))
    assert.is_true(grid:finder { size = 2 }:reachable(1, 1, 1, 2))
  end)

  it("moves between the cells where it fits, by its corner rule", function()
    local drawing = [[
      S..#
      ....
      .G..
      ....
    ]]
    local costs = {
      always = SQRT2 + 1, if_at_most_one_obstacle = SQRT2 + 1, only_when_no_obstacles = SQRT2 + 1, never = 3,
    }
    for rule, cost in pairs(costs) do
      assert.equal(cost, find(drawing, { diagonals = rule }).cost, rule)
    end
    drawing = [[
      S.#.
      .G..
      ....
    ]]
    costs = {
      always = SQRT2, if_at_most_one_obstacle = SQRT2, only_when_no_obstacles = 2, never = 2,
    }
    for rule, cost in pairs(costs) do
      assert.equal(cost, find(drawing, { diagonals = rule }).cost, rule)
    end
    drawing = [[
      S.#.
      .G..
      #...
      ....
    ]]
    assert.equal(SQRT2, find(drawing, { diagonals = "always" }).cost)
    for _, rule in ipairs { "if_at_most_one_obstacle", "only_when_no_obstacles", "never" } do
      assert.equal("unreachable", select(2, find(drawing, { diagonals = rule })), rule)
    end
  end)

  it("pays for the most expensive cell that it covers", function()
    for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
      local path = find([[
        S....G.
        ..ms.m.
      ]], { algorithm = algorithm })
      assert.equal(2 + 5 + 5 + 2 + 2, path.cost)
    end
  end)

  it("walks around expensive terrain that even one row of its cells would touch", function()
    assert.equal(5 + 5 + 5 + 1 + 1, find([[
      S....G.
      ..ss...
    ]]).cost)
    local path = find [[
      S....G.
      ..ss...
      .......
      .......
    ]]
    check.equal_cost(3 + 3 * SQRT2, path.cost, "path.cost")
  end)

  it("is not blocked by the blocks that the game sets on the unit's own cells", function()
    local grid = astar.grid(8, 6)
    grid:block(3, 3, 2, 2)
    for _, algorithm in ipairs(check.ALGORITHMS) do
      local finder = grid:finder { size = 2, algorithm = algorithm }
      local path = finder:find_path(3, 3, 6, 3)
      assert.equal(3, path.cost)
      assert.is_true(path:is_valid())
      assert.equal(3, path:smooth().cost)
      assert.equal(1, finder:find_path(3, 3, 4, 3).cost)
      assert.is_true(finder:reachable(3, 3, 1, 5))
      assert.is_true(finder:raycast(3, 3, 7, 5))
      assert.is_false(finder:raycast(1, 3, 7, 3))
      assert.equal("goal blocked", select(2, finder:find_path(1, 1, 4, 4)))
    end
  end)

  it("is an obstacle for other units, and is stopped by their blocks", function()
    local grid = astar.grid(8, 2)
    grid:block(1, 1, 2, 2)
    local finder = grid:finder { size = 2 }
    assert.equal(6, finder:find_path(1, 1, 7, 1).cost)
    grid:block(5, 2)
    assert.equal("unreachable", select(2, finder:find_path(1, 1, 7, 1)))
    assert.equal("goal blocked", select(2, finder:find_path(1, 1, 4, 1)))
    assert.equal("start blocked", select(2, finder:find_path(8, 1, 7, 1)))
    assert.equal("unreachable", select(2, grid:finder { size = 2 }:find_path(3, 1, 6, 1)))
  end)

  it("can leave its blocks one after the other with one finder", function()
    local grid = astar.grid(12, 4)
    local finder = grid:finder { size = 2 }
    for x = 1, 9 do
      grid:block(x, 2, 2, 2)
      assert.equal(10 - x, finder:find_path(x, 2, 10, 2).length)
      grid:unblock(x, 2, 2, 2)
    end
  end)
end)

describe("finder:reach of a large unit among its own blocks", function()
  it("may be called by the finder's own callback, with edits of the grid before", function()
    local grid = astar.grid(9, 6)
    grid:block(2, 2, 2, 2)
    local reach, asked = nil, 0
    local finder = grid:finder { size = 2, cost = function(x, y, _, cost)
      asked = asked + 1
      if asked % 7 == 0 and asked < 100 then
        grid:set(9, 6, asked % 2 == 0 and "#" or ".")
        if asked % 14 == 0 then grid:unblock(2, 2, 2, 2) else grid:block(2, 2, 2, 2) end
        local _ = reach:distance(x, y)
        collectgarbage()
      end
      return cost
    end }
    reach = finder:reach(2, 2, math.huge)
    for _ = 1, 20 do pcall(reach.distance, reach, 7, 2) end
    assert.equal(5, reach:distance(7, 2))
    assert.equal(5, reach:path(7, 2).cost)
  end)
end)

describe("a unit larger than the map", function()
  it("fits nowhere, so queries return no route", function()
    local grid = astar.grid(10, 3)
    for _, size in ipairs { 4, 64, 65, 255 } do
      local finder = grid:finder { size = size }
      assert.equal("start blocked", select(2, finder:find_path(1, 1, 2, 2)))
      assert.is_false(finder:reachable(1, 1, 2, 2))
      assert.same({ false, 1, 1 }, { finder:raycast(1, 1, 1, 1) })
      assert.same({ false, 1, 1 }, { finder:raycast(1, 1, 2, 1) })
      assert.equal(3, finder:clearance(1, 1))
    end
  end)
end)

describe("cost callbacks of a unit of size 3", function()
  it("are called at most once per cell and query, with the unit's own terrain and cost", function()
    local grid = astar.grid("......m\n...s...\n.......\n.......\n###....", SWAMP)
    for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
      local asked = {}
      local finder = grid:finder { size = 3, algorithm = algorithm, cost = function(x, y, key, cost)
        local id = x .. ", " .. y
        assert.is_nil(asked[id], id)
        asked[id] = true
        assert.equal(grid:get(x, y), key)
        assert.equal(grid:terrain(key), cost)
        return cost
      end }
      for _ = 1, 2 do
        asked = {}
        assert.equal(5 + 5 + 5 + 2, finder:find_path(1, 1, 5, 1).cost)
      end
    end
  end)

  it("use the highest returned cost, and false for one cell forbids entry", function()
    local grid = astar.grid(7, 3)
    local function ask(answer)
      return grid:find_path(1, 1, 5, 1, { size = 3, cost = function(x, y)
        return x == 5 and y == 3 and answer or x ~= 5 and 1 or y ~= 3 and 1
      end })
    end
    assert.equal(1 + 7 * 3, ask(7).cost)
    assert.is_nil((ask(false)))
  end)

  it("receive from step_cost the north-west cells of the unit", function()
    local path = astar.grid(6, 4):find_path(1, 1, 4, 1, {
      size = 3,
      step_cost = function(x, y, nx, ny, cost)
        assert.is_true(x <= 4 and nx <= 4 and y <= 2 and ny <= 2)
        return ny == 1 and cost * 10 or cost
      end,
    })
    local _, y = path:cell(2)
    assert.equal(2, y)
  end)

  it("may query the same finder again, and may raise errors", function()
    local grid = astar.grid(9, 6)
    grid:block(1, 1, 3, 3)
    local depth, finder = 0, nil
    finder = grid:finder { size = 3, cost = function(x, _, _, cost)
      if depth == 0 then
        depth = 1
        assert.equal(2, finder:find_path(4, 1, 6, 1).cost)
      end
      if x == 9 then error("too far", 0) end
      return cost
    end }
    assert.equal(5, finder:find_path(1, 1, 6, 1).cost)
    local ok, message = pcall(finder.find_path, finder, 1, 1, 7, 1)
    assert.is_false(ok)
    assert.equal("too far", message)
    assert.equal(5, finder:find_path(1, 1, 6, 1).cost)
  end)
end)

-- ---- random maps ----

local WEIGHTED = { ["."] = 1, ["#"] = false, r = 0.5, g = 2, s = 5 }

local EDITS = {
  function(r, world, grid, x, y)
    local key = r:pick { ".", ".", "#", "r", "g", "s" }
    grid:set(x, y, key)
    world.keys[oracle.cell(world, x, y)] = key
  end,
  function(r, world, grid, x, y)
    local key = r:pick { ".", "g", "s" }
    local width = r:int(1, world.width + 1 - x)
    local height = r:int(1, world.height + 1 - y)
    grid:fill(x, y, width, height, key)
    for cy = y, y + height - 1 do
      for cx = x, x + width - 1 do world.keys[oracle.cell(world, cx, cy)] = key end
    end
  end,
  function(_, world, grid, x, y)
    grid:block(x, y)
    world.blocks[oracle.cell(world, x, y)] = true
  end,
  function(_, world, grid)
    grid:unblock(1, 1, world.width, world.height)
    world.blocks = {}
  end,
  function(r, world, grid)
    local key, cost = r:pick { "r", "g", "s" }, r:pick { 0.25, 1, 3, 8, false }
    grid:terrain(key, cost)
    world.terrain[key] = cost
  end,
}

-- A world, its grid, and the rules of a unit.
local function new_case(r, weighted)
  local width, height = r:pick { 5, 17, 62, 63, 64, 65, 66 }, r:int(3, 14)
  if r:chance(0.2) then width, height = height, width end
  local rows = r:scatter(width, height, r:pick { 0, 0.01, 0.03, 0.08 })
  if weighted then r:sow(rows, { "r", "g", "s" }) end
  local terrain = {}
  for key, cost in pairs(WEIGHTED) do terrain[key] = cost end
  local world = oracle.world(rows, { terrain = terrain })
  for _ = 1, r:int(0, 5) do world.blocks[r:int(1, width * height)] = true end
  local rules = {
    size = r:body(1, 5), diagonals = r:pick(check.RULES), diagonal_cost = r:pick { SQRT2, 1.4, 1, 2 },
  }
  if r:chance(0.3) then rules.costs = { [r:pick { "r", "g" }] = r:pick { 0.25, 4, false } } end
  return world, maps.grid(world), rules
end

local function random_cell(r, world)
  return r:int(1, world.width), r:int(1, world.height)
end

-- A place where the unit can stand, mostly.
local function random_start(r, world, rules)
  local x, y
  for _ = 1, 10 do
    x, y = random_cell(r, world)
    if oracle.can_stand(world, rules, x, y) then break end
  end
  return x, y
end

local function with(rules, more)
  local options = {}
  for name, value in pairs(rules) do options[name] = value end
  for name, value in pairs(more) do options[name] = value end
  return options
end

-- Holds an answer against the oracle's least cost and refusal.
local function check_answer(question, distances, refusal, path, reason)
  local best = not refusal
    and distances[oracle.cell(question.world, question.gx, question.gy)]
  if best then
    expect(path, "expected a path of cost %.17g, got %s", best, tostring(reason))
    check.path(path, question)
    check.equal_cost(best, path.cost, "path.cost")
  else
    expect(not path and reason == (refusal or "unreachable"), "expected %s, got %s",
      refusal or "unreachable", tostring(reason))
  end
end

local function check_lines(r, question, finder)
  local world, rules = question.world, question.rules
  for _ = 1, 3 do
    local x, y = random_cell(r, world)
    local clear, bad_x, bad_y = oracle.raycast(world, rules, question.sx, question.sy, x, y)
    local got, got_x, got_y = finder:raycast(question.sx, question.sy, x, y)
    expect(clear == got and bad_x == got_x and bad_y == got_y, "a ray to (%d, %d): %s, %s, %s", x, y,
      tostring(got), tostring(got_x), tostring(got_y))
  end
end

local function check_smooth(question, path)
  local world, rules = question.world, question.rules
  local smooth = path:smooth()
  local cost = oracle.walk(world, rules, question.entry, smooth:totable())
  expect(cost, "smoothed it is no legal path")
  check.equal_cost(cost, smooth.cost, "cost of the smoothed path")
  expect(cost <= path.cost + 1e-9, "smoothed it is dearer")
  expect(#smooth:waypoints() - 1 >= fewest_legs(world, rules, path:totable()), "too few legs")
end

-- body(r, case) for each seed; the case's world and question go into the message of a failure.
local function on_maps(count, body)
  for seed = 1, times("ASTAR_MAPS", count) do
    local case = {}
    local ok, problem = pcall(body, random.new(seed), case)
    if not ok then
      local q, rules = case.question or {}, case.rules
      error(("map seed %d: %s\nsize %d x %d, %s, (%s, %s) to (%s, %s)\n%s"):format(seed, tostring(problem),
        oracle.body(rules), select(2, oracle.body(rules)), rules.diagonals, q.sx, q.sy, q.gx, q.gy,
        maps.describe(case.world)), 0)
    end
  end
end

describe("on random maps, units of all sizes", function()
  -- Blocks under the unit are the unit itself, whichever way it is asked.
  it("can reach every cell that a route leads to, from a start among their own blocks, after every edit", function()
    on_maps(80, function(r, case)
      local world, grid, rules = new_case(r, r:chance(0.6))
      case.world, case.rules = world, rules
      local sx, sy = random_start(r, world, rules)
      case.question = { sx = sx, sy = sy }
      local reach = grid:finder(rules):reach(sx, sy, math.huge)
      for _ = 1, 4 do
        for _, cell in ipairs(oracle.covered(world, rules, sx, sy) or {}) do
          if r:chance(0.7) then
            world.blocks[cell] = true
            grid:block(oracle.position(world, cell))
          end
        end
        local can_stand = oracle.can_stand(world, rules, sx, sy)
        local distances, entry = oracle.distances(world, rules, sx, sy)
        for cell = 1, world.width * world.height do
          local x, y = oracle.position(world, cell)
          local distance, reason = reach:distance(x, y)
          local best = can_stand and distances[cell] or nil
          expect((distance ~= nil) == (best ~= nil), "(%d, %d): expected %s, got %s", x, y, tostring(best),
            tostring(distance or reason))
          if best then check.equal_cost(best, distance, ("distance to (%d, %d)"):format(x, y)) end
        end
        local gx, gy = random_cell(r, world)
        local path = reach:path(gx, gy)
        if path then
          check.path(path, { world = world, rules = rules, entry = entry, sx = sx, sy = sy, gx = gx, gy = gy })
        end
        local x, y = random_cell(r, world)
        r:pick(EDITS)(r, world, grid, x, y)
      end
    end)
  end)

  it("find the cheapest routes by every algorithm, after every edit", function()
    on_maps(100, function(r, case)
      local world, grid, rules = new_case(r, r:chance(0.6))
      case.world, case.rules = world, rules
      local finders = {}
      for _, name in ipairs(check.algorithms(rules)) do
        finders[name] = grid:finder(with(rules, { algorithm = name }))
      end
      for _ = 1, 4 do
        local sx, sy = random_start(r, world, rules)
        local distances, entry = oracle.distances(world, rules, sx, sy)
        local gx, gy = random_start(r, world, rules)
        local question = {
          world = world, rules = rules, entry = entry, sx = sx, sy = sy, gx = gx, gy = gy,
        }
        case.question = question
        local refusal = oracle.refusal(world, rules, entry, sx, sy, gx, gy)
        for name, finder in pairs(finders) do
          if check.honours(name, rules, world) then
            local path, reason = finder:find_path(sx, sy, gx, gy)
            check_answer(question, distances, refusal, path, reason)
          end
        end
        local exists = not refusal and distances[oracle.cell(world, gx, gy)] ~= nil
        expect(finders.auto:reachable(sx, sy, gx, gy) == exists, "reachable: not %s", tostring(exists))
        check_lines(r, question, finders.auto)
        local path = finders.auto:find_path(sx, sy, gx, gy)
        if path and #path < 30 then check_smooth(question, path) end
        local x, y = random_cell(r, world)
        r:pick(EDITS)(r, world, grid, x, y)
      end
    end)
  end)

  it("find the same routes by a cost callback as by equal terrain costs", function()
    on_maps(60, function(r, case)
      local world, grid, rules = new_case(r, true)
      rules.costs = nil
      local truth = {}
      for _, key in ipairs { ".", "r", "g", "s" } do truth[key] = r:pick { 0.5, 1, 2.5, 7, false } end
      case.world, case.rules = world, with(rules, { costs = truth })
      local sx, sy = random_start(r, world, case.rules)
      if not oracle.can_stand(world, case.rules, sx, sy) then return end
      local distances, entry = oracle.distances(world, case.rules, sx, sy)
      local gx, gy = random_start(r, world, case.rules)
      local question = {
        world = world, rules = case.rules, entry = entry, sx = sx, sy = sy, gx = gx, gy = gy,
      }
      case.question = question
      local refusal = oracle.refusal(world, case.rules, entry, sx, sy, gx, gy)
      for _, name in ipairs { "auto", "dijkstra" } do
        local path, reason = grid:find_path(sx, sy, gx, gy, with(rules, {
          algorithm = name, min_cost = 0.5, cost = function(_, _, key) return truth[key] end,
        }))
        if reason == "unreachable" and refusal == "goal blocked" then reason = refusal end
        check_answer(question, distances, refusal, path, reason)
      end
    end)
  end)

  it("stop as near to the goal as possible, or within its range", function()
    on_maps(60, function(r, case)
      local world, grid, rules = new_case(r, r:chance(0.5))
      case.world, case.rules = world, rules
      local sx, sy = random_start(r, world, rules)
      if not oracle.can_stand(world, rules, sx, sy) then return end
      local distances, entry = oracle.distances(world, rules, sx, sy)
      local gx, gy = random_cell(r, world)
      case.question = { world = world, rules = rules, entry = entry, sx = sx, sy = sy }
      local range = r:int(0, 4)
      local best = oracle.within(world, rules, distances, gx, gy, range)
      local near = grid:find_path(sx, sy, gx, gy, with(rules, { partial = true, range = range }))
      local cells = check.route(near, case.question)
      local x, y = oracle.counts_from(rules, range, cells[#cells].x, cells[#cells].y, gx, gy)
      local distance, cost = oracle.nearest(world, rules, distances, gx, gy, range)
      expect(near.partial == not best, "path.partial")
      if not best then
        check.equal_cost(distance, oracle.ground_distance(rules, x, y, gx, gy), "distance to the goal")
      end
      check.equal_cost(best or cost, near.cost, "cost of the nearest cell")
      local path, reason = grid:find_path(sx, sy, gx, gy, with(rules, { range = range }))
      if best then
        check.equal_cost(best, path.cost, "path.cost within the range")
      else
        local refusal = range == 0 and oracle.refusal(world, rules, entry, sx, sy, gx, gy) or "unreachable"
        expect(reason == refusal, "expected %s, got %s", refusal, tostring(reason))
      end
    end)
  end)

  it("detect by path:is_valid that their path has become invalid", function()
    on_maps(60, function(r, case)
      local world, grid, rules = new_case(r, false)
      case.world, case.rules = world, rules
      local sx, sy = random_start(r, world, rules)
      local gx, gy = random_start(r, world, rules)
      case.question = { sx = sx, sy = sy, gx = gx, gy = gy }
      local path = grid:find_path(sx, sy, gx, gy, rules)
      for _ = 1, path and 8 or 0 do
        local x, y = random_cell(r, world)
        EDITS[3](r, world, grid, x, y)
        local entry, cells = oracle.entry_costs(world, rules, sx, sy), path:totable()
        local bad
        for i = 2, #cells do
          local a, b = cells[i - 1], cells[i]
          if not bad and not oracle.legal_step(world, rules, entry, a.x, a.y, b.x, b.y) then bad = i end
        end
        local valid, index = path:is_valid()
        expect(valid == not bad and index == bad, "expected %s, got %s", tostring(bad), tostring(index))
      end
    end)
  end)
end)

describe("a large unit that blocks its own cells", function()
  local DRAWING = "XX..........\nXX..........\n............\n............"

  local function world_of(keys)
    local grid = astar.grid((DRAWING:gsub("X", ".")), { terrain = keys })
    grid:block(1, 1, 2, 2)
    return grid
  end

  it("finds the same path by a search in steps as by find_path", function()
    for _, options in ipairs { {}, { algorithm = "astar" } } do
      options.size = 2
      local finder = world_of():finder(options)
      local path = finder:find_path(1, 1, 11, 3)
      local search = finder:search(1, 1, 11, 3)
      while search:step() == "running" do end
      assert.equal("found", search.status)
      assert.same(path:totable(), search:path():totable())
      assert.equal(path.cost, search:path().cost)
      assert.is_true(search:path():is_valid())
    end
  end)

  it("repairs its path from its present cells", function()
    local grid = world_of()
    local finder = grid:finder { size = 2 }
    local path = finder:find_path(1, 1, 11, 1)
    grid:block(7, 2)
    assert.same({ false, 6 }, { path:is_valid() })
    local repaired = path:repair()
    assert.is_true(repaired:is_valid())
    assert.same({ 1, 1 }, { repaired:cell(1) })
    assert.same({ 11, 1 }, { repaired:cell(#repaired) })
    assert.is_true(repaired.cost >= finder:find_path(1, 1, 11, 1).cost)
    assert.is_nil(finder:find_path(9, 1, 1, 1)) -- the others it is in the way of
  end)

  it("pays for the most expensive terrain below the unit", function()
    local terrain = { ["."] = 1, s = 3 }
    local plain, rough = world_of(terrain), world_of(terrain)
    rough:fill(5, 1, 2, 4, "s")
    for _, grid in ipairs { plain, rough } do grid:find_path(1, 1, 11, 3, { size = 2, algorithm = "astar" }) end
    assert.is_true(rough:bytes() >= plain:bytes() + 12 * 4)
  end)
end)

describe("finders made for a single query", function()
  it("leave at most a few caches in memory", function()
    local terrain, row = {}, {}
    for key = 1, 40 do terrain[key], row[key] = 1, key end
    local rows = {}
    for y = 1, 40 do rows[y] = row end
    local grid = astar.grid(rows, { terrain = terrain })
    local function ask(first, last)
      for key = first, last do
        grid:find_path(1, 1, 1, 40, { costs = { [key] = false }, size = key % 3 + 1 })
        collectgarbage()
        collectgarbage()
      end
    end
    ask(2, 14)
    local bytes = grid:bytes()
    ask(15, 40)
    assert.is_true(grid:bytes() <= 1.5 * bytes, bytes .. " bytes grew to " .. grid:bytes())
  end)
end)
