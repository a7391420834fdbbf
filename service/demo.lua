-- demo.lua -- what `make service` runs: one etcd and one haproxy on this machine, a village, guards of two processes
-- that ask for their ways while a bridge opens, kills, and what it took. It ends by itself, stops what it started and
-- removes it.
--
--   lua5.3 demo.lua            all of it
--   lua5.3 demo.lua guards N   the guards of process N, started by that

local HERE = (arg[0]:match "^(.*)/" or ".")
package.path = HERE .. "/?.lua;" .. package.path

local client = require "astar_service.client"
local socket = require "socket"

local PORT = tonumber(os.getenv "PORT" or 18750)
local URL = ("http://127.0.0.1:%d"):format(PORT + 1)

local VILLAGE = {
  "........................................................",
  "..##########..####.######..##############..#########....",
  "..#........#..#........#...#............#..#.......#....",
  "..#........#..##########...#............#..#.......#....",
  "..####..####...............####..########..####.####....",
  "........................................................",
  "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~==~~~",
  "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~==~~~",
  "........................................................",
  "..######..########..#####..##########..############.....",
  "..#....#..#......#..#...#..#........#..#..........#.....",
  "..#.......#.........#......#...........#................",
  "..######..########..#####..##########..############.....",
}
local TERRAIN = { ["."] = 1, ["="] = 1, ["#"] = false, ["~"] = false }

-- Where guards stand, and where they are to go.
local GUARDS = { { 6, 3, 6, 11 }, { 31, 6, 26, 11 }, { 46, 3, 52, 12 }, { 17, 5, 14, 12 } }

local function say(...)
  io.write(string.format(...), "\n")
  io.flush()
end

local function draw(answer)
  local rows = {}
  for y, row in ipairs(VILLAGE) do rows[y] = row end
  for i = 1, #answer.cells, 2 do
    local x, y = answer.cells[i], answer.cells[i + 1]
    rows[y] = rows[y]:sub(1, x - 1) .. "*" .. rows[y]:sub(x + 1)
  end
  for _, row in ipairs(rows) do say("    %s", row) end
end

-- ---- guards, in a process of their own ----

local function patrol(number)
  local c = client.new { urls = { URL }, token = "ask-token" }
  local questions = {}
  for i, guard in ipairs(GUARDS) do questions[i] = { find_path = guard } end
  local known, till = nil, socket.gettime() + 30
  repeat
    local answers, why = c:ask_many("village", questions)
    if not answers then error(why) end
    local lengths, version = {}, answers[1].version
    for i, answer in ipairs(answers) do lengths[i] = answer.cost and ("%.0f"):format(answer.cost) or answer.reason end
    if version ~= known then
      say("    guards of process %s, by version %d of the village: their ways are %s long", number, version,
        table.concat(lengths, ", "))
    end
    known = version
    socket.sleep(0.02)
  until known >= 2 or socket.gettime() > till
  c:close()
end

if arg[1] == "guards" then return patrol(arg[2]) end

-- ---- the service ----

local function cluster(command)
  local where = ("PORT=%d DIR='%s/../build/service-demo'"):format(PORT, HERE)
  local ok = os.execute(("%s sh '%s/cluster.sh' %s"):format(where, HERE, command))
  return ok == true or ok == 0
end

local function wait_ready(c)
  local till = socket.gettime() + 20
  while not c:maps() and socket.gettime() < till do socket.sleep(0.05) end
end

local function show_village(c)
  assert(c:make("village", { drawing = table.concat(VILLAGE, "\n"), options = { terrain = TERRAIN } }))
  local answer = assert(c:ask("village", { find_path = GUARDS[1], all_cells = true }))
  say("\nA guard's way through the village, asked by HTTP: %d cells, by the bridge in the east", #answer.cells / 2)
  draw(answer)
  say("\nGuards of two processes ask for their ways again and again. Then a bridge opens in the west, an edit:")
  local pipes = {}
  for i = 1, 2 do pipes[i] = io.popen(("%s '%s' guards %d 2>&1"):format(arg[-1] or "lua5.3", arg[0], i)) end
  socket.sleep(0.5)
  assert(c:edit("village", { "fill", 20, 7, 2, 2, "=" }))
  for y = 7, 8 do VILLAGE[y] = VILLAGE[y]:sub(1, 19) .. "==" .. VILLAGE[y]:sub(22) end
  socket.sleep(0.3)
  assert(c:edit("village", { "block", 52, 7, 2, 2, "flood" }))
  for _, pipe in ipairs(pipes) do
    io.write(pipe:read "*a")
    pipe:close()
  end
  answer = assert(c:ask("village", { find_path = GUARDS[1], all_cells = true }))
  say("\nThe same guard now, %d cells; the bridge in the east is under water, version 2", #answer.cells / 2)
  draw(answer)
end

local function middle(list, share)
  table.sort(list)
  return list[math.max(1, math.ceil(#list * (share or 0.5)))]
end

local function measure(title, count, run)
  local times, began = {}, socket.gettime()
  for i = 1, count do
    local t = socket.gettime()
    run(i)
    times[i] = (socket.gettime() - t) * 1000
  end
  say("  %-46s %6.0f a second, %5.2f ms in the middle, %5.2f at the 99th", title, count / (socket.gettime() - began),
    middle(times), middle(times, 0.99))
end

local function measure_all(c)
  say("\nWhat it takes here, one client, one after another:")
  measure("a question", 500, function(i) assert(c:ask("village", { find_path = GUARDS[i % 4 + 1] })) end)
  local fifty = {}
  for i = 1, 50 do fifty[i] = { find_path = GUARDS[i % 4 + 1] } end
  measure("50 questions in a request", 50, function() assert(c:ask_many("village", fifty)) end)
  measure("a question by the newest version of all (fresh)", 100, function(i)
    assert(c:ask("village", { find_path = GUARDS[i % 4 + 1] }, { fresh = true }))
  end)
  measure("an edit, on disk", 100, function(i)
    assert(c:edit("village", { i % 2 == 1 and "block" or "unblock", 30, 6 }))
  end)
end

local function show_kills(c)
  say("\nKills, by a signal that nothing can hold up:")
  for _, what in ipairs { "haproxy", "etcd", "both" } do
    local before = c.seen.village
    cluster("kill " .. what .. " 1")
    cluster("start " .. what .. " 1")
    local began = socket.gettime()
    local version = assert(c:edit("village", { "set", 1, 1, "." }))
    local answer = assert(c:ask("village", { find_path = GUARDS[1] }))
    say("  %-8s killed and started: the next edit went through after %.2f s, version %d after %d; the way is %.0f long",
      what, socket.gettime() - began, version, before, answer.cost)
  end
end

local function run()
  say("One etcd and one haproxy start, on %s", URL)
  if not cluster "up 1" then error "the service did not come up" end
  local c = client.new { urls = { URL }, token = "admin-token", patience = 20 }
  wait_ready(c)
  show_village(c)
  measure_all(c)
  show_kills(c)
  c:close()
end

cluster "clean"
local ok, why = pcall(run)
cluster "clean"
if not ok then
  io.stderr:write("make service: ", tostring(why), "\n")
  os.exit(1)
end
say("\nBoth have ended, and what they kept is removed.")
