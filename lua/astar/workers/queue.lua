-- queue.lua -- what a queue does with its requests when it has workers.
--
-- Requests gather in a batch until the next update, which hands that to the workers, and are
-- answered by the update that is the delay-th since they were asked, however long the workers took:
-- it waits for them, if need be, and works meanwhile on what none of them has begun. So what a
-- script is told, and when, depends on its own calls and on no machine.
--
-- A ticket leaves its list before anything can raise: an error loses that one request and reaches the
-- caller of the update once the others are answered, of several the first.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local plain_options = require(ABOVE .. ".plain_options")
local unknown_option = require(ABOVE .. ".unknown_option")

local MOST_DELAY = 1000 -- updates: some seconds, a mistake beyond

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
    error("delay needs workers", 4)
  end
  if delay ~= nil and not is_delay(delay) then
    error("delay must be an integer from 1 to " .. MOST_DELAY .. ", got " .. describe(delay), 4)
  end
  return workers, delay
end

--- Gives a queue workers, if the options name some.
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
  queue.pending = 0 -- how many are handed over and not answered
  queue.updates, queue.first_due = 0, 1
  queue.batches = {} -- by the update that answers them, as 'asked' is
  queue.asked = nil -- what the next update hands over, as asked_of makes it
end

-- What the next update hands over; the batch by its finder's first question, the flows when that begins. The tickets
-- lie in the order of asking, false where one has moved to the end; 'last' of them, 'gone' of which no more wait;
-- 'priority' is the last one's. 'at' is the next to answer.
local function open(queue)
  local batch = core.batch(queue.workers)
  local asked = {
    queue = queue, batch = batch, add = batch.add, tickets = {}, last = 0, gone = 0, priority = math.huge, at = 1,
  }
  queue.asked = asked
  return asked
end

-- Of the last ticket.
local function note_priority(asked, priority)
  asked.is_unsorted = asked.is_unsorted or priority > asked.priority
  asked.priority = priority
end

--- Asks a question with the next update. Returns what is to be its ticket, with room for what comes of it; or nil and
-- what is wrong with the question.
function worker_queue.request(queue, finder, sx, sy, gx, gy, question, priority, callback, thread)
  local asked = queue.asked or open(queue)
  local ok, number = pcall(asked.add, asked.batch, finder, sx, sy, gx, gy, question)
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

-- Puts a ticket at the end.
local function put_last(asked, ticket)
  local at = asked.last + 1
  asked.last, asked.tickets[at] = at, ticket
  ticket.asked, ticket.at = asked, at
  asked.is_unsorted = true
end

--- Has the ticket of a job wait likewise.
function worker_queue.put(queue, ticket)
  put_last(queue.asked or open(queue), ticket)
end

--- Of a ticket whose priority has changed: it is the last one now, where its batch was not handed over.
function worker_queue.reorder(ticket)
  local asked = ticket.asked
  if asked ~= asked.queue.asked then
    return
  end
  asked.tickets[ticket.at] = false
  asked.gone = asked.gone + 1
  put_last(asked, ticket)
end

--- Of a ticket that is taken back.
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

--- How many are not answered.
function worker_queue.count(queue)
  local asked = queue.asked
  return queue.pending + (asked and asked.last - asked.gone or 0)
end

-- ---- handing over ----

local function goes_before(a, b)
  if a.priority ~= b.priority then
    return a.priority > b.priority
  end
  return a.at < b.at
end

-- Puts the tickets in the order they are to be answered in; those that do not wait any more are left out.
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

-- Adds the jobs. One that cannot be is lost: returns true and why. One that was ended by hand is left to 'put'.
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

-- Has the questions begun in the order of their tickets.
local function set_order(asked)
  local numbers = {}
  for _, ticket in ipairs(asked.tickets) do
    numbers[#numbers + 1] = ticket.number
  end
  asked.batch:set_order(numbers)
end

-- Hands over what was asked since the last update. Until it has begun it is kept, in case it cannot. Returns whether a
-- job was lost, and why.
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

-- ---- answers ----

-- Has a job take what workers have done, whose batch has been waited for. What edits have left to do since
-- the job does itself, among those that are the script's own thread's.
local function take_job(queue, due, ticket, put)
  due.batch:take_job(ticket.number, ticket.job)
  ticket.status = "waiting"
  put(queue, ticket)
end

-- Of a ticket whose answer is an error: a script that waits gets that, and may catch it.
local function fail(ticket, problem)
  ticket.status = "failed"
  if not ticket.thread then
    error(problem, 0)
  end
  ticket.failure = { message = problem }
end

-- Tells what came of a question.
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

-- Plain Lua 5.1 has no way to yield out of pcall: there a callback that raises in a coroutine leaves the rest to the
-- next update. This is not tried out: hosts replace coroutines by their own, which cannot run while a file is loaded.
local CAN_YIELD = _VERSION ~= "Lua 5.1" or rawget(_G, "jit") ~= nil

local coroutine = rawget(_G, "coroutine") -- a host may leave it out

-- Answers the tickets of a batch from the first on that was not: a callback may raise, and may update the queue itself.
-- Returns whether any raised, and the first problem, where 'failed' does not say that there was one before.
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

--- What workers have to do with an update: hands over, waits for the batches that are due, and has 'answer' called with
-- each ticket, 'put' with one whose job is to be ended by the queue. Returns whether anything raised, and what.
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
