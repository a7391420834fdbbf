-- Random graphs, edited at random, against plain tables and the plainest Dijkstra. ASTAR_SEED begins
-- elsewhere, ASTAR_MAPS=100000 goes on for longer.

local astar = require "astar"
local graph_oracle = require "spec.support.graph_oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local TIMES = times("ASTAR_MAPS", 150)

local function ensure(is_so, problem)
  if not is_so then error(problem or "another answer than the model's", 2) end
  return is_so
end

-- What keys can be; an object of each is one key.
local VALUES = { true, false, {}, {}, print, 1.5, -0.25, 2 ^ 40, "", "a\0b" }

local function key_of(i)
  return VALUES[i] == nil and (i % 3 == 0 and i or "room " .. i) or VALUES[i]
end

-- Sums of whole numbers are exact; what 'exact' is not allows for rounding.
local function same_cost(a, b, exact)
  return a == b or (not exact and math.abs(a - b) <= 1e-12 * math.max(a, b))
end

-- A graph and its model, edited together.
local function new_pair(r)
  local kind = r:pick { "places", "places", "some places", "nowhere", "whole" }
  return { graph = astar.graph(), model = graph_oracle.new(), made = 0, kind = kind,
    exact = kind == "nowhere" or kind == "whole" }
end

local function random_place(r, kind)
  if kind == "nowhere" or (kind == "some places" and r:chance(0.1)) then return nil end
  if kind == "whole" then return r:int(0, 12), 0 end
  return r:number() * 20 - 5, r:number() * 20 - 5
end

