-- tiled_ground.lua -- what the tiles of a Tiled map say about walking, and the ground they make.
--
-- What a tile means stands in its properties: `cost`, a number, or `walkable`, true or false. Of the
-- tiles that lie over each other on a cell, the topmost one that says anything decides; the others are
-- decoration. Keys are the names of the ground: a tile's property `terrain`, else its class (which
-- Tiled's file calls type), else its cost in words.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local describe = require(FOLDER .. ".describe")

local M = {}

M.PROPERTIES = { cost = "cost", walkable = "walkable", terrain = "terrain" }

local function fail(message, ...)
  error(message:format(...), 0)
end

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

-- Whether the value can be a cost: false, or a number above 0.
function M.is_cost(value)
  return value == false or type(value) == "number" and value > 0
end

-- The cost that the properties give, nil when they are silent.
local function cost_of(source, properties, names, tileset, id)
  local cost, walkable = properties[names.cost], properties[names.walkable]
  local what, expected
  if cost ~= nil and not M.is_cost(cost) then
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

-- What a tile says, by its number.
local function meaning_of(ground, source, number)
  local meaning = ground.meanings[number]
  if not meaning then
    meaning = read_tile(ground, source, number)
    ground.meanings[number] = meaning
    ground.is_told = ground.is_told or meaning.decides
  end
  return meaning
end

-- Nothing yet: the ground of no tiles. `given` are costs by key that count over those of the tiles, `names`
-- other names for the properties, `empty` is what a cell without a tile costs.
function M.new(given, names, empty)
  local ground = { terrain = {}, cells = {}, given = given or {}, meanings = {}, names = {}, is_told = false }
  for name, property in next, M.PROPERTIES do
    ground.names[name] = names and names[name] or property
  end
  for key, cost in next, ground.given do
    ground.terrain[key] = cost
  end
  if ground.terrain.empty == nil then
    ground.terrain.empty = empty or false
  end
  return ground
end

-- Lays a tile over what is at a place, any number: ground.cells[place] is its key.
function M.lay(ground, source, place, number)
  local meaning, cells = meaning_of(ground, source, number), ground.cells
  if meaning.decides or cells[place] == nil then
    cells[place] = meaning.key
    if ground.terrain[meaning.key] == nil then
      ground.terrain[meaning.key] = 1
    end
  end
end

return M
