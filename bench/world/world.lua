-- world.lua -- measures worlds in chunks beside their targets, on caves that are `side` cells wide.
--
-- The targets are meant for caves 16384 cells wide. In smaller caves, routes are shorter and first queries faster.

local astar = require "astar"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local clock, SEED = os.clock, support.SEED

local function chunk_of(rows, cx, cy)
  local chunk = {}
  for y = 1, 64 do
    local row = rows[64 * cy + y]
    local part = row and cx >= 0 and row:sub(64 * cx + 1, 64 * cx + 64) or ""
    chunk[y] = part .. ("#"):rep(64 - #part)
  end
  return chunk
end

local function new_world(rows)
  return astar.world { load = function(cx, cy)
    local is_inside = cx >= 0 and cy >= 0 and 64 * cy < #rows and 64 * cx < #rows[1]
    return is_inside and chunk_of(rows, cx, cy)
  end, bytes = 2 ^ 30 }
end

-- Returns queries between random free cells. The first query leads from one corner of the map to the opposite corner.
local function pairs_of(rows, count)
  local r, side, list = random.new(SEED), #rows, {}
  local function free(least, most)
    local x, y
    repeat x, y = r:int(least, most), r:int(least, most) until rows[y]:sub(x, x) == "."
    return x, y
  end
  for i = 1, count do
    local near, far = i == 1 and math.ceil(side / 8) or side, i == 1 and math.floor(side * 7 / 8) or 1
    local sx, sy = free(1, near)
    local gx, gy = free(far, side)
    list[i] = { sx, sy, gx, gy }
  end
  return list
end

local function milliseconds(run, ...)
  local before = clock()
  local a, b = run(...)
  return (clock() - before) * 1000, a, b
end

-- Returns by how many percent routes of the world cost more than the cheapest paths on average, and the number of
-- queries for which only the world or only the grid has a route.
local function losses(rows, unit, queries)
  local finder, lost, count, wrong = astar.grid(rows):finder(), 0, 0, 0
  for _, q in ipairs(queries) do
    local path = finder:find_path(q[1], q[2], q[3], q[4])
    local route = unit:find_route(q[1], q[2], q[3], q[4])
    local way = route and route:path()
    if (path == nil) ~= (way == nil) then
      wrong = wrong + 1
    elseif path and path.cost > 0 then
      lost, count = lost + way.cost / path.cost - 1, count + 1
    end
  end
  return 100 * lost / math.max(count, 1), wrong
end

local function measure(rows, queries)
  local world = new_world(rows)
  local unit = world:finder()
  local q, warm, after, edits = queries[1], 0, 0, 0
  local first = milliseconds(unit.find_route, unit, q[1], q[2], q[3], q[4])
  for _, at in ipairs(queries) do unit:find_route(at[1], at[2], at[3], at[4]) end
  for _, at in ipairs(queries) do
    local took, route = milliseconds(unit.find_route, unit, at[1], at[2], at[3], at[4])
    warm = warm + took
    if route and route:stretch() then
      world:block(route.x, route.y)
      after, edits = after + milliseconds(unit.find_route, unit, at[1], at[2], at[3], at[4]), edits + 1
      world:unblock(route.x, route.y)
    end
  end
  local stats = world:stats()
  return { first = first, warm = warm / #queries, after = after / math.max(edits, 1), unit = unit,
    bytes = stats.bytes / math.max(stats.chunks, 1) / 4096 }
end

return function(report, plan)
  local rows = maps.kind("caves").make(SEED, plan.largest, plan.largest)
  local queries = pairs_of(rows, math.max(4, math.floor(plan.sample / 5)))
  local got = measure(rows, queries)
  local lost, wrong = losses(rows, got.unit, queries)
  report:title(("world: a world of caves of %d x %d cells in chunks, limits and measured values")
    :format(plan.largest, plan.largest))
  report:section("world", { { "target", "%-40s" }, { "at most", "%9g" }, { "measured", "%10.3f" } })
  report:row { "first query, from corner to corner, ms", 50, got.first }
  report:row { "repeated query, ms", 1, got.warm }
  report:row { "query after an edit on its route, ms", 1, got.after }
  report:row { "bytes per loaded cell", 0.5, got.bytes }
  report:row { "route cost above the cheapest, %", 0.2, lost }
  return wrong
end
