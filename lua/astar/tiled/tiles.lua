-- tiles.lua -- Finds the tile of a Tiled map by its number.
--
-- Each tileset has the numbers from its first one up to the first number of the next tileset. The map lists only tiles
-- that have properties, and the number of all tiles. A tileset made of single pictures, without columns, lists all its
-- tiles and may have gaps.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local describe = require(ABOVE .. ".describe")
local fail = require(ABOVE .. ".errors").raise

local M = {}

-- The bits of a tile's number from this value on store how the tile is flipped and rotated.
M.FLIP_BITS = 2 ^ 28

local function tileset_of(source, number)
  local found
  for _, tileset in ipairs(source.map.tilesets) do
    if tileset.firstgid <= number and (not found or tileset.firstgid > found.firstgid) then
      found = tileset
    end
  end
  return found
end

-- Returns the tiles that a tileset lists, by their ids.
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

-- Returns the id below which tiles exist even if they are not listed. If Tiled did not find the picture, it counted
-- only the listed tiles, but it knew the size of the picture.
local function unlisted_below(tileset)
  local columns = tileset.columns
  if not tileset.tilecount then
    return math.huge -- the number of tiles is not known, or only the name of the tileset's file
  elseif columns == 0 then
    return 0
  elseif not (columns and tileset.imageheight and (tileset.tileheight or 0) > 0) then
    return tileset.tilecount
  end
  return math.max(tileset.tilecount, columns * math.floor(tileset.imageheight / tileset.tileheight))
end

-- Returns text that names the cell of the present tile, if it is known, such as ' at (2, 3) of layer "floor"'.
local function place_of(source)
  local at = source.at
  return at and (" at (%.0f, %.0f) of layer %s, as Tiled counts,"):format(at.x, at.y, describe(at.layer)) or ""
end

-- Returns the tile of a number. If there is no tile, returns nil, and also the tileset if the number belongs to one.
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

-- Returns the tile of a number without flip bits: { tileset =, id =, listed =, is_lost = }. `listed` is the tile as the
-- map lists it, or nil. `is_lost` is true if the tile was removed from its tileset or lies outside its picture: Tiled
-- leaves the number of such a tile in the map and shows nothing there.
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

-- Returns the tile that an object shows. Returns nil if the object shows no tile, or if its tile is lost or in no
-- tileset.
function M.of_object(source, object)
  local number = (object.gid or 0) % M.FLIP_BITS
  local tile = number ~= 0 and look_up(source, number) or nil
  return tile and not tile.is_lost and tile or nil
end

-- Returns the width and height in pixels of the tile that an object shows. If the tile is not known, returns the
-- width and height of the map's cells.
function M.size_of_object(source, object)
  local tile = M.of_object(source, object)
  local listed, tileset = tile and tile.listed or {}, tile and tile.tileset or {}
  local function side_of(each) return each ~= 0 and each or nil end -- a side is 0 if Tiled did not find the picture
  return listed.width or listed.imagewidth or side_of(tileset.tilewidth) or source.map.tilewidth,
    listed.height or listed.imageheight or side_of(tileset.tileheight) or source.map.tileheight
end

return M
