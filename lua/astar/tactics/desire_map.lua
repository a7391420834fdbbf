-- desire_map.lua -- finder:desire_map: a weighted sum of flows and fields, and the step to the cell with the least sum.
--
-- The numbers are read from the flows and fields themselves, which follow edits. A desire map therefore has no data
-- that could become stale. One call of the C module computes the sums of a cell and its neighbours.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local plain_options = require(ABOVE .. ".plain_options")
local no_field = require(ABOVE .. ".no_field")
local no_more = require(ABOVE .. ".no_more")
local unknown_option = require(ABOVE .. ".unknown_option")

local desire, MOST = core.desire, 1000000

--- map:next(x, y) --> x, y, value | nil, reason: returns the cell to step to, and the sum at (x, y). If no step leads
-- to a lesser sum, the cell is (x, y) itself. The method is the C module's function, because games call it for each
-- monster in each turn.
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

-- Adds the i-th entry to the parts of a map. Returns a message if the entry is wrong, else nil.
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

--- Calls the function `name` for the C module. Returns its result, or false and a message if an argument is wrong.
return function(name, ...)
  return calls[name](...)
end
