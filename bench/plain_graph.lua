-- plain_graph.lua -- searches a graph with A* and a binary heap in plain Lua, as a script would. The benchmarks compare
-- astar.graph with this program.

local plain = {}

-- Pushes a node onto a binary heap of two arrays. The node with the least f is first.
local function push(heap, f, node)
  local fs, nodes, at = heap.fs, heap.nodes, heap.count + 1
  heap.count = at
  while at > 1 do
    local above = (at - at % 2) / 2
    if fs[above] <= f then break end
    fs[at], nodes[at] = fs[above], nodes[above]
    at = above
  end
  fs[at], nodes[at] = f, node
end

local function pop(heap)
  local fs, nodes, count = heap.fs, heap.nodes, heap.count
  local first, f, node = nodes[1], fs[count], nodes[count]
  count = count - 1
  heap.count = count
  local at = 1
  while 2 * at <= count do
    local below = 2 * at
    if below < count and fs[below + 1] < fs[below] then below = below + 1 end
    if fs[below] >= f then break end
    fs[at], nodes[at] = fs[below], nodes[below]
    at = below
  end
  fs[at], nodes[at] = f, node
  return first
end

function plain.new()
  return { nodes = {} }
end

function plain.node(graph, key, x, y)
  graph.nodes[key] = { key = key, x = x, y = y, to = {}, costs = {} }
end

function plain.edge(graph, a, b, cost)
  local from, to = graph.nodes[a], graph.nodes[b]
  from.to[#from.to + 1], from.costs[#from.costs + 1] = to, cost
  to.to[#to.to + 1], to.costs[#to.costs + 1] = from, cost
end

-- Returns the keys of the nodes on the cheapest path from a to b, and its cost. Returns nil if there is no path. The
-- cost of an edge must not be below its length.
function plain.find_path(graph, a, b)
  local start, goal = graph.nodes[a], graph.nodes[b]
  local g, parent, closed = { [start] = 0 }, {}, {}
  local heap = { fs = {}, nodes = {}, count = 0 }
  local sqrt, gx, gy = math.sqrt, goal.x, goal.y
  push(heap, 0, start)
  while heap.count > 0 do
    local node = pop(heap)
    if node == goal then break end
    if not closed[node] then
      closed[node] = true
      local to, costs, so_far = node.to, node.costs, g[node]
      for i = 1, #to do
        local other, cost = to[i], so_far + costs[i]
        local known = g[other]
        if not known or cost < known then
          g[other], parent[other] = cost, node
          local dx, dy = other.x - gx, other.y - gy
          push(heap, cost + sqrt(dx * dx + dy * dy), other)
        end
      end
    end
  end
  if not g[goal] then return nil end
  local keys, node = {}, goal
  while node do
    keys[#keys + 1] = node.key
    node = parent[node]
  end
  for i = 1, math.floor(#keys / 2) do keys[i], keys[#keys + 1 - i] = keys[#keys + 1 - i], keys[i] end
  return keys, g[goal]
end

return plain
