-- saving.lua -- writes schedules and timed paths as strings for saved games, and reads such strings.
--
-- Cells and points are saved by their numbers, which depend on the size of the grid. So a dump has the first and last
-- column and row of its grid. Each value is checked when it is loaded, so even a forged string gives a valid object.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local later = require(ABOVE .. ".later")
local savegame = require(ABOVE .. ".savegame")
local timed_path = require(FOLDER .. ".path")

local huge = math.huge

local BOUNDS = { "first_x", "first_y", "last_x", "last_y" }
local MOST = 2 ^ 53 -- greatest number of reservations: integers up to it are exact

local saving = {}

-- Writes values, one after the other.
local function writer()
  local list, count = {}, 0
  local function add(value) count, list[count + 1] = count + 1, value end
  return add, function(kind) return savegame.seal(kind, list, count) end
end

-- Reads values, one after the other. `reader.is_bad` is set once a value fails its check; then nil is returned.
local function reader(list, count)
  local self, at = { is_bad = false }, 0
  function self.next(check, ...)
    at = at + 1
    self.is_bad = self.is_bad or at > count or not check(list[at], ...)
    return not self.is_bad and list[at] or nil
  end
  function self.is_done() return not self.is_bad and at == count end
  function self.left() return count - at end
  return self
end

local function is_number(value) return type(value) == "number" and value == value end
local function is_finite(value) return is_number(value) and value > -huge and value < huge end
local function is_part(value) return is_finite(value) and value >= 0 end
local function is_above_0(value) return is_finite(value) and value > 0 end
local function is_stay(value) return is_number(value) and value >= 0 end
local function is_whole(value, least, most)
  return is_finite(value) and value >= least and value <= most and value % 1 == 0
end
local function is_flag(value) return type(value) == "boolean" end

-- Returns the keys of a table of numbers, in order.
local function sorted_keys(of)
  local keys = {}
  for key in entries, of do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- Reads the bounds of the grid. Returns true if they are those of the list `bounds`. Returns nil and a message if they
-- are others, and nil alone if they are no bounds.
local function are_bounds(values, bounds, what)
  local saved, is_same = {}, true
  for i = 1, 4 do
    saved[i] = values.next(is_whole, -MOST, MOST)
    is_same = is_same and saved[i] == bounds[i]
  end
  if is_same or values.is_bad then return is_same or nil end
  local message = "the %s does not fit this grid: it is of one from (%.0f, %.0f) to (%.0f, %.0f)"
  return nil, message:format(what, saved[1], saved[2], saved[3], saved[4])
end

-- Returns the greatest number of a cell or a point between cells.
local function last_resource(bounds)
  local width, height = bounds[3] - bounds[1] + 1, bounds[4] - bounds[2] + 1
  return 2 * (width + 1) * (height + 1)
end

-- Schedules: the bounds; the number of the last reservation; the number of reservations that exist, and each; then for
-- each resource that is taken its number, the number of times, and { from, to, id } of each.

