-- promises.lua -- the service on the real engine, one promise after another: tarantool test/promises.lua

local fio = require "fio"
package.path = fio.pathjoin(fio.dirname(fio.abspath(arg[0])), "../?.lua;") .. package.path

require("log").level(2) -- errors of this program; connections that fail are part of it

local astar = require "astar"
local fiber = require "fiber"
local net = require "net.box"
local client = require "astar_service.client"
local cluster = require "cluster"

local passed, failed = 0, 0

local function check(name, ok, why)
  if ok then passed = passed + 1 else failed = failed + 1 end
  print((ok and "ok    " or "FAILED ") .. name .. (ok and "" or ": " .. tostring(why)))
end

-- Checks that a call fails with a message that holds `text`.
local function refuses(name, text, call, ...)
  local ok, why = pcall(call, ...)
  check(name, not ok and tostring(why):find(text, 1, true), ok and "no error" or why)
end

local PALETTE = { { ".", 1 }, { "#", false } }

local function editor_of(service)
  return client.new { uris = service.uris, user = "editor", password = "edits" }
end

local function drawing()
  return astar.grid { "..........", ".########.", ".........." }
end

-- ---- what is asked and edited ----

local function questions(service)
  local c = editor_of(service)
  check("the instances agree on who writes", service:wait(c))
  local grid = astar.grid(130, 70)
  c:make("town", grid, PALETTE)
  local answer = c:find_path("town", 1, 1, 130, 1)
  check("a route", answer and answer.cost == 129 and answer.version == 0, answer)
  local version = c:edit("town", { "fill", 65, 1, 1, 69, "#" })
  local expected = astar.grid(130, 70)
  expected:fill(65, 1, 1, 69, "#")
  for i = 1, 3 do
    answer = c:find_path("town", 1, 1, 130, 1)
    check("a route after an edit, asked " .. i .. " times",
      answer.cost == expected:find_path(1, 1, 130, 1).cost and answer.version == version, answer.cost)
  end
  c:edit("town", { "link", 64, 1, 66, 1, { cost = 1, label = "gate" } })
  answer = c:find_path("town", 1, 1, 130, 1, { all_cells = true })
  check("a link, told with the cells", answer.links[1][5] == "gate" and #answer.cells == 2 * 129, #answer.cells)
  local list = c:ask_many("town", {
    { "find_path", 1, 1, 5, 5 }, { "find_path", 0, 0, 1, 1 }, { "raycast", 1, 5, 130, 5 },
    { "reachable", 1, 1, 130, 70 }, { "find_nearest", 1, 1, { { 9, 9 }, { 3, 1 } } },
    { "distances", { { 1, 1 } }, { { 1, 1 }, { 4, 1 }, { 65, 1 } } },
  })
  check("many questions at once, a bad one among them", list[1].cost and list[2].error:find "sx must be"
    and list[3].free == false and list[3].x == 65 and list[4].reachable and list[5].goal == 2
    and list[6].distances[2] == 3 and list[6].distances[3] == false)
  answer = c:find_path("town", 1, 1, 3, 3, { unit = { size = 2, diagonals = "never" } })
  check("a unit of its own kind", answer.cost == 4, answer.cost)
  check("edits together or not at all", not pcall(c.edit, c, "town", { { "set", 1, 1, "#" }, { "set", 999, 1, "#" } })
    and c:ask("town", { "cell", 1, 1 }).key == ".")
  local _, why = c:find_path("town", 65, 2, 1, 1)
  check("a reason where there is no way", why == "start blocked", why)
  c:copy("town", "copy")
  c:edit("copy", { "set", 1, 1, "#" })
  check("a copy of its own", c:ask("copy", { "cell", 1, 1 }).key == "#" and c:ask("town", { "cell", 1, 1 }).key == ".")
  check("the copy's route is the original's",
    c:find_path("copy", 2, 1, 130, 1).cost == c:find_path("town", 2, 1, 130, 1).cost)
  local before = c.seen.copy
  c:drop("copy")
  local till, refused = fiber.clock() + 5, 0 -- those that follow hear of it a little later
  while refused < 3 and fiber.clock() < till do
    refused = pcall(c.ask, c, "copy", { "cell", 1, 1 }) and 0 or refused + 1
    fiber.sleep(0.01)
  end
  refuses("a map that was dropped", "there is no map", c.ask, c, "copy", { "cell", 1, 1 })
  c:make("copy", drawing(), PALETTE)
  answer = c:ask("copy", { "cell", 2, 2 })
  check("a map of its name again, versions going on", answer.key == "#" and answer.version > before, answer.version)
  c:close()
end

local function graphs(service)
  local c = editor_of(service)
  local house = astar.graph()
  for i = 1, 50 do house:node("room" .. i, i, 0) end
  for i = 2, 50 do house:edge("room" .. i - 1, "room" .. i, { label = "door " .. i }) end
  c:make("house", house)
  local answer = c:ask("house", { "find_path", "room1", "room50" })
  check("a route over a graph", answer.cost == 49 and #answer.nodes == 50 and answer.labels[1] == "door 2",
    answer.reason)
  c:edit("house", { "edge", "room1", "room50", { cost = 60, label = "tunnel" } })
  c:edit("house", { "block", "room20" })
  for i = 1, 3 do
    answer = c:ask("house", { "find_path", "room1", "room50" })
    check("a door shut, asked " .. i .. " times", answer.cost == 60 and answer.version == 2, answer.cost)
  end
  c:copy("house", "house2")
  c:edit("house2", { "unblock", "room20" })
  check("a copy of a graph", c:ask("house2", { "find_path", "room1", "room50" }).cost == 49)
  check("what is in reach", #c:ask("house", { "reach", "room1", 5 }).nodes == 6)
  c:drop("house2")
  c:close()
end

local function graphs_over_ground(service)
  local c = editor_of(service)
  local roads = astar.graph()
  roads:node("west", 1, 20)
  roads:node("east", 40, 20)
  roads:edge("west", "east", { label = "road" })
  c:make("plain", astar.grid(40, 20), { { ".", 1 }, { "#", false } })
  c:make("roads", roads)
  local question = { "find_path", { 1, 1 }, { 40, 1 }, { ground = { map = "plain" } } }
  local answer = c:ask("roads", question)
  check("a goal in sight over a graph's ground", #answer.nodes == 2 and answer.cost == 39, answer.reason)
  local version = c:edit("plain", { "block", 20, 1, 1, 19 })
  for i = 1, 3 do -- each instance, by the ground's newest version
    answer = c:ask_many("roads", { question })[1]
    check("a route by way-points, asked " .. i .. " times", answer.nodes and answer.nodes[2] == "west"
      and answer.labels[2] == "road" and answer.cost == 77 and answer.ground_version == version, answer.reason)
  end
  answer = c:ask("roads", { "raycast", "west", { 40, 1 }, { ground = { map = "plain" } } })
  check("a ray from a way-point to a cell", answer.free == false and answer.x ~= nil, answer.x)
  c:drop("roads")
  c:drop("plain")
  c:close()
end

-- ---- rights and rubbish ----

local function security(service)
  local c = editor_of(service)
  local guest = net.connect(service.uris[1])
  local reader = net.connect(service.uris[1], { user = "asker", password = "asks" })
  local writer = net.connect(service.uris[service:wait(c)], { user = "editor", password = "edits" })
  refuses("a guest asks", "denied", guest.call, guest, "astar_ask", { "town", { "cell", 1, 1 } })
  refuses("a guest evaluates", "denied", guest.eval, guest, "return 1")
  refuses("a reader evaluates", "denied", reader.eval, reader, "return 1")
  refuses("a reader edits", "denied", reader.call, reader, "astar_edit", { "town", "me", 1, { { "set", 1, 1, "#" } } })
  refuses("a reader votes", "denied", reader.call, reader, "astar_vote", { 1000, 1, {} })
  refuses("a writer evaluates", "denied", writer.eval, writer, "return 1")
  check("a writer does not even see the rows", writer.space.astar_edits == nil and writer.space.astar_maps == nil)
  refuses("a wrong password", "password", function()
    local wrong = net.connect(service.uris[1], { user = "asker", password = "wrong" })
    wrong:ping()
    error(wrong.error)
  end)
  local function ask(...) return reader:call("astar_ask", { ... }) end
  refuses("no map", "there is no map", ask, "nowhere", { "cell", 1, 1 })
  refuses("no map's name", "there is no map", ask, { 1 }, { "cell", 1, 1 })
  refuses("no question", "a question must be a list", ask, "town", "find_path")
  refuses("no such question", 'there is no question "run" to a grid', ask, "town", { "run", "os.exit()" })
  refuses("too many arguments", "takes at most", ask, "town", { "cell", 1, 1, 1 })
  refuses("a cell outside", "must be an integer", ask, "town", { "find_path", 1, 1, 1e9, 1 })
  refuses("a wrong type", "must be an integer", ask, "town", { "find_path", {}, 1, 1, 1 })
  refuses("a misspelt option", "unknown option", ask, "town", { "find_path", 1, 1, 2, 2, { partail = true } })
  refuses("a misspelt unit", "did you mean", ask, "town", { "find_path", 1, 1, 2, 2, { unit = { sise = 2 } } })
  refuses("an option of the call", "unknown option", ask, "town", { "cell", 1, 1 }, { lest = 1 })
  refuses("too many questions", "at most 1000", reader.call, reader, "astar_ask_many", { "town", (function()
    local list = {}
    for i = 1, 1001 do list[i] = { "cell", 1, 1 } end
    return list
  end)() })
  local function edit(...) return writer:call("astar_edit", { ... }) end
  refuses("no such edit", 'there is no edit "dump"', edit, "town", "me", 1, { { "dump" } })
  refuses("an edit of metamethods", 'there is no edit "__gc"', edit, "town", "me", 1, { { "__gc" } })
  refuses("an edit outside", "must be an integer", edit, "town", "me", 1, { { "set", 0, 0, "#" } })
  refuses("an unknown key", "unknown terrain", edit, "town", "me", 1, { { "set", 1, 1, "?" } })
  refuses("no edits", "must be a list of 1 to", edit, "town", "me", 1, {})
  refuses("a map too large", "at most 16777216 cells", writer.call, writer, "astar_make",
    { { name = "big", width = 16777216, height = 16777216, x0 = 1, y0 = 1, palette = PALETTE } })
  refuses("a name with a path in it", "a map's name", writer.call, writer, "astar_make",
    { { name = "../x", width = 1, height = 1, x0 = 1, y0 = 1, palette = PALETTE } })
  local seed = 1
  local function dice(n) seed = seed * 48271 % 2147483647 return seed % n + 1 end
  local function rubbish(depth)
    local kind = dice(depth > 0 and 9 or 7)
    if kind == 1 then return dice(200) - 60 end
    if kind == 2 then return (dice(2000) - 1000) / 7 end
    if kind == 3 then return ("x"):rep(dice(40)) end
    if kind == 4 then return dice(2) == 1 end
    if kind == 5 then return ({ 1e300, 0 / 0, 1 / 0, -1, 2 ^ 53, 18446744073709551615ULL })[dice(6)] end
    if kind == 6 then return box.NULL end
    if kind == 7 then return ({ "find_path", "set", "town", "terrain", "link", "distances", "cell", "." })[dice(8)] end
    local t = {}
    for i = 1, dice(6) do t[dice(3) > 1 and i or "k" .. i] = rubbish(depth - 1) end
    return t
  end
  local names = { "astar_ask", "astar_ask_many", "astar_edit", "astar_make", "astar_put", "astar_open", "astar_copy" }
  for _ = 1, 3000 do
    local arguments = { dice(3) > 1 and "town" or rubbish(1), rubbish(3), rubbish(3), rubbish(3) }
    pcall(writer.call, writer, names[dice(#names)], arguments, { timeout = 5 })
  end
  check("3,000 requests of rubbish, and it goes on", writer:ping()
    and reader:call("astar_ask", { "town", { "reachable", 1, 1, 2, 2 } }).reachable ~= nil)
  c:close()
end

-- ---- what is kept ----

local function dumps(service)
  local list = {}
  for i, uri in ipairs(service.uris) do
    local c = net.connect(uri, { user = "editor", password = "edits" })
    list[i] = c:call("astar_ask_many", { "town", { { "distances", { { 1, 1 } }, (function()
      local cells = {}
      for y = 1, 70 do for x = 1, 130 do cells[#cells + 1] = { x, y } end end
      return cells
    end)() } } })[1]
    c:close()
  end
  local texts = {}
  for i, one in ipairs(list) do texts[i] = one.version .. ":" .. require("json").encode(one.distances) end
  return texts
end

local function same(list)
  return list[1] and list[1] == list[2] and list[2] == list[3]
end

local function disk(service)
  local c = editor_of(service)
  for i = 1, 300 do c:edit("town", { "set", i % 130 + 1, 3 + i % 60, i % 7 == 0 and "#" or "." }) end
  c:edit("town", { "block", 20, 20, 30, 3 })
  c:edit("town", { "wall", 5, 5, "east" })
  fiber.sleep(1.5) -- the log is folded once a second, here after 100 edits
  local before, bases = dumps(service), {}
  for i, health in ipairs(c:health()) do bases[i] = health and health.maps.town.base end
  check("logs are folded into chunks", bases[1] > 0 and bases[2] > 0 and bases[3] > 0, bases[1])
  check("all instances hold the same", same(before))
  for i = 1, 3 do service:kill(i) end
  for i = 1, 3 do service:start(i) end
  check("all were killed and start again", service:wait(c))
  local after = dumps(service)
  check("they hold what they held", same(after) and after[1] == before[1])
  service:kill(2)
  fio.rmtree(fio.pathjoin(service.dir, "2"))
  service:start(2)
  check("one that lost its disk joins anew", service:wait(c))
  check("and holds the same", same(dumps(service)))
  c:close()
end

local function no_majority(service)
  local c = editor_of(service)
  c.patience = 1
  local writer = service:wait(c)
  local others = { writer % 3 + 1, (writer + 1) % 3 + 1 }
  local before = c:ask("town", { "cell", 9, 9 })
  for _, i in ipairs(others) do service:signal(i, "STOP") end
  local ok, why = pcall(c.edit, c, "town", { "set", 9, 9, before.key == "#" and "." or "#" })
  check("an edit without a majority is not acknowledged", not ok and tostring(why):find "not known", why)
  local alone = net.connect(service.uris[writer], { user = "asker", password = "asks" })
  local now = alone:call("astar_ask", { "town", { "cell", 9, 9 } })
  check("nor seen by who asks", now.key == before.key and now.version == before.version, now.key)
  for _, i in ipairs(others) do service:signal(i, "CONT") end
  c.patience = 10
  check("they agree again", service:wait(c))
  c:edit("town", { "set", 10, 10, "#" })
  check("and edit again", c:ask("town", { "cell", 10, 10 }).key == "#" and same(dumps(service)))
  c:close()
end

-- A file of an instance cannot grow any more: no more than 64 KB of log.
local function full_disk()
  local service = cluster.new {}
  local function limit(which)
    service.wrap = function(i, command)
      if i ~= which then return command end
      return { "/bin/sh", "-c", "trap '' XFSZ; ulimit -f 128; exec \"$@\"", "sh", unpack(command) }
    end
  end
  service:start_all()
  local c = editor_of(service)
  service:wait(c)
  c:make("town", drawing(), PALETTE)
  local function fill(count)
    for i = 1, count do
      c:edit("town", { "set_cells", 1, 1, 10, 3, (i % 2 == 0 and "." or "#"):rep(30) })
    end
  end
  local follower = service:wait(c) % 3 + 1
  limit(follower)
  service:kill(follower)
  service:start(follower)
  service:wait(c)
  fill(800)
  check("the disk of one that follows is full: edits go on", c:ask("town", { "cell", 1, 1 }).version == 800)
  limit(0)
  service:kill(follower)
  service:start(follower)
  check("with room again it follows", service:wait(c) and c:health()[follower].maps.town.version == 800)
  local writer = service:wait(c)
  limit(writer)
  service:kill(writer)
  service:start(writer)
  service:wait(c)
  for _ = 1, 6 do -- until that one writes again
    local now = service:wait(c)
    if now == writer then break end
    service:kill(now)
    service:wait(c, 2)
    service:start(now)
  end
  local before = c:ask("town", { "cell", 1, 1 }).version
  fill(800)
  -- It ends, for what it holds in memory cannot be trusted; started again it may write for another 64 KB.
  check("the disk of the one that writes is full: edits go on", c:ask("town", { "cell", 1, 1 }).version == before + 800)
  service:stop()
end

local function upgrade()
  local service = cluster.new { tcp = true }
  service.schema = 1
  service:start_all()
  local c = editor_of(service)
  check("an older schema comes up", service:wait(c) and c:health()[1].schema == 1)
  c:make("town", drawing(), PALETTE)
  service.schema = nil
  c.patience = 30
  for i = 1, 3 do
    service:kill(i)
    local ok, answer = pcall(c.find_path, c, "town", 1, 1, 3, 1)
    check("it answers while instance " .. i .. " is restarted", ok and answer and answer.cost == 2, answer)
    service:start(i)
    check("which comes back", service:wait(c, nil, 60))
  end
  c:edit("town", { "set", 2, 2, "." })
  c:upgrade()
  service:wait(c)
  local versions = {}
  for i, health in ipairs(c:health()) do versions[i] = health and health.schema end
  check("and is of the newer schema", versions[1] == 2 and versions[2] == 2 and versions[3] == 2, versions[1])
  check("with all that it held", c:ask("town", { "cell", 2, 2 }).key == "." and c:edit("town", { "set", 3, 2, "." }))
  service:stop()
end

local service = cluster.new { fold_after = 100 }
service:start_all()
for _, part in ipairs { questions, graphs, graphs_over_ground, security, disk, no_majority } do
  local ok, why = pcall(part, service)
  if not ok then check("a part of the test", false, why) end
end
service.keep = failed > 0
service:stop()
for _, part in ipairs { full_disk, upgrade } do
  local ok, why = pcall(part)
  if not ok then check("a part of the test", false, why) end
end
if service.keep then print("rows and logs: " .. service.dir) end
print(("%d passed, %d failed, 0 skipped"):format(passed, failed))
os.exit(failed == 0 and passed > 0 and 0 or 1)
