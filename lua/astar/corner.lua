-- corner.lua -- the curve by which a walker rounds a turn of its path.
--
-- The curve begins at the distance 'reach' before the turn and ends at the same distance after it. It is the quadratic
-- Bézier curve with these two points as its ends and the turn as its control point, so it lies in the triangle of the
-- three points. The reach is at most half a cell. The curve therefore stays inside the cell of the turn, which the path
-- may enter, and no other cell has to be checked for blocks.
--
-- A walker measures its progress along the straight legs of the path, its track. The curve is shorter than the two
-- pieces of legs that it replaces, and the walker takes the same time for both. The walker is therefore a little
-- slower in the curve than on the legs. The reach is limited so that the mean speed from the middle of one leg to the
-- middle of the next stays at least 0.9 of the walker's speed.

local sqrt, log, min = math.sqrt, math.log, math.min

-- Greatest fraction of the length from the middle of one leg to the middle of the next that a curve may save.
local MOST_SAVED = 0.1

-- Least length of a leg in cells, and least squared sine and cosine of half the angle by which the path turns. Below
-- these limits the path goes straight on or turns right back, and there is no curve.
local TINY = 1e-9

local corner = {
  --- Greatest reach in cells: a longer curve would leave the cell of the turn.
  MOST_REACH = 0.5,
}

--- Returns a corner without a curve: its reach is 0. corner.set gives it a curve.
function corner.new()
  return { reach = 0, x = 0, y = 0, before_x = 0, before_y = 0, after_x = 0, after_y = 0 }
end

-- Returns the length of the curve divided by its reach. `sine2` and `cosine2` are the squares of the sine and cosine of
-- half the angle between the directions of travel before and after the turn.
local function length_of(sine2, cosine2)
  local sine = sqrt(sine2)
  return 1 + cosine2 / sine * 0.5 * log((1 + sine) / (1 - sine))
end

--- Sets the curve for the turn at (x, y) between two straight legs, one from (from_x, from_y) and one to (to_x, to_y).
-- 'most' is the greatest reach in cells. The reach becomes 0 if the turn needs no curve.
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

--- Swaps the two ends of the curve, for a walker that has turned round and comes from the other side.
function corner.mirror(self)
  self.before_x, self.before_y, self.after_x, self.after_y = self.after_x, self.after_y, self.before_x, self.before_y
end

--- Returns the position of the walker on the curve, x and y, and its direction there as a vector. 'along' is the
-- walker's progress along its track from -reach (beginning of the curve) over 0 (at the turn) to reach (end of the
-- curve).
function corner.place(self, along)
  local reach = self.reach
  local part = 0.5 + 0.5 * along / reach
  local rest = 1 - part
  local ux, uy, vx, vy = self.before_x, self.before_y, self.after_x, self.after_y
  local u, v = reach * rest * rest, reach * part * part
  return self.x + u * ux + v * vx, self.y + u * uy + v * vy, part * vx - rest * ux, part * vy - rest * uy
end

return corner
