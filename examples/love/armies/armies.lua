-- armies.lua -- the game without its window: two armies that march in shapes over bridges, which are built and blown.
--
--     local game = Armies.new(seed)
--     game:advance()                             a frame, 1/60 s: bridges, the marshal, orders, the crowd
--     game:send(squads, x, y, facing, shape)     an order of the player's; game.has_marshal = false for none but those
--     game:turn_bridge(bridge)  game:turn_wall(x, y)
--
-- Chance is the seed's, and time the number of frames, so the same calls make the same game everywhere.

local astar = require "astar"

local Armies = {}
Armies.__index = Armies

Armies.WIDTH, Armies.HEIGHT, Armies.FRAME = 200, 112, 1 / 60
Armies.SHAPES = { "line", "box", "wedge", "disc" }

local WIDTH, HEIGHT = Armies.WIDTH, Armies.HEIGHT
local RIVER = { x = 96, width = 10 }
local WALL = 3                -- cells, each way
local PLANK_FRAMES = 6        -- between two pairs of columns of a bridge that is built or blown
local BRIDGE_FRAMES = 15 * 60 -- between two of the marshal's doings with bridges
local REST_FRAMES = 2 * 60    -- between the end of one manoeuvre and the next
local ORDERS = 2              -- squads that are told in a frame: a shape takes some tenths of a millisecond

-- Everybody's bridges are as wide as they like; large units have lanes of their own, as wide as they are, one for each
-- army. In the deck of a lane is the ground that only its finder may enter.
local BRIDGES = {
  { { y = 13, size = 2, deck = "r" }, { y = 16, size = 2, deck = "b" } },
  { { y = 33, size = 14, deck = "=" } },
  { { y = 67, size = 14, deck = "=" } },
  { { y = 94, size = 3, deck = "R" }, { y = 98, size = 3, deck = "B" } },
}

-- A beat is a step of the fastest, ten a second: six frames. The others step in every second or third.
local SPEED = 10
local KINDS = {
  { name = "foot", size = 1, period = 2, squads = 18, strength = 24, decks = { "=", "=" } },
  { name = "riders", size = 2, period = 1, squads = 5, strength = 10, decks = { "r", "b" } },
  { name = "wagons", size = 3, period = 3, squads = 4, strength = 5, decks = { "R", "B" } },
}

-- ---- the map ----

-- Whole numbers from 'least' to 'most', the same on every Lua.
local function new_dice(seed)
  local state = seed % 2147483646 + 1
  return function(least, most)
    state = state * 48271 % 2147483647
    return least + state % (most - least + 1)
  end
end

local function new_map(dice)
  local grid = astar.grid(WIDTH, HEIGHT, {
    terrain = { ["."] = 1, ["="] = 1, r = 1, b = 1, R = 1, B = 1, ["~"] = false, ["^"] = false }, fill = ".",
  })
  for _ = 1, 10 do -- rocks, as many on either bank, apart from each other
    local x, y, w, h = dice(1, 6) * 14, dice(1, 6) * 16, dice(2, 4), dice(2, 4)
    grid:fill(x, y, w, h, "^")
    grid:fill(WIDTH + 2 - x - w, y, w, h, "^")
  end
  grid:fill(RIVER.x, 1, RIVER.width, HEIGHT, "~")
  return grid
end

-- ---- bridges ----

function Armies.is_river(x)
  return x >= RIVER.x and x < RIVER.x + RIVER.width
end

local PAIRS = RIVER.width / 2 -- of columns: the first in the middle, the last at the banks

local function each_plank(bridge, pair, f)
  local middle = RIVER.x + PAIRS
  for _, lane in ipairs(bridge.lanes) do
    for y = lane.y, lane.y + lane.size - 1 do
      f(middle - pair, y, lane.deck)
      f(middle + pair - 1, y, lane.deck)
    end
  end
end

function Armies.turn_bridge(_, bridge)
  bridge.is_wanted = not bridge.is_wanted
end

