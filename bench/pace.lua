-- pace.lua -- the speed of this machine at this moment: the time of an expansion of our own plain A*, over a map that
-- fits into the processor's caches.
--
-- Times are reported in such expansions, too, so that they can be compared with the times of another machine or of a
-- busier hour. The limits of times are meant for a machine that expands a cell in pace.EXPANSION seconds.

local astar = require "astar"
local random = require "spec.support.random"
local support = require "bench.support"

local pace = { EXPANSION = 50e-9 }

local SIDE, QUERIES = 128, 40

local yardstick -- made when it is first needed

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

-- Seconds that an expansion takes now.
function pace.now()
  yardstick = yardstick or make_yardstick()
  return support.time_of(yardstick)
end

-- Measures by turns with the pace: the least seconds of some rounds, and those of an expansion. 'measure' returns
-- seconds.
function pace.seconds(measure, rounds)
  local least, expansion = math.huge, pace.now()
  for _ = 1, rounds do
    least = math.min(least, measure())
    expansion = math.min(expansion, pace.now())
  end
  return least, expansion
end

return pace
