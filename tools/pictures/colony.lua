local view = game.view
local function mark(x, y) player.click(view:to_pixel(x, y)) end
player.wait(3)
for x = 13, 8, -1 do mark(x, 10) end
for _, cell in ipairs { { 8, 9 }, { 8, 8 }, { 8, 7 }, { 9, 12 }, { 9, 11 }, { 7, 9 }, { 10, 12 } } do
  mark(cell[1], cell[2])
end
player.key "2"
for y = 6, 13 do mark(26, y) end
player.wait(1200)
player.key "1"
for x = 7, 5, -1 do mark(x, 8) end
player.key "space"
player.wait(480)
player.save "colony.png"
