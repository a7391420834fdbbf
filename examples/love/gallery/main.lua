-- The gallery: every prototype beside this file, to be started by a click or its number (1 to 9, then a, b).
-- Escape leads back.

local function list_demos()
  local demos = {}
  for _, name in ipairs(love.filesystem.getDirectoryItems "") do
    if name ~= "astar" and love.filesystem.getInfo(name .. "/main.lua") then
      demos[#demos + 1] = name
    end
  end
  return demos
end

-- What one sees: the first line of its main.lua, without its name. What to press the prototype says itself.
local function about(name)
  local line = love.filesystem.lines(name .. "/main.lua")():gsub("^%-%- ", "")
  return (line:gsub("^[^:]*: *", "", 1):gsub("^%l", string.upper))
end

local MARGIN, GAP, TOP, TITLE = 20, 12, 64, 20 -- pixels: around all, between cards, above them, of a card's name

local gallery = { demos = list_demos(), pictures = {}, texts = {} }

for _, name in ipairs(gallery.demos) do
  local file = "pictures/" .. name .. ".png"
  gallery.pictures[name] = love.filesystem.getInfo(file) and love.graphics.newImage(file)
  gallery.texts[name] = about(name)
end

-- Where the i-th card is: three in a row, four of more than nine, as large as the window lets them be.
function gallery.card(i)
  local width, height = love.graphics.getDimensions()
  local columns = #gallery.demos > 9 and 4 or 3
  local rows = math.ceil(#gallery.demos / columns)
  local w = (width - 2 * MARGIN - (columns - 1) * GAP) / columns
  local h = (height - TOP - MARGIN - (rows - 1) * GAP) / rows
  return MARGIN + (i - 1) % columns * (w + GAP), TOP + math.floor((i - 1) / columns) * (h + GAP), w, h
end

-- How many pixels the words of a card take, the same on each, so wide as cards are.
local function text_height(width)
  local font, most = love.graphics.getFont(), 0
  for _, name in ipairs(gallery.demos) do
    local _, lines = font:getWrap(gallery.texts[name], width)
    most = math.max(most, #lines)
  end
  return TITLE + most * font:getHeight() + 6
end

local function demo_at(px, py)
  for i, name in ipairs(gallery.demos) do
    local x, y, w, h = gallery.card(i)
    if px >= x and px < x + w and py >= y and py < y + h then
      return name
    end
  end
end

-- Runs a prototype as if it had been started: its folder is where modules are looked for first.
local function start(name)
  for _, callback in ipairs {
    "update", "draw", "mousepressed", "mousemoved", "mousereleased", "wheelmoved", "keypressed", "resize",
  } do
    love[callback] = nil
  end
  local conf = { window = {}, modules = {}, audio = {} }
  love.filesystem.setRequirePath(name .. "/?.lua;" .. love.filesystem.getRequirePath())
  love.filesystem.load(name .. "/conf.lua")()
  love.conf(conf)
  local window = conf.window
  love.window.setMode(window.width, window.height, {
    resizable = window.resizable, minwidth = window.minwidth, minheight = window.minheight,
  })
  love.window.setTitle(conf.window.title)
  love.load = nil
  gallery.running = name
  gallery.state = love.filesystem.load(name .. "/main.lua")()
  if love.load then
    love.load()
  end
  local pressed = love.keypressed
  function love.keypressed(key, ...)
    if key == "escape" then
      love.event.quit "restart"
    elseif pressed then
      pressed(key, ...)
    end
  end
end

function love.mousepressed(px, py)
  local name = demo_at(px, py)
  if name then
    start(name)
  end
end

function love.keypressed(key)
  local name = gallery.demos[tonumber(key, 16)]
  if name then
    start(name)
  elseif key == "escape" then
    love.event.quit()
  end
end

-- As large as fits, in the middle of its place.
local function draw_picture(picture, left, top, width, height)
  local scale = math.min(width / picture:getWidth(), height / picture:getHeight())
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(picture, left + (width - picture:getWidth() * scale) / 2,
    top + (height - picture:getHeight() * scale) / 2, 0, scale, scale)
end

local function draw_card(i, name, is_under_mouse)
  local x, y, w, h = gallery.card(i)
  local text = text_height(w - 20)
  love.graphics.setColor(is_under_mouse and { 0.27, 0.30, 0.37 } or { 0.19, 0.21, 0.26 })
  love.graphics.rectangle("fill", x, y, w, h, 6)
  love.graphics.setScissor(x, y, w, h)
  if gallery.pictures[name] then
    draw_picture(gallery.pictures[name], x + 8, y + 8, w - 16, h - text - 12)
  end
  love.graphics.setColor(0.95, 0.75, 0.3)
  love.graphics.print(("%x  %s"):format(i, name), x + 10, y + h - text, 0, 1.2)
  love.graphics.setColor(0.85, 0.87, 0.9)
  love.graphics.printf(gallery.texts[name], x + 10, y + h - text + TITLE, w - 20)
  love.graphics.setScissor()
end

function love.draw()
  love.graphics.clear(0.12, 0.13, 0.16)
  love.graphics.setColor(1, 1, 1)
  love.graphics.print("astar: prototypes", MARGIN, 16, 0, 2)
  love.graphics.setColor(0.72, 0.75, 0.80)
  love.graphics.print("click one, or press its number; Escape leads back", 270, 27)
  local under = demo_at(love.mouse.getPosition())
  for i, name in ipairs(gallery.demos) do
    draw_card(i, name, name == under)
  end
end

return gallery
