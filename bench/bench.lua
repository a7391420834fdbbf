-- bench.lua -- measures astar as a script meets it: through Lua.
--
--     lua bench/bench.lua [section ...] [quick] [folder] [name=value ...]
--
-- Sections: maps binding callbacks edits noroute growth weighted (default: all of them). folder:
-- Moving AI maps and scenarios for the section maps ($ASTAR_BENCHMARKS by default; made ones when
-- there are none, or with the word generated). every=N: each Nth query of them only. rounds=N: how
-- often all is measured, the median counts (3). side=N: where growth ends (4096). csv=FILE: all
-- numbers as CSV, too; bench/plot draws them. quick: tiny maps, a second or two in all: to see
-- whether it works, not how fast.
--
-- Tables go to stdout, progress to stderr. Times are processor time. Nothing here fails for being
-- slow, but a wrong answer makes the exit code 1. Run from the project's folder.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local maps = require "bench.maps"
local support = require "bench.support"

local USAGE = [[
usage: lua bench/bench.lua [maps] [binding] [callbacks] [edits] [noroute] [growth] [weighted]
           [quick] [generated] [folder] [every=N] [rounds=N] [side=N] [csv=FILE] ]]

local SEED = 7
local US, NS = 1e6, 1e9

-- How much is measured. 'batch' is the seconds that a batch of a thing too small for the clock
-- lasts; 'patience' those that the slow side of a comparison may take a round.
local FULL = { side = 512, smallest = 128, largest = 4096, queries = 1000, sample = 100,
  batch = 0.02, patience = 1.5, cold = 24 * 1024 * 1024 }
local QUICK = { side = 48, smallest = 32, largest = 64, queries = 12, sample = 4,
  batch = 0.0005, patience = 0.001, cold = 1024 * 1024 }

-- ---- what several sections need ----

local wrong_answers = 0

local function grid_of(kind, side)
  support.progress(("making %s, %d x %d"):format(kind.name, side, side))
  return astar.grid(kind.make(SEED, side, side))
end

