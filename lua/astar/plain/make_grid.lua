-- make_grid.lua -- grids from a size, a drawing or rows of keys.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local object = require(FOLDER .. ".object")

local describe, fail, whole = object.describe, object.fail, object.whole
local MOST_SIDE, MOST_CELLS, MOST_ORIGIN = 2 ^ 24, 2 ^ 28, 1000000000

local make = {}

--- Whether a value may be a terrain's key.
function make.is_key(key)
  local kind = type(key)
  return kind == "string" or kind == "boolean" or kind == "number" and key % 1 == 0 and math.abs(key) <= 2 ^ 53
end

--- What to do about a key that there is not.
function make.cure(key)
  return make.is_key(key) and ": give it a cost in the option terrain" or ""
end

-- Booleans, then numbers, then strings.
local RANKS = { boolean = 1, number = 2, string = 3 }
local function goes_before(a, b)
  local rank, other = RANKS[type(a)], RANKS[type(b)]
  if rank ~= other then
    return rank < other
  elseif rank == 1 then
    return not a and b
  end
  return a < b
end

-- A number or a whole one as an integer, where Lua tells them apart.
local function settled(key) return type(key) == "number" and math.floor(key) or key end

--- Adds a terrain to a grid.
function make.add_terrain(grid, key, cost)
  local count = #grid.keys
  if count == 256 then fail("a grid holds at most 256 terrains") end
  grid.keys[count + 1], grid.costs[count + 1], grid.present[count + 1] = settled(key), cost, 0
  grid.terrains[key] = count + 1
end

local DEFAULT = {
  number = { [0] = 1, [1] = false }, boolean = { [false] = false, [true] = 1 },
  string = { ["."] = 1, [" "] = 1, ["#"] = false, ["@"] = false },
}

