-- frames.lua -- target 3: no update of a queue takes a millisecond more than its budget, the first one and those
-- after edits included. The section frames plays more kinds of units and longer.

local astar = require "astar"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED = support.SEED
local BUDGET = 2

local clock = os.clock

-- The longest update over what its budget allows, in milliseconds: of the first, the one after a large
-- edit, and of all.
local function longest_over(rows, frames)
  local grid = astar.grid(rows, { terrain = { ["."] = 1, ["#"] = false, s = 3 } })
  local r, queue = random.new(SEED), astar.queue()
  local width, height = grid:size()
  local finder, first, after, longest, late = grid:finder(), 0, 0, 0, 0
  collectgarbage()
  for frame = 1, frames do
    local is_large = frame % 40 == 0
    local side = is_large and math.min(64, width) or 1
    local x, y = r:int(1, width - side + 1), r:int(1, height - side + 1)
    local edit = frame % 2 == 0 and frame % 80 ~= 0 and grid.block or grid.unblock
    edit(grid, x, y, side, side)
    while queue:count() < 20 do
      queue:request(finder, r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height))
    end
    local before = clock()
    queue:update { ms = BUDGET }
    local over = (clock() - before) * 1e3 - BUDGET
    if frame == 1 then first = over end
    if is_large then after = math.max(after, over) end
    longest, late = math.max(longest, over), late + (over > 1 and 1 or 0)
  end
  return first, after, longest, late
end

local GROUNDS = {
  { "one cost", function(rows) return rows end },
  { "weighted", function(rows)
    local r = random.new(SEED)
    for y, row in ipairs(rows) do rows[y] = row:gsub("%.", function(c) return r:chance(0.1) and "s" or c end) end
    return rows
  end },
}

local function measure_grounds(aims, plan, frames)
  for _, ground in ipairs(GROUNDS) do
    support.progress("targets: frames, " .. ground[1])
    local rows = ground[2](maps.kind("caves").make(SEED, plan.side, plan.side))
    local first, after, longest, late = longest_over(rows, frames)
    aims:most("3 frames, " .. ground[1] .. ": first update, beyond its budget, ms", 1, first)
    aims:most("3 frames, " .. ground[1] .. ": after an edit of 64 x 64 cells, ms", 1, after)
    aims:most("3 frames, " .. ground[1] .. ": longest, ms", 1, longest)
    aims:most("3 frames, " .. ground[1] .. (": longer than 1 ms, of %d"):format(frames), 0, late)
  end
end

return function(aims, plan, options)
  support.collecting_evenly(function()
    measure_grounds(aims, plan, options.quick and 20 or options.count)
  end)
end
