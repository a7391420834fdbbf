player.wait(200)
player.save "horde.png"