--- Returns a schedule as a string.
function saving.dump(schedule)
  local add, seal = writer()
  for _, name in ipairs(BOUNDS) do add(schedule[name]) end
  add(schedule.ids)
  local ids = sorted_keys(schedule.held)
  add(#ids)
  for _, id in ipairs(ids) do add(id) end
  for _, resource in ipairs(sorted_keys(schedule.taken)) do
    local list = schedule.taken[resource]
    add(resource)
    add(#list / 3)
    for _, value in ipairs(list) do add(value) end
  end
  return seal "schedule"
end

-- Reads the times at which a resource is taken. Returns a list { from, to, id, ... }.
local function read_times(values, schedule, resource)
  local times = {}
  for i = 1, values.next(is_whole, 1, values.left() / 3) or 0 do
    local from, to = values.next(is_number), values.next(is_number)
    local id = values.next(is_whole, 1, schedule.ids)
    local held = schedule.held[id or 0]
    values.is_bad = values.is_bad or to <= from or not held
    if values.is_bad then return nil end
    times[3 * i - 2], times[3 * i - 1], times[3 * i], held[#held + 1] = from, to, id, resource
  end
  return times
end

--- Returns the schedule in `count` values of a list, for a grid with these bounds. Returns nil if the values are
-- invalid, and nil and a message if the schedule is one of another grid.
function saving.load(list, count, grid, bounds)
  local values = reader(list, count)
  local is_of_grid, problem = are_bounds(values, bounds, "schedule")
  if not is_of_grid then return nil, problem end
  local schedule = later(FOLDER .. ".schedule")(grid)
  schedule.ids = values.next(is_whole, 0, MOST)
  for _ = 1, values.next(is_whole, 0, values.left()) or 0 do
    local id = values.next(is_whole, 1, schedule.ids)
    if values.is_bad or schedule.held[id] then return nil end
    schedule.held[id] = {}
  end
  local before, last = 0, last_resource(bounds)
  while values.left() > 0 and not values.is_bad do
    local resource = values.next(is_whole, before + 1, last)
    local times = resource and read_times(values, schedule, resource)
    if not times or #times == 0 then return nil end
    schedule.taken[resource], before = times, resource
  end
  return values.is_done() and schedule or nil
end

-- Timed paths: the bounds, the unit's size, then the numbers of the path, then its cells with all that belongs to each.

--- Returns a timed path as a string.
function saving.dump_path(path)
  local add, seal = writer()
  local grid_x0, grid_y0, grid_x1, grid_y1 = path._grid:bounds()
  for _, value in ipairs { grid_x0, grid_y0, grid_x1, grid_y1, path._size, path._offset, path._span, path._stay,
    path.cost, path.expanded, path.speed, #path._cells } do
    add(value)
  end
  for i, cell in ipairs(path._cells) do
    local sides = path._sides[i] or {}
    add(cell)
    add(path.times[i - path._offset] or 0)
    add(path._durations[i] or 0)
    add(path._links[i] == true)
    add(#sides)
    for _, side in ipairs(sides) do add(side) end
  end
  return seal "timed path"
end

-- Reads the cells of a path, and all that belongs to each, into the lists of `parts`.
local function read_cells(values, parts, count, steps, last)
  local time = -huge
  for i = 1, count do
    parts.cells[i] = values.next(is_whole, 1, steps.count)
    parts.times[i], parts.durations[i] = values.next(is_finite), values.next(is_part)
    local is_link, sides = values.next(is_flag), {}
    parts.links[i] = is_link or nil
    for k = 1, values.next(is_whole, 0, 2) or 0 do sides[k] = values.next(is_whole, 1, last) end
    parts.sides[i] = sides
    if values.is_bad then return end
    values.is_bad = i > parts.offset and parts.times[i] < time
    time = i > parts.offset and parts.times[i] or time
  end
end

--- Returns the timed path in a string, for a schedule and the steps of a finder's unit on its grid. Returns nil and a
-- message if the string is not valid, or the path is one of another grid or unit.
function saving.load_path(schedule, text, steps)
  local refusal = savegame.refusal("timed path", text)
  local list, count = savegame.unseal("timed path", text)
  if not list then return nil, refusal end
  local values, bounds = reader(list, count), {}
  for i, name in ipairs(BOUNDS) do bounds[i] = schedule[name] end
  local is_of_grid, problem = are_bounds(values, bounds, "timed path")
  if not is_of_grid then return nil, problem or refusal end
  local size = values.next(is_whole, 1, 255)
  if size and size ~= steps.size then
    return nil, ("the timed path is one of a unit of size %d, and the finder has size %d"):format(size, steps.size)
  end
  local parts = { cells = {}, times = {}, durations = {}, sides = {}, links = {} }
  parts.offset, parts.span = values.next(is_whole, 0, 254), values.next(is_whole, 1, 255)
  parts.stay, parts.cost = values.next(is_stay), values.next(is_part)
  parts.expanded, parts.speed = values.next(is_whole, 0, MOST), values.next(is_above_0)
  local cells = values.next(is_whole, 1, values.left() / 5)
  if not values.is_bad and cells > parts.offset then read_cells(values, parts, cells, steps, last_resource(bounds)) end
  if not values.is_done() then return nil, refusal end
  return timed_path.new(schedule.grid, steps, parts)
end

return saving
