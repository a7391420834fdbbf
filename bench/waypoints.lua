-- waypoints.lua -- makes a world of waypoints as a graph of astar and as a graph in plain Lua, to compare the two.

local astar = require "astar"
local plain = require "bench.plain_graph"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED = support.SEED

local waypoints = {}

-- Returns a square of waypoints as a graph of astar and as a graph in plain Lua, and the keys of the waypoints. Each
-- waypoint is joined to some of the waypoints around it.
function waypoints.make(side)
  local r, ours, theirs, keys = random.new(SEED), astar.graph(), plain.new(), {}
  local function key_at(x, y) return "wp" .. x .. "," .. y end
  for y = 1, side do
    for x = 1, side do
      local px, py = x * 10 + r:int(-3, 3), y * 10 + r:int(-3, 3)
      keys[#keys + 1] = key_at(x, y)
      ours:node(key_at(x, y), px, py)
      plain.node(theirs, key_at(x, y), px, py)
    end
  end
  local function join(a, b)
    local ax, ay = ours:position(a)
    local bx, by = ours:position(b)
    local cost = math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2) * (1 + r:number())
    ours:edge(a, b, { cost = cost })
    plain.edge(theirs, a, b, cost)
  end
  for y = 1, side do
    for x = 1, side do
      if x < side and r:chance(0.8) then join(key_at(x, y), key_at(x + 1, y)) end
      if y < side and r:chance(0.8) then join(key_at(x, y), key_at(x, y + 1)) end
      if x < side and y < side and r:chance(0.3) then join(key_at(x, y), key_at(x + 1, y + 1)) end
    end
  end
  return ours, theirs, keys
end

function waypoints.pairs_of(keys, count)
  local r, queries = random.new(SEED), {}
  for i = 1, count do queries[i] = { r:pick(keys), r:pick(keys) } end
  return queries
end

local function ask_all(find, queries)
  return function(n)
    for _ = 1, n do
      for _, query in ipairs(queries) do find(query[1], query[2]) end
    end
  end
end

-- Returns two items for support.compare: all queries by a finder of astar, and all queries by plain Lua.
function waypoints.items(finder, theirs, queries)
  local function find(a, b) return finder:find_path(a, b) end
  local function find_plainly(a, b) return plain.find_path(theirs, a, b) end
  return { { run = ask_all(find, queries), count = 1, per = #queries },
    { run = ask_all(find_plainly, queries), count = 1, per = #queries } }
end

return waypoints
