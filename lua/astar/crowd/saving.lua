-- saving.lua -- Converts crowds to strings and back: crowd:dump and astar.load_crowd.
--
-- The core writes its own data of a crowd. This file adds what only scripts see: the names of sides, and the speeds as
-- scripts have set them. The core stores these in the table `parts` of a crowd: parts[name] is the number of a side,
-- parts[-number] is its name, parts[0] is the number of sides, and parts[1], parts[2], ... are the units.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local savegame = require(ABOVE .. ".savegame")

local MOST_SIDES = 255

local saving = {}

-- Returns the string for crowd:dump(). The core calls this function.
function saving.dump(parts, bytes, crowd)
  local sides, speeds = parts[0] or 0, {}
  local list, count = { bytes, crowd.speed, sides }, 3
  for side = 1, sides do count, list[count + 1] = count + 1, parts[-side] end
  for _, unit in ipairs(crowd:units()) do speeds[unit] = unit.speed end
  for _, unit in ipairs(parts) do count, list[count + 1] = count + 1, speeds[unit] or false end
  return savegame.seal("crowd", list, count)
end

local function is_speed(value) return type(value) == "number" and value > 0 and value <= 1e6 end

-- Returns the table `parts` of a loaded crowd, with the speeds of units in place of the units. Returns nil if the
-- list cannot be the parts of a crowd.
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

--- astar.load_crowd(string, finder, ...): makes a crowd from a string that crowd:dump() returned, with the given
-- finders.
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
