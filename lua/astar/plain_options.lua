-- plain_options.lua -- reads tables of options that have a metatable, as in setmetatable({}, { __index = DEFAULTS }).
--
-- All files read options with rawget, so that no metamethod of a script can run in the middle of a call. Therefore a
-- table with a metatable is copied to a plain table at the beginning of the call. The copy has the defaults.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local getmetatable = getmetatable -- kept here because a host may remove the global function later

--- Returns `options` itself unless it is a table with a metatable. For such a table, returns a plain copy with its own
-- entries and the values that __index returns for the listed names. An error in __index is passed on to the caller.
-- If the table has a name as key that is not in the list, it may be some other object. Then __index is not called, and
-- the caller raises an error about the unknown name.
return function(options, names)
  if type(options) ~= "table" or getmetatable(options) == nil then return options end
  local plain, known = {}, {}
  for _, name in ipairs(names) do known[name] = true end
  local is_refused = false
  for name, value in entries, options do
    plain[name] = value
    is_refused = is_refused or type(name) == "string" and not known[name]
  end
  if is_refused then return plain end
  for _, name in ipairs(names) do plain[name] = options[name] end
  return plain
end
