-- weighted.lua -- queries over rough ground, against plain A*.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US = support.SEED, support.US

local function measure_weighted(name, grid, plan)
  local copy = grid:clone()
  local auto, plain = grid:finder(), copy:finder { algorithm = "astar" }
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 2))
  for _, query in ipairs(queries) do support.note_cost(plain, query) end
  support.warm(auto, queries)
  local tally = support.answer(name, auto, queries, support.differs, 1)
  local query = queries[1]
  local path = auto:find_path(query.sx, query.sy, query.gx, query.gy)
  local expanded = support.expanded_by(plain, queries) / #queries
  local s = support.compare({ support.asking(auto, queries), support.asking(plain, queries) }, plan.rounds)
  return { name, #queries, tally.wrong, path.algorithm, s[1] * US, s[2] * US,
    support.ratio(s[2], s[1]), expanded, support.ratio(expanded / 1e6, s[2]),
    copy:bytes() / support.cells_of(copy) }, tally.wrong
end

return function(report, plan)
  local wrong = 0
  report:title(([[
weighted: rough ground of costs 1, 2, 3 and 5, %d x %d; expansions, a query and millions a second,
and bytes a cell are plain A*'s]]):format(plan.side, plan.side))
  report:section("weighted", { { "map", "%-12s" }, { "queries", "%8d" }, { "wrong", "%7d" },
    { "algorithm", "%15s" }, { "auto us", "%10.1f" }, { "A* us", "%10.1f" }, { "ratio", "%7.2f" },
    { "exp/query", "%11.0f" }, { "M exp/s", "%9.2f" }, { "A* B", "%7.1f" } })
  for _, kind in ipairs(maps.kinds) do
    support.progress("making rough " .. kind.name)
    local rows = maps.weighted(SEED, kind.make(SEED, plan.side, plan.side))
    local grid = astar.grid(rows, { terrain = maps.terrain })
    local row, mistakes = measure_weighted(kind.name, grid, plan)
    report:row(row)
    wrong = wrong + mistakes
  end
  return wrong
end
