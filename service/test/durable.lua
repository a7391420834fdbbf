-- durable.lua -- an edit is on the disks of a majority before it is acknowledged: lua5.3 test/durable.lua. strace
-- watches each etcd call fdatasync, and the times are held against those of the answers.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local load = require "load"
local loop = require "loop"
local machines = require "machines"
local programs = require "programs"
local report = require "report"
local socket = require "socket"

local EDITS = 60
local DIR = os.getenv "ASTAR_TEST_DIR" or "/tmp/astar-durable"

-- Makes `EDITS` edits, one after another: when each was sent and acknowledged, by the clock that strace tells.
local function edit(cluster)
  local client, spans = load.client(cluster.nodes, "durable", "edit-token"), {}
  for n = 1, EDITS do
    local body = { client = "durable", request = n, edits = { { "set", n % 9 + 1, 1, "." } } }
    local sent = socket.gettime()
    local status, answer = client:insist("POST", "/v1/maps/durable/edits", body, 20)
    spans[#spans + 1] = { sent, socket.gettime(), status == 200 and answer.version }
    loop.sleep(0.02)
  end
  return spans
end

-- Syncs of the log in a data folder: when each began and ended.
local function syncs(prefix, folder)
  local _, names = programs.run("ls " .. prefix .. ".*")
  local list = {}
  for name in names:gmatch "%S+" do
    for line in io.lines(name) do
      local began, path, took = line:match "^([%d.]+) fdatasync%(%d+<(.-)>.*= 0 <([%d.]+)>"
      if not began then began, path, took = line:match "^([%d.]+) fsync%(%d+<(.-)>.*= 0 <([%d.]+)>" end
      if began and path:find(folder, 1, true) then
        list[#list + 1] = { tonumber(began), tonumber(began) + tonumber(took) }
      end
    end
  end
  return list
end

local function has_synced(list, span)
  for _, sync in ipairs(list) do
    if sync[1] >= span[1] and sync[2] <= span[2] then return true end
  end
  return false
end

local function watch(cluster)
  local tracers = {}
  for i = 1, cluster.count do
    tracers[i] = programs.start(("strace -ff -ttt -T -y -e trace=fdatasync,fsync -p %d -o %s/trace%d"):format(
      cluster:pid("etcd", i), DIR, i), DIR .. "/strace.log")
  end
  loop.sleep(1)
  local spans = edit(cluster)
  loop.sleep(0.2)
  for _, pid in ipairs(tracers) do programs.signal(pid, "TERM") end
  loop.wait(5, function()
    for _, pid in ipairs(tracers) do if programs.is_alive(pid) then return false end end
    return true
  end)
  return spans
end

local function judge(cluster, spans)
  local lists, total = {}, 0
  for i = 1, cluster.count do
    lists[i] = syncs(("%s/trace%d"):format(DIR, i), ("%s/%d/etcd"):format(DIR, i))
    total = total + #lists[i]
  end
  local acknowledged, bare, least = 0, 0, math.huge
  for _, span in ipairs(spans) do
    if span[3] then
      acknowledged = acknowledged + 1
      local count = 0
      for i = 1, cluster.count do count = count + (has_synced(lists[i], span) and 1 or 0) end
      least = math.min(least, count)
      if count <= cluster.count // 2 then bare = bare + 1 end
    end
  end
  report.check(("%d edits acknowledged, %d syncs: each on at least %d of %d disks before its answer")
    :format(acknowledged, total, least, cluster.count), acknowledged == EDITS and bare == 0,
    ("%d of %d are not"):format(bare, acknowledged))
  local late = {} -- no more than what would be seen by chance: between two edits nothing syncs
  for i = 2, #spans do
    local quiet = { spans[i - 1][2] + 0.005, spans[i][1] - 0.002 }
    for k = 1, cluster.count do late[#late + 1] = has_synced(lists[k], quiet) and 1 or nil end
  end
  report.check(("between edits there are few syncs (%d of %d pauses)"):format(#late, (#spans - 1) * cluster.count),
    #late < (#spans - 1) * cluster.count / 2)
end

os.execute("rm -rf " .. DIR .. " && mkdir -p " .. DIR)
local _, kind = programs.run("stat -f -c %T " .. DIR)
if not programs.run "strace -V" then
  report.skip("syncs before answers", "no strace here")
elseif kind:find "tmpfs" then
  report.skip("syncs before answers", DIR .. " is in memory, not on a disk")
elseif not programs.run "strace -e trace=none true" then
  report.skip("syncs before answers", "strace is not permitted")
else
  local cluster = machines.new { dir = DIR, fold = 100000 }
  report.part("durable", function()
    cluster:up()
    loop.run(function()
      cluster:wait(60)
      local admin = load.client(cluster.nodes, "admin", "admin-token")
      admin:insist("PUT", "/v1/maps/durable", { width = 9, height = 9 }, 20)
      judge(cluster, watch(cluster))
    end)
  end)
  cluster:down()
end
programs.kill_all()
local is_good = report.summary() or report.failed == 0 and report.skipped > 0
if is_good then os.execute("rm -rf " .. DIR .. " 2>/dev/null") end
os.exit(is_good and 0 or 1)
