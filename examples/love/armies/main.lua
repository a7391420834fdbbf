-- Armies: 2,000 units of three sizes and speeds change banks, over a bridge and through gates, and nobody bumps.
--
-- Left button: select by a box, turn a gate. Right button: send there; drag: along a line. M: the marshal commands.
-- Space: pause. A: all. G: both gates. R: again, with another seed. Wheel: zoom, middle button: scroll. Escape: leave.

local Armies = require "armies"
local Watch = require "watch"
local astar = require "astar"
local look = require "look"

local COLORS = { { 0.93, 0.45, 0.27 }, { 0.36, 0.65, 0.95 } }
local GROUND = {
  ["."] = { 0.17, 0.20, 0.16 }, ["="] = { 0.33, 0.28, 0.23 }, ["~"] = { 0.11, 0.21, 0.31 },
  ["^"] = { 0.30, 0.32, 0.34 },
}
local GATE = { 0.79, 0.71, 0.35 }
local FAR = 10 -- pixels: below, a unit's nose is not to be seen, and is left away
local MOST_FRAMES = 4 -- of the game in one of LÖVE's, where that is slow
local TURN = 0.2      -- of the rest of a turn, a frame

local HEADINGS = { "east", "south_east", "south", "south_west", "west", "north_west", "north", "north_east" }
local ANGLES = {}
for i, heading in ipairs(HEADINGS) do ANGLES[heading] = (i - 1) * math.pi / 4 end

local game = { seed = 1, selected = {}, time = 0 }

local legend = look.legend({
  { COLORS[1], "one army" }, { COLORS[2], "the other" }, { { 0.85, 0.87, 0.9 }, "selected" }, { GROUND["="], "bridge" },
  { GATE, "gate, shut" }, { GROUND["^"], "rock" }, { GROUND["~"], "river" },
}, {
  { "left button", "select, gates" }, { "right button", "send; drag: a line" }, { "A", "all" }, { "G", "gates" },
  { "M", "marshal" }, { "Space", "pause" }, { "R", "again" }, { "wheel", "zoom" }, { "Escape", "leave" },
})

-- As large as the window is, also where a cell is no whole number of pixels.
function love.resize(width, height)
  local view, room = game.view, height - legend:height()
  view.scale = math.min(width / Armies.WIDTH, room / Armies.HEIGHT)
  view.x, view.y = (width - view.scale * Armies.WIDTH) / 2, (room - view.scale * Armies.HEIGHT) / 2
end

local function begin()
  local armies = Armies.new(game.seed)
  game.armies, game.grid = armies, armies.grid
  game.watch = Watch.new(armies.soldiers, Armies.WIDTH, Armies.HEIGHT)
  game.view = astar.love.view(armies.grid, {
    scale = 5, colors = GROUND, theme = { block = GATE },
  })
  love.resize(love.graphics.getDimensions())
  game.selected = {}
  for i, soldier in ipairs(armies.soldiers) do soldier.angle = i < #armies.soldiers / 2 and 0 or math.pi end
end

-- ---- time ----

-- One frame of the game, looked at by somebody who knows of nothing but what is drawn.
local function advance()
  local gates = game.grid:version()
  game.armies:advance()
  game.watch:look()
  if game.grid:version() ~= gates then
    for _, gate in ipairs(game.armies.gates) do game.view:touch(gate.x, gate.y, gate.w, gate.h) end
  end
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

