-- saving.lua -- crowds as strings, and strings as crowds: crowd:dump and astar.load_crowd.
--
-- The core saves what it knows. Added to that is what only scripts see: names of sides, and speeds as they were told.
-- The core keeps those in a crowd's parts: each side's number by its name, its name by that below 0, how many at 0, and
-- units by their numbers.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local savegame = require(ABOVE .. ".savegame")

local MOST_SIDES = 255

local saving = {}

-- crowd:dump(), as the core asks for it.
function saving.dump(parts, bytes, crowd)
  local sides, speeds = parts[0] or 0, {}
  local list, count = { bytes, crowd.speed, sides }, 3
  for side = 1, sides do count, list[count + 1] = count + 1, parts[-side] end
  for _, unit in ipairs(crowd:units()) do speeds[unit] = unit.speed end
  for _, unit in ipairs(parts) do count, list[count + 1] = count + 1, speeds[unit] or false end
  return savegame.seal("crowd", list, count)
end

-- ---- load ----

local function is_speed(value) return type(value) == "number" and value > 0 and value <= 1e6 end

-- The parts that a list holds: the sides, and the speeds of units in the place of those; nil: it cannot be one.
local function parts_of(list, count)
  local parts, sides = {}, list[3]
  local is_sound = type(list[1]) == "string" and is_speed(list[2]) and type(sides) == "number" and sides >= 0 and
    sides <= MOST_SIDES and sides % 1 == 0
  if not is_sound then return nil end
  for side = 1, sides do
    local name = list[3 + side]
    if type(name) ~= "string" or parts[name] then return nil end
    parts[name], parts[-side] = side, name
  end
  if sides > 0 then parts[0] = sides end
  for i = 4 + sides, count do
    if list[i] and not is_speed(list[i]) then return nil end
    parts[i - 3 - sides] = list[i]
  end
  return parts
end

--- astar.load_crowd(string, finder, ...): the crowd that `crowd:dump()` wrote, by finders of this grid.
function saving.load(text, finder, ...)
  if type(text) ~= "string" then
    error("a crowd's dump expected, got " .. describe(text), 4)
  end
  local list, count = savegame.unseal("crowd", text)
  local parts = list and parts_of(list, count)
  local ok, crowd = pcall(core.load_crowd, parts and list[1] or "", parts and list[2] or 1, parts or {}, finder, ...)
  if not ok then
    error(crowd, 4)
  elseif not parts or not crowd then
    error(savegame.refusal("crowd", text), 4)
  end
  return crowd
end

return function(name, ...) return (saving[name](...)) end
