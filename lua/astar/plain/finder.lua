-- finder.lua -- The twin's finders: their options, and the queries that they answer.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")
local option_names = require(FOLDER:match "^(.+)[./][^./]+$" .. ".option_names")
local option_table = require(FOLDER:match "^(.+)[./][^./]+$" .. ".option_table")
local finder_options = require(FOLDER:match "^(.+)[./][^./]+$" .. ".finder_options")
local plain_options = require(FOLDER:match "^(.+)[./][^./]+$" .. ".plain_options")
local with_costs = require(FOLDER:match "^(.+)[./][^./]+$" .. ".goals_with_costs")
local path = require(FOLDER .. ".path")
local search = require(FOLDER .. ".search")

local describe, fail, lacks, whole = object.describe, object.fail, object.lacks, object.whole
local floor, huge = math.floor, math.huge
local AT = finder_options.AT -- the index of the value of each option in the list that reader.finder returns

local finder = {
  Grid = object.class {
    title = "astar grid", tell = function(grid) return ("astar grid %d x %d"):format(grid.width, grid.height) end,
  },
}
local Finder = object.class { title = "astar finder" }
finder.class = Finder
local methods = Finder.methods

-- Names of the options of a query.
local OF_QUESTIONS = option_names(function(row) return row.of_query end, "schedule", "suppose_blocked")
local DIAGONALS = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local ALGORITHMS = { "auto", "astar", "dijkstra", "jps", "jpsw" }
local reader = finder_options.reader(object, {
  diagonals = DIAGONALS, algorithm = ALGORITHMS, bends = { "any" }, heading = {},
  heuristic = search.HEURISTICS,
})

-- Options that only the C module has, with the values by which they have no effect.
local LACKED = { schedule = false, suppose_blocked = false }
for _, row in ipairs(option_table) do
  if row.twin == "R" then LACKED[row.name] = row.otherwise or false end
end

local function check_lacked(options)
  for name, none in entries, type(options) == "table" and LACKED or {} do
    local value = rawget(options, name)
    if value ~= nil and value ~= none then lacks(name) end
  end
end

local function check_names(options, names)
  options = plain_options(options, names)
  check_lacked(options)
  return object.options(options, names)
end

-- Checks the options of a query whose only option is suppose_blocked, which the twin lacks.
local function check_supposing(options)
  if options ~= nil then check_names(plain_options(options, { "suppose_blocked" }), {}) end
end

-- Raises an error if the algorithm "jps" or "jpsw" is set and cannot honour the other options.
local function check_algorithm(unit, options)
  local is_lacked = unit.algorithm == "jpsw" or unit.algorithm == "jps" and unit.corners == 3
  if is_lacked then lacks(("algorithm %q with diagonals %q"):format(unit.algorithm, unit.diagonals)) end
  if unit.algorithm ~= "jps" then return end
  local what = search.refused_by_jumps(options)
    or unit.estimate and "a heuristic function" or unit.cost and "cost" or unit.step_cost and "step_cost"
    or unit.avoided and "avoid" or unit.heuristic ~= "octile" and "this heuristic"
  local cuts_corners = unit.corners < 2 and unit.diagonal_cost >= 2
  what = what or cuts_corners and "diagonal_cost 2" or options.partial and "partial"
  if what then fail('algorithm "jps" cannot honour %s', what) end
end

local function layers_of(grid, names)
  local ignored = {}
  for i, name in ipairs(names ~= nil and reader.ignored(names) or {}) do
    ignored[finder.layer_number(grid, name, ("ignore[%d]"):format(i))] = true
  end
  return ignored
end

