function love.conf(t)
  t.identity = "astar-tower"
  t.window.title = "astar: tower"
  t.window.width, t.window.height = 960, 400
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 600, 300
end
