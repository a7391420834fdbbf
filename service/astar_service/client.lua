-- client.lua -- asks the service and edits its maps, from any Tarantool program: spreads questions over the
-- instances, asks another where one does not answer, and finds who writes.
--
-- A client never sees a map go back: it asks for at least the greatest version it has seen. A question changes
-- nothing and is asked again elsewhere at will; an edit is sent again under its own number, which the service does
-- once.

local clock = require "clock"
local fiber = require "fiber"
local net = require "net.box"
local uuid = require "uuid"

local client = {}

local Client = {}
Client.__index = Client

-- options: uris = { "host:port", ... }, user =, password =, timeout = seconds for a call (1), patience = seconds
-- until an edit or a question that nobody answers is given up (10).
function client.new(options)
  local self = setmetatable({
    name = uuid.str(), number = 0, seen = {}, turn = 0, connections = {}, writer = 1, retries = 0,
    timeout = options.timeout or 1, patience = options.patience or 10, lock = fiber.channel(1),
  }, Client)
  for i, uri in ipairs(options.uris) do
    self.connections[i] = net.connect(uri,
      { user = options.user, password = options.password, reconnect_after = 0.1, wait_connected = false })
  end
  local till = clock.monotonic() + self.timeout
  repeat
    for _, connection in ipairs(self.connections) do
      if connection:is_connected() then return self end
      if connection.error and tostring(connection.error):find "[Pp]assword" then error(connection.error, 2) end
    end
    fiber.sleep(0.01)
  until clock.monotonic() > till
  return self
end

function Client:close()
  for _, connection in ipairs(self.connections) do connection:close() end
end

-- Calls a function of one instance: true and its answer; false and what was wrong with the request; nil where it did
-- not answer, and another may be asked.
local function call(self, i, name, arguments)
  local connection = self.connections[i]
  if not connection:is_connected() then return nil end
  local ok, answer = pcall(connection.call, connection, name, arguments, { timeout = self.timeout })
  if ok then return true, answer end
  local kind = type(answer) == "cdata" and answer.type
  if tostring(answer) == "not ready" then return nil, "not ready" end
  if kind == "LuajitError" or kind == "AccessDeniedError" then return false, tostring(answer) end
  return nil, tostring(answer)
end

-- Asks one instance after another until one answers and `accept` takes it.
local function ask_any(self, name, arguments, accept)
  local till = clock.monotonic() + self.patience
  repeat
    for _ = 1, #self.connections do
      self.turn = self.turn % #self.connections + 1
      local ok, answer = call(self, self.turn, name, arguments)
      if ok == false then error(answer, 0) end
      if ok and accept(answer) then return answer end
      if self.connections[self.turn]:is_connected() then self.retries = self.retries + 1 end
    end
    fiber.sleep(0.005)
  until clock.monotonic() > till
  error("no instance of the service answers", 0)
end

local function note(self, map, version)
  if version and version > (self.seen[map] or -1) then self.seen[map] = version end
end

local function ask_options(self, map, ms)
  return { least = self.seen[map], ms = ms or self.timeout * 800 }
end

-- The ground that a question to a graph names, if any.
local function ground_of(question)
  local options = type(question) == "table" and question[4]
  local ground = type(options) == "table" and options.ground
  return type(ground) == "table" and ground.map ~= nil and ground or nil
end

-- A question that asks for at least the greatest version seen of its ground, too.
local function since_seen(self, question)
  local ground = ground_of(question)
  if not ground or ground.least or not self.seen[ground.map] then return question end
  local options, its = {}, {}
  for key, value in pairs(question[4]) do options[key] = value end
  for key, value in pairs(ground) do its[key] = value end
  options.ground, its.least = its, self.seen[ground.map]
  return { question[1], question[2], question[3], options }
end

local function note_answer(self, map, question, answer)
  note(self, map, answer.version)
  local ground = ground_of(question)
  if ground then note(self, ground.map, answer.ground_version) end
end

