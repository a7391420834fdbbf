-- Which nodes hang together: sparse graphs, edited at random, all pairs asked after each edit, against a plain flood
-- over the edges. ASTAR_SEED begins with others.

local astar = require "astar"
local random = require "spec.support.random"
local times = require "spec.support.times"

local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local NODES = 14

-- A graph and its model: edges by node, what is blocked.
local function new_both()
  local both = { graph = astar.graph(), nodes = {}, edges = {}, blocked = {}, shut = {}, next = 1 }
  function both.add()
    both.graph:node(both.next)
    both.nodes[#both.nodes + 1] = both.next
    both.edges[both.next], both.shut[both.next] = {}, {}
    both.next = both.next + 1
  end
  for _ = 1, NODES do both.add() end
  both.finder = both.graph:finder()
  return both
end

local function edit(both, r)
  local graph, at = both.graph, r:int(1, #both.nodes)
  local a, b, kind = both.nodes[at], r:pick(both.nodes), r:int(1, 9)
  if kind <= 3 and a ~= b then
    local one_way = r:chance(0.3)
    graph:edge(a, b, { one_way = one_way })
    both.edges[a][b] = true
    if not one_way then both.edges[b][a] = true end
  elseif kind == 4 and #both.nodes > 3 then
    graph:remove(a)
    table.remove(both.nodes, at)
    both.edges[a], both.blocked[a], both.shut[a] = nil, nil, nil
    for _, node in ipairs(both.nodes) do both.edges[node][a], both.shut[node][a] = nil, nil end
    both.add()
  elseif kind == 5 then
    local one_way = r:chance(0.5)
    graph:remove_edge(a, b, one_way)
    both.edges[a][b], both.shut[a][b] = nil, nil
    if not one_way then both.edges[b][a], both.shut[b][a] = nil, nil end
  elseif kind == 6 then
    graph:block(a)
    both.blocked[a] = true
  elseif kind == 7 then
    graph:unblock(a)
    both.blocked[a] = nil
  elseif both.edges[a][b] or both.edges[b][a] then
    local is_shut = kind == 8
    graph[is_shut and "block" or "unblock"](graph, a, b)
    if both.edges[a][b] then both.shut[a][b] = is_shut or nil end
    if both.edges[b][a] then both.shut[b][a] = is_shut or nil end
  end
end

local function reached_from(both, start)
  local reached, list = { [start] = true }, { start }
  for _, node in ipairs(list) do
    for other in pairs(both.edges[node]) do
      if not (reached[other] or both.blocked[other] or both.shut[node][other]) then
        reached[other] = true
        list[#list + 1] = other
      end
    end
  end
  return reached
end

local function check_all(both, where)
  for _, a in ipairs(both.nodes) do
    local reached = reached_from(both, a)
    for _, b in ipairs(both.nodes) do
      local path, reason = both.finder:find_path(a, b)
      local expected = a ~= b and both.blocked[b] and "goal blocked" or not reached[b] and "unreachable" or nil
      if reason ~= expected or (path ~= nil) ~= (expected == nil) then
        error(("%s: from %d to %d: %s, expected %s"):format(where, a, b, tostring(reason), tostring(expected)), 0)
      end
    end
  end
end

describe("graphs of several components", function()
  it("report which nodes cannot be reached, after any edit", function()
    for seed = FIRST_SEED, FIRST_SEED + times("ASTAR_MAPS", 100) - 1 do
      local r, both = random.new(seed), new_both()
      for i = 1, 40 do
        for _ = 1, r:int(1, 3) do edit(both, r) end
        if r:chance(0.7) then check_all(both, ("seed %d, edit %d"):format(seed, i)) end
      end
    end
  end)
end)
