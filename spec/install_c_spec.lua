-- The C library as make install-c leaves it: a program builds with what pkg-config says of it, and only what
-- astar.h declares can be seen from outside.

local full = require "spec.support.full"
local process = require "spec.support.process"

local function run(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1; echo status $?"))
  local text, status = pipe:read("*a"):match "^(.*)status (%d+)\n$"
  pipe:close()
  return text, tonumber(status)
end

local function succeed(command)
  local text, status = run(command)
  assert(status == 0, command .. ":\n" .. text)
  return text
end

local function read(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

local function missing()
  if process.is_sanitized then
    return "a sanitizer's runtime is in every program"
  elseif run "uname -s" ~= "Linux\n" or not run "command -v pkg-config && command -v nm":find "nm" then
    return "needs Linux, pkg-config and nm"
  end
end

full.only(describe)("the C library, installed,", function()
  local reason = missing()
  if reason then
    it("is used by a C program", function() pending(reason) end)
    return
  end

  local folder, pkg_config

  -- make in a folder of its own for what is built, as another compiler may have been at work in build/.
  local function make(target)
    return succeed(("make -s %s DESTDIR=%s PREFIX=/opt/astar CC=%s SANITIZE= WHOLE=1 CFLAGS=-O0 "
      .. "CORE_BUILD=build/installed LIBRARY=build/installed/libastar.a")
      :format(target, folder, process.quick_compiler()))
  end

  setup(function()
    folder = succeed "mktemp -d":match "%S+"
    pkg_config = ("PKG_CONFIG_PATH=%s/opt/astar/lib/pkgconfig pkg-config --define-variable=prefix=%s/opt/astar"):format(
      folder, folder)
    make "install-c"
  end)

  teardown(function()
    run("rm -rf " .. folder)
  end)

  it("writes a program's flags into astar.pc, for shared and static libraries", function()
    local static_linked = folder .. "/opt/astar/lib/libastar.a"
    succeed(("cc -o %s/shared examples/hello.c $(%s --cflags --libs astar)"):format(folder, pkg_config))
    succeed(("cc -o %s/static examples/hello.c $(%s --cflags astar) %s $(%s --static --libs astar | sed s/-lastar//)")
      :format(folder, pkg_config, static_linked, pkg_config))
    local first_line, in_path = "^18 cells, cost 19%.899\n", ("LD_LIBRARY_PATH=%s/opt/astar/lib "):format(folder)
    assert.matches(first_line, succeed(in_path .. folder .. "/shared"))
    assert.matches(first_line, succeed(folder .. "/static"))
    assert.matches("libastar%.so%.%d+%.%d+ ", succeed(in_path .. "ldd " .. folder .. "/shared"))
    assert.is_nil(succeed(("ldd %s/static"):format(folder)):find "astar")
  end)

  it("installs a library with the version of astar.h", function()
    local version = read "src/astar.h":match 'ASTAR_VERSION "([^"]*)"'
    assert.equal(version .. "\n", succeed(pkg_config .. " --modversion astar"))
    assert.equal("", succeed(("test -f %s/opt/astar/lib/libastar.so.%s"):format(folder, version:match "[%d.]+")))
  end)

  it("exports the functions that astar.h declares, and nothing else", function()
    local declared, shown = {}, {}
    local header = read(folder .. "/opt/astar/include/astar.h"):gsub("//[^\n]*", "")
    for _, pattern in ipairs { "ASTAR_API [^;(]-(astar_[%w_]+)%(", "ASTAR_API extern [^;(]-(astar_[%w_]+);" } do
      for name in header:gmatch(pattern) do declared[#declared + 1] = name end
    end
    for name in succeed(("nm -D --defined-only %s/opt/astar/lib/libastar.so"):format(folder)):gmatch " %u (%S+)" do
      shown[#shown + 1] = name
    end
    table.sort(declared)
    table.sort(shown)
    assert.is_true(#declared > 100)
    assert.same(declared, shown)
  end)

  it("marks every function of astar.h with ASTAR_API", function()
    local header = "\n" .. read(folder .. "/opt/astar/include/astar.h"):gsub("//[^\n]*", ""):gsub("\\\n", "")
    for line in header:gmatch "\n([^\n]*astar_[%w_]+%([^\n]*)" do
      assert(line:find "^ASTAR_API " or line:find "^#define ", line)
    end
  end)

  it("is removed completely by make uninstall-c", function()
    make "uninstall-c"
    assert.equal("", succeed(("find %s/opt ! -type d"):format(folder)))
    make "install-c"
  end)
end)
