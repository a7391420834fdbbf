-- On a stack of 256 kB, what a script makes long: rows of flows that flee, corridors, chains of nodes, of
-- chunks, of units that push each other, of questions inside questions. Nothing may call itself as deep as those
-- are long. tools/cycles.lua looks for such calls in the source; this runs them, one script a kind of thing.

local process = require "spec.support.process"

local SMALL_STACK = "ulimit -s " .. (process.is_sanitized and 1024 or 256) -- sanitizers make frames larger

local function prints(expected, code)
  local output, status = process.run(code, SMALL_STACK)
  assert.equal(0, status, output)
  assert.equal(expected, output)
end

-- A labyrinth of one way, along each odd row to its end and down to the next: `corridor(width, rows)`.
local CORRIDOR = [[
  local function corridor(width, rows)
    local grid = astar.grid(width, 2 * rows - 1)
    for row = 1, rows - 1 do
      grid:block(row % 2 == 1 and 1 or 2, 2 * row, width - 1, 1)
    end
    return grid, rows % 2 == 1 and width or 1, 2 * rows - 1, width * rows + rows - 1
  end
]]

local FLEEING = [[
  local grid = astar.grid(3, 3)
  local first = grid:finder():flow(2, 2)
  local function chain(count)
    local last = first
    for _ = 1, count do last = last:flee(-1) end
    return last
  end
  local function at(flow) return ("%.3f"):format(flow:distance(1, 1)) end
]]

describe("on a stack of 256 kB, a row of flows that flee from each other", function()
  for question, code in pairs {
    distance = "print(chain(20000):distance(1, 1) > 1)",
    next = "print(chain(20000):next(1, 1) == chain(2):next(1, 1))",
    path = "print(#chain(20000):path(1, 1) == #chain(2):path(1, 1))",
    cells = "local n = 0 for _ in chain(20000):cells() do n = n + 1 end print(n == 9)",
    complete = "print(chain(20000):complete() == 9)",
    update = "local last = chain(20000) last:update() print(at(last) == '1.414')",
    edit = [[
      local last = chain(20000)
      local before = at(last)
      grid:block(1, 1)
      local why = select(2, last:distance(1, 1))
      local far = last:next(3, 3) ~= nil
      grid:unblock(1, 1)
      last:update()
      print(why == nil and far and before == at(last))
    ]],
    middle = [[
      local middle = chain(10000)
      local last = middle
      for _ = 1, 10000 do last = last:flee(-1) end
      middle:distance(1, 1)
      last:distance(1, 1)
      grid:set(3, 1, "#")
      middle:distance(1, 1)
      print(at(last) == at(middle))
    ]],
    ["a job"] = [[
      local last, steps = chain(20000), 0
      local job = last:completing()
      repeat steps = steps + 1 until job:step(1000) == "done"
      print(steps > 20 and steps < 1000 and at(last) == "1.414")
    ]],
    ["a job under edits"] = [[
      local last = chain(2000)
      local job, steps = last:completing(), 0
      repeat
        steps = steps + 1
        grid[steps % 2 == 1 and "block" or "unblock"](grid, 3, 3)
      until job:step(1000) == "done" or steps > 1000
      grid:unblock(3, 3)
      print(steps < 1000 and at(last) == "1.414")
    ]],
    ["a pool"] = [[
      local pool = astar.workers(1)
      local queue, last = astar.queue { workers = pool }, chain(20000)
      local ticket = queue:add(last:completing())
      while ticket.status ~= "done" do queue:update { ms = 5 } end
      pool:close()
      print(at(last) == "1.414")
    ]],
    closing = [[
      chain(20000):distance(1, 1)
      chain(20000)
      collectgarbage() collectgarbage()
      print(first:distance(1, 1) > 1)
    ]],
    callbacks = [[
      local asked = 0
      local flow = grid:finder { cost = function(_, _, _, cost) asked = asked + 1 return cost end }:flow(2, 2)
      for _ = 1, 5000 do flow = flow:flee(-1) end
      print(at(flow) == "1.414" and asked >= 9)
    ]],
    ["a callback that asks the last"] = [[
      local last
      local flow = grid:finder { cost = function(x, y, _, cost)
        if last and x == 1 and y == 1 then last:distance(1, 1) end
        return cost
      end }:flow(2, 2)
      for _ = 1, 3000 do flow = flow:flee(-1) end
      last = flow
      local ok, problem = pcall(at, flow)
      print(ok and problem == "1.414" or not ok and problem:find "nested too deeply" ~= nil)
    ]],
  } do
    it("returns the results of a single flow: " .. question, function() prints("true\n", FLEEING .. code) end)
  end
end)

