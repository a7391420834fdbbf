-- memory.lua -- target 7: the bytes that a map takes after its queries, with the memory of its searches.
--
-- Each measurement counts the memory of a process of its own, because freed memory may be used again.

local astar = require "astar"
local maps = require "bench.maps"
local process = require "bench.process"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED = support.SEED

-- Returns a map's bytes after a kind of use, see bench/process.lua. Returns nil if the system does not report them.
local function measure(grid, use, plan)
  support.progress("targets: memory, " .. use)
  return process.bytes_of(grid, use, plan.sample)
end

local function count_walkable(rows)
  local count = 0
  for _, row in ipairs(rows) do count = count + #row:gsub("#", "") end
  return count
end

local function add_map(aims, side, plan)
  local rows = maps.kind("caves").make(SEED, side, side)
  local grid = astar.grid(rows)
  for _, case in ipairs { { "jumps", 6, "jump point search" }, { "stepping", 12, "A*, too" } } do
    local bytes = measure(grid, case[1], plan)
    if bytes then aims:most(("7 bytes per cell after %s, caves of %d"):format(case[3], side), case[2],
      bytes / side ^ 2) end
  end
  -- The first flow is left out, because it also prepares the map and the memory that all flows share.
  local one, several = measure(grid, "flow", plan), measure(grid, "flows", plan)
  if one then
    aims:most(("9 a flow of steps only, caves of %d: bytes per walkable cell"):format(side), 1,
      math.max(several - one, 0) / (process.FLOWS - 1) / count_walkable(rows))
  end
end

local function small_grid(has_two_costs)
  local grid = astar.grid(8, 8, { terrain = { ["."] = 1, s = 2 }, fill = "." })
  if has_two_costs then
    local r = random.new(SEED)
    for _ = 1, 20 do grid:set(r:int(1, 8), r:int(1, 8), "s") end
  end
  return grid
end

local function add_small(aims)
  for _, ground in ipairs { "one cost", "two costs" } do
    for _, algorithm in ipairs { "auto", "astar" } do
      local grid = small_grid(ground == "two costs")
      local finder = grid:finder { algorithm = algorithm }
      finder:find_path(1, 1, 8, 8)
      local what = ("7 8 x 8 cells of %s, %s: "):format(ground, algorithm)
      aims:most(what .. "KiB with its finder", 4, grid:bytes() / 1024)
      local before = grid:bytes()
      for _ = 1, 100 do finder:find_path(1, 1, 8, 8) end
      aims:most(what .. "bytes that repeated queries add", 0, grid:bytes() - before)
    end
  end
end

return function(aims, plan)
  add_map(aims, math.min(plan.largest, 2 * plan.side), plan)
  add_small(aims)
end
