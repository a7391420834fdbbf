-- graph.lua -- Makes a graph from points and lines that were drawn in Tiled: points are waypoints, lines are edges.
--
-- A corner of a line at a point is that waypoint. Any other corner becomes a waypoint of its own, at which lines with
-- corners in the same place meet. Units therefore walk as the lines show, straight from corner to corner.
--
-- Positions have the coordinates of the grid: (1, 1) is the middle of Tiled's cell (0, 0), unless the option `origin`
-- is given. On a hexagonal map a waypoint lies in the middle of its cell, as grid:center returns it.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local check = require(FOLDER .. ".check")
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local fail = require(ABOVE .. ".errors").raise
local hexagons = require(FOLDER .. ".hexagons")
local maps = require(FOLDER .. ".map")
local plain_options = require(ABOVE .. ".plain_options")
local shapes = require(FOLDER .. ".shapes")

local M = {}

local SNAP, MOST = 0.5, 1e15 -- default of `snap`, in cells; maximum cost of an edge

local PROPERTIES = { cost = "cost", label = "label", one_way = "one_way" }

local function property_names(given)
  if given == nil then
    return PROPERTIES
  elseif type(given) ~= "table" then
    fail("properties must be a table, got %s", describe(given))
  end
  local names = { cost = "cost", label = "label", one_way = "one_way" }
  for name, property in entries, plain_options(given, { "cost", "label", "one_way" }) do
    if not PROPERTIES[name] or type(property) ~= "string" then
      fail("properties must be names for cost, label and one_way, got %s = %s", tostring(name), describe(property))
    end
    names[name] = property
  end
  return names
end

local function check_snap(snap)
  if snap == nil then
    return SNAP
  elseif type(snap) ~= "number" or not (snap >= 0 and snap <= MOST) then
    fail("snap must be a number >= 0, got %s", describe(snap))
  end
  return snap
end

local function check_options(given)
  if given == nil then
    given = {}
  elseif type(given) ~= "table" then
    fail("options must be a table, got %s", describe(given))
  end
  given = plain_options(given, { "origin", "properties", "snap" })
  local layers = {}
  for name, value in entries, given do
    if type(name) == "number" and name % 1 == 0 and name >= 1 and (name == 1 or rawget(given, name - 1) ~= nil) then
      layers[name] = value
    elseif name ~= "origin" and name ~= "properties" and name ~= "snap" then
      fail("unknown option %s, expected names of layers, origin, properties or snap", describe(name))
    end
  end
  return {
    layers = layers,
    origin = check.origin(rawget(given, "origin")),
    properties = property_names(rawget(given, "properties")),
    snap = check_snap(rawget(given, "snap")),
  }
end

-- Returns an empty index of waypoints by place: the plane is divided into squares, each with a list of its waypoints.
local function new_index(reach)
  return { side = math.max(reach, 1e-3), reach = reach, squares = {} }
end

local function square_name(x, y)
  return ("%.0f %.0f"):format(x, y)
end

