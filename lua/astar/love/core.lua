-- core.lua -- Loads the core from a packed LÖVE game.
--
-- No system loads a library from inside an archive, so the core is copied to the game's save directory and loaded
-- from there. Several processes and threads of one game may do this at the same moment, and a process crashes if a
-- library that it has mapped is overwritten. This has two consequences. A file that other processes can see is never
-- written: a new copy is written under a unique name and renamed when it is complete. A setting that all threads of a
-- process share is never changed for a moment and restored, because another thread would see the change.

local PREFIX = "astar-core-"
local MODULE = "astar_core" -- the library's function is luaopen_ and this name

-- Copies of other versions are removed when they are older than this, in seconds. Another process may still be about
-- to load a younger copy.
local OLD = 24 * 60 * 60

-- The removal of an old copy by another process can come between finding the copy and loading it, and LÖVE makes no
-- save directory if another process makes it at that moment. In these cases the copy is looked for, or made, again.
local ATTEMPTS = 3

-- Returns a name that no other process and no other thread will choose.
local function unique_name()
  local ok, name = pcall(os.tmpname) -- a random name on systems that create the file
  if ok then os.remove(name) end
  local text = tostring {} .. (ok and name or "") .. os.time() .. os.clock()
  return (text:gsub("%W", ""))
end

-- Returns the folder of a complete copy, nil if there is none. Any folder of this version is accepted, because a copy
-- that the system could not rename has kept its unique name.
local function find_copy(filesystem, folder, file, bytes)
  local names = {}
  for _, name in ipairs(filesystem.getDirectoryItems "") do
    if name == folder or name:sub(1, #folder + 1) == folder .. "+" then names[#names + 1] = name end
  end
  table.sort(names) -- `folder` comes first
  for _, name in ipairs(names) do
    if filesystem.read(name .. "/" .. file) == bytes then return name end
  end
end

-- Removes a folder with its files.
local function remove(filesystem, folder)
  for _, name in ipairs(filesystem.getDirectoryItems(folder)) do
    filesystem.remove(folder .. "/" .. name)
  end
  filesystem.remove(folder)
end

-- Removes old copies except the one in `kept`. Windows does not remove a library that is in use; on other systems the
-- processes that have mapped it keep it.
local function remove_old_copies(filesystem, kept)
  for _, folder in ipairs(filesystem.getInfo and filesystem.getDirectoryItems "" or {}) do
    local is_copy = folder ~= kept and folder:sub(1, #PREFIX) == PREFIX
    local info = is_copy and filesystem.getInfo(folder)
    if info and info.modtime and info.modtime < os.time() - OLD then remove(filesystem, folder) end
  end
end

-- Writes a copy and returns its folder, which is `folder` if the copy could be renamed. Returns nil and the reason if
-- writing fails.
local function write_copy(filesystem, folder, file, bytes)
  local own = folder .. "+" .. unique_name()
  filesystem.createDirectory(own)
  local ok, problem = filesystem.write(own .. "/" .. file, bytes)
  if not ok then
    remove(filesystem, own)
    return nil, problem
  end
  filesystem.createDirectory(folder)
  local save = filesystem.getSaveDirectory()
  local is_renamed = os.rename(("%s/%s/%s"):format(save, own, file), ("%s/%s/%s"):format(save, folder, file))
  -- On Windows, renaming fails if the file exists, and os.rename finds no path that contains a non-ASCII user name.
  local is_there = is_renamed or filesystem.read(folder .. "/" .. file) == bytes
  if is_there then remove(filesystem, own) end
  local used = is_there and folder or own
  remove_old_copies(filesystem, used)
  return used
end

-- Loads a copy by LÖVE's own loader. On Windows this loader accepts paths in UTF-8, whereas package.loadlib finds no
-- file whose path contains a non-ASCII user name. All threads share the search path of this loader, so a path is
-- added once and never removed.
local function load_by_love(filesystem, folder)
  local path, element = filesystem.getCRequirePath(), folder .. "/??"
  if not (";" .. path .. ";"):find(";" .. element .. ";", 1, true) then
    filesystem.setCRequirePath(path .. ";" .. element)
  end
  local ok, core = pcall(require, MODULE)
  package.loaded[MODULE] = nil
  return ok and core or nil
end

-- Loads the copy in a folder. Returns nil and the reason if that fails.
local function load_copy(filesystem, folder, file)
  local real = ("%s/%s/%s"):format(filesystem.getSaveDirectory(), folder, file)
  local open, problem
  if package.loadlib then open, problem = package.loadlib(real, "luaopen_" .. MODULE) end
  if open then
    local ok, core = pcall(open, MODULE, real)
    return ok and core or nil, core
  end
  return load_by_love(filesystem, folder), problem or "LÖVE does not say why"
end

-- Calls f while no other thread of this process runs this function, and returns what f returns.
local function call_alone(f)
  local thread = rawget(_G, "love").thread -- missing if a game's conf.lua disables the module
  if not thread then return f() end
  return thread.getChannel("astar core"):performAtomic(f)
end

-- Loads and returns the core from `file`, a path for love.filesystem. Returns nil and the reason if that fails.
return function(filesystem, file)
  local is_there = not filesystem.getInfo or filesystem.getInfo(file) -- LÖVE in a browser aborts on a missing file
  local bytes, extension = is_there and filesystem.read(file), file:match "%.(%w+)$"
  if not bytes then
    return nil, ("%s is not there: astar's core for this system, which its archive for LÖVE has"):format(file)
  end
  local version = bytes:match "astar core built for Lua [%d.]+ %(([%w.-]+)%)" or "unknown"
  local folder, name = PREFIX .. version, ("%s.%s"):format(MODULE, extension)

  return call_alone(function()
    local core, used, problem
    for _ = 1, ATTEMPTS do
      used = find_copy(filesystem, folder, name, bytes)
      if not used then used, problem = write_copy(filesystem, folder, name, bytes) end
      if used then
        core, problem = load_copy(filesystem, used, name)
        if core then return core end
      end
    end
    if not used then
      return nil, ("%s cannot be loaded from inside the game, nor copied to %s/%s/%s: %s"):format(file,
        filesystem.getSaveDirectory(), folder, name, tostring(problem))
    end
    local real = ("%s/%s/%s"):format(filesystem.getSaveDirectory(), used, name)
    return nil, ("%s cannot be loaded, as %s: %s"):format(file, real, problem)
  end)
end
