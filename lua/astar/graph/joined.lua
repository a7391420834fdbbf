-- joined.lua -- graph:join: routes from a cell of a grid over the waypoints of a graph to another cell.
--
-- A unit walks straight from its start to a waypoint in its line of sight, then along edges of the graph, and from a
-- waypoint straight to the goal. The search starts at all waypoints that see the start and ends at any that sees the
-- goal, so it finds the best pair of waypoints. A position is a point as grid:center returns it; on squares it equals
-- the cell's coordinates. A waypoint counts as being at the cell nearest to its position.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local checks_of = require(ABOVE .. ".checks")
local describe = require(ABOVE .. ".describe")
local errors = require(ABOVE .. ".errors")
local no_field = require(ABOVE .. ".no_field")
local no_more = require(ABOVE .. ".no_more")
local plain_options = require(ABOVE .. ".plain_options")

local clock, graph_route, huge, sqrt = core.clock, core.graph_route, math.huge, math.sqrt
local OPTIONS = { "finder", "radius" }
local QUERY = { "max_cost", "max_expansions", "partial", "weight" }
local BUDGET = { "ms", "expansions" }

-- Number of restarts, caused by edits, after which a search examines all waypoints in one step.
local MOST_RESTARTS = 3

-- The class of searches in steps, which joined:search returns.
local Search = { expanded = 0, restarts = 0, result = false, look = false, at = 0 }
no_field.of_class(Search, "astar joined search", "status expanded", [[
  joined sx sy gx gy options preparing graph_version map_version restarts result look iterator nodes at]])

function Search:__tostring()
  return ("astar joined search: %s"):format(rawget(self, "status"))
end

local fail, message_of = errors.fail, errors.message_of
local checks = checks_of(fail)

local Joined = {}
no_field.of_class(Joined, "astar joined graph", "", "finder graph grid ways radius version nodes")

function Joined.__tostring()
  return "astar joined graph"
end

-- Raises an error of this file at the script's line. An error that a callback raised is passed on unchanged.
local function raise(problem)
  local message = message_of(problem)
  if message then error(message, 3) end
  local text, count = problem, 0
  if type(problem) == "string" then text, count = problem:gsub("^[^\n]-joined%.lua:%d+: ", "", 1) end
  error(text, count > 0 and 3 or 0)
end

-- Returns its arguments. Calls of the core are wrapped in this function so that they are not tail calls: their errors
-- then name a line of this file, by which `raise` recognises them.
local function returned(...) return ... end

local function check(self)
  if getmetatable(self) ~= Joined then error("astar joined graph expected, got " .. describe(self), 3) end
end

-- Returns the cell nearest to a position, or nil if that cell is outside the grid.
local function cell_of(grid, x, y)
  local x0, y0 = grid:bounds()
  local is_near = x and math.abs(x - x0) <= 2 ^ 30 and math.abs(y - y0) <= 2 ^ 30
  if is_near then return grid:cell_at(x, y) end
end

