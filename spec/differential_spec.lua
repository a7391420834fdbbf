-- Random maps, random costs, every option: astar's answers against a plain Dijkstra's.
--
-- ASTAR_MAPS=100000 runs more maps, ASTAR_SEED=7 others, and one seed alone with both.

local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 3000)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local DIAGONAL_COSTS = { math.sqrt(2), math.sqrt(2), 1.4, 1.5, 1, 2 }
local ORIGINS = { { 1, 1 }, { 0, 0 }, { -5, 70 } }
local UNIFORM = { { ["."] = 1, ["#"] = false }, { ["."] = 10, ["#"] = false } }
local WEIGHTED = {
  { ["."] = 1, ["#"] = false, r = 0.5, g = 2, s = 5 },
  { ["."] = 1, ["#"] = math.huge, r = 1.1, g = 3.7, s = 1 },
  { ["."] = 10, ["#"] = false, r = 9.5, g = 1000, s = false },
  { ["."] = 0.001, ["#"] = false, r = 0.0012, g = 1, s = 1000000 },
}
local GROUNDS = { "r", "g", "s" }

local function describe_options(options)
  local parts = {}
  for name, value in pairs(options) do
    if type(value) == "table" then value = describe_options(value) end
    parts[#parts + 1] = name .. " = " .. tostring(value)
  end
  table.sort(parts)
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- it(name) for 'share' of the maps: 'body(r, case)' for each. What that leaves in the case goes
-- into the message of a failure.
local parts = 0
local function it_on_maps(name, share, body)
  parts = parts + 1
  local salt = parts * 1000003 -- each part has maps of its own
  it(name, function()
    for seed = FIRST_SEED, FIRST_SEED + math.ceil(MAPS * share) - 1 do
      local case = {}
      local ok, problem = pcall(body, random.new(seed + salt), case)
      if not ok then
        error(("map seed %d: %s\n(%s, %s) to (%s, %s) on origin (%d, %d) with %s\n%s"):format(
          seed, tostring(problem), case.sx, case.sy, case.gx, case.gy, case.world.x0,
          case.world.y0, describe_options(case.options or {}), maps.describe(case.world)), 0)
      end
    end
  end)
end

local function random_world(r, weighted)
  local width, height = r:sides()
  local rows = r:map(width, height)
  if weighted then r:sow(rows, GROUNDS) end
  local world = oracle.world(rows, {
    terrain = r:pick(weighted and WEIGHTED or UNIFORM), origin = r:pick(ORIGINS),
  })
  if r:chance(0.3) then
    for cell = 1, width * height do world.blocks[cell] = r:chance(0.1) or nil end
  end
  return world
end

-- Corner rule, diagonal_cost and perhaps a table of costs.
local function random_rules(r, world)
  local rules = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick(DIAGONAL_COSTS) }
  if r:chance(0.15) then rules.size = r:body(2, 4) end
  if world.terrain.r and r:chance(0.4) then
    rules.costs = { [r:pick(GROUNDS)] = r:pick { 0.25, 1, 4, false, math.huge } }
  end
  return rules
end

local function random_cell(r, world)
  return world.x0 + r:int(0, world.width - 1), world.y0 + r:int(0, world.height - 1)
end

-- A start that is not a wall, mostly.
local function random_start(r, world, rules)
  for _ = 1, 4 do
    local x, y = random_cell(r, world)
    if oracle.ground_cost(world, rules, oracle.cell(world, x, y)) then return x, y end
  end
  return random_cell(r, world)
end

-- Fills the case: world, grid, rules, a start, and the oracle's costs from there.
local function new_case(r, case, weighted)
  case.world = random_world(r, weighted)
  case.grid = maps.grid(case.world)
  case.rules = random_rules(r, case.world)
  case.sx, case.sy = random_start(r, case.world, case.rules)
end

local function ask_oracle(case)
  case.distances, case.entry = oracle.distances(case.world, case.rules, case.sx, case.sy)
end

local function choose_goal(r, case)
  case.gx, case.gy = random_cell(r, case.world)
end

local function copy(rules, more)
  local options = {}
  for name, value in pairs(rules) do options[name] = value end
  for name, value in pairs(more) do options[name] = value end
  return options
end

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

local function query_of(case, goal)
  return {
    world = case.world, rules = case.rules, entry = case.entry, sx = case.sx, sy = case.sy,
    gx = goal and case.gx, gy = goal and case.gy,
  }
end

