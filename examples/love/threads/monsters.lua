-- What one thread runs: a pack of monsters that find their own ways over the map of the main state.

local number, name, count = ...

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
    monsters[#monsters + 1] = { x = x, y = y }
  end
end

-- The way that a monster had is kept for as long as nothing was built across it.
local function find_way(monster)
  monster.path = finder:find_path(monster.x, monster.y, prey.x, prey.y, { range = 1 })
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
    for _, monster in ipairs(monsters) do monster.path = nil end
  end
  if prey then
    for _, monster in ipairs(monsters) do step(monster) end
    report()
  end
  love.timer.sleep(PAUSE)
end
