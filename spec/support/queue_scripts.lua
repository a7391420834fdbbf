-- queue_scripts.lua -- random scripts of queues with workers, and what they must be told.
--
-- A script makes maps, shares some, edits and publishes, asks, takes back, has jobs done, updates its queues,
-- closes and drops, in any order; callbacks do so, too. Beside it stands a model of what the manual says: in which
-- update an answer is due, in which order, and which version of the map its batch reads, of two copies. Each answer
-- must be that of find_path on a clone of that version.

local random = require "spec.support.random"
local astar = require "astar"
local core = require "astar.core"

local FINDERS = {
  {}, {}, {}, { diagonals = "never" }, { diagonals = "always" }, { diagonals = "if_at_most_one_obstacle" },
  { algorithm = "astar" }, { algorithm = "jpsw" }, { algorithm = "jps" }, { size = 2 }, { ignore = { "red" } },
  { ignore = { "red", "" }, size = 2 }, { partial = true }, { max_cost = 12 }, { max_expansions = 30 },
  { weight = 1.5 }, { bends = "fewest" }, { any_angle = true }, { costs = { ["~"] = 1 } },
  { costs = { ["~"] = false } }, { range = 1 },
}
local QUERIES = { { range = 1 }, { partial = true }, { max_expansions = 9 }, { max_cost = 9 } }
local PLENTY = { expansions = 10 ^ 9 }
local MOST_PAST = 20 -- batches of a map: more than are out
local MINE = "raised by the script"

local Script = {}
Script.__index = Script

local function cells(path) return path and table.concat(path:cells_flat(), ",") or false end

-- ---- maps ----

-- The map as it is now, of which no edit changes the clone.
local function now(source)
  local map = source.map
  if source.is_view then return map.published end
  if map.kept_version ~= map.grid:version() then
    map.kept, map.kept_version = astar.load(map.grid:dump()), map.grid:version()
  end
  return map.kept
end

function Script:new_map(number)
  local r = self.r
  local width, height = r:int(2, 32), r:int(2, 24)
  local grid = astar.grid(width, height, { terrain = { ["."] = 1, ["~"] = 3, ["#"] = false }, fill = "." })
  local keys = r:pick { { "#" }, { "#", "#", "~" } }
  for _ = 1, width * height * r:pick { 0, 0.1, 0.3 } do
    grid:set(r:int(1, width), r:int(1, height), r:pick(keys))
  end
  grid:block(1, 1, "red")
  local map = { grid = grid, width = width, height = height, sources = {}, keys = keys }
  map.sources[1] = { map = map, handle = grid, past = {} }
  if r:chance(0.4) then
    map.name = "queue_scripts " .. tostring(map) -- no other state's either
    grid:share(map.name)
    map.published, map.published_version = astar.load(grid:dump()), grid:version()
    for i = 2, r:int(2, 3) do
      map.sources[i] = { map = map, handle = astar.shared(map.name), is_view = true, past = {} }
    end
  end
  self.maps[number] = map
end

function Script:edit(map)
  local r, grid = self.r, map.grid
  local x, y = r:int(1, map.width), r:int(1, map.height)
  local w, h = math.min(r:int(1, 4), map.width - x + 1), math.min(r:int(1, 3), map.height - y + 1)
  local kind = r:int(1, 24)
  if kind <= 4 then
    grid:set(x, y, r:chance(0.5) and "." or r:pick(map.keys))
  elseif kind <= 9 then
    grid:block(x, y, w, h)
  elseif kind <= 15 then
    grid:unblock(x, y, w, h)
  elseif kind <= 17 then
    grid:block(x, y, w, h, "red")
  elseif kind <= 19 then
    grid:unblock(x, y, w, h, "red")
  elseif kind == 20 then
    grid:wall(x, y, r:pick { "north", "east" }, r:chance(0.5))
  elseif kind == 21 then
    local gx, gy = r:int(1, map.width), r:int(1, map.height)
    if gx ~= x or gy ~= y then grid:link(x, y, gx, gy, { cost = r:int(1, 5) }) end
  elseif kind == 22 then
    grid:terrain("~", r:int(1, 4))
  elseif kind == 23 and r:chance(0.2) then
    grid:fill(1, 1, map.width, map.height, ".")
  elseif kind == 24 and r:chance(0.1) then
    for _ = 1, 300 do grid:set(r:int(1, map.width), r:int(1, map.height), r:pick { ".", ".", map.keys[1] }) end
  end
end

local function publish(map)
  local version = map.name and map.grid:publish()
  if version and version ~= map.published_version then
    map.published, map.published_version = astar.load(map.grid:dump()), version
  end
