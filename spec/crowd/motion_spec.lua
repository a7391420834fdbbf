-- What is drawn of a crowd between beats, by a checker that looks at frames and knows nothing else.

local astar = require "astar"
local frame_checker = require "spec.support.frame_checker"
local random = require "spec.support.random"

local SPEED, FRAMES = 4, 15 -- beats a second, frames a beat

-- A crowd of units of many periods, or speeds, who are sent on as they arrive, looked at in each of its frames.
local function watch_crowd(options)
  local r = random.new(options.seed)
  local grid = astar.grid(options.side, options.side)
  for _ = 1, options.walls or 0 do grid:block(r:int(1, options.side), r:int(1, options.side)) end
  local finders = {}
  for size = 1, 2 do finders[size] = grid:finder { size = size, diagonals = options.diagonals } end
  local crowd = astar.crowd(finders[1], {
    speed = SPEED, exclusive = options.exclusive, seed = options.seed, even = options.even,
  })
  local checker, units = frame_checker.new(options), {}
  for _ = 1, options.units do
    local size, period = r:int(1, 8) <= (options.large or 0) and 2 or 1, r:int(1, options.periods or 4)
    local speed = options.speeds and r:int(100, 400) / 100 or nil
    local x, y = r:int(1, options.side - 1), r:int(1, options.side - 1)
    local unit = crowd:add(x, y, { finder = finders[size], period = period, speed = speed })
    if unit then
      units[#units + 1] = unit
      checker:watch(unit, { size = size, speed = speed or SPEED / period })
    end
  end
  for _ = 1, options.beats do
    for _, unit in ipairs(units) do
      local is_free = unit.state == "arrived" or unit.state == "stuck"
      if is_free then unit:go(r:int(1, options.side), r:int(1, options.side)) end
    end
    for _ = 1, options.frames or FRAMES do
      crowd:update(1 / SPEED / (options.frames or FRAMES))
      checker:look(1 / SPEED / (options.frames or FRAMES))
    end
  end
  return checker
end

describe("the drawn position of a unit", function()
  it("moves evenly over the whole duration of a slow step", function()
    local crowd = astar.crowd(astar.grid(20, 3):finder(), { speed = 2 })
    local slow, slower = crowd:add(1, 1, { period = 2 }), crowd:add(1, 3, { period = 4 })
    slow:go(20, 1)
    slower:go(20, 3)
    crowd:update(0.25)
    for i = 1, 32 do
      assert.near(1 + i / 4, slow.x, 1e-6)
      assert.near(1 + i / 8, slower.x, 1e-6)
      crowd:update(0.25)
    end
  end)

  it("does not affect which cell the unit occupies in a beat", function()
    local crowd = astar.crowd(astar.grid(20, 3):finder())
    local slow = crowd:add(1, 2, { period = 3 })
    slow:go(20, 2)
    for beat = 0, 20 do
      crowd:beat()
      assert.equal(2 + math.floor(beat / 3), (slow:cell()))
    end
  end)

  it("keeps the promised distance to the unit that enters the cell next", function()
    local crowd = astar.crowd(astar.grid(20, 1):finder(), { speed = 1 })
    local slow, quick = crowd:add(2, 1, { period = 4 }), crowd:add(1, 1)
    local checker = frame_checker.new()
    checker:watch(slow, { speed = 0.25 })
    checker:watch(quick, { speed = 1 })
    slow:go(20, 1)
    quick:go(19, 1)
    for _ = 1, 20 * FRAMES do
      crowd:update(1 / FRAMES)
      checker:look(1 / FRAMES)
    end
    assert.is_true(checker.nearest > 0 and checker.nearest < 0.1)
    assert.is_true(checker.stands == 0 and slow.x > 5)
  end)

  it("stays the same until the beat is over on a map with links, where steps do not last longer", function()
    local grid = astar.grid(9, 3)
    grid:link(3, 3, 7, 3)
    local crowd = astar.crowd(grid:finder(), { speed = 1 })
    local slow = crowd:add(1, 1, { period = 2 })
    slow:go(9, 1)
    crowd:update(0.5)
    assert.equal(1.5, slow.x)
    crowd:update(1)
    assert.equal(2, slow.x)
  end)

  for name, options in pairs {
    ["four moves"] = { side = 24, units = 120, diagonals = "never" },
    ["eight moves"] = { side = 24, units = 120, diagonals = "always" },
    ["walls, dense"] = { side = 20, units = 180, walls = 40 },
    ["large units"] = { side = 24, units = 70, large = 3 },
    ["exclusive squares"] = { side = 24, units = 80, large = 2, exclusive = true },
  } do
    it("keeps the promised distance at every moment: " .. name, function()
      for seed = 1, 2 do
        options.seed, options.beats = seed, 24
        local checker = watch_crowd(options)
        local told = ("seed %d: %g"):format(seed, checker.nearest)
        assert.is_true(checker.nearest >= -2e-6 and checker.nearest < 0.1, told)
        assert.is_true(checker.moving > 1000 and checker.fastest < 40, checker.fastest)
      end
    end)
  end

  -- Where glides end within a frame the checker cuts corners, so there are many frames: by at most half of what a unit
  -- goes in one, at four times its speed.
  for name, options in pairs {
    ["speeds"] = { side = 20, units = 90, speeds = true },
    ["speeds, even diagonals"] = { side = 20, units = 90, speeds = true, even = true, walls = 20 },
    ["even diagonals"] = { side = 20, units = 120, periods = 1, even = true, diagonals = "always" },
    ["large units, even diagonals"] = { side = 20, units = 50, large = 3, even = true },
    ["exclusive squares, even diagonals"] = { side = 20, units = 60, large = 2, even = true, exclusive = true },
  } do
    it("keeps the promised distance at every moment: " .. name, function()
      options.seed, options.beats, options.frames = 5, 12, 60
      local checker = watch_crowd(options)
      assert.is_true(checker.nearest >= -0.006 and checker.nearest < 0.1, checker.nearest)
      assert.is_true(checker.moving > 1000 and checker.fastest < 40)
    end)
  end

  it("moves at any real speed, on diagonal steps too if even is true", function()
    local crowd = astar.crowd(astar.grid(60, 60):finder(), { speed = 4, even = true })
    local checker = frame_checker.new()
    for i, speed in ipairs { 4, 3.5, 1.7, 0.3 } do
      local straight = crowd:add(1, i, { speed = speed })
      local diagonal = crowd:add(1, 10 + 2 * i, { speed = speed })
      assert.equal(speed, straight.speed)
      straight:go(60, i)
      diagonal:go(40, 49 + 2 * i)
      checker:watch(straight, { speed = speed })
      checker:watch(diagonal, { speed = speed })
    end
    for _ = 1, 10 * 60 do
      crowd:update(1 / 60)
      checker:look(1 / 60)
    end
    assert.is_true(checker.moving > 4000)
    assert.is_true(checker:share "stands" == 0 and checker:share "uneven" < 0.003, checker:share "uneven")
    for i, one in ipairs(checker.watched) do
      local x, y = one.unit.x - 1, one.unit.y - (i % 2 == 1 and (i + 1) / 2 or 10 + i)
      assert.near(math.min(10 * one.speed, i % 2 == 1 and 59 or 39 * 2 ^ 0.5), (x * x + y * y) ^ 0.5, 0.01)
    end
  end)

  it("turns to face along its path, immediately or at the given rate", function()
    local crowd = astar.crowd(astar.grid(9, 9):finder { diagonals = "never" }, { speed = 2 })
    local quick, tank = crowd:add(1, 1), crowd:add(5, 5, { turn = 1 })
    assert.is_nil(quick.angle)
    assert.is_nil(tank.angle)
    quick:go(3, 1)
    tank:go(5, 1)
    crowd:update(0.25)
    assert.same({ 0, -math.pi / 2 }, { quick.angle, tank.angle })
    for _ = 1, 12 do crowd:update(0.25) end
    assert.equal("arrived", tank.state)
    tank:go(1, 1)
    quick:go(3, 9)
    crowd:update(0.25)
    local angle = tank.angle
    for _ = 1, 7 do
      crowd:update(0.25)
      local by = (angle - tank.angle) % (2 * math.pi)
      assert.is_true(by < 0.25 + 1e-6)
      angle = tank.angle
    end
    assert.near(-math.pi + 1e-9, -math.abs(angle), 0.5)
    assert.near(math.pi / 2, quick.angle, 1e-9)
  end)

  it("turns as often as the path bends if there is a single unit", function()
    local grid = astar.grid(40, 30)
    grid:block(20, 1, 1, 20)
    for _, diagonals in ipairs { "never", "always" } do
      local crowd = astar.crowd(grid:finder { diagonals = diagonals }, { even = diagonals == "always" })
      local unit, turns, heading = crowd:add(3, 3), 0, nil
      unit:go(36, 4)
      while unit.state ~= "arrived" do
        crowd:beat()
        if heading and unit.heading ~= heading then turns = turns + 1 end
        heading = unit.heading
      end
      assert.is_true(turns <= (diagonals == "never" and 3 or 4), turns)
    end
  end)

  it("changes in nearly every frame while a unit is moving", function()
    local checker = watch_crowd { seed = 1, side = 40, units = 100, diagonals = "never", beats = 40 }
    assert.is_true(checker.moving > 10000)
    assert.is_true(checker:share "stands" < 0.03, checker:share "stands")
    assert.is_true(checker:share "uneven" < 0.10, checker:share "uneven")
  end)
end)

-- Corners that are rounded by drawing each where it was on average in the last while: docs/crowd/crowds.md, "Drawing".

local SHARE = 0.5 -- of a beat

local function steps_of(diagonals)
  local steps = { { 0, 0 } }
  for _, direction in ipairs(astar.directions) do
    local is_straight = direction.dx == 0 or direction.dy == 0
    if diagonals or is_straight then steps[#steps + 1] = { direction.dx, direction.dy } end
  end
  return steps
end

-- How near two discs come while one goes from (x, y) to (to_x, to_y), as seen from the other.
local function nearest_between(x, y, to_x, to_y)
  local dx, dy = to_x - x, to_y - y
  local speed = dx * dx + dy * dy
  local t = speed > 0 and math.max(0, math.min(1, -(x * dx + y * dy) / speed)) or 0
  return ((x + t * dx) ^ 2 + (y + t * dy) ^ 2) ^ 0.5
end

local function is_kept(x, y, to_x, to_y)
  return (to_x ~= 0 or to_y ~= 0) and nearest_between(x, y, to_x, to_y) >= 0.7 - 1e-9
end

-- Calls with all ways that one unit can go about another in a beat that crowds allow, from (x, y) to (to_x, to_y).
local function each_beat(steps, x, y, call)
  for _, a in ipairs(steps) do
    for _, b in ipairs(steps) do
      local to_x, to_y = x + b[1] - a[1], y + b[2] - a[2]
      if is_kept(x, y, to_x, to_y) then call(to_x, to_y) end
    end
  end
end

-- The integral of what goes from 'a' to 'b' in a beat, from the moment 'from' of that on, and up to it.
local function since(a, b, from) return a * (1 - from) + (b - a) * (1 - from * from) / 2 end
local function up_to(a, b, to) return a * to + (b - a) * to * to / 2 end

-- How near two come that are drawn where they were on average in that share of a beat, whatever they do in two beats.
local function nearest_of_means(diagonals, share)
  local steps, least = steps_of(diagonals), math.huge
  local function look(x, y, x1, y1, x2, y2)
    for part = 0, 10 do
      local t = share * part / 10
      local mean_x = (since(x, x1, 1 + t - share) + up_to(x1, x2, t)) / share
      local mean_y = (since(y, y1, 1 + t - share) + up_to(y1, y2, t)) / share
      least = math.min(least, (mean_x * mean_x + mean_y * mean_y) ^ 0.5)
    end
  end
  for x = 0, 3 do -- what is west of it is so as seen from the other
    for y = x == 0 and 1 or -3, 3 do
      each_beat(steps, x, y, function(x1, y1)
        if math.max(math.abs(x1), math.abs(y1)) > 2 then return end -- they cannot meet in the beat after it
        each_beat(steps, x1, y1, function(x2, y2) look(x, y, x1, y1, x2, y2) end)
      end)
    end
  end
  return least
end

describe("units drawn at their average position over the last half of a beat", function()
  it("keep exactly the promised distance whatever two units do, with four moves or eight", function()
    assert.near(0.5 ^ 0.5, nearest_of_means(true, SHARE), 1e-9)
    assert.near(0.65, nearest_of_means(true, 0.7), 1e-9)
    assert.near(0.5 ^ 0.5, nearest_of_means(false, 1), 1e-9)
  end)

  it("keep the promised distance in every frame if all periods are equal, and turn corners in curves", function()
    for seed = 1, 3 do
      local dice, grid = random.new(seed), astar.grid(20, 20)
      for _ = 1, 40 do grid:block(dice:int(1, 20), dice:int(1, 20)) end
      local finder = grid:finder { diagonals = dice:pick { "always", "never", "only_when_no_obstacles" } }
      local crowd = astar.crowd(finder, { speed = SPEED, seed = seed })
      local checker, units, shown = frame_checker.new(), {}, {}
      for _ = 1, 160 do
        local unit = crowd:add(dice:int(1, 20), dice:int(1, 20))
        if unit then
          units[#units + 1], shown[#shown + 1] = unit, { x = unit.x, y = unit.y, trail = {} }
          checker:watch(shown[#shown], { speed = SPEED })
        end
      end
      for frame = 1, 24 * 16 do
        if frame % 16 == 1 then
          for _, unit in ipairs(units) do
            if unit.state == "arrived" then unit:go(dice:int(1, 20), dice:int(1, 20), { partial = true }) end
          end
        end
        crowd:update(1 / SPEED / 16)
        for i, one in ipairs(shown) do
          one.trail[(frame - 1) % 8 + 1] = { units[i].x, units[i].y } -- half of a beat's 16 frames
          local x, y, count = 0, 0, #one.trail
          for _, place in ipairs(one.trail) do x, y = x + place[1], y + place[2] end
          one.x, one.y, one.state = x / count, y / count, units[i].state
        end
        checker:look(1 / SPEED / 16)
      end
      assert.is_true(checker.moving > 10000 and checker.nearest > 0.007 and checker.nearest < 0.1, checker.nearest)
    end
  end)
end)

describe("the checker of frames", function()
  local function look(frames, options)
    local checker = frame_checker.new(options)
    local units = {}
    for i, at in ipairs(frames[1]) do
      units[i] = { x = at[1], y = at[2], state = "moving" }
      checker:watch(units[i], { speed = 1 })
    end
    checker:look(1)
    for frame = 2, #frames do
      for i, at in ipairs(frames[frame]) do units[i].x, units[i].y = at[1], at[2] end
      checker:look(1)
    end
    return checker
  end

  it("finds two units that pass through each other between frames", function()
    assert.near(-0.7, look({ { { 1, 1 }, { 2, 1 } }, { { 2, 1 }, { 1, 1 } } }).nearest, 1e-9)
  end)

  it("finds discs that touch, and squares that touch although their discs do not", function()
    local frames = { { { 1, 1 }, { 2.8, 1.9 } }, { { 2, 1 }, { 2.8, 1.9 } } }
    assert.is_true(look(frames).nearest > 0)
    assert.is_true(look(frames, { exclusive = true }).nearest < -0.09)
    frames[2][1][2] = 1.5
    assert.is_true(look(frames).nearest < 0.2)
    frames[2][1] = { 2.4, 1.5 }
    assert.is_true(look(frames).nearest < 0)
  end)

  it("detects units that stand still and units that jump", function()
    local checker = look { { { 1, 1 } }, { { 2, 1 } }, { { 2, 1 } }, { { 4, 1 } } }
    assert.same({ 4, 3, 1, 2, 2 }, { checker.frames, checker.moving, checker.stands, checker.uneven, checker.fastest })
  end)
end)
