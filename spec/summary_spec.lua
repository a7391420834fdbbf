-- What a run of the specs prints: spec/support/summary.lua.

local process = require "spec.support.process"

describe("a run of the specs", function()
  local function write(name, text)
    local file = assert(io.open(name, "wb"))
    file:write(text)
    file:close()
  end

  local function run(command)
    local pipe = assert(io.popen("{ " .. command .. "; } 2>&1; echo status $?"))
    local output = pipe:read "*a"
    pipe:close()
    return output:match "^(.*)status (%d+)\n$"
  end

  -- What busted prints of these specs, { [name] = text }.
  local function run_specs(files, flags)
    local folder = run "mktemp -d":match "%S+"
    write(folder .. "/busted.lua", 'require("busted.runner")({ standalone = false })\n')
    for name, text in pairs(files) do
      write(folder .. "/" .. name, text)
    end
    local output, status = run(("%s %s/busted.lua -o spec/support/summary.lua %s %s"):format(os.getenv "ASTAR_LUA",
      folder, flags or "", folder))
    os.execute("rm -rf " .. folder)
    return output:gsub(folder:gsub("%p", "%%%0"), "spec"), tonumber(status)
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
    it("is told of", function() pending "a sanitizer adds lines of its own" end)
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

  it("has a line a file with its count and time, and closes with the sum", function()
    local output, status = run_specs { ["a_spec.lua"] = GOOD, ["b_spec.lua"] = GOOD }
    assert.equal(0, status)
    assert.matches("^%[1/2%] spec/a_spec%.lua +%d+%.%d s  2 passed\n%[2/2%] spec/b_spec%.lua +%d+%.%d s  2 passed\n"
      .. "\n%d+%.%d s in all\n\n4 passed, 0 failed, 0 skipped\n$", output)
  end)

  it("says of each file which of how many it is, those that hold nothing of what is asked for counted", function()
    local files = {}
    for i = 1, 11 do files[("a%02d_spec.lua"):format(i)] = i % 5 == 0 and GOOD or "describe('x', function() end)" end
    local output, status = run_specs(files)
    assert.equal(0, status)
    assert.matches("^%[ 5/11%] spec/a05_spec[^\n]*\n%[10/11%] spec/a10_spec[^\n]*\n\n", output)
  end)

  it("shows what failed under its file, and lists it at the end", function()
    local output, status = run_specs { ["a_spec.lua"] = GOOD, ["b_spec.lua"] = BAD, ["c_spec.lua"] = GOOD }
    assert.equal(1, status)
    assert_shows({
      "a_spec", "b_spec%.lua +%d+%.%d s  1 passed, 2 FAILED, 1 skipped\n",
      "  skipped: division waits: needs a friend\n",
      "FAILED division is exact\n    at spec/b_spec%.lua:2\n", "Expected objects to be equal", "Passed in:",
      "FAILED division raises\n    at spec/b_spec%.lua:3\n    spec/b_spec%.lua:3: no\n    idea\n",
      "c_spec%.lua", "in all\nFAILED spec/b_spec%.lua:2: division is exact\n",
      "^FAILED spec/b_spec%.lua:3: division raises\n",
      "\n5 passed, 2 failed, 1 skipped\n$",
    }, output)
  end)

  it("counts files that cannot be loaded, and hooks that raise", function()
    local output, status = run_specs { ["a_spec.lua"] = "it(", ["b_spec.lua"] = GOOD }
    assert.equal(1, status)
    assert_shows({
      "FAILED spec/a_spec%.lua\n    spec/a_spec%.lua:1: ", "b_spec", "\nFAILED spec/a_spec%.lua\n",
      "2 passed, 1 failed, 0 skipped\n$",
    }, output)
    output, status = run_specs { ["a_spec.lua"] = "setup(function() error 'no setup' end) " .. GOOD }
    assert.equal(1, status)
    assert_shows({ "no setup", "%d passed, [1-9]%d* failed" }, output)
  end)

  it("says that there is no such file", function()
    local output, status = run_specs({}, "no_such_spec.lua")
    assert.equal(1, status)
    assert_shows({ "  FAILED Cannot find file or directory: no_such_spec%.lua\n", "all\nFAILED Cannot" }, output)
  end)

  it("fails where no test ran, and leaves out files of which none did", function()
    local files = { ["a_spec.lua"] = GOOD, ["b_spec.lua"] = BAD }
    local output, status = run_specs(files, "--filter=nothing")
    assert.equal(1, status)
    assert_shows({ "No test ran", "0 passed, 1 failed, 0 skipped\n$" }, output)
    assert.is_nil(output:find "_spec")
    output, status = run_specs(files, "--filter=addition")
    assert.equal(0, status)
    assert.is_nil(output:find "b_spec")
  end)
end)
