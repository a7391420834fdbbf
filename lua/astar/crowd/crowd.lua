-- crowd.lua -- astar.crowd: many units on one grid that never share a cell. The C module implements all of it.

local core = require((...):match "^(.+)[./][^./]+[./][^./]+$" .. ".load_core")

return core.crowd
