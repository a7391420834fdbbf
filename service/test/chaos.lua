-- chaos.lua -- the service under faults: tarantool test/chaos.lua [FAULTS [SEED]]. Instances are killed and stopped
-- at random while clients edit and ask; then what they saw is checked (history.lua).

local fio = require "fio"
package.path = fio.pathjoin(fio.dirname(fio.abspath(arg[0])), "../?.lua;") .. package.path

require("log").level(2) -- errors of this program; connections that fail are part of it

local astar = require "astar"
local clock = require "clock"
local fiber = require "fiber"
local net = require "net.box"
local client = require "astar_service.client"
local cluster = require "cluster"
local history = require "test.history"

local FAULTS, SEED = tonumber(arg[1] or 20), tonumber(arg[2] or 1)
if not FAULTS or not SEED then error "usage: tarantool test/chaos.lua [FAULTS [SEED]], both numbers" end
local EDITORS, ASKERS, SIDE = 3, 5, 48

math.randomseed(SEED)
local dice = math.random

local PALETTE = { { ".", 1 }, { "#", false }, { "~", 3 } }

local function make()
  return astar.grid(SIDE, SIDE, { terrain = { ["."] = 1, ["#"] = false, ["~"] = 3 }, fill = "." })
end

local function random_edit()
  local x, y, kind = dice(SIDE), dice(SIDE), dice(10)
  local w, h = dice(math.min(4, SIDE - x + 1)), dice(math.min(4, SIDE - y + 1))
  if kind <= 4 then return { "set", x, y, ({ ".", "#", "~" })[dice(3)] } end
  if kind <= 6 then return { "fill", x, y, w, h, ({ ".", "#", "~" })[dice(3)] } end
  if kind == 7 then return { "block", x, y, w, h } end
  if kind == 8 then return { "unblock", x, y, w, h } end
  if kind == 9 then return { "wall", x, y, ({ "north", "east", "south", "west" })[dice(4)] } end
  return { "terrain", "~", dice(2, 5) }
end

local service = cluster.new {}
service:start_all()
local seen = history.new(make)
local admin = client.new { uris = service.uris, user = "editor", password = "edits" }
local begun, why = pcall(function()
  if not service:wait(admin, nil, 60) then error "the instances do not agree after 60 s" end
  admin:make("town", make(), PALETTE)
end)
if not begun then
  print("PROBLEM at the start: " .. tostring(why))
  for i, health in ipairs(admin:health()) do print(i, require("json").encode(health)) end
  print("rows and logs: " .. service.dir)
  service.keep = true
  service:stop()
  os.exit(1)
end

local running, finished, lost = true, fiber.channel(EDITORS + ASKERS), 0

