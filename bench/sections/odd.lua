-- odd.lua -- what a few cells of another kind cost: queries with them over queries without, and over A*.
--
-- Placements are thrown anew for each, so that the worst of them tells whether there is a cliff.

local astar = require "astar"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED = support.SEED
local SHARES = { 0.01, 0.03, 0.1, 0.3, 1, 3, 5, 10, 20, 50 } -- of the cells, in percent
local NEAR = { 4, 16, 64 } -- cells from start to goal at most, in both axes
local TERRAIN = { ["."] = 1, ["#"] = false, o = 2, r = 0.5 }

local clock = os.clock

local function free_cell(grid, r)
  local width, height = grid:size()
  local x, y
  repeat x, y = r:int(1, width), r:int(1, height) until grid:is_walkable(x, y)
  return x, y
end

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
  { "a dearer cell", sow("o", 1) }, { "a cheaper cell", sow("r", 1) }, { "a puddle", puddle }, { "a link", link },
  { "a thin wall", wall },
}

local ROUNDS = 15

-- How much longer one finder takes for all queries than another: the least of some rounds by turns, after
-- one that builds. What jumps go by is improved as queries are asked, so both maps are to be as new.
local function times_of(finder, other, queries)
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

-- The times of queries over copies of a map that 'place' puts something on, beside those without it, or,
-- 'by_astar', beside those of A* over the same copy. Mean and worst of the ratios.
local function ratios(rows, queries, place, count, by_astar)
  local clean = astar.grid(rows, { terrain = TERRAIN })
  local sum, worst = 0, 0
  for i = 1, count do
    local grid, r = support.copy_of(clean), random.new(i)
    place(grid, r)
    local other = by_astar and grid:finder { algorithm = "astar" } or support.copy_of(clean):finder()
    local ratio = times_of(grid:finder(), other, queries)
    sum, worst = sum + ratio, math.max(worst, ratio)
  end
  return sum / count, worst
end

local LARGE = 2 -- cells along the side of a unit that stands among its own blocks
local ASKED = 8

-- A finder of such a unit, whose blocks are put down before a few equal questions and taken up after them: questions,
-- not edits, are to tell.
local function among_blocks(grid)
  local finder = grid:finder { size = LARGE }
  return {
    find_path = function(_, sx, sy, gx, gy)
      if finder:clearance(sx, sy) < LARGE then return end
      grid:block(sx, sy, LARGE, LARGE)
      for _ = 1, ASKED do finder:find_path(sx, sy, gx, gy) end
      grid:unblock(sx, sy, LARGE, LARGE)
    end,
  }
end

local odd = {}

-- What stands on a map by units among their own blocks: the times over those without it.
function odd.own_blocks(rows, queries, count)
  local clean = astar.grid(rows, { terrain = TERRAIN })
  local all = {}
  for i, kind in ipairs(KINDS) do
    local sum, worst = 0, 0
    for seed = 1, count do
      local grid = support.copy_of(clean)
      kind[2](grid, random.new(seed))
      local ratio = times_of(among_blocks(grid), among_blocks(support.copy_of(clean)), queries)
      sum, worst = sum + ratio, math.max(worst, ratio)
    end
    all[i] = { name = kind[1], mean = sum / count, worst = worst }
  end
  return all
end

function odd.single(rows, queries, count)
  local all = {}
  for i, kind in ipairs(KINDS) do
    local mean, worst = ratios(rows, queries, kind[2], count, false)
    all[i] = { name = kind[1], mean = mean, worst = worst }
  end
  local clean = astar.grid(rows, { terrain = TERRAIN })
  local width, height = clean:size()
  local zeros = support.copy_of(clean):finder { avoid = astar.field(width, height) }
  all[#all + 1] = { name = "a field of zeros", mean = times_of(zeros, support.copy_of(clean):finder(), queries) }
  return all
end

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
odd: what stands on a map of one cost, %d x %d, in %d random placements: the time of queries over that without,
and, for shares of cells of twice the cost, over that of A* on the same map; at most 1.5 and 1.1 are aimed at]])
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
