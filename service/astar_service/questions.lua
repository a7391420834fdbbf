-- questions.lua -- what can be asked of a map, and the answers as data.
--
-- A question is a list that begins with its name: { "find_path", sx, sy, gx, gy, options }. What takes long is worked
-- out by slices, so that others are served in between, and ends with "timeout" once its time is over.

local journeys = require "astar_service.journeys"
local plain = require("astar_service.map").plain

local questions = {}

-- Expansions that a route may take in one go, some two milliseconds.
local AT_ONCE = 20000

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

-- A route as data: its turning points, or all cells, as { x1, y1, x2, y2, ... }.
local function tell_path(path, options, has_links)
  local answer = {
    cost = path.cost, length = path.length, expanded = path.expanded, algorithm = path.algorithm,
    partial = path.partial or nil,
  }
  if options.all_cells then
    answer.cells = path:cells_flat()
  else
    local points = {}
    for i, point in ipairs(path:waypoints()) do points[2 * i - 1], points[2 * i] = point.x, point.y end
    answer.points = points
  end
  if has_links then
    local links = {}
    for i = 1, #path - 1 do
      local label = path:link(i)
      if label then
        local x0, y0 = path:cell(i)
        local x1, y1 = path:cell(i + 1)
        links[#links + 1] = { x0, y0, x1, y1, label }
      end
    end
    answer.links = links
  end
  return answer
end

-- Runs a job by slices of `context.slice` milliseconds, others served in between; its last status, or "timeout".
local function run_job(job, context)
  local status
  repeat
    status = job:step { ms = context.slice }
    if status == "running" then
      context.yield()
      if context.clock() > context.deadline then status = "timeout" end
    end
  until status ~= "running"
  return status
end

-- A route that takes long. An edit may end a search; after three such it runs in one go.
local function search_by_slices(finder, context, sx, sy, gx, gy, question)
  for _ = 1, 3 do
    local search = finder:search(sx, sy, gx, gy, question)
    local status = run_job(search, context)
    if status ~= "grid changed" then
      local path = status == "found" and search:path() or nil
      search:close()
      return path, status
    end
    search:close()
  end
  return finder:find_path(sx, sy, gx, gy, question)
end

local function find_path(map, context, question, sx, sy, gx, gy)
  local options, its = split_options(question[6])
  local finder = map:finder(options.unit)
  local at_once = { max_expansions = AT_ONCE }
  for key, value in pairs(its or {}) do at_once[key] = value end
  local is_limited = its and its.max_expansions
  if is_limited and type(is_limited) == "number" and is_limited > AT_ONCE then at_once.max_expansions = AT_ONCE end
  local path, reason
  if not (its and its.partial) then path, reason = finder:find_path(sx, sy, gx, gy, at_once) end
  if not path and (reason == nil or reason == "max_expansions") and is_limited ~= at_once.max_expansions then
    path, reason = search_by_slices(finder, context, sx, sy, gx, gy, its)
  end
  if not path then return { reason = reason } end
  return tell_path(path, options, map.has_links)
end

local function find_nearest(map, context, question, sx, sy, goals)
  check_count(goals, context.limits.goals, "goals")
  local options, its = split_options(question[5])
  its = its or {}
  its.max_expansions = its.max_expansions or context.limits.expansions
  local path, which = map:finder(options.unit):find_nearest(sx, sy, goals, its)
  if not path then return { reason = which } end
  local answer = tell_path(path, options, map.has_links)
  answer.goal = which
  return answer
end

-- How far it is from each of many cells to the nearest of the goals: { distance or false, ... }.
local function distances(map, context, question, goals, cells)
  check_count(goals, context.limits.goals, "goals")
  check_count(cells, context.limits.cells_asked, "cells")
  local options = split_options(question[4])
  local flow = map:finder(options.unit):flow(goals)
  local status = run_job(flow:completing(), context)
  if status ~= "done" then return { reason = status } end
  local list = {}
  for i, cell in ipairs(cells) do
    if type(cell) ~= "table" then error(("cells[%d] must be a cell {x, y}"):format(i), 0) end
    list[i] = flow:distance(cell[1] or cell.x, cell[2] or cell.y) or false
  end
  return { distances = list }
end

local function raycast(map, _, question, x0, y0, x1, y1)
  local options = split_options(question[6])
  local free, x, y = map:finder(options.unit):raycast(x0, y0, x1, y1)
  return { free = free, x = x, y = y }
end

local function reachable(map, _, question, sx, sy, gx, gy)
  local options = split_options(question[6])
  return { reachable = map:finder(options.unit):reachable(sx, sy, gx, gy) }
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
local function tell_keys(path)
  local nodes, labels = {}, {}
  for i = 1, #path do
    nodes[i] = path[i]
    if i > 1 then labels[i - 1] = path:link(i - 1) or false end
  end
  return { cost = path.cost, expanded = path.expanded, partial = path.partial or nil, nodes = nodes, labels = labels }
end

local function find_way(map, context, question, a, b)
  local options, its = split_options(question[4], OF_GRAPHS)
  if options.ground ~= nil then
    return journeys.find_path(map, context, options.ground, options.unit, its, a, b)
  end
  local finder = map:finder(options.unit)
  local search = finder:search(a, b, its)
  local status = run_job(search, context)
  if status == "graph changed" then
    search:close()
    local path, reason = finder:find_path(a, b, its)
    return path and tell_keys(path) or { reason = reason }
  end
  local path = status == "found" and search:path() or nil
  search:close()
  return path and tell_keys(path) or { reason = status }
end

local function find_nearest_node(map, context, question, a, goals)
  check_count(goals, context.limits.goals, "goals")
  local options, its = graph_options(question[4])
  local path, which = map:finder(options.unit):find_nearest(a, goals, its)
  if not path then return { reason = which } end
  local answer = tell_keys(path)
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

local GRAPH_KINDS = {
  find_path = { find_way, 4 }, raycast = { raycast_over, 4 },
  find_nearest = { find_nearest_node, 4 }, reach = { reach, 4 }, nearest = { nearest, 3 },
}

local KINDS = {
  find_path = { find_path, 6 }, find_nearest = { find_nearest, 5 }, distances = { distances, 4 },
  raycast = { raycast, 6 }, reachable = { reachable, 6 }, cell = { cell, 3 },
}

-- The answer to a question, with the version of the map that it is of; an error tells what is wrong with the
-- question. `context`: { limits =, slice = milliseconds, deadline =, clock =, yield =, find_map = function(name, least)
-- }, as the core makes it.
function questions.answer(map, context, question)
  if type(question) ~= "table" or type(question[1]) ~= "string" then
    error('a question must be a list such as {"find_path", sx, sy, gx, gy}', 0)
  end
  local kind = (map.is_graph and GRAPH_KINDS or KINDS)[question[1]]
  if not kind then
    error(("there is no question %q to %s"):format(question[1], map.is_graph and "a graph" or "a grid"), 0)
  end
  for key in pairs(question) do
    if type(key) ~= "number" or key < 1 or key > kind[2] then
      error(("%s takes at most %d arguments"):format(question[1], kind[2] - 1), 0)
    end
  end
  local ok, answer = pcall(kind[1], map, context, question, question[2], question[3], question[4], question[5])
  if not ok then error(plain(answer), 0) end
  answer.version = map.version
  return answer
end

return questions
