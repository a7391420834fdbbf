-- The threads go by the clock, unlike the frames.
player.wait_for(function()
  love.timer.sleep(0.01)
  for _, pack in ipairs(game.packs) do
    if pack.searches < 60 then return false end
  end
  return true
end, 2000)
player.save "threads.png"
