function love.conf(t)
  t.identity = "astar-village"
  t.window.title = "astar: village"
  t.window.width, t.window.height = 1024, 670
end
