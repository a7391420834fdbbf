-- map.lua -- Opens a map made with Tiled, and reads its layers and the tiles on them.
--
-- A map is Tiled's own table, or the table that Simple Tiled Implementation (STI) has made from it. STI replaces groups
-- by layers named "group.layer", replaces tile numbers by tables of tiles, and converts the points of polygons to
-- pixels of the screen.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local check = require(FOLDER .. ".check")
local data = require(FOLDER .. ".data")
local describe = require(ABOVE .. ".describe")
local fail = require(ABOVE .. ".errors").raise
local files = require(FOLDER .. ".file")
local scripts = require(FOLDER .. ".scripts")
local staggered = require(FOLDER .. ".staggered")
local tiles = require(FOLDER .. ".tiles")

local M = {}

-- Returns a function that passes each different warning to the option `warn` once.
local function warner(warn)
  local known = {}
  return function(message, ...)
    local text = message:format(...)
    if warn and not known[text] then
      known[text] = true
      scripts.call(warn, text)
    end
  end
end

-- Opens and checks a map, a table or the name of a file. Returns the map together with the data that other files need.
-- `options` are those of tiled.grid or tiled.load.
function M.open(map, options)
  local name, bases, unread = "map", nil, nil
  if type(map) == "string" then
    name = map
    map, bases, unread = files.read(name, options)
  elseif type(map) ~= "table" then
    fail("map must be a table or the name of a file, got %s", describe(map))
  end
  check.map(map, name)
  local source = {
    map = map,
    name = name,
    is_sti = map.tileInstances ~= nil,
    is_isometric = map.orientation == "isometric",
    is_hexagonal = map.orientation == "hexagonal",
    is_staggered = map.orientation == "staggered",
    inflate = options and options.inflate,
    max_cells = options and options.max_cells or 2 ^ 24,
    listed = {}, -- the tiles that each tileset lists, by tileset and id
    tiles = {},  -- the tiles by number, see tiles.lua
    unread = unread or {}, -- the reason why the file of a tileset exists but could not be read, by tileset
    warn = warner(options and options.warn),
  }
  if bases then
    files.inherit(source, bases)
  end
  return source
end

-- Raises an error if `what` would have more cells than the option max_cells allows.
function M.check_size(source, what, width, height)
  if width * height > source.max_cells then
    fail("%s: %.0f x %.0f cells: more than the option max_cells, %d", what, width, height, source.max_cells)
  end
end

-- Calls f(layer, path) for every layer. The layers of a group come after the group itself.
local function each_layer(layers, f, path)
  for _, layer in ipairs(layers) do
    local own = path and path .. "/" .. layer.name or layer.name
    f(layer, own)
    if layer.type == "group" then
      each_layer(layer.layers, f, own)
    end
  end
end

