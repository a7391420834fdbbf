-- odd.lua -- measures how a few non-uniform cells, links or walls slow queries down, compared with queries on a uniform
-- map and with A*.
--
-- Each placement is random. The worst placement shows whether there are much slower queries.

local astar = require "astar"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED = support.SEED
local SHARES = { 0.01, 0.03, 0.1, 0.3, 1, 3, 5, 10, 20, 50 } -- percent of the cells
local NEAR = { 4, 16, 64 } -- greatest distance from start to goal along each axis, in cells
local TERRAIN = { ["."] = 1, ["#"] = false, o = 2, r = 0.5 }

local clock = os.clock

local function free_cell(grid, r)
  local width, height = grid:size()
  local x, y
  repeat x, y = r:int(1, width), r:int(1, height) until grid:is_walkable(x, y)
  return x, y
end

-- Returns a function that sets 'count' random free cells of a grid to the terrain 'key'.
local function sow(key, count)
  return function(grid, r)
    for _ = 1, count do
      local x, y = free_cell(grid, r)
      grid:set(x, y, key)
    end
  end
end

local function puddle(grid, r)
  local x, y = free_cell(grid, r)
  local width, height = grid:size()
  for row = math.max(1, y - 3), math.min(height, y + 3) do
    for column = math.max(1, x - 3), math.min(width, x + 3) do
      if grid:is_walkable(column, row) then grid:set(column, row, "o") end
    end
  end
end

local function link(grid, r)
  local x, y = free_cell(grid, r)
  local ox, oy = free_cell(grid, r)
  if x ~= ox or y ~= oy then grid:link(x, y, ox, oy) end
end

local function wall(grid, r)
  local x, y = free_cell(grid, r)
  grid:wall(x, y, r:pick { "north", "east", "south", "west" })
end

local KINDS = {
  { "a costlier cell", sow("o", 1) }, { "a cheaper cell", sow("r", 1) }, { "a puddle", puddle }, { "a link", link },
  { "a thin wall", wall },
}

local ROUNDS = 15

-- Returns the time of all queries with one finder divided by their time with another finder. Both times are the least
-- of ROUNDS alternating rounds, after a round that builds the data of the maps. Queries improve the data of jump point
-- search, so the maps of both finders must be new.
local function time_ratio(finder, other, queries)
  local least = { math.huge, math.huge }
  for round = 0, ROUNDS do
    for i, each in ipairs { finder, other } do
      local before = clock()
      support.ask(each, queries)
      if round > 0 then least[i] = math.min(least[i], clock() - before) end
    end
  end
  return least[1] / math.max(least[2], 1e-9)
end

-- Calls 'place' on 'count' copies of a map, and times the queries on each copy. Divides the times by those on the map
-- without 'place' or, if 'by_astar' is true, by those of A* on the same copy. Returns the mean and the greatest ratio.
local function ratios(rows, queries, place, count, by_astar)
  local clean = astar.grid(rows, { terrain = TERRAIN })
  local sum, worst = 0, 0
  for i = 1, count do
    local grid, r = support.copy_of(clean), random.new(i)
    place(grid, r)
    local other = by_astar and grid:finder { algorithm = "astar" } or support.copy_of(clean):finder()
    local ratio = time_ratio(grid:finder(), other, queries)
    sum, worst = sum + ratio, math.max(worst, ratio)
  end
  return sum / count, worst
end

local LARGE = 2 -- width in cells of a unit whose own blocks are on the map
local REPEATS = 8

-- Returns a finder of a unit of 2 x 2 cells. Its find_path blocks the unit's cells, repeats the query and unblocks the
-- cells. The repetition makes the share of the edits in the time small.
local function among_blocks(grid)
  local finder = grid:finder { size = LARGE }
  return {
    find_path = function(_, sx, sy, gx, gy)
      if finder:clearance(sx, sy) < LARGE then return end
      grid:block(sx, sy, LARGE, LARGE)
      for _ = 1, REPEATS do finder:find_path(sx, sy, gx, gy) end
      grid:unblock(sx, sy, LARGE, LARGE)
    end,
  }
