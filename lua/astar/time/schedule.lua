-- schedule.lua -- astar.schedule(grid): which cells of a grid are reserved at which times, and routes in time between
-- them.
--
-- A unit reserves a cell from the time at which it starts the step to the cell until it has arrived at the next cell.
-- A train reserves the cell until its last car has arrived at the next cell. Therefore two units never swap cells,
-- and no unit enters a cell that another unit is still leaving. A diagonal step also reserves cells beside it, see
-- steps.lua, so two units never cross.
--
-- For each cell, and each point between four cells, the schedule stores the times at which it is reserved, in the
-- order of the reservations. The times at which a cell is free are computed from these when they are needed.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local errors = require(ABOVE .. ".errors")
local later = require(ABOVE .. ".later")
local plain_options = require(ABOVE .. ".plain_options")
local no_field = require(ABOVE .. ".no_field")
local no_more = require(ABOVE .. ".no_more")
local stray_entry = require(ABOVE .. ".stray_entry")
local timed_path = require(FOLDER .. ".path")
local timed_search = require(FOLDER .. ".search")
local timed_steps = require(FOLDER .. ".steps")
local unknown_option = require(ABOVE .. ".unknown_option")
local wrong_kind = require(ABOVE .. ".wrong_kind")

local abs, huge, max, min, sqrt = math.abs, math.huge, math.max, math.min, math.sqrt

local EPSILON = 1e-6 -- differences of time up to this are ignored, as in search.lua
local MOST_LENGTH, MOST_TIMES = 255, 65536 -- maximums of the options `length` and `times`

-- Methods of the core's classes. If they are called as functions with an object of another class, they raise an
-- error.
local any_grid = core.grid(1, 1)
local any_finder = any_grid:finder()
local any_cell = any_finder:find_path(1, 1, 1, 1).cell

local Schedule = {}
no_field.of_class(Schedule, "astar schedule", "grid",
  "count_free first_x first_y free held ids last_x last_y taken units wide")

local fail = errors.fail

local unpack = rawget(_G, "unpack") or table.unpack
local function pack(...) return { n = select("#", ...), ... } end

-- Defines a method that takes at most `most` arguments.
local function method(name, most, call)
  Schedule[name] = function(self, ...)
    if getmetatable(self) ~= Schedule then
      error("astar schedule expected, got " .. describe(self), 2)
    end
    no_more(name, most, select(most + 1, ...))
    local answers = pack(pcall(call, self, ...))
    if not answers[1] then
      local message = errors.message_of(answers[2])
      error(message or answers[2], message and 2 or 0)
    end
    return unpack(answers, 2, answers.n)
  end
end

-- Calls a function of the core. Its errors are raised as errors about the argument `name`.
local function ask(name, call, given, ...)
  local ok, first = pcall(call, given, ...)
  if not ok then
    fail("%s: %s", name, wrong_kind(tostring(first):gsub("^[^\n:]*:%d+: ", ""), given))
  end
  return first
end

local function read_options(options, known)
  if options == nil then return {} end
  if type(options) ~= "table" then fail("options must be a table, got %s", describe(options)) end
  options = plain_options(options, known)
  local unknown = unknown_option(options, known)
  if unknown then fail("%s", unknown) end
  return options
end

local function is_finite(value) return type(value) == "number" and value > -huge and value < huge end

local function read_time(options, name, otherwise)
  local value = rawget(options, name)
  if value == nil then return otherwise end
  if type(value) ~= "number" or value ~= value then fail("%s must be a number, got %s", name, describe(value)) end
  return value
end

local function read_at(options)
  local at = rawget(options, "at")
  if at == nil then return 0 end
  if not is_finite(at) then fail("at must be a finite number, got %s", describe(at)) end
  return at
end

local function read_positive(options, name, otherwise)
  local value = rawget(options, name)
  if value == nil then return otherwise end
  if not is_finite(value) or value <= 0 then fail("%s must be a finite number > 0, got %s", name, describe(value)) end
  return value
end

local function read_whole(options, name, most, otherwise)
  local value = rawget(options, name)
  if value == nil then return otherwise end
  if type(value) ~= "number" or not (value >= 1 and value <= most and value % 1 == 0) then
    fail("%s must be an integer from 1 to %d, got %s", name, most, describe(value))
  end
  return value
