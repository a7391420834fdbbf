-- path.lua -- paths: what was found, cell by cell or as a whole. A path keeps the numbers of its cells.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")
local search = require(FOLDER .. ".search")

local whole, position = object.whole, costs.position
local huge = math.huge

local NAMES = { [0] = "north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west" }
local path = { NAMES = NAMES }

local function direction_at(parts, i)
  return costs.direction(parts.unit.grid.stride, parts.cells[i], parts.cells[i + 1])
end

-- Calls back with the index of each cell at which the direction changes.
local function each_turn(parts, visit)
  local before
  for i = 1, parts.count - 1 do
    local d = direction_at(parts, i)
    if before and d ~= before then visit(i) end
    before = d
  end
end

local fields = {}

function fields.length(parts)
  local diagonal = 0
  for i = 1, parts.count - 1 do diagonal = diagonal + direction_at(parts, i) % 2 end
  return (parts.count - 1 - diagonal + diagonal * math.sqrt(2)) * 1.0
end

function fields.bends(parts)
  local bends = 0
  each_turn(parts, function() bends = bends + 1 end)
  return bends
end

local function point_at(parts, i)
  local x, y = position(parts.unit.grid, parts.cells[i])
  return { x = x, y = y }
end

local Path = object.class {
  title = "astar path", fields = { "cost", "length", "bends", "expanded", "algorithm", "partial", "of_world" },
  count = function(parts) return parts.count end,
  item = function(parts, i) return parts.cells[i] and i <= parts.count and point_at(parts, i) or nil end,
  field = function(parts, name)
    if fields[name] then return fields[name](parts) end
    if name == "of_world" then return false end
    if name == "cost" or name == "expanded" or name == "algorithm" or name == "partial" then return parts[name] end
  end,
  tell = function(parts)
    return ("astar path of %d cells, cost %s"):format(parts.count, object.describe(parts.cost))
  end,
}
path.class = Path
local methods, open = Path.methods, Path.open

--- A path over cells that were found by a question.
function path.new(unit, cells, count, cost, told)
  return Path.new {
    unit = unit, cells = cells, count = count, cost = cost, goal = told.goal, question = told.question,
    expanded = told.expanded or 0, algorithm = told.algorithm or "astar", partial = told.partial or false,
    valid_from = told.edits and not unit.asks and 1 or huge, valid_at = told.edits,
  }
end

--- The path of a search that has found one.
function path.of_search(self, keeps_work)
  local cells, count = search.trace(self)
  local is_partial = self.near ~= nil and self.found == self.near
  local goal = self.goal ~= 0 and self.goal
  if self.goals then goal = self.goals[self.marks[self.found] or self.near_index] end
  local found = path.new(self.unit, cells, count, search.sum(self, cells, count), {
    goal = goal or cells[count], question = self.question,
    expanded = self.expanded, algorithm = self.algorithm, partial = is_partial, edits = self.query.edits,
  })
  if not keeps_work then search.close(self) end
  return found
end

-- ---- cells ----

function methods.cell(self, i, extra)
  local parts = open(self, extra, "cell", 1)
  return position(parts.unit.grid, parts.cells[whole(i, 1, parts.count, "i")])
end

function methods.center(self, i, extra)
  local parts = open(self, extra, "center", 1)
  return position(parts.unit.grid, parts.cells[whole(i, 1, parts.count, "i")])
end

function methods.cells(self, extra)
  local parts = open(self, extra, "cells", 0)
  local cells, count, grid, i = parts.cells, parts.count, parts.unit.grid, 0
  return function()
    if i < count then
      i = i + 1
      return position(grid, cells[i])
    end
  end
end

function methods.cells_flat(self, extra)
  local parts, flat = open(self, extra, "cells_flat", 0), {}
  for i = 1, parts.count do flat[2 * i - 1], flat[2 * i] = position(parts.unit.grid, parts.cells[i]) end
  return flat
end

function methods.totable(self, extra)
  local parts, list = open(self, extra, "totable", 0), {}
  for i = 1, parts.count do list[i] = point_at(parts, i) end
  return list
end

