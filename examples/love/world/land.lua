-- The land of a world without end, as noise tells it: what the game and the thread that makes its chunks both know.

local land = {}

land.COLORS = {
  ["."] = { 0.36, 0.47, 0.27 }, f = { 0.22, 0.36, 0.22 }, ["~"] = { 0.18, 0.30, 0.48 }, ["^"] = { 0.45, 0.42, 0.40 },
}

function land.ground(x, y)
  local noise = love.math.noise
  local height = 0.6 * noise(x / 70 + 900, y / 70 + 900)
    + 0.3 * noise(x / 23 + 50, y / 23) + 0.1 * noise(x / 7, y / 7 + 70)
  return height < 0.34 and "~" or height > 0.7 and "^" or height > 0.56 and "f" or "."
end

return land
