-- cores.lua -- measures the use of several cores: queries by workers, the time of the script's thread, shared maps.

local astar = require "astar"
local core = require "astar.core"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US = support.SEED, support.US
local clock = core.clock -- wall-clock time, because os.clock adds up the processor time of all threads

local PER_FRAME, DELAY, EDITS = 25, 3, 20

-- Returns a tally with a callback for each query. tally.wrong counts answers whose cost differs from find_path's cost.
local function judge(finder, queries)
  for _, query in ipairs(queries) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
    query.cost = path and path.cost or false
  end
  local tally = { wrong = 0 }
  for i, query in ipairs(queries) do
    tally[i] = function(path)
      if (path and path.cost or false) ~= query.cost then tally.wrong = tally.wrong + 1 end
    end
  end
  return tally
end

local function request(queue, finder, queries, callbacks, first, last)
  for i = first, math.min(last, #queries) do
    local query = queries[i]
    queue:request(finder, query.sx, query.sy, query.gx, query.gy, callbacks[i])
  end
end

-- Runs all queries in one update of a queue with workers or, if 'pool' is nil, by find_path. Returns the queries per
-- second of wall-clock time and per second of processor time.
local function throughput(finder, queries, callbacks, pool, rounds)
  local best, spent = math.huge, math.huge
  for _ = 1, rounds + 1 do
    local before, used = clock(), os.clock()
    if pool then
      local queue = astar.queue { workers = pool, delay = 1 }
      request(queue, finder, queries, callbacks, 1, #queries)
      queue:update()
    else
      support.ask(finder, queries)
    end
    best, spent = math.min(best, clock() - before), math.min(spent, os.clock() - used)
  end
  return #queries / best, #queries / spent
end

-- Runs frames, each of which requests 25 queries and receives 25 answers, with 'pause' seconds between two frames.
-- Returns the first quartile of the seconds that a frame takes in the script's thread.
local function frame_seconds(finder, queries, callbacks, pool, pause)
  local queue, times = astar.queue { workers = pool, delay = DELAY }, {}
  for first = 1, #queries + DELAY * PER_FRAME, PER_FRAME do
    local before = clock()
    request(queue, finder, queries, callbacks, first, first + PER_FRAME - 1)
    queue:update()
    times[#times + 1] = clock() - before
    local next_frame = clock() + pause
    repeat until clock() > next_frame
  end
  table.sort(times)
  return support.percentile(times, 0.25)
end

local function measure_workers(report, name, grid, queries, plan)
  local finder, wrong, alone = grid:finder(), 0, nil
  local callbacks = judge(finder, queries)
  for _, threads in ipairs { 0, 1, 2, 4 } do
    local pool = threads > 0 and astar.workers(threads) or nil
    local per_second, per_cpu_second = throughput(finder, queries, callbacks, pool, plan.rounds)
    alone = alone or per_cpu_second
    local frame = pool and frame_seconds(finder, queries, callbacks, pool, 4 * PER_FRAME / per_second) * US
    local copies, searches
    if pool then
      copies, searches = pool:bytes()
      pool:close()
    end
    report:row { ("%s %d, %d"):format(name, plan.side, threads), per_second, per_cpu_second, per_cpu_second / alone,
      frame, searches and searches / threads / 2 ^ 20, copies and copies / support.cells_of(grid) }
    wrong = wrong + callbacks.wrong
  end
  return wrong
end

local function measure_sharing(report, name, grid, queries, plan)
  local owner, shared_name = grid:clone(), "bench cores " .. name
  owner:share(shared_name)
  local map = astar.shared(shared_name)
  local own, seen = owner:finder(), map:finder()
  local spots = support.pick_cells(owner, SEED, EDITS, support.is_harmless)
  local closed = false
  local publish = support.item(function(count)
    for _ = 1, count do
      closed = not closed
      for _, spot in ipairs(spots) do owner[closed and "block" or "unblock"](owner, spot.x, spot.y) end
      owner:publish()
    end
  end, plan.batch)
  support.warm(own, queries)
  support.warm(seen, queries)
  local s = support.compare({ support.asking(own, queries), support.asking(seen, queries), publish }, plan.rounds)
  report:row { ("%s %d, shared"):format(name, plan.side), s[1] * US, s[2] * US, support.ratio(s[1], s[2]), s[3] * US,
    map:bytes() / support.cells_of(grid) }
  owner:unshare()
end

-- Returns how many answers were wrong.
return function(report, plan)
  local wrong, grids = 0, {}
  report:title([[
cores: queries between random cells by workers; a row with 0 workers uses find_path. "per s" and "per cpu s": queries
per second of wall-clock time, and per second of the processor time of all threads. "ratio": "per cpu s" divided by that
of find_path. "frame us": microseconds of the script's thread in a frame that requests 25 queries and receives 25
answers. "thread MB": memory for searches per worker. "copies B": bytes per cell of the workers' copies of the map]])
  report:section("cores", { { "map, workers", "%-20s" }, { "per s", "%10.0f" }, { "per cpu s", "%10.0f" },
    { "ratio", "%8.2f" }, { "frame us", "%10.1f" }, { "thread MB", "%11.2f" }, { "copies B", "%10.1f" } })
  for _, name in ipairs { "caves", "city" } do
    grids[name] = support.grid_of(maps.kind(name), plan.side)
    local queries = support.queries(grids[name], SEED, plan.queries)
    local is_fine, problem = pcall(astar.workers, 1)
    if not is_fine then -- built without threads
      support.message("cores: " .. problem)
      return 0
    end
    problem:close()
    wrong = wrong + measure_workers(report, name, grids[name], queries, plan)
  end
  report:title([[
sharing: a map shared between threads. Microseconds per query of the owner and of a reader in the same thread; "ratio":
time of the owner divided by the time of the reader; microseconds of 20 edits and their publishing; bytes per cell of
the copies]])
  report:section("sharing", { { "map", "%-20s" }, { "own us", "%8.1f" }, { "reader us", "%10.1f" },
    { "ratio", "%7.2f" }, { "publish us", "%11.1f" }, { "copies B", "%10.1f" } })
  for _, name in ipairs { "caves", "city" } do
    measure_sharing(report, name, grids[name], support.queries(grids[name], SEED, plan.queries), plan)
  end
  return wrong
end
