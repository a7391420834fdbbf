-- walker.lua -- moves a sprite along a path, a little each frame.
--
-- A walker goes by distance along the straight lines between the centres of the path's
-- cells, so a diagonal step takes sqrt 2 times as long as a straight one. It keeps only the
-- leg it is on and asks the path for the next cell when it gets there: an update makes no
-- garbage, and a frame as long as many cells is walked like many short ones.
--
-- Over a link nothing is walked: the walker stays at its entrance as long as a straight step
-- takes, with the link's label in the field `link`, and is then at its other end.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local no_more = require(FOLDER .. ".no_more")

local DIAGONAL = math.sqrt(2)

-- Ten frames of 0.1 s add up to a little less than a second; at one cell a second that is
-- a cell all the same.
local ROUNDING = 1e-9

-- The method itself, taken from a path, refuses whatever is not a path.
local any_path = core.grid(1, 1):find_path(1, 1, 1, 1)
local path_cell, path_link = any_path.cell, any_path.link

local Walker = {}
Walker.__index = Walker

-- Stands on cell 'index' of the path, about to walk to the one after it.
local function enter_cell(self, index)
  local x, y = path_cell(self.path, index)
  self.index, self.along = index, 0
  self.from_x, self.from_y = x, y
  self.x, self.y = x, y
  self.arrived = index == self.count
  self.link = path_link(self.path, index) or false
  if self.arrived then
    return
  elseif self.link then
    self.dx, self.dy, self.leg = 0, 0, 1
    return
  end
  local next_x, next_y = path_cell(self.path, index + 1)
  self.dx, self.dy = next_x - x, next_y - y
  self.leg = (self.dx ~= 0 and self.dy ~= 0) and DIAGONAL or 1
end

local function advance(self, distance)
  local along = self.along + distance
  while along >= self.leg - ROUNDING do
    along = math.max(along - self.leg, 0)
    enter_cell(self, self.index + 1)
    if self.arrived then
      return
    end
  end
  self.along = along
  if along > 0 then -- on a cell x and y stay the whole numbers they are
    self.x = self.from_x + self.dx * along / self.leg
    self.y = self.from_y + self.dy * along / self.leg
  end
end

local function is_speed(value)
  return type(value) == "number" and value > 0
end

local function is_duration(value)
  return type(value) == "number" and value >= 0
end

--- Walks on for `dt` seconds and returns where the walker is then.
-- dt: a number >= 0, however large. Returns x, y and whether the goal is reached; there
-- x and y are the goal's own whole numbers.
function Walker:update(dt, ...)
  if getmetatable(self) ~= Walker then
    error("astar walker expected, got " .. describe(self), 2)
  end
  no_more("update", 1, ...)
  if not is_duration(dt) then
    error("dt must be a number >= 0, got " .. describe(dt), 2)
  end
  local speed = self.speed
  if not is_speed(speed) then
    error("speed must be a number > 0, got " .. describe(speed), 2)
  end
  if dt > 0 and not self.arrived then
    advance(self, speed * dt)
  end
  return self.x, self.y, self.arrived
end

-- The speed asked for, or nil and what is wrong.
local function read_speed(options)
  if options == nil then
    return 1
  elseif type(options) ~= "table" then
    return nil, "options must be a table, got " .. describe(options)
  end
  for name in next, options do
    if name ~= "speed" then
      local hint = type(name) == "string" and ' (did you mean "speed"?)' or ""
      return nil, "unknown option " .. describe(name) .. hint
    end
  end
  local speed = rawget(options, "speed")
  if speed == nil then
    return 1
  elseif not is_speed(speed) then
    return nil, "speed must be a number > 0, got " .. describe(speed)
  end
  return speed
end

--- astar.walker(path [, { speed = 1 }]): a walker on the first cell of `path`.
-- speed: cells a second, a number > 0; the field `speed` may be changed on the way.
return function(path, options, ...)
  no_more("walker", 2, ...)
  local is_path, message = pcall(path_cell, path, 1)
  if not is_path then
    error(message, 2)
  end
  local speed, problem = read_speed(options)
  if not speed then
    error(problem, 2)
  end
  local walker = setmetatable({ path = path, count = #path, speed = speed }, Walker)
  enter_cell(walker, 1)
  return walker
end
