-- client.lua -- asks the service and edits its maps from any Lua with LuaSocket and lua-cjson; https by lua-sec.
--
-- A client never sees a map go back: it asks for at least the newest version it has seen, its own edits included. A
-- query changes nothing and is asked again elsewhere at will; an edit is sent again under its own number, and the
-- service does it once.

local json = require "cjson"
local socket = require "socket"

local client = {}

local Client = {}
Client.__index = Client

-- A name that no other client has.
local function new_name()
  local file = io.open("/dev/urandom", "rb")
  local bytes = file and file:read(12) or tostring({}) .. socket.gettime()
  if file then file:close() end
  return (bytes:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end):sub(1, 48))
end

local function parse(url)
  local scheme, host, port = url:match "^(https?)://([^:/]+):?(%d*)/?$"
  if not scheme then error(("a URL is http://host:port, got %q"):format(tostring(url)), 3) end
  return { host = host, port = tonumber(port) or (scheme == "https" and 443 or 80), is_tls = scheme == "https" }
end

-- options: urls = { "http://host:port", ... }, token =, timeout = seconds for a request (2), patience = seconds until
-- what nobody answers is given up (10), tls = what lua-sec's ssl.wrap takes, such as { cafile = }.
function client.new(options)
  local self = setmetatable({
    name = new_name(), number = 0, seen = {}, made = {}, turn = 0, retries = 0, instances = {}, token = options.token,
    timeout = options.timeout or 2, patience = options.patience or 10, tls = options.tls or {},
  }, Client)
  for i, url in ipairs(options.urls) do self.instances[i] = parse(url) end
  return self
end

function Client:close()
  for _, instance in ipairs(self.instances) do
    if instance.socket then instance.socket:close() end
    instance.socket = nil
  end
end

-- ---- HTTP ----

local function connect(self, instance)
  local plain = socket.tcp()
  plain:settimeout(self.timeout)
  if not plain:connect(instance.host, instance.port) then return nil end
  plain:setoption("tcp-nodelay", true)
  if not instance.is_tls then return plain end
  local parameters = { mode = "client", protocol = "any", verify = "peer", options = "all" }
  for name, value in pairs(self.tls) do parameters[name] = value end
  local secure = assert(require("ssl").wrap(plain, parameters))
  secure:settimeout(self.timeout)
  if secure.sni then secure:sni(instance.host) end
  if not secure:dohandshake() then return nil end
  return secure
end

local function send(self, instance, method, path, body)
  local text = body and json.encode(body) or ""
  local request = table.concat {
    method, " ", path, " HTTP/1.1\r\nHost: ", instance.host, "\r\nAuthorization: Bearer ", self.token or "",
    "\r\nContent-Length: ", #text, "\r\n\r\n", text,
  }
  for _ = 1, 2 do -- one that was kept may have been closed meanwhile
    local was_kept = instance.socket ~= nil
    instance.socket = instance.socket or connect(self, instance)
    if not instance.socket then return false end
    if instance.socket:send(request) == #request then return true, was_kept end
    instance.socket:close()
    instance.socket = nil
  end
  return false
end

-- The status and the answer; nil where none came.
local function receive(instance)
  local from = instance.socket
  local line = from:receive "*l"
  local status = line and tonumber(line:match "^HTTP/1%.%d (%d+)")
  local size = 0
  while status and line ~= "" do
    line = from:receive "*l"
    if not line then status = nil break end
    size = tonumber(line:lower():match "^content%-length:%s*(%d+)") or size
  end
  local text = status and (size > 0 and from:receive(size) or "")
  local ok, answer = pcall(json.decode, text or "")
  if ok and type(answer) == "table" then return status, answer end
  from:close()
  instance.socket = nil
end

local function call(self, instance, method, path, body)
  local was_sent, was_kept = send(self, instance, method, path, body)
  local status, answer
  if was_sent then status, answer = receive(instance) end
  if was_sent and not status and was_kept and send(self, instance, method, path, body) then
    status, answer = receive(instance)
  end
  return status, answer
end

local function may_try_again(status)
  return not status or status == 429 or status >= 500
end

-- Refusals that say for certain that nothing was done.
local REFUSALS = { busy = true, loading = true, nospace = true, stale = true }

