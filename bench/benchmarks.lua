-- benchmarks.lua -- answers the queries of Moving AI scenario files and times them.
--
--     lua bench/benchmarks.lua [folder] [algorithm=NAME] [every=N] [csv=FILE]
--
-- folder: the folder of the NAME.map and NAME.map.scen files, at any depth ($ASTAR_BENCHMARKS by
-- default). algorithm: the `algorithm` option of the finder ("auto"). every: answers each Nth
-- query only (1 = all). csv: also writes the table to this file.
--
-- Prints a row per map and a row for all maps: the processor time per query in microseconds, from
-- the call in Lua to the path (mean, median, 99th percentile), expansions per query, and expansions
-- per second. These times do not include the data that the first query on a map builds for all
-- queries (bench/bench.lua measures the first query). The column "wrong" counts answers that differ
-- from the published length. The first wrong answer of each map is printed on stderr, and any wrong
-- answer makes the exit code 1. Run this program from the project's folder.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local reports = require "bench.report"
local support = require "bench.support"

local USAGE = "usage: lua bench/benchmarks.lua [folder] [algorithm=NAME] [every=N] [csv=FILE]"

local COLUMNS = {
  { "map", "%-32s" }, { "queries", "%8d" }, { "wrong", "%6d" }, { "mean us", "%10.1f" },
  { "median us", "%10.1f" }, { "p99 us", "%10.1f" }, { "exp/query", "%10.0f" },
  { "exp/s", "%10.3g" },
}

local function add_row(report, name, tally)
  local times, queries = tally.times, math.max(#tally.times, 1)
  table.sort(times)
  report:row { name, #times, tally.wrong, tally.seconds / queries * 1e6,
    support.percentile(times, 0.5) * 1e6, support.percentile(times, 0.99) * 1e6,
    tally.expanded / queries, support.ratio(tally.expanded, tally.seconds) }
end

local function measure(file, options)
  local finder = astar.movingai.read_map(file.map):finder { algorithm = options.algorithm }
  local scenarios = astar.movingai.read_scenarios(file.scenarios)
  support.warm(finder, scenarios)
  return support.answer(file.name, finder, scenarios, benchmarks.mistake, options.every)
end

local function main(arguments)
  local options = support.read_arguments(arguments, USAGE,
    { folder = benchmarks.folder, algorithm = "auto", every = 1, csv = false })
  local files = support.scenario_files(options.folder)
  local report, total = reports.new(options.csv), support.new_tally()
  report:section("benchmarks", COLUMNS)
  for _, file in ipairs(files) do
    local tally = measure(file, options)
    support.add_tally(total, tally)
    add_row(report, file.name, tally)
    collectgarbage()
  end
  add_row(report, "all", total)
  report:close()
  os.exit(total.wrong == 0 and 0 or 1)
end

main(arg)
