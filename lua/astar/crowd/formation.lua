-- formation.lua -- Sends units to one place in a formation: computes the slots and assigns one to each unit. The C
-- module calls this file.
--
-- Slots are laid out around the middle, turned to the facing, and moved to the nearest cell that is free and reachable.
-- Then units are matched to slots so that the sum of squared distances is least, by shortest augmenting paths (Jonker
-- and Volgenant, 1987). With such a matching no two routes cross if all units move straight at the same speed (Turpin,
-- Michael and Kumar, 2014). The time grows with the cube of the number of units, so more than 200 units are matched row
-- by row. All coordinates are multiples of 1/2 or 1/1024, so every Lua computes the same result.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local describe = require(ABOVE .. ".describe")
local directions = require(ABOVE .. ".directions")

local floor, sqrt, max, abs, huge = math.floor, math.sqrt, math.max, math.abs, math.huge

local MOST_MATCHED = 200 -- maximum number of units that are matched optimally
local SEARCH_RADIUS = 24 -- maximum distance in cells by which a slot is moved
local MOST_GAP = 16 -- maximum of the option `gap`, in cells

-- Functions that return the slots of each shape. A slot is given by how far right and how far forward of the middle
-- it lies, in slots.
local SHAPES = {}

-- Returns slots in centred rows from front to back. width_of(row) is the maximum number of slots in a row.
local function in_rows(count, width_of)
  local slots, row, left = {}, 0, count
  while left > 0 do
    local width = math.min(width_of(row), left)
    for i = 1, width do slots[#slots + 1] = { i - (width + 1) / 2, -row } end
    row, left = row + 1, left - width
  end
  for _, slot in ipairs(slots) do slot[2] = slot[2] + (row - 1) / 2 end
  return slots
end

function SHAPES.line(count) return in_rows(count, function() return count end) end

-- Returns a box twice as wide as deep.
function SHAPES.box(count)
  local width = max(1, floor(sqrt(2 * count) + 0.5))
  return in_rows(count, function() return width end)
end

function SHAPES.wedge(count) return in_rows(count, function(row) return 2 * row + 1 end) end

function SHAPES.disc(count)
  local radius, cells = floor(sqrt(count)) + 1, {}
  for forward = -radius, radius do
    for right = -radius, radius do cells[#cells + 1] = { right, forward, right * right + forward * forward, #cells } end
  end
  table.sort(cells, function(a, b) return a[3] < b[3] or a[3] == b[3] and a[4] < b[4] end)
  for i = #cells, count + 1, -1 do cells[i] = nil end
  return cells
end

-- Returns a message that says what is wrong with the options, or nil if they are correct.
local function check_options(options)
  local shape, facing, gap = options.shape, options.facing, options.gap
  if shape == nil and (facing ~= nil or gap ~= nil) then return "facing and gap are of a shape: tell which" end
  if shape ~= nil and shape ~= "keep" and not (type(shape) == "string" and SHAPES[shape]) then
    return 'shape must be "keep", "line", "box", "wedge" or "disc", got ' .. describe(shape)
  end
  if shape ~= nil and (options.range or 0) ~= 0 then return ('shape "%s" has no range'):format(shape) end
  if shape == "keep" and (facing ~= nil or gap ~= nil) then return 'shape "keep" has no facing, nor gap' end
  if facing ~= nil and not (type(facing) == "number" and abs(facing) < huge)
    and not (type(facing) == "string" and rawget(directions, facing)) then
    return "facing must be a heading's name or an angle in radians, got " .. describe(facing)
  end
  if gap ~= nil and not (type(gap) == "number" and gap % 1 == 0 and gap >= 0 and gap <= MOST_GAP) then
    return ("gap must be a whole number from 0 to %d, got %s"):format(MOST_GAP, describe(gap))
  end
  if options.together ~= nil and type(options.together) ~= "boolean" then
    return "together must be a boolean, got " .. describe(options.together)
  end
end

-- Returns a direction scaled so that the larger of |dx| and |dy| is 1, rounded to multiples of 1/1024. With this length
-- no two slots fall on one cell.
local function direction_of(dx, dy)
  local longest = max(abs(dx), abs(dy))
  if longest == 0 then return 1, 0 end
  return floor(1024 * dx / longest + 0.5) / 1024, floor(1024 * dy / longest + 0.5) / 1024
end

-- Returns the direction that the formation faces: the option `facing`, or the direction from the units' middle.
local function facing_of(facing, dx, dy)
  if type(facing) == "number" then
    return direction_of(floor(1024 * math.cos(facing) + 0.5), floor(1024 * math.sin(facing) + 0.5))
  end
  local direction = facing and directions[facing]
  if direction then return direction.dx, direction.dy end
  return direction_of(dx, dy)
end

-- Returns the rounded mean of a list of cells.
local function middle_of(cells)
  local x, y = 0, 0
  for _, cell in ipairs(cells) do x, y = x + cell[1], y + cell[2] end
  return floor(x / #cells + 0.5), floor(y / #cells + 0.5)
end

-- Returns the slots on an empty map: the north-west cells of squares as wide as the largest unit.
local function ideal_slots(cells, x, y, options, size)
  local slots, middle_x, middle_y = {}, middle_of(cells)
  if options.shape == "keep" then
    for i, cell in ipairs(cells) do slots[i] = { x + cell[1] - middle_x, y + cell[2] - middle_y } end
    return slots
  end
  local fx, fy = facing_of(options.facing, x - middle_x, y - middle_y)
  local spacing, half = size + (options.gap or 0), floor((size - 1) / 2)
  for i, slot in ipairs(SHAPES[options.shape](#cells)) do
    local right, forward = slot[1] * spacing, slot[2] * spacing
    slots[i] = { x - half + floor(forward * fx - right * fy + 0.5), y - half + floor(forward * fy + right * fx + 0.5) }
  end
  return slots
end

local function is_taken(taken, x, y, size)
  for row = y, y + size - 1 do
    for column = x, x + size - 1 do
      if taken[row * 65536 + column] then return true end
    end
  end
end

local function take(taken, x, y, size)
  for row = y, y + size - 1 do
    for column = x, x + size - 1 do taken[row * 65536 + column] = true end
  end
end

-- Returns the cell nearest to (x, y) that is not taken and that the unit can reach. Searches ring by ring.
local function find_place(taken, reaches, unit, x, y, size)
  for ring = 0, SEARCH_RADIUS do
    for dy = -ring, ring do
      for dx = -ring, ring, abs(dy) == ring and 1 or 2 * ring do
        if not is_taken(taken, x + dx, y + dy, size) and reaches(unit, x + dx, y + dy) then return x + dx, y + dy end
      end
    end
  end
end

-- Returns the slots on the map, false for each slot that has no place. Slots are chosen for the largest unit, because
-- every unit fits wherever the largest one fits. With the shape "keep" each slot belongs to one unit and is chosen
-- for that unit.
local function real_slots(ideal, units, size, largest, reaches, keeps)
  local slots, taken = {}, {}
  for i, slot in ipairs(ideal) do
    local unit, width = keeps and units[i] or largest, keeps and units[i].size or size
    local x, y = find_place(taken, reaches, unit, slot[1], slot[2], width)
    slots[i] = x and { x, y } or false
    if x then take(taken, x, y, width) end
  end
  return slots
end

-- Returns the squared distances between units and slots, after the units are moved so that both middles coincide.
-- Moving all units by the same vector changes the sums of all matchings by the same amount, so it does not change the
-- best matching. Most units are then near their slots, which makes the search short.
local function costs_of(cells, slots)
  local costs, middle_x, middle_y = {}, middle_of(cells)
  local slots_x, slots_y = middle_of(slots)
  for i, cell in ipairs(cells) do
    local row, x, y = {}, cell[1] - middle_x + slots_x, cell[2] - middle_y + slots_y
    for j, slot in ipairs(slots) do
      local dx, dy = x - slot[1], y - slot[2]
      row[j] = dx * dx + dy * dy
    end
    costs[i] = row
  end
  return costs
end

-- First step of the assignment: sets the price of each column to its least cost, and assigns the column to the row with
-- this cost if that row has none yet.
local function reduce_columns(costs, count)
  local prices, row_of, column_of = {}, {}, {}
  for j = count, 1, -1 do
    local least, row = huge, 0
    for i = 1, count do
      local cost = costs[i][j]
      if cost < least then least, row = cost, i end
    end
    prices[j] = least
    if not column_of[row] then row_of[j], column_of[row] = row, j end
  end
  return prices, row_of, column_of
end

-- Finds the shortest augmenting path, by reduced costs, from a row to a free column, and updates the prices. Returns
-- that column and, for each column, the row before it on the path.
local function shortest_way(costs, count, prices, row_of, first)
  local apart, came_from, open, done, cost = {}, {}, {}, {}, costs[first]
  local least, at = huge, 1
  for j = 1, count do
    apart[j], came_from[j], open[j] = cost[j] - prices[j], first, j
    if apart[j] < least then least, at = apart[j], j end
  end
  local left = count
  while true do
    local column = open[at]
    local row = row_of[column]
    if not row then
      for _, j in ipairs(done) do prices[j] = prices[j] + apart[j] - least end
      return column, came_from
    end
    open[at], left = open[left], left - 1
    done[#done + 1] = column
    cost = costs[row]
    local base = cost[column] - prices[column] - least
    least = huge
    for k = 1, left do
      local j = open[k]
      local way = cost[j] - prices[j] - base
      if way < apart[j] then
        apart[j], came_from[j] = way, row
      else
        way = apart[j]
      end
      if way < least then least, at = way, k end
    end
  end
end

-- Returns the column of each row in the assignment with the least sum, for a square matrix of costs.
local function assign(costs)
  local count = #costs
  local prices, row_of, column_of = reduce_columns(costs, count)
  for first = 1, count do
    if not column_of[first] then
      local column, came_from = shortest_way(costs, count, prices, row_of, first)
      repeat
        local row = came_from[column]
        row_of[column] = row
        column_of[row], column = column, column_of[row]
      until row == first
    end
  end
  return column_of
end

-- Returns the slot of each unit in the best matching. If there are fewer slots than units, some units get none.
local function match_best(cells, slots)
  if #slots == 0 then return {} end
  local costs, slot_of = costs_of(cells, slots), {}
  for _, row in ipairs(costs) do
    for j = #slots + 1, #cells do row[j] = 2 ^ 40 end
  end
  for i, j in ipairs(assign(costs)) do slot_of[i] = slots[j] end
  return slot_of
end

-- Returns the slot of each unit, matched row by row: units and slots are sorted from front to back into rows, and each
-- row from left to right.
local function match_rows(cells, slots, fx, fy)
  local function order(list)
    local places = {}
    for i, at in ipairs(list) do
      places[i] = { i, at[1] * fx + at[2] * fy, at[2] * fx - at[1] * fy }
    end
    table.sort(places, function(a, b) return a[2] > b[2] or a[2] == b[2] and a[1] < b[1] end)
    local width, rows = floor(sqrt(#places)), {}
    for first = 1, #places, width do
      local row = {}
      for i = first, math.min(first + width - 1, #places) do row[#row + 1] = places[i] end
      table.sort(row, function(a, b) return a[3] < b[3] or a[3] == b[3] and a[1] < b[1] end)
      for _, place in ipairs(row) do rows[#rows + 1] = place[1] end
    end
    return rows
  end
  local slot_of, from, to = {}, order(cells), order(slots)
  for i, cell in ipairs(from) do slot_of[cell] = slots[to[i]] end
  return slot_of
end

local function match(cells, slots, x, y)
  local there = {}
  for _, slot in ipairs(slots) do
    if slot then there[#there + 1] = slot end
  end
  if #cells <= MOST_MATCHED then return match_best(cells, there) end
  local middle_x, middle_y = middle_of(cells)
  return match_rows(cells, there, direction_of(x - middle_x, y - middle_y))
end

local function slots_of_all(units, x, y, options, reaches)
  local cells, largest = {}, units[1]
  for i, unit in ipairs(units) do
    cells[i] = { unit:cell() }
    if unit.size > largest.size then largest = unit end
  end
  local keeps, size = options.shape == "keep", largest.size
  local slots = real_slots(ideal_slots(cells, x, y, options, size), units, size, largest, reaches, keeps)
  return keeps and slots or match(cells, slots, x, y), size, keeps
end

--- Sends units to (x, y) with options, among them a shape or `together`. reaches(unit, x, y) returns true if the unit
-- can reach a cell. set_period(unit, n) makes a unit step once in n beats until its next order. Returns the number
-- of units sent, or nil and a message if an option is wrong.
return function(units, x, y, options, reaches, set_period)
  local wrong = check_options(options)
  if wrong then return nil, wrong end
  local sent, slowest, slot_of, size, keeps = 0, 1, {}, nil, nil
  if options.shape and #units > 0 then slot_of, size, keeps = slots_of_all(units, x, y, options, reaches) end
  local otherwise = options.shape and { partial = true } or { partial = options.partial, range = options.range }
  for i, unit in ipairs(units) do
    local slot = slot_of[i]
    local inset = slot and not keeps and floor((size - unit.size) / 2) or 0
    local to_x, to_y = slot and slot[1] + inset, slot and slot[2] + inset
    local ok = slot and reaches(unit, to_x, to_y) and unit:go(to_x, to_y)
    if ok or unit:go(x, y, otherwise) then sent = sent + 1 end
    slowest = max(slowest, unit.period)
  end
  if options.together then
    for _, unit in ipairs(units) do set_period(unit, slowest) end
  end
  return sent
end
