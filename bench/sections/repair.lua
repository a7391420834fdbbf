-- repair.lua -- what it takes to notice that a path is blocked, and to make it good again.

local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US, NS = support.SEED, support.US, support.NS

-- Where on its path the block falls, as a share of it.
local PLACES = { 0.1, 0.5, 0.9 }

local function find_paths(finder, queries)
  local paths = {}
  for _, query in ipairs(queries) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
    if path and #path > 20 then paths[#paths + 1] = path end
  end
  return paths
end

-- The seconds of run(path) for every path, each after a block at this share of it.
local function with_block(grid, finder, paths, share, run)
  local sum = 0
  for _, path in ipairs(paths) do
    local x, y = path:cell(math.ceil(#path * share))
    grid:block(x, y)
    finder:find_path(x, y, x, y) -- makes good what edits put off
    sum = sum + support.seconds(function() run(path) end) - support.clock_seconds
    grid:unblock(x, y)
  end
  return sum / #paths
end

-- How much dearer repaired paths are than the best, in the mean; and those that are cheaper: wrong.
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
repair, %d x %d: nanoseconds of is_valid with the grid as it was, and after an edit elsewhere, over
the longest path of so many cells; microseconds until a path is made good that was blocked at this
share of it, "optimal": by a search for all of it; "excess": its cost over the best, percent]])
    :format(plan.side, plan.side))
  report:section("repair", { { "map", "%-16s" }, { "known ns", "%9.0f" }, { "edited ns", "%10.0f" },
    { "cells", "%7d" }, { "repair us", "%10.1f" }, { "optimal us", "%11.1f" }, { "excess", "%8.2f" } })
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