-- For support.compare: asks all queries, a count each.
local function asking(finder, queries)
  return { count = #queries, run = function() support.ask(finder, queries) end }
end

local function cells_of(grid)
  local width, height = grid:size()
  return width * height
end

-- Bytes a cell that a grid takes up without the memory that a search works in: while a callback
-- runs, its search has that with it. nil when none of the queries asks a callback.
local function bytes_at_rest(grid, queries)
  local bytes
  local finder = grid:finder { cost = function(_, _, _, cost)
    bytes = bytes or grid:bytes()
    return cost
  end }
  for _, query in ipairs(queries) do
    if bytes then break end
    finder:find_path(query.sx, query.sy, query.gx, query.gy)
  end
  return bytes and bytes / cells_of(grid)
end

local function print_title(report, text)
  report:note("\n" .. text)
end

-- ---- maps ----

local MAP_COLUMNS = {
  { "map", "%-28s" }, { "queries", "%8d" }, { "wrong", "%6d" }, { "mean us", "%9.1f" },
  { "median", "%8.1f" }, { "p99", "%9.1f" }, { "exp/query", "%10.0f" }, { "first ms", "%9.2f" },
  { "cold us", "%9.1f" }, { "A* us", "%9.0f" }, { "ratio", "%7.1f" }, { "rest B", "%7.2f" },
  { "auto B", "%7.1f" }, { "A* B", "%6.1f" },
}

-- The mean time of queries each of which finds the caches full of something else.
local function cold_seconds(finder, queries, size)
  local something, total, found = ("x"):rep(size), 0, 0
  for i, query in ipairs(queries) do
    -- Looks at every byte, in vain. No two alike: a compiler might spare itself the second.
    if something:find("y", i, true) then found = found + 1 end
    local seconds = support.seconds(function()
      finder:find_path(query.sx, query.sy, query.gx, query.gy)
    end)
    total = total + seconds - support.clock_seconds
  end
  return total / (#queries + found)
end

-- A source of queries: { name =, grid =, queries =, judge = }; each is made when its turn comes.
local function scenario_sources(files, every)
  local sources = {}
  for i, file in ipairs(files) do
    sources[i] = function()
      local all, queries = astar.movingai.read_scenarios(file.scenarios), {}
      for k = every, #all, every do queries[#queries + 1] = all[k] end
      return { name = file.name, grid = astar.movingai.read_map(file.map), queries = queries,
        judge = benchmarks.mistake }
    end
  end
  return sources
end

local function generated_sources(plan)
  local sources = {}
  for i, kind in ipairs(maps.kinds) do
    sources[i] = function()
      local grid = grid_of(kind, plan.side)
      local function judge(_, path, reason) return not path and reason or nil end
      return { name = kind.name .. "-" .. plan.side, grid = grid, judge = judge,
        queries = support.queries(grid, SEED, plan.queries) }
    end
  end
  return sources
end

local function map_sources(report, options, plan)
  if options.folder then
    return scenario_sources(support.scenario_files(options.folder, USAGE), options.every)
  end
  local files = benchmarks.find(benchmarks.folder)
  if #files > 0 and not options.generated and not options.quick then
    return scenario_sources(files, options.every)
  end
  report:note "(made from a seed; wrong: against plain A*, on the sample)"
  return generated_sources(plan)
end

local function first_milliseconds(finder, query)
  return support.seconds(function()
    finder:find_path(query.sx, query.sy, query.gx, query.gy)
  end) * 1e3
end

-- All about one map: the fields of its row.
local function measure_map(source, plan)
  local grid, queries = source.grid, source.queries
  local copy, cells = grid:clone(), cells_of(grid)
  local auto, plain = grid:finder(), copy:finder { algorithm = "astar" }
  local sample = support.spread(queries, plan.sample)
  local first = first_milliseconds(auto, sample[math.ceil(#sample / 2)])
  support.warm(auto, queries)
  for _, query in ipairs(sample) do support.note_cost(plain, query) end

  support.progress(source.name .. ": against plain A*")
  local seconds = support.compare({ asking(auto, queries), asking(auto, sample),
    asking(plain, sample) }, plan.rounds)
  local tally = support.answer(source.name, auto, queries, function(query, path, reason)
    return source.judge(query, path, reason) or support.differs(query, path, reason)
  end, 1)
  table.sort(tally.times)
  local cold = cold_seconds(auto, sample, plan.cold)
  local used, copy_used = grid:bytes(), copy:bytes()

  return { source.name, #queries, tally.wrong, seconds[1] * US,
    support.percentile(tally.times, 0.5) * US, support.percentile(tally.times, 0.99) * US,
    tally.expanded / #queries, first, cold * US, seconds[3] * US,
    support.ratio(seconds[3], seconds[2]), bytes_at_rest(grid, sample), used / cells,
    copy_used / cells }
end

-- Sums, means by query, and the geometric mean of the ratios.
local function new_total()
  return { queries = 0, wrong = 0, microseconds = 0, expanded = 0, logs = 0, ratios = 0 }
end

local function add_to_total(total, row)
  total.queries = total.queries + row[2]
  total.wrong = total.wrong + row[3]
  total.microseconds = total.microseconds + row[2] * row[4]
  total.expanded = total.expanded + row[2] * row[7]
  if row[11] then
    total.logs = total.logs + math.log(row[11])
    total.ratios = total.ratios + 1
  end
end

local function total_row(total)
  return { "all (ratio: geometric mean)", total.queries, total.wrong,
    support.ratio(total.microseconds, total.queries), nil, nil,
    support.ratio(total.expanded, total.queries), nil, nil, nil,
    total.ratios > 0 and math.exp(total.logs / total.ratios) }
end

local sections = {}

function sections.maps(report, plan, options)
  print_title(report, ([[
maps: microseconds a query; "A* us" and "ratio" to it on up to %d of the queries; "first": with all
that is built for later ones; "cold": after %d MB streamed through the caches; bytes a cell of the
grid: at rest, with the memory that searches keep, and with that of plain A* only]])
    :format(plan.sample, plan.cold / 1048576))
  local sources, total = map_sources(report, options, plan), new_total()
  report:section("maps", MAP_COLUMNS)
  for _, make in ipairs(sources) do
    local source = make()
    if #source.queries > 0 then
      local row = measure_map(source, plan)
      report:row(row)
      add_to_total(total, row)
    end
    collectgarbage()
  end
  report:row(total_row(total))
  wrong_answers = wrong_answers + total.wrong
end

-- ---- binding ----

-- Runs named items by turns and prints a row each: nanoseconds an operation.
local function print_items(report, names, items, plan)
  local seconds = support.compare(items, plan.rounds)
  for i, name in ipairs(names) do report:row { name, seconds[i] * NS } end
end

local function binding_items(plan)
  local names, items = {}, {}
  local function add(name, run, per)
    names[#names + 1] = name
    items[#items + 1] = support.item(run, plan.batch, per)
  end
  return names, items, add
end

local function add_calls(add, path)
  local grid = astar.grid(64, 64)
  local finder = grid:finder()
  add("the loop itself", function(n) for _ = 1, n do end end)
  add("#path", function(n)
    local sum = 0
    for _ = 1, n do sum = sum + #path end
    return sum
  end)
  add("grid:version()", function(n) for _ = 1, n do grid:version() end end)
  add("find_path, start = goal", function(n)
    for _ = 1, n do finder:find_path(30, 30, 30, 30) end
  end)
  add("find_path, goal beside start", function(n)
    for _ = 1, n do finder:find_path(30, 30, 31, 30) end
  end)
  add("find_path, ten cells straight", function(n)
    for _ = 1, n do finder:find_path(30, 30, 40, 30) end
  end)
  add("grid:find_path, start = goal", function(n)
    for _ = 1, n do grid:find_path(30, 30, 30, 30) end
  end)
  add("reachable, goal beside start", function(n)
    for _ = 1, n do finder:reachable(30, 30, 31, 30) end
  end)
end

local function add_walks(add, path)
  local cells = #path
  add("cells(), a cell", function(n)
    local sum = 0
    for _ = 1, n do
      for x, y in path:cells() do sum = sum + x + y end
    end
    return sum
  end, cells)
  add("cell(i), a cell", function(n)
    local sum = 0
    for _ = 1, n do
      for i = 1, cells do
        local x, y = path:cell(i)
        sum = sum + x + y
      end
    end
    return sum
  end, cells)
  add("path[i], a cell", function(n)
    local sum = 0
    for _ = 1, n do
      for i = 1, cells do sum = sum + path[i].x end
    end
    return sum
  end, cells)
  add("cells_flat(), a cell", function(n) for _ = 1, n do path:cells_flat() end end, cells)
  add("totable(), a cell", function(n) for _ = 1, n do path:totable() end end, cells)
end

-- The longest of some routes.
local function long_path(grid, plan)
  local finder, longest = grid:finder(), nil
  for _, query in ipairs(support.queries(grid, SEED, plan.sample)) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
    if not longest or #path > #longest then longest = path end
  end
  return longest
end

function sections.binding(report, plan)
  local path = long_path(grid_of(maps.kind "caves", plan.side), plan)
  print_title(report, ("binding: nanoseconds; the path walked has %d cells and %d turning points")
    :format(#path, #path:waypoints()))
  report:section("binding", { { "call", "%-32s" }, { "ns", "%10.1f" } })
  local names, items, add = binding_items(plan)
  add_calls(add, path)
  add_walks(add, path)
  print_items(report, names, items, plan)
end

-- ---- callbacks ----

-- What a callback says that changes nothing, and the same counting how often it is asked.
local CALLBACKS = {
  { name = "cost", answer = function(_, _, _, cost) return cost end },
  { name = "step_cost", answer = function(_, _, _, _, cost) return cost end },
  { name = "heuristic", answer = function(dx, dy)
    return dx < dy and dy + 0.41421356237309503 * dx or dx + 0.41421356237309503 * dy
  end },
}

local function count_asked(grid, callback, queries)
  local asked = 0
  support.ask(grid:finder { algorithm = "astar", [callback.name] = function(...)
    asked = asked + 1
    return callback.answer(...)
  end }, queries)
  return asked
end

local function expanded_by(finder, queries)
  local sum = 0
  for _, query in ipairs(queries) do
    sum = sum + finder:find_path(query.sx, query.sy, query.gx, query.gy).expanded
  end
  return sum
end

-- What a C function of Lua's own takes to call one: string.gsub, once a character.
local function library_call(plan)
  local text, per = ("x"):rep(100), 100
  local function answer() return nil end
  return support.item(function(n)
    for _ = 1, n do text:gsub(".", answer) end
  end, plan.batch, per)
end

-- What such a call costs where Lua itself makes it.
local function bare_call(callback, plan)
  local answer = callback.answer
  return support.item(function(n)
    local sum = 0
    for i = 1, n do sum = sum + answer(i, 7, ".", 2, 2) end
    return sum
  end, plan.batch)
end

-- Plain A* by the data and then by each callback; then the callbacks called by Lua itself; then
-- a callback of Lua's own library.
local function callback_items(grid, data, queries, plan)
  local items, expanded = { asking(data, queries) }, { expanded_by(data, queries) }
  for _, callback in ipairs(CALLBACKS) do
    local finder = grid:finder { algorithm = "astar", [callback.name] = callback.answer }
    items[#items + 1] = asking(finder, queries)
    expanded[#expanded + 1] = expanded_by(finder, queries)
  end
  for _, callback in ipairs(CALLBACKS) do
    items[#items + 1] = bare_call(callback, plan)
  end
  items[#items + 1] = library_call(plan)
  return items, expanded
end

local function print_callbacks(report, grid, queries, seconds, expanded)
  local count = #queries
  report:row { "data", seconds[1] * US, expanded[1] / count }
  for i, callback in ipairs(CALLBACKS) do
    local asked = count_asked(grid, callback, queries) / count
    report:row { callback.name, seconds[1 + i] * US, expanded[1 + i] / count, asked,
      (seconds[1 + i] - seconds[1]) * NS / asked, seconds[1 + #CALLBACKS + i] * NS }
  end
  report:row { "(string.gsub)", nil, nil, nil, seconds[#seconds] * NS }
end

function sections.callbacks(report, plan)
  local side = math.floor(plan.side / 2)
  local rows = maps.weighted(SEED, maps.caves(SEED, side, side))
  local grid = astar.grid(rows, { terrain = maps.terrain })
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 4))
  local data = grid:finder { algorithm = "astar" }
  local items, expanded = callback_items(grid, data, queries, plan)
  local seconds = support.compare(items, plan.rounds)
  print_title(report, ([[
callbacks: plain A* over rough ground, %d x %d; "ns asked": what asking takes more than the same
numbers as data, and, to compare with, what string.gsub takes for a callback; "Lua call": what it
takes Lua itself to call that function]]):format(side, side))
  report:section("callbacks", { { "costs from", "%-16s" }, { "us/query", "%10.1f" },
    { "exp/query", "%11.0f" }, { "asked/query", "%13.0f" }, { "ns asked", "%10.1f" },
    { "Lua call", "%10.1f" } })
  print_callbacks(report, grid, queries, seconds, expanded)
end

-- ---- edits ----

-- A batch of edits, one a cell. Before it, 'undo' of all, and queries, which make good what was
-- put off, so that every edit has all to keep current.
local function edit_item(finder, queries, cells, edit, undo)
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

-- The same with a query after each edit.
local function edit_and_ask_item(finder, queries, cells, edit, undo)
  local item = edit_item(finder, queries, cells, edit, undo)
  item.run = function()
    for i = 1, #cells do
      edit(cells[i].x, cells[i].y)
      local query = queries[i]
      finder:find_path(query.sx, query.sy, query.gx, query.gy)
    end
  end
  return item
end

local function edits_of(grid)
  return {
    block = function(x, y) grid:block(x, y) end,
    unblock = function(x, y) grid:unblock(x, y) end,
    wall = function(x, y) grid:set(x, y, "#") end,
    ground = function(x, y) grid:set(x, y, ".") end,
    none = function() end,
  }
end

local function print_edits(report, name, grid, plan)
  local finder, edit = grid:finder(), edits_of(grid)
  local cells = support.pick_cells(grid, SEED, plan.queries, support.is_harmless)
  local any = support.pick_cells(grid, SEED, plan.sample, function() return true end)
  local queries = support.queries(grid, SEED, #any)
  local function alone(deed, undo) return edit_item(finder, queries, cells, deed, undo) end
  local function asked(deed, undo) return edit_and_ask_item(finder, queries, any, deed, undo) end
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

-- Cells between two walls: { x =, y =, dx =, dy = }, the latter the way through.
local function doors_of(grid, count)
  local doors = support.pick_cells(grid, SEED, count, support.is_door)
  for _, door in ipairs(doors) do
    door.dx = grid:is_walkable(door.x + 1, door.y) and 1 or 0
    door.dy = 1 - door.dx
  end
  return doors
end

-- From one side of each door to the other: while it is open, right after it was closed, once
-- more, and right after it was opened. The mean seconds of each.
local function try_doors(grid, finder, doors)
  local means = { 0, 0, 0, 0 }
  for _, door in ipairs(doors) do
    local dx, dy = door.dx, door.dy
    local function through()
      finder:find_path(door.x - dx, door.y - dy, door.x + dx, door.y + dy)
    end
    local tries = { through, function() grid:block(door.x, door.y) through() end, through,
      function() grid:unblock(door.x, door.y) through() end }
    for i, try in ipairs(tries) do
      means[i] = means[i] + (support.seconds(try) - support.clock_seconds) / #doors
    end
  end
  return means
end

local function print_doors(report, name, grid, plan)
  local finder, doors = grid:finder(), doors_of(grid, plan.sample)
  if #doors == 0 then return end
  support.warm(finder, support.queries(grid, SEED, 3))
  local times = { {}, {}, {}, {} }
  for round = 1, plan.rounds do
    for i, mean in ipairs(try_doors(grid, finder, doors)) do times[i][round] = mean end
  end
  local row = { name, #doors }
  for i = 1, 4 do row[i + 2] = support.median(times[i]) * US end
  report:row(row)
end

function sections.edits(report, plan)
  local grids = {}
  for i, name in ipairs { "open", "caves", "rooms", "city" } do
    grids[i] = { name = name, grid = grid_of(maps.kind(name), plan.side) }
  end
  print_title(report, ([[
edits of one cell, %d x %d: nanoseconds each, all bitmaps and components live; microseconds of a
query alone, and of a query with an edit before it, of any cell]]):format(plan.side, plan.side))
  report:section("edits", { { "map", "%-12s" }, { "block ns", "%10.0f" },
    { "unblock ns", "%12.0f" }, { "wall ns", "%10.0f" }, { "ground ns", "%11.0f" },
    { "query us", "%10.1f" }, { "block+query", "%13.1f" }, { "unblock+query", "%15.1f" } })
  for _, each in ipairs(grids) do print_edits(report, each.name, each.grid, plan) end
  print_title(report, "doors: microseconds of a query from one side to the other")
  report:section("doors", { { "map", "%-12s" }, { "doors", "%7d" }, { "open", "%10.1f" },
    { "closing it", "%12.1f" }, { "closed", "%10.1f" }, { "opening it", "%12.1f" } })
  for _, each in ipairs(grids) do print_doors(report, each.name, each.grid, plan) end
end

-- ---- no route ----

-- Puts a ring of blocks around a free cell in the middle of the map; the cell.
local function enclose(grid)
  local width, height = grid:size()
  local x, y = math.floor(width / 2), math.floor(height / 2)
  while not grid:is_walkable(x, y) do x = x + 1 end
  grid:block(x - 4, y - 4, 9, 1)
  grid:block(x - 4, y + 4, 9, 1)
  grid:block(x - 4, y - 4, 1, 9)
  grid:block(x + 4, y - 4, 1, 9)
  return x, y
end

local function corner_cell(grid)
  local x = 1
  while not grid:is_walkable(x, 1) do x = x + 1 end
  return x, 1
end

local function print_no_route(report, name, grid, plan)
  local x, y = enclose(grid)
  local far_x, far_y = corner_cell(grid)
  local finder = grid:finder()
  local path, reason = finder:find_path(far_x, far_y, x, y)
  if path or reason ~= "unreachable" then
    support.tell(("noroute, %s: expected unreachable, got %s"):format(name, tostring(reason)))
    wrong_answers = wrong_answers + 1
  end
  local function item(run) return support.item(run, plan.batch) end
  local s = support.compare({
    item(function(n) for _ = 1, n do finder:find_path(far_x, far_y, x, y) end end),
    item(function(n) for _ = 1, n do finder:find_path(x, y, far_x, far_y) end end),
    item(function(n) for _ = 1, n do finder:reachable(far_x, far_y, x, y) end end),
    item(function(n) for _ = 1, n do finder:find_path(x, y, x, y) end end),
  }, plan.rounds)
  report:row { name, s[1] * NS, s[2] * NS, s[3] * NS, s[4] * NS }
end

function sections.noroute(report, plan)
  print_title(report, ([[
no route, %d x %d: nanoseconds until "unreachable" into a walled yard, and out of it; until false
from reachable; and, to compare with, of a query whose start is its goal]])
    :format(plan.side, plan.side))
  report:section("noroute", { { "map", "%-12s" }, { "into ns", "%10.0f" }, { "out ns", "%10.0f" },
    { "reachable ns", "%14.0f" }, { "start=goal ns", "%15.0f" } })
  for _, kind in ipairs(maps.kinds) do
    print_no_route(report, kind.name, grid_of(kind, plan.side), plan)
  end
end

-- ---- growth ----

local GROWTH_COLUMNS = {
  { "map", "%-12s" }, { "load ms", "%9.2f" }, { "first ms", "%10.2f" }, { "us/query", "%10.1f" },
  { "cells", "%7.0f" }, { "turns", "%7.1f" }, { "ns/turn", "%9.0f" }, { "near us", "%9.1f" },
  { "edit ns", "%9.0f" }, { "door us", "%9.0f" }, { "A* us", "%10.0f" }, { "ratio", "%7.1f" },
  { "rest B", "%7.2f" }, { "auto B", "%7.1f" }, { "A* B", "%6.1f" },
}

-- How many cells and turning points routes have, in the mean.
local function mean_sizes(finder, queries)
  local cells, turns = 0, 0
  for _, query in ipairs(queries) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
    if path then
      cells = cells + #path
      turns = turns + #path:waypoints()
    end
  end
  return cells / #queries, turns / #queries
end

local function count_wrong(name, finder, queries)
  support.warm(finder, queries)
  wrong_answers = wrong_answers + support.answer(name, finder, queries, support.differs, 1).wrong
end

local function measure_growth(name, rows, plan)
  local load, grid = support.seconds(function() return astar.grid(rows) end)
  local copy, cells = grid:clone(), cells_of(grid)
  local auto, plain = grid:finder(), copy:finder { algorithm = "astar" }
  local queries = support.queries(grid, SEED, plan.sample)
  local near = support.queries(grid, SEED, plan.sample, 32)
  local spots = support.pick_cells(grid, SEED, plan.sample, support.is_harmless)
  local first = first_milliseconds(auto, queries[1])
  support.progress(name .. ": against plain A*")
  local few = support.affordable(plain, queries, plan.patience)
  count_wrong(name, auto, few)
  local path_cells, turns = mean_sizes(auto, queries)
  local edit = edits_of(grid)
  local s = support.compare({ asking(auto, queries), asking(auto, near), asking(auto, few),
    asking(plain, few), edit_item(auto, near, spots, edit.block, edit.unblock) }, plan.rounds)
  local used, doors = grid:bytes(), doors_of(grid, math.ceil(plan.sample / 10))
  local door = #doors > 0 and try_doors(grid, auto, doors)[2] * US
  return { name, load * 1e3, first, s[1] * US, path_cells, turns, s[1] * NS / turns, s[2] * US,
    s[5] * NS, door, s[4] * US, support.ratio(s[4], s[3]), bytes_at_rest(grid, queries),
    used / cells, copy:bytes() / cells }
end

function sections.growth(report, plan)
  print_title(report, [[
growth: routes across maps of doubling sides, and to goals within 32 cells ("near"); "load" makes
the grid of strings; "first": the first query, with all that is built for later ones; "edit": one
cell blocked; "door": closed, and the query from one side to the other; "ratio" to plain A* on the
same few queries; bytes a cell as for maps]])
  report:section("growth", GROWTH_COLUMNS)
  for _, kind in ipairs { maps.kind "caves", maps.kind "rooms" } do
    local side = plan.smallest
    while side <= plan.largest do
      local name = kind.name .. " " .. side
      support.progress("making " .. name)
      report:row(measure_growth(name, kind.make(SEED, side, side), plan))
      collectgarbage()
      side = side * 2
    end
  end
end

-- ---- weighted ----

local function measure_weighted(name, grid, plan)
  local copy = grid:clone()
  local auto, plain = grid:finder(), copy:finder { algorithm = "astar" }
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 2))
  for _, query in ipairs(queries) do support.note_cost(plain, query) end
  support.warm(auto, queries)
  local tally = support.answer(name, auto, queries, support.differs, 1)
  wrong_answers = wrong_answers + tally.wrong
  local query = queries[1]
  local path = auto:find_path(query.sx, query.sy, query.gx, query.gy)
  local expanded = expanded_by(plain, queries) / #queries
  local s = support.compare({ asking(auto, queries), asking(plain, queries) }, plan.rounds)
  return { name, #queries, tally.wrong, path.algorithm, s[1] * US, s[2] * US,
    support.ratio(s[2], s[1]), expanded, support.ratio(expanded / 1e6, s[2]),
    copy:bytes() / cells_of(copy) }
end

function sections.weighted(report, plan)
  print_title(report, ([[
weighted: rough ground of costs 1, 2, 3 and 5, %d x %d; expansions, a query and millions a second,
and bytes a cell are plain A*'s]]):format(plan.side, plan.side))
  report:section("weighted", { { "map", "%-12s" }, { "queries", "%8d" }, { "wrong", "%7d" },
    { "algorithm", "%15s" }, { "auto us", "%10.1f" }, { "A* us", "%10.1f" }, { "ratio", "%7.2f" },
    { "exp/query", "%11.0f" }, { "M exp/s", "%9.2f" }, { "A* B", "%7.1f" } })
  for _, kind in ipairs(maps.kinds) do
    support.progress("making rough " .. kind.name)
    local rows = maps.weighted(SEED, kind.make(SEED, plan.side, plan.side))
    report:row(measure_weighted(kind.name, astar.grid(rows, { terrain = maps.terrain }), plan))
  end
end

-- ---- all of it ----

local ORDER = { "maps", "binding", "callbacks", "edits", "noroute", "growth", "weighted" }

local function read_options(arguments)
  local words = { quick = true, generated = true }
  for _, name in ipairs(ORDER) do words[name] = true end
  return support.read_arguments(arguments, USAGE,
    { folder = false, every = 1, rounds = 3, side = FULL.largest, csv = false }, words)
end

local function plan_of(options)
  local plan = {}
  for name, value in pairs(options.quick and QUICK or FULL) do plan[name] = value end
  plan.rounds = options.quick and 1 or options.rounds
  plan.largest = math.min(plan.largest, options.side)
  return plan
end

local function main(arguments)
  local options = read_options(arguments)
  local plan, report = plan_of(options), support.new_report(options.csv)
  local chosen = {}
  for _, name in ipairs(ORDER) do
    if options[name] then chosen[#chosen + 1] = name end
  end
  report:note(("astar %s, %s"):format(astar._VERSION, support.lua_name()))
  for _, name in ipairs(#chosen > 0 and chosen or ORDER) do
    sections[name](report, plan, options)
    collectgarbage()
  end
  report:close()
  support.clear()
  os.exit(wrong_answers == 0 and 0 or 1)
end

main(arg)
