-- delivery.lua -- a game of deliveries: a van drives the best round of the day, a street is closed under it, an order
-- comes in, the game is saved on the way and goes on as if it had not been.

local astar = require "astar"

local TOWN = [[
########################################
#......................................#
#.####.####.####.####.####.####.####.#.#
#.####.####.####.####.####.####.####.#.#
#......................................#
#.####.####.~~~~~~~~~.####.####.####.#.#
#.####.####.~~~~~~~~~.####.####.####.#.#
#......................................#
#.####.####.####.####.####.####.####.#.#
#.####.####.####.####.####.####.####.#.#
#......................................#
########################################
]]
local FRAME = 1 / 60
local DEPOT = { 2, 11 }
local VAN = { speed = 5, acceleration = 6, turn = 5 } -- cells and radians, a second

local grid = astar.grid(TOWN, { terrain = { ["."] = 1, ["~"] = 4, ["#"] = false } }) -- through the park it takes longer
local finder = grid:finder { diagonals = "never" }

local function say(seconds, ...)
  print(("%5.1f s  %s"):format(seconds, (...):format(select(2, ...))))
end

-- ---- the game: what is to be brought where, and the van ----

local game = {
  seconds = 0,
  orders = { { 8, 2, "bread" }, { 37, 5, "flowers" }, { 22, 8, "a lamp" }, { 2, 5, "a letter" }, { 33, 11, "ink" } },
  van = false, next = false, -- the order it is on its way to; none: to the depot
}

-- Where the van would begin a new way.
local function place_of_van()
  if game.van then return { game.van:cell() } end
  return DEPOT
end

-- The best round by all that is left, and then home: what comes first of it.
local function plan()
  local order, cost, exact = finder:tour(game.orders, { from = place_of_van(), back = DEPOT })
  local names = {}
  for i, at in ipairs(order) do names[i] = game.orders[at][3] end
  say(game.seconds, "round: %s, home: %.0f%s", table.concat(names, ", "), cost, exact and "" or " or so")
  return order[1]
end

local function set_off()
  game.next = game.orders[1] and plan() or false
  local place, from = game.orders[game.next] or DEPOT, place_of_van()
  local path = assert(finder:find_path(from[1], from[2], place[1], place[2]))
  if game.van then game.van:follow(path) else game.van = astar.walker(path, VAN) end
end

local function arrive()
  if not game.next then
    return true
  end
  say(game.seconds, "brings %s", table.remove(game.orders, game.next)[3])
  set_off()
end

-- ---- saved games ----

-- The map, the van, and what is the game's own. Orders are few enough to be kept here as they are.
local function save()
  return { grid = grid:dump(), van = game.van:dump(), seconds = game.seconds }
end

local function load(saved)
  grid = astar.load(saved.grid)
  finder = grid:finder { diagonals = "never" }
  game.van, game.seconds = astar.load_walker(saved.van, finder), saved.seconds
end

-- ---- the day ----

local EVENTS = {
  { 6, function()
    grid:block(30, 2)
    say(game.seconds, "a street is closed")
  end },
  { 9, function()
    game.orders[#game.orders + 1] = { 14, 11, "a cake" }
    say(game.seconds, "an order: a cake")
    set_off()
  end },
  { 12, function()
    local saved = save()
    load(saved)
    say(game.seconds, "saved and loaded: %d bytes", #saved.grid + #saved.van)
  end },
}

set_off()
local is_home = false
while not is_home do
  if EVENTS[1] and game.seconds >= EVENTS[1][1] then table.remove(EVENTS, 1)[2]() end
  if not game.van.path:is_valid(game.van.index) then game.van:repair { optimal = true } end
  local x, y, arrived = game.van:update(FRAME)
  game.seconds = game.seconds + FRAME
  if arrived then
    is_home = arrive()
  elseif math.floor(game.seconds / 8) > math.floor((game.seconds - FRAME) / 8) then
    say(game.seconds, "the van is at (%.1f, %.1f), facing %.0f degrees", x, y, math.deg(game.van.angle))
    print(grid:draw(game.van.path))
  end
end
say(game.seconds, "home, %d orders left", #game.orders)
