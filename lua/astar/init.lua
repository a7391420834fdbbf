-- init.lua -- what `require "astar"` returns: a table of its own, never a global.
--
-- Its own name, "astar", "lib.astar" or "astar.init", tells where the rest is.

local FOLDER = (... or "astar"):gsub("[./]init$", "")

local later = require(FOLDER .. ".later")
local core = require(FOLDER .. ".load_core")
local no_field = require(FOLDER .. ".no_field")

-- Grids and finders need these soon. They are loaded now, so that a host that takes `require` away has them; what names
-- were meant for is only a hint, and may be missing.
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
  preload = function(...)
    later(FOLDER .. ".no_more")("preload", 0, ...)
    later(FOLDER .. ".preload")(core)
  end,
  directions = require(FOLDER .. ".directions"),
}

-- The files of fields that few programs need: each is loaded when the field is first read.
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

-- Where the host knows no ?/init.lua, a script's `require "astar.init"` serves all others.
package.loaded[FOLDER], package.loaded[FOLDER .. ".init"] = astar, astar

return no_field.of_module(astar, "astar", load_on_demand, ON_DEMAND)
