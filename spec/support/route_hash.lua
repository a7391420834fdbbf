-- route_hash.lua -- one number for thousands of routes, to compare machines, compilers and Luas.
--
-- As a module: route_hash.compute() -> hash, count of paths. As a script, for a module built into
-- a folder of its own:
--
--     lua5.1 spec/support/route_hash.lua build/5.1
--
-- Random maps are asked through every option and every kind of question, before and after edits.
-- Cells go into the hash one by one, costs by all their bits, so a last one that differs shows;
-- so do the bytes of dumps, which another machine must be able to load.

local MODULUS = 2147483647
local MAPS = 170

local route_hash = {}

local TERRAIN = { ["."] = 1, ["#"] = false, r = 0.7, g = 2, s = 5.3 }
local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local SIDES = { "north", "east", "south", "west" }
local HEXAGONS = {
  odd_r = { "north_east", "east", "south_east", "south_west", "west", "north_west" },
  even_q = { "north", "north_east", "south_east", "south", "south_west", "north_west" },
}
HEXAGONS.even_r, HEXAGONS.odd_q = HEXAGONS.odd_r, HEXAGONS.even_q
local OFFSETS = { "odd_r", "even_r", "odd_q", "even_q" }

-- Whole numbers and a multiplication: callbacks must not differ themselves.
local function hills(x, y, _, cost)
  local height = (x * 7 + y * 13) % 11
  return height < 10 and cost * (1 + height * 0.1)
end

local function slopes(x, y, nx, ny, cost)
  local rise = (nx * 5 + ny * 3) % 7 - (x * 5 + y * 3) % 7
  return cost * (rise > 0 and 1 + rise * 0.3 or 1)
end

local VARIANTS = {
  { algorithm = "auto" },
  { algorithm = "astar" },
  { algorithm = "dijkstra" },
  { weight = 1.5 },
  { weight = 3, diagonal_cost = 1.25 },
  { heuristic = "euclidean" },
  { heuristic = "manhattan", algorithm = "astar" },
  { heuristic = function(dx, dy) return 0.6 * (dx > dy and dx or dy) end },
  { diagonal_cost = 1.4 },
  { partial = true },
  { partial = true, max_expansions = 30, algorithm = "astar" },
  { range = 2 },
  { max_cost = 12.5 },
  { costs = { ["#"] = 7.7, r = false, g = 1.1 } },
  { costs = { r = 1, g = 1, s = 1 } },
  { cost = hills, min_cost = 0.5 },
  { cost = hills, min_cost = 0.5, size = 2 },
  { step_cost = slopes },
  { size = 2 },
  { size = 3, algorithm = "astar" },
  { any_angle = true },
  { any_angle = true, cost = hills, min_cost = 0.5 },
  { any_angle = true, avoids = true, partial = true },
  { avoids = true },
}

-- What hexagons can honour.
local HEX_VARIANTS = {
  { algorithm = "auto" },
  { algorithm = "dijkstra" },
  { weight = 1.5 },
  { heuristic = "euclidean" },
  { heuristic = function(dx, dy) return 0.6 * (dx + dy) end },
  { range = 2 },
  { partial = true, max_cost = 9 },
  { costs = { g = false, s = 1.1 } },
  { cost = hills, min_cost = 0.7 },
  { step_cost = slopes },
  { avoids = true },
}

local function add_number(hash, number)
  return (hash * 4099 + number) % MODULUS
end

local function add_text(hash, text)
  for i = 1, #text do hash = add_number(hash, text:byte(i)) end
  return hash
end

-- A number by all its bits; Luas do not agree how to round its decimal digits.
local function exact(number)
  if number ~= number or number - number ~= 0 then return "not finite" end
  local whole = math.floor(number)
  local high = math.floor((number - whole) * 2 ^ 30)
  local low = math.floor(((number - whole) * 2 ^ 30 - high) * 2 ^ 30)
  return ("%d %d %d"):format(whole, high, low)
end

-- ---- what is asked about ----

