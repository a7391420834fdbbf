-- desire_map.lua -- finder:desire_map: several flows and fields, each with a weight, and the step to the least sum.
--
-- What is summed lies in the flows and fields themselves, which follow edits; so the map has nothing to bring up to
-- date. Nine cells are weighed in one call of the C module.

local entries = next -- for loops, see entries_spec
local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local plain_options = require(ABOVE .. ".plain_options")
local no_field = require(ABOVE .. ".no_field")
local no_more = require(ABOVE .. ".no_more")
local unknown_option = require(ABOVE .. ".unknown_option")

local desire, MOST = core.desire, 1000000

--- map:next(x, y) --> x, y, value: the cell to step on to, itself where no step leads to less, and the sum where one
-- is; nil and a reason. The C module's function itself: a call for each monster, each turn.
local DesireMap = { next = desire }
no_field.of_class(DesireMap, "astar desire map", "", "steps parts")

--- map:value(x, y) --> number | nil, reason
function DesireMap:value(x, y, ...)
  no_more("value", 2, ...)
  local ok, next_x, reason, value = pcall(desire, self, x, y)
  if not ok then
    error(tostring(next_x):gsub("^[^\n:]*:%d+: ", ""), 2)
  elseif next_x then
    return value
  end
  return nil, reason
end

function DesireMap:__tostring()
  return ("astar desire map of %d"):format(#self.parts / 3)
end

local function check_number(value, name)
  if type(value) ~= "number" or value ~= value or math.abs(value) > MOST then
    return ("%s must be a number from %d to %d, got %s"):format(name, -MOST, MOST, describe(value))
  end
end

local OF_ENTRIES = { "missing" }

-- Adds what the i-th entry says; what is wrong with it.
local function add_part(parts, entry, i)
  local name = ("parts[%d]"):format(i)
  if type(entry) ~= "table" then
    return ("%s must be { flow or field, weight }, got %s"):format(name, describe(entry))
  end
  entry = plain_options(entry, OF_ENTRIES)
  local weight, missing = rawget(entry, 2), rawget(entry, "missing")
  for key in entries, entry do
    if type(key) == "string" and key ~= "missing" then return unknown_option({ [key] = true }, { "missing" }) end
    if key ~= 1 and key ~= 2 and key ~= "missing" then
      return ("%s must be { flow or field, weight }, got an entry [%s]"):format(name, describe(key))
    end
  end
  local at = #parts
  parts[at + 1], parts[at + 2], parts[at + 3] = rawget(entry, 1) or false, weight or 1, missing or false
  return check_number(parts[at + 2], name .. "[2]") or missing ~= nil and check_number(missing, name .. ".missing")
end

local calls = {}

function calls.desire_map(finder, list)
  if type(list) ~= "table" then
    return false, "parts must be a list of { flow or field, weight }, got " .. describe(list)
  end
  local parts = {}
  for i, entry in ipairs(list) do
    local problem = add_part(parts, entry, i)
    if problem then return false, problem end
  end
  if #parts == 0 then
    return false, "parts must be a list of { flow or field, weight }, got none"
  end
  local map = setmetatable({ steps = finder:flow({}), parts = parts }, DesireMap)
  local ok, problem = pcall(desire, map)
  return ok and map, problem
end

--- Answers for the C module: what the function of that name gives; false and what is wrong with an argument.
return function(name, ...)
  return calls[name](...)
end
