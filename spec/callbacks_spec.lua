local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"

local error_of = check.error_of

local SQRT2 = math.sqrt(2)
local ALGORITHMS = check.algorithms { cost = print }

local SWAMP = { terrain = { ["."] = 1, s = 5, w = false } }

-- A world and a finder's rules answered by the oracle: the least cost from S to G.
local function best(world, rules, at)
  return oracle.distances(world, rules, at.S.x, at.S.y)[oracle.cell(world, at.G.x, at.G.y)]
end

describe("the option cost", function()
  it("calls the cost function with x, y, the terrain and its cost", function()
    local asked = {}
    local grid = astar.grid("..s", SWAMP)
    local path = grid:find_path(1, 1, 3, 1, {
      cost = function(...)
        assert.equal(4, select("#", ...))
        local x, y, terrain, cost = ...
        asked[x .. "," .. y] = terrain .. cost
        return cost
      end,
    })
    assert.equal(6, path.cost)
    assert.equal(".1", (asked["2,1"]:gsub("%.0", "")))
    assert.equal("s5", (asked["3,1"]:gsub("%.0", "")))
  end)

  it("calls the cost function with the grid's own coordinates and keys", function()
    local grid = astar.grid({ { 7, 7 } }, { terrain = { [7] = 2 }, origin = { -5, 40 } })
    local seen
    grid:find_path(-5, 40, -4, 40, {
      cost = function(x, y, terrain, cost)
        if x == -4 then seen = { x, y, terrain, cost } end
        return cost
      end,
    })
    assert.same({ -4, 40, 7, 2 }, seen)
  end)

  it("calls the cost function with this unit's own cost", function()
    local seen
    astar.grid("..s", SWAMP):find_path(1, 1, 3, 1, {
      costs = { s = 3 },
      cost = function(_, _, terrain, cost)
        if terrain == "s" then seen = cost end
        return cost
      end,
    })
    assert.equal(3, seen)
  end)

  for _, algorithm in ipairs(ALGORITHMS) do
    it("calls the cost function at most once per cell and query by " .. algorithm, function()
      local grid = astar.grid(12, 12)
      grid:block(4, 2, 1, 10)
      local count = {}
      local finder = grid:finder {
        algorithm = algorithm,
        cost = function(x, y, _, cost)
          local key = x .. "," .. y
          count[key] = (count[key] or 0) + 1
          return cost
        end,
      }
      for _ = 1, 2 do
        count = {}
        assert.is_userdata(finder:find_path(1, 6, 12, 6))
        assert.is_not_nil(next(count))
        for key, times in pairs(count) do assert.equal(1, times, key) end
      end
    end)

    it("calls the cost function only for cells that the unit can otherwise enter, by " .. algorithm, function()
      local grid = astar.grid("..w.\n.s..\n....", SWAMP)
      grid:block(3, 2)
      local path = grid:find_path(1, 1, 4, 1, {
        algorithm = algorithm, costs = { s = false },
        cost = function(x, y, terrain, cost)
          assert.equal(".", terrain)
          assert.is_false(grid:is_blocked(x, y))
          return cost
        end,
      })
      assert.is_userdata(path)
    end)

    it("gives routes the same cost as terrain of equal costs would, by " .. algorithm, function()
      local drawing = [[
        S..s..s.
        .s.s.ww.
        .ss....s
        ...ss.sG
      ]]
      local grid, at, world = maps.read(drawing, SWAMP)
      local rules = { cost = function(_, _, terrain) return terrain == "s" and 2.5 or 1 end }
      local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y,
        { cost = rules.cost, algorithm = algorithm })
      check.path(path, {
        world = world, rules = rules, sx = at.S.x, sy = at.S.y, gx = at.G.x, gy = at.G.y,
      })
      check.equal_cost(best(world, rules, at), path.cost, "path.cost")
    end)
  end

  it("forbids entering a cell by returning nil or false", function()
    local grid = astar.grid(3, 1)
    for _, answer in ipairs { { nil }, { false } } do
      local path, reason = grid:find_path(1, 1, 3, 1, {
        cost = function(x, _, _, cost)
          if x == 2 then return answer[1] end
          return cost
        end,
      })
      assert.is_nil(path)
      assert.equal("unreachable", reason)
    end
  end)

  it("makes the cells that it forbids obstacles, which also count for corners", function()
    local grid = astar.grid(2, 2)
    local function cost(x, y, _, ground) return (x ~= 2 or y ~= 1) and ground end
    assert.equal(2, grid:find_path(1, 1, 2, 2, { cost = cost }).cost)
    assert.equal(SQRT2,
      grid:find_path(1, 1, 2, 2, { cost = cost, diagonals = "if_at_most_one_obstacle" }).cost)
  end)

  it("has no effect on the start cell, which costs nothing", function()
    local grid = astar.grid(3, 1)
    local path = grid:find_path(1, 1, 3, 1, {
      cost = function(x, _, _, cost) return x > 1 and cost end,
    })
    assert.equal(2, path.cost)
  end)

  it("cannot open cells that terrain or blocks forbid", function()
    local grid = astar.grid(3, 1)
    grid:block(2, 1)
    assert.equal("unreachable",
      select(2, grid:find_path(1, 1, 3, 1, { cost = function() return 1 end })))
  end)

  it("must be a function: any other value raises an error", function()
    local grid = astar.grid(2, 2)
    assert.equal("cost must be a function, got a table: costs of terrain are the option costs",
      error_of(function() grid:finder { cost = {} } end))
    assert.equal("step_cost must be a function, got 1",
      error_of(function() grid:finder { step_cost = 1 } end))
  end)

  it("raises an error that names the cell and the value if the function returns an invalid value", function()
    local grid = astar.grid(5, 5)
    local function message(answer)
      return error_of(function()
        local path = grid:find_path(3, 3, 3, 4, {
          cost = function(x, y, _, cost)
            if x == 3 and y == 4 then return answer end
            return cost
          end,
        })
        return path
      end)
    end
    local expected = " for (3, 4); expected a number > 0, or false for no entry"
    assert.equal("cost callback returned nan" .. expected, message(0 / 0))
    assert.equal("cost callback returned -inf" .. expected, message(-math.huge))
    assert.equal("cost callback returned -1" .. expected, message(-1))
    assert.equal("cost callback returned 0" .. expected, message(0))
    assert.equal('cost callback returned "7"' .. expected, message "7")
    assert.equal("cost callback returned a table" .. expected, message {})
    assert.equal("cost callback returned true" .. expected, message(true))
  end)
