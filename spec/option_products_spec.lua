-- Options together: random small maps, squares and hexagons, under random products of a finder's options, held from
-- outside against plain rules (oracle.lua, hex_oracle.lua) and a plain Dijkstra over cells and headings (bends.lua).
--
-- ASTAR_MAPS=100000 runs more maps, ASTAR_SEED=7 others, as for differential_spec.lua.

local astar = require "astar"
local bends = require "spec.support.bends"
local check = require "spec.support.check"
local hex_oracle = require "spec.support.hex_oracle"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 400)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local OFFSETS = { "odd_r", "even_r", "odd_q", "even_q" }
local TERRAINS = {
  { ["."] = 1, ["#"] = false },
  { ["."] = 1, ["#"] = false, r = 0.5, g = 3 },
  { ["."] = 10, ["#"] = false, r = 9, g = 1000 },
  { ["."] = 1e6, ["#"] = false },
  { ["."] = 1e6, ["#"] = false, r = 0.001, g = 30 },
}
local LINK_COSTS = { 0, 0.001, 0.0017, 0.5, 3, 1e6 }

local function identity(cost) return cost end

-- ---- worlds ----

local function put_links(r, world)
  local cells = world.width * world.height
  for _ = 1, r:pick { 1, 2, 5, 20, 60 } do
    local from, to = r:int(1, cells), r:int(1, cells)
    if r:chance(0.3) then to = math.min(from + 1, cells) end
    if from ~= to then
      world.links[from] = world.links[from] or {}
      world.links[from][to] = r:pick(LINK_COSTS)
    end
  end
end

-- One of squares: the oracle's steps and distances as functions of cells.
local function squares(r, rows, terrain)
  local world = oracle.world(rows, { terrain = terrain })
  if r:chance(0.4) then put_links(r, world) end
  if r:chance(0.4) then layers.add_walls(r, world) end
  local rules = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { math.sqrt(2), 1, 1.3, 2 } }
  local case = { world = world, rules = rules }
  if r:chance(0.2) then case.rules.size = r:body(2, 3) end
  case.grid = maps.grid(world)
  case.angles = case.rules.diagonals == "never" and { 90, 180 } or { 45, 90, 135, 180 }
  case.headings = { "north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west" }
  case.heuristics = check.HEURISTICS
  case.algorithms = check.ALGORITHMS
  function case.compute_costs()
    case.entry = oracle.entry_costs(world, case.rules, case.sx, case.sy, true)
    case.can_stand = oracle.can_stand(world, case.rules, case.sx, case.sy)
  end
  function case.steps(cell, add)
    local x, y = oracle.position(world, cell)
    for _, each in ipairs(astar.directions) do
      local cost = oracle.legal_step(world, case.rules, case.entry, x, y, x + each.dx, y + each.dy)
      if cost then add(oracle.cell(world, x + each.dx, y + each.dy), each.name, cost) end
    end
    for to in pairs(world.links[cell] or {}) do
      local cost = oracle.link_step(world, case.rules, case.entry, x, y, oracle.position(world, to))
      if cost then add(to, nil, cost) end
    end
  end
  -- A range counts from the nearest cell that the unit covers. Without a range the north-west cell must be on the goal.
  function case.apart(x, y)
    local width, height = oracle.body(case.rules)
    if (case.given.range or 0) == 0 then width, height = 1, 1 end
    local dx = math.max(x - case.gx, case.gx - (x + width - 1), 0)
    return math.max(dx, y - case.gy, case.gy - (y + height - 1))
  end
  function case.distance(x, y) return oracle.ground_distance(case.rules, x, y, case.gx, case.gy) end
  return case
end

