-- The horde: 5,000 units chase the mouse over one flow field, and around the walls one paints in their way.
--
-- Left button: paint walls, right button: tear them down. F: flee or chase. 1 to 3: size of the units.
-- A: the flow field. Wheel: zoom, middle button: scroll. R: again. Escape: leave.

local Meter = require "meter"
local astar = require "astar"
local units = require "units"

local SIDE, COUNT, BRUSH = 256, 5000, 4
local PAUSE = 0.1 -- seconds between two goals, however fast the mouse moves
local FEAR = 40   -- cells: who is farther away does not flee
local BOTTOM = 44 -- pixels under the map

local random = love.math.newRandomGenerator(11)

local grid = astar.grid(SIDE, SIDE)
for _ = 1, 140 do
  local w, h = random:random(2, 24), random:random(2, 24)
  if random:random() < 0.5 then w = 2 else h = 2 end
  grid:block(random:random(1, SIDE - w), random:random(1, SIDE - h), w, h)
end

local view = astar.love.view(grid, { scale = 3, colors = { ["."] = "#20252b" }, theme = { block = "#4d7fa8" } })

local game = {
  grid = grid, view = view, size = 1, is_fleeing = false, shows_flow = false,
  goal_x = SIDE / 2, goal_y = SIDE / 2, pause = 0,
  meter = Meter.new(), -- of what astar takes of a frame
}

-- The cell nearest to (x, y) where a unit fits.
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
  return x, y
end

local function set_goal(x, y)
  x, y = nearest_free(x, y)
  game.goal_x, game.goal_y = x, y
  if game.is_fleeing then
    game.flow = game.finder:flow({ { x, y } }, { max_cost = FEAR }):flee()
  else
    game.flow = game.finder:flow { { x, y } }
  end
end

local function set_size(size)
  game.size = size
  game.finder = grid:finder { size = size }
  game.units = units.new(grid, game.finder, size, COUNT, random)
  set_goal(game.goal_x, game.goal_y)
end

-- As large as the window is, also where a cell is no whole number of pixels.
function love.resize(width, height)
  local side = math.min(width, height - BOTTOM)
  view.scale, view.x, view.y = side / SIDE, (width - side) / 2, (height - BOTTOM - side) / 2
end

function love.load()
  love.resize(love.graphics.getDimensions())
  set_size(1)
end

-- Walls stand at once: the flow field knows of them with its next answer.
local function paint_spot(px, py, is_wall)
  local x, y = view:to_cell(px, py)
  if not x or py > love.graphics.getHeight() - BOTTOM then
    return
  end
  local w, h = math.min(BRUSH, SIDE - x + 1), math.min(BRUSH, SIDE - y + 1)
  game.meter:start()
  if is_wall then
    grid:block(x, y, w, h)
    units.evict(game.units, game.size, x, y, w, h, nearest_free)
  else
    grid:unblock(x, y, w, h)
  end
  game.meter:stop()
  view:touch(x, y, w, h)
end

-- Paints to (px, py) from where the mouse was: a quick hand jumps over cells.
local function paint(px, py, dx, dy, is_wall)
  local steps = math.max(1, math.ceil(math.max(math.abs(dx), math.abs(dy)) / (BRUSH * view.scale)))
  for i = steps - 1, 0, -1 do
    paint_spot(px - dx * i / steps, py - dy * i / steps, is_wall)
  end
end

-- A new flow field where the mouse has moved; also where a wall has come up on the goal.
local function chase_mouse(dt)
  game.pause = game.pause - dt
  local x, y = view:to_cell(love.mouse.getPosition())
  if game.pause > 0 then
    return
  elseif x and (x ~= game.mouse_x or y ~= game.mouse_y) then
    game.mouse_x, game.mouse_y, game.pause = x, y, PAUSE
    set_goal(x, y)
  elseif game.finder:clearance(game.goal_x, game.goal_y) < game.size then
    game.pause = PAUSE
    set_goal(game.goal_x, game.goal_y)
  end
end

function love.update(dt)
  game.meter:start()
  chase_mouse(dt)
  if game.is_fleeing then
    units.flee(game.units, game.flow, game.goal_x, game.goal_y, FEAR)
  else
    units.chase(game.units, game.flow, game.goal_x, game.goal_y)
  end
  game.meter:stop()
  game.meter:next_frame()
  units.move(game.units, dt)
end

function love.mousepressed(px, py, button)
  if button <= 2 then
    paint(px, py, 0, 0, button == 1)
  end
end

function love.mousemoved(px, py, dx, dy)
  if love.mouse.isDown(3) then
    view:scroll(dx, dy)
  elseif love.mouse.isDown(1, 2) then
    paint(px, py, dx, dy, love.mouse.isDown(1))
  end
end

function love.wheelmoved(_, dy)
  view:zoom(1.2 ^ dy, love.mouse.getPosition())
end

local keys = {
  f = function()
    game.is_fleeing = not game.is_fleeing
    set_goal(game.goal_x, game.goal_y)
  end,
  a = function() game.shows_flow = not game.shows_flow end,
  r = function() set_size(game.size) end,
  ["1"] = function() set_size(1) end,
  ["2"] = function() set_size(2) end,
  ["3"] = function() set_size(3) end,
  escape = function() love.event.quit() end,
}

function love.keypressed(key)
  if keys[key] then
    keys[key]()
  end
end

local function describe()
  local mean, worst = game.meter:read()
  return ("%d units of size %d, %s   astar: %.2f ms a frame, %.2f at worst   %d frames a second\n"
    .. "left, right button: walls   F: flee   1 to 3: size   A: flow field   wheel: zoom   R: again"):format(
    game.units.count, game.size, game.is_fleeing and "fleeing" or "chasing", mean, worst, love.timer.getFPS())
end

function love.draw()
  local width, height = love.graphics.getDimensions()
  view:draw()
  if game.shows_flow then
    view:draw_flow(game.flow)
  end
  love.graphics.setColor(game.is_fleeing and { 0.95, 0.85, 0.35 } or { 0.95, 0.5, 0.3 })
  units.draw(game.units, view, game.size)
  view:draw_cell(game.goal_x, game.goal_y, { 1, 1, 1 }, -0.5, 1)
  love.graphics.setColor(0.1, 0.1, 0.12)
  love.graphics.rectangle("fill", 0, height - BOTTOM, width, BOTTOM)
  love.graphics.setColor(1, 1, 1)
  love.graphics.print(describe(), 10, height - BOTTOM + 8)
end

return game
