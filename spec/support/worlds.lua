-- worlds.lua -- chunks for worlds.

local worlds = {}

-- The rows of a chunk without obstacles.
function worlds.open_chunk()
  local rows = {}
  for y = 1, 64 do rows[y] = ("."):rep(64) end
  return rows
end

-- The rows of a chunk cut out of rows of keys, the first of which is the world's cell (x0, y0);
-- outside of them 'outside'.
function worlds.cut(rows, x0, y0, cx, cy, outside)
  local chunk = {}
  for y = 1, 64 do
    local row, from = {}, rows[64 * cy + y - y0 + 1]
    for x = 1, 64 do
      local key = from and from[64 * cx + x - x0 + 1]
      row[x] = key == nil and outside or key
    end
    chunk[y] = row
  end
  return chunk
end

return worlds
