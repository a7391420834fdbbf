-- body.lua -- what the body of a unit comes over as it goes along a straight line, by exact geometry.
--
-- A unit of w x h cells at the cell (x, y) is the rectangle from (x, y) to (x + w, y + h), where a cell is the square
-- from its own x and y to one more. All numbers are whole, so a body that touches a cell is told from one that
-- covers it.
-- 'margin' widens the square on each side, in quarters of a cell.
--
-- docs/straighter.md says what is allowed. By rules that cut corners the square may come over corners; there a line
-- goes between two cells side by side only where the unit may step from one to the other, and through a cell's middle
-- only where it can be there.

local oracle = require "spec.support.oracle"

local body = {}

local CUTS = { always = true, if_at_most_one_obstacle = true }

-- Narrows the part of a line, from 'low' to 'high' of it, to where from + t * way lies between 'least' and 'most';
-- each bound is a fraction. Returns the new bounds, nil where there is no such part.
local function narrow(low, high, from, way, least, most)
  if way == 0 then
    if from <= least or from >= most then return nil end
    return low, high
  end
  local a, b = { least - from, way }, { most - from, way }
  if way < 0 then a, b = { from - most, -way }, { from - least, -way } end
  if a[1] * low[2] > low[1] * a[2] then low = a end
  if b[1] * high[2] < high[1] * b[2] then high = b end
  return low, high
end

-- Whether some point of the line, its ends included, lies strictly within a box.
local function meets(x, y, dx, dy, box)
  local low, high = { -1, 1 }, { 2, 1 }
  low, high = narrow(low, high, x, dx, box[1], box[3])
  if not low then return false end
  low, high = narrow(low, high, y, dy, box[2], box[4])
  return low ~= nil and low[1] * high[2] < high[1] * low[2] and low[1] < low[2] and high[1] > 0
end

--- Whether a unit that goes from (x0, y0) to (x1, y1) comes over part of a cell.
function body.covers(size, margin, x0, y0, x1, y1, cell_x, cell_y)
  local columns, rows = oracle.body { size = size }
  local wide, high = 4 * columns + margin, 4 * rows + margin
  return meets(4 * x0, 4 * y0, 4 * (x1 - x0), 4 * (y1 - y0), {
    4 * cell_x - wide, 4 * cell_y - high, 4 * cell_x + 4 + margin, 4 * cell_y + 4 + margin,
  })
end

--- The first cell found that it comes over and that is not free, nil for none. What lies beyond the map is not free,
-- but for a margin.
function body.hits(world, size, margin, x0, y0, x1, y1, is_free)
  local columns, rows = oracle.body { size = size }
  local reach = math.max(columns, rows) + math.ceil(margin / 4)
  for y = math.min(y0, y1) - reach, math.max(y0, y1) + reach do
    for x = math.min(x0, x1) - reach, math.max(x0, x1) + reach do
      local inside = x >= world.x0 and y >= world.y0 and x < world.x0 + world.width and y < world.y0 + world.height
      local wanted = inside and margin or 0
      if not (inside and is_free(x, y)) and body.covers(size, wanted, x0, y0, x1, y1, x, y) then return x, y end
    end
  end
end

