-- What the service does without its engines: maps as pieces, edits as data, questions and their errors, turns. With
-- its engines it is tested by `make service-test`.

package.path = "./service/?.lua;" .. package.path

local astar = require "astar"
local random = require "spec.support.random"

-- HAProxy's Lua is 5.3.
local is_lua = math.type ~= nil
local has_json = pcall(require, "cjson")
local has_socket = pcall(require, "socket.core")

local function error_of(call, ...)
  local ok, message = pcall(call, ...)
  assert.is_false(ok)
  return message
end

local PALETTE = { { ".", 1 }, { "~", 2.5 }, { "#", false } }
local TERRAIN = { ["."] = 1, ["~"] = 2.5, ["#"] = false }
local SIDES = { "north", "east", "south", "west" }

local function nothing() end

local function random_op(dice, width, height)
  local x, y = dice:int(1, width), dice:int(1, height)
  local w, h = dice:int(1, math.min(9, width - x + 1)), dice:int(1, math.min(9, height - y + 1))
  local key = PALETTE[dice:int(1, 3)][1]
  local keys = {}
  for i = 1, w * h do keys[i] = PALETTE[dice:int(1, 3)][1] end
  local ops = {
    { "set", x, y, key }, { "fill", x, y, w, h, key }, { "set_cells", x, y, w, h, table.concat(keys) },
    { "set_cells", x, y, w, h, keys }, { "block", x, y, w, h }, { "block", x, y }, { "unblock", x, y, w, h },
    { "block", x, y, w, h, "red" }, { "block", x, y, "doors" }, { "unblock", x, y, w, "red" },
    { "unblock", x, y, "gone" }, { "set", x, y, "?" }, { "set", x + width, y, key }, { "set", x },
    { "block", x, y, 0, 1 },
    { "terrain", "~", dice:int(1, 9) }, { "terrain", "%", dice:int(1, 9) }, { "set", x + 0.5, y, key },
    { "link", x, y, dice:int(1, width), dice:int(1, height), { cost = dice:int(1, 4), label = "gate" } },
    { "link", x, y, dice:int(1, width), dice:int(1, height), { one_way = true } },
    { "unlink", x, y, dice:int(1, width), dice:int(1, height) },
    { "wall", x, y, SIDES[dice:int(1, 4)] }, { "unwall", x, y, SIDES[dice:int(1, 4)] },
    { "wall", x, y, SIDES[dice:int(1, 4)], true },
  }
  return ops[dice:int(1, #ops)]
end

local function it_of_lua_53(name, test)
  it(name, function()
    if not is_lua or not has_json then
      pending "needs Lua 5.3, the Lua of HAProxy, with lua-cjson"
      return
    end
    test()
  end)
end

describe("a map of the service", function()
  local map = is_lua and has_json and require "astar_service.map"
  local graph_map = is_lua and has_json and require "astar_service.graph_map"

  local function assert_same_grid(expected, actual, dice, seed)
    assert.same({ expected:bounds() }, { actual:bounds() })
    local x0, y0, x1, y1 = expected:bounds()
    for y = y0, y1 do
      for x = x0, x1 do
        local is_same = expected:get(x, y) == actual:get(x, y)
          and table.concat(expected:block_layers(x, y), ",") == table.concat(actual:block_layers(x, y), ",")
        if not is_same then error(("seed %d: %d, %d differs"):format(seed, x, y)) end
      end
    end
    assert.same(expected:walls(), actual:walls())
    assert.same(expected:links(), actual:links())
    for _ = 1, 20 do
      local sx, sy, gx, gy = dice:int(x0, x1), dice:int(y0, y1), dice:int(x0, x1), dice:int(y0, y1)
      local path, reason = expected:find_path(sx, sy, gx, gy)
      local path_there, reason_there = actual:find_path(sx, sy, gx, gy)
      assert.equal(path and path.cost, path_there and path_there.cost, "seed " .. seed)
      assert.equal(reason, reason_there)
    end
  end

  -- The map again, of its pieces and what it is, each piece at a base of its own.
  local function read_again(its)
    local again = map.new(its.name, its.version, its:meta())
    local _, count = its:piece_count()
    for i = 1, count do again:put_piece(i, its:piece(i, nothing), nothing) end
    return again
  end

  it_of_lua_53("equals a local grid after any edits, also when rebuilt from its pieces", function()
    for seed = 1, 8 do
      local dice = random.new(seed)
      local width, height = dice:int(1, 300), dice:int(1, 140)
      local its = map.of("town", 0, astar.grid(width, height, { terrain = TERRAIN, fill = "." }), PALETTE)
      local grid = astar.grid(width, height, { terrain = TERRAIN, fill = "." })
      local done = 0
      for _ = 1, 120 do
        local ops = { random_op(dice, width, height), random_op(dice, width, height) }
        local is_formed = pcall(its.check_form, its, ops)
        local is_sure = is_formed and its:is_sure(ops)
        local ok = is_formed and pcall(its.try, its, ops)
        assert.is_true(ok or not is_sure, "what is sure can be done, seed " .. seed)
        if ok then
          assert.is_true(its:apply(its.version + 1, ops))
          for _, op in ipairs(ops) do grid[op[1]](grid, table.unpack(op, 2)) end
          done = done + 1
          if done == 20 then its = read_again(its) end
        end
      end
      assert.equal(done, its.version)
      assert.is_nil(its.failed)
      assert_same_grid(grid, its.object, dice, seed)
      assert_same_grid(grid, read_again(its).object, dice, seed)
    end
  end)

  it_of_lua_53("can be rebuilt with hexagons, integer keys and another origin", function()
    local grid = astar.grid(150, 9, {
      terrain = { [0] = 1, [7] = 3, [9] = false }, fill = 0, origin = { -20, 5 }, shape = "hex", offset = "even_q",
    })
    local its = map.of("sea", 4, grid, { { 0, 1 }, { 7, 3 }, { 9, false } })
    local ops = { { "fill", 0, 6, 60, 3, 7 }, { "set", 129, 13, 9 }, { "block", -20, 5, 4, 4, "ice" } }
    assert.is_true(its:apply(5, ops))
    assert_same_grid(grid, read_again(its).object, random.new(1), 1)
    assert.same({ grid:shape() }, { read_again(its).object:shape() })
  end)

  it_of_lua_53("applies each version once, and reports a missing version", function()
    local its = map.of("town", 0, astar.grid(5, 5), { { ".", 1 }, { "#", false } })
    assert.is_true(its:apply(1, { { "set", 1, 1, "#" } }))
    assert.is_true(its:apply(1, { { "set", 2, 2, "#" } }))
    assert.equal(".", its.object:get(2, 2))
    assert.is_false(its:apply(3, { { "set", 2, 2, "#" } }))
    assert.equal(1, its.version)
  end)

  it_of_lua_53("records the version in which each piece was last edited", function()
    local its = map.of("town", 6, astar.grid(400, 130), { { ".", 1 }, { "#", false } })
    its:apply(7, { { "set", 1, 1, "#" } })
    its:apply(8, { { "block", 128, 128, 2, 2 }, { "link", 300, 100, 1, 1 } })
    its:apply(9, { { "set", 400, 130, "#" } })
    assert.same({ [1] = 8, [2] = 8, [5] = 8, [6] = 8, [8] = 9 }, its.touched)
  end)

  it_of_lua_53("reports an error that describes an invalid edit", function()
    local its = map.of("town", 0, astar.grid(5, 5), { { ".", 1 }, { "#", false } })
    local function wrong(op) return error_of(its.check_form, its, { op }) end
    assert.equal('there is no edit "share"', wrong { "share", "town" })
    assert.equal('there is no edit "__gc"', wrong { "__gc" })
    assert.matches("an edit must be a list such as", wrong "set")
    assert.matches("at most 6 entries", wrong { "set", 1, 1, 1, 1, 1, 1 })
    assert.equal('argument 2 of the edit "set" must be an integer', wrong { "set", 1, print, "#" })
    assert.equal('argument 2 of the edit "set" must be an integer', wrong { "set", 1, 1.5, "#" })
    assert.equal('the edit "terrain" does not take 1 arguments', wrong { "terrain", "#" })
    assert.matches("argument 1 .* a text of at most 64 bytes", wrong { "terrain", ("k"):rep(65), 1 })
    assert.matches("unknown terrain \"?\": give it a cost", error_of(its.try, its, { { "set", 1, 1, "?" } }), 1, true)
    local message = error_of(its.try, its, { { "set", 1, 1, "#" }, { "set", 6, 1, "#" } })
    assert.equal("x must be an integer from 1 to 5, got 6", message)
    assert.equal(".", its.object:get(1, 1))
  end)

  it_of_lua_53("can be a graph, which is cut into pieces and joined again", function()
    local own = astar.graph()
    for i = 1, 3000 do own:node("node number " .. i, i, 0) end
    for i = 2, 3000 do own:edge("node number " .. i - 1, "node number " .. i, { label = "road" }) end
    local its = graph_map.of("house", 0, own)
    assert.is_true(its:apply(1, { { "block", "node number 7" }, { "node", 7, 4, 1 } }))
    assert.is_true(its:is_sure { { "unblock", "node number 7" } })
    assert.is_false(its:is_sure { { "block", "nowhere" } })
    assert.matches("unknown node", error_of(its.try, its, { { "edge", 7, "nowhere" } }))
    local _, count = its:piece_count()
    assert.is_true(count > 1)
    local pieces = {}
    for i = 1, count do pieces[i] = its:piece(i) end
    assert.equal(own:dump(), graph_map.new("house", 1, table.concat(pieces)).object:dump())
  end)
end)

describe("a query to the service", function()
  local map = is_lua and has_json and require "astar_service.map"
  local questions = is_lua and has_json and require "astar_service.questions"

  local function ask(its, question, unit, changes)
    local context = {
      limits = { goals = 3, cells_asked = 4 }, deadline = math.huge, clock = os.clock, left = function() return 1 end,
      pause = nothing, check_memory = nothing,
    }
    for name, value in pairs(changes or {}) do context[name] = value end
    return questions.answer(its, context, question, unit)
  end

  local function a_town()
    local grid = astar.grid("S.#..\n..#..\n.....", { terrain = { S = 1, ["."] = 1, ["#"] = false } })
    return map.of("town", 0, grid, { { "S", 1 }, { ".", 1 }, { "#", false } })
  end

  it_of_lua_53("gets the result that a local grid returns", function()
    local town = a_town()
    local path = town.object:find_path(1, 1, 5, 1)
    local answer = ask(town, { find_path = { 1, 1, 5, 1 }, all_cells = true })
    assert.same({ path.cost, path:cells_flat() }, { answer.cost, answer.cells })
    assert.equal("goal blocked", ask(town, { find_path = { 1, 1, 5, 1 } }, { diagonals = "never", size = 2 }).reason)
    assert.equal("max_cost", ask(town, { find_path = { 1, 1, 5, 1 }, max_cost = 2 }).reason)
    assert.equal(2, ask(town, { find_nearest = { 1, 1, { { 5, 1 }, { 1, 3 } } } }).goal)
    assert.same({ 2, false }, ask(town, { distances = { { { 1, 1 } }, { { 1, 3 }, { 3, 1 } } } }).distances)
    assert.same({ free = false, x = 3, y = 1 }, ask(town, { raycast = { 1, 1, 5, 1 } }))
    assert.is_true(ask(town, { reachable = { 1, 1, 5, 1 } }).reachable)
    assert.same({ key = "S", blocked = false, layers = {} }, ask(town, { cell = { 1, 1 } }))
  end)

  it_of_lua_53("must ask for one result, with known options and within its limits", function()
    local town = a_town()
    local function wrong(question, unit) return error_of(ask, town, question, unit) end
    assert.matches("a question must be an object", wrong "cell")
    assert.equal('there is no question "close" to a grid', wrong { close = {} })
    assert.equal('there is no question "nil" to a grid', wrong {})
    assert.matches("a question is one thing", wrong { cell = { 1, 1 }, raycast = { 1, 1, 2, 2 } })
    assert.equal("cell takes at most 2 arguments", wrong { cell = { 1, 1, 1 } })
    assert.equal("cell takes no options", wrong { cell = { 1, 1 }, partial = true })
    assert.equal("cell must have a list of arguments", wrong { cell = 1 })
    assert.equal('unknown option "partail"', wrong { find_path = { 1, 1, 2, 2 }, partail = true })
    assert.equal('unknown option "sise" (did you mean "size"?)', wrong({ find_path = { 1, 1, 2, 2 } }, { sise = 2 }))
    assert.matches("a unit must be data", wrong({ find_path = { 1, 1, 2, 2 } }, { cost = print }))
    assert.equal("goals must be at most 3, got 4", wrong { find_nearest = { 1, 1, { {}, {}, {}, {} } } })
    assert.equal("x must be an integer from 1 to 5, got 9", wrong { cell = { 9, 1 } })
    assert.matches("sx must be", wrong { find_path = {} })
  end)

  it_of_lua_53("about a graph is refused if it names an impossible version of the ground", function()
    local graph = astar.graph()
    graph:node("a", 1, 1)
    graph:node("b", 2, 1)
    graph:edge("a", "b")
    local ways = require("astar_service.graph_map").of("ways", 0, graph)
    local function over(least)
      local found
      local changes = { watched = {}, find_map = function(_, version)
        found = version
        return a_town()
      end }
      local question = { find_path = { "a", "b" }, ground = { map = "town", least = least } }
      return ask(ways, question, nil, changes).cost, found
    end
    for _, least in ipairs { 0, 7, 2 ^ 53 } do assert.same({ 1, least }, { over(least) }) end
    for _, least in ipairs { -1, 1.5, 2 ^ 53 + 2, 2 ^ 63, 1e300, math.huge, "1", true } do
      assert.equal("least of ground must be an integer from 0 to 9007199254740992", error_of(over, least))
    end
  end)

  it_of_lua_53("lets other queries continue while it runs long, and ends when its time is over", function()
    local its = map.of("plain", 0, astar.grid(900, 900), { { ".", 1 } })
    local pauses = 0
    local answer = ask(its, { distances = { { { 1, 1 } }, { { 9, 1 } } } }, nil, {
      left = function() return 0.1 end, pause = function() pauses = pauses + 1 end,
    })
    assert.same({ 8 }, answer.distances)
    assert.is_true(pauses > 3)
    assert.equal("timeout", ask(its, { distances = { { { 1, 1 } }, { { 9, 1 } } } }, nil, {
      left = function() return 0.1 end, deadline = -1,
    }).reason)
  end)

  it_of_lua_53("keeps only the finders that were used last", function()
    local versions = require "astar_service.versions"
    local town = a_town()
    local first, is_new = town:finder { size = 1 }
    assert.is_true(is_new)
    for i = 1, versions.MAX_FINDERS - 1 do town:finder { max_cost = i } end
    assert.equal(first, (town:finder { size = 1 }))
    for i = 1, versions.MAX_FINDERS do town:finder { max_cost = 200 + i } end
    assert.not_equal(first, (town:finder { size = 1 }))
    assert.equal(versions.MAX_FINDERS, town.finder_count)
  end)
end)

describe("the fair turns of clients", function()
  it("go to the client that has used the least time, however many requests other clients have", function()
    if not is_lua or not has_json or not has_socket then
      pending "needs Lua 5.3, the Lua of HAProxy, with lua-cjson and lua-socket"
      return
    end
    local now = 0
    local had, waits = { busy = 0, calm = 0 }, {}
    _G.core = { yield = coroutine.yield, msleep = coroutine.yield } -- luacheck: ignore 122
    local http = require "astar_service.http"
    local clock = http.now
    http.now = function() return now end
    local turns = require("astar_service.fair").new(0.001, 10)
    -- Works for so many slices, sleeping between questions.
    local function client(name, questions, slices, gap)
      return coroutine.wrap(function()
        for _ = 1, questions do
          local came = now
          local turn = turns:enter(name)
          waits[name] = math.max(waits[name] or 0, now - came)
          for _ = 1, slices do
            now, had[name] = now + 0.001, had[name] + 1
            turns:pause(turn)
          end
          turns:leave(turn)
          local till = now + gap
          while now < till do coroutine.yield() end
        end
        return "done"
      end)
    end
    local all = {}
    for i = 1, 20 do all[i] = client("busy", 50, 10, 0) end
    all[21] = client("calm", 100, 1, 0.005)
    local is_calm_done
    while not is_calm_done do
      for i = 1, 21 do
        if all[i] and all[i]() == "done" then
          all[i] = false
          is_calm_done = is_calm_done or i == 21
        end
      end
      now = now + 0.00001
    end
    http.now, _G.core = clock, nil
    assert.equal(100, had.calm)
    assert.is_true(had.busy > 200, ("only %d"):format(had.busy))
    assert.is_true(waits.calm <= 0.004, ("waited for %g"):format(waits.calm))
  end)

  -- A model of HAProxy's loop: each round resumes all coroutines whose time has come. A resume takes 5 us, and
  -- HAProxy's own work for a request 100 us.
  local RESUME, OWN = 5e-6, 1e-4

  -- Runs clients for so many seconds, and returns how long each waited for 99 in 100 of its requests. A client is
  -- { connections =, work = seconds of each request, is_fresh = whether each also asks etcd }. Each connection sends
  -- its next request 0.1 ms after the last answer.
  local function simulate(clients, seconds)
    local now, tasks, waits = 0, {}, {}
    local http = require "astar_service.http"
    local clock = http.now
    http.now = function() return now end
    local function spawn(run) tasks[#tasks + 1] = { run = coroutine.wrap(run), at = now } end
    _G.core = { -- luacheck: ignore 122
      yield = function() coroutine.yield(now) end, msleep = function(ms) coroutine.yield(now + ms / 1000) end,
      register_task = spawn,
    }
    local turns = require("astar_service.fair").new(0.001, 2)
    local heads = require("astar_service.heads").new(function()
      return { head = function() core.msleep(1.5) return 1 end } -- luacheck: ignore 113
    end)
    local function serve(client, name)
      now = now + OWN / 2
      local turn = turns:enter(name, client.connections)
      now = now + 2e-5
      if client.is_fresh then turns:outside(turn, heads.get, heads, "map") end
      local left = client.work
      while left > 0 do
        now, left = now + math.min(left, 0.00101), left - 0.00101
        turns:pause(turn)
      end
      turns:leave(turn)
      now = now + OWN / 2
    end
    for name, client in pairs(clients) do
      waits[name] = {}
      for _ = 1, client.connections do
        spawn(function()
          while true do
            local came = now + 1e-4
            coroutine.yield(came)
            local list = waits[name]
            if pcall(serve, client, name) then list[#list + 1] = now - came end -- else it was 429
          end
        end)
      end
    end
    while now < seconds do
      local next_at = math.huge
      for i = #tasks, 1, -1 do
        local task = tasks[i]
        if task.at <= now then
          now = now + RESUME
          task.at = task.run()
        end
        if task.at then next_at = math.min(next_at, task.at) else table.remove(tasks, i) end
      end
      now = math.max(now, next_at)
    end
    http.now, _G.core = clock, nil
    for name, list in pairs(waits) do
      table.sort(list)
      waits[name] = list[math.max(1, math.ceil(#list * 0.99))]
    end
    return waits
  end

  it("come soon to a client of 4 connections, although another client has 60 connections", function()
    if not is_lua or not has_json or not has_socket then
      pending "needs Lua 5.3, the Lua of HAProxy, with lua-cjson and lua-socket"
      return
    end
    local few = { connections = 4, work = 4e-5 }
    local alone = simulate({ few = few }, 2).few
    local kinds = {
      short = { connections = 60, work = 4e-5 }, fresh = { connections = 60, work = 4e-5, is_fresh = true },
      long = { connections = 60, work = 0.008 }, endless = { connections = 60, work = 10 },
    }
    for name, many in pairs(kinds) do
      local beside = simulate({ few = few, many = many }, 2).few
      -- A slice of 1 ms that has begun is not interrupted; 3 times is what is promised.
      local most = 2.2 * alone + (many.work > 0.001 and 0.001 or 0)
      assert.is_true(beside <= most, ("%s: %.2f ms, alone %.2f"):format(name, beside * 1000, alone * 1000))
    end
  end)
end)
