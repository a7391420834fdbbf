-- Cost functions that promise never to return less than the data.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 40)

-- ---- graphs ----

local function rooms(r, count)
  local graph = astar.graph()
  for i = 1, count do graph:node(i) end
  for _ = 1, 3 * count do
    local a, b = r:int(1, count), r:int(1, count)
    if a ~= b then
      graph:edge(a, b, { cost = r:int(1, 9), one_way = r:chance(0.3), label = r:chance(0.2) and "door" or nil })
    end
  end
  return graph
end

local function guard(_, _, label, cost)
  if label == "door" then return false end
  return cost + cost % 3
end

describe("graph finder option dearer_only", function()
  it("finds the same routes with landmarks as without the option", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local graph = rooms(r, r:int(2, 60))
      graph:bake { landmarks = r:int(1, 4) }
      local plain, promised = graph:finder { cost = guard }, graph:finder { cost = guard, dearer_only = true }
      for _ = 1, 12 do
        local a, b = r:int(1, #graph), r:int(1, #graph)
        local expected, why = plain:find_path(a, b)
        local path, reason = promised:find_path(a, b)
        assert.equal(why, reason, seed)
        assert.equal(expected and expected.cost, path and path.cost, seed)
      end
    end
  end)

  it("makes queries of graphs expand fewer nodes", function()
    local graph = astar.graph()
    for y = 1, 20 do
      for x = 1, 20 do
        graph:node(y * 100 + x)
        if x > 1 then graph:edge(y * 100 + x, y * 100 + x - 1) end
        if y > 1 then graph:edge(y * 100 + x, y * 100 - 100 + x) end
      end
    end
    graph:bake { landmarks = 4 }
    local function cost(_, _, _, own) return own end
    local expected = graph:finder({ cost = cost }):find_path(101, 120)
    local path = graph:finder({ cost = cost, dearer_only = true }):find_path(101, 120)
    assert.equal(expected.cost, path.cost)
    assert.is_true(path.expanded < expected.expanded)
  end)

  it("raises an error when the function returns less than the given cost", function()
    local graph = astar.graph()
    graph:node "a"
    graph:node "b"
    graph:edge("a", "b", { cost = 4 })
    assert.has_error(function()
      graph:finder({ cost = function() return 3 end, dearer_only = true }):find_path("a", "b")
    end, 'cost callback returned 3 from "a" to "b", less than 4, the edge\'s own; the option dearer_only promises more')
    assert.has_error(function() graph:finder { dearer_only = true } end, "dearer_only needs the function cost")
  end)
end)

-- ---- grids ----

describe("finder option dearer_only", function()
  it("finds the same routes with landmarks as without the option, after any edit", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local rows = r:scatter(24, 18, 0.25)
      for _, row in ipairs(rows) do
        for x = 1, 24 do row[x] = row[x] == "." and r:chance(0.3) and "~" or row[x] end
      end
      local grid = astar.grid(rows, { terrain = { ["."] = 1, ["~"] = 2.5, ["#"] = false } })
      local options = { diagonals = r:pick(check.RULES) }
      if r:chance(0.7) then
        options.cost = function(x, y, _, cost) return (x + 3 * y) % 11 > 0 and cost * (1 + (x + y) % 3 * 0.5) end
      else
        options.step_cost = function(x, y, _, _, cost) return cost + (x * y) % 4 end
      end
      local plain = grid:finder(options)
      options.dearer_only = true
      local promised = grid:finder(options)
      promised:bake { method = "landmarks", pivots = r:int(1, 4) }
      for _ = 1, 8 do
        local sx, sy, gx, gy = r:int(1, 24), r:int(1, 18), r:int(1, 24), r:int(1, 18)
        local expected, why = plain:find_path(sx, sy, gx, gy)
        local path, reason = promised:find_path(sx, sy, gx, gy)
        assert.equal(why, reason, seed)
        if path then check.equal_cost(expected.cost, path.cost) end
        grid:set(r:int(1, 24), r:int(1, 18), r:pick { ".", "~", "#" })
      end
    end
  end)

  it("makes queries expand fewer cells, for every kind of cost function", function()
    local grid = astar.grid(60, 20, { terrain = { ["."] = 1, ["~"] = 3 }, fill = "." })
    grid:fill(4, 4, 8, 3, "~")
    grid:block(20, 1, 1, 18)
    grid:block(40, 3, 1, 18)
    for _, options in ipairs { { cost = function(_, _, _, cost) return cost end },
      { step_cost = function(_, _, _, _, cost) return cost end } } do
      local expected = grid:finder(options):find_path(2, 2, 58, 18)
      options.dearer_only = true
      local promised = grid:finder(options)
      promised:bake { method = "landmarks" }
      local path = promised:find_path(2, 2, 58, 18)
      check.equal_cost(expected.cost, path.cost)
      assert.is_true(path.expanded < expected.expanded * 0.7, path.expanded .. " of " .. expected.expanded)
    end
  end)

  it("raises an error when a function returns less than the given cost", function()
    local grid = astar.grid("...", { terrain = { ["."] = 4, [","] = 1 } })
    grid:set(3, 1, ",")
    assert.has_error(function()
      grid:finder({ cost = function() return 3 end, dearer_only = true }):find_path(1, 1, 3, 1)
    end)
    assert.has_error(function()
      grid:finder({ step_cost = function() return 3 end, dearer_only = true }):find_path(1, 1, 3, 1)
    end)
    assert.equal(6, grid:finder({ cost = function() return 3 end }):find_path(1, 1, 3, 1).cost)
    assert.has_error(function() grid:finder { dearer_only = true } end,
      "dearer_only needs a function, cost or step_cost")
  end)
end)
