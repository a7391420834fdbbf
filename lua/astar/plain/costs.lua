-- costs.lua -- what cells and steps cost during one question, functions of the script asked where there are any.
--
-- Directions are counted from 0, north, clockwise to 7, north-west: diagonal ones are odd.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")

local describe, fail = object.describe, object.fail
local floor, huge = math.floor, math.huge

local costs = {
  DX = { [0] = 0, 1, 1, 1, 0, -1, -1, -1 }, DY = { [0] = -1, -1, 0, 1, 1, 1, 0, -1 },
}

-- How many of the two cells beside a diagonal step have to be free; 3: there are none.
costs.CORNERS = { always = 0, if_at_most_one_obstacle = 1, only_when_no_obstacles = 2, never = 3 }

--- What each direction adds to the number of a cell.
function costs.offsets(stride)
  local offsets = {}
  for d = 0, 7 do offsets[d] = costs.DY[d] * stride + costs.DX[d] end
  return offsets
end

--- A question of a unit that stands on a cell, 0 for none: of the map as it is, or as a copy has it.
function costs.begin(unit, cell, copy)
  local self = { unit = unit, map = copy or unit.map, start = cell, said = unit.cost and {} or nil }
  map.update(self.map)
  self.cost = self.map.cost
  self.edits = map.count_edits(self.map)
  self.patch = cell ~= 0 and map.lift(self.map, cell) or nil
  map.settle(self.map, self.patch)
  return self
end

--- Where a cell lies, as scripts count.
function costs.position(grid, cell)
  local row = floor((cell - 1) / grid.stride)
  return cell - 1 - row * grid.stride + grid.x0 - 1, row + grid.y0 - 1
end

local position = costs.position

--- Asks a function of the script, which may edit the map, ask other questions, or step what it is asked for.
function costs.ask(self, name, a, b, c, d, e) -- as many arguments as are not nil
  local own, owner = self.map, self.owner
  local turn = owner and owner.turn
  local said
  if e ~= nil then
    said = name(a, b, c, d, e)
  elseif c == nil then
    said = name(a, b)
  elseif d == nil then
    said = name(a, b, c)
  else
    said = name(a, b, c, d)
  end
  if owner and owner.turn ~= turn then fail "search was stepped or closed by its own callback" end
  if not own.is_frozen and map.count_edits(own) ~= self.edits then fail "grid was edited during the search" end
  if own.patch ~= self.patch then map.settle(own, self.patch) end
  return said
end

local ask = costs.ask

-- What a function said: a cost, or huge for a no.
local function judge(self, name, said, cell, least, most, given)
  if not said then
    return huge
  elseif type(said) == "number" and said >= least and said <= math.max(most, given) and said < huge then
    return said
  end
  local x, y = position(self.map.grid, cell)
  local at = ("(%d, %d)"):format(x, y)
  if not (type(said) == "number" and said > 0 and said < huge) then
    fail("%s callback returned %s for %s; expected a number > 0, false or nil", name, describe(said), at)
  elseif said < least then
    fail("%s callback returned %s for %s, less than min_cost %s", name, describe(said), at, describe(least))
  end
  fail("%s callback returned %s for %s; expected at most %s", name, describe(said), at,
    describe(math.max(most, given)))
end

local function ask_cell(self, cell)
  local own = self.map
  local grid = own.grid
  local terrain = grid.ground[cell]
  local x, y = position(grid, cell)
  local given = own.costs[terrain]
  local said = ask(self, self.unit.cost, x, y, grid.keys[terrain], given)
  return judge(self, "cost", said, cell, self.unit.least(), 1e6, given)
end

-- Asks about the cells that the unit covers, as far as they have not been asked about.
local function ask_covered(self, cell)
  local size, most = self.map.size, 0
  local covered = self.covered or {}
  self.covered = covered
  for row = cell, cell + (size - 1) * self.map.grid.stride, self.map.grid.stride do
    for each = row, row + size - 1 do
      covered[each] = covered[each] or ask_cell(self, each)
      most = math.max(most, covered[each])
      if most == huge then return most end
    end
  end
  return most
end

--- What it costs to be on a cell, as given or said; huge where the unit cannot be.
function costs.enter(self, cell)
  if (self.cost[cell] or 0) == 0 then
    return huge
  elseif not self.said then
    return map.price(self.map, cell)
  end
  local said = self.said[cell]
  if not said then
    said = self.map.size == 1 and ask_cell(self, cell) or ask_covered(self, cell)
    self.said[cell] = said
  end
  return said
end

local enter = costs.enter

--- What a step to the cell beside costs by the step_cost function, of which it would cost `cost`.
function costs.ask_step(self, cell, to, d, cost)
  local unit, grid = self.unit, self.map.grid
  if not unit.step_cost or cost == huge then return cost end
  local x, y = position(grid, cell)
  local nx, ny = position(grid, to)
  local least = unit.least() * (d % 2 == 1 and unit.diagonal_cost or 1)
  local said = ask(self, unit.step_cost, x, y, nx, ny, cost)
  return judge(self, "step_cost", said, to, least, 2e6, cost)
end

--- What a step in a direction costs, not rounded; huge, and the direction of the cell that stops it.
function costs.step(self, cell, d)
  local unit, offsets = self.unit, self.unit.offsets
  local to = cell + offsets[d]
  local cost = enter(self, to)
  if cost == huge then
    return huge, d
  elseif d % 2 == 1 then
    local left, right = (d + 7) % 8, (d + 1) % 8
    local is_left = enter(self, cell + offsets[left]) < huge
    local is_right = enter(self, cell + offsets[right]) < huge
    if (is_left and 1 or 0) + (is_right and 1 or 0) < unit.corners then
      -- The one to the east or west is told where both are in its way.
      local is_left_sideways = left % 4 == 2
      if unit.corners == 3 then return huge, d end
      if is_left_sideways then return huge, not is_left and left or right end
      return huge, not is_right and right or left
    end
    cost = cost * unit.diagonal_cost
  end
  return costs.ask_step(self, cell, to, d, cost)
end

--- The direction from a cell to one beside it.
function costs.direction(stride, cell, to)
  local step = to - cell
  for d = 0, 7 do
    if costs.DY[d] * stride + costs.DX[d] == step then return d end
  end
end

--- Walks over a list of cells from an index on: what that costs, or the index of the first cell that cannot be
-- stepped on.
function costs.walk(unit, cells, count, from)
  local straight, diagonal = 0, 0
  local self = costs.begin(unit, cells[from])
  if not map.can_stand(self.map, cells[from]) then return nil, from end
  for i = from, count - 1 do
    local d = costs.direction(self.map.grid.stride, cells[i], cells[i + 1])
    local cost = costs.step(self, cells[i], d)
    if cost == huge then
      return nil, i + 1
    elseif unit.step_cost then
      straight = straight + cost
    elseif d % 2 == 1 then
      diagonal = diagonal + enter(self, cells[i + 1])
    else
      straight = straight + enter(self, cells[i + 1])
    end
  end
  return straight + diagonal * unit.diagonal_cost
end

--- Follows a line of sight: nil where nothing stops it, else the cell that does.
function costs.cast(unit, from, x0, y0, x1, y1)
  local self = costs.begin(unit, from)
  local stride, orthogonal = self.map.grid.stride, unit.corners == 3
  if not map.can_stand(self.map, from) then return from end
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
