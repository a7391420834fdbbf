-- jobs.lua -- The twin's searches in steps (finder:search and path:repairing), and path:retarget.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local finder = require(FOLDER .. ".finder")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")
local search = require(FOLDER .. ".search")

local fail, huge = object.fail, math.huge

local jobs = {}

--- The clock, in seconds. It measures processor time, because plain Lua has no finer clock of real time.
jobs.clock = os.clock

-- Reads the budget of a step. Returns the maximum number of expansions and the time at which the step must end, or nil.
local function read_budget(budget)
  if type(budget) == "table" then
    budget = object.options(budget, { "ms", "expansions" })
    local ms, expansions = rawget(budget, "ms"), rawget(budget, "expansions")
    if ms ~= nil then
      ms = object.real(ms, 0, 1e9, "ms")
    elseif expansions == nil then
      fail "step needs a budget: ms or expansions"
    end
    if expansions ~= nil then expansions = object.whole(expansions, 1, 2 ^ 53, "expansions") end
    return expansions or huge, ms and jobs.clock() + ms / 1000
  end
  return budget == nil and 1 or object.whole(budget, 1, 2 ^ 53, "n")
end

local SLICE = 32 -- number of expansions between two readings of the clock
local MOST_RESTARTS = 3 -- number of restarts after which a search runs to its end in one step

local Search = object.class {
  title = "astar search", fields = { "status", "expanded", "algorithm", "restarts" },
  field = function(parts, name)
    if name == "status" or name == "restarts" then return parts[name] end
    return parts.asked and parts.asked[name] or nil
  end,
  tell = function(parts) return ("astar search, %s, %d expanded"):format(parts.status, parts.asked.expanded) end,
}

local function new_search(asked) return Search.new { turn = 0, asked = asked, status = asked.status, restarts = 0 } end

-- Restarts a search whose result an edit may have changed.
local function restart_measuring(parts)
  local old = parts.asked
  local aim = { goal = old.goal ~= 0 and old.goal or nil, goals = old.goals, marks = old.marks, test = old.test }
  search.close(old)
  parts.restarts = parts.restarts + 1
  -- The status if search.begin raises an error about the algorithm.
  local what = old.query.map.is_uniform and "links and walls" or "ground of several costs"
  parts.status = "algorithm cannot honour " .. what
  parts.asked = search.begin(old.unit, old.start, aim, old.options)
  parts.status = "running"
end

function Search.methods.step(self, budget, extra)
  local parts = Search.open(self, extra, "step", 1)
  local status, left, finish_at = parts.status, read_budget(budget)
  if status ~= "running" then return status end
  parts.turn = parts.turn + 1
  if not search.is_current(parts.asked) then
    restart_measuring(parts)
    if parts.restarts > MOST_RESTARTS then left, finish_at = huge, nil end -- no edit can interrupt a single step
  end
  parts.asked.query.owner = parts
  repeat
    local n = finish_at and math.min(left, SLICE) or left
    status, left = search.step(parts.asked, n), left - n
  until status ~= "running" or left <= 0 or finish_at and jobs.clock() >= finish_at
  if status == "found" then parts.found = path.of_search(parts.asked) end
  parts.status = status -- unchanged if a callback raises an error before
  return status
end

function Search.methods.path(self, extra)
  local parts = Search.open(self, extra, "path", 0)
  if parts.found then return parts.found end
  return nil, parts.status
end

function Search.methods.close(self, extra)
  local parts = Search.parts(self)
  if extra ~= nil then object.too_many("close", 0, extra) end
  if parts.asked then search.close(parts.asked) end
  parts.closed, parts.found, parts.asked, parts.turn = true, nil, nil, parts.turn + 1
end

--- Iterates over the cells that the search has reached: x, y, "open" or "closed", g, h, f, and the parent's x and y.
function Search.methods.cells(self, extra)
  local asked, cell = Search.open(self, extra, "cells", 0).asked, 0
  local grid, jumps = asked.grid, asked.algorithm == "jps"
  return function()
    while asked.work and cell < grid.last do
      local work, x, y = asked.work, costs.position(grid, cell + 1)
      cell = cell + 1
      if (work.mark[cell] or 0) >= work.number then
        local g, from = work.g[cell] * (jumps and asked.query.map.least or 1), work.from[cell]
        local h = search.estimate(asked, x - grid.x0 + 1 - asked.goal_x, y - grid.y0 + 1 - asked.goal_y)
        local state, f = work.mark[cell] > work.number and "closed" or "open", g + asked.weight * h
        if from < 0 then return x, y, state, g * 1.0, h * 1.0, f end
        local parent = jumps and work.parents[cell] or cell - asked.unit.offsets[from]
        return x, y, state, g * 1.0, h * 1.0, f, costs.position(grid, parent)
      end
    end
  end
end

--- Reads the arguments of finder:search, and raises an error about those that are wrong.
function jobs.check_query(self, sx, sy, gx, gy, options, extra)
  local unit = finder.open(self, extra, "search", 5)
  local start, goal = finder.cell_of(unit.grid, sx, sy, "sx", "sy"), finder.cell_of(unit.grid, gx, gy, "gx", "gy")
  return unit, start, { goal = goal }, finder.query_of(unit, options)
end

function finder.class.methods.search(...) return new_search(search.begin(jobs.check_query(...))) end

function path.class.methods.retarget(self, gx, gy, options, extra)
  local grid = path.class.open(self).unit.grid
  local goal = finder.cell_of(grid, gx, gy, "gx", "gy")
  return path.answer(path.restart_measuring(self, options, extra, "retarget", "bound", goal))
end

function path.class.methods.repairing(self, options, extra)
  return new_search(path.restart_measuring(self, options, extra, "repairing", "optimal"))
end

return jobs
