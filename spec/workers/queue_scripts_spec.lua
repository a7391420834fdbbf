-- Random scripts of queues with workers, told beforehand what each answer is, when and in which order.
--
-- ASTAR_MAPS=100000 runs more scripts, ASTAR_SEED=7 others, as for differential_spec.lua.

local queue_scripts = require "spec.support.queue_scripts"
local astar = require "astar"
local times = require "spec.support.times"

local SCRIPTS = math.ceil(times("ASTAR_MAPS", 5000) * 0.06)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local has_threads, pool = pcall(astar.workers, 1)
if not has_threads then return end
pool:close()

describe("a script with queues, workers, edits, publishes, jobs and closings in any order", function()
  it("gets from each queue:update the results that the documented rules give", function()
    local told, raised = 0, 0
    for seed = FIRST_SEED, FIRST_SEED + SCRIPTS - 1 do
      local answers, errors = queue_scripts.run(seed)
      told, raised = told + answers, raised + errors
    end
    assert.is_true(told > SCRIPTS)
    assert.is_true(raised > 0 or SCRIPTS < 20)
  end)
end)
