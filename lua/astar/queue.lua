-- queue.lua -- many questions, answered a little each frame.
--
-- A queue steps one search at a time, so that a thousand waiting requests take up the memory of
-- one: its workspace goes from each search to the next. Higher priorities go first; requests of
-- the same priority go in the order they came in, each to its end. A request that is overtaken by
-- one of higher priority keeps what it has until its turn comes again; only a few may, for each
-- keeps a workspace.
--
-- Where more is asked than budgets can serve, higher priorities would keep lower ones waiting for ever.
-- So requests are kept in the order they were asked, too. How long one has waited is how many others have
-- left since; twice as many as waited with it when the first update saw it are more than the budget took to
-- serve all of those, and it goes first. That is counted by no clock, and of requests that were all
-- asked before an update none comes to it.
--
-- Edits are the searches' own matter: each goes on, begins anew or is made on a copy of the map, and ends. So what
-- is lost of a request is only what it loses to others, and that a few times at most.
--
-- A request is taken out of the heap before it is stepped, and put back if it has more to do: what
-- a cost function or a callback raises goes straight through to the caller of update, and leaves a
-- queue that has lost that one request and can go on. Nor does it matter if they update the queue
-- themselves, or yield.
--
-- A queue with workers hands them what they can do instead, see workers/queue.lua.
--
-- A job that was begun elsewhere, anything that has step and status, waits among the requests. It is
-- its maker's: the queue steps it, and neither closes it nor begins it anew.

local entries = next -- LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local plain_options = require(FOLDER .. ".plain_options")
local unknown_option = require(FOLDER .. ".unknown_option")
local worker_queue = require(FOLDER .. ".workers.queue")

local coroutine = rawget(_G, "coroutine") -- a host may leave it out
local ask_workers = worker_queue.request

local clock, make_room = core.clock, core.make_room
local check_question, check_graph_question = core.check_question, core.check_graph_question

-- Whether a finder is a graph's, which takes two keys where a grid's takes four coordinates.
local is_of_graph = core.is_graph_finder

-- What a query may have its own way.
local OF_GRAPHS = { "max_cost", "max_expansions", "partial", "weight" }
local OF_GRIDS = { "weight", "max_cost", "max_expansions", "partial", "range", "bends", "heading", "suppose_blocked" }

-- The latest that can be asked for: an hour or so of budget a frame is a mistake, not a wish.
local MOST_MS, MOST_EXPANSIONS = 1e9, 2 ^ 53

-- The budget of what workers have left of a job, where there is no other.
local AT_ONCE = { expansions = MOST_EXPANSIONS }

-- A request that has begun anew so often, by edits or because others went before it, keeps its search.
local MOST_RESTARTS = 3

-- So many requests may be half done at a time.
local MOST_BEGUN = 4

-- What a ticket has none of its own of is as at its beginning: there may be hundreds of them a frame.
local Ticket = {
  status = "waiting", priority = 0, restarts = 0, done = false, job = false, callback = false, thread = false,
  question = false, search = false, index = false, asked = false, failure = false,
  place = false, older = false, newer = false, due = false, begun_at = 0,
}
no_field.of_class(Ticket, "astar ticket", "status priority restarts done", [[
  queue finder sx sy gx gy question is_of_graph job callback thread arrival place search found index failure asked at
  number older newer due begun_at]])

local Queue = { workers = false, asked = false, oldest = false, newest = false }
no_field.of_class(Queue, "astar queue", "",
  "heap arrivals begun slice workers delay pending updates first_due batches asked entered oldest newest repairs")

-- ---- the heap of those that wait: self.heap, the next one first; ticket.place tells where ----

local function goes_before(a, b)
  if a.priority ~= b.priority then
    return a.priority > b.priority
  end
  return a.arrival < b.arrival
end

local function place(heap, ticket, at)
  heap[at], ticket.place = ticket, at
end

-- Brings a ticket that may go before those above it up to its place.
local function rise(heap, ticket, at)
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

