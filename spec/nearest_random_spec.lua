-- finder:find_nearest with every option at once, against a plain oracle: what it costs, which goal of
-- those that cost the same, where a partial way ends, what is refused.

local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 2500)

local TERRAIN = { terrain = { ["."] = 1, ["#"] = false, s = 3, r = 0.5 } }

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

-- ---- what is asked ----

local function never_asked() error("the heuristic function was asked", 0) end
local function hills(x, y, _, cost) return (x * 5 + y) % 9 > 0 and cost + y % 2 end
local function plain_step(_, _, _, _, cost) return cost end
local function slopes(x, y, nx, ny, cost) return (nx + ny) % 3 < (x + y) % 3 and cost * 1.5 or cost end

local function new_options(r, world)
  local options = { diagonals = r:pick(check.RULES), algorithm = r:pick(check.ALGORITHMS) }
  if r:chance(0.6) then options.algorithm = nil end
  if r:chance(0.3) then options.diagonal_cost = r:pick { 1, 1.25, 1.5, 2 } end
  if r:chance(0.2) then options.heuristic = r:pick { "zero", "chebyshev", "euclidean", "manhattan" } end
  if r:chance(0.3) then options.heuristic = never_asked end
  if r:chance(0.4) then options.range = r:pick { 1, 1, 2, 3, 5, 50 } end
  if r:chance(0.4) then options.partial = true end
  if r:chance(0.2) then options.cost = hills end
  if r:chance(0.2) then options.step_cost, options.min_cost = r:pick { plain_step, slopes }, 0.5 end
  if r:chance(0.1) then options.avoid = layers.field(r, world) end
  if r:chance(0.3) then options.size = r:body(1, 4) end
  if r:chance(0.2) then options.max_expansions = 1e6 end
  if r:chance(0.1) then options.max_cost = r:pick { 4, 1e6 } end
  if r:chance(0.15) then options.weight = r:pick { 1.05, 1.5 } end
  return options
end

local function new_case(r)
  local width, height = r:int(1, 14), r:int(1, 11)
  local rows = r:map(width, height)
  if r:chance(0.4) then r:sow(rows, { "s", "r" }) end
  local world = oracle.world(rows, TERRAIN)
  if r:chance(0.4) then layers.add_links(r, world) end
  if r:chance(0.2) then layers.add_walls(r, world) end
  local case = { world = world, grid = maps.grid(world), goals = {}, options = new_options(r, world) }
  case.sx, case.sy = r:int(1, width), r:int(1, height)
  for i = 1, r:pick { 0, 1, 1, 2, 2, 3, 4, 8, 15, 16, 17, 40, 127, 128, 129, 150 } do
    case.goals[i] = { r:int(1, width), r:int(1, height) }
  end
  return case
end

-- ---- what is right ----

local function equal(a, b)
  return math.abs(a - b) <= 1e-9 * math.max(1, math.abs(a))
end

-- Whether (a1, a2) is before (b1, b2), and whether it is the same.
local function compare(a1, a2, b1, b2)
  if not equal(a1, b1) then return a1 < b1, false end
  if not equal(a2, b2) then return a2 < b2, false end
  return false, true
end

-- The goal of the least 'first', then 'second', then the one farther north, farther west, earlier.
local function best_goal(case, measure)
  local best
  for i, goal in ipairs(case.goals) do
    local first, second = measure(goal[1], goal[2])
    if first then
      local before, same = true, false
      if best then before, same = compare(first, second, best.first, best.second) end
      local other = best and case.goals[best.index]
      if before or same and (goal[2] < other[2] or goal[2] == other[2] and goal[1] < other[1]) then
        best = { first = first, second = second, index = i }
      end
    end
  end
  return best
end

local function best_reached(case, limit)
  return best_goal(case, function(x, y)
    local cost = oracle.within(case.world, case.options, case.distances, x, y, case.options.range or 0)
    if cost and cost <= limit + 1e-9 then return cost, 0 end
  end)
end

