-- rock.lua -- runs specs on the rock that is installed, as `luarocks test` starts it. Needs busted for this Lua.
--
-- Arguments are busted's. Without any it runs all but the specs of the source tree, of what make builds, and
-- those that take long.

local OMITTED = " amalgamation bench benchmarks canonical clearance core determinism differential docs examples "
  .. "extending fuzz install_c links_and_walls_random love/core love/love luas need origins process readme require "
  .. "site soak summary tamper "

local function list_specs()
  local names, pipe = {}, assert(io.popen "ls spec/*_spec.lua spec/*/*_spec.lua")
  for file in pipe:lines() do
    local name = file:match "^spec/([%w_/]+)_spec%.lua$"
    if name and not OMITTED:find(" " .. name .. " ", 1, true) then
      names[#names + 1] = file
    end
  end
  pipe:close()
  return names
end

package.path = "./?.lua;" .. package.path
local arguments = rawget(_G, "arg")
if #arguments == 0 then
  for i, name in ipairs(list_specs()) do arguments[i] = name end
end
require "busted.runner" { standalone = false }
