-- http.lua -- a plain HTTP/1.1 client on the loop: what is sent can be any bytes, for the tests also send what no
-- client should.

local cjson = require "cjson"
local loop = require "loop"
local socket = require "socket"

local http = {}

local Connection = {}
http.Connection = Connection
Connection.__index = Connection

local function connect(sock, host, port, till)
  sock:settimeout(0)
  local ok, why = sock:connect(host, port)
  if ok then return true end
  if why ~= "timeout" and why ~= "Operation already in progress" then return nil, why end
  if not loop.writable(sock, till) then return nil, "timeout" end
  ok, why = sock:connect(host, port) -- tells how it went
  if ok or why == "already connected" then return true end
  return nil, why
end

-- A connection to `host:port`; nil and the reason within so many seconds.
function http.connect(host, port, seconds)
  local sock = assert(socket.tcp())
  local ok, why = connect(sock, host, port, loop.now() + (seconds or 2))
  if not ok then
    sock:close()
    return nil, why
  end
  sock:setoption("tcp-nodelay", true)
  return setmetatable({ sock = sock, buffer = "" }, Connection)
end

function Connection:close()
  if self.sock then self.sock:close() end
  self.sock = nil
end

-- Sends all of `bytes`; nil and the reason when that fails before `till`.
function Connection:send(bytes, till)
  local at = 1
  while at <= #bytes do
    local last, why, partial = self.sock:send(bytes, at)
    at = (last or partial or at - 1) + 1
    if not last then
      if why ~= "timeout" then return nil, why end
      if not loop.writable(self.sock, till) then return nil, "timeout" end
    end
  end
  return true
end

-- Adds what has come to the buffer.
local function fill(self, till)
  local data, why, partial = self.sock:receive(65536)
  data = data or partial
  if data and #data > 0 then
    self.buffer = self.buffer .. data
    return true
  end
  if why ~= "timeout" then return nil, why end
  if not loop.readable(self.sock, till) then return nil, "timeout" end
  return true
end

function Connection:take_until(mark, till)
  while true do
    local first, last = self.buffer:find(mark, 1, true)
    if first then
      local text = self.buffer:sub(1, first - 1)
      self.buffer = self.buffer:sub(last + 1)
      return text
    end
    local ok, why = fill(self, till)
    if not ok then return nil, why end
  end
end

function Connection:take(count, till)
  while #self.buffer < count do
    local ok, why = fill(self, till)
    if not ok then return nil, why end
  end
  local text = self.buffer:sub(1, count)
  self.buffer = self.buffer:sub(count + 1)
  return text
end

local function take_chunks(self, till)
  local parts = {}
  while true do
    local line, why = self:take_until("\r\n", till)
    if not line then return nil, why end
    local size = tonumber(line:match "^%x+", 16)
    if not size then return nil, "a chunk without a size" end
    local part
    part, why = self:take(size + 2, till)
    if not part then return nil, why end
    if size == 0 then return table.concat(parts) end
    parts[#parts + 1] = part:sub(1, -3)
  end
end

local function take_all(self, till)
  repeat
    local ok, why = fill(self, till)
    if why == "timeout" then return nil, why end
  until not ok
  local text = self.buffer
  self.buffer = ""
  return text
end

local function take_body(self, headers, status, method, till)
  if method == "HEAD" or status == 204 or status == 304 then return "" end
  if (headers["transfer-encoding"] or ""):find "chunked" then return take_chunks(self, till) end
  local length = tonumber(headers["content-length"])
  if length then return self:take(length, till) end
  return take_all(self, till)
end

-- Reads one answer: status, body, headers; or nil and the reason.
function Connection:answer(till, method)
  local head, why = self:take_until("\r\n\r\n", till)
  if not head then return nil, why end
  local status = tonumber(head:match "^HTTP/1%.%d (%d%d%d)")
  if not status then return nil, "no status" end
  local headers = {}
  for name, value in head:gmatch "\r\n([^:\r\n]+):[ \t]*([^\r\n]*)" do headers[name:lower()] = value end
  local body
  body, why = take_body(self, headers, status, method, till)
  if not body then return nil, why end
  if (headers.connection or ""):lower() == "close" then self:close() end
  return status, body, headers
end

-- The bytes of a request. `headers` is a table; what it says of a length stands.
function http.bytes(method, path, headers, body)
  local lines = { ("%s %s HTTP/1.1"):format(method, path), "Host: astar" }
  for name, value in pairs(headers or {}) do lines[#lines + 1] = name .. ": " .. value end
  if body then lines[#lines + 1] = "Content-Length: " .. #body end
  return table.concat(lines, "\r\n") .. "\r\n\r\n" .. (body or "")
end

-- Asks and reads the answer: status, body, headers; or nil and the reason, and the connection is closed.
function Connection:request(method, path, headers, body, seconds)
  local till = loop.now() + (seconds or 5)
  local ok, why = self:send(http.bytes(method, path, headers, body), till)
  local status, text, answered = nil, why, nil
  if ok then status, text, answered = self:answer(till, method) end
  if not status then self:close() end
  return status, text, answered
end

-- The JSON of an answer, or nil.
function http.json(text)
  local ok, value = pcall(cjson.decode, text)
  if ok then return value end
end

return http
