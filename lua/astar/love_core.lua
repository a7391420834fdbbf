-- love_core.lua -- loads the core out of a packed LÖVE game.
--
-- No system loads a library from inside an archive. So it is copied to the game's save directory, under its
-- version, and only where it is not there yet. LÖVE's own loader takes it from there: paths are UTF-8 to it
-- on Windows, too, where package.loadlib finds nothing below a user's name that is not ASCII.

local PREFIX = "astar-core-"
local MODULE = "astar_core" -- LÖVE looks for luaopen_ and this

-- Those of other versions go, and so does one of this version that differs: another process that has it
-- loaded keeps what it has, where writing over it would change it.
local function remove_copies(filesystem)
  for _, folder in ipairs(filesystem.getDirectoryItems "") do
    if folder:sub(1, #PREFIX) == PREFIX then
      for _, file in ipairs(filesystem.getDirectoryItems(folder)) do
        filesystem.remove(folder .. "/" .. file)
      end
      filesystem.remove(folder)
    end
  end
end

local function save(filesystem, folder, file, bytes)
  if filesystem.read(file) == bytes then
    return true
  end
  remove_copies(filesystem)
  filesystem.createDirectory(folder)
  return filesystem.write(file, bytes)
end

local function load_from(filesystem, folder)
  local before = filesystem.getCRequirePath()
  filesystem.setCRequirePath(folder .. "/??")
  local ok, core = pcall(require, MODULE)
  filesystem.setCRequirePath(before)
  package.loaded[MODULE] = nil
  return ok and core, core
end

-- The core of 'file', as love.filesystem names it; nil and why not.
return function(filesystem, file)
  local is_there = not filesystem.getInfo or filesystem.getInfo(file) -- else a browser's LÖVE stops for good
  local bytes, extension = is_there and filesystem.read(file), file:match "%.(%w+)$"
  if not bytes then
    return nil, ("%s is not there: astar's core for this system, which its archive for LÖVE has"):format(file)
  end
  local folder = PREFIX .. (bytes:match "astar core built for Lua [%d.]+ %(([%w.-]+)%)" or "unknown")
  local copy = ("%s/%s.%s"):format(folder, MODULE, extension)
  local real = filesystem.getSaveDirectory() .. "/" .. copy
  local ok, problem = save(filesystem, folder, copy, bytes)
  if not ok then
    return nil, ("%s cannot be loaded from inside the game, nor copied to %s: %s"):format(file, real, tostring(problem))
  end
  local core
  core, problem = load_from(filesystem, folder)
  if not core then -- LÖVE does not say why
    problem = package.loadlib and select(2, package.loadlib(real, "*")) or problem
    return nil, ("%s cannot be loaded, as %s: %s"):format(file, real, tostring(problem))
  end
  return core
end
