-- loop.lua -- coroutines over one select: the clients of a test, side by side in one process.
--
-- A coroutine waits by yielding what it waits for; run() wakes it when its socket is ready or its time has come.
-- Time is the clock that nobody sets, where lua-system is installed, else the clock on the wall.

local socket = require "socket"

local has_system, system = pcall(require, "system")

local loop = { now = has_system and system.monotime or socket.gettime }

local ready, waiting, is_over = {}, {}, false

-- Starts `body(...)`; an error in it ends the whole test, for a test that goes on without a part of itself lies.
function loop.spawn(body, ...)
  local arguments = table.pack(...)
  ready[#ready + 1] = coroutine.create(function() body(table.unpack(arguments, 1, arguments.n)) end)
end

function loop.sleep(seconds)
  coroutine.yield { till = loop.now() + seconds }
end

-- Waits until `sock` can be read or written; false when `till` comes first.
function loop.readable(sock, till)
  return coroutine.yield { reads = sock, till = till }
end

function loop.writable(sock, till)
  return coroutine.yield { writes = sock, till = till }
end

local function resume(co, value)
  local ok, wanted = coroutine.resume(co, value)
  if not ok then error(debug.traceback(co, tostring(wanted)), 0) end
  if coroutine.status(co) ~= "dead" then waiting[co] = wanted end
end

local function run_ready()
  while #ready > 0 do
    local now = ready
    ready = {}
    for _, co in ipairs(now) do resume(co) end
  end
end

-- What all wait for, as select takes it, and the time until the first of them is due.
local function gather()
  local reads, writes, owners, first = {}, {}, {}, math.huge
  for co, wanted in pairs(waiting) do
    local sock = wanted.reads or wanted.writes
    if sock then
      local list = wanted.reads and reads or writes
      list[#list + 1] = sock
      owners[sock] = co
    end
    if wanted.till then first = math.min(first, wanted.till) end
  end
  return reads, writes, owners, first
end

local function wake(owners, list)
  for _, sock in ipairs(list) do
    local co = owners[sock]
    if waiting[co] then
      waiting[co] = nil
      resume(co, true)
    end
  end
end

local function wake_due()
  local now, due = loop.now(), {}
  for co, wanted in pairs(waiting) do
    if wanted.till and wanted.till <= now then due[#due + 1] = co end
  end
  for _, co in ipairs(due) do
    if waiting[co] then
      waiting[co] = nil
      resume(co, false)
    end
  end
end

-- Runs `body(...)` and all that it spawns until it returns; what is left of the others is let go.
function loop.run(body, ...)
  ready, waiting, is_over = {}, {}, false
  local arguments, results = table.pack(...), nil
  loop.spawn(function()
    results = table.pack(body(table.unpack(arguments, 1, arguments.n)))
    is_over = true
  end)
  run_ready()
  while not is_over do
    local reads, writes, owners, first = gather()
    local pause = math.max(0, math.min(0.5, first - loop.now()))
    local can_read, can_write = socket.select(reads, writes, pause)
    wake(owners, can_read)
    wake(owners, can_write)
    wake_due()
    run_ready()
  end
  return table.unpack(results, 1, results.n)
end

-- Waits until `holds()` is true, looking `every` so many seconds; false when that many `seconds` are over.
function loop.wait(seconds, holds, every)
  local till = loop.now() + seconds
  repeat
    local value = holds()
    if value then return value end
    loop.sleep(every or 0.02)
  until loop.now() > till
  return false
end

return loop