end)

describe("the option min_cost", function()
  it("is by default the cost of the cheapest terrain on the map", function()
    local grid = astar.grid(".s.", SWAMP)
    assert.equal("cost callback returned 0.5 for (2, 1), less than min_cost 1: give the finder min_cost = 0.5",
      error_of(function()
        local path = grid:find_path(1, 1, 3, 1, {
          cost = function(x, _, _, cost) return x == 2 and 0.5 or cost end,
        })
        return path
      end))
  end)

  it("allows a cost function to return costs down to min_cost", function()
    local grid = astar.grid(".s.", SWAMP)
    local path = grid:find_path(1, 1, 3, 1, {
      min_cost = 0.5, cost = function(x, _, _, cost) return x == 2 and 0.5 or cost end,
    })
    assert.equal(1.5, path.cost)
  end)

  it("keeps routes optimal if callbacks return less than the terrain costs", function()
    local grid, at, world = maps.read([[
      S.......G
      .........
      .........
    ]])
    local rules = { cost = function(_, y) return y == 3 and 0.1 or 1 end }
    for _, algorithm in ipairs(ALGORITHMS) do
      local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y,
        { cost = rules.cost, min_cost = 0.1, algorithm = algorithm })
      check.equal_cost(best(world, rules, at), path.cost, algorithm)
    end
  end)

  it("may be larger than the cost of the cheapest terrain, as a promise that cells cost more", function()
    local asked = 0
    local options = { cost = function() asked = asked + 1 return 10 end, algorithm = "astar" }
    local grid = astar.grid(20, 20)
    assert.equal(100, grid:find_path(5, 10, 15, 10, options).cost)
    local before = asked
    asked, options.min_cost = 0, 10
    assert.equal(100, grid:find_path(5, 10, 15, 10, options).cost)
    assert.is_true(asked < before)
  end)

  it("must be a number in the range of terrain costs", function()
    for _, cost in ipairs { 0, -1, 0 / 0, 1e7, "1", math.huge } do
      assert.matches("^min_cost must be a number from 0.001 to 1000000, got ",
        error_of(function() astar.grid(2, 2):finder { min_cost = cost } end))
    end
  end)
