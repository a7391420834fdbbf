-- benchmarks.lua -- answers the queries of Moving AI scenario files and times them.
--
--     lua bench/benchmarks.lua [folder] [algorithm=NAME] [every=N]
--
-- folder: where the NAME.map and NAME.map.scen files are, at any depth ($ASTAR_BENCHMARKS by
-- default). algorithm: a finder's ("auto"). every: answers each Nth query only (1 = all).
--
-- Prints a row a map and one for all: processor time a query in microseconds, from the call in
-- Lua to the path (mean, median, 99th percentile), and expansions a query and a second. "wrong"
-- counts answers that differ from the published length; the first of each map is told on
-- stderr, and any makes the exit code 1. Run from the project's folder.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"

local USAGE = "usage: lua bench/benchmarks.lua [folder] [algorithm=NAME] [every=N]\n"

local function give_up(message)
  io.stderr:write(message)
  os.exit(2)
end

local function read_arguments(arguments)
  local options = { folder = benchmarks.folder, algorithm = "auto", every = 1 }
  for _, argument in ipairs(arguments) do
    local name, value = argument:match "^(%a+)=(.+)$"
    if name == "algorithm" then
      options.algorithm = value
    elseif name == "every" and value:find "^[1-9]%d*$" then
      options.every = tonumber(value)
    elseif not name and not argument:find "^%-" then
      options.folder = argument
    else
      give_up(USAGE)
    end
  end
  return options
end

-- One line on stderr, written over a few times a second.
local function new_progress(name, count)
  local shown = -1
  return function(done)
    local now = os.clock()
    if now - shown > 0.2 or done == count then
      shown = now
      io.stderr:write(("\r%-36s%6d of %d "):format(name, done, count))
    end
  end
end

local function new_tally()
  return { times = {}, seconds = 0, expanded = 0, wrong = 0 }
end

local function add_answer(tally, seconds, path)
  tally.times[#tally.times + 1] = seconds
  tally.seconds = tally.seconds + seconds
  tally.expanded = tally.expanded + (path and path.expanded or 0)
end

local function add_tally(total, tally)
  for _, seconds in ipairs(tally.times) do
    total.times[#total.times + 1] = seconds
  end
  total.seconds = total.seconds + tally.seconds
  total.expanded = total.expanded + tally.expanded
  total.wrong = total.wrong + tally.wrong
end

-- The time that this share of the sorted times does not exceed.
local function percentile(times, share)
  return times[math.max(1, math.ceil(share * #times))] or 0
end

local function print_header()
  print(("%-36s%8s%6s%11s%11s%11s%12s%12s"):format(
    "map", "queries", "wrong", "mean us", "median us", "p99 us", "exp/query", "exp/s"))
end

local function print_row(name, tally)
  local times, queries = tally.times, math.max(#tally.times, 1)
  table.sort(times)
  print(("%-36s%8d%6d%11.1f%11.1f%11.1f%12.0f%12.3g"):format(
    name, #times, tally.wrong, tally.seconds / queries * 1e6, percentile(times, 0.5) * 1e6,
    percentile(times, 0.99) * 1e6, tally.expanded / queries, tally.expanded / math.max(tally.seconds, 1e-9)))
  io.stdout:flush()
end

local function measure(file, options)
  local finder = astar.movingai.read_map(file.map):finder { algorithm = options.algorithm }
  local scenarios = astar.movingai.read_scenarios(file.scenarios)
  local tally, progress = new_tally(), new_progress(file.name, #scenarios)
  local clock = os.clock
  for i = options.every, #scenarios, options.every do
    local scenario = scenarios[i]
    local sx, sy, gx, gy = scenario.sx, scenario.sy, scenario.gx, scenario.gy
    local before = clock()
    local path, reason = finder:find_path(sx, sy, gx, gy)
    add_answer(tally, clock() - before, path)
    local mistake = benchmarks.mistake(scenario, path, reason)
    if mistake then
      if tally.wrong == 0 then io.stderr:write("\n", file.name, ": ", mistake, "\n") end
      tally.wrong = tally.wrong + 1
    end
    progress(i)
  end
  io.stderr:write("\r", (" "):rep(60), "\r")
  return tally
end

local function main(arguments)
  local options = read_arguments(arguments)
  local files = benchmarks.find(options.folder)
  if #files == 0 then
    give_up("no Moving AI scenario files (*.scen) under " .. options.folder .. "\n" .. USAGE)
  end
  print_header()
  local total = new_tally()
  for _, file in ipairs(files) do
    local tally = measure(file, options)
    print_row(file.name, tally)
    add_tally(total, tally)
    collectgarbage()
  end
  print_row("all", total)
  os.exit(total.wrong == 0 and 0 or 1)
end

main(arg)
