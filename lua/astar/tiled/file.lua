-- file.lua -- the map of a file: Tiled's export to Lua, or its own XML (.tmx) and JSON (.tmj).
--
-- What a file holds tells how it is read, not what it is called. Tilesets and templates in files of their own are read,
-- too, relative to the file that names them. All files of a map together may have so many bytes and no more: a name in
-- a map may be that of a device that never ends.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local describe = require(ABOVE .. ".describe")
local later = require(ABOVE .. ".later")
local tiles = require(FOLDER .. ".tiles")

local load, loadstring, setfenv = load, rawget(_G, "loadstring"), rawget(_G, "setfenv") -- a host may take them later

local M = {}

M.MAX_BYTES = 2 ^ 28
M.MOST_COPIES = 1e7 -- of fields, into the objects and tilesets of a map: a few bytes may ask for very many
local DEEPEST = 100 -- of groups within groups
local BLOCK = 2 ^ 20

local function fail(message, ...)
  error(message:format(...), 0)
end

local TILED = "a map made with Tiled"

local function fail_to_read(name, expected, what, ...)
  fail("%s: expected %s, got %s", name, expected, what:format(...))
end

-- What to do where the file of a tileset or template is not there.
local CURES = {
  tileset = 'put its file there, or use "Embed Tileset" in Tiled',
  template = 'put its file there, or use "Detach" in Tiled on the objects made of it',
}

-- ---- bytes ----

