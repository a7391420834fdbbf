-- http.lua -- requests that HAProxy hands to Lua as tables, and answers as JSON.
--
-- What is wrong with a request is raised by http.fail wherever it is found, and answered here: always JSON, never a
-- line of ours. A defect of ours is answered by 500 and told in the log.

local json = require "cjson"
local socket = require "socket.core"

json.encode_sparse_array(true)
json.decode_max_depth(16)
json.decode_invalid_numbers(false)
json.encode_number_precision(14)

local http = {}

local round, began = 0, 0

-- Seconds by HAProxy's clock, which no change of the system's moves. It stands while Lua runs: what passes then is
-- added.
function http.now()
  local now = core.now()
  local seconds = now.sec + now.usec / 1e6
  if seconds ~= round then round, began = seconds, socket.gettime() end
  local passed = socket.gettime() - began
  return seconds + (passed > 0 and passed < 1 and passed or 0)
end

-- A moment, and how long ago one was: as long as either clock says. HAProxy's takes a pause of the process, or of the
-- machine, for a change of the clock, and leaves it out; the system's may be changed, and what it says was in the
-- future is long ago.
function http.moment() return { now = http.now(), wall = socket.gettime() } end

function http.age(moment)
  local passed = socket.gettime() - moment.wall
  return passed < 0 and math.huge or math.max(passed, http.now() - moment.now)
end

http.encode = json.encode

local Failure = {}

-- Whether a text is UTF-8 as JSON wants it: Lua also takes surrogates, and numbers above U+10FFFF.
function http.is_utf8(text)
  return utf8.len(text) ~= nil and not text:find "\237[\160-\191]" and not text:find "[\245-\253]"
    and not text:find "\244[\144-\191]"
end

-- Returns a message for a client or the log: UTF-8, without the files and lines of ours where errors were raised. A
-- message may quote a part of a text that was cut within a character.
function http.plain_text(message)
  message = tostring(message):gsub("[%w_./%-]+%.lua:%d+: ", ""):gsub('%[string "[^"]*"%]:%d+: ', "")
  if http.is_utf8(message) then return message end
  return (message:gsub("[\128-\255]", "?"))
end

-- Counts of this Lua state, by the name of a metric: see /metrics in docs/service.md.
http.counts = {}

function http.count(name, by)
  http.counts[name] = (http.counts[name] or 0) + (by or 1)
end

-- Ends the request with this status and { error = message, reason =, ... }.
function http.fail(status, message, reason, more)
  local failure = { error = http.plain_text(message), reason = reason }
  for key, value in pairs(more or {}) do failure[key] = value end
  error(setmetatable({ status = status, answer = failure }, Failure), 0)
end

function http.is_failure(value)
  return getmetatable(value) == Failure
end

-- A request's body as a table.
function http.parse(text)
  if not http.is_utf8(text) then http.fail(400, "the body must be JSON in UTF-8") end
  local ok, body = pcall(json.decode, text)
  if not ok or type(body) ~= "table" then http.fail(400, "the body must be a JSON object") end
  return body
end

-- Raises unless a request has no other fields than these.
function http.check_fields(body, names)
  for key in pairs(body) do
    if not names[key] then http.fail(400, ("unknown field %q"):format(tostring(key))) end
  end
end

-- An integer of a request, `default` where it is not there.
function http.whole(body, name, least, most, default)
  local value = body[name]
  if value == nil then value = default end
  if value == nil and default == nil then return nil end
  if type(value) ~= "number" or value % 1 ~= 0 or value < least or value > most then
    http.fail(400, ("%s must be an integer from %.0f to %.0f"):format(name, least, most))
  end
  return math.tointeger(value)
end

-- The parameters of a request's address, by name. `patterns` holds, for each name that the path takes, the pattern of
-- its value. Everything else is refused: a condition that is misspelt must not count as none.
function http.parameters(applet, patterns)
  local found, text = {}, applet.qs or ""
  if text == "" then return found end
  for part in (text .. "&"):gmatch "([^&]*)&" do
    local name, value = part:match "^([^=]*)=(.*)$"
    local pattern = patterns[name or ""]
    if not pattern or found[name] or not value:find(pattern) then
      http.fail(400, ("the parameter %q is unknown here, invalid, or there twice"):format(part:sub(1, 40)))
    end
    found[name] = value
  end
  return found
end

-- A name as maps and clients have: nothing in it means anything to a key, a path or a log.
function http.name(value, what)
  if type(value) ~= "string" or #value > 64 or not value:find "^[%w_%-][%w_.%-]*$" then
    http.fail(400, what .. " must be 1 to 64 letters, digits, '_', '-' or '.', no '.' first")
  end
  return value
end

