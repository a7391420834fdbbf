-- Armies: two armies march in shapes, over bridges that are built and blown, and nobody bumps.
--
-- Left button: select squads (a box, or one), blow or build a bridge, raise or raze a wall. Right button: send there;
-- drag: and face that way. 1 to 4: line, box, wedge, disc. A: all. M: the marshal commands. Space: pause. R: again,
-- with another seed. Wheel: zoom, middle button: scroll. Escape: leave.

local Armies = require "armies"
local Meter = require "meter"
local Watch = require "watch"
local astar = require "astar"
local look = require "look"

local PALETTE = look.COLORS
local COLORS = { { 0.80, 0.16, 0.16 }, { 0.16, 0.30, 0.80 } }
local BRIGHT = { { 1, 0.78, 0.72 }, { 0.76, 0.87, 1 } } -- selected
local RED_LANE, BLUE_LANE = { 0.66, 0.42, 0.34 }, { 0.45, 0.47, 0.62 }
local GROUND = {
  ["."] = PALETTE.grass, ["="] = PALETTE.bridge, r = RED_LANE, R = RED_LANE, b = BLUE_LANE, B = BLUE_LANE,
  ["~"] = PALETTE.water, ["^"] = PALETTE.rock,
}
local WALL = PALETTE.wall
local FAR = 7         -- pixels: below, a unit's nose is not to be seen, and is left away
local MOST_FRAMES = 4 -- of the game in one of LÖVE's, where that is slow
local TURN = 0.2      -- of the rest of a turn, a frame
local BUDGET = 4      -- milliseconds of processor time, a quarter of a frame: where astar takes more it is late

local ANGLES = look.ANGLES

local game = { seed = 1, selected = {}, time = 0, shape = "line" }

local legend = look.legend({
  { COLORS[1], "one army" }, { COLORS[2], "the other" }, { { 1, 1, 1 }, "selected" }, { GROUND["="], "bridge" },
  { RED_LANE, "lane of its large units" }, { BLUE_LANE, "and of the other's" }, { WALL, "wall" },
  { PALETTE.rock, "rock" }, { PALETTE.water, "river" },
}, {
  { "left button", "squads, bridges, walls" }, { "right button", "send; drag: facing" },
  { "1 2 3 4", "line, box, wedge, disc" }, { "A", "all" }, { "M", "marshal" }, { "Space", "pause" }, { "R", "again" },
  { "wheel", "zoom" }, { "Escape", "leave" },
})

-- As large as the window is, also where a cell is no whole number of pixels.
function love.resize(width, height)
  local view, room = game.view, height - legend:height()
  view.scale = math.min(width / Armies.WIDTH, room / Armies.HEIGHT)
  view.x, view.y = (width - view.scale * Armies.WIDTH) / 2, (room - view.scale * Armies.HEIGHT) / 2
end

local function begin()
  local armies = Armies.new(game.seed)
  game.armies, game.grid, game.selected = armies, armies.grid, {}
  game.watch = Watch.new(armies.soldiers, Armies.WIDTH, Armies.HEIGHT)
  game.meter, game.late = Meter.new(), 0 -- of what astar takes of a frame
  game.view = astar.love.view(armies.grid, { colors = GROUND, theme = { block = WALL } })
  love.resize(love.graphics.getDimensions())
  for _, soldier in ipairs(armies.soldiers) do soldier.angle = soldier.army == 1 and 0 or math.pi end
end

-- ---- time ----

-- One frame of the game, looked at by somebody who knows of nothing but what is drawn.
local function advance()
  local meter = game.meter
  meter:start()
  game.armies:advance()
  meter:stop()
  if meter.spent > BUDGET then game.late = game.late + 1 end
  meter:next_frame()
  game.watch:look()
end

function love.update(dt)
  if game.is_paused then return end
  game.time = math.min(game.time + dt, MOST_FRAMES * Armies.FRAME)
  while game.time >= Armies.FRAME - 1e-9 do
    game.time = game.time - Armies.FRAME
    advance()
  end
end

-- ---- orders ----

