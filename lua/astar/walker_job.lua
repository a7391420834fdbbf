-- walker_job.lua -- a walker's repair in slices: what queues spread over updates.
--
-- The walker walks on meanwhile, up to what is shut. What was found begins at the cell of its path that it was to
-- come to when the search began: it follows the rest from where it is by then. Where that is no longer on the way, or
-- the map has changed again, it is searched for anew, a few times; then at once.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local no_field = require(FOLDER .. ".no_field")

local MOST_RESTARTS = 3

local Job = { search = false, from = false, restarts = 0, optimal = false }
no_field.of_class(Job, "astar walker job", "status", "walker followed search from restarts optimal follow_best")

-- Which cell of its path the walker is on or comes to.
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

local function finish(self, status)
  if self.search then self.search:close() end
  self.search, self.status = false, status
  return status
end

-- What can only be done at once, or takes no search.
local function repair_now(self)
  local _, reason = self.walker:repair { optimal = self.optimal }
  return finish(self, reason or "found")
end

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

-- The rest of what was found from where the walker is by now; nil: that is not on the way.
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

--- Goes on within a budget, as a search's step: "running", "found", or why there is no way.
function Job:step(budget)
  local walker = self.walker
  if self.status ~= "running" then
    return self.status
  elseif walker.arrived or walker.path ~= self.followed then -- it needs none any more
    return finish(self, "found")
  elseif not self.search and begin(self) ~= "running" then
    return self.status
  end
  local status = self.search:step(budget)
  if status == "found" then
    return take(self)
  end
  return status == "running" and status or repair_now(self) -- has it wait
end

--- Has it look for the best way, where it was to repair what is shut.
function Job:want_best()
  if self.status == "running" and not self.optimal then
    if self.search then self.search:close() end
    self.optimal, self.search = true, false
  end
end

--- The path that it follows now.
function Job:path() return self.walker.path end

--- Lets go of the search.
function Job:close()
  if self.status == "running" then finish(self, "closed") end
end

--- The job of a walker's repair; 'follow_best' has the walker take the best path where that is cheaper than its own.
return function(walker, optimal, follow_best)
  return setmetatable({
    walker = walker, followed = walker.path, optimal = optimal or false, follow_best = follow_best, status = "running",
  }, Job)
end
