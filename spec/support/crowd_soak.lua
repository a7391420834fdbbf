-- crowd_soak.lua -- crowds at random: maps, rules, sizes, periods, orders, edits, removals; every beat checked.
--
--     crowd_soak.run(astar, seed, beats) -> hash, beats that were checked, steps
--
-- A second crowd is told the same on an equal grid, and works each beat out in slices, some of them before
-- orders and edits that change it: it must go the same way. As a script, for as many seeds as are asked for:
--
--     lua5.4 spec/support/crowd_soak.lua build/5.4 1000 [first seed]

local random = require "spec.support.random"
local crowd_checker = require "spec.support.crowd_checker"

local crowd_soak = {}

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local SIDES = { "north", "east", "south", "west" }
local TERRAIN = { ["."] = 1, ["#"] = false, r = 0.5, g = 2.3, w = 40 }
local MODULUS = 2147483647

local function build_over(r, grid)
  local width, height = grid:size()
  if r:chance(0.25) then
    for _ = 1, r:int(1, 20) do grid:wall(r:int(1, width), r:int(1, height), r:pick(SIDES), r:chance(0.3)) end
  end
  if r:chance(0.2) then
    for _ = 1, r:int(1, 4) do
      local x, y, to_x, to_y = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
      if x ~= to_x or y ~= to_y then grid:link(x, y, to_x, to_y, { cost = r:int(0, 3), one_way = r:chance(0.5) }) end
    end
  end
end

local function new_rows(r)
  local width, height = r:int(3, 30), r:int(1, 24)
  local rows = r:chance(0.5) and r:scatter(width, height, r:pick { 0, 0.1, 0.3 }) or r:caves(width, height)
  if r:chance(0.3) then r:sow(rows, r:pick { { "r" }, { "r", "g" }, { "g", "w" } }) end
  return rows
end

local function new_kinds(r, first)
  local rule = r:pick(RULES)
  local mixed = r:chance(0.4)
  local kinds = {}
  for i = 1, mixed and 4 or 1 do
    local options = { diagonals = rule, size = mixed and (first and r:pick { 1, 1, 2, 3 } or 1) or 1 }
    if mixed and i > 1 then
      options.size = r:pick { 1, 2, 3, 4, 5, 6, 7, 8 }
      options.diagonals = r:pick(RULES)
    end
    if r:chance(0.2) then options.costs = { r = 3, w = false } end
    kinds[i] = options
  end
  return kinds
end

-- A crowd on a grid of its own, and what it was made with.
local function new_side(astar, case)
  local side = { grid = astar.grid(case.rows, { terrain = TERRAIN }), finders = {}, units = {} }
  build_over(random.new(case.seed), side.grid)
  for i, options in ipairs(case.kinds) do side.finders[i] = side.grid:finder(options) end
  side.crowd = astar.crowd(side.finders[1], case.options)
  return side
end

local function both(case, call)
  local a = call(case.one, case.one.crowd)
  local b = call(case.other, case.other.crowd)
  assert(a == b or type(a) == "userdata" and type(b) == "userdata", "the two crowds differ")
  return a
end

local function enters_of(grid, options)
  local costs = options.costs or {}
  return function(x, y) return grid:is_walkable(x, y) and costs[grid:get(x, y)] ~= false end
end

