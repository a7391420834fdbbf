-- support.lua -- functions that the benchmarks share: arguments, timing, statistics, queries.
--
-- os.clock counts processor time in steps of a microsecond at best, and a call of os.clock takes
-- nearly a microsecond. Therefore a shorter operation is timed in batches. Items of a comparison
-- run alternately, and the median over the rounds counts. If other programs slow the machine down,
-- all items become slower alike.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local report = require "bench.report"
local random = require "spec.support.random"

local support = {
  SEED = 7, -- seed of the generated maps and of the random queries
  US = 1e6,
  NS = 1e9,
  -- Sections use the next two functions to show their progress and to report mistakes.
  progress = report.progress,
  message = report.message,
}

local SEED = support.SEED

local clock = os.clock

-- ---- arguments ----

function support.give_up(message)
  io.stderr:write(message, "\n")
  os.exit(2)
end

local function read_option(options, name, value)
  if options[name] == nil then return false end
  if type(options[name]) == "number" then
    value = value:find "^[1-9]%d*$" and tonumber(value)
  end
  options[name] = value
  return value ~= false and value ~= nil
end

-- Reads arguments into 'options', which contains the default of each option. An argument NAME=VALUE
-- sets an option. If its default is a number, the value must be an integer >= 1. An argument without
-- "=" sets an option of 'words' to true, or else is the option 'folder'.
function support.read_arguments(arguments, usage, options, words)
  for _, argument in ipairs(arguments) do
    local name, value = argument:match "^(%l+)=(.+)$"
    if words and words[argument] then
      options[argument] = true
    elseif not name and not argument:find "^%-" then
      options.folder = argument
    elseif not name or not read_option(options, name, value) then
      support.give_up("unknown argument " .. argument .. "\n" .. usage)
    end
  end
  return options
end

-- ---- numbers ----