local function edit_on()
  local editor = client.new { uris = service.uris, user = "editor", password = "edits", patience = 20 }
  while running do
    local op = random_edit()
    local ok, version = pcall(editor.edit, editor, "town", op)
    if ok then
      seen:edit(editor.name, editor.number, op, version)
    elseif tostring(version):find "not known" then
      lost = lost + 1
    else
      seen.problems[#seen.problems + 1] = "an edit: " .. tostring(version)
    end
    fiber.sleep(dice() * 0.01)
  end
  finished:put(editor.retries)
end

local slowest = 0

local function ask_on()
  local asker = client.new { uris = service.uris, user = "asker", password = "asks", patience = 20 }
  while running do
    local question = { "find_path", dice(SIDE), dice(SIDE), dice(SIDE), dice(SIDE) }
    local began = clock.monotonic()
    local ok, answer = pcall(asker.ask, asker, "town", question)
    slowest = math.max(slowest, clock.monotonic() - began)
    if ok then
      seen:answer(asker.name, question, answer, asker.turn)
    else
      seen.problems[#seen.problems + 1] = "a question: " .. tostring(answer)
    end
    fiber.sleep(dice() * 0.004)
  end
  finished:put(asker.retries)
end

for _ = 1, EDITORS do fiber.create(edit_on) end
for _ = 1, ASKERS do fiber.create(ask_on) end

-- ---- faults ----

local kills, pauses, to_write = 0, 0, {}

local function writer_now()
  for i, health in ipairs(admin:health()) do
    if health and health.is_writer then return i end
  end
end

-- How long edits stand still once the writer is gone: until another writes.
local function time_to_write(old)
  local began = clock.monotonic()
  repeat
    fiber.sleep(0.01)
    local now = writer_now()
  until now and now ~= old or clock.monotonic() - began > 15
  to_write[#to_write + 1] = clock.monotonic() - began
end

local function fault()
  local i, kind = dice(#service.uris), dice(10)
  local writer = writer_now()
  if kind <= 6 then
    if kind <= 2 then i = writer or i end
    service:kill(i)
    kills = kills + 1
    if i == writer then time_to_write(i) else fiber.sleep(dice() * 0.5) end
    service:start(i)
  elseif kind <= 8 then
    if kind == 7 then i = writer or i end
    service:signal(i, "STOP")
    pauses = pauses + 1
    fiber.sleep(0.1 + dice() * 2)
    service:signal(i, "CONT")
  else -- nobody is left to make a majority
    local one, other = i % #service.uris + 1, (i + 1) % #service.uris + 1
    service:signal(one, "STOP")
    service:signal(other, "STOP")
    pauses = pauses + 2
    fiber.sleep(0.1 + dice() * 3)
    service:signal(one, "CONT")
    service:signal(other, "CONT")
  end
end

-- ---- what the log says of it ----

local BEHIND = 200 -- edits that are left for the next time: answers of their versions may be under way

local function log_of(uri)
  local peer = net.connect(uri, { user = "peer", password = "peers-only" })
  return peer, peer.space.astar_edits
end

local function check(writer, behind)
  local peer, edits = log_of(service.uris[writer])
  local last = edits.index.version:max { "town" }
  local rows, to = {}, (last and tonumber(last[2]) or 0) - behind
  for _, row in ipairs(edits:select({ "town", seen.version + 1 }, { iterator = "GE", limit = 1e7 })) do
    if row[2] <= to then rows[#rows + 1] = { row[2], row[3], row[4], row[5] } end
  end
  peer:close()
  seen:check(rows)
end

for n = 1, FAULTS do
  fault()
  local writer = service:wait(admin, nil, 30)
  if not writer then
    seen.problems[#seen.problems + 1] = "30 s after fault " .. n .. " the instances do not agree"
    for i, health in ipairs(admin:health()) do print(i, require("json").encode(health)) end
    break
  end
  if n % 10 == 0 then
    check(writer, BEHIND)
    print(("%d faults, %d kills, %d answers checked, %d problems"):format(n, kills, seen.answered, #seen.problems))
  end
  io.flush()
end
running = false
local retries = 0
for _ = 1, EDITORS + ASKERS do retries = retries + (finished:get(30) or 0) end
check(service:wait(admin) or 1, 0)
local problems = seen:finish()
for i, uri in ipairs(service.uris) do
  local peer, edits = log_of(uri)
  local last = edits.index.version:max { "town" }
  peer:close()
  if not last or last[2] ~= seen.version then
    problems[#problems + 1] = ("instance %d ends with version %s, the writer %d")
      :format(i, tostring(last and last[2]), seen.version)
  end
end
table.sort(to_write)
print(("%d kills, %d pauses; %d edits acknowledged and found, %d not known"):format(kills, pauses, seen.found, lost))
print(("%d answers checked, %d late; %d asked again"):format(seen.answered, seen.late, retries))
if #to_write > 0 then
  print(("another writes after %.2f s in the middle, %.2f at most; the slowest answer took %.2f s")
    :format(to_write[math.ceil(#to_write / 2)], to_write[#to_write], slowest))
end
for i = 1, math.min(20, #problems) do print("PROBLEM " .. problems[i]) end
service.keep = #problems > 0
if service.keep then print("rows and logs: " .. service.dir) end
service:stop()
os.exit(#problems == 0 and seen.found > 0 and seen.answered > 0 and 0 or 1)
