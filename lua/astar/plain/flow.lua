-- flow.lua -- The twin's flow fields: the distance of each cell to the cheapest of some goals, or from a start (reach).
--
-- Distances to goals are computed from the goals backward: the distance of a cell is that of the next cell plus the
-- cost of entering it. Distances from a start are computed forward. Distances are computed as far as a query needs
-- them, and again after an edit. The next step is derived from the distances, so it does not depend on the order in
-- which these were found.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local finder = require(FOLDER .. ".finder")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")
local search = require(FOLDER .. ".search")

local describe, fail = object.describe, object.fail
local enter, huge = costs.enter, math.huge

local Flow = object.class {
  title = "astar flow",
  tell = function(parts) return ("astar flow, %d expanded"):format(parts.flood and parts.flood.expanded or 0) end,
}
local methods, open = Flow.methods, Flow.open

-- The eight directions in the order in which equally good steps are preferred: diagonal ones first.
local ORDER = { 1, 3, 5, 7, 0, 2, 4, 6 }

-- Returns the extra cost of a goal {x, y, extra cost}. A goal {x =, y =} has none.
local function read_value(goal, what)
  if rawget(goal, "x") ~= nil or rawget(goal, "y") ~= nil or rawget(goal, 3) == nil then return 0 end
  return object.real(rawget(goal, 3), -1e9, 1e9, what .. "[3]")
end

-- Returns the cells from which distances are computed, with their initial costs: all cells in range of a goal. If
-- several goals are in range of a cell, it gets the lowest of their extra costs.
local function seeds_within(unit, values, range)
  local seeds, wider, higher = {}, map.more_within(unit.map, range)
  for cell, value in entries, values do
    map.each_within(unit.grid, cell, range, wider, higher, function(each)
      seeds[each] = math.min(seeds[each] or huge, value)
    end)
  end
  return seeds
end

local function new_flow(unit, seeds, max_cost, start)
  return Flow.new { unit = unit, seeds = seeds, max_cost = math.min(max_cost, unit.options.max_cost), start = start }
end

function finder.class.methods.flow(self, x, y, options, extra)
  local unit, values = finder.open(self, extra, "flow", 3), {}
  local function add_goal(cell, goal, what)
    values[cell] = math.min(values[cell] or huge, read_value(goal, what))
  end
  if type(x) == "number" then
    add_goal(finder.cell_of(unit.grid, x, y, "x", "y"), {}, "goal")
  else
    if options ~= nil then object.too_many("flow", 2, options) end
    options = y
    if type(x) ~= "table" then fail("goals must be a list of cells or x, y, got %s", describe(x)) end
    if rawget(x, "x") ~= nil or type(rawget(x, 1)) == "number" then
      add_goal(finder.goal_cell(unit.grid, x, "goal", true), x, "goal")
    else
      finder.each_goal(unit.grid, x, true, add_goal)
    end
  end
  options = object.options(options or {}, { "max_cost", "range", "steps_only" })
  object.flag(options, "steps_only", false) -- has no effect: flows of the twin have distances and steps
  local most, range = rawget(options, "max_cost"), rawget(options, "range")
  most = most == nil and huge or object.real(most, 0, huge, "max_cost")
  range = range == nil and unit.options.range or object.whole(range, 0, 2 ^ 24, "range")
  return new_flow(unit, seeds_within(unit, values, range), most)
end

function finder.class.methods.reach(self, x, y, max_cost, options, extra)
  local unit = finder.open(self, extra, "reach", 4)
  local cell = finder.cell_of(unit.grid, x, y, "x", "y")
  max_cost = object.real(max_cost, 0, huge, "max_cost")
  local count = options ~= nil and rawget(object.options(options, { "count" }), "count")
  if count and count ~= "cost" then
    if count ~= "ground" then fail('count must be "cost" or "ground", got %s', describe(count)) end
    unit = finder.ground_of(unit)
  end
  return new_flow(unit, { [cell] = 0 }, max_cost, cell)
end

