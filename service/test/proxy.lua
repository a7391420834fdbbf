-- proxy.lua -- a server that lies: lua5.3 proxy.lua PORT HOST UPSTREAM KIND AFTER. It hands requests on to an instance,
-- and after so many of the kind concerned does one thing wrong, once every AFTER of them:
--   lost     answers an edit, with the version it would have had, and does not hand it on
--   doubled  hands an edit on a second time, under another client's name
--   stale    answers a question that asked `fresh` with an answer of before
--   none     nothing, which shows that the proxy itself is none of the faults
-- The test of the checker puts it in front of a real instance.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local cjson = require "cjson"
local http = require "http"
local loop = require "loop"
local socket = require "socket"

local PORT, HOST, UPSTREAM, KIND, AFTER = tonumber(arg[1]), arg[2], tonumber(arg[3]), arg[4], tonumber(arg[5])

local count, versions, old = 0, {}, {}

local function is_due()
  count = count + 1
  return count % AFTER == 0
end

-- What a request is to the faults: "edits" or "questions" of which map.
local function kind_of(request)
  local map, what = request.path:match "^/v1/maps/([^/]+)/(%a+)$"
  return request.method == "POST" and what, map
end

local function hand_on(upstream, request, body)
  return upstream:request(request.method, request.path, { Authorization = request.headers.authorization,
    ["Content-Type"] = "application/json" }, body or request.body, 10)
end

local LIES = {}

function LIES.lost(_, request)
  local what, map = kind_of(request)
  if what ~= "edits" or not versions[map] or not is_due() then return end
  versions[map] = versions[map] + 1
  return 200, cjson.encode { version = versions[map] }
end

function LIES.doubled(upstream, request)
  if kind_of(request) ~= "edits" or not is_due() then return end
  local again = cjson.decode(request.body)
  again.client = again.client .. "-again"
  hand_on(upstream, request, cjson.encode(again))
end

function LIES.stale(_, request)
  local what, map = kind_of(request)
  if what ~= "questions" then return end
  local body = cjson.decode(request.body)
  local known = old[map .. cjson.encode(body.questions)]
  if body.fresh and not body.least and known and known.version < (versions[map] or 0) and is_due() then
    return 200, known.text
  end
end

function LIES.none() end

local function learn(request, status, text)
  local what, map = kind_of(request)
  local answer = status == 200 and http.json(text)
  if not answer then return end
  if what == "edits" then versions[map] = math.max(versions[map] or 0, answer.version) end
  if what == "questions" then
    local key = map .. cjson.encode(cjson.decode(request.body).questions)
    old[key] = old[key] or { version = answer.version, text = text }
  end
end

local function read_request(connection)
  local till = loop.now() + 60
  local head = connection:take_until("\r\n\r\n", till)
  if not head then return nil end
  local request = { headers = {} }
  request.method, request.path = head:match "^(%u+) (%S+)"
  for name, value in head:gmatch "\r\n([^:\r\n]+):[ \t]*([^\r\n]*)" do request.headers[name:lower()] = value end
  request.body = connection:take(tonumber(request.headers["content-length"] or 0), till)
  return request.body and request
end

local function serve(connection)
  local upstream = http.connect(HOST, UPSTREAM, 2)
  while upstream and upstream.sock do
    local request = read_request(connection)
    if not request then break end
    local status, text = LIES[KIND](upstream, request)
    if not status then
      status, text = hand_on(upstream, request)
      if not status then break end
      learn(request, status, text)
    end
    local head = "HTTP/1.1 %d so\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    if not connection:send(head:format(status, #text) .. text, loop.now() + 5) then break end
  end
  if upstream then upstream:close() end
  connection:close()
end

local server = assert(socket.bind("127.0.0.1", PORT))
server:settimeout(0)
loop.run(function()
  while true do
    loop.readable(server)
    local sock = server:accept()
    if sock then
      sock:settimeout(0)
      sock:setoption("tcp-nodelay", true)
      loop.spawn(serve, setmetatable({ sock = sock, buffer = "" }, http.Connection))
    end
  end
end)
