local left, right = game.sides[1], game.sides[2]
local function play(every)
  local count = 0
  while left.state == "running" or right.state == "running" do
    count = count + 1
    if count % every == 0 then
      player.frame()
    end
    player.wait(1)
  end
  for _ = 1, 10 do
    player.frame()
  end
end
player.wait_for(function() return right.state ~= "running" end) -- once, so that all code has been compiled
player.key "r"
play(6)
player.save "visualiser.png"
local x, y = left.view:to_pixel(7, 33)
love.mouse.getPosition = function() return x, y end
for i = 1, 13 do
  love.event.push("wheelmoved", 0, 1)
  player.wait(2)
  if i % 4 == 1 then
    player.frame()
  end
end
for _ = 1, 15 do
  player.frame()
end
player.save_frames()
