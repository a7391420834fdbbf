-- crowd_checker.lua -- looks at every beat of a crowd from outside: that nobody bumps.
--
--     local checker = crowd_checker.new(grid, { exclusive = false })
--     checker:watch(unit, { diagonals = "always", size = 2 })    what its finder was made with
--     checker:begin()        before a beat: where all are
--     checker:finish()       after it: raises an error that tells what is wrong
--
-- Each step must be legal by the unit's rule, told from the map's cells and walls alone. At the end no
-- two units may be in a cell. In between all move in straight lines at even speed: discs of radius
-- size / 2 - 0.15 must not overlap, of exclusive units whole squares, and what is new to a unit must
-- have been empty. Over a link a unit stands at the entrance until the beat is over; where a step leads as far,
-- it may have done either.

local crowd_checker = {}
crowd_checker.__index = crowd_checker

local NEAR = 1e-9
local LEAST_WAYS = { always = 0, if_at_most_one_obstacle = 1, only_when_no_obstacles = 2, never = 3 }

function crowd_checker.new(grid, options)
  return setmetatable({ grid = grid, exclusive = options and options.exclusive or false, watched = {},
    steps = 0, nearest = math.huge }, crowd_checker)
end

function crowd_checker:watch(unit, options)
  options = options or {}
  self.watched[#self.watched + 1] = {
    unit = unit, size = options.size or 1, period = options.period or 1,
    rule = options.diagonals or "only_when_no_obstacles",
    enters = options.enters or function(x, y) return self.grid:is_walkable(x, y) end,
    beats = math.huge, -- since it stepped
  }
end

