-- rubbish.lua -- requests that no client should send, drawn at random: each a function of dice that gives the bytes to
-- send and what else is to be known of it:
--   { bytes, ends = the server may close without a word, in_place = 200 with an error in the question's place will do,
--     any = a good answer will do too, behind = 503 will do too, kind = text }

local http = require "http"

local rubbish = {}

local TOKENS = { edits = "edit-token", questions = "ask-token", fold = "admin-token" }

local function post(path, body, token, headers)
  local its = { Authorization = "Bearer " .. (token or "admin-token"), ["Content-Type"] = "application/json" }
  for name, value in pairs(headers or {}) do its[name] = value end
  return http.bytes("POST", path, its, body)
end

local function edits(body)
  return post("/v1/maps/rubbish/edits", body, TOKENS.edits)
end

local function questions(body)
  return post("/v1/maps/rubbish/questions", body, TOKENS.questions)
end

local function random_bytes(dice, count)
  local list = {}
  for i = 1, count do list[i] = string.char(dice(0, 255)) end
  return table.concat(list)
end

local GOOD_EDIT = '{"client":"rubbish","request":1,"edits":[["set",1,1,"."]]}'
local GOOD_QUESTION = '{"client":"rubbish","questions":[{"find_path":[1,1,9,9]}]}'

local TEXTS = { -- of no JSON object
  "", " ", "nul", "null", "true", "1", '"text"', "[", "]", "{", "}", "{]", "[}", "{,}", '{"a"}', '{"a":}', "{a:1}",
  "{'a':1}", "[1,]", "[,1]", "NaN", "Infinity", "-", "1e", "0x10", "\0", "\239\187\191", "\255\254{\0}\0", '{"a":1}}',
  '{"questions":[{"find_path":[1,1,9,9]}]} trailing', '{"questions":[{"cell":[1,1]}]', '{"\255":1}',
  '{"a":"\237\160\128"}',
  '{"a":"\\ud800"}', '{"a":"\\u00"}', '{"a":"\1"}', "/* */", "return 1", "os.exit()", "<xml/>", "a=1&b=2",
}

local VALUES = { -- of wrong types, as JSON
  "null", "true", "false", "-1", "0",
  '"x' .. ("\195\164"):rep(60) .. '"', '"\255"',
  "1.5", "1e308", "-1e308", "9007199254740993", "4294967297", "1e999", "NaN", '""',
  '"x"', '"3"', "[]", "{}", "[[]]", '[{"a":1}]', '"\\u0000"', '"' .. ("x"):rep(5000) .. '"', '{"__index":1}', '["set"]',
}

local EDITS = { -- a list of edits that is none, V is put in
  "V", "[V]", "[[V]]", '[["set",1,1,V]]', '[["set_cells",1,1,2,1,"\195\164"]]',
  '[["set",V,1,"."]]', '[["set",1,V,"#"]]', '[["fill",1,1,V,1,"."]]', '[["fill",1,1,1,V,"."]]',
  '[["V"]]', '[["close"]]', '[["share","x"]]', '[["load"]]', '[["__gc"]]', '[["dump"]]', '[["find_path",1,1,2,2]]',
  '[["set",1,1,"."],["set",V,V,V]]', '[["set"]]', '[["set",1]]', '[["link",1,1,V,1]]', '[["wall",1,1,V]]', "{\"1\":V}",
  '[["set",1,1,".","more",V,V,V]]', '[["terrain",V,-1]]', '[["fill",1,1,1e9,1e9,"#"]]', '[["set_cells",1,1,2,2,V]]',
}