--- Makes the parts of a finder on a grid.
function finder.make(grid, options)
  options = plain_options(options, finder_options.NAMES)
  check_lacked(options)
  local o, cost, step_cost, estimate, values, own, _, avoid, _, rows = reader.finder(options == nil and {} or options,
    grid.terrains, true)
  local unit = {
    grid = grid, offsets = costs.offsets(grid.stride), diagonals = DIAGONALS[values[AT.diagonals] + 1],
    diagonal_cost = values[AT.diagonal_cost],
    cost = cost, step_cost = step_cost, estimate = estimate,
    min_cost = values[AT.min_cost] > 0 and values[AT.min_cost] or nil,
    options = reader.query(o, finder_options.options), algorithm = ALGORITHMS[values[AT.algorithm] + 1],
  }
  unit.corners = costs.CORNERS[unit.diagonals]
  unit.heuristic = search.HEURISTICS[values[AT.heuristic]] or unit.corners == 3 and "manhattan" or "octile"
  unit.avoided = object.avoided(grid, avoid, values[AT.avoid_weight])
  unit.asks = (unit.cost or unit.step_cost or unit.estimate or unit.avoided) ~= nil
  check_algorithm(unit, unit.options)
  local ignored = layers_of(grid, o.ignore)
  unit.map = map.of(grid, own or {}, ignored, values[AT.size], rows)
  function unit.map_of_cells() return map.of(grid, own or {}, ignored, 1, 1) end
  function unit.least() return unit.min_cost or unit.map.least end
  unit.directions = search.directions_of(unit)
  local length = floor(unit.diagonal_cost * 2 ^ 28 + 0.5) / 2 ^ 28
  unit.near_across = unit.corners == 3 and 1 or length - 1
  unit.jump_diagonal = floor(unit.diagonal_cost * 2 ^ 31 + 0.5) / 2 ^ 31
  unit.jump_across = unit.jump_diagonal - 1
  unit.may_jump = (unit.algorithm == "auto" or unit.algorithm == "jps") and unit.corners < 3
    and (unit.corners == 2 or unit.diagonal_cost < 2)
  return unit
end

--- grid:finder: makes a finder.
function finder.new(grid, options) return Finder.new { unit = finder.make(grid, options) } end

local function open(self, extra, name, most) return Finder.open(self, extra, name, most).unit end

finder.open = open

--- Returns the number of the cell (x, y), its column and its row.
function finder.cell_of(grid, x, y, x_name, y_name)
  local x0, y0 = grid.x0, grid.y0
  x = whole(x, x0, x0 + grid.width - 1, x_name) - x0 + 1
  y = whole(y, y0, y0 + grid.height - 1, y_name) - y0 + 1
  return y * grid.stride + x + 1, x, y
end

local cell_of = finder.cell_of

--- Returns the options of a query: those of its finder, with the options `own` in place of some.
function finder.query_of(unit, own)
  if own == nil then return unit.options end
  own = check_names(own, OF_QUESTIONS)
  local options = reader.query(finder_options.copy(own), unit.options)
  check_algorithm(unit, options)
  return options
end

--- Answers find_path for the parts of a finder.
function finder.find_path(unit, sx, sy, gx, gy, options)
  local start, goal = cell_of(unit.grid, sx, sy, "sx", "sy"), cell_of(unit.grid, gx, gy, "gx", "gy")
  return path.answer(search.begin(unit, start, { goal = goal }, finder.query_of(unit, options)))
end

function methods.find_path(self, sx, sy, gx, gy, options, extra)
  return finder.find_path(open(self, extra, "find_path", 5), sx, sy, gx, gy, options)
end

function methods.reachable(self, sx, sy, gx, gy, extra)
  check_supposing(extra)
  local unit = open(self, extra, "reachable", 4)
  local start, goal = cell_of(unit.grid, sx, sy, "sx", "sy"), cell_of(unit.grid, gx, gy, "gx", "gy")
  local options = reader.query({ range = unit.options.range }, finder_options.options)
  local asked = search.begin(unit, start, { goal = goal }, options)
  return (path.answer(asked)) ~= nil
end

function methods.raycast(self, x0, y0, x1, y1, extra)
  check_supposing(extra)
  local unit = open(self, extra, "raycast", 4)
  local grid = unit.grid
  local from, column, row = cell_of(grid, x0, y0, "x0", "y0")
  local _, to_column, to_row = cell_of(grid, x1, y1, "x1", "y1")
  local stop = costs.cast(unit, from, column, row, to_column, to_row)
  if stop then return false, costs.position(grid, stop) end
  return true
end

-- Returns the side of the largest free square whose north-west corner is the cell. Enlarges the square step by step.
-- The border of the map costs 0, so the square ends at the border at the latest.
function methods.clearance(self, x, y, extra)
  local unit = open(self, extra, "clearance", 2)
  local first, cells, stride = cell_of(unit.grid, x, y, "x", "y"), unit.map_of_cells(), unit.grid.stride
  map.update(cells)
  local cost = cells.cost
  local function is_free(size) -- returns true if the last column and row of a square of this size are free
    for i = 0, size - 1 do
      if cost[first + i * stride + size - 1] == 0 or cost[first + (size - 1) * stride + i] == 0 then return false end
    end
    return true
  end
  local size = 0
  while is_free(size + 1) do size = size + 1 end
  return size
