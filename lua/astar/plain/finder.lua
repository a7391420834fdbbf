-- finder.lua -- finders: what they are made with, and the questions they answer.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")
local search = require(FOLDER .. ".search")

local describe, fail, lacks, real, whole = object.describe, object.fail, object.lacks, object.real, object.whole
local floor, huge = math.floor, math.huge

local finder = {
  DIRECTIONS = { "north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west" },
  Grid = object.class {
    title = "astar grid", tell = function(grid) return ("astar grid %d x %d"):format(grid.width, grid.height) end,
  },
}
local Finder = object.class { title = "astar finder" }
finder.class = Finder
local methods = Finder.methods

-- ---- options ----

local NAMES = {
  "diagonals", "diagonal_cost", "costs", "cost", "step_cost", "min_cost", "heuristic", "weight", "max_cost",
  "max_expansions", "partial", "range", "algorithm", "avoid", "avoid_weight", "size", "any_angle", "bends", "bend_cost",
  "heading", "ignore", "breach", "dearer_only",
}
local OF_QUESTIONS = {
  "weight", "max_cost", "max_expansions", "partial", "range", "bends", "heading", "suppose_blocked",
}
local DIAGONALS = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local HEURISTICS = { "octile", "manhattan", "euclidean", "chebyshev", "zero" }
local ALGORITHMS = { "auto", "astar", "dijkstra", "jps", "jpsw" }

local function read_real(options, name, least, most, otherwise)
  local value = rawget(options, name)
  if value == nil then return otherwise end
  return real(value, least, most, name)
end

local function read_whole(options, name, least, most, otherwise)
  local value = rawget(options, name)
  return value == nil and otherwise or whole(value, least, most, name)
end

-- The costs of the unit's own, by terrain.
local function read_costs(grid, options)
  local own, given = {}, rawget(options, "costs")
  if given ~= nil and type(given) ~= "table" then fail("costs must be a table, got %s", describe(given)) end
  for key, cost in entries, given or {} do
    local terrain = grid.terrains[key]
    if not terrain then
      local is_key = type(key) == "string" or type(key) == "boolean" or type(key) == "number" and key % 1 == 0
      fail("costs: unknown terrain %s%s", describe(key), is_key and ": give it a cost in the option terrain" or "")
    end
    own[terrain] = object.cost(cost, "costs: terrain " .. describe(key))
  end
  return own
end

local function read_function(options, name)
  local value = rawget(options, name)
  if value ~= nil and type(value) ~= "function" then fail("%s must be a function, got %s", name, describe(value)) end
  return value
end

local function read_heuristic(unit, options)
  local value = rawget(options, "heuristic")
  if type(value) == "function" then
    unit.estimate = value
  elseif value ~= nil and type(value) ~= "string" then
    fail("heuristic must be a name or a function, got %s", describe(value))
  end
  unit.own_heuristic = unit.corners == 3 and "manhattan" or "octile"
  local own = unit.own_heuristic
  unit.heuristic = unit.estimate and own or object.choice(options, "heuristic", HEURISTICS, own)
end

-- The options that a question may have its own way, over those that there are.
local function read_question(options, before)
  local question = {
    weight = read_real(options, "weight", 1, 1e6, before.weight),
    max_cost = read_real(options, "max_cost", 0, huge, before.max_cost),
    max_expansions = read_whole(options, "max_expansions", 1, 2 ^ 53, before.max_expansions),
    partial = object.flag(options, "partial", before.partial),
    range = read_whole(options, "range", 0, 2 ^ 24, before.range),
  }
  local bends = object.choice(options, "bends", { "any", "fewer", "fewest" }, "any")
  if bends ~= "any" then lacks("bends " .. describe(bends)) end
  if object.choice(options, "heading", finder.DIRECTIONS) then fail 'heading needs bends "fewest" or a bend_cost' end
  return question
end

local function refuse_what_is_lacked(options)
  if object.flag(options, "any_angle", false) then lacks "any_angle" end
  local bend_cost = rawget(options, "bend_cost")
  if type(bend_cost) == "table" or read_real(options, "bend_cost", 0, 1e6, 0) > 0 then lacks "bend_cost" end
  read_real(options, "avoid_weight", 0, 1e6, 1)
  if rawget(options, "avoid") ~= nil then lacks "avoid" end
  for _, name in ipairs { "breach", "dearer_only" } do
    if rawget(options, name) ~= nil then lacks(name) end
  end
  if rawget(options, "avoid_weight") ~= nil then fail "avoid_weight needs avoid, a field" end
