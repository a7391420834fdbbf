-- ground_pace.lua -- how long a unit takes for a step at the pace of the ground.
--
-- One rule applies to all units that move by time: the duration of a step is its cost divided by the unit's speed. A
-- walker with `pace = "cost"`, both units of finder:intercept and the units of a schedule follow it. The cost is that
-- of the path's finder on the map as it is now, so it includes fields to avoid, blocks to break and bends.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")

local step_cost = core.step_cost
local abs = math.abs
local SQRT2, ROUNDING = math.sqrt(2), 1e-9

--- Returns the cost of the step from a path's cell `index` to the next one per unit of `leg`, the length in cells of
-- the line between the two. For a link, returns the cost of the link. Returns nil if the step cannot be made now. A
-- slanted leg, of an any-angle or a smoothed path, is not as long as the steps from cell to cell. For such a leg the
-- cost is that of the ground.
return function(path, index, leg)
  local cost, length = step_cost(path, index)
  if not cost or length == 0 then
    return cost
  end
  local is_diagonal = abs(leg - SQRT2) < ROUNDING
  return cost / (is_diagonal and leg or length)
end
