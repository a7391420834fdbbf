-- graph.lua -- astar.graph: way-points and the edges between them, or any space of states.
--
-- All of it is the C module's; this table is what scripts call, and what holds `load`.

local core = require((...):match "^(.+)[./][^./]+$" .. ".load_core")

return setmetatable({ load = core.load_graph }, { __call = core.graph, __metatable = "astar" })
