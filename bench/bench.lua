-- bench.lua -- measures the speed of astar as a script sees it, called from Lua.
--
--     lua bench/bench.lua [section ...] [quick] [folder] [name=value ...]
--
-- A section is a file in bench/sections or in the folder of a part. The list SECTIONS below names all sections.
-- Without a section name, all sections run. The other arguments are:
--
--     folder        the folder of Moving AI maps and scenarios for sections such as maps and games. The default is
--                   $ASTAR_BENCHMARKS. If that folder has no scenarios, these sections generate maps.
--     generated     generates maps even if $ASTAR_BENCHMARKS has scenarios
--     every=N       runs only each Nth query of the Moving AI scenarios (1)
--     rounds=N      number of measurements of each time; the median counts (3)
--     side=N        width of the largest map, in sections that measure maps of several widths such as growth and
--                   frames (4096, at most 16384)
--     count=N       number of frames of each kind (3000)
--     placements=N  number of random placements of each non-uniform cell, link or wall (100)
--     target=NAME   runs only this file of bench/targets in the section targets
--     csv=FILE      also writes all numbers as CSV, for bench/plot.lua and bench/pages.lua
--     quick         tiny maps, a few seconds in all: shows whether the benchmarks work, not how fast astar is
--
-- Tables go to stdout, progress to stderr. Times are processor times. A slow result is no error, but a wrong
-- answer makes the exit code 1. Run this program from the project's folder.

local astar = require "astar"
local reports = require "bench.report"
local support = require "bench.support"

-- The sections, in the order in which they run. The file of a section returns function(report, plan, options). That
-- function returns the number of wrong answers, or nil if the section does not check answers.
local SECTIONS = { "games", "maps", "baking", "binding", "callbacks", "edits", "held", "noroute", "growth",
  "weighted", "server", "flow", "search", "frames", "sizes", "layers", "straight", "repair", "graph",
  "odd", "cliffs", "choice", "targets", "crowd", "beats", "plans", "world", "cores", "tactics" }

-- The folder in bench/ of each section that measures a part of the library. All other sections are in bench/sections.
local OF_PARTS = { baking = "baking", beats = "crowd", cores = "workers", crowd = "crowd", graph = "graph",
  plans = "crowd", tactics = "tactics", world = "world" }

local USAGE = "usage: lua bench/bench.lua [section ...] [quick] [generated] [folder] [every=N]\n"
  .. "           [rounds=N] [side=N] [count=N] [placements=N] [target=NAME] [csv=FILE]\nsections: "
  .. table.concat(SECTIONS, " ")

-- The amount of work of a run. 'side', 'smallest' and 'largest' are widths of maps in cells. 'queries' and 'sample'
-- are numbers of queries. 'batch' is the number of seconds for which an operation too short for the clock is
-- repeated. 'patience' is the number of seconds per round for the slower side of a comparison. 'cold' is the number
-- of bytes that are read to fill the caches with other data.
local FULL = { side = 512, smallest = 128, largest = 4096, queries = 1000, sample = 100,
  batch = 0.02, patience = 1.5, cold = 48 * 1024 * 1024 }
local QUICK = { side = 48, smallest = 32, largest = 64, queries = 12, sample = 4,
  batch = 0.0005, patience = 0.001, cold = 1024 * 1024 }

local function read_options(arguments)
  local words = { quick = true, generated = true }
  for _, name in ipairs(SECTIONS) do words[name] = true end
  return support.read_arguments(arguments, USAGE,
    { folder = false, every = 1, rounds = 3, side = FULL.largest, count = 3000,
      placements = 100, csv = false, target = false }, words)
end

local function plan_of(options)
  local plan = {}
  for name, value in pairs(options.quick and QUICK or FULL) do plan[name] = value end
  plan.rounds = options.quick and 1 or options.rounds
  plan.largest = options.quick and math.min(plan.largest, options.side) or options.side
  return plan
end

-- Returns the function of a section. If the file of the section is missing, reports the file and returns nil.
local function load_section(name)
  local folder = OF_PARTS[name] or "sections"
  local file_name = ("bench/%s/%s.lua"):format(folder, name)
  local file = io.open(file_name)
  if not file then
    support.message("section " .. name .. " is not run: the file " .. file_name .. " is missing")
    return nil
  end
  file:close()
  return require(("bench.%s.%s"):format(folder, name))
end

local function chosen_sections(options)
  local chosen = {}
  for _, name in ipairs(SECTIONS) do
    if options[name] then chosen[#chosen + 1] = name end
  end
  return #chosen > 0 and chosen or SECTIONS
end

local function main(arguments)
  local options = read_options(arguments)
  local plan, report, wrong = plan_of(options), reports.new(options.csv), 0
  report:note(("astar %s, %s"):format(astar._VERSION, reports.lua_name()))
  for _, name in ipairs(chosen_sections(options)) do
    local run = load_section(name)
    if run then
      wrong = wrong + (run(report, plan, options) or 0)
      collectgarbage()
    end
  end
  report:close()
  reports.clear()
  os.exit(wrong == 0 and 0 or 1)
end

main(arg)
