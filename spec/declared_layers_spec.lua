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

    it("causes an error in every call to which its name is passed", function()
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

    it("causes an error that leaves the existing layers unchanged", function()
      local grid = grid_with_layers()
      grid:block(2, 1)
      grid:block(2, 2, "doors")
      grid:block(2, 3, "red")
      assert.is_nil((grid:find_path(1, 1, 5, 1)))
      assert.is_true(grid:finder({ ignore = { "doors" } }):find_path(1, 1, 5, 1).cost > 4)
      grid:unblock(2, 3, "red")
      assert.is_false(grid:is_blocked(2, 3, "red"))
    end)

    it("is created by its first use if no layers were declared, except by unblock", function()
      local grid = module.grid(5, 3)
      assert.is_false(grid:is_blocked(1, 1, "dors"))
      assert.matches('^unknown layer "dors": no block was ever in it, and no finder has named it; '
        .. "name it in the grid's option layers$",
        error_of(function() grid:unblock(1, 1, "dors") end))
      grid:finder { ignore = { "doors" } }
      grid:unblock(1, 1, "doors")
      grid:block(1, 1, "red")
      grid:unblock(1, 1, "red")
      assert.matches('did you mean "doors"', error_of(function() grid:unblock(1, 1, "dors") end))
    end)

    it("can be declared only by a list of strings", function()
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
  it("causes an error in the options breach and opaque, and on a clone", function()
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

describe("the declared layers of a grid", function()
  local MISSPELT = 'unknown layer "dors" %(did you mean "doors"%?%): the grid was made with its layers, '
    .. '"", "doors" and "red"$'

  local function grid_with_layers()
    local grid = astar.grid(5, 3, { layers = { "doors", "red" } })
    grid:block(2, 2, "red")
    return grid
  end

  -- Checks that a grid, which is read-only if `is_view`, has the layers and no other.
  local function check_layers(grid, is_view)
    assert.same({ "", "doors", "red" }, grid:block_layers())
    assert.is_true(grid:is_blocked(2, 2, "red"))
    assert.is_false(grid:is_blocked(2, 2, "doors"))
    grid:finder { ignore = { "doors", "red" }, breach = { red = 3 } }
    local calls = {
      is_blocked = function() return (grid:is_blocked(1, 1, "dors")) end,
      ignore = function() grid:finder { ignore = { "dors" } } end,
      breach = function() grid:finder { breach = { dors = 3 } } end,
      ["grid:find_path"] = function() grid:find_path(1, 1, 5, 3, { ignore = { "dors" } }) end,
      sees = function() grid:finder():sees(1, 1, 5, 3, { opaque = { layers = { "dors" } } }) end,
      fov = function() grid:finder():fov(1, 1, 3, { opaque = { layers = { "dors" } } }) end,
      count_cut_off = function() grid:finder():flow(1, 1):count_cut_off(2, 2, 1, 1, "dors") end,
      block = not is_view and function() grid:block(1, 1, "dors") end or nil,
      unblock = not is_view and function() grid:unblock(1, 1, "dors") end or nil,
    }
    for name, call in pairs(calls) do assert.matches(MISSPELT, error_of(call), name) end
    assert.same({ "", "doors", "red" }, grid:block_layers())
  end

  it("are the only names accepted by calls that take a layer", function() check_layers(grid_with_layers()) end)

  it("are kept when a grid is dumped and loaded, including layers without blocks", function()
    local dump = grid_with_layers():dump()
    local loaded = astar.load(dump)
    check_layers(loaded)
    assert.equal(dump, loaded:dump())
    local empty = astar.load(astar.grid(3, 3, { layers = {} }):dump())
    assert.same({ "" }, empty:block_layers())
    assert.matches('unknown layer "dors"', error_of(function() empty:block(1, 1, "dors") end))
    local hexagons = astar.load(astar.grid(3, 3, { shape = "hex", layers = { "doors" } }):dump())
    assert.same({ "", "doors" }, hexagons:block_layers())
    assert.equal("hex", hexagons:shape())
  end)

  it("are kept in clones of a grid, before and after either grid is edited", function()
    local grid = grid_with_layers()
    local copy = grid:clone()
    check_layers(copy)
    copy:block(5, 1)
    check_layers(copy)
    grid:block(5, 3)
    check_layers(grid)
    check_layers(copy:clone())
  end)

  it("are kept in maps that a grid publishes", function()
    if not pcall(function() astar.grid(2, 2):share "declared layers, tried" end) then
      pending "needs a build with threads"
    end
    local grid = grid_with_layers()
    grid:share "declared layers"
    local view = astar.shared "declared layers"
    check_layers(view, true)
    grid:block(4, 1, "doors")
    grid:publish()
    check_layers(view, true)
    assert.is_true(view:is_blocked(4, 1, "doors"))
    check_layers(view:clone())
    check_layers(astar.load(view:dump()))
    grid:unshare()
  end)

  it("remain open after loading a dump of a grid that declared no layers", function()
    local grid = astar.grid(3, 3)
    grid:block(1, 1, "doors")
    local loaded = astar.load(grid:dump())
    loaded:block(2, 2, "dors")
    assert.same({ "", "doors", "dors" }, loaded:block_layers())
  end)

  it("cause an error if the dump of a grid is cut or altered", function()
    local dump = grid_with_layers():dump()
    for i = 1, #dump - 1 do assert.is_false((pcall(astar.load, dump:sub(1, i)))) end
  end)
end)
