-- Routes over a world as a game follows them: set off on at once, made better on the way, asked for anew; and what else
-- may be asked. What is right comes from the rules alone, by Dijkstra's algorithm over the world as it is.

local astar = require "astar"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local worlds = require "spec.support.worlds"

local RULES = require "spec.support.check".RULES
local TERRAIN = { ["."] = 1, ["~"] = 2.5, ["#"] = false }
local SIDE = 128

local function random_rows(r)
  local rows, rock, mud = {}, r:pick { 0.05, 0.3, 0.42 }, r:pick { 0, 0.3 }
  for y = 1, SIDE do
    rows[y] = {}
    for x = 1, SIDE do rows[y][x] = r:chance(rock) and "#" or r:chance(mud) and "~" or "." end
  end
  return rows
end

-- A world of 2 x 2 chunks, those of 'away' not there yet, and the same as the oracle has it: without them.
local function new_both(r, away)
  local both = { rows = random_rows(r), away = away }
  both.model = oracle.world(both.rows, { terrain = TERRAIN })
  both.world = astar.world { terrain = TERRAIN, bytes = r:pick { 2 ^ 20, 2 ^ 26 }, load = function(cx, cy)
    if cx < 0 or cy < 0 or cx > 1 or cy > 1 then return false end
    return not away[cx + 2 * cy] and worlds.cut(both.rows, 1, 1, cx, cy) or nil
  end }
  return both
end

local function add_links(r, both)
  for _ = 1, r:chance(0.25) and 80 or r:int(0, 3) do
    local a, b, c, d, cost = r:int(1, SIDE), r:int(1, SIDE), r:int(1, SIDE), r:int(1, SIDE), r:int(0, 30)
    if a ~= c or b ~= d then
      local cell = oracle.cell(both.model, a, b)
      both.model.links[cell] = both.model.links[cell] or {}
      both.model.links[cell][oracle.cell(both.model, c, d)] = cost
      both.world:link(a, b, c, d, { cost = cost, one_way = true })
    end
  end
end

-- What the oracle has a way to a cell, or to the cheapest of those around it, cost from the start.
local function costs_from(both, rules, sx, sy)
  local distances = oracle.distances(both.model, rules, sx, sy)
  local stands = oracle.can_stand(both.model, rules, sx, sy)
  return function(gx, gy, range)
    local best, more = math.huge, rules.size - 1
    for y = math.max(gy - range - more, 1), math.min(gy + range, SIDE) do
      for x = math.max(gx - range - more, 1), math.min(gx + range, SIDE) do
        if oracle.away(rules, range, x, y, gx, gy) <= range then
          best = math.min(best, stands and distances[oracle.cell(both.model, x, y)] or math.huge)
        end
      end
    end
    return best
  end, stands
end

local function is_near(a, b)
  return math.abs(a - b) < 1e-6
end

local function check_range(r, at, unit, rules, cost_to, sx, sy, gx, gy)
  local question = { range = r:pick { 1, 1, 2, 5, 20 }, exact = r:chance(0.5), weight = r:pick { 1, 3 } }
  local best = cost_to(gx, gy, question.range)
  local route, why = unit:find_route(sx, sy, gx, gy, question)
  assert.equal(best < math.huge, route ~= nil, at .. ": " .. tostring(why))
  if not route then return end
  local far = oracle.away(rules, question.range, route.gx, route.gy, gx, gy)
  assert.is_true(far <= question.range and not route.partial, at)
  local most = question.weight == 1 and best or best * question.weight
  assert.is_true(route.cost >= best - 1e-6 and route.cost <= most + 1e-6, at .. ": " .. route.cost .. ", not " .. best)
  assert.is_true(route.cost - route.bound <= best + 1e-6, at .. ": not within its bound")
  assert.is_true(route:path().cost <= route.cost + 1e-6, at)
end

local function check_max_cost(r, at, unit, cost_to, sx, sy, gx, gy)
  local best, most = cost_to(gx, gy, 0), r:int(0, 150)
  local route, why = unit:find_route(sx, sy, gx, gy, { max_cost = most })
  if best <= most then
    assert.is_true(is_near(best, route.cost), at)
  else
    assert.is_nil(route, at)
    if best < math.huge then assert.equal("max_cost", why, at) end
  end
end