-- Some grids have links and walls, some blocks besides their ground.
local function build_over(r, grid, sides)
  local width, height = grid:size()
  local function anywhere() return r:int(1, width), r:int(1, height) end
  if r:chance(0.3) then
    for _ = 1, r:pick { 1, 3, 10 } do
      local x0, y0, x1, y1 = r:int(1, width), r:int(1, height), anywhere()
      if x0 ~= x1 or y0 ~= y1 then
        grid:link(x0, y0, x1, y1, { cost = r:pick { 0, 0.9, 4 }, label = x0, one_way = r:chance(0.4) })
      end
    end
  end
  if r:chance(0.3) then
    for _ = 1, r:pick { 2, 10, 40 } do
      local x, y = anywhere()
      grid:wall(x, y, r:pick(sides), r:chance(0.3))
    end
  end
  if r:chance(0.5) then grid:block(anywhere()) end
end

-- 'offset': of hexagons, nil for squares.
local function new_case(astar, r, seed, offset)
  local width, height = r:sides()
  local rows = r:map(width, height)
  if seed % 2 == 0 then r:sow(rows, { "r", "g", "s" }) end
  local grid = astar.grid(rows, { terrain = TERRAIN, shape = offset and "hex", offset = offset })
  build_over(r, grid, offset and HEXAGONS[offset] or SIDES)
  local field = astar.field(grid)
  for _ = 1, 3 do
    field:stamp(r:int(1, width), r:int(1, height), r:int(0, 6), r:pick { 0.3, 2.2, 30 })
  end
  field:decay(0.77)
  return { r = r, grid = grid, offset = offset, field = field, width = width, height = height, hash = 1, paths = {} }
end

local function options_of(case, rule, variant)
  local options = { diagonals = rule }
  for name, value in pairs(variant) do
    if name ~= "avoids" then options[name] = value end
  end
  if variant.avoids then options.avoid = case.field end
  return options
end

-- ---- questions ----

local function add(case, text)
  case.hash = add_text(case.hash, tostring(text))
end

