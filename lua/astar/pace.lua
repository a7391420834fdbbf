-- pace.lua -- the distance that a walker with an acceleration moves in a frame.
--
-- The walker accelerates to its speed, and brakes so that it stops at the end of its path. The motion consists of
-- phases of constant acceleration. The distance in each phase is computed by its exact formula, not by adding small
-- time steps, so the walker is at the same position at any frame rate.

local sqrt, min, max = math.sqrt, math.min, math.max

-- Greatest number of phases in one call. There are four: slow down to the speed, accelerate, constant speed, brake.
-- Because of rounding, a phase may be computed twice.
local MOST_PHASES = 8

-- Returns how many seconds the current phase of the motion still lasts, and its acceleration: `rate`, 0 or -`rate`.
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

--- Returns the distance that a walker moves in `dt` seconds, and its velocity after them. velocity: its velocity now;
-- left: the distance to the end of its path; speed: the velocity that it aims for; rate: the acceleration, by which it
-- also brakes. Distances are in cells, velocities in cells per second.
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
