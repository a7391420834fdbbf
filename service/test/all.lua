-- all.lua -- all tests of the service, on real etcds and haproxies: lua5.3 test/all.lua [FAULTS [SEED]]. Ends with
-- "N passed, N failed, N skipped".

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local programs = require "programs"

local LUA = os.getenv "ASTAR_TEST_LUA" or "lua5.3"
local FAULTS, SEED = arg[1] or "30", arg[2] or tostring(os.time())

-- Those that count what holds themselves, and those of which each run is one.
local TESTS = {
  { "setup.lua" }, { "edits.lua", "50000", SEED }, { "planted_history.lua" }, { "planted_server.lua" },
  { "promises.lua" }, { "operator.lua" }, { "page.lua" }, { "durable.lua" },
  { "security.lua", "10000", SEED }, { "fairness.lua", "2" },
  { "chaos.lua", FAULTS, SEED, is_one = true },
}

-- Runs one, shows what it prints; that text, and whether it ended well.
local function run(test)
  local began = os.time()
  local command = programs.command { LUA, HERE .. "/" .. test[1], table.unpack(test, 2) }
  print("==== " .. test[1])
  io.flush()
  local pipe = io.popen(command .. " 2>&1; echo \"status $?\"")
  local lines = {}
  for line in pipe:lines() do
    lines[#lines + 1] = line
    if not line:find "^status %d+$" and not line:find "^%d+ passed, %d+ failed, %d+ skipped$" then print(line) end
    io.flush()
  end
  pipe:close()
  print(("     %d s"):format(os.time() - began))
  return table.concat(lines, "\n"), lines[#lines] == "status 0"
end

local passed, failed, skipped = 0, 0, 0
for _, test in ipairs(TESTS) do
  local text, is_good = run(test)
  local good, bad, left = text:match "(%d+) passed, (%d+) failed, (%d+) skipped"
  if test.is_one or not good then good, bad, left = is_good and 1 or 0, is_good and 0 or 1, 0 end
  if not is_good and tonumber(bad) == 0 then bad = 1 end
  passed, failed, skipped = passed + tonumber(good), failed + tonumber(bad), skipped + tonumber(left)
end
print(("%d passed, %d failed, %d skipped"):format(passed, failed, skipped))
os.exit(failed == 0 and passed > 0 and 0 or 1)
