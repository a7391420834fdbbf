-- watch.lua -- looks at what is drawn, knowing nothing of how it came about: who overlaps, who is jammed.
--
-- A unit is a disc of radius size / 2 - 0.15 that goes straight from where it was drawn in one frame to
-- where it is in the next; two overlap if at any moment between they come nearer than their radii. Jammed
-- is who wants to be elsewhere, and has stood for a minute; or was sent there three minutes ago, and has
-- wanted for a minute without coming nearer, while there is a way. To arrive for a moment changes nothing: only a new
-- order does.

local Watch = {}
Watch.__index = Watch

local MARGIN, NEAR = 0.15, 1e-6
local SIDE = 4 -- cells a bucket: no disc is wider, nor goes farther in a frame
local LONGEST_STAND, LONGEST_WAY = 60 * 60, 3 * 60 * 60 -- frames
local ROUND = 60 -- so often it is asked what they want

function Watch.new(soldiers, width, height)
  local watch = setmetatable({
    soldiers = soldiers, columns = math.ceil(width / SIDE) + 2, rows = math.ceil(height / SIDE) + 2,
    x = {}, y = {}, old_x = {}, old_y = {}, radius = {}, stood = {}, sent = {}, wanted = {}, least = {},
    goal_x = {}, goal_y = {}, first = {}, next = {},
    frames = 0, overlaps = 0, jams = 0, most_jams = 0, nearest = math.huge, longest_stand = 0, longest_way = 0,
  }, Watch)
  for i, soldier in ipairs(soldiers) do
    watch.radius[i] = soldier.kind.size / 2 - MARGIN
    watch.stood[i], watch.sent[i], watch.wanted[i], watch.least[i] = 0, 0, 0, math.huge
  end
  return watch
end

-- The middles of all, and what they were.
local function read_places(watch)
  watch.x, watch.y, watch.old_x, watch.old_y = watch.old_x, watch.old_y, watch.x, watch.y
  local x, y, radius, is_first = watch.x, watch.y, watch.radius, watch.frames == 0
  for i, soldier in ipairs(watch.soldiers) do
    local unit = soldier.unit
    x[i], y[i] = unit.x + radius[i] + MARGIN, unit.y + radius[i] + MARGIN
    if is_first then watch.old_x[i], watch.old_y[i] = x[i], y[i] end
  end
end

-- The least distance of two during the frame, squared.
local function nearest(watch, a, b)
  local x, y = watch.old_x[b] - watch.old_x[a], watch.old_y[b] - watch.old_y[a]
  local dx, dy = watch.x[b] - watch.x[a] - x, watch.y[b] - watch.y[a] - y
  local speed = dx * dx + dy * dy
  if speed > 0 then
    local t = math.max(0, math.min(1, -(x * dx + y * dy) / speed))
    x, y = x + t * dx, y + t * dy
  end
  return x * x + y * y
end

local function look_at_pair(watch, a, b)
  local both = watch.radius[a] + watch.radius[b]
  local x, y = watch.x[b] - watch.x[a], watch.y[b] - watch.y[a]
  if x * x + y * y > (both + 2) * (both + 2) then return end
  local distance = math.sqrt(nearest(watch, a, b))
  watch.nearest = math.min(watch.nearest, distance - both)
  if distance < both - NEAR then watch.overlaps = watch.overlaps + 1 end
end

local function look_at_list(watch, a, b)
  while b do
    look_at_pair(watch, a, b)
    b = watch.next[b]
  end
end

-- Each pair once: with those put down before into the buckets around.
local function look_at_pairs(watch)
  local first, following, columns = watch.first, watch.next, watch.columns
  for bucket = 0, columns * watch.rows do first[bucket] = nil end
  for i = 1, #watch.soldiers do
    local bucket = (math.floor(watch.y[i] / SIDE) + 1) * columns + math.floor(watch.x[i] / SIDE) + 1
    for row = bucket - columns, bucket + columns, columns do
      look_at_list(watch, i, first[row - 1])
      look_at_list(watch, i, first[row])
      look_at_list(watch, i, first[row + 1])
    end
    following[i], first[bucket] = first[bucket], i
  end
end

local function note_stands(watch)
  local x, y, old_x, old_y, stood = watch.x, watch.y, watch.old_x, watch.old_y, watch.stood
  for i = 1, #watch.soldiers do
    stood[i] = x[i] == old_x[i] and y[i] == old_y[i] and stood[i] + 1 or 0
  end
end

local function wants_on(unit)
  local state = unit.state
  return state ~= "arrived" and state ~= "held"
end

-- How long ago a unit was sent where it is to be, and how long it has wanted there and come no nearer.
local function note_order(watch, i, unit)
  local x, y = unit:goal()
  if x ~= watch.goal_x[i] or y ~= watch.goal_y[i] then
    watch.goal_x[i], watch.goal_y[i] = x, y
    watch.sent[i], watch.wanted[i], watch.least[i] = watch.frames, 0, math.huge
  end
  if not x then return end
  local distance = math.sqrt((unit.x - x) * (unit.x - x) + (unit.y - y) * (unit.y - y))
  if distance <= watch.least[i] - 1 then
    watch.least[i], watch.wanted[i] = distance, 0
  elseif wants_on(unit) then
    watch.wanted[i] = watch.wanted[i] + ROUND
  end
end

-- Where bridges are blown, or walls are raised, there may be none: then nobody is to blame.
local function has_way(soldier)
  local unit, finder = soldier.unit, soldier.finder
  if not finder then return true end
  local x, y = unit:cell()
  return finder:reachable(x, y, unit:goal()) == true
end

local function is_jammed(watch, i)
  local stood, way = math.min(watch.stood[i], watch.wanted[i]), watch.frames - watch.sent[i]
  watch.longest_stand = math.max(watch.longest_stand, stood)
  watch.longest_way = math.max(watch.longest_way, way)
  local is_late = stood > LONGEST_STAND or way > LONGEST_WAY and watch.wanted[i] > LONGEST_STAND
  return is_late and has_way(watch.soldiers[i])
end

local function look_for_jams(watch)
  watch.jams = 0
  for i, soldier in ipairs(watch.soldiers) do
    note_order(watch, i, soldier.unit)
    if wants_on(soldier.unit) and is_jammed(watch, i) then watch.jams = watch.jams + 1 end
  end
  watch.most_jams = math.max(watch.most_jams, watch.jams)
end

-- After each frame.
function Watch:look()
  read_places(self)
  look_at_pairs(self)
  note_stands(self)
  self.frames = self.frames + 1
  if self.frames % ROUND == 0 then look_for_jams(self) end
end

return Watch
