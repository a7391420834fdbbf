-- targets.lua -- what astar aims at in speed, each target beside what was measured: bench/targets, a file each.

local aims = require "bench.aims"
local pace = require "bench.pace"

-- In the order in which they are measured. Each returns function(aims, plan, options).
local TARGETS = { "queries", "frames", "cliffs", "weighted", "edits", "first", "memory", "calls", "flows", "queue",
  "shapes" }

local function processor()
  local file = io.open "/proc/cpuinfo"
  local text = file and file:read "*a" or ""
  if file then file:close() end
  return text:match "model name%s*:%s*([^\n]+)" or "a processor of unknown name"
end

return function(report, plan, options)
  report:title(([[
targets: what is aimed at beside what this run measured, by number; %d wide maps. Ratios ("times") hold on any
machine. Times are processor time of %s; beside them stands how many expansions of plain A* they
come to ("A*"), %.1f ns each just now, and how many they may ("A* most"), which holds on any machine, too: the
verdict goes by it. What others are needed for, the most of targets 1, 2 and 4, is measured outside.]])
    :format(plan.side, processor(), pace.now() * 1e9))
  local table_of = aims.new(report, plan.rounds)
  for _, name in ipairs(TARGETS) do
    if not options.target or options.target == name then
      require("bench.targets." .. name)(table_of, plan, options)
      collectgarbage()
    end
  end
  report:note(("\n%d of %d are met."):format(table_of.met, table_of.count))
end
