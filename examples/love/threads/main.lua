-- Threads: three packs of monsters, a thread each, surround their prey on one map that you change meanwhile.
--
-- Left button: paint walls, right button: tear them down. Middle button or space: the prey moves here. Escape: leave.

local art = require "art"
local astar = require "astar"
local look = require "look"

local WIDTH, HEIGHT, THREADS, MONSTERS, NAME = 120, 80, 3, 60, "love threads"
local STEP, LONGEST = 1 / 15, 8 -- seconds: of a monster's step, and before the prey slips away
local COLORS = look.COLORS
local COATS = { COLORS.raider, COLORS.knight, COLORS.monster }

local legend = look.legend({
  { COATS[1], "first pack" }, { COATS[2], "second pack" }, { COATS[3], "third pack" }, { COLORS.prey, "prey" },
  { COLORS.wall, "wall" },
}, {
  { "left button", "walls" }, { "right button", "tear down" }, { "Space", "the prey moves to the mouse" },
  { "Escape", "leave" },
})

-- In the gallery its files lie in a folder.
local FOLDER = love.filesystem.getInfo "monsters.lua" and "" or "threads/"

local random = love.math.newRandomGenerator(7)

local grid = astar.grid(WIDTH, HEIGHT)
for _ = 1, 130 do
  local w, h = random:random(2, 16), random:random(2, 16)
  if random:random() < 0.5 then w = 1 else h = 1 end
  grid:block(random:random(1, WIDTH - w), random:random(1, HEIGHT - h), w, h)
end
grid:share(NAME)

local view = astar.love.view(grid, {
  scale = 8, colors = { ["."] = COLORS.grass }, theme = { block = COLORS.wall },
})

local game = { grid = grid, view = view, threads = {}, packs = {}, prey = {}, waited = 0 }

-- What monsters hunt. Threads are told over a channel each; the map they have already.
local function set_prey(x, y)
  game.prey.x, game.prey.y, game.waited = x, y, 0
  for i = 1, THREADS do
    love.thread.getChannel("prey " .. i):push { x = x, y = y }
  end
end

for i = 1, THREADS do
  game.threads[i] = love.thread.newThread(FOLDER .. "monsters.lua")
  game.threads[i]:start(i, NAME, MONSTERS, THREADS)
  game.packs[i] = { cells = {}, before = {}, turned = {}, searches = 0, version = 0, age = 0 }
end
set_prey(WIDTH / 2, HEIGHT / 2)

local function paint(px, py, wall)
  local x, y = view:to_cell(px, py)
  if not x then
    return
  end
  local w, h = math.min(2, WIDTH + 1 - x), math.min(2, HEIGHT + 1 - y)
  if wall then grid:block(x, y, w, h) else grid:unblock(x, y, w, h) end
end

-- Takes what a pack reports: where its monsters were one step ago, and where they are now.
local function take_report(i, dt)
  local old = game.packs[i]
  local pack = love.thread.getChannel("pack " .. i):pop()
  if not pack then
    old.age = old.age + dt
    return
  end
  pack.before, pack.turned, pack.age = #old.cells > 0 and old.cells or pack.cells, old.turned, 0
  for k = 1, #pack.cells, 2 do
    local dx, dy = pack.cells[k] - pack.before[k], pack.cells[k + 1] - pack.before[k + 1]
    if dx == 0 and dy == 0 then -- at rest it looks at the prey
      dx, dy = game.prey.x - pack.cells[k], game.prey.y - pack.cells[k + 1]
    end
    pack.turned[k] = math.atan2(dy, dx)
  end
  game.packs[i] = pack
end

-- After some seconds the prey is somewhere else, and the hunt goes on.
local function slip_away(dt)
  game.waited = game.waited + dt
  if game.waited < LONGEST then return end
  local x, y = random:random(8, WIDTH - 8), random:random(8, HEIGHT - 8)
  if grid:is_walkable(x, y) then set_prey(x, y) end
end

function love.update(dt)
  slip_away(dt)
  for button = 1, 2 do
    if love.mouse.isDown(button) then
      paint(love.mouse.getX(), love.mouse.getY(), button == 1)
    end
  end
  -- All edits of a frame become visible at once, to all threads. Nobody waits.
  grid:publish()
  for i, thread in ipairs(game.threads) do
    take_report(i, dt)
    local failure = thread:getError()
    if failure then
      error(failure)
    end
  end
end

local function move_prey(px, py)
  local x, y = view:to_cell(px, py)
  if x and grid:is_walkable(x, y) then
    set_prey(x, y)
  end
end

function love.mousepressed(px, py, button)
  if button == 3 then
    move_prey(px, py)
  end
end

function love.keypressed(key)
  if key == "escape" then
    love.event.quit()
  elseif key == "space" then
    move_prey(love.mouse.getPosition())
  end
  look.key(key)
end

function love.resize(width, height)
  view:fit(0, 0, width, height - legend:height())
end

function love.draw()
  look.clear()
  view:draw()
  look.relief(view, grid, function(x, y) return grid:is_blocked(x, y) end)
  local routes = 0
  for i, pack in ipairs(game.packs) do
    local part = math.min(1, pack.age / STEP)
    for k = 1, #pack.cells, 2 do
      local x = pack.before[k] + (pack.cells[k] - pack.before[k]) * part
      local y = pack.before[k + 1] + (pack.cells[k + 1] - pack.before[k + 1]) * part
      look.token(view, x, y, COATS[i], pack.turned[k])
    end
    routes = routes + pack.searches
  end
  art.draw_person(view, game.prey.x, game.prey.y, "prey", 0, nil, nil, 2)
  legend:draw(("%d monsters in %d threads have found %d routes."):format(THREADS * MONSTERS, THREADS, routes))
end

function love.quit()
  for i, thread in ipairs(game.threads) do
    love.thread.getChannel("prey " .. i):push(false)
    thread:wait()
  end
end

love.resize(love.graphics.getDimensions())

return game
