-- graph.lua -- Draws graphs, and routes over them, over a view's terrain, for love.lua.
--
-- A waypoint is drawn as a disc. An edge is drawn as a line, with an arrow head if it is one-way. Blocked waypoints and
-- edges have the colour of blocks. A waypoint without a position is not drawn.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local line_width = require(FOLDER .. ".line_width")
local links_and_walls = require(FOLDER .. ".links_and_walls")

local M = {}

-- Methods of a graph and a grid, as functions. If the core was built without graphs, nothing can be drawn.
local has_graphs, a_graph = pcall(core.graph)
if not has_graphs then
  return { problem_of = function() return a_graph end }
end
local center = core.grid(1, 1).center
local nodes, edges, has, position = a_graph.nodes, a_graph.edges, a_graph.has, a_graph.position
local version, is_blocked = a_graph.version, a_graph.is_blocked

--- Returns a message if an argument is not a graph, nil if it is a graph.
function M.problem_of(graph)
  local ok, problem = pcall(nodes, graph)
  return not ok and (problem:gsub(": a method is called with a colon.*", "")) or nil -- the script made no such call
end

-- Returns the lists of waypoints and edges to draw. An edge that leads both ways is listed once.
local function list_all(graph)
  local list = { graph = graph, version = version(graph), nodes = {}, edges = {} }
  local found = {} -- the edges found so far, by the waypoints that they lead from and to
  for key, x, y in nodes(graph) do
    if x then
      list.nodes[#list.nodes + 1] = { x = x, y = y, blocked = is_blocked(graph, key) }
      found[key] = {}
    end
  end
  for key, x, y in nodes(graph) do
    for other, _, _, blocked in edges(graph, key) do
      if found[key] and found[other] then
        local back = found[other][key]
        if back then
          back.one_way = false
        else
          local to_x, to_y = position(graph, other)
          found[key][other] = { x = x, y = y, to_x = to_x, to_y = to_y, blocked = blocked, one_way = true }
          list.edges[#list.edges + 1] = found[key][other]
        end
      end
    end
  end
  return list
end

-- Returns the lists of a graph. The lists are made again for another graph and after an edit.
local function list_of(view, graph)
  local list = view.graph_list
  if not list or list.graph ~= graph or list.version ~= version(graph) then
    list = list_all(graph)
    view.graph_list = list
  end
  return list
end

function M.draw(view, graph, love)
  local list = list_of(view, graph)
  local width = line_width.set(love, math.max(1, view.scale / 12))
  for _, edge in ipairs(list.edges) do
    love.graphics.setColor(edge.blocked and view.theme.block or view.theme.link)
    local ax, ay = view:to_pixel(edge.x, edge.y)
    local bx, by = view:to_pixel(edge.to_x, edge.to_y)
    links_and_walls.draw_arrow(view, love, ax, ay, bx, by, edge.one_way)
  end
  for _, node in ipairs(list.nodes) do
    love.graphics.setColor(node.blocked and view.theme.block or view.theme.link)
    local px, py = view:to_pixel(node.x, node.y)
    love.graphics.circle("fill", px, py, view.scale / 4)
  end
  line_width.restore(love, width)
end

-- Returns the position of a point of a route: a waypoint, or a cell of a route over a joined graph. Returns nil if
-- the point has no position.
local function place_of(view, graph, place)
  if has(graph, place) then
    return position(graph, place)
  elseif type(place) == "table" and place.x then
    return center(view.grid, place.x, place.y)
  end
  return nil
end

--- Returns the pixels of the points of a route, as a flat list.
function M.pixels_of(view, graph, route)
  local points = {}
  for i = 1, #route do
    local x, y = place_of(view, graph, route[i])
    if x then
      points[#points + 1], points[#points + 2] = view:to_pixel(x, y)
    end
  end
  return points
end

return M
