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

describe("walker:follow", function()
  local grid = astar.grid(20, 10)

  -- A walker that has walked so many seconds from (2, 3) towards (12, 3).
  local function walker_after(seconds)
    local walker = astar.walker(grid:find_path(2, 3, 12, 3))
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

  it("goes on from where it is, by the cell it was walking to", function()
    local walker = walker_after(1.5)
    assert.same({ 4, 3 }, { walker:cell() })
    walker:follow(grid:find_path(4, 3, 4, 9))
    assert.same({ 3.5, 3, false }, { walker.x, walker.y, walker.arrived })
    assert.equal("4,3 4,3.5 4,4", places(walker, 3))
  end)

  it("turns back for a path that begins where it comes from", function()
    local walker = walker_after(1.75)
    walker:follow(grid:find_path(3, 3, 3, 9))
    assert.same({ 3.75, 3 }, { walker.x, walker.y })
    assert.equal("3.25,3 3,3.25 3,3.75", places(walker, 3))
  end)

  it("is in mid-step already of a path that begins with the step it is on", function()
    local walker = walker_after(1.75)
    walker:follow(grid:find_path(3, 3, 7, 3))
    assert.equal("4.25,3 4.75,3", places(walker, 2))
    assert.equal(2, walker.index)
  end)

  it("turns on a cell at once", function()
    local walker = walker_after(2)
    assert.same({ 4, 3 }, { walker:cell() })
    walker:follow(grid:find_path(4, 3, 4, 9))
    assert.equal("4,3.5 4,4", places(walker, 2))
  end)

  it("goes on after it has arrived", function()
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

  it("arrives on a path of one cell when it is there", function()
    local walker = walker_after(1.75)
    walker:follow(grid:find_path(4, 3, 4, 3))
    assert.is_false(walker.arrived)
    assert.same({ 4, 3, true }, { walker:update(0.25) })
    walker:follow(grid:find_path(4, 3, 4, 3))
    assert.is_true(walker.arrived)
  end)

  it("goes straight to a path that begins elsewhere", function()
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

  it("may be told so again and again in one step", function()
    local walker = walker_after(1.5)
    walker:follow(grid:find_path(4, 3, 4, 9))
    walker:follow(grid:find_path(3, 3, 3, 9))
    walker:follow(grid:find_path(4, 3, 5, 3))
    assert.same({ 3.5, 3 }, { walker.x, walker.y })
    assert.equal("4,3 4.5,3 5,3", places(walker, 3))
  end)

  it("keeps its speed", function()
    local walker = walker_after(1.5)
    walker.speed = 3
    walker:follow(grid:find_path(4, 3, 12, 3))
    assert.equal("5,3 6.5,3", places(walker, 2))
  end)

  it("goes on through the link it stands before, or leaves it", function()
    local floors = astar.grid(9, 3)
    floors:link(3, 2, 7, 2, { label = "stairs" })
    local function walker_at_stairs()
      local walker = astar.walker(floors:find_path(1, 2, 9, 2))
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

  it("refuses what is not a path, and walks on as before", function()
    local walker = walker_after(1.5)
    fails("astar path expected, got nil", function() walker:follow(nil) end)
    fails("astar path expected, got a table", function() walker:follow {} end)
    fails("astar walker expected, got a table", function() walker.follow({}, walker.path) end)
    fails("astar walker expected, got nil", function() walker.cell() end)
    assert.equal("4,3", places(walker, 1))
  end)
end)

describe("walker.heading", function()
  local grid = astar.grid(20, 10)

  it("is the direction of the step it is on", function()
    for _, direction in ipairs(astar.directions) do
      local walker = astar.walker(grid:find_path(5, 5, 5 + 2 * direction.dx, 5 + 2 * direction.dy))
      assert.equal(direction.name, walker.heading)
      walker:update(100)
      assert.equal(direction.name, walker.heading)
    end
  end)

  it("turns with the path, and when it turns back", function()
    local walker = astar.walker(astar.grid("..\n#.\n#."):find_path(1, 1, 2, 3))
    walker:update(1.5)
    assert.equal("south", walker.heading)
    walker:follow(grid:find_path(2, 1, 5, 1))
    assert.equal("north", walker.heading)
    walker:update(0.75)
    assert.equal("east", walker.heading)
  end)

  it("is false before any step, and stays as it was on a link", function()
    assert.is_false(astar.walker(grid:find_path(2, 2, 2, 2)).heading)
    local floors = astar.grid(9, 3)
    floors:link(3, 2, 7, 2)
    local walker = astar.walker(floors:find_path(3, 1, 9, 2))
    walker:update(1.5)
    assert.same({ true, "south" }, { walker.link, walker.heading })
  end)
end)

describe("a walker where bends count", function()
  -- A corridor along the first row, open to the south at its ends.
  local function drive(seconds)
    local grid = astar.grid "........\n.######.\n........"
    local finder = grid:finder { diagonals = "never", bend_cost = 2 }
    local walker = astar.walker(finder:find_path(1, 1, 8, 1))
    walker:update(seconds)
    return walker, finder, grid
  end

  it("faces where its heading says when it is sent elsewhere in mid-step", function()
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

  it("turns as a unit that came along its path where the way is closed", function()
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

  it("keeps a path that is good", function()
    local walker = walker_in(2.5, 1)
    local path = walker.path
    assert.equal(path, walker:repair())
    assert.same({ 4, 1, false }, { walker:update(0.5) })
  end)

  it("finds another way from the cell ahead", function()
    local walker = walker_in(2.5, 6)
    local path = walker:repair()
    assert.equal(path, walker.path)
    assert.same({ 3.5, 1 }, { walker.x, walker.y })
    assert.is_true(path:is_valid())
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("keeps what is good of the path, and with optimal nothing", function()
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

  it("turns back where the cell ahead has been closed", function()
    local walker = walker_in(2.75, 4)
    assert.same({ 3, 1 }, { walker:cell() })
    walker:repair()
    assert.same({ 3.75, 1 }, { walker.x, walker.y })
    assert.same({ 3.25, 1, false }, { walker:update(0.5) })
    assert.same({ 8, 1, true }, { walker:update(100) })
  end)

  it("says why there is no way, walks to the next cell, and waits there for one", function()
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

  it("goes on at once when the door opens before it has halted", function()
    local walker, grid = walker_in(2.5, 6)
    grid:block(1, 2)
    walker:repair()
    walker:update(0.25)
    grid:unblock(6, 1)
    walker:repair()
    assert.same({ 4.75, 1, false }, { walker:update(1) })
  end)

  it("goes back from a door that has shut in front of it, and waits", function()
    local walker, grid = walker_in(2.75, 4)
    grid:block(1, 2)
    assert.same({ nil, "unreachable" }, { walker:repair() })
    assert.same({ 3, 1, false }, { walker:update(100) })
    assert.equal(3, walker.index)
    grid:unblock(4, 1)
    walker:repair()
    assert.same({ 4, 1, false }, { walker:update(1) })
  end)

  it("waits on the cell it is on", function()
    local walker, grid = walker_in(2, 6)
    grid:block(1, 2)
    walker:repair()
    assert.same({ 3, 1, false }, { walker:update(100) })
    walker:follow(grid:find_path(3, 1, 2, 1))
    assert.same({ 2, 1, true }, { walker:update(100) })
  end)

  it("goes back, too, where the way to its path has been closed", function()
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

  it("does nothing at the goal", function()
    local walker = walker_in(100, 5)
    assert.equal(walker.path, walker:repair())
    assert.same({ 8, 1, true }, { walker:update(1) })
  end)

  it("passes on what a callback raises, and stays as it was", function()
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

  it("refuses wrong options", function()
    local walker = walker_in(1, 8)
    fails('unknown option "optimum" (did you mean "optimal"?)', function() walker:repair { optimum = true } end)
    fails("optimal must be a boolean, got 1", function() walker:repair { optimal = 1 } end)
    fails("options must be a table, got 3", function() walker:repair(3) end)
    fails("astar walker expected, got a table", function() walker.repair {} end)
  end)
end)

-- Whatever it is told, a walker only ever walks.
describe("a walker whose path changes at any time", function()
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
    local walker = astar.walker(finder:find_path(1, 1, 1, 1), { speed = 2 })
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

  it("never jumps, nor cuts a corner, on its way to cells ahead or back", function()
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

  it("never begins a step that has been closed, where it is told of edits", function()
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

  it("walks straight to a path that begins anywhere, no faster than it may", function()
    check_seeds(function(walker, _, finder, draw)
      if draw(3) == 1 then
        follow_from(walker, finder, draw, draw(WIDTH), draw(HEIGHT))
      end
    end, false)
  end)
end)
