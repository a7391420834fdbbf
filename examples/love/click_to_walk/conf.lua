function love.conf(t)
  t.identity = "astar-click-to-walk"
  t.window.title = "astar: click to walk"
  t.window.width, t.window.height = 800, 440
end
