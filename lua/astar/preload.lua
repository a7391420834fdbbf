-- preload.lua -- astar.preload(): all files of this folder at once.
--
-- For hosts that take `require` and `package` away from their scripts, or open no files while a game runs.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local later = require(FOLDER .. ".later")

-- Out of a packed LÖVE game love_core has loaded the C module already.
local NAMES = {
  "arguments", "checks", "corner", "crowd", "crowd_saving", "describe", "desire_map", "directions", "draw",
  "finder_options", "floors", "formation", "goals", "graph", "joined", "jumper", "later", "ldtk", "links_and_walls",
  "load_core", "love", "love_graph", "love_hexagons", "love_links_and_walls", "love_overlay", "make_grid", "movingai",
  "names", "no_field", "no_more", "numbers", "opaque", "pace", "places", "plain_options", "queue", "savegame",
  "schedule", "stray_entry", "tell", "tiled", "tiled_check", "tiled_data", "tiled_file", "tiled_graph",
  "tiled_ground", "tiled_hexagons", "tiled_json", "tiled_map", "tiled_scripts", "tiled_shapes", "tiled_staggered",
  "tiled_tiles", "tiled_xml", "timed_path", "timed_question", "timed_search", "timed_steps", "tours",
  "unknown_option", "walked_line", "walker", "walker_job", "walker_saving", "worker_queue", "world", "world_chunk",
  "world_flight", "world_routes", "world_window", "wrong_kind",
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