local function random_goals(r, cost_to)
  local goals, best = {}, math.huge
  for i = 1, r:int(1, 5) do
    goals[i] = { r:int(1, SIDE), r:int(1, SIDE), range = r:chance(0.3) and r:int(0, 5) or nil }
    best = math.min(best, cost_to(goals[i][1], goals[i][2], goals[i].range or 0))
  end
  return goals, best
end

local function check_nearest(r, at, unit, cost_to, sx, sy)
  local goals, best = random_goals(r, cost_to)
  local route, index = unit:find_nearest(sx, sy, goals)
  assert.equal(best < math.huge, route ~= nil, at .. ": " .. tostring(index))
  if route then
    assert.is_true(is_near(best, route.cost), at)
    assert.is_true(is_near(best, cost_to(goals[index][1], goals[index][2], goals[index].range or 0)), at)
  end
end

-- A list in place of one goal, all at once or a little at a time.
local function check_list(r, at, unit, rules, cost_to, sx, sy)
  local goals, best = random_goals(r, cost_to)
  local question = r:pick { false, { exact = true }, { weight = 1.5 }, { max_cost = r:int(0, 150) } } or nil
  local route, index = unit:find_route(sx, sy, goals, question)
  if question and question.max_cost and question.max_cost < best then
    assert.is_nil(route, at)
    return
  end
  assert.equal(best < math.huge, route ~= nil, at .. ": " .. tostring(index))
  local search = unit:search(sx, sy, goals, question)
  while search:step(r:int(1, 500)) == "running" do end
  assert.equal(best < math.huge, search.status == "found", at)
  if not route then return end
  local goal, most = goals[index], question and question.weight or 1
  if not question and (route.status == "running" or not goals[2]) then most = 2 end -- or over nodes
  local far = oracle.away(rules, goal.range, route.gx, route.gy, goal[1], goal[2])
  assert.is_true(far <= (goal.range or 0) and not route.partial, at)
  local found = search:route()
  assert.is_true(found.cost <= (goals[2] and not question and 1 or most) * best + 1e-6, at)
  for _, each in ipairs { route, found } do
    assert.is_true(each.cost >= best - 1e-6 and each.cost <= most * best + 1e-6, at .. ": " .. each.cost)
    assert.is_true(each.cost - each.bound <= best + 1e-6, at .. ": not within its bound")
  end
  local last = route:path()
  assert.same({ route.gx, route.gy }, { last:cell(#last) }, at)
end

local function ask_all(seed)
  local r = random.new(seed)
  local both, at = new_both(r, {}), "seed " .. seed
  add_links(r, both)
  for _ = 1, 4 do
    local rules = { diagonals = r:pick(RULES), size = r:int(1, 4) }
    local unit, sx, sy = both.world:finder(rules), r:int(1, SIDE), r:int(1, SIDE)
    local gx, gy = r:int(1, SIDE), r:int(1, SIDE)
    local cost_to = costs_from(both, rules, sx, sy)
    check_range(r, at, unit, rules, cost_to, sx, sy, gx, gy)
    check_max_cost(r, at, unit, cost_to, sx, sy, gx, gy)
    check_nearest(r, at, unit, cost_to, sx, sy)
    check_list(r, at, unit, rules, cost_to, sx, sy)
    assert.equal(cost_to(gx, gy, 0) < math.huge or nil, (unit:reachable(sx, sy, gx, gy)), at)
  end
end

-- ---- followed ----

-- Nothing is edited where a chunk is away.
local function edit(both, x, y)
  local cell = oracle.cell(both.model, x, y)
  local is_shut = not both.model.blocks[cell]
  local done = both.world[is_shut and "block" or "unblock"](both.world, x, y)
  assert.equal(not both.away[math.floor((x - 1) / 64) + 2 * math.floor((y - 1) / 64)] or nil, done)
  if done then both.model.blocks[cell] = is_shut or nil end
end

local function check_steps(at, both, rules, path)
  local entry, px, py = oracle.entry_costs(both.model, rules, path[1].x, path[1].y, true), nil, nil
  for x, y in path:cells() do
    if px then
      local step = oracle.legal_step(both.model, rules, entry, px, py, x, y)
        or oracle.link_step(both.model, rules, entry, px, py, x, y)
      assert.is_truthy(step, at .. ": a step that cannot be made")
    end
    px, py = x, y
  end
  return px, py
end

-- Follows a route by route:stretch alone, with edits and chunks that come between its stretches.
local function follow(seed)
  local r = random.new(seed)
  local both, at = new_both(r, { [r:int(0, 3)] = true, [r:int(0, 3)] = true }), "seed " .. seed
  local rules = { diagonals = r:pick(RULES), size = r:int(1, 2) }
  local unit, x, y = both.world:finder(rules), r:int(1, SIDE), r:int(1, SIDE)
  local gx, gy = r:int(1, SIDE), r:int(1, SIDE)
  local route = unit:find_route(x, y, gx, gy)
  if not route then return end
  local calls, ended = 0
  repeat
    calls = calls + 1
    assert.is_true(calls < 200, at .. ": it never ends")
    if calls < 100 then
      for _ = 1, r:int(0, 30) do edit(both, r:int(1, SIDE), r:int(1, SIDE)) end
      -- What a unit stands on or goes to stays free.
      for _, cell in ipairs { { x, y }, { gx, gy } } do
        if both.model.blocks[oracle.cell(both.model, cell[1], cell[2])] then edit(both, cell[1], cell[2]) end
      end
    end
    if r:chance(0.3) or calls > 100 then
      local number = next(both.away)
      if number then
        both.away[number] = nil
        local cx, cy = number % 2, math.floor(number / 2)
        both.world:put_chunk(cx, cy, worlds.cut(both.rows, 1, 1, cx, cy))
      end
    end
    if route.status == "running" and r:chance(0.5) then route:step(r:int(1, 5000)) end
    local path, why = route:stretch()
    ended = nil
    if path then
      assert.same({ x, y }, { path:cell(1) }, at .. ": not from where it had come to")
      x, y = check_steps(at, both, rules, path)
      assert.same({ x, y }, { route.x, route.y }, at)
    else
      ended = why or "there"
    end
  until ended == "there" or ended and (ended ~= "not loaded" or not next(both.away))
  local cost_to = costs_from(both, rules, x, y)
  if ended == "there" then
    assert.same({ gx, gy }, { x, y }, at)
  elseif not next(both.away) then
    assert.equal(math.huge, cost_to(gx, gy, 0), at .. ": " .. ended)
  end
  return ended
end

describe("a route", function()
  it("can be followed by route:stretch alone, while chunks are edited and arrive", function()
    local there = 0
    for seed = 1, 12 do there = there + (follow(seed) == "there" and 1 or 0) end
    assert.is_true(there > 2, there)
  end)

  -- Open chunks, in each a wall with one gap, which lie so that the best way is not the straight one.
  local function gaps()
    return astar.world { load = function(cx, cy)
      local rows, gap = {}, (7 * cx + 13 * cy) % 12 * 5
      for y = 1, 64 do
        rows[y] = y == 32 and ("#"):rep(gap) .. "..." .. ("#"):rep(61 - gap) or ("."):rep(64)
      end
      return rows
    end }
  end

  it("starts before the route is complete, and is refined while a unit walks along it", function()
    local unit = gaps():finder()
    local route = unit:find_route(1, 1, 1200, 4010)
    local best = unit:find_route(1, 1, 1200, 4010, { exact = true })
    assert.equal("running", route.status)
    assert.equal("refined", best.status)
    assert.equal(0, best.bound)
    assert.is_true(route.cost >= best.cost - 1e-6 and route.cost <= 1.2 * best.cost + 1e-6)
    local walked = route:stretch().cost
    local queue = astar.queue()
    local ticket = queue:add(route)
    while not ticket.done do queue:update { expansions = 5000 } end
    assert.equal("refined", route.status)
    local x, y = route.x, route.y
    assert.is_true(route.left <= route.cost)
    for path in function() return route:stretch() end do
      assert.same({ x, y }, { path:cell(1) })
      x, y, walked = route.x, route.y, walked + path.cost
    end
    assert.same({ 1200, 4010 }, { x, y })
    assert.is_true(walked < 1.02 * best.cost, walked .. ", where the best costs " .. best.cost)
    assert.equal("refined", route:step(1))
  end)

  it("starts before all chunks around are searched, if no way leads straight to the goal", function()
    local loads, gap = 0, "..."
    local world = astar.world { load = function() -- walls in two of its rows, with gaps 32 cells beside each other
      local rows = worlds.open_chunk()
      loads = loads + 1
      rows[16], rows[48] = ("#"):rep(4) .. gap .. ("#"):rep(57), ("#"):rep(36) .. gap .. ("#"):rep(25)
      return rows
    end }
    local unit = world:finder()
    local route = unit:find_route(1, 1, 30, 4000)
    assert.is_true(loads < 500, loads)
    local best = unit:find_route(1, 1, 30, 4000, { exact = true })
    assert.is_true(best.cost <= route.cost and route.cost <= 2 * best.cost and route.cost - route.bound <= best.cost)
    local walked = 0
    for path in function() return route:stretch() end do walked = walked + path.cost end
    assert.same({ 30, 4000 }, { route.x, route.y })
    assert.is_true(walked >= best.cost - 1e-6 and walked < 1.05 * best.cost, walked / best.cost)
  end)

  it("costs the same whichever routes were computed before", function()
    local world = gaps()
    local unit = world:finder()
    local cost = unit:find_route(1, 1, 1200, 4010).cost
    local search = unit:search(1, 1, 1200, 4010)
    while search:step(10000) == "running" do end
    assert.equal(cost, unit:find_route(1, 1, 1200, 4010).cost)
  end)

  it("has a single stretch if the route has one cell", function()
    local route = gaps():finder():find_route(5, 5, 5, 5)
    assert.equal(1, #route:stretch())
    assert.is_nil(route:stretch())
  end)

  it("waits if no chunk has arrived, and is searched again only after a chunk has arrived", function()
    local come, asked = {}, 0
    local world = astar.world { load = function(cx, cy)
      asked = asked + 1
      return cy ~= 0 and false or come[cx] and worlds.open_chunk() or nil
    end }
    world:put_chunk(0, 0, worlds.open_chunk())
    local route, why = world:finder():find_route(1, 30, 500, 30)
    assert.is_true(route.partial)
    assert.equal("not loaded", why)
    assert.equal(64, (select(2, #route:stretch(), route:path() == nil) and route.x))
    assert.same({ nil, "not loaded" }, { route:stretch() })
    local before = asked
    for _ = 1, 5 do assert.same({ nil, "not loaded" }, { route:stretch() }) end
    assert.equal(before, asked)
    for cx = 1, 7 do
      come[cx] = true
      world:put_chunk(cx, 0, worlds.open_chunk())
      assert.is_truthy(route:stretch())
      while route:stretch() do end
    end
    assert.same({ 500, 30 }, { route.x, route.y })
  end)

  it("is led around new obstacles without a call of the script", function()
    local world = astar.world { load = worlds.open_chunk }
    local route = world:finder():find_route(1, 1, 900, 1)
    route:stretch()
    world:block(400, -300, 1, 700)
    for _ = 1, 100 do
      local path, why = route:stretch()
      assert.is_nil(why)
      if not path then break end
    end
    assert.same({ 900, 1 }, { route.x, route.y })
  end)

  it("raises the errors of load, and can be followed after such an error", function()
    local fails = false
    local world = astar.world { load = function() return not fails and worlds.open_chunk() or error({ "disk" }, 0) end }
    local route = world:finder():find_route(1, 1, 9000, 1)
    for cx = 0, 141 do world:forget_chunk(cx, 0) end
    fails = true
    for _, call in ipairs { "stretch", "step" } do
      local ok, problem = pcall(route[call], route, call == "step" and 100000 or nil)
      assert.is_true(ok or problem[1] == "disk")
    end
    fails = false
    while route:stretch() do end
    assert.same({ 9000, 1 }, { route.x, route.y })
  end)
end)

describe("a query of a world", function()
  it("with a range uses a link that ends within the range, among many links", function()
    local world = astar.world { load = worlds.open_chunk }
    for i = 1, 80 do world:link(5 * i, 900, 5 * i, 950, { cost = 1000, one_way = true }) end
    world:link(60, 30, 145, 30, { cost = 30, one_way = true })
    local unit = world:finder()
    assert.equal(35, unit:find_route(65, 30, 125, 30, { range = 20, exact = true }).cost)
  end)

  it("with several goals leads to the loaded goals, or towards the other goals if no route leads there", function()
    local world = astar.world { load = function(cx, cy)
      if cx == 1 then return nil end
      return cy == 0 and cx <= 2 and worlds.open_chunk()
    end }
    local unit, goals = world:finder(), { { 40, 30 }, { 100, 30 }, { 30, 40, range = 2 } }
    local route, index = unit:find_route(60, 30, goals)
    assert.same({ 1, 20, false }, { index, route.cost, route.partial })
    world:block(40, 30)
    route, index = unit:find_route(60, 30, goals)
    assert.same({ 3, 32, 38 }, { index, route.gx, route.gy })
    world:block(20, 30, 25, 25)
    route, index = unit:find_route(60, 30, goals)
    assert.same({ "not loaded", 64, true }, { index, route.gx, route.partial })
    assert.same({ nil, "not loaded" }, { unit:find_nearest(60, 30, goals) })
    assert.same({ nil, "goal blocked" }, { unit:find_route(60, 30, { { 40, 30 }, { 41, 40 } }) })
    assert.same({ nil, "unreachable" }, { unit:find_route(60, 30, { { 40, 30 }, { 30, 40, range = 2 } }) })
  end)

  it("with several goals and partial comes as near to a goal as any route leads", function()
    local world = astar.world { load = worlds.open_chunk }
    for _, x in ipairs { 100, -100 } do
      world:block(x - 5, -5, 11, 11)
      world:unblock(x, 0)
    end
    local goals = { { 100, 0 }, { -100, 0, range = 2 } }
    local route, why = world:finder():find_route(30, 0, goals, { partial = true })
    assert.same({ "unreachable", 94, true }, { why, route.gx, route.partial })
    world:unblock(-105, 0, 4, 1)
    local index
    route, index = world:finder():find_route(30, 0, goals, { partial = true })
    assert.same({ 2, -102, false }, { index, route.gx, route.partial })
  end)

  it("that flees leads out of all ranges, by a cheaper link if possible, or reports that no way does", function()
    local world = astar.world { load = worlds.open_chunk }
    local unit, fears = world:finder { diagonals = "never" }, { { 100, 100, range = 20 }, { 110, 100 } }
    local question = { flee = true, range = 20, exact = true }
    local route, why = unit:find_route(95, 100, fears, question)
    assert.same({ 79, 100, 16, false }, { route.gx, route.gy, route.cost, route.partial })
    assert.is_nil(why)
    assert.equal(0, unit:find_route(95, 200, fears, question).cost)
    world:link(97, 100, 900, 100, { cost = 3 })
    route = unit:find_route(95, 100, fears, question)
    assert.same({ 900, 100, 5 }, { route.gx, route.gy, route.cost })
    world:unlink(97, 100, 900, 100)
    for _, at in ipairs { 80, 120 } do
      world:block(at, 80, 1, 41)
      world:block(80, at, 41, 1)
    end
    assert.same({ nil, "unreachable" }, { unit:find_route(95, 100, fears, question) })
    local search = unit:search(95, 100, fears, question)
    search:step { expansions = 1e6 }
    assert.same({ nil, "unreachable" }, { search:route() })
  end)

  it("with several goals leads to a goal that can be reached, whatever is edited", function()
    local world = astar.world { load = worlds.open_chunk }
    local goals = { { 2000, 1 }, { -2100, 1 } }
    local route, index = world:finder():find_route(1, 1, goals)
    assert.equal(1, index)
    goals[1] = nil -- what was asked stays
    route:stretch()
    world:block(2000, 1)
    while route:stretch() do end
    assert.same({ -2100, 1 }, { route.x, route.y })
  end)
end)

describe("a window of a world", function()
  it("shows a part of the world as a grid", function()
    for seed = 1, 8 do
      local r = random.new(seed)
      local both, at = new_both(r, { [r:int(0, 3)] = r:chance(0.3) or nil }), "seed " .. seed
      local world = both.world
      for _ = 1, 200 do
        world:wall(r:int(1, SIDE), r:int(1, SIDE), r:pick { "north", "east", "south", "west" }, r:chance(0.5))
        world:block(r:int(1, SIDE), r:int(1, SIDE))
      end
      add_links(r, both)
      -- The rock around what is there belongs to it: no way leads out.
      local grid = world:window(-3, -3, SIDE + 8, SIDE + 8)
      for _ = 1, 6 do
        local kind = { diagonals = r:pick(RULES), size = r:int(1, 2) }
        local ask = { r:int(1, SIDE), r:int(1, SIDE), r:int(1, SIDE), r:int(1, SIDE) }
        local path, why = grid:finder(kind):find_path(ask[1], ask[2], ask[3], ask[4])
        kind.exact = true
        local route, reason = world:finder(kind):find_route(ask[1], ask[2], ask[3], ask[4])
        if reason ~= "not loaded" then
          assert.equal(why, reason, at)
          assert.is_true(not path or is_near(path.cost, route.cost), at)
        end
      end
    end
  end)

  it("is suggested by errors of calls that only grids have", function()
    local world = astar.world { load = worlds.open_chunk }
    assert.has_error(function() world:window(1, 1, 0, 5) end, "w must be an integer from 1 to 1048576, got 0")
    assert.has_error(function() world:window(1, 1, 2000, 2000) end, "h must be an integer from 1 to 524, got 2000")
    local function ask() return world:finder().fov end
    local function make() world:finder { cost = print } end
    local function of_world() return world.set_cells end
    local function crowd() astar.crowd(world:finder()) end
    local function request() astar.queue():request(world:finder(), 1, 1, 5, 5) end
    for _, call in ipairs { ask, make, of_world, crowd, request } do
      local ok, problem = pcall(call)
      assert.is_false(ok)
      assert.truthy(problem:find("world:window(x, y, w, h)", 1, true), problem)
    end
  end)

  it("can be used by flows and crowds", function()
    local world = astar.world { load = worlds.open_chunk }
    world:block(-60, 10, 100, 1)
    local window = world:window(-63, -63, 128, 128)
    local flow = window:finder():flow { { 50, 1 } }
    assert.equal(49, flow:distance(1, 1))
    assert.is_true(flow:flee():distance(-50, 60) <= 0)
    local unit = astar.crowd(window:finder()):add(3, 3)
    assert.is_true(unit:go(40, 40))
  end)
end)

-- ---- beside a grid ----

-- A grid and a world of the same ground, blocks, walls and links; in it a closed room.
local function new_pair(r)
  local pair = { side = r:pick { 64, 128 }, dx = r:int(-100, 100), dy = r:int(-100, 100) }
  local rows, rock, mud = {}, r:pick { 0, 0.05, 0.3, 0.45 }, r:pick { 0, 0.3 }
  for y = 1, pair.side do
    rows[y] = {}
    for x = 1, pair.side do rows[y][x] = r:chance(rock) and "#" or r:chance(mud) and "~" or "." end
  end
  pair.grid = astar.grid(rows, { terrain = TERRAIN })
  pair.world = astar.world { terrain = TERRAIN, bytes = r:pick { 2 ^ 20, 2 ^ 26 }, load = function(cx, cy)
    return worlds.cut(rows, pair.dx + 1, pair.dy + 1, cx, cy, "#")
  end }
  local function both(call, x, y, ...)
    pair.grid[call](pair.grid, x, y, ...)
    pair.world[call](pair.world, x + pair.dx, y + pair.dy, ...)
  end
  local function cell() return r:int(1, pair.side), r:int(1, pair.side) end
  for _ = 1, r:int(0, 200) do
    local x, y = cell()
    both("wall", x, y, r:pick { "north", "east", "south", "west" }, r:chance(0.5))
  end
  for _ = 1, r:int(0, 3) do
    local x, y = cell()
    both("fill", x, y, r:int(1, pair.side + 1 - x), r:int(1, pair.side + 1 - y), r:pick { ".", "~", "#" })
  end
  local at, w = r:int(1, pair.side - 30), r:int(2, 29)
  for _, wall in ipairs { { 0, 0, w, 1 }, { 0, w, w + 1, 1 }, { 0, 0, 1, w }, { w, 0, 1, w } } do
    both("block", at + wall[1], at + wall[2], wall[3], wall[4])
  end
  for _ = 1, r:pick { 0, 2 } do
    local a, b = cell()
    local c, d = cell()
    if a ~= c or b ~= d then
      pair.grid:link(a, b, c, d, { cost = 7, one_way = true })
      pair.world:link(a + pair.dx, b + pair.dy, c + pair.dx, d + pair.dy, { cost = 7, one_way = true })
    end
  end
  function pair.cell_of_room() return r:int(at, at + w), r:int(at, at + w) end
  pair.cell = cell
  return pair
end

local function check_rays(pair, at, of_grid, of_world)
  for _ = 1, 60 do
    local a, b = pair.cell()
    local c, d = pair.cell()
    local sees, x, y = of_grid:raycast(a, b, c, d)
    local expected = { sees, x and x + pair.dx, y and y + pair.dy }
    assert.same(expected, { of_world:raycast(a + pair.dx, b + pair.dy, c + pair.dx, d + pair.dy) }, at)
    assert.equal(pair.grid:is_walkable(a, b), pair.world:is_walkable(a + pair.dx, b + pair.dy), at)
  end
end

-- How far from a cell the nearest is, as a range counts, that costs no more than so much, and what that costs; all that
-- is within the range is as near as that.
local function nearest_of(pair, of_grid, kind, range, from, to, most)
  local flow, best, cost = of_grid:reach(from[1], from[2], most), math.huge, math.huge
  for y = 1, flow and pair.side or 0 do
    for x = 1, pair.side do
      local its = flow:distance(x, y) or math.huge
      local far = math.max(oracle.away(kind, range, x, y, to[1], to[2]), range)
      if its < math.huge and (far < best or far == best and its < cost) then best, cost = far, its end
    end
  end
  return best, cost
end

local function check_partial(r, pair, at, of_grid, of_world, kind)
  local from, to = { pair.cell() }, { pair.cell_of_room() }
  local most, range = r:chance(0.2) and r:int(0, 100) or nil, r:pick { 0, 0, 1, 3 }
  local route, why = of_world:find_route(from[1] + pair.dx, from[2] + pair.dy, to[1] + pair.dx, to[2] + pair.dy,
    { partial = true, exact = true, max_cost = most, range = range })
  local best, cost = nearest_of(pair, of_grid, kind, range, from, to, most or 1e9)
  if not route then
    assert.is_true(why == "start blocked" or best == math.huge, at .. ": " .. tostring(why))
    return
  end
  assert.is_true(is_near(cost, route.cost), at .. ": " .. route.cost .. ", not " .. cost)
  local far = oracle.away(kind, range, route.gx - pair.dx, route.gy - pair.dy, to[1], to[2])
  assert.equal(best, math.max(far, range), at)
  assert.equal(best > range, route.partial, at)
  local walked, ends = 0, { route.gx, route.gy }
  for path in function() return route:stretch() end do walked = walked + path.cost end
  assert.is_true(is_near(cost, walked), at .. ": " .. walked .. ", not " .. cost)
  assert.same(ends, { route.x, route.y }, at)
end

local function ask_beside_grid(seed)
  local r = random.new(seed)
  local pair, at = new_pair(r), "seed " .. seed
  for _ = 1, 2 do
    local kind = { diagonals = r:pick(RULES), size = r:int(1, 3) }
    local of_grid, of_world = pair.grid:finder(kind), pair.world:finder(kind)
    check_rays(pair, at, of_grid, of_world)
    for _ = 1, 3 do check_partial(r, pair, at, of_grid, of_world, kind) end
  end
end

describe("beside a grid, a world", function()
  it("returns the same lines of sight, walkable cells, filled terrain and partial routes as the grid", function()
    for seed = 1, 8 do ask_beside_grid(seed) end
  end)

  it("has a partial route that continues when an obstacle is removed", function()
    local world = astar.world { load = worlds.open_chunk }
    for _, wall in ipairs { { 90, 90, 21, 1 }, { 90, 110, 21, 1 }, { 90, 90, 1, 20 }, { 110, 90, 1, 20 } } do
      world:block(wall[1], wall[2], wall[3], wall[4])
    end
    local route, why = world:finder():find_route(1, 100, 100, 100, { partial = true })
    assert.equal("unreachable", why)
    assert.same({ true, 11 }, { route.partial, math.max(100 - route.gx, math.abs(route.gy - 100)) })
    while route:stretch() do end
    assert.same({ route.gx, route.gy }, { route.x, route.y })
    world:unblock(90, 100)
    while route:stretch() do end
    assert.same({ false, 100, 100 }, { route.partial, route.x, route.y })
  end)

  it("fills all cells of a rectangle or none", function()
    local world = astar.world()
    world:put_chunk(0, 0, worlds.open_chunk())
    assert.same({ nil, "not loaded" }, { world:fill(60, 1, 10, 3, "#") })
    assert.equal(".", world:get(60, 1))
    assert.is_true(world:fill(60, 1, 5, 3, "#"))
    assert.same({ false, true }, { world:is_walkable(64, 3), world:is_walkable(64, 4) })
    assert.is_nil(world:is_walkable(65, 3))
    assert.same({ false, 65, 10 }, { world:finder():raycast(1, 10, 99, 10) })
  end)
end)

describe("world:wanted", function()
  it("lists first the chunks that would lengthen the route least, and only chunks that have not arrived", function()
    local world = astar.world()
    for cy = -2, 2 do world:put_chunk(0, cy, worlds.open_chunk()) end
    world:finder():find_route(1, 30, 900, 30)
    local list = world:wanted()
    assert.same({ cx = 1, cy = 0 }, list[1])
    assert.same(world:wanted(2), { list[1], list[2] })
    world:put_chunk(1, 0, worlds.open_chunk())
    for _, chunk in ipairs(world:wanted()) do assert.is_false(chunk.cx == 1 and chunk.cy == 0) end
    assert.same({}, world:wanted(0))
  end)

  it("lists chunks along the rest of the route before all chunks behind the start", function()
    for _, ask in ipairs { { 1, 3000, 1 }, { 33, 3000, 1 }, { 64, -3000, -1 }, { 33, -3000, -1 } } do
      local world = astar.world()
      world:put_chunk(0, 0, worlds.open_chunk())
      world:finder():find_route(ask[1], 30, ask[2], 30)
      assert.same({ cx = ask[3], cy = 0 }, world:wanted()[1], ask[1])
    end
  end)

  it("makes a loader load few chunks beside the route", function()
    local world = astar.world { load = function() return nil end }
    world:put_chunk(0, 0, worlds.open_chunk())
    local route, loaded = world:finder():find_route(30, 30, 900, 30), 1
    for _ = 1, 100 do
      for _, chunk in ipairs(world:wanted(1)) do
        world:put_chunk(chunk.cx, chunk.cy, worlds.open_chunk())
        loaded = loaded + 1
      end
      if not route:stretch() and route.x == 900 then break end
    end
    assert.same({ 900, 30 }, { route.x, route.y })
    assert.is_true(loaded < 30, loaded)
  end)
end)

describe("a world's finder", function()
  it("accepts queries with a range, a max_cost and several goals", function()
    for seed = 1, 3 do ask_all(seed) end
  end)

  it("raises errors at the line of the query", function()
    local unit = astar.world { load = worlds.open_chunk }:finder()
    local function check(expected, method, ...)
      local ok, problem = pcall(unit[method], unit, ...)
      assert.is_false(ok)
      assert.truthy(problem:find(expected, 1, true), problem)
      assert.falsy(problem:find("world/routes", 1, true), problem)
    end
    check('unknown option "bends": use a grid of a part of the world, world:window(x, y, w, h)',
      "find_route", 1, 1, 5, 5, { bends = "fewest" })
    check("a search of a world has no option partial: use find_route", "search", 1, 1, 5, 5, { partial = true })
    check("partial must be a boolean, got 1", "find_route", 1, 1, 5, 5, { partial = 1 })
    check("range must be", "find_route", 1, 1, 5, 5, { partial = true, range = -1 })
    check('unknown option "rnage" (did you mean "range"?)', "find_route", 1, 1, 5, 5, { rnage = 1 })
    check("range must be", "find_nearest", 1, 1, { { 5, 5 } }, { range = -1 })
    check("flee needs a list of cells to flee from", "search", 1, 1, 5, 5, { flee = true })
    check("flee needs a list of cells to flee from", "find_route", 1, 1, 5, 5, { flee = true })
    check("partial cannot be combined with flee", "find_route", 1, 1, { { 5, 5 } }, { flee = true, partial = true })
    check("flee must be a boolean", "find_route", 1, 1, { { 5, 5 } }, { flee = 1 })
    check("find_nearest of a world has no option flee", "find_nearest", 1, 1, { { 5, 5 } }, { flee = true })
    check("find_nearest of a world has no option partial", "find_nearest", 1, 1, { { 5, 5 } }, { partial = true })
    check("goals must be a list of cells, got 5", "find_nearest", 1, 1, 5)
    check("goals must hold at least one cell", "find_nearest", 1, 1, {})
    check("goals[2] must be a cell", "find_nearest", 1, 1, { { 1, 2 }, 3 })
    check("gx must be", "find_nearest", 1, 1, { { 1.5, 2 } })
    check("gx must be", "reachable", 1, 1, "x", 5)
  end)
end)

return { follow = follow, ask_all = ask_all, ask_beside_grid = ask_beside_grid }
