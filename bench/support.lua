-- support.lua -- what the benchmarks share: arguments, timing, statistics, queries.
--
-- os.clock counts processor time in steps of a microsecond at best, and asking it costs a good
-- part of one. So what takes less is timed in batches, and what is compared takes turns, round
-- after round, with the median counting: whatever slows the machine then slows all of it alike.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local report = require "bench.report"
local random = require "spec.support.random"

local support = {
  SEED = 7, -- of made maps and thrown queries
  US = 1e6,
  NS = 1e9,
  -- Sections show their progress and tell of mistakes by these.
  progress = report.progress,
  tell = report.tell,
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

-- Reads NAME=VALUE for the names in 'options', which holds the defaults; where that is a number,
-- so is the value, an integer >= 1. A name in 'words' may stand alone; what else does is 'folder'.
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

-- The value that this share of the sorted ones does not exceed.
function support.percentile(sorted, share)
  return sorted[math.max(1, math.ceil(share * #sorted))] or 0
end

-- nil where there is nothing to compare with: times of next to nothing.
function support.ratio(a, b)
  if a > 0 and b > 0 then return a / b end
  return nil
end

-- 'count' of a list, evenly spread; all if there are fewer.
function support.spread(list, count)
  local chosen = {}
  count = math.min(count, #list)
  for i = 1, count do
    chosen[i] = list[math.floor((i - 0.5) * #list / count) + 1]
  end
  return chosen
end

-- ---- timing ----

-- What asking the clock adds to a time taken of one thing only.
local function clock_seconds()
  local count = 20000
  local before = clock()
  for _ = 1, count do clock() end
  return (clock() - before) / count
end

support.clock_seconds = clock_seconds()

-- Seconds that run(count) takes, and what it returns.
function support.seconds(run, count)
  local before = clock()
  local result = run(count)
  return clock() - before, result
end

-- An item for support.compare that runs for about so many seconds; run(n) does n times 'per'
-- operations. The first time does not count: it may build what later ones find.
function support.item(run, seconds, per)
  run(1)
  local count = 1
  while support.seconds(run, count) < seconds / 2 do count = count * 2 end
  return { run = run, count = count, per = per }
end

-- The seconds an operation of an item takes, measured once.
function support.time_of(item)
  collectgarbage() -- nobody pays for another's garbage
  if item.prepare then item.prepare() end
  return support.seconds(item.run, item.count) / (item.count * (item.per or 1))
end

-- The mean time of queries each of which finds the caches full of something else.
function support.cold_seconds(finder, queries, size)
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

-- The seconds an operation of each item takes, the median of some rounds in which they take
-- turns. An item: run = function(count), count, per = operations a count, and, where wanted,
-- prepare = what to do before, untimed.
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

-- Runs with an incremental collector, where there is another: one by generations, as the program lua of 5.4
-- has it, goes through its whole heap within one frame now and then.
function support.collecting_evenly(run)
  if _VERSION < "Lua 5.4" then return run() end
  local mode = collectgarbage "incremental"
  run()
  collectgarbage(mode)
end

-- An equal grid, as new as one that was just made: nothing is built of it, nor shared.
function support.copy_of(grid)
  return astar.load(grid:dump(), { max_cells = 2 ^ 28 })
end

-- ---- queries ----

local function throw_cell(grid, dice, x0, y0, x1, y1)
  local x, y
  repeat x, y = dice:int(x0, x1), dice:int(y0, y1) until grid:is_walkable(x, y)
  return x, y
end

-- Queries between cells that a unit can enter, thrown by dice; goals lie no further than 'reach'
-- columns and rows from the start, if given.
function support.queries(grid, seed, count, reach)
  local dice, queries = random.new(seed), {}
  local x0, y0, x1, y1 = grid:bounds()
  reach = reach or math.max(x1 - x0, y1 - y0)
  for i = 1, count do
    local sx, sy = throw_cell(grid, dice, x0, y0, x1, y1)
    local gx, gy = throw_cell(grid, dice, math.max(x0, sx - reach), math.max(y0, sy - reach),
      math.min(x1, sx + reach), math.min(y1, sy + reach))
    queries[i] = { sx = sx, sy = sy, gx = gx, gy = gy }
  end
  return queries
end

-- Asks them all.
function support.ask(finder, queries)
  for i = 1, #queries do
    local query = queries[i]
    finder:find_path(query.sx, query.sy, query.gx, query.gy)
  end
end

-- Asks a few, so that all is built that serves every query of the map.
function support.warm(finder, queries)
  support.ask(finder, support.spread(queries, 3))
end

function support.new_tally()
  return { times = {}, seconds = 0, expanded = 0, wrong = 0 }
end

-- Asks every query in turn, each timed by itself, and has judge(query, path, reason) say what is
-- wrong with the answer, nil if nothing is. The tally: times of each in seconds, their sum, cells
-- expanded, and how many answers were wrong, the first of which is told on stderr.
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
      if tally.wrong == 0 then support.tell(name .. ": " .. mistake) end
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

-- Notes what plain A* pays for a query, false for no way.
function support.note_cost(plain, query)
  local path = plain:find_path(query.sx, query.sy, query.gx, query.gy)
  query.best = path and path.cost or false
end

-- The first few of the queries, as many as plain A* answers in a time, at least three; with its
-- costs noted.
function support.affordable(plain, queries, seconds)
  local chosen, before = {}, os.clock()
  while #chosen < #queries and (#chosen < 3 or os.clock() - before < seconds) do
    chosen[#chosen + 1] = queries[#chosen + 1]
    support.note_cost(plain, chosen[#chosen])
  end
  return chosen
end

-- What is wrong with an answer, by that note.
function support.differs(query, path, reason)
  if query.best == nil then return nil end
  local cost = path and path.cost
  if cost == query.best or cost and query.best
    and math.abs(cost - query.best) <= 1e-9 * query.best then return nil end
  if not cost and not query.best then return nil end
  return ("(%d, %d) to (%d, %d): cost %s, by plain A* %s"):format(query.sx, query.sy,
    query.gx, query.gy, cost or reason, query.best or "no path")
end

-- ---- cells ----

-- How many stretches of free cells one meets going round a cell.
local function stretches_around(grid, x, y)
  local last = astar.directions[8]
  local was_free = grid:is_walkable(x + last.dx, y + last.dy)
  local begun, free = 0, 0
  for _, direction in ipairs(astar.directions) do
    local is_free = grid:is_walkable(x + direction.dx, y + direction.dy)
    if is_free then free = free + 1 end
    if is_free and not was_free then begun = begun + 1 end
    was_free = is_free
  end
  return free == 8 and 1 or begun
end

-- A wall there parts nothing nearby, so what is known of connected parts stays good.
function support.is_harmless(grid, x, y)
  return stretches_around(grid, x, y) == 1
end

-- Between two walls, with free cells before and behind.
function support.is_door(grid, x, y)
  local north, south = grid:is_walkable(x, y - 1), grid:is_walkable(x, y + 1)
  local west, east = grid:is_walkable(x - 1, y), grid:is_walkable(x + 1, y)
  return north == south and west == east and north ~= west
end

-- Up to 'count' free cells for which suits(grid, x, y), none next to another.
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

-- The Moving AI files under a folder, or an end with a word why not.
function support.scenario_files(folder)
  local files = benchmarks.find(folder)
  if #files == 0 then
    support.give_up("no Moving AI scenario files (*.scen) under " .. folder)
  end
  return files
end

-- ---- what several sections need ----

function support.grid_of(kind, side)
  support.progress(("making %s, %d x %d"):format(kind.name, side, side))
  return astar.grid(kind.make(SEED, side, side))
end

-- For support.compare: asks all queries, a count each.
function support.asking(finder, queries)
  return { count = #queries, run = function() support.ask(finder, queries) end }
end

function support.cells_of(grid)
  local width, height = grid:size()
  return width * height
end

-- Bytes a cell that a grid takes up without the memory that a search works in: while a callback
-- runs, its search has that with it. nil when none of the queries asks a callback.
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
