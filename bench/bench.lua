-- bench.lua -- measures astar as a script meets it: through Lua.
--
--     lua bench/bench.lua [section ...] [quick] [folder] [name=value ...]
--
-- A section is a file of bench/sections, or of the folder of a part, listed below; by default all are run. folder:
-- Moving AI maps and scenarios for the section maps ($ASTAR_BENCHMARKS by default; made ones when there are
-- none, or with the word generated). every=N: each Nth query of them only. rounds=N: how often all
-- is measured, the median counts (3). side=N: where growth, frames and first answers end (4096, at most
-- 16384). count=N: how many frames of each kind (3000). placements=N: in how many places each odd thing
-- is put (100). target=NAME: of the targets that file of bench/targets only. csv=FILE: all numbers as CSV,
-- too, which bench/plot.lua draws and bench/pages.lua puts into docs/. quick: tiny maps, a second or two in
-- all: to see whether it works, not how fast.
--
-- Tables go to stdout, progress to stderr. Times are processor time. Nothing here fails for being
-- slow, but a wrong answer makes the exit code 1. Run from the project's folder.

local astar = require "astar"
local reports = require "bench.report"
local support = require "bench.support"

-- In the order in which they are run. The file of a section returns
-- function(report, plan, options), which returns how many answers were wrong, if it knows.
local SECTIONS = { "games", "maps", "baking", "binding", "callbacks", "edits", "held", "noroute", "growth",
  "weighted", "server", "flow", "search", "frames", "sizes", "layers", "straight", "repair", "graph",
  "odd", "cliffs", "choice", "targets", "crowd", "beats", "plans", "world", "cores", "tactics" }

-- The folders in bench/ of sections that measure a part. All others lie in bench/sections.
local OF_PARTS = { baking = "baking", beats = "crowd", cores = "workers", crowd = "crowd", graph = "graph",
  plans = "crowd", tactics = "tactics", world = "world" }

local USAGE = "usage: lua bench/bench.lua [section ...] [quick] [generated] [folder] [every=N]\n"
  .. "           [rounds=N] [side=N] [count=N] [placements=N] [target=NAME] [csv=FILE]\nsections: "
  .. table.concat(SECTIONS, " ")

-- How much is measured. 'batch' is the seconds that a batch of a thing too small for the clock
-- lasts; 'patience' those that the slow side of a comparison may take a round.
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

-- The function of a section, or nil after a word that its file is missing.
local function load_section(name)
  local folder = OF_PARTS[name] or "sections"
  local file_name = ("bench/%s/%s.lua"):format(folder, name)
  local file = io.open(file_name)
  if not file then
    support.tell("section " .. name .. " is not run: there is no " .. file_name)
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
