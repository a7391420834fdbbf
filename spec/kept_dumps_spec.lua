-- Dumps of every kind that were written once, before the version 1.0.0, and that every later version must load.
--
-- spec/dumps/kept holds a pair of files for each dump: NAME.hex is the dump in hexadecimal digits, NAME.facts says in
-- plain text what a script sees of the object that was dumped. The makers below put a value other than the default
-- into every field that the formats have.
--
-- A dump is never written again: ASTAR_WRITE_DUMPS=1 writes a dump only where there is no such file, for a format that
-- is new. When a name or a value that the facts mention changes its spelling, change the .facts files by hand.
--
-- The lines on smoothed paths of walker-curve and savegame were changed so, too: legs of that time lead a body over the
-- corner of a wall, and path:is_valid says so since it looks along legs. Their walkers go on and arrive as ever.
--
-- Grids, graphs and chunks are also compared with the same object made anew, dump against dump. Walkers and crowds are
-- compared by their facts alone, because a later version may move a crowd in another way (docs/promises.md).

local astar = require "astar"
local random = require "spec.support.random"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

-- ---- files ----

local FOLDER = "spec/dumps/kept/"

local function read(name)
  local file = io.open(FOLDER .. name, "rb")
  if not file then return nil end
  local text = file:read "*a"
  file:close()
  return text
end

local function write_once(name, text)
  assert(not read(name), name .. " was written before: it is never written again")
  local file = assert(io.open(FOLDER .. name, "wb"))
  file:write(text)
  file:close()
end

local function to_hex(bytes)
  local digits = bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
  return digits:gsub(("."):rep(64), "%0\n") .. "\n"
end

local function from_hex(text)
  return (text:gsub("%s", ""):gsub("..", function(two) return string.char(tonumber(two, 16)) end))
end

-- A savegame in one string, as a game may write it: each part with its length before it.
local function join(parts)
  local texts = {}
  for i, part in ipairs(parts) do texts[i] = #part .. ":" .. part end
  return table.concat(texts)
end

