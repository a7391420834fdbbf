-- graph_oracle.lua -- a graph as plain tables, and the plainest ways to answer for it.

local oracle = {}

local Model = {}
Model.__index = Model

function oracle.new()
  return setmetatable({ order = {}, nodes = {} }, Model)
end

function Model:node(key, x, y)
  local node = self.nodes[key]
  if not node then
    node = { key = key, out = {} }
    self.nodes[key] = node
    table.insert(self.order, node)
  end
  if x then node.x, node.y = x, y end
end

-- The same, which no edit of this one changes.
function Model:copy()
  local copy = oracle.new()
  for i, node in ipairs(self.order) do
    local out = {}
    for to, edge in pairs(node.out) do
      out[to] = { cost = edge.cost, label = edge.label, blocked = edge.blocked }
    end
    copy.order[i] = { key = node.key, x = node.x, y = node.y, blocked = node.blocked, out = out }
    copy.nodes[node.key] = copy.order[i]
  end
  return copy
end

function Model:remove(key)
  for i, node in ipairs(self.order) do
    node.out[key] = nil
    if node.key == key then self.place = i end
  end
  table.remove(self.order, self.place)
  self.nodes[key] = nil
end

function Model:edge(a, b, options)
  local function lead(from, to)
    local blocked = self.nodes[from].out[to] and self.nodes[from].out[to].blocked
    self.nodes[from].out[to] = { cost = options.cost, label = options.label, blocked = blocked }
  end
  lead(a, b)
  if not options.one_way then lead(b, a) end
end

function Model:remove_edge(a, b)
  self.nodes[a].out[b], self.nodes[b].out[a] = nil, nil
end

function Model:block_edge(a, b, blocked)
  if self.nodes[a].out[b] then self.nodes[a].out[b].blocked = blocked end
  if self.nodes[b].out[a] then self.nodes[b].out[a].blocked = blocked end
end

-- What the edge between two costs: what was given, else how far they are apart.
function Model:cost_of(a, b)
  local from, to = self.nodes[a], self.nodes[b]
  local edge = from.out[b]
  if edge.cost then return edge.cost end
  if not (from.x and to.x) then return 1 end
  local dx, dy = from.x - to.x, from.y - to.y
  return math.sqrt(dx * dx + dy * dy)
end

-- Whether the step can be made, and at what cost, by a unit's own function of costs.
function Model:step(a, b, cost_function)
  local edge = self.nodes[a] and self.nodes[a].out[b]
  if not edge or edge.blocked or self.nodes[b].blocked then return nil end
  local cost = self:cost_of(a, b)
  if cost_function then return cost_function(a, b, edge.label, cost) or nil end
  return cost
end

-- The costs to all nodes from one: Dijkstra's algorithm, looking at every node each time.
function Model:distances(start, cost_function)
  local g, done = { [start] = 0 }, {}
  while true do
    local least
    for _, node in ipairs(self.order) do
      local key = node.key
      if g[key] and not done[key] and (least == nil or g[key] < g[least]) then least = key end
    end
    if least == nil then return g end
    done[least] = true
    for b in pairs(self.nodes[least].out) do
      local cost = self:step(least, b, cost_function)
      if cost and (not g[b] or g[least] + cost < g[b]) then g[b] = g[least] + cost end
    end
  end
end

-- What is wrong with a route, nil when nothing is: every step can be made, and costs as it says.
function Model:problem_of(path, start, goal, cost_function)
  if path[1] ~= start or path[#path] ~= goal then return "other ends" end
  local sum = 0
  for i = 1, #path - 1 do
    local cost = self:step(path[i], path[i + 1], cost_function)
    if not cost then return "no step from " .. tostring(path[i]) .. " to " .. tostring(path[i + 1]) end
    if path:link(i) ~= self.nodes[path[i]].out[path[i + 1]].label then return "another label" end
    sum = sum + cost
  end
  if sum ~= path.cost then return ("cost %.17g, not %.17g"):format(sum, path.cost) end
end

return oracle
