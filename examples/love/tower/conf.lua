function love.conf(t)
  t.identity = "astar-tower"
  t.window.title = "astar: tower"
  t.window.width, t.window.height = 862, 320
end
