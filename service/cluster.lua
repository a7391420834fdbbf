-- cluster.lua -- three instances of the service on this machine, for the demonstration and the tests: started,
-- stopped, killed and started again. What it started it ends, whatever comes.

local clock = require "clock"
local fiber = require "fiber"
local fio = require "fio"
local popen = require "popen"

local cluster = {}

local Cluster = {}
Cluster.__index = Cluster

local PID = require("tarantool").pid()
local HERE = fio.dirname(fio.abspath(debug.getinfo(1, "S").source:sub(2)))

cluster.USERS = {
  { name = "peer", password = "peers-only", role = "peer" },
  { name = "asker", password = "asks", role = "reader" },
  { name = "editor", password = "edits", role = "writer" },
}

local function free_port(first)
  local socket = require "socket"
  for port = first, first + 2000 do
    local taken = socket.tcp_connect("127.0.0.1", port)
    if not taken then return port end
    taken:close()
  end
  error "no port is free"
end

local CONFIG = [[
return {
  uris = { %s }, dir = %q .. "/%%d", limits = { ms = 5000 }, schema = tonumber(os.getenv "ASTAR_SERVICE_SCHEMA"),
  fold_after = %d,
  users = {
    { name = "peer", password = "peers-only", role = "peer" },
    { name = "asker", password = "asks", role = "reader" },
    { name = "editor", password = "edits", role = "writer" },
  },
  engine = { log_level = 5, memtx_memory = 64 * 1024 * 1024, log = os.getenv "ASTAR_SERVICE_LOG" },
}
]]

-- options: count (3), dir (a fresh one under the temporary folder), keep = true leaves it there at the end,
-- tcp = true: on ports of this machine, which another program may take meanwhile; else on sockets in `dir`.
function cluster.new(options)
  options = options or {}
  local self = setmetatable({ processes = {}, wanted = {}, starts = {}, keep = options.keep }, Cluster)
  self.dir = options.dir or fio.tempdir()
  self.uris = {}
  local port = 20000 + (PID * 37 + clock.monotonic() * 1000) % 9000 -- below those that connections going out are given
  for i = 1, options.count or 3 do
    if options.tcp then
      port = free_port(math.floor(port))
      self.uris[i] = "127.0.0.1:" .. port
      port = port + 1
    else
      self.uris[i] = "unix/:" .. fio.pathjoin(self.dir, i .. ".sock")
    end
  end
  local quoted = {}
  for i, uri in ipairs(self.uris) do quoted[i] = ("%q"):format(uri) end
  local file = fio.open(fio.pathjoin(self.dir, "config.lua"), { "O_WRONLY", "O_CREAT", "O_TRUNC" }, tonumber("600", 8))
  file:write(CONFIG:format(table.concat(quoted, ", "), self.dir, options.fold_after or 1e9))
  file:close()
  return self
end

function Cluster:log(i)
  return fio.pathjoin(self.dir, "log" .. i)
end

local function spawn(self, i, create)
  local command = {
    fio.readlink "/proc/self/exe", fio.pathjoin(HERE, "instance.lua"),
    fio.pathjoin(self.dir, "config.lua"), tostring(i),
  }
  if create then command[#command + 1] = "create" end
  if self.wrap then command = self.wrap(i, command) end
  local env = os.environ() -- luacheck: ignore 143
  env.ASTAR_SERVICE_LOG = self:log(i)
  env.ASTAR_SERVICE_SCHEMA = self.schema and tostring(self.schema) or nil
  self.processes[i] = assert(popen.new(command, {
    stdin = popen.opts.DEVNULL, stdout = popen.opts.DEVNULL, stderr = popen.opts.DEVNULL,
    env = env, group_signal = false,
  }))
end

-- Starts an instance, and again whenever it ends by itself, as whoever runs such a process does.
function Cluster:start(i, create)
  self.wanted[i] = true
  self.starts[i] = (self.starts[i] or 0) + 1
  local turn = self.starts[i]
  spawn(self, i, create)
  fiber.create(function()
    while self.wanted[i] and self.starts[i] == turn do
      if self.processes[i]:info().status.state ~= "alive" and self.wanted[i] and self.starts[i] == turn then
        self.processes[i]:close()
        spawn(self, i)
      end
      fiber.sleep(0.05)
    end
  end)
end

function Cluster:start_all()
  for i in ipairs(self.uris) do self:start(i, i == 1) end
end

function Cluster:signal(i, name)
  if self.processes[i] then pcall(self.processes[i].signal, self.processes[i], popen.signal["SIG" .. name]) end
end

-- Ends an instance at once, by a signal that nothing can hold up.
function Cluster:kill(i)
  self.wanted[i] = false
  self:signal(i, "KILL")
  while self.processes[i] and self.processes[i]:info().status.state == "alive" do fiber.sleep(0.002) end
  if self.processes[i] then self.processes[i]:close() end
  self.processes[i] = nil
end

-- Ends all and removes their rows.
function Cluster:stop()
  for i in ipairs(self.uris) do
    self:signal(i, "CONT")
    self:kill(i)
  end
  if not self.keep then fio.rmtree(self.dir) end
end

-- Waits until `count` instances (all) follow one writer; its number, or nil after so many seconds.
function Cluster:wait(client, count, seconds)
  local till = fiber.clock() + (seconds or 20)
  repeat
    local writer, agree = nil, 0
    for i, health in ipairs(client:health()) do
      if health and health.is_writer then writer = i end
    end
    for _, health in ipairs(client:health()) do
      local agrees = health and health.ready and health.writer == writer
      if agrees and (health.is_writer or health.upstream == "follow") then agree = agree + 1 end
    end
    if writer and agree >= (count or #self.uris) then return writer end
    fiber.sleep(0.02)
  until fiber.clock() > till
end

return cluster
