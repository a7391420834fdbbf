-- Saved games: crowds that were dumped and loaded, at any moment, go on as those that were saved, to the last bit; and
-- whatever a string says, it is an error or a crowd. The loaded one walks another grid, loaded from a dump.

local astar = require "astar"
local check = require "spec.support.check"
local forge = require "spec.support.forge"
local random = require "spec.support.random"
local savegame = require "astar.savegame"
local times = require "spec.support.times"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local function draw_game(dice, largest)
  local width, height = dice:int(5, largest), dice:int(5, largest)
  local diagonals = dice:pick(check.RULES)
  local game = {
    dice = dice, width = width, height = height, x0 = dice:int(-4, 4), y0 = dice:int(-4, 4),
    finders = { { diagonals = diagonals }, { diagonals = dice:pick(check.RULES) } },
    options = {
      seed = dice:int(0, 9), even = dice:chance(0.2), exclusive = dice:chance(0.1), knots = dice:chance(0.8),
      bytes = dice:pick { 64e6, 64e6, 64e6, 3000, 500 }, expansions = dice:pick { 2 ^ 18, 2 ^ 18, 5000, 300, 40 },
    },
    has_paces = dice:chance(0.4),
  }
  if dice:chance(0.4) then game.finders[3] = { diagonals = diagonals, size = 2 } end
  local grid = astar.grid(dice:scatter(width, height, dice:pick { 0, 0.1, 0.2 }), {
    origin = { game.x0, game.y0 },
  })
  grid:terrain(",", 2)
  grid:terrain("m", 3.5)
  function game.draw() return game.x0 + dice:int(0, width - 1), game.y0 + dice:int(0, height - 1) end
  if dice:chance(0.3) then
    for _ = 1, 30 do
      local x, y = game.draw()
      if grid:is_walkable(x, y) then grid:set(x, y, dice:pick { ",", "m" }) end
    end
  end
  if dice:chance(0.2) then
    local x, y = game.draw()
    local x2, y2 = game.draw()
    if x ~= x2 or y ~= y2 then grid:link(x, y, x2, y2) end
  end
  return game, grid
end

local function finders_of(game, grid)
  local finders = {}
  for i, options in ipairs(game.finders) do finders[i] = grid:finder(options) end
  return finders
end

-- A crowd that has met all finders, in their order.
local function new_crowd(game, grid)
  local finders = finders_of(game, grid)
  local crowd = astar.crowd(finders[1], game.options)
  for i = 2, #finders do
    for _ = 1, 2000 do
      local x, y = game.draw()
      if crowd:add(x, y, { finder = finders[i] }) then break end
    end
    if #crowd < i - 1 then return nil end
  end
  return crowd, finders
end

-- Takes away the link that there is, or makes one: chases that have begun wait as long as there are any.
local function toggle_link(grid, x, y, to_x, to_y)
  local link = grid:links()[1]
  if link then
    grid:unlink(link.x0, link.y0, link.x1, link.y1)
  elseif x ~= to_x or y ~= to_y then
    grid:link(x, y, to_x, to_y)
  end
end

-- What happens next, to be done to any copy of the game: a function of its grid, crowd and finders.
local function draw_event(game)
  local dice, kind, x, y = game.dice, game.dice:int(1, 22), game.draw()
  local gx, gy = game.draw()
  local which, other, range, flag = dice:int(1, 1000), dice:int(1, 1000), dice:int(0, 3), dice:chance(0.5)
  local dt = dice:pick { 1 / 60, 0.1, 0.25, 0.5, 0.9 }
  local options = {
    side = dice:pick { "red", "blue", false, false } or nil,
    speed = game.has_paces and dice:pick { 4, 2.3, 1, 0.6 } or nil, turn = game.has_paces and dice:pick { 0, 3 } or nil,
  }
  local finder = dice:int(1, #game.finders)
  return function(grid, crowd, finders)
    local units = crowd:units()
    local unit, prey = units[which % #units + 1], units[other % #units + 1]
    if kind <= 4 and #units < 24 then crowd:add(x, y, {
      finder = finders[finder], side = options.side, speed = options.speed, turn = options.turn })
    elseif not unit then return
    elseif kind <= 8 then unit:go(gx, gy, { partial = flag, range = range })
    elseif kind <= 10 then crowd:go(units, gx, gy, { range = range })
    elseif kind == 11 then crowd:go(units, gx, gy, { shape = "box", together = flag })
    elseif kind == 12 and unit ~= prey and #grid:links() == 0 then unit:chase(prey, { range = range + 1 })
    elseif kind == 13 then unit:hold(flag)
    elseif kind == 14 then unit:set_priority(range)
    elseif kind == 15 then unit:stop()
    elseif kind == 16 and #units > 3 then unit:remove()
    elseif kind == 17 then grid:block(x, y)
    elseif kind == 18 then grid:unblock(x, y)
    elseif kind == 19 and grid:is_walkable(x, y) then grid:set(x, y, flag and "m" or ".")
    elseif kind == 20 then crowd:step(1 + range * 50)
    elseif kind == 21 and flag then toggle_link(grid, x, y, gx, gy)
    end
    crowd:update(dt)
  end
