-- core.lua -- what stands in for the C module astar.core where that cannot be loaded: the twin in plain Lua.
--
-- It runs in Lua 5.1 to 5.5, LuaJIT and Luau: no goto, no operators of one of them, nothing compiled at run time.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local jobs = require(FOLDER .. ".jobs")
local meant = require(FOLDER:match "^(.+)[./][^./]+$" .. ".names")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")

require(FOLDER .. ".flow")

local core = {
  _VERSION = "1.0.0", implementation = "lua",
  grid = require(FOLDER .. ".grid"), field = require(FOLDER .. ".field"), place = path.place, may_step = path.may_step,
  leads_to = path.leads_to, meant = meant,
  search = require(FOLDER .. ".finder").class.methods.search, check_question = jobs.check_question,
  clock = jobs.clock,
}

-- Plain Lua's collector needs no help.
function core.make_room() end

function core.is_graph_finder() return false end

core.is_for_workers = core.is_graph_finder

local LACKED = {
  load = "astar.load", shared = "astar.shared", crowd = "astar.crowd", graph = "astar.graph",
  states = "astar.states", load_graph = "astar.graph", workers = "astar.workers", batch = "astar.workers",
  world = "astar.world",
  load_crowd = "astar.load_crowd", distances = "view:draw_flow", differences = "view:draw_flow",
}

for name, what in entries, LACKED do core[name] = function() object.lacks(what) end end

return core