end)

describe("the option step_cost", function()
  it("calls the function with both cells and the cost of the step", function()
    local steps = {}
    local grid = astar.grid("..\n.s", SWAMP)
    grid:find_path(1, 1, 2, 2, {
      step_cost = function(...)
        assert.equal(5, select("#", ...))
        local x, y, nx, ny, cost = ...
        steps[("%d,%d %d,%d"):format(x, y, nx, ny)] = cost
        return cost
      end,
    })
    check.equal_cost(5 * SQRT2, steps["1,1 2,2"], "the diagonal step")
    check.equal_cost(1, steps["1,1 2,1"], "the straight step")
  end)

  it("sets the full cost of the step to the result of the function", function()
    local path = astar.grid("s.s", SWAMP):find_path(1, 1, 3, 1, {
      step_cost = function() return 7 end,
    })
    assert.equal(14, path.cost)
  end)

  it("makes one-way doors by returning false or nil", function()
    for _, closed in ipairs { { false }, { nil } } do
      local finder = astar.grid(3, 1):finder {
        step_cost = function(x, _, nx, _, cost)
          if nx > x then return cost end
          return closed[1]
        end,
      }
      assert.equal(2, finder:find_path(1, 1, 3, 1).cost)
      assert.equal("unreachable", select(2, finder:find_path(3, 1, 1, 1)))
    end
  end)

  it("does not make a cell an obstacle by forbidding its entry", function()
    local grid = astar.grid(2, 2)
    local path = grid:find_path(1, 1, 2, 2, {
      step_cost = function(x, y, nx, ny, cost) return nx ~= x and ny ~= y and cost end,
    })
    check.equal_cost(SQRT2, path.cost, "the diagonal step alone")
  end)

  for _, algorithm in ipairs(ALGORITHMS) do
    it("keeps routes optimal up and down slopes, by " .. algorithm, function()
      local grid, at, world = maps.read [[
        S.........
        ..........
        ...####...
        ..........
        .........G
      ]]
      local height = function(x, y) return (x * 7 + y * 5) % 4 end
      local rules = {
        step_cost = function(x, y, nx, ny, cost)
          return cost + math.max(0, height(nx, ny) - height(x, y))
        end,
      }
      local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y,
        { step_cost = rules.step_cost, algorithm = algorithm })
      check.path(path, {
        world = world, rules = rules, sx = at.S.x, sy = at.S.y, gx = at.G.x, gy = at.G.y,
      })
      check.equal_cost(best(world, rules, at), path.cost, "path.cost")
    end)
  end

  it("can be combined with the option cost, whose result is an argument of step_cost", function()
    local path = astar.grid(3, 1):find_path(1, 1, 3, 1, {
      cost = function() return 4 end,
      step_cost = function(_, _, _, _, cost) return cost + 1 end,
    })
    assert.equal(10, path.cost)
  end)

  it("raises an error that names the entered cell if the function returns an invalid value", function()
    local grid = astar.grid(3, 1)
    local function message(answer)
      return error_of(function()
        local path = grid:find_path(1, 1, 3, 1, { step_cost = function() return answer end })
        return path
      end)
    end
    for text, answer in pairs {
      nan = 0 / 0, ["-inf"] = -math.huge, ["-1"] = -1, ["0"] = 0, ['"1"'] = "1", ["a table"] = {},
      ["true"] = true,
    } do
      assert.equal("step_cost callback returned " .. text
        .. " for (2, 1); expected a number > 0, or false for no entry", message(answer))
    end
    assert.equal("step_cost callback returned 0.5 for (2, 1), less than min_cost 1: give the finder min_cost = 0.5 "
      .. "or less", message(0.5))
  end)

  -- A block under the unit is the unit itself: past that corner, too, where it was barred from the
  -- short way.
  it("may cut the corner of the unit's own cell, blocked or not", function()
    for _, blocked in ipairs { false, true } do
      local grid = astar.grid("..\n.#")
      if blocked then grid:block(1, 1) end
      for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
        local finder = grid:finder { diagonals = "if_at_most_one_obstacle", algorithm = algorithm,
          step_cost = function(x, y, _, ny, cost)
            return not (x == 1 and y == 1 and ny == 2) and cost
          end }
        local path = finder:find_path(1, 1, 1, 2)
        assert.same({ 1, 1, 2, 1, 1, 2 }, path and path:cells_flat(), algorithm)
        assert.is_true(path:is_valid())
        assert.equal(path.cost, finder:reach(1, 1, math.huge):distance(1, 2))
        assert.is_true(finder:reachable(1, 1, 1, 2))
      end
    end
  end)

  it("may be used in repeated queries of a unit on a blocked start that avoids a field", function()
    local grid = astar.grid(3, 1)
    local field = astar.field(grid)
    grid:block(1, 1)
    field:set(2, 1, 4)
    local finder = grid:finder { avoid = field, step_cost = function(_, _, _, _, cost) return cost end }
    for _ = 1, 20 do
      assert.equal(6, finder:find_path(1, 1, 3, 1).cost)
      assert.equal(6, finder:reach(1, 1, 9):distance(3, 1))
      assert.is_true(finder:find_path(1, 1, 3, 1):is_valid())
      collectgarbage()
      local _ = astar.field(3, 1)
      assert.equal(4, field:get(2, 1))
    end
  end)
