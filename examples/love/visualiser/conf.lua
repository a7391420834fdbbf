function love.conf(t)
  t.identity = "astar-visualiser"
  t.window.title = "astar: visualiser"
  t.window.width, t.window.height = 1024, 680
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 640, 480
end
