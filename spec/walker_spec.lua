local astar = require "astar"
local check = require "spec.support.check"

local SQRT2 = math.sqrt(2)

-- 'misuse' fails at its own line, saying this.
local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

describe("walker", function()
  local grid = astar.grid(20, 10)

  local function walk(sx, sy, gx, gy, options)
    return astar.walker(grid:find_path(sx, sy, gx, gy), options)
  end

  local function assert_at(x, y, walker)
    assert.near(x, walker.x, 1e-9)
    assert.near(y, walker.y, 1e-9)
  end

  it("stands on the first cell until it is updated", function()
    local walker = walk(2, 3, 6, 3)
    assert.same({ 2, 3, false }, { walker.x, walker.y, walker.arrived })
  end)

  it("returns what its fields say", function()
    local walker = walk(2, 3, 6, 3)
    local x, y, arrived = walker:update(0.5)
    assert.same({ walker.x, walker.y, walker.arrived }, { x, y, arrived })
  end)

  it("walks a cell a second unless told otherwise", function()
    local function walks_at_one(options)
      local walker = walk(2, 3, 6, 3, options)
      walker:update(2.5)
      assert_at(4.5, 3, walker)
    end
    walks_at_one(nil)
    walks_at_one {}
    walks_at_one { speed = 1 }
  end)

  it("walks 'speed' cells a second", function()
    local walker = walk(2, 3, 10, 3, { speed = 4 })
    walker:update(0.5)
    assert_at(4, 3, walker)
    walker = walk(2, 3, 10, 3, { speed = 0.25 })
    walker:update(1)
    assert_at(2.25, 3, walker)
  end)

  it("takes sqrt 2 times as long for a diagonal step", function()
    local walker = walk(1, 1, 4, 4)
    walker:update(SQRT2 / 2)
    assert_at(1.5, 1.5, walker)
    walker:update(SQRT2)
    assert_at(2.5, 2.5, walker)
    walker:update(SQRT2 * 1.5)
    assert.same({ 4, 4, true }, { walker.x, walker.y, walker.arrived })
  end)

  it("arrives after as many seconds as the path is long", function()
    local path = grid:find_path(1, 1, 9, 4)
    local walker = astar.walker(path)
    walker:update(path.length - 0.001)
    assert.is_false(walker.arrived)
    walker:update(0.001)
    assert.is_true(walker.arrived)
  end)

  it("follows corners, however large the step", function()
    local path = astar.grid("...\n##.\n..."):find_path(1, 1, 1, 3, { diagonals = "never" })
    for _, frames in ipairs { 1, 2, 7, 100 } do
      local walker = astar.walker(path)
      for _ = 1, frames do walker:update(2.5 / frames) end
      assert_at(3, 1.5, walker)
      for _ = 1, frames do walker:update(2 / frames) end
      assert_at(2.5, 3, walker)
    end
  end)

  it("walks every step of the compass", function()
    for _, direction in ipairs(astar.directions) do
      local walker = walk(5, 5, 5 + direction.dx, 5 + direction.dy)
      walker:update(0.5)
      local part = direction.dx ~= 0 and direction.dy ~= 0 and 0.5 / SQRT2 or 0.5
      assert_at(5 + part * direction.dx, 5 + part * direction.dy, walker)
    end
  end)

  it("walks where the origin has moved the cells", function()
    local far = astar.grid(5, 5, { origin = { -100, -7 } })
    local walker = astar.walker(far:find_path(-100, -7, -96, -7))
    walker:update(1.5)
    assert_at(-98.5, -7, walker)
  end)

  it("stands still for no time", function()
    local walker = walk(2, 3, 6, 3)
    walker:update(0.5)
    walker:update(0)
    assert_at(2.5, 3, walker)
    assert.is_false(walker.arrived)
  end)

  it("stops at the goal, however long the frame", function()
    for _, dt in ipairs { 4, 5, 1e6, 1e300, math.huge } do
      local walker = walk(2, 3, 6, 3)
      local x, y, arrived = walker:update(dt)
      assert.same({ 6, 3, true }, { x, y, arrived })
    end
  end)

  it("stays at the goal once there", function()
    local walker = walk(2, 3, 6, 3)
    walker:update(100)
    local x, y, arrived = walker:update(1)
    assert.same({ 6, 3, true }, { x, y, arrived })
  end)

  it("gives the goal as whole numbers", function()
    local walker = walk(1, 1, 9, 4, { speed = 3 })
    local x, y, arrived
    repeat x, y, arrived = walker:update(1 / 60) until arrived
    assert.equal("9 4", x .. " " .. y)
  end)

  it("gives a cell it stands on as whole numbers", function()
    local walker = walk(2, 3, 6, 3)
    walker:update(2)
    assert.equal("4 3", walker.x .. " " .. walker.y)
  end)

  it("is a cell on after ten frames of a tenth of a second", function()
    local walker = walk(2, 3, 3, 3)
    for _ = 1, 10 do walker:update(0.1) end
    assert.is_true(walker.arrived)
  end)

  it("has arrived from the start on a path of one cell", function()
    local walker = walk(2, 3, 2, 3)
    assert.same({ 2, 3, true }, { walker.x, walker.y, walker.arrived })
    assert.same({ 2, 3, true }, { walker:update(1) })
  end)

  it("changes pace on the way when its speed is changed", function()
    local walker = walk(2, 3, 12, 3)
    walker:update(1)
    walker.speed = 3
    walker:update(1)
    assert_at(6, 3, walker)
    walker.speed = math.huge
    assert.same({ 6, 3, false }, { walker:update(0) })
    assert.same({ 12, 3, true }, { walker:update(0.001) })
  end)

  it("walks one path with several walkers, each at its own place", function()
    local path = grid:find_path(2, 3, 12, 3)
    local slow, fast = astar.walker(path), astar.walker(path, { speed = 2 })
    slow:update(1)
    fast:update(1)
    assert_at(3, 3, slow)
    assert_at(4, 3, fast)
  end)

  it("keeps its path from the collector", function()
    local walker = walk(2, 3, 12, 3)
    collectgarbage()
    collectgarbage()
    assert.same({ 12, 3, true }, { walker:update(10) })
  end)

  it("makes no garbage", function()
    local path = grid:find_path(1, 1, 20, 10)
    local function walk_far(walker)
      for _ = 1, 2000 do walker:update(0.01) end
    end
    walk_far(astar.walker(path))
    local walker = astar.walker(path)
    collectgarbage()
    collectgarbage "stop"
    local before = collectgarbage "count"
    walk_far(walker)
    local kilobytes = collectgarbage "count" - before
    collectgarbage "restart"
    assert.is_true(kilobytes < 16, kilobytes .. " kB in 2,000 updates")
  end)

  it("refuses what is not a path", function()
    local path = grid:find_path(2, 3, 6, 3)
    for _, case in ipairs {
      { nil, "nil" }, { false, "false" }, { 3, "3" }, { "path", '"path"' }, { {}, "a table" },
      { path.cell, "a function" }, { grid, "astar grid" }, { io.stdout, "FILE*" },
    } do
      local value, got = case[1], case[2]
      fails("astar path expected, got " .. got, function() astar.walker(value) end)
    end
  end)

  it("refuses options that are not a table", function()
    local path = grid:find_path(2, 3, 6, 3)
    fails("options must be a table, got 3", function() astar.walker(path, 3) end)
    fails('options must be a table, got "fast"', function() astar.walker(path, "fast") end)
    fails("options must be a table, got false", function() astar.walker(path, false) end)
    fails("options must be a table, got astar path", function() astar.walker(path, path) end)
    fails("options must be a table, got FILE*", function() astar.walker(path, io.stdout) end)
  end)

  it("refuses an option it does not know", function()
    local path = grid:find_path(2, 3, 6, 3)
    fails('unknown option "sped" (did you mean "speed"?)', function()
      astar.walker(path, { sped = 2 })
    end)
    fails("unknown option 1", function() astar.walker(path, { 2 }) end)
  end)

  local BAD_NUMBERS = {
    { "3", '"3"' }, { true, "true" }, { {}, "a table" }, { print, "a function" },
    { -1, "-1" }, { -0.5, "-0.5" }, { 0 / 0, "nan" }, { -math.huge, "-inf" },
    { ("long "):rep(20), '"long long long long long long long lo..."' }, { "a\nb", '"a?b"' },
  }

  it("refuses a speed that is no number above 0", function()
    local path = grid:find_path(2, 3, 6, 3)
    for _, case in ipairs(BAD_NUMBERS) do
      fails("speed must be a number > 0, got " .. case[2], function()
        astar.walker(path, { speed = case[1] })
      end)
    end
    fails("speed must be a number > 0, got 0", function() astar.walker(path, { speed = 0 }) end)
    fails("speed must be a number > 0, got false", function()
      astar.walker(path, { speed = false })
    end)
  end)

  it("refuses such a speed set later, and walks on when it is mended", function()
    local walker = walk(2, 3, 6, 3)
    for _, case in ipairs(BAD_NUMBERS) do
      walker.speed = case[1]
      fails("speed must be a number > 0, got " .. case[2], function() walker:update(1) end)
    end
    walker.speed = 2
    assert.same({ 4, 3, false }, { walker:update(1) })
  end)

  it("refuses a dt that is no number of 0 or more, and stays where it is", function()
    local walker = walk(2, 3, 6, 3)
    for _, case in ipairs(BAD_NUMBERS) do
      fails("dt must be a number >= 0, got " .. case[2], function() walker:update(case[1]) end)
    end
    fails("dt must be a number >= 0, got nil", function() walker:update() end)
    assert_at(2, 3, walker)
  end)

  it("refuses to update what is not a walker", function()
    local update = walk(2, 3, 6, 3).update
    fails("astar walker expected, got 1", function() update(1) end)
    fails("astar walker expected, got nil", function() update() end)
    fails("astar walker expected, got a table", function() update({}, 1) end)
  end)
end)
