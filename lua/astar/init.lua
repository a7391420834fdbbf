-- init.lua -- the table that `require "astar"` returns. No global variable is set.
--
-- The name by which this file was required, such as "astar", "lib.astar" or "astar.init", determines the names of the
-- other files of the folder.

local FOLDER = (... or "astar"):gsub("[./]init$", "")

local later = require(FOLDER .. ".later")
local core = require(FOLDER .. ".load_core")
local no_field = require(FOLDER .. ".no_field")

-- Every grid and finder needs arguments.lua, and most errors need names.lua. Both are loaded here, while `require` is
-- certain to exist: a host may remove `require` from its scripts later. names.lua only adds hints to errors, so it may
-- be missing.
if core.implementation ~= "lua" then require(FOLDER .. ".arguments") end
pcall(later, FOLDER .. ".names")

local astar = {
  _VERSION = core._VERSION,
  implementation = core.implementation or "c",
  grid = core.grid,
  load = core.load,
  shared = core.shared,
  queue = require(FOLDER .. ".queue"),
  workers = core.workers,
  field = core.field,
  states = core.states,
  walker = require(FOLDER .. ".walker"),
  load_walker = function(text, finder, ...)
    later(FOLDER .. ".no_more")("load_walker", 2, ...)
    return (later(FOLDER .. ".walker_saving").load(text, finder))
  end,
  load_crowd = function(...)
    return (later(FOLDER .. ".crowd.saving")("load", ...))
  end,
  load_field = core.load_field,
  load_path = core.load_path,
  load_goals = function(text, grid, ...)
    later(FOLDER .. ".no_more")("load_goals", 2, ...)
    return (later(FOLDER .. ".saving").load_goals(text, grid))
  end,
  load_floors = function(text, options, ...)
    later(FOLDER .. ".no_more")("load_floors", 2, ...)
    return (later(FOLDER .. ".saving").load_floors(text, options))
  end,
  load_schedule = function(text, grid, ...)
    later(FOLDER .. ".no_more")("load_schedule", 2, ...)
    return (later(FOLDER .. ".saving").load_schedule(text, grid))
  end,
  preload = function(...)
    later(FOLDER .. ".no_more")("preload", 0, ...)
    later(FOLDER .. ".preload")(core)
  end,
  directions = require(FOLDER .. ".directions"),
}

-- Fields of the module that few programs need, each with the file that returns its value. The file is loaded when a
-- script reads the field for the first time.
local ON_DEMAND = {
  crowd = "crowd.crowd", floors = "floors", goals = "goals", graph = "graph.graph", jumper = "jumper",
  ldtk = "ldtk", love = "love", movingai = "movingai", schedule = "time.schedule", tiled = "tiled",
  world = "world.world",
}

local function load_on_demand(name)
  if not ON_DEMAND[name] then
    return nil
  end
  local module = later(FOLDER .. "." .. ON_DEMAND[name])
  rawset(astar, name, module)
  return module
end

-- The module is registered under both of its names. If package.path has no "?/init.lua", a script requires
-- "astar.init", and other scripts may then still require "astar".
package.loaded[FOLDER], package.loaded[FOLDER .. ".init"] = astar, astar

return no_field.of_module(astar, "astar", load_on_demand, ON_DEMAND)
