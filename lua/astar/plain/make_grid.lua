-- make_grid.lua -- the twin's grids, of what the other make_grid.lua reads.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local made_of = require(FOLDER:match "^(.+)[./][^./]+$" .. ".make_grid")
local object = require(FOLDER .. ".object")

local describe, fail = object.describe, object.fail

local make = { is_key = made_of.is_key, cure = made_of.cure }
local read = made_of.reader(object)

-- A number or a whole one as an integer, where Lua tells them apart.
local function settled(key) return type(key) == "number" and math.floor(key) or key end

--- Adds a terrain to a grid.
function make.add_terrain(grid, key, cost)
  local count = #grid.keys
  if count == 256 then fail("a grid holds at most 256 terrains") end
  grid.keys[count + 1], grid.costs[count + 1], grid.present[count + 1] = settled(key), cost, 0
  grid.terrains[key] = count + 1
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

--- The characters of a text.
function make.characters(text)
  local list, at, length = {}, 1, #text
  while at <= length do
    local bytes = made_of.bytes_of_character(text, at)
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

-- A list of the keys of a row that need not be one.
local function keys_of(row, y)
  if type(row) == "string" then
    return make.characters(row)
  elseif type(row) ~= "table" then
    fail("row %d: expected a string or a table, got %s", y, describe(row))
  end
  local stray = object.stray(row)
  if stray then fail("row %d: columns are counted from 1, got an entry [%s]", y, stray) end
  local keys = { n = object.length(row) }
  for x = 1, keys.n do keys[x] = rawget(row, x) end
  return keys
end

local function fill(grid, terrain)
  for y = 1, grid.height do
    for cell = y * grid.stride + 2, y * grid.stride + grid.width + 1 do grid.ground[cell] = terrain end
  end
  grid.present[terrain] = grid.width * grid.height
end

--- What a grid holds, of the arguments of astar.grid.
function make.grid(a, b, c, extra)
  if extra ~= nil then object.too_many("grid", 3, extra) end
  local width, height, x0, y0, options, keys, costs, filling, rows = read.grid(a, b, c)
  if options then
    local shape = object.choice(options, "shape", { "square", "hex" }, "square")
    if shape == "hex" then object.lacks 'shape "hex"' end
    if rawget(options, "wrap") ~= nil then object.lacks "wrap" end
    if rawget(options, "offset") ~= nil then fail('offset needs shape = "hex"') end
  end
  local grid = make.blank(width, height, x0, y0)
  for cell = 1, grid.last do grid.ground[cell] = 0 end
  for i, key in ipairs(keys) do make.add_terrain(grid, key, costs[i]) end
  if filling then fill(grid, filling) end
  for y = 1, rows and height or 0 do
    local row = rawget(rows, y)
    put_row(grid, y, keys_of(row, y), type(row) == "string")
  end
  return grid
end

return make
