-- Layers of blocks that a grid was made with: a misspelt name is an error that tells the nearest one.

local astar = require "astar"
local check = require "spec.support.check"
local plain = require "astar.plain"

local error_of = check.error_of

for title, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
  describe("a layer that a grid does not have, of " .. title, function()
    local MISSPELT = '^unknown layer "dors" %(did you mean "doors"%?%): the grid was made with its layers, '
      .. '"", "doors" and "red"$'

    local function grid_with_layers() return module.grid(5, 3, { layers = { "doors", "red" } }) end

    it("is an error in every call that takes its name", function()
      local grid = grid_with_layers()
      for name, call in pairs {
        block = function() grid:block(1, 1, "dors") end,
        ["block of a rectangle"] = function() grid:block(1, 1, 2, 2, "dors") end,
        unblock = function() grid:unblock(1, 1, "dors") end,
        is_blocked = function() return (grid:is_blocked(1, 1, "dors")) end,
        ignore = function() grid:finder { ignore = { "red", "dors" } } end,
      } do
        assert.matches(MISSPELT, error_of(call), name)
      end
      assert.same({ "", "doors", "red" }, grid:block_layers())
    end)

    it("leaves the existing layers as they were", function()
      local grid = grid_with_layers()
      grid:block(2, 1)
      grid:block(2, 2, "doors")
      grid:block(2, 3, "red")
      assert.is_nil((grid:find_path(1, 1, 5, 1)))
      assert.is_true(grid:finder({ ignore = { "doors" } }):find_path(1, 1, 5, 1).cost > 4)
      grid:unblock(2, 3, "red")
      assert.is_false(grid:is_blocked(2, 3, "red"))
    end)

    it("is made by its first use if no layers were declared, except by unblock", function()
      local grid = module.grid(5, 3)
      assert.is_false(grid:is_blocked(1, 1, "dors"))
      assert.matches('^unknown layer "dors": no block was ever in it, and no finder has named it$',
        error_of(function() grid:unblock(1, 1, "dors") end))
      grid:finder { ignore = { "doors" } }
      grid:unblock(1, 1, "doors")
      grid:block(1, 1, "red")
      grid:unblock(1, 1, "red")
      assert.matches('did you mean "doors"', error_of(function() grid:unblock(1, 1, "dors") end))
    end)

    it("must be a list of strings", function()
      for text, layers in pairs {
        ["layers must be a list of names, got 3"] = 3,
        ['layers must be a list of names, got an entry ["x"]'] = { x = "y" },
        ["layers[2] must be a string, got 2"] = { "a", 2 },
      } do
        assert.equal(text, error_of(function() module.grid(2, 2, { layers = layers }) end))
      end
      assert.matches("at most 32", error_of(function()
        local many = {}
        for i = 1, 33 do many[i] = "layer " .. i end
        module.grid(2, 2, { layers = many })
      end))
      assert.same({ "" }, module.grid(2, 2, { layers = {} }):block_layers())
    end)
  end)
end

describe("a layer that a grid does not have", function()
  it("is an error in breach, in opaque and on a clone, too", function()
    local grid = astar.grid(5, 3, { layers = { "doors" } })
    assert.matches('unknown layer "dors"', error_of(function() grid:finder { breach = { dors = 3 } } end))
    for _, sight in ipairs { "fov", "sees" } do
      assert.matches('^opaque.layers: unknown layer "dors" %(did you mean "doors"%?%)', error_of(function()
        local finder = grid:finder()
        if sight == "fov" then finder:fov(1, 1, 3, { opaque = { layers = { "dors" } } }) end
        finder:sees(1, 1, 3, 3, { opaque = { layers = { "dors" } } })
      end))
    end
    assert.is_true(grid:finder():sees(1, 1, 3, 3, { opaque = { layers = { "doors" } } }))
    assert.matches('unknown layer "dors"', error_of(function() grid:clone():block(1, 1, "dors") end))
  end)
end)
