-- fairness.lua -- what a client with many connections costs another with few: lua5.3 test/fairness.lua [SECONDS [ROUNDS
-- [KIND]]].
--
-- A client of 60 connections sends requests of one kind without end, and one of 4 connections asks for cells. The few
-- must not be refused, and the instance must stay ready, whatever the many do. Times are compared in rounds: the few
-- alone, then beside the many.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local astar = require "astar"
local cjson = require "cjson"
local load = require "load"
local loop = require "loop"
local machines = require "machines"
local mime = require "mime"
local programs = require "programs"
local report = require "report"

local SECONDS, ROUNDS, ONLY = tonumber(arg[1] or 2), tonumber(arg[2] or 3), arg[3]
local SIDE, MANY, FEW = 512, 60, 4
local MOST = tonumber(os.getenv "ASTAR_MOST_WAIT" or 3) -- how many times as long as alone the few may wait
local MOST_ROUNDS = 9 -- of a kind above MOST after ROUNDS rounds: the machine's other work comes and goes
local STALL = 1000 -- milliseconds: more than a slow and busy machine explains
local DIR = os.getenv "ASTAR_TEST_DIR" or "/tmp/astar-fairness"

local KINDS = { "cell", "route", "far", "flow", "fresh", "least", "long", "ground", "dump", "edit" }

-- What the many may be told beside 200: that they are too many, that no such version came, that their edit is invalid.
local MAY_BE = { ["429 busy"] = true, ["503 behind"] = true, ["400 nil"] = true }
-- Sixty dumps of a megabyte each are more than the 64 MB of long answers that one client may have in flight.
local MAY_BE_OF = { dump = { ["429 memory"] = true } }

math.randomseed(5)
local dice = math.random

-- Walls with gaps: far routes are long ones.
local function clutter(side)
  local rows = {}
  for y = 1, side do
    local cells = {}
    for x = 1, side do cells[x] = y > 1 and y < side and dice(100) <= 30 and "#" or "." end
    rows[y] = table.concat(cells)
  end
  return table.concat(rows, "\n")
end

-- One corridor that winds over the whole map.
local function winding()
  local rows = {}
  for y = 1, SIDE - 1 do
    local wall = ("#"):rep(SIDE - 1)
    rows[y] = y % 4 == 2 and wall .. "." or y % 4 == 0 and "." .. wall or ("."):rep(SIDE)
  end
  return table.concat(rows, "\n")
end

-- Way-points in a lattice, each joined to the next ones.
local function ways()
  local graph, every = astar.graph(), 8
  local function key(x, y) return y * 1000 + x end
  for y = 1, SIDE, every do
    for x = 1, SIDE, every do
      graph:node(key(x, y), x, y)
      if x > every then graph:edge(key(x - every, y), key(x, y)) end
      if y > every then graph:edge(key(x, y - every), key(x, y)) end
    end
  end
  return mime.b64(graph:dump())
end

-- Starts a client, by a command before its own: what it tells when it ends.
local function hose(node, token, connections, seconds, kind, priority)
  local log = ("%s/%s-%s.log"):format(DIR, token, kind)
  os.remove(log)
  local command = programs.command { os.getenv "ASTAR_TEST_LUA" or "lua5.3", HERE .. "/hose.lua", node.host, node.port,
    token, connections, seconds, kind }
  local pid = programs.start(priority .. " " .. command, log)
  return function()
    loop.wait(seconds + 40, function() return not programs.is_alive(pid) end)
    local file = assert(io.open(log))
    local text = file:read "a"
    file:close()
    local line = text:match "{.*}"
    if not line then error("a client ended with: " .. text) end
    return cjson.decode(line)
  end
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- Puts what is measured before the machine's other work, if that is permitted: else the times are those of the
-- neighbours. Whether it is.
local function prefer(cluster)
  for _, what in ipairs { "haproxy", "etcd" } do
    if not programs.run(("chrt -a -r -p 10 %d"):format(cluster:pid(what, 1))) then return false end
  end
  return true
end