local function add_path(case, path, reason)
  if not path then
    add(case, reason)
    return
  end
  local hash = case.hash
  for x, y in path:cells() do hash = add_number(add_number(hash, x), y) end
  case.hash = hash
  add(case, ("%s %s %d %s"):format(exact(path.cost), exact(path.length), path.expanded, path.algorithm))
  case.paths[#case.paths + 1] = path
end

local function anywhere(case)
  return case.r:int(1, case.width), case.r:int(1, case.height)
end

local function ask_nearest(case, finder, sx, sy)
  local goals = {}
  for i = 1, case.r:pick { 1, 3, 8 } do goals[i] = { anywhere(case) } end
  local path, index = finder:find_nearest(sx, sy, goals)
  add_path(case, path, index)
  add(case, index)
  add_path(case, finder:find_nearest(sx, sy, function(x, y) return (x + y) % 9 == 0 end))
end

local function add_flow(case, flow)
  for x, y, distance in flow:cells() do
    local nx, ny = flow:next(x, y)
    add(case, ("%d %d %s %d %d"):format(x, y, exact(distance), nx, ny))
  end
end

local function query_flow(case, finder, sx, sy)
  local goals = {}
  for i = 1, case.r:int(1, 3) do
    local x, y = anywhere(case)
    goals[i] = { x, y, case.r:pick { 0, 0, 1.3 } }
  end
  local flow = finder:flow(goals)
  add_path(case, flow:path(sx, sy))
  add_flow(case, flow)
  if case.r:chance(0.3) then add_flow(case, flow:flee()) end
  add_flow(case, finder:reach(sx, sy, 4.2))
end

local function ask_in_steps(case, finder, sx, sy, gx, gy)
  local search = finder:search(sx, sy, gx, gy)
  search:step(case.r:int(1, 20))
  for x, y, state, g, h in search:cells() do
    add(case, ("%d %d %s %s %s"):format(x, y, state, exact(g), exact(h)))
  end
end

local function ask_the_rest(case, finder, sx, sy, gx, gy)
  add(case, finder:reachable(sx, sy, gx, gy))
  local clear, x, y = finder:raycast(sx, sy, gx, gy)
  add(case, clear)
  if not clear then add(case, ("%d %d"):format(x, y)) end
  if not case.offset then add(case, finder:clearance(sx, sy)) end
end

local function ask(case, rule, variant)
  local finder = case.grid:finder(options_of(case, rule, variant))
  local r = case.r
  local sx, sy = anywhere(case)
  local gx, gy = anywhere(case)
  local path, reason = finder:find_path(sx, sy, gx, gy)
  add_path(case, path, reason)
  if path and r:chance(0.3) then add_path(case, path:smooth()) end
  if path then r:chance(0.1) end -- paths were smoothed in another way, too: what comes after stays as it was
  if path and r:chance(0.1) then add(case, exact(path:reverse().cost)) end
  if r:chance(0.1) then ask_nearest(case, finder, sx, sy) end
  if r:chance(0.1) then query_flow(case, finder, sx, sy) end
  if r:chance(0.1) then ask_in_steps(case, finder, sx, sy, gx, gy) end
  if r:chance(0.2) then ask_the_rest(case, finder, sx, sy, gx, gy) end
end

local function ask_baked(case, rule)
  local finder = case.grid:finder { diagonals = rule }
  if case.width * case.height < 300 then return end
  add(case, finder:bake({ pivots = 3 }).pivots)
  for _ = 1, 6 do
    local sx, sy = anywhere(case)
    add_path(case, finder:find_path(sx, sy, anywhere(case)))
  end
end

-- Edits here and there, then what became of the routes.
local function edit(case)
  for _ = 1, case.r:int(1, 12) do
    local x, y = anywhere(case)
    case.grid:set(x, y, case.r:pick { ".", "#", "." })
  end
  local before = case.paths
  case.paths = {}
  for i = 1, #before, 8 do
    local valid, index = before[i]:is_valid()
    add(case, index or valid)
    add_path(case, before[i]:repair { optimal = i % 3 == 0 })
  end
  return #before
end

local function ask_all(case, astar)
  for _, rule in ipairs(RULES) do
    for _, variant in ipairs(VARIANTS) do ask(case, rule, variant) end
    ask_baked(case, rule)
  end
  local count = edit(case)
  add(case, case.grid:dump())
  case.grid = astar.load(case.grid:dump())
  for _, rule in ipairs(RULES) do ask(case, rule, case.r:pick(VARIANTS)) end
  return case.hash, count + #case.paths
end

local function ask_hexagons(case, astar)
  for _, variant in ipairs(HEX_VARIANTS) do ask(case, nil, variant) end
  local count = edit(case)
  add(case, case.grid:dump())
  add(case, case.grid:draw(case.paths[1]))
  case.grid = astar.load(case.grid:dump())
  for _ = 1, 3 do ask(case, nil, case.r:pick(HEX_VARIANTS)) end
  return case.hash, count + #case.paths
end

-- Of squares; where 'hexagons', of those.
local function compute(hexagons)
  local astar = require "astar"
  local random = require "spec.support.random"
  local hash, count = 1, 0
  for seed = 1, MAPS do
    local offset = hexagons and OFFSETS[seed % 4 + 1]
    local case = new_case(astar, random.new(seed), seed, offset or nil)
    local more, paths = (hexagons and ask_hexagons or ask_all)(case, astar)
    hash, count = add_number(hash, more), count + paths
  end
  return hash, count
end

-- Of both: the hash of squares by itself, then that of hexagons.
function route_hash.compute()
  local hash, count = compute(false)
  return hash, count, compute(true)
end

local is_script = arg and arg[0] and arg[0]:find("route_hash.lua", 1, true)
if is_script then
  local build = assert(arg[1], "usage: lua spec/support/route_hash.lua <build folder>")
  package.path = "./lua/?.lua;./lua/?/init.lua;./?.lua;" .. package.path
  package.cpath = ("./%s/?.so;./%s/?.dll;"):format(build, build) .. package.cpath
  print(("hash %d over %d paths, of hexagons %d over %d"):format(route_hash.compute()))
end

return route_hash
