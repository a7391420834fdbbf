-- later.lua -- loads files of this folder when they are first needed, for most programs need few of them.
--
-- A host may take `require` and `package` away from its scripts once astar is loaded. This file keeps both, but a file
-- that is loaded then requires others by the global name. So no further file can be loaded, unless astar.preload was
-- called before.

local entries = next -- for loops, see entries_spec
local require, loaded, globals, find = require, package.loaded, _G, string.find

local PREFIX = (...):match "^(.+[./])[^./]+$"

-- Where all files lie in one, `require` is that file's own.
local is_global = rawget(globals, "require") == require

-- Lua 5.1 takes a module whose loading has failed, be it for want of memory, for one that is being loaded. There may
-- still be no memory: none is taken here.
local function forget_unloaded()
  for name, value in entries, loaded do
    if type(value) == "userdata" and type(name) == "string" and find(name, PREFIX, 1, true) == 1 then
      loaded[name] = nil
    end
  end
end

--- What the file of that name returns, as `require` would name it.
return function(name)
  local value = loaded[name]
  if value ~= nil and type(value) ~= "userdata" then return value end
  if is_global and rawget(globals, "require") == nil then
    error(name .. " cannot be loaded: this host has taken `require` away; call astar.preload() before it does", 0)
  end
  forget_unloaded() -- of an earlier call, which had no memory even for that
  local ok
  ok, value = pcall(require, name)
  if not ok then
    forget_unloaded()
    error(value, 0)
  end
  return value
end
