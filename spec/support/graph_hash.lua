-- graph_hash.lua -- a number that stands for thousands of routes over graphs, to compare Luas by.
--
--     lua spec/support/graph_hash.lua build/5.4

local graph_hash = {}

local GRAPHS = 60

local function add_number(hash, number)
  return (hash * 31 + number) % 2147483647
end

-- Any value by its text: numbers to the last bit.
local function add(hash, value)
  local text = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
  for i = 1, #text do hash = add_number(hash, text:byte(i)) end
  return hash
end

local function add_route(hash, path, reason)
  if not path then return add(hash, reason) end
  hash = add(add(hash, path.cost), path.expanded)
  for i = 1, #path do hash = add(add(hash, path[i]), path:link(i)) end
  return hash
end

local function new_graph(astar, r)
  local graph, count = astar.graph(), r:int(5, 60)
  local is_placed, whole = r:chance(0.6), r:chance(0.5)
  for i = 1, count do
    local key = i % 3 == 0 and i or "n" .. i
    if is_placed then graph:node(key, r:int(0, 9), whole and r:int(0, 9) or r:number() * 9) else graph:node(key) end
  end
  local function key() local i = r:int(1, count) return i % 3 == 0 and i or "n" .. i end
  for _ = 1, 3 * count do
    local a, b = key(), key()
    if a ~= b then
      graph:edge(a, b, { cost = r:chance(0.5) and r:int(1, 5) or nil, label = r:int(1, 9), one_way = r:chance(0.2) })
    end
  end
  return graph, key
end

function graph_hash.compute()
  local astar = require "astar"
  local random = require "spec.support.random"
  local hash, count = 1, 0
  for seed = 1, GRAPHS do
    local r = random.new(seed)
    local graph, key = new_graph(astar, r)
    for _, options in ipairs { {}, { weight = 2 }, { cost = function(_, _, label, c) return label ~= 3 and c end } } do
      local finder = graph:finder(options)
      for _ = 1, 25 do
        hash = add_route(hash, finder:find_path(key(), key()))
        count = count + 1
      end
      for node, cost in finder:reach(key(), 6):nodes() do hash = add(add(hash, node), cost) end
      if r:chance(0.5) then graph:remove_edge(key(), key()) end
      if r:chance(0.5) then graph:bake { landmarks = 3 } end
      hash = add(hash, graph:nearest(r:number() * 9, r:number() * 9))
    end
    hash = add(hash, #graph:dump())
    for byte in graph:dump():gmatch "." do hash = add_number(hash, byte:byte()) end
  end
  return hash, count
end

local is_script = arg and arg[0] and arg[0]:find("graph_hash.lua", 1, true)
if is_script then
  local build = assert(arg[1], "usage: lua spec/support/graph_hash.lua <build folder>")
  package.path = "./lua/?.lua;./lua/?/init.lua;./?.lua;" .. package.path
  package.cpath = ("./%s/?.so;./%s/?.dll;"):format(build, build) .. package.cpath
  print(("hash %d over %d paths"):format(graph_hash.compute()))
end

return graph_hash
