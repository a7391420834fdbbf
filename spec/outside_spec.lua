-- Cells outside a grid: grid:contains, grid:is_walkable and grid:is_blocked are false there. What is no whole number is
-- an error, the same on every Lua.

local astar = require "astar"
local check = require "spec.support.check"
local plain = require "astar.plain"

local error_of = check.error_of

local OUTSIDE = { 0, -1, 5, 2 ^ 31, -2 ^ 31, 2 ^ 32 + 1, 2 ^ 53, -2 ^ 53, 1e300 }
local BAD = { 1.5, 0 / 0, math.huge, -math.huge, "1", {}, true, print }

for title, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
  describe("a cell outside the bounds of " .. title, function()
    local grid = module.grid "....\n.##.\n...."
    grid:block(1, 1)
    grid:block(4, 3, "doors")
    local calls = {
      contains = function(x, y) return grid:contains(x, y) and true end,
      is_walkable = function(x, y) return grid:is_walkable(x, y) and true end,
      is_blocked = function(x, y) return grid:is_blocked(x, y) and true end,
      ["is_blocked in a layer"] = function(x, y) return grid:is_blocked(x, y, "doors") and true end,
      ["is_blocked in an unknown layer"] = function(x, y) return grid:is_blocked(x, y, "unknown") and true end,
    }

    it("is reported as outside by grid:contains, is_walkable and is_blocked", function()
      for y = -1, 5 do
        for x = -1, 6 do
          local is_inside = x >= 1 and x <= 4 and y >= 1 and y <= 3
          assert.equal(is_inside, grid:contains(x, y))
          assert.equal(is_inside and grid:get(x, y) == "." and (x ~= 1 or y ~= 1) and (x ~= 4 or y ~= 3),
            grid:is_walkable(x, y))
          assert.equal(x == 1 and y == 1, grid:is_blocked(x, y))
        end
      end
    end)

    for name, call in pairs(calls) do
      it("makes the call return false: " .. name, function()
        for _, place in ipairs(OUTSIDE) do
          assert.is_false(call(place, 1))
          assert.is_false(call(1, place))
          assert.is_false(call(place, place))
        end
      end)

      it("must have whole numbers as coordinates in " .. name, function()
        for _, bad in ipairs(BAD) do
          assert.matches("^x must be an integer from 1 to 4, got ", error_of(function() call(bad, 1) end))
          assert.matches("^y must be an integer from 1 to 3, got ", error_of(function() call(1, bad) end))
          assert.matches("^x must be ", error_of(function() call(bad, 99) end))
          assert.matches("^y must be ", error_of(function() call(99, bad) end))
        end
        assert.matches("^y must be an integer from 1 to 3, got nil", error_of(function() call(99) end))
      end)
    end

    it("is determined by the grid's origin", function()
      local far = module.grid(3, 2, { origin = { -10, 100 } })
      assert.is_true(far:contains(-10, 100))
      assert.is_true(far:contains(-8, 101))
      assert.is_false(far:contains(1, 1))
      assert.is_false(far:is_walkable(-11, 100))
      assert.is_false(far:is_walkable(-7, 100))
    end)

    it("raises an error in calls that read or edit the cell", function()
      assert.matches("^x must be an integer from 1 to 4, got 5", error_of(function() grid:get(5, 1) end))
      assert.matches("^x must be an integer from 1 to 4, got 5", error_of(function() grid:block(5, 1) end))
    end)
  end)
end

describe("another library's name for the test whether a cell is inside", function()
  it("causes an error that suggests grid:contains", function()
    for _, name in ipairs { "is_in_bounds", "is_in_boundsv", "isInside", "inBounds", "in_bounds" } do
      assert.matches("here it is grid:contains%(x, y%)", error_of(function() astar.grid(2, 2)[name]() end))
    end
  end)
end)

describe("grid:find_cells", function()
  it("returns the cells of a key, row by row, in the grid's own coordinates", function()
    for _, module in ipairs { astar, plain } do
      local grid = module.grid("S.G\n#..\nG..", { origin = { 5, -2 },
        terrain = { S = 1, G = 1, ["."] = 1, ["#"] = false, x = 9 } })
      assert.same({ { x = 5, y = -2 } }, grid:find_cells "S")
      assert.same({ { x = 7, y = -2 }, { x = 5, y = 0 } }, grid:find_cells "G")
      assert.same({}, grid:find_cells "x")
      assert.equal(2, select(2, grid:finder():find_nearest(5, 0, grid:find_cells "G")))
      assert.matches('^unknown terrain "y"', error_of(function() grid:find_cells "y" end))
      assert.matches("^find_cells takes 1 argument", error_of(function() grid:find_cells("S", 1) end))
    end
  end)
end)
