-- people.lua -- who walks about the village: each kind with a finder of its own, all in one crowd, so nobody bumps.

local astar = require "astar"

local people = {}

local SPEED = 5 -- cells a second of the crowd; nobody is faster
local SPEEDS = { player = 5, villager = 3, cart = 3.5, duck = 2, cat = 4 }
local SHY = 5 -- cells: how far cats keep away from the player
local STILL = 0.4 -- seconds: somebody who has stood for so long is at rest, and faces forward

-- Kinds differ by data; cats also avoid a field around the player, which moves as the player does.
function people.finders(grid)
  local fear = astar.field(grid)
  return {
    player = grid:finder(),
    villager = grid:finder { costs = { grass = 2 } },
    cart = grid:finder { costs = { grass = 3, swamp = false, floor = false }, diagonals = "never" },
    duck = grid:finder { costs = { water = 1, swamp = 1, grass = 6, road = 6, floor = false } },
    cat = grid:finder { costs = { swamp = 2 }, avoid = fear },
  }, fear
end

-- Whole squares never overlap, so that pictures as wide as a cell do not either.
function people.new_crowd(grid)
  return astar.crowd(grid:finder(), { speed = SPEED, even = true, exclusive = true })
end

function people.new(kind, x, y, crowd, finder)
  local unit = assert(crowd:add(x, y, { finder = finder, speed = SPEEDS[kind] }))
  return { kind = kind, unit = unit, finder = finder, x = x, y = y, cell_x = x, cell_y = y, phase = 0, rest = 0,
    stood = STILL }
end

-- Notes where somebody is now, `dt` seconds after the last time.
function people.note_place(person, dt)
  local x, y = person.unit.x, person.unit.y
  local dx, dy = x - person.x, y - person.y
  local far = math.sqrt(dx * dx + dy * dy)
  person.x, person.y, person.phase = x, y, person.phase + far
  if far > 0 then
    person.stood, person.faces = 0, math.atan2(dy, dx)
  else
    person.stood = person.stood + dt
    if person.stood >= STILL then person.faces = nil end
  end
end

-- Puts fear around the player, once it is on another cell.
function people.frighten(fear, player)
  if fear.at_x ~= player.cell_x or fear.at_y ~= player.cell_y then
    fear.at_x, fear.at_y = player.cell_x, player.cell_y
    fear.field:fill(0)
    fear.field:stamp(player.cell_x, player.cell_y, SHY, SHY)
  end
end

-- The way of somebody from where it is to where it was sent, for drawing. nil and a reason if there is none.
local function find_way(person)
  local x, y = person.unit:cell()
  return person.finder:find_path(x, y, person.goal_x, person.goal_y)
end

-- Sends somebody off, who may be between two cells; without a way there all stays as it was.
function people.send(person, x, y)
  local from_x, from_y = person.unit:cell()
  local path, reason = person.finder:find_path(from_x, from_y, x, y)
  if not path then
    return nil, reason
  end
  person.unit:go(x, y)
  person.path, person.goal_x, person.goal_y = path, x, y
  person.route, person.leg, person.is_going = nil, nil, true
  return path
end

-- Sends somebody along the next leg of its route over way-points. Returns false after the last one, or if it is shut.
local function follow_next_leg(person)
  local route = person.route
  local path = route and person.leg + 1 < #route and person.joined:leg(route, person.leg + 1)
  if not path then return false end
  person.leg, person.path, person.is_going = person.leg + 1, path, true
  person.goal_x, person.goal_y = path:cell(#path)
  person.unit:go(person.goal_x, person.goal_y)
  return true
end

-- The same over way-points: one leg of the route after the other.
function people.send_by_ways(person, joined, x, y)
  local from_x, from_y = person.unit:cell()
  local route, reason = joined:find_path(from_x, from_y, x, y)
  if not route then
    return nil, reason
  end
  person.route, person.leg, person.joined = route, 0, joined
  if not follow_next_leg(person) then return nil, "you are there" end
  return route
end

-- One frame of somebody's walk, after the crowd's. The way is found again at each cell and after each edit, for
-- drawing. If a door has closed and there is no other way, one waits.
function people.walk(person, version, dt)
  local unit = person.unit
  people.note_place(person, dt)
  local cell_x, cell_y = unit:cell()
  local is_new = cell_x ~= person.cell_x or cell_y ~= person.cell_y or version ~= person.version
  person.cell_x, person.cell_y, person.version = cell_x, cell_y, version
  if not person.is_going then return end
  if unit.state == "arrived" and cell_x == person.goal_x and cell_y == person.goal_y then
    person.is_going = follow_next_leg(person)
  elseif is_new then
    local path = find_way(person)
    person.path, person.is_waiting = path or person.path, not path
  end
end

-- Somebody with nothing to do, or no way, rests a while and then goes to a cell at random that can be reached.
function people.wander(person, grid, random, dt)
  if person.is_going and not person.is_waiting then
    return
  end
  person.rest = person.rest - dt
  if person.rest > 0 then
    return
  end
  person.rest = 0.5 + random:random() * 2
  local width, height = grid:size()
  local x, y = random:random(width), random:random(height)
  people.send(person, x, y)
end

return people
