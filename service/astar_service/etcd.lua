-- etcd.lua -- etcd's JSON gateway over HAProxy's sockets: calls and streams.
--
-- A call goes to one endpoint, first of all the nearest, and to the next where that does not answer; who calls knows
-- by his own compares whether what got no answer was done.
--
-- Each call has a connection of its own: one that is kept longer than its timeout loses a wakeup each time that is
-- over (HAProxy 2.6.12), and the call waits for the next. For the same reason an answer should fit one of HAProxy's
-- buffers, tune.bufsize: each time one is full the rest comes a timeout later.

-- The timeout of a socket bounds each wait for bytes, not the whole call: an etcd that sends a few bytes now and then
-- would hold a call for ever. So one task closes each socket whose call has taken longer than its total limit, and
-- the call ends as one that got no answer.

local json = require "cjson"
local mime = require "mime.core"

local etcd = {}

local Etcd = {}
Etcd.__index = Etcd

-- Tokens of etcd's by its users, for all calls of this Lua state: each costs etcd a tenth of a second.
local tokens = {}

local TOTAL, LOOK = 3, 0.25 -- seconds: the total limit of a call, and between two looks at the calls in progress

local deadlines = {} -- of the sockets whose calls are in progress

core.register_task(function()
  while true do
    core.msleep(LOOK * 1000)
    local now = core.now().sec
    for socket, deadline in pairs(deadlines) do
      if now > deadline then
        deadlines[socket] = nil
        pcall(socket.close, socket)
      end
    end
  end
end)

function etcd.encode(text) return (mime.b64(text)) or "" end

function etcd.decode(text) return text and (mime.unb64(text)) or "" end

-- options: endpoints = { "host:port", ... }, user =, password =, timeout = seconds that a call waits for bytes (0.5),
-- total = seconds that a call takes in all (3).
function etcd.new(options)
  local endpoints = {}
  for i, endpoint in ipairs(options.endpoints) do
    local host, port = endpoint:match "^(.*):(%d+)$"
    if not host then error("an endpoint is host:port, got " .. tostring(endpoint)) end
    endpoints[i] = { host = host, port = tonumber(port), name = endpoint }
  end
  return setmetatable({
    endpoints = endpoints, at = 1, timeout = options.timeout or 0.5, total = options.total or TOTAL,
    user = options.user or "", password = options.password,
  }, Etcd)
end

-- The next calls go to another endpoint; after some seconds to the first again.
function Etcd:turn()
  self.at = self.at % #self.endpoints + 1
  self.back = core.now().sec + 5
end

local function endpoint_of(self)
  if self.at ~= 1 and core.now().sec >= self.back then self.at = 1 end
  return self.endpoints[self.at]
end

local function connect(endpoint, timeout)
  local socket = core.tcp()
  socket:settimeout(timeout)
  if not socket:connect(endpoint.host, endpoint.port) then return nil end
  return socket
end

local function request_of(self, endpoint, path, body)
  return table.concat {
    "POST ", path, " HTTP/1.1\r\nHost: ", endpoint.name, "\r\nContent-Type: application/json\r\nConnection: close\r\n",
    tokens[self.user] and "Authorization: " .. tokens[self.user] .. "\r\n" or "",
    "Content-Length: ", #body, "\r\n\r\n", body,
  }
end

-- The status and headers of an answer; nil where the connection ended.
local function receive_head(socket)
  local line = socket:receive "*l"
  local status = line and tonumber(line:match "^HTTP/1%.[01] (%d%d%d)")
  if not status then return nil end
  local headers = {}
  repeat
    line = socket:receive "*l"
    if not line then return nil end
    local name, value = line:match "^([^:]+):%s*(.-)%s*$"
    if name then headers[name:lower()] = value end
  until line == ""
  return status, headers
end

-- One chunk of a body, "" at its end; nil where the connection ended.
local function receive_chunk(socket)
  local line = socket:receive "*l"
  local size = line and tonumber(line:match "^%x+", 16)
  if not size then return nil end
  local data = size > 0 and socket:receive(size) or ""
  if not data or not socket:receive "*l" then return nil end
  return data
