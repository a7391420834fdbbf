-- json.lua -- Converts Tiled's own JSON files (.tmj, .tsj, .tj) to tables in the form of its export to Lua.
--
-- JSON is parsed by lua-cjson or dkjson, whichever is installed. The two forms differ little. In JSON, properties are
-- a list, or two tables in files before version 1.2; this also applies to the tiles of a tileset. Objects give their
-- shape by flags. Wrong values are left unchanged, and check.lua reports them.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local fail = require(ABOVE .. ".errors").raise
local numbers = require(ABOVE .. ".numbers")

local require = require -- kept, because a host may remove the global later

local M = {}

local DEEPEST = 250 -- maximum nesting of tables

local function by_cjson()
  local ok, cjson = pcall(require, "cjson")
  if not ok or type(cjson) ~= "table" or not cjson.decode then
    return nil
  end
  return function(text)
    local decoded, value = pcall(cjson.decode, text)
    if not decoded then
      return nil, value
    end
    return value, nil, cjson.null
  end
end

local function by_dkjson()
  local ok, dkjson = pcall(require, "dkjson")
  if not ok or type(dkjson) ~= "table" or not dkjson.decode then
    return nil
  end
  return function(text)
    local decoded, value, _, problem = pcall(dkjson.decode, text, 1, nil, nil, nil)
    if not decoded then
      return nil, "nested too deep"
    end
    return value, problem
  end
end

-- Returns a value without nulls, and with whole numbers converted to integers if Lua has them.
local function tidy(value, null, depth, where)
  if depth > DEEPEST then
    fail("%s: expected at most %d tables within tables, got more", where, DEEPEST)
  end
  for key, inner in entries, value do
    if inner == null then
      value[key] = nil
    elseif type(inner) == "table" then
      tidy(inner, null, depth + 1, where)
    elseif math.tointeger and type(inner) == "number" then
      value[key] = math.tointeger(inner) or inner
    end
  end
  return value
end

--- Returns the table for a JSON text, without nulls. Errors call the text `where`. If no library is installed, the
-- error suggests `otherwise`.
function M.parse(text, where, otherwise)
  local decode = by_cjson() or by_dkjson()
  if not decode then
    fail("%s: JSON is read by dkjson or lua-cjson, neither of which is here: install one (Debian: lua-dkjson; "
      .. "luarocks install dkjson; a game may carry dkjson.lua along), or %s", where, otherwise)
  end
  local value, problem, null = decode(text)
  if type(value) ~= "table" then
    fail("%s: expected JSON, got other text (%s)", where, tostring(problem or type(value)))
  end
  return tidy(value, null, 1, where)
end

local function is_table(value)
  return type(value) == "table"
end

local function each(list, f, ...)
  if is_table(list) then
    for _, item in ipairs(list) do
      if is_table(item) then
        f(item, ...)
      end
    end
  end
end

local properties_of

local function value_of(value, kind)
  if kind == "object" then
    return { id = value }
  elseif is_table(value) then
    return value
  elseif type(value) == "string" then -- old versions of Tiled wrote all values as strings
    if kind == "bool" then
      return value == "true"
    end
    return (kind == "int" or kind == "float") and numbers.read(value) or value
  end
  return value
end

-- Converts properties. `types` are their types, if they were written before version 1.2 as a table of values.
function properties_of(given, types)
  if not is_table(given) then
    return given
  end
  local properties = {}
  for key, item in entries, given do
    if type(key) ~= "number" then
      properties[key] = value_of(item, is_table(types) and types[key] or nil)
    elseif is_table(item) and item.name ~= nil then
      properties[item.name] = value_of(item.value, item.type)
    end
  end
  return properties
end

local function tell_properties(owner)
  owner.properties = properties_of(owner.properties, owner.propertytypes)
  owner.propertytypes = nil
end

local FLAGS = { "ellipse", "point", "capsule", "text", "polygon", "polyline" }

local function tell_object(object)
  tell_properties(object)
  if object.gid == 0 then object.gid = nil end -- as Tiled reads it
  object.type = object.type or object.class
  for _, flag in ipairs(FLAGS) do
    local value = object[flag]
    if value then
      object.shape = flag
      if value == true then
        object[flag] = nil
      end
    end
  end
  if is_table(object.text) then
    object.text = object.text.text
  end
end

local function tell_tiles(layer)
  local is_text = type(layer.data) == "string"
  each(layer.chunks, function(chunk)
    is_text = is_text or type(chunk.data) == "string"
  end)
  layer.encoding = is_text and (layer.encoding or "base64") or "lua"
end

local function tell_layer(layer, map)
  tell_properties(layer)
  layer.properties = layer.properties or {}
  if layer.name == nil then
    layer.name = ""
  end
  if layer.type == "tilelayer" then
    tell_tiles(layer)
    if map.infinite == true and layer.data == nil then
      layer.chunks = layer.chunks or {}
    end
  end
  each(layer.objects, tell_object)
  each(layer.layers, tell_layer, map)
end

-- Converts the tiles of a tileset written before version 1.2: tables by id, which is a string, with separate
-- properties.
local function tell_tiles_by_id(tileset)
  local tiles, by_id = {}, {}
  local function tile_of(key)
    local id = type(key) == "string" and numbers.read(key) or key
    if id and not by_id[id] then
      by_id[id] = { id = id }
      tiles[#tiles + 1] = by_id[id]
    end
    return by_id[id]
  end
  for key, given in entries, tileset.tiles or {} do
    local tile = tile_of(key)
    for name, value in entries, tile and is_table(given) and given or {} do
      tile[name] = value
    end
  end
  local types = tileset.tilepropertytypes
  for key, given in entries, is_table(tileset.tileproperties) and tileset.tileproperties or {} do
    local tile = tile_of(key)
    if tile then
      tile.properties, tile.propertytypes = given, is_table(types) and types[key] or nil
    end
  end
  table.sort(tiles, function(a, b) return a.id < b.id end)
  tileset.tiles = tiles
end

local function tell_tile(tile)
  tell_properties(tile)
  tile.type = tile.type or tile.class
  tile.objectGroup, tile.objectgroup = tile.objectgroup, nil
  if is_table(tile.objectGroup) then each(tile.objectGroup.objects, tell_object) end
end

local function tell_tileset(tileset)
  if type(tileset.source) == "string" then
    tileset.filename, tileset.source = tileset.source, nil
    return
  end
  tell_properties(tileset)
  if tileset.tiles == nil or is_table(tileset.tiles) and tileset.tiles[1] == nil then
    tell_tiles_by_id(tileset)
  end
  each(tileset.tiles, tell_tile)
end

local READERS = {
  map = function(map)
    tell_properties(map)
    each(map.layers, tell_layer, map)
    each(map.tilesets, tell_tileset)
  end,
  tileset = tell_tileset,
  template = function(template)
    each({ template.object }, tell_object)
    each({ template.tileset }, tell_tileset)
  end,
}

--- Returns the table for a text that contains a map, tileset or template; `kind` is "map", "tileset" or "template".
-- Errors call the text `where`.
function M.read(text, where, kind)
  local value = M.parse(text, where, "export the map with tiled --embed-tilesets --export-map lua")
  if value.type ~= nil and value.type ~= kind then
    fail("%s: expected a %s made with Tiled, got JSON of type %s", where, kind, tostring(value.type):sub(1, 40))
  end
  READERS[kind](value)
  return value
end

return M
