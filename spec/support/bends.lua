-- bends.lua -- the best routes where bends count, by plain Dijkstra over cells and directions.
--
-- Worlds and rules are oracle.lua's. A route is as good as its cost, what its bends cost included,
-- and then as their number. Steps are rounded as the manual says, to a part in 2^31 of the cheapest
-- cost, brought down to a power of two, so that routes of the same steps are equally cheap.

local oracle = require "spec.support.oracle"

local bends = {}

local STEPS = {
  { "north", 0, -1 }, { "north_east", 1, -1 }, { "east", 1, 0 }, { "south_east", 1, 1 },
  { "south", 0, 1 }, { "south_west", -1, 1 }, { "west", -1, 0 }, { "north_west", -1, -1 },
}

-- How often a list of directions, as path:directions() has them, changes.
function bends.count(directions, heading)
  local count = 0
  for _, direction in ipairs(directions) do
    if direction == "link" then direction = nil end
    if heading and direction and heading ~= direction then count = count + 1 end
    heading = direction
  end
  return count
end

-- Where directions lead, in degrees: of squares, of hexagons in rows and in columns.
local SQUARES = {}
for i, step in ipairs(STEPS) do SQUARES[step[1]] = 45 * (i - 1) end
local ROWS = { north_east = 30, east = 90, south_east = 150, south_west = 210, west = 270, north_west = 330 }
local COLUMNS = { north = 0, north_east = 60, south_east = 120, south = 180, south_west = 240, north_west = 300 }

-- What a turn by so many degrees costs by a finder's bend_cost: as the least angle named that is no less, else as the
-- largest.
function bends.price(bend_cost, angle)
  if type(bend_cost) ~= "table" then return bend_cost or 0 end
  local up, most
  for each in pairs(bend_cost) do
    if each > angle - 1e-6 and (not up or each < up) then up = each end
    if not most or each > most then most = each end
  end
  return bend_cost[up or most]
end

-- What a bend from one direction to another costs; 'given' as bends.explore has it.
local function price_between(given, from, to)
  local offset = given.offset or ""
  local degrees = offset:find "_r" and ROWS or offset:find "_q" and COLUMNS or SQUARES
  local angle = math.abs(degrees[from] - degrees[to])
  return bends.price(given.bend_cost, math.min(angle, 360 - angle))
end

-- What the bends of a list of directions cost.
function bends.cost(directions, given, heading)
  local sum = 0
  for _, direction in ipairs(directions) do
    if direction == "link" then direction = nil end
    if heading and direction and heading ~= direction then sum = sum + price_between(given, heading, direction) end
    heading = direction
  end
  return sum
end

-- Prices by angle of some of those angles, not all 0.
function bends.random_prices(r, angles)
  local prices, most = {}, 0
  for _, angle in ipairs(angles) do
    if r:chance(0.6) then prices[angle] = r:pick { 0, 0.25, 1, 3, 3, 9, 40 } end
    most = math.max(most, prices[angle] or 0)
  end
  if most == 0 then prices[r:pick(angles)] = 2 end
  return prices
end

local function least_cost(world, rules)
  if rules.min_cost then return rules.min_cost end
  local least
  for cell = 1, #world.keys do
    local cost = oracle.ground_cost(world, rules, cell)
    if cost and (not least or cost < least) then least = cost end
  end
  return least or 1
end

local function is_less(a, b)
  return a.cost < b.cost or a.cost == b.cost and a.bends < b.bends
end

local function push(heap, item)
  local i = #heap + 1
  while i > 1 and is_less(item, heap[math.floor(i / 2)]) do
    heap[i] = heap[math.floor(i / 2)]
    i = math.floor(i / 2)
  end
  heap[i] = item
end

local function pop(heap)
  local top, last, i = heap[1], table.remove(heap), 1
  local count = #heap
  if count == 0 then return top end
  while 2 * i <= count do
    local child = 2 * i
    if child < count and is_less(heap[child + 1], heap[child]) then child = child + 1 end
    if not is_less(heap[child], last) then break end
    heap[i] = heap[child]
    i = child
  end
  heap[i] = last
  return top
end

-- Rounds costs as searches do, by the least that a step of length 1 costs.
function bends.rounding(least)
  local _, exponent = math.frexp and math.frexp(least) or nil, nil
  if not exponent then exponent = math.floor(math.log(least) / math.log(2) + 1e-9) + 1 end
  local unit = 2 ^ (exponent - 1 - 31)
  return function(cost) return math.floor(cost / unit + 0.5) * unit end
end

-- The best way to each cell from 'start', { [cell] = { cost =, bends = } }. 'each_step(cell, add)' calls
-- add(cell, direction, cost) for all that leads out of a cell, without a direction for links; 'given' are the
-- finder's bend_cost and heading, and of hexagons their offset.
function bends.explore(start, given, round, each_step)
  local best, closed, open = {}, {}, {}
  push(open, { cost = 0, bends = 0, cell = start, from = given.heading })
  while #open > 0 do
    local node = pop(open)
    local state = node.cell .. (node.from or "")
    if not closed[state] then
      closed[state] = true
      best[node.cell] = best[node.cell] or node
      each_step(node.cell, function(cell, direction, step)
        local bend = node.from and direction and node.from ~= direction
        push(open, {
          cost = node.cost + step + (bend and round(price_between(given, node.from, direction)) or 0),
          bends = node.bends + (bend and 1 or 0),
          cell = cell, from = direction,
        })
      end)
    end
  end
  return best
end

-- The same over squares, and the entry costs.
function bends.best(world, rules, sx, sy, given)
  local entry = oracle.entry_costs(world, rules, sx, sy, true)
  local round = bends.rounding(least_cost(world, rules))
  local best = bends.explore(oracle.cell(world, sx, sy), given, round, function(cell, add)
    local x, y = oracle.position(world, cell)
    for _, step in ipairs(STEPS) do
      local nx, ny = x + step[2], y + step[3]
      local cost = oracle.legal_step(world, rules, entry, x, y, nx, ny)
      if cost then add(oracle.cell(world, nx, ny), step[1], round(cost)) end
    end
    for to in pairs(world.links[cell] or {}) do
      local nx, ny = oracle.position(world, to)
      local cost = oracle.link_step(world, rules, entry, x, y, nx, ny)
      if cost then add(to, nil, cost) end
    end
  end)
  return best, entry
end

return bends
