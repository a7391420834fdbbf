-- maps.lua -- times all queries of a map beside plain A*, and measures the memory and the first query.

local sources = require "bench.sources"
local support = require "bench.support"

local US = support.US

local MAP_COLUMNS = {
  { "map", "%-28s" }, { "queries", "%8d" }, { "wrong", "%6d" }, { "mean us", "%9.1f" },
  { "median", "%8.1f" }, { "p99", "%9.1f" }, { "exp/query", "%10.0f" }, { "first ms", "%9.2f" },
  { "cold us", "%9.1f" }, { "A* us", "%9.0f" }, { "ratio", "%7.1f" }, { "rest B", "%7.2f" },
  { "auto B", "%7.1f" }, { "A* B", "%6.1f" },
}

-- Measures one map. Returns the fields of its row.
local function measure_map(source, plan)
  local grid, queries = source.grid, source.queries
  local copy, cells = support.copy_of(grid), support.cells_of(grid)
  local auto, plain = grid:finder(), copy:finder { algorithm = "astar" }
  local sample = support.spread(queries, plan.sample)
  local first = support.first_milliseconds(auto, sample[math.ceil(#sample / 2)])
  support.warm(auto, queries)
  for _, query in ipairs(sample) do support.note_cost(plain, query) end

  support.progress(source.name .. ": against plain A*")
  local seconds = support.compare({ support.asking(auto, queries), support.asking(auto, sample),
    support.asking(plain, sample) }, plan.rounds)
  local tally = support.answer(source.name, auto, queries, function(query, path, reason)
    return source.judge(query, path, reason) or support.differs(query, path, reason)
  end, 1)
  table.sort(tally.times)
  local cold = support.cold_seconds(auto, sample, plan.cold)
  local used, copy_used = grid:bytes(), copy:bytes()

  return { source.name, #queries, tally.wrong, seconds[1] * US,
    support.percentile(tally.times, 0.5) * US, support.percentile(tally.times, 0.99) * US,
    tally.expanded / #queries, first, cold * US, seconds[3] * US,
    support.ratio(seconds[3], seconds[2]), support.bytes_at_rest(grid, sample), used / cells,
    copy_used / cells }
end

-- Returns an empty total over maps: sums over queries, and the sum of the logarithms of the ratios.
local function new_total()
  return { queries = 0, wrong = 0, microseconds = 0, expanded = 0, logs = 0, ratios = 0 }
end

local function add_to_total(total, row)
  total.queries = total.queries + row[2]
  total.wrong = total.wrong + row[3]
  total.microseconds = total.microseconds + row[2] * row[4]
  total.expanded = total.expanded + row[2] * row[7]
  if row[11] then
    total.logs = total.logs + math.log(row[11])
    total.ratios = total.ratios + 1
  end
end

local function total_row(total)
  return { "all (ratio: geometric mean)", total.queries, total.wrong,
    support.ratio(total.microseconds, total.queries), nil, nil,
    support.ratio(total.expanded, total.queries), nil, nil, nil,
    total.ratios > 0 and math.exp(total.logs / total.ratios) }
end

return function(report, plan, options)
  report:title(([[
maps: microseconds per query: mean, median and 99th percentile. "exp": expanded cells. "first": the first query,
including all data that it builds. "cold": queries after %d MB of other data were read, so that the caches are cold.
"A* us": plain A*. "ratio": time of plain A* divided by the time of auto. Cold queries, plain A* and the ratio use up to
%d of the queries. "rest B", "auto B", "A* B": bytes per cell of the grid, without the memory of searches, with the
memory of auto's searches, and with that of plain A*]])
    :format(plan.cold / 1048576, plan.sample))
  local found, total = sources.find(report, options, plan), new_total()
  report:section("maps", MAP_COLUMNS)
  for _, make in ipairs(found) do
    local source = make()
    if #source.queries > 0 then
      local row = measure_map(source, plan)
      report:row(row)
      add_to_total(total, row)
    end
    collectgarbage()
  end
  report:row(total_row(total))
  return total.wrong
end
