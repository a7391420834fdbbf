-- path.lua -- The twin's paths and their methods. A path stores the list of the numbers of its cells.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")
local search = require(FOLDER .. ".search")

local whole, position = object.whole, costs.position
local huge = math.huge

-- The names of the directions, clockwise from north. The direction with the number d is the entry d + 1.
local DIRECTIONS = { "north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west" }
local path = { DIRECTIONS = DIRECTIONS }

local function direction_at(parts, i)
  return costs.direction(parts.unit.grid.stride, parts.cells[i], parts.cells[i + 1])
end

local function length_of(parts)
  local diagonal = 0
  for i = 1, parts.count - 1 do diagonal = diagonal + direction_at(parts, i) % 2 end
  return (parts.count - 1 - diagonal + diagonal * math.sqrt(2)) * 1.0
end

local function point_at(parts, i)
  local x, y = position(parts.unit.grid, parts.cells[i])
  return { x = x, y = y }
end

-- Returns the list of the cells at which the direction changes, including the first and the last cell.
local function waypoints_of(parts)
  local list, before = {}, nil
  for i = 1, parts.count do
    local d = i < parts.count and direction_at(parts, i) or -1
    if d ~= before then list[#list + 1] = point_at(parts, i) end
    before = d
  end
  return list
end

local Path = object.class {
  title = "astar path", fields = { "cost", "length", "bends", "expanded", "algorithm", "partial", "of_world" },
  count = function(parts) return parts.count end,
  item = function(parts, i) return parts.cells[i] and i <= parts.count and point_at(parts, i) or nil end,
  field = function(parts, name)
    if name == "bends" then return math.max(#waypoints_of(parts) - 2, 0) end
    if name == "of_world" then return false end
    if name == "length" then return length_of(parts) end
    if name == "cost" or name == "expanded" or name == "algorithm" or name == "partial" then return parts[name] end
  end,
  tell = function(parts)
    return ("astar path of %d cells, cost %s"):format(parts.count, object.describe(parts.cost))
  end,
}
path.class = Path
local methods, open = Path.methods, Path.open

--- Makes a path. `properties` has its other fields, such as the goal and the query's options.
function path.new(unit, cells, count, cost, properties)
  return Path.new {
    unit = unit, cells = cells, count = count, cost = cost, goal = properties.goal, options = properties.options,
    expanded = properties.expanded or 0, algorithm = properties.algorithm or "astar",
    partial = properties.partial or false,
    valid_from = properties.edits and not unit.asks and 1 or huge, valid_at = properties.edits,
  }
end

--- Returns the path of a search that has found one.
function path.of_search(self)
  local cells, count = search.trace(self)
  local is_partial = self.near ~= nil and self.found == self.near
  local goal = self.goal ~= 0 and self.goal
  if self.goals then goal = self.goals[self.marks[self.found] or self.near_index] end
  return path.new(self.unit, cells, count, search.sum(self, cells, count), {
    goal = goal or cells[count], options = self.options,
    expanded = self.expanded, algorithm = self.algorithm, partial = is_partial, edits = self.query.edits,
  })
end

--- Runs a search to its end. Returns its path, or nil and the reason why there is none.
function path.answer(self)
  local status = search.step(self, huge)
  local found = status == "found" and path.of_search(self) or nil
  search.close(self)
  return found, not found and status or nil
end

function methods.cell(self, i, extra)
  local parts = open(self, extra, "cell", 1)
  return position(parts.unit.grid, parts.cells[whole(i, 1, parts.count, "i")])
end

methods.center = methods.cell

function methods.cells(self, extra)
  local parts = open(self, extra, "cells", 0)
  local cells, count, grid, i = parts.cells, parts.count, parts.unit.grid, 0
  return function()
    if i < count then
      i = i + 1
      return position(grid, cells[i])
    end
  end
end

function methods.totable(self, extra)
  local parts, list = open(self, extra, "totable", 0), {}
  for i = 1, parts.count do list[i] = point_at(parts, i) end
  return list
end

function methods.waypoints(self, extra) return waypoints_of(open(self, extra, "waypoints", 0)) end

function methods.cells_flat(self, extra)
  local parts, flat = open(self, extra, "cells_flat", 0), {}
  for i = 1, parts.count do flat[2 * i - 1], flat[2 * i] = position(parts.unit.grid, parts.cells[i]) end
  return flat
end

function methods.copy_into(self, xs, ys, extra)
  local parts = open(self, extra, "copy_into", 2)
  if type(xs) ~= "table" then object.fail("xs must be a table, got %s", object.describe(xs)) end
  if type(ys) ~= "table" then object.fail("ys must be a table, got %s", object.describe(ys)) end
  for i = 1, parts.count do xs[i], ys[i] = position(parts.unit.grid, parts.cells[i]) end
  return parts.count
end

function methods.directions(self, extra)
  local parts, list = open(self, extra, "directions", 0), {}
  for i = 1, parts.count - 1 do list[i] = DIRECTIONS[direction_at(parts, i) + 1] end
  return list
end

function methods.link(self, i, extra)
  whole(i, 1, open(self, extra, "link", 1).count, "i")
  return nil
end

object.lack(Path, { "breaches", "dump", "reverse", "smooth" })

-- Returns true if the path from a cell on was checked before and no edit has been made since.
local function is_known_valid(parts, from)
  return from >= parts.valid_from and map.count_edits(parts.unit.map) == parts.valid_at
end

function methods.is_valid(self, from, extra)
  local parts = open(self, extra, "is_valid", 1)
  from = from == nil and 1 or whole(from, 1, parts.count, "from")
  if is_known_valid(parts, from) then return true end
  local cost, bad = costs.walk(parts.unit, parts.cells, parts.count, from)
  if not cost then return false, bad end
  if not parts.unit.asks then parts.valid_from, parts.valid_at = from, map.count_edits(parts.unit.map) end
  return true
end

function methods.cost_at(self, i, extra)
  local parts = open(self, extra, "cost_at", 1)
  local _, cost, bad = costs.walk_within(parts.unit, parts.cells, 1, whole(i, 1, parts.count, "i"), huge)
  if bad then return nil, bad end
  return cost
end

function methods.index_within(self, cost, from, extra)
  local parts = open(self, extra, "index_within", 2)
  object.real(cost, 0, huge, "cost")
  from = from == nil and 1 or whole(from, 1, parts.count, "from")
  return (costs.walk_within(parts.unit, parts.cells, from, parts.count, cost))
end

--- Returns true if the path answers a query for the goal (x, y): it is the path's own goal or, if the query has no
-- range, its last cell.
function path.leads_to(self, x, y)
  local parts = open(self)
  local grid = parts.unit.grid
  local function is_at(cell)
    local cell_x, cell_y = costs.position(grid, cell)
    return cell_x == x and cell_y == y
  end
  return is_at(parts.goal) and not parts.partial
    or parts.options.range == 0 and is_at(parts.cells[parts.count])
end

--- Returns true if, on the present map, the unit can step from the i-th cell to the next one, or back if `back` is
-- true.
function path.may_step(self, i, back)
  local parts = open(self)
  if not back and is_known_valid(parts, i) then return true end
  local from, to = parts.cells[i], parts.cells[i + 1]
  if back then from, to = to, from end
  local query = costs.begin(parts.unit, from)
  return costs.step(query, from, costs.direction(parts.unit.grid.stride, from, to)) < huge
end

--- Returns the cost of the step from the i-th cell to the next one on the present map, and its length. Returns nil if
-- the step cannot be made.
function path.step_cost(self, i)
  local parts = open(self)
  local _, cost, bad = costs.walk_within(parts.unit, parts.cells, i, i + 1, huge)
  if bad then return nil end
  return cost, direction_at(parts, i) % 2 == 1 and parts.unit.diagonal_cost or 1
end

--- Returns the position of a walker at the i-th cell, and the index of the last cell of the leg. In the twin each
-- cell is a leg of its own, so the index is i.
function path.place(self, i)
  local x, y = methods.cell(self, i)
  return x, y, i
end

-- Returns the rest of a path from a cell on, with its present cost. Returns nil if it can no longer be walked, costs
-- more than max_cost, or does not reach the goal.
local function rest_of(parts, from)
  local cost = not parts.partial and costs.walk(parts.unit, parts.cells, parts.count, from)
  if not cost or cost > parts.options.max_cost * (1 + 1e-9) then return nil end
  local cells = {}
  for i = from, parts.count do cells[i - from + 1] = parts.cells[i] end
  return path.new(parts.unit, cells, parts.count - from + 1, cost, {
    goal = parts.goal, options = parts.options, algorithm = parts.algorithm,
    edits = map.count_edits(parts.unit.map),
  })
end

-- Reads the options of `repair` and similar methods. Returns the path's parts, the index of the cell to continue from,
-- and the value of the option `other`.
local function read_options(self, options, extra, name, other, most)
  local parts = open(self, extra, name, most)
  if options ~= nil then options = object.options(options, { "from", other }) end
  local from, own = options and rawget(options, "from"), options and rawget(options, other)
  from = from == nil and 1 or whole(from, 1, parts.count, "from")
  if other == "optimal" then
    object.flag({ optimal = own }, other)
  elseif own ~= nil then
    object.real(own, 1, huge, other)
  end
  return parts, from, own
end

local function search_from(parts, from, goal)
  return search.begin(parts.unit, parts.cells[from], { goal = goal or parts.goal }, parts.options)
end

--- Starts a search for the best path from the cell that the option `from` names, to the path's goal or to `goal`.
function path.restart_measuring(self, options, extra, name, other, goal)
  local parts, from = read_options(self, options, extra, name, other, goal and 3 or 1)
  return search_from(parts, from, goal)
end

--- Returns the rest of the path if it can still be walked and `optimal` is not set; otherwise searches a new path.
function methods.repair(self, options, extra)
  local parts, from, optimal = read_options(self, options, extra, "repair", "optimal", 1)
  local rest = not optimal and rest_of(parts, from)
  if rest then return rest end
  return path.answer(search_from(parts, from))
end

return path
