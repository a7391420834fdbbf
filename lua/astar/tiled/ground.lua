-- ground.lua -- Derives the terrain of a grid from the tiles of a Tiled map.
--
-- The properties of a tile give its cost: `cost`, a number; `walkable`, true or false; or `collidable`, true, which a
-- whole layer can have, too. A callback may return the cost instead. If several tiles lie over each other on a cell,
-- the topmost tile that gives a cost decides, and the others are decoration. A cell whose tiles give no cost gets the
-- default.
--
-- The key of a terrain is the tile's property `terrain`, otherwise its class (which Tiled's file calls type), otherwise
-- its cost in words.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local describe = require(ABOVE .. ".describe")
local fail = require(ABOVE .. ".errors").raise
local scripts = require(FOLDER .. ".scripts")
local tiles = require(FOLDER .. ".tiles")

local M = {}

M.PROPERTIES = { cost = "cost", walkable = "walkable", terrain = "terrain", collidable = "collidable" }

local function name_of_tile(source, tile)
  return ("%s: tile %.0f of tileset %s"):format(source.name, tile.id, describe(tile.tileset.name))
end

local function is_known(tileset)
  return type(tileset.tiles) == "table"
end

local ONLY_A_NAME = "%s: tileset %s has no tiles, only the name of its file, %s: "

-- Returns the tile of a number. Raises an error if the properties of its tileset are not known.
local function find_tile(source, number)
  local tile = tiles.find(source, number)
  local tileset = tile.tileset
  if not is_known(tileset) then
    local unread = source.unread[tileset]
    fail(ONLY_A_NAME .. 'export the map with "Embed tilesets"%s', source.name, describe(tileset.name),
      describe(tileset.filename), unread and ", or make its file readable: " .. unread or "")
  end
  return tile
end

-- Returns true if a value can be a cost: false, or a number above 0.
function M.is_cost(value)
  return value == false or type(value) == "number" and value > 0
end

-- Returns true if a layer, object or tile has the property `collidable`, by which Simple Tiled Implementation marks
-- obstacles.
function M.is_collidable(ground, owner)
  return owner.properties ~= nil and owner.properties[ground.names.collidable] == true
end

-- Returns true if a tile is an obstacle, by its own property or by that of a shape of Tiled's collision editor.
local function is_solid(ground, listed)
  if listed and M.is_collidable(ground, listed) then return true end
  for _, shape in ipairs(listed and listed.objectGroup and listed.objectGroup.objects or {}) do
    if M.is_collidable(ground, shape) then return true end
  end
  return false
end

-- Returns true if an object is an obstacle, by its own property or, without one, by its tile.
function M.is_solid_object(ground, source, object)
  if object.properties and object.properties[ground.names.collidable] ~= nil then
    return M.is_collidable(ground, object)
  end
  local tile = tiles.of_object(source, object)
  return tile ~= nil and is_solid(ground, tile.listed)
end

-- Returns the cost that a tile's properties give, nil if they give none.
local function cost_of(ground, source, tile)
  local properties, names = tile.listed and tile.listed.properties or {}, ground.names
  local cost, walkable = properties[names.cost], properties[names.walkable]
  local what, expected
  if cost ~= nil and not M.is_cost(cost) then
    what, expected = names.cost, "a number > 0 or false"
  elseif walkable ~= nil and type(walkable) ~= "boolean" then
    what, expected = names.walkable, "true or false"
  end
  if what then
    fail("%s: expected %s for %s, got %s", name_of_tile(source, tile), expected, what, describe(properties[what]))
  end
  if walkable == false or cost == nil and walkable == nil and is_solid(ground, tile.listed) then
    return false
  end
  return cost == nil and walkable and 1 or cost
end

local function class_of(ground, listed)
  local name = listed and (listed.properties and listed.properties[ground.names.terrain] or listed.type or listed.class)
  return type(name) == "string" and name ~= "" and name or nil
end

local function cost_in_words(cost)
  return cost and cost < math.huge and "cost " .. describe(cost) or "blocked"
end

-- Defines the cost of a terrain. Two tiles that give different costs to one terrain are an error.
local function define(ground, source, tile, name, cost)
  local known = ground.terrain[name]
  if known == nil then
    ground.terrain[name] = cost
  elseif known ~= cost and ground.given[name] == nil then
    fail("%s: expected %s for terrain %s as other tiles have, got %s", name_of_tile(source, tile), cost_in_words(known),
      describe(name), cost_in_words(cost))
  end
  ground.is_told = true
end

