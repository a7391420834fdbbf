player.wait(40)
player.click(game.view:to_pixel(28, 17))
for count = 1, 300 do
  if count % 6 == 0 then
    player.frame()
  end
  if count == 60 then
    player.save "village.png"
  end
  player.wait(1)
end
player.key "w"
player.key "f"
player.click(game.view:to_pixel(5, 17))
player.wait(50)
player.save "village_ways.png"
player.save_frames()
