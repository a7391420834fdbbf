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
local no_more = require(FOLDER .. ".no_more")
local stray_entry = require(FOLDER .. ".stray_entry")
local tower = require(FOLDER .. ".tower")
local unknown_option = require(FOLDER .. ".unknown_option")

-- The method grid:bounds. If it is called with a value that is no grid, it raises the error for this mistake.
local bounds_of = core.grid(1, 1).bounds

local IS_TWIN = core.implementation == "lua"

local NAMES = { "terrain", "fill", "gap", "grid" }

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
  return read, tower.problem_of(read.gap, 255, "gap")
end

-- Returns true if a value is a grid.
local function is_grid(value) return (pcall(bounds_of, value)) end

-- Returns an error message if a grid cannot be a floor: floors lie side by side on one grid of squares.
local function problem_of_floor(grid)
  if IS_TWIN then return nil end -- its grids are squares that do not wrap around
  local shape, how = grid:shape()
  if shape ~= "square" then return "a floor must have square cells, got a grid of hexagons" end
  if how then return ("a floor cannot wrap around, got a grid with wrap = %q"):format(how) end
end

-- Returns a level as a separate grid: the level itself if it is a grid, else one made by astar.grid. If the level is
-- wrong, returns nil and a message.
local function read_level(level, options)
  if is_grid(level) then
    local problem = problem_of_floor(level)
    return not problem and level or nil, problem
  end
  if type(level) ~= "string" and type(level) ~= "table" then
    return nil, "expected a grid, a drawing, rows or { width, height }, got " .. describe(level)
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
  local first_x, first_y = levels[1]:bounds()
  local rows, filler = {}, levels[1]:get(first_x, first_y)
  for y = 1, height do
    local row = {}
    for x = 1, width do row[x] = filler end
    for z, floor in ipairs(floors) do
      local x0, y0 = levels[z]:bounds()
      for x = 1, y <= floor.height and floor.width or 0 do
        row[floor.before + x] = levels[z]:get(x0 + x - 1, y0 + y - 1)
      end
    end
    rows[y] = row
  end
  return rows
end

-- Copies the blocks of a level to the tower's grid. The cell (x, y) of the level is the cell (x + dx, y + dy) of the
-- grid.
local function copy_blocks(grid, level, dx, dy)
  local x0, y0, x1, y1 = level:bounds()
  for _, layer in ipairs(level:block_layers()) do
    for y = y0, y1 do
      local from -- first cell of a run of blocked cells
      for x = x0, x1 + 1 do
        local is_blocked = x <= x1 and level:is_blocked(x, y, layer)
        if is_blocked then from = from or x end
        if from and not is_blocked then
          grid:block(from + dx, y + dy, x - from, 1, layer)
          from = nil
        end
      end
    end
  end
end

-- Copies the blocks, links, walls and restrictions of a level to the tower's grid.
local function copy_level(grid, level, floor)
  local x0, y0 = level:bounds()
  local dx, dy = floor.before + 1 - x0, 1 - y0
  copy_blocks(grid, level, dx, dy)
  if IS_TWIN then return end -- it has no links, walls and restrictions
  for _, link in ipairs(level:links()) do
    local label = link.label ~= true and link.label or nil
    grid:link(link.x0 + dx, link.y0 + dy, link.x1 + dx, link.y1 + dy,
      { cost = link.cost, label = label, one_way = link.one_way })
  end
  for _, wall in ipairs(level:walls()) do grid:wall(wall.x + dx, wall.y + dy, wall.direction, wall.one_way) end
  for _, cell in ipairs(level:restrictions()) do grid:restrict(cell.x + dx, cell.y + dy, cell.directions) end
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
-- Returns nil and a message if a kind of ground has several costs.
local function terrain_of(levels, options)
  if options.terrain ~= nil then
    return options.terrain
  end
  local terrain = {}
  for z, level in ipairs(levels) do
    local x0, y0, x1, y1 = level:bounds()
    for y = y0, y1 do
      for x = x0, x1 do
        local key = level:get(x, y)
        local cost = level:terrain(key)
        if terrain[key] ~= nil and terrain[key] ~= cost then
          return nil, ("floor %d: the ground %s costs %s, and %s on a floor below: give its cost in the option terrain")
            :format(z, describe(key), describe(cost), describe(terrain[key]))
        end
        terrain[key] = cost
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
    read[z] = level
    has_size = has_size or level ~= levels[z] and type(levels[z]) == "table" and type(levels[z][1]) == "number"
  end
  if options.fill ~= nil and not has_size then
    return nil, "fill is only for floors by size: drawings and rows give each cell's key"
  end
  return read
end

--- astar.floors(levels [, { terrain =, fill =, gap = 1, grid = }]): returns a tower, whose floor 1 is the first level.
-- levels: a list of grids, which are copied, drawings, rows of keys (both as in astar.grid) or sizes { width, height }.
-- terrain, fill: options of astar.grid. gap: the number of columns between two floors. grid: the grid of such a tower
-- that was loaded from a dump; the levels then give only the sizes of the floors.
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
    return tower.new(read.grid, floors)
  end
  local terrain
  terrain, problem = terrain_of(grids, read)
  if not terrain then
    error(problem, 2)
  end
  local ok, grid = pcall(core.grid, rows_of(grids, floors, width, height), { terrain = terrain })
  if not ok then
    error(grid, 2)
  end
  block_rest(grid, floors)
  for z, level in ipairs(grids) do
    if level == levels[z] then copy_level(grid, level, floors[z]) end
  end
  return tower.new(grid, floors)
end
