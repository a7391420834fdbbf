-- repair.lua -- times the check whether a path is blocked, and the repair of a blocked path.

local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US, NS = support.SEED, support.US, support.NS

-- The positions of the block on the path, as shares of the path's length.
local PLACES = { 0.1, 0.5, 0.9 }

local function find_paths(finder, queries)
  local paths = {}
  for _, query in ipairs(queries) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
    if path and #path > 20 then paths[#paths + 1] = path end
  end
  return paths
end

-- Blocks each path at the given share of its length and calls run(path). Returns the mean seconds of run(path).
local function with_block(grid, finder, paths, share, run)
  local sum = 0
  for _, path in ipairs(paths) do
    local x, y = path:cell(math.ceil(#path * share))
    grid:block(x, y)
    finder:find_path(x, y, x, y) -- performs the updates that edits deferred
    sum = sum + support.seconds(function() run(path) end) - support.clock_seconds
    grid:unblock(x, y)
  end
  return sum / #paths
end

-- Returns by how many percent repaired paths cost more than the cheapest paths on average, and the number of wrong
-- answers: repaired paths that cost less.
local function excess(grid, paths, share)
  local sum, count, wrong = 0, 0, 0
  for _, path in ipairs(paths) do
    local x, y = path:cell(math.ceil(#path * share))
    grid:block(x, y)
    local best, repaired = path:repair { optimal = true }, path:repair()
    grid:unblock(x, y)
    if best then
      sum, count = sum + repaired.cost / best.cost - 1, count + 1
      if repaired.cost < best.cost * (1 - 1e-9) then wrong = wrong + 1 end
    end
  end
  return count > 0 and 100 * sum / count, wrong
end

local function measure_checks(grid, paths, plan)
  local path, count = paths[1], 0
  for _, each in ipairs(paths) do
    if #each > #path then path = each end
  end
  local known = support.item(function(n) for _ = 1, n do path:is_valid() end end, plan.batch)
  local edited = support.item(function(n)
    for _ = 1, n do
      count = 1 - count
      grid[count == 1 and "block" or "unblock"](grid, 1, 1)
      path:is_valid()
    end
  end, plan.batch)
  local edit = support.item(function(n)
    for _ = 1, n do
      count = 1 - count
      grid[count == 1 and "block" or "unblock"](grid, 1, 1)
    end
  end, plan.batch)
  local s = support.compare({ known, edited, edit }, plan.rounds)
  return s[1], math.max(s[2] - s[3], 0), #path
end

-- Returns how many answers were wrong.
return function(report, plan)
  local wrong = 0
  report:title(([[
repair, %d x %d: nanoseconds of path:is_valid() on an unchanged grid ("known") and after an edit elsewhere ("edited"),
for the longest path, of "cells" cells; microseconds to repair a path that is blocked at the given percentage of its
length, by path:repair() and with "optimal", which searches the whole path; "excess %%": percent by which repaired
paths cost more than the cheapest paths]])
    :format(plan.side, plan.side))
  report:section("repair", { { "map", "%-16s" }, { "known ns", "%9.0f" }, { "edited ns", "%10.0f" },
    { "cells", "%7d" }, { "repair us", "%10.1f" }, { "optimal us", "%11.1f" }, { "excess %", "%9.2f" } })
  for _, name in ipairs { "open", "caves", "rooms", "city" } do
    local grid = support.grid_of(maps.kind(name), plan.side)
    local finder = grid:finder()
    local paths = find_paths(finder, support.queries(grid, SEED, plan.sample))
    if #paths > 0 then
      local known, edited, cells = measure_checks(grid, paths, plan)
      for _, share in ipairs(PLACES) do
        local repair = with_block(grid, finder, paths, share, function(path) path:repair() end)
        local optimal = with_block(grid, finder, paths, share,
          function(path) path:repair { optimal = true } end)
        local more, mistakes = excess(grid, paths, share)
        wrong = wrong + mistakes
        report:row { ("%s, %d %%"):format(name, share * 100), known * NS, edited * NS, cells,
          repair * US, optimal * US, more }
      end
    end
  end
  return wrong
end
