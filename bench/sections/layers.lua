-- layers.lua -- times queries on maps with links, thin walls and fields to avoid, and times calls of fields.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US, NS = support.SEED, support.US, support.NS

-- Returns a generator of random whole numbers below 'n' that are the same on every machine.
local function new_random()
  local state = SEED
  return function(n)
    state = state * 48271 % 2147483647
    return state % n
  end
end

-- Adds links between random cells. Each link costs an eighth of the straight walk between its ends.
local function add_links(grid, count)
  local random, width, height = new_random(), grid:size()
  while count > 0 do
    local x0, y0, x1, y1 = 1 + random(width), 1 + random(height), 1 + random(width), 1 + random(height)
    local walk = math.max(math.abs(x1 - x0), math.abs(y1 - y0))
    if walk > 0 then
      grid:link(x0, y0, x1, y1, { cost = walk / 8 })
      count = count - 1
    end
  end
end

-- Adds thin walls along every 16th row, with a gap at every 8th cell.
local function add_fences(grid)
  local width, height = grid:size()
  for y = 16, height - 1, 16 do
    for x = 1, width do
      if x % 8 ~= 0 then grid:wall(x, y, "south") end
    end
  end
end

-- Returns a field with one stamp per 1024 cells, at random cells.
local function stamped(grid)
  local random, width, height = new_random(), grid:size()
  local field = astar.field(grid)
  for _ = 1, width * height / 1024 do
    field:stamp(1 + random(width), 1 + random(height), 12, 10)
  end
  return field
end

local function cases(plan)
  local function new() return support.grid_of(maps.kind "caves", plan.side) end
  local list = {}
  local function add(name, change)
    local grid = new()
    list[#list + 1] = { name = name, grid = grid, avoid = change and change(grid) }
  end
  add "none"
  add("avoid field", stamped)
  add("thin walls", add_fences)
  for _, count in ipairs { 1, 8, 64, 256, 1024 } do
    add(count == 1 and "1 link" or ("%d links"):format(count), function(grid) add_links(grid, count) end)
  end
  return list
end

-- Returns the queries that have a route. Thin walls may separate cells that the map of caves connects.
local function answered_queries(grid, plan)
  local queries, finder = {}, grid:finder()
  for _, query in ipairs(support.queries(grid, SEED, plan.sample)) do
    if finder:reachable(query.sx, query.sy, query.gx, query.gy) then queries[#queries + 1] = query end
  end
  return queries
end

local function measure(case, plan)
  local grid, avoid = case.grid, case.avoid
  local queries = answered_queries(grid, plan)
  local plain = grid:finder { algorithm = "dijkstra", avoid = avoid }
  local finder = grid:finder { algorithm = "astar", avoid = avoid }
  for _, query in ipairs(queries) do support.note_cost(plain, query) end
  support.warm(finder, queries)
  local tally = support.answer(case.name, finder, queries, support.differs, 1)
  local wrong = tally.wrong
  local expanded = support.expanded_by(finder, queries) / #queries
  local s = support.compare({ support.asking(finder, queries), support.asking(plain, queries) }, plan.rounds)
  return { case.name, #queries, wrong, s[1] * US, expanded, support.ratio(s[1] * NS, expanded),
    s[2] * US, support.ratio(s[2], s[1]) }, wrong
end

local function measure_fields(report, plan)
  local field, side = astar.field(plan.side, plan.side), plan.side
  local cells = side * side
  local middle, radius = math.floor(side / 2), 10
  local names, items = {}, {}
  local function add(name, per, run)
    names[#names + 1] = name
    items[#items + 1] = support.item(run, plan.batch, per)
  end
  add("get", 1, function(n)
    local sum = 0
    for _ = 1, n do sum = sum + field:get(middle, middle) end
    return sum
  end)
  add("add", 1, function(n) for _ = 1, n do field:add(middle, middle, 0.5) end end)
  add("stamp of radius 10, per cell", 317, function(n)
    for i = 1, n do field:stamp(middle, middle, radius, i % 2 == 0 and 1 or -1) end
  end)
  add("decay, per cell", cells, function(n) for _ = 1, n do field:decay(0.9) end end)
  add("fill, per cell", cells, function(n) for i = 1, n do field:fill(i % 7) end end)
  report:title(("fields: nanoseconds per call, or per cell, on a field of %d x %d cells"):format(side, side))
  report:section("fields", { { "call", "%-30s" }, { "ns", "%10.2f" } })
  local seconds = support.compare(items, plan.rounds)
  for i, name in ipairs(names) do report:row { name, seconds[i] * NS } end
end

return function(report, plan)
  local wrong = 0
  report:title(([[
layers: microseconds per query on caves of %d x %d cells, with links, thin walls or a field to avoid; by A* and by
Dijkstra's algorithm. "exp": expanded cells of A*. "ratio": Dijkstra's time divided by A*'s]])
    :format(plan.side, plan.side))
  report:section("layers", { { "added", "%-12s" }, { "queries", "%8d" }, { "wrong", "%6d" },
    { "A* us", "%10.1f" }, { "exp/query", "%11.0f" }, { "ns/exp", "%8.1f" },
    { "Dijkstra us", "%12.1f" }, { "ratio", "%7.1f" } })
  for _, case in ipairs(cases(plan)) do
    local row, mistakes = measure(case, plan)
    report:row(row)
    wrong = wrong + mistakes
  end
  measure_fields(report, plan)
  return wrong
end
