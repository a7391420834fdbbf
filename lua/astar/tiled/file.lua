-- file.lua -- Reads a map from a file: Tiled's export to Lua, or its own XML (.tmx) and JSON (.tmj).
--
-- The contents of a file, not its name, decide how it is read. Tilesets and templates in separate files are read,
-- too; their names are relative to the file that names them. The total number of bytes in all files of a map is
-- limited, because a name in a map may be the name of a device whose data never end.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local describe = require(ABOVE .. ".describe")
local fail = require(ABOVE .. ".errors").raise
local later = require(ABOVE .. ".later")
local tiles = require(FOLDER .. ".tiles")

local load, loadstring, setfenv = load, rawget(_G, "loadstring"), rawget(_G, "setfenv") -- a host may remove the globals

local M = {}

M.MAX_BYTES = 2 ^ 28 -- default of the option max_bytes
-- Maximum number of fields that are copied into objects and tilesets. A map of a few bytes may need very many copies.
M.MOST_COPIES = 1e7
local DEEPEST = 100 -- maximum nesting of groups
local BLOCK = 2 ^ 20 -- number of bytes that are read at a time

local TILED = "a map made with Tiled"

local function fail_to_read(name, expected, what, ...)
  fail("%s: expected %s, got %s", name, expected, what:format(...))
end

-- Advice for errors about a missing file of a tileset or template.
local CURES = {
  tileset = 'put its file there, or use "Embed Tileset" in Tiled',
  template = 'put its file there, or use "Detach" in Tiled on the objects made of it',
}

-- Returns the contents of an open file, or at least its first `most` bytes; nil and the error if it cannot be read.
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

-- Returns the contents of a file. In LÖVE the file is first looked for in the game, which may be packed.
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
    fail_to_read(name, expected, "a file that cannot be read (%s)", tostring(problem))
  end
  return text
end

--- Returns the contents of a file. `reading` is a result of M.reading.
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

-- Runs a map that was exported to Lua, in an empty environment. Compiled Lua is refused, because it could break out of
-- this environment.
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

-- Returns the contents of a file of a map as a table. The second result is true if it is an export to Lua.
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

-- Copies the fields of a table into another one, and counts them.
local function copy_into(reading, to, from)
  for key, value in entries, type(from) == "table" and from or {} do
    to[key] = value
    reading.copies_left = reading.copies_left - 1
  end
  if reading.copies_left < 0 then
    fail("%s: expected at most %d fields copied from templates and tilesets, got more", reading.name,
      M.MOST_COPIES)
  end
end

-- Returns a table with the fields of `below` and of `above`. A field of `above` replaces a field of `below` with the
-- same name.
local function lay_over(reading, below, above)
  local both = {}
  copy_into(reading, both, below)
  copy_into(reading, both, above)
  return both
end

--- Returns the path of the file that the file `owner` calls `name`.
function M.beside(owner, name)
  name = name:gsub("\\", "/")
  if name:find "^/" or name:find "^%a:/" then
    return name
  end
  name = (owner:gsub("\\", "/"):match "^.*/" or "") .. name:gsub("^%./", "")
  local count
  repeat -- removes "..", which LÖVE's file names cannot contain
    name, count = name:gsub("([^/]+)/%.%./", function(folder)
      return folder ~= ".." and folder ~= "." and "" or nil
    end, 1)
  until count == 0 or name:find "^%.%./" or not name:find "[^/.][^/]*/%.%./"
  return name
end

-- Returns the tileset or template that the file `owner` names, and the path of its file. Each file is read once.
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

-- Returns the tileset of a file in the form that it has within a map. `firstgid` is the number of its first tile.
local function embed(reading, owner, name, firstgid)
  local read, file = read_once(reading, owner, name, "tileset")
  local whole = lay_over(reading, read)
  whole.firstgid, whole.filename = firstgid, name
  reading.tilesets[file] = whole
  return whole
end

-- Replaces the tilesets of a map that are in separate files by their contents. An export to Lua may also name an export
-- of the tileset, which can be read without a library for XML or JSON.
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
      elseif not is_export then -- for an export the tileset may not be needed, see ground.lua
        error(whole, 0)
      elseif not whole:find(CURES.tileset, 1, true) then
        reading.unread[tileset] = whole
      end
    end
  end
end

-- Calls f(object, objects, i) for each object of the layers, including those in groups.
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

-- Returns `value` if it is a number, otherwise `otherwise`. A wrong value is reported later, by check.lua.
local function number_or(value, otherwise)
  return type(value) == "number" and value or otherwise
end

-- Returns a number from which on no tile of the map has a number.
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

-- Returns the number that a template's tile gets in the map. Adds the tileset to the map if it is missing.
local function number_in_map(reading, map, template, file, gid)
  local tileset = template.tileset
  if type(tileset) ~= "table" or type(tileset.filename) ~= "string" or type(tileset.firstgid) ~= "number"
    or type(gid) ~= "number" or type(map.tilesets) ~= "table" then
    fail("%s: expected a template with a tile of a tileset, got another template", file)
  end
  local own = reading.tilesets[M.beside(file, tileset.filename)]
  if not own then
    own = embed(reading, file, tileset.filename, free_number(map))
    map.tilesets[#map.tilesets + 1] = own
  elseif type(own.firstgid) ~= "number" then
    return nil -- the map has an error, which check.lua reports
  end
  return gid - tileset.firstgid + own.firstgid
end

-- Returns an object with the fields of its template.
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

-- Gives ids to objects without one, which old versions of Tiled wrote.
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

--- Returns the state for reading files with M.text. `options` may have `max_bytes` and `read`, a function that returns
-- the contents of a file. Errors say that `expected` was expected.
function M.reading(name, options, expected)
  local most = options and options.max_bytes or M.MAX_BYTES
  return { name = name, read = options and options.read, max_bytes = most, bytes_left = most, expected = expected }
end

--- Returns the map of a file in the form of Tiled's export to Lua. If the file is no such export, objects do not have
-- what they inherit yet, and the second result is the table `bases` for M.inherit. The third result gives, for tilesets
-- of an export whose file exists but could not be read, the reason. `options` are those of M.reading.
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

--- Adds inherited properties to objects, as Tiled does. An object's own properties come first, then those of its tile,
-- then those of its template. An object without class and template gets the class of its tile. The map of `source` must
-- have been checked. `bases` maps objects to the properties of their templates.
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
