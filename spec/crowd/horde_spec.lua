-- The units of examples/love/horde without its window: nobody overlaps, by what is drawn, nor gets lost under walls.

local astar = require "astar"

local FOLDERS = "examples/love/horde/?.lua;examples/love/armies/?.lua;"
local FRAME = 1 / 60

describe("the prototype horde", function()
  local path, Units, Watch = package.path, nil, nil

  setup(function()
    package.path = FOLDERS .. path
    Units, Watch = require "units", require "watch"
  end)

  teardown(function()
    package.path = path
    package.loaded.units, package.loaded.watch = nil, nil
  end)

  -- A map of 64 x 64 cells with bars across it, and units of a size.
  local function new_units(size, count)
    local state = 7
    local function random(least, most)
      state = state * 48271 % 2147483647
      return least + state % (most - least + 1)
    end
    local grid = astar.grid(64, 64)
    for i = 1, 4 do grid:block(i * 13, i % 2 == 0 and 8 or 34, 2, 24) end
    return Units.new(grid, size, count, random), grid
  end

  -- Frames go by, watched by the watch of the armies; how many times discs overlapped.
  local function overlaps(units, frames)
    local soldiers = {}
    for i, unit in ipairs(units.all) do soldiers[i] = { unit = unit, kind = units } end
    local watch = Watch.new(soldiers, 64, 64)
    for _ = 1, frames do
      units:update(FRAME)
      watch:look()
    end
    return watch.overlaps
  end

  -- How many are at most so many cells from there.
  local function count_near(units, x, y, radius)
    local count = 0
    for _, unit in ipairs(units.all) do
      local ux, uy = unit:cell()
      if math.max(math.abs(ux - x), math.abs(uy - y)) <= radius then count = count + 1 end
    end
    return count
  end

  for size, count in ipairs { 300, 75, 33 } do
    it("chases and flees without overlaps, with units of size " .. size, function()
      local units = new_units(size, count)
      assert.equal(count, #units.all)
      units:chase(units:nearest_free(50, 14))
      assert.equal(0, overlaps(units, 60))
      local x, y = units:nearest_free(14, 50)
      units:chase(x, y)
      assert.equal(0, overlaps(units, 480))
      local gathered = count_near(units, x, y, 12)
      assert.is_true(gathered > count / 2)
      local flow, in_reach = units.finder:flow({ { x, y } }, { max_cost = 20 }), 0
      units:flee(flow, x, y)
      assert.equal(0, overlaps(units, 480))
      for _, unit in ipairs(units.all) do in_reach = in_reach + (flow:distance(unit:cell()) and 1 or 0) end
      assert.is_true(in_reach < gathered / 4)
    end)
  end

  it("lets a unit leave a cell that becomes a wall", function()
    local units, grid = new_units(1, 300)
    local x, y = units:nearest_free(14, 50)
    units:chase(x, y)
    assert.equal(0, overlaps(units, 480))
    units:block(16, 46, 4, 4)
    assert.equal(300, #units.all)
    for _, unit in ipairs(units.all) do
      assert.is_false(grid:is_blocked(unit:cell()))
      local goal_x, goal_y = unit:goal() -- the place of its band around the mouse
      assert.is_true(math.max(math.abs(goal_x - x), math.abs(goal_y - y)) <= 10)
    end
    assert.equal(0, overlaps(units, 60))
    units:flee(units.finder:flow({ { x, y } }, { max_cost = 20 }), x, y)
    units:block(8, 46, 4, 4)
    assert.equal(300, #units.all)
    assert.equal(0, overlaps(units, 60))
  end)

  it("finds the nearest cell where a unit fits, in order of distance", function()
    local units, grid = new_units(2, 10)
    assert.same({ 5, 5 }, { units:nearest_free(5, 5) })
    local x, y = units:nearest_free(64, 64)
    assert.same({ 63, 63 }, { x, y })
    grid:block(1, 1, 64, 64)
    assert.same({ 5, 5 }, { units:nearest_free(5, 5) })
    assert.equal(0, #Units.new(grid, 2, 10, math.random).all)
  end)
end)
