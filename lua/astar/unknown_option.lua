-- unknown_option.lua -- finds a name in a table of options that is not an option, for functions written in Lua.
--
-- The error messages are the same as those of the C module.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local describe = require(FOLDER .. ".describe")
local meant = require(FOLDER .. ".load_core").meant

-- Returns names as a text such as "a", "b" and "c", each name in quotation marks.
local function list_of(names)
  local list = '"' .. table.concat(names, '", "') .. '"'
  return (list:gsub('", ("[^"]*")$', '" and %1'))
end

--- Returns an error message if a key of the table `options` is not in the list `names`, else nil.
return function(options, names)
  if rawget(options, "_VERSION") ~= nil and rawget(options, "implementation") ~= nil then
    return "options must be a table of options, got " .. describe(options)
  end
  for name in entries, options do
    local is_known = false
    for _, known in ipairs(names) do
      is_known = is_known or name == known
    end
    if not is_known then
      local hint = meant(name, names)
      if hint == "" and type(name) == "string" then
        hint = (#names > 1 and "; there are " or "; there is ") .. list_of(names)
      end
      return "unknown option " .. describe(name) .. hint
    end
  end
end
