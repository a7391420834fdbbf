function love.conf(t)
  t.identity = "astar-horde"
  t.window.title = "astar: horde"
  t.window.width, t.window.height = 768, 812
end
