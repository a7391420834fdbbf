-- api.lua -- bytes become calls of astar's public functions, with arguments good and bad.
--
-- Called with a string; raises what does not hold: an error without a message, one of Lua's own
-- that speaks of the module's insides, or a control query that answers differently after a call.
-- Run by the fuzzer (api.c), and by a spec on the inputs kept.

local astar = require "astar"

local MOST_CALLS, MOST_CELLS = 30, 2000

-- ---- the input ----

local Input = {}
Input.__index = Input

function Input:byte()
  self.at = self.at + 1
  return self.data:byte(self.at) or 0
end

function Input:below(limit)
  return self:byte() % limit
end

function Input:pick(list)
  return list[self:below(#list) + 1]
end

function Input:is_used_up()
  return self.at >= #self.data
end

-- ---- values ----

local HUGE, NAN = math.huge, 0 / 0

local WORDS = {
  ".", "#", "g", " ", "", "always", "never", "only_when_no_obstacles", "if_at_most_one_obstacle",
  "octile", "zero", "manhattan", "euclidean", "auto", "astar", "dijkstra", "jps",
  "north", "east", "south", "west", "diagonal", "x", "3", "\0", ("long "):rep(50), "\255\254",
  "..#\n.#.\n...", "g.\n.g", "type octile\nheight 1\nwidth 2\nmap\n.@\n", "version 1\n",
}

local OPTIONS = {
  "diagonals", "diagonal_cost", "costs", "cost", "step_cost", "min_cost", "heuristic", "weight",
  "max_cost", "max_expansions", "partial", "range", "size", "algorithm", "avoid", "avoid_weight",
  "terrain", "fill", "origin", "one_way", "label", "from", "optimal", "pivots", "method", "bytes", "ms", "expansions",
  "speed", "x", "y", "wieght",
}

local NUMBERS = {
  0, 1, 1, 2, 3, 5, 8, 9, 16, 255, 256, 1000, -1, -5, 0.5, 1.5, 2.25, 0.001, 1e6, 1e7, 2 ^ 24,
  2 ^ 31, -2 ^ 31, 2 ^ 32 + 1, 2 ^ 53, 1e300, -0.0, HUGE, -HUGE, NAN,
}

local OUTSIDERS = { io.stdout, coroutine.create(function() end), print,
  setmetatable({}, { __index = function() error({}) end }) }

-- What a callback does, by number. 'run' holds what the input has made so far.
local CALLBACKS = {
  function() return function() return 2 end end,
  function() return function(_, _, _, cost) return cost end end,
  function() return function(x, y) return type(x) == "number" and (x + y) % 3 or 1 end end,
  function() return function() return false end end,
  function() return function() return nil end end,
  function() return function() return NAN end end,
  function() return function() return "2" end end,
  function() return function() return true end end,
  function() return function() return -1 end end,
  function() return function() error("callback", 0) end end,
  function() return function() error({}) end end, -- an object, to be passed on as it is
  function() return coroutine.yield end,
  function() return function() collectgarbage() return 1 end end,
  function(run) return function() run.grid:block(1, 1) return 1 end end,
  function(run) return function() run.grid:find_path(1, 1, 3, 3) return 1 end end,
  function(run)
    return function()
      local finder = run.grid:finder()
      finder:search(1, 1, 2, 2):step()
      return 1
    end
  end,
}

local value -- of any kind; see below

local KINDS = {}

function KINDS.coordinate(input) return input:below(7) + 1 end
function KINDS.small(input) return input:below(4) end
function KINDS.number(input) return input:pick(NUMBERS) end
function KINDS.word(input) return input:pick(WORDS) end
function KINDS.key(input) return input:pick { ".", "#", "g" } end
function KINDS.side(input) return input:pick { "north", "east", "south", "west" } end
function KINDS.flag(input) return input:below(2) == 1 end
function KINDS.callback(input, run) return input:pick(CALLBACKS)(run) end
function KINDS.cost(input) return input:pick { 1, 2, 0.5, false, HUGE, 0.001, 1e6 } end
function KINDS.nothing() return nil end
function KINDS.outsider(input) return input:pick(OUTSIDERS) end
function KINDS.amount(input) return input:pick { 0, 1, 0.5, 5, 100, 1e6, -3 } end

function KINDS.terrain(input)
  return { ["."] = KINDS.cost(input), ["#"] = false, g = KINDS.cost(input), [input:byte()] = 3 }
end

function KINDS.origin(input) return { input:below(7) - 3, input:below(7) - 3 } end

-- The good options of a finder by name, each with a kind of value it takes.
local FINDER = {
  diagonals = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" },
  heuristic = { "octile", "manhattan", "euclidean", "chebyshev", "zero" },
  algorithm = { "auto", "astar", "dijkstra", "jps", "jpsw" },
  weight = { 1, 1.5, 1e6 }, max_cost = { 0, 3, 1e9 }, max_expansions = { 1, 5, 1000 },
  partial = { true, false }, range = { 0, 1, 3 }, size = { 1, 2, 3, 255 },
  diagonal_cost = { 1, 1.4, 2 }, min_cost = { 0.001, 0.5, 1 }, avoid_weight = { 0, 1, 1e6 },
  bends = { "any", "fewer", "fewest" }, bend_cost = { 0, 0.5, 1e6, { [90] = 0, [180] = 3 } },
  heading = { "north", "south_west" },
}
local FINDER_NAMES = {
  "diagonals", "heuristic", "algorithm", "weight", "max_cost", "max_expansions", "partial", "range",
  "size", "diagonal_cost", "min_cost", "avoid_weight", "cost", "step_cost", "avoid", "costs",
  "bends", "bend_cost", "heading", "ignore",
}

function KINDS.finder_options(input, run)
  local options = {}
  for _ = 1, input:below(4) do
    local name = input:pick(FINDER_NAMES)
    if FINDER[name] then
      options[name] = input:pick(FINDER[name])
      if name == "avoid_weight" then options.avoid = run.field end -- it needs that
      if name == "min_cost" then options.cost = KINDS.callback(input, run) end
    elseif name == "avoid" then
      options.avoid = run.field
    elseif name == "ignore" then
      options.ignore = { KINDS.layer(input) }
    elseif name == "costs" then
      options.costs = { g = KINDS.cost(input) }
    else
      options[name] = KINDS.callback(input, run)
    end
  end
  return options
end

function KINDS.layer(input)
  return input:pick { "", "red", "doors", ("x"):rep(256), 7 }
end

function KINDS.options(input, run)
  local options = {}
  for _ = 1, input:below(4) do options[input:pick(OPTIONS)] = value(input, run) end
  return options
end

function KINDS.cells(input)
  local cells = {}
  for i = 1, input:below(5) do
    local x, y = KINDS.coordinate(input), KINDS.coordinate(input)
    cells[i] = i % 2 == 0 and { x = x, y = y } or { x, y }
  end
  return cells
end

function KINDS.rows(input, run)
  local rows = {}
  for y = 1, input:below(5) do
    rows[y] = {}
    for x = 1, 3 do rows[y][x] = input:below(8) == 0 and value(input, run) or KINDS.key(input) end
  end
  return rows
end

function KINDS.budget(input)
  return input:pick { { expansions = 1 }, { expansions = 50 }, { ms = 0 }, { ms = 1, expansions = 3 } }
end

function KINDS.dump(input, run)
  local open, dump = pcall(run.grid.dump, run.grid)
  if not open then return nil end
  local at = input:byte() % #dump + 1
  return input:below(2) == 0 and dump or dump:sub(1, at) .. string.char(input:byte()) .. dump:sub(at + 2)
end

-- The latest of what was made.
for _, name in ipairs { "grid", "field", "finder", "path", "search", "queue", "ticket", "walker" } do
  KINDS[name] = function(_, run) return run[name] end
end

local ANY = {
  "number", "number", "word", "flag", "nothing", "callback", "outsider", "options", "cells", "rows",
  "coordinate", "terrain", "origin", "dump", "grid", "field", "finder", "path", "search", "queue",
  "ticket", "walker", "budget",
}

local depth = 0

function value(input, run)
  if depth > 3 then return nil end -- tables in tables
  depth = depth + 1
  local made = KINDS[input:pick(ANY)](input, run)
  depth = depth - 1
  return made
end

-- ---- calls ----

-- What each function takes, by whose it is; 'c' is a coordinate.
local SIGNATURES = {
  astar = {
    grid = "c c options", grid_2 = "word options", grid_3 = "rows options", load = "dump",
    field = "c c options", field_2 = "grid", queue = "", walker = "path options",
  },
  movingai = { parse_map = "word options word", parse_scenarios = "word word", format_map = "grid" },
  tiled = { grid = "options options", objects = "options word origin" },
  grid = {
    get = "c c", set = "c c key", fill = "c c small small key", block = "c c small small",
    block_2 = "c c small small layer", block_3 = "c c layer", block_layers = "", block_layers_2 = "c c",
    unblock = "c c small small", unblock_2 = "c c small small layer", is_blocked = "c c",
    is_blocked_2 = "c c layer", is_walkable = "c c", terrain = "word cost",
    size = "", bounds = "", bytes = "", clone = "", version = "", dump = "", links = "",
    draw = "path options", draw_2 = "search", link = "c c c c options", unlink = "c c c c flag",
    restrict = "c c c c side", restrict_2 = "c c side", unrestrict = "c c c c", restrictions = "",
    wall = "c c side flag", unwall = "c c side flag", has_wall = "c c side",
    walls = "",
    finder = "finder_options", finder_2 = "options", find_path = "c c c c finder_options",
    __tostring = "", __len = "", __gc = "", __index = "word", __close = "",
  },
  field = {
    get = "c c", set = "c c amount", add = "c c amount", fill = "c c small small amount",
    fill_2 = "amount", stamp = "c c small amount", decay = "number", size = "", bounds = "",
    bytes = "", version = "", __tostring = "", __gc = "",
  },
  finder = {
    find_path = "c c c c", bake = "options", baking = "options", load_baked = "word", reachable = "c c c c",
    raycast = "c c c c", sweep = "c c c c",
    clearance = "c c", find_nearest = "c c cells", find_nearest_2 = "c c callback",
    search = "c c c c", __tostring = "", __gc = "",
    flow = "cells finder_options", reach = "c c number",
    cost_of = "path c c",
  },
  flow = { -- what flow fields have, where there are any
    distance = "c c", next = "c c", path = "c c", cells = "", flee = "number", update = "",
    __tostring = "", __gc = "",
  },
  path = {
    cell = "c", cells = "", cells_flat = "", totable = "", link = "c", waypoints = "",
    directions = "", smooth = "", reverse = "", is_valid = "c", repair = "options", cost_at = "c",
    index_within = "number c",
    __len = "", __index = "word", __index_2 = "number", __tostring = "", __gc = "",
  },
  search = {
    step = "c", step_2 = "budget", path = "", cells = "", close = "", __index = "word",
    __tostring = "", __gc = "",
  },
  queue = {
    request = "finder c c c c callback number", request_2 = "finder c c c c", update = "budget",
    count = "", await = "finder c c c c",
  },
  ticket = { path = "", cancel = "", set_priority = "number" },
  walker = { update = "number", cell = "", follow = "path", repair = "options" },
}

-- { owner, name, kinds } in an order of its own, so that a byte means the same on every Lua.
local CALLS = {}
for owner, functions in pairs(SIGNATURES) do
  for name, kinds in pairs(functions) do
    local list = {}
    for kind in kinds:gmatch "%S+" do list[#list + 1] = kind == "c" and "coordinate" or kind end
    CALLS[#CALLS + 1] = { owner = owner, name = name:gsub("_%d$", ""), kinds = list, id = owner .. "." .. name }
  end
end
table.sort(CALLS, function(a, b) return a.id < b.id end)

local metatables -- of userdata, by the debug library, as a script might get hold of them

local function function_of(run, call)
  if call.owner == "astar" or call.owner == "movingai" or call.owner == "tiled" then
    return (call.owner == "astar" and astar or astar[call.owner])[call.name]
  end
  local owner = run[call.owner]
  if call.name:sub(1, 2) == "__" then
    local metatable = metatables(owner)
    return type(metatable) == "table" and rawget(metatable, call.name)
  end
  if not owner then return end
  local ok, method = pcall(function() return owner[call.name] end) -- closed ones have no fields
  return ok and method, owner
end

metatables = debug.getmetatable

-- One byte: mostly an argument of the right kind, else any.
local function argument(input, run, kind)
  if input:below(12) == 0 then return value(input, run) end
  return KINDS[kind](input, run)
end

local function arguments(input, run, call)
  local list, count = {}, #call.kinds
  if input:below(16) == 0 then count = input:below(8) end
  for i = 1, count do list[i] = argument(input, run, call.kinds[i] or "number") end
  return list, count
end

-- A grid or field so large that it only takes time.
local function is_too_large(call, list)
  local w, h = list[1], list[2]
  return call.owner == "astar" and type(w) == "number" and type(h) == "number"
    and w * h > MOST_CELLS and w <= 2 ^ 24 and h <= 2 ^ 24
end

-- The latest of each kind is what methods are called on next.
local function keep(run, made)
  if type(made) ~= "userdata" and type(made) ~= "table" then return end
  local kind = tostring(made):match "^astar (%a+)"
  if kind == "grid" or kind == "finder" or kind == "field" or kind == "path" or kind == "search"
    or kind == "flow" or kind == "ticket" then
    run[kind] = made
  end
end

local function read_some(iterator, ...)
  if type(iterator) ~= "function" then return end
  local state, control = ...
  for _ = 1, 20 do
    local ok, first = pcall(iterator, state, control)
    if not ok or first == nil then return end
    control = first
  end
end

-- ---- what must hold ----

local INSIDES = { "attempt to index", "attempt to call", "attempt to compare", "attempt to perform",
  "attempt to concatenate", "bad argument" }

local function check_error(call, message)
  if type(message) == "table" then return end -- a callback's or a metamethod's own
  if type(message) ~= "string" or #message == 0 then
    error(call.id .. ": error without a message: " .. tostring(message), 0)
  end
  for _, text in ipairs(INSIDES) do
    if message:find(text, 1, true) then error(call.id .. ": " .. message, 0) end
  end
end

local control_finder = astar.grid("..#..\n..#..\n....."):finder()

local function check_control()
  local path = control_finder:find_path(1, 1, 5, 1)
  if not path or #path ~= 7 or math.abs(path.cost - 4 - 2 * math.sqrt(2)) > 1e-9 then
    error("the control query answers differently", 0)
  end
end

local function perform(call, callee, list, count)
  local unpack = table.unpack or unpack -- luacheck: ignore
  if call.name ~= "await" then return pcall(callee, unpack(list, 1, count)) end
  return coroutine.resume(coroutine.create(callee), unpack(list, 1, count))
end

local function act(input, run)
  local call = CALLS[input:byte() % #CALLS + 1]
  local callee, self = function_of(run, call)
  if type(callee) ~= "function" then return end
  local list, count = arguments(input, run, call)
  if self ~= nil or call.name:sub(1, 2) == "__" then
    local given = input:below(16) == 0 and value(input, run) or run[call.owner]
    table.insert(list, 1, false)
    list[1], count = given, count + 1
  end
  if is_too_large(call, list) then return end
  local ok, made, second, third = perform(call, callee, list, count)
  if not ok then
    check_error(call, made)
  else
    keep(run, made)
    read_some(made, second, third)
  end
end

-- What a run has of each kind before it has made its own; made when it is first asked for.
local MAKE = {
  grid = function()
    return astar.grid("...g.#..\n.#..g...\n........\n..##....\n.......#\n#.......\n......g.\n........",
      { terrain = { ["."] = 1, ["#"] = false, g = 3 } })
  end,
  finder = function(run) return run.grid:finder() end,
  path = function(run) return run.finder:find_path(1, 1, 8, 8) end,
  field = function(run) return astar.field(run.grid) end,
  search = function(run) return run.finder:search(1, 1, 7, 7) end,
  queue = function() return astar.queue() end,
  ticket = function(run) return run.queue:request(run.finder, 1, 1, 5, 5) end,
  walker = function(run) return astar.walker(run.path) end,
  flow = function(run) return run.finder:flow { { 4, 4 } } end,
}

local Run = {}

-- Of what is closed or blocked by now nothing can be made.
function Run:__index(name)
  local made, object = pcall(MAKE[name], self)
  object = made and object or false
  rawset(self, name, object)
  return object
end

return function(data)
  local input, run = setmetatable({ data = data, at = 0 }, Input), setmetatable({}, Run)
  for _ = 1, MOST_CALLS do
    if input:is_used_up() then break end
    act(input, run)
  end
  check_control()
end
