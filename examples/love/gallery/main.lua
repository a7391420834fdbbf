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

local gallery = { demos = list_demos(), row = 110, top = 70 }

-- Runs a prototype as if it had been started: its folder is where modules are looked for first.
local function start(name)
  for _, callback in ipairs { "update", "draw", "mousepressed", "mousemoved", "keypressed" } do
    love[callback] = nil
  end
  local conf = { window = {}, modules = {}, audio = {} }
  love.filesystem.setRequirePath(name .. "/?.lua;" .. love.filesystem.getRequirePath())
  love.filesystem.load(name .. "/conf.lua")()
  love.conf(conf)
  love.window.setMode(conf.window.width, conf.window.height)
  love.window.setTitle(conf.window.title)
  love.load = nil
  gallery.running = name
  gallery.state = love.filesystem.load(name .. "/main.lua")()
  if love.load then
    love.load {}
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

function love.draw()
  local width = love.graphics.getWidth()
  love.graphics.clear(0.12, 0.13, 0.16)
  love.graphics.setColor(1, 1, 1)
  love.graphics.print("astar: prototypes", 30, 20, 0, 2)
  for i, name in ipairs(gallery.demos) do
    local top = gallery.top + (i - 1) * gallery.row
    love.graphics.setColor(0.2, 0.22, 0.27)
    love.graphics.rectangle("fill", 20, top, width - 40, gallery.row - 10, 6)
    love.graphics.setColor(0.95, 0.75, 0.3)
    love.graphics.print(i .. "  " .. name, 32, top + 6, 0, 1.3)
    love.graphics.setColor(0.85, 0.87, 0.9)
    love.graphics.printf(about(name), 32, top + 28, width - 70)
  end
end

return gallery
