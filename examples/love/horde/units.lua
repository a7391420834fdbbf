-- units.lua -- thousands of units that never bump: an astar.crowd, and what they are told to do.
--
-- Nothing of LÖVE is in here; main.lua draws them.

local astar = require "astar"

local Units = {}
Units.__index = Units

local SPEED = 10   -- cells a second
local BANDS = 14   -- which chase to a place each, around the mouse
local TELL = 3     -- bands that are told in a frame, so that no frame has to find the ways of all
local SHELTERS = 5 -- to flee to, along each side of the map
local SHARE = 6    -- of those who may have to flee, one in so many looks around in a frame

-- `count` units of a size at random on cells where they fit, fewer where walls leave no room. random(least, most) is a
-- whole number.
function Units.new(grid, size, count, random)
  local finder = grid:finder { size = size }
  local units = setmetatable({
    grid = grid, size = size, finder = finder, crowd = astar.crowd(finder, { speed = SPEED }), turn = 1, told = BANDS,
  }, Units)
  local width, height = grid:size()
  for _ = 1, 100 * count do
    if #units.crowd == count then break end
    units.crowd:add(random(1, width), random(1, height)) -- nobody, where a wall or another is
  end
  units.all = units.crowd:units()
  return units
end

-- Asks of the cells from (x, y) outwards, ring by ring, is_wanted(x, y), and returns the first of which that is true.
function Units:outwards(x, y, is_wanted)
  local width, height = self.grid:size()
  for radius = 0, math.max(width, height) do
    for cy = math.max(1, y - radius), math.min(height, y + radius) do
      local is_row = math.abs(cy - y) == radius
      for cx = x - radius, x + radius, is_row and 1 or 2 * radius do
        if cx >= 1 and cx <= width and is_wanted(cx, cy) then
          return cx, cy
        end
      end
    end
  end
end

function Units:fits(x, y)
  return self.finder:clearance(x, y) >= self.size
end

-- The cell nearest to (x, y) where a unit fits, or that one where none does.
function Units:nearest_free(x, y)
  local free_x, free_y = self:outwards(x, y, function(cx, cy) return self:fits(cx, cy) end)
  return free_x or x, free_y or y
end

-- From a cell many neighbours are equally near to the goal, and a crowd that is sent to one cell takes the same of them
-- everywhere: it comes in files. Here each band has a place of its own on a disc around the goal, and each unit belongs
-- to a band by chance. So units side by side choose different ones of equally good cells, and the horde is a swarm.
function Units:chase(x, y)
  self.flow, self.goal_x, self.goal_y, self.told = nil, x, y, 0
end

-- The place of a band: one more turn of a sunflower's spiral, so that places are evenly apart.
local function place_of(units, band)
  local radius = 0.7 * math.sqrt(#units.all / math.pi) * units.size * math.sqrt((band - 1) / BANDS)
  local angle = 2.4 * band
  local width, height = units.grid:size()
  local x = math.max(1, math.min(width, math.floor(units.goal_x + radius * math.cos(angle) + 0.5)))
  local y = math.max(1, math.min(height, math.floor(units.goal_y + radius * math.sin(angle) + 0.5)))
  return units:nearest_free(x, y)
end

local function tell_bands(units)
  for band = units.told + 1, math.min(BANDS, units.told + TELL) do
    local members = {}
    for i, unit in ipairs(units.all) do
      if (i * 7919) % 104729 % BANDS + 1 == band then members[#members + 1] = unit end
    end
    if #members > 0 then units.crowd:go(members, place_of(units, band)) end
    units.told = band
  end
end

-- Away from (x, y) until it is out of the flow's reach: each unit goes to the shelter to which it has the greatest
-- lead. They notice in update, some in each frame.
function Units:flee(flow, x, y)
  self.flow, self.shelters = flow, {}
  local width, height = self.grid:size()
  for i = 0, SHELTERS - 1 do
    local along_x = 1 + math.floor(i * (width - 1) / (SHELTERS - 1))
    local along_y = 1 + math.floor(i * (height - 1) / (SHELTERS - 1))
    for _, at in ipairs { { along_x, 1 }, { along_x, height }, { 1, along_y }, { width, along_y } } do
      local sx, sy = self:nearest_free(at[1], at[2])
      table.insert(self.shelters, { x = sx, y = sy, distance = math.sqrt((sx - x) ^ 2 + (sy - y) ^ 2) })
    end
  end
end

-- Where a unit at (x, y) is nearer by most than what it flees.
local function best_shelter(units, x, y)
  local best, longest = nil, -math.huge
  for _, shelter in ipairs(units.shelters) do
    local lead = shelter.distance - math.sqrt((shelter.x - x) ^ 2 + (shelter.y - y) ^ 2)
    if lead > longest then best, longest = shelter, lead end
  end
  return best
end

-- Some units see whether they are too near to what they flee, others next time.
local function look_around(units)
  for i = units.turn, #units.all, SHARE do
    local unit = units.all[i]
    local x, y = unit:cell()
    if units.flow:distance(x, y) then
      local shelter = best_shelter(units, x, y)
      unit:go(shelter.x, shelter.y)
    else
      unit:stop()
    end
  end
  units.turn = units.turn % SHARE + 1
end

-- Each frame.
function Units:update(dt)
  if self.flow then look_around(self) else tell_bands(self) end
  self.crowd:update(dt)
end

-- Raises a wall. Who stood there is put on the nearest free cells.
function Units:block(x, y, width, height)
  local homeless = 0
  for cy = y, y + height - 1 do
    for cx = x, x + width - 1 do
      local unit = self.crowd:unit_at(cx, cy)
      if unit then
        unit:remove()
        homeless = homeless + 1
      end
    end
  end
  self.grid:block(x, y, width, height)
  if homeless > 0 then self:add_nearest(x, y, homeless) end
end

-- Adds 'count' units on the free cells nearest to (x, y).
function Units:add_nearest(x, y, count)
  self:outwards(x, y, function(cx, cy)
    local unit = self.crowd:add(cx, cy)
    if unit then
      count = count - 1
      if not self.flow then unit:go(self.goal_x, self.goal_y) end
    end
    return count == 0
  end)
  self.all = self.crowd:units()
end

return Units
