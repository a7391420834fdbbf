-- graph.lua -- astar.graph: way-points and the edges between them, or any space of states.
--
-- All of it is the C module's; this table is what scripts call, and what holds `load`.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local no_field = require(ABOVE .. ".no_field")

local graph = setmetatable({ load = core.load_graph }, { __call = core.graph })
no_field.of_module(graph, "astar.graph")
getmetatable(graph).__metatable = "astar"
return graph
