-- targets.lua -- measures the targets of astar's speed. Each file in bench/targets measures one target.

local aims = require "bench.aims"
local pace = require "bench.pace"

-- The files in bench/targets, in the order in which they run. Each file returns function(aims, plan, options).
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
targets: limits and measured values, on maps %d cells wide. The first word of a row is the number of the target. Ratios
can be compared between machines. Times are processor times of %s. The column "A*" is the time in expansions of plain
A*, each of which takes %.1f ns now, and "A* most" is the limit in expansions. The verdict on a time compares these two
columns, which can also be compared between machines. Most rows of the targets 1, 2 and 4 need other programs and are
not measured here.]])
    :format(plan.side, processor(), pace.now() * 1e9))
  local table_of = aims.new(report, plan.rounds)
  for _, name in ipairs(TARGETS) do
    if not options.target or options.target == name then
      require("bench.targets." .. name)(table_of, plan, options)
      collectgarbage()
    end
  end
  report:note(("\n%d of %d rows are met."):format(table_of.met, table_of.count))
end