local function best_partial(case, limit)
  local within = {}
  for cell, cost in pairs(case.distances) do
    if cost <= limit + 1e-9 then within[cell] = cost end
  end
  return best_goal(case, function(x, y)
    return oracle.nearest(case.world, case.options, within, x, y, case.options.range)
  end)
end

-- Whether the grid alone is beyond the algorithm asked for.
local function is_refused(case)
  local algorithm = case.options.algorithm
  return algorithm ~= nil and not check.honours(algorithm, case.options, case.world)
end

-- ---- what is answered ----

local function expect_refusal(case, finder)
  local _, of_path = pcall(finder.find_path, finder, case.sx, case.sy, case.sx, case.sy)
  local ok, of_nearest = pcall(finder.find_nearest, finder, case.sx, case.sy, case.goals)
  expect(not ok and of_nearest == of_path, "not refused, but %s", tostring(of_nearest))
  local found, of_test = pcall(finder.find_nearest, finder, case.sx, case.sy, function() return true end)
  expect(not found and of_test == of_path, "a function is not refused, but %s", tostring(of_test))
end

local function expect_route(case, path, best, index)
  local cells = check.route(path, { world = case.world, rules = case.options, entry = case.entry,
    sx = case.sx, sy = case.sy })
  local last, goal = cells[#cells], case.goals[index]
  local away = oracle.away(case.options, case.options.range, last.x, last.y, goal[1], goal[2])
  expect(path.partial or away <= (case.options.range or 0), "does not lead to goal %d", index)
  local weight = case.options.weight or 1
  if weight > 1 and not path.partial then
    expect(path.cost <= best.first * weight + 1e-9, "too dear")
    return false
  end
  if weight > 1 then return false end
  check.equal_cost(path.partial and best.second or best.first, path.cost, "cost")
  expect(index == best.index, "goal %d instead of %d", index, best.index)
  return true
end

local function expect_answer(case)
  local finder = case.grid:finder(case.options)
  if is_refused(case) then return expect_refusal(case, finder) end
  local path, index = finder:find_nearest(case.sx, case.sy, case.goals)
  if not oracle.can_stand(case.world, case.options, case.sx, case.sy) then
    return expect(not path and index == "start blocked", "got %s", tostring(index))
  end
  case.distances, case.entry = oracle.distances(case.world, case.options, case.sx, case.sy)
  local limit = case.options.max_cost or math.huge
  local best = best_reached(case, limit)
  if best then
    expect(path, "no path: %s, expected goal %d for %g", tostring(index), best.index, best.first)
    expect(not path.partial, "partial")
    return expect_route(case, path, best, index)
  elseif case.options.partial and #case.goals > 0 then
    expect(path, "no partial path: %s", tostring(index))
    expect(path.partial, "not partial")
    return expect_route(case, path, best_partial(case, limit), index)
  end
  expect(not path, "a path")
  local any_way = best_reached(case, math.huge)
  expect(index == (any_way and "max_cost" or index), "got %s", tostring(index))
  expect(index == "max_cost" and limit < math.huge or index == "unreachable" or index == "goal blocked",
    "got %s", tostring(index))
end

describe("find_nearest with any options", function()
  it("finds the cheapest goal, and of equally cheap goals the northernmost, then the westernmost", function()
    local decided = 0
    local from = tonumber(os.getenv "ASTAR_SEED") or 1
    for seed = from, from + CASES - 1 do
      local r = random.new(seed)
      local case = new_case(r)
      if check.honours(case.options.algorithm or "auto", case.options) then
        local ok, result = pcall(expect_answer, case)
        if not ok then
          local goals = {}
          for i, goal in ipairs(case.goals) do goals[i] = ("{%d,%d}"):format(goal[1], goal[2]) end
          local names = {}
          for name, value in pairs(case.options) do names[#names + 1] = name .. "=" .. tostring(value) end
          error(("seed %d, from (%d, %d) to %s with %s: %s\n%s"):format(seed, case.sx, case.sy,
            table.concat(goals, " "), table.concat(names, " "), tostring(result),
            maps.describe(case.world)), 0)
        end
        decided = decided + (result and 1 or 0)
      end
    end
    assert.is_true(decided > CASES / 4, decided)
  end)
end)
