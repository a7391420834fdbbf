-- crowd.lua -- astar.crowd: many units on one grid that never bump.
--
-- All of it is the C module's.

local core = require((...):match "^(.+)[./][^./]+[./][^./]+$" .. ".load_core")

return core.crowd
