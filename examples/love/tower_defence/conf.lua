function love.conf(t)
  t.identity = "astar-tower-defence"
  t.window.title = "astar: tower defence"
  t.window.width, t.window.height = 1280, 700
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 700, 480
end
