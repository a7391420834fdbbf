-- hose.lua -- one client that keeps many connections busy: lua5.3 hose.lua HOST PORT TOKEN CONNECTIONS SECONDS KIND.
-- Each connection sends the next request as soon as its last is answered. Prints one line of JSON: how many requests
-- were answered by status and reason, and the times of those with 200, in milliseconds.
--
-- KIND is what each request asks, of a grid "fair" and a graph "ways", both over 512 x 512 cells:
--   cell    the shortest query there is          route   a route across the map
--   fresh   a cell, with `fresh`                 far     20 far routes and find_nearest of many goals
--   flow    distances from 400 goals             long    a winding route, with all its cells
--   ground  a route over the graph, from cell to cell; the ground is the grid
--   dump    the dump of a grid "large"           least   a cell, of a version that never comes
--   edit    an edit that must be tried on a copy of the map

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local cjson = require "cjson"
local http = require "http"
local loop = require "loop"

local HOST, PORT, TOKEN, CONNECTIONS, SECONDS, KIND = arg[1], tonumber(arg[2]), arg[3], tonumber(arg[4]),
  tonumber(arg[5]), arg[6]
local SIDE = 512

math.randomseed(CONNECTIONS)
local dice = math.random

local function goals()
  local list = {}
  for i = 1, 400 do list[i] = { dice(SIDE), SIDE } end
  return list
end

local function cell() return { cell = { dice(SIDE), dice(SIDE) } } end

local function route() return { find_path = { dice(SIDE), 1, dice(SIDE), SIDE } } end

local QUERIES = {
  cell = cell, fresh = cell, least = cell, route = route,
  far = function()
    if dice(2) == 1 then return route() end
    return { find_nearest = { dice(SIDE), 1, goals() } }
  end,
  flow = function() return { distances = { goals(), { { dice(SIDE), 1 } } } } end,
  long = function() return { find_path = { 1, 1, 1, 191 }, all_cells = true } end,
  ground = function()
    return { find_path = { { dice(SIDE), dice(SIDE) }, { dice(SIDE), dice(SIDE) } }, ground = { map = "fair" } }
  end,
}

local PATHS = { ground = "ways/questions", dump = "large?dump=1", long = "winding/questions", edit = "fair/edits" }

local PATH = "/v1/maps/" .. (PATHS[KIND] or "fair/questions")

local function body(i)
  if KIND == "dump" then return nil end
  if KIND == "edit" then
    return { client = "hose" .. i, request = dice(2 ^ 40), edits = { { "link", 1, 1, SIDE, SIDE, { cost = "none" } } } }
  end
  local list = {}
  for n = 1, KIND == "far" and 20 or 1 do list[n] = QUERIES[KIND]() end
  return { questions = list, fresh = KIND == "fresh" or nil, least = KIND == "least" and 2 ^ 40 or nil }
end

local bodies = {}
for i = 1, KIND == "dump" and 0 or 50 do bodies[i] = cjson.encode(body(i)) end

local till, times, statuses, running = loop.now() + SECONDS, {}, {}, CONNECTIONS

local function send_on()
  local connection
  local headers = { Authorization = "Bearer " .. TOKEN, ["Content-Type"] = "application/json" }
  while loop.now() < till do
    if not connection or not connection.sock then connection = http.connect(HOST, PORT, 5) end
    local began, status, text = loop.now(), nil, nil
    if connection then
      local method = #bodies > 0 and "POST" or "GET"
      status, text = connection:request(method, PATH, headers, bodies[dice(math.max(1, #bodies))], 30)
    end
    local name = tostring(status or "closed")
    if status == 200 then
      times[#times + 1] = (loop.now() - began) * 1000
      if text:find('"error"', 1, true) then name = "200 error" end
    else
      if status then name = name .. " " .. tostring((http.json(text) or {}).reason) end
      loop.sleep(0.01)
    end
    statuses[name] = (statuses[name] or 0) + 1
  end
  if connection then connection:close() end
  running = running - 1
end

loop.run(function()
  for _ = 1, CONNECTIONS do loop.spawn(send_on) end
  loop.wait(SECONDS + 35, function() return running == 0 end)
end)
table.sort(times)
local function at(share) return times[math.max(1, math.ceil(#times * share))] or -1 end
print(cjson.encode { statuses = statuses, count = #times, middle = at(0.5), p99 = at(0.99), most = at(1) })
