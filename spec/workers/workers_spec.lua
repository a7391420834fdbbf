-- Queues with workers: the answers of find_path on the map as it was, in the update they are due in, whatever
-- becomes of map, requests, pool and state meanwhile.

local astar = require "astar"
local check = require "spec.support.check"
local process = require "spec.support.process"
local random = require "spec.support.random"

local error_of = check.error_of
local unpack = table.unpack or unpack -- luacheck: ignore

-- What a function raises that is no mistake of the line that calls it.
local function raised(call, ...)
  local is_fine, message = pcall(call, ...)
  assert.is_false(is_fine)
  return message
end

local ok, problem = pcall(astar.workers, 1)
if not ok then
  describe("astar.workers", function()
    it("raises an error that says that threads are missing if the build has none", function()
      assert.equal("built without threads", problem)
    end)
  end)
  return
end
problem:close()

local pools = {}

local function new_pool(n)
  pools[#pools + 1] = astar.workers(n or 2)
  return pools[#pools]
end

local function close_pools()
  for _, pool in ipairs(pools) do pool:close() end
  pools = {}
end

-- Random questions by finders of all options that workers can honour.
local OPTIONS = {
  {}, { diagonals = "never" }, { diagonals = "always", diagonal_cost = 1.5 }, { algorithm = "astar" },
  { algorithm = "dijkstra" }, { algorithm = "jpsw" }, { size = 2 }, { any_angle = true }, { bends = "fewest" },
  { bends = "fewer" }, { bend_cost = 2, heading = "east" },
  { bend_cost = { [45] = 1, [90] = 5, [180] = 0.5 } }, { partial = true }, { range = 2 }, { weight = 1.5 },
  { max_cost = 30 }, { max_expansions = 40 }, { costs = { ["~"] = 1 } }, { heuristic = "chebyshev" },
  { diagonals = "if_at_most_one_obstacle", costs = { ["~"] = false } },
  { ignore = { "red" } }, { ignore = { "", "blue" }, size = 2 },
}
local QUERIES = { {}, { range = 1 }, { partial = true }, { max_expansions = 9 }, { weight = 2 }, { max_cost = 12 } }

local function new_map(r, linked)
  local grid = astar.grid(30, 20, { terrain = { ["."] = 1, ["~"] = 3, ["#"] = false }, fill = "." })
  for _ = 1, 150 do grid:set(r:int(1, 30), r:int(1, 20), r:pick { "#", "#", "~" }) end
  for _ = 1, 20 do grid:block(r:int(1, 30), r:int(1, 20), r:pick { "red", "blue" }) end
  if linked then
    grid:link(2, 2, 29, 19, { cost = 4, label = "lift" })
    grid:wall(9, 9, "east")
  end
  return grid
end

local function edit(r, grid)
  local kind, x, y = r:int(1, 8), r:int(1, 20), r:int(1, 17)
  if kind == 1 then
    grid:block(x, y, 3, 1)
  elseif kind == 2 then
    grid:unblock(x, y, 3, 3)
  elseif kind == 3 then
    grid:set(x, y, r:pick { ".", "#", "~" })
  elseif kind == 4 then
    grid:terrain("~", r:int(1, 4))
  elseif kind == 5 then
    grid:wall(x, y, "south")
  elseif kind == 6 then
    grid:block(x, y, 2, 2, "red")
  elseif kind == 7 then
    grid:unblock(x, y, 4, 4, "red")
  else
    grid:link(x, y, y + 1, x, { cost = 3, label = "stairs" })
  end
end

local function cells(path) return path and table.concat(path:cells_flat(), ",") end

describe("a queue with workers", function()
  after_each(close_pools)

  it("returns the results of find_path, with any options", function()
    for seed = 1, 6 do
      local r = random.new(seed)
      local grid = new_map(r, seed % 2 == 0)
      local queue, expected, answered = astar.queue { workers = new_pool(), delay = r:int(1, 4) }, {}, 0
      for i, options in ipairs(OPTIONS) do
        local finder = grid:finder(options)
        for k = 1, 6 do
          local sx, sy, gx, gy = r:int(1, 30), r:int(1, 20), r:int(1, 30), r:int(1, 20)
          local question = k > 3 and options.algorithm == nil and not options.bend_cost and r:pick(QUERIES) or nil
          local path, why = finder:find_path(sx, sy, gx, gy, question)
          local what = ("seed %d, options %d, question %d"):format(seed, i, k)
          expected[#expected + 1] = what
          queue:request(finder, sx, sy, gx, gy, question, function(got, reason, ticket)
            answered = answered + 1
            assert.equal(expected[answered], what)
            assert.equal(why, reason, what)
            assert.equal(cells(path), cells(got), what)
            assert.equal(path and "found" or why, ticket.status)
            assert.equal(got, (ticket:path()))
            if path then
              assert.equal(path.cost, got.cost)
              assert.equal(path.expanded, got.expanded)
              assert.equal(path.algorithm, got.algorithm)
              assert.equal(path:link(1), got:link(1))
              assert.is_true(got:is_valid())
              assert.equal(cells(path:smooth()), cells(got:smooth()))
            end
          end)
        end
      end
      for _ = 1, 4 do queue:update() end
      assert.equal(#expected, answered)
      assert.equal(0, queue:count())
    end
  end)

  it("returns the results of find_path on hexagons, and with another origin", function()
    local grid = astar.grid("..#..\n..#..\n.....\n..#..", { shape = "hex", offset = "odd_r", origin = { -3, 7 } })
    local finder, queue = grid:finder(), astar.queue { workers = new_pool(1) }
    local ticket = queue:request(finder, -3, 7, 1, 7)
    queue:update()
    queue:update()
    assert.equal(cells(finder:find_path(-3, 7, 1, 7)), cells(ticket:path()))
  end)

  it("returns each result in the update whose number after the request is the option delay", function()
    local grid = astar.grid(40, 40)
    local finder, pool = grid:finder { algorithm = "dijkstra" }, new_pool()
    for delay = 1, 6 do
      local queue, order, update = astar.queue { workers = pool, delay = delay }, {}, 0
      for round = 1, 12 do
        for i = 1, round % 3 do
          local asked = update
          local ticket = queue:request(finder, 1, 1, 40, 40, function()
            assert.equal(asked + delay, update)
            order[#order + 1] = ("%d.%d"):format(round, i)
          end)
          assert.equal("waiting", ticket.status)
        end
        update = update + 1
        queue:update()
      end
      for _ = 1, delay do
        update = update + 1
        queue:update()
      end
      assert.equal("1.1 2.1 2.2 4.1 5.1 5.2 7.1 8.1 8.2 10.1 11.1 11.2", table.concat(order, " "))
      assert.equal("astar queue, 0 waiting", tostring(queue))
    end
    local queue = astar.queue { workers = pool } -- 2 where it is not said
    local ticket = queue:request(finder, 1, 1, 3, 3)
    assert.equal(1, queue:update())
    assert.equal("running", ticket.status)
    assert.same({ nil, "running" }, { ticket:path() })
    assert.equal(0, queue:update())
    assert.equal("found", ticket.status)
  end)

  it("uses the map of the beginning of a batch, at most delay updates old", function()
    for seed = 1, 8 do
      local r = random.new(seed)
      local grid, delay = new_map(r, true), r:int(1, 5)
      local queue, update = astar.queue { workers = new_pool(), delay = delay }, 0
      local options, past = r:pick { {}, { size = 2 }, { ignore = { "red" } } }, {}
      local finder = grid:finder(options)
      for _ = 1, 25 do
        for _ = 1, r:int(0, 4) do
          local sx, sy, gx, gy = r:int(1, 30), r:int(1, 20), r:int(1, 30), r:int(1, 20)
          local asked = update + 1
          queue:request(finder, sx, sy, gx, gy, function(path, reason)
            local equal = false
            for k = math.max(1, asked - delay), asked do -- one of these versions is what it was searched in
              local then_path, why = past[k]:find_path(sx, sy, gx, gy)
              equal = equal or (cells(then_path) == cells(path) and why == reason)
            end
            assert.is_true(equal, ("seed %d, update %d"):format(seed, asked))
            assert.is_true(not path or path:is_valid() ~= nil)
          end)
        end
        update = update + 1
        past[update] = grid:clone():finder(options)
        queue:update()
        for _ = 1, r:int(0, 3) do edit(r, grid) end
      end
    end
  end)

  it("takes into account layers of blocks that were named while all copies of the map were read", function()
    local grid = astar.grid(9, 5)
    local finder, queue = grid:finder(), astar.queue { workers = new_pool(2), delay = 6 }
    local function ask(asked)
      local ticket = queue:request(asked, 1, 1, 9, 1)
      queue:update()
      return ticket
    end
    for x = 3, 6 do
      ask(finder)
      grid:block(x, 5)
    end
    local ignoring = grid:finder { ignore = { "red" } } -- no edit
    local before = ask(ignoring)
    grid:block(5, 1, 1, 5, "red")
    for _ = 1, 6 do queue:update() end
    local after, barred = ask(ignoring), ask(finder)
    for _ = 1, 6 do queue:update() end
    assert.equal(8, before:path().cost)
    assert.equal(8, after:path().cost)
    assert.equal("unreachable", barred.status)
  end)

  it("returns results for a shared map as it was published when the batch began", function()
    local grid = astar.grid(9, 5)
    grid:block(5, 5, "red")
    grid:share "workers_spec"
    local map = astar.shared "workers_spec"
    local finders = { map:finder(), map:finder { ignore = { "red" } } }
    local queue = astar.queue { workers = new_pool(2), delay = 2 }
    for round = 1, 9 do
      local tickets, expected, flows, jobs = {}, {}, {}, {}
      for i, finder in ipairs(finders) do
        tickets[i] = queue:request(finder, 1, 1, 9, 1)
        expected[i] = grid:clone():finder(finder:options())
        flows[i] = finder:flow(9, 1)
        jobs[i] = queue:add(flows[i]:completing())
      end
      queue:update()
      grid[round % 3 == 0 and "unblock" or "block"](grid, 5, round % 5 + 1, 1, 1, round % 2 == 0 and "red" or "")
      grid:publish()
      for _ = 1, 2 do queue:update() end
      for i, ticket in ipairs(tickets) do
        assert.equal(cells(expected[i]:find_path(1, 1, 9, 1)), cells((ticket:path())))
        assert.equal("done", jobs[i].status)
        assert.equal((grid:finder(finders[i]:options()):flow(9, 1):distance(1, 1)), (flows[i]:distance(1, 1)))
      end
    end
    grid:unshare()
  end)

  it("uses the map with every earlier edit if no batch is in progress", function()
    local grid = astar.grid("...\n...\n...")
    local finder, queue = grid:finder { diagonals = "never" }, astar.queue { workers = new_pool(1), delay = 1 }
    for round = 1, 6 do
      if round % 2 == 0 then grid:block(2, 1, 1, 2) else grid:unblock(2, 1, 1, 2) end
      local ticket = queue:request(finder, 1, 1, 3, 1)
      queue:update()
      assert.equal(round % 2 == 0 and 6 or 2, ticket:path().cost)
      assert.is_true(ticket:path():is_valid())
    end
    local ticket = queue:request(finder, 1, 1, 3, 1)
    queue:update()
    grid:unblock(2, 1, 1, 2)
    grid:block(2, 3)
    assert.is_false((ticket:path():is_valid()))
    assert.equal(2, ticket:path():repair { optimal = true }.cost)
  end)

  it("gives the same results for any number of workers", function()
    local function play(workers)
      local r = random.new(77)
      local grid, told = new_map(r, false), {}
      local queue, finder = astar.queue { workers = new_pool(workers), delay = 3 }, grid:finder()
      for frame = 1, 40 do
        for _ = 1, 5 do
          queue:request(finder, r:int(1, 30), r:int(1, 20), r:int(1, 30), r:int(1, 20), function(path, reason)
            told[#told + 1] = frame .. ":" .. (cells(path) or reason)
          end)
        end
        queue:update()
        edit(r, grid)
      end
      return table.concat(told, "\n")
    end
    local one = play(1)
    assert.equal(one, play(2))
    assert.equal(one, play(5))
  end)

  it("serves the requests of one update by priority", function()
    local finder, queue, order = astar.grid(5, 5):finder(), astar.queue { workers = new_pool() }, {}
    local function ask(name, priority)
      return queue:request(finder, 1, 1, 5, 5, function() order[#order + 1] = name end, priority)
    end
    ask "a"
    ask("b", 5)
    local c = ask "c"
    ask("d", 5)
    ask("e", -1):set_priority(7)
    c:set_priority(6)
    queue:update()
    c:set_priority(-9) -- too late
    ask("next", 99)
    queue:update()
    assert.equal("e c b d a", table.concat(order, " "))
  end)

  it("cancels requests before and after they are given to a worker", function()
    local finder, queue, told = astar.grid(200, 200):finder { algorithm = "dijkstra" },
      astar.queue { workers = new_pool(), delay = 3 }, {}
    local tickets = {}
    for i = 1, 9 do
      tickets[i] = queue:request(finder, 1, 1, 200, 200, function() told[#told + 1] = i end)
    end
    assert.is_true(tickets[1]:cancel())
    assert.is_false(tickets[1]:cancel())
    assert.equal(8, queue:update())
    for i = 2, 7 do assert.is_true(tickets[i]:cancel()) end
    assert.equal(2, queue:count())
    queue:update()
    assert.equal("cancelled", tickets[3].status)
    tickets[8]:cancel()
    assert.equal(0, queue:update())
    assert.same({ 9 }, told)
    assert.same({ nil, "cancelled" }, { tickets[8]:path() })
    assert.equal(200, #tickets[9]:path())
  end)

  it("can be awaited by coroutines", function()
    local grid = astar.grid("..#.\n..#.")
    local finder, queue, told = grid:finder(), astar.queue { workers = new_pool() }, {}
    local function walk(gx)
      return coroutine.wrap(function()
        local path, reason = queue:await(finder, 1, 1, gx, 1, { partial = false })
        told[#told + 1] = path and path.cost or reason
      end)()
    end
    walk(2)
    walk(4)
    queue:update()
    assert.equal(0, #told)
    queue:update()
    assert.same({ 1, "unreachable" }, told)
  end)

  it("computes flows in a worker", function()
    for seed = 1, 12 do
      local r = random.new(seed)
      local grid = new_map(r, seed % 3 == 0)
      local finder = grid:finder { diagonals = r:pick { "always", "never" }, ignore = { r:pick { "red", "none" } } }
      local delay = r:int(1, 4)
      local queue, done = astar.queue { workers = new_pool(), delay = delay }, 0
      local goals = { { 3, 4 }, { r:int(1, 30), r:int(1, 20), r:int(-2, 5) } }
      local flows = { finder:flow(goals), finder:flow(goals, { steps_only = true }), finder:reach(9, 9, 14) }
      for i, flow in ipairs(flows) do
        if r:chance(0.5) then flow:next(r:int(1, 30), r:int(1, 20)) end
        local job = flow:completing()
        local ticket = queue:add(job, { done = function(got)
          done = done + 1
          assert.equal(job, got)
          assert.equal(flow, got.result)
        end })
        assert.equal("waiting", ticket.status)
        assert.equal(i, queue:count())
      end
      for _ = 1, delay do
        assert.equal(0, done)
        queue:update()
        if r:chance(0.7) then edit(r, grid) end
      end
      assert.equal(#flows, done)
      assert.equal(0, queue:count())
      local others = { finder:flow(goals), finder:flow(goals, { steps_only = true }), finder:reach(9, 9, 14) }
      for i, flow in ipairs(flows) do
        for y = 1, 20 do
          for x = 1, 30 do
            local what = ("flow %d, seed %d, (%d, %d)"):format(i, seed, x, y)
            assert.same({ others[i]:next(x, y) }, { flow:next(x, y) }, what)
            if i ~= 2 then assert.equal(others[i]:distance(x, y), flow:distance(x, y), what) end
          end
        end
      end
    end
  end)

  it("computes the result of reach over a link of a map that no query has used before", function()
    local grid = astar.grid(10, 3)
    grid:block(5, 1, 1, 3)
    grid:link(4, 2, 6, 2)
    local queue = astar.queue { workers = new_pool(1) }
    local reach = grid:finder():reach(1, 2, math.huge)
    local ticket = queue:add(reach:completing())
    repeat queue:update { expansions = 100 } until ticket.status == "done"
    assert.same({ 4, 2 }, { reach:next(6, 2) })
    assert.equal(9, #reach:path(10, 2))
    close_pools()
  end)

  it("completes an edited flow on the script's own thread, within the budget", function()
    local grid = astar.grid(80, 80)
    local finder, queue = grid:finder(), astar.queue { workers = new_pool(1), delay = 1 }
    local flow, updates = finder:flow(5, 5), 0
    local ticket = queue:add(flow:completing())
    assert.equal(0, queue:update { expansions = 100 })
    assert.equal("done", ticket.status)
    queue = astar.queue { workers = new_pool(1), delay = 2 }
    ticket = queue:add(finder:flow(5, 5):completing())
    queue:update()
    for i = 1, 300 do grid:block(i % 70 + 2, i % 60 + 3) end -- more than are remembered
    repeat
      updates = updates + 1
    until queue:update { expansions = 2000 } == 0
    assert.is_true(updates > 1)
    assert.equal("done", ticket.status)
  end)

  it("runs other jobs on the script's own thread, within the budget", function()
    local grid = astar.grid(60, 60)
    local asking = grid:finder { cost = function(_, _, _, cost) return cost end }
    local finder, queue, done = grid:finder(), astar.queue { workers = new_pool(1), delay = 1 }, nil
    assert.equal(0, queue:update())
    local ticket = queue:add(asking:flow(5, 5):completing(), { done = function(job) done = job end })
    local fleeing = queue:add(finder:flow(5, 5):flee():completing())
    local asked = queue:request(finder, 1, 1, 60, 60)
    assert.equal("update needs a budget: a request waits that no worker can run",
      error_of(function() queue:update() end))
    assert.equal(2, queue:update { expansions = 100 })
    assert.equal("found", asked.status)
    while queue:update { expansions = 1000 } > 0 do end -- luacheck: ignore
    assert.equal("done", ticket.status)
    assert.equal("done", done.status)
    assert.equal("done", fleeing.status)
    local other = queue:add(finder:preparing())
    assert.is_true(other:cancel())
    assert.equal(0, queue:update())
  end)

  -- Jobs that workers do, each beside one that the script's own thread makes: a search, one for the nearest of
  -- several goals, a path's repair.
  local function new_search(r, finder, options, old)
    local sx, sy = r:int(1, 30), r:int(1, 20)
    local goals, kind = {}, r:int(1, 3)
    for i = 1, r:int(0, 5) do goals[i] = { r:int(1, 30), r:int(1, 20) } end
    local question = not options.algorithm and not options.bend_cost and { range = r:int(0, 2) } or nil
    local from, optimal = old and r:int(1, #old), r:chance(0.3)
    return function()
      if kind == 1 then return finder:search(sx, sy, 31 - sx, 21 - sy, question) end
      if kind == 2 or not old then return finder:finding_nearest(sx, sy, goals, question) end
      return old:repairing { from = from, optimal = optimal }
    end
  end

  local function assert_same_job(expected, got, what)
    assert.equal(expected.status, got.status, what)
    local path, index = expected:path()
    local got_path, got_index = got:path()
    assert.equal(index, got_index, what)
    if not path then return end
    assert.equal(cells(path), cells(got_path), what)
    assert.equal(path.cost, got_path.cost, what)
    assert.equal(path.algorithm, got_path.algorithm, what)
    assert.equal(path.expanded, got_path.expanded, what)
    assert.is_true(got_path:is_valid(), what)
  end

  it("runs searches, repairs and searches for the nearest of several goals", function()
    for seed = 1, 8 do
      local r, answered = random.new(seed), 0
      local grid = new_map(r, seed % 2 == 0)
      local queue, expected, old = astar.queue { workers = new_pool(), delay = r:int(1, 3) }, {}, nil
      for i, options in ipairs(OPTIONS) do
        local finder = grid:finder(options)
        local new = new_search(r, finder, options, old)
        expected[i] = new()
        while expected[i]:step(100) == "running" do end -- luacheck: ignore
        old = expected[i]:path() or old
        queue:add(new(), { priority = i % 3, done = function(job)
          answered = answered + 1
          assert_same_job(expected[i], job, ("seed %d, options %d"):format(seed, i))
        end })
      end
      for _ = 1, 4 do queue:update { ms = 1000 } end
      assert.equal(#OPTIONS, answered)
    end
  end)

  it("ends searches with the result for the map of their batch, and lets others continue by themselves", function()
    local grid = astar.grid(40, 30)
    local finder, queue = grid:finder(), astar.queue { workers = new_pool(), delay = 3 }
    local tickets = {}
    for i = 1, 3 do tickets[i] = queue:add(finder:finding_nearest(1, 1, { { 40, 30 }, { 40, 1 } })) end
    local stepped, closed, ended = tickets[2].job, tickets[3].job, finder:search(2, 2, 30, 2)
    local by_hand = queue:add(ended)
    while ended:step(100) == "running" do end -- luacheck: ignore
    queue:update { ms = 60000 } -- one that has ended is none for workers any more
    assert.equal("found", by_hand.status)
    grid:block(20, 1, 1, 30)
    while stepped:step(100) == "running" do end -- luacheck: ignore
    assert.equal("unreachable", stepped.status)
    closed:close()
    queue:update { ms = 60000 }
    assert.equal(3, queue:count())
    assert.is_truthy(raised(queue.update, queue, { ms = 60000 }):find("search is closed", 1, true))
    queue:update { ms = 60000 }
    assert.equal(40, #tickets[1]:path())
    assert.equal(2, select(2, tickets[1]:path()))
    assert.is_false(tickets[1]:path():is_valid())
    assert.equal("unreachable", tickets[2].status)
    assert.equal("failed", tickets[3].status)
    local again = tickets[1]:path():repairing()
    local cancelled = queue:add(again)
    queue:update()
    assert.is_true(cancelled:cancel())
    for _ = 1, 3 do queue:update() end
    assert.equal("running", again.status)
    local asking = queue:add(finder:finding_nearest(1, 1, function(x) return x == 9 end))
    queue:update { ms = 1000 }
    assert.equal("found", asking.status)
  end)

  it("lets a job be collected before and after it is given to a worker", function()
    local finder, queue = astar.grid(60, 60):finder(), astar.queue { workers = new_pool(1), delay = 2 }
    local jobs, tickets, told = {}, {}, 0
    for i = 1, 5 do
      jobs[i] = finder:flow(i, 5):completing()
      tickets[i] = queue:add(jobs[i], { done = function() told = told + 1 end })
    end
    assert.is_true(tickets[1]:cancel())
    jobs[2]:close()
    assert.equal("job is closed", raised(queue.update, queue))
    assert.equal("failed", tickets[2].status)
    assert.equal(3, queue:count())
    assert.is_true(tickets[3]:cancel())
    jobs[4]:close()
    assert.is_truthy(raised(queue.update, queue):find("job is closed", 1, true))
    assert.equal(0, queue:update { ms = 60000 })
    assert.equal(1, told)
    assert.equal("done", tickets[5].status)
  end)

  it("serves requests that no worker can honour on the script's own thread, within the budget", function()
    local grid, queue = astar.grid(30, 30), astar.queue { workers = new_pool(1), delay = 1 }
    local graph = astar.graph()
    for i = 1, 30 do graph:node(i) end
    for i = 1, 29 do graph:edge(i, i + 1, { cost = 1 }) end
    local space = astar.states { neighbours = function(n, add) if n < 30 then add(n + 1) end end }
    local kinds = {
      { grid:finder { cost = function() return 1 end }, 1, 1, 30, 30 },
      { grid:finder { step_cost = function() return 2 end }, 1, 1, 30, 30 },
      { grid:finder { heuristic = function() return 0 end }, 1, 1, 30, 30 },
      { grid:finder { avoid = astar.field(grid) }, 1, 1, 30, 30 },
      { graph:finder(), 1, 30 },
      { space:finder(), 1, 30 },
    }
    for _, kind in ipairs(kinds) do
      local finder, told, awaited = kind[1], 0, nil
      local right = finder:find_path(unpack(kind, 2)).cost
      -- with the question and the callback left out or not, the priority, and beside what workers do
      local question, callback = {}, function(path) told = told + path.cost / right end
      local function request(...)
        local arguments = { unpack(kind) }
        for _, value in ipairs { ... } do arguments[#arguments + 1] = value end
        return queue:request(unpack(arguments))
      end
      local tickets = { request(), request(question), request(callback), request(question, callback, 3) }
      tickets[5] = queue:add(finder:search(unpack(kind, 2)))
      coroutine.wrap(function() awaited = queue:await(unpack(kind)) end)()
      local by_worker, cancelled = queue:request(grid:finder(), 1, 1, 30, 30), request(callback)
      assert.equal(8, queue:count())
      assert.is_true(cancelled:cancel())
      tickets[1]:set_priority(9)
      assert.equal("update needs a budget: a request waits that no worker can run",
        error_of(function() queue:update() end))
      repeat local waiting = queue:update { expansions = 100 } until waiting == 0
      for _, ticket in ipairs(tickets) do assert.equal(right, ticket:path().cost) end
      assert.equal("found", by_worker.status)
      assert.equal(right, awaited.cost)
      assert.equal(2, told)
    end
    assert.equal("unknown node 99: graph:node(key, x, y) adds one", error_of(function()
      queue:request(graph:finder(), 1, 99)
    end))
    assert.equal("gx must be an integer from 1 to 30, got 99", error_of(function()
      queue:request(kinds[1][1], 1, 1, 99, 1)
    end))
    assert.equal(0, queue:count())
  end)

  it("raises the errors of find_path when the result is due, and continues with the other requests", function()
    local grid = astar.grid(9, 9, { terrain = { ["."] = 1, s = 4 }, fill = "." })
    local queue, told = astar.queue { workers = new_pool(), delay = 2 }, {}
    local jumping, plain = grid:finder { algorithm = "jps" }, grid:finder()
    local bad = queue:request(jumping, 1, 1, 9, 9, function() told[#told + 1] = "bad" end)
    queue:request(plain, 1, 1, 9, 9, function() told[#told + 1] = "good" end)
    coroutine.wrap(function()
      queue:await(jumping, 1, 1, 9, 9)
      told[#told + 1] = "awaited"
    end)()
    grid:set(5, 5, "s")
    queue:update()
    assert.equal('algorithm "jps" cannot honour ground of several costs', raised(queue.update, queue))
    assert.equal("failed", bad.status)
    assert.same({ "good" }, told)
    assert.equal(0, queue:update())
  end)

  it("uses data that was baked for the finder", function()
    for seed = 1, 3 do
      for _, method in ipairs { "labels", "hierarchy", "landmarks" } do
        local r = random.new(seed)
        local grid = astar.grid(60, 40)
        for _ = 1, 500 do grid:block(r:int(1, 60), r:int(1, 40)) end
        local finder, queue = grid:finder(), astar.queue { workers = new_pool(1), delay = 1 }
        queue:request(finder, 1, 1, 2, 2)
        queue:update()
        finder:bake { method = method }
        for _ = 1, 20 do
          local sx, sy, gx, gy = r:int(1, 60), r:int(1, 40), r:int(1, 60), r:int(1, 40)
          local path, why = finder:find_path(sx, sy, gx, gy)
          local ticket = queue:request(finder, sx, sy, gx, gy)
          queue:update()
          local got, reason = ticket:path()
          assert.equal(cells(path), cells(got))
          assert.equal(path and path.algorithm or why, got and got.algorithm or reason)
          if r:chance(0.4) then grid[r:pick { "block", "unblock" }](grid, r:int(1, 60), r:int(1, 40)) end
          if r:chance(0.1) then finder:bake { method = r:pick { "labels", "hierarchy", "landmarks" } } end
        end
      end
    end
  end)

  it("uses the landmarks of a finder that edits have left valid", function()
    for seed = 1, 4 do
      local r = random.new(seed)
      local grid = astar.grid(60, 40, { terrain = { ["."] = 1, ["~"] = 3 }, fill = "." })
      for x = 4, 56, 4 do grid:block(x, x % 8 == 0 and 1 or 3, 1, 38) end
      grid:fill(9, 9, 20, 5, "~")
      local pool = new_pool()
      local finder, answered = grid:finder { algorithm = "astar", diagonals = "never" }, 0
      local queue = astar.queue { workers = pool, delay = 1 }
      local baked = finder:bake { method = "landmarks", pivots = 2 }
      assert.equal(2, baked.pivots)
      for update = 1, 30 do
        for _ = 1, r:int(0, 2) do
          grid[r:pick { "block", "unblock" }](grid, r:int(1, 56), r:int(1, 36), r:int(1, 4), r:int(1, 3))
        end
        if r:chance(0.1) then grid:terrain("~", r:int(1, 4)) end
        if r:chance(0.1) then finder:bake { pivots = r:int(0, 3) } end
        for _ = 1, 6 do
          local sx, sy, gx, gy = r:int(1, 60), r:int(1, 40), r:int(1, 60), r:int(1, 40)
          local path, why = finder:find_path(sx, sy, gx, gy)
          queue:request(finder, sx, sy, gx, gy, function(got, reason)
            local what = ("seed %d, update %d"):format(seed, update)
            answered = answered + 1
            assert.equal(why, reason, what)
            assert.equal(cells(path), cells(got), what)
            assert.equal(path and path.expanded, got and got.expanded, what)
          end)
        end
        queue:update()
        if update == 1 then assert.is_true(pool:bytes() > baked.bytes) end
      end
      assert.equal(180, answered)
    end
  end)

  it("bakes, and the result takes effect in the update when it is due, whatever was edited meanwhile", function()
    for seed = 1, 12 do
      local r = random.new(seed)
      local method = ({ "labels", "hierarchy", "landmarks", "auto" })[seed % 4 + 1]
      local grid = astar.grid(60, 40, { terrain = { ["."] = 1, ["~"] = 3 }, fill = "." })
      if seed % 3 == 0 then grid:fill(9, 9, 20, 5, "~") end
      for x = 4, 56, 4 do grid:block(x, x % 8 == 0 and 1 or 3, 1, 38) end
      local queue, plain = astar.queue { workers = new_pool(), delay = 2 }, grid:finder { algorithm = "dijkstra" }
      local finder, told = grid:finder(), 0
      local job = finder:baking { method = method }
      queue:add(job, { done = function(baked) told = told + (baked == job and 1 or 0) end })
      queue:update { expansions = 1 }
      assert.is_nil(job.result)
      for _ = 1, 12 do
        grid[r:pick { "block", "unblock" }](grid, r:int(1, 56), r:int(1, 36), r:int(1, 4), r:int(1, 3))
        if seed > 8 and r:chance(0.2) then grid:terrain("~", r:int(1, 4)) end -- landmarks are measured anew
      end
      while queue:update { expansions = 1 } > 0 do end -- luacheck: ignore
      assert.equal(1, told)
      assert.equal("done", job.status)
      if method ~= "auto" and seed % 3 > 0 then assert.equal(method, job.result.method) end
      for k = 1, 60 do
        local sx, sy, gx, gy = r:int(1, 60), r:int(1, 40), r:int(1, 60), r:int(1, 40)
        local path, why = finder:find_path(sx, sy, gx, gy)
        local best, why_not = plain:find_path(sx, sy, gx, gy)
        local what = ("seed %d, question %d"):format(seed, k)
        assert.equal(why_not, why, what)
        if path then assert.near(best.cost, path.cost, 1e-9, what) end
        if k % 6 == 0 then grid[r:pick { "block", "unblock" }](grid, r:int(1, 56), r:int(1, 36), 3, 1) end
      end
    end
  end)

  it("leaves baking that has begun, and baking that does nothing, to the script's own thread", function()
    local grid = astar.grid(50, 40)
    local finder, queue = grid:finder(), astar.queue { workers = new_pool(1), delay = 2 }
    local begun, closed, lost = finder:baking(), finder:baking(), finder:baking()
    local tickets = { queue:add(begun), queue:add(closed), queue:add(lost) }
    begun:step(1)
    queue:update { expansions = 1 }
    closed:close()
    assert.is_true(tickets[3]:cancel())
    assert.is_truthy(raised(queue.update, queue, { ms = 1000 }):find("job is closed", 1, true))
    while queue:update { ms = 1000 } > 0 do end -- luacheck: ignore
    assert.equal("done", begun.status)
    assert.equal("failed", tickets[2].status)
    assert.equal("running", lost.status)
  end)

  it("uses baked data of a map while other versions of the map are read", function()
    for seed = 1, 6 do
      local r = random.new(seed)
      local owner = astar.grid(60, 40)
      for _ = 1, 400 do owner:block(r:int(1, 60), r:int(1, 40)) end
      local grid, by = owner, {}
      if seed % 2 == 0 then
        owner:share "workers_spec baked"
        grid = astar.shared "workers_spec baked"
      end
      local finder, queue, update = grid:finder(), astar.queue { workers = new_pool(2), delay = 3 }, 0
      local past = {}
      for _ = 1, 20 do
        if r:chance(0.4) then owner:finder():bake { method = r:pick { "labels", "hierarchy" } } end
        for _ = 1, r:int(0, 3) do owner[r:pick { "block", "unblock" }](owner, r:int(1, 60), r:int(1, 40)) end
        if grid ~= owner then owner:publish() end
        update = update + 1
        past[update] = owner:clone():finder()
        for _ = 1, 5 do
          local sx, sy, gx, gy, asked = r:int(1, 60), r:int(1, 40), r:int(1, 60), r:int(1, 40), update
          queue:request(finder, sx, sy, gx, gy, function(path, reason)
            local equal = false
            for k = math.max(1, asked - 3), asked do
              local then_path, why = past[k]:find_path(sx, sy, gx, gy)
              equal = equal or (path and then_path and math.abs(path.cost - then_path.cost) < 1e-9) or
                (not path and not then_path and why == reason)
            end
            assert.is_true(equal, ("seed %d, update %d"):format(seed, asked))
            if path then by[path.algorithm] = true end
          end)
        end
        queue:update()
      end
      assert.is_true(by.labels or by.hierarchy)
      owner:unshare()
    end
  end)

  it("continues after callbacks that raise errors, and after callbacks that update the queue", function()
    local finder, queue, told = astar.grid(9, 9):finder(), astar.queue { workers = new_pool(), delay = 2 }, {}
    for i = 1, 6 do
      queue:request(finder, 1, 1, 9, i, function()
        told[#told + 1] = i
        if i == 2 then error("stop", 0) end
        if i == 4 then queue:update() end
      end)
    end
    queue:update()
    assert.equal("stop", raised(queue.update, queue))
    assert.same({ 1, 2, 3, 4, 5, 6 }, told)
    assert.equal(0, queue:count())
    local late = queue:request(finder, 1, 1, 2, 2, function() told[#told + 1] = "late" end)
    queue:update()
    queue:update()
    assert.same({ 1, 2, 3, 4, 5, 6, "late" }, told)
    assert.equal("found", late.status)
    assert.equal(0, queue:count())
  end)

  it("serves all other requests of an update, however many of its callbacks raise errors", function()
    local grid = astar.grid(20, 20)
    local finder, search_finder = grid:finder(), grid:finder()
    for _, delay in ipairs { 1, 2, 5 } do
      local queue, told, awaited = astar.queue { workers = new_pool(), delay = delay }, {}, 0
      local closed = grid:finder()
      for i = 1, 12 do
        queue:request(finder, 1, 1, 9, i, function()
          told[#told + 1] = i
          if i % 3 == 0 then error({ i }) end
        end)
        coroutine.wrap(function()
          queue:await(finder, 1, 1, i, 9)
          awaited = awaited + 1
          if i == 7 then error "in a script" end
        end)()
      end
      queue:request(closed, 1, 1, 9, 9)
      debug.getmetatable(closed).__gc(closed)
      local job = queue:add(search_finder:search(1, 1, 20, 20)) -- done in the update that it is due in
      local lost = search_finder:search(1, 1, 20, 20)
      local lost_ticket = queue:add(lost)
      lost:close()
      local problems = {}
      for update = 1, delay do
        local is_fine, message = pcall(queue.update, queue, { ms = 1000 })
        problems[update] = not is_fine and message or nil
        if update < delay then assert.equal(0, #told) end
      end
      assert.same({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, told)
      assert.equal(12, awaited)
      assert.equal("found", job.status)
      assert.equal("failed", lost_ticket.status)
      assert.equal(0, queue:count())
      assert.is_truthy(tostring(problems[1]):find "search is closed") -- when it is handed over; the first of all
      if delay > 1 then assert.same({ 3 }, problems[delay]) end
      assert.equal(0, queue:update()) -- and none is raised later
    end
  end)

  it("lets callbacks yield in a coroutine that updates the queue, and raise errors after that", function()
    local queue, told = astar.queue { workers = new_pool(), delay = 1 }, {}
    for i = 1, 3 do
      queue:request(astar.grid(9, 9):finder(), 1, 1, 9, i, function()
        coroutine.yield("in " .. i)
        told[#told + 1] = i
      end)
    end
    local thread = coroutine.create(function() return queue:update() end)
    for i = 1, 3 do assert.same({ true, "in " .. i }, { coroutine.resume(thread) }) end
    assert.same({ true, 0 }, { coroutine.resume(thread) })
    assert.same({ 1, 2, 3 }, told)
  end)

  it("drops a request whose finder was closed, and no other request", function()
    local grid, queue = astar.grid(9, 9), astar.queue { workers = new_pool() }
    local closed, finder = grid:finder(), grid:finder()
    local first, lost = queue:request(finder, 1, 1, 3, 3), queue:request(closed, 1, 1, 3, 3)
    debug.getmetatable(closed).__gc(closed)
    queue:update()
    assert.equal("finder is closed", raised(queue.update, queue))
    assert.equal("failed", lost.status)
    queue:update()
    assert.equal("found", first.status)
    assert.equal(0, queue:count())
  end)

  it("still serves requests that were started when its pool is closed", function()
    local grid = astar.grid(150, 150)
    local finder, pool = grid:finder { algorithm = "dijkstra" }, new_pool()
    local queue, count = astar.queue { workers = pool, delay = 3 }, 0
    assert.equal("astar workers, 2", tostring(pool))
    for i = 1, 12 do
      queue:request(finder, 1, 1, 150, 150 - i, function(path) count = count + (path and 1 or 0) end)
    end
    queue:update()
    for i = 1, 3 do -- not handed over yet
      queue:request(finder, 1, 1, 150, 150 - i, function(path) count = count + (path and 1 or 0) end)
    end
    pool:close()
    pool:close()
    assert.equal(0, pool:count())
    assert.equal("astar workers (closed)", tostring(pool))
    assert.equal("workers are closed", error_of(function() queue:request(finder, 1, 1, 2, 2) end))
    queue:update()
    assert.equal(0, count)
    queue:update()
    assert.equal(12, count)
    queue:update()
    assert.equal(15, count)
  end)

  it("serves several queues, maps and pools in one script", function()
    local r, answered = random.new(5), 0
    local one, two = new_pool(1), new_pool(2)
    local queues = { astar.queue { workers = one, delay = 1 }, astar.queue { workers = one, delay = 4 },
      astar.queue { workers = two, delay = 2 } }
    local grids = { new_map(r, true), new_map(r, false) }
    for _ = 1, 15 do
      for _, queue in ipairs(queues) do
        for _, grid in ipairs(grids) do
          local sx, sy, gx, gy = r:int(1, 30), r:int(1, 20), r:int(1, 30), r:int(1, 20)
          local path, why = grid:find_path(sx, sy, gx, gy)
          queue:request(grid:finder(), sx, sy, gx, gy, function(got, reason)
            answered = answered + 1
            assert.equal(cells(path), cells(got))
            assert.equal(why, reason)
          end)
        end
        queue:update()
      end
    end
    for _ = 1, 4 do for _, queue in ipairs(queues) do queue:update() end end
    assert.equal(90, answered)
  end)

  it("frees maps that the script no longer refers to", function()
    local pool = new_pool(1)
    local queue = astar.queue { workers = pool, delay = 1 }
    for _ = 1, 3 do
      queue:request(astar.grid(100, 100):finder(), 1, 1, 2, 2)
      queue:update()
    end
    assert.is_true(pool:bytes() >= 10000)
    collectgarbage()
    collectgarbage()
    queue:request(astar.grid(3, 3):finder(), 1, 1, 2, 2)
    queue:update()
    assert.is_true(pool:bytes() < 10000)
    assert.is_true(pool:bytes() > 0)
  end)
end)

describe("a Lua state that ends", function()
  local LONG = [[
    local grid = astar.grid(400, 400)
    local finder, pool = grid:finder { algorithm = "dijkstra" }, astar.workers(3)
    local queue = astar.queue { workers = pool, delay = 9 }
    for i = 1, 100 do queue:request(finder, 1, 1, 400, i) end
    queue:update()
  ]]

  for what, code in pairs {
    ["with searches under way"] = "io.write 'end'",
    ["after an error"] = "io.write 'end' io.stdout:flush() pcall(error, 'x') kept = queue",
    ["that has dropped queue and pool"] = "queue, pool = nil collectgarbage() collectgarbage() io.write 'end'",
    ["that has dropped all but the pool"] = "queue, finder, grid = nil collectgarbage() io.write 'end' kept = pool",
    ["that has dropped all but the queue"] = "pool = nil collectgarbage() io.write 'end' kept = queue",
    ["inside a coroutine"] = "coroutine.wrap(function() queue:await(finder, 1, 1, 5, 5) end)() io.write 'end'",
  } do
    it("stops its worker threads " .. what, function()
      local output, status = process.run(LONG .. code)
      assert.equal("end", output)
      assert.equal(0, status)
    end)
  end
end)
