-- fair.lua -- whose turn it is: questions run in slices, and who has had less comes first.
--
-- A Lua state runs one slice at a time, and after a few of them HAProxy looks at its sockets: tune.runqueue-depth. Of
-- the clients that wait the one runs that has had the least time. A request whose client hung up is not heard of
-- again: who has not asked for his turn for some milliseconds is not waited for.

local http = require "astar_service.http"

local fair = {}

local Fair = {}
Fair.__index = Fair

local ALIVE = 0.02 -- seconds

function fair.new(slice)
  return setmetatable({ slice = slice, clients = {}, floor = 0 }, Fair)
end

-- The least time that a client who waits has had.
local function least_used(self, now)
  local least = math.huge
  for name, client in pairs(self.clients) do
    if now - client.seen < ALIVE then
      least = math.min(least, client.used)
    elseif now - client.last > 1 then
      self.clients[name] = nil
    end
  end
  return least
end

-- Waits until a slice of the client's may run; the turn. A whole slice is charged at once: who hangs up in the midst
-- of it has had it. Of a client's requests one looks at each round whether it may go on, the others now and then.
function Fair:enter(name)
  local request = {}
  while true do
    local now = http.now()
    local client = self.clients[name]
    if not client then
      client = { used = self.floor }
      self.clients[name] = client
    end
    client.used, client.seen, client.last = math.max(client.used, self.floor), now, now
    local least = least_used(self, now)
    if client.used <= least + self.slice / 2 then
      self.floor = math.max(self.floor, least)
      client.used, client.seen = client.used + self.slice, 0 -- its others that wait will say so
      if client.front == request then client.front = nil end
      return { name = name, began = now }
    end
    if not client.front or client.front == request or now - client.looked > ALIVE / 2 then
      client.front, client.looked = request, now
      core.yield()
    else
      core.msleep(1)
    end
  end
end

-- Ends a slice.
function Fair:leave(turn)
  local took = http.now() - turn.began
  local client = self.clients[turn.name]
  if client then client.used = client.used + took - self.slice end
end

-- Lets others go on if the slice is over, and waits for the next.
function Fair:pause(turn)
  if http.now() - turn.began < self.slice then return end
  self:leave(turn)
  core.yield()
  turn.began = self:enter(turn.name).began
end

-- Sleeps outside of any turn.
function Fair:sleep(turn, ms)
  self:leave(turn)
  core.msleep(ms)
  turn.began = self:enter(turn.name).began
end

return fair
