function love.conf(t)
  t.identity = "astar-horde"
  t.window.title = "astar: horde"
  t.window.width, t.window.height = 660, 704 -- fits a screen of 768 rows
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 560, 400
end