end)

describe("the option heuristic as a function", function()
  it("calls the heuristic function with dx and dy of at least 0", function()
    local grid = astar.grid(9, 9)
    local path = grid:find_path(5, 5, 2, 8, {
      heuristic = function(...)
        assert.equal(2, select("#", ...))
        local dx, dy = ...
        assert.is_true(dx >= 0 and dy >= 0 and dx <= 8 and dy <= 8)
        return math.max(dx, dy)
      end,
    })
    check.equal_cost(3 * SQRT2, path.cost, "path.cost")
  end)

  it("keeps routes optimal while the heuristic is admissible", function()
    local grid, at, world = maps.read([[
      S.s.s..
      .ss.s.s
      ..s...s
      s...s.G
    ]], SWAMP)
    local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, {
      heuristic = function(dx, dy) return math.max(dx, dy) end,
    })
    check.equal_cost(best(world, {}, at), path.cost, "path.cost")
  end)

  it("keeps routes optimal if the heuristic is admissible but not consistent", function()
    local grid, at, world = maps.read([[
      S.s.s..
      .ss.s.s
      ..s...s
      s...s.G
    ]], SWAMP)
    local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, {
      heuristic = function(dx, dy) return (dx + dy) % 2 == 0 and math.max(dx, dy) or 0 end,
    })
    check.equal_cost(best(world, {}, at), path.cost, "path.cost")
  end)

  it("returns a path with the right cost if the heuristic overestimates", function()
    local grid, at, world = maps.read [[
      S..#....
      .#.#.##.
      .#...#.G
    ]]
    local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, {
      heuristic = function(dx, dy) return 1000 * ((dx * 7 + dy * 3) % 5) end,
    })
    check.path(path, {
      world = world, rules = {}, sx = at.S.x, sy = at.S.y, gx = at.G.x, gy = at.G.y,
    })
  end)

  it("raises an error if the function returns an invalid value", function()
    local grid = astar.grid(3, 1)
    for _, answer in ipairs { 0 / 0, -1, math.huge, "1", {}, false } do
      assert.matches("^heuristic callback returned ", error_of(function()
        local path = grid:find_path(1, 1, 3, 1, { heuristic = function() return answer end })
        return path
      end))
    end
    assert.matches("^heuristic callback returned nothing", error_of(function()
      local path = grid:find_path(1, 1, 3, 1, { heuristic = function() end })
      return path
    end))
  end)
end)

-- Every callback by its name, as an option whose function does 'deed' first.
local function callbacks(deed)
  return pairs {
    cost = { cost = function(_, _, _, cost) deed() return cost end },
    step_cost = { step_cost = function(_, _, _, _, cost) deed() return cost end },
    heuristic = { heuristic = function() deed() return 0 end },
  }
