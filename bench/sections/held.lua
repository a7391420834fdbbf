-- held.lua -- times edits while a search in steps is in progress on the map, as is usual with a queue.
--
-- Each frame edits a cell and then steps the search by a few expansions. For comparison, the same edits
-- run on an equal map without a search. On both maps, edits keep the data up to date that all finders of
-- the grid share. A second table starts and drops thousands of searches, and shows the memory that they
-- leave behind.

local maps = require "bench.maps"
local support = require "bench.support"
local random = require "spec.support.random"

local SEED, US = support.SEED, support.US
local FEW = 16 -- expansions per frame

local clock = os.clock

-- Blocks a random cell in each frame, or unblocks it if it is blocked, and calls between() after each edit. Returns the
-- seconds of the edits, sorted.
local function edit_times(grid, frames, between)
  local dice, times = random.new(SEED), {}
  local width, height = grid:size()
  for frame = 1, frames do
    local x, y = dice:int(1, width), dice:int(1, height)
    local edit = grid:is_blocked(x, y) and grid.unblock or grid.block
    local before = clock()
    edit(grid, x, y)
    times[frame] = clock() - before - support.clock_seconds
    between()
  end
  table.sort(times)
  return times
end

local function mean(times)
  local sum = 0
  for _, seconds in ipairs(times) do sum = sum + seconds end
  return sum / #times
end

-- Measures two equal maps: one without a search, and one on which a search is always in progress. When that search
-- ends, the next search starts. Returns the fields of a row.
local function measure(name, kind, side, frames)
  local free, held = support.grid_of(kind, side), support.grid_of(kind, side)
  local finder, other = held:finder(), free:finder()
  local queries = support.queries(held, SEED, 64)
  support.warm(finder, queries)
  support.warm(other, queries)
  local alone = edit_times(free, frames, function() end)
  local number, ended, search = 0, 0, nil
  local function begin()
    number = number % #queries + 1
    local query = queries[number]
    search = finder:search(query.sx, query.sy, query.gx, query.gy)
  end
  local function step()
    if search:step { expansions = FEW } == "running" then return end
    ended = ended + 1
    search:close()
    begin()
  end
  begin()
  search:step { expansions = FEW }
  collectgarbage()
  local bytes = held:bytes()
  local times = edit_times(held, frames, step)
  local grown = held:bytes() - bytes
  search:close()
  return { name, mean(alone) * US, mean(times) * US, support.ratio(mean(times), mean(alone)),
    support.percentile(alone, 0.99) * US, support.percentile(times, 0.99) * US, ended, grown / 1024 }
end

-- Starts and drops searches, with two edits after each search. Returns the fields of a row: microseconds per search,
-- and the kilobytes by which memory has grown in the end.
local function measure_dropped(name, kind, side, count)
  local grid = support.grid_of(kind, side)
  local finder, dice = grid:finder(), random.new(SEED)
  local queries = support.queries(grid, SEED, 64)
  support.warm(finder, queries)
  collectgarbage()
  local bytes, before = grid:bytes() + collectgarbage "count" * 1024, clock()
  for i = 1, count do
    local query = queries[i % #queries + 1]
    finder:search(query.sx, query.sy, query.gx, query.gy):step { expansions = FEW }
    local x, y = dice:int(1, side), dice:int(1, side)
    grid:block(x, y)
    grid:unblock(x, y)
  end
  local seconds = clock() - before
  collectgarbage()
  collectgarbage()
  return { name, count, seconds / count * US, (grid:bytes() + collectgarbage "count" * 1024 - bytes) / 1024 }
end

return function(report, plan)
  local frames = plan.queries
  report:title(([[
edits while a search is in progress: microseconds per edit of one cell, mean and 99th percentile of %d edits.
"alone": on a map without searches. "search": on a map with a search that advances %d expansions after each edit.
"ended": number of searches that ended meanwhile. "grown kB": kilobytes by which the map has grown]])
    :format(frames, FEW))
  report:section("held", { { "map", "%-12s" }, { "alone us", "%9.2f" }, { "search us", "%10.2f" },
    { "ratio", "%7.2f" }, { "alone p99", "%10.2f" }, { "search p99", "%11.2f" }, { "ended", "%7d" },
    { "grown kB", "%9.1f" } })
  for _, side in ipairs { plan.side, plan.largest } do
    for _, name in ipairs { "open", "caves", "rooms" } do
      support.progress(("making %s, %d"):format(name, side))
      report:row(measure(name .. " " .. side, maps.kind(name), side, frames))
      collectgarbage()
    end
  end
  report:title [[
searches that are started and dropped, with two edits after each search: microseconds per search with its edits, and
kilobytes that are still in use in the end]]
  report:section("dropped", { { "map", "%-12s" }, { "searches", "%9d" }, { "us/search", "%10.2f" },
    { "left kB", "%9.1f" } })
  for _, name in ipairs { "open", "caves", "rooms" } do
    local label = name .. " " .. plan.side
    support.progress("dropping searches, " .. label)
    report:row(measure_dropped(label, maps.kind(name), plan.side, 10 * plan.queries))
  end
end
