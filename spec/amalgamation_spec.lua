-- The sources as three files, made by make amalgamation: they compile without a warning, by the call that
-- the README shows, and answer.

local full = require "spec.support.full"
local process = require "spec.support.process"

local function run(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1; echo status $?"))
  local text, status = pipe:read("*a"):match "^(.*)status (%d+)\n$"
  pipe:close()
  return text, tonumber(status)
end

local function read(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

describe("the amalgamation", function()
  if process.is_sanitized then
    it("needs a build without any sanitizer", function() pending "a sanitizer's runtime is in every program" end)
    return
  end

  local folder

  setup(function()
    folder = run "mktemp -d":match "%S+"
    local output, status = run("make -s amalgamation AMALGAMATION=" .. folder)
    assert(status == 0, output)
  end)

  teardown(function()
    run("rm -rf " .. folder)
  end)

  it("contains every source file once, and includes no file except astar.h", function()
    local both = read(folder .. "/astar.c") .. read(folder .. "/astar_lua.c")
    local times = {}
    for name in both:gmatch "\n// %-%- (%S+%.c)\n" do times[name] = (times[name] or 0) + 1 end
    for name in run "cd src && echo */*.c parts/*/*.c":gmatch "%S+" do
      assert.equal(1, times[name], name)
    end
    for name in both:gmatch '\n *# *include "([^"]*)"' do
      assert.equal("astar.h", name)
    end
  end)

  -- ASTAR_CORE_APART=1, for what runs beside make amalgamation-test, leaves out the compiler that makes that.
  for _, compiler in ipairs(os.getenv "ASTAR_CORE_APART" and { "clang" } or { "gcc", "clang" }) do
    full.only(it)("compiles into the module with one call of " .. compiler, function()
      if not run("command -v " .. compiler):find "%S" then
        pending(compiler .. " is not installed")
        return
      end
      local lua = _VERSION:match "%d.%d"
      local headers = run(("LUA=%s sh tools/need.sh headers"):format(rawget(_G, "jit") and "luajit" or lua))
      local call = read "README.md":match "\ncc (%-O2 [^\n]* astar%.c astar_lua%.c %-lm)\n"
      call = call:gsub("%-O2", "-O0"):gsub("%-I%S+", (headers:gsub("%%", "%%%%"):gsub("%s+$", "")))
      local output, status = run(("cd %s && %s -Wall -Wextra -Werror %s"):format(folder, compiler, call))
      assert.equal(0, status, output)
      assert.equal("", output)

      local answer = process.run_alone(([[
        package.path = %q
        local open = assert(package.loadlib(%q, "luaopen_astar_core"))
        package.preload["astar.core"] = open
        print(require("astar").grid("...\n.#.\n..."):find_path(1, 1, 3, 3).cost)
      ]]):format(package.path, folder .. "/core.so"))
      assert.matches("^4%.?0?\n$", answer)
    end)
  end
end)
