player.wait_for(function() return game.sides[2].state ~= "running" end)
player.save "visualiser.png"
