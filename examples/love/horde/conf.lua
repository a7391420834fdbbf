function love.conf(t)
  t.identity = "astar-horde"
  t.window.title = "astar: horde"
  t.window.width, t.window.height = 1024, 800
end
