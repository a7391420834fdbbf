-- load_core.lua -- finds and loads the C module ("the core"), or its twin in plain Lua if there is no C module.
--
-- A game may have a copy of this folder in lib/astar and require it as "lib.astar". Lua's `require` would then look for
-- a function luaopen_lib_astar_core in the core beside this file. The function is always called luaopen_astar_core, so
-- this file loads the core by that name. If there is no core beside this file, it loads an installed one.
-- Cores for several systems can lie in one folder: Windows loads core.dll, all other systems core.so.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local name, path = ...
local FOLDER = name:match "^(.+)[./][^./]+$"
local later = require(FOLDER .. ".later")

local NAME = FOLDER .. ".core"
local EXTENSION = package.config:sub(1, 1) == "\\" and "dll" or "so"

local love_of_host = rawget(_G, "love")
local filesystem = love_of_host and love_of_host.filesystem

-- Returns the file name of the core beside this file; nil if the host does not provide the path of this file. If all
-- Lua files were joined into one file (tools/one_file.lua), the core beside it is called astar_core in place of core.
local function file_beside()
  local is_file = path and path:find "%.lua$" -- Lua 5.4 passes ":preload:" if all files were joined into one
  local source = is_file and path or debug and debug.getinfo(1, "S").source:match "^@(.*%.lua)$"
  if not source then return nil end
  local folder = source:match "^(.*)load_core%.lua$"
  if folder then return folder .. "core." .. EXTENSION end
  return (source:match "^.*[/\\]" or "") .. "astar_core." .. EXTENSION
end

-- Returns true if the program is a LÖVE game that contains the file. This is checked before each read, because LÖVE in
-- a browser crashes when a game reads a missing file.
local function is_in_game(file)
  return filesystem and (not filesystem.getInfo or filesystem.getInfo(file) ~= nil)
end

-- Returns a list of the file names that the core may have, in the order in which they are tried.
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

-- Returns an error message if one of the files is a core for another version of Lua than the running one.
local function problem_of(files)
  for _, file in ipairs(files) do
    local text = read(file)
    local built_for = text and text:match "astar core built for (Lua %d+%.%d+)"
    if built_for and built_for ~= _VERSION then
      return ("%s was built for %s, this is %s: build it for this one"):format(file, built_for, _VERSION)
    end
  end
end

-- Returns true if a file exists, or if this Lua has no io to check this. A build of Lua for browsers crashes when it
-- loads a missing library, so a file is looked for first.
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

-- Loads the core if it could not be loaded from the files beside this one: from a packed LÖVE game, or an installed
-- core. Returns the core or nil, a message, and the message again if the fault is a core for another version of Lua.
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

-- Loads the twin in plain Lua because no C module could be loaded. The twin is slower and lacks many functions, so a
-- line on stderr says once that it is used. If memory ran out, returns nil: the C module may exist, and a later call
-- can load it.
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
    package.loaded[NAME] = nil -- Lua 5.1 marks a module whose loading failed as if it were still being loaded
    core = not wrong_lua and load_twin(problem) or error(problem, 0)
  end
  package.loaded[NAME] = core
  return core
end

-- Functions of parts that a core may lack, because it was built with an option such as make WITHOUT="crowd world".
-- Each function has the name of its part for WITHOUT and the name of the part in errors.
local PARTS = {
  crowd = { "crowd", "crowds" }, load_crowd = { "crowd", "crowds" },
  graph = { "graph", "graphs" }, states = { "graph", "graphs" }, load_graph = { "graph", "graphs" },
  workers = { "workers", "workers" }, batch = { "workers", "workers" }, world = { "world", "worlds" },
  desire = { "tactics", "tactics" },
}

-- Calls the function that a file of this folder returns. The C module calls `help` for rare work that is written in
-- Lua, such as hints in errors and drawings. Most programs never need these files, so the first call loads each file.
local helpers = {}
local function help(file, ...)
  local call = helpers[file]
  if not call then
    call = later(FOLDER .. "." .. file)
    helpers[file] = call
  end
  return call(...)
end

-- Adds to a core that was built without a part functions in place of that part's functions, which only raise an error
-- that names the missing part. is_graph_finder returns false in a core without graphs, because files in Lua call it
-- for every finder.
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
if core.set_helper then -- the twin requires the files itself
  core.set_helper(help)
  function core.meant(...) return help("names", ...) end
end
return core
