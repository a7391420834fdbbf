-- one_file.lua -- writes the twin in plain Lua as one module script, for hosts whose `require` takes no names, such as
-- Roblox: lua tools/one_file.lua >astar.lua
--
-- Each file becomes a function that gets its own name, as `require` would call it. What draws with LÖVE and reads files
-- is left out.

local FOLDER = "lua/astar/"
local FILES = {
  "names", "describe", "draw", "plain/object", "plain/make_grid", "plain/map", "plain/costs", "plain/jps", "plain/search",
  "plain/path", "plain/finder", "plain/jobs", "plain/draw", "plain/flow", "plain/grid", "plain/core",
  "no_field", "no_more", "corner", "pace", "unknown_option", "stray_entry", "directions", "worker_queue",
  "queue", "walker_job", "walker", "floors", "graph", "crowd", "world", "init",
}

local function read(name)
  local file = assert(io.open(FOLDER .. name .. ".lua"))
  local text = file:read "*a"
  file:close()
  return text
end

io.write [[
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

for _, name in ipairs(FILES) do
  io.write(('files["astar.%s"] = function(...)\n%send\n\n'):format(name:gsub("/", "."), read(name)))
end
io.write 'return require "astar.init"\n'
