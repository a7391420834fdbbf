-- aims.lua -- the table of targets: in each row the limit, the measured value, and the verdict.
--
--     aims:most("10 searches that restart, of 50", 0, restarted)        -- a ratio, or a number of things
--     aims:least("1 caves: time of A* / time", 1.5, ratio)
--     aims:time("5 edit of one cell, 512 wide", "us", 3, function() return seconds end)
--
-- The first word of a row is the number of its target. The verdict on a time compares expansions, see bench/pace.lua.

local pace = require "bench.pace"

local UNITS = { ns = 1e-9, us = 1e-6, ms = 1e-3 }

local COLUMNS = { { "target", "%-60s" }, { "at most", "%9g" }, { "at least", "%9g" }, { "measured", "%9.2f" },
  { "A* most", "%10.4g" }, { "A*", "%10.4g" }, { "verdict", "%22s" } }

local Aims = {}
Aims.__index = Aims

local aims = {}

-- 'rounds' is the number of measurements of a time. The least of them counts.
function aims.new(report, rounds)
  report:section("targets", COLUMNS)
  return setmetatable({ report = report, rounds = rounds, count = 0, met = 0 }, Aims)
end

function Aims:add(fields, factor)
  local is_met = factor <= 1
  -- If the limit is 0, there is no factor.
  fields[7] = is_met and "met" or factor > 1e6 and "missed" or ("missed by a factor of %.2f"):format(factor)
  self.count, self.met = self.count + 1, self.met + (is_met and 1 or 0)
  self.report:row(fields)
end

local function times(a, b)
  if a <= b then return 1 end -- also if both counts are 0
  return a / math.max(b, 1e-12)
end

function Aims:most(what, target, measured)
  self:add({ what, target, nil, measured }, times(measured, target))
end

function Aims:least(what, target, measured)
  self:add({ what, nil, target, measured }, times(target, measured))
end

-- 'measure' returns seconds. It is called several times, and the least result counts.
function Aims:time(what, unit, target, measure, rounds)
  local seconds, expansion = pace.seconds(measure, rounds or self.rounds)
  local most, expansions = target * UNITS[unit] / pace.EXPANSION, seconds / expansion
  self:add({ what .. ", " .. unit, target, nil, seconds / UNITS[unit], most, expansions }, times(expansions, most))
end

return aims
