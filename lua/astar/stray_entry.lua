-- stray_entry.lua -- finds a key of a table that does not belong in a list, such as a name or an index after a gap.
--
-- Functions that take a list report such a key in an error, because a loop over the list would ignore its value.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local describe = require((...):match "^(.+)[./][^./]+$" .. ".describe")

-- Returns true if an error should show `key` rather than `other`. An error shows the least number if there is one,
-- else the first string. The error is therefore the same in each run, although the order of a table differs.
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

--- Returns a key of `list` that is not an integer from 1 to `most`, as errors show it, or nil if there is none.
-- Without `most`, the number of all entries is used in its place, so an index after a gap is returned too.
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
