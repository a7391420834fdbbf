-- map.lua -- one map of the service: a grid that follows rows of data.
--
-- A map is kept as rows by whatever holds them: one of what it is, one for each piece of ground, and a log of edits.
-- Each request's edits make a version, counted without gaps; `base` is the version that the other rows stand for.
-- Nothing here knows who keeps them.

local astar = require "astar"
local json = require "cjson"

local versions = require "astar_service.versions"

local map = {}

map.CHUNK = 128 -- cells a side of a piece

local Map = {}
map.class = Map
Map.__index = Map

versions.join(Map)

-- What an edit may call of the grid; 1: its arguments begin with coordinates of cells.
Map.OPS = {
  set = 1, fill = 1, set_cells = 1, block = 1, unblock = 1, terrain = 0,
  link = 0, unlink = 0, wall = 0, unwall = 0,
}

-- Those that change ground or blocks by a rectangle.
local SIZED = { fill = true, set_cells = true, block = true, unblock = true }

map.plain = versions.plain

-- ---- from rows, and to rows ----

-- A map from what it is: { width =, height =, x0 =, y0 =, shape =, offset =, palette = { { key, cost }, ... }, links =,
-- walls =, layers = }, these the names of the layers of blocks, so that all instances know the same ones. Its
-- pieces are to be put in before edits are.
function map.new(name, base, meta)
  local terrain = {}
  for _, entry in ipairs(meta.palette) do terrain[entry[1]] = entry[2] end
  local grid = astar.grid(meta.width, meta.height, {
    terrain = terrain, fill = meta.palette[1][1], origin = { meta.x0, meta.y0 },
    shape = meta.shape, offset = meta.offset,
  })
  for _, link in ipairs(meta.links or {}) do
    grid:link(link[1], link[2], link[3], link[4], { cost = link[5], label = link[6] or nil, one_way = link[7] })
  end
  for _, wall in ipairs(meta.walls or {}) do grid:wall(wall[1], wall[2], wall[3], wall[4]) end
  grid:finder { ignore = meta.layers or {} } -- names them
  return map.of(name, base, grid, meta.palette)
end

