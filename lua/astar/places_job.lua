-- places_job.lua -- the jobs of finder:measuring and finder:touring: a matrix or a tour in steps, for queues.
--
-- The work of a job is a coroutine. The coroutine calls job:run to advance a search or another job within the budget
-- of the step, job:call for functions that may raise an error of a callback, and job:pause after a piece of its own
-- work. These methods yield when the budget is used up, or after an error.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local no_field = require(FOLDER .. ".no_field")
local unknown_option = require(FOLDER .. ".unknown_option")

local clock, make_room = core.clock, core.make_room
local max, huge = math.max, math.huge

local BUDGET = { "ms", "expansions" }
local MOST_MS, MOST_EXPANSIONS = 1e9, 2 ^ 53

local Job = {}
no_field.of_class(Job, "astar places job", "status result",
  "thread part left finish_at slice problem has_problem is_closed is_stepping")

-- Returns an error message if a number of expansions is wrong, else nil.
local function problem_with(value, name)
  if type(value) ~= "number" or not (value >= 1 and value <= MOST_EXPANSIONS and value % 1 == 0) then
    return ("%s must be an integer from 1 to 9007199254740992, got %s"):format(name, describe(value))
  end
end

-- Returns an error message if a budget is wrong, else nil. Also returns the budget's expansions and milliseconds,
-- huge if the budget does not limit them.
local function read_budget(budget)
  if budget == nil then
    return nil, 1, huge
  elseif type(budget) ~= "table" then
    return problem_with(budget, "n"), budget, huge
  end
  local unknown = unknown_option(budget, BUDGET)
  local ms, expansions = rawget(budget, "ms"), rawget(budget, "expansions")
  if unknown then
    return unknown
  elseif ms == nil and expansions == nil then
    return "step needs a budget: ms or expansions"
  elseif ms ~= nil and not (type(ms) == "number" and ms >= 0 and ms <= MOST_MS) then
    return "ms must be a number from 0 to 1000000000, got " .. describe(ms)
  end
  return expansions ~= nil and problem_with(expansions, "expansions") or nil, expansions or huge, ms or huge
end

local function is_used_up(self)
  return self.left < 1 or (self.finish_at < huge and clock() >= self.finish_at)
end

--- Counts a piece of work of about `work` expansions. Waits for the next step if the budget is used up.
function Job:pause(work)
  self.left = self.left - work
  if is_used_up(self) then
    coroutine.yield()
  end
end

--- Calls a function and returns its first result. If it raises an error, for example because a cost function does, the
-- step of the job raises the error, and the next step calls the function again.
function Job:call(f, ...)
  local ok, result = pcall(f, ...)
  while not ok do
    self.problem, self.has_problem = result, true
    coroutine.yield()
    ok, result = pcall(f, ...)
  end
  return result
end

--- Runs a search or another job to its end, in as many steps as that takes. Returns its status. A search counts its
-- expansions, and counts from 0 again after a restart. Other jobs do not count expansions and may use up the rest of
-- the budget in each step.
function Job:run(part, is_search)
  self.part = part
  local status
  repeat
    local slice = self.slice
    slice.expansions = self.left < huge and max(self.left, 1) or nil
    slice.ms = self.finish_at < huge and max(self.finish_at - clock(), 0) * 1000 or nil
    local before = is_search and part.expanded
    status = self:call(part.step, part, slice)
    self:pause(is_search and max(part.expanded - before, 0) + 1 or slice.expansions or 1)
  until status ~= "running"
  self.part = false
  return status
end

--- Does part of the work, within a budget. Returns the status.
function Job:step(budget)
  if self.is_closed then
    error("job is closed", 2)
  elseif self.is_stepping then
    error("job was stepped by its own callback", 2)
  end
  local wrong, expansions, ms = read_budget(budget)
  if wrong then
    error(wrong, 2)
  end
  if self.status ~= "running" then
    return self.status
  end
  if ms < huge then make_room() end
  self.left, self.finish_at = expansions, ms < huge and clock() + ms / 1000 or huge
  self.is_stepping = true
  local ok, status, result = coroutine.resume(self.thread, self)
  self.is_stepping = false
  if not ok then
    self:close()
    error(status, 0)
  elseif self.has_problem then
    local problem = self.problem
    self.problem, self.has_problem = false, false
    error(problem, 0)
  end
  if coroutine.status(self.thread) == "dead" then
    self.status, self.result, self.thread = status, result, false
  end
  return self.status
end

--- Ends the job and frees its search.
function Job:close()
  local part = self.part
  self.is_closed, self.part, self.thread = true, false, false
  if part then part:close() end
end

--- Returns a new job. `work(job)` does the work, and returns the status and the result.
return function(work)
  return setmetatable({
    status = "running", thread = coroutine.create(work), part = false, left = 0, finish_at = huge, slice = {},
    problem = false, has_problem = false, is_closed = false, is_stepping = false,
  }, Job)
end
