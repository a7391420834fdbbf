local px, py = game.view:to_pixel(200, 70)
love.mouse.getPosition = function() return px, py end
player.wait(700)
px, py = game.view:to_pixel(70, 170)
for count = 1, 330 do
  if count > 60 and count <= 180 and count % 3 == 0 then -- a wall across their way
    local step = (count - 60) / 3
    local x, y = game.view:to_pixel(70 + 2 * step, 100 + 2 * step)
    love.event.push("mousepressed", x, y, 1, false, 1)
  end
  if count == 230 then
    player.save "horde.png"
    print("horde: milliseconds a frame, worst", game.meter:read())
  elseif count == 260 then
    player.key "f"
  end
  player.wait(1)
  if count % 7 == 0 then
    player.frame()
  end
end
player.save_frames()
