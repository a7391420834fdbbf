-- The Makefile: each target that a text names does something, none is taken for a file, cores are used, and what is
-- missing is told of before anything is made.
--
-- A target that is quick, or that an argument makes so, is run (RUN, below). Of all others make is asked what it would
-- run, and that is something: that those succeed is not shown here.

local documents = require "spec.support.documents"
local full = require "spec.support.full"
local process = require "spec.support.process"

local shell = process.shell

if process.is_sanitized then
  describe("the Makefile", function()
    it("needs a sanitizer-free build", function() pending "a sanitizer's runtime would be in make and the compiler" end)
  end)
  return
end

-- The Lua that runs this, by the folder its module lies in.
local LUA = (package.cpath:match "build/([%w.]+)[/%%]" or "5.4"):gsub("^whole$", "5.4")

-- Under -n make still runs lines that call make again. Those are to install nothing: what would, does nothing.
local folder, stubs

setup(function()
  folder = shell "mktemp -d":match "%S+"
  stubs = folder .. "/stubs"
  shell("mkdir " .. stubs)
  for _, name in ipairs { "apt-get", "sudo", "luarocks" } do
    local file = assert(io.open(stubs .. "/" .. name, "w"))
    file:write "#!/bin/sh\nexit 0\n"
    file:close()
  end
  shell(("chmod +x %s/*"):format(stubs))
end)

teardown(function() shell("rm -rf " .. folder) end)

-- Debian's packages of each Lua.
local PACKAGES = {
  ["5.1"] = "lua5.1 liblua5.1-0-dev", ["5.2"] = "lua5.2 liblua5.2-dev", ["5.3"] = "lua5.3 liblua5.3-dev",
  ["5.4"] = "lua5.4 liblua5.4-dev", luajit = "luajit libluajit-5.1-dev",
}

-- Why make could not be asked, where that is the lack of a Lua which the README does not have anybody install.
local function missing_lua(output)
  local lua = output:match "no interpreter of LUA=([%w.]+) was found"
    or output:match "'make run LUA=([%w.]+)' installs it"
  return lua and lua ~= LUA and "needs " .. (PACKAGES[lua] or "Lua " .. lua)
end

local function says_nothing(output)
  return not output:find "%S" or output:find("up to date", 1, true) ~= nil
    or output:find("Nothing to be done", 1, true) ~= nil
end

-- What make knows, as { { name =, is_phony = } }: what is told in a Makefile, no pattern, no file below a folder.
local function targets()
  local list, database = {}, shell("make -pn LUA=" .. LUA .. " help")
  assert.is_truthy(database:find("# Files", 1, true), database)
  for block in (database:match "\n# Files\n(.*)" .. "\n\n"):gmatch "(.-)\n\n+" do
    local name = block:match "^([%w_-]+):" or block:match "\n([%w_-]+):"
    if name and not block:find "^# Not a target" then
      list[#list + 1] = { name = name, is_phony = block:find("\n#  Phony target", 1, true) ~= nil,
        is_done = block:find("\n#  recipe to execute", 1, true) ~= nil,
        needs_others = block:find("^" .. name:gsub("%-", "%%-") .. ": %S") ~= nil }
    end
  end
  return list
end

describe("a target that is not a file", function()
  it("is .PHONY, so that make does not skip the target if a folder has its name", function()
    local count = 0
    for _, target in ipairs(targets()) do
      assert.is_true(target.is_phony, target.name)
      count = count + 1
    end
    assert.is_true(count > 40, count .. " targets")
  end)

  it("has a recipe in the Makefile, because .PHONY alone does nothing", function()
    for _, target in ipairs(targets()) do
      assert.is_true(target.is_done or target.needs_others or target.name == "FORCE", target.name)
    end
  end)

  -- Of a few, as it is .PHONY that does it.
  full.only(it)("is made although a file has its name", function()
    shell(("mkdir %s/named && cp -R Makefile tools src lua spec examples docs *.rockspec %s/named")
      :format(folder, folder))
    local list = targets()
    for _, target in ipairs(list) do
      shell(("cd %s/named && [ -e %s ] || touch %s"):format(folder, target.name, target.name))
    end
    for i, target in ipairs(list) do
      if target.name ~= "FORCE" and i % 8 == 0 then
        local output = shell(("PATH=%s:$PATH; cd %s/named && make -n MAKE=: %s LUA=%s")
          :format(stubs, folder, target.name, LUA))
        assert.is_false(says_nothing(output), target.name .. ": " .. output)
      end
    end
  end)
end)

