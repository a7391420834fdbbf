local any_angle = require "spec.support.any_angle"
local astar = require "astar"
local body = require "spec.support.body"
local check = require "spec.support.check"
local kinds = require "bench.maps"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local distance, shortest, shortest_over_sweeps = any_angle.distance, any_angle.shortest, any_angle.over_sweeps
local RULES = check.RULES
local TERRAIN = { ["."] = 1, ["#"] = false, g = 2, s = 5, r = 0.5 }

local function with(options, more)
  local all = {}
  for name, value in pairs(options) do all[name] = value end
  for name, value in pairs(more) do all[name] = value end
  return all
end

-- The unit's body can go along each leg, cells and cost are those of the lines, length is that of the legs.
-- Returns what each leg costs.
local function check_route(path, world, rules)
  local cells, points = check.accessors(path), path:waypoints()
  local entry = oracle.entry_costs(world, rules, cells[1].x, cells[1].y)
  local is_free = body.free_cells(world, rules, cells[1].x, cells[1].y)
  local cost, length, at, costs = 0, 0, 1, {}
  for i = 1, #points - 1 do
    local a, b = points[i], points[i + 1]
    local line = oracle.line(rules, a.x, a.y, b.x, b.y)
    costs[i] = body.walk(world, rules, entry, is_free, a.x, a.y, b.x, b.y)
    assert(costs[i], ("no way straight from (%d, %d) to (%d, %d)"):format(a.x, a.y, b.x, b.y))
    cost, length = cost + costs[i], length + distance(a.x, a.y, b.x, b.y)
    for k = 2, #line do
      at = at + 1
      assert(cells[at] and cells[at].x == line[k].x and cells[at].y == line[k].y,
        "the cells do not follow the legs")
    end
  end
  assert.equal(#cells, at)
  check.equal_cost(cost, path.cost, "path.cost")
  check.equal_cost(length, path.length, "path.length")
  return costs
end

-- The other way a waypoint might go to make the route shorter, nil for none.
local function slack(route, finder, width, height)
  local points = route:waypoints()
  local function sees(a, b) return (finder:sweep(a.x, a.y, b.x, b.y)) end
  for i = 2, #points - 1 do
    local a, b, c = points[i - 1], points[i], points[i + 1]
    if sees(a, c) then return ("waypoint %d is not needed"):format(i) end
    local now = distance(a.x, a.y, b.x, b.y) + distance(b.x, b.y, c.x, c.y)
    for _, step in ipairs(astar.directions) do
      local x, y = b.x + step.dx, b.y + step.dy
      local length = distance(a.x, a.y, x, y) + distance(x, y, c.x, c.y)
      if length < now - 1e-6 and x >= 1 and y >= 1 and x <= width and y <= height
        and sees(a, { x = x, y = y }) and sees({ x = x, y = y }, c) then
        return ("waypoint %d may move %s"):format(i, step.name)
      end
    end
  end
end

-- Asks for routes on random maps; 'examine' gets the finders by steps and at any angle, and both
-- their routes.
local function try(seeds, rules, options, examine)
  local count = 0
  for seed = 1, seeds do
    local r = random.new(seed)
    local rows = r:map(r:int(3, options.side or 12), r:int(3, options.side or 12))
    if options.sow then r:sow(rows, { "g", "s", "r" }) end
    local world = oracle.world(rows, { terrain = TERRAIN })
    local grid = maps.grid(world)
    local by_steps, straight = grid:finder(rules), grid:finder(with(rules, { any_angle = true }))
    for _ = 1, 2 do
      local sx, sy = r:int(1, world.width), r:int(1, world.height)
      local gx, gy = r:int(1, world.width), r:int(1, world.height)
      local ok, problem = pcall(function()
        local path, reason = by_steps:find_path(sx, sy, gx, gy)
        local route, other_reason = straight:find_path(sx, sy, gx, gy)
        assert.equal(reason, other_reason)
        if not path then return end
        count = count + 1
        check_route(route, world, rules)
        assert.is_true(route:is_valid())
        examine(route, path, world, straight, { sx = sx, sy = sy, gx = gx, gy = gy })
      end)
      assert(ok, ("seed %d: %s\n%s"):format(seed, tostring(problem), maps.describe(world)))
    end
  end
  return count
end

describe("any_angle", function()
  it("returns a straight line if the goal is in sight", function()
    local path = astar.grid(20, 10):find_path(1, 1, 20, 8, { any_angle = true })
    assert.same({ { x = 1, y = 1 }, { x = 20, y = 8 } }, path:waypoints())
    check.equal_cost(math.sqrt(19 ^ 2 + 7 ^ 2), path.length, "length")
  end)

  it("finds the shorter side of an obstacle if both sides take equally many steps", function()
    local grid, at, world = maps.read [[
      .................G
      ........###.......
      ........###.......
      ..................
      ..................
      ............####..
      ............####..
      S.................
    ]]
    local best = shortest(world, {}, at.S.x, at.S.y)[oracle.cell(world, at.G.x, at.G.y)]
    local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y)
    assert.is_true(path:smooth().length > best * 1.02)
    local route = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, { any_angle = true })
    check.equal_cost(best, route.length, "length")
  end)

  it("may return a path that costs more than the path of grid steps, unless max_cost forbids it", function()
    local grid, at, world = maps.read [[
      ..................
      ..#####..........G
      S.#####...........
      ....###...........
      ..................
      ..................
    ]]
    local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y)
    local function ask(most)
      local route = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, { any_angle = true, max_cost = most })
      check_route(route, world, {})
      return route
    end
    local free, bound = ask(nil), ask(path.cost)
    assert.is_true(free.cost > path.cost + 0.1)
    assert.is_true(bound.cost <= path.cost + 1e-9)
    assert.is_true(free.length < bound.length)
  end)

  it("returns a path of one cell if the start is the goal, and a reason if there is no route", function()
    local grid = maps.read [[
      ..#.
      ..#.
    ]]
    local finder = grid:finder { any_angle = true }
    assert.equal(1, #finder:find_path(1, 1, 1, 1))
    assert.same({ nil, "unreachable" }, { finder:find_path(1, 1, 4, 1) })
    assert.same({ nil, "goal blocked" }, { finder:find_path(1, 1, 3, 1) })
    assert.is_true(finder:reachable(1, 1, 2, 2))
  end)

  for _, rule in ipairs(RULES) do
    it("returns the shortest path if diagonals are " .. rule, function()
      local count = 0
      for _, size in ipairs { 1, 1, 2, 3 } do
        local rules = { diagonals = rule, size = size }
        count = count + try(12, rules, { side = 11 }, function(route, path, world, _, query)
          local best = shortest(world, rules, query.sx, query.sy)
          check.equal_cost(best[oracle.cell(world, query.gx, query.gy)], route.length, "length")
          assert.is_true(route.length <= path:smooth().length + 1e-9, "longer than the path smoothed")
        end)
      end
      assert.is_true(count > 20)
    end)

    it("returns a taut path that is never longer than the smoothed path if diagonals are " .. rule, function()
      for _, size in ipairs { 1, 2 } do
        local rules = { diagonals = rule, size = size }
        assert.is_true(0 < try(150, rules, { side = 16 }, function(route, path, world, straight)
          assert.is_true(route.length <= path:smooth().length + 1e-9)
          assert.is_nil(slack(route, straight, world.width, world.height))
        end))
      end
    end)

    it("keeps to cheap ground on a map of several costs if diagonals are " .. rule, function()
      local rules = { diagonals = rule }
      local count = try(100, rules, { sow = true }, function(route, path)
        assert.is_true(route.length <= path:smooth().length + 1e-9)
        assert.is_true(route.cost <= path.cost + 1e-9, "dearer than the path by steps")
      end)
      assert.is_true(count > 20)
    end)
  end

  for name, make in pairs {
    ["scattered obstacles"] = function(seed, side) return kinds.field(seed, side, side, 5 + seed % 20) end,
    caves = function(seed, side) return kinds.caves(seed, side, side) end,
    rooms = function(seed, side) return kinds.rooms(seed, side, side, 5 + seed % 4) end,
    mazes = function(seed, side) return kinds.maze(seed, side, side, 1 + seed % 4) end,
    ["a city"] = function(seed, side) return kinds.city(seed, side, side) end,
  } do
    it("returns the shortest route on maps of " .. name .. ", for units of each size", function()
      local count = 0
      for seed = 1, 12 do
        local r = random.new(seed)
        local side, size = r:int(20, 40), seed % 3 + 1
        local rows = make(seed, side)
        local rules = { diagonals = RULES[seed % #RULES + 1], size = size, any_angle = true }
        local grid = astar.grid(rows)
        local straight, by_steps = grid:finder(rules), grid:finder { diagonals = rules.diagonals, size = size }
        for _ = 1, 6 do
          local sx, sy, gx, gy = r:int(1, side), r:int(1, side), r:int(1, side), r:int(1, side)
          local route = straight:find_path(sx, sy, gx, gy)
          if route then
            local best = shortest_over_sweeps(straight, rows, size, sx, sy, gx, gy)
            check.equal_cost(best, route.length, ("length, seed %d, (%d, %d) to (%d, %d)"):format(seed, sx, sy, gx, gy))
            assert.is_true(route.length <= by_steps:find_path(sx, sy, gx, gy):smooth().length + 1e-9)
            count = count + 1
          end
        end
      end
      assert.is_true(count >= 10, count .. " routes")
    end)
  end

  it("returns the same path from a search in steps, whatever the number of expansions per step", function()
    for seed = 1, 30 do
      local r = random.new(seed)
      local world = oracle.world(r:map(r:int(5, 25), r:int(5, 25)))
      local finder = maps.grid(world):finder { any_angle = true }
      local sx, sy, gx, gy = r:int(1, world.width), r:int(1, world.height),
        r:int(1, world.width), r:int(1, world.height)
      local path, reason = finder:find_path(sx, sy, gx, gy)
      local search = finder:search(sx, sy, gx, gy)
      local n, status = r:int(1, 9), "running"
      while status == "running" do
        local before = search.expanded
        status = search:step(n)
        assert.is_true(search.expanded - before <= n, "seed " .. seed)
      end
      assert.equal(reason or "found", status, "seed " .. seed)
      if path then
        assert.same(path:waypoints(), search:path():waypoints(), "seed " .. seed)
        assert.equal(path.expanded, search:path().expanded)
      end
    end
  end)

  it("works in a queue and in find_nearest, and its paths can be repaired", function()
    local grid = astar.grid(30, 20)
    grid:block(10, 3, 1, 18)
    local finder = grid:finder { any_angle = true }
    local queue = astar.queue()
    local ticket = queue:request(finder, 1, 15, 30, 18)
    while queue:update { expansions = 3 } > 0 do end
    local path = finder:find_path(1, 15, 30, 18)
    assert.same(path:waypoints(), ticket:path():waypoints())
    assert.same(path:waypoints(), finder:find_nearest(1, 15, { { 30, 18 } }):waypoints())
    local nearest = finder:find_nearest(1, 15, { { 30, 18 }, { 30, 19 }, { 29, 20 } })
    local gx, gy = nearest:cell(#nearest)
    assert.equal(finder:find_path(1, 15, gx, gy).length, nearest.length)
    grid:block(20, 1, 1, 15)
    assert.is_false((path:is_valid()))
    local repaired = path:repair()
    assert.is_true(repaired:is_valid())
    assert.same({ 30, 18 }, { repaired:cell(#repaired) })
    assert.same(finder:find_path(1, 15, 30, 18):waypoints(), path:repair { optimal = true }:waypoints())
  end)

  it("can be combined with partial and range: the path ends in the same cell as a path of grid steps", function()
    local drawing = [[
      ..........
      .......###
      .......#G.
      S......###
    ]]
    local grid, at = maps.read(drawing)
    for _, options in ipairs { { partial = true }, { range = 2 } } do
      local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, options)
      local route = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, with(options, { any_angle = true }))
      assert.equal(path.partial, route.partial)
      assert.same({ path:cell(#path) }, { route:cell(#route) })
      assert.is_true(route.length <= path:smooth().length)
    end
  end)

  it("respects max_cost and max_expansions", function()
    for seed = 1, 60 do
      local r = random.new(seed)
      local world = oracle.world(r:map(20, 20))
      local grid = maps.grid(world)
      local sx, sy, gx, gy = r:int(1, 20), r:int(1, 20), r:int(1, 20), r:int(1, 20)
      local path = grid:find_path(sx, sy, gx, gy)
      if path then
        local route = grid:find_path(sx, sy, gx, gy, { any_angle = true, max_cost = path.cost })
        assert.is_true(route.cost <= path.cost * (1 + 1e-8), "seed " .. seed)
        local budget = path.expanded + 2
        route = grid:find_path(sx, sy, gx, gy, { any_angle = true, max_expansions = budget })
        assert.is_true(route.expanded <= budget, "seed " .. seed)
        assert.is_true(route.length <= path:smooth().length + 1e-9, "seed " .. seed)
        local reason = select(2, grid:find_path(sx, sy, gx, gy, { any_angle = true, max_cost = 0 }))
        assert.equal(path.cost > 0 and "max_cost" or nil, reason)
      end
    end
  end)

  it("returns a smoothed path through a maze if max_expansions or max_cost stops the any-angle search", function()
    for seed = 1, 20 do
      local r = random.new(seed)
      local side, width = r:int(20, 50), r:int(1, 5)
      local grid = astar.grid(kinds.maze(seed, side, side, width))
      local diagonals = r:pick(RULES)
      local sx, sy, gx, gy = r:int(1, side), r:int(1, side), r:int(1, side), r:int(1, side)
      local path = grid:find_path(sx, sy, gx, gy, { diagonals = diagonals })
      if path then
        local most = path:smooth().length + 1e-9
        for more = 0, 8 do
          local budget = path.expanded + more
          local route = grid:find_path(sx, sy, gx, gy,
            { any_angle = true, diagonals = diagonals, max_expansions = budget })
          assert.is_true(route.expanded <= budget and route.length <= most, "seed " .. seed)
        end
        local route = grid:find_path(sx, sy, gx, gy, { any_angle = true, diagonals = diagonals, max_cost = path.cost })
        assert.is_true(route.length <= most and route.cost <= path.cost * (1 + 1e-8), "seed " .. seed)
      end
    end
  end)

  it("keeps links in the path, and leads no line through a thin wall", function()
    local grid = maps.read [[
      .....#.....
      .....#.....
      .....#.....
    ]]
    grid:link(4, 2, 7, 1, { label = "jump" })
    local path = grid:find_path(1, 1, 11, 3, { any_angle = true })
    local labels = {}
    for i = 1, #path do labels[#labels + 1] = path:link(i) end
    assert.same({ "jump" }, labels)
    assert.same({ { x = 1, y = 1 }, { x = 4, y = 2 }, { x = 7, y = 1 }, { x = 11, y = 3 } },
      path:waypoints())

    local yard = astar.grid(9, 4)
    for x = 1, 8 do yard:wall(x, 2, "south") end
    local finder = yard:finder { any_angle = true }
    local around = finder:find_path(1, 1, 1, 4)
    assert.is_true(around:is_valid())
    local points = around:waypoints()
    for i = 1, #points - 1 do
      assert.is_true((finder:sweep(points[i].x, points[i].y, points[i + 1].x, points[i + 1].y)))
    end
    assert.is_true(around.length > 16)
  end)

  it("calls cost functions, and avoids cells that they make expensive", function()
    local function cost(x, y, _, ground) return (x == 5 and y < 6) and 50 or ground end
    local grid = astar.grid(9, 7)
    local plain = grid:find_path(1, 1, 9, 1, { cost = cost })
    local path = grid:find_path(1, 1, 9, 1, { cost = cost, any_angle = true })
    assert.is_true(path.cost <= plain.cost + 1e-9)
    assert.is_true(path.length <= plain:smooth().length + 1e-9)
    local danger = astar.field(grid)
    danger:fill(5, 1, 1, 5, 50)
    local careful = grid:find_path(1, 1, 9, 1, { avoid = danger, any_angle = true })
    check.equal_cost(path.length, careful.length, "length")
  end)

  it("passes on the error of a callback, and the search can continue after it", function()
    local calls, fail_at = 0, math.huge
    local finder = astar.grid(12, 12):finder {
      any_angle = true,
      step_cost = function(_, _, _, _, cost)
        calls = calls + 1
        if calls == fail_at then error("stop", 0) end
        return cost
      end,
    }
    local path = finder:find_path(1, 1, 12, 7)
    local all = calls
    for at = 1, all, 7 do
      calls, fail_at = 0, at
      local search = finder:search(1, 1, 12, 7)
      local ok, message = pcall(search.step, search, 1e6)
      assert.is_false(ok)
      assert.equal("stop", message)
      assert.equal("found", search:step(1e6))
      assert.same(path:waypoints(), search:path():waypoints())
    end
  end)

  it("returns routes of clear lines of sight on wide maps too", function()
    for seed = 1, 120 do
      local r = random.new(seed)
      local width, height = r:int(40, 90), r:int(30, 60)
      local grid = astar.grid(width, height)
      for _ = 1, math.floor(width * height / r:int(8, 40)) do grid:block(r:int(1, width), r:int(1, height)) end
      for _, rule in ipairs { "never", "always" } do
        local straight = grid:finder { diagonals = rule, any_angle = true }
        for _ = 1, 30 do
          local route = straight:find_path(r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height))
          assert.is_true(not route or (route.cost < math.huge and route:is_valid()), ("seed %d, %s"):format(seed, rule))
        end
      end
    end
  end)

  it("lets a large unit leave the blocks on its own cells", function()
    local count = 0
    for seed = 1, 60 do
      local r = random.new(seed)
      local width, height, size = r:int(20, 60), r:int(8, 30), r:int(2, 3)
      local grid = astar.grid(width, height)
      for _ = 1, r:int(0, math.floor(width * height / 30)) do grid:block(r:int(1, width), r:int(1, height)) end
      local sx, sy = r:int(1, width - size + 1), r:int(1, height - size + 1)
      grid:block(sx, sy, size, size)
      local by_steps, straight = grid:finder { size = size }, grid:finder { size = size, any_angle = true }
      local free = grid:clone()
      free:unblock(sx, sy, size, size)
      local alone = free:finder { size = size }
      for _ = 1, 6 do
        local gx, gy = r:int(1, width), r:int(1, height)
        local path, reason = by_steps:find_path(sx, sy, gx, gy)
        local route, other_reason = straight:find_path(sx, sy, gx, gy)
        assert.equal(reason, other_reason)
        local points = route and route:waypoints() or {}
        for i = 2, #points do
          assert.is_true((alone:sweep(points[i - 1].x, points[i - 1].y, points[i].x, points[i].y)))
        end
        if path then
          assert.is_true(route.length <= path:smooth().length + 1e-9)
          count = count + 1
        end
      end
    end
    assert.is_true(count > 150)
  end)

  it("lets a unit leave a blocked start", function()
    local grid, at, world = maps.read [[
      ...#.....G
      ...#......
      .S.#......
      ...#......
      ...#......
      ..........
    ]]
    local best = shortest(world, {}, at.S.x, at.S.y)[oracle.cell(world, at.G.x, at.G.y)]
    grid:block(at.S.x, at.S.y)
    local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, { any_angle = true })
    assert.same({ at.S.x, at.S.y }, { path:cell(1) })
    assert.is_true(path:is_valid())
    assert.is_true(path.length < best * 1.01)
  end)
end)

describe("any_angle in a search in steps", function()
  local RULE_SETS = {
    {}, { diagonals = "never" }, { diagonals = "always", size = 2 }, { partial = true }, { max_expansions = 60 },
  }

  local function random_finder(r)
    local width, height = r:int(5, 40), r:int(5, 40)
    local rows = r:map(width, height)
    if r:chance(0.3) then r:sow(rows, { "g", "s", "r" }) end
    local grid = astar.grid(rows, { terrain = TERRAIN })
    local function cell() return r:int(1, width), r:int(1, height) end
    for _ = 1, r:pick { 0, 0, 3 } do
      local x, y = cell()
      pcall(grid.link, grid, x, y, r:int(1, width), r:int(1, height), { cost = r:int(0, 4) })
    end
    local options = with(r:pick(RULE_SETS), { any_angle = true })
    if r:chance(0.2) then
      options.cost, options.min_cost = function(x, y, _, cost) return cost + (x * y) % 3 end, 0.5
    elseif r:chance(0.1) then
      options.step_cost, options.min_cost = function(x, _, nx, _, cost) return nx < x and cost * 2 or cost end, 0.5
    end
    return grid:finder(options), cell
  end

  local function same_route(route, expected)
    assert.same(expected:waypoints(), route:waypoints())
    assert.same(expected:cells_flat(), route:cells_flat())
    for _, name in ipairs { "cost", "length", "expanded", "partial" } do
      assert.equal(expected[name], route[name], name)
    end
  end

  it("returns the same route whatever the budget of each step", function()
    local count = 0
    for seed = 1, 300 do
      local r = random.new(seed)
      local finder, cell = random_finder(r)
      local sx, sy = cell()
      local gx, gy = cell()
      local ok, problem = pcall(function()
        local expected, reason = finder:find_path(sx, sy, gx, gy)
        for _, step in ipairs { 1, 7, 40, 0 } do
          local search = finder:search(sx, sy, gx, gy)
          local status = search.status
          while status == "running" do status = search:step(step > 0 and step or r:int(1, 30)) end
          assert.equal(reason or "found", status)
          if expected then same_route(search:path(), expected) end
        end
        if expected then count = count + 1 end
      end)
      assert(ok, ("seed %d: %s"):format(seed, tostring(problem)))
    end
    assert.is_true(count > 100)
  end)

  it("limits the work of each step, including the work for lines of sight", function()
    local rows, calls = random.new(3):scatter(200, 200, 0.1), 0
    rows[1][1], rows[190][200] = ".", "."
    local search = astar.grid(rows):finder({
      any_angle = true,
      step_cost = function(_, _, _, _, cost)
        calls = calls + 1
        return cost
      end,
    }):search(1, 1, 200, 190)
    local straightening, most = 0, 0
    while search.status == "running" do
      local asked, expanded = calls, search.expanded
      search:step(4)
      if search.expanded == expanded then
        straightening, most = straightening + 1, math.max(most, calls - asked)
      end
    end
    assert.equal("found", search.status)
    assert.is_true(straightening > 8, straightening .. " steps")
    assert.is_true(most < 600, most .. " calls in a step")
  end)

  it("continues after a callback raised an error at any moment of the search", function()
    for seed = 1, 12 do
      local r = random.new(seed)
      local rows = r:scatter(20, 16, 0.2)
      rows[1][1], rows[16][20] = ".", "."
      local grid, fails, calls = astar.grid(rows), false, 0
      local finder = grid:finder {
        any_angle = true, min_cost = 0.5,
        step_cost = function(x, y, nx, _, cost)
          calls = calls + 1
          if fails and calls % 97 == seed then error "no" end
          return cost * (nx < x and 2 or 1) + y % 2
        end,
      }
      local expected, reason = finder:find_path(1, 1, 20, 16)
      local search = finder:search(1, 1, 20, 16)
      fails = true
      local status
      repeat
        local ok, result = pcall(search.step, search, 3)
        status = ok and result or "running"
      until status ~= "running"
      fails = false
      assert.equal(reason or "found", status)
      if expected then
        assert.same(expected:waypoints(), search:path():waypoints())
        assert.equal(expected.cost, search:path().cost)
      end
    end
  end)
end)
