-- map.lua -- The map for one kind of unit: the cost of each cell, 0 if the unit cannot be there.
--
-- Cells are numbered row by row. The grid has a border of cells that cost 0, so no search has to check where the grid
-- ends. The costs are kept in one list, which is updated by the edits since the last query. All finders with the same
-- costs, ignored layers and size share this list.
--
-- The cost of each step is rounded once to a multiple of 2^-31 of the cheapest cost, so that the sums of equal routes
-- are exactly equal. The cost of a path is added up from unrounded costs. The C module does the same
-- (src/finder/finder.c).
--
-- A block on a unit's start may be the unit itself. Therefore the blocks under the unit are removed from the map
-- while a query runs, by a patch that is applied before the query and undone afterwards.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local numbers = require((...):match "^(.+)[./][^./]+[./][^./]+$" .. ".numbers")

local floor, huge = math.floor, math.huge

local map = {}

-- Returns the unit to whose multiples costs are rounded, if the cheapest cost is `least`.
local function unit_of(least)
  local power = 1
  while power > least do power = power / 2 end
  while power * 2 <= least do power = power * 2 end
  return power / 2 ^ 31
end

--- Returns the cost of a step rounded to a multiple of the unit.
function map.round(self, cost)
  local unit = self.unit
  return floor(cost / unit + 0.5) * unit
end

local round = map.round

-- Returns true if a cell has a block of a layer that is not ignored.
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

-- Returns the cost of being at a cell: the highest cost of the cells that the unit covers, 0 if the unit cannot be
-- there. Blocks on the cells of the set `lifted` are ignored. In `rounded`, terrains that cannot be entered are nil.
local function cost_of(self, cell, lifted)
  local grid, most = self.grid, 0
  local ground, stride, rounded = grid.ground, grid.stride, self.rounded
  for row = cell, cell + (self.rows - 1) * stride, stride do
    for each = row, row + self.columns - 1 do
      local cost = rounded[ground[each]]
      if not cost or is_barred(self, each) and not (lifted and lifted[each]) then return 0 end
      if cost > most then most = cost end
    end
  end
  return most
end

local function build(self)
  local grid, rounded, cost = self.grid, self.rounded, {}
  local ground, last = grid.ground, grid.last
  for cell = 1, last do cost[cell] = rounded[ground[cell]] or 0 end
  for cell in entries, grid.blocked do
    if is_barred(self, cell) then cost[cell] = 0 end
  end
  for cell = 1, self.columns * self.rows > 1 and last or 0 do cost[cell] = cost_of(self, cell) end
  self.cost = cost
  self.edition = self.edition + 1
end

-- Recomputes the costs in the rectangle of an edit, enlarged by the unit's columns and rows. Returns true if
-- any cost has changed.
local function refresh(self, edit)
  local grid, cost, wider, higher = self.grid, self.cost, self.columns - 1, self.rows - 1
  local changed = false
  for y = math.max(edit.y - higher, 1), edit.y + edit.h - 1 do
    local row = y * grid.stride + 1
    for cell = row + math.max(edit.x - wider, 1), row + edit.x + edit.w - 1 do
      local now = cost_of(self, cell)
      if now ~= cost[cell] then cost[cell], changed = now, true end
    end
  end
  return changed
end

-- Applies the edits since the last update. Returns false if they are not recorded any more, or are too many to be worth
-- it.
local function follow(self)
  local grid = self.grid
  local log, changed, work = grid.log, false, 0
  for version = self.version + 1, grid.version do
    local edit = log[version]
    if not edit then
      return false
    elseif edit.is_restriction then
      changed = true -- the costs stay, but other steps are legal
    elseif edit.w and not self.ignored[edit.layer] then
      work = work + (edit.w + self.columns) * (edit.h + self.rows) * self.columns * self.rows
      if work > grid.last then return false end
      changed = refresh(self, edit) or changed
    end
  end
  if changed then self.edition = self.edition + 1 end
  return true
end

-- Computes the cost of each terrain for the unit, after a change of the palette. Returns true if no cost has changed.
local function reprice(self)
  local grid, costs, before, least = self.grid, {}, self.costs, huge
  for terrain, cost in ipairs(grid.costs) do
    costs[terrain] = self.own[terrain] or cost
    least = math.min(least, costs[terrain])
  end
  least = least < huge and least or 1
  local is_same = before ~= nil and self.unit == unit_of(least)
  self.costs, self.least, self.unit, self.is_uniform, self.rounded = costs, least, unit_of(least), true, {}
  for terrain, cost in ipairs(costs) do
    is_same = is_same and before[terrain] == cost
    self.rounded[terrain] = cost < huge and round(self, cost) or nil
    if cost < huge and cost ~= least then self.is_uniform = false end
  end
  return is_same
