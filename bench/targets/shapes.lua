-- shapes.lua -- hexagons beside squares (11), and graphs beside a search in plain Lua (12).

local astar = require "astar"
local random = require "spec.support.random"
local support = require "bench.support"
local waypoints = require "bench.waypoints"

local SEED = support.SEED

-- How many times as long an expansion takes on hexagons as on squares, both by the same algorithm over ground
-- with as many blocks.
local function hexagons_ratio(algorithm, plan)
  local side, items = math.floor(plan.side / 2), {}
  for i, shape in ipairs { "hex", "square" } do
    local r, grid = random.new(SEED), astar.grid(side, side, { shape = shape })
    for _ = 1, side * side / 5 do grid:block(r:int(1, side), r:int(1, side)) end
    local finder, queries, expanded = grid:finder { algorithm = algorithm }, {}, 0
    for _, query in ipairs(support.queries(grid, SEED, plan.sample)) do
      local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
      if path then
        queries[#queries + 1], expanded = query, expanded + path.expanded
      end
    end
    items[i] = { count = 1, per = expanded, run = function() support.ask(finder, queries) end }
  end
  local s = support.compare(items, math.max(plan.rounds, 5))
  return s[1] / math.max(s[2], 1e-12)
end

-- How many times as long plain Lua takes for a query over way-points.
local function graph_speed(side, plan)
  local ours, theirs, keys = waypoints.make(side)
  local queries = waypoints.pairs_of(keys, math.max(math.floor(plan.sample / 2), 3))
  local s = support.compare(waypoints.items(ours:finder(), theirs, queries), math.max(plan.rounds, 5))
  return support.ratio(s[2], s[1])
end

return function(aims, plan)
  support.progress "targets: hexagons, graphs"
  for _, algorithm in ipairs { "astar", "dijkstra" } do
    aims:most(("11 an expansion, %s: hexagons / squares"):format(algorithm), 1.2,
      hexagons_ratio(algorithm, plan))
  end
  local target = rawget(_G, "jit") and 3 or 20
  for _, side in ipairs(plan.side > 100 and { 32, 100, 320 } or { 5, 10 }) do
    aims:least(("12 graph of %d nodes: time of plain Lua / time"):format(side * side), target, graph_speed(side, plan))
  end
end
