-- xml.lua -- Converts Tiled's own XML files (.tmx, .tsx, .tx) to tables in the form of its export to Lua.
--
-- XML is parsed by lua-expat if it is installed. A document that defines entities is refused before they are read,
-- because a few lines of entities can expand to gigabytes. Attributes that an element lacks are not added to its
-- table, so that the fields of an object can be laid over those of its template.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local fail = require(ABOVE .. ".errors").raise
local numbers = require(ABOVE .. ".numbers")

local require = require -- kept, because a host may remove the global later

local M = {}

local DEEPEST = 250 -- maximum nesting of elements
local WITH_TEXT = { data = true, chunk = true, property = true, text = true }
local BOOLEANS = { visible = true, infinite = true, locked = true }
-- Attributes that remain strings even if they look like numbers.
local TEXTS = {
  name = true, type = true, class = true, version = true, tiledversion = true, orientation = true, renderorder = true,
  staggeraxis = true, staggerindex = true, source = true, encoding = true, compression = true, draworder = true,
  color = true, trans = true, backgroundcolor = true, tintcolor = true, objectalignment = true, template = true,
}

-- Returns the callbacks for lua-expat. They convert elements to { name =, attributes =, [1], [2], ... }, with the text
-- of elements in which it matters.
local function callbacks(where, root)
  local open = { root }
  return {
    StartDoctypeDecl = function(_, _, _, _, has_subset)
      if has_subset and has_subset ~= 0 then
        fail("%s: expected XML without entity definitions, got a DOCTYPE with definitions", where)
      end
    end,
    StartElement = function(_, name, attributes)
      if #open > DEEPEST then
        fail("%s: expected at most %d elements within elements, got more", where, DEEPEST)
      end
      local parent, element = open[#open], { name = name, attributes = attributes, text = WITH_TEXT[name] and {} }
      parent[#parent + 1], open[#open + 1] = element, element
    end,
    EndElement = function()
      open[#open] = nil
    end,
    CharacterData = function(_, text)
      local parts = open[#open].text
      if parts then
        parts[#parts + 1] = text
      end
    end,
  }
end

local function parse(text, where)
  local ok, lxp = pcall(require, "lxp")
  if not ok or type(lxp) ~= "table" or not lxp.new then
    fail("%s: XML is read by lua-expat, which is not here: install it (Debian: lua-expat; luarocks install luaexpat), "
      .. "or export the map with tiled --embed-tilesets --export-map lua", where)
  end
  local root = {}
  local parser = lxp.new(callbacks(where, root))
  local done, problem, line = parser:parse(text)
  if done then
    done, problem, line = parser:parse()
  end
  if not done then
    fail("%s:%d: expected XML, got other text (%s)", where, line or 0, tostring(problem))
  end
  parser:close()
  return root[1]
end

local function child(element, name)
  for _, inner in ipairs(element) do
    if inner.name == name then
      return inner
    end
  end
  return nil
end

local function text_of(element)
  return table.concat(element.text or {})
end

local function attributes_of(element)
  local found = {}
  for name, value in entries, element.attributes do
    if type(name) == "string" then
      if BOOLEANS[name] then
        value = value == "1" or value == "true"
      elseif not TEXTS[name] then
        value = numbers.read(value) or value
      end
      found[name] = value
    end
  end
  return found
end

local properties_of

local function value_of(property)
  local kind = property.attributes.type
  if kind == "class" then
    return properties_of(property) or {}
  end
  local value = property.attributes.value or text_of(property)
  if kind == "bool" then
    return value == "true"
  elseif kind == "object" then
    return { id = numbers.read(value) or 0 }
  end
  return (kind == "int" or kind == "float") and numbers.read(value) or value
end

function properties_of(element)
  local list = child(element, "properties")
  if not list then
    return nil
  end
  local properties = {}
  for _, property in ipairs(list) do
    properties[property.attributes.name or ""] = value_of(property)
  end
  return properties
end

local function numbers_of_csv(text, where)
  local other = text:match "[^%d%s,]+"
  if other then
    fail('%s: expected numbers and commas in its data, CSV, got "%s"', where, other:sub(1, 20))
  end
  local list = {}
  for number in text:gmatch "%d+" do
    list[#list + 1] = numbers.whole(number)
  end
  return list
end

-- Returns the tiles of a layer's data or of a chunk: a list of numbers, or text in base64.
local function tiles_of(element, encoding, where)
  if encoding == "csv" then
    return numbers_of_csv(text_of(element), where)
  elseif encoding then
    return (text_of(element):gsub("%s+", ""))
  end
  local list = {}
  for _, tile in ipairs(element) do
    if tile.name == "tile" then
      list[#list + 1] = numbers.read(tile.attributes.gid or "0") or 0
    end
  end
  return list
end

local function chunks_of(data, encoding, where)
  local chunks
  for _, element in ipairs(data) do
    if element.name == "chunk" then
      local chunk = attributes_of(element)
      chunk.data = tiles_of(element, encoding, where)
      chunks = chunks or {}
      chunks[#chunks + 1] = chunk
    end
  end
  return chunks
end

local function read_tiles(layer, element, map, where)
  local data = child(element, "data")
  if not data then
    return
  end
  local encoding = data.attributes.encoding
  layer.encoding, layer.compression = encoding == "csv" and "lua" or encoding or "lua", data.attributes.compression
  layer.chunks = chunks_of(data, encoding, where)
  if not layer.chunks then
    if map.infinite then
      layer.chunks = {}
    else
      layer.data = tiles_of(data, encoding, where)
    end
  end
end

-- Converts a text such as "0,0 16,0 16,8" to a list of points.
local function points_of(text)
  local points = {}
  for x, y in (text or ""):gmatch "([^,%s]+),([^,%s]+)" do
    points[#points + 1] = { x = numbers.read(x), y = numbers.read(y) }
  end
  return points
end

local SHAPES = { ellipse = true, point = true, polygon = true, polyline = true, text = true, capsule = true }

local function read_object(element)
  local object = attributes_of(element)
  if object.gid == 0 then object.gid = nil end -- as Tiled reads it
  object.type = object.type or object.class
  object.properties = properties_of(element)
  for _, inner in ipairs(element) do
    if SHAPES[inner.name] then
      object.shape = inner.name
      if inner.name == "text" then
        object.text = text_of(inner)
      elseif inner.name:find "^poly" then
        object[inner.name] = points_of(inner.attributes.points)
      end
    end
  end
  return object
end

local function read_objects(layer, element)
  layer.objects = {}
  for _, inner in ipairs(element) do
    if inner.name == "object" then
      layer.objects[#layer.objects + 1] = read_object(inner)
    end
  end
end

local read_layers

local READERS = {
  layer = function(layer, element, map, where)
    layer.type = "tilelayer"
    read_tiles(layer, element, map, ('%s: layer "%s"'):format(where, layer.name))
  end,
  objectgroup = function(layer, element)
    layer.type = "objectgroup"
    read_objects(layer, element)
  end,
  imagelayer = function(layer)
    layer.type = "imagelayer"
  end,
  group = function(layer, element, map, where)
    layer.type = "group"
    layer.layers = read_layers(element, map, where)
  end,
}

function read_layers(element, map, where)
  local layers = {}
  for _, inner in ipairs(element) do
    local read = READERS[inner.name]
    if read then
      local layer = attributes_of(inner)
      layer.name, layer.properties = layer.name or "", properties_of(inner) or {}
      read(layer, inner, map, where)
      layers[#layers + 1] = layer
    end
  end
  return layers
end

-- Reads the picture of a tileset or tile. A tile that is a part of its picture has a width and height of its own.
local function read_image(owner, element, width, height)
  local image = child(element, "image")
  if image then
    owner.image = image.attributes.source
    owner[width] = owner[width] or numbers.read(image.attributes.width or "")
    owner[height] = owner[height] or numbers.read(image.attributes.height or "")
  end
end

local function read_tile(element)
  local tile = attributes_of(element)
  tile.type = tile.type or tile.class
  tile.properties = properties_of(element)
  read_image(tile, element, "width", "height")
  local shapes = child(element, "objectgroup")
  if shapes then
    tile.objectGroup = { type = "objectgroup" }
    read_objects(tile.objectGroup, shapes)
  end
  return tile
end

local function read_tileset(element)
  local tileset = attributes_of(element)
  if tileset.source then
    tileset.filename, tileset.source = tileset.source, nil
    return tileset
  end
  tileset.properties, tileset.tiles = properties_of(element) or {}, {}
  read_image(tileset, element, "imagewidth", "imageheight")
  for _, inner in ipairs(element) do
    if inner.name == "tile" then
      tileset.tiles[#tileset.tiles + 1] = read_tile(inner)
    end
  end
  return tileset
end

local function read_map(element, where)
  local map = attributes_of(element)
  map.properties, map.tilesets = properties_of(element) or {}, {}
  for _, inner in ipairs(element) do
    if inner.name == "tileset" then
      map.tilesets[#map.tilesets + 1] = read_tileset(inner)
    end
  end
  map.layers = read_layers(element, map, where)
  return map
end

local function read_template(element)
  local object, tileset = child(element, "object"), child(element, "tileset")
  return { object = object and read_object(object), tileset = tileset and read_tileset(tileset) }
end

local ROOTS = { map = read_map, tileset = read_tileset, template = read_template }

--- Returns the table for a text whose root element is `kind`: "map", "tileset" or "template". Errors call it `where`.
function M.read(text, where, kind)
  local root = parse(text, where)
  if root.name ~= kind then
    fail("%s: expected a %s made with Tiled, got XML whose root is <%s>", where, kind, root.name:sub(1, 40))
  end
  return ROOTS[kind](root, where)
end

return M