end

--- Returns a unit like another one that avoids no field.
function finder.ground_of(unit)
  if not unit.avoided then return unit end
  local ground = {}
  for name, value in entries, unit do ground[name] = value end
  ground.avoided, ground.asks = nil, (unit.cost or unit.step_cost or unit.estimate) ~= nil
  return ground
end

-- Returns the cost of walking along a path from one of its cells to another for a unit, or nil and the index of the
-- first cell that cannot be entered.
local function cost_along(unit, cells, from, to)
  local _, cost, bad = costs.walk_within(unit, cells, from, to, huge)
  if bad then return nil, bad end
  return cost
end

--- Returns the cost of walking along a path for the unit, and the part of it that is not for fields to avoid.
function methods.cost_of(self, way, from, to, extra)
  local unit = open(self, extra, "cost_of", 3)
  local parts = path.class.open(way)
  local grid, other = unit.grid, parts.unit.grid
  from = from == nil and 1 or whole(from, 1, parts.count, "from")
  to = to == nil and parts.count or whole(to, from, parts.count, "to")
  if grid.width ~= other.width or grid.height ~= other.height or grid.x0 ~= other.x0 or grid.y0 ~= other.y0 then
    fail "path must be a path on a grid of the finder's size, origin and shape"
  end
  local cost, bad = cost_along(unit, parts.cells, from, to)
  if not cost then return nil, bad end
  local ground
  ground, bad = cost_along(finder.ground_of(unit), parts.cells, from, to)
  if not ground then return nil, bad end
  return cost, ground
end

-- Returns the cell in which a line of slope rise / run crosses a row. The second result is the previous cell if the
-- line runs exactly between that cell and the first result, otherwise the same cell.
local function cross(rise, run, row)
  local halves = 2 * rise * row + run
  local number = floor(halves / (2 * run))
  return number, halves % (2 * run) == 0 and number - 1 or number
end

--- Returns true if one cell sees another. Terrain and blocks of the two cells themselves do not matter. The twin has
-- no walls.
function methods.sees(self, x0, y0, x1, y1, options, extra)
  local unit = open(self, extra, "sees", 5)
  local grid = unit.grid
  local from, column, row = cell_of(grid, x0, y0, "x0", "y0")
  local _, to_column, to_row = cell_of(grid, x1, y1, "x1", "y1")
  if options ~= nil then
    if rawget(object.options(options, { "opaque" }), "opaque") ~= nil then lacks "the option opaque" end
  end
  local own, dx, dy, stride = unit.sight, to_column - column, to_row - row, grid.stride
  own = own or map.of(grid, unit.map.own, unit.map.ignored, 1, 1)
  unit.sight = own
  map.update(own)
  local along, aside = dx < 0 and -1 or 1, dy < 0 and -stride or stride
  local run, rise = math.abs(dx), math.abs(dy)
  if rise > run then along, aside, run, rise = aside, along, rise, run end
  for i = 1, run - 1 do
    local number, other = cross(rise, run, i)
    local cell = from + i * along
    if own.cost[cell + number * aside] == 0 and own.cost[cell + other * aside] == 0 then return false end
  end
  return true
end

object.lack(Finder, {
  "bake", "baking", "blockers", "chokepoints", "desire_map", "finding_nearest", "fov", "intercept", "load_baked",
  "matrix", "measuring", "min_cut", "options", "preparing", "spread", "sweep", "tour", "touring", "with_grid",
})

local function number_of(goal, name, index, least, most, what)
  local value = rawget(goal, name)
  if value == nil then value = rawget(goal, index) end
  return whole(value, least, most, what .. "." .. name)
end

--- Returns the number of the cell of a goal {x, y} or {x =, y =}. If `is_valued`, the goal may be {x, y, extra cost}.
function finder.goal_cell(grid, goal, what, is_valued)
  if type(goal) ~= "table" then fail("%s must be a cell {x, y}, got %s", what, describe(goal)) end
  if rawget(goal, "x") == nil and rawget(goal, "y") == nil then
    local stray = object.stray(goal, is_valued and 3 or 2)
    local form = is_valued and "a cell {x, y} or {x, y, extra cost}" or "a cell {x, y}"
    local is_extra = not is_valued and stray == "3"
    local cure = is_extra and ": extra costs of goals are for finder:flow and find_nearest" or ""
    if stray then fail("%s must be %s, got an entry [%s]%s", what, form, stray, cure) end
  end
  local x = number_of(goal, "x", 1, grid.x0, grid.x0 + grid.width - 1, what)
  local y = number_of(goal, "y", 2, grid.y0, grid.y0 + grid.height - 1, what)
  return (y - grid.y0 + 1) * grid.stride + x - grid.x0 + 2
