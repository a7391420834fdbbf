-- places.lua -- several places: what it costs from each to each, the best order to call at all of them, where to meet.
--
-- A matrix takes one flood for each place of the smaller side: a reach from a place gives a row, a flow to one a
-- column. A question for each pair takes less where labels are baked, or few cells are expanded on open ground: so
-- the first row is asked like that, and the rest, too, where that was less than a flood. Over graphs all pairs are
-- asked.
--
-- An order of up to twelve places is the best one, by dynamic programming over sets (Held and Karp 1962). Beyond, it
-- is a good one: local search by reversing stretches (2-opt) and moving short ones, either way round (Or-opt), from
-- the best of a few beginnings, then kicked and searched again (iterated local search). How far it may be from the
-- best is told by the 1-tree bound of Held and Karp (1970). All of it bears costs that differ by direction.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local plain_options = require(FOLDER .. ".plain_options")
local tours = require(FOLDER .. ".time.tours")
local unknown_option = require(FOLDER .. ".unknown_option")
local wrong_kind = require(FOLDER .. ".wrong_kind")

local huge = math.huge

local OF_TOURS, OF_MEETING = { "from", "back" }, { "speed", "its_speed", "index" }

-- The method itself refuses whatever is not a path.
local any_cell = core.grid(1, 1):find_path(1, 1, 1, 1).cell

-- What has been said of an argument is raised by who calls.
local PROBLEM = {}

local function fail(message, ...)
  error(setmetatable({ message = select("#", ...) > 0 and message:format(...) or message }, PROBLEM), 0)
end

-- ---- grids and graphs alike ----

-- The coordinates of a place, {x, y} or a table with x and y.
local function cell_of(place, name)
  if type(place) ~= "table" then
    fail("%s must be a cell, got %s%s", name, describe(place),
      type(place) == "number" and ": pass a list of cells, { { x, y } }" or "")
  end
  return place.x or place[1], place.y or place[2]
end

-- Calls a method of the finder, whose complaints are about the place of that name.
local function ask(name, method, given, ...)
  local ok, first, second = pcall(method, given, ...)
  if not ok then
    fail("%s: %s", name, wrong_kind(tostring(first):gsub("^[^\n:]*:%d+: ", ""), given))
  end
  return first, second
end

local grids, graphs = {}, {}

-- What floods know nothing of, but questions do.
local function needs_paths(options)
  return (options.bend_cost or 0) ~= 0 or (options.range or 0) > 0 or options.max_expansions ~= nil
end

-- In cells that a flood expands: about what an expansion of a search takes, and a question besides.
local EXPANSION, QUESTION = 16, 400

-- A question's own answer: no nearest cell, nor a dearer way.
local EXACTLY = { partial = false, weight = 1 }

-- The costs of paths from one cell to each of these, 'huge' where there is none, and what that took.
local function row_by_paths(finder, a, to)
  local row, work = {}, QUESTION * #to
  for j, b in ipairs(to) do
    local path = finder:find_path(a[1], a[2], b[1], b[2], EXACTLY)
    row[j] = path and path.cost or huge
    work = work + EXPANSION * (path and path.expanded or 0)
  end
  return row, work
end

local function costs_by_paths(finder, from, to)
  local rows = {}
  for i, a in ipairs(from) do rows[i] = row_by_paths(finder, a, to) end
  return rows
end

-- How many cells there are about all places: a flood stops when it has come to the last.
local function cells_about(from, to)
  local left, top, right, bottom = huge, huge, -huge, -huge
  for _, list in ipairs { from, to } do
    for _, cell in ipairs(list) do
      left, top = math.min(left, cell[1]), math.min(top, cell[2])
      right, bottom = math.max(right, cell[1]), math.max(bottom, cell[2])
    end
  end
  return (right - left + 1) * (bottom - top + 1)
end

