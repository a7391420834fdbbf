-- suppose_blocked: questions about a map on which a few more cells are blocked, against a clone on which they are.
--
-- ASTAR_MAPS=20000 asks more questions, ASTAR_SEED=7 others.

local astar = require "astar"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local unpack = table.unpack or unpack -- luacheck: ignore 143
local MAPS = times("ASTAR_MAPS", 300)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local SIDES = { odd_r = "south_east", even_r = "east", odd_q = "south", even_q = "south_east" }

-- Returns true if no block and no ground bars the cells that a finder's unit covers at a cell.
local function fits(finder, x, y)
  local columns, rows = oracle.body(finder:options())
  local plain = finder:clearance(x, y)
  if columns == rows then return plain >= columns end
  for i = 0, columns * rows - 1 do
    if finder:clearance(x + i % columns, y + math.floor(i / columns)) == 0 then return false end
  end
  return true
end

local function random_grid(r, width, height, offset)
  local options = { terrain = { ["."] = 1, ["~"] = 2.5, ["#"] = false }, fill = "." }
  if offset then options.shape, options.offset = "hex", offset end
  local grid, density, rough = astar.grid(width, height, options), r:pick { 0.05, 0.2, 0.35 }, r:chance(0.4)
  for y = 1, height do
    for x = 1, width do
      if r:chance(density) then grid:set(x, y, "#") elseif rough and r:chance(0.2) then grid:set(x, y, "~") end
    end
  end
  for _ = 1, r:int(0, 4) do grid:block(r:int(1, width), r:int(1, height), r:chance(0.5) and "red" or nil) end
  return grid
end

local function add_links_and_walls(r, grid, width, height, side)
  for _ = 1, r:pick { 0, 0, 0, 2 } do
    local x, y, to_x, to_y = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
    if x ~= to_x or y ~= to_y then grid:link(x, y, to_x, to_y, { cost = r:int(1, 4) }) end
  end
  for _ = 1, r:pick { 0, 0, 0, 8 } do
    local x, y = r:int(1, width), r:int(1, height)
    if grid:neighbour(x, y, side) then grid:wall(x, y, side) end
  end
end