end

-- Whether two crowds draw and tell the same of all units.
local function assert_same(first, second, what)
  local units, copies = first:units(), second:units()
  assert.equal(#units, #copies, what)
  for i, unit in ipairs(units) do
    for _, name in ipairs { "x", "y", "angle", "heading", "size", "period", "priority", "side", "speed" } do
      if unit[name] ~= copies[i][name] then
        local was, is = tostring(unit[name]), tostring(copies[i][name])
        error(("%s: %s of unit %d is %s, was %s"):format(what, name, i, is, was))
      end
    end
    local x, y = unit:goal()
    local copy_x, copy_y = copies[i]:goal()
    assert.is_true(x == copy_x and y == copy_y, what)
  end
  assert.equal(first.beats, second.beats, what)
end

-- Frames of all copies of a game, side by side.
local function play(game, copies, events, what)
  for event = 1, events do
    local happen = draw_event(game)
    if game.dice:chance(0.6) then
      local dt = game.dice:pick { 1 / 60, 0.1, 0.3 }
      function happen(_, crowd) crowd:update(dt) end
    end
    for _, copy in ipairs(copies) do happen(unpack(copy)) end
    assert_same(copies[1][2], copies[2][2], ("%s, event %d"):format(what, event))
  end
end

local function load_copy(game, grid, crowd)
  local dump = crowd:dump()
  local copy = astar.load(grid:dump())
  local finders = finders_of(game, copy)
  return { copy, astar.load_crowd(dump, unpack(finders)), finders }
end

local SEEDS = times("SAVED_CROWDS", 30)
local FIRST = tonumber(os.getenv "ASTAR_SEED") or 1

describe("a crowd that was saved", function()
  it("goes on as the one that is loaded", function()
    local frames = 0
    for seed = FIRST, FIRST + SEEDS - 1 do
      local game, grid = draw_game(random.new(seed), 16)
      local crowd, finders = new_crowd(game, grid)
      local copy
      for moment = 1, crowd and 6 or 0 do
        local what = ("seed %d, moment %d, %g bytes, %g expansions"):format(seed, moment, game.options.bytes,
          game.options.expansions)
        local fresh = load_copy(game, grid, crowd)
        assert_same(crowd, fresh[2], what)
        play(game, { { grid, crowd, finders }, fresh }, 40, what)
        assert.equal(crowd:dump(), fresh[2]:dump(), what) -- lets go of the same
        copy, frames = fresh, frames + 40
        if game.dice:chance(0.3) then grid, crowd, finders = unpack(copy) end
      end
    end
    assert.is_true(frames > SEEDS * 100)
  end)

  local function problem_of(...)
    local given = { ... }
    return check.error_of(function() astar.load_crowd(unpack(given)) end)
  end

  it("keeps its units in order, with sides and speeds as they were told", function()
    local grid = astar.grid(20, 20)
    local crowd = astar.crowd(grid:finder(), { speed = 5 })
    local units = {}
    for i = 1, 5 do units[i] = crowd:add(i * 2, 3, { side = i % 2 == 0 and "even" or "odd", speed = 1 / i + 1 }) end
    units[3]:remove()
    units[5]:chase(units[1], { range = 2 })
    local copy = astar.load_crowd(crowd:dump(), astar.load(grid:dump()):finder())
    local copies = copy:units()
    assert.equal(5, copy.speed)
    assert.equal(4, #copies)
    assert.same({ "odd", "even", "even", "odd" },
      { copies[1].side, copies[2].side, copies[3].side, copies[4].side })
    assert.same({ 2, 1.5, 1.25, 1.2 }, { copies[1].speed, copies[2].speed, copies[3].speed, copies[4].speed })
    assert.equal(copies[1], copies[4].chased)
    assert.equal(copies[2], copy:unit_at(4, 3))
    copy:add(10, 10, { side = "third" })
    crowd:add(10, 10, { side = "third" })
    assert.equal(crowd:dump(), copy:dump())
  end)

  it("lets go of plans, which units are led out of a knot by soon again", function()
    local grid = astar.grid "...\n.#.\n..."
    local crowd = astar.crowd(grid:finder())
    local a, b = crowd:add(1, 2), crowd:add(3, 1)
    a:go(3, 3)
    b:go(2, 3)
    local beats = 0
    while crowd.under_way > 0 and beats < 400 do
      crowd:beat()
      beats = beats + 1
      if beats % 25 == 0 then crowd:dump() end
    end
    assert.equal(0, crowd.under_way)
    local units = { crowd:add(1, 1), a }
    local resolving = crowd:resolving(units)
    crowd:dump()
    assert.equal("cancelled", resolving.status)
  end)

  it("keeps a chase that began before the first link was laid, and goes on with it when that is gone", function()
    local grid = astar.grid(9, 9)
    local crowd = astar.crowd(grid:finder())
    local hunter = crowd:add(1, 1)
    hunter:chase(crowd:add(9, 9))
    crowd:beat()
    local before = crowd:dump()
    grid:link(1, 2, 9, 8)
    for _ = 1, 3 do crowd:beat() end
    for _, dump in ipairs { before, crowd:dump() } do
      local copy_grid = astar.load(grid:dump())
      local copy = astar.load_crowd(dump, copy_grid:finder())
      local copies = copy:units()
      for _ = 1, 5 do copy:beat() end
      assert.equal("planning", copies[1].state)
      assert.equal(copies[2], copies[1].chased)
      assert.is_false(pcall(copies[2].chase, copies[2], copies[1]))
      copy_grid:unlink(1, 2, 9, 8)
      for _ = 1, 8 do copy:beat() end
      assert.equal("arrived", copies[1].state)
      assert.same({ 8, 8 }, { copies[1]:cell() })
    end
  end)

  it("is no other map's, nor one by other finders", function()
    local grid = astar.grid(20, 20)
    local finder = grid:finder()
    local crowd = astar.crowd(finder)
    local dump = crowd:dump()
    local problem = "the crowd cannot be one of these finders and their grid"
    assert.equal(problem, problem_of(dump, astar.grid(10, 10):finder()))
    assert.equal(problem, problem_of(dump, finder, grid:finder()))
    assert.equal("a crowd cannot honour a cost function",
      problem_of(dump, grid:finder { cost = function() return 1 end }))
    assert.equal("not a crowd's dump, or a damaged one", problem_of(grid:dump(), finder))
    assert.equal("a crowd's dump expected, got nil", problem_of(nil, finder))
    assert.equal(0, #astar.load_crowd(dump, finder))
  end)

  local function alter(dice, text)
    local at = dice:int(15, #text - 8)
    local byte = dice:chance(0.5) and dice:int(0, 255) or (text:byte(at) + dice:pick { -1, 1, 2, 128 }) % 256
    return forge.dump(forge.body(text:sub(1, at - 1) .. string.char(byte) .. text:sub(at + 1)))
  end

  -- FORGERIES=n makes more.
  it("is an error or a crowd, whatever was forged", function()
    local loaded, tried = 0, 0
    local forgeries = times("FORGERIES", 600)
    for seed = 1, forgeries / 20 do
      local game, grid = draw_game(random.new(seed), 9)
      local crowd, finders = new_crowd(game, grid)
      for _ = 1, crowd and 40 or 0 do draw_event(game)(grid, crowd, finders) end
      local list, count = savegame.unseal("crowd", crowd and crowd:dump() or "")
      for _ = 1, list and 20 or 0 do
        local forged = { unpack(list, 1, count) }
        for _ = 1, game.dice:int(1, 3) do forged[1] = alter(game.dice, forged[1]) end
        if game.dice:chance(0.1) then
          forged[game.dice:int(2, count)] = game.dice:pick { false, "x", -1, 1e300, 0, 3 }
        end
        tried = tried + 1
        local copy = { astar.load(grid:dump()) }
        copy[3] = finders_of(game, copy[1])
        local ok
        ok, copy[2] = pcall(astar.load_crowd, savegame.seal("crowd", forged, count), unpack(copy[3]))
        for _ = 1, ok and 12 or 0 do pcall(draw_event(game), unpack(copy)) end -- its speed may be another now
        loaded = loaded + (ok and 1 or 0)
      end
    end
    assert.is_true(loaded > tried / 20 and loaded < tried)
  end)
end)
