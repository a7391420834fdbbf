-- tiled.lua -- astar.tiled: grids, objects and graphs from maps made with Tiled (mapeditor.org), from files of Tiled or
-- exports to Lua.
--
-- The work is divided: tiled/file.lua reads the file, tiled/map.lua reads the map, tiled/ground.lua determines the
-- terrain from properties of tiles, tiled/shapes.lua finds the cells that an object covers, and tiled/graph.lua reads
-- graphs that are drawn as lines.
--
-- Some layers make blocks in place of terrain: layers of houses or doors, for example. A game can remove a block with
-- grid:unblock, and the terrain under it is left. If the option `blocks` is not given, blocks are made for the objects
-- that the library STI treats as collidable.
--
-- Tiled's cell (0, 0) becomes the cell `origin` of the grid, (1, 1) by default. The grid of an infinite map covers all
-- its chunks, also those with negative coordinates. Offsets of layers are ignored, because they only move the picture.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local check = require(FOLDER .. ".tiled.check")
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local fail = require(FOLDER .. ".errors").raise
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local graphs = require(FOLDER .. ".tiled.graph")
local grounds = require(FOLDER .. ".tiled.ground")
local hexagons = require(FOLDER .. ".tiled.hexagons")
local maps = require(FOLDER .. ".tiled.map")
local plain_options = require(FOLDER .. ".plain_options")
local scripts = require(FOLDER .. ".tiled.scripts")
local shapes = require(FOLDER .. ".tiled.shapes")
local stray_entry = require(FOLDER .. ".stray_entry")
local unknown_option = require(FOLDER .. ".unknown_option")

local tiled = {}

