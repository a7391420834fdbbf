-- no_more.lua -- refuses an argument too many, as the functions of the C module do.

local describe = require((...):match "^(.+)[./][^./]+$" .. ".describe")

--- To be called by the function `name`, which takes `most` arguments, with all that come after those.
return function(name, most, ...)
  for i = 1, select("#", ...) do
    local extra = select(i, ...)
    if extra ~= nil then
      local count = most == 0 and "no arguments" or most == 1 and "1 argument" or most .. " arguments"
      error(("%s takes %s, got %s as argument %d"):format(name, count, describe(extra), most + i), 3)
    end
  end
end