-- Adds a waypoint to a list, if it is not blocked and lies on the grid: its key, its position and its cell.
local function add_node(self, nodes, key)
  local x, y = self.graph:position(key)
  local cell_x, cell_y = cell_of(self.grid, x, y)
  if cell_x and not self.graph:is_blocked(key) then
    nodes[#nodes + 1] = { key = key, x = x, y = y, cell_x = cell_x, cell_y = cell_y }
  end
end

-- Returns the list of all waypoints that are not blocked and lie on the grid. The list is made again after an edit of
-- the graph.
local function nodes_of(self)
  local graph, nodes = self.graph, self.nodes
  local version = graph:version()
  if self.version ~= version then
    nodes = {}
    for key in graph:nodes() do add_node(self, nodes, key) end
    self.nodes, self.version = nodes, version
  end
  return nodes
end

local function apart(ax, ay, bx, by)
  return sqrt((ax - bx) ^ 2 + (ay - by) ^ 2)
end

-- Returns the tables for the waypoints at which a query's route can enter the graph and leave it. The tables are
-- still empty. They will be flat lists of the keys of waypoints and their distances.
local function new_look(self, sx, sy, gx, gy)
  local look = { sx = sx, sy = sy, gx = gx, gy = gy, ways_in = {}, ways_out = {} }
  look.start_x, look.start_y = self.grid:center(sx, sy)
  look.goal_x, look.goal_y = self.grid:center(gx, gy)
  return look
end

-- Adds a waypoint to the entries of the graph if it sees the start, and to the exits if it sees the goal.
local function look_at(self, look, node)
  local finder, radius, ways_in, ways_out = self.finder, self.radius, look.ways_in, look.ways_out
  local to = apart(node.x, node.y, look.start_x, look.start_y)
  local from = apart(node.x, node.y, look.goal_x, look.goal_y)
  if to <= radius and finder:raycast(look.sx, look.sy, node.cell_x, node.cell_y) then
    ways_in[#ways_in + 1], ways_in[#ways_in + 2] = node.key, to
  end
  if from <= radius and finder:raycast(node.cell_x, node.cell_y, look.gx, look.gy) then
    ways_out[#ways_out + 1], ways_out[#ways_out + 2] = node.key, from
  end
end

-- Returns true if a unit of `columns` x `rows` cells fits at a cell. Squares as large as its shorter side cover it.
local function has_room(finder, x, y, columns, rows)
  local side = math.min(columns, rows)
  for dy = 0, rows - 1, side do
    for dx = 0, columns - 1, side do
      local at_x, at_y = x + math.min(dx, columns - side), y + math.min(dy, rows - side)
      if finder:clearance(at_x, at_y) < side then return false end
    end
  end
  return true
end

-- Returns true if the unit fits at a cell. On hexagons there is no clearance, and every unit covers one cell.
local function fits(self, x, y)
  local options = self.finder:options()
  local size = options.size or 1
  if self.grid:shape() ~= "hex" then
    if type(size) == "table" then return has_room(self.finder, x, y, size[1], size[2]) end
    return self.finder:clearance(x, y) >= size
  end
  for _, layer in ipairs(self.grid:block_layers(x, y)) do
    local is_ignored = false
    for _, ignored in ipairs(options.ignore or {}) do is_ignored = is_ignored or ignored == layer end
    if not is_ignored then return false end
  end
  return (self.finder:raycast(x, y, x, y))
end

-- Raises an error if an argument of a query is wrong.
local function check_query(self, sx, sy, gx, gy, options)
  local x0, y0, x1, y1 = self.grid:bounds()
  checks.whole(sx, x0, x1, "sx")
  checks.whole(sy, y0, y1, "sy")
  checks.whole(gx, x0, x1, "gx")
  checks.whole(gy, y0, y1, "gy")
  graph_route(self.graph, self.ways, options) -- checks them
end

-- Answers a query without waypoints if possible: returns a path, or nil and the reason. Returns false if waypoints are
-- needed.
local function find_straight(self, sx, sy, gx, gy, options)
  local finder, is_there = self.finder, sx == gx and sy == gy
  if not finder:raycast(sx, sy, sx, sy) then return nil, "start blocked" end
  if not is_there and not fits(self, gx, gy) then return nil, "goal blocked" end
  if not finder:raycast(sx, sy, gx, gy) then return false end
  local start, goal = { x = sx, y = sy }, not is_there and { x = gx, y = gy } or nil
  local x, y = self.grid:center(sx, sy)
  local length = apart(x, y, self.grid:center(gx, gy)) -- the root of a whole number, on hexagons, too
  return returned(graph_route(self.graph, self.ways, options, start, goal, sqrt(math.floor(length ^ 2 + 0.5))))
end

-- Returns the cheapest route over the waypoints that were examined.
local function find_between(self, look, options)
  local start, goal = { x = look.sx, y = look.sy }, { x = look.gx, y = look.gy }
  return returned(graph_route(self.graph, self.ways, options, start, goal, look.ways_in, look.ways_out, look.goal_x,
    look.goal_y))
end

local function find_path(self, sx, sy, gx, gy, options)
  check_query(self, sx, sy, gx, gy, options)
  local version = self.graph:version()
  local path, reason = find_straight(self, sx, sy, gx, gy, options)
  if path ~= false then return path, reason end
  local look = new_look(self, sx, sy, gx, gy)
  for _, node in ipairs(nodes_of(self)) do look_at(self, look, node) end
  if self.graph:version() ~= version then fail "graph was edited during the search" end -- by a finder's callback
  return find_between(self, look, options)
end

--- joined:find_path(sx, sy, gx, gy [, options]) --> path | nil, reason
function Joined:find_path(sx, sy, gx, gy, options, ...)
  check(self)
  no_more("find_path", 5, ...)
  local ok, path, reason = pcall(find_path, self, sx, sy, gx, gy, options)
  if ok then return path, reason end
  raise(path)
end

local function begin(self, sx, sy, gx, gy, options)
  options = plain_options(options, QUERY)
  check_query(self, sx, sy, gx, gy, options)
  local its
  for key, value in entries, options or {} do
    its = its or {}
    its[key] = value
  end
  return setmetatable({
    joined = self, sx = sx, sy = sy, gx = gx, gy = gy, options = its, status = "running",
    preparing = self.finder:preparing(),
  }, Search)
end

--- joined:search(sx, sy, gx, gy [, options]) --> search
function Joined:search(sx, sy, gx, gy, options, ...)
  check(self)
  no_more("search", 5, ...)
  local ok, search = pcall(begin, self, sx, sy, gx, gy, options)
  if ok then return search end
  raise(search)
end

local function check_search(self)
  if getmetatable(self) ~= Search then error("astar joined search expected, got " .. describe(self), 3) end
  if rawget(self, "status") == "closed" then error("astar joined search is closed", 3) end
end

-- Ends a search with a path, or nil and the reason.
local function finish(self, path, reason)
  self.result, self.status = path or false, path and "found" or reason
  self.look, self.iterator, self.nodes = false, false, false
  return self.status
end

-- Returns true if a search must examine all waypoints again: it has not started, or the graph or the grid was edited.
local function is_outdated(self)
  local joined = self.joined
  return not self.look or self.graph_version ~= joined.graph:version() or self.map_version ~= joined.grid:version()
end

-- Starts to examine the waypoints. Returns false if the query is answered without them.
local function begin_look(self)
  local joined = self.joined
  if self.look then self.restarts = self.restarts + 1 end
  self.graph_version, self.map_version = joined.graph:version(), joined.grid:version()
  local path, reason = find_straight(joined, self.sx, self.sy, self.gx, self.gy, self.options)
  if path ~= false then
    finish(self, path, reason)
    return false
  end
  self.look, self.at = new_look(joined, self.sx, self.sy, self.gx, self.gy), 0
  local is_listed = joined.version == self.graph_version
  self.nodes, self.iterator = is_listed and joined.nodes or {}, not is_listed and joined.graph:nodes()
  return true
end

-- Lists or examines one more waypoint. Returns false once all waypoints are examined.
local function look_on(self)
  local joined = self.joined
  if self.iterator then
    local key = self.iterator()
    if key ~= nil then
      add_node(joined, self.nodes, key)
      return true
    end
    joined.nodes, joined.version, self.iterator = self.nodes, self.graph_version, false
  end
  self.at = self.at + 1
  if self.at > #self.nodes then return false end
  look_at(joined, self.look, self.nodes[self.at])
  self.expanded = self.expanded + 1
  return true
end

-- Returns the time at which a budget is used up, and the number of waypoints that may be examined.
local function limits_of(budget)
  if type(budget) ~= "table" then return huge, budget or 1 end
  local ms = rawget(budget, "ms")
  return ms and clock() + ms / 1000 or huge, rawget(budget, "expansions") or huge
end

local function step(self, budget)
  budget = plain_options(budget, BUDGET)
  local till, most = limits_of(budget)
  if self.preparing:step(budget) == "running" or self.status ~= "running" then return self.status end
  if is_outdated(self) and not begin_look(self) then return self.status end
  local last, looks = self.expanded + most, 0
  repeat
    local is_done = not look_on(self)
    if is_outdated(self) then fail "graph was edited during the search" end -- by a finder's callback
    if is_done then return finish(self, find_between(self.joined, self.look, self.options)) end
    looks = looks + 1
    local is_over = self.expanded >= last or looks % 4 == 0 and clock() >= till
  until is_over and self.restarts < MOST_RESTARTS
  return self.status
end

--- search:step([n]) --> "running", "found" or the reason
function Search:step(budget, ...)
  check_search(self)
  no_more("step", 1, ...)
  local ok, status = pcall(step, self, budget)
  if ok then return status end
  raise(status)
end

--- search:path() --> path | nil, status
function Search:path(...)
  check_search(self)
  no_more("path", 0, ...)
  if self.result then return self.result end
  return nil, self.status
end

--- search:close()
function Search:close(...)
  check_search(self)
  no_more("close", 0, ...)
  self.preparing:close()
  finish(self, nil, "closed")
end

-- Returns the cell of a point of a route, which is a waypoint or a cell. Returns nil if the point has no cell on the
-- grid, for instance because the waypoint was removed.
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
  return returned(self.finder:find_path(x0, y0, x1, y1))
end

--- joined:leg(path, i) --> the path over the grid from path[i] to the next | nil, reason
function Joined:leg(path, i, ...)
  check(self)
  no_more("leg", 2, ...)
  local ok, way, reason = pcall(leg, self, path, i)
  if ok then return way, reason end
  raise(way)
end

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

--- Returns the joined graph to the C module, or false and a message if an argument is wrong.
return function(_, ...)
  local ok, joined = pcall(join, ...)
  if ok then return joined end
  local message = message_of(joined)
  if message then return false, message end
  if type(joined) ~= "string" then error(joined, 0) end -- a callback of the script raised it
  return false, (joined:gsub("^[^\n]-joined%.lua:%d+: ", "", 1))
end
