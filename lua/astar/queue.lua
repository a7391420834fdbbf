-- queue.lua -- many questions, answered a little each frame.
--
-- A queue steps one search at a time, so that a thousand waiting requests take up the memory of
-- one: its workspace goes from each search to the next. Higher priorities go first; requests of
-- the same priority go in the order they came in, each to its end. A request that is overtaken by
-- one of higher priority keeps what it has until its turn comes again.
--
-- A request is taken out of its line before it is stepped, and put back if it has more to do: what
-- a cost function or a callback raises goes straight through to the caller of update, and leaves a
-- queue that has lost that one request and can go on. Nor does it matter if they update the queue
-- themselves, or yield.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local no_more = require(FOLDER .. ".no_more")

local clock, check_question = core.clock, core.check_question

-- The latest that can be asked for: an hour or so of budget a frame is a mistake, not a wish.
local MOST_MS, MOST_EXPANSIONS = 1e9, 2 ^ 53

local Ticket = {}
Ticket.__index = Ticket

local Queue = {}
Queue.__index = Queue

-- ---- lines: the tickets of one priority ----

-- self.lines[priority] = { first =, last =, [i] = ticket or false }, and self.order the priorities
-- there are lines for, lowest first.
local function line_of(self, priority)
  local line = self.lines[priority]
  if line then
    return line
  end
  line = { first = 1, last = 0 }
  self.lines[priority] = line
  local order = self.order
  local i = #order
  while i > 0 and order[i] > priority do
    i = i - 1
  end
  table.insert(order, i + 1, priority)
  return line
end

local function put(self, ticket, line, slot)
  line[slot] = ticket
  ticket.slot, ticket.line = slot, line
  self.waiting = self.waiting + 1
end

local function put_last(self, ticket)
  local line = line_of(self, ticket.priority)
  line.last = line.last + 1
  put(self, ticket, line, line.last)
end

local function put_first(self, ticket)
  local line = line_of(self, ticket.priority)
  line.first = line.first - 1
  put(self, ticket, line, line.first)
end

local function take_out(self, ticket)
  ticket.line[ticket.slot] = false
  ticket.slot, ticket.line = nil, nil
  self.waiting = self.waiting - 1
end