end

-- Refuses jumps asked for by name that cannot do what the other options want.
local function check_algorithm(unit, question)
  if unit.algorithm == "jpsw" then lacks 'algorithm "jpsw"' end
  if unit.algorithm ~= "jps" then return end
  local what = question.weight > 1 and "weight" or question.range > 0 and "range"
    or unit.estimate and "a heuristic function" or unit.cost and "cost" or unit.step_cost and "step_cost"
    or unit.heuristic ~= unit.own_heuristic and "this heuristic"
  if what then fail('algorithm "jps" cannot honour %s', what) end
end

local function read_ignored(grid, options)
  local list, ignored = rawget(options, "ignore"), {}
  if list == nil then
    return ignored
  elseif type(list) ~= "table" then
    fail("ignore must be a list of layers, got %s", describe(list))
  end
  local stray = object.stray(list)
  if stray then fail("ignore must be a list of layers, like { \"red\" }, got an entry [%s]", stray) end
  for i = 1, object.length(list) do
    ignored[finder.layer_number(grid, rawget(list, i), ("ignore[%d]"):format(i))] = true
  end
  return ignored
end

local NO_QUESTION = { weight = 1, max_cost = huge, max_expansions = huge, partial = false, range = 0 }

-- A copy of options, and of the tables in it.
local function copy_of(options)
  local copy = {}
  for key, value in entries, options do copy[key] = value end
  for _, name in ipairs { "costs", "ignore" } do
    if type(copy[name]) == "table" then copy[name] = copy_of(copy[name]) end
  end
  return copy
end

--- What a finder on a grid holds.
function finder.make(grid, options)
  if options ~= nil and type(options) ~= "table" then object.options(options, NAMES) end
  options = copy_of(options or {})
  object.options(options, NAMES)
  local unit = { grid = grid, given = options, offsets = costs.offsets(grid.stride), unit = 0 }
  unit.diagonals = object.choice(options, "diagonals", DIAGONALS, "only_when_no_obstacles")
  unit.corners = costs.CORNERS[unit.diagonals]
  unit.diagonal_cost = read_real(options, "diagonal_cost", 1, 2, math.sqrt(2))
  local own = read_costs(grid, options)
  unit.cost, unit.step_cost = read_function(options, "cost"), read_function(options, "step_cost")
  unit.min_cost = read_real(options, "min_cost", 0.001, 1e6, nil)
  if unit.min_cost and not (unit.cost or unit.step_cost) then fail "min_cost needs a function, cost or step_cost" end
  read_heuristic(unit, options)
  unit.asks = (unit.cost or unit.step_cost or unit.estimate) ~= nil
  unit.question = read_question(options, NO_QUESTION)
  local size = read_whole(options, "size", 1, 255, 1)
  unit.algorithm = object.choice(options, "algorithm", ALGORITHMS, "auto")
  refuse_what_is_lacked(options)
  check_algorithm(unit, unit.question)
  unit.map = map.of(grid, own, read_ignored(grid, options), size)
  function unit.least() return unit.min_cost or unit.map.least end
  unit.directions = search.directions_of(unit)
  local length = floor(unit.diagonal_cost * 2 ^ 28 + 0.5) / 2 ^ 28
  unit.near_along, unit.near_across = 1, unit.corners == 3 and 1 or length - 1
  unit.jump_diagonal = floor(unit.diagonal_cost * 2 ^ 31 + 0.5) / 2 ^ 31
  unit.jump_along, unit.jump_across = 1, unit.corners == 3 and 1 or unit.jump_diagonal - 1
  unit.may_jump = (unit.algorithm == "auto" or unit.algorithm == "jps") and unit.heuristic == unit.own_heuristic
    and (unit.corners >= 2 or unit.diagonal_cost < 2)
  return unit
end

--- grid:finder
function finder.new(grid, options)
  return Finder.new { unit = finder.make(finder.Grid.open(grid), options) }
end

local function open(self, extra, name, most) return Finder.open(self, extra, name, most).unit end

finder.open = open

function methods.options(self, extra) return copy_of(open(self, extra, "options", 0).given) end