-- Restarts the computation of distances if an edit may have changed them.
local function attend(parts)
  local own, start = parts.unit.map, parts.start
  map.update(own)
  local is_closer = parts.unit.asks or start and own.cost[start] == 0 -- then each edit counts, not only changed costs
  local is_stale = parts.edition ~= own.edition
    or parts.flood.query.field_edits ~= costs.count_field_edits(parts.unit)
  if is_stale or is_closer and parts.edits ~= map.count_edits(own) then
    if parts.flood then search.close(parts.flood) end
    parts.flood, parts.edition = search.flood(parts.unit, parts.seeds, start, parts.max_cost), own.edition
  end
  parts.edits = map.count_edits(own)
  parts.flood.query.edits = parts.edits
  map.apply_patch(own, parts.flood.query.patch)
end

local function complete(parts)
  attend(parts)
  while search.spread(parts.flood, huge) do end
end

-- Computes distances until the distance of a cell is known. If units cannot enter the cell, all distances are
-- computed.
local function settle_as_far_as(parts, cell)
  attend(parts)
  local flood = parts.flood
  local is_covered = enter(flood.query, cell) < huge or parts.start == cell
  while not (is_covered and search.is_closed(flood, cell) and not flood.current) and search.spread(flood, 1) do end
end

-- Returns the distance of a cell and the direction of the best step from it, nil if it is best to stay.
local function best_of(parts, cell)
  settle_as_far_as(parts, cell)
  local unit, flood = parts.unit, parts.flood
  local best, direction = parts.seeds[cell] or huge, nil
  if parts.start == cell then return best end
  for _, d in ipairs(ORDER) do
    local beside = cell + unit.offsets[d]
    if search.is_closed(flood, beside) and (unit.corners < 3 or d % 2 == 0) then
      local from, turn = parts.start and beside or cell, parts.start and d + 4 or d
      local way = flood.work.g[beside] + costs.length(flood.query, from, turn % 8)
      if way < best then best, direction = way, d end
    end
  end
  return best, direction
end

-- Returns the reason why a cell has no distance.
local function reason_for(parts, cell)
  local query, is_free = parts.flood.query, next(parts.seeds) == nil
  local goals = parts.start and { [cell] = true } or parts.seeds
  if map.price(query.map, parts.start or cell) == huge then
    return "start blocked"
  elseif parts.start and query.cost[cell] == 0 then
    return "goal blocked"
  end
  for goal in entries, goals do is_free = is_free or parts.start or enter(query, goal) < huge end
  if not is_free then return "goal blocked" end
  complete(parts)
  local may = false
  for goal in entries, goals do
    local asked = { unit = parts.unit, grid = parts.unit.grid, query = query, range = 0, wider = 0, higher = 0 }
    asked.start = parts.start or cell
    may = may or search.is_cut(parts.flood) and search.may_reach(asked, goal)
  end
  return may and "max_cost" or "unreachable"
end

local function ask(self, x, y, extra, name)
  local parts = open(self, extra, name, 2)
  local cell = finder.cell_of(parts.unit.grid, x, y, "x", "y")
  local best, direction = best_of(parts, cell)
  if map.price(parts.unit.map, cell) == huge or best == huge then
    return nil, reason_for(parts, cell)
  elseif best > parts.flood.limit then
    return nil, "max_cost"
  end
  return best, direction, parts, cell
end

function methods.distance(self, x, y, extra)
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
  local cost = costs.walk(parts.unit, cells, #cells, 1, parts.flood.query)
  return path.new(parts.unit, cells, #cells, cost, {
    goal = cells[#cells], options = parts.unit.options, algorithm = "dijkstra",
  })
end

function methods.cells(self, extra)
  local parts = open(self, extra, "cells", 0)
  complete(parts)
  local cell, grid = 0, parts.unit.grid
  return function()
    while cell < grid.last do
      cell = cell + 1
      if search.is_closed(parts.flood, cell) then
        local x, y = costs.position(grid, cell)
        return x, y, parts.flood.work.g[cell] * 1.0
      end
    end
  end
end

object.lack(Flow, { "complete", "completing", "count_cut_off", "flee", "update" })
