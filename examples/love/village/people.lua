-- people.lua -- who walks about the village: each kind with a finder of its own over the same grid.

local astar = require "astar"

local people = {}

local SPEEDS = { player = 5, villager = 3, cart = 3.5, duck = 2, cat = 4 }

-- Kinds differ by data; a cat also by a function, which is asked about cells while it looks for a way.
function people.finders(grid, player)
  local shy = grid:finder {
    costs = { swamp = 2 },
    cost = function(x, y, _, cost)
      local distance = math.max(math.abs(x - player.x), math.abs(y - player.y))
      return distance < 5 and cost * (6 - distance) or cost
    end,
  }
  return {
    player = grid:finder(),
    villager = grid:finder { costs = { grass = 2 } },
    cart = grid:finder { costs = { grass = 3, swamp = false, floor = false }, diagonals = "never" },
    duck = grid:finder { costs = { water = 1, swamp = 1, grass = 6, road = 6, floor = false } },
    cat = shy,
  }
end

function people.new(kind, x, y)
  return { kind = kind, x = x, y = y, cell_x = x, cell_y = y, phase = 0, rest = 0 }
end

-- The cell one walks on from.
local function cell_of(person)
  if person.walker then
    return person.walker:cell()
  end
  return person.x, person.y
end

local function follow(person, path)
  if person.walker then
    person.walker:follow(path)
  else
    person.walker = astar.walker(path, { speed = SPEEDS[person.kind] })
  end
  person.path, person.is_waiting = path, false
end

-- Sends somebody off, who may be between two cells; without a way there all stays as it was.
function people.send(person, finder, x, y)
  local from_x, from_y = cell_of(person)
  local path, reason = finder:find_path(from_x, from_y, x, y)
  if not path then
    return nil, reason
  end
  person.route = nil
  follow(person, path)
  return path
end

-- The same over way-points: one leg of the route after the other.
function people.send_by_ways(person, joined, x, y)
  local from_x, from_y = cell_of(person)
  local route, reason = joined:find_path(from_x, from_y, x, y)
  local path = route and (route[2] and joined:leg(route, 1))
  if not path then
    return nil, reason
  end
  person.route, person.leg, person.joined = route, 1, joined
  follow(person, path)
  return route
end

-- Begins the next leg of a route, if there is one and it can still be walked.
local function follow_next_leg(person)
  local route = person.route
  local path = route and person.leg + 1 < #route and person.joined:leg(route, person.leg + 1)
  if path then
    person.leg = person.leg + 1
    follow(person, path)
  end
  return path
end

-- One frame of somebody's walk. At each cell the rest of the way is looked at; where a door has closed and
-- there is no other way, one waits before it.
function people.walk(person, dt)
  local walker = person.walker
  if not walker then
    return
  end
  local x, y, index = person.x, person.y, walker.index
  person.x, person.y = walker:update(dt)
  person.cell_x, person.cell_y = math.floor(person.x + 0.5), math.floor(person.y + 0.5)
  if person.x ~= x or person.y ~= y then
    person.phase = person.phase + walker.speed * dt
  end
  if walker.arrived then
    if not follow_next_leg(person) then
      person.walker = nil
    end
  elseif walker.index ~= index or person.is_waiting then
    person.is_waiting = not walker:repair()
    person.path = walker.path
  end
end

-- Somebody with nothing to do, or no way, rests a while and then goes to a cell at random that can be reached.
function people.wander(person, finder, grid, random, dt)
  if person.walker and not person.is_waiting then
    return
  end
  person.rest = person.rest - dt
  if person.rest > 0 then
    return
  end
  person.rest = 0.5 + random:random() * 2
  local width, height = grid:size()
  local x, y = random:random(width), random:random(height)
  people.send(person, finder, x, y)
end

return people
