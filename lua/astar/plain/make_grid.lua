-- make_grid.lua -- Makes the twin's grids from the arguments that ../make_grid.lua has read.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local made_of = require(FOLDER:match "^(.+)[./][^./]+$" .. ".make_grid")
local object = require(FOLDER .. ".object")

local describe, fail = object.describe, object.fail

local make = { is_key = made_of.is_key, cure = made_of.cure }
-- The twin has no hexagonal grids. It knows their names only to report that they need the C module.
local read = made_of.reader(object, {
  "square", "none", "hex", "odd_r", "hex", "even_r", "hex", "odd_q", "hex", "even_q",
})

--- Adds a terrain to a grid.
function make.add_terrain(grid, key, cost)
  local count = #grid.keys
  if count == 256 then fail("a grid holds at most 256 terrains") end
  grid.keys[count + 1], grid.costs[count + 1] = type(key) == "number" and math.floor(key) or key, cost
  grid.terrains[key] = count + 1
end

local function show(key)
  if type(key) == "string" and #key == 1 and key:find "[^\32-\126]" then key = ("\\%d"):format(key:byte()) end
  return describe(key)
end

-- Returns the list of the keys of a row, and their number. A row is a string of characters or a table of keys.
local function keys_of(row, y)
  local keys, at = {}, 1
  if type(row) == "string" then
    while at <= #row do
      local bytes = made_of.bytes_of_character(row, at)
      keys[#keys + 1], at = row:sub(at, at + bytes - 1), at + bytes
    end
    return keys, #keys
  elseif type(row) ~= "table" then
    fail("row %d: expected a string or a table, got %s", y, describe(row))
  end
  local stray = object.stray(row)
  if stray then fail("row %d: columns are counted from 1, got an entry [%s]", y, stray) end
  local count = object.length(row)
  for x = 1, count do keys[x] = rawget(row, x) end
  return keys, count
end

local function put_row(grid, y, row)
  local keys, count = keys_of(row, y)
  if count ~= grid.width then fail("row %d: expected %d cells, got %d", y, grid.width, count) end
  for x = 1, count do
    local key = keys[x]
    local terrain = key == key and key ~= nil and grid.terrains[key]
    if not terrain then
      local shown = type(row) == "string" and show(key) or describe(key)
      fail("unknown terrain %s at row %d, column %d%s", shown, y, x, make.cure(key, x == count))
    end
    grid.ground[y * grid.stride + 1 + x] = terrain
  end
end

--- Makes the parts of a grid from the arguments of astar.grid.
function make.grid(a, b, c, extra)
  if extra ~= nil then object.too_many("grid", 3, extra) end
  local width, height, x0, y0, options, keys, costs, filling, rows = read.grid(a, b, c)
  if options then
    if rawget(options, "shape") == "hex" then object.lacks 'shape "hex"' end
    if rawget(options, "wrap") ~= nil then object.lacks "wrap" end
  end
  local stride = width + 2
  local grid = {
    width = width, height = height, stride = stride, last = stride * (height + 2), x0 = x0, y0 = y0,
    ground = {}, keys = {}, costs = {}, terrains = {},
    layers = { { name = "", cells = {}, made = 0 } }, layer_numbers = { [""] = 1 }, blocked = {},
    exits = {}, exit_count = 0, -- for each restricted cell the set of directions in which it may not be left
    version = 0, palette = 0, log = {}, maps = setmetatable({}, { __mode = "v" }), workspaces = {},
  }
  for cell = 1, grid.last do grid.ground[cell] = 0 end
  for _, name in ipairs(options and rawget(options, "layers") or {}) do
    if not grid.layer_numbers[name] then
      grid.layers[#grid.layers + 1] = { name = name, cells = {}, made = 0 }
      grid.layer_numbers[name] = #grid.layers
    end
  end
  grid.has_all_layers = options ~= nil and rawget(options, "layers") ~= nil
  for i, key in ipairs(keys) do make.add_terrain(grid, key, costs[i]) end
  for y = 1, height do
    local first = y * stride + 2
    for cell = first, filling and first + width - 1 or 0 do grid.ground[cell] = filling end
    if rows then put_row(grid, y, rawget(rows, y)) end
  end
  return grid
end

return make
