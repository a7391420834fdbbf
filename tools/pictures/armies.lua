player.wait(1500)
player.save "armies.png"