local OPTIONS = {
  blocks = "table", terrain = "table", properties = "table", origin = "table", inflate = "function", cost = "function",
  empty = "cost", default = "cost", max_cells = "count", warn = "function",
}
local NAMES = {}
for name in entries, OPTIONS do NAMES[#NAMES + 1] = name end
local MAX_CELLS = 2 ^ 28 -- greatest number of cells of a grid of astar
local MAX_BYTES = 2 ^ 40

-- Calls 'f' and returns its result. An error in 'f' is raised again at the line of the script that called the public
-- function, which is two levels up. Errors of the script's own callbacks are raised unchanged.
local function at_caller(f, ...)
  local ok, result = pcall(f, ...)
  if ok then
    return result
  elseif type(result) == "table" and getmetatable(result) == scripts.Raised then
    error(result.value, 0)
  end
  error(result, 3)
end

-- Making the grid.

-- Returns the least and greatest coordinates of the map's cells. For an infinite map, this is the rectangle around all
-- parts of the layers.
local function bounds_of(source, layers_parts)
  if not source.map.infinite and not source.has_chunks then
    return maps.bounds(source, 0, 0, source.map.width, source.map.height)
  end
  local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
  for _, parts in ipairs(layers_parts) do
    for _, part in ipairs(parts) do
      local left, top, right, bottom = maps.bounds(source, part.x, part.y, part.width, part.height)
      x0, y0, x1, y1 = math.min(x0, left), math.min(y0, top), math.max(x1, right), math.max(y1, bottom)
    end
  end
  if x0 > x1 then
    fail("%s: expected tiles, got an infinite map without any", source.name)
  end
  return x0, y0, x1, y1
end

-- Gives the key "empty" to all cells of a staggered map that have no tile. In the coordinates of the grid, a
-- staggered map is not a rectangle, so corners of the grid lie outside the map. Cells there get no key.
local function lay_inside(source, ground, layers_parts, x0, y0, width)
  local function lay(part)
    for y = part.y, part.y + part.height - 1 do
      for x = part.x, part.x + part.width - 1 do
        local column, row = maps.cell(source, x, y)
        local place = (row - y0) * width + column - x0
        ground.cells[place] = ground.cells[place] or "empty"
      end
    end
  end
  if not source.map.infinite and not source.has_chunks then
    lay { x = 0, y = 0, width = source.map.width, height = source.map.height }
    return
  end
  for _, parts in ipairs(layers_parts) do
    for _, part in ipairs(parts) do lay(part) end
  end
end

-- Returns a list of the parts of each layer: first the layers of terrain in their order, then the tile layers in
-- `blocks`. In an infinite map the parts of a layer are its chunks, else a layer is one part.
local function parts_of_all(source, layers, blocks)
  local parts = {}
  local function add(layer)
    parts[#parts + 1] = maps.parts(source, layer)
    source.has_chunks = source.has_chunks or layer.chunks ~= nil
  end
  for _, layer in ipairs(layers) do add(layer) end
  for _, layer in ipairs(blocks) do
    if not layer.objects then add(layer) end
  end
  return parts
end

-- Returns the terrain that the tiles of `layers` make, the lowest layer first, and the rectangle of the grid: x, y,
-- width and height. If the map is infinite, the rectangle also covers the chunks of the tile layers in `blocks`.
local function lay_all(source, layers, blocks, options, origin)
  local parts, ground = parts_of_all(source, layers, blocks), grounds.new(options)
  local x0, y0, x1, y1 = bounds_of(source, parts)
  local width, height = x1 - x0 + 1, y1 - y0 + 1
  maps.check_size(source, source.name, width, height)
  for i, layer in ipairs(layers) do
    maps.each_tile(source, parts[i], function(x, y, number)
      if x >= x0 and x <= x1 and y >= y0 and y <= y1 then
        local place = (y - y0) * width + x - x0
        grounds.lay(ground, source, layer, place, number, x + origin[1], y + origin[2])
      end
    end)
  end
  if source.is_staggered then
    lay_inside(source, ground, parts, x0, y0, width)
  end
  grounds.finish(ground)
  return ground, x0 + origin[1], y0 + origin[2], width, height
end

-- Returns a grid with the terrain `ground` and the given rectangle. 'origin' has the grid coordinates of Tiled's cell
-- (0, 0).
local function grid_of(source, ground, origin, x0, y0, width, height)
  local options = { terrain = ground.terrain, fill = "empty", origin = { x0, y0 } }
  if source.is_hexagonal then
    options.shape, options.offset = "hex", hexagons.offset(source.map, x0 - origin[1], y0 - origin[2])
  end
  if source.is_staggered then
    options.fill = "outside"
    ground.terrain.outside = ground.terrain.outside or false
  end
  local ok, grid = pcall(core.grid, width, height, options)
  if not ok then
    fail("%s: %s", source.name, grid)
  end
  for place, key in entries, ground.cells do
    grid:set(x0 + place % width, y0 + math.floor(place / width), key)
  end
  return grid
end

-- Returns a list of the obstacles that become blocks: an entry is { layer =, object = } for one object, or { layer =
-- } for all tiles of a layer.
local function find_obstacles(source, ground, options, blocks)
  local list = {}
  local layers = options.blocks and blocks or maps.layers_of_type(source, "objectgroup", {})
  for _, layer in ipairs(layers) do
    if not layer.objects then
      list[#list + 1] = { layer = layer }
    end
    for _, object in ipairs(layer.objects or {}) do
      if options.blocks or grounds.is_collidable(ground, layer) or grounds.is_solid_object(ground, source, object) then
        list[#list + 1] = { layer = layer, object = object }
      end
    end
  end
  return list
end

-- Puts blocks on all cells of the grid that the obstacles cover.
local function block_all(grid, source, obstacles, origin)
  local x0, y0, x1, y1 = grid:bounds()
  local within = { x0 - origin[1], y0 - origin[2], x1 - origin[1], y1 - origin[2] }
  local function block(x, y, width)
    grid:block(x + origin[1], y + origin[2], width, 1)
  end
  local function block_inside(x, y)
    if x >= within[1] and x <= within[3] and y >= within[2] and y <= within[4] then
      block(x, y, 1)
    end
  end
  for _, obstacle in ipairs(obstacles) do
    local object = obstacle.object
    if not object then
      maps.each_tile(source, maps.parts(source, obstacle.layer), block_inside)
    else
      if object.gid then
        maps.tile_number(source, object.gid)
      end
      shapes.each_run(object, obstacle.layer, source, within, block)
    end
  end
end

local function check_option(name, value)
  local kind = OPTIONS[name]
  if kind == "cost" then
    if not grounds.is_cost(value) then
      fail("%s must be a number > 0 or false, got %s", name, describe(value))
    end
  elseif kind == "count" then
    if type(value) ~= "number" or value % 1 ~= 0 or value < 1 or value > MAX_CELLS then
      fail("%s must be an integer from 1 to %d, got %s", name, MAX_CELLS, describe(value))
    end
  elseif type(value) ~= kind then
    fail("%s must be a %s, got %s", name, kind, describe(value))
  end
end

local PROPERTIES = {}
for name in entries, grounds.PROPERTIES do PROPERTIES[#PROPERTIES + 1] = name end

local function copy_of(source)
  local copy = {}
  for key, value in entries, source do
    copy[key] = value
  end
  return copy
end

-- Returns a checked copy of the options. Neither the copy nor the tables in it have a metatable.
local function check_options(given)
  if given == nil then
    return {}
  elseif type(given) ~= "table" then
    fail("options must be a table, got %s", describe(given))
  end
  given = plain_options(given, NAMES)
  local options = copy_of(given)
  for name, value in entries, given do
    if OPTIONS[name] then
      check_option(name, value)
      if name == "properties" then value = plain_options(value, PROPERTIES) end
      options[name] = type(value) == "table" and copy_of(value) or value
    elseif type(name) ~= "number" or name % 1 ~= 0 or name < 1 or name > 1 and options[name - 1] == nil then
      fail("unknown option %s, expected names of layers, blocks, terrain, properties, cost, default, empty, origin, "
        .. "inflate, max_cells or warn", describe(name))
    end
  end
  local stray = options.blocks and stray_entry(options.blocks)
  if stray then
    fail("blocks are counted from 1, got an entry %s", stray)
  end
  for name, property in entries, options.properties or {} do
    if not grounds.PROPERTIES[name] or type(property) ~= "string" then
      fail("properties must be names for cost, walkable, terrain and collidable, got %s = %s", tostring(name),
        describe(property))
    end
  end
  return options
end

-- Raises an error if neither the map nor the options say which tiles can be entered, because then every tile could be
-- entered.
local function check_told(ground, source, layers, obstacles, options)
  local is_meant = options.blocks or options.default ~= nil or options.empty ~= nil
  if ground.is_told or #layers == 0 or #obstacles > 0 or is_meant then
    return
  end
  local names = {}
  for i, layer in ipairs(layers) do
    names[i] = describe(layer.name)
  end
  fail("%s: no tile of layer %s has a property %s, %s or %s: set one in Tiled, or give one of the "
    .. "options default, cost, terrain, empty or blocks", source.name, table.concat(names, ", "),
    describe(ground.names.cost), describe(ground.names.walkable), describe(ground.names.collidable))
end

local function make_grid(map, options)
  options = check_options(options)
  local origin = check.origin(options.origin)
  local source = maps.open(map, options)
  local blocks = maps.find_layers(source, options.blocks or {}, "blocks")
  local layers = options[1] ~= nil and maps.find_layers(source, options, "layers")
    or maps.ground_layers(source, blocks, options.empty)

  local ground, x0, y0, width, height = lay_all(source, layers, blocks, options, origin)
  local obstacles = find_obstacles(source, ground, options, blocks)
  check_told(ground, source, layers, obstacles, options)
  local grid = grid_of(source, ground, origin, x0, y0, width, height)
  block_all(grid, source, obstacles, origin)
  return grid
end

local function list_objects(map, name, origin)
  if type(name) ~= "string" then
    fail("layer must be a string, got %s", describe(name))
  end
  local at, source, found = check.origin(origin), maps.open(map), {}
  for _, layer in ipairs(maps.find_layers(source, { name }, "layer")) do
    if not layer.objects then
      fail("%s: layer %s: expected an object layer, got one of type %s", source.name, describe(layer.name),
        describe(layer.type))
    end
    for _, object in ipairs(layer.objects) do
      local x0, y0, x1, y1 = shapes.bounds(object, layer, source)
      found[#found + 1] = {
        object = object, x = x0 + at[1], y = y0 + at[2], width = x1 - x0 + 1, height = y1 - y0 + 1,
      }
    end
  end
  return found
end

local LOAD_OPTIONS = { "read", "max_bytes" }

local function check_load_options(options)
  if options == nil then
    return nil
  elseif type(options) ~= "table" then
    fail("options must be a table, got %s", describe(options))
  end
  options = plain_options(options, LOAD_OPTIONS)
  local problem = unknown_option(options, LOAD_OPTIONS)
  local most = options.max_bytes
  if problem then
    fail("%s", problem)
  elseif options.read ~= nil and type(options.read) ~= "function" then
    fail("read must be a function, got %s", describe(options.read))
  elseif most ~= nil and (type(most) ~= "number" or most % 1 ~= 0 or most < 1 or most > MAX_BYTES) then
    fail("max_bytes must be an integer from 1 to %.0f, got %s", MAX_BYTES, describe(most))
  end
  return options
end

-- Public functions.

--- Returns the map in a file, as a table in the form of Tiled's export to Lua. A .tmx file is read by lua-expat, a .tmj
-- file by lua-cjson or dkjson. A Lua export is run without access to any global. In LÖVE, `file` is first looked for in
-- the game. Options: read(name), a function that returns the bytes of a file or nil, used in place of opening files;
-- max_bytes, the greatest size of all files of the map together, 2^28 by default.
function tiled.load(file, options, ...)
  no_more("load", 2, ...)
  local map = at_caller(function()
    if type(file) ~= "string" then
      fail("file must be a string, got %s", describe(file))
    end
    return maps.open(file, check_load_options(options)).map
  end)
  return map
end

--- Returns the grid of a map, which is the name of a file, a table that Tiled exported, or a map of the library STI.
-- `options` is a list of the names of the layers of terrain (default: all tile layers that are not in `blocks`). It may
-- also have these fields:
-- blocks: a list of layers whose tiles or objects become blocks (default: objects that are collidable themselves or by
-- their layer);
-- terrain: costs by key, which override those of the tiles;
-- properties: other names for the properties `cost`, `walkable`, `collidable` and `terrain`;
-- cost(tile, layer, x, y): a function that returns the cost of a tile on a cell of the grid and optionally the key of
-- its terrain, or nil if the properties of the tile decide;
-- default: the cost of tiles without properties about walking, 1 by default;
-- empty: the cost of cells without a tile, false by default;
-- origin: the coordinates of Tiled's cell (0, 0), {1, 1} by default;
-- inflate(bytes, compression): a function that decompresses data, needed without LÖVE and lua-zlib;
-- max_cells: the greatest number of cells, 2^24 by default;
-- warn(text): a function that is called for tiles that are skipped.
function tiled.grid(map, options, ...)
  no_more("grid", 2, ...)
  local grid = at_caller(make_grid, map, options)
  return grid
end

--- Returns a list of the objects of a layer: { object =, x =, y =, width =, height = }. `object` is Tiled's own table;
-- the rectangle has the cells that the object covers. A point covers one cell. `origin` is that of tiled.grid.
function tiled.objects(map, layer, origin, ...)
  no_more("objects", 3, ...)
  local list = at_caller(list_objects, map, layer, origin)
  return list
end

--- Returns the navigation graph that is drawn on object layers of a map. Points become nodes, with the name or else the
-- id of the point as their key. Polylines and polygons become edges. A corner of a line that is at most `snap` cells
-- from a node becomes this node; any other corner becomes a new node with the key "id/number". A line may have the
-- properties cost (of the whole line, its length by default), label (its name by default) and one_way (false by
-- default). `options` is a list of the names of the layers (default: all object layers). It may also have the fields
-- origin, as in tiled.grid; snap, 0.5 by default; and properties, other names for the three properties of lines.
function tiled.graph(map, options, ...)
  no_more("graph", 2, ...)
  local graph = at_caller(graphs.make, map, options)
  return graph
end

return no_field.of_module(tiled, "astar.tiled")
