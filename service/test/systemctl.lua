-- systemctl.lua -- as much of systemctl as docs/service.md uses, on one of the machines of page.lua: it starts,
-- reloads and stops what the units say. lua systemctl.lua WORD ... ASTAR_MACHINE names a folder for process ids and
-- logs.

local UNITS = "/etc/systemd/system/"
local MACHINE = assert(os.getenv "ASTAR_MACHINE", "ASTAR_MACHINE is not set")

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- The entries of a unit: for each name a list of values. A line that ends with a backslash goes on in the next.
local function read_unit(name)
  local file = assert(io.open(UNITS .. name .. ".service"))
  local text = file:read("a"):gsub("\\\n", " ")
  file:close()
  local unit = {}
  for key, value in text:gmatch "\n(%u%a+)=([^\n]*)" do
    unit[key] = unit[key] or {}
    table.insert(unit[key], value)
  end
  return unit
end

local function environment(unit, more)
  local words = { "env" }
  for _, line in ipairs(unit.Environment or {}) do
    for word in line:gmatch "%S+" do words[#words + 1] = quote(word) end
  end
  for _, path in ipairs(unit.EnvironmentFile or {}) do
    for line in io.lines(path) do
      if line:find "^[%w_]+=" then words[#words + 1] = quote(line) end
    end
  end
  words[#words + 1] = more
  return table.concat(words, " ")
end

-- Runs a command line of a unit as the unit's user. In a unit and in sh, "${X}" is one word and "$X" any number of
-- words.
local function run(unit, line, more)
  return os.execute(("%s setpriv --reuid %s --regid %s --init-groups sh -c %s"):format(environment(unit, more),
    unit.User[1], unit.User[1], quote(line)))
end

local function pid_of(name)
  local file = io.open(("%s/%s.pid"):format(MACHINE, name))
  local pid = file and tonumber((file:read "l"))
  if file then file:close() end
  return pid and os.execute(("kill -0 %d 2>/dev/null"):format(pid)) and pid or nil
end

local function start(name)
  if pid_of(name) then return end
  local unit = read_unit(name)
  for key, folder in pairs { StateDirectory = "/var/lib/", RuntimeDirectory = "/run/" } do
    for _, its in ipairs(unit[key] or {}) do
      os.execute(("install -d -m 755 -o %s -g %s %s"):format(unit.User[1], unit.User[1], folder .. its))
    end
  end
  for _, line in ipairs(unit.ExecStartPre or {}) do assert(run(unit, line), line) end
  local user = unit.User[1]
  local command = ("exec %s setpriv --reuid %s --regid %s --init-groups sh -c %s"):format(environment(unit), user, user,
    quote("exec " .. unit.ExecStart[1]))
  os.execute(("setsid sh -c %s >>%s/%s.log 2>&1 </dev/null & echo $! >%s/%s.pid"):format(quote(command), MACHINE, name,
    MACHINE, name))
end

local function stop(name)
  local pid = pid_of(name)
  if not pid then return end
  local unit = read_unit(name)
  for _, line in ipairs(unit.ExecStop or {}) do run(unit, line, "MAINPID=" .. pid) end
  os.execute(("kill -%s %d"):format((unit.KillSignal or { "SIGTERM" })[1]:gsub("^SIG", ""), pid))
  for _ = 1, 300 do
    if not pid_of(name) then return end
    os.execute "sleep 0.1"
  end
  error(name .. " does not end")
end

local function reload(name)
  local unit, pid = read_unit(name), assert(pid_of(name), name .. " does not run")
  for _, line in ipairs(unit.ExecReload) do assert(run(unit, line, "MAINPID=" .. pid), line) end
end

local function restart(name)
  stop(name)
  start(name)
end

local ACTIONS = { start = start, stop = stop, reload = reload, restart = restart }

local action = arg[1]
for i = 2, #arg do
  if arg[i]:find "^astar%-" and ACTIONS[action] then ACTIONS[action](arg[i]) end
end
