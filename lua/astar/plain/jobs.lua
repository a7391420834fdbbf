-- jobs.lua -- what is made step by step: searches, and jobs by the same protocol.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local finder = require(FOLDER .. ".finder")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")
local search = require(FOLDER .. ".search")

local fail, open_finder = object.fail, finder.open
local huge = math.huge

local jobs = {}

-- ---- budgets ----

--- A clock in seconds: processor time, the best plain Lua has.
jobs.clock = os.clock

-- How many expansions a step may make, and when it has to end.
local function read_budget(budget)
  if type(budget) == "table" then
    object.options(budget, { "ms", "expansions" })
    local ms, expansions = rawget(budget, "ms"), rawget(budget, "expansions")
    if ms ~= nil then
      ms = object.real(ms, 0, 1e9, "ms")
    elseif expansions == nil then
      fail "step needs ms or expansions"
    end
    if expansions ~= nil then expansions = object.whole(expansions, 1, 2 ^ 53, "expansions") end
    return expansions or huge, ms and jobs.clock() + ms / 1000
  end
  return budget == nil and 1 or object.whole(budget, 1, 2 ^ 53, "n")
end

local SLICE = 32 -- expansions between two looks at the clock

-- Makes slices until the budget is used up or the work is over; `make(n)` makes n expansions: a status.
local function make_slices(budget, make)
  local left, finish_at = read_budget(budget)
  repeat
    local n = finish_at and math.min(left, SLICE) or left
    local status = make(n)
    left = left - n
    if status ~= "running" then return status end
  until left <= 0 or finish_at and jobs.clock() >= finish_at
  return "running"
end

-- ---- searches ----

-- `asked` is a search, `begin(copy)` made it; or `later` does all at once: a path, or nil and why.
local Search = object.class {
  title = "astar search", fields = { "status", "expanded", "algorithm" },
  field = function(parts, name)
    if name == "status" then return parts.status end
    if name == "expanded" then return parts.asked and parts.asked.expanded or parts.found and 1 or 0 end
    return name == "algorithm" and (parts.asked or {}).algorithm or nil
  end,
  tell = function(parts)
    return ("astar search, %s, %d expanded"):format(parts.status, parts.asked and parts.asked.expanded or 0)
  end,
}
jobs.searches = Search

local function new_search(parts)
  parts.turn, parts.asked = 0, parts.begin and parts.begin()
  parts.status = parts.asked and parts.asked.status or "running"
  return Search.new(parts)
end

local function keep_path(parts, status)
  local asked = parts.asked
  if status == "found" then
    parts.index = finder.index_of(asked)
    parts.found = path.of_search(asked, true)
  elseif status ~= "running" and asked.goals then
    status = finder.explain_nearest(asked, status)
  end
  return status
end

function Search.methods.step(self, budget, extra)
  local parts = Search.open(self, extra, "step", 1)
  if parts.status ~= "running" then
    read_budget(budget)
    return parts.status
  end
  parts.turn = parts.turn + 1
  if parts.later then
    read_budget(budget)
    local found, why = parts.later()
    parts.found, parts.status = found, found and "found" or why
    return parts.status
  elseif not search.is_current(parts.asked) then
    search.close(parts.asked)
    parts.status = "grid changed"
    return parts.status
  end
  parts.asked.query.owner = parts
  local status = make_slices(budget, function(n) return search.step(parts.asked, n) end)
  parts.status = keep_path(parts, status)
  return parts.status
end

function Search.methods.path(self, extra)
  local parts = Search.open(self, extra, "path", 0)
  if parts.found then return parts.found, parts.index end
  return nil, parts.status
end

function Search.methods.close(self, extra)
  local parts = Search.parts(self)
  if extra ~= nil then object.too_many("close", 0, extra) end
  if parts.asked then search.close(parts.asked) end
  parts.closed, parts.found, parts.asked, parts.turn = true, nil, nil, parts.turn + 1
end

-- Calls back with each cell that was reached: its number, whether it is closed.
local function each_seen(asked, visit)
  local work = asked.work
  for cell = 1, work and asked.grid.last or 0 do
    local mark = work.mark[cell] or 0
    if mark >= work.number then visit(cell, mark > work.number) end
  end
end

