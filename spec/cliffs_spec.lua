-- Queries that a user thinks of as the same kind expand about as many cells: a goal that is blocked beside a goal that
-- is free, a range of 3 beside a range of 1, a weight beside none.
--
-- ASTAR_MAPS=10000 runs more random maps, ASTAR_SEED=7 others.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 200)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local SIDE = 200

-- Kinds of units and maps, and the maps by name: SIDE x SIDE cells each.
local KINDS = { { "eight moves" }, { "four moves", { diagonals = "never" } }, { "hexagons", nil, { shape = "hex" } } }
local GROUNDS = {
  ["open ground"] = function() end,
  rooms = function(grid)
    for at = 20, SIDE - 20, 20 do
      grid:block(at, 1, 1, SIDE)
      grid:block(1, at, SIDE, 1)
    end
    for at = 20, SIDE - 20, 20 do
      for door = 10, SIDE, 20 do
        grid:unblock(at, door)
        grid:unblock(door, at)
      end
    end
  end,
  ["a town"] = function(grid)
    for x = 5, SIDE - 10, 12 do
      for y = 5, SIDE - 10, 12 do grid:block(x, y, 7, 7) end
    end
  end,
}

-- Starts in sixteen directions around a cell.
local function starts(x, y)
  local list = {}
  for i = 0, 15 do
    local angle = math.pi * (i + 0.3) / 8
    list[i + 1] = { math.floor(x + 85 * math.cos(angle)), math.floor(y + 85 * math.sin(angle)) }
  end
  return list
end

describe("a query expands at most three times the cells of its plain relative, and ten more,", function()
  for _, kind in ipairs(KINDS) do
    for name, build in pairs(GROUNDS) do
      local function compare(options, plain, edit)
        local grid = astar.grid(SIDE, SIDE, kind[3])
        build(grid)
        local x, y = 101, 102
        grid:unblock(x - 2, y - 2, 5, 5)
        if edit then edit(grid, x, y) end
        local finder, compared = grid:finder(kind[2]), 0
        for _, start in ipairs(starts(x, y)) do
          local sx, sy = start[1], start[2]
          grid:unblock(sx, sy)
          local path = finder:find_path(sx, sy, x, y, options)
          local beside = finder:find_path(sx, sy, x, y, plain)
          if beside then
            compared = compared + 1
            assert.is_true(path.expanded <= 3 * beside.expanded + 10,
              ("from (%d, %d): %d cells, %d"):format(sx, sy, path.expanded, beside.expanded))
          end
        end
        assert.is_true(compared > 4)
      end

      it(("with partial to a blocked goal beside range = 1, for %s in %s"):format(kind[1], name), function()
        compare({ partial = true }, { range = 1 }, function(grid, x, y) grid:block(x, y) end)
      end)

      it(("with range = 3 beside range = 1, for %s in %s"):format(kind[1], name), function()
        compare({ range = 3 }, { range = 1 })
      end)

      it(("with a weight of 2 beside no weight, for %s in %s"):format(kind[1], name), function()
        compare({ weight = 2 }, {})
      end)
    end
  end
end)

describe("a weight", function()
  it("limits the cost of legal paths on random maps, in one call and in steps", function()
    local compared = 0
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local world = oracle.world(r:map(r:int(2, 30), r:int(2, 30)))
      local rules = { diagonals = r:pick { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" },
        size = r:pick { 1, 1, 2 } }
      local weight = r:pick { 1.01, 1.5, 3, 1000 }
      local grid = maps.grid(world)
      local finder = grid:finder { diagonals = rules.diagonals, size = rules.size, weight = weight }
      for _ = 1, 6 do
        local sx, sy = r:int(1, world.width), r:int(1, world.height)
        local gx, gy = r:int(1, world.width), r:int(1, world.height)
        if oracle.can_stand(world, rules, sx, sy) then
          local best = oracle.distances(world, rules, sx, sy)[oracle.cell(world, gx, gy)]
          local search = finder:search(sx, sy, gx, gy)
          while search:step(r:int(1, 5)) == "running" do end
          for _, path in pairs { finder:find_path(sx, sy, gx, gy) or false, search:path() or false } do
            assert.equal(best ~= nil, path ~= false, "seed " .. seed)
            if path then
              compared = compared + 1
              assert.is_true(path.cost >= best - 1e-9 and path.cost <= best * weight + 1e-9, "seed " .. seed)
              assert.is_true(path:is_valid(), "seed " .. seed)
            end
          end
        end
      end
    end
    assert.is_true(compared > MAPS)
  end)

  it("finds the cheapest path if max_cost is the cost of that path", function()
    local grid = astar.grid(40, 40)
    grid:block(20, 1, 1, 30)
    local finder = grid:finder()
    local best = finder:find_path(1, 5, 40, 5).cost
    assert.equal(best, finder:find_path(1, 5, 40, 5, { weight = 50, max_cost = best }).cost)
    assert.same({ nil, "max_cost" }, { finder:find_path(1, 5, 40, 5, { weight = 50, max_cost = best - 0.01 }) })
  end)
end)

describe("the option partial", function()
  it("finds the nearest of the cells that an enclosed unit can reach, wherever the goal is", function()
    for seed = FIRST_SEED, FIRST_SEED + 19 do
      local r = random.new(seed)
      local grid = astar.grid(r:int(40, 300), r:int(40, 300), { shape = r:pick { "square", "hex" } })
      local width, height = grid:size()
      local side = r:int(4, 30)
      local x0, y0 = r:int(1, width - side), r:int(1, height - side)
      grid:block(x0, y0, side, side) -- a closed court with some pillars
      grid:unblock(x0 + 1, y0 + 1, side - 2, side - 2)
      for _ = 1, side do grid:block(r:int(x0 + 1, x0 + side - 2), r:int(y0 + 1, y0 + side - 2)) end
      local sx, sy = r:int(x0 + 1, x0 + side - 2), r:int(y0 + 1, y0 + side - 2)
      grid:unblock(sx, sy)
      local gx, gy = r:int(1, width), r:int(1, height)
      local finder = grid:finder()
      local nearest, reached = math.huge, finder:reach(sx, sy, 1e6)
      local function distance(x, y)
        if grid:shape() == "hex" then return grid:distance(x, y, gx, gy) end
        local dx, dy = math.abs(x - gx), math.abs(y - gy)
        return math.max(dx, dy) + (math.sqrt(2) - 1) * math.min(dx, dy)
      end
      for x, y in reached:cells() do nearest = math.min(nearest, distance(x, y)) end
      local path = finder:find_path(sx, sy, gx, gy, { partial = true })
      check.near(nearest, distance(path:cell(#path)))
      local least = math.huge
      for x, y, cost in reached:cells() do
        if distance(x, y) < nearest + 1e-9 then least = math.min(least, cost) end
      end
      check.near(least, path.cost)
    end
  end)
end)
