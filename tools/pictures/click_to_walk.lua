player.click(game.view:to_pixel(2, 9))
player.wait_for(function() return not game.walker or game.walker.arrived end)
player.click(game.view:to_pixel(17, 5))
for count = 1, 190 do
  if count % 3 == 1 then
    player.frame()
  end
  if count == 100 then
    player.save "click_to_walk.png"
  end
  if count % 12 == 0 and count > 40 and count < 140 then
    local px, py = game.view:to_pixel(10, 11 - (count - 36) / 12)
    player.click(px, py, 2)
  end
  player.wait(1)
end
player.save_frames()