local function index_add(index, node)
  local name = square_name(math.floor(node.px / index.side), math.floor(node.py / index.side))
  local square = index.squares[name] or {}
  index.squares[name] = square
  square[#square + 1] = node
end

-- Returns the waypoint nearest to a place, the first of several. Returns nil if none is within reach.
local function index_find(index, px, py)
  local best, least = nil, index.reach * index.reach
  local column, row = math.floor(px / index.side), math.floor(py / index.side)
  for y = row - 1, row + 1 do
    for x = column - 1, column + 1 do
      for _, node in ipairs(index.squares[square_name(x, y)] or {}) do
        local apart = (node.px - px) ^ 2 + (node.py - py) ^ 2
        if apart < least or apart == least and (not best or node.number < best.number) then
          best, least = node, apart
        end
      end
    end
  end
  return best
end

-- Adds a waypoint at a place in cells. `owner` is the object of which it is the point or a corner.
local function add_node(plan, index, key, px, py, owner)
  if plan.owners[key] then
    fail("%s: expected a unique name, got %s, as %s has", owner.where, describe(key), plan.owners[key].where)
  end
  plan.owners[key] = owner
  local node = { key = key, px = px, py = py, number = #plan.nodes + 1 }
  local map, origin = plan.source.map, plan.options.origin
  if plan.source.is_hexagonal then
    local x, y = hexagons.regular_middle(map, shapes.hexagon_at(px, py, plan.source))
    node.x, node.y = x + origin[1], y + origin[2]
  else
    node.x, node.y = px - 0.5 + origin[1], py - 0.5 + origin[2]
  end
  plan.nodes[node.number] = node
  index_add(index, node)
  return node
end

local function add_point(plan, owner)
  local object = owner.object
  local key = object.name
  if key == nil or key == "" then
    key = object.id
  elseif type(key) ~= "string" then
    fail("%s: expected a string for name, got %s", owner.where, describe(key))
  end
  local corners = shapes.corners(object, owner.layer, plan.source)
  add_node(plan, plan.points, key, corners[1].x, corners[1].y, owner)
end

local function node_at(plan, corner, number, owner)
  return index_find(plan.points, corner.x, corner.y) or index_find(plan.corners, corner.x, corner.y)
    or add_node(plan, plan.corners, ("%.0f/%d"):format(owner.object.id, number), corner.x, corner.y, owner)
end

local function property_of(plan, owner, name, is_right, expected)
  local value = rawget(owner.object.properties or {}, plan.options.properties[name])
  if value ~= nil and not is_right(value) then
    fail("%s: expected %s for %s, got %s", owner.where, expected, plan.options.properties[name], describe(value))
  end
  return value
end

local function is_cost(value)
  return type(value) == "number" and value >= 0 and value <= MOST
end

local function is_label(value)
  return type(value) == "string" or type(value) == "number" and value == value
end

local function is_boolean(value)
  return type(value) == "boolean"
end

-- Returns the properties that a line gives to its edges.
local function read_way(plan, owner)
  local label = property_of(plan, owner, "label", is_label, "a string or a number")
  local name = owner.object.name
  if label == nil and type(name) == "string" and name ~= "" then
    label = name
  end
  return {
    cost = property_of(plan, owner, "cost", is_cost, "a number from 0 to 1e15"),
    one_way = property_of(plan, owner, "one_way", is_boolean, "true or false"),
    label = label,
  }
end

local function length_between(a, b)
  return math.sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2)
end

-- Returns the waypoints along a line, in order.
local function nodes_along(plan, owner)
  local corners, is_closed = shapes.corners(owner.object, owner.layer, plan.source)
  local nodes = {}
  for i, corner in ipairs(corners) do
    local node = node_at(plan, corner, i, owner)
    if node ~= nodes[#nodes] then
      nodes[#nodes + 1] = node
    end
  end
  if is_closed and nodes[#nodes] ~= nodes[1] then
    nodes[#nodes + 1] = nodes[1]
  end
  if #nodes < 2 then
    fail("%s: expected a line from one waypoint to another, got all of its corners at one", owner.where)
  end
  return nodes
end

-- Adds the edges of a line. The cost of a line is divided among its edges in proportion to their lengths.
local function add_line(plan, owner)
  local way, nodes, length = read_way(plan, owner), nodes_along(plan, owner), 0
  for i = 2, #nodes do
    length = length + length_between(nodes[i - 1], nodes[i])
  end
  for i = 2, #nodes do
    local own, cost = length_between(nodes[i - 1], nodes[i]), nil
    if way.cost then
      cost = way.cost * (length > 0 and own / length or 1 / (#nodes - 1))
    end
    plan.edges[#plan.edges + 1] = {
      a = nodes[i - 1].key, b = nodes[i].key,
      options = { cost = cost, label = way.label, one_way = way.one_way },
    }
  end
end

-- Returns the points and the lines of the layers, each with its name in errors.
local function sort_objects(source, layers)
  local points, lines = {}, {}
  for _, layer in ipairs(layers) do
    if not layer.objects then
      fail("%s: layer %s: expected an object layer, got one of type %s", source.name, describe(layer.name),
        describe(layer.type))
    end
    for i, object in ipairs(layer.objects) do
      local where = ("%s: layer %s: object %s"):format(source.name, describe(layer.name), describe(object.id or i))
      local list = object.shape == "point" and points or (object.polyline or object.polygon) and lines
      if not list then
        fail("%s: expected a point or a line, got %s", where, object.gid and "a tile" or describe(object.shape))
      elseif type(object.id) ~= "number" or object.id % 1 ~= 0 then
        fail("%s: expected an integer for id, got %s", where, describe(object.id))
      end
      list[#list + 1] = { object = object, layer = layer, where = where }
    end
  end
  return points, lines
end

-- Returns true if a map is infinite. In Tiled's export to Lua only the layers show this.
local function is_infinite(source)
  for _, layer in ipairs(maps.layers_of_type(source, "tilelayer", {})) do
    if layer.chunks then
      return true
    end
  end
  return source.map.infinite
end

--- Returns the graph of a map, for tiled.graph.
function M.make(map, given)
  local options = check_options(given)
  local source = maps.open(map)
  if source.is_hexagonal and is_infinite(source) then
    fail("%s: expected a map of hexagons that is not infinite: the origin of its grid decides which rows are shifted",
      source.name)
  end
  local layers = #options.layers > 0 and maps.find_layers(source, options.layers, "layers")
    or maps.layers_of_type(source, "objectgroup", {})
  local plan = {
    source = source, options = options, nodes = {}, edges = {}, owners = {},
    points = new_index(options.snap), corners = new_index(options.snap),
  }
  local points, lines = sort_objects(source, layers)
  for _, owner in ipairs(points) do
    add_point(plan, owner)
  end
  for _, owner in ipairs(lines) do
    add_line(plan, owner)
  end
  local graph = core.graph()
  for _, node in ipairs(plan.nodes) do
    graph:node(node.key, node.x, node.y)
  end
  for _, edge in ipairs(plan.edges) do
    graph:edge(edge.a, edge.b, edge.options)
  end
  return graph
end

return M