-- The ticket whose turn it is, nil when none is waiting.
local function next_ticket(self)
  local order = self.order
  while #order > 0 do
    local line = self.lines[order[#order]]
    while line.first <= line.last do
      local ticket = line[line.first]
      if ticket then
        return ticket
      end
      line[line.first] = nil
      line.first = line.first + 1
    end
    self.lines[order[#order]] = nil
    order[#order] = nil
  end
end

-- ---- tickets ----

local function check_ticket(self)
  if getmetatable(self) ~= Ticket then
    error("astar ticket expected, got " .. describe(self), 3)
  end
end

local function close_search(ticket)
  local search = ticket.search
  ticket.search = nil
  if search then
    search:close()
  end
end

--- The path once it is found; until then, and when there is none, nil and the status.
function Ticket:path(...)
  check_ticket(self)
  no_more("path", 0, ...)
  if self.found then
    return self.found
  end
  return nil, self.status
end

--- Takes the request back: its callback will not be called. Returns whether it was still waiting.
function Ticket:cancel(...)
  check_ticket(self)
  no_more("cancel", 0, ...)
  if self.done then
    return false
  end
  self.done, self.status = true, "cancelled"
  if self.line then
    take_out(self.queue, self)
  end
  close_search(self)
  return true
end

local function is_priority(value)
  return type(value) == "number" and value > -math.huge and value < math.huge
end

--- Changes the priority of a waiting request, which goes to the end of that priority's line.
function Ticket:set_priority(priority, ...)
  check_ticket(self)
  no_more("set_priority", 1, ...)
  if not is_priority(priority) then
    error("priority must be a finite number, got " .. describe(priority), 2)
  end
  self.priority = priority
  if self.line then
    take_out(self.queue, self)
    put_last(self.queue, self)
  end
end

function Ticket:__tostring()
  return "astar ticket, " .. tostring(self.status)
end

-- ---- requests ----

local function check_queue(self)
  if getmetatable(self) ~= Queue then
    error("astar queue expected, got " .. describe(self), 3)
  end
end

local function check_request(priority, ...)
  local ok, message = pcall(check_question, ...)
  if not ok then
    error(message, 3)
  end
  if priority ~= nil and not is_priority(priority) then
    error("priority must be a finite number, got " .. describe(priority), 3)
  end
end

local function new_ticket(self, finder, sx, sy, gx, gy, priority, question)
  local ticket = setmetatable({
    queue = self, finder = finder, sx = sx, sy = sy, gx = gx, gy = gy,
    priority = priority or 0, status = "waiting", restarts = 0, done = false,
    question = question,
  }, Ticket)
  put_last(self, ticket)
  return ticket
end

--- Asks for a path from (sx, sy) to (gx, gy), to be found by coming updates.
-- callback: nil, or function(path or nil, reason or nil, ticket). priority: a number, 0 by
-- default; higher ones first. Returns a ticket.
function Queue:request(finder, sx, sy, gx, gy, callback, priority, question, ...)
  check_queue(self)
  no_more("request", 8, ...)
  check_request(priority, finder, sx, sy, gx, gy, question)
  if callback ~= nil and type(callback) ~= "function" then
    error("callback must be a function, got " .. describe(callback), 2)
  end
  local ticket = new_ticket(self, finder, sx, sy, gx, gy, priority, question)
  ticket.callback = callback
  return ticket
end

--- The same for a script that runs as a coroutine: it sleeps until an update has found the path
-- and wakes it. Returns the path, or nil and the reason; raises what the finder's functions raise.
function Queue:await(finder, sx, sy, gx, gy, priority, question, ...)
  check_queue(self)
  no_more("await", 7, ...)
  local thread, is_main = coroutine.running()
  if not thread or is_main then
    error("await must be called in a coroutine", 2)
  end
  check_request(priority, finder, sx, sy, gx, gy, question)
  local ticket = new_ticket(self, finder, sx, sy, gx, gy, priority, question)
  ticket.thread = thread
  repeat
    coroutine.yield() -- somebody else may wake it, too
  until ticket.done
  if ticket.failure then
    error(ticket.failure.message, 0)
  end
  return ticket:path()
end

--- How many requests are waiting, or half done.
function Queue:count(...)
  check_queue(self)
  no_more("count", 0, ...)
  return self.waiting
end

-- ---- updates ----

local function finish(ticket, search, status)
  if status == "found" then
    ticket.found, status = search:path()
    status = status or "found"
  end
  ticket.done, ticket.status = true, status
  search:close()
end

-- Tells whoever asked.
local function answer(ticket)
  local callback, thread = ticket.callback, ticket.thread
  if callback then
    callback(ticket.found, not ticket.found and ticket.status or nil, ticket)
  elseif thread and coroutine.status(thread) == "suspended" then
    local ok, problem = coroutine.resume(thread)
    if not ok then
      error(problem, 0)
    end
  end
end

-- Steps a search of the ticket's; how many expansions that took, one at least.
local function step(self, ticket, budget)
  -- Should anything raise, the request is over, and nobody holds on to the search.
  local search = ticket.search
  ticket.search, ticket.status = nil, "failed"
  search = search or ticket.finder:search(ticket.sx, ticket.sy, ticket.gx, ticket.gy, ticket.question)
  local before = search.expanded
  local status = search:step(budget)
  local used = math.max(search.expanded - before, 1)
  if ticket.done then -- cancelled by a function of the finder's
    search:close()
  elseif status == "running" then
    ticket.search, ticket.status = search, status
    put_first(self, ticket)
  elseif status == "grid changed" then
    search:close()
    ticket.status, ticket.restarts = "waiting", ticket.restarts + 1
    put_last(self, ticket)
  else
    finish(ticket, search, status)
  end
  return used
end

-- The same for a script that waits: it gets the error, and may catch it.
local function step_for_thread(self, ticket, budget)
  local ok, used = pcall(step, self, ticket, budget)
  if ok then
    return used
  end
  ticket.done, ticket.status, ticket.failure = true, "failed", { message = used }
  return 1
end

local function advance(self, ticket, budget)
  take_out(self, ticket)
  local used = (ticket.thread and step_for_thread or step)(self, ticket, budget)
  if ticket.done and ticket.status ~= "cancelled" then
    answer(ticket)
  end
  return used
end

-- What is wrong with a budget, nil when nothing is.
local function problem_with(budget)
  if type(budget) ~= "table" then
    return "budget must be a table, got " .. describe(budget)
  end
  for name in next, budget do
    if name ~= "ms" and name ~= "expansions" then
      local hint = type(name) == "string" and ' (did you mean "%s"?)' or ""
      return "unknown option " .. describe(name)
        .. hint:format(type(name) == "string" and name:find "^e" and "expansions" or "ms")
    end
  end
  local ms, expansions = rawget(budget, "ms"), rawget(budget, "expansions")
  if ms == nil and expansions == nil then
    return "update needs ms or expansions"
  end
  if ms ~= nil and not (type(ms) == "number" and ms >= 0 and ms <= MOST_MS) then
    return "ms must be a number from 0 to 1000000000, got " .. describe(ms)
  end
  if expansions ~= nil and not (type(expansions) == "number" and expansions >= 1
    and expansions <= MOST_EXPANSIONS and expansions % 1 == 0) then
    return "expansions must be an integer from 1 to 9.007199254741e+15, got " .. describe(expansions)
  end
end

--- Works on the requests, once a frame, until `ms` milliseconds are over or `expansions` are made,
-- or none is left. One step is made however little time there is. Returns how many still wait.
function Queue:update(budget, ...)
  check_queue(self)
  no_more("update", 1, ...)
  local problem = problem_with(budget)
  if problem then
    error(problem, 2)
  end
  local left = rawget(budget, "expansions") or math.huge
  local ms = rawget(budget, "ms")
  local finish_at = ms and clock() + ms / 1000
  repeat
    local ticket = next_ticket(self)
    if not ticket then
      break
    end
    local slice = self.slice -- read before anything else can want it
    slice.expansions = left < math.huge and left or nil
    slice.ms = finish_at and math.max(finish_at - clock(), 0) * 1000
    left = left - advance(self, ticket, slice)
  until left < 1 or (finish_at and clock() >= finish_at)
  return self.waiting
end

function Queue:__tostring()
  return ("astar queue, %d waiting"):format(self.waiting)
end

--- astar.queue(): a queue for requests that coming frames will answer.
return function(...)
  no_more("queue", 0, ...)
  return setmetatable({ lines = {}, order = {}, waiting = 0, slice = {} }, Queue)
end
