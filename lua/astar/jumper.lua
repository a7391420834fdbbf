-- jumper.lua -- astar.jumper: the calls of Jumper (github.com/Yonaba/Jumper), answered by astar.
--
-- Games written for Jumper keep their code: Grid, Pathfinder, Path and Node have Jumper's methods and the fields that
-- games read. Jumper 1.8.1 keeps nodes in the path itself and calls their fields x and y; later versions keep them in
-- path._nodes and call the fields _x and _y. Both work here.
--
-- A grid of astar is made of the map for each value of `walkable`, when the first path needs it. Cells that are not
-- walkable become blocks and not ground of their own, because Jumper leaves from any cell and astar ignores a block
-- on the start.
--
-- Jumper reads the map in each query. Rereading all of it here would take longer than most searches. So each path that
-- is found is checked against the map, and all of the map is reread if the path has become wrong. A query that finds
-- no path rereads a part of the map, the next part each time. Rereading all of it then made a world generator of
-- 147,456 cells slower than with Jumper, because half of its 10,000 queries have no path.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local no_field = require(FOLDER .. ".no_field")

local abs, floor, max, min, sqrt = math.abs, math.floor, math.max, math.min, math.sqrt

-- Gives a class its constructor, which is called as Class(...) and as Class:new(...). `make` raises errors at level 3.
local function set_constructor(class, make)
  local function construct(_, ...)
    local object = make(...)
    return object
  end
  class.new = construct
  return setmetatable(class, { __call = construct })
end

-- Returns the keys of a table in alphabetical order.
local function keys_of(set)
  local keys = {}
  for key in entries, set do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- ---- heuristics ----

-- Jumper's functions of two nodes. Queries need none of them: astar's own estimate fits each mode and never
-- overestimates.
local Heuristics = {}

local function differences(a, b) return abs(a._x - b._x), abs(a._y - b._y) end

function Heuristics.MANHATTAN(a, b)
  local dx, dy = differences(a, b)
  return dx + dy
end

function Heuristics.EUCLIDIAN(a, b)
  local dx, dy = differences(a, b)
  return sqrt(dx * dx + dy * dy)
end

function Heuristics.DIAGONAL(a, b) return max(differences(a, b)) end

function Heuristics.CARDINTCARD(a, b)
  local dx, dy = differences(a, b)
  return min(dx, dy) * sqrt(2) + max(dx, dy) - min(dx, dy)
end

-- ---- nodes ----

local Node = {}

-- The fields x and y are those of Jumper 1.8.1.
function Node.__index(node, key)
  if key == "x" then return rawget(node, "_x") end
  if key == "y" then return rawget(node, "_y") end
  return Node[key]
end

function Node.__lt(a, b) return a._f < b._f end

local function new_node(x, y) return setmetatable({ _x = x, _y = y, _clearance = {} }, Node) end

set_constructor(Node, new_node)

function Node:getX() return self._x end
function Node:getY() return self._y end
function Node:getPos() return self._x, self._y end
function Node:getClearance(walkable) return self._clearance[walkable] end

function Node:removeClearance(walkable)
  self._clearance[walkable] = nil
  return self
end

-- Searches leave nothing in a node. Only a game can have set these fields.
function Node:reset()
  self._g, self._h, self._f, self._opened, self._closed, self._parent = nil, nil, nil, nil, nil, nil
  return self
end

-- ---- paths ----

local Path = {}

-- The grid of each path. It is no field of the path, so that a loop over a path's entries meets nodes alone.
local grid_of_path = setmetatable({}, { __mode = "k" })

function Path.__index(path, key)
  if key == "_nodes" then return path end
  if key == "_grid" then return grid_of_path[path] end
  return Path[key]
end

local function new_path(grid)
  local path = setmetatable({}, Path)
  grid_of_path[path] = grid
  return path
end

set_constructor(Path, function() return new_path() end)

-- Iterates over the nodes of the path, each with its number.
function Path:iter()
  local nodes, i = self._nodes, 0
  return function()
    i = i + 1
    if nodes[i] then return nodes[i], i end
  end
