-- joined.lua -- graph:join: routes from a cell over way-points to a cell.
--
-- From a cell a unit walks straight to any way-point in its line of sight, and from way-points straight to the goal; in
-- between it goes by the graph's edges. Which pair of way-points is the best the search finds out, by beginning at all
-- that are in sight of the start and ending at any that sees the goal. A position is a place as grid:center has it, of
-- squares the cell itself; a way-point is at the cell nearest to that.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local checks_of = require(FOLDER .. ".checks")
local describe = require(FOLDER .. ".describe")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")

local graph_route, huge, sqrt = core.graph_route, math.huge, math.sqrt
local OPTIONS = { "finder", "radius" }

-- What is wrong is raised at the line of the script.
local PROBLEM = {}

local function fail(message, ...)
  error(setmetatable({ message:format(...) }, PROBLEM), 0)
end

local checks = checks_of(fail)

local Joined = {}
no_field.of_class(Joined, "astar joined graph", "", "finder graph grid ways radius version nodes")

function Joined.__tostring()
  return "astar joined graph"
end

-- Raises what a call of this file has raised at the line of the script; an error of a function of the script's stays as
-- it is.
local function raise(problem)
  if getmetatable(problem) == PROBLEM then error(problem[1], 3) end
  local text, count = problem, 0
  if type(problem) == "string" then text, count = problem:gsub("^[^\n]-joined%.lua:%d+: ", "", 1) end
  error(text, count > 0 and 3 or 0)
end

-- What a function of the module's returned: its errors name no line of this file where it is called as the last thing.
local function told(...) return ... end

local function check(self)
  if getmetatable(self) ~= Joined then error("astar joined graph expected, got " .. describe(self), 3) end
end

-- ---- sight ----

-- The cell nearest to a position; nil where that is not on the grid.
local function cell_of(grid, x, y)
  local x0, y0 = grid:bounds()
  local is_near = x and math.abs(x - x0) <= 2 ^ 30 and math.abs(y - y0) <= 2 ^ 30
  if is_near then return grid:cell_at(x, y) end
end