-- Returns the meaning of a tile: the key of its terrain, and whether it decides over the tiles below.
local function read_tile(ground, source, tile)
  local cost, name = cost_of(ground, source, tile), class_of(ground, tile.listed)
  local decides = cost ~= nil or name ~= nil and ground.given[name] ~= nil
  if not decides then
    return { key = name or "ground", decides = false }
  elseif cost == nil then
    cost = 1
  end
  name = name or cost_in_words(cost)
  define(ground, source, tile, name, cost)
  return { key = name, decides = true }
end

local function meaning_of(ground, source, number)
  local meaning = ground.meanings[number]
  if not meaning then
    local tileset = tiles.find(source, number).tileset
    if ground.may_be_unknown and not is_known(tileset) then
      source.warn(ONLY_A_NAME .. "its tiles count as tiles without properties", source.name, describe(tileset.name),
        describe(tileset.filename))
      meaning = { key = "ground", decides = false }
    else
      meaning = read_tile(ground, source, find_tile(source, number))
    end
    ground.meanings[number] = meaning
  end
  return meaning
end

-- Returns the table of a tile that is passed to the callback. It always has a table of properties.
local function shown_tile(ground, source, number)
  local shown = ground.shown[number]
  if not shown then
    local tile = find_tile(source, number)
    shown = { properties = {} }
    for name, value in entries, tile.listed or {} do
      shown[name] = value
    end
    shown.id, shown.tileset = tile.id, tile.tileset
    ground.shown[number] = shown
  end
  return shown
end

-- Calls the callback for a tile. Returns the key of the terrain, nil if the callback returns nil.
local function ask(ground, source, layer, number, x, y)
  local cost, key = scripts.call(ground.cost, shown_tile(ground, source, number), layer, x, y)
  if cost == nil then
    return nil
  end
  local tile = find_tile(source, number)
  if not M.is_cost(cost) then
    fail("%s: cost returned %s at (%.0f, %.0f); expected a number > 0, false or nil", name_of_tile(source, tile),
      describe(cost), x, y)
  elseif key ~= nil and type(key) ~= "string" then
    fail("%s: cost returned %s at (%.0f, %.0f) for the name of the ground; expected a string or nil",
      name_of_tile(source, tile), describe(key), x, y)
  end
  key = key or cost_in_words(cost)
  define(ground, source, tile, key, cost)
  return key
end

-- Makes the state of a terrain that has no tiles yet. The options are those of tiled.grid: `terrain` are costs by key,
-- which override those of the tiles; `properties` are other names of the properties; `default` is the cost of cells
-- whose tiles give none; `empty` is the cost of cells without tiles; `cost` is the callback, which is called first.
function M.new(options)
  local ground = {
    terrain = {}, cells = {}, given = options.terrain or {}, meanings = {}, shown = {}, silent = {}, names = {},
    cost = options.cost, default = options.default, is_told = false,
    -- True if tiles of a tileset of which only the name is known count as tiles without properties. The options show
    -- that properties are not wanted: one of `default`, `blocks` and `empty` is given, and neither `terrain` nor
    -- `properties`.
    may_be_unknown = (options.default ~= nil or options.blocks ~= nil or options.empty ~= nil)
      and options.terrain == nil and options.properties == nil,
  }
  if ground.default == nil then
    ground.default = 1
  end
  for name, property in entries, M.PROPERTIES do
    ground.names[name] = options.properties and options.properties[name] or property
  end
  for key, cost in entries, ground.given do
    ground.terrain[key] = cost
  end
  if ground.terrain.empty == nil then
    ground.terrain.empty = options.empty or false
  end
  return ground
end

-- Returns the key of the terrain that a tile decides on. If it does not decide, returns nil and the name of its
-- terrain.
local function decide(ground, source, layer, number, x, y)
  local key = ground.cost and ask(ground, source, layer, number, x, y)
  if key then
    return key
  end
  local meaning = meaning_of(ground, source, number)
  if meaning.decides then
    return meaning.key
  elseif M.is_collidable(ground, layer) then
    key = cost_in_words(false)
    define(ground, source, tiles.find(source, number), key, false)
    return key
  end
  return nil, meaning.key
end

-- Lays a tile at (x, y) over those laid before. ground.cells[place] becomes the key of its terrain; `place` is any
-- number that identifies the cell.
function M.lay(ground, source, layer, place, number, x, y)
  local cells = ground.cells
  local key, name = decide(ground, source, layer, number, x, y)
  if key then
    cells[place] = key
  elseif cells[place] == nil then
    cells[place] = name
    ground.silent[name] = true
  end
end

-- Completes the terrain after all tiles were laid: terrains to which no tile gave a cost get the default.
function M.finish(ground)
  for name in entries, ground.silent do
    if ground.terrain[name] == nil then
      ground.terrain[name] = ground.default
    end
  end
end

return M
