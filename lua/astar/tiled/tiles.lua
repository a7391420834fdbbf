-- tiles.lua -- the tile of a Tiled map that a number stands for.
--
-- Each tileset has the numbers from its first one on to the next tileset's first. Only the tiles of
-- which it has something to say are listed in the map; how many there are it tells besides. One made
-- of single pictures, with no columns, lists them all, and may have gaps.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local describe = require(ABOVE .. ".describe")

local M = {}

-- The highest bits of a tile's number tell how it is flipped and turned.
M.FLIP_BITS = 2 ^ 28

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
  elseif not (columns and tileset.imageheight and (tileset.tileheight or 0) > 0) then
    return tileset.tilecount
  end
  return math.max(tileset.tilecount, columns * math.floor(tileset.imageheight / tileset.tileheight))
end

-- Where the tile in question lies, as Tiled shows it, if that is known: ' at (2, 3) of layer "floor"'.
local function place_of(source)
  local at = source.at
  return at and (" at (%.0f, %.0f) of layer %s, as Tiled counts,"):format(at.x, at.y, describe(at.layer)) or ""
end

-- Returns the tile of a number; nil where there is none, and its tileset where the number is that of one.
local function look_up(source, number)
  local tile = source.tiles[number]
  if tile then return tile end
  local tileset = tileset_of(source, number)
  if not tileset then return nil end
  local id = number - tileset.firstgid
  tile = { tileset = tileset, id = id, listed = listed_tiles(source, tileset)[id] }
  if not tile.listed and id >= unlisted_below(tileset) then
    if tileset.tilecount == 0 then return nil, tileset end
    tile.is_lost = true
    source.warn("%s: tile %.0f%s is none of the %d tiles of tileset %s, the first of which is %d: it counts as no "
      .. "tile, as Tiled shows it", source.name, number, place_of(source), tileset.tilecount, describe(tileset.name),
      tileset.firstgid)
  end
  source.tiles[number], source.at = tile, nil
  return tile
end

-- Returns the tile of a number without its flip bits: { tileset =, id =, listed =, is_lost = }. `listed` is the tile as
-- the map lists it, nil where it does not. A tile that was taken out of a tileset, or lies beyond its picture,
-- `is_lost`: Tiled leaves its number in the map and shows nothing there.
function M.find(source, number)
  local tile, tileset = look_up(source, number)
  if tileset then
    fail("%s: tileset %s has no tiles%s: Tiled did not find its file when the map was exported", source.name,
      describe(tileset.name), source.at and (", tile %.0f%s is one of it"):format(number, place_of(source)) or "")
  elseif not tile then
    fail("%s: tile %.0f%s is in none of the map's tilesets", source.name, number, place_of(source))
  end
  return tile
end

-- Returns the tile that an object shows; nil where it shows none, or one that is lost or in none of the tilesets.
function M.of_object(source, object)
  local number = (object.gid or 0) % M.FLIP_BITS
  local tile = number ~= 0 and look_up(source, number) or nil
  return tile and not tile.is_lost and tile or nil
end

-- Returns the width and height in pixels of the tile that an object shows, those of the map's cells where it is not
-- known which tile that was.
function M.size_of_object(source, object)
  local tile = M.of_object(source, object)
  local listed, tileset = tile and tile.listed or {}, tile and tile.tileset or {}
  local function side_of(each) return each ~= 0 and each or nil end -- 0: Tiled did not find the picture
  return listed.width or listed.imagewidth or side_of(tileset.tilewidth) or source.map.tilewidth,
    listed.height or listed.imageheight or side_of(tileset.tileheight) or source.map.tileheight
end

return M
