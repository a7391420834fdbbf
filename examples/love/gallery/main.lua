-- The gallery: every prototype beside this file, to be started by a click or its number. Escape leads back.

local function list_demos()
  local demos = {}
  for _, name in ipairs(love.filesystem.getDirectoryItems "") do
    if name ~= "astar" and love.filesystem.getInfo(name .. "/main.lua") then
      demos[#demos + 1] = name
    end
  end
  return demos
end

-- The comment at the top of its main.lua: what one sees, and what to press.
local function about(name)
  local lines = {}
  for line in love.filesystem.lines(name .. "/main.lua") do
    local text = line:match "^%-%- ?(.*)$"
    if not text then
      break
    end
    lines[#lines + 1] = text
  end
  return table.concat(lines, "\n")
end

local gallery = { demos = list_demos(), row = 79, top = 62, pictures = {} }
local PICTURE_WIDTH, PICTURE_HEIGHT = 170, 62

for _, name in ipairs(gallery.demos) do
  local file = "pictures/" .. name .. ".png"
  gallery.pictures[name] = love.filesystem.getInfo(file) and love.graphics.newImage(file)
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

function love.mousepressed(_, py)
  local name = gallery.demos[math.floor((py - gallery.top) / gallery.row) + 1]
  if name then
    start(name)
  end
end

function love.keypressed(key)
  local name = gallery.demos[tonumber(key)]
  if name then
    start(name)
  elseif key == "escape" then
    love.event.quit()
  end
end

-- As large as fits, in the middle of its place.
local function draw_picture(picture, left, top)
  local width, height = picture:getDimensions()
  local scale = math.min(PICTURE_WIDTH / width, PICTURE_HEIGHT / height)
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(picture, left + (PICTURE_WIDTH - width * scale) / 2,
    top + (PICTURE_HEIGHT - height * scale) / 2, 0, scale, scale)
end

function love.draw()
  local width = love.graphics.getWidth()
  love.graphics.clear(0.12, 0.13, 0.16)
  love.graphics.setColor(1, 1, 1)
  love.graphics.print("astar: prototypes", 30, 18, 0, 2)
  love.graphics.print("click one, or press its number; Escape leads back", 300, 28)
  for i, name in ipairs(gallery.demos) do
    local top = gallery.top + (i - 1) * gallery.row
    love.graphics.setColor(0.2, 0.22, 0.27)
    love.graphics.rectangle("fill", 20, top, width - 40, gallery.row - 10, 6)
    love.graphics.setColor(0.95, 0.75, 0.3)
    love.graphics.print(i .. "  " .. name, 214, top + 6, 0, 1.3)
    love.graphics.setColor(0.85, 0.87, 0.9)
    love.graphics.printf(about(name), 214, top + 26, width - 250)
    if gallery.pictures[name] then
      draw_picture(gallery.pictures[name], 30, top + 4)
    end
  end
end

return gallery
