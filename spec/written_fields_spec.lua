-- What a script writes where it may only read; drawings that are closed on their last row; paths on another grid's
-- drawing.

local astar = require "astar"
local check = require "spec.support.check"
local plain = require "astar.plain"

local error_of = check.error_of

for title, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
  describe("a walker's field, of " .. title, function()
    local function walker_on_its_way()
      local grid = module.grid(9, 1)
      local walker = module.walker(grid:find_path(1, 1, 9, 1), { speed = 1 })
      walker:update(1.5)
      return walker, grid
    end

    it("is an error at the next update if a script has written it, and is restored", function()
      for name, value in pairs { x = 5, y = 7, arrived = true } do
        local walker = walker_on_its_way()
        walker[name] = value
        assert.matches("^walker%." .. name .. " is read%-only, it was set to " .. tostring(value) .. ": ",
          error_of(function() walker:update(1) end))
        local x, y, arrived = walker:update(1)
        assert.same({ 3.5, 1, false }, { x, y, arrived })
      end
      local walker = module.walker(module.grid(9, 1):find_path(1, 1, 9, 1))
      walker.x = 4
      assert.matches("^walker.x is read%-only", error_of(function() walker:update(1) end))
    end)

    it("is an error that names follow if it is the path", function()
      local walker, grid = walker_on_its_way()
      local path = grid:find_path(2, 1, 1, 1)
      walker.path = path
      assert.matches("^walker.path is read%-only, .*: call walker:follow%(path%)$",
        error_of(function() walker:update(1) end))
      walker:follow(path)
      while not select(3, walker:update(1)) do assert.is_false(walker.arrived) end
      assert.same({ 1, 1 }, { walker.x, walker.y })
      walker:follow(grid:find_path(1, 1, 3, 1))
      assert.is_false(walker.arrived)
      walker:update(1)
      assert.is_true(walker.x > 1)
    end)

    it("does not matter after a callback has raised in an update", function()
      local fails = false
      local finder = module.grid(9, 1):finder {
        cost = function(_, _, _, cost)
          if fails then error("stop", 0) end
          return cost
        end,
      }
      local walker = module.walker(finder:find_path(1, 1, 9, 1), { speed = 1 })
      walker:update(1.5)
      fails = true
      for _ = 1, 3 do pcall(walker.update, walker, 1.2) end
      fails = false
      assert.is_true(pcall(walker.update, walker, 1))
    end)
  end)

  describe("a drawing, of " .. title, function()
    it("may be closed on its last line: the common margin of all rows is removed", function()
      local drawing = "\n    ....\n    .##.\n    ...."
      assert.same({ 4, 3 }, { module.grid(drawing):size() })
      assert.equal("....\n.##.\n....\n", module.grid(drawing):draw())
      assert.equal("....\n.##.\n....\n", module.grid(drawing:gsub("\n", "\r\n") .. ""):draw())
      assert.same({ 6, 2 }, { module.grid("\n  ..  ..\n    ...."):size() })
      assert.same({ 3, 2 }, { module.grid("\n\t...\n\t.#."):size() })
    end)

    it("is otherwise read as before", function()
      assert.same({ 8, 2 }, { module.grid("    ....\n    ...."):size() })
      assert.same({ 6, 2 }, { module.grid("\n  ....\n  ....\n"):size() })
      assert.same({ 4, 2 }, { module.grid("\n  ....\n  ....\n  "):size() })
      assert.matches("row 2: expected 4 cells, got 5", error_of(function() module.grid "\n  ....\n  ....." end))
    end)

    it("cannot show a path of another grid that lies outside", function()
      local path = module.grid(5, 3):find_path(1, 1, 5, 3)
      assert.matches("^the path is of another grid: its cell %(%d, %d%) lies outside this one$",
        error_of(function() module.grid(3, 2):draw(path) end))
      assert.is_string(module.grid(5, 3):draw(path))
    end)
  end)
end
