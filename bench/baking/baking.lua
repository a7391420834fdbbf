-- baking.lua -- measures the time and memory of baking a map, and how much faster it makes queries.

local sources = require "bench.sources"
local support = require "bench.support"

local US = support.US

local COLUMNS = {
  { "map", "%-28s" }, { "queries", "%8d" }, { "wrong", "%6d" }, { "A* us", "%8.0f" }, { "jps us", "%10.1f" },
  { "baked us", "%9.1f" }, { "ratio", "%6.1f" }, { "jps cold", "%9.1f" }, { "baked cold", "%11.1f" },
  { "cold ratio", "%11.1f" }, { "method", " %-9s" }, { "gain", "%6.1f" }, { "B/cell", "%9.1f" },
  { "bake ms", "%9.1f" },
}

-- Measures one map. Returns the fields of its row.
local function measure_map(source, plan)
  local grid, queries = source.grid, source.queries
  local plain, baked = grid:finder { algorithm = "jps" }, grid:finder()
  local baking = baked:bake()
  local sample = support.spread(queries, plan.sample)
  support.warm(plain, queries)
  local seconds = support.compare({ support.asking(plain, queries), support.asking(baked, queries),
    support.asking(grid:finder { algorithm = "astar" }, sample) }, plan.rounds)
  local cold = support.cold_seconds(plain, sample, plan.cold)
  local baked_cold = support.cold_seconds(baked, sample, plan.cold)
  local tally = support.answer(source.name, baked, queries, source.judge, 1)
  return { source.name, #queries, tally.wrong, seconds[3] * US, seconds[1] * US, seconds[2] * US,
    support.ratio(seconds[1], seconds[2]), cold * US, baked_cold * US, support.ratio(cold, baked_cold),
    baking.method, baking.gain, baking.bytes / support.cells_of(grid), baking.milliseconds }
end

return function(report, plan, options)
  local wrong = 0
  report:title(([[
baking: microseconds per query of jump point search without baking ("jps") and with finder:bake() ("baked"). "ratio":
time of jps divided by the time of baked. "A*" and "cold" use up to %d of the queries. "cold": each query runs after
%d MB of other data were read, so that the caches are cold. "gain": the gain that finder:bake() reports]])
    :format(plan.sample, plan.cold / 1048576))
  local found = sources.find(report, options, plan)
  report:section("baking", COLUMNS)
  for _, make in ipairs(found) do
    local source = make()
    if #source.queries > 0 then
      local row = measure_map(source, plan)
      report:row(row)
      wrong = wrong + row[3]
    end
    collectgarbage()
  end
  return wrong
end
