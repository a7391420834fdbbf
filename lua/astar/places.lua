-- places.lua -- finder:matrix (costs between places), finder:tour (the best order to visit places), the same in steps
-- (finder:measuring, finder:touring), and finder:intercept (where to meet a unit that follows a path).
--
-- A matrix can be computed by two methods. The first method floods the map once for each place of the shorter list. A
-- flood is a search for the distances of all cells (Dijkstra's algorithm without a goal): a reach from a place gives
-- a row of the matrix, a flow to a place gives a column. The second method runs a query for each pair of places.
-- Queries take less time if the finder has baked labels, or if they expand few cells. Therefore rows are computed by
-- queries as long as their work, which is estimated from the cells that they expand, stays below the work of floods.
-- The estimate is made after each query, so that little work is lost if floods take less. On graphs, all pairs are
-- computed by queries.
--
-- A tour of up to twelve places is the best one, found by dynamic programming over sets (Held and Karp, 1962). A tour
-- of more places is a good one, found by iterated local search: 2-opt reverses parts of the tour, Or-opt moves short
-- parts, in either direction. The search starts from the best of a few tours, and is repeated after random changes. The
-- 1-tree bound of Held and Karp (1970) limits how much better the best tour can be. Costs may differ by direction. The
-- code of the tours is in time/tours.lua.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local option_table = require(FOLDER .. ".option_table")
local describe = require(FOLDER .. ".describe")
local errors = require(FOLDER .. ".errors")
local ground_pace = require(FOLDER .. ".ground_pace")
local later = require(FOLDER .. ".later")
local plain_options = require(FOLDER .. ".plain_options")
local tours = require(FOLDER .. ".time.tours")
local unknown_option = require(FOLDER .. ".unknown_option")
local wrong_kind = require(FOLDER .. ".wrong_kind")

local huge = math.huge

local OF_TOURS, OF_MEETING = { "from", "back" }, { "speed", "its_speed", "its_pace", "index" }

-- The method path:cell. If it is called with a value that is no path, it raises the error for this mistake.
local any_cell = core.grid(1, 1):find_path(1, 1, 1, 1).cell

local fail = errors.fail

-- Places and costs on grids and on graphs.

-- Returns the coordinates of a place on a grid, which is { x, y } or a table with the fields x and y.
local function cell_of(place, name)
  if type(place) ~= "table" then
    fail("%s must be a cell, got %s%s", name, describe(place),
      type(place) == "number" and ": pass a list of cells, { { x, y } }" or "")
  end
  return place.x or place[1], place.y or place[2]
end

-- Calls a method and returns its first two results. An error of the method is raised again as an error about the
-- argument `name`.
local function ask(name, method, given, ...)
  local ok, first, second = pcall(method, given, ...)
  if not ok then
    fail("%s: %s", name, wrong_kind(tostring(first):gsub("^[^\n:]*:%d+: ", ""), given))
  end
  return first, second
end

local grids, graphs = {}, {} -- functions for finders of grids, and functions of the same names for finders of graphs

-- Returns true if the unit covers more than one cell.
local function is_large(options)
  return type(options.size) == "table" or (options.size or 1) > 1
end

-- Returns true if a finder has an option that queries honour but floods do not.
local function needs_paths(options)
  for _, row in ipairs(option_table) do
    local value = options[row.name]
    if row.flow ~= "H" and value ~= nil and value ~= row.otherwise then return true end
  end
  return false
end

-- Estimated work of one expansion of a query by its algorithm, and of a query apart from its expansions. The unit is
-- the work of one expansion of a flood, some 0.06 microseconds. A jump point search scans many cells per expansion.
-- Other results, such as those of baked labels, count as expansions of A*.
local EXPANSION, EXPANSION_OF, QUERY = 1.2, { jps = 3, jpsw = 5 }, 25

-- Number of queries after which the work of the first row is estimated, and how many times the estimated work of a
-- flood queries may take. Floods over ground of several costs take up to twice the estimate.
local TRIED, MARGIN = 4, 1.5

-- Options for queries whose cost must be exact: no partial path, and no path that costs more than the cheapest one.
local EXACTLY = { partial = false, weight = 1 }

-- Returns the options for exact queries of a finder, or nil if its own options are exact: queries without options of
-- their own take less time.
local function exactly_for(options)
  return (options.partial or (options.weight or 1) ~= 1) and EXACTLY or nil
end

-- Returns the estimated work of the search that returned a path, which may be nil.
local function work_of(path)
  local expanded = path and path.expanded or 0
  return expanded > 1 and expanded * (EXPANSION_OF[path.algorithm] or EXPANSION) or 0
end

-- Returns true if the work of a row exceeds `most`, or is expected to exceed it after `done` of its `count` queries.
-- `done` is nil or false if nothing is to be expected.
local function is_too_much(work, most, done, count)
  return work > most or done and done >= TRIED and done < count and work / done * count > most
end

-- Returns a list of the costs of paths from the cell `a` to each cell of the list `to` (huge if there is no path), and
-- the work of these queries in expansions of a flood. Returns no list if the work exceeds `most`, which is huge by
-- default, or if `estimates` is true and the work is expected to exceed it.
local function row_by_paths(finder, exactly, a, to, most, estimates)
  local row, work, find_path = {}, QUERY * #to, finder.find_path
  local ax, ay = a[1], a[2]
  most = most or huge
  for j, b in ipairs(to) do
    local path = find_path(finder, ax, ay, b[1], b[2], exactly)
    row[j] = path and path.cost or huge
    work = work + work_of(path)
    if is_too_much(work, most, estimates and j, #to) then
      return nil, work
    end
  end
  return row, work
end

local function costs_by_paths(finder, options, from, to)
  local rows, exactly = {}, exactly_for(options)
  for i, a in ipairs(from) do rows[i] = row_by_paths(finder, exactly, a, to) end
  return rows
end

-- Returns the number of cells in the smallest rectangle that contains all places. It estimates the work of a flood,
-- which stops when it has reached the last place.
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

-- Returns the first rows of a matrix, computed by queries as long as these take no more work than floods. All floods
-- together are one for each place of the shorter list. No query is made if the finder has a callback for costs: a flood
-- calls it once for each cell, but every query would call it again.
local function rows_while_quick(finder, options, from, to)
  local rows, work, exactly = {}, 0, exactly_for(options)
  local most = MARGIN * cells_about(from, to) * math.min(#from, #to) / #from -- for one row
  for i, a in ipairs(from) do
    local row, more
    if not (options.cost or options.step_cost) then
      row, more = row_by_paths(finder, exactly, a, to, most * i - work, i == 1)
    end
    if not row then break end
    rows[i], work = row, work + more
  end
  return rows
end

-- Returns the cost from a cell to itself: 0 if the unit can be there, else huge.
local function cost_to_stay(finder, a)
  return finder:find_path(a[1], a[2], a[1], a[2]) and 0 or huge
end

local function is_same(a, b)
  return a[1] == b[1] and a[2] == b[2]
end

-- Adds the rows that a matrix lacks, each by a reach from its place.
local function add_rows_by_reach(finder, rows, from, to, max_cost)
  for i = #rows + 1, #from do
    local a = from[i]
    local reach, row = finder:reach(a[1], a[2], max_cost), {}
    for j, b in ipairs(to) do
      row[j] = is_same(a, b) and cost_to_stay(finder, a) or reach:distance(b[1], b[2]) or huge
    end
    rows[i] = row
  end
  return rows
end

-- Adds the rows that a matrix lacks, by a flow to each place of the columns.
local function add_rows_by_flows(finder, rows, from, to)
  local first = #rows + 1
  for i = first, #from do rows[i] = {} end
  for j, b in ipairs(to) do
    local flow = finder:flow(b[1], b[2])
    for i = first, #from do
      local a = from[i]
      rows[i][j] = is_same(a, b) and cost_to_stay(finder, a) or flow:distance(a[1], a[2]) or huge
    end
  end
  return rows
end

-- Returns a place on a grid as { x, y }. Raises an error if it is not a cell of the grid. `name` is the name of the
-- argument in the error message.
function grids.read(finder, place, name)
  local x, y = cell_of(place, name)
  ask(name, finder.reachable, finder, x, y, x, y)
  return { x, y }
end

-- Returns the places of a list on a grid, as grids.read does for one place. Returns nothing if a place is wrong. All
-- places are checked in one protected call, because a call for each place takes longer than a short query.
function grids.read_all(finder, places)
  local list, reachable = {}, finder.reachable
  local is_right = pcall(function()
    for i, place in ipairs(places) do
      local x, y = place.x or place[1], place.y or place[2]
      reachable(finder, x, y, x, y)
      list[i] = { x, y }
    end
  end)
  return is_right and list or nil
end

function grids.costs(finder, from, to)
  local options = finder:options()
  if needs_paths(options) then
    return costs_by_paths(finder, options, from, to)
  end
  local rows = rows_while_quick(finder, options, from, to)
  if #rows == #from then
    return rows
  elseif #from - #rows <= #to or is_large(options) then
    -- Only a reach lets a large unit leave its own blocks at the start.
    return add_rows_by_reach(finder, rows, from, to, options.max_cost or huge)
  end
  return add_rows_by_flows(finder, rows, from, to)
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
  local all = kind.read_all and kind.read_all(finder, places)
  if all then
    return all
  end
  for i, place in ipairs(places) do list[i] = kind.read(finder, place, ("%s[%d]"):format(name, i)) end
  return list
end

-- The methods of finders.

local calls = {}

--- finder:matrix(places [, others]) --> rows. rows[i][j] is the cost of the route from places[i] to others[j],
-- math.huge if there is none. `others` is `places` by default.
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

-- The jobs. A job computes the same rows as `matrix`, with searches in steps in place of queries.

-- Returns one row by searches in steps, and its work, as row_by_paths does.
local function row_in_steps(job, finder, exactly, a, to, most, estimates)
  local row, work = {}, QUERY * #to
  for j, b in ipairs(to) do
    local search
    if core.is_graph_finder(finder) then
      search = job:call(finder.search, finder, a, b, exactly)
    else
      search = job:call(finder.search, finder, a[1], a[2], b[1], b[2], exactly)
    end
    job:run(search, true)
    local path = search:path()
    row[j] = path and path.cost or huge
    work = work + (most < huge and work_of(path) or 0)
    search:close()
    if is_too_much(work, most, estimates and j, #to) then
      return nil, work
    end
  end
  return row, work
end

-- Computes all distances of a flow or a reach in steps.
local function complete_in_steps(job, flow)
  local completing = flow:completing()
  job:run(completing)
  completing:close()
end

-- Adds the rows that a matrix lacks, each by a reach from its place, in steps.
local function add_rows_in_steps(job, finder, rows, from, to, max_cost)
  for i = #rows + 1, #from do
    local a = from[i]
    local reach, row = job:call(finder.reach, finder, a[1], a[2], max_cost), {}
    complete_in_steps(job, reach)
    for j, b in ipairs(to) do
      row[j] = is_same(a, b) and job:call(cost_to_stay, finder, a) or reach:distance(b[1], b[2]) or huge
    end
    rows[i] = row
  end
end

-- Adds the rows that a matrix lacks, by a flow to each place of the columns, in steps.
local function add_columns_in_steps(job, finder, rows, from, to)
  local first = #rows + 1
  for i = first, #from do rows[i] = {} end
  for j, b in ipairs(to) do
    local flow = job:call(finder.flow, finder, b[1], b[2])
    complete_in_steps(job, flow)
    for i = first, #from do
      local a = from[i]
      rows[i][j] = is_same(a, b) and job:call(cost_to_stay, finder, a) or flow:distance(a[1], a[2]) or huge
    end
  end
end

-- Returns the rows of a matrix, in steps.
local function costs_in_steps(job, finder, from, to)
  local rows, work, most = {}, 0, huge
  local options = finder:options()
  local is_grid = not core.is_graph_finder(finder)
  local exactly = EXACTLY
  if #from == 0 or #to == 0 then
    for i in ipairs(from) do rows[i] = {} end
    return rows
  end
  if is_grid and not needs_paths(options) then
    exactly, most = exactly_for(options), MARGIN * cells_about(from, to) * math.min(#from, #to) / #from
    if options.cost or options.step_cost then most = 0 end
  end
  for i, a in ipairs(from) do
    local row, more = nil, 0
    if most > 0 then row, more = row_in_steps(job, finder, exactly, a, to, most * i - work, i == 1) end
    if not row then break end
    rows[i], work = row, work + more
  end
  if #rows < #from and (#from - #rows <= #to or is_large(options)) then
    add_rows_in_steps(job, finder, rows, from, to, options.max_cost or huge)
  elseif #rows < #from then
    add_columns_in_steps(job, finder, rows, from, to)
  end
  return rows
end

--- finder:measuring(places [, others]) --> job. job.result is what finder:matrix returns.
function calls.measuring(finder, places, others)
  local from = read_places(finder, places, "places")
  local to = others == nil and from or read_places(finder, others, "others")
  return later(FOLDER .. ".places_job")(function(job)
    return "done", costs_in_steps(job, finder, from, to)
  end)
end

-- Returns the start and the end of a tour, as places of the kind `kind`. Each is nil if the options do not set it.
-- The third result is true if the tour is to return to a start that is not given.
local function read_ends(kind, finder, options)
  local from, back = options.from, options.back
  local begin = from ~= nil and kind.read(finder, from, "from") or nil
  local goal
  if back == true then
    goal = begin
  elseif back then
    goal = kind.read(finder, back, "back")
  end
  return begin, goal, back == true and not begin
end

local function read_tour(finder, places, options)
  local list = read_places(finder, places, "places")
  if options ~= nil and type(options) ~= "table" then
    fail("options must be a table, got %s", describe(options))
  end
  options = plain_options(options or {}, OF_TOURS)
  local unknown = unknown_option(options, OF_TOURS)
  if unknown then
    fail(unknown)
  end
  return list, read_ends(kind_of(finder), finder, options)
end

-- Returns the order of a tour as tours.best does. `costs(from, to)` returns the rows of a matrix. `pause`, if given, is
-- called after each piece of work.
local function best_tour(list, begin, goal, is_round, costs, pause)
  if #list == 0 then
    return {}, 0, true, 0
  end
  local rows = costs(list, list)
  local begins = begin and costs({ begin }, list)[1]
  local ends = goal and costs(list, { goal })
  local first, last = {}, {}
  for i = 1, #list do
    first[i] = begins and begins[i] or 0
    last[i] = ends and ends[i][1] or 0
  end
  if is_round then -- a round tour without a start costs the same from any of its places, so it begins at the first one
    for i = 1, #list do
      first[i] = i == 1 and 0 or huge
      last[i] = rows[i][1]
    end
  end
  return tours.best(rows, first, last, pause)
end

--- finder:tour(places [, { from =, back = }]) --> order, cost, exact, bound | nil, "unreachable"
-- Returns a list of the indices of the places in the order of the tour, the cost of the tour, true if it is known to be
-- the best tour, and a lower bound on the cost of the best tour.
function calls.tour(finder, places, options)
  local list, begin, goal, is_round = read_tour(finder, places, options)
  local kind = kind_of(finder)
  return best_tour(list, begin, goal, is_round, function(from, to) return kind.costs(finder, from, to) end)
end

--- finder:touring(places [, { from =, back = }]) --> job. job.result is { order =, cost =, exact =, bound = } when the
-- job is done; its status is "unreachable" if there is no tour.
function calls.touring(finder, places, options)
  local list, begin, goal, is_round = read_tour(finder, places, options)
  return later(FOLDER .. ".places_job")(function(job)
    local order, cost, exact, bound = best_tour(list, begin, goal, is_round,
      function(from, to) return costs_in_steps(job, finder, from, to) end,
      function(work) job:pause(work) end)
    if not order then
      return cost
    end
    return "done", { order = order, cost = cost, exact = exact, bound = bound }
  end)
end

-- Meeting a unit that follows a path.

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
  local pace = rawget(options, "its_pace")
  if pace ~= nil and pace ~= "length" and pace ~= "cost" then
    fail('its_pace must be "length" or "cost", got %s', describe(pace))
  end
  return read_rate(options, "speed"), read_rate(options, "its_speed"), index, pace == "cost"
end

-- Returns the times at which a unit that follows a path is on its cells: times[i] seconds from now on cell i. The unit
-- is now on the cell 'index'. A link takes as long as a straight step. If 'by_cost' is true, each step takes as long as
-- for a walker at the pace "cost".
local function times_on(path, index, speed, by_cost)
  local times, time = { [index] = 0 }, 0
  local x, y = core.place(path, index)
  for i = index + 1, #path do
    local to_x, to_y = core.place(path, i)
    local dx, dy = to_x - x, to_y - y
    local length = path:link(i - 1) and 1 or math.sqrt(dx * dx + dy * dy)
    time = time + length * (by_cost and ground_pace(path, i - 1, length) or 1) / speed
    times[i], x, y = time, to_x, to_y
  end
  return times
end

-- Returns the index of the first cell of the path that the unit at (x, y) can reach no later than the unit that follows
-- the path. Returns the last index if there is no such cell.
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

--- finder:intercept(x, y, path [, options]) --> path, seconds, index | nil, reason
-- Returns a path from (x, y) to the cell where the unit meets the other unit, which follows `path`; the time of the
-- meeting in seconds from now; and the index of the cell in `path`.
function calls.intercept(finder, x, y, path, options)
  ask("path", any_cell, path, 1)
  local speed, its_speed, index, by_cost = read_meeting(path, options)
  if by_cost and path.of_world then
    fail 'its_pace "cost" needs a path of a grid'
  end
  ask("start", finder.reachable, finder, x, y, x, y)
  local times = times_on(path, index, its_speed, by_cost)
  local meeting = meeting_on(finder, x, y, path, index, times, speed)
  local gx, gy = path:cell(meeting)
  local own, reason = finder:find_path(x, y, gx, gy, EXACTLY)
  if not own then
    return nil, reason
  end
  return own, math.max(own.cost / speed, times[meeting]), meeting
end

--- Calls the function `name` above for the C module or its twin, and returns its results. If an argument is wrong,
-- returns false and a message.
return function(name, ...) return errors.give(pcall(calls[name], ...)) end
