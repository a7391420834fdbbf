-- The visualiser: two algorithms side by side on one map, cell by cell. Open cells are blue, closed ones orange.
--
-- Buttons or keys: play, step, speed, what to paint, algorithms left and right, corner rule, heuristic, weight.
-- Left button: paint. Wheel: zoom; right button: scroll; zoomed in, cells show f above, g and h below.

local buttons = require "buttons"
local Side = require "sides"
local astar = require "astar"
local look = require "look"

local TOP, LEFT = 48, 8 -- pixels above the maps, and beside what is written
local SPEEDS = { 1 / 16, 1 / 4, 1, 4, 16, 64, 256, 1024 } -- expansions a frame

local grid = astar.grid(64, 64, { terrain = { ["."] = 1, ["~"] = 4 }, fill = "." })
grid:block(20, 10, 2, 44)
grid:block(22, 52, 18, 2)
grid:block(42, 1, 2, 40)
grid:fill(26, 14, 12, 20, "~")

local settings = {
  sx = 6, sy = 32, gx = 58, gy = 24, weight = 2, diagonals = "only_when_no_obstacles", heuristic = "octile",
}

local game = {
  grid = grid, settings = settings, sides = { Side.new(grid, "astar"), Side.new(grid, "dijkstra") },
  is_playing = true, speed = 5, due = 0, brush = "1",
}

local function restart()
  for _, side in ipairs(game.sides) do
    side:restart(settings)
  end
end

local bar -- of buttons, below

-- Pixels below the maps: a line of text, and the buttons.
local function bottom()
  return buttons.height(bar, LEFT) + 48
end

-- Half the window each.
local function area(i)
  local width, height = love.graphics.getDimensions()
  return (i - 1) * width / 2, TOP, width / 2, height - TOP - bottom()
end

-- Both views show the same part of the map.
local function align()
  local left = game.sides[1].view
  local right = game.sides[2].view
  right.scale, right.x, right.y = left.scale, left.x + area(2), left.y
end

function love.resize()
  game.sides[1].view:fit(area(1))
  align()
end

function love.load()
  love.resize()
  restart()
end

function love.update()
  if not game.is_playing then
    return
  end
  game.due = game.due + SPEEDS[game.speed]
  local count = math.floor(game.due)
  game.due = game.due - count
  for _, side in ipairs(game.sides) do
    side:step(count)
  end
end

