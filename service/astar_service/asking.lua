-- asking.lua -- answers a request of queries: waits for its version, answers in slices, and names the version of each
-- answer.
--
-- A map that is asked has stamp(), a number that any edit changes, and version_of(stamp). A query during which the
-- stamp stayed the same has an answer of that version. As soon as the stamp changes, the query is ended and asked again
-- of a copy that nobody edits, which serves all queries that come within a fifth of a second.

local http = require "astar_service.http"
local questions = require "astar_service.questions"
local versions = require "astar_service.versions"

local asking = {}

local Asking = {}
Asking.__index = Asking

local FIELDS = {
  client = true, least = true, wait = true, fresh = true, stale = true, finder = true, questions = true,
}

local STILL = 0.2 -- seconds that a copy serves
local MOVED = {} -- raised in a query whose map was edited
local TRIES = 3 -- of a query to a graph, of which no copies are made

asking.SILENCE = 0.8 -- seconds after which, with that, an answer may be a second old

-- options: find(name) = the map of that name or nil, all() = all maps that are held, by name; board, fair,
-- heads, limits.
function asking.new(options)
  local self = setmetatable({
    find = options.find, all = options.all, board = options.board, heads = options.heads, limits = options.limits,
    fair = options.fair, counts = http.counts, waiting = 0,
  }, Asking)
  return self
end

-- Seconds since all that a majority had was here.
function asking.silence(board)
  local now, wall = (board:get "/heard" or "0 0"):match "^(%S+) (%S+)$"
  return http.age { now = tonumber(now), wall = tonumber(wall) }
end

function Asking:count(name, by)
  self.counts[name] = (self.counts[name] or 0) + (by or 1)
end

-- ---- versions ----

local function require_map(self, name)
  local found, why = self.find(name)
  if found then return found end
  if why == "loading" then http.fail(503, ("map %q is being loaded"):format(name), "loading") end
  if why == "fault" then http.fail(409, ("map %q cannot be read: see /readyz"):format(name), "fault") end
  http.fail(404, ("there is no map %q"):format(name), "no map")
end

-- A copy of the map that nobody edits, of version `least` or later.
local function still_of(map, least)
  local still = map.still
  if still and still.version >= least and http.age(still.made) < STILL then return still end
  local made, copy = http.moment(), map.object:clone()
  local stamp = copy:version()
  still = versions.begin(setmetatable({ made = made }, { __index = map }), map.name, copy, map:version_of(stamp))
  function still.stamp() return stamp end
  function still.version_of() return still.version end
  map.still = still
  return still
end

-- The answer to a query about a map as it is now, and its version; raises MOVED if the map is edited meanwhile.
local function answer_now(map, context, question, unit)
  local stamp = map:stamp()
  local version = map:version_of(stamp)
  context.watched = { [map] = stamp }
  local ok, answer = pcall(questions.answer, map, context, question, unit)
  local is_moved = context.is_moved()
  context.watched = nil
  if answer == MOVED or is_moved then error(MOVED, 0) end
  if not ok then error(answer, 0) end
  answer.version = version
  return answer
end

-- The answer to a query, with the version that it is of.
local function answer_one(self, map, context, question, unit, least)
  for _ = 1, map.is_graph and TRIES or 1 do
    local ok, answer = pcall(answer_now, map, context, question, unit)
    if ok then return answer end
    if answer ~= MOVED then error(answer, 0) end
  end
  if map.is_graph then http.fail(503, "the map was edited too often while it was asked", "busy") end
  local still = still_of(map, least)
  local answer = questions.answer(still, context, question, unit)
  answer.version = still.version
  self:count "astar_still_answers_total"
  return answer
end

-- What etcd says of a map's newest version, asked outside of the slices.
local function ask_head(self, name, turn)
  return self.fair:outside(turn, self.heads.get, self.heads, name)
end

-- Returns false if etcd says that there is no such map, asked outside of the slices.
local function ask_whether(self, name, turn)
  return self.fair:outside(turn, self.heads.has, self.heads, name)
end

local AT_ONCE, MOST_PAUSE = 4, 60 -- requests that look at the same pace; milliseconds

local function stop_waiting(ticket)
  if ticket.of then ticket.of.waiting = ticket.of.waiting - 1 end
  ticket.of = nil
end

-- HAProxy never resumes the coroutine of a client that has left: Lua's collector frees its ticket then.
local Waiting = { __gc = stop_waiting }

