-- cliffs.lua -- target 3: a few non-uniform cells on a map of one cost make no query suddenly slow. The section odd
-- measures more kinds of them.

local astar = require "astar"
local maps = require "bench.maps"
local odd = require "bench.sections.odd"
local support = require "bench.support"

local SEED = support.SEED
local OPEN = 384 -- queries by jumps are so short there that every non-uniform cell matters

local NEAR = 16 -- cells from start to goal: the first expansion by jumps takes longer there than A*

local function queries_of(rows, plan, reach)
  return support.queries(astar.grid(rows), SEED, math.ceil(plan.sample / 10), reach)
end

local function add_shares(aims, rows, where, plan, placements, reach)
  for _, each in ipairs(odd.shares(rows, queries_of(rows, plan, reach), placements)) do
    aims:most(("3 %s cells of other cost, %s: / A*"):format(each.name, where), 1.1, each.worst)
  end
end

return function(aims, plan, options)
  local placements = options.quick and 2 or options.placements
  local rows = maps.kind("caves").make(SEED, plan.side, plan.side)
  support.progress "targets: non-uniform cells"
  for _, each in ipairs(odd.single(rows, queries_of(rows, plan), placements)) do
    aims:most("3 " .. each.name .. ": mean / without", 1.5, each.mean)
    if each.worst then aims:most("3 " .. each.name .. ": longest / without", 1.5, each.worst) end
  end
  placements = math.ceil(placements / 10)
  add_shares(aims, rows, "caves", plan, placements)
  local side = math.min(OPEN, plan.side)
  local open = maps.open(SEED, side, side)
  add_shares(aims, open, ("open ground of %d"):format(side), plan, placements)
  add_shares(aims, open, ("goals within %d on open ground of %d"):format(NEAR, side), plan, placements, NEAR)
end