local function after(list, value)
  for i, name in ipairs(list) do
    if name == value then
      return list[i % #list + 1]
    end
  end
end

local function is_end(x, y)
  return x == settings.sx and y == settings.sy or x == settings.gx and y == settings.gy
end

local brushes = {
  ["1"] = function(x, y)
    if not is_end(x, y) then grid:block(x, y) end
  end,
  ["2"] = function(x, y)
    grid:unblock(x, y)
    grid:set(x, y, ".")
  end,
  ["3"] = function(x, y) grid:set(x, y, "~") end,
  ["4"] = function(x, y)
    if grid:is_walkable(x, y) then settings.sx, settings.sy = x, y end
  end,
  ["5"] = function(x, y)
    if grid:is_walkable(x, y) then settings.gx, settings.gy = x, y end
  end,
}

local function paint_cell(px, py)
  local side = game.sides[px < love.graphics.getWidth() / 2 and 1 or 2]
  local x, y = side.view:to_cell(px, py)
  if x and py > TOP and py < love.graphics.getHeight() - bottom() then
    brushes[game.brush](x, y)
  end
end

-- Paints to (px, py) from where the mouse was: a quick hand jumps over cells.
local function paint(px, py, dx, dy)
  local steps = math.max(1, math.ceil(math.max(math.abs(dx), math.abs(dy)) / game.sides[1].view.scale))
  for i = steps - 1, 0, -1 do
    paint_cell(px - dx * i / steps, py - dy * i / steps)
  end
  restart()
end

local keys = {
  space = function() game.is_playing = not game.is_playing end,
  right = function()
    game.is_playing = false
    for _, side in ipairs(game.sides) do side:step(1) end
  end,
  up = function() game.speed = math.min(game.speed + 1, #SPEEDS) end,
  down = function() game.speed = math.max(game.speed - 1, 1) end,
  r = restart,
  escape = function() love.event.quit() end,
}

-- These begin the searches again.
local changes = {
  q = function() game.sides[1].name = after(Side.ALGORITHMS, game.sides[1].name) end,
  w = function() game.sides[2].name = after(Side.ALGORITHMS, game.sides[2].name) end,
  d = function() settings.diagonals = after(Side.DIAGONALS, settings.diagonals) end,
  h = function() settings.heuristic = after(Side.HEURISTICS, settings.heuristic) end,
  ["+"] = function() settings.weight = settings.weight + 0.5 end,
  ["-"] = function() settings.weight = math.max(1, settings.weight - 0.5) end,
  c = function() -- clears the map
    local width, height = grid:size()
    grid:unblock(1, 1, width, height)
    grid:fill(1, 1, width, height, ".")
  end,
}
changes["="], changes["kp+"], changes["kp-"] = changes["+"], changes["+"], changes["-"]

function love.keypressed(key)
  if brushes[key] then
    game.brush = key
  elseif keys[key] then
    keys[key]()
  elseif changes[key] then
    changes[key]()
    restart()
  end
  look.key(key)
end

bar = {
  {
    { key = "space", label = function() return game.is_playing and "pause (space)" or "play (space)" end, width = 104 },
    { key = "right", label = "step (right)" },
    { key = "r", label = "again (r)" },
    { key = "down", label = "slower (down)" },
    { key = "up", label = "faster (up)" },
    { key = "1", label = "1 wall" },
    { key = "2", label = "2 ground" },
    { key = "3", label = "3 swamp, cost 4" },
    { key = "4", label = "4 start" },
    { key = "5", label = "5 goal" },
    { key = "c", label = "clear (c)" },
  },
  {
    { key = "q", label = function() return "left: " .. game.sides[1].name .. " (q)" end, width = 150 },
    { key = "w", label = function() return "right: " .. game.sides[2].name .. " (w)" end, width = 150 },
    { key = "d", label = function() return "corners: " .. settings.diagonals .. " (d)" end, width = 270 },
    { key = "h", label = function() return "heuristic: " .. settings.heuristic .. " (h)" end, width = 170 },
    { key = "-", label = "-" },
    { key = "+", label = function() return ("weight %.1f (+)"):format(settings.weight) end },
  },
}

local function bar_corner()
  return LEFT, love.graphics.getHeight() - bottom() + 46
end

-- The pixel in the middle of the button for a key.
function game.button(key)
  local left, top = bar_corner()
  return buttons.middle(bar, left, top, key)
end

local function is_lit(key)
  return key == game.brush or key == "space" and game.is_playing
end

function love.mousepressed(px, py, button)
  if button ~= 1 then
    return
  end
  local left, top = bar_corner()
  local key = buttons.at(bar, left, top, px, py)
  if key then
    love.keypressed(key)
  else
    paint(px, py, 0, 0)
  end
end

function love.mousemoved(px, py, dx, dy)
  if love.mouse.isDown(1) then
    paint(px, py, dx, dy)
  elseif love.mouse.isDown(2) then
    game.sides[1].view:scroll(dx, dy)
    align()
  end
end

-- Zooms around the mouse, in whichever half it is.
function love.wheelmoved(_, dy)
  local px, py = love.mouse.getPosition()
  local half = love.graphics.getWidth() / 2
  game.sides[1].view:zoom(1.2 ^ dy, px < half and px or px - half, py)
  align()
end

local LEGEND = {
  { { 0, 0.62, 0.45 }, "start" }, { { 0.8, 0.2, 0.2 }, "goal" }, { { 0.41, 0.73, 0.92 }, "open" },
  { { 0.90, 0.66, 0.14 }, "closed" }, { { 0.1, 0.1, 0.12 }, "route" }, { look.COLORS.wall, "wall" },
  { { 0.74, 0.67, 0.58 }, "swamp" },
}

local function draw_legend(x, y)
  for _, entry in ipairs(LEGEND) do
    love.graphics.setColor(look.theme().dim)
    love.graphics.rectangle("fill", x, y + 1, 14, 14)
    love.graphics.setColor(entry[1])
    love.graphics.rectangle("fill", x + 1, y + 2, 12, 12)
    love.graphics.setColor(look.theme().dim)
    look.write(entry[2], x + 20, y)
    x = x + 40 + look.font(13):getWidth(entry[2])
  end
end

function love.draw()
  look.clear()
  love.graphics.setFont(look.font(13))
  for i, side in ipairs(game.sides) do
    side:draw(settings, area(i))
    love.graphics.setColor(look.theme().bright)
    look.write(side:describe(), area(i) + LEFT, 8)
  end
  local middle, y, _, height = area(2)
  love.graphics.setColor(look.theme().back)
  love.graphics.rectangle("fill", math.floor(middle) - 1, y, 2, height)
  local left, top = bar_corner()
  local text = "%g cells a frame     left button: paint     wheel: zoom     right button: scroll     L: light or dark"
  love.graphics.setColor(look.theme().dim)
  look.write(text:format(SPEEDS[game.speed]), left, top - 42)
  draw_legend(left, top - 20)
  buttons.draw(bar, left, top, is_lit)
end

return game