function methods.waypoints(self, extra)
  local parts = open(self, extra, "waypoints", 0)
  local list = { point_at(parts, 1) }
  each_turn(parts, function(i) list[#list + 1] = point_at(parts, i) end)
  if parts.count > 1 then list[#list + 1] = point_at(parts, parts.count) end
  return list
end

function methods.directions(self, extra)
  local parts, list = open(self, extra, "directions", 0), {}
  for i = 1, parts.count - 1 do list[i] = NAMES[direction_at(parts, i)] end
  return list
end

function methods.link(self, i, extra)
  whole(i, 1, open(self, extra, "link", 1).count, "i")
  return nil
end

for _, name in ipairs { "breaches", "smooth" } do
  methods[name] = function(self)
    open(self)
    object.lacks("path:" .. name)
  end
end

-- ---- on the map as it is now ----

local function is_known_valid(parts, from)
  return from >= parts.valid_from and map.count_edits(parts.unit.map) == parts.valid_at
end

function methods.is_valid(self, from, extra)
  local parts = open(self, extra, "is_valid", 1)
  from = from == nil and 1 or whole(from, 1, parts.count, "from")
  if is_known_valid(parts, from) then return true end
  local cost, bad = costs.walk(parts.unit, parts.cells, parts.count, from)
  if not cost then return false, bad end
  if not parts.unit.asks then parts.valid_from, parts.valid_at = from, map.count_edits(parts.unit.map) end
  return true
end

function methods.reverse(self, extra)
  local parts, cells = open(self, extra, "reverse", 0), {}
  for i = 1, parts.count do cells[i] = parts.cells[parts.count + 1 - i] end
  local cost = costs.walk(parts.unit, cells, parts.count, 1)
  return path.new(parts.unit, cells, parts.count, (cost or huge) * 1.0, {
    goal = cells[parts.count], question = parts.question, algorithm = parts.algorithm, partial = parts.partial,
  })
end

--- Whether the unit may go now from the i-th cell to the next, or back from there.
function path.may_step(self, i, back)
  local parts = open(self)
  if not back and is_known_valid(parts, i) then return true end
  local from, to = parts.cells[i], parts.cells[i + 1]
  if back then from, to = to, from end
  local query = costs.begin(parts.unit, from)
  return costs.step(query, from, costs.direction(parts.unit.grid.stride, from, to)) < huge
end

--- Where a walker is in the i-th cell, and the index of the last one of its leg, which is the cell itself.
function path.place(self, i)
  local x, y = methods.cell(self, i)
  return x, y, i
end

-- ---- repair ----

-- The best path from a cell of the path on, to its goal or another one: its cells, or nil and why.
local function lead_on(parts, index, goal)
  local self = search.begin(parts.unit, parts.cells[index], { goal = goal or parts.goal }, parts.question)
  local status = search.step(self, huge)
  if status == "found" then return path.of_search(self) end
  search.close(self)
  return nil, status
end

-- Joins the cells kept, from one index to another, to a path that leads on; both part where they last meet.
local function join(parts, from, last, rest)
  local more, places, cells = open(rest), {}, {}
  for i = from, last do places[parts.cells[i]] = i end
  local first = 1
  for i = 1, more.count do
    if places[more.cells[i]] then first, last = i, places[more.cells[i]] end
  end
  for i = from, last do cells[#cells + 1] = parts.cells[i] end
  for i = first + 1, more.count do cells[#cells + 1] = more.cells[i] end
  local cost = costs.walk(parts.unit, cells, #cells, 1)
  if cost and cost <= parts.question.max_cost * (1 + 1e-9) then
    return path.new(parts.unit, cells, #cells, cost * 1.0, {
      goal = parts.goal, question = parts.question, expanded = more.expanded, algorithm = more.algorithm,
      partial = more.partial, edits = map.count_edits(parts.unit.map),
    })
  end
end

local function repair(parts, from, optimal)
  if optimal or parts.partial then return lead_on(parts, from) end
  local cost, bad = costs.walk(parts.unit, parts.cells, parts.count, from)
  local last = cost and parts.count or math.max(bad - 1, from)
  local rest
  if cost then
    rest = path.new(parts.unit, { parts.cells[last] }, 1, 0, { goal = parts.goal, algorithm = parts.algorithm })
  elseif last > from then
    rest = lead_on(parts, last)
  end
  if rest and not (open(rest).partial and parts.question.max_expansions == huge) then
    return join(parts, from, last, rest) or lead_on(parts, from)
  end
  return lead_on(parts, from)
end

--- Reads the options of path:repair: what is to be done.
function path.repairing(self, options, extra, name)
  local parts = open(self, extra, name, 1)
  local from, optimal = 1, false
  if options ~= nil then
    object.options(options, { "from", "optimal" })
    from = rawget(options, "from") == nil and 1 or whole(rawget(options, "from"), 1, parts.count, "from")
    optimal = object.flag(options, "optimal", false)
  end
  return function() return repair(parts, from, optimal) end
end

function methods.repair(self, options, extra)
  return path.repairing(self, options, extra, "repair")()
end

--- To another goal: the best path there.
function path.retarget(self, goal, options)
  local parts, from = open(self), 1
  if options ~= nil then
    object.options(options, { "from", "bound" })
    from = rawget(options, "from") == nil and 1 or whole(rawget(options, "from"), 1, parts.count, "from")
    if rawget(options, "bound") ~= nil then object.real(rawget(options, "bound"), 1, huge, "bound") end
  end
  return lead_on(parts, from, goal)
end

return path
