-- flow.lua -- flow fields: the distances of all cells to the cheapest of goals, or of a reach from its start.
--
-- Distances grow from the goals backward: a cell that can step into another gets that one's distance and the cost of
-- entering it; from a start forward. They are worked out as far as a question needs, and after an edit anew. Where to
-- go on is read off them: so it does not depend on the order in which they were found.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local finder = require(FOLDER .. ".finder")
local jobs = require(FOLDER .. ".jobs")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")
local search = require(FOLDER .. ".search")

local describe, fail = object.describe, object.fail
local enter, push, pop, round = costs.enter, search.push, search.pop, map.round
local huge = math.huge

local Flow = object.class {
  title = "astar flow", tell = function(parts) return ("astar flow, %d expanded"):format(parts.expanded) end,
}
local methods, open = Flow.methods, Flow.open

-- The eight directions as units prefer them: diagonal ones first.
local ORDER = { 1, 3, 5, 7, 0, 2, 4, 6 }

-- ---- making them ----

local function read_value(goal, what)
  local value, other = rawget(goal, "value"), rawget(goal, 3)
  local is_named = rawget(goal, "x") ~= nil or rawget(goal, "y") ~= nil
  if value ~= nil and other ~= nil and not is_named then fail("%s has two values for value, [3] is one, too", what) end
  if value == nil then value = other end
  return value == nil and 0 or object.real(value, -1e9, 1e9, what .. ".value")
end

-- Adds a goal, or all cells within range of it: of several values the least.
local function add_seed(seeds, unit, goal, what)
  local cell, value = finder.goal_cell(unit.grid, goal, what, true), read_value(goal, what)
  finder.each_within(unit.grid, cell, unit.question.range, function(each)
    seeds[each] = math.min(seeds[each] or huge, value)
  end)
end

local function new_flow(unit, seeds, max_cost, parts)
  parts.unit, parts.seeds, parts.max_cost, parts.expanded = unit, seeds, max_cost, 0
  return Flow.new(parts)
end

function finder.class.methods.flow(self, x, y, options, extra)
  local unit = finder.open(self, extra, "flow", 3)
  local seeds = {}
  if type(x) == "number" then
    add_seed(seeds, unit, { finder.cell_of(unit.grid, x, y, "x", "y") and x, y }, "goal")
  else
    if options ~= nil then object.too_many("flow", 2, options) end
    options = y
    if type(x) ~= "table" then fail("goals must be a list of cells or x, y, got %s", describe(x)) end
    if rawget(x, "x") ~= nil or type(rawget(x, 1)) == "number" then
      add_seed(seeds, unit, x, "goal")
    else
      x = finder.list_of_goals(x)
      for i = 1, finder.count_goals(x) do add_seed(seeds, unit, rawget(x, i), ("goals[%d]"):format(i)) end
    end
  end
  local max_cost, steps_only = huge, false
  if options ~= nil then
    object.options(options, { "max_cost", "steps_only" })
    local most = rawget(options, "max_cost")
    max_cost = most == nil and huge or object.real(most, 0, huge, "max_cost")
    steps_only = object.flag(options, "steps_only", false)
  end
  return new_flow(unit, seeds, math.min(max_cost, unit.question.max_cost), { steps_only = steps_only })
end

function finder.class.methods.reach(self, x, y, max_cost, extra)
  local unit = finder.open(self, extra, "reach", 3)
  local cell = finder.cell_of(unit.grid, x, y, "x", "y")
  max_cost = object.real(max_cost, 0, huge, "max_cost")
  return new_flow(unit, { [cell] = 0 }, math.min(max_cost, unit.question.max_cost), { start = cell })
end

local function check_distances(parts)
  if parts.steps_only then fail "a flow made with steps_only has no distances" end
  return parts
end

function methods.flee(self, factor, extra)
  local parts = check_distances(open(self, extra, "flee", 1))
  factor = factor == nil and -1.2 or object.real(factor, -1000, -1, "factor")
  if parts.start then fail "a reach has no goals to flee from; flee from a flow" end
  return new_flow(parts.unit, {}, huge, { source = self, factor = factor })
end

-- ---- working them out ----

local complete

-- Begins to work out all: the goals are open. What functions may do meanwhile is overwritten in the end.
local function begin(parts)
  local source, seeds = parts.source and Flow.open(parts.source), parts.seeds
  if source then complete(source) end
  local query = costs.begin(parts.unit, parts.start or 0)
  if source then
    seeds = {}
    for cell in entries, source.closed_cells do
      seeds[cell] = round(query.map, source.distances[cell] * parts.factor)
    end
  end
  local distances, keys, cells, count, beyond, limit = {}, {}, {}, 0, {}, parts.max_cost * (1 + 1e-9)
  for cell, value in entries, seeds do
    local is_free = parts.start and map.can_stand(query.map, cell) or not parts.start and enter(query, cell) < huge
    if is_free and value <= limit then
      distances[cell] = value
      count = push(keys, cells, count, value, cell)
    elseif is_free then
      beyond[cell] = true
    end
  end
  parts.query, parts.edition, parts.edits, parts.seeds = query, query.map.edition, query.edits, seeds
  parts.distances, parts.closed_cells, parts.keys, parts.cells, parts.count = distances, {}, keys, cells, count
  parts.limit, parts.beyond, parts.current, parts.is_begun = limit, beyond, nil, true
