-- The core without Lua: the programs of spec/unit and spec/c and the C examples, through `make core-test`.

local full = require "spec.support.full"
local process = require "spec.support.process"

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local output = pipe:read "*a"
  pipe:close()
  return output
end

local function has_compiler()
  return run [[echo 'int main(void) { return 0; }' | ${CC:-cc} -fsyntax-only -x c - && echo fine]]:find "fine" ~= nil
end

-- Which Lua runs this spec does not matter, so only one does; sanitizers have a run of their own. ASTAR_CORE_APART=1,
-- for what runs beside make sanitized-core, leaves out what that runs.
local missing = not (_VERSION == "Lua 5.4" and not os.getenv "UBSAN_OPTIONS") and "once only: with make test LUA=5.4"
  or not has_compiler() and "no C compiler: set CC"
local programs_missing = missing or os.getenv "ASTAR_CORE_APART" and "apart: make sanitized-core"

describe("the C core", function()
  local function unless(reason)
    return not reason and it or function(name) pending(name .. " (" .. reason .. ")") end
  end
  local it_compiles = unless(missing)

  -- Two of them, so that make test builds no more.
  unless(programs_missing)("passes some of its own programs", function()
    local SOME = "core-test C_PROGRAMS='build/core/bin/cells build/core/bin/graph' REPLAYS="
    local output, status = process.make(SOME)
    assert.equal(0, status, output)
    assert.matches("2 passed, 0 failed, 0 skipped\n$", output)
  end)

  full.only(unless(programs_missing))("passes its own programs", function()
    process.make "core-programs" -- which core-test then finds built
    local output = run "make -s core-test SANITIZE="
    local passed, failed = output:match "(%d+) passed, (%d+) failed, 0 skipped\n$"
    assert.is_truthy(passed, output)
    assert.equal("0", failed, output)

    local programs = 4 -- those which replay what fuzzers found
    for _ in run("ls spec/unit/*.c spec/c/*.c examples/*.c"):gmatch "%S+" do
      programs = programs + 1
    end
    assert.equal(programs, tonumber(passed), output)
    for checks, failures in output:gmatch "(%d+) checks, (%d+) failures" do
      assert.equal("0", failures, output)
      assert.is_true(tonumber(checks) > 0, output)
    end
  end)

  it_compiles("refuses to be compiled with floats that are not as written", function()
    local compile = "{ ${CC:-cc} -std=c11 -Isrc -fsyntax-only %s src/finder/finder.c && echo compiled; }"
    for _, flag in ipairs { "-Ofast", "-ffast-math", "-ffinite-math-only" } do
      local output = run(compile:format(flag))
      assert.matches("build without them", output)
      assert.is_nil(output:find "compiled\n$")
    end
    for _, flags in ipairs { "-fassociative-math -fno-signed-zeros -fno-trapping-math", "-freciprocal-math" } do
      -- Alone the former does nothing in gcc, which warns; clang, whose pragma takes it back, tells nothing.
      local macros = run("${CC:-cc} " .. flags .. " -dM -E -x c /dev/null")
      local is_told = macros:find "__ASSOCIATIVE_MATH__" or macros:find "__RECIPROCAL_MATH__"
      assert.equal(is_told == nil, run(compile:format(flags)):find "compiled\n$" ~= nil, flags)
    end
    assert.matches("compiled\n$", run(compile:format "-O3"))
  end)

  -- A function takes a cell where a parameter of its prototype is one, or holds some.
  it("refuses cells outside the grid in every function that takes a cell", function()
    local function read(path)
      local file = assert(io.open(path))
      local text = file:read "*a"
      file:close()
      return text
    end
    local header = run "cat src/astar.h src/astar/*.h":gsub("//[^\n]*", "")
    local program, count = read "spec/c/cells.c", 0
    for name, parameters in header:gmatch "\nASTAR_API [%w ]+[ *]+(astar_[%w_]+)(%b());" do
      local takes_cell = parameters:find "%f[%w]int [sx]?x0?%f[%W]" or parameters:find "AstarCell %*"
        or parameters:find "AstarFlowGoal %*" or parameters:find "const AstarPath %*.*AstarFinder"
      if takes_cell then
        count = count + 1
        assert.is_truthy(program:find(name .. "(", 1, true), name)
      end
    end
    assert.is_true(count >= 34, count .. " functions")
  end)

  it_compiles("fails its programs' build on a warning, with WERROR=1", function()
    assert.matches("%-Werror", run "make -n -B core-test WERROR=1 | grep -m 1 Werror")
  end)
end)
