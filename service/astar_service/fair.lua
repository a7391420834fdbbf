-- fair.lua -- decides which request runs next in a Lua state: requests run in slices, and the client that has had the
-- least time comes first.
--
-- A Lua state runs one slice at a time, in the coroutine of a request. In between HAProxy accepts and reads requests,
-- for services wait at a low priority (http.service). All that wait look in turn whether they may go on: there is no
-- call by which one coroutine wakes another. To keep that cheap, of a client with many requests only the first look in
-- every round; the others look now and then.
--
-- The client of a request may leave, and then HAProxy never resumes the request. So whatever has not looked for some
-- rounds does not count. Rounds are told by the number of looks, not by a clock: a slice may be long, and a machine
-- may stand still.
--
-- The requests of one client run one after another, in the order in which they came: searches that take turns would
-- each need working memory of their own. A request that has run for a QUANTUM lets the next ones go first. Until it
-- runs for the first time a request waits unread.

local http = require "astar_service.http"

local fair = {}

local Fair = {}
Fair.__index = Fair

local ROUNDS = 4 -- without a look, after which a client or a request does not count
local FIRST, FEW = 3, 4 -- so many of a client's requests look in every round, or all if they are few
local LOST = 0.5 -- seconds without a look, after which a request is dropped
local FORGOTTEN = 2 -- seconds without a look, after which the time that a client had is forgotten
local QUANTUM = 0.02 -- seconds that a request runs before the next ones of its client
local MANY = 16 -- requests of a client in progress above which its time counts twice
local PASSING = 0.0001 -- seconds that HAProxy itself takes to read a request, route it, and send its answer
local TAKING_TURNS = 8 -- requests of a client that take turns, at most

-- slice: seconds. patience: seconds after which a request that could not start is refused.
function fair.new(slice, patience)
  return setmetatable({
    slice = slice, patience = patience, clients = {}, floor = 0,
    looks = 0,  -- of all requests so far
    fronts = 0, -- clients that waited when a request looked last
  }, Fair)
end

-- Returns the factor by which a client's time is multiplied: 2 if `load`, its requests in progress, is above MANY.
local function weight_of(load)
  return (load or 1) > MANY and 2 or 1
end

local function client_of(self, name, now)
  local client = self.clients[name]
  if not client then
    client = { used = self.floor, requests = {}, look = -math.huge }
    self.clients[name] = client
  end
  client.used, client.last = math.max(client.used, self.floor), now
  return client
end

-- Whether something that looked as number `look` still looks: in each round each client does.
local function is_recent(self, look)
  return self.looks - look <= ROUNDS * (self.fronts + 4)
end

-- The least time that a client had of those that wait.
local function least_used(self, now)
  local least, fronts = math.huge, 0
  for name, client in pairs(self.clients) do
    if is_recent(self, client.look) then
      least, fronts = math.min(least, client.used), fronts + 1
    elseif now - client.last > FORGOTTEN then
      self.clients[name] = nil
    end
  end
  self.fronts = fronts
  return least
end

local function find(list, value)
  for i = 1, #list do
    if list[i] == value then return i end
  end
end

-- Notes that a request looks; the number of its place, and whether no other request of its client goes before it. A
-- request that did not look for long may have been dropped: then it is put back, at the end.
local function note_look(self, client, request, now)
  self.looks = self.looks + 1
  client.look, request.look, request.last = self.looks, self.looks, now
  local list = client.requests
  while list[1] and now - list[1].last > LOST do table.remove(list, 1) end
  local place = find(list, request)
  if not place then
    place = #list + 1
    list[place] = request
  end
  for i = 1, place - 1 do
    if is_recent(self, list[i].look) then return place, false end
  end
  return place, true
end

-- Waits until a slice of the request may run.
local function wait(self, request)
  while true do
    local now = http.now()
    local client = client_of(self, request.name, now)
    local place, is_first = note_look(self, client, request, now)
    if is_first and client.used <= least_used(self, now) + self.slice / 2 then
      self.floor = math.max(self.floor, least_used(self, now))
      request.began, request.has_begun = now, true
      return
    end
    if not request.has_begun and now - request.came > self.patience then
      table.remove(client.requests, place)
      http.fail(429, "other requests take all the time there is", "busy")
    end
    if place <= FIRST or #client.requests <= FEW then
      core.yield()
    else
      -- Less time than the requests before this request are likely to take.
      core.msleep(math.max(1, math.min(20, (place - FIRST) // 2)))
    end
  end
end

-- Waits until a request of the client may start, and starts a slice of it: the request, for the calls below. Raises 429
-- if it cannot start in time. `load`: how many requests of the client are in progress.
function Fair:enter(name, load)
  local request = { name = name, came = http.now(), ran = 0, weight = weight_of(load) }
  wait(self, request)
  return request
end

-- Returns how many requests wait for a slice or run. Requests that have not looked for long are not counted: their
-- clients have left.
function Fair:waiting()
  local count, now = 0, http.now()
  for _, client in pairs(self.clients) do
    for _, request in ipairs(client.requests) do
      if now - (request.last or request.came) <= LOST then count = count + 1 end
    end
  end
  return count
end

-- GcAccount a client with so many seconds of work that was done for it outside of its slices.
function Fair:charge(name, seconds, load)
  local client = client_of(self, name, http.now())
  client.used = client.used + seconds * weight_of(load)
end

-- The time that a client has had: for comparisons.
function Fair:used(name)
  local client = self.clients[name]
  return client and client.used or self.floor
end

-- GcAccount a client with the slice that ends.
local function end_slice(self, request)
  local now = http.now()
  local client, ran = client_of(self, request.name, now), now - request.began
  client.used, request.ran = client.used + ran * request.weight, request.ran + ran
  request.look, request.last = self.looks, now
  return client
end

-- Ends a slice, and with it the request's place among those that wait.
local function step_out(self, request)
  local client = end_slice(self, request)
  table.remove(client.requests, find(client.requests, request))
  return client
end

-- Ends a request. HAProxy's own work for a short request is more than that of its slices. A client that has many pays
-- for it, too: else many of them would run in a row before another client's turn comes.
function Fair:leave(request)
  local client = step_out(self, request)
  if request.weight > 1 then client.used = client.used + request.weight * PASSING end
end

-- Lets others go on if the slice is over, and waits for the next.
function Fair:pause(request)
  if http.now() - request.began < self.slice then return end
  local list = end_slice(self, request).requests
  if request.ran > QUANTUM then
    request.ran = 0
    table.insert(list, math.min(TAKING_TURNS, #list), table.remove(list, find(list, request)))
  end
  -- HAProxy reads from a socket in one round and starts the task of the request that came in the next.
  core.yield()
  core.yield()
  wait(self, request)
end

-- Calls something that waits for something else than the processor, between two slices; its results.
function Fair:outside(request, run, ...)
  step_out(self, request)
  local results = table.pack(run(...))
  local list, place = client_of(self, request.name, http.now()).requests, 1
  while list[place] and list[place].has_begun do place = place + 1 end
  table.insert(list, place, request)
  wait(self, request)
  return table.unpack(results, 1, results.n)
end

function Fair:sleep(request, ms)
  self:outside(request, core.msleep, ms)
end

return fair
