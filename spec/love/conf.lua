-- Beside a prototype's main.lua in place of its conf.lua: lets a script play the game as fast as it runs,
-- with clicks and keys through LÖVE's own queue, and ends it. An error is printed, not shown for ever.

love.filesystem.load "conf_of_game.lua"()

local DT = 1 / 60

local player = { frames = 0, is_drawn = true }

-- Of frames that nobody looks at, one in so many is drawn: without a graphics card that takes the time.
local SKIPPED = 8

-- Lets so many frames go by; the last two are drawn.
function player.wait(frames)
  for i = 1, frames do
    player.is_drawn = frames - i < 2 or i % SKIPPED == 0
    coroutine.yield()
  end
end

-- Lets frames go by until that holds, at most so many.
function player.wait_for(is_so, frames)
  for i = 1, frames or 1200 do
    if is_so() then
      player.is_drawn = true
      coroutine.yield()
      return
    end
    player.is_drawn = i % SKIPPED == 0
    coroutine.yield()
  end
  error("waited in vain", 2)
end

function player.click(x, y, button)
  love.event.push("mousepressed", x, y, button or 1, false, 1)
  love.event.push("mousereleased", x, y, button or 1, false, 1)
  player.wait(2)
end

function player.key(key)
  love.event.push("keypressed", key, key, false)
  love.event.push("keyreleased", key, key)
  player.wait(2)
end

-- What is on the screen, as ImageData.
function player.picture()
  local picture
  player.is_drawn = true
  love.graphics.captureScreenshot(function(data)
    picture = data
  end)
  while not picture do
    coroutine.yield()
  end
  return picture
end

-- A pixel of it: "#rrggbb".
function player.color(picture, x, y)
  local r, g, b = picture:getPixel(math.floor(x), math.floor(y))
  return ("#%02x%02x%02x"):format(r * 255 + 0.5, g * 255 + 0.5, b * 255 + 0.5)
end

-- Writes it to LÖVE's folder for saved files.
function player.save(name)
  player.picture():encode("png", name)
end

local pictures = {}

-- Keeps what is on the screen as the next frame of an animation, to be written by save_frames.
function player.frame()
  pictures[#pictures + 1] = player.picture()
end

function player.save_frames()
  for i, picture in ipairs(pictures) do
    picture:encode("png", ("frame%03d.png"):format(i))
  end
end

-- One line of the spec's results.
function player.tell(name, ...)
  local words = { name }
  for i = 1, select("#", ...) do
    words[#words + 1] = tostring((select(i, ...)))
  end
  print(table.concat(words, " "))
end

function love.errorhandler(message)
  print("error " .. debug.traceback(tostring(message), 2))
  return function() return 1 end
end
love.errhand = love.errorhandler

local run = love.run
function love.run()
  local script = love.filesystem.load "script.lua"
  local play = coroutine.create(function()
    script(player, package.loaded.main)
    love.event.quit()
  end)
  local is_real = (os.getenv "ASTAR_REAL_TIME" or "") ~= ""
  if not is_real then
    love.timer.step = function() return DT end
    love.timer.sleep = function() end
    local is_active = love.graphics.isActive
    love.graphics.isActive = function() return player.is_drawn and is_active() end
  end
  local main = run()
  return function()
    local result = main()
    if result ~= nil then
      return result
    end
    player.frames = player.frames + 1
    if coroutine.status(play) ~= "dead" then
      local ok, message = coroutine.resume(play)
      if not ok then
        print("error " .. debug.traceback(play, tostring(message)))
        return 1
      end
    end
  end
end
