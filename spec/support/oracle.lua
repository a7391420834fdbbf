-- oracle.lua -- the rules written plainly, to hold astar's answers against.
--
-- A world is a map as the rules see it:
--     { width, height, x0, y0, terrain = { [key] = cost | false },
--       keys = { [cell] = key }, blocks = { [cell] = true },
--       links = { [from] = { [to] = cost } } by cells, one way each,
--       walls = { [cell] = { ["0,-1"] = true } }: the straight steps barred out of it,
--       exits = { [cell] = { ["0,-1"] = true } }: the only steps by which the cell may be left, if there is an entry }
-- 'rules' are a finder's options: diagonals, diagonal_cost, costs, avoid, avoid_weight, cost,
-- step_cost, size.

local oracle = {}

local DEFAULT_TERRAIN = { ["."] = 1, [" "] = 1, ["#"] = false, ["@"] = false }

-- How many of the two cells beside a diagonal step must be open.
local OPEN_SIDES = {
  always = 0, if_at_most_one_obstacle = 1, only_when_no_obstacles = 2, never = 3,
}

local DIRECTIONS = {
  { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { 1, -1 }, { 1, 1 }, { -1, 1 }, { -1, -1 },
}

-- 'rows': a list of rows, each a string or a list of keys.
function oracle.world(rows, options)
  options = options or {}
  local origin = options.origin or { 1, 1 }
  local world = {
    width = #rows[1], height = #rows, x0 = origin[1], y0 = origin[2],
    terrain = options.terrain or DEFAULT_TERRAIN, keys = {}, blocks = {}, links = {}, walls = {}, exits = {},
  }
  for _, row in ipairs(rows) do
    for x = 1, world.width do
      world.keys[#world.keys + 1] = type(row) == "string" and row:sub(x, x) or row[x]
    end
  end
  return world
end

function oracle.cell(world, x, y)
  return (y - world.y0) * world.width + (x - world.x0) + 1
end

function oracle.position(world, cell)
  return (cell - 1) % world.width + world.x0, math.floor((cell - 1) / world.width) + world.y0
end

-- What the ground costs this unit, false when it may not stand there; blocks do not count.
function oracle.ground_cost(world, rules, cell)
  local key = world.keys[cell]
  local cost = world.terrain[key]
  if rules.costs and rules.costs[key] ~= nil then cost = rules.costs[key] end
  return cost ~= math.huge and cost
end

-- Returns the columns and rows that a unit covers: the option size is a number n for n x n cells, or {columns, rows}.
function oracle.body(rules)
  local size = rules.size or 1
  if type(size) == "table" then return size[1], size[2] end
  return size, size
end

-- The cells that a unit at (x, y) covers, nil where it juts out of the map.
function oracle.covered(world, rules, x, y)
  local columns, rows = oracle.body(rules)
  local cells = {}
  if x + columns > world.x0 + world.width or y + rows > world.y0 + world.height then return nil end
  for row = y, y + rows - 1 do
    for column = x, x + columns - 1 do cells[#cells + 1] = oracle.cell(world, column, row) end
  end
  return cells
end

-- Whether the ground, whatever the blocks, lets the unit stand there.
function oracle.can_stand(world, rules, x, y)
  local cells = oracle.covered(world, rules, x, y)
  for _, cell in ipairs(cells or {}) do
    if not oracle.ground_cost(world, rules, cell) then return false end
  end
  return cells ~= nil
end

-- Returns what the fields to avoid add to the cost of a cell: their weighted sum, or 0 if it is negative.
local function danger(rules, x, y)
  local avoid, sum = rules.avoid, 0
  if type(avoid) ~= "table" or avoid.get then return (rules.avoid_weight or 1) * math.max(avoid:get(x, y), 0) end
  for _, each in ipairs(avoid) do sum = sum + each[2] * each[1]:get(x, y) end
  return math.max(sum, 0)
end

-- The same for each cell alone, whatever the unit's size; blocks in 'own' do not count. The second result has the
-- danger of each cell for a unit of several cells without a cost function, which pays for the costliest ground and the
-- most dangerous cell that it covers. In all other cases the danger is part of the cost of its cell.
local function cell_costs(world, rules, own)
  local costs, dangers = {}, {}
  local columns, rows = oracle.body(rules)
  local is_apart = columns * rows > 1 and not rules.cost
  for cell = 1, world.width * world.height do
    local cost = (own[cell] or not world.blocks[cell]) and oracle.ground_cost(world, rules, cell)
    local x, y = oracle.position(world, cell)
    local fear = rules.avoid and danger(rules, x, y) or 0
    dangers[cell] = is_apart and fear or 0
    if cost and not is_apart then cost = cost + fear end
    if cost and rules.cost then
      cost = rules.cost(x, y, world.keys[cell], cost)
    end
    costs[cell] = cost or false
  end
  return costs, dangers
end

local function dearest(costs, cells)
  local most = 0
  for _, cell in ipairs(cells or {}) do
    if not costs[cell] then return false end
    if costs[cell] > most then most = costs[cell] end
  end
  return cells ~= nil and most
end

-- What entering each cell costs per unit of length, false where this unit may not. A unit wider
-- than a cell pays for the dearest it covers; the blocks it covers at (sx, sy), its start, are
-- itself. That matters for one of a cell only where bends count ('comes_by'): a best way leads past its corner.
function oracle.entry_costs(world, rules, sx, sy, comes_by)
  local columns, rows = oracle.body(rules)
  if columns * rows == 1 and not comes_by then return (cell_costs(world, rules, {})) end
  local own, entry = {}, {}
  if sx and oracle.can_stand(world, rules, sx, sy) then
    for _, cell in ipairs(oracle.covered(world, rules, sx, sy)) do own[cell] = true end
  end
  local costs, dangers = cell_costs(world, rules, own)
  for cell = 1, world.width * world.height do
    local x, y = oracle.position(world, cell)
    local covered = oracle.covered(world, rules, x, y)
    local cost = dearest(costs, covered)
    entry[cell] = cost and cost + dearest(dangers, covered)
  end
  return entry
end

-- The largest size that fits at (x, y).
function oracle.clearance(world, rules, x, y)
  local costs = cell_costs(world, { costs = rules.costs }, {})
  local size = 0
  while dearest(costs, oracle.covered(world, { size = size + 1 }, x, y)) do size = size + 1 end
  return size
end

-- Whether a wall bars the straight step (dx, dy) out of (x, y).
function oracle.is_barred(world, x, y, dx, dy)
  local walls = world.walls[oracle.cell(world, x, y)]
  return walls and walls[dx .. "," .. dy]
end

local is_barred = oracle.is_barred

-- How many ways around a diagonal step are open, and how many walls close. Each is two straight
-- steps past one of the cells beside it.
local function count_ways(world, entry, x, y, dx, dy)
  local open, walled = 0, 0
  for _, way in ipairs { { dx, 0, 0, dy }, { 0, dy, dx, 0 } } do
    local beside_x, beside_y = x + way[1], y + way[2]
    local barred = is_barred(world, x, y, way[1], way[2])
      or is_barred(world, beside_x, beside_y, way[3], way[4])
    walled = walled + (barred and 1 or 0)
    open = open + (not barred and entry[oracle.cell(world, beside_x, beside_y)] and 1 or 0)
  end
  return open, walled
end

-- The cost of the step from (x, y) to the neighbour (x + dx, y + dy), nil when it is not allowed.
local function step_cost(world, rules, entry, x, y, dx, dy)
  local nx, ny = x + dx, y + dy
  local exits = world.exits[oracle.cell(world, x, y)]
  if exits and not exits[dx .. "," .. dy] then return nil end
  if nx < world.x0 or nx >= world.x0 + world.width then return nil end
  if ny < world.y0 or ny >= world.y0 + world.height then return nil end
  local cost = entry[oracle.cell(world, nx, ny)]
  if not cost then return nil end
  if dx ~= 0 and dy ~= 0 then
    local open, walled = count_ways(world, entry, x, y, dx, dy)
    if open < OPEN_SIDES[rules.diagonals or "only_when_no_obstacles"] or walled == 2 then return nil end
    cost = cost * (rules.diagonal_cost or math.sqrt(2))
  elseif is_barred(world, x, y, dx, dy) then
    return nil
  end
  if rules.step_cost then return rules.step_cost(x, y, nx, ny, cost) or nil end
  return cost
end

-- The cost of the link from one cell to another, nil when there is none or it is not allowed.
function oracle.link_step(world, rules, entry, x, y, nx, ny)
  local links, cell = world.links[oracle.cell(world, x, y)], oracle.cell(world, nx, ny)
  local cost = links and links[cell]
  if not cost or not entry[cell] then return nil end
  if rules.step_cost then return rules.step_cost(x, y, nx, ny, cost) or nil end
  return cost
end

-- The cost of stepping from one cell to the next one, nil when that is no legal step.
function oracle.legal_step(world, rules, entry, x, y, nx, ny)
  local dx, dy = nx - x, ny - y
  if math.max(math.abs(dx), math.abs(dy)) ~= 1 then return nil end
  return step_cost(world, rules, entry, x, y, dx, dy)
end

local function push(heap, cost, cell)
  local i = #heap + 1
  while i > 1 do
    local parent = math.floor(i / 2)
    if heap[parent].cost <= cost then break end
    heap[i] = heap[parent]
    i = parent
  end
  heap[i] = { cost = cost, cell = cell }
end

local function pop(heap)
  local top, last = heap[1], table.remove(heap)
  local count, i = #heap, 1
  if count == 0 then return top end
  while 2 * i <= count do
    local child = 2 * i
    if child < count and heap[child + 1].cost < heap[child].cost then child = child + 1 end
    if heap[child].cost >= last.cost then break end
    heap[i] = heap[child]
    i = child
  end
  heap[i] = last
  return top
end

-- Dijkstra: the least cost from (sx, sy) to each cell, { [cell] = cost }, nil where there is no way.
function oracle.distances(world, rules, sx, sy)
  local entry = oracle.entry_costs(world, rules, sx, sy)
  local distance, closed, open = {}, {}, {}
  local start = oracle.cell(world, sx, sy)
  distance[start] = 0
  push(open, 0, start)
  while #open > 0 do
    local node = pop(open)
    if not closed[node.cell] then
      closed[node.cell] = true
      local x, y = oracle.position(world, node.cell)
      for _, direction in ipairs(DIRECTIONS) do
        local dx, dy = direction[1], direction[2]
        local cost = step_cost(world, rules, entry, x, y, dx, dy)
        local neighbour = oracle.cell(world, x + dx, y + dy)
        if cost and (not distance[neighbour] or node.cost + cost < distance[neighbour]) then
          distance[neighbour] = node.cost + cost
          push(open, node.cost + cost, neighbour)
        end
      end
      for neighbour in pairs(world.links[node.cell] or {}) do
        local nx, ny = oracle.position(world, neighbour)
        local cost = oracle.link_step(world, rules, entry, x, y, nx, ny)
        if cost and (not distance[neighbour] or node.cost + cost < distance[neighbour]) then
          distance[neighbour] = node.cost + cost
          push(open, node.cost + cost, neighbour)
        end
      end
    end
  end
  return distance, entry
end

-- Why there is no question of a route, nil when there may be one.
function oracle.refusal(world, rules, entry, sx, sy, gx, gy)
  local start, goal = oracle.cell(world, sx, sy), oracle.cell(world, gx, gy)
  if not oracle.can_stand(world, rules, sx, sy) then return "start blocked" end
  if start ~= goal and not entry[goal] then return "goal blocked" end
  return nil
end

-- The distance by which "nearest to the goal" is judged: that of the rule on open ground.
function oracle.ground_distance(rules, x, y, gx, gy)
  local dx, dy = math.abs(gx - x), math.abs(gy - y)
  if rules.diagonals == "never" then return dx + dy end
  local diagonals = math.min(dx, dy)
  return math.max(dx, dy) - diagonals + diagonals * (rules.diagonal_cost or math.sqrt(2))
end

-- Where a unit at (x, y) counts from, to a goal: with a range from the cell it covers that is nearest to the goal,
-- without one from its north-west cell, which is to come to the goal itself.
function oracle.counts_from(rules, range, x, y, gx, gy)
  local columns, rows = oracle.body(rules)
  if (range or 0) == 0 then columns, rows = 1, 1 end
  return math.max(x, math.min(gx, x + columns - 1)), math.max(y, math.min(gy, y + rows - 1))
end

-- How many columns or rows lie between a unit at (x, y) and the goal, the more of them, as its range counts.
function oracle.away(rules, range, x, y, gx, gy)
  x, y = oracle.counts_from(rules, range, x, y, gx, gy)
  return math.max(math.abs(gx - x), math.abs(gy - y))
end

-- Of the cells in 'distances' the one nearest to the goal, the cheapest of those: its distance
-- to the goal and its cost.
function oracle.nearest(world, rules, distances, gx, gy, range)
  local least, cheapest = math.huge, math.huge
  for cell, cost in pairs(distances) do
    local x, y = oracle.position(world, cell)
    x, y = oracle.counts_from(rules, range, x, y, gx, gy)
    local distance = oracle.ground_distance(rules, x, y, gx, gy)
    if distance < least - 1e-9 then
      least, cheapest = distance, cost
    elseif distance < least + 1e-9 and cost < cheapest then
      cheapest = cost
    end
  end
  return least, cheapest
end

-- The least cost of coming within 'range' cells of the goal, nil when there is no way.
function oracle.within(world, rules, distances, gx, gy, range)
  local cheapest
  for cell, cost in pairs(distances) do
    local x, y = oracle.position(world, cell)
    if oracle.away(rules, range, x, y, gx, gy) <= range and (not cheapest or cost < cheapest) then cheapest = cost end
  end
  return cheapest
end

-- The cells of the straight line between two cells: after k of n steps the one nearest to the
-- point k / n of the way. A point halfway between two cells belongs to the southern one, on one
-- row to the eastern: so the line has the same cells both ways.
function oracle.line(rules, x0, y0, x1, y1)
  if y1 < y0 or (y1 == y0 and x1 < x0) then
    local cells = oracle.line(rules, x1, y1, x0, y0)
    for i = 1, math.floor(#cells / 2) do
      cells[i], cells[#cells + 1 - i] = cells[#cells + 1 - i], cells[i]
    end
    return cells
  end
  local dx, dy = math.abs(x1 - x0), y1 - y0
  local sign = x1 < x0 and -1 or 1
  local never = rules.diagonals == "never"
  local steps = never and dx + dy or math.max(dx, dy)
  local cells = { { x = x0, y = y0 } }
  for k = 1, steps do
    local east = math.floor((2 * k * dx + steps) / (2 * steps))
    local south = never and k - east or math.floor((2 * k * dy + steps) / (2 * steps))
    cells[k + 1] = { x = x0 + sign * east, y = y0 + south }
  end
  return cells
end

-- The cost of walking from cell to cell of a list, nil where a step is not legal.
function oracle.walk(world, rules, entry, cells, first, last)
  local cost = 0
  for i = (first or 1) + 1, last or #cells do
    local from, to = cells[i - 1], cells[i]
    local step = oracle.legal_step(world, rules, entry, from.x, from.y, to.x, to.y)
    if not step then return nil end
    cost = cost + step
  end
  return cost
end

-- The cell that makes a step illegal. It is the cell that the step enters if this cell is blocked or a restriction
-- bars the step. Otherwise it is the cell beside the step to the east or west, unless the way past this cell is open.
-- In that case it is the cell to the north or south.
local function stopping_cell(world, rules, entry, from, to)
  local dx, dy = to.x - from.x, to.y - from.y
  local exits = world.exits[oracle.cell(world, from.x, from.y)]
  if exits and not exits[dx .. "," .. dy] then return to.x, to.y end
  if rules.diagonals == "never" or not entry[oracle.cell(world, to.x, to.y)] then return to.x, to.y end
  if dx == 0 or dy == 0 then return to.x, to.y end
  local sideways_open = entry[oracle.cell(world, to.x, from.y)]
    and not is_barred(world, from.x, from.y, dx, 0) and not is_barred(world, to.x, from.y, 0, dy)
  if not sideways_open then return to.x, from.y end
  return from.x, to.y
end

-- Whether the unit can stand where the line begins and every step of it is legal, and else the cell
-- that stops it.
function oracle.raycast(world, rules, x0, y0, x1, y1)
  if not oracle.can_stand(world, rules, x0, y0) then return false, x0, y0 end
  local entry = oracle.entry_costs(world, rules, x0, y0)
  local cells = oracle.line(rules, x0, y0, x1, y1)
  for i = 2, #cells do
    local from, to = cells[i - 1], cells[i]
    if not oracle.legal_step(world, rules, entry, from.x, from.y, to.x, to.y) then
      return false, stopping_cell(world, rules, entry, from, to)
    end
  end
  return true
end

return oracle