end

local odd = {}

-- Measures each of KINDS with queries of a unit whose own blocks are on the map: mean and greatest ratio to the times
-- on the uniform map.
function odd.own_blocks(rows, queries, count)
  local clean = astar.grid(rows, { terrain = TERRAIN })
  local all = {}
  for i, kind in ipairs(KINDS) do
    local sum, worst = 0, 0
    for seed = 1, count do
      local grid = support.copy_of(clean)
      kind[2](grid, random.new(seed))
      local ratio = time_ratio(among_blocks(grid), among_blocks(support.copy_of(clean)), queries)
      sum, worst = sum + ratio, math.max(worst, ratio)
    end
    all[i] = { name = kind[1], mean = sum / count, worst = worst }
  end
  return all
end

-- Measures each of KINDS: mean and greatest ratio to the times on the uniform map.
function odd.single(rows, queries, count)
  local all = {}
  for i, kind in ipairs(KINDS) do
    local mean, worst = ratios(rows, queries, kind[2], count, false)
    all[i] = { name = kind[1], mean = mean, worst = worst }
  end
  local clean = astar.grid(rows, { terrain = TERRAIN })
  local width, height = clean:size()
  local zeros = support.copy_of(clean):finder { avoid = astar.field(width, height) }
  all[#all + 1] = { name = "a field of zeros", mean = time_ratio(zeros, support.copy_of(clean):finder(), queries) }
  return all
end

-- Measures maps on which a share of the cells costs 2: mean and greatest ratio to the times of A* on the same map.
function odd.shares(rows, queries, count)
  local all = {}
  for i, share in ipairs(SHARES) do
    local cells = math.max(1, math.floor(#rows * #rows[1] * share / 100))
    local mean, worst = ratios(rows, queries, sow("o", cells), count, true)
    all[i] = { name = ("%g %%"):format(share), mean = mean, worst = worst }
  end
  return all
end

local function run(report, plan, options)
  local placements = options.quick and 2 or options.placements
  report:title(([[
odd: non-uniform cells, links and walls on maps of one cost, %d x %d cells, at %d random placements. Time of queries
divided by the time of the same queries on the uniform map; the aim is at most 1.5. Rows that end with "/ A*" are maps
on which this share of the cells costs 2: time of auto divided by the time of A* on the same map; the aim is at most
1.1]])
    :format(plan.side, plan.side, placements))
  report:section("odd", { { "map", "%-34s" }, { "mean", "%8.2f" }, { "worst", "%8.2f" } })
  for _, name in ipairs { "caves", "rooms" } do
    local rows = maps.kind(name).make(SEED, plan.side, plan.side)
    local queries = support.queries(astar.grid(rows), SEED, math.ceil(plan.sample / 5))
    support.progress("odd: " .. name)
    for _, each in ipairs(odd.single(rows, queries, placements)) do
      report:row { name .. ", " .. each.name, each.mean, each.worst }
    end
    for _, each in ipairs(odd.own_blocks(rows, queries, math.ceil(placements / 10))) do
      report:row { name .. ", own blocks, " .. each.name, each.mean, each.worst }
    end
    for _, each in ipairs(odd.shares(rows, queries, math.ceil(placements / 10))) do
      report:row { name .. ", " .. each.name .. " / A*", each.mean, each.worst }
    end
  end
  support.progress "odd: near goals"
  local open = maps.open(SEED, plan.side, plan.side)
  for _, reach in ipairs(NEAR) do
    local queries = support.queries(astar.grid(open), SEED, math.ceil(plan.sample / 5), reach)
    for _, each in ipairs(odd.shares(open, queries, math.ceil(placements / 10))) do
      report:row { ("open, within %d, %s / A*"):format(reach, each.name), each.mean, each.worst }
    end
  end
end

return setmetatable(odd, { __call = function(_, ...) return run(...) end })