local QUERIES = {
  "V", "[V]", '[{"find_path":V}]', '[{"find_path":[V,1,2,2]}]', '[{"find_path":[1,1]}]',
  '[{"find_path":[1,1,2,2,V,V]}]',
  '[{"find_path":[1,1,2,2],"max_cost":V}]', '[{"find_path":[1,1,2,2],"bogus":V}]', '[{"find_nearest":[1,1,V]}]',
  '[{"distances":[V,V]}]', '[{"distances":[[[1,1]],V]}]', '[{"raycast":[1,1,V,1]}]', '[{"cell":V}]', '[{"cell":[V,V]}]',
  '[{"reachable":[1,V,1,1]}]', '[{"dump":[]}]', '[{"__index":[1]}]', '[{"find_path":[1,1,2,2],"cell":[1,1]}]', "[{}]",
  '[{"find_path":{"1":1}}]', '[{"find_path":[1,1,2,2],"weight":V}]', '[{"find_path":[1,1,2,2],"range":"V"}]',
}

local function put_in(dice, text)
  return (text:gsub("V", function() return VALUES[dice(#VALUES)] end))
end

local NAMES = {
  "..", ".", "%2e%2e", "..%2f..%2fetc%2fpasswd", "../../etc/passwd", "a/b", "a%2fb", "%00", "a%00b", "%ff", "%zz", "%",
  "a b", "a%20b", "'; drop", "%22", "head%2ftown", "a\\b", ("n"):rep(300), ("n"):rep(5000), "-", "_", "~root", "*",
  "a;b",
  "ä", "%c3%a4", "..%5c..", "rubbish%2fedits", "rubbish//", "$(id)", "`id`", "{}", "con", "",
}

local METHODS = { "PATCH", "TRACE", "OPTIONS", "CONNECT", "FOO", "get", "POST", "PUT", "DELETE", "G E T", "" }

local PATHS = { "/", "/v1", "/v1/", "/v2/maps", "/v1/maps/rubbish/", "/v1/maps/rubbish/edits/1",
  "/v1/maps/rubbish/nothing",
  "/v1/fold", "/v1/fold/", "/v1/fold/no-such", "/admin", "/.env", "/v1/maps/rubbish/../../healthz", "//", "/%",
  "/v1/maps//edits",
  "/metrics/x", "/healthz/x", "*", "http://other/v1/maps/none", "/v1/maps/no-such-map" }

local RAW = {
  "\r\n\r\n", "GET\r\n\r\n", "GET /healthz\r\n\r\n", "GET /v1/maps HTTP/9.9\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\22\3\1\2\0\1\0\1\252\3\3", "GET /v1/maps HTTP/1.1\r\nHost: a\r\nHost: b\r\nX: \0\r\n\r\n",
  "GET /v1/maps HTTP/1.1\r\n : empty\r\n\r\n", "GET /v1/maps HTTP/1.1\nHost: x\r\nBad Header: 1\r\n\r\n",
  "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
  "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
  "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
  "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
  "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
  "POST /v1/maps HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
  "GET /v1/maps HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc",
  "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
}

local function chunked(body)
  return "POST /v1/maps/rubbish/edits HTTP/1.1\r\nHost: astar\r\nAuthorization: Bearer edit-token\r\n"
    .. "Transfer-Encoding: chunked\r\n\r\n" .. ("%x\r\n%s\r\n0\r\n\r\n"):format(#body, body)
end

local KINDS = {
  { "bad JSON", function(dice)
    local send = dice(2) == 1 and edits or questions
    return { bytes = send(TEXTS[dice(#TEXTS)]) }
  end },
  { "cut off JSON", function(dice)
    local is_edit = dice(2) == 1
    local text = is_edit and GOOD_EDIT or GOOD_QUESTION
    return { bytes = (is_edit and edits or questions)(text:sub(1, dice(#text) - 1)) }
  end },
  { "random bytes for a body", function(dice)
    return { bytes = (dice(2) == 1 and edits or questions)(random_bytes(dice, dice(200))) }
  end },
  { "deep nesting", function(dice)
    local depth = dice(3) == 1 and dice(20000, 100000) or dice(50, 3000)
    local open, close = "[", "]"
    if dice(2) == 1 then open, close = '{"a":', "}" end
    local tail = dice(2) == 1 and close:rep(depth) or ""
    return { bytes = edits('{"client":"rubbish","request":1,"edits":' .. open:rep(depth) .. "1" .. tail .. "}") }
  end },
  { "edits that are none", function(dice)
    local text = EDITS[dice(#EDITS)]
    local body = ('{"client":"rubbish","request":1,"edits":%s}'):format(put_in(dice, text))
    return { bytes = edits(body), any = text == "V" }
  end },
  { "a client or number that is none", function(dice)
    local client = dice(2) == 1 and VALUES[dice(#VALUES)] or '"rubbish"'
    local numbers = { "null", "-1", "0", "1.5", "1e999", '"1"', "[]", "{}", "1e308" }
    local number = client == '"rubbish"' and numbers[dice(#numbers)] or "1"
    if client == '"x"' or client == '"3"' then client = '"a b"' end
    return { bytes = edits(('{"client":%s,"request":%s,"edits":[["set",1,1,"."]]}'):format(client, number)) }
  end },
  { "questions that are none", function(dice)
    local text = QUERIES[dice(#QUERIES)]
    return { bytes = questions(('{"questions":%s}'):format(put_in(dice, text))), in_place = true,
      any = text == "V" or text:find "max_cost" or text:find "weight" or text:find "find_nearest"
        or text:find "distances" }
  end },
  { "terms that are none", function(dice)
    local name = ({ "least", "wait", "fresh", "stale", "finder", "client", "bogus" })[dice(7)]
    return { bytes = questions(('{"%s":%s,"questions":[{"cell":[1,1]}]}'):format(name, VALUES[dice(#VALUES)])),
      any = true, in_place = true, behind = name == "least" }
  end },
  { "too many", function(dice)
    if dice(2) == 1 then
      return { bytes = questions('{"questions":[' .. ('{"cell":[1,1]},'):rep(dice(1001, 3000)) .. '{"cell":[1,1]}]}') }
    end
    return { bytes = edits('{"client":"rubbish","request":1,"edits":[' .. ('["set",1,1,"."],'):rep(dice(1001, 3000))
      .. '["set",1,1,"."]]}') }
  end },
  { "odd names of maps", function(dice)
    local name, way = NAMES[dice(#NAMES)], dice(4)
    local headers = { Authorization = "Bearer admin-token" }
    if way == 1 then
      return { bytes = http.bytes("GET", "/v1/maps/" .. name, headers), any = name == "" and "get", behind = true }
    end
    if way == 2 then
      return { bytes = http.bytes("PUT", "/v1/maps/" .. name .. "x/y", headers, '{"width":2,"height":2}') }
    end
    -- A map that another test has just dropped or made may be loading: 503.
    if way == 3 then return { bytes = post("/v1/maps/" .. name .. "/edits", GOOD_EDIT), behind = true } end
    return { bytes = post("/v1/maps/" .. name .. "/questions", GOOD_QUESTION), behind = true }
  end },
  { "maps that are none", function(dice)
    local text = ({ '{"width":V,"height":2}', '{"width":2,"height":V}', '{"drawing":V}',
      '{"drawing":"..\\n.","options":V}',
      '{"dump":V}', '{"graph":V}', '{"width":100000,"height":100000}', '{"width":2,"height":2,"options":{"bogus":1}}',
      '{"width":2,"height":2,"options":{"terrain":V}}', '{"dump":"AAAA"}', "V" })[dice(11)]
    return { bytes = http.bytes("PUT", "/v1/maps/rubbish", { Authorization = "Bearer admin-token",
      ["Content-Type"] = "application/json" }, put_in(dice, text)) } -- there is one of this name, too
  end },
  { "dumps that are none", function(dice)
    return { bytes = http.bytes("PUT", "/v1/maps/rubbish", { Authorization = "Bearer admin-token",
      ["Content-Type"] = "application/octet-stream" }, random_bytes(dice, dice(300))) }
  end },
  { "odd methods and paths", function(dice)
    local headers = { Authorization = "Bearer admin-token" }
    local body = dice(2) == 1 and "{}" or nil
    if dice(2) == 1 then
      local method = METHODS[dice(#METHODS)]
      local is_known = method == "POST" or method == "PUT" or method == "DELETE"
      local path = is_known and "/v1/maps" or "/v1/maps/rubbish"
      return { bytes = http.bytes(method, path, headers, body), ends = true }
    end
    return { bytes = http.bytes("GET", PATHS[dice(#PATHS)], headers, body), ends = true }
  end },
  { "odd HTTP", function(dice)
    return { bytes = RAW[dice(#RAW)], ends = true, any = true }
  end },
  { "random bytes", function(dice)
    return { bytes = random_bytes(dice, dice(300)) .. "\r\n\r\n", ends = true }
  end },
  { "chunked", function(dice)
    return { bytes = chunked(TEXTS[dice(#TEXTS - 1) + 1]) }
  end },
  { "long headers", function(dice)
    local headers = { Authorization = "Bearer edit-token", X = ("x"):rep(dice(10000, 60000)) }
    return { bytes = http.bytes("GET", "/v1/maps", headers), ends = true, any = true }
  end },
  { "many headers", function(dice)
    local headers = { Authorization = "Bearer edit-token" }
    for i = 1, dice(200, 1000) do headers["X-" .. i] = "1" end
    return { bytes = http.bytes("GET", "/v1/maps", headers), ends = true, any = true }
  end },
  { "odd tokens", function(dice)
    local token = ({ "", "Bearer", "Bearer ", "Bearer\task-token", "Basic YTph", "Bearer ask-toke", "Bearer ask-tokenx",
      "bearer", "Bearer ask-token,edit-token", "Bearer \255", "Bearer %61sk-token", "Bearer " .. ("a"):rep(5000),
      "ask-token", "Bearer *", "Bearer ask-token admin-token" })[dice(15)]
    return { bytes = http.bytes("GET", "/v1/maps", { Authorization = token }) }
  end },
}

-- One of them.
function rubbish.draw(dice)
  local kind = KINDS[dice(#KINDS)]
  local its = kind[2](dice)
  its.kind = kind[1]
  return its
end

-- Whether a text is JSON that says what is wrong.
function rubbish.tells(body)
  local data = http.json(body)
  return type(data) == "table" and type(data.error) == "string" and #data.error > 0 and utf8.len(body) ~= nil
end

-- The statuses that HAProxy's parser of requests answers by a page of its own, which no setting changes.
local NO_HTTP, OWN_PAGE = "^<html><body><h1>4%d%d ", { [400] = true, [413] = true, [422] = true }

local NOT_HTTP = { ["odd HTTP"] = true, ["random bytes"] = true, ["many headers"] = true, ["long headers"] = true,
  ["odd methods and paths"] = true }

local function is_no_http(its)
  local line = its.bytes:match "^[^\r\n]*"
  return NOT_HTTP[its.kind] or line:find "[\0-\31\127-\255]" or not line:find "^%u+ [^ ]+ HTTP/1%.1$"
end

-- Whether what came back for it is as it must be; else why not.
function rubbish.wrong(its, status, body)
  if not status then
    return not its.ends and "no answer: " .. tostring(body) or nil
  end
  if status >= 400 and status < 500 then
    if rubbish.tells(body) or OWN_PAGE[status] and body:find(NO_HTTP) and is_no_http(its) then return nil end
    return status .. " without an error in JSON: " .. body:sub(1, 200)
  end
  if status == 200 and its.in_place then
    local data = http.json(body)
    for _, answer in ipairs(data and data.answers or {}) do
      if type(answer) == "table" and answer.error then return nil end
    end
  end
  if status == 200 and its.any then return nil end
  if status == 503 and its.behind and rubbish.tells(body) then return nil end
  return status .. ": " .. body:sub(1, 200)
end

return rubbish
