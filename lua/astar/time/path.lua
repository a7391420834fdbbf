-- path.lua -- Timed paths, which a schedule's find_path returns. They say where a unit, or each car of a train, is at
-- any time.
--
-- The unit arrives at cell i at times[i]. It waits there, and leaves so that it arrives at the next cell at times[i +
-- 1]. For a train these are the times of its first car. Every other car is one cell behind the car before it.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local describe = require(ABOVE .. ".describe")
local later = require(ABOVE .. ".later")
local no_field = require(ABOVE .. ".no_field")
local no_more = require(ABOVE .. ".no_more")

local floor, huge = math.floor, math.huge

local Path = {}
no_field.of_class(Path, "astar timed path", "arrival at cost count expanded speed times", [[
  _cells _durations _grid _links _offset _sides _size _span _stay _steps]])

local function check(self)
  if getmetatable(self) ~= Path then
    error("astar timed path expected, got " .. describe(self), 3)
  end
end

local function check_index(self, i)
  if type(i) ~= "number" or not (i >= 1 and i <= self.count and i % 1 == 0) then
    error(("i must be an integer from 1 to %d, got %s"):format(self.count, describe(i)), 3)
  end
end

local function cell_at(self, i) return self._steps:place(self._cells[i + self._offset]) end

--- Returns the coordinates of the i-th cell.
function Path:cell(i, ...)
  check(self)
  no_more("cell", 1, ...)
  check_index(self, i)
  return cell_at(self, i)
end

--- Returns the times at which the unit arrives at the i-th cell and leaves it. At the last cell the second time is the
-- end of its stay.
function Path:time(i, ...)
  check(self)
  no_more("time", 1, ...)
  check_index(self, i)
  local after = self.times[i + 1]
  return self.times[i], after and after - self._durations[i + 1 + self._offset] or self.arrival + self._stay
end

--- Iterates over the cells and the times of arrival: for x, y, time in path:cells() do
function Path:cells(...)
  check(self)
  no_more("cells", 0, ...)
  local i = 0
  return function()
    i = i + 1
    if i > self.count then return nil end
    local x, y = cell_at(self, i)
    return x, y, self.times[i]
  end
end

--- Returns the cells as a list of { x =, y =, time = }.
function Path:totable(...)
  check(self)
  no_more("totable", 0, ...)
  local list = {}
  for i = 1, self.count do
    local x, y = cell_at(self, i)
    list[i] = { x = x, y = y, time = self.times[i] }
  end
  return list
end

-- Returns the index of the last cell at which the unit has arrived by a time.
local function index_at(self, time)
  local first, last, times = 1, self.count, self.times
  while first < last do
    local middle = floor((first + last + 1) / 2)
    if times[middle] <= time then first = middle else last = middle - 1 end
  end
  return first
end

-- Returns which part of the step from cell i the unit has made by a time, from 0 to 1.
local function share_at(self, i, time)
  local arrival, duration = self.times[i + 1], self._durations[i + 1 + self._offset]
  if not arrival or duration <= 0 then return 0 end
  local share = 1 - (arrival - time) / duration
  return share > 0 and share or 0
end

--- Returns the position of the unit at a time, which may lie between two cells, and the index of the last cell at
-- which it has arrived. For a train, `car` is the number of the car, 1 by default. Returns nil before the unit sets
-- out, after its stay has ended, and for a car that has not yet left the start.
function Path:place(time, car, ...)
  check(self)
  no_more("place", 2, ...)
  if type(time) ~= "number" or time ~= time then
    error("time must be a number, got " .. describe(time), 2)
  end
  car = car == nil and 1 or car
  if type(car) ~= "number" or not (car >= 1 and car <= self._span and car % 1 == 0) then
    error(("car must be an integer from 1 to %d, got %s"):format(self._span, describe(car)), 2)
  end
  if time < self.at or time >= self.arrival + self._stay and time > self.arrival then return nil end
  local i = index_at(self, time)
  local own = i + 1 - car + self._offset
  local share = share_at(self, i, time)
  if own < 1 then return nil end
  local grid, steps = self._grid, self._steps
  local x, y = grid:center(steps:place(self._cells[own]))
  if share > 0 and not self._links[own] then
    local to_x, to_y = grid:center(steps:place(self._cells[own + 1]))
    x, y = x + (to_x - x) * share, y + (to_y - y) * share
  end
  return x, y, i
end

--- Returns the timed path as a string.
function Path:dump(...)
  check(self)
  no_more("dump", 0, ...)
  return (later(FOLDER .. ".saving").dump_path(self))
end

local timed_path = {}

--- Returns true if a value is a timed path.
function timed_path.test(value) return getmetatable(value) == Path end

--- Makes a timed path. `cells` are numbers of cells; the cells of a train behind its start come before the start,
-- which has the index offset + 1. `times` and `durations` belong to the same cells. `sides` lists, for each cell,
-- the cells beside the step to it. `links` is true for the index of each cell from which a link leads on.
function timed_path.new(grid, steps, parts)
  local times = {}
  for i = parts.offset + 1, #parts.cells do times[i - parts.offset] = parts.times[i] end
  local count = #times
  return setmetatable({
    at = times[1], arrival = times[count], cost = parts.cost, count = count, expanded = parts.expanded,
    speed = parts.speed, times = times, _cells = parts.cells, _durations = parts.durations, _grid = grid,
    _links = parts.links, _offset = parts.offset, _sides = parts.sides, _size = steps.size, _span = parts.span,
    _stay = parts.stay == nil and huge or parts.stay, _steps = steps,
  }, Path)
end

return timed_path
