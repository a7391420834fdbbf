function love.conf(t)
  t.identity = "astar-world"
  t.window.title = "astar: world"
  t.window.width, t.window.height = 960, 640
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 600, 400
end
