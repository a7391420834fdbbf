-- plain_options.lua -- options that a table has from its metatable, as in setmetatable({}, { __index = DEFAULTS }).
--
-- All options are read raw, so that no function of a script runs in the middle of a call. A table with a metatable is
-- therefore copied at the beginning of the call.

local entries = next -- LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local getmetatable = getmetatable -- a host may take it later

--- Returns `options` itself unless it is a table with a metatable. Of such a table returns a plain copy: its own
-- entries, and what __index gives for the listed names. An error inside __index passes on.
-- A table that holds another name is no table of options, perhaps some object: its metatable is not asked, and the
-- caller refuses that name.
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
