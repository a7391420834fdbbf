player.wait(1100)
player.save "world.png"
