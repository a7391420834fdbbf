-- security.lua -- who may do what, and rubbish: lua5.3 test/security.lua [REQUESTS [SEED [PART]]].

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local cjson = require "cjson"
local http = require "http"
local load = require "load"
local loop = require "loop"
local machines = require "machines"
local programs = require "programs"
local report = require "report"
local rubbish = require "rubbish"

local REQUESTS, SEED, ONLY = tonumber(arg[1] or 10000), tonumber(arg[2] or os.time()), arg[3]
local DIR = os.getenv "ASTAR_TEST_DIR" or ("/tmp/astar-security-%d"):format(SEED)

math.randomseed(SEED)

local check = report.check

-- Sends bytes on a connection of their own and reads what comes back.
local function send(node, bytes, seconds)
  local connection, why = http.connect(node.host, node.port, 2)
  if not connection then return nil, why, true end
  local till = loop.now() + (seconds or 5)
  connection:send(bytes, till) -- the other side may answer and close before it has all
  local status, body = connection:answer(till)
  connection:close()
  return status, body
end

local function is_right(node)
  local status, body = send(node, http.bytes("POST", "/v1/maps/rubbish/questions",
    { Authorization = "Bearer ask-token" }, '{"questions":[{"find_path":[1,1,9,1]}]}'))
  local data = status == 200 and http.json(body)
  return data and data.answers and data.answers[1].cost == 8, ("%s %s"):format(tostring(status), tostring(body))
end

-- ---- tokens ----

local QUERY = '{"questions":[{"cell":[1,1]}]}'

local ROUTES = { -- method, path, body, the least token
  { "GET", "/v1/maps", nil, "ask" },
  { "GET", "/v1/maps/rubbish", nil, "ask" },
  { "GET", "/v1/maps/rubbish?dump=1", nil, "ask" },
  { "POST", "/v1/maps/rubbish/questions", QUERY, "ask" },
  { "GET", "/metrics", nil, "ask" },
  { "POST", "/v1/maps/rubbish/edits", '{"client":"who","request":%d,"edits":[["set",2,2,"."]]}', "edit" },
  { "PUT", "/v1/maps/made%d", '{"width":4,"height":4}', "admin" },
  { "DELETE", "/v1/maps/made%d", nil, "admin" },
  { "POST", "/v1/fold/rubbish", "{}", "admin" },
}

local RANK = { ask = 1, edit = 2, admin = 3 }

local number = 0

local function try(node, route, authorization)
  number = number + 1
  local path = route[2]:format(number)
  local body = route[3] and route[3]:format(number)
  return send(node, http.bytes(route[1], path, { Authorization = authorization, ["Content-Type"] = "application/json" },
    body))
end

local WRONG = { "Bearer wrong", "Bearer ", "Bearer", "bearer ask-token x", "Basic YWRtaW4tdG9rZW46", "Bearer ask-toke",
  "Bearer admin-token2", "admin-token", "Bearer \tadmin-token\t\tx", "Token admin-token" }

local function tokens(node)
  for _, route in ipairs(ROUTES) do
    local name = route[1] .. " " .. route[2]
    if not (route[2] == "/metrics" and not space.is_own) then -- which loopback may read
      local status, body = try(node, route, nil)
      check(name .. " without a token: 401", status == 401 and rubbish.tells(body), tostring(status) .. tostring(body))
      local bad
      for _, wrong in ipairs(WRONG) do
        status, body = try(node, route, wrong)
        if status ~= 401 or not rubbish.tells(body) then
          bad = ("%s: %s %s"):format(wrong, tostring(status), tostring(body))
        end
      end
      check(name .. " with a wrong token: 401", not bad, bad)
    end
    for token, rank in pairs(RANK) do
      local status, body = try(node, route, "Bearer " .. token .. "-token")
      if rank < RANK[route[4]] then
        check(name .. " with the token " .. token .. ": 403", status == 403 and rubbish.tells(body),
          tostring(status) .. tostring(body))
      else
        check(name .. " with the token " .. token .. ": done", status and (status < 300 or status == 404
          and route[1] == "DELETE"), tostring(status) .. tostring(body))
      end
    end
  end
  local status = send(node, http.bytes("GET", "/v1/maps?token=admin-token&access_token=admin-token", {}))
  check("a token in the address is none", status == 401, status)
  check("healthz asks for none", (send(node, http.bytes("GET", "/healthz", {}))) == 200)
  check("readyz asks for none", (send(node, http.bytes("GET", "/readyz", {}))) == 200)
