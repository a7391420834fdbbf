-- How a walker rounds corners, speeds up and turns: looked at in small steps of time, on maps, of sizes and by rules
-- drawn at random, by what the grid says of the cells.

local astar = require "astar"
local random = require "spec.support.random"

local PI, sqrt, abs = math.pi, math.sqrt, math.abs
local atan2 = math.atan2 or math.atan

local function draw_case(numbers, width, height)
  local origin = { numbers:int(-20, 20), numbers:int(-20, 20) }
  local offset = numbers:pick { "square", "square", "square", "odd_r", "even_r", "odd_q", "even_q" }
  local is_square = offset == "square"
  local rows = numbers:pick { "scatter", "caves" } == "caves" and numbers:caves(width, height)
    or numbers:scatter(width, height, numbers:pick { 0.05, 0.15, 0.3 })
  local grid = astar.grid(rows, {
    shape = not is_square and "hex" or nil, offset = not is_square and offset or nil, origin = origin,
  })
  local size = is_square and numbers:pick { 1, 1, 2, 3 } or 1
  local rule = numbers:pick { "never", "only_when_no_obstacles", "if_at_most_one_obstacle", "always" }
  return {
    grid = grid, size = size, is_square = is_square,
    -- whether a line may pass over the corner of a cell beside it
    cuts = not is_square or rule == "always" or rule == "if_at_most_one_obstacle",
    finder = grid:finder {
      size = size, diagonals = is_square and rule or nil, any_angle = is_square and numbers:chance(0.4) or nil,
    },
    draw = function() return origin[1] + numbers:int(0, width - 1), origin[2] + numbers:int(0, height - 1) end,
  }
end

local function draw_path(numbers, case)
  local x, y = case.draw()
  local path = case.finder:find_path(x, y, case.draw())
  if path and #path > 1 then
    return numbers:chance(0.4) and path:smooth() or path
  end
end

-- Whether a place is in a cell that the unit can be in now, the lines between cells included.
local function is_free(case, x, y)
  local grid, hair = case.grid, 1e-6
  for dx = -hair, hair, 2 * hair do
    for dy = -hair, hair, 2 * hair do
      local cx, cy = grid:cell_at(x + dx, y + dy)
      if cx and (case.is_square and case.finder:clearance(cx, cy) >= case.size
        or not case.is_square and grid:is_walkable(cx, cy)) then return true end
    end
  end
  return false
end

-- How far a place is from the lines between the path's turns.
local function distance_from_track(case, path, x, y)
  local least, before_x, before_y = math.huge, nil, nil
  for _, point in ipairs(path:waypoints()) do
    local bx, by = case.grid:center(point.x, point.y)
    if before_x then
      local dx, dy = bx - before_x, by - before_y
      local along = ((x - before_x) * dx + (y - before_y) * dy) / (dx * dx + dy * dy)
      along = math.max(0, math.min(1, along))
      least = math.min(least, sqrt((x - before_x - along * dx) ^ 2 + (y - before_y - along * dy) ^ 2))
    end
    before_x, before_y = bx, by
  end
  return least
end

local function turned(from, to) return abs((to - from + PI) % (2 * PI) - PI) end

