-- What units tell does not depend on how much of the coming beat was made ahead. Games that run in lockstep read states
-- and blockers, while `crowd:step { ms = }` works as far ahead as each machine gets.

local astar = require "astar"
local crowd_events = require "spec.support.crowd_events"
local random = require "spec.support.random"
local times = require "spec.support.times"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local FACTS = { "state", "x", "y", "heading", "angle", "size", "period", "priority", "side", "speed" }

-- How far each copy works ahead after whatever happens: not at all, by one expansion at a time, some, a lot, and until
-- the beat is made. Copies of the same game.
local AHEAD = {
  function() end,
  function(crowd) crowd:step(1) end,
  function(crowd, dice) for _ = 1, dice:int(0, 5) do crowd:step(dice:int(1, 60)) end end,
  function(crowd, dice) for _ = 1, dice:int(0, 3) do crowd:step(dice:int(1, 3000)) end end,
  function(crowd) while crowd:step(1000) == "running" do end end,
}

-- The number that a unit of a crowd has in its list, nil for none.
local function number_of(units, unit)
  for i, each in ipairs(units) do
    if each == unit then return i end
  end
end

local function compare(first, second, what)
  local units, others = first:units(), second:units()
  assert.equal(#units, #others, what)
  assert.equal(first.under_way, second.under_way, what)
  for i, unit in ipairs(units) do
    local other = others[i]
    for _, name in ipairs(FACTS) do
      if unit[name] ~= other[name] then
        error(("%s: %s of unit %d is %s, without step %s"):format(what, name, i, tostring(other[name]),
          tostring(unit[name])))
      end
    end
    for _, name in ipairs { "blocker", "chased" } do
      local who, other_who = number_of(units, unit[name]), number_of(others, other[name])
      if who ~= other_who then
        error(("%s: %s of unit %d is %s, without step %s"):format(what, name, i, tostring(other_who), tostring(who)))
      end
    end
    local x, y = unit:goal()
    local other_x, other_y = other:goal()
    assert.is_true(x == other_x and y == other_y, what)
  end
  return #units
end

describe("the state of units", function()
  -- CROWDS_AHEAD=n plays more games, AHEAD_FROM=seed from there on.
  it("does not depend on how much of the next beat's work crowd:step has done in advance", function()
    local from, compared = tonumber(os.getenv "AHEAD_FROM") or 1, 0
    for seed = from, from + times("CROWDS_AHEAD", 80) - 1 do
      local dice = random.new(seed)
      local game, grid = crowd_events.draw_game(dice, 18)
      local copies, own_dice = {}, random.new(seed + 1000003)
      for i = 1, #AHEAD do
        local copy = i == 1 and grid or astar.load(grid:dump())
        -- Where units are put is drawn: each copy draws the same.
        local state = dice.state
        copies[i] = { copy, crowd_events.new_crowd(game, copy) }
        if i < #AHEAD then dice.state = state end
      end
      local has_room = copies[1][2] ~= nil
      for event = 1, has_room and 60 or 0 do
        local happen = dice:chance(0.5) and crowd_events.draw(game) or function() end
        local dt = dice:pick { 0, 0, 1 / 60, 0.25, 0.5, 0.9 }
        local beats = dice:chance(0.2)
        for i, copy in ipairs(copies) do
          happen(unpack(copy))
          AHEAD[i](copy[2], own_dice)
          if i > 1 then
            compared = compared + compare(copies[1][2], copy[2], ("seed %d, event %d, ahead %d"):format(seed, event, i))
          end
        end
        for i, copy in ipairs(copies) do
          if beats then copy[2]:beat() else copy[2]:update(dt) end
          if i > 1 then
            compared = compared + compare(copies[1][2], copy[2], ("seed %d, beat %d, ahead %d"):format(seed, event, i))
          end
        end
      end
    end
    assert.is_true(compared > 0)
  end)
end)
