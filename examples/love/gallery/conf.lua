function love.conf(t)
  t.identity = "astar-gallery"
  t.window.title = "astar"
  t.window.width, t.window.height = 960, 700
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 600, 420
end
