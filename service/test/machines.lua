-- machines.lua -- three machines, an etcd and a haproxy on each, by the service's own cluster.sh: in a space of their
-- own where there is one (space.lua), else on loopback.

local http = require "http"
local loop = require "loop"
local programs = require "programs"
local space = require "space"

local machines = {}

local Machines = {}
Machines.__index = Machines

local CLUSTER = programs.HERE .. "/../cluster.sh"
local WHAT = { "etcd", "haproxy" }

-- Returns which Lua the HAProxy of this system has, as "5.4".
function machines.lua()
  local _, text = programs.run("sh " .. programs.quote(programs.HERE .. "/../../tools/need.sh") .. " service-lua")
  return text:match "5%.%d"
end

-- options: count (3), dir, port (18700), fold, quota, threads, master ("-W": with HAProxy's master process), wrap (a
-- command before each program's), disk (the number of the machine whose etcd lies on a small disk in memory).
function machines.new(options)
  local self = setmetatable({
    count = options.count or 3, dir = options.dir, port = options.port or 18700, options = options, nodes = {},
    wraps = {}, log = options.dir .. "/cluster.log",
  }, Machines)
  local hosts = {}
  for i = 1, self.count do
    local machine = space.machine(i)
    hosts[i] = space.is_own and machine.host or "127.0.0.1"
    self.nodes[i] = { host = hosts[i], port = self.port + i, name = "instance" .. i }
    os.execute("mkdir -p " .. self.dir .. "/" .. i)
  end
  self.hosts = table.concat(hosts, " ")
  if options.disk and space.is_own then
    self.disk = options.disk
    self.disk_dir = ("%s/%d/etcd"):format(self.dir, self.disk)
    assert(space.disk(self.disk_dir, 320), "no disk in memory")
  end
  return self
end

local function environment(self, i)
  local wrap = self.wraps[i or 0] or self.options.wrap or ""
  local words = { DIR = self.dir, PORT = self.port, HOSTS = self.hosts, FOLD = self.options.fold,
    QUOTA = self.options.quota,
    THREADS = self.options.threads, MASTER = self.options.master,
    IN = (space.is_own and "ip netns exec m%d " or "") .. wrap }
  if words.IN == "" then words.IN = nil end
  local list = {}
  for name, value in pairs(words) do list[#list + 1] = name .. "=" .. programs.quote(value) end
  return table.concat(list, " ")
end

-- Calls cluster.sh; whether it ended well.
function Machines:call(...)
  local words = { ... }
  local command = ("%s sh %s %s >>%s 2>&1 </dev/null"):format(environment(self, words[3]), CLUSTER,
    programs.command(words), self.log)
  return (os.execute(command))
end

function Machines:up()
  assert(self:call("up", self.count), "the machines do not start: see " .. self.log)
end

-- What runs on machine i, 1 etcd or 2 haproxy: its process id, nil when it has ended.
function Machines:pid(what, i)
  local file = io.open(("%s/%d/%s.pid"):format(self.dir, i, what))
  local pid = file and tonumber((file:read "l"))
  if file then file:close() end
  if pid and programs.is_alive(pid) then
    programs.adopt(pid)
    return pid
  end
end

local function each(what, body)
  for _, name in ipairs(WHAT) do
    if what == "both" or what == name then body(name) end
  end
end

function Machines:kill(what, i)
  each(what, function(name)
    local pid = self:pid(name, i)
    if pid then programs.kill(pid) end
  end)
end

function Machines:pause(what, i)
  each(what, function(name)
    local pid = self:pid(name, i)
    if pid then programs.signal(pid, "STOP") end
  end)
end

function Machines:resume(what, i)
  each(what, function(name)
    local pid = self:pid(name, i)
    if pid then programs.signal(pid, "CONT") end
  end)
end

function Machines:start(what, i)
  return self:call("start", what, i)
end

-- Megabytes of memory that a process has.
function Machines:memory(what, i)
  local pid = self:pid(what, i)
  local file = pid and io.open("/proc/" .. pid .. "/status")
  local text = file and file:read "a" or ""
  if file then file:close() end
  return (tonumber(text:match "VmRSS:%s+(%d+)") or 0) / 1024
end

-- Ends all that was started.
function Machines:down()
  for i = 1, self.count do self:kill("both", i) end
  self:call "down"
end

-- What GET of a path says without a token: the status, nil when nothing answers.
function Machines:get(i, path, seconds)
  local node = self.nodes[i]
  local connection = http.connect(node.host, node.port, seconds or 0.5)
  if not connection then return nil end
  local status, body = connection:request("GET", path, {}, nil, seconds or 0.5)
  connection:close()
  return status, body
end

function Machines:is_ready(i)
  return self:get(i, "/readyz") == 200
end

-- Waits until all say that they are ready.
function Machines:wait(seconds)
  return loop.wait(seconds or 30, function()
    for i = 1, self.count do
      if not self:is_ready(i) then return false end
    end
    return true
  end, 0.05)
end

-- A call of etcd's gateway on machine i: its data, nil when nothing answers.
function Machines:etcd(i, path, body, seconds)
  local host = self.nodes[i].host
  local connection = http.connect(host, self.port + 10 + i, 0.5)
  if not connection then return nil end
  local status, text = connection:request("POST", path, { ["Content-Type"] = "application/json" }, body or "{}",
    seconds or 2)
  connection:close()
  return status == 200 and http.json(text) or nil, text
end

-- The number of the machine whose etcd leads, nil when none is known.
function Machines:leader()
  for i = 1, self.count do
    local status = self:etcd(i, "/v3/maintenance/status", "{}", 0.5)
    if status and status.header and status.leader == status.header.member_id then return i end
  end
end

-- Entries of its log that the etcd of machine i reads when it starts: those after its last snapshot; nil when it does
-- not answer.
function Machines:log_entries(i)
  local status, last = self:etcd(i, "/v3/maintenance/status"), 0
  local pipe = io.popen(("ls %s/%d/etcd/member/snap"):format(self.dir, i))
  for name in pipe:lines() do last = math.max(last, tonumber(name:match "%-(%x+)%.snap$" or "0", 16)) end
  pipe:close()
  return status and tonumber(status.raftIndex) - last
end

-- What the etcd of machine i is called.
function Machines:member(i) -- luacheck: ignore 212
  return "e" .. i
end

-- Has etcd forget all revisions but the last.
function Machines:compact()
  for i = 1, self.count do
    local status = self:etcd(i, "/v3/kv/range", '{"key":"AA=="}', 1)
    if status and status.header then
      return self:etcd(i, "/v3/kv/compaction", ('{"revision":"%s","physical":true}'):format(status.header.revision), 5)
    end
  end
end

-- Raises or clears etcd's alarm of a full quota: "ACTIVATE", "DEACTIVATE".
function Machines:alarm(action)
  for i = 1, self.count do
    local status = self:etcd(i, "/v3/maintenance/status", "{}", 1)
    if status and status.header then
      local body = ('{"action":"%s","memberID":"%s","alarm":"NOSPACE"}'):format(action, status.header.member_id)
      if action == "ACTIVATE" then return self:etcd(i, "/v3/maintenance/alarm", body, 2) end
      self:etcd(i, "/v3/maintenance/alarm", body, 2)
    end
  end
end

local FAKE = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

-- From its next start on the programs of machine i see another time of day ("+2d"; nil: the real one). etcd, written in
-- Go, asks the kernel past the library that is put before: its clock stays.
function Machines:set_clock(i, shift)
  local file = io.open(FAKE)
  if file then file:close() end
  self.wraps[i] = shift and file and ("env LD_PRELOAD=%s FAKETIME=%s DONT_FAKE_MONOTONIC=1"):format(FAKE, shift) or nil
end

return machines