end

-- Grid and finder answer as ever.
local function assert_usable(grid, finder)
  assert.equal(4, grid:find_path(1, 1, 5, 1).cost)
  if finder then assert.equal(4, finder:find_path(1, 1, 5, 1).cost) end
end

describe("an error in a callback", function()
  it("reaches the caller of the query unchanged", function()
    local grid = astar.grid(5, 5)
    for _, what in ipairs { "a string", { "a table" }, 42, true } do
      local broken = true
      for name, options in callbacks(function() if broken then error(what, 0) end end) do
        broken = true
        local finder = grid:finder(options)
        local ok, got = pcall(finder.find_path, finder, 1, 1, 5, 1)
        assert.is_false(ok, name)
        assert.equal(what, got, name)
        broken = false
        assert_usable(grid, finder)
      end
    end
  end)

  it("reaches the caller even if the error value is nil", function()
    local grid = astar.grid(5, 5)
    local _, expected = pcall(error) -- Lua 5.5 has a string for it
    for name, options in callbacks(function() error() end) do
      local ok, got = pcall(grid.find_path, grid, 1, 1, 5, 1, options)
      assert.is_false(ok, name)
      assert.equal(expected, got, name)
      assert_usable(grid)
    end
  end)

  it("keeps its traceback when it reaches the caller", function()
    local grid = astar.grid(5, 5)
    local function culprit() error "here" end
    for name, options in callbacks(culprit) do
      local _, trace = xpcall(function()
        local path = grid:find_path(1, 1, 5, 1, options)
        return path
      end, debug.traceback)
      assert.matches("here", trace, 1, true, name)
      assert.matches("callbacks_spec.lua:%d+:.*\n.*callbacks_spec.lua:%d+:", trace)
    end
  end)

  it("may be raised at any call of the callback", function()
    local grid = astar.grid(5, 5)
    for at_call = 1, 30 do
      local calls = 0
      local function deed()
        calls = calls + 1
        if calls == at_call then error("stop", 0) end
      end
      for _, options in callbacks(deed) do
        calls = 0
        local finder = grid:finder(options)
        local ok, got = pcall(finder.find_path, finder, 1, 1, 5, 1)
        if ok then assert.equal(4, got.cost) else assert.equal("stop", got) end
        calls = at_call -- from here on it is quiet
        assert_usable(grid, finder)
      end
    end
  end)
end)

describe("a callback that yields", function()
  it("causes an error of the Lua runtime, and all objects stay usable", function()
    local grid = astar.grid(5, 5)
    for name, options in callbacks(coroutine.yield) do
      local thread = coroutine.create(function()
        local path = grid:find_path(1, 1, 5, 1, options)
        return path
      end)
      local ok, message = coroutine.resume(thread)
      assert.is_false(ok, name)
      assert.matches("attempt to yield across", message)
      assert_usable(grid)
    end
  end)
end)

