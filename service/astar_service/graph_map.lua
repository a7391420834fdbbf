-- graph_map.lua -- one navigation graph of the service: astar.graph following rows of data, as a grid does in
-- map.lua.
--
-- All of it is one row, its dump, and the log of edits: there are no chunks. Keys are strings or numbers.

local astar = require "astar"

local versions = require "astar_service.versions"

local graph_map = {}

local GraphMap = {}
GraphMap.__index = GraphMap
versions.join(GraphMap)

GraphMap.is_graph = true

GraphMap.OPS = { node = 1, edge = 1, remove = 1, remove_edge = 1, block = 1, unblock = 1 }

-- A map from what it is: { name =, base =, graph = a dump }.
function graph_map.new(meta)
  return versions.begin(setmetatable({}, GraphMap), meta.name, astar.graph.load(meta.graph), meta.base)
end

function graph_map.of(name, graph)
  return versions.begin(setmetatable({}, GraphMap), name, graph, 0)
end

-- What the map is now, as graph_map.new takes it.
function GraphMap:meta()
  return { name = self.name, base = self.version, graph = self.object:dump() }
end

function GraphMap:copy()
  return astar.graph.load(self.object:dump())
end

function GraphMap:note() end -- luacheck: ignore 212

function GraphMap:chunk_count() return 0, 0 end -- luacheck: ignore 212

function GraphMap:take_touched() return {} end -- luacheck: ignore 212

function GraphMap:touch_again() end -- luacheck: ignore 212

function GraphMap:size() return 0, 0 end -- luacheck: ignore 212

return graph_map