-- Returns the name of the client that sends a request, and how many requests of that client are in progress.
-- haproxy.cfg sets both.
function http.client(applet)
  return applet:get_var "txn.client" or "?", tonumber(applet:get_var "txn.load") or 1
end

-- ---- answers that are being sent ----

-- An answer stays in memory until the client has read it. So a thread counts the bytes of the long answers that it is
-- sending, in all and for each client. HAProxy never resumes the coroutine of a client that has left: its bytes are
-- taken off the count when Lua's collector frees the ticket.
local LONG, MOST_SENDING, MOST_OF_ONE = 2 ^ 16, 2 ^ 28, 2 ^ 26
local sending, sending_to = 0, {}

local function give_back(ticket)
  sending = sending - ticket.bytes
  local rest = sending_to[ticket.client] - ticket.bytes
  sending_to[ticket.client] = rest > 0 and rest or nil
  ticket.bytes = 0
end

local Ticket = { __gc = function(ticket)
  if ticket.bytes > 0 then give_back(ticket) end
end }

-- A ticket for sending a long answer; raises 429 if too much is being sent.
local function take_ticket(client, bytes)
  local theirs = (sending_to[client] or 0) + bytes
  if theirs > MOST_OF_ONE or sending + bytes > MOST_SENDING then
    collectgarbage "step" -- some of it may be that of clients that have left
    http.fail(429, "too much is being sent: read the answers before", "memory")
  end
  sending, sending_to[client] = sending + bytes, theirs
  return setmetatable({ client = client, bytes = bytes }, Ticket)
end

local function send(applet, status, text, kind)
  applet:set_status(status)
  applet:add_header("content-type", kind or "application/json")
  applet:add_header("content-length", tostring(#text))
  if status == 429 or status == 503 then applet:add_header("retry-after", "1") end
  applet:start_response()
  if applet.method ~= "HEAD" then applet:send(text) end
end

-- ---- a process that has just started ----

-- A process that has just started, or that a reload has started, reads the maps for a while. A request that comes in
-- the first seconds waits for that: a refusal would be one more request for its client.
local STARTING, HOLD = 5, 1.5 -- seconds: since the process started, and that one request waits at most

local has_begun, is_starting, started = nil, false, nil

-- Tells which function returns true once all maps were read for the first time.
function http.begin_when(is_begun) has_begun, is_starting = is_begun, true end

local function wait_for_begin()
  if not is_starting then return end
  started = started or http.now()
  local till = math.min(http.now() + HOLD, started + STARTING)
  while is_starting and not has_begun() and http.now() < till do core.msleep(10) end
  if has_begun() or http.now() >= started + STARTING then is_starting = false end
end

-- The answer to a request: a table or a text, its status and its kind of content.
local function answer_to(applet, most, handler)
  -- The body is always received, even if there is none: if HAProxy still holds a part of a request and its client
  -- leaves, HAProxy calls a service that waits for something else over and over, and ends itself when it notices.
  local body = applet:receive(most + 1) or ""
  if #body > most then http.fail(413, ("a body holds at most %d bytes here"):format(most)) end
  wait_for_begin()
  return handler(applet, body)
end

-- Counts a request that was not answered, by its status and its reason.
local function count_refusal(status, reason)
  http.count(('astar_refused_total{status="%d",reason="%s"}'):format(status, reason or ""))
end

-- Registers what the configuration calls lua.NAME. It receives bodies of at most `most` bytes and calls handler(applet,
-- body), which returns a table or a text, a status (200) and its kind of content. Waits of a service come after all
-- other tasks of its thread.
function http.service(name, most, handler)
  core.register_service(name, "http", function(applet)
    core.set_nice(16)
    local ok, answer, status, kind = pcall(answer_to, applet, most, handler)
    if not ok then
      if http.is_failure(answer) then
        answer, status = answer.answer, answer.status
      else
        core.Alert("astar: " .. tostring(answer))
        answer, status = { error = "a defect of the service, see its log" }, 500
      end
    end
    if not ok then count_refusal(status, answer.reason) end
    if type(answer) == "table" then answer = json.encode(answer) end
    local ticket
    if #answer > LONG then
      ok, ticket = pcall(take_ticket, (http.client(applet)), #answer)
      if not ok then
        answer, status, kind = json.encode(ticket.answer), ticket.status, nil
        count_refusal(status, ticket.answer.reason)
      end
    end
    send(applet, status or 200, answer, kind)
    if ticket and ok then give_back(ticket) end
  end)
end

-- Registers services that another thread answers: HAProxy wants each name in every thread.
function http.services_elsewhere(...)
  for _, name in ipairs { ... } do
    http.service(name, 0, function() error(name .. " is not a service of this thread") end)
  end
end

return http
