-- demo.lua -- what `make service` runs: three instances on this machine, a client that asks, edits and kills, and a
-- page of what that took. It ends by itself and leaves nothing running.

local fio = require "fio"
package.path = fio.pathjoin(fio.dirname(fio.abspath(arg[0])), "?.lua;") .. package.path

local astar = require "astar"
local clock = require "clock"
local fiber = require "fiber"
local net = require "net.box"
local client = require "astar_service.client"
local cluster = require "cluster"

local QUESTIONS = tonumber(arg[1] or 2000)

require("log").level(0) -- connections that fail are part of the show

local function say(...)
  io.write(string.format(...), "\n")
  io.flush()
end

-- ---- a town to see ----

local TOWN = {
  "........................................................",
  "..##########..####.######..##############..#########....",
  "..#........#..#........#...#............#..#.......#....",
  "..#........#..#........#...#............#..#.......#....",
  "..#........#..##########...#............#..#.......#....",
  "..####..####...............####..########..####.####....",
  "........................................................",
  "~~~~~~~~~~~~~~~~~~~~==~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~==~~",
  "~~~~~~~~~~~~~~~~~~~~==~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~==~~",
  "........................................................",
  "..######..########..#####..##########..############.....",
  "..#....#..#......#..#...#..#........#..#..........#.....",
  "..#.......#.........#......#...........#................",
  "..######..########..#####..##########..############.....",
}
local TOWN_PALETTE = { { ".", 1 }, { "=", 1 }, { "#", false }, { "~", false } }