end

-- ---- the model ----

-- Which version a batch of the pool reads of a map: two copies, the latest as long as it is current or none is free.
local function pin(pool, source)
  local copies = pool.copies[source] or { { batches = 0 }, { batches = 0 } }
  pool.copies[source] = copies
  local latest, map = copies.latest, now(source)
  table.insert(source.past, 1, map)
  source.past[MOST_PAST] = nil
  local idle = latest and latest.batches == 0 and latest or copies[1].batches == 0 and copies[1]
    or copies[2].batches == 0 and copies[2]
  if idle and not (latest and latest.map == map) then
    idle.map, copies.latest = map, idle
  end
  copies.latest.batches = copies.latest.batches + 1
  return copies.latest
end

local function unpin(batch)
  for _, copy in pairs(batch.pins) do copy.batches = copy.batches - 1 end
  batch.pins = {}
end

-- In the order they are told in.
local function goes_before(a, b)
  if a.priority ~= b.priority then return a.priority > b.priority end
  return a.arrival < b.arrival
end

local function arrive(queue, asked)
  queue.arrivals = queue.arrivals + 1
  asked.arrival = queue.arrivals
end

-- What the update that begins now hands over.
local function hand_over(queue)
  local list, waiting = queue.asked, 0
  queue.asked = {}
  for _, asked in ipairs(list) do waiting = waiting + (asked.cancelled and 0 or 1) end
  if waiting == 0 then return end
  table.sort(list, goes_before)
  local batch = { due = queue.updates + queue.delay - 1, list = list, at = 1, pins = {} }
  for _, asked in ipairs(list) do -- what is taken back counts, too: its question was added
    local source = asked.source
    if not asked.job or not asked.cancelled then
      batch.pins[source] = batch.pins[source] or pin(queue.pool, source)
      asked.map, asked.batch = batch.pins[source].map, batch
    end
  end
  queue.batches[#queue.batches + 1] = batch
end

-- The batches that were due by then have been waited for, and read no copies any more.
local function reach(queue, update)
  for i = #queue.batches, 1, -1 do
    local batch = queue.batches[i]
    if batch.due <= update then
      unpin(batch)
      if batch.at > #batch.list then table.remove(queue.batches, i) end
    end
  end
end

-- The next request of the queue that is to be told; nil where there is none.
local function next_to_tell(queue)
  for _, batch in ipairs(queue.batches) do
    while batch.at <= #batch.list do
      local asked = batch.list[batch.at]
      if not asked.cancelled and not asked.job then return asked, batch end
      batch.at = batch.at + 1
    end
  end
end

-- ---- what is told ----

-- Kept as well: of several errors in an update only the first is raised.
function Script:fail(message, ...)
  message = ("seed %d, step %d%s: " .. message):format(self.seed, self.steps, self.is_baked and ", baked" or "", ...)
  self.failure = self.failure or message
  error(message, 0)
end

local function expected_of(asked, map)
  return pcall(function()
    return map:finder(asked.options):find_path(asked.sx, asked.sy, asked.gx, asked.gy, asked.question)
  end)
end

local function bare(text) return (tostring(text):gsub("^[^ ]+:%d+: ", "")) end

-- Passes over the requests whose turn it was and whose answer is an error, which nobody is told but who updates.
function Script:pass_failed(queue)
  for _ = 1, math.huge do
    local asked, batch = next_to_tell(queue)
    if not asked or batch.due > queue.updates or asked.ticket and asked.ticket.status ~= "failed" then return end
    local ok, expected = expected_of(asked, asked.map)
    if ok and not asked.ticket then return end -- awaited, and told
    if ok then self:fail "failed, but find_path answers" end
    self.problems[bare(expected)] = true
    self.raised = self.raised + 1
    batch.at, asked.is_told = batch.at + 1, true
  end
end

-- Takes a request for told, in its turn.
function Script:tell(asked)
  local queue = asked.queue
  if not asked.is_silent then self:look_at_silent(queue) end
  local first, batch = next_to_tell(queue)
  if first ~= asked then self:fail("out of turn") end
  if batch.due > queue.updates then self:fail("too early: due %d, told %d", batch.due, queue.updates) end
  if batch.due < queue.updates and not queue.is_disturbed then
    self:fail("too late: due %d, told %d", batch.due, queue.updates)
  end
  batch.at, asked.is_told = batch.at + 1, true
  reach(queue, batch.due)
end

-- What is wrong with an answer; nil where that is the one to the question on a map.
function Script:problem_with(asked, path, reason, map)
  local ok, then_path, why = expected_of(asked, map)
  if not ok then return ("told, but find_path raises %s"):format(then_path) end
  local is_same = cells(path) == cells(then_path) and reason == why and (not path or path.cost == then_path.cost)
  if self.is_baked and path and then_path then
    local most = (asked.options.weight or 1) * (1 + 1e-9) -- what is baked leads a weighted search other ways
    is_same = path.cost <= most * then_path.cost + 1e-9 and then_path.cost <= most * path.cost + 1e-9
  end
  if not is_same then
    return ("%s %s, not %s %s"):format(tostring(cells(path)), tostring(reason), tostring(cells(then_path)),
      tostring(why))
  end
end

-- Where maps are baked the copy that is read has to be current in that, too, which the model does not know: any
-- version since is right then, and so is any path that costs the same, found by fewer expansions.
function Script:compare(asked, path, reason)
  self:tell(asked)
  local problem = self:problem_with(asked, path, reason, asked.map)
  local has_limit = (asked.question or asked.options).max_expansions
  for _, map in ipairs(self.is_baked and problem and asked.source.past or {}) do
    problem = not has_limit and problem and self:problem_with(asked, path, reason, map)
  end
  if problem then self:fail("%s", problem) end
  self.told = self.told + 1
end

local function close(pool)
  pool.lua:close()
  pool.is_closed = true
end

-- What a script does when it is told something.
function Script:react(queue)
  local r, kind = self.r, self.r:int(1, 60)
  if kind == 1 then
    error(MINE, 0)
  elseif kind == 2 then
    self:edit(r:pick(self.maps))
  elseif kind == 3 then
    self:ask(queue)
  elseif kind == 4 then
    self:cancel(queue)
  elseif kind == 5 then
    queue.is_disturbed = true
    self:update(queue)
  elseif kind == 6 then
    self:set_priority(queue)
  elseif kind == 7 then
    collectgarbage "step"
  elseif kind == 8 and r:chance(0.2) then
    close(queue.pool)
  elseif kind == 9 then
    publish(r:pick(self.maps))
  end
end

-- ---- asking ----

function Script:new_asked(queue)
  local r, kind = self.r, self.r:pick(self.kinds)
  local map = kind.source.map
  return {
    queue = queue, source = kind.source, finder = kind.finder, options = kind.options, priority = 0,
    sx = r:int(1, map.width), sy = r:int(1, map.height), gx = r:int(1, map.width), gy = r:int(1, map.height),
  }
end

local function keep(queue, asked)
  arrive(queue, asked)
  queue.asked[#queue.asked + 1] = asked
end

function Script:await(asked)
  local queue = asked.queue
  local thread = coroutine.wrap(function()
    local path, reason = queue.lua:await(asked.finder, asked.sx, asked.sy, asked.gx, asked.gy, asked.question,
      asked.priority)
    self:compare(asked, path, reason)
    self:react(queue)
  end)
  keep(queue, asked)
  thread()
end

function Script:ask(queue)
  local r, pool, asked = self.r, queue.pool, self:new_asked(queue)
  if pool.is_closed then
    local ok, message = pcall(queue.lua.request, queue.lua, asked.finder, 1, 1, 1, 1)
    if ok or not message:find "closed" then self:fail("asked a closed pool: %s", tostring(message)) end
    return
  end
  asked.priority = r:chance(0.2) and r:int(-1, 2) or 0
  asked.question = next(asked.options) == nil and r:chance(0.3) and r:pick(QUERIES) or nil
  if r:chance(0.1) then return self:await(asked) end
  keep(queue, asked)
  local is_silent = r:chance(0.1)
  asked.ticket = queue.lua:request(asked.finder, asked.sx, asked.sy, asked.gx, asked.gy, asked.question,
    not is_silent and function(path, reason, ticket)
      if ticket ~= asked.ticket then self:fail "another's ticket" end
      self:compare(asked, path, reason)
      self:react(queue)
    end or nil, asked.priority)
  asked.is_silent = is_silent
end

-- One that was asked and not told yet, nil where there is none.
function Script:pick_asked(queue)
  local list = {}
  for _, asked in ipairs(queue.asked) do list[#list + 1] = asked end
  for _, batch in ipairs(queue.batches) do
    for _, asked in ipairs(batch.list) do list[#list + 1] = asked end
  end
  local asked = #list > 0 and self.r:pick(list)
  return asked and asked.ticket and not asked.is_told and not asked.cancelled and asked or nil
end

function Script:cancel(queue)
  local asked = self:pick_asked(queue)
  if not asked or asked.is_silent and asked.ticket.done then return end -- that was not looked at yet
  asked.cancelled = true
  if not asked.ticket:cancel() or asked.ticket.status ~= "cancelled" then self:fail "cancel returned false" end
end

function Script:set_priority(queue)
  local asked, priority = self:pick_asked(queue), self.r:int(-2, 3)
  if not asked then return end
  asked.ticket:set_priority(priority)
  if not asked.batch and priority ~= asked.priority then
    asked.priority = priority
    arrive(queue, asked)
  end
end

-- ---- jobs ----

function Script:add_flow(queue)
  local r, asked = self.r, self:new_asked(queue)
  local ok, flow = pcall(asked.finder.flow, asked.finder, asked.gx, asked.gy)
  if not ok then return end
  asked.job = flow:completing()
  asked.check = function()
    if asked.job.status ~= "done" then return end
    local again = now(asked.source):finder(asked.options):flow(asked.gx, asked.gy)
    for _ = 1, 8 do
      local x, y = r:int(1, asked.source.map.width), r:int(1, asked.source.map.height)
      if flow:distance(x, y) ~= again:distance(x, y) then self:fail("flow differs at %d, %d", x, y) end
    end
  end
  return asked
end

function Script:add_search(queue)
  local asked = self:new_asked(queue)
  local is_fine, job = pcall(asked.finder.search, asked.finder, asked.sx, asked.sy, asked.gx, asked.gy)
  if not is_fine then return end
  asked.job = job
  asked.check = function()
    local path, status = asked.job:path()
    local ok, then_path, why = expected_of(asked, asked.map)
    if not ok and status and status:find "^algorithm " then return end
    if not ok then self:fail("search is %s, but find_path raises %s", status or "found", then_path) end
    if self.is_baked then return end
    if cells(then_path) ~= cells(path) or not path and why ~= status then
      self:fail("search: %s %s, not %s %s", tostring(cells(path)), tostring(status), tostring(cells(then_path)),
        tostring(why))
    end
  end
  return asked
end

function Script:add_nearest(queue)
  local r, asked = self.r, self:new_asked(queue)
  local map, goals = asked.source.map, {}
  for i = 1, r:int(1, 4) do goals[i] = { r:int(1, map.width), r:int(1, map.height) } end
  local ok, job = pcall(asked.finder.finding_nearest, asked.finder, asked.sx, asked.sy, goals)
  if not ok then return end
  asked.job = job
  asked.check = function()
    local path, index = job:path()
    local finder = asked.map:finder(asked.options)
    local is_fine, then_path, then_index = pcall(finder.find_nearest, finder, asked.sx, asked.sy, goals)
    if not is_fine and job.status:find "^algorithm " then return end
    if not is_fine then self:fail("nearest is %s, but find_nearest raises %s", job.status, then_path) end
    if self.is_baked then return end
    if cells(path) ~= cells(then_path) or then_index ~= index then
      self:fail("nearest: %s, not %s", tostring(index), tostring(then_index))
    end
  end
  return asked
end

function Script:add_baking(queue)
  local asked = self:new_asked(queue)
  if not self.is_baked or asked.source.is_view or asked.options.size then return end
  local method = self.r:pick { "labels", "hierarchy", "landmarks" }
  local ok, job = pcall(asked.finder.baking, asked.finder, { method = method })
  if not ok then return end
  asked.job, asked.check = job, function() end
  return asked
end

function Script:add(queue)
  local r = self.r
  local asked = self[r:pick { "add_flow", "add_search", "add_nearest", "add_baking" }](self, queue)
  if not asked then return end
  asked.priority = r:chance(0.2) and r:int(-1, 2) or 0
  local is_for_workers = core.is_for_workers(asked.job) -- what has ended is nothing for them
  asked.ticket = queue.lua:add(asked.job, { priority = asked.priority, done = function(job)
    if job ~= asked.job or asked.cancelled or asked.is_told then self:fail "a job that is done twice, or no more" end
    asked.is_told = true
    reach(queue, queue.number)
    if is_for_workers then asked.check() end
    self:react(queue)
  end })
  if is_for_workers then keep(queue, asked) end
end

-- ---- updates ----

-- What an update has raised must be what was to be raised.
function Script:catch(message)
  if self.failure then error(self.failure, 0) end
  if message ~= MINE and not self.problems[bare(message)] then self:fail("update raised %s", tostring(message)) end
end

-- Silent requests are looked at once they are due.
function Script:look_at_silent(queue)
  for _ = 1, math.huge do
    self:pass_failed(queue)
    local asked, batch = next_to_tell(queue)
    if not asked or not asked.is_silent or not asked.ticket.done then return end
    if batch.due > queue.updates then self:fail "answered too early" end
    local path, status = asked.ticket:path()
    self:compare(asked, path, not path and status or nil)
  end
end

function Script:update(queue)
  local outer, number = queue.number, queue.updates + 1
  queue.updates, queue.number = number, number
  hand_over(queue)
  local ok, message = pcall(queue.lua.update, queue.lua, PLENTY)
  queue.number = outer
  self:look_at_silent(queue)
  reach(queue, number)
  if not ok then self:catch(message) end
end

local function is_behind(queue)
  local asked, batch = next_to_tell(queue)
  return asked ~= nil and batch.due <= queue.updates
end

-- Plain Lua 5.1 has no way to yield out of pcall: an update in a coroutine that raises leaves the rest to the next.
local CAN_YIELD = coroutine.wrap(function() return pcall(coroutine.yield, true) end)() == true

function Script:update_all(queue)
  queue.is_disturbed = queue.is_left or false -- by an update in a callback
  self:update(queue)
  queue.is_left = is_behind(queue) and queue.is_disturbed and not CAN_YIELD
  if is_behind(queue) and not queue.is_left then self:fail "not told" end
end

-- ---- ends ----

-- Lets go of a queue with all that is out.
function Script:drop(number)
  for _, batch in ipairs(self.queues[number].batches) do unpin(batch) end
  self.queues[number] = self:new_queue(self.queues[number].pool)
  collectgarbage()
  collectgarbage()
end

-- ---- the script ----

function Script:new_queue(pool)
  local delay = self.r:int(1, 5)
  return {
    lua = astar.queue { workers = pool.lua, delay = delay }, pool = pool, delay = delay,
    asked = {}, batches = {}, updates = 0, arrivals = 0,
  }
end

function Script:set_up()
  local r = self.r
  for i = 1, r:int(1, 2) do self:new_map(i) end
  for i = 1, r:int(2, 5) do
    local source = r:pick(r:pick(self.maps).sources)
    local options = r:pick(FINDERS)
    self.kinds[i] = { source = source, options = options, finder = source.handle:finder(options) }
  end
  for i = 1, r:int(1, 2) do
    self.pools[i] = { lua = astar.workers(r:int(1, 3)), copies = {} }
  end
  for i = 1, r:int(1, 3) do self.queues[i] = self:new_queue(r:pick(self.pools)) end
end

function Script:step()
  local r = self.r
  if r:chance(0.003) then return self:drop(r:int(1, #self.queues)) end
  local queue, kind = r:pick(self.queues), r:int(1, 99)
  if kind <= 30 then
    for _ = 1, r:int(1, 4) do self:ask(queue) end
  elseif kind <= 60 then
    self:update_all(queue)
  elseif kind <= 75 then
    for _ = 1, r:int(1, 3) do self:edit(r:pick(self.maps)) end
  elseif kind <= 82 then
    publish(r:pick(self.maps))
  elseif kind <= 87 then
    self:cancel(queue)
  elseif kind <= 90 then
    self:set_priority(queue)
  elseif kind <= 96 then
    self:add(queue)
  elseif kind == 97 and r:chance(0.3) then
    close(queue.pool)
  elseif kind == 98 then
    if queue.pool.lua:bytes() < 0 or queue.lua:count() < 0 then self:fail "less than nothing" end
  elseif kind == 99 and r:chance(0.3) then
    local map = r:pick(self.maps)
    if map.name then
      map.grid:unshare()
      map.name = nil
    end
  end
end

function Script:finish()
  for _, queue in ipairs(self.queues) do
    for _ = 1, 6 do self:update_all(queue) end
    while queue.lua:count() > 0 do self:update_all(queue) end
  end
  for _, pool in ipairs(self.pools) do pool.lua:close() end
  for _, map in ipairs(self.maps) do
    if map.name then map.grid:unshare() end
  end
end

local queue_scripts = {}

--- Runs the script of a seed; how many answers were told, and how many requests raised as they should.
function queue_scripts.run(seed)
  local r = random.new(seed)
  local script = setmetatable({
    r = r, seed = seed, steps = 0, told = 0, raised = 0, problems = {}, maps = {}, kinds = {}, pools = {}, queues = {},
    is_baked = r:chance(0.15),
  }, Script)
  script:set_up()
  for step = 1, r:int(20, 120) do
    script.steps = step
    script:step()
  end
  script:finish()
  return script.told, script.raised
end

return queue_scripts