end

--- Undoes the patch that is applied to a map, and applies another one; nil for none.
function map.apply_patch(self, patch)
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

--- Brings a map up to date and undoes its patch.
function map.update(self)
  local grid = self.grid
  if self.patch then map.apply_patch(self, nil) end
  if self.version == grid.version then return end
  local is_priced = self.palette == grid.palette or reprice(self)
  self.palette = grid.palette
  if not (is_priced and self.version >= 0 and follow(self)) then build(self) end
  self.version = grid.version
end

--- Returns the patch for a unit that is on a blocked cell, nil if the cell is not blocked. A patch maps cells to the
-- costs that they have without the unit's own blocks.
function map.lift(self, cell)
  if self.cost[cell] ~= 0 then return nil end
  local columns, rows, stride, lifted, patch = self.columns, self.rows, self.grid.stride, {}, {}
  for row = cell, cell + (rows - 1) * stride, stride do
    for each = row, row + columns - 1 do lifted[each] = true end
  end
  for row = cell - (rows - 1) * stride, cell + (rows - 1) * stride, stride do
    for each = row - columns + 1, row + columns - 1 do
      if self.cost[each] == 0 then
        local cost = cost_of(self, each, lifted)
        if cost > 0 then patch[each] = cost end
      end
    end
  end
  return patch
end

--- Returns the unrounded cost of being at a cell by its terrain alone, huge if the unit cannot be there. Blocks are
-- ignored.
function map.price(self, cell)
  local grid, costs, most = self.grid, self.costs, 0
  local ground, stride = grid.ground, grid.stride
  if self.columns * self.rows == 1 then return costs[ground[cell]] or huge end
  for row = cell, cell + (self.rows - 1) * stride, stride do
    for each = row, row + self.columns - 1 do most = math.max(most, costs[ground[each]] or huge) end
  end
  return most
end

--- Returns the number of columns and rows, beyond the north-west cell, that count as the unit's position. With a range
-- all cells that it covers count. Without a range the north-west cell alone counts, because it must reach the goal
-- itself.
function map.more_within(self, range)
  if range == 0 then return 0, 0 end
  return self.columns - 1, self.rows - 1
end

--- Calls `visit` with each cell at which a unit is in range of `cell`. `wider` and `higher` are the results of
-- map.more_within.
function map.each_within(grid, cell, range, wider, higher, visit)
  local row = floor((cell - 1) / grid.stride)
  local x = cell - 1 - row * grid.stride
  for y = math.max(row - range - higher, 1), math.min(row + range, grid.height) do
    local first = y * grid.stride + 1
    for each = first + math.max(x - range - wider, 1), first + math.min(x + range, grid.width) do visit(each) end
  end
end

--- Returns the number of edits of the grid, without those of ignored layers.
function map.count_edits(self)
  local grid = self.grid
  local version = grid.version
  if self.ignores then
    for number in entries, self.ignored do version = version - grid.layers[number].made end
  end
  return version
end

-- Labels all cells that are connected with the cell `first`.
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

--- Returns the labels of the connected components of a map, by cell. Diagonal steps are followed only for the corner
-- rule "always". Under other rules a diagonal step never joins two cells that straight steps do not join.
function map.components(self, diagonals)
  diagonals = diagonals == "always"
  local known = self.labels[diagonals]
  if known and known.edition == self.edition then return known end
  local grid, cost = self.grid, self.cost
  local stride, label, steps = grid.stride, 0, { -grid.stride, 1, grid.stride, -1 }
  local labels = { edition = self.edition, steps = steps }
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

-- Returns a string that identifies a map among those of a grid.
local function key_of(own, ignored, columns, rows)
  local words = { columns, rows }
  for terrain = 1, 256 do
    if own[terrain] then words[#words + 1] = terrain .. "=" .. numbers.write(own[terrain]) end
  end
  for layer = 1, 33 do
    if ignored[layer] then words[#words + 1] = "-" .. layer end
  end
  return table.concat(words, " ")
end

--- Returns the map of a grid for a kind of unit, and makes it if it is missing. `own` are the finder's own costs by
-- number of terrain, `ignored` is the set of the numbers of ignored layers. The unit covers `columns` and `rows` cells.
function map.of(grid, own, ignored, columns, rows)
  local key = key_of(own, ignored, columns, rows)
  local self = grid.maps[key]
  if not self then
    self = {
      grid = grid, own = own, ignored = ignored, ignores = next(ignored) ~= nil,
      columns = columns, rows = rows, version = -1, palette = -1, edition = 0, labels = {},
    }
    grid.maps[key] = self
  end
  return self
end

return map
