-- map.lua -- one map of the service: a grid that follows rows of data.
--
-- A map is kept as rows by whatever holds them: one of what it is, one for each piece of ground, and a log of edits.
-- Each request's edits make a version, counted without gaps; `base` is the version that the other rows stand for.
-- Nothing here knows who keeps them.

local astar = require "astar"
local json = require "cjson"

local versions = require "astar_service.versions"

local map = {}

map.CHUNK = 128 -- cells a side of a piece, of maps that are not narrow

map.EMPTY = -1 -- stands for the base of a piece that was never written: all its cells are of the first terrain

local MOST_LINKS = 10000 -- of a map: they are kept in one piece, and listed in one go

local Map = {}
map.class = Map
Map.__index = Map

versions.join(Map)

-- Which edits there are, and the forms of their arguments: see versions.lua.
Map.FORMS = {
  set = { { "whole", "whole", "key" } },
  fill = { { "whole", "whole", "whole", "whole", "key" } },
  set_cells = { { "whole", "whole", "whole", "whole", "keys" } },
  block = {
    { "whole", "whole" }, { "whole", "whole", "text" }, { "whole", "whole", "whole" },
    { "whole", "whole", "whole", "text" }, { "whole", "whole", "whole", "whole" },
    { "whole", "whole", "whole", "whole", "text" },
  },
  terrain = { { "key", "cost" } },
  link = { { "whole", "whole", "whole", "whole" }, { "whole", "whole", "whole", "whole", "ways" } },
  unlink = { { "whole", "whole", "whole", "whole" }, { "whole", "whole", "whole", "whole", "flag" } },
  wall = { { "whole", "whole", "text" }, { "whole", "whole", "text", "flag" } },
}
Map.FORMS.unblock, Map.FORMS.unwall = Map.FORMS.block, Map.FORMS.wall

-- Edits of cells, which touch the pieces that hold them; the others are kept with what the map is.
local OF_CELLS = { set = true, fill = true, set_cells = true, block = true, unblock = true, wall = true, unwall = true }

-- Edits that change ground or blocks by a rectangle.
local SIZED = { fill = true, set_cells = true, block = true, unblock = true }

map.plain = versions.plain

-- The directions of walls, in the order of the bits of a mask. Squares have four of them, hexagons six.
local DIRECTIONS = { "north", "east", "south", "west", "north_east", "south_east", "south_west", "north_west" }

-- ---- from rows, and to rows ----

-- A map from what it is: { width =, height =, x0 =, y0 =, shape =, offset =, wrap =, palette = { { key, cost }, ... },
-- links =, layers =, has_walls =, piece = { columns, rows } }. `layers` are the names of the layers of blocks, so that
-- all instances know the same layers. The map's pieces must be put in before edits are applied. The cells of a piece
-- that was never written are of the first terrain of the palette.
function map.new(name, base, meta)
  local terrain = {}
  for _, entry in ipairs(meta.palette) do terrain[entry[1]] = entry[2] end
  local grid = astar.grid(meta.width, meta.height, {
    terrain = terrain, fill = meta.palette[1][1], origin = { meta.x0, meta.y0 },
    shape = meta.shape, offset = meta.offset, wrap = meta.wrap,
  })
  for _, link in ipairs(meta.links or {}) do
    grid:link(link[1], link[2], link[3], link[4], { cost = link[5], label = link[6] or nil, one_way = link[7] })
  end
  for _, wall in ipairs(meta.walls or {}) do grid:wall(wall[1], wall[2], wall[3], wall[4]) end -- of format 0
  grid:finder { ignore = meta.layers or {} } -- names them
  local its = map.of(name, base, grid, meta.palette)
  its.has_walls = its.has_walls or meta.has_walls
  its.piece_size = meta.piece or { map.CHUNK, map.CHUNK }
  return its
end

