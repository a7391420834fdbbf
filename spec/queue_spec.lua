-- Many requests, answered a little at a time: the same answers, in the order of their priority.

local astar = require "astar"
local core = require "astar.core"
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
  it("returns the results of find_path", function()
    for seed = 1, 12 do
      local r = random.new(seed)
      local world = oracle.world(r:map(30, 20))
      local grid = maps.grid(world)
      local finders = { grid:finder(), grid:finder { algorithm = "astar", partial = true },
        grid:finder { algorithm = "dijkstra" }, grid:finder { cost = function(x) return 1 + x % 3 end } }
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

  it("serves requests by priority, then in the order of their arrival", function()
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

  it("lets a request of higher priority interrupt a search, which continues later", function()
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

  it("can change the priority of a waiting request", function()
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

  it("makes as many expansions per update as its budget allows", function()
    local finder, queue = plain(30), astar.queue()
    local ticket = queue:request(finder, 1, 1, 30, 30)
    local updates = empty(queue, { expansions = 100 })
    assert.equal(math.floor(ticket:path().expanded / 100), updates)
  end)

  it("uses one expansion of its budget for a result that needs no search", function()
    local queue = astar.queue()
    local finder = astar.grid("..#."):finder()
    for _ = 1, 5 do queue:request(finder, 1, 1, 4, 1) end
    assert.equal(2, queue:update { expansions = 3 })
    assert.equal(0, queue:update { expansions = 3 })
    assert.equal(0, queue:update { ms = 60000 })
  end)

  it("accepts requests from callbacks, and lets callbacks update other queues", function()
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

  it("passes the reason to the callback if there is no path", function()
    local queue, got = astar.queue(), nil
    queue:request(astar.grid(".#."):finder(), 1, 1, 3, 1, function(...) got = { n = select("#", ...), ... } end)
    empty(queue)
    assert.same({ 3, nil, "unreachable" }, { got.n, got[1], got[2] })
  end)

  it("needs the memory of one search, for any number of waiting requests", function()
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

-- What a queue holds: entries of its tables, the tickets' own left out.
local function entries(queue)
  local count = 0
  local function add(t)
    for _, value in next, t do
      count = count + 1
      if type(value) == "table" and not getmetatable(value) then add(value) end
    end
  end
  add(queue)
  return count
end

describe("the order of a queue's answers", function()
  -- The plain way: the one asked first, once as many have left as make it due; else the first of those with the
  -- highest priority.
  local function next_of(list, left)
    local best, oldest
    for i, each in ipairs(list) do
      if not oldest or each.number < list[oldest].number then oldest = i end
    end
    if list[oldest].due <= left then return oldest end
    for i, each in ipairs(list) do
      if not best or each.priority > list[best].priority then best = i end
    end
    return best
  end

  local function position(list, entry)
    for i, each in ipairs(list) do
      if each == entry then return i end
    end
  end

  it("is the order of a plain list, for any mix of requests, priority changes, cancellations and results", function()
    local finder = astar.grid("."):finder()
    for seed = 1, 30 do
      local r, queue, list, answered = random.new(seed), astar.queue(), {}, nil
      local asked, left = 0, 0
      local function ask()
        asked = asked + 1
        local entry = { number = asked, priority = r:pick { -1.5, 0, 0, 1, 7, r:int(1, 1000) } }
        entry.ticket = queue:request(finder, 1, 1, 1, 1, function() answered = entry end, entry.priority)
        list[#list + 1] = entry
      end
      local function change(entry)
        local before = entry.priority
        entry.priority = r:pick { before, -1.5, 0, 1, 7, r:int(1, 1000) }
        entry.ticket:set_priority(entry.priority)
        if entry.priority ~= before then
          table.insert(list, (table.remove(list, position(list, entry))))
        end
      end
      for _ = 1, 600 do
        local entry, what = #list > 0 and r:pick(list), r:int(1, 10)
        if what <= 4 or not entry then
          ask()
        elseif what <= 7 then
          change(entry)
        elseif what <= 8 then
          table.remove(list, position(list, entry))
          assert.is_true(entry.ticket:cancel())
          left = left + 1
        else
          for _, each in ipairs(list) do
            each.due = each.due or left + 2 * #list -- twice as many as wait with it
          end
          local first = table.remove(list, next_of(list, left))
          left = left + 1
          queue:update { expansions = 1 }
          assert.equal(first, answered, "seed " .. seed)
        end
        assert.equal(#list, queue:count())
      end
    end
  end)

  -- A queue that serves 'served' requests an update, of which 'asked' more are asked before each of 'updates': by
  -- 'priority_of' their number. Returns of each, by its number, how many left between its first update and its answer,
  -- and how many waited at most until then.
  local function run(updates, asked, served, priority_of)
    local finder, queue, waits = astar.grid(9, 9):finder(), astar.queue(), {}
    local number, answers, order = 0, 0, {}
    local waiting = {}
    for _ = 1, updates do
      for _ = 1, asked do
        number = number + 1
        local own = number
        waiting[own] = { began = answers, most = 0 }
        queue:request(finder, 1, 1, 1, 1, function()
          waits[own] = { left = answers - waiting[own].began, most = waiting[own].most }
          waiting[own], answers = nil, answers + 1
          order[#order + 1] = own
        end, priority_of(own))
      end
      for _, each in pairs(waiting) do each.most = math.max(each.most, queue:count()) end
      queue:update { expansions = served }
    end
    return waits, order
  end

  it("answers every request within a bound, even under overload", function()
    for _, case in ipairs { { 6, 5 }, { 5, 5 }, { 9, 3 }, { 30, 10 } } do
      local asked, served = case[1], case[2]
      for name, priority_of in pairs {
        one_of_many_is_low = function(i) return i % 10 == 0 and -5 or 0 end,
        half_are_low = function(i) return i % 2 end,
        each_goes_before_all = function(i) return i end,
        each_goes_after_all = function(i) return -i end,
        mixed = function(i) return (i * 7) % 13 end,
      } do
        local waits, order = run(120, asked, served, priority_of)
        assert.equal(120 * served, #order)
        local answered_to = 0 -- of what is old enough to be due
        while waits[answered_to + 1] do
          answered_to = answered_to + 1
          local wait = waits[answered_to]
          assert(wait.left <= 3 * wait.most + asked, ("%s, %d of %d: %d left, %d waited"):format(name, asked,
            served, wait.left, wait.most))
        end
        assert(answered_to > 120 * served / 6, ("%s, %d of %d: only the first %d"):format(name, asked, served,
          answered_to))
      end
    end
  end)

  it("puts requests of higher priority earlier, even under overload", function()
    local waits = run(200, 6, 5, function(i) return i % 10 == 0 and -5 or 0 end)
    local sums, counts = { 0, 0 }, { 0, 0 }
    for i, wait in pairs(waits) do
      local kind = i % 10 == 0 and 1 or 2
      sums[kind], counts[kind] = sums[kind] + wait.left, counts[kind] + 1
    end
    assert(sums[1] / counts[1] > 1.5 * sums[2] / counts[2])
  end)

  it("follows only the priority among requests that were made before the first update", function()
    local finder, queue, order = astar.grid(9, 9):finder(), astar.queue(), {}
    for i = 1, 2000 do
      queue:request(finder, 1, 1, 9, 9, function() order[#order + 1] = i end, i % 50 == 0 and i or 5000 + i)
    end
    empty(queue, { expansions = 3 })
    local expected = {}
    for i = 2000, 1, -1 do if i % 50 ~= 0 then expected[#expected + 1] = i end end
    for i = 2000, 1, -50 do expected[#expected + 1] = i end
    assert.same(expected, order)
  end)

  it("completes a long search that waits behind a stream of short searches", function()
    local finder, queue, found = plain(40), astar.queue(), false
    queue:request(finder, 1, 1, 40, 40, function() found = true end, -5)
    local updates = 0
    repeat
      updates = updates + 1
      for _ = 1, 3 do queue:request(finder, 1, 1, 1, 1, nil, updates % 3) end
      queue:update { expansions = 2 }
      assert(updates < 3000, "no end")
    until found
  end)

  it("gives a waiting job one update now and then", function()
    local finder, queue, answers = plain(30), astar.queue(), 0
    local function ask() -- whoever is answered asks again, so there is always more to do
      queue:request(finder, 1, 1, 1, 1, function()
        answers = answers + 1
        ask()
      end)
    end
    for _ = 1, 10 do ask() end
    local job = finder:flow(1, 1):completing()
    queue:add(job, { priority = -1 })
    local updates, in_a_row = 0, 0
    repeat
      updates = updates + 1
      local before = answers
      queue:update { expansions = 5 }
      in_a_row = answers == before and in_a_row + 1 or 0
      assert(in_a_row <= 1, "the job takes two updates in a row")
      assert(updates < 5000, "no end")
    until job.status == "done"
    assert(answers > 2 * updates, answers .. " in " .. updates)
  end)

  it("stays the same when functions raise errors or update the queue, and when tickets are cancelled", function()
    for seed = 1, 20 do
      local r, queue, is_broken = random.new(seed), astar.queue(), false
      local finder = astar.grid(6, 6):finder { cost = function(_, _, _, cost)
        if is_broken then error("broken", 0) end
        return cost
      end }
      local tickets = {}
      for _ = 1, 300 do
        for _ = 1, r:int(0, 5) do
          local i = #tickets + 1
          tickets[i] = queue:request(finder, 1, 1, r:int(1, 6), r:int(1, 6), function()
            if r:chance(0.1) then queue:update { expansions = r:int(1, 3) } end
            if r:chance(0.05) then error("raised", 0) end
          end, r:int(-3, 3))
        end
        is_broken = r:chance(0.05)
        pcall(queue.update, queue, { expansions = r:int(1, 12) })
        if #tickets > 0 and r:chance(0.3) then r:pick(tickets):cancel() end
      end
      is_broken = false
      for _ = 1, 100000 do
        local ok, left = pcall(queue.update, queue, { expansions = 1000 })
        if ok and left == 0 then break end
      end
      assert.equal(0, queue:count())
      for i, ticket in ipairs(tickets) do
        assert(ticket.done or ticket.status == "failed", ("seed %d: ticket %d %s"):format(seed, i, ticket.status))
      end
      queue:update { expansions = 1 }
      assert.is_true(entries(queue) < 11, entries(queue))
    end
  end)

  it("needs no more memory for the order after an hour of frames that change priorities", function()
    local finder, queue, r = astar.grid("."):finder(), astar.queue(), random.new(1)
    local tickets = {}
    local function ask(i)
      tickets[i] = queue:request(finder, 1, 1, 1, 1, function() ask(i) end, -r:number())
    end
    for i = 1, 20 do ask(i) end
    queue:update { expansions = 1 }
    local before = entries(queue)
    for frame = 1, 60 * 60 * 60 do
      local i = r:int(1, 20)
      tickets[i]:set_priority(-r:number())
      if frame % 7 == 0 then queue:update { expansions = 1 } end
      if frame % 11 == 0 then
        tickets[i]:cancel()
        ask(i)
      end
    end
    assert.equal(20, queue:count())
    assert.equal(before, entries(queue))
    for i = 1, 20 do tickets[i]:cancel() end
    assert.is_true(entries(queue) < 11)
  end)

  it("needs work that grows with the logarithm of the number of waiting requests", function()
    if jit then jit.off() end -- compiled code calls no hooks
    local finder = astar.grid("."):finder()
    -- A hundred instructions for each call of the hook: of setting priorities, asking and cancelling.
    local function work(waiting)
      local queue, tickets, r = astar.queue(), {}, random.new(3)
      for i = 1, waiting do tickets[i] = queue:request(finder, 1, 1, 1, 1, nil, i) end
      local count = 0
      debug.sethook(function() count = count + 1 end, "", 100)
      for _ = 1, 2000 do
        tickets[r:int(1, waiting)]:set_priority(r:number())
        tickets[r:int(1, waiting)]:cancel()
        queue:request(finder, 1, 1, 1, 1, nil, -r:number())
      end
      debug.sethook()
      return count
    end
    local few, many = work(100), work(12800)
    if jit then jit.on() end
    assert.is_true(few > 0)
    assert.is_true(many < 4 * few, ("%d for 100, %d for 12800"):format(few, many))
  end)
end)

describe("a queue over a map that changes every frame", function()
  -- Asks on a map of two costs, large enough that a question takes several updates; 'edit' is done
  -- before each. How many updates that took, and the tickets.
  local function run(case)
    local grid = astar.grid(40, 40, { terrain = { ["."] = 1, s = 3, ["#"] = false }, fill = "." })
    local field = astar.field(40, 40)
    local finder = grid:finder { algorithm = case.algorithm, avoid = case.avoids and field or nil }
    local queue, tickets = astar.queue(), {}
    for i = 1, case.requests or 1 do
      tickets[i] = queue:request(finder, 3, 3, 20, 20 + i % 5)
    end
    local updates = 0
    repeat
      updates = updates + 1
      assert(updates < 1000, "no end")
      case.edit(grid, field, updates)
    until queue:update { expansions = case.expansions or 5 } == 0
    for _, ticket in ipairs(tickets) do
      assert.equal("found", ticket.status)
      assert.is_true(ticket.restarts <= 7)
    end
    return updates, tickets
  end

  local function toggle(x, y)
    return function(grid, _, frame)
      if frame % 2 == 0 then grid:block(x, y) else grid:unblock(x, y) end
    end
  end

  local function threaten(_, field, frame)
    field:decay(0.5)
    field:stamp(4 + frame % 3, 5, 3, 8)
  end

  it("continues a search if a cell in a far corner is toggled", function()
    for _, algorithm in ipairs(check.ALGORITHMS) do
      local _, tickets = run { algorithm = algorithm, edit = toggle(40, 1), expansions = 3 }
      assert.equal(0, tickets[1].restarts, algorithm)
    end
  end)

  it("continues a search if a field value far away fades", function()
    local function fade(_, field)
      field:decay(0.9)
      field:stamp(36, 4, 2, 5)
    end
    for algorithm, expansions in pairs { astar = 5, jpsw = 1 } do
      local updates, tickets = run { algorithm = algorithm, avoids = true, expansions = expansions, edit = fade }
      assert.equal(0, tickets[1].restarts)
      assert.is_true(updates > 1)
    end
  end)

  it("completes a request soon although each edit restarts its search", function()
    for _, case in ipairs {
      { avoids = true, edit = threaten },
      { algorithm = "astar", edit = toggle(5, 4) },
      { algorithm = "dijkstra", edit = toggle(1, 1), expansions = 100 },
      { algorithm = "jps", edit = toggle(4, 3), expansions = 1 },
      { algorithm = "jpsw", edit = toggle(4, 3), expansions = 1 },
    } do
      local updates, tickets = run(case)
      assert.is_true(tickets[1].restarts >= 3 and updates < 200, updates .. " updates")
    end
  end)

  it("completes any number of requests, and starts each search eight times at most", function()
    for _, requests in ipairs { 2, 30 } do
      local updates, tickets = run { avoids = true, edit = threaten, requests = requests }
      assert.is_true(updates <= 40 * requests, updates .. " updates")
      for _, ticket in ipairs(tickets) do assert.is_true(ticket.restarts >= 3) end
    end
  end)

  it("keeps its budget if edits invalidate only a small part of the search", function()
    local r, taken, updates = random.new(5), 0, 0
    local grid = astar.grid(90, 90, { terrain = { ["."] = 1, s = 3 }, fill = "." })
    for _ = 1, 2000 do grid:set(r:int(1, 90), r:int(1, 90), "s") end
    local finder = grid:finder { cost = function(_, _, _, cost)
      taken = taken + 1
      return cost
    end, min_cost = 1 }
    local queue, longest = astar.queue(), 0
    local ticket = queue:request(finder, 3, 45, 88, 45)
    repeat
      updates, taken = updates + 1, 0
      local x, y = r:int(10, 80), r:int(1, 90)
      if r:chance(0.5) then grid:block(x, y) else grid:unblock(x, y) end
      local waiting = queue:update { expansions = 40 }
      longest = math.max(longest, taken)
    until waiting == 0
    assert.equal(4, ticket.restarts)
    assert.is_true(longest <= 40 * 8, longest .. " cells asked about")
    assert.is_true(updates > 10)
    assert.equal("found", ticket.status)
  end)

  it("builds search data only within its steps if the budget is a time", function()
    local grid = astar.grid(90, 90)
    grid:fill(40, 1, 3, 80, "#")
    local finder = grid:finder()
    local search = core.search(finder, 1, 1, 90, 1)
    assert.same({ "running" }, { search.status, search.algorithm })
    while search:step(20) == "running" do end
    local queue = astar.queue()
    local ticket = queue:request(finder, 1, 1, 90, 1)
    while queue:update { ms = 1 } > 0 do end
    local path = finder:find_path(1, 1, 90, 1)
    assert.same(path:cells_flat(), search:path():cells_flat())
    assert.same(path:cells_flat(), ticket:path():cells_flat())
  end)

  it("keeps its budget however much of the search the edits invalidate", function()
    local bounded = { partial = true, max_cost = 300 }
    for _, options in ipairs { {}, { bends = "fewest" }, bounded, { max_expansions = 9000 } } do
      local taken, grid = 0, astar.grid(90, 90)
      options.cost, options.min_cost = function(_, _, _, cost)
        taken = taken + 1
        return cost
      end, 1
      local finder, queue, frame = grid:finder(options), astar.queue(), 0
      local ticket = queue:request(finder, 1, 1, 88, 45)
      repeat
        frame, taken = frame + 1, 0
        if frame % 2 == 0 then grid:block(1, 2, 2, 1) else grid:unblock(1, 2, 2, 1) end -- a door beside the start
        local waiting = queue:update { expansions = 40 }
        assert.is_true(taken <= 40 * 8, taken .. " cells asked about")
        assert(frame < 2000, "no end")
      until waiting == 0
      assert.equal("found", ticket.status)
      assert.equal(4, ticket.restarts)
    end
  end)

  it("exceeds its budget by at most the work of one query", function()
    local grid = astar.grid(40, 40)
    local field = astar.field(40, 40)
    local finder = grid:finder { avoid = field }
    local queue, frame, answers = astar.queue(), 0, {}
    for i = 1, 12 do
      queue:request(finder, 3, 3, 20, 20, function(path)
        if path.expanded > 5 then answers[frame] = (answers[frame] or 0) + 1 end
      end, i % 2)
    end
    repeat
      frame = frame + 1
      threaten(nil, field, frame)
    until queue:update { expansions = 5 } == 0
    local total = 0
    for _, count in pairs(answers) do
      assert.equal(1, count)
      total = total + count
    end
    assert.equal(12, total)
  end)

  -- The map of 30 x 20 cells as it is now, with its field.
  local function version_of(grid, field)
    local copy = astar.field(30, 20)
    for y = 1, 20 do
      for x = 1, 30 do copy:set(x, y, field:get(x, y)) end
    end
    return { grid = astar.load(grid:dump()), field = copy }
  end

  -- Whether an answer is that of one of the versions there were.
  local function is_of_a_version(versions, options, question, path, reason)
    for _, version in ipairs(versions) do
      local finder = version.grid:finder {
        algorithm = options.algorithm, avoid = options.avoid and version.field,
      }
      local then_path, why = finder:find_path(question[1], question[2], question[3], question[4])
      if why == reason and (not path or math.abs(then_path.cost - path.cost) < 1e-9) then return true end
    end
    return false
  end

  it("returns the route of the present map, or of the map at some time since the request", function()
    local of_versions = 0
    for seed = 1, 25 do
      local versions = {}
      local r = random.new(seed)
      local grid = maps.grid(oracle.world(r:map(30, 20)))
      local field = astar.field(30, 20)
      local finders = { grid:finder(), grid:finder { avoid = field }, grid:finder { algorithm = "astar" } }
      local queue, told = astar.queue(), 0
      for _ = 1, 20 do
        local finder = r:pick(finders)
        local question = { r:int(1, 30), r:int(1, 20), r:int(1, 30), r:int(1, 20) }
        queue:request(finder, question[1], question[2], question[3], question[4], function(path, reason, ticket)
          told = told + 1
          if ticket.restarts >= 3 then -- asked of the map as it was at one moment
            of_versions = of_versions + 1
            assert.is_true(is_of_a_version(versions, finder:options(), question, path, reason), "seed " .. seed)
            return
          end
          local fresh, why = finder:find_path(question[1], question[2], question[3], question[4])
          assert.equal(why, reason, "seed " .. seed)
          assert.same(fresh and fresh:cells_flat(), path and path:cells_flat(), "seed " .. seed)
        end, r:int(1, 3))
      end
      repeat
        local x, y = r:int(1, 30), r:int(1, 20)
        if r:chance(0.5) then grid:block(x, y) else grid:unblock(x, y) end
        if r:chance(0.5) then field:stamp(x, y, 2, 4) end
        field:decay(0.7)
        versions[#versions + 1] = version_of(grid, field)
      until queue:update { expansions = 15 } == 0
      assert.equal(20, told)
    end
    assert.is_true(of_versions > 0)
  end)
end)

describe("a request", function()
  it("keeps its place in the queue if its priority is set to the same value", function()
    local finder, queue, order = plain(20), astar.queue(), {}
    local tickets = {}
    for i = 1, 4 do
      tickets[i] = queue:request(finder, 1, 1, 20, 20, function() order[#order + 1] = i end, 5)
    end
    repeat
      for i = 1, 3 do tickets[i]:set_priority(5) end
    until queue:update { expansions = 100 } == 0
    assert.equal("1 2 3 4", table.concat(order, " "))
  end)

  it("is one of at most four half-done requests, however priorities change", function()
    local finder, queue = plain(20), astar.queue()
    local tickets, ends = {}, 0
    for i = 1, 30 do
      tickets[i] = queue:request(finder, 1, 1, 20, 20, function() ends = ends + 1 end)
    end
    local frame = 0
    repeat
      frame = frame + 1
      assert(frame < 1000, "no end")
      for i, ticket in ipairs(tickets) do ticket:set_priority((i * 7 + frame) % 30) end
      local waiting, running, searches = queue:update { expansions = 50 }, 0, 0
      for _, ticket in ipairs(tickets) do
        if ticket.status == "running" then running = running + 1 end
        if ticket.search then searches = searches + 1 end
      end
      assert.equal(running, searches)
      assert.is_true(running <= 4)
    until waiting == 0
    assert.equal(30, ends)
    for _, ticket in ipairs(tickets) do assert.is_true(ticket.restarts <= 3) end
  end)

  it("is restarted when an edit may have changed its result, behind the requests of its priority", function()
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

  it("can be cancelled before, during and after its search", function()
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

  it("may be cancelled by the cost function of its own search", function()
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

  it("is dropped if its cost function raises an error, which queue:update passes on", function()
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

  it("counts as done if its callback raises an error, which queue:update passes on", function()
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

  it("keeps the traceback of the error that its callback raised", function()
    local queue = astar.queue()
    queue:request(plain(5), 1, 1, 5, 5, function() local function culprit() error "here" end culprit() end)
    local _, trace = xpcall(function() queue:update { ms = 1000 } end, debug.traceback)
    assert.matches("culprit", trace)
  end)

  it("raises an error in the update if its algorithm cannot honour the terrain", function()
    local grid = astar.grid(5, 5, { terrain = { ["."] = 1, s = 2 }, fill = "." })
    local queue = astar.queue()
    local ticket = queue:request(grid:finder { algorithm = "jps" }, 1, 1, 5, 5)
    grid:set(3, 3, "s")
    assert.matches("cannot honour ground", select(2, pcall(queue.update, queue, { ms = 60000 })))
    assert.equal("failed", ticket.status)
    assert.equal(0, queue:update { ms = 60000 })
  end)
end)

describe("queue:await", function()
  it("returns to the waiting script the results of find_path", function()
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

  it("continues to wait if another coroutine resumes the script", function()
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

  it("raises the cost function's error in the waiting script", function()
    local queue, fault = astar.queue(), {}
    local finder = astar.grid(5, 5):finder { cost = function() error(fault) end }
    local script = coroutine.create(function() -- Lua 5.1 cannot yield across pcall
      queue:await(finder, 1, 1, 5, 5)
    end)
    assert(coroutine.resume(script))
    local ok, problem = pcall(queue.update, queue, { ms = 60000 })
    assert.same({ false, fault }, { ok, problem })
    assert.equal("dead", coroutine.status(script))
    assert.equal(0, queue:update { ms = 60000 })
  end)

  it("passes on the error that the script raises after waiting", function()
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

  it("raises an error if called outside a coroutine", function()
    if coroutine.isyieldable and coroutine.isyieldable() then return end -- the runner's own
    local queue = astar.queue()
    local _, is_main = coroutine.running()
    if is_main or not coroutine.running() then
      assert.equal("await must be called in a coroutine",
        error_of(function() queue:await(plain(3), 1, 1, 3, 3) end))
    end
  end)
end)
