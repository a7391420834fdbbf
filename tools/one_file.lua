-- one_file.lua -- writes the twin in plain Lua as one module script, for hosts whose `require` takes no names, such as
-- Roblox: lua tools/one_file.lua >astar.lua; or, for hosts that look for the names of modules in a game's scripts,
-- such as Defold, the Lua that goes with the C module: lua tools/one_file.lua core FILE... >astar.lua; or, for a game
-- that copies one file to any folder of its own, all of the Lua: lua tools/one_file.lua whole FILE... >astar.lua
--
-- Each file becomes a function that gets its own name, as `require` would call it. What draws with LÖVE and, of the
-- twin, what reads files is left out, but of the whole nothing is.

local FOLDER = "lua/astar/"
local FILES = {
  "option_table", "option_names", "names", "later", "numbers", "describe", "plain_options", "draw", "errors",
  "checks", "make_grid", "finder_options", "goals_with_costs", "plain/object", "plain/make_grid", "plain/map",
  "plain/costs", "plain/jps", "plain/search", "plain/path", "plain/finder", "plain/jobs", "plain/flow", "plain/grid",
  "plain/field", "plain/core", "no_field", "no_more", "corner", "pace", "ground_pace", "unknown_option", "wrong_kind",
  "stray_entry", "directions", "workers/queue", "queue", "walker_job", "walker", "savegame", "walker_saving",
  "saving", "tower", "floors", "time/path", "time/steps", "time/search", "time/saving", "time/schedule",
  "time/question", "goals", "graph/graph", "jumper", "crowd/crowd", "world/world", "preload", "init",
}

local function read(name)
  local file = assert(io.open(FOLDER .. name .. ".lua"))
  local text = file:read "*a"
  file:close()
  return text
end

local TWIN_OPENING = [[
-- astar, its twin in plain Lua, in one file. Made by tools/one_file.lua; MIT license.

local files, package = {}, { loaded = {} }

local function require(name)
  if name == "astar.load_core" then name = "astar.plain.core" end
  if package.loaded[name] == nil then
    local file = files[name] or error("module '" .. name .. "' is not in this file", 2)
    package.loaded[name] = true
    package.loaded[name] = file(name)
  end
  return package.loaded[name]
end

]]

-- Here modules are the host's as well, and what is not among them, as the C module, is asked of the host.
local CORE_OPENING = [[
-- astar, all of its Lua in one file, for the C module. Made by tools/one_file.lua; MIT license.

local files, of_host = {}, require

local function require(name)
  local file = package.loaded[name] == nil and files[name]
  if not file then
    return of_host(name)
  end
  package.loaded[name] = file(name)
  return package.loaded[name]
end

]]

-- Returns the names of files in lua/astar: "tiled/map" for lua/astar/tiled/map.lua.
local function names_of(paths)
  local names = {}
  for i = 2, #paths do
    names[#names + 1] = paths[i]:match "^lua/astar/([%w_/]+)%.lua$"
  end
  return names
end

-- A game's own `require` finds the files of the whole in package.preload, below the name that the game gives to the one
-- file: "lib.astar" and "lib/astar" have files of their own, and a module "astar" of the game is not touched.
local WHOLE_OPENING = [[
-- astar, all of its Lua in one file. Made by tools/one_file.lua; MIT license. The C module lies beside this file:
-- astar_core.so, or astar_core.dll on Windows. Without it the twin in plain Lua answers, which is in here, too.

local own, preload = ... or "astar", package.preload

]]

-- Returns "queue" for lua/astar/queue.lua, and "plain.jps" for lua/astar/plain/jps.lua.
local function module_of(path)
  local name = assert(path:match "^lua/astar/([%w_/]+)%.lua$", path):gsub("/", ".")
  return name:gsub("%.init$", "") .. ""
end

if arg[1] == "whole" then
  io.write(WHOLE_OPENING)
  for i = 2, #arg do
    local name = module_of(arg[i])
    local file = arg[i]:match "^lua/astar/(.*)%.lua$"
    io.write(('preload[own .. ".%s"] = function(...)\n%send\n\n'):format(name, read(file)))
  end
  io.write 'return require(own .. ".init")\n'
  return
end

local with_core = arg[1] == "core"
io.write(with_core and CORE_OPENING or TWIN_OPENING)
for _, name in ipairs(with_core and names_of(arg) or FILES) do
  io.write(('files["astar.%s"] = function(...)\n%send\n\n'):format(name:gsub("/", "."), read(name)))
end
io.write 'return require("astar." .. "init")\n'
