local view = game.view
local at_x, at_y = 1, 1
love.mouse.getPosition = function() return view:to_pixel(at_x, at_y) end
player.wait(5)
for _, cell in ipairs { { 11, 4 }, { 11, 5 }, { 12, 9 }, { 18, 4 }, { 18, 6 } } do
  player.click(view:to_pixel(cell[1], cell[2]))
end
player.key "space"
player.wait(500)
at_x, at_y = 14, 8
player.key "2"
player.wait(5)
player.save "tower_defence.png"