local function selected_units()
  local units = {}
  for _, soldier in ipairs(game.armies.soldiers) do
    if game.selected[soldier] then units[#units + 1] = soldier.unit end
  end
  return units
end

-- The middle on the screen of a unit that is drawn at (x, y).
local function middle(soldier, x, y)
  local offset = (soldier.kind.size - 1) / 2
  return game.view:to_pixel(x + offset, y + offset)
end

local function select_box(x0, y0, x1, y1)
  x0, x1, y0, y1 = math.min(x0, x1), math.max(x0, x1), math.min(y0, y1), math.max(y0, y1)
  game.selected = {}
  for _, soldier in ipairs(game.armies.soldiers) do
    local x, y = middle(soldier, soldier.unit.x, soldier.unit.y)
    local radius = game.view.scale * soldier.kind.size / 2
    if x > x0 - radius and x < x1 + radius and y > y0 - radius and y < y1 + radius then
      game.selected[soldier] = true
    end
  end
end

local function gate_at(x, y)
  for _, gate in ipairs(game.armies.gates) do
    if x >= gate.x and x < gate.x + gate.w and y >= gate.y and y < gate.y + gate.h then return gate end
  end
end

local function turn(gate)
  game.armies.has_marshal = false
  game.armies:turn_gate(gate)
  game.view:touch(gate.x, gate.y, gate.w, gate.h)
end

-- A click sends all to one place, dragging deals them out along a line.
local function send(x0, y0, x1, y1)
  local units = selected_units()
  if #units == 0 then return end
  game.armies.has_marshal = false
  local is_line = math.max(math.abs(x1 - x0), math.abs(y1 - y0)) >= 6
  game.sent = is_line and game.armies:send_along(units, x0, y0, x1, y1) or game.armies:send(units, x1, y1)
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
  elseif button == 1 then
    local gate = x0 and x0 == x1 and y0 == y1 and gate_at(x0, y0)
    if gate then turn(gate) else select_box(drag.x, drag.y, px, py) end
  end
end

function love.wheelmoved(_, dy)
  game.view:zoom(1.2 ^ dy, love.mouse.getPosition())
end

local keys = {
  space = function() game.is_paused = not game.is_paused end,
  m = function() game.armies.has_marshal = not game.armies.has_marshal end,
  a = function()
    for _, soldier in ipairs(game.armies.soldiers) do game.selected[soldier] = true end
  end,
  g = function()
    for _, gate in ipairs(game.armies.gates) do turn(gate) end
  end,
  r = function()
    game.seed = game.seed + 1
    begin()
  end,
  escape = function() love.event.quit() end,
}

function love.keypressed(key)
  if keys[key] then keys[key]() end
end

-- ---- what one sees ----

-- A white disc as wide as the promise says, near by with a dark nose to the east; coloured when it is drawn.
local function new_picture(size, pixels, is_far)
  local canvas = love.graphics.newCanvas(size * pixels, size * pixels)
  canvas:setFilter("linear", "linear")
  local half, radius = size * pixels / 2, (size / 2 - 0.15) * pixels
  love.graphics.push "all"
  love.graphics.setCanvas(canvas)
  love.graphics.origin()
  love.graphics.setScissor()
  love.graphics.setColor(1, 1, 1)
  love.graphics.circle("fill", half, half, radius)
  if not is_far then
    love.graphics.setColor(0.1, 0.1, 0.1)
    love.graphics.polygon("fill", half + radius * 0.9, half, half + radius * 0.1, half - radius * 0.5,
      half + radius * 0.1, half + radius * 0.5)
  end
  love.graphics.pop()
  return canvas
end

local PICTURE = 10 -- pixels a cell of it

-- Turns to where the unit heads, the short way round.
local function turned(soldier, heading)
  local wanted = ANGLES[heading]
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
      batch = love.graphics.newSpriteBatch(new_picture(size, PICTURE, is_far), 2048, "stream")
      game.batches[name] = batch
    end
    local color = COLORS[soldier.army]
    local light = game.selected[soldier] and 0.45 or 0
    batch:setColor(color[1] + light * (1 - color[1]), color[2] + light, color[3] + light * (1 - color[3]))
    local x, y = middle(soldier, places[3 * i - 2], places[3 * i - 1])
    batch:add(x, y, turned(soldier, places[3 * i]), scale, scale, size * PICTURE / 2, size * PICTURE / 2)
  end
  love.graphics.setColor(1, 1, 1)
  for _, batch in pairs(game.batches) do love.graphics.draw(batch) end
end

local function draw_drag()
  local drag = game.drag
  if not drag then return end
  love.graphics.setColor(1, 1, 1, 0.8)
  if drag.button == 1 then
    love.graphics.rectangle("line", drag.x, drag.y, drag.to_x - drag.x, drag.to_y - drag.y)
  else
    love.graphics.line(drag.x, drag.y, drag.to_x, drag.to_y)
  end
end

function game.describe()
  local armies, watch = game.armies, game.watch
  local seconds = math.floor(armies.frame * Armies.FRAME)
  local marshal = "the marshal: " .. (armies.manoeuvre or "")
  local who = game.is_paused and "paused" or armies.has_marshal and marshal or "at your orders"
  return ("%d units, %d under way   overlaps: %d   jams: %d   %d:%02d   %s"):format(#armies.soldiers,
    armies.crowd.under_way, watch.overlaps, watch.most_jams, math.floor(seconds / 60), seconds % 60, who)
end

function love.draw()
  game.view:draw()
  draw_soldiers()
  draw_drag()
  legend:draw(game.describe())
end

begin()

return game