end

-- Takes in edits: all begins anew where the unit notices them.
local function attend(parts)
  local own, start = parts.unit.map, parts.start
  map.update(own)
  local is_closer = parts.unit.asks or start and own.cost[start] == 0 -- it reads more than what cells cost
  if not parts.is_begun or parts.edition ~= own.edition or is_closer and parts.edits ~= map.count_edits(own) then
    begin(parts)
  end
  parts.edits, parts.query.edits = map.count_edits(own), map.count_edits(own)
  if parts.source and Flow.open(parts.source).edition ~= own.edition then begin(parts) end
  map.settle(own, parts.query.patch)
end

-- Whether a diagonal step between two cells passes what stands beside it: the cells are beside either.
local function passes(parts, cell, d)
  local unit, query = parts.unit, parts.query
  local one, other = cell + unit.offsets[(d + 7) % 8], cell + unit.offsets[(d + 1) % 8]
  return (enter(query, one) < huge and 1 or 0) + (enter(query, other) < huge and 1 or 0) >= unit.corners
end

-- What a step between a cell and the one in a direction costs, the way that units go; huge: there is none.
local function step_between(parts, cell, d, is_into)
  local unit, query = parts.unit, parts.query
  local beside = cell + unit.offsets[d]
  local entered = is_into and cell or beside
  local cost = enter(query, entered)
  if cost == huge or d % 2 == 1 and not passes(parts, cell, d) then return huge end
  local length = d % 2 == 1 and unit.diagonal_cost or 1
  if not unit.step_cost then
    return round(query.map, cost * length)
  elseif is_into then
    return costs.ask_step(query, beside, cell, (d + 4) % 8, cost * length)
  end
  return costs.ask_step(query, cell, beside, d, cost * length)
end

-- Takes the nearest cell and offers its neighbours a way; false where there is none. A function that is asked may
-- raise, or ask the flow itself: then the cell is expanded again.
local function expand(parts)
  local unit, query, distances = parts.unit, parts.query, parts.distances
  local cell = parts.current
  while not cell do
    if parts.count == 0 then return false end
    cell, parts.count = pop(parts.keys, parts.cells, parts.count)
    if parts.closed_cells[cell] then cell = nil end
  end
  parts.current, parts.closed_cells[cell] = cell, true
  local here = distances[cell]
  local is_reach = parts.start ~= nil
  for d = 0, 7, unit.corners == 3 and 2 or 1 do
    local beside = cell + unit.offsets[d]
    if not parts.closed_cells[beside] and (is_reach or enter(query, beside) < huge) then
      local way = here + step_between(parts, cell, d, not is_reach)
      if way > parts.limit then
        if way < huge then parts.beyond[beside] = true end
      elseif way < (distances[beside] or huge) then
        distances[beside] = way
        parts.count = push(parts.keys, parts.cells, parts.count, way, beside)
      end
    end
  end
  if parts.current == cell then parts.current, parts.expanded = nil, parts.expanded + 1 end
  return true
end

function complete(parts)
  attend(parts)
  while expand(parts) do end
end

-- Works out as far as a cell, or all around one that units only stand on.
local function settle_as_far_as(parts, cell)
  attend(parts)
  local is_covered = enter(parts.query, cell) < huge or parts.start == cell
  while not (is_covered and parts.closed_cells[cell] and not parts.current) and expand(parts) do end
end

-- ---- asking them ----

-- The best way on from a cell: its distance and the direction, none where it is best to stay.
local function best_of(parts, cell)
  settle_as_far_as(parts, cell)
  local unit, distances, closed = parts.unit, parts.distances, parts.closed_cells
  local best, direction = parts.seeds[cell] or huge, nil
  if parts.start == cell then return best end
  for _, d in ipairs(ORDER) do
    local beside = cell + unit.offsets[d]
    if closed[beside] and (unit.corners < 3 or d % 2 == 0) then
      local way = distances[beside] + step_between(parts, cell, d, parts.start ~= nil)
      if way < best then best, direction = way, d end
    end
  end
  return best, direction
end

