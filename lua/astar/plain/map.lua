-- map.lua -- the map as one kind of unit sees it: what each cell costs it, 0 where it cannot stand.
--
-- Cells are counted in rows with a border of cells that cost 0 around the grid, so that no search asks where the grid
-- ends. The numbers are kept in one list, brought up to date by the edits since the last question, and shared by all
-- finders with the same costs, layers ignored and size.
--
-- Steps are rounded once to a multiple of 2^-31 of the cheapest cost, so that equal routes cost equally much to the
-- last bit; what a path costs is added up from the costs as given. The C module does the same (src/finder/finder.c).
--
-- What stands on a unit's start may be the unit itself: while its question is answered the map is without the blocks
-- under it, which is done and undone by a patch.

local entries = next -- for loops, see entries_spec
local numbers = require((...):match "^(.+)[./][^./]+[./][^./]+$" .. ".numbers")

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

-- What standing at a cell costs, the most of all that is covered, 0 where the unit cannot; blocks on the cells `lifted`
-- do not count. Terrains that cannot be entered are rounded to nil.
local function cost_of(self, cell, lifted)
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

local function build(self)
  local grid, rounded, cost = self.grid, self.rounded, {}
  local ground, last = grid.ground, grid.last
  for cell = 1, last do cost[cell] = rounded[ground[cell]] or 0 end
  for cell in entries, grid.blocked do
    if is_barred(self, cell) then cost[cell] = 0 end
  end
  for cell = 1, self.size > 1 and last or 0 do cost[cell] = cost_of(self, cell) end
  self.cost = cost
  self.edition = self.edition + 1
end

-- Works out a rectangle anew, wider by the unit's size; says whether anything has changed.
local function refresh(self, edit)
  local grid, cost, wider = self.grid, self.cost, self.size - 1
  local changed = false
  for y = math.max(edit.y - wider, 1), edit.y + edit.h - 1 do
    local row = y * grid.stride + 1
    for cell = row + math.max(edit.x - wider, 1), row + edit.x + edit.w - 1 do
      local now = cost_of(self, cell)
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

-- What each terrain costs the unit, after one was added or got another cost; says whether that is as it was.
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
  if self.version == grid.version then return end
  local is_priced = self.palette == grid.palette or reprice(self)
  self.palette = grid.palette
  if not (is_priced and self.version >= 0 and follow(self)) then build(self) end
  self.version = grid.version
end

--- The patch for a unit that stands on a cell: nil where nothing stands there.
function map.lift(self, cell)
  if self.cost[cell] ~= 0 then return nil end
  local size, stride, lifted, patch = self.size, self.grid.stride, {}, {}
  for row = cell, cell + (size - 1) * stride, stride do
    for each = row, row + size - 1 do lifted[each] = true end
  end
  for row = cell - (size - 1) * stride, cell + (size - 1) * stride, stride do
    for each = row - size + 1, row + size - 1 do
      if self.cost[each] == 0 then
        local cost = cost_of(self, each, lifted)
        if cost > 0 then patch[each] = cost end
      end
    end
  end
  return patch
end

--- What standing on a cell's ground costs, as given; huge where the unit cannot, whatever blocks it.
function map.price(self, cell)
  local grid, costs, most = self.grid, self.costs, 0
  local ground, stride = grid.ground, grid.stride
  if self.size == 1 then return costs[ground[cell]] or huge end
  for row = cell, cell + (self.size - 1) * stride, stride do
    for each = row, row + self.size - 1 do most = math.max(most, costs[ground[each]] or huge) end
  end
  return most
end

--- How many columns and rows more than one count as a unit's where it is to come within a range: all that it covers.
--- Without a range it is to come to a cell itself, and is where its north-west cell is.
function map.more_within(self, range) return range > 0 and self.size - 1 or 0 end

--- Calls back with each cell of the grid at which a unit is within range of one, `more` as map.more_within has it.
function map.each_within(grid, cell, range, more, visit)
  local row = floor((cell - 1) / grid.stride)
  local x = cell - 1 - row * grid.stride
  for y = math.max(row - range - more, 1), math.min(row + range, grid.height) do
    local first = y * grid.stride + 1
    for each = first + math.max(x - range - more, 1), first + math.min(x + range, grid.width) do visit(each) end
  end
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

-- ---- finding them ----

local function key_of(own, ignored, size)
  local words = { size }
  for terrain = 1, 256 do
    if own[terrain] then words[#words + 1] = terrain .. "=" .. numbers.write(own[terrain]) end
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
