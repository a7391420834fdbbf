-- edits.lua -- target 5: what an edit costs with all that hangs on it, and `reachable` right after one.

local astar = require "astar"
local edits = require "bench.edits"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED = support.SEED

local clock = os.clock

-- Seconds of one cell blocked while bitmaps and components are kept current.
local function editing(grid, plan)
  local finder, edit = grid:finder(), edits.of(grid)
  local cells = support.pick_cells(grid, SEED, plan.sample, support.is_harmless)
  local item = edits.item(finder, support.queries(grid, SEED, 3), cells, edit.block, edit.unblock)
  return function() return support.time_of(item) end
end

-- Mean and worst of `reachable` right after a cell was blocked.
local function reachable_seconds(grid, plan)
  local finder, sum, worst = grid:finder(), 0, 0
  local cells = support.pick_cells(grid, SEED, plan.sample, function() return true end)
  local query = support.queries(grid, SEED, 1)[1]
  finder:reachable(query.sx, query.sy, query.gx, query.gy)
  for _, cell in ipairs(cells) do
    grid:block(cell.x, cell.y)
    local before = clock()
    finder:reachable(query.sx, query.sy, query.gx, query.gy)
    local took = math.max(clock() - before - support.clock_seconds, 0)
    sum, worst = sum + took, math.max(worst, took)
    grid:unblock(cell.x, cell.y)
    finder:reachable(query.sx, query.sy, query.gx, query.gy)
  end
  return sum / math.max(#cells, 1), worst
end

-- A rectangle is blocked and opened again. A query follows each of the two edits.
local function rectangles(grid, size)
  local finder, side = grid:finder(), grid:size()
  local query = support.queries(grid, SEED, 1)[1]
  size = math.min(size, side)
  return { count = 4, per = 2, run = function(n)
    for i = 1, n do
      local at = 1 + (i * 37) % math.max(side - size, 1)
      grid:block(at, at, size, size)
      finder:reachable(query.sx, query.sy, query.gx, query.gy)
      grid:unblock(at, at, size, size)
      finder:reachable(query.sx, query.sy, query.gx, query.gy)
    end
  end }
end

-- How many times as long a rectangle of so many cells along each side takes as one of half as many.
local function growth_of_rectangle(size, plan)
  local grid = astar.grid(maps.kind("caves").make(SEED, plan.side, plan.side))
  local s = support.compare({ rectangles(grid, size), rectangles(grid, size / 2) }, math.max(plan.rounds, 5))
  return s[1] / math.max(s[2], 1e-9)
end

-- The same of sizes next to each other, where one mechanism may give way to another.
local function step_of_rectangle(size, plan)
  local grid = astar.grid(maps.kind("caves").make(SEED, plan.side, plan.side))
  local s = support.compare({ rectangles(grid, size), rectangles(grid, size - 1) }, math.max(plan.rounds, 5))
  return s[1] / math.max(s[2], 1e-9)
end

return function(aims, plan)
  local sizes = { { plan.side, 3, 50 }, { math.min(plan.largest, 4 * plan.side), 10, false } }
  for _, size in ipairs(sizes) do
    local side = size[1]
    support.progress(("targets: edits, %d"):format(side))
    aims:time(("5 edit of one cell, open ground of %d"):format(side), "us", size[2],
      editing(astar.grid(side, side), plan))
    local caves = astar.grid(maps.kind("caves").make(SEED, side, side))
    aims:time(("5 edit of one cell, caves of %d"):format(side), "us", size[2], editing(caves, plan))
    for _, kind in ipairs { "maze-8", "rooms" } do
      local grid, worst = support.grid_of(maps.kind(kind), side), math.huge
      local function mean()
        local seconds, most = reachable_seconds(grid, plan)
        worst = math.min(worst, most)
        return seconds
      end
      local what = ("5 is_reachable after a block, %s of %d: "):format(kind, side)
      aims:time(what .. "mean", "us", size[3] or 1000, mean)
      aims:time(what .. "longest", "us", 1000, function() return worst end, 1)
    end
  end
  for _, size in ipairs { 32, 64, 128 } do
    aims:most(("5 edit of %d x %d cells: / %d x %d"):format(size, size, size / 2, size / 2), 4.4,
      growth_of_rectangle(size, plan))
  end
  aims:most("5 edit of 64 x 64 cells: / 63 x 63", 1.1, step_of_rectangle(64, plan))
end