describe("on a stack of 256 kB, a callback that queries again without end", function()
  for question, code in pairs {
    find_path = "finder:find_path(1, 1, 5, 5)",
    ["any angle"] = "angled:find_path(1, 1, 5, 5)",
    bends = "finder:find_path(1, 1, 5, 5, { bends = 'fewest' })",
    find_nearest = "finder:find_nearest(1, 1, { { 5, 5 } })",
    finding_nearest = "finder:finding_nearest(1, 1, { { 5, 5 } }):step(100)",
    search = "finder:search(1, 1, 5, 5):step(100)",
    raycast = "finder:raycast(1, 1, 5, 5)",
    sweep = "finder:sweep(1, 1, 5, 5)",
    reachable = "finder:reachable(1, 1, 5, 5)",
    flow = "finder:flow(1, 1):distance(5, 5)",
    ["flow:path"] = "finder:flow(1, 1):path(5, 5)",
    ["flow:complete"] = "finder:flow(1, 1):complete()",
    flee = "finder:flow(1, 1):flee():next(3, 3)",
    reach = "finder:reach(1, 1, 9):distance(5, 5)",
    ["a flow without a way"] = "finder:flow({ { 5, 5 } }, { max_cost = 1 }):distance(1, 1)",
    smooth = "path:smooth()",
    reverse = "path:reverse()",
    is_valid = "path:is_valid()",
    repair = "path:repair { optimal = true }",
    repairing = "path:repairing { optimal = true }:step(100)",
    walker = "astar.walker(path):update(9)",
  } do
    it("causes an error at a certain depth: " .. question, function()
      prints("true\n", ([[
        local grid, asks, finder, angled, path = astar.grid(5, 5)
        local function step_cost(_, _, _, _, cost)
          if asks then %s end
          return cost
        end
        finder = grid:finder { step_cost = step_cost }
        angled = grid:finder { step_cost = step_cost, any_angle = true }
        path = finder:find_path(1, 1, 5, 5)
        grid:block(3, 3)
        asks = true
        local ok, problem = pcall(function() %s end)
        print(not ok and problem:find "nested too deeply" ~= nil)
      ]]):format(code, code))
    end)
  end
end)

