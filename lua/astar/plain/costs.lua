-- costs.lua -- The costs of cells and steps during one query, including those that callbacks return.
--
-- Directions are numbered clockwise from 0, north, to 7, north-west. Diagonal directions have odd numbers.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")

local fail = object.fail
local floor, huge = math.floor, math.huge
local LENIENCE = 1 + 1e-9 -- factor of limits: sums of costs may exceed a limit slightly by rounding

local costs = {
  DX = { [0] = 0, 1, 1, 1, 0, -1, -1, -1 }, DY = { [0] = -1, -1, 0, 1, 1, 1, 0, -1 },
}

-- For each corner rule: how many of the two cells beside a diagonal step must be free. 3 means that there are no
-- diagonal steps.
costs.CORNERS = { always = 0, if_at_most_one_obstacle = 1, only_when_no_obstacles = 2, never = 3 }

--- Returns, for each direction, the difference of the numbers of the two cells that a step joins.
function costs.offsets(stride)
  local offsets = {}
  for d = 0, 7 do offsets[d] = costs.DY[d] * stride + costs.DX[d] end
  return offsets
end

--- Returns a number that grows with each change of the fields that a unit avoids.
function costs.count_field_edits(unit)
  local count = 0
  for _, avoided in ipairs(unit.avoided or {}) do count = count + avoided.field.version end
  return count
end

--- Starts a query for a unit that is at a cell; 0 means no cell. Returns the costs for this query.
function costs.begin(unit, cell)
  local said = (unit.cost or unit.avoided) and {} or nil
  local self = {
    unit = unit, map = unit.map, start = cell, said = said, steps = {}, field_edits = costs.count_field_edits(unit),
  }
  map.update(self.map)
  self.cost, self.edition = self.map.cost, self.map.edition
  self.edits = map.count_edits(self.map)
  self.patch = cell ~= 0 and map.lift(self.map, cell) or nil
  map.apply_patch(self.map, self.patch)
  return self
end

--- Returns the column and row of a cell, as scripts count them.
function costs.position(grid, cell)
  local row = floor((cell - 1) / grid.stride)
  return cell - 1 - row * grid.stride + grid.x0 - 1, row + grid.y0 - 1
end

local position = costs.position

local function counted(...) return select("#", ...), (...) end

--- Calls a callback, which may edit the map, run other queries, or step the search that calls it. Returns the first
-- value that the callback returned, and the number of values.
function costs.ask(self, call, ...)
  local own, owner = self.map, self.owner
  local turn = owner and owner.turn
  local count, said = counted(call(...))
  if owner and owner.turn ~= turn then fail "search was stepped or closed by its own callback" end
  if map.count_edits(own) ~= self.edits or costs.count_field_edits(self.unit) ~= self.field_edits then
    if owner then owner.status = "grid changed" end
    fail("grid was edited during the search: a callback may not edit the grid "
      .. "or the field to avoid; edit after the call")
  end
  if own.patch ~= self.patch then map.apply_patch(own, self.patch) end
  return said, count
end

local ask = costs.ask

-- Checks what a callback returned. Returns the cost, huge if the cell cannot be entered.
local function judge(self, name, said, count, cell, least, most)
  if count == 0 then
    object.no_answer(name, said, position(self.map.grid, cell))
  elseif not said or said == huge then
    return huge
  elseif type(said) == "number" and said > 0 and said >= least and said <= most then
    return said
  end
  local x, y = position(self.map.grid, cell)
  object.answer(name, said, x, y, "min_cost", least, most)
end

--- Returns what the fields that a unit avoids add to the cost of a cell, 0 if their sum is negative.
local function avoidance(unit, x, y)
  local sum = 0
  for _, avoided in ipairs(unit.avoided) do
    local field = avoided.field
    sum = sum + avoided.weight * field.values[(y - field.y0) * field.width + x - field.x0 + 1]
  end
  return math.max(sum, 0)
end

-- Returns the cost of being at a cell for a unit that avoids fields: that of the costliest ground which it covers,
-- and the highest danger of the covered cells, which may be those of two cells.
local function cost_and_danger(self, cell)
  local own, unit, danger = self.map, self.unit, 0
  local stride = own.grid.stride
  for row = cell, cell + (own.rows - 1) * stride, stride do
    for each = row, row + own.columns - 1 do danger = math.max(danger, avoidance(unit, position(own.grid, each))) end
  end
  return map.price(own, cell) + danger
end

local function call_for_cell(self, cell)
  local own = self.map
  local grid = own.grid
  local terrain = grid.ground[cell]
  local x, y = position(grid, cell)
  local given = own.costs[terrain]
  if self.unit.avoided then given = given + avoidance(self.unit, x, y) end
  local said, count = ask(self, self.unit.cost, x, y, grid.keys[terrain], given)
  return judge(self, "cost", said, count, cell, self.unit.least(), math.max(1e6, given))
end

--- Returns the unrounded cost of standing at a cell: the highest cost of the cells that the unit covers, by terrain and
-- fields or by callbacks. Returns huge if the unit cannot be there.
function costs.enter(self, cell)
  local said, stride, most = self.said, self.map.grid.stride, 0
  if (self.cost[cell] or 0) == 0 then
    return huge
  elseif not said then
    return map.price(self.map, cell)
  elseif not self.unit.cost then
    said[cell] = said[cell] or cost_and_danger(self, cell)
    return said[cell]
  end
  for row = cell, cell + (self.map.rows - 1) * stride, stride do
    for each = row, row + self.map.columns - 1 do
      said[each] = said[each] or call_for_cell(self, each)
      most = math.max(most, said[each])
      if most == huge then return most end
    end
  end
  return most
