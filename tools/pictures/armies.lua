for count = 1, 1500 do
  if count > 240 and count % 56 == 0 and count <= 1200 then
    player.frame()
  end
  player.wait(1)
end
player.save "armies.png"
player.save_frames()
