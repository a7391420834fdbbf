-- The published optimal lengths of real maps, for queries spread evenly over every scenario file.
-- bench/benchmarks.lua answers all of them.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"

-- How many queries of each file an algorithm answers, and how many over all files at least. The
-- files list short routes first: evenly spread is of every length.
local PLANS = {
  { algorithm = "auto", each = 8, total = 200 },
  { algorithm = "astar", each = 8, total = 200 },
  { algorithm = "dijkstra", each = 2, total = 30 },
}

-- 'count' of them, evenly spread; all if there are fewer.
local function spread(scenarios, count)
  local chosen = {}
  count = math.min(count, #scenarios)
  for i = 1, count do
    chosen[i] = scenarios[math.floor((i - 0.5) * #scenarios / count) + 1]
  end
  return chosen
end

-- Those to which the right answer is that there is no path.
local function unreachable(scenarios)
  local found = {}
  for _, scenario in ipairs(scenarios) do
    local moves = scenario.sx ~= scenario.gx or scenario.sy ~= scenario.gy
    if scenario.length == 0 and moves then found[#found + 1] = scenario end
  end
  return found
end

local function read_text(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function assert_right(finder, scenarios)
  for _, scenario in ipairs(scenarios) do
    local path, reason = finder:find_path(scenario.sx, scenario.sy, scenario.gx, scenario.gy)
    local mistake = benchmarks.mistake(scenario, path, reason)
    assert.is_nil(mistake, mistake)
  end
end

describe("benchmarks", function()
  local files = benchmarks.find(benchmarks.folder)

  if #files == 0 then
    pending("needs Moving AI maps (NAME.map, NAME.map.scen) under ASTAR_BENCHMARKS; no maps were found in "
      .. benchmarks.folder)
    return
  end

  for _, file in ipairs(files) do
    describe(file.name, function()
      local grid, scenarios

      setup(function()
        grid = astar.movingai.read_map(file.map)
        scenarios = astar.movingai.read_scenarios(file.scenarios)
      end)

      teardown(function()
        grid, scenarios = nil, nil
        collectgarbage()
      end)

      for _, plan in ipairs(PLANS) do
        it("has routes of the published lengths if searched by " .. plan.algorithm, function()
          local finder = grid:finder { algorithm = plan.algorithm }
          local count = math.max(plan.each, math.ceil(plan.total / #files))
          assert_right(finder, spread(scenarios, count))
          assert_right(finder, spread(unreachable(scenarios), 3))
        end)
      end

      it("is written to a file in the same bytes that were read", function()
        local text = read_text(file.map):gsub("\r", ""):gsub("%s+$", "") .. "\n"
        assert.is_true(text == astar.movingai.format_map(grid))
      end)
    end)
  end
end)
