-- search.lua -- times searches in steps, queues, find_nearest, goals with a range, and schedules.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED = 7
local BUDGET = 2 -- milliseconds per frame
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

-- Prints how many times as long a search in steps takes as the same query in one call.
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

-- Updates a queue until it is empty. Returns the number of frames, the milliseconds by which the longest frame exceeded
-- the budget in wall-clock time and in processor time, and the processor seconds of all frames.
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

-- Compares find_nearest among many goals with a path to each of the goals.
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

-- Compares paths to within 1 of a goal with paths to the cells where they end.
local function print_beside(report, grid, kind, queries, plan)
  local finder, options, ends = grid:finder(), { range = 1 }, {}
  queries = support.spread(queries, plan.sample)
  for i, query in ipairs(queries) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy, options)
    ends[i] = path[#path]
  end
  local function beside()
    for _, query in ipairs(queries) do finder:find_path(query.sx, query.sy, query.gx, query.gy, options) end
  end
  local function to_the_end()
    for i, query in ipairs(queries) do finder:find_path(query.sx, query.sy, ends[i].x, ends[i].y) end
  end
  local seconds = support.compare({ { count = #queries, run = beside }, { count = #queries, run = to_the_end } },
    plan.rounds)
  report:row { kind.name, seconds[1] * 1e6, seconds[2] * 1e6, seconds[1] / seconds[2] }
end

-- Compares routes in time among reserved routes with paths that ignore the reserved routes.
local function print_schedules(report, grid, kind, queries, plan)
  local finder, schedule, reserved = grid:finder(), astar.schedule(grid), 0
  queries = support.spread(queries, plan.sample)
  for i, query in ipairs(queries) do
    local route = i % 2 == 0 and
      schedule:find_path(finder, query.sx, query.sy, query.gx, query.gy, { at = i, stay = false })
    if route and schedule:reserve(route) then reserved = reserved + 1 end
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
  report:row { kind.name, reserved, seconds[1] * 1e6, seconds[2] * 1e6, seconds[1] / seconds[2] }
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

search: searches in steps, %d x %d cells. "one call": microseconds per query without steps. The other columns: time of
the search in steps of so many expansions ("exp") or milliseconds, divided by the time of one call]])
    :format(plan.side, plan.side))
  report:section("slices", { { "map", "%-12s" }, { "algorithm", "%10s" }, { "one call us", "%12.1f" },
    { "1 exp", "%7.3f" }, { "10 exp", "%8.3f" }, { "100 exp", "%8.3f" }, { "1000 exp", "%9.3f" },
    { "0.1 ms", "%7.3f" }, { "1 ms", "%7.3f" } })
  for i, kind in ipairs(kinds()) do
    support.progress("slices: " .. kind.name)
    print_steps(report, grids[i], kind, support.spread(queries[i], plan.sample), plan)
  end

  report:note(([[

queue: %d requests with a budget of %g ms per frame, with Lua's garbage collector on and off. "wall over" and "cpu
over": milliseconds by which the longest frame exceeded the budget, in wall-clock time, which includes pauses by other
programs, and in processor time. "ratio": processor time of all frames divided by the time of the same queries by
find_path]]):format(#queries[1], BUDGET))
  report:section("queue", { { "map", "%-12s" }, { "algorithm", "%10s" }, { "collector", "%10s" },
    { "frames", "%7d" }, { "wall over", "%10.3f" }, { "cpu over", "%9.3f" }, { "ratio", "%7.3f" } })
  for i, kind in ipairs(kinds()) do
    support.progress("queue: " .. kind.name)
    print_queue(report, grids[i], kind, queries[i])
  end

  report:note [[

nearest: microseconds per start of find_nearest among several goals, and of find_path to all of the goals. "ratio":
time of the paths divided by the time of find_nearest]]
  report:section("nearest", { { "map", "%-12s" }, { "goals", "%6d" }, { "nearest us", "%11.1f" },
    { "paths us", "%10.1f" }, { "ratio", "%7.2f" } })
  for i, kind in ipairs(kinds()) do
    support.progress("nearest: " .. kind.name)
    print_nearest(report, grids[i], kind, queries[i], plan)
  end

  report:note [[

beside: microseconds per query of a path to within 1 cell of a goal ("range us"), and of a path to the cell where the
first path ends ("end us")]]
  report:section("beside", { { "map", "%-12s" }, { "range us", "%10.1f" }, { "end us", "%10.1f" },
    { "range / end", "%12.2f" } })
  for i, kind in ipairs(kinds()) do print_beside(report, grids[i], kind, queries[i], plan) end

  report:note [[

schedules: microseconds per query of a route in time among reserved routes, and of a path without a schedule.
"reserved": number of reserved routes]]
  report:section("schedules", { { "map", "%-12s" }, { "reserved", "%9d" }, { "route us", "%10.1f" },
    { "path us", "%10.1f" }, { "route / path", "%13.1f" } })
  for i, kind in ipairs(kinds()) do
    support.progress("schedules: " .. kind.name)
    print_schedules(report, grids[i], kind, queries[i], plan)
  end
end