function support.median(values)
  local sorted = {}
  for i, value in ipairs(values) do sorted[i] = value end
  table.sort(sorted)
  local middle = math.floor((#sorted + 1) / 2)
  return (sorted[middle] + sorted[#sorted - middle + 1]) / 2
end

-- Returns the value that the given share of the sorted values does not exceed.
function support.percentile(sorted, share)
  return sorted[math.max(1, math.ceil(share * #sorted))] or 0
end

-- Returns a / b, or nil if one of the values is 0. A time too short for the clock is 0.
function support.ratio(a, b)
  if a > 0 and b > 0 then return a / b end
  return nil
end

-- Returns 'count' elements of a list at even distances, or all elements if the list is shorter.
function support.spread(list, count)
  local chosen = {}
  count = math.min(count, #list)
  for i = 1, count do
    chosen[i] = list[math.floor((i - 0.5) * #list / count) + 1]
  end
  return chosen
end

-- ---- timing ----

-- Returns the seconds that a call of the clock adds to the time of a single operation.
local function clock_seconds()
  local count = 20000
  local before = clock()
  for _ = 1, count do clock() end
  return (clock() - before) / count
end

support.clock_seconds = clock_seconds()

-- Returns the seconds that run(count) takes, and the result of run(count).
function support.seconds(run, count)
  local before = clock()
  local result = run(count)
  return clock() - before, result
end

-- Returns an item for support.compare that runs for about the given seconds. run(n) performs n times
-- 'per' operations. The first call of run is not timed, because it may build data for later calls.
function support.item(run, seconds, per)
  run(1)
  local count = 1
  while support.seconds(run, count) < seconds / 2 do count = count * 2 end
  return { run = run, count = count, per = per }
end

-- Returns the seconds that an operation of an item takes, measured once.
function support.time_of(item)
  collectgarbage() -- the time of an item does not include the collection of other items' garbage
  if item.prepare then item.prepare() end
  return support.seconds(item.run, item.count) / (item.count * (item.per or 1))
end

-- Returns the mean time of queries. Before each query, the processor's caches are filled with other data.
function support.cold_seconds(finder, queries, size)
  local something, total, found = ("x"):rep(size), 0, 0
  for i, query in ipairs(queries) do
    -- Reads every byte and finds nothing. Each call has another start, so that a compiler cannot reuse a result.
    if something:find("y", i, true) then found = found + 1 end
    local seconds = support.seconds(function()
      finder:find_path(query.sx, query.sy, query.gx, query.gy)
    end)
    total = total + seconds - support.clock_seconds
  end
  return total / (#queries + found)
end

-- Runs items alternately for some rounds. Returns the median seconds per operation of each item. An
-- item is { run = function(count), count = argument of run, per = operations per count (1 if nil),
-- prepare = function that runs before each measurement and is not timed, or nil }.
function support.compare(items, rounds)
  local times = {}
  for i = 1, #items do times[i] = {} end
  for round = 1, rounds do
    for i, item in ipairs(items) do times[i][round] = support.time_of(item) end
  end
  local medians = {}
  for i = 1, #items do medians[i] = support.median(times[i]) end
  return medians
end

-- Calls run() with the incremental garbage collector. A generational collector, the default of the program lua 5.4,
-- sometimes traverses its whole heap within one frame.
function support.collecting_evenly(run)
  if _VERSION < "Lua 5.4" then return run() end
  local mode = collectgarbage "incremental"
  run()
  collectgarbage(mode)
end

-- Returns an equal grid for which the library has built no data yet. The copy shares no memory with the original.
function support.copy_of(grid)
  return astar.load(grid:dump(), { max_cells = 2 ^ 28 })
end

-- ---- queries ----

local function random_cell(grid, dice, x0, y0, x1, y1)
  local x, y
  repeat x, y = dice:int(x0, x1), dice:int(y0, y1) until grid:is_walkable(x, y)
  return x, y
end

-- Returns queries between random walkable cells. If 'reach' is given, a goal is at most 'reach'
-- columns and rows from its start.
function support.queries(grid, seed, count, reach)
  local dice, queries = random.new(seed), {}
  local x0, y0, x1, y1 = grid:bounds()
  reach = reach or math.max(x1 - x0, y1 - y0)
  for i = 1, count do
    local sx, sy = random_cell(grid, dice, x0, y0, x1, y1)
    local gx, gy = random_cell(grid, dice, math.max(x0, sx - reach), math.max(y0, sy - reach),
      math.min(x1, sx + reach), math.min(y1, sy + reach))
    queries[i] = { sx = sx, sy = sy, gx = gx, gy = gy }
  end
  return queries
end

-- Runs all queries.
function support.ask(finder, queries)
  for i = 1, #queries do
    local query = queries[i]
    finder:find_path(query.sx, query.sy, query.gx, query.gy)
  end
end

-- Runs three queries, so that all data is built that later queries on the map use.
function support.warm(finder, queries)
  support.ask(finder, support.spread(queries, 3))
end

function support.new_tally()
  return { times = {}, seconds = 0, expanded = 0, wrong = 0 }
end

-- Runs every query (or each Nth, N = 'every') and times each by itself. judge(query, path, reason)
-- returns the mistake in an answer, or nil. Returns a tally: the times in seconds, their sum, the
-- number of expanded cells, and the number of wrong answers. Prints the first wrong answer on stderr.
function support.answer(name, finder, queries, judge, every)
  local tally, overhead = support.new_tally(), support.clock_seconds
  for i = every, #queries, every do
    local query = queries[i]
    local sx, sy, gx, gy = query.sx, query.sy, query.gx, query.gy
    local before = clock()
    local path, reason = finder:find_path(sx, sy, gx, gy)
    local seconds = math.max(clock() - before - overhead, 0)
    tally.times[#tally.times + 1] = seconds
    tally.seconds = tally.seconds + seconds
    tally.expanded = tally.expanded + (path and path.expanded or 0)
    local mistake = judge(query, path, reason)
    if mistake then
      if tally.wrong == 0 then support.message(name .. ": " .. mistake) end
      tally.wrong = tally.wrong + 1
    end
    support.progress(name, i, #queries)
  end
  return tally
end

function support.add_tally(total, tally)
  for _, seconds in ipairs(tally.times) do
    total.times[#total.times + 1] = seconds
  end
  total.seconds = total.seconds + tally.seconds
  total.expanded = total.expanded + tally.expanded
  total.wrong = total.wrong + tally.wrong
end

-- ---- judging by plain A* ----

-- Stores the cost of plain A*'s route in query.best, or false if there is no route.
function support.note_cost(plain, query)
  local path = plain:find_path(query.sx, query.sy, query.gx, query.gy)
  query.best = path and path.cost or false
end

-- Returns as many of the first queries as plain A* answers within the given seconds, but at least
-- three. Stores the costs of plain A*'s routes in these queries.
function support.affordable(plain, queries, seconds)
  local chosen, before = {}, os.clock()
  while #chosen < #queries and (#chosen < 3 or os.clock() - before < seconds) do
    chosen[#chosen + 1] = queries[#chosen + 1]
    support.note_cost(plain, chosen[#chosen])
  end
  return chosen
end

-- Returns the mistake in an answer, or nil if its cost equals query.best or query.best is nil.
function support.differs(query, path, reason)
  if query.best == nil then return nil end
  local cost = path and path.cost
  if cost == query.best or cost and query.best
    and math.abs(cost - query.best) <= 1e-9 * query.best then return nil end
  if not cost and not query.best then return nil end
  return ("(%d, %d) to (%d, %d): got cost %s, but plain A* finds %s"):format(query.sx, query.sy,
    query.gx, query.gy, cost or reason, query.best or "no path")
end

-- ---- cells ----

-- Returns the number of connected stretches of free cells among the eight neighbours of a cell.
local function stretches_around(grid, x, y)
  local last = astar.directions[8]
  local was_free = grid:is_walkable(x + last.dx, y + last.dy)
  local stretches, free = 0, 0
  for _, direction in ipairs(astar.directions) do
    local is_free = grid:is_walkable(x + direction.dx, y + direction.dy)
    if is_free then free = free + 1 end
    if is_free and not was_free then stretches = stretches + 1 end
    was_free = is_free
  end
  return free == 8 and 1 or stretches
end

-- Returns true if a wall on the cell separates none of its neighbours, so that the connected components stay the same.
function support.is_harmless(grid, x, y)
  return stretches_around(grid, x, y) == 1
end

-- Returns true if the cell is between two walls and has free cells on the two other sides.
function support.is_door(grid, x, y)
  local north, south = grid:is_walkable(x, y - 1), grid:is_walkable(x, y + 1)
  local west, east = grid:is_walkable(x - 1, y), grid:is_walkable(x + 1, y)
  return north == south and west == east and north ~= west
end

-- Returns up to 'count' random free cells for which suits(grid, x, y) is true. No two of them are within two cells.
function support.pick_cells(grid, seed, count, suits)
  local dice, taken, cells = random.new(seed), {}, {}
  local x0, y0, x1, y1 = grid:bounds()
  local stride = x1 - x0 + 5
  for _ = 1, count * 1000 do
    local x, y = dice:int(x0 + 1, x1 - 1), dice:int(y0 + 1, y1 - 1)
    if not taken[y * stride + x] and grid:is_walkable(x, y) and suits(grid, x, y) then
      for ny = y - 2, y + 2 do
        for nx = x - 2, x + 2 do taken[ny * stride + nx] = true end
      end
      cells[#cells + 1] = { x = x, y = y }
      if #cells == count then break end
    end
  end
  return cells
end

-- ---- files ----

-- Returns the Moving AI files under a folder. If there are none, prints a message and ends the program.
function support.scenario_files(folder)
  local files = benchmarks.find(folder)
  if #files == 0 then
    support.give_up("no Moving AI scenario files (*.scen) under " .. folder)
  end
  return files
end

-- ---- helpers of several sections ----

function support.grid_of(kind, side)
  support.progress(("making %s, %d x %d"):format(kind.name, side, side))
  return astar.grid(kind.make(SEED, side, side))
end

-- Returns an item for support.compare that runs all queries.
function support.asking(finder, queries)
  return { count = #queries, run = function() support.ask(finder, queries) end }
end

function support.cells_of(grid)
  local width, height = grid:size()
  return width * height
end

-- Returns the bytes per cell of a grid without the memory in which a search works. grid:bytes() is called within a cost
-- callback, because the running search then holds this memory. Returns nil if no query calls the callback.
function support.bytes_at_rest(grid, queries)
  local bytes
  local finder = grid:finder { cost = function(_, _, _, cost)
    bytes = bytes or grid:bytes()
    return cost
  end }
  for _, query in ipairs(queries) do
    if bytes then break end
    finder:find_path(query.sx, query.sy, query.gx, query.gy)
  end
  return bytes and bytes / support.cells_of(grid)
end

function support.first_milliseconds(finder, query)
  return support.seconds(function()
    finder:find_path(query.sx, query.sy, query.gx, query.gy)
  end) * 1e3
end

function support.expanded_by(finder, queries)
  local sum = 0
  for _, query in ipairs(queries) do
    sum = sum + finder:find_path(query.sx, query.sy, query.gx, query.gy).expanded
  end
  return sum
end

return support
