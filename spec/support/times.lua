-- times.lua -- how many random maps or cases a spec takes: as many as the variable 'name' of the environment says, else
-- all of 'usual' under make test-full, and a twentieth of them, but not fewer than 20, under make test.

local full = require "spec.support.full"

return function(name, usual)
  local told = tonumber(os.getenv(name))
  if told then return told end
  return full.is_full and usual or math.min(usual, math.max(20, math.ceil(usual / 20)))
end
