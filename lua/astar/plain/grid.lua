-- grid.lua -- The twin's grids and their methods: terrain, blocks in layers, restricted cells, edits and queries.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local finder = require(FOLDER .. ".finder")
local make = require(FOLDER .. ".make_grid")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")
local text_of = require(FOLDER:match "^(.+)[./][^./]+$" .. ".draw")

local describe, fail, too_many, whole = object.describe, object.fail, object.too_many, object.whole

local Grid = finder.Grid
local methods, parts_of = Grid.methods, Grid.open

-- Returns the number of a cell, its column and its row. Numbers count the border of the grid, too.
local function cell_at(grid, x, y) return finder.cell_of(grid, x, y, "x", "y") end

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

local MOST_EDITS = 1024 -- number of edits that are recorded

-- Records an edit of terrain (without a layer) or of a layer. Only the last MOST_EDITS edits are kept.
local function note_edit(grid, edit, layer)
  grid.version = grid.version + 1
  edit.layer = layer
  grid.log[grid.version], grid.log[grid.version - MOST_EDITS] = edit, nil
end

-- Records an edit of the palette. Such an edit has no rectangle, because it may affect any cell.
local function note_palette(grid)
  grid.palette = grid.palette + 1
  note_edit(grid, {})
end

local function fill(grid, x, y, w, h, key)
  local edit, terrain, changed = rectangle(grid, x, y, w, h), terrain_of(grid, key), false
  for row = edit.y, edit.y + edit.h - 1 do
    local first = row * grid.stride + 1 + edit.x
    for cell = first, first + edit.w - 1 do
      if grid.ground[cell] ~= terrain then grid.ground[cell], changed = terrain, true end
    end
  end
  if changed then note_edit(grid, edit) end
end

function methods.set(self, x, y, key, extra) fill(parts_of(self, extra, "set", 3), x, y, 1, 1, key) end

function methods.fill(self, x, y, w, h, key, extra) fill(parts_of(self, extra, "fill", 5), x, y, w, h, key) end

function methods.get(self, x, y, extra)
  local grid = parts_of(self, extra, "get", 2)
  return grid.keys[grid.ground[cell_at(grid, x, y)]]
end

