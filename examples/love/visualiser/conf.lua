function love.conf(t)
  t.identity = "astar-visualiser"
  t.window.title = "astar: visualiser"
  t.window.width, t.window.height = 1024, 640
end
