-- search.lua -- what slices cost: steps against one go, the queue against its budget, many goals at once,
-- beside a goal, in time.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED = 7
local BUDGET = 2 -- milliseconds a frame
local REQUESTS = 1000

local clock = require("astar.core").clock

local function stepping(finder, queries, n)
  return { count = #queries, run = function()
    for _, query in ipairs(queries) do
      local search = finder:search(query.sx, query.sy, query.gx, query.gy)
      while search:step(n) == "running" do end
      search:path()
      search:close()
    end
  end }
end

local function asking(finder, queries)
  return { count = #queries, run = function() support.ask(finder, queries) end }
end

-- What a slice of a search costs over the one-go run.
local function print_steps(report, grid, kind, queries, plan)
  for _, algorithm in ipairs { "astar", "jps" } do
    local finder = grid:finder { algorithm = algorithm }
    support.warm(finder, queries)
    local items = { asking(finder, queries) }
    local sizes = { 1, 10, 100, 1000, { ms = 0.1 }, { ms = 1 } }
    for i, size in ipairs(sizes) do items[i + 1] = stepping(finder, queries, size) end
    local seconds = support.compare(items, plan.rounds)
    local row = { kind.name, algorithm, seconds[1] * 1e6 }
    for i = 1, #sizes do row[i + 3] = seconds[i + 1] / seconds[1] end
    report:row(row)
  end
end

-- Updates a queue until it is empty: how long frames took at most, over the budget, and in all.
local function drain(queue)
  local worst_wall, worst_processor, frames, total = 0, 0, 0, 0
  local waiting
  repeat
    local wall, processor = clock(), os.clock()
    waiting = queue:update { ms = BUDGET }
    processor, wall = os.clock() - processor, clock() - wall
    worst_wall, worst_processor = math.max(worst_wall, wall), math.max(worst_processor, processor)
    frames, total = frames + 1, total + processor
  until waiting == 0
  return frames, worst_wall * 1e3 - BUDGET, worst_processor * 1e3 - BUDGET, total
end

local function print_queue(report, grid, kind, queries)
  for _, algorithm in ipairs { "auto", "astar" } do
    local finder = grid:finder { algorithm = algorithm }
    support.warm(finder, support.spread(queries, 20))
    local direct = support.seconds(function() support.ask(finder, queries) end)
    for _, collects in ipairs { true, false } do
      local queue = astar.queue()
      for _, query in ipairs(queries) do
        queue:request(finder, query.sx, query.sy, query.gx, query.gy)
      end
      collectgarbage()
      if not collects then collectgarbage "stop" end
      local frames, wall, processor, total = drain(queue)
      collectgarbage "restart"
      report:row { kind.name, algorithm, collects and "on" or "off", frames, wall, processor, total / direct }
    end
  end
end

-- One search for many goals against one path for each of them.
local function print_nearest(report, grid, kind, queries, plan)
  local finder = grid:finder()
  for _, count in ipairs { 2, 4, 9, 16, 64 } do
    local goals = {}
    for i = 1, count do goals[i] = { queries[i % #queries + 1].gx, queries[i % #queries + 1].gy } end
    local starts = support.spread(queries, math.max(plan.sample / 4, 2))
    local function one_search()
      for _, query in ipairs(starts) do finder:find_nearest(query.sx, query.sy, goals) end
    end
    local function one_by_one()
      for _, query in ipairs(starts) do
        for _, goal in ipairs(goals) do finder:find_path(query.sx, query.sy, goal[1], goal[2]) end
      end
    end
    local seconds = support.compare({ { count = #starts, run = one_search },
      { count = #starts, run = one_by_one } }, plan.rounds)
    report:row { kind.name, count, seconds[1] * 1e6, seconds[2] * 1e6, seconds[2] / seconds[1] }
  end
end

-- Beside a thing, against a path to the cell where that ends.
local function print_beside(report, grid, kind, queries, plan)
  local finder, asked, ends = grid:finder(), { range = 1 }, {}
  queries = support.spread(queries, plan.sample)
  for i, query in ipairs(queries) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy, asked)
    ends[i] = path[#path]
  end
  local function beside()
    for _, query in ipairs(queries) do finder:find_path(query.sx, query.sy, query.gx, query.gy, asked) end
  end
  local function to_the_end()
    for i, query in ipairs(queries) do finder:find_path(query.sx, query.sy, ends[i].x, ends[i].y) end
  end
  local seconds = support.compare({ { count = #queries, run = beside }, { count = #queries, run = to_the_end } },
    plan.rounds)
  report:row { kind.name, seconds[1] * 1e6, seconds[2] * 1e6, seconds[1] / seconds[2] }
end

-- Routes in time among others that are taken, against paths without them.
local function print_schedules(report, grid, kind, queries, plan)
  local finder, schedule, taken = grid:finder(), astar.schedule(grid), 0
  queries = support.spread(queries, plan.sample)
  for i, query in ipairs(queries) do
    local route = i % 2 == 0 and
      schedule:find_path(finder, query.sx, query.sy, query.gx, query.gy, { at = i, stay = false })
    if route and schedule:reserve(route) then taken = taken + 1 end
  end
  local function in_time()
    for i, query in ipairs(queries) do
      schedule:find_path(finder, query.sx, query.sy, query.gx, query.gy, { at = i, stay = false })
    end
  end
  local function alone()
    support.ask(finder, queries)
  end
  local seconds = support.compare({ { count = #queries, run = in_time }, { count = #queries, run = alone } },
    plan.rounds)
  report:row { kind.name, taken, seconds[1] * 1e6, seconds[2] * 1e6, seconds[1] / seconds[2] }
end

local function kinds()
  return { maps.kind "caves", maps.kind "rooms", maps.kind "field-35" }
end

return function(report, plan)
  local grids, queries = {}, {}
  for i, kind in ipairs(kinds()) do
    support.progress("making " .. kind.name)
    grids[i] = astar.grid(kind.make(SEED, plan.side, plan.side))
    queries[i] = support.queries(grids[i], SEED, math.min(REQUESTS, plan.queries))
  end

  report:note(([[

search: searches made in slices of n expansions or of milliseconds, %d x %d; microseconds in one go, and
how many times that in slices]]):format(plan.side, plan.side))
  report:section("slices", { { "map", "%-12s" }, { "algorithm", "%10s" }, { "one go us", "%10.1f" },
    { "n 1", "%7.3f" }, { "10", "%7.3f" }, { "100", "%7.3f" }, { "1000", "%7.3f" }, { "0.1 ms", "%7.3f" },
    { "1 ms", "%7.3f" } })
  for i, kind in ipairs(kinds()) do
    support.progress("slices: " .. kind.name)
    print_steps(report, grids[i], kind, support.spread(queries[i], plan.sample), plan)
  end

  report:note(([[

queue: %d requests, %g ms a frame; the longest frame over its budget in milliseconds, by the clock on the
wall, which counts when others have the processor, and by the processor's; with the collector at work
or not; the whole against asking directly]]):format(#queries[1], BUDGET))
  report:section("queue", { { "map", "%-12s" }, { "algorithm", "%10s" }, { "collector", "%10s" },
    { "frames", "%7d" }, { "over ms", "%9.3f" }, { "cpu ms", "%8.3f" }, { "ratio", "%7.3f" } })
  for i, kind in ipairs(kinds()) do
    support.progress("queue: " .. kind.name)
    print_queue(report, grids[i], kind, queries[i])
  end

  report:note [[

nearest: find_nearest among so many goals, and a path to each of them; microseconds a start]]
  report:section("nearest", { { "map", "%-12s" }, { "goals", "%6d" }, { "one us", "%10.1f" },
    { "each us", "%10.1f" }, { "ratio", "%7.2f" } })
  for i, kind in ipairs(kinds()) do
    support.progress("nearest: " .. kind.name)
    print_nearest(report, grids[i], kind, queries[i], plan)
  end

  report:note [[

beside: a path to within 1 of a goal, and one to the cell where it ends; microseconds a question]]
  report:section("beside", { { "map", "%-12s" }, { "beside us", "%10.1f" }, { "end us", "%10.1f" },
    { "times", "%7.2f" } })
  for i, kind in ipairs(kinds()) do print_beside(report, grids[i], kind, queries[i], plan) end

  report:note [[

schedules: routes in time among so many that are taken, and paths without; microseconds a question]]
  report:section("schedules", { { "map", "%-12s" }, { "taken", "%6d" }, { "route us", "%10.1f" },
    { "path us", "%10.1f" }, { "times", "%7.1f" } })
  for i, kind in ipairs(kinds()) do
    support.progress("schedules: " .. kind.name)
    print_schedules(report, grids[i], kind, queries[i], plan)
  end
end
