local view, grid = game.view, game.grid
player.click(view:to_pixel(grid:center(2, 5)))
love.mouse.setPosition(view:to_pixel(grid:center(5, 4)))
player.wait(5)
player.save "hex.png"