-- A partial path leads to the nearest cell that a cost of 'limit' reaches, at its least cost.
local function check_partial(case, path, limit, range)
  expect(path.partial == true, "path.partial is %s", tostring(path.partial))
  local within = {}
  for cell, cost in pairs(case.distances) do
    if cost <= limit * (1 + 1e-9) then within[cell] = cost end -- as generous as max_cost is
  end
  local distance, cost = oracle.nearest(case.world, case.rules, within, case.gx, case.gy, range)
  local cells = check.path(path, query_of(case, false))
  local last = cells[#cells]
  local x, y = oracle.counts_from(case.rules, range, last.x, last.y, case.gx, case.gy)
  check.equal_cost(distance, oracle.ground_distance(case.rules, x, y, case.gx, case.gy), "distance to the goal")
  check.equal_cost(cost, path.cost, "cost of the nearest cell")
end

-- Holds the answer to the case's question against the oracle.
local function check_answer(case, path, reason)
  local options, weight = case.options, case.options.weight or 1
  local range, limit = options.range or 0, options.max_cost or math.huge
  local refusal = oracle.refusal(case.world, case.rules, case.entry, case.sx, case.sy,
    case.gx, case.gy)
  local best = refusal ~= "start blocked"
    and oracle.within(case.world, case.rules, case.distances, case.gx, case.gy, range)

  if best and best <= limit and (path and not path.partial or weight == 1 or limit == math.huge) then
    expect(path, "expected a path of cost %.17g, got %s", best, tostring(reason))
    expect(path.partial == false, "partial, though the goal can be reached")
    check.path(path, query_of(case, range == 0))
    expect(path.cost >= best or check.near(path.cost, best), "cost %.17g is less than the best, %.17g",
      path.cost, best)
    local bound = best * weight
    expect(path.cost <= bound or check.near(path.cost, bound), "cost %.17g, the best is %.17g",
      path.cost, best)
    if range > 0 then
      local x, y = path:cell(#path)
      expect(oracle.away(case.rules, range, x, y, case.gx, case.gy) <= range, "not within range")
    end
  elseif refusal == "start blocked" then
    expect(not path and reason == refusal, "expected %s, got %s", refusal, tostring(reason))
  elseif options.partial then
    expect(path, "expected a partial path, got %s", tostring(reason))
    if weight == 1 then check_partial(case, path, limit, range) end
  else
    expect(not path, "expected no path")
    local expected = refusal
    if range > 0 or not refusal then expected = best and "max_cost" or "unreachable" end
    -- A budget may run out before it shows that there is no way at all; a goal that only the
    -- callback refuses may be out of reach besides.
    expect(reason == expected or (limit < math.huge and reason == "max_cost")
      or (options.cost and expected == "goal blocked" and reason == "unreachable"),
      "expected %s, got %s", expected, reason)
  end
end

-- Asks the case's question of a finder with the case's options.
local function ask(case, options)
  case.options = options
  local finder = case.grid:finder(options)
  check_answer(case, finder:find_path(case.sx, case.sy, case.gx, case.gy))
  return finder
end

-- The same by every algorithm that honours the options.
local function ask_all(case, options)
  for _, algorithm in ipairs(check.algorithms(options, case.world)) do
    ask(case, copy(options, { algorithm = algorithm }))
  end
end

describe("on random maps, find_path", function()
  it_on_maps("finds the cheapest route by every algorithm and heuristic on plain ground", 0.2, function(r, case)
    new_case(r, case, false)
    ask_oracle(case)
    for _ = 1, 2 do
      choose_goal(r, case)
      ask_all(case, copy(case.rules, { heuristic = r:pick(check.HEURISTICS) }))
    end
    ask_all(case, case.rules)
  end)

  it_on_maps("finds the cheapest route by every algorithm and heuristic on weighted ground", 0.2, function(r, case)
    new_case(r, case, true)
    ask_oracle(case)
    for _ = 1, 2 do
      choose_goal(r, case)
      ask_all(case, copy(case.rules, { heuristic = r:pick(check.HEURISTICS) }))
    end
    ask_all(case, case.rules)
  end)

  it_on_maps("stays within `weight` times the cheapest", 0.08, function(r, case)
    new_case(r, case, r:chance(0.5))
    ask_oracle(case)
    choose_goal(r, case)
    ask_all(case, copy(case.rules, { weight = r:pick { 1.05, 1.5, 2, 7 } }))
  end)

  it_on_maps("finds with a cost callback the routes that the same terrain costs give", 0.1, function(r, case)
    new_case(r, case, true)
    local truth, least = {}, 0.5
    for _, key in ipairs { ".", "r", "g", "s" } do truth[key] = r:pick { 0.5, 1, 2.5, 7, 30, false } end
    case.rules.costs = nil
    local data = case.rules -- what the grid is told ...
    case.rules = copy(data, { costs = truth }) -- ... and what the callback says instead
    for key in pairs(truth) do
      if not case.world.terrain[key] then truth[key] = nil end
    end
    if not oracle.can_stand(case.world, case.rules, case.sx, case.sy) then return end
    ask_oracle(case)
    choose_goal(r, case)
    local function cost(_, _, key) return truth[key] end
    ask_all(case, copy(data, { cost = cost, min_cost = least }))
  end)

  it_on_maps("finds the cheapest route by a step_cost callback", 0.1, function(r, case)
    new_case(r, case, r:chance(0.5))
    local slope, doors = r:pick { 0, 0.5, 3 }, r:pick { 0, 0.1 }
    case.rules.step_cost = function(x, y, nx, ny, cost)
      if (x * 13 + y * 7 + nx * 5 + ny * 3) % 20 < doors * 20 then return false end
      return math.min(cost * (1 + slope * ((nx * 3 + ny * 5 + x) % 4)), 2000000)
    end
    if case.world.blocks[oracle.cell(case.world, case.sx, case.sy)] then return end
    ask_oracle(case)
    choose_goal(r, case)
    ask_all(case, case.rules)
  end)

  it_on_maps("finds the cheapest route with any admissible heuristic function", 0.04, function(r, case)
    new_case(r, case, true)
    ask_oracle(case)
    choose_goal(r, case)
    local least = math.huge
    for key, cost in pairs(case.world.terrain) do
      if case.rules.costs and case.rules.costs[key] ~= nil then cost = case.rules.costs[key] end
      least = math.min(least, cost or math.huge)
    end
    local share = r:int(1, 7)
    ask_all(case, copy(case.rules, {
      heuristic = function(dx, dy)
        return (dx + 2 * dy) % share == 0 and least * math.max(dx, dy) or 0 -- not consistent
      end,
    }))
  end)

  it_on_maps("leads to the nearest cell if `partial` is set", 0.08, function(r, case)
    new_case(r, case, r:chance(0.5))
    ask_oracle(case)
    choose_goal(r, case)
    ask_all(case, copy(case.rules, { partial = true }))
  end)

  it_on_maps("leads within `range` of the goal", 0.08, function(r, case)
    new_case(r, case, r:chance(0.5))
    ask_oracle(case)
    choose_goal(r, case)
    ask_all(case, copy(case.rules, { range = r:pick { 1, 2, 5 }, partial = r:chance(0.3) }))
  end)

  it_on_maps("respects `max_cost`", 0.08, function(r, case)
    new_case(r, case, r:chance(0.5))
    ask_oracle(case)
    choose_goal(r, case)
    local best = case.distances[oracle.cell(case.world, case.gx, case.gy)] or 20
    for _, share in ipairs { 0, 0.51234567, 1 - 1e-6, 1 + 1e-9, 3 } do
      ask_all(case, copy(case.rules, { max_cost = best * share, partial = r:chance(0.3) }))
    end
  end)

  it_on_maps("respects `max_expansions`, and path.expanded is the smallest sufficient limit", 0.06, function(r, case)
    new_case(r, case, r:chance(0.5))
    ask_oracle(case)
    choose_goal(r, case)
    for _, algorithm in ipairs(check.algorithms(case.rules, case.world)) do
      case.options = copy(case.rules, { algorithm = algorithm })
      local path = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, case.options)
      if path and path.expanded > 0 then
        case.options.max_expansions = path.expanded
        local again = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, case.options)
        expect(again and again.cost == path.cost, "%d expansions were enough before", path.expanded)
        expect(again.expanded == path.expanded, "expanded %d, then %d", path.expanded, again.expanded)
      end
      if path and path.expanded > 1 then
        case.options.max_expansions = path.expanded - 1
        local none, reason = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, case.options)
        expect(not none and reason == "max_expansions", "expected max_expansions, got %s",
          tostring(reason))
        case.options.partial = true
        if check.honours(algorithm, case.options, case.world) then
          local partial = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, case.options)
          expect(partial, "expected a partial path")
          check.path(partial, query_of(case, not partial.partial))
        end
      end
    end
  end)

  it_on_maps("honours any mixture of options", 0.12, function(r, case)
    new_case(r, case, r:chance(0.7))
    ask_oracle(case)
    choose_goal(r, case)
    local options = copy(case.rules, {
      weight = r:chance(0.2) and 1.5 or nil,
      partial = r:chance(0.3) or nil,
      range = r:chance(0.3) and r:int(0, 3) or nil,
      max_cost = r:chance(0.3) and r:number() * 30 or nil,
      heuristic = r:chance(0.3) and r:pick(check.HEURISTICS) or nil,
    })
    if r:chance(0.3) then options.cost = function(_, _, _, cost) return cost end end
    if r:chance(0.2) then options.step_cost = function(_, _, _, _, cost) return cost end end
    ask_all(case, options)
  end)