-- Those that were removed are watched no longer.
function crowd_checker:begin()
  local kept = {}
  for _, one in ipairs(self.watched) do
    if one.unit.state ~= "removed" then
      one.x, one.y = one.unit:cell()
      kept[#kept + 1] = one
    end
  end
  self.watched = kept
end

-- ---- steps ----

local function fits(self, one, x, y)
  local x0, y0, x1, y1 = self.grid:bounds()
  if x < x0 or y < y0 or x + one.size - 1 > x1 or y + one.size - 1 > y1 then return false end
  for row = y, y + one.size - 1 do
    for column = x, x + one.size - 1 do
      if not one.enters(column, row) then return false end
    end
  end
  return true
end

local function is_walled(self, x, y, dx, dy)
  local x0, y0, x1, y1 = self.grid:bounds()
  if x < x0 or y < y0 or x > x1 or y > y1 then return false end
  return self.grid:has_wall(x, y, dx > 0 and "east" or dx < 0 and "west" or dy > 0 and "south" or "north")
end

-- Whether walls leave the way open past the cell beside a diagonal step, mx and my from here.
local function is_open_past(self, x, y, dx, dy, mx, my)
  return not is_walled(self, x, y, mx, my) and not is_walled(self, x + mx, y + my, dx - mx, dy - my)
end

local function is_legal_step(self, one, x, y)
  local dx, dy = x - one.x, y - one.y
  if math.abs(dx) > 1 or math.abs(dy) > 1 then return false end
  if dx == 0 or dy == 0 then return not is_walled(self, one.x, one.y, dx, dy) end
  local open_x = is_open_past(self, one.x, one.y, dx, dy, dx, 0)
  local open_y = is_open_past(self, one.x, one.y, dx, dy, 0, dy)
  local ways = (open_x and fits(self, one, one.x + dx, one.y) and 1 or 0)
    + (open_y and fits(self, one, one.x, one.y + dy) and 1 or 0)
  return ways >= LEAST_WAYS[one.rule] and (open_x or open_y)
end

local function is_over_link(self, one, x, y)
  for _, link in ipairs(self.links) do
    if link.x0 == one.x and link.y0 == one.y and link.x1 == x and link.y1 == y then return true end
  end
  return false
end

-- ---- pairs ----

-- The least distance of the middles during the beat.
local function nearest(a, b)
  local x, y = b.mx - a.mx, b.my - a.my
  local dx, dy = b.dx - a.dx, b.dy - a.dy
  local speed = dx * dx + dy * dy
  local t = speed > 0 and math.max(0, math.min(1, -(x * dx + y * dy) / speed)) or 0
  x, y = x + t * dx, y + t * dy
  return math.sqrt(x * x + y * y), t
end

-- How far squares reach into each other at most, looked at in many moments.
local function overlap(a, b)
  local most = 0
  for moment = 0, 16 do
    local t = moment / 16
    local x = math.abs(b.mx - a.mx + t * (b.dx - a.dx))
    local y = math.abs(b.my - a.my + t * (b.dy - a.dy))
    local both = (a.size + b.size) / 2
    most = math.max(most, math.min(both - x, both - y))
  end
  return most
end

local function fail(what, a, b)
  error(("%s: (%d, %d) to (%d, %d), size %d%s"):format(what, a.x, a.y, a.to_x, a.to_y, a.size,
    b and (", and (%d, %d) to (%d, %d), size %d"):format(b.x, b.y, b.to_x, b.to_y, b.size) or ""), 0)
end

local function check_pair(self, a, b)
  local distance = nearest(a, b)
  local both = (a.size + b.size) / 2
  self.nearest = math.min(self.nearest, distance / both)
  if distance < both - 0.3 - NEAR then fail("units come too near", a, b) end
  if self.exclusive and overlap(a, b) > NEAR then fail("squares overlap", a, b) end
  local x, y = math.abs(b.to_x + b.size / 2 - a.to_x - a.size / 2), math.abs(b.to_y + b.size / 2 - a.to_y - a.size / 2)
  if x < both - NEAR and y < both - NEAR then fail("two units in a cell", a, b) end
end

-- Calls with all pairs that may come near each other.
local function each_pair(self, call)
  local side, buckets = 4, {}
  for _, one in ipairs(self.watched) do side = math.max(side, one.size + 3) end
  for _, one in ipairs(self.watched) do
    local bx, by = math.floor(one.x / side), math.floor(one.y / side)
    for y = by - 1, by + 1 do
      for x = bx - 1, bx + 1 do
        for _, other in ipairs(buckets[y * 65536 + x] or {}) do call(self, other, one) end
      end
    end
    local key = by * 65536 + bx
    buckets[key] = buckets[key] or {}
    table.insert(buckets[key], one)
  end
end

-- Links lead far: who comes out of one is looked for at its end, too.
local function check_cells(self)
  local cells = {}
  for _, one in ipairs(self.watched) do
    for y = one.to_y, one.to_y + one.size - 1 do
      for x = one.to_x, one.to_x + one.size - 1 do
        local key = y * 65536 + x
        if cells[key] then fail("two units in a cell", one, cells[key]) end
        cells[key] = one
      end
    end
  end
end

local function check_exclusive(self)
  local cells = {}
  for _, one in ipairs(self.watched) do
    for y = one.y, one.y + one.size - 1 do
      for x = one.x, one.x + one.size - 1 do cells[y * 65536 + x] = one end
    end
  end
  for _, one in ipairs(self.watched) do
    for y = one.to_y, one.to_y + one.size - 1 do
      for x = one.to_x, one.to_x + one.size - 1 do
        local there = cells[y * 65536 + x]
        if there and there ~= one then fail("enters what is not empty", one, there) end
      end
    end
  end
end

-- Has a unit go over a link, or there by itself.
local function move(one, links)
  local moves = links and 0 or 1
  one.links = links
  one.dx, one.dy = moves * (one.to_x - one.x), moves * (one.to_y - one.y)
end

local function look_at_step(self, one)
  one.to_x, one.to_y = one.unit:cell()
  one.ways = { false }
  one.mx, one.my = one.x + one.size / 2, one.y + one.size / 2
  one.beats = one.beats + 1
  if one.to_x ~= one.x or one.to_y ~= one.y then
    local steps, links = is_legal_step(self, one, one.to_x, one.to_y), is_over_link(self, one, one.to_x, one.to_y)
    if not fits(self, one, one.to_x, one.to_y) or not (steps or links) then fail("no legal step", one) end
    one.ways = steps and links and { false, true } or { links }
    if one.beats < one.period then fail("steps before its period is over", one) end
    self.steps = self.steps + 1
    one.beats = 0
  end
  move(one, one.ways[1])
end

local function check_motions(self, a, b)
  -- at the end who leapt over a link is where nobody else is: check_cells
  if not a.links and not b.links then return check_pair(self, a, b) end
  if nearest(a, b) < (a.size + b.size) / 2 - 0.3 - NEAR then fail("units come too near", a, b) end
end

-- Whichever ways the two may have gone, one of them must be fine.
local function check_ways(self, a, b)
  local ok, why
  for _, links in ipairs(a.ways) do
    for _, others in ipairs(b.ways) do
      move(a, links)
      move(b, others)
      ok, why = pcall(check_motions, self, a, b)
      if ok then return end
    end
  end
  error(why, 0)
end

function crowd_checker:finish()
  self.links = {}
  for _, link in ipairs(self.grid:links()) do
    self.links[#self.links + 1] = link
    if not link.one_way then
      self.links[#self.links + 1] = { x0 = link.x1, y0 = link.y1, x1 = link.x0, y1 = link.y0 }
    end
  end
  for _, one in ipairs(self.watched) do look_at_step(self, one) end
  check_cells(self)
  each_pair(self, check_ways)
  if self.exclusive then check_exclusive(self) end
end

return crowd_checker
