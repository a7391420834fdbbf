-- Crowds in games that build: short plays of those of spec/support/crowd_games.lua, which has the long ones.

local astar = require "astar"
local games = require "spec.support.crowd_games"

local FRAMES = 240

describe("a crowd in a game that builds", function()
  for _, name in ipairs { "rts", "colony", "defence" } do
    it("continues after edits without overlapping units: " .. name, function()
      local watch = games.play(name, FRAMES)
      assert.same({ 0, 0, 0 }, { watch.stands, watch.overlaps, watch.late })
    end)
  end

  it("moves no unit into a cell in which another unit is still drawn", function()
    local crowd = astar.crowd(astar.grid(9, 3):finder())
    local slow = crowd:add(1, 2, { period = 2 })
    slow:go(9, 2)
    crowd:beat()
    assert.same({ 2, 2 }, { slow:cell() })
    assert.same({ nil, "occupied" }, { crowd:add(1, 2) })
    crowd:beat()
    assert.is_not_nil(crowd:add(1, 2))
    local quick = astar.crowd(astar.grid(9, 3):finder(), { speed = 4 })
    quick:add(1, 2):go(9, 2)
    quick:update(1 / 60) -- it has just set out
    assert.same({ nil, "occupied" }, { quick:add(1, 2) })
    assert.is_not_nil(quick:add(1, 1))
  end)

  it("recomputes nothing if a building is placed as a preview, queried and removed again", function()
    local grid = astar.grid(100, 100)
    local crowd = astar.crowd(grid:finder())
    for x = 1, 20 do crowd:add(x, 1):go(100, 5 * x) end
    for _ = 1, 40 do crowd:beat() end
    while crowd:step(1000) == "running" do end
    grid:block(50, 50, 3, 3, "buildings")
    assert.equal("running", crowd:step(1))
    grid:unblock(50, 50, 3, 3, "buildings")
    while crowd:step(1000) == "running" do end
    for x = 40, 60 do
      grid:block(x, 50, 3, 3, "buildings")
      grid:unblock(x, 50, 3, 3, "buildings")
      assert.equal("done", crowd:step(1))
    end
  end)

  it("does about a sixteenth of a beat's work for each step since the last beat", function()
    local crowd = astar.crowd(astar.grid(200, 200):finder())
    local units = {}
    for x = 1, 20 do units[x] = crowd:add(x, 1) end
    crowd:beat()
    local function slices()
      local count = 1
      while crowd:step(1000) == "running" do count = count + 1 end
      return count
    end
    for x, unit in ipairs(units) do unit:go(200, 10 * x) end
    assert.is_true(slices() < 60) -- of 262 that distances alone may take, and of as many for routes
    crowd:beat()
    assert.is_true(slices() > 200)
  end)

  it("frees the memory of distances whose goal no unit uses any more", function()
    local crowd = astar.crowd(astar.grid(40, 40):finder(), { bytes = 2410, expansions = 400 })
    local unit = crowd:add(1, 1)
    for _, goal in ipairs { { 40, 1 }, { 40, 40 }, { 1, 5 } } do -- whose distances take all of that
      unit:go(goal[1], goal[2])
      repeat crowd:beat() until unit.state == "arrived"
    end
    unit:go(1, 40)
    crowd:beat()
    assert.are_not.same({ 1, 5 }, { unit:cell() })
  end)

  it("raises an error on hexagons that suggests another call", function()
    local ok, message = pcall(astar.crowd, astar.grid(5, 5, { shape = "hex" }):finder())
    assert.is_false(ok)
    assert.matches("hexagons", message, 1, true)
    assert.matches("finder:flow", message, 1, true)
  end)

  it("raises an error on a world, and accepts a window of the world", function()
    local world = astar.world { load = function() return require "spec.support.worlds".open_chunk() end }
    local finder = world:finder()
    local crowd = astar.crowd(astar.grid(5, 5):finder())
    local function refuses(...)
      local ok, message = pcall(...)
      assert.is_false(ok)
      assert.matches("finder", message, 1, true)
      assert.matches("got astar world", message, 1, true)
      assert.matches("world:window(x, y, w, h)", message, 1, true)
    end
    refuses(astar.crowd, finder)
    refuses(astar.crowd, world)
    refuses(crowd.add, crowd, 1, 1, { finder = finder })
    refuses(astar.load_crowd, crowd:dump(), finder)
    local window = world:window(-7, -7, 16, 16)
    local on_window = astar.crowd(window:finder())
    local unit = on_window:add(-7, -7)
    unit:go(8, 8)
    for _ = 1, 20 do on_window:beat() end
    assert.same({ 8, 8 }, { unit:cell() })
  end)
end)
