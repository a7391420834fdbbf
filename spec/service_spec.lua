-- The service's core without an engine: maps as rows, edits as data, questions and their limits. On the real engine it
-- is tested by `make service-test`.

package.path = "./service/?.lua;" .. package.path

local astar = require "astar"
local random = require "spec.support.random"
local core = require "astar_service.core"
local map = require "astar_service.map"
local versions = require "astar_service.versions"

-- The message alone: whoever sent a request has no use for a line of ours.
local function error_of(call)
  local ok, message = pcall(call)
  assert.is_false(ok)
  return message
end

local PALETTE = { { ".", 1 }, { "~", 2.5 }, { "#", false } }

local TERRAIN = { ["."] = 1, ["~"] = 2.5, ["#"] = false }

local function none() end

local function a_map(width, height, options)
  local service = core.new(options)
  local meta = { name = "town", width = width, height = height, x0 = 1, y0 = 1, base = 0, palette = PALETTE }
  service:load(meta, none, none)
  return service
end

-- Does an edit as an engine would: checked, written, and then applied.
local function edit(service, op)
  service:check("town", { op })
  service:apply("town", service.maps.town.version + 1, op)
end

-- All chunks of a map, as the rows of a base.
local function chunks_of(of)
  local across, down = of:chunk_count()
  local at = -1
  return function()
    at = at + 1
    if at < across * down then
      local cx, cy = at % across, math.floor(at / across)
      return cx, cy, of:chunk(cx, cy)
    end
  end
end

