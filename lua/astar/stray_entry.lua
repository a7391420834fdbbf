-- stray_entry.lua -- says which entry of a table no list counts by, in the words of the C module's errors.

local entries = next -- LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local describe = require((...):match "^(.+)[./][^./]+$" .. ".describe")

-- Whether of two stray keys the first is to be told of: the least number, if there is any, else the first string.
local function goes_before(key, other)
  if type(key) ~= type(other) or type(key) ~= "number" and type(key) ~= "string" then
    return other == nil or type(key) == "number"
  end
  return key < other
end

local function count_entries(list)
  local count = 0
  for _ in entries, list do
    count = count + 1
  end
  return count
end

--- A key of `list` that is no integer from 1 to `most`, as errors show it; nil where there is none. Without
-- `most` a list has no gaps: what lies beyond one is stray, too.
return function(list, most)
  local stray
  most = most or count_entries(list)
  for key in entries, list do
    local is_place = type(key) == "number" and key >= 1 and key <= most and key % 1 == 0
    if not is_place and goes_before(key, stray) then
      stray = key
    end
  end
  return stray ~= nil and "[" .. describe(stray) .. "]" or nil
end
