-- questions.lua -- the queries that a map answers, and the answers as data.
--
-- A query is a table with its name: { find_path = { sx, sy, gx, gy }, partial = true }. Whatever can take longer than a
-- slice is computed in steps, so that others are served in between, and ends with "timeout" once its time is over.

local journeys = require "astar_service.journeys"
local plain = require("astar_service.map").plain
local steps = require "astar_service.steps"

local finder_of, pause_at, run_search, MOST_AT_ONCE = steps.finder_of, steps.pause_at, steps.find, steps.MOST_AT_ONCE

local questions = {}

local OPTIONS = { -- a question's own
  partial = true, range = true, max_cost = true, max_expansions = true, weight = true, heading = true, bends = true,
}

local OF_GRIDS, OF_GRAPHS = { unit = true, all_cells = true }, { unit = true, ground = true }

-- The options of a question as two tables: ours, of the names given, and what finder:find_path takes.
local function split_options(options, names)
  names = names or OF_GRIDS
  local ours, question = {}, nil
  if options == nil then return ours, question end
  if type(options) ~= "table" then error("options must be a table, got " .. type(options), 0) end
  for key, value in pairs(options) do
    if not OPTIONS[key] and not names[key] then error(("unknown option %q"):format(tostring(key)), 0) end
    if names[key] then
      ours[key] = value
    else
      question = question or {}
      question[key] = value
    end
  end
  if ours.unit ~= nil and type(ours.unit) ~= "table" then error("unit must be a table of a finder's options", 0) end
  return ours, question
end

local function check_count(list, most, name)
  if type(list) ~= "table" then error(("%s must be a list, got %s"):format(name, type(list)), 0) end
  if #list > most then error(("%s must be at most %d, got %d"):format(name, most, #list), 0) end
end

local function check_told(context, count, what)
  if count > context.limits.told then
    error(("%s is %d long, and an answer tells at most %d"):format(what, count, context.limits.told), 0)
  end
end

