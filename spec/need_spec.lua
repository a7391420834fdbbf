-- What the Makefile installs, or advises to: tools/need.sh on machines that lack it, made of a PATH with
-- nothing else on it.

local process = require "spec.support.process"

local function run(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1; echo status $?"))
  local output = pipe:read "*a"
  pipe:close()
  local text, status = output:match "^(.*)status (%d+)\n$"
  return text, tonumber(status)
end

local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
end

describe("the packages that are missing", function()
  if process.is_sanitized then
    it("are named in the error messages of make", function() pending "a sanitizer's runtime is in every program" end)
    return
  end

  local folder

  before_each(function()
    folder = run "mktemp -d":match "%S+"
    for name in ("sh grep sed tr cat env"):gmatch "%S+" do
      run(('ln -s "$(command -v %s)" %s/%s'):format(name, folder, name))
    end
  end)

  after_each(function()
    run("rm -rf " .. folder)
  end)

  local function has(name, text)
    write(folder .. "/" .. name, "#!/bin/sh\n" .. text .. "\n")
    run(("chmod +x %s/%s"):format(folder, name))
  end

  -- On a machine without Lua's headers: no folder of the system's is looked into.
  local function need(what, lua)
    return run(("PATH=%s LUA=%s CC=cc LUA_INCDIR=%s/none sh tools/need.sh %s"):format(folder, lua, folder, what))
  end

  it("are installed for `make love`: a compiler, LuaJIT's headers and LÖVE", function()
    has("id", "echo 0")
    has("apt-get", "echo apt-get $* >>" .. folder .. "/log")
    local output, status = need("install love", "luajit")
    assert.equal(0, status, output)
    assert.equal("Installing with apt-get (a minute or so): gcc libc6-dev luajit libluajit-5.1-dev love\n", output)
    local log = run("cat " .. folder .. "/log")
    assert.matches("apt%-get %-qq install .* gcc libc6%-dev luajit libluajit%-5%.1%-dev love\n", log)
  end)

  it("are the packages that the README names, for `make run` and `make test`", function()
    has("id", "echo 0")
    has("apt-get", ":")
    local file = assert(io.open "README.md")
    local run_only, both = file:read "*a":gsub("%s+", " "):match(
      "`make run` uses apt%-get to install ([^`]-) if they are missing%. `make test` also installs ([%w-]+)%.")
    file:close()
    run_only = run_only:gsub(",", ""):gsub(" and ", " ")
    local INSTALLING = "Installing with apt-get (a minute or so): %s\n"
    assert.equal(INSTALLING:format(run_only), (need("install run", "5.4")))
    assert.equal(INSTALLING:format(run_only .. " " .. both), (need("install test", "5.4")))
  end)

  it("do not include LÖVE if LÖVE is installed, and never for `make run`", function()
    has("cc", "exit 0")
    has("love", "exit 0")
    assert.matches("^make love needs packages.*apt +luajit libluajit%-5%.1%-dev\n", (need("install love", "luajit")))
    run("rm " .. folder .. "/love")
    assert.matches("^make run needs packages.*apt +luajit libluajit%-5%.1%-dev\n", (need("install run", "luajit")))
  end)

  it("have other names on systems other than Debian", function()
    local output, status = need("install love", "luajit")
    assert.equal(1, status)
    assert.matches("dnf +gcc luajit luajit%-devel love\n", output)
    assert.matches("pacman +gcc luajit love\n", output)
    assert.matches("brew +gcc luajit love\n", output)
  end)

  it("are named with a command that installs the headers of this Lua", function()
    -- As where the system has no headers at all.
    local bare = folder .. "/bare.sh"
    run(("sed 's:/usr/:%s/none/:g' tools/need.sh >%s"):format(folder, bare))
    for _, lua in ipairs { "luajit", "5.1", "5.4" } do
      local output, status = run(("PATH=%s LUA=%s LUA_INCDIR= HOMEBREW_PREFIX=%s sh %s headers")
        :format(folder, lua, folder, bare))
      assert.equal(1, status)
      assert.matches("'make run LUA=" .. lua:gsub("%p", "%%%0") .. "' installs it", output)
    end
  end)

  it("are not needed if Homebrew's folder contains Lua", function()
    local keg = folder .. "/opt/lua@5.3"
    run(("mkdir -p %s/include/lua %s/bin"):format(keg, keg))
    write(keg .. "/include/lua/lua.h", "#define LUA_VERSION_NUM\t\t503\n")
    write(keg .. "/bin/lua", "#!/bin/sh\necho Lua 5.3.6\n")
    run(("chmod +x %s/bin/lua"):format(keg))
    local function find(what)
      return run(("PATH=%s LUA_INCDIR= HOMEBREW_PREFIX=%s LUA=5.3 sh tools/need.sh %s"):format(folder, folder, what))
    end
    assert.equal("-isystem " .. keg .. "/include/lua\n", (find "headers"))
    assert.equal(keg .. "/bin/lua\n", (find "interpreter"))
  end)

  it("include mingw and headers for `make windows`, but no Lua", function()
    has("id", "echo 0")
    has("apt-get", ":")
    local command = "PATH=%s LUA=5.4 CC=x86_64-w64-mingw32-gcc LUA_INCDIR=%s sh tools/need.sh install windows"
    write(folder .. "/lua.h", "")
    assert.equal("Installing with apt-get (a minute or so): gcc-mingw-w64-x86-64-posix\n",
      (run(command:format(folder, folder))))
    run("rm " .. folder .. "/apt-get")
    assert.matches("dnf +mingw64%-gcc .*pacman +mingw%-w64%-gcc .*brew +mingw%-w64 ",
      (run(command:format(folder, folder))))
  end)

  it("are emscripten and npm, but no Lua, for `make playground`, and also a browser for its test", function()
    has("id", "echo 0")
    has("apt-get", ":")
    local installing = "Installing with apt-get (a minute or so): "
    assert.equal(installing .. "emscripten nodejs npm dpkg-dev\n", (need("install playground", "5.4")))
    has("npm", "exit 0")
    has("dpkg-source", "exit 0")
    assert.equal(installing .. "gcc libc6-dev lua5.4 liblua5.4-dev emscripten nodejs chromium\n",
      (need("install playground-test", "5.4")))
    run("rm " .. folder .. "/apt-get")
    assert.matches("^make playground needs packages.*dnf .* emscripten nodejs npm, .*LUA_SOURCE\n",
      (need("install playground", "5.4")))
  end)

  it("are not reported if `make love` has no display, which its message says", function()
    assert.matches("^make love needs a display", (run "DISPLAY= WAYLAND_DISPLAY= SDL_VIDEODRIVER= make love"))
  end)

  it("are checked by `make love` before it builds anything", function()
    assert.matches("LUA='luajit' [^\n]*need%.sh install love\nbuild love%-games\n", (run "make -n love MAKE=build"))
  end)
end)
