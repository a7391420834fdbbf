-- Saved games: walkers that were dumped and loaded, at any moment, go on as those that were not, to the last bit; and
-- whatever a string says, it is an error or a walker. The loaded one walks another grid, loaded from a dump.

local astar = require "astar"
local check = require "spec.support.check"
local forge = require "spec.support.forge"
local random = require "spec.support.random"
local times = require "spec.support.times"
local savegame = require "astar.savegame"

local FIELDS = {
  "x", "y", "angle", "heading", "index", "arrived", "blocked", "waiting", "link", "speed", "acceleration", "turn",
}

local function draw_game(numbers)
  local width, height = numbers:int(4, 24), numbers:int(4, 24)
  local offset = numbers:pick { "square", "square", "square", "odd_r", "even_q" }
  local is_square = offset == "square"
  local origin = { numbers:int(-9, 9), numbers:int(-9, 9) }
  local grid = astar.grid(numbers:scatter(width, height, numbers:pick { 0, 0.1, 0.25 }), {
    origin = origin, shape = not is_square and "hex" or nil, offset = not is_square and offset or nil,
  })
  local game = {
    numbers = numbers,
    options = {
      diagonals = is_square and numbers:pick(check.RULES) or nil,
      size = is_square and numbers:pick { 1, 1, 1, 2 } or nil,
      any_angle = is_square and numbers:chance(0.3) or nil,
    },
    draw = function() return origin[1] + numbers:int(0, width - 1), origin[2] + numbers:int(0, height - 1) end,
  }
  for i = 1, numbers:pick { 0, 0, 3 } do
    local x, y = game.draw()
    local x2, y2 = game.draw()
    if x ~= x2 or y ~= y2 then grid:link(x, y, x2, y2, { label = numbers:pick { "stairs", i } }) end
  end
  return game, grid
end

local function draw_path(game, finder)
  local x, y = game.draw()
  local path = finder:find_path(x, y, game.draw())
  return path and #path > 1 and (game.numbers:chance(0.3) and path:smooth() or path) or nil
end

local function draw_walker(game, finder)
  local path = draw_path(game, finder)
  return path and astar.walker(path, {
    speed = game.numbers:pick { 0.7, 2, 5 }, straight = game.numbers:pick { true, false, "as it is" } == true or nil,
    corner = game.numbers:pick { 0, 0.25, 0.4, 0.5 }, acceleration = game.numbers:chance(0.4) and 3 or nil,
    turn = game.numbers:chance(0.4) and 2 or nil,
  })
end

-- What happens next, to be done to any copy of the game: a function of its grid, finder and walker.
local function draw_event(game)
  local numbers, x, y = game.numbers, game.draw()
  local gx, gy = game.draw()
  local dt, kind = numbers:pick { 1 / 60, 0.1, 0.5, 1.7 }, numbers:int(1, 16)
  return function(grid, finder, walker)
    if kind == 1 then grid:block(x, y)
    elseif kind == 2 then grid:unblock(x, y)
    elseif kind == 3 then walker:repair { optimal = dt > 0.2 }
    elseif kind == 4 then walker:retarget(gx, gy)
    elseif kind == 5 then
      local cx, cy = walker:cell()
      local path = finder:find_path(cx, cy, gx, gy)
      if path then walker:follow(path) end
    elseif kind == 6 then walker.speed = dt * 3
    elseif kind == 7 and dt > 1 then -- from elsewhere
      local path = finder:find_path(x, y, gx, gy)
      if path then walker:follow(path) end
    end
    walker:update(dt)
  end
end

