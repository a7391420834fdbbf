local tower, view = game.tower, game.view
player.wait(5)
player.click(view:to_pixel(tower:at(7, 5, 3)))
player.wait(30)
player.save "tower.png"
for count = 1, 300 do
  if count % 3 == 1 then
    player.frame()
  end
  if count == 180 then
    player.click(view:to_pixel(tower:at(2, 5, 1)))
  end
  player.wait(1)
end
player.save_frames()