end)

-- Changes world and grid alike.
local EDITS = {
  function(r, world, grid, x, y)
    local key = r:pick { ".", "#", "r", "g" }
    grid:set(x, y, key)
    world.keys[oracle.cell(world, x, y)] = key
  end,
  function(r, world, grid, x, y)
    local key = r:pick { ".", "#", "s" }
    local width = r:int(1, world.x0 + world.width - x)
    local height = r:int(1, world.y0 + world.height - y)
    grid:fill(x, y, width, height, key)
    for cy = y, y + height - 1 do
      for cx = x, x + width - 1 do world.keys[oracle.cell(world, cx, cy)] = key end
    end
  end,
  function(r, world, grid, x, y)
    local width = r:int(1, math.min(3, world.x0 + world.width - x))
    grid:block(x, y, width)
    for cx = x, x + width - 1 do world.blocks[oracle.cell(world, cx, y)] = true end
  end,
  function(_, world, grid)
    grid:unblock(world.x0, world.y0, world.width, world.height)
    world.blocks = {}
  end,
  function(_, world, grid, x, y)
    grid:unblock(x, y)
    world.blocks[oracle.cell(world, x, y)] = nil
  end,
  function(r, world, grid)
    local key, cost = r:pick { "r", "g", "s" }, r:pick { 0.25, 1, 3, 8, false }
    grid:terrain(key, cost)
    world.terrain[key] = cost
  end,
}

