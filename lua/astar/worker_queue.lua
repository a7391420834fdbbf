-- worker_queue.lua -- what a queue does with its requests when it has workers.
--
-- Requests gather in a batch until the next update, which hands that to the workers, and are
-- answered by the update that is the delay-th since they were asked, however long the workers took:
-- it waits for them, if need be, and works meanwhile on what none of them has begun. So what a
-- script is told, and when, depends on its own calls and on no machine.
--
-- A ticket leaves its list before anything can raise: an error loses that one request, and the next
-- update goes on with the others, though they come later then.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local unknown_option = require(FOLDER .. ".unknown_option")

local MOST_DELAY = 1000 -- updates: some seconds, a mistake beyond

local worker_queue = {}

local function is_delay(value)
  return type(value) == "number" and value >= 1 and value <= MOST_DELAY and value % 1 == 0
end

local OPTIONS = { "workers", "delay" }

local function check_options(options)
  if type(options) ~= "table" then
    error("options must be a table, got " .. describe(options), 4)
  end
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
  queue.pending = 0 -- how many are not answered
  queue.updates, queue.first_due = 0, 1
  queue.batches = {} -- by the update that answers them: { batch, tickets, at: the next to answer }
  queue.asked = nil -- what the next update hands over: the same, with waiting: how many were not taken back
end

-- What the next update hands over; the batch by its finder's first question, the flows when that begins.
local function asked_of(queue)
  local asked = queue.asked
  if not asked then
    asked = { batch = core.batch(queue.workers), tickets = {}, at = 1, waiting = 0 }
    queue.asked = asked
  end
  return asked
end

--- Adds a question to what the next update hands over; true and its number there, or false and what is wrong with it.
function worker_queue.request(queue, ...)
  local batch = asked_of(queue).batch
  return pcall(batch.add, batch, ...)
end

--- Has the ticket of a request, or of a job for workers, wait for the next update.
function worker_queue.put(queue, ticket)
  local asked = asked_of(queue)
  local tickets = asked.tickets
  local before = tickets[#tickets]
  if before and before.priority < ticket.priority or ticket.job then
    asked.is_unsorted = true
  end
  tickets[#tickets + 1] = ticket
  asked.waiting = asked.waiting + 1
  ticket.asked, queue.pending = asked, queue.pending + 1
end

--- Of a ticket whose priority has changed.
function worker_queue.reorder(ticket)
  ticket.asked.is_unsorted = true
end

--- Of a ticket that is taken back.
function worker_queue.cancel(queue, ticket)
  local asked = ticket.asked
  queue.pending = queue.pending - 1
  asked.waiting = asked.waiting - 1
  ticket.asked = nil
  if ticket.number then
    asked.batch:cancel(ticket.number)
  end
end

-- ---- handing over ----

local function goes_before(a, b)
  if a.priority ~= b.priority then
    return a.priority > b.priority
  end
  return a.arrival < b.arrival
end

-- Adds the jobs. One that cannot be is lost; the next update goes on with the others. One that was ended by
-- hand is left to 'put'.
local function add_jobs(queue, asked, put)
  for _, ticket in ipairs(asked.tickets) do
    if ticket.job and ticket.asked and not ticket.number then
      local ok, number = pcall(asked.batch.add_job, asked.batch, ticket.job)
      if not ok then
        worker_queue.cancel(queue, ticket)
        ticket.done, ticket.status = true, "failed"
        error(number, 0)
      end
      ticket.number = number
      if not number then
        worker_queue.cancel(queue, ticket)
        put(queue, ticket)
      end
    end
  end
end

-- Puts the tickets in the order they are to be answered in, and has them begun in that.
local function sort(asked)
  local numbers = {}
  table.sort(asked.tickets, goes_before)
  for _, ticket in ipairs(asked.tickets) do
    numbers[#numbers + 1] = ticket.number
  end
  asked.batch:set_order(numbers)
end

-- Hands over what was asked since the last update. Until it has begun it is kept, in case it cannot.
local function hand_over(queue, put)
  local asked = queue.asked
  if not asked then
    return
  end
  if asked.is_unsorted then
    add_jobs(queue, asked, put)
    sort(asked)
  end
  if asked.waiting > 0 then
    asked.batch:begin()
    for _, ticket in ipairs(asked.tickets) do
      if ticket.asked then
        ticket.status = "running"
      end
    end
    queue.batches[queue.updates + queue.delay - 1] = asked
  end
  queue.asked = nil
end

--- Begins an update. 'put' is called with a ticket whose job is to be ended by the queue.
function worker_queue.begin_update(queue, put)
  queue.updates = queue.updates + 1
  hand_over(queue, put)
end

-- ---- answers ----

-- Has a job take what workers have done, whose batch has been waited for. What edits have left to do since
-- the job does itself, among those that are the script's own thread's.
local function take_job(queue, due, ticket, put)
  queue.pending = queue.pending - 1
  due.batch:take_job(ticket.number, ticket.job)
  ticket.asked, ticket.status = nil, "waiting"
  put(queue, ticket)
end

-- Takes the answer of a ticket. Where that is an error, a script that waits gets it, and may catch it.
local function take(queue, due, ticket)
  local ok, path, reason = pcall(due.batch.path, due.batch, ticket.number, ticket.finder)
  queue.pending = queue.pending - 1
  ticket.done, ticket.asked = true, nil
  if ok then
    ticket.found, ticket.status = path, reason or "found"
    return
  end
  ticket.status = "failed"
  if not ticket.thread then
    error(path, 0)
  end
  ticket.failure = { message = path }
end

-- Answers the tickets of a batch from the first on that was not: a callback may raise, and may update the queue itself.
local function answer_all(queue, due, answer, put)
  local tickets = due.tickets
  while due.at <= #tickets do
    local ticket = tickets[due.at]
    due.at = due.at + 1
    if ticket.asked == due then
      if ticket.job then
        take_job(queue, due, ticket, put)
      else
        take(queue, due, ticket)
        answer(ticket)
      end
    end
  end
  due.batch:close()
end

--- Ends what workers have to do with an update: waits for the batches that are due, and has 'answer' called with
-- each ticket, and 'put' as above.
function worker_queue.end_update(queue, answer, put)
  for update = queue.first_due, queue.updates do
    local due = queue.batches[update]
    if due then
      due.batch:wait()
      answer_all(queue, due, answer, put)
      queue.batches[update] = nil
    end
    queue.first_due = math.max(queue.first_due, update + 1)
  end
end

return worker_queue
