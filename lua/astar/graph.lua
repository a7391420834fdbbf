-- graph.lua -- astar.graph: way-points and the edges between them, or any space of states.
--
-- All of it is the C module's; this table is what scripts call, and what holds `load`.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local no_field = require(FOLDER .. ".no_field")

local graph = setmetatable({ load = core.load_graph }, { __call = core.graph })
no_field.of_module(graph, "astar.graph")
getmetatable(graph).__metatable = "astar"
return graph
