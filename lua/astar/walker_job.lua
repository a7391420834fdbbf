-- walker_job.lua -- the job of walker:repairing: a repair of a walker's path in steps, for queues.
--
-- The walker continues to move while the search runs, up to the blocked cell. The path that is found begins at the
-- cell to which the walker was moving when the search started. The walker follows the rest of the path from its
-- position at the end of the search. If the walker is no longer on that path, or the map has changed again, the
-- search restarts. After three restarts, the repair is done in one call.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local no_field = require(FOLDER .. ".no_field")

local MOST_RESTARTS = 3

local Job = { search = false, from = false, restarts = 0, optimal = false }
no_field.of_class(Job, "astar walker job", "status", "walker followed search from restarts optimal follow_best")

-- Returns the index of the cell of the walker's path where a new path should begin, see Walker:cell. Returns nil if
-- this cell is not on its path.
local function index_of(walker)
  local path, x, y = walker.path, walker:cell()
  for _, index in ipairs { walker.next_index, walker.index } do
    if index >= 1 and index <= #path then
      local cx, cy = path:cell(index)
      if cx == x and cy == y then
        return index
      end
    end
  end
end

-- Closes the search of the job, sets its status and returns the status.
local function finish(self, status)
  if self.search then self.search:close() end
  self.search, self.status = false, status
  return status
end

-- Repairs the path in one call, and ends the job. Used for repairs that cannot be done in steps or that need no
-- search.
local function repair_now(self)
  local _, reason = self.walker:repair { optimal = self.optimal }
  return finish(self, reason or "found")
end

-- Starts the search of the job, or ends the job with repair_now. Returns the status of the job.
local function begin(self)
  local walker = self.walker
  local from = index_of(walker)
  local is_good = not self.optimal and walker.path:is_valid(walker.index)
  if not from or self.restarts >= MOST_RESTARTS or is_good then
    return repair_now(self)
  end
  self.from = from
  self.search = walker.path:repairing { from = from, optimal = self.optimal }
  return "running"
end

-- Returns the rest of the path that was found, from the walker's present position on. Returns nil if the walker is
-- not on that path, or if the rest is blocked.
local function rest_of(self, path)
  local walker = self.walker
  local index = index_of(walker)
  local at = index and index - self.from + 1
  if not at or at < 1 or at > #path then
    return nil
  end
  local x, y = walker:cell()
  local cx, cy = path:cell(at)
  if cx ~= x or cy ~= y or not path:is_valid(at) then
    return nil
  end
  return at > 1 and path:repair { from = at } or path
end

-- Makes the walker follow the path that was found, and ends the job. If that is not possible, the search restarts in
-- the next step. Returns the status of the job.
local function take(self)
  local walker = self.walker
  local rest = rest_of(self, self.search:path())
  if rest and self.optimal then
    self.follow_best(walker, rest, index_of(walker))
  elseif rest then
    walker:follow(rest)
  end
  if rest then
    return finish(self, "found")
  end
  self.restarts = self.restarts + 1
  finish(self, "running")
  return self.status
end

--- Runs the job within a budget, which is that of search:step. Returns "running", "found", or the reason why there is
-- no route.
function Job:step(budget)
  local walker = self.walker
  if self.status ~= "running" then
    return self.status
  elseif walker.arrived or walker.path ~= self.followed then -- the path needs no repair any more
    return finish(self, "found")
  elseif not self.search and begin(self) ~= "running" then
    return self.status
  end
  local status = self.search:step(budget)
  if status == "found" then
    return take(self)
  end
  return status == "running" and status or repair_now(self) -- without a route, this makes the walker halt
end

--- Sets the option optimal of a running job. The job then searches the best path, even if the present path is not
-- blocked. A search without the option is closed and started again.
function Job:want_best()
  if self.status == "running" and not self.optimal then
    if self.search then self.search:close() end
    self.optimal, self.search = true, false
  end
end

--- Returns the path that the walker follows now.
function Job:path() return self.walker.path end

--- Ends the job and frees its search.
function Job:close()
  if self.status == "running" then finish(self, "closed") end
end

--- Returns a new job for the repair of a walker's path. 'follow_best' is the function of walker.lua that makes a
-- walker follow a path if the path is cheaper than the walker's own path.
return function(walker, optimal, follow_best)
  return setmetatable({
    walker = walker, followed = walker.path, optimal = optimal or false, follow_best = follow_best, status = "running",
  }, Job)
end
