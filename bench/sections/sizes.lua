-- sizes.lua -- times units wider than a cell: building their data, edits that keep this data up to date, their routes.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"
local random = require "spec.support.random"

local SEED = 7
local US, NS = 1e6, 1e9
local SIZES = { 1, 2, 3, 4, 8, 16 }

-- Makes a map with so few walls that large units find routes, too.
local function sparse_rows(side)
  local rows = random.new(SEED):scatter(side, side, 0.002)
  for y, row in ipairs(rows) do rows[y] = table.concat(row) end
  return rows
end

-- Returns an item that builds the data for units of a size. It runs on new copies of the grid that already have the
-- data for units of one cell.
local function building(grid, size, plan)
  local copies, built = {}, {}
  local count = math.ceil(plan.sample / 10)
  return {
    count = count,
    prepare = function()
      built = {}
      for i = 1, count do
        copies[i] = support.copy_of(grid)
        copies[i]:find_path(1, 1, 1, 1)
      end
    end,
    run = function()
      for i = 1, count do
        built[i] = copies[i]:finder { size = size }
        built[i]:find_path(1, 1, 1, 1)
      end
    end,
  }
end

-- Returns queries between random cells on which the unit fits.
local function queries_of(finder, grid, size, count)
  local dice, queries = random.new(SEED), {}
  local width, height = grid:size()
  local function random_cell()
    local x, y
    repeat x, y = dice:int(1, width), dice:int(1, height) until finder:clearance(x, y) >= size
    return x, y
  end
  for i = 1, count do
    local sx, sy = random_cell()
    local gx, gy = random_cell()
    queries[i] = { sx = sx, sy = sy, gx = gx, gy = gy }
  end
  return queries
end

local function asking(finder, queries)
  return { count = #queries, run = function() support.ask(finder, queries) end }
end

-- Returns an item that blocks or unblocks cells while all data for the unit's routes is kept up to date.
local function editing(finder, queries, cells, edit, undo)
  return {
    count = #cells,
    prepare = function()
      for _, cell in ipairs(cells) do undo(cell.x, cell.y) end
      support.warm(finder, queries)
    end,
    run = function()
      for i = 1, #cells do edit(cells[i].x, cells[i].y) end
    end,
  }
end

-- Returns an item that calls finder:clearance for many cells. Its time includes a few nanoseconds of the loop.
local function clearing(finder, cells, plan)
  return support.item(function(n)
    for _ = 1, n do
      for i = 1, #cells do finder:clearance(cells[i].x, cells[i].y) end
    end
  end, plan.batch, #cells)
end

local function measure(size, plain, rough, plan)
  local grid, copy = support.copy_of(plain), support.copy_of(plain)
  local finder, by_astar = grid:finder { size = size }, copy:finder { size = size, algorithm = "astar" }
  local queries = queries_of(finder, grid, size, plan.sample)
  for _, query in ipairs(queries) do support.note_cost(by_astar, query) end
  local tally = support.answer("size " .. size, finder, queries, support.differs, 1)
  local cells = support.pick_cells(grid, SEED, plan.sample, support.is_harmless)
  local function block(x, y) grid:block(x, y) end
  local function unblock(x, y) grid:unblock(x, y) end
  local s = support.compare({
    building(plain, size, plan), building(rough, size, plan), clearing(finder, cells, plan),
    editing(finder, queries, cells, block, unblock), editing(finder, queries, cells, unblock, block),
    asking(finder, queries), asking(by_astar, queries),
  }, plan.rounds)
  return { "size " .. size, s[1] * US, s[2] * US, s[3] * NS, s[4] * NS, s[5] * NS, tally.wrong,
    s[6] * US, s[7] * US }, tally.wrong
end

-- Returns how many answers were wrong.
return function(report, plan)
  local rows, wrong = sparse_rows(plan.side), 0
  local plain = astar.grid(rows)
  local rough = astar.grid(maps.weighted(SEED, rows), { terrain = maps.terrain })
  report:note(([[

sizes, %d x %d cells with few walls: microseconds to build the data for a new size of unit, on ground of one cost
("build") and of four costs ("rough"); for size 1, only the finder is made. Nanoseconds of a call of finder:clearance,
and of an edit that keeps the data of this size up to date. Microseconds per query, by auto and by plain A*]])
    :format(plan.side, plan.side))
  report:section("sizes", { { "unit", "%-10s" }, { "build us", "%9.1f" }, { "rough us", "%10.1f" },
    { "clearance ns", "%14.0f" }, { "block ns", "%10.0f" }, { "unblock ns", "%12.0f" },
    { "wrong", "%7d" }, { "query us", "%10.1f" }, { "A* us", "%10.1f" } })
  for _, size in ipairs(SIZES) do
    support.progress("units of size " .. size)
    local row, mistakes = measure(size, plain, rough, plan)
    report:row(row)
    wrong = wrong + mistakes
    collectgarbage()
  end
  return wrong
end