describe("a walker that rounds corners", function()
  it("stays in cells that it may enter, arrives at the end of its path, and is never slow for long", function()
    local walked, off_track = 0, 0
    for seed = 1, 250 do
      local numbers = random.new(seed)
      local case = draw_case(numbers, 24, 16)
      local path = draw_path(numbers, case)
      if path then
        local reach = numbers:pick { 0.2, 0.4, 0.5 }
        local walker = astar.walker(path, { speed = 2, corner = reach })
        local time, far, x, y, angle = 0, 0, walker.x, walker.y, walker.angle
        while not walker.arrived do
          walker:update(0.01)
          time = time + 0.01
          local dx, dy = walker.x - x, walker.y - y
          local step = sqrt(dx * dx + dy * dy)
          local where = ("seed %d, at (%g, %g)"):format(seed, walker.x, walker.y)
          assert(step <= 0.02 + 1e-9, where .. ": too fast")
          local off = distance_from_track(case, path, walker.x, walker.y)
          off_track = off_track + (off > 1e-6 and 1 or 0)
          assert(off < reach / 2 + 1e-9, where .. ": off its track")
          assert(is_free(case, walker.x, walker.y) or case.cuts and off < 1e-6, where .. ": in a cell that is shut")
          if step > 0.003 and not walker.arrived then
            local middle = atan2(dy, dx)
            assert(turned(angle, middle) + turned(middle, walker.angle) < turned(angle, walker.angle) + 0.05,
              where .. ": faces elsewhere than it goes")
          end
          x, y, angle, far = walker.x, walker.y, walker.angle, far + step
        end
        assert(abs(time - path.length / 2) < 0.01 * path.length / 2 + 0.011, ("seed %d: %g s"):format(seed, time))
        assert(far > 0.9 * path.length - 0.03, ("seed %d: walks %g of %g"):format(seed, far, path.length))
        walked = walked + 1
      end
    end
    assert(walked > 80 and off_track > 1000, walked .. ", " .. off_track)
  end)

  it("never jumps and never enters a blocked cell, although doors open and shut and its path changes", function()
    for seed = 1, 150 do
      local numbers = random.new(seed)
      local case = draw_case(numbers, 12, 9)
      local path = draw_path(numbers, case)
      if path and not case.cuts then
        local straight
        if numbers:chance(0.6) then straight = numbers:chance(0.5) end
        local walker = astar.walker(path, {
          speed = 2, corner = 0.5, straight = straight,
          acceleration = numbers:chance(0.3) and 3 or nil, turn = numbers:chance(0.3) and 4 or nil,
        })
        local x, y = walker.x, walker.y
        for _ = 1, 100 do
          local choice = numbers:int(1, 8)
          if choice <= 2 then
            local cx, cy = walker:cell()
            local new = case.finder:find_path(cx, cy, case.draw())
            if new then walker:follow(new) end
          elseif choice <= 4 then
            walker:repair { optimal = choice == 3 }
          elseif choice <= 7 then
            local bx, by = case.draw()
            local px, py = case.grid:center(bx, by)
            if case.grid:is_blocked(bx, by) then
              case.grid:unblock(bx, by)
            elseif math.max(px - case.size + 1 - x, x - px, py - case.size + 1 - y, y - py) > 0.75 then -- far off
              case.grid:block(bx, by)
            end
          end
          for _ = 1, numbers:int(1, 12) do
            walker:update(0.04)
            local step = sqrt((walker.x - x) ^ 2 + (walker.y - y) ^ 2)
            local where = ("seed %d, at (%g, %g)"):format(seed, walker.x, walker.y)
            assert(step <= 0.08 + 1e-8, where .. ": jumps")
            assert(is_free(case, walker.x, walker.y), where .. ": in a cell that is shut")
            x, y = walker.x, walker.y
          end
        end
        local left, top, right, bottom = case.grid:bounds()
        case.grid:unblock(left, top, right - left + 1, bottom - top + 1)
        walker:repair()
        walker:update(1e6)
        assert(walker.arrived and not walker.waiting, ("seed %d: does not arrive"):format(seed))
      end
    end
  end)

  -- The most that it turns in a frame while it is sent to one cell and another by turns, each frame.
  local function turns_at_most(drawing, goals, ...)
    local grid = astar.grid(drawing)
    local finder = grid:finder()
    local walker, most = astar.walker(finder:find_path(...), { speed = 2 }), 0
    for frame = 1, 1000 do
      if walker.arrived then return most end
      local x, y = walker:cell()
      local goal = goals[frame % #goals + 1]
      walker:follow(finder:find_path(x, y, goal[1], goal[2]))
      local angle = walker.angle
      walker:update(1 / 60)
      most = math.max(most, angle and turned(angle, walker.angle) or 0)
    end
    error "does not arrive"
  end

  it("continues in its curve if a new path turns at the same cell", function()
    for _, case in ipairs {
      { { "......", "#####.", "#####.", "#####.", "#####." }, { { 6, 5 }, { 6, 4 } }, 1, 1, 6, 5 },
      { { "......", "......", "......", "#####.", "#####.", "#####." }, { { 6, 6 }, { 6, 5 } }, 3, 1, 6, 6 },
    } do
      local most = turns_at_most(case[1], case[2], case[3], case[4], case[5], case[6])
      assert(most > 0.02 and most < PI / 9, math.deg(most))
    end
  end)

  it("rounds a turn within the circle of the turn's cell, and does not round it with corner = 0", function()
    local grid = astar.grid { "...", "##.", "##." }
    local path = grid:find_path(1, 1, 3, 3)
    local round, sharp = astar.walker(path, { corner = 0.5 }), astar.walker(path, { corner = 0 })
    round:update(2)
    sharp:update(2)
    assert.same({ 3, 1 }, { sharp.x, sharp.y })
    assert(round.x < 3 and round.y > 1 and abs((3 - round.x) - (round.y - 1)) < 1e-9)
    assert.near(PI / 4, round.angle, 1e-9)
    assert.same({ 3, 3, true }, { round:update(2) })
  end)

  it("faces where it moves: angle 0 is east, and a quarter of a turn is south", function()
    local grid = astar.grid(9, 9)
    for _, each in ipairs { { 9, 5, 0 }, { 5, 9, PI / 2 }, { 1, 5, PI }, { 5, 1, -PI / 2 }, { 9, 9, PI / 4 } } do
      local walker = astar.walker(grid:find_path(5, 5, each[1], each[2]))
      walker:update(1)
      assert(turned(each[3], walker.angle) < 1e-9)
    end
    assert.is_false(astar.walker(grid:find_path(5, 5, 5, 5)).angle)
  end)
end)

describe("a walker with the option straight", function()
  local grid = astar.grid(40, 20)

  it("moves along straight lines over a path of steps", function()
    local walker = astar.walker(grid:find_path(1, 1, 40, 14), { straight = true })
    local x, y = walker:update(10)
    assert.near((x - 1) * 13, (y - 1) * 39, 1e-6)
    assert.near(atan2(13, 39), walker.angle, 1e-9)
    walker:follow(grid:find_path(40, 14, 1, 1))
    assert.equal(1, #walker.path:waypoints() - 1)
  end)

  it("moves along the centres of cells if the option straight is false", function()
    local smooth = grid:find_path(1, 1, 40, 14):smooth()
    local walker = astar.walker(smooth, { straight = false, corner = 0 })
    repeat
      walker:update(0.05)
      if walker.along == 0 then assert.same({ smooth:cell(walker.index) }, { walker.x, walker.y }) end
    until walker.arrived
  end)

  -- How long a walker is on its way, to a thousandth of a second.
  local function time_of(path, options)
    local walker, time = astar.walker(path, options), 0
    while not walker.arrived do
      walker:update(0.001)
      time = time + 0.001
    end
    return time
  end

  it("arrives after the length of the path, or after the length of the path's steps along centres", function()
    local r = random.new(1)
    for _ = 1, 5 do
      local path = grid:find_path(r:int(1, 40), r:int(1, 20), r:int(1, 40), r:int(1, 20))
      local line, speed = path:smooth(), r:int(20, 60)
      assert.near(line.length / speed, time_of(line, { speed = speed, corner = 0 }), 0.0011)
      assert.near(line.length / speed, time_of(path, { speed = speed, corner = 0, straight = true }), 0.0011)
      local steps = 0
      for i = 2, #line do
        local x, y = line:cell(i)
        local from_x, from_y = line:cell(i - 1)
        steps = steps + sqrt((x - from_x) ^ 2 + (y - from_y) ^ 2)
      end
      assert.near(steps / speed, time_of(line, { speed = speed, corner = 0, straight = false }), 0.0011)
    end
  end)
end)

describe("a walker that speeds up", function()
  local grid = astar.grid(41, 3)

  it("is at the position that its acceleration gives, at any frame rate, and comes to rest at the goal", function()
    -- 2 cells a second a second up to 4 cells a second: 2 s over 4 cells, 32 cells in 8 s, 2 s over 4 cells
    for _, dt in ipairs { 0.01, 0.125, 0.5, 1 } do
      local walker = astar.walker(grid:find_path(1, 2, 41, 2), { speed = 4, acceleration = 2 })
      local time = 0
      repeat
        walker:update(dt)
        time = time + dt
        local far = time < 2 and time ^ 2 or time < 10 and 4 + 4 * (time - 2) or 40 - (12 - math.min(time, 12)) ^ 2
        assert(abs(walker.x - 1 - far) < 1e-6, ("%g after %g s"):format(walker.x, time))
      until walker.arrived or time > 13
      assert.near(12, time, 0.011)
    end
  end)

  it("does not reach its full speed on a short path", function()
    local walker = astar.walker(grid:find_path(1, 2, 5, 2), { speed = 100, acceleration = 1 })
    walker:update(2)
    assert.near(3, walker.x, 1e-9)
    walker:update(1.999)
    assert.is_false(walker.arrived)
    walker:update(0.01)
    assert.is_true(walker.arrived)
  end)

  it("arrives over links, turns and opening doors, at every speed", function()
    for seed = 1, 60 do
      local numbers = random.new(seed)
      local case = draw_case(numbers, 16, 12)
      local path = draw_path(numbers, case)
      if path then
        local speed, rate = numbers:int(1, 50) / 10, numbers:int(1, 50) / 10
        local walker = astar.walker(path, { speed = speed, acceleration = rate })
        local time, last = 0, 0
        repeat
          local x, y = walker.x, walker.y
          walker:update(0.02)
          time = time + 0.02
          local velocity = sqrt((walker.x - x) ^ 2 + (walker.y - y) ^ 2) / 0.02
          assert(velocity <= speed + 1e-6 and velocity <= last + 0.02 * rate + 0.3 * speed, ("seed %d"):format(seed))
          last = velocity
        until walker.arrived or time > 500
        assert(walker.arrived, ("seed %d"):format(seed))
        local peak = math.min(speed, sqrt(rate * path.length))
        local expected = 2 * peak / rate + (path.length - peak ^ 2 / rate) / speed
        assert(abs(time - expected) < 0.03, ("seed %d: %g, not %g"):format(seed, time, expected))
      end
    end
  end)
end)

describe("a walker with a turn rate", function()
  local grid = astar.grid(30, 30)

  it("turns no faster than the rate, and walks in the direction that it faces", function()
    local walker = astar.walker(grid:find_path(1, 15, 15, 15), { turn = 2, speed = 3 })
    walker:update(3)
    walker:follow(grid:find_path(10, 15, 1, 15)) -- about face
    local waited = 0
    repeat
      local angle, x = walker.angle, walker.x
      walker:update(0.01)
      assert(turned(angle, walker.angle) <= 0.02 + 1e-9)
      if walker.x == x then
        waited = waited + 1
        assert(turned(walker.angle, walker.faces) >= PI / 2 - 0.021)
      end
    until walker.arrived
    assert.near(PI / 4 / 0.01, waited, 2) -- a quarter of a turn by 2 radians a second
    assert(turned(walker.angle, PI) < 1e-6)
  end)

  it("turns and walks in the same way at any frame rate", function()
    for _, dt in ipairs { 0.01, 0.1, 0.5 } do
      local walker = astar.walker(grid:find_path(15, 15, 15, 5), { turn = PI / 2, speed = 1 })
      walker:update(1)
      walker:follow(grid:find_path(15, 14, 15, 28))
      for _ = 1, 2 / dt do walker:update(dt) end
      assert.near(15, walker.y, 1e-6)
      assert(turned(PI / 2, walker.angle) < 1e-6)
    end
  end)

  it("refuses invalid turn rates, corners and paths", function()
    local path = grid:find_path(1, 1, 5, 5)
    for message, options in pairs {
      ["corner must be a number from 0 to 0.5, got 1"] = { corner = 1 },
      ["corner must be a number from 0 to 0.5, got -1"] = { corner = -1 },
      ["straight must be a boolean, got 1"] = { straight = 1 },
      ["acceleration must be a number > 0, got 0"] = { acceleration = 0 },
      ['turn must be a number > 0, got "1"'] = { turn = "1" },
    } do
      assert.has_error(function() astar.walker(path, options) end, message)
    end
    local walker = astar.walker(path)
    walker.turn = -1
    assert.has_error(function() walker:update(1) end, "turn must be a number > 0, got -1")
    walker.turn = false
    walker:update(1)
  end)
end)