local function draw(answer)
  local rows = {}
  for y, row in ipairs(TOWN) do rows[y] = row end
  local function put(x, y, character) rows[y] = rows[y]:sub(1, x - 1) .. character .. rows[y]:sub(x + 1) end
  for i = 1, #answer.cells, 2 do put(answer.cells[i], answer.cells[i + 1], "*") end
  put(answer.cells[1], answer.cells[2], "S")
  put(answer.cells[#answer.cells - 1], answer.cells[#answer.cells], "G")
  for _, row in ipairs(rows) do say("    %s", row) end
end

local function show_town(c)
  local terrain = {}
  for _, entry in ipairs(TOWN_PALETTE) do terrain[entry[1]] = entry[2] end
  c:make("town", astar.grid(TOWN, { terrain = terrain }), TOWN_PALETTE)
  local answer = c:find_path("town", 6, 3, 6, 12, { all_cells = true })
  say("\nA route through the town, asked of one of the instances: %d cells, cost %.1f", #answer.cells / 2, answer.cost)
  draw(answer)
  c:edit("town", { "fill", 21, 8, 2, 2, "~" })
  for y = 8, 9 do TOWN[y] = TOWN[y]:sub(1, 20) .. "~~" .. TOWN[y]:sub(23) end
  answer = c:find_path("town", 6, 3, 6, 12, { all_cells = true })
  say("The flood takes the west bridge, an edit, and the next answer of any instance knows: cost %.1f", answer.cost)
  draw(answer)
end

-- ---- a map to measure ----

local SIDE = 512

local function caves()
  local seed, grid = 7, astar.grid(SIDE, SIDE)
  local function dice() seed = seed * 48271 % 2147483647 return seed / 2147483647 end
  local rock = {}
  for i = 1, SIDE * SIDE do rock[i] = dice() < 0.42 and 1 or 0 end
  for _ = 1, 4 do
    local new = {}
    for y = 1, SIDE do
      for x = 1, SIDE do
        local n = 0
        for j = y - 1, y + 1 do
          for i = x - 1, x + 1 do
            n = n + ((i < 1 or j < 1 or i > SIDE or j > SIDE) and 1 or rock[(j - 1) * SIDE + i])
          end
        end
        new[(y - 1) * SIDE + x] = n > 4 and 1 or 0
      end
    end
    rock = new
  end
  local free = {}
  for i, is_rock in ipairs(rock) do
    local x, y = (i - 1) % SIDE + 1, math.floor((i - 1) / SIDE) + 1
    if is_rock == 1 then grid:set(x, y, "#") else free[#free + 1] = { x, y } end
  end
  return grid, function() return free[math.floor(dice() * #free) + 1] end
end

local function make_questions(grid, any)
  local finder, list = grid:finder(), {}
  while #list < QUESTIONS do
    local a, b = any(), any()
    local path = finder:find_path(a[1], a[2], b[1], b[2])
    if path then list[#list + 1] = { "find_path", a[1], a[2], b[1], b[2], cost = path.cost } end
  end
  return list
end

local function as_asked(q)
  return { q[1], q[2], q[3], q[4], q[5] }
end

local function middle(list, share)
  table.sort(list)
  return list[math.max(1, math.ceil(#list * (share or 0.5)))] or 0
end

local wrong = 0

local function ask_by(c, questions, fibers)
  local at, times, done = 0, {}, fiber.channel(fibers)
  local began = clock.monotonic()
  for _ = 1, fibers do
    fiber.create(function()
      while at < #questions do
        at = at + 1
        local q = questions[at]
        local t = clock.monotonic()
        local answer = c:ask("caves", as_asked(q))
        times[#times + 1] = (clock.monotonic() - t) * 1e6
        if answer.cost ~= q.cost then wrong = wrong + 1 end
      end
      done:put(true)
    end)
  end
  for _ = 1, fibers do done:get() end
  return #questions / (clock.monotonic() - began), middle(times), middle(times, 0.99)
end

local function ask_here(grid, questions)
  local finder, times = grid:finder(), {}
  local began = clock.monotonic()
  for i, q in ipairs(questions) do
    local t = clock.monotonic()
    finder:find_path(q[2], q[3], q[4], q[5])
    times[i] = (clock.monotonic() - t) * 1e6
  end
  return #questions / (clock.monotonic() - began), middle(times), middle(times, 0.99)
end

local function ask_in_batches(c, questions, size)
  local began = clock.monotonic()
  for first = 1, #questions, size do
    local list = {}
    for i = first, math.min(first + size - 1, #questions) do list[#list + 1] = as_asked(questions[i]) end
    for i, answer in ipairs(c:ask_many("caves", list)) do
      if answer.cost ~= questions[first + i - 1].cost then wrong = wrong + 1 end
    end
  end
  return #questions / (clock.monotonic() - began)
end

local function report(name, rate, median, slow)
  say("  %-44s %8.0f answers a second%s", name, rate,
    median and ("   median %4.0f us, 99 in 100 within %5.0f us"):format(median, slow) or "")
end

local function measure_answers(service, c, grid, questions)
  say("\nRoutes through caves of %d x %d cells, %d questions with known costs:", SIDE, SIDE, #questions)
  ask_here(grid, questions)
  local rate, here = ask_here(grid, questions)
  report("called in this process", rate, here, select(3, ask_here(grid, questions)))
  local one = client.new { uris = { service.uris[1] }, user = "asker", password = "asks" }
  ask_by(one, questions, 1)
  local alone, median, slow = ask_by(one, questions, 1)
  report("one instance, one question at a time", alone, median, slow)
  report("one instance, 32 at a time", ask_by(one, questions, 32))
  report("one instance, 50 questions a call", ask_in_batches(one, questions, 50))
  report("three instances, 32 at a time", ask_by(c, questions, 32))
  say("  time that the service adds to an answer: %.0f us", median - here)
  one:close()
end

-- ---- edits ----

-- How long an edit takes from the call until each of the instances has it.
local function measure_edits(service, c)
  local writer = service:wait(c)
  local others, acknowledged, seen = {}, {}, {}
  for i, uri in ipairs(service.uris) do
    if i ~= writer then others[#others + 1] = net.connect(uri, { user = "asker", password = "asks" }) end
  end
  for i = 1, 200 do
    local began = clock.monotonic()
    local version = c:edit("caves", { i % 2 == 1 and "block" or "unblock", 5, 5 })
    acknowledged[i] = (clock.monotonic() - began) * 1000
    for _, other in ipairs(others) do
      local answer = other:call("astar_ask", { "caves", { "cell", 5, 5 }, { least = version } })
      assert(answer.blocked == (i % 2 == 1) and answer.version >= version)
    end
    seen[i] = (clock.monotonic() - began) * 1000
  end
  say("\nEdits, each known to two of three instances before it counts as done:")
  say("  done after %.2f ms (99 in 100: %.2f); all three answer by it after %.2f ms (%.2f)",
    middle(acknowledged), middle(acknowledged, 0.99), middle(seen), middle(seen, 0.99))
  for _, other in ipairs(others) do other:close() end
end

-- ---- deaths ----

local function kill_one(service, c, questions, victim, title)
  local answers, slowest, stop, done = 0, 0, false, fiber.channel(8)
  for k = 1, 8 do
    fiber.create(function()
      local at = k * 100
      while not stop do
        at = at % #questions + 1
        local t = clock.monotonic()
        local answer = c:ask("caves", as_asked(questions[at]))
        slowest = math.max(slowest, clock.monotonic() - t)
        if answer.cost ~= questions[at].cost then wrong = wrong + 1 end
        answers = answers + 1
      end
      done:put(true)
    end)
  end
  fiber.sleep(0.2)
  local retries = c.retries
  local began = clock.monotonic()
  service:kill(victim)
  c:edit("caves", { "block", 6, 6 })
  local edited = clock.monotonic() - began
  c:edit("caves", { "unblock", 6, 6 })
  service:start(victim)
  service:wait(c)
  local back = clock.monotonic() - began
  stop = true
  for _ = 1, 8 do done:get() end
  say("  %s: %d answers meanwhile, the slowest after %.0f ms, %d questions asked again elsewhere;",
    title, answers, slowest * 1000, c.retries - retries)
  say("    an edit went through after %.2f s, and the killed one was back and equal after %.2f s", edited, back)
end

-- ---- all of it ----

local function run(service)
  say("Three instances of the pathfinding service start, on %s", table.concat(service.uris, ", "))
  service:start_all()
  local c
  local till = clock.monotonic() + 20
  repeat
    c = client.new { uris = service.uris, user = "editor", password = "edits" }
  until pcall(c.ask, c, "", {}) or service:wait(c, nil, 2) or clock.monotonic() > till
  local writer = service:wait(c)
  if not writer then error "the instances did not come up" end
  say("They are up; instance %d takes edits, the others follow it.", writer)
  show_town(c)
  local grid, any = caves()
  local questions = make_questions(grid, any)
  c:make("caves", grid, { { ".", 1 }, { "#", false } })
  measure_answers(service, c, grid, questions)
  measure_edits(service, c)
  say("\nDeaths, by a signal that nothing can hold up, while eight ask:")
  writer = service:wait(c)
  kill_one(service, c, questions, writer % 3 + 1, "one that follows was killed")
  kill_one(service, c, questions, service:wait(c), "the one that takes edits was killed")
  say("\n%d wrong answers.", wrong)
end

local service = cluster.new { tcp = true }
local ok, why = pcall(run, service)
service:stop()
if not ok then
  io.stderr:write("make service: ", tostring(why), "\n")
  os.exit(1)
end
say("All instances have ended, and their rows are removed.")
os.exit(wrong == 0 and 0 or 1)
