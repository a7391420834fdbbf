-- Worlds of up to 6 x 6 chunks beside one grid of the same cells: some chunks are away, loads raise, and doors, fills,
-- links and walls come between any two questions. ASTAR_MAPS=10000 runs more worlds, ASTAR_SEED=7 others.

local astar = require "astar"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local worlds = require "spec.support.worlds"

local RULES = require "spec.support.check".RULES
local times = require "spec.support.times"
local TERRAIN = { ["."] = 1, ["~"] = 2.5, ["#"] = false }
local DIRECTIONS = { north = { 0, -1 }, east = { 1, 0 }, south = { 0, 1 }, west = { -1, 0 } }
local NAMES = { "north", "east", "south", "west" }
local CHUNKS = 6
local WORLDS = math.ceil(times("ASTAR_MAPS", 400) / 100)
local FIRST = tonumber(os.getenv "ASTAR_SEED") or 1

local function chunk_of(x) return math.floor((x - 1) / 64) end

local function random_rows(r, width, height)
  local rock, mud, rows = r:pick { 0.02, 0.2, 0.4 }, r:pick { 0, 0.3 }, {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do rows[y][x] = r:chance(rock) and "#" or r:chance(mud) and "~" or "." end
  end
  for _ = 1, 5 do -- walls from edge to edge, with a gap each
    local x, gap = r:int(1, width), r:int(1, height)
    for y = 1, height do rows[y][x] = y == gap and rows[y][x] or "#" end
  end
  return rows
end

-- The grid has cells of chunks that are away blocked, in a layer that no unit ignores.
local function new_both(seed)
  local r = random.new(seed)
  local across, down = r:int(2, CHUNKS), r:pick { CHUNKS, CHUNKS, 1 }
  local both = { r = r, width = 64 * across, height = 64 * down, away = {}, doors = {}, links = {}, units = {} }
  both.stretches = {}
  both.at, both.rows = "seed " .. seed, random_rows(r, both.width, both.height)
  both.has_links, both.has_walls, both.has_belts = r:chance(0.5), r:chance(0.5), r:chance(0.5)
  local away, rows = both.away, both.rows
  both.grid = astar.grid(rows, { terrain = TERRAIN })
  for _ = 1, r:pick { 0, 0, 2 } do
    local cx, cy = r:int(0, across - 1), r:int(0, down - 1)
    away[cx + CHUNKS * cy] = true
    both.grid:block(64 * cx + 1, 64 * cy + 1, 64, 64, "away")
  end
  function both.is_away(x, y) return away[chunk_of(x) + CHUNKS * chunk_of(y)] or false end
  both.world = astar.world { terrain = TERRAIN, bytes = r:pick { 2 ^ 20, 2 ^ 26 }, save = function() end,
    load = function(cx, cy)
      if both.fails and r:chance(0.05) then error({ "disk" }, 0) end
      if cx < 0 or cy < 0 or cx >= across or cy >= down then return false end
      return not away[cx + CHUNKS * cy] and worlds.cut(rows, 1, 1, cx, cy) or nil
    end }
  both.x, both.y, both.w, both.h = r:int(-40, both.width), r:int(-40, both.height), r:int(1, 200), r:int(1, 200)
  both.danger, both.same = astar.field(both.w, both.h, { origin = { both.x, both.y } }), astar.field(both.grid)
  for i = 1, 3 do
    local options = { diagonals = r:pick(RULES), size = r:int(1, 3), ignore = r:chance(0.25) and { "" } or nil }
    local of_world = { avoid_weight = r:pick { 0.5, 3 }, avoid = both.danger }
    if r:chance(0.5) then of_world = {} end
    for name, value in pairs(options) do of_world[name] = value end
    options.avoid, options.avoid_weight = of_world.avoid and both.same, of_world.avoid_weight
    both.units[i] = { of_grid = both.grid:finder(options), of_world = both.world:finder(of_world), size = options.size }
  end
  return both
end

-- Calls it until no load raises; what else raises is a failure.
local function call(both, f, ...)
  local ok, a, b, c
  both.fails = true
  repeat
    ok, a, b, c = pcall(f, ...)
    if not ok and not (type(a) == "table" and a[1] == "disk") then error(both.at .. ": " .. tostring(a), 0) end
    both.fails = both.r:chance(0.5)
  until ok
  both.fails = false
  return a, b, c
end

local function cell(both) return both.r:int(1, both.width), both.r:int(1, both.height) end

local function turn_doors(both)
  for _ = 1, both.r:int(0, 6) do
    local x, y = cell(both)
    local method = both.doors[x + both.width * y] and "unblock" or "block"
    if not both.is_away(x, y) then
      both.doors[x + both.width * y] = method == "block" or nil
      both.grid[method](both.grid, x, y)
      call(both, both.world[method], both.world, x, y)
    end
  end
end

-- What 'load' says follows: what is saved goes nowhere.
local function fill(both)
  local x, y = cell(both)
  local w, h = math.min(both.r:int(1, 40), both.width + 1 - x), math.min(both.r:int(1, 3), both.height + 1 - y)
  local key, some_away = both.r:pick { ".", "~", "#" }, false
  for row = y, y + h - 1 do
    for column = x, x + w - 1 do some_away = some_away or both.is_away(column, row) end
  end
  local done, why = call(both, both.world.fill, both.world, x, y, w, h, key)
  assert.equal(some_away and "not loaded" or nil, why, both.at)
  assert.equal(not some_away or nil, done, both.at)
  if some_away then return end
  both.grid:fill(x, y, w, h, key)
  for row = y, y + h - 1 do
    for column = x, x + w - 1 do both.rows[row][column] = key end
  end
end

-- Makes an edit of two cells in both, unless one of them is away: then the world says so. One way it is the first's.
local function edit_two(both, method, one_way, x0, y0, x1, y1, ...)
  local done, why = call(both, both.world[method], both.world, ...)
  if both.is_away(x0, y0) or not one_way and both.is_away(x1, y1) then
    assert.equal("not loaded", why, both.at)
    assert.is_nil(done, both.at)
  else
    both.grid[method](both.grid, ...)
  end
end

-- Some links are so cheap that the distance to the goal tells nothing of what is left.
local function turn_links(both)
  local r = both.r
  local x0, y0 = cell(both)
  local x1, y1 = cell(both)
  local old = both.links[1]
  if old and r:chance(0.4) then
    table.remove(both.links, 1)
    edit_two(both, "unlink", false, old[1], old[2], old[3], old[4], old[1], old[2], old[3], old[4])
  elseif x0 ~= x1 or y0 ~= y1 then
    both.links[#both.links + 1] = { x0, y0, x1, y1 }
    local options = { cost = r:pick { 0, 1, 40, 300 }, one_way = r:chance(0.5) }
    edit_two(both, "link", options.one_way, x0, y0, x1, y1, x0, y0, x1, y1, options)
  end
end

-- A row of walls, all of them one way or none; not past the edge.
local function turn_walls(both)
  local r, name = both.r, both.r:pick(NAMES)
  local step, one_way, method = DIRECTIONS[name], both.r:chance(0.5), both.r:pick { "wall", "wall", "unwall" }
  local x, y = cell(both)
  for i = 0, r:int(0, 80) do
    local x0, y0 = x + (step[1] == 0 and i or 0), y + (step[2] == 0 and i or 0)
    local x1, y1 = x0 + step[1], y0 + step[2]
    if math.min(x1, y1) < 1 or math.max(x0, x1) > both.width or math.max(y0, y1) > both.height then return end
    edit_two(both, method, one_way, x0, y0, x1, y1, x0, y0, name, one_way)
  end
end

-- Belts of several cells, long or wide, often across the border of two chunks; and cells that are free again.
local function turn_belts(both)
  local r, some_away, names = both.r, false, {}
  local x, y = cell(both)
  local w = math.min(r:pick { 1, r:int(1, 100) }, both.width + 1 - x)
  local h = math.min(r:pick { 1, 1, r:int(1, 100) }, both.height + 1 - y)
  for row = y, y + h - 1 do
    for column = x, x + w - 1 do some_away = some_away or both.is_away(column, row) end
  end
  for i = 1, r:pick { 0, 1, 1, 2, 5 } do names[i] = astar.directions[r:int(1, 8)].name end
  local method = r:chance(0.3) and "unrestrict" or "restrict"
  local done, why = call(both, both.world[method], both.world, x, y, w, h, method == "restrict" and names or nil)
  assert.equal(some_away and "not loaded" or nil, why, both.at)
  assert.equal(not some_away or nil, done, both.at)
  if not some_away then both.grid[method](both.grid, x, y, w, h, method == "restrict" and names or nil) end
end

-- The restricted cells of a rectangle are those of the grid.
local function check_restrictions(both)
  local x, y = cell(both)
  local w, h = math.min(150, both.width + 1 - x), math.min(90, both.height + 1 - y)
  local list = call(both, both.world.restrictions, both.world, x, y, w, h)
  if not list then return end
  local expected = {}
  for _, each in ipairs(both.grid:restrictions()) do
    if each.x >= x and each.y >= y and each.x < x + w and each.y < y + h then expected[#expected + 1] = each end
  end
  assert.same(expected, list, both.at)
end

-- What is avoided, over a part of the world; the grid's finders avoid the same over all of it.
local function turn_danger(both)
  local r, danger = both.r, both.danger
  local x, y = r:int(both.x, both.x + both.w - 1), r:int(both.y, both.y + both.h - 1)
  if r:chance(0.5) then danger:decay(0.5) end
  danger:stamp(x, y, r:int(0, 20), r:pick { -2, 1, 50 })
  for row = math.max(both.y, 1), math.min(both.y + both.h - 1, both.height) do
    for column = math.max(both.x, 1), math.min(both.x + both.w - 1, both.width) do
      both.same:set(column, row, danger:get(column, row))
    end
  end
end

-- A window has the cells, blocks, walls and restrictions of the world.
local function check_window(both)
  local x, y, window = both.x, both.y, both.world:window(both.x, both.y, both.w, both.h)
  local expected = {}
  for _, each in ipairs(both.grid:restrictions()) do
    local is_inside = each.x >= x and each.y >= y and each.x < x + both.w and each.y < y + both.h
    if is_inside then expected[#expected + 1] = each end
  end
  assert.same(expected, window:restrictions(), both.at)
  for _ = 1, 100 do
    local column, row = both.r:int(x, x + both.w - 1), both.r:int(y, y + both.h - 1)
    local is_inside = column >= 1 and row >= 1 and column <= both.width and row <= both.height
    if is_inside and not both.is_away(column, row) then
      assert.equal(both.grid:get(column, row), window:get(column, row), both.at)
      assert.equal(both.grid:is_walkable(column, row), window:is_walkable(column, row), both.at)
      local name = both.r:pick(NAMES)
      assert.equal(both.grid:has_wall(column, row, name), window:has_wall(column, row, name), both.at)
    else
      assert.is_false(window:is_walkable(column, row), both.at)
    end
  end
end

-- The first cell of a path that a unit of the grid cannot step on, step by step.
local function bad_cell(both, unit, path, from)
  local linked = {}
  for _, link in ipairs(both.grid:links()) do
    linked[("%d %d %d %d"):format(link.x0, link.y0, link.x1, link.y1)] = true
    linked[("%d %d %d %d"):format(link.x1, link.y1, link.x0, link.y0)] = not link.one_way or nil
  end
  for i = from, #path do
    local x, y = path:cell(i)
    local px, py = path:cell(math.max(i - 1, from))
    local is_linked = path:link(math.max(i - 1, from)) and linked[("%d %d %d %d"):format(px, py, x, y)]
    local is_step = math.max(math.abs(x - px), math.abs(y - py)) <= 1 and unit:raycast(px, py, x, y)
    if not (is_step or is_linked and unit:find_path(px, py, x, y)) then return i end
  end
end

-- Stretches that were walked before the last edits.
local function check_stretches(both)
  for i, each in ipairs(both.stretches) do
    local from = both.r:chance(0.5) and 1 or both.r:int(1, #each.path)
    local is_valid, index = call(both, each.path.is_valid, each.path, from)
    local bad = bad_cell(both, each.unit, each.path, from)
    assert.equal(bad, index, both.at .. ", stretch " .. i .. " from " .. from)
    assert.equal(bad == nil, is_valid, both.at)
  end
end

-- Walks a route, which must not be better than the best there is; nor, where all is there, end elsewhere.
local function check_walked(both, unit, route, ask, best)
  local sum, x, y = 0, ask[1], ask[2]
  local path = call(both, route.stretch, route)
  while path do
    local px, py = path:cell(1)
    assert(px == x and py == y, both.at)
    x, y = path:cell(#path)
    sum = sum + path.cost
    table.insert(both.stretches, 1, { path = path, unit = unit.of_grid })
    both.stretches[9] = nil
    path = call(both, route.stretch, route)
  end
  assert(oracle.away(unit, ask.range, x, y, ask[3], ask[4]) <= ask.range, both.at)
  assert(next(both.away) or sum >= best - 1e-6, both.at .. ": walked for less than the best")
end

local function check_route(both, unit, ask)
  local path, reason = unit.of_grid:find_path(ask[1], ask[2], ask[3], ask[4], { range = ask.range })
  local question = { range = ask.range, exact = both.r:chance(0.6) or nil }
  local route, why = call(both, unit.of_world.find_route, unit.of_world, ask[1], ask[2], ask[3], ask[4], question)
  local all_there = next(both.away) == nil
  if all_there then
    assert.equal(reason, why, both.at)
    assert.equal(path == nil, route == nil, both.at)
  elseif path and not route then
    assert.equal("not loaded", why, both.at)
  end
  if not (path and route) or route.partial then return end
  assert(route.cost - route.bound <= path.cost + 1e-6, both.at .. ": not within its bound")
  if all_there then
    local most = question.exact and path.cost or 2 * path.cost
    assert(route.cost >= path.cost - 1e-6 and route.cost <= most + 1e-6, both.at .. ": " .. route.cost)
  end
  check_walked(both, unit, route, ask, path.cost)
end

local function check_partial(both, unit, ask)
  local sx, sy, gx, gy = ask[1], ask[2], ask[3], ask[4]
  local route, why = call(both, unit.of_world.find_route, unit.of_world, sx, sy, gx, gy, { partial = true })
  if not route then
    assert(why == "start blocked" or why == "not loaded", both.at .. ": " .. tostring(why))
  elseif next(both.away) == nil then
    -- Without a range both count from where the unit is.
    local far = math.max(math.abs(route.gx - gx), math.abs(route.gy - gy))
    assert(unit.of_grid:find_path(sx, sy, route.gx, route.gy), both.at .. ": no way leads there")
    local nearer = far > 0 and unit.of_grid:find_nearest(sx, sy, function(x, y)
      return math.max(math.abs(x - gx), math.abs(y - gy)) < far
    end)
    assert(not nearer, both.at .. ": nearer is one")
  end
end

-- What is not there stops a line; where it begins beside that they need not agree.
local function check_ray(both, unit, ask)
  for i = 0, 8 do
    if both.is_away(ask[1] + i % 3, ask[2] + math.floor(i / 3)) then return end
  end
  local ray = { unit.of_grid:raycast(ask[1], ask[2], ask[3], ask[4]) }
  assert.same(ray, { call(both, unit.of_world.raycast, unit.of_world, ask[1], ask[2], ask[3], ask[4]) }, both.at)
end

-- What both round to, a world more coarsely, is told apart nowhere.
local function check_costs(both, cost, other)
  local is_same = cost == other or cost and other and math.abs(cost - other) < 1e-6
  assert(is_same, ("%s: %s, not %s"):format(both.at, tostring(other), tostring(cost)))
end

-- The nearest of three cells, at what it costs.
local function check_nearest(both, unit, ask)
  local goals = { { ask[3], ask[4] }, { cell(both) }, { cell(both) } }
  local path = unit.of_grid:find_nearest(ask[1], ask[2], goals)
  local route, why = call(both, unit.of_world.find_nearest, unit.of_world, ask[1], ask[2], goals)
  if next(both.away) == nil then
    check_costs(both, path and path.cost, route and route.cost)
  elseif path and not route then
    assert.equal("not loaded", why, both.at)
  end
end

-- There is a way just where the limit is no less than what the best costs.
local function check_limit(both, unit, ask)
  local path = unit.of_grid:find_path(ask[1], ask[2], ask[3], ask[4])
  if not path or next(both.away) ~= nil or path.cost == 0 then return end
  local most = path.cost * both.r:pick { 0.5, 0.99, 1.01, 1.5 }
  local question = { max_cost = most }
  local route, why = call(both, unit.of_world.find_route, unit.of_world, ask[1], ask[2], ask[3], ask[4], question)
  assert.equal(most < path.cost and "max_cost" or nil, why, both.at)
  check_costs(both, most >= path.cost and path.cost or nil, route and route.cost)
  assert.is_true(call(both, unit.of_world.reachable, unit.of_world, ask[1], ask[2], ask[3], ask[4]), both.at)
end

-- The cheapest way out of reach is that to the nearest cell that none reaches.
local function check_flight(both, unit, ask)
  local r, fears = both.r, {}
  for i = 1, r:int(1, 5) do
    fears[i] = { x = ask[1] + r:int(-12, 12), y = ask[2] + r:int(-12, 12), range = r:int(0, 14) }
  end
  local function is_safe(x, y)
    for _, fear in ipairs(fears) do
      if oracle.away(unit, fear.range, x, y, fear.x, fear.y) <= fear.range then return false end
    end
    return true
  end
  local path, reason = unit.of_grid:find_nearest(ask[1], ask[2], is_safe)
  local question = { flee = true, exact = true }
  local route, why = call(both, unit.of_world.find_route, unit.of_world, ask[1], ask[2], fears, question)
  assert(not route or route.partial or is_safe(route.gx, route.gy), both.at)
  if next(both.away) == nil then
    check_costs(both, path and path.cost, route and route.cost)
    assert.equal(reason, why, both.at)
  elseif path and not (route and not route.partial) then
    assert.equal("not loaded", why, both.at)
  elseif path then
    assert(route.cost <= path.cost + 1e-6, both.at)
  end
end

local function attack(seed)
  local both = new_both(seed)
  local r = both.r
  for step = 1, 12 do
    both.at = ("seed %d, step %d"):format(seed, step)
    turn_doors(both)
    if r:chance(0.3) then fill(both) end
    if both.has_links and r:chance(0.5) then turn_links(both) end
    if both.has_walls and r:chance(0.5) then turn_walls(both) end
    if both.has_belts and r:chance(0.5) then turn_belts(both) end
    if r:chance(0.3) then turn_danger(both) end
    check_stretches(both)
    if r:chance(0.2) then check_window(both) end
    if r:chance(0.2) then check_restrictions(both) end
    local unit, ask = r:pick(both.units), { range = r:pick { 0, 0, 0, 3 } }
    ask[1], ask[2] = cell(both)
    ask[3], ask[4] = cell(both)
    check_route(both, unit, ask)
    if r:chance(0.4) then check_partial(both, unit, ask) end
    check_ray(both, unit, ask)
    if r:chance(0.3) then check_nearest(both, unit, ask) end
    if r:chance(0.4) then check_flight(both, unit, ask) end
    if r:chance(0.3) then check_limit(both, unit, ask) end
  end
end

describe("a world whose chunks are dropped and whose load functions raise", function()
  it("returns the results of a grid of the same cells", function()
    for seed = FIRST, FIRST + WORLDS - 1 do attack(seed) end
  end)
end)

describe("a window of a world", function()
  it("raises an error if its grid is closed while its chunks are loaded", function()
    local core, terrain = require "astar.core", { ["."] = 1, ["#"] = false }
    local rows, grid = {}, astar.grid(64, 64, { terrain = terrain, fill = "#" })
    for y = 1, 64 do rows[y] = ("."):rep(64) end
    local world = astar.world { terrain = terrain, load = function()
      debug.getmetatable(grid).__gc(grid)
      return rows
    end }
    local ok, problem = pcall(core.lay_window, world, 1, 1, 64, 64, grid, "#")
    assert.is_false(ok)
    assert.matches("grid is closed", problem)
  end)
end)

return attack
