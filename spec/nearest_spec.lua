-- finder:find_nearest against a plain Dijkstra over the whole map.

local astar = require "astar"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of

local TERRAIN = { terrain = { ["."] = 1, ["#"] = false, s = 3 } }

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

-- The least cost to any of the goals that can be entered (or come within range of), nil when none.
local function cheapest(case)
  local least
  for _, goal in ipairs(case.goals) do
    local cost = oracle.within(case.world, case.options, case.distances, goal[1], goal[2], case.options.range or 0)
    if cost and (not least or cost < least) then least = cost end
  end
  return least
end

local function new_case(r)
  local width, height = r:int(1, 22), r:int(1, 16)
  local rows = r:map(width, height)
  if r:chance(0.5) then r:sow(rows, { "s" }) end
  local case = { world = oracle.world(rows, TERRAIN), goals = {} }
  if r:chance(0.3) then layers.add_links(r, case.world) end
  if r:chance(0.3) then layers.add_walls(r, case.world) end
  case.grid = maps.grid(case.world)
  case.sx, case.sy = r:int(1, width), r:int(1, height)
  for i = 1, r:pick { 0, 1, 1, 2, 3, 7, 15, 16, 40 } do
    case.goals[i] = { r:int(1, width), r:int(1, height) }
  end
  case.options = { diagonals = r:pick(check.RULES) }
  if r:chance(0.2) then case.options.avoid = layers.field(r, case.world) end
  if r:chance(0.3) then case.options.range = r:int(1, 3) end
  if r:chance(0.4) then
    case.options.cost = function(x, y, _, cost) return (x * 5 + y) % 9 > 0 and cost + y % 2 end
  end
  case.distances, case.entry = oracle.distances(case.world, case.options, case.sx, case.sy)
  return case
end

-- Runs the body for random cases; what went wrong is told with the map.
local function for_cases(count, body)
  for seed = 1, count do
    local r = random.new(seed)
    local case = new_case(r)
    local ok, problem = pcall(body, case, r)
    if not ok then
      error(("seed %d, from (%d, %d): %s\n%s"):format(seed, case.sx, case.sy, tostring(problem),
        maps.describe(case.world)), 0)
    end
  end
end

local function start_blocked(case)
  return not oracle.ground_cost(case.world, case.options, oracle.cell(case.world, case.sx, case.sy))
end

