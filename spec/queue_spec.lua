-- Many requests, answered a little at a time: the same answers, in the order of their priority.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of

local function empty(queue, budget)
  local updates = 0
  while queue:update(budget or { expansions = 10 }) > 0 do
    updates = updates + 1
    assert(updates < 100000, "no end")
  end
  return updates
end

local function plain(side)
  return astar.grid(side, side):finder { algorithm = "dijkstra" }
end

describe("a queue", function()
  it("answers as if asked directly", function()
    for seed = 1, 12 do
      local r = random.new(seed)
      local world = oracle.world(r:map(30, 20))
      local grid = maps.grid(world)
      local finders = { grid:finder(), grid:finder { algorithm = "astar", partial = true },
        grid:finder { algorithm = "bidirectional" }, grid:finder { cost = function(x) return 1 + x % 3 end } }
      local queue, tickets = astar.queue(), {}
      for i = 1, 60 do
        local q = { r:pick(finders), r:int(1, 30), r:int(1, 20), r:int(1, 30), r:int(1, 20) }
        tickets[i] = { question = q,
          ticket = queue:request(q[1], q[2], q[3], q[4], q[5], nil, r:int(-2, 2)) }
      end
      assert.equal(60, queue:count())
      empty(queue, r:pick { { expansions = 1 }, { expansions = 37 }, { ms = 0 }, { ms = 1000 } })
      assert.equal(0, queue:count())
      for _, each in ipairs(tickets) do
        local q = each.question
        local path, reason = q[1]:find_path(q[2], q[3], q[4], q[5])
        local got, why = each.ticket:path()
        assert.equal(reason, why, "seed " .. seed)
        assert.same(path and path:cells_flat(), got and got:cells_flat())
        assert.equal(path and "found" or reason, each.ticket.status)
      end
    end
  end)

  it("goes by priority, then first come, first served", function()
    local finder, queue, order = plain(20), astar.queue(), {}
    local function ask(name, priority)
      return queue:request(finder, 1, 1, 20, 20, function() order[#order + 1] = name end, priority)
    end
    ask("a")
    ask("b", 5)
    ask("c")
    ask("d", 5)
    ask("e", -1.5)
    ask("f", 7)
    empty(queue)
    assert.equal("f b d a c e", table.concat(order, " "))
  end)

  it("lets a higher priority overtake one half done, which then goes on", function()
    local finder, queue, order = plain(20), astar.queue(), {}
    local function ask(name, priority)
      return queue:request(finder, 1, 1, 20, 20, function() order[#order + 1] = name end, priority)
    end
    local first = ask("first")
    queue:update { expansions = 50 }
    assert.equal("running", first.status)
    ask("urgent", 1)
    empty(queue)
    assert.equal("urgent first", table.concat(order, " "))
    assert.equal(first:path().expanded, finder:find_path(1, 1, 20, 20).expanded)
  end)

  it("changes the priority of a request", function()
    local finder, queue, order = plain(6), astar.queue(), {}
    local tickets = {}
    for i = 1, 4 do
      tickets[i] = queue:request(finder, 1, 1, 6, 6, function() order[#order + 1] = i end)
    end
    tickets[3]:set_priority(1)
    tickets[1]:set_priority(-1)
    assert.equal(-1, tickets[1].priority)
    empty(queue)
    tickets[2]:set_priority(9)
    assert.equal("3 2 4 1", table.concat(order, " "))
    assert.equal(0, queue:count())
  end)

  it("makes as many expansions as it may", function()
    local finder, queue = plain(30), astar.queue()
    local ticket = queue:request(finder, 1, 1, 30, 30)
    local updates = empty(queue, { expansions = 100 })
    assert.equal(math.floor(ticket:path().expanded / 100), updates)
  end)

  it("counts one for an answer that needs no search", function()
    local queue = astar.queue()
    local finder = astar.grid("..#."):finder()
    for _ = 1, 5 do queue:request(finder, 1, 1, 4, 1) end
    assert.equal(2, queue:update { expansions = 3 })
    assert.equal(0, queue:update { expansions = 3 })
    assert.equal(0, queue:update { ms = 1 })
  end)

  it("takes requests from callbacks, and other queues' updates within its own", function()
    local finder, queue, other, order = plain(6), astar.queue(), astar.queue(), {}
    other:request(finder, 1, 1, 6, 1, function() order[#order + 1] = "other" end)
    queue:request(finder, 1, 1, 6, 6, function(path, reason, ticket)
      assert.equal(path, ticket:path())
      assert.is_nil(reason)
      order[#order + 1] = "one"
      queue:request(finder, 1, 1, 1, 6, function() order[#order + 1] = "two" end)
      empty(other)
      empty(queue)
      order[#order + 1] = "end"
    end)
    empty(queue)
    assert.equal("one other two end", table.concat(order, " "))
  end)

  it("tells a callback why there is no path", function()
    local queue, got = astar.queue(), nil
    queue:request(astar.grid(".#."):finder(), 1, 1, 3, 1, function(...) got = { n = select("#", ...), ... } end)
    empty(queue)
    assert.same({ 3, nil, "unreachable" }, { got.n, got[1], got[2] })
  end)

  it("holds the memory of one search, however many wait", function()
    local grid = astar.grid(200, 200)
    local finder, queue = grid:finder { algorithm = "dijkstra" }, astar.queue()
    finder:find_path(1, 1, 200, 200)
    for _ = 1, 300 do queue:request(finder, 1, 1, 30, 30) end
    queue:update { expansions = 100 }
    collectgarbage()
    local before = collectgarbage "count"
    empty(queue, { expansions = 1000 })
    collectgarbage()
    assert.is_true(collectgarbage "count" < before + 1000)
    assert.is_true(grid:bytes() < 200 * 200 * 40)
  end)
end)

describe("a request", function()
  it("is restarted when the grid is edited, behind those that came with it", function()
    local grid = astar.grid(20, 20)
    local finder, queue, order = grid:finder { algorithm = "dijkstra" }, astar.queue(), {}
    local large = queue:request(finder, 1, 1, 20, 20, function() order[#order + 1] = "large" end)
    queue:request(finder, 1, 1, 2, 1, function() order[#order + 1] = "small" end)
    queue:update { expansions = 50 }
    grid:fill(5, 1, 1, 19, "#")
    empty(queue)
    assert.equal("small large", table.concat(order, " "))
    assert.equal(1, large.restarts)
    local direct = finder:find_path(1, 1, 20, 20)
    assert.same(direct:cells_flat(), large:path():cells_flat())
    assert.equal(direct.cost, large:path().cost)
  end)

  it("is cancelled before, amid and after its search", function()
    local finder, queue, called = plain(20), astar.queue(), 0
    local function ask() return queue:request(finder, 1, 1, 20, 20, function() called = called + 1 end) end
    local amid, before, after = ask(), ask(), ask()
    queue:update { expansions = 20 }
    assert.is_true(before:cancel())
    assert.is_true(amid:cancel())
    assert.is_false(amid:cancel())
    assert.equal(1, queue:count())
    assert.same({ nil, "cancelled" }, { amid:path() })
    empty(queue)
    assert.is_false(after:cancel())
    assert.equal("found", after.status)
    assert.equal(1, called)
  end)

  it("may be cancelled by the cost function asked for it", function()
    local queue, ticket = astar.queue(), nil
    local finder = astar.grid(9, 9):finder { cost = function()
      ticket:cancel()
      return 1
    end }
    ticket = queue:request(finder, 1, 1, 9, 9, function() error "called" end)
    assert.equal(0, queue:update { expansions = 1000 })
    assert.same({ nil, "cancelled" }, { ticket:path() })
    assert.equal(0, queue:count())
  end)

  it("whose cost function raises is dropped, and the caller of update told", function()
    local fault = {}
    local grid = astar.grid(9, 9)
    local bad = grid:finder { cost = function(x)
      if x == 5 then error(fault) end
      return 1
    end }
    local queue = astar.queue()
    local first = queue:request(bad, 1, 1, 9, 9)
    local second = queue:request(grid:finder(), 1, 1, 9, 9)
    local ok, problem = pcall(empty, queue)
    assert.same({ false, fault }, { ok, problem })
    assert.same({ nil, "failed" }, { first:path() })
    assert.equal(1, queue:count())
    empty(queue)
    assert.equal("found", second.status)
  end)

  it("whose callback raises is done, and the caller of update told", function()
    local finder, queue, fault = plain(5), astar.queue(), {}
    local first = queue:request(finder, 1, 1, 5, 5, function() error(fault) end)
    local second = queue:request(finder, 1, 1, 5, 5)
    local ok, problem = pcall(empty, queue)
    assert.same({ false, fault }, { ok, problem })
    assert.equal("found", first.status)
    empty(queue)
    assert.equal("found", second.status)
    assert.equal(0, queue:count())
  end)

  it("whose callback raises shows where in a traceback", function()
    local queue = astar.queue()
    queue:request(plain(5), 1, 1, 5, 5, function() local function culprit() error "here" end culprit() end)
    local _, trace = xpcall(function() queue:update { ms = 1000 } end, debug.traceback)
    assert.matches("culprit", trace)
  end)

  it("that cannot be searched for raises at the update", function()
    local grid = astar.grid(5, 5, { terrain = { ["."] = 1, s = 2 }, fill = "." })
    local queue = astar.queue()
    local ticket = queue:request(grid:finder { algorithm = "jps" }, 1, 1, 5, 5)
    grid:set(3, 3, "s")
    assert.matches("cannot honour ground", select(2, pcall(queue.update, queue, { ms = 5 })))
    assert.equal("failed", ticket.status)
    assert.equal(0, queue:update { ms = 5 })
  end)
end)

describe("queue:await", function()
  it("lets a script wait as if it had asked directly", function()
    local finder, queue, log = plain(12), astar.queue(), {}
    local script = coroutine.create(function()
      local path, reason = queue:await(finder, 1, 1, 12, 12)
      log[#log + 1] = #path .. tostring(reason)
      local none, why = queue:await(astar.grid(".#."):finder(), 1, 1, 3, 1, 2)
      log[#log + 1] = tostring(none) .. " " .. why
    end)
    assert(coroutine.resume(script))
    assert.same({}, log)
    empty(queue)
    assert.same({ "12nil", "nil unreachable" }, log)
    assert.equal("dead", coroutine.status(script))
  end)

  it("goes on waiting when somebody else wakes it", function()
    local finder, queue, done = plain(12), astar.queue(), false
    local script = coroutine.create(function()
      queue:await(finder, 1, 1, 12, 12)
      done = true
    end)
    for _ = 1, 3 do assert(coroutine.resume(script, "frame")) end
    assert.is_false(done)
    assert.equal(1, queue:count())
    empty(queue)
    assert.is_true(done)
  end)

  it("raises in the script what a cost function raises", function()
    local queue, fault = astar.queue(), {}
    local finder = astar.grid(5, 5):finder { cost = function() error(fault) end }
    local script = coroutine.create(function() -- Lua 5.1 cannot yield across pcall
      queue:await(finder, 1, 1, 5, 5)
    end)
    assert(coroutine.resume(script))
    local ok, problem = pcall(queue.update, queue, { ms = 5 })
    assert.same({ false, fault }, { ok, problem })
    assert.equal("dead", coroutine.status(script))
    assert.equal(0, queue:update { ms = 5 })
  end)

  it("passes on what the script raises when it goes on", function()
    local finder, queue = plain(12), astar.queue()
    local script = coroutine.create(function()
      queue:await(finder, 1, 1, 12, 12)
      error "later"
    end)
    assert(coroutine.resume(script))
    local ok, problem = pcall(empty, queue)
    assert.is_false(ok)
    assert.matches("later", problem)
    assert.equal(0, queue:count())
  end)

  it("is an error outside a coroutine", function()
    if coroutine.isyieldable and coroutine.isyieldable() then return end -- the runner's own
    local queue = astar.queue()
    local _, is_main = coroutine.running()
    if is_main or not coroutine.running() then
      assert.equal("await must be called in a coroutine",
        error_of(function() queue:await(plain(3), 1, 1, 3, 3) end))
    end
  end)
end)