--- Returns the list of the cells with the terrain `key`, row by row.
function methods.find_cells(self, key, extra)
  local grid, cells = parts_of(self, extra, "find_cells", 1), {}
  local terrain = terrain_of(grid, key)
  for y = 1, grid.height do
    for x = 1, grid.width do
      if grid.ground[y * grid.stride + 1 + x] == terrain then
        cells[#cells + 1] = { x = x + grid.x0 - 1, y = y + grid.y0 - 1 }
      end
    end
  end
  return cells
end

function methods.terrain(self, key, cost, extra)
  local grid = parts_of(self, extra, "terrain", 2)
  if not make.is_key(key) then
    fail("a terrain's key must be a string or an integer, got %s%s", describe(key),
      type(key) == "table" and ": one key per call, grid:terrain(key, cost)" or "")
  end
  local terrain = grid.terrains[key]
  if cost == nil then
    local known = terrain and grid.costs[terrain]
    return known ~= math.huge and known or terrain and false
  end
  cost = object.cost(cost, "cost")
  if terrain and grid.costs[terrain] == cost then return end
  if terrain then grid.costs[terrain] = cost else make.add_terrain(grid, key, cost) end
  note_palette(grid)
end

-- Raises an error about a name that no layer has.
function finder.no_layer(grid, name)
  local names = {}
  for _, layer in ipairs(grid.layers) do names[#names + 1] = layer.name end
  object.no_layer(name, grid.has_all_layers, names)
end

-- Returns the number of a layer, and adds the layer if it is missing. Raises an error if the grid was made with a fixed
-- list of layers.
function finder.layer_number(grid, name, what)
  local number = grid.layer_numbers[object.layer(name, what)]
  if not number then
    if grid.has_all_layers then finder.no_layer(grid, name) end
    number = #grid.layers + 1
    if number > 33 then fail("a grid holds at most 32 layers of blocks with names") end
    grid.layers[number] = { name = name, cells = {}, made = 0 }
    grid.layer_numbers[name] = number
  end
  return number
end

-- Sets the blocks of a layer on a rectangle, or removes them.
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

-- Reads the arguments x, y [, w, h] [, layer]. Returns the rectangle and the name of the layer.
local function block_arguments(name, grid, x, y, w, h, layer, extra)
  if type(w) == "string" and type(h) == "number" or type(h) == "string" and type(layer) == "number" then
    fail("layer must be the last argument: grid:%s(x, y, w, h, layer)", name)
  end
  if type(w) == "string" then
    if h ~= nil or layer ~= nil then too_many(name, 3, h ~= nil and h or layer) end
    w, layer = nil, w
  elseif type(h) == "string" then
    if layer ~= nil then too_many(name, 4, layer) end
    h, layer = nil, h
  end
  if extra ~= nil then too_many(name, 5, extra) end
  local edit = rectangle(grid, x, y, w == nil and 1 or w, h == nil and 1 or h)
  return edit, layer == nil and "" or object.layer(layer, "layer")
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
  if not number then finder.no_layer(grid, name) end
  change_blocks(grid, edit, number, false)
end

local DIRECTIONS = path.DIRECTIONS

-- Reads the argument `directions`: the name of a direction, or a list of names. Returns the set of the numbers of all
-- other directions, nil if all directions are listed.
local function read_exits(directions)
  local is_listed, barred, is_list = {}, {}, type(directions) == "table"
  for i = 1, is_list and object.length(directions) or 1 do
    local name = directions
    if is_list then name = rawget(directions, i) end
    is_listed[object.one_of(name, is_list and ("directions[%d]"):format(i) or "directions", DIRECTIONS)] = true
  end
  for i, name in ipairs(DIRECTIONS) do barred[i - 1] = not is_listed[name] or nil end
  return next(barred) ~= nil and barred or nil
end

-- Returns true if two restrictions are the same. nil is a restriction that bars nothing.
local function are_same_exits(a, b)
  for d = 0, 7 do
    if ((a and a[d]) or false) ~= ((b and b[d]) or false) then return false end
  end
  return true
end

-- Sets the restrictions of the cells of a rectangle. As in the C module, each changed cell is an edit of its own.
local function change_exits(grid, edit, barred)
  local exits = grid.exits
  for y = edit.y, edit.y + edit.h - 1 do
    for x = edit.x, edit.x + edit.w - 1 do
      local cell = y * grid.stride + 1 + x
      if not are_same_exits(exits[cell], barred) then
        grid.exit_count = grid.exit_count + (barred and 1 or 0) - (exits[cell] and 1 or 0)
        exits[cell] = barred
        note_edit(grid, { x = x, y = y, w = 1, h = 1, is_restriction = true })
      end
    end
  end
end

--- grid:restrict(x, y [, w, h], directions)
function methods.restrict(self, x, y, ...)
  local grid, count, w, h, directions, extra = parts_of(self), select("#", ...), ...
  if count <= 1 then w, h, directions = 1, 1, w end
  if extra ~= nil then too_many("restrict", 5, extra) end
  local edit = rectangle(grid, x, y, w, h)
  change_exits(grid, edit, read_exits(directions))
end

function methods.unrestrict(self, x, y, w, h, extra)
  local grid = parts_of(self, extra, "unrestrict", 4)
  if w == nil then w, h = 1, 1 end
  change_exits(grid, rectangle(grid, x, y, w, h), nil)
end

--- Returns the list of restricted cells, row by row: {{ x =, y =, directions = { ... } }, ...}.
function methods.restrictions(self, extra)
  local grid, cells, list = parts_of(self, extra, "restrictions", 0), {}, {}
  for cell in entries, grid.exits do cells[#cells + 1] = cell end
  table.sort(cells)
  for i, cell in ipairs(cells) do
    local names, row = {}, math.floor((cell - 1) / grid.stride)
    for d, name in ipairs(DIRECTIONS) do
      if not grid.exits[cell][d - 1] then names[#names + 1] = name end
    end
    list[i] = { x = cell - 1 - row * grid.stride + grid.x0 - 1, y = row + grid.y0 - 1, directions = names }
  end
  return list
end

-- Returns true if a value is one of the `count` numbers from `least` on. Raises an error if it is no whole number.
local function is_place(value, least, count, name)
  local is_whole = type(value) == "number" and value % 1 == 0 and value - value == 0
  if not is_whole then whole(value, least, least + count - 1, name) end
  return value >= least and value < least + count
end

-- Returns the number of a cell, nil if it lies outside the grid.
local function find_cell(grid, x, y)
  local is_column = is_place(x, grid.x0, grid.width, "x")
  return is_place(y, grid.y0, grid.height, "y") and is_column and cell_at(grid, x, y) or nil
end

function methods.contains(self, x, y, extra)
  return find_cell(parts_of(self, extra, "contains", 2), x, y) ~= nil
end

function methods.is_blocked(self, x, y, layer, extra)
  local grid = parts_of(self, extra, "is_blocked", 3)
  local cell = find_cell(grid, x, y)
  local number = grid.layer_numbers[layer == nil and "" or object.layer(layer, "layer")]
  if not number and grid.has_all_layers then finder.no_layer(grid, layer) end
  return cell ~= nil and number ~= nil and grid.layers[number].cells[cell] == true
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
  local cell = find_cell(grid, x, y)
  return cell ~= nil and not grid.blocked[cell] and grid.costs[grid.ground[cell]] < math.huge
end

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

--- Returns the rectangles of the edits since a version as a flat list { x, y, w, h, ... }, nil if these are not
-- recorded.
function methods.changes(self, version, extra)
  local grid, changes = parts_of(self, extra, "changes", 1), {}
  for number = whole(version, 0, grid.version, "version") + 1, grid.version do
    local edit = grid.log[number]
    if not (edit and edit.w) then return nil end
    for _, value in ipairs { edit.x + grid.x0 - 1, edit.y + grid.y0 - 1, edit.w, edit.h } do
      table.insert(changes, value)
    end
  end
  return changes
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

function methods.draw(self, what, legend, extra)
  local grid = parts_of(self, extra, "draw", 2)
  if type(what) == "table" and not path.class.test(what) and getmetatable(what) ~= "astar" then
    if legend ~= nil then fail("astar path expected, got a table") end
    what, legend = nil, what
  end
  if tostring(what):find "^astar search" then object.lacks "grid:draw of a search" end
  local parts, marks, cells = what ~= nil and path.class.open(what) or { count = 0 }, {}, {}
  if legend ~= nil and type(legend) ~= "table" then fail("legend must be a table, got %s", describe(legend)) end
  if parts.unit and parts.unit.grid ~= grid then
    fail "the path belongs to another grid: draw it by the grid that it was found on"
  end
  for i = 1, parts.count do marks[parts.cells[i]] = i == 1 and "S" or i == parts.count and "G" or "*" end
  for y = 1, grid.height do
    local first = y * grid.stride + 1
    for cell = first + 1, first + grid.width do
      cells[#cells + 1] = marks[cell] or grid.blocked[cell] and 0 or grid.ground[cell]
    end
  end
  local text, problem = text_of("draw", self, nil, legend, grid.keys, grid.costs, cells)
  return text or fail("%s", problem)
end

function methods.finder(self, options, extra)
  return finder.new(parts_of(self, extra, "finder", 1), options)
end

function methods.find_path(self, sx, sy, gx, gy, options, extra)
  local grid = parts_of(self, extra, "find_path", 5)
  local unit = options == nil and grid.own_finder or finder.make(grid, options)
  if options == nil then grid.own_finder = unit end
  return finder.find_path(unit, sx, sy, gx, gy)
end

object.lack(Grid, {
  "bytes", "clone", "distance", "dump", "get_cells", "has_wall", "link", "neighbour", "publish", "set_cells",
  "share", "unlink", "unshare", "unwall", "wall",
})

-- Returns an empty list, because grids of the twin have no links. grid:walls is the same function.
function methods.links(self)
  parts_of(self)
  return {}
end
methods.walls = methods.links

--- astar.grid: makes a grid.
return function(...) return Grid.new(make.grid(...)) end