local function add_unit(case)
  local r, width, height = case.r, case.one.grid:size()
  local x, y, kind, period = r:int(1, width), r:int(1, height), r:int(1, #case.kinds), r:pick { 1, 1, 1, 2, 3 }
  local side_name = case.has_sides and r:pick { "red", "red", "blue" } or nil
  local unit = both(case, function(side)
    local unit, reason = side.crowd:add(x, y, { finder = side.finders[kind], period = period,
      side = side_name })
    if unit then side.units[#side.units + 1] = unit end
    return unit or reason
  end)
  if type(unit) ~= "string" then
    local options = case.kinds[kind]
    case.checker:watch(unit, { size = options.size, diagonals = options.diagonals, period = period,
      enters = enters_of(case.one.grid, options) })
  end
end

-- How it is sent there.
local function go_options(r)
  if r:chance(0.7) then return nil end
  return { range = r:int(0, 4), partial = r:chance(0.5) }
end

local ORDERS = {
  function(r, case) -- to a goal of its own, or one of a few
    local width, height = case.one.grid:size()
    local goal = r:chance(0.5) and r:pick(case.goals) or { r:int(1, width), r:int(1, height) }
    local options = go_options(r)
    return function(unit) local sent, reason = unit:go(goal[1], goal[2], options) return sent or reason end
  end,
  function(r, case)
    local goal = r:pick(case.goals)
    return function(unit) local sent, reason = unit:go(goal[1], goal[2]) return sent or reason end
  end,
  function(r)
    if r:chance(0.7) then return function() end end
    return function(unit) unit:stop() end
  end,
  function(r)
    local holds = r:chance(0.2)
    return function(unit) unit:hold(holds) end
  end,
  function(r, case) -- after another that is there
    if not case.has_chases then return function() end end
    local other, range = r:int(1, #case.one.units), r:int(1, 3)
    return function(unit, side)
      local prey = side.units[other]
      return prey ~= unit and prey.state ~= "removed" and unit:chase(prey, { range = range })
    end
  end,
  function(r)
    local priority = r:int(-2, 2)
    return function(unit) unit:set_priority(priority) end
  end,
  function(r)
    if r:chance(0.9) then return function() end end
    return function(unit) unit:remove() end
  end,
}

local function order_unit(case)
  local count = #case.one.units
  if count == 0 then return end
  local index = case.r:int(1, count)
  local order = case.r:pick(ORDERS)(case.r, case)
  if case.one.units[index].state == "removed" then return end
  both(case, function(side) return order(side.units[index], side) end)
end

local function edit_grid(case)
  local r = case.r
  local width, height = case.one.grid:size()
  local x, y, kind = r:int(1, width), r:int(1, height), r:int(1, 4)
  local side = r:pick(SIDES)
  both(case, function(one)
    local grid = one.grid
    if kind == 1 then grid:block(x, y)
    elseif kind == 2 then grid:unblock(x, y, math.min(3, width - x + 1), 1)
    elseif kind == 3 then grid:set(x, y, (x + y) % 3 == 0 and "." or "g")
    else grid:wall(x, y, side, (x + y) % 2 == 0) end
  end)
end

-- A block that is looked at by one of the two and taken away again: for beats there was none.
local function preview(case)
  local r = case.r
  local width, height = case.one.grid:size()
  local x, y = r:int(1, width), r:int(1, height)
  if case.one.grid:is_blocked(x, y) then return end
  case.other.crowd:step(r:pick { 1, 20, 500 })
  both(case, function(one) one.grid:block(x, y) end)
  case.other.crowd:step(r:pick { 1, 20, 500 })
  both(case, function(one) one.grid:unblock(x, y) end)
end

local function same_places(case)
  for i, unit in ipairs(case.one.units) do
    local other = case.other.units[i]
    assert(unit.state == other.state, "sliced beats differ in a state")
    if unit.state ~= "removed" then
      local x, y = unit:cell()
      local ox, oy = other:cell()
      assert(x == ox and y == oy, "sliced beats differ in a step")
      case.hash = ((case.hash * 4099 + x) % MODULUS * 4099 + y) % MODULUS
    end
  end
end

local function beat(case)
  local r = case.r
  for _ = 1, math.ceil(#case.one.units * r:pick { 0, 0, 0.05, 0.3 }) do
    if r:chance(0.5) then case.other.crowd:step(r:pick { 1, 3, 20, 500 }) end
    order_unit(case)
  end
  if r:chance(case.edits) then
    case.other.crowd:step(r:pick { 1, 10, 100 })
    edit_grid(case)
    for _ = 1, r:int(0, 2) do preview(case) end
  end
  if r:chance(0.1) then add_unit(case) end
  for _ = 1, r:int(0, 2) do case.other.crowd:step(r:pick { 1, 10, 1000 }) end
  case.checker:begin()
  case.one.crowd:beat()
  case.other.crowd:beat()
  case.checker:finish()
  same_places(case)
end

function crowd_soak.run(astar, seed, beats)
  local r = random.new(seed)
  local case = { r = r, seed = seed, rows = new_rows(r), kinds = new_kinds(r, true), hash = seed }
  case.has_sides = r:chance(0.2)
  case.has_chases = r:chance(0.3)
  case.edits = r:pick { 0, 0, 0.1, 0.5 }
  case.options = { exclusive = r:chance(0.25), expansions = r:pick { 60, 1000, 2 ^ 18 },
    bytes = r:pick { 500, 64e6, 64e6 }, seed = seed }
  case.one, case.other = new_side(astar, case), new_side(astar, case)
  case.has_chases = case.has_chases and #case.one.grid:links() == 0 -- which nobody chases over
  case.checker = crowd_checker.new(case.one.grid, case.options)
  local width, height = case.one.grid:size()
  case.goals = {}
  for i = 1, 4 do case.goals[i] = { r:int(1, width), r:int(1, height) } end
  local wanted = math.ceil(width * height * r:pick { 0.05, 0.2, 0.5, 1 })
  for _ = 1, math.min(wanted, 150) do add_unit(case) end
  for _ = 1, #case.one.units do order_unit(case) end
  for _ = 1, beats do beat(case) end
  return case.hash, beats, case.checker.steps
end

local is_script = arg and arg[0] and arg[0]:find("crowd_soak.lua", 1, true)
if is_script then
  local build = assert(arg[1], "usage: lua spec/support/crowd_soak.lua <build folder> [seeds] [first]")
  package.path = "./lua/?.lua;./lua/?/init.lua;./?.lua;" .. package.path
  package.cpath = ("./%s/?.so;./%s/?.dll;"):format(build, build) .. package.cpath
  local astar = require "astar"
  local hash, beats, steps, failures = 1, 0, 0, 0
  local first = tonumber(arg[3] or 1)
  for seed = first, first + tonumber(arg[2] or 100) - 1 do
    local ok, more, count, taken = pcall(crowd_soak.run, astar, seed, 100)
    if ok then
      hash, beats, steps = (hash * 4099 + more) % MODULUS, beats + count, steps + taken
    else
      failures = failures + 1
      print(("seed %d: %s"):format(seed, more))
    end
  end
  print(("hash %d over %d beats, %d steps, %d failures"):format(hash, beats, steps, failures))
end

return crowd_soak
