-- The same routes on every Lua. .ci/run compares compilers by the same script.

local full = require "spec.support.full"
local lfs = require "lfs" -- busted stands on it
local process = require "spec.support.process"

-- Lua 5.4 is compared with all others, another with that one; so is what runs under sanitizers.
local OTHERS = { ["lua5.4"] = "build/5.4" }
if _VERSION == "Lua 5.4" and not process.is_sanitized then
  OTHERS = {
    ["lua5.1"] = "build/5.1", ["lua5.2"] = "build/5.2", ["lua5.3"] = "build/5.3",
    ["lua5.4"] = "build/5.4", ["lua5.5"] = "build/5.5", ["luajit"] = "build/luajit",
  }
end

-- A source below a folder that was changed after 'built', nil when there is none.
local function newer_source(folder, built)
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name:find "^%a+$" then
      local newer = newer_source(path, built)
      if newer then return newer end
    elseif name:find "%.[ch]$" and lfs.attributes(path, "modification") > built then
      return path
    end
  end
  return nil
end

-- What keeps the module in a build folder from being compared, nil when nothing does.
local function obstacle(build)
  local module = build .. "/astar/core.so"
  local built = lfs.attributes(module, "modification")
  if not built then return module .. " is not built" end
  local newer = newer_source("src", built)
  return newer and module .. " is older than " .. newer
end

for script, least in pairs { route_hash = 10000, graph_hash = 4000, crowd_hash = 2000 } do
  local counted = script == "crowd_hash" and "beats" or "paths"
  local define = script == "crowd_hash" and full.only(describe) or describe -- it takes most of the time
  define("the hash over thousands of routes, " .. script, function()
    local routes = require("spec.support." .. script)
    local hash, count, hex_hash, hex_count = routes.compute()
    local expected = ("hash %d over %d %s"):format(hash, count, counted)
    if hex_hash then expected = ("%s, of hexagons %d over %d"):format(expected, hex_hash, hex_count) end

    it("covers at least " .. least .. " routes", function()
      assert.is_true(count >= least and (hex_count or 1000) >= 1000)
    end)

    if not process.is_sanitized then -- where it takes its time, and another process asks again anyway
      it("gives the same results at the second run", function()
        assert.equal(hash, (routes.compute()))
      end)
    end

    for interpreter, build in pairs(OTHERS) do
      it("gives the same results on the interpreter " .. interpreter, function()
        local reason = obstacle(build)
        if reason then
          pending(reason)
          return
        end
        local command = interpreter .. " spec/support/" .. script .. ".lua " .. build .. " 2>&1"
        local output = process.shell(command)
        if output:find "not found" and not output:find "hash" then
          pending(interpreter .. " is not installed")
          return
        end
        assert.equal(expected, (output:gsub("%s+$", "")))
      end)
    end
  end)
end