end

Path.nodes = Path.iter

function Path:getLength()
  local nodes, length = self._nodes, 0
  for i = 2, #nodes do length = length + Heuristics.EUCLIDIAN(nodes[i - 1], nodes[i]) end
  return length
end

function Path:addNode(node, index)
  table.insert(self._nodes, index or #self._nodes + 1, node)
  return self
end

-- Replaces the nodes of a path.
local function set_nodes(path, nodes)
  local own = path._nodes
  for i = 1, max(#own, #nodes) do own[i] = nodes[i] end
  return path
end

local function sign(number) return number > 0 and 1 or number < 0 and -1 or 0 end

-- Adds the cells between the nodes: diagonal steps as long as both coordinates differ, then straight steps.
function Path:fill()
  local own, grid, nodes = self._nodes, self._grid, {}
  for i, node in ipairs(own) do
    local last = nodes[#nodes]
    while last and max(differences(last, node)) > 1 do
      last = grid:getNodeAt(last._x + sign(node._x - last._x), last._y + sign(node._y - last._y))
      nodes[#nodes + 1] = last
    end
    nodes[#nodes + 1] = own[i]
  end
  return set_nodes(self, nodes)
end

-- Removes the nodes between two equal steps.
function Path:filter()
  local nodes = { self._nodes[1] }
  for i, node in ipairs(self._nodes) do
    local before, after = nodes[#nodes], self._nodes[i + 1]
    local is_between = i > 1 and after and node._x - self._nodes[i - 1]._x == after._x - node._x
      and node._y - self._nodes[i - 1]._y == after._y - node._y
    if node ~= before and not is_between then nodes[#nodes + 1] = node end
  end
  return set_nodes(self, nodes)
end

function Path:clone()
  return new_path(self._grid):append(self)
end

function Path:isEqualTo(other)
  local mine, others = self:clone():filter(), other:clone():filter()
  for node, i in mine:iter() do
    local another = others._nodes[i]
    if not another or another._x ~= node._x or another._y ~= node._y then return false end
  end
  return #mine._nodes == #others._nodes
end

function Path:reverse()
  local nodes, count = {}, #self._nodes
  for i = 1, count do nodes[i] = self._nodes[count + 1 - i] end
  return set_nodes(self, nodes)
end

function Path:append(other)
  for node in other:iter() do self:addNode(node) end
  return self
end

-- ---- maps ----

-- Returns a function that determines whether a value of the map is walkable.
local function test_of(walkable)
  if walkable == nil then
    return function() return true end
  elseif type(walkable) == "function" then
    return walkable
  end
  return function(value) return value == walkable end
end

-- Splits a map given as a string into rows of cells: each line is a row, each character a cell.
local function rows_of(text)
  local rows = {}
  for line in text:gmatch "[^\r\n]+" do
    local row = {}
    for i = 1, #line do row[i] = line:sub(i, i) end
    rows[#rows + 1] = row
  end
  return rows
end

-- Returns the least and the greatest key of a list; nil and what is wrong.
local function bounds_of(list, what)
  local first, last, count = math.huge, -math.huge, 0
  for key in entries, list do
    if type(key) ~= "number" or key % 1 ~= 0 then
      return nil, ("%s must be counted from 0 or 1, got an entry [%s]"):format(what, describe(key))
    end
    first, last, count = min(first, key), max(last, key), count + 1
  end
  if count == 0 then return nil, what .. " must not be empty" end
  if last - first >= count then return nil, what .. " must have no holes" end
  return first, last
end

local function shape_problem(row, y, x0, x1)
  if type(row) ~= "table" then return ("row %d must be a table, got %s"):format(y, describe(row)) end
  local is_longer = row[x0 - 1] ~= nil or row[x1 + 1] ~= nil
  for x = x0, x1 do
    if is_longer or row[x] == nil then
      return ("row %d must have cells %d to %d, as the first row has"):format(y, x0, x1)
    end
  end
end

-- Returns the bounds of a map; nil and what is wrong with it.
local function check_map(map)
  if type(map) ~= "table" then
    return nil, "map must be a table of rows or a string, got " .. describe(map)
  end
  local y0, y1 = bounds_of(map, "map")
  if not y0 then return nil, y1 end
  local x0, x1 = 0, "row " .. y0 .. " must be a table, got " .. describe(map[y0])
  if type(map[y0]) == "table" then x0, x1 = bounds_of(map[y0], "row " .. y0) end
  if type(x1) == "string" then return nil, x1 end
  for y = y0, y1 do
    local problem = shape_problem(map[y], y, x0, x1)
    if problem then return nil, problem end
  end
  return x0, x1, y0, y1
end

-- ---- snapshots ----

-- A snapshot is a grid of astar for one value of `walkable`: `rows` holds a string for each row of the map, with "#"
-- for each cell that is not walkable; `finders` the finders made so far; `wide` the snapshots for larger units, by the
-- clearance that these need.

-- Stands for a `walkable` of nil.
local NO_WALKABLE = {}

local function new_snapshot(grid)
  local blocks = core.grid(grid._width, grid._height, { origin = { grid._min_x, grid._min_y } })
  return { blocks = blocks, rows = {}, finders = {}, wide = {} }
end

-- Lays a row of a snapshot if it differs from the row before; returns true if it does.
local function lay_row(snapshot, grid, y, row)
  local before = snapshot.rows[y]
  if row == before then return false end
  local x0, blocks = grid._min_x, snapshot.blocks
  if before then blocks:unblock(x0, y, grid._width, 1) end
  local from, to = row:find "#+"
  while from do
    blocks:block(x0 + from - 1, y, to - from + 1, 1)
    from, to = row:find("#+", to + 1)
  end
  snapshot.rows[y] = row
  return true
end

-- Reads rows of the map again, all of them by default; returns true if a cell has changed. `test` determines whether a
-- value is walkable.
local function read_map(snapshot, grid, test, first, last)
  local map, x0, cells = grid._map, grid._min_x, {}
  local has_changed = false
  for y = first or grid._min_y, last or grid._max_y do
    local row = map[y]
    for i = 1, grid._width do cells[i] = test(row[x0 + i - 1]) and "." or "#" end
    has_changed = lay_row(snapshot, grid, y, table.concat(cells)) or has_changed
  end
  if has_changed then snapshot.clearances, snapshot.wide = nil, {} end
  return has_changed
end

local PART = 2048 -- cells, some 0.1 ms

-- Reads the next part of the map again; returns true if a cell has changed.
local function read_part(snapshot, grid, test)
  local first = snapshot.next_row or grid._min_y
  local last = min(first + max(floor(PART / grid._width), 1) - 1, grid._max_y)
  snapshot.next_row = last < grid._max_y and last + 1 or nil
  return read_map(snapshot, grid, test, first, last)
end

-- Functions may be made for each query, so snapshots are dropped with their keys. Therefore a snapshot must not refer
-- to its own function: Lua 5.1 and LuaJIT would keep both.
local function snapshot_of(grid, walkable)
  local key = walkable == nil and NO_WALKABLE or walkable
  local snapshot = grid._snapshots[key]
  if not snapshot then
    snapshot = new_snapshot(grid)
    grid._snapshots[key] = snapshot
    read_map(snapshot, grid, test_of(walkable))
  end
  return snapshot
end

-- Returns the clearances of a snapshot, a list for each row: the side of the largest square of walkable cells whose
-- north-west corner is the cell (Harabor and Botea, 2008).
local function clearances_of(snapshot, grid)
  if snapshot.clearances then return snapshot.clearances end
  local clearances, below, width = {}, nil, grid._width
  for y = grid._max_y, grid._min_y, -1 do
    local row, list = snapshot.rows[y], {}
    for i = width, 1, -1 do
      local is_open = row:byte(i) == 46 -- "."
      local has_room = is_open and below and i < width
      list[i] = has_room and 1 + min(list[i + 1], below[i], below[i + 1]) or is_open and 1 or 0
    end
    clearances[y], below = list, list
  end
  snapshot.clearances = clearances
  return clearances
end

-- Returns the snapshot for units that need a clearance: cells with less than that are blocks, too. A start with less
-- room is a block like any other, so that a unit may leave from it, as with Jumper.
local function wide_snapshot(snapshot, grid, clearance)
  local wide = snapshot.wide[clearance]
  if wide then return wide end
  wide = new_snapshot(grid)
  for y, list in entries, clearances_of(snapshot, grid) do
    local cells = {}
    for i, room in ipairs(list) do cells[i] = room >= clearance and "." or "#" end
    lay_row(wide, grid, y, table.concat(cells))
  end
  snapshot.wide[clearance] = wide
  return wide
end

-- ---- grids ----

local Grid = {}
Grid.__index = Grid

-- Jumper has two classes of grids. They differ in what getNodes and a call of the grid return before a node is needed.
local EagerGrid, LazyGrid = setmetatable({}, Grid), setmetatable({}, Grid)
EagerGrid.__index, LazyGrid.__index = EagerGrid, LazyGrid

function EagerGrid.__call(grid, x, y) return grid:getNodeAt(x, y) end

function LazyGrid.__call(grid, x, y, create)
  if create then return grid:getNodeAt(x, y) end
  return grid._nodes[y] and grid._nodes[y][x]
end

set_constructor(Grid, function(map, cacheNodeAtRuntime)
  if type(map) == "string" then map = rows_of(map) end
  if cacheNodeAtRuntime ~= nil and type(cacheNodeAtRuntime) ~= "boolean" then
    error("Grid: cacheNodeAtRuntime must be a boolean, got " .. describe(cacheNodeAtRuntime), 3)
  end
  local x0, x1, y0, y1 = check_map(map)
  if not x0 then error("Grid: " .. x1, 3) end
  return setmetatable({
    _map = map, _nodes = {}, _snapshots = setmetatable({}, { __mode = "k" }), _isAnnotated = {},
    _min_x = x0, _max_x = x1, _min_y = y0, _max_y = y1, _width = x1 - x0 + 1, _height = y1 - y0 + 1,
  }, cacheNodeAtRuntime and LazyGrid or EagerGrid)
end)

--- Reads the map again for all pathfinders of the grid; returns true if a cell has become walkable or not walkable.
function Grid:update()
  local has_changed = false
  for key, snapshot in entries, self._snapshots do
    local walkable = key
    if key == NO_WALKABLE then walkable = nil end
    has_changed = read_map(snapshot, self, test_of(walkable)) or has_changed
  end
  return has_changed
end

function Grid:getNodeAt(x, y)
  local row = self._nodes[y]
  local node = row and row[x]
  if node then return node end
  local cells = self._map[y]
  if x == nil or not cells or cells[x] == nil then return nil end
  if not row then
    row = {}
    self._nodes[y] = row
  end
  node = new_node(floor(x), floor(y)) -- integers on Lua 5.3 and later, too
  row[x] = node
  return node
end

-- Reads the map as it is now.
function Grid:isWalkableAt(x, y, walkable, clearance)
  local row = self._map[y]
  local value = row and row[x]
  if value == nil then return false end
  if walkable == nil then return true end
  if not test_of(walkable)(value) then return false end
  if clearance == nil then return true end
  return clearances_of(snapshot_of(self, walkable), self)[y][x - self._min_x + 1] >= clearance
end

function Grid:getWidth() return self._width end
function Grid:getHeight() return self._height end
function Grid:getMap() return self._map end
function Grid:getBounds() return self._min_x, self._min_y, self._max_x, self._max_y end

function Grid:getNodes() return self._nodes end

function EagerGrid:getNodes()
  for _ in self:iter() do end -- makes them
  return self._nodes
end

-- The order is Jumper's: east, west, south, north, then the diagonals.
local STRAIGHT = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }
local DIAGONAL = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } }

function Grid:getNeighbours(node, walkable, allowDiagonal, tunnel, clearance)
  local neighbours, x, y = {}, node._x, node._y
  local function is_open(dx, dy) return self:isWalkableAt(x + dx, y + dy, walkable, clearance) end
  for _, offset in ipairs(STRAIGHT) do
    if is_open(offset[1], offset[2]) then neighbours[#neighbours + 1] = self:getNodeAt(x + offset[1], y + offset[2]) end
  end
  for _, offset in ipairs(allowDiagonal and DIAGONAL or {}) do
    local dx, dy = offset[1], offset[2]
    if is_open(dx, dy) and (tunnel or is_open(dx, 0) or is_open(0, dy)) then
      neighbours[#neighbours + 1] = self:getNodeAt(x + dx, y + dy)
    end
  end
  return neighbours
end

-- Iterates over the nodes of a rectangle by rows, the whole grid by default.
function Grid:iter(lx, ly, ex, ey)
  local x0, x1, y1 = lx or self._min_x, ex or self._max_x, ey or self._max_y
  local x, y = x0 - 1, ly or self._min_y
  return function()
    x = x + 1
    if x > x1 then x, y = x0, y + 1 end
    if y <= y1 then return self:getNodeAt(x, y) end
  end
end

-- Iterates over the nodes on the outline of a square around a node, clockwise from the north-west corner.
function Grid:around(node, radius)
  local r, nodes, i = radius or 1, {}, 0
  local function add(x, y) nodes[#nodes + 1] = self:getNodeAt(node._x + x, node._y + y) end
  for x = -r, r do add(x, -r) end
  for y = 1 - r, r do add(r, y) end
  for x = r - 1, -r, -1 do add(x, r) end
  for y = r - 1, 1 - r, -1 do add(-r, y) end
  return function()
    i = i + 1
    return nodes[i]
  end
end

function Grid:eachRange(lx, ly, ex, ey, f, ...)
  for node in self:iter(lx, ly, ex, ey) do f(node, ...) end
  return self
end

function Grid:each(f, ...) return self:eachRange(nil, nil, nil, nil, f, ...) end

-- Jumper drops what the function returns, here as there.
Grid.imapRange, Grid.imap = Grid.eachRange, Grid.each

-- ---- pathfinders ----

local Pathfinder = {}
Pathfinder.__index = Pathfinder

-- By the name of a finder: whether its path holds every cell, the turning points alone or those of a path at any angle.
local FINDERS = {
  ASTAR = "cells", DIJKSTRA = "cells", BFS = "cells", DFS = "cells", JPS = "turns", THETASTAR = "any angle",
}
local MODES = { DIAGONAL = true, ORTHOGONAL = true }
local IS_WALKABLE = { ["nil"] = true, string = true, number = true, boolean = true, ["function"] = true }

-- Returns what is wrong with a name that must be among the keys of a table, nil if nothing is.
local function name_problem(what, name, set)
  if name ~= nil and set[name] then return nil end
  local list = table.concat(keys_of(set), ", "):gsub(", (%w+)$", " or %1")
  return ("%s must be %s, got %s"):format(what, list, describe(name))
end

local function grid_problem(grid)
  local class = getmetatable(grid)
  if class ~= EagerGrid and class ~= LazyGrid then
    return "grid must be a grid made by Grid(map), got " .. describe(grid)
  end
end

-- Jumper refuses numbers that are not integers, too.
local function walkable_problem(walkable)
  local kind = type(walkable)
  if not IS_WALKABLE[kind] or kind == "number" and floor(walkable) ~= walkable then
    return "walkable must be a string, an integer, a boolean, a function or nil, got " .. describe(walkable)
  end
end

-- Raises what is wrong with an argument at the line that called the method.
local function check(method, problem, level)
  if problem then error(method .. ": " .. problem, level or 3) end
end

set_constructor(Pathfinder, function(grid, finderName, walkable)
  local problem = grid_problem(grid) or name_problem("finderName", finderName or "ASTAR", FINDERS)
  check("Pathfinder", problem or walkable_problem(walkable), 4)
  return setmetatable({
    _grid = grid, _finder = finderName or "ASTAR", _walkable = walkable, _allowDiagonal = true,
    _heuristic = Heuristics.MANHATTAN, _tunnel = false,
  }, Pathfinder)
end)

function Pathfinder:setGrid(grid)
  check("setGrid", grid_problem(grid))
  self._grid = grid
  return self
end

function Pathfinder:setWalkable(walkable)
  check("setWalkable", walkable_problem(walkable))
  self._walkable = walkable
  return self
end

-- Without a name the finder stays.
function Pathfinder:setFinder(finderName)
  if finderName == nil then return self end
  check("setFinder", name_problem("finderName", finderName, FINDERS))
  self._finder = finderName
  return self
end

-- Accepts a function, because Jumper lets a game set and read one; getPath refuses it.
function Pathfinder:setHeuristic(heuristic)
  if type(heuristic) ~= "function" then
    check("setHeuristic", name_problem("heuristic", heuristic, Heuristics))
  end
  self._heuristic = Heuristics[heuristic] or heuristic
  return self
end

function Pathfinder:setMode(mode)
  check("setMode", name_problem("mode", mode, MODES))
  self._allowDiagonal = mode == "DIAGONAL"
  return self
end

function Pathfinder:setTunnelling(bool)
  check("setTunnelling", type(bool) ~= "boolean" and "a boolean expected, got " .. describe(bool))
  self._tunnel = bool
  return self
end

function Pathfinder:getGrid() return self._grid end
function Pathfinder:getWalkable() return self._walkable end
function Pathfinder:getFinder() return self._finder end
function Pathfinder:getHeuristic() return self._heuristic end
function Pathfinder:getMode() return self._allowDiagonal and "DIAGONAL" or "ORTHOGONAL" end
function Pathfinder:getTunnelling() return self._tunnel end
function Pathfinder.getFinders() return keys_of(FINDERS) end
function Pathfinder.getHeuristics() return keys_of(Heuristics) end
function Pathfinder.getModes() return keys_of(MODES) end

local NEEDS_WALKABLE = "the pathfinder needs a walkable value: call setWalkable first"

--- Reads the map again and writes the clearance of each cell into its node.
function Pathfinder:annotateGrid()
  local grid, walkable = self._grid, self._walkable
  check("annotateGrid", walkable == nil and NEEDS_WALKABLE)
  local snapshot = snapshot_of(grid, walkable)
  read_map(snapshot, grid, test_of(walkable))
  local clearances = clearances_of(snapshot, grid)
  for node in grid:iter() do node._clearance[walkable] = clearances[node._y][node._x - grid._min_x + 1] end
  grid._isAnnotated[walkable] = true
  return self
end

function Pathfinder:clearAnnotations()
  local walkable = self._walkable
  check("clearAnnotations", walkable == nil and NEEDS_WALKABLE)
  for _, row in entries, self._grid._nodes do
    for _, node in entries, row do node:removeClearance(walkable) end
  end
  self._grid._isAnnotated[walkable] = false
  return self
end

-- Jumper's searches leave values in nodes; searches here do not.
function Pathfinder:reset() return self end

local IS_HEURISTIC = {}
for _, heuristic in entries, Heuristics do IS_HEURISTIC[heuristic] = true end

local function options_of(self, tunnel)
  local kind, diagonals = FINDERS[self._finder], "never"
  if self._allowDiagonal then
    -- Jumper's documentation: tunnelling does not affect jump point search.
    diagonals = tunnel and self._finder ~= "JPS" and "always" or "if_at_most_one_obstacle"
  end
  -- The twin in plain Lua has no any_angle: there these paths have turning points.
  return diagonals, kind == "any angle" and core.implementation ~= "lua"
end

local function finder_of(snapshot, diagonals, any_angle)
  local key = diagonals .. tostring(any_angle)
  local finder = snapshot.finders[key]
  if not finder then
    finder = snapshot.blocks:finder { diagonals = diagonals, any_angle = any_angle or nil }
    snapshot.finders[key] = finder
  end
  return finder
end

-- Returns true if the map still allows each step of a path: the cell that the step enters is walkable and, of the two
-- cells beside a diagonal step, so is one if `diagonals` requires that.
local function is_still_open(cells, grid, test, diagonals)
  local map, needs_side = grid._map, diagonals == "if_at_most_one_obstacle"
  for i = 3, #cells, 2 do
    local x0, y0, x, y = cells[i - 2], cells[i - 1], cells[i], cells[i + 1]
    if not test(map[y][x]) then return false end
    local is_diagonal = x ~= x0 and y ~= y0
    if is_diagonal and needs_side and not test(map[y0][x]) and not test(map[y][x0]) then return false end
  end
  return true
end

-- Returns a path of Jumper's: all cells, or the turning points, of a path of astar's.
local function path_of(grid, found, cells, kind, any_angle)
  local path = new_path(grid)
  if any_angle then
    for i, point in ipairs(found:waypoints()) do path[i] = grid:getNodeAt(point.x, point.y) end
    return path
  end
  local count, last = 0, #cells
  for i = 1, last, 2 do
    local x, y = cells[i], cells[i + 1]
    local is_between = kind ~= "cells" and i > 1 and i < last - 1 and x - cells[i - 2] == cells[i + 2] - x
      and y - cells[i - 1] == cells[i + 3] - y
    if not is_between then
      count = count + 1
      path[count] = grid:getNodeAt(x, y)
    end
  end
  return path
end

-- Returns the path that answers a query, nil if there is none.
local function find(self, tunnel, clearance, sx, sy, ex, ey)
  local grid, walkable = self._grid, self._walkable
  local snapshot, test = snapshot_of(grid, walkable), test_of(walkable)
  local diagonals, any_angle = options_of(self, tunnel)

  local function search()
    local used = clearance and clearance > 1 and wide_snapshot(snapshot, grid, clearance) or snapshot
    local found = finder_of(used, diagonals, any_angle):find_path(sx, sy, ex, ey)
    return found, found and found:cells_flat()
  end

  local found, cells = search()
  if not found and read_part(snapshot, grid, test) then found, cells = search() end
  local is_wrong = found and not is_still_open(cells, grid, test, diagonals)
  if is_wrong and read_map(snapshot, grid, test) then found, cells = search() end
  return found and path_of(grid, found, cells, FINDERS[self._finder], any_angle)
end

-- Returns what is wrong with the arguments of getPath, nil if nothing is.
local function query_problem(self, startX, startY, endX, endY, extra)
  local grid, kind = self._grid, type(extra)
  if not grid:getNodeAt(startX, startY) then
    return ("start must be a cell of the map, got [%s, %s]"):format(describe(startX), describe(startY))
  elseif not grid:getNodeAt(endX, endY) then
    return ("goal must be a cell of the map, got [%s, %s]"):format(describe(endX), describe(endY))
  elseif extra ~= nil and kind ~= "boolean" and not (kind == "number" and extra >= 1 and extra == floor(extra)) then
    return "the fifth argument must be tunnel, a boolean, or clearance, an integer from 1, got " .. describe(extra)
  elseif not IS_HEURISTIC[self._heuristic] then
    return "the heuristic set by setHeuristic is a function, and astar.jumper takes names alone: to prefer or avoid "
      .. "cells, use the options cost or avoid of grid:finder, see docs/from_jumper.md"
  end
end

--- Returns the path and its length, or nil and 0. `extra`: tunnel if it is a boolean, as in Jumper 1.8.1; the clearance
-- that the unit needs if it is a number, as in later versions.
function Pathfinder:getPath(startX, startY, endX, endY, extra)
  check("getPath", query_problem(self, startX, startY, endX, endY, extra))
  local tunnel, clearance = self._tunnel, nil
  if type(extra) == "boolean" then tunnel = extra else clearance = extra end
  local path = find(self, tunnel, clearance, startX, startY, endX, endY)
  if not path then return nil, 0 end
  return path, path:getLength()
end

local jumper = { Grid = Grid, Pathfinder = Pathfinder, Path = Path, Node = Node, Heuristics = Heuristics }

return no_field.of_module(jumper, "astar.jumper")
