function love.conf(t)
  t.identity = "astar-visualiser"
  t.window.title = "astar: visualiser"
  t.window.width, t.window.height = 1024, 640
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 1024, 480
end
