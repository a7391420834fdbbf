-- load_core.lua -- loads the C module, under whatever name this folder is required.
--
-- A copy in lib/astar is `lib.astar` to Lua, which then expects luaopen_lib_astar_core of a core beside
-- it. The function is luaopen_astar_core all the same, so it is looked for by that name; where there is
-- no core beside this file, an installed one serves. Cores for several systems lie side by side: Windows
-- takes core.dll, all others core.so.

local entries = next -- for loops, see entries_spec
local name, path = ...
local FOLDER = name:match "^(.+)[./][^./]+$"
local later = require(FOLDER .. ".later")

local NAME = FOLDER .. ".core"
local EXTENSION = package.config:sub(1, 1) == "\\" and "dll" or "so"

local love_of_host = rawget(_G, "love")
local filesystem = love_of_host and love_of_host.filesystem

-- Returns the file of the core beside this file, nil if the host does not tell where this file is. If all of the Lua
-- lies in one file (tools/one_file.lua), the core beside that has a longer name.
local function file_beside()
  local is_file = path and path:find "%.lua$" -- Lua 5.4 passes ":preload:" for a file that is part of another
  local source = is_file and path or debug and debug.getinfo(1, "S").source:match "^@(.*%.lua)$"
  if not source then return nil end
  local folder = source:match "^(.*)load_core%.lua$"
  if folder then return folder .. "core." .. EXTENSION end
  return (source:match "^.*[/\\]" or "") .. "astar_core." .. EXTENSION
end

-- Whether LÖVE has a file. A browser's build of it stops for good where one is read that is not there.
local function is_in_game(file)
  return filesystem and (not filesystem.getInfo or filesystem.getInfo(file) ~= nil)
end

-- Where the C module of this folder may be.
local function candidates()
  local files = {}
  for template in package.cpath:gmatch "[^;]+" do
    files[#files + 1] = template:gsub("%?", (NAME:gsub("%.", package.config:sub(1, 1))))
  end
  local file = file_beside()
  local real = file and is_in_game(file) and filesystem.getRealDirectory and filesystem.getRealDirectory(file)
  files[#files + 1] = real and real .. "/" .. file or nil
  files[#files + 1] = file
  return files
end

local function read(file)
  local handle = io and io.open(file, "rb")
  if not handle then
    return is_in_game(file) and filesystem.read and filesystem.read(file) or nil
  end
  local text = handle:read "*a"
  handle:close()
  return text
end

-- What is wrong with the first of these files that is there, where that is the Lua it was built for.
local function problem_of(files)
  for _, file in ipairs(files) do
    local text = read(file)
    local built_for = text and text:match "astar core built for (Lua %d+%.%d+)"
    if built_for and built_for ~= _VERSION then
      return ("%s was built for %s, this is %s: build it for this one"):format(file, built_for, _VERSION)
    end
  end
end

-- A browser's build of Lua stops for good where it is to load a library that is not there.
local function may_be_there(file)
  local handle = io and io.open(file, "rb")
  return not io or handle and handle:close()
end

local function load_beside(files)
  for _, file in ipairs(package.loadlib and files or {}) do
    local open = may_be_there(file) and package.loadlib(file, "luaopen_astar_core")
    if open then
      return open(NAME, file)
    end
  end
end

-- The core where no library can be loaded beside this file: out of a packed game, or an installed one.
local function load_elsewhere(files, problem)
  local file, wrong_lua, core = file_beside(), problem_of(files), nil
  if file and not wrong_lua and filesystem and filesystem.getCRequirePath then
    core, problem = require(FOLDER .. ".love.core")(filesystem, file)
  end
  if not core and NAME ~= "astar.core" then
    local ok, installed = pcall(require, "astar.core")
    core = ok and installed
  end
  return core, wrong_lua or problem, wrong_lua
end

-- The twin in plain Lua where no C module can be loaded. That is slower and lacks much, so it is said, once. Where
-- there is no memory there may be a C module.
local function load_twin(problem)
  if tostring(problem):find("not enough memory", 1, true) then
    return nil
  end
  local ok, twin = pcall(require, FOLDER .. ".plain.core")
  if not ok then
    return nil
  end
  local out = io and io.stderr
  if out then
    local why = tostring(problem):match "^[^\n]*":gsub(":$", "")
    out:write(("astar: %s: its twin in plain Lua stands in, see docs/platforms.md\n"):format(why))
  end
  return twin
end

-- Returns true in love.js (LÖVE in a browser), where loading any C library ends the game.
local function is_in_browser()
  local system = love_of_host and love_of_host.system
  return system ~= nil and system.getOS ~= nil and system.getOS() == "Web"
end

local function load_core()
  if is_in_browser() then return load_twin "a browser loads no C module" end
  local ok, core = pcall(require, NAME)
  if ok then
    return core
  end
  local files, problem = candidates(), core
  core = load_beside(files)
  local wrong_lua
  if not core then
    core, problem, wrong_lua = load_elsewhere(files, problem)
  end
  if not core then
    package.loaded[NAME] = nil -- Lua 5.1 leaves a mark there
    core = not wrong_lua and load_twin(problem) or error(problem, 0)
  end
  package.loaded[NAME] = core
  return core
end

-- By function: the part that a core may be built without, by make WITHOUT="crowd world", and how errors call it.
local PARTS = {
  crowd = { "crowd", "crowds" }, load_crowd = { "crowd", "crowds" },
  graph = { "graph", "graphs" }, states = { "graph", "graphs" }, load_graph = { "graph", "graphs" },
  workers = { "workers", "workers" }, batch = { "workers", "workers" }, world = { "world", "worlds" },
  desire = { "tactics", "tactics" },
}

-- What the C module leaves to Lua, errors about names and drawings: most programs have neither, so each file is loaded
-- when it is first asked.
local helpers = {}
local function help(file, ...)
  local give = helpers[file]
  if not give then
    give = later(FOLDER .. "." .. file)
    helpers[file] = give
  end
  return give(...)
end

-- Has a core say what it was built without. No finder is a graph's then.
local function stand_in(core)
  core.is_graph_finder = core.is_graph_finder or function() return false end
  for asked, part in entries, PARTS do
    core[asked] = core[asked] or function()
      error(("astar was built without %s: WITHOUT=%s"):format(part[2], part[1]), 2)
    end
  end
  return core
end

local core = stand_in(load_core())
if core.set_helper then -- the twin needs none
  core.set_helper(help)
  function core.meant(...) return help("names", ...) end
end
return core