-- Whether a question a pair takes less than a flood a place. Functions are asked about a cell once a flood.
local function are_paths_quick(finder, options, from, to)
  if options.cost or options.step_cost then
    return false
  end
  local _, work = row_by_paths(finder, from[1], to)
  return work * #from < cells_about(from, to) * math.min(#from, #to)
end

-- What it costs to stay: nothing, where the unit can stand.
local function cost_to_stay(finder, a)
  return finder:find_path(a[1], a[2], a[1], a[2]) and 0 or huge
end

local function is_same(a, b)
  return a[1] == b[1] and a[2] == b[2]
end

local function costs_by_reach(finder, from, to, max_cost)
  local rows = {}
  for i, a in ipairs(from) do
    local reach, row = finder:reach(a[1], a[2], max_cost), {}
    for j, b in ipairs(to) do
      row[j] = is_same(a, b) and cost_to_stay(finder, a) or reach:distance(b[1], b[2]) or huge
    end
    rows[i] = row
  end
  return rows
end

local function costs_by_flows(finder, from, to)
  local rows = {}
  for i in ipairs(from) do rows[i] = {} end
  for j, b in ipairs(to) do
    local flow = finder:flow(b[1], b[2])
    for i, a in ipairs(from) do
      rows[i][j] = is_same(a, b) and cost_to_stay(finder, a) or flow:distance(a[1], a[2]) or huge
    end
  end
  return rows
end

-- A place as the finder takes it, checked.
function grids.read(finder, place, name)
  local x, y = cell_of(place, name)
  ask(name, finder.reachable, finder, x, y, x, y)
  return { x, y }
end

function grids.costs(finder, from, to)
  local options = finder:options()
  if needs_paths(options) or are_paths_quick(finder, options, from, to) then
    return costs_by_paths(finder, from, to)
  elseif #from <= #to or (options.size or 1) > 1 then -- a large unit goes off blocks that it stands on; flows know none
    return costs_by_reach(finder, from, to, options.max_cost or huge)
  end
  return costs_by_flows(finder, from, to)
end

function graphs.read(finder, place, name)
  if place == nil then
    fail("%s must be a node, got nil", name)
  end
  ask(name, finder.find_path, finder, place, place)
  return place
end

function graphs.costs(finder, from, to)
  local rows = {}
  for i, a in ipairs(from) do
    rows[i] = {}
    for j, b in ipairs(to) do
      local path = finder:find_path(a, b, EXACTLY)
      rows[i][j] = path and path.cost or huge
    end
  end
  return rows
end

local function kind_of(finder)
  return core.is_graph_finder(finder) and graphs or grids
end

local function read_places(finder, places, name)
  if type(places) ~= "table" then
    fail("%s must be a list of places, got %s", name, describe(places))
  end
  local kind, list = kind_of(finder), {}
  for i, place in ipairs(places) do list[i] = kind.read(finder, place, ("%s[%d]"):format(name, i)) end
  return list
end

-- ---- what finders have ----

local calls = {}

--- finder:matrix(places [, others]) --> rows: rows[i][j] is what it costs from places[i] to others[j], math.huge: no
-- way.
function calls.matrix(finder, places, others)
  local from = read_places(finder, places, "places")
  local to = others == nil and from or read_places(finder, others, "others")
  if #from == 0 or #to == 0 then
    local rows = {}
    for i in ipairs(from) do rows[i] = {} end
    return rows
  end
  return kind_of(finder).costs(finder, from, to)
end

-- The costs of a tour's ends: from where it begins to each place, and from each place to where it ends.
local function add_ends(kind, finder, list, options)
  local from, back = options.from, options.back
  local first, last = {}, {}
  local begin = from ~= nil and kind.read(finder, from, "from") or nil
  local goal
  if back == true then
    goal = begin
  elseif back then
    goal = kind.read(finder, back, "back")
  end
  local begins = begin and kind.costs(finder, { begin }, list)[1]
  local ends = goal and kind.costs(finder, list, { goal })
  for i = 1, #list do
    first[i] = begins and begins[i] or 0
    last[i] = ends and ends[i][1] or 0
  end
  return first, last, back == true and not begin
