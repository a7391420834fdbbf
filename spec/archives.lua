-- archives.lua -- unpacks what make dist put together and tries each by itself: lua5.4 spec/archives.lua build/dist
--
-- The rock is installed by .ci/run, the game for LÖVE played by spec/love/archive.lua. Here the sums are checked, the
-- sources make the amalgamation that lies beside them, the amalgamation becomes a module that finds a route, the
-- extension for Defold is compiled and run in a stand-in for the engine, by LuaJIT, and the pages have what they link
-- to. What was left out of the release, pages, is said.

package.path = "./?.lua;" .. package.path
local process = require "spec.support.process"

local DIST = assert(arg[1], "which folder?")
local CC = os.getenv "CC" or "cc"

local function run(command, ...)
  local output, status = process.shell(command:format(...))
  assert(status == 0, output)
  return output
end

local WORK = run "mktemp -d":match "%S+"

-- Unpacks the archive that ends so and returns its one folder; nil where there is none.
local function unpack_archive(ending)
  local file = run("ls %s | grep -e '%s$' || true", DIST, ending):match "[^\n]+"
  if not file then
    return nil
  end
  local folder = WORK .. "/" .. file
  run("rm -rf %s && mkdir %s", folder, folder)
  run(file:find "zip$" and "unzip -q %s/%s -d %s" or "tar -xf %s/%s -C %s", DIST, file, folder)
  return run("ls -d %s/*", folder):match "^[^\n]+"
end

local function headers(lua)
  return run("LUA=%s sh tools/need.sh headers", lua):gsub("%s+$", "")
end

local QUERY = [[
  package.path = "lua/?.lua;lua/?/init.lua;" .. package.path
  package.preload["astar.core"] = assert(package.loadlib(arg[1], "luaopen_astar_core"))
  print(require "astar".grid("...\n.#.\n..."):find_path(1, 1, 3, 3).cost)
]]

local tries = {}

function tries.sums()
  run("cd %s && sha256sum -c --quiet SHA256SUMS", DIST)
  assert(run("ls %s | wc -l", DIST):match "%d+" == tostring(1 + run("wc -l <%s/SHA256SUMS", DIST)))
  return "all files"
end

function tries.sources()
  local sources, amalgamation = unpack_archive ".tar.gz", unpack_archive "-amalgamation.zip"
  run("cd %s && MAKEFLAGS= make -s amalgamation", sources)
  for _, file in ipairs { "astar.h", "astar.c", "astar_lua.c" } do
    run("cmp %s/build/amalgamation/%s %s/%s", sources, file, amalgamation, file)
    run("cmp %s/amalgamation/%s %s/%s", sources, file, amalgamation, file)
  end
  return "make the amalgamation"
end

local function compile(folder, file, include)
  run("%s -O0 -fPIC -I%s %s -c %s/%s.c -o %s/%s.o", CC, folder, include, folder, file, WORK, file)
  return WORK .. "/" .. file .. ".o"
end

function tries.amalgamation()
  local folder = unpack_archive "-amalgamation.zip"
  local core, binding = compile(folder, "astar", ""), compile(folder, "astar_lua", headers "5.4")
  run("%s -shared -pthread -o %s/core.so %s %s -lm", CC, WORK, core, binding)
  local script = WORK .. "/question.lua"
  local out = assert(io.open(script, "w"))
  out:write(QUERY)
  out:close()
  local told = run("lua5.4 %s %s/core.so", script, WORK)
  assert(told == "4.0\n", told)
  return "find a route"
end

-- What the extension asks of Defold's headers, Lua being LuaJIT's.
local SDK = [[
extern "C" {
#include <dmsdk/lua/lua.h>
#include <dmsdk/lua/lauxlib.h>
}
namespace dmExtension {
    enum Result { RESULT_OK = 0, RESULT_INIT_ERROR = -1 };
    struct Params { lua_State* m_L; };
}
#define DM_DECLARE_EXTENSION(symbol, name, app_init, app_final, init, update, on_event, final) \
    extern "C" int luaopen_engine(lua_State* L) { dmExtension::Params p = {L}; init(&p); final(&p); return 0; }
]]

local GAME = [[
  assert(package.loadlib(arg[1], "luaopen_engine"))()
  package.path, package.cpath = "./?.lua", ""
  msg = { post = function() end }
  vmath = { vector3 = function() return {} end, vector4 = function() return {} end }
  hash = function(name) return name end
  dofile "example/example.script"
  local self = {}
  init(self)
  on_input(self, "touch", { pressed = true, x = 19.5 * 32, y = 16 })
  for _ = 1, 600 do update(self, 1 / 60) end
  assert(self.x == 20 and self.y == 15, self.x .. " " .. self.y)
  print(pcall(require "astar.astar".grid, 0, 3)) -- an error goes through the C
]]

local function write(name, text)
  local out = assert(io.open(WORK .. "/" .. name, "w"))
  out:write(text)
  out:close()
end

function tries.defold()
  local folder = unpack_archive "-defold.zip"
  run("mkdir -p %s/dmsdk/lua", WORK)
  write("dmsdk/sdk.h", SDK)
  local luajit = headers "luajit":match "%-isystem%s*(%S+)" or headers("luajit"):match "%-I%s*(%S+)"
  for _, name in ipairs { "lua", "lauxlib", "luaconf" } do
    run("cp %s/%s.h %s/dmsdk/lua", luajit, name, WORK)
  end
  write("game.lua", GAME)
  local include = ("-I%s/astar/include -I%s"):format(folder, WORK)
  local core, binding = compile(folder .. "/astar/src", "astar", include),
    compile(folder .. "/astar/src", "astar_lua", include)
  run("c++ -O0 -fPIC -fno-exceptions -fno-rtti %s -c %s/astar/src/extension.cpp -o %s/extension.o", include, folder,
    WORK)
  run("c++ -shared -pthread -o %s/engine.so %s/extension.o %s %s -lm", WORK, WORK, core, binding)
  local told = run("cd %s && luajit %s/game.lua %s/engine.so", folder, WORK, WORK)
  assert(told:find "astar\t" and told:find "false\twidth must be", told)
  return "the example walks"
end

local function read_file(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

-- A folder's pages have the files that they link to.
local function check_links(folder)
  local count = 0
  for page in run("cd %s && find . -name '*.html'", folder):gmatch "%./([^\n]+)" do
    local beside = page:match "^.*/" or ""
    for link in read_file(folder .. "/" .. page):gmatch '[hs]re?[cf]="([^"#?:]+)[^":]*"' do
      local file = assert(io.open(folder .. "/" .. beside .. link), page .. " links to " .. link)
      file:close()
      count = count + 1
    end
  end
  return count
end

function tries.manual()
  local folder = unpack_archive "-manual.zip"
  if folder then
    assert(read_file(folder .. "/index.html"):find "astar")
    return check_links(folder) .. " links lead somewhere"
  end
end

function tries.playground()
  local folder = unpack_archive "-playground.zip"
  if folder then
    assert(#read_file(folder .. "/astar.js") > 5e5) -- it is packed
    return check_links(folder) .. " links lead somewhere"
  end
end

local ok, problem = pcall(function()
  for _, name in ipairs { "sums", "sources", "amalgamation", "defold", "manual", "playground" } do
    print(name, tries[name]() or "not in this release")
    io.flush()
  end
end)
run("rm -rf %s", WORK)
assert(ok, problem)
