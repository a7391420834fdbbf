-- frame_checker.lua -- looks at what is drawn of a crowd, frame by frame, and at nothing else.
--
--     local checker = frame_checker.new({ exclusive = false })
--     checker:watch(unit, { speed = 2, size = 1 })    cells a second that it was told
--     checker:look(dt)                                after each frame of so many seconds
--     checker.nearest                                 the least distance, less what is promised, of any two
--     checker:share("stands"), ("uneven")             of the frames of those who are "moving"
--
-- From one frame to the next each goes straight. Discs of radius size / 2 - 0.15 must not overlap at any moment
-- between, nor whole squares of exclusive units; 'nearest' tells by how much, negative where they do.

local frame_checker = {}
frame_checker.__index = frame_checker

local EVEN = 0.05 -- of the speed that was told

function frame_checker.new(options)
  return setmetatable({ exclusive = options and options.exclusive or false, watched = {}, frames = 0,
    nearest = math.huge, moving = 0, stands = 0, uneven = 0, fastest = 0, widest = 1 }, frame_checker)
end

function frame_checker:watch(unit, options)
  local size = options.size or 1
  self.widest = math.max(self.widest, size)
  self.watched[#self.watched + 1] = { unit = unit, speed = options.speed, size = size,
    x = unit.x + size / 2, y = unit.y + size / 2 }
end

-- How near discs come to each other when one goes straight from (x, y) to (x + dx, y + dy) about the other.
local function disc_gap(x, y, dx, dy, both)
  local speed = dx * dx + dy * dy
  local t = speed > 0 and math.max(0, math.min(1, -(x * dx + y * dy) / speed)) or 0
  x, y = x + t * dx, y + t * dy
  return math.sqrt(x * x + y * y) - (both - 0.3)
end

-- The same of squares, looked at in many moments.
local function square_gap(x, y, dx, dy, both)
  local least = math.huge
  for moment = 0, 16 do
    local t = moment / 16
    least = math.min(least, math.max(math.abs(x + t * dx), math.abs(y + t * dy)) - both)
  end
  return least
end

local function look_at_pair(self, a, b)
  local x, y = b.x - a.x, b.y - a.y
  local gap = self.exclusive and square_gap or disc_gap
  local distance = gap(x, y, b.to_x - a.to_x - x, b.to_y - a.to_y - y, (a.size + b.size) / 2)
  if distance < self.nearest then self.nearest, self.who = distance, { a.unit, b.unit } end
end

local function look_at_pairs(self)
  local side, buckets = self.widest + 2, {}
  for _, one in ipairs(self.watched) do
    local column, row = math.floor(one.x / side), math.floor(one.y / side)
    for y = row - 1, row + 1 do
      for x = column - 1, column + 1 do
        for _, other in ipairs(buckets[y * 65536 + x] or {}) do look_at_pair(self, other, one) end
      end
    end
    local key = row * 65536 + column
    buckets[key] = buckets[key] or {}
    table.insert(buckets[key], one)
  end
end

-- Who was on the way in this frame and the last one has gone as far as it was told it would.
local function look_at_speed(self, one, dt)
  local was_moving = one.is_moving
  one.is_moving = one.unit.state == "moving"
  if not (one.is_moving and was_moving) then return end
  local dx, dy = one.to_x - one.x, one.to_y - one.y
  local speed = math.sqrt(dx * dx + dy * dy) / dt / one.speed
  self.moving = self.moving + 1
  if speed < 1e-6 then self.stands = self.stands + 1 end
  if math.abs(speed - 1) > EVEN then self.uneven = self.uneven + 1 end
  self.fastest = math.max(self.fastest, speed)
  if self.note then self.note(one, speed) end
end

function frame_checker:look(dt)
  for _, one in ipairs(self.watched) do
    one.to_x, one.to_y = one.unit.x + one.size / 2, one.unit.y + one.size / 2
    look_at_speed(self, one, dt)
  end
  look_at_pairs(self)
  for _, one in ipairs(self.watched) do one.x, one.y = one.to_x, one.to_y end
  self.frames = self.frames + 1
end

function frame_checker:share(what)
  return self[what] / math.max(1, self.moving)
end

return frame_checker
