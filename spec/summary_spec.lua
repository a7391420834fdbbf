-- What a run of the specs prints: tools/specs.sh with spec/support/summary.lua.

local process = require "spec.support.process"

local shell = process.shell

describe("a run of the specs", function()
  local function write(name, text)
    local file = assert(io.open(name, "wb"))
    file:write(text)
    file:close()
  end

  local folder

  before_each(function() folder = shell "mktemp -d":match "%S+" end)
  after_each(function() shell("rm -rf " .. folder) end)

  -- What is printed of these specs, { [name] = text }, and the exit status. The folder's name is "spec" in it.
  local function run_specs(files, flags, order, jobs)
    write(folder .. "/busted.lua", 'require("busted.runner")({ standalone = false })\n')
    local names = {}
    for name, text in pairs(files) do
      names[#names + 1] = folder .. "/" .. name
      write(folder .. "/" .. name, text)
    end
    table.sort(names)
    local output, status = shell(("RUN='%s %s/busted.lua %s' sh tools/specs.sh %s/out %d %s"):format(
      process.interpreter(), folder, flags or "", folder, jobs or 1, order or table.concat(names, " ")))
    return output:gsub(folder:gsub("%p", "%%%0"), "spec"), status
  end

  local function assert_shows(patterns, output)
    local position = 1
    for _, pattern in ipairs(patterns) do
      local _, stop = output:find(pattern, position)
      assert(stop, ("expected %q after character %d of:\n%s"):format(pattern, position, output))
      position = stop + 1
    end
  end

  if process.is_sanitized then
    it("needs a build without sanitizers", function() pending "a sanitizer adds lines of its own" end)
    return
  end

  local GOOD = [[
    describe("addition", function()
      it("is commutative", function() assert.equal(3, 1 + 2) end)
      it("has a zero", function() end)
    end)
  ]]
  local BAD = [[
    describe("division", function()
      it("is exact", function() assert.equal(1, 2) end)
      it("raises", function() error "no\nidea" end)
      it("waits", function() pending "needs a friend" end)
      it("works", function() end)
    end)
  ]]

  it("prints a line per file with its number of tests and its time, and ends with the sum", function()
    local output, status = run_specs { ["a_spec.lua"] = GOOD, ["b_spec.lua"] = GOOD }
    assert.equal(0, status)
    assert.matches("^%[1/2%] spec/%w_spec%.lua +%d+%.%d s  2 passed\n%[2/2%] spec/%w_spec%.lua +%d+%.%d s  2 passed\n"
      .. "\n%d+ s in all\n\n4 passed, 0 failed, 0 skipped\n$", output)
  end)

  it("reports each file, also files without a selected test", function()
    local files = {}
    for i = 1, 10 do files[("a%02d_spec.lua"):format(i)] = i % 5 == 0 and GOOD or "describe('x', function() end)" end
    local output, status = run_specs(files, "", nil, 2)
    assert.equal(0, status)
    local _, lines = output:gsub("%[[ 1]%d/10%] spec/a[01][05]_spec[^\n]*\n", "")
    assert.equal(2, lines)
  end)

  it("shows failures under their file, and lists them at the end", function()
    local output, status = run_specs { ["a_spec.lua"] = GOOD, ["b_spec.lua"] = BAD, ["c_spec.lua"] = GOOD }
    assert.equal(1, status)
    assert_shows({
      "b_spec%.lua +%d+%.%d s  1 passed, 2 FAILED, 1 skipped\n",
      "\n  FAILED division is exact\n    at spec/b_spec%.lua:2\n", "Expected objects to be equal", "Passed in:",
      "\n  FAILED division raises\n    at spec/b_spec%.lua:3\n    spec/b_spec%.lua:3: no\n    idea\n",
      "  skipped: division waits: needs a friend\n",
      "in all\nFAILED spec/b_spec%.lua:2: division is exact\n", "^FAILED spec/b_spec%.lua:3: division raises\n",
      "\n5 passed, 2 failed, 1 skipped\n$",
    }, output)
  end)

  it("shows 20 lines of a failure, the seed, and the file that holds the rest", function()
    local LONG = [[
      it("fails at length", function()
        require("spec.support.random").new(17)
        error(("a line\n"):rep(300) .. "the end", 0)
      end)
      it("fails without random numbers", function() error("no seed", 0) end)
    ]]
    local output, status = run_specs { ["long_spec.lua"] = LONG }
    assert.equal(1, status)
    local shown, rest = output:match "\n  (FAILED fails at length\n.-)    (%.%.%. and [^\n]+)\n"
    assert.equal(20, select(2, shown:gsub("\n", "")))
    assert.matches("^%.%.%. and 283 more lines: spec/out/[%w_.]*long_spec%.log$", rest)
    assert_shows({ "more lines: [^\n]+\n    seed 17\n",
      "FAILED fails without random numbers\n[^\n]+\n[^\n]+ no seed\n\n" }, output)
    assert.is_nil(output:find "the end")
    assert.matches("the end", (shell(("cat %s/out/*long_spec.log"):format(folder))))
  end)

  it("counts a process that dies during or after its tests as a failure, and names the test", function()
    local output, status = run_specs {
      ["a_spec.lua"] = GOOD,
      ["b_spec.lua"] = "it('works', function() end) it('ends it all', function() os.exit(3) end)",
      ["c_spec.lua"] = "it('works', function() end) teardown(function() "
        .. "require('busted').subscribe({ 'exit' }, function() os.exit(4) end) end)",
    }
    assert.equal(1, status)
    assert_shows({ "b_spec%.lua", "FAILED the process ended with status 3; the end of [^\n]+_b_spec%.log:\n",
      "\n      ends it all\n" }, output)
    assert_shows({ "c_spec%.lua[^\n]+1 passed, 1 FAILED\n", "FAILED the process ended with status 4" }, output)
    assert_shows({ "in all\nFAILED spec/b_spec%.lua: the process ended with status 3\n",
      "\n3 passed, 2 failed, 0 skipped\n$" }, output)
  end)

  it("counts files that cannot be loaded, and hooks that raise", function()
    local output, status = run_specs { ["a_spec.lua"] = "it(", ["b_spec.lua"] = GOOD }
    assert.equal(1, status)
    assert_shows({ "FAILED [^\n]*spec/a_spec%.lua\n    spec/a_spec%.lua:1: ", "\nFAILED [^\n]*spec/a_spec%.lua\n",
      "2 passed, 1 failed, 0 skipped\n$" }, output)
    output, status = run_specs { ["a_spec.lua"] = "setup(function() error 'no setup' end) " .. GOOD }
    assert.equal(1, status)
    assert_shows({ "no setup", "%d passed, [1-9]%d* failed" }, output)
  end)

  it("reports a file that does not exist", function()
    local output, status = run_specs({}, "", "no_such_spec.lua")
    assert.equal(1, status)
    assert_shows({ "  FAILED Cannot find file or directory: no_such_spec%.lua\n", "all\nFAILED Cannot" }, output)
  end)

  it("fails if no test ran, and omits files without tests", function()
    local files = { ["a_spec.lua"] = GOOD, ["b_spec.lua"] = BAD }
    local output, status = run_specs(files, "--filter=nothing")
    assert.equal(1, status)
    assert_shows({ "No test ran", "0 passed, 1 failed, 0 skipped\n$" }, output)
    assert.is_nil(output:find "_spec")
    output, status = run_specs(files, "--filter=addition")
    assert.equal(0, status)
    assert.is_nil(output:find "b_spec")
  end)

  it("runs the files of a folder side by side, and starts with those that took longest in the last run", function()
    local files = { ["other.lua"] = "error 'no spec'", ["a_spec.lua"] = GOOD, ["c_spec.lua"] = GOOD }
    files["b_spec.lua"] = "it('waits', function() os.execute 'sleep 3' end)"
    local output, status = run_specs(files, "", folder, 3)
    assert.equal(0, status)
    assert_shows({ "a_spec", "b_spec", "\n5 passed, 0 failed, 0 skipped\n$" }, output) -- it began before a_spec ended
    output = run_specs(files, "", folder, 1)
    assert_shows({ "1/3%] spec/b_spec" }, output)
  end)
end)
