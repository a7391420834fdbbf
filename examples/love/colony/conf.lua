function love.conf(t)
  t.identity = "astar-colony"
  t.window.title = "astar: colony"
  t.window.width, t.window.height = 1280, 700
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 700, 480
end
