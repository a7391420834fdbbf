-- recorder.lua -- runs a script and keeps what it asks astar for, so that the page can show it: the map, the last
-- routes, searches, flow, crowd and walkers. The script needs no call for that; it runs as it is wherever astar does.
--
-- The page calls each function of this module with a string, by host.c. It answers with JSON, a zero byte, and bytes
-- that the JSON refers to as [offset, length].

local MOST_ROUTES, MOST_SEARCHES, MOST_WALKERS, MOST_OUTPUT = 6, 2, 200, 100000
local MOST_ARROWS = 40000 -- of larger maps only the distances are shown
local WINDOW_WIDTH, WINDOW_HEIGHT = 72, 48 -- the first window on a world, which has no edges
local MOST_WINDOW = 200000 -- cells of a window on a world
local LEAST_RUNS, MOST_RUNS, MOST_MS = 5, 10, 60 -- a query is timed so often, until MOST_MS milliseconds
local MOST_FIELD, MOST_NODES = 250000, 2000 -- larger fields and graphs are not shown

package.path, package.cpath = "", "" -- all that there is was handed over

local core = require "astar.core"
local clock = core.clock or os.clock -- in seconds; astar's own clock is finer than that of the standard library
local unlimit = debug.sethook -- what a script printed is told though it had used up its steps

local weak = { __mode = "k" }
local grid_of, size_of, has_blocks = setmetatable({}, weak), setmetatable({}, weak), setmetatable({}, weak)
local function nothing_shown() return { routes = {}, searches = {}, walkers = {}, fields = {} } end
local shown = nothing_shown()
local output, output_length = {}, 0
local raw = {} -- methods as they were before they were recorded

-- ---- what a script prints ----

