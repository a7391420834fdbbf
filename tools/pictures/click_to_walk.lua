local view = game.view
local px, py = view:to_pixel(2, 9)
player.click(px, py)
player.wait_for(function() return not game.walker or game.walker.arrived end)
px, py = view:to_pixel(17, 5)
player.click(px, py)
local frame = 0
for count = 1, 190 do
  if count % 6 == 1 then
    frame = frame + 1
    player.save(("frame%03d.png"):format(frame))
  end
  if count % 12 == 0 and count > 40 and count < 140 then
    local x, y = view:to_pixel(10, 11 - (count - 36) / 12)
    player.click(x, y, 2)
  end
  player.wait(1)
end
