-- graph.lua -- times searches of navigation graphs beside plain Lua, and searches of a MUD (a text game) with millions
-- of rooms.

local astar = require "astar"
local plain = require "bench.plain_graph"
local random = require "spec.support.random"
local support = require "bench.support"
local waypoints = require "bench.waypoints"

local SEED, US = support.SEED, support.US

-- ---- waypoints, beside plain Lua ----

-- Returns the number of queries whose route does not have the cost of plain Lua's route.
local function count_wrong(finder, theirs, queries)
  local wrong = 0
  for _, query in ipairs(queries) do
    local path = finder:find_path(query[1], query[2])
    local keys, cost = plain.find_path(theirs, query[1], query[2])
    if (path == nil) ~= (keys == nil) or (path and math.abs(path.cost - cost) > 1e-9 * cost) then wrong = wrong + 1 end
  end
  return wrong
end

local function compare_with_plain(report, plan, side)
  local ours, theirs, keys = waypoints.make(side)
  local finder, queries = ours:finder(), waypoints.pairs_of(keys, math.max(math.floor(plan.sample / 4), 3))
  local wrong = count_wrong(finder, theirs, queries)
  local items = waypoints.items(finder, theirs, queries)
  local s = support.compare(items, plan.rounds)
  ours:bake()
  local baked = support.compare({ items[1] }, plan.rounds)
  wrong = wrong + count_wrong(finder, theirs, queries)
  report:row { ("%d nodes"):format(#ours), s[1] * US, s[2] * US, support.ratio(s[2], s[1]), baked[1] * US,
    support.ratio(s[2], baked[1]) }
  return wrong
end

-- ---- a MUD ----

-- Returns a graph of floors of rooms with keys such as "floor:row:column". Most exits are open; few rooms have stairs.
local function mud(floors, side)
  local r, graph = random.new(SEED), astar.graph()
  local function key_of(z, y, x) return z .. ":" .. y .. ":" .. x end
  for z = 1, floors do
    for y = 1, side do
      for x = 1, side do graph:node(key_of(z, y, x)) end
    end
  end
  for z = 1, floors do
    for y = 1, side do
      for x = 1, side do
        local room = key_of(z, y, x)
        if x < side and r:chance(0.8) then graph:edge(room, key_of(z, y, x + 1), { label = "e" }) end
        if y < side and r:chance(0.8) then graph:edge(room, key_of(z, y + 1, x), { label = "s" }) end
        if z < floors and r:chance(0.02) then graph:edge(room, key_of(z + 1, y, x), { label = "u" }) end
      end
    end
  end
  return graph, key_of
end

local function print_mud(report, plan)
  local floors, side = 4, plan.side > 100 and 758 or 12 -- 2.3 million rooms
  local graph, key_of
  local before = collectgarbage "count"
  local built = support.seconds(function() graph, key_of = mud(floors, side) end, 1)
  collectgarbage()
  local lua_bytes = (collectgarbage "count" - before) * 1024
  local finder, r = graph:finder(), random.new(SEED)
  local function room() return key_of(r:int(1, floors), r:int(1, side), r:int(1, side)) end
  local function answer(count)
    local costs = {}
    local seconds = support.seconds(function(n)
      for i = 1, n do
        local path = finder:find_path(room(), room())
        costs[i] = path and path.cost or -1
      end
    end, count)
    return seconds / count, costs
  end
  local count = 5
  local bytes = graph:bytes()
  local seconds, costs = answer(count)
  local with_search = graph:bytes()
  local baked = support.seconds(function() graph:bake { landmarks = 4 } end, 1)
  r = random.new(SEED)
  local quick, same = answer(count)
  local wrong = 0
  for i = 1, count do wrong = wrong + (costs[i] == same[i] and 0 or 1) end
  report:row { ("%d rooms"):format(#graph), built, bytes / #graph, lua_bytes / #graph, seconds * 1000,
    (with_search - bytes) / #graph, baked, quick * 1000 }
  return wrong
end

return function(report, plan)
  local wrong = 0
  report:title [[
graphs: microseconds per query on waypoints with positions, by astar.graph, by A* with a heap in plain Lua, and by a
graph with baked landmarks. Each ratio: time of plain Lua divided by the time of the graph]]
  report:section("graphs", { { "graph", "%-14s" }, { "us/query", "%10.1f" }, { "plain Lua us", "%13.1f" },
    { "ratio", "%7.1f" }, { "baked us", "%10.1f" }, { "baked ratio", "%12.1f" } })
  for _, side in ipairs(plan.side > 100 and { 10, 32, 100, 320 } or { 5, 10 }) do
    wrong = wrong + compare_with_plain(report, plan, side)
  end
  report:title [[
mud: rooms of a MUD (a text game) without positions, with strings as keys and labels of exits. Seconds to build the
graph; bytes per room of the graph, of its keys in Lua, and of a search; milliseconds per query between random rooms;
seconds to bake four landmarks, and milliseconds per query with them]]
  report:section("mud", { { "graph", "%-14s" }, { "build s", "%9.2f" }, { "B/room", "%8.1f" },
    { "Lua B/room", "%11.1f" }, { "ms/query", "%10.1f" }, { "search B", "%9.1f" }, { "bake s", "%8.2f" },
    { "baked ms", "%9.2f" } })
  return wrong + print_mud(report, plan)
end
