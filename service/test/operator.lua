-- operator.lua -- what an operator meets: the log, the metrics, a stop, a reload, maps in a bad state, and answers to
-- odd requests: lua5.3 test/operator.lua [PART].

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local astar = require "astar"
local cjson = require "cjson"
local http = require "http"
local loop = require "loop"
local machines = require "machines"
local mime = require "mime"
local programs = require "programs"
local report = require "report"

local ONLY = arg[1]
-- How many probes of /readyz in three reloads may fail: none, or some where much else runs on the machine, as
-- fairness.lua has it, because a new worker then needs longer to start than a request waits.
local MOST_UNREADY = tonumber(os.getenv "ASTAR_MOST_WAIT" or 3) > 3 and 9 or 0
local DIR = os.getenv "ASTAR_TEST_DIR" or "/tmp/astar-operator"
local MAPS = "/v1/maps/"

local check = report.check

local function read(path)
  local file = io.open(path)
  local text = file and file:read "a" or ""
  if file then file:close() end
  return text
end

-- Asks instance 1 on a connection of its own: status, text, headers. `body` is a table or a text.
local function call(cluster, method, path, body, token, seconds)
  local node = cluster.nodes[1]
  local connection = http.connect(node.host, node.port, 2)
  if not connection then return nil, "no connection" end
  if type(body) == "table" then body = cjson.encode(body) end
  local status, text, headers = connection:request(method, path,
    { Authorization = token or "Bearer admin-token", ["Content-Type"] = "application/json" }, body, seconds or 6)
  connection:close()
  return status, text or "", headers or {}
end

-- Asks again for as long as the answer is 503.
local function patiently(...)
  local arguments = table.pack(...)
  local answers
  loop.wait(20, function()
    answers = table.pack(call(table.unpack(arguments, 1, arguments.n)))
    return answers[1] and answers[1] ~= 503
  end)
  return table.unpack(answers, 1, 3)
end

local function make(cluster, name, body)
  local status, text = patiently(cluster, "PUT", MAPS .. name, body or { width = 20, height = 20 })
  assert(status == 201, name .. " is not made: " .. tostring(status) .. text)
  assert(loop.wait(10, function() return (call(cluster, "GET", MAPS .. name)) == 200 end), name .. " is not there")
end

local number = 0

local function edit(cluster, name, edits, token)
  number = number + 1
  return patiently(cluster, "POST", MAPS .. name .. "/edits",
    { client = "operator", request = number, edits = edits }, token)
end

local function graph_dump()
  local graph = astar.graph()
  graph:node("a", 1, 1)
  graph:node("b", 2, 2)
  return mime.b64(graph:dump())
end

local PARTS = {}

