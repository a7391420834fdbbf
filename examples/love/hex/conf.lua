function love.conf(t)
  t.identity = "astar-hex"
  t.window.title = "astar: hex"
  t.window.width, t.window.height = 920, 680
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 560, 420
end
