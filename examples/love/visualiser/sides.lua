-- sides.lua -- one algorithm's search over the map: its finder, its steps, its view.

local astar = require "astar"

local Side = {}
Side.__index = Side

-- What can be compared. Jump point search shows the jump points only, it never opens the cells between.
Side.ALGORITHMS = { "astar", "dijkstra", "jps", "jpsw", "weighted" }
Side.DIAGONALS = { "only_when_no_obstacles", "if_at_most_one_obstacle", "always", "never" }
Side.HEURISTICS = { "octile", "manhattan", "euclidean", "chebyshev", "zero" }

-- Who runs instead over ground that an algorithm cannot honour: jump points there are jpsw's.
local STAND_IN = { jps = "jpsw" }

local function options_of(name, settings)
  local is_weighted = name == "weighted"
  return {
    algorithm = is_weighted and "astar" or name,
    weight = is_weighted and settings.weight or nil,
    diagonals = settings.diagonals,
    heuristic = not name:find "^jps" and settings.heuristic or nil, -- those two have their own
  }
end

function Side.new(grid, name)
  -- A dark path, on open and closed cells alike; walls grey, since open cells are blue.
  local view = astar.love.view(grid, { theme = { path = "#1a1a1f", block = "#5b5f6b" } })
  return setmetatable({ grid = grid, view = view, name = name }, Side)
end

-- Begins again: after an edit, or with other settings. What the algorithm cannot honour is its problem.
function Side:restart(settings)
  self.state, self.path, self.problem, self.search = "running", nil, nil, nil
  self.open, self.closed = 0, 0
  local function begin(name)
    local finder = self.grid:finder(options_of(name, settings))
    return finder:search(settings.sx, settings.sy, settings.gx, settings.gy)
  end
  local ok, result = pcall(begin, self.name)
  self.stand_in = not ok and STAND_IN[self.name]
  if self.stand_in then
    ok, result = pcall(begin, self.stand_in)
  end
  if ok then
    self.search = result
  else
    self.state, self.problem = "error", tostring(result):gsub("^[^:]*:%d+: ", "")
  end
end

function Side:step(count)
  if self.state ~= "running" or count == 0 then
    return
  end
  local ok, state = pcall(self.search.step, self.search, count)
  if not ok then
    self.state, self.problem = "error", tostring(state):gsub("^[^:]*:%d+: ", "")
    return
  end
  self.state = state
  if state == "found" then
    self.path = self.search:path()
  end
end

-- Two lines: what came of it, and how much was expanded, which every run repeats; no times, which none does.
function Side:describe()
  local name = self.stand_in and ("%s (several costs: %s)"):format(self.name, self.stand_in) or self.name
  local text = ("%s: %s"):format(name, self.state)
  if self.path then
    text = text .. (", cost %.3f, %d cells"):format(self.path.cost, #self.path)
  end
  local counts = ("%d expanded, %d open, %d closed"):format(self.search and self.search.expanded or 0, self.open,
    self.closed)
  return self.problem and self.name .. ": " .. self.problem or text .. "\n" .. counts
end

function Side:draw(settings, left, top, width, height)
  local view = self.view
  love.graphics.setScissor(left, top, width, height)
  view:draw()
  if self.search then
    self.open, self.closed = view:draw_search(self.search)
  end
  if view.scale >= 10 then
    view:draw_lines()
  end
  local is_near = view.scale >= 60 -- then numbers are to be read
  if self.path then
    view:draw_path(self.path, is_near and { 0.1, 0.1, 0.12, 0.4 } or nil)
  end
  view:draw_cell(settings.sx, settings.sy, { 0, 0.62, 0.45 }, is_near and 0.35 or -0.3)
  view:draw_cell(settings.gx, settings.gy, { 0.8, 0.2, 0.2 }, is_near and 0.35 or -0.3)
  love.graphics.setScissor()
end

return Side
