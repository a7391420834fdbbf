-- heads.lua -- asks etcd for the newest versions of maps, in tasks of its own.
--
-- All requests that wait for one map share a call, if they came before it was sent: its answer tells all that was
-- acknowledged before any of them came. A task is not ended when the client of a request leaves. A request that
-- held the connection would be, and HAProxy 2.6 then runs a full garbage collection of the Lua state.

local heads = {}

local Heads = {}
Heads.__index = Heads

local AT_ONCE, MOST_PAUSE = 4, 16 -- requests that look at the same pace; milliseconds

-- new_store(): makes a store for a task.
function heads.new(new_store)
  return setmetatable({ new_store = new_store, maps = {} }, Heads)
end

-- `read`: the method of a store that each call runs for `name`. `key`: names both of them.
local function ask_on(self, key, read, name, entry)
  local from = self.new_store()
  while entry.next do
    local call = entry.next
    entry.next = nil
    local ok, head, why = pcall(from[read], from, name)
    if ok then call.head, call.why = head, why else call.why = tostring(head) end
    call.is_done = true
  end
  self.maps[key] = nil
end

local function ask(self, read, name)
  local key = read .. "/" .. name
  local entry = self.maps[key] or {}
  local call = entry.next or {}
  entry.next = call
  if not self.maps[key] then
    self.maps[key] = entry
    core.register_task(function() ask_on(self, key, read, name, entry) end)
  end
  -- Each look costs the loop some microseconds, and all who wait for a call would look at the same time. So those who
  -- came later look less often.
  call.waiting = (call.waiting or 0) + 1
  local pause = math.min(MOST_PAUSE, 1 + call.waiting // AT_ONCE)
  repeat core.msleep(pause) until call.is_done
  return call.head, call.why
end

-- The newest version of a map, as a majority of etcd knows it; false if there is no such map; nil and the reason if
-- etcd does not answer. Waits.
function Heads:get(name) return ask(self, "head", name) end

-- Returns false if a majority of etcd knows no map of that name, and true if there is one or etcd does not answer.
-- Waits. The record decides: a version without a record, which a restore by hand may leave, is no map.
function Heads:has(name)
  local record, why = ask(self, "record", name)
  return record ~= false, why
end

return heads
