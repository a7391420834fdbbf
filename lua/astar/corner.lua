-- corner.lua -- how a walker rounds the turns of its track.
--
-- From 'reach' before the turn on to as far behind it, it goes by a parabola: the quadratic Bézier curve of these two
-- places with the turn between them. That lies in the triangle of the three, so where the reach is at most half a
-- cell it stays in the circle within the turn's own cell, which the path may enter: nothing needs to be asked. Along
-- the curve the walker is where its track is, part by part: it arrives when the track does, leaves and joins its
-- lines at their own speed, and is only in the turn a little slower. The reach is the less the more the curve would
-- save of the legs about it: nowhere is the mean speed below 0.9 of the told one.

local sqrt, log, min = math.sqrt, math.log, math.min

-- What the curve may be shorter than its legs, of which each turn has a half.
local MOST_SAVED = 0.1

-- Below this there is no turn; beyond its counterpart there is nothing round about it.
local TINY = 1e-9

local corner = {
  --- Beyond half a cell a curve would leave the turn's own.
  MOST_REACH = 0.5,
}

--- A corner that is to be set.
function corner.new()
  return { reach = 0, x = 0, y = 0, before_x = 0, before_y = 0, after_x = 0, after_y = 0 }
end

-- How long the curve is in parts of its reach, by the squares of the sine and cosine of half the turn.
local function length_of(sine2, cosine2)
  local sine = sqrt(sine2)
  return 1 + cosine2 / sine * 0.5 * log((1 + sine) / (1 - sine))
end

--- Sets it to the turn at (x, y) between two straight legs, from one place and to another.
function corner.set(self, most, x, y, from_x, from_y, to_x, to_y)
  local ux, uy, vx, vy = from_x - x, from_y - y, to_x - x, to_y - y
  local u, v = sqrt(ux * ux + uy * uy), sqrt(vx * vx + vy * vy)
  self.reach = 0
  if u < TINY or v < TINY then
    return
  end
  ux, uy, vx, vy = ux / u, uy / u, vx / v, vy / v
  local sine2 = (1 + ux * vx + uy * vy) / 2
  if sine2 < TINY or sine2 > 1 - TINY then
    return
  end
  self.x, self.y, self.before_x, self.before_y, self.after_x, self.after_y = x, y, ux, uy, vx, vy
  self.reach = min(most, MOST_SAVED * (u + v) / 2 / (2 - length_of(sine2, 1 - sine2)))
end

--- Has it taken from its other end.
function corner.mirror(self)
  self.before_x, self.before_y, self.after_x, self.after_y = self.after_x, self.after_y, self.before_x, self.before_y
end

--- Where the walker is whose track is so far along, from -reach to reach, and which way it goes.
function corner.place(self, along)
  local reach = self.reach
  local part = 0.5 + 0.5 * along / reach
  local rest = 1 - part
  local ux, uy, vx, vy = self.before_x, self.before_y, self.after_x, self.after_y
  local u, v = reach * rest * rest, reach * part * part
  return self.x + u * ux + v * vx, self.y + u * uy + v * vy, part * vx - rest * ux, part * vy - rest * uy
end

return corner