local function random_key(r, pair)
  local order = pair.model.order
  return order[r:int(1, #order)].key
end

local function random_cost(r, pair)
  if r:chance(0.5) then return nil end
  if pair.exact then return r:int(0, 9) end
  return r:pick { 0, 0.1, 1, 2.5, 7, 30 } * r:number()
end

local function connect(r, pair)
  local a, b = random_key(r, pair), random_key(r, pair)
  if a == b then return end
  local options = { cost = random_cost(r, pair), one_way = r:chance(0.3) }
  options.label = r:chance(0.5) and r:pick { "north", "stairs", 7, 0.5 } or nil
  pair.graph:edge(a, b, options)
  pair.model:edge(a, b, options)
end

local EDITS = {
  function(r, pair) -- a node
    pair.made = pair.made + 1
    local x, y = random_place(r, pair.kind)
    pair.graph:node(key_of(pair.made), x, y)
    pair.model:node(key_of(pair.made), x, y)
  end,
  connect, connect, connect,
  function(r, pair) -- another place
    local key, x, y = random_key(r, pair), random_place(r, pair.kind)
    pair.graph:node(key, x, y)
    pair.model:node(key, x, y)
  end,
  function(r, pair) -- no longer
    if #pair.model.order < 4 then return end
    local key = random_key(r, pair)
    ensure(pair.graph:remove(key) and not pair.graph:remove(key))
    pair.model:remove(key)
  end,
  function(r, pair)
    local a, b = random_key(r, pair), random_key(r, pair)
    local is_there = pair.model.nodes[a].out[b] or pair.model.nodes[b].out[a]
    ensure(pair.graph:remove_edge(a, b) == (is_there ~= nil))
    pair.model:remove_edge(a, b)
  end,
  function(r, pair)
    local key, blocked = random_key(r, pair), r:chance(0.4)
    pair.graph[blocked and "block" or "unblock"](pair.graph, key)
    pair.model.nodes[key].blocked = blocked
  end,
  function(r, pair)
    local a, b, blocked = random_key(r, pair), random_key(r, pair), r:chance(0.5)
    if not (pair.model.nodes[a].out[b] or pair.model.nodes[b].out[a]) then return end
    pair.graph[blocked and "block" or "unblock"](pair.graph, a, b)
    pair.model:block_edge(a, b, blocked)
  end,
}

local function grow(r, pair)
  for _ = 1, r:int(2, 25) do EDITS[1](r, pair) end
  for _ = 1, r:int(0, 60) do connect(r, pair) end
end

-- A unit's own costs: a door it has no key for, a toll.
local function toll(_, _, label, cost)
  if label == "stairs" then return false end
  return label == 7 and cost * 2 + 1 or cost
end

local function check_answer(model, exact, a, b, cost_function, path, reason)
  local best = model:distances(a, cost_function)[b]
  if not best then
    local expected = model.nodes[b].blocked and "goal blocked" or "unreachable"
    return ensure(not path and reason == expected, reason)
  end
  ensure(path, reason)
  local problem = model:problem_of(path, a, b, cost_function)
  ensure(not problem, problem)
  ensure(same_cost(path.cost, best, exact), ("cost %.17g, best %.17g"):format(path.cost, best))
end

local function check_path(pair, finder, a, b, cost_function)
  check_answer(pair.model, pair.exact, a, b, cost_function, finder:find_path(a, b))
end

-- Searches with edits between their steps: the answers are those of before. How many there were.
local function check_in_steps(r, pair, finders)
  local before, searches, left = pair.model:copy(), {}, r:int(1, 3)
  for i = 1, left do
    local kind, a, b = r:pick { "plain", "toll" }, random_key(r, pair), random_key(r, pair)
    local search = finders[kind]:search(a, b)
    searches[i] = { core = search, a = a, b = b, cost = kind == "toll" and toll or nil }
  end
  local answered = 0
  while left > 0 do
    for _ = 1, r:int(1, 3) do r:pick(EDITS)(r, pair) end
    local search = r:pick(searches)
    local status = not search.done and search.core:step(r:int(1, 2)) or "running"
    if status ~= "running" then
      search.done, left = true, left - 1
      check_answer(before, pair.exact, search.a, search.b, search.cost, search.core:path())
      answered = answered + 1
      search.core:close()
    end
  end
  return answered
end

local function check_nearest(r, pair, finder, a)
  local goals, best = {}, nil
  local g = pair.model:distances(a)
  for i = 1, r:int(1, 4) do
    goals[i] = random_key(r, pair)
    local cost = g[goals[i]]
    if cost and (not best or cost < best) then best = cost end
  end
  local path, index = finder:find_nearest(a, goals)
  ensure((path and path.cost) == best and (not path or path[#path] == goals[index]), index)
  local set = {}
  for _, goal in ipairs(goals) do set[goal] = true end
  local by_function = finder:find_nearest(a, function(key) return set[key] or false end)
  ensure((by_function and by_function.cost) == best)
end

local function check_reach(r, pair, finder, a)
  local most = r:pick { 0, 3, 10, math.huge }
  local g, reach, count, last = pair.model:distances(a), finder:reach(a, most), 0, 0
  for key, cost in reach:nodes() do
    ensure(cost == g[key] and cost >= last and cost <= most)
    count, last = count + 1, cost
  end
  for key, cost in pairs(g) do
    if cost <= most then count = count - 1 end
    ensure(reach:distance(key) == (cost <= most and cost or nil))
  end
  ensure(count == 0)
end

local function check_place(r, pair)
  local x, y = random_place(r, "places")
  local best, least
  for _, node in ipairs(pair.model.order) do
    if node.x then
      local square = (node.x - x) * (node.x - x) + (node.y - y) * (node.y - y)
      if not least or square < least then best, least = node.key, square end
    end
  end
  for _ = 1, 5 do ensure(pair.graph:nearest(x, y) == best) end
end

local function check_steps(r, finder, a, b)
  local search = finder:search(a, b)
  local status
  repeat status = search:step(r:int(1, 3)) until status ~= "running"
  local path, other = search:path(), finder:find_path(a, b)
  ensure((path and path.cost) == (other and other.cost))
  for i = 1, path and #path or 0 do ensure(path[i] == other[i]) end
end

local function check_dump(pair)
  for key in pairs(pair.model.nodes) do
    if type(key) == "table" or type(key) == "function" then return end
  end
  local dump = pair.graph:dump()
  local copy = astar.graph.load(dump)
  ensure(copy:dump() == dump and #copy == #pair.graph)
  local a, b = pair.model.order[1].key, pair.model.order[#pair.model.order].key
  local path, other = pair.graph:finder():find_path(a, b), copy:finder():find_path(a, b)
  ensure((path and path.cost) == (other and other.cost))
  for i = 1, path and #path or 0 do ensure(path[i] == other[i]) end
end

local function check_all(r, pair, finders)
  for _ = 1, 4 do
    local a, b = random_key(r, pair), random_key(r, pair)
    check_path(pair, finders.plain, a, b)
    check_path(pair, finders.toll, a, b, toll)
    check_nearest(r, pair, finders.plain, a)
    check_reach(r, pair, finders.plain, a)
    check_steps(r, finders.plain, a, b)
  end
  check_place(r, pair)
end

describe("a graph edited at random", function()
  it("gives the same results as a plain implementation with Lua tables", function()
    for seed = FIRST_SEED, FIRST_SEED + TIMES - 1 do
      local r = random.new(seed)
      local pair = new_pair(r)
      local finders = { plain = pair.graph:finder(), toll = pair.graph:finder { cost = toll, min_cost = 0 } }
      local ok, problem = xpcall(function()
        grow(r, pair)
        for _ = 1, 8 do
          check_all(r, pair, finders)
          for _ = 1, r:int(1, 6) do r:pick(EDITS)(r, pair) end
          if r:chance(0.3) then pair.graph:bake { landmarks = r:int(1, 4) } end
        end
        check_dump(pair)
      end, debug.traceback)
      if not ok then error(("seed %d: %s"):format(seed, tostring(problem)), 0) end
    end
  end)

  it("gives searches in steps the results of the graph at their beginning", function()
    local answered = 0
    for seed = FIRST_SEED, FIRST_SEED + TIMES - 1 do
      local r = random.new(seed)
      local pair = new_pair(r)
      local finders = { plain = pair.graph:finder(), toll = pair.graph:finder { cost = toll, min_cost = 0 } }
      local ok, problem = xpcall(function()
        grow(r, pair)
        for _ = 1, 5 do
          if r:chance(0.3) then pair.graph:bake { landmarks = r:int(1, 4) } end
          answered = answered + check_in_steps(r, pair, finders)
          check_path(pair, finders.plain, random_key(r, pair), random_key(r, pair))
        end
      end, debug.traceback)
      if not ok then error(("seed %d: %s"):format(seed, tostring(problem)), 0) end
    end
    assert.is_true(answered > 6 * TIMES, answered .. " answered")
  end)

  it("gives right results if most edges belong to a few nodes", function()
    for seed = FIRST_SEED, FIRST_SEED + TIMES / 15 do
      local r = random.new(seed)
      local pair = new_pair(r)
      local finders = { plain = pair.graph:finder(), toll = pair.graph:finder { cost = toll, min_cost = 0 } }
      local ok, problem = xpcall(function()
        for _ = 1, 90 do EDITS[1](r, pair) end
        for _ = 1, 250 do
          local hub, b = pair.model.order[r:int(1, 3)].key, random_key(r, pair)
          if hub ~= b then
            local options = { cost = random_cost(r, pair), one_way = r:chance(0.5) }
            local from, to = hub, b
            if r:chance(0.3) then from, to = b, hub end
            pair.graph:edge(from, to, options)
            pair.model:edge(from, to, options)
          end
        end
        for _ = 1, 4 do
          check_all(r, pair, finders)
          for _ = 1, 10 do r:pick(EDITS)(r, pair) end
        end
        check_dump(pair)
      end, debug.traceback)
      if not ok then error(("seed %d: %s"):format(seed, tostring(problem)), 0) end
    end
  end)
end)

describe("a graph whose costs differ in their last digits only", function()
  -- Layers of nodes, of which each leads to some of the next layer, and at almost no cost to some of its own layer. The
  -- costs of all routes between two layers are equal in the first eight digits.
  local function layered(r, side, has_places)
    local graph, model = astar.graph(), graph_oracle.new()
    for layer = 1, side do
      for row = 1, side do
        local x, y = nil, nil
        if has_places then x, y = layer, row * 1e-6 end
        graph:node(layer * side + row, x, y)
        model:node(layer * side + row, x, y)
      end
    end
    local function connect_layers(a, b, cost)
      local options = { cost = cost, one_way = true }
      graph:edge(a, b, options)
      model:edge(a, b, options)
    end
    for layer = 1, side do
      for row = 1, side do
        local a = layer * side + row
        for _ = 1, 3 do
          local beside = layer * side + r:int(1, side)
          if beside ~= a then connect_layers(a, beside, has_places and 2e-5 or r:int(0, 300) * 2 ^ -42) end
          if layer < side then
            connect_layers(a, (layer + 1) * side + r:int(1, side), 1.001 + r:int(0, 1000) * 2 ^ -42)
          end
        end
      end
    end
    return graph, model
  end

  it("has the cheapest routes all the same, in one call, in steps and after an edit during a search", function()
    for seed = FIRST_SEED, FIRST_SEED + 19 do
      local r = random.new(seed)
      local side = r:int(4, 12)
      local graph, model = layered(r, side, seed % 2 == 0)
      local finder = graph:finder()
      for _ = 1, 10 do
        local start, goal = side + r:int(1, side), side * side + r:int(1, side)
        local best = model:distances(start)[goal]
        local search = finder:search(start, goal)
        search:step { expansions = r:int(1, 3 * side) }
        graph:edge(start, goal, { cost = 0.5, one_way = true, label = "new" })
        while search:step { expansions = 3 } == "running" do end
        graph:remove_edge(start, goal, true)
        local path, in_steps = finder:find_path(start, goal), search:path()
        ensure((path == nil) == (best == nil) and (in_steps == nil) == (best == nil), "seed " .. seed)
        if best then
          ensure(math.abs(path.cost - best) < 1e-14 * side, "seed " .. seed)
          ensure(math.abs(in_steps.cost - best) < 1e-14 * side, "in steps, seed " .. seed)
        end
      end
    end
  end)
end)
