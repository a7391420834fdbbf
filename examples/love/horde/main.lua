-- The horde: 5,000 units chase the mouse, around each other and around the walls one paints in their way.
--
-- Left button: paint walls, right button: tear them down. F: flee or chase. 1 to 3: size of the units, fewer of the
-- larger ones. A: the way to the mouse from everywhere. Wheel: zoom, middle button: scroll. R: again. Escape: leave.

local Meter = require "meter"
local Units = require "units"
local astar = require "astar"
local look = require "look"

local SIDE, COUNT, BRUSH = 256, 5000, 4
local PAUSE = 0.1  -- seconds between two goals, however fast the mouse moves
local FEAR = 40    -- cells: who is farther away does not flee
local PICTURE = 16 -- pixels a cell of a unit's picture
local FAR = 6      -- pixels a cell: below, a disc is too small to be seen, and units are drawn as squares

local WALL, CHASING, FLEEING = look.COLORS.wall, { 0.66, 0.13, 0.16 }, { 0.96, 0.84, 0.30 }

local legend = look.legend({
  { CHASING, "chases the mouse" }, { FLEEING, "flees from it" }, { WALL, "wall" }, { { 1, 1, 1 }, "where they go" },
}, {
  { "left button", "walls" }, { "right button", "tear down" }, { "F", "flee or chase" }, { "1 2 3", "size" },
  { "A", "ways" }, { "wheel", "zoom" }, { "R", "again" }, { "Escape", "leave" },
})

local ANGLES = look.ANGLES

local generator = love.math.newRandomGenerator(11)
local function random(least, most) return generator:random(least, most) end

local grid = astar.grid(SIDE, SIDE)
for _ = 1, 140 do
  local w, h = random(2, 24), random(2, 24)
  if generator:random() < 0.5 then w = 2 else h = 2 end
  grid:block(random(1, SIDE - w), random(1, SIDE - h), w, h)
end

local view = astar.love.view(grid, { scale = 3, colors = { ["."] = look.COLORS.grass }, theme = { block = WALL } })

local game = {
  grid = grid, view = view, is_fleeing = false, shows_flow = false,
  goal_x = SIDE / 2, goal_y = SIDE / 2, pause = 0,
  meter = Meter.new(), -- of what astar takes of a frame
}

-- The flow is what A shows, and says who is near enough to flee. It is worked out as far as it is asked.
local function set_goal(x, y)
  local units = game.units
  x, y = units:nearest_free(x, y)
  game.goal_x, game.goal_y = x, y
  game.flow = units.finder:flow({ { x, y } }, { max_cost = game.is_fleeing and FEAR or nil })
  if game.is_fleeing then
    units:flee(game.flow, x, y)
  else
    units:chase(x, y)
  end
end

-- A white disc that touches no other, with a dark nose to the east, and for afar a square; coloured when it is drawn.
local function new_picture(size, is_far)
  local canvas = love.graphics.newCanvas(size * PICTURE, size * PICTURE)
  local half, radius = size * PICTURE / 2, (size / 2 - 0.15) * PICTURE
  love.graphics.push "all"
  love.graphics.setCanvas(canvas)
  love.graphics.origin()
  love.graphics.setColor(1, 1, 1)
  if is_far then
    love.graphics.rectangle("fill", 1, 1, size * PICTURE - 2, size * PICTURE - 2)
  else
    love.graphics.setColor(0.3, 0.3, 0.3)
    love.graphics.circle("fill", half, half, radius)
    love.graphics.setColor(1, 1, 1)
    love.graphics.circle("fill", half, half, radius * 0.84)
    love.graphics.setColor(0.1, 0.1, 0.1)
    love.graphics.polygon("fill", half + radius * 0.9, half, half + radius * 0.3, half - radius * 0.4,
      half + radius * 0.3, half + radius * 0.4)
  end
  love.graphics.pop()
  -- An image, since what was drawn on a canvas is lost when the window changes its mode.
  local image = love.graphics.newImage(canvas:newImageData(), { mipmaps = true })
  image:setMipmapFilter("linear", 1) -- sharp from afar, too
  return image