-- -- What texts name -------------------------------------------------------------------

-- Arguments with which these are run; "" is none.
local RUN = {
  run = "", village = "", help = "", size = "",
  example = "NAME=quickstart",
  spec = "SPEC=spec/graph/graph_spec.lua BUSTED_FLAGS=--filter=route RESULTS=%s/results",
  test = "SPEC=spec/draw_spec.lua BUSTED_FLAGS= RESULTS=%s/results", soak = "N=500",
  install = "DESTDIR=%s/root", uninstall = "DESTDIR=%s/root",
}

-- { [command] = "where it stands" }, a command as "make install PREFIX=/usr".
local function commands()
  local found = {}
  local function add(text, place)
    local command = text:gsub("%s*[#&;|>].*$", ""):gsub("%s%s+.*$", ""):gsub("%s*%[.-%]", "")
    local is_plain = command:find "^make [%w='\"./$_%%:, -]+$" and not command:find "^make %u"
    if is_plain or command == "make" then
      found[command] = found[command] or place
    end
  end
  local list = documents.all()
  for _, name in ipairs { "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "examples/README.md" } do
    list[#list + 1] = documents.read(name)
  end
  for _, document in ipairs(list) do
    for _, language in ipairs { "sh", "text" } do
      for _, block in ipairs(documents.blocks(document, language)) do
        for number = block.first, block.last do
          local line = document.lines[number]:match "^%s*%$?%s*(make .*)$"
          if line then add(line, document.name .. ":" .. number) end
        end
      end
    end
    for number, line in ipairs(document.prose) do
      for command in line:gmatch "`(make[^`]*)`" do add(command, document.name .. ":" .. number) end
    end
  end
  return found
end

describe("a text that names make targets", function()
  local sorted = {}
  for command, place in pairs(commands()) do sorted[#sorted + 1] = { command, place } end
  table.sort(sorted, function(a, b) return a[1] < b[1] end)

  it("contains more than 30 make commands in all", function()
    assert.is_true(#sorted > 30, #sorted .. " commands")
  end)

  -- Once where only the values of arguments differ, but of LUA.
  local is_asked = {}
  for _, pair in ipairs(sorted) do
    local command, place = pair[1], pair[2]
    local kind = command:gsub("(%u+)=%S+", function(name) return name ~= "LUA" and name .. "=" or nil end)
    local define = full.only(it)
    if place:find "^README%.md" then define = it end -- make test asks those alone
    local unless_asked = is_asked[kind] and function() end or define
    is_asked[kind] = true
    unless_asked("names a command that has an effect: " .. command, function()
      local lua = command:find "LUA=" and "" or " LUA=" .. LUA
      local output, status = shell(("PATH=%s:$PATH; %s%s"):format(stubs, command:gsub("^make", "make -n"), lua))
      local missing = status ~= 0 and missing_lua(output)
      if missing then pending(missing) end
      assert.equal(0, status, place .. ": " .. output)
      assert.is_false(says_nothing(output), place .. ": " .. output)
    end)
  end

  for _, target in ipairs { "help", "size", "village", "run", "example", "spec", "test", "soak",
    "install", "uninstall" } do
    it("describes correctly the command make " .. target, function()
      local output, status = shell(("make %s LUA=%s %s"):format(target, LUA, RUN[target]:format(folder)))
      assert.equal(0, status, output)
      assert.is_truthy(output:find "%S" or target == "uninstall", "printed nothing")
    end)
  end

  it("leaves no file behind after make uninstall", function()
    assert.equal("", (shell(("find %s/root -type f"):format(folder))))
  end)
end)

-- -- Scripts and specs by their names ---------------------------------------------------

describe("make run", function()
  local function write(name, text)
    local file = assert(io.open(name, "w"))
    file:write(text)
    file:close()
  end

  setup(function()
    shell(("mkdir '%s/a game'"):format(folder))
    write(folder .. "/a game/main.lua", [[
      local words = require "words"
      print(words.hello, io.open "map.txt":read "*l", require("astar").grid(3, 1):find_path(1, 1, 3, 1).cost == 2)
    ]])
    write(folder .. "/a game/words.lua", "return { hello = 'hello' }")
    write(folder .. "/a game/map.txt", "a map")
  end)

  it("runs a script in its own folder, where the script finds the files beside it", function()
    assert.same({ "hello\ta map\ttrue\n", 0 },
      { shell(("make -s run LUA=%s SCRIPT='%s/a game/main.lua'"):format(LUA, folder)) })
  end)

  it("accepts the file name of a script without SCRIPT=", function()
    write(folder .. "/short.lua", "print 'short'")
    assert.same({ "short\n", 0 }, { shell(("make -s run %s/short.lua LUA=%s"):format(folder, LUA)) })
  end)

  it("reports a script that does not exist, and explains how a bare file name is read", function()
    for _, arguments in ipairs { "run no_such.lua", "run SCRIPT=no_such.lua" } do
      local output, status = shell(("make -s %s LUA=%s"):format(arguments, LUA))
      assert.is_true(status ~= 0)
      assert.is_truthy(output:find("make run: there is no file SCRIPT=no_such.lua\n", 1, true), output)
    end
    local output, status = shell("make -s mine.lua LUA=" .. LUA)
    assert.is_true(status ~= 0)
    assert.is_truthy(output:find("to run it: make run SCRIPT=mine.lua", 1, true), output)
  end)
end)

describe("make spec", function()
  it("accepts the file name of a spec without SPEC=", function()
    local output, status = shell(("make -s spec spec/directions_spec.lua LUA=%s BUSTED_FLAGS= RESULTS=%s/results")
      :format(LUA, folder))
    assert.equal(0, status, output)
    assert.matches("^%[1/1%] spec/directions_spec%.lua ", output)
  end)
end)

describe("make help", function()
  it("lists each documented target once, in four groups", function()
    local output = shell("make -s help LUA=" .. LUA)
    for _, title in ipairs { "To use it:", "To develop it:", "For a release:", "More checks:" } do
      assert.is_truthy(("\n" .. output):find("\n" .. title .. "\n", 1, true), title)
    end
    local makefiles = shell "cat Makefile tools/*.mk"
    local count = 0
    for target in makefiles:gmatch "\n([%w-]+):[^\n]-## " do
      local _, lines = output:gsub("\n  make " .. target:gsub("%-", "%%-") .. " ", "")
      assert.equal(1, lines, target)
      count = count + 1
    end
    assert.is_true(count > 50, count)
    for target in makefiles:match "\nFOR_USE = (.-[^\\])\n":gmatch "[%w-]+" do
      assert.is_truthy(output:match "^To use it:\n(.-)\n\n":find("  make " .. target .. " ", 1, true), target)
    end
  end)
end)

-- -- Installing -------------------------------------------------------------------------

describe("make install", function()
  it("ends with two lines that let Lua find the module, if Lua does not search there by itself", function()
    local output, status = shell(("make -s install LUA=%s PREFIX=%s/home"):format(LUA, folder))
    assert.equal(0, status, output)
    local lines = output:match "\n(export LUA_PATH=[^\n]+\nexport LUA_CPATH=[^\n]+)\n$"
    assert.is_truthy(lines, output)
    for _, before in ipairs { "unset LUA_PATH LUA_CPATH", "export LUA_PATH='./lib/?.lua;;' LUA_CPATH='./lib/?.so'" } do
      local answer = shell(("cd %s; %s; %s; %s -e 'print(require(\"astar\").implementation, package.path)'"):format(
        folder, before, lines, process.interpreter()))
      assert.matches("^c\t", answer)
      assert.equal(before:find "lib" ~= nil, answer:find("./lib/?.lua", 1, true) ~= nil)
    end
    shell(("make -s uninstall LUA=%s PREFIX=%s/home"):format(LUA, folder))
  end)

  it("prints no such lines if Lua searches the folder, or if the files are for a package", function()
    local luadir, libdir = folder .. "/p/share/lua", folder .. "/p/lib/lua"
    local paths = ("LUA_PATH='%s/?.lua;%s/?/init.lua' LUA_CPATH='%s/?.so'"):format(luadir, luadir, libdir)
    assert.same({ "", 0 }, { shell(("%s sh tools/install.sh paths %s %s %s"):format(paths, luadir, libdir,
      process.interpreter())) })
    assert.same({ "", 0 }, { shell "sh tools/install.sh paths /usr/local/share/lua/5.4 /usr/local/lib/lua/5.4" })
    local output = shell(("make -s install LUA=%s DESTDIR=%s/package PREFIX=/opt"):format(LUA, folder))
    assert.is_nil(output:find("export", 1, true))
  end)

  it("prints one line if it may not write to the folder, and suggests PREFIX=", function()
    local command = "sh tools/install.sh check install %s/lua/5.4/astar %s/other"
    assert.same({ "", 0 }, { shell(command:format(folder, folder)) })
    local output, status = shell(command:format("/dev/null", folder))
    assert.equal(1, status)
    assert.equal("make install may not write to /dev/null/lua/5.4/astar: run it as root, or choose a folder of yours, "
      .. "as in make install PREFIX=$HOME/.local\n", output)
  end)
end)

-- -- Cores ------------------------------------------------------------------------------

describe("make", function()
  local more

  setup(function()
    more = folder .. "/more.mk"
    local file = assert(io.open(more, "w"))
    file:write 'jobs other: ; @echo "jobs <$(filter -j%,$(MAKEFLAGS))>"\n'
    file:close()
  end)

  local function jobs(before, arguments)
    local output = shell(("%s make -f Makefile -f %s %s"):format(before, more, arguments))
    return output:match "jobs <(.-)>" or output
  end

  local cores = shell "nproc 2>/dev/null || getconf _NPROCESSORS_ONLN":match "%d+"

  it("uses all cores of the machine", function()
    assert.equal("-j" .. cores, jobs("MAKEFLAGS= MAKELEVEL=", "jobs"))
  end)

  full.only(it)("uses the number of cores given by an argument or by a calling make", function()
    for _, given in ipairs { "-j1", "-j3", "-sj3", "--jobs=3", "-j 3", "-kj3" } do
      assert.equal("-j" .. given:match "%d", jobs("MAKEFLAGS= MAKELEVEL=", given .. " jobs"), given)
    end
    for _, given in ipairs { "-j1", "j3", "-j3", "--jobs=3", "s -j3", "ksj3", "-k -j3" } do
      assert.equal("-j" .. given:match "%d", jobs(("MAKEFLAGS='%s' MAKELEVEL="):format(given), "jobs"), given)
    end
  end)

  it("is not misled by a word that only resembles the option -j", function()
    for _, given in ipairs { "LUA=luajit", "--no-print-directory -- LUA=luajit", "-k -- NAME=-job" } do
      local expected = given:find "job" and "" or "-j" .. cores
      local got = jobs(("MAKEFLAGS='%s' MAKELEVEL="):format(given), "jobs")
      assert.is_true(got == expected or got == "-j" .. cores, given .. ": " .. got)
    end
  end)

  it("makes several targets one after the other, because `make clean all` requires the order", function()
    assert.equal("", jobs("MAKEFLAGS= MAKELEVEL=", "jobs other"))
  end)
end)

-- -- Progress ---------------------------------------------------------------------------

describe("the progress of make", function()
  local COUNT = "for i in $(seq 241); do sh tools/progress.sh $i 241 file$i; done; sh tools/progress.sh ld core.so"

  it("consists of a line for every 50 files if the output is a log", function()
    assert.equal("[50/241] file50\n[100/241] file100\n[150/241] file150\n[200/241] file200\n[241/241] file241\n"
      .. "ld core.so\n", (shell(COUNT)))
  end)

  it("consists of one line on a terminal, which the last message clears", function()
    if select(2, shell "command -v script") ~= 0 then
      pending "needs the program script of util-linux"
      return
    end
    local output = shell(("TERM=xterm SHELL=/bin/sh script -qec '%s' /dev/null </dev/null"):format(COUNT))
    if output:find "failed to create pseudo%-terminal" then
      pending "needs a pseudo-terminal: /dev/pts is not mounted"
    end
    local _, lines = output:gsub("\n", "")
    assert.equal(1, lines)
    assert.is_truthy(output:find("\r[ 37/241] file37\27[K\r\r[ 38/241]", 1, true), ("%q"):format(output:sub(1, 999)))
    assert.matches("\r\27%[Kld core%.so\r?\n$", output)
  end)

  it("shows no total if the number of files that make compiles again is unknown", function()
    assert.equal("[1] a.c\n", (shell "sh tools/progress.sh 1 0 a.c"))
    assert.equal("", (shell "sh tools/progress.sh 12 0 a.c"))
    assert.equal("[50] a.c\n", (shell "sh tools/progress.sh 50 0 a.c"))
  end)
end)

-- -- What is missing --------------------------------------------------------------------

describe("if something is missing", function()
  -- A PATH that has what any system has, and of all else what is named.
  local function sandbox(more)
    local path = os.tmpname()
    os.remove(path)
    shell("mkdir " .. path)
    for name in ("sh make grep sed tr cat env mkdir rm mv cmp awk nproc sort head basename dirname printf cut uname "
      .. (more or "")):gmatch "%S+" do
      shell(('ln -s "$(command -v %s)" %s/%s'):format(name, path, name))
    end
    return path
  end

  -- What make says, its status, and what it left in a build folder of its own.
  local function try(arguments, path)
    local build = "build/try-" .. LUA
    shell("rm -rf " .. build)
    local command = ("%s make %s BUILD=%s/x CORE_BUILD=%s/core LIBRARY=%s/libastar.a"):format(
      path and "PATH=" .. path .. " HOMEBREW_PREFIX=" .. folder or "", arguments, build, build, build)
    local output, status = shell(command)
    local left = shell("find " .. build .. " -type f 2>/dev/null; ls -d " .. build .. " 2>/dev/null")
    shell("rm -rf " .. build)
    return output, status, left
  end

  local function assert_refuses(pattern, arguments, path)
    local output, status, left = try(arguments, path)
    assert.is_true(status ~= 0, arguments .. ": " .. output)
    assert.matches(pattern, output, nil, nil, arguments)
    assert.equal("", left, arguments)
  end

  it("make names the missing compiler and the command that installs it", function()
    local path = sandbox()
    for _, goal in ipairs { "", "all", "village", "spec", "size", "lint", "core-test", "install-c" } do
      assert_refuses("no C compiler: cc was not found; 'make run' installs one", goal .. " CC=cc LUA=" .. LUA, path)
    end
    assert_refuses("no C compiler: my%-cc was not found", "all CC='my-cc -m32' LUA=" .. LUA, path)
    assert_refuses("make run needs packages that there is no apt%-get here to install.*gcc", "run LUA=" .. LUA, path)
    shell("rm -r " .. path)
  end)

  it("make distinguishes a broken compiler from a missing one", function()
    local path = sandbox "false"
    assert_refuses("'false' does not compile: .*libc6%-dev", "all CC=false LUA=" .. LUA, path)
    shell("rm -r " .. path)
  end)

  it("make lists the valid values of LUA", function()
    local NONE = { "", "5.6", "lua5.4", "5", "'5.4 5.3'", "../x", "JIT", "%" }
    for _, goal in ipairs { "all", "run", "test", "spec", "love", "lint", "install", "core-test", "dist" } do
      for _, lua in ipairs(goal == "all" and NONE or { NONE[2] }) do
        assert_refuses("LUA must be one of 5.5 5.4 5.3 5.2 5.1 luajit, got '" .. lua:gsub("[%%'.]", { ["'"] = "",
          ["%"] = "%%", ["."] = "%." }) .. "'", goal .. " LUA=" .. lua)
      end
    end
    assert.equal("", (shell "ls -d build/5.6 build/lua5.4 build/5 build/JIT x 2>/dev/null"))
  end)

  full.only(it)("make names the missing headers of a Lua, and the package that contains them", function()
    local path = sandbox("cc")
    assert_refuses("LUA_INCDIR=/nowhere has no lua%.h in it; without LUA_INCDIR the usual folders are searched",
      "all LUA_INCDIR=/nowhere LUA=" .. LUA)
    for _, goal in ipairs { "all", "spec", "size", "example", "lint", "install" } do
      assert_refuses("LUA_INCDIR=/nowhere has no lua%.h", goal .. " LUA_INCDIR=/nowhere LUA=5.3")
    end
    if select(2, shell "LUA=5.5 LUA_INCDIR= sh tools/need.sh headers") ~= 0 then
      assert_refuses("lua%.h of Lua 5%.5 was not found, and no package of it is known: .* make LUA=5%.4", "all LUA=5.5")
      assert_refuses("no package is known of", "run LUA=5.5")
      assert_refuses("no package is known of", "test LUA=5.5")
    end
    shell("rm -r " .. path)
  end)

  full.only(it)("make distinguishes headers of another Lua version from the requested headers", function()
    local VERSIONS = { ["5.1"] = "#define LUA_VERSION_NUM\t501", ["5.3"] = "#define LUA_VERSION_NUM\t\t503",
      ["5.5"] = "#define LUA_VERSION_MINOR_N\t5\n#define LUA_VERSION_NUM  (LUA_VERSION_MAJOR_N * 100)" }
    for version, text in pairs(VERSIONS) do
      local file = assert(io.open(folder .. "/lua.h", "w"))
      file:write(text, "\n")
      file:close()
      for _, lua in ipairs { "5.1", "5.2", "5.3", "5.4", "5.5", "luajit" } do
        local command = ("LUA=%s LUA_INCDIR=%s sh tools/need.sh headers"):format(lua, folder)
        local output, status = shell(command)
        if (lua == "luajit" and "5.1" or lua) == version then
          assert.equal(0, status, output)
        else
          assert.equal(1, status)
          assert.is_truthy(output:find(("has the lua.h of Lua %s, not of "):format(version), 1, true), output)
        end
      end
      assert.equal(version, (shell(("LUA= LUA_INCDIR=%s sh tools/need.sh lua"):format(folder))):match "%S+")
      -- As a rock is made: the headers say for which Lua.
      assert.equal(version, shell(("env -u LUA MAKEFLAGS= make -s LUA_INCDIR=%s --eval 'told: ; @echo $(LUA)' told")
        :format(folder)):match "%S+")
    end
    os.remove(folder .. "/lua.h")
  end)

  full.only(it)("make names a missing interpreter, and runs no script without it", function()
    local path = sandbox "cc"
    local incdir = shell(("LUA=%s sh tools/need.sh headers"):format(LUA)):match "%-isystem (%S+)"
    for _, goal in ipairs { "village", "spec", "example", "bench", "reference" } do
      local output, status = shell(("PATH=%s HOMEBREW_PREFIX=%s make -n %s LUA=%s LUA_INCDIR=%s")
        :format(path, folder, goal, LUA, incdir or ""))
      assert.is_true(status ~= 0)
      assert.matches("no interpreter of LUA=" .. LUA:gsub("%.", "%%.") .. " was found; 'make run ", output)
    end
    shell("rm -r " .. path)
  end)
end)