end

local function receive_body(socket, headers)
  local size = tonumber(headers["content-length"])
  if size then return size > 0 and socket:receive(size) or "" end
  local parts = {}
  repeat
    local chunk = receive_chunk(socket)
    if not chunk then return nil end
    parts[#parts + 1] = chunk
  until chunk == ""
  return table.concat(parts)
end

-- What an error of etcd's means here.
local function reason_of(text)
  if text:find "space exceeded" then return "nospace" end
  if text:find "compacted" then return "compacted" end
  if text:find "invalid auth token" or text:find "user name is empty" then return "token" end
  if text:find "too large" or text:find "too many operations" or text:find "trying to send message larger" then
    return "too large"
  end
  return text
end

local function exchange(self, path, text)
  local endpoint = endpoint_of(self)
  local socket = connect(endpoint, self.timeout)
  if not socket then return nil, "unavailable" end
  deadlines[socket] = core.now().sec + self.total
  local status, headers, body
  if socket:send(request_of(self, endpoint, path, text)) then status, headers = receive_head(socket) end
  if status then body = receive_body(socket, headers) end
  deadlines[socket] = nil
  pcall(socket.close, socket) -- the socket may be closed already, because the total limit was over
  local ok, answer = pcall(json.decode, body or "")
  if not ok or type(answer) ~= "table" then return nil, "unavailable" end
  if status == 200 then return answer end
  return nil, reason_of(tostring(answer.error or answer.message or status))
end

local function authenticate(self)
  tokens[self.user] = nil
  local answer, why = exchange(self, "/v3/auth/authenticate",
    json.encode { name = self.user, password = self.password })
  tokens[self.user] = answer and answer.token
  return tokens[self.user], why
end

-- A call of the gateway: its answer, or nil and "unavailable", "nospace", "compacted", "too large" or etcd's words.
function Etcd:call(path, body)
  local text = json.encode(body)
  if self.user ~= "" and not tokens[self.user] and not authenticate(self) then
    self:turn()
    return nil, "unavailable"
  end
  local answer, why = exchange(self, path, text)
  if why == "token" and self.user ~= "" and authenticate(self) then answer, why = exchange(self, path, text) end
  local is_known = why == "nospace" or why == "compacted" or why == "too large"
  if not answer and not is_known then self:turn() end
  return answer, why
end

-- Streams the answers of a call to on_message(table) until that returns false, or nothing came for `silence` seconds,
-- or the connection ends. Returns whether the stream had begun.
function Etcd:stream(path, body, silence, on_message)
  if self.user ~= "" and not tokens[self.user] and not authenticate(self) then return false end
  local endpoint = endpoint_of(self)
  local socket = connect(endpoint, silence)
  if not socket then return false end
  local has_begun = false
  self.streaming = socket
  if socket:send(request_of(self, endpoint, path, json.encode(body))) then
    local status = receive_head(socket)
    local rest = ""
    while status == 200 do
      local chunk = receive_chunk(socket)
      if not chunk or chunk == "" then break end
      socket:settimeout(silence) -- else the first timeout passes in the midst of what comes, see above
      rest = rest .. chunk
      local ended = false
      while true do -- a message is a line; it may come in several chunks
        local line, after = rest:match "^([^\n]*)\n(.*)$"
        if not line then break end
        rest = after
        local ok, message = pcall(json.decode, line)
        if ok and message.error then tokens[self.user] = nil end
        has_begun = has_begun or ok and not message.error
        if not ok or message.error or on_message(message) == false then ended = true break end
      end
      if ended then break end
    end
  end
  self.streaming = nil
  pcall(socket.close, socket) -- hang_up may have closed the socket
  return has_begun
end

-- Ends the stream that is open.
function Etcd:hang_up()
  if self.streaming then pcall(self.streaming.close, self.streaming) end
end

return etcd
