-- promises.lua -- what docs/service.md promises, one after another, on three machines: lua5.3 test/promises.lua [PART].

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local astar = require "astar"
local cjson = require "cjson"
local compare = require "compare"
local load = require "load"
local loop = require "loop"
local machines = require "machines"
local mime = require "mime"
local programs = require "programs"
local report = require "report"

local ONLY = arg[1]
local DIR = os.getenv "ASTAR_TEST_DIR" or "/tmp/astar-promises"
local MAPS = "/v1/maps/"

local check = report.check

-- ---- one call ----

local function client_of(cluster, i, token)
  return load.client(i and { cluster.nodes[i] } or cluster.nodes, "promises", (token or "admin") .. "-token")
end

-- Asks instance i once: status, data, what it said in full.
local function call(cluster, i, method, path, data, seconds, token)
  local client = client_of(cluster, i, token)
  local status, answer, _, text = client:try(method, path, data, seconds or 6)
  local headers = client.headers
  client:go_on()
  return status, answer or {}, tostring(text or answer), headers
end

-- What run() answers, a status first, once that is not 503: etcd may be slow for a while, and says when to come again.
-- Where no answer comes in time it is run again, too.
local function patiently(run)
  local answers
  loop.wait(20, function()
    answers = { run() }
    return answers[1] and answers[1] ~= 503
  end)
  return table.unpack(answers, 1, 4)
end

local function make(cluster, name, data)
  local client = client_of(cluster)
  local status, answer = client:insist("PUT", MAPS .. name, data or { width = 20, height = 20 }, 30)
  client:go_on()
  assert(status == 201 or status == 409, name .. " is not made: " .. tostring(status) .. cjson.encode(answer or ""))
  for i = 1, cluster.count do
    local has = loop.wait(10, function() return (call(cluster, i, "GET", MAPS .. name)) == 200 end)
    assert(has, "instance " .. i .. " does not have " .. name)
  end
  return answer.version or (select(2, call(cluster, 1, "GET", MAPS .. name))).version
end

local numbers = {}

-- An edit, insisted on: its version.
local function edit(cluster, name, edits, i, seconds)
  numbers[name] = (numbers[name] or 0) + 1
  local client = client_of(cluster, i, "edit")
  local status, answer = client:insist("POST", MAPS .. name .. "/edits",
    { client = "promises", request = numbers[name], edits = edits }, seconds or 20)
  client:go_on()
  assert(status == 200, "no edit: " .. tostring(status) .. cjson.encode(answer or ""))
  return answer.version
end

local function ask(cluster, i, name, question, terms, seconds)
  local body = { questions = { question } }
  for key, value in pairs(terms or {}) do body[key] = value end
  local status, answer, text = call(cluster, i, "POST", MAPS .. name .. "/questions", body, seconds, "ask")
  return status, answer.answers and answer.answers[1] or {}, answer, text
end

-- The dumps of a map of at least that version by all instances; for one that has none within 15 s, what it says
-- instead.
local function all_dumps(cluster, name, version)
  local list, others = {}, {}
  for i = 1, cluster.count do
    loop.wait(15, function()
      local status, answer = call(cluster, i, "GET", MAPS .. name .. "?dump=1")
      if status == 200 and answer.version >= version then list[i] = answer end
      others[i] = cjson.encode { status or "no answer", answer.version or answer }
      return list[i]
    end)
    if not list[i] then
      others[i] = others[i] .. select(3, call(cluster, i, "GET", MAPS .. name))
        .. tostring(select(2, cluster:get(i, "/readyz", 2)))
    end
  end
  return list, others
end

-- That all hold the same map at `version`, that of `grid` where it is given.
local function same_everywhere(cluster, name, version, what, grid)
  local list, others = all_dumps(cluster, name, version)
  local why
  for i = 1, cluster.count do
    local its = list[i] and astar.load((mime.unb64(list[i].dump)))
    grid = grid or its
    local differs = not its and ("it does not come to version %d: %s"):format(version, others[i])
      or compare.grids(its, grid)
    if differs then why = ("instance %d: %s"):format(i, differs) end
  end
  check(what, not why, why)
  return list
end

-- ---- promises ----

local PARTS = {}

