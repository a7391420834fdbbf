-- preload.lua -- astar.preload(): loads all files of this folder and its subfolders immediately.
--
-- Without it, a file is loaded when it is first needed. A host calls it before it removes `require` and `package` from
-- its scripts, or if no files can be opened while the game runs.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local later = require(FOLDER .. ".later")

-- The names of all files except love/core.lua, which loads the C module from a packed LÖVE game and is no longer
-- needed at this point.
local NAMES = {
  "arguments", "checks", "corner", "describe", "directions", "draw", "errors", "finder_options", "floors", "goals",
  "goals_with_costs", "ground", "ground_pace", "jumper", "later", "ldtk", "links_and_walls", "load_core", "love",
  "make_grid", "movingai", "names", "no_field", "no_more", "numbers", "option_names", "option_table", "pace",
  "places", "places_job", "plain_options", "queue", "savegame", "saving", "stray_entry", "tell", "tiled", "tower",
  "unknown_option", "walked_line", "walker", "walker_job", "walker_saving", "wrong_kind", "crowd.crowd",
  "crowd.formation", "crowd.saving", "graph.graph", "graph.joined", "love.graph", "love.hexagons", "love.line_width",
  "love.links_and_walls", "love.overlay", "tactics.desire_map", "opaque", "tiled.check", "tiled.data", "tiled.file",
  "tiled.graph", "tiled.ground", "tiled.hexagons", "tiled.json", "tiled.map", "tiled.scripts", "tiled.shapes",
  "tiled.staggered", "tiled.tiles", "tiled.xml", "time.path", "time.question", "time.saving", "time.schedule",
  "time.search", "time.steps", "time.tours", "workers.queue", "world.chunk", "world.flight", "world.routes",
  "world.window", "world.world",
}

-- Files that only the C module uses. They are not loaded for its twin in plain Lua.
local OF_THE_C_MODULE = { arguments = true }

-- Loads a file if it exists. A game may leave out files whose functions it does not call, so a missing file is not an
-- error here; it becomes an error when a script first uses the file. Any other fault of a file is an error
-- immediately.
local function load_if_there(name)
  local ok, problem = pcall(later, name)
  if not ok and not tostring(problem):find("module '" .. FOLDER, 1, true) then
    error(problem, 0)
  end
end

-- Loads all files. `core` is the C module or its twin in plain Lua.
return function(core)
  for _, name in ipairs(NAMES) do
    if core.implementation ~= "lua" or not OF_THE_C_MODULE[name] then
      load_if_there(FOLDER .. "." .. name)
    end
  end
end