-- Brings a ticket that may go after those below it down to its place.
local function sink(heap, ticket, at)
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
  rise(self.heap, ticket, #self.heap + 1)
end

local function take_out(self, ticket)
  local heap, at = self.heap, ticket.place
  local last = table.remove(heap)
  ticket.place = nil
  if last ~= ticket then
    sink(heap, last, at)
    rise(heap, last, last.place)
  end
end

-- Makes a ticket the last of its priority.
local function arrive(self, ticket)
  self.arrivals = self.arrivals + 1
  ticket.arrival = self.arrivals
end

-- ---- those that wait by the order they were asked: self.oldest, ticket.newer, self.newest, ticket.older ----

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
  self.entered = self.entered + 1
end

-- Has a ticket that has arrived wait.
local function enter(self, ticket)
  put(self, ticket)
  join_line(self, ticket)
end

-- How many have entered and left.
local function count_left(self)
  return self.entered - #self.heap
end

-- Says of those that an update sees for the first time when their turn comes, whatever goes before them.
local function date_new(self)
  local due, ticket = count_left(self) + 2 * #self.heap, self.newest
  while ticket and not ticket.due do
    ticket.due, ticket = due, ticket.older
  end
end

local function is_due(self, ticket)
  return ticket.due and count_left(self) >= ticket.due
end

-- The one asked first, if it is due. One whose functions raised is not in the heap, nor one that is being stepped.
local function oldest_due(self)
  while self.oldest and not self.oldest.place do
    leave_line(self, self.oldest)
  end
  return self.oldest and is_due(self, self.oldest) and self.oldest
end

-- After a step of a ticket: it has left, or waits on, a job that had its turn by being due at the end of the line.
local function keep_line(self, ticket, was_due)
  if not ticket.place or was_due and ticket.job then
    leave_line(self, ticket)
  end
  if ticket.place and not is_in_line(self, ticket) then -- or an update within the step took it out
    ticket.due = nil
    join_line(self, ticket)
  end
end

-- ---- half done searches: self.begun, the tickets that have one and wait ----

-- Takes the search of a ticket, nil when it has none.
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

-- Whether a ticket keeps its search, whatever else waits.
local function is_last(ticket)
  return ticket.restarts >= MOST_RESTARTS
end

-- Whether a ticket is to lose its search rather than another: its turn comes later.
local function loses_before(self, a, b)
  if is_last(a) ~= is_last(b) then
    return is_last(b)
  elseif is_due(self, a) ~= is_due(self, b) then
    return is_due(self, b)
  end
  return goes_before(b, a)
end

-- The ticket to go on with. Where as many as may be half done keep their searches, one of those goes before others
-- that would have to be begun: so all come to an end, whatever becomes of priorities.
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

-- Keeps the search of a ticket that waits; where there are too many, one loses its own.
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
  last.status, last.restarts = "waiting", last.restarts + 1 -- it begins anew when its turn comes again
end

-- ---- tickets ----

local function check_ticket(self)
  if getmetatable(self) ~= Ticket then
    error("astar ticket expected, got " .. describe(self), 3)
  end
end

--- The path once it is found, of finder:finding_nearest with the goal's index; until then, and when
-- there is none, nil and the status.
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

--- Takes the request back: its callback will not be called. Returns whether it was still waiting.
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

--- Changes the priority of a waiting request, which then comes last of that priority; one that has
-- it already keeps its place.
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

-- ---- requests ----

local function check_queue(self)
  if getmetatable(self) ~= Queue then
    local is_budget = type(self) == "table" and (rawget(self, "ms") or rawget(self, "expansions"))
    error("astar queue expected, got " .. describe(self)
      .. (is_budget and ": a method is called with a colon, queue:update { ms = 2 }" or ""), 3)
  end
end

-- Raises what is wrong with a question, 'level' functions up, by who asks no workers.
local function check_asked(level, of_graph, finder, sx, sy, gx, gy, question)
  local ok, problem
  if of_graph then
    ok, problem = pcall(check_graph_question, finder, sx, sy, question)
  else
    ok, problem = pcall(check_question, finder, sx, sy, gx, gy, question)
  end
  if not ok then
    if type(finder) == "number" and type(problem) == "string" then
      problem = problem .. ": queue:request(finder, sx, sy, gx, gy), with a finder from grid:finder { ... }"
    end
    error(problem, level + 1)
  end
end

-- Raises what is wrong with a priority, but what is wrong with the question first.
local function check_priority(priority, ...)
  if not is_priority(priority) then
    check_asked(3, ...)
    error("priority must be a finite number, got " .. describe(priority), 3)
  end
end

-- The question's own options as they are now, nil for none.
local function copy_of(question)
  if not question then
    return nil
  end
  local copy = {}
  for key, value in entries, question do
    copy[key] = value
  end
  return copy
end

-- A ticket for a request, told of its end by 'callback' or 'thread'.
local function new_ticket(self, of_graph, finder, sx, sy, gx, gy, priority, question, callback, thread)
  local ticket = {
    queue = self, finder = finder, priority = priority, status = "waiting", callback = callback, thread = thread,
    sx = sx, sy = sy, gx = gx, gy = gy, question = copy_of(question), is_of_graph = of_graph or false, found = false,
    done = false,
  }
  arrive(self, ticket)
  enter(self, ticket)
  return setmetatable(ticket, Ticket)
end

-- A ticket for the same where the queue has workers that can honour it, else nil: then it is the script's thread's.
local function ticket_of_workers(self, of_graph, finder, sx, sy, gx, gy, priority, question, callback, thread)
  if not self.workers or of_graph then
    return nil
  end
  local ticket, problem = ask_workers(self, finder, sx, sy, gx, gy, question, priority, callback, thread)
  if ticket then
    return setmetatable(ticket, Ticket)
  elseif not problem:find("^workers cannot honour ") then
    error(problem, 3)
  end
end

--- Asks for a path from (sx, sy) to (gx, gy), to be found by coming updates.
-- question: nil, which may be left out, or a table, as find_path has it. callback: nil, or
-- function(path or nil, reason or nil, ticket). priority: a number, 0 by default; higher ones first.
-- With a graph's finder two nodes come in place of the coordinates. Returns a ticket.
function Queue:request(finder, sx, sy, gx, gy, question, callback, priority, ...)
  if getmetatable(self) ~= Queue then
    check_queue(self)
  end
  local most, of_graph, extra = 8, is_of_graph(finder), nil
  if of_graph then
    most = 6
    no_more("request", most, callback, priority, ...)
    gx, gy, question, callback, priority = nil, nil, gx, gy, question
  end
  if select("#", ...) > 0 then
    no_more("request", 8, ...)
  end
  local kind = type(question)
  if kind ~= "table" and (question ~= nil or (priority == nil and type(callback) ~= "function")) then
    question, callback, priority, extra = nil, question, callback, priority
  end
  question = plain_options(question, of_graph and OF_GRAPHS or OF_GRIDS)
  if priority ~= nil then
    check_priority(priority, of_graph, finder, sx, sy, gx, gy, question)
  end
  if extra ~= nil then
    check_asked(2, of_graph, finder, sx, sy, gx, gy, question)
    no_more("request", most - 1, extra)
  end
  if callback ~= nil and kind ~= "function" and type(callback) ~= "function" then
    error("callback must be a function, got " .. describe(callback), 2)
  end
  local ticket = ticket_of_workers(self, of_graph, finder, sx, sy, gx, gy, priority or 0, question, callback)
  if ticket then
    return ticket
  end
  check_asked(2, of_graph, finder, sx, sy, gx, gy, question)
  return new_ticket(self, of_graph, finder, sx, sy, gx, gy, priority or 0, question, callback)
end

--- The same for a script that runs as a coroutine: it sleeps until an update has found the path
-- and wakes it. Returns the path, or nil and the reason; raises what the finder's functions raise.
function Queue:await(finder, sx, sy, gx, gy, question, priority, ...)
  check_queue(self)
  local most, of_graph = 7, is_of_graph(finder)
  if of_graph then
    most = 5
    no_more("await", most, question, priority, ...)
    gx, gy, question, priority = nil, nil, gx, gy
  end
  no_more("await", 7, ...)
  local extra
  if question ~= nil and type(question) ~= "table" then -- left out
    question, priority, extra = nil, question, priority
  end
  question = plain_options(question, of_graph and OF_GRAPHS or OF_GRIDS)
  if not coroutine then
    error("await needs coroutines, which this host leaves out: give queue:request a callback", 2)
  end
  local thread, is_main = coroutine.running()
  if not thread or is_main then
    error("await must be called in a coroutine", 2)
  end
  if priority ~= nil then
    check_priority(priority, of_graph, finder, sx, sy, gx, gy, question)
  end
  if extra ~= nil then
    check_asked(2, of_graph, finder, sx, sy, gx, gy, question)
    no_more("await", most - 1, extra)
  end
  local ticket = ticket_of_workers(self, of_graph, finder, sx, sy, gx, gy, priority or 0, question, nil, thread)
  if not ticket then
    check_asked(2, of_graph, finder, sx, sy, gx, gy, question)
    ticket = new_ticket(self, of_graph, finder, sx, sy, gx, gy, priority or 0, question, nil, thread)
  end
  repeat
    coroutine.yield() -- somebody else may wake it, too
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
    error("job must be a search, what flow:completing() returns or the like, got " .. describe(job), 3)
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

--- Has a job made by coming updates, among the requests. options: priority, a number, 0 by default;
-- done, function(job), called once the job is not "running" any more. Returns a ticket.
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

-- The priority and what else a repair is asked for by: a number is the priority alone.
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

--- Has coming updates repair a walker's path, as `walker:repair` does: where an edit has many to repair, they share the
-- budget. Returns a ticket, the same one as long as the walker waits for it. options: priority, as of requests, and
-- optimal, as of walker:repair; or the priority alone, a number.
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

--- How many requests are waiting, or half done.
function Queue:count(...)
  check_queue(self)
  no_more("count", 0, ...)
  return #self.heap + (self.workers and worker_queue.count(self) or 0)
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

-- Steps the job of a ticket. What it was given counts as used.
local function step_job(self, ticket, budget)
  local job, used = ticket.job, budget.expansions or 1
  ticket.status = "failed" -- should it raise
  local status = job:step(budget)
  if ticket.done then -- cancelled by a function of the job's
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

-- Where time counts nothing is built before the first step.
local function begin_search(ticket, budget)
  local finder, sx, sy, question = ticket.finder, ticket.sx, ticket.sy, ticket.question or nil
  local make, search = budget.ms and core.search or finder.search
  if ticket.is_of_graph then
    search = finder:search(sx, sy, question)
  else
    search = make(finder, sx, sy, ticket.gx, ticket.gy, question)
  end
  if ticket.restarts > 0 then
    ticket.begun_at = ticket.restarts
  end
  return search
end

-- A request that edits have begun anew goes behind those of its priority: it is among the long ones.
local function note_restarts(self, ticket, search)
  local restarts = ticket.begun_at + search.restarts
  if restarts > ticket.restarts then
    ticket.restarts = restarts
    arrive(self, ticket)
  end
end

-- Steps a search of the ticket's; how many expansions that took, one at least.
local function step(self, ticket, budget)
  -- Should anything raise, the request is over, and nobody holds on to the search.
  local search = take_search(self, ticket)
  ticket.status = "failed"
  local is_begun = search ~= nil
  search = search or begin_search(ticket, budget)
  local before, most = search.expanded, budget.expansions
  local status = search:step(budget)
  local used = math.max(search.expanded - before, 1)
  if is_begun and not ticket.is_of_graph then -- whose searches see it as it was
    note_restarts(self, ticket, search)
  end
  if status == "running" and most then
    used = most -- what it needs of the map counts, too
  end
  if ticket.done then -- cancelled by a function of the finder's
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

-- What is wrong with a budget, nil when nothing is. Workers' requests need none.
local function problem_with(self, budget)
  if budget == nil and self.workers then
    return #self.heap > 0 and "update needs a budget: something waits that workers cannot do" or nil
  end
  if type(budget) ~= "table" then
    local is_number = type(budget) == "number" and budget > 0 and budget < math.huge
    return ("budget must be a table, got %s: queue:update { ms = %s }"):format(describe(budget),
      is_number and describe(budget) or "2")
  end
  local unknown = unknown_option(budget, BUDGET)
  if unknown then
    return unknown
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
    return "expansions must be an integer from 1 to 9007199254740992, got " .. describe(expansions)
  end
end

-- Steps what lies in the heap, within a budget.
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
    local slice = self.slice -- read before anything else can want it
    slice.expansions = left < math.huge and left or nil
    slice.ms = finish_at and math.max(finish_at - clock(), 0) * 1000
    left = left - advance(self, ticket, slice)
  until left < 1 or (finish_at and clock() >= finish_at)
end

--- Works on the requests, once a frame, until `ms` milliseconds are over or `expansions` are made,
-- or none is left. One step is made however little time there is. With workers the budget is for what
-- they cannot do, and may be left out where nothing such waits. Returns how many still wait.
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

--- astar.queue(): a queue for requests that coming frames will answer. options: workers, what
-- astar.workers returns, to have them answered by its threads; delay, 2 by default, the update after
-- asking, counted from 1, by which they are answered then.
return function(options, ...)
  no_more("queue", 1, ...)
  local queue = setmetatable({ heap = {}, arrivals = 0, begun = {}, slice = {}, entered = 0 }, Queue)
  queue.repairs = setmetatable({}, { __mode = "k" })
  if options ~= nil then
    worker_queue.set_up(queue, options)
  end
  return queue
end