local function set_palette(grid, options, kind)
  local palette = options and rawget(options, "terrain")
  if palette == nil then
    palette = DEFAULT[kind] or DEFAULT.string
  elseif type(palette) ~= "table" then
    fail("terrain must be a table, got %s", describe(palette))
  end
  local keys = {}
  for key in next, palette do
    if not make.is_key(key) then fail("a terrain's key must be a string or an integer, got %s", describe(key)) end
    if #keys == 256 then fail("a grid holds at most 256 terrains") end
    keys[#keys + 1] = key
  end
  if #keys == 0 then fail("terrain must hold at least one key") end
  table.sort(keys, goes_before)
  for _, key in ipairs(keys) do
    make.add_terrain(grid, key, object.cost(palette[key], "terrain " .. describe(key)))
  end
end

local function read_origin(options)
  local origin = options and rawget(options, "origin")
  if origin == nil then
    return 1, 1
  elseif type(origin) ~= "table" then
    fail("origin must be a table {x, y}, got %s", describe(origin))
  end
  local stray = object.stray(origin, 2)
  if stray then fail("origin must be a table {x, y}, got an entry [%s]", stray) end
  return whole(rawget(origin, 1), -MOST_ORIGIN, MOST_ORIGIN, "origin[1]"),
    whole(rawget(origin, 2), -MOST_ORIGIN, MOST_ORIGIN, "origin[2]")
end

--- What a grid holds, without any terrain.
function make.blank(width, height, x0, y0)
  local stride = width + 2
  return {
    width = width, height = height, stride = stride, last = stride * (height + 2), x0 = x0, y0 = y0,
    ground = {}, keys = {}, costs = {}, present = {}, terrains = {},
    layers = { { name = "", cells = {}, made = 0 } }, layer_numbers = { [""] = 1 }, blocked = {},
    version = 0, palette = 0, log = {}, logs = {}, maps = setmetatable({}, { __mode = "v" }), workspaces = {},
  }
end

-- A grid whose first cell is a value of a type.
local function new_grid(width, height, options, kind)
  if width > MOST_SIDE or height > MOST_SIDE or width * height > MOST_CELLS then
    fail("width * height must be at most 268435456 cells, got %s x %s", describe(width), describe(height))
  end
  local x0, y0 = read_origin(options)
  if options then
    local shape = object.choice(options, "shape", { "square", "hex" }, "square")
    if shape == "hex" then object.lacks 'shape "hex"' end
    if rawget(options, "offset") ~= nil then fail('offset needs shape = "hex"') end
  end
  local grid = make.blank(width, height, x0, y0)
  for cell = 1, grid.last do grid.ground[cell] = 0 end
  set_palette(grid, options, kind)
  return grid
end

local function by_size(width, height, options)
  width, height = whole(width, 1, MOST_SIDE, "width"), whole(height, 1, MOST_SIDE, "height")
  local grid = new_grid(width, height, options, "string")
  local key = options and rawget(options, "fill")
  if key == nil and options and rawget(options, "terrain") ~= nil then
    fail("a grid by size with terrain needs fill, the key of its cells")
  end
  key = key == nil and "." or key
  local terrain = key == key and grid.terrains[key]
  if not terrain then fail("unknown terrain %s%s", describe(key), make.cure(key)) end
  for y = 1, height do
    for cell = y * grid.stride + 2, y * grid.stride + width + 1 do grid.ground[cell] = terrain end
  end
  grid.present[terrain] = width * height
  return grid
end

--- The characters of a text, UTF-8; a byte that is none of it is a character, too.
function make.characters(text)
  local list, at, length = {}, 1, #text
  while at <= length do
    local first, bytes = text:byte(at), 1
    if first >= 0xC2 and first < 0xF8 then
      bytes = first >= 0xF0 and 4 or first >= 0xE0 and 3 or 2
      local rest = text:sub(at + 1, at + bytes - 1)
      if #rest < bytes - 1 or rest:find "[^\128-\191]" then bytes = 1 end
    end
    list[#list + 1] = text:sub(at, at + bytes - 1)
    at = at + bytes
  end
  return list
end

local function show(key)
  if type(key) == "string" and #key == 1 and key:find "[^\32-\126]" then key = ("\\%d"):format(key:byte()) end
  return describe(key)
end

--- The terrain of a key at row y, column x of what is being read.
function make.terrain_at(grid, key, y, x, of_text)
  local terrain = key == key and key ~= nil and grid.terrains[key]
  if not terrain then
    fail("unknown terrain %s at row %d, column %d%s", of_text and show(key) or describe(key), y, x, make.cure(key))
  end
  return terrain
end

local function put_row(grid, y, keys, of_text)
  local count = keys.n or #keys
  if count ~= grid.width then fail("row %d: expected %d cells, got %d", y, grid.width, count) end
  local present, row = grid.present, y * grid.stride + 1
  for x = 1, grid.width do
    local terrain = make.terrain_at(grid, keys[x], y, x, of_text)
    grid.ground[row + x] = terrain
    present[terrain] = present[terrain] + 1
  end
end

-- The lines of a drawing, without the margin that its last line of blanks has.
local function lines_of(drawing)
  local margin = drawing:match "\n([ \t]*)$" or ""
  local lines = {}
  drawing = drawing:sub(1, #drawing - #margin)
  if drawing:sub(-1) ~= "\n" and drawing ~= "" then drawing = drawing .. "\n" end
  for line in drawing:gmatch "([^\n]*)\n" do lines[#lines + 1] = (line:gsub("\r$", "")) end
  if lines[1] == "" then table.remove(lines, 1) end
  for y, line in ipairs(lines) do
    if line:sub(1, #margin) ~= margin then
      local plural = #margin > 1 and "s" or ""
      fail("row %d: expected a margin of %d blank%s, as the last line has", y, #margin, plural)
    end
    lines[y] = line:sub(#margin + 1)
  end
  return lines
end

local function by_drawing(drawing, options)
  local lines = lines_of(drawing)
  local first = make.characters(lines[1] or "")
  if #first == 0 then fail("a drawing must hold at least one cell") end
  local grid = new_grid(#first, #lines, options, "string")
  for y, line in ipairs(lines) do put_row(grid, y, make.characters(line), true) end
  return grid
end

-- A list of the keys of a row that need not be one.
local function keys_of(row, y)
  if type(row) == "string" then
    return make.characters((row:gsub("\r$", "")))
  elseif type(row) ~= "table" then
    fail("row %d: expected a string or a table, got %s", y, describe(row))
  end
  local stray = object.stray(row)
  if stray then fail("row %d: columns are counted from 1, got an entry [%s]", y, stray) end
  local keys = { n = object.length(row) }
  for x = 1, keys.n do keys[x] = rawget(row, x) end
  return keys
end

local function by_rows(rows, options)
  local stray, height = object.stray(rows), object.length(rows)
  if stray and stray:sub(1, 1) == '"' and height == 0 then
    fail("a width and height, a drawing or rows expected, got a table of names")
  elseif stray then
    fail("rows are counted from 1, got an entry [%s]", stray)
  elseif height == 0 then
    fail("rows must hold at least one row")
  end
  local first = keys_of(rawget(rows, 1), 1)
  if (first.n or #first) == 0 then fail("row 1: expected at least one cell, got none") end
  local grid = new_grid(first.n or #first, height, options, type(first[1]))
  for y = 1, height do
    local row = rawget(rows, y)
    put_row(grid, y, keys_of(row, y), type(row) == "string")
  end
  return grid
end

local NAMES = { "terrain", "fill", "origin", "shape", "offset" }

local function check_options(options, is_by_size)
  if options == nil then return end
  object.options(options, NAMES)
  if not is_by_size and rawget(options, "fill") ~= nil then
    fail("fill is for grids by size: here each cell has its key")
  end
end

--- What a grid holds, of the arguments of astar.grid.
function make.grid(a, b, c, extra)
  local kind = type(a)
  if extra ~= nil then object.too_many("grid", 3, extra) end
  if kind == "string" or kind == "table" then
    if c ~= nil then object.too_many("grid", 2, c) end
    check_options(b, false)
    return (kind == "string" and by_drawing or by_rows)(a, b)
  elseif kind ~= "number" and b == nil then
    fail("a width and height, a drawing or rows expected, got %s", describe(a))
  end
  check_options(c, true)
  return by_size(a, b, c)
end

return make
