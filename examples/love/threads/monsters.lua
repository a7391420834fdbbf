-- What one thread runs: a pack of monsters that find their own ways over the main state's map, and surround the prey.

local number, name, count, packs = ...

require "love.timer"
require "love.math"
local astar = require "astar"

local PAUSE = 1 / 15 -- seconds a step takes

local orders, reports = love.thread.getChannel("prey " .. number), love.thread.getChannel("pack " .. number)

local map = assert(astar.shared(name))
local finder = map:finder()
local x0, y0, x1, y1 = map:bounds()
local random = love.math.newRandomGenerator(number)

local monsters, searches, prey = {}, 0, nil

while #monsters < count do
  local x, y = random:random(x0, x1), random:random(y0, y1)
  if map:is_walkable(x, y) then
    monsters[#monsters + 1] = { x = x, y = y, number = #monsters + 1 }
  end
end

-- Each monster has a place of its own in rings around the prey, so nobody ends on top of another: of the cells from the
-- prey outwards, every second one like the black squares of a chessboard, each pack takes its share by turns. All packs
-- count the same cells of the same map, so they need not talk to each other.
local function assign_places()
  local flow, turn, places = finder:flow({ { prey.x, prey.y } }, { max_cost = 40 }), 0, {}
  local list = {}
  for y = math.max(y0, prey.y - 40), math.min(y1, prey.y + 40) do
    for x = math.max(x0, prey.x - 40), math.min(x1, prey.x + 40) do
      local distance = (x + y) % 2 == 0 and flow:distance(x, y)
      if distance and distance >= 2 then list[#list + 1] = { x = x, y = y, distance = distance } end
    end
  end
  table.sort(list, function(a, b)
    return a.distance < b.distance or a.distance == b.distance and (a.y < b.y or a.y == b.y and a.x < b.x)
  end)
  for _, place in ipairs(list) do
    turn = turn % packs + 1
    if turn == number then places[#places + 1] = place end
  end
  -- The nearest monsters take the innermost places.
  local order = {}
  for i, monster in ipairs(monsters) do order[i] = monster end
  table.sort(order, function(a, b)
    local p = (a.x - prey.x) ^ 2 + (a.y - prey.y) ^ 2
    local q = (b.x - prey.x) ^ 2 + (b.y - prey.y) ^ 2
    return p < q or p == q and a.number < b.number
  end)
  for i, monster in ipairs(order) do
    monster.place = places[i] or { x = monster.x, y = monster.y }
    monster.path = nil
  end
end

-- The way that a monster had is kept for as long as nothing was built across it.
local function find_way(monster)
  monster.path = finder:find_path(monster.x, monster.y, monster.place.x, monster.place.y)
  monster.at = 1
  searches = searches + 1
end

local function step(monster)
  local path = monster.path
  if not path or not path:is_valid(monster.at) then
    find_way(monster)
    path = monster.path
  end
  if path and monster.at < #path then
    monster.at = monster.at + 1
    monster.x, monster.y = path:cell(monster.at)
  end
end

local function report()
  local cells = {}
  for i, monster in ipairs(monsters) do
    cells[2 * i - 1], cells[2 * i] = monster.x, monster.y
  end
  reports:clear()
  reports:push { cells = cells, searches = searches, version = map:version() }
end

while true do
  local order = orders:pop()
  if order == false then
    break
  end
  if order then
    prey = order
    assign_places()
  end
  if prey then
    for _, monster in ipairs(monsters) do step(monster) end
    report()
  end
  love.timer.sleep(PAUSE)
end
