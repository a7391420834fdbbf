-- unknown_option.lua -- says which name in a table of options is none, in the words of the C module's errors.

local describe = require((...):match "^(.+)[./][^./]+$" .. ".describe")

-- The name that was meant: the one with the same first letter, else the first.
local function nearest(name, names)
  for _, known in ipairs(names) do
    if known:sub(1, 1) == name:sub(1, 1) then
      return known
    end
  end
  return names[1]
end

--- What is wrong with the names in `options`, a table; nil where all of them are among `names`.
return function(options, names)
  for name in next, options do
    local is_known = false
    for _, known in ipairs(names) do
      is_known = is_known or name == known
    end
    if not is_known then
      local hint = type(name) == "string" and (' (did you mean "%s"?)'):format(nearest(name, names)) or ""
      return "unknown option " .. describe(name) .. hint
    end
  end
end