describe("find_nearest", function()
  it("finds the goal that is cheapest to reach, and a cheapest path to it", function()
    local found = 0
    for_cases(600, function(case, r)
      case.options.algorithm = r:pick { "auto", "astar", "dijkstra" }
      local finder = case.grid:finder(case.options)
      local path, index = finder:find_nearest(case.sx, case.sy, case.goals)
      local best = cheapest(case)
      if start_blocked(case) then
        expect(not path and index == "start blocked", "got %s", tostring(index))
      elseif not best then
        expect(not path and (index == "unreachable" or index == "goal blocked"), "got %s", tostring(index))
      else
        expect(path, "no path: %s, expected cost %g", tostring(index), best)
        check.equal_cost(best, path.cost, "cost")
        local cells = check.route(path, { world = case.world, rules = case.options,
          entry = case.entry, sx = case.sx, sy = case.sy })
        local last, goal = cells[#cells], case.goals[index]
        local away = oracle.away(case.options, case.options.range, last.x, last.y, goal[1], goal[2])
        expect(away <= (case.options.range or 0), "does not lead to goal %d", index)
        expect(not path.partial, "partial")
        found = found + 1
      end
    end)
    assert.is_true(found > 200)
  end)

  it("finds a path that costs at most weight times as much as the cheapest path", function()
    for_cases(600, function(case, r)
      if start_blocked(case) then return end
      local weight = r:pick { 1.001, 1.05, 1.2, 1.7 }
      case.options.weight = weight
      local path = case.grid:finder(case.options):find_nearest(case.sx, case.sy, case.goals)
      local best = cheapest(case)
      expect((path ~= nil) == (best ~= nil), "path or none")
      expect(not path or path.cost <= best * weight + 1e-9, "too dear")
    end)
  end)

  it("prefers the first of goals in one cell, and the northernmost, then westernmost of equal goals", function()
    local finder = astar.grid(9, 9):finder()
    assert.equal(2, select(2, finder:find_nearest(5, 5, { { 1, 1 }, { 5, 7 }, { 5, 7 } })))
    assert.equal(3, select(2, finder:find_nearest(5, 5, { { 5, 7 }, { 7, 5 }, { 5, 3 }, { 3, 5 } })))
    local many = {}
    for i = 1, 30 do many[i] = { 1, 1 } end
    many[20], many[22], many[25] = { 5, 7 }, { 5, 3 }, { 3, 5 }
    assert.equal(22, select(2, finder:find_nearest(5, 5, many)))
  end)

  it("prefers the northernmost, then westernmost of equally cheap goals, among few goals and many", function()
    local finder = astar.grid(7, 5):finder()
    assert.equal(1, select(2, finder:find_nearest(4, 5, { { 5, 2 }, { 1, 4 } })))
    local row = {}
    for i = 1, 20 do row[i] = { 7, 5 } end
    row[8], row[15] = { 1, 4 }, { 5, 2 } -- as far: three steps
    assert.equal(15, select(2, astar.grid(7, 5):finder { diagonal_cost = 1 }:find_nearest(4, 4, row)))
  end)

  it("prefers the northernmost goal if a link of cost 0 makes goals equally cheap", function()
    local grid = astar.grid(9, 9)
    grid:link(5, 7, 1, 1, { cost = 0 })
    for _, count in ipairs { 0, 20 } do
      local goals = { { 5, 7 }, { 1, 1 } }
      for i = 1, count do goals[i + 2] = { 9, 1 } end
      local path, index = grid:finder():find_nearest(5, 5, goals)
      assert.equal(2, index)
      assert.equal(2, path.cost)
    end
  end)

  it("with partial prefers the northernmost of equally near cells", function()
    local finder = astar.grid(".....#.\n#######\n......."):finder { partial = true }
    local path, index = finder:find_nearest(3, 3, { { 5, 2 }, { 5, 2 }, { 3, 2 }, { 1, 2 } })
    assert.equal(3, index)
    assert.equal(0, path.cost)
    assert.equal(3, select(2, finder:find_nearest(3, 1, { { 7, 1 }, { 4, 2 }, { 3, 2 }, { 2, 2 } })))
  end)

  it("calls no heuristic function, and finds the best path, however many goals can be reached", function()
    local grid = astar.grid("......\n.####.\n......")
    local finder = grid:finder { heuristic = function() error "asked" end }
    for _, goals in ipairs { { { 6, 3 } }, { { 6, 3 }, { 3, 2 } }, { { 6, 3 }, { 6, 3 }, { 6, 2 } } } do
      local path = finder:find_nearest(1, 3, goals)
      assert.equal(5, path.cost)
    end
  end)

  it("raises an error if the algorithm cannot honour the grid, whatever the goals are", function()
    local grid = astar.grid(".#.\n.##\n...")
    grid:link(1, 1, 3, 1)
    local finder = grid:finder { algorithm = "jps" }
    local goals = { {}, { { 2, 1 } }, { { 3, 3 } }, { { 3, 3 }, { 1, 3 } }, function() return true end }
    for _, each in ipairs(goals) do
      assert.equal('algorithm "jps" cannot honour links and walls',
        error_of(function() finder:find_nearest(1, 1, each) end))
    end
  end)

  it('returns "goal blocked" if a callback blocks all of several goals', function()
    local grid = astar.grid(5, 5)
    local finder = grid:finder { cost = function(x, _, _, cost) return x < 4 and cost end }
    assert.same({ nil, "goal blocked" }, { finder:find_nearest(1, 1, { { 4, 1 } }) })
    assert.same({ nil, "goal blocked" }, { finder:find_nearest(1, 1, { { 4, 1 }, { 5, 5 } }) })
    grid:block(2, 1, 1, 5)
    assert.same({ nil, "unreachable" }, { finder:find_nearest(1, 1, { { 4, 1 }, { 3, 5 } }) })
  end)

  it("expands hardly more cells to distinguish equally cheap goals", function()
    local finder = astar.grid(101, 101):finder()
    local alone = finder:find_nearest(51, 51, { { 51, 91 } }).expanded
    local path, index = finder:find_nearest(51, 51, { { 51, 91 }, { 51, 11 }, { 91, 51 } })
    assert.equal(2, index)
    assert.is_true(path.expanded <= 4 * math.max(alone, 41), path.expanded)
  end)

  it("needs no more memory than the map requires, for any number of goals with any range", function()
    local grid = astar.grid(300, 300)
    grid:block(150, 1, 1, 300)
    local goals = {}
    for i = 1, 2000 do goals[i] = { 200 + i % 100, 1 + i * 7 % 300 } end
    for _, options in ipairs { { range = 40 }, { range = 300 }, { partial = true } } do
      grid:finder(options):find_nearest(1, 1, goals)
    end
    assert.is_true(grid:bytes() < 300 * 300 * 100, grid:bytes())
  end)

  it("raises an error for a list whose length is greater than its number of goals", function()
    local few = {}
    for power = 0, 27 do few[2 ^ power] = { 1, 1 } end
    local finder = astar.grid(5, 5):finder()
    collectgarbage()
    local before = collectgarbage "count"
    collectgarbage "stop"
    local _, of_nearest = pcall(finder.find_nearest, finder, 1, 1, few)
    local _, of_flow = pcall(finder.flow, finder, few)
    local taken = collectgarbage "count" - before
    collectgarbage "restart"
    assert.is_true(taken < 1000, taken)
    if #few > 4 then -- as the Lua counts
      assert.matches("goals%[3%] must be a cell {x, y}, got nil", of_nearest)
      assert.matches("goals%[3%] must be a cell {x, y}, got nil", of_flow)
    end
  end)

  it("accepts goals as lists { x, y } and as tables with x and y, with any origin", function()
    local grid = astar.grid(9, 9, { origin = { -4, 100 } })
    local path, index = grid:finder():find_nearest(-4, 100, { { x = 4, y = 108 }, { -2, 100 } })
    assert.equal(2, index)
    assert.same({ -4, 100, -3, 100, -2, 100 }, path:cells_flat())
  end)

  it("returns a path of one cell if the start is a goal, even if a block of the unit is on the start", function()
    local grid = astar.grid(5, 5)
    grid:block(3, 3)
    for _, options in ipairs { {}, { algorithm = "dijkstra" }, { range = 1 } } do
      local path, index = grid:finder(options):find_nearest(3, 3, { { 1, 1 }, { 3, 3 } })
      assert.equal(2, index)
      assert.equal(1, #path)
      assert.equal(0, path.cost)
    end
  end)

  it("skips goals that are blocked or walled off, and returns the reason if all goals are", function()
    local grid = astar.grid ".#.\n.##\n..."
    local finder = grid:finder()
    assert.equal(3, select(2, finder:find_nearest(1, 1, { { 2, 1 }, { 3, 1 }, { 3, 3 } })))
    assert.same({ nil, "goal blocked" }, { finder:find_nearest(1, 1, { { 2, 1 }, { 2, 2 } }) })
    assert.same({ nil, "unreachable" }, { finder:find_nearest(1, 1, { { 2, 1 }, { 3, 1 } }) })
    assert.same({ nil, "unreachable" }, { finder:find_nearest(1, 1, {}) })
    assert.same({ nil, "start blocked" }, { finder:find_nearest(2, 1, { { 1, 1 } }) })
  end)

  it('does not return "goal blocked" if a callback blocks the only goal that has a route', function()
    local grid = astar.grid ".#.\n.##\n..."
    local finder = grid:finder { cost = function(x, y, _, cost) return (x ~= 1 or y ~= 3) and cost end }
    assert.same({ nil, "unreachable" }, { finder:find_nearest(1, 1, { { 3, 1 }, { 1, 3 } }) })
    assert.same({ nil, "goal blocked" }, { finder:find_nearest(1, 1, { { 2, 1 }, { 1, 3 } }) })
  end)

  it("returns a reason when max_cost or max_expansions is exceeded", function()
    local grid = astar.grid(30, 30)
    local goals = { { 30, 30 }, { 1, 30 } }
    assert.same({ nil, "max_cost" }, { grid:finder { max_cost = 5 }:find_nearest(1, 1, goals) })
    assert.same({ nil, "max_expansions" },
      { grid:finder { max_expansions = 5, algorithm = "dijkstra" }:find_nearest(1, 1, goals) })
  end)

  it("with partial leads to the cell nearest to any goal, the cheapest of equally near cells", function()
    local partial = 0
    for_cases(900, function(case, r)
      if start_blocked(case) or #case.goals == 0 or cheapest(case) then return end
      case.options.partial = true
      if r:chance(0.3) then case.options.max_expansions = 1e6 end -- found by tracking
      local path, index = case.grid:finder(case.options):find_nearest(case.sx, case.sy, case.goals)
      expect(path and path.partial, "no partial path: %s", tostring(index))
      local least, cost = math.huge, math.huge
      for _, goal in ipairs(case.goals) do
        local distance, its = oracle.nearest(case.world, case.options, case.distances, goal[1], goal[2],
          case.options.range)
        if distance < least - 1e-9 then
          least, cost = distance, its
        elseif distance < least + 1e-9 then
          cost = math.min(cost, its)
        end
      end
      local x, y = path:cell(#path)
      local goal = case.goals[index]
      local away = oracle.ground_distance(case.options, x, y, goal[1], goal[2])
      expect(math.abs(away - least) < 1e-9, "ends %g away instead of %g", away, least)
      check.equal_cost(cost, path.cost, "cost")
      partial = partial + 1
    end)
    assert.is_true(partial > 30, partial)
  end)

  it("returns paths that path:repair repairs towards the same goal", function()
    local grid = astar.grid(20, 20)
    local finder = grid:finder()
    local listed = finder:find_nearest(2, 2, { { 18, 18 }, { 14, 4 } })
    local ranged = finder:find_nearest(2, 2, { { 18, 18 }, { 14, 4 } }, { range = 2 })
    local told = finder:find_nearest(2, 2, function(x, y) return x == 14 and y == 4 end)
    grid:block(14, 5, 1, 16)
    grid:block(5, 1, 1, 19)
    for _, path in ipairs { listed, told } do
      assert.equal(finder:find_path(2, 2, 14, 4).cost, path:repair { optimal = true }.cost)
    end
    assert.equal(finder:find_path(2, 2, 14, 4, { range = 2 }).cost, ranged:repair { optimal = true }.cost)
  end)

  it("finds the nearest of many goals at the end of a corridor of 14,000 cells", function()
    local width, rows = 101, 279
    local grid = astar.grid(width, rows)
    for y = 2, rows, 2 do grid:fill(y % 4 == 0 and 2 or 1, y, width - 1, 1, "#") end -- a gap at one end
    for _, diagonals in ipairs { "never", "only_when_no_obstacles" } do
      local finder = grid:finder { diagonals = diagonals }
      local goals, least = {}, math.huge
      for i = 1, 129 do
        goals[i] = { width - (i * 7) % 90, rows - 2 * (i % 3) }
        least = math.min(least, finder:find_path(1, 1, goals[i][1], goals[i][2]).cost)
        if i == 15 or i == 40 or i >= 128 then
          local path, index = finder:find_nearest(1, 1, goals)
          assert.equal(least, path.cost)
          assert.equal(least, finder:find_path(1, 1, goals[index][1], goals[index][2]).cost)
          assert.is_true(least > 13000)
        end
      end
    end
  end)

  -- The map is open except for one cell far from all routes, so that the cost of each route is known.
  it("finds the nearest of goals that lie up to 130,000 cells away", function()
    local source, height, diagonal = random.new(1), 130000, math.sqrt(2)
    local grid = astar.grid(40, height, { terrain = TERRAIN.terrain, fill = "." })
    grid:block(40, 65000)
    local finder = grid:finder()
    for case = 1, 60 do
      local sx, sy, goals, least = source:int(1, 10), source:pick { 1, height, source:int(1, height) }, {}, math.huge
      local near = source:int(1, 90000) -- no goal is nearer than this, except for those near the other edge
      for i = 1, source:pick { 2, 3, 7, 9, 14, 16 } do
        local row = sy + source:pick { -1, 1 } * (near + source:int(0, 30000))
        goals[i] = { source:int(1, 10), math.max(1, math.min(row, height)) }
        local dx, dy = math.abs(goals[i][1] - sx), math.abs(goals[i][2] - sy)
        least = math.min(least, math.max(dx, dy) + (diagonal - 1) * math.min(dx, dy))
      end
      check.equal_cost(least, finder:find_nearest(sx, sy, goals).cost, "case " .. case)
    end
  end)

  it("expands only cells towards a nearest goal, except with Dijkstra's algorithm", function()
    local grid = astar.grid(200, 200)
    local function expanded(algorithm)
      local finder = grid:finder { algorithm = algorithm }
      return finder:find_nearest(1, 100, { { 100, 100 }, { 100, 101 } }).expanded
    end
    assert.is_true(expanded "astar" < 200)
    assert.is_true(expanded "dijkstra" > 13000) -- half an octagon around the start
  end)
end)

describe("find_nearest with a function", function()
  it("finds the cheapest cell for which the function returns true", function()
    local found = 0
    for_cases(400, function(case, r)
      case.options.range = nil
      local modulus, rest = r:int(1, 60), r:int(0, 5)
      local asked = {}
      local function is_goal(x, y, terrain)
        local cell = oracle.cell(case.world, x, y)
        expect(case.world.keys[cell] == terrain, "terrain")
        expect(not asked[cell], "asked twice")
        asked[cell] = true
        return (x * 7 + y * 3) % modulus == rest
      end
      local path, reason = case.grid:finder(case.options):find_nearest(case.sx, case.sy, is_goal)
      local best
      for cell, cost in pairs(case.distances) do
        local x, y = oracle.position(case.world, cell)
        if (x * 7 + y * 3) % modulus == rest and (not best or cost < best) then best = cost end
      end
      if start_blocked(case) then
        expect(not path and reason == "start blocked", "got %s", tostring(reason))
      elseif not best then
        expect(not path and reason == "unreachable", "got %s", tostring(reason))
      else
        check.equal_cost(best, path.cost, "cost")
        expect(reason == nil, "an index")
        check.route(path, { world = case.world, rules = case.options, entry = case.entry,
          sx = case.sx, sy = case.sy })
        found = found + 1
      end
    end)
    assert.is_true(found > 100)
  end)

  it("passes on the function's errors, and the finder stays usable", function()
    local finder = astar.grid(9, 9):finder()
    for k = 1, 40 do
      local calls, fault = 0, {}
      local ok, problem = pcall(finder.find_nearest, finder, 5, 5, function()
        calls = calls + 1
        if calls == k then error(fault) end
      end)
      assert.same({ false, fault }, { ok, problem })
      assert.equal(9, #finder:find_path(1, 1, 9, 9))
    end
  end)

  it("refuses a function that edits the grid or yields", function()
    local grid = astar.grid(9, 9)
    local finder = grid:finder()
    assert.matches("^grid was edited during the search: ",
      error_of(function() finder:find_nearest(5, 5, function() grid:block(1, 1) end) end))
    local ok, message = coroutine.resume(coroutine.create(function()
      finder:find_nearest(5, 5, function() coroutine.yield() end)
    end))
    assert.is_false(ok)
    assert.matches("attempt to yield", message)
    assert.equal(1, #finder:find_nearest(5, 5, function() return true end))
  end)

  it("accepts a function that queries the same finder", function()
    local finder = astar.grid(9, 9):finder()
    local path = finder:find_nearest(1, 1, function(x, y)
      return #finder:find_path(x, y, 9, 9) <= 4 and finder:find_nearest(x, y, { { 9, 9 } }) ~= nil
    end)
    assert.same({ 6, 6 }, { path:cell(#path) })
  end)
end)