function methods.with_grid(self, grid, extra)
  local unit = open(self, extra, "with_grid", 1)
  local own, other = unit.grid, finder.Grid.open(grid)
  if own == other then return self end
  if own.width ~= other.width or own.height ~= other.height or own.x0 ~= other.x0 or own.y0 ~= other.y0 then
    fail("grid must have the cells of the finder's, %d x %d from {%d, %d} on, got %d x %d from {%d, %d} on", own.width,
      own.height, own.x0, own.y0, other.width, other.height, other.x0, other.y0)
  end
  return finder.new(grid, unit.given)
end

-- ---- questions ----

--- The number of the cell at x, y, its column and row.
function finder.cell_of(grid, x, y, x_name, y_name)
  local x0, y0 = grid.x0, grid.y0
  x = whole(x, x0, x0 + grid.width - 1, x_name) - x0 + 1
  y = whole(y, y0, y0 + grid.height - 1, y_name) - y0 + 1
  return y * grid.stride + x + 1, x, y
end

local cell_of = finder.cell_of

--- What a question asks its own way, over what its finder does.
local function refuse_supposing(question)
  if type(question) == "table" and rawget(question, "suppose_blocked") ~= nil then lacks "suppose_blocked" end
end

function finder.question_of(unit, own)
  if own == nil then return unit.question end
  object.options(own, OF_QUESTIONS)
  refuse_supposing(own)
  local question = read_question(own, unit.question)
  check_algorithm(unit, question)
  return question
end

--- Answers find_path for what a finder holds.
function finder.find_path(unit, sx, sy, gx, gy, question)
  local start, goal = cell_of(unit.grid, sx, sy, "sx", "sy"), cell_of(unit.grid, gx, gy, "gx", "gy")
  local self = search.begin(unit, start, { goal = goal }, finder.question_of(unit, question))
  local status = search.step(self, huge)
  if status == "found" then return path.of_search(self) end
  search.close(self)
  return nil, status
end

local function give_or_fail(first, ...)
  if first == false then fail(...) end
  return first, ...
end

-- A question of a schedule, which is loaded with the first one.
local function answer_scheduled(...)
  return give_or_fail(require(FOLDER:gsub("[./]plain$", "") .. ".timed_question")("find_path", ...))
end

function methods.find_path(self, sx, sy, gx, gy, question, extra)
  local unit = open(self, extra, "find_path", 5)
  if type(question) == "table" and rawget(question, "schedule") ~= nil then
    return answer_scheduled(self, sx, sy, gx, gy, question)
  end
  return finder.find_path(unit, sx, sy, gx, gy, question)
end

function methods.reachable(self, sx, sy, gx, gy, extra)
  refuse_supposing(extra)
  local unit = open(self, extra, "reachable", 4)
  local start, goal = cell_of(unit.grid, sx, sy, "sx", "sy"), cell_of(unit.grid, gx, gy, "gx", "gy")
  local question = { weight = 1, max_cost = huge, max_expansions = huge, partial = false, range = unit.question.range }
  local asked = search.begin(unit, start, { goal = goal }, question)
  if asked.status == "running" and not (unit.cost or unit.step_cost) then
    search.close(asked)
    return start == goal or search.may_reach(asked, goal)
  end
  local status = search.step(asked, huge)
  search.close(asked)
  return status == "found"
end

function methods.raycast(self, x0, y0, x1, y1, extra)
  refuse_supposing(extra)
  local unit = open(self, extra, "raycast", 4)
  local grid = unit.grid
  local from, column, row = cell_of(grid, x0, y0, "x0", "y0")
  local _, to_column, to_row = cell_of(grid, x1, y1, "x1", "y1")
  local stop = costs.cast(unit, from, column, row, to_column, to_row)
  if stop then return false, costs.position(grid, stop) end
  return true
end

function methods.clearance(self, x, y, extra)
  local unit = open(self, extra, "clearance", 2)
  local grid = unit.grid
  local cell, column, row = cell_of(grid, x, y, "x", "y")
  local own = map.of(grid, unit.map.own, unit.map.ignored, 1)
  map.update(own)
  local most = math.min(grid.width - column, grid.height - row) + 1
  for size = 0, most - 1 do
    for i = 0, size do
      local below, beside = cell + size * grid.stride + i, cell + i * grid.stride + size
      if own.cost[below] == 0 or own.cost[beside] == 0 then return size end
    end
  end
  return most
end

for _, name in ipairs {
  "bake", "baking", "blockers", "chokepoints", "desire_map", "intercept", "load_baked", "matrix", "min_cut", "tour",
} do
  methods[name] = function(self)
    open(self)
    lacks("finder:" .. name)
  end
end

-- ---- many goals ----

