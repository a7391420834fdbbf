-- queries.lua -- targets 1 and 2: routes over ground of one cost, as the map is and baked.
--
-- What is aimed at is measured beside other programs, outside; here stand the ratios to plain A* and to each other.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED = support.SEED

-- How many times as long plain A* takes as the usual search, and that as a baked one. Jumps are asked for by name:
-- what was baked serves all other finders.
local function ratios(kind, plan)
  local grid = astar.grid(maps.kind(kind).make(SEED, plan.side, plan.side))
  local queries = support.queries(grid, SEED, plan.queries)
  local few = support.spread(queries, math.ceil(plan.sample / 4))
  local online, plain = grid:finder { algorithm = "jps" }, grid:finder { algorithm = "astar" }
  local baked, rounds = grid:finder(), math.max(plan.rounds, 5)
  baked:bake()
  for _, finder in ipairs { online, plain, baked } do support.warm(finder, queries) end
  local s = support.compare({ support.asking(online, few), support.asking(plain, few) }, rounds)
  local t = support.compare({ support.asking(online, queries), support.asking(baked, queries) }, rounds)
  return s[2] / s[1], t[1] / t[2]
end

return function(aims, plan)
  for _, kind in ipairs { "caves", "rooms", "maze-8" } do
    support.progress("targets: " .. kind)
    local online, baked = ratios(kind, plan)
    aims:least(("1 without baked data, %s: time of A* / time"):format(kind), 1.5, online)
    aims:least(("2 %s: time without baked data / with it"):format(kind), 1, baked)
  end
end
