-- The gallery: every prototype beside this file, to be started by a click or its number (1 to 9, then a, b).
-- Escape leads back.

local look = require "look"

-- What shows most comes first. A prototype that is not in this list comes last.
local ORDER = {
  "village", "click_to_walk", "horde", "armies", "tower_defence", "colony", "hex", "tower", "visualiser", "world",
  "threads",
}

local function list_demos()
  local demos, places = {}, {}
  for i, name in ipairs(ORDER) do places[name] = i end
  for _, name in ipairs(love.filesystem.getDirectoryItems "") do
    if name ~= "astar" and love.filesystem.getInfo(name .. "/main.lua") then
      demos[#demos + 1] = name
    end
  end
  table.sort(demos, function(a, b)
    local p, q = places[a] or #ORDER + 1, places[b] or #ORDER + 1
    return p < q or p == q and a < b
  end)
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
  local font, most = look.font(13), 0
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
  look.key(key)
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
  local theme = look.theme()
  love.graphics.setColor(is_under_mouse and theme.lit or theme.card)
  love.graphics.rectangle("fill", x, y, w, h, 6)
  love.graphics.setScissor(x, y, w, h)
  if gallery.pictures[name] then
    draw_picture(gallery.pictures[name], x + 8, y + 8, w - 16, h - text - 12)
  end
  love.graphics.setColor(theme.accent)
  look.write(("%x  %s"):format(i, (name:gsub("_", " "))), x + 10, y + h - text, 15)
  love.graphics.setColor(theme.dim)
  love.graphics.setFont(look.font(13))
  love.graphics.printf(gallery.texts[name], math.floor(x + 10), math.floor(y + h - text + TITLE), math.floor(w - 20))
  love.graphics.setScissor()
end

function love.draw()
  local theme = look.theme()
  look.clear()
  love.graphics.setColor(theme.bright)
  look.write("astar: prototypes", MARGIN, 16, 26)
  love.graphics.setColor(theme.dim)
  look.write("Click one, or press its number. Escape leads back, L turns on the light.", 290, 26)
  local under = demo_at(love.mouse.getPosition())
  for i, name in ipairs(gallery.demos) do
    draw_card(i, name, name == under)
  end
end

return gallery
