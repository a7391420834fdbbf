-- Maps that wrap around: routes, what can be reached and flows, against Dijkstra's algorithm that counts modulo.
--
-- ASTAR_MAPS=100000 runs more maps, ASTAR_SEED=7 others, as for differential_spec.lua.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 120)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local error_of = check.error_of

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local SQRT2 = 1.4142135623730951
local STEPS = { { 0, -1 }, { 1, -1 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 }, { -1, 0 }, { -1, -1 } }

-- ---- the oracle ----

local function around(world, x, y)
  if world.wrap ~= "y" then x = (x - 1) % world.width + 1 end
  if world.wrap ~= "x" then y = (y - 1) % world.height + 1 end
  if x < 1 or y < 1 or x > world.width or y > world.height then return nil end
  return x, y
end

-- What it costs to enter a cell, nil where that cannot be.
local function price(world, unit, x, y)
  x, y = around(world, x, y)
  if not x then return nil end
  local cell = (y - 1) * world.width + x
  if world.blocks[cell] and not unit.ignores then return nil end
  local cost = world.terrain[world.rows[y][x]]
  return cost and cost + (unit.avoid and unit.avoid[cell] or 0)
end

local function is_diagonal_legal(world, unit, x, y, dx, dy)
  local free = (price(world, unit, x + dx, y) and 1 or 0) + (price(world, unit, x, y + dy) and 1 or 0)
  if unit.diagonals == "always" then return true end
  return free >= (unit.diagonals == "only_when_no_obstacles" and 2 or 1) and unit.diagonals ~= "never"
end

-- Calls 'tell' with each cell that a step leads to, what the step costs, and whether a path has a link there.
local function each_step(world, unit, x, y, tell)
  for _, step in ipairs(STEPS) do
    local dx, dy = step[1], step[2]
    local cost = price(world, unit, x + dx, y + dy)
    local is_diagonal = dx ~= 0 and dy ~= 0
    if cost and (not is_diagonal or is_diagonal_legal(world, unit, x, y, dx, dy)) then
      local nx, ny = around(world, x + dx, y + dy)
      tell(nx, ny, is_diagonal and cost * unit.diagonal_cost or cost, nx ~= x + dx or ny ~= y + dy)
    end
  end
  for _, link in ipairs(world.links) do
    if link[1] == x and link[2] == y and price(world, unit, link[3], link[4]) then
      tell(link[3], link[4], link[5], true)
    end
  end
end

