-- jumper.lua -- astar.jumper: the interface of the pathfinding library Jumper (github.com/Yonaba/Jumper) over astar.
--
-- Games written for Jumper keep their code: Grid, Pathfinder, Path and Node have Jumper's methods and the fields that
-- games read. Jumper 1.8.1 stores nodes in the path itself and calls their fields x and y. Later versions store nodes
-- in path._nodes and call the fields _x and _y. Both forms work here.
--
-- For each value of `walkable`, the first path makes a grid of astar from the map. Cells that are not walkable become
-- blocks, not a terrain that cannot be entered. The reason is that a unit of Jumper may start on any cell, and that
-- astar ignores a block on the start.
--
-- Jumper reads the map itself in each query, so a game may change its map at any time. Rereading the whole map in each
-- query would take longer than most searches. Therefore each path that is found is checked against the map, and the
-- whole map is reread only if the path has become wrong. A query that finds no path rereads one part of the map, the
-- next part each time. Rereading the whole map after each of these queries was tried: it made a world generator of
-- 147,456 cells slower than with Jumper, because half of its 10,000 queries have no path.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local no_field = require(FOLDER .. ".no_field")

local abs, floor, max, min, sqrt = math.abs, math.floor, math.max, math.min, math.sqrt

-- Gives a class its constructor, which a game calls as Class(...) or as Class:new(...). `make` makes the object; its
-- errors must have level 3 to name the line of the game.
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

-- Jumper's heuristics, which are functions of two nodes. A game can call them. Queries do not use them, because astar's
-- own heuristic fits each mode and never overestimates.
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

-- The class of nodes. A node is a cell of a grid.
local Node = {}

-- Returns the coordinates also for the keys x and y, as nodes of Jumper 1.8.1 have them.
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

-- Removes the fields in which searches of Jumper store their state. Searches of astar do not set them, but a game may.
function Node:reset()
  self._g, self._h, self._f, self._opened, self._closed, self._parent = nil, nil, nil, nil, nil, nil
  return self
end

-- The class of paths. A path is a list of nodes.
local Path = {}

-- The grid of each path. It is not a field of the path, so that a loop over all entries of a path meets only nodes.
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

-- Returns an iterator over the nodes of the path, each with its index.
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

