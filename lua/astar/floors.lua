-- floors.lua -- astar.floors: the floors of a tower as parts of one grid, side by side, joined by links.
--
-- Each floor is a rectangle of the grid, and its north-west corner is in the first row of the grid. All cells outside
-- the rectangles are blocked: those in the gaps between two floors, and those south of a floor that has fewer rows
-- than others. Therefore no step leads from one floor to the next, whatever the size of the unit; only links do.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local plain_options = require(FOLDER .. ".plain_options")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local stray_entry = require(FOLDER .. ".stray_entry")
local unknown_option = require(FOLDER .. ".unknown_option")

-- The method grid:bounds. If it is called with a value that is no grid, it raises the error for this mistake.
local bounds_of = core.grid(1, 1).bounds

local Tower = {}
no_field.of_class(Tower, "astar tower", "grid", "floors")

local NAMES = { "terrain", "fill", "gap", "grid" }

-- Coordinates on floors and on the grid.

local function is_whole(value)
  return type(value) == "number" and value % 1 == 0 -- false for nan and infinity
end

local function check_tower(self)
  if getmetatable(self) ~= Tower then
    error("astar tower expected, got " .. describe(self), 3)
  end
end

-- Returns an error message unless the argument 'name' is an integer from 1 to 'most'.
local function problem_of(value, most, name)
  if not is_whole(value) or value < 1 or value > most then
    return ("%s must be an integer from 1 to %d, got %s"):format(name, most, describe(value))
  end
end

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

-- Making a tower.

-- Returns a checked copy of the options, or nil and a message if an option is wrong.
local function read_options(options)
  if options ~= nil and type(options) ~= "table" then
    return nil, "options must be a table, got " .. describe(options)
  end
  options = plain_options(options or {}, NAMES)
  local problem = unknown_option(options, NAMES)
  if problem then
    return nil, problem
  end
  local read = { gap = 1 }
  for name, value in entries, options do read[name] = value end
  if read.grid ~= nil and not pcall(bounds_of, read.grid) then
    return nil, "grid must be the grid of a tower, got " .. describe(read.grid)
  end
  return read, problem_of(read.gap, 255, "gap")
end

-- Returns a level as a separate grid, made by astar.grid. If the level is wrong, returns nil and a message.
local function read_level(level, options)
  if type(level) ~= "string" and type(level) ~= "table" then
    return nil, "expected a drawing, rows or { width, height }, got " .. describe(level)
  end
  local is_size = type(level) == "table" and type(level[1]) == "number"
  local stray = is_size and stray_entry(level, 2)
  if stray then
    return nil, "expected { width, height }, got an entry " .. stray
  end
  local grid_options = { terrain = options.terrain, fill = is_size and options.fill or nil }
  if is_size and options.grid then grid_options = nil end -- the given grid of the tower has its terrain already
  local ok, grid
  if is_size then
    ok, grid = pcall(core.grid, level[1], level[2], grid_options)
  else
    ok, grid = pcall(core.grid, level, grid_options)
  end
  return ok and grid or nil, grid
end

-- Returns a list of the floors, each with its width, its height and the number of columns west of it (before), and the
-- width and height of the whole grid. There are 'gap' columns between two floors.
local function lay_out(levels, gap)
  local floors, width, height = {}, 0, 0
  for z, level in ipairs(levels) do
    local floor = { before = z > 1 and width + gap or 0 }
    floor.width, floor.height = level:size()
    floors[z], width = floor, floor.before + floor.width
    height = math.max(height, floor.height)
  end
  return floors, width, height
end

-- Returns the rows of the whole grid, as lists of keys of terrain. Cells on no floor get the key of the first cell of
-- the first level, because every cell needs a key; block_rest blocks them later.
local function rows_of(levels, floors, width, height)
  local rows, filler = {}, levels[1]:get(1, 1)
  for y = 1, height do
    local row = {}
    for x = 1, width do row[x] = filler end
    for z, floor in ipairs(floors) do
      for x = 1, y <= floor.height and floor.width or 0 do
        row[floor.before + x] = levels[z]:get(x, y)
      end
    end
    rows[y] = row
  end
  return rows
