-- preload.lua -- astar.preload(): all files of this folder and of those below at once.
--
-- For hosts that take `require` and `package` away from their scripts, or open no files while a game runs.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local later = require(FOLDER .. ".later")

-- Out of a packed LÖVE game love/core.lua has loaded the C module already.
local NAMES = {
  "arguments", "checks", "corner", "describe", "directions", "draw", "finder_options", "floors", "goals", "jumper",
  "later", "ldtk", "links_and_walls", "load_core", "love", "make_grid", "movingai", "names", "no_field", "no_more",
  "numbers", "pace", "places", "plain_options", "queue", "savegame", "stray_entry", "tell", "tiled", "unknown_option",
  "walked_line", "walker", "walker_job", "walker_saving", "wrong_kind", "crowd.crowd", "crowd.formation",
  "crowd.saving", "graph.graph", "graph.joined", "love.graph", "love.hexagons", "love.links_and_walls",
  "love.overlay", "tactics.desire_map", "opaque", "tiled.check", "tiled.data", "tiled.file", "tiled.graph",
  "tiled.ground", "tiled.hexagons", "tiled.json", "tiled.map", "tiled.scripts", "tiled.shapes", "tiled.staggered",
  "tiled.tiles", "tiled.xml", "time.path", "time.question", "time.schedule", "time.search", "time.steps",
  "time.tours", "workers.queue", "world.chunk", "world.flight", "world.routes", "world.window", "world.world",
}

-- What checks the arguments of the C module, and has nothing to do for its twin.
local OF_THE_C_MODULE = { arguments = true }

-- A game may have left out files that it does not call: they are as they would be without preload, an error when a
-- script asks for them. What else is wrong with a file is an error now.
local function load_if_there(name)
  local ok, problem = pcall(later, name)
  if not ok and not tostring(problem):find("module '" .. FOLDER, 1, true) then
    error(problem, 0)
  end
end

return function(core)
  for _, name in ipairs(NAMES) do
    if core.implementation ~= "lua" or not OF_THE_C_MODULE[name] then
      load_if_there(FOLDER .. "." .. name)
    end
  end
end