local function assert_same(first, second, what)
  for _, name in ipairs(FIELDS) do
    if first[name] ~= second[name] then
      error(("%s: %s is %s, was saved as %s"):format(what, name, tostring(second[name]), tostring(first[name])))
    end
  end
  if not (first.path:cells_flat()[1] == second.path:cells_flat()[1] and #first.path == #second.path) then
    error(what .. ": the paths differ")
  end
end

local function problem_of(dump, finder)
  return check.error_of(function() astar.load_walker(dump, finder) end)
end

describe("a walker that was saved", function()
  local SEEDS = times("SAVED_WALKERS", 100)

  for first = 1, 400, 100 do
    it("continues as if it had not been saved, from " .. first, function()
      local moments = 0
      for seed = first, first + SEEDS - 1 do
        local game, grid = draw_game(random.new(seed))
        local finder = grid:finder(game.options)
        local walker = draw_walker(game, finder)
        local copy_grid, copy_finder, copy
        for event = 1, walker and 60 or 0 do
          if copy == nil or game.numbers:chance(0.1) then
            copy_grid = astar.load(grid:dump())
            copy_finder = copy_grid:finder(game.options)
            copy = astar.load_walker(walker:dump(), copy_finder)
            moments = moments + 1
          end
          local what = ("seed %d, event %d"):format(seed, event)
          assert_same(walker, copy, what)
          local happen = draw_event(game)
          happen(grid, finder, walker)
          happen(copy_grid, copy_finder, copy)
          assert_same(walker, copy, what)
          assert.equal(walker:dump(), copy:dump(), what)
        end
      end
      assert.is_true(moments > 3 * SEEDS)
    end)
  end

  it("is stored as numbers that all Lua versions read exactly", function()
    local least = -1 / math.huge -- Lua 5.1 takes -0.0 for 0
    local list = { 0, 1 / 3, -5e-324, 2 ^ 53, 1e300, math.huge, -math.huge, least, "a\0;z", "", true, false, nil, -7 }
    local back, count = savegame.unseal("list", savegame.seal("list", list, 14))
    assert.equal(14, count)
    assert.same(list, back)
    assert.equal(-math.huge, 1 / back[8])
    local sealed = savegame.seal("list", { 1 / 3 }, 1)
    assert.equal("6004799503160661p54;", sealed:sub(1, -11):match "^astar list 1\nd1;%a(.+)$")
    assert.is_nil((savegame.unseal("walker", savegame.seal("list", {}, 0))))
  end)

  it("raises an error for another grid and with other options", function()
    local grid = astar.grid(20, 20)
    local walker = astar.walker(grid:find_path(1, 1, 20, 20))
    local problem = "the walker's path does not fit this finder and its grid"
    assert.equal(problem, problem_of(walker:dump(), astar.grid(10, 10):finder()))
    assert.equal(problem, problem_of(walker:dump(), astar.grid(20, 20, { shape = "hex" }):finder()))
    assert.equal(20, #astar.load_walker(walker:dump(), astar.grid(30, 30):finder()).path)
  end)

  it("raises an error if its string is damaged", function()
    local grid = astar.grid(20, 20)
    local dump = astar.walker(grid:find_path(1, 1, 20, 15)):dump()
    local finder, dice = grid:finder(), random.new(3)
    for at = 1, #dump do
      local damaged = dump:sub(1, at - 1) .. string.char((dump:byte(at) + dice:int(1, 255)) % 256) .. dump:sub(at + 1)
      assert.equal("not a walker's dump, or a damaged one", problem_of(damaged, finder))
      problem_of(dump:sub(1, at - 1), finder)
    end
  end)

  local function forged_value(dice, value)
    local kind = dice:int(1, 8)
    if kind == 1 then return nil
    elseif kind == 2 then return dice:int(-3, 40)
    elseif kind == 3 then return dice:pick { math.huge, -math.huge, 2 ^ 31, 2 ^ 53, -1, 0.5, 1e300 }
    elseif kind == 4 then return dice:pick { true, false }
    elseif kind == 5 then return dice:pick { "", "east", "x" }
    elseif type(value) == "string" and #value > 20 then
      local at = dice:int(1, #value - 8)
      return forge.dump(forge.body(value:sub(1, at - 1) .. string.char(dice:int(0, 255)) .. value:sub(at + 1)))
    end
    return value
  end

  -- Some 2000 in a second; FORGERIES=n makes more.
  it("raises an error or loads as a valid walker after any forgery", function()
    local loaded = 0
    for seed = 1, tonumber(os.getenv "FORGERIES") or 1500 do
      local dice = random.new(seed)
      local game, grid = draw_game(dice)
      local finder = grid:finder(game.options)
      local walker = draw_walker(game, finder)
      if walker then
        for _ = 1, dice:int(0, 20) do draw_event(game)(grid, finder, walker) end
        local list, count = savegame.unseal("walker", walker:dump())
        for _ = 1, dice:int(1, 3) do
          local at = dice:int(1, count)
          list[at] = forged_value(dice, list[at])
        end
        local ok, copy = pcall(astar.load_walker, savegame.seal("walker", list, count), finder)
        loaded = loaded + (ok and 1 or 0)
        for _ = 1, ok and 30 or 0 do pcall(draw_event(game), grid, finder, copy) end
      end
    end
    assert.is_true(loaded > 100)
  end)
end)
