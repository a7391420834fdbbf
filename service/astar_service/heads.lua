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

local function ask_on(self, name, entry)
  local from = self.new_store()
  while entry.next do
    local call = entry.next
    entry.next = nil
    local ok, head, why = pcall(from.head, from, name)
    if ok then call.head, call.why = head, why else call.why = tostring(head) end
    call.is_done = true
  end
  self.maps[name] = nil
end

-- The newest version of a map, as a majority of etcd knows it; false if there is no such map; nil and the reason if
-- etcd does not answer. Waits.
function Heads:get(name)
  local entry = self.maps[name] or {}
  local call = entry.next or {}
  entry.next = call
  if not self.maps[name] then
    self.maps[name] = entry
    core.register_task(function() ask_on(self, name, entry) end)
  end
  -- Each look costs the loop some microseconds, and all who wait for a call would look at the same time. So those who
  -- came later look less often.
  call.waiting = (call.waiting or 0) + 1
  local pause = math.min(MOST_PAUSE, 1 + call.waiting // AT_ONCE)
  repeat core.msleep(pause) until call.is_done
  return call.head, call.why
end

return heads
