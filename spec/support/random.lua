-- random.lua -- the same random numbers, and so the same random maps, on every Lua.
--
-- Park and Miller's generator: state * 48271 mod 2^31 - 1, exact in a double.

local random = {}

local Random = {}
Random.__index = Random

-- random.last_seed is what a spec that fails is reported with.
function random.new(seed)
  random.last_seed = seed
  local self = setmetatable({ state = (seed * 7919 + 12345) % 2147483646 + 1 }, Random)
  for _ = 1, 4 do self:number() end -- neighbouring seeds start alike
  return self
end

-- From 0 to less than 1.
function Random:number()
  self.state = self.state * 48271 % 2147483647
  return (self.state - 1) / 2147483646
end

function Random:int(least, most)
  return least + math.floor(self:number() * (most - least + 1))
end

function Random:chance(probability)
  return self:number() < probability
end

function Random:pick(list)
  return list[self:int(1, #list)]
end

--- Returns a body at random, as the option size: a number for a square, else {columns, rows}. Each side is from 'least'
--- to 'most' cells.
function Random:body(least, most)
  if self:chance(0.5) then return self:int(least, most) end
  local columns, rows = self:int(1, most), self:int(1, most)
  if columns == rows then return columns end
  return { columns, rows }
end

local function new_rows(width, height, key_of)
  local rows = {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do rows[y][x] = key_of(x, y) end
  end
  return rows
end

-- A wall here and there: every cell is one with the same probability.
function Random:scatter(width, height, density)
  return new_rows(width, height, function() return self:chance(density) and "#" or "." end)
end

-- Caves: a dense scatter, each cell then taken over by the majority around it.
function Random:caves(width, height)
  local before = self:scatter(width, height, 0.45)
  local function walls_around(x, y)
    local count = 0
    for ny = y - 1, y + 1 do
      for nx = x - 1, x + 1 do
        if before[ny] and before[ny][nx] == "#" then count = count + 1 end
      end
    end
    return count
  end
  return new_rows(width, height, function(x, y) return walls_around(x, y) >= 5 and "#" or "." end)
end

-- Rooms of side - 1 cells: walls on every line that 'side' divides, a few doors in them.
function Random:rooms(width, height, side)
  return new_rows(width, height, function(x, y)
    local on_wall = x % side == 0 or y % side == 0
    return on_wall and not self:chance(0.2) and "#" or "."
  end)
end

-- One of the above, of any density.
function Random:map(width, height)
  local kind = self:int(1, 6)
  if kind == 1 then return self:caves(width, height) end
  if kind == 2 then return self:rooms(width, height, self:int(3, 6)) end
  return self:scatter(width, height, self:pick { 0, 0.1, 0.2, 0.3, 0.4, 0.5 })
end

-- Puts other grounds, one of 'keys' each, on some of the open cells: in patches or cell by cell.
function Random:sow(rows, keys)
  local share = self:pick { 0.2, 0.5, 0.9 }
  local patch = self:pick { 1, 1, 2, 4 }
  local sown = {}
  for y, row in ipairs(rows) do
    for x, key in ipairs(row) do
      local id = math.floor(y / patch) * 1000 + math.floor(x / patch)
      if sown[id] == nil then sown[id] = self:chance(share) and self:pick(keys) end
      if key == "." and sown[id] then row[x] = sown[id] end
    end
  end
  return rows
end

-- Small sides mostly, with the odd ones: 1, 2, 3, and those about a machine word or two.
function Random:sides()
  local kind = self:int(1, 20)
  if kind == 1 then return self:int(1, 3), self:int(1, 3) end
  if kind == 2 then return self:int(1, 3), self:int(1, 24) end
  if kind == 3 then return self:int(1, 24), self:int(1, 3) end
  if kind == 4 then return self:int(62, 66), self:int(1, 4) end
  if kind == 5 then return self:int(1, 4), self:int(62, 66) end
  if kind == 6 then return self:int(126, 130), self:int(1, 2) end
  if kind == 7 then return self:int(15, 40), self:int(15, 40) end
  return self:int(4, 14), self:int(4, 14)
end

return random