-- The middle on the screen of a unit that is drawn at (x, y).
local function middle(soldier, x, y)
  local offset = (soldier.kind.size - 1) / 2
  return game.view:to_pixel(x + offset, y + offset)
end

-- The squads of whom somebody is in the box, as a set.
local function squads_in_box(x0, y0, x1, y1)
  x0, x1, y0, y1 = math.min(x0, x1), math.max(x0, x1), math.min(y0, y1), math.max(y0, y1)
  local squads = {}
  for _, soldier in ipairs(game.armies.soldiers) do
    local x, y = middle(soldier, soldier.unit.x, soldier.unit.y)
    local radius = game.view.scale * soldier.kind.size / 2
    if x > x0 - radius and x < x1 + radius and y > y0 - radius and y < y1 + radius then
      squads[soldier.squad] = true
    end
  end
  return squads
end

local function bridge_at(x, y)
  for _, bridge in ipairs(game.armies.bridges) do
    local first, last = bridge.lanes[1], bridge.lanes[#bridge.lanes]
    if Armies.is_river(x) and y >= first.y and y < last.y + last.size then return bridge end
  end
end

-- Left button: a squad, a bridge, or the ground.
local function point_at(px, py, x, y)
  local bridge, squads = bridge_at(x, y), squads_in_box(px, py, px, py)
  if next(squads) then
    game.selected = squads
  elseif bridge then
    game.armies.has_marshal = false
    game.armies:turn_bridge(bridge)
  else
    game.armies:turn_wall(x, y)
  end
end

-- They face where the mouse was dragged, or the way they go.
local function send(x0, y0, x1, y1)
  local squads, mean_x, mean_y, count = {}, 0, 0, 0
  for _, squad in ipairs(game.armies.squads) do
    if game.selected[squad] then
      squads[#squads + 1] = squad
      for _, unit in ipairs(squad.units) do
        mean_x, mean_y, count = mean_x + unit.x, mean_y + unit.y, count + 1
      end
    end
  end
  if count == 0 then return end
  local dx, dy = x1 - x0, y1 - y0
  if dx * dx + dy * dy < 4 then dx, dy = x0 - mean_x / count, y0 - mean_y / count end
  game.armies.has_marshal = false
  game.armies:send(squads, x0, y0, math.atan2(dy, dx), game.shape)
end

function love.mousepressed(px, py, button)
  if button <= 2 and py < love.graphics.getHeight() - legend:height() then
    game.drag = { button = button, x = px, y = py, to_x = px, to_y = py }
  end
end

function love.mousemoved(px, py, dx, dy)
  if game.drag then
    game.drag.to_x, game.drag.to_y = px, py
  elseif love.mouse.isDown(3) then
    game.view:scroll(dx, dy)
  end
end

function love.mousereleased(px, py, button)
  local drag = game.drag
  if not drag or drag.button ~= button then return end
  game.drag = nil
  local x0, y0 = game.view:to_cell(drag.x, drag.y)
  local x1, y1 = game.view:to_cell(px, py)
  if button == 2 and x0 and x1 then
    send(x0, y0, x1, y1)
  elseif button == 1 and x0 and x0 == x1 and y0 == y1 then
    point_at(px, py, x0, y0)
  elseif button == 1 then
    game.selected = squads_in_box(drag.x, drag.y, px, py)
  end
end

function love.wheelmoved(_, dy)
  game.view:zoom(1.2 ^ dy, love.mouse.getPosition())
end

local keys = {
  space = function() game.is_paused = not game.is_paused end,
  m = function() game.armies.has_marshal = not game.armies.has_marshal end,
  a = function()
    for _, squad in ipairs(game.armies.squads) do game.selected[squad] = true end
  end,
  r = function()
    game.seed = game.seed + 1
    begin()
  end,
  escape = function() love.event.quit() end,
}
for i, shape in ipairs(Armies.SHAPES) do
  keys[tostring(i)] = function() game.shape = shape end
end

function love.keypressed(key)
  if keys[key] then keys[key]() end
  look.key(key)
end

-- ---- what one sees ----

local PICTURE = 16 -- pixels a cell of a unit's picture

-- A white disc as wide as the promise says, near by with a dark nose to the east; coloured when it is drawn.
local function new_picture(size, is_far)
  local canvas = love.graphics.newCanvas(size * PICTURE, size * PICTURE)
  local half, radius = size * PICTURE / 2, (size / 2 - 0.15) * PICTURE
  love.graphics.push "all"
  love.graphics.setCanvas(canvas)
  love.graphics.origin()
  love.graphics.setScissor()
  love.graphics.setColor(0.25, 0.25, 0.25)
  love.graphics.circle("fill", half, half, radius)
  love.graphics.setColor(1, 1, 1)
  love.graphics.circle("fill", half, half, radius * 0.84)
  if not is_far then
    love.graphics.setColor(0.1, 0.1, 0.1)
    love.graphics.polygon("fill", half + radius * 0.9, half, half + radius * 0.1, half - radius * 0.5,
      half + radius * 0.1, half + radius * 0.5)
  end
  love.graphics.pop()
  -- An image, since what was drawn on a canvas is lost when the window changes its mode.
  local image = love.graphics.newImage(canvas:newImageData(), { mipmaps = true })
  image:setMipmapFilter("linear", 1) -- sharp from afar, too
  return image
end

-- Turns to where the unit heads, the short way round; at rest to where its squad was told to face.
local function turned(soldier, heading)
  local wanted = ANGLES[heading]
  if soldier.unit.state == "arrived" then wanted = soldier.squad.facing or wanted end
  if wanted and not game.is_paused then
    local rest = (wanted - soldier.angle + math.pi) % (2 * math.pi) - math.pi
    soldier.angle = soldier.angle + TURN * rest
  end
  return soldier.angle
end

local function draw_soldiers()
  game.batches = game.batches or {}
  for _, batch in pairs(game.batches) do batch:clear() end
  local scale = game.view.scale / PICTURE
  local places = game.armies.crowd:positions(game.places) -- in the order in which they were added
  game.places = places
  for i, soldier in ipairs(game.armies.soldiers) do
    local size = soldier.kind.size
    local is_far = size * game.view.scale < FAR
    local name = is_far and -size or size
    local batch = game.batches[name]
    if not batch then
      batch = love.graphics.newSpriteBatch(new_picture(size, is_far), 2048, "stream")
      game.batches[name] = batch
    end
    local colors = game.selected[soldier.squad] and BRIGHT or COLORS
    batch:setColor(colors[soldier.army])
    local x, y = middle(soldier, places[3 * i - 2], places[3 * i - 1])
    batch:add(x, y, turned(soldier, places[3 * i]), scale, scale, size * PICTURE / 2, size * PICTURE / 2)
  end
  love.graphics.setColor(1, 1, 1)
  love.graphics.setBlendMode("alpha", "premultiplied") -- as what was drawn on a canvas is
  for _, batch in pairs(game.batches) do love.graphics.draw(batch) end
  love.graphics.setBlendMode "alpha"
end

local function draw_drag()
  local drag = game.drag
  if not drag then return end
  love.graphics.setColor(1, 1, 1, 0.8)
  if drag.button == 1 then
    love.graphics.rectangle("line", drag.x, drag.y, drag.to_x - drag.x, drag.to_y - drag.y)
  else
    love.graphics.line(drag.x, drag.y, drag.to_x, drag.to_y)
    love.graphics.circle("fill", drag.x, drag.y, 4)
  end
end

function game.describe()
  local armies, watch = game.armies, game.watch
  local mean = game.meter:read()
  local who = game.is_paused and "Paused."
    or armies.has_marshal and ("The marshal commands: %s."):format(armies.manoeuvre)
    or ("At your orders: %s."):format(game.shape)
  local bumps = watch.overlaps == 0 and watch.most_jams == 0 and "Nobody has bumped, nobody is stuck."
    or ("%d bumps, %d stuck."):format(watch.overlaps, watch.most_jams)
  return ("%s   %d of %d units march.   %s   astar takes %.1f ms of a frame."):format(who, armies.crowd.under_way,
    #armies.soldiers, bumps, mean)
end

function love.draw()
  look.clear()
  game.view:draw()
  draw_soldiers()
  draw_drag()
  legend:draw(game.describe())
end

begin()

return game
