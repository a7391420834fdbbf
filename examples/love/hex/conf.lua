function love.conf(t)
  t.identity = "astar-hex"
  t.window.title = "astar: hex"
  t.window.width, t.window.height = 920, 640
end