-- Cell by cell where nobody stands. What is nearer to the banks stays until all is gone farther out, so that everybody
-- comes off it.
local function blow(game, bridge)
  local is_gone = true
  each_plank(bridge, bridge.gone + 1, function(x, y)
    if game.crowd:unit_at(x, y) then
      is_gone = false
    else
      game.grid:set(x, y, "~")
    end
  end)
  if is_gone then bridge.gone = bridge.gone + 1 end
end

-- From the banks. Of the next pair some cells may be gone, too.
local function build(game, bridge)
  for pair = math.max(1, bridge.gone), math.min(bridge.gone + 1, PAIRS) do
    each_plank(bridge, pair, function(x, y, deck) game.grid:set(x, y, deck) end)
  end
  bridge.gone = math.max(0, bridge.gone - 1)
end

local function see_to_bridges(game)
  if game.frame % PLANK_FRAMES ~= 0 then return end
  for _, bridge in ipairs(game.bridges) do
    if bridge.is_wanted then
      build(game, bridge)
    elseif bridge.gone < PAIRS then
      blow(game, bridge)
    end
  end
end

-- ---- walls ----

-- Raises a wall around a cell, or razes what stands there; false where somebody or the river is in its way.
function Armies:turn_wall(x, y)
  x = math.max(1, math.min(WIDTH - WALL + 1, x - 1))
  y = math.max(1, math.min(HEIGHT - WALL + 1, y - 1))
  if self.grid:is_blocked(x + 1, y + 1, "walls") then
    self.grid:unblock(x, y, WALL, WALL, "walls")
    return true
  end
  for row = y, y + WALL - 1 do
    for column = x, x + WALL - 1 do
      if self.crowd:unit_at(column, row) or self.grid:get(column, row) ~= "." then return false end
    end
  end
  self.grid:block(x, y, WALL, WALL, "walls")
  return true
end

-- ---- orders ----

-- How wide and how deep a squad is in a shape.
local function extent(kind, shape)
  local count, side = kind.strength, math.ceil(math.sqrt(kind.strength))
  local wide = shape == "line" and count or shape == "box" and math.floor(math.sqrt(2 * count) + 0.5)
    or shape == "wedge" and 2 * side - 1 or side
  return wide * kind.size, (shape == "wedge" and side or math.ceil(count / wide)) * kind.size
end

