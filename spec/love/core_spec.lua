-- The core out of a packed LÖVE game, in processes of their own: Lua files as they lie in the archive, the
-- core in it as well, where no system can load it from, and a love.filesystem that does what LÖVE's does.
-- The real one is in spec/love/love_spec.lua.

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

-- Files of the archive other than Lua's lie under packed/, the save directory is saved/. The names of files that were
-- written are in `written`. A function in `at`, by the name of a moment, is called once at that moment.
local FAKE = [[
  local at = {}
  local function come_to(moment)
    local f = at[moment]
    at[moment] = nil
    if f then return f() end
  end
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
  local function shell(command)
    local pipe = io.popen(command)
    local text = pipe:read "*a"
    pipe:close()
    return text
  end
  local real_rename, real_loadlib = os.rename, package.loadlib
  function os.rename(...) come_to "rename" return real_rename(...) end
  function package.loadlib(...) come_to "loadlib" return real_loadlib(...) end
  local atomic = 0
  local channel = { performAtomic = function(self, f) atomic = atomic + 1 return f(self) end }
  love = { thread = { getChannel = function() return channel end }, filesystem = {
    read = read,
    getInfo = function(name)
      local time = tonumber(shell("stat -c %Y saved/" .. name .. " packed/" .. name .. " 2>/dev/null"):match "%d+")
      return time and { modtime = time }
    end,
    getDirectoryItems = list,
    getRealDirectory = function(name) return read(name) and FOLDER .. "/game.love" end,
    getSaveDirectory = function() return FOLDER .. "/saved" end,
    getCRequirePath = function() return c_path end,
    setCRequirePath = function(path) c_path = path end,
    remove = function(name) return (os.remove("saved/" .. name)) end,
    createDirectory = function(name)
      if come_to "createDirectory" == false then return false end
      return os.execute("mkdir -p saved/" .. name .. " 2>/dev/null")
    end,
    write = function(name, text)
      come_to "write"
      assert(not open("saved/" .. name), name .. " is written over, which another process may have mapped")
      local file, problem = open("saved/" .. name, "wb")
      if not file then return nil, problem end
      file:write(text:sub(1, math.floor(#text / 2)))
      file:flush()
      come_to "half written"
      file:write(text:sub(math.floor(#text / 2) + 1))
      file:close()
      written[#written + 1] = name
      return true
    end,
  } }
  local searchers = package.searchers or package.loaders
  searchers[#searchers + 1] = function(name)
    for element in c_path:gmatch "[^;]+" do
      local file = element:gsub("%?%?", (name:gsub("%.", "/"))) .. ".so"
      local open = real_loadlib(FOLDER .. "/saved/" .. file, "luaopen_" .. name:gsub("%.", "_"))
      if open then return open end
    end
    return "\n\tno " .. name
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
  return (output:gsub("^4%.0\n", "4\n"):gsub("\n4%.0\n", "\n4\n"))
end

local function write(name, text)
  local file = assert(io.open(FOLDER .. "/" .. name, "wb"))
  file:write(text)
  file:close()
end

local VERSION_FOLDER = "astar-core-" .. VERSION
local COPY = VERSION_FOLDER .. "/astar_core.so"

-- The files in the save directory, one a line.
local function saved() return shell(("cd %s/saved && find * -type f | sort"):format(FOLDER)) end

-- Code that starts another process, which plays `code` as well, and prints what that one printed.
local function another(code)
  write("other.lua", ("local FOLDER = %q "):format(FOLDER) .. FAKE .. code)
  return (" function() io.write('other: ', shell %q) end "):format(process.interpreter() .. " other.lua 2>&1")
end

describe("a packed game", function()
  before_each(function()
    shell(("rm -rf %s && mkdir -p %s/astar %s/packed/astar %s/saved"):format(FOLDER, FOLDER, FOLDER, FOLDER))
    shell(("cp -R lua/astar/. %s/astar && rm -r %s/astar/plain"):format(FOLDER, FOLDER))
    shell(("cp %s %s/packed/astar/core.so"):format(CORE, FOLDER))
  end)
  teardown(function() shell("rm -r " .. FOLDER) end)

  it("copies its core to the save directory only once", function()
    local code = "try 'astar' print(c_path, package.loaded.astar_core, #written, atomic)"
    assert.equal("4\n??\tnil\t1\t1\n", play(code))
    assert.equal(COPY .. "\n", saved())
    assert.equal("4\n??\tnil\t0\t1\n", play(code))
    assert.equal("", shell(("cmp %s %s/saved/%s"):format(CORE, FOLDER, COPY)))
  end)

  -- What another process of the same game does may come between any two calls of this one.
  for _, moment in ipairs { "write", "half written", "rename", "loadlib" } do
    it("starts while another process of the game is at this stage: " .. moment, function()
      local output = play(("at[%q] = "):format(moment) .. another "try 'astar'" .. "try 'astar'")
      assert.equal("other: 4\n4\n", (output:gsub("other: 4%.0", "other: 4")))
      assert.equal(COPY .. "\n", saved())
      assert.equal("", shell(("cmp %s %s/saved/%s"):format(CORE, FOLDER, COPY)))
    end)
  end

  it("starts although another process creates the save directory at the same moment", function()
    assert.equal("4\n", play "at.createDirectory = function() return false end try 'astar'")
    assert.equal(COPY .. "\n", saved())
  end)

  it("keeps copies of other versions for a day, and removes older ones", function()
    shell(("cd %s/saved && mkdir astar-core-0.8 astar-core-0.9 astar-core-0.9+x mine && touch mine/save && "
      .. "for folder in astar-core-*; do touch $folder/astar_core.so; done && "
      .. "touch -d '25 hours ago' astar-core-0.8 astar-core-0.9+x"):format(FOLDER))
    assert.equal("4\n", play "try 'astar'")
    assert.equal("astar-core-0.9/astar_core.so\n" .. COPY .. "\nmine/save\n", saved())
    assert.equal("", shell(("cd %s/saved && find * -type d -empty"):format(FOLDER)))
  end)

  it("starts although another version removes its copy just before the copy is loaded", function()
    assert.equal("4\n", play "try 'astar'")
    local remove = ("at.loadlib = function() shell 'rm -r saved/%s' end "):format(VERSION_FOLDER)
    assert.equal("4\t1\n", play(remove .. "try 'astar' print(#written)"):gsub("\n", "\t", 1))
    assert.equal(COPY .. "\n", saved())
  end)

  it("replaces a damaged copy of the core", function()
    shell(("mkdir %s/saved/%s"):format(FOLDER, VERSION_FOLDER))
    write("saved/" .. COPY, "half of it")
    assert.equal("4\n", play "try 'astar'")
    assert.equal(COPY .. "\n", saved())
    assert.equal("", shell(("cmp %s %s/saved/%s"):format(CORE, FOLDER, COPY)))
  end)

  it("loads a copy under another name if a damaged copy cannot be replaced, and finds that copy again", function()
    shell(("mkdir %s/saved/%s"):format(FOLDER, VERSION_FOLDER))
    write("saved/" .. COPY, "half of it")
    local code = "function os.rename() return nil, 'File exists' end try 'astar' print(#written)"
    assert.equal("4\t1\n", play(code):gsub("\n", "\t", 1))
    local files = saved()
    assert.equal("4\t0\n", play(code):gsub("\n", "\t", 1))
    assert.equal(files, saved())
    assert.equal(2, select(2, files:gsub("\n", "")))
  end)

  -- Threads share the path that LÖVE's loader searches: one that is restored after a moment is not there for another
  -- thread, and one that is lengthened at each start grows.
  it("gives the folder of the copy to LÖVE's loader, once, if package.loadlib finds no file", function()
    local code = "function package.loadlib() return nil, 'not found', 'open' end "
    assert.equal(("4\n??;%s/??\tnil\n"):format(VERSION_FOLDER), play(code
      .. "c_path = '??' try 'astar' print(c_path, package.loaded.astar_core)"))
    assert.equal(("4\n??;%s/??;mine/??\n"):format(VERSION_FOLDER), play(code
      .. ("c_path = '??;%s/??;mine/??' try 'astar' print(c_path)"):format(VERSION_FOLDER)))
  end)

  it("starts although the game's conf.lua disables threads", function()
    assert.equal("4\n", play "love.thread = nil try 'astar'")
  end)

  it("may have astar in another folder", function()
    shell(("cd %s && mkdir lib packed/lib && mv astar lib && mv packed/astar packed/lib"):format(FOLDER))
    assert.equal("4\n", play "try 'lib.astar'")
  end)

  it("raises an error if the core for the present system is missing", function()
    shell(("mv %s/packed/astar/core.so %s/packed/astar/core.dll"):format(FOLDER, FOLDER))
    assert.equal("astar/core.so is not there: astar's core for this system, which its archive for LÖVE has\n",
      play "try 'astar'")
  end)

  it("searches for core.dll on Windows", function()
    assert.equal("astar/core.dll is not there: astar's core for this system, which its archive for LÖVE has\n",
      play "package.config = '\\\\' .. package.config:sub(2) try 'astar'")
  end)

  it("raises an error if the save directory cannot be written", function()
    shell(("rm -r %s/saved && touch %s/saved"):format(FOLDER, FOLDER))
    local output = play "try 'astar'"
    assert.equal(1, output:find(("astar/core.so cannot be loaded from inside the game, nor copied to %s/saved/%s: ")
      :format(FOLDER, COPY), 1, true), output)
    assert.matches("Not a directory\n$", output)
  end)

  it("raises an error if the core is for another Lua version or is not a library", function()
    write("packed/astar/core.so", "\127ELF and no more, astar core built for Lua 4.0 (0.9)")
    assert.equal(("astar/core.so was built for Lua 4.0, this is %s: build it for this one\n"):format(_VERSION),
      play "try 'astar'")
    write("packed/astar/core.so", "not one")
    local output = play "try 'astar'"
    assert.equal(1, output:find(("astar/core.so cannot be loaded, as %s/saved/astar-core-unknown/astar_core.so: ")
      :format(FOLDER), 1, true), output)
  end)
end)
