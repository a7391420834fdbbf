-- armies.lua -- the game without its window: two armies, a river between them, a bridge and two gates.
--
--     local game = Armies.new(seed)
--     game:advance()                a frame, 1/60 s: gates, the marshal's orders, the crowd
--     game:send(units, x, y)        an order of the player's; game.has_marshal = false for none but those
--
-- Chance is the seed's, and time the number of frames, so the same calls make the same game everywhere.

local astar = require "astar"

local Armies = {}
Armies.__index = Armies

Armies.WIDTH, Armies.HEIGHT = 240, 132
Armies.FRAME = 1 / 60

local WIDTH, HEIGHT = Armies.WIDTH, Armies.HEIGHT
local RIVER = { x = 116, width = 10 }
local BRIDGE = { y = 53, height = 28 }
local GATES = { { y = 14, height = 16 }, { y = 104, height = 16 } }
local MUSTER = { x = 58, y = 66 }
local LANES = 8           -- two of the widest, and room to turn
local GATE_FRAMES = 20 * 60 -- between two turns of a gate
local REST_FRAMES = 3 * 60  -- between the end of one manoeuvre and the next

-- By size. A beat is one step of the fastest, ten a second: six frames each. The others step in every second or third.
local SPEED = 10
local KINDS = {
  { name = "foot", size = 1, period = 2, squads = 16, strength = 50 },
  { name = "riders", size = 2, period = 1, squads = 10, strength = 15 },
  { name = "wagons", size = 3, period = 3, squads = 9, strength = 6 },
}
local COLUMNS, ROWS = 5, 7 -- of an army's squads

-- ---- the map ----

-- Whole numbers from 'least' to 'most', the same on every Lua.
local function new_dice(seed)
  local state = seed % 2147483646 + 1
  return function(least, most)
    state = state * 48271 % 2147483647
    return least + state % (most - least + 1)
  end
end

local function is_apart(rocks, x, y, w, h)
  for _, rock in ipairs(rocks) do
    if x < rock.x + rock.w + LANES and rock.x < x + w + LANES and y < rock.y + rock.h + LANES
      and rock.y < y + h + LANES then
      return false
    end
  end
  return true
end

