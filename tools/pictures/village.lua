player.wait(40)
local px, py = game.view:to_pixel(28, 17)
player.click(px, py)
player.wait(60)
player.save "village.png"