-- Waits, outside of the slices, until the map has version `least` or its state is another one than `why`, or
-- `deadline`. HAProxy 2.6 has no call by which one coroutine wakes another, so each request looks now and then. A
-- look takes some microseconds: the more requests of this Lua state wait, the less often each looks.
local function wait_for_news(self, name, least, why, deadline)
  local ticket, pause = setmetatable({ of = self }, Waiting), 1
  self.waiting = self.waiting + 1
  repeat
    core.msleep(pause)
    pause = math.min(MOST_PAUSE, math.max(math.min(10, pause + 1), 2 * (self.waiting // AT_ONCE)))
    local map, now_why = self.find(name)
    if now_why ~= why or map and map:version_of(map:stamp()) >= least then break end
  until http.now() >= deadline
  stop_waiting(ticket)
end

-- Waits until the map is of version `least`. Only etcd's word is taken that there is no such map.
local function wait_for(self, name, least, turn, deadline)
  local was_looked_for = false
  while true do
    local map, why = self.find(name)
    local version = map and map:version_of(map:stamp())
    if map and version >= least then
      map.asked = http.now()
      return map
    end
    if why == "fault" then require_map(self, name) end
    local is_over = http.now() >= deadline
    if not map and why ~= "loading" and (is_over or least < 0 and not was_looked_for) then
      was_looked_for = true
      if ask_whether(self, name, turn) == false then require_map(self, name) end
    end
    if is_over then
      self:count "astar_behind_total"
      http.fail(503, ("map %q is at version %s, and %d was asked for"):format(name, version or "?", math.max(0, least)),
        "behind", { version = version })
    end
    self.fair:outside(turn, wait_for_news, self, name, least, why, deadline)
  end
end

-- ---- requests ----

local function read_request(self, text)
  local body = http.parse(text)
  http.check_fields(body, FIELDS)
  local list = body.questions
  if type(list) ~= "table" or #list == 0 or #list > self.limits.questions then
    http.fail(400, ("questions must be a list of 1 to %d"):format(self.limits.questions))
  end
  if body.finder ~= nil and type(body.finder) ~= "table" then http.fail(400, "finder must be a finder's options") end
  for _, name in ipairs { "fresh", "stale" } do
    if body[name] ~= nil and type(body[name]) ~= "boolean" then http.fail(400, name .. " must be true or false") end
  end
  return body, list
end

-- The least version that an answer may have.
local function least_of(self, body, name, turn)
  local least = http.whole(body, "least", 0, 2 ^ 53) or -1
  if body.fresh then
    local head, why = ask_head(self, name, turn)
    if head == nil then head, why = ask_head(self, name, turn) end
    if head == nil then http.fail(503, "etcd did not tell the newest version: " .. tostring(why), "stale") end
    if head == false then http.fail(404, ("there is no map %q"):format(name), "no map") end
    return math.max(least, head)
  end
  if not body.stale and asking.silence(self.board) > asking.SILENCE then
    self:count "astar_stale_total"
    http.fail(503, "this instance has not heard of etcd for a second", "stale")
  end
  return least
end

-- Has the map that was asked least recently forget its finders, until what is derived of all maps is within a limit.
local function make_room(self, map)
  local bytes, others = 0, {}
  for _, other in pairs(self.all()) do
    bytes = bytes + other.object:bytes()
    if other ~= map and other.finder_count > 0 then others[#others + 1] = other end
  end
  if bytes <= self.limits.all_bytes then return end
  table.sort(others, function(a, b) return (a.asked or 0) < (b.asked or 0) end)
  for _, other in ipairs(others) do
    if bytes <= self.limits.all_bytes then break end
    bytes = bytes - other.object:bytes()
    other:forget_finders()
  end
end

local function context_of(self, turn, deadline)
  local context = { limits = self.limits, deadline = deadline, clock = http.now }
  function context.left()
    return math.max(0.1, self.limits.slice - (http.now() - turn.began) * 1000)
  end
  -- Whether a map that the query reads was edited since it began.
  function context.is_moved()
    for map, stamp in pairs(context.watched or {}) do
      if map:stamp() ~= stamp then return true end
    end
    return false
  end
  function context.pause()
    self.fair:pause(turn)
    if context.is_moved() then error(MOVED, 0) end
  end
  function context.check_memory(map)
    local bytes = map.object:bytes()
    if bytes > self.limits.bytes then
      local most = self.limits.bytes
      http.fail(429, ("map %q has %d bytes derived of it, %d at most"):format(map.name, bytes, most), "memory")
    end
    make_room(self, map)
  end
  function context.find_map(name, least)
    return wait_for(self, http.name(name, "a map's name"), least or 0, turn, deadline)
  end
  return context
end

local MOST_AT_ONCE = 500 -- entries of a list that are encoded between two looks at the clock

-- The JSON of a list, the long ones in parts.
local function encode_list(list, pause)
  if #list == 0 then return "[]" end
  if #list <= MOST_AT_ONCE then return http.encode(list) end
  local parts = {}
  for first = 1, #list, MOST_AT_ONCE do
    local part = table.move(list, first, math.min(#list, first + MOST_AT_ONCE - 1), 1, {})
    parts[#parts + 1] = http.encode(part):sub(2, -2)
    pause()
  end
  return "[" .. table.concat(parts, ",") .. "]"
end

-- Whether an answer is encoded in one go: it is short, and has no empty list, which would become an object.
local function is_short(answer)
  for _, value in pairs(answer) do
    if type(value) == "table" and (#value == 0 or #value > MOST_AT_ONCE) then return false end
  end
  return true
end

-- The JSON of an answer.
local function encode_answer(answer, pause)
  if is_short(answer) then return http.encode(answer) end
  local parts = {}
  for name, value in pairs(answer) do
    local text = type(value) == "table" and encode_list(value, pause) or http.encode(value)
    parts[#parts + 1] = ('"%s":%s'):format(name, text)
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function tell_slow(self, applet, name, body, took)
  self:count "astar_slow_total"
  local kind
  local first = body.questions[1] -- anything that JSON can hold
  for key in pairs(type(first) == "table" and first or {}) do kind = kind or key end
  core.log(core.debug, http.encode {
    slow_ms = math.floor(took * 1000), map = name, client = http.client(applet), questions = #body.questions,
    first = tostring(kind):sub(1, 40),
  })
end

local BUCKETS = { 0.001, 0.005, 0.025, 0.1, 0.5 }

function Asking:time(took)
  self:count "astar_request_seconds_count"
  self:count("astar_request_seconds_sum", took)
  for _, most in ipairs(BUCKETS) do
    if took <= most then self:count(('astar_request_seconds_bucket{le="%g"}'):format(most)) end
  end
  self:count 'astar_request_seconds_bucket{le="+Inf"}'
end

-- The answers to the queries of a request, as JSON, and the least of their versions. A query that fails has its error
-- for an answer.
local function answer_all(self, map, context, list, body, least)
  local parts, size, lowest = {}, 0, math.huge
  for i, question in ipairs(list) do
    local ok, answer = true, { reason = "timeout", version = map:version_of(map:stamp()) }
    if http.now() <= context.deadline then
      ok, answer = pcall(answer_one, self, map, context, question, body.finder, least)
    end
    if not ok then
      if type(answer) ~= "string" then error(answer, 0) end
      self:count "astar_errors_total"
      answer = { error = http.plain_text(answer), version = map:version_of(map:stamp()) }
    end
    lowest = math.min(lowest, answer.version)
    parts[i] = encode_answer(answer, context.pause)
    size = size + #parts[i]
    if size > self.limits.answers then
      http.fail(413, ("the answers of a request hold at most %d bytes: ask for less at a time"):format(
        self.limits.answers))
    end
    context.pause()
  end
  self:count("astar_questions_total", #list)
  return ('{"version":%d,"answers":[%s]}'):format(lowest, table.concat(parts, ",")), body
end

-- POST /v1/maps/NAME/questions
function Asking:handle(applet, text)
  local name = applet.path:match "^/v1/maps/([^/]+)/questions$"
  http.name(name, "a map's name")
  http.parameters(applet, {})
  local began = http.now()
  local turn = self.fair:enter(http.client(applet))
  local ok, answer, body = pcall(function()
    local body, list = read_request(self, text)
    local deadline = began + self.limits.ms / 1000
    local patience = http.whole(body, "wait", 0, 5000, 1000) / 1000
    local least = least_of(self, body, name, turn)
    local map = wait_for(self, name, least, turn, began + patience)
    if not map.is_ready then http.fail(503, "the map is being made ready", "loading") end
    return answer_all(self, map, context_of(self, turn, deadline), list, body, least)
  end)
  self.fair:leave(turn)
  local took = http.now() - began
  self:time(took)
  if ok and took * 1000 > self.limits.slow then tell_slow(self, applet, name, body, took) end
  if not ok then error(answer, 0) end
  return answer
end

return asking