describe("on a stack of 256 kB, a corridor of a million cells", function()
  local MILLION = CORRIDOR .. " local grid, x, y, count = corridor(2000, 500) "

  it("is searched by flows of every kind, before and after an edit", function()
    prints("true\ttrue\ttrue\ttrue\ttrue\n", MILLION .. [[
      local flow, reach = grid:finder():flow(1, 1), grid:finder():reach(1, 1, 1 / 0)
      local steps = grid:finder():flow({ { 1, 1 } }, { steps_only = true })
      local asked = grid:finder { cost = function(_, _, _, cost) return cost end }:flow(1, 1)
      local far, fleeing = flow:distance(x, y), flow:flee()
      local whole = #flow:path(x, y)
      fleeing:next(x, y)
      grid:block(1000, 501)
      local why = select(2, flow:distance(x, y))
      grid:unblock(1000, 501)
      flow:update()
      steps:complete()
      local same = flow:distance(x, y) == far and reach:distance(x, y) == far
      print(same, why == "unreachable", whole == #steps:path(x, y), asked:distance(x, y) == far,
        fleeing:next(x, y) ~= nil and whole > count - 1001)
    ]])
  end)

  it("is searched, repaired, divided into components, measured for landmarks and baked", function()
    prints("true\ttrue\ttrue\ttrue\n", MILLION .. [[
      local finder = grid:finder()
      local path = finder:find_path(1, 1, x, y)
      local near = finder:find_nearest(1, 1, { { x, y } })
      local angles = grid:finder { any_angle = true }:find_path(1, 1, x, y)
      grid:block(1000, 501)
      local why = select(2, finder:find_path(1, 1, x, y))
      local broken = path:is_valid()
      grid:unblock(1000, 501)
      finder:bake { method = "landmarks" }
      local again = finder:find_path(1, 1, x, y)
      print(#near == #path and #again == #path, why == "unreachable", not broken, angles.cost <= path.cost)
    ]])
  end)

  it("is baked by each method of baking", function()
    prints("true\ttrue\ttrue\n", CORRIDOR .. [[
      local grid, x, y = corridor(500, 100)
      local cost, alike = grid:find_path(1, 1, x, y).cost, {}
      for i, method in ipairs { "hierarchy", "labels", "landmarks" } do
        local finder = grid:finder()
        local baked = finder:bake { method = method }
        finder:load_baked(baked:save())
        alike[i] = math.abs(finder:find_path(1, 1, x, y).cost - cost) < 1e-6
      end
      print(alike[1], alike[2], alike[3])
    ]])
  end)
end)

describe("on a stack of 256 kB, a crowd", function()
  it("moves units that push each other along a corridor", function()
    prints("true\ttrue\n", [[
      local length = 4000
      local grid = astar.grid(length, 1)
      local crowd = astar.crowd(grid:finder())
      local units = {}
      for x = 1, length - 1 do units[x] = crowd:add(x, 1) end
      units[1]:go(length, 1)
      crowd:beat()
      local x = units[length - 1]:cell()
      for _ = 1, 20 do crowd:beat() end
      print(x == length, crowd:unit_at(length, 1) ~= nil)
    ]])
  end)

  it("makes units give way around a ring, and computes plans for all its units", function()
    prints("true\ttrue\n", [[
      local side = 60
      local grid = astar.grid(side, side)
      grid:block(2, 2, side - 2, side - 2)
      local crowd = astar.crowd(grid:finder())
      local units, cells = {}, {}
      for i = 1, side do cells[#cells + 1] = { i, 1 } end
      for i = 2, side do cells[#cells + 1] = { side, i } end
      for i = side - 1, 1, -1 do cells[#cells + 1] = { i, side } end
      for i = side - 1, 2, -1 do cells[#cells + 1] = { 1, i } end
      for i, cell in ipairs(cells) do units[i] = crowd:add(cell[1], cell[2]) end
      for i, unit in ipairs(units) do
        local goal = cells[i % #cells + 1]
        unit:go(goal[1], goal[2])
      end
      crowd:beat()
      local job = crowd:resolving(units)
      for _ = 1, 300 do
        if job:step(20000) ~= "running" then break end
      end
      print(job.status ~= "running", crowd:units() ~= nil)
    ]])
  end)
end)

describe("on a stack of 256 kB, a graph", function()
  it("can be a chain of 300000 nodes that is searched, measured, saved and freed", function()
    prints("300001\t300000\ttrue\ttrue\n", [[
      local graph = astar.graph()
      for i = 0, 300000 do graph:node(i, i, 0) end
      for i = 1, 300000 do graph:edge(i - 1, i) end
      local finder = graph:finder()
      local path = finder:find_path(0, 300000)
      local reach = finder:reach(0, 1e9)
      local loaded = astar.graph.load(graph:dump())
      graph:bake { landmarks = 2 }
      local far = reach:distance(300000)
      graph:remove_edge(150000, 150001)
      local why = select(2, finder:find_path(0, 300000))
      print(#path, ("%d"):format(far), why == "unreachable", loaded:finder():find_path(0, 300000).cost == 300000)
    ]])
  end)

  it("can be joined to a grid along a chain of rooms and searched", function()
    prints("true\n", [[
      local rooms = 2000
      local grid = astar.grid(2 * rooms, 3)
      for i = 1, rooms - 1 do grid:block(2 * i, 1, 1, 3) end
      local graph = astar.graph()
      for i = 1, rooms do graph:node(i, 2 * i - 1, 2) end
      for i = 2, rooms do graph:edge(i - 1, i) end
      local joined = graph:join(grid:finder())
      print(#joined:find_path(1, 1, 2 * rooms - 1, 3) >= rooms)
    ]])
  end)

  it("can be a space of many states that are created on request", function()
    prints("100000\n", [[
      local states = astar.states { neighbours = function(key, add)
        add(key + 1)
      end }
      local path = states:finder():find_path(0, 100000)
      print(("%d"):format(path.cost))
    ]])
  end)
end)

describe("on a stack of 256 kB, a world", function()
  it("can be a row of 300 chunks that a route crosses while chunks are dropped and saved", function()
    prints("true\ttrue\n", [[
      local rows, loads, saves = {}, 0, 0
      for i = 1, 64 do rows[i] = ("."):rep(64) end
      local world = astar.world {
        load = function(_, cy) loads = loads + 1 return cy == 0 and rows end,
        save = function() saves = saves + 1 end,
        bytes = 2000000,
      }
      for cx = 0, 299 do world:get(64 * cx + 1, 1) end
      local route, why = world:finder():find_route(1, 1, 64 * 299, 32)
      print(route ~= nil and route.cost > 64 * 298, loads > 0 or why)
    ]])
  end)
end)

describe("on a stack of 256 kB, queries nested in callbacks", function()
  -- Each asks itself from inside, without end.
  local ASKING = {
    ["a path"] = [[
      finder = grid:finder { cost = deeper }
      function ask() return finder:find_path(1, 1, 5, 5) end
    ]],
    ["a flow"] = [[
      finder = grid:finder { cost = deeper }
      function ask() return finder:flow(1, 1):distance(5, 5) end
    ]],
    ["the same flow, fleeing"] = [[
      finder = grid:finder { cost = deeper }
      local flow = finder:flow(1, 1):flee()
      function ask() return flow:distance(5, 5) end
    ]],
    ["a reach, of a step's cost"] = [[
      finder = grid:finder { step_cost = deeper, min_cost = 1 }
      function ask() return finder:reach(1, 1, 9):path(5, 5) end
    ]],
    ["a flow's job"] = [[
      finder = grid:finder { cost = deeper }
      function ask()
        local job = finder:flow(1, 1):completing()
        while job:step(1) == "running" do end
      end
    ]],
    ["a search"] = [[
      finder = grid:finder { cost = deeper }
      function ask()
        local search = finder:search(1, 1, 5, 5)
        while search:step(1) == "running" do end
      end
    ]],
    ["a search for the nearest goal"] = [[
      finder = grid:finder { cost = deeper }
      function ask() return finder:find_nearest(1, 1, { { 5, 5 }, { 4, 1 } }) end
    ]],
    ["a path repaired"] = [[
      finder = grid:finder { cost = deeper }
      local plain = grid:finder():find_path(1, 1, 5, 5)
      function ask() plain:is_valid() return finder:find_path(1, 1, 5, 5):repair() end
    ]],
    ["a graph's path"] = [[
      local graph = astar.graph()
      for i = 1, 10 do graph:node(i) end
      for i = 1, 9 do graph:edge(i, i + 1) end
      finder = graph:finder { cost = deeper }
      function ask() return finder:find_path(1, 10) end
    ]],
    ["a graph's reach"] = [[
      local graph = astar.graph()
      for i = 1, 10 do graph:node(i) end
      for i = 1, 9 do graph:edge(i, i + 1) end
      finder = graph:finder { cost = deeper }
      function ask() return finder:reach(1, 20):distance(9) end
    ]],
    ["a world's route"] = [[
      local rows = {}
      for i = 1, 64 do rows[i] = ("."):rep(64) end
      local world = astar.world { load = function() deeper(1) return rows end }
      function ask() return world:finder():find_route(1, 1, 100, 100) end
    ]],
    ["states of a graph"] = [[
      local states = astar.states { neighbours = function(key, add) deeper(1) if key < 9 then add(key + 1) end end }
      function ask() return states:finder():find_path(1, 9) end
    ]],
  }

  for name, code in pairs(ASKING) do
    it("end in an error, and later queries are right: " .. name, function()
      prints("true\ttrue\n", [[
        local grid = astar.grid(5, 5)
        local finder, ask
        local ends = false
        local function deeper(...)
          if not ends then ask() end
          return (select(select("#", ...), ...))
        end
      ]] .. code .. [[
        local ok, problem = pcall(ask)
        ends = true
        ask()
        print(not ok or "no error", ok or type(problem) == "string")
      ]])
    end)
  end
end)
