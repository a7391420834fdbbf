-- plans.lua -- plans for crowds: how long the first one takes, and how much better more work makes it.
--
-- "r" is the sum of costs over the least there could be, had each unit the map to itself.

local astar = require "astar"
local support = require "bench.support"
local random = require "spec.support.random"

local PLAN_COLUMNS = {
  { "scene", "%-26s" }, { "units", "%6d" }, { "status", "%11s" }, { "ms first", "%9.1f" }, { "r first", "%8.2f" },
  { "ms", "%9.1f" }, { "r", "%6.2f" }, { "beats", "%6d" }, { "MB", "%6.1f" },
}

local function rooms(side, dice)
  local grid = astar.grid(side, side)
  for at = 5, side, 5 do
    grid:block(at, 1, 1, side)
    grid:block(1, at, side, 1)
  end
  for at = 5, side, 5 do
    for other = 1, side, 5 do
      local last = math.min(other + 3, side)
      grid:unblock(at, dice:int(other, last))
      grid:unblock(dice:int(other, last), at)
    end
  end
  return grid
end

-- Maps as those of the field's benchmarks, and which share of their cells is taken.
local PLANS = {
  { "a tenth walls, 43 % full", function(side, dice) return astar.grid(dice:scatter(side, side, 0.1)) end, 0.43 },
  { "a tenth walls, 92 % full", function(side, dice) return astar.grid(dice:scatter(side, side, 0.1)) end, 0.92 },
  { "a fifth walls, 70 % full", function(side, dice) return astar.grid(dice:scatter(side, side, 0.2)) end, 0.7 },
  { "rooms of 4 x 4, half full", rooms, 0.5 },
}

local function shuffled(dice, list)
  local copy = {}
  for i, item in ipairs(list) do copy[i] = item end
  for i = #copy, 2, -1 do
    local j = dice:int(1, i)
    copy[i], copy[j] = copy[j], copy[i]
  end
  return copy
end

-- The cells of the largest part that hangs together.
local function largest_part(grid, side)
  local finder, seen, largest = grid:finder { diagonals = "never" }, {}, {}
  for y = 1, side do
    for x = 1, side do
      if grid:is_walkable(x, y) and not seen[y * side + x] then
        local part = {}
        for cell_x, cell_y in finder:reach(x, y, 1e6):cells() do
          seen[cell_y * side + cell_x] = true
          part[#part + 1] = { cell_x, cell_y }
        end
        if #part > #largest then largest = part end
      end
    end
  end
  return largest, finder
end

local function resolve(side, scene)
  local dice = random.new(3)
  local grid = scene[2](side, dice)
  local cells, finder = largest_part(grid, side)
  local starts, goals, crowd, alone = shuffled(dice, cells), shuffled(dice, cells), astar.crowd(finder), 0
  local count = math.floor(#cells * scene[3])
  for i = 1, count do
    crowd:add(starts[i][1], starts[i][2]):go(goals[i][1], goals[i][2])
    alone = alone + #finder:find_path(starts[i][1], starts[i][2], goals[i][1], goals[i][2]) - 1
  end
  local begun = os.clock()
  local job = crowd:resolving()
  local first, cost, most = nil, nil, 0
  while job:step(2000) == "running" do
    most = math.max(most, job.bytes)
    if not first and job.cost then first, cost = os.clock() - begun, job.cost end
  end
  local last = os.clock() - begun
  return { scene[1], count, job.status, (first or last) * 1000, (cost or job.cost or 0) / alone, last * 1000,
    (job.cost or 0) / alone, job.beats or 0, most / 1e6 }
end

return function(report, plan)
  report:title "plans for crowds: the first one, and the better one after the work that goes into it by default"
  report:section("resolve", PLAN_COLUMNS)
  for _, scene in ipairs(PLANS) do
    support.tell(scene[1])
    report:row(resolve(math.min(32, plan.side), scene))
  end
end