local function random_options(r, grid, is_hexagonal)
  local options = { algorithm = r:pick { "auto", "auto", "auto", "astar", "dijkstra" } }
  if r:chance(0.1) then options.cost = function(x, y, _, cost) return (x + 3 * y) % 13 > 0 and cost + x % 2 end end
  if not is_hexagonal then
    options.diagonals = r:pick { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
    options.size = r:pick { 1, 1, 2, 3, { 3, 1 }, { 1, 2 } }
  end
  if r:chance(0.3) then
    grid:block(1, 1, "red")
    options.ignore = { "red" }
  elseif r:chance(0.4) then
    local _, _, x1, y1 = grid:bounds()
    for _ = 1, r:int(0, 12) do grid:block(r:int(1, x1), r:int(1, y1), 1, 1, r:pick { "red", "crates" }) end
    options.breach = { red = r:pick { 0, 2.5 }, crates = 1 }
  end
  if r:chance(0.2) then
    options.step_cost = function(x, y, to_x, to_y, cost)
      return (x * 5 + to_y * 3) % 17 > 0 and cost + (y + to_x) % 2
    end
  end
  return options
end

local function random_rectangles(r, width, height)
  local rectangles = {}
  for i = 1, r:int(0, 3) do
    local x, y = r:int(1, width), r:int(1, height)
    rectangles[i] = { x, y, math.min(r:int(1, 4), width - x + 1), math.min(r:int(1, 4), height - y + 1) }
  end
  return rectangles
end

local function with_blocks(finder, grid, rectangles)
  local clone = grid:clone()
  for _, rectangle in ipairs(rectangles) do clone:block(unpack(rectangle)) end
  return finder:with_grid(clone), clone
end

local function cost_and_reason(path, reason)
  if not path then return reason end
  return ("%.9f"):format(path.cost)
end

-- Returns whether no unit can enter a goal: blocks or ground are in the way, or the cost callback refuses a cell that
-- the unit would cover.
local function is_goal_blocked(case, sx, sy, goal)
  local options = {}
  for name, value in pairs(case.options) do options[name] = value end
  options.cost, options.step_cost = nil, nil
  local _, reason = case.clone:finder(options):find_path(sx, sy, goal[1], goal[2])
  if reason == "goal blocked" then return true end
  local columns, rows = oracle.body(case.options)
  for i = 0, columns * rows - 1 do
    if not case.options.cost(goal[1] + i % columns, goal[2] + math.floor(i / columns), ".", 1) then return true end
  end
  return false
end

-- Expects the answer on the clone and the answer with supposed blocks to be equal. With a cost callback two reasons may
-- be right: no unit can enter the goals, and no way leads there. The clone's components show that no way does, so the
-- callback is not called. With supposed blocks the components show less, and the callback is called.
local function expect_equal_answers(case, asked, goals, expected, answer)
  local are_reasons = expected == "unreachable" and answer == "goal blocked"
  if not (are_reasons and case.options.cost and asked.range == 0) then
    assert.equal(expected, answer, case.place)
    return
  end
  for _, goal in ipairs(goals) do assert.is_true(is_goal_blocked(case, asked.sx, asked.sy, goal), case.place) end
end

local function compare(r, case, width, height, rectangles)
  local finder, place = case.finder, case.place
  local real
  real, case.clone = with_blocks(finder, case.grid, rectangles)
  local sx, sy, gx, gy = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
  local question = { partial = r:chance(0.2), range = r:pick { 0, 0, 0, 1 } }
  local supposing = { partial = question.partial, range = question.range, suppose_blocked = rectangles }
  local only, asked = { suppose_blocked = rectangles }, { sx = sx, sy = sy, range = question.range }
  expect_equal_answers(case, asked, { { gx, gy } }, cost_and_reason(real:find_path(sx, sy, gx, gy, question)),
    cost_and_reason(finder:find_path(sx, sy, gx, gy, supposing)))
  assert.equal(real:reachable(sx, sy, gx, gy), finder:reachable(sx, sy, gx, gy, only), place)
  assert.same({ real:raycast(sx, sy, gx, gy) }, { finder:raycast(sx, sy, gx, gy, only) }, place)
  local goals = {}
  for i = 1, r:int(0, 4) do goals[i] = { r:int(1, width), r:int(1, height) } end
  expect_equal_answers(case, asked, goals, cost_and_reason(real:find_nearest(sx, sy, goals, question)),
    cost_and_reason(finder:find_nearest(sx, sy, goals, supposing)))
end

describe("suppose_blocked", function()
  it("has the effect of a real block, by every rule and size, on hexagons, over links and past walls", function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local width, height = r:int(3, 20), r:int(3, 16)
      local offset = r:pick { false, false, false, "odd_r", "even_r", "odd_q", "even_q" }
      local grid = random_grid(r, width, height, offset)
      add_links_and_walls(r, grid, width, height, offset and SIDES[offset] or r:pick { "east", "south" })
      local options = random_options(r, grid, offset)
      local case = { grid = grid, options = options, finder = grid:finder(options), place = "seed " .. seed }
      local version = grid:version()
      for _ = 1, 6 do compare(r, case, width, height, random_rectangles(r, width, height)) end
      assert.equal(version, grid:version())
    end
  end)

  it("forbids cutting the corner of a supposed block", function()
    local grid = astar.grid(2, 2)
    local question = { suppose_blocked = { { 2, 1 } } }
    assert.equal(2, grid:finder():find_path(1, 1, 2, 2, question).cost)
    assert.near(math.sqrt(2), grid:finder { diagonals = "always" }:find_path(1, 1, 2, 2, question).cost, 1e-9)
  end)

  it("stops a large unit beside a supposed block that lies in the next tile of the connected components", function()
    for _, is_wide in ipairs { true, false } do
      local grid = is_wide and astar.grid(30, 40) or astar.grid(40, 30)
      local function at(along, across) return is_wide and along or across, is_wide and across or along end
      for along = 1, 30 do
        for across = 1, 40 do
          if across ~= 16 and across ~= 17 then grid:block(at(along, across)) end
        end
      end
      local finder = grid:finder { size = 2 }
      local sx, sy = at(1, 16)
      local gx, gy = at(29, 16)
      assert.is_true(finder:reachable(sx, sy, gx, gy))
      assert.is_false(finder:reachable(sx, sy, gx, gy, { suppose_blocked = { { at(20, 17) } } }))
      assert.equal(18, finder:flow(gx, gy):count_cut_off(at(20, 17)))
    end
  end)

  it("blocks even units that ignore the blocks of a layer", function()
    local grid = astar.grid("...")
    grid:block(2, 1, "doors")
    local ghost = grid:finder { ignore = { "doors" } }
    assert.is_true(ghost:reachable(1, 1, 3, 1))
    assert.is_false(ghost:reachable(1, 1, 3, 1, { suppose_blocked = { { 2, 1 } } }))
  end)

  it("applies to one query only: the path is valid on the map without supposed blocks", function()
    local grid = astar.grid(9, 3)
    local finder = grid:finder()
    local path = finder:find_path(1, 2, 9, 2, { suppose_blocked = { { 5, 1, 1, 2 } } })
    assert.is_true(path.cost > 8)
    assert.is_true(path:is_valid())
    assert.equal(8, path:smooth().cost)
    assert.equal(8, finder:find_path(1, 2, 9, 2).cost)
  end)

  it("keeps a cost callback from being called for supposed cells, and calls it once for others", function()
    local asked = {}
    local grid = astar.grid(5, 5)
    local finder = grid:finder { cost = function(x, y, _, cost)
      asked[x * 10 + y] = (asked[x * 10 + y] or 0) + 1
      return cost
    end }
    assert.is_truthy(finder:find_path(1, 1, 5, 5, { suppose_blocked = { { 3, 1, 1, 4 } } }))
    assert.is_nil(asked[32])
    for _, count in pairs(asked) do assert.equal(1, count) end
  end)

  it("leaves the finder unchanged if a callback of the query raises an error", function()
    local grid, raises = astar.grid(5, 5), true
    local finder = grid:finder { cost = function(_, _, _, cost) return raises and error "no" or cost end }
    assert.has_error(function() finder:find_path(1, 1, 5, 5, { suppose_blocked = { { 3, 3 } } }) end)
    raises = false
    assert.is_truthy(finder:find_path(1, 1, 5, 5, { suppose_blocked = { { 3, 3 } } }))
  end)
end)

describe("flow:count_cut_off", function()
  -- The cells, other than those blocked, that have a distance in one flow and none in the other.
  local function count_lost(now, later, finder, real)
    local count = 0
    for x, y in now:cells() do
      local stands = finder:reachable(x, y, x, y) and fits(real, x, y)
      if stands and not later:distance(x, y) then count = count + 1 end
    end
    return count
  end

  it("finds without a search that no route is left", function()
    local grid = astar.grid(30, 30)
    grid:block(15, 1, 1, 29)
    local finder, gap = grid:finder(), { { 15, 30 } }
    local function ask(question)
      question.suppose_blocked, question.max_expansions = gap, 1
      return select(2, finder:find_path(1, 1, 30, 1, question))
    end
    assert.equal("unreachable", ask {})
    assert.equal("max_expansions", ask { range = 1 })
    grid:link(1, 1, 30, 30)
    assert.equal("max_expansions", ask {})
  end)

  it("counts cells that reach no goal any more, by every rule and size, over links and past walls", function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local width, height = r:int(3, 16), r:int(3, 12)
      local grid = random_grid(r, width, height, false)
      add_links_and_walls(r, grid, width, height, r:pick { "east", "south" })
      local options = random_options(r, grid, false)
      options.cost, options.step_cost, options.range = nil, nil, r:pick { 0, 0, 1 }
      local finder, goals = grid:finder(options), {}
      for i = 1, r:int(0, 3) do goals[i] = { r:int(1, width), r:int(1, height) } end
      local limits = { max_cost = r:pick { math.huge, math.huge, 9 } }
      local flow = finder:flow(goals, limits)
      for _ = 1, 4 do
        local x, y = r:int(1, width), r:int(1, height)
        local rectangle = { x, y, math.min(r:int(1, 4), width - x + 1), math.min(r:int(1, 4), height - y + 1) }
        local real = with_blocks(finder, grid, { rectangle })
        assert.equal(count_lost(flow, real:flow(goals, limits), finder, real), flow:count_cut_off(unpack(rectangle)),
          "seed " .. seed)
        grid:block(r:int(1, width), r:int(1, height))
      end
    end
  end)

  it("returns 0 for a layer that the finder ignores", function()
    local grid = astar.grid("....")
    grid:block(2, 1, "doors")
    local flow = grid:finder { ignore = { "doors" } }:flow(4, 1)
    assert.equal(0, flow:count_cut_off(3, 1, 1, 1, "doors"))
    assert.equal(2, flow:count_cut_off(3, 1, 1, 1, "walls"))
    assert.equal(2, flow:count_cut_off(3, 1))
  end)

  it("counts all other cells if a block covers the goal", function()
    assert.equal(5, astar.grid(3, 2):finder():flow(1, 1):count_cut_off(1, 1))
  end)

  it("raises an error for the result of reach, for a flow that flees, and with callbacks", function()
    local finder = astar.grid(3, 3):finder()
    local asks = astar.grid(3, 3):finder { cost = function(_, _, _, cost) return cost end }
    for _, flow in ipairs { finder:reach(1, 1, 2), finder:flow(1, 1):flee(), asks:flow(1, 1) } do
      assert.has_error(function() flow:count_cut_off(2, 2) end,
        "count_cut_off needs a flow to goals and a finder without callbacks")
    end
  end)
end)
