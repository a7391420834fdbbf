-- Bends: the fewest of them, what they cost and headings, against Dijkstra's algorithm over cells
-- and directions (spec/support/bends.lua).
--
-- ASTAR_MAPS=100000 runs more maps, ASTAR_SEED=7 others, as for differential_spec.lua.

local astar = require "astar"
local bends = require "spec.support.bends"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local atan2 = math.atan2 or math.atan

local MAPS = times("ASTAR_MAPS", 200)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local HEADINGS = {
  "north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west",
}
local TERRAINS = {
  { ["."] = 1, ["#"] = false },
  { ["."] = 1, ["#"] = false, r = 0.5, g = 3 },
  { ["."] = 10, ["#"] = false, r = 9, g = 1000 },
}

local function random_world(r)
  local terrain = r:pick(TERRAINS)
  local rows = r:map(r:int(1, 14), r:int(1, 14))
  if terrain.r and r:chance(0.7) then r:sow(rows, { "r", "g" }) end
  local world = oracle.world(rows, { terrain = terrain, origin = r:pick { { 1, 1 }, { -5, 70 } } })
  if r:chance(0.2) then
    for cell = 1, world.width * world.height do world.blocks[cell] = r:chance(0.1) or nil end
  end
  return world
end

local function add_callbacks(r, rules)
  local salt = r:int(1, 1000)
  if r:chance(0.6) then
    rules.cost = function(x, y, _, cost)
      local number = (x * 31 + y * 17 + salt) % 7
      return number > 0 and cost * (1 + number % 3)
    end
  end
  if not rules.cost or r:chance(0.5) then
    rules.step_cost = function(x, y, nx, ny, cost)
      if (x * 7 + y * 5 + nx * 3 + ny) % 13 == 0 then return nil end
      return nx < x and cost * 2 or cost
    end
  end
end

local function random_field(r, world)
  local field = astar.field(world.width, world.height, { origin = { world.x0, world.y0 } })
  for _ = 1, r:int(0, 4) do
    field:fill(r:int(world.x0, world.x0 + world.width - 1), r:int(world.y0, world.y0 + world.height - 1),
      1, 1, r:pick { 0.25, 1, 8 })
  end
  return field
end

local function random_cell(r, world)
  return world.x0 + r:int(0, world.width - 1), world.y0 + r:int(0, world.height - 1)
end

local function random_case(r)
  local world = random_world(r)
  local rules = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { math.sqrt(2), 1.4, 1, 2 } }
  local plain = r:chance(0.4)
  if not plain and r:chance(0.5) then layers.add_links(r, world) end
  if not plain and r:chance(0.5) then layers.add_walls(r, world) end
  if not plain and r:chance(0.4) then add_callbacks(r, rules) end
  if not plain and r:chance(0.3) then rules.size = r:body(2, 3) end
  if not plain and r:chance(0.3) then rules.avoid = random_field(r, world) end
  local given = { bends = r:chance(0.5) and "fewest" or nil, heading = r:chance(0.4) and r:pick(HEADINGS) or nil }
  if not given.bends or r:chance(0.2) then given.bend_cost = r:pick { 0.25, 1, 3, 40 } end
  if given.bend_cost and r:chance(0.6) then
    given.bend_cost = bends.random_prices(r, rules.diagonals == "never" and { 90, 180 } or { 45, 90, 135, 180 })
  end
  local case = { world = world, rules = rules, given = given }
  case.sx, case.sy = random_cell(r, world)
  case.gx, case.gy = random_cell(r, world)
  case.best, case.entry = bends.best(world, rules, case.sx, case.sy, given)
  case.refusal = oracle.refusal(world, rules, case.entry, case.sx, case.sy, case.gx, case.gy)
  return case
end

local function options_of(case, more)
  local options = {}
  for _, each in ipairs { case.rules, case.given, more or {} } do
    for name, value in pairs(each) do options[name] = value end
  end
  return options
end

