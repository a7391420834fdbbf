-- grid.lua -- grids: the ground, blocks in layers, edits and what they tell.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local draw = require(FOLDER .. ".draw")
local finder = require(FOLDER .. ".finder")
local make = require(FOLDER .. ".make_grid")
local object = require(FOLDER .. ".object")

local describe, fail, lacks, too_many, whole = object.describe, object.fail, object.lacks, object.too_many, object.whole

local Grid = finder.Grid
local methods, parts_of = Grid.methods, Grid.open

-- ---- arguments ----

-- The number of a cell, in the list of all and its border.
local function cell_at(grid, x, y)
  local x0, y0 = grid.x0, grid.y0
  x = whole(x, x0, x0 + grid.width - 1, "x") - x0 + 1
  y = whole(y, y0, y0 + grid.height - 1, "y") - y0 + 1
  return y * grid.stride + x + 1, x, y
end

local function rectangle(grid, x, y, w, h)
  local _, column, row = cell_at(grid, x, y)
  return {
    x = column, y = row, w = whole(w, 1, grid.width - column + 1, "w"), h = whole(h, 1, grid.height - row + 1, "h"),
  }
end

local function terrain_of(grid, key)
  local terrain = key == key and key ~= nil and grid.terrains[key]
  if not terrain then
    fail("unknown terrain %s%s%s", describe(key), make.cure(key), make.is_key(key) and ", or by grid:terrain" or "")
  end
  return terrain
end

-- ---- edits ----

local MOST_EDITS = 256

-- Notes an edit of the ground (no layer) or of a layer; of each the last 256 are known.
local function note_edit(grid, edit, layer)
  local log = grid.logs[layer or 0]
  if not log then
    log = { first = 1, last = 0, forgotten = grid.origin_version or 0 }
    grid.logs[layer or 0] = log
  end
  grid.version = grid.version + 1
  log.last = log.last + 1
  log[log.last] = grid.version
  edit.layer = layer
  grid.log[grid.version] = edit
  if log.last - log.first >= MOST_EDITS then
    log.forgotten = log[log.first]
    grid.log[log.forgotten], log[log.first] = nil, nil
    log.first = log.first + 1
  end
end

-- After a terrain was added or has another cost: what has changed where is not known.
local function note_palette(grid)
  grid.palette = grid.palette + 1
  grid.version = grid.version + 1
  grid.forgotten = grid.version
  grid.log[grid.version] = {}
end

local function recount(grid, terrain, more)
  local present = grid.present
  local before = present[terrain]
  present[terrain] = before + more
  if before == 0 or present[terrain] == 0 then grid.palette = grid.palette + 1 end
end

-- Gives the cells of a rectangle terrains; `find(i)` tells that of each, counted by rows from 1.
local function lay(grid, edit, find)
  local ground, changed, i = grid.ground, false, 0
  for y = edit.y, edit.y + edit.h - 1 do
    local row = y * grid.stride + 1
    for cell = row + edit.x, row + edit.x + edit.w - 1 do
      i = i + 1
      local terrain, before = find(i), ground[cell]
      if terrain ~= before then
        ground[cell], changed = terrain, true
        recount(grid, before, -1)
        recount(grid, terrain, 1)
      end
    end
  end
  if changed then note_edit(grid, edit) end
end

function methods.set(self, x, y, key, extra)
  local grid = parts_of(self, extra, "set", 3)
  local cell, column, row = cell_at(grid, x, y)
  local terrain, before = terrain_of(grid, key), grid.ground[cell]
  if terrain ~= before then
    grid.ground[cell] = terrain
    recount(grid, before, -1)
    recount(grid, terrain, 1)
    note_edit(grid, { x = column, y = row, w = 1, h = 1 })
  end
end

function methods.fill(self, x, y, w, h, key, extra)
  local grid = parts_of(self, extra, "fill", 5)
  local edit = rectangle(grid, x, y, w, h)
  local terrain = terrain_of(grid, key)
  lay(grid, edit, function() return terrain end)
end

function methods.set_cells(self, x, y, w, h, keys, extra)
  local grid = parts_of(self, extra, "set_cells", 5)
  local edit = rectangle(grid, x, y, w, h)
  local list, of_text = keys, type(keys) == "string"
  if of_text then
    list = make.characters(keys)
  elseif type(keys) ~= "table" then
    fail("keys must be a string or a list, got %s", describe(keys))
  else
    local stray = object.stray(keys)
    if stray then fail("keys are counted from 1, got an entry [%s]", stray) end
  end
  local count, got = edit.w * edit.h, object.length(list)
  if got ~= count then fail("keys must be %d x %d = %d cells, got %d", edit.w, edit.h, count, got) end
  local terrains = {}
  for i = 1, count do
    local column = (i - 1) % edit.w + 1
    terrains[i] = make.terrain_at(grid, rawget(list, i), math.floor((i - column) / edit.w) + 1, column, of_text)
  end
  lay(grid, edit, function(i) return terrains[i] end)
end

