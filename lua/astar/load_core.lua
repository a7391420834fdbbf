-- load_core.lua -- loads the C module, under whatever name this folder is required.
--
-- A copy in lib/astar is `lib.astar` to Lua, which then expects luaopen_lib_astar_core of a core beside
-- it. The function is luaopen_astar_core all the same, so it is looked for by that name; where there is
-- no core beside this file, an installed one serves.

local name, path = ...
local FOLDER = name:match "^(.+)[./][^./]+$"
local NAME = FOLDER .. ".core"

-- Where the C module of this folder may be.
local function candidates()
  local files = {}
  for template in package.cpath:gmatch "[^;]+" do
    files[#files + 1] = template:gsub("%?", (NAME:gsub("%.", package.config:sub(1, 1))))
  end
  local source = path or (debug and debug.getinfo(1, "S").source:match "^@(.*)")
  local folder = source and source:match "^(.*)load_core%.lua$"
  for _, extension in ipairs(folder and { "so", "dll" } or {}) do
    local file = folder .. "core." .. extension
    local filesystem = rawget(_G, "love") and love.filesystem -- luacheck: ignore 113
    local real = filesystem and filesystem.getRealDirectory and filesystem.getRealDirectory(file)
    files[#files + 1] = real and real .. "/" .. file or file
  end
  return files
end

-- What is wrong with the first of these files that is there, where that is the Lua it was built for.
local function problem_of(files)
  for _, file in ipairs(files) do
    local handle = io and io.open(file, "rb")
    local text = handle and handle:read "*a"
    if handle then
      handle:close()
    end
    local built_for = text and text:match "astar core built for (Lua %d+%.%d+)"
    if built_for and built_for ~= _VERSION then
      return ("%s was built for %s, this is %s: build it for this one"):format(file, built_for, _VERSION)
    end
  end
end

local function load_beside(files)
  for _, file in ipairs(package.loadlib and files or {}) do
    local open = package.loadlib(file, "luaopen_astar_core")
    if open then
      return open(NAME, file)
    end
  end
end

local function load_core()
  local ok, core = pcall(require, NAME)
  if ok then
    return core
  end
  local problem, files = core, candidates()
  core = load_beside(files)
  if not core and NAME ~= "astar.core" then
    ok, core = pcall(require, "astar.core")
    core = ok and core
  end
  if not core then
    package.loaded[NAME] = nil -- Lua 5.1 leaves a mark there
    error(problem_of(files) or problem, 0)
  end
  package.loaded[NAME] = core
  return core
end

return load_core()
