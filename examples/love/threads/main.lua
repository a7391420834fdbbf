-- Threads: three threads of monsters, each a Lua state of its own, hunt over one map that is edited live.
--
-- Left button: paint walls, right button: tear them down. Middle button or space: the prey moves here. Escape: leave.

local astar = require "astar"
local look = require "look"

local WIDTH, HEIGHT, THREADS, MONSTERS, NAME = 120, 80, 3, 60, "love threads"
local COLORS = { { 0.94, 0.45, 0.38 }, { 0.45, 0.75, 0.95 }, { 0.95, 0.80, 0.35 } }
local PREY, WALL = { 1, 1, 1 }, { 0.302, 0.498, 0.659 }

local legend = look.legend({
  { COLORS[1], "thread 1" }, { COLORS[2], "thread 2" }, { COLORS[3], "thread 3" }, { PREY, "prey" }, { WALL, "wall" },
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

local view = astar.love.view(grid, { scale = 8, colors = { ["."] = "#20252b" }, theme = { block = WALL } })

local game = { grid = grid, view = view, threads = {}, packs = {}, prey = {} }

-- What monsters hunt. Threads are told over a channel each; the map they have already.
local function set_prey(x, y)
  game.prey.x, game.prey.y = x, y
  for i = 1, THREADS do
    love.thread.getChannel("prey " .. i):push { x = x, y = y }
  end
end

for i = 1, THREADS do
  game.threads[i] = love.thread.newThread(FOLDER .. "monsters.lua")
  game.threads[i]:start(i, NAME, MONSTERS)
  game.packs[i] = { cells = {}, searches = 0, version = 0 }
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

function love.update()
  for button = 1, 2 do
    if love.mouse.isDown(button) then
      paint(love.mouse.getX(), love.mouse.getY(), button == 1)
    end
  end
  -- All edits of a frame become visible at once, to all threads. Nobody waits.
  grid:publish()
  for i, thread in ipairs(game.threads) do
    game.packs[i] = love.thread.getChannel("pack " .. i):pop() or game.packs[i]
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
end

function love.resize(width, height)
  view:fit(0, 0, width, height - legend:height())
end

local function dot(x, y, size)
  local px, py = view:to_pixel(x, y)
  love.graphics.circle("fill", px, py, view.scale * size)
end

function love.draw()
  view:draw()
  local told = {}
  for i, pack in ipairs(game.packs) do
    love.graphics.setColor(COLORS[i])
    for k = 1, #pack.cells, 2 do
      dot(pack.cells[k], pack.cells[k + 1], 0.45)
    end
    told[i] = ("%d routes at version %d"):format(pack.searches, pack.version)
  end
  love.graphics.setColor(PREY)
  dot(game.prey.x, game.prey.y, 0.8)
  legend:draw(("threads: %s   here: version %d"):format(table.concat(told, ", "), grid:version()))
end

function love.quit()
  for i, thread in ipairs(game.threads) do
    love.thread.getChannel("prey " .. i):push(false)
    thread:wait()
  end
end

love.resize(love.graphics.getDimensions())

return game