local function write(text)
  if output_length < MOST_OUTPUT then
    output[#output + 1] = #text + output_length > MOST_OUTPUT and text:sub(1, MOST_OUTPUT - output_length) .. "\n...\n"
      or text
  end
  output_length = output_length + #text
end

function print(...)
  if output_length > MOST_OUTPUT then
    return
  end
  local words = table.pack(...)
  for i = 1, words.n do words[i] = tostring(words[i]) end
  write(table.concat(words, "\t") .. "\n")
end

function io.write(...)
  write(table.concat { ... })
  return io.stdout
end

function os.exit() error("a page has no os.exit", 2) end

-- ---- what it asks for ----

-- The table of a class's methods, which is its __index or kept by that.
local function methods_of(object)
  local index = debug.getmetatable(object).__index
  for i = 1, 3 do
    if type(index) == "table" then
      return index
    end
    local _, value = debug.getupvalue(debug.getmetatable(object).__index, i)
    index = value
  end
end

-- Replaces a function by one that passes its result and arguments to `see`. If the function returns nil and a reason,
-- `see_failure` gets the arguments. An error keeps the position in the script that it has without the recorder.
-- `shown.ms` is how long the last recorded call took, in milliseconds.
local function record(functions, name, see, see_failure)
  local call = functions[name]
  functions[name] = function(...)
    local began = clock()
    local results = table.pack(pcall(call, ...))
    shown.ms = (clock() - began) * 1000
    if not results[1] then
      local problem = results[2]
      error(problem, type(problem) == "string" and not problem:find "^[%w./]+:%d+: " and 2 or 0)
    end
    shown.reason = not results[2] and type(results[3]) == "string" and results[3] or nil
    shown.stuck = nil
    if results[2] then
      see(results[2], ...)
    elseif shown.reason and see_failure then
      see_failure(...)
    end
    return table.unpack(results, 2, results.n)
  end
end

local function keep(list, most, value)
  list[#list + 1] = value
  if #list > most then table.remove(list, 1) end
end

local function see_grid(grid)
  shown.last_grid = grid
end

local function see_finder(finder, grid)
  grid_of[finder] = grid
  size_of[finder] = finder:options().size
end

local function see_route(path, asked, ...)
  local grid = grid_of[asked] or asked
  shown.grid = grid
  if shown.is_frame then shown.routes, shown.is_frame = {}, false end
  keep(shown.routes, MOST_ROUTES, { path = path, size = size_of[asked], ms = shown.ms })
  shown.query = table.pack(asked, ...)
end

-- Remembers which query found no route, so that the page can show which cells can be reached.
local function see_no_route(asked, sx, sy)
  shown.grid = grid_of[asked] or asked
  if shown.is_frame then shown.routes, shown.is_frame = {}, false end
  shown.query, shown.stuck = nil, { asked, sx, sy }
end

-- The smoothed path takes the place of the path that it was made from, which stays faint beneath it.
local function see_smoothed(path, before)
  for _, route in ipairs(shown.routes) do
    if route.path == before then
      route.is_before = true
      keep(shown.routes, MOST_ROUTES, { path = path, size = route.size, ms = shown.ms })
      return
    end
  end
  keep(shown.routes, MOST_ROUTES, { path = path, ms = shown.ms })
end

-- `call` is the finder's method before it was recorded.
local function seer_of_searches(call)
  return function(search, finder, ...)
    local asked, options = table.pack(...), finder:options()
    shown.grid = grid_of[finder]
    keep(shown.searches, MOST_SEARCHES, {
      search = search, size = size_of[finder], weight = options.weight, diagonals = options.diagonals,
      search_again = function() return call(finder, table.unpack(asked, 1, asked.n)) end,
    })
  end
end

-- `call` is the finder's method before it was recorded.
local function seer_of_flows(call)
  return function(flow, finder, ...)
    shown.grid, shown.flow, shown.flow_query = grid_of[finder], flow, table.pack(call, finder, ...)
  end
end

-- Returns the least time of several runs, in milliseconds, because the browser compiles the code during the first run.
local function least_time(call, ...)
  local least, spent = math.huge, 0
  for run = 1, MOST_RUNS do
    local began = clock()
    call(...)
    local ms = (clock() - began) * 1000
    least, spent = math.min(least, ms), spent + ms
    if run >= LEAST_RUNS and spent > MOST_MS then break end
  end
  return least
end

-- Queries with callbacks are not run again: a callback may count its calls, or print.
local function has_callbacks(options)
  for _, value in pairs(type(options) == "table" and options or {}) do
    if type(value) == "function" then return true end
  end
  return false
end

-- Runs the last query for a route and the last one for a flow again, to time them.
local function time_again()
  local route, query, flow = shown.routes[#shown.routes], shown.query, shown.flow_query
  if query and route and route.ms and route.ms < 500 then
    local is_finder = grid_of[query[1]] ~= nil
    if not has_callbacks(is_finder and query[1]:options()) and not has_callbacks(query[6]) then
      local call = is_finder and raw.find_path or raw.grid_find_path
      route.ms = math.min(route.ms, least_time(call, table.unpack(query, 1, query.n)))
    end
  end
  if flow and not has_callbacks(flow[2]:options()) then
    shown.flow_ms = least_time(function() flow[1](table.unpack(flow, 2, flow.n)):complete() end)
  end
end

local function see_field(field)
  keep(shown.fields, 8, field)
end


local function see_crowd(crowd, finder)
  shown.grid, shown.crowd = grid_of[finder], crowd
end

local function see_walker(walker)
  keep(shown.walkers, MOST_WALKERS, walker)
end

local palette_of = setmetatable({}, weak) -- of a world: the grid of all its ground

-- A world's finders and routes have classes of their own, known once there is one of them.
local record_once = {}

local function once(class, name, see)
  if not record_once[class] then
    record_once[class] = true
    record(class, name, see)
  end
end

local function see_stretch(path)
  if path then keep(shown.routes, MOST_ROUTES, { path = path }) end
end

local function see_world_route(route)
  shown.route_ms = shown.ms
  once(methods_of(route), "path", see_stretch)
end

local function see_world_finder(finder)
  once(methods_of(finder), "find_route", see_world_route)
end

local function see_world(world, palette)
  shown.world, palette_of[world] = world, palette
  once(methods_of(world), "finder", see_world_finder)
end

raw.grid = core.grid
local function see_graph_path(path)
  shown.graph_path = path
end

local function see_graph_finder(finder)
  once(methods_of(finder), "find_path", see_graph_path)
end

local function see_graph(graph)
  shown.graph, shown.graph_path = graph, nil
  once(methods_of(graph), "finder", see_graph_finder)
end

record(core, "grid", see_grid)
if rawget(core, "world") then record(core, "world", see_world) end
for _, name in ipairs { "graph", "load_graph" } do
  if rawget(core, name) then record(core, name, see_graph) end
end
record(core, "load", see_grid)
record(core, "field", see_field)
if rawget(core, "crowd") then record(core, "crowd", see_crowd) end
record(require "astar", "walker", see_walker)
do
  local grid = core.grid(1, 1)
  local of_grid, of_finder = methods_of(grid), methods_of(grid:finder())
  local of_flow = methods_of(grid:finder():flow(1, 1))
  local of_search = methods_of(grid:finder():search(1, 1, 1, 1))
  for _, name in ipairs { "find_path", "search", "finding_nearest", "reach" } do raw[name] = of_finder[name] end
  raw.finder, raw.grid_find_path, raw.step = of_grid.finder, of_grid.find_path, of_search.step
  record(methods_of(grid:find_path(1, 1, 1, 1)), "smooth", see_smoothed)
  record(of_grid, "finder", see_finder)
  record(of_grid, "find_path", see_route, see_no_route)
  record(of_finder, "find_path", see_route, see_no_route)
  record(of_finder, "find_nearest", function(...)
    see_route(...)
    shown.query = nil
  end, see_no_route)
  record(of_finder, "with_grid", function(finder, _, grid) see_finder(finder, grid) end)
  record(of_finder, "search", seer_of_searches(raw.search))
  record(of_finder, "finding_nearest", seer_of_searches(raw.finding_nearest))
  record(of_finder, "flow", seer_of_flows(of_finder.flow))
  record(of_finder, "reach", seer_of_flows(raw.reach))
  record(of_flow, "flee", function(flow) shown.flow = flow end)
  record(of_flow, "path", function(path) keep(shown.routes, MOST_ROUTES, { path = path }) end)
  record(of_grid, "block", function() end)
  local block = of_grid.block
  function of_grid.block(self, ...)
    has_blocks[self] = true
    return block(self, ...)
  end
end

-- ---- what the page is told ----

local encode

local function encode_string(text)
  return '"' .. text:gsub('[%c"\\]', function(char) return ("\\u%04x"):format(char:byte()) end) .. '"'
end

local function encode_table(value)
  local parts = {}
  if #value > 0 or next(value) == nil then
    for i, item in ipairs(value) do parts[i] = encode(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, item in pairs(value) do parts[#parts + 1] = encode_string(key) .. ":" .. encode(item) end
  return "{" .. table.concat(parts, ",") .. "}"
end

function encode(value)
  if type(value) == "string" then
    return encode_string(value)
  elseif type(value) == "table" then
    return encode_table(value)
  elseif type(value) == "number" and (value ~= value or value == math.huge or value == -math.huge) then
    return "null"
  elseif math.type(value) == "float" then
    return ("%.17g"):format(value)
  end
  return tostring(value)
end

-- The bytes of one answer.
local blobs, blobs_length

local function blob(bytes)
  blobs[#blobs + 1] = bytes
  blobs_length = blobs_length + #bytes
  return { blobs_length - #bytes, #bytes }
end

local function answer(value)
  local json = encode(value)
  return json .. "\0" .. table.concat(blobs)
end

local function begin_answer()
  blobs, blobs_length = {}, 0
end

-- Returns nil for an object that a script has closed since, and for a flow without distances.
local function if_there(describe, ...)
  local is_there, described = pcall(describe, ...)
  return is_there and described or nil
end

-- The ground as a byte a cell, an index into a list of the kinds there are.
local function cells_of(grid, x0, y0, width, height)
  local keys, kinds, index = grid:get_cells(x0, y0, width, height), {}, {}
  local function add(key)
    if not index[key] then
      index[key] = #kinds
      kinds[#kinds + 1] = { key = tostring(key), cost = grid:terrain(key) or false }
    end
  end
  if type(keys) == "string" then
    for byte = 0, 255 do
      if keys:find(string.char(byte), 1, true) then add(string.char(byte)) end
    end
    for key, i in pairs(index) do index[key] = string.char(i) end
    return keys:gsub(".", index), kinds
  end
  local bytes = {}
  for i, key in ipairs(keys) do
    add(key)
    bytes[i] = string.char(index[key])
  end
  return table.concat(bytes), kinds
end

local function blocks_of(grid, x0, y0, x1, y1)
  if not has_blocks[grid] then
    return nil
  end
  local list = {}
  for y = y0, y1 do
    for x = x0, x1 do
      if #grid:block_layers(x, y) > 0 then list[#list + 1] = ("<I4"):pack((y - y0) * (x1 - x0 + 1) + x - x0) end
    end
  end
  return blob(table.concat(list))
end

local function describe_grid(grid)
  local x0, y0, x1, y1 = grid:bounds()
  local shape, offset = grid:shape()
  local width, height = grid:size()
  local cells, kinds = cells_of(grid, x0, y0, width, height)
  return {
    x0 = x0, y0 = y0, width = width, height = height, shape = shape, offset = offset, kinds = kinds,
    cells = blob(cells), blocks = blocks_of(grid, x0, y0, x1, y1), links = grid:links(), walls = grid:walls(),
  }
end

-- The first window on a world: around the first route, or at its first cell.
local function first_window()
  local route = shown.routes[1]
  if not route then
    return { 1, 1, WINDOW_WIDTH, WINDOW_HEIGHT }
  end
  local west, north, east, south = math.huge, math.huge, -math.huge, -math.huge
  for x, y in route.path:cells() do
    west, north, east, south = math.min(west, x), math.min(north, y), math.max(east, x), math.max(south, y)
  end
  local width, height = math.max(east - west + 1, WINDOW_WIDTH), math.max(south - north + 1, WINDOW_HEIGHT)
  if width * height > MOST_WINDOW / 2 then
    return { west, north, WINDOW_WIDTH, WINDOW_HEIGHT }
  end
  local x, y = (west + east - width) // 2, (north + south - height) // 2
  return { x - width // 4, y - height // 4, width + width // 2, height + height // 2 }
end

-- Describes the part of a world that the page looks at as a grid.
local function describe_world(world)
  local described = describe_grid(world:window(table.unpack(shown.camera)))
  described.is_world = true
  return described
end

-- Cells are counted from 0. Cells of a world may lie outside of its window. Each cell is marked if it is a waypoint,
-- because the straight legs of a smoothed path lead from waypoint to waypoint and not through the middles of cells.
local function describe_route(route, x0, y0)
  local path, bytes = route.path, {}
  local waypoints, next_one = if_there(path.waypoints, path) or {}, 1
  for x, y in path:cells() do
    local waypoint = waypoints[next_one]
    local is_waypoint = waypoint ~= nil and waypoint.x == x and waypoint.y == y
    if is_waypoint then next_one = next_one + 1 end
    bytes[#bytes + 1] = ("<i4i4i4"):pack(x - x0, y - y0, is_waypoint and 1 or 0)
  end
  return {
    cells = blob(table.concat(bytes)), cost = path.cost, length = path.length, count = #path, size = route.size,
    ms = route.ms, is_before = route.is_before,
    expanded = path.expanded, algorithm = path.algorithm, bends = path.bends, partial = path.partial,
  }
end

local function describe_search(shown_search, x0, y0)
  local search, bytes, open, closed = shown_search.search, {}, 0, 0
  for x, y, state, g, h, f, px, py in search:cells() do
    local is_open = state == "open"
    if is_open then open = open + 1 else closed = closed + 1 end
    local from_x, from_y = (px or x) - x0, (py or y) - y0
    bytes[#bytes + 1] = ("<I2I2I2I2I2fff"):pack(x - x0, y - y0, from_x, from_y, is_open and 1 or 0, g, h, f)
  end
  local path = search:path()
  return {
    cells = blob(table.concat(bytes)), open = open, closed = closed, status = search.status, expanded = search.expanded,
    size = shown_search.size, weight = shown_search.weight, diagonals = shown_search.diagonals,
    route = path and describe_route({ path = path, size = shown_search.size }, x0, y0),
  }
end

local function describe_flow(flow, x0, y0, count)
  local bytes = {}
  for x, y, distance in flow:cells() do
    local nx, ny = x, y
    if count <= MOST_ARROWS then nx, ny = flow:next(x, y) end
    bytes[#bytes + 1] = ("<I2I2I2I2f"):pack(x - x0, y - y0, (nx or x) - x0, (ny or y) - y0, distance)
  end
  return { cells = blob(table.concat(bytes)), arrows = count <= MOST_ARROWS }
end

-- Where the units are, how wide, and where they were sent.
local function describe_crowd(crowd, x0, y0)
  local bytes = {}
  for _, unit in ipairs(crowd:units()) do
    local gx, gy = unit:goal()
    bytes[#bytes + 1] = ("<fffff"):pack(unit.x - x0, unit.y - y0, unit.size, gx and gx - x0 or -1, gy and gy - y0 or -1)
  end
  return { units = blob(table.concat(bytes)), beats = crowd.beats, under_way = crowd.under_way }
end

-- Where they are from the middle of the first cell.
local function describe_walkers(walkers, grid, x0, y0)
  local west, north = grid:center(x0, y0)
  local bytes = {}
  for i, walker in ipairs(walkers) do bytes[i] = ("<ff"):pack(walker.x - west, walker.y - north) end
  return blob(table.concat(bytes))
end

-- Describes the last field that has a value other than 0, each value as a part of the largest one.
local function describe_field(x0, y0)
  for i = #shown.fields, 1, -1 do
    local field, bytes = shown.fields[i], {}
    local width, height = field:size()
    if width * height <= MOST_FIELD then
      for x, y, value in field:cells() do bytes[#bytes + 1] = ("<i4i4f"):pack(x - x0, y - y0, value) end
    end
    if #bytes > 0 then return { cells = blob(table.concat(bytes)) } end
  end
end

-- Describes the nodes and edges of a graph, and the keys along the last route over it.
local function describe_graph(graph)
  local nodes, edges, index = {}, {}, {}
  for key, x, y in graph:nodes() do
    nodes[#nodes + 1] = { key = tostring(key), x = x, y = y }
    index[key] = #nodes
    if #nodes > MOST_NODES then return nil end
  end
  for key, from in pairs(index) do
    for other, cost, _, is_blocked in graph:edges(key) do
      edges[#edges + 1] = { from = from - 1, to = index[other] - 1, cost = cost, is_blocked = is_blocked or nil }
    end
  end
  local route = {}
  for i = 1, shown.graph_path and #shown.graph_path or 0 do
    local key = shown.graph_path[i]
    route[#route + 1] = index[key] and index[key] - 1 or nil
  end
  return { nodes = nodes, edges = edges, route = route }
end

-- Describes the cells that can be reached from the start of a query that found no route.
local function describe_stuck(grid, x0, y0)
  local asked, sx, sy = table.unpack(shown.stuck)
  local width, height = grid:size()
  if width * height > MOST_FIELD then return nil end
  local finder = grid_of[asked] and asked or raw.finder(asked)
  local bytes = {}
  for x, y in raw.reach(finder, sx, sy, math.huge):cells() do bytes[#bytes + 1] = ("<I2I2"):pack(x - x0, y - y0) end
  return blob(table.concat(bytes))
end

-- What was told of the grid and the flow last, so that frames need not tell it again.
local told = {}

-- The part of a state that is a world's; nothing is told again that was.
local function add_world(state, world)
  shown.camera = shown.camera or first_window()
  local version = table.concat(shown.camera, " ") .. " " .. world:version()
  if told.grid ~= world or told.version ~= version then state.grid = describe_world(world) end
  told.grid, told.version = world, version
  state.routes, state.searches = {}, {}
  for _, route in ipairs(shown.routes) do
    state.routes[#state.routes + 1] = if_there(describe_route, route, shown.camera[1], shown.camera[2])
  end
  return state
end

local function describe()
  local grid = shown.grid or shown.last_grid
  local state = { live = type(update) == "function", clickable = type(click) == "function" }
  state.reason = shown.reason
  state.output = table.concat(output)
  state.ms = shown.ms
  if shown.graph then state.graph = if_there(describe_graph, shown.graph) end
  if shown.world and not shown.grid then
    state.route_ms = shown.route_ms
    return add_world(state, shown.world)
  end
  if not grid and shown.fields[1] and not state.graph then -- a field alone is shown on a map of its size
    local width, height = shown.fields[#shown.fields]:size()
    grid = width * height <= MOST_FIELD and raw.grid(width, height) or nil
    shown.last_grid = grid
  end
  if not grid or not pcall(grid.size, grid) then
    return state
  end
  local x0, y0 = grid:bounds()
  local width, height = grid:size()
  local version = grid:version()
  local is_told = told.grid == grid and told.version == version
  state.grid = not is_told and describe_grid(grid) or nil
  state.flow = shown.flow and not (is_told and told.flow == shown.flow)
    and if_there(describe_flow, shown.flow, x0, y0, width * height) or nil
  state.flow_ms = shown.flow_ms
  state.field = #shown.fields > 0 and if_there(describe_field, x0, y0) or nil
  state.stuck = shown.stuck and if_there(describe_stuck, grid, x0, y0) or nil
  state.routes, state.searches = {}, {}
  for _, route in ipairs(shown.routes) do
    state.routes[#state.routes + 1] = if_there(describe_route, route, x0, y0)
  end
  for _, search in ipairs(shown.searches) do
    state.searches[#state.searches + 1] = if_there(describe_search, search, x0, y0)
  end
  state.crowd = shown.crowd and if_there(describe_crowd, shown.crowd, x0, y0) or nil
  state.walkers = if_there(describe_walkers, shown.walkers, grid, x0, y0)
  told.grid, told.version, told.flow = grid, version, shown.flow
  return state
end

-- ---- what the page calls ----

-- Where in the script an error came from: its own line, or that of the call that led there.
local function locate(problem)
  local meta = debug.getmetatable(problem)
  if type(problem) ~= "string" then
    problem = meta and meta.__tostring and tostring(problem) or "error object is a " .. type(problem) .. " value"
  end
  local line, message = problem:match "^script:(%d+): (.*)"
  local level = 2
  while not line do
    local frame = debug.getinfo(level, "Sl")
    if not frame then break end
    line = frame.short_src == "script" and frame.currentline or nil
    level = level + 1
  end
  while message and message:find "^script:%d+: " do message = message:gsub("^script:%d+: ", "") end
  return { message = message or problem:gsub("^[%w._]+%.lua:%d+: ", ""), line = tonumber(line) }
end

local function try(call, ...)
  begin_answer()
  local ok, problem = true, nil
  if call then ok, problem = xpcall(call, locate, ...) end
  unlimit()
  if type(problem) == "string" then problem = { message = problem } end -- nobody locates what memory was lacking for
  local described, state = xpcall(describe, locate)
  if not described then
    begin_answer()
    state = { output = table.concat(output), problem = state }
  end
  if not ok then state.problem = problem end
  return answer(state)
end

local recorder = {}

function recorder.run(source)
  astar = require "astar"
  shown = nothing_shown() -- without what the module itself tried
  local chunk, problem = load(source, "=script", "t")
  if not chunk then
    begin_answer()
    return answer { output = "", problem = locate(problem) }
  end
  return try(function()
    chunk()
    pcall(time_again)
  end)
end

--- Makes so many steps of the searches.
function recorder.step(count)
  return try(function()
    for _, one in ipairs(shown.searches) do
      if one.search.status == "running" then one.search:step(math.tointeger(count)) end
    end
  end)
end

-- Brings a shown search to a number of expansions; a search that is further restarts.
local function bring(one, expansions)
  if one.search.expanded > expansions or one.search.status ~= "running" then one.search = one.search_again() end
  repeat
    local missing = expansions - one.search.expanded
    if missing > 0 then raw.step(one.search, missing) end
  until missing <= 0 or one.search.status ~= "running"
  -- The step that finds the goal expands nothing.
  if one.total and expansions >= one.total then raw.step(one.search, 1) end
end

--- Brings the searches to a number of expansions, as the slider of the page says.
function recorder.go(expansions)
  return try(function()
    for _, one in ipairs(shown.searches) do bring(one, math.tointeger(expansions)) end
  end)
end

--- Restarts the searches and makes their first expansion, whatever the script did with them.
function recorder.begin()
  return try(function()
    for _, one in ipairs(shown.searches) do
      one.search = one.search_again()
      raw.step(one.search, 1)
    end
  end)
end

-- Answers without a state, so that the page keeps what it shows.
local function reply(call, ...)
  begin_answer()
  local ok, value = xpcall(call, locate, ...)
  unlimit()
  return answer(ok and value or { problem = value })
end

--- Runs each shown search to its end by itself, and reports its expansions and its milliseconds.
function recorder.totals()
  return reply(function()
    local totals = {}
    for i, one in ipairs(shown.searches) do
      local expanded
      local ms = least_time(function()
        local search = one.search_again()
        while raw.step(search, 1000000) == "running" do end
        expanded = search.expanded
        search:close()
      end)
      one.total = expanded
      totals[i] = { expanded = expanded, ms = ms }
    end
    return { totals = totals }
  end)
end

--- Tries tables of options, one in each line, on the map. Reports for each the error that it leads to, or false.
--- `kind` in the first line is "query" if the script asks for routes; otherwise only a finder is made.
function recorder.probe(lines)
  return reply(function()
    local grid, kind, reasons = shown.grid or shown.last_grid, nil, {}
    local x0, y0 = grid:bounds()
    for line in lines:gmatch "[^\n]+" do
      if not kind then
        kind = line
      else
        local chunk = load("return " .. line, "=options", "t")
        local is_read, options = pcall(chunk or error)
        local problem = false
        if is_read and type(options) == "table" then
          local is_good, why = pcall(function()
            local finder = raw.finder(grid, options)
            if kind == "query" then
              local x1, y1 = select(3, grid:bounds())
              raw.find_path(finder, x0, y0, x1, y1, { max_expansions = 1 })
              raw.step(raw.search(finder, x0, y0, x1, y1), 1)
            end
          end)
          problem = not is_good and tostring(why) or false
        end
        reasons[#reasons + 1] = problem
      end
    end
    return { reasons = reasons }
  end)
end

--- Searches the last route again by A* in so many parts, and reports in which part each cell was opened and closed.
function recorder.trace(parts)
  return reply(function()
    local asked, sx, sy, gx, gy = table.unpack(shown.query or {})
    if not asked then return { trace = false } end
    local grid, count = grid_of[asked] or asked, math.tointeger(parts)
    local x0, y0 = grid:bounds()
    local given = grid_of[asked] and asked:options() or {}
    local options = { algorithm = "astar", diagonals = given.diagonals, size = given.size }
    local finder = raw.finder(grid, options)
    local whole = raw.find_path(finder, sx, sy, gx, gy)
    if not whole then return { trace = false } end
    local search, seen, order = raw.search(finder, sx, sy, gx, gy), {}, {}
    for part = 1, count do
      raw.step(search, math.max(1, whole.expanded // count))
      if part == count then raw.step(search, 1000000) end
      for x, y, state in search:cells() do
        local key = y * 65536 + x
        local cell = seen[key]
        if not cell then
          cell = { x - x0, y - y0, part, count + 1 }
          seen[key], order[#order + 1] = cell, cell
        end
        if state == "closed" then cell[4] = math.min(cell[4], part) end
      end
    end
    local bytes = {}
    for i, cell in ipairs(order) do bytes[i] = ("<I2I2I2I2"):pack(table.unpack(cell)) end
    return { trace = blob(table.concat(bytes)), parts = count, expanded = search.expanded }
  end)
end

--- A frame of so many seconds. Routes that one asks for take the place of those before.
function recorder.frame(seconds)
  shown.is_frame = true
  return try(rawget(_G, "update"), tonumber(seconds))
end

--- A click on "x y".
function recorder.click(cell)
  local x, y = cell:match "(%S+) (%S+)"
  shown.is_frame = true
  return try(rawget(_G, "click"), math.tointeger(x), math.tointeger(y))
end

--- Paints "x y key" while the script goes on.
function recorder.paint(cells)
  local grid = shown.grid or shown.last_grid
  return try(grid and function()
    for x, y, key in cells:gmatch "(%S+) (%S+) (.)" do grid:set(math.tointeger(x), math.tointeger(y), key) end
  end)
end

--- Looks at the window "x y width height" of a world.
function recorder.camera(window)
  local x, y, width, height = window:match "(%S+) (%S+) (%S+) (%S+)"
  width, height = math.tointeger(width), math.tointeger(height)
  if shown.world and width * height <= MOST_WINDOW then
    shown.camera = { math.tointeger(x), math.tointeger(y), width, height }
  end
  return try()
end

return recorder
