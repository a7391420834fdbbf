-- process.lua -- runs Lua code that may require astar in a process of its own.

local process = {}

function process.interpreter()
  local lua = os.getenv "ASTAR_LUA"
  if lua then return lua end
  local first = 0
  while arg[first - 1] do first = first - 1 end
  return arg[first]
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
  local command = ("{ %s; %s %s; } 2>&1; echo status $?"):format(before or ":", process.interpreter(), name)
  local pipe = assert(io.popen(command))
  local output, status = pipe:read("*a"):match "^(.*)status (%d+)%s*$"
  pipe:close()
  os.remove(name)
  return output, tonumber(status)
end

-- The same where `astar` is the module.
function process.run(code, before)
  local prelude = "package.path = %q package.cpath = %q local astar = require 'astar' "
  return process.run_alone(prelude:format(package.path, package.cpath) .. code, before)
end

return process
