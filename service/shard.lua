-- shard.lua -- what a game's shard asks of the service: tarantool shard.lua [SECONDS [MONSTERS [MAPS]]]
--
-- Monsters walk on many maps: each asks for a route, walks it at four cells a second, rests, and asks again; doors open
-- and shut. Their movements are drawn beforehand, so each run asks the same, first of one instance, then of three; the
-- clock is turned up until answers come late. Ends by itself, and leaves nothing running.

local fio = require "fio"
package.path = fio.pathjoin(fio.dirname(fio.abspath(arg[0])), "?.lua;") .. package.path

local astar = require "astar"
local clock = require "clock"
local fiber = require "fiber"
local client = require "astar_service.client"
local cluster = require "cluster"

local SECONDS, MONSTERS, MAPS = tonumber(arg[1] or 3), tonumber(arg[2] or 10000), tonumber(arg[3] or 64)
local SIDE, DOORS = 128, 40   -- cells a side of a map; doors a map
local SPEED, REST = 4, 5      -- cells a second; seconds between two walks, on the average
local BATCH, LATE = 50, 0.1   -- routes a call; seconds after which an answer is late
local CONNECTIONS = 4

require("log").level(0)

local seed = 20
local function dice(n)
  seed = seed * 48271 % 2147483647
  return seed % n + 1
end

-- ---- maps and movements, the same each time ----

local function name_of(i) return ("dungeon-%02d"):format(i) end

-- Rooms of 8 x 8 with doors: some of the doors open and shut.
local function dungeon()
  local grid, doors = astar.grid(SIDE, SIDE), {}
  for at = 9, SIDE, 9 do
    grid:fill(at, 1, 1, SIDE, "#")
    grid:fill(1, at, SIDE, 1, "#")
  end
  for y = 1, SIDE - 9, 9 do
    for x = 1, SIDE - 9, 9 do
      for _, door in ipairs { { x + 8, y + dice(7) }, { x + dice(7), y + 8 } } do
        grid:set(door[1], door[2], ".")
        if #doors < DOORS and dice(5) == 1 then doors[#doors + 1] = door end
      end
    end
  end
  return grid, doors
end

local function free_cell(grid)
  while true do
    local x, y = dice(SIDE - 10), dice(SIDE - 10)
    if grid:is_walkable(x, y) then return x, y end
  end
end

-- One monster after another: when it asks, on which map, from where and to where, within a minute, in order of time.
local function movements(grids)
  local list = {}
  for _ = 1, MONSTERS do
    local map = dice(MAPS)
    local grid = grids[map]
    local x, y = free_cell(grid)
    local time = dice(10000) / 10000 * REST * 4
    while time < 60 do
      local gx, gy = x + dice(41) - 21, y + dice(41) - 21
      if gx >= 1 and gy >= 1 and gx <= SIDE - 10 and gy <= SIDE - 10 and grid:is_walkable(gx, gy) then
        list[#list + 1] = { time = time, map = map, question = { "find_path", x, y, gx, gy } }
        time = time + (math.abs(gx - x) + math.abs(gy - y)) / SPEED
        x, y = gx, gy
      end
      time = time + dice(1000) / 1000 * REST * 2
    end
  end
  table.sort(list, function(a, b) return a.time < b.time end)
  return list
end

-- ---- playing ----

local function percentile(list, share)
  table.sort(list)
  return list[math.max(1, math.ceil(#list * share))] or 0
end

-- Plays `seconds` of movements, `speed` times as fast; returns answers a second and how late they were.
local function play(clients, list, doors, speed)
  local began, late, asked, at, left = clock.monotonic(), {}, 0, 1, 0
  local function now() return (clock.monotonic() - began) * speed end
  local open, stop = {}, false
  fiber.create(function() -- a door a map every five seconds
    while not stop do
      fiber.sleep(5 / MAPS / speed)
      local map = dice(MAPS)
      local door = doors[map][dice(#doors[map])]
      local key = map .. ":" .. door[1] .. ":" .. door[2]
      open[key] = not open[key]
      pcall(clients[1].edit, clients[1], name_of(map), { open[key] and "block" or "unblock", door[1], door[2] })
    end
  end)
  local turn = 0
  while list[at] and clock.monotonic() - began < SECONDS do
    local by_map = {}
    while list[at] and list[at].time <= now() do
      local entry = list[at]
      local group = by_map[entry.map] or {}
      by_map[entry.map] = group
      group[#group + 1] = entry
      at = at + 1
    end
    for map, group in pairs(by_map) do
      for first = 1, #group, BATCH do
        local questions = {}
        for i = first, math.min(first + BATCH - 1, #group) do questions[#questions + 1] = group[i].question end
        turn = turn % #clients + 1
        local c, due = clients[turn], clock.monotonic()
        left = left + 1
        fiber.create(function()
          pcall(c.ask_many, c, name_of(map), questions)
          left = left - 1
          asked = asked + #questions
          late[#late + 1] = clock.monotonic() - due
        end)
      end
    end
    fiber.sleep(0.02) -- the shard's tick
  end
  while left > 0 do fiber.sleep(0.01) end
  stop = true
  local time = clock.monotonic() - began
  return asked / time, percentile(late, 0.5) * 1000, percentile(late, 0.99) * 1000
end

local function run(count)
  local service = cluster.new { count = count, tcp = true }
  service:start_all()
  local ok, why = pcall(function()
    local clients = {}
    for i = 1, CONNECTIONS do
      clients[i] = client.new { uris = service.uris, user = "editor", password = "edits", timeout = 5 }
    end
    if not service:wait(clients[1]) then error "the instances did not come up" end
    seed = 20
    local grids, doors = {}, {}
    for i = 1, MAPS do
      grids[i], doors[i] = dungeon()
      clients[1]:make(name_of(i), grids[i], { { ".", 1 }, { "#", false } })
    end
    local list = movements(grids)
    print(("%d instance%s, %d monsters on %d maps of %d x %d, %.0f routes a second at speed 1"):format(count,
      count > 1 and "s" or "", MONSTERS, MAPS, SIDE, SIDE, #list / 60))
    local speed = 1
    repeat
      local rate, median, slow = play(clients, list, doors, speed)
      print(("  speed %4.1f: %6.0f routes a second, in calls of up to %d; median %6.1f ms, 99 in 100 within %6.1f ms")
        :format(speed, rate, BATCH, median, slow))
      io.flush()
      speed = speed * 1.6
    until slow > LATE * 1000
  end)
  service:stop()
  if not ok then error(why, 0) end
end

for _, count in ipairs { 1, 3 } do
  local ok, why = pcall(run, count)
  if not ok then
    io.stderr:write(tostring(why), "\n")
    os.exit(1)
  end
end
os.exit(0)
