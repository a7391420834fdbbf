-- queue.lua -- astar.queue: requests for paths that are answered within a budget of time or expansions per frame.
--
-- Order. A queue runs one search at a time. Requests with a higher priority come first. Requests of the same priority
-- run in the order in which they arrived, and each runs to its end before the next one starts. Each search in
-- progress needs a workspace. Therefore a request whose search is interrupted by a request of higher priority keeps
-- its search only while at most MOST_BEGUN searches are in progress. A thousand waiting requests therefore need
-- little memory.
--
-- Starvation. If more requests arrive than the budgets can serve, requests of high priority would delay those of low
-- priority for ever. Therefore requests are also kept in a list by age. The waiting time of a request is measured as
-- the number of other requests that have left the queue since. When the first update sees a request, n requests wait.
-- After 2 n requests have left, this request is due and comes first. A count is used in place of a clock, so the order
-- does not depend on the speed of the machine. If all requests arrive before one update, none of them becomes due.
--
-- Edits. Each search handles edits of the map itself: it continues, restarts or runs on a snapshot, and always ends.
-- A request therefore loses work only to other requests, and at most a few times.
--
-- Errors. A request is taken out of the heap before its search runs a step, and is put back if the search has not
-- finished. An error in a cost callback or another callback is passed on to the caller of update. The queue then has
-- lost only this one request, and continues to work. Callbacks may also update the queue themselves, or yield.
--
-- Workers. A queue with workers hands them all requests that they can do, see workers/queue.lua.
--
-- Jobs. A script can add a job that was started elsewhere, which is any object with step and status. It waits among the
-- requests. The queue runs its steps, but never closes or restarts it.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local option_names = require(FOLDER .. ".option_names")
local plain_options = require(FOLDER .. ".plain_options")
local unknown_option = require(FOLDER .. ".unknown_option")
local worker_queue = require(FOLDER .. ".workers.queue")

local coroutine = rawget(_G, "coroutine") -- nil on a host without coroutines
local ask_workers = worker_queue.request

local clock, make_room = core.clock, core.make_room
local check_query, check_graph_question = core.check_query, core.check_graph_question

-- Returns true for a finder of a graph. Queries of such a finder take two keys of nodes in place of four coordinates.
local is_of_graph = core.is_graph_finder

-- Options that a single request may have, for finders of graphs and of grids.
local OF_GRAPHS = { "max_cost", "max_expansions", "partial", "weight" }
local OF_GRIDS = option_names(function(row) return row.of_query end, "suppose_blocked")

-- Greatest budgets of an update, in milliseconds and in expansions. A larger number is probably a mistake.
local MOST_MS, MOST_EXPANSIONS = 1e9, 2 ^ 53

-- Budget of an update without a budget, which is allowed for a queue with workers: requests that the workers could not
-- finish are then run to their end.
local AT_ONCE = { expansions = MOST_EXPANSIONS }

-- A request whose search was restarted this many times, by edits or because of other requests, keeps its search.
local MOST_RESTARTS = 3

-- Greatest number of requests that wait with a search in progress.
local MOST_BEGUN = 4

-- The class of tickets. Its fields are the initial values of a ticket's fields, so that making a ticket sets only the
-- fields that differ. There may be hundreds of new tickets per frame.
local Ticket = {
  status = "waiting", priority = 0, restarts = 0, done = false, job = false, callback = false, thread = false,
  options = false, search = false, index = false, asked = false, failure = false,
  place = false, older = false, newer = false, cohort = false, begun_at = 0,
}
no_field.of_class(Ticket, "astar ticket", "status priority restarts done", [[
  queue finder sx sy gx gy options is_of_graph job callback thread arrival place search found index failure asked at
  number older newer cohort begun_at]])

local Queue = { workers = false, asked = false, oldest = false, newest = false }
no_field.of_class(Queue, "astar queue", "", [[
  heap arrivals begun slice workers delay pending updates first_due batches asked entered oldest newest cohort
  repairs]])

-- The heap of the waiting tickets. self.heap[1] is the next ticket by priority and arrival, and ticket.place is the
-- index of a ticket in the heap.

local function goes_before(a, b)
  if a.priority ~= b.priority then
    return a.priority > b.priority
  end
  return a.arrival < b.arrival
end

local function place(heap, ticket, at)
  heap[at], ticket.place = ticket, at
end

