-- The land of a world without end, as noise tells it: what the game and the thread that makes its chunks both know.

local land = {}

-- Those of art.lua. The thread that makes chunks draws nothing, and loads no art.lua.
land.COLORS = {
  ["."] = { 0.478, 0.659, 0.341 }, f = { 0.235, 0.455, 0.263 }, ["~"] = { 0.247, 0.471, 0.710 },
  ["^"] = { 0.514, 0.475, 0.427 },
}

function land.ground(x, y)
  local noise = love.math.noise
  local height = 0.6 * noise(x / 70 + 900, y / 70 + 900)
    + 0.3 * noise(x / 23 + 50, y / 23) + 0.1 * noise(x / 7, y / 7 + 70)
  return height < 0.34 and "~" or height > 0.7 and "^" or height > 0.56 and "f" or "."
end

return land
