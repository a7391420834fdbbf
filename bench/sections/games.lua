-- games.lua -- what games ask: the first questions on a map, questions between edits, and those on a map
-- that was settled while nobody waited.
--
-- Each is asked of a copy of which nothing is known, so what a question has built or found out is in its time.

local random = require "spec.support.random"
local sources = require "bench.sources"
local support = require "bench.support"

local SEED, US = support.SEED, support.US
local FIRST, MORE, EVERY = 50, 500, 10

local COLUMNS = {
  { "map", "%-28s" }, { "wrong", "%6d" }, { "first 50", "%9.1f" }, { "first 500", "%10.1f" }, { "p99", "%8.1f" },
  { "worst", "%8.0f" }, { "edit/10", "%8.1f" }, { "prepared", "%8.1f" },
  { "settled", "%8.1f" }, { "settle ms", "%10.2f" },
}

-- Some of them, short ways and long ones as dice fall.
local function shuffled(queries)
  local chosen, dice = support.spread(queries, MORE), random.new(SEED)
  for i = #chosen, 2, -1 do
    local k = dice:int(1, i)
    chosen[i], chosen[k] = chosen[k], chosen[i]
  end
  return chosen
end

-- Without settling, so that the two columns side by side tell what dead ends alone save.
local function prepare(finder)
  local job = finder:preparing()
  repeat until job:step { expansions = 1000 } ~= "running"
end

local function settle(finder)
  local job = finder:preparing { settled = true }
  repeat until job:step { expansions = 1000 } ~= "running"
end

-- For support.compare: a new copy each round, made ready before, and asked by ask(finder, grid).
local function on_a_copy(source, count, make_ready, ask)
  local grid, finder
  return { count = count, prepare = function()
    grid = support.copy_of(source.grid)
    finder = grid:finder()
    make_ready(finder)
  end, run = function() ask(finder, grid) end }
end

-- Every so many questions a cell is blocked, or the last one free again.
local function ask_between_edits(finder, grid, queries, cells)
  local edits = 0
  for i, query in ipairs(queries) do
    if i % EVERY == 0 and #cells > 0 then
      local cell = cells[math.floor(edits / 2) % #cells + 1]
      if edits % 2 == 0 then grid:block(cell.x, cell.y) else grid:unblock(cell.x, cell.y) end
      edits = edits + 1
    end
    finder:find_path(query.sx, query.sy, query.gx, query.gy)
  end
end

local function measure_map(source, plan)
  local queries = shuffled(source.queries)
  local first = support.spread(queries, FIRST)
  local cells = support.pick_cells(source.grid, SEED, math.ceil(MORE / EVERY / 2), support.is_harmless)
  local function nothing() end
  local seconds = support.compare({
    on_a_copy(source, #first, nothing, function(finder) support.ask(finder, first) end),
    on_a_copy(source, #queries, nothing, function(finder) support.ask(finder, queries) end),
    on_a_copy(source, #queries, nothing, function(finder, grid)
      ask_between_edits(finder, grid, queries, cells)
    end),
    on_a_copy(source, #queries, prepare, function(finder) support.ask(finder, queries) end),
    on_a_copy(source, #queries, settle, function(finder) support.ask(finder, queries) end),
    on_a_copy(source, 1, function(finder) support.warm(finder, first) end, settle),
  }, plan.rounds)
  local settled = support.copy_of(source.grid):finder()
  settle(settled)
  local tally = support.answer(source.name, support.copy_of(source.grid):finder(), queries, source.judge, 1)
  local wrong = support.answer(source.name, settled, queries, source.judge, 1).wrong
  table.sort(tally.times)
  return { source.name, tally.wrong + wrong, seconds[1] * US, seconds[2] * US,
    support.percentile(tally.times, 0.99) * US, support.percentile(tally.times, 1) * US, seconds[3] * US,
    seconds[4] * US, seconds[5] * US, seconds[6] * 1e3 }
end

return function(report, plan, options)
  report:title(([[
games: microseconds a question, all that is built for it or found out by it within. The first %d and %d on a
map, of the latter the 99th percentile and the worst one; %d with an edit each %dth; %d on a map that was
prepared beforehand, %d on one that was settled beforehand, and the milliseconds that takes once all else is built]])
    :format(FIRST, MORE, MORE, EVERY, MORE, MORE))
  local wrong = 0
  report:section("games", COLUMNS)
  for _, make in ipairs(sources.find(report, options, plan)) do
    local source = make()
    if #source.queries > 0 then
      local row = measure_map(source, plan)
      report:row(row)
      wrong = wrong + row[2]
    end
    collectgarbage()
  end
  return wrong
end