end

--- Calls `visit` for each goal of a list or of a set of goals, with its cell, the goal itself, and its name in errors.
function finder.each_goal(grid, goals, is_valued, visit)
  local list = rawget(goals, "packed") ~= nil and rawget(goals, "list") or goals
  local stray, count = object.stray(list), object.length(list)
  if stray and stray:sub(1, 1) == '"' and count == 0 then
    fail "goals must be a list of cells, got a table without goals[1]"
  elseif stray then
    fail("goals are counted from 1, got an entry [%s]", stray)
  end
  for i = 1, count do
    local goal, what = rawget(list, i), ("goals[%d]"):format(i)
    visit(finder.goal_cell(grid, goal, what, is_valued), goal, what)
  end
end

-- Returns a table from each cell in range of a goal to the index of the goal. If several goals are in range, the
-- index is that of the goal farthest north, then farthest west. If several goals have the same cell, it is that of
-- the first.
local function mark_goals(unit, cells, range)
  local marks, wider, higher = {}, map.more_within(unit.map, range)
  for i, goal in ipairs(cells) do
    map.each_within(unit.grid, goal, range, wider, higher, function(cell)
      local other = marks[cell]
      if not other or goal < cells[other] then marks[cell] = i end
    end)
  end
  return marks
end

--- Starts a query for the nearest of several goals.
function finder.begin_nearest(unit, sx, sy, goals, options)
  local start = cell_of(unit.grid, sx, sy, "sx", "sy")
  local kind = type(goals)
  if kind ~= "table" and kind ~= "function" then
    fail("goals must be a list of cells or a function, got %s%s", describe(goals),
      type(goals) == "number" and ": to one cell leads find_path(sx, sy, gx, gy)" or "")
  end
  options = finder.query_of(unit, options)
  if kind == "function" then
    return search.begin(unit, start, { test = goals }, options)
  end
  local cells = {}
  finder.each_goal(unit.grid, goals, false, function(cell) cells[#cells + 1] = cell end)
  return search.begin(unit, start, { goals = cells, marks = mark_goals(unit, cells, options.range) }, options)
end

--- Returns the reason why no nearest goal was found: "goal blocked" if all goals are blocked, "unreachable" if the only
-- goal that might be reached is blocked, otherwise `status`.
function finder.explain_nearest(self, status)
  if self.test or status == "start blocked" or #self.goals == 0 or self.range > 0 then return status end
  local is_any_free, reachable, only = false, 0, nil
  for _, goal in ipairs(self.goals) do
    local may = search.may_reach(self, goal)
    if may then reachable, only = reachable + 1, goal end
    is_any_free = is_any_free or self.query.cost[goal] ~= 0 and (not may or costs.enter(self.query, goal) < huge)
  end
  if not is_any_free then return "goal blocked" end
  local is_only_blocked = reachable == 1 and costs.enter(self.query, only) == huge and not self.unit.estimate
  return is_only_blocked and "unreachable" or status
end

-- Returns true if a goal of a list has an extra cost, its third element. Sets of goals have none.
local function has_extra_cost(goals)
  if type(goals) ~= "table" or rawget(goals, "packed") ~= nil then return false end
  for i = 1, object.length(goals) do
    local goal = rawget(goals, i)
    if type(goal) == "table" and rawget(goal, 3) ~= nil and rawget(goal, "x") == nil and rawget(goal, "y") == nil then
      return true
    end
  end
  return false
end

function methods.find_nearest(self, sx, sy, goals, options, extra)
  if extra == nil and has_extra_cost(goals) then
    local found, index = with_costs(open(self, extra, "find_nearest", 4).options, self, sx, sy, goals, options)
    if found == false then fail("%s", index) end
    return found, index
  end
  local asked = finder.begin_nearest(open(self, extra, "find_nearest", 4), sx, sy, goals, options)
  local found, status = path.answer(asked)
  if found then return found, asked.goals and (asked.marks[asked.found] or asked.near_index) end
  return nil, finder.explain_nearest(asked, status)
end

return finder
