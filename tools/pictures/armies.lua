-- Frames that nobody looks at are not drawn.
local function skip(frames)
  for _ = 1, frames do
    player.is_drawn = false
    coroutine.yield()
  end
end

local function raise_wall(x, y)
  local px, py = game.view:to_pixel(x, y)
  love.event.push("mousepressed", px, py, 1, false, 1)
  love.event.push("mousereleased", px, py, 1, false, 1)
end

skip(480) -- lines are formed
skip(330)
player.save "armies.png"
love.window.updateMode(800, 448, { minwidth = 100, minheight = 100 })
require("look").is_bare = true -- the animation has the map alone
love.resize(800, 448)
for count = 1, 48 do
  skip(15)
  if count >= 18 and count <= 23 then raise_wall(112, 20 + 3 * count) end -- between the bridges, on the eastern bank
  player.frame()
end
player.save_frames()
