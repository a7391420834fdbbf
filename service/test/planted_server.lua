-- planted_server.lua -- the checker on the real path: lua5.3 test/planted_server.lua [INSTANCE'S HOST PORT]. A proxy
-- before an instance loses an edit, does one twice, or gives an old answer (proxy.lua), under the same load and the
-- same checker that the faults are run with. The checker must find each, and nothing behind a proxy that is honest.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local history = require "history"
local load = require "load"
local loop = require "loop"
local machines = require "machines"
local programs = require "programs"
local report = require "report"

local PORT = 18790

local DIR = os.getenv "ASTAR_TEST_DIR" or "/tmp/astar-planted"

local QUERIES = {
  { find_path = { 1, 1, 48, 48 } }, { find_path = { 48, 1, 1, 48 } }, { find_path = { 24, 1, 24, 48 } },
  { cell = { 5, 5 } }, { cell = { 6, 5 } },
}

local function run(node, kind, word, port)
  local dir = DIR .. "/" .. kind
  os.execute("mkdir -p " .. dir)
  local every = kind == "stale" and 4 or 40
  local proxy = programs.lua({ "proxy.lua", port, node.host, node.port, kind, every }, dir .. "/proxy.log")
  local seen = history.new(dir)
  local its = load.new { nodes = { { host = "127.0.0.1", port = port, name = "proxy" } }, history = seen,
    maps = { "planted-" .. kind }, random = math.random, questions = QUERIES, editors = 2, askers = 3 }
  its:make(load.client(its.nodes, "maker", "admin-token"))
  its:start()
  loop.wait(20, function() return its.edited > 200 and its.answered > 400 end)
  its:stop()
  its:dump()
  programs.kill(proxy)
  local result = seen:finish(60)
  local first = result.problems[1] or its.problems[1]
  if not word then
    report.check("behind an honest proxy nothing is found", not first and its.edited > 100, first or "few edits")
    return
  end
  local hits = 0
  for _, text in ipairs(result.problems) do hits = hits + (text:find(word) and 1 or 0) end
  report.check(("on the real path: %s is found"):format(kind), hits > 0, first or "nothing")
end

math.randomseed(11)
os.execute("rm -rf " .. DIR .. " && mkdir -p " .. DIR)
local cluster = machines.new { dir = DIR, count = 1 }
report.part("the proxy", function()
  cluster:up()
  loop.run(function()
    cluster:wait(60)
    run(cluster.nodes[1], "none", nil, PORT)
    run(cluster.nodes[1], "lost", "LOST", PORT + 1)
    run(cluster.nodes[1], "doubled", "TWICE", PORT + 2)
    run(cluster.nodes[1], "stale", "STALE", PORT + 3)
  end)
end)
cluster:down()
programs.kill_all()
local is_good = report.summary()
if is_good then os.execute("rm -rf " .. DIR .. " 2>/dev/null") end
os.exit(is_good and 0 or 1)
