-- core.lua -- The twin: an implementation in plain Lua that replaces the C module astar.core if that cannot be loaded.
--
-- The twin runs in Lua 5.1 to 5.5, LuaJIT and Luau. Therefore it uses no goto and no operators that only some of
-- these versions have, and compiles no code at run time.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local jobs = require(FOLDER .. ".jobs")
local meant = require(FOLDER:match "^(.+)[./][^./]+$" .. ".names")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")

require(FOLDER .. ".flow")

local core = {
  _VERSION = "1.0.0", implementation = "lua",
  grid = require(FOLDER .. ".grid"), field = require(FOLDER .. ".field"), place = path.place, may_step = path.may_step,
  leads_to = path.leads_to, step_cost = path.step_cost, meant = meant,
  search = require(FOLDER .. ".finder").class.methods.search, check_query = jobs.check_query,
  clock = jobs.clock,
}

-- Does nothing: the memory of the twin is known to Lua's garbage collector already.
function core.make_room() end

function core.is_graph_finder() return false end

core.is_for_workers = core.is_graph_finder

local LACKED = {
  load = "astar.load", load_field = "astar.load_field", load_path = "astar.load_path",
  shared = "astar.shared", crowd = "astar.crowd", graph = "astar.graph",
  states = "astar.states", load_graph = "astar.graph", workers = "astar.workers", batch = "astar.workers",
  world = "astar.world",
  load_crowd = "astar.load_crowd", distances = "view:draw_flow", differences = "view:draw_flow",
}

for name, what in entries, LACKED do core[name] = function() object.lacks(what) end end

return core
