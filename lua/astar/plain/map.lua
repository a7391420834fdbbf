-- map.lua -- the map as one kind of unit sees it: what each cell costs it, 0 where it cannot stand.
--
-- Cells are counted in rows with a border of cells that cost 0 around the grid, so that no search asks where the grid
-- ends. The numbers are kept in one list, brought up to date by the edits since the last question, and shared by all
-- finders with the same costs, layers ignored and size.
--
-- Steps are rounded once to a multiple of 2^-31 of the cheapest cost, so that equal routes cost equally much to the
-- last bit; what a path costs is added up from the costs as given. The C module does the same (src/unit/finder.c).
--
-- What stands on a unit's start may be the unit itself: while its question is answered the map is without the blocks
-- under it, which is done and undone by a patch.

local entries = next -- for loops, see entries_spec
local floor, huge = math.floor, math.huge

local map = {}

--- The unit that costs of at least `least` are rounded to.
local function unit_of(least)
  local power = 1
  while power > least do power = power / 2 end
  while power * 2 <= least do power = power * 2 end
  return power / 2 ^ 31
end

--- Rounds what a step costs.
function map.round(self, cost)
  local unit = self.unit
  return floor(cost / unit + 0.5) * unit
end

local round = map.round

-- What each terrain costs the unit, and the least of those that there are.
local function work_out_costs(self)
  local grid, least, count = self.grid, huge, 0
  local costs = {}
  for terrain, cost in ipairs(grid.costs) do
    local own = self.own[terrain]
    costs[terrain] = own or cost
    if grid.present[terrain] > 0 then least = math.min(least, costs[terrain]) end
  end
  least = least < huge and least or 1
  for terrain, cost in ipairs(costs) do
    if grid.present[terrain] > 0 and cost < huge and cost ~= least then count = count + 1 end
  end
  return costs, least, count == 0
end

-- Whether a layer of blocks bars the unit at a cell.
local function is_barred(self, cell)
  local grid = self.grid
  if not grid.blocked[cell] then
    return false
  elseif not self.ignores then
    return true
  end
  for number, layer in ipairs(grid.layers) do
    if layer.cells[cell] and not self.ignored[number] then return true end
  end
  return false
end

-- What a cell costs by itself, 0 where it cannot be entered. Terrains that cannot be entered are rounded to nil.
local function cost_of_cell(self, cell)
  local cost = self.rounded[self.grid.ground[cell]]
  return cost and not is_barred(self, cell) and cost or 0
end

-- The same of a unit wider than a cell; blocks in a rectangle of cells do not count where one is given.
local function cost_of_place(self, cell, lifted)
  local grid, most = self.grid, 0
  local ground, stride, rounded = grid.ground, grid.stride, self.rounded
  for row = cell, cell + (self.size - 1) * stride, stride do
    for each = row, row + self.size - 1 do
      local cost = rounded[ground[each]]
      if not cost or is_barred(self, each) and not (lifted and lifted[each]) then return 0 end
      if cost > most then most = cost end
    end
  end
  return most
end

-- A list of the most of `size` cells from each on, `step` apart; 0 where one of them is 0.
local function spread(from, last, size, step)
  local to = {}
  for cell = 1, last do
    local most = from[cell]
    for other = cell + step, cell + (size - 1) * step, step do
      local cost = from[other] or 0
      if cost == 0 or most == 0 then
        most = 0
        break
      end
      if cost > most then most = cost end
    end
    to[cell] = most
  end
  return to
end

local function build(self)
  local grid, rounded, cost = self.grid, self.rounded, {}
  local ground, last = grid.ground, grid.last
  for cell = 1, last do cost[cell] = rounded[ground[cell]] or 0 end
  for cell in entries, grid.blocked do
    if is_barred(self, cell) then cost[cell] = 0 end
  end
  if self.size > 1 then cost = spread(spread(cost, last, self.size, 1), last, self.size, grid.stride) end
  self.cost = cost
  self.edition = self.edition + 1
end

-- Works out a rectangle anew, wider by the unit's size; says whether anything has changed.
local function refresh(self, edit)
  local grid, cost, wider = self.grid, self.cost, self.size - 1
  local find = wider > 0 and cost_of_place or cost_of_cell
  local changed = false
  for y = math.max(edit.y - wider, 1), edit.y + edit.h - 1 do
    local row = y * grid.stride + 1
    for cell = row + math.max(edit.x - wider, 1), row + edit.x + edit.w - 1 do
      local now = find(self, cell)
      if now ~= cost[cell] then cost[cell], changed = now, true end
    end
  end
  return changed
end

-- Takes in the edits since the last time; false where they are not known any more, or many.
local function follow(self)
  local grid = self.grid
  local log, changed, work = grid.log, false, 0
  for version = self.version + 1, grid.version do
    local edit = log[version]
    if not edit then
      return false
    elseif edit.w and not self.ignored[edit.layer] then
      work = work + (edit.w + self.size) * (edit.h + self.size) * self.size * self.size
      if work > grid.last then return false end
      changed = refresh(self, edit) or changed
    end
  end
  if changed then self.edition = self.edition + 1 end
  return true
end

local function is_same(costs, others)
  for terrain, cost in ipairs(costs) do
    if others[terrain] ~= cost then return false end
  end
  return true
end

