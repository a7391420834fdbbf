-- Saved games: crowds that were dumped and loaded, at any moment, go on as those that were saved, to the last bit; and
-- whatever a string says, it is an error or a crowd. The loaded one walks another grid, loaded from a dump.

local astar = require "astar"
local check = require "spec.support.check"
local crowd_events = require "spec.support.crowd_events"
local forge = require "spec.support.forge"
local random = require "spec.support.random"
local savegame = require "astar.savegame"
local times = require "spec.support.times"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local draw_game, new_crowd, finders_of = crowd_events.draw_game, crowd_events.new_crowd, crowd_events.finders_of

-- What happens next, and the time that passes after it.
local function draw_event(game)
  local happen, dt = crowd_events.draw(game), game.dice:pick { 1 / 60, 0.1, 0.25, 0.5, 0.9 }
  return function(grid, crowd, finders, kinds)
    happen(grid, crowd, finders, kinds)
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

-- The finders that a crowd is loaded with: its own, and those of its units, each once, in the order of the units.
local function finders_to_load(crowd, kinds, finders)
  local list, is_listed = { finders[1] }, { true }
  for _, unit in ipairs(crowd:units()) do
    if not is_listed[kinds[unit]] then list[#list + 1] = finders[kinds[unit]] end
    is_listed[kinds[unit]] = true
  end
  return list
end

-- A loaded copy: its grid, crowd, finders, and the kinds of its units.
local function load_copy(game, grid, crowd, kinds)
  local dump = crowd:dump()
  local copy_grid = astar.load(grid:dump())
  local finders = finders_of(game, copy_grid)
  local copy = astar.load_crowd(dump, unpack(finders_to_load(crowd, kinds, finders)))
  local copy_kinds, units = {}, crowd:units()
  for i, unit in ipairs(copy:units()) do copy_kinds[unit] = kinds[units[i]] end
  return { copy_grid, copy, finders, copy_kinds }
end

local SEEDS = times("SAVED_CROWDS", 30)
local FIRST = tonumber(os.getenv "ASTAR_SEED") or 1

describe("a crowd that was saved", function()
  it("continues exactly as the crowd that was loaded from the saved string", function()
    local frames = 0
    for seed = FIRST, FIRST + SEEDS - 1 do
      local game, grid = draw_game(random.new(seed), 16)
      local crowd, finders, kinds = new_crowd(game, grid)
      local copy
      for moment = 1, crowd and 6 or 0 do
        local what = ("seed %d, moment %d, %g bytes, %g expansions"):format(seed, moment, game.options.bytes,
          game.options.expansions)
        local fresh = load_copy(game, grid, crowd, kinds)
        assert_same(crowd, fresh[2], what)
        play(game, { { grid, crowd, finders, kinds }, fresh }, 40, what)
        assert.equal(crowd:dump(), fresh[2]:dump(), what) -- lets go of the same
        copy, frames = fresh, frames + 40
        if game.dice:chance(0.3) then grid, crowd, finders, kinds = unpack(copy) end
      end
    end
    assert.is_true(frames > SEEDS * 100)
  end)

  local function problem_of(...)
    local given = { ... }
    return check.error_of(function() astar.load_crowd(unpack(given)) end)
  end

  it("keeps the order of its units, and their sides and speeds", function()
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

  it("loses its plans, and its units are soon led out of a deadlock again", function()
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

  it("keeps a chase that began before the first link was added, and continues it when the link is removed", function()
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

  -- A game saves for each unit which kind it is of, and makes the finders of those kinds anew: it does not know which
  -- others the crowd has ever met.
  it("is loaded with the finders of its units, in the order of crowd:units()", function()
    local refused = 0
    for seed = 1, times("SAVED_FINDERS", 60) do
      local dice = random.new(seed)
      local grid = astar.grid(12, 12)
      local options, finders, kind_of = {}, {}, {}
      for kind = 1, 6 do
        options[kind] = { size = dice:int(1, 3), diagonals = dice:pick(check.RULES) }
        finders[kind] = grid:finder(options[kind])
      end
      local crowd = astar.crowd(finders[1], { knots = dice:chance(0.5) })
      for _ = 1, 40 do
        local kind, units = dice:int(1, 6), crowd:units()
        if #units > 0 and dice:chance(0.4) then
          units[dice:int(1, #units)]:remove()
        else
          local unit, reason = crowd:add(dice:int(1, 10), dice:int(1, 10), { finder = finders[kind] })
          if unit then
            kind_of[unit] = kind
            unit:go(dice:int(1, 10), dice:int(1, 10), { range = 2 })
          else
            assert.equal("occupied", reason)
            refused = refused + 1
          end
        end
        if dice:chance(0.5) then crowd:beat() end
      end
      local copy_grid, copy_finders = astar.load(grid:dump()), {}
      for kind = 1, 6 do copy_finders[kind] = copy_grid:finder(options[kind]) end
      local copy = astar.load_crowd(crowd:dump(), unpack(finders_to_load(crowd, kind_of, copy_finders)))
      local units = crowd:units()
      for i, unit in ipairs(copy:units()) do
        assert.equal(options[kind_of[units[i]]].size, unit.size, "seed " .. seed)
      end
      for beat = 1, 30 do
        crowd:beat()
        copy:beat()
        assert_same(crowd, copy, ("seed %d, beat %d"):format(seed, beat))
      end
      assert.equal(crowd:dump(), copy:dump())
    end
    assert.is_true(refused > 100)
  end)

  -- Before version 3 a chase's range counted from north-west cells, and was as large as the larger unit at least.
  it("is loaded with its chase of large units from a dump of an earlier version", function()
    local function dumped(range, version)
      local grid = astar.grid(30, 30)
      local crowd = astar.crowd(grid:finder { size = 3 })
      local hunter, prey = crowd:add(2, 2), crowd:add(20, 20)
      hunter:chase(prey, { range = range })
      local list, count = savegame.unseal("crowd", crowd:dump())
      local bytes, changed = forge.body(list[1]):gsub("^(astar crowd )%d", "%1" .. version)
      assert.equal(1, changed)
      list[1] = forge.dump(bytes)
      return savegame.seal("crowd", list, count), grid
    end
    for before, now in pairs { [3] = 1, [4] = 4, [9] = 9 } do
      local old, grid = dumped(before, 2)
      local loaded = astar.load_crowd(old, grid:finder { size = 3 })
      assert.equal((dumped(now, 3)), loaded:dump())
    end
  end)

  it("raises an error for another map or for other finders", function()
    local grid = astar.grid(20, 20)
    local finder = grid:finder()
    local crowd = astar.crowd(finder)
    local dump = crowd:dump()
    local problem = "the crowd does not fit these finders and their grid"
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
  it("raises an error or loads as a valid crowd after any forgery", function()
    local loaded, tried = 0, 0
    local forgeries = times("FORGERIES", 600)
    for seed = 1, forgeries / 20 do
      local game, grid = draw_game(random.new(seed), 9)
      local crowd, finders, kinds = new_crowd(game, grid)
      for _ = 1, crowd and 40 or 0 do draw_event(game)(grid, crowd, finders, kinds) end
      local list, count = savegame.unseal("crowd", crowd and crowd:dump() or "")
      for _ = 1, list and 20 or 0 do
        local forged = { unpack(list, 1, count) }
        for _ = 1, game.dice:int(1, 3) do forged[1] = alter(game.dice, forged[1]) end
        if game.dice:chance(0.1) then
          forged[game.dice:int(2, count)] = game.dice:pick { false, "x", -1, 1e300, 0, 3 }
        end
        tried = tried + 1
        local copy = { astar.load(grid:dump()), nil, nil, {} }
        copy[3] = finders_of(game, copy[1])
        local ok
        ok, copy[2] = pcall(astar.load_crowd, savegame.seal("crowd", forged, count),
          unpack(finders_to_load(crowd, kinds, copy[3])))
        for _ = 1, ok and 12 or 0 do pcall(draw_event(game), unpack(copy)) end -- its speed may be another now
        loaded = loaded + (ok and 1 or 0)
      end
    end
    assert.is_true(loaded > tried / 20 and loaded < tried)
  end)
end)
