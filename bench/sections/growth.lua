-- growth.lua -- measures how times and memory grow as the sides of a map double.

local astar = require "astar"
local chart = require "bench.chart"
local edits = require "bench.edits"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US, NS = support.SEED, support.US, support.NS

local GROWTH_COLUMNS = {
  { "map", "%-12s" }, { "load ms", "%9.2f" }, { "first ms", "%10.2f" }, { "us/query", "%10.1f" },
  { "cells", "%7.0f" }, { "waypoints", "%10.1f" }, { "ns/waypoint", "%12.0f" }, { "near us", "%9.1f" },
  { "edit ns", "%9.0f" }, { "door us", "%9.0f" }, { "A* us", "%10.0f" }, { "ratio", "%7.1f" },
  { "rest B", "%7.2f" }, { "auto B", "%7.1f" }, { "A* B", "%6.1f" },
}

-- Returns the mean numbers of cells and of waypoints of the routes.
local function mean_sizes(finder, queries)
  local cells, waypoints = 0, 0
  for _, query in ipairs(queries) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
    if path then
      cells = cells + #path
      waypoints = waypoints + #path:waypoints()
    end
  end
  return cells / #queries, waypoints / #queries
end

local function count_wrong(name, finder, queries)
  support.warm(finder, queries)
  return support.answer(name, finder, queries, support.differs, 1).wrong
end

local function measure_growth(name, rows, plan)
  local load, grid = support.seconds(function() return astar.grid(rows) end)
  local copy, cells = support.copy_of(grid), support.cells_of(grid)
  local auto, plain = grid:finder(), copy:finder { algorithm = "astar" }
  local queries = support.queries(grid, SEED, plan.sample)
  local near = support.queries(grid, SEED, plan.sample, 32)
  local spots = support.pick_cells(grid, SEED, plan.sample, support.is_harmless)
  local first = support.first_milliseconds(auto, queries[1])
  support.progress(name .. ": against plain A*")
  local few = support.affordable(plain, queries, plan.patience)
  local wrong = count_wrong(name, auto, few)
  local path_cells, waypoints = mean_sizes(auto, queries)
  local edit = edits.of(grid)
  local s = support.compare({ support.asking(auto, queries), support.asking(auto, near), support.asking(auto, few),
    support.asking(plain, few), edits.item(auto, near, spots, edit.block, edit.unblock) }, plan.rounds)
  local used, doors = grid:bytes(), edits.doors(grid, math.ceil(plan.sample / 10))
  local door = #doors > 0 and edits.try_doors(grid, auto, doors)[2] * US
  return { name, load * 1e3, first, s[1] * US, path_cells, waypoints, s[1] * NS / waypoints, s[2] * US,
    s[5] * NS, door, s[4] * US, support.ratio(s[4], s[3]), support.bytes_at_rest(grid, queries),
    used / cells, copy:bytes() / cells }, wrong
end

-- The curves of the chart: { mark, name, column, factor from the column's unit to microseconds }.
local CURVES = {
  { "1", "first query", 3, 1e3 }, { "q", "query across the map", 4, 1 }, { "n", "query for a near goal", 8, 1 },
  { "A", "plain A* across the map", 11, 1 },
}

local function draw(report, kind, rows)
  local series = {}
  for i, curve in ipairs(CURVES) do
    series[i] = { mark = curve[1], name = curve[2], points = {} }
    for k, row in ipairs(rows) do series[i].points[k] = { x = row.side, y = row[curve[3]] * curve[4] } end
  end
  report:note(("\n%s, microseconds\n"):format(kind) .. table.concat(chart.lines(series, "us"), "\n"))
end

return function(report, plan)
  local wrong, drawn = 0, {}
  report:title([[
growth: queries on maps whose sides double from row to row. "load": making the grid from strings. "first": the first
query, including all data that it builds. "us/query", "cells", "waypoints": mean time and route of queries between
random cells. "near": goals within 32 cells. "edit": blocking one cell. "door": closing a door plus a query through it.
"ratio": time of plain A* divided by the time of auto, for the same queries. "rest B", "auto B", "A* B": bytes per cell
of the grid, without the memory of searches, with the memory of auto's searches, and with that of plain A*]])
  report:section("growth", GROWTH_COLUMNS)
  for _, kind in ipairs { maps.kind "caves", maps.kind "rooms" } do
    local side, rows = plan.smallest, {}
    while side <= plan.largest do
      local name = kind.name .. " " .. side
      support.progress("making " .. name)
      local row, mistakes = measure_growth(name, kind.make(SEED, side, side), plan)
      report:row(row)
      rows[#rows + 1], row.side = row, side
      wrong = wrong + mistakes
      collectgarbage()
      side = side * 2
    end
    drawn[#drawn + 1] = { kind.name, rows }
  end
  for _, each in ipairs(drawn) do draw(report, each[1], each[2]) end
  return wrong
end
