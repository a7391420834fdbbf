local px, py = game.view:to_pixel(200, 70)
love.mouse.getPosition = function() return px, py end
player.wait(700)
love.window.updateMode(512, 512, { minwidth = 100, minheight = 100 })
require("look").is_bare = true -- the animation has the map alone
love.resize(512, 512)
px, py = game.view:to_pixel(70, 170)
for count = 1, 330 do
  if count > 60 and count <= 180 and count % 3 == 0 then -- a wall across their way
    local step = (count - 60) / 3
    local x, y = game.view:to_pixel(70 + 2 * step, 100 + 2 * step)
    love.event.push("mousepressed", x, y, 1, false, 1)
  end
  if count == 260 then
    player.key "f"
  end
  player.wait(1)
  if count % 4 == 0 then
    player.frame()
  end
end
player.key "f"
require("look").is_bare = false
love.window.updateMode(660, 704)
love.resize(660, 704)
px, py = game.view:to_pixel(180, 190)
player.wait(150)
player.save "horde.png"
print("horde: milliseconds of processor time a frame, worst", game.meter:read())
player.save_frames()
