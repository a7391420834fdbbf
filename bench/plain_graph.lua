-- plain_graph.lua -- A* over a graph in Lua alone, as a script would write it with a binary heap: what
-- astar.graph is compared with.

local plain = {}

-- A heap in two arrays, the least f first.
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

-- The keys from one to the other, and the cost. An edge must not be cheaper than it is long.
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
