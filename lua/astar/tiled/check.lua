-- check.lua -- Checks that a table is a map as Tiled exports it, before a grid or graph is made from it.
--
-- A map may come from a file that another program wrote or a person edited. This file checks sizes, layers, tilesets
-- and objects once, so the code that uses them need not. Errors name the file, the layer or tileset, and what was
-- expected.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local describe = require(ABOVE .. ".describe")
local fail = require(ABOVE .. ".errors").raise
local stray_entry = require(ABOVE .. ".stray_entry")

local check = {}

local FARTHEST = 1e9 -- maximum distance from the origin, in pixels or cells
local LAST_TILE = 2 ^ 32 - 1 -- greatest number of a tile, including its flip bits
local DEEPEST = 100 -- maximum nesting of groups

local function check_number(where, what, value, least)
  if type(value) ~= "number" or not (value >= least and value <= FARTHEST) then
    fail("%s: expected a number from %d to %d for %s, got %s", where, least, FARTHEST, what, describe(value))
  end
end

local function check_integer(where, what, value, least, most)
  most = most or FARTHEST
  if type(value) ~= "number" or value % 1 ~= 0 or value < least or value > most then
    fail("%s: expected an integer from %d to %d for %s, got %s", where, least, most, what, describe(value))
  end
end

local function check_table(where, what, value)
  if type(value) ~= "table" then
    fail("%s: expected a table for %s, got %s", where, what, describe(value))
  end
end

local function check_properties(where, owner, what)
  if owner.properties ~= nil then
    check_table(where, what or "properties", owner.properties)
  end
end

-- Checks that a list contains tables only. Errors call it `what`.
local function check_list(where, what, list)
  check_table(where, what, list)
  for i = 1, #list do
    check_table(where, ("%s[%d]"):format(what, i), list[i])
  end
end

local function check_points(where, what, points)
  check_list(where, what, points)
  if #points == 0 then
    fail("%s: expected points for %s, got none", where, what)
  end
  for i, point in ipairs(points) do
    check_number(where, ("%s[%d].x"):format(what, i), point.x, -FARTHEST)
    check_number(where, ("%s[%d].y"):format(what, i), point.y, -FARTHEST)
  end
end

local function check_object(where, object)
  check_number(where, "x", object.x, -FARTHEST)
  check_number(where, "y", object.y, -FARTHEST)
  check_number(where, "width", object.width or 0, 0)
  check_number(where, "height", object.height or 0, 0)
  check_number(where, "rotation", object.rotation or 0, -FARTHEST)
  check_integer(where, "gid", object.gid or 0, 0, LAST_TILE) -- 0 for a tile of a tileset that the map does not have
  check_properties(where, object)
  if object.polygon ~= nil then
    check_points(where, "polygon", object.polygon)
  elseif object.polyline ~= nil then
    check_points(where, "polyline", object.polyline)
  end
end

local check_layers

-- Checks a layer. `seen` is the set of layers checked so far, `depth` the number of groups around this one. A layer
-- that occurs twice is an error: it could contain itself, or occur more often than can be handled.
local function check_layer(name, layer, what, seen, depth)
  if type(layer.name) ~= "string" then
    fail("%s: expected a string for the name of %s, got %s", name, what, describe(layer.name))
  end
  local where = ("%s: layer %s"):format(name, describe(layer.name))
  if seen[layer] then
    fail("%s: expected each layer once in the map, got the same table again", where)
  elseif depth > DEEPEST then
    fail("%s: expected at most %d groups within groups, got more", where, DEEPEST)
  end
  seen[layer] = true
  check_properties(where, layer)
  if layer.type == "group" then
    check_layers(name, layer.layers, where, seen, depth + 1)
  elseif layer.objects ~= nil then
    check_list(where, "objects", layer.objects)
    for i, object in ipairs(layer.objects) do
      check_object(("%s: object %s"):format(where, describe(object.id or i)), object)
    end
  elseif layer.chunks ~= nil then
    check_list(where, "chunks", layer.chunks)
    for i, chunk in ipairs(layer.chunks) do
      local which = ("%s: chunk %d"):format(where, i)
      check_integer(which, "x", chunk.x, -FARTHEST)
      check_integer(which, "y", chunk.y, -FARTHEST)
      check_integer(which, "width", chunk.width, 1)
      check_integer(which, "height", chunk.height, 1)
    end
  elseif layer.data ~= nil then
    check_integer(where, "width", layer.width, 1)
    check_integer(where, "height", layer.height, 1)
  end
end

function check_layers(name, layers, where, seen, depth)
  check_list(where, "layers", layers)
  for i, layer in ipairs(layers) do
    check_layer(name, layer, "layer " .. i, seen, depth)
  end
