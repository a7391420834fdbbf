-- What a goal costs on top of the way is its third element alone: things of a game that have x and y may be goals,
-- whatever else they hold.

local astar = require "astar"
local plain = require "astar.plain"
local random = require "spec.support.random"

for title, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
  describe("the extra cost of a goal, of " .. title, function()
    local finder = module.grid(9, 1):finder()

    it("is the third element of the list that describes the goal", function()
      local flow = finder:flow { { 1, 1, 5 }, { 9, 1 } }
      assert.equal(5, flow:distance(1, 1))
      assert.equal(9, (flow:next(8, 1)))
      assert.equal(3, finder:flow({ 9, 1, 3 }):distance(9, 1))
    end)

    it("is part of the sum that find_nearest minimizes", function()
      assert.equal(2, select(2, finder:find_nearest(2, 1, { { 1, 1, 5 }, { 6, 1 } })))
      assert.equal(1, select(2, finder:find_nearest(2, 1, { { 1, 1, 2 }, { 6, 1 } })))
      assert.equal(2, select(2, finder:find_nearest(2, 1, { { 3, 1 }, { 9, 1, -7 } })))
      local path, index = finder:find_nearest(5, 1, { { 1, 1, 3 }, { 9, 1, 2 }, { x = 9, y = 1, [3] = -50 } })
      assert.same({ 4, 3 }, { path.cost, index })
      local _, western = finder:find_nearest(5, 1, { { 9, 1, 2 }, { 1, 1, 2 } }) -- of equal sums
      assert.equal(2, western)
      assert.same({ nil, "max_cost" }, { finder:find_nearest(5, 1, { { 1, 1, 3 } }, { max_cost = 3 }) })
    end)

    it("changes the goal that find_nearest picks as Dijkstra's distances do, on random maps", function()
      for seed = 1, 60 do
        local r = random.new(seed)
        local grid = module.grid(r:map(r:int(4, 16), r:int(4, 16)))
        local width, height = grid:size()
        local unit = grid:finder { diagonals = r:pick { "always", "never", "only_when_no_obstacles" } }
        local sx, sy, goals = r:int(1, width), r:int(1, height), {}
        for i = 1, r:int(1, 8) do
          goals[i] = { r:int(1, width), r:int(1, height), r:pick { nil, 0, 2, 7.5, -3 } }
        end
        goals[1][3] = goals[1][3] or 1
        local reach, least = grid:is_walkable(sx, sy) and unit:reach(sx, sy, 1e6), math.huge
        for _, goal in ipairs(reach and goals or {}) do
          local distance = reach:distance(goal[1], goal[2])
          if distance then least = math.min(least, distance + (goal[3] or 0)) end
        end
        local path, index = unit:find_nearest(sx, sy, goals)
        if reach then
          assert.equal(least < math.huge, path ~= nil, "seed " .. seed)
          if path then
            assert.is_true(math.abs(path.cost + (goals[index][3] or 0) - least) < 1e-9, "seed " .. seed)
            assert.same({ goals[index][1], goals[index][2] }, { path:cell(#path) })
          end
        end
      end
    end)

    it("must be a number: other values raise an error that names the goal, at the line of the caller", function()
      for _, case in ipairs {
        { { { 1, 1, "5" } }, "goals%[1%]%[3%] must be a number from %-1000000000 to 1000000000, got \"5\"$" },
        { { { 2, 1 }, { 1, 1, 0 / 0 } }, "goals%[2%]%[3%] must be a number .*, got nan$" },
        { { { 1, 1, 5 }, { 10, 1 } }, "goals%[2%].x must be an integer from 1 to 9, got 10$" },
        { { { 1, 1, 5, 6 } }, "goals%[1%] must be a cell {x, y}, got an entry %[4%]$" },
      } do
        local ok, problem = pcall(function() finder:find_nearest(2, 1, case[1]) end)
        assert.is_false(ok)
        assert.matches("^spec/extra_cost_spec%.lua:%d+: " .. case[2], (problem:gsub("^%./", "")))
      end
    end)

    it("is not read from the field value of an object with x and y", function()
      local loot = { x = 1, y = 1, value = 100, [3] = "a chest", cost = {}, weight = 0 / 0 }
      local flow = finder:flow { loot, { x = 9, y = 1, value = -100 } }
      assert.equal(0, flow:distance(1, 1))
      assert.equal(0, flow:distance(9, 1))
      assert.equal(1, (flow:next(2, 1)))
      assert.equal(1, finder:flow(loot):distance(2, 1))
      assert.equal(1, select(2, finder:find_nearest(2, 1, { loot })))
      loot.value = "gold"
      assert.equal(1, finder:flow(loot):distance(2, 1))
    end)
  end)
end

describe("the strength of a source", function()
  it("is the third element of the source, or else the value of the option strength", function()
    local finder = astar.grid(20, 1):finder()
    local field = finder:spread({ { 1, 1, 40 }, { 20, 1 }, { x = 10, y = 1, value = 99, [3] = "a bell" } }, 3,
      { value = 8 })
    assert.equal(40, field:get(1, 1))
    assert.equal(30, field:get(2, 1))
    assert.equal(8, field:get(20, 1))
    assert.equal(8, field:get(10, 1))
  end)
end)
