-- field.lua -- The twin's fields: a number for each cell of a map, which a finder can avoid.
--
-- Values have single precision, as in the C module, so that routes around a field cost the same.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local made_of = require(FOLDER:match "^(.+)[./][^./]+$" .. ".make_grid")
local finder = require(FOLDER .. ".finder")
local object = require(FOLDER .. ".object")

local fail, real, whole = object.fail, object.real, object.whole
local floor = math.floor

-- The twin has no hexagonal grids. It knows their names only to report that they need the C module.
local read = made_of.reader(object, {
  "square", "none", "hex", "odd_r", "hex", "even_r", "hex", "odd_q", "hex", "even_q",
})
local MOST = 1e6 -- greatest absolute value
local LEAST = 1e-6 -- decay turns values with a lesser absolute value into 0

local Field = object.class {
  title = "astar field", tell = function(field) return ("astar field %d x %d"):format(field.width, field.height) end,
}
local methods, open = Field.methods, Field.open

-- Rounds a number to 24 significant bits, ties to even.
local function to_single(value)
  if value == 0 then return 0 end
  local unit, size = 2 ^ -23, math.abs(value)
  while unit * 2 ^ 24 <= size do unit = unit * 2 end
  while unit * 2 ^ 23 > size do unit = unit / 2 end
  local count = floor(size / unit)
  local rest = size / unit - count
  if rest > 0.5 or rest == 0.5 and count % 2 == 1 then count = count + 1 end
  return value < 0 and -count * unit or count * unit
end

local function clamp(value) return to_single(math.max(-MOST, math.min(MOST, value))) end

local function check_value(value) return real(value, -MOST, MOST, "value") end

-- Returns the column and the row of a cell, counted from 0.
local function place_of(field, x, y)
  x = whole(x, field.x0, field.x0 + field.width - 1, "x") - field.x0
  y = whole(y, field.y0, field.y0 + field.height - 1, "y") - field.y0
  return x, y
end

-- Replaces each value in a rectangle by f(value, place). Columns and rows are counted from 0. The version of the field
-- grows if any value has changed.
local function change(field, x, y, w, h, f)
  local values, has_changed = field.values, false
  for row = y, y + h - 1 do
    for place = row * field.width + x + 1, row * field.width + x + w do
      local value = f(values[place], place)
      has_changed = has_changed or value ~= values[place]
      values[place] = value
    end
  end
  if has_changed then field.version = field.version + 1 end
end

local function change_all(field, f) change(field, 0, 0, field.width, field.height, f) end

function methods.get(self, x, y, extra)
  local field = open(self, extra, "get", 2)
  local column, row = place_of(field, x, y)
  return field.values[row * field.width + column + 1] + 0.0
end

function methods.set(self, x, y, value, extra)
  local field = open(self, extra, "set", 3)
  local column, row = place_of(field, x, y)
  local single = to_single(check_value(value))
  change(field, column, row, 1, 1, function() return single end)
end

function methods.add(self, x, y, value, extra)
  local field = open(self, extra, "add", 3)
  local column, row = place_of(field, x, y)
  check_value(value)
  change(field, column, row, 1, 1, function(before) return clamp(before + value) end)
end

function methods.fill(self, x, y, w, h, value, extra)
  local field = open(self, extra, "fill", 5)
  if y == nil and w == nil and h == nil and value == nil then
    local single = to_single(check_value(x))
    return change_all(field, function() return single end)
  end
  local column, row = place_of(field, x, y)
  w = whole(w, 1, field.width - column, "w")
  h = whole(h, 1, field.height - row, "h")
  local single = to_single(check_value(value))
  change(field, column, row, w, h, function() return single end)
end

function methods.stamp(self, x, y, radius, value, extra)
  local field = open(self, extra, "stamp", 4)
  local column, row = place_of(field, x, y)
  radius, value = whole(radius, 0, 2 ^ 24, "radius"), check_value(value)
  local west, north = math.max(column - radius, 0), math.max(row - radius, 0)
  local w, h = math.min(column + radius + 1, field.width) - west, math.min(row + radius + 1, field.height) - north
  change(field, west, north, w, h, function(before, place)
    local i = (place - 1) % field.width
    local distance = math.sqrt((i - column) ^ 2 + ((place - 1 - i) / field.width - row) ^ 2)
    return distance <= radius and clamp(before + value * (1 - distance / (radius + 1))) or before
  end)
