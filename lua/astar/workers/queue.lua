-- queue.lua -- The part of a queue that passes its requests to workers.
--
-- Requests are collected in a batch. The next update passes the batch to the workers. Requests are answered by the
-- `delay`-th update after they were made, however long the workers take. If necessary, that update waits for the
-- workers, and meanwhile works on requests that no worker has started. Therefore the answers, and the update that
-- returns them, depend on the script's calls alone and not on the speed of the machine.
--
-- A ticket is removed from its list before any error can be raised. Therefore an error affects one request only, and
-- the caller of the update gets the error after the other requests are answered. If there are several errors, the
-- caller gets the first.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local plain_options = require(ABOVE .. ".plain_options")
local unknown_option = require(ABOVE .. ".unknown_option")

local MOST_DELAY = 1000 -- maximum of `delay`, in updates; a greater one would be a mistake

local worker_queue = {}

local function is_delay(value)
  return type(value) == "number" and value >= 1 and value <= MOST_DELAY and value % 1 == 0
end

local OPTIONS = { "workers", "delay" }

local function check_options(options)
  if type(options) ~= "table" then
    error("options must be a table, got " .. describe(options) .. core.meant(options, OPTIONS, "options"), 4)
  end
  options = plain_options(options, OPTIONS)
  local unknown = unknown_option(options, OPTIONS)
  if unknown then
    error(unknown, 4)
  end
  local workers, delay = rawget(options, "workers"), rawget(options, "delay")
  if workers == nil and delay ~= nil then
    error("the option delay needs the option workers", 4)
  end
  if delay ~= nil and not is_delay(delay) then
    error("delay must be an integer from 1 to " .. MOST_DELAY .. ", got " .. describe(delay), 4)
  end
  return workers, delay
end

--- Gives a queue its workers, if its options contain any.
function worker_queue.set_up(queue, options)
  local workers, delay = check_options(options)
  if workers == nil then
    return
  end
  local ok, problem = pcall(core.batch, workers)
  if not ok then
    error((problem:gsub("^astar workers expected", "workers must be what astar.workers returns")), 3)
  end
  queue.workers, queue.delay = workers, delay or 2
  queue.pending = 0 -- number of requests that were passed to the workers and are not answered
  queue.updates, queue.first_due = 0, 1
  queue.batches = {} -- the batches, by the number of the update that answers them
  queue.asked = nil -- the batch that the next update passes to the workers, as `open` makes it
end

-- Makes the batch that the next update passes to the workers. `tickets` are in the order of the requests, with false
-- in place of a ticket that was moved to the end. `last` is the number of entries, `gone` the number of entries whose
-- tickets no longer wait. `priority` is the priority of the last ticket, and `at` the index of the next ticket to
-- answer.
local function open(queue)
  local batch = core.batch(queue.workers)
  local asked = {
    queue = queue, batch = batch, add = batch.add, tickets = {}, last = 0, gone = 0, priority = math.huge, at = 1,
  }
  queue.asked = asked
  return asked
end

-- Records the priority of the last ticket, and whether the tickets must be sorted.
local function note_priority(asked, priority)
  asked.is_unsorted = asked.is_unsorted or priority > asked.priority
  asked.priority = priority
end

--- Adds a query to the batch of the next update. Returns the fields of its ticket, or nil and a message if the query
-- is wrong.
function worker_queue.request(queue, finder, sx, sy, gx, gy, options, priority, callback, thread)
  local asked = queue.asked or open(queue)
  local ok, number = pcall(asked.add, asked.batch, finder, sx, sy, gx, gy, options)
  if not ok then
    return nil, number
  end
  local at = asked.last + 1
  local ticket = {
    asked = asked, at = at, number = number, finder = finder, callback = callback, status = "waiting", found = false,
    done = false,
  }
  if thread then
    ticket.thread = thread
  end
  asked.last, asked.tickets[at] = at, ticket
  if priority ~= 0 then
    ticket.priority = priority
  end
  if priority ~= asked.priority then
    note_priority(asked, priority)
  end
  return ticket
end

-- Adds a ticket at the end of a batch.
local function put_last(asked, ticket)
  local at = asked.last + 1
  asked.last, asked.tickets[at] = at, ticket
  ticket.asked, ticket.at = asked, at
  asked.is_unsorted = true
end

--- Adds the ticket of a job to the batch of the next update.
function worker_queue.put(queue, ticket)
  put_last(queue.asked or open(queue), ticket)
end

--- Moves a ticket whose priority has changed to the end of its batch, if the batch was not passed to the workers yet.
function worker_queue.reorder(ticket)
  local asked = ticket.asked
  if asked ~= asked.queue.asked then
    return
  end
  asked.tickets[ticket.at] = false
  asked.gone = asked.gone + 1
  put_last(asked, ticket)
end

--- Cancels the request of a ticket.
function worker_queue.cancel(ticket)
  local asked = ticket.asked
  local queue = asked.queue
  if asked == queue.asked then
    asked.gone = asked.gone + 1
  else
    queue.pending = queue.pending - 1
  end
  ticket.asked = nil
  if ticket.number then
    asked.batch:cancel(ticket.number)
  end
end

--- Returns the number of requests that are not answered.
function worker_queue.count(queue)
  local asked = queue.asked
  return queue.pending + (asked and asked.last - asked.gone or 0)
end

local function goes_before(a, b)
  if a.priority ~= b.priority then
    return a.priority > b.priority
  end
  return a.at < b.at
