-- chaos.lua -- the service under faults: lua5.3 test/chaos.lua [FAULTS [SEED]]. Clients edit and ask while processes
-- are killed and paused, cables cut, disks filled, logs folded; then all that they saw is checked (checker.lua).

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local faults = require "faults"
local history = require "history"
local load = require "load"
local loop = require "loop"
local machines = require "machines"
local programs = require "programs"

local FAULTS, SEED = tonumber(arg[1] or 30), tonumber(arg[2] or os.time())
local ONLY = arg[3] -- a part of a fault's name: no others
-- Edits must be accepted again this many seconds after any one fault. Where much else runs on the machine, as
-- fairness.lua has it, an election of etcd and the requests that time out meanwhile take longer.
local WITHIN = tonumber(os.getenv "ASTAR_MOST_WAIT" or 3) > 3 and 15 or 3
local REST = 0.7 -- seconds between two faults
local LOG = 5000 -- entries at most that an etcd reads when it starts: else that takes longer the longer all runs

local DIR = os.getenv "ASTAR_TEST_DIR" or ("/tmp/astar-chaos-%d"):format(SEED)

math.randomseed(SEED)

local function draw_some(dice)
  local draw = faults.draw(dice)
  return function()
    for _ = 1, 1000 do
      local fault = draw()
      if not ONLY or fault.name:find(ONLY, 1, true) then return fault end
    end
    error("no fault is called " .. ONLY)
  end
end

local function middle(list)
  table.sort(list)
  return list[math.max(1, math.ceil(#list / 2))] or 0, list[#list] or 0
end

-- One fault: breaks, mends, and waits until edits go through; how long they stood still.
local function run_fault(its, cluster, fault, n)
  local i, began = math.random(cluster.count), loop.now()
  fault.run(cluster, math.random, i, its)
  local mended = loop.now()
  local again = loop.wait(20, function() return its.acknowledged[#its.acknowledged] > mended end)
  loop.sleep(REST)
  local from = fault.keeps and began or mended
  local gap = its:longest_gap(from, loop.now())
  local text = ("%d: %s (machine %d)"):format(n, fault.name, i)
  if not again then
    its.problems[#its.problems + 1] = text .. ": no edit goes through 20 s after it was mended"
    its.is_dead = true
  elseif gap > WITHIN then
    its.problems[#its.problems + 1] = ("%s: no edit for %.2f s"):format(text, gap)
  end
  print(("%s, %.1f s: edits stood still for %.2f s"):format(text, mended - began, gap))
  if gap > WITHIN then its:tell_trail(began, loop.now()) end
  io.flush()
  return gap
end

local function go(cluster, seen)
  local its = load.new { nodes = cluster.nodes, history = seen, maps = { "town", "keep" }, random = math.random,
    moves = true }
  its:make(load.client(cluster.nodes, "maker", "admin-token"))
  its:start()
  loop.sleep(1)
  local draw, gaps = draw_some(math.random), { keeps = {}, breaks = {} }
  for n = 1, FAULTS do
    local fault = draw()
    local list = fault.keeps and gaps.keeps or gaps.breaks
    list[#list + 1] = run_fault(its, cluster, fault, n)
    if its.is_dead then break end
  end
  if its.is_dead then its.options.patience = 1 end
  if not its:stop() then its.problems[#its.problems + 1] = "clients do not come to an end" end
  if not cluster:wait(its.is_dead and 1 or 30) then
    its.problems[#its.problems + 1] = "instances are not ready 30 s after the last fault"
  end
  its:dump(its.is_dead and 2 or 20)
  for i = 1, cluster.count do
    local entries = cluster:log_entries(i)
    if not entries or entries > LOG then
      its.problems[#its.problems + 1] = ("etcd of machine %d reads %s entries when it starts"):format(i, entries or "?")
    end
  end
  return its, gaps
end

os.execute("rm -rf " .. DIR .. " && mkdir -p " .. DIR)
print(("seed %d, %d faults, %s, files in %s"):format(SEED, FAULTS,
  space.is_own and "machines in namespaces" or "machines on loopback", DIR))
local cluster = machines.new { dir = DIR, fold = 200, disk = math.random(3), threads = 4 }
local ok, is_bad = pcall(function()
  cluster:up()
  return loop.run(function()
    if not cluster:wait(60) then error "the instances are not ready after 60 s" end
    local seen = history.new(DIR)
    local began = loop.now()
    local its, gaps = go(cluster, seen)
    local took = loop.now() - began
    local result = seen:finish(600)
    local counts = result.counts
    print(("%d edits acknowledged, %d answers with %d questions (%d asked fresh, %d that may be old) in %.0f s")
      :format(counts.edits or 0, counts.answers or 0, counts.questions or 0, counts.fresh or 0, counts.stale or 0,
      took))
    print(("%d checked late, %d by Dijkstra, %d whole maps; the slowest answer took %.2f s"):format(counts.late or 0,
      counts.plainly or 0, counts.dumps or 0, its.slowest))
    print(("%d times a map was made and dropped"):format(its.comings))
    for why, count in pairs(its.refused) do print(("%d questions refused: %s"):format(count, why)) end
    for _, what in ipairs { "haproxy", "etcd" } do
      print(("memory of %s, MB: %.0f, %.0f, %.0f"):format(what, cluster:memory(what, 1), cluster:memory(what, 2),
        cluster:memory(what, 3)))
    end
    print(("edits stood still for %.2f s in the middle, %.2f at most, where a majority was left")
      :format(middle(gaps.keeps)))
    print(("and for %.2f s, %.2f at most, after one was there again"):format(middle(gaps.breaks)))
    for i = 1, math.min(30, #its.problems) do print("PROBLEM " .. its.problems[i]) end
    for i = 1, math.min(30, #result.problems) do print("PROBLEM " .. result.problems[i]) end
    local found = #its.problems + #result.problems
    print(("%d problems, seed %d"):format(found, SEED))
    return found > 0 or (counts.edits or 0) == 0 or (counts.answers or 0) == 0
  end)
end)
if not ok then print("PROBLEM " .. tostring(is_bad)) end
cluster:down()
programs.kill_all()
if ok and not is_bad then os.execute("rm -rf " .. DIR .. " 2>/dev/null") end
os.exit(ok and not is_bad and 0 or 1)
