-- graph_map.lua -- one navigation graph of the service: astar.graph following rows of data, as a grid does in map.lua.
--
-- All of it is its dump, cut into pieces, and the log of edits. Keys of nodes are strings or numbers: what else the
-- module takes for a key has no dump.

local astar = require "astar"

local versions = require "astar_service.versions"

local graph_map = {}

local GraphMap = {}
graph_map.class = GraphMap
GraphMap.__index = GraphMap
versions.join(GraphMap)

GraphMap.is_graph = true

-- Which edits there are, and the forms of their arguments: see versions.lua.
GraphMap.FORMS = {
  node = { { "node" }, { "node", "number", "number" } },
  edge = { { "node", "node" }, { "node", "node", "ways" } },
  remove = { { "node" } },
  remove_edge = { { "node", "node" }, { "node", "node", "flag" } },
  block = { { "node" }, { "node", "node" } },
}
GraphMap.FORMS.unblock = GraphMap.FORMS.block

local PIECE = 64 * 1024 -- bytes
local MOST_BYTES = 2 * 2 ^ 20 -- of a dump: that of a graph which edits have made larger than one may be sent

-- A map from its dump.
function graph_map.new(name, base, dump)
  return graph_map.of(name, base, astar.graph.load(dump))
end

function graph_map.of(name, base, graph)
  return versions.begin(setmetatable({ touched = {}, added = 0 }, GraphMap), name, graph, base)
end

function GraphMap:meta() -- luacheck: ignore 212
  return { width = 0, height = 0 }
end

-- The dump of the graph as it is now, kept until the next edit.
function GraphMap:dump_now()
  self.dump = self.dump or self.object:dump()
  self.size_at, self.added = #self.dump, 0
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
  return astar.graph.load(self:dump_now())
end

-- The most bytes that an edit adds to the dump.
local function bytes_of(op)
  local bytes = 64
  for i = 2, #op do bytes = bytes + (type(op[i]) == "string" and #op[i] or type(op[i]) == "table" and 128 or 16) end
  return bytes
end

function GraphMap:note(op, version)
  self.touched.all, self.dump = version, nil
  self.added = self.added + bytes_of(op)
end

-- Whether a dump surely has room for so many bytes more.
local function has_room(self, bytes)
  if not self.size_at then self:dump_now() end
  return self.size_at + self.added + bytes <= MOST_BYTES
end

-- Raises an error if a tried copy is larger than can be kept.
function GraphMap:check_room(copy, ops)
  local bytes = 0
  for _, op in ipairs(ops) do bytes = bytes + bytes_of(op) end
  if not has_room(self, bytes) and #copy:dump() > MOST_BYTES then
    error(("the dump of a graph holds at most %d bytes"):format(MOST_BYTES), 0)
  end
end

-- Whether an edit is certain to succeed, as far as is told without a copy.
function GraphMap:is_plain(op)
  local graph, name = self.object, op[1]
  if name == "node" then return has_room(self, 1000 * bytes_of(op)) end -- of so many edits in a request
  if not graph:has(op[2]) then return false end
  if name == "edge" then
    local cost = op[4] and op[4].cost
    return op[2] ~= op[3] and graph:has(op[3]) and has_room(self, 1000 * bytes_of(op))
      and (cost == nil or cost >= 0 and cost <= 1e6)
  end
  return (name == "block" or name == "unblock") and #op == 2
end

function GraphMap:size() return 0, 0 end -- luacheck: ignore 212

return graph_map