end

local enter = costs.enter

-- Returns the cost of a step by the step_cost callback. `cost` is the cost of the step without the callback.
local function call_for_step(self, cell, to, d, cost)
  local unit, grid = self.unit, self.map.grid
  if not unit.step_cost or cost == huge then return cost end
  local x, y = position(grid, cell)
  local nx, ny = position(grid, to)
  local least, step = unit.least() * (d % 2 == 1 and unit.diagonal_cost or 1), 8 * cell + d
  if not self.steps[step] then
    local said, count = ask(self, unit.step_cost, x, y, nx, ny, cost)
    self.steps[step] = judge(self, "step_cost", said, count, to, least, math.max(2e6, cost))
  end
  return self.steps[step]
end

--- Returns true if the restriction of a cell bars the step in a direction out of it.
function costs.is_barred(grid, cell, d)
  local barred = grid.exits[cell]
  return barred ~= nil and barred[d] == true
end

local is_barred = costs.is_barred

--- Returns the unrounded cost of a step in a direction. If the step is not possible, returns huge and the direction of
-- the cell that bars it.
function costs.step(self, cell, d)
  local unit, offsets = self.unit, self.unit.offsets
  local to = cell + offsets[d]
  local cost = enter(self, to)
  if cost == huge or is_barred(unit.grid, cell, d) then
    return huge, d
  elseif d % 2 == 1 then
    local one, other = (d + 7) % 8, (d + 1) % 8
    if one % 4 ~= 2 then one, other = other, one end -- if both bar the step, the cell to the east or west is returned
    local is_free, is_other_free = enter(self, cell + offsets[one]) < huge, enter(self, cell + offsets[other]) < huge
    local is_cut = (is_free and 1 or 0) + (is_other_free and 1 or 0) < unit.corners
    if is_cut then
      return huge, unit.corners == 3 and d or not is_free and one or other
    end
    cost = cost * unit.diagonal_cost
  end
  return call_for_step(self, cell, to, d, cost)
end

--- Returns the cost of a step as searches add it up: rounded, unless the step_cost callback returned it.
function costs.length(self, cell, d)
  local cost = costs.step(self, cell, d)
  return (cost == huge or self.unit.step_cost) and cost or map.round(self.map, cost)
end

--- Returns the direction from a cell to a neighbouring cell.
function costs.direction(stride, cell, to)
  local step = to - cell
  for d = 0, 7 do
    if costs.DY[d] * stride + costs.DX[d] == step then return d end
  end
end

--- Walks over a list of cells from one index to another, for a cost of at most `most`. Returns the last index that is
-- reached and the cost up to there. If one of these cells cannot be entered, a third result is its index. `self` is
-- the query that the walk belongs to, if there is one.
function costs.walk_within(unit, cells, from, to, most, self)
  local straight, diagonal, cost = 0, 0, 0
  self = self or costs.begin(unit, cells[from])
  if map.price(self.map, cells[from]) == huge then return from, 0, from end
  for i = from, to - 1 do
    local d = costs.direction(self.map.grid.stride, cells[i], cells[i + 1])
    local step = costs.step(self, cells[i], d)
    if step == huge then
      return i, cost * 1.0, i + 1
    elseif unit.step_cost then
      straight = straight + step
    elseif d % 2 == 1 then
      diagonal = diagonal + enter(self, cells[i + 1])
    else
      straight = straight + step
    end
    local sum = straight + diagonal * unit.diagonal_cost
    if sum > most * LENIENCE then return i, cost * 1.0 end
    cost = sum
  end
  return to, cost * 1.0
end

--- Walks over a list of cells from one index to the last. Returns the cost, or nil and the index of the first cell that
-- cannot be entered.
function costs.walk(unit, cells, count, from, self)
  local _, cost, bad = costs.walk_within(unit, cells, from, count, huge, self)
  if bad then return nil, bad end
  return cost
end

--- Follows the straight line between two cells. Returns nil if the unit can move along it, otherwise the cell that bars
-- it.
function costs.cast(unit, from, x0, y0, x1, y1)
  local self = costs.begin(unit, from)
  local stride, orthogonal = self.map.grid.stride, unit.corners == 3
  if map.price(self.map, from) == huge then return from end
  local dx, dy = math.abs(x1 - x0), math.abs(y1 - y0)
  local sx, sy = x1 < x0 and -1 or 1, y1 < y0 and -1 or 1
  local steps = orthogonal and dx + dy or math.max(dx, dy)
  local half = (y1 < y0 or y1 == y0 and x1 < x0) and steps - 1 or steps
  local cell = from
  for step = 1, steps do
    local along_x, along_y = step, step
    if orthogonal or dx < dy then along_x = floor((2 * step * dx + half) / (2 * steps)) end
    if orthogonal then
      along_y = step - along_x
    elseif dy < dx then
      along_y = floor((2 * step * dy + half) / (2 * steps))
    end
    local to = (y0 + sy * along_y) * stride + x0 + sx * along_x + 1
    local d = costs.direction(stride, cell, to)
    local cost, stop = costs.step(self, cell, d)
    if cost == huge then return cell + unit.offsets[stop or d] end
    cell = to
  end
end

return costs
