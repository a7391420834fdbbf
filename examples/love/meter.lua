-- meter.lua -- how many milliseconds of processor time something takes of each frame: on average of late, and at worst
-- within the last seconds. The time of a clock on the wall would be that of whatever else runs.

local Meter = {}
Meter.__index = Meter

local WINDOW = 300 -- frames; the worst of this window and the one before is shown

function Meter.new()
  return setmetatable({ spent = 0, mean = 0, worst = 0, worst_before = 0, frames = 0 }, Meter)
end

function Meter:start()
  self.started = os.clock()
end

function Meter:stop()
  self.spent = self.spent + (os.clock() - self.started) * 1000
end

function Meter:next_frame()
  self.mean = self.mean + (self.spent - self.mean) / math.min(60, self.frames + 1)
  if self.frames % WINDOW == 0 then
    self.worst_before, self.worst = self.worst, 0
  end
  self.worst = math.max(self.worst, self.spent)
  self.frames, self.spent = self.frames + 1, 0
end

function Meter:read()
  return self.mean, math.max(self.worst, self.worst_before)
end

return Meter
