-- weighted.lua -- target 4, as far as it can be told without other programs: searches over ground of several costs
-- beside our own plain A*. Beside a plain A* of others, and libtcod, it is measured outside; the section server
-- plays a game server.

local astar = require "astar"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED = support.SEED
local GROUNDS = { ".", ",", ":", "~" }

local function rough(name, plan)
  local r, rows = random.new(SEED), maps.kind("caves").make(SEED, plan.side, plan.side)
  if name == "noise" then return maps.noise(r, rows, 1, GROUNDS) end
  return maps.patches(r, rows, 20, GROUNDS)
end

-- How many times as long plain A* takes as a finder with these options.
local function over_astar(grid, options, plan)
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 4))
  local finder, plain = grid:finder(options), grid:finder { algorithm = "astar" }
  support.warm(finder, queries)
  support.warm(plain, queries)
  local s = support.compare({ support.asking(finder, queries), support.asking(plain, queries) },
    math.max(plan.rounds, 5))
  return s[2] / s[1]
end

return function(aims, plan)
  for _, name in ipairs { "patches of 20", "noise" } do
    support.progress("targets: weighted, " .. name)
    local grid = astar.grid(rough(name, plan), { terrain = maps.terrain })
    aims:least(("4 %s: time of A* / time"):format(name), name == "noise" and 0.95 or 1.2, over_astar(grid, nil, plan))
  end
end
