-- tiled.lua -- grids from maps made with Tiled (mapeditor.org) and exported to Lua.
--
-- What a tile means for walking stands in its properties: `cost`, a number, or `walkable`, true or
-- false. Of the tiles that lie over each other on a cell, the topmost one that says anything decides;
-- the others are decoration. A grid's keys are the names of the ground: a tile's property `terrain`,
-- else its class (which Tiled's file calls type), else its cost in words.
--
-- Layers whose tiles or objects stand in the way of everybody, houses or doors, become blocks instead:
-- the game takes them away with grid:unblock and the ground is back.
--
-- Tiled's cell (0, 0) is `origin` in the grid, (1, 1) unless an option says otherwise. Infinite maps
-- reach from their first chunk to their last one, to the west and north of that too.

local core = require "astar.core"
local data = require "astar.tiled_data"
local describe = require "astar.describe"
local shapes = require "astar.tiled_shapes"

local tiled = {}

local PROPERTIES = { cost = "cost", walkable = "walkable", terrain = "terrain" }
local OPTIONS = {
  blocks = "table", terrain = "table", properties = "table", origin = "table", inflate = "function", empty = "cost",
}

-- The highest bits of a tile's number tell how it is flipped and turned.
local FLIP_BITS = 2 ^ 28

local function fail(message, ...)
  error(message:format(...), 0)
end

-- What 'f' returns for these arguments; its errors are raised at the line two calls up.
local function at_caller(f, ...)
  local ok, result = pcall(f, ...)
  if not ok then
    error(result, 3)
  end
  return result
end

-- ---- files ----

local function run_alone(text, name)
  local chunk, problem
  if setfenv then
    chunk, problem = loadstring(text, "@" .. name)
    chunk = chunk and setfenv(chunk, {})
  else
    chunk, problem = load(text, "@" .. name, "t", {})
  end
  if not chunk then
    fail("%s: expected a map exported by Tiled to Lua, got a file that is no Lua (%s)", name, problem)
  end
  local ok, map = pcall(chunk)
  if not ok then
    fail("%s: expected a map exported by Tiled to Lua, got a program (%s)", name, tostring(map))
  end
  return map
end

-- In LÖVE a file is looked for in the game first, which may be packed.
local function read_file(name)
  local love = rawget(_G, "love")
  local text = love and love.filesystem and love.filesystem.read(name)
  if text then
    return text
  end
  local file, problem = io.open(name, "rb")
  if not file then
    fail("%s", problem)
  end
  text, problem = file:read "*a"
  file:close()
  if not text then -- a directory can be opened, but not read
    fail("%s: %s", name, problem)
  end
  return text
end

local function check_map(map, name)
  if type(map) ~= "table" or type(map.layers) ~= "table" or type(map.tilesets) ~= "table" then
    fail("%s: expected a map exported by Tiled to Lua, got %s", name,
      type(map) == "table" and "a table without layers and tilesets" or describe(map))
  end
  for _, side in ipairs { "width", "height", "tilewidth", "tileheight" } do
    if type(map[side]) ~= "number" then
      fail("%s: expected a number for %s, got %s", name, side, describe(map[side]))
    end
  end
  if map.orientation ~= "orthogonal" and map.orientation ~= "isometric" then
    fail('%s: expected the orientation "orthogonal" or "isometric", got %s', name, describe(map.orientation))
  end
  return map
end

-- A map that is read, with what the rest needs to know of it.
local function open(map)
  local name = "map"
  if type(map) == "string" then
    name = map
    map = run_alone(read_file(name), name)
  elseif type(map) ~= "table" then
    fail("map must be a table or the name of a file, got %s", describe(map))
  end
  check_map(map, name)
  return {
    map = map,
    name = name,
    is_sti = map.tileInstances ~= nil, -- Simple Tiled Implementation's
    tile_width = map.orientation == "isometric" and map.tileheight or map.tilewidth, -- of objects' coordinates
    tile_height = map.tileheight,
  }
end

-- ---- layers ----

-- Calls f(layer, path) for every layer, those of groups after the group itself.
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

-- Adds a layer, or what a group holds.
local function add_layer(list, layer)
  if layer.type == "group" then
    each_layer(layer.layers, function(inner)
      if inner.type ~= "group" then
        list[#list + 1] = inner
      end
    end)
  else
    list[#list + 1] = layer
  end
end

-- The layers of these names, in the order of the map: from the ground up.
local function find_layers(source, names, what)
  local wanted, found, list = {}, {}, {}
  for i, name in ipairs(names) do
    if type(name) ~= "string" then
      fail("%s must be names of layers, got %s at place %d", what, describe(name), i)
    end
    wanted[name] = true
  end
  each_layer(source.map.layers, function(layer, path)
    local name = wanted[path] and path or layer.name
    if wanted[name] then
      found[name] = true
      add_layer(list, layer)
    end
  end)
  for _, name in ipairs(names) do
    if not found[name] then
      fail("%s: no layer %s, expected one of %s", source.name, describe(name), layer_names(source))
    end
  end
  return list
end

-- Every tile layer but those listed.
local function other_tile_layers(source, listed)
  local list, is_listed = {}, {}
  for _, layer in ipairs(listed) do
    is_listed[layer] = true
  end
  each_layer(source.map.layers, function(layer)
    if layer.type == "tilelayer" and not is_listed[layer] then
      list[#list + 1] = layer
    end
  end)
  if #list == 0 then
    fail("%s: expected a tile layer, got %s", source.name, layer_names(source))
  end
  return list
end

-- ---- tile numbers ----

-- STI keeps rows of tiles instead of numbers, with gaps where there is none.
local function numbers_of_rows(rows, width, height)
  local numbers = {}
  for y = 1, height do
    for x = 1, width do
      local tile = rows[y] and rows[y][x]
      numbers[(y - 1) * width + x] = tile and tile.gid or 0
    end
  end
  return numbers
end

local function numbers_of(source, layer, part, options)
  local numbers = part.data
  if type(numbers) == "string" then
    local expected
    numbers, expected = data.decode(numbers, layer.encoding, layer.compression, options.inflate)
    if not numbers then
      fail("%s: layer %s: expected %s", source.name, describe(layer.name), expected)
    end
  elseif type(numbers) ~= "table" then
    fail("%s: layer %s: expected tiles, got %s", source.name, describe(layer.name), describe(numbers))
  elseif source.is_sti then
    numbers = numbers_of_rows(numbers, part.width, part.height)
  end
  if #numbers ~= part.width * part.height then
    fail("%s: layer %s: expected %d x %d tiles, got %d", source.name, describe(layer.name), part.width,
      part.height, #numbers)
  end
  return numbers
end

-- The layer's rectangles of tiles: itself, or the chunks of an infinite map.
local function parts_of(source, layer, options)
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
      x = x, y = y, width = part.width, height = part.height, numbers = numbers_of(source, layer, part, options),
    }
  end
  return parts
end

-- Calls f(x, y, number) for each tile of the layer, flip bits taken off, in Tiled's coordinates.
local function each_tile(parts, f)
  for _, part in ipairs(parts) do
    for i, number in ipairs(part.numbers) do
      if number ~= 0 then
        f(part.x + (i - 1) % part.width, part.y + math.floor((i - 1) / part.width), number % FLIP_BITS)
      end
    end
  end
end

-- ---- what tiles say ----

local function tileset_of(source, number)
  local found
  for _, tileset in ipairs(source.map.tilesets) do
    if tileset.firstgid <= number and (not found or tileset.firstgid > found.firstgid) then
      found = tileset
    end
  end
  if not found then
    fail("%s: tile %d is in none of the map's tilesets", source.name, number)
  end
  return found
end

local function tile_of(source, number)
  local tileset = tileset_of(source, number)
  local id = number - tileset.firstgid
  if type(tileset.tiles) ~= "table" then
    fail('%s: tileset %s has no tiles, only the name of its file, %s: export the map with "Embed tilesets"',
      source.name, describe(tileset.name), describe(tileset.filename))
  end
  for _, tile in ipairs(tileset.tiles) do
    if tile.id == id then
      return tile, tileset, id
    end
  end
  return { properties = {} }, tileset, id
end

local function is_cost(value)
  return value == false or type(value) == "number" and value > 0
end

-- The cost that the properties give, nil when they are silent.
local function cost_of(source, properties, names, tileset, id)
  local cost, walkable = properties[names.cost], properties[names.walkable]
  local what, expected
  if cost ~= nil and not is_cost(cost) then
    what, expected = names.cost, "a number > 0 or false"
  elseif walkable ~= nil and type(walkable) ~= "boolean" then
    what, expected = names.walkable, "true or false"
  end
  if what then
    fail("%s: tile %d of tileset %s: expected %s for %s, got %s", source.name, id, describe(tileset.name), expected,
      what, describe(properties[what]))
  end
  if walkable == false then
    return false
  end
  return cost == nil and walkable and 1 or cost
end

local function name_of(tile, names)
  local name = tile.properties and tile.properties[names.terrain] or tile.type or tile.class
  return type(name) == "string" and name ~= "" and name or nil
end

local function cost_in_words(cost)
  return cost and ("cost %.14g"):format(cost) or "blocked"
end

-- What ground of this name costs is told once; another cost for the same name is a slip.
local function define(ground, source, name, cost, tileset, id)
  local known = ground.terrain[name]
  if known == nil then
    ground.terrain[name] = cost
  elseif known ~= cost and ground.given[name] == nil then
    fail("%s: tile %d of tileset %s: expected %s for terrain %s as of other tiles, got %s", source.name, id,
      describe(tileset.name), cost_in_words(known), describe(name), cost_in_words(cost))
  end
end

-- What the tile of this number says: the key of its ground and whether it decides over those below.
local function read_tile(ground, source, number)
  local tile, tileset, id = tile_of(source, number)
  local cost = cost_of(source, tile.properties or {}, ground.names, tileset, id)
  local name = name_of(tile, ground.names)
  local decides = cost ~= nil or name ~= nil and ground.given[name] ~= nil
  if cost == nil then
    cost = 1
  end
  name = name or decides and cost_in_words(cost) or "ground"
  if decides then
    define(ground, source, name, cost, tileset, id)
  end
  return { key = name, decides = decides }
end

local function meaning_of(ground, source, number)
  local meaning = ground.meanings[number]
  if not meaning then
    meaning = read_tile(ground, source, number)
    ground.meanings[number] = meaning
    ground.is_told = ground.is_told or meaning.decides
  end
  return meaning
end

-- ---- the grid ----

local function bounds_of(source, layers_parts)
  if not source.map.infinite and not source.has_chunks then
    return 0, 0, source.map.width - 1, source.map.height - 1
  end
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  for _, parts in ipairs(layers_parts) do
    for _, part in ipairs(parts) do
      x0, y0 = math.min(x0, part.x), math.min(y0, part.y)
      x1, y1 = math.max(x1, part.x + part.width - 1), math.max(y1, part.y + part.height - 1)
    end
  end
  if x0 > x1 then
    fail("%s: expected tiles, got an infinite map without any", source.name)
  end
  return x0, y0, x1, y1
end

local function empty_rows(width, height)
  local rows = {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do
      rows[y][x] = "empty"
    end
  end
  return rows
end

-- Lays one layer over the ground found so far.
local function lay(ground, source, parts, rows, x0, y0)
  each_tile(parts, function(x, y, number)
    local row, i = rows[y - y0 + 1], x - x0 + 1
    local meaning = meaning_of(ground, source, number)
    if row and row[i] and (meaning.decides or row[i] == "empty") then
      row[i] = meaning.key
      if ground.terrain[meaning.key] == nil then
        ground.terrain[meaning.key] = 1
      end
    end
  end)
end

local function new_ground(options)
  local ground = { terrain = {}, given = options.terrain or {}, meanings = {}, names = {}, is_told = false }
  for name, property in next, PROPERTIES do
    ground.names[name] = options.properties and options.properties[name] or property
  end
  for key, cost in next, ground.given do
    ground.terrain[key] = cost
  end
  if ground.terrain.empty == nil then
    ground.terrain.empty = options.empty or false
  end
  return ground
end

local function block_object(grid, source, object, origin)
  local x0, y0, x1, y1 = grid:bounds()
  shapes.each_cell(object, source.tile_width, source.tile_height, source.is_sti, function(x, y)
    x, y = x + origin[1], y + origin[2]
    if x >= x0 and x <= x1 and y >= y0 and y <= y1 then
      grid:block(x, y)
    end
  end)
end

local function block_layer(grid, source, layer, options, origin)
  if layer.objects then
    for _, object in ipairs(layer.objects) do
      block_object(grid, source, object, origin)
    end
    return
  end
  local x0, y0, x1, y1 = grid:bounds()
  each_tile(parts_of(source, layer, options), function(x, y)
    x, y = x + origin[1], y + origin[2]
    if x >= x0 and x <= x1 and y >= y0 and y <= y1 then
      grid:block(x, y)
    end
  end)
end

local function check_option(name, value)
  local kind = OPTIONS[name]
  if kind == "cost" then
    if not is_cost(value) then
      fail("%s must be a number > 0 or false, got %s", name, describe(value))
    end
  elseif type(value) ~= kind then
    fail("%s must be a %s, got %s", name, kind, describe(value))
  end
end

local function check_options(options)
  if options == nil then
    return {}
  elseif type(options) ~= "table" then
    fail("options must be a table, got %s", describe(options))
  end
  for name, value in next, options do
    if OPTIONS[name] then
      check_option(name, value)
    elseif type(name) ~= "number" then
      fail("unknown option %s, expected names of layers, blocks, terrain, properties, empty, origin or inflate",
        describe(name))
    end
  end
  for name, property in next, options.properties or {} do
    if not PROPERTIES[name] or type(property) ~= "string" then
      fail("properties must be names for cost, walkable and terrain, got %s = %s", tostring(name), describe(property))
    end
  end
  return options
end

local function check_origin(origin)
  if origin == nil then
    return { 1, 1 }
  end
  for i = 1, 2 do
    local value = origin[i]
    if type(value) ~= "number" or value % 1 ~= 0 then
      fail("origin must be two integers, got %s", describe(value))
    end
  end
  return origin
end

local function check_told(ground, source, layers, options)
  if ground.is_told or options.blocks then
    return
  end
  local names = {}
  for i, layer in ipairs(layers) do
    names[i] = describe(layer.name)
  end
  fail("%s: no tile of layer %s has a property %s or %s: set one in Tiled, or give the option terrain or blocks",
    source.name, table.concat(names, ", "), describe(ground.names.cost), describe(ground.names.walkable))
end

local function make_grid(map, options)
  options = check_options(options)
  local origin = check_origin(options.origin)
  local source = open(map)
  local blocks = find_layers(source, options.blocks or {}, "blocks")
  local layers = #options > 0 and find_layers(source, options, "layers") or other_tile_layers(source, blocks)

  local parts = {}
  for i, layer in ipairs(layers) do
    parts[i] = parts_of(source, layer, options)
    source.has_chunks = source.has_chunks or layer.chunks ~= nil
  end
  local x0, y0, x1, y1 = bounds_of(source, parts)
  local rows, ground = empty_rows(x1 - x0 + 1, y1 - y0 + 1), new_ground(options)
  for i = 1, #layers do
    lay(ground, source, parts[i], rows, x0, y0)
  end
  check_told(ground, source, layers, options)

  local ok, grid = pcall(core.grid, rows, {
    terrain = ground.terrain, origin = { x0 + origin[1], y0 + origin[2] },
  })
  if not ok then
    fail("%s: %s", source.name, grid)
  end
  for _, layer in ipairs(blocks) do
    block_layer(grid, source, layer, options, origin)
  end
  return grid
end

-- ---- public ----

--- The map that Tiled exported to a Lua file, run with no access to anything. `file` is looked for in
-- the game first where this is LÖVE.
function tiled.load(file)
  local map = at_caller(function()
    if type(file) ~= "string" then
      fail("file must be a string, got %s", describe(file))
    end
    return open(file).map
  end)
  return map
end

--- The grid of a map: a file's name, a table that Tiled exported, or an STI map. `options` lists the
-- layers that are ground (default: every tile layer not among `blocks`), from the map's lowest to its highest; and
-- blocks: layers whose tiles or objects become blocks; terrain: costs by key over those of the tiles;
-- properties: other names for `cost`, `walkable` and `terrain`; empty: the cost where there is no tile,
-- false by default; origin: the coordinates of Tiled's cell (0, 0), {1, 1} by default;
-- inflate(bytes, compression): for compressed data where this is not LÖVE.
function tiled.grid(map, options)
  local grid = at_caller(make_grid, map, options)
  return grid
end

--- The objects of a layer with the cells they lie on: a list of
-- { object =, x =, y =, width =, height = }, in cells; a point's width and height are 1.
-- `origin` as in tiled.grid.
function tiled.objects(map, layer, origin)
  local list = at_caller(function()
    if type(layer) ~= "string" then
      fail("layer must be a string, got %s", describe(layer))
    elseif origin ~= nil and type(origin) ~= "table" then
      fail("origin must be a table, got %s", describe(origin))
    end
    local at, source, found = check_origin(origin), open(map), {}
    for _, one in ipairs(find_layers(source, { layer }, "layer")) do
      if not one.objects then
        fail("%s: layer %s: expected an object layer, got one of type %s", source.name, describe(one.name),
          describe(one.type))
      end
      for _, object in ipairs(one.objects) do
        local _, _, x0, y0, x1, y1 = shapes.outline(object, source.tile_width, source.tile_height, source.is_sti)
        found[#found + 1] = {
          object = object, x = x0 + at[1], y = y0 + at[2], width = x1 - x0 + 1, height = y1 - y0 + 1,
        }
      end
    end
    return found
  end)
  return list
end

return tiled
