-- A callback that returns no value at all lacks a `return`: that is an error. An explicit nil, false or math.huge says
-- that the cell, step or edge cannot be entered.

local astar = require "astar"
local check = require "spec.support.check"

local error_of = check.error_of

local function nothing() end

-- Calls that make a query with a callback of each option: `grid` is of 3 x 1 cells, so each of them calls it.
local function queries_of(options)
  local grid = astar.grid(3, 1)
  return {
    find_path = function() return (grid:find_path(1, 1, 3, 1, options)) end,
    ["finder:find_path"] = function() return (grid:finder(options):find_path(1, 1, 3, 1)) end,
    find_nearest = function() return (grid:finder(options):find_nearest(1, 1, { { 3, 1 } })) end,
    reachable = function()
      local is_reachable = grid:finder(options):reachable(1, 1, 3, 1)
      return is_reachable -- no tail call, of which LuaJIT does not know the line
    end,
    search = function()
      local search = grid:finder(options):search(1, 1, 3, 1)
      while search:step(1) == "running" do end
      return (search:path())
    end,
    flow = function() return (grid:finder(options):flow(3, 1):distance(1, 1)) end,
    raycast = function() return (grid:finder(options):raycast(1, 1, 3, 1)) end,
  }
end

describe("a callback that returns nothing", function()
  for _, name in ipairs { "cost", "step_cost" } do
    for title, run in pairs(queries_of { [name] = nothing }) do
      it("raises an error if the callback is the option " .. name .. " in " .. title, function()
        assert.matches("^" .. name
          .. " callback returned nothing for %(%d, 1%): return a number, or false for no entry$", error_of(run))
      end)
    end

    it("may return nil, false and math.huge to forbid entry, as " .. name, function()
      for _, answer in ipairs { { nil }, { false }, { math.huge } } do
        for title, run in pairs(queries_of { [name] = function() return answer[1] end }) do
          assert.is_true(not run(), title .. " by " .. tostring(answer[1]))
        end
      end
    end)

    it("uses the first of several returned values, as " .. name, function()
      for title, run in pairs(queries_of { [name] = function() return 2, nil, "more" end }) do
        assert.is_truthy(run(), title)
      end
      assert.equal(4, astar.grid(3, 1):find_path(1, 1, 3, 1, { [name] = function() return 2, nil end }).cost)
    end)
  end

  it("raises an error if the callback is a heuristic", function()
    assert.matches("^heuristic callback returned nothing for %(%d, %d%); expected a number >= 0$", error_of(function()
      return (astar.grid(3, 1):find_path(1, 1, 3, 1, { heuristic = nothing }))
    end))
    assert.matches("^heuristic callback returned nil for ", error_of(function()
      return (astar.grid(3, 1):find_path(1, 1, 3, 1, { heuristic = function() return nil end }))
    end))
  end)

  it("raises an error in the queue's update that calls it", function()
    local queue = astar.queue()
    queue:request(astar.grid(3, 1):finder { cost = nothing }, 1, 1, 3, 1)
    local ok, problem = pcall(queue.update, queue, { expansions = 100 })
    assert.is_false(ok)
    assert.matches("cost callback returned nothing for %(3, 1%)", problem)
  end)

  it("leaves the finder usable, and the next query returns the right path", function()
    local forgets = true
    local finder = astar.grid(3, 1):finder {
      cost = function(_, _, _, cost)
        if not forgets then return cost end
      end,
    }
    for _ = 1, 3 do
      forgets = true
      assert.matches("returned nothing", error_of(function() return (finder:find_path(1, 1, 3, 1)) end))
      forgets = false
      assert.equal(2, finder:find_path(1, 1, 3, 1).cost)
    end
  end)

  it("causes an error that names the callback and the cell in the script's coordinates", function()
    local grid = astar.grid(3, 1, { origin = { -7, 40 } })
    assert.equal("cost callback returned nothing for (-5, 40): return a number, or false for no entry",
      error_of(function()
        return (grid:find_path(-7, 40, -5, 40, {
          cost = function(x, _, _, cost)
            if x ~= -5 then return cost end
          end,
        }))
      end))
  end)
end)

-- The twin in plain Lua has no graphs.
if astar.implementation == "c" then
  describe("a callback of a graph that returns nothing", function()
    local graph = astar.graph()
    graph:node("a", 0, 0)
    graph:node("b", 1, 0)
    graph:edge("a", "b")

    it("raises an error for cost that names both nodes", function()
      local finder = graph:finder { cost = nothing }
      assert.equal('cost callback returned nothing from "a" to "b": return a number, or false if the edge is closed',
        error_of(function() return (finder:find_path("a", "b")) end))
      assert.matches("returned nothing", error_of(function() return (finder:reach("a", 9):distance "b") end))
    end)

    it("closes an edge if it returns nil, false or math.huge", function()
      for _, answer in ipairs { { nil }, { false }, { math.huge } } do
        local path, reason = graph:finder { cost = function() return answer[1] end }:find_path("a", "b")
        assert.is_nil(path)
        assert.equal("unreachable", reason)
      end
    end)

    it("raises an error for the heuristic, the key and the cost of a state", function()
      local function of_states(options)
        options.neighbours = function(state, step)
          if state < 3 then step(state + 1, 1) end
        end
        return error_of(function() return (astar.states(options):finder():find_path(1, 3)) end)
      end
      assert.equal("heuristic callback returned nothing; expected a number >= 0", of_states { heuristic = nothing })
      assert.equal("key callback returned nothing; expected a string or a number", of_states { key = nothing })
    end)
  end)
end