-- Calls one instance after another until one answers. Its answer; or nil, what is wrong, the reason, and whether a try
-- may have been carried out all the same. A final refusal without a reason of its own has the reason "refused".
local function call_any(self, method, path, body)
  local till, why, reason = socket.gettime() + self.patience, "no instance of the service answers", nil
  local may_be_done = false
  repeat
    for _ = 1, #self.instances do
      self.turn = self.turn % #self.instances + 1
      local status, answer = call(self, self.instances[self.turn], method, path, body)
      if not may_try_again(status) then
        if status < 300 then return answer end
        return nil, answer.error, answer.reason or "refused", false
      end
      if answer then why, reason = answer.error, answer.reason end
      if status ~= 429 and not (answer and REFUSALS[answer.reason]) then may_be_done = true end
      self.retries = self.retries + 1
    end
    socket.sleep(0.02)
  until socket.gettime() > till
  return nil, why, reason, may_be_done
end

local function note(self, map, version)
  if version and version > (self.seen[map] or -1) then self.seen[map] = version end
end

-- ---- maps ----

-- Makes a map: { drawing =, options = }, { width =, height =, options = }, { dump = in base64 } or { graph = in
-- base64 }. Its version; nil and why.
function Client:make(map, what)
  local answer, why, reason = call_any(self, "PUT", "/v1/maps/" .. map, what)
  if not answer then return nil, why, reason end
  note(self, map, answer.version)
  self.made[map] = answer.made
  return answer.version
end

-- Drops it; one that this client made, not one of its name that others have made since.
function Client:drop(map)
  local made = self.made[map]
  local answer, why, reason = call_any(self, "DELETE", "/v1/maps/" .. map .. (made and "?made=" .. made or ""))
  self.seen[map], self.made[map] = nil, nil
  return answer and answer.version, why, reason
end

-- A list of { name =, version =, width =, height =, kind = }.
function Client:maps()
  local answer, why, reason = call_any(self, "GET", "/v1/maps")
  return answer and answer.maps, why, reason
end

-- ---- edits ----

-- Edits a map: one edit such as { "set", x, y, key }, or a list of them, done together or not at all. The version that
-- holds them; or nil, what is wrong, and the reason. By "unknown" nobody knows whether they were done; by any other
-- reason they were not.
function Client:edit(map, edits)
  if type(edits[1]) ~= "table" then edits = { edits } end
  self.number = self.number + 1
  local answer, why, reason, may_be_done = call_any(self, "POST", "/v1/maps/" .. map .. "/edits",
    { client = self.name, request = self.number, since = self.seen[map], edits = edits })
  if not answer then return nil, why, may_be_done and "unknown" or reason end
  note(self, map, answer.version)
  return answer.version
end

-- ---- questions ----

local function request_of(self, map, questions, options)
  local body = { questions = questions, least = self.seen[map] }
  for key, value in pairs(options or {}) do body[key] = value end
  return body
end

-- The answers to a list of questions, { find_path = { sx, sy, gx, gy } }, about one map; nil and why. options: finder
-- =, fresh =, stale =, wait =.
function Client:ask_many(map, questions, options)
  local answer, why, reason = call_any(self, "POST", "/v1/maps/" .. map .. "/questions",
    request_of(self, map, questions, options))
  if not answer then return nil, why, reason end
  note(self, map, answer.version)
  return answer.answers
end

-- The answer to one.
function Client:ask(map, question, options)
  local answers, why, reason = self:ask_many(map, { question }, options)
  if not answers then return nil, why, reason end
  return answers[1]
end

-- { cost =, points = { x1, y1, ... }, version = }, or nil and the reason, as finder:find_path has them.
function Client:find_path(map, sx, sy, gx, gy, options)
  local answer, why, reason = self:ask(map, { find_path = { sx, sy, gx, gy } }, options)
  if not answer then return nil, reason or why end
  if answer.error then error(answer.error, 2) end
  if answer.reason then return nil, answer.reason end
  return answer
end

-- Many requests at once, all instances at work: a list of { map, questions, options }; the list of their answers, in
-- that order, each as ask_many's, or { false, why }.
function Client:ask_at_once(list)
  local all, count = {}, #self.instances
  for first = 1, #list, count do
    local was_sent = {}
    for i = first, math.min(first + count - 1, #list) do
      local map, questions, options = list[i][1], list[i][2], list[i][3]
      was_sent[i] = send(self, self.instances[i - first + 1], "POST", "/v1/maps/" .. map .. "/questions",
        request_of(self, map, questions, options))
    end
    for i = first, math.min(first + count - 1, #list) do
      local status, answer
      if was_sent[i] then status, answer = receive(self.instances[i - first + 1]) end
      if status == 200 then
        note(self, list[i][1], answer.version)
        all[i] = answer.answers
      else
        self.retries = self.retries + 1
        local answers, why = self:ask_many(list[i][1], list[i][2], list[i][3])
        all[i] = answers or { false, why }
      end
    end
  end
  return all
end

return client