-- The squares between four middles that a line passes through, as columns and rows from where it begins.
local function squares(dx, dy)
  local list = {}
  for i = 0, math.abs(dx) - 1 do
    for j = 0, math.abs(dy) - 1 do
      if meets(0, 0, math.abs(dx), math.abs(dy), { i, j, i + 1, j + 1 }) then list[#list + 1] = { i, j } end
    end
  end
  return list
end

-- Whether thin walls leave the squares that a line passes through open, the way it goes.
local function passes_walls(world, x0, y0, x1, y1)
  local sx, sy = x1 < x0 and -1 or 1, y1 < y0 and -1 or 1
  for _, square in ipairs(next(world.walls) and squares(x1 - x0, y1 - y0) or {}) do
    local x, y = x0 + sx * square[1], y0 + sy * square[2]
    if oracle.is_barred(world, x, y, sx, 0) or oracle.is_barred(world, x, y, 0, sy)
      or oracle.is_barred(world, x + sx, y, 0, sy) or oracle.is_barred(world, x, y + sy, sx, 0) then
      return false
    end
  end
  return true
end

-- Whether the unit can be at a cell.
local function can_be(world, entry, x, y)
  return x >= world.x0 and y >= world.y0 and x < world.x0 + world.width and y < world.y0 + world.height
    and entry[oracle.cell(world, x, y)]
end

-- Whether a line crosses between no two cells that the unit may not step between, by rules that cut corners.
local function crosses_freely(world, entry, x0, y0, x1, y1)
  local dx, dy = math.abs(x1 - x0), math.abs(y1 - y0)
  local sx, sy = x1 < x0 and -1 or 1, y1 < y0 and -1 or 1
  for i = 1, dx do -- over columns of middles
    local at = i * dy / dx
    local j = math.floor(at)
    local x, y = x0 + sx * i, y0 + sy * j
    if not can_be(world, entry, x, y) then return false end
    if at ~= j and (not can_be(world, entry, x, y + sy) or oracle.is_barred(world, x, y, 0, sy)) then return false end
  end
  for j = 1, dy do
    local at = j * dx / dy
    local i = math.floor(at)
    local x, y = x0 + sx * i, y0 + sy * j
    if not can_be(world, entry, x, y) then return false end
    if at ~= i and (not can_be(world, entry, x + sx, y) or oracle.is_barred(world, x, y, sx, 0)) then return false end
  end
  return true
end

--- What the steps along a line cost, nil where the unit cannot go along it. 'entry' is of where the unit begins, and
-- is_free(x, y) tells of one cell of the map whether it bars the unit.
function body.walk(world, rules, entry, is_free, x0, y0, x1, y1)
  local cost = oracle.walk(world, rules, entry, oracle.line(rules, x0, y0, x1, y1))
  if not cost then return nil end
  if CUTS[rules.diagonals] then
    return crosses_freely(world, entry, x0, y0, x1, y1) and cost or nil
  end
  if body.hits(world, rules.size or 1, 0, x0, y0, x1, y1, is_free) then return nil end
  return passes_walls(world, x0, y0, x1, y1) and cost or nil
end

--- is_free for a unit that begins at (sx, sy): blocks that it covers there are itself.
function body.free_cells(world, rules, sx, sy)
  local one = {}
  for name, value in pairs(rules) do one[name] = value end
  one.size = nil
  local costs = oracle.entry_costs(world, one)
  local own = {}
  for _, cell in ipairs(sx and oracle.covered(world, rules, sx, sy) or {}) do
    own[cell] = oracle.ground_cost(world, rules, cell)
  end
  return function(x, y)
    local cell = oracle.cell(world, x, y)
    return costs[cell] or own[cell]
  end
end

--- The fewest legs that lead over cells of a path, each a line along which the unit can go and that costs no more than
-- the part of the path in its place.
function body.fewest_legs(world, rules, cells)
  local entry = oracle.entry_costs(world, rules, cells[1].x, cells[1].y)
  local is_free = body.free_cells(world, rules, cells[1].x, cells[1].y)
  local cost_to, legs = { 0 }, { 0 }
  for j = 2, #cells do
    cost_to[j] = cost_to[j - 1] + oracle.walk(world, rules, entry, cells, j - 1, j)
    legs[j] = legs[j - 1] + 1
    for i = 1, j - 2 do
      local from, to = cells[i], cells[j]
      if legs[i] + 1 < legs[j] then
        local cost = body.walk(world, rules, entry, is_free, from.x, from.y, to.x, to.y)
        if cost and cost <= cost_to[j] - cost_to[i] + 1e-9 then legs[j] = legs[i] + 1 end
      end
    end
  end
  return legs[#cells]
end

return body