function methods.get_cells(self, x, y, w, h, extra)
  local grid = parts_of(self, extra, "get_cells", 4)
  local area, keys, is_text = rectangle(grid, x, y, w, h), {}, true
  for row = area.y, area.y + area.h - 1 do
    local first = row * grid.stride + 1 + area.x
    for cell = first, first + area.w - 1 do keys[#keys + 1] = grid.keys[grid.ground[cell]] end
  end
  for _, key in ipairs(grid.keys) do is_text = is_text and type(key) == "string" and #key == 1 end
  return is_text and table.concat(keys) or keys
end

function methods.get(self, x, y, extra)
  local grid = parts_of(self, extra, "get", 2)
  return grid.keys[grid.ground[cell_at(grid, x, y)]]
end

function methods.terrain(self, key, cost, extra)
  local grid = parts_of(self, extra, "terrain", 2)
  if not make.is_key(key) then fail("a terrain's key must be a string or an integer, got %s", describe(key)) end
  local terrain = grid.terrains[key]
  if cost == nil then
    local known = terrain and grid.costs[terrain]
    return known ~= math.huge and known or terrain and false
  end
  cost = object.cost(cost, "cost")
  if not terrain then
    make.add_terrain(grid, key, cost)
  elseif grid.costs[terrain] == cost then
    return
  else
    grid.costs[terrain] = cost
  end
  note_palette(grid)
end

-- ---- blocks ----

local function layer_name(name, what)
  if type(name) ~= "string" then
    fail("%s must be a string, got %s", what, describe(name))
  elseif #name > 255 then
    fail("%s must be a string of at most 255 bytes, got %s", what, describe(name))
  end
  return name
end

-- The number of a layer, given where there is none.
function finder.layer_number(grid, name, what)
  local number = grid.layer_numbers[layer_name(name, what)]
  if not number then
    number = #grid.layers + 1
    if number > 33 then fail("a grid holds at most 32 layers of blocks with names") end
    grid.layers[number] = { name = name, cells = {}, made = 0 }
    grid.layer_numbers[name] = number
  end
  return number
end

-- Puts blocks on a rectangle, or takes them away.
local function change_blocks(grid, edit, number, is_put)
  local layer, blocked, changed = grid.layers[number], grid.blocked, false
  local cells = layer.cells
  for y = edit.y, edit.y + edit.h - 1 do
    local row = y * grid.stride + 1
    for cell = row + edit.x, row + edit.x + edit.w - 1 do
      if (cells[cell] or false) ~= is_put then
        cells[cell], changed = is_put or nil, true
        local count = (blocked[cell] or 0) + (is_put and 1 or -1)
        blocked[cell] = count > 0 and count or nil
      end
    end
  end
  if changed then
    note_edit(grid, edit, number)
    layer.made = layer.made + 1
  end
end

-- The rectangle and the layer of x, y [, w, h] [, layer].
local function block_arguments(name, grid, x, y, w, h, layer, extra)
  if type(w) == "string" then
    if h ~= nil or layer ~= nil then too_many(name, 3, h ~= nil and h or layer) end
    w, layer = nil, w
  elseif type(h) == "string" then
    if layer ~= nil then too_many(name, 4, layer) end
    h, layer = nil, h
  end
  if extra ~= nil then too_many(name, 5, extra) end
  local edit = rectangle(grid, x, y, w == nil and 1 or w, h == nil and 1 or h)
  return edit, layer == nil and "" or layer_name(layer, "layer")
end

function methods.block(self, x, y, w, h, layer, extra)
  local grid = parts_of(self)
  local edit, name = block_arguments("block", grid, x, y, w, h, layer, extra)
  change_blocks(grid, edit, finder.layer_number(grid, name, "layer"), true)
end

function methods.unblock(self, x, y, w, h, layer, extra)
  local grid = parts_of(self)
  local edit, name = block_arguments("unblock", grid, x, y, w, h, layer, extra)
  local number = grid.layer_numbers[name]
  if number then change_blocks(grid, edit, number, false) end
end

function methods.is_blocked(self, x, y, layer, extra)
  local grid = parts_of(self, extra, "is_blocked", 3)
  local cell = cell_at(grid, x, y)
  local number = grid.layer_numbers[layer == nil and "" or layer_name(layer, "layer")]
  return number ~= nil and grid.layers[number].cells[cell] == true
end

function methods.block_layers(self, x, y, extra)
  local grid = parts_of(self, extra, "block_layers", 2)
  local cell = (x ~= nil or y ~= nil) and cell_at(grid, x, y)
  local names = {}
  for _, layer in ipairs(grid.layers) do
    if not cell or layer.cells[cell] then names[#names + 1] = layer.name end
  end
  return names
end

function methods.is_walkable(self, x, y, extra)
  local grid = parts_of(self, extra, "is_walkable", 2)
  local cell = cell_at(grid, x, y)
  return not grid.blocked[cell] and grid.costs[grid.ground[cell]] < math.huge
end

-- ---- the grid as a whole ----

function methods.size(self, extra)
  local grid = parts_of(self, extra, "size", 0)
  return grid.width, grid.height
end

function methods.bounds(self, extra)
  local grid = parts_of(self, extra, "bounds", 0)
  return grid.x0, grid.y0, grid.x0 + grid.width - 1, grid.y0 + grid.height - 1
end

function methods.shape(self, extra)
  parts_of(self, extra, "shape", 0)
  return "square"
end

function methods.version(self, extra)
  local grid = parts_of(self, extra, "version", 0)
  return grid.version
end

-- About: 16 bytes an entry of a list.
function methods.bytes(self, extra)
  local grid = parts_of(self, extra, "bytes", 0)
  local lists = 1
  for _ in entries, grid.maps do lists = lists + 1 end
  return 16 * lists * grid.last
end

function methods.changes(self, version, extra)
  local grid = parts_of(self, extra, "changes", 1)
  whole(version, 0, grid.version, "version")
  local changes = {}
  for _, log in entries, grid.logs do
    if log.forgotten > version then return nil end
  end
  if (grid.forgotten or 0) > version then return nil end
  for number = version + 1, grid.version do
    local edit = grid.log[number]
    for _, value in ipairs { edit.x + grid.x0 - 1, edit.y + grid.y0 - 1, edit.w, edit.h } do
      changes[#changes + 1] = value
    end
  end
  return changes
end

local function copy_of(list)
  local copy = {}
  for key, value in entries, list do copy[key] = value end
  return copy
end

function methods.clone(self, extra)
  local grid = parts_of(self, extra, "clone", 0)
  local copy = make.blank(grid.width, grid.height, grid.x0, grid.y0)
  for _, name in ipairs { "ground", "keys", "costs", "present", "terrains", "layer_numbers", "blocked" } do
    copy[name] = copy_of(grid[name])
  end
  for number, layer in ipairs(grid.layers) do
    copy.layers[number] = { name = layer.name, cells = copy_of(layer.cells), made = 0 }
  end
  copy.version, copy.forgotten, copy.origin_version = grid.version, grid.version, grid.version
  return Grid.new(copy)
end

-- ---- space ----

local STEPS = {
  north = { 0, -1 }, north_east = { 1, -1 }, east = { 1, 0 }, south_east = { 1, 1 },
  south = { 0, 1 }, south_west = { -1, 1 }, west = { -1, 0 }, north_west = { -1, -1 },
}

function methods.neighbour(self, x, y, direction, extra)
  local grid = parts_of(self, extra, "neighbour", 3)
  cell_at(grid, x, y)
  object.choice({ direction = direction == nil and false or direction }, "direction", finder.DIRECTIONS)
  local step = STEPS[direction]
  local nx, ny = x + step[1], y + step[2]
  local column, row = nx - grid.x0, ny - grid.y0
  if column >= 0 and row >= 0 and column < grid.width and row < grid.height then
    return math.floor(nx), math.floor(ny)
  end
end

function methods.distance(self, x0, y0, x1, y1, extra)
  local grid = parts_of(self, extra, "distance", 4)
  local _, column, row = finder.cell_of(grid, x0, y0, "x0", "y0")
  local _, other_column, other_row = finder.cell_of(grid, x1, y1, "x1", "y1")
  return math.max(math.abs(column - other_column), math.abs(row - other_row))
end

function methods.center(self, x, y, extra)
  local grid = parts_of(self, extra, "center", 2)
  cell_at(grid, x, y)
  return math.floor(x), math.floor(y)
end

function methods.cell_at(self, x, y, extra)
  local grid = parts_of(self, extra, "cell_at", 2)
  x = math.floor(object.real(x, -2 ^ 53, 2 ^ 53, "x") + 0.5)
  y = math.floor(object.real(y, -2 ^ 53, 2 ^ 53, "y") + 0.5)
  if x >= grid.x0 and y >= grid.y0 and x < grid.x0 + grid.width and y < grid.y0 + grid.height then return x, y end
end

-- ---- questions ----

function methods.draw(self, what, legend, extra)
  local grid = parts_of(self, extra, "draw", 2)
  return draw.text(self, grid, what, legend)
end

function methods.finder(self, options, extra)
  parts_of(self)
  if extra ~= nil then
    object.options(options or {}, {})
    too_many("finder", 1, extra)
  end
  return finder.new(self, options)
end

function methods.find_path(self, sx, sy, gx, gy, options, extra)
  local grid = parts_of(self, extra, "find_path", 5)
  local unit = options == nil and grid.own_finder
  if not unit then
    unit = finder.make(grid, options)
    if options == nil then grid.own_finder = unit end
  end
  return finder.find_path(unit, sx, sy, gx, gy)
end

for _, name in ipairs { "link", "unlink", "wall", "unwall", "has_wall", "share", "publish", "unshare", "dump" } do
  methods[name] = function(self)
    parts_of(self)
    lacks("grid:" .. name)
  end
end

-- There are none.
function methods.links(self)
  parts_of(self)
  return {}
end
methods.walls = methods.links

local grids = {}

--- astar.grid
function grids.grid(...) return Grid.new(make.grid(...)) end

return grids
