-- Defaults by metatable are common in Lua: setmetatable({ size = 2 }, { __index = DEFAULTS }). Every call that
-- lua/astar/core.d.lua documents options of reads them so, the C module and its twin in plain Lua alike.

local astar = require "astar"
local plain = require "astar.plain"

-- ---- the calls that are documented ----

-- The calls by name, each with the names of its options, in the order of core.d.lua. A parameter is options if its type
-- is a class of fields alone, or a table of fields.
local documented, order = {}, {}
do
  local classes, class, params = {}, nil, {}
  local function read_class(line)
    local opened = line:match "^%-%-%-@class astar%.(%w+)"
    if opened then
      class = { fields = {} }
      classes[opened] = class
    elseif not line:find "^%-%-%-" then
      if class and line:find "^local %w+ = {}" then class.is_object = true end
      class = nil
    end
    local field = class and line:match "^%-%-%-@field (%a[%w_]*)"
    if field then table.insert(class.fields, field) end
  end
  for line in io.lines "lua/astar/core.d.lua" do read_class(line) end
  local function fields_of(kind)
    local fields = {}
    if kind:find "^{ %a" then
      for field in kind:match "^%b{}":gmatch "[{,] (%a[%w_]*)%??:" do fields[#fields + 1] = field end
      return fields
    end
    for name in kind:gmatch "astar%.(%w+)" do
      local found = classes[name]
      if found and not found.is_object and (name:find "Options$" or name:find "Query$" or name == "Budget") then
        return found.fields
      end
    end
  end
  for line in io.lines "lua/astar/core.d.lua" do
    local kind = line:match "^%-%-%-@param [%w_]+%?? (.*)$" or line:match "^%-%-%-@overload fun%(options%?: (.*)%):"
    local name = line:match "^function ([%w_.:]+)%(" or line:match "^local (graph) = {}"
    if kind then params[#params + 1] = kind end
    for _, each in ipairs(name and params or {}) do
      local fields = fields_of(each)
      if fields then
        name = name:find "[.:]" and name or "astar." .. name
        documented[name] = fields
        order[#order + 1] = name
      end
    end
    if not line:find "^%-%-%-" then params = {} end
  end
end

-- ---- answers as text ----

local function text_of(value)
  local kind = type(value)
  if kind == "number" then return ("%.9g"):format(value) end
  if kind ~= "table" then return kind == "function" and kind or tostring(value) end
  local parts = {}
  for key, each in pairs(value) do parts[#parts + 1] = text_of(key) .. "=" .. text_of(each) end
  table.sort(parts)
  return "{" .. table.concat(parts, " ") .. "}"
end

local function all_text(...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = text_of((select(i, ...))) end
  return table.concat(parts, ", ")
end

-- A path's cost and cells, or why there is none.
local function way(path, ...)
  if not path then return path, ... end
  local parts = {}
  for i = 1, #path do
    local x, y = path:cell(i)
    parts[i] = y and x .. "," .. y or tostring(x)
  end
  return path.cost, table.concat(parts, " ")
end

local function node_way(path, ...)
  if not path then return path, ... end
  local keys = {}
  for i = 1, #path do keys[i] = path[i] end
  return path.cost, keys
end

local function finish(job)
  repeat local status = job:step(1000) until status ~= "running"
  return job.status
end

local function searched(search)
  finish(search)
  return way(search:path())
end

local function values_of(field, width, height)
  local values = {}
  for y = 1, height do
    for x = 1, width do values[#values + 1] = field:get(x, y) end
  end
  return values
end

-- ---- what is asked ----

local MAP = [[
.....~...
.....~...
..##.~#..
..#..~...
..#..~...
.....~...
...#.....
]]
local TERRAIN = { ["."] = 1, ["~"] = 4, ["#"] = false }

local function town(a) return a.grid(MAP, { terrain = TERRAIN }) end

local function open_town(a)
  local grid = town(a)
  return grid:finder(), grid
end

-- By call: `options` are tables of options each of which changes the answer; `ask` answers, of the module given.
-- `unread`: documented options that the call itself refuses. What it makes is given to `keep`.
local cases = {}

cases["astar.grid"] = {
  options = {
    { terrain = TERRAIN, fill = "~", origin = { 5, 6 } }, { shape = "hex", offset = "even_q" }, { wrap = "both" },
  },
  ask = function(a, options)
    local grid = a.grid(4, 4, options)
    local x, y = grid:bounds()
    return x, y, grid:get(x, y), grid:shape(), way(grid:find_path(x, y, x + 3, y + 3))
  end,
}
cases["astar.load"] = {
  options = { { max_cells = 10 } }, raises = true,
  ask = function(a, options) return a.load(a.grid(4, 4):dump(), options):bounds() end,
}
cases["astar.load_field"] = {
  options = { { max_cells = 10 } }, raises = true,
  ask = function(a, options) return a.load_field(a.field(4, 4):dump(), options):bounds() end,
}
cases["astar.load_floors"] = {
  options = { { max_cells = 10 } }, raises = true,
  ask = function(a, options) return a.load_floors(a.floors({ { 4, 4 } }):dump(), options):size(1) end,
}
cases["astar.field"] = {
  options = { { origin = { 3, 4 } }, { shape = "hex", offset = "odd_q" }, { wrap = "x" } },
  ask = function(a, options) return tostring(a.field(4, 4, options)), pcall(a.field(4, 4, options).get, nil) end,
  same = true, -- its shape shows only beside a grid's; astar.grid reads it by the same function
}

local function ask_link(tower)
  return function(a, options, keep)
    local grid = tower and keep(a.floors({ MAP }, { terrain = TERRAIN })) or keep(town(a))
    if tower then
      grid:link(1, 4, 1, 9, 4, 1, options)
      grid = grid.grid
    else
      grid:link(1, 4, 9, 4, options)
    end
    local found, links = {}, grid:links()
    for i, link in ipairs(links) do found[i] = { link.cost, link.label, link.one_way } end
    return found, (way(grid:find_path(9, 4, 1, 4)))
  end
end
local LINKS = { { cost = 3, label = "stairs" }, { one_way = true } }
cases["Grid:link"] = { options = LINKS, ask = ask_link(false) }
cases["Tower:link"] = { options = LINKS, ask = ask_link(true) }

local FINDERS = {
  { diagonals = "never" }, { diagonals = "always", diagonal_cost = 1.2 }, { costs = { ["~"] = 1 } },
  { costs = setmetatable({}, { __index = { ["~"] = false } }) },
  { weight = 3, heuristic = "zero", algorithm = "astar" },
  { cost = function(_, _, key) return key == "~" and 1 or 2 end, min_cost = 1, dearer_only = false },
  { step_cost = function(_, _, _, _, cost) return cost + 1 end, dearer_only = true }, { max_cost = 3 },
  { max_expansions = 1, algorithm = "dijkstra" }, { max_cost = 4, partial = true }, { range = 2 }, { size = 2 },
  { ignore = { "doors" } }, { breach = { doors = 1 } }, { any_angle = true }, { bends = "fewest", heading = "north" },
  { bend_cost = 2 }, { bend_cost = setmetatable({}, { __index = { [45] = 5, [180] = 9 } }), heading = "west" },
}
local function with_doors(a)
  local grid = town(a)
  grid:block(3, 6, 1, 2, "doors")
  return grid
end
local function avoiding(a)
  local field = a.field(9, 7)
  field:fill(1, 2, 9, 1, 5)
  return { { avoid = field, avoid_weight = 2 }, { avoid = { { field, 3 } } } }
end
cases["Grid:finder"] = {
  options = FINDERS, more = avoiding,
  ask = function(a, options, keep)
    local grid = keep(with_doors(a))
    return way(keep(grid:finder(options)):find_path(1, 5, 8, 3))
  end,
}
cases["Grid:find_path"] = {
  options = FINDERS, more = avoiding,
  ask = function(a, options, keep) return way(keep(with_doors(a)):find_path(1, 5, 8, 3, options)) end,
}

-- ---- queries of finders ----

local QUERIES = {
  { weight = 1000 }, { max_cost = 3 }, { max_expansions = 1 }, { max_cost = 4, partial = true }, { range = 2 },
  { bends = "fewest", heading = "south", max_cost = 5 },
}
local SUPPOSED = { suppose_blocked = { { 6, 1, 1, 6 } } }
local SCHEDULED = { "schedule" }
local NO_BLOCKS = { "suppose_blocked", "schedule" }
local function scheduled(a)
  local _, grid = open_town(a)
  return grid, a.schedule(grid)
end
cases["Finder:find_path"] = {
  options = { SUPPOSED, unpack and unpack(QUERIES) or table.unpack(QUERIES) },
  ask = function(a, options, keep) return way(keep(open_town(a)):find_path(1, 5, 8, 3, options)) end,
}
for i, how in ipairs { "alone", "in a table" } do
  cases["Finder:find_path with a schedule " .. how] = {
    of = "Finder:find_path", options = { { max_expansions = 1 }, { weight = 2 } }, same = true,
    ask = function(a, options, keep)
      local grid, schedule = scheduled(a)
      schedule:reserve_cell(4, 6)
      local told = i == 1 and schedule or setmetatable({ schedule }, { __index = { at = 7, speed = 2 } })
      local question = { schedule = told, max_expansions = options and options.max_expansions }
      if options and getmetatable(options) then question = setmetatable({}, { __index = question }) end
      local path, why = keep(grid:finder()):find_path(1, 5, 8, 3, question)
      return path and path.arrival or path, why, path and path:time(1)
    end,
    unread = { "weight", "max_cost", "max_expansions", "partial", "range", "bends", "heading", "suppose_blocked",
      "schedule" },
    passes = true,
  }
end
cases["Finder:find_nearest"] = {
  options = { SUPPOSED, unpack and unpack(QUERIES) or table.unpack(QUERIES) },
  ask = function(a, options, keep)
    return way(keep(open_town(a)):find_nearest(1, 5, { { 8, 3 }, { 9, 1 } }, options))
  end,
  unread = SCHEDULED,
}
cases["Finder:finding_nearest"] = {
  options = QUERIES, unread = SCHEDULED,
  ask = function(a, options, keep) return searched(keep(open_town(a)):finding_nearest(1, 5, { { 8, 3 } }, options)) end,
}
cases["Finder:search"] = {
  options = QUERIES, unread = SCHEDULED,
  ask = function(a, options, keep) return searched(keep(open_town(a)):search(1, 5, 8, 3, options)) end,
}
cases["Finder:reachable"] = {
  options = { { suppose_blocked = { { 6, 1, 1, 7 } } } },
  ask = function(a, options, keep) return keep(open_town(a)):reachable(1, 5, 8, 3, options) end,
}
cases["Finder:raycast"] = {
  options = { { suppose_blocked = { { 6, 1, 1, 7 } } } },
  ask = function(a, options, keep) return keep(open_town(a)):raycast(1, 1, 9, 1, options) end,
}
cases["Finder:sweep"] = {
  options = { { suppose_blocked = { { 6, 1, 1, 7 } } } },
  ask = function(a, options, keep) return keep(open_town(a)):sweep(1, 1, 9, 1, options) end,
}
local BAKINGS = { { method = "landmarks" }, { pivots = 2 }, { method = "hierarchy", bytes = 1000000 }, { bytes = 1 } }
local function walled_field(a)
  local grid = a.grid(64, 64)
  for x = 4, 60, 4 do grid:block(x, x % 8 == 0 and 1 or 5, 1, 60) end
  return grid:finder()
end
cases["Finder:bake"] = {
  options = BAKINGS,
  ask = function(a, options, keep)
    local baked = keep(walled_field(a)):bake(options)
    return baked.method, baked.bytes
  end,
}
cases["Finder:baking"] = {
  options = BAKINGS,
  ask = function(a, options, keep)
    local job = keep(walled_field(a)):baking(options)
    finish(job)
    return job.result.method, job.result.bytes
  end,
}
cases["Finder:min_cut"] = {
  options = { { most = 0 } },
  ask = function(a, options, keep) return keep(open_town(a)):min_cut(1, 1, 9, 7, options) end,
}
cases["Finder:fov"] = {
  options = {
    { facing = "east" }, { facing = "east", angle = 30 }, { opaque = { terrain = { "~" } } },
    { opaque = setmetatable({}, { __index = { terrain = { "~" } } }) },
  },
  more = function(a) return { { into = a.field(9, 7), facing = "west" } } end,
  ask = function(a, options, keep) return values_of(keep(open_town(a)):fov(1, 1, 9, options), 9, 7) end,
}
cases["Finder:sees"] = {
  options = { { opaque = { terrain = { "~" } } }, { opaque = setmetatable({}, { __index = { terrain = { "~" } } }) } },
  ask = function(a, options, keep)
    local finder, seen = keep(open_town(a)), {}
    for y = 1, 7 do
      for x = 1, 9 do seen[#seen + 1] = finder:sees(1, 1, x, y, options) and "1" or "0" end
    end
    return table.concat(seen)
  end,
}
cases["Finder:spread"] = {
  options = { { value = 3 }, { falloff = 0 } },
  more = function(a) return { { into = a.field(9, 7), value = 2 } } end,
  ask = function(a, options, keep) return values_of(keep(open_town(a)):spread({ { 1, 1 } }, 5, options), 9, 7) end,
}
cases["Finder:preparing"] = {
  options = { { settled = true } }, same = true, -- it answers nothing
  ask = function(a, options, keep) return finish(keep(open_town(a)):preparing(options)) end,
}
cases["Finder:flow"] = {
  options = { { max_cost = 2 }, { steps_only = true } }, raises = true,
  ask = function(a, options, keep) return keep(open_town(a)):flow(1, 1, options):distance(8, 3) end,
}
cases["Finder:reach"] = {
  options = { { count = "ground" } },
  ask = function(a, options, keep)
    local _, grid = open_town(a)
    local field = a.field(grid)
    field:fill(2)
    return keep(grid:finder { avoid = field }):reach(1, 1, 30, options):distance(3, 1)
  end,
}
cases["Finder:tour"] = {
  options = { { from = { 4, 4 } }, { back = true }, { back = { 9, 7 } } },
  ask = function(a, options, keep) return keep(open_town(a)):tour({ { 1, 1 }, { 9, 1 }, { 1, 7 } }, options) end,
}
cases["Finder:touring"] = {
  options = { { from = { 4, 4 } }, { back = true }, { back = { 9, 7 } } },
  ask = function(a, options, keep)
    local job = keep(keep(open_town(a)):touring({ { 1, 1 }, { 9, 1 }, { 1, 7 } }, options))
    while job:step(1000) == "running" do end -- luacheck: ignore 542
    return job.result.order, job.result.cost, job.result.exact, job.result.bound
  end,
}
cases["Finder:intercept"] = {
  options = { { speed = 3 }, { its_speed = 4 }, { index = 4 } },
  ask = function(a, options, keep)
    local finder = keep(open_town(a))
    local path, time, index = finder:intercept(9, 7, finder:find_path(1, 1, 9, 1), options)
    return time, index, way(path)
  end,
}

-- ---- jobs, queues, walkers ----

local EXPANSIONS = { { expansions = 2 }, { ms = 1000, expansions = 3 } }
local function stepped(make)
  return {
    options = EXPANSIONS,
    ask = function(a, options, keep)
      local job = keep(make(a))
      local status = job:step(options)
      return status, pcall(function() return job.expanded end)
    end,
  }
end
cases["Search:step"] = stepped(function(a) return walled_field(a):search(1, 64, 64, 64) end)
cases["Job:step"] = stepped(function(a) return walled_field(a):flow(1, 64):completing() end)
cases["Job:step"].same = true -- a flow's steps are coarser
cases["astar.queue"] = {
  options = { { delay = 3 } }, raises = true,
  more = function(a) return { { workers = a.workers(1), delay = 3 } } end,
  ask = function(a, options)
    local queue = a.queue(options)
    local ticket, updates = queue:request(open_town(a), 1, 5, 8, 3), 0
    while not ticket.done do
      queue:update { expansions = 1000 }
      updates = updates + 1
    end
    return updates, way(ticket.found)
  end,
}
cases["Queue:request"] = {
  options = QUERIES, unread = NO_BLOCKS,
  ask = function(a, options, keep)
    local queue = a.queue()
    local ticket = queue:request(keep(open_town(a)), 1, 5, 8, 3, options, nil, 2)
    while not ticket.done do queue:update { ms = 1 } end
    return way(ticket:path())
  end,
}
cases["Queue:await"] = {
  options = QUERIES, unread = NO_BLOCKS,
  ask = function(a, options, keep)
    local queue, finder, answer = a.queue(), keep(open_town(a)), nil
    local thread = coroutine.create(function() answer = { way(queue:await(finder, 1, 5, 8, 3, options)) } end)
    local ok, problem = coroutine.resume(thread)
    if not ok then error(problem, 0) end
    while not answer do queue:update { ms = 1 } end
    return answer
  end,
}
cases["Queue:add"] = {
  options = { { priority = 5, done = function(job) job.is_told = true end } },
  ask = function(a, options)
    local queue = a.queue()
    local job = { status = "running" }
    function job.step() job.status = "done" return "done" end
    local ticket = queue:add(job, options)
    queue:update { ms = 1 }
    return ticket.priority, job.is_told
  end,
}
cases["Queue:update"] = {
  options = EXPANSIONS, base = { expansions = 100000 },
  ask = function(a, options, keep)
    local queue = keep(a.queue())
    local ticket = queue:request(walled_field(a), 1, 64, 64, 64)
    return queue:update(options), ticket.done
  end,
}
local function broken(a)
  local finder, grid = open_town(a)
  local path = finder:find_path(1, 5, 8, 5)
  grid:block(4, 5)
  grid:fill(1, 6, 9, 1, ".")
  return path, grid
end
local REPAIRS = { { from = 2 }, { from = 3, optimal = true } }
cases["Path:repair"] = {
  options = REPAIRS,
  ask = function(a, options, keep) return way(keep((broken(a))):repair(options)) end,
}
cases["Path:repairing"] = {
  options = REPAIRS,
  ask = function(a, options, keep) return searched(keep((broken(a))):repairing(options)) end,
}
cases["Path:retarget"] = {
  options = { { from = 2 }, { from = 3, bound = 1 } },
  ask = function(a, options, keep) return way(keep((open_town(a)):find_path(1, 5, 4, 5)):retarget(5, 1, options)) end,
}
cases["astar.walker"] = {
  options = { { speed = 3 }, { straight = true }, { corner = 0 }, { acceleration = 1, turn = 1 } },
  ask = function(a, options)
    local walker = a.walker((open_town(a)):find_path(1, 1, 3, 7), options)
    local places = {}
    for i = 1, 12 do
      walker:update(0.4)
      places[i] = { walker.x, walker.y, walker.angle }
    end
    return places
  end,
}
local function walking(a)
  local path, grid = broken(a)
  return a.walker(path), grid
end
cases["Walker:repair"] = {
  options = { { optimal = true } }, same = true, -- here both ways are the cheapest
  ask = function(a, options) return way((walking(a)):repair(options)) end,
}
cases["Walker:repairing"] = {
  options = { { optimal = true } }, same = true,
  ask = function(a, options)
    local walker = walking(a)
    return finish(walker:repairing(options)), way(walker.path)
  end,
}
cases["Walker:retarget"] = {
  options = { { bound = 1 } }, same = true,
  ask = function(a, options) return way(a.walker((open_town(a)):find_path(1, 5, 4, 5)):retarget(5, 1, options)) end,
}

-- ---- crowds ----

local function pens(a) return a.grid(9, 7) end
cases["astar.crowd"] = {
  options = {
    { speed = 2 }, { exclusive = true }, { even = true },
    { seed = 7, knots = false, bytes = 1000000, expansions = 1000 },
  },
  ask = function(a, options, keep)
    local crowd = a.crowd(keep(pens(a):finder()), options)
    local units, states = {}, {}
    for i = 1, 6 do units[i] = crowd:add(i, 1) end
    for i, unit in ipairs(units) do unit:go(8 - i, 7) end
    for _ = 1, 8 do
      crowd:update(0.3)
      for _, unit in ipairs(units) do states[#states + 1] = { unit.x, unit.y, unit.state } end
    end
    return states
  end,
  same = true, -- bytes and expansions change how soon, and the seed only ties
}
cases["Crowd:add"] = {
  options = { { period = 3 }, { speed = 1, turn = 2 }, { side = "red" } },
  more = function(_, kept) return { { finder = kept.grid:finder { size = 2 } } } end,
  ask = function(a, options, keep, kept)
    kept.grid = kept.grid or pens(a)
    local crowd = keep(a.crowd(kept.grid:finder()))
    local unit = crowd:add(1, 1, options)
    unit:go(9, 1)
    for _ = 1, 3 do crowd:beat() end
    return unit.period, unit.speed, unit.side, unit.size, unit.x, unit.y
  end,
}
local function marched(a, keep)
  local crowd = keep(a.crowd(keep(town(a):finder { diagonals = "never" })))
  local units = { crowd:add(1, 1), crowd:add(2, 1), crowd:add(1, 2, { period = 3 }) }
  return crowd, units
end
local function places_of(crowd, units)
  for _ = 1, 25 do crowd:beat() end
  local places = {}
  for i, unit in ipairs(units) do places[i] = { unit.x, unit.y, unit.state, unit.period } end
  return places
end
cases["Crowd:go"] = {
  options = {
    { partial = true }, { range = 2 }, { shape = "line" }, { shape = "line", facing = "north", gap = 1 },
    { together = true, partial = true },
  },
  ask = function(a, options, keep)
    local crowd, units = marched(a, keep)
    return crowd:go(units, 3, 3, options), places_of(crowd, units)
  end,
}
cases["Unit:go"] = {
  options = { { partial = true }, { range = 2 } },
  ask = function(a, options, keep)
    local crowd, units = marched(a, keep)
    return units[1]:go(3, 3, options), places_of(crowd, units)
  end,
}
cases["Unit:chase"] = {
  options = { { range = 4 } },
  ask = function(a, options, keep)
    local crowd, units = marched(a, keep)
    crowd:go({ units[2] }, 9, 7)
    units[1]:chase(units[2], options)
    return places_of(crowd, units)
  end,
}
cases["Crowd:step"] = {
  options = EXPANSIONS, same = true, -- how far it works ahead does not show
  ask = function(a, options, keep)
    local crowd = marched(a, keep)
    return crowd:step(options)
  end,
}
local function resolving(a, options, keep)
  local crowd, units = marched(a, keep)
  units[3] = nil
  units[1]:go(2, 1)
  units[2]:go(1, 1)
  return crowd:resolving(units, options)
end
cases["Crowd:resolving"] = {
  options = { { window = { 1, 1, 2, 1 } }, { bytes = 0 }, { improve = 0 } }, same = true,
  ask = function(a, options, keep)
    local job, why = resolving(a, options, keep)
    if not job then return job, why end
    local status = finish(job)
    return status, job.beats, job.left, job.cost
  end,
}
cases["Resolving:step"] = {
  options = EXPANSIONS, same = true,
  ask = function(a, options, keep) return (keep((resolving(a, nil, keep))):step(options)) end,
}

-- ---- floors and schedules ----

cases["astar.floors"] = {
  options = { { terrain = TERRAIN }, { terrain = TERRAIN, fill = "~", gap = 3 } }, base = { gap = 2 },
  ask = function(a, options)
    local tower = a.floors({ { 3, 3 }, options and options.fill and { 3, 3 } or "..." }, options)
    return tower.grid:size(), tower.grid:draw()
  end,
  raises = true,
}
cases["Schedule:reserve"] = {
  options = { { at = 3 }, { speed = 2 }, { length = 2 }, { stay = false }, { stay = 4, force = true } },
  more = function(_, kept) return { { finder = kept.finder, force = true } } end,
  ask = function(a, options, keep, kept)
    local grid, schedule = scheduled(a)
    kept.finder = grid:finder()
    if options and options.finder then options = { finder = kept.finder, force = true, at = 1 } end
    local id, why = schedule:reserve(keep(grid:finder()):find_path(1, 1, 4, 1), options)
    local taken = {}
    for time = 0, 9 do
      taken[#taken + 1] = { schedule:taken_by(2, 1, time) or 0, schedule:taken_by(4, 1, time) or 0 }
    end
    return id, why, taken
  end,
}
cases["Schedule:reserve_cell"] = {
  options = { { from = 2 }, { to = 3 }, { from = 1, to = 2, every = 3, times = 2 }, { from = 1, to = 2, open = true } },
  ask = function(a, options)
    local _, schedule = scheduled(a)
    schedule:reserve_cell(2, 1, options)
    local taken = {}
    for time = 0, 9 do taken[#taken + 1] = schedule:taken_by(2, 1, time) or 0 end
    return taken
  end,
}
cases["Schedule:find_path"] = {
  options = {
    { at = 5 }, { speed = 2 }, { length = 2, tail = { { 1, 2 } }, speed = 0.5 }, { stay = false },
    { max_expansions = 1 },
  },
  ask = function(a, options, keep)
    local grid, schedule = scheduled(a)
    schedule:reserve_cell(2, 1, { from = 0, to = 2 })
    schedule:reserve_cell(4, 1, { from = 5, to = 6 })
    local path, why = schedule:find_path(keep(grid:finder { diagonals = "never" }), 1, 1, 4, 1, options)
    return why, path and { path.cost, path.arrival }
  end,
}

-- ---- graphs ----

local function roads(a)
  local graph = a.graph()
  for i, place in ipairs { { 1, 1 }, { 4, 1 }, { 4, 5 }, { 9, 5 } } do graph:node(i, place[1], place[2]) end
  graph:edge(1, 2)
  graph:edge(2, 3)
  graph:edge(3, 4)
  graph:edge(1, 4, { cost = 20, label = "ferry" })
  return graph
end
cases["astar.graph"] = {
  options = { { heuristic = function(node) return node > 3 and 100 or 0 end } },
  ask = function(a, options)
    local graph = a.graph(options)
    for i = 1, 3 do graph:node(i) end
    graph:node(4)
    graph:edge(1, 4, { cost = 1 })
    graph:edge(4, 3, { cost = 1 })
    graph:edge(1, 3, { cost = 5 })
    return node_way(graph:finder():find_path(1, 3))
  end,
}
local function count_up(state, add)
  add(state + 1)
  add(state * 2)
end
cases["astar.states"] = {
  options = { { neighbours = count_up, heuristic = function(_, goal) return goal % 2 end, key = tostring } },
  base = { neighbours = count_up }, same = true, -- an estimate changes how soon it is found
  ask = function(a, options) return node_way(a.states(options):finder():find_path(1, 11)) end,
}
cases["Graph:edge"] = {
  options = { { cost = 2 }, { cost = 3, label = "road" }, { cost = 1, one_way = true } },
  ask = function(a, options, keep)
    local graph = keep(roads(a))
    graph:edge(1, 3, options)
    local path = graph:finder():find_path(1, 3)
    return path.cost, path:link(1), node_way(graph:finder():find_path(3, 1))
  end,
}
cases["Graph:bake"] = {
  options = { { landmarks = 2 } },
  ask = function(a, options, keep) return keep(roads(a)):bake(options) end,
}
cases["Graph:baking"] = {
  options = { { landmarks = 0 } }, same = true,
  ask = function(a, options, keep) return finish(keep(roads(a)):baking(options)) end,
}
local GRAPH_QUERIES = { { max_cost = 3 }, { max_expansions = 1 }, { partial = true, max_cost = 5 }, { weight = 1000 } }
local function dear(_, _, label, cost) return label and cost or cost + 1 end
cases["Graph:finder"] = {
  options = {
    { cost = dear, min_cost = 1 }, { cost = dear, dearer_only = true }, GRAPH_QUERIES[1], GRAPH_QUERIES[2],
    GRAPH_QUERIES[3], { weight = 1000, cost = dear },
  },
  ask = function(a, options, keep) return node_way(keep(roads(a)):finder(options):find_path(1, 4)) end,
}
cases["Graph:join"] = {
  options = { { radius = 0.5 } },
  more = function(_, kept) return { { finder = kept.graph:finder { max_cost = 1 } } } end,
  ask = function(a, options, keep, kept)
    local graph = kept.graph or roads(a)
    kept.graph = graph
    return node_way(graph:join(keep(a.grid(9, 7):finder { diagonals = "never" }), options):find_path(1, 2, 8, 5))
  end,
  same = true, -- the goal is in sight
}
cases["GraphFinder:find_path"] = {
  options = GRAPH_QUERIES, same = true, -- a weight changes no way here
  ask = function(a, options, keep) return node_way(keep(roads(a):finder()):find_path(1, 4, options)) end,
}
cases["GraphFinder:find_nearest"] = {
  options = { { max_cost = 3 }, { max_expansions = 1 } },
  ask = function(a, options, keep) return node_way(keep(roads(a):finder()):find_nearest(1, { 4, 3 }, options)) end,
}
cases["GraphFinder:search"] = {
  options = { { max_cost = 3 }, { max_expansions = 1 }, { partial = true, max_cost = 5 } },
  ask = function(a, options, keep)
    local search = keep(roads(a):finder()):search(1, 4, options)
    finish(search)
    return node_way(search:path())
  end,
}
cases["GraphFinder:tour"] = {
  options = { { from = 2 }, { back = true } },
  ask = function(a, options, keep) return keep(roads(a):finder()):tour({ 1, 3, 4 }, options) end,
}
cases["GraphFinder:touring"] = {
  options = { { from = 2 }, { back = true } },
  ask = function(a, options, keep)
    local job = keep(keep(roads(a):finder()):touring({ 1, 3, 4 }, options))
    while job:step(1000) == "running" do end -- luacheck: ignore 542
    return job.result.order, job.result.cost, job.result.exact, job.result.bound
  end,
}
cases["GraphSearch:step"] = stepped(function(a) return roads(a):finder():search(1, 4) end)
cases["GraphSearch:step"].same = true
cases["JoinedGraph:find_path"] = {
  options = { { max_cost = 3 } }, unread = { "partial" },
  ask = function(a, options, keep)
    local grid = a.grid(9, 7)
    grid:block(5, 1, 1, 4)
    return node_way(roads(a):join(keep(grid:finder())):find_path(1, 2, 8, 2, options))
  end,
}
cases["JoinedGraph:search"] = {
  options = { { max_cost = 3 } }, unread = { "partial" },
  ask = function(a, options, keep)
    local grid = a.grid(9, 7)
    grid:block(5, 1, 1, 4)
    local search = roads(a):join(keep(grid:finder())):search(1, 2, 8, 2, options)
    while search:step(100) == "running" do end
    return search.status, node_way(search:path())
  end,
}
cases["JoinedSearch:step"] = stepped(function(a)
  local grid = a.grid(9, 7)
  grid:block(5, 1, 1, 4)
  return roads(a):join(grid:finder()):search(1, 2, 8, 2)
end)
cases["JoinedSearch:step"].same = true

-- ---- worlds ----

local ROW = { ("."):rep(30) .. "~" .. ("."):rep(33) }
local function load_chunk()
  local rows = {}
  for y = 1, 64 do rows[y] = ROW[1] end
  return rows
end
local WORLD = { terrain = TERRAIN, load = load_chunk }
cases["astar.world"] = {
  base = WORLD,
  options = {
    { terrain = TERRAIN, load = load_chunk, exact = true, save = function() end, bytes = 2 ^ 21 },
    { terrain = TERRAIN, unknown = 2 }, { terrain = TERRAIN, load = load_chunk, spacing = 3 },
  },
  ask = function(a, options)
    local world = a.world(options)
    local route, why = world:finder():find_route(3, 3, 100, 80)
    return world:get(5, 5), route and route.cost, why
  end,
  same = true, -- where the best is found anyway
}
local function new_world(a) return a.world(WORLD) end
cases["World:link"] = {
  options = LINKS,
  ask = function(a, options, keep)
    local world = keep(new_world(a))
    world:link(1, 1, 60, 60, options)
    local finder = world:finder { exact = true }
    local route, back = finder:find_route(1, 1, 60, 60), finder:find_route(60, 60, 1, 1)
    return route.cost, back.cost, route:path():link(1)
  end,
}
cases["World:finder"] = {
  options = {
    { diagonals = "never" }, { diagonal_cost = 1.1 }, { costs = { ["~"] = 1 } }, { size = 3 }, { ignore = { "" } },
    { max_expansions = 1 }, { weight = 1, exact = true },
  },
  more = function(a)
    local field = a.field(40, 40)
    field:fill(1, 1, 40, 40, 3)
    return { { avoid = field, avoid_weight = 2 } }
  end,
  ask = function(a, options, keep)
    local world = keep(new_world(a))
    world:block(9, 1, 1, 30)
    local route, why = world:finder(options):find_route(3, 3, 50, 12)
    return route and route.cost, why
  end,
  same = true, -- exact and weight find the best here, too
}
local ROUTES = {
  { range = 9 }, { max_cost = 3 }, { max_expansions = 1 }, { partial = true, range = 3 }, { exact = true, range = 2 },
  { weight = 3, range = 1 },
}
local function route_of(route, why) return route and { route.cost, route.gx, route.gy, route.status }, why end
cases["WorldFinder:find_route"] = {
  options = ROUTES,
  ask = function(a, options, keep)
    local finder = new_world(a):finder()
    local fleeing = options and options.range == 3 and { range = 3, flee = true } or options
    if fleeing ~= options and getmetatable(options) then fleeing = setmetatable({}, { __index = fleeing }) end
    keep(finder)
    return route_of(finder:find_route(3, 3, 50, 50, options)),
      route_of(finder:find_route(3, 3, { { 4, 4 } }, fleeing))
  end,
}
cases["WorldFinder:find_nearest"] = {
  options = { { range = 9 }, { max_cost = 3 }, { max_expansions = 1 } },
  ask = function(a, options) return route_of(new_world(a):finder():find_nearest(3, 3, { { 50, 50 } }, options)) end,
}
cases["WorldFinder:search"] = {
  options = { { range = 9 }, { max_cost = 3 }, { max_expansions = 1 }, { exact = true, range = 2 } },
  ask = function(a, options)
    local search = new_world(a):finder():search(3, 3, 50, 50, options)
    finish(search)
    return route_of(search:route())
  end,
}
local function far_search(a) return new_world(a):finder():search(3, 3, 500, 500) end
cases["RouteSearch:step"] = stepped(far_search)
cases["RouteSearch:step"].same = true -- it does not say how far it is
cases["Route:step"] = {
  options = EXPANSIONS, same = true,
  ask = function(a, options) return new_world(a):finder():find_route(3, 3, 300, 300):step(options) end,
}
cases["Route:path"] = {
  options = { { legs = 1 } },
  ask = function(a, options) return way(new_world(a):finder():find_route(3, 3, 300, 80):path(options)) end,
}

-- ---- files and pictures ----

local MOVING_AI = "type octile\nheight 1\nwidth 3\nmap\n.T.\n"
local function read_map(a, options)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(MOVING_AI)
  file:close()
  local answer = { pcall(a.movingai.read_map, name, options) }
  os.remove(name)
  if not answer[1] then error(answer[2], 0) end
  return answer[2]
end
local function of_map(make)
  return {
    options = { { terrain = { T = 3 } }, { origin = { 4, 5 } }, { shape = "hex", offset = "odd_q" }, { wrap = "x" } },
    unread = { "fill" },
    ask = function(a, options)
      local grid = make(a, options)
      local x, y = grid:bounds()
      return x, y, grid:shape(), way(grid:find_path(x, y, x + 2, y))
    end,
  }
end
cases["movingai.read_map"] = of_map(read_map)
cases["movingai.parse_map"] = of_map(function(a, options) return a.movingai.parse_map(MOVING_AI, options) end)

local function tiled_town()
  local tile = { id = 0, properties = { cost = 3, toll = 5 } }
  return {
    orientation = "orthogonal", width = 2, height = 1, tilewidth = 8, tileheight = 8,
    tilesets = { { firstgid = 1, name = "set", tilecount = 2, columns = 2, tiles = { tile } } },
    layers = {
      { name = "floor", type = "tilelayer", width = 2, height = 1, data = { 1, 2 } },
      {
        name = "ways", type = "objectgroup", objects = {
          { id = 1, name = "a", shape = "point", x = 2, y = 2 }, { id = 2, name = "b", shape = "point", x = 15, y = 2 },
          {
            id = 3, shape = "polyline", name = "road", x = 2, y = 2, polyline = { { x = 0, y = 0 }, { x = 9, y = 0 } },
            properties = { cost = 2, toll = 7 },
          },
        },
      },
    },
  }
end
cases["tiled.load"] = {
  options = { { read = function() return "return { layers = {}, tilesets = {}, width = 4, height = 4 }" end },
    { read = function() return ("x"):rep(9) end, max_bytes = 3 } },
  raises = true,
  ask = function(a, options) return a.tiled.load("missing.lua", options) end,
}
cases["tiled.grid"] = {
  options = {
    { default = 7 }, { terrain = { ["cost 3"] = 2 } }, { properties = { cost = "toll" } }, { origin = { 4, 4 } },
    { properties = setmetatable({}, { __index = { cost = "toll" } }) }, { cost = function() return 6 end },
    { blocks = { "ways" } }, { max_cells = 1 },
    { empty = 2, default = 4, inflate = function(bytes) return bytes end, warn = function() end },
  },
  raises = true,
  ask = function(a, options)
    local grid = a.tiled.grid(tiled_town(), options)
    local x, y = grid:bounds()
    return x, y, grid:is_blocked(x, y), way(grid:find_path(x, y, x + 1, y)), way(grid:find_path(x + 1, y, x, y))
  end,
}
cases["tiled.graph"] = {
  options = {
    { snap = 0 }, { origin = { 4, 4 } }, { properties = { cost = "toll" } },
    { properties = setmetatable({}, { __index = { cost = "toll" } }) },
  },
  ask = function(a, options)
    local graph = a.tiled.graph(tiled_town(), options)
    local x, y = graph:position "a"
    return #graph, x, y, node_way(graph:finder():find_path("a", "b"))
  end,
}
local function ldtk_caves()
  local function ground(cells)
    return { __identifier = "Ground", __type = "IntGrid", __cWid = 2, __cHei = 1, __gridSize = 8, layerDefUid = 1,
      intGridCsv = cells }
  end
  local function things(name, place)
    return { __identifier = name, __type = "Entities", __cWid = 2, __cHei = 1, __gridSize = 8, layerDefUid = 2,
      entityInstances = { { __identifier = name, iid = name, px = place, __pivot = { 0, 0 }, width = 8, height = 8,
        fieldInstances = {} } } }
  end
  local values = { { value = 1, identifier = "sand" } }
  local upper = ground { 1, 1 }
  upper.__identifier = "Upper"
  return {
    jsonVersion = "1.5.3",
    defs = { tilesets = {}, layers = { { uid = 1, identifier = "Ground", type = "IntGrid", intGridValues = values } } },
    levels = {
      { identifier = "Cave", iid = "a", uid = 1, pxWid = 16, pxHei = 8,
        layerInstances = { things("Door", { 0, 0 }), things("Guard", { 8, 0 }), upper, ground { 0, 1 } } },
      { identifier = "Yard", iid = "b", uid = 2, pxWid = 16, pxHei = 8,
        layerInstances = { things("Door", { 8, 0 }), upper, ground { 1, 0 } } },
    },
  }
end

cases["ldtk.load"] = {
  options = {
    {
      read = function()
        return '{ "jsonVersion": "1.5.3", "defs": { "layers": [], "tilesets": [] }, "levels": [] }'
      end,
    },
    { read = function() return ("x"):rep(9) end, max_bytes = 3 },
  },
  raises = true,
  ask = function(a, options) return #a.ldtk.load("missing.ldtk", options).levels end,
}
cases["ldtk.grid"] = {
  base = { level = "Cave", layer = "Ground", costs = { sand = 3 } },
  options = {
    { level = "Yard", layer = "Ground", costs = { sand = 3 } },
    { level = "Cave", layer = "Upper", costs = { sand = 3 } },
    { level = "Cave", layer = "Ground", costs = { sand = 5 } }, { level = "Cave", layer = "Ground", default = 6 },
    { level = "Cave", layer = "Ground", costs = setmetatable({}, { __index = { sand = 7 } }) },
    { level = "Cave", layer = "Ground", costs = { sand = 3 }, origin = { 4, 4 } },
    { level = "Cave", layer = "Ground", costs = { sand = 3 }, max_cells = 1 },
    { level = "Cave", layer = setmetatable({}, { __index = { "Ground", "Upper" } }), costs = { sand = 3 } },
  },
  raises = true,
  ask = function(a, options)
    local grid = a.ldtk.grid(ldtk_caves(), options)
    local x, y = grid:bounds()
    return x, y, way(grid:find_path(x, y, x + 1, y)), way(grid:find_path(x + 1, y, x, y))
  end,
}
cases["ldtk.objects"] = {
  base = { level = "Cave" },
  options = { { level = "Yard" }, { level = "Cave", layer = "Guard" }, { level = "Cave", origin = { 4, 4 } } },
  ask = function(a, options)
    local told = {}
    for _, object in ipairs(a.ldtk.objects(ldtk_caves(), options)) do
      told[#told + 1] = ("%s %d %d"):format(object.name, object.x, object.y)
    end
    return table.concat(told, ", ")
  end,
}
cases["love.view"] = {
  options = {
    { x = 4, y = 5 }, { scale = 32 }, { colors = { ["."] = "#ff0000" } }, { theme = { ink = "#00ff00" } },
    { theme = setmetatable({}, { __index = { ink = "#00ff00" } }) },
  },
  ask = function(a, options)
    local view = a.love.view(town(a), options)
    return view:to_pixel(1, 1), rawget(view, "colors"), rawget(view, "theme")
  end,
}
cases["love.grid"] = {
  base = { colors = { ["."] = "#ffffff" } },
  options = {
    { colors = { ["."] = "#ffffff" }, origin = { 3, 4 } },
    { colors = { ["~"] = "#ffffff" }, terrain = TERRAIN },
  },
  ask = function(a, options)
    local image = { getPixel = function() return 1, 1, 1 end, getWidth = function() return 2 end,
      getHeight = function() return 1 end }
    local grid = a.love.grid(image, options)
    local x, y = grid:bounds()
    return x, y, grid:get(x, y)
  end,
}

-- ---- the specs ----

local function by_index(options) return setmetatable({}, { __index = options }) end

local function keep_nothing(value) return value end

-- What a case answers: whether it was without an error, and the answer or the message.
local function answer_of(case, module, options, kept, keep)
  local function give(ok, ...)
    if not ok then return false, ... end
    return true, all_text(...)
  end
  return give(pcall(case.ask, module, options, keep or keep_nothing, kept or {}))
end

-- Whether the twin lacks the call.
local function is_lacking(ok, answer)
  local problem = tostring(answer)
  return not ok and (problem:find("needs the C module", 1, true) or problem:find "has no field \"%l+\"") ~= nil
end

local function each_option(case, module, check)
  local kept = {}
  local ok, answer = answer_of(case, module, case.base, kept)
  if is_lacking(ok, answer) then return end
  assert.is_true(ok or case.raises or false, tostring(answer))
  for _, options in ipairs(case.options) do check(options, kept, answer) end
  local there, more = pcall(case.more or function() return {} end, module, kept)
  assert.is_true(there or is_lacking(there, more), tostring(more))
  for _, options in ipairs(there and more or {}) do check(options, kept, answer) end
end

local names = {}
for name in pairs(cases) do names[#names + 1] = name end
table.sort(names)

describe("options that come from a metatable", function()
  it("are tested with every call whose options core.d.lua documents", function()
    assert.is_true(#order > 70, #order .. " calls")
    for _, name in ipairs(order) do assert.is_truthy(cases[name], name .. " is not tried") end
    for _, name in ipairs(names) do
      assert.is_truthy(documented[cases[name].of or name], name .. " is not documented")
    end
  end)

  for _, name in ipairs(names) do
    local case = cases[name]
    for title, module in pairs { ["C module"] = astar, ["twin"] = plain } do
      it(("have the same effect on %s as options in the table, for the %s"):format(name, title), function()
        each_option(case, module, function(options, kept, without)
          local ok, answer = answer_of(case, module, options, kept)
          local ok_by_index, answer_by_index = answer_of(case, module, by_index(options), kept)
          if is_lacking(ok, answer) then
            assert.is_true(is_lacking(ok_by_index, answer_by_index), tostring(answer_by_index))
            return
          end
          assert.is_true(ok or case.raises or false, tostring(answer))
          assert.equal(tostring(answer), tostring(answer_by_index))
          if module == astar and not case.same then
            assert.are_not.equal(tostring(without), tostring(answer), text_of(options) .. " changes nothing")
          end
        end)
      end)
    end

    if not case.passes then
      it(("are all read by %s"):format(name), function()
        local asked = {}
        local options = case.base or {}
        answer_of(case, astar, setmetatable({}, { __index = function(_, key)
          asked[key] = true
          return options[key]
        end }))
        local unread = {}
        for _, field in ipairs(case.unread or {}) do unread[field] = true end
        for _, field in ipairs(documented[name]) do
          assert.is_true(asked[field] or unread[field] or false, field .. " is not asked for")
        end
      end)

      for title, module in pairs { ["C module"] = astar, ["twin"] = plain } do
        it(("pass on an error that is raised while %s is read, for the %s"):format(name, title), function()
          local before, answer = answer_of(case, module, case.base)
          if is_lacking(before, answer) then return end
          local problem = {}
          local ok, raised = answer_of(case, module, setmetatable({}, { __index = function() error(problem) end }))
          assert.is_false(ok)
          if not is_lacking(ok, raised) then assert.equal(problem, raised) end
          ok, raised = answer_of(case, module, setmetatable({}, { __index = function() error "trouble" end }))
          assert.is_false(ok)
          assert.matches("trouble", tostring(raised))
          local after, again = answer_of(case, module, case.base)
          assert.equal(before, after)
          assert.equal(tostring(answer), tostring(again))
        end)
      end

      it(("may be functions that close the object that %s is called on"):format(name), function()
        local objects = {}
        local function keep(value)
          objects[#objects + 1] = value
          return value
        end
        local get_metatable = debug.getmetatable
        answer_of(case, astar, setmetatable({}, { __index = function(_, key)
          for _, object in ipairs(objects) do
            local close = type(object) == "userdata" and rawget(get_metatable(object), "__gc")
            if close then close(object) end
          end
          collectgarbage()
          return case.base and case.base[key]
        end }), {}, keep)
      end)
    end
  end

  it("are used only for names that the table of options itself lacks, and are not written to the table", function()
    local finder = open_town(astar)
    local defaults = { max_cost = 3, weight = 1 }
    local question = setmetatable({ max_cost = 100 }, { __index = defaults, __newindex = error })
    assert.equal(finder:find_path(1, 5, 8, 3).cost, finder:find_path(1, 5, 8, 3, question).cost)
    assert.same({ max_cost = 100 }, { max_cost = rawget(question, "max_cost"), weight = rawget(question, "weight") })
    assert.same({ max_cost = 3, weight = 1 }, defaults)
  end)

  it("may be hidden by the metatable's field __metatable", function()
    local hidden = setmetatable({}, { __index = { max_cost = 3 }, __metatable = false })
    for _, module in ipairs { astar, plain } do
      local path, why = town(module):find_path(1, 5, 8, 3, hidden)
      assert.is_nil(path)
      assert.equal("max_cost", why)
    end
  end)

  it("do not hide the error of a misspelt name in the table", function()
    local finder = open_town(astar)
    local ok, problem = pcall(finder.find_path, finder, 1, 5, 8, 3, setmetatable({ max_cots = 3 }, { __index = {} }))
    assert.is_false(ok)
    assert.matches('unknown option "max_cots"', problem)
  end)
end)

describe("lists and cells", function()
  it("are read without metamethods, so that game objects are goals by their own fields", function()
    local finder = open_town(astar)
    local Monster = { x = 1, y = 1, hp = 7 }
    Monster.__index = Monster
    local monster = setmetatable({ x = 8, y = 3, name = "orc" }, Monster)
    assert.equal(finder:find_path(1, 5, 8, 3).cost, finder:find_nearest(1, 5, { monster }).cost)
    assert.equal(0, finder:flow { monster }:distance(8, 3))
  end)
end)