--- What a search has reached is drawn over a map: marks by cell; the path that it has found.
function jobs.draw(what, marks)
  local parts = Search.test(what)
  if not parts or not marks then return parts end
  Search.open(what)
  if parts.asked then
    each_seen(parts.asked, function(cell, is_closed) marks[cell] = is_closed and "-" or "+" end)
    marks[parts.asked.goal], marks[parts.asked.start] = "G", "S"
  end
  return parts.found and path.class.open(parts.found) or {}
end

function Search.methods.cells(self, extra)
  local parts, list, at = Search.open(self, extra, "cells", 0), {}, 0
  local asked = parts.asked
  local grid = asked and asked.grid
  each_seen(asked or {}, function(cell, is_closed)
    local work = asked.work
    local from = work.from[cell]
    local parent = from >= 0 and (asked.algorithm == "jps" and work.parents[cell] or cell - asked.unit.offsets[from])
    local scale = asked.algorithm == "jps" and asked.query.map.least or 1
    local g, h = work.g[cell] * scale, search.estimate(asked, cell)
    list[#list + 1] = { cell, is_closed and "closed" or "open", g * 1.0, h * 1.0, g + asked.weight * h, parent }
  end)
  return function()
    at = at + 1
    local seen = not parts.closed and list[at]
    if not seen then return nil end
    local x, y = costs.position(grid, seen[1])
    if not seen[6] then return x, y, seen[2], seen[3], seen[4], seen[5] end
    return x, y, seen[2], seen[3], seen[4], seen[5], costs.position(grid, seen[6])
  end
end

-- Reads the arguments of finder:search: what begins it.
local function read_search(self, sx, sy, gx, gy, question, extra)
  local unit = open_finder(self, extra, "search", 5)
  local start, goal = finder.cell_of(unit.grid, sx, sy, "sx", "sy"), finder.cell_of(unit.grid, gx, gy, "gx", "gy")
  question = finder.question_of(unit, question)
  return function(copy) return search.begin(unit, start, { goal = goal }, question, copy) end
end

--- Raises what is wrong with the arguments of finder:search.
function jobs.check_question(...) read_search(...) end

function finder.class.methods.search(...) return new_search { begin = read_search(...) } end

function finder.class.methods.finding_nearest(self, sx, sy, goals, question, extra)
  local unit = open_finder(self, extra, "finding_nearest", 4)
  return new_search { begin = function() return finder.begin_nearest(unit, sx, sy, goals, question) end }
end

function path.class.methods.retarget(self, gx, gy, options, extra)
  local parts = path.class.open(self, extra, "retarget", 3)
  return path.retarget(self, finder.cell_of(parts.unit.grid, gx, gy, "gx", "gy"), options)
end

function path.class.methods.repairing(self, options, extra)
  return new_search { later = path.repairing(self, options, extra, "repairing") }
end

--- Has a search that was not stepped yet be one of the map as it is now.
function jobs.freeze(self)
  local parts = Search.open(self)
  local asked = parts.asked
  if asked and parts.status == "running" then
    search.close(asked)
    parts.asked = parts.begin(map.freeze(asked.query.map))
    parts.status = parts.asked.status
  end
  return true
end

-- ---- jobs ----

local Job = object.class {
  title = "astar job", fields = { "status", "result" },
  field = function(parts, name)
    return name == "status" and parts.status or name == "result" and parts.status == "done" and parts.result or nil
  end,
  tell = function(parts) return "astar job, " .. parts.status end,
}

--- A job on an object, by a function that makes n expansions and returns a status.
function jobs.new(result, make)
  return Job.new { result = result, make = make, status = "running" }
end

function Job.methods.step(self, budget, extra)
  local parts = Job.open(self, extra, "step", 1)
  if parts.status == "done" then
    read_budget(budget)
  else
    parts.status = make_slices(budget, parts.make)
  end
  return parts.status
end

function Job.methods.close(self, extra)
  local parts = Job.parts(self)
  if extra ~= nil then object.too_many("close", 0, extra) end
  parts.closed, parts.result = true, nil
end

function finder.class.methods.preparing(self, options, extra)
  local unit = open_finder(self, extra, "preparing", 1)
  if options ~= nil then
    object.options(options, { "settled" })
    object.flag(options, "settled", false)
  end
  return jobs.new(self, function()
    map.update(unit.map)
    return "done"
  end)
end

return jobs