local function split(text)
  local parts, at = {}, 1
  while at <= #text do
    local length, from = text:match("^(%d+):()", at)
    parts[#parts + 1] = text:sub(from, from + tonumber(length) - 1)
    at = from + tonumber(length)
  end
  return parts
end

-- ---- facts ----

-- A value as text that is the same on every Lua: numbers with six decimals, without a sign before zero.
local function show(value)
  if type(value) == "number" then
    return (("%.6f"):format(value):gsub("%.?0+$", ""):gsub("^%-0$", "0"))
  elseif type(value) == "string" then
    return '"' .. value:gsub("[^ !#-~]", function(c) return ("\\%03d"):format(c:byte()) end) .. '"'
  end
  return tostring(value)
end

local function collect()
  local lines = {}
  return function(name, ...)
    local words = { name }
    for i = 1, select("#", ...) do words[i + 1] = show((select(i, ...))) end
    lines[#lines + 1] = table.concat(words, " ")
  end, function() return table.concat(lines, "\n") .. "\n" end
end

local function each_cell(grid, body)
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do body(x, y) end
  end
end

local function grid_facts(grid)
  local say, text = collect()
  say("size", grid:size())
  say("bounds", grid:bounds())
  say("shape", grid:shape())
  local keys, is_known, is_used = {}, {}, {}
  each_cell(grid, function(x, y)
    local key = grid:get(x, y)
    if not is_known[key] then keys[#keys + 1], is_known[key] = key, true end
    for _, layer in ipairs(grid:block_layers(x, y)) do is_used[layer] = true end
  end)
  for _, key in ipairs(keys) do say("terrain", key, grid:terrain(key)) end
  for _, layer in ipairs(grid:block_layers()) do
    if is_used[layer] then say("layer", layer) end -- a dump leaves out a layer without blocks
  end
  each_cell(grid, function(x, y)
    say("cell", x, y, grid:get(x, y), unpack(grid:block_layers(x, y)))
  end)
  for _, link in ipairs(grid:links()) do
    say("link", link.x0, link.y0, link.x1, link.y1, link.cost, link.label, link.one_way)
  end
  for _, wall in ipairs(grid:walls()) do say("wall", wall.x, wall.y, wall.direction, wall.one_way) end
  if grid:shape() == "square" then
    for _, each in ipairs(grid:restrictions()) do say("restriction", each.x, each.y, unpack(each.directions)) end
  end
  return text()
end

local function field_facts(field)
  local say, text = collect()
  say("bounds", field:bounds())
  each_cell(field, function(x, y) say("value", x, y, field:get(x, y)) end)
  return text()
end

local function graph_facts(graph)
  local say, text = collect()
  for key, x, y in graph:nodes() do
    say("node", key, x, y, graph:is_blocked(key))
    for other, cost, label, blocked in graph:edges(key) do say("  edge", other, cost, label, blocked) end
  end
  return text()
end

local function path_facts(say, path)
  say("path", #path, path.cost, path.length, path.partial, path:is_valid())
  for i, x, y in path:cells() do say("  cell", i, x, y) end
  for i = 1, #path - 1 do
    local label = path:link(i)
    if label then say("  link", i, label) end
  end
end

local function walker_facts(walker)
  local say, text = collect()
  for _, name in ipairs {
    "x", "y", "arrived", "waiting", "angle", "acceleration", "turn", "blocked", "heading", "speed", "index", "link",
  } do
    say(name, walker[name])
  end
  say("cell", walker:cell())
  path_facts(say, walker.path)
  return text()
end

local function crowd_facts(crowd)
  local say, text = collect()
  local number = {}
  for i, unit in ipairs(crowd:units()) do number[unit] = i end
  say("crowd", crowd.beats, crowd.under_way, crowd.speed, #crowd)
  for i, unit in ipairs(crowd:units()) do
    say("unit", i)
    say("  cell", unit:cell())
    say("  drawn at", unit.x, unit.y, unit.angle)
    say("  kind", unit.heading, unit.size, unit.period, unit.speed, unit.priority, unit.side)
    say("  goal", unit:goal())
    say("  chases", number[unit.chased])
    say("  holds or is lost", unit.state == "held", unit.state == "lost")
  end
  return text()
end

local function baked_facts(baked, grid, finder)
  local say, text = collect()
  say("baked", baked.method, baked:is_current(), baked.pivots, baked.gain)
  local options = finder:options()
  options.algorithm = "astar"
  local plain = grid:finder(options)
  local width, height = grid:size()
  local r = random.new(5)
  local function anywhere()
    local x, y
    repeat x, y = r:int(1, width), r:int(1, height) until grid:is_walkable(x, y)
    return x, y
  end
  for _ = 1, 100 do
    local sx, sy = anywhere()
    local gx, gy = anywhere()
    local path, expected = finder:find_path(sx, sy, gx, gy), plain:find_path(sx, sy, gx, gy)
    assert.equal(expected and show(expected.cost), path and show(path.cost))
    say("route", sx, sy, gx, gy, path and path.cost)
  end
  return text()
end

local SIDES = { "north", "east", "south", "west" }

local function chunk_facts(world, cx, cy)
  local say, text = collect()
  for y = 64 * cy + 1, 64 * cy + 64 do
    local words = {}
    for x = 64 * cx + 1, 64 * cx + 64 do
      local sides = ""
      for _, side in ipairs(SIDES) do
        if world:has_wall(x, y, side) then sides = sides .. side:sub(1, 1) end
      end
      words[#words + 1] = show(world:get(x, y)) .. (world:is_blocked(x, y) and "X" or "") .. sides
    end
    say("row " .. y .. ": " .. table.concat(words, " "))
  end
  for _, each in ipairs(world:restrictions(64 * cx + 1, 64 * cy + 1, 64, 64)) do
    say("restriction", each.x, each.y, unpack(each.directions))
  end
  return text()
end

-- ---- grids ----

-- A key of each type, costs from the least to the largest, one terrain that cannot be entered.
local TERRAIN = {
  ["."] = 1, [","] = 2.5, ["#"] = false, ["~"] = 1e6, ["meadow"] = 0.001, ["\195\164"] = 3.75, [7] = 4, [-3] = 1.125,
  [true] = 2, [false] = false,
}
local KEYS = { ".", ".", ",", "#", "~", "meadow", "\195\164", 7, -3, true, false }

local function patched(width, height, options, seed)
  local r = random.new(seed)
  options.terrain, options.fill = TERRAIN, "."
  local grid = astar.grid(width, height, options)
  local x0, y0, x1, y1 = grid:bounds()
  for _ = 1, 25 do
    local x, y = r:int(x0, x1), r:int(y0, y1)
    grid:fill(x, y, r:int(1, math.min(4, x1 - x + 1)), r:int(1, math.min(3, y1 - y + 1)), r:pick(KEYS))
  end
  for _ = 1, 6 do grid:block(r:int(x0, x1), r:int(y0, y1)) end
  return grid, x0, y0, x1, y1
end

local function furnish(grid, x0, y0, x1, y1, sides)
  grid:link(x0, y0, x1, y1)
  grid:link(x0 + 1, y0, x1, y0 + 2, { cost = 0, one_way = true, label = "stairs\n\0down" })
  grid:link(x1, y0 + 2, x0 + 1, y0, { cost = 12.25, one_way = true, label = -7 })
  grid:link(x0, y1, x1 - 1, y0 + 1, { cost = 1e6, label = "the long way" })
  grid:link(x0 + 2, y1, x1 - 1, y0 + 1, { cost = 0.125, label = 0.5 })
  for i, side in ipairs(sides) do grid:wall(x0 + 2 * i - 1, y0 + 1, side, i % 2 == 0) end
end

local function add_layers(grid, x0, y0, x1, y1)
  grid:block(x0, y0 + 1, 3, 2, "red")
  grid:block(x1, y1, "red")
  grid:block(x0 + 1, y0 + 1, 4, 1, "a layer with \0 and \195\164")
  grid:block(x1 - 2, y0, 2, 4, ("n"):rep(255))
  grid:block(x0, y0, "emptied again")
  grid:unblock(x0, y0, "emptied again")
end

local HEX_SIDES = { "north_east", "south_east", "south_west", "north_west" }

local GRIDS = {
  -- Formats 1 to 4 of src/map/serialise.c, the first without and the second with links and walls.
  ["grid-plain"] = function() return (patched(17, 11, { origin = { -1000, 2000 } }, 1)) end,
  ["grid-links-walls"] = function()
    local grid, x0, y0, x1, y1 = patched(16, 12, { origin = { 0, -5 } }, 2)
    furnish(grid, x0, y0, x1, y1, { "north", "east", "south", "west" })
    return grid
  end,
  ["grid-layers"] = function()
    local grid, x0, y0, x1, y1 = patched(16, 12, {}, 3)
    furnish(grid, x0, y0, x1, y1, { "west", "south", "east", "north" })
    add_layers(grid, x0, y0, x1, y1)
    return grid
  end,
  ["grid-layers-alone"] = function()
    local grid = astar.grid(9, 4)
    grid:block(2, 2, 5, 2, "door")
    return grid
  end,
}
-- Formats 5 and 6.
GRIDS["grid-declared-layers"] = function()
  local grid = astar.grid(9, 4, { layers = { "doors", "units" } })
  grid:block(2, 2, 5, 2, "doors")
  return grid
end
GRIDS["grid-restrictions"] = function()
  local grid, x0, y0, x1, y1 = patched(16, 12, { origin = { 7, -3 }, layers = { "red", "belts" } }, 6)
  furnish(grid, x0, y0, x1, y1, { "north", "east", "south", "west" })
  grid:block(x0, y0 + 1, 3, 2, "red")
  grid:restrict(x0 + 3, y0 + 5, 6, 1, "east")
  grid:restrict(x0 + 9, y0 + 5, { "south", "south_east", "north_west" })
  grid:restrict(x1, y1, {})
  return grid
end

for _, wrap in ipairs { "x", "y", "both" } do
  GRIDS["grid-wrap-" .. wrap] = function()
    local grid, x0, y0, x1, y1 = patched(14, 10, { wrap = wrap, origin = { 3, -2 } }, 4)
    grid:link(x0, y0 + 1, x1, y1, { cost = 3, label = "gate" }) -- walls are refused
    add_layers(grid, x0, y0, x1, y1)
    return grid
  end
end
for _, offset in ipairs { "odd_r", "even_r", "odd_q", "even_q" } do
  GRIDS["hexagons-" .. offset] = function()
    local grid, x0, y0, x1, y1 = patched(13, 12, { shape = "hex", offset = offset, origin = { -4, 9 } }, 5)
    furnish(grid, x0, y0, x1, y1, HEX_SIDES)
    if offset == "even_q" or offset == "odd_r" then add_layers(grid, x0, y0, x1, y1) end
    return grid
  end
end

local function new_graph()
  local graph = astar.graph()
  graph:node("gate", 0, 0)
  graph:node(7, 3, 4)
  graph:node(-0.5, -1e15, 1e15)
  graph:node(true, 6.25, 0)
  graph:node(false)
  graph:node("with \0 and \n", 2, 2)
  graph:node("", 5, 5)
  graph:node("removed", 1, 1)
  graph:node("alone")
  graph:edge("gate", 7)
  graph:edge(7, true, { cost = 9, label = "road", one_way = true })
  graph:edge(true, 7, { cost = 0, label = "slide", one_way = true })
  graph:edge("gate", "with \0 and \n", { cost = 1e15, label = -2.5 })
  graph:edge("", "gate", { label = "stairs\0up" })
  graph:edge(false, "gate", { cost = 2.25 })
  graph:edge(false, true)
  graph:edge("removed", "gate")
  graph:edge("removed", 7)
  graph:remove "removed"
  graph:edge(-0.5, "", { one_way = true })
  graph:block("gate", 7)
  graph:block ""
  graph:block(true)
  graph:unblock(true)
  return graph
end

-- ---- walkers ----

-- Each makes a grid, a finder and a walker, and is done to a loaded grid with a walker of its own alike.
local WALKERS = {}

-- In a curve, in mid-step, with all that it can be told, on a path of straight lines.
function WALKERS.curve(load)
  local grid = astar.grid("........\n.##..#..\n.....#..\n..##....\n........\n", { origin = { -2, 5 } })
  local finder = grid:finder { any_angle = true, diagonals = "if_at_most_one_obstacle" }
  if load then return load(finder), finder, grid end
  local walker = astar.walker(finder:find_path(-2, 5, 5, 9), { speed = 2, acceleration = 3, turn = 4, corner = 0.3 })
  walker:update(1.2)
  walker.speed = 2.5
  assert(walker.angle ~= 0 and walker.x % 1 ~= 0 and walker.y % 1 ~= 0)
  return walker, finder, grid
end

-- Waiting before a door that was shut, without a way around; on a path of single steps, by a question of its own.
function WALKERS.shut(load)
  local grid = astar.grid("......\n.####.\n......\n", { terrain = { ["."] = 1.5, ["#"] = false } })
  local finder = grid:finder {
    diagonals = "never", weight = 1.5, bends = "fewest", bend_cost = { [90] = 2, [180] = 5 },
  }
  local function shut()
    grid:block(5, 1)
    grid:block(1, 3)
  end
  if load then
    shut()
    return load(finder), finder, grid
  end
  local path = finder:find_path(1, 1, 6, 3, { heading = "east", weight = 1.25, max_cost = 50, max_expansions = 500 })
  local walker = astar.walker(path, { speed = 3, straight = false })
  walker:update(0.5)
  shut()
  walker:update(5)
  walker:repair()
  walker:update(0.1)
  assert(walker.blocked and walker.waiting)
  return walker, finder, grid
end

-- At the entrance of a link whose label says so, to a place near the goal.
function WALKERS.stairs(load)
  local grid = astar.grid(".....#.....\n.....#.....\n.....#..##.\n")
  grid:link(4, 2, 8, 2, { cost = 2, label = "stairs" })
  local finder = grid:finder { partial = true, size = 1, range = 1 }
  if load then return load(finder), finder, grid end
  local walker = astar.walker(finder:find_path(1, 1, 11, 3), { speed = 1.5 })
  local steps = 0
  repeat
    walker:update(0.1)
    steps = steps + 1
  until walker.link or steps > 200
  assert(walker.link == "stairs")
  return walker, finder, grid
end

-- On hexagons, on a step of the path that it followed before.
function WALKERS.turned(load)
  local grid = astar.grid("......\n......\n......\n......\n", { shape = "hex", offset = "odd_q", origin = { 2, -3 } })
  grid:block(4, -2, 1, 2)
  local finder = grid:finder()
  if load then return load(finder), finder, grid end
  local walker = astar.walker(finder:find_path(2, -3, 7, 0), { speed = 1, turn = 1 })
  walker:update(1.7)
  walker:follow(finder:find_path(2, 0, 7, -3))
  walker:update(0.2)
  return walker, finder, grid
end

-- A part of the way, since all of it is not to be had; it has arrived there.
function WALKERS.arrived(load)
  local grid = astar.grid("....#..\n....#..\n....#..\n", { wrap = "y" })
  local finder = grid:finder { partial = true }
  if load then return load(finder), finder, grid end
  local walker = astar.walker(finder:find_path(1, 1, 7, 2), { speed = 5 })
  walker:update(20)
  return walker, finder, grid
end

-- ---- crowds ----

local CROWDS = {}

-- Units of two sizes, two sides, several speeds and priorities: one passes a link, one holds, one was removed.
function CROWDS.company(load)
  local grid = astar.grid(("."):rep(20) .. ("\n" .. ("."):rep(20)):rep(13), { origin = { -3, 4 } })
  for y = 6, 12 do grid:block(5, y) end
  grid:terrain("~", 3)
  grid:fill(-3, 10, 4, 2, "~")
  grid:link(0, 5, 10, 15, { cost = 1 })
  local finders = {
    grid:finder { diagonals = "if_at_most_one_obstacle" }, grid:finder { size = 2 },
    grid:finder { diagonals = "never", costs = { ["~"] = 1 } },
  }
  if load then return load(unpack(finders)), finders, grid end
  local crowd = astar.crowd(finders[1], {
    speed = 3, bytes = 1e6, expansions = 5000, seed = 11, knots = false, even = true,
  })
  local red = crowd:add(-1, 7, { side = "red", speed = 1.3, turn = 2 })
  local wide = crowd:add(8, 8, { finder = finders[2], side = "blue", period = 3 })
  local swimmer = crowd:add(-3, 12, { finder = finders[3] })
  local holder = crowd:add(14, 14, { side = "red" })
  local gone = crowd:add(15, 4)
  local also_gone = crowd:add(15, 5)
  local passing = crowd:add(0, 5)
  local idle = crowd:add(12, 6)
  red:go(13, 9, { range = 2 })
  wide:go(-2, 14)
  swimmer:go(4, 17, { partial = true })
  passing:go(10, 16)
  holder:go(-3, 4)
  holder:hold(true)
  idle:set_priority(-100)
  wide:set_priority(100)
  crowd:update(0.6)
  gone:remove()
  also_gone:remove()
  crowd:go({ red, passing, idle }, 9, 12, { shape = "wedge", facing = "south", gap = 1, together = true })
  crowd:update(0.5)
  return crowd, finders, grid
end

-- One chases another, one has lost whom it chased; only what is empty may be entered.
function CROWDS.hunt(load)
  local grid = astar.grid(12, 12)
  grid:block(6, 2, 1, 8)
  local finders = { grid:finder() }
  if load then return load(finders[1]), finders, grid end
  local crowd = astar.crowd(finders[1], { exclusive = true, seed = 3, bytes = 64000, speed = 6 })
  local prey, hunter = crowd:add(1, 1), crowd:add(12, 12, { turn = 3 })
  local loser, victim, blocked = crowd:add(1, 12), crowd:add(12, 1), crowd:add(3, 3)
  prey:go(11, 2)
  hunter:chase(prey, { range = 2 })
  loser:chase(victim)
  blocked:go(6, 5, { partial = true })
  crowd:update(0.4)
  victim:remove()
  crowd:update(0.2)
  return crowd, finders, grid
end

-- ---- fields, goals, towers, paths and schedules ----

-- Values of either sign, of all magnitudes that a field may hold, over areas and in single cells.
local function new_field(options)
  local field = astar.field(14, 9, options)
  local x0, y0 = field:bounds()
  field:fill(1.5)
  field:fill(x0 + 1, y0 + 1, 5, 3, -2)
  field:stamp(x0 + 8, y0 + 4, 3, 7)
  for i, value in ipairs { 1e6, -1e6, 1e-30, 1 / 3, 0 } do field:set(x0 + i, y0 + 6, value) end
  return field
end

local FIELDS = {
  ["field-square"] = function() return new_field { origin = { -20, 30 } } end,
  ["field-hexagons"] = function() return new_field { shape = "hex", offset = "even_q" } end,
  ["field-wrap"] = function() return new_field { wrap = "both" } end,
  ["field-empty"] = function() return astar.field(30, 20) end,
}

local function new_goals(grid)
  local goals = astar.goals(grid, { { 2, 2 }, { 9, 1 }, { 5, 6 }, { 7, 3 }, { 1, 6 } })
  goals:remove(9, 1)
  goals:remove(7, 3)
  goals:add(4, 4)
  return goals
end

local function goals_facts(goals)
  local say, text = collect()
  say("goals", goals:count())
  for i = 1, goals:count() do say("goal", i, goals:cell(i)) end
  return text()
end

local function new_tower()
  local cellar = astar.grid("..#\n...\n", { terrain = { ["."] = 2, ["#"] = false } })
  cellar:link(1, 1, 3, 2, { label = "inner", cost = 2, one_way = true })
  cellar:wall(1, 2, "east", true)
  cellar:restrict(2, 1, { "west" })
  cellar:block(1, 2, 1, 1, "doors")
  local levels = { cellar, "....\n....\n....", "..\n.." }
  local tower = astar.floors(levels, { gap = 2, terrain = { ["."] = 2, ["#"] = false } })
  tower:link(1, 1, 1, 4, 3, 2, { label = "stairs", cost = 3 })
  tower:link(2, 2, 2, 2, 2, 3, { label = 7, one_way = true })
  return tower
end

local function tower_facts(tower)
  local say, text = collect()
  for z = 1, 3 do say("floor", z, tower:size(z), tower:at(1, 1, z)) end
  return text() .. grid_facts(tower.grid)
end

local PATHS = {
  ["path-plain"] = function(load)
    local grid = astar.grid("......\n.####.\n......\n")
    local finder = grid:finder()
    return load and load(finder) or finder:find_path(1, 1, 6, 3), finder
  end,
  ["path-any-angle"] = function(load)
    local grid = astar.grid("........\n.##..#..\n.....#..\n..##....\n........\n", { origin = { -2, 5 } })
    local finder = grid:finder { any_angle = true, diagonals = "if_at_most_one_obstacle" }
    return load and load(finder) or finder:find_path(-2, 5, 5, 9), finder
  end,
  ["path-link"] = function(load)
    local grid = astar.grid(".....#.....\n.....#.....\n.....#..##.\n")
    grid:link(4, 2, 8, 2, { cost = 2, label = "stairs" })
    local finder = grid:finder { partial = true }
    return load and load(finder) or finder:find_path(1, 1, 9, 3, { max_cost = 50 }), finder
  end,
}

-- Reservations of routes and cells: once, repeated and without an end; one was released, and the past was dropped.
local function new_schedule(load)
  local grid = astar.grid(12, 8)
  grid:block(4, 2, 1, 5)
  local finder = grid:finder { diagonals = "never" }
  if load then return load(grid), finder end
  local schedule = astar.schedule(grid)
  local train = schedule:find_path(finder, 1, 1, 9, 6, { speed = 2, length = 3, stay = 4 })
  schedule:reserve(train)
  local released = schedule:reserve_cell(7, 7, { from = 1, to = 5 })
  schedule:reserve_cell(2, 8, { from = 3, to = 5, every = 20, times = 3 })
  schedule:reserve_cell(3, 3, { from = 2, open = true })
  schedule:reserve(schedule:find_path(finder, 12, 8, 1, 8, { at = 1 / 3, stay = true }))
  schedule:release(released)
  schedule:forget(2)
  return schedule, finder, train
end

local function timed_facts(timed)
  local say, text = collect()
  say("timed path", timed.at, timed.arrival)
  for time = 0, 20 do say("place", time / 2, timed:place(time / 2)) end
  return text()
end

local function schedule_facts(schedule, finder)
  local say, text = collect()
  for y = 1, 8 do
    for x = 1, 12 do
      for time = 2, 47, 5 do
        local id = schedule:taken_by(x, y, time)
        if id then say("reserved", x, y, time, id) end
      end
    end
  end
  local route = schedule:find_path(finder, 5, 1, 1, 5, { at = 4 })
  return text() .. timed_facts(route)
end

-- ---- baked data ----

local function halls(seed)
  return random.new(seed):rooms(33, 27, 6)
end

local function columns(seed)
  return random.new(seed):scatter(33, 27, 0.06)
end

local BAKED = {}

for _, method in ipairs { "labels", "hierarchy" } do
  for rule, diagonals in ipairs { "always", "never", "only_when_no_obstacles", "if_at_most_one_obstacle" } do
    BAKED[method .. "-" .. diagonals] = function(load)
      local is_wide = rule == 4 and method == "labels"
      local grid = astar.grid(is_wide and columns(rule) or halls(rule))
      local finder = grid:finder {
        diagonals = diagonals, diagonal_cost = rule == 3 and 1.5 or nil, size = is_wide and 2 or nil,
      }
      return load and load(finder) or finder:bake { method = method, bytes = 1e7 }, grid, finder
    end
  end
end

-- Ground of one cost, so that lengths are counted.
function BAKED.landmarks(load)
  local grid = astar.grid(random.new(3):caves(40, 30))
  local finder = grid:finder()
  return load and load(finder) or finder:bake { method = "landmarks", pivots = 6 }, grid, finder
end

-- Ground of several costs, links and walls, so that there are distances to and from each landmark, by a scale; an edit
-- has left tables that are not saved.
BAKED["landmarks-terrain"] = function(load)
  local r = random.new(5)
  local rows = r:sow(r:caves(36, 30), { ",", "~" })
  local grid = astar.grid(rows, { terrain = { ["."] = 1, [","] = 2.5, ["~"] = 7, ["#"] = false } })
  grid:link(2, 2, 30, 28, { cost = 3, one_way = true })
  grid:wall(10, 10, "north", true)
  local finder = grid:finder { diagonals = "if_at_most_one_obstacle" }
  local baked
  if not load then baked = finder:bake { method = "landmarks", pivots = 5 } end
  for x = 11, 12 do grid:set(x, 12, ".") end
  return load and load(finder) or baked, grid, finder
end

-- ---- chunks of worlds ----

local WORLD_TERRAIN = { ["."] = 1, ["#"] = false, water = 3, ["\226\137\136"] = 2.5, [7] = 4, [-2] = 1.5, [true] = 2 }

local function new_world(load)
  return astar.world { terrain = WORLD_TERRAIN, load = load or function(cx, cy)
    if cx ~= 0 or cy < 0 or cy > 2 then return false end
    local r, keys = random.new(20 + cy), {}
    for i = 1, 4096 do keys[i] = r:chance(0.9) and "." or "#" end
    return keys
  end }
end

local function furnish_chunk(world, x0, y0)
  world:block(x0 + 5, y0 + 6, 7, 3)
  world:block(x0, y0)
  world:block(x0 + 63, y0 + 63)
  for i, side in ipairs(SIDES) do world:wall(x0 + 20 + 3 * i, y0 + 20, side, i % 2 == 0) end
  world:wall(x0, y0 + 30, "east")
  world:link(x0 + 10, y0 + 10, x0 + 60, y0 + 60, { cost = 2.5, label = "stairs \0 down" })
  world:link(x0 + 11, y0 + 10, x0 + 3, y0 + 40, { cost = 0, one_way = true, label = -3 })
  world:link(x0 + 12, y0 + 10, x0 + 12, y0 + 50, { cost = 1e6, label = 0.1 })
  world:link(x0 + 13, y0 + 10, x0 + 13, y0 + 64, { one_way = true })
end

local CHUNKS = {
  -- Ground of characters.
  ["chunk-text"] = function()
    local world = new_world()
    furnish_chunk(world, 1, 1)
    return world, 0, 0
  end,
  -- Ground of keys of all types, with a key that takes more than a byte.
  ["chunk-list"] = function()
    local world = new_world()
    for i, key in ipairs { "water", "\226\137\136", 7, -2, true } do world:fill(5 * i, 70, 4, 30, key) end
    furnish_chunk(world, 1, 65)
    return world, 0, 1
  end,
  -- Ground of characters, with restrictions.
  ["chunk-restrictions"] = function()
    local world = new_world()
    furnish_chunk(world, 1, 129)
    world:restrict(20, 150, 6, 2, "east")
    world:restrict(64, 192, { "north", "south_west" })
    world:restrict(1, 129, {})
    return world, 0, 2
  end,
  -- A chunk that cannot be entered, all of it.
  ["chunk-solid"] = function() return new_world(), 5, 5 end,
}

-- ---- a game ----

-- A map with people on it, a graph of its gates, and a chunk of the world around, saved in one string.
local function save_game()
  local walker, _, grid = WALKERS.curve()
  local crowd, _, field = CROWDS.hunt()
  local baked, halls_grid = BAKED["labels-always"]()
  local world, cx, cy = CHUNKS["chunk-list"]()
  return join { grid:dump(), walker:dump(), field:dump(), crowd:dump(), new_graph():dump(), halls_grid:dump(),
    baked:save(), world:save(cx, cy) }
end

local function game_facts(text)
  local parts = split(text)
  assert.equal(8, #parts)
  local grid, field, halls_grid = astar.load(parts[1]), astar.load(parts[3]), astar.load(parts[6])
  local walker = astar.load_walker(parts[2], grid:finder { any_angle = true, diagonals = "if_at_most_one_obstacle" })
  local finder = halls_grid:finder { diagonals = "always" }
  local baked = finder:load_baked(parts[7])
  local world = new_world(function(cx, cy) return cx == 3 and cy == -4 and parts[8] or false end)
  return table.concat {
    grid_facts(grid), walker_facts(walker), grid_facts(field), crowd_facts(astar.load_crowd(parts[4], field:finder())),
    graph_facts(astar.graph.load(parts[5])), grid_facts(halls_grid), baked_facts(baked, halls_grid, finder),
    chunk_facts(world, 3, -4), -- another place than the one where it was saved
  }
end

-- ---- the dumps ----

-- Lua 5.3 and later mark floats that are whole numbers in the dumps of walkers and crowds, so both kinds are kept.
local KIND_OF_LUA = math.type and "" or "-51"

-- { name =, made = function() --> dump, facts, loaded = function(dump) --> facts, dump written again }
local KEPT = {}

local function keep(name, made, loaded)
  KEPT[#KEPT + 1] = { name = name, made = made, loaded = loaded }
end

for name, make in pairs(GRIDS) do
  keep(name, function() return make():dump(), grid_facts(make()) end,
    function(dump) return grid_facts(astar.load(dump)), astar.load(dump):dump() end)
end

keep("graph", function() return new_graph():dump(), graph_facts(new_graph()) end,
  function(dump) return graph_facts(astar.graph.load(dump)), astar.graph.load(dump):dump() end)

for name, make in pairs(WALKERS) do
  for _, kind in ipairs { "", "-51" } do
    keep("walker-" .. name .. kind, kind == KIND_OF_LUA and function()
      local walker = make()
      return walker:dump(), walker_facts(walker)
    end, function(dump)
      local walker, _, grid = make(function(finder) return astar.load_walker(dump, finder) end)
      local facts = walker_facts(walker)
      if walker.blocked then
        grid:unblock(5, 1)
        walker:repair()
      end
      walker:update(1000)
      assert.is_true(walker.arrived)
      local last_x, last_y = walker.path:cell(#walker.path)
      assert.same({ grid:center(last_x, last_y) }, { walker.x, walker.y })
      return facts
    end)
  end
end

for name, make in pairs(CROWDS) do
  for _, kind in ipairs { "", "-51" } do
    keep("crowd-" .. name .. kind, kind == KIND_OF_LUA and function()
      local crowd = make()
      local dump = crowd:dump()
      return dump, crowd_facts(crowd)
    end, function(dump)
      local crowd = make(function(...) return astar.load_crowd(dump, ...) end)
      local facts = crowd_facts(crowd)
      for _ = 1, 300 do crowd:beat() end
      assert.equal(0, crowd.under_way - (name == "company" and 1 or 0)) -- one holds on its way
      return facts
    end)
  end
end

for name, make in pairs(BAKED) do
  keep("baked-" .. name, function()
    local baked, grid, finder = make()
    return baked:save(), baked_facts(baked, grid, finder)
  end, function(dump)
    return baked_facts(make(function(finder) return finder:load_baked(dump) end))
  end)
end

for name, make in pairs(CHUNKS) do
  keep(name, function()
    local world, cx, cy = make()
    return world:save(cx, cy), chunk_facts(world, cx, cy)
  end, function(dump)
    local _, cx, cy = make()
    local world = new_world(function(x, y) return x == cx and y == cy and dump or false end)
    local facts = chunk_facts(world, cx, cy)
    local put = new_world(function() return nil end)
    put:put_chunk(cx, cy, dump)
    assert.equal(facts, chunk_facts(put, cx, cy))
    assert.equal(world:save(cx, cy), put:save(cx, cy))
    return facts, world:save(cx, cy)
  end)
end

for name, make in pairs(FIELDS) do
  keep(name, function() return make():dump(), field_facts(make()) end,
    function(dump) return field_facts(astar.load_field(dump)), astar.load_field(dump):dump() end)
end

keep("goals", function()
  local goals = new_goals(astar.grid(10, 7))
  return goals:dump(), goals_facts(goals)
end, function(dump) return goals_facts(astar.load_goals(dump, astar.grid(10, 7))) end)

keep("tower", function() return new_tower():dump(), tower_facts(new_tower()) end,
  function(dump) return tower_facts(astar.load_floors(dump)) end)

for name, make in pairs(PATHS) do
  local function facts(path)
    local say, text = collect()
    path_facts(say, path)
    return text()
  end
  keep(name, function() return make():dump(), facts((make())) end,
    function(dump) return facts((make(function(finder) return astar.load_path(dump, finder) end))) end)
end

-- Objects whose dumps are lists of numbers, made on a Lua that marks floats and on one that does not. A dump of one
-- kind is loaded on every Lua.
local function keep_of_both_kinds(name, made, loaded)
  for _, kind in ipairs { "", "-51" } do
    keep(name .. kind, kind == KIND_OF_LUA and made or nil, loaded)
  end
end

keep_of_both_kinds("schedule", function()
  local schedule, finder = new_schedule()
  return schedule:dump(), schedule_facts(schedule, finder)
end, function(dump)
  return schedule_facts(new_schedule(function(grid) return astar.load_schedule(dump, grid) end))
end)

keep_of_both_kinds("timed-path", function()
  local _, _, train = new_schedule()
  return train:dump(), timed_facts(train)
end, function(dump)
  local schedule, finder = new_schedule()
  return timed_facts(schedule:load_path(dump, finder))
end)

keep("savegame", function()
  local text = save_game()
  return text, game_facts(text)
end, game_facts)

table.sort(KEPT, function(a, b) return a.name < b.name end)

describe("a dump of an earlier version", function()
  for _, kept in ipairs(KEPT) do
    if kept.made and os.getenv "ASTAR_WRITE_DUMPS" and not read(kept.name .. ".hex") then
      local dump, facts = kept.made()
      write_once(kept.name .. ".hex", to_hex(dump))
      write_once(kept.name .. ".facts", facts)
    end

    it("loads as an object equal to the dumped object: " .. kept.name, function()
      local facts, again = kept.loaded(from_hex(assert(read(kept.name .. ".hex"))))
      assert.equal(read(kept.name .. ".facts"), facts)
      if again and kept.made then assert.equal((kept.made()), again) end -- equals the object made anew
    end)
  end

  it("is stored in the folder of the specs for every format", function()
    local heads = {}
    for _, kept in ipairs(KEPT) do
      local head = from_hex(assert(read(kept.name .. ".hex")):sub(1, 64)):match "^astar[ -]%l[%l ]* ?%d"
      if head then heads[head] = true end
    end
    for _, head in ipairs { "astar grid 1", "astar grid 2", "astar grid 3", "astar grid 4", "astar grid 5",
      "astar grid 6", "astar graph 1", "astar walker 1", "astar crowd 1", "astar baked 3", "astar chunk 1",
      "astar chunk 2", "astar field 1", "astar goal set 1", "astar tower 1", "astar-path1", "astar schedule 1",
      "astar timed path 1" } do
      assert.is_true(heads[head], head)
    end
  end)
end)
