-- The same routes on every Lua. .ci/run compares compilers by the same script.

local route_hash = require "spec.support.route_hash"

local OTHERS = {
  ["lua5.1"] = "build/5.1", ["lua5.2"] = "build/5.2", ["lua5.3"] = "build/5.3",
  ["lua5.4"] = "build/5.4", ["luajit"] = "build/luajit",
}

local function exists(file_name)
  local file = io.open(file_name, "rb")
  if file then file:close() end
  return file ~= nil
end

describe("the hash over thousands of routes", function()
  local hash, count = route_hash.compute()
  local expected = ("hash %d over %d paths"):format(hash, count)

  it("is over 2000 routes and more", function()
    assert.is_true(count >= 2000)
  end)

  it("is the same when they are asked for again", function()
    assert.equal(hash, (route_hash.compute()))
  end)

  for interpreter, build in pairs(OTHERS) do
    it("is the same by " .. interpreter, function()
      if not exists(build .. "/astar/core.so") then
        pending(build .. "/astar/core.so is not built")
        return
      end
      local command = interpreter .. " spec/support/route_hash.lua " .. build .. " 2>&1"
      local process = assert(io.popen(command))
      local output = process:read "*a"
      process:close()
      if output:find "not found" and not output:find "hash" then
        pending(interpreter .. " is not installed")
        return
      end
      assert.equal(expected, (output:gsub("%s+$", "")), build .. " differs; if it is old, build it again")
    end)
  end
end)
