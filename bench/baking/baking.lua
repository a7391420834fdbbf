-- baking.lua -- what baking costs, and how much faster it makes a map's queries.

local sources = require "bench.sources"
local support = require "bench.support"

local US = support.US

local COLUMNS = {
  { "map", "%-28s" }, { "queries", "%8d" }, { "wrong", "%6d" }, { "A* us", "%8.0f" }, { "online us", "%10.1f" },
  { "baked us", "%9.1f" }, { "times", "%6.1f" }, { "cold us", "%9.1f" }, { "baked cold", "%11.1f" },
  { "times cold", "%11.1f" }, { "method", " %-9s" }, { "gain", "%6.1f" }, { "B a cell", "%9.1f" },
  { "bake ms", "%9.1f" },
}

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
baking: microseconds a query without and with finder:bake(), of plain A* on up to %d of the queries;
"cold": on those, each after %d MB streamed through the caches]]):format(plan.sample, plan.cold / 1048576))
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