local function part(name, body)
  PARTS[#PARTS + 1] = { name, body }
end

part("answers", function(cluster)
  make(cluster, "town", { drawing = "..........\n.########.\n.........." })
  local _
  local status, answer, all = ask(cluster, 1, "town", { find_path = { 1, 1, 1, 3 } })
  check("a route, its cost and turning points", status == 200 and answer.cost == 2 and answer.points[2] == 1
    and answer.points[#answer.points] == 3, cjson.encode(all))
  check("with its version", all.version and answer.version == all.version)
  _, answer = ask(cluster, 2, "town", { find_path = { 1, 1, 2, 2 } })
  check("no route, and why", answer.reason == "goal blocked" and not answer.cost, answer.reason)
  _, answer = ask(cluster, 3, "town", { find_nearest = { 1, 1, { { 10, 1 }, { 1, 3 } } } })
  check("the nearest of some", answer.goal == 2 and answer.cost == 2, cjson.encode(answer))
  _, answer = ask(cluster, 1, "town", { distances = { { { 1, 1 } }, { { 1, 3 }, { 2, 2 }, { 5, 1 } } } })
  check("distances of many from one", answer.distances and answer.distances[1] == 2 and answer.distances[2] == false
    and answer.distances[3] == 4, cjson.encode(answer))
  _, answer = ask(cluster, 1, "town", { raycast = { 1, 1, 1, 3 } })
  check("a ray that is free", answer.free == true, cjson.encode(answer))
  _, answer = ask(cluster, 1, "town", { raycast = { 2, 1, 2, 3 } })
  check("and one that is not", answer.free == false and answer.x == 2 and answer.y == 2, cjson.encode(answer))
  _, answer = ask(cluster, 1, "town", { reachable = { 1, 1, 10, 3 } })
  check("whether there is a way", answer.reachable == true, cjson.encode(answer))
  _, answer = ask(cluster, 1, "town", { cell = { 2, 2 } })
  check("a cell", answer.key == "#" and answer.blocked == false, cjson.encode(answer))
  _, answer = ask(cluster, 1, "town", { find_path = { 1, 1, 10, 3 }, max_cost = 3 })
  check("a question's own options", answer.reason == "max_cost", cjson.encode(answer))
  status, answer = ask(cluster, 1, "town", { find_path = { 1, 1, 10, 3 } }, { finder = { diagonals = "never" } })
  check("a unit's options", status == 200 and answer.cost == 11, cjson.encode(answer))
  status, answer = call(cluster, 1, "POST", MAPS .. "town/questions", { questions = { { cell = { 1, 1 } },
    { cell = { 99, 1 } }, { cell = { 2, 2 } } } })
  local list = answer.answers or {}
  check("what is wrong with one question is told in its place", status == 200 and #list == 3 and list[1].key == "."
    and type(list[2].error) == "string" and list[3].key == "#", cjson.encode(answer))
  status = ask(cluster, 1, "no-such", { cell = { 1, 1 } })
  check("a map that is none: 404", status == 404, status)
end)

part("edits", function(cluster)
  local first = make(cluster, "edits")
  local version = edit(cluster, "edits", { { "set", 3, 3, "#" }, { "block", 5, 5, 2, 2 } }, 1)
  check("an edit makes one version, whatever its list", version == first + 1, version)
  for i = 1, cluster.count do
    local _, answer, all = ask(cluster, i, "edits", { cell = { 3, 3 } }, { fresh = true })
    check(("instance %d, asked fresh, has it at once"):format(i), answer.key == "#" and all.version >= version)
  end
  local body = { client = "again", request = 1, edits = { { "set", 4, 4, "#" } } }
  local _, one = call(cluster, 1, "POST", MAPS .. "edits/edits", body)
  local _, two = call(cluster, 2, "POST", MAPS .. "edits/edits", body)
  local _, three = call(cluster, 3, "POST", MAPS .. "edits/edits", body)
  check("a request sent again, to another instance, is done once", one.version and one.version == two.version
    and one.version == three.version, cjson.encode { one, two, three })
  edit(cluster, "edits", { { "unblock", 5, 5, 1, 1 } })
  local _, head = call(cluster, 1, "GET", MAPS .. "edits")
  local status, answer = call(cluster, 1, "POST", MAPS .. "edits/edits", { client = "bad", request = 1,
    edits = { { "set", 7, 7, "#" }, { "set", 99, 99, "#" } } })
  check("a list with one bad edit: 400", status == 400 and type(answer.error) == "string", status)
  local _, cell, after = ask(cluster, 1, "edits", { cell = { 7, 7 } }, { fresh = true })
  check("and none of it is done", cell.key == "." and after.version == head.version, cjson.encode { cell, head })
  call(cluster, 1, "POST", MAPS .. "edits/edits", { client = "two", request = 8, edits = { { "set", 8, 8, "#" } } })
  status, answer = call(cluster, 2, "POST", MAPS .. "edits/edits", { client = "two", request = 7,
    edits = { { "set", 8, 9, "#" } } })
  check("a number smaller than the last: 409 older", status == 409 and answer.reason == "older", status)
  for i = 1, cluster.count do
    status, answer = call(cluster, i, "POST", MAPS .. "edits/edits", { client = "two", request = 8,
      edits = { { "set", 8, 8, "." } } })
    check("other edits under the same number: 409", status == 409 and answer.reason == "other edits",
      tostring(status) .. cjson.encode(answer))
  end
  local link = '{"client":"link","request":1,"edits":[["link",1,1,9,9,{%s}]]}'
  local _, first_link = call(cluster, 1, "POST", MAPS .. "edits/edits", link:format '"cost":2,"label":"a"')
  local _, second_link = call(cluster, 2, "POST", MAPS .. "edits/edits", link:format '"label":"a", "cost":2.0')
  check("the same edits in another spelling are the same", first_link.version
    and first_link.version == second_link.version, cjson.encode { first_link, second_link })
end)

-- What was accepted must be applied, folded and read again: else no later edit, fold or dump of that map works.
part("forged edits", function(cluster)
  local graph = astar.graph()
  for i, key in ipairs { "a", "b" } do graph:node(key, i, i) end
  make(cluster, "odd-graph", { graph = mime.b64(graph:dump()) })
  make(cluster, "odd-grid", { width = 9, height = 9 })
  local bad
  for n, op in ipairs {
    '["node",[],9,9]', '["node",{},9,9]', '["node",true,9,9]', '["node","a",1e300,1]', '["node","a","x","y"]',
    '["edge","a","b",{"label":[]}]', '["edge","a",["b"]]', '["edge","a","b",{"cost":1e300}]', '["block",[],[]]',
    '["node","' .. ("k"):rep(70000) .. '",1,1]',
  } do
    local status, _, text = call(cluster, 1, "POST", MAPS .. "odd-graph/edits",
      ('{"client":"odd","request":%d,"edits":[%s]}'):format(n, op))
    if status ~= 400 then bad = ("%s: %s %s"):format(op:sub(1, 80), tostring(status), text) end
  end
  check("forged edits of a graph: 400", not bad, bad)
  for n, op in ipairs {
    '["set",3,2,1e308]', '["set",3,2,[]]', '["set",1e308,2,"#"]', '["terrain","x",1e308]', '["terrain",[],1]',
    '["terrain","' .. ("k"):rep(70000) .. '",1]', '["link",1,1,2,2,{"label":{}}]', '["link",1,1,2,2,{"cost":1e308}]',
    '["block",1,1,1e308,1]', '["block",1,1,"' .. ("k"):rep(300) .. '"]', '["wall",1,1,1e308]',
    '["set_cells",1,1,1,1,[[]]]',
    '["set_cells",1,1,3000000000,3000000000,"."]', '["fill",1,1,-1,1,"#"]',
  } do
    local status, answer, text = call(cluster, 1, "POST", MAPS .. "odd-grid/edits",
      ('{"client":"odd","request":%d,"edits":[%s]}'):format(n, op))
    if status ~= 400 or answer.error:find "%.lua" then
      bad = ("%s: %s %s"):format(op:sub(1, 80), tostring(status), text)
    end
  end
  check("forged edits of a grid: 400, and no file of ours in the text", not bad, bad)
  for name, op in pairs { ["odd-graph"] = { "node", "c", 3, 3 }, ["odd-grid"] = { "set", 3, 3, "#" } } do
    local version = edit(cluster, name, { op })
    local status, answer = patiently(function() return call(cluster, 1, "POST", "/v1/fold/" .. name, {}) end)
    check(name .. " is edited and folded afterwards", version and status == 200 and answer.base == version,
      cjson.encode(answer))
    status, answer = call(cluster, 2, "GET", MAPS .. name .. "?dump=1")
    check("    and dumped", status == 200 and answer.dump, status)
  end
end)

-- ---- rows that this service did not write ----

local function put_row(cluster, key, value)
  local body = ('{"key":"%s","value":"%s"}'):format((mime.b64("astar/" .. key)), (mime.b64(value)))
  assert(cluster:etcd(1, "/v3/kv/put", body), "etcd takes no row")
end

local function get_row(cluster, key)
  local answer = assert(cluster:etcd(1, "/v3/kv/range", ('{"key":"%s"}'):format((mime.b64("astar/" .. key)))))
  return answer.kvs and (mime.unb64(answer.kvs[1].value))
end

local function restart_all(cluster)
  for i = 1, cluster.count do cluster:kill("haproxy", i) end
  for i = 1, cluster.count do cluster:start("haproxy", i) end
  return cluster:wait(20)
end

local function hex(version) return ("%016x"):format(version) end

-- A record that was acknowledged by an older service, and cannot be applied, is left out by all.
part("records that cannot be applied", function(cluster)
  local first = make(cluster, "record")
  put_row(cluster, "head/record", ("%d"):format(first + 2))
  put_row(cluster, "edits/record/" .. hex(first + 1), '[[["set",99,99,"#"],["set",2,2,"#"]],[["node",[],9,9]]]')
  local _, cell = ask(cluster, 2, "record", { cell = { 2, 2 } }, { least = first + 2, wait = 3000 })
  check("the rest of it is applied", cell.key == "#" and cell.version == first + 2, cjson.encode(cell))
  local version = edit(cluster, "record", { { "set", 4, 4, "#" } })
  check("edits go on", version == first + 3, version)
  local status = patiently(function() return call(cluster, 1, "POST", "/v1/fold/record", {}) end)
  check("and folds", status == 200, status)
  local _, _, text = call(cluster, 1, "GET", "/metrics", nil, 5, "ask")
  check("it is reported", text:find 'astar_map_skipped_edits{map="record"} 2\n',
    text:match "astar_map_skipped[^\n]*record[^\n]*")
  same_everywhere(cluster, "record", version, "all instances hold the same")
  check("and start again", restart_all(cluster))
  same_everywhere(cluster, "record", version, "    with the same")
end)

-- One row that cannot be read concerns its map alone, which can be dropped and made again.
part("rows that cannot be read", function(cluster)
  make(cluster, "sound")
  local versions = {}
  for _, name in ipairs { "bad-log", "bad-head", "bad-piece", "bad-record", "no-head" } do
    make(cluster, name)
    versions[name] = edit(cluster, name, { { "set", 2, 2, "#" } })
  end
  patiently(function() return call(cluster, 1, "POST", "/v1/fold/bad-piece", {}) end)
  local _, piece = call(cluster, 1, "GET", MAPS .. "bad-piece")
  local rows = {
    ["maps/bad-row"] = "no JSON", ["maps/bad-row2"] = "[]", ["maps/bad-row3"] = '{"kind":"grid"}', ["maps/"] = "{}",
    ["maps/later"] = '{"format":99,"kind":"grid","base":0,"pieces":[]}', ["maps/a/b/c"] = "{}", ["maps/ "] = "{}",
    ["maps/no-pieces"] = '{"format":1,"kind":"grid","base":0,"pieces":[0,0]}', ["nothing"] = "x",
    ["edits/sound/zz"] = "x", ["edits/none/" .. hex(1)] = "x", ["head/none"] = "x",
    ["done/sound/promises2"] = "x", ["claims/sound"] = "x",
    ["edits/bad-log/" .. hex(versions["bad-log"] + 1)] = "no JSON", ["head/bad-head"] = "x",
    ["chunks/bad-piece/" .. hex(piece.base) .. "/1/0000"] = "no JSON", ["maps/bad-record"] = '{"format":1,"kind":"x"}',
    ["\255\0"] = "\0", ["chunks/sound/x/y/z"] = "x",
  }
  for key, value in pairs(rows) do put_row(cluster, key, value) end
  cluster:etcd(1, "/v3/kv/deleterange", ('{"key":"%s"}'):format((mime.b64 "astar/head/no-head")))
  for round = 1, 2 do
    check("all are ready " .. (round == 1 and "beside bad rows" or "when they start beside bad rows"), cluster:wait(10))
    local version = edit(cluster, "sound", { { "set", 3, round, "#" } }, round)
    local status, cell = ask(cluster, 3, "sound", { cell = { 3, round } }, { least = version })
    check("    and serve the other maps", status == 200 and cell.key == "#", status)
    if round == 1 then restart_all(cluster) end
  end
  local body = { client = "promises2", request = 5, edits = { { "set", 4, 4, "#" } } }
  local status, answer = call(cluster, 1, "POST", MAPS .. "sound/edits", body)
  check("a client whose row cannot be read is told: 409", status == 409 and answer.reason == "fault",
    tostring(status) .. cjson.encode(answer))
  local _, state = cluster:get(1, "/readyz", 2)
  local faults = cjson.decode(state).faults or {}
  local _, list = call(cluster, 1, "GET", "/v1/maps")
  local listed = {}
  for _, its in ipairs(list.maps or {}) do listed[its.name] = its.fault end
  for _, name in ipairs { "bad-row", "bad-row2", "bad-row3", "later", "no-pieces", "bad-log", "bad-head", "bad-piece",
    "bad-record", "no-head" } do
    local what = name .. ": "
    check(what .. "/readyz and the list of maps say what is wrong", faults[name] and listed[name],
      tostring(faults[name]) .. tostring(listed[name]))
    status, _, answer = ask(cluster, 2, name, { cell = { 1, 1 } })
    check("    a query is told: 409", status == 409 and answer.reason == "fault", status)
    status, answer = call(cluster, 2, "POST", MAPS .. name .. "/edits", body)
    check("    an edit, too", status == 409 and answer.reason == "fault", tostring(status) .. cjson.encode(answer))
    status, answer = patiently(function() return call(cluster, 3, "DELETE", MAPS .. name) end)
    check("    it is dropped", status == 200, tostring(status) .. cjson.encode(answer))
    local made = make(cluster, name, { width = 3, height = 3 })
    check("    and made again, above its old versions", made > (versions[name] or -1), made)
    edit(cluster, name, { { "set", 1, 1, "#" } })
  end
  for key in pairs(rows) do
    if get_row(cluster, key) and not key:find "^maps/[%w-]+$" and not key:find "^head/" then
      cluster:etcd(1, "/v3/kv/deleterange", ('{"key":"%s"}'):format((mime.b64("astar/" .. key))))
    end
  end
end)

-- A map as the service of before wrote it: what the grid is in its record, pieces of one part.
part("rows of an older format", function(cluster)
  local grid = astar.grid(140, 130, { terrain = { ["."] = 1, ["#"] = false }, fill = "." })
  grid:set(3, 3, "#")
  grid:set(139, 129, "#")
  grid:block(2, 2, 3, 1)
  grid:block(130, 4, 2, 2, "doors")
  grid:wall(5, 5, "east")
  grid:link(1, 1, 9, 9, { cost = 2 })
  local rows, bases = {}, {}
  for i, at in ipairs { { 1, 1, 128, 128 }, { 129, 1, 12, 128 }, { 1, 129, 128, 2 }, { 129, 129, 12, 2 } } do
    local blocks = i == 1 and { 129, 3 } or i == 2 and { "doors", 37, 2, 49, 2 } or {}
    rows[("chunks/old/%s/%d"):format(hex(7), i)] = cjson.encode { grid:get_cells(table.unpack(at)), blocks }
    bases[i] = 7
  end
  for key, value in pairs(rows) do put_row(cluster, key, value) end
  put_row(cluster, "head/old", "7")
  put_row(cluster, "maps/old", cjson.encode { kind = "grid", base = 7, pieces = bases, forgot = 0, meta = {
    width = 140, height = 130, x0 = 1, y0 = 1, shape = "square", palette = { { ".", 1 }, { "#", false } },
    links = { { 1, 1, 9, 9, 2, false, false } }, walls = { { 5, 5, "east", false } }, layers = { "doors" } } })
  loop.wait(10, function() return (call(cluster, 1, "GET", MAPS .. "old")) == 200 end)
  same_everywhere(cluster, "old", 7, "it is read", grid)
  local version = edit(cluster, "old", { { "set", 7, 7, "#" }, { "wall", 128, 9, "east" } })
  grid:set(7, 7, "#")
  grid:wall(128, 9, "east")
  local status = patiently(function() return call(cluster, 1, "POST", "/v1/fold/old", {}) end)
  check("and folded", status == 200 and restart_all(cluster), status)
  same_everywhere(cluster, "old", version, "and read again", grid)
end)

-- What the client of service/astar_service/client.lua says of an edit: "unknown" only if it may have been done.
part("the client's words", function(cluster)
  make(cluster, "words")
  local program = DIR .. "/words.lua"
  local file = assert(io.open(program, "w"))
  local node = cluster.nodes[1]
  file:write(([[
    local client = require("astar_service.client").new {
      urls = { "http://%s:%d" }, token = arg[1], patience = tonumber(arg[2] or 2) }
    local version, why, reason = client:edit(arg[3] or "words", load("return " .. (arg[4] or "{ 'set', 1, 1, '#' }"))())
    print(version, reason, why)]]):format(node.host, node.port))
  file:close()
  local function words(...)
    local _, text = programs.run(programs.command { os.getenv "ASTAR_TEST_LUA" or "lua5.3", program, ... })
    return text:match "^(%S+)%s+(.-)\t" or text, text:match "^%S+%s+(.-)\t", text
  end
  local version, reason = words("edit-token", 2)
  check("an edit that is done has a version", tonumber(version), reason)
  for what, arguments in pairs {
    ["an invalid edit"] = { "edit-token", 2, "words", "{ 'set', 99, 99, '#' }" },
    ["a form that is none"] = { "edit-token", 2, "words", "{ 'node', {}, 9 }" },
    ["a map that is none"] = { "edit-token", 2, "no-such-map" },
    ["a token that may not"] = { "ask-token", 2 }, ["a token that is none"] = { "wrong", 2 },
    ["too much"] = { "edit-token", 2, "words", "{ 'terrain', ('x'):rep(90000), 1 }" },
  } do
    local text
    version, reason, text = words(table.unpack(arguments))
    check(what .. " is refused, not unknown", version == "nil" and reason ~= "unknown" and reason ~= "nil", text)
  end
  for i = 1, cluster.count do cluster:pause("etcd", i) end
  version, reason = words("edit-token", 2)
  check("without etcd nobody knows", version == "nil" and reason == "unknown", reason)
  for i = 1, cluster.count do cluster:resume("etcd", i) end
  check("etcd is there again: all are ready", cluster:wait(10))
end)

part("edits at once", function(cluster)
  local first = make(cluster, "crowd")
  local versions, done, count = {}, 0, 24
  for n = 1, count do
    loop.spawn(function()
      local client = load.client({ cluster.nodes[n % cluster.count + 1] }, "c", "edit-token")
      for k = 1, 5 do
        local status, answer = client:insist("POST", MAPS .. "crowd/edits",
          { client = "crowd" .. n, request = k, edits = { { "set", n % 20 + 1, k, "#" } } }, 20)
        if status == 200 then versions[#versions + 1] = answer.version end
      end
      done = done + 1
    end)
  end
  local began = loop.now()
  loop.wait(30, function() return done == count end)
  local seen, twice = {}, 0
  for _, version in ipairs(versions) do
    twice = twice + (seen[version] and 1 or 0)
    seen[version] = true
  end
  check(("%d edits from %d clients over all instances, %.0f a second: each a version of its own")
    :format(#versions, count, #versions / (loop.now() - began)), #versions == count * 5 and twice == 0, twice)
  local gaps = 0
  for version = first + 1, first + count * 5 do gaps = gaps + (seen[version] and 0 or 1) end
  check("without gaps", gaps == 0, gaps)
  same_everywhere(cluster, "crowd", first + count * 5, "and all instances hold the same map")
end)

part("least", function(cluster)
  local first = make(cluster, "least")
  local began = loop.now()
  local status, _, answer = ask(cluster, 2, "least", { cell = { 1, 1 } }, { least = first + 1, wait = 300 })
  check("a version that is not there yet: 503 behind, after the wait", status == 503 and answer.reason == "behind"
    and loop.now() - began >= 0.29, cjson.encode(answer))
  local got
  loop.spawn(function()
    local _, cell, all = ask(cluster, 2, "least", { cell = { 1, 1 } }, { least = first + 1, wait = 3000 })
    got = { cell = cell, version = all.version }
  end)
  loop.sleep(0.2)
  local version = edit(cluster, "least", { { "set", 1, 1, "#" } }, 1)
  loop.wait(4, function() return got end)
  check("one that comes within the wait is waited for", got and got.version == version and got.cell.key == "#",
    cjson.encode(got or {}))
  local worst = 0
  for n = 1, 20 do
    version = edit(cluster, "least", { { "set", 2, 2, n % 2 == 0 and "." or "#" } }, 1)
    local from = loop.now()
    for i = 1, cluster.count do ask(cluster, i, "least", { cell = { 2, 2 } }, { least = version }) end
    worst = math.max(worst, loop.now() - from)
  end
  print(("        an edit is seen by all three, asked one after another, within %.1f ms at most"):format(worst * 1e3))
end)

part("cut off", function(cluster)
  make(cluster, "cut")
  edit(cluster, "cut", { { "set", 1, 1, "#" } })
  loop.sleep(0.3)
  for i = 1, cluster.count do cluster:pause("etcd", i) end
  loop.sleep(1.3)
  local status, _, all = ask(cluster, 1, "cut", { cell = { 1, 1 } })
  check("without etcd for a second: 503 stale", status == 503 and all.reason == "stale", tostring(status))
  local answer
  status, answer = ask(cluster, 1, "cut", { cell = { 1, 1 } }, { stale = true })
  check("but who allows stale is answered", status == 200 and answer.key == "#", tostring(status))
  status = ask(cluster, 1, "cut", { cell = { 1, 1 } }, { fresh = true })
  check("who asks fresh is not", status == 503, tostring(status))
  check("readyz says so, healthz does not",
    cluster:get(1, "/readyz", 2) == 503 and cluster:get(1, "/healthz", 2) == 200)
  status, all = call(cluster, 1, "POST", MAPS .. "cut/edits", { client = "cut", request = 1,
    edits = { { "set", 2, 2, "#" } } })
  check("an edit: 503 in time, and by what it says it may be sent again", status == 503 and all.reason ~= nil,
    tostring(status) .. cjson.encode(all))
  status, answer = ask(cluster, 1, "cut", { cell = { 2, 2 } }, { stale = true })
  check("an edit without a majority is not seen", status == 200 and answer.key == ".", tostring(status))
  for i = 1, cluster.count do cluster:resume("etcd", i) end
  check("etcd is there again: all are ready within 5 s", cluster:wait(5))
  status, all = client_of(cluster, nil, "edit"):insist("POST", MAPS .. "cut/edits", { client = "cut", request = 1,
    edits = { { "set", 2, 2, "#" } } }, 10)
  local again
  _, again = call(cluster, 2, "POST", MAPS .. "cut/edits", { client = "cut", request = 1,
    edits = { { "set", 2, 2, "#" } } })
  check("the edit, sent again, is done once", status == 200 and again.version == all.version,
    cjson.encode { all, again })
end)

-- Whoever stood still must not take its last look for a new one: what it is asked right as it wakes.
part("a pause", function(cluster)
  make(cluster, "paused")
  edit(cluster, "paused", { { "set", 1, 1, "#" } }, 1)
  local answers, old, refused = 0, 0, 0
  for n = 1, 4 do
    cluster:pause("etcd", 2) -- that tells it nothing as it wakes
    cluster:pause("haproxy", 2)
    local version = edit(cluster, "paused", { { "set", 2, 2, n % 2 == 0 and "." or "#" } }, 1)
    loop.sleep(1.5)
    for _ = 1, 6 do
      loop.spawn(function()
        local status, _, all = ask(cluster, 2, "paused", { cell = { 2, 2 } })
        answers = answers + 1
        if status == 503 then refused = refused + 1 end
        if status == 200 and all.version < version then old = old + 1 end
      end)
    end
    loop.sleep(0.05)
    cluster:resume("haproxy", 2)
    loop.wait(5, function() return answers == 6 * n end)
    cluster:resume("etcd", 2)
    cluster:wait(10)
  end
  check(("one that was paused for 1.5 s gives no answer that old (%d of %d refused)"):format(refused, answers),
    answers == 24 and old == 0, old .. " old answers")
end)

part("restarts", function(cluster)
  local first = make(cluster, "restart")
  local version
  for n = 1, 70 do
    version = edit(cluster, "restart", { { "set", n % 20 + 1, n % 7 + 1, n % 3 == 0 and "." or "#" } })
  end
  check("70 edits", version == first + 70, version)
  local before = all_dumps(cluster, "restart", version)[1]
  local status = patiently(function() return call(cluster, 1, "POST", "/v1/fold/restart", {}) end)
  check("folded", status == 200, status)
  cluster:compact()
  for _, what in ipairs { "both", "etcd", "haproxy" } do
    for i = 1, cluster.count do cluster:kill(what, i) end
    for i = 1, cluster.count do cluster:start(what, i) end
    check("all of " .. what .. " killed after a fold and a compaction: ready again", cluster:wait(20))
    local after = same_everywhere(cluster, "restart", version, "    with the same map")[2] or {}
    check("    of the same version, byte by byte", after.dump == before.dump and after.version == version,
      after.version)
  end
  local body = { client = "promises", request = numbers.restart, edits = { { "set", 1, 1, "#" } } }
  local _, again = call(cluster, 3, "POST", MAPS .. "restart/edits", body)
  check("the last request, sent again after all that, is not done again",
    again.version == version or again.error ~= nil, cjson.encode(again))
  check("and the version stays", (select(2, call(cluster, 1, "GET", MAPS .. "restart"))).version == version)
  check("edits go on", edit(cluster, "restart", { { "set", 1, 1, "." } }) == version + 1)
end)

part("many folds", function(cluster)
  local first, version, grid = make(cluster, "hours"), nil, astar.grid(20, 20)
  local client = client_of(cluster, nil, "edit")
  for n = 1, 600 do -- the cluster folds each 50 versions: twelve hours of a game in some seconds
    local one = n % 5 == 0 and { "block", n % 20 + 1, n % 13 + 1 }
      or { "set", n % 20 + 1, n % 13 + 1, n % 2 == 0 and "#" or "." }
    grid[one[1]](grid, table.unpack(one, 2))
    local body = { client = "hours", request = n, edits = { one } }
    local _, answer = client:insist("POST", MAPS .. "hours/edits", body, 20)
    version = answer and answer.version
    if n % 150 == 0 then cluster:compact() end
  end
  check("600 edits over a dozen folds", version == first + 600, version)
  loop.wait(10, function() return (select(2, call(cluster, 1, "GET", MAPS .. "hours"))).base > first + 400 end)
  local _, head = call(cluster, 1, "GET", MAPS .. "hours")
  check("the log was folded by itself", head.base > first + 400, head.base)
  same_everywhere(cluster, "hours", version, "all instances hold what was edited", grid)
  cluster:kill("haproxy", 2)
  cluster:start("haproxy", 2)
  cluster:wait(20)
  same_everywhere(cluster, "hours", version, "one that is started anew, too", grid)
end)

-- Every kind of edit, on maps of every kind: what is asked and held after a fold and a restart.
local TERRAIN = { ["."] = 1, ["#"] = false, g = 2.5 }

local KINDS_OF_MAPS = {
  { "squares", function() return astar.grid(30, 20, { terrain = TERRAIN, fill = "." }) end },
  { "an origin below zero", function()
    return astar.grid(30, 20, { terrain = TERRAIN, fill = ".", origin = { -7, -9 } })
  end },
  { "hexagons", function() return astar.grid(30, 20, { terrain = TERRAIN, fill = ".", shape = "hex" }) end },
  { "many pieces", function() return astar.grid(150, 140, { terrain = TERRAIN, fill = "g" }) end },
}

local function every_edit(x0, y0, is_hexagonal)
  local x, y = x0 + 3, y0 + 3
  local list = {
    { "set", x, y, "#" }, { "set", x + 1, y, "g" }, { "fill", x + 2, y + 2, 5, 3, "g" },
    { "set_cells", x + 8, y, 2, 2, { "#", ".", "g", "#" } }, { "block", x, y + 4 }, { "block", x + 1, y + 5, 4, 2 },
    { "block", x + 8, y + 5, 3, 3, "doors" }, { "block", x + 9, y + 6, "doors" }, { "block", x + 9, y + 6, "fog" },
    { "unblock", x + 2, y + 5 }, { "unblock", x + 8, y + 5, 1, 1, "doors" }, { "terrain", "g", 4 },
    { "terrain", "mud", 3 }, { "set", x + 4, y, "mud" }, { "terrain", "lava", false }, { "set", x + 5, y, "lava" },
    { "link", x, y + 8, x + 9, y + 9 }, { "link", x + 1, y + 8, x + 8, y + 9, { one_way = true } },
    { "link", x + 2, y + 8, x + 7, y + 9, { cost = 3 } },
    { "link", x + 3, y + 8, x + 6, y + 9, { cost = 2, label = "lift", one_way = true } },
    { "link", x + 4, y + 8, x + 5, y + 10, { label = 7 } }, { "link", x, y + 9, x + 2, y + 10, { cost = 1 } },
    { "unlink", x, y + 9, x + 2, y + 10 },
  }
  local sides = is_hexagonal and {} or { { "wall", x, y + 11, "north" }, { "wall", x + 1, y + 11, "east", true },
    { "wall", x + 2, y + 11, "south" }, { "unwall", x + 2, y + 11, "south" }, { "wall", x + 3, y + 11, "west" } }
  for _, edit_of in ipairs(sides) do list[#list + 1] = edit_of end
  return list
end

part("every edit", function(cluster)
  local grids, versions = {}, {}
  for k, kind in ipairs(KINDS_OF_MAPS) do
    local name, grid = "kind" .. k, kind[2]()
    local x0, y0, x1, y1 = grid:bounds()
    for i, key in ipairs { ".", "#", "g" } do grid:set(x1, y0 + i, key) end
    versions[k] = make(cluster, name, { dump = mime.b64(grid:dump()) })
    local list = every_edit(x0, y0, grid:shape() == "hex")
    for _, one in ipairs(every_edit(x1 - 19, y1 - 18, grid:shape() == "hex")) do list[#list + 1] = one end
    for _, one in ipairs(list) do
      versions[k] = edit(cluster, name, { one })
      grid[one[1]](grid, table.unpack(one, 2))
    end
    grids[k] = grid
    same_everywhere(cluster, name, versions[k], kind[1] .. ": every kind of edit is done", grid)
  end
  for turn = 1, 2 do
    for k in ipairs(KINDS_OF_MAPS) do
      local status = patiently(function() return call(cluster, turn, "POST", "/v1/fold/kind" .. k, {}) end)
      if status ~= 200 then check("folded", false, status) end
    end
    for i = 1, cluster.count do cluster:kill("haproxy", i) end
    for i = 1, cluster.count do cluster:start("haproxy", i) end
    check("folded, and started anew", cluster:wait(20))
    for k, kind in ipairs(KINDS_OF_MAPS) do
      local what = ("%s: and is there after %d folds"):format(kind[1], turn)
      same_everywhere(cluster, "kind" .. k, versions[k], what, grids[k])
      local x, y = grids[k]:bounds()
      local one = { "block", x, y + turn, 2, 1 }
      versions[k] = edit(cluster, "kind" .. k, { one })
      grids[k][one[1]](grids[k], table.unpack(one, 2))
    end
  end
end)

-- All that a grid of the module can be: made of its dump, folded, and read again.
part("dumps of every kind", function(cluster)
  local kinds = {}
  local walled = astar.grid(140, 10)
  walled:wall(128, 3, "east")
  walled:wall(5, 5, "north", true)
  walled:link(1, 1, 139, 9, { cost = 2.5, label = "lift" })
  walled:block(3, 3, 4, 2, "doors")
  kinds[1] = { "walls, links and layers", walled }
  kinds[2] = { "a world that goes round", astar.grid(9, 9, { wrap = "both" }) }
  kinds[3] = { "keys of many letters",
    astar.grid(9, 9, { terrain = { grass = 1, rock = false, [7] = 2 }, fill = "grass" }) }
  kinds[3][2]:fill(2, 2, 3, 3, "rock")
  kinds[3][2]:set(5, 5, 7)
  local hexagons = astar.grid(9, 9, { shape = "hex", offset = "even_q" })
  hexagons:wall(4, 4, "north_east")
  kinds[4] = { "walls of hexagons", hexagons }
  for k, kind in ipairs(kinds) do
    make(cluster, "dump" .. k, { dump = mime.b64(kind[2]:dump()) })
    local version = edit(cluster, "dump" .. k, { { "block", 1, 1 } })
    kind[2]:block(1, 1)
    patiently(function() return call(cluster, 1, "POST", "/v1/fold/dump" .. k, {}) end)
    kind.version = version
  end
  check("folded, and started anew", restart_all(cluster))
  for k, kind in ipairs(kinds) do same_everywhere(cluster, "dump" .. k, kind.version, kind[1] .. ": kept", kind[2]) end
  local status, answer = call(cluster, 1, "PUT", MAPS .. "dumped", { dump = mime.b64(astar.grid(9, 9, {
    terrain = { [("k"):rep(300)] = 1 }, fill = ("k"):rep(300) }):dump()) })
  check("a key too long to be kept: 400", status == 400 and not answer.error:find "%.lua", cjson.encode(answer))
  status, answer = call(cluster, 1, "PUT", MAPS .. "dumped", { width = 5, height = 5,
    options = { terrain = { ["."] = 1, ["#"] = false } } })
  check("a map by its size with terrain needs fill: 400", status == 400, cjson.encode(answer))
end)

part("a terrain that no cell has yet", function(cluster)
  local terrain = { ["."] = 1, ["#"] = false, g = 2.5 }
  local grid = astar.grid(9, 9, { terrain = terrain, fill = "." })
  make(cluster, "rare", { dump = mime.b64(grid:dump()), options = { terrain = terrain } })
  local status, answer = call(cluster, 1, "POST", MAPS .. "rare/edits",
    { client = "rare", request = 1, edits = { { "set", 2, 2, "g" } } })
  check("a terrain of a dump that no cell has can be set", status == 200, cjson.encode(answer))
end)

part("clock", function(cluster)
  make(cluster, "clock")
  local body = { client = "clock", request = 1, edits = { { "set", 3, 3, "#" } } }
  local _, one = call(cluster, 1, "POST", MAPS .. "clock/edits", body)
  for _, shift in ipairs { "+2d", "-400d" } do
    cluster:set_clock(1, shift)
    if not cluster.wraps[1] then
      report.skip("a clock two days ahead", "no libfaketime here")
      return
    end
    cluster:kill("haproxy", 1)
    cluster:start("haproxy", 1)
    local is_ready = cluster:wait(20)
    local _, two = call(cluster, 1, "POST", MAPS .. "clock/edits", body)
    check("an instance whose clock is " .. shift .. ": a request sent again is done once", is_ready
      and two.version == one.version, cjson.encode(two))
    check("    and it edits and answers", edit(cluster, "clock", { { "set", 4, 4, "#" } }, 1)
      and ask(cluster, 1, "clock", { cell = { 4, 4 } }) == 200)
  end
  cluster:set_clock(1, nil)
  cluster:kill("haproxy", 1)
  cluster:start("haproxy", 1)
  cluster:wait(20)
end)

part("full quota", function(cluster)
  make(cluster, "quota")
  cluster:alarm "ACTIVATE"
  loop.sleep(0.3)
  local status, answer = call(cluster, 1, "POST", MAPS .. "quota/edits", { client = "quota", request = 1,
    edits = { { "set", 2, 2, "#" } } })
  check("etcd's quota is used up: 503 nospace", status == 503 and answer.reason == "nospace",
    tostring(status) .. cjson.encode(answer))
  status = ask(cluster, 1, "quota", { cell = { 2, 2 } })
  check("questions are answered", status == 200, status)
  loop.sleep(1.5)
  status = ask(cluster, 1, "quota", { cell = { 2, 2 } })
  check("    as long as it lasts", status == 200, status)
  cluster:alarm "DEACTIVATE"
  local version
  loop.wait(10, function()
    status, answer = call(cluster, 2, "POST", MAPS .. "quota/edits", { client = "quota", request = 1,
      edits = { { "set", 2, 2, "#" } } })
    version = status == 200 and answer.version
    return version
  end)
  check("cleared: edits go on", version, status)
end)

-- etcd's quota, really used up, and what docs/service.md says to do then.
part("a quota that is used up", function()
  if not programs.run "etcdctl version" then
    report.skip("a quota that is used up", "no etcdctl here")
    return
  end
  local own = machines.new { dir = DIR .. "/quota", count = 1, port = 18900, quota = 1 << 24 }
  own:up()
  assert(own:wait(30), "the instance is not ready")
  make(own, "full", { width = 256, height = 256 })
  local body, status, answer
  for n = 1, 2000 do
    local keys = {}
    for i = 1, 200 * 200 do keys[i] = math.random(2) == 1 and "." or "#" end
    body = { client = "full", request = n, edits = { { "set_cells", 1, 1, 200, 200, table.concat(keys) } } }
    status, answer = patiently(function()
      local its, said = call(own, 1, "POST", MAPS .. "full/edits", body)
      return said.reason == "nospace" and 507 or its, said
    end)
    if status ~= 200 then break end
  end
  check("edits are refused: nospace", status == 507, tostring(status) .. cjson.encode(answer))
  status, answer = call(own, 1, "DELETE", MAPS .. "full")
  check("dropping a map, too", status == 503 and answer.reason == "nospace", cjson.encode(answer))
  status, answer = call(own, 1, "POST", "/v1/fold/full", {})
  check("and a fold", status == 503 and answer.reason == "nospace", cjson.encode(answer))
  loop.sleep(1.2)
  status = ask(own, 1, "full", { cell = { 1, 1 } })
  check("queries are answered, and the instance is ready", status == 200 and own:is_ready(1), status)
  local node = own.nodes[1]
  local etcdctl = ("ETCDCTL_API=3 etcdctl --endpoints http://%s:%d "):format(node.host, own.port + 11)
  local _, text = programs.run(etcdctl .. "endpoint status -w json")
  local done = programs.run(etcdctl .. "compact " .. text:match '"revision":(%d+)')
    and programs.run(etcdctl .. "defrag") and programs.run(etcdctl .. "alarm disarm")
  status, answer = patiently(function() return call(own, 1, "POST", MAPS .. "full/edits", body) end)
  check("compact, defrag, alarm disarm: edits go on", done and status == 200, tostring(status) .. cjson.encode(answer))
  own:down()
end)

-- Disks without any room. etcd ends, so that nobody knows of an edit whether it was done; see docs/service.md.
part("a disk that is full", function()
  if not space.is_own then
    report.skip("a disk that is full", "no namespaces here")
    return
  end
  local own = machines.new { dir = DIR .. "/disk", count = 1, port = 18950, disk = 1 }
  own:up()
  assert(own:wait(30), "the instance is not ready")
  make(own, "full", { width = 256, height = 256 })
  local ballast = own.disk_dir .. "/ballast"
  local number = 0
  local function set_cells()
    number = number + 1
    local keys = ("."):rep(39999) .. (number % 2 == 0 and "." or "#")
    local body = { client = "full", request = number, edits = { { "set_cells", 1, 1, 200, 200, keys } } }
    local status, answer = call(own, 1, "POST", MAPS .. "full/edits", body)
    return status, answer, body
  end
  programs.run(("dd if=/dev/zero of=%s bs=1M count=400"):format(ballast))
  local status, answer, body
  local is_ended = loop.wait(60, function()
    if status == nil or status == 200 then status, answer, body = set_cells() end
    return not own:pid("etcd", 1)
  end)
  check("etcd ends when its disk is full", is_ended)
  if status == 200 then status, answer, body = set_cells() end
  check("an edit: 503 unknown", status == 503 and answer.reason == "unknown", tostring(status) .. cjson.encode(answer))
  local is_unready = loop.wait(5, function() return not own:is_ready(1) end)
  check("the instance is not ready", is_unready)
  status, answer = call(own, 1, "POST", MAPS .. "full/questions", { questions = { { cell = { 1, 1 } } } })
  check("a query: 503 stale", status == 503 and answer.reason == "stale", tostring(status) .. cjson.encode(answer))
  status = ask(own, 1, "full", { cell = { 1, 1 } }, { stale = true })
  check("one that allows stale answers is answered", status == 200, status)
  os.remove(ballast)
  if not own:pid("etcd", 1) then own:start("etcd", 1) end
  check("there is room, and etcd starts: ready again", own:wait(30))
  status, answer = patiently(function() return call(own, 1, "POST", MAPS .. "full/edits", body) end)
  local version = answer.version
  local _, again = patiently(function() return call(own, 1, "POST", MAPS .. "full/edits", body) end)
  check("the edit, sent again, is done once", status == 200 and version and again.version == version,
    tostring(status) .. cjson.encode { answer, again })
  own:down()
end)

part("maps", function(cluster)
  local first = make(cluster, "come")
  local status, answer = call(cluster, 2, "PUT", MAPS .. "come", { width = 3, height = 3 })
  check("a map that is there is not made anew: 409 exists", status == 409 and answer.reason == "exists", status)
  edit(cluster, "come", { { "set", 1, 1, "#" } })
  local _, list = call(cluster, 3, "GET", "/v1/maps")
  local found
  for _, map in ipairs(list.maps or {}) do found = found or map.name == "come" and map end
  check("the list of maps", found and found.width == 20 and found.height == 20, cjson.encode(list))
  status, answer = call(cluster, 3, "DELETE", MAPS .. "come?made=1")
  check("another of its name is not dropped", status == 404, cjson.encode(answer))
  local drop = MAPS .. "come?made=" .. tostring(found.made)
  status, answer = call(cluster, 3, "DELETE", drop)
  check("dropped", status == 200 and answer.version == first + 1, cjson.encode(answer))
  local gone = 0
  for i = 1, cluster.count do
    gone = gone + (loop.wait(3, function() return ask(cluster, i, "come", { cell = { 1, 1 } }) == 404 end) and 1 or 0)
  end
  check("by all", gone == cluster.count, gone)
  local second = make(cluster, "come", { width = 5, height = 5 })
  check("one of that name has versions above", second > first + 1, second)
  status, answer = call(cluster, 1, "DELETE", drop)
  check("and is spared by what dropped the old one, sent again", status == 404, cjson.encode(answer))
  local _, cell = ask(cluster, 2, "come", { cell = { 1, 1 } }, { fresh = true })
  check("and nothing of the old one", cell.key == ".", cjson.encode(cell))
  local body = { client = "promises", request = 1, edits = { { "set", 2, 2, "#" } } }
  status, answer = call(cluster, 1, "POST", MAPS .. "come/edits", body)
  check("nor its requests", status == 200 and answer.version == second + 1, cjson.encode(answer))
end)

-- Whoever heard nothing for a while holds maps that are gone, or others of their names: it says nothing of them that
-- etcd does not.
part("maps that are gone", function(cluster)
  local function stands_still()
    cluster:pause("etcd", 2) -- that tells it nothing as it wakes
    cluster:pause("haproxy", 2)
  end
  make(cluster, "gone")
  local _, old = patiently(function() return call(cluster, 1, "GET", MAPS .. "gone") end)
  stands_still()
  local status = patiently(function() return call(cluster, 1, "DELETE", MAPS .. "gone?made=" .. old.made) end)
  assert(status == 200 or status == 404, "it is not dropped: " .. tostring(status))
  cluster:pause("etcd", 1)
  cluster:pause("etcd", 3)
  cluster:resume("haproxy", 2)
  local answer
  status, answer = call(cluster, 2, "PUT", MAPS .. "gone", { width = 5, height = 5 })
  check("an instance without etcd does not say that a map is there: 503", status == 503,
    tostring(status) .. cjson.encode(answer))
  for i = 1, cluster.count do cluster:resume("etcd", i) end
  assert(cluster:wait(10), "the instances are not ready")
  local admin = client_of(cluster, 1)
  make(cluster, "gone")
  _, old = patiently(function() return call(cluster, 1, "GET", MAPS .. "gone") end)
  assert(loop.wait(10, function() return select(2, call(cluster, 2, "GET", MAPS .. "gone")).made == old.made end),
    "instance 2 does not have the new one")
  status, answer = call(cluster, 2, "PUT", MAPS .. "gone", { width = 5, height = 5 })
  check("409 tells when the one that is there was made", status == 409 and old.made and answer.made == old.made,
    cjson.encode(answer))
  stands_still()
  admin:insist("DELETE", MAPS .. "gone?made=" .. old.made, nil, 20)
  local new
  status, new = admin:insist("PUT", MAPS .. "gone", { width = 5, height = 5 }, 20)
  if status == 409 then status, new = admin:insist("GET", MAPS .. "gone", nil, 20) end
  assert(new.made and new.made ~= old.made, "none is made: " .. tostring(status))
  cluster:resume("haproxy", 2)
  status, answer = call(cluster, 2, "DELETE", MAPS .. "gone?made=" .. new.made)
  check("a new one, too, is dropped where only the old one was known", status == 200 or status == 503,
    tostring(status) .. cjson.encode(answer))
  cluster:resume("etcd", 2)
  assert(cluster:wait(10), "the instances are not ready")
  status = admin:insist("DELETE", MAPS .. "gone?made=" .. new.made, nil, 20)
  check("once", status == 200 or status == 404, status)
  status = patiently(function() return ask(cluster, 1, "gone", { cell = { 1, 1 } }, { fresh = true }) end)
  check("and is gone", status == 404, status)
  admin:go_on()
end)

-- Several make maps of one name at once: who is too late must not touch what is kept of the first.
part("made at once", function(cluster)
  local made, count, told, running = {}, 40, 0, cluster.count
  for i = 1, cluster.count do
    loop.spawn(function()
      local client = client_of(cluster, i)
      for n = 1, count do
        local status
        loop.wait(20, function()
          status = client:try("PUT", MAPS .. "once" .. n, { width = 40, height = 40 + i })
          return status == 201 or status == 409
        end, 0)
        told = told + (status and 1 or 0)
        if status == 201 then made[n] = made[n] and "twice" or 40 + i end
      end
      client:go_on()
      running = running - 1
    end)
  end
  loop.wait(60, function() return running == 0 end)
  check("all are told", told == count * cluster.count, told)
  for i = 1, cluster.count do
    cluster:kill("haproxy", i)
    cluster:start("haproxy", i)
  end
  check("instances that start read them", cluster:wait(20))
  local wrong
  for n = 1, count do
    local name = "once" .. n
    local status, answer = patiently(function() return call(cluster, 1, "GET", MAPS .. name) end)
    if status ~= 200 or made[n] and answer.height ~= made[n] then wrong = name .. cjson.encode(answer) break end
    patiently(function() return call(cluster, 1, "DELETE", MAPS .. name) end)
  end
  check("each as the first made it", not wrong, wrong)
end)

-- Requests that wait for etcd while their clients leave: HAProxy must not turn in circles for them, or it ends itself.
part("clients that leave", function(cluster)
  make(cluster, "left")
  for i = 1, cluster.count do cluster:pause("etcd", i) end
  local question = { questions = { { cell = { 1, 1 } } }, fresh = true, wait = 3000 }
  for _, request in ipairs {
    { "DELETE", MAPS .. "left" }, { "PUT", MAPS .. "right", { width = 5, height = 5 } },
    { "PUT", MAPS .. "left", { width = 5, height = 5 } }, { "POST", "/v1/fold/left", {} },
    { "GET", MAPS .. "right" }, { "POST", MAPS .. "left/questions", question },
    { "POST", MAPS .. "left/edits", { client = "leaves", request = 1, edits = { { "set", 1, 1, "#" } } } },
  } do
    local pid = cluster:pid("haproxy", 1)
    local used = pid and programs.used(pid) or 0
    call(cluster, 1, request[1], request[2], request[3], 0.3)
    loop.sleep(2.5)
    local is_same = pid and cluster:pid("haproxy", 1) == pid
    used = is_same and programs.used(pid) - used
    check(("%s %s: waits"):format(request[1], request[2]), is_same and used < 0.5, used or "it has ended")
    if not is_same then cluster:start("haproxy", 1) end
  end
  for i = 1, cluster.count do cluster:resume("etcd", i) end
  check("etcd is there again: all are ready", cluster:wait(10))
end)

-- Whoever asked for a map, or a fold, may leave before it is done: nothing of it then stands in the way of others.
part("left half done", function(cluster)
  -- A map by its size is made at once, for pieces without an edit are not written; those of a drawing are.
  local large, path = { drawing = ((("."):rep(1000) .. "\n"):rep(1000)) }, MAPS .. "half"
  local status, answer
  for n = 1, 12 do -- on a busy machine the first client may have left before it was heard, or stayed until all was done
    call(cluster, 1, "PUT", path, large, 0.05 * 2 ^ (n % 4))
    status, answer = call(cluster, 2, "PUT", path, large)
    if status == 503 and answer.reason == "busy" then break end
    patiently(function() return call(cluster, 1, "DELETE", path) end)
  end
  check("a map that is being made: 503 busy", status == 503 and answer.reason == "busy", cjson.encode(answer))
  local is_made = loop.wait(30, function()
    for i = 1, cluster.count do
      if (call(cluster, i, "GET", path)) ~= 200 then return false end
    end
    return true
  end)
  check("it is made, though its client left", is_made)
  if not is_made then return end
  for n = 1, 3 do
    local version = edit(cluster, "half", { { "fill", 1, 1, 1000, 1000, n % 2 == 1 and "#" or "." } })
    call(cluster, n, "POST", "/v1/fold/half", {}, 0.05)
    local base = loop.wait(4, function()
      status, answer = call(cluster, n % 3 + 1, "POST", "/v1/fold/half", {})
      return status == 200 and answer.base == version and version -- an instance may not know of the edit yet
    end)
    check("a fold does not wait for one whose client left", base == version, cjson.encode(answer))
  end
  loop.sleep(5.5) -- then a claim that was seen may be taken; this one is none any more
  edit(cluster, "half", { { "set", 1, 1, "." } })
  for i = 1, cluster.count do
    status, answer = call(cluster, i, "POST", "/v1/fold/half", {})
    check(("folded by instance %d, whatever it saw before"):format(i), status == 200, cjson.encode(answer))
  end
  patiently(function() return call(cluster, 1, "DELETE", path) end)
end)

-- A request that takes more than 250 ms is a line of the log, whatever its queries are.
part("slow requests", function(cluster)
  local version = make(cluster, "slow")
  local odd = { 1, "text", true, cjson.null, { 1 }, {}, { cell = { 1, 1 } } }
  for _, first in ipairs(odd) do
    local status, answer
    loop.spawn(function()
      status, answer = call(cluster, 1, "POST", MAPS .. "slow/questions",
        { least = version + 1, wait = 5000, questions = { first, { cell = { 1, 1 } } } })
    end)
    loop.sleep(0.4)
    version = edit(cluster, "slow", { { "set", 1, 1, "." } })
    loop.wait(10, function() return status end)
    check("a slow request that begins with " .. cjson.encode(first) .. ": answered", status == 200
      and #answer.answers == 2 and answer.answers[2].key == ".", tostring(status) .. cjson.encode(answer or ""))
  end
end)

part("graphs", function(cluster)
  local graph = astar.graph()
  for name, at in pairs { a = { 1, 1 }, b = { 4, 1 }, c = { 9, 9 } } do graph:node(name, at[1], at[2]) end
  graph:edge("a", "b")
  graph:edge("b", "c", { cost = 20 })
  local first = make(cluster, "roads", { graph = mime.b64(graph:dump()) })
  local _, answer = ask(cluster, 1, "roads", { find_path = { "a", "c" } })
  check("a graph's route", answer.cost == 23 and #(answer.nodes or {}) == 3, cjson.encode(answer))
  check("a graph's edit", edit(cluster, "roads", { { "block", "b" } }) == first + 1)
  _, answer = ask(cluster, 2, "roads", { find_path = { "a", "c" } }, { fresh = true })
  check("is followed", answer.reason ~= nil and not answer.cost, cjson.encode(answer))
  _, answer = ask(cluster, 3, "roads", { nearest = { 8, 8 } }, { fresh = true })
  check("the nearest node", answer.key == "c", cjson.encode(answer))
end)

part("limits", function(cluster)
  make(cluster, "limits", { width = 300, height = 300 })
  local far, refused, answered, waits, done = { { find_path = { 1, 1, 300, 300 } } }, 0, 0, 0, 0
  for i = 2, 200 do far[i] = far[1] end
  local body = cjson.encode { questions = far }
  for _ = 1, 150 do
    loop.spawn(function()
      local client = load.client({ cluster.nodes[1] }, "many", "ask-token")
      local status, answer = client:try("POST", MAPS .. "limits/questions", body, 20)
      if status == 429 then
        refused = refused + 1
        waits = waits + (answer.error and 1 or 0)
      end
      if status == 200 then answered = answered + 1 end
      client:go_on()
      done = done + 1
    end)
  end
  loop.sleep(0.3)
  local began = loop.now()
  local short = { questions = { { cell = { 1, 1 } } } }
  local status = call(cluster, 1, "POST", MAPS .. "limits/questions", short, 5, "ask2")
  print(("        another client is answered after %.0f ms"):format((loop.now() - began) * 1e3))
  check("150 requests of one client at once: another is answered", status == 200, status)
  loop.wait(40, function() return done == 150 end)
  check(("some wait, the others are told 429 (%d, %d)"):format(answered, refused), answered > 0 and refused > 0
    and waits == refused and answered + refused == 150, ("%d, %d"):format(answered, refused))
end)

-- A map that no single request holds: made empty, then filled by pieces.
part("a large map", function(cluster)
  local side, piece = 1536, 256
  math.randomseed(3)
  local grid = astar.grid(side, side, { terrain = { ["."] = 1, ["#"] = false }, fill = "." })
  make(cluster, "small")
  local slowest, is_on = 0, true
  loop.spawn(function() -- another map's questions go on meanwhile
    while is_on do
      local began = loop.now()
      ask(cluster, 2, "small", { cell = { 1, 1 } }, { stale = true })
      slowest = math.max(slowest, loop.now() - began)
      loop.sleep(0.01)
    end
  end)
  local began = loop.now()
  make(cluster, "large",
    { width = side, height = side, options = { terrain = { ["."] = 1, ["#"] = false }, fill = "." } })
  for y = 1, side, piece do
    for x = 1, side, piece do
      local cells = {}
      for i = 1, piece * piece do cells[i] = math.random(60) == 1 and "#" or "." end
      local keys = table.concat(cells)
      grid:set_cells(x, y, piece, piece, keys)
      edit(cluster, "large", { { "set_cells", x, y, piece, piece, keys } })
    end
  end
  grid:set(1, 1, ".")
  grid:set(side, side, ".")
  local version = edit(cluster, "large", { { "set", 1, 1, "." }, { "set", side, side, "." } })
  print(("        a map of %d x %d, filled by pieces in %.1f s"):format(side, side, loop.now() - began))
  local path = grid:finder():find_path(1, 1, side, side)
  for i = 1, cluster.count do
    local status, answer = patiently(function()
      return ask(cluster, i, "large", { find_path = { 1, 1, side, side } }, { least = version, wait = 5000 }, 20)
    end)
    check(("instance %d has the routes that it has here"):format(i), status == 200 and answer.cost
      and math.abs(answer.cost - path.cost) < 1e-6, cjson.encode { answer.cost or answer.reason or status, path.cost })
  end
  is_on = false
  print(("        the slowest answer of another map by another instance meanwhile: %.0f ms"):format(slowest * 1e3))
  local status, answer = call(cluster, 1, "POST", "/v1/fold/large", {}, 30)
  check("folded", status == 200, tostring(status) .. cjson.encode(answer))
  cluster:kill("haproxy", 3)
  cluster:start("haproxy", 3)
  check("an instance that is started anew has it again", cluster:wait(30))
  status, answer = ask(cluster, 3, "large", { find_path = { 1, 1, side, side } }, nil, 20)
  check("    and its routes", status == 200 and answer.cost and math.abs(answer.cost - path.cost) < 1e-6,
    cjson.encode(answer))
  status = call(cluster, 1, "DELETE", MAPS .. "large", nil, 20)
  check("dropped", status == 200, status)
end)

part("metrics", function(cluster)
  local _, _, text = call(cluster, 1, "GET", "/metrics", nil, 5, "ask")
  local bad, samples = nil, 0
  for line in text:gmatch "[^\n]+" do
    if not line:find "^#" then
      samples = samples + 1
      local is_sample = line:find "^[%a_:][%w_:]* [%d.eE+-]+$" or line:find "^[%a_:][%w_:]*{.*} [%d.eE+%-Inf]+$"
      if not is_sample then bad = bad or line end
    end
  end
  check(("metrics as Prometheus reads them, %d of them"):format(samples), samples > 5 and not bad,
    bad or text:sub(1, 200))
  check("the end of the text is the end of a line", text:sub(-1) == "\n")
end)

part("a backup", function(cluster)
  if not programs.run "etcdctl version" then
    report.skip("a backup", "no etcdctl here")
    return
  end
  local first = make(cluster, "kept")
  local version = edit(cluster, "kept", { { "set", 9, 9, "#" } })
  local before = all_dumps(cluster, "kept", version)[1]
  local node, file = cluster.nodes[1], DIR .. "/backup"
  local ok, text = programs.run(("ETCDCTL_API=3 etcdctl --endpoints http://%s:%d snapshot save %s"):format(node.host,
    cluster.port + 11, file))
  check("etcdctl takes a snapshot while all runs", ok, text)
  edit(cluster, "kept", { { "set", 10, 10, "#" } })
  for i = 1, cluster.count do cluster:kill("both", i) end
  local peers = {}
  for i = 1, cluster.count do
    peers[i] = ("%s=http://%s:%d"):format(cluster:member(i), cluster.nodes[i].host, cluster.port + 20 + i)
  end
  for i = 1, cluster.count do
    os.execute(("rm -rf %s/%d/etcd"):format(DIR, i))
    ok, text = programs.run(("ETCDCTL_API=3 etcdctl snapshot restore %s --name %s --data-dir %s/%d/etcd"
      .. " --initial-cluster %s --initial-advertise-peer-urls http://%s:%d"):format(file, cluster:member(i), DIR, i,
      table.concat(peers, ","), cluster.nodes[i].host, cluster.port + 20 + i))
    if not ok then break end
  end
  check("all three are restored from it", ok, text)
  for i = 1, cluster.count do cluster:start("both", i) end
  check("and ready", cluster:wait(30))
  local after = same_everywhere(cluster, "kept", version, "with the map as it was")[1] or {}
  check("at the backup", after.version == version and after.dump == before.dump, after.version)
  check("edits go on", edit(cluster, "kept", { { "set", 1, 1, "#" } }) > first)
end)

os.execute("rm -rf " .. DIR .. " && mkdir -p " .. DIR)
local cluster = machines.new { dir = DIR, fold = 50 }
report.part("promises", function()
  cluster:up()
  loop.run(function()
    assert(cluster:wait(60), "the instances are not ready after 60 s")
    for _, its in ipairs(PARTS) do
      if not ONLY or its[1]:find(ONLY, 1, true) then
        print("---- " .. its[1])
        report.part(its[1], its[2], cluster)
      end
    end
  end)
end)
cluster:down()
programs.kill_all()
local is_good = report.summary()
if is_good then os.execute("rm -rf " .. DIR .. " 2>/dev/null") end
os.exit(is_good and 0 or 1)
