-- Every Lua that the Makefile builds for is known wherever Luas are listed, and found where it lies.

local process = require "spec.support.process"

local function read(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1; echo status $?"))
  local output, status = pipe:read("*a"):match "^(.*)status (%d+)%s*$"
  pipe:close()
  return output, tonumber(status)
end

local LUAS = {}
for lua in read("Makefile"):match("\nALL_LUAS = ([^\n]*)"):gmatch "%S+" do LUAS[#LUAS + 1] = lua end

describe("every Lua", function()
  it("is named in all texts that list the supported Luas", function()
    for _, name in ipairs { "Makefile", "README.md", "CHANGELOG.md", "tools/need.sh", ".ci/run" } do
      local text = read(name):lower()
      for _, lua in ipairs(LUAS) do
        assert.is_truthy(text:find("%f[%w]" .. lua:gsub("%.", "%%.") .. "%f[^%w]"), lua .. " in " .. name)
      end
    end
  end)

  it("is supported by the rock of LuaRocks", function()
    local first, beyond = read("lua-astar-scm-1.rockspec"):match '"lua >= 5%.(%d), < 5%.(%d)"'
    for _, lua in ipairs(LUAS) do
      local minor = tonumber(lua:match "^5%.(%d)$") or 1
      assert.is_true(minor >= tonumber(first) and minor < tonumber(beyond), lua)
    end
  end)

  -- How lua.h tells its version, by what pkg-config knows.
  local VERSIONS = {
    ["5.3"] = "#define LUA_VERSION_NUM\t\t503",
    ["5.4"] = "#define LUA_VERSION_NUM\t\t\t504",
    ["5.5"] = "#define LUA_VERSION_MINOR_N\t5\n"
      .. "#define LUA_VERSION_NUM  (LUA_VERSION_MAJOR_N * 100 + LUA_VERSION_MINOR_N)",
  }
  for lua, version in pairs(VERSIONS) do
    it("has header files that the Makefile finds: " .. lua, function()
      if select(2, run "command -v pkg-config") ~= 0 then
        pending "needs the program pkg-config"
        return
      end
      local folder = os.tmpname()
      os.remove(folder)
      assert.equal(0, select(2, run("mkdir " .. folder)))
      for name, text in pairs {
        ["lua.h"] = version .. "\n",
        ["lua" .. lua .. ".pc"] = ("Name: Lua\nDescription: Lua\nVersion: 5\nCflags: -I%s\n"):format(folder),
      } do
        local file = assert(io.open(folder .. "/" .. name, "w"))
        file:write(text)
        file:close()
      end
      local found = run(("LUA=%s LUA_INCDIR= PKG_CONFIG_PATH=%s sh tools/need.sh headers"):format(lua, folder))
      run("rm -r " .. folder)
      assert.equal("-isystem " .. folder .. "\n", found)
    end)
  end

  -- Debian's, in a host of its own; it throws where others jump.
  it("compiled as C++ passes errors through a module built with UNWIND=1", function()
    local lua = _VERSION:match "%d.%d"
    if lua == "5.1" or process.is_sanitized then
      pending "is tested elsewhere for Lua 5.1, whose module is built with unwind tables anyway"
      return
    end
    local library = ("-llua%s-c++"):format(lua)
    local folder = os.tmpname()
    os.remove(folder)
    assert.equal(0, select(2, run("mkdir " .. folder)))
    local file = assert(io.open(folder .. "/host.cpp", "w"))
    file:write [[
      extern "C" {
      #include <lua.h>
      #include <lauxlib.h>
      #include <lualib.h>
      }
      int main(int, char **argument)
      {
          lua_State *L = luaL_newstate();
          luaL_openlibs(L);
          return luaL_dostring(L, argument[1]);
      }
    ]]
    file:close()
    local _, compiled = run(("g++ $(LUA=%s sh tools/need.sh headers) -o %s/host %s/host.cpp %s"):format(
      lua, folder, folder, library))
    if compiled ~= 0 then
      run("rm -r " .. folder)
      pending("needs g++ and " .. library)
      return
    end
    local made, status = run(("make -s MODULE=%s/astar/core.so LUA=%s UNWIND=1"):format(folder, lua))
    assert.equal(0, status, made)
    local code = ([[package.path, package.cpath = "%s", "%s/?.so"
      local grid = require "astar".grid(5, 5)
      print(pcall(grid.find_path, grid, 1, 1, 5, 5, { cost = function() error("raised", 0) end }))]]):format(
      package.path, folder)
    local output = run(("%s/host '%s'"):format(folder, code))
    run("rm -r " .. folder)
    assert.equal("false\traised\n", output)
  end)

  it("has a message with the requirement for systems whose packages are unknown", function()
    local output, status = run "LUA=5.5 LUA_INCDIR=/nowhere sh tools/need.sh install run"
    assert.equal(1, status)
    assert.matches("^make run LUA=5.5 needs Lua 5.5, which no package is known of", output)
  end)

  it("has a name that make knows, and other names cause an error", function()
    local output, status = run "LUA=5.9 sh tools/need.sh interpreter"
    assert.equal(2, status)
    assert.matches("LUA must be .*, got 5%.9", output)
  end)
end)
