-- flow.lua -- times flow fields: nanoseconds per cell, calls of flow:next from Lua, and updates after edits.

local astar = require "astar"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED, US, NS, MS = support.SEED, support.US, support.NS, 1e3
local UNITS = 10000

local function free_cell(grid, dice)
  local x0, y0, x1, y1 = grid:bounds()
  local x, y
  repeat x, y = dice:int(x0, x1), dice:int(y0, y1) until grid:is_walkable(x, y)
  return x, y
end

local function count_cells(flow)
  local count = 0
  for _ in flow:cells() do count = count + 1 end
  return count
end

-- Returns the x and the y of UNITS random free cells.
local function place_units(grid, dice)
  local xs, ys = {}, {}
  for i = 1, UNITS do xs[i], ys[i] = free_cell(grid, dice) end
  return xs, ys
end

local function ask_all(flow, xs, ys)
  for i = 1, #xs do flow:next(xs[i], ys[i]) end
end

-- Returns an item that computes a complete flow.
local function building(finder, x, y)
  return { count = 1, run = function() finder:flow(x, y):complete() end }
end

-- Returns an item that calls flow:next for every unit: the first time, or again ('again') after the flow has cached the
-- answers.
local function asking(finder, x, y, xs, ys, again)
  local flow
  return { count = #xs, prepare = function()
    flow = finder:flow(x, y)
    flow:complete()
    if again then ask_all(flow, xs, ys) end
  end, run = function() ask_all(flow, xs, ys) end }
end

-- Returns an item that blocks and unblocks cells, and updates the whole flow after each edit.
local function mending(grid, flow, cells)
  return { count = #cells, per = 2, run = function()
    for _, cell in ipairs(cells) do
      grid:block(cell.x, cell.y)
      flow:update()
      grid:unblock(cell.x, cell.y)
      flow:update()
    end
  end }
end

-- Returns true if some distance of an updated flow differs from the distance of a new flow.
local function differs(finder, flow, x, y)
  local fresh = finder:flow(x, y)
  for cx, cy, distance in flow:cells() do
    if fresh:distance(cx, cy) ~= distance then return true end
  end
  return false
end

local function measure(report, name, rows, options, plan)
  local grid = astar.grid(rows, options)
  local finder, dice = grid:finder(), random.new(SEED)
  local x, y = free_cell(grid, dice)
  local xs, ys = place_units(grid, dice)
  local flow = finder:flow(x, y)
  local cells = count_cells(flow)
  local edited = support.pick_cells(grid, SEED, plan.sample, function(_, cx, cy) return cx ~= x or cy ~= y end)
  local s = support.compare({
    building(finder, x, y), asking(finder, x, y, xs, ys), asking(finder, x, y, xs, ys, true),
    mending(grid, flow, edited),
    { count = 1, run = function() finder:reach(x, y, 20):complete() end },
    { count = 1, run = function() flow:flee():complete() end },
  }, plan.rounds)
  local wrong = differs(finder, flow, x, y) and 1 or 0
  report:row { name, cells, wrong, s[1] * NS / cells, s[1] * MS, s[2] * UNITS * MS, s[3] * UNITS * MS,
    s[4] * US, s[5] * US, s[6] * MS }
  return wrong
end

return function(report, plan)
  report:title(([[
flow: a complete flow field to one goal, %d x %d: nanoseconds per cell, and milliseconds in all; milliseconds of
10,000 calls of flow:next from Lua, on the first call per cell ("next ms") and on a repeated call ("again ms");
microseconds of flow:update after an edit of one cell; microseconds of a reach of 20; milliseconds of a complete
flow:flee()]]):format(plan.side, plan.side))
  report:section("flow", { { "map", "%-12s" }, { "cells", "%9d" }, { "wrong", "%6d" }, { "ns/cell", "%8.1f" },
    { "ms", "%8.2f" }, { "next ms", "%8.2f" }, { "again ms", "%9.2f" }, { "update us", "%10.1f" },
    { "reach us", "%9.0f" }, { "flee ms", "%8.1f" } })
  local wrong = 0
  for _, kind in ipairs(maps.kinds) do
    support.progress("flow: " .. kind.name)
    local rows = kind.make(SEED, plan.side, plan.side)
    wrong = wrong + measure(report, kind.name, rows, nil, plan)
    wrong = wrong + measure(report, "~" .. kind.name, maps.weighted(SEED, rows), { terrain = maps.terrain }, plan)
  end
  report:note "A map whose name starts with ~ has ground of the costs 1, 2, 3 and 5."
  return wrong
end
