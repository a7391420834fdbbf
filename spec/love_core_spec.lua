-- The core out of a packed LÖVE game, in processes of their own: Lua files as they lie in the archive, the
-- core in it as well, where no system can load it from, and a love.filesystem that does what LÖVE's does.
-- The real one is in love_spec.lua.

local process = require "spec.support.process"

local CORE = assert(package.cpath:match "[^;]*build[^;]*%?%.so", "no build"):gsub("%?", "astar/core")
local FOLDER = os.tmpname()
local VERSION = require("astar")._VERSION

local function shell(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1; echo status $?"))
  local output, status = pipe:read("*a"):match "^(.*)status (%d+)%s*$"
  pipe:close()
  assert(status == "0", output)
  return output
end

-- Files of the archive other than Lua's lie under packed/, the save directory is saved/. What was written is
-- in `written`.
local FAKE = [[
  package.path, package.cpath = "?.lua;?/init.lua", ""
  local function open(name, mode) return io.open(name, mode or "rb") end
  local c_path, written = "??", {}
  local function read(name)
    local file = open("saved/" .. name) or open("packed/" .. name)
    local text = file and file:read "*a"
    if not file then return nil, "Could not open file " .. name .. ". Does not exist." end
    file:close()
    return text, #text
  end
  local function list(name)
    local names, pipe = {}, io.popen("ls saved/" .. name .. " 2>/dev/null")
    for line in pipe:lines() do names[#names + 1] = line end
    pipe:close()
    return names
  end
  love = { filesystem = {
    read = read,
    getDirectoryItems = list,
    getRealDirectory = function(name) return read(name) and FOLDER .. "/game.love" end,
    getSaveDirectory = function() return FOLDER .. "/saved" end,
    getCRequirePath = function() return c_path end,
    setCRequirePath = function(path) c_path = path end,
    remove = function(name) return (os.remove("saved/" .. name)) end,
    createDirectory = function(name) return os.execute("mkdir -p saved/" .. name .. " 2>/dev/null") end,
    write = function(name, text)
      local file, problem = open("saved/" .. name, "wb")
      if not file then return nil, problem end
      file:write(text)
      file:close()
      written[#written + 1] = name
      return true
    end,
  } }
  local searchers = package.searchers or package.loaders
  searchers[#searchers + 1] = function(name)
    local file = c_path:gsub("%?%?", (name:gsub("%.", "/"))) .. ".so"
    return package.loadlib(FOLDER .. "/saved/" .. file, "luaopen_" .. name:gsub("%.", "_")) or "\n\tno " .. file
  end
  local function try(name)
    local ok, astar = pcall(require, name)
    print(ok and astar.grid("...\n.#.\n..."):find_path(1, 1, 3, 3).cost or astar)
  end
]]

local function play(code)
  local prelude = ("local FOLDER = %q "):format(FOLDER) .. FAKE
  local output, status = process.run_alone(prelude .. code, "cd " .. FOLDER)
  assert.equal(0, status, output)
  return (output:gsub("^4.0\n", "4\n"):gsub("\n4.0\n", "\n4\n"))
end

local function write(name, text)
  local file = assert(io.open(FOLDER .. "/" .. name, "wb"))
  file:write(text)
  file:close()
end

local COPY = "astar-core-" .. VERSION .. "/astar_core.so"

describe("a packed game", function()
  before_each(function()
    shell(("rm -rf %s && mkdir -p %s/astar %s/packed/astar %s/saved"):format(FOLDER, FOLDER, FOLDER, FOLDER))
    shell(("cp lua/astar/*.lua %s/astar && cp %s %s/packed/astar/core.so"):format(FOLDER, CORE, FOLDER))
  end)
  teardown(function() shell("rm -r " .. FOLDER) end)

  it("has its core copied to the save directory, once", function()
    local code = "try 'astar' print(c_path, package.loaded.astar_core, unpack(written))"
    code = "local unpack = unpack or table.unpack " .. code
    assert.equal("4\n??\tnil\t" .. COPY .. "\n", play(code))
    assert.equal("4\n??\tnil\n", play(code))
    assert.equal("", shell(("cmp %s %s/saved/%s"):format(CORE, FOLDER, COPY)))
  end)

  it("has the copies of other versions removed, and a damaged one replaced", function()
    shell(("cd %s/saved && mkdir -p astar-core-0.9 %s mine && touch astar-core-0.9/astar_core.so mine/save"):format(
      FOLDER, COPY:match "^[^/]+"))
    write("saved/" .. COPY, "half of it")
    assert.equal("4\n", play "try 'astar'")
    assert.equal(COPY .. "\nmine/save\n", shell(("cd %s/saved && find * -type f | sort"):format(FOLDER)))
  end)

  it("may have astar in another folder", function()
    shell(("cd %s && mkdir lib packed/lib && mv astar lib && mv packed/astar packed/lib"):format(FOLDER))
    assert.equal("4\n", play "try 'lib.astar'")
  end)

  it("says so where the core for this system is missing", function()
    shell(("mv %s/packed/astar/core.so %s/packed/astar/core.dll"):format(FOLDER, FOLDER))
    assert.equal("astar/core.so is not there: astar's core for this system, which its archive for LÖVE has\n",
      play "try 'astar'")
  end)

  it("looks for core.dll on Windows", function()
    assert.equal("astar/core.dll is not there: astar's core for this system, which its archive for LÖVE has\n",
      play "package.config = '\\\\' .. package.config:sub(2) try 'astar'")
  end)

  it("says so where the save directory cannot be written", function()
    shell(("rm -r %s/saved && touch %s/saved"):format(FOLDER, FOLDER))
    local output = play "try 'astar'"
    assert.equal(1, output:find(("astar/core.so cannot be loaded from inside the game, nor copied to %s/saved/%s: ")
      :format(FOLDER, COPY), 1, true), output)
    assert.matches("Not a directory\n$", output)
  end)

  it("says so where the core is for another Lua, or none at all", function()
    write("packed/astar/core.so", "\127ELF and no more, astar core built for Lua 4.0 (0.9)")
    assert.equal(("astar/core.so was built for Lua 4.0, this is %s: build it for this one\n"):format(_VERSION),
      play "try 'astar'")
    write("packed/astar/core.so", "not one")
    local output = play "try 'astar'"
    assert.equal(1, output:find(("astar/core.so cannot be loaded, as %s/saved/astar-core-unknown/astar_core.so: ")
      :format(FOLDER), 1, true), output)
  end)
end)
