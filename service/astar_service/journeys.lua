-- journeys.lua -- a navigation graph over its ground: rays and routes from any cell over the way-points to any cell.
--
-- A query about a graph names the grid that it lies over, `ground = { map =, unit =, radius =, least = }`, and then has
-- cells, { x, y }, for places as well as keys. Its answer is of one version of each of the two, and tells both.

local steps = require "astar_service.steps"

local journeys = {}

local MOST_JOINED = 8 -- kept of each graph: each lists all way-points

local MOST_VERSION = 2 ^ 53

local FIELDS = { map = true, unit = true, radius = true, least = true }

-- Raises unless `ground` describes one.
local function check_ground(ground)
  if type(ground) ~= "table" or type(ground.map) ~= "string" then
    error("ground must be a table that names a map, { map =, unit =, radius = }", 0)
  end
  for key in pairs(ground) do
    if not FIELDS[key] then error(("unknown option %q of ground"):format(tostring(key)), 0) end
  end
  if ground.unit ~= nil and type(ground.unit) ~= "table" then error("unit must be a table of a finder's options", 0) end
  local least = ground.least
  if least ~= nil and (type(least) ~= "number" or least % 1 ~= 0 or least < 0 or least > MOST_VERSION) then
    error(("least of ground must be an integer from 0 to %.0f"):format(MOST_VERSION), 0)
  end
end

-- The grid that a question's ground names, and the answer in its place where that stays behind.
local function find_ground(context, ground)
  check_ground(ground)
  local found, version = context.find_map(ground.map, ground.least)
  if not found then return nil, { reason = "behind", ground_version = version } end
  if found.is_graph then error(("map %q is no grid"):format(ground.map), 0) end
  context.watched[found] = found:stamp()
  return found
end

-- The graph joined to a grid for a unit: the one that was made for the last such query, if it still holds.
local function joined_of(map, finder, ways, radius)
  map.joined = map.joined or {}
  for i, its in ipairs(map.joined) do
    if its.finder == finder and its.ways == ways and its.radius == radius then
      table.insert(map.joined, 1, table.remove(map.joined, i))
      return its.joined
    end
  end
  local joined = map.object:join(finder, { finder = ways, radius = radius })
  table.insert(map.joined, 1, { finder = finder, ways = ways, radius = radius, joined = joined })
  map.joined[MOST_JOINED + 1] = nil
  return joined
end

-- The cell of a place: one itself, or that of a way-point.
local function cell_of(graph, place)
  if type(place) == "table" then return place[1] or place.x, place[2] or place.y end
  local x, y = graph:position(place)
  if not x then error(("node %s has no position"):format(tostring(place)), 0) end
  return math.floor(x + 0.5), math.floor(y + 0.5)
end

-- A place of a route as data, and where it is: false, false for a way-point without a position.
local function tell_place(graph, place)
  if type(place) == "table" then return { place.x, place.y }, place.x, place.y end
  local x, y = graph:position(place)
  return place, x or false, y or false
end

-- { "find_path", a, b, { ground = } } --> cost, nodes, labels, points
function journeys.find_path(map, context, ground, unit, question, a, b)
  local grid, behind = find_ground(context, ground)
  if not grid then return behind end
  local graph = map.object
  if not ground.radius and #graph > context.limits.goals then
    error(("a graph of more than %d nodes needs the ground's radius"):format(context.limits.goals), 0)
  end
  local finder = steps.finder_of(grid, context, ground.unit)
  if not finder then return { reason = "timeout", ground_version = grid.version } end
  local joined = joined_of(map, finder, map:finder(unit), ground.radius)
  local sx, sy = cell_of(graph, a)
  local gx, gy = cell_of(graph, b)
  local path, reason = steps.find(joined:search(sx, sy, gx, gy, question), context)
  if not path then return { reason = reason, ground_version = grid.version } end
  local nodes, labels, points = {}, {}, {}
  for i = 1, #path do
    nodes[i], points[2 * i - 1], points[2 * i] = tell_place(graph, path[i])
    if i > 1 then labels[i - 1] = path:link(i - 1) or false end
  end
  return { cost = path.cost, nodes = nodes, labels = labels, points = points, ground_version = grid.version }
end

-- { "raycast", a, b, { ground = } } --> free, and where not, x and y
function journeys.raycast(map, context, ground, a, b)
  local grid, behind = find_ground(context, ground)
  if not grid then return behind end
  local finder = steps.finder_of(grid, context, ground.unit)
  if not finder then return { reason = "timeout", ground_version = grid.version } end
  local x0, y0 = cell_of(map.object, a)
  local free, x, y = finder:raycast(x0, y0, cell_of(map.object, b))
  return { free = free, x = x, y = y, ground_version = grid.version }
end

return journeys
