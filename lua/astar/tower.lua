-- tower.lua -- the class of towers, which astar.floors makes and astar.load_floors loads.
--
-- The field `floors` has, for each floor, its width, its height and the number of columns of the grid west of it
-- (before).

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local later = require(FOLDER .. ".later")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")

local Tower = {}
no_field.of_class(Tower, "astar tower", "grid", "floors")

local tower = {}

-- Coordinates on floors and on the grid.

local function check_tower(self)
  if getmetatable(self) ~= Tower then
    error("astar tower expected, got " .. describe(self), 3)
  end
end

--- Returns an error message unless the argument 'name' is an integer from 1 to 'most'.
function tower.problem_of(value, most, name)
  if type(value) ~= "number" or value % 1 ~= 0 or value < 1 or value > most then
    return ("%s must be an integer from 1 to %d, got %s"):format(name, most, describe(value))
  end
end

local problem_of = tower.problem_of

-- Returns the column and row on the grid of the cell (x, y) of floor z. If an argument is wrong, returns nil and a
-- message. 'names' has the names of the three arguments for the message.
local function place(self, x, y, z, names)
  local problem = problem_of(z, #self.floors, names[3])
  local floor = self.floors[z]
  problem = problem or problem_of(x, floor.width, names[1]) or problem_of(y, floor.height, names[2])
  if problem then
    return nil, problem
  end
  return floor.before + x, y
end

local AT = { "x", "y", "z" }
local TO = { "x2", "y2", "z2" }

--- Returns the column and row on the grid of the cell (x, y) of floor z.
function Tower:at(x, y, z, ...)
  check_tower(self)
  no_more("at", 3, ...)
  local column, row = place(self, x, y, z, AT)
  if not column then
    error(row, 2)
  end
  return column, row
end

--- Returns x, y and z: the cell (column, row) of the grid is the cell (x, y) of floor z.
function Tower:of(column, row, ...)
  check_tower(self)
  no_more("of", 2, ...)
  local width, height = self.grid:size()
  local problem = problem_of(column, width, "X") or problem_of(row, height, "Y")
  if problem then
    error(problem, 2)
  end
  for z, floor in ipairs(self.floors) do
    local x = column - floor.before
    if x >= 1 and x <= floor.width and row <= floor.height then
      return x, row, z
    end
  end
  error(("(%d, %d) lies on no floor"):format(column, row), 2)
end

--- Returns the width and the height of floor z in cells.
function Tower:size(z, ...)
  check_tower(self)
  no_more("size", 1, ...)
  local problem = problem_of(z, #self.floors, "z")
  if problem then
    error(problem, 2)
  end
  return self.floors[z].width, self.floors[z].height
end

--- Links the cell (x, y) of floor z to the cell (x2, y2) of floor z2. The options are those of grid:link.
function Tower:link(x, y, z, x2, y2, z2, options, ...)
  check_tower(self)
  no_more("link", 7, ...)
  local column, row = place(self, x, y, z, AT)
  if not column then
    error(row, 2)
  end
  local column2, row2 = place(self, x2, y2, z2, TO)
  if not column2 then
    error(row2, 2)
  end
  local ok, message = pcall(self.grid.link, self.grid, column, row, column2, row2, options)
  if not ok then
    error(message, 2)
  end
end

--- Returns the tower as a string.
function Tower:dump(...)
  check_tower(self)
  no_more("dump", 0, ...)
  if core.implementation == "lua" then
    error("tower:dump needs the C module of astar; see docs/platforms.md", 2)
  end
  return (later(FOLDER .. ".saving").dump_tower(self))
end

--- Makes a tower of a grid and its floors.
function tower.new(grid, floors) return setmetatable({ grid = grid, floors = floors }, Tower) end

return tower
