-- load.lua -- clients that edit and ask at random, and keep asking until they know: each sends its edit again, with
-- the same number, to one instance after another until it is told the version. All that they see goes into a history.

local cjson = require "cjson"
local http = require "http"
local loop = require "loop"

local load = {}

load.SIDE = 48
load.PALETTE = { { ".", 1 }, { "#", false }, { "~", 3 } }

local TIMEOUT = 1.5 -- seconds for one try; an answer takes up to wait = 1 s

-- ---- one client ----

local Client = {}
Client.__index = Client

-- 'nodes': { host, port } each; 'token'. Tries them in turn, beginning with number `at`.
function load.client(nodes, name, token, at)
  return setmetatable({ nodes = nodes, name = name, token = token, at = at or 1, seen = {}, tries = 0 }, Client)
end

function Client:go_on()
  if self.connection then self.connection:close() end
  self.connection, self.at = nil, self.at % #self.nodes + 1
end

-- One try: status, the answer's data, and the node; nil and the reason.
function Client:try(method, path, data, seconds)
  self.tries = self.tries + 1
  local node, began = self.nodes[self.at], loop.now()
  if not self.connection or not self.connection.sock then
    local why
    self.connection, why = http.connect(node.host, node.port, 0.5)
    if not self.connection then
      self:note(node, began, why)
      self:go_on()
      return nil, why
    end
  end
  local body = data and (type(data) == "string" and data or cjson.encode(data))
  local headers = { Authorization = self.token and "Bearer " .. self.token, ["Content-Type"] = "application/json" }
  local status, text = self.connection:request(method, path, headers, body, seconds or TIMEOUT)
  local answer = status and http.json(text)
  self:note(node, began, status and ("%d %s"):format(status, answer and answer.reason or "") or text)
  if not status then
    self:go_on()
    return nil, text
  end
  return status, answer, node.name, text
end

