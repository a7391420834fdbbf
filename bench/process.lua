-- process.lua -- counts the bytes of memory of a map and its queries, in a separate process.
--
-- This file is the module that starts the process, and also the program that runs in the process.

local process = { FLOWS = 5 } -- the number of flows of the use "flows"

local USES = {}

local function resident_bytes()
  local file = io.open "/proc/self/statm" -- other systems do not report the memory of a process here
  local pages = file and tonumber(file:read "*l":match "^%d+ (%d+)")
  if file then file:close() end
  return pages and pages * 4096
end

function USES.jumps(grid, support, count)
  support.ask(grid:finder(), support.queries(grid, support.SEED, count))
end

function USES.stepping(grid, support, count)
  USES.jumps(grid, support, count)
  support.ask(grid:finder { algorithm = "astar" }, support.queries(grid, support.SEED, count))
end

-- Returns the flows, so that their memory is counted. Further allocations make the library return the memory in which
-- the flows were computed to the system.
local function keep_flows(grid, support, count)
  local finder, flows, small = grid:finder(), {}, require("astar").grid(1, 1)
  for i, query in ipairs(support.queries(grid, support.SEED, count)) do
    flows[i] = finder:flow(query.gx, query.gy, { steps_only = true })
    flows[i]:complete()
  end
  for _ = 1, 100 do
    collectgarbage()
    for _ = 1, 100 do support.copy_of(small) end
  end
  return flows
end

function USES.flow(grid, support) return keep_flows(grid, support, 1) end

function USES.flows(grid, support) return keep_flows(grid, support, process.FLOWS) end

-- Prints the number of bytes by which the process grew while it loaded the map in the file and used it.
local function count_bytes(use, name, count)
  local astar, support = require "astar", require "bench.support"
  local file = assert(io.open(name, "rb"))
  support.ask(astar.grid(8, 8):finder(), { { sx = 1, sy = 1, gx = 8, gy = 8 } })
  collectgarbage()
  local before = resident_bytes()
  local grid = astar.load(file:read "*a")
  file:close()
  local kept = USES[use](grid, support, count)
  collectgarbage()
  collectgarbage()
  print(before and resident_bytes() - before or "unknown", kept ~= nil)
end

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

local function interpreter()
  local first = 0
  while arg[first - 1] do first = first - 1 end
  return os.getenv "ASTAR_LUA" or arg[first]
end

-- Returns the bytes of a grid after one of USES, or nil if the system does not report the memory of a process.
function process.bytes_of(grid, use, count)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(grid:dump())
  file:close()
  local paths = ("package.path = %q package.cpath = %q"):format(package.path, package.cpath)
  local pipe = io.popen(("%s -e %s bench/process.lua %s %s %d"):format(interpreter(), quoted(paths), use,
    quoted(name), count))
  local bytes = pipe:read "*n"
  pipe:close()
  os.remove(name)
  return bytes
end

if arg and arg[0] == "bench/process.lua" then
  count_bytes(arg[1], arg[2], tonumber(arg[3]))
end

return process
