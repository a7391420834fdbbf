-- plans.lua -- times plans for crowds: the first plan that is found, and the improved plan at the end of the job.
--
-- The columns "ratio" are the sum of the costs of a plan divided by the sum that each unit alone on the map would need.

local astar = require "astar"
local support = require "bench.support"
local random = require "spec.support.random"

local PLAN_COLUMNS = {
  { "scene", "%-30s" }, { "units", "%6d" }, { "status", "%11s" }, { "first ms", "%9.1f" },
  { "first ratio", "%12.2f" }, { "end ms", "%9.1f" }, { "end ratio", "%10.2f" }, { "beats", "%6d" }, { "MB", "%6.1f" },
}

-- Returns a grid of rooms of 4 x 4 cells, with a random door in each wall between two rooms.
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

-- Scenes like those of benchmarks for multi-agent path finding: name, map, share of the free cells with a unit.
local PLANS = {
  { "10 % walls, units on 43 %", function(side, dice) return astar.grid(dice:scatter(side, side, 0.1)) end, 0.43 },
  { "10 % walls, units on 92 %", function(side, dice) return astar.grid(dice:scatter(side, side, 0.1)) end, 0.92 },
  { "20 % walls, units on 70 %", function(side, dice) return astar.grid(dice:scatter(side, side, 0.2)) end, 0.7 },
  { "rooms of 4 x 4, units on 50 %", rooms, 0.5 },
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

-- Returns the cells of the largest connected component, and a finder with four moves.
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
  local started = os.clock()
  local job = crowd:resolving()
  local first, cost, most = nil, nil, 0
  while job:step(2000) == "running" do
    most = math.max(most, job.bytes)
    if not first and job.cost then first, cost = os.clock() - started, job.cost end
  end
  local last = os.clock() - started
  return { scene[1], count, job.status, (first or last) * 1000, (cost or job.cost or 0) / alone, last * 1000,
    (job.cost or 0) / alone, job.beats or 0, most / 1e6 }
end

return function(report, plan)
  report:title [[
plans: plans for crowds by crowd:resolving(). "first": the first plan that is found. "end": the improved plan at the end
of the job. "ratio": cost of the plan divided by the cost that the units would have if each were alone on the map.
"beats": length of the plan. "MB": greatest memory of the job]]
  report:section("resolve", PLAN_COLUMNS)
  for _, scene in ipairs(PLANS) do
    support.message(scene[1])
    report:row(resolve(math.min(32, plan.side), scene))
  end
end