-- Columns and rows of a piece. A piece of a narrow map is longer than it is wide, so that the map has few pieces.
local function piece_size(width, height)
  local side = map.CHUNK
  if height < side then return { side * (side // height), side } end
  if width < side then return { side, side * (side // width) } end
  return { side, side }
end

-- A grid as a map. `palette` names its terrains: { { key, cost }, ... }.
function map.of(name, base, grid, palette)
  local links = #grid:links()
  local self = setmetatable({
    palette = {}, touched = {}, has_links = links > 0, links = links, has_walls = #grid:walls() > 0,
  }, Map)
  for i, entry in ipairs(palette) do self.palette[i] = { entry[1], entry[2] } end
  self.piece_size = piece_size(grid:size())
  return versions.begin(self, name, grid, base)
end

-- How many pieces lie side by side, and how many there are.
function Map:piece_count()
  local width, height = self.object:size()
  local across = math.ceil(width / self.piece_size[1])
  return across, across * math.ceil(height / self.piece_size[2])
end

-- The rectangle of cells that piece i covers; the first is 1.
local function piece_area(self, i)
  local x0, y0, x1, y1 = self.object:bounds()
  local across, columns, rows = self:piece_count(), self.piece_size[1], self.piece_size[2]
  local x, y = x0 + (i - 1) % across * columns, y0 + (i - 1) // across * rows
  return math.tointeger(x), math.tointeger(y), math.tointeger(math.min(columns, x1 - x + 1)),
    math.tointeger(math.min(rows, y1 - y + 1))
end

-- ---- numbers below 256 for the cells of a piece: pairs of how many cells and their number, or two digits a cell ----

-- The shorter of both for a list of numbers.
local function pack(numbers, pause)
  local runs, digits = {}, {}
  for i, number in ipairs(numbers) do
    if number == runs[#runs] then
      runs[#runs - 1] = runs[#runs - 1] + 1
    else
      runs[#runs + 1], runs[#runs + 2] = 1, number
    end
    digits[i] = ("%02x"):format(number)
    if i % 4096 == 0 then pause() end
  end
  if 5 * #runs > 4 * #digits then return table.concat(digits) end -- as JSON a number of a run has 2.5 bytes or more
  return runs
end

-- Calls put(first, count, number) for the runs of what `pack` made, cells counted from 0. Raises an error unless there
-- are as many cells as must be.
local function unpack_cells(packed, cells, put, pause)
  local at = 0
  local function run(count, number)
    put(at, count, number)
    at = at + count
    if at > cells then error("a piece of a map is too long", 0) end
  end
  if type(packed) == "string" then
    local last, count = packed:sub(1, 2), 0
    for i = 1, #packed, 2 do
      local digits = packed:sub(i, i + 1)
      if digits ~= last then
        run(count, tonumber(last, 16))
        last, count = digits, 0
      end
      count = count + 1
      if i % 4096 == 1 then pause() end
    end
    if count > 0 then run(count, tonumber(last, 16)) end
  else
    for i = 1, #packed, 2 do
      run(math.tointeger(packed[i]), math.tointeger(packed[i + 1]))
      if i % 1024 == 1 then pause() end
    end
  end
  if at ~= cells then error("a piece of a map is too short", 0) end
end

-- Calls body(x, y, w) for the parts of a run of cells in each of the rows of a rectangle.
local function each_row(x, y, w, first, count, body)
  while count > 0 do
    local column = first % w
    local here = math.min(count, w - column)
    body(x + column, y + first // w, here)
    first, count = first + here, count - here
  end
end

-- ---- pieces ----

-- Puts in piece i as Map:piece told it.
function Map:put_piece(i, text, pause)
  local x, y, w, h = piece_area(self, i)
  local grid, piece = self.object, json.decode(text)
  if piece[1] then return self:put_old_piece(piece, x, y, w, h, pause) end
  if piece.ground then
    grid:set_cells(x, y, w, h, piece.ground)
  else
    unpack_cells(piece.terrains, w * h, function(first, count, number)
      each_row(x, y, w, first, count, function(column, row, wide)
        grid:fill(column, row, wide, 1, self.palette[number + 1][1])
      end)
    end, pause)
  end
  for _, layer in ipairs(piece.blocks or {}) do
    self.has_blocks = true
    unpack_cells(layer[2], w * h, function(first, count, number)
      if number == 0 then return end
      each_row(x, y, w, first, count, function(column, row, wide) grid:block(column, row, wide, 1, layer[1]) end)
    end, pause)
  end
  if piece.walls then
    unpack_cells(piece.walls, w * h, function(first, count, mask)
      for at = first, first + count - 1 do
        for bit, direction in ipairs(DIRECTIONS) do
          if mask >> (bit - 1) & 1 == 1 then grid:wall(x + at % w, y + at // w, direction, true) end
        end
      end
    end, pause)
  end
end

-- A piece of format 0: its ground, and blocks, { first, count, ... } in cells row by row, and after the name of each
-- layer that has one those of it.
function Map:put_old_piece(piece, x, y, w, h, pause)
  local ground, blocks = piece[1], piece[2]
  self.object:set_cells(x, y, w, h, ground)
  local at, layer = 1, nil
  self.has_blocks = self.has_blocks or #blocks > 0
  while at <= #blocks do
    if type(blocks[at]) == "string" then
      layer, at = blocks[at], at + 1
    else
      each_row(x, y, w, math.tointeger(blocks[at]), math.tointeger(blocks[at + 1]), function(column, row, wide)
        self.object:block(column, row, wide, 1, layer)
      end)
      at = at + 2
      if at % 1000 == 1 then pause() end
    end
  end
end

-- The ground of a rectangle: a text of a byte for each cell, or packed numbers of terrains if a key is longer.
local function tell_ground(self, piece, x, y, w, h, pause)
  local keys = self.object:get_cells(x, y, w, h)
  if type(keys) == "string" then
    piece.ground = keys
    return
  end
  local numbers = {}
  for i, entry in ipairs(self.palette) do numbers[entry[1]] = i - 1 end
  for i, key in ipairs(keys) do
    keys[i] = numbers[key]
    if i % 4096 == 0 then pause() end
  end
  piece.terrains = pack(keys, pause)
end

local function tell_blocks(self, piece, x, y, w, h, pause)
  local layers = self.object:block_layers()
  if #layers == 1 and not self.has_blocks then return end
  local list = {}
  for _, layer in ipairs(layers) do
    local numbers, is_any = {}, false
    for at = 0, w * h - 1 do
      local is_blocked = self.object:is_blocked(x + at % w, y + at // w, layer)
      numbers[at + 1], is_any = is_blocked and 1 or 0, is_any or is_blocked
      if at % 4096 == 0 then pause() end
    end
    if is_any then list[#list + 1] = { layer, pack(numbers, pause) } end
  end
  if #list > 0 then piece.blocks = list end
end

local function tell_walls(self, piece, x, y, w, h, pause)
  if not self.has_walls then return end
  local sides, numbers, is_any = self:directions(), {}, false
  for at = 0, w * h - 1 do
    local mask = 0
    for bit, direction in ipairs(DIRECTIONS) do
      if sides[direction] and self.object:has_wall(x + at % w, y + at // w, direction) then
        mask = mask | 1 << (bit - 1)
      end
    end
    numbers[at + 1], is_any = mask, is_any or mask ~= 0
    if at % 1024 == 0 then pause() end
  end
  if is_any then piece.walls = pack(numbers, pause) end
end

-- The directions that sides of this map's cells have, as a set.
function Map:directions()
  if self.sides then return self.sides end
  local x, y = self.object:bounds()
  self.sides = {}
  for _, direction in ipairs(DIRECTIONS) do
    self.sides[direction] = pcall(self.object.has_wall, self.object, x, y, direction) or nil
  end
  return self.sides
end

-- Whether the world goes round.
function Map:is_wrapped()
  local shape, how = self.object:shape()
  return shape == "square" and how ~= nil
end

-- Piece i as text. pause() lets others go on, who must not edit this one.
function Map:piece(i, pause)
  local x, y, w, h = piece_area(self, i)
  local piece = {}
  tell_ground(self, piece, x, y, w, h, pause)
  pause()
  tell_blocks(self, piece, x, y, w, h, pause)
  tell_walls(self, piece, x, y, w, h, pause)
  pause()
  return json.encode(piece)
end

-- What the map is now, as map.new takes it.
function Map:meta()
  local width, height = self.object:size()
  local x0, y0 = self.object:bounds()
  local links, layers = {}, self.object:block_layers()
  table.remove(layers, 1) -- the one without a name
  for i, link in ipairs(self.object:links()) do
    links[i] = { link.x0, link.y0, link.x1, link.y1, link.cost, link.label ~= true and link.label or false,
      link.one_way or false }
  end
  local shape, how = self.object:shape()
  local is_hex = shape == "hex"
  return {
    width = width, height = height, x0 = x0, y0 = y0, shape = shape, offset = is_hex and how or nil,
    wrap = not is_hex and how or nil, palette = self.palette, links = links, layers = layers,
    has_walls = self.has_walls or nil, piece = self.piece_size,
  }
end

-- ---- edits ----

-- Notes at which version the pieces in a rectangle were last touched. A wall stands on the edge of two cells.
local function touch(self, op, version)
  if not OF_CELLS[op[1]] then return end
  local x0, y0, x1, y1 = self.object:bounds()
  local x, y, w, h = op[2], op[3], 1, 1
  if SIZED[op[1]] then -- a layer of blocks may stand in their place
    w, h = type(op[4]) == "number" and op[4] or 1, type(op[5]) == "number" and op[5] or 1
  elseif op[1] == "wall" or op[1] == "unwall" then
    x, y, w, h = math.max(x0, x - 1), math.max(y0, y - 1), 3, 3 -- worlds that go round have no walls
  end
  local last_x, last_y = math.min(x1, x + w - 1), math.min(y1, y + h - 1)
  local across = self:piece_count()
  local columns, rows = self.piece_size[1], self.piece_size[2]
  for row = (y - y0) // rows, (last_y - y0) // rows do
    for column = (x - x0) // columns, (last_x - x0) // columns do
      self.touched[math.tointeger(row * across + column + 1)] = version
    end
  end
end

local function note_terrain(self, op)
  if op[1] ~= "terrain" then return end
  for _, entry in ipairs(self.palette) do
    if entry[1] == op[2] then
      entry[2] = op[3]
      return
    end
  end
  self.palette[#self.palette + 1] = { op[2], op[3] }
end

function Map:note(op, version)
  touch(self, op, version)
  note_terrain(self, op)
  if op[1] == "link" then self.has_links, self.links = true, self.links + 1 end
  self.has_walls = self.has_walls or op[1] == "wall"
  self.has_blocks = self.has_blocks or op[1] == "block"
end

function Map:copy()
  return self.object:clone()
end

-- Raises an error if a tried copy has more links than can be kept.
function Map:check_room(copy, ops)
  local count = self.links -- at most so many: one that was replaced is counted twice
  for _, op in ipairs(ops) do count = count + (op[1] == "link" and 1 or 0) end
  if count <= MOST_LINKS then return end
  count = #copy:links()
  if count > MOST_LINKS then error(("a map holds at most %d links"):format(MOST_LINKS), 0) end
  self.links = #self.object:links()
end

-- Whether a layer of blocks has a name that the grid knows.
local function has_layer(grid, layer)
  for _, known in ipairs(grid:block_layers()) do
    if known == layer then return true end
  end
  return false
end

-- Whether the cells of a text or a list all have keys that the grid knows.
local function are_known(self, keys, count)
  if #keys ~= count then return false end
  if type(keys) == "string" then return not keys:find(self:unknown()) end
  for _, key in ipairs(keys) do
    if self.object:terrain(key) == nil then return false end
  end
  return true
end

-- Whether an edit is of a usual kind and certain to succeed, as far as is told without a copy: ground of known keys,
-- blocks of known layers, costs within their range, walls on sides that cells have, links of other cells.
function Map:is_plain(op)
  local grid, name = self.object, op[1]
  local x0, y0, x1, y1 = grid:bounds()
  local function is_inside(x, y, w, h)
    return w >= 1 and h >= 1 and x >= x0 and y >= y0 and x + w - 1 <= x1 and y + h - 1 <= y1
  end
  if name == "terrain" then
    local cost = op[3]
    return grid:terrain(op[2]) ~= nil and (cost == false or cost >= 0.001 and cost <= 1e6)
  end
  if self:is_wrapped() and not SIZED[name] and name ~= "set" then return false end -- neither walls nor links
  if not is_inside(op[2], op[3], 1, 1) then return false end
  if name == "set" then return grid:terrain(op[4]) ~= nil end
  if name == "wall" or name == "unwall" then return self:directions()[op[4]] or false end
  if name == "link" then
    local options = op[6] or {}
    local cost = options.cost or 1
    return is_inside(op[4], op[5], 1, 1) and (op[2] ~= op[4] or op[3] ~= op[5]) and cost >= 0 and cost <= 1e6
      and self.links < MOST_LINKS - 1000 -- more than one request adds
  end
  if name == "unlink" then return is_inside(op[4], op[5], 1, 1) and (op[2] ~= op[4] or op[3] ~= op[5]) end
  local w, h = op[4], op[5]
  if type(w) ~= "number" then w = 1 end
  if type(h) ~= "number" then h = 1 end
  if not is_inside(op[2], op[3], w, h) then return false end
  if name == "fill" then return grid:terrain(op[6]) ~= nil end
  if name == "set_cells" then return are_known(self, op[6], w * h) end
  return type(op[#op]) ~= "string" or has_layer(grid, op[#op])
end

-- A pattern of the characters that are no key.
function Map:unknown()
  local keys = {}
  for _, entry in ipairs(self.palette) do
    if type(entry[1]) == "string" and #entry[1] == 1 then keys[#keys + 1] = entry[1]:gsub("%W", "%%%0") end
  end
  return "[^" .. table.concat(keys) .. "]"
end

local finder_of = Map.finder

-- The finder of a kind of unit. Only edits name layers of blocks, or instances would not have the same ones: a layer
-- that is not there yet is not ignored.
function Map:finder(unit)
  if type(unit) ~= "table" or type(unit.ignore) ~= "table" then return finder_of(self, unit) end
  local known, its = {}, {}
  for _, layer in ipairs(self.object:block_layers()) do known[layer] = true end
  for key, value in pairs(unit) do its[key] = value end
  its.ignore = {}
  for _, layer in ipairs(unit.ignore) do
    if known[layer] or type(layer) ~= "string" then its.ignore[#its.ignore + 1] = layer end
  end
  return finder_of(self, its)
end

-- Columns and rows.
function Map:size()
  return self.object:size()
end

return map