end

-- What was refused must not have been done.
local function refused_is_not_done(node)
  send(node, http.bytes("POST", "/v1/maps/rubbish/edits", { Authorization = "Bearer ask-token" },
    '{"client":"who","request":100000,"edits":[["set",5,5,"#"]]}'))
  local _, body = send(node, http.bytes("POST", "/v1/maps/rubbish/questions", { Authorization = "Bearer ask-token" },
    '{"fresh":true,"questions":[{"cell":[5,5]}]}'))
  local data = http.json(body)
  check("what was refused is not done", data and data.answers and data.answers[1].key == ".", body)
end

-- ---- rubbish ----

local function version_of(node)
  local _, body = send(node, http.bytes("GET", "/v1/maps/rubbish", { Authorization = "Bearer ask-token" }))
  local data = http.json(body or "")
  return data and data.version
end

local function malformed(node, cluster)
  local bad, kinds, answered, silent, checked, worst = {}, {}, 0, 0, 0, 0
  local done, at = 0, 0
  local function work()
    while at < REQUESTS do
      at = at + 1
      local its = rubbish.draw(math.random)
      local began = loop.now()
      local status, body, is_down = send(node, its.bytes, its.ends and 2 or 5)
      if not its.behind then worst = math.max(worst, loop.now() - began) end
      if status then answered = answered + 1 else silent = silent + 1 end
      local why = is_down and "no connection: " .. tostring(body) or rubbish.wrong(its, status, body)
      if why then
        kinds[its.kind] = (kinds[its.kind] or 0) + 1
        if #bad < 25 and kinds[its.kind] <= 3 then
          bad[#bad + 1] = ("%s: %s\n    of %s"):format(its.kind, why, cjson.encode(its.bytes:sub(1, 260)))
        end
      end
      if at % 50 == 0 then
        local ok, what = is_right(node)
        checked = checked + 1
        if not ok and #bad < 25 then bad[#bad + 1] = "after " .. its.kind .. " no right answer: " .. what end
      end
    end
    done = done + 1
  end
  for _ = 1, 8 do loop.spawn(work) end
  loop.wait(300, function() return done == 8 end, 0.05)
  for kind, count in pairs(kinds) do print(("        %d of %s"):format(count, kind)) end
  print(("        %d requests of rubbish, %d answered, %d closed; %d right answers between; the slowest %.2f s")
    :format(at, answered, silent, checked, worst))
  check(("%d malformed requests: 4xx and JSON"):format(REQUESTS), at >= REQUESTS and #bad == 0,
    table.concat(bad, "\n    "))
  check("the instance is ready", cluster:is_ready(1))
end

-- ---- what is large, and what is slow ----

local function large(node)
  for _, way in ipairs { "with a length", "in chunks" } do
    local connection = http.connect(node.host, node.port, 2)
    local till, sent, why = loop.now() + 20, 0, nil
    local head = "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: astar\r\nAuthorization: Bearer edit-token\r\n"
    connection:send(head .. (way == "in chunks" and "Transfer-Encoding: chunked" or "Content-Length: 104857600")
      .. "\r\n\r\n", till)
    local piece = (" "):rep(1048576)
    if way == "in chunks" then piece = "100000\r\n" .. piece .. "\r\n" end
    for _ = 1, 100 do
      local ok
      ok, why = connection:send(piece, loop.now() + 2)
      if not ok then break end
      sent = sent + 1
    end
    local status, body = connection:answer(loop.now() + 5)
    local is_told = status and status >= 400 and status < 500 and rubbish.tells(body)
    check(("a body of 100 MB %s: refused"):format(way), is_told or not status and sent < 100,
      ("%s after %d MB, %s"):format(tostring(status), sent, tostring(why)))
    check("    by an answer, not only by a reset", status ~= nil, ("%s after %d MB"):format(tostring(why), sent))
    connection:close()
    check("    and the next is answered", is_right(node))
  end
end

-- Whether the answer to a slow sender says that the request did not come in time. A head that does not come is
-- answered by a page of HAProxy's own.
local function is_timeout(status, body, has_head)
  return status == 408 and (rubbish.tells(body) or not has_head and body:find "^<html><body><h1>408 " ~= nil)
end

-- Senders of a byte now and then: each must be told 408, and nobody else waits for them.
local function slow(node)
  local count, ended, slowest, odd = 40, 0, 0, nil
  local text = http.bytes("POST", "/v1/maps/rubbish/questions", { Authorization = "Bearer ask-token" }, QUERY)
  for i = 1, count do
    loop.spawn(function()
      local connection = http.connect(node.host, node.port, 2)
      local till = loop.now() + 30
      local at = i % 2 == 0 and #text - 20 or 1 -- in the head, or in the body
      if connection and i % 2 == 0 then connection:send(text:sub(1, at - 1), till) end
      while connection and at < #text and loop.now() < till do
        if not connection:send(text:sub(at, at), till) then break end
        at = at + 1
        if loop.readable(connection.sock, loop.now() + 3) then break end
      end
      if connection then
        local status, body = connection:answer(till)
        if not is_timeout(status, body, i % 2 == 0) then odd = ("%s %s"):format(tostring(status), tostring(body)) end
        connection:close()
      end
      if loop.now() < till then ended = ended + 1 end
    end)
  end
  local till = loop.now() + 31
  while ended < count and loop.now() < till do
    local began = loop.now()
    if not is_right(node) then break end
    slowest = math.max(slowest, loop.now() - began)
    loop.sleep(0.05)
  end
  check("slow senders are told 408", not odd, odd)
  check("slow senders are ended within 30 s", ended == count, ended .. " of " .. count)
  check(("    and others wait for none of them (%.0f ms)"):format(slowest * 1e3), slowest < 3)
end

-- ---- strangers ----

-- Sends a request with a body of 300 MB. Returns the status of the answer that came after the first MB, or nil if the
-- server closed the connection without an answer; the number of MB that the connection accepted; and the most memory
-- that the process had meanwhile, in MB. HAProxy 2.6 closes the connection after the answer. HAProxy 3.0 reads the rest
-- of the body and discards it, so that the client receives the answer (github.com/haproxy/haproxy/issues/2404).
local function pour(cluster, head, is_chunked)
  local node = cluster.nodes[1]
  local connection = http.connect(node.host, node.port, 2)
  local piece = ("x"):rep(1048576)
  if is_chunked then piece = "100000\r\n" .. piece .. "\r\n" end
  connection:send(head .. (is_chunked and "Transfer-Encoding: chunked" or "Content-Length: 314572800") .. "\r\n\r\n",
    loop.now() + 2)
  connection:send(piece, loop.now() + 1)
  local answer = connection:take_until("\r\n\r\n", loop.now() + 2) or ""
  local sent, most = 1, 0
  while connection.sock and sent < 300 and connection:send(piece, loop.now() + 1) do
    sent = sent + 1
    most = math.max(most, cluster:memory("haproxy", 1))
  end
  connection:close()
  return tonumber(answer:match "^HTTP/1%.%d (%d%d%d)"), sent, math.max(most, cluster:memory("haproxy", 1))
end

-- Bodies where none is expected, with and without a token, are not kept in memory.
local function bodies(node, cluster)
  local before = cluster:memory("haproxy", 1)
  for _, line in ipairs { "POST /readyz", "GET /readyz", "HEAD /readyz", "PUT /readyz", "POST /healthz", "GET /healthz",
    "GET /v1/maps", "DELETE /v1/maps/rubbish", "GET /v1/maps/rubbish", "HEAD /v1/maps", "POST /v1/fold/rubbish",
    "GET /metrics", "POST /nothing", "POST /v1/maps/rubbish/questions", "PUT /v1/maps/large" } do
    for _, is_chunked in ipairs { true, false } do
      for _, token in ipairs { "", "Authorization: Bearer admin-token\r\n" } do
        local head = ("%s HTTP/1.1\r\nHost: astar\r\n%s"):format(line, token)
        local status, sent, most = pour(cluster, head, is_chunked)
        local what = ("%s, %s, %s: "):format(line, is_chunked and "in chunks" or "300 MB",
          token == "" and "without a token" or "with one")
        local is_refused = status and status >= 400 and status < 500 or not status and sent < 300
        check(what .. "is refused at once and not kept", is_refused and most < before + 40,
          ("%d MB sent, %s, %.0f MB of memory"):format(sent, tostring(status), most))
      end
    end
  end
  check("    and others are answered", is_right(node))
end

-- Lengths that 32 or 64 bits do not hold, and others that are no number of bytes. A length with leading zeros is legal
-- (RFC 9110, 8.6), and HAProxy 3.0 accepts such a length.
local function lengths(node)
  local head = "POST %s HTTP/1.1\r\nHost: astar\r\nAuthorization: Bearer admin-token\r\nContent-Length: %s\r\n\r\n"
  for _, length in ipairs { "2147483648", "4294967296", "4294967301", "4294967416", "9999999999",
    "18446744073709551615", "18446744073709551616", "00000000000000000005", "99999999999999999999", "2147483647",
    "100001", "-5", "+5", "5 5", "0x10", "5.0", "", "1e3" } do
    for _, path in ipairs { "/v1/maps/rubbish/questions", "/v1/maps/rubbish/edits", "/v1/fold/rubbish", "/readyz" } do
      local status, body = send(node, head:format(path, length) .. '{"a":1}', 2)
      local is_ours = status and (status >= 400 and status < 500 or status == 200 and length:match "^0+5$")
      check(("a length of %q for %s: 4xx at once"):format(length, path), is_ours,
        ("%s %s"):format(tostring(status), tostring(body)))
    end
  end
end

local function ask(node, method, path, body)
  local status, text = send(node, http.bytes(method, path, { Authorization = "Bearer admin-token" }, body))
  return status, status and http.json(text) or {}, text
end

-- Clients that ask for long answers and do not read them: those of others are made and sent, and memory is bounded.
local function slow_readers(node, cluster)
  local rows, keys = {}, { ".", "#", "a", "b", "c", "d", "e", "f" }
  for y = 1, 1000 do
    local cells = {}
    for x = 1, 1000 do cells[x] = keys[math.random(8)] end
    rows[y] = table.concat(cells)
  end
  local terrain = {}
  for i, key in ipairs(keys) do terrain[key] = i end
  terrain["#"] = false
  local status, body = ask(node, "PUT", "/v1/maps/noise",
    cjson.encode { drawing = table.concat(rows, "\n"), options = { terrain = terrain } })
  check("a map whose dump is long is made", status == 201, body)
  local graph, text = require("astar").graph(), ("l"):rep(60)
  for i = 1, 5000 do graph:node(text .. i, i, i) end
  status, body = ask(node, "PUT", "/v1/maps/long",
    cjson.encode { graph = require("mime").b64(graph:dump()) })
  check("a graph whose dump is long is made", status == 201, body)
  local before, held = cluster:memory("haproxy", 1), {}
  local seen = {}
  for i = 1, 60 do
    local path = i % 2 == 0 and "/v1/maps/noise?dump=1" or "/v1/maps/long?dump=1"
    local connection = http.connect(node.host, node.port, 2)
    if connection then
      connection.sock:setoption("recv-buffer-size", 4096)
      connection:send(http.bytes("GET", path, { Authorization = "Bearer ask-token" }), loop.now() + 2)
      loop.readable(connection.sock, loop.now() + 3)
      local line = connection:take_until("\r\n", loop.now() + 3) or "nothing"
      seen[line] = (seen[line] or 0) + 1
      held[#held + 1] = connection
    end
  end
  for line, count in pairs(seen) do print(("        %d of %s"):format(count, line)) end
  check("long answers are begun", (seen["HTTP/1.1 200 OK"] or 0) > 10)
  for _, route in ipairs { { "GET", "/v1/maps/noise?dump=1" }, { "GET", "/v1/maps/long?dump=1" },
    { "GET", "/v1/maps" }, { "POST", "/v1/maps/noise/questions", QUERY },
    { "POST", "/v1/maps/long/questions", '{"questions":[{"nearest":[1,1]}]}' } } do
    local began = loop.now()
    local told
    status, told = send(node, http.bytes(route[1], route[2], { Authorization = "Bearer ask2-token" }, route[3]), 5)
    check(("%s %s of another client while 60 are not read (%.2f s)"):format(route[1], route[2], loop.now() - began),
      status == 200, ("%s %s"):format(tostring(status), tostring(told):sub(1, 200)))
  end
  local most = cluster:memory("haproxy", 1)
  check(("    and memory is bounded, %.0f MB more"):format(most - before), most < before + 250)
  for _, connection in ipairs(held) do connection:close() end
  local count = 0
  check("    and once they have left, as many answers are sent to that client again", loop.wait(20, function()
    status = send(node, http.bytes("GET", "/v1/maps/noise?dump=1", { Authorization = "Bearer ask-token" }))
    count = status == 200 and count + 1 or 0
    return count == 60
  end, 0.02), count)
end

-- ---- what follows the path ----

-- Paths whose addresses may have parameters, or none: method, path, body, and parameters that the path takes.
local ADDRESSES = {
  { "GET", "/v1/maps", nil, { "", "?stale=1" } },
  { "GET", "/v1/maps/rubbish", nil, { "", "?dump=1", "?stale=1", "?stale=1&dump=1", "?dump=1&stale=1" } },
  { "GET", "/v1/maps/ways", nil, { "", "?dump=1", "?stale=1", "?stale=1&dump=1" } },
  { "DELETE", "/v1/maps/short", nil, {} },
  { "PUT", "/v1/maps/unmade", '{"width":2,"height":2}', {} },
  { "POST", "/v1/maps/rubbish/questions", QUERY, { "" } },
  { "POST", "/v1/maps/ways/questions", '{"questions":[{"nearest":[1,1]}]}', { "" } },
  { "POST", "/v1/maps/rubbish/edits", '{"client":"addresses","request":1,"edits":[["set",2,2,"."]]}', { "" } },
  { "POST", "/v1/fold/rubbish", "{}", { "" } },
}

-- Parameters that no path takes: cut short, doubled, of odd values, or part of another name.
local ODD_PARAMETERS = {
  "?dump", "?dump=", "?dump=0", "?dump=2", "?dump=1;", "?dump=1x", "?dump=11", "?xdump=1", "?dump=1&dump=1", "?DUMP=1",
  "?dump=%31", "?dump=true", "?dump=1&bogus=1", "?bogus", "?bogus=1", "?stale=0", "?stale=1&stale=1", "?nostale=1",
  "?stale=1;dump=1", "?made", "?made=", "?made=-1", "?made=x", "?made=1.5", "?made=+1", "?made=1&made=2", "?unmade=1",
  "?made=0x10", "?made=1e3", "?MADE=1", "?&", "?=", "?=1", "?&&dump=1", "?dump=1&", "??dump=1", "?" .. ("x"):rep(5000),
  "?made=" .. ("9"):rep(40) .. "x",
}

-- A parameter that a path does not take is refused: a misspelt condition of DELETE must not drop the map.
local function addresses(node)
  local astar = require "astar"
  local graph = astar.graph()
  graph:node("a", 1, 1)
  ask(node, "PUT", "/v1/maps/ways", cjson.encode { graph = require("mime").b64(graph:dump()) })
  ask(node, "PUT", "/v1/maps/short", '{"width":4,"height":4}')
  for _, route in ipairs(ADDRESSES) do
    local method, path, body, good = table.unpack(route, 1, 4)
    for _, parameters in ipairs(good) do
      local status, data, text = ask(node, method, path .. parameters, body)
      local has_dump = parameters:find("dump", 1, true) ~= nil
      check(("%s %s%s is answered"):format(method, path, parameters), status == 200
        and (data.dump ~= nil) == has_dump, ("%s %s"):format(tostring(status), tostring(text)))
    end
    local bad
    for _, parameters in ipairs(ODD_PARAMETERS) do
      local status, data, text = ask(node, method, path .. parameters, body)
      if status ~= 400 or type(data.error) ~= "string" then
        bad = ("%s: %s %s"):format(parameters:sub(1, 40), tostring(status), tostring(text))
      end
    end
    check(("%s %s with a parameter that it does not take: 400"):format(method, path), not bad, bad)
  end
  check("    and no map was dropped or made", ask(node, "GET", "/v1/maps/short") == 200
    and ask(node, "GET", "/v1/maps/unmade") == 404)
  local status = ask(node, "DELETE", "/v1/maps/short?made=1")
  check("DELETE of another map of that name: 404", status == 404 and ask(node, "GET", "/v1/maps/short") == 200, status)
  local _, data = ask(node, "GET", "/v1/maps/short")
  status = ask(node, "DELETE", "/v1/maps/short?made=" .. tostring(data.made))
  check("DELETE of this one: 200", status == 200, status)
end

-- Methods of the paths that need no token.
local function probes(node)
  for _, path in ipairs { "/healthz", "/readyz" } do
    for _, method in ipairs { "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get" } do
      local status, body = send(node, http.bytes(method, path, {}))
      check(("%s %s: 405"):format(method, path), status == 405 and rubbish.tells(body), status)
    end
    local connection = http.connect(node.host, node.port, 2)
    local status, body, headers = connection:request("HEAD", path, {}, nil, 2)
    check("HEAD " .. path .. ": 200 without a body", status == 200 and body == "", status)
    check("    and the connection ends with the answer", headers and headers.connection == "close")
    connection:close()
  end
  for _, path in ipairs { "/v1/maps", "/v1/maps/rubbish", "/v1/maps/rubbish?dump=1", "/metrics" } do
    local connection = http.connect(node.host, node.port, 2)
    local status, body = connection:request("HEAD", path, { Authorization = "Bearer ask-token" }, nil, 2)
    check("HEAD " .. path .. ": 200 without a body", status == 200 and body == "", status)
    status = connection:request("GET", "/v1/maps", { Authorization = "bearer ask-token" }, nil, 2)
    check("    and the connection goes on, with a scheme in lower case", status == 200, status)
    connection:close()
  end
  local preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
  local connection = http.connect(node.host, node.port, 2)
  connection:send(preface, loop.now() + 1)
  local text = connection:take(9, loop.now() + 1) or connection.buffer
  check("HTTP/2 is not spoken: its bodies have no length", not text:find "^%z", text)
  connection:close()
end

-- More connections of one address than all places there are: another address is served at once.
local function crowds(node, cluster)
  local theirs = space.is_own and space.neighbour() or "127.0.0.9"
  for what, text in pairs {
    ["idle, after a request"] = "GET /healthz HTTP/1.1\r\nHost: astar\r\n\r\n",
    ["silent"] = " ", ["half a header"] = "GET /healthz HTTP/1.1\r\nHost: astar\r\nX-Long: " .. ("x"):rep(9000),
    ["without a token"] = "GET /v1/maps HTTP/1.1\r\nHost: astar\r\n\r\n",
  } do
    local log = DIR .. "/crowd.log"
    os.remove(log)
    local command = programs.command { os.getenv "ASTAR_TEST_LUA" or "lua5.3", HERE .. "/crowd.lua", theirs, node.host,
      node.port, "4050", "3", text }
    local pid = programs.start("sh -c " .. programs.quote("ulimit -n 9000; exec " .. command), log)
    local opened = loop.wait(60, function()
      local file = io.open(log)
      local line = file and file:read "l"
      if file then file:close() end
      return tonumber(line)
    end)
    local slowest, bad = 0, nil
    for _ = 1, 20 do
      local began = loop.now()
      local ok, why = is_right(node)
      if not ok then bad = why end
      slowest = math.max(slowest, loop.now() - began)
      loop.sleep(0.05)
    end
    check(("4,050 connections of one address, %s (%s opened): another is answered within %.0f ms"):format(what,
      tostring(opened), slowest * 1e3), opened and not bad and slowest < 3, bad or slowest)
    check("    and the instance is ready", cluster:is_ready(1))
    programs.kill(pid)
    loop.sleep(0.3)
  end
end

os.execute("rm -rf " .. DIR .. " && mkdir -p " .. DIR)
print(("seed %d, files in %s"):format(SEED, DIR))
local cluster = machines.new { dir = DIR, count = 1 }
report.part("security", function()
  cluster:up()
  loop.run(function()
    cluster:wait(60)
    local node = cluster.nodes[1]
    local admin = load.client(cluster.nodes, "admin", "admin-token")
    admin:insist("PUT", "/v1/maps/rubbish", { width = 40, height = 40 }, 20)
    local processes = { cluster:pid("etcd", 1), cluster:pid("haproxy", 1) }
    local function part(name, body)
      if not ONLY or name == ONLY then report.part(name, body, node, cluster) end
    end
    part("tokens", tokens)
    part("refused", refused_is_not_done)
    part("addresses", addresses)
    part("slow_readers", slow_readers)
    local before = version_of(node)
    part("malformed", malformed)
    part("large", large)
    part("slow", slow)
    part("bodies", bodies)
    part("lengths", lengths)
    part("probes", probes)
    part("crowds", crowds)
    check("the map is of the same version as before all that", before and version_of(node) == before,
      ("%s, %s before"):format(tostring(version_of(node)), tostring(before)))
    check("no process was started anew", cluster:pid("etcd", 1) == processes[1]
      and cluster:pid("haproxy", 1) == processes[2])
  end)
end)
cluster:down()
programs.kill_all()
local is_good = report.summary()
if is_good then os.execute("rm -rf " .. DIR .. " 2>/dev/null") end
os.exit(is_good and 0 or 1)
