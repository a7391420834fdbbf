-- saving.lua -- writes sets of goals and towers as strings for saved games, and reads such strings.
--
-- The core saves the grid of a tower. All other values are checked when they are loaded, so even a forged string gives
-- a valid object.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local later = require(FOLDER .. ".later")
local savegame = require(FOLDER .. ".savegame")

-- The method grid:bounds. Called with a value that is no grid, it raises the error for that.
local bounds_of = core.grid(1, 1).bounds

local saving = {}

-- Returns the values in a string that `seal` made for this kind of object, and their number. Raises an error at the
-- script's line if the value is no such string.
local function unseal(kind, text)
  if type(text) ~= "string" then
    error(("a %s's dump expected, got %s"):format(kind, describe(text)), 4)
  end
  local list, count = savegame.unseal(kind, text)
  if not list then
    error(savegame.refusal(kind, text), 4)
  end
  return list, count
end

local function is_whole(value, least, most)
  return type(value) == "number" and value >= least and value <= most and value % 1 == 0
end

-- Raises an error at the script's line unless the value is an open grid. Returns its first and last column and row.
local function check_bounds(grid)
  local ok, x0, y0, x1, y1 = pcall(bounds_of, grid)
  if not ok then
    local closed = tostring(x0):match "[^:]*closed.*"
    error(closed or "astar grid expected, got " .. describe(grid), 4)
  end
  return x0, y0, x1, y1
end

-- Sets of goals. A list of the goals: x and y of each.

--- Returns a set of goals as a string.
function saving.dump_goals(goals)
  local list, count = {}, 0
  for _, goal in ipairs(goals.list) do
    list[count + 1], list[count + 2], count = goal[1], goal[2], count + 2
  end
  return savegame.seal("goal set", list, count)
end

--- astar.load_goals(string, grid): returns the set of goals that goals:dump() has saved.
function saving.load_goals(text, grid)
  local list, count = unseal("goal set", text)
  local x0, y0, x1, y1 = check_bounds(grid)
  local goals = later(FOLDER .. ".goals")(grid)
  for i = 1, count, 2 do
    local x, y = list[i], list[i + 1]
    local is_cell = is_whole(x, -2 ^ 53, 2 ^ 53) and is_whole(y, -2 ^ 53, 2 ^ 53)
    if is_cell and not (is_whole(x, x0, x1) and is_whole(y, y0, y1)) then
      error(("the goals do not fit this grid: it has no cell (%s, %s)"):format(describe(x), describe(y)), 3)
    elseif not is_cell or not goals:add(x, y) then
      error(savegame.refusal("goal set", text), 3)
    end
  end
  return goals
end

-- Towers. The dump of the grid, and for each floor the number of columns west of it, its width and its height.

--- Returns a tower as a string.
function saving.dump_tower(tower)
  local list, count = { tower.grid:dump() }, 1
  for _, floor in ipairs(tower.floors) do
    list[count + 1], list[count + 2], list[count + 3] = floor.before, floor.width, floor.height
    count = count + 3
  end
  return savegame.seal("tower", list, count)
end

-- Returns the floors in the values of a saved tower. Returns nil unless the floors lie side by side on the grid, with a
-- gap between them.
local function floors_of(list, count, grid)
  local x0, y0, x1, y1 = grid:bounds()
  local floors, after = {}, -1
  local is_sound = x0 == 1 and y0 == 1 and count > 1 and count % 3 == 1
  for i = 2, is_sound and count or 1, 3 do
    local floor = { before = list[i], width = list[i + 1], height = list[i + 2] }
    local is_floor = is_whole(floor.before, after + 1, x1) and is_whole(floor.width, 1, x1 - floor.before)
      and is_whole(floor.height, 1, y1)
    if not is_floor then return nil end
    floors[#floors + 1], after = floor, floor.before + floor.width
  end
  return is_sound and floors or nil
end

--- astar.load_floors(string [, { max_cells = }]): returns the tower that tower:dump() has saved.
function saving.load_floors(text, options)
  if core.implementation == "lua" then
    error("astar.load_floors needs the C module of astar; see docs/platforms.md", 3)
  end
  local list, count = unseal("tower", text)
  local ok, grid = pcall(core.load, type(list[1]) == "string" and list[1] or "", options)
  if not ok and not tostring(grid):find "^not a grid's dump" then
    error(grid, grid == "not enough memory" and 0 or 3)
  end
  local floors = ok and floors_of(list, count, grid)
  if not floors then
    error(savegame.refusal("tower", text), 3)
  end
  return later(FOLDER .. ".tower").new(grid, floors)
end

-- Schedules.

--- astar.load_schedule(string, grid): returns the schedule that schedule:dump() has saved.
function saving.load_schedule(text, grid)
  local list, count = unseal("schedule", text)
  local x0, y0, x1, y1 = check_bounds(grid)
  local schedule, problem = later(FOLDER .. ".time.saving").load(list, count, grid, { x0, y0, x1, y1 })
  if not schedule then
    error(problem or savegame.refusal("schedule", text), 3)
  end
  return schedule
end

return saving
