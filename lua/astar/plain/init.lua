-- init.lua -- The module that `require "astar.plain"` returns: astar on top of its twin in plain Lua, whether or not
-- there is a C module. If there is none, `require "astar"` returns the same module.
--
-- The files of the folder above are loaded a second time, under module names of this folder. Their `load_core` then
-- returns the twin.

local FOLDER = (... or "astar.plain"):gsub("[./]init$", "")
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"

local loaded = package.loaded
local above = loaded[ABOVE .. ".load_core"]
if type(above) == "table" and above.implementation == "lua" then return require(ABOVE) end

local searchers = rawget(package, "searchers") or rawget(package, "loaders")

-- Runs a file of the folder above under a module name of this folder.
local function load_again(name)
  local file = ABOVE .. name:sub(#FOLDER + 1)
  for _, find in ipairs(searchers) do
    local chunk, extra = find(file)
    if type(chunk) == "function" then
      return chunk(name, extra)
    end
  end
  error(("module '%s' was not found"):format(name), 0)
end

loaded[FOLDER .. ".load_core"] = require(FOLDER .. ".core")
for _, name in ipairs {
  "corner", "describe", "directions", "errors", "floors", "goals", "jumper", "later", "ldtk", "love", "movingai",
  "no_field", "no_more", "ground_pace", "numbers", "option_names", "option_table", "pace", "plain_options", "preload",
  "queue", "savegame", "saving", "stray_entry", "tiled", "tower", "unknown_option", "walked_line", "walker",
  "walker_job", "walker_saving", "wrong_kind", "crowd.crowd", "crowd.saving", "graph.graph", "love.graph",
  "love.hexagons", "love.line_width", "love.links_and_walls", "love.overlay", "tiled.check", "tiled.data",
  "tiled.file", "tiled.graph", "tiled.ground", "tiled.hexagons", "tiled.json", "tiled.map", "tiled.scripts",
  "tiled.shapes", "tiled.staggered", "tiled.tiles", "tiled.xml", "time.path", "time.question", "time.saving",
  "time.schedule", "time.search", "time.steps", "workers.queue", "world.chunk", "world.flight", "world.routes",
  "world.window", "world.world",
} do
  package.preload[FOLDER .. "." .. name] = load_again
end

for _, find in ipairs(searchers) do
  local chunk, extra = find(ABOVE .. ".init")
  if type(chunk) == "function" then
    return chunk(FOLDER, extra)
  end
end
error("module " .. ABOVE .. ".init was not found", 0)
