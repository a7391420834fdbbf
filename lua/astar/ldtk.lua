-- ldtk.lua -- astar.ldtk: grids and objects from projects made with LDtk (ldtk.io).
--
-- A project holds levels, and a level holds layers. The terrain comes from one layer, or from several layers that lie
-- over each other. A layer of terrain is either an IntGrid layer, whose values have names in the project, or a layer of
-- tiles, whose tileset tags tiles with values of an enum. LDtk has no costs, so the option `costs` sets the cost of
-- each name.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local check = require(FOLDER .. ".tiled.check")
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local errors = require(FOLDER .. ".errors")
local files = require(FOLDER .. ".tiled.file")
local json = require(FOLDER .. ".tiled.json")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local plain_options = require(FOLDER .. ".plain_options")
local stray_entry = require(FOLDER .. ".stray_entry")
local unknown_option = require(FOLDER .. ".unknown_option")

local at_caller, fail, floor = errors.at_caller, errors.raise, math.floor
local MAX_CELLS, MOST_CELLS = 2 ^ 24, 2 ^ 28
local MAX_BYTES = 2 ^ 40

local ldtk = {}

local function list_or_empty(value) return type(value) == "table" and value or {} end

local function is_integer(value) return type(value) == "number" and value % 1 == 0 end

-- Returns a text that lists names for an error message. If there are more than 20 names, the text has only the first
-- 20.
local function list_names(names)
  local shown = {}
  for i = 1, math.min(#names, 20) do shown[i] = describe(names[i]) end
  return table.concat(shown, ", ") .. (#names > 20 and (" and %d more"):format(#names - 20) or "")
end

local function is_cost(value) return value == false or type(value) == "number" and value > 0 end

-- Returns the checked options in a table without a metatable. `kinds` has the required type of each option: a type name
-- of Lua, "cost" (a number > 0 or false) or "any".
local function check_options(given, kinds)
  local names = {}
  for name in entries, kinds do names[#names + 1] = name end
  table.sort(names)
  if given == nil then
    return {}
  elseif type(given) ~= "table" then
    fail("options must be a table, got %s", describe(given))
  end
  local options = plain_options(given, names)
  local problem = unknown_option(options, names)
  if problem then fail("%s", problem) end
  for name, kind in entries, kinds do
    local value = options[name]
    if value ~= nil and kind == "cost" and not is_cost(value) then
      fail("%s must be a number > 0 or false, got %s", name, describe(value))
    elseif value ~= nil and kind ~= "cost" and kind ~= "any" and type(value) ~= kind then
      fail("%s must be a %s, got %s", name, kind, describe(value))
    end
  end
  return options
end

local function check_count(name, value, most)
  if value ~= nil and (not is_integer(value) or value < 1 or value > most) then
    fail("%s must be an integer from 1 to %.0f, got %s", name, most, describe(value))
  end
end

-- Reading projects.

local PROJECT = "a project made with LDtk"
local EXPORT = "decode it with a JSON library of the game's and pass the table"

-- Returns a list of all levels of a project, including the levels in its worlds.
local function levels_of(project)
  local levels = {}
  local function add(list)
    for _, level in ipairs(list_or_empty(list)) do
      if type(level) == "table" then levels[#levels + 1] = level end
    end
  end
  add(project.levels)
  for _, world in ipairs(list_or_empty(project.worlds)) do add(type(world) == "table" and world.levels) end
  return levels
end

-- Returns a table if it is a project, else raises an error. `name` is the name of the project in the error message.
local function check_project(project, name)
  local is_project = type(project) == "table" and type(project.defs) == "table" and type(project.levels) == "table"
  if is_project then return project end
  local got = type(project) == "table" and "a table without defs and levels" or describe(project)
  local is_of_tiled = type(project) == "table" and project.tilesets and project.layers
  if is_of_tiled then got = "a map of Tiled: call astar.tiled.grid" end
  fail("%s: expected %s, got %s", name, PROJECT, got)
end

-- Adds to the project the layers of each level that LDtk saved in a separate file. `name` is the name of the
-- project's file, nil if the project was passed as text. In the latter case a separate file is an error, because its
-- folder is unknown.
local function read_levels(project, reading, name)
  for _, level in ipairs(levels_of(project)) do
    if type(level.externalRelPath) == "string" and type(level.layerInstances) ~= "table" then
      if not name then
        fail("level %s is in a file of its own, %s: give the name of the project's file, or turn off \"Save levels to "
          .. "separate files\" in LDtk's project settings", describe(level.identifier), level.externalRelPath)
      end
      local file = files.beside(name, level.externalRelPath)
      level.layerInstances = json.parse(files.text(reading, file), file, EXPORT).layerInstances
    end
  end
end

-- Returns a project and its name for errors. `source` is the name of a file, a text in JSON, or a decoded table.
local function open(source, options)
  local kind = type(source)
  if kind == "table" then
    return check_project(source, "project"), "project"
  elseif kind ~= "string" then
    fail("project must be the name of a file, JSON or a table, got %s", describe(source))
  end
  local is_text = source:find "^%s*{" ~= nil
  local name = not is_text and source or "project"
  local reading = files.reading(name, options, PROJECT)
  local text = is_text and source or files.text(reading, name)
  if not text:find "^%s*{" then fail("%s: expected %s, got text that is not JSON", name, PROJECT) end
  local project = check_project(json.parse(text, name, EXPORT), name)
  read_levels(project, reading, not is_text and name or nil)
  return project, name
end

-- Finding levels and layers.

-- Returns the level that the option `level` names by its name or iid. Without the option, returns the only level of the
-- project, and raises an error if there are several.
local function find_level(project, name, wanted)
  local levels, names = levels_of(project), {}
  for i, level in ipairs(levels) do
    if wanted ~= nil and (level.identifier == wanted or level.iid == wanted) then return level end
    names[i] = level.identifier or i
  end
  if wanted == nil and #levels == 1 then return levels[1] end
  if #levels == 0 then fail("%s: expected a project with levels, got one without", name) end
  fail("%s: the option level must be the name of a level, %s, got %s", name, list_names(names), describe(wanted))
end

local function layers_of(level, where)
  if type(level.layerInstances) ~= "table" then
    fail("%s: expected layerInstances, got %s: the level may be in a file of its own; give the name of the project's "
      .. "file, or call astar.ldtk.load", where, describe(level.layerInstances))
  end
  return level.layerInstances
end

-- Returns the definition with the number `uid` in a list of the project's definitions, such as "tilesets".
local function find_definition(project, list, uid)
  for _, definition in ipairs(list_or_empty(project.defs[list])) do
    if type(definition) == "table" and definition.uid == uid then return definition end
  end
end

-- Returns the tileset whose tiles a layer shows, or nil.
local function tileset_of(project, layer)
  return find_definition(project, "tilesets", layer.overrideTilesetUid) or
    find_definition(project, "tilesets", layer.__tilesetDefUid)
end

local function has_tags(project, layer)
  local tileset = tileset_of(project, layer)
  return tileset ~= nil and list_or_empty(tileset.enumTags)[1] ~= nil
end

local IS_OF_TILES = { Tiles = true, AutoLayer = true }

-- Returns the option `layer` as a list of names, or nil if it was not given.
local function wanted_names(wanted)
  if wanted == nil or type(wanted) == "string" then return wanted and { wanted } end
  local stray = type(wanted) == "table" and stray_entry(wanted)
  if type(wanted) ~= "table" or stray or #wanted == 0 then
    fail("layer must be the name of a layer or a list of names, got %s",
      stray and "an entry " .. stray or type(wanted) == "table" and "an empty table" or describe(wanted))
  end
  return wanted
end

-- Returns a list of the layers that make the terrain, the lowest first: the layers of the option `layer`, else the only
-- IntGrid layer, else the only layer of tiles with enum tags.
local function find_ground(project, level, where, wanted)
  wanted = wanted_names(wanted)
  local names, by_name, int_grids, tagged = {}, {}, {}, {}
  for _, layer in ipairs(layers_of(level, where)) do
    local name, kind = layer.__identifier, layer.__type
    if name ~= nil then by_name[name] = by_name[name] or layer end
    if kind == "IntGrid" or IS_OF_TILES[kind] then names[#names + 1] = name end
    if kind == "IntGrid" then int_grids[#int_grids + 1] = layer end
    if IS_OF_TILES[kind] and has_tags(project, layer) then tagged[#tagged + 1] = layer end
  end
  local list = #int_grids > 0 and int_grids or tagged
  if wanted == nil and #list == 1 then return list end
  if wanted == nil and #list == 0 then
    fail("%s: expected an IntGrid layer, or a layer of tiles whose tileset has enum tags, got neither: draw one in "
      .. "LDtk", where)
  end
  local found = {}
  for i, name in ipairs(wanted or { false }) do
    local layer = by_name[name]
    local kind = layer and layer.__type
    if not layer then
      fail("%s: the option layer must be the name of a layer or a list of names, %s, got %s", where, list_names(names),
        describe(name or nil))
    elseif kind ~= "IntGrid" and not IS_OF_TILES[kind] then
      fail("%s: layer %s: expected an IntGrid layer or a layer of tiles, got one of type %s", where, describe(name),
        describe(kind))
    end
    found[i] = layer
  end
  return found
end

-- Returns the width and height of a layer in cells, after a check that it has at most `max_cells` cells.
local function size_of(layer, where, max_cells)
  local width, height = layer.__cWid, layer.__cHei
  for name, side in entries, { __cWid = width or false, __cHei = height or false } do
    if not is_integer(side) or side < 1 then
      fail("%s: expected an integer from 1 for %s, got %s", where, name, describe(layer[name]))
    end
  end
  if width * height > max_cells then
    fail("%s: %.0f x %.0f cells are more than the option max_cells, %.0f", where, width, height, max_cells)
  end
  return width, height
end

-- The terrain of a level is collected in a table called ground, with these fields. keys: the key of each cell, row by
-- row. free: the default cost of empty cells. known: the key of each name that the option `costs` may have. A name is
-- usually its own key, but an IntGrid value with a name can also be given by its number.

-- Returns the ground of an IntGrid layer with `count` cells.
local function read_values(project, layer, where, count)
  local csv = layer.intGridCsv
  if type(csv) ~= "table" or #csv ~= count then
    local got = type(csv) == "table" and ("a list of %d"):format(#csv) or describe(csv)
    fail("%s: expected an intGridCsv of %d values, got %s: save the project with LDtk 0.8 or later", where, count, got)
  end
  local names, known, keys = { [0] = "empty" }, { empty = "empty" }, {}
  local definition = find_definition(project, "layers", layer.layerDefUid) or {}
  for _, value in ipairs(list_or_empty(definition.intGridValues)) do
    if type(value) == "table" and is_integer(value.value) then
      local name = type(value.identifier) == "string" and value.identifier ~= "" and value.identifier or value.value
      names[value.value], known[name], known[value.value] = name, name, name
    end
  end
  for i = 1, count do
    local value = csv[i]
    if not is_integer(value) then
      fail("%s: expected an integer for value %d of intGridCsv, got %s", where, i, describe(value))
    end
    keys[i] = names[value] or value
    known[keys[i]] = keys[i]
  end
  return { keys = keys, known = known, free = 1 }
end

-- Returns a table with the list of tags of each tile by the tile's number, a table of all tags (each tag is its own
-- value), and the tileset of the layer.
local function tags_of(project, layer)
  local tags, known = {}, {}
  local tileset = tileset_of(project, layer) or {}
  for _, tag in ipairs(list_or_empty(tileset.enumTags)) do
    for _, id in ipairs(list_or_empty(tag.tileIds)) do
      tags[id] = tags[id] or {}
      table.insert(tags[id], tag.enumValueId)
    end
    if tag.enumValueId then known[tag.enumValueId] = tag.enumValueId end
  end
  return tags, known, tileset
end

-- Returns the tag that becomes the key of a cell with this tile: the tag of the tile that is in `costs`, else its first
-- tag. Two tags of one tile in `costs` are an error.
local function tag_of(list, costs, where, tile, tileset)
  local found
  for _, tag in ipairs(list) do
    if costs[tag] ~= nil then
      if found then
        fail("%s: tile %s of tileset %s has the tags %s and %s: remove one of them from costs", where, describe(tile.t),
          describe(tileset.identifier), describe(found), describe(tag))
      end
      found = tag
    end
  end
  return found or list[1]
end

-- Returns the ground of a layer of tiles. The key of a cell is a tag of its tile, "ground" if its tile has no tag, and
-- "empty" if it has no tile. If tiles are stacked, the last tile with a tag counts.
local function read_tiles(project, layer, where, width, height, costs)
  local tags, known, tileset = tags_of(project, layer)
  known.empty, known.ground = "empty", "ground"
  local cell, keys = layer.__gridSize, {}
  if type(cell) ~= "number" or cell <= 0 then
    fail("%s: expected a number above 0 for __gridSize, got %s", where, describe(cell))
  end
  for i = 1, width * height do keys[i] = "empty" end
  local list = layer.__type == "AutoLayer" and layer.autoLayerTiles or layer.gridTiles
  for i, tile in ipairs(list_or_empty(list)) do
    local x, y = list_or_empty(tile.px)[1], list_or_empty(tile.px)[2]
    if type(x) ~= "number" or type(y) ~= "number" then
      fail("%s: tile %d: expected px, a list of two numbers, got %s", where, i, describe(tile.px))
    end
    x, y = floor(x / cell), floor(y / cell)
    if x >= 0 and x < width and y >= 0 and y < height then
      local place = y * width + x + 1
      if tags[tile.t] then
        keys[place] = tag_of(tags[tile.t], costs, where, tile, tileset)
      elseif keys[place] == "empty" then
        keys[place] = "ground"
      end
    end
  end
  return { keys = keys, known = known, free = false }
end

-- Merges two grounds into the lower one and returns it. The key of the upper layer replaces that of the lower layer,
-- unless the upper key is "empty", or is "ground" (a tile without tags) and the lower key is not "empty". The option
-- `costs` may have names of both layers. If a number is a value in both layers, it means the value of the lower one.
local function lay_over(below, above)
  for i, key in ipairs(above.keys) do
    local decides = key ~= "empty" and (key ~= "ground" or below.keys[i] == "empty")
    if decides then below.keys[i] = key end
  end
  for name, key in entries, above.known do
    if type(name) == "string" or below.known[name] == nil then below.known[name] = key end
  end
  return below
end

-- Returns the option `costs` as a table of costs by key. A key of the option may be the number of a value that has a
-- name.
local function read_costs(ground, given, where)
  local costs = {}
  for name, cost in entries, given do
    local key = ground.known[name]
    if key == nil then
      local names = {}
      for each, own in entries, ground.known do
        if each == own then names[#names + 1] = each end
      end
      table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
      fail("%s: costs has %s, which is not a value of the layer, expected %s", where, describe(name), list_names(names))
    elseif not is_cost(cost) then
      fail("costs[%s] must be a number > 0 or false, got %s", describe(name), describe(cost))
    end
    costs[key] = cost
  end
  return costs
end

-- Returns the cost of each key that occurs in the ground, from `costs` or else from `default`. A key without a cost is
-- an error.
local function terrain_of(ground, costs, default, where)
  local terrain, missing = { empty = ground.free }, {}
  if costs.empty ~= nil then terrain.empty = costs.empty end
  for _, key in ipairs(ground.keys) do
    local cost = costs[key]
    if cost == nil then cost = default end
    if cost == nil and key == "ground" then cost = 1 end
    if cost == nil and terrain[key] == nil then
      terrain[key] = false
      missing[#missing + 1] = key
    elseif terrain[key] == nil then
      terrain[key] = cost
    end
  end
  if #missing > 0 then
    local example = type(missing[1]) == "string" and missing[1] or ("[%s]"):format(missing[1])
    fail("%s: the option costs must say what %s costs: costs = { %s = false } if no unit can enter it, or the option "
      .. "default for all others", where, list_names(missing), example)
  end
  return terrain
end

local GRID_OPTIONS = {
  level = "string", layer = "any", costs = "table", default = "cost", origin = "table", max_cells = "number",
  max_bytes = "number", read = "function",
}

local function make_grid(source, given)
  local options = check_options(given, GRID_OPTIONS)
  check_count("max_cells", options.max_cells, MOST_CELLS)
  check_count("max_bytes", options.max_bytes, MAX_BYTES)
  local origin = check.origin(options.origin)
  local project, name = open(source, options)
  local level = find_level(project, name, options.level)
  local where = ("%s: level %s"):format(name, describe(level.identifier))
  local layers, ground, width, height = find_ground(project, level, where, options.layer), nil, nil, nil
  local costs = options.costs or {}
  for _, layer in ipairs(layers) do
    local here = ("%s: layer %s"):format(where, describe(layer.__identifier))
    local w, h = size_of(layer, here, options.max_cells or MAX_CELLS)
    if ground and (w ~= width or h ~= height) then
      fail("%s: expected %d x %d cells as layer %s has, got %d x %d", here, width, height,
        describe(layers[1].__identifier), w, h)
    end
    width, height = w, h
    local above = layer.__type == "IntGrid" and read_values(project, layer, here, w * h)
      or read_tiles(project, layer, here, w, h, costs)
    ground = ground and lay_over(ground, above) or above
  end
  if #layers == 1 then where = ("%s: layer %s"):format(where, describe(layers[1].__identifier)) end
  local terrain = terrain_of(ground, read_costs(ground, costs, where), options.default, where)
  local rows = {}
  for y = 1, height do
    local row = {}
    for x = 1, width do row[x] = ground.keys[(y - 1) * width + x] end
    rows[y] = row
  end
  local ok, grid = pcall(core.grid, rows, { terrain = terrain, origin = origin })
  if not ok then fail("%s: %s", where, grid) end
  return grid
end

-- Reading objects, which LDtk calls entities.

-- Returns the value of a field of an entity. Points are converted to coordinates of the grid.
local function value_of(field, value, origin)
  local is_points = type(field.__type) == "string" and field.__type:find("Point", 1, true)
  if type(value) ~= "table" or not is_points then return value end
  if value.cx then return { x = value.cx + origin[1], y = value.cy + origin[2] } end
  local points = {}
  for i, point in ipairs(value) do points[i] = value_of(field, point, origin) end
  return points
end

-- Returns a table for an entity: its name, the rectangle of cells that it covers, and its fields by name.
local function object_of(entity, layer, where, origin)
  local cell = layer.__gridSize
  local px, pivot = list_or_empty(entity.px), list_or_empty(entity.__pivot)
  local left, top = px[1], px[2]
  if type(left) ~= "number" or type(top) ~= "number" or type(cell) ~= "number" or cell <= 0 then
    fail("%s: entity %s: expected px, a list of two numbers, and __gridSize of the layer, a number above 0", where,
      describe(entity.__identifier))
  end
  local width = type(entity.width) == "number" and entity.width or cell
  local height = type(entity.height) == "number" and entity.height or cell
  left, top = left - (pivot[1] or 0) * width, top - (pivot[2] or 0) * height
  -- An entity that ends on the border between two cells does not cover the second cell. The tolerance of 1e-6 cells
  -- allows for rounding.
  local x0, y0 = floor(left / cell + 1e-6), floor(top / cell + 1e-6)
  local x1 = math.max(x0, math.ceil((left + width) / cell - 1e-6) - 1)
  local y1 = math.max(y0, math.ceil((top + height) / cell - 1e-6) - 1)
  local fields = {}
  for _, field in ipairs(list_or_empty(entity.fieldInstances)) do
    if field.__identifier then fields[field.__identifier] = value_of(field, field.__value, origin) end
  end
  return {
    object = entity, name = entity.__identifier, fields = fields, x = x0 + origin[1], y = y0 + origin[2],
    width = x1 - x0 + 1, height = y1 - y0 + 1,
  }
end

local OBJECT_OPTIONS = { level = "string", layer = "string", origin = "table", max_bytes = "number", read = "function" }

local function list_objects(source, given)
  local options = check_options(given, OBJECT_OPTIONS)
  check_count("max_bytes", options.max_bytes, MAX_BYTES)
  local origin = check.origin(options.origin)
  local project, name = open(source, options)
  local level = find_level(project, name, options.level)
  local where = ("%s: level %s"):format(name, describe(level.identifier))
  local objects, names, is_found = {}, {}, options.layer == nil
  for _, layer in ipairs(layers_of(level, where)) do
    if layer.__type == "Entities" then
      names[#names + 1] = layer.__identifier
      if options.layer == nil or options.layer == layer.__identifier then
        is_found = true
        for _, entity in ipairs(list_or_empty(layer.entityInstances)) do
          objects[#objects + 1] = object_of(entity, layer, where, origin)
        end
      end
    end
  end
  if not is_found then
    fail("%s: the option layer must be the name of a layer of entities, %s, got %s", where,
      #names > 0 and list_names(names) or "of which there is none", describe(options.layer))
  end
  return objects
end

-- Public functions.

--- Returns the decoded project of a file or of a text in JSON, including the levels in separate files. To read several
-- levels of one project, pass the result to the other functions in place of the file. `options`: read(name) and
-- max_bytes, as for astar.tiled.load.
function ldtk.load(source, options, ...)
  no_more("load", 2, ...)
  local project = at_caller(function()
    local checked = check_options(options, { max_bytes = "number", read = "function" })
    check_count("max_bytes", checked.max_bytes, MAX_BYTES)
    return (open(source, checked))
  end)
  return project
end

--- Returns the grid of a level. `source`: the name of a file, a text in JSON, or a project from ldtk.load. Options:
-- level, the name or iid of the level, needed if the project has several;
-- layer, the name of the layer of terrain, or a list of names, the lowest first (default: the only IntGrid layer, else
-- the only layer of tiles with enum tags);
-- costs, a table of costs by the names of IntGrid values or of enum tags; default, the cost of values that are not in
-- `costs`;
-- origin, the coordinates that LDtk's cell (0, 0) has in the grid, {1, 1} by default;
-- max_cells, the greatest number of cells; max_bytes and read, as for ldtk.load.
function ldtk.grid(source, options, ...)
  no_more("grid", 2, ...)
  local grid = at_caller(make_grid, source, options)
  return grid
end

--- Returns a list of the entities of a level: { object =, name =, fields =, x =, y =, width =, height = }. `object` is
-- LDtk's own table; the rectangle is in cells. Options: level, origin, max_bytes and read, as for ldtk.grid, and layer,
-- the name of one layer of entities (default: all of them).
function ldtk.objects(source, options, ...)
  no_more("objects", 2, ...)
  local list = at_caller(list_objects, source, options)
  return list
end

return no_field.of_module(ldtk, "astar.ldtk")
