-- init.lua -- what `require "astar"` returns: a table of its own, never a global.
--
-- Its own name, "astar", "lib.astar" or "astar.init", tells where the rest is.

local entries = next -- for loops, see entries_spec
local FOLDER = (... or "astar"):gsub("[./]init$", "")

local core = require(FOLDER .. ".load_core")
local no_field = require(FOLDER .. ".no_field")

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
    require(FOLDER .. ".no_more")("load_walker", 2, ...)
    return (require(FOLDER .. ".walker_saving").load(text, finder))
  end,
  load_crowd = function(...)
    return (require(FOLDER .. ".crowd_saving")("load", ...))
  end,
  directions = require(FOLDER .. ".directions"),
}

-- Few programs need all of these: each is loaded when it is first asked for.
local ON_DEMAND = {
  crowd = true, graph = true, floors = true, goals = true, movingai = true, schedule = true, tiled = true,
  love = true, world = true,
}

local PREFIX, find, loaded = FOLDER .. ".", string.find, package.loaded

-- Lua 5.1 takes a module whose loading has failed, be it for want of memory, for one that is being loaded. There may
-- still be no memory: none is taken here.
local function forget_unloaded()
  for name, value in entries, loaded do
    if type(value) == "userdata" and find(name, PREFIX, 1, true) == 1 then loaded[name] = nil end
  end
end

local function load_on_demand(name)
  if not ON_DEMAND[name] then
    return nil
  end
  forget_unloaded() -- of an earlier call, which had no memory even for that
  local ok, module = pcall(require, PREFIX .. name)
  if not ok then
    forget_unloaded()
    error(module, 0)
  end
  rawset(astar, name, module)
  return module
end

-- Where the host knows no ?/init.lua, a script's `require "astar.init"` serves all others.
package.loaded[FOLDER], package.loaded[FOLDER .. ".init"] = astar, astar

return no_field.of_module(astar, "astar", load_on_demand, ON_DEMAND)