local function part(name, body) PARTS[#PARTS + 1] = { name, body } end

-- ---- answers ----

part("HEAD", function(cluster)
  make(cluster, "grid")
  make(cluster, "graph", { graph = graph_dump() })
  for _, path in ipairs { MAPS .. "grid", MAPS .. "grid?dump=1", MAPS .. "grid?stale=1", MAPS .. "graph",
    MAPS .. "graph?dump=1", MAPS .. "none", "/v1/maps", "/metrics", "/healthz", "/readyz" } do
    local expected = call(cluster, "GET", path)
    local status, text = call(cluster, "HEAD", path)
    check(("HEAD %s has the status of GET, %d, and no body"):format(path, expected), status == expected and text == "",
      tostring(status) .. text)
  end
end)

part("a map by its size", function(cluster)
  local status, text = call(cluster, "PUT", MAPS .. "sized",
    { width = 5, height = 5, options = { terrain = { ["#"] = false, ["."] = 1 } } })
  check("with terrain and without fill: 400, and the text says what to add", status == 400
    and text:find("options.fill", 1, true) and text:find("add", 1, true), tostring(status) .. text)
  make(cluster, "plain", { width = 5, height = 5 })
  local _, answer = call(cluster, "POST", MAPS .. "plain/questions", { questions = { { find_path = { 1, 1, 5, 5 } } } })
  check("without terrain all its cells are free", http.json(answer).answers[1].cost, answer)
end)

part("empty lists", function(cluster)
  make(cluster, "lists")
  make(cluster, "roads", { graph = graph_dump() })
  edit(cluster, "lists", { { "link", 1, 1, 9, 9 } })
  for map, list in pairs {
    lists = { '{"distances":[[[1,1]],[]]}', '{"distances":[[],[]]}', '{"find_path":[3,3,4,3]}' },
    roads = { '{"find_path":["a","a"]}', '{"reach":["a",0]}' },
  } do
    for _, question in ipairs(list) do
      local _, text = call(cluster, "POST", MAPS .. map .. "/questions", '{"questions":[' .. question .. "]}")
      check(("no list in the answer to %s is written {}"):format(question), text:find('"answers":[', 1, true)
        and not text:find("{}", 1, true), text)
    end
  end
  local _, text = call(cluster, "POST", MAPS .. "lists/questions", '{"questions":[{"find_path":[3,3,4,3]}]}')
  check("a route without a link has an empty list of links", text:find('"links":[]', 1, true), text)
end)

-- Requests that are invalid in as many ways as there are places that refuse them.
part("error texts", function(cluster)
  make(cluster, "texts")
  make(cluster, "text-graph", { graph = graph_dump() })
  local requests = {
    { "PUT", MAPS .. "bad", '{"drawing":"ab\\nc"}' }, { "PUT", MAPS .. "bad", '{"drawing":"?"}' },
    { "PUT", MAPS .. "bad", '{"dump":"AAAA"}' }, { "PUT", MAPS .. "bad", '{"graph":"AAAA"}' },
    { "PUT", MAPS .. "bad", '{"width":5,"height":5,"options":{"terrain":{"a":-1},"fill":"a"}}' },
    { "PUT", MAPS .. "bad", '{"width":5,"height":5,"options":{"shape":"round"}}' },
    { "PUT", MAPS .. "bad", '{"width":5,"height":5,"options":{"origin":"x"}}' },
    { "PUT", MAPS .. "bad", '{"width":5,"height":5,"options":{"fill":"?"}}' },
    { "PUT", MAPS .. "bad", '{"width":5,"height":5,"options":{"terrain":[["a"],[[1],2]],"fill":"a"}}' },
  }
  for _, question in ipairs { '{"find_path":[1,1,99,99]}', '{"find_path":[1.5,1,2,2]}', '{"find_path":["a",1,2,2]}',
    '{"find_path":[1,1]}', '{"find_path":{}}', '{"find_path":[1,1,2,2],"max_cost":"x"}', '{"find_nearest":[1,1,[[9]]]}',
    '{"find_nearest":[1,1,5]}', '{"distances":[[[99,99]],[[1,1]]]}', '{"distances":[5,5]}', '{"raycast":[1,1,99,1]}',
    '{"cell":[0,0]}', '{"cell":["x"]}', '{"reachable":[1,1,null,2]}', '{"find_path":[1,1,2,2],"unit":{"size":-1}}',
    '{"find_path":[1,1,2,2],"unit":{"ignore":[{}]}}', '[]', '5', 'null', '{"a":1,"b":2}' } do
    requests[#requests + 1] = { "POST", MAPS .. "texts/questions", '{"questions":[' .. question .. "]}" }
    requests[#requests + 1] = { "POST", MAPS .. "text-graph/questions", '{"questions":[' .. question .. "]}" }
  end
  for i, op in ipairs { '["set",99,99,"#"]', '["set",3,2,1e308]', '["set",3,2,[]]', '["fly",1]', '["block",1,1,99,99]',
    '["link",1,1,1,1]', '["wall",1,1,"up"]', '["set_cells",1,1,2,2,"..."]', '["terrain","x",-5]', '["set",1,1,"?"]',
    '["node","a",1e300,1]', '["edge","a","none"]', '["remove","none"]' } do
    local body = ('{"client":"texts","request":%d,"edits":[%s]}'):format(i, op)
    requests[#requests + 1] = { "POST", MAPS .. "texts/edits", body }
    requests[#requests + 1] = { "POST", MAPS .. "text-graph/edits", body }
  end
  local shown, defect
  for _, request in ipairs(requests) do
    local status, text = call(cluster, table.unpack(request))
    if text:find "%.lua" or text:find("/opt", 1, true) or text:find(HERE, 1, true) then shown = request[3] .. text end
    if not status or status >= 500 then defect = request[3] .. tostring(status) .. text end
  end
  check(("%d invalid requests: no text names a file of ours"):format(#requests), not shown, shown)
  check("    and none is taken for a defect of the service", not defect, defect)
  local status, text = call(cluster, "POST", MAPS .. "texts/edits",
    '{"client":"texts","request":99,"edits":[["set",3,2,1e308]]}')
  check('["set", 3, 2, 1e308]: 400', status == 400 and text:find("argument 3", 1, true), tostring(status) .. text)
end)

part("the scheme of a token", function(cluster)
  for _, scheme in ipairs { "Bearer", "bearer", "BEARER", "bEaReR" } do
    local status, text = call(cluster, "GET", "/v1/maps", nil, scheme .. " ask-token")
    check(scheme .. " is understood", status == 200, tostring(status) .. text)
  end
end)

-- ---- the log and the metrics ----

local function log_of(cluster)
  local lines = {}
  for line in read(cluster.dir .. "/1/haproxy.log"):gmatch "[^\n]+" do
    lines[#lines + 1] = line:find "^{" and (http.json(line) or { broken = line }) or nil
  end
  return lines
end

local function count_lines(cluster, holds)
  local count = 0
  for _, line in ipairs(log_of(cluster)) do count = count + (holds(line) and 1 or 0) end
  return count
end

part("the access log and the audit log", function(cluster)
  make(cluster, "logged")
  local _, text = edit(cluster, "logged", { { "set", 1, 1, "#" }, { "set", 2, 1, "#" }, { "block", 3, 3 } },
    "Bearer edit-token")
  local version, last = http.json(text).version, number
  call(cluster, "POST", MAPS .. "logged/edits", { client = "operator", request = last,
    edits = { { "set", 1, 1, "#" }, { "set", 2, 1, "#" }, { "block", 3, 3 } } }, "Bearer edit-token")
  call(cluster, "POST", MAPS .. "logged/questions", { questions = { { cell = { 1, 1 } } } })
  call(cluster, "GET", '/v1/maps/a"b\\c', nil, "Bearer wrong")
  call(cluster, "GET", "/healthz")
  patiently(cluster, "POST", "/v1/fold/logged", {})
  patiently(cluster, "DELETE", MAPS .. "logged")
  loop.wait(5, function() return count_lines(cluster, function(its) return its.audit == "drop" end) > 0 end)
  check("each line of the log is JSON", count_lines(cluster, function(its) return its.broken end) == 0)
  local found
  for _, line in ipairs(log_of(cluster)) do
    if line.audit == "edit" and line.map == "logged" then found = line end
  end
  check("an edit is in the audit log: token, address, client, request, version, and how many edits of each name",
    found and found.token:find "^edit:tools@" and found.client == "operator" and found.request == last
    and found.version == version and found.edits.set == 2 and found.edits.block == 1, cjson.encode(found or {}))
  check("    once, though the request was sent twice", count_lines(cluster, function(its)
    return its.audit == "edit" and its.map == "logged" end) == 1)
  for _, action in ipairs { "make", "fold", "drop" } do
    check(("    and what was done to a map: %s"):format(action), count_lines(cluster, function(its)
      return its.audit == action and its.map == "logged" and its.token:find "^admin:me@" end) == 1)
  end
  local function is_access(method, path, status)
    return function(its) return its.access == method .. " " .. path and its.status == status end
  end
  check("a request is in the access log", count_lines(cluster, is_access("PUT", MAPS .. "logged", 201)) == 1)
  check("    and one that was refused, with its odd path",
    count_lines(cluster, is_access("GET", '/v1/maps/a"b\\c', 401)) == 1)
  check("    but no query that was answered, and no probe",
    count_lines(cluster, is_access("POST", MAPS .. "logged/questions", 200)) == 0
    and count_lines(cluster, is_access("GET", "/healthz", 200)) == 0)
  local all = read(cluster.dir .. "/1/haproxy.log")
  check("    and no token", not all:find "%-token" and not all:find "wrong")
  local _, twice = all:gsub('"audit":"edit","map":"logged"', "")
  check("    and no line is there twice", twice == 1, twice)
end)

local function metrics(cluster)
  local _, text = call(cluster, "GET", "/metrics")
  local values = {}
  for name, value in text:gmatch "([^\n]-) (%S+)\n" do values[name] = tonumber(value) end
  return values
end

part("metrics", function(cluster)
  make(cluster, "counted")
  local before = metrics(cluster)
  call(cluster, "GET", "/v1/maps", nil, "Bearer wrong")
  call(cluster, "PUT", MAPS .. "counted", { width = 2, height = 2 }, "Bearer ask-token")
  call(cluster, "PATCH", "/v1/maps")
  call(cluster, "GET", "/nothing")
  call(cluster, "POST", MAPS .. "counted/questions", { questions = { { cell = { 1, 1 } } }, least = 99, wait = 50 })
  call(cluster, "POST", MAPS .. "counted/questions", "no JSON")
  call(cluster, "PUT", MAPS .. "counted", { width = 2, height = 2 })
  local after
  local refusals = { ['status="401",reason="token"'] = 1, ['status="403",reason="rights"'] = 1,
    ['status="405",reason="method"'] = 1, ['status="404",reason="path"'] = 1, ['status="503",reason="behind"'] = 1,
    ['status="400",reason=""'] = 1, ['status="409",reason="exists"'] = 1 }
  local function counted(labels)
    local name = "astar_refused_total{" .. labels .. "}"
    return (after[name] or 0) - (before[name] or 0)
  end
  loop.wait(5, function() -- each thread tells its counts once a second
    after = metrics(cluster)
    return counted 'status="503",reason="behind"' == 1
  end)
  for labels, count in pairs(refusals) do
    check(("a refusal is counted: %s"):format(labels), counted(labels) == count, counted(labels))
  end
  for _, name in ipairs { 'astar_requests_waiting{thread="1"}', 'astar_requests_waiting{thread="3"}',
    'astar_map_edits_waiting{map="counted"}', "astar_stale_seconds_total", "astar_heard_seconds_ago" } do
    check("there is " .. name, after[name] ~= nil)
  end
  cluster:pause("etcd", 1)
  loop.sleep(2.3)
  local stale = metrics(cluster).astar_stale_seconds_total - after.astar_stale_seconds_total
  check(("2.3 s without etcd are about 1.5 s in which the instance is stale (%.1f)"):format(stale), stale > 0.7
    and stale < 4, stale)
  cluster:resume("etcd", 1)
  check("etcd is there again: ready", cluster:wait(10))
  local later = metrics(cluster).astar_stale_seconds_total - after.astar_stale_seconds_total
  check("    and the time that it was stale stays counted", later >= stale * 0.9 and later < stale + 3, later)
end)

-- ---- waits ----

part("versions that never come", function(cluster)
  make(cluster, "future")
  local pid = programs.children(cluster:pid("haproxy", 1))[1] -- the worker
  local function used(seconds)
    local began, from = programs.used(pid), loop.now()
    loop.sleep(seconds)
    return (programs.used(pid) - began) / (loop.now() - from)
  end
  loop.sleep(1)
  local alone, done = used(3), 0
  for _ = 1, 60 do
    loop.spawn(function()
      call(cluster, "POST", MAPS .. "future/questions",
        { least = 1000, wait = 5000, questions = { { cell = { 1, 1 } } } }, nil, 10)
      done = done + 1
    end)
  end
  loop.sleep(0.5)
  local beside = used(3)
  check(("60 requests that wait take less than 10 %% of a core (%.1f %%; %.1f %% without them)"):format(beside * 100,
    alone * 100), beside - alone < 0.1, beside)
  check("    and all are answered", loop.wait(20, function() return done == 60 end), done)
end)

-- ---- maps in a bad state ----

local function put_row(cluster, key, value)
  local body = ('{"key":"%s","value":"%s"}'):format((mime.b64("astar/" .. key)), (mime.b64(value)))
  assert(cluster:etcd(1, "/v3/kv/put", body), "etcd takes no row")
end

part("rows without a map", function(cluster)
  for _, name in ipairs { "rest-dropped", "rest-made" } do
    put_row(cluster, "head/" .. name, "7")
    put_row(cluster, ("edits/%s/%016x"):format(name, 3), '[[["set",1,1,"#"]]]')
    put_row(cluster, "done/" .. name .. "/operator", "[1000000,7]")
    local status, text = call(cluster, "GET", MAPS .. name)
    check("rows of a map that has no record are no map: GET is 404", status == 404, tostring(status) .. text)
    status, text = call(cluster, "POST", MAPS .. name .. "/questions",
      { questions = { { cell = { 1, 1 } } }, wait = 0 })
    check("    and a query, too", status == 404, tostring(status) .. text)
  end
  local status, text = patiently(cluster, "DELETE", MAPS .. "rest-dropped")
  check("    DELETE drops them", status == 200, tostring(status) .. text)
  status = call(cluster, "DELETE", MAPS .. "rest-dropped")
  check("    once", status == 404, status)
  for _, name in ipairs { "rest-dropped", "rest-made" } do
    make(cluster, name)
    status, text = edit(cluster, name, { { "set", 2, 2, "#" } })
    check(("    %s is made, above the old versions, and edited"):format(name), status == 200
      and http.json(text).version > 7, tostring(status) .. text)
    _, text = call(cluster, "POST", MAPS .. name .. "/questions", { questions = { { cell = { 1, 1 } } } })
    check("        and has nothing of the old rows", http.json(text).answers[1].key == ".", text)
  end
end)

-- Starts another instance, with the etcd of `cluster` behind a proxy that is slow for keys that begin with `key`: the
-- instance, and what ends both.
local function start_behind(cluster, key, delay, log)
  local node = cluster.nodes[1]
  local port, exec = cluster.port + 40, space.machine(1).exec
  local proxy = programs.start(exec .. programs.command { os.getenv "ASTAR_TEST_LUA" or "lua5.3",
    HERE .. "/trickle.lua", node.host, port, cluster.port + 11, key, delay }, log)
  local other = machines.new { dir = DIR .. "/other", count = 1, port = cluster.port + 60 }
  os.execute(("mkdir -p %s/1 && : >%s/1/board.map"):format(other.dir, other.dir))
  local service = HERE .. "/.."
  local settings = {
    "env", "ASTAR_RUN=" .. other.dir .. "/1", ("ASTAR_BIND=%s:%d"):format(node.host, other.nodes[1].port),
    ("ASTAR_ETCD=%s:%d"):format(node.host, port), "ASTAR_THREADS=3", "ASTAR_LOG=stdout", "ASTAR_SERVICE=" .. service,
    ("ASTAR_MODULE=%s/../build/%s"):format(service, machines.lua()), ("ASTAR_LUA=%s/../lua"):format(service),
    ("ASTAR_SETTINGS=%s/settings.lua"):format(service), ("ASTAR_TOKENS=%s/tokens.map"):format(cluster.dir),
    "haproxy", "-db", "-f", service .. "/haproxy.cfg",
  }
  local pid = programs.start(exec .. programs.command(settings), other.dir .. "/1/haproxy.log")
  other.nodes[1].host = node.host
  return other, function()
    programs.kill(pid)
    programs.kill(proxy)
  end
end

-- An instance that reads everything again while it loads a map must not miss the edits of that map in between.
part("edits of a map that is loading", function(cluster)
  local row = ("."):rep(600)
  make(cluster, "long-load", { drawing = (row .. "\n"):rep(599) .. row })
  make(cluster, "gaps")
  local other, stop = start_behind(cluster, "astar/chunks/long-load/", 0.3, DIR .. "/delay.log")
  assert(loop.wait(20, function() return (call(other, "GET", MAPS .. "gaps")) == 200 end), "it does not start")
  local status, text = call(other, "GET", MAPS .. "long-load")
  check("the map is loading", status == 503, tostring(status) .. text)
  local version, count = 0, 0
  for n = 1, 200 do
    -- A version that is missing has the instance read everything again.
    loop.spawn(function() put_row(cluster, ("edits/gaps/%016x"):format(1000000 + n), '[[["set",1,1,"#"]]]') end)
    text = select(2, edit(cluster, "long-load", { { "set", 1, 1, n % 2 == 0 and "." or "#" } }))
    version, count = http.json(text).version, n
    if (call(other, "GET", MAPS .. "long-load")) == 200 then break end
  end
  local answer
  check(("after %d edits while it was loading the instance has them all"):format(count), loop.wait(20, function()
    text = select(2, call(other, "GET", MAPS .. "long-load"))
    answer = http.json(text) or {}
    return answer.version == version
  end), ("version %s of %s"):format(tostring(answer and answer.version), tostring(version)))
  stop()
end)

-- A map whose rows come so slowly that it is never read: etcd is behind a proxy that sends a byte now and then.
part("a map that is loading", function(cluster)
  local cells = {}
  for i = 1, 200 * 200 do cells[i] = i % 3 == 0 and "#" or "." end
  local rows = {}
  for y = 1, 200 do rows[y] = table.concat(cells, "", (y - 1) * 200 + 1, y * 200) end
  make(cluster, "slow-rows", { drawing = table.concat(rows, "\n") })
  local log = DIR .. "/trickle.log"
  local other, stop = start_behind(cluster, "astar/chunks/slow-rows/", nil, log)
  local status, text
  loop.wait(10, function()
    status, text = call(other, "GET", MAPS .. "slow-rows")
    return status == 503
  end)
  check("a map whose rows come a byte at a time is loading: 503", status == 503
    and text:find("loading", 1, true), tostring(status) .. text)
  check("    each call ends after 3 s, and is made again", loop.wait(25, function()
    return select(2, read(log):gsub("closed", "")) >= 2
  end), read(log))
  status, text = call(other, "PUT", MAPS .. "slow-rows", { width = 5, height = 5 })
  check("    PUT: 409, for etcd has it", status == 409, tostring(status) .. text)
  status, text = patiently(other, "DELETE", MAPS .. "slow-rows")
  check("    DELETE drops it", status == 200, tostring(status) .. text)
  status, text = patiently(other, "PUT", MAPS .. "slow-rows", { width = 5, height = 5 })
  -- 409: a first try was answered with 503, because etcd was slow, and had made the map all the same.
  check("    and it is made again", status == 201 or status == 409, tostring(status) .. text)
  check("    and there, for an instance that can read it", loop.wait(10, function()
    status, text = call(cluster, "GET", MAPS .. "slow-rows")
    return status == 200 and http.json(text).width == 5
  end), text)
  stop()
end)

-- ---- stop and reload ----

local UNIT = read(HERE .. "/../systemd/astar-haproxy.service")

-- Clients that ask and edit without end, each answer counted, until `is_over()`: counts by what came back. A client
-- goes on as the service's own client does: a connection that was closed before a request was sent is opened again.
local function load_until(cluster, name, is_over)
  local seen, running, again = {}, 8, 0
  for n = 1, 8 do
    loop.spawn(function()
      local node, connection = cluster.nodes[1], nil
      local request = 0
      while not is_over() do
        local was_kept = connection and connection.sock
        if not was_kept then connection = http.connect(node.host, node.port, 2) end
        local what = "refused"
        if connection then
          request = request + 1
          local path, body = MAPS .. name .. "/questions", { questions = { { find_path = { 1, 1, 20, 20 } } } }
          if n % 2 == 0 then
            path, body = MAPS .. name .. "/edits",
              { client = "c" .. n, request = request, edits = { { "set", n, 2, request % 2 == 0 and "." or "#" } } }
          end
          local status, text = connection:request("POST", path, { Authorization = "Bearer edit-token" },
            cjson.encode(body), 8)
          what = status and ("%d %s"):format(status, (http.json(text) or {}).reason or "")
            or ("%s, %s on %s connection"):format(text, path:match "%a+$", was_kept and "a kept" or "a new")
          if what:find "on a kept connection$" then -- the client of the service sends such a request again, too
            what, again = "", again + 1
            request = request - 1
          end
          if n % 4 > 1 and connection.sock then connection:close() end -- half of them keep their connections
        end
        seen[what] = what ~= "" and (seen[what] or 0) + 1 or nil
        if what == "refused" then loop.sleep(0.05) end
        loop.sleep(0.005)
      end
      if connection then connection:close() end
      running = running - 1
    end)
  end
  return seen, function()
    loop.wait(15, function() return running == 0 end)
    return again
  end
end

local function others_than(seen, allowed)
  local list = {}
  for what, count in pairs(seen) do
    if not allowed[what] then list[#list + 1] = ("%d times %s"):format(count, what) end
  end
  return #list == 0, table.concat(list, ", ")
end

part("a reload", function(cluster)
  make(cluster, "reloaded")
  local pid, is_over = cluster:pid("haproxy", 1), false
  local seen, join = load_until(cluster, "reloaded", function() return is_over end)
  loop.sleep(0.5)
  local workers, worst = {}, 0
  local probing = true
  loop.spawn(function()
    while probing do
      local status = cluster:get(1, "/readyz", 3)
      if status ~= 200 then worst = worst + 1 end
      loop.sleep(0.05)
    end
  end)
  for n = 1, 3 do
    workers[n] = table.concat(programs.children(pid), " ")
    programs.signal(pid, "USR2")
    loop.wait(10, function() return table.concat(programs.children(pid), " ") ~= workers[n] end)
    loop.sleep(3)
  end
  is_over, probing = true, false
  local again = join()
  check(("    at most 3 requests had to be sent again on another connection (%d)"):format(again), again <= 3, again)
  local is_right, why = others_than(seen, { ["200 "] = true })
  check(("three reloads beside 8 clients: %d answers, all of them 200"):format(seen["200 "] or 0), is_right
    and (seen["200 "] or 0) > 100, why)
  check("    and /readyz stays 200", worst <= MOST_UNREADY, worst)
  check("    and old workers end", loop.wait(15, function() return #programs.children(pid) == 1 end),
    #programs.children(pid))
end)

part("a stop", function(cluster)
  make(cluster, "stopped")
  local pid, is_over = cluster:pid("haproxy", 1), false
  check("the unit drains before it stops, and stops by SIGUSR1", UNIT:find "\nExecStop=[^\n]*drain"
    and UNIT:find "\nKillSignal=SIGUSR1\n")
  local seen, join = load_until(cluster, "stopped", function() return is_over end)
  loop.sleep(0.5)
  local file = assert(io.open(cluster.dir .. "/1/drain", "w"))
  file:close()
  check("while the instance drains, /readyz is 503", loop.wait(3, function()
    return cluster:get(1, "/readyz", 1) == 503
  end))
  local status, _, headers = call(cluster, "GET", MAPS .. "stopped")
  check("    but requests are answered, and each answer closes its connection", status == 200
    and headers.connection == "close", tostring(status) .. tostring(headers.connection))
  loop.sleep(1)
  is_over = true -- a balancer that asks /readyz once a second sends nothing more
  join()
  loop.sleep(0.5)
  local under_way, answered = 8, 0
  for _ = 1, under_way do
    loop.spawn(function()
      local status_then = call(cluster, "POST", MAPS .. "stopped/questions",
        { least = 1000000, wait = 3000, questions = { { cell = { 1, 1 } } } }, nil, 8)
      answered = answered + (status_then == 503 and 1 or 0)
    end)
  end
  loop.sleep(0.7)
  local began = loop.now()
  programs.signal(pid, "USR1")
  local is_ended = loop.wait(12, function() return not programs.is_alive(pid) end)
  check(("it ends within 8 s of SIGUSR1 (%.1f s)"):format(loop.now() - began), is_ended and loop.now() - began < 8)
  check("    and the requests under way are answered before, those that wait for 3 s too", answered == under_way,
    answered)
  local is_right, why = others_than(seen, { ["200 "] = true })
  check(("%d answers while it drained, all of them 200"):format(seen["200 "] or 0), is_right
    and (seen["200 "] or 0) > 100, why)
  cluster:start("haproxy", 1)
  check("started again: ready", cluster:wait(20))
end)

part("the units", function()
  for _, name in ipairs { "astar-etcd", "astar-haproxy" } do
    local path = HERE .. "/../systemd/" .. name .. ".service"
    local text = read(path)
    for _, line in ipairs { "MemoryMax=%d+%%", "OOMScoreAdjust=%-?%d+", "EnvironmentFile=/etc/astar/env",
      "Restart=always" } do
      check(("%s has %s"):format(name, (line:gsub("%%(.)", "%1"))), text:find("\n" .. line .. "\n"))
    end
    if programs.run "systemd-analyze --version" then
      local _, said = programs.run("systemd-analyze verify " .. programs.quote(path))
      local bad
      for line in said:gmatch "[^\n]+" do
        if line:find(name, 1, true) and not line:find "is not executable" then bad = line end
      end
      check("    and systemd understands it", not bad, bad)
    else
      report.skip("systemd-analyze verify " .. name, "no systemd here")
    end
  end
  local text = read(HERE .. "/../systemd/astar-etcd.service")
  check("etcd's members speak to each other by TLS, and each needs a certificate",
    text:find "%-%-listen%-peer%-urls https://" and text:find "%-%-peer%-client%-cert%-auth"
    and text:find "%-%-peer%-trusted%-ca%-file")
end)

os.execute("rm -rf " .. DIR .. " && mkdir -p " .. DIR)
local cluster = machines.new { dir = DIR, count = 1, master = "-W" }
report.part("operator", function()
  cluster:up()
  loop.run(function()
    assert(cluster:wait(60), "the instance is not ready after 60 s")
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
if is_good and not os.getenv "KEEP" then os.execute("rm -rf " .. DIR) end
os.exit(is_good and 0 or 1)