-- Replaces all nodes of a path by the nodes of a list, and returns the path.
local function set_nodes(path, nodes)
  local own = path._nodes
  for i = 1, max(#own, #nodes) do own[i] = nodes[i] end
  return path
end

local function sign(number) return number > 0 and 1 or number < 0 and -1 or 0 end

-- Inserts the cells between each two nodes: diagonal steps as long as both coordinates differ, then straight steps.
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

-- Removes each node at which the path continues straight, so that only the two ends and the turning points remain.
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

-- Returns a function that returns true if a value of the map is walkable. The argument `walkable` is such a function,
-- the one walkable value, or nil if all values are walkable.
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

-- Returns the least and the greatest key of a list whose first key may be any integer. If the list has holes or other
-- keys, returns nil and a message. `what` is the name of the list in the message.
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

-- Returns the bounds of a map: its least and greatest x, its least and greatest y. If the map is wrong, returns nil and
-- a message.
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

-- A snapshot is the state of a map as it was last read for one value of `walkable`. Its fields: `blocks`, a grid of
-- astar with a block on each cell that is not walkable; `rows`, a string for each row of the map, with "#" for each
-- such cell; `finders`, the finders made so far; `wide`, the snapshots for larger units, by the clearance that they
-- need.

-- Table key that stands for a `walkable` of nil, because nil cannot be a key.
local NO_WALKABLE = {}

local function new_snapshot(grid)
  local blocks = core.grid(grid._width, grid._height, { origin = { grid._min_x, grid._min_y } })
  return { blocks = blocks, rows = {}, finders = {}, wide = {} }
end

-- Updates the blocks of row `y` of a snapshot. `row` is the new string of the row. Returns true if the row has changed.
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

-- Reads the rows of the map from `first` to `last` again, all rows by default. `test` is a function that returns true
-- if a value is walkable. Returns true if a cell has changed.
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

local PART = 2048 -- cells that read_part reads, which takes about 0.1 ms

-- Reads the next part of the map again. That part begins at the row after the part that was read before. Returns true
-- if a cell has changed.
local function read_part(snapshot, grid, test)
  local first = snapshot.next_row or grid._min_y
  local last = min(first + max(floor(PART / grid._width), 1) - 1, grid._max_y)
  snapshot.next_row = last < grid._max_y and last + 1 or nil
  return read_map(snapshot, grid, test, first, last)
end

-- Returns the snapshot for a value of `walkable`, and makes it at the first call. A game may make a new function
-- `walkable` for each query, so snapshots are the values of a table with weak keys and are freed with the function.
-- Therefore a snapshot must not refer to its own function: Lua 5.1 and LuaJIT would never free either.
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

-- Returns the clearances of a snapshot, a list for each row. The clearance of a cell is the side of the largest square
-- of walkable cells whose north-west corner is the cell (Harabor and Botea, 2008).
local function clearances_of(snapshot, grid)
  if snapshot.clearances then return snapshot.clearances end
  local clearances, below, width = {}, nil, grid._width
  for y = grid._max_y, grid._min_y, -1 do
    local row, list = snapshot.rows[y], {}
    for i = width, 1, -1 do
      local is_open = row:byte(i) == 46 -- the character "." marks a walkable cell
      local has_room = is_open and below and i < width
      list[i] = has_room and 1 + min(list[i + 1], below[i], below[i + 1]) or is_open and 1 or 0
    end
    clearances[y], below = list, list
  end
  snapshot.clearances = clearances
  return clearances
end

-- Returns the snapshot for units that need a clearance: cells with a smaller clearance are blocks in it. A unit may
-- start on a cell with a smaller clearance, as with Jumper, because astar ignores a block on the start.
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

-- The class of grids: methods of both kinds of grids below.
local Grid = {}
Grid.__index = Grid

-- Jumper has two classes of grids. In an EagerGrid all nodes exist; in a LazyGrid a node is made when it is needed.
-- Here both make nodes late and differ only in the results of getNodes and of a call of the grid.
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

--- Reads the map again for all pathfinders of the grid. Returns true if a cell has become walkable or is no longer
-- walkable.
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
  node = new_node(floor(x), floor(y)) -- math.floor turns floats such as 3.0 into integers on Lua 5.3 and later
  row[x] = node
  return node
end

-- Returns true if a cell is walkable and has at least the given clearance. Reads the cell from the map itself, but the
-- clearance from the snapshot, which may be stale.
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
  for _ in self:iter() do end -- makes all nodes
  return self._nodes
end

-- Offsets of the neighbours in the order in which Jumper lists them: east, west, south, north, then the diagonals.
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

-- Returns an iterator over the nodes of a rectangle, row by row. The rectangle is the whole grid by default.
function Grid:iter(lx, ly, ex, ey)
  local x0, x1, y1 = lx or self._min_x, ex or self._max_x, ey or self._max_y
  local x, y = x0 - 1, ly or self._min_y
  return function()
    x = x + 1
    if x > x1 then x, y = x0, y + 1 end
    if y <= y1 then return self:getNodeAt(x, y) end
  end
end

-- Returns an iterator over the nodes on the outline of a square around a node, clockwise from the north-west corner.
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

-- In Jumper, imap and imapRange ignore what the function returns and so do the same as each and eachRange.
Grid.imapRange, Grid.imap = Grid.eachRange, Grid.each

-- The class of pathfinders.
local Pathfinder = {}
Pathfinder.__index = Pathfinder

-- Names of Jumper's finders. The value determines which nodes a path of the finder has: all cells, the turning points
-- alone, or the turning points of a path of straight lines in any direction.
local FINDERS = {
  ASTAR = "cells", DIJKSTRA = "cells", BFS = "cells", DFS = "cells", JPS = "turns", THETASTAR = "any angle",
}
local MODES = { DIAGONAL = true, ORTHOGONAL = true }
local IS_WALKABLE = { ["nil"] = true, string = true, number = true, boolean = true, ["function"] = true }

-- Returns an error message unless `name` is a key of the table `set`. `what` is the name of the argument in the
-- message.
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

-- Returns an error message unless `walkable` has a type that Jumper allows. Jumper also refuses fractions.
local function walkable_problem(walkable)
  local kind = type(walkable)
  if not IS_WALKABLE[kind] or kind == "number" and floor(walkable) ~= walkable then
    return "walkable must be a string, an integer, a boolean, a function or nil, got " .. describe(walkable)
  end
end

-- Raises an error with the message `problem`, if there is one, at the line that called the method.
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

-- Sets the finder by its name. Without a name, the finder is unchanged.
function Pathfinder:setFinder(finderName)
  if finderName == nil then return self end
  check("setFinder", name_problem("finderName", finderName, FINDERS))
  self._finder = finderName
  return self
end

-- Sets the heuristic by its name. A function is accepted too, because a game of Jumper may set one and read it back.
-- getPath then raises an error, because astar does not use the function.
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

--- Reads the map again, computes the clearance of each cell for the pathfinder's `walkable`, and stores it in the node.
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

-- Does nothing. In Jumper it resets the nodes that searches have changed; searches of astar do not change nodes.
function Pathfinder:reset() return self end

local IS_HEURISTIC = {}
for _, heuristic in entries, Heuristics do IS_HEURISTIC[heuristic] = true end

local function options_of(self, tunnel)
  local kind, diagonals = FINDERS[self._finder], "never"
  if self._allowDiagonal then
    -- According to Jumper's documentation, tunnelling has no effect on jump point search.
    diagonals = tunnel and self._finder ~= "JPS" and "always" or "if_at_most_one_obstacle"
  end
  -- The twin in plain Lua has no any-angle paths. With the twin, THETASTAR returns the turning points of a usual path.
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

-- Returns true if the map still allows each step of a path. The cell that a step enters must be walkable. If
-- `diagonals` is "if_at_most_one_obstacle", one of the two cells beside a diagonal step must also be walkable.
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

-- Returns a path in Jumper's form for a path `found` of astar: a list of nodes of all cells or of the turning points.
-- `cells` is the flat list of the path's coordinates, `kind` a value of FINDERS.
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

-- Returns the path between two cells, or nil if there is none. If the map has changed, the query is repeated after the
-- snapshot was updated, see the beginning of this file.
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

-- Returns an error message if an argument of getPath is wrong, else nil.
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

--- Returns the path and its length, or nil and 0 if there is none. `extra` is a boolean or a number. A boolean, as in
-- Jumper 1.8.1, is used in place of the setting of setTunnelling. A number, as in later versions, is the clearance that
-- the unit needs.
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
