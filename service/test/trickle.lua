-- trickle.lua -- a proxy before an etcd, which sends answers to some calls a byte at a time: lua5.3 trickle.lua HOST
-- PORT UPSTREAM KEY [DELAY]. The calls are those for a key, in base64, that begins with KEY; all other calls pass. It
-- prints "closed" each time that a client has had enough. With DELAY it sends the whole answer so many seconds later.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local http = require "http"
local loop = require "loop"
local mime = require "mime"
local socket = require "socket"

local HOST, PORT, UPSTREAM, KEY = arg[1], tonumber(arg[2]), tonumber(arg[3]), arg[4]
local DELAY = tonumber(arg[5])
local PAUSE = 0.2 -- seconds between two bytes: less than the timeout of one read

local function is_slow(head, body)
  local key = head:find("/v3/kv/range", 1, true) and body:match '"key":"([^"]*)"'
  return key and (mime.unb64((key:gsub("\\/", "/"))) or ""):sub(1, #KEY) == KEY
end

local function trickle(connection, upstream)
  local bytes = upstream:take_until("\0", loop.now() + 5) or upstream.buffer -- all until the end of the connection
  for at = 1, #bytes do
    if not connection:send(bytes:sub(at, at), loop.now() + 1) then break end
    if loop.readable(connection.sock, loop.now() + PAUSE) then break end -- the client has closed
  end
  print "closed"
  io.flush()
end

local function copy(from, to)
  while true do
    if #from.buffer > 0 then
      if not to:send(from.buffer, loop.now() + 5) then return end
      from.buffer = ""
    end
    local data, why, partial = from.sock:receive(65536)
    data = data or partial
    if data and #data > 0 then
      from.buffer = data
    elseif why ~= "timeout" then
      return
    else
      loop.readable(from.sock, loop.now() + 60)
    end
  end
end

local function serve(connection)
  local till = loop.now() + 10
  local head = connection:take_until("\r\n\r\n", till)
  local body = head and connection:take(tonumber(head:lower():match "content%-length: (%d+)" or 0), till)
  local upstream = body and http.connect(HOST, UPSTREAM, 2)
  if upstream and upstream:send(head .. "\r\n\r\n" .. body, till) then
    local its_slow = is_slow(head, body)
    if its_slow and DELAY then loop.sleep(DELAY) end
    if its_slow and not DELAY then trickle(connection, upstream) else copy(upstream, connection) end
    upstream:close()
  end
  connection:close()
end

local server = assert(socket.bind(HOST, PORT))
server:settimeout(0)
loop.run(function()
  while true do
    loop.readable(server)
    local sock = server:accept()
    if sock then
      sock:settimeout(0)
      loop.spawn(serve, setmetatable({ sock = sock, buffer = "" }, http.Connection))
    end
  end
end)