-- Keeps what became of a try, where somebody wants to know: `trail`, a list.
function Client:note(node, began, what)
  if not self.trail then return end
  self.trail[#self.trail + 1] =
    { client = self.name, node = node.name, began = began, came = loop.now(), what = what }
  if #self.trail > 8000 then
    for i = 1, 8000 do self.trail[i] = self.trail[i + 4000] end
  end
end

-- Tries again until something else than 429 or 503 comes back, for so many seconds.
function Client:insist(method, path, data, seconds)
  local till = loop.now() + seconds
  local status, answer
  repeat
    local node, text
    status, answer, node, text = self:try(method, path, data)
    if status and status ~= 429 and status ~= 503 then return status, answer, node, text end
    if status == 503 then self:go_on() end
    loop.sleep(status == 429 and 0.05 or 0.02)
  until loop.now() > till
  return nil, status or answer
end

-- ---- the load ----

local Load = {}
Load.__index = Load

-- options: nodes, history, editors (4), askers (5), maps, random (a function as math.random), pause (seconds between
-- two requests of a client, 0.004), patience (60), questions (what to draw from, else any), moves (a map comes
-- and goes, too).
function load.new(options)
  return setmetatable({
    options = options, nodes = options.nodes, history = options.history, maps = options.maps, dice = options.random,
    problems = {}, acknowledged = {}, recent = {}, trail = {}, answered = 0, edited = 0, refused = {}, slowest = 0,
    is_on = true, running = 0, pause = options.pause or 0.004,
  }, Load)
end

local function problem(self, text, ...)
  self.problems[#self.problems + 1] = text:format(...)
end

-- Makes the maps.
function Load:make(admin)
  for _, map in ipairs(self.maps) do
    local terrain = cjson.decode "{}"
    for _, entry in ipairs(load.PALETTE) do terrain[entry[1]] = entry[2] end
    local body = { width = load.SIDE, height = load.SIDE, options = { terrain = terrain, fill = "." } }
    local status, answer = admin:insist("PUT", "/v1/maps/" .. map, body, 30)
    if status == 409 then -- a first try of which nothing was heard
      status, answer = admin:insist("GET", "/v1/maps/" .. map, nil, 30)
    end
    assert(status == 201 or status == 200,
      ("no map is made: %s %s"):format(tostring(status), cjson.encode(answer or "")))
    self.history:tell { kind = "map", map = map, width = load.SIDE, height = load.SIDE, palette = load.PALETTE,
      version = answer.version }
  end
end

local KEYS, SIDES = { ".", "#", "~" }, { "north", "east", "south", "west" }

local function random_edit(dice, is_plain)
  local x, y, kind = dice(load.SIDE), dice(load.SIDE), dice(12)
  local w, h = dice(math.min(4, load.SIDE - x + 1)), dice(math.min(4, load.SIDE - y + 1))
  if kind <= 4 then return { "set", x, y, KEYS[dice(3)] } end
  if kind <= 6 then return { "fill", x, y, w, h, KEYS[dice(3)] } end
  if kind == 7 then return { "block", x, y, w, h } end
  if kind <= 9 then return { "unblock", x, y, w, h } end
  if kind == 10 or is_plain then return { "terrain", "~", dice(2, 5) } end
  if kind == 11 then return { dice(2) == 1 and "wall" or "unwall", x, y, SIDES[dice(4)], dice(4) == 1 } end
  local nx, ny = dice(load.SIDE), dice(load.SIDE)
  if nx == x and ny == y then return { "set", x, y, "." } end
  return { "link", x, y, nx, ny, { cost = dice(1, 9), one_way = dice(2) == 1 } }
end

local function random_edits(dice, is_plain)
  local list = {}
  for i = 1, dice(10) == 1 and dice(8) or 1 do list[i] = random_edit(dice, is_plain) end
  return list
end

local function note_edited(self, client, map, number, edits, sent, version)
  local now = loop.now()
  self.history:tell { kind = "edit", map = map, client = client.name, request = number, edits = edits, sent = sent,
    came = now, version = version }
  self.edited = self.edited + 1
  self.acknowledged[#self.acknowledged + 1] = now
  local edit = edits[1]
  if type(edit[2]) == "number" then self.recent[self.edited % 64 + 1] = { edit[2], edit[3], map } end
  client.seen[map] = math.max(client.seen[map] or 0, version)
end

-- One edit of `client`, until it is known.
local function edit_once(self, client, number)
  local dice = self.dice
  local map = self.maps[dice(#self.maps)]
  local edits, sent = random_edits(dice, map == self.maps[1]), loop.now()
  local body = { client = client.name, request = number, since = client.seen[map], edits = edits }
  local status, answer = client:insist("POST", "/v1/maps/" .. map .. "/edits", body, self.options.patience or 60)
  if status == 200 and answer and answer.version then
    note_edited(self, client, map, number, edits, sent, answer.version)
  elseif status then
    problem(self, "edit %s/%d: %d %s", client.name, number, status, cjson.encode(answer or ""))
    self.history:tell { kind = "unsure", map = map, client = client.name, request = number }
  else
    problem(self, "edit %s/%d was never known: %s", client.name, number, tostring(answer))
    self.history:tell { kind = "unsure", map = map, client = client.name, request = number }
  end
end

local function edit_on(self, i)
  local client = load.client(self.nodes, "editor" .. i, "edit-token", i % #self.nodes + 1)
  client.trail = self.trail
  local number = 0
  while self.is_on do
    number = number + 1
    edit_once(self, client, number)
    loop.sleep(self.dice() * 2 * self.pause)
  end
  client:go_on()
  self.running = self.running - 1
end

local function random_query(self, map)
  if self.options.questions then return self.options.questions[self.dice(#self.options.questions)] end
  local dice, recent = self.dice, self.recent[self.dice(64)]
  local x, y = dice(load.SIDE), dice(load.SIDE)
  if recent and recent[3] == map and dice(2) == 1 then x, y = recent[1], recent[2] end
  local kind = dice(10)
  if kind <= 4 then return { cell = { x, y } } end
  local gx, gy = dice(load.SIDE), dice(load.SIDE)
  if kind == 5 then return { reachable = { x, y, gx, gy } } end
  return { find_path = { x, y, gx, gy } }
end

-- How old the answer may be: { least, fresh, stale }.
local function random_terms(self, client, map)
  local kind = self.dice(20)
  local least = client.seen[map]
  if kind <= 12 then return { least = least } end
  if kind <= 15 then return { fresh = true, least = least } end
  if kind <= 17 then return { stale = true } end
  if kind == 18 then return { fresh = true } end
  return {}
end

local function ask_once(self, client)
  local dice = self.dice
  local map = self.maps[dice(#self.maps)]
  local questions, terms = {}, random_terms(self, client, map)
  for i = 1, dice(4) == 1 and dice(6) or 1 do questions[i] = random_query(self, map) end
  local body = { client = client.name, least = terms.least, fresh = terms.fresh, stale = terms.stale, wait = 500,
    questions = questions }
  local sent = loop.now()
  local status, answer, node = client:try("POST", "/v1/maps/" .. map .. "/questions", body)
  local came = loop.now()
  if status == 200 and answer and answer.answers then
    self.history:tell { kind = "ask", map = map, client = client.name, node = node, sent = sent, came = came,
      least = terms.least, fresh = terms.fresh, stale = terms.stale, version = answer.version, questions = questions,
      answers = answer.answers }
    client.seen[map] = math.max(client.seen[map] or 0, answer.version)
    self.answered = self.answered + 1
    self.slowest = math.max(self.slowest, came - sent)
  elseif status == 429 or status == 503 then
    local why = ("%d %s"):format(status, answer and answer.reason or "-")
    self.refused[why] = (self.refused[why] or 0) + 1
    if status == 503 then client:go_on() end
    loop.sleep(0.02)
  elseif status then
    problem(self, "questions: %d %s of %s", status, cjson.encode(answer or ""), cjson.encode(body))
  end
end

local function ask_on(self, i)
  local client = load.client(self.nodes, "asker" .. i, "ask-token", i % #self.nodes + 1)
  while self.is_on do
    ask_once(self, client)
    loop.sleep(self.dice() * 2 * self.pause)
  end
  client:go_on()
  self.running = self.running - 1
end

-- ---- a map that comes and goes ----

-- Asks instances fresh until one tells: its status, and the answer.
local function ask_fresh(self, client, name, question)
  return client:insist("POST", "/v1/maps/" .. name .. "/questions", { fresh = true, questions = { question } },
    self.options.patience or 60)
end

-- Makes a map, edits it, drops it; what was acknowledged must be seen by who asks fresh, wherever.
local function come_and_go(self, admin, asker, number)
  local patience = self.options.patience or 60
  local key = number % 2 == 0 and "#" or "."
  local status, answer = admin:insist("PUT", "/v1/maps/fleeting", { width = 70, height = 70 }, patience)
  if status ~= 201 and not (status == 409 and answer and answer.reason == "exists") then
    return "made: " .. tostring(status) .. cjson.encode(answer or "")
  end
  local made = answer.made
  if not made then
    status, answer = admin:insist("GET", "/v1/maps/fleeting", nil, patience)
    if status ~= 200 then return "told: " .. tostring(status) .. cjson.encode(answer or "") end
    made = answer.made
  end
  local edits = { { "set", 65, 65, key }, { "set", 2, 2, "#" } }
  status, answer = admin:insist("POST", "/v1/maps/fleeting/edits", { client = "fleeting", request = number,
    edits = edits }, patience)
  if status ~= 200 then return "edited: " .. tostring(status) .. cjson.encode(answer or "") end
  local version = answer.version
  if version <= self.fleeting then return ("version %d after %d"):format(version, self.fleeting) end
  asker:go_on()
  status, answer = ask_fresh(self, asker, "fleeting", { cell = { 65, 65 } })
  if status ~= 200 or answer.version < version or answer.answers[1].key ~= key then
    return ("asked for version %d: %s %s"):format(version, tostring(status), cjson.encode(answer or ""))
  end
  status, answer = admin:insist("DELETE", "/v1/maps/fleeting?made=" .. made, nil, patience)
  if status ~= 200 and status ~= 404 then return "dropped: " .. tostring(status or answer) end
  asker:go_on()
  status, answer = ask_fresh(self, asker, "fleeting", { cell = { 1, 1 } })
  if status ~= 404 then return ("asked when dropped: %s %s"):format(tostring(status), cjson.encode(answer or "")) end
  self.fleeting, self.comings = version, self.comings + 1
end

local function come_and_go_on(self)
  local admin = load.client(self.nodes, "mover", "admin-token", 2)
  local asker, number = load.client(self.nodes, "follower", "ask-token", 3), 0
  self.fleeting, self.comings = -1, 0
  while self.is_on do
    number = number + 1
    local why = come_and_go(self, admin, asker, number)
    if why then
      problem(self, "a map that comes and goes, turn %d, %s at %s, %.3f", number, why, self.nodes[admin.at].name,
        loop.now())
      loop.sleep(1)
    end
    loop.sleep(self.dice() * 0.1)
  end
  admin:go_on()
  asker:go_on()
  self.running = self.running - 1
end

function Load:start()
  if self.options.moves then
    self.running = self.running + 1
    loop.spawn(come_and_go_on, self)
  end
  for i = 1, self.options.editors or 4 do
    self.running = self.running + 1
    loop.spawn(edit_on, self, i)
  end
  for i = 1, self.options.askers or 5 do
    self.running = self.running + 1
    loop.spawn(ask_on, self, i)
  end
end

-- Lets all clients end what they are at.
function Load:stop(seconds)
  self.is_on = false
  return loop.wait(seconds or 90, function() return self.running == 0 end)
end

-- The longest time between two acknowledged edits from `from` to `to`; and when the first came after `from`.
function Load:longest_gap(from, to)
  local longest, last, first = 0, from, nil
  for i = #self.acknowledged, 1, -1 do
    if self.acknowledged[i] < from then
      for k = i + 1, #self.acknowledged do
        local at = self.acknowledged[k]
        if at > to then break end
        first = first or at
        longest, last = math.max(longest, at - last), at
      end
      break
    end
  end
  return math.max(longest, to - last), first and first - from
end

-- Folds the log of a map now; whether that was done.
function Load:fold()
  local client = load.client(self.nodes, "folder", "admin-token", self.dice(#self.nodes))
  local status = client:try("POST", "/v1/fold/" .. self.maps[self.dice(#self.maps)], "{}", 3)
  client:go_on()
  return status == 200
end

-- Tells what became of edits from `from` to `to`: those that failed or took long.
function Load:tell_trail(from, to)
  local count = 0
  for _, try in ipairs(self.trail) do
    local is_odd = try.came - try.began > 0.3 or not try.what:find "^200"
    if try.came >= from and try.began <= to and is_odd then
      count = count + 1
      if count <= 40 then
        print(("        %6.3f to %6.3f %s by %s: %s"):format(try.began - from, try.came - from, try.client, try.node,
          try.what))
      end
    end
  end
end

-- What each instance holds now, into the history.
function Load:dump(seconds)
  for i, node in ipairs(self.nodes) do
    for _, map in ipairs(self.maps) do
      local client = load.client({ node }, "dump" .. i, "admin-token")
      local status, answer = client:insist("GET", "/v1/maps/" .. map .. "?dump=1", nil, seconds or 20)
      if status == 200 and answer and answer.dump then
        self.history:tell { kind = "dump", map = map, node = node.name, version = answer.version, dump = answer.dump,
          came = loop.now() }
      else
        problem(self, "%s tells nothing of %s: %s", node.name, map, tostring(status or answer))
      end
      client:go_on()
    end
  end
end

return load