local function read_blocks(file, most)
  local parts, length = {}, 0
  repeat
    local part, problem = file:read(BLOCK)
    if problem then -- a directory can be opened, but not read
      return nil, problem
    end
    parts[#parts + 1] = part
    length = length + #(part or "")
  until not part or length > most
  return table.concat(parts)
end

-- In LÖVE a file is looked for in the game first, which may be packed.
local function read_file(name, most, expected)
  local love = rawget(_G, "love")
  local text = love and love.filesystem and love.filesystem.read(name)
  if text then
    return text
  end
  if not io then
    fail("%s: this Lua has no io to open files with", name)
  end
  local file, problem = io.open(name, "rb")
  if not file then
    fail_to_read(name, expected, "no file (%s)", tostring(problem):gsub("^.*: ", ""))
  end
  text, problem = read_blocks(file, most)
  file:close()
  if not text then
    fail_to_read(name, expected, "what cannot be read (%s)", tostring(problem))
  end
  return text
end

--- Returns what is in a file. `reading` is what M.reading returned.
function M.text(reading, name)
  local text
  if reading.read then
    text = reading.read(name)
  else
    text = read_file(name, reading.bytes_left, reading.expected)
  end
  if type(text) ~= "string" then
    fail_to_read(name, reading.expected, "no file (the option read returned %s)", describe(text))
  end
  reading.bytes_left = reading.bytes_left - #text
  if reading.bytes_left < 0 then
    fail("%s: more bytes than the option max_bytes, %.0f, in all files of the map", name, reading.max_bytes)
  end
  return (text:gsub("^\239\187\191", ""))
end

-- ---- languages ----

-- Run with no access to anything. Compiled Lua could do anything all the same.
local function run_alone(text, name)
  if text:find "^\27" then
    fail_to_read(name, TILED, "compiled Lua")
  end
  local chunk, problem
  if setfenv then
    chunk, problem = loadstring(text, "@" .. name)
    chunk = chunk and setfenv(chunk, {})
  else
    chunk, problem = load(text, "@" .. name, "t", {})
  end
  if not chunk then
    fail_to_read(name, TILED, "a file that is neither XML nor JSON nor Lua (%s)", problem)
  end
  local ok, map = pcall(chunk)
  if not ok then
    fail_to_read(name, TILED, "a program (%s)", tostring(map))
  end
  return map
end

-- What a file of a map holds, and whether Tiled exported it, in which case it has no more to say of what it names.
local function read_any(reading, name, kind)
  local text = M.text(reading, name)
  local first = text:match "^%s*(%S)"
  if not first then fail_to_read(name, TILED, "an empty file") end
  if first == "<" then
    return later(FOLDER .. ".xml").read(text, name, kind), false
  elseif first == "{" then
    return later(FOLDER .. ".json").read(text, name, kind), false
  end
  return run_alone(text, name), true
end

-- ---- files that a map names ----

local function copy_into(reading, to, from)
  for key, value in entries, type(from) == "table" and from or {} do
    to[key] = value
    reading.copies_left = reading.copies_left - 1
  end
  if reading.copies_left < 0 then
    fail("%s: expected at most %d fields of objects and tilesets that others have, too, got more", reading.name,
      M.MOST_COPIES)
  end
end

-- The fields of one table, and over them those of another.
local function lay_over(reading, below, above)
  local both = {}
  copy_into(reading, both, below)
  copy_into(reading, both, above)
  return both
end

--- Returns the name of what `owner`, a file, calls `name`.
function M.beside(owner, name)
  name = name:gsub("\\", "/")
  if name:find "^/" or name:find "^%a:/" then
    return name
  end
  name = (owner:gsub("\\", "/"):match "^.*/" or "") .. name:gsub("^%./", "")
  local count
  repeat -- LÖVE's files know no ".."
    name, count = name:gsub("([^/]+)/%.%./", function(folder)
      return folder ~= ".." and folder ~= "." and "" or nil
    end, 1)
  until count == 0 or name:find "^%.%./" or not name:find "[^/.][^/]*/%.%./"
  return name
end

-- The tileset or template that the file `owner` names, and what its own file is called here.
local function read_once(reading, owner, name, kind)
  local file = M.beside(owner, name)
  local known = reading.files[file]
  if known == nil then
    local ok, value = pcall(read_any, reading, file, kind)
    if not ok then
      local is_lost = value:find("got no file", 1, true)
      fail("%s: %s %s: %s", owner, kind, describe(name), is_lost and "no file " .. file .. ": " .. CURES[kind] or value)
    elseif type(value) ~= "table" then
      fail("%s: expected a %s made with Tiled, got %s", file, kind, describe(value))
    end
    reading.files[file], known = value, value
  end
  return known, file
end

-- The tileset of a file as it stands in a map, its first tile having that number.
local function embed(reading, owner, name, firstgid)
  local read, file = read_once(reading, owner, name, "tileset")
  local whole = lay_over(reading, read)
  whole.firstgid, whole.filename = firstgid, name
  reading.tilesets[file] = whole
  return whole
end

-- Puts into the map what its tilesets have in files of their own. An export may have been made of the tileset, too;
-- that file needs no library.
local function embed_tilesets(reading, map, name, is_export)
  for i, tileset in ipairs(type(map.tilesets) == "table" and map.tilesets or {}) do
    if type(tileset) == "table" and type(tileset.filename) == "string" and tileset.tiles == nil then
      local ok, whole = pcall(embed, reading, name, tileset.filename, tileset.firstgid)
      if not ok and is_export and type(tileset.exportfilename) == "string" then
        local problem = whole
        ok, whole = pcall(embed, reading, name, tileset.exportfilename, tileset.firstgid)
        whole = ok and whole or problem
      end
      if ok then
        map.tilesets[i] = whole
      elseif not is_export then -- there it may not be needed, see ground.lua
        error(whole, 0)
      elseif not whole:find(CURES.tileset, 1, true) then
        reading.unread[tileset] = whole
      end
    end
  end
end

-- Calls f(object, objects, i) for each object of the layers, those of groups, too.
local function each_object(layers, f, depth)
  for _, layer in ipairs(type(layers) == "table" and depth <= DEEPEST and layers or {}) do
    if type(layer) == "table" then
      for i, object in ipairs(type(layer.objects) == "table" and layer.objects or {}) do
        if type(object) == "table" then
          f(object, layer.objects, i)
        end
      end
      each_object(layer.layers, f, depth + 1)
    end
  end
end

-- ---- objects ----

-- Returns a value that should be a number, or what stands in for it: what is wrong is said later.
local function number_or(value, otherwise)
  return type(value) == "number" and value or otherwise
end

-- A number that no tile of the map's has, nor one after it.
local function free_number(map)
  local free = 1
  for _, tileset in ipairs(map.tilesets) do
    local first, count = number_or(tileset.firstgid, 1), number_or(tileset.tilecount, 0)
    for _, tile in ipairs(type(tileset.tiles) == "table" and tileset.tiles or {}) do
      count = math.max(count, number_or(tile.id, 0) + 1)
    end
    free = math.max(free, first + count)
  end
  return free
end

-- The number in the map of a template's tile; the map gets the tileset where it has it not.
local function number_in_map(reading, map, template, file, gid)
  local tileset = template.tileset
  if type(tileset) ~= "table" or type(tileset.filename) ~= "string" or type(tileset.firstgid) ~= "number"
    or type(gid) ~= "number" or type(map.tilesets) ~= "table" then
    fail("%s: expected a tile of a tileset, got a template of neither", file)
  end
  local own = reading.tilesets[M.beside(file, tileset.filename)]
  if not own then
    own = embed(reading, file, tileset.filename, free_number(map))
    map.tilesets[#map.tilesets + 1] = own
  elseif type(own.firstgid) ~= "number" then
    return nil -- an error of the map's, see check.lua
  end
  return gid - tileset.firstgid + own.firstgid
end

local function of_template(reading, map, object, name)
  local template, file = read_once(reading, name, object.template, "template")
  local whole = lay_over(reading, template.object, object)
  reading.bases[whole] = lay_over(reading, type(template.object) == "table" and template.object.properties)
  whole.properties = object.properties
  if whole.gid and object.gid == nil then
    whole.gid = number_in_map(reading, map, template, file, whole.gid)
  end
  return whole
end

local DEFAULTS = {
  name = "", type = "", shape = "rectangle", x = 0, y = 0, width = 0, height = 0, rotation = 0, visible = true,
}

-- Old versions of Tiled gave objects no ids.
local function give_ids(map)
  local last = number_or(map.nextobjectid, 1) - 1
  each_object(map.layers, function(object)
    last = math.max(last, number_or(object.id, 0))
  end, 0)
  each_object(map.layers, function(object)
    if object.id == nil then
      last = last + 1
      object.id = last
    end
  end, 0)
end

local function fill_objects(reading, map, name)
  each_object(map.layers, function(object, objects, i)
    if type(object.template) == "string" then
      object = of_template(reading, map, object, name)
      objects[i] = object
    end
    for key, value in entries, DEFAULTS do
      if object[key] == nil then object[key] = value end
    end
    object.properties = object.properties or {}
  end, 0)
  give_ids(map)
end

--- Returns what M.text reads files with. `options` may have read(name), what opens files, and max_bytes; errors say
-- that `expected` was expected.
function M.reading(name, options, expected)
  local most = options and options.max_bytes or M.MAX_BYTES
  return { name = name, read = options and options.read, max_bytes = most, bytes_left = most, expected = expected }
end

--- The map of the file `name`, as its export to Lua would be but for what objects inherit: then it comes with what
-- M.inherit asks for. The third result says of tilesets of an export why a file that is there could not be read.
-- `options` may have read(name), what opens files, and max_bytes.
function M.read(name, options)
  local reading = M.reading(name, options, TILED)
  reading.copies_left = M.MOST_COPIES
  reading.files, reading.tilesets, reading.bases, reading.unread = {}, {}, {}, {}
  local map, is_export = read_any(reading, name, "map")
  if type(map) == "table" then
    embed_tilesets(reading, map, name, is_export)
    if not is_export then
      fill_objects(reading, map, name)
    end
  end
  return map, not is_export and reading.bases or nil, reading.unread
end

--- Gives objects what they inherit as Tiled has it: the properties of their templates, over those the ones of their
-- tiles, over those their own; and the class of the tile where no template is. The map of `source` has been checked,
-- `bases` are the properties of templates by object.
function M.inherit(source, bases)
  local reading = { name = source.name, copies_left = M.MOST_COPIES }
  each_object(source.map.layers, function(object)
    local tile = tiles.of_object(source, object)
    local listed = tile and tile.listed or {}
    local inherited = lay_over(reading, bases[object], listed.properties)
    object.properties = lay_over(reading, inherited, object.properties)
    if object.type == "" and not bases[object] then
      object.type = listed.type or ""
    end
  end, 0)
end

return M
