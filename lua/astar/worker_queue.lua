-- worker_queue.lua -- what a queue does with its requests when it has workers.
--
-- Requests gather until the next update, which hands them to the workers as one batch, and are
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
  queue.asked, queue.pending = {}, 0 -- what the next update hands over; how many are not answered
  queue.updates, queue.first_due = 0, 1
  queue.batches = {} -- by the update that answers them: { batch, tickets, at: the next to answer }
end

--- What is wrong with asking workers by a finder, nil when nothing is.
function worker_queue.problem_with(queue, finder, is_of_graph)
  if is_of_graph then
    return "workers cannot honour a graph's finder: give it a queue of its own, without workers"
  end
  if queue.workers:count() == 0 then
    return "workers are closed"
  end
  local what = core.refused_by_workers(finder)
  return what and "workers cannot honour " .. what
end

function worker_queue.put(queue, ticket)
  ticket.is_for_workers = true
  queue.pending = queue.pending + 1
  queue.asked[#queue.asked + 1] = ticket
end

--- Of a ticket that is taken back.
function worker_queue.cancel(queue, ticket)
  queue.pending = queue.pending - 1
  ticket.is_for_workers = nil
  if ticket.batch then
    ticket.batch:cancel(ticket.number)
  end
end

-- ---- handing over ----

local function goes_before(a, b)
  if a.priority ~= b.priority then
    return a.priority > b.priority
  end
  return a.arrival < b.arrival
end

-- Whether tickets stand in the order they are to be answered in, as they do where all priorities are equal.
local function are_in_order(tickets)
  for i = 2, #tickets do
    if goes_before(tickets[i], tickets[i - 1]) then
      return false
    end
  end
  return true
end

-- Ends a request that raised an error. A script that waits gets it, and may catch it; where nobody does, it is raised.
local function fail(queue, ticket, problem)
  queue.pending = queue.pending - 1
  ticket.done, ticket.status = true, "failed"
  if not ticket.thread then
    error(problem, 0)
  end
  ticket.failure = { message = problem }
end

-- Adds a ticket to a batch. A script that waits for one that cannot be added is told when it would be answered.
local function add(queue, batch, t)
  local ok, problem
  if t.job then
    ok, problem = pcall(batch.add_job, batch, t.job)
  else
    ok, problem = pcall(batch.add, batch, t.finder, t.sx, t.sy, t.gx, t.gy, t.question)
  end
  if not ok then
    fail(queue, t, problem)
  end
  return ok
end

-- Those that somebody still has to be told of.
local function without_cancelled(tickets)
  local left = {}
  for _, ticket in ipairs(tickets) do
    if not ticket.done or ticket.failure then
      left[#left + 1] = ticket
    end
  end
  return left
end

-- Makes one batch of all that were asked since the last update. Until it has begun they are kept, in case it cannot.
local function hand_over(queue)
  local tickets = without_cancelled(queue.asked)
  if #tickets == 0 then
    queue.asked = tickets
    return
  end
  if not are_in_order(tickets) then
    table.sort(tickets, goes_before)
  end
  local batch, count = core.batch(queue.workers), 0
  for _, ticket in ipairs(tickets) do
    if not ticket.done and add(queue, batch, ticket) then
      count = count + 1
      ticket.number = count
    end
  end
  batch:begin()
  for _, ticket in ipairs(tickets) do
    if not ticket.done then
      ticket.batch, ticket.status = batch, "running"
    end
  end
  queue.asked = {}
  queue.batches[queue.updates + queue.delay - 1] = { batch = batch, tickets = tickets, at = 1 }
end

--- Begins an update.
function worker_queue.begin_update(queue)
  queue.updates = queue.updates + 1
  hand_over(queue)
end

-- ---- answers ----

-- Has a job take what workers have done, whose batch has been waited for. What edits have left to do since
-- the job does itself, among those that are the script's own thread's.
local function take_job(queue, ticket, put)
  queue.pending = queue.pending - 1
  ticket.batch:take_job(ticket.number)
  ticket.batch, ticket.is_for_workers, ticket.status = nil, nil, "waiting"
  put(queue, ticket)
end

-- Takes the answer of a ticket.
local function take(queue, ticket)
  local ok, path, reason = pcall(ticket.batch.path, ticket.batch, ticket.number, ticket.finder)
  ticket.batch = nil
  if not ok then
    return fail(queue, ticket, path)
  end
  queue.pending = queue.pending - 1
  ticket.found = path or nil
  ticket.done, ticket.status = true, reason or "found"
end

-- Answers the tickets of a batch from the first on that was not: a callback may raise, and may update the queue itself.
local function answer_all(queue, due, answer, put)
  while due.at <= #due.tickets do
    local ticket = due.tickets[due.at]
    due.at = due.at + 1
    if not ticket.done and ticket.job then
      take_job(queue, ticket, put)
    elseif not ticket.done then
      take(queue, ticket)
      answer(ticket)
    elseif ticket.failure then
      answer(ticket)
    end
  end
  due.batch:close()
end

--- Ends what workers have to do with an update: waits for the batches that are due, and has 'answer' called with
-- each ticket, and 'put' with one whose job is to be ended by the queue.
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
