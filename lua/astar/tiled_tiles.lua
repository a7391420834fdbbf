-- tiled_tiles.lua -- the tile of a Tiled map that a number stands for.
--
-- Each tileset has the numbers from its first one on to the next tileset's first. Only the tiles of
-- which it has something to say are listed in the map; how many there are it tells besides. One made
-- of single pictures, with no columns, lists them all, and may have gaps.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local describe = require(FOLDER .. ".describe")

local M = {}

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
    fail("%s: tile %.14g is in none of the map's tilesets", source.name, number)
  end
  return found
end

-- The tiles that a tileset lists, by their ids.
local function listed_tiles(source, tileset)
  local listed = source.listed[tileset]
  if not listed then
    listed = {}
    for _, tile in ipairs(tileset.tiles or {}) do
      listed[tile.id] = listed[tile.id] or tile
    end
    source.listed[tileset] = listed
  end
  return listed
end

-- Tiles with an id below this need not be listed. Where Tiled did not find the picture it counted the listed
-- tiles only, but knew the picture's size.
local function unlisted_below(tileset)
  local columns = tileset.columns
  if not tileset.tilecount then
    return math.huge -- it does not tell, or is only the name of its file
  elseif columns == 0 then
    return 0
  elseif not (columns and tileset.imageheight and tileset.tileheight) then
    return tileset.tilecount
  end
  return math.max(tileset.tilecount, columns * math.floor(tileset.imageheight / tileset.tileheight))
end

local function fail_unknown(source, tileset, number)
  if tileset.tilecount == 0 then
    fail("%s: tileset %s has no tiles: Tiled did not find its file when the map was exported", source.name,
      describe(tileset.name))
  end
  fail("%s: tile %.14g is none of the %d tiles of tileset %s, the first of which is %d", source.name, number,
    tileset.tilecount, describe(tileset.name), tileset.firstgid)
end

-- The tile of a number without its flip bits: { tileset =, id =, listed = } with the tile as the map lists it, nil
-- where it does not.
function M.find(source, number)
  local tile = source.tiles[number]
  if not tile then
    local tileset = tileset_of(source, number)
    local id = number - tileset.firstgid
    tile = { tileset = tileset, id = id, listed = listed_tiles(source, tileset)[id] }
    if not tile.listed and id >= unlisted_below(tileset) then
      fail_unknown(source, tileset, number)
    end
    source.tiles[number] = tile
  end
  return tile
end

return M