describe("a callback that searches", function()
  it("may search on the grid of the running query", function()
    local grid = astar.grid(5, 5)
    local inner = grid:finder { diagonals = "never" }
    for _, options in callbacks(function() assert.equal(8, inner:find_path(1, 1, 5, 5).cost) end) do
      assert.equal(4, grid:find_path(1, 1, 5, 1, options).cost)
    end
  end)

  it("may search with the finder of the running query, up to a limited depth of nested calls", function()
    local grid = astar.grid(5, 5)
    local finder, depth = nil, 0
    local function deed()
      if depth == 8 then return end
      depth = depth + 1
      local path = finder:find_path(5, 5, 5, 4)
      depth = depth - 1
      assert.equal(1, path.cost)
    end
    for _, options in callbacks(deed) do
      finder = grid:finder(options)
      depth = 7 -- one level for the outer question, else the calls multiply
      assert.equal(4, finder:find_path(1, 1, 5, 1).cost)
    end
  end)

  it("may nest queries ten levels deep", function()
    local grid = astar.grid(2, 1)
    local finder, depth = nil, 0
    finder = grid:finder {
      cost = function()
        if depth < 10 then
          depth = depth + 1
          assert.equal(1, finder:find_path(1, 1, 2, 1).cost)
        end
        return 1
      end,
    }
    assert.equal(1, finder:find_path(1, 1, 2, 1).cost)
    assert.equal(10, depth)
  end)

  it("may raise an error at every depth of nested calls", function()
    local grid, fail = astar.grid(5, 5), false
    local finder = grid:finder { cost = function(_, _, _, cost)
      if fail then error("stop", 0) end
      return cost
    end }
    local depth = 0
    local function descend()
      fail = true
      local _, message = pcall(finder.find_path, finder, 1, 1, 5, 5)
      if message ~= "stop" then return message end
      fail = false
      depth = depth + 1
      if depth == 400 then return nil end
      return select(2, coroutine.resume(coroutine.create(descend)))
    end
    local message = descend()
    fail = false
    if message then -- the runtime's own limit
      assert.matches("stack overflow", message)
      assert.is_true(depth > 150, depth .. " levels")
    end
    assert.equal(4 * math.sqrt(2), finder:find_path(1, 1, 5, 5).cost)
  end)

  it("may raise an error in steps of many searches at every depth of nested calls", function()
    local finder = astar.grid(5, 5):finder { cost = function() error("stop", 0) end }
    local searches = {}
    local function descend()
      local search = finder:search(1, 1, 5, 5)
      searches[#searches + 1] = search
      local _, message = pcall(search.step, search)
      if message ~= "stop" then return message end
      return #searches < 400 and select(2, coroutine.resume(coroutine.create(descend))) or nil
    end
    local message = descend()
    if message then -- the runtime's own limit
      assert.matches("stack overflow", message)
      assert.is_true(#searches > 150, #searches .. " levels")
    end
  end)

  it("causes an error if the nested calls never end", function()
    local grid = astar.grid(5, 5)
    local finder
    for name, options in callbacks(function() finder:find_path(1, 1, 5, 1) end) do
      finder = grid:finder(options)
      local ok, message = pcall(finder.find_path, finder, 1, 1, 5, 1)
      assert.is_false(ok, name)
      assert.matches("searches nested too deeply", message, 1, true)
      assert_usable(grid)
    end
  end)

  it("does not count as nested after a callback that raised an error", function()
    local grid = astar.grid(5, 5)
    local failing = grid:finder { cost = function() error("stop", 0) end }
    local working = grid:finder { cost = function(_, _, _, cost) return cost end }
    local function descend(levels)
      local _, message = pcall(failing.find_path, failing, 1, 1, 5, 1)
      assert.equal("stop", message)
      if levels > 0 then return pcall(descend, levels - 1) end
      return working:find_path(1, 1, 5, 1).cost
    end
    local results = { descend(110) }
    assert.equal(4, results[#results])
  end)

  it("may search on another grid", function()
    local grid, other = astar.grid(5, 5), astar.grid "..#."
    local function deed()
      assert.equal("unreachable", select(2, other:find_path(1, 1, 4, 1)))
    end
    for _, options in callbacks(deed) do
      assert.equal(4, grid:find_path(1, 1, 5, 1, options).cost)
    end
  end)
end)

describe("a callback that edits", function()
  it("raises an error if it edits the grid that is being searched", function()
    local edits = {
      set = function(grid) grid:set(1, 5, "#") end,
      fill = function(grid) grid:fill(1, 5, 2, 1, "#") end,
      set_cells = function(grid) grid:set_cells(1, 5, 2, 1, "##") end,
      block = function(grid) grid:block(1, 5) end,
      unblock = function(grid) grid:unblock(5, 5) end,
      terrain = function(grid) grid:terrain(".", 2) end,
    }
    for edit_name, edit in pairs(edits) do
      local grid
      for name, options in callbacks(function() edit(grid) end) do
        grid = astar.grid(5, 5)
        grid:block(5, 5)
        local ok, message = pcall(grid.find_path, grid, 1, 1, 5, 1, options)
        assert.is_false(ok, edit_name .. " in " .. name)
        assert.matches("grid was edited during the search", message, 1, true)
        grid:terrain(".", 1)
        assert_usable(grid)
      end
    end
  end)

  it("may edit a grid that is not being searched", function()
    local grid, other = astar.grid(5, 5), astar.grid(5, 5)
    for _, options in callbacks(function() other:block(1, 1) end) do
      assert.equal(4, grid:find_path(1, 1, 5, 1, options).cost)
    end
  end)
end)

describe("a callback that collects garbage", function()
  it("may collect garbage although nothing else refers to the grid and the finder", function()
    for _, options in callbacks(function() collectgarbage() end) do
      local holder = { astar.grid(5, 5):finder(options) }
      local path = (function()
        local finder = holder[1]
        holder[1] = nil
        return finder:find_path(1, 1, 5, 1)
      end)()
      assert.equal(4, path.cost)
      assert.is_true(path:is_valid())
    end
  end)

  it("may collect garbage although the finder is dropped in the middle of the query", function()
    local holder = {}
    for _, options in callbacks(function() holder[1] = nil collectgarbage() collectgarbage() end) do
      holder[1] = astar.grid(5, 5):finder(options)
      assert.equal(4, holder[1]:find_path(1, 1, 5, 1).cost)
    end
  end)
end)

describe("a callback that closes an object", function()
  it("may close the path whose method is running, and the method still returns its result", function()
    for _, rework in ipairs { "smooth", "reverse", "is_valid", "repair" } do
      local path, deed
      for _, options in callbacks(function() if deed then deed() end end) do
        deed = nil
        local grid = astar.grid(9, 9)
        grid:block(5, 2, 1, 8)
        path = grid:finder(options):find_path(1, 9, 9, 9)
        local count = #path
        deed = function()
          deed = nil
          debug.getmetatable(path).__gc(path)
          collectgarbage()
        end
        local reworked = path[rework](path)
        assert.is_true(reworked == true or #reworked == count or rework == "smooth")
        if not deed then -- it was asked
          assert.equal("path is closed", error_of(function() path:cell(1) end))
        end
      end
    end
  end)
end)

describe("a callback that closes its own flow", function()
  it("is not called again after the flow is closed", function()
    for _, question in ipairs { "path", "complete", "distance", "next", "cells" } do
      local flow
      local finder = astar.grid(9, 9):finder { cost = function(_, _, _, cost)
        debug.getmetatable(flow).__gc(flow)
        return cost
      end }
      flow = finder:flow(9, 9)
      local ok, message = pcall(function()
        local takes_cell = question ~= "complete" and question ~= "cells"
        local result = flow[question](flow, takes_cell and 1 or nil, takes_cell and 1 or nil)
        return question == "cells" and result()
      end)
      assert.is_false(ok)
      assert.matches("flow was closed by its own callback", message)
      assert.equal("flow is closed", error_of(function() flow:distance(1, 1) end))
    end
  end)
end)

describe("a callback of finder:reachable", function()
  it("is called in a search, because only a search can tell whether a route exists", function()
    local open = false
    local finder = astar.grid(3, 1):finder {
      cost = function(x, _, _, cost) return (x ~= 2 or open) and cost end,
    }
    assert.is_false(finder:reachable(1, 1, 3, 1))
    open = true
    assert.is_true(finder:reachable(1, 1, 3, 1))
  end)

  it("may raise an error, which reaches the caller of finder:reachable", function()
    local finder = astar.grid(3, 1):finder { cost = function() error("stop", 0) end }
    local ok, message = pcall(finder.reachable, finder, 1, 1, 3, 1)
    assert.is_false(ok)
    assert.equal("stop", message)
  end)
end)

describe("costs so large that a search restarts in larger units", function()
  it("give a legal path whichever budget ends the restarted search", function()
    local finder = astar.grid(120, 4):finder { step_cost = function() return 1e6 end, min_cost = 1 }
    local partial = 0
    for most = 1, 1000, 7 do
      local path = finder:find_path(1, 1, 120, 4, { partial = true, max_expansions = most })
      assert.is_true(path:is_valid())
      assert.equal(1e6 * (#path - 1), path.cost)
      if path:cell(#path) ~= 120 then partial = partial + 1 end
    end
    assert.is_true(partial > 0)
  end)
end)
