-- held.lua -- what an edit costs while a search of the map is half done, as one nearly always is in a queue.
--
-- A search asked in steps stands after a few expansions, and each frame edits a cell and steps it once
-- more; beside it the same edits of the same map with nothing under way. Both keep all current that
-- finders share. Then searches are begun and dropped by the thousand: what they leave behind is told.

local maps = require "bench.maps"
local support = require "bench.support"
local random = require "spec.support.random"

local SEED, US = support.SEED, support.US
local FEW = 16 -- expansions a frame

local clock = os.clock

-- The seconds of each edit, sorted: cells that blocks come to, or are taken from where they are.
local function edit_times(grid, frames, between)
  local dice, times = random.new(SEED), {}
  local width, height = grid:size()
  for frame = 1, frames do
    local x, y = dice:int(1, width), dice:int(1, height)
    local deed = grid:is_blocked(x, y) and grid.unblock or grid.block
    local before = clock()
    deed(grid, x, y)
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

-- The same map twice: nothing under way on one, a search on the other, which is begun again when it ends.
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

-- Searches begun and dropped, an edit after each: microseconds each, and what memory has grown by in the end.
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
edits while a search is half done: microseconds of an edit of one cell, %d of them, on a map that
nothing else uses, and with a search that is stepped %d expansions after each; how many of those
ended, most by an edit that they could not go on from; kilobytes that the map has grown by]]):format(frames, FEW))
  report:section("held", { { "map", "%-12s" }, { "alone us", "%9.2f" }, { "held us", "%9.2f" }, { "ratio", "%7.2f" },
    { "alone p99", "%10.2f" }, { "held p99", "%10.2f" }, { "ended", "%7d" }, { "grown kB", "%9.1f" } })
  for _, side in ipairs { plan.side, plan.largest } do
    for _, name in ipairs { "open", "caves", "rooms" } do
      support.progress(("making %s, %d"):format(name, side))
      report:row(measure(name .. " " .. side, maps.kind(name), side, frames))
      collectgarbage()
    end
  end
  report:title "searches begun and dropped, two edits after each: microseconds of it all, and kilobytes left in the end"
  report:section("dropped", { { "map", "%-12s" }, { "searches", "%9d" }, { "us", "%9.2f" }, { "left kB", "%9.1f" } })
  for _, name in ipairs { "open", "caves", "rooms" } do
    local label = name .. " " .. plan.side
    support.progress("dropping searches, " .. label)
    report:row(measure_dropped(label, maps.kind(name), plan.side, 10 * plan.queries))
  end
end
