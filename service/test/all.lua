-- all.lua -- all tests of the service on the real engine: tarantool test/all.lua [FAULTS]. Ends with "N passed, N
-- failed, N skipped".

local fio = require "fio"

local HERE = fio.dirname(fio.abspath(arg[0]))
local ENGINE = fio.readlink "/proc/self/exe"

-- Runs a program of this folder; what it printed, and whether it ended well.
local function run(name, ...)
  local command = { ENGINE, fio.pathjoin(HERE, name), ... }
  local pipe = io.popen("'" .. table.concat(command, "' '") .. "' 2>&1; echo \"status $?\"")
  local lines = {}
  for line in pipe:lines() do
    lines[#lines + 1] = line
    if not line:find "^status" then print(line) end
    io.flush()
  end
  pipe:close()
  return table.concat(lines, "\n"), lines[#lines] == "status 0"
end

local text, ok = run "promises.lua"
local passed, failed = text:match "(%d+) passed, (%d+) failed"
passed, failed = tonumber(passed or 0), tonumber(failed or 1)
if not ok and failed == 0 then failed = 1 end
local _, survived = run("chaos.lua", arg[1] or "25", tostring(os.time()))
if survived then passed = passed + 1 else failed = failed + 1 end
print(("%d passed, %d failed, 0 skipped"):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
