-- init.lua -- what `require "astar"` returns: a table of its own, never a global.

local core = require "astar.core"

local astar = {
  _VERSION = core._VERSION,
  grid = core.grid,
  load = core.load,
  queue = require "astar.queue",
  field = core.field,
  walker = require "astar.walker",
  directions = require "astar.directions",
}

-- Few programs need all of these: each is loaded when it is first asked for.
local ON_DEMAND = { movingai = true, tiled = true, love = true }

local function load_on_demand(_, name)
  if not ON_DEMAND[name] then
    return nil
  end
  local module = require("astar." .. name)
  rawset(astar, name, module)
  return module
end

return setmetatable(astar, { __index = load_on_demand })
