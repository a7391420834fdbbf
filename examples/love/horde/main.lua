-- The horde: 5,000 units chase the mouse over one flow field.
--
-- Left button: paint walls, right button: tear them down. F: flee or chase. 1 to 3: size of the units.
-- A: arrows. Wheel: zoom. Escape: leave.

local astar = require "astar"
local units = require "units"

local SIDE, COUNT = 256, 5000
local PAUSE = 0.15 -- seconds between two new flow fields, however fast the mouse moves

local random = love.math.newRandomGenerator(11)

local grid = astar.grid(SIDE, SIDE)
for _ = 1, 140 do
  local w, h = random:random(2, 24), random:random(2, 24)
  if random:random() < 0.5 then w = 2 else h = 2 end
  grid:block(random:random(1, SIDE - w), random:random(1, SIDE - h), w, h)
end

local view = astar.love.view(grid, { scale = 3, colors = { ["."] = "#20252b" }, theme = { block = "#4d7fa8" } })

local game = { grid = grid, view = view, size = 1, is_fleeing = false, shows_arrows = false, share = 0 }

local function nearest_free(x, y)
  for radius = 0, SIDE do
    for ny = math.max(1, y - radius), math.min(SIDE, y + radius) do
      for nx = math.max(1, x - radius), math.min(SIDE, x + radius) do
        if game.finder:clearance(nx, ny) >= game.size then
          return nx, ny
        end
      end
    end
  end
end

local function set_goal(x, y)
  x, y = nearest_free(x, y)
  game.goal_x, game.goal_y = x, y
  game.chase = game.finder:flow { { x, y } }
  game.flow = game.is_fleeing and game.chase:flee() or game.chase
end

local function set_size(size)
  game.size = size
  game.finder = grid:finder { size = size }
  game.units = units.new(grid, game.finder, size, COUNT, random)
  set_goal(game.goal_x or SIDE / 2, game.goal_y or SIDE / 2)
end

function love.load()
  if not grid:finder().flow or not grid:finder().clearance then
    error "this build of astar has no finder:flow or finder:clearance"
  end
  view:fit(0, 0, 1024, 770)
  set_size(1)
end

-- Walls stand at once; the flow field is made anew with the next one.
local function paint(px, py, is_wall)
  local x, y = view:to_cell(px, py)
  if not x then
    return
  end
  local w, h = math.min(3, SIDE - x + 1), math.min(3, SIDE - y + 1)
  if is_wall then
    grid:block(x, y, w, h)
  else
    grid:unblock(x, y, w, h)
  end
  view:touch(x, y, w, h)
  units.evict(game.units, game.finder, game.size)
  game.is_edited = true
end

local function chase_mouse(dt)
  game.pause = (game.pause or 0) - dt
  local x, y = view:to_cell(love.mouse.getPosition())
  local is_moved = x and (x ~= game.mouse_x or y ~= game.mouse_y)
  if game.pause > 0 or not (is_moved or game.is_edited) then
    return
  elseif is_moved then
    game.mouse_x, game.mouse_y = x, y
    set_goal(x, y)
  else
    set_goal(game.goal_x, game.goal_y)
  end
  game.pause, game.is_edited = PAUSE, false
end

function love.update(dt)
  local before = love.timer.getTime()
  chase_mouse(dt)
  units.ask(game.units, game.flow)
  local share = (love.timer.getTime() - before) * 1000
  game.share = game.share + (share - game.share) * 0.1
  units.move(game.units, dt)
end

function love.mousepressed(px, py, button)
  paint(px, py, button == 1)
end

function love.mousemoved(px, py)
  if love.mouse.isDown(1, 2) then
    paint(px, py, love.mouse.isDown(1))
  end
end

function love.wheelmoved(_, dy)
  view:zoom(1.2 ^ dy, love.mouse.getPosition())
end

function love.keypressed(key)
  if key == "f" then
    game.is_fleeing = not game.is_fleeing
    set_goal(game.goal_x, game.goal_y)
  elseif key == "a" then
    game.shows_arrows = not game.shows_arrows
  elseif key == "1" or key == "2" or key == "3" then
    set_size(tonumber(key))
  elseif key == "escape" then
    love.event.quit()
  end
end

local points = {}

local function draw_units()
  local list, half = game.units, game.size / 2
  for i = 0, list.count - 1 do
    points[2 * i + 1] = view.x + (list.x[i] - 1 + half) * view.scale
    points[2 * i + 2] = view.y + (list.y[i] - 1 + half) * view.scale
  end
  love.graphics.setColor(game.is_fleeing and { 0.95, 0.85, 0.35 } or { 0.95, 0.5, 0.3 })
  love.graphics.setPointSize(math.max(2, view.scale * 0.7 * game.size))
  love.graphics.points(points)
end

function love.draw()
  view:draw()
  if game.shows_arrows then
    view:draw_flow(game.chase)
  end
  draw_units()
  view:draw_cell(game.goal_x, game.goal_y, { 1, 1, 1 }, -0.5, 1)
  love.graphics.setColor(1, 1, 1)
  love.graphics.print(("%d units of size %d, %s   astar %.2f ms a frame   %d frames a second   "
    .. "left, right button: walls   F: flee   1 to 3: size   A: arrows"):format(game.units.count, game.size,
    game.is_fleeing and "fleeing" or "chasing", game.share, love.timer.getFPS()), 10, 778)
end

return game
