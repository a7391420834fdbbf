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

  it("stands on the first cell of its path until it is updated", function()
    local walker = walk(2, 3, 6, 3)
    assert.same({ 2, 3, false }, { walker.x, walker.y, walker.arrived })
  end)

  it("returns from its methods the values of its fields", function()
    local walker = walk(2, 3, 6, 3)
    local x, y, arrived = walker:update(0.5)
    assert.same({ walker.x, walker.y, walker.arrived }, { x, y, arrived })
  end)

  it("walks by default one cell per second", function()
    local function walks_at_one(options)
      local walker = walk(2, 3, 6, 3, options)
      walker:update(2.5)
      assert_at(4.5, 3, walker)
    end
    walks_at_one(nil)
    walks_at_one {}
    walks_at_one { speed = 1 }
  end)

  it("walks 'speed' cells per second", function()
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

  it("arrives after path.length / speed seconds", function()
    local path = grid:find_path(1, 1, 9, 4)
    local walker = astar.walker(path)
    walker:update(path.length - 0.001)
    assert.is_false(walker.arrived)
    walker:update(0.001)
    assert.is_true(walker.arrived)
  end)

  it("follows the corners of its path, however much time an update covers", function()
    local path = astar.grid("...\n##.\n..."):find_path(1, 1, 1, 3, { diagonals = "never" })
    for _, frames in ipairs { 1, 2, 7, 100 } do
      local walker = astar.walker(path)
      for _ = 1, frames do walker:update(2.5 / frames) end
      assert_at(3, 1.5, walker)
      for _ = 1, frames do walker:update(2 / frames) end
      assert_at(2.5, 3, walker)
    end
  end)

  it("walks in every direction of the compass", function()
    for _, direction in ipairs(astar.directions) do
      local walker = walk(5, 5, 5 + direction.dx, 5 + direction.dy)
      walker:update(0.5)
      local part = direction.dx ~= 0 and direction.dy ~= 0 and 0.5 / SQRT2 or 0.5
      assert_at(5 + part * direction.dx, 5 + part * direction.dy, walker)
    end
  end)

  it("uses the grid's own coordinates", function()
    local far = astar.grid(5, 5, { origin = { -100, -7 } })
    local walker = astar.walker(far:find_path(-100, -7, -96, -7))
    walker:update(1.5)
    assert_at(-98.5, -7, walker)
  end)

  it("stands still for an update of 0 seconds", function()
    local walker = walk(2, 3, 6, 3)
    walker:update(0.5)
    walker:update(0)
    assert_at(2.5, 3, walker)
    assert.is_false(walker.arrived)
  end)

  it("stops at the goal, however long the frame is", function()
    for _, dt in ipairs { 4, 5, 1e6, 1e300, math.huge } do
      local walker = walk(2, 3, 6, 3)
      local x, y, arrived = walker:update(dt)
      assert.same({ 6, 3, true }, { x, y, arrived })
    end
  end)

  it("stays at the goal after it has arrived", function()
    local walker = walk(2, 3, 6, 3)
    walker:update(100)
    local x, y, arrived = walker:update(1)
    assert.same({ 6, 3, true }, { x, y, arrived })
  end)

  it("returns the cell of the goal as integers", function()
    local walker = walk(1, 1, 9, 4, { speed = 3 })
    local x, y, arrived
    repeat x, y, arrived = walker:update(1 / 60) until arrived
    assert.equal("9 4", x .. " " .. y)
  end)

  it("returns the cell that it stands on as integers", function()
    local walker = walk(2, 3, 6, 3)
    walker:update(2)
    assert.equal("4 3", walker.x .. " " .. walker.y)
  end)

  it("has moved one cell after ten frames of a tenth of a second", function()
    local walker = walk(2, 3, 3, 3)
    for _ = 1, 10 do walker:update(0.1) end
    assert.is_true(walker.arrived)
  end)

  it("has arrived immediately on a path of one cell", function()
    local walker = walk(2, 3, 2, 3)
    assert.same({ 2, 3, true }, { walker.x, walker.y, walker.arrived })
    assert.same({ 2, 3, true }, { walker:update(1) })
  end)

  it("moves at the new speed when its speed is changed", function()
    local walker = walk(2, 3, 12, 3)
    walker:update(1)
    walker.speed = 3
    walker:update(1)
    assert_at(6, 3, walker)
    walker.speed = math.huge
    assert.same({ 6, 3, false }, { walker:update(0) })
    assert.same({ 12, 3, true }, { walker:update(0.001) })
  end)

  it("can share a path with other walkers, each at its own position", function()
    local path = grid:find_path(2, 3, 12, 3)
    local slow, fast = astar.walker(path), astar.walker(path, { speed = 2 })
    slow:update(1)
    fast:update(1)
    assert_at(3, 3, slow)
    assert_at(4, 3, fast)
  end)

  it("keeps its path in memory", function()
    local walker = walk(2, 3, 12, 3)
    collectgarbage()
    collectgarbage()
    assert.same({ 12, 3, true }, { walker:update(10) })
  end)

  it("creates no garbage for the collector", function()
    local path = grid:find_path(1, 1, 20, 10)
    local function walk_far(walker)
      for _ = 1, 2000 do
        walker:update(0.01)
        walker:cell()
        walker:repair()
      end
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

  it("refuses a value that is not a path", function()
    local path = grid:find_path(2, 3, 6, 3)
    for _, case in ipairs {
      { nil, "nil: there was no path; check what find_path returned" }, { false, "false" },
      { 3, "3" }, { "path", '"path"' }, { {}, "a table" },
      { path.cell, "a function" }, { io.stdout, "FILE*" },
      { grid, "astar grid: pass the path that find_path returned" },
    } do
      local value, got = case[1], case[2]
      fails("astar path expected, got " .. got, function() astar.walker(value) end)
    end
  end)

  it("refuses options that are not a table", function()
    local path = grid:find_path(2, 3, 6, 3)
    fails("options must be a table, got 3: { speed = ... }", function() astar.walker(path, 3) end)
    fails('options must be a table, got "fast": { speed = ..., straight = ..., corner = ..., ... }',
      function() astar.walker(path, "fast") end)
    fails("options must be a table, got false: { speed = ..., straight = ..., corner = ..., ... }",
      function() astar.walker(path, false) end)
    fails("options must be a table, got astar path: { speed = ..., straight = ..., corner = ..., ... }",
      function() astar.walker(path, path) end)
    fails("options must be a table, got FILE*: { speed = ..., straight = ..., corner = ..., ... }",
      function() astar.walker(path, io.stdout) end)
  end)

  it("refuses an unknown option", function()
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

  it("refuses a speed that is not a number above 0", function()
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

  it("refuses an invalid speed that is set later, and continues when the speed is corrected", function()
    local walker = walk(2, 3, 6, 3)
    for _, case in ipairs(BAD_NUMBERS) do
      walker.speed = case[1]
      fails("speed must be a number > 0, got " .. case[2], function() walker:update(1) end)
    end
    walker.speed = 2
    assert.same({ 4, 3, false }, { walker:update(1) })
  end)

  it("refuses a dt that is not a number of at least 0, and stays where it is", function()
    local walker = walk(2, 3, 6, 3)
    for _, case in ipairs(BAD_NUMBERS) do
      fails("dt must be a number >= 0, got " .. case[2], function() walker:update(case[1]) end)
    end
    fails("dt must be a number >= 0, got nil", function() walker:update() end)
    assert_at(2, 3, walker)
  end)

  it("refuses to update an object that is not a walker", function()
    local update = walk(2, 3, 6, 3).update
    fails("astar walker expected, got 1: a method is called with a colon, walker:update(dt)", function() update(1) end)
    fails("astar walker expected, got nil", function() update() end)
    fails("astar walker expected, got a table", function() update({}, 1) end)
  end)
end)

describe("walker:follow", function()
  local grid = astar.grid(20, 10)

  -- A walker that has walked so many seconds from (2, 3) towards (12, 3).
  local function walker_after(seconds)
    local walker = astar.walker(grid:find_path(2, 3, 12, 3), { corner = 0 })
    walker:update(seconds)
    return walker
  end

  local function places(walker, count)
    local seen = {}
    for i = 1, count do
      local x, y = walker:update(0.5)
      seen[i] = ("%g,%g"):format(x, y)
    end
    return table.concat(seen, " ")
  end

  it("continues from its position, by the cell that it was walking to", function()
    local walker = walker_after(1.5)
    assert.same({ 4, 3 }, { walker:cell() })
    walker:follow(grid:find_path(4, 3, 4, 9))
    assert.same({ 3.5, 3, false }, { walker.x, walker.y, walker.arrived })
    assert.equal("4,3 4,3.5 4,4", places(walker, 3))
  end)

  it("turns back for a path that begins at the cell that it came from", function()
    local walker = walker_after(1.75)
    walker:follow(grid:find_path(3, 3, 3, 9))
    assert.same({ 3.75, 3 }, { walker.x, walker.y })
    assert.equal("3.25,3 3,3.25 3,3.75", places(walker, 3))
  end)

  it("continues in mid-step on a path that begins with its present step", function()
    local walker = walker_after(1.75)
    walker:follow(grid:find_path(3, 3, 7, 3))
    assert.equal("4.25,3 4.75,3", places(walker, 2))
    assert.equal(2, walker.index)
  end)

  it("turns immediately if it stands on the centre of a cell", function()
    local walker = walker_after(2)
    assert.same({ 4, 3 }, { walker:cell() })
    walker:follow(grid:find_path(4, 3, 4, 9))
    assert.equal("4,3.5 4,4", places(walker, 2))
  end)

  it("continues on a new path after it has arrived", function()
    local walker = walker_after(100)
    walker:follow(grid:find_path(12, 3, 2, 3))
    assert.is_false(walker.arrived)
    assert.equal("11.5,3", places(walker, 1))
    walker = walker_after(100)
    walker:follow(grid:find_path(11, 3, 11, 9))
    assert.equal("11.5,3 11,3 11,3.5", places(walker, 3))
    walker = walker_after(100)
    walker:follow(grid:find_path(11, 3, 12, 3))
    assert.equal("11.5,3 11,3 11.5,3 12,3", places(walker, 4))
  end)

  it("arrives on a path of one cell if it stands on that cell", function()
    local walker = walker_after(1.75)
    walker:follow(grid:find_path(4, 3, 4, 3))
    assert.is_false(walker.arrived)
    assert.same({ 4, 3, true }, { walker:update(0.25) })
    walker:follow(grid:find_path(4, 3, 4, 3))
    assert.is_true(walker.arrived)
  end)

  it("walks straight to a path that begins at another cell", function()
    local walker = walker_after(1.5)
    walker:follow(grid:find_path(6, 5, 9, 5))
    assert.same({ 6, 5 }, { walker:cell() })
    local length = math.sqrt(2.5 ^ 2 + 2 ^ 2)
    walker:update(length / 2)
    assert.near(4.75, walker.x, 1e-9)
    assert.near(4, walker.y, 1e-9)
    assert.equal("south_east", walker.heading)
    walker:update(length / 2 + 1)
    assert.near(7, walker.x, 1e-9)
  end)

  it("may be called again and again during one step", function()
    local walker = walker_after(1.5)
    walker:follow(grid:find_path(4, 3, 4, 9))
    walker:follow(grid:find_path(3, 3, 3, 9))
    walker:follow(grid:find_path(4, 3, 5, 3))
    assert.same({ 3.5, 3 }, { walker.x, walker.y })
    assert.equal("4,3 4.5,3 5,3", places(walker, 3))
  end)

  it("keeps the walker's speed", function()
    local walker = walker_after(1.5)
    walker.speed = 3
    walker:follow(grid:find_path(4, 3, 12, 3))
    assert.equal("5,3 6.5,3", places(walker, 2))
  end)

  it("uses the link at which it waits, or leaves that link", function()
    local floors = astar.grid(9, 3)
    floors:link(3, 2, 7, 2, { label = "stairs" })
    local function walker_at_stairs()
      local walker = astar.walker(floors:find_path(1, 2, 9, 2), { corner = 0 })
      walker:update(2.5)
      assert.same({ 3, 2, "stairs" }, { walker.x, walker.y, walker.link })
      return walker
    end
    local walker = walker_at_stairs()
    assert.same({ 3, 2 }, { walker:cell() })
    walker:follow(floors:find_path(3, 2, 8, 2))
    assert.equal("stairs", walker.link)
    assert.equal("7,2 7.5,2", places(walker, 2))
    walker = walker_at_stairs()
    walker:follow(floors:find_path(3, 2, 3, 1))
    assert.is_false(walker.link)
    assert.equal("3,1.5", places(walker, 1))
    walker = walker_at_stairs()
    walker:follow(floors:find_path(7, 2, 7, 3)) -- from the link's other end
    assert.equal("7,2 7,2.5", places(walker, 2))
  end)

  it("refuses a value that is not a path, and continues as before", function()
    local walker = walker_after(1.5)
    fails("astar path expected, got nil: there was no path; check what find_path returned",
      function() walker:follow(nil) end)
    fails("astar path expected, got nil: there was no path (unreachable); check what find_path returned",
      function() walker:follow(nil, "unreachable") end)
    fails("astar path expected, got a table", function() walker:follow {} end)
    fails("astar walker expected, got a table", function() walker.follow({}, walker.path) end)
    fails("astar walker expected, got nil", function() walker.cell() end)
    assert.equal("4,3", places(walker, 1))
  end)
end)

describe("walker.heading", function()
  local grid = astar.grid(20, 10)

  it("is the direction of the walker's present step", function()
    for _, direction in ipairs(astar.directions) do
      local walker = astar.walker(grid:find_path(5, 5, 5 + 2 * direction.dx, 5 + 2 * direction.dy))
      assert.equal(direction.name, walker.heading)
      walker:update(100)
      assert.equal(direction.name, walker.heading)
    end
  end)

  it("changes with the direction of the path, and when the walker turns back", function()
    local walker = astar.walker(astar.grid("..\n#.\n#."):find_path(1, 1, 2, 3))
    walker:update(1.5)
    assert.equal("south", walker.heading)
    walker:follow(grid:find_path(2, 1, 5, 1))
    assert.equal("north", walker.heading)
    walker:update(0.75)
    assert.equal("east", walker.heading)
  end)

  it("is false before the first step, and unchanged on a link", function()
    assert.is_false(astar.walker(grid:find_path(2, 2, 2, 2)).heading)
    local floors = astar.grid(9, 3)
    floors:link(3, 2, 7, 2)
    local walker = astar.walker(floors:find_path(3, 1, 9, 2))
    walker:update(1.5)
    assert.same({ true, "south" }, { walker.link, walker.heading })
  end)
end)

describe("a walker whose finder counts bends", function()
  -- A corridor along the first row, open to the south at its ends.
  local function drive(seconds)
    local grid = astar.grid "........\n.######.\n........"
    local finder = grid:finder { diagonals = "never", bend_cost = 2 }
    local walker = astar.walker(finder:find_path(1, 1, 8, 1))
    walker:update(seconds)
    return walker, finder, grid
  end

  it("faces its heading when it gets another path in mid-step", function()
    local walker, finder = drive(3.5)
    local x, y = walker:cell()
    local onward = finder:find_path(x, y, 8, 3, { heading = walker.heading })
    assert.same({ 1, 6, 7 }, { onward.bends, #onward, onward.cost })
    walker:follow(onward)
    assert.same({ 4.5, 1 }, { walker.x, walker.y })
    local back = finder:find_path(x, y, 1, 1, { heading = walker.heading })
    assert.same({ 1, 6 }, { back.bends, back.cost })
    assert.same({ 8, 3, true }, { walker:update(100) })
  end)

  it("turns as a unit that came along its path if the path ahead is blocked", function()
    local walker, _, grid = drive(3.5)
    grid:block(6, 1)
    local path = walker:repair()
    assert.same({ 4.5, 1 }, { walker.x, walker.y })
    assert.same({ 5, 1 }, { path:cell(1) })
    assert.equal(4, path.bends) -- it turns round first
    assert.equal(#path - 1 + 2 * path.bends, path.cost)
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)
end)

describe("walker:repair", function()
  -- A corridor with a way around: the walker goes east along the first row.
  local function walker_in(seconds, gate_x)
    local grid = astar.grid "........\n.######.\n........"
    local walker = astar.walker(grid:find_path(1, 1, 8, 1))
    walker:update(seconds)
    grid:block(gate_x, 1)
    return walker, grid
  end

  it("keeps a path that is still valid", function()
    local walker = walker_in(2.5, 1)
    local path = walker.path
    assert.equal(path, walker:repair())
    assert.same({ 4, 1, false }, { walker:update(0.5) })
  end)

  it("finds another route from the next cell", function()
    local walker = walker_in(2.5, 6)
    local path = walker:repair()
    assert.equal(path, walker.path)
    assert.same({ 3.5, 1 }, { walker.x, walker.y })
    assert.is_true(path:is_valid())
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("keeps the valid part of the path, and with the option optimal keeps nothing", function()
    local grid = astar.grid(10, 3)
    local function cost(options)
      local walker = astar.walker(grid:find_path(1, 1, 10, 1))
      walker:update(0.5)
      grid:block(9, 1)
      local path = walker:repair(options)
      grid:unblock(9, 1)
      return path.cost
    end
    assert.is_true(cost { optimal = true } < cost())
    assert.equal(cost(), cost { optimal = false })
  end)

  it("turns back if the next cell was blocked", function()
    local walker = walker_in(2.75, 4)
    assert.same({ 3, 1 }, { walker:cell() })
    walker:repair()
    assert.same({ 3.75, 1 }, { walker.x, walker.y })
    assert.same({ 3.25, 1, false }, { walker:update(0.5) })
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("returns the reason if there is no route, and the walker waits at the next cell for a route", function()
    local walker, grid = walker_in(2.5, 6)
    grid:block(1, 2)
    assert.same({ nil, "unreachable" }, { walker:repair() })
    assert.same({ 4, 1, false }, { walker:update(100) })
    assert.equal(4, walker.index)
    assert.same({ nil, "unreachable" }, { walker:repair() })
    assert.same({ 4, 1, false }, { walker:update(1) })
    grid:unblock(6, 1)
    assert.equal(walker.path, walker:repair())
    assert.same({ 5, 1, false }, { walker:update(1) })
  end)

  it("continues without a stop if the door opens before the walker has halted", function()
    local walker, grid = walker_in(2.5, 6)
    grid:block(1, 2)
    walker:repair()
    walker:update(0.25)
    grid:unblock(6, 1)
    walker:repair()
    assert.same({ 4.75, 1, false }, { walker:update(1) })
  end)

  it("leads back from a door that has shut in front of the walker, which then waits", function()
    local walker, grid = walker_in(2.75, 4)
    grid:block(1, 2)
    assert.same({ nil, "unreachable" }, { walker:repair() })
    assert.same({ 3, 1, false }, { walker:update(100) })
    assert.equal(3, walker.index)
    grid:unblock(4, 1)
    walker:repair()
    assert.same({ 4, 1, false }, { walker:update(1) })
  end)

  it("lets the walker wait on its present cell", function()
    local walker, grid = walker_in(2, 6)
    grid:block(1, 2)
    walker:repair()
    assert.same({ 3, 1, false }, { walker:update(100) })
    walker:follow(grid:find_path(3, 1, 2, 1))
    assert.same({ 2, 1, true }, { walker:update(100) })
  end)

  it("leads the walker back if the first cell of its new path was blocked", function()
    local grid = astar.grid(9, 9)
    local walker = astar.walker(grid:find_path(1, 1, 9, 1))
    walker:update(2.5)
    walker:follow(grid:find_path(4, 1, 4, 9))
    grid:block(4, 1)
    assert.same({ nil, "start blocked" }, { walker:repair() })
    assert.same({ 3.5, 1 }, { walker.x, walker.y })
    assert.same({ 3.25, 1, false }, { walker:update(0.25) })
    assert.same({ nil, "start blocked" }, { walker:repair() })
    assert.same({ 3, 1, false }, { walker:update(100) })
    assert.same({ nil, "start blocked" }, { walker:repair() })
    grid:unblock(4, 1)
    assert.equal(walker.path, walker:repair())
    assert.same({ 3.5, 1, false }, { walker:update(0.5) })
    grid:block(4, 1)
    walker:repair()
    grid:unblock(4, 1)
    walker:repair()
    assert.same({ 3.75, 1, false }, { walker:update(0.25) })
    assert.same({ 4, 9, true }, { walker:update(100) })
  end)

  it("has no effect if the walker is at the goal", function()
    local walker = walker_in(100, 5)
    assert.equal(walker.path, walker:repair())
    assert.same({ 8, 1, true }, { walker:update(1) })
  end)

  it("passes on errors of a callback, and leaves the walker unchanged", function()
    local grid, is_broken = astar.grid(9, 3), false
    local finder = grid:finder { cost = function(_, _, _, cost)
      if is_broken then error("no map", 0) end
      return cost
    end }
    local walker = astar.walker(finder:find_path(1, 2, 9, 2))
    walker:update(1.5)
    is_broken = true
    grid:block(6, 2)
    assert.same({ false, "no map" }, { pcall(walker.repair, walker) })
    is_broken = false
    assert.same({ 3, 2, false }, { walker:update(0.5) })
    walker:repair()
    assert.same({ 9, 2, true }, { walker:update(100) })
  end)

  it("refuses invalid options", function()
    local walker = walker_in(1, 8)
    fails('unknown option "optimum" (did you mean "optimal"?)', function() walker:repair { optimum = true } end)
    fails("optimal must be a boolean, got 1", function() walker:repair { optimal = 1 } end)
    fails("options must be a table, got 3: { optimal = ... }", function() walker:repair(3) end)
    fails("astar walker expected, got a table", function() walker.repair {} end)
  end)
end)

-- ---- legs ----

-- What a walker goes along: each cell's place on the straight lines between the path's turning points, and how
-- far from the start that is; 'center' tells where the middle of a cell is.
local function way_of(path, center)
  local way, points, far = {}, path:waypoints(), 0
  local at = 1 -- the index of the cell where the leg begins
  for i, point in ipairs(points) do
    local x, y = center(point.x, point.y)
    if i == 1 then
      way[1] = { x = x, y = y, far = 0 }
    else
      local first, last = way[at], at + 1
      local function is_point(index) -- a leg has as many cells as steps between its ends
        local cell_x, cell_y = path:cell(index)
        return cell_x == point.x and cell_y == point.y
      end
      while not is_point(last) do last = last + 1 end
      local length = path:link(at) and 1 or math.sqrt((x - first.x) ^ 2 + (y - first.y) ^ 2)
      for index = at + 1, last do
        local part = (index - at) / (last - at)
        way[index] = {
          x = first.x + (x - first.x) * part, y = first.y + (y - first.y) * part, far = far + length * part,
        }
      end
      far, at = far + length, last
    end
  end
  return way
end

-- Where one is after so far.
local function place_on(way, far)
  for i = 2, #way do
    local a, b = way[i - 1], way[i]
    if far <= b.far then
      local part = (far - a.far) / (b.far - a.far)
      return a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, b.x - a.x, b.y - a.y
    end
  end
  return way[#way].x, way[#way].y
end

-- Grids of all shapes with something in the way, and paths over them that need not go by eight directions.
local function each_way_at_an_angle(seed, visit)
  local numbers = require("spec.support.random").new(seed)
  local origin = { numbers:int(-50, 50), numbers:int(-50, 50) }
  local offset = numbers:pick { "square", "square", "odd_r", "even_r", "odd_q", "even_q" }
  local is_square = offset == "square"
  local grid = astar.grid(numbers:scatter(30, 20, 0.12), {
    shape = not is_square and "hex" or nil, offset = not is_square and offset or nil, origin = origin,
  })
  local finder = grid:finder {
    any_angle = is_square and numbers:chance(0.5) or nil, size = is_square and numbers:int(1, 2) or nil,
    diagonals = is_square and numbers:pick { "never", "only_when_no_obstacles", "always" } or nil,
  }
  local function draw() return origin[1] + numbers:int(0, 29), origin[2] + numbers:int(0, 19) end
  for _ = 1, 3 do
    local x, y = draw()
    local ok, path = pcall(finder.find_path, finder, x, y, draw())
    if ok and path then
      visit(grid, numbers:chance(0.5) and path:smooth() or path, numbers)
    end
  end
end

-- Where the directions lead that a grid has, by their names.
local function compass_of(grid)
  local compass, x, y = {}, grid:bounds()
  x, y = x + 5, y + 5
  local ax, ay = grid:center(x, y)
  for _, direction in ipairs(astar.directions) do
    local has_it, bx, by = pcall(grid.neighbour, grid, x, y, direction.name)
    if has_it and bx then
      bx, by = grid:center(bx, by)
      compass[direction.name] = { bx - ax, by - ay }
    end
  end
  return compass
end

describe("a walker along straight lines", function()
  it("moves straight over open ground", function()
    local grid = astar.grid(200, 60)
    local walker = astar.walker(grid:find_path(1, 1, 200, 50):smooth(), { speed = 4 })
    for i = 1, 100 do
      local x, y = walker:update(0.25)
      local far = i / math.sqrt(199 ^ 2 + 49 ^ 2)
      assert(math.abs(x - 1 - 199 * far) < 1e-6 and math.abs(y - 1 - 49 * far) < 1e-6)
      assert.equal("east", walker.heading)
    end
  end)

  it("is always on its legs, faces along its legs, and takes as many seconds as the path is long", function()
    local seen = 0
    for seed = 1, 60 do
      each_way_at_an_angle(seed, function(grid, path, numbers)
        local way, compass = way_of(path, function(x, y) return grid:center(x, y) end), compass_of(grid)
        assert.near(way[#way].far, path.length, 1e-6)
        local speed, far = numbers:int(1, 4), 0
        local walker = astar.walker(path, { speed = speed, corner = 0 })
        while not walker.arrived do
          local dt = numbers:int(1, 40) / 100
          far = far + dt * speed
          walker:update(dt)
          local x, y, dx, dy = place_on(way, far)
          local message = ("seed %d, after %g of %g"):format(seed, far, path.length)
          assert(math.abs(x - walker.x) < 1e-6 and math.abs(y - walker.y) < 1e-6, message)
          if dx and far < way[#way].far - 1e-6 then -- it is at none of both ends
            local best, own = -1, -1
            for name, towards in pairs(compass) do
              local nx, ny = towards[1], towards[2]
              local turned = (nx * dx + ny * dy) / math.sqrt((nx ^ 2 + ny ^ 2) * (dx ^ 2 + dy ^ 2))
              best = math.max(best, turned)
              if name == walker.heading then own = turned end
            end
            seen = seen + 1
            local is_turning = false -- it has come to the end of a leg by rounding
            for _, place in ipairs(way) do is_turning = is_turning or math.abs(place.far - far) < 1e-6 end
            assert(own > best - 1e-6 or is_turning, message .. ", heading " .. tostring(walker.heading))
          end
        end
        assert(far > path.length - 1e-6, ("seed %d: there %g too soon"):format(seed, path.length - far))
        assert.same({ grid:center(path:cell(#path)) }, { walker.x, walker.y })
      end)
    end
    assert(seen > 1000, seen)
  end)

  it("faces one direction along a leg", function()
    for seed = 1, 60 do
      each_way_at_an_angle(seed, function(_, path)
        local walker, changes, last = astar.walker(path), 0, nil
        while not walker.arrived do
          changes = changes + (walker.heading ~= last and 1 or 0)
          last = walker.heading
          walker:update(0.21)
        end
        assert(changes <= #path:waypoints() - 1, ("seed %d: %d changes"):format(seed, changes))
      end)
    end
  end)

  it("stands always in a cell of its path", function()
    for seed = 1, 60 do
      each_way_at_an_angle(seed, function(grid, path)
        local walker = astar.walker(path)
        while not walker.arrived do
          local x, y = path:cell(walker.index)
          local cx, cy = grid:center(x, y)
          if walker:cell() == x and select(2, walker:cell()) == y then
            assert(math.abs(walker.x - cx) <= 0.51 and math.abs(walker.y - cy) <= 0.58, ("seed %d"):format(seed))
          end
          walker:update(0.21)
        end
      end)
    end
  end)

  it("waits at links on its path", function()
    local floors = astar.grid(20, 8)
    floors:link(7, 3, 14, 7)
    local path = floors:find_path(1, 1, 20, 8):smooth()
    local way = way_of(path, function(x, y) return x, y end)
    assert.near(path.length, way[#way].far, 1e-9)
    local walker, seconds = astar.walker(path), 0
    repeat
      walker:update(0.125)
      seconds = seconds + 0.125
      if walker.link then
        assert.same({ 7, 3 }, { walker.x, walker.y })
      end
    until walker.arrived
    assert(seconds >= path.length - 1e-9 and seconds < path.length + 0.125)
  end)
end)

-- ---- what is shut ----

describe("a walker before a blocked cell", function()
  local function walker_in(map, x, y, options)
    local grid = astar.grid(map)
    local finder = grid:finder(options)
    return astar.walker(finder:find_path(1, 1, x, y)), grid
  end

  it("stops before a door that shuts, however much time an update covers, and reports the door", function()
    for _, dt in ipairs { 100, math.huge, 7, 0.1 } do
      local walker, grid = walker_in("........", 8, 1)
      grid:block(5, 1)
      for _ = 1, 100 do walker:update(dt) end
      assert.same({ 4, 1, false, true, 4 }, { walker.x, walker.y, walker.arrived, walker.blocked, walker.index })
      grid:unblock(5, 1)
      assert.same({ 5, 1, false }, { walker:update(1) })
      assert.is_false(walker.blocked)
      assert.same({ 8, 1, true }, { walker:update(100) })
    end
  end)

  it("walks back from a door that shuts in mid-step, and continues when the door opens", function()
    local walker, grid = walker_in("........", 8, 1)
    walker:update(3.75)
    grid:block(5, 1)
    assert.same({ 4.5, 1, false }, { walker:update(0.25) })
    assert.same({ "west", true }, { walker.heading, walker.blocked })
    grid:unblock(5, 1)
    assert.same({ 4.75, 1, false }, { walker:update(0.25) })
    assert.same({ "east", false }, { walker.heading, walker.blocked })
    grid:block(5, 1)
    assert.same({ 4, 1, false }, { walker:update(100) })
    assert.same({ 4, 1 }, { walker:cell() })
    grid:unblock(5, 1)
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("stays between two cells that are both blocked", function()
    local walker, grid = walker_in("........", 8, 1)
    walker:update(3.75)
    grid:block(4, 1, 2, 1)
    assert.same({ 4.75, 1, false }, { walker:update(100) })
    assert.is_true(walker.blocked)
    grid:unblock(4, 1)
    assert.same({ 4.5, 1, false }, { walker:update(0.25) })
    grid:block(4, 1)
    assert.same({ 4.5, 1, false }, { walker:update(0.25) })
    grid:unblock(5, 1)
    assert.same({ 4.75, 1, false }, { walker:update(0.25) })
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("continues if the terrain behind it becomes blocked", function()
    local walker, grid = walker_in("........", 8, 1)
    walker:update(2.25)
    grid:set(3, 1, "#")
    assert.same({ 4, 1, false }, { walker:update(0.75) })
    grid:set(4, 1, "#")
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("leaves its own cell although the cell is blocked", function()
    local walker, grid = walker_in("....", 4, 1)
    grid:block(1, 1)
    assert.same({ 4, 1, true }, { walker:update(100) })
    walker = astar.walker(grid:finder { size = 2 }:find_path(1, 1, 1, 1) or grid:find_path(1, 1, 4, 1))
    assert.same({ 4, 1, true }, { walker:update(100) })
  end)

  it("finds another route by walker:repair, and waits if no route exists", function()
    local walker, grid = walker_in("........\n.######.\n........", 8, 1)
    grid:block(5, 1)
    walker:update(100)
    assert.same({ 4, 1, true }, { walker.x, walker.y, walker.blocked })
    grid:block(1, 2)
    assert.same({ nil, "unreachable" }, { walker:repair() })
    assert.is_true(walker.blocked)
    assert.same({ 4, 1, false }, { walker:update(1) })
    grid:unblock(1, 2)
    local path = walker:repair()
    assert.equal(path, walker.path)
    assert.is_false(walker.blocked)
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("reports that it waits while a repair has found no route", function()
    local walker, grid = walker_in("........", 8, 1)
    walker:update(2.5)
    grid:block(7, 1)
    walker:repair()
    assert.is_true(walker.blocked)
    assert.same({ 4, 1, false, true }, { 4, walker.y, walker.arrived, walker.blocked })
    walker:update(100)
    assert.same({ 4, 1, false, true }, { walker.x, walker.y, walker.arrived, walker.blocked })
    grid:unblock(7, 1)
    walker:repair()
    assert.is_false(walker.blocked)
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("stops where its own rules of corners, size and costs forbid the step", function()
    local function stops_at(x, y, shut, options)
      local walker, grid = walker_in("........\n........\n........", 7, 1, options)
      shut(grid)
      walker:update(100)
      assert.same({ x, y, x < 7 }, { walker.x, walker.y, walker.blocked })
    end
    stops_at(3, 1, function(grid) grid:block(5, 2) end, { size = 2 })
    stops_at(7, 1, function(grid) grid:block(5, 1, "doors") end, { ignore = { "doors" } })
    stops_at(4, 1, function(grid) grid:block(5, 1, "doors") end)
    stops_at(4, 1, function(grid) grid:wall(4, 1, "east") end)
    stops_at(4, 1, function(grid) grid:wall(4, 1, "east", true) end)
    stops_at(7, 1, function(grid) grid:wall(5, 1, "west", true) end)
    stops_at(7, 1, function(grid) grid:set(5, 1, "#") end, { costs = { ["#"] = 2 } })
    stops_at(4, 1, function(grid) grid:set(5, 1, "#") end)
    local is_shut = false
    stops_at(4, 1, function() is_shut = true end, { cost = function(x, _, _, cost)
      return not (is_shut and x == 5) and cost or false
    end })
  end)

  it("cuts no corner that was blocked later", function()
    for diagonals, x in pairs { only_when_no_obstacles = 3, if_at_most_one_obstacle = 6, always = 6 } do
      local grid = astar.grid(6, 6)
      local walker = astar.walker(grid:finder { diagonals = diagonals }:find_path(1, 1, 6, 6))
      grid:block(4, 3)
      walker:update(100)
      assert.same({ x, x }, { walker.x, walker.y })
    end
  end)

  it("uses no link that was removed", function()
    local floors = astar.grid(9, 3)
    floors:link(3, 2, 7, 2)
    local walker = astar.walker(floors:find_path(1, 2, 9, 2))
    walker:update(2.5)
    floors:unlink(3, 2, 7, 2)
    walker:update(100)
    assert.same({ 3, 2, true }, { walker.x, walker.y, walker.blocked })
    floors:link(3, 2, 7, 2)
    assert.same({ 9, 2, true }, { walker:update(100) })
  end)

  it("stays unchanged when a callback raises an error", function()
    local is_broken = false
    local walker = walker_in("........", 8, 1, { cost = function(x, _, _, cost)
      if is_broken and x == 4 then error("no map", 0) end
      return cost
    end })
    walker:update(0.5)
    is_broken = true
    assert.same({ false, "no map" }, { pcall(walker.update, walker, 100) })
    is_broken = false
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  -- Doors open and shut everywhere, at any time: by the oracle no step is made that was closed then.
  local function check_doors(seed)
    local oracle, maps = require "spec.support.oracle", require "spec.support.maps"
    local numbers = require("spec.support.random").new(seed)
    local origin = { numbers:int(-20, 20), numbers:int(-20, 20) }
    local world = oracle.world(numbers:scatter(16, 12, 0.08), { origin = origin })
    local rules = {
      size = numbers:pick { 1, 1, 2, 3 },
      diagonals = numbers:pick { "never", "only_when_no_obstacles", "if_at_most_one_obstacle", "always" },
    }
    local grid = maps.grid(world)
    local finder = grid:finder {
      size = rules.size, diagonals = rules.diagonals, any_angle = numbers:chance(0.5) or nil,
    }
    local function draw() return origin[1] + numbers:int(0, 15), origin[2] + numbers:int(0, 11) end
    local x, y = draw()
    local path = finder:find_path(x, y, draw())
    if not path then return false end
    path = numbers:chance(0.4) and path:smooth() or path
    local way = way_of(path, function(cx, cy) return cx, cy end)
    local walker = astar.walker(path, { speed = 2, corner = 0 })
    local function far()
      local from = way[walker.index]
      return from.far + math.sqrt((walker.x - from.x) ^ 2 + (walker.y - from.y) ^ 2)
    end
    -- Whether the step from cell i can be made now, or back to it.
    local function is_open(i, back)
      local ax, ay = path:cell(back and i + 1 or i)
      local bx, by = path:cell(back and i or i + 1)
      local entry = oracle.entry_costs(world, rules, ax, ay)
      return oracle.legal_step(world, rules, entry, ax, ay, bx, by)
    end
    for _ = 1, 60 do
      for _ = 1, numbers:int(0, 3) do
        local bx, by = path:cell(numbers:int(1, #path)) -- where it matters
        bx, by = bx + numbers:int(-1, 1), by + numbers:int(-1, 1)
        if bx >= origin[1] and by >= origin[2] and bx < origin[1] + 16 and by < origin[2] + 12 then
          local cell = oracle.cell(world, bx, by)
          world.blocks[cell] = not world.blocks[cell] or nil
          if world.blocks[cell] then grid:block(bx, by) else grid:unblock(bx, by) end
        end
      end
      local before = far()
      local dt = numbers:pick { 0.1, 0.25, 0.7, 3, 100 }
      walker:update(dt)
      local after = far()
      assert(after - before <= 2 * dt + 1e-6, "too fast")
      for i = 1, #path - 1 do
        if after > before + 1e-9 and way[i].far < after - 1e-9 and way[i + 1].far > before + 1e-9 then
          assert(is_open(i), ("made the closed step from its cell %d"):format(i))
        elseif after < before - 1e-9 and way[i].far < before - 1e-9 and way[i + 1].far > after + 1e-9 then
          assert(is_open(i, true), ("made the closed step back to its cell %d"):format(i))
        end
      end
      if not walker.arrived then
        local is_at_bar = not is_open(walker.index)
        assert(walker.blocked == is_at_bar, ("blocked: %s"):format(tostring(walker.blocked)))
        assert(walker.blocked or after > before, "stands still")
      end
    end
    for cell in pairs(world.blocks) do grid:unblock(oracle.position(world, cell)) end
    walker:update(1e6)
    assert(walker.arrived and not walker.blocked, "does not arrive")
    return true
  end

  it("makes no step that is blocked, whatever opens and shuts", function()
    local walked = 0
    for seed = 1, 150 do
      local ok, result = pcall(check_doors, seed)
      assert(ok, ("seed %d: %s"):format(seed, tostring(result)))
      walked = walked + (result and 1 or 0)
    end
    assert(walked > 60, walked)
  end)

  it("makes no step that is blocked on hexagons, whatever opens and shuts", function()
    for seed = 1, 40 do
      local numbers = require("spec.support.random").new(seed)
      local grid = astar.grid(12, 9, { shape = "hex", offset = numbers:pick { "odd_r", "even_r", "odd_q", "even_q" } })
      local path = grid:find_path(1, numbers:int(1, 9), 12, numbers:int(1, 9)):smooth()
      local walker = astar.walker(path)
      local at = numbers:int(2, #path)
      grid:block(path:cell(at))
      walker:update(1e6)
      assert.same({ at - 1, true }, { walker.index, walker.blocked })
      assert.same({ path:cell(at - 1) }, { walker:cell() })
    end
  end)
end)

-- Whatever it is told, a walker only ever walks.
describe("a walker whose path may change at any time", function()
  local WIDTH, HEIGHT = 12, 9
  local random = require "spec.support.random"

  -- The two cells between which a place is, the same one twice on a cell.
  local function ends(x, y)
    local x0, y0, x1, y1 = math.floor(x), math.floor(y), math.ceil(x), math.ceil(y)
    if x0 < x1 and y0 < y1 and math.abs((x - x0) - (y - y0)) > 1e-6 then
      y0, y1 = y1, y0 -- the other diagonal
      assert(math.abs((x - x0) - (y0 - y)) < 1e-6, "on no line between neighbours")
    end
    return x0, y0, x1, y1
  end

  -- Whether a step may be taken, by the default rule: no corner is cut.
  local function is_step(grid, x0, y0, x1, y1)
    return grid:is_walkable(x0, y0) and grid:is_walkable(x1, y1)
      and grid:is_walkable(x0, y1) and grid:is_walkable(x1, y0)
  end

  local function is_near(a, b)
    return math.abs(a - b) < 1e-6
  end

  -- Rounding may leave it beside a cell by a hair.
  local function place(walker)
    local x, y = math.floor(walker.x + 0.5), math.floor(walker.y + 0.5)
    return is_near(x, walker.x) and x or walker.x, is_near(y, walker.y) and y or walker.y
  end

  local function key(...)
    return table.concat({ ... }, " ")
  end

  -- The end that it comes from of the step it has come to.
  local function end_behind(walker, x0, y0, x1, y1)
    local direction = astar.directions[walker.heading]
    if direction and (x1 - x0) * direction.dx + (y1 - y0) * direction.dy < 0 then
      return x1, y1
    end
    return x0, y0
  end

  -- Walks with a path that may change before each update, by 'change'; checks that it walks no faster
  -- than it may, is moved by nothing but updates, and begins no step that is closed.
  local function check_walks(seed, change, goes_by_steps)
    local numbers = random.new(seed)
    local function draw(most) return numbers:int(1, most) end
    local grid = astar.grid(WIDTH, HEIGHT)
    for _ = 1, 25 do grid:block(draw(WIDTH), draw(HEIGHT)) end
    grid:unblock(1, 1)
    local finder = grid:finder()
    local walker = astar.walker(finder:find_path(1, 1, 1, 1), { speed = 2, corner = goes_by_steps and 0 or 0.5 })
    local last = { 1, 1 } -- the cell that it was on last
    for _ = 1, 60 do
      local x, y = walker.x, walker.y
      local before = goes_by_steps and key(ends(place(walker)))
      change(walker, grid, finder, draw, last)
      assert(walker.x == x and walker.y == y, "moved without an update")
      local dt, heading = draw(40) / 100, walker.heading
      walker:update(dt)
      local moved = math.sqrt((walker.x - x) ^ 2 + (walker.y - y) ^ 2)
      assert(moved <= 2 * dt + 1e-8, ("moved by %g in %g s"):format(moved, dt))
      if goes_by_steps then
        local x0, y0, x1, y1 = ends(place(walker))
        if key(x0, y0, x1, y1) ~= before or walker.heading ~= heading then
          assert(is_step(grid, x0, y0, x1, y1), ("at (%g, %g), which is closed"):format(walker.x, walker.y))
          last[1], last[2] = end_behind(walker, x0, y0, x1, y1)
        end
      end
    end
  end

  local function check_seeds(change, goes_by_steps)
    for seed = 1, 300 do
      local ok, message = pcall(check_walks, seed, change, goes_by_steps)
      assert(ok, ("seed %d: %s"):format(seed, tostring(message)))
    end
  end

  local function follow_from(walker, finder, draw, x, y)
    local path = finder:find_path(x, y, draw(WIDTH), draw(HEIGHT), { partial = true })
    if path then
      walker:follow(path)
    end
  end

  it("never jumps and never cuts a corner, forward or back", function()
    check_seeds(function(walker, _, finder, draw)
      local choice = draw(6)
      if choice <= 2 then
        follow_from(walker, finder, draw, walker:cell())
      elseif choice == 3 then
        follow_from(walker, finder, draw, walker.path:cell(walker.index))
      elseif choice == 4 then
        walker:repair { optimal = draw(2) == 1 }
      end
    end, true)
  end)

  it("never begins a step that was blocked, if walker:repair is called after edits", function()
    check_seeds(function(walker, grid, finder, draw, last)
      if draw(5) <= 2 then
        follow_from(walker, finder, draw, walker:cell())
      end
      if draw(3) == 1 then
        local x, y = draw(WIDTH), draw(HEIGHT)
        if draw(3) == 1 then x, y = walker:cell() end -- a door shuts in front of it
        if grid:is_blocked(x, y) then
          grid:unblock(x, y)
        elseif x ~= last[1] or y ~= last[2] then
          grid:block(x, y)
        end
      end
      local path, reason = walker:repair()
      assert(path == walker.path or reason)
    end, true)
  end)

  it("touches no blocked cell, at any angle, although doors open and shut and its path changes", function()
    -- The cells that its place is in, two or four on the line between cells.
    local function cells_at(walker)
      local cells = {}
      for _, x in ipairs { math.floor(walker.x + 0.5 - 1e-6), math.floor(walker.x + 0.5 + 1e-6) } do
        for _, y in ipairs { math.floor(walker.y + 0.5 - 1e-6), math.floor(walker.y + 0.5 + 1e-6) } do
          cells[key(x, y)] = { x, y }
        end
      end
      return cells
    end
    for seed = 1, 60 do
      local numbers = random.new(seed)
      local function draw(most) return numbers:int(1, most) end
      local grid = astar.grid(WIDTH, HEIGHT)
      for _ = 1, 20 do grid:block(draw(WIDTH), draw(HEIGHT)) end
      grid:unblock(1, 1)
      local finder = grid:finder { any_angle = true }
      local walker = astar.walker(finder:find_path(1, 1, 1, 1), { speed = 2 })
      for _ = 1, 100 do
        local x, y, choice = walker.x, walker.y, draw(8)
        if choice == 1 then
          follow_from(walker, finder, draw, walker:cell())
        elseif choice == 2 then
          local ok, cell_x, cell_y = pcall(walker.path.cell, walker.path, walker.index)
          if ok and walker.from_cell_x == cell_x and walker.from_cell_y == cell_y then
            follow_from(walker, finder, draw, cell_x, cell_y) -- back to where it comes from
          end
        elseif choice <= 4 then
          local path, reason = walker:repair { optimal = draw(2) == 1 }
          assert(path == walker.path or reason)
        elseif choice <= 7 then
          local bx, by = draw(WIDTH), draw(HEIGHT)
          if not cells_at(walker)[key(bx, by)] then
            if grid:is_blocked(bx, by) then grid:unblock(bx, by) else grid:block(bx, by) end
          end
        end
        assert(walker.x == x and walker.y == y, "moved without an update")
        for _ = 1, draw(10) do
          local before_x, before_y = walker.x, walker.y
          walker:update(0.05)
          local moved = math.sqrt((walker.x - before_x) ^ 2 + (walker.y - before_y) ^ 2)
          assert(moved <= 0.1 + 1e-8, ("seed %d: moved by %g"):format(seed, moved))
          local is_free = false
          for _, cell in pairs(cells_at(walker)) do
            is_free = is_free or grid:is_walkable(cell[1], cell[2])
          end
          assert(is_free, ("seed %d: at (%g, %g), which is shut"):format(seed, walker.x, walker.y))
        end
      end
      for bx = 1, WIDTH do grid:unblock(bx, 1, 1, HEIGHT) end
      walker:repair()
      walker:update(1e6)
      assert(walker.arrived, ("seed %d: does not arrive"):format(seed))
    end
  end)

  it("walks straight to a path that begins anywhere, no faster than its speed", function()
    check_seeds(function(walker, _, finder, draw)
      if draw(3) == 1 then
        follow_from(walker, finder, draw, draw(WIDTH), draw(HEIGHT))
      end
    end, false)
  end)
end)
