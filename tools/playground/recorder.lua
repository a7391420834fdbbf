-- recorder.lua -- runs a script and keeps what it asks astar for, so that the page can show it: the map, the last
-- routes, searches, flow, crowd and walkers. The script needs no call for that; it runs as it is wherever astar does.
--
-- The page calls each function of this module with a string, by host.c. It answers with JSON, a zero byte, and bytes
-- that the JSON refers to as [offset, length].

local MOST_ROUTES, MOST_SEARCHES, MOST_WALKERS, MOST_OUTPUT = 6, 2, 200, 100000
local MOST_ARROWS = 40000 -- of larger maps only the distances are shown
local WINDOW_WIDTH, WINDOW_HEIGHT = 72, 48 -- what is shown of a world, which has no edges

package.path, package.cpath = "", "" -- all that there is was handed over

local core = require "astar.core"
local unlimit = debug.sethook -- what a script printed is told though it had used up its steps

local weak = { __mode = "k" }
local grid_of, size_of, has_blocks = setmetatable({}, weak), setmetatable({}, weak), setmetatable({}, weak)
local shown = { routes = {}, searches = {}, walkers = {} }
local output, output_length = {}, 0

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

-- Has `record` see the result of a function and its arguments. Errors are told at the script's line, as without it.
local function record(functions, name, see)
  local call = functions[name]
  functions[name] = function(...)
    local results = table.pack(pcall(call, ...))
    if not results[1] then
      local problem = results[2]
      error(problem, type(problem) == "string" and not problem:find "^[%w./]+:%d+: " and 2 or 0)
    end
    shown.reason = not results[2] and type(results[3]) == "string" and results[3] or nil
    if results[2] then see(results[2], ...) end
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

local function see_route(path, asked)
  local grid = grid_of[asked] or asked
  shown.grid = grid
  if shown.is_frame then shown.routes, shown.is_frame = {}, false end
  keep(shown.routes, MOST_ROUTES, { path = path, size = size_of[asked] })
end

local function seer_of_searches(name)
  return function(search, finder, ...)
    local asked, options = table.pack(...), finder:options()
    shown.grid = grid_of[finder]
    keep(shown.searches, MOST_SEARCHES, {
      search = search, size = size_of[finder], weight = options.weight, diagonals = options.diagonals,
      ask_again = function() return finder[name](finder, table.unpack(asked, 1, asked.n)) end,
    })
  end
end

local function see_flow(flow, finder)
  shown.grid, shown.flow = grid_of[finder], flow
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
  once(methods_of(route), "path", see_stretch)
end

local function see_world_finder(finder)
  once(methods_of(finder), "find_route", see_world_route)
end

local function see_world(world, palette)
  shown.world, palette_of[world] = world, palette
  shown.camera = shown.camera or { 1, 1 }
  once(methods_of(world), "finder", see_world_finder)
end

record(core, "grid", see_grid)
if rawget(core, "world") then record(core, "world", see_world) end
record(core, "load", see_grid)
if rawget(core, "crowd") then record(core, "crowd", see_crowd) end
record(require "astar", "walker", see_walker)
do
  local grid = core.grid(1, 1)
  local of_grid, of_finder = methods_of(grid), methods_of(grid:finder())
  local of_flow = methods_of(grid:finder():flow(1, 1))
  record(of_grid, "finder", see_finder)
  record(of_grid, "find_path", see_route)
  record(of_finder, "find_path", see_route)
  record(of_finder, "find_nearest", see_route)
  record(of_finder, "with_grid", function(finder, _, grid) see_finder(finder, grid) end)
  record(of_finder, "search", seer_of_searches "search")
  record(of_finder, "finding_nearest", seer_of_searches "finding_nearest")
  record(of_finder, "flow", see_flow)
  record(of_finder, "reach", see_flow)
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

-- Nothing of what a script has closed since, or of a flow without distances.
local function if_there(describe, ...)
  local is_there, described = pcall(describe, ...)
  return is_there and described or nil
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

-- The window that looks on a world, as a grid is described: what is not there is the ground "?".
local function describe_world(world)
  local x0, y0, bytes, kinds, index = shown.camera[1], shown.camera[2], {}, {}, {}
  local palette = palette_of[world]
  for y = y0, y0 + WINDOW_HEIGHT - 1 do
    for x = x0, x0 + WINDOW_WIDTH - 1 do
      local key = world:get(x, y) or "?"
      if not index[key] then
        index[key] = string.char(#kinds)
        kinds[#kinds + 1] = { key = tostring(key), cost = key ~= "?" and palette:terrain(key) or false }
      end
      bytes[#bytes + 1] = index[key]
    end
  end
  return {
    x0 = x0, y0 = y0, width = WINDOW_WIDTH, height = WINDOW_HEIGHT, shape = "square", kinds = kinds,
    cells = blob(table.concat(bytes)), links = {}, walls = {}, is_world = true,
  }
end

-- Cells counted from 0; those of a world may lie outside of its window.
local function describe_route(route, x0, y0)
  local path, bytes = route.path, {}
  for x, y in path:cells() do bytes[#bytes + 1] = ("<i4i4"):pack(x - x0, y - y0) end
  return {
    cells = blob(table.concat(bytes)), cost = path.cost, length = path.length, count = #path, size = route.size,
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

-- What was told of the grid and the flow last, so that frames need not tell it again.
local told = {}

-- The part of a state that is a world's; nothing is told again that was.
local function add_world(state, world)
  local version = ("%d %d %d"):format(shown.camera[1], shown.camera[2], world:version())
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
  if shown.world and not shown.grid then
    return add_world(state, shown.world)
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
  shown = { routes = {}, searches = {}, walkers = {} } -- what the module itself tried
  local chunk, problem = load(source, "=script", "t")
  if not chunk then
    begin_answer()
    return answer { output = "", problem = locate(problem) }
  end
  return try(chunk)
end

--- Makes so many steps of the searches.
function recorder.step(count)
  return try(function()
    for _, one in ipairs(shown.searches) do
      if one.search.status == "running" then one.search:step(math.tointeger(count)) end
    end
  end)
end

--- Has the searches at their first expansion, whatever the script made of them.
function recorder.begin()
  local old = shown.searches
  shown.searches = {}
  return try(function()
    for _, one in ipairs(old) do one.ask_again():step(1) end
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

--- Moves the window on a world by "dx dy" cells.
function recorder.camera(by)
  local dx, dy = by:match "(%S+) (%S+)"
  if shown.camera then
    shown.camera = { shown.camera[1] + math.tointeger(dx), shown.camera[2] + math.tointeger(dy) }
  end
  return try()
end

return recorder
