-- goals.lua -- astar.goals: a set of goal cells that a script keeps, for find_nearest and flow in place of a list.
--
-- The field `list` holds the cells. The first query after a change reads them and stores them in the field `packed`, as
-- a string in the format of the C module. `packed` is false until then. A query with an unchanged set reuses the string
-- and reads no cells. With many goals, reading the cells would take most of the time of a query.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local later = require(FOLDER .. ".later")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local stray_entry = require(FOLDER .. ".stray_entry")

-- The method grid:bounds. If it is called with a value that is no grid, it raises the error for this mistake.
local bounds_of = core.grid(1, 1).bounds

local Goals = {}
no_field.of_class(Goals, "astar goals", "", "list places packed x0 y0 x1 y1")

function Goals:__tostring() return ("astar goals of %d"):format(#self.list) end

local function problem_of(value, least, most, name)
  if type(value) ~= "number" or value % 1 ~= 0 or value < least or value > most then
    return ("%s must be an integer from %d to %d, got %s"):format(name, least, most, describe(value))
  end
end

-- Returns the key of a cell in the table `places`, which has the index of each goal in `list`. If the cell is not
-- inside the grid, returns nil and a message.
local function key_of(self, x, y)
  local problem = problem_of(x, self.x0, self.x1, "x") or problem_of(y, self.y0, self.y1, "y")
  if problem then
    return nil, problem
  end
  return (y - self.y0) * (self.x1 - self.x0 + 1) + x - self.x0
end

local function check(self, level)
  if getmetatable(self) ~= Goals then
    error("astar goals expected, got " .. describe(self), level or 3)
  end
end

local function check_cell(self, x, y)
  check(self, 4)
  local key, problem = key_of(self, x, y)
  if not key then
    error(problem, 3)
  end
  return key
end

local function add(self, key, x, y)
  if self.places[key] then
    return false
  end
  local count = #self.list + 1
  self.list[count], self.places[key], self.packed = { x, y }, count, false
  return true
end

--- Adds a cell to the set. Returns true if the cell was not in the set before.
function Goals:add(x, y, ...)
  local key = check_cell(self, x, y)
  no_more("add", 2, ...)
  return add(self, key, x, y)
end

--- Removes a cell from the set; the last goal gets the index of the removed one. Returns true if the cell was in the
-- set.
function Goals:remove(x, y, ...)
  local key = check_cell(self, x, y)
  no_more("remove", 2, ...)
  local at = self.places[key]
  if not at then
    return false
  end
  local last = table.remove(self.list)
  if at <= #self.list then
    self.list[at], self.places[key_of(self, last[1], last[2])] = last, at
  end
  self.places[key], self.packed = nil, false
  return true
end

--- Returns true if a cell is in the set.
function Goals:has(x, y, ...)
  local key = check_cell(self, x, y)
  no_more("has", 2, ...)
  return self.places[key] ~= nil
end

--- Returns the number of goals.
function Goals:count(...)
  check(self)
  no_more("count", 0, ...)
  return #self.list
end

--- Returns x and y of the goal with an index, such as find_nearest returns.
function Goals:cell(index, ...)
  check(self)
  no_more("cell", 1, ...)
  local problem = problem_of(index, 1, #self.list, "index")
  if problem then
    error(problem, 2)
  end
  return self.list[index][1], self.list[index][2]
end

--- Returns an iterator over the goals: for x, y in goals:cells() do ... end.
function Goals:cells(...)
  check(self)
  no_more("cells", 0, ...)
  local i, list = 0, self.list
  return function()
    i = i + 1
    if list[i] then
      return list[i][1], list[i][2]
    end
  end
end

--- Returns the set as a string.
function Goals:dump(...)
  check(self)
  no_more("dump", 0, ...)
  return (later(FOLDER .. ".saving").dump_goals(self))
end

-- Adds the cells of a list. Returns an error message if the list or a cell is wrong, else nil.
local function add_all(self, cells)
  if type(cells) ~= "table" then
    return "goals must be a list of cells, got " .. describe(cells)
  end
  local stray = stray_entry(cells)
  if stray then
    return "goals are counted from 1, got an entry " .. stray
  end
  for i, cell in ipairs(cells) do
    if type(cell) ~= "table" then
      return ("goals[%d] must be a cell {x, y}, got %s"):format(i, describe(cell))
    end
    stray = rawget(cell, "x") == nil and rawget(cell, "y") == nil and stray_entry(cell, 2)
    if stray then
      return ("goals[%d] must be a cell {x, y}, got an entry %s%s"):format(i, stray,
        stray == "[3]" and ": extra costs of goals are for lists of finder:flow and find_nearest" or "")
    end
    local x, y = rawget(cell, "x") or rawget(cell, 1), rawget(cell, "y") or rawget(cell, 2)
    local key, problem = key_of(self, x, y)
    if not key then
      return ("goals[%d].%s"):format(i, problem)
    end
    add(self, key, x, y)
  end
end

--- astar.goals(grid [, list]): returns a set of goals on the grid, with the cells of the list. A cell that the list has
-- twice is in the set once.
return function(grid, cells, ...)
  no_more("goals", 2, ...)
  local ok, x0, y0, x1, y1 = pcall(bounds_of, grid)
  if not ok then
    error("astar grid expected, got " .. describe(grid), 2)
  end
  local self = { list = {}, places = {}, packed = false, x0 = x0, y0 = y0, x1 = x1, y1 = y1 }
  local problem = cells ~= nil and add_all(self, cells)
  if problem then
    error(problem, 2)
  end
  return setmetatable(self, Goals)
end