local function layer_names(source)
  local names = {}
  each_layer(source.map.layers, function(_, path)
    names[#names + 1] = ('"%s"'):format(path)
  end)
  return #names > 0 and table.concat(names, ", ") or "no layers"
end

-- Returns true if a name denotes a layer: its own name, or "group/layer". In maps of STI the layer's name is
-- "group.layer", so the name of the group, or the name of the layer alone, also denotes the layer.
local function is_called(source, layer, path, name)
  if not source.is_sti then
    return layer.name == name or path == name
  elseif source.map.layers[name] then
    return layer.name == name
  end
  return ("." .. layer.name .. "."):find("." .. name:gsub("/", ".") .. ".", 1, true) ~= nil
end

-- Adds a layer to a list, or all layers of a group, if they are not in it yet.
local function add_layer(list, layer)
  if layer.type == "group" then
    for _, inner in ipairs(layer.layers) do
      add_layer(list, inner)
    end
  elseif not list[layer] then
    list[#list + 1] = layer
    list[layer] = true
  end
end

-- Returns the layers with the given names, in the order of the map, the lowest first. Errors call the names `what`.
function M.find_layers(source, names, what)
  local found, list = {}, {}
  for i, name in ipairs(names) do
    if type(name) ~= "string" then
      fail("%s must be names of layers, got %s at index %d", what, describe(name), i)
    end
  end
  each_layer(source.map.layers, function(layer, path)
    for _, name in ipairs(names) do
      if is_called(source, layer, path, name) then
        found[name] = true
        add_layer(list, layer)
      end
    end
  end)
  for _, name in ipairs(names) do
    if not found[name] then
      fail("%s: no layer %s, expected one of %s", source.name, describe(name), layer_names(source))
    end
  end
  return list
end

-- Returns all layers of a type except those in the set `listed`.
function M.layers_of_type(source, kind, listed)
  local list = {}
  each_layer(source.map.layers, function(layer)
    if layer.type == kind and not listed[layer] then
      list[#list + 1] = layer
    end
  end)
  return list
end

-- Returns all tile layers except those in the set `listed`. There must be one, unless the option `empty` gives the cost
-- of cells without tiles.
function M.ground_layers(source, listed, empty)
  local list = M.layers_of_type(source, "tilelayer", listed)
  if #list == 0 and empty == nil then
    fail("%s: expected a tile layer that is not in blocks, got %s: give the option empty, the cost of cells without a "
      .. "tile",
      source.name, layer_names(source))
  end
  return list
end

local function check_number(where, place, number)
  if type(number) ~= "number" or number % 1 ~= 0 or number < 0 then
    fail("%s: expected the number of a tile at index %d, got %s", where, place, describe(number))
  end
end

-- Converts rows of tiles, which STI stores in place of numbers, to a list of numbers. Cells without a tile are gaps in
-- both.
local function numbers_of_rows(rows, where, width, height)
  local numbers = {}
  for y = 1, height do
    local row = rows[y]
    if type(row) ~= "table" then
      fail("%s: expected a table of tiles for row %d, got %s", where, y, describe(row))
    end
    for x = 1, width do
      local tile, place = row[x], (y - 1) * width + x
      if type(tile) == "table" then
        check_number(where, place, tile.gid)
        numbers[place] = tile.gid
      end
    end
  end
  return numbers
end

local function check_numbers(numbers, where, width, height)
  if #numbers ~= width * height then
    fail("%s: expected %d x %d tiles, got %d", where, width, height, #numbers)
  end
  for i = 1, #numbers do
    check_number(where, i, numbers[i])
  end
end

local function numbers_of(source, layer, part)
  local where = ("%s: layer %s"):format(source.name, describe(layer.name))
  M.check_size(source, where, part.width, part.height)
  local numbers = part.data
  if type(numbers) == "string" then
    local expected
    numbers, expected = data.decode(numbers, layer.encoding, layer.compression, source.inflate, part.width, part.height)
    if not numbers then
      fail("%s: expected %s", where, expected)
    end
  elseif type(numbers) ~= "table" then
    fail("%s: expected tiles, got %s", where, describe(numbers))
  elseif source.is_sti then
    return numbers_of_rows(numbers, where, part.width, part.height)
  end
  check_numbers(numbers, where, part.width, part.height)
  return numbers
end

-- Returns the rectangles of tiles of a layer: the layer itself, or the chunks of an infinite map.
function M.parts(source, layer)
  if layer.chunks == nil and layer.data == nil then
    fail("%s: layer %s: expected a tile layer, got one of type %s", source.name, describe(layer.name),
      describe(layer.type))
  end
  local parts = {}
  for i, part in ipairs(layer.chunks or { layer }) do
    local x, y = 0, 0
    if layer.chunks then
      x, y = part.x, part.y
    end
    parts[i] = {
      x = x, y = y, width = part.width, height = part.height, numbers = numbers_of(source, layer, part),
      layer = layer.name,
    }
  end
  return parts
end

-- Returns the number of a tile without its flip bits, nil if there is no tile. A number that belongs to no tileset is
-- an error. If the number is that of cell `i` of a part of a layer, messages name this cell.
function M.tile_number(source, number, part, i)
  number = number % tiles.FLIP_BITS
  if part and number ~= 0 and not source.tiles[number] then
    source.at = { layer = part.layer, x = part.x + (i - 1) % part.width, y = part.y + math.floor((i - 1) / part.width) }
  end
  return number ~= 0 and not tiles.find(source, number).is_lost and number or nil
end

-- Returns the grid's cell for Tiled's cell (x, y), counted from 0. The two differ on staggered maps only.
function M.cell(source, x, y)
  if source.is_staggered then
    return staggered.cell(source.map, x, y)
  end
  return x, y
end

-- Returns the first column and row and the last column and row of a rectangle of tiles on the grid.
function M.bounds(source, x, y, width, height)
  if not source.is_staggered then
    return x, y, x + width - 1, y + height - 1
  end
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  local function reach(column, row)
    column, row = staggered.cell(source.map, column, row)
    x0, y0, x1, y1 = math.min(x0, column), math.min(y0, row), math.max(x1, column), math.max(y1, row)
  end
  for _, column in ipairs { x, math.min(x + 1, x + width - 1), math.max(x, x + width - 2), x + width - 1 } do
    for _, row in ipairs { y, math.min(y + 1, y + height - 1), math.max(y, y + height - 2), y + height - 1 } do
      reach(column, row)
    end
  end
  return x0, y0, x1, y1
end

-- Calls f(x, y, number) for each tile of a layer, with its cell on the grid, counted from 0, and its number without
-- flip bits.
function M.each_tile(source, parts, f)
  for _, part in ipairs(parts) do
    for i = 1, part.width * part.height do
      local number = M.tile_number(source, part.numbers[i] or 0, part, i)
      if number then
        local x, y = M.cell(source, part.x + (i - 1) % part.width, part.y + math.floor((i - 1) / part.width))
        f(x, y, number)
      end
    end
  end
end

return M