-- After a terrain was added, got another cost, or came to be or ceased to be anywhere.
local function reprice(self)
  local costs, least, is_uniform = work_out_costs(self)
  local same = self.costs and is_same(costs, self.costs) and self.unit == unit_of(least)
  self.costs, self.least, self.is_uniform, self.unit = costs, least, is_uniform, unit_of(least)
  self.rounded = {}
  for terrain, cost in ipairs(costs) do self.rounded[terrain] = cost < huge and round(self, cost) or nil end
  return same
end

--- Applies a patch, nil for none, in place of the one that is applied.
function map.settle(self, patch)
  local cost = self.cost
  local before = self.patch
  if before then
    for cell in entries, before do cost[cell] = 0 end
  end
  if patch then
    for cell, lifted in entries, patch do cost[cell] = lifted end
  end
  self.patch = patch
end

--- Brings a map up to date, without any patch.
function map.update(self)
  local grid = self.grid
  if self.patch then map.settle(self, nil) end
  if self.version == grid.version or self.is_frozen then return end
  local is_priced = self.palette == grid.palette or reprice(self)
  self.palette = grid.palette
  if not (is_priced and self.version >= 0 and follow(self)) then build(self) end
  self.version = grid.version
end

--- Whether the unit can stand on a cell's ground, whatever blocks it.
function map.can_stand(self, cell)
  local grid = self.grid
  local stride = grid.stride
  for row = cell, cell + (self.size - 1) * stride, stride do
    for each = row, row + self.size - 1 do
      if not self.rounded[grid.ground[each]] then return false end
    end
  end
  return true
end

--- The patch for a unit that stands on a cell: nil where nothing stands there.
function map.lift(self, cell)
  if self.cost[cell] ~= 0 then return nil end
  local size, stride = self.size, self.grid.stride
  local lifted, patch = {}, {}
  for row = cell, cell + (size - 1) * stride, stride do
    for each = row, row + size - 1 do lifted[each] = true end
  end
  for row = cell - (size - 1) * stride, cell + (size - 1) * stride, stride do
    for each = row - size + 1, row + size - 1 do
      if self.cost[each] == 0 then
        local cost = cost_of_place(self, each, lifted)
        if cost > 0 then patch[each] = cost end
      end
    end
  end
  return patch
end

--- What standing on a cell costs, as given.
function map.price(self, cell)
  local grid, costs, most = self.grid, self.costs, 0
  local ground, stride = grid.ground, grid.stride
  if self.size == 1 then return costs[ground[cell]] end
  for row = cell, cell + (self.size - 1) * stride, stride do
    for each = row, row + self.size - 1 do most = math.max(most, costs[ground[each]]) end
  end
  return most
end

--- Counts the edits that matter to the unit.
function map.count_edits(self)
  local grid = self.grid
  local version = grid.version
  if self.ignores then
    for number in entries, self.ignored do version = version - grid.layers[number].made end
  end
  return version
end

--- A copy as it is now, which no edit changes.
function map.freeze(self)
  map.update(self)
  local copy = {}
  for key, value in entries, self do copy[key] = value end
  copy.cost = {}
  for cell = 1, self.grid.last do copy.cost[cell] = self.cost[cell] end
  copy.is_frozen, copy.labels = true, {}
  return copy
end

-- ---- connected components ----

-- Labels all cells that steps join to one.
local function flood(cost, labels, first, label, steps)
  local stack, count = { first }, 1
  labels[first] = label
  while count > 0 do
    local cell = stack[count]
    count = count - 1
    for k = 1, #steps do
      local next_cell = cell + steps[k]
      if cost[next_cell] ~= 0 and not labels[next_cell] then
        labels[next_cell] = label
        count = count + 1
        stack[count] = next_cell
      end
    end
  end
end

--- The labels of connected components. Only past two corners, which "always" alone passes, does a diagonal step lead
-- where straight ones do not.
function map.components(self, diagonals)
  diagonals = diagonals == "always"
  local known = self.labels[diagonals]
  if known and known.edition == self.edition then return known end
  local grid, cost = self.grid, self.cost
  local stride, labels, label = grid.stride, { edition = self.edition }, 0
  local steps = { -stride, 1, stride, -1 }
  if diagonals then
    for _, step in ipairs { 1 - stride, 1 + stride, stride - 1, -stride - 1 } do steps[#steps + 1] = step end
  end
  for cell = 1, grid.last do
    if cost[cell] ~= 0 and not labels[cell] then
      label = label + 1
      flood(cost, labels, cell, label, steps)
    end
  end
  self.labels[diagonals] = labels
  return labels
end

-- ---- finding them ----

local function key_of(own, ignored, size)
  local words = { size }
  for terrain = 1, 256 do
    if own[terrain] then words[#words + 1] = ("%d=%.17g"):format(terrain, own[terrain]) end
  end
  for layer = 1, 33 do
    if ignored[layer] then words[#words + 1] = "-" .. layer end
  end
  return table.concat(words, " ")
end

--- The map of a grid for a unit: `own` costs by terrain, `ignored` layers by number, `size`.
function map.of(grid, own, ignored, size)
  local key = key_of(own, ignored, size)
  local self = grid.maps[key]
  if not self then
    self = {
      grid = grid, own = own, ignored = ignored, ignores = next(ignored) ~= nil, size = size,
      version = -1, palette = -1, edition = 0, labels = {},
    }
    grid.maps[key] = self
  end
  return self
end

return map
