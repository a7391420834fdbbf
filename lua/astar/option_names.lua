-- option_names.lua -- lists names of options, from the table of options in option_table.lua.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local rows = require(FOLDER .. ".option_table")

--- Returns a list of the names of the options for which `test(row)` is true. The other arguments are added to the list.
return function(test, ...)
  local names = {}
  for _, row in ipairs(rows) do
    if test(row) then names[#names + 1] = row.name end
  end
  for i = 1, select("#", ...) do names[#names + 1] = (select(i, ...)) end
  return names
end