-- Why a cell has no distance.
local function reason_for(parts, cell)
  local own, is_free = parts.query.map, next(parts.seeds) == nil
  if not map.can_stand(own, parts.start or cell) then
    return "start blocked"
  elseif parts.start and parts.query.cost[cell] == 0 then
    return "goal blocked"
  end
  local source = parts
  while source.source do source = Flow.open(source.source) end
  if not parts.start then
    for goal in entries, source.seeds do is_free = is_free or enter(parts.query, goal) < huge end
    if not is_free and next(source.seeds) then return "goal blocked" end
  end
  while expand(parts) do end
  local is_cut = false
  for each in entries, source.beyond do is_cut = is_cut or not source.closed_cells[each] end
  if is_cut then
    local asked = { unit = parts.unit, grid = parts.unit.grid, query = parts.query, range = 0 }
    asked.start = parts.start or cell
    local may = false
    for goal in entries, parts.start and { [cell] = true } or source.seeds do
      may = may or search.may_reach(asked, goal)
    end
    map.settle(own, parts.query.patch)
    if may then return "max_cost" end
  end
  return "unreachable"
end

local function ask(self, x, y, extra, name)
  local parts = open(self, extra, name, 2)
  local cell = finder.cell_of(parts.unit.grid, x, y, "x", "y")
  local best, direction = best_of(parts, cell)
  if not map.can_stand(parts.query.map, cell) or best == huge then
    return nil, reason_for(parts, cell)
  elseif best > parts.limit then
    return nil, "max_cost"
  end
  return best, direction, parts, cell
end

function methods.distance(self, x, y, extra)
  check_distances(open(self))
  local best, reason = ask(self, x, y, extra, "distance")
  if best then return best * 1.0 end
  return nil, reason
end

function methods.next(self, x, y, extra)
  local best, direction, parts, cell = ask(self, x, y, extra, "next")
  if not best then return nil, direction end
  return costs.position(parts.unit.grid, direction and cell + parts.unit.offsets[direction] or cell)
end

function methods.path(self, x, y, extra)
  local best, direction, parts, cell = ask(self, x, y, extra, "path")
  if not best then return nil, direction end
  local cells = { cell }
  while direction do
    cell = cell + parts.unit.offsets[direction]
    cells[#cells + 1] = cell
    direction = select(2, best_of(parts, cell))
  end
  if parts.start then
    local back = {}
    for i = #cells, 1, -1 do back[#back + 1] = cells[i] end
    cells = back
  end
  local asked = {
    unit = parts.unit, grid = parts.unit.grid, query = parts.query, steps = parts.unit.step_cost and {} or nil,
  }
  if asked.steps then
    for i = 2, #cells do
      local d = costs.direction(asked.grid.stride, cells[i - 1], cells[i])
      asked.steps[cells[i]] = costs.step(parts.query, cells[i - 1], d)
    end
  end
  return path.new(parts.unit, cells, #cells, search.sum(asked, cells, #cells), {
    goal = cells[#cells], question = parts.unit.question, algorithm = "dijkstra",
  })
end

function methods.cells(self, extra)
  local parts = check_distances(open(self, extra, "cells", 0))
  complete(parts)
  local cell, grid = 0, parts.unit.grid
  return function()
    while cell < grid.last do
      cell = cell + 1
      if parts.closed_cells[cell] then
        local x, y = costs.position(grid, cell)
        return x, y, parts.distances[cell] * 1.0
      end
    end
  end
end

function methods.count_cut_off(self)
  open(self)
  object.lacks "flow:count_cut_off"
end

function methods.complete(self, extra)
  local parts = open(self, extra, "complete", 0)
  local before = parts.expanded
  complete(parts)
  return parts.expanded - before
end

function methods.update(self, extra)
  local parts = open(self, extra, "update", 0)
  local before, was_begun, edition = parts.expanded, parts.is_begun, parts.edition
  attend(parts)
  if was_begun and edition ~= parts.edition then complete(parts) end
  return parts.expanded - before
end

function methods.completing(self, extra)
  local parts = open(self, extra, "completing", 0)
  return jobs.new(self, function(n)
    attend(parts)
    repeat
      if not expand(parts) then return "done" end
      n = n - 1
    until n <= 0
    return "running"
  end)
end

local flow = {}

--- The distances of all cells that are not blocked, by their place from 0; the least and the most.
function flow.distances(self)
  local parts = check_distances(open(self))
  complete(parts)
  local list, least, most, grid = {}, huge, -huge, parts.unit.grid
  for cell in entries, parts.closed_cells do
    if not grid.blocked[cell] then
      local x, y = costs.position(grid, cell)
      local distance = parts.distances[cell]
      list[(y - grid.y0) * grid.width + x - grid.x0] = distance
      least, most = math.min(least, distance), math.max(most, distance)
    end
  end
  if least > most then least, most = 0 / 0, 0 / 0 end
  return list, least, most
end

--- What is another distance in one such list than in another: { place, distance or false, ... }
function flow.differences(list, before)
  local differences = {}
  before = before or {}
  for place, distance in entries, list do
    if before[place] ~= distance then
      differences[#differences + 1], differences[#differences + 2] = place, distance
    end
  end
  for place in entries, before do
    if list[place] == nil then differences[#differences + 1], differences[#differences + 2] = place, false end
  end
  return differences
end

return flow
