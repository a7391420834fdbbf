-- games.lua -- times queries as games make them: the first queries on a map, queries between edits, and queries on a
-- map that was prepared or settled beforehand.
--
-- Each measurement uses a new copy of the map, so its time includes all data that the queries build.

local random = require "spec.support.random"
local sources = require "bench.sources"
local support = require "bench.support"

local SEED, US = support.SEED, support.US
local FIRST, MORE, EVERY = 50, 500, 10

local COLUMNS = {
  { "map", "%-28s" }, { "wrong", "%6d" }, { "first 50", "%9.1f" }, { "first 500", "%10.1f" }, { "p99", "%8.1f" },
  { "slowest", "%8.0f" }, { "edits", "%8.1f" }, { "prepared", "%9.1f" },
  { "settled", "%8.1f" }, { "settle ms", "%10.2f" },
}

-- Returns MORE of the queries in random order, so that short and long routes are mixed.
local function shuffled(queries)
  local chosen, dice = support.spread(queries, MORE), random.new(SEED)
  for i = #chosen, 2, -1 do
    local k = dice:int(1, i)
    chosen[i], chosen[k] = chosen[k], chosen[i]
  end
  return chosen
end

-- Prepares a map without settling it. The difference between the columns "prepared" and "settled" is the time that
-- knowledge of dead ends saves.
local function prepare(finder)
  local job = finder:preparing()
  repeat until job:step { expansions = 1000 } ~= "running"
end

local function settle(finder)
  local job = finder:preparing { settled = true }
  repeat until job:step { expansions = 1000 } ~= "running"
end

-- Returns an item for support.compare. Each round uses a new copy of the map: make_ready(finder) is not timed,
-- query(finder, grid) is timed.
local function on_a_copy(source, count, make_ready, query)
  local grid, finder
  return { count = count, prepare = function()
    grid = support.copy_of(source.grid)
    finder = grid:finder()
    make_ready(finder)
  end, run = function() query(finder, grid) end }
end

-- Runs queries. Before every tenth query, blocks a cell or unblocks the last blocked cell.
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
games: microseconds per query, including the time to build data for the queries. "first %d" and "first %d": the first
queries on a new map. "p99" and "slowest": the 99th percentile and the slowest of the first %d. "edits": %d queries
with an edit before every %dth. "prepared" and "settled": %d queries on a map that finder:preparing() prepared or
settled. "settle ms": milliseconds to settle a map that queries have used]])
    :format(FIRST, MORE, MORE, MORE, EVERY, MORE))
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
