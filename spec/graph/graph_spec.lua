-- Navigation graphs: what they are for, case by case. Random ones are in spec/graph/random_spec.lua.

local astar = require "astar"

local function keys_of(path)
  return path and table.concat(path:totable(), " ")
end

-- A house: hall - kitchen - cellar, hall - attic, with positions or without.
local function new_house()
  local house = astar.graph()
  for _, room in ipairs { "hall", "kitchen", "cellar", "attic" } do house:node(room) end
  house:edge("hall", "kitchen", { label = "east" })
  house:edge("kitchen", "cellar", { label = "down", cost = 2 })
  house:edge("hall", "attic", { label = "up", cost = 2 })
  return house
end

describe("a graph", function()
  it("finds the cheapest route along its edges, and returns their labels", function()
    local path = new_house():finder():find_path("attic", "cellar")
    assert.equal("attic hall kitchen cellar", keys_of(path))
    assert.same({ "up", "east", "down" }, { path:link(1), path:link(2), path:link(3) })
    assert.equal(5, path.cost)
    assert.is_nil(path:link(4))
    assert.is_nil(path[5])
    assert.is_false(path.partial)
    assert.equal("astar graph path of 4 nodes, cost 5", tostring(path))
  end)

  it("returns a path of one node if the start is the goal", function()
    local path = new_house():finder():find_path("hall", "hall")
    assert.equal("hall", keys_of(path))
    assert.equal(0, path.cost)
  end)

  it("accepts keys of any type, and compares keys as Lua does", function()
    local graph, object = astar.graph(), {}
    local keys = { "1", 1, 1.5, true, false, object, print, "", 2 ^ 60, -0.0 }
    for _, key in ipairs(keys) do graph:node(key) end
    graph:node(0) -- is -0
    assert.equal(#keys, #graph)
    for i = 2, #keys do graph:edge(keys[i - 1], keys[i]) end
    local path = graph:finder():find_path("1", keys[#keys])
    for i, key in ipairs(keys) do assert.equal(key, path[i]) end
    assert.is_true(graph:remove(object))
    assert.is_false(graph:has(object))
    assert.is_false(graph:has {})
  end)

  it("uses the distance of an edge's ends as its default cost, also after a node has moved", function()
    local graph = astar.graph()
    graph:node("a", 0, 0)
    graph:node("b", 3, 4)
    graph:node "nowhere"
    graph:edge("a", "b")
    graph:edge("b", "nowhere")
    assert.equal(6, graph:finder():find_path("a", "nowhere").cost)
    graph:node("b", 6, 8)
    graph:node("nowhere", 6, 9)
    assert.equal(11, graph:finder():find_path("a", "nowhere").cost)
    graph:node "b" -- stays where it is
    assert.same({ 6, 8 }, { graph:position "b" })
  end)

  it("finds the cheapest route even if an edge costs less than its length", function()
    local graph = astar.graph()
    for x = 0, 20 do graph:node(x, x, 0) end
    for x = 1, 20 do graph:edge(x - 1, x) end
    assert.equal(10, graph:finder():find_path(5, 15).cost)
    graph:node("far", -100, 0) -- a teleporter away from the goal
    graph:edge(4, "far", { cost = 1 })
    graph:edge("far", 15, { cost = 1 })
    assert.equal(3, graph:finder():find_path(5, 15).cost)
    graph:remove "far"
    graph:node "limbo"
    graph:edge(4, "limbo", { cost = 1 })
    graph:edge("limbo", 15, { cost = 1 })
    assert.equal(3, graph:finder():find_path(5, 15).cost)
    graph:remove "limbo"
    local path = graph:finder():find_path(5, 15)
    assert.equal(10, path.cost)
    assert.is_true(path.expanded <= 11, path.expanded .. " expanded: the estimate is back")
  end)

  it("breaks ties by the order in which nodes were made", function()
    for _, order in ipairs { { "x", "y" }, { "y", "x" } } do
      local graph = astar.graph()
      graph:node "a"
      for _, key in ipairs(order) do graph:node(key) end
      graph:node "b"
      for _, key in ipairs { "x", "y" } do
        graph:edge("a", key)
        graph:edge(key, "b")
      end
      assert.equal("a " .. order[1] .. " b", keys_of(graph:finder():find_path("a", "b")))
    end
  end)

  it("honours blocked nodes and one-way edges", function()
    local house = new_house()
    local finder = house:finder()
    house:block("hall", "kitchen")
    assert.is_true(house:is_blocked("kitchen", "hall"))
    assert.same({ nil, "unreachable" }, { finder:find_path("attic", "cellar") })
    house:unblock("kitchen", "hall")
    house:block "cellar"
    assert.same({ nil, "goal blocked" }, { finder:find_path("attic", "cellar") })
    assert.equal("cellar kitchen", keys_of(finder:find_path("cellar", "kitchen"))) -- who stands there may leave
    house:unblock "cellar"
    house:edge("attic", "cellar", { cost = 1, label = "chute", one_way = true })
    assert.equal(1, finder:find_path("attic", "cellar").cost)
    assert.equal(5, finder:find_path("cellar", "attic").cost)
    assert.is_true(house:remove_edge("attic", "cellar"))
    assert.is_false(house:remove_edge("attic", "cellar"))
    assert.is_true(house:remove_edge("hall", "attic", true))
    assert.same({ nil, "unreachable" }, { finder:find_path("hall", "attic") })
    assert.equal(2, finder:find_path("attic", "hall").cost)
  end)

  it("honours max_cost, max_expansions, partial and range", function()
    local graph = astar.graph()
    for x = 0, 9 do graph:node(x, x, 0) end
    for x = 1, 8 do graph:edge(x - 1, x) end
    local finder = graph:finder { max_cost = 3 }
    assert.same({ nil, "max_cost" }, { finder:find_path(0, 8) })
    assert.equal(3, finder:find_path(0, 3).cost)
    assert.equal(8, finder:find_path(0, 8, { max_cost = 8 }).cost)
    assert.same({ nil, "max_expansions" }, { graph:finder():find_path(0, 8, { max_expansions = 2 }) })
    local near = graph:finder { partial = true }:find_path(0, 9)
    assert.is_true(near.partial)
    assert.equal(8, near[#near])
    graph:block(8)
    assert.equal(7, #graph:finder():find_path(0, 6, { partial = true }))
    local blocked = graph:finder():find_path(0, 8, { partial = true })
    assert.equal(7, blocked[#blocked])
  end)

  it("has finders that return the options they were made with", function()
    local finder = new_house():finder { weight = 2, max_cost = 9 }
    assert.same({ weight = 2, max_cost = 9 }, finder:options())
    assert.same({}, new_house():finder():options())
  end)

  it("returns routes that cost at most weight times the cheapest route", function()
    local graph = astar.graph()
    for i = 0, 99 do graph:node(i, i % 10, math.floor(i / 10)) end
    for i = 0, 99 do
      if i % 10 < 9 then graph:edge(i, i + 1, { cost = 1 + i * 7 % 5 }) end
      if i < 90 then graph:edge(i, i + 10, { cost = 1 + i * 3 % 4 }) end
    end
    local best = graph:finder():find_path(0, 99).cost
    for _, weight in ipairs { 1.5, 3, 10 } do
      assert.is_true(graph:finder { weight = weight }:find_path(0, 99).cost <= weight * best)
    end
  end)

  it("lists its nodes and edges in the order of their creation, before and after many removals", function()
    local graph, listed = astar.graph(), {}
    for i = 1, 1000 do graph:node(i, i, 0) end
    for i = 1, 1000 do
      if i % 10 ~= 0 then graph:remove(i) end
    end
    for i = 1001, 1100 do graph:node(i) end
    for key in graph:nodes() do listed[#listed + 1] = key end
    assert.equal(200, #graph)
    for i = 1, 100 do assert.same({ 10 * i, 1000 + i }, { listed[i], listed[100 + i] }) end
    graph:edge(10, 1001, { label = "x", cost = 3 })
    graph:edge(10, 20)
    graph:block(10, 20)
    local edges = {}
    for b, cost, label, blocked in graph:edges(10) do edges[#edges + 1] = { b, cost, label or "-", blocked } end
    assert.same({ { 1001, 3, "x", false }, { 20, 10, "-", true } }, edges)
    assert.equal("astar graph of 200 nodes", tostring(graph))
    assert.is_true(graph:version() > 2000)
    assert.is_true(graph:bytes() > 2000)
  end)
end)

describe("landmarks", function()
  local function new_chain(one_way)
    local graph = astar.graph()
    for i = 1, 200 do graph:node(i) end
    for i = 1, 199 do
      graph:edge(i, i + 1, { cost = 3 })
      if one_way then graph:edge(i + 1, i, { cost = 4, one_way = true }) end
    end
    return graph
  end

  it("save expansions in graphs whose nodes have no positions, also if the way back has another cost", function()
    for _, one_way in ipairs { false, true } do
      local graph = new_chain(one_way)
      local finder = graph:finder()
      local before = finder:find_path(100, 120)
      assert.equal(2, graph:bake { landmarks = 2 }.landmarks)
      local after = finder:find_path(100, 120)
      assert.equal(before.cost, after.cost)
      assert.is_true(after.expanded <= 20 and before.expanded > 30)
      assert.equal(0, graph:bake { landmarks = 0 }.landmarks)
      assert.equal(before.expanded, finder:find_path(100, 120).expanded)
    end
  end)

  it("are dropped after a new edge, and stay valid while blocks are set and removed", function()
    local graph = new_chain()
    local finder = graph:finder()
    graph:block(60)
    graph:bake()
    graph:unblock(60)
    assert.equal(60, finder:find_path(50, 70).cost)
    assert.is_true(finder:find_path(50, 70).expanded <= 20)
    graph:edge(50, 70, { cost = 1 })
    assert.equal(1, finder:find_path(50, 70).cost)
  end)

  it("are baked in steps, and an edit of the graph may come between two steps", function()
    local graph = new_chain()
    local job = graph:baking { landmarks = 3 }
    for _ = 1, 20 do assert.equal("running", job:step(7)) end
    graph:edge(1, 200, { cost = 1 })
    local steps = 0
    while job:step { expansions = 20 } == "running" do steps = steps + 1 end
    assert.equal("done", job.status)
    assert.is_true(steps > 20)
    assert.equal(1 + 3, graph:finder():find_path(1, 199).cost)
  end)

  it("need many steps for a graph of many nodes before their searches begin", function()
    local graph, steps = astar.graph(), 0
    for i = 1, 6400 do graph:node(i) end
    graph:edge(6399, 6400)
    local job = graph:baking { landmarks = 1 }
    while job:step(1) == "running" do steps = steps + 1 end
    assert.is_true(steps >= 100, steps)
  end)

  it("can be baked for a graph of several components, and for an empty graph", function()
    local graph = astar.graph()
    assert.equal(0, graph:bake().landmarks)
    for i = 1, 50 do graph:node(i) end
    assert.equal(0, graph:bake().landmarks)
    for i = 12, 49 do graph:edge(i, i + 1) end
    graph:edge(1, 2)
    graph:bake()
    assert.equal(20, graph:finder():find_path(20, 40).cost)
    assert.same({ nil, "unreachable" }, { graph:finder():find_path(20, 1) })
    assert.equal(1, graph:finder():find_path(2, 1).cost)
  end)
end)

describe("a search over a graph", function()
  it("is a job on the graph as it was when the job began", function()
    local house = new_house()
    local search = house:finder():search("attic", "cellar")
    assert.equal("running", search.status)
    assert.equal("running", search:step())
    assert.equal(1, search.expanded)
    assert.same({ nil, "running" }, { search:path() })
    house:block "attic"
    house:remove "kitchen"
    while search:step { ms = 1 } == "running" do end
    assert.equal("attic hall kitchen cellar", keys_of(search:path()))
    house = new_house()
    search = house:finder():search("attic", "cellar")
    while search:step { ms = 1 } == "running" do end
    house:remove "kitchen" -- afterwards the path stays
    assert.equal("attic hall kitchen cellar", keys_of(search:path()))
    assert.equal(search:path(), search:path())
    search:close()
  end)

  it("waits in a queue among requests for routes on grids", function()
    local house, grid, answers = new_house(), astar.grid(9, 9), {}
    local queue, finder = astar.queue(), house:finder()
    local function note(path, reason) answers[#answers + 1] = path and path.cost or reason end
    queue:request(finder, "attic", "cellar", note)
    queue:request(grid:finder(), 1, 1, 9, 1, note)
    queue:request(finder, "attic", "cellar", { max_cost = 2 }, note, 1)
    local ticket = queue:request(finder, "cellar", "hall")
    local job = finder:search("hall", "attic")
    queue:add(job, { done = function(search) note(search:path()) end })
    while queue:update { expansions = 1 } > 0 do end
    assert.same({ "max_cost", 5, 8, 2 }, answers)
    assert.equal("cellar kitchen hall", keys_of(ticket:path()))
    local path
    coroutine.wrap(function() path = queue:await(finder, "hall", "cellar") end)()
    queue:update { expansions = 1 }
    house:node "shed" -- begins it anew
    while queue:update { expansions = 1 } > 0 do end
    assert.equal(3, path.cost)
  end)
end)

describe("a reach over a graph", function()
  it("follows edits of the graph", function()
    local house = new_house()
    local reach = house:finder():reach("hall", 2)
    assert.same({ 1, 2 }, { reach:distance "kitchen", reach:distance "attic" })
    assert.same({ nil, "max_cost" }, { reach:distance "cellar" })
    house:edge("hall", "cellar", { cost = 0.5 })
    assert.equal(0.5, reach:distance "cellar")
    assert.equal("hall cellar", keys_of(reach:path "cellar"))
    local count = 0
    for _ in reach:nodes() do count = count + 1 end
    assert.equal(4, count)
    assert.equal("astar graph reach, max_cost 2", tostring(reach))
  end)

  -- Finders over the numbers from 1 to 60, each with the next: as nodes, as states, and both with callbacks.
  local function counting_finders(options)
    local line = astar.graph()
    for i = 1, 60 do line:node(i, i, 0) end
    for i = 1, 59 do line:edge(i, i + 1) end
    local with_cost = { cost = function(_, _, _, cost) return cost end }
    for name, value in pairs(options) do with_cost[name] = value end
    local function add_next(n, add) if n < 60 then add(n + 1) end end
    return {
      nodes = line:finder(options),
      ["nodes with a cost function"] = line:finder(with_cost),
      states = astar.states { neighbours = add_next }:finder(options),
      ["states with a key"] = astar.states { neighbours = add_next, key = tostring }:finder(options),
    }, line
  end

  it("respects the max_expansions of the finder", function()
    local finders, line = counting_finders { max_expansions = 10 }
    for kind, finder in pairs(finders) do
      for _, max_cost in ipairs { 50, math.huge } do
        local reach, last, count = finder:reach(1, max_cost), nil, 0
        for key in reach:nodes() do last, count = key, count + 1 end
        assert.same({ 10, 10 }, { last, count }, kind)
        assert.equal(9, reach:distance(10), kind)
        assert.equal(10, #reach:path(10), kind)
        for _, beyond in ipairs { 11, 12, 60 } do
          assert.same({ nil, "max_expansions" }, { reach:distance(beyond) }, kind)
          assert.same({ nil, "max_expansions" }, { reach:path(beyond) }, kind)
        end
      end
      -- what lies nearer than that is told apart from it
      assert.same({ nil, "max_cost" }, { finder:reach(1, 5):distance(20) }, kind)
    end
    local reach = finders.nodes:reach(1, 50)
    line:remove_edge(5, 6) -- searched anew
    assert.equal(4, reach:distance(5))
    assert.same({ nil, "max_cost" }, { reach:distance(6) })
  end)

  it("respects the max_cost of the finder, as reach on a grid does", function()
    assert.is_nil(astar.grid(60, 1):finder { max_cost = 3 }:reach(1, 1, 50):distance(9, 1))
    for kind, finder in pairs((counting_finders { max_cost = 3 })) do
      local reach = finder:reach(1, 50)
      assert.equal(3, reach:distance(4), kind)
      assert.same({ nil, "max_cost" }, { reach:distance(5) }, kind)
      assert.equal(2, finder:reach(1, 2):distance(3), kind)
      assert.same({ nil, "max_cost" }, { finder:reach(1, 2):distance(4) }, kind)
    end
  end)
end)

describe("a cost function over a graph", function()
  -- Honest costs, but what 'deed' does at call number 'at'.
  local function new_finder(at, deed)
    local graph = astar.graph()
    for i = 1, 12 do graph:node(i, i % 4, i % 3) end
    for i = 1, 11 do graph:edge(i, i + 1, { label = "l" .. i, cost = 5 + i % 3 }) end
    for i = 1, 8 do graph:edge(i, i + 4, { cost = 15 }) end
    local calls, finder = 0, nil
    finder = graph:finder { cost = function(_, _, _, cost)
      calls = calls + 1
      if calls == at then return deed(graph, finder, cost) end
      return cost
    end }
    return finder, graph, function() at = 0 end
  end
  local right = keys_of((new_finder(0)):find_path(1, 12))

  local FAULTS = {
    { "raises", function() error({ "mine" }) end, function(problem) return type(problem) == "table" end },
    { "yields", function() coroutine.yield() end, function(problem) return tostring(problem):find "yield" end },
    { "returns nan", function() return 0 / 0 end,
      function(problem) return problem:find "cost callback returned nan" end },
    { "returns text", function() return "5" end,
      function(problem) return problem:find 'cost callback returned "5"' end },
    { "edits the graph", function(graph, _, cost) graph:node "new" return cost end,
      function(problem) return problem:find "graph was edited during the search" end },
    { "searches", function(_, finder, cost) finder:find_path(3, 9) return cost end },
    { "collects garbage", function(_, _, cost) collectgarbage() return cost end },
  }
  for _, fault in ipairs(FAULTS) do
    it("may raise an error at any call, and all objects stay usable: " .. fault[1], function()
      local at = 0
      repeat
        at = at + 1
        local finder, graph, disarm = new_finder(at, fault[2])
        local has_fired = false
        local thread = coroutine.create(function() return finder:find_path(1, 12) end)
        local ok, result = coroutine.resume(thread)
        disarm()
        if not ok then
          has_fired = true
          assert.is_truthy(fault[3] and fault[3](result), tostring(result))
        else
          assert.equal(right, keys_of(result))
        end
        assert.equal(right, keys_of(finder:find_path(1, 12)))
        assert.equal(right, keys_of(graph:finder():find_path(1, 12)))
        if not fault[3] then has_fired = at < 30 end
      until not has_fired
      assert.is_true(at > 10)
    end)
  end

  it("may raise an error in a step, and the search continues from that step", function()
    for at = 1, 10 do
      local finder = new_finder(at, function() error "once" end)
      local search = finder:search(1, 12)
      local ok, status = pcall(search.step, search, 100)
      assert.is_false(ok)
      assert.matches("once", status)
      repeat status = search:step(2) until status ~= "running"
      assert.equal(right, keys_of(search:path()))
    end
  end)


  it("causes an error if it queries its own finder without end", function()
    local finder
    local graph = new_house()
    finder = graph:finder { cost = function(_, _, _, cost) finder:find_path("hall", "cellar") return cost end }
    local ok, problem = pcall(finder.find_path, finder, "hall", "cellar")
    assert.is_false(ok)
    assert.is_truthy(tostring(problem):find "nested too deeply" or tostring(problem):find "overflow", tostring(problem))
    assert.equal(3, graph:finder():find_path("hall", "cellar").cost)
  end)
end)

describe("a callback of a search on a graph", function()
  -- A search each of whose callbacks is the one of that name that does the deed at its second call.
  local function new_search(where, deed)
    local calls, search = 0, nil
    local function pass(name)
      calls = calls + (name == where and 1 or 0)
      if search and name == where and calls == 2 then deed(search) end
    end
    local function estimate() pass "heuristic" return 0 end
    if where == "cost" or where == "a node's heuristic" then
      local graph = astar.graph { heuristic = where ~= "cost" and function() pass(where) return 0 end or nil }
      for i = 1, 30 do graph:node(i) end
      for i = 1, 29 do graph:edge(i, i + 1, { cost = 1 }) end
      search = graph:finder { cost = function(_, _, _, cost) pass "cost" return cost end }:search(1, 30)
    else
      local space = astar.states { heuristic = estimate, key = function(n) pass "key" return n end,
        neighbours = function(n, add)
          pass "neighbours, before it adds"
          if n < 30 then add(n + 1) end
          pass "neighbours, after it added"
        end }
      search = space:finder():search(1, 30)
    end
    calls = 0
    return search
  end

  local DEEDS = {
    step = function(search) search:step(3) end,
    ["step in a coroutine"] = function(search) coroutine.wrap(function() search:step(1) end)() end,
    ["step to its end"] = function(search) repeat until search:step(1) ~= "running" end,
    ["fail to step"] = function(search)
      pcall(search.step, search, 1)
      search:step(1)
    end,
    close = function(search) search:close() end,
    ["step and close"] = function(search) search:step(1) search:close() end,
  }

  for _, where in ipairs { "cost", "a node's heuristic", "heuristic", "neighbours, before it adds",
    "neighbours, after it added", "key" } do
    it("may not step or close the search: " .. where, function()
      for name, deed in pairs(DEEDS) do
        local search = new_search(where, deed)
        local ok, problem
        repeat ok, problem = pcall(search.step, search, 4) until not ok or problem ~= "running"
        assert.is_false(ok, name)
        assert.matches("search was stepped or closed by its own callback", problem)
        if name:find "close" then
          assert.matches("search is closed", select(2, pcall(search.step, search)))
        else
          repeat until search:step(4) ~= "running"
          assert.equal(29, search:path().cost, name)
        end
      end
    end)
  end

  it("may read the result and the state of the search", function()
    local search
    search = new_search("neighbours, before it adds", function()
      assert.same({ nil, "running" }, { search:path() })
    end)
    repeat until search:step(4) ~= "running"
    assert.equal(29, search:path().cost)
  end)
end)

describe("a space of states", function()
  local function new_counter(calls)
    return astar.states { neighbours = function(n, add)
      if calls then calls(n) end
      add(n + 1, 1, "on")
      if n < 100 then add(2 * n, 1, "twice") end
    end }
  end

  it("is searched by its functions, which process each state once", function()
    local asked = {}
    local finder = new_counter(function(n) asked[n] = (asked[n] or 0) + 1 end):finder()
    local path = finder:find_path(1, 97)
    assert.equal(8, path.cost) -- 1 2 3 6 12 24 48 96 97
    assert.equal("on", path:link(8))
    for _, count in pairs(asked) do assert.equal(1, count) end
    assert.equal("astar graph of states", tostring(new_counter()))
  end)

  it("compares states by their keys, and returns the states that were added", function()
    local space = astar.states {
      neighbours = function(state, add)
        for dx = -1, 1, 2 do
          if math.abs(state.x + dx) < 9 then add({ x = state.x + dx }, 1, { dx = dx }) end
        end
      end,
      key = function(state) return state.x end,
      heuristic = function(state, goal) return math.abs(state.x - goal.x) end,
    }
    local path = space:finder():find_path({ x = 0 }, { x = 5 })
    assert.equal(6, #path)
    assert.equal(5, path.expanded)
    for i = 1, 6 do assert.equal(i - 1, path[i].x) end
    assert.equal(1, path:link(2).dx)
    assert.same({ nil, "unreachable" }, { space:finder():find_path({ x = 0 }, { x = 50 }) })
    local near = space:finder { partial = true }:find_path({ x = 0 }, { x = 50 })
    assert.same({ 8, true }, { near[#near].x, near.partial })
    local found = space:finder():find_nearest({ x = 0 }, function(state) return state.x == -3 end)
    assert.equal(3, found.cost)
    local _, index = space:finder():find_nearest({ x = 0 }, { { x = 4 }, { x = -3 } })
    assert.equal(2, index)
  end)

  it("supports reach, and searches in steps that continue after an error", function()
    local finder = new_counter():finder()
    local reach = finder:reach(1, 3)
    assert.equal(3, reach:distance(8))
    assert.same({ nil, "max_cost" }, { reach:distance(7) })
    assert.equal("1 2 4 8", keys_of(reach:path(8)))
    local raises = true
    finder = new_counter(function(n)
      if n == 6 and raises then
        raises = false
        error "stop"
      end
    end):finder()
    local search = finder:search(1, 97)
    assert.has_error(function() while search:step(3) == "running" do end end)
    while search:step(3) == "running" do end
    assert.equal(8, search:path().cost)
  end)

  it("causes errors that name invalid results of its functions", function()
    local function problem_of(options, question)
      local _, problem = pcall(function() return astar.states(options):finder():find_path(1, 2, question) end)
      return tostring(problem)
    end
    assert.matches("a state must not be nil", problem_of { neighbours = function(_, add) add() end })
    assert.matches("cost must be a number from 0 to 1e15, got %-1",
      problem_of { neighbours = function(_, add) add(2, -1) end })
    assert.matches("add takes 3 arguments, got 4 as argument 4",
      problem_of { neighbours = function(_, add) add(2, 1, "x", 4) end })
    assert.matches("heuristic callback returned %-1; expected a number >= 0",
      problem_of { neighbours = print, heuristic = function() return -1 end })
    assert.matches("mine", problem_of { neighbours = function() error "mine" end })
  end)
end)

describe("a graph joined to a grid", function()
  local function new_town()
    local grid = astar.grid [[
....#....
....#....
....#....
.........
]]
    local ways = astar.graph()
    ways:node("west", 3, 4)
    ways:node("gap", 5, 4)
    ways:node("east", 7, 4)
    ways:node "nowhere"
    ways:edge("west", "gap")
    ways:edge("gap", "east")
    return grid, ways
  end

  it("leads straight to the goal if the goal is in sight", function()
    local grid, ways = new_town()
    local path = ways:join(grid:finder()):find_path(1, 1, 1, 3)
    assert.equal(2, #path)
    assert.same({ { x = 1, y = 1 }, { x = 1, y = 3 } }, path:totable())
    assert.equal(2, path.cost)
    assert.equal(math.sqrt(5), ways:join(grid:finder()):find_path(1, 1, 2, 3).cost)
    assert.equal(1, #ways:join(grid:finder()):find_path(1, 1, 1, 1))
  end)

  it("leads over waypoints if the goal is not in sight, by the cheapest pair of waypoints in sight", function()
    local grid, ways = new_town()
    local finder = grid:finder()
    for sx = 1, 4 do
      for gx = 6, 9 do
        local best = math.huge
        for a, ax in pairs { west = 3, gap = 5, east = 7 } do
          for _, bx in pairs { west = 3, gap = 5, east = 7 } do
            if finder:raycast(sx, 1, ax, 4) and finder:raycast(bx, 4, gx, 1) and a then
              local cost = math.sqrt((sx - ax) ^ 2 + 9) + math.abs(ax - bx) + math.sqrt((gx - bx) ^ 2 + 9)
              best = math.min(best, cost)
            end
          end
        end
        local path, reason = ways:join(finder):find_path(sx, 1, gx, 1)
        if best == math.huge then
          assert.equal("unreachable", reason)
        else
          assert.is_true(math.abs(path.cost - best) < 1e-12)
          assert.same({ x = sx, y = 1 }, path[1])
          assert.same({ x = gx, y = 1 }, path[#path])
        end
      end
    end
  end)

  it("returns the same route in steps, for any budget, with edits between steps", function()
    local random = require "spec.support.random"
    for seed = 1, 150 do
      local r = random.new(seed)
      local grid, ways = astar.grid(24, 18), astar.graph()
      for _ = 1, 70 do grid:block(r:int(1, 24), r:int(1, 18)) end
      for node = 1, 30 do
        ways:node(node, r:int(1, 24), r:int(1, 18))
        if node > 1 then ways:edge(node, r:int(1, node - 1)) end
      end
      local joined = ways:join(grid:finder(), { radius = r:pick { 6, 12, math.huge } })
      local sx, sy, gx, gy = r:int(1, 24), r:int(1, 18), r:int(1, 24), r:int(1, 18)
      local search, edits = joined:search(sx, sy, gx, gy), r:int(0, 5)
      while search:step(r:pick { 1, 3, { ms = 0.01 }, { ms = 1, expansions = 2 } }) == "running" do
        if edits > 0 then
          edits = edits - 1
          if edits % 2 == 0 then grid:block(r:int(1, 24), r:int(1, 18)) end
          if edits % 2 == 1 then ways:node(r:int(1, 30), r:int(1, 24), 9) end
        end
      end
      local path, reason = joined:find_path(sx, sy, gx, gy)
      local found, status = search:path()
      if path then
        assert.equal(path.cost, found.cost)
        assert.same(path:totable(), found:totable())
      else
        assert.equal(reason, status)
      end
      assert.equal(path and "found" or reason, search.status)
      assert.equal(search.status, search:step(5))
      search:close()
      assert.matches("joined search is closed", select(2, pcall(search.step, search)))
    end
  end)

  it("checks at most as many waypoints in a step as the budget allows", function()
    local grid, ways = astar.grid(60, 60), astar.graph()
    grid:fill(30, 1, 1, 60, "#")
    for node = 1, 500 do ways:node(node, node % 29 + 1, node % 60 + 1) end
    local search = ways:join(grid:finder()):search(1, 1, 60, 60)
    assert.is_nil((search:path()))
    local steps = 0
    repeat
      local before = search.expanded
      local status = search:step { expansions = 7 }
      steps = steps + 1
      assert.is_true(search.expanded - before <= 7)
    until status ~= "running"
    assert.is_true(steps > 70)
    assert.same({ nil, "unreachable" }, { search:path() })
  end)

  it("returns legs that a walker can follow", function()
    local grid, ways = new_town()
    local joined = ways:join(grid:finder())
    local route = joined:find_path(2, 1, 8, 1)
    local walker = astar.walker(joined:leg(route, 1), { speed = 100 })
    for i = 1, #route - 1 do
      if i > 1 then walker:follow(joined:leg(route, i)) end
      walker:update(1)
    end
    assert.same({ 8, 1 }, { walker:cell() })
  end)

  it("returns no leg to or from a node without a position on the grid, and reports the node", function()
    local grid, ways = new_town()
    ways:remove_edge("gap", "east")
    local lift, cellar = {}, { x = "below" } -- keys that are tables as cells are
    for _, far in ipairs { "nowhere", lift, cellar, "outside", "removed", { "gone" } } do
      ways:node(far)
      if far == "outside" then ways:node(far, 500, -3) end
      ways:edge("gap", far, { cost = 1 })
      ways:edge(far, "east", { cost = 1 })
      local joined = ways:join(grid:finder())
      local route = joined:find_path(2, 1, 8, 1)
      assert.equal(6, #route)
      assert.equal(far, route[4])
      if far == "removed" or type(far) == "table" and far[1] then ways:remove(far) end
      assert.same({ nil, "no position" }, { joined:leg(route, 3) })
      assert.same({ nil, "no position" }, { joined:leg(route, 4) })
      assert.equal(4, #joined:leg(route, 1))
      assert.is_truthy(joined:leg(route, 5))
      ways:remove(far)
    end
  end)

  -- The best over all pairs of way-points in sight, on hexagons, whose middles are the positions.
  it("leads over hexagons, from centre to centre", function()
    local random = require "spec.support.random"
    for seed = 1, 200 do
      local r = random.new(seed)
      local offset = r:pick { "odd_r", "even_r", "odd_q", "even_q" }
      local grid = astar.grid(9, 8, { shape = "hex", offset = offset, origin = { r:int(-5, 5), r:int(-5, 5) } })
      local x0, y0, x1, y1 = grid:bounds()
      for _ = 1, 25 do grid:block(r:int(x0, x1), r:int(y0, y1)) end
      local finder, ways, cells = grid:finder(), astar.graph(), {}
      for i = 1, 6 do
        cells[i] = { r:int(x0, x1), r:int(y0, y1) }
        ways:node(i, grid:center(cells[i][1], cells[i][2]))
      end
      for _ = 1, 8 do
        local a, b = r:int(1, 6), r:int(1, 6)
        if a ~= b then ways:edge(a, b, { one_way = r:chance(0.3) }) end
      end
      local function apart(a, b)
        local ax, ay = grid:center(a[1], a[2])
        local bx, by = grid:center(b[1], b[2])
        return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2)
      end
      local function sees(a, b) return (finder:raycast(a[1], a[2], b[1], b[2])) end
      local start, goal = { r:int(x0, x1), r:int(y0, y1) }, { r:int(x0, x1), r:int(y0, y1) }
      local best = sees(start, goal) and apart(start, goal) or math.huge
      for a = 1, best == math.huge and 6 or 0 do
        for b = 1, 6 do
          local way = sees(start, cells[a]) and sees(cells[b], goal) and ways:finder():find_path(a, b)
          if way then best = math.min(best, apart(start, cells[a]) + way.cost + apart(cells[b], goal)) end
        end
      end
      local path, reason = ways:join(finder):find_path(start[1], start[2], goal[1], goal[2])
      if grid:is_blocked(goal[1], goal[2]) and apart(start, goal) > 0 then
        assert.equal("goal blocked", reason)
      elseif best == math.huge then
        assert.equal("unreachable", reason, "seed " .. seed)
      elseif apart(start, goal) > 0 then
        assert.is_true(path and math.abs(path.cost - best) < 1e-9, "seed " .. seed)
      end
    end
  end)

  it("honours the radius, blocks, budgets and the finder of the graph", function()
    local grid, ways = new_town()
    local finder = grid:finder()
    assert.same({ nil, "unreachable" }, { ways:join(finder, { radius = 1 }):find_path(2, 1, 8, 1) })
    assert.same({ nil, "max_cost" }, { ways:join(finder):find_path(2, 1, 8, 1, { max_cost = 3 }) })
    local shut = ways:finder { cost = function() return false end }
    assert.is_nil((ways:join(finder, { finder = shut }):find_path(1, 1, 9, 1)))
    ways:block "gap"
    assert.is_nil((ways:join(finder):find_path(2, 1, 8, 1)))
  end)
end)