local function tell(case)
  local parts = {}
  for name, value in pairs(options_of(case)) do
    if name == "bend_cost" and type(value) == "table" then
      local prices = {}
      for angle, price in pairs(value) do prices[#prices + 1] = ("[%d] = %g"):format(angle, price) end
      value = "{ " .. table.concat(prices, ", ") .. " }"
    end
    parts[#parts + 1] = name .. " = " .. tostring(value)
  end
  return ("(%d, %d) to (%d, %d), %s\n%s"):format(case.sx, case.sy, case.gx, case.gy,
    table.concat(parts, ", "), maps.describe(case.world))
end

local salt = 0
local function it_on_maps(name, share, body)
  salt = salt + 7000003
  local own_salt = salt
  it(name, function()
    for seed = FIRST_SEED, FIRST_SEED + math.ceil(MAPS * share) - 1 do
      local r = random.new(seed + own_salt)
      local case = random_case(r)
      case.grid = maps.grid(case.world)
      local ok, problem = pcall(body, r, case)
      if not ok then error(("map seed %d: %s\n%s"):format(seed, tostring(problem), tell(case)), 0) end
    end
  end)
end

-- The route is legal, its cost and its bends are what they are said to be, and those of the best.
local function check_best(case, path, best)
  local directions = path:directions()
  assert.equal(bends.count(directions, case.given.heading), path.bends)
  local sum = check.sum(path, case)
  assert(sum, "not legal")
  check.equal_cost(sum + bends.cost(directions, case.given, case.given.heading), path.cost, "against its steps")
  check.equal_cost(best.cost, path.cost, "against the best")
  assert.equal(best.bends, path.bends)
end

local function check_answer(case, path, reason)
  local best = case.best[oracle.cell(case.world, case.gx, case.gy)]
  if case.refusal or not best then
    assert.is_nil(path)
    -- A goal that a callback blocks may be told to be out of reach before anybody asks.
    local by_callback = case.refusal == "goal blocked" and case.rules.cost and reason == "unreachable"
    assert.equal(by_callback and reason or case.refusal or "unreachable", reason)
    return
  end
  assert(path, tostring(reason))
  check_best(case, path, best)
end

-- What the bends between the legs of a smoothed path cost, at any angle; nil where there may be links.
local function cost_of_legs(case, path)
  if next(case.world.links) then return nil end
  local sum, last, fx, fy = 0, nil, nil, nil
  for _, name in ipairs { case.given.heading } do
    for _, direction in ipairs(astar.directions) do
      if direction.name == name then last = math.deg(atan2(direction.dy, direction.dx)) end
    end
  end
  for _, point in ipairs(path:waypoints()) do
    local x, y = point.x, point.y
    if fx then
      local way = math.deg(atan2(y - fy, x - fx))
      local angle = last and math.abs(way - last) or 0
      angle = math.min(angle, 360 - angle)
      if angle > 1e-6 then sum = sum + bends.price(case.given.bend_cost, angle) end
      last = way
    end
    fx, fy = x, y
  end
  return sum
end

local function flat(path, reason)
  return path and table.concat(path:cells_flat(), ",") .. " " .. path.cost or reason
end

describe("bend costs", function()
  it_on_maps("find_path returns routes of the least cost, bends included", 1, function(r, case)
    local algorithm, heuristic = r:pick { "auto", "astar", "dijkstra" }, r:pick(check.HEURISTICS)
    local options = options_of(case, { algorithm = algorithm, heuristic = heuristic })
    check_answer(case, case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options))
  end)

  it_on_maps("routes are also best if a query gives the options, and in searches in steps", 0.5, function(r, case)
    local finder = case.grid:finder(options_of { rules = case.rules, given = { bend_cost = case.given.bend_cost } })
    local question = { bends = case.given.bends, heading = case.given.heading }
    local path, reason = finder:find_path(case.sx, case.sy, case.gx, case.gy, question)
    check_answer(case, path, reason)
    local search, expansions = finder:search(case.sx, case.sy, case.gx, case.gy, question), r:pick { 1, 2, 9 }
    while search:step(expansions) == "running" do
      for _, _, state, g, h, f in search:cells() do
        assert(state == "open" or state == "closed")
        assert(g >= 0 and h >= 0 and f >= g)
      end
    end
    assert.equal(flat(path, reason), flat(search:path() or nil, search.status))
  end)

  it("avoid two cells in a line that cost 10^9 times as much as the cheapest ground", function()
    local grid = astar.grid("..\nb.\nb.\nc.", { terrain = { ["."] = 1, b = 1e6, c = 0.001 } })
    local path = grid:find_path(1, 4, 1, 1, { diagonals = "never", bend_cost = 1 })
    assert.equal(1 + 3 + 1 + 2, path.cost)
  end)

  it("can be options of a queue's requests", function()
    local finder = astar.grid(9, 9):finder { diagonals = "never", bend_cost = 2 }
    local queue = astar.queue()
    local ticket = queue:request(finder, 1, 1, 9, 9, { heading = "south" })
    while queue:update { expansions = 5 } > 0 do end
    assert.same({ 18, 1 }, { ticket:path().cost, ticket:path().bends })
    assert.equal("south", ticket:path():directions()[1])
  end)

  it("use for a bend the price of the next larger angle that has a price", function()
    local function cost_of(bend_cost, heading)
      return astar.grid(3, 3):find_path(2, 2, 2, 1, { bend_cost = bend_cost, heading = heading }).cost - 1
    end
    local prices = { [45] = 1, [90] = 3, [180] = 9 }
    assert.same({ 0, 1, 3, 9 }, { cost_of(prices, "north"), cost_of(prices, "north_west"), cost_of(prices, "east"),
      cost_of({ [45] = 8, [90] = 7, [180] = 9 }, "south") })
    assert.equal(8, cost_of({ [135] = 8, [180] = 9 }, "south_east"))
    assert.equal(9, cost_of({ [45] = 6, [90] = 7, [180] = 9 }, "south_east"))
    assert.equal(5, cost_of({ [90] = 5 }, "north_west"))
    assert.equal(5, cost_of({ [90] = 5 }, "south"))
  end)

  it("allow a unit to step straight back if a bend of 180 degrees is the cheapest", function()
    local grid = astar.grid(9, 9)
    local options = { bend_cost = { [45] = 100, [90] = 100, [135] = 100, [180] = 1 }, heading = "north" }
    local path = grid:find_path(5, 5, 5, 8, options)
    assert.same({ 4, 1 }, { path.cost, path.bends })
    -- Forward and back, where that saves the dear turn by 135 degrees; the cells around are blocked.
    local nook = astar.grid "#.#\n#.#\n.##"
    local there_and_back = nook:find_path(2, 2, 1, 3,
      { diagonals = "always", bend_cost = { [45] = 1, [90] = 50, [180] = 1, [135] = 50 }, heading = "north" })
    assert.same({ "north", "south", "south_west" }, there_and_back:directions())
    local tank = grid:finder { bend_cost = { [90] = 40, [180] = 1 }, diagonals = "never" }
    assert.equal(1 + 40 + 8, tank:find_path(5, 5, 1, 9, { heading = "north" }).cost)
  end)

  it("are copied by the finder, so that later changes of the table of bend costs have no effect", function()
    local grid, prices = astar.grid(5, 5), { [90] = 3, [180] = 9 }
    local finder = grid:finder { bend_cost = prices, diagonals = "never" }
    prices[90] = 1
    local options = finder:options()
    assert.same({ [90] = 3, [180] = 9 }, options.bend_cost)
    options.bend_cost[90] = 2
    for _, each in ipairs { finder, finder:with_grid(grid:clone()), grid:finder(finder:options()) } do
      assert.equal(8 + 3, each:find_path(1, 1, 5, 5).cost)
    end
    assert.equal(8 + 2, grid:finder(options):find_path(1, 1, 5, 5).cost)
    local supposed = finder:find_path(1, 1, 5, 5, { suppose_blocked = { { 5, 1 }, { 1, 5 } } })
    assert.equal(8 + 6, supposed.cost)
    assert.equal(8 + 3, finder:matrix({ { 1, 1 } }, { { 5, 5 } })[1][1])
  end)

  it_on_maps("a route to within a range is the best route to any cell of the range", 0.5, function(r, case)
    local range, best = r:int(1, 4), nil
    for cell, each in pairs(case.best) do
      local x, y = oracle.position(case.world, cell)
      local is_near = oracle.away(case.rules, range, x, y, case.gx, case.gy) <= range
      local is_better = not best or each.cost < best.cost or each.cost == best.cost and each.bends < best.bends
      if is_near and is_better then best = each end
    end
    local path = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options_of(case, { range = range }))
    if not oracle.can_stand(case.world, case.rules, case.sx, case.sy) then best = nil end
    assert.equal(best ~= nil, path ~= nil)
    if path then check_best(case, path, best) end
  end)

  it_on_maps("a partial path is the best path to its last cell", 0.5, function(_, case)
    local path = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options_of(case, { partial = true }))
    if not oracle.can_stand(case.world, case.rules, case.sx, case.sy) then return assert.is_nil(path) end
    local costs = {}
    for cell, each in pairs(case.best) do costs[cell] = each.cost end
    local distance, cost = oracle.nearest(case.world, case.rules, costs, case.gx, case.gy)
    local x, y = path:cell(#path)
    check.equal_cost(distance, oracle.ground_distance(case.rules, x, y, case.gx, case.gy), "distance")
    check.equal_cost(cost, path.cost, "cost")
    check_best(case, path, case.best[oracle.cell(case.world, x, y)])
  end)

  it_on_maps("find_nearest returns the cheapest goal, and the northernmost of equal goals", 0.5, function(r, case)
    local goals, best, lowest = {}, nil, nil
    for i = 1, r:pick { 1, 2, 5, 20 } do
      local x, y = random_cell(r, case.world)
      local cell = oracle.cell(case.world, x, y)
      local each = case.best[cell]
      goals[i] = { x = x, y = y }
      local is_better = each and (not best or each.cost < best.cost or each.cost == best.cost and cell < lowest)
      if is_better then best, lowest = each, cell end
    end
    if not oracle.can_stand(case.world, case.rules, case.sx, case.sy) then best = nil end
    local finder = case.grid:finder(options_of(case))
    local path, index = finder:find_nearest(case.sx, case.sy, goals)
    assert.equal(best ~= nil, path ~= nil)
    if not path then return end
    check_best(case, path, best)
    assert.equal(lowest, oracle.cell(case.world, goals[index].x, goals[index].y))
    local by_test = finder:find_nearest(case.sx, case.sy, function(x, y)
      return oracle.cell(case.world, x, y) == lowest
    end)
    check_best(case, by_test, best)
  end)

  it_on_maps("max_cost limits the cost with bends", 0.3, function(_, case)
    local best = case.best[oracle.cell(case.world, case.gx, case.gy)]
    if case.refusal or not best or best.cost == 0 then return end
    local function ask(max_cost)
      return case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options_of(case, { max_cost = max_cost }))
    end
    check_best(case, ask(best.cost), best)
    local path, reason = ask(best.cost * 0.99)
    assert.is_nil(path)
    assert.equal("max_cost", reason)
  end)

  it("with a max_cost below the cost of every route are answered in one call, with that reason", function()
    for seed = FIRST_SEED, FIRST_SEED + 99 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(14, 11, r:pick { 0, 0.1, 0.2, 0.3 }))
      local sx, sy, gx, gy = r:int(1, 14), r:int(1, 11), r:int(1, 14), r:int(1, 11)
      for _, diagonals in ipairs { "never", "always", "only_when_no_obstacles" } do
        for _, options in ipairs { { bend_cost = 1 }, { bend_cost = 4 }, { bends = "fewest" } } do
          options.diagonals = diagonals
          options.heading = r:chance(0.5) and r:pick(HEADINGS) or nil
          local path = grid:find_path(sx, sy, gx, gy, options)
          for _, share in ipairs { 0.999, 0.8, 0.5 } do
            if path and path.cost > 0 then
              options.max_cost = path.cost * share
              assert.same({ nil, "max_cost" }, { grid:find_path(sx, sy, gx, gy, options) })
            end
          end
        end
      end
    end
  end)

  it_on_maps("a route with a weight costs at most weight times the best route", 0.3, function(r, case)
    local best, weight = case.best[oracle.cell(case.world, case.gx, case.gy)], r:pick { 1.5, 4 }
    if case.refusal or not best then return end
    local path = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options_of(case, { weight = weight }))
    assert(path.cost <= best.cost * weight * (1 + 1e-9))
    local directions, heading = path:directions(), case.given.heading
    assert.equal(bends.count(directions, heading), path.bends)
    local sum = check.sum(path, case) + bends.cost(directions, case.given, heading)
    check.equal_cost(sum, path.cost, "against its steps")
  end)

  it_on_maps("a search continues after edits to the route of a search begun after the edits", 0.4, function(r, case)
    if case.rules.cost or case.rules.step_cost then return end
    local finder = case.grid:finder(options_of(case))
    local search = finder:search(case.sx, case.sy, case.gx, case.gy)
    for _ = 1, 8 do
      if search:step(r:int(1, 12)) ~= "running" then break end
      local x, y = random_cell(r, case.world)
      if r:chance(0.5) then case.grid:block(x, y) else case.grid:unblock(x, y) end
    end
    while search:step(5) == "running" do end
    if search.restarts > 3 then return end -- it is of a copy
    assert.equal(flat(finder:find_path(case.sx, case.sy, case.gx, case.gy)),
      flat(search:path() or nil, search.status))
  end)

  it("let a unit pass a corner of the block that it has left, as its own block", function()
    local grid = astar.grid(4, 4)
    grid:block(2, 3)
    local path = grid:find_path(2, 3, 4, 4, { bend_cost = 10, heading = "north" })
    assert.equal("north south_east south_east", table.concat(path:directions(), " "))
    assert.equal(1, path.bends)
    assert.is_true(path:is_valid())
    assert.is_true(path:smooth():is_valid())
  end)

  it("let a unit return over a link past its own block, because a unit has no heading after a link", function()
    local grid = astar.grid(3, 1)
    grid:block(1, 1)
    grid:link(1, 1, 3, 1, { cost = 0 })
    local path = grid:find_path(1, 1, 2, 1, { diagonals = "never", bend_cost = 10, heading = "north" })
    assert.equal(1, path.cost)
    assert.equal(0, path.bends)
  end)

  it_on_maps("smoothed, reversed and repaired paths include the cost of their bends", 0.5, function(r, case)
    local options = options_of(case)
    local path = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options)
    if not path then return end
    assert.is_true(path:is_valid())
    local smooth = path:smooth()
    local is_one_price = type(case.given.bend_cost) ~= "table"
    assert(not is_one_price or smooth.cost <= path.cost * (1 + 1e-9), "smoothed")
    assert(smooth.bends <= path.bends)
    local by_bends = is_one_price and (case.given.bend_cost or 0) * smooth.bends or cost_of_legs(case, smooth)
    if by_bends then check.equal_cost(check.sum(smooth, case) + by_bends, smooth.cost, "smoothed") end
    local back = path:reverse()
    local directions = back:directions()
    assert.equal(bends.count(directions), back.bends)
    local sum = check.sum(back, case)
    if sum then check.equal_cost(sum + bends.cost(directions, case.given), back.cost, "back") end
    local from = r:int(1, #path)
    local rest = path:repair { from = from }
    local heading = case.given.heading
    if from > 1 then heading = path:directions()[from - 1] end
    local rest_case = setmetatable({ given = { bend_cost = case.given.bend_cost } }, { __index = case })
    if heading == "link" then heading = nil end
    assert.equal(bends.count(rest:directions(), heading), rest.bends)
    by_bends = bends.cost(rest:directions(), case.given, heading)
    check.equal_cost(check.sum(rest, rest_case) + by_bends, rest.cost, "rest")
    local x, y = path:cell(from)
    if (case.rules.size or 1) == 1 then
      local anew = path:repair { from = from, optimal = true }
      local best = bends.best(case.world, case.rules, x, y,
        { bend_cost = case.given.bend_cost, heading = heading })
      check.equal_cost(best[oracle.cell(case.world, case.gx, case.gy)].cost, anew.cost, "anew")
    end
  end)

  it("are part of a smoothed path that starts along the heading, and smoothing does not raise the cost", function()
    local turned = 0
    for seed = FIRST_SEED, FIRST_SEED + 10 * MAPS - 1 do
      local r = random.new(seed)
      local world = oracle.world(r:scatter(r:int(5, 16), r:int(5, 16), 0.15))
      if r:chance(0.3) then layers.add_links(r, world) end
      local grid, options = maps.grid(world), { diagonals = r:pick(check.RULES) }
      local function find(sx, sy, gx, gy) return grid:finder(options):find_path(sx, sy, gx, gy) end
      local sx, sy = random_cell(r, world)
      local gx, gy = random_cell(r, world)
      if r:chance(0.5) then options.bends = "fewest" else options.bend_cost = r:pick { 0.25, 1, 3, 40 } end
      local first = find(sx, sy, gx, gy)
      options.heading = first and first:directions()[1]
      if options.heading and options.heading ~= "link" then
        local path = find(sx, sy, gx, gy)
        local smooth = path:smooth()
        local where = ("seed %d: (%d, %d) to (%d, %d)\n%s"):format(seed, sx, sy, gx, gy, maps.describe(world))
        assert(smooth.bends <= path.bends, where)
        assert(smooth.cost <= path.cost * (1 + 1e-9), where)
        assert(smooth.length <= path.length * (1 + 1e-9), where)
        check.equal_cost(smooth.cost, smooth:cost_at(#smooth), where)
        if smooth.length < path.length - 1e-6 then turned = turned + 1 end
      end
    end
    assert.is_true(turned > MAPS / 4)
  end)
end)

-- Zigzags are three legs of which two can change places, so that two go on as one.
describe('bends = "fewer"', function()
  local STEP = {}
  for _, direction in ipairs(astar.directions) do STEP[direction.name] = direction end

  local function legs_of(path)
    local legs = {}
    for _, name in ipairs(path:directions()) do
      local last = legs[#legs]
      if last and last.name == name and name ~= "link" then
        last.count = last.count + 1
      else
        legs[#legs + 1] = { name = name, count = 1 }
      end
    end
    return legs
  end

  -- What the cells cost that legs lead over from (x, y) on, nil where a step is not legal.
  local function costs_along(case, x, y, legs)
    local costs = {}
    for _, leg in ipairs(legs) do
      for _ = 1, leg.count do
        local nx, ny = x + STEP[leg.name].dx, y + STEP[leg.name].dy
        if not oracle.legal_step(case.world, case.rules, case.entry, x, y, nx, ny) then return nil end
        costs[#costs + 1] = case.entry[oracle.cell(case.world, nx, ny)]
        x, y = nx, ny
      end
    end
    return costs
  end

  local function are_all(costs, cost)
    for _, each in ipairs(costs or {}) do
      if each ~= cost then return false end
    end
    return costs ~= nil
  end

  -- Whether two legs, from (x, y) on, can change places over ground of one cost.
  local function can_swap(case, x, y, first, second)
    local before, after = costs_along(case, x, y, { first, second }), costs_along(case, x, y, { second, first })
    return are_all(before, before[1]) and are_all(after, before[1])
  end

  local function assert_no_zigzag(case, path)
    local legs = legs_of(path)
    local index = 1
    for i = 1, #legs - 2 do
      local a, b, c = legs[i], legs[i + 1], legs[i + 2]
      if a.name == c.name and a.name ~= "link" and b.name ~= "link" then
        local x, y = path:cell(index)
        assert(not can_swap(case, x, y, a, b), ("legs %d and %d can change places"):format(i, i + 1))
        x, y = path:cell(index + a.count)
        assert(not can_swap(case, x, y, b, c), ("legs %d and %d can change places"):format(i + 1, i + 2))
      end
      index = index + a.count
    end
  end

  it_on_maps("removes zigzags without changing the cost by one bit", 1, function(r, case)
    if case.rules.cost or case.rules.step_cost then return end
    case.given = {}
    local partial = r:chance(0.3)
    local algorithm = r:pick(check.algorithms(options_of(case, { partial = partial }), case.world))
    local function ask(word)
      local options = options_of(case, { algorithm = algorithm, bends = word, partial = partial })
      return case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options)
    end
    local plain, reason = ask "any"
    local straight, same = ask "fewer"
    assert.equal(reason, same)
    if not plain then return end
    assert.equal(plain.cost, straight.cost)
    assert.same({ plain.algorithm, plain.expanded, #plain, plain.partial },
      { straight.algorithm, straight.expanded, #straight, straight.partial })
    check.equal_cost(check.sum(straight, case), straight.cost, "against its steps")
    assert(straight.bends <= plain.bends)
    assert.equal(bends.count(straight:directions()), straight.bends)
    assert.is_true(straight:is_valid())
    check.accessors(straight)
    assert_no_zigzag(case, straight)
  end)

  it('finds nearly as few bends as bends = "fewest"', function()
    local r, counts = random.new(3), { any = 0, fewer = 0, fewest = 0 }
    for _ = 1, 20 do
      local grid = astar.grid(r:scatter(40, 40, 0.2))
      local sx, sy, gx, gy = r:int(1, 40), r:int(1, 40), r:int(1, 40), r:int(1, 40)
      for word, count in pairs(counts) do
        local path = grid:find_path(sx, sy, gx, gy, { bends = word, diagonals = "never" })
        counts[word] = count + (path and path.bends or 0)
      end
    end
    assert(counts.fewest < counts.fewer)
    assert(counts.fewer - counts.fewest < (counts.any - counts.fewest) / 2)
  end)
end)

describe("the work of a search that counts bends", function()
  local SIDE = 129

  -- Open ground, with bars of 12 cells: rows of text.
  local function ground(has_bars)
    local rows = {}
    for y = 1, SIDE do
      rows[y] = {}
      for x = 1, SIDE do rows[y][x] = "." end
    end
    for i = 1, has_bars and 20 or 0 do
      local x, y = (i * 97) % 110 + 3, (i * 61) % 110 + 3
      for k = 0, 11 do rows[y + (i % 2 == 0 and k or 0)][x + (i % 2 == 0 and 0 or k)] = "#" end
    end
    rows[65][65] = "."
    for y = 1, SIDE do rows[y] = table.concat(rows[y]) end
    return astar.grid(rows)
  end

  -- How many cells queries to sixteen directions expand in all.
  local function expanded(grid, options)
    local finder, sum = grid:finder(options), 0
    for i = 0, 15 do
      local angle = i * math.pi / 8 + 0.1
      local x = 65 + math.floor(50 * math.cos(angle) + 0.5)
      local y = 65 + math.floor(50 * math.sin(angle) + 0.5)
      local path = finder:find_path(65, 65, x, y)
      sum = sum + (path and path.expanded or 0)
    end
    return sum
  end

  for _, has_bars in ipairs { false, true } do
    for _, diagonals in ipairs { "never", "only_when_no_obstacles" } do
      local where = ("%s, diagonals %s"):format(has_bars and "among bars" or "on open ground", diagonals)
      it("needs at most 1.5 times the expansions of plain A* " .. where, function()
        local grid = ground(has_bars)
        local plain = expanded(grid, { algorithm = "astar", diagonals = diagonals })
        assert(plain > 0)
        for name, options in pairs {
          fewest = { bends = "fewest" },
          fewer = { bends = "fewer", algorithm = "astar" },
          bend_cost = { bend_cost = 3 },
          low_bend_cost = { bend_cost = 0.25 },
          by_angle = { bend_cost = { [90] = 2, [180] = 3 } },
          heuristic = {
            algorithm = "astar",
            heuristic = function(dx, dy)
              dx, dy = math.abs(dx), math.abs(dy)
              if diagonals == "never" then return dx + dy end
              return math.max(dx, dy) + (math.sqrt(2) - 1) * math.min(dx, dy)
            end,
          },
        } do
          options.diagonals = diagonals
          local found = expanded(grid, options)
          assert(found <= 1.5 * plain, ("%s: %d expansions, plain A* %d"):format(name, found, plain))
        end
      end)
    end
  end
end)
