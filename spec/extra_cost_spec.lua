-- What a goal costs on top of the way is its third element alone: things of a game that have x and y may be goals,
-- whatever else they hold.

local astar = require "astar"
local plain = require "astar.plain"

for title, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
  describe("the extra cost of a goal, of " .. title, function()
    local finder = module.grid(9, 1):finder()

    it("is the third element", function()
      local flow = finder:flow { { 1, 1, 5 }, { 9, 1 } }
      assert.equal(5, flow:distance(1, 1))
      assert.equal(9, (flow:next(8, 1)))
      assert.equal(3, finder:flow({ 9, 1, 3 }):distance(9, 1))
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
  it("is the third element, and otherwise the option value", function()
    local finder = astar.grid(20, 1):finder()
    local field = finder:spread({ { 1, 1, 40 }, { 20, 1 }, { x = 10, y = 1, value = 99, [3] = "a bell" } }, 3,
      { value = 8 })
    assert.equal(40, field:get(1, 1))
    assert.equal(30, field:get(2, 1))
    assert.equal(8, field:get(20, 1))
    assert.equal(8, field:get(10, 1))
  end)
end)
