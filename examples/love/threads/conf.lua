function love.conf(t)
  t.identity = "astar-threads"
  t.window.title = "astar: threads"
  t.window.width, t.window.height = 960, 700
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 480, 360
end