local function number_of(goal, name, index, least, most, what)
  local value = rawget(goal, name)
  if value == nil then value = rawget(goal, index) end
  return whole(value, least, most, what .. "." .. name)
end

--- The cell of a goal {x, y} or {x =, y =}, with a value where those may have one.
function finder.goal_cell(grid, goal, what, is_valued)
  if type(goal) ~= "table" then fail("%s must be a cell {x, y}, got %s", what, describe(goal)) end
  if rawget(goal, "x") == nil and rawget(goal, "y") == nil then
    local stray = object.stray(goal, is_valued and 3 or 2, is_valued and "value" or nil)
    local form = is_valued and "{x, y, value}" or "a cell {x, y}"
    if stray then fail("%s must be %s, got an entry [%s]", what, form, stray) end
  end
  local x = number_of(goal, "x", 1, grid.x0, grid.x0 + grid.width - 1, what)
  local y = number_of(goal, "y", 2, grid.y0, grid.y0 + grid.height - 1, what)
  return (y - grid.y0 + 1) * grid.stride + x - grid.x0 + 2
end

--- The list of a set of goals; any other is itself.
function finder.list_of_goals(goals)
  return rawget(goals, "packed") ~= nil and rawget(goals, "list") or goals
end

--- How many goals a list has, each of which is a table.
function finder.count_goals(goals)
  local stray, count = object.stray(goals), object.length(goals)
  if stray and stray:sub(1, 1) == '"' and count == 0 then
    fail "goals must be a list of cells, got a table without goals[1]"
  elseif stray then
    fail("goals are counted from 1, got an entry [%s]", stray)
  end
  for i = 1, count do
    local goal = rawget(goals, i)
    if type(goal) ~= "table" then fail("goals[%d] must be a cell {x, y}, got %s", i, describe(goal)) end
  end
  return count
end

--- Calls back with each cell within range of one, of the grid.
function finder.each_within(grid, cell, range, visit)
  local row = floor((cell - 1) / grid.stride)
  local x = cell - 1 - row * grid.stride
  for y = math.max(row - range, 1), math.min(row + range, grid.height) do
    local first = y * grid.stride + 1
    for each = first + math.max(x - range, 1), first + math.min(x + range, grid.width) do visit(each) end
  end
end

-- Marks the cells that count as goals with the index of the goal, the first of those nearest.
local function mark_goals(unit, cells, range)
  local marks = {}
  for i = #cells, 1, -1 do finder.each_within(unit.grid, cells[i], range, function(cell) marks[cell] = i end) end
  for i = #cells, 1, -1 do marks[cells[i]] = i end
  return marks
end

--- Begins to look for the nearest of goals.
function finder.begin_nearest(unit, sx, sy, goals, question)
  local start = cell_of(unit.grid, sx, sy, "sx", "sy")
  local kind = type(goals)
  if kind ~= "table" and kind ~= "function" then
    fail("goals must be a list of cells or a function, got %s", describe(goals))
  end
  question = finder.question_of(unit, question)
  if kind == "function" then
    return search.begin(unit, start, { test = goals }, question)
  end
  local cells = {}
  goals = finder.list_of_goals(goals)
  for i = 1, finder.count_goals(goals) do
    cells[i] = finder.goal_cell(unit.grid, rawget(goals, i), ("goals[%d]"):format(i))
  end
  return search.begin(unit, start, { goals = cells, marks = mark_goals(unit, cells, question.range) }, question)
end

--- Why the nearest was not found: whether all goals are blocked.
function finder.explain_nearest(self, status)
  if self.test or status == "start blocked" or #self.goals == 0 then return status end
  for _, goal in ipairs(self.goals) do
    local is_free = self.query.cost[goal] ~= 0
    is_free = is_free and (not search.may_reach(self, goal) or costs.enter(self.query, goal) < huge)
    if self.range > 0 or is_free then return status end
  end
  return "goal blocked"
end

--- The index of the goal that was found.
function finder.index_of(self) return self.goals and (self.marks[self.found] or self.near_index) end

function methods.find_nearest(self, sx, sy, goals, question, extra)
  local unit = open(self, extra, "find_nearest", 4)
  local asked = finder.begin_nearest(unit, sx, sy, goals, question)
  local status = search.step(asked, huge)
  if status == "found" then return path.of_search(asked), finder.index_of(asked) end
  search.close(asked)
  return nil, finder.explain_nearest(asked, status)
end

return finder
