-- later.lua -- loads other files of this folder when they are first needed, because most programs need few of them.
--
-- A host may remove the globals `require` and `package` after it has loaded astar. This file keeps a reference to
-- both, but a file that it loads may require further files by the global name. Therefore no file can be loaded after
-- the host has removed `require`. A host that removes `require` must call astar.preload before.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local require, loaded, globals, find = require, package.loaded, _G, string.find

local PREFIX = (...):match "^(.+[./])[^./]+$"

-- False if all files were joined into one file (tools/one_file.lua), which has a local `require`. In this case it
-- does not matter whether the global function exists.
local is_global = rawget(globals, "require") == require

-- Removes the marks of files of this folder whose loading failed. If loading a module fails, for example because
-- memory has run out, Lua 5.1 leaves a userdata in package.loaded, and reports a loop when the module is required
-- again. This function allocates no memory, because there may still be none.
local function forget_unloaded()
  for name, value in entries, loaded do
    if type(value) == "userdata" and type(name) == "string" and find(name, PREFIX, 1, true) == 1 then
      loaded[name] = nil
    end
  end
end

--- Loads the module `name` if it is not loaded yet, and returns its value. `name` is a full name as for `require`.
return function(name)
  local value = loaded[name]
  if value ~= nil and type(value) ~= "userdata" then return value end
  if is_global and rawget(globals, "require") == nil then
    error(name .. " cannot be loaded: this host has removed `require`; call astar.preload() before that", 0)
  end
  forget_unloaded() -- an earlier call may have failed before it could remove its mark
  local ok
  ok, value = pcall(require, name)
  if not ok then
    forget_unloaded()
    error(value, 0)
  end
  return value
end
