-- process.lua -- runs Lua code that may require astar in a process of its own.

local process = {}

-- The Lua that runs this.
function process.interpreter()
  local lua = os.getenv "ASTAR_LUA"
  if lua then return lua end
  local first = 0
  while arg[first - 1] do first = first - 1 end
  return arg[first]
end

-- What a shell's commands print, and their exit status.
function process.shell(commands)
  local pipe = assert(io.popen("{ " .. commands .. "; } 2>&1; echo status $?"))
  local output, status = pipe:read("*a"):match "^(.*)status (%d+)%s*$"
  pipe:close()
  return output, tonumber(status)
end

-- Has make build files under build/ as without sanitizers: what it printed, and its status. Files of specs run side by
-- side, so they take turns here, where the system has a command for that: two makes at once would write the same files.
function process.make(arguments)
  local lock = process.shell "command -v flock":match "%S" and "mkdir -p build && flock build/lock " or ""
  return process.shell(lock .. "env -u LD_PRELOAD make -s SANITIZE= " .. arguments)
end

-- The compiler for what is only looked at: of those there are, that which takes half as long unoptimised.
function process.quick_compiler()
  return process.shell "command -v clang || command -v cc":match "%S*"
end

-- Whether a sanitizer's runtime is in every process; it needs more memory than a limit would leave.
process.is_sanitized = (os.getenv "LD_PRELOAD" or ""):find "san" ~= nil

-- What the code prints and its exit status, by an interpreter started after the shell's commands in
-- 'before', such as a limit.
function process.run_alone(code, before)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(code)
  file:close()
  local output, status = process.shell(("%s; %s %s"):format(before or ":", process.interpreter(), name))
  os.remove(name)
  return output, status
end

-- The same where `astar` is the module.
function process.run(code, before)
  local prelude = "package.path = %q package.cpath = %q local astar = require 'astar' "
  return process.run_alone(prelude:format(package.path, package.cpath) .. code, before)
end

return process
