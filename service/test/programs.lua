-- programs.lua -- programs that a test starts, by their process ids: only these are ever signalled.

local socket = require "socket"

local programs = {}

local LUA = os.getenv "ASTAR_TEST_LUA" or "lua5.3"
local HERE = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."

programs.HERE = HERE

local ours = {}

function programs.quote(text)
  return "'" .. tostring(text):gsub("'", "'\\''") .. "'"
end

-- A command's text from a list of words.
function programs.command(words)
  local its = {}
  for i, word in ipairs(words) do its[i] = programs.quote(word) end
  return table.concat(its, " ")
end

-- Starts a command, what it prints goes to `log`; its process id. The command must not leave its process.
function programs.start(command, log)
  local line = ("exec %s >>%s 2>&1 </dev/null"):format(command, programs.quote(log or "/dev/null"))
  local pipe = assert(io.popen("sh -c " .. programs.quote(line) .. " & echo $!"))
  local pid = tonumber(pipe:read "l")
  pipe:close()
  ours[pid] = true
  return pid
end

-- A program of this folder.
function programs.lua(words, log)
  local name = HERE .. "/" .. words[1]
  return programs.start(programs.command { LUA, name, table.unpack(words, 2) }, log)
end

-- Runs a command to its end: whether it ended well, and what it printed.
function programs.run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "a"
  local ok = pipe:close()
  return ok or false, text
end

-- What the system tells of a process, "" of one that has ended: a file that was opened cannot be read any more when the
-- process ends in between.
local function stat(pid)
  local file = io.open("/proc/" .. pid .. "/stat")
  local text = file and file:read "a"
  if file then file:close() end
  return text or ""
end

-- How a process is: "R", "S", "T" ..., nil when it has ended.
function programs.state(pid)
  local state = stat(pid):match "%) (%a)"
  return state ~= "Z" and state ~= "X" and state or nil
end

function programs.is_alive(pid)
  return programs.state(pid) ~= nil
end

-- Processor seconds that a process has used, in user and system.
function programs.used(pid)
  local user, own = stat(pid):match "%) %a %-?%d+ %-?%d+ %-?%d+ %-?%d+ %-?%d+ %d+ %d+ %d+ %d+ %d+ (%d+) (%d+)"
  return ((tonumber(user) or 0) + (tonumber(own) or 0)) / 100
end

function programs.signal(pid, name)
  assert(ours[pid], "not a process of this test")
  if programs.is_alive(pid) then os.execute(("kill -%s %d 2>/dev/null"):format(name, pid)) end
end

-- Adds a process that the test did not start itself, a worker of one that it did.
function programs.adopt(pid)
  ours[pid] = true
end

-- Ends a process at once and waits until it has.
function programs.kill(pid)
  programs.signal(pid, "KILL")
  local till = socket.gettime() + 5
  while programs.is_alive(pid) and socket.gettime() < till do socket.sleep(0.002) end
end

-- Processes that a process has started, as far as they live.
function programs.children(pid)
  local list = {}
  local file = io.open(("/proc/%d/task/%d/children"):format(pid, pid))
  for id in (file and file:read "a" or ""):gmatch "%d+" do list[#list + 1] = tonumber(id) end
  if file then file:close() end
  return list
end

-- Ends all that were started.
function programs.kill_all()
  for pid in pairs(ours) do
    if programs.is_alive(pid) then os.execute(("kill -9 %d 2>/dev/null"):format(pid)) end
  end
end

return programs
