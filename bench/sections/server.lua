-- server.lua -- measures the ticks of a game server: 2,000 monsters on ground of several costs request routes from a
-- queue at all times, while the map is edited. Three finders are compared: not baked, baked, and baked with a weight
-- that allows routes to cost a tenth more than the cheapest.
--
-- Monsters stand on random cells and request routes to random cells. Each monster always has one request in the queue.
-- Every fifth tick, an edit changes, blocks or unblocks a cell. Times are processor times, so that other programs on
-- the machine do not count.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"
local random = require "spec.support.random"

local SEED = support.SEED
local MONSTERS, BUDGET, EVERY = 2000, 10, 5 -- BUDGET: milliseconds per tick
local PIVOTS, WEIGHT = 16, 1.1
local NEAR = 200 -- greatest distance of near goals along each axis, in cells
local TERRAIN = { ["."] = 1, [","] = 2, [":"] = 3, ["~"] = 5, ["^"] = 8, ["#"] = false }
local GROUNDS = { ".", ",", ":", "~", "^" }

local clock = os.clock

local GROUND_KINDS = {
  { name = "patches", grow = function(dice, rows) return maps.patches(dice, rows, 20, GROUNDS) end },
  { name = "noise", grow = function(dice, rows) return maps.noise(dice, rows, 1, GROUNDS) end },
}

local function walkable_near(grid, dice, x, y, reach)
  local width, height = grid:size()
  local nx, ny
  repeat
    nx = dice:int(math.max(1, x - reach), math.min(width, x + reach))
    ny = dice:int(math.max(1, y - reach), math.min(height, y + reach))
  until grid:is_walkable(nx, ny)
  return nx, ny
end

local function place_monsters(grid, dice, count)
  local width, height = grid:size()
  local monsters = {}
  for i = 1, count do
    local x, y = walkable_near(grid, dice, 1, 1, math.max(width, height))
    monsters[i] = { x = x, y = y, is_idle = true }
  end
  return monsters
end

local function edit(grid, dice)
  local width, height = grid:size()
  local x, y = dice:int(1, width), dice:int(1, height)
  local kind = dice:int(1, 3)
  if kind == 1 then
    grid:set(x, y, dice:pick(GROUNDS))
  elseif kind == 2 then
    grid:block(x, y)
  else
    grid:unblock(x, y)
  end
end

-- Runs the ticks. Returns the number of answered requests per tick of BUDGET milliseconds, and the number of restarts.
local function play(grid, finder, reach, ticks, count)
  local dice, queue, monsters = random.new(SEED), astar.queue(), place_monsters(grid, random.new(SEED + 1), count)
  local answered, restarts, seconds = 0, 0, 0
  for tick = 1, ticks do
    if tick % EVERY == 0 then
      local start = clock()
      edit(grid, dice)
      seconds = seconds + clock() - start
    end
    for _, monster in ipairs(monsters) do
      if monster.is_idle then
        monster.is_idle = false
        local gx, gy = walkable_near(grid, dice, monster.x, monster.y, reach)
        queue:request(finder, monster.x, monster.y, gx, gy, function(_, _, ticket)
          monster.is_idle = true
          answered, restarts = answered + 1, restarts + ticket.restarts
        end)
      end
    end
    local start = clock()
    queue:update { ms = BUDGET }
    seconds = seconds + clock() - start
  end
  return answered / (seconds * 1000 / BUDGET), restarts
end

local function measure(kind, goals, side, ticks, count)
  local dice = random.new(SEED)
  local rows = kind.grow(dice, maps.field(SEED, side, side, 10))
  local reach = goals == "near" and NEAR or side
  local grid = astar.grid(rows, { terrain = TERRAIN })
  local copy, other = support.copy_of(grid), support.copy_of(grid)
  local finder, baked, loose = grid:finder(), copy:finder(), other:finder { weight = WEIGHT }
  finder:find_path(1, 1, 2, 2)
  local plain_routes, plain_restarts = play(grid, finder, reach, ticks, count)
  local baking = baked:bake { pivots = PIVOTS }
  local routes, restarts = play(copy, baked, reach, ticks, count)
  loose:bake { pivots = PIVOTS }
  local loose_routes = play(other, loose, reach, ticks, count)
  return { kind.name, goals, plain_routes, routes, support.ratio(routes, plain_routes), loose_routes,
    support.ratio(loose_routes, plain_routes), plain_restarts, restarts,
    baking.pivots, baking.bytes / side ^ 2, baking.milliseconds }
end

return function(report, plan, options)
  local side = options.quick and plan.side or 1024
  local ticks, count = options.quick and 10 or 200, options.quick and 20 or MONSTERS
  report:note(([[

server: %d monsters request routes at all times, on %d x %d cells of five costs, with an edit every %d ticks. "plain",
"baked", "weight": requests answered per tick of %d ms, not baked, baked, and baked with weight %g. Each "gain": the
column before it divided by "plain". "restarts": restarts of requests, not baked and baked]])
    :format(count, side, side, EVERY, BUDGET, WEIGHT))
  report:section("server", { { "ground", "%-8s" }, { "goals", " %-5s" }, { "plain", "%8.2f" },
    { "baked", "%8.2f" }, { "baked gain", "%11.1f" }, { "weight", "%7.2f" },
    { "weight gain", "%12.1f" }, { "restarts", "%9d" }, { "baked restarts", "%15d" }, { "pivots", "%7d" },
    { "B/cell", "%7.1f" }, { "bake ms", "%8.0f" } })
  for _, kind in ipairs(GROUND_KINDS) do
    for _, goals in ipairs { "far", "near" } do
      support.progress(("server: %s, %s"):format(kind.name, goals))
      report:row(measure(kind, goals, side, ticks, count))
      collectgarbage()
    end
  end
end