end

--- finder:tour(places [, { from =, back = }]) --> order, cost, exact, bound | nil, "unreachable"
function calls.tour(finder, places, options)
  local list = read_places(finder, places, "places")
  if options ~= nil and type(options) ~= "table" then
    fail("options must be a table, got %s", describe(options))
  end
  options = plain_options(options or {}, OF_TOURS)
  local unknown = unknown_option(options, OF_TOURS)
  if unknown then
    fail(unknown)
  end
  if #list == 0 then
    return {}, 0, true, 0
  end
  local kind = kind_of(finder)
  local rows = kind.costs(finder, list, list)
  local first, last, is_round = add_ends(kind, finder, list, options)
  if is_round then -- it may as well begin at the first
    for i = 1, #list do
      first[i] = i == 1 and 0 or huge
      last[i] = rows[i][1]
    end
  end
  return tours.best(rows, first, last)
end

-- ---- meeting who is under way ----

local function read_rate(options, name)
  local value = rawget(options, name)
  if value == nil then
    return 1
  elseif type(value) ~= "number" or not (value > 0 and value < huge) then
    fail("%s must be a finite number > 0, got %s", name, describe(value))
  end
  return value
end

local function read_meeting(path, options)
  options = options == nil and {} or options
  if type(options) ~= "table" then
    fail("options must be a table, got %s", describe(options))
  end
  options = plain_options(options, OF_MEETING)
  local unknown = unknown_option(options, OF_MEETING)
  if unknown then
    fail(unknown)
  end
  local index = rawget(options, "index")
  index = index == nil and 1 or index
  if type(index) ~= "number" or not (index >= 1 and index <= #path and index % 1 == 0) then
    fail("index must be an integer from 1 to %d, got %s", #path, describe(index))
  end
  return read_rate(options, "speed"), read_rate(options, "its_speed"), index
end

-- When who follows a path is on each of its cells, from the one at 'index' on: times[i] seconds from now.
local function times_on(path, index, speed)
  local times, time = { [index] = 0 }, 0
  local x, y = core.place(path, index)
  for i = index + 1, #path do
    local to_x, to_y = core.place(path, i)
    local dx, dy = to_x - x, to_y - y
    time = time + (path:link(i - 1) and 1 or math.sqrt(dx * dx + dy * dy)) / speed
    times[i], x, y = time, to_x, to_y
  end
  return times
end

-- The first cell of the path where the unit can be no later than who follows it; its last where there is none.
local function meeting_on(finder, x, y, path, index, times, speed)
  local reach = finder:reach(x, y, times[#path] * speed * (1 + 1e-12))
  for i = index, #path do
    local cost = reach:distance(path:cell(i))
    if cost and cost / speed <= times[i] + 1e-9 then
      return i
    end
  end
  return #path
end

--- finder:intercept(x, y, path [, { speed =, its_speed =, index = }]) --> path, seconds, index | nil, reason
function calls.intercept(finder, x, y, path, options)
  ask("path", any_cell, path, 1)
  local speed, its_speed, index = read_meeting(path, options)
  ask("start", finder.reachable, finder, x, y, x, y)
  local times = times_on(path, index, its_speed)
  local meeting = meeting_on(finder, x, y, path, index, times, speed)
  local gx, gy = path:cell(meeting)
  local own, reason = finder:find_path(x, y, gx, gy, EXACTLY)
  if not own then
    return nil, reason
  end
  return own, math.max(own.cost / speed, times[meeting]), meeting
end

--- Answers for the C module, and for its twin: what the function of that name gives; false and what is wrong with
-- an argument.
return function(name, ...)
  local answers = { pcall(calls[name], ...) }
  if answers[1] then
    return (unpack or table.unpack)(answers, 2, 5)
  end
  local problem = answers[2]
  if getmetatable(problem) == PROBLEM then
    return false, problem.message
  end
  error(problem, 0)
end