end

-- Checks a tile, including the shapes that Tiled's collision editor has added.
local function check_tile(where, tile, called)
  check_properties(where, tile, "the properties of " .. called)
  for _, side in ipairs { "width", "height", "imagewidth", "imageheight" } do
    check_number(where, ("the %s of %s"):format(side, called), tile[side] or 0, 0)
  end
  local shapes = tile.objectGroup
  if shapes == nil then return end
  check_table(where, "the objectGroup of " .. called, shapes)
  check_list(where, "the shapes of " .. called, shapes.objects)
  for i, shape in ipairs(shapes.objects) do
    check_properties(where, shape, ("the properties of shape %d of %s"):format(i, called))
  end
end

-- Checks a tileset. `seen` is the set of lists of tiles checked so far, because a map can name the same file very
-- often.
local function check_tileset(name, tileset, i, seen)
  local where = ("%s: tileset %s"):format(name, describe(tileset.name or i))
  check_integer(where, "firstgid", tileset.firstgid, 1)
  for _, what in ipairs { "tilecount", "columns", "imageheight" } do
    check_integer(where, what, tileset[what] or 0, 0)
  end
  check_integer(where, "tilewidth", tileset.tilewidth or 0, 0) -- 0 if Tiled did not find the picture
  check_integer(where, "tileheight", tileset.tileheight or 0, 0)
  if tileset.tiles == nil or seen[tileset.tiles] then
    return -- without `tiles`, the map contains only the name of the tileset's file
  end
  check_list(where, "tiles", tileset.tiles)
  seen[tileset.tiles] = true
  for j, tile in ipairs(tileset.tiles) do
    check_integer(where, ("the id of tile %d"):format(j), tile.id, 0)
    check_tile(where, tile, "tile " .. describe(tile.id))
  end
end

local function check_either(name, what, value, one, other)
  if value ~= one and value ~= other then
    fail('%s: expected "%s" or "%s" for %s, got %s', name, one, other, what, describe(value))
  end
end

local function check_staggered(name, map)
  check_either(name, "staggeraxis", map.staggeraxis, "x", "y")
  check_either(name, "staggerindex", map.staggerindex, "odd", "even")
end

local function check_hexagons(name, map)
  check_staggered(name, map)
  check_integer(name, "hexsidelength", map.hexsidelength, 0,
    (map.staggeraxis == "x" and map.tilewidth or map.tileheight) - 1)
end

-- Returns the grid's coordinates of Tiled's cell (0, 0), read from the option `origin`.
function check.origin(origin)
  if origin == nil then
    return { 1, 1 }
  elseif type(origin) ~= "table" then
    fail("origin must be a table, got %s", describe(origin))
  end
  local checked, stray = {}, stray_entry(origin, 2)
  if stray then
    fail("origin must be two integers, got an entry %s", stray)
  end
  for i = 1, 2 do
    local value = rawget(origin, i)
    if type(value) ~= "number" or value % 1 ~= 0 then
      fail("origin must be two integers, got %s", describe(value))
    end
    checked[i] = value
  end
  return checked
end

-- Raises an error unless `map`, from a file called `name`, is a map that grids can be made of.
function check.map(map, name)
  if type(map) ~= "table" or type(map.layers) ~= "table" or type(map.tilesets) ~= "table" then
    local is_table = type(map) == "table"
    local header = is_table and type(map.__header__) == "table" and map.__header__ or {}
    fail("%s: expected a map made with Tiled, got %s", name,
      (is_table and (map.jsonVersion or map.defs) or header.app == "LDtk" or header.fileType == "LDtk Project JSON")
        and "a project of LDtk: call astar.ldtk.grid"
        or is_table and "a table without layers and tilesets" or describe(map))
  end
  for _, side in ipairs { "width", "height", "tilewidth", "tileheight" } do
    check_integer(name, side, map[side], 1)
  end
  if map.orientation == "hexagonal" then
    check_hexagons(name, map)
  elseif map.orientation == "staggered" then
    check_staggered(name, map)
  elseif map.orientation ~= "orthogonal" and map.orientation ~= "isometric" then
    fail('%s: expected the orientation "orthogonal", "isometric", "staggered" or "hexagonal", got %s: choose one in ' ..
      "Tiled, by Map, Map Properties", name, describe(map.orientation))
  end
  check_layers(name, map.layers, name, {}, 0)
  check_list(name, "tilesets", map.tilesets)
  local seen = {}
  for i, tileset in ipairs(map.tilesets) do
    check_tileset(name, tileset, i, seen)
  end
end

return check