local function hexagons(r, rows, terrain)
  local world = hex_oracle.world(rows, r:pick(OFFSETS), { terrain = terrain })
  local text = {}
  for y, row in ipairs(rows) do text[y] = table.concat(row) end
  local grid = astar.grid(text, { terrain = terrain, shape = "hex", offset = world.offset })
  if r:chance(0.4) then put_links(r, world) end
  for from, links in pairs(world.links) do
    local x, y = hex_oracle.position(world, from)
    for to, cost in pairs(links) do
      local nx, ny = hex_oracle.position(world, to)
      grid:link(x, y, nx, ny, { cost = cost, one_way = true })
    end
  end
  for _ = 1, r:pick { 0, 0, 5, 30 } do
    local cell = r:int(1, #world.keys)
    local next = #world.around[cell] > 0 and r:pick(world.around[cell])
    if next then
      local x, y = hex_oracle.position(world, cell)
      world.walls[cell] = world.walls[cell] or {}
      world.walls[cell][next.direction] = true
      grid:wall(x, y, next.direction, true)
    end
  end
  local case = { world = world, rules = {}, grid = grid, heuristics = { "euclidean", "zero" } }
  case.angles = { 60, 120, 180 }
  case.headings = world.offset:find "r$" and { "north_east", "east", "south_east", "south_west", "west", "north_west" }
    or { "north", "north_east", "south_east", "south", "south_west", "north_west" }
  case.algorithms = { "auto", "astar", "dijkstra" }
  function case.compute_costs()
    case.entry = hex_oracle.entry_costs(world, case.rules)
    case.can_stand = hex_oracle.can_stand(world, case.rules, case.sx, case.sy)
    case.rings = hex_oracle.rings(world, hex_oracle.cell(world, case.gx, case.gy))
  end
  function case.steps(cell, add)
    for _, step in ipairs(hex_oracle.steps(world, case.rules, case.entry, cell)) do
      add(step.cell, step.direction, step.cost)
    end
  end
  function case.apart(x, y) return case.rings[hex_oracle.cell(world, x, y)] end
  case.distance = case.apart
  return case
end

-- ---- options ----

local function add_callbacks(r, rules)
  local salt = r:int(1, 1000)
  if r:chance(0.4) then
    rules.cost = function(x, y, _, cost)
      local number = (x * 31 + y * 17 + salt) % 7
      return number > 0 and math.max(cost, math.min(cost * (1 + number % 3), 1e6))
    end
  end
  if not rules.cost or r:chance(0.5) then
    rules.step_cost = function(x, y, nx, ny, cost)
      if (x * 7 + y * 5 + nx * 3 + ny + salt) % 13 == 0 then return nil end
      return math.max(cost, math.min(cost * (1 + (x * 3 + y * 11 + nx * 5 + ny * 7 + salt) % 4), 2e6))
    end
  end
end

-- What is asked besides the rules: of a finder, 'given', and of the question.
local function choose_options(r, case)
  local given, least = {}, math.huge
  for _, cost in pairs(case.world.terrain) do least = math.min(least, cost or least) end
  if r:chance(0.4) then add_callbacks(r, case.rules) end
  if case.world.terrain.g and r:chance(0.3) then case.rules.costs = { g = r:pick { false, 7 * least, 40 * least } } end
  if r:chance(0.4) then given.bend_cost = least * r:pick { 0.25, 1, 3, 40 } end
  if given.bend_cost and (given.bend_cost < 0.001 or given.bend_cost > 1e6) then given.bend_cost = 1 end
  if given.bend_cost and r:chance(0.5) then given.bend_cost = bends.random_prices(r, case.angles) end
  given.bends = r:pick { "any", "any", "fewer", "fewest" }
  local counts_bends = given.bend_cost or given.bends == "fewest"
  if counts_bends and r:chance(0.5) then given.heading = r:pick(case.headings) end
  given.weight = r:chance(0.4) and r:pick { 1.2, 2, 7, 1e6 } or nil
  given.partial = r:chance(0.4) or nil
  given.range = r:chance(0.3) and r:int(1, 3) or nil
  given.max_expansions = r:chance(0.2) and r:int(1, 60) or nil
  given.algorithm = r:pick(case.algorithms)
  given.heuristic = r:chance(0.3) and r:pick(case.heuristics) or nil
  if r:chance(0.15) then
    -- neither admissible nor consistent
    given.heuristic = function(dx, dy) return ((dx * 7 + dy * 3) % 5) * least * (dx + dy) / 2 end
  end
  case.given, case.counts_bends = given, counts_bends
end

-- Chooses options with which a search may end before the costs of all its cells are final: a cheaper path to a cell may
-- have been found after the cells beyond it were expanded.
local function choose_hasty_options(r, case)
  choose_options(r, case)
  local given, salt = case.given, r:int(1, 1000)
  case.rules.step_cost = function(x, y, nx, ny, cost)
    return math.max(cost, math.min(cost * (1 + (x * 3 + y * 11 + nx * 5 + ny * 7 + salt) % 17 / 4), 2e6))
  end
  given.partial, given.range, given.algorithm = true, nil, "astar"
  given.weight = r:pick { 1, 2, 7, 7 }
  given.max_expansions = r:chance(0.7) and r:int(1, #case.world.keys) or nil
  if r:chance(0.5) then
    given.heuristic = function(dx, dy) return ((dx * 7 + dy * 3) % 5) * (dx + dy) / 2 end
  end
end

local function random_case(r, sides, choose)
  local terrain = r:pick(TERRAINS)
  local rows = r:map(r:int(sides[1], sides[2]), r:int(sides[1], sides[2]))
  if terrain.r and r:chance(0.8) then r:sow(rows, { "r", "g" }) end
  local case = (r:chance(0.3) and hexagons or squares)(r, rows, terrain)
  local world = case.world
  case.start = r:int(1, #world.keys)
  case.sx, case.sy = oracle.position(world, case.start)
  case.gx, case.gy = oracle.position(world, r:int(1, #world.keys))
  choose(r, case)
  case.compute_costs()
  local options = {}
  for _, each in ipairs { case.rules, case.given } do
    for name, value in pairs(each) do options[name] = value end
  end
  case.options = options
  return case
end

local function tell(case)
  local parts = { tostring(case.world.offset or "squares") }
  for name, value in pairs(case.options) do parts[#parts + 1] = name .. " = " .. tostring(value) end
  table.sort(parts)
  return ("(%d, %d) to (%d, %d), %s\n%s"):format(case.sx, case.sy, case.gx, case.gy, table.concat(parts, ", "),
    maps.describe(case.world))
end

-- ---- the rules ----

-- What bends cost and count, as bends.lua has it.
local function prices_of(case)
  local given = case.given
  return { bend_cost = given.bend_cost, heading = given.heading, offset = case.world.offset }
end

-- The cheapest way to each cell by what counts, { [cell] = cost }.
local function distances(case)
  local given = case.counts_bends and prices_of(case) or {}
  local costs = {}
  for cell, each in pairs(bends.explore(case.start, given, identity, case.steps)) do costs[cell] = each.cost end
  return costs
end

-- What a path costs by its steps and bends.
local function sum_of(case, path)
  local directions, sum = path:directions(), 0
  for i, direction in ipairs(directions) do
    local x, y = path:cell(i)
    local to, least = oracle.cell(case.world, path:cell(i + 1)), nil
    case.steps(oracle.cell(case.world, x, y), function(cell, name, cost)
      if cell == to and (name or "link") == direction then least = cost end
    end)
    if not least then error(("step %d, (%d, %d) %s, is not legal"):format(i, x, y, direction), 0) end
    sum = sum + least
  end
  assert.equal(bends.count(directions, case.given.heading), path.bends)
  return sum + bends.cost(directions, prices_of(case), case.given.heading)
end

-- The least cost of an answer, nil where there is none, and the least distance from the goal that can be come to,
-- with its least cost; all of it for 'most'.
local function best_answer(case, costs, most)
  local least, nearest, at_nearest
  for cell, cost in pairs(costs) do
    local x, y = oracle.position(case.world, cell)
    if cost <= most and case.apart(x, y) <= (case.given.range or 0) then least = math.min(least or cost, cost) end
    local distance = case.distance(x, y)
    if cost <= most and (not nearest or distance < nearest - 1e-9
      or distance < nearest + 1e-9 and cost < at_nearest) then
      nearest, at_nearest = distance, cost
    end
  end
  return least, nearest, at_nearest
end

-- Whether what was found is what the rules say is best; 'most': max_cost.
local function check_best(case, path, reason, costs, most)
  local weight, given = case.given.weight or 1, case.given
  local best, nearest, at_nearest = best_answer(case, costs, most * (1 + 1e-9))
  if not case.can_stand then
    assert.equal("start blocked", reason)
  elseif not best and not given.partial then
    assert.is_nil(path)
  elseif not best then
    assert(path, reason)
    local x, y = path:cell(#path)
    if not given.max_expansions then check.equal_cost(nearest, case.distance(x, y), "nearest") end
    if weight == 1 then check.equal_cost(at_nearest, path.cost, "against the best to the nearest") end
  else
    assert(path, reason)
    local x, y = path:cell(#path)
    assert(case.apart(x, y) <= (given.range or 0), "does not arrive")
    if weight == 1 then check.equal_cost(best, path.cost, "against the best") end
    assert(path.cost <= best * weight * (1 + 1e-9), "against the weight")
  end
end

local function check_path(case, path)
  check.equal_cost(sum_of(case, path), path.cost, "path.cost against its steps")
  assert.same({ case.sx, case.sy }, { path:cell(1) })
  assert.is_true(path:is_valid())
end

local function check_hasty_case(_, case)
  local path = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, case.options)
  if path then check_path(case, path) end
end

local function check_case(r, case)
  local costs, given = distances(case), case.given
  local best = best_answer(case, costs, math.huge)
  if r:chance(0.4) then given.max_cost = (best or r:int(0, 30)) * r:pick { 1, 1, 0.999, 0.5, 1.001, 1.5 } end
  case.options.max_cost = given.max_cost
  local fine, path, reason = pcall(case.grid.find_path, case.grid, case.sx, case.sy, case.gx, case.gy, case.options)
  if not fine then
    assert.matches("cannot honour", path)
    return
  end
  local most = given.max_cost or math.huge
  if path then
    check_path(case, path)
    assert(path.cost <= most * (1 + 1e-9), "max_cost is exceeded: " .. path.cost .. " of " .. most)
  end
  -- A weight may have a search take a dearer way to a cell, and so miss what max_cost would allow.
  local is_sure = type(given.heuristic) ~= "function" and not given.max_expansions
    and not (given.max_cost and given.weight)
  if is_sure then check_best(case, path, reason, costs, most) end
end

local function for_maps(share, sides, choose, body)
  for seed = FIRST_SEED, FIRST_SEED + math.ceil(MAPS * share) - 1 do
    local r = random.new(seed + 90000049)
    local case = random_case(r, sides, choose)
    local ok, problem = pcall(body, r, case)
    if not ok then error(("map seed %d: %s\n%s"):format(seed, tostring(problem), tell(case)), 0) end
  end
end

describe("options together", function()
  it("give legal paths of least cost within max_cost, whose cost is the sum of their steps", function()
    for_maps(1, { 1, 11 }, choose_options, check_case)
  end)

  it("give path costs that are the sums of the costs of steps, also if searches end early", function()
    for_maps(1.5, { 6, 20 }, choose_hasty_options, check_hasty_case)
  end)
end)
