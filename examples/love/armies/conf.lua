function love.conf(t)
  t.identity = "astar-armies"
  t.window.title = "astar: armies"
  t.window.width, t.window.height = 1200, 704 -- fits a screen of 1366 x 768
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 700, 420
end
