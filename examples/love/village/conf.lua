function love.conf(t)
  t.identity = "astar-village"
  t.window.title = "astar: village"
  t.window.width, t.window.height = 1024, 670
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 700, 420
end
