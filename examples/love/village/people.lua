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

-- Sends somebody off; from between two cells by way of the cell ahead.
function people.send(person, finder, x, y)
  local walker = person.walker
  if walker and not walker.arrived then
    person.waiting = { x, y }
    return person.path
  end
  person.path, person.reason = finder:find_path(person.cell_x, person.cell_y, x, y)
  person.walker = person.path and astar.walker(person.path, { speed = SPEEDS[person.kind] })
  return person.path, person.reason
end

-- At a cell: turns to a new goal, or stops where the way on has been closed.
local function arrive_at_cell(person, finder)
  local walker = person.walker
  person.cell_x, person.cell_y = walker.from_x, walker.from_y
  local waiting = person.waiting
  if waiting or not person.path:is_valid() then
    local goal_x, goal_y = person.path:cell(#person.path)
    person.walker, person.waiting = nil, nil
    person.x, person.y = person.cell_x, person.cell_y
    people.send(person, finder, waiting and waiting[1] or goal_x, waiting and waiting[2] or goal_y)
  end
end

-- One frame of somebody's walk.
function people.walk(person, finder, dt)
  local walker = person.walker
  if not walker then
    return
  end
  local index = walker.index
  person.x, person.y = walker:update(dt)
  person.phase = person.phase + walker.speed * dt
  if walker.arrived then
    person.cell_x, person.cell_y = walker.x, walker.y
    person.walker = nil
    local waiting = person.waiting
    person.waiting = nil
    if waiting then
      people.send(person, finder, waiting[1], waiting[2])
    end
  elseif walker.index ~= index then
    arrive_at_cell(person, finder)
  end
end

-- Somebody with nothing to do rests a while and then goes to a cell at random that can be reached.
function people.wander(person, finder, grid, random, dt)
  if person.walker then
    return
  end
  person.rest = person.rest - dt
  if person.rest > 0 then
    return
  end
  person.rest = 0.5 + random:random() * 2
  local width, height = grid:size()
  local x, y = random:random(width), random:random(height)
  if finder:find_path(person.cell_x, person.cell_y, x, y) then
    people.send(person, finder, x, y)
  end
end

return people