end

-- Sorts the tickets of a batch by priority, and removes those that no longer wait.
local function sort(asked)
  local tickets = {}
  for at = 1, asked.last do
    local ticket = asked.tickets[at]
    if ticket and ticket.asked then
      tickets[#tickets + 1] = ticket
    end
  end
  table.sort(tickets, goes_before)
  for at, ticket in ipairs(tickets) do
    ticket.at = at
  end
  asked.tickets, asked.last, asked.gone = tickets, #tickets, 0
end

-- Adds the jobs of a batch's tickets to the batch. If a job cannot be added, its request is lost, and the function
-- returns true and the error. A job that the script has ended itself is passed to `put`.
local function add_jobs(queue, asked, put)
  local failed, problem = false, nil
  for _, ticket in ipairs(asked.tickets) do
    if ticket.job and ticket.asked and not ticket.number then
      local ok, number = pcall(asked.batch.add_job, asked.batch, ticket.job)
      if ok and number then
        ticket.number = number
      else
        worker_queue.cancel(ticket)
        if ok then
          put(queue, ticket)
        else
          ticket.done, ticket.status = true, "failed"
          failed, problem = true, failed and problem or number
        end
      end
    end
  end
  return failed, problem
end

-- Makes the workers start the requests in the order of the tickets.
local function set_order(asked)
  local numbers = {}
  for _, ticket in ipairs(asked.tickets) do
    numbers[#numbers + 1] = ticket.number
  end
  asked.batch:set_order(numbers)
end

-- Passes the requests since the last update to the workers. The batch is kept in queue.asked until it has started, in
-- case starting raises an error. Returns true and the error if a job was lost, otherwise false.
local function hand_over(queue, put)
  local asked, failed, problem = queue.asked, false, nil
  if not asked then
    return failed
  end
  if asked.is_unsorted then
    sort(asked)
    failed, problem = add_jobs(queue, asked, put)
    set_order(asked)
  end
  local waiting = asked.last - asked.gone
  if waiting > 0 then
    asked.batch:begin()
    for at = 1, asked.last do
      local ticket = asked.tickets[at]
      if ticket.asked then
        ticket.status = "running"
      end
    end
    queue.pending = queue.pending + waiting
    queue.batches[queue.updates + queue.delay - 1] = asked
  end
  queue.asked = nil
  return failed, problem
end

-- Moves the results of the workers into a job whose batch has ended. If edits have left work to do, the queue continues
-- the job in the script's own thread.
local function take_job(queue, due, ticket, put)
  due.batch:take_job(ticket.number, ticket.job)
  ticket.status = "waiting"
  put(queue, ticket)
end

-- Records an error as the answer of a ticket. A coroutine that waits for the ticket gets the error and may catch it;
-- otherwise it is raised here.
local function fail(ticket, problem)
  ticket.status = "failed"
  if not ticket.thread then
    error(problem, 0)
  end
  ticket.failure = { message = problem }
end

-- Stores the answer of a request in its ticket and reports it.
local function tell(batch, ticket, answer)
  local ok, path, reason = pcall(batch.path, batch, ticket.number, ticket.finder)
  ticket.done = true
  if ok then
    ticket.found, ticket.status = path, reason or "found"
  else
    fail(ticket, path)
  end
  answer(ticket)
end

local function call_plainly(call, ...)
  return true, call(...)
end

-- In plain Lua 5.1 a coroutine cannot yield out of pcall. Therefore callbacks run without pcall in this version if
-- the update is called in a coroutine, and an error leaves the remaining tickets to the next update. The ability is
-- not tested by trying to yield: hosts may replace coroutines by their own, which cannot run while a file is loaded.
local CAN_YIELD = _VERSION ~= "Lua 5.1" or rawget(_G, "jit") ~= nil

local coroutine = rawget(_G, "coroutine") -- missing in hosts that leave it out

-- Answers the tickets of a batch, from due.at on. A callback may raise an error or update the queue itself, so due.at
-- is advanced before each call. Returns true and the first error if there was one; `failed` and `problem` are those
-- of an earlier error.
local function answer_all(queue, due, answer, put, failed, problem)
  local tickets, batch = due.tickets, due.batch
  local may_yield = CAN_YIELD or not (coroutine and coroutine.running())
  local protect = may_yield and pcall or call_plainly
  while due.at <= due.last do
    local ticket = tickets[due.at]
    due.at = due.at + 1
    if ticket.asked then
      ticket.asked, queue.pending = nil, queue.pending - 1
      if ticket.job then
        take_job(queue, due, ticket, put)
      else
        local ok, raised = protect(tell, batch, ticket, answer)
        if not (ok or failed) then
          failed, problem = true, raised
        end
      end
    end
  end
  batch:close()
  return failed, problem
end

--- Does the workers' part of an update: passes the new batch to the workers and waits for the batches that are due.
-- Calls `answer` with each answered ticket, and `put` with each ticket whose job the queue must continue. Returns true
-- and the first error if there was one.
function worker_queue.update(queue, answer, put)
  queue.updates = queue.updates + 1
  local failed, problem = hand_over(queue, put)
  for update = queue.first_due, queue.updates do
    local due = queue.batches[update]
    if due then
      due.batch:wait()
      failed, problem = answer_all(queue, due, answer, put, failed, problem)
      queue.batches[update] = nil
    end
    queue.first_due = math.max(queue.first_due, update + 1)
  end
  return failed, problem
end

return worker_queue
