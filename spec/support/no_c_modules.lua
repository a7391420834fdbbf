-- no_c_modules.lua -- lets busted run on a Lua that has no C modules, such as one under wine.
--
-- busted asks them for the time, whether it writes to a terminal, and whether a name is a file's. Specs are
-- then named one by one: no folder can be listed.

package.preload.system = function()
  return { gettime = os.time, monotime = os.clock, sleep = function() end }
end

package.preload.term = function()
  return { isatty = function() return false end }
end

package.preload.lfs = function()
  local function attributes(path, what)
    local file = io.open(path)
    local found = { mode = file and "file" }
    if file then
      file:close()
    end
    return file and (what and found[what] or found) or nil
  end
  local function unsupported()
    error("needs LuaFileSystem", 2)
  end
  return { attributes = attributes, symlinkattributes = attributes, currentdir = function() return "." end,
    chdir = function() return true end, dir = unsupported, mkdir = unsupported, rmdir = unsupported }
end