end

-- Returns an error message if a grid is not the grid of a tower with these floors: it must have their size, and all
-- cells outside the floors must be blocked.
local function problem_of_grid(grid, floors, width, height)
  local x0, y0, x1, y1 = grid:bounds()
  if x0 ~= 1 or y0 ~= 1 or x1 ~= width or y1 ~= height then
    return ("grid must have the size of these floors with their gaps, %d x %d from (1, 1) on, "
      .. "got %d x %d from (%d, %d) on"):format(width, height, x1 - x0 + 1, y1 - y0 + 1, x0, y0)
  end
  for z, floor in ipairs(floors) do
    local next_floor = floors[z + 1]
    local last = next_floor and next_floor.before or floor.before + floor.width
    for x = floor.before + 1, last do
      for y = x <= floor.before + floor.width and floor.height + 1 or 1, height do
        if grid:is_walkable(x, y) then
          return ("grid is not that of these floors: (%d, %d) lies beside floor %d, and is not blocked"):format(x, y, z)
        end
      end
    end
  end
end

-- Blocks all cells of the grid that lie on no floor.
local function block_rest(grid, floors)
  local _, height = grid:size()
  for z, floor in ipairs(floors) do
    local next_floor = floors[z + 1]
    local after = floor.before + floor.width
    if next_floor then
      grid:block(after + 1, 1, next_floor.before - after, height)
    end
    if floor.height < height then
      grid:block(floor.before + 1, floor.height + 1, floor.width, height - floor.height)
    end
  end
end

-- Returns the terrains of the tower's grid by key: the option terrain, or else the terrains of all cells of all levels.
local function terrain_of(levels, options)
  if options.terrain ~= nil then
    return options.terrain
  end
  local terrain = {}
  for _, level in ipairs(levels) do
    local width, height = level:size()
    for y = 1, height do
      for x = 1, width do
        local key = level:get(x, y)
        terrain[key] = level:terrain(key)
      end
    end
  end
  return terrain
end

-- Returns a list of the levels as separate grids. If a level is wrong, returns nil and a message.
local function read_levels(levels, options)
  if type(levels) ~= "table" or #levels == 0 then
    return nil, "floors must be a list of floors, got " .. (type(levels) == "table" and "none" or describe(levels))
  end
  local stray = stray_entry(levels)
  if stray then
    return nil, "floors are counted from 1, got an entry " .. stray
  end
  local read, has_size = {}, false
  for z = 1, #levels do
    local level, problem = read_level(levels[z], options)
    if not level then
      return nil, ("floor %d: %s"):format(z, tostring(problem))
    end
    read[z], has_size = level, has_size or type(levels[z]) == "table" and type(levels[z][1]) == "number"
  end
  if options.fill ~= nil and not has_size then
    return nil, "fill is only for floors by size: drawings and rows give each cell's key"
  end
  return read
end

--- astar.floors(levels [, { terrain =, fill =, gap = 1, grid = }]): returns a tower, whose floor 1 is the first level.
-- levels: a list of drawings, rows of keys (both as in astar.grid) or sizes { width, height }. terrain, fill: options
-- of astar.grid. gap: the number of columns between two floors. grid: the grid of such a tower that was loaded from a
-- dump; the levels then give only the sizes of the floors.
return function(levels, options, ...)
  no_more("floors", 2, ...)
  local read, problem = read_options(options)
  local grids
  if not problem then
    grids, problem = read_levels(levels, read)
  end
  if problem then
    error(problem, 2)
  end
  local floors, width, height = lay_out(grids, read.gap)
  if read.grid then
    problem = problem_of_grid(read.grid, floors, width, height)
    if problem then
      error(problem, 2)
    end
    return setmetatable({ grid = read.grid, floors = floors }, Tower)
  end
  local ok, grid = pcall(core.grid, rows_of(grids, floors, width, height), { terrain = terrain_of(grids, read) })
  if not ok then
    error(grid, 2)
  end
  block_rest(grid, floors)
  return setmetatable({ grid = grid, floors = floors }, Tower)
end
