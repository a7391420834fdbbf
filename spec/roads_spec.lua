-- Roads: routes over maps with some cheap ground, beside Dijkstra's algorithm on the same map.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"

local TERRAIN = { ["."] = 2, r = 0.5, f = 5, ["#"] = false }

-- A map with random obstacles, forests and a winding road.
local function map_with_road(dice, width, height, percent)
  local rows = {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do rows[y][x] = dice:int(1, 100) <= percent and "#" or dice:int(1, 9) == 1 and "f" or "." end
  end
  local y = dice:int(1, height)
  for x = 1, width do
    rows[y][x] = "r"
    y = math.max(1, math.min(height, y + dice:int(-1, 1)))
    rows[y][x] = "r"
  end
  for i = 1, height do rows[i] = table.concat(rows[i]) end
  return astar.grid(rows, { terrain = TERRAIN })
end

local function cost_of(path) return path and ("%.9g"):format(path.cost) or "none" end

describe("a map with a road", function()
  for _, options in ipairs { {}, { diagonals = "never" }, { diagonal_cost = 1 }, { heuristic = "manhattan" } } do
    local name = options.diagonals or options.heuristic or options.diagonal_cost or "default"

    it("has routes as cheap as those of Dijkstra's algorithm, with edits between the queries: " .. name, function()
      local dice = random.new(60)
      for _ = 1, 8 do
        local width, height = dice:int(20, 90), dice:int(20, 90)
        local grid = map_with_road(dice, width, height, 10)
        local own, other = { algorithm = "astar" }, { algorithm = "dijkstra" }
        for key, value in pairs(options) do own[key], other[key] = value, value end
        other.heuristic = nil
        local finder, oracle = grid:finder(own), grid:finder(other)
        for _ = 1, 12 do
          grid:set(dice:int(1, width), dice:int(1, height), dice:int(1, 2) == 1 and "r" or ".")
          grid:block(dice:int(1, width), dice:int(1, height))
          local sx, sy, gx, gy = dice:int(1, width), dice:int(1, height), dice:int(1, width), dice:int(1, height)
          assert.equal(cost_of(oracle:find_path(sx, sy, gx, gy)), cost_of(finder:find_path(sx, sy, gx, gy)))
        end
      end
    end)
  end

  -- The estimate of a way over costly ground is then a number of units above 2^64.
  it("has optimal routes where costly ground costs up to a billion times as much as the road", function()
    local dice = random.new(62)
    for power = -3, 6 do
      local width, height = dice:int(30, 90), dice:int(30, 90)
      local grid = map_with_road(dice, width, height, 10)
      local costs = { ["."] = 10 ^ power, f = 1e6, r = 0.001 }
      local finder = grid:finder { algorithm = "astar", costs = costs }
      local oracle = grid:finder { algorithm = "dijkstra", costs = costs }
      for _ = 1, 12 do
        local sx, sy, gx, gy = dice:int(1, width), dice:int(1, height), dice:int(1, width), dice:int(1, height)
        assert.equal(cost_of(oracle:find_path(sx, sy, gx, gy)), cost_of(finder:find_path(sx, sy, gx, gy)))
      end
    end
  end)

  it("is searched in steps while roads are built and removed, with the cost on the last map", function()
    local dice = random.new(61)
    for _ = 1, 30 do
      local grid = map_with_road(dice, 60, 60, 8)
      local search = grid:finder { algorithm = "astar" }:search(2, 2, 59, 59)
      local status = "running"
      for i = 1, 10000 do
        status = search:step(40)
        if status ~= "running" then break end
        if i % 4 == 0 and i < 40 then
          grid:set(dice:int(1, 60), dice:int(1, 60), dice:int(1, 3) == 1 and "." or "r")
        end
      end
      local expected = grid:find_path(2, 2, 59, 59, { algorithm = "dijkstra" })
      if status == "found" and search.restarts < 3 then
        assert.equal(cost_of(expected), cost_of(search:path()))
      end
    end
  end)

  it("finds the cheapest routes if bends have a cost, too", function()
    local source = random.new(5)
    for case = 1, 400 do
      local width, height, rows = source:int(8, 30), source:int(8, 50), {}
      local terrain = { ["."] = 1, r = source:pick { 0.5, 0.1, 0.004 }, ["#"] = false }
      for y = 1, height do
        rows[y] = {}
        for x = 1, width do rows[y][x] = source:chance(0.3) and "#" or source:chance(0.02) and "r" or "." end
      end
      local grid = astar.grid(rows, { terrain = terrain })
      local bend_cost, bends = source:pick { 0.01, 1, 7.7, 23, 100 }, nil
      if source:chance(0.3) then bend_cost, bends = 0, "fewest" end
      for _ = 1, 4 do
        local sx, sy, gx, gy = source:int(1, width), source:int(1, height), source:int(1, width), source:int(1, height)
        local path = grid:find_path(sx, sy, gx, gy, { bend_cost = bend_cost, bends = bends })
        local plain = grid:find_path(sx, sy, gx, gy,
          { bend_cost = bend_cost, bends = bends, algorithm = "dijkstra" })
        assert.equal(plain ~= nil, path ~= nil, "case " .. case)
        if path then
          check.equal_cost(plain.cost, path.cost, "case " .. case)
          if bends then assert.equal(plain.bends, path.bends, "case " .. case) end
        end
      end
    end
  end)
end)
