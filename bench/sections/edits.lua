-- edits.lua -- times edits of one cell that keep all data of the grid up to date, and queries directly after edits.

local edits = require "bench.edits"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US, NS = support.SEED, support.US, support.NS

local function print_edits(report, name, grid, plan)
  local finder, edit = grid:finder(), edits.of(grid)
  local cells = support.pick_cells(grid, SEED, plan.queries, support.is_harmless)
  local any = support.pick_cells(grid, SEED, plan.sample, function() return true end)
  local queries = support.queries(grid, SEED, #any)
  local function alone(deed, undo) return edits.item(finder, queries, cells, deed, undo) end
  local function asked(deed, undo) return edits.item_with_query(finder, queries, any, deed, undo) end
  local s = support.compare({
    alone(edit.block, edit.unblock), alone(edit.unblock, edit.block),
    alone(edit.wall, edit.ground), alone(edit.ground, edit.wall),
    asked(edit.none, edit.unblock), asked(edit.block, edit.unblock),
    asked(edit.unblock, edit.block),
  }, plan.rounds)
  for _, cell in ipairs(any) do grid:unblock(cell.x, cell.y) end
  for _, cell in ipairs(cells) do grid:set(cell.x, cell.y, ".") end
  report:row { name, s[1] * NS, s[2] * NS, s[3] * NS, s[4] * NS, s[5] * US, s[6] * US, s[7] * US }
end

local function print_doors(report, name, grid, plan)
  local finder, doors = grid:finder(), edits.doors(grid, plan.sample)
  if #doors == 0 then return end
  support.warm(finder, support.queries(grid, SEED, 3))
  local times = { {}, {}, {}, {} }
  for round = 1, plan.rounds do
    for i, mean in ipairs(edits.try_doors(grid, finder, doors)) do times[i][round] = mean end
  end
  local row = { name, #doors }
  for i = 1, 4 do row[i + 2] = support.median(times[i]) * US end
  report:row(row)
end

return function(report, plan)
  local grids = {}
  for i, name in ipairs { "open", "caves", "rooms", "city" } do
    grids[i] = { name = name, grid = support.grid_of(maps.kind(name), plan.side) }
  end
  report:title(([[
edits of one cell, %d x %d: nanoseconds per edit while bitmaps and components are kept up to date ("wall" and "ground"
change the terrain of the cell); microseconds per query, and per edit of any cell plus a query]])
    :format(plan.side, plan.side))
  report:section("edits", { { "map", "%-12s" }, { "block ns", "%10.0f" },
    { "unblock ns", "%12.0f" }, { "wall ns", "%10.0f" }, { "ground ns", "%11.0f" },
    { "query us", "%10.1f" }, { "block+query", "%13.1f" }, { "unblock+query", "%15.1f" } })
  for _, each in ipairs(grids) do print_edits(report, each.name, each.grid, plan) end
  report:title [[
doors: microseconds of a query from one side of a door to the other, while the door is open, with closing it, while it
is closed, and with opening it]]
  report:section("doors", { { "map", "%-12s" }, { "doors", "%7d" }, { "open", "%10.1f" },
    { "close+query", "%12.1f" }, { "closed", "%10.1f" }, { "open+query", "%12.1f" } })
  for _, each in ipairs(grids) do print_doors(report, each.name, each.grid, plan) end
end