-- What it costs from a cell to all others, by the steps out of each; a first-in, first-out queue does.
local function flood_over(world, steps, x, y)
  local first = (y - 1) * world.width + x
  local cost, open, at = { [first] = 0 }, { first }, 1
  while open[at] do
    local here = cost[open[at]]
    for _, step in ipairs(steps[open[at]]) do
      if not cost[step[1]] or here + step[2] < cost[step[1]] - 1e-9 then
        cost[step[1]] = here + step[2]
        open[#open + 1] = step[1]
      end
    end
    at = at + 1
  end
  return cost
end

-- The steps out of each cell, and those that lead there.
local function steps_of(world, unit)
  local out, back = {}, {}
  for cell = 1, world.width * world.height do out[cell], back[cell] = {}, {} end
  for y = 1, world.height do
    for x = 1, world.width do
      local cell = (y - 1) * world.width + x
      each_step(world, unit, x, y, function(nx, ny, cost)
        local other = (ny - 1) * world.width + nx
        out[cell][#out[cell] + 1] = { other, cost }
        back[other][#back[other] + 1] = { cell, cost }
      end)
    end
  end
  return out, back
end

local function apart(a, b, side, wraps)
  local d = math.abs(a - b)
  return wraps and math.min(d, side - d) or d
end

local function steps_apart(world, x, y, gx, gy)
  return math.max(apart(x, gx, world.width, world.wrap ~= "y"), apart(y, gy, world.height, world.wrap ~= "x"))
end

-- ---- random worlds ----

local function random_world(r)
  local world = { wrap = r:pick { "x", "y", "both" }, links = {}, blocks = {} }
  local most = r:pick { 6, 12, 20, 40 }
  world.width, world.height = r:int(3, most), r:int(3, r:pick { 6, most })
  world.terrain = r:pick { { ["."] = 1, ["#"] = false }, { ["."] = 1, ["#"] = false, r = 0.5, g = 3 } }
  world.rows = r:map(world.width, world.height)
  if world.terrain.r then r:sow(world.rows, { "r", "g" }) end
  world.grid = astar.grid(world.rows, { terrain = world.terrain, wrap = world.wrap })
  for _ = 1, r:pick { 0, 0, 3 } do
    local x, y, nx, ny = r:int(1, world.width), r:int(1, world.height), r:int(1, world.width), r:int(1, world.height)
    local is_new = x ~= nx or y ~= ny
    for _, link in ipairs(world.links) do is_new = is_new and (link[1] ~= x or link[2] ~= y) end
    if is_new then
      local cost = r:pick { 0, 0.5, 2, 7 }
      world.grid:link(x, y, nx, ny, { cost = cost, one_way = true })
      world.links[#world.links + 1] = { x, y, nx, ny, cost }
    end
  end
  return world
end

local function edit(r, world)
  for _ = 1, r:int(1, 6) do
    local x, y = r:int(1, world.width), r:int(1, world.height)
    if r:chance(0.5) then x = r:pick { 1, world.width } else y = r:pick { 1, world.height } end
    local kind = r:int(1, 3)
    if kind == 1 then
      world.rows[y][x] = r:pick { ".", "#", "." }
      world.grid:set(x, y, world.rows[y][x])
    else
      world.blocks[(y - 1) * world.width + x] = kind == 2 or nil
      world.grid[kind == 2 and "block" or "unblock"](world.grid, x, y, 1, 1, "units")
    end
  end
end

local function random_unit(r, world)
  local unit = { diagonals = r:pick(RULES), diagonal_cost = r:pick { SQRT2, SQRT2, 1, 1.5, 2 } }
  local options = {
    diagonals = unit.diagonals, diagonal_cost = unit.diagonal_cost, algorithm = r:pick { "auto", "astar", "dijkstra" },
  }
  if r:chance(0.2) then
    unit.avoid, options.avoid = {}, astar.field(world.grid)
    for _ = 1, 12 do
      local x, y, value = r:int(1, world.width), r:int(1, world.height), r:int(1, 4)
      unit.avoid[(y - 1) * world.width + x] = value
      options.avoid:set(x, y, value)
    end
  end
  world.grid:block(1, 1, 1, 1, "units")
  if not world.blocks[1] then world.grid:unblock(1, 1, 1, 1, "units") end
  unit.ignores = r:chance(0.2)
  if unit.ignores then options.ignore = { "units" } end
  unit.finder = world.grid:finder(options)
  return unit
end

local function random_cell(r, world) return r:int(1, world.width), r:int(1, world.height) end

local function near(a, b) return math.abs(a - b) <= 1e-6 * math.max(1, math.abs(a)) end

-- ---- checks ----

-- What the steps of a path cost, from a cell to another; infinite where one of them is none. A step that was one over a
-- link stays that as long as the link is there.
local function cost_of_cells(world, unit, path, x, y, gx, gy)
  local cx, cy = path:cell(1)
  assert(cx == x and cy == y)
  local sum = 0
  for i = 2, #path do
    local nx, ny = path:cell(i)
    local over_link, beside = math.huge, math.huge
    each_step(world, unit, cx, cy, function(sx, sy, step, is_link)
      if sx == nx and sy == ny and is_link then over_link = math.min(over_link, step) end
      if sx == nx and sy == ny and not is_link then beside = math.min(beside, step) end
    end)
    local least = path:link(i - 1) and over_link < math.huge and over_link or beside
    sum, cx, cy = sum + least, nx, ny
  end
  assert(cx == gx and cy == gy)
  return sum
end

local function check_path(world, unit, path, x, y, gx, gy, cost)
  local sum = cost_of_cells(world, unit, path, x, y, gx, gy)
  assert(near(cost, sum), ("the cells cost %s, the best way %s"):format(sum, cost))
  assert(near(cost, path.cost), ("the path costs %s, the best way %s"):format(path.cost, cost))
  assert(path:is_valid())
end

-- How a question is asked in steps; edits that are undone fall between.
local function by_steps(r, world, unit, x, y, gx, gy)
  local search = unit.finder:search(x, y, gx, gy)
  while search.status == "running" do
    search:step(r:int(1, 5))
    if r:chance(0.05) then
      local bx, by = random_cell(r, world)
      if not world.blocks[(by - 1) * world.width + bx] then
        world.grid:block(bx, by, 1, 1, "units")
        search:step(1)
        world.grid:unblock(bx, by, 1, 1, "units")
        if search.status ~= "running" then search = unit.finder:search(x, y, gx, gy) end
      end
    end
  end
  return search:path()
end

local function check_route(r, world, unit, x, y, gx, gy, costs)
  local cost = costs[(gy - 1) * world.width + gx]
  local path, why
  if r:chance(0.4) then
    path, why = by_steps(r, world, unit, x, y, gx, gy)
  else
    path, why = unit.finder:find_path(x, y, gx, gy)
  end
  if not world.terrain[world.rows[y][x]] then
    assert(why == "start blocked", why)
  elseif not price(world, unit, gx, gy) and (x ~= gx or y ~= gy) then
    assert(why == "goal blocked", why)
  elseif not cost then
    assert(why == "unreachable", why)
  else
    assert(path, why)
    check_path(world, unit, path, x, y, gx, gy, cost)
    assert(unit.finder:reachable(x, y, gx, gy))
    local back = path:reverse()
    assert(#path == #back)
    return
  end
  assert(not path and not unit.finder:reachable(x, y, gx, gy))
end

-- A route to any cell within a range.
local function check_range(r, world, unit, x, y, gx, gy, costs)
  local range, least = r:int(1, 3), math.huge
  for cell, cost in pairs(costs) do
    local cx, cy = (cell - 1) % world.width + 1, math.floor((cell - 1) / world.width) + 1
    if steps_apart(world, cx, cy, gx, gy) <= range then least = math.min(least, cost) end
  end
  local path = unit.finder:find_path(x, y, gx, gy, { range = range })
  if least == math.huge then return assert(not path) end
  assert(near(least, path.cost), ("within %d: %s, the best way %s"):format(range, path.cost, least))
end

-- As near as can be, by the rule's own distance: at the least no other cell that can be reached is nearer by far.
local function check_partial(world, unit, x, y, gx, gy, costs)
  local path = unit.finder:find_path(x, y, gx, gy, { partial = true })
  local diagonal = unit.diagonals == "never" and 2 or unit.diagonal_cost
  local function distance(cx, cy)
    local dx = apart(cx, gx, world.width, world.wrap ~= "y")
    local dy = apart(cy, gy, world.height, world.wrap ~= "x")
    return math.max(dx, dy) - math.min(dx, dy) + math.min(dx, dy) * diagonal
  end
  local least, cheapest = math.huge, math.huge
  for cell, cost in pairs(costs) do
    local d = distance((cell - 1) % world.width + 1, math.floor((cell - 1) / world.width) + 1)
    if d < least - 1e-9 then least, cheapest = d, cost end
    if near(d, least) then cheapest = math.min(cheapest, cost) end
  end
  local ex, ey = path:cell(#path)
  assert(near(least, distance(ex, ey)), ("ends %s from the goal, not %s"):format(distance(ex, ey), least))
  assert(near(cheapest, path.cost), ("%s to the nearest cell, the best way %s"):format(path.cost, cheapest))
end

local function check_nearest(r, world, unit, x, y, costs)
  local goals, least = {}, math.huge
  for i = 1, r:pick { 2, 5, 20 } do
    local gx, gy = random_cell(r, world)
    goals[i] = { gx, gy }
    if price(world, unit, gx, gy) or (gx == x and gy == y) then
      least = math.min(least, costs[(gy - 1) * world.width + gx] or math.huge)
    end
  end
  local path = unit.finder:find_nearest(x, y, goals)
  if least == math.huge then return assert(not path) end
  assert(near(least, path.cost), ("the nearest costs %s, the best way %s"):format(path.cost, least))
end

-- What a flow says of all cells, by 'costs_of' of each.
local function check_distances(world, flow, cost_of)
  for y = 1, world.height do
    for x = 1, world.width do
      local expected, got = cost_of(x, y), flow:distance(x, y)
      if not expected then
        assert(not got, ("(%d, %d): %s, where there is no way"):format(x, y, tostring(got)))
      else
        assert(got and near(expected, got), ("(%d, %d): %s, not %s"):format(x, y, tostring(got), expected))
      end
    end
  end
end

local function check_flow(r, world, unit, gx, gy, flow)
  local out, back = steps_of(world, unit)
  local costs = price(world, unit, gx, gy) and flood_over(world, back, gx, gy) or { [(gy - 1) * world.width + gx] = 0 }
  flow = flow or unit.finder:flow(gx, gy)
  check_distances(world, flow, function(x, y)
    return world.terrain[world.rows[y][x]] and costs[(y - 1) * world.width + x]
  end)
  for _ = 1, 5 do
    local x, y = random_cell(r, world)
    local cost = costs[(y - 1) * world.width + x]
    if cost and world.terrain[world.rows[y][x]] then
      check_path(world, unit, flow:path(x, y), x, y, gx, gy, cost)
    end
  end
  return flow, out
end

local function check_reach(world, unit, x, y, costs)
  local reach = unit.finder:reach(x, y, math.huge)
  check_distances(world, reach, function(cx, cy)
    return world.terrain[world.rows[y][x]] and costs[(cy - 1) * world.width + cx]
  end)
  return reach
end

-- A walker somewhere on a path.
local function walker_on(r, path)
  local walker = astar.walker(path)
  walker:update(r:int(0, 30) / 10)
  return walker
end

-- The rest of a walker's path, repaired once more from the cell it is in: what it follows is on its own path.
local function rest_of(walker)
  local x, y = walker:cell()
  for i = 1, #walker.path do
    local cx, cy = walker.path:cell(i)
    if cx == x and cy == y then return x, y, walker.path:repair { from = i } end
  end
  error "the walker is beside its path"
end

-- Repairs a path in one of the ways there are. Returns where that began, how much dearer than the best path the new one
-- may be, and that path or nil and why.
local function repair_somehow(r, path)
  local from, optimal = r:int(1, #path), r:chance(0.5)
  local x, y = path:cell(from)
  local most = optimal and 1 or math.huge
  local how = r:pick { "at once", "in steps", "by a walker", "by a queue" }
  if how == "at once" then return x, y, most, path:repair { from = from, optimal = optimal } end
  if how == "in steps" then
    local search = path:repairing { from = from, optimal = optimal }
    while search.status == "running" do search:step(r:int(1, 5)) end
    return x, y, most, search:path()
  end
  local walker = walker_on(r, path)
  if how == "by a queue" then
    local queue = astar.queue()
    local ticket = queue:repair(walker, { optimal = optimal })
    while not ticket.done do queue:update { expansions = r:int(1, 50) } end
    if ticket.status ~= "found" then
      x, y = walker:cell()
      return x, y, most, nil, ticket.status
    end
  else
    local path_of_walker, reason = walker:repair { optimal = optimal }
    if not path_of_walker then
      x, y = walker:cell()
      return x, y, most, nil, reason
    end
  end
  local repaired, why
  x, y, repaired, why = rest_of(walker)
  return x, y, most, repaired, why
end

-- Sends a path or its walker to (gx, gy); returns as repair_somehow does.
local function retarget_somehow(r, path, gx, gy)
  local bound = r:pick { 1, 1.1, 2 }
  if r:chance(0.5) then
    local from = r:int(1, #path)
    local x, y = path:cell(from)
    return x, y, bound, path:retarget(gx, gy, { from = from, bound = bound })
  end
  local walker = walker_on(r, path)
  local sent, reason = walker:retarget(gx, gy, { bound = bound })
  local x, y, rest, why = rest_of(walker)
  if not sent then return x, y, math.huge, nil, reason end
  return x, y, math.huge, rest, why -- the bound holds from the cell that it walks to
end

-- Checks what becomes of a path that was found before the last edits.
local function check_repair(r, world, unit, steps, path, gx, gy)
  local is_sent = r:chance(0.3)
  if is_sent then gx, gy = random_cell(r, world) end
  local x, y, most, repaired, why
  if is_sent then
    x, y, most, repaired, why = retarget_somehow(r, path, gx, gy)
  else
    x, y, most, repaired, why = repair_somehow(r, path)
  end
  if not x then return end
  local cost = flood_over(world, steps, x, y)[(gy - 1) * world.width + gx]
  local is_open = price(world, unit, gx, gy) or (x == gx and y == gy)
  if not (cost and is_open and world.terrain[world.rows[y][x]]) then return assert(not repaired) end
  assert(repaired, why)
  local sum = cost_of_cells(world, unit, repaired, x, y, gx, gy)
  assert(near(sum, repaired.cost), ("the cells cost %s, the repaired path %s"):format(sum, repaired.cost))
  assert(most == math.huge or sum <= most * cost + 1e-6,
    ("the repaired path costs %s, the best way %s"):format(sum, cost))
end

local function check_world(seed)
  local r = random.new(seed)
  local world = random_world(r)
  local unit = random_unit(r, world)
  local goal_x, goal_y = random_cell(r, world)
  local flow, steps = check_flow(r, world, unit, goal_x, goal_y)
  for round = 1, 3 do
    local paths = {}
    for i = 1, 4 do
      local x, y = random_cell(r, world)
      local gx, gy = random_cell(r, world)
      local path = unit.finder:find_path(x, y, gx, gy)
      paths[i] = path and { path, gx, gy }
    end
    for _ = 1, 4 do
      local x, y = random_cell(r, world)
      local gx, gy = random_cell(r, world)
      local costs = flood_over(world, steps, x, y)
      check_route(r, world, unit, x, y, gx, gy, costs)
      if world.terrain[world.rows[y][x]] then
        check_nearest(r, world, unit, x, y, costs)
        check_range(r, world, unit, x, y, gx, gy, costs)
        check_partial(world, unit, x, y, gx, gy, costs)
      end
      if round == 2 then check_reach(world, unit, x, y, costs) end
    end
    edit(r, world)
    flow, steps = check_flow(r, world, unit, goal_x, goal_y, flow)
    for _, path in pairs(paths) do check_repair(r, world, unit, steps, path[1], path[2], path[3]) end
  end
end

describe("a map that wraps around", function()
  it("has the routes that a Dijkstra search with coordinates modulo the size finds", function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local fine, message = pcall(check_world, seed)
      assert(fine, ("seed %d: %s"):format(seed, tostring(message)))
    end
  end)
end)

describe("wrap", function()
  local function open_world(wrap) return astar.grid(10, 6, { wrap = wrap }) end

  it("lets a path cross the map's edge, where the path has a link", function()
    local path = open_world("x"):find_path(9, 3, 2, 3)
    assert.equal(3, path.cost)
    assert.same({ { 9, 3 }, { 10, 3 }, { 1, 3 }, { 2, 3 } }, (function()
      local cells = {}
      for x, y in path:cells() do cells[#cells + 1] = { x, y } end
      return cells
    end)())
    assert.is_true((path:link(2)))
    assert.equal(2, open_world("y"):find_path(4, 1, 4, 5).cost)
    assert.equal(2 * SQRT2, open_world("both"):find_path(1, 1, 9, 5).cost)
  end)

  it("applies the corner rule across the map's edge", function()
    local grid = astar.grid([[
      ....#
      .....
      ....#
      ]], { wrap = "x" })
    local function cost(rule) return grid:find_path(1, 1, 5, 2, { diagonals = rule }).cost end
    assert.equal(SQRT2, cost "always")
    assert.equal(SQRT2, cost "if_at_most_one_obstacle")
    assert.equal(2, cost "only_when_no_obstacles")
    assert.equal(2, cost "never")
  end)

  it("works in schedules: no two units swap cells, and a unit crosses the map's edge in one step", function()
    local grid = astar.grid("....#.....", { wrap = "x" })
    local schedule, finder = astar.schedule(grid), grid:finder()
    local timed = schedule:find_path(finder, 7, 1, 3, 1, { stay = false })
    assert.same({ 0, 1, 2, 3, 4, 5, 6 }, timed.times)
    assert.equal(10, (timed:place(3.5)))
    assert.equal(1, (timed:place(4)))
    assert.truthy(schedule:reserve(timed))
    assert.equal(1, schedule:taken_by(1, 1, 3.5))
    assert.is_nil(schedule:find_path(finder, 1, 1, 10, 1, { at = 2.5 }))
    assert.truthy(schedule:find_path(finder, 1, 1, 10, 1, { at = 6 }))
    assert.truthy(schedule:reserve(grid:find_path(2, 1, 9, 1), { at = 20 }))
  end)

  it("affects the results of grid:shape, distance, neighbour and tostring", function()
    local grid = open_world "both"
    assert.same({ "square", "both" }, { grid:shape() })
    assert.same({ 1, 6 }, { grid:neighbour(10, 1, "north_east") })
    assert.is_nil(open_world("x"):neighbour(10, 1, "north_east"))
    assert.equal(2, grid:distance(1, 1, 9, 5))
    assert.equal("astar grid 10 x 6, wrap both", tostring(grid))
  end)

  it("is kept in dumps, clones and shared maps", function()
    for _, wrap in ipairs { "x", "y", "both" } do
      local grid = open_world(wrap)
      grid:block(5, 5, 1, 1, "units")
      for _, copy in ipairs { astar.load(grid:dump()), grid:clone() } do
        assert.same({ "square", wrap }, { copy:shape() })
        assert.equal(wrap == "y" and 9 or 1, copy:find_path(1, 3, 10, 3).cost)
      end
      grid:share("wrap " .. wrap)
      local shared = astar.shared("wrap " .. wrap)
      assert.equal(wrap == "x" and 5 or 1, shared:find_path(4, 1, 4, 6).cost)
      grid:unshare()
    end
  end)

  it("refuses options that are not supported on maps that wrap around", function()
    local grid = open_world "x"
    local finder, path = grid:finder(), grid:find_path(9, 3, 2, 3)
    local function refuses(what, f)
      local message = error_of(f)
      assert(message:find("maps that wrap around cannot honour " .. what, 1, true), what .. ": " .. message)
    end
    refuses("size above 1", function() grid:finder({ size = 2 }) end)
    refuses("any_angle", function() grid:finder({ any_angle = true }) end)
    refuses("cost", function() grid:finder({ cost = function() return 1 end }) end)
    refuses("step_cost", function() grid:finder({ step_cost = function() return 1 end }) end)
    refuses("a heuristic function", function() grid:finder({ heuristic = function() return 0 end }) end)
    refuses("bend_cost", function() grid:finder({ bend_cost = 1 }) end)
    refuses("bends", function() grid:finder({ bends = "fewest" }) end)
    refuses("bends", function() finder:find_path(1, 1, 2, 2, { bends = "fewest" }) end)
    refuses('algorithm "jps"', function() grid:finder({ algorithm = "jps" }) end)
    refuses('algorithm "jpsw"', function() grid:finder({ algorithm = "jpsw" }) end)
    refuses("wall", function() grid:wall(1, 1, "east") end)
    refuses("raycast", function() finder:raycast(1, 1, 2, 2) end)
    refuses("smooth", function() path:smooth() end)
    refuses("min_cut", function() finder:min_cut(1, 1, 5, 5) end)
    refuses("chokepoints", function() finder:chokepoints(1, 1, 5, 5) end)
    refuses("blockers", function() finder:blockers(1, 1, 5, 5) end)
    refuses("clearance", function() finder:clearance(1, 1) end)
    local question = { suppose_blocked = { { 3, 3, 1, 1 } } }
    refuses("suppose_blocked", function() finder:find_path(1, 1, 5, 5, question) end)
    refuses("suppose_blocked", function() finder:reachable(1, 1, 5, 5, question) end)
    refuses("suppose_blocked", function() finder:raycast(1, 1, 5, 5, question) end)
    refuses("suppose_blocked", function() finder:find_nearest(1, 1, { { 5, 5 } }, question) end)
    local goals = { { 2, 2 }, { 3, 3 } }
    refuses("range or partial of find_nearest", function() finder:find_nearest(1, 1, goals, { partial = true }) end)
    refuses("range or partial of find_nearest", function() finder:finding_nearest(1, 1, goals, { range = 1 }) end)
    local ranged = grid:finder { range = 1 }
    refuses("range or partial of flows", function() ranged:flow(1, 1) end)
    refuses("range or partial of flows", function() finder:flow(1, 1, { range = 1 }) end)
    assert.equal(0, ranged:flow(1, 1, { range = 0 }):distance(1, 1))
    local flow = finder:flow(1, 1)
    refuses("count_cut_off", function() flow:count_cut_off(3, 3, 1, 1) end)
    assert.truthy(error_of(function() astar.crowd(finder) end):find "a crowd cannot honour maps that wrap around")
  end)

  it("raises an error on fewer than three cells, and on hexagons", function()
    local function refused(width, options) return error_of(function() astar.grid(width, 9, options) end) end
    assert.equal("hexagons cannot honour wrap", refused(9, { wrap = "x", shape = "hex" }))
    assert.truthy(refused(2, { wrap = "x" }):find "at least 3 cells in that direction, got 2 x 9")
    assert.truthy(refused(9, { wrap = "z" }):find "wrap")
    assert.equal("astar grid 9 x 1, wrap x", tostring(astar.grid(9, 1, { wrap = "x" })))
  end)
end)
