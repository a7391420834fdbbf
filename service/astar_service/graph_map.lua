-- graph_map.lua -- one navigation graph of the service: astar.graph following rows of data, as a grid does in
-- map.lua.
--
-- All of it is its dump, cut into pieces, and the log of edits. Keys are strings or numbers.

local astar = require "astar"

local versions = require "astar_service.versions"

local graph_map = {}

local GraphMap = {}
graph_map.class = GraphMap
GraphMap.__index = GraphMap
versions.join(GraphMap)

GraphMap.is_graph = true

GraphMap.OPS = { node = 1, edge = 1, remove = 1, remove_edge = 1, block = 1, unblock = 1 }

-- A map from its dump.
function graph_map.new(name, base, dump)
  return graph_map.of(name, base, astar.graph.load(dump))
end

function graph_map.of(name, base, graph)
  return versions.begin(setmetatable({ touched = {} }, GraphMap), name, graph, base)
end

function GraphMap:meta() -- luacheck: ignore 212
  return { width = 0, height = 0 }
end

local PIECE = 64 * 1024 -- bytes

-- The dump of the graph as it is now, kept until the next edit.
function GraphMap:dump_now()
  self.dump = self.dump or self.object:dump()
  return self.dump
end

-- How many pieces there are; all are written anew at each fold.
function GraphMap:piece_count()
  return 1, math.max(1, (#self:dump_now() + PIECE - 1) // PIECE)
end

-- Piece i of the dump that was cut when they were counted.
function GraphMap:piece(i)
  return self.dump:sub((i - 1) * PIECE + 1, i * PIECE)
end

function GraphMap:copy()
  return astar.graph.load(self.object:dump())
end

function GraphMap:note(_, version)
  self.touched.all, self.dump = version, nil
end

-- Blocking a node is certain to succeed where it is there.
function GraphMap:is_plain(op)
  return #op == 2 and (op[1] == "block" or op[1] == "unblock") and self.object:has(op[2])
end

function GraphMap:size() return 0, 0 end -- luacheck: ignore 212

return graph_map