describe("on random maps, after an edit", function()
  it_on_maps("the next query of every finder returns the right result", 0.1, function(r, case)
    new_case(r, case, true)
    local terrain = copy(r:pick(WEIGHTED), {})
    case.world.terrain = terrain
    case.grid = maps.grid(case.world)
    local finders = {}
    for _, algorithm in ipairs(check.algorithms(case.rules)) do
      finders[algorithm] = case.grid:finder(copy(case.rules, { algorithm = algorithm }))
    end
    for _ = 1, 8 do
      local x, y = random_cell(r, case.world)
      r:pick(EDITS)(r, case.world, case.grid, x, y)
      case.sx, case.sy = random_start(r, case.world, case.rules)
      ask_oracle(case)
      choose_goal(r, case)
      for algorithm, finder in pairs(finders) do
        case.options = copy(case.rules, { algorithm = algorithm })
        if check.honours(algorithm, case.rules, case.world) then
          check_answer(case, finder:find_path(case.sx, case.sy, case.gx, case.gy))
        else
          local ok, message = pcall(finder.find_path, finder, case.sx, case.sy, case.gx, case.gy)
          expect(not ok and message:find("cannot honour", 1, true), "expected an error, got %s",
            tostring(message))
        end
      end
      local route = oracle.refusal(case.world, case.rules, case.entry, case.sx, case.sy,
        case.gx, case.gy) == nil and case.distances[oracle.cell(case.world, case.gx, case.gy)]
      expect(finders.auto:reachable(case.sx, case.sy, case.gx, case.gy) == (route and true or false),
        "reachable should be %s", tostring(route and true or false))
    end
  end)
end)

describe("on random maps, reachable", function()
  it_on_maps("returns the result of a plain flood fill", 0.1, function(r, case)
    new_case(r, case, r:chance(0.5))
    ask_oracle(case)
    case.options = case.rules
    local finder = case.grid:finder(case.rules)
    local asking = case.grid:finder(copy(case.rules, {
      cost = function(_, _, _, cost) return cost end,
    }))
    for _ = 1, 10 do
      choose_goal(r, case)
      local refusal = oracle.refusal(case.world, case.rules, case.entry, case.sx, case.sy,
        case.gx, case.gy)
      local cost = case.distances[oracle.cell(case.world, case.gx, case.gy)]
      local expected = not refusal and cost ~= nil
      expect(finder:reachable(case.sx, case.sy, case.gx, case.gy) == expected,
        "expected %s", tostring(expected))
      expect(asking:reachable(case.sx, case.sy, case.gx, case.gy) == expected,
        "expected %s of the finder with a callback", tostring(expected))
    end
  end)
end)
