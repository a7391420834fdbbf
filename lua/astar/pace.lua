-- pace.lua -- how far a walker comes that speeds up and slows down at a rate.
--
-- It speeds up to its speed and brakes so that it comes to rest at the end. Each phase is worked out as a whole, so
-- it is where it is at any frame rate.

local sqrt, min, max = math.sqrt, math.min, math.max

-- Phases follow one another: slower, faster, even, braking. Rounding may have one taken twice.
local MOST_PHASES = 8

-- How long the phase lasts that it is in, and the rate that its velocity changes at.
local function phase(velocity, left, speed, rate)
  local braking = velocity * velocity / (2 * rate)
  if left <= braking and velocity > 0 then
    return velocity / rate, -rate
  elseif velocity > speed then
    return (velocity - speed) / rate, -rate
  elseif velocity < speed then
    local peak = min(speed, sqrt(rate * left + velocity * velocity / 2))
    if peak > velocity * (1 + 1e-12) then
      return (peak - velocity) / rate, rate
    end
    return velocity / rate, -rate
  end
  return (left - braking) / speed, 0
end

--- How far it comes in `dt` seconds, and its velocity then. left: the way to the end; rate: by which its velocity
-- changes in a second.
return function(velocity, left, dt, speed, rate)
  local far = 0
  for _ = 1, MOST_PHASES do
    if dt <= 0 or left <= 0 then
      break
    end
    local lasts, change = phase(velocity, left, speed, rate)
    local time = min(lasts, dt)
    local step = velocity * time + change * time * time / 2
    far, left, dt = far + step, left - step, dt - time
    velocity = time == lasts and change > 0 and min(velocity + change * time, speed) or velocity + change * time
    velocity = max(velocity, 0)
  end
  return far, velocity
end