-- All way-points that are open and have a cell, told anew where the graph has been edited: of each its key, its
-- position and its cell.
local function nodes_of(self)
  local graph, nodes = self.graph, self.nodes
  local version = graph:version()
  if self.version ~= version then
    nodes = {}
    for key in graph:nodes() do
      local x, y = graph:position(key)
      local cell_x, cell_y = cell_of(self.grid, x, y)
      if cell_x and not graph:is_blocked(key) then
        nodes[#nodes + 1] = { key = key, x = x, y = y, cell_x = cell_x, cell_y = cell_y }
      end
    end
    self.nodes, self.version = nodes, version
  end
  return nodes, version
end

local function apart(ax, ay, bx, by)
  return sqrt((ax - bx) ^ 2 + (ay - by) ^ 2)
end

-- The ways into the graph and out of it: of each a key and how far it is.
local function look_around(self, sx, sy, gx, gy)
  local finder, radius, raycast = self.finder, self.radius, self.finder.raycast
  local start_x, start_y = self.grid:center(sx, sy)
  local goal_x, goal_y = self.grid:center(gx, gy)
  local ways_in, ways_out = {}, {}
  for _, node in ipairs((nodes_of(self))) do
    local to, from = apart(node.x, node.y, start_x, start_y), apart(node.x, node.y, goal_x, goal_y)
    if to <= radius and raycast(finder, sx, sy, node.cell_x, node.cell_y) then
      ways_in[#ways_in + 1], ways_in[#ways_in + 2] = node.key, to
    end
    if from <= radius and raycast(finder, node.cell_x, node.cell_y, gx, gy) then
      ways_out[#ways_out + 1], ways_out[#ways_out + 2] = node.key, from
    end
  end
  return ways_in, ways_out, goal_x, goal_y
end

-- ---- questions ----

-- Whether the unit fits at a cell. Of hexagons there is no clearance; nothing larger than a cell moves over those.
local function fits(self, x, y)
  local options = self.finder:options()
  if self.grid:shape() ~= "hex" then return self.finder:clearance(x, y) >= (options.size or 1) end
  for _, layer in ipairs(self.grid:block_layers(x, y)) do
    local is_ignored = false
    for _, ignored in ipairs(options.ignore or {}) do is_ignored = is_ignored or ignored == layer end
    if not is_ignored then return false end
  end
  return (self.finder:raycast(x, y, x, y))
end

local function find_path(self, sx, sy, gx, gy, question)
  local finder, graph, ways = self.finder, self.graph, self.ways
  local x0, y0, x1, y1 = self.grid:bounds()
  checks.whole(sx, x0, x1, "sx")
  checks.whole(sy, y0, y1, "sy")
  checks.whole(gx, x0, x1, "gx")
  checks.whole(gy, y0, y1, "gy")
  graph_route(graph, ways, question) -- checks them
  local version, is_there = graph:version(), sx == gx and sy == gy
  if not finder:raycast(sx, sy, sx, sy) then return nil, "start blocked" end
  if not is_there and not fits(self, gx, gy) then return nil, "goal blocked" end
  local start, goal = { x = sx, y = sy }, not is_there and { x = gx, y = gy } or nil
  if finder:raycast(sx, sy, gx, gy) then
    local x, y = self.grid:center(sx, sy)
    local length = apart(x, y, self.grid:center(gx, gy)) -- the root of a whole number, on hexagons, too
    return told(graph_route(graph, ways, question, start, goal, sqrt(math.floor(length ^ 2 + 0.5))))
  end
  local ways_in, ways_out, goal_x, goal_y = look_around(self, sx, sy, gx, gy)
  if graph:version() ~= version then fail "graph was edited during the search" end -- by a function of the finder's
  return told(graph_route(graph, ways, question, start, goal or { x = gx, y = gy }, ways_in, ways_out, goal_x, goal_y))
end

--- joined:find_path(sx, sy, gx, gy [, question]) --> path | nil, reason
function Joined:find_path(sx, sy, gx, gy, question, ...)
  check(self)
  no_more("find_path", 5, ...)
  local ok, path, reason = pcall(find_path, self, sx, sy, gx, gy, question)
  if ok then return path, reason end
  raise(path)
end

-- ---- legs ----

-- The cell of a place of a route, a way-point or a cell; nil where it has none on the grid: the node may be gone.
local function cell_of_place(self, place)
  if self.graph:has(place) then
    return cell_of(self.grid, self.graph:position(place))
  end
  local x, y
  if type(place) == "table" then x, y = rawget(place, "x"), rawget(place, "y") end
  return type(x) == "number" and x or nil, type(y) == "number" and y or nil
end

local function leg(self, path, i)
  if not tostring(path):find "^astar graph path" then fail("astar graph path expected, got %s", describe(path)) end
  checks.whole(i, 1, #path - 1, "i")
  local x0, y0 = cell_of_place(self, path[i])
  local x1, y1 = cell_of_place(self, path[i + 1])
  if not (x0 and y0 and x1 and y1) then return nil, "no position" end
  return told(self.finder:find_path(x0, y0, x1, y1))
end

--- joined:leg(path, i) --> the path over the grid from path[i] to the next | nil, reason
function Joined:leg(path, i, ...)
  check(self)
  no_more("leg", 2, ...)
  local ok, way, reason = pcall(leg, self, path, i)
  if ok then return way, reason end
  raise(way)
end

-- ---- joining ----

local function join(graph, finder, options, grid)
  local radius, ways = huge, nil
  if options ~= nil then
    options = checks.options(options, OPTIONS)
    radius, ways = rawget(options, "radius"), rawget(options, "finder")
    radius = radius == nil and huge or checks.real(radius, 0, huge, "radius")
  end
  if ways == nil then ways = graph:finder() end
  graph_route(graph, ways) -- checks it
  return setmetatable({ graph = graph, finder = finder, grid = grid, ways = ways, radius = radius }, Joined)
end

--- Answers for the C module: the joined graph; false and what is wrong with an argument.
return function(_, ...)
  local ok, joined = pcall(join, ...)
  if ok then return joined end
  if getmetatable(joined) == PROBLEM then return false, joined[1] end
  if type(joined) ~= "string" then error(joined, 0) end -- a function of the script's
  return false, (joined:gsub("^[^\n]-joined%.lua:%d+: ", "", 1))
end