end

local function set_size(size)
  local count = math.floor(COUNT / size ^ 2)
  game.units = Units.new(grid, size, count, random)
  game.batch = love.graphics.newSpriteBatch(new_picture(size, false), count, "stream")
  game.far_batch = love.graphics.newSpriteBatch(new_picture(size, true), count, "stream")
  set_goal(game.goal_x, game.goal_y)
end

-- As large as the window is, also where a cell is no whole number of pixels.
function love.resize(width, height)
  local room = height - legend:height()
  local side = math.min(width, room)
  view.scale, view.x, view.y = side / SIDE, (width - side) / 2, (room - side) / 2
end

function love.load()
  love.resize(love.graphics.getDimensions())
  set_size(1)
end

-- Walls count from the next step of the units on.
local function paint_spot(px, py, is_wall)
  local x, y = view:to_cell(px, py)
  if not x or py > love.graphics.getHeight() - legend:height() then
    return
  end
  local w, h = math.min(BRUSH, SIDE - x + 1), math.min(BRUSH, SIDE - y + 1)
  game.meter:start()
  if is_wall then
    game.units:block(x, y, w, h)
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

-- A new goal where the mouse has moved; also where a wall has come up on the old one.
local function follow_mouse(dt)
  game.pause = game.pause - dt
  local x, y = view:to_cell(love.mouse.getPosition())
  if game.pause > 0 then
    return
  elseif x and (x ~= game.mouse_x or y ~= game.mouse_y) then
    game.mouse_x, game.mouse_y, game.pause = x, y, PAUSE
    set_goal(x, y)
  elseif not game.units:fits(game.goal_x, game.goal_y) then
    game.pause = PAUSE
    set_goal(game.goal_x, game.goal_y)
  end
end

function love.update(dt)
  game.meter:start()
  follow_mouse(dt)
  game.units:update(dt)
  game.meter:stop()
  game.meter:next_frame()
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
  r = function() set_size(game.units.size) end,
  ["1"] = function() set_size(1) end,
  ["2"] = function() set_size(2) end,
  ["3"] = function() set_size(3) end,
  escape = function() love.event.quit() end,
}

function love.keypressed(key)
  if keys[key] then
    keys[key]()
  end
  look.key(key)
end

local function describe()
  local mean, worst = game.meter:read()
  return ("%d %s.   astar takes %.1f ms of a frame, %.1f at worst."):format(#game.units.all,
    game.is_fleeing and "flee from the mouse" or "chase the mouse", mean, worst)
end

-- Each where it is between two steps, turned to where it goes.
local function draw_units()
  local is_far = view.scale < FAR
  local batch = is_far and game.far_batch or game.batch
  local scale, middle = view.scale / PICTURE, game.units.size * PICTURE / 2
  local offset = (game.units.size - 1) / 2
  batch:clear()
  local places, count = game.units.crowd:positions(game.places)
  game.places = places -- filled again in the next frame
  for i = 1, 3 * count, 3 do
    local px, py = view:to_pixel(places[i] + offset, places[i + 1] + offset)
    batch:add(px, py, not is_far and ANGLES[places[i + 2]] or 0, scale, scale, middle, middle)
  end
  love.graphics.setColor(game.is_fleeing and FLEEING or CHASING)
  love.graphics.setBlendMode("alpha", "premultiplied") -- as what was drawn on a canvas is
  love.graphics.draw(batch)
  love.graphics.setBlendMode "alpha"
end

function love.draw()
  look.clear()
  view:draw()
  if game.shows_flow then
    view:draw_flow(game.flow)
  end
  draw_units()
  local px, py = view:to_pixel(game.goal_x, game.goal_y)
  love.graphics.setColor(1, 1, 1)
  love.graphics.setLineWidth(2)
  love.graphics.circle("line", px, py, math.max(6, view.scale * 1.5))
  love.graphics.circle("fill", px, py, math.max(2, view.scale * 0.5))
  love.graphics.setLineWidth(1)
  legend:draw(describe())
end

return game