-- A grid as a map. `palette` names its terrains: { { key, cost }, ... }.
function map.of(name, base, grid, palette)
  local self = setmetatable({ palette = {}, touched = {}, has_links = #grid:links() > 0 }, Map)
  for i, entry in ipairs(palette) do self.palette[i] = { entry[1], entry[2] } end
  return versions.begin(self, name, grid, base)
end

-- How many pieces lie side by side, and how many there are.
function Map:piece_count()
  local width, height = self.object:size()
  local across = math.ceil(width / map.CHUNK)
  return across, across * math.ceil(height / map.CHUNK)
end

-- The rectangle of cells that piece i covers; the first is 1.
local function piece_area(self, i)
  local x0, y0, x1, y1 = self.object:bounds()
  local across = self:piece_count()
  local x, y = x0 + (i - 1) % across * map.CHUNK, y0 + (i - 1) // across * map.CHUNK
  return x, y, math.min(map.CHUNK, x1 - x + 1), math.min(map.CHUNK, y1 - y + 1)
end

local function block_run(grid, x, y, w, first, count, layer)
  while count > 0 do -- one piece of a row at a time
    local column = first % w
    local here = math.min(count, w - column)
    grid:block(x + column, y + first // w, here, 1, layer)
    first, count = first + here, count - here
  end
end

-- Puts in piece i as Map:piece told it: its ground, keys as grid:set_cells takes them, and blocks, { first, count,
-- ... } in cells row by row, and after the name of each layer that has one those of it.
function Map:put_piece(i, text, pause)
  local x, y, w, h = piece_area(self, i)
  local ground, blocks = table.unpack(json.decode(text))
  self.object:set_cells(x, y, w, h, ground)
  local at, layer = 1, nil
  self.has_blocks = self.has_blocks or #blocks > 0
  while at <= #blocks do
    if type(blocks[at]) == "string" then
      layer, at = blocks[at], at + 1
    else
      block_run(self.object, x, y, w, math.tointeger(blocks[at]), math.tointeger(blocks[at + 1]), layer)
      at = at + 2
      if at % 1000 == 1 then pause() end
    end
  end
end

-- Adds the runs of blocks of a layer to a list, after its name where it has one and there are any.
local function add_runs(runs, grid, layer, pause, x, y, w, h)
  local last
  for at = 0, w * h - 1 do
    if at % 4096 == 0 then pause() end
    if grid:is_blocked(x + at % w, y + at // w, layer) then
      if last == at - 1 then
        runs[#runs] = runs[#runs] + 1
      else
        if not last and layer ~= "" then runs[#runs + 1] = layer end
        runs[#runs + 1], runs[#runs + 2] = at, 1
      end
      last = at
    end
  end
end

-- Piece i as text. pause() lets others go on, who must not edit this one.
function Map:piece(i, pause)
  local x, y, w, h = piece_area(self, i)
  local runs, layers = {}, self.object:block_layers()
  if #layers > 1 or self.has_blocks then
    for _, layer in ipairs(layers) do add_runs(runs, self.object, layer, pause, x, y, w, h) end
  end
  return json.encode { self.object:get_cells(x, y, w, h), runs }
end

-- What the map is now, as map.new takes it.
function Map:meta()
  local width, height = self.object:size()
  local x0, y0 = self.object:bounds()
  local links, walls, layers = {}, {}, self.object:block_layers()
  table.remove(layers, 1) -- the one without a name
  for i, link in ipairs(self.object:links()) do
    links[i] = { link.x0, link.y0, link.x1, link.y1, link.cost, link.label ~= true and link.label or false,
      link.one_way or false }
  end
  for i, wall in ipairs(self.object:walls()) do walls[i] = { wall.x, wall.y, wall.direction, wall.one_way or false } end
  local shape, offset = self.object:shape()
  return {
    width = width, height = height, x0 = x0, y0 = y0, shape = shape, offset = offset,
    palette = self.palette, links = links, walls = walls, layers = layers,
  }
end

-- ---- edits ----

-- Notes at which version the pieces in a rectangle were last touched.
local function touch(self, op, version)
  if Map.OPS[op[1]] == 0 then return end
  local x0, y0 = self.object:bounds()
  local w, h = 1, 1
  if SIZED[op[1]] then -- a layer of blocks may stand in their place
    w, h = type(op[4]) == "number" and op[4] or 1, type(op[5]) == "number" and op[5] or 1
  end
  local across = self:piece_count()
  for row = (op[3] - y0) // map.CHUNK, (op[3] - y0 + h - 1) // map.CHUNK do
    for column = (op[2] - x0) // map.CHUNK, (op[2] - x0 + w - 1) // map.CHUNK do
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
  self.has_links = self.has_links or op[1] == "link"
  self.has_blocks = self.has_blocks or op[1] == "block"
end

function Map:copy()
  return self.object:clone()
end

local function is_whole(value) return type(value) == "number" and value % 1 == 0 end

-- Whether an edit is of the usual kind and certain to succeed, as far as is told without a copy: ground of known keys,
-- blocks of known layers, within the grid.
function Map:is_plain(op)
  local grid, name = self.object, op[1]
  local x0, y0, x1, y1 = grid:bounds()
  local x, y, w, h, last = op[2], op[3], op[4], op[5], #op
  if Map.OPS[name] ~= 1 then return false end
  if name == "set" then w, h, last = 1, 1, 4 elseif last == 3 then w, h = 1, 1 elseif last == 4 then w, h = 1, 1 end
  if not (is_whole(x) and is_whole(y) and is_whole(w) and is_whole(h)) then return false end
  if x < x0 or y < y0 or w < 1 or h < 1 or x + w - 1 > x1 or y + h - 1 > y1 then return false end
  if name == "set" or name == "fill" then return #op == (name == "set" and 4 or 6) and grid:terrain(op[#op]) ~= nil end
  if name == "set_cells" then
    return #op == 6 and type(op[6]) == "string" and #op[6] == w * h and not op[6]:find(self:unknown())
  end
  local layer = (last == 4 or last == 6) and op[last] or ""
  for _, known in ipairs(grid:block_layers()) do
    if known == layer then return true end
  end
  return false
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

-- The finder of a kind of unit. Only edits name layers of blocks, or instances would not have the same ones: what is
-- not there yet is not ignored.
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
