-- map.lua -- one map of the service: a grid that follows rows of data.
--
-- A map is kept as rows by whatever engine holds them: one of what it is, one for each chunk of ground, and a log of
-- edits. Each edit has a version, counted from 1 without gaps; `base` is the version that the other rows stand for.
-- Nothing here knows the engine.

local astar = require "astar"

local versions = require "astar_service.versions"

local map = {}

map.CHUNK = 64 -- cells a side

local Map = {}
Map.__index = Map

versions.join(Map)

-- What an edit may call of the grid; 1: its arguments begin with coordinates of cells.
Map.OPS = {
  set = 1, fill = 1, set_cells = 1, block = 1, unblock = 1, terrain = 0,
  link = 0, unlink = 0, wall = 0, unwall = 0,
}

-- Those that change ground or blocks, by how their rectangle is told.
local SIZED = { fill = true, set_cells = true, block = true, unblock = true }

map.plain = versions.plain

-- ---- from rows, and to rows ----

-- A map from what it is: { name =, width =, height =, x0 =, y0 =, base =, palette = { { key, cost }, ... }, links =,
-- walls =, layers = }, these the names of the layers of blocks, so that all instances know the same ones. Its
-- chunks are to be put in before edits are.
function map.new(meta)
  if meta.graph then return require("astar_service.graph_map").new(meta) end
  local terrain = {}
  for _, entry in ipairs(meta.palette) do terrain[entry[1]] = entry[2] end
  local grid = astar.grid(meta.width, meta.height,
    { terrain = terrain, fill = meta.palette[1][1], origin = { meta.x0, meta.y0 } })
  for _, link in ipairs(meta.links or {}) do
    grid:link(link[1], link[2], link[3], link[4], { cost = link[5], label = link[6] or nil, one_way = link[7] })
  end
  for _, wall in ipairs(meta.walls or {}) do grid:wall(wall[1], wall[2], wall[3], wall[4]) end
  grid:finder { ignore = meta.layers or {} } -- names them
  local self = setmetatable({ palette = {}, touched = {}, has_links = #(meta.links or {}) > 0 }, Map)
  versions.begin(self, meta.name, grid, meta.base)
  for i, entry in ipairs(meta.palette) do self.palette[i] = { entry[1], entry[2] } end
  return self
end

-- A grid, or a graph, as a map, to be told as rows. `palette` names a grid's terrains: { { key, cost }, ... }.
function map.of(name, object, palette)
  if not palette then return require("astar_service.graph_map").of(name, object) end
  return versions.begin(setmetatable({ palette = palette, touched = {} }, Map), name, object, 0)
end

-- The rectangle of cells that chunk (cx, cy) covers; the first is (0, 0).
function Map:chunk_area(cx, cy)
  local x0, y0, x1, y1 = self.object:bounds()
  local x, y = x0 + cx * map.CHUNK, y0 + cy * map.CHUNK
  return x, y, math.min(map.CHUNK, x1 - x + 1), math.min(map.CHUNK, y1 - y + 1)
end

-- How many chunks lie side by side, and one above another.
function Map:chunk_count()
  local width, height = self.object:size()
  return math.ceil(width / map.CHUNK), math.ceil(height / map.CHUNK)
end

local function block_run(self, area, first, count, layer)
  local x, y, w = area[1], area[2], area[3]
  while count > 0 do -- one piece of a row at a time
    local column = first % w
    local here = math.min(count, w - column)
    self.object:block(x + column, y + math.floor(first / w), here, 1, layer)
    first, count = first + here, count - here
  end
end

-- Puts in a chunk's ground, keys as grid:set_cells takes them, and blocks: { first, count, ... } in cells row by row,
-- and after the name of each layer that has one those of it.
function Map:put_chunk(cx, cy, ground, blocks)
  local area = { self:chunk_area(cx, cy) }
  self.object:set_cells(area[1], area[2], area[3], area[4], ground)
  local i, layer = 1, nil
  while i <= #blocks do
    if type(blocks[i]) == "string" then
      layer, i = blocks[i], i + 1
    else
      block_run(self, area, blocks[i], blocks[i + 1], layer)
      i = i + 2
    end
  end
end

-- Adds the runs of blocks of a layer to a list, after its name where it has one and there are any.
local function add_runs(runs, grid, layer, x, y, w, h)
  local last
  for at = 0, w * h - 1 do
    if grid:is_blocked(x + at % w, y + math.floor(at / w), layer) then
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

-- The row of a chunk as it is now: ground, blocks.
function Map:chunk(cx, cy)
  local x, y, w, h = self:chunk_area(cx, cy)
  local runs = {}
  for _, layer in ipairs(self.object:block_layers()) do add_runs(runs, self.object, layer, x, y, w, h) end
  return self.object:get_cells(x, y, w, h), runs
end

-- What the map is now, as map.new takes it.
function Map:meta()
  local width, height = self.object:size()
  local x0, y0 = self.object:bounds()
  local links, walls, layers = {}, {}, self.object:block_layers()
  table.remove(layers, 1) -- the one without a name
  for i, link in ipairs(self.object:links()) do
    links[i] = { link.x0, link.y0, link.x1, link.y1, link.cost, link.label or false, link.one_way or false }
  end
  for i, wall in ipairs(self.object:walls()) do walls[i] = { wall.x, wall.y, wall.direction, wall.one_way or false } end
  return {
    name = self.name, width = width, height = height, x0 = x0, y0 = y0, base = self.version,
    palette = self.palette, links = links, walls = walls, layers = layers,
  }
end

-- The chunks that edits have touched since the last call, as a list of { cx, cy }, in order.
function Map:take_touched()
  local list, across = {}, self:chunk_count()
  for at in pairs(self.touched) do list[#list + 1] = at end
  table.sort(list)
  for i, at in ipairs(list) do list[i] = { at % across, math.floor(at / across) } end
  self.touched = {}
  return list
end

-- Takes chunks back that take_touched gave: their rows were not written after all.
function Map:touch_again(list)
  local across = self:chunk_count()
  for _, at in ipairs(list) do self.touched[at[2] * across + at[1]] = true end
end

-- ---- edits ----

local function touch(self, op)
  if Map.OPS[op[1]] == 0 then return end
  local x0, y0 = self.object:bounds()
  local w, h = 1, 1
  if SIZED[op[1]] then -- a layer of blocks may stand in their place
    w, h = type(op[4]) == "number" and op[4] or 1, type(op[5]) == "number" and op[5] or 1
  end
  local across = self:chunk_count()
  for cy = math.floor((op[3] - y0) / map.CHUNK), math.floor((op[3] - y0 + h - 1) / map.CHUNK) do
    for cx = math.floor((op[2] - x0) / map.CHUNK), math.floor((op[2] - x0 + w - 1) / map.CHUNK) do
      self.touched[cy * across + cx] = true
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

function Map:note(op)
  touch(self, op)
  note_terrain(self, op)
  self.has_links = self.has_links or op[1] == "link"
end

function Map:copy()
  return self.object:clone()
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
