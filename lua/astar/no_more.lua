-- no_more.lua -- raises an error if a function was called with too many arguments, as the C module's functions do.

local describe = require((...):match "^(.+)[./][^./]+$" .. ".describe")

--- Raises an error if one of the last arguments is not nil. The function `name`, which takes `most` arguments, calls
-- this function and passes all arguments after those that it takes.
return function(name, most, ...)
  for i = 1, select("#", ...) do
    local extra = select(i, ...)
    if extra ~= nil then
      local count = most == 0 and "no arguments" or most == 1 and "1 argument" or most .. " arguments"
      error(("%s takes %s, got %s as argument %d"):format(name, count, describe(extra), most + i), 3)
    end
  end
end