-- Squads one beside the other in ranks, foot first, the front of all at (x, y); 'spread': as wide as the map.
function Armies:send(squads, x, y, facing, shape, spread)
  local cos, sin = math.cos(facing), math.sin(facing)
  local behind = 0
  for _, kind in ipairs(self.kinds) do
    local own = {}
    for _, squad in ipairs(squads) do
      if squad.kind == kind then own[#own + 1] = squad end
    end
    local wide, deep = extent(kind, shape)
    local most = math.min(6, math.max(1, math.floor(HEIGHT / (wide + 2))))
    for i, squad in ipairs(own) do
      local rank = math.floor((i - 1) / most)
      local count = math.min(most, #own - rank * most)
      local pitch = spread and (HEIGHT - 6) / count or wide + 2
      local across, back = ((i - 1) % most - (count - 1) / 2) * pitch, behind + rank * (deep + 2) + deep / 2
      squad.order = { shape = shape, facing = facing,
        x = math.max(2, math.min(WIDTH - 3, math.floor(x - cos * back - sin * across + 0.5))),
        y = math.max(2, math.min(HEIGHT - 3, math.floor(y - sin * back + cos * across + 0.5))) }
    end
    behind = behind + math.ceil(#own / most) * (deep + 2)
  end
end

local function tell_squads(game)
  local left = ORDERS
  for _, squad in ipairs(game.squads) do
    local order = squad.order
    if order and left > 0 then
      left, squad.order, squad.facing = left - 1, nil, order.facing
      game.crowd:go(squad.units, order.x, order.y, { shape = order.shape, facing = order.facing })
    end
  end
  return left < ORDERS
end

-- What the marshal has them do, in turn: where the front of the first army is, in which shape.
local MANOEUVRES = {
  { "lines", 92, "line" }, { "over the river, in wedges", 194, "wedge" }, { "boxes", 190, "box" },
  { "home again", 92, "box" }, { "wedges", 90, "wedge" }, { "over the river, in lines", 194, "line" },
  { "home again, in discs", 92, "disc" },
}

local function army_of(game, army)
  local squads = {}
  for _, squad in ipairs(game.squads) do
    if squad.army == army then squads[#squads + 1] = squad end
  end
  return squads
end

local function begin_manoeuvre(game)
  local next_one = MANOEUVRES[game.manoeuvres % #MANOEUVRES + 1]
  local front, shape = next_one[2], next_one[3]
  game.manoeuvres, game.manoeuvre = game.manoeuvres + 1, next_one[1]
  game:send(army_of(game, 1), front, HEIGHT / 2, 0, shape, true)
  game:send(army_of(game, 2), WIDTH + 1 - front, HEIGHT / 2, math.pi, shape, true)
end

-- The next manoeuvre, once all are where they were sent. Bridges are blown in turn, and built again.
local function command(game, is_telling)
  game.rested = (is_telling or game.crowd.under_way > 0) and 0 or game.rested + 1
  if game.rested >= REST_FRAMES then begin_manoeuvre(game) end
  if game.frame % BRIDGE_FRAMES == 0 then
    local turn = game.frame / BRIDGE_FRAMES - 1
    game:turn_bridge(game.bridges[2 + math.floor(turn / 2) % 2]) -- blown, built, then the other one
  end
end

-- ---- the armies ----

local function muster(game, squad, x, y)
  local kind = squad.kind
  for ring = 0, 12 do
    for dy = -ring, ring do
      for dx = -ring, ring, math.abs(dy) == ring and 1 or math.max(1, 2 * ring) do
        local at_x, at_y = x + dx, y + dy
        local is_inside = at_x >= 1 and at_y >= 1 and at_x + kind.size <= WIDTH and at_y + kind.size <= HEIGHT
        local unit = #squad.units < kind.strength and is_inside
          and game.crowd:add(at_x, at_y, { finder = squad.finder, period = kind.period })
        if unit then
          squad.units[#squad.units + 1] = unit
          game.soldiers[#game.soldiers + 1] = { unit = unit, kind = kind, squad = squad, army = squad.army,
            finder = squad.finder }
        end
      end
    end
  end
end

-- A finder of its own for each army's kind: of all the decks it may enter one.
local function new_finder(game, kind, army)
  local costs = { ["="] = false, r = false, b = false, R = false, B = false }
  costs[kind.decks[army]] = 1
  return game.grid:finder { size = kind.size, costs = costs }
end

local function new_squads(game, army)
  for _, kind in ipairs(game.kinds) do
    local finder = new_finder(game, kind, army)
    for _ = 1, kind.squads do
      game.squads[#game.squads + 1] = { kind = kind, army = army, finder = finder, units = {} }
    end
  end
end

-- Where they are sent first they are put down.
local function muster_all(game)
  begin_manoeuvre(game)
  for _, squad in ipairs(game.squads) do
    squad.facing = squad.order.facing
    muster(game, squad, squad.order.x, squad.order.y)
  end
end

function Armies.new(seed)
  local game = setmetatable({
    grid = new_map(new_dice(seed)), kinds = KINDS, squads = {}, soldiers = {}, bridges = {}, frame = 0,
    has_marshal = true, manoeuvres = 0, rested = 0,
  }, Armies)
  game.crowd = astar.crowd(game.grid:finder(), { speed = SPEED, seed = seed })
  for i, bridge in ipairs(BRIDGES) do
    game.bridges[i] = { lanes = bridge, is_wanted = true, gone = 0 }
    for pair = 1, PAIRS do build(game, { lanes = bridge, gone = pair }) end
  end
  for army = 1, 2 do new_squads(game, army) end
  muster_all(game)
  return game
end

-- Orders and edits first, then work ahead within a budget, then time.
function Armies:advance()
  self.frame = self.frame + 1
  see_to_bridges(self)
  local is_telling = tell_squads(self)
  if self.has_marshal then command(self, is_telling) end
  self.crowd:step { ms = 1 }
  self.crowd:update(Armies.FRAME)
end

return Armies
