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

    it("raises an error at the next update if a script has written it, and is restored", function()
      for name, value in pairs { x = 5, y = 7, arrived = true } do
        local walker = walker_on_its_way()
        walker[name] = value
        assert.matches("^walker%." .. name .. " is read%-only, but was set to " .. tostring(value) .. ": ",
          error_of(function() walker:update(1) end))
        local x, y, arrived = walker:update(1)
        assert.same({ 3.5, 1, false }, { x, y, arrived })
      end
      local walker = module.walker(module.grid(9, 1):find_path(1, 1, 9, 1))
      walker.x = 4
      assert.matches("^walker.x is read%-only", error_of(function() walker:update(1) end))
    end)

    it("raises an error in every other method before the method has any effect", function()
      for name, call in pairs {
        follow = function(walker, grid) walker:follow(grid:find_path(2, 1, 9, 1)) end,
        cell = function(walker) return (walker:cell()) end,
        repair = function(walker) walker:repair() end,
        retarget = function(walker) walker:retarget(7, 1) end,
        dump = module == astar and function(walker) walker:dump() end or nil,
      } do
        local walker, grid = walker_on_its_way()
        walker.x = 7
        assert.matches("^walker%.x is read%-only, but was set to 7: ",
          error_of(function() call(walker, grid) end), name)
        assert.same({ 3.5, 1, false }, { walker:update(1) }, name)
      end
    end)

    it("raises an error if any value is written", function()
      for _, value in ipairs { "2.5", false, 0 / 0, {} } do
        for _, name in ipairs { "x", "y", "path", "arrived" } do
          local walker = walker_on_its_way()
          if walker[name] ~= value then
            walker[name] = value
            assert.matches("^walker%." .. name .. " is read%-only", error_of(function() walker:update(1) end))
          end
        end
      end
      local walker, grid = walker_on_its_way()
      walker:update(100)
      assert.is_true(walker.arrived)
      walker.arrived = false
      assert.matches("^walker.arrived is read%-only, but was set to false", error_of(function() walker:update(1) end))
      walker:follow(grid:find_path(9, 1, 1, 1))
      walker:update(0.5)
      assert.equal(8.5, walker.x)
      walker.x = nil
      assert.matches("^walker.x is read%-only, but was set to nil", error_of(function() walker:update(1) end))
    end)

    it("raises no error while the walker rounds corners, rests, halts, is repaired and gets new paths", function()
      local grid = module.grid(9, 9)
      local walker = module.walker(grid:find_path(1, 1, 9, 5), { speed = 3, straight = false })
      for i = 1, 400 do
        if i % 37 == 0 then grid:block(i % 9 + 1, i * 7 % 9 + 1) end
        if i % 41 == 0 then grid:unblock(1, 1, 9, 9) end
        if walker.blocked then walker:repair() end
        if i % 23 == 0 then walker:retarget(i % 7 + 1, i % 9 + 1) end
        if walker.arrived then
          walker:follow(grid:find_path(walker.x, walker.y, i % 9 + 1, i * 5 % 9 + 1) or walker.path)
        end
        walker:update(i % 10 / 50)
      end
    end)

    it("raises an error that suggests walker:follow if the field is the path", function()
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

    it("raises no error after a callback has raised an error in an update", function()
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
    it("may end on the last line of cells: the common margin of all rows is removed", function()
      local drawing = "\n    ....\n    .##.\n    ...."
      assert.same({ 4, 3 }, { module.grid(drawing):size() })
      assert.equal("....\n.##.\n....\n", module.grid(drawing):draw())
      assert.equal("....\n.##.\n....\n", module.grid(drawing:gsub("\n", "\r\n") .. ""):draw())
      assert.same({ 6, 2 }, { module.grid("\n  ..  ..\n    ...."):size() })
      assert.same({ 3, 2 }, { module.grid("\n\t...\n\t.#."):size() })
    end)

    it("keeps its margins in every other form of the text", function()
      assert.same({ 8, 2 }, { module.grid("    ....\n    ...."):size() })
      assert.same({ 6, 2 }, { module.grid("\n  ....\n  ....\n"):size() })
      assert.same({ 4, 2 }, { module.grid("\n  ....\n  ....\n  "):size() })
      assert.matches("row 2: expected 4 cells, got 5", error_of(function() module.grid "\n  ....\n  ....." end))
    end)

    it("raises an error for a path of another grid of any size", function()
      local grid = module.grid(5, 3)
      local path = grid:find_path(1, 1, 5, 3)
      for _, other in ipairs { module.grid(3, 2), module.grid(5, 3), module.grid(9, 9) } do
        assert.equal("the path belongs to another grid: draw it by the grid that it was found on",
          error_of(function() other:draw(path) end))
      end
      grid:block(3, 3)
      for _, drawn in ipairs { path, grid:finder():find_path(1, 1, 5, 3),
        grid:find_path(1, 1, 5, 3, { suppose_blocked = module == astar and { { 3, 2 } } or nil }) } do
        assert.is_string(grid:draw(drawn))
      end
    end)
  end)

  describe("a loop by ipairs over a path, of " .. title, function()
    it("raises an error on every Lua version", function()
      local path, count = module.grid(5, 1):find_path(1, 1, 5, 1), 0
      local ok, message = pcall(function()
        for _ in ipairs(path) do count = count + 1 end
      end)
      assert.is_false(ok)
      assert.matches("table expected, got userdata", message:gsub("ipairs needs a table, got astar path: write for "
        .. "i = 1, #path do, and path%[i%]", "table expected, got userdata"))
      assert.equal(0, count)
    end)

    it("works with the numbers of the cells", function()
      local path, cells = module.grid(3, 1):find_path(1, 1, 3, 1), {}
      for i = 1, #path do cells[i] = path[i].x end
      assert.same({ 1, 2, 3 }, cells)
      assert.equal(1, path[1].x)
      local ok, first = pcall(function() return path[1] end)
      assert.is_true(ok)
      assert.equal(1, first.x)
    end)
  end)
end