-- All cells of a route as { x1, y1, x2, y2, ... }.
local function cells_of(path, context)
  if #path <= MOST_AT_ONCE then return path:cells_flat() end
  check_told(context, #path, "the route")
  local cells = {}
  for i = 1, #path do
    cells[2 * i - 1], cells[2 * i] = path:cell(i)
    pause_at(context, i)
  end
  return cells
end

-- The turning points of a long route, the ends of links among them. path:waypoints() would make them all in one go.
local function turns_of(path, context)
  local points = {}
  local function add(x, y)
    points[#points + 1], points[#points + 2] = x, y
    check_told(context, #points // 2, "the list of turning points")
  end
  local x, y = path:cell(1)
  local dx, dy, was_link
  add(x, y)
  for i = 2, #path do
    local nx, ny = path:cell(i)
    local is_link = path:link(i - 1) ~= nil
    if dx and (nx - x ~= dx or ny - y ~= dy or is_link or was_link) then add(x, y) end
    x, y, dx, dy, was_link = nx, ny, nx - x, ny - y, is_link
    pause_at(context, i)
  end
  if #path > 1 then add(x, y) end
  return points
end

local function points_of(path, context)
  if #path > 4 * MOST_AT_ONCE then return turns_of(path, context) end
  local points = {}
  for i, point in ipairs(path:waypoints()) do points[2 * i - 1], points[2 * i] = point.x, point.y end
  return points
end

-- The links that a route takes: { { x0, y0, x1, y1, label }, ... }.
local function links_of(path, context)
  local links = {}
  for i = 1, #path - 1 do
    local label = path:link(i)
    if label then
      local x0, y0 = path:cell(i)
      local x1, y1 = path:cell(i + 1)
      links[#links + 1] = { x0, y0, x1, y1, label }
      check_told(context, #links, "the list of links")
    end
    pause_at(context, i)
  end
  return links
end

-- A route as data: its turning points, or all cells, as { x1, y1, x2, y2, ... }.
local function tell_path(path, options, has_links, context)
  local answer = {
    cost = path.cost, length = path.length, expanded = path.expanded, algorithm = path.algorithm,
    partial = path.partial or nil,
  }
  if options.all_cells then answer.cells = cells_of(path, context) else answer.points = points_of(path, context) end
  if has_links then answer.links = links_of(path, context) end
  return answer
end

local function find_path(map, context, question, sx, sy, gx, gy)
  local options, its = split_options(question[6])
  local finder = finder_of(map, context, options.unit)
  if not finder then return { reason = "timeout" } end
  local path, reason = run_search(finder:search(sx, sy, gx, gy, its), context)
  if not path then return { reason = reason } end
  return tell_path(path, options, map.has_links, context)
end

local function find_nearest(map, context, question, sx, sy, goals)
  check_count(goals, context.limits.goals, "goals")
  local options, its = split_options(question[5])
  local finder = finder_of(map, context, options.unit)
  if not finder then return { reason = "timeout" } end
  local path, which = run_search(finder:finding_nearest(sx, sy, goals, its), context)
  if not path then return { reason = which } end
  local answer = tell_path(path, options, map.has_links, context)
  answer.goal = which
  return answer
end

-- How far it is from each of many cells to the nearest of the goals: { distance or false, ... }.
local function distances(map, context, question, goals, cells)
  check_count(goals, context.limits.goals, "goals")
  check_count(cells, context.limits.cells_asked, "cells")
  local options = split_options(question[4])
  local finder = finder_of(map, context, options.unit)
  if not finder then return { reason = "timeout" } end
  context.check_memory(map)
  local flow = finder:flow(goals)
  local status = steps.run(flow:completing(), context)
  if status ~= "done" then return { reason = status } end
  local list = {}
  for i, cell in ipairs(cells) do
    if type(cell) ~= "table" then error(("cells[%d] must be a cell {x, y}"):format(i), 0) end
    list[i] = flow:distance(cell[1] or cell.x, cell[2] or cell.y) or false
    pause_at(context, i)
  end
  return { distances = list }
end

local function raycast(map, context, question, x0, y0, x1, y1)
  local options = split_options(question[6])
  local finder = finder_of(map, context, options.unit)
  if not finder then return { reason = "timeout" } end
  local free, x, y = finder:raycast(x0, y0, x1, y1)
  return { free = free, x = x, y = y }
end

local function reachable(map, context, question, sx, sy, gx, gy)
  local options = split_options(question[6])
  local finder = finder_of(map, context, options.unit)
  if not finder then return { reason = "timeout" } end
  return { reachable = finder:reachable(sx, sy, gx, gy) }
end

local function cell(map, _, _, x, y)
  local layers = map.object:block_layers(x, y)
  return { key = map.object:get(x, y), blocked = #layers > 0, layers = layers }
end

-- ---- graphs ----

-- Those of a question that knows no ground.
local function graph_options(options)
  local ours, its = split_options(options, OF_GRAPHS)
  if ours.ground ~= nil then error("ground is for find_path and raycast", 0) end
  return ours, its
end

-- A route over a graph: its keys, and the labels of the edges between, false for none.
local function tell_keys(path, context)
  check_told(context, #path, "the route")
  local nodes, labels = {}, {}
  for i = 1, #path do
    nodes[i] = path[i]
    if i > 1 then labels[i - 1] = path:link(i - 1) or false end
    pause_at(context, i)
  end
  return { cost = path.cost, expanded = path.expanded, partial = path.partial or nil, nodes = nodes, labels = labels }
end

local function find_way(map, context, question, a, b)
  local options, its = split_options(question[4], OF_GRAPHS)
  if options.ground ~= nil then
    return journeys.find_path(map, context, options.ground, options.unit, its, a, b)
  end
  local search = map:finder(options.unit):search(a, b, its)
  context.watched[map] = nil -- the search is of the graph as it is now, whatever is edited
  local path, reason = run_search(search, context)
  return path and tell_keys(path, context) or { reason = reason }
end

local function find_nearest_node(map, context, question, a, goals)
  check_count(goals, context.limits.goals, "goals")
  local options, its = graph_options(question[4])
  local path, which = map:finder(options.unit):find_nearest(a, goals, its)
  if not path then return { reason = which } end
  local answer = tell_keys(path, context)
  answer.goal = which
  return answer
end

-- The nodes that so much cost reaches: { { key, distance }, ... }.
local function reach(map, context, question, a, max_cost)
  local options = graph_options(question[4])
  local list = {}
  for key, distance in map:finder(options.unit):reach(a, max_cost):nodes() do
    if #list == context.limits.cells_asked then error(("more than %d nodes are in reach"):format(#list), 0) end
    list[#list + 1] = { key, distance }
    pause_at(context, #list)
  end
  return { nodes = list }
end

local function nearest(map, _, _, x, y)
  return { key = map.object:nearest(x, y) }
end

local function raycast_over(map, context, question, a, b)
  local options = split_options(question[4], OF_GRAPHS)
  if options.ground == nil then error("a ray over a graph needs the option ground", 0) end
  return journeys.raycast(map, context, options.ground, a, b)
end

-- For each query: the function that answers it, the number of its arguments, and whether it has options.
local GRAPH_KINDS = {
  find_path = { find_way, 2, true }, raycast = { raycast_over, 2, true },
  find_nearest = { find_nearest_node, 2, true }, reach = { reach, 2, true }, nearest = { nearest, 2 },
}

local KINDS = {
  find_path = { find_path, 4, true }, find_nearest = { find_nearest, 3, true }, distances = { distances, 2, true },
  raycast = { raycast, 4, true }, reachable = { reachable, 4, true }, cell = { cell, 2 },
}

-- A question, { NAME = arguments, its options }, as its kind, its arguments and its options.
local function parse(kinds, question, what)
  if type(question) ~= "table" then error('a question must be an object such as {"find_path": [sx, sy, gx, gy]}', 0) end
  local name, options
  for key, value in pairs(question) do
    if not kinds[key] then
      options = options or {}
      options[key] = value
    elseif name then
      error(("a question is one thing, got %s and %s"):format(name, key), 0)
    else
      name = key
    end
  end
  if not name then error(("there is no question %q to %s"):format(tostring(next(question)), what), 0) end
  local arguments, count = question[name], kinds[name][2]
  if type(arguments) ~= "table" then error(("%s must have a list of arguments"):format(name), 0) end
  for key in pairs(arguments) do
    if type(key) ~= "number" or key < 1 or key > count then
      error(("%s takes at most %d arguments"):format(name, count), 0)
    end
  end
  if options and not kinds[name][3] then error(("%s takes no options"):format(name), 0) end
  return kinds[name], name, arguments, options
end

-- The answer to a query, { NAME = arguments, its options }; an error tells what is wrong with it. `unit`: the finder's
-- options of all queries that tell none. `context`, as asking.lua makes it:
--   limits, deadline, clock
--   left()             milliseconds of the slice
--   pause()            lets others go on once the slice is over; raises an error if the map was edited meanwhile
--   check_memory(map)  raises an error if too much is derived of the map
--   find_map(name, least)
--   watched            the maps that the query reads, and the stamps that they must keep
function questions.answer(map, context, question, unit)
  local kinds = map.is_graph and GRAPH_KINDS or KINDS
  local kind, name, arguments, options = parse(kinds, question, map.is_graph and "a graph" or "a grid")
  if kind[3] and unit ~= nil and (options or {}).unit == nil then
    options = options or {}
    options.unit = unit
  end
  local list = { name, table.unpack(arguments, 1, kind[2]) }
  list[kind[2] + 2] = options
  local ok, told = pcall(kind[1], map, context, list, list[2], list[3], list[4], list[5])
  if ok then return told end
  error(type(told) == "string" and plain(told) or told, 0)
end

return questions
