-- pace.lua -- measures the speed of this machine at this moment: the time that the library's plain A* takes per
-- expansion, on a map that fits into the processor's caches.
--
-- Times of targets are also reported as numbers of expansions. These numbers can be compared with another machine, or
-- with a run while this machine was busier. The limits of times apply to a machine that expands a cell in
-- pace.EXPANSION seconds.

local astar = require "astar"
local random = require "spec.support.random"
local support = require "bench.support"

local pace = { EXPANSION = 50e-9 }

local SIDE, QUERIES = 128, 40

local yardstick -- the measured item, created by the first call of pace.now

local function make_yardstick()
  local r, grid = random.new(support.SEED), astar.grid(SIDE, SIDE)
  for _ = 1, SIDE * SIDE / 5 do grid:block(r:int(1, SIDE), r:int(1, SIDE)) end
  local finder, queries, expanded = grid:finder { algorithm = "astar" }, {}, 0
  for _, query in ipairs(support.queries(grid, support.SEED, QUERIES)) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
    if path then
      queries[#queries + 1], expanded = query, expanded + path.expanded
    end
  end
  return { count = 1, per = expanded, run = function() support.ask(finder, queries) end }
end

-- Returns the seconds that an expansion takes now.
function pace.now()
  yardstick = yardstick or make_yardstick()
  return support.time_of(yardstick)
end

-- Calls 'measure', which returns seconds, and pace.now alternately. Returns the least seconds of 'measure' and the
-- least seconds of an expansion.
function pace.seconds(measure, rounds)
  local least, expansion = math.huge, pace.now()
  for _ = 1, rounds do
    least = math.min(least, measure())
    expansion = math.min(expansion, pace.now())
  end
  return least, expansion
end

return pace
