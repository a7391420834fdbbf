-- horde.lua -- a horde of 3,000 chases a hero, who lays mines and shuts gates on the way to a ship.
--
-- All units of the horde chase one unit, with one call each: unit:chase(hero). The crowd computes the distances
-- around the hero once per tick for all of them. The hero is a unit of the same crowd and may go anywhere: no unit is
-- sent again. The game itself keeps only the mines and the gates. Run it with fewer units: horde.lua units=500

local astar = require "astar"

local HORDE = tonumber((arg and arg[1] or ""):match "^units=(%d+)$") or 3000
local WIDTH, HEIGHT = 200, 120
local MINES_EVERY, BLAST, WORTH = 7, 3, 12 -- ticks between two mines, radius, victims for which a mine goes off
local CAUGHT = 3                           -- the hero is lost when so many stand beside him

-- ---- the land ----

local seed = 2
local function roll(sides)
  seed = seed * 48271 % 2147483647
  return seed % sides + 1
end

-- Three ramparts with two gates each, ruins in between, and the ship in the east.
local grid = astar.grid(WIDTH, HEIGHT, { layers = { "gates" } })
local gates = {}
for i, x in ipairs { 56, 106, 156 } do
  grid:block(x, 1, 2, HEIGHT)
  for k, y in ipairs { 22 + 9 * i, 70 + 11 * i } do
    gates[#gates + 1] = { x = x, y = y, name = ("gate %d%s"):format(i, k == 1 and "a" or "b"), is_open = true }
    grid:unblock(x, y, 2, 8)
  end
end
for _ = 1, 260 do
  local x, y, w, h = roll(WIDTH - 6), roll(HEIGHT - 6), roll(5), roll(4)
  local is_clear = true
  for _, gate in ipairs(gates) do is_clear = is_clear and (x + w < gate.x - 3 or x > gate.x + 5) end
  if is_clear and x < 186 and (x > 52 or y > 70) then grid:block(x, y, w, h) end
end
local ship = { x = 196, y = 60 }
grid:unblock(186, 50, 14, 20)

-- ---- the crowd ----

local crowd = astar.crowd(grid:finder(), { speed = 5, seed = 1 })
local stops = { { 74, 36 }, { 100, 44 }, { 124, 88 }, { 150, 104 }, { 170, 60 }, { ship.x, ship.y } }
local hero = assert(crowd:add(54, 33, { side = "hero" }))
hero:set_priority(100)

local horde, dead = {}, 0
for y = 1, 66 do
  for x = 1, 50 do
    -- Every third unit is fast, the others step in every second tick.
    local period = #horde % 3 == 0 and 1 or 2
    local unit = #horde < HORDE and crowd:add(x, y, { side = "horde", period = period })
    if unit then
      unit:chase(hero)
      horde[#horde + 1] = unit
    end
  end
end
local born = #horde

-- ---- mines and gates ----

local mines = {}

local function lay_mine()
  local x, y = hero:cell()
  mines[#mines + 1] = { x = x, y = y }
end

-- Returns the units of the horde within the blast of a mine.
local function victims_of(mine)
  local victims = {}
  for y = math.max(1, mine.y - BLAST), math.min(HEIGHT, mine.y + BLAST) do
    for x = math.max(1, mine.x - BLAST), math.min(WIDTH, mine.x + BLAST) do
      local unit = crowd:unit_at(x, y)
      if unit and unit ~= hero then victims[#victims + 1] = unit end
    end
  end
  return victims
end

local function blow_mines()
  local blown = 0
  for i = #mines, 1, -1 do
    local victims = victims_of(mines[i])
    if #victims >= WORTH then
      for _, unit in ipairs(victims) do unit:remove() end
      dead, blown = dead + #victims, blown + 1
      table.remove(mines, i)
    end
  end
  return blown
end

-- The hero shuts a gate of the first two ramparts behind him, once no unit stands in it. The horde turns to the other
-- gate.
local function shut_gates()
  local x = hero:cell()
  for _, gate in ipairs(gates) do
    local is_empty = true
    for gx = gate.x, gate.x + 1 do
      for gy = gate.y, gate.y + 7 do is_empty = is_empty and not crowd:unit_at(gx, gy) end
    end
    local is_behind = x > gate.x + 2 and x < gate.x + 24
    if gate.is_open and is_empty and is_behind and gate.x < 156 and gate.name:sub(-1) == "a" then
      grid:block(gate.x, gate.y, 2, 8, "gates")
      gate.is_open = false
      return gate
    end
  end
end

-- ---- what is drawn: each sign is 5 x 5 cells ----

local SIGNS = { ".", "-", "+", "o", "O" }

local function draw()
  local rows = {}
  local hx, hy = hero:cell()
  for top = 1, HEIGHT, 5 do
    local row = {}
    for left = 1, WIDTH, 5 do
      local units, walls = 0, 0
      for y = top, top + 4 do
        for x = left, left + 4 do
          local unit = crowd:unit_at(x, y)
          units = units + (unit and unit ~= hero and 1 or 0)
          walls = walls + (grid:is_walkable(x, y) and 0 or 1)
        end
      end
      local is_hero = hx >= left and hx < left + 5 and hy >= top and hy < top + 5
      row[#row + 1] = is_hero and "H" or units > 0 and SIGNS[math.ceil(units / 6)] or walls >= 10 and "#" or " "
    end
    rows[#rows + 1] = (table.concat(row):gsub(" +$", ""))
  end
  return table.concat(rows, "\n")
end

local function count(state)
  local found = 0
  for _, unit in ipairs(horde) do found = found + (unit.state == state and 1 or 0) end
  return found
end

-- ---- the game ----

print(("%d of the horde, one hero"):format(born))
local stop, outcome = 0, nil
while not outcome and crowd.beats < 600 do
  if hero.state == "arrived" then
    stop = stop + 1
    if stop > #stops then
      outcome = "the hero is on board"
    else
      hero:go(stops[stop][1], stops[stop][2], { partial = true })
    end
  end
  if crowd.beats % MINES_EVERY == 0 then lay_mine() end
  crowd:beat()
  if crowd.beats == 2 then
    print(("tick 2: %d have set out, %d are planning"):format(born - count "planning", count "planning"))
  end
  local blown = blow_mines()
  if blown > 0 then
    local what = blown == 1 and "a mine goes off" or "mines go off"
    print(("tick %d: %s, %d are left of the horde"):format(crowd.beats, what, born - dead))
  end
  local gate = shut_gates()
  if gate then print(("tick %d: the hero shuts %s"):format(crowd.beats, gate.name)) end
  local beside = count "arrived"
  if beside >= CAUGHT then outcome = ("the hero is caught by %d"):format(beside) end
  if crowd.beats == 1 or crowd.beats % 60 == 0 then
    print(("\ntick %d"):format(crowd.beats))
    print(draw())
  end
end

print(("\ntick %d: %s; %d of %d are left"):format(crowd.beats, outcome or "night falls", born - dead, born))
