-- graph.lua -- astar.graph: graphs of waypoints and edges, or of the states of a puzzle.
--
-- The C module implements graphs. Scripts call the table that this file returns, which also contains `load`.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local no_field = require(ABOVE .. ".no_field")

local graph = setmetatable({ load = core.load_graph }, { __call = core.graph })
no_field.of_module(graph, "astar.graph")
getmetatable(graph).__metatable = "astar"
return graph