end

-- Reads the option `stay`: for how long the unit stays at the end of its route.
local function read_stay(options)
  local stay = rawget(options, "stay")
  if stay == nil or stay == true then return huge end
  if stay == false then return 0 end
  if type(stay) ~= "number" or stay ~= stay or stay < 0 then
    fail("stay must be a boolean or a number >= 0, got %s", describe(stay))
  end
  return stay
end

local function check_cell(self, x, y, x_name, y_name)
  local function check(value, first, last, name)
    if type(value) ~= "number" or not (value >= first and value <= last and value % 1 == 0) then
      fail("%s must be an integer from %d to %d, got %s", name, first, last, describe(value))
    end
  end
  check(x, self.first_x, self.last_x, x_name or "x")
  check(y, self.first_y, self.last_y, y_name or "y")
end

-- Records that a reservation occupies a cell or point from one time to another.
local function take(self, resource, from, to, id)
  if to <= from + EPSILON then return end
  local list = self.taken[resource]
  if not list then
    list = {}
    self.taken[resource] = list
  end
  local n = #list
  list[n + 1], list[n + 2], list[n + 3] = from, to, id
  self.free[resource] = nil
  local held = self.held[id]
  held[#held + 1] = resource
end

-- Makes a reservation that has no cells yet, and returns its id.
local function new_id(self)
  local id = self.ids + 1
  self.ids, self.held[id], self.wide = id, {}, {}
  return id
end

-- Returns the times { from, to, ... } between the times in a list { from, to, id, ... }. The first interval begins at
-- -huge and the last one ends at huge, unless these times are reserved.
local function gaps_of(list)
  local spans, gaps, from = {}, {}, -huge
  for i = 1, #list, 3 do spans[#spans + 1] = { list[i], list[i + 1] } end
  table.sort(spans, function(a, b) return a[1] < b[1] end)
  for _, span in ipairs(spans) do
    if span[1] > from + EPSILON then gaps[#gaps + 1], gaps[#gaps + 2] = from, span[1] end
    from = max(from, span[2])
  end
  if from < huge then gaps[#gaps + 1], gaps[#gaps + 2] = from, huge end
  return gaps
end

-- Returns the times at which a cell or a point is free, nil if it is always free.
local function free_of(self, resource)
  local gaps = self.free[resource]
  if gaps == nil and self.taken[resource] then
    gaps = gaps_of(self.taken[resource])
    self.free[resource] = gaps
  end
  return gaps
end

-- Returns the times at which all cells that a large unit covers are free, false if they are always free.
local function free_of_place(self, steps, place)
  local list = {}
  for row = 0, steps.size - 1 do
    for column = 0, steps.size - 1 do
      local taken = self.taken[place + row * steps.width + column] or {}
      for i = 1, #taken do list[#list + 1] = taken[i] end
    end
  end
  return #list > 0 and gaps_of(list)
end

-- A set that contains every cell.
local EVERYWHERE = setmetatable({}, { __index = function() return true end })

-- Returns the calendar for a search, see search.lua: the times at which positions of the unit are free, and which of
-- them are reserved at some time.
local function calendar_for(self, steps)
  if steps.size == 1 then
    return { taken = self.taken, free = function(resource) return free_of(self, resource) end }
  end
  local known = self.wide[steps.size] or {}
  self.wide[steps.size] = known
  return { taken = EVERYWHERE, free = function(place)
    local gaps = known[place]
    if gaps == nil then
      gaps = free_of_place(self, steps, place)
      known[place] = gaps
    end
    return gaps
  end }
end

-- Calls visit(resource, from, to) for each cell of a position, or for a point between cells. Stops and returns true
-- if `visit` returns true.
local function visit_place(steps, resource, from, to, visit)
  if steps.size == 1 or resource > steps.count then return visit(resource, from, to) end
  for row = 0, steps.size - 1 do
    for column = 0, steps.size - 1 do
      if visit(resource + row * steps.width + column, from, to) then return true end
    end
  end
  return false
end

-- Calls visit(resource, from, to) for every cell and point that a timed path reserves. If `visit` returns true, stops
-- and returns the index of the path's cell.
local function visit_path(path, visit)
  local steps, cells, sides, durations = path._steps, path._cells, path._sides, path._durations
  local offset, count, span = path._offset, #path._cells, path._span
  local function time_of(i) return i > offset and path.times[i - offset] or path.at end
  for i = 1, count do
    local to = i + span <= count and time_of(i + span) or path.arrival + path._stay
    if visit_place(steps, cells[i], i == 1 and path.at or time_of(i) - durations[i], to, visit) then return i end
    for _, side in ipairs(sides[i + 1] or {}) do
      if visit_place(steps, side, time_of(i + 1) - durations[i + 1], to, visit) then return i + 1 end
    end
  end
end

local function take_path(self, path, id)
  visit_path(path, function(resource, from, to) take(self, resource, from, to, id) end)
end

-- Returns the first cell of a timed path that another reservation occupies at the same time, and the time from which
-- on both would occupy it. Returns nil if there is no such cell.
local function conflict_of(self, path)
  local since
  local i = visit_path(path, function(resource, from, to)
    local list = self.taken[resource] or {}
    for k = 1, #list, 3 do
      since = max(from, list[k])
      if min(to, list[k + 1]) > since + 2 * EPSILON then return true end
    end
  end)
  if not i then return nil end
  local x, y = path._steps:place(path._cells[i])
  return x, y, since
end

-- Returns the steps of a finder's unit over the schedule's grid.
local function steps_of(self, finder)
  local steps = self.units[finder]
  if steps then
    steps:update()
    return steps
  end
  local options = ask("finder", any_finder.options, finder)
  local refused = timed_steps.refused(options)
  if refused then fail("a schedule cannot honour %s", refused) end
  if ask("finder", any_finder.with_grid, finder, self.grid) ~= finder then
    fail("finder: the finder belongs to another grid than the schedule")
  end
  steps = timed_steps.new(self.grid, finder)
  self.units[finder] = steps
  return steps
end

-- Returns the set of the indices of those cells of a route at which the next step is a link, or a step over the edge
-- of a grid that wraps around.
local function links_of(steps, cells)
  local links = {}
  for i = 1, #cells - 1 do
    local x, y = steps:place(cells[i])
    local to_x, to_y = steps:place(cells[i + 1])
    links[i] = steps.grid:distance(x, y, to_x, to_y) > 1 or abs(to_x - x) > 1 or abs(to_y - y) > 1 or nil
  end
  return links
end

-- Returns the numbers of a path's cells.
local function cells_of(self, path, steps)
  local cells = {}
  for i = 1, #path do
    local x, y = path:cell(i)
    if x < self.first_x or x > self.last_x or y < self.first_y or y > self.last_y then
      fail("path: (%d, %d) is outside the schedule's grid", x, y)
    end
    cells[i] = steps:cell(x, y)
  end
  return cells
end

-- Returns the steps of a path whose finder is not given, and their lengths. The lengths are those of the drawn path,
-- and each diagonal step reserves both cells beside it.
local function plain_steps(self, path)
  local steps = timed_steps.new(self.grid, self.grid:finder())
  local length = 0
  local lengths = {}
  for i = 2, #path do
    local x, y = path:center(i - 1)
    local dx, dy = steps:stride(x, y, path:center(i))
    local length_of_step = sqrt(dx * dx + dy * dy)
    lengths[i] = path:link(i - 1) and not (steps.wrap and length_of_step < 2) and 1 or length_of_step
    length = length + lengths[i]
  end
  if abs(length - path.cost) > 1e-6 * max(length, 1) then
    fail("the path costs %s but is %s long: reserve needs the option finder", describe(path.cost),
      describe(length))
  end
  function steps.step(_, from, to)
    local x, y = steps:place(from)
    local to_x, to_y = steps:place(to)
    local dx, dy = steps:stride(x, y, to_x, to_y)
    local is_diagonal = not steps.offset and abs(dx) == 1 and abs(dy) == 1
    return 0, is_diagonal and { steps:cell(to_x, y), steps:cell(x, to_y) } or {}
  end
  return steps, lengths
end

local function check_steps(steps, cells)
  for i = 2, #cells do
    if not steps:index(cells[i - 1], cells[i]) then
      local x, y = steps:place(cells[i - 1])
      local to_x, to_y = steps:place(cells[i])
      fail("path: the finder's unit has no step from (%d, %d) to (%d, %d)", x, y, to_x, to_y)
    end
  end
end

-- Returns the timed path of a unit, or a train, that sets out at a time and never waits.
local function without_waits(self, steps, cells, lengths, timing)
  local times, durations, sides, cost = { timing.at }, { 0 }, {}, 0
  for i = 2, #cells do
    local length, beside = steps:step(cells[i - 1], cells[i])
    length = lengths and lengths[i] or length
    sides[i], durations[i], cost = beside, length / timing.speed, cost + length
    times[i] = times[i - 1] + durations[i]
  end
  return timed_path.new(self.grid, steps, {
    cells = cells, times = times, durations = durations, sides = sides, links = links_of(steps, cells), offset = 0,
    cost = cost, expanded = 0, speed = timing.speed, span = timing.length, stay = timing.stay,
  })
end

-- Converts a path that was found without a schedule to a timed path without waits.
local function with_times(self, path, options)
  ask("path", any_cell, path, 1)
  local finder = rawget(options, "finder")
  local steps, lengths
  if finder ~= nil then
    steps = steps_of(self, finder)
  else
    steps, lengths = plain_steps(self, path)
  end
  local cells = cells_of(self, path, steps)
  if not lengths then check_steps(steps, cells) end
  return without_waits(self, steps, cells, lengths, {
    at = read_at(options), speed = read_positive(options, "speed", 1), stay = read_stay(options),
    length = read_whole(options, "length", MOST_LENGTH, 1),
  })
end

local RESERVED = { "at", "finder", "force", "length", "speed", "stay" }

--- schedule:reserve(path [, { at =, speed =, length =, stay =, finder =, force = }])
--- --> id | nil, "taken", x, y, time
method("reserve", 2, function(self, path, options)
  options = read_options(options, RESERVED)
  local force = rawget(options, "force")
  if force ~= nil and type(force) ~= "boolean" then fail("force must be a boolean, got %s", describe(force)) end
  if timed_path.test(path) then
    for name in entries, options do
      if name ~= "force" then fail("the option %s is not for timed paths", name) end
    end
    if path._grid ~= self.grid then fail("path: the path belongs to another grid") end
  else
    path = with_times(self, path, options)
  end
  if path._span > 1 and path._size > 1 then fail("length cannot honour size %d", path._size) end
  local x, y, time = conflict_of(self, path)
  if x and not force then return nil, "taken", x, y, time end
  local id = new_id(self)
  take_path(self, path, id)
  return id
end)

-- Reads the times of the options: { from, to, ... }, with all repetitions.
local function read_spans(options)
  local from, to = read_time(options, "from", -huge), read_time(options, "to", huge)
  if to <= from then
    fail("the option to must be later than the option from, %s, got %s", describe(from), describe(to))
  end
  local every, times = read_positive(options, "every"), read_whole(options, "times", MOST_TIMES, 1)
  if rawget(options, "times") ~= nil and not every then fail("the option times needs the option every") end
  if every and rawget(options, "times") == nil then fail("the option every needs the option times") end
  if every and not (is_finite(from) and is_finite(to)) then fail("the option every needs the options from and to") end
  local spans = {}
  for i = 0, times - 1 do
    spans[#spans + 1] = from + i * (every or 0)
    spans[#spans + 1] = to + i * (every or 0)
  end
  return spans
end

-- Returns the times between the given times.
local function between(spans)
  local list = {}
  for i = 1, #spans, 2 do list[#list + 1], list[#list + 2], list[#list + 3] = spans[i], spans[i + 1], 0 end
  return gaps_of(list)
end

--- schedule:reserve_cell(x, y [, { from =, to =, every =, times =, open = }]) --> id
method("reserve_cell", 3, function(self, x, y, options)
  check_cell(self, x, y)
  options = read_options(options, { "every", "from", "open", "times", "to" })
  local spans, open = read_spans(options), rawget(options, "open")
  if open ~= nil and type(open) ~= "boolean" then fail("open must be a boolean, got %s", describe(open)) end
  spans = open and between(spans) or spans
  local id = new_id(self)
  local cell = (y - self.first_y) * (self.last_x - self.first_x + 1) + x - self.first_x + 1
  for i = 1, #spans, 2 do take(self, cell, spans[i], spans[i + 1], id) end
  return id
end)

-- Removes the reservations of a cell or point for which is_over(from, to, id) returns true.
local function drop(self, resource, is_over)
  local list, kept = self.taken[resource] or {}, {}
  for i = 1, #list, 3 do
    if not is_over(list[i], list[i + 1], list[i + 2]) then
      local n = #kept
      kept[n + 1], kept[n + 2], kept[n + 3] = list[i], list[i + 1], list[i + 2]
    end
  end
  self.taken[resource] = #kept > 0 and kept or nil
  self.free[resource] = nil
end

local function check_id(self, id)
  if type(id) ~= "number" or not (id >= 1 and id <= self.ids and id % 1 == 0) then
    fail("id must be an id that reserve or reserve_cell returned, got %s", describe(id))
  end
end

--- schedule:release(id) --> true if the reservation still existed
method("release", 1, function(self, id)
  check_id(self, id)
  local held = self.held[id]
  if not held then return false end
  for _, resource in ipairs(held) do
    drop(self, resource, function(_, _, owner) return owner == id end)
  end
  self.held[id], self.wide = nil, {}
  return true
end)

--- schedule:forget(time): removes all reservations that end by that time.
method("forget", 1, function(self, time)
  if not is_finite(time) then fail("time must be a finite number, got %s", describe(time)) end
  local resources, still = {}, {}
  for resource in entries, self.taken do resources[#resources + 1] = resource end
  for _, resource in ipairs(resources) do
    drop(self, resource, function(_, to) return to <= time end)
    local list = self.taken[resource] or {}
    for i = 3, #list, 3 do
      local held = still[list[i]] or {}
      held[#held + 1], still[list[i]] = resource, held
    end
  end
  self.held, self.wide = still, {}
end)

--- schedule:taken_by(x, y, time) --> id | nil: the reservation that occupies a cell at that time. If there are
-- several, it is the earliest.
method("taken_by", 3, function(self, x, y, time)
  check_cell(self, x, y)
  if type(time) ~= "number" or time ~= time then fail("time must be a number, got %s", describe(time)) end
  local list = self.taken[(y - self.first_y) * (self.last_x - self.first_x + 1) + x - self.first_x + 1] or {}
  local found
  for i = 1, #list, 3 do
    if list[i] <= time and time < list[i + 1] then found = min(found or huge, list[i + 2]) end
  end
  return found
end)

-- Reads the cells that a unit occupies at first: its start and, for a train, the cells behind it, the nearest first.
local function read_places(self, options, sx, sy, span)
  local tail, places = rawget(options, "tail"), { { sx, sy } }
  if tail == nil then return places end
  if type(tail) ~= "table" then fail("tail must be a list of cells, got %s", describe(tail)) end
  if #tail > span - 1 then fail("tail must have at most %d cells, got %d", span - 1, #tail) end
  local stray = stray_entry(tail)
  if stray then fail("tail is counted from 1, got an entry %s", stray) end
  for i, place in ipairs(tail) do
    if type(place) ~= "table" then fail("tail[%d] must be a cell, got %s", i, describe(place)) end
    local x, y = place.x or place[1], place.y or place[2]
    check_cell(self, x, y, ("tail[%d].x"):format(i), ("tail[%d].y"):format(i))
    places[i + 1] = { x, y }
  end
  return places
end

-- Returns the numbers of the cells that a train occupies at first, the cell of the last car first.
local function line_up(steps, places)
  local cells = {}
  for i, place in ipairs(places) do
    local cell = steps:cell(place[1], place[2])
    for _, other in ipairs(cells) do
      if other == cell then fail("tail[%d]: the train is on (%d, %d) already", i - 1, place[1], place[2]) end
    end
    if i > 1 and not steps:step(cell, cells[1]) then
      local ahead = places[i - 1]
      fail("tail[%d]: no step leads from (%d, %d) to (%d, %d)", i - 1, place[1], place[2], ahead[1], ahead[2])
    end
    table.insert(cells, 1, cell)
  end
  return cells
end

-- Default maximum number of expansions. With this default, a query that has no route ends within about a second.
-- Expanding a train's state takes longer, and on open terrain the number of a train's states is nearly unlimited.
local MOST_OF_UNIT, MOST_OF_TRAIN = 100000, 20000

local QUERY = { "at", "length", "max_expansions", "speed", "stay", "tail" }

local function read_query(self, steps, start, options)
  options = read_options(options, QUERY)
  local span = read_whole(options, "length", MOST_LENGTH, 1)
  if span > 1 and steps.size > 1 then fail("length cannot honour size %d", steps.size) end
  return {
    start = steps:cell(start[1], start[2]), places = read_places(self, options, start[1], start[2], span),
    at = read_at(options), length = span, speed = read_positive(options, "speed", 1), stay = read_stay(options),
    most = read_whole(options, "max_expansions", 2 ^ 53,
      steps.options.max_expansions or (span > 1 and MOST_OF_TRAIN or MOST_OF_UNIT)),
  }
end

-- Returns the reason why the finder has no route even without reservations; nil if it may have one.
local function reason_of(steps, sx, sy, gx, gy)
  if not steps:can_stand(sx, sy) then return "start blocked" end
  if sx == gx and sy == gy then return nil end
  if not steps:fits(steps:cell(gx, gy)) then return "goal blocked" end
  local start = steps:cell(sx, sy)
  if not steps:estimate(steps:cell(gx, gy), start)[start] then return "unreachable" end
end

-- Returns the finder's own best path as a timed path, if no reservation conflicts with it. No route arrives earlier,
-- and this check needs no flow field.
local function undisturbed(self, steps, query, gx, gy)
  local options, start = steps.options, query.places[1]
  if query.length > 1 or steps.lifted_count > 0 or options.heuristic then return nil end
  local path = steps.finder:find_path(start[1], start[2], gx, gy, { weight = 1, max_expansions = query.most })
  if not path or #path == 1 then return nil end
  local timed = without_waits(self, steps, cells_of(self, path, steps), nil, query)
  if abs(timed.cost - path.cost) > EPSILON or conflict_of(self, timed) then return nil end
  timed.expanded = path.expanded
  return timed
end

--- schedule:find_path(finder, sx, sy, gx, gy [, { at =, speed =, length =, tail =, stay =, max_expansions = }])
--- --> timed path | nil, reason
method("find_path", 6, function(self, finder, sx, sy, gx, gy, options)
  local steps = steps_of(self, finder)
  check_cell(self, sx, sy, "sx", "sy")
  check_cell(self, gx, gy, "gx", "gy")
  local query = read_query(self, steps, { sx, sy }, options)
  if steps:can_stand(sx, sy) then steps = steps:standing_on(query.places) end
  query.cells = line_up(steps, query.places)
  local direct = undisturbed(self, steps, query, gx, gy)
  if direct then return direct end
  local reason = reason_of(steps, sx, sy, gx, gy)
  if reason then return nil, reason end
  local route, why = timed_search(steps, calendar_for(self, steps), query, steps:cell(gx, gy))
  if not route then return nil, why end
  route.offset, route.span = #query.cells - 1, query.length
  route.speed, route.stay = query.speed, query.stay
  route.links, route.cost = links_of(steps, route.cells), 0
  for i = route.offset + 2, #route.cells do route.cost = route.cost + route.durations[i] * query.speed end
  return timed_path.new(self.grid, steps, route)
end)

--- schedule:dump() --> string
method("dump", 0, function(self) return (later(FOLDER .. ".saving").dump(self)) end)

--- schedule:load_path(string, finder) --> the timed path that timed:dump() has saved
method("load_path", 2, function(self, text, finder)
  if type(text) ~= "string" then fail("a timed path's dump expected, got %s", describe(text)) end
  local steps = steps_of(self, finder)
  local path, problem = later(FOLDER .. ".saving").load_path(self, text, steps)
  if not path then fail("%s", problem) end
  return path
end)

--- astar.schedule(grid): makes a schedule without reservations.
return function(grid, ...)
  no_more("schedule", 1, ...)
  local ok, first_x, first_y, last_x, last_y = pcall(any_grid.bounds, grid)
  if not ok then
    error(wrong_kind(tostring(first_x):gsub("^[^\n:]*:%d+: ", ""), grid), 2)
  end
  return setmetatable({
    grid = grid, first_x = first_x, first_y = first_y, last_x = last_x, last_y = last_y, ids = 0,
    taken = {}, free = {}, held = {}, wide = {}, units = setmetatable({}, { __mode = "k" }),
  }, Schedule)
end
