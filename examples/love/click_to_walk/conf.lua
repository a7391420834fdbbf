function love.conf(t)
  t.identity = "astar-click-to-walk"
  t.window.title = "astar: click to walk"
  t.window.width, t.window.height = 800, 490
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 480, 320
end