-- Moves a ticket from the index `at` of the heap up to its correct index, because it may come before the tickets
-- above it.
local function sift_up(heap, ticket, at)
  while at > 1 do
    local above = (at - at % 2) / 2
    if not goes_before(ticket, heap[above]) then
      break
    end
    place(heap, heap[above], at)
    at = above
  end
  place(heap, ticket, at)
end

-- Moves a ticket from the index `at` of the heap down to its correct index, because it may come after the tickets
-- below it.
local function sift_down(heap, ticket, at)
  local count = #heap
  while 2 * at <= count do
    local below = 2 * at
    if below < count and goes_before(heap[below + 1], heap[below]) then
      below = below + 1
    end
    if not goes_before(heap[below], ticket) then
      break
    end
    place(heap, heap[below], at)
    at = below
  end
  place(heap, ticket, at)
end

local function put(self, ticket)
  sift_up(self.heap, ticket, #self.heap + 1)
end

local function take_out(self, ticket)
  local heap, at = self.heap, ticket.place
  local last = table.remove(heap)
  ticket.place = nil
  if last ~= ticket then
    sift_down(heap, last, at)
    sift_up(heap, last, last.place)
  end
end

-- Makes a ticket the last one among the tickets of its priority.
local function arrive(self, ticket)
  self.arrivals = self.arrivals + 1
  ticket.arrival = self.arrivals
end

-- The line: a doubly linked list of the waiting tickets by age. Its ends are self.oldest and self.newest, and the
-- neighbours of a ticket are ticket.older and ticket.newer.

local function is_in_line(self, ticket)
  return ticket.older or ticket.newer or self.oldest == ticket
end

local function leave_line(self, ticket)
  local older, newer = ticket.older, ticket.newer
  if not is_in_line(self, ticket) then
    return
  end
  if older then older.newer = newer else self.oldest = newer end
  if newer then newer.older = older else self.newest = older end
  ticket.older, ticket.newer = nil, nil
end

local function join_line(self, ticket)
  local newest = self.newest
  ticket.older = newest
  if newest then newest.newer = ticket else self.oldest = ticket end
  self.newest = ticket
  ticket.cohort = self.cohort
  self.entered = self.entered + 1
end

-- Adds a ticket to the heap and to the end of the line.
local function enter(self, ticket)
  put(self, ticket)
  join_line(self, ticket)
end

-- Returns the number of tickets that have entered the queue and left it again. A job that moves to the end of the
-- line is counted as if it had left and entered.
local function count_left(self)
  return self.entered - #self.heap
end

-- A cohort is a table that all tickets share which joined the line between the same two updates. Its field `due` is the
-- number of tickets that must have left the queue before a ticket of the cohort comes first, whatever its priority.
-- The field is nil until the first update after the tickets joined.

-- Sets the field `due` of the newest cohort, and starts another cohort. The cohort makes the time of this function
-- independent of the number of new tickets: ten thousand new tickets, each with its own field, took up to 20 ms, which
-- no budget limited.
local function date_new(self)
  local newest = self.newest
  if newest and newest.cohort == self.cohort then
    self.cohort.due = count_left(self) + 2 * #self.heap
    self.cohort = {}
  end
end

local function is_due(self, ticket)
  local due = ticket.cohort and ticket.cohort.due
  return due and count_left(self) >= due
end

-- Returns the oldest waiting ticket if it is due, else nil or false. First removes from the line the oldest tickets
-- that are not in the heap: tickets whose callbacks raised an error, or whose search runs a step at this moment.
local function oldest_due(self)
  while self.oldest and not self.oldest.place do
    leave_line(self, self.oldest)
  end
  return self.oldest and is_due(self, self.oldest) and self.oldest
end

-- Updates the line after a step of a ticket. A ticket that has finished leaves the line. A ticket that is still
-- waiting keeps its position, except that a job that came first because it was due moves to the end of the line.
local function keep_line(self, ticket, was_due)
  if not ticket.place or was_due and ticket.job then
    leave_line(self, ticket)
  end
  if ticket.place and not is_in_line(self, ticket) then -- also if an update inside the step removed it from the line
    join_line(self, ticket)
  end
end

-- Searches in progress. self.begun is the list of the waiting tickets with such a search.

-- Removes the search from a ticket and returns it, or nil if the ticket has none.
local function take_search(self, ticket)
  local search = ticket.search
  if not search then
    return nil
  end
  ticket.search = nil
  for i = #self.begun, 1, -1 do
    if self.begun[i] == ticket then
      table.remove(self.begun, i)
    end
  end
  return search
end

local function close_search(self, ticket)
  local search = take_search(self, ticket)
  if search then
    search:close()
  end
end

-- Returns true if a ticket must not lose its search again, because it was restarted MOST_RESTARTS times.
local function is_last(ticket)
  return ticket.restarts >= MOST_RESTARTS
end

-- Returns true if ticket `a` should lose its search rather than ticket `b`, because the search of `a` will run later.
local function loses_before(self, a, b)
  if is_last(a) ~= is_last(b) then
    return is_last(b)
  elseif is_due(self, a) ~= is_due(self, b) then
    return is_due(self, b)
  end
  return goes_before(b, a)
end

-- Returns the ticket whose search runs the next step. If MOST_BEGUN waiting tickets have searches and none of these
-- may lose its search, returns one of these tickets rather than a ticket that has no search yet. Otherwise there
-- would be no room for a new search, and tickets of low priority might never finish.
local function next_ticket(self)
  local next = oldest_due(self) or self.heap[1]
  if not next or next.search or next.job or #self.begun < MOST_BEGUN then
    return next
  end
  local first = self.begun[1]
  for _, each in ipairs(self.begun) do
    if not is_last(each) then
      return next
    elseif goes_before(each, first) then
      first = each
    end
  end
  return first
end

-- Stores the search of a ticket that waits. If more than MOST_BEGUN tickets have a search then, closes the search of
-- the ticket that will run last.
local function keep_search(self, ticket, search)
  ticket.search = search
  table.insert(self.begun, ticket)
  if #self.begun <= MOST_BEGUN then
    return
  end
  local last = ticket
  for _, each in ipairs(self.begun) do
    if loses_before(self, each, last) then
      last = each
    end
  end
  close_search(self, last)
  last.status, last.restarts = "waiting", last.restarts + 1 -- its search restarts when its turn comes again
end

-- Methods of tickets.

local function check_ticket(self)
  if getmetatable(self) ~= Ticket then
    error("astar ticket expected, got " .. describe(self), 3)
  end
end

--- Returns the path if it was found, and for a job of finder:finding_nearest also the index of the goal. Returns nil
-- and the status before the path is found, or if there is no path.
function Ticket:path(...)
  check_ticket(self)
  no_more("path", 0, ...)
  if self.index then
    return self.found, self.index
  elseif self.found then
    return self.found
  end
  return nil, self.status
end

--- Cancels the request; its callback will not be called. Returns true if the request was still waiting.
function Ticket:cancel(...)
  check_ticket(self)
  no_more("cancel", 0, ...)
  if self.done then
    return false
  end
  self.done, self.status = true, "cancelled"
  if self.place then
    take_out(self.queue, self)
    leave_line(self.queue, self)
  end
  if self.asked then
    worker_queue.cancel(self)
  end
  if self.search then
    close_search(self.queue, self)
  end
  return true
end

local function is_priority(value)
  return type(value) == "number" and value > -math.huge and value < math.huge
end

--- Changes the priority of a waiting request. The request then comes last among the requests of this priority. If it
-- has this priority already, its position does not change.
function Ticket:set_priority(priority, ...)
  check_ticket(self)
  no_more("set_priority", 1, ...)
  if not is_priority(priority) then
    error("priority must be a finite number, got " .. describe(priority), 2)
  end
  if self.done or self.priority == priority then
    return
  end
  if self.asked and not self.job then
    self.priority = priority
    worker_queue.reorder(self)
    return
  end
  local queue, waits = self.queue, self.place
  if waits then
    take_out(queue, self)
  end
  self.priority = priority
  arrive(queue, self)
  if waits then
    put(queue, self)
  elseif self.asked then
    worker_queue.reorder(self)
  end
end

function Ticket:__tostring()
  return "astar ticket, " .. tostring(self.status)
end

-- Requests.

local function check_queue(self)
  if getmetatable(self) ~= Queue then
    local is_budget = type(self) == "table" and (rawget(self, "ms") or rawget(self, "expansions"))
    error("astar queue expected, got " .. describe(self)
      .. (is_budget and ": a method is called with a colon, queue:update { ms = 2 }" or ""), 3)
  end
end

-- Raises an error if the arguments of a request are wrong, at the stack level 'level' of the function that calls this
-- one. Requests for workers are checked in workers/queue.lua.
local function check_asked(level, of_graph, finder, sx, sy, gx, gy, options)
  local ok, problem
  if of_graph then
    ok, problem = pcall(check_graph_question, finder, sx, sy, options)
  else
    ok, problem = pcall(check_query, finder, sx, sy, gx, gy, options)
  end
  if not ok then
    if type(finder) == "number" and type(problem) == "string" then
      problem = problem .. ": queue:request(finder, sx, sy, gx, gy), with a finder from grid:finder { ... }"
    end
    error(problem, level + 1)
  end
end

-- Raises an error if the priority of a request is wrong. Errors in the other arguments of the request come first.
local function check_priority(priority, ...)
  if not is_priority(priority) then
    check_asked(3, ...)
    error("priority must be a finite number, got " .. describe(priority), 3)
  end
end

-- Returns a copy of the options of a request, so that later changes by the script have no effect; nil without options.
local function copy_of(options)
  if not options then
    return nil
  end
  local copy = {}
  for key, value in entries, options do
    copy[key] = value
  end
  return copy
end

-- Returns a new ticket for a request, which waits in the queue. When the request is finished, 'callback' is called or
-- the coroutine 'thread' is resumed.
local function new_ticket(self, of_graph, finder, sx, sy, gx, gy, priority, options, callback, thread)
  local ticket = {
    queue = self, finder = finder, priority = priority, status = "waiting", callback = callback, thread = thread,
    sx = sx, sy = sy, gx = gx, gy = gy, options = copy_of(options), is_of_graph = of_graph or false, found = false,
    done = false,
  }
  arrive(self, ticket)
  enter(self, ticket)
  return setmetatable(ticket, Ticket)
end

-- Returns a new ticket for a request that was handed to the workers of the queue. Returns nil if the queue has no
-- workers or if they cannot do the request; the thread of the script then answers the request.
local function ticket_of_workers(self, of_graph, finder, sx, sy, gx, gy, priority, options, callback, thread)
  if not self.workers or of_graph then
    return nil
  end
  local ticket, problem = ask_workers(self, finder, sx, sy, gx, gy, options, priority, callback, thread)
  if ticket then
    return setmetatable(ticket, Ticket)
  elseif not problem:find("^workers cannot honour ") then
    error(problem, 3)
  end
end

--- Requests a path from (sx, sy) to (gx, gy), which later updates search. Returns a ticket.
-- options: a table of options as for find_path; nil or left out if there are none. callback: nil, or
-- function(path or nil, reason or nil, ticket). priority: a number, 0 by default; requests with a higher one come
-- first. For a finder of a graph, pass the keys of two nodes in place of the four coordinates.
function Queue:request(finder, sx, sy, gx, gy, options, callback, priority, ...)
  if getmetatable(self) ~= Queue then
    check_queue(self)
  end
  local most, of_graph, extra = 8, is_of_graph(finder), nil
  if of_graph then
    most = 6
    no_more("request", most, callback, priority, ...)
    gx, gy, options, callback, priority = nil, nil, gx, gy, options
  end
  if select("#", ...) > 0 then
    no_more("request", 8, ...)
  end
  local kind = type(options)
  if kind ~= "table" and (options ~= nil or (priority == nil and type(callback) ~= "function")) then
    options, callback, priority, extra = nil, options, callback, priority
    if type(priority) == "table" then
      error("options must come before the callback: request(finder, ..., options, callback, priority)", 2)
    end
  end
  options = plain_options(options, of_graph and OF_GRAPHS or OF_GRIDS)
  if priority ~= nil then
    check_priority(priority, of_graph, finder, sx, sy, gx, gy, options)
  end
  if extra ~= nil then
    check_asked(2, of_graph, finder, sx, sy, gx, gy, options)
    no_more("request", most - 1, extra)
  end
  if callback ~= nil and kind ~= "function" and type(callback) ~= "function" then
    error("callback must be a function, got " .. describe(callback), 2)
  end
  local ticket = ticket_of_workers(self, of_graph, finder, sx, sy, gx, gy, priority or 0, options, callback)
  if ticket then
    return ticket
  end
  check_asked(2, of_graph, finder, sx, sy, gx, gy, options)
  return new_ticket(self, of_graph, finder, sx, sy, gx, gy, priority or 0, options, callback)
end

--- Requests a path for a script that runs as a coroutine. The coroutine yields until an update has finished the request
-- and resumes it. Returns the path, or nil and the reason. Errors in callbacks of the finder are raised here.
function Queue:await(finder, sx, sy, gx, gy, options, priority, ...)
  check_queue(self)
  local most, of_graph = 7, is_of_graph(finder)
  if of_graph then
    most = 5
    no_more("await", most, options, priority, ...)
    gx, gy, options, priority = nil, nil, gx, gy
  end
  no_more("await", 7, ...)
  local extra
  if options ~= nil and type(options) ~= "table" then -- the options were left out, so this is the priority
    options, priority, extra = nil, options, priority
  end
  options = plain_options(options, of_graph and OF_GRAPHS or OF_GRIDS)
  if not coroutine then
    error("await needs coroutines, which this host leaves out: give queue:request a callback", 2)
  end
  local thread, is_main = coroutine.running()
  if not thread or is_main then
    error("await must be called in a coroutine", 2)
  end
  if priority ~= nil then
    check_priority(priority, of_graph, finder, sx, sy, gx, gy, options)
  end
  if extra ~= nil then
    check_asked(2, of_graph, finder, sx, sy, gx, gy, options)
    no_more("await", most - 1, extra)
  end
  local ticket = ticket_of_workers(self, of_graph, finder, sx, sy, gx, gy, priority or 0, options, nil, thread)
  if not ticket then
    check_asked(2, of_graph, finder, sx, sy, gx, gy, options)
    ticket = new_ticket(self, of_graph, finder, sx, sy, gx, gy, priority or 0, options, nil, thread)
  end
  repeat
    coroutine.yield() -- other code may resume the coroutine before the request is finished
  until ticket.done
  if ticket.failure then
    error(ticket.failure.message, 0)
  end
  return ticket:path()
end

local function check_job(job)
  local ok, step, status = pcall(function() return job.step, job.status end)
  if not ok and type(step) == "string" and step:find " is closed$" then
    error(step:match "[%a ]+$", 3)
  elseif not ok or type(step) ~= "function" or type(status) ~= "string" then
    error("job must be a search or a job such as flow:completing() returns, got " .. describe(job), 3)
  end
end

local ADD_OPTIONS, BUDGET = { "done", "priority" }, { "ms", "expansions" }

local function check_add_options(options)
  if type(options) ~= "table" then
    error("options must be a table, got " .. describe(options), 3)
  end
  options = plain_options(options, ADD_OPTIONS)
  local unknown = unknown_option(options, ADD_OPTIONS)
  if unknown then
    error(unknown, 3)
  end
  local priority, done = rawget(options, "priority"), rawget(options, "done")
  if priority ~= nil and not is_priority(priority) then
    error("priority must be a finite number, got " .. describe(priority), 3)
  end
  if done ~= nil and type(done) ~= "function" then
    error("done must be a function, got " .. describe(done), 3)
  end
  return priority, done
end

--- Adds a job, such as a search, whose steps later updates run among the requests. Returns a ticket. options: priority,
-- a number, 0 by default; done, a function(job) that is called when the status of the job is no longer "running".
function Queue:add(job, options, ...)
  check_queue(self)
  no_more("add", 2, ...)
  check_job(job)
  local priority, done = check_add_options(options == nil and {} or options)
  local ticket = setmetatable({
    queue = self, job = job, priority = priority or 0, status = "waiting", callback = done,
  }, Ticket)
  arrive(self, ticket)
  if self.workers and core.is_for_workers(job) then
    worker_queue.put(self, ticket)
  else
    enter(self, ticket)
  end
  return ticket
end

local REPAIR_OPTIONS = { "optimal", "priority" }

-- Returns the options priority and optimal of Queue:repair. A script may pass the priority itself in place of a table.
local function read_repair_options(options)
  if type(options) ~= "table" then
    return options, nil
  end
  options = plain_options(options, REPAIR_OPTIONS)
  local unknown = unknown_option(options, REPAIR_OPTIONS)
  local optimal = rawget(options, "optimal")
  if unknown or optimal ~= nil and type(optimal) ~= "boolean" then
    error(unknown or "optimal must be a boolean, got " .. describe(optimal), 3)
  end
  return rawget(options, "priority"), optimal
end

--- Requests a repair of a walker's path, as by walker:repair, in later updates. If many walkers need a repair after an
-- edit, their repairs share the budget. Returns a ticket; repeated calls for a walker return the same ticket until its
-- repair is finished. options: a table with priority, as for requests, and optimal, as for walker:repair; or only the
-- priority, a number.
function Queue:repair(walker, options, ...)
  check_queue(self)
  no_more("repair", 2, ...)
  local ok, repairing = pcall(function() return walker.repairing end)
  if not ok or type(walker) ~= "table" or type(repairing) ~= "function" then
    error("astar walker expected, got " .. describe(walker), 2)
  end
  local priority, optimal = read_repair_options(options)
  if priority ~= nil and not is_priority(priority) then
    error("priority must be a finite number, got " .. describe(priority), 2)
  end
  local ticket = self.repairs[walker]
  if not ticket or ticket.done then
    ticket = self:add(repairing(walker, { optimal = optimal }), { priority = priority })
    self.repairs[walker] = ticket
    return ticket
  end
  if priority then
    ticket:set_priority(priority)
  end
  if optimal then
    ticket.job:want_best()
  end
  return ticket
end

--- Returns the number of requests and jobs that are not finished.
function Queue:count(...)
  check_queue(self)
  no_more("count", 0, ...)
  return #self.heap + (self.workers and worker_queue.count(self) or 0)
end

-- Updates.

local function finish(ticket, search, status)
  if status == "found" then
    ticket.found, status = search:path()
    status = status or "found"
  end
  ticket.done, ticket.status = true, status
  search:close()
end

-- Reports the end of a request: calls its callback or resumes its coroutine.
local function answer(ticket)
  local callback, thread = ticket.callback, ticket.thread
  if callback and ticket.job then
    callback(ticket.job)
  elseif callback then
    callback(ticket.found or nil, not ticket.found and ticket.status or nil, ticket)
  elseif thread and coroutine.status(thread) == "suspended" then
    local ok, problem = coroutine.resume(thread)
    if not ok then
      error(problem, 0)
    end
  end
end

-- Runs a step of the job of a ticket. Returns the number of expansions that the step may have used: all of its budget,
-- because a job does not report how many it used.
local function step_job(self, ticket, budget)
  local job, used = ticket.job, budget.expansions or 1
  ticket.status = "failed" -- the status that the ticket keeps if the step raises an error
  local status = job:step(budget)
  if ticket.done then -- a callback that the job called has cancelled the ticket
    return used
  end
  ticket.status = status
  if status == "running" then
    put(self, ticket)
    return used
  end
  ticket.done = true
  if status == "found" then
    ticket.found, ticket.index = job:path()
  end
  return used
end

-- Returns a new search for a ticket. If the budget is a time, the search is made by core.search, which prepares nothing
-- before the first step, so that all preparation is limited by the budget.
local function begin_search(ticket, budget)
  local finder, sx, sy, options = ticket.finder, ticket.sx, ticket.sy, ticket.options or nil
  local make, search = budget.ms and core.search or finder.search
  if ticket.is_of_graph then
    search = finder:search(sx, sy, options)
  else
    search = make(finder, sx, sy, ticket.gx, ticket.gy, options)
  end
  if ticket.restarts > 0 then
    ticket.begun_at = ticket.restarts
  end
  return search
end

-- If an edit has restarted the search of a request, moves the request behind the other requests of the same priority.
-- Such a request is probably a long one, and shorter ones should not wait for it.
local function note_restarts(self, ticket, search)
  local restarts = ticket.begun_at + search.restarts
  if restarts > ticket.restarts then
    ticket.restarts = restarts
    arrive(self, ticket)
  end
end

-- Runs a step of the search of a ticket, and starts the search if needed. Returns the number of expansions that count
-- as used, at least 1.
local function step(self, ticket, budget)
  -- The search is removed from the ticket first. If anything below raises an error, the request has ended with the
  -- status "failed", and no table holds the search.
  local search = take_search(self, ticket)
  ticket.status = "failed"
  local is_begun = search ~= nil
  search = search or begin_search(ticket, budget)
  local before, most = search.expanded, budget.expansions
  local status = search:step(budget)
  local used = math.max(search.expanded - before, 1)
  if is_begun and not ticket.is_of_graph then -- searches of graphs run on a snapshot, so edits do not restart them
    note_restarts(self, ticket, search)
  end
  if status == "running" and most then
    used = most -- preparing layers of the map also used some of the budget
  end
  if ticket.done then -- a callback of the finder has cancelled the ticket
    search:close()
  elseif status == "running" then
    ticket.status = status
    put(self, ticket)
    keep_search(self, ticket, search)
  else
    finish(ticket, search, status)
  end
  return used
end

-- Runs a step of the search of a ticket for which a coroutine waits. An error is stored in the ticket, and Queue:await
-- raises it in the coroutine, which may catch it.
local function step_for_thread(self, ticket, budget)
  local ok, used = pcall(step, self, ticket, budget)
  if ok then
    return used
  end
  ticket.done, ticket.status, ticket.failure = true, "failed", { message = used }
  return 1
end

local function advance(self, ticket, budget)
  local was_due = ticket == oldest_due(self)
  take_out(self, ticket)
  local make = ticket.job and step_job or ticket.thread and step_for_thread or step
  local used = make(self, ticket, budget)
  keep_line(self, ticket, was_due)
  if ticket.done and ticket.status ~= "cancelled" then
    answer(ticket)
  end
  return used
end

-- Returns an error message if a budget is wrong, else nil. A queue needs no budget while only workers have work to do.
local function problem_with(self, budget)
  if budget == nil and self.workers then
    return #self.heap > 0 and "update needs a budget: a request waits that no worker can run" or nil
  end
  if type(budget) ~= "table" then
    local is_number = type(budget) == "number" and budget >= 1 and budget < math.huge -- below 1 it may be seconds
    return ("budget must be a table, got %s: queue:update { ms = %s }"):format(describe(budget),
      is_number and describe(budget) or "2")
  end
  local unknown = unknown_option(budget, BUDGET)
  if unknown then
    return unknown
  end
  local ms, expansions = rawget(budget, "ms"), rawget(budget, "expansions")
  if ms == nil and expansions == nil then
    return "update needs a budget: ms or expansions"
  end
  if ms ~= nil and not (type(ms) == "number" and ms >= 0 and ms <= MOST_MS) then
    return "ms must be a number from 0 to 1000000000, got " .. describe(ms)
  end
  if expansions ~= nil and not (type(expansions) == "number" and expansions >= 1
    and expansions <= MOST_EXPANSIONS and expansions % 1 == 0) then
    return "expansions must be an integer from 1 to 9007199254740992, got " .. describe(expansions)
  end
end

-- Runs steps of the tickets in the heap until the budget is used up or no ticket is left.
local function advance_all(self, budget)
  local left = rawget(budget, "expansions") or math.huge
  local ms = rawget(budget, "ms")
  local finish_at = ms and clock() + ms / 1000
  if ms then
    make_room()
  end
  repeat
    local ticket = next_ticket(self)
    if not ticket then
      break
    end
    local slice = self.slice -- one table for the budgets of all steps: a step reads its budget before it calls back
    slice.expansions = left < math.huge and left or nil
    slice.ms = finish_at and math.max(finish_at - clock(), 0) * 1000
    left = left - advance(self, ticket, slice)
  until left < 1 or (finish_at and clock() >= finish_at)
end

--- Works on the requests until `ms` milliseconds have passed, `expansions` expansions were made, or no request is left.
-- Call it once per frame. It always runs at least one step, even with a budget of 0 ms. Returns the number of requests
-- that are not finished. In a queue with workers, the budget is for the requests that workers cannot do, and may be
-- left out if no such request waits.
function Queue:update(budget, ...)
  check_queue(self)
  no_more("update", 1, ...)
  budget = plain_options(budget, BUDGET)
  local problem = problem_with(self, budget)
  if problem then
    error(problem, 2)
  end
  local failed = false
  if self.workers then
    failed, problem = worker_queue.update(self, answer, enter)
  end
  date_new(self)
  repeat
    advance_all(self, budget or AT_ONCE)
  until budget or #self.heap == 0
  if failed then
    error(problem, 0)
  end
  return self:count()
end

function Queue:__tostring()
  return ("astar queue, %d waiting"):format(self:count())
end

--- astar.queue([options]): returns a queue, whose requests later frames answer. options: workers, the result of
-- astar.workers, whose threads then answer the requests; delay, 2 by default: workers' answers are reported by the
-- update with this number, counted from 1 after the request.
return function(options, ...)
  no_more("queue", 1, ...)
  local queue = setmetatable({ heap = {}, arrivals = 0, begun = {}, slice = {}, cohort = {}, entered = 0 }, Queue)
  queue.repairs = setmetatable({}, { __mode = "k" })
  if options ~= nil then
    worker_queue.set_up(queue, options)
  end
  return queue
end