local function is_answer(answer)
  return answer.reason ~= "behind"
end

-- The answer to a question as astar_service.core has it: { "find_path", sx, sy, gx, gy, options }.
function Client:ask(map, question, ms)
  local asked = since_seen(self, question)
  local answer = ask_any(self, "astar_ask", { map, asked, ask_options(self, map, ms) }, is_answer)
  note_answer(self, map, question, answer)
  return answer
end

-- The answers to many, by one call.
function Client:ask_many(map, list, ms)
  local asked = {}
  for i, question in ipairs(list) do asked[i] = since_seen(self, question) end
  local answers = ask_any(self, "astar_ask_many", { map, asked, ask_options(self, map, ms) }, function(all)
    for _, answer in ipairs(all) do
      if not is_answer(answer) then return false end
    end
    return true
  end)
  for i, answer in ipairs(answers) do note_answer(self, map, list[i], answer) end
  return answers
end

-- { cost =, points = { x1, y1, ... }, version =, ... }, or nil and a reason, as finder:find_path has them.
function Client:find_path(map, sx, sy, gx, gy, options)
  local answer = self:ask(map, { "find_path", sx, sy, gx, gy, options })
  if answer.reason then return nil, answer.reason end
  return answer
end

-- ---- edits ----

-- Calls what only the writer does, until it is done or `patience` is over.
local function call_writer(self, name, arguments)
  local till, why = clock.monotonic() + self.patience, "nobody writes"
  repeat
    local ok, answer = call(self, self.writer, name, arguments)
    if ok then return answer end
    if ok == false and not answer:find "not the writer" and not answer:find "no majority" then error(answer, 0) end
    why = answer or why
    local told = ok == false and tonumber(answer:match "not the writer: (%d+)")
    if told and told ~= self.writer and self.connections[told] then
      self.writer = told
    else
      self.writer = self.writer % #self.connections + 1
      fiber.sleep(0.02)
    end
    self.retries = self.retries + 1
  until clock.monotonic() > till
  error(("not known to be done: %s"):format(tostring(why)), 0)
end

-- Edits a map: one edit such as { "set", x, y, key }, or a list of them, done together or not at all. Returns the
-- version that holds it. "not known to be done" is the one error after which it may come or not.
function Client:edit(map, ops)
  if type(ops[1]) ~= "table" then ops = { ops } end
  self.lock:put(true) -- numbers go out one after another
  self.number = self.number + 1
  local ok, version = pcall(call_writer, self, "astar_edit", { map, self.name, self.number, ops })
  self.lock:get()
  if not ok then error(version, 0) end
  note(self, map, version)
  return version
end

-- Makes a map of an astar grid under a name. `palette`: { { key, cost or false }, ... }, all that may come later
-- included.
function Client:make(name, object, palette)
  local maps = require "astar_service.map"
  local from = maps.of(name, object, palette)
  call_writer(self, "astar_make", { from:meta() })
  local across, down = from:chunk_count()
  local list = {}
  for at = 0, across * down - 1 do
    local cx, cy = at % across, math.floor(at / across)
    list[#list + 1] = { cx, cy, from:chunk(cx, cy) }
    if #list == 64 or at == across * down - 1 then
      call_writer(self, "astar_put", { name, list })
      list = {}
    end
  end
  note(self, name, call_writer(self, "astar_open", { name }))
end

function Client:drop(name)
  call_writer(self, "astar_drop", { name })
  self.seen[name] = nil
end

function Client:copy(name, to) note(self, to, call_writer(self, "astar_copy", { name, to })) end

-- Takes what is stored to the newest schema, once all instances run code that knows it.
function Client:upgrade() return call_writer(self, "astar_upgrade", {}) end

-- What each instance says of itself, by its place; false where it does not answer.
function Client:health()
  local list = {}
  for i in ipairs(self.connections) do
    local ok, answer = call(self, i, "astar_health", {})
    list[i] = ok and answer or false
  end
  return list
end

return client