local SIDES = { "north", "east", "south", "west" }

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
    { "unblock", x, y, "gone" },
    { "terrain", "~", dice:int(1, 9) }, { "terrain", "%", dice:int(1, 9) },
    { "link", x, y, dice:int(1, width), dice:int(1, height), { cost = dice:int(1, 4), label = "gate" } },
    { "unlink", x, y, dice:int(1, width), dice:int(1, height) },
    { "wall", x, y, SIDES[dice:int(1, 4)] }, { "unwall", x, y, SIDES[dice:int(1, 4)] },
    { "wall", x, y, SIDES[dice:int(1, 4)], true },
  }
  return ops[dice:int(1, #ops)]
end

describe("the service's core", function()
  it("holds, after any edits, what a grid of one's own holds, and makes it again of its rows", function()
    for seed = 1, 12 do
      local dice = random.new(seed)
      local width, height = dice:int(1, 150), dice:int(1, 140)
      local service = a_map(width, height)
      local grid = astar.grid(width, height, { terrain = { ["."] = 1, ["~"] = 2.5, ["#"] = false }, fill = "." })
      for _ = 1, 120 do
        local op = random_op(dice, width, height)
        if pcall(edit, service, op) then grid[op[1]](grid, (table.unpack or unpack)(op, 2)) end -- luacheck: ignore 143
      end
      local town = service.maps.town
      local again = core.new()
      again:load(town:meta(), chunks_of(town), none)
      for _, other in ipairs { town, again.maps.town } do
        for y = 1, height do
          for x = 1, width do
            assert.equal(grid:get(x, y), other.object:get(x, y), "seed " .. seed)
            assert.same(grid:block_layers(x, y), other.object:block_layers(x, y), "seed " .. seed)
          end
        end
        assert.same(grid:walls(), other.object:walls())
        assert.equal(#grid:links(), #other.object:links())
        for _ = 1, 20 do
          local sx, sy, gx, gy = dice:int(1, width), dice:int(1, height), dice:int(1, width), dice:int(1, height)
          local path, reason = grid:find_path(sx, sy, gx, gy)
          local path_there, reason_there = other.object:find_path(sx, sy, gx, gy)
          assert.equal(path and path.cost, path_there and path_there.cost, "seed " .. seed)
          assert.equal(reason, reason_there)
        end
      end
      assert.equal(town.version, again.maps.town.version)
    end
  end)

  it("lets units ignore layers of blocks, which edits alone name", function()
    local service = a_map(9, 1)
    edit(service, { "block", 5, 1, "red" })
    local function ask(layers)
      return service:ask("town", { "find_path", 1, 1, 9, 1, { unit = { ignore = layers } } }, { least = 1 })
    end
    assert.equal("unreachable", ask({}).reason)
    assert.equal("unreachable", ask({ "blue" }).reason)
    assert.equal(8, ask({ "blue", "red" }).cost)
    assert.same({ "", "red" }, service.maps.town.object:block_layers())
    edit(service, { "block", 6, 1, "blue" })
    assert.equal(8, ask({ "blue", "red" }).cost)
    assert.equal("unreachable", ask({ "red" }).reason)
    local cell = service:ask("town", { "cell", 6, 1 }, { least = 1 })
    assert.is_true(cell.blocked)
    assert.same({ "blue" }, cell.layers)
    edit(service, { "unblock", 6, 1, "blue" })
    local again = core.new()
    again:load(service.maps.town:meta(), chunks_of(service.maps.town), none)
    assert.same({ "", "red", "blue" }, again.maps.town.object:block_layers())
  end)

  it("tells which chunks were touched", function()
    local service = a_map(200, 130)
    edit(service, { "set", 1, 1, "#" })
    edit(service, { "block", 64, 64, 2, 2 })
    edit(service, { "link", 150, 100, 1, 1 })
    assert.same({ { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 } }, service.maps.town:take_touched())
    assert.same({}, service.maps.town:take_touched())
  end)

  it("applies an edit once, and refuses a gap", function()
    local service = a_map(5, 5)
    service:apply("town", 1, { "set", 1, 1, "#" })
    service:apply("town", 1, { "set", 2, 2, "#" })
    assert.equal(".", service.maps.town.object:get(2, 2))
    assert.equal('map "town" is at version 1, and 3 came',
      error_of(function() service:apply("town", 3, { "set", 1, 1, "." }) end))
  end)

  it("checks edits after those that are not in yet, without doing them", function()
    local service = a_map(5, 5)
    service:check("town", { { "terrain", "x", 3 } })
    service:check("town", { { "set", 1, 1, "x" } })
    assert.equal('unknown terrain "y"', error_of(function()
      service:check("town", { { "terrain", "z", 3 }, { "set", 1, 1, "y" } })
    end))
    assert.equal('unknown terrain "z"', error_of(function() service:check("town", { { "set", 1, 1, "z" } }) end))
    service:check("town", { { "set", 2, 1, "x" } })
    assert.equal(0, service.maps.town.version)
    assert.equal(".", service.maps.town.object:get(1, 1))
    service:forget_drafts("town")
    assert.equal('unknown terrain "x"', error_of(function() service:check("town", { { "set", 1, 1, "x" } }) end))
  end)

  it("refuses what is no edit", function()
    local service = a_map(5, 5)
    local function refused(op) return error_of(function() service:check("town", { op }) end) end
    assert.equal('there is no edit "dump"', refused { "dump" })
    assert.equal('there is no edit "find_path"', refused { "find_path", 1, 1, 2, 2 })
    assert.matches("an edit must be a list", refused { 1, 2 })
    assert.matches("at most 6 entries", refused { "set", 1, 1, ".", 5, 6, 7 })
    assert.matches("at most 6 entries", refused { "set", x = 1 })
    assert.matches("of data, without gaps", refused { "set", 1, 1, print })
    assert.matches("needs a key and a cost", refused { "terrain", "." })
    assert.equal("x must be an integer from 1 to 5, got 6", refused { "set", 6, 1, "." })
  end)

  it("answers as the grid does", function()
    local service = a_map(80, 70)
    local dice = random.new(5)
    for _ = 1, 60 do pcall(edit, service, random_op(dice, 80, 70)) end
    local grid = service.maps.town.object
    local unit = { size = 2, diagonals = "always", costs = { ["#"] = 7 } }
    for _ = 1, 100 do
      local sx, sy, gx, gy = dice:int(1, 80), dice:int(1, 70), dice:int(1, 80), dice:int(1, 70)
      local question = { partial = dice:int(1, 2) == 1, range = dice:int(0, 3) }
      local path, reason = grid:finder(unit):find_path(sx, sy, gx, gy, question)
      question.unit, question.all_cells = unit, true
      local answer = service:ask("town", { "find_path", sx, sy, gx, gy, question })
      assert.equal(reason, answer.reason)
      assert.equal(path and path.cost, answer.cost)
      assert.same(path and path:cells_flat(), answer.cells)
      assert.equal(service.maps.town.version, answer.version)
      local reached = service:ask("town", { "reachable", sx, sy, gx, gy }).reachable
      assert.equal(grid:finder():reachable(sx, sy, gx, gy), reached)
      local free, x, y = grid:finder():raycast(sx, sy, gx, gy)
      local ray = service:ask("town", { "raycast", sx, sy, gx, gy })
      assert.same({ free, x, y }, { ray.free, ray.x, ray.y })
      local distance = grid:finder():flow { { gx, gy } }:distance(sx, sy)
      assert.equal(distance or false, service:ask("town", { "distances", { { gx, gy } }, { { sx, sy } } }).distances[1])
      local nearest, which = grid:finder():find_nearest(sx, sy, { { gx, gy }, { 1, 1 } })
      local near = service:ask("town", { "find_nearest", sx, sy, { { gx, gy }, { 1, 1 } } })
      assert.equal(nearest and nearest.cost, near.cost)
      assert.equal(nearest and which, near.goal)
    end
  end)

  it("tells turning points, and the links on the way", function()
    local service = a_map(9, 3)
    edit(service, { "fill", 5, 1, 1, 3, "#" })
    edit(service, { "link", 4, 2, 6, 2, { cost = 3, label = "tunnel" } })
    local answer = service:ask("town", { "find_path", 1, 2, 9, 2 })
    assert.equal(9, answer.cost)
    assert.same({ { 4, 2, 6, 2, "tunnel" } }, answer.links)
    assert.same({ 1, 2, 4, 2, 6, 2, 9, 2 }, answer.points)
  end)

  it("takes long questions by slices, others in between, and gives up at the deadline", function()
    local now, yields = 0, 0
    local service = a_map(400, 400, {
      clock = function() return now end,
      yield = function() yields = yields + 1 end,
    })
    local dice = random.new(9)
    local keys = {}
    for i = 1, 160000 do keys[i] = dice:int(1, 2) == 1 and "." or "~" end
    edit(service, { "set_cells", 1, 1, 400, 400, table.concat(keys) })
    local expected = service.maps.town.object:find_path(1, 1, 400, 400, { algorithm = "astar" }).cost
    local question = { "find_path", 1, 1, 400, 400, { unit = { algorithm = "dijkstra" } } }
    assert.equal(expected, service:ask("town", question).cost)
    assert.is_true(yields > 0)
    service.yield = function() now = now + 1 end
    assert.same({ reason = "timeout", version = 1 }, service:ask("town", question, { ms = 500 }))
    assert.equal(1, service.counts.timeouts)
  end)

  it("waits for the version asked for, and says where it stays behind", function()
    local now, waited = 0, 0
    local service
    service = a_map(5, 5, {
      clock = function() return now end,
      wait = function()
        waited = waited + 1
        now = now + 0.1
        if waited == 2 then service:apply("town", 1, { "set", 1, 1, "#" }) end
      end,
    })
    assert.equal("start blocked", service:ask("town", { "find_path", 1, 1, 3, 3 }, { least = 1 }).reason)
    assert.same({ reason = "behind", version = 1 }, service:ask("town", { "cell", 1, 1 }, { least = 2, ms = 300 }))
    -- One that has seen a map asks an instance that does not know of it yet.
    assert.same({ reason = "behind" }, service:ask("city", { "cell", 1, 1 }, { least = 0, ms = 300 }))
  end)

  it("answers many, a wrong one among them", function()
    local service = a_map(5, 5)
    local answers = service:ask_many("town", { { "cell", 1, 1 }, { "cell", 9, 1 }, { "cell", 2, 2 } })
    assert.equal("x must be an integer from 1 to 5, got 9", answers[2].error)
    assert.equal(".", answers[3].key)
    assert.equal("questions must be a list of at most 1000", error_of(function()
      local list = {}
      for i = 1, 1001 do list[i] = { "cell", 1, 1 } end
      service:ask_many("town", list)
    end))
  end)

  it("names what is wrong with a question", function()
    local service = a_map(5, 5, { limits = { goals = 3 } })
    local function wrong(question, options)
      return error_of(function() service:ask("town", question, options) end)
    end
    assert.equal('there is no map "city"', error_of(function() service:ask("city", { "cell", 1, 1 }) end))
    assert.matches("a question must be a list", wrong("cell"))
    assert.equal('there is no question "close" to a grid', wrong { "close" })
    assert.equal("cell takes at most 2 arguments", wrong { "cell", 1, 1, 1 })
    assert.equal('unknown option "partail"', wrong { "find_path", 1, 1, 2, 2, { partail = true } })
    assert.equal('unknown option "sise" (did you mean "size"?)',
      wrong { "find_path", 1, 1, 2, 2, { unit = { sise = 2 } } })
    assert.matches("a unit must be data", wrong { "find_path", 1, 1, 2, 2, { unit = { cost = print } } })
    assert.equal("goals must be at most 3, got 4", wrong { "find_nearest", 1, 1, { {}, {}, {}, {} } })
    assert.matches("least must be an integer from 0 to 9007199254740992", wrong({ "cell", 1, 1 }, { least = 0.5 }))
    assert.equal('unknown option "leats"', wrong({ "cell", 1, 1 }, { leats = 1 }))
    assert.equal(10, service.counts.errors)
  end)

  it("refuses maps beyond its limits", function()
    local service = core.new { limits = { cells = 100 } }
    local function refused(meta) return error_of(function() service:check_meta(meta) end) end
    local meta = { name = "a", width = 11, height = 10, x0 = 1, y0 = 1, base = 0, palette = PALETTE }
    assert.equal("a map holds at most 100 cells, got 11 x 10", refused(meta))
    meta.width = 10
    service:check_meta(meta)
    meta.name = "../a"
    assert.matches("a map's name must be", refused(meta))
    meta.name, meta.palette = "a", { { ".", -1 } }
    assert.matches("must be a number from 0.001", refused(meta))
    meta.palette = {}
    assert.matches("palette", refused(meta))
    assert.matches('there is no limit "cell"', error_of(function() core.new { limits = { cell = 1 } } end))
  end)

  it("keeps few finders, those used last", function()
    local service = a_map(5, 5)
    local town = service.maps.town
    local first = town:finder { size = 1 }
    for i = 1, versions.MAX_FINDERS - 1 do town:finder { max_cost = i } end
    assert.equal(first, town:finder { size = 1 })
    for i = 1, versions.MAX_FINDERS - 1 do town:finder { max_cost = 100 + i } end
    assert.equal(first, town:finder { size = 1 })
    for i = 1, versions.MAX_FINDERS do town:finder { max_cost = 200 + i } end
    assert.not_equal(first, town:finder { size = 1 })
    assert.equal(versions.MAX_FINDERS, town.finder_count)
  end)

  it("serves graphs: edits, questions, and the same again of their one row", function()
    local own = astar.graph()
    own:node("hall", 0, 0)
    own:node("attic", 0, 3)
    own:node("vault", 4, 0)
    own:edge("hall", "attic", { label = "up" })
    own:edge("attic", "vault", { label = "chute", one_way = true, cost = 2 })
    local service = core.new()
    service:load(map.of("house", own):meta(), none, none)
    local function do_edit(...)
      local op = { ... }
      service:check("house", { op })
      service:apply("house", service.maps.house.version + 1, op)
    end
    local answer = service:ask("house", { "find_path", "hall", "vault" })
    assert.same({ { "hall", "attic", "vault" }, { "up", "chute" }, 5, 0 },
      { answer.nodes, answer.labels, answer.cost, answer.version })
    do_edit("edge", "hall", "vault", { cost = 9, label = "door" })
    do_edit("node", 7, 4, 1)
    do_edit("edge", "vault", 7)
    do_edit("block", "attic")
    assert.equal(9, service:ask("house", { "find_path", "hall", "vault" }).cost)
    assert.equal(10, service:ask("house", { "find_path", "hall", 7 }).cost)
    assert.equal("goal blocked", service:ask("house", { "find_path", 7, "attic" }).reason)
    assert.same({ 2, { "hall", "vault" } }, (function()
      local near = service:ask("house", { "find_nearest", "hall", { 7, "vault" } })
      return { near.goal, near.nodes }
    end)())
    assert.same({ { "hall", 0 }, { "vault", 9 } }, service:ask("house", { "reach", "hall", 9.5 }).nodes)
    assert.equal("vault", service:ask("house", { "nearest", 4, -2 }).key)
    local again = core.new()
    again:load(service.maps.house:meta(), none, none)
    assert.equal(service.maps.house.object:dump(), again.maps.house.object:dump())
    assert.equal(4, again.maps.house.version)
    assert.equal('there is no question "distances" to a graph', error_of(function()
      service:ask("house", { "distances", {}, {} })
    end))
    assert.equal('there is no edit "fill"', error_of(function() do_edit("fill", 1, 1, 1, 1, "#") end))
    assert.matches("unknown node", error_of(function() do_edit("edge", "hall", "nowhere") end))
    assert.matches("unknown node", error_of(function() service:ask("house", { "find_path", "hall", "nowhere" }) end))
    assert.matches("not a graph's dump", error_of(function()
      core.new():check_meta { name = "x", graph = "rubbish" }
    end))
    assert.matches("at most 8000000 bytes", error_of(function()
      core.new():check_meta { name = "x", graph = ("x"):rep(8000001) }
    end))
  end)

  it("serves a graph over its ground: rays and routes from cell over way-points to cell", function()
    local r, town, roads = random.new(19), astar.grid(40, 30, { terrain = TERRAIN, fill = "." }), astar.graph()
    for _ = 1, 300 do town:block(r:int(1, 40), r:int(1, 30)) end
    for i = 1, 60 do roads:node(i % 2 == 0 and i or "wp" .. i, r:int(1, 40), r:int(1, 30)) end
    local keys = {}
    for key in roads:nodes() do keys[#keys + 1] = key end
    for _ = 1, 150 do
      local a, b = r:pick(keys), r:pick(keys)
      if a ~= b then roads:edge(a, b, { label = r:chance(0.5) and "road" or nil }) end
    end
    local service = core.new()
    service:load(map.of("roads", roads):meta(), none, none)
    local rows = map.of("town", town, PALETTE)
    service:load(rows:meta(), chunks_of(rows), none)
    local joined, finder, found = roads:join(town:finder()), town:finder(), 0
    for _ = 1, 200 do
      local sx, sy, gx, gy = r:int(1, 40), r:int(1, 30), r:int(1, 40), r:int(1, 30)
      local path, reason = joined:find_path(sx, sy, gx, gy)
      local answer = service:ask("roads", { "find_path", { sx, sy }, { gx, gy }, { ground = { map = "town" } } })
      assert.equal(reason, answer.reason)
      assert.same({ 0, 0 }, { answer.version, answer.ground_version })
      if path then
        found = found + 1
        assert.equal(path.cost, answer.cost)
        assert.equal(#path, #answer.nodes)
        assert.equal(#path * 2, #answer.points)
        for i = 1, #path do
          local key = path[i]
          if type(key) == "table" then key = { key.x, key.y } end
          assert.same(key, answer.nodes[i])
          assert.equal(path:link(i) or false, answer.labels[i] or false)
        end
        assert.same({ sx, sy }, { answer.points[1], answer.points[2] })
      end
      local a, b = r:pick(keys), r:pick(keys)
      local ax, ay = roads:position(a)
      local bx, by = roads:position(b)
      local free, x, y = finder:raycast(ax, ay, bx, by)
      local ray = service:ask("roads", { "raycast", a, { bx, by }, { ground = { map = "town" } } })
      assert.same({ free = free, x = x, y = y, version = 0, ground_version = 0 }, ray)
      assert.equal(free, service:ask("roads", { "raycast", a, b, { ground = { map = "town" } } }).free)
    end
    assert.is_true(found > 50)
  end)

  it("says of a graph over its ground which versions of both it is, and what is wrong with it", function()
    local town, roads = astar.grid(9, 9, { terrain = TERRAIN, fill = "." }), astar.graph()
    roads:node("west", 1, 5)
    roads:node("east", 9, 5)
    roads:node("heaven")
    roads:edge("west", "east", { label = "road" })
    local service = core.new()
    service:load(map.of("roads", roads):meta(), none, none)
    local rows = map.of("town", town, PALETTE)
    service:load(rows:meta(), chunks_of(rows), none)
    local function ask(a, b, ground, more)
      local options = { ground = ground }
      for key, value in pairs(more or {}) do options[key] = value end
      return service:ask("roads", { "find_path", a, b, options })
    end
    assert.same({ { 1, 1 }, { 9, 1 } }, ask({ 1, 1 }, { x = 9, y = 1 }, { map = "town" }).nodes)
    service:apply("town", 1, { "block", 5, 1, 1, 4 })
    local answer = ask({ 1, 1 }, { 9, 1 }, { map = "town", least = 1 })
    assert.same({ { { 1, 1 }, "west", "east", { 9, 1 } }, { 1, 1, 1, 5, 9, 5, 9, 1 }, { false, "road", false } },
      { answer.nodes, answer.points, answer.labels })
    assert.same({ 16, 0, 1 }, { answer.cost, answer.version, answer.ground_version })
    assert.equal("unreachable", ask({ 1, 1 }, { 9, 1 }, { map = "town", radius = 1 }).reason)
    assert.equal("max_cost", ask({ 1, 1 }, { 9, 1 }, { map = "town" }, { max_cost = 3 }).reason)
    assert.equal("goal blocked", ask("west", { 5, 1 }, { map = "town" }).reason)
    answer = service:ask("roads", { "find_path", "west", "east", { ground = { map = "town", least = 9 } } }, { ms = 0 })
    assert.same({ "behind", 1, 0 }, { answer.reason, answer.ground_version, answer.version })
    local function wrong(message, ...)
      local question = { ... }
      assert.matches(message, error_of(function() service:ask("roads", question) end))
    end
    local ground = { ground = { map = "town" } }
    wrong("there is no map \"moon\"", "find_path", "west", "east", { ground = { map = "moon" } })
    wrong("map \"roads\" is no grid", "find_path", "west", "east", { ground = { map = "roads" } })
    wrong("ground must be a table", "find_path", "west", "east", { ground = "town" })
    wrong("unknown option \"color\" of ground", "find_path", "west", "east", { ground = { map = "town", color = 1 } })
    wrong("least must be a version", "find_path", "west", "east", { ground = { map = "town", least = 0.5 } })
    wrong("unit must be a table", "raycast", "west", "east", { ground = { map = "town", unit = 2 } })
    wrong("a ray over a graph needs the option ground", "raycast", "west", "east")
    wrong("raycast takes at most 3 arguments", "raycast", 1, 1, 2, 2)
    wrong("unknown node", "raycast", "west", "north", ground)
    wrong("node heaven has no position", "find_path", "west", "heaven", ground)
    wrong("gx must be an integer", "find_path", "west", { 99 }, ground)
    wrong("cannot honour partial", "find_path", "west", "east", { ground = { map = "town" }, partial = true })
    wrong("ground is for find_path and raycast", "find_nearest", "west", { "east" }, ground)
    wrong("unknown option \"all_cells\"", "find_path", "west", "east", { all_cells = true })
    assert.matches("unknown option \"ground\"", error_of(function()
      service:ask("town", { "find_path", 1, 1, 2, 2, ground })
    end))
    assert.matches("needs the ground's radius", error_of(function()
      local narrow = core.new { limits = { goals = 2 } }
      narrow:load(map.of("roads", roads):meta(), none, none)
      narrow:load(map.of("town", town, PALETTE):meta(), none, none)
      narrow:ask("roads", { "find_path", "west", "east", ground })
    end))
  end)
end)