end

function methods.decay(self, factor, extra)
  local field = open(self, extra, "decay", 1)
  factor = to_single(real(factor, 0, 1, "factor"))
  change_all(field, function(value)
    value = to_single(value * factor)
    return math.abs(value) < LEAST and 0 or value
  end)
end

-- Returns the parts of another field, which must have the same cells.
local function other_of(field, other)
  other = Field.parts(other)
  local is_same = other.width == field.width and other.height == field.height and other.x0 == field.x0
    and other.y0 == field.y0
  if is_same then return other end
  fail("both fields must have the same cells, %d x %d from {%d, %d} on, got one of %d x %d from {%d, %d} on",
    field.width, field.height, field.x0, field.y0, other.width, other.height, other.x0, other.y0)
end

function methods.add_field(self, other, factor, extra)
  local field = open(self, extra, "add_field", 2)
  local values = other_of(field, other).values
  factor = factor == nil and 1 or real(factor, -MOST, MOST, "factor")
  change_all(field, function(value, i) return clamp(value + factor * values[i]) end)
end

function methods.max(self, other, extra)
  local field = open(self, extra, "max", 1)
  local values = other_of(field, other).values
  change_all(field, function(value, i) return math.max(value, values[i]) end)
end

function methods.scale(self, factor, extra)
  local field = open(self, extra, "scale", 1)
  factor = real(factor, -MOST, MOST, "factor")
  change_all(field, function(value) return clamp(value * factor) end)
end

function methods.threshold(self, least, extra)
  local field = open(self, extra, "threshold", 1)
  least = check_value(least)
  change_all(field, function(value) return value < least and 0 or value end)
end

function methods.cells(self, extra)
  local field, place = open(self, extra, "cells", 0), 0
  local values, width, last = field.values, field.width, field.width * field.height
  return function()
    repeat place = place + 1 until place > last or values[place] ~= 0
    if place > last then return nil end
    local column = (place - 1) % width
    return column + field.x0, (place - 1 - column) / width + field.y0, values[place]
  end
end

function methods.size(self, extra)
  local field = open(self, extra, "size", 0)
  return field.width, field.height
end

function methods.bounds(self, extra)
  local field = open(self, extra, "bounds", 0)
  return field.x0, field.y0, field.x0 + field.width - 1, field.y0 + field.height - 1
end

function methods.version(self, extra) return open(self, extra, "version", 0).version end

object.lack(Field, { "bytes", "dump" })

object.is_field = Field.test

--- Returns the fields that a finder on a grid avoids, as a list of { field =, weight = }; nil if there are none.
-- `avoid` is one field, or a flat list { field, weight, ... }, as finder_options.lua reads the options.
function object.avoided(grid, avoid, weight)
  if avoid == nil then return nil end
  local list = Field.test(avoid) and { avoid, weight } or avoid
  local avoided = {}
  for i = 1, #list, 2 do
    local field = Field.parts(list[i])
    local is_of_grid = field.width == grid.width and field.height == grid.height and field.x0 == grid.x0
      and field.y0 == grid.y0
    if not is_of_grid then
      local name = Field.test(avoid) and "avoid" or ("avoid[%d][1]"):format((i + 1) / 2)
      fail("%s must be a field of the grid's size, origin and shape: astar.field(grid) has them", name)
    end
    avoided[#avoided + 1] = { field = field, weight = list[i + 1] }
  end
  return #avoided > 0 and avoided or nil
end

--- astar.field: makes a field.
return function(width, height, options)
  local grid = finder.Grid.test(width)
  if grid then
    if height ~= nil then object.too_many("field", 1, height) end
    options = { origin = { grid.x0, grid.y0 } }
    width, height = grid.width, grid.height
  end
  local w, h, x0, y0 = read.field(width, height, options)
  if options ~= nil and options.shape == "hex" then object.lacks 'shape "hex"' end
  local values = {}
  for i = 1, w * h do values[i] = 0 end
  return Field.new { width = w, height = h, x0 = x0, y0 = y0, values = values, version = 0 }
end
