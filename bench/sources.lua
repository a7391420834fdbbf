-- sources.lua -- finds or generates maps with queries.
--
-- A source is a function that returns { name =, grid =, queries =, judge = }. A section calls it when the section
-- reaches the map, so that only one map is in memory. 'judge' returns the mistake in an answer, or nil.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local maps = require "bench.maps"
local support = require "bench.support"

local sources = {}

local function of_scenarios(files, every)
  local list = {}
  for i, file in ipairs(files) do
    list[i] = function()
      local all, queries = astar.movingai.read_scenarios(file.scenarios), {}
      for k = every, #all, every do queries[#queries + 1] = all[k] end
      return { name = file.name, grid = astar.movingai.read_map(file.map), queries = queries,
        judge = benchmarks.mistake }
    end
  end
  return list
end

local function of_seed(plan)
  local list = {}
  for i, kind in ipairs(maps.kinds) do
    list[i] = function()
      local grid = support.grid_of(kind, plan.side)
      local function judge(_, path, reason) return not path and reason or nil end
      return { name = kind.name .. "-" .. plan.side, grid = grid, judge = judge,
        queries = support.queries(grid, support.SEED, plan.queries) }
    end
  end
  return list
end

-- Returns the sources for a run: the scenarios of a given folder, or of $ASTAR_BENCHMARKS, or generated maps.
function sources.find(report, options, plan)
  if options.folder then
    return of_scenarios(support.scenario_files(options.folder), options.every)
  end
  local files = benchmarks.find(benchmarks.folder)
  if #files > 0 and not options.generated and not options.quick then
    return of_scenarios(files, options.every)
  end
  report:note [[
(The maps are generated from a seed. "wrong" counts missing paths and, in the section maps, costs that differ from
those of plain A*.)]]
  return of_seed(plan)
end

return sources