local function tell(statuses)
  local parts = {}
  for name, count in pairs(statuses) do parts[#parts + 1] = ("%d of %s"):format(count, name) end
  table.sort(parts)
  return table.concat(parts, ", ")
end

-- Asks /readyz all the time: how often it was asked, and what else than 200 it said.
local function watch(cluster, state)
  while state.is_on do
    local status, body = cluster:get(1, "/readyz", 2)
    state.looks = state.looks + 1
    if status ~= 200 then state.unready = tostring(status) .. " " .. tostring(body) end
    loop.sleep(0.02)
  end
end

local function measure(cluster, kind, is_preferred)
  local node, first, last = cluster.nodes[1], is_preferred and "chrt -r 20" or "nice -n 0", "nice -n 5"
  local ratios, alone, beside, refused, many = {}, {}, {}, {}, nil
  local state = { is_on = true, looks = 0 }
  loop.spawn(watch, cluster, state)
  for round = 1, MOST_ROUNDS do
    if round > ROUNDS and (not is_preferred or median { table.unpack(ratios) } <= MOST) then break end
    local one = hose(node, "ask2-token", FEW, SECONDS, "cell", first)()
    local greedy = hose(node, kind == "edit" and "edit-token" or "ask-token", MANY, SECONDS + 1, kind, last)
    loop.sleep(0.5)
    local two = hose(node, "ask2-token", FEW, SECONDS, "cell", first)()
    many = greedy()
    alone[round], beside[round], ratios[round] = one.p99, two.p99, two.p99 / one.p99
    for name in pairs(two.statuses) do
      if name ~= "200" then refused[#refused + 1] = tell(two.statuses) end
    end
  end
  state.is_on = false
  local ratio = median(ratios)
  print(("        99 in 100 cells within %.2f ms alone, %.2f ms beside, %.1f times as long in the middle of %d rounds")
    :format(median(alone), median(beside), ratio, #ratios))
  print(("        the many: %s"):format(tell(many.statuses)))
  report.check(kind .. ": no query of the few is refused", #refused == 0, refused[1])
  report.check(kind .. ": the instance stays ready", state.looks > 10 and not state.unready, state.unready)
  local odd
  for name in pairs(many.statuses) do
    if name ~= "200" and not MAY_BE[name] and not (MAY_BE_OF[kind] or {})[name] then odd = tell(many.statuses) end
  end
  report.check(kind .. ": the many are answered, or told why not", not odd and many.statuses, odd)
  if is_preferred then
    local claim = ("%s: the few wait at most %g times as long as alone"):format(kind, MOST)
    report.check(claim, ratio <= MOST, ("%.1f"):format(ratio))
  else
    report.check(kind .. ": the few do not stall", median(beside) < STALL, median(beside))
  end
end

-- A client that never waits for its answers: connections that pile up.
local function hammer(node, state)
  while state.is_on do
    local client = load.client({ node }, "hammer", "ask-token")
    local question = { find_path = { dice(SIDE), 1, dice(SIDE), SIDE } }
    client:try("POST", "/v1/maps/fair/questions", { questions = { question }, fresh = dice(2) == 1 }, 0.05)
    client:go_on()
  end
end

local function measure_hammer(cluster)
  local state = { is_on = true }
  for _ = 1, 24 do loop.spawn(hammer, cluster.nodes[1], state) end
  loop.sleep(0.5)
  local two = hose(cluster.nodes[1], "ask2-token", FEW, SECONDS, "cell", "nice -n 0")()
  state.is_on = false
  loop.sleep(0.2)
  print(("        99 in 100 within %.2f ms"):format(two.p99))
  report.check("clients that leave: no query of another is refused", two.statuses["200"] == two.count,
    tell(two.statuses))
  report.check("    and none stalls", two.p99 < STALL, two.p99)
end

os.execute("rm -rf " .. DIR .. " && mkdir -p " .. DIR)
local cluster = machines.new { dir = DIR, count = 1 }
report.part("fairness", function()
  cluster:up()
  loop.run(function()
    cluster:wait(60)
    local admin = load.client(cluster.nodes, "admin", "admin-token")
    admin:insist("PUT", "/v1/maps/fair", { drawing = clutter(SIDE) }, 30)
    admin:insist("PUT", "/v1/maps/large", { drawing = clutter(1024) }, 30)
    admin:insist("PUT", "/v1/maps/winding", { drawing = winding() }, 30)
    admin:insist("PUT", "/v1/maps/ways", { graph = ways() }, 30)
    local is_preferred = prefer(cluster)
    for _, kind in ipairs(KINDS) do
      if not ONLY or kind == ONLY then
        print("---- " .. kind)
        report.part(kind, measure, cluster, kind, is_preferred)
      end
    end
    if not ONLY then report.part("clients that leave", measure_hammer, cluster) end
  end)
end)
cluster:down()
programs.kill_all()
local is_good = report.summary()
if is_good then os.execute("rm -rf " .. DIR .. " 2>/dev/null") end
os.exit(is_good and 0 or 1)