-- As many on either bank, so far from each other that the widest pass each other between them.
local function scatter_rocks(grid, dice)
  local rocks = { { x = MUSTER.x, y = MUSTER.y, w = 3, h = 3 } } -- the place of all is clear
  for _ = 1, 16 do
    local x, y, w, h = dice(20, 80), dice(1 + LANES, HEIGHT - LANES - 5), dice(2, 5), dice(2, 5)
    if is_apart(rocks, x, y, w, h) then
      rocks[#rocks + 1] = { x = x, y = y, w = w, h = h }
      grid:fill(x, y, w, h, "^")
      grid:fill(WIDTH + 2 - x - w, y, w, h, "^")
    end
  end
end

local function new_map(dice)
  local grid = astar.grid(WIDTH, HEIGHT, {
    terrain = { ["."] = 1, ["="] = 1, ["~"] = false, ["^"] = false }, fill = ".",
  })
  grid:fill(RIVER.x, 1, RIVER.width, HEIGHT, "~")
  for _, way in ipairs { BRIDGE, GATES[1], GATES[2] } do
    grid:fill(RIVER.x, way.y, RIVER.width, way.height, "=")
  end
  scatter_rocks(grid, dice)
  return grid
end

-- ---- squads ----

local function is_inside(x, y, size)
  return x >= 1 and y >= 1 and x + size - 1 <= WIDTH and y + size - 1 <= HEIGHT
end

-- The places around one, ring by ring, as far as 'radius'.
local function around(x, y, radius)
  local places = {}
  for ring = 0, radius do
    for dy = -ring, ring do
      for dx = -ring, ring, math.abs(dy) == ring and 1 or math.max(1, 2 * ring) do
        places[#places + 1] = { x + dx, y + dy }
      end
    end
  end
  return places
end

-- The nearest place where a unit of this kind fits.
local function find_room(kind, x, y)
  for _, at in ipairs(around(x, y, 12)) do
    if is_inside(at[1], at[2], kind.size) and kind.finder:clearance(at[1], at[2]) >= kind.size then
      return at
    end
  end
end

local function muster(game, squad)
  local kind = squad.kind
  for _, at in ipairs(around(squad.home[1], squad.home[2], 14)) do
    if #squad.units < kind.strength and is_inside(at[1], at[2], kind.size) then
      local unit = game.crowd:add(at[1], at[2], { finder = kind.finder, period = kind.period })
      if unit then
        squad.units[#squad.units + 1] = unit
        game.soldiers[#game.soldiers + 1] = { unit = unit, kind = kind, army = squad.army }
      end
    end
  end
end

-- The squads of an army in columns, its foot nearest to the river; each knows where it is at home, and
-- where that is on the other bank.
local function new_army(game, army)
  local place = 0
  for _, kind in ipairs(game.kinds) do
    for _ = 1, kind.squads do
      local x = 100 - 20 * math.floor(place / ROWS)
      local y = math.floor(9 + place % ROWS * (HEIGHT - 18) / (ROWS - 1))
      local west, east = find_room(kind, x, y), find_room(kind, WIDTH + 1 - x, y)
      local squad = { kind = kind, army = army, units = {}, home = army == 1 and west or east,
        away = army == 1 and east or west }
      game.squads[#game.squads + 1] = squad
      muster(game, squad)
      place = place + 1
    end
  end
  assert(place == COLUMNS * ROWS)
end

function Armies.new(seed)
  local dice = new_dice(seed)
  local game = setmetatable({
    grid = new_map(dice), kinds = {}, squads = {}, soldiers = {}, gates = {}, frame = 0,
    has_marshal = true, manoeuvres = 0, rested = REST_FRAMES,
  }, Armies)
  for i, kind in ipairs(KINDS) do
    game.kinds[i] = setmetatable({ finder = game.grid:finder { size = kind.size } }, { __index = kind })
  end
  game.crowd = astar.crowd(game.kinds[1].finder, { speed = SPEED, seed = seed })
  for army = 1, 2 do new_army(game, army) end
  for i, gate in ipairs(GATES) do
    game.gates[i] = { x = RIVER.x + 4, y = gate.y, w = 2, h = gate.height, is_open = true,
      turns_at = i * GATE_FRAMES / 2 }
  end
  return game
end

-- ---- gates ----

-- A gate that is told to shut comes down cell by cell, wherever nobody stands: on no one's head.
local function lower(game, gate)
  for y = gate.y, gate.y + gate.h - 1 do
    for x = gate.x, gate.x + gate.w - 1 do
      if not game.grid:is_blocked(x, y, "gates") and not game.crowd:unit_at(x, y) then
        game.grid:block(x, y, "gates")
      end
    end
  end
end

function Armies:turn_gate(gate)
  gate.is_open = not gate.is_open
  if gate.is_open then self.grid:unblock(gate.x, gate.y, gate.w, gate.h, "gates") end
end

local function see_to_gates(game)
  for _, gate in ipairs(game.gates) do
    if game.has_marshal and game.frame >= gate.turns_at then
      gate.turns_at = game.frame + GATE_FRAMES
      game:turn_gate(gate)
    end
    if not gate.is_open then lower(game, gate) end
  end
end

-- ---- orders ----

-- All to one place, or the nearest to it where their kind fits; how many go.
function Armies:send(units, x, y)
  local groups, sent = {}, 0
  for _, unit in ipairs(units) do
    groups[unit.size] = groups[unit.size] or {}
    table.insert(groups[unit.size], unit)
  end
  for size, kind in ipairs(self.kinds) do
    local at = groups[size] and find_room(kind, x, y)
    sent = sent + (at and self.crowd:go(groups[size], at[1], at[2]) or 0)
  end
  return sent
end

-- Deals them out to places along a line, those that are nearest to its beginning first.
function Armies:send_along(units, x0, y0, x1, y1)
  local dx, dy = x1 - x0, y1 - y0
  local places = math.max(1, math.min(#units, math.floor(math.sqrt(dx * dx + dy * dy) / 6)))
  local along = {}
  for i, unit in ipairs(units) do
    along[i] = { unit = unit, at = (unit.x - x0) * dx + (unit.y - y0) * dy, i = i }
  end
  table.sort(along, function(a, b) return a.at < b.at or a.at == b.at and a.i < b.i end)
  local sent = 0
  for place = 1, places do
    local group = {}
    for i = math.floor((place - 1) * #along / places) + 1, math.floor(place * #along / places) do
      group[#group + 1] = along[i].unit
    end
    local t = places > 1 and (place - 1) / (places - 1) or 1
    sent = sent + self:send(group, math.floor(x0 + t * dx + 0.5), math.floor(y0 + t * dy + 0.5))
  end
  return sent
end

-- What the marshal has them do, in turn.
local MANOEUVRES = {
  { "the armies change banks", function(squad) return squad.away end },
  { "home again", function(squad) return squad.home end },
  { "all to one place", function() return { MUSTER.x, MUSTER.y } end },
  { "home again", function(squad) return squad.home end },
}

-- The next manoeuvre, once all are where they were sent.
local function command(game)
  if game.crowd.under_way > 0 then
    game.rested = 0
    return
  end
  game.rested = game.rested + 1
  if game.rested >= REST_FRAMES then
    local manoeuvre = MANOEUVRES[game.manoeuvres % #MANOEUVRES + 1]
    game.manoeuvres, game.manoeuvre, game.rested = game.manoeuvres + 1, manoeuvre[1], 0
    for _, squad in ipairs(game.squads) do
      local at = manoeuvre[2](squad)
      game:send(squad.units, at[1], at[2])
    end
  end
end

function Armies:advance()
  self.frame = self.frame + 1
  see_to_gates(self)
  if self.has_marshal then command(self) end
  self.crowd:update(Armies.FRAME)
end

return Armies
