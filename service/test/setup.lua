-- setup.lua -- `make service-up` in a fresh copy of the tree: lua5.3 test/setup.lua.
--
-- The copy has nothing built, as after a clone. The copy has a compile file of another Lua too, 5.1: a build for Lua
-- 5.1 reads it, and the service, whose Lua is that of HAProxy, must leave it alone.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local machines = require "machines"
local programs = require "programs"
local report = require "report"

local check = report.check
local TREE = HERE .. "/../.."
local DIR = os.getenv "ASTAR_TEST_DIR" or "/tmp/astar-setup"

local MARK = "the command that compiles for Lua 5.1"

local function read(path)
  local file = io.open(path)
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

-- Runs make in the copy. The variables of a make that runs this test are not passed on.
local function make(words)
  return programs.run(("cd %s && env -u MAKEFLAGS -u MAKELEVEL -u LUA_PATH -u LUA_CPATH PORT=18800 make %s </dev/null")
    :format(programs.quote(DIR), words))
end

report.part("make service-up", function()
  os.execute(("rm -rf %s && mkdir -p %s/build/whole/5.1 %s/build/whole/5.4"):format(DIR, DIR, DIR))
  assert(programs.run(("cp -R %s/Makefile %s/tools %s/src %s/lua %s/service %s"):format(TREE, TREE, TREE, TREE, TREE,
    DIR)))
  local own = machines.lua()
  for _, version in ipairs { "5.1", "5.4" } do
    local file = assert(io.open(("%s/build/whole/%s/compile"):format(DIR, version), "w"))
    file:write(MARK)
    file:close()
  end
  -- Whole folders without optimisation compile fastest, and this test only needs the module to load.
  local ok, text = make "service-up WHOLE=1 CFLAGS=-O0"
  check("make service-up starts three instances in a tree where nothing was built", ok, text:sub(-2000))
  local _, running = text:gsub("haproxy %d %d+ running", "")
  check("    and shows three haproxies that run", running == 3, text:sub(-500))
  for _, version in ipairs { "5.1", "5.4" } do
    if version ~= own then
      local compile = read(("%s/build/whole/%s/compile"):format(DIR, version))
      check(("    and leaves the compile file of Lua %s as it was"):format(version), compile == MARK, compile)
    end
  end
  local compile = read(("%s/build/whole/%s/compile"):format(DIR, own)) or ""
  check(("    and has a compile file of Lua %s, HAProxy's own"):format(own), compile:find("lua" .. own, 1, true),
    compile)
  programs.run("cd " .. programs.quote(DIR) .. " && PORT=18800 sh service/cluster.sh clean")
end)

local is_good = report.summary()
if is_good then os.execute("rm -rf " .. DIR) end
os.exit(is_good and 0 or 1)
